//! The language of `inputs/services.hcldec` as structs, which derive, serde and hcl-rs read.

use std::collections::BTreeMap;

use hclkit::Decode;
use serde::Deserialize;

/// A file of services.
#[derive(Decode, Deserialize, PartialEq, Debug)]
pub struct Config {
    #[hcl(block, key = label)]
    service: BTreeMap<String, Service>,
}

#[derive(Decode, Deserialize, PartialEq, Debug)]
struct Service {
    port: u16,
    weight: Option<f64>,
    #[hcl(default)]
    #[serde(default)]
    tags: Vec<String>,
    enabled: Option<bool>,
    #[hcl(block)]
    limits: Option<Limits>,
    #[hcl(block)]
    #[serde(default)]
    check: Vec<Check>,
}

#[derive(Decode, Deserialize, PartialEq, Debug)]
struct Limits {
    cpu: Option<f64>,
    memory: Option<String>,
}

#[derive(Decode, Deserialize, PartialEq, Debug)]
struct Check {
    path: String,
    every: Option<f64>,
}
