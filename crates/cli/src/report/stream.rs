//! Writes JSON incrementally, so that a report with many diagnostics is never in memory as a whole.

use hclkit::Diagnostics;
use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use serde_json::Value;

use super::Finding;

type Visit<'v> = dyn FnMut(&Diagnostics) + 'v;

/// An object with these properties, in this order.
pub(super) struct Entries<'e, const N: usize>(pub(super) [(&'static str, Entry<'e>); N]);

/// A property's value.
pub(super) enum Entry<'e> {
    Value(Value),
    /// A value that is computed when it is written.
    Late(Box<dyn Fn() -> Value + 'e>),
    /// An array of the diagnostics that are found while it is written.
    Findings(Box<dyn Fn(&mut Visit<'_>) + 'e>, fn(Finding<'_>) -> Value),
    /// An array of one object.
    One(Box<Entries<'e, 4>>),
}

impl<const N: usize> Serialize for Entries<'_, N> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        let mut map = serializer.serialize_map(Some(N))?;
        for (name, entry) in &self.0 {
            map.serialize_entry(name, entry)?;
        }
        map.end()
    }
}

impl Serialize for Entry<'_> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            Self::Late(value) => value().serialize(serializer),
            Self::One(entries) => serializer.collect_seq([entries]),
            Self::Findings(each, form) => {
                let mut array = serializer.serialize_seq(None)?;
                let mut failed = None;
                each(&mut |diagnostics| {
                    for finding in diagnostics.iter().filter_map(Finding::of) {
                        // Continue to visit the diagnostics, because files may be fixed at the same time.
                        if failed.is_none() {
                            failed = array.serialize_element(&form(finding)).err();
                        }
                    }
                });
                match failed {
                    Some(error) => Err(error),
                    None => array.end(),
                }
            }
        }
    }
}
