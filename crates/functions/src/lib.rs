//! Function libraries for HCL 2: tables of [`hclkit_value::Function`]s by name. Each module covers one topic, with one
//! Rust function per HCL function; a library is a table of them.
//!
//! ```
//! use hclkit_value::Value;
//!
//! let functions = hclkit_functions::spec();
//! assert_eq!(functions["upper"].call(&[Value::from("a")])?, Value::from("A"));
//! # Ok::<(), hclkit_value::Error>(())
//! ```
//!
//! # Features
//!
//! The functions of the spec language are always included. The features `cty`, `terraform` and `packer` enable
//! libraries, each of which includes the previous one; `terraform` also has the functions of `OpenTofu`, and `packer` those of
//! Docker Bake and of Nomad. `hash`, `crypto`, `rsa`, `yaml`, `charset`, `fs`, `compress` and
//! `regex` enable topics that require third-party crates. A library contains all of its functions with any choice of
//! topics; calling a function of a disabled topic is an error that names the feature.
//!
//! `rsa` enables `rsadecrypt`, whose duration depends on the key (RUSTSEC-2023-0071). Enable it only if nobody who can
//! measure the duration can choose the ciphertext.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(all(
        feature = "packer",
        feature = "hash",
        feature = "crypto",
        feature = "rsa",
        feature = "yaml",
        feature = "charset",
        feature = "fs",
        feature = "compress",
        feature = "regex"
    )),
    allow(dead_code, reason = "topics have parts that only some of the libraries use")
)]

use std::collections::BTreeMap;

use hclkit_value::Function;

mod arguments;
#[cfg(feature = "packer")]
mod bake;
#[cfg(all(feature = "terraform", feature = "crypto"))]
mod bcrypt;
#[cfg(all(feature = "terraform", feature = "charset"))]
mod charset;
mod conversion;
#[cfg(feature = "terraform")]
mod crypto;
#[cfg(feature = "cty")]
mod csv;
mod cty;
#[cfg(feature = "cty")]
#[allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the parts of a time are small and checked before"
)]
mod datetime;
#[cfg(all(feature = "terraform", feature = "rsa"))]
mod decryption;
#[cfg(all(feature = "terraform", feature = "hash"))]
mod digest;
#[cfg(feature = "fs")]
mod directory;
#[cfg(feature = "terraform")]
mod encoding;
#[cfg(feature = "terraform")]
mod filesystem;
#[allow(
    clippy::cast_possible_wrap,
    clippy::excessive_precision,
    clippy::float_cmp,
    reason = "published constants of an approximation, and special cases that compare exact bits"
)]
mod float;
#[cfg(feature = "cty")]
#[allow(clippy::cast_possible_wrap, reason = "digit counts are far below 2⁶³")]
mod format;
mod grants;
#[cfg(all(feature = "terraform", feature = "compress"))]
mod gzip;
#[cfg(feature = "terraform")]
mod hash;
mod json;
mod limits;
mod mapping;
mod missing;
#[cfg(feature = "terraform")]
mod network;
#[cfg(feature = "packer")]
mod nomad;
mod number;
#[cfg(feature = "terraform")]
mod opentofu;
#[cfg(feature = "cty")]
mod operator;
#[cfg(feature = "packer")]
mod packer;
#[cfg(all(feature = "terraform", feature = "crypto"))]
mod random;
#[cfg(feature = "cty")]
mod regex;
#[allow(clippy::cast_possible_wrap, reason = "lengths of data in memory are below 2⁶³")]
mod sequence;
#[cfg(feature = "cty")]
mod set;
#[allow(clippy::cast_possible_wrap, reason = "lengths of data in memory are below 2⁶³")]
mod string;
#[cfg(feature = "terraform")]
mod terraform;
#[cfg(feature = "terraform")]
mod time;
#[cfg(feature = "terraform")]
mod yaml;

#[cfg(all(feature = "terraform", not(feature = "charset")))]
use missing::charset;
#[cfg(all(feature = "terraform", not(feature = "rsa")))]
use missing::decryption;
#[cfg(all(feature = "terraform", not(feature = "hash")))]
use missing::digest;
#[cfg(not(feature = "fs"))]
use missing::directory;
#[cfg(all(feature = "terraform", not(feature = "compress")))]
use missing::gzip;
#[cfg(all(feature = "terraform", not(feature = "crypto")))]
use missing::{bcrypt, random};

#[cfg(feature = "fs")]
pub use directory::Directory;
#[cfg(feature = "fs")]
#[doc(hidden)]
pub use directory::FileTree;
pub use grants::Grants;
#[doc(hidden)]
pub use grants::Template;
#[cfg(feature = "terraform")]
#[doc(hidden)]
pub use terraform::ephemeral_mark;
#[cfg(feature = "terraform")]
pub use yaml::to_yaml;
#[cfg(all(feature = "terraform", feature = "yaml"))]
pub use yaml::{Placed, YamlError, yaml_to_json, yaml_to_json_with_places};
#[cfg(feature = "terraform")]
#[doc(hidden)]
pub use yaml::{YamlNode, YamlTree};

#[doc(hidden)]
pub use conversion::bytes;

/// A table of functions by name.
pub type Table = BTreeMap<&'static str, Function>;

/// The functions of the spec language, which the reference's hcldec program provides in spec files.
pub fn spec() -> Table {
    cty::spec()
}

/// The function `regexall`, for arguments of the spec language that have a `pattern`.
#[cfg(all(feature = "cty", feature = "regex"))]
#[doc(hidden)]
pub fn regexall() -> Function {
    regex::regexall()
}

/// The standard library of cty, except for the functions that take unevaluated arguments.
#[cfg(feature = "cty")]
pub fn cty() -> Table {
    cty::table()
}

/// The functions of Packer, except for `try`, `can` and `convert`, which take unevaluated arguments. Functions that
/// access anything other than their arguments require a grant.
#[cfg(feature = "packer")]
pub fn packer(grants: &Grants) -> Table {
    packer::table(grants)
}

/// The functions of Docker Bake, except for `try`, `can` and `convert`, which take unevaluated arguments. Functions that
/// access anything other than their arguments require a grant.
#[cfg(feature = "packer")]
pub fn bake(grants: &Grants) -> Table {
    bake::table(grants)
}

/// The functions of Nomad's job files, except for `try`, `can` and `convert`, which take unevaluated arguments. Functions that
/// access anything other than their arguments require a grant.
#[cfg(feature = "packer")]
pub fn nomad(grants: &Grants) -> Table {
    nomad::table(grants)
}

/// The functions of Terraform 1.16, except for `try`, `can` and `convert`, which take unevaluated arguments. Functions that access
/// anything other than their arguments require a grant.
#[cfg(feature = "terraform")]
pub fn terraform(grants: &Grants) -> Table {
    terraform::table(grants)
}

/// The functions of `OpenTofu` 1.12, except for `try` and `can`, which take unevaluated arguments. Functions that access
/// anything other than their arguments require a grant.
#[cfg(feature = "terraform")]
pub fn opentofu(grants: &Grants) -> Table {
    opentofu::table(grants)
}

/// The functions that Terraform removed, each with its replacement.
#[doc(hidden)]
pub const TERRAFORM_REMOVED: [(&str, &str); 2] = [("list", "tolist([ ... ])"), ("map", "tomap({ ... })")];
