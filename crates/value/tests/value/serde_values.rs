//! `Serialize` and `Deserialize`: values as plain data, numbers as numbers.
#![cfg(feature = "serde")]

use hclkit_value::{Mark, Number, Type, Value};
use proptest::prelude::*;
use serde::Deserialize;
use serde::de::value::{Error as DataError, MapDeserializer};

fn number(text: &str) -> Number {
    text.parse().expect("the text is a number")
}

fn third() -> Number {
    Number::from(1).divide(&Number::from(3)).expect("the quotient is defined")
}

#[test]
fn plain_data_is_written_and_read() {
    let value: Value = serde_json::from_str(r#"{"a":[1,2.5,"x",null,true]}"#).unwrap();
    assert_eq!(serde_json::to_string(&value).unwrap(), r#"{"a":[1,2.5,"x",null,true]}"#);
    let map = Value::map([("a", Value::from(1))]).unwrap();
    assert_eq!(serde_json::to_value(&map).unwrap(), serde_json::json!({ "a": 1 }));
}

#[test]
fn values_that_are_not_plain_data_are_errors() {
    for (value, why) in [
        (Value::unknown(Type::Bool), "an unknown value cannot be serialized"),
        (Value::DYNAMIC, "an unknown value cannot be serialized"),
        (Value::from("x").mark(Mark::sensitive()), "a marked value cannot be serialized"),
        (Value::from(Number::infinity()), "an infinity cannot be serialized"),
    ] {
        let value = Value::tuple([value]);
        assert_eq!(serde_json::to_string(&value).unwrap_err().to_string(), why);
        assert_eq!(serde_json::to_value(&value).unwrap_err().to_string(), why);
    }
    assert!(serde_json::to_string(&Number::neg_infinity()).is_err());
}

#[test]
fn whole_numbers_are_exact_and_fractions_are_rounded_to_doubles() {
    for (number, text) in [
        (number("0"), "0"),
        (number("-0"), "-0.0"),
        (number("0.1"), "0.1"),
        (number("-2.5"), "-2.5"),
        (third(), "0.3333333333333333"),
        (number("9223372036854775807"), "9223372036854775807"),
        (number("18446744073709551615"), "18446744073709551615"),
        (number("18446744073709551616"), "18446744073709551616"),
        (number("-18446744073709551616"), "-18446744073709551616"),
        (number("1234567890123456789012345678901234"), "1234567890123456789012345678901234"),
        (number("340282366920938463463374607431768211455"), "340282366920938463463374607431768211455"),
        (number("1e50"), "1e+50"),
        (number("12345678901234567890.125"), "1.2345678901234567e+19"),
    ] {
        assert_eq!(serde_json::to_string(&number).unwrap(), text);
    }
    for beyond in ["1e400", "-1e400", "12345678901234567890123456789012345678901234", "1e-400", "1e2000000"] {
        assert!(serde_json::to_string(&number(beyond)).is_err(), "{beyond}");
        assert!(serde_json::to_value(number(beyond)).is_err(), "{beyond}");
    }
    // A `serde_json::Value` supports integers of up to 64 bits.
    assert!(serde_json::to_value(number("18446744073709551616")).is_err());
}

#[test]
fn numbers_with_arbitrary_precision_from_serde_json_are_read() {
    let key = "$serde_json::private::Number";
    let read = |entries: &[(&'static str, &'static str)]| {
        Value::deserialize(MapDeserializer::<_, DataError>::new(entries.iter().copied())).unwrap()
    };
    assert_eq!(read(&[(key, "1e400")]), Value::from(number("1e400")));
    assert_eq!(read(&[(key, "x")]), Value::object([(key, Value::from("x"))]));
    assert_eq!(
        read(&[(key, "1"), ("a", "b")]).ty(),
        Type::object([(key, Type::String), ("a", Type::String)])
    );
}

proptest! {
    #[test]
    fn numbers_are_written_as_numbers(
        text in prop_oneof![
            "-?[0-9]{1,45}",
            "-?[0-9]{1,25}\\.[0-9]{1,25}",
            "-?[0-9]{1,30}e-?[0-9]{1,3}",
        ],
    ) {
        let number = number(&text);
        let Ok(written) = serde_json::to_string(&number) else {
            let (float, _) = number.to_f64();
            prop_assert!(float == 0.0 || number.is_integer());
            return Ok(());
        };
        let back = written.parse::<Number>().expect("the text is a number");
        if number.is_integer() {
            prop_assert_eq!(&back, &number);
        }
        prop_assert_eq!(back.to_f64().0.to_bits(), number.to_f64().0.to_bits());
        if let Ok(tree) = serde_json::to_value(&number) {
            prop_assert!(tree.is_number());
            let read: Value = serde_json::from_value(tree).unwrap();
            prop_assert_eq!(read.as_number().unwrap().to_f64().0.to_bits(), number.to_f64().0.to_bits());
        }
    }
}
