//! JSON that is written as it is made: a report of many findings is never in memory as a whole.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

/// An object with these properties, in this order.
pub(super) struct Entries<S, const N: usize>(pub(super) [(&'static str, Entry<S>); N]);

/// A property's value.
pub(super) enum Entry<S> {
    Value(Value),
    /// One that is made while it is written.
    Each(S),
}

/// An array whose elements are made one after the other.
pub(super) struct Each<F>(pub(super) F);

impl<S: Serialize, const N: usize> Serialize for Entries<S, N> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        let mut map = serializer.serialize_map(Some(N))?;
        for (name, entry) in &self.0 {
            match entry {
                Entry::Value(value) => map.serialize_entry(name, value)?,
                Entry::Each(each) => map.serialize_entry(name, each)?,
            }
        }
        map.end()
    }
}

impl<F: Fn() -> I, I: Iterator<Item = Value>> Serialize for Each<F> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        serializer.collect_seq((self.0)())
    }
}
