//! Partial evaluation: it computes what it can, and the rest stays source text with its references. An expression is
//! evaluated once, and the value of each node is recorded (`eval/knowledge.rs`). The result is a tree of changes to the
//! source (`partial/reduce.rs`, `partial/template.rs`), which is printed in one pass (`partial/residue.rs`).

mod insert;
mod json;
mod literal;
mod reduce;
mod residue;
mod template;

use hclkit_limits::Meter;
use hclkit_syntax::Diagnostic;
use hclkit_value::Value;

use crate::eval::Evaluator;
use crate::{Context, Diagnostics, Expression, Traversal};
use reduce::Reducer;

/// The result of partial evaluation.
#[derive(Clone, Debug)]
pub enum Partial {
    /// The value: everything could be computed.
    Value(Value),
    /// Some parts could not be computed, or must not be shown.
    Rest(Rest),
}

/// An expression with unknown parts, in which the known ones are replaced by their values.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rest {
    /// The source text in the native syntax: a template for a template, otherwise an expression.
    pub text: String,
    /// What is known about the value.
    pub value: Value,
    /// The references in it, with their places in the original source.
    pub references: Vec<Traversal>,
}

/// Options of partial evaluation.
///
/// ```
/// use hclkit_model::{Context, Expression, Functions, Partial, PartialOptions};
/// use hclkit_value::{Function, Type, Value};
///
/// let mut functions = Functions::new();
/// functions.insert("dice", Function::unnamed(Type::Number, |_, _| Ok(Value::from(4))).with_impure());
/// let context = Context::new().with_functions(functions);
/// let roll = Expression::parse("dice() + dice()")?;
/// assert!(matches!(roll.partial(&context)?, Partial::Rest(rest) if rest.text == "dice() + dice()"));
/// let Partial::Value(sum) = PartialOptions::new().with_impure(true).evaluate(&roll, &context)? else { unreachable!() };
/// assert_eq!(sum, Value::from(8));
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PartialOptions {
    impure: bool,
    reveal_marked: bool,
}

impl PartialOptions {
    /// The default options: impure functions are not called, and marked values are not written.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether to call functions that are random or use the clock.
    #[must_use]
    pub fn with_impure(mut self, impure: bool) -> Self {
        self.impure = impure;
        self
    }

    /// Sets whether to write marked values as well, without their marks.
    #[must_use]
    pub fn with_reveal_marked(mut self, reveal: bool) -> Self {
        self.reveal_marked = reveal;
        self
    }

    #[doc(hidden)]
    /// Whether marked values are written.
    pub const fn reveals_marked(self) -> bool {
        self.reveal_marked
    }

    /// Evaluates as much as possible. See [`Expression::partial`].
    ///
    /// # Errors
    /// The errors that occur for any values of the unknown parts.
    pub fn evaluate(self, expression: &Expression, context: &Context) -> Result<Partial, Diagnostics> {
        context.run(|| self.leave(expression, context, false)).map(|(partial, _)| partial)
    }

    /// Like [`evaluate`](PartialOptions::evaluate), but returns the source even if everything is known, so that its
    /// layout and comments stay. The flag says whether everything is known. References to values that cannot be written
    /// as source stay as they are.
    ///
    /// # Errors
    /// The errors that occur for any values of the unknown parts.
    pub fn rewrite(self, expression: &Expression, context: &Context) -> Result<(Rest, bool), Diagnostics> {
        let (partial, computed) = context.run(|| self.leave(expression, context, true))?;
        Ok(match partial {
            Partial::Rest(rest) => (rest, computed),
            Partial::Value(value) => (Rest { text: value.to_string(), value, references: Vec::new() }, true),
        })
    }

    /// The rest, and whether everything is known.
    fn leave(
        self,
        expression: &Expression,
        context: &Context,
        rewrite: bool,
    ) -> Result<(Partial, bool), Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        let around = expression.context(context);
        let meter = Meter::current();
        let _operation = meter.begin();
        let Some(around) = expression.resolved(&around, &mut diagnostics) else { return Err(diagnostics) };
        let node = expression.node_in(&around, &mut diagnostics);
        let mut evaluator =
            Evaluator::new(&around, Some(expression.source()), &mut diagnostics).partial(self.impure);
        let value = evaluator.run(node);
        let known = evaluator.known(node);
        let computed = known.certain && (self.reveal_marked || !value.contains_marked());
        let left = match expression.document() {
            Some(document) if rewrite || !computed => {
                let mut reducer = Reducer::new(document, evaluator, self);
                let residue = reducer.residue(node);
                let mut text = String::new();
                residue.write(document.source(), &mut text);
                Some((text, reducer.finish(node)))
            }
            _ => None,
        };
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        if computed && !rewrite {
            return Ok((Partial::Value(value), true));
        }
        let (text, references) = match (left, expression.json()) {
            (Some(left), _) => left,
            (None, Some(json)) => {
                let left = json::left(json, &around, self)?;
                if let Some(exceeded) = meter.exceeded() {
                    return Err(Diagnostic::exceeded(exceeded).at(expression.place()).into());
                }
                left
            }
            (None, None) => (expression.text().to_owned(), expression.variables()),
        };
        Ok((Partial::Rest(Rest { text, value, references }), computed))
    }
}

impl Expression {
    /// Evaluates as much as possible. Variables and functions that the context does not have are unknown, and so are
    /// the results of functions that are random, use the clock or require a missing grant.
    ///
    /// The rest evaluates to the same value as the whole expression, with the same type and the same marks:
    ///
    /// - A value replaces an expression only if the value does not depend on anything unknown. `false && x` stays,
    ///   because it is an error if `x` is a list. `true ? x : y` stays, because its type depends on `y`. But `true ?
    ///   upper(x) : "none"` becomes `upper(x)`, and `%{ if true }a${x}%{ else }none%{ endif }` becomes `a${x}`, unless
    ///   it has strip markers, or the text would have another meaning at that position.
    /// - A function that evaluates further expressions, such as a user function, is called only if none of them is
    ///   random, uses the clock or requires a missing grant.
    /// - A value that cannot be written as source stays a reference: lists, sets and maps, whose source would be a
    ///   tuple or an object, nulls with a type, and infinite numbers. The collection of a `for` is written anyway,
    ///   because its type does not matter.
    /// - Whole numbers are written, although a literal is more precise than a number from a program, so that the last
    ///   digits of a quotient may differ.
    /// - Marked values stay references, so that secrets are not written.
    /// - Everything else stays the same, byte for byte.
    ///
    /// ```
    /// use hclkit_model::{Context, Expression, Partial};
    ///
    /// let name = Expression::parse(r#""${env}-${region}-${upper(zone)}""#)?;
    /// let context = Context::new().with("env", "prod").with("region", "eu");
    /// let Partial::Rest(rest) = name.partial(&context)? else { unreachable!() };
    /// assert_eq!(rest.text, r#""prod-eu-${upper(zone)}""#);
    /// assert_eq!(rest.value.refinement().prefix(), "prod-eu-");
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// The errors that occur for any values of the unknown parts.
    pub fn partial(&self, context: &Context) -> Result<Partial, Diagnostics> {
        PartialOptions::new().evaluate(self, context)
    }
}
