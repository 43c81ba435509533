//! The documentation of the derive macros. Its examples run as doctests of this crate: those of a macro's own crate would
//! build hclkit a second time.

#[cfg(doctest)]
#[doc = include_str!("../../../crates/derive/docs/decode.md")]
mod decode {}

#[cfg(doctest)]
#[doc = include_str!("../../../crates/derive/docs/encode.md")]
mod encode {}

#[cfg(doctest)]
#[doc = include_str!("../../../crates/derive/docs/from_value.md")]
mod from_value {}
