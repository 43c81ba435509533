//! The conditional operator. Specification: "Conditional Operator".

use hclkit_value::{
    Bound, Error, Kind as ValueKind, Mark, Marks, Number, Refinement, Type, Value, unify_unsafely,
};

use super::Evaluator;
use crate::messages;
use crate::messages::mismatch;
use crate::node::{Conditional, Kind, Node};

impl Evaluator<'_> {
    pub(super) fn conditional(&mut self, node: &Node, conditional: &Conditional) -> Value {
        let Conditional { condition, result, other } = conditional;
        if let Some(value) = self.plain_conditional(conditional) {
            return value;
        }
        // Both results are evaluated, because the type depends on both, but only the errors of the selected one count.
        let start = self.diagnostics.mark();
        let unknowns = self.unknowns();
        let first = self.eval(result);
        let first_errors = self.diagnostics.split_off(start);
        let second = self.eval(other);
        let second_errors = self.diagnostics.split_off(start);
        // In partial evaluation, the type of a result with errors does not matter.
        let open = self.unknowns() > unknowns;

        let common = common_type(&first, &second);
        let is_open =
            self.context.has_open_types() && (first.has_dynamic_type() || second.has_dynamic_type());
        let may_differ =
            is_open && common != Some(Type::Dynamic) && !is_certain(common.as_ref(), &first, &second);
        let Some(ty) = (if may_differ { Some(Type::Dynamic) } else { common }) else {
            if open {
                return Value::DYNAMIC;
            }
            if self.trace.is_some() {
                let before = self.diagnostics.mark();
                self.eval(condition);
                self.diagnostics.truncate(before);
            }
            let shown = !self.hides(&[result, other]);
            let difference = shown.then(|| mismatch::difference(&first.ty(), &second.ty()));
            let subject = result.span.cover(other.span);
            let diagnostic = messages::inconsistent_results(difference.as_deref()).at(subject);
            self.error(diagnostic.with_context(node.span), &[]);
            return Value::DYNAMIC;
        };

        let unknowns = self.unknowns();
        let decision = self.eval(condition);
        if self.unknowns() > unknowns && decision.is_known() {
            // In partial evaluation, the condition may still change, so no result is selected yet.
            return Value::DYNAMIC;
        }
        if decision.is_null() {
            let diagnostic = messages::null_condition().at(condition.span);
            self.error(diagnostic.with_context(node.span), &[condition]);
            return Value::unknown(ty);
        }
        if !decision.is_known() {
            return either(&decision, &first, &second, ty);
        }
        let decision = match decision.convert(&Type::Bool) {
            Ok(decision) => decision,
            Err(error) => {
                let error = self.shown(error, &[condition]).to_string();
                let diagnostic = messages::invalid_condition(&error).at(condition.span);
                self.error(diagnostic.with_context(node.span), &[condition]);
                return Value::unknown(ty);
            }
        };
        let (decision, marks) = decision.unmark_deep();
        let marks = marks.union(&first.marks()).union(&second.marks());
        let other_is_null = is_untyped_null(&first) || is_untyped_null(&second);
        // With a list or map of parts of any type, the parts of the other result stay as they are, unlike in other conversions.
        let is_any = matches!(&ty, Type::List(part) | Type::Map(part) if **part == Type::Dynamic);
        let keeps_parts = is_any && (first.ty().is_collection() || second.ty().is_collection());
        let (chosen, errors, branch, unused) = match decision.as_bool() {
            Some(true) => (first, first_errors, result, other),
            _ => (second, second_errors, other, result),
        };
        self.diagnostics.append(errors);
        if let Some(trace) = &mut self.trace {
            trace.note(branch.span, "selected");
            trace.note(unused.span, messages::NOT_SELECTED);
        }
        // The other result may have another type, so that the parts of this one are converted.
        let chosen = match other_is_null {
            true => chosen,
            false if !may_differ => chosen.without_known_parts(),
            false => only_keys(&chosen),
        };
        if chosen.has_type(&ty) {
            return chosen.with_marks(&marks);
        }
        let is_mixed = keeps_parts && !agree(&chosen);
        let converted = if is_mixed { Err(Error::new(MIXED)) } else { chosen.convert(&ty) };
        match converted {
            Ok(value) => value.with_marks(&marks),
            Err(_) if open => Value::DYNAMIC,
            // With the type that a provider knows, there may be a common type.
            Err(_) if is_open => Value::DYNAMIC.with_marks(&marks),
            Err(error) => {
                self.result_does_not_fit(node, conditional, branch, error);
                Value::unknown(ty).with_marks(&marks)
            }
        }
    }

    /// The result if all parts are available without evaluation and both results have the same simple type.
    #[inline]
    fn plain_conditional(&self, conditional: &Conditional) -> Option<Value> {
        let (result, other) = (self.peek(&conditional.result)?, self.peek(&conditional.other)?);
        if self.observed || !same_simple_type(result, other) {
            return None;
        }
        let holds = match self.peek(&conditional.condition) {
            Some(value) => value.as_bool()?,
            None => match &conditional.condition.kind {
                Kind::Operation(operation) if operation.rest.len() == 1 => {
                    self.plain(operation)?.as_bool()?
                }
                _ => return None,
            },
        };
        Some(if holds { result.clone() } else { other.clone() })
    }

    #[cold]
    fn result_does_not_fit(&mut self, node: &Node, conditional: &Conditional, branch: &Node, error: Error) {
        let error = self.shown(error, &[&conditional.result, &conditional.other]).to_string();
        let diagnostic = messages::result_cannot_be_converted(&error).at(branch.span);
        self.error(diagnostic.with_context(node.span), &[branch]);
    }
}

/// Why parts of several types are no elements of a collection.
const MIXED: &str = "all elements must have the same type";

/// Returns true if all parts of a tuple or object have the same type. Parts whose type is not known fit all others.
fn agree(value: &Value) -> bool {
    if !value.unmark().0.is_known() {
        return true;
    }
    let mut parts: Vec<Type> = match value.ty() {
        Type::Tuple(tuple) => tuple.elements().to_vec(),
        Type::Object(object) => object.attributes().map(|(_, part)| part.clone()).collect(),
        _ => return true,
    };
    parts.retain(|part| *part != Type::Dynamic);
    parts.windows(2).all(|pair| pair[0] == pair[1])
}

fn is_untyped_null(value: &Value) -> bool {
    value.is_null() && value.has_type(&Type::Dynamic)
}

/// The common type of both results. A null without a type takes the type of the other one.
fn common_type(first: &Value, second: &Value) -> Option<Type> {
    let open = |value: &Value| {
        value.has_type(&Type::Dynamic) && (!value.is_known() || value.has_other_marks(&Mark::hidden()))
    };
    if open(first) || open(second) {
        return Some(Type::Dynamic);
    }
    if is_untyped_null(first) {
        return Some(second.ty());
    }
    if is_untyped_null(second) || same_simple_type(first, second) {
        return Some(first.ty());
    }
    unify_unsafely(&[first.ty(), second.ty()])
}

/// A value that may be converted to a type that is known only later: the attributes of an object and the elements of a tuple
/// stay, and nothing else is known.
fn only_keys(value: &Value) -> Value {
    let unknown = |part: &Value| Value::DYNAMIC.with_marks(&part.unmark_deep().1);
    let (bare, marks) = value.unmark();
    let found = match bare.kind() {
        ValueKind::Object(object) => {
            Value::object(object.iter().map(|(name, part)| (name.clone(), unknown(part))))
        }
        ValueKind::Tuple(_) => Value::tuple(bare.as_slice().unwrap_or_default().iter().map(unknown)),
        _ => unknown(&bare),
    };
    found.with_marks(&marks)
}

/// Returns true if the common type does not depend on types that only become known later: with strings of these types, it is
/// the same.
fn is_certain(common: Option<&Type>, first: &Value, second: &Value) -> bool {
    let with_strings =
        |ty: &Type| ty.map_parts(&mut |part| if part == Type::Dynamic { Type::String } else { part });
    let others = [first, second].map(|value| with_strings(&value.ty()));
    common.is_some_and(|common| unify_unsafely(&others).is_some_and(|other| other == with_strings(common)))
}

/// Returns true if both are known and unmarked strings, numbers or bools.
fn same_simple_type(first: &Value, second: &Value) -> bool {
    (first.as_str().is_some() && second.as_str().is_some())
        || (first.as_number().is_some() && second.as_number().is_some())
        || (first.as_bool().is_some() && second.as_bool().is_some())
}

/// What is known about the result if the condition is unknown.
fn either(decision: &Value, first: &Value, second: &Value, ty: Type) -> Value {
    let (first, first_marks) = first.unmark();
    let (second, second_marks) = second.unmark();
    let marks: Marks = decision.marks().union(&first_marks).union(&second_marks);
    if first.is_null() && second.is_null() {
        return Value::null(ty).with_marks(&marks);
    }
    // The range of a known number settles it, but infinite ends are left out of ranges.
    if first.as_number().is_some_and(Number::is_infinite) && first == second {
        return first.with_marks(&marks);
    }
    let (a, b) = (first.refinement(), second.refinement());
    let mut builder = Value::unknown(ty.clone()).refine();
    if a.is_not_null() && b.is_not_null() {
        builder = builder.with_not_null();
    }
    if ty == Type::Number && first.has_type(&ty) && second.has_type(&ty) {
        if let Some(Bound { number, inclusive }) = outer(&a, &b, false) {
            builder = builder.with_min_bound(number, inclusive);
        }
        if let Some(Bound { number, inclusive }) = outer(&a, &b, true) {
            builder = builder.with_max_bound(number, inclusive);
        }
    }
    // Unknown elements of a set may turn out to be equal, unless there is only one.
    let counted = |value: &Value| {
        value.has_type(&ty)
            && (!matches!(ty, Type::Set(_))
                || !value.is_known()
                || value.is_wholly_known()
                || value.as_slice().is_some_and(|items| items.len() == 1))
    };
    if ty.is_collection() && counted(&first) && counted(&second) {
        builder = builder.with_min_len(a.min_len().min(b.min_len()));
        if let (Some(first), Some(second)) = (a.max_len(), b.max_len()) {
            builder = builder.with_max_len(first.max(second));
        }
    }
    builder.finish().unwrap_or_else(|_| Value::unknown(ty)).with_marks(&marks)
}

/// The bound, upper or lower, that holds for either number.
fn outer(a: &Refinement, b: &Refinement, upper: bool) -> Option<Bound> {
    let pick = |range: &Refinement| if upper { range.max().cloned() } else { range.min().cloned() };
    let (a, b) = (pick(a)?, pick(b)?);
    let order = a.number.compare(&b.number);
    let outer = match if upper { order.reverse() } else { order } {
        std::cmp::Ordering::Less => a,
        std::cmp::Ordering::Greater => b,
        std::cmp::Ordering::Equal => Bound { inclusive: a.inclusive || b.inclusive, number: b.number },
    };
    (!outer.number.is_infinite()).then_some(outer)
}
