//! Things that have no form in serde's data model, such as unknown values and places. The deserializer of `hclkit` passes
//! them beside serde: it hands a thing over and visits a newtype, whose visitor receives it. Other deserializers hand
//! nothing over.

use std::any::Any;
use std::cell::RefCell;

thread_local! {
    static HANDED: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// The name of the newtype by which a [`Value`](crate::Value) is asked for.
pub const VALUE: &str = "$hclkit::Value";

/// Hands a thing over to the visitor that is called next.
pub fn hand_over(thing: impl Any) {
    HANDED.with_borrow_mut(|handed| *handed = Some(Box::new(thing)));
}

/// Receives the thing that was handed over, if it is of this type.
pub fn receive<T: Any>() -> Option<T> {
    let handed = HANDED.with_borrow_mut(Option::take)?;
    handed.downcast().ok().map(|thing| *thing)
}
