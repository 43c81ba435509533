//! Function libraries for HCL 2: tables of [`hclkit_value::Function`]s by name. A topic has a file, which
//! has one Rust function for each function of the language; a library is a table of them.
//!
//! ```
//! use hclkit_value::Value;
//!
//! let functions = hclkit_functions::spec();
//! assert_eq!(functions["upper"].call(&[Value::from("a")])?, Value::from("A"));
//! # Ok::<(), hclkit_value::Error>(())
//! ```
#![forbid(unsafe_code)]

use std::collections::BTreeMap;

use hclkit_value::Function;

mod arguments;
mod bcrypt;
mod charset;
mod conversion;
mod crypto;
mod csv;
mod cty;
#[allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "parts of a time are small and looked at before"
)]
mod datetime;
mod encoding;
mod filesystem;
#[allow(
    clippy::cast_possible_wrap,
    clippy::excessive_precision,
    clippy::float_cmp,
    reason = "the constants of an approximation as they were published, and special cases to the bit"
)]
mod float;
mod folder;
#[allow(clippy::cast_possible_wrap, reason = "numbers of digits are far below 2⁶³")]
mod format;
mod grants;
mod hash;
mod json;
mod limits;
mod mapping;
mod network;
mod number;
mod operator;
mod packer;
mod regex;
#[allow(clippy::cast_possible_wrap, reason = "lengths of what is in memory are below 2⁶³")]
mod sequence;
mod set;
#[allow(clippy::cast_possible_wrap, reason = "lengths of what is in memory are below 2⁶³")]
mod string;
mod terraform;
mod time;
mod yaml;

pub use folder::Folder;
pub use grants::{Grants, Template};
pub use terraform::ephemeral_mark;

pub use conversion::bytes;

/// Functions by name.
pub type Table = BTreeMap<&'static str, Function>;

/// The functions of the spec language, which the reference's hcldec program provides in spec files.
pub fn spec() -> Table {
    cty::spec()
}

/// The standard library of cty, except for the functions that take unevaluated arguments.
pub fn cty() -> Table {
    cty::table()
}

/// The functions of Packer, except for `try`, `can` and `convert`, which take unevaluated arguments. Functions with
/// access to anything but their arguments require a grant.
pub fn packer(grants: &Grants) -> Table {
    packer::table(grants)
}

/// The functions of Terraform 1.11, except for `try` and `can`, which take unevaluated arguments. Functions with access
/// to anything but their arguments require a grant.
pub fn terraform(grants: &Grants) -> Table {
    terraform::table(grants)
}

/// The functions that Terraform removed, each with its replacement.
pub const TERRAFORM_REMOVED: [(&str, &str); 2] = [("list", "tolist([ ... ])"), ("map", "tomap({ ... })")];
