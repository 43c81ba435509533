//! The op `decode`: random specs with random configurations that mostly fit them, in both syntaxes.

#[path = "../../../tests/conformance/cases.rs"]
mod cases;
mod config;
mod spec;

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::Op;
use super::inputs::Inputs;
use super::mutate::mutate;
use super::tokens::cut;
use crate::programs::root;
use config::{Body, Syntax};
use spec::Spec;

pub(crate) const OPS: &[Op] = &[Op {
    name: "decode",
    kinds: &[
        ("native", |rng, _| made(rng, &Plan::default())),
        ("json", |rng, _| made(rng, &Plan { json: true, ..Plan::default() })),
        ("json spec", |rng, _| made(rng, &Plan { json_spec: true, ..Plan::default() })),
        ("dynamic", |rng, _| made(rng, &Plan { dynamic: true, ..Plan::default() })),
        ("dynamic json", |rng, _| made(rng, &Plan { dynamic: true, json: true, ..Plan::default() })),
        ("several files", |rng, _| made(rng, &Plan { files: 3, ..Plan::default() })),
        ("mutated spec", mutated_spec),
        ("mutated file", mutated_file),
    ],
    fixed: &[("by hand", by_hand), ("suite", suite)],
    corpus: None,
    recorded: 900,
}];

/// The options for making a request.
struct Plan {
    json: bool,
    json_spec: bool,
    dynamic: bool,
    files: usize,
}

impl Default for Plan {
    fn default() -> Self {
        Self { json: false, json_spec: false, dynamic: false, files: 1 }
    }
}

fn made(rng: &mut Rng, plan: &Plan) -> Value {
    let spec = Spec::root(rng);
    let body = Body::fitting(rng, &spec, plan.dynamic);
    let mut files = Vec::new();
    for (n, part) in body.split(rng, plan.files).iter().enumerate() {
        let syntax = if plan.json || plan.files > 1 && rng.bool() { Syntax::Json } else { Syntax::Native };
        files.push(json!({ "name": format!("{n}{}", syntax.extension()), "src": part.text(syntax) }));
    }
    let text = if plan.json_spec { spec.json_file(rng) } else { spec.file(rng) };
    let mut request = json!({ "spec": text, "files": files });
    if plan.json_spec {
        request["spec_name"] = "spec.json".into();
    }
    if plan.dynamic {
        request["dynamic"] = true.into();
    }
    let used = variables(&request);
    request["vars"] = used.into();
    request
}

fn mutated_spec(rng: &mut Rng, _: &Inputs) -> Value {
    let mut request = made(rng, &Plan::default());
    let text = request["spec"].as_str().unwrap_or_default().to_owned();
    request["spec"] = mutate(rng, &text, &text).into();
    request
}

fn mutated_file(rng: &mut Rng, _: &Inputs) -> Value {
    let json = rng.bool();
    let mut request = made(rng, &Plan { json, ..Plan::default() });
    let text = request["files"][0]["src"].as_str().unwrap_or_default().to_owned();
    request["files"][0]["src"] = mutate(rng, &text, &text).into();
    request
}

/// The fixed variables that a request uses.
fn variables(request: &Value) -> Map<String, Value> {
    let all = json!({
        "s": { "string": "text" },
        "sn": { "string": "12" },
        "n": { "number": "3" },
        "b": { "bool": true },
        "l": { "list": [{ "string": "x" }, { "string": "y" }], "elem": "string" },
        "t": { "tuple": [{ "number": "1" }, { "string": "a" }] },
        "m": { "map": { "j": { "string": "1" }, "k": { "string": "2" } }, "elem": "string" },
        "o": { "object": { "a": { "string": "p" }, "b": { "number": "7" } } },
        "u": { "unknown": "string" },
        "un": { "unknown": "number", "not_null": true },
        "d": { "unknown": "any" },
        "ul": { "unknown": ["list", "string"] },
        "um": { "unknown": ["map", "string"] },
        "nl": { "null": ["list", "string"] },
        "e": { "list": [], "elem": "string" },
        "ms": { "marks": ["secret"], "of": { "string": "hidden" } },
        "ml": { "marks": ["secret"], "of": { "list": [{ "string": "x" }], "elem": "string" } },
        "mu": { "marks": ["secret"], "of": { "unknown": ["list", "string"] } },
    });
    let text = request.to_string();
    let words = cut(&text);
    let all = all.as_object().into_iter().flatten();
    all.filter(|(name, _)| words.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// The cases of `tests/suite` that have a spec.
fn suite() -> Vec<Value> {
    let files = cases::files(&root().join("tests/suite")).expect("the suite can be read");
    files.iter().flat_map(|file| &file.cases).flat_map(|case| cases::Input(case).requests()).collect()
}

/// Cases that are rare among random requests.
fn by_hand() -> Vec<Value> {
    const ATTR: &str = "attr {\n  name = \"a\"\n}\n";
    const TYPED: &str = "attr {\n  name = \"a\"\n  type = string\n}\n";
    let wrap = |kind: &str, arguments: &str, nested: &str| {
        format!("{kind} {{\n  block_type = \"b\"\n{arguments}\n{nested}}}\n")
    };
    let mut list = Vec::new();
    let mut add = |spec: String, src: &str| {
        let mut request = json!({ "spec": spec, "files": [{ "name": "c.hcl", "src": src }] });
        let used = variables(&request);
        request["vars"] = used.into();
        list.push(request);
    };
    for kind in ["block_list", "block_tuple", "block_set"] {
        for src in [
            "",
            "b {\n}\nb {\n  a = 1\n}\n",
            "b {\n  a = [1]\n}\nb {\n  a = [\"x\"]\n}\n",
            "b {\n  a = []\n}\nb {\n  a = 1\n}\n",
            "b {\n  a = d\n}\nb {\n  a = u\n}\n",
            "b {\n  a = ms\n}\nb {\n  a = 2\n}\n",
        ] {
            add(wrap(kind, "", ATTR), src);
            add(wrap(kind, "min_items = 1\nmax_items = 1", TYPED), src);
        }
    }
    for kind in ["block_map", "block_object"] {
        for labels in ["labels = [\"k\"]", "labels = [\"k\", \"l\"]", "labels = []", "labels = \"k\"", ""] {
            for src in ["", "b x {\n}\nb x {\n}\n", "b x y {\n  a = 1\n}\nb x z {\n}\n"] {
                add(wrap(kind, labels, TYPED), src);
            }
        }
    }
    for spec in [
        "",
        "literal {\n  value = 1\n}\nliteral {\n  value = 2\n}\n",
        "default {\n}\n",
        "default {\n  attr {\n    name = \"a\"\n  }\n}\n",
        "transform {\n  result = 1\n}\n",
        "attr {\n  name = \"a\"\n  type = strin\n}\n",
        "attr {\n  type = string\n}\n",
        "block {\n  block_type = \"b\"\n}\n",
        "object {\n  attr {\n    name = \"a\"\n  }\n}\n",
        "tuple {\n  attr \"a\" {\n  }\n}\n",
        "unknown_kind {\n}\n",
        "attr {\n  name = \"a\"\n}\nvariables {\n  v = upper(\"x\")\n}\nfunction \"f\" {\n  params = [p]\n  result = [p]\n}\n",
    ] {
        for src in ["", "a = 1\n", "a = f(v)\n", "a = f(null)\n"] {
            add(spec.to_owned(), src);
        }
    }
    list
}
