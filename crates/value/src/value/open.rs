//! Unknown values of which some parts are known.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Repr, Value};

/// The maximum number of levels in an open value. It bounds recursion.
const DEEPEST: usize = 64;

impl Value {
    /// An unknown value of which some parts are known, such as an object to which a provider adds attributes.
    /// [`Value::attribute`] and [`Value::index`] find the parts of `known`, and any other part is unknown. A splat of an open
    /// object is a tuple of it. Everything else treats the value as [`Value::DYNAMIC`]: its type, its keys and their number
    /// are unknown.
    ///
    /// Where a value may be converted to a type that is known only later, as in a collection or a conditional, the known parts
    /// are lost, and also in values with more than 64 levels.
    ///
    /// ```
    /// use hclkit_value::Value;
    ///
    /// let server = Value::open(Value::object([("name", Value::from("web"))]));
    /// assert_eq!(server.attribute("name")?, Value::from("web"));
    /// assert_eq!(server.attribute("id")?, Value::DYNAMIC);
    /// assert_eq!(server.equals(&server).to_string(), "(unknown bool, not null)");
    /// # Ok::<(), hclkit_value::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn open(known: Self) -> Self {
        if known.depth() > DEEPEST { Self::DYNAMIC } else { Self(Repr::Open(Arc::new(known))) }
    }

    #[doc(hidden)]
    /// The known parts of an [open](Value::open) value without marks.
    #[inline]
    pub fn known_parts(&self) -> Option<&Self> {
        match &self.0 {
            Repr::Open(known) => Some(known),
            _ => None,
        }
    }

    #[doc(hidden)]
    /// Whether this is an [open](Value::open) object without marks: an object, whatever its other attributes are.
    pub fn is_open_object(&self) -> bool {
        self.known_parts().is_some_and(|known| known.as_object().is_some())
    }

    #[doc(hidden)]
    /// The value without the known parts of [open](Value::open) values at any depth.
    #[must_use]
    pub fn without_known_parts(&self) -> Self {
        closed(self, &mut HashMap::new())
    }
}

/// A shared part is visited only once, because a value can contain it exponentially many times.
fn closed(value: &Value, done: &mut HashMap<*const (), Value>) -> Value {
    if !value.has_dynamic_type() {
        return value.clone();
    }
    let place = value.shared_place();
    if let Some(found) = place.and_then(|place| done.get(&place)) {
        return found.clone();
    }
    let found = match &value.0 {
        Repr::Open(known) => Value::DYNAMIC.with_marks(&known.unmark_deep().1),
        Repr::Marked(marked) => closed(&marked.value, done).with_marks(&marked.marks),
        _ => {
            let mut parts = Vec::with_capacity(value.parts().len());
            for part in value.parts() {
                parts.push(closed(part, done));
            }
            value.with_parts(parts)
        }
    };
    if let Some(place) = place {
        done.insert(place, found.clone());
    }
    found
}
