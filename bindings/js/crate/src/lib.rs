//! The WebAssembly of the npm package `hclkit`, which `../../src` wraps. It converts between JavaScript and the library, and has no
//! behavior of its own. Text goes in and out: options, trees, diagnostics and values as JSON. A call that fails throws a string of
//! JSON with diagnostics (`failure.rs`); what else it throws is a trap.
//!
//! Each of the features `full`, `format` and `hcl2json` makes a program of its own.

// wasm-bindgen passes arguments by value, and must know the names of classes.
#![allow(clippy::needless_pass_by_value, clippy::use_self)]
#![allow(unreachable_pub, reason = "JavaScript reaches it")]

#[cfg(feature = "full")]
mod context;
#[cfg(feature = "full")]
mod convert;
#[cfg(any(feature = "full", feature = "format"))]
mod document;
#[cfg(feature = "full")]
mod edit;
#[cfg(feature = "full")]
mod explain;
#[cfg(feature = "full")]
mod expression;
mod failure;
#[cfg(any(feature = "full", feature = "format"))]
mod format;
#[cfg(feature = "full")]
mod function;
#[cfg(feature = "hcl2json")]
mod hcl2json;
mod limits;
#[cfg(feature = "full")]
mod module;
mod place;
#[cfg(feature = "full")]
mod spec;
#[cfg(feature = "full")]
mod tree;
#[cfg(feature = "full")]
mod value;

use wasm_bindgen::JsValue;

/// What a call returns, or throws.
type Answer<T> = Result<T, JsValue>;

/// Reads options, which our JavaScript writes.
#[cfg(any(feature = "full", feature = "format"))]
fn read<T: serde::de::DeserializeOwned>(json: &str) -> Answer<T> {
    serde_json::from_str(json).map_err(failure::plain)
}

/// Writes JSON.
#[cfg(any(feature = "full", feature = "format"))]
fn write(value: &impl serde::Serialize) -> Answer<String> {
    serde_json::to_string(value).map_err(failure::plain)
}
