//! Rust types that are decoded from bodies: the traits, which `#[derive(Decode)]` implements, and the types that
//! fields can have besides those of `hclkit-value`. The functions that derived code calls are in `typed/fields.rs` and
//! `typed/blocks.rs`.

mod attribute;
mod blocks;
mod either;
mod elements;
mod encode;
mod fields;
mod given_block;
mod problems;
mod spanned;
mod value;

#[doc(hidden)]
pub use hclkit_value::{Errors, Str as Name};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

pub use attribute::MaybeUnknown;
#[doc(hidden)]
pub use attribute::{DecodeAttribute, Given, Hints, attribute_spec, from_str, parse_default, with};
#[doc(hidden)]
pub use blocks::{BlockType, Count, DecodeBlock, DecodeBlocks, DecodeLabel, keyed_spec, label_spec};
#[doc(hidden)]
pub use either::{either_spec, one_or_many, read_one_or_many};
#[doc(hidden)]
pub use elements::{collection_type, elements, entries, from_str_each, parse_each};
#[doc(hidden)]
pub use encode::{EncodeAttribute, Encoded};
#[doc(hidden)]
pub use fields::{Check, Field, Fields, flattened, flattened_optional, spec_of};
#[doc(hidden)]
pub use given_block::GivenBlock;
pub use spanned::Spanned;
#[doc(hidden)]
pub use value::{
    NoAttributes, any_of, any_of_tagged, check_object, has_match, is_required, missing_part, object_type,
    part, read_part, read_rest, tagged, text, unknown_name, unknown_variant, valid, without,
};

use fields::Origin;

use crate::{Body, Context, Diagnostics, Schema, Spec};

/// A Rust type that is decoded from a body: of a file, or of a block.
///
/// `#[derive(Decode)]` implements it for structs and enums; see the derive macro for its attributes. To implement it by
/// hand, decode the body with a [`Spec`], or read its [`Fields`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the body of a file or block",
    note = "for a struct, add `#[derive(Decode)]`",
    note = "an enum whose variants are block types is the type of a field with `#[hcl(block)]`, such as `steps: Vec<Step>`"
)]
pub trait Decode: Sized {
    #[doc(hidden)]
    /// The names of the labels of a block of this type, in order. The body of a file has none.
    const LABELS: &'static [&'static str] = &[];

    #[doc(hidden)]
    /// The number of labels at the end that may be missing.
    const OPTIONAL_LABELS: usize = 0;

    #[doc(hidden)]
    /// True if the body may contain items that [`Decode::schema`] does not name. [`Fields::rest`] reads these items.
    const HAS_REST: bool = false;

    /// The spec of the body. It describes the type for [JSON Schema, documentation and checks](crate::SpecFile); the value
    /// that it decodes has an attribute for each field.
    fn spec() -> Spec;

    /// The schema of the body.
    fn schema() -> Cow<'static, Schema> {
        Cow::Owned(Self::spec().implied_schema())
    }

    /// Reads the fields. The result is `None` if an error was reported to the fields.
    fn read(fields: &mut Fields<'_>) -> Option<Self>;

    /// Decodes the body of a file.
    ///
    /// # Errors
    /// All errors in the body, in source order. Warnings are dropped; [`Decode::decode_with_warnings`]
    /// returns them.
    fn decode(body: &Body, context: &Context) -> Result<Self, Diagnostics> {
        match Self::decode_with_warnings(body, context) {
            (Some(decoded), _) => Ok(decoded),
            (None, found) => Err(found),
        }
    }

    /// Decodes the body of a file. The result is `None` if the diagnostics contain errors.
    fn decode_with_warnings(body: &Body, context: &Context) -> (Option<Self>, Diagnostics) {
        let (decoded, diagnostics) = context.run(|| fields::read_body(Origin::Body(body), None, context));
        let decoded = decoded.filter(|_| !diagnostics.has_errors());
        let mut diagnostics = body.in_source_order(diagnostics);
        body.set_addresses(&mut diagnostics);
        (decoded, diagnostics)
    }
}

/// Pointers, for types that contain themselves and for shared ones.
macro_rules! pointers {
    ($($pointer:ident),*) => {$(
        impl<T: Decode> Decode for $pointer<T> {
            const LABELS: &'static [&'static str] = T::LABELS;
            const OPTIONAL_LABELS: usize = T::OPTIONAL_LABELS;
            const HAS_REST: bool = T::HAS_REST;

            fn spec() -> Spec {
                T::spec()
            }

            fn schema() -> Cow<'static, Schema> {
                T::schema()
            }

            fn read(fields: &mut Fields<'_>) -> Option<$pointer<T>> {
                T::read(fields).map($pointer::new)
            }
        }
    )*};
}

pointers!(Box, Rc, Arc);

/// The body itself, with anything in it. The spec cannot describe that and has no attributes.
impl Decode for Body {
    const HAS_REST: bool = true;

    fn spec() -> Spec {
        Spec::object::<Name>([])
    }

    fn schema() -> Cow<'static, Schema> {
        Cow::Owned(Schema::new())
    }

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(fields.rest())
    }
}
