//! Written by `schema::rust`.

use std::collections::BTreeMap;

use hclkit::{Decode, FromValue, Value};

/// Everything that a spec can ask for.
#[derive(Debug, Clone, PartialEq, Decode)]
pub struct Everything {
    /// The kind of the thing.
    /// The name is a Rust keyword.
    #[hcl(rename = "type")]
    pub type_: String,
    #[hcl(rename = "max-size")]
    pub max_size: Option<f64>,
    pub anything: Option<Value>,
    pub pair: Option<(String, f64)>,
    pub address: Option<Address>,
    #[hcl(default = vec![1.0, 2.5])]
    pub retries: Vec<f64>,
    #[hcl(default = BTreeMap::from([("a".to_owned(), "b\n".to_owned())]))]
    pub labels: BTreeMap<String, String>,
    /// Default: `{ x = 1 }`.
    pub point: Option<Point>,
    #[hcl(default = false)]
    pub verbose: bool,
    /// A block with the name of a type.
    #[hcl(block)]
    pub string: EverythingString,
    #[hcl(block)]
    pub user: Vec<User>,
    #[hcl(block, min = 1, max = 3)]
    pub rule: Vec<Rule>,
    #[hcl(block)]
    pub settings: Option<Settings>,
}

#[derive(Debug, Clone, PartialEq, FromValue)]
pub struct Address {
    pub street: String,
    pub tags: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, FromValue)]
pub struct Point {
    pub x: f64,
}

/// A block with the name of a type.
#[derive(Debug, Clone, PartialEq, Decode)]
pub struct EverythingString {
    #[hcl(block)]
    pub string: Option<EverythingStringString>,
}

#[derive(Debug, Clone, PartialEq, Decode)]
pub struct EverythingStringString {
    pub deep: Option<Vec<f64>>,
}

#[derive(Debug, Clone, PartialEq, Decode)]
pub struct User {
    #[hcl(label)]
    pub name: String,
    #[hcl(label, rename = "max-size")]
    pub max_size: String,
    #[hcl(rename = "name")]
    pub name_2: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Decode)]
pub struct Rule {}

#[derive(Debug, Clone, PartialEq, Decode)]
pub struct Settings {
    #[hcl(remain)]
    pub arguments: BTreeMap<String, Vec<bool>>,
}
