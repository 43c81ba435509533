//! The adapter for the public conformance suite, call by call.

use std::fs;

use hclkit_conformance::adapter::answer;
use serde_json::{Value as Json, json};
use tempfile::TempDir;

/// A file that exists during a call, in a directory of its own.
struct File {
    _directory: TempDir,
    path: String,
}

impl File {
    fn new(name: &str, text: &str) -> Self {
        let directory = tempfile::tempdir().expect("the folder for temporary files can be written");
        let path = directory.path().join(name).into_os_string().into_string().expect("the path is UTF-8");
        fs::write(&path, text).expect("the folder can be written");
        Self { _directory: directory, path }
    }

    fn path(&self) -> &str {
        &self.path
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
    assert_eq!(answer["operations"], json!(["parse", "eval", "decode", "validate"]));
    let features = answer["features"].as_array().unwrap();
    for feature in ["type-expressions", "try-functions", "dynamic-blocks", "user-functions"] {
        assert!(features.contains(&json!(feature)), "{feature}");
    }
}

#[test]
fn unknown_calls_are_failures() {
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

#[test]
fn validation_in_both_syntaxes() {
    let valid = |name: &str, text: &str| {
        let answer = answer(&["validate", File::new(&format!("validate-{name}"), text).path()]).unwrap();
        assert!(answer["valid"] == true || answer["phase"] == "parse", "{answer}");
        answer["valid"].as_bool().unwrap()
    };
    assert!(valid("1.hcl", "a = x.y\nb {\n}\n"));
    assert!(!valid("2.hcl", "a = \n"));
    assert!(!valid("3.hcl", "a = 1\na = 2\n"));
    assert!(valid("4.hcl.json", r#"{"a": "${"}"#));
    assert!(valid("5.hcl.json", "[1]"));
    assert!(!valid("6.hcl.json", "1"));
    assert!(!valid("7.hcl.json", r#"{"a": }"#));
}

/// The answer to `decode` of one attribute `a` with an analysis.
fn analysed(name: &str, text: &str, analysis: &Json) -> Json {
    let schema = json!({ "mode": "exhaustive", "attributes": [{ "name": "a", "analysis": analysis }] });
    let answer = with_context("decode", name, text, &json!({ "schema": schema })).unwrap();
    match answer["phase"].as_str() {
        Some(phase) => json!(phase),
        None => answer["body"]["attributes"]["a"].clone(),
    }
}

#[test]
fn type_expressions() {
    let read = |number: u8, kind: &str, text: &str| {
        let name = format!("types-{number}.hcl");
        analysed(&name, &format!("a = {text}\n"), &json!({ "kind": kind }))
    };
    assert_eq!(read(1, "type", "list(string)"), json!({ "type": ["list", "string"] }));
    assert_eq!(read(2, "type", "any"), json!("analysis"));
    assert_eq!(read(3, "type", "object({ a = optional(string) })"), json!("analysis"));
    assert_eq!(read(4, "type-constraint", "map(any)"), json!({ "type": ["map", "dynamic"] }));
    let optional = json!({ "type": ["object", { "a": "string", "b": "bool" }, ["a"]] });
    assert_eq!(read(5, "type-constraint", "object({ a = optional(string), b = bool })"), optional);
    assert_eq!(read(6, "type-constraint", "object({ a = optional(string, 1) })"), json!("analysis"));
    let defaults = "type-constraint-with-defaults";
    assert_eq!(read(7, defaults, "object({ a = optional(string, 1), b = bool })"), optional);
    assert_eq!(read(8, defaults, "object({ a = optional(number, \"x\") })"), json!("analysis"));
    assert_eq!(read(9, defaults, "object({ a = optional(number, x) })"), json!("analysis"));
    let in_json = |name: &str, text: &str| analysed(name, text, &json!({ "kind": "type" }));
    assert_eq!(in_json("types-a.hcl.json", r#"{"a": "set(number)"}"#), json!({ "type": ["set", "number"] }));
    assert_eq!(in_json("types-b.hcl.json", r#"{"a": ["string"]}"#), json!("analysis"));
    let map = json!({ "kind": "static-map", "keys": { "kind": "type" }, "values": { "kind": "type" } });
    let expected =
        json!({ "static_map": [{ "key": { "type": "bool" }, "value": { "type": ["tuple", []] } }] });
    assert_eq!(analysed("types-c.hcl", "a = { bool = tuple([]) }\n", &map), expected);
}

/// The value of an expression, or the phase in which it fails, with the functions of the extensions.
fn extended(number: u8, expression: &str) -> Json {
    let context = json!({
        "variables": { "u": { "unknown": "number" }, "d": { "unknown": "dynamic" }, "l": { "unknown": ["list", "string"] } },
        "functions": {
            "try": { "extension": "try" },
            "can": { "extension": "can" },
            "convert": { "extension": "convert" },
            "complete": { "extension": "convert-with-defaults" },
        },
    });
    let answer =
        with_context("eval", &format!("extended-{number}.hcl"), &format!("a = {expression}\n"), &context)
            .unwrap();
    match answer["phase"].as_str() {
        Some(phase) => json!(phase),
        None => answer["body"]["attributes"]["a"].clone(),
    }
}

#[test]
fn extension_functions() {
    let optional = |given: &str| format!("convert({given}, object({{ a = optional(string) }}))");
    for (number, (expression, expected)) in [
        ("try(x, [], 1)", json!({ "tuple": [] })),
        ("try(x, y)", json!("eval")),
        ("try(u + \"x\", 1)", json!({ "number": "1" })),
        ("try([u], 1)", json!({ "unknown": "dynamic" })),
        ("[for v in [1] : try(v.b, v)]", json!({ "tuple": [{ "number": "1" }] })),
        ("can(1 + [])", json!({ "bool": false })),
        ("can(u)", json!({ "unknown": "bool" })),
        ("can(1, 2)", json!("eval")),
        (
            "convert([u, 1], list(string))",
            json!({ "list": [{ "unknown": "string" }, { "string": "1" }], "element_type": "string" }),
        ),
        ("convert(d, number)", json!({ "unknown": "number" })),
        ("convert(l, number)", json!("eval")),
        ("convert(null, number)", json!({ "null": "number" })),
        ("convert(1, (number))", json!("eval")),
        ("convert([1, \"number\"]...)", json!("eval")),
        (&optional("{ a = 1, b = 2 }"), json!({ "object": { "a": { "string": "1" } } })),
        (&optional("{}"), json!("eval")),
        ("convert({ a = 1 }, object({ a = optional(string, 2) }))", json!("eval")),
        (
            "complete({}, object({ a = optional(string, 2), b = optional(bool) }))",
            json!({ "object": { "a": { "string": "2" }, "b": { "null": "bool" } } }),
        ),
        (
            "complete(d, object({ a = optional(string, 2) }))",
            json!({ "unknown": ["object", { "a": "string" }] }),
        ),
        ("complete({}, object({ a = optional(string, u) }))", json!("eval")),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(extended(u8::try_from(number).unwrap(), expression), expected, "{expression}");
    }
    let mixed = json!({ "functions": { "try": { "extension": "try", "result": "arguments" } } });
    assert!(with_context("eval", "mixed.hcl", "", &mixed).is_err());
    let neither = json!({ "functions": { "f": { "params": [] } } });
    assert!(with_context("eval", "neither.hcl", "", &neither).is_err());
}

/// The content of a file, or the phase in which decoding fails.
fn decoded(name: &str, text: &str, context: &Json) -> Json {
    let answer = with_context("decode", name, text, context).unwrap();
    answer["phase"].as_str().map_or_else(|| answer["body"].clone(), |phase| json!(phase))
}

#[test]
fn dynamic_blocks() {
    let attributes = |labels: Json| {
        json!({
            "dynamic_blocks": true,
            "variables": { "v": { "string": "w" } },
            "schema": { "mode": "exhaustive", "blocks": [
                { "type": "b", "labels": labels, "body": { "mode": "exhaustive", "attributes": [{ "name": "n" }] } },
            ] },
        })
    };
    let text = "b \"first\" {\n  n = v\n}\ndynamic \"b\" {\n  for_each = [5, 6]\n  labels = [\"${v}${b.key}\"]\n  \
                content {\n    n = b.value\n  }\n}\n";
    let block = |label: &str, n: Json| json!({ "type": "b", "labels": [label], "body": { "attributes": { "n": n }, "blocks": [] } });
    let expected = json!({ "attributes": {}, "blocks": [
        block("first", json!({ "string": "w" })),
        block("w0", json!({ "number": "5" })),
        block("w1", json!({ "number": "6" })),
    ] });
    assert_eq!(decoded("dynamic-1.hcl", text, &attributes(json!(["name"]))), expected);
    assert_eq!(decoded("dynamic-2.hcl", text, &attributes(json!([]))), json!("schema"));
    let missing = "dynamic \"b\" {\n  content {\n  }\n}\n";
    assert_eq!(decoded("dynamic-3.hcl", missing, &attributes(json!([]))), json!("schema"));
    let wrong = "dynamic \"b\" {\n  for_each = [1]\n  content {\n    n = x\n  }\n}\n";
    assert_eq!(decoded("dynamic-4.hcl", wrong, &attributes(json!([]))), json!("eval"));
    // Without the extension, it is an ordinary block type.
    let plain = json!({ "schema": { "mode": "exhaustive", "blocks": [
        { "type": "dynamic", "labels": ["type"], "body": { "mode": "partial" } },
    ] } });
    assert_eq!(decoded("dynamic-5.hcl", wrong, &plain)["blocks"][0]["labels"], json!(["b"]));
    let any = json!({ "dynamic_blocks": true, "evaluation_mode": "literal-only", "schema": {
        "mode": "exhaustive", "blocks": [{ "type": "b", "body": { "mode": "dynamic-attributes" } }],
    } });
    let text = r#"{"dynamic": {"b": {"for_each": ["x"], "content": {"n": "${b.value}"}}}}"#;
    // Without a context, strings in generated blocks are literal, too.
    let found = decoded("dynamic-6.hcl.json", text, &any);
    assert_eq!(found["blocks"][0]["body"]["attributes"]["n"], json!({ "string": "${b.value}" }));
    let rest = json!({ "dynamic_blocks": true, "schema": {
        "mode": "partial", "attributes": [{ "name": "a" }], "remain": { "mode": "dynamic-attributes" },
    } });
    let found = decoded("dynamic-7.hcl.json", r#"{"a": 1, "c": 2}"#, &rest);
    assert_eq!(found["remain"]["attributes"], json!({ "c": { "number": "2" } }));
}

#[test]
fn user_functions() {
    let context = |mode: Option<&str>| {
        let mut context = json!({
            "user_functions": "function",
            "schema": { "mode": "exhaustive", "attributes": [{ "name": "a" }] },
        });
        match mode {
            Some(mode) => context["evaluation_mode"] = mode.into(),
            None => context["variables"] = json!({ "x": { "number": "7" } }),
        }
        context
    };
    let full = context(None);
    let function = |name: &str, rest: &str| format!("function \"{name}\" {{\n{rest}\n}}\n");
    let value = |name: &str, text: &str, context: &Json| match decoded(name, text, context) {
        Json::String(phase) => json!(phase),
        body => body["attributes"]["a"].clone(),
    };
    let add = function("add", "params = [a, b]\nresult = a + b + x");
    assert_eq!(value("user-1.hcl", &format!("a = add(1, 2)\n{add}"), &full), json!({ "number": "10" }));
    let rest = function("rest", "params = []\nvariadic_param = all\nresult = all");
    let twice = function("twice", "params = [p]\nresult = [rest(p, x)]") + &rest;
    let expected = json!({ "tuple": [{ "tuple": [{ "string": "p" }, { "number": "7" }] }] });
    assert_eq!(value("user-2.hcl", &format!("{twice}a = twice(\"p\")\n"), &full), expected);
    let caller = function("f", "params = [p]\nresult = g()") + &function("g", "params = []\nresult = p");
    assert_eq!(value("user-3.hcl", &format!("{caller}a = f(1)\n"), &full), json!("eval"));
    assert_eq!(value("user-4.hcl", &function("f", "params = []"), &full), json!("schema"));
    assert_eq!(value("user-5.hcl", &function("f", "params = [p.q]\nresult = 1"), &full), json!("schema"));
    let named = function("e\u{301}", "params = []\nresult = 1");
    assert_eq!(value("user-6.hcl", &format!("{named}a = \u{e9}()\n"), &full), json!("eval"));
    assert_eq!(value("user-7.hcl", &format!("{named}a = e\u{301}()\n"), &full), json!({ "number": "1" }));
    let json = r#"{"function": {"f": {"params": ["p"], "result": "<${p}>"}}, "a": "${f(1)}"}"#;
    assert_eq!(value("user-8.hcl.json", json, &full), json!({ "string": "<1>" }));
    let literal = context(Some("literal-only"));
    assert_eq!(value("user-9.hcl", &format!("{named}a = 1\n"), &literal), json!({ "number": "1" }));
    assert_eq!(value("user-a.hcl", &format!("{named}a = e\u{301}()\n"), &literal), json!("eval"));
    let ends = function("count", "params = [n]\nresult = [for m in n > 0 ? [n - 1] : [] : count(m)]");
    let expected = json!({ "tuple": [{ "tuple": [] }] });
    assert_eq!(value("user-b.hcl", &format!("{ends}a = count(1)\n"), &full), expected);
}
