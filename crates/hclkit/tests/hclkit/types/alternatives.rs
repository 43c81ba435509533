//! The types of `alternatives.types`: blocks and values that can be written in two ways, and optional labels.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use hclkit::{Body, Decode, FromValue};

use super::registry::{Entry, by_derive};

#[derive(Decode, FromValue, Debug)]
struct Tls {
    certificate: String,
    #[hcl(default = true)]
    verify: bool,
}

#[derive(Decode, Debug)]
struct Optional {
    #[hcl(block, attribute)]
    tls: Option<Tls>,
}

#[derive(Decode, Debug)]
struct Required {
    #[hcl(block, attribute)]
    tls: Tls,
}

#[derive(Decode, Debug)]
struct Defaulted {
    #[hcl(block, attribute, default = Tls { certificate: "default.pem".to_owned(), verify: false })]
    tls: Tls,
}

#[derive(Decode, Debug)]
struct Many {
    #[hcl(block, attribute, min = 1)]
    tls: Vec<Tls>,
}

#[derive(Decode, Debug)]
struct OneOrMany {
    #[hcl(block, attribute, one_or_many)]
    tls: Vec<Tls>,
}

#[derive(Decode, Debug)]
struct Values {
    #[hcl(one_or_many)]
    ports: Vec<u16>,
    #[hcl(one_or_many)]
    hosts: Option<Vec<String>>,
    #[hcl(one_or_many, default = "a")]
    tags: Vec<String>,
    #[hcl(one_or_many)]
    tls: Option<Vec<Tls>>,
    pool: Option<Pool>,
    #[hcl(one_or_many, sensitive)]
    secrets: Option<Vec<u16>>,
}

/// The same in a value.
#[derive(FromValue, Debug)]
struct Pool {
    #[hcl(one_or_many)]
    servers: Vec<Server>,
    #[hcl(one_or_many, default)]
    ports: Vec<u16>,
}

#[derive(FromValue, Debug)]
struct Server {
    host: String,
}

/// The source text of the items of a body.
struct Shown(Body);

impl Decode for Shown {
    const HAS_REST: bool = true;

    fn spec() -> hclkit::model::Spec {
        <Body as Decode>::spec()
    }

    fn read(fields: &mut hclkit::model::typed::Fields<'_>) -> Option<Self> {
        <Body as Decode>::read(fields).map(Shown)
    }
}

impl Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let items = self.0.items();
        write!(f, "Body({})", items.iter().map(hclkit::model::BodyItem::name).collect::<Vec<_>>().join(", "))
    }
}

#[derive(Decode, Debug)]
struct Raw {
    #[hcl(block)]
    settings: Shown,
    #[hcl(block)]
    more: Vec<Shown>,
    #[hcl(block, key = label)]
    driver: BTreeMap<String, Shown>,
}

#[derive(Decode, Debug)]
struct Checks {
    #[hcl(block)]
    check: Vec<Check>,
}

#[derive(Decode, Debug)]
struct Check {
    #[hcl(label)]
    kind: String,
    #[hcl(label)]
    name: Option<String>,
    path: Option<String>,
    #[hcl(block)]
    header: Vec<Header>,
}

#[derive(Decode, Debug)]
struct Header {
    #[hcl(label)]
    number: Option<u8>,
    value: Option<String>,
}

#[derive(Decode, Debug)]
struct Headers {
    #[hcl(block)]
    header: Vec<Header>,
}

#[derive(Decode, Debug)]
#[allow(clippy::struct_field_names, reason = "a tree of trees")]
struct Tree {
    #[hcl(label)]
    name: Option<String>,
    size: Option<u32>,
    #[hcl(block)]
    tree: Vec<Self>,
}

#[derive(Decode, Debug)]
struct Forest {
    #[hcl(block)]
    tree: Vec<Tree>,
}

#[derive(Decode, Debug)]
struct Outputs {
    #[hcl(block)]
    output: Vec<Output>,
}

#[derive(Decode, Debug)]
#[hcl(tag = label)]
enum Output {
    File {
        #[hcl(label)]
        name: Option<String>,
        path: String,
    },
    Console {
        #[hcl(label)]
        name: Option<String>,
    },
}

pub(crate) fn add(types: &mut HashMap<&'static str, Entry>) {
    macro_rules! add {
        ($($name:literal: $ty:ty;)*) => {$(
            assert!(types.insert($name, Entry { derive: Some(by_derive::<$ty>), serde: None }).is_none());
        )*};
    }
    add! {
        "either": Optional; "either required": Required; "either default": Defaulted; "either many": Many;
        "either one": OneOrMany; "one or many": Values; "raw": Raw; "checks": Checks; "headers": Headers; "forest": Forest;
        "outputs": Outputs;
    }
}
