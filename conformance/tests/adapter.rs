//! The adapter for the public conformance suite, call by call.

use std::fs;
use std::path::PathBuf;

use hclkit_conformance::adapter::answer;
use serde_json::{Value as Json, json};

/// A file that is there while it is asked about.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> File {
        let path = std::env::temp_dir().join(format!("hclkit-adapter-{}-{name}", std::process::id()));
        fs::write(&path, text).expect("the folder for temporary files can be written");
        File(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("the path is UTF-8")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn parse(name: &str, text: &str) -> Json {
    answer(&["parse", File::new(&format!("{name}.hcl"), text).path()]).unwrap()
}

/// The tree of an expression.
#[track_caller]
fn tree(name: &str, expression: &str, expected: &Json) {
    let answer = parse(name, &format!("a = {expression}\n"));
    assert_eq!(answer["body"]["attributes"]["a"], *expected, "{answer:#}");
}

fn with_context(operation: &str, name: &str, text: &str, context: &Json) -> Result<Json, String> {
    let context_name = format!("{name}.context.json");
    let (file, context) = (File::new(name, text), File::new(&context_name, &context.to_string()));
    answer(&[operation, file.path(), context.path()])
}

#[test]
fn capabilities() {
    let answer = answer(&["capabilities"]).unwrap();
    assert_eq!(answer["implementation"], "hclkit");
    assert_eq!(answer["operations"], json!(["parse", "eval", "decode"]));
}

#[test]
fn calls_that_are_none_are_failures() {
    assert!(answer(&[]).is_err());
    assert!(answer(&["parse", "no such file.hcl"]).is_err());
    assert!(answer(&["decode", "main.hcl"]).is_err());
    assert!(with_context("eval", "unknown-field.hcl", "", &json!({ "vars": {} })).is_err());
    assert!(with_context("decode", "no-schema.hcl", "", &json!({})).is_err());
    assert!(answer(&["parse", File::new("tree.hcl.json", "{}").path()]).is_err());
}

#[test]
fn trees() {
    let variable = |name: &str| json!({ "kind": "variable", "name": name });
    let number = |text: &str| json!({ "kind": "literal", "value": { "number": text } });
    let text = |text: &str| json!({ "kind": "literal", "value": { "string": text } });
    tree("number", "1e3", &number("1000"));
    tree("null", "null", &json!({ "kind": "literal", "value": { "null": "dynamic" } }));
    tree("empty", "\"\"", &json!({ "kind": "template", "parts": [] }));
    let stripped = json!({ "kind": "template", "parts": [text(""), { "kind": "interpolation", "expr": variable("x") }] });
    tree("stripped", "\" ${~ x}\"", &stripped);
    tree("escapes", "\"a$${b}\\n\"", &json!({ "kind": "template", "parts": [text("a${b}\n")] }));
    tree("parens", "(x)", &variable("x"));
    tree("legacy", "x.0", &json!({ "kind": "index", "collection": variable("x"), "key": number("0") }));
    let item = json!({ "kind": "splat_item" });
    let attribute = json!({ "kind": "get_attr", "object": item, "name": "b" });
    let each = json!({ "kind": "index", "collection": attribute, "key": number("0") });
    tree("splat", "x[*].b[0]", &json!({ "kind": "splat", "source": variable("x"), "each": each }));
    let splat = json!({ "kind": "splat", "source": variable("x"), "each": attribute });
    tree("attribute-splat", "x.*.b[0]", &json!({ "kind": "index", "collection": splat, "key": number("0") }));
    let object = json!({ "kind": "object", "items": [{ "key": text("true"), "value": variable("x") }] });
    tree("object", "{ true = x }", &object);
    let call = json!({ "kind": "call", "name": "ns::f", "args": [variable("x")], "expand_final": true });
    tree("call", "ns::f(x...)", &call);
}

#[test]
fn a_body_that_cannot_be_read() {
    let answer = parse("broken", "a = \n");
    assert_eq!((&answer["valid"], &answer["phase"]), (&json!(false), &json!("parse")));
    assert_eq!(answer["errors"][0]["range"]["start"], json!({ "line": 1, "column": 5, "byte": 4 }));
}

#[test]
fn evaluation() {
    let context = json!({
        "variables": { "v": { "number": "-Infinity" }, "u": { "unknown": ["list", "string"] } },
        "functions": {
            "all": { "params": [], "result": "arguments", "variadic_param":
                { "name": "rest", "type": "dynamic", "allow_null": true, "allow_dynamic_type": true } },
            "fails": { "params": [], "result": { "error": "on purpose" } },
        },
    });
    let text = "b {\n  a = [v, u, all(1, null)]\n}\n";
    let answer = with_context("eval", "eval.hcl", text, &context).unwrap();
    let expected = json!([
        { "number": "-Infinity" },
        { "unknown": ["list", "string"] },
        { "tuple": [{ "number": "1" }, { "null": "dynamic" }] },
    ]);
    assert_eq!(answer["body"]["blocks"][0]["body"]["attributes"]["a"]["tuple"], expected);
    let answer = with_context("eval", "fails.hcl", "a = fails()\n", &context).unwrap();
    assert_eq!(answer["phase"], "eval");
    assert!(answer["errors"][0]["message"].as_str().unwrap().contains("on purpose"));
}

#[test]
fn decoding() {
    let schema = json!({
        "mode": "partial",
        "attributes": [
            { "name": "list", "analysis": { "kind": "static-list", "elements": { "kind": "static-traversal" } } },
            { "name": "call", "analysis": { "kind": "static-call" } },
        ],
        "blocks": [{ "type": "b", "labels": ["key"], "body": { "mode": "exhaustive", "attributes": [{ "name": "n" }] } }],
        "remain": { "mode": "dynamic-attributes" },
    });
    let text = r#"{"list": ["x.y[0]"], "call": "f(1)", "b": {"k": {"n": "${v}"}}, "rest": true}"#;
    let context = json!({ "variables": { "v": { "number": "2" } }, "schema": schema });
    let answer = with_context("decode", "decode.hcl.json", text, &context).unwrap();
    let expected = json!({
        "attributes": {
            "list": { "static_list": [
                { "static_traversal": [{ "root": "x" }, { "attr": "y" }, { "index": { "number": "0" } }] },
            ] },
            "call": { "static_call": { "name": "f", "arguments": [{ "number": "1" }] } },
        },
        "blocks": [{ "type": "b", "labels": ["k"], "body": { "attributes": { "n": { "number": "2" } }, "blocks": [] } }],
        "remain": { "attributes": { "rest": { "bool": true } }, "blocks": [] },
    });
    assert_eq!(answer["body"], expected, "{answer:#}");
}

#[test]
fn phases_of_decoding() {
    let phase = |name: &str, text: &str, schema: Json| {
        let answer = with_context("decode", name, text, &json!({ "schema": schema })).unwrap();
        answer["phase"].as_str().map(str::to_owned)
    };
    let exhaustive = json!({ "mode": "exhaustive", "attributes": [{ "name": "a", "required": true }] });
    assert_eq!(phase("1.hcl", "a = ", exhaustive.clone()).as_deref(), Some("parse"));
    assert_eq!(phase("2.hcl", "b = 1", exhaustive.clone()).as_deref(), Some("schema"));
    let list = json!({ "mode": "exhaustive", "attributes": [{ "name": "a", "analysis": { "kind": "static-list" } }] });
    assert_eq!(phase("3.hcl", "a = 1", list).as_deref(), Some("analysis"));
    assert_eq!(phase("4.hcl", "a = x", exhaustive.clone()).as_deref(), Some("eval"));
    assert_eq!(phase("5.hcl.json", r#"{"a": "${"}"#, exhaustive.clone()).as_deref(), Some("eval"));
    assert_eq!(phase("6.hcl", "a = 1", exhaustive), None);
}

#[test]
fn literals_only() {
    let context = json!({ "evaluation_mode": "literal-only", "schema": { "mode": "dynamic-attributes" } });
    let answer = with_context("decode", "literal.hcl.json", r#"{"a": "${x"}"#, &context).unwrap();
    assert_eq!(answer["body"]["attributes"]["a"], json!({ "string": "${x" }));
}
