//! The cases in this directory: configurations that are read into Rust types by `#[derive(Decode)]` and by serde, in both
//! syntaxes. The option of a case is the name of its type in `registry.rs`. The section `native` is also converted to the JSON
//! syntax, unless there is a section `json`. Results are the `Debug` form of the Rust value, or the rendered errors.
//!
//! Expressions can use the variables `region` (`"eu"`), `ports` (`[80, 443]`), `nothing` (null), `later` (unknown) and `secret`
//! (sensitive). `BLESS=1 cargo test -p hclkit types` writes the actual results; review the diff.
#![allow(dead_code, reason = "some fields are only decoded")]

mod alternatives;
mod registry;
mod roundtrip;

use std::path::Path;

use hclkit::convert::ToJson;
use hclkit::render::Renderer;
use hclkit::value::Mark;
use hclkit::{Body, Context, Source, Type, Value};
use hclkit_test_cases::{self as cases, Case, Section};

fn context() -> Context {
    Context::new()
        .with("region", "eu")
        .with("ports", Value::tuple([80, 443].map(Value::from)))
        .with("nothing", Value::NULL)
        .with("later", Value::unknown(Type::String))
        .with("secret", Value::from("hunter2").mark(Mark::sensitive()))
}

/// Reads a text, or renders its errors of syntax.
fn result(read: registry::Read, name: &str, text: &str) -> String {
    let (body, found) = Body::parse(Source::new(name, text));
    if found.has_errors() { Renderer::plain().diagnostics(&found) } else { read(&body, &context()) }
}

/// The same in the JSON syntax, if that has a form for it.
fn to_json(text: &str) -> Option<String> {
    let converted = ToJson::new().convert(&hclkit::parse(text)).ok()?;
    Some(serde_json::to_string(&converted).expect("JSON can be written"))
}

fn run(case: &Case) -> Vec<Section> {
    let [name] = &case.options[..] else { panic!("{}: expected the name of a type", case.name) };
    let types = registry::types();
    let ty = types.get(name.as_str()).unwrap_or_else(|| panic!("{name}: unknown type"));
    let native = case.section("native").map(str::to_owned);
    let json = case.section("json").map(str::to_owned).or_else(|| native.as_deref().and_then(to_json));
    let mut results: Vec<Section> = Vec::new();
    for (way, read) in [("derive", ty.derive), ("serde", ty.serde)] {
        let Some(read) = read else { continue };
        for (syntax, file, text) in [("native", "main.hcl", &native), ("json", "main.hcl.json", &json)] {
            let Some(text) = text else { continue };
            let result = format!("{}\n", result(read, file, text).trim_end());
            let title = format!("{way} {syntax}");
            match results.iter_mut().find(|other| other.text == result) {
                Some(other) => other.title = format!("{}, {title}", other.title),
                None => results.push(Section::new(title, result)),
            }
        }
    }
    results
}

#[test]
fn cases() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hclkit/types");
    let files = cases::read(&directory, "types", &["rs"]).unwrap_or_else(|problem| panic!("{problem}"));
    let all: Vec<&Case> = files.iter().flat_map(|file| &file.cases).collect();
    let is_result = |title: &str| title.starts_with("derive ") || title.starts_with("serde ");
    cases::check(&files, is_result, run);
    assert!(all.len() >= 300, "{}", all.len());
}
