//! Finds undefined names in an expression without evaluating it.

use hclkit_syntax::Diagnostics;

use super::{Found, resolve};
use crate::{Context, Expression, messages};

impl Context {
    #[doc(hidden)]
    /// Reports references of an expression to names that neither a variable nor a [`Scope`](crate::Scope) defines.
    /// Because nothing is evaluated, this includes references in branches that are not taken and in arguments of
    /// `try`. The errors are the same as in an evaluation.
    ///
    /// ```
    /// use hclkit_model::{Context, Expression, Scope};
    ///
    /// let mut scope = Scope::new();
    /// scope.set(["local", "zone"], "a");
    /// let context = Context::new().with_scope(scope);
    /// let expression = Expression::parse("try(local.zones, other, local.zone)")?;
    /// let found: Vec<String> = context.undefined_names(&expression).iter().map(ToString::to_string).collect();
    /// assert_eq!(found[0], "1:10: error: Unknown variable: `local.zones` is not defined. Did you mean `local.zone`?");
    /// assert_eq!(found[1], "1:18: error: Unknown variable: There is no variable named `other`.");
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    pub fn undefined_names(&self, expression: &Expression) -> Diagnostics {
        let mut found = Diagnostics::new();
        for reference in expression.variables() {
            match resolve::lead(self, &reference) {
                Some((group, Found::Missing { group: at, name, span, .. })) => {
                    found.push(resolve::missing(group.at(at), &name, span).with_source(expression.source()));
                }
                None if self.variable(&reference.root).is_none() => {
                    let (name, span) = (&*reference.root, reference.root_span);
                    let meant = self.near_variable(name);
                    let error = messages::unknown_variable(name, meant.as_deref()).at(span);
                    let error = match meant {
                        Some(meant) => error.with_edit(messages::fix::write(&meant), span, meant),
                        None => error,
                    };
                    found.push(error.with_source(expression.source()));
                }
                _ => {}
            }
        }
        found
    }
}
