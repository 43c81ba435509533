//! The values that belong to an expression itself: the variables of its `for` expressions, and the elements that its
//! splats are at.

use hclkit_value::Value;

/// They by their slots, the outermost first.
#[derive(Default)]
pub(crate) struct Locals(Vec<Local>);

enum Local {
    Value(Value),
    /// The part of a collection that a loop is at: going on to the next one takes no copy.
    Part(Value, usize),
}

impl Locals {
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> Option<&Value> {
        match self.0.get(slot)? {
            Local::Value(value) => Some(value),
            Local::Part(collection, at) => collection.parts().get(*at),
        }
    }

    /// Forgets those from a slot on, and makes room for so many there, which are unknown.
    pub(super) fn open(&mut self, slot: usize, count: usize) {
        self.close(slot);
        self.0.resize_with(slot + count, || Local::Value(Value::DYNAMIC));
    }

    /// Forgets those from a slot on.
    pub(super) fn close(&mut self, slot: usize) {
        self.0.truncate(slot);
    }

    pub(super) fn set(&mut self, slot: usize, value: Value) {
        self.put(slot, Local::Value(value));
    }

    /// Sets a slot to the first part of a collection.
    pub(super) fn set_parts(&mut self, slot: usize, collection: Value) {
        self.put(slot, Local::Part(collection, 0));
    }

    /// Goes to another part of the collection in a slot.
    #[inline]
    pub(super) fn go_to(&mut self, slot: usize, part: usize) {
        if let Some(Local::Part(_, at)) = self.0.get_mut(slot) {
            *at = part;
        }
    }

    fn put(&mut self, slot: usize, local: Local) {
        if let Some(place) = self.0.get_mut(slot) {
            *place = local;
        }
    }
}
