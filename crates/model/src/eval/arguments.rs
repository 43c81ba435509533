//! The arguments of a function that takes them unevaluated.

use hclkit_syntax::{Source, Span};
use hclkit_value::{Error, Function, Type, Value};

use super::{Evaluator, start_span};
use crate::messages;
use crate::messages::in_source;
use crate::node::{Base, Kind, Node};
use crate::{Diagnostics, TypeConstraint};

/// The arguments of a call.
#[derive(Clone, Copy)]
pub(crate) struct CallArguments<'n> {
    /// The arguments as written, without an expanded one.
    pub(super) nodes: &'n [Node],
    /// The elements of the expanded argument.
    pub(super) expanded: &'n [Value],
    /// The span of the expanded argument.
    pub(super) span: Span,
}

/// An argument: an expression, or an element of one that was expanded.
pub(crate) enum Argument<'n> {
    Node(&'n Node),
    Value(&'n Value, Span),
}

impl<'n> CallArguments<'n> {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() + self.expanded.len()
    }

    pub(crate) fn get(&self, at: usize) -> Option<Argument<'n>> {
        match self.nodes.get(at) {
            Some(node) => Some(Argument::Node(node)),
            None => Some(Argument::Value(self.expanded.get(at - self.nodes.len())?, self.span)),
        }
    }

    /// The span for errors about an argument.
    pub(crate) fn span(&self, at: usize, source: Option<&Source>) -> Span {
        match self.get(at) {
            Some(Argument::Node(node)) => start_span(node, source),
            _ => self.span,
        }
    }
}

/// The arguments of a call. A [`LazyFunction`](crate::LazyFunction) decides which of them to evaluate.
pub struct Arguments<'e, 'a> {
    pub(super) evaluator: &'e mut Evaluator<'a>,
    pub(super) given: CallArguments<'e>,
}

impl Arguments<'_, '_> {
    /// The number of items.
    pub fn len(&self) -> usize {
        self.given.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.given.len() == 0
    }

    /// Evaluates argument number `at`. If there is no such argument, the value is unknown.
    ///
    /// # Errors
    /// The errors of the evaluation. They are errors of the call only if the function returns them.
    pub fn evaluate(&mut self, at: usize) -> Result<Value, Diagnostics> {
        match self.given.get(at) {
            Some(Argument::Node(node)) => {
                let before = self.evaluator.diagnostics.mark();
                let value = self.evaluator.eval(node);
                let found = self.evaluator.diagnostics.split_off(before);
                if found.has_errors() { Err(found) } else { Ok(value) }
            }
            Some(Argument::Value(value, _)) => Ok(value.clone()),
            None => Ok(Value::DYNAMIC),
        }
    }

    /// Reads argument number `at` as a type, as in `convert(x, list(string))`. Its attributes may be optional. Partial
    /// evaluation does not change such an argument.
    ///
    /// # Errors
    /// The argument is not a type.
    pub fn type_expression(&mut self, at: usize) -> Result<Type, Diagnostics> {
        Ok(self.constraint(at, false)?.ty)
    }

    /// Reads argument number `at` as a type constraint, with the defaults of its optional attributes. Partial
    /// evaluation does not change such an argument.
    ///
    /// # Errors
    /// The argument is not a type constraint.
    pub fn type_constraint(&mut self, at: usize) -> Result<TypeConstraint, Diagnostics> {
        self.constraint(at, true)
    }

    fn constraint(&mut self, at: usize, defaults: bool) -> Result<TypeConstraint, Diagnostics> {
        self.learn_written(at);
        match self.given.get(at) {
            Some(Argument::Node(node)) => crate::types::of_node(node, self.evaluator.source, defaults),
            Some(Argument::Value(_, span)) => {
                let diagnostic = messages::expanded_type_argument().at(span);
                Err(in_source(diagnostic, self.evaluator.source).into())
            }
            None => Ok(TypeConstraint { ty: Type::Dynamic, defaults: None }),
        }
    }

    /// Returns true if argument number `at` is a reference: a variable, or an attribute or element of one. Partial
    /// evaluation does not change such an argument.
    pub fn is_reference(&mut self, at: usize) -> bool {
        self.learn_written(at);
        match self.given.get(at) {
            Some(Argument::Node(Node { kind: Kind::Access(access), .. })) => {
                !matches!(access.base, Base::Node(_))
            }
            _ => false,
        }
    }

    /// Records that the syntax of an argument matters.
    fn learn_written(&mut self, at: usize) {
        if let Some(Argument::Node(node)) = self.given.get(at) {
            self.evaluator.learn_written(node);
        }
    }

    /// The result of a function for some values.
    pub(crate) fn result_of(&mut self, function: &Function, values: &[Value]) -> Result<Value, Error> {
        self.evaluator.result_of(function, values)
    }

    /// Turns the errors of an argument into an error at the call.
    pub fn report(&mut self, diagnostics: Diagnostics) {
        self.evaluator.diagnostics.append(diagnostics);
    }

    /// The span of argument number `at` in its source.
    pub fn span(&self, at: usize) -> Span {
        match self.given.get(at) {
            Some(Argument::Node(node)) => node.span,
            Some(Argument::Value(_, span)) => span,
            None => Span::default(),
        }
    }
}
