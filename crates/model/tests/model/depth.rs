//! Specs and configurations at the limit of nesting, on a small stack.

use std::thread;

use hclkit_model::{Body, Context, Diagnostics, Dynamic, Functions, SpecFile};
use hclkit_syntax::Source;
use hclkit_value::Value;

/// The default size of a thread's stack.
const STACK: usize = 2 << 20;
/// Close to the limit of the syntax.
const DEPTH: usize = 990;

fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK).spawn(work);
    thread.expect("a thread starts").join().expect("nothing fails");
}

/// Nested text.
fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

/// Uses every operation on a spec and a configuration.
fn decode(spec: &str, name: &str, configuration: String) -> (Value, Diagnostics) {
    let file = SpecFile::read(Source::new("spec", spec), &Functions::new()).expect("a spec");
    let (body, found) = Body::parse(Source::new(name, configuration));
    assert!(!found.has_errors(), "{found}");
    let spec = &file.spec;
    let _ = (spec.implied_type(), spec.place(&body), spec.references(&body));
    let _ = (spec.references_with_dynamic(&body), spec.references_of_expansion(&body));
    let mut diagnostics = Diagnostics::new();
    let expanded = Dynamic::new(&Context::new()).expand(&body);
    let value = diagnostics.absorb(spec.decode(&body, &Context::new()));
    let mut found = Diagnostics::new();
    assert!(found.absorb(spec.decode(&expanded, &Context::new())) == value);
    (value, diagnostics)
}

#[test]
fn tuples_in_tuples() {
    on_small_stack(|| {
        let spec = nested("tuple {\n", "literal {\n  value = 1\n}\n", "}\n", DEPTH);
        let (value, diagnostics) = decode(&spec, "main.hcl", String::new());
        assert!(diagnostics.is_empty(), "{diagnostics}");
        assert!(value.is_known());
    });
}

#[test]
fn very_many_defaults() {
    on_small_stack(|| {
        let spec = format!("default {{\n{}}}\n", "attr {\n  name = \"a\"\n}\n".repeat(20_000));
        let (value, diagnostics) = decode(&spec, "main.hcl", "a = 1\n".to_owned());
        assert!(diagnostics.is_empty() && value == Value::from(1), "{diagnostics}");
    });
}

#[test]
fn wrapped_specs() {
    on_small_stack(|| {
        let literal = "literal {\n  value = 1\n}\n";
        for spec in [
            nested("default {\n", literal, "literal {\n  value = 2\n}\n}\n", DEPTH),
            nested("transform {\n  result = nested\n", literal, "}\n", DEPTH),
            format!("object {{\n{}}}\n", nested("object \"a\" {\n", "", "}\n", DEPTH)),
        ] {
            let (value, diagnostics) = decode(&spec, "main.hcl", String::new());
            assert!(diagnostics.is_empty() && value.is_known(), "{diagnostics}");
        }
    });
}

#[test]
fn blocks_in_blocks() {
    on_small_stack(|| {
        let attribute = "attr {\n  name = \"a\"\n}\n";
        for kind in ["block", "block_list", "block_tuple", "block_set"] {
            let spec = nested(&format!("{kind} {{\n  block_type = \"b\"\n"), attribute, "}\n", DEPTH);
            let native = nested("b {\n", "a = 1\n", "}\n", DEPTH);
            let (value, diagnostics) = decode(&spec, "main.hcl", native);
            assert!(diagnostics.is_empty() && value.is_known(), "{diagnostics}");
            let json = nested("{\"b\":", "{\"a\":1}", "}", DEPTH);
            let (other, diagnostics) = decode(&spec, "main.json", json);
            assert!(diagnostics.is_empty() && value == other, "{diagnostics}");
        }
    });
}

#[test]
fn dynamic_blocks_in_dynamic_blocks() {
    on_small_stack(|| {
        let spec =
            nested("block_list {\n  block_type = \"b\"\n", "attr {\n  name = \"a\"\n}\n", "}\n", DEPTH / 2);
        let file = SpecFile::read(Source::new("spec", spec), &Functions::new()).expect("a spec");
        let open = "dynamic \"b\" {\n  for_each = [1]\n  content {\n";
        let native = nested(open, "a = b.value\n", "}\n}\n", DEPTH / 2);
        let (body, found) = Body::parse(Source::new("main.hcl", native));
        assert!(!found.has_errors(), "{found}");
        assert!(file.spec.references_with_dynamic(&body).is_empty());
        let mut diagnostics = Diagnostics::new();
        let body = Dynamic::new(&Context::new()).expand(&body);
        let value = diagnostics.absorb(file.spec.decode(&body, &Context::new()));
        assert!(diagnostics.is_empty() && value.is_known(), "{diagnostics}");
    });
}

#[test]
fn values_in_json() {
    on_small_stack(|| {
        let spec = "attr {\n  name = \"a\"\n}\n";
        let json = format!("{{\"a\":{}}}", nested("[", "\"${1}\"", "]", DEPTH));
        let (value, diagnostics) = decode(spec, "main.json", json);
        assert!(diagnostics.is_empty() && value.is_known(), "{diagnostics}");
        let json = format!("{{\"a\":{}}}", nested("{\"b\":", "1", "}", DEPTH));
        let (value, diagnostics) = decode(spec, "main.json", json);
        assert!(diagnostics.is_empty() && value.is_known(), "{diagnostics}");
    });
}
