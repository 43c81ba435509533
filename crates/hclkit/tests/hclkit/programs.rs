//! The configuration of well-known programs, as derived types. Each file has the types for what the public documentation of a
//! program describes, and decodes an excerpt in the form of its documented files, with values of our own. Where the documentation
//! has JSON, so has the test. `go.rs` has the examples in the documentation of Go's gohcl and hclsimple.
#![allow(dead_code, reason = "some fields are only decoded")]
#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes them")]
#![allow(
    clippy::items_after_statements,
    clippy::struct_field_names,
    reason = "names are those of the programs"
)]

mod atlas;
mod bake;
mod boundary;
mod consul;
mod consul_template;
mod go;
mod nomad;
mod packer;
mod terraform_cli;
mod vault;
mod waypoint;

use hclkit::{Body, Context, Decode, Source};

/// Decodes a text in the native syntax, or in the JSON syntax if it starts with a brace.
fn decode<T: Decode>(text: &str) -> T {
    decode_with(text, &Context::new())
}

fn decode_with<T: Decode>(text: &str, context: &Context) -> T {
    T::decode(&body(text), context).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The errors of a text.
fn errors<T: Decode>(text: &str) -> String {
    T::decode(&body(text), &Context::new()).err().expect("an error is expected").to_string()
}

fn body(text: &str) -> Body {
    let name = if text.trim_start().starts_with('{') { "config.json" } else { "config.hcl" };
    let (body, found) = Body::parse(Source::new(name, text));
    assert!(found.is_empty(), "{found}");
    body
}
