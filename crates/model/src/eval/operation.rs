//! Operators. Specification: "Operations".

use std::iter;

use hclkit_syntax::Span;
use hclkit_syntax::ast::{BinaryOperator as B, UnaryOperator};
use hclkit_value::{Error, Type, Value};

use super::Evaluator;
use crate::messages;
use crate::node::{Node, Operation, Unary};
use hclkit_syntax::DiagnosticsMark;

/// The type of an operator's operands, which may be any type, and the type of its result.
fn types(operator: B) -> (Type, Type) {
    match operator {
        B::Or | B::And => (Type::Bool, Type::Bool),
        B::Equal | B::NotEqual => (Type::Dynamic, Type::Bool),
        B::Less | B::LessOrEqual | B::Greater | B::GreaterOrEqual => (Type::Number, Type::Bool),
        B::Add | B::Subtract | B::Multiply | B::Divide | B::Modulo => (Type::Number, Type::Number),
    }
}

/// The length from which a text is long.
const LONG: usize = 1024;

fn is_logic(operator: B) -> bool {
    matches!(operator, B::And | B::Or)
}

fn apply(operator: B, left: &Value, right: &Value) -> Result<Value, Error> {
    match operator {
        B::Or => left.or(right),
        B::And => left.and(right),
        B::Equal => Ok(left.equals(right)),
        B::NotEqual => Ok(left.not_equals(right)),
        B::Less => left.less_than(right),
        B::LessOrEqual => left.less_or_equal(right),
        B::Greater => left.greater_than(right),
        B::GreaterOrEqual => left.greater_or_equal(right),
        B::Add => left.add(right),
        B::Subtract => left.subtract(right),
        B::Multiply => left.multiply(right),
        B::Divide => left.divide(right),
        B::Modulo => left.modulo(right),
    }
}

/// An operand of one operation.
enum Side {
    Left,
    Right,
}

/// One operation of a chain.
#[derive(Clone, Copy)]
struct Step<'n> {
    operator: B,
    /// The span of the left operand: the chain up to here.
    left: Span,
    right: &'n Node,
    /// The place of the right operand in the chain.
    at: usize,
    /// The ends of the list of diagnostics before the left operand, and between the operands.
    before: DiagnosticsMark,
    between: DiagnosticsMark,
    /// In partial evaluation: true if the left operand involved anything unknown, and the same for the right one.
    open: (bool, bool),
}

impl<'n> Step<'n> {
    fn span(&self) -> Span {
        self.left.cover(self.right.span)
    }

    /// The operands of the chain before.
    fn left_operands(&self, operation: &'n Operation) -> Vec<&'n Node> {
        iter::once(&operation.first).chain(operation.rest[..self.at].iter().map(|(_, node)| node)).collect()
    }
}

impl Evaluator<'_> {
    pub(super) fn operation(&mut self, operation: &Operation) -> Value {
        let before = self.diagnostics.mark();
        let unknowns = self.unknowns();
        let mut rest = operation.rest.iter();
        let mut span = operation.first.span;
        let mut left = match self.plain(operation) {
            Some(value) => {
                span = rest.next().map_or(span, |(_, right)| span.cover(right.span));
                value
            }
            None => self.eval(&operation.first),
        };
        while let Some((operator, right)) = rest.next() {
            if !self.diagnostics.failed_since(before)
                && let Some(value) = self.peek(right).and_then(|right| self.plainly(*operator, &left, right))
            {
                left = value;
                span = span.cover(right.span);
                continue;
            }
            let between = self.diagnostics.mark();
            let unknowns_between = self.unknowns();
            let value = self.eval(right);
            let at = operation.rest.len() - rest.len() - 1;
            let open = (unknowns_between > unknowns, self.unknowns() > unknowns_between);
            let step = Step { operator: *operator, left: span, right, at, before, between, open };
            left = self.operate(&left, &value, &step, operation);
            span = span.cover(right.span);
            if self.observed && rest.len() > 0 {
                let done = operation.rest.len() - rest.len();
                self.learn_prefix(operation, done, &left, before, unknowns);
            }
            let shown = self.trace.is_some().then(|| self.explained(&left));
            if operation.rest.len() > 1
                && let (Some(trace), Some(shown)) = (&mut self.trace, shown)
            {
                trace.passed(span, &shown);
            }
        }
        left
    }

    /// The first operation of a chain if both operands are available without evaluation.
    #[inline]
    pub(super) fn plain(&self, operation: &Operation) -> Option<Value> {
        let (operator, right) = operation.rest.first()?;
        self.plainly(*operator, self.peek(&operation.first)?, self.peek(right)?)
    }

    /// The result for operands without errors in simple cases: mostly two numbers.
    #[inline]
    fn plainly(&self, operator: B, left: &Value, right: &Value) -> Option<Value> {
        if self.observed {
            return None;
        }
        if left.as_number().is_some() && right.as_number().is_some() && !is_logic(operator) {
            return apply(operator, left, right).ok();
        }
        let equal = match (left.as_str(), right.as_str()) {
            // Comparing long texts counts.
            (Some(left), Some(right)) if left.len() < LONG || left.len() != right.len() => left == right,
            (Some(_), Some(_)) => return None,
            _ => left.as_bool()? == right.as_bool()?,
        };
        match operator {
            B::Equal => Some(Value::from(equal)),
            B::NotEqual => Some(Value::from(!equal)),
            _ => None,
        }
    }

    fn operate<'n>(
        &mut self,
        left: &Value,
        right: &Value,
        step: &Step<'n>,
        operation: &'n Operation,
    ) -> Value {
        let operator = step.operator;
        let logic = is_logic(operator);
        let failed = !logic && self.diagnostics.failed_since(step.before);
        if !logic && !failed && left.as_number().is_some() && right.as_number().is_some() {
            let result = apply(operator, left, right);
            return result.unwrap_or_else(|error| self.operation_failed(step, operation, error));
        }
        if !failed && matches!(operator, B::Equal | B::NotEqual) {
            return equality(operator == B::Equal, left, right);
        }
        let marks = left.marks().union(&right.marks());
        let (wanted, result) = types(operator);
        let (left, right) = (left.convert(&wanted), right.convert(&wanted));
        for (operand, is_left) in [(&left, true), (&right, false)] {
            if let Err(error) = operand {
                self.invalid_operand(step, operation, is_left, error.clone());
            }
        }
        let (Ok(left), Ok(right)) = (left, right) else { return Value::unknown(result) };
        if failed {
            return Value::unknown(result).with_marks(&marks);
        }
        if logic && let Some(value) = self.short_circuit(&left, &right, step) {
            return value;
        }
        if left.is_null() || right.is_null() {
            return self.operation_failed(step, operation, Error::new(messages::NULL_OPERAND));
        }
        let known = left.is_known() && right.is_known();
        if !known && result == Type::Number {
            // The result of arithmetic is unknown until both operands are known.
            return Value::unknown(result).refine_not_null().with_marks(&marks);
        }
        apply(operator, &left, &right).unwrap_or_else(|error| self.operation_failed(step, operation, error))
    }

    /// The result if one operand decides or is unknown. The errors of the other operand are dropped then.
    fn short_circuit(&mut self, left: &Value, right: &Value, step: &Step) -> Option<Value> {
        let and = step.operator == B::And;
        let left_failed = step.before.failed_until(step.between);
        let right_failed = self.diagnostics.failed_since(step.between);
        // In a conjunction, null is treated as false.
        let decides = |value: &Value| {
            (and && value.is_null()) || value.unmark().0.as_bool().is_some_and(|flag| flag != and)
        };
        let unknown = Value::unknown(Type::Bool);
        // In partial evaluation, the errors of one operand may not count once the other one is certain.
        let open = (step.open.0 && !left_failed) || (step.open.1 && !right_failed);
        // The operand whose errors count, if not both.
        let (value, whose) = match (decides(left), decides(right), left.is_known(), right.is_known()) {
            (true, ..) => (Value::from(!and), Some(Side::Left)),
            (_, true, ..) => (Value::from(!and), Some(Side::Right)),
            (_, _, true, true) if !left_failed && !right_failed => return None,
            (_, _, true, true) => (unknown, None),
            (_, _, false, false) if left_failed => (unknown, None),
            (_, _, false, _) => (unknown.refine_not_null(), Some(Side::Left)),
            (_, _, true, false) => (unknown.refine_not_null(), Some(Side::Right)),
        };
        match whose {
            _ if open => self.diagnostics.truncate(step.before),
            Some(Side::Left) => self.diagnostics.truncate(step.between),
            Some(Side::Right) => self.diagnostics.remove_between(step.before, step.between),
            None => {}
        }
        Some(value.with_marks(&left.marks()).with_marks(&right.marks()))
    }

    #[cold]
    fn invalid_operand<'n>(&mut self, step: &Step<'n>, operation: &'n Operation, left: bool, error: Error) {
        if !self.diagnostics.has_room() {
            return self.diagnostics.count_error();
        }
        let (subject, side) = if left { (step.left, "left") } else { (step.right.span, "right") };
        let about = if left { step.left_operands(operation) } else { vec![step.right] };
        let error = self.shown(error, &about).to_string();
        let message = messages::invalid_operand(side, step.operator.as_str(), &error);
        self.error(message.at(subject).with_context(step.span()), &about);
    }

    #[cold]
    fn operation_failed<'n>(&mut self, step: &Step<'n>, operation: &'n Operation, error: Error) -> Value {
        let result = Value::unknown(types(step.operator).1);
        if !self.diagnostics.has_room() {
            self.diagnostics.count_error();
            return result;
        }
        let mut about = step.left_operands(operation);
        about.push(step.right);
        let error = self.shown(error, &about).to_string();
        let message = messages::operation_failed(step.operator.as_str(), &error);
        self.error(message.at(step.span()), &about);
        result
    }

    pub(super) fn unary(&mut self, node: &Node, unary: &Unary) -> Value {
        let before = self.diagnostics.mark();
        let value = self.eval(&unary.operand);
        let operator = unary.operator.as_str();
        let ty = match unary.operator {
            UnaryOperator::Negate => Type::Number,
            UnaryOperator::Not => Type::Bool,
        };
        let value = match value.convert(&ty) {
            Ok(value) => value,
            Err(error) => {
                let error = self.shown(error, &[&unary.operand]).to_string();
                let diagnostic = messages::invalid_unary_operand(operator, &error).at(unary.operand.span);
                self.error(diagnostic.with_context(node.span), &[&unary.operand]);
                return Value::unknown(ty);
            }
        };
        if self.diagnostics.failed_since(before) {
            return Value::unknown(ty);
        }
        if !value.is_known() {
            // Without marks, as in the reference.
            return Value::unknown(ty).refine_not_null();
        }
        let result = match unary.operator {
            UnaryOperator::Negate => value.negate(),
            UnaryOperator::Not => value.not(),
        };
        result.unwrap_or_else(|error| {
            let error = self.shown(error, &[&unary.operand]).to_string();
            self.error(messages::operation_failed(operator, &error).at(node.span), &[&unary.operand]);
            Value::unknown(ty)
        })
    }
}

/// Equality compares all parts of both values, so the result has their marks too.
fn equality(equal: bool, left: &Value, right: &Value) -> Value {
    let compare =
        |left: &Value, right: &Value| if equal { left.equals(right) } else { left.not_equals(right) };
    if !left.contains_marked() && !right.contains_marked() {
        return compare(left, right);
    }
    let ((left, marks), (right, more)) = (left.unmark_deep(), right.unmark_deep());
    compare(&left, &right).with_marks(&marks).with_marks(&more)
}
