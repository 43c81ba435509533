//! Rust types that are written as bodies: the traits, which `#[derive(Encode)]` implements.

use std::rc::Rc;
use std::sync::Arc;

use hclkit_limits::with_room;
use hclkit_model::typed::{EncodeAttribute, Encoded, Spanned};
use hclkit_model::{Body, BodyItem};
use hclkit_value::Error;

use crate::{NewBody, NewValue, SourceError, raw};

/// A Rust type that is written as a body: of a file, or of a block.
///
/// `#[derive(Encode)]` implements it for the types that `#[derive(Decode)]` reads, with the same attributes. The
/// written text decodes to the same value.
pub trait Encode {
    /// The type of the block, if it differs from the name of the field.
    fn block_type<'n>(&self, field: &'n str) -> &'n str {
        field
    }

    /// The labels of the block.
    fn labels(&self) -> Vec<String> {
        Vec::new()
    }

    /// Adds the attributes and blocks to a body.
    ///
    /// # Errors
    /// HCL cannot express a value.
    fn encode_into(&self, body: NewBody) -> Result<NewBody, Error>;

    /// The source text of a file, formatted.
    ///
    /// # Errors
    /// HCL cannot express a value, such as a float that is not a number, or a label.
    fn to_hcl(&self) -> Result<String, SourceError> {
        self.encode_into(NewBody::new())?.source()
    }
}

/// Pointers are written like what they point to.
macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        impl<T: Encode> Encode for $pointer {
            fn block_type<'n>(&self, field: &'n str) -> &'n str {
                (**self).block_type(field)
            }

            fn labels(&self) -> Vec<String> {
                (**self).labels()
            }

            fn encode_into(&self, body: NewBody) -> Result<NewBody, Error> {
                (**self).encode_into(body)
            }
        }
    )*};
}

pointers!(Box<T>, Rc<T>, Arc<T>, &T);

impl<T: Encode> Encode for Spanned<T> {
    fn block_type<'n>(&self, field: &'n str) -> &'n str {
        self.get().block_type(field)
    }

    fn labels(&self) -> Vec<String> {
        self.get().labels()
    }

    fn encode_into(&self, body: NewBody) -> Result<NewBody, Error> {
        self.get().encode_into(body)
    }
}

/// A body that was decoded, written as it was. Comments are lost.
impl Encode for Body {
    fn encode_into(&self, body: NewBody) -> Result<NewBody, Error> {
        Ok(encode_rest(self, body))
    }
}

/// The blocks of a field: `T`, `Option<T>`, `Vec<T>`, `&[T]` and `Option<Vec<T>>` for each [`Encode`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as blocks",
    note = "a field for blocks is a `T`, `Option<T>` or `Vec<T>`, where `T` has `#[derive(Encode)]`"
)]
pub trait EncodeBlocks {
    /// Adds the blocks to a body.
    ///
    /// # Errors
    /// HCL cannot express a value.
    fn encode_blocks(&self, name: &str, body: NewBody) -> Result<NewBody, Error>;
}

impl<T: Encode> EncodeBlocks for T {
    fn encode_blocks(&self, name: &str, body: NewBody) -> Result<NewBody, Error> {
        let nested = with_room(|| self.encode_into(NewBody::new()))?;
        Ok(body.with_block(self.block_type(name), self.labels(), nested))
    }
}

impl<T: Encode> EncodeBlocks for &[T] {
    fn encode_blocks(&self, name: &str, body: NewBody) -> Result<NewBody, Error> {
        self.iter().try_fold(body, |body, block| block.encode_blocks(name, body))
    }
}

impl<T: Encode> EncodeBlocks for Option<T> {
    fn encode_blocks(&self, name: &str, body: NewBody) -> Result<NewBody, Error> {
        self.iter().try_fold(body, |body, block| block.encode_blocks(name, body))
    }
}

impl<T: Encode> EncodeBlocks for Vec<T> {
    fn encode_blocks(&self, name: &str, body: NewBody) -> Result<NewBody, Error> {
        self.as_slice().encode_blocks(name, body)
    }
}

impl<T: Encode> EncodeBlocks for Option<Vec<T>> {
    fn encode_blocks(&self, name: &str, body: NewBody) -> Result<NewBody, Error> {
        self.iter().flatten().try_fold(body, |body, block| block.encode_blocks(name, body))
    }
}

/// Adds an attribute to a body.
///
/// # Errors
/// HCL cannot express the value.
pub fn encode_attribute<T: EncodeAttribute + ?Sized>(
    name: &str,
    value: &T,
    body: NewBody,
) -> Result<NewBody, Error> {
    let encoded = value.encode_attribute().map_err(|error| error.within(name_step(name)))?;
    Ok(body.attribute(name, written(encoded)))
}

/// Adds a block with a key before its own labels to a body.
///
/// # Errors
/// HCL cannot express a value.
pub fn encode_keyed_block<K: ToString + ?Sized, T: Encode>(
    name: &str,
    key: &K,
    block: &T,
    body: NewBody,
) -> Result<NewBody, Error> {
    let labels = std::iter::once(key.to_string()).chain(block.labels());
    let nested = with_room(|| block.encode_into(NewBody::new()))?;
    Ok(body.with_block(block.block_type(name), labels, nested))
}

/// Adds the source of a decoded body to a body. Comments are lost.
pub fn encode_rest(rest: &Body, mut body: NewBody) -> NewBody {
    for item in rest.items() {
        body = match item {
            BodyItem::Attribute(attribute) => {
                body.attribute(attribute.name.as_str(), raw(attribute.expression.text()))
            }
            BodyItem::Block(block) => {
                let labels = block.labels.iter().map(ToString::to_string);
                let nested = with_room(|| encode_rest(&block.body, NewBody::new()));
                body.with_block(block.block_type.as_str(), labels, nested)
            }
        };
    }
    body
}

fn name_step(name: &str) -> hclkit_value::Step {
    hclkit_value::Step::Attribute(name.into())
}

fn written(encoded: Encoded) -> NewValue {
    match encoded {
        Encoded::Value(value) => value.into(),
        Encoded::Expression(expression) => raw(expression.text()),
    }
}
