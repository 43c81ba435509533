//! Splats. Specification: "Splat Operators".

use hclkit_value::{Kind as ValueKind, Marks, Type, Value};

use super::Evaluator;
use super::traversal::walk;
use crate::messages;
use crate::node::{Base, Kind, Splat};

impl Evaluator<'_> {
    pub(super) fn splat(&mut self, splat: &Splat) -> Value {
        let before = self.diagnostics.mark();
        let source = self.eval(&splat.source);
        if self.diagnostics.failed_since(before) {
            return Value::DYNAMIC;
        }
        let (bare, marks) = source.unmark();
        let sequence = match bare.kind() {
            ValueKind::List(_) | ValueKind::Set(_) | ValueKind::Tuple(_) => true,
            ValueKind::Null(ty) | ValueKind::Unknown(ty, _) => {
                matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_))
            }
            _ => false,
        };
        if bare.is_null() {
            if !sequence {
                return Value::tuple::<Value>([]).with_marks(&marks);
            }
            let diagnostic = messages::null_splat().at(splat.source.span);
            self.error(diagnostic.with_context(splat.source.span.cover(splat.marker)), &[&splat.source]);
            return Value::DYNAMIC;
        }
        if bare.has_type(&Type::Dynamic) && !bare.is_open_object() {
            return Value::DYNAMIC.with_marks(&marks);
        }
        let hidden = marks.union(&self.hidden_in(&splat.source));
        if !sequence {
            return self.single(splat, &source, &hidden).with_marks(&marks);
        }
        if !bare.is_known() {
            return self.unknown_sequence(splat, &bare).with_marks(&marks);
        }
        self.sequence(splat, &bare, &hidden).with_marks(&marks)
    }

    /// A value that is not a sequence is treated as a tuple of itself.
    fn single(&mut self, splat: &Splat, source: &Value, marks: &Marks) -> Value {
        let before = self.diagnostics.mark();
        let value = self.element(splat, source.clone(), marks);
        // An unknown value may turn out to be null, whose splat is empty.
        let is_open = || source.unmark().0.known_parts().is_some();
        if !source.is_known() && !is_open() && !source.refinement().is_not_null() {
            return Value::DYNAMIC;
        }
        if self.diagnostics.failed_since(before) {
            let after = self.diagnostics.mark();
            let ty = self.element_type(splat, source.ty());
            self.diagnostics.truncate(after);
            return Value::unknown(Type::tuple([ty]));
        }
        Value::tuple([value])
    }

    fn element(&mut self, splat: &Splat, item: Value, marks: &Marks) -> Value {
        self.locals.open(splat.slot, 1);
        self.locals.hide(splat.slot, marks);
        self.locals.set(splat.slot, item);
        let value = self.eval(&splat.each);
        self.locals.close(splat.slot);
        value
    }

    /// The type of the splat's result for an element of this type. It is not part of an explanation.
    fn element_type(&mut self, splat: &Splat, ty: Type) -> Type {
        if let Some(trace) = &mut self.trace {
            trace.mute();
        }
        let value = self.on_trial(|this| this.element(splat, Value::unknown(ty), &Marks::default()));
        if let Some(trace) = &mut self.trace {
            trace.unmute();
        }
        value.ty()
    }

    /// Evaluates the splat for one element.
    fn turn(&mut self, splat: &Splat, at: usize, item: Value, marks: &Marks) -> Value {
        let omitted = self.trace.as_mut().is_some_and(|trace| trace.omits(at));
        let value = self.element(splat, item, marks);
        if let Some(trace) = self.trace.as_mut().filter(|_| omitted) {
            trace.unmute();
        }
        value
    }

    /// The result for one element if it can be taken without evaluation.
    fn plain_element<'v>(&self, splat: &Splat, item: &'v Value) -> Option<&'v Value> {
        let Kind::Access(access) = &splat.each.kind else { return None };
        let Base::Element { slot } = access.base else { return None };
        let (value, taken) = walk(item, &access.steps);
        (slot == splat.slot && taken == access.steps.len() && !self.observed).then_some(value)
    }

    fn sequence(&mut self, splat: &Splat, source: &Value, marks: &Marks) -> Value {
        let items = source.as_slice().unwrap_or_default();
        let tuple = matches!(source.kind(), ValueKind::Tuple(_));
        let before = self.diagnostics.mark();
        let mut values: Vec<Value> = Vec::with_capacity(items.len());
        values.extend(items.iter().enumerate().map(|(at, item)| match self.plain_element(splat, item) {
            Some(value) => value.clone(),
            None => self.turn(splat, at, item.clone(), marks),
        }));
        if self.diagnostics.failed_since(before) {
            let after = self.diagnostics.mark();
            let ty = self.result_type(splat, source);
            self.diagnostics.truncate(after);
            return Value::unknown(ty);
        }
        if tuple {
            return Value::tuple(values);
        }
        if values.is_empty() {
            return match self.result_type(splat, source) {
                Type::List(element) => Value::empty_list(Type::clone(&element)),
                _ => Value::empty_list(Type::Dynamic),
            };
        }
        Value::list_from(values).unwrap_or_else(|_| {
            let subject = splat.marker.cover(splat.each.span);
            let diagnostic = messages::mixed_splat().at(subject);
            self.error(diagnostic.with_context(splat.source.span.cover(subject)), &[&splat.source]);
            Value::DYNAMIC
        })
    }

    fn unknown_sequence(&mut self, splat: &Splat, source: &Value) -> Value {
        let ty = self.result_type(splat, source);
        if ty == Type::Dynamic {
            return Value::DYNAMIC;
        }
        let mut builder = Value::unknown(ty.clone()).refine().with_not_null();
        if matches!(ty, Type::List(_)) && source.ty().is_collection() {
            let range = source.refinement();
            builder = builder.with_min_len(range.min_len());
            if let Some(most) = range.max_len() {
                builder = builder.with_max_len(most);
            }
        }
        builder.finish().unwrap_or_else(|_| Value::unknown(ty))
    }

    /// The type of the result for a source of this type.
    fn result_type(&mut self, splat: &Splat, source: &Value) -> Type {
        match source.ty() {
            Type::List(element) | Type::Set(element) => {
                Type::list(self.element_type(splat, Type::clone(&element)))
            }
            Type::Tuple(tuple) => {
                let mut types = Vec::with_capacity(tuple.elements().len());
                for ty in tuple.elements() {
                    types.push(self.element_type(splat, ty.clone()));
                }
                Type::tuple(types)
            }
            _ => Type::Dynamic,
        }
    }
}
