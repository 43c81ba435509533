//! Intended differences from the reference, as documented in `docs/compatibility.md`.

use hclkit_functions::cty;
use hclkit_value::Value;

fn call(name: &str, args: &[Value]) -> Option<Value> {
    cty()[name].call(args).ok()
}

#[test]
fn unicode_version_is_newer() {
    for (text, characters) in [("क्षक्ष", 2), ("각\u{200d}👾", 2)] {
        assert_eq!(call("strlen", &[text.into()]), Some(characters.into()), "{text}");
    }
    assert_eq!(call("upper", &["ƛ".into()]), Some("Ƛ".into()));
    for class in ["Greek", "Grek"] {
        assert!(call("regexall", &[format!(r"\p{{{class}}}").into(), "α".into()]).is_some(), "{class}");
    }
}

#[test]
fn integers_have_512_bits() {
    let digits = format!("1{}1", "0".repeat(152));
    let parsed = call("parseint", &[digits.as_str().into(), 16.into()]).unwrap();
    let even = format!("1{}", "0".repeat(153));
    assert_eq!(call("parseint", &[even.as_str().into(), 16.into()]), Some(parsed));
}

#[test]
fn precision_and_nesting_have_limits() {
    assert!(call("format", &["%.1000001f".into(), 1.into()]).is_none());
    let nested = |depth: usize| Value::from(format!("{}a{}", "(".repeat(depth), ")".repeat(depth)));
    assert!(call("regexall", &[nested(100), "a".into()]).is_some());
    assert!(call("regexall", &[nested(500), "a".into()]).is_none());
}

#[test]
fn jsondecode_normalizes_keys() {
    let object = call("jsondecode", &[r#"{"e\u0301":2}"#.into()]);
    assert_eq!(object, Some(Value::object([("é", Value::from(2))])));
}
