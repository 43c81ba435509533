//! Local values: the variables of `for` expressions, and the current elements of splats.

use hclkit_value::{Marks, Value};

/// The variables by slot, the outermost first.
#[derive(Default)]
pub(crate) struct Locals {
    values: Vec<Local>,
    /// The slots of values that are parts of a marked value, with its marks. The parts have no marks themselves, but
    /// must not be shown to people.
    hidden: Vec<(usize, Marks)>,
}

enum Local {
    Value(Value),
    /// The current part of a collection in a loop. Moving to the next part copies nothing.
    Part(Value, usize),
}

impl Locals {
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> Option<&Value> {
        match self.values.get(slot)? {
            Local::Value(value) => Some(value),
            Local::Part(collection, at) => collection.parts().get(*at),
        }
    }

    /// The number of items.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Drops the values from a slot on, and adds this number of unknown ones.
    pub(super) fn open(&mut self, slot: usize, count: usize) {
        self.close(slot);
        self.values.resize_with(slot + count, || Local::Value(Value::DYNAMIC));
    }

    /// Drops the values from a slot on.
    #[inline]
    pub(super) fn close(&mut self, slot: usize) {
        self.values.truncate(slot);
        if !self.hidden.is_empty() {
            self.hidden.retain(|(hidden, _)| *hidden < slot);
        }
    }

    /// Sets the marks of the value that contains the values from a slot on.
    #[inline]
    pub(super) fn hide(&mut self, slot: usize, marks: &Marks) {
        if !marks.is_empty() {
            self.hidden.extend((slot..self.values.len()).map(|slot| (slot, marks.clone())));
        }
    }

    /// Returns true if any value is part of a marked value.
    pub(crate) fn hides(&self) -> bool {
        !self.hidden.is_empty()
    }

    /// The marks of the value that contains the value in a slot.
    pub(crate) fn hidden(&self, slot: usize) -> Marks {
        let found = self.hidden.iter().find(|(hidden, _)| *hidden == slot);
        found.map(|(_, marks)| marks.clone()).unwrap_or_default()
    }

    pub(super) fn set(&mut self, slot: usize, value: Value) {
        self.put(slot, Local::Value(value));
    }

    /// Sets a slot to the first part of a collection.
    pub(super) fn set_parts(&mut self, slot: usize, collection: Value) {
        self.put(slot, Local::Part(collection, 0));
    }

    /// Moves to another part of the collection in a slot.
    #[inline]
    pub(super) fn go_to(&mut self, slot: usize, part: usize) {
        if let Some(Local::Part(_, at)) = self.values.get_mut(slot) {
            *at = part;
        }
    }

    fn put(&mut self, slot: usize, local: Local) {
        if let Some(place) = self.values.get_mut(slot) {
            *place = local;
        }
    }
}
