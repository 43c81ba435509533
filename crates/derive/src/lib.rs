//! The derive macros of hclkit. Use them through the feature `derive` of `hclkit`, which also documents the traits.
//!
//! | macro | for |
//! | --- | --- |
//! | [`macro@Decode`] | a struct or enum that is decoded from the body of a file or block |
//! | [`macro@Encode`] | the same, written as HCL |
//! | [`macro@FromValue`] | a struct or enum that is read from the value of an attribute |
//! | [`macro@IntoValue`] | the same as a value |
//!
//! `value!`, `expr!` and `body!` of `hclkit` are here, too.

mod attributes;
mod decode;
mod encode;
mod fields;
mod meta;
mod names;
mod quoted;
mod source;
mod value;
mod variants;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

#[doc = include_str!("../docs/decode.md")]
#[proc_macro_derive(Decode, attributes(hcl))]
pub fn derive_decode(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    decode::derive(&input).unwrap_or_else(|error| decode::failed(&input, &error)).into()
}

#[doc = include_str!("../docs/encode.md")]
#[proc_macro_derive(Encode, attributes(hcl))]
pub fn derive_encode(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    encode::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

#[doc = include_str!("../docs/from_value.md")]
#[proc_macro_derive(FromValue, attributes(hcl))]
pub fn derive_from_value(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    value::derive_from(&input).unwrap_or_else(|error| value::failed(&input, &error)).into()
}

/// Derives `IntoValue`, with the attributes of [`macro@FromValue`]. The type must also implement `Typed`, which
/// deriving `FromValue` does. An enum without data also implements `Display`, which writes it as a label or a key.
#[proc_macro_derive(IntoValue, attributes(hcl))]
pub fn derive_into_value(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    value::derive_into(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// `hclkit::value!`.
#[doc(hidden)]
#[proc_macro]
pub fn value(tokens: TokenStream) -> TokenStream {
    source::expand(source::Kind::Value, tokens).into()
}

/// `hclkit::expr!`.
#[doc(hidden)]
#[proc_macro]
pub fn expr(tokens: TokenStream) -> TokenStream {
    source::expand(source::Kind::Expression, tokens).into()
}

/// `hclkit::body!`.
#[doc(hidden)]
#[proc_macro]
pub fn body(tokens: TokenStream) -> TokenStream {
    source::expand(source::Kind::Body, tokens).into()
}
