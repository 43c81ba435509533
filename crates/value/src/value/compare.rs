//! Identity of values, as `==` and hashing see it: same type, same content, same unknownness with the
//! same refinement, same marks.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{Repr, Value};

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (&self.0, &other.0) {
            _ if self.is_one_with(other) => true,
            (Repr::Number(a), Repr::Number(b)) => a == b,
            (Repr::Bool(a), Repr::Bool(b)) => a == b,
            (Repr::String(a), Repr::String(b)) => a == b,
            (Repr::List(a), Repr::List(b)) => a.ty == b.ty && a.items == b.items,
            (Repr::Set(a), Repr::Set(b)) => a.ty == b.ty && a.items == b.items,
            (Repr::Map(a), Repr::Map(b)) => a.ty == b.ty && a.keys == b.keys && a.values == b.values,
            (Repr::Tuple(a), Repr::Tuple(b)) => a.items == b.items,
            (Repr::Object(a), Repr::Object(b)) => a.names == b.names && a.values == b.values,
            (Repr::Capsule(a), Repr::Capsule(b)) => a == b,
            (Repr::Null(a), Repr::Null(b)) => a == b,
            (Repr::UnknownDynamic, Repr::UnknownDynamic) => true,
            (Repr::Unknown(a), Repr::Unknown(b)) => a == b,
            (Repr::Marked(a), Repr::Marked(b)) => a.marks == b.marks && a.value == b.value,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Value {
    /// Whether both are one and the same in memory, so that their parts need not be compared.
    pub(crate) fn is_one_with(&self, other: &Value) -> bool {
        match (&self.0, &other.0) {
            (Repr::List(a), Repr::List(b)) => Arc::ptr_eq(a, b),
            (Repr::Set(a), Repr::Set(b)) => Arc::ptr_eq(a, b),
            (Repr::Map(a), Repr::Map(b)) => Arc::ptr_eq(a, b),
            (Repr::Tuple(a), Repr::Tuple(b)) => Arc::ptr_eq(a, b),
            (Repr::Object(a), Repr::Object(b)) => Arc::ptr_eq(a, b),
            (Repr::Marked(a), Repr::Marked(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Where a compound or marked value lies in memory, if others hold it too.
    pub(crate) fn shared_place(&self) -> Option<*const ()> {
        fn place<T>(shared: &Arc<T>) -> Option<*const ()> {
            (Arc::strong_count(shared) > 1).then(|| Arc::as_ptr(shared).cast())
        }
        match &self.0 {
            Repr::List(list) => place(list),
            Repr::Set(set) => place(set),
            Repr::Map(map) => place(map),
            Repr::Tuple(tuple) => place(tuple),
            Repr::Object(object) => place(object),
            Repr::Marked(marked) => place(marked),
            _ => None,
        }
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&self.0).hash(state);
        match &self.0 {
            Repr::Number(number) => number.hash(state),
            Repr::Bool(flag) => flag.hash(state),
            Repr::String(text) => text.hash(state),
            Repr::List(list) => list.items.hash(state),
            Repr::Set(set) => set.items.hash(state),
            Repr::Map(map) => {
                map.keys.hash(state);
                map.values.hash(state);
            }
            Repr::Tuple(tuple) => tuple.items.hash(state),
            Repr::Object(object) => {
                object.names.hash(state);
                object.values.hash(state);
            }
            Repr::Capsule(capsule) => capsule.hash(state),
            Repr::Null(ty) => ty.hash(state),
            Repr::UnknownDynamic => {}
            Repr::Unknown(unknown) => unknown.ty.hash(state),
            Repr::Marked(marked) => marked.value.hash(state),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
