//! Passing things that serde's data model cannot represent, such as unknown values and places. The deserializer of
//! `hclkit` stores such a thing here and visits a newtype, whose visitor takes it. Other deserializers store nothing.

use std::any::Any;
use std::cell::RefCell;

thread_local! {
    static HANDED: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// The name of the newtype that requests a [`Value`](crate::Value).
pub const VALUE: &str = "$hclkit::Value";

/// Stores a thing for the visitor that is called next.
pub fn hand_over(thing: impl Any) {
    HANDED.with_borrow_mut(|handed| *handed = Some(Box::new(thing)));
}

/// Takes the stored thing, if it has this type.
pub fn receive<T: Any>() -> Option<T> {
    let handed = HANDED.with_borrow_mut(Option::take)?;
    handed.downcast().ok().map(|thing| *thing)
}
