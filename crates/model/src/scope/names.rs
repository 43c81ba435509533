//! Finds undefined names in an expression without evaluating it.

use std::convert::Infallible;

use hclkit_syntax::{Diagnostics, Span};

use super::{Lookup, resolve};
use crate::functions::Callable;
use crate::{Context, Descend, Expression, Visitor, messages};

impl Context {
    #[doc(hidden)]
    /// Reports references of an expression to names that neither a variable nor a [`Scope`](crate::Scope) defines.
    /// Because nothing is evaluated, this includes references in branches that are not taken and in arguments of
    /// `try`, but not names of types, as in `convert(value, map(string))`. The errors are the same as in an evaluation.
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
        for reference in expression.references() {
            match resolve::lead(self, reference) {
                Some((group, Lookup::Missing { group: at, name, span, .. })) => {
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
        if found.is_empty() {
            return found;
        }
        let mut types = Types { context: self, spans: Vec::new() };
        let Ok(()) = expression.visit(&mut types);
        let is_type = |span: Span| {
            let before = types.spans.partition_point(|own| own.start <= span.start);
            types.spans[..before].last().is_some_and(|own| span.end <= own.end)
        };
        found.iter().filter(|error| !is_type(error.span())).cloned().collect()
    }
}

/// The arguments of an expression that are types, in source order. None is within another.
struct Types<'c> {
    context: &'c Context,
    spans: Vec<Span>,
}

impl Visitor for Types<'_> {
    type Error = Infallible;

    fn expression(&mut self, expression: &Expression) -> Result<Descend, Infallible> {
        if let Ok(call) = expression.static_call()
            && let Some(Callable::Lazy(function)) = self.context.function(&call.name)
            && let Some(argument) = function.type_argument().and_then(|at| call.arguments.get(at))
            && self.spans.last().is_none_or(|last| last.end <= argument.span().start)
        {
            self.spans.push(argument.span());
        }
        Ok(Descend::Inside)
    }
}
