//! Written by `schema::rust`.

use std::collections::{BTreeMap, BTreeSet};

use hclkit::Decode;

/// The contents of a service definition, and the value that it becomes.
#[derive(Debug, Clone, PartialEq, Decode)]
pub struct Service {
    pub name: String,
    pub image: String,
    #[hcl(default = 1)]
    pub replicas: f64,
    /// The listeners, in order; at least one.
    #[hcl(block, min = 1)]
    pub listen: Vec<Listen>,
    /// Checks by name.
    #[hcl(block)]
    pub check: Vec<Check>,
    /// Environment variables with any names.
    #[hcl(block)]
    pub env: Option<Env>,
    #[hcl(block)]
    pub resources: Option<Resources>,
}

/// The listeners, in order; at least one.
#[derive(Debug, Clone, PartialEq, Decode)]
pub struct Listen {
    pub port: f64,
    #[hcl(default = "http")]
    pub protocol: String,
    #[hcl(block)]
    pub tls: Option<Tls>,
}

#[derive(Debug, Clone, PartialEq, Decode)]
pub struct Tls {
    pub certificate: String,
    #[hcl(default = BTreeSet::from(["1.2".to_owned(), "1.3".to_owned()]))]
    pub versions: BTreeSet<String>,
}

/// Checks by name.
#[derive(Debug, Clone, PartialEq, Decode)]
pub struct Check {
    #[hcl(label)]
    pub name: String,
    pub path: Option<String>,
    #[hcl(default = "10s")]
    pub every: String,
}

/// Environment variables with any names.
#[derive(Debug, Clone, PartialEq, Decode)]
pub struct Env {
    #[hcl(remain)]
    pub arguments: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Decode)]
pub struct Resources {
    pub cpu: Option<f64>,
    pub memory: Option<String>,
}
