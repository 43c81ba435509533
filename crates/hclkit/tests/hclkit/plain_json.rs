//! Values as plain JSON: no serializer loses digits.

use hclkit::convert::Json;
use hclkit::decode::PlainJson;
use hclkit::{Type, Value};
use hclkit_value::{Mark, Number};
use proptest::prelude::*;
use serde::Serialize;
use serde_json::value::RawValue;

/// Checks that every way to convert a number to JSON keeps its digits, or returns an error.
fn check(number: &Number) -> Result<(), TestCaseError> {
    let digits = number.to_string();
    let value = Value::tuple([Value::from(number.clone())]);
    let wanted = format!("[{digits}]");
    let own = Json::try_from(&value).unwrap();

    prop_assert_eq!(value.to_json(&value.ty()).unwrap(), wanted.as_str());
    prop_assert_eq!(serde_json::to_string(&PlainJson::new(&value)).unwrap(), wanted.as_str());
    prop_assert_eq!(serde_json::to_vec(&own).unwrap(), wanted.as_bytes());
    let raw: Box<RawValue> = serde_json::value::to_raw_value(&PlainJson::new(&value)).unwrap();
    prop_assert_eq!(raw.get(), wanted.as_str());
    prop_assert_eq!(&Value::from_plain_json(raw.get().as_bytes()).unwrap().to_string(), &value.to_string());

    for tree in [serde_json::to_value(PlainJson::new(&value)), serde_json::to_value(&own)] {
        let Ok(tree) = tree else {
            let (float, _) = number.to_f64();
            let float = serde_json::Number::from_f64(float).map(|float| float.to_string());
            prop_assert!(number.to_u64().is_none() && float.as_ref() != Some(&digits), "{number} is refused");
            continue;
        };
        let held = tree[0].as_number().expect("a number").to_string();
        prop_assert_eq!(
            held.parse::<Number>().unwrap().to_string(),
            digits.as_str(),
            "the tree has {}",
            held
        );
    }
    Ok(())
}

#[test]
fn numbers_of_all_kinds_keep_their_digits() {
    let third = Number::from(1).divide(&Number::from(3)).unwrap();
    check(&third).unwrap();
    for text in [
        "0",
        "-0",
        "1",
        "-1",
        "0.1",
        "1e400",
        "-1e400",
        "1e-400",
        "1e2000000",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "1234567890123456789012345678901234",
        "0.1234567890123456789012345678901234",
        "100000000000000000000",
        "1e50",
        // As close to the same double as 600000000000000.2.
        "600000000000000.3",
    ] {
        check(&text.parse().unwrap()).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn a_tree_that_cannot_hold_the_digits_is_an_error() {
    for text in ["18446744073709551616", "0.1234567890123456789012345678901234", "1e400", "1e-400"] {
        let value = Value::from(text.parse::<Number>().unwrap());
        let error = serde_json::to_value(PlainJson::new(&value)).unwrap_err().to_string();
        assert_eq!(
            error,
            "the number has more digits than `serde_json::Value` can hold without the feature `arbitrary_precision`"
        );
        assert_eq!(serde_json::to_value(Json::try_from(&value).unwrap()).unwrap_err().to_string(), error);
    }
    assert_eq!(
        serde_json::to_value(PlainJson::new(&Value::from(u64::MAX))).unwrap(),
        serde_json::json!(u64::MAX)
    );
}

#[test]
fn nested_values_keep_their_digits() {
    #[derive(Serialize)]
    struct Outer<'v> {
        #[serde(flatten)]
        inner: PlainJson<'v>,
    }
    let number = |text: &str| Value::from(text.parse::<Number>().unwrap());
    let value = Value::object([("a", number("0.1234567890123456789012345678901234"))]);
    let text = serde_json::to_string(&Outer { inner: PlainJson::new(&value) }).unwrap();
    assert_eq!(text, r#"{"a":0.1234567890123456789012345678901234}"#);
}

#[test]
fn values_without_a_plain_form_are_errors() {
    for (value, why) in [
        (Value::unknown(Type::Bool), "an unknown value cannot be represented in JSON"),
        (Value::from("x").mark(Mark::sensitive()), "a marked value cannot be represented in JSON"),
        (Value::from(Number::infinity()), "an infinity cannot be represented in JSON"),
    ] {
        let value = Value::tuple([value]);
        assert_eq!(serde_json::to_string(&PlainJson::new(&value)).unwrap_err().to_string(), why);
        assert_eq!(Json::try_from(&value).unwrap_err().to_string(), why);
        assert!(value.to_json(&value.ty()).unwrap_err().to_string().ends_with(why));
    }
}

#[test]
fn the_type_is_written_with_the_value() {
    let value = Value::list([Value::from(1)]).unwrap();
    let text = serde_json::to_string(&PlainJson::new(&value).with_type()).unwrap();
    assert_eq!(text, r#"{"value":[1],"type":["list","number"]}"#);
    assert_eq!(text, value.to_json(&Type::Dynamic).unwrap());
    let optional = Type::object_with_optional([("a", Type::map(Type::Bool)), ("b", Type::Dynamic)], ["b"]);
    let set = Value::set([Value::from("x")]).unwrap();
    let parts = [
        set,
        Value::NULL,
        Value::null(optional),
        Value::object([("c", Value::TRUE)]),
        Value::tuple::<Value>([]),
    ];
    let value = Value::object([("parts", Value::tuple(parts))]);
    let text = serde_json::to_string(&PlainJson::new(&value).with_type()).unwrap();
    assert_eq!(text, value.to_json(&Type::Dynamic).unwrap());
}

#[test]
fn the_type_of_a_deep_value_is_written_on_a_small_stack() {
    let deep = (0..500).fold(Value::TRUE, |inner, _| Value::object([("a", Value::tuple([inner]))]));
    let null = (0..500).fold(Type::Bool, |inner, _| Type::tuple([Type::list(inner)]));
    let work = move || {
        for value in [&deep, &Value::tuple([Value::null(null.clone())])] {
            let text = serde_json::to_string(&PlainJson::new(value).with_type()).unwrap();
            let pretty = serde_json::to_string_pretty(&PlainJson::new(value).with_type()).unwrap();
            let kept: String = pretty.split_whitespace().collect();
            assert_eq!(text, kept);
        }
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

proptest! {
    #[test]
    fn no_digit_is_lost(text in prop_oneof![
        "-?[0-9]{1,160}",
        "-?[0-9]{1,40}\\.[0-9]{1,80}",
        "-?[0-9]{1,18}(\\.[0-9]{1,4})?",
        "-?[0-9]{1,30}e-?[0-9]{1,3}",
    ]) {
        check(&text.parse::<Number>().expect("a number"))?;
    }
}
