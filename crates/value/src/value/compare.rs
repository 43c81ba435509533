//! `==` and hashing of values. Equal values have the same type, content and marks; unknown values also have the same
//! refinement.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::{Repr, Str, Value};
use crate::pairs::{Pairs, Places, shared_place};
use crate::work::{count_parts, equal_texts, read_text};

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        same(self, other, &mut Pairs::default())
    }
}

fn same(a: &Value, b: &Value, pairs: &mut Pairs<bool>) -> bool {
    match (&a.0, &b.0) {
        (Repr::Number(a), Repr::Number(b)) => a == b,
        (Repr::Bool(a), Repr::Bool(b)) => a == b,
        (Repr::String(a), Repr::String(b)) => equal_texts(a, b),
        (Repr::Capsule(a), Repr::Capsule(b)) => a == b,
        (Repr::Null(a), Repr::Null(b)) => a == b,
        (Repr::UnknownDynamic, Repr::UnknownDynamic) => true,
        (Repr::Unknown(a), Repr::Unknown(b)) => a == b,
        _ if a.is_one_with(b) => true,
        (Repr::Open(a), Repr::Open(b)) => same(a, b, pairs),
        _ => same_compound(a, b, pairs),
    }
}

#[inline]
fn same_compound(a: &Value, b: &Value, pairs: &mut Pairs<bool>) -> bool {
    let places = a.places_with(b);
    if let Some(found) = pairs.found(places) {
        return found;
    }
    if let (Repr::Marked(a), Repr::Marked(b)) = (&a.0, &b.0) {
        return a.marks == b.marks && same(&a.value, &b.value, pairs) && pairs.keep(places, true);
    }
    if !alike(a, b) {
        return false;
    }
    count_parts(a.parts().len());
    for (a, b) in a.parts().iter().zip(b.parts()) {
        if !same(a, b, pairs) {
            return false;
        }
    }
    pairs.keep(places, true)
}

/// Returns true if two values are equal except for their parts, and have equally many of those.
#[inline]
fn alike(a: &Value, b: &Value) -> bool {
    let alike = match (&a.0, &b.0) {
        (Repr::List(a), Repr::List(b)) => a.ty == b.ty,
        (Repr::Set(a), Repr::Set(b)) => a.ty == b.ty,
        (Repr::Map(a), Repr::Map(b)) => a.ty == b.ty && a.keys == b.keys,
        (Repr::Tuple(_), Repr::Tuple(_)) => true,
        (Repr::Object(a), Repr::Object(b)) => a.names == b.names,
        _ => false,
    };
    alike && a.parts().len() == b.parts().len()
}

impl Eq for Value {}

impl Value {
    /// Returns true if both are the same allocation, so that their parts need not be compared.
    pub(crate) fn is_one_with(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::List(a), Repr::List(b)) => Arc::ptr_eq(a, b),
            (Repr::Set(a), Repr::Set(b)) => Arc::ptr_eq(a, b),
            (Repr::Map(a), Repr::Map(b)) => Arc::ptr_eq(a, b),
            (Repr::Tuple(a), Repr::Tuple(b)) => Arc::ptr_eq(a, b),
            (Repr::Object(a), Repr::Object(b)) => Arc::ptr_eq(a, b),
            (Repr::Marked(a), Repr::Marked(b)) => Arc::ptr_eq(a, b),
            (Repr::Open(a), Repr::Open(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    #[doc(hidden)]
    /// The address of a compound or marked value, if it is shared. No other value gets it as long as the value lives.
    pub fn shared_place(&self) -> Option<*const ()> {
        match &self.0 {
            Repr::List(list) => shared_place(list),
            Repr::Set(set) => shared_place(set),
            Repr::Map(map) => shared_place(map),
            Repr::Tuple(tuple) => shared_place(tuple),
            Repr::Object(object) => shared_place(object),
            Repr::Marked(marked) => shared_place(marked),
            Repr::Open(known) => shared_place(known),
            _ => None,
        }
    }

    /// Like `shared_place`, but only for values deep enough to contain a part many times. Visiting others again is cheaper
    /// than a lookup.
    #[inline]
    pub(crate) fn deep_place(&self) -> Option<*const ()> {
        if self.depth() <= SHALLOW { None } else { self.shared_place() }
    }

    /// The addresses of both, if a comparison may meet the pair again and a lookup is cheaper than comparing them again.
    #[inline]
    pub(crate) fn places_with(&self, other: &Self) -> Option<Places> {
        if self.depth() <= SHALLOW {
            return None;
        }
        self.shared_place().zip(other.shared_place())
    }
}

/// Values with more levels may contain a part many times. Values with fewer are cheaper to visit again than to look up.
const SHALLOW: usize = 2;

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(self, state, &mut Hashes::default());
    }
}

/// The hashes of shared parts and of long texts that were computed while hashing one value.
type Hashes = Option<HashMap<*const (), u64>>;

fn hash<H: Hasher>(value: &Value, state: &mut H, known: &mut Hashes) {
    std::mem::discriminant(&value.0).hash(state);
    match &value.0 {
        Repr::Number(number) => number.hash(state),
        Repr::Bool(flag) => flag.hash(state),
        Repr::String(text) => hash_text(text, state, known),
        Repr::Map(map) => hash_texts(&map.keys, state, known),
        Repr::Object(object) => hash_texts(&object.names, state, known),
        Repr::List(_) | Repr::Set(_) | Repr::Tuple(_) => value.parts().len().hash(state),
        Repr::Capsule(capsule) => capsule.hash(state),
        Repr::Null(ty) => ty.hash(state),
        Repr::UnknownDynamic | Repr::Open(_) => {}
        Repr::Unknown(unknown) => unknown.ty.hash(state),
        Repr::Marked(marked) => hash(&marked.value, state, known),
    }
    for part in value.parts() {
        if part.depth() <= SHALLOW {
            hash(part, state, known);
        } else {
            hash_of_deep(part, known).hash(state);
        }
    }
}

/// The length from which a text is hashed only once, because many parts may share it.
const LONG: usize = 1 << 10;

fn hash_text<H: Hasher>(text: &Str, state: &mut H, known: &mut Hashes) {
    if text.len() < LONG {
        return text.hash(state);
    }
    let place = text.as_ptr().cast();
    if let Some(found) = known.as_ref().and_then(|known| known.get(&place)) {
        return found.hash(state);
    }
    let mut hasher = DefaultHasher::new();
    // After a limit, nothing depends on the hash.
    match read_text(text.len()) {
        Ok(()) => text.hash(&mut hasher),
        Err(_) => text.len().hash(&mut hasher),
    }
    let found = hasher.finish();
    known.get_or_insert_default().insert(place, found);
    found.hash(state);
}

fn hash_texts<H: Hasher>(texts: &[Str], state: &mut H, known: &mut Hashes) {
    texts.len().hash(state);
    for text in texts {
        hash_text(text, state, known);
    }
}

/// The hash of a part, independent of the outer hasher, so that it can be reused if the part occurs again.
fn hash_of_deep(value: &Value, known: &mut Hashes) -> u64 {
    let place = value.shared_place();
    if let Some(found) = place.and_then(|place| known.as_ref()?.get(&place)) {
        return *found;
    }
    let mut hasher = DefaultHasher::new();
    hash(value, &mut hasher, known);
    let found = hasher.finish();
    if let Some(place) = place {
        known.get_or_insert_default().insert(place, found);
    }
    found
}
