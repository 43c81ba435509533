//! `for` expressions and the loop that `for` directives share with them. Specification: "`for` Expressions".

use std::collections::HashMap;
use std::iter;

use hclkit_value::{Error, Kind as ValueKind, Marks, MarksBuilder, Str, Type, Value};

use super::Evaluator;
use crate::messages::{self, Message};
use crate::node::{For, Node};

/// The collection of a `for`.
pub(super) enum Elements {
    /// A collection whose elements are known, without its marks, and the marks.
    Known(Value, Marks),
    /// The collection is unknown or has an error.
    Unknown(Value),
}

/// The results of a `for` that creates an object, in the order of their first keys.
#[derive(Default)]
struct Results {
    places: HashMap<Str, usize>,
    single: Vec<(Str, Value)>,
    groups: Vec<(Str, Vec<Value>)>,
}

impl Results {
    /// Adds the only result of a key. Returns the key if it already has one.
    fn single(&mut self, key: Str, value: Value) -> Result<(), Str> {
        // Keys that come in order, such as those of maps, need no lookup.
        let ordered = self.places.is_empty() && self.single.last().is_none_or(|(last, _)| *last < key);
        if !ordered {
            if self.places.is_empty() {
                self.places =
                    self.single.iter().enumerate().map(|(at, (key, _))| (key.clone(), at)).collect();
            }
            if self.places.insert(key.clone(), self.single.len()).is_some() {
                return Err(key);
            }
        }
        self.single.push((key, value));
        Ok(())
    }

    /// The results of a key so far.
    fn group(&mut self, key: &Str) -> &mut Vec<Value> {
        let groups = &mut self.groups;
        let found = match groups.len() {
            // A few keys are found faster without hashing.
            ..=8 => groups.iter().position(|(known, _)| known == key),
            _ => self.places.get(key).copied(),
        };
        let at = found.unwrap_or_else(|| {
            self.places.insert(key.clone(), groups.len());
            groups.push((key.clone(), Vec::new()));
            groups.len() - 1
        });
        &mut groups[at].1
    }

    fn into_object(self, groups: bool) -> Value {
        if groups {
            return Value::object(self.groups.into_iter().map(|(key, group)| (key, Value::tuple(group))));
        }
        Value::object(self.single)
    }
}

/// The result of the condition for an element.
enum Taken {
    Yes,
    No,
    /// The condition is unknown or has an error.
    Unknown,
}

impl Evaluator<'_> {
    pub(super) fn for_tuple(&mut self, node: &Node, each: &For) -> Value {
        let (collection, own) = match self.for_elements(node, each) {
            Elements::Known(collection, own) => (collection, own),
            Elements::Unknown(value) => return value,
        };
        let mut marks = MarksBuilder::from(own.clone());
        let most = if each.condition.is_some() { 0 } else { collection.parts().len() };
        let mut values = Vec::with_capacity(most);
        let mut known = true;
        let going = self.each_element(node, each, &collection, &own, |this| {
            match this.condition(node, each, &mut marks, known) {
                // Not pushed, because that would copy it once more.
                Taken::Yes => values.extend(iter::once_with(|| this.value_of(&each.value))),
                Taken::No => {}
                Taken::Unknown => known = false,
            }
        });
        let marks = marks.finish();
        if known && going {
            Value::tuple(values).with_marks(&marks)
        } else {
            Value::DYNAMIC.with_marks(&marks)
        }
    }

    pub(super) fn for_object(&mut self, node: &Node, each: &For) -> Value {
        let (collection, own) = match self.for_elements(node, each) {
            Elements::Known(collection, own) => (collection, own),
            Elements::Unknown(value) => return value,
        };
        let mut marks = MarksBuilder::from(own.clone());
        let mut found = Results::default();
        let mut known = true;
        let going = self.each_element(node, each, &collection, &own, |this| {
            match this.condition(node, each, &mut marks, known) {
                Taken::Yes => {}
                Taken::No => return,
                Taken::Unknown => {
                    known = false;
                    return;
                }
            }
            if each.groups
                && let Some(key) = this.plain_key(each)
            {
                found.group(key).push(this.value_of(&each.value));
                return;
            }
            let Some(key) = this.for_key(node, each, &mut marks, known) else {
                known = false;
                return;
            };
            let value = this.value_of(&each.value);
            if each.groups {
                found.group(&key).push(value);
            } else if let Err(key) = found.single(key, value) {
                this.duplicate_key(node, each, &key);
            }
        });
        let marks = marks.finish();
        if !known || !going {
            return Value::DYNAMIC.with_marks(&marks);
        }
        found.into_object(each.groups).with_marks(&marks)
    }

    /// Evaluates the collection and checks that it can be iterated over, and checks the condition as far as possible
    /// without an element.
    pub(super) fn for_elements(&mut self, node: &Node, each: &For) -> Elements {
        let collection = self.eval(&each.collection);
        let refuse = |this: &mut Self, message: Message| {
            let diagnostic = message.at(each.collection.span).with_context(node.span);
            this.error(diagnostic, &[&each.collection]);
            Elements::Unknown(Value::DYNAMIC)
        };
        if collection.is_null() {
            return refuse(self, messages::null_iteration());
        }
        let (collection, marks) = collection.unmark();
        if collection.has_type(&Type::Dynamic) {
            return Elements::Unknown(Value::DYNAMIC);
        }
        let iterable = match collection.kind() {
            ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Map(_)
            | ValueKind::Tuple(_)
            | ValueKind::Object(_) => true,
            ValueKind::Unknown(ty, _) => ty.is_collection() || ty.is_structural(),
            _ => false,
        };
        if !iterable {
            return refuse(self, messages::not_iterable(&collection.ty()));
        }
        let Some(condition_marks) = self.condition_fits(node, each) else {
            return Elements::Unknown(Value::DYNAMIC);
        };
        if !collection.is_known() {
            return Elements::Unknown(Value::DYNAMIC.with_marks(&marks.union(&condition_marks)));
        }
        Elements::Known(collection, marks)
    }

    /// Evaluates the condition once with unknown variables, so that an error that affects every element is reported
    /// once. Returns the marks of the condition, unless there are errors.
    fn condition_fits(&mut self, node: &Node, each: &For) -> Option<Marks> {
        let Some(condition) = &each.condition else { return Some(Marks::default()) };
        let before = self.diagnostics.mark();
        self.locals.open(each.slot, 1 + usize::from(each.key_name.is_some()));
        let trace = self.trace.take();
        let result = self.on_trial(|this| this.eval(condition));
        self.trace = trace;
        self.locals.close(each.slot);
        if result.is_null() {
            self.condition_is_null(node, condition);
            return None;
        }
        if let Err(error) = result.convert(&Type::Bool) {
            self.condition_is_wrong(node, condition, error);
            return None;
        }
        (!self.diagnostics.failed_since(before)).then(|| result.marks())
    }

    /// Runs a closure for each element, with the variables set to it. Returns true if no limit stopped it.
    pub(super) fn each_element(
        &mut self,
        node: &Node,
        each: &For,
        collection: &Value,
        marks: &Marks,
        mut work: impl FnMut(&mut Self),
    ) -> bool {
        let (slot, keyed) = (each.slot, each.key_name.is_some());
        let value_slot = slot + usize::from(keyed);
        let parts = collection.parts();
        if !self.take_elements(parts.len(), node.span) {
            return false;
        }
        self.locals.open(slot, 1 + usize::from(keyed));
        let hidden = marks.union(&self.hidden_in(&each.collection));
        self.locals.hide(slot, &hidden);
        self.locals.set_parts(value_slot, collection.clone());
        let is_set = matches!(collection.kind(), ValueKind::Set(_));
        let mut keys = collection.entries();
        let mut going = true;
        for (at, part) in parts.iter().enumerate() {
            if keyed {
                let key = keys.as_mut().and_then(Iterator::next);
                let key = match key {
                    Some((key, _)) => Value::from(key),
                    None if is_set => part.clone(),
                    None => Value::from(at),
                };
                self.locals.set(slot, key);
            }
            self.locals.go_to(value_slot, at);
            going = self.meter.exceeded().is_none();
            if !going {
                break;
            }
            self.step_of_loop(each, at, value_slot, &mut work);
        }
        self.locals.close(slot);
        going
    }

    #[inline]
    fn step_of_loop(&mut self, each: &For, at: usize, value_slot: usize, work: &mut impl FnMut(&mut Self)) {
        if self.trace.is_none() {
            return work(self);
        }
        let local = |slot: usize| Some(self.locals.get(slot)?.clone().with_marks(&self.locals.hidden(slot)));
        let value = local(value_slot).unwrap_or(Value::DYNAMIC);
        let key = each.key_name.as_ref().zip(local(each.slot));
        if let Some(trace) = &mut self.trace {
            trace.enter_element(at, key, &each.value_name, &value);
        }
        work(self);
        if let Some(trace) = &mut self.trace {
            trace.leave_element();
        }
    }

    /// Returns true if the current element meets the condition. If the result is already unknown, nothing more is
    /// reported.
    fn condition(&mut self, node: &Node, each: &For, marks: &mut MarksBuilder, known: bool) -> Taken {
        let Some(condition) = &each.condition else { return Taken::Yes };
        let result = self.eval(condition);
        if let Some(taken) = result.as_bool() {
            return if taken { Taken::Yes } else { Taken::No };
        }
        if result.is_null() {
            if known {
                self.condition_is_null(node, condition);
            }
            return Taken::Unknown;
        }
        let (result, own) = result.unmark();
        marks.add(&own);
        // For a tuple, an unknown condition needs no further check.
        if each.key.is_none() && !result.is_known() {
            return Taken::Unknown;
        }
        match result.convert(&Type::Bool).map(|result| result.as_bool()) {
            Ok(Some(true)) => Taken::Yes,
            Ok(Some(false)) => Taken::No,
            Ok(None) => Taken::Unknown,
            Err(error) => {
                if known {
                    self.condition_is_wrong(node, condition, error);
                }
                Taken::Unknown
            }
        }
    }

    /// The key of the result for the current element, if it is a string that exists without evaluation.
    fn plain_key<'s>(&'s self, each: &'s For) -> Option<&'s Str> {
        match self.peek(each.key.as_ref()?)?.kind() {
            ValueKind::String(key) => Some(key),
            _ => None,
        }
    }

    /// The key of the result for the current element, if it is known.
    fn for_key(&mut self, node: &Node, each: &For, marks: &mut MarksBuilder, known: bool) -> Option<Str> {
        if let Some(key) = self.plain_key(each) {
            return Some(key.clone());
        }
        let key_node = each.key.as_ref()?;
        let key = self.eval(key_node);
        if key.is_null() {
            if known {
                let diagnostic = messages::null_result_key().at(key_node.span);
                self.error(diagnostic.with_context(node.span), &[key_node]);
            }
            return None;
        }
        let (key, own) = key.unmark();
        marks.add(&own);
        if !key.is_known() {
            return None;
        }
        match key.convert(&Type::String) {
            Ok(key) => key.as_str().map(Str::from),
            Err(error) => {
                if known {
                    let error = self.shown(error, &[key_node]).to_string();
                    let diagnostic = messages::invalid_result_key(&error).at(key_node.span);
                    self.error(diagnostic.with_context(node.span), &[key_node]);
                }
                None
            }
        }
    }

    #[cold]
    fn duplicate_key(&mut self, node: &Node, each: &For, key: &str) {
        let subject = each.key.as_ref().map_or(node.span, |key| key.span);
        let hidden = each.key.as_ref().is_some_and(|key| self.hides(&[key]));
        let about: Vec<&Node> = each.key.iter().collect();
        let message = messages::duplicate_result_key((!hidden).then_some(key));
        self.error(message.at(subject).with_context(node.span), &about);
    }

    #[cold]
    fn condition_is_null(&mut self, node: &Node, condition: &Node) {
        let diagnostic = messages::null_for_condition().at(condition.span);
        self.error(diagnostic.with_context(node.span), &[condition]);
    }

    #[cold]
    fn condition_is_wrong(&mut self, node: &Node, condition: &Node, error: Error) {
        let error = self.shown(error, &[condition]).to_string();
        let diagnostic = messages::invalid_for_condition(&error).at(condition.span);
        self.error(diagnostic.with_context(node.span), &[condition]);
    }
}
