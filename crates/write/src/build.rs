//! New source text: values and expressions ([`NewValue`]), and bodies made of attributes and blocks ([`NewBody`]), checked
//! and formatted.

mod body;
mod error;
mod value;

pub use body::NewBody;
pub use error::SourceError;
pub(crate) use value::Checked;
pub use value::{NewValue, attribute_name, raw, splice};
