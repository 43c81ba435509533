//! Drops compound values of any depth without recursion: the last owner of parts moves them to a list on
//! the heap first.

use std::mem;
use std::sync::Arc;

use super::{List, Map, Object, Repr, Set, Tuple, Value};
use crate::marks::Marked;

/// Values of up to this many levels are dropped recursively, which takes little stack.
const SHALLOW: usize = 16;

/// Returns true if dropping the value may drop other values.
fn holds_values(value: &Value) -> bool {
    matches!(
        value.0,
        Repr::List(_) | Repr::Set(_) | Repr::Map(_) | Repr::Tuple(_) | Repr::Object(_) | Repr::Marked(_)
    )
}

fn release(parts: Vec<Value>) {
    if !parts.iter().any(holds_values) {
        return;
    }
    let mut waiting = vec![parts];
    while let Some(parts) = waiting.pop() {
        for mut value in parts {
            let inner = match &mut value.0 {
                Repr::List(shared) => Arc::get_mut(shared).map(|list| mem::take(&mut list.items)),
                Repr::Set(shared) => Arc::get_mut(shared).map(|set| mem::take(&mut set.items)),
                Repr::Map(shared) => Arc::get_mut(shared).map(|map| mem::take(&mut map.values)),
                Repr::Tuple(shared) => Arc::get_mut(shared).map(|tuple| mem::take(&mut tuple.items)),
                Repr::Object(shared) => Arc::get_mut(shared).map(|object| mem::take(&mut object.values)),
                Repr::Marked(shared) => {
                    Arc::get_mut(shared).map(|marked| vec![mem::replace(&mut marked.value, Value::NULL)])
                }
                _ => None,
            };
            if let Some(inner) = inner
                && inner.iter().any(holds_values)
            {
                waiting.push(inner);
            }
        }
    }
}

macro_rules! released {
    ($($name:ident: $field:ident),*) => {$(
        #[doc(hidden)]
        impl Drop for $name {
            fn drop(&mut self) {
                if self.summary.depth() > SHALLOW {
                    release(mem::take(&mut self.$field));
                }
            }
        }
    )*};
}

released!(List: items, Set: items, Map: values, Tuple: items, Object: values);

#[doc(hidden)]
impl Drop for Marked {
    fn drop(&mut self) {
        if holds_values(&self.value) {
            release(vec![mem::replace(&mut self.value, Value::NULL)]);
        }
    }
}
