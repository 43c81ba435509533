//! Any bytes, read as types and values, which are then passed to all operations: there is no panic, and what is
//! written can be read back.
#![no_main]

use hclkit_value::{Mark, Type, Value, unify, unify_unsafely};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    // Two types as JSON, then the bytes of a value.
    let mut parts = input.splitn(3, |byte| *byte == b'\n');
    let (Some(first), Some(second), Some(rest)) = (parts.next(), parts.next(), parts.next()) else { return };
    let types: Vec<Type> =
        [first, second].into_iter().filter_map(|text| Type::from_json(text).ok()).collect();
    let _ = (unify(&types), unify_unsafely(&types), Type::implied_by_msgpack(rest));
    let mut values: Vec<Value> = Value::from_plain_json(rest).into_iter().collect();
    let mut binary = Vec::new();
    for ty in types.iter().chain([&Type::Dynamic]) {
        assert_eq!(
            ty.to_json().ok().and_then(|text| Type::from_json(text.as_bytes()).ok()).as_ref(),
            Some(ty)
        );
        values.extend(Value::from_json(rest, ty));
        binary.extend(Value::from_msgpack(rest, ty));
    }
    let texts = values.len();
    values.append(&mut binary);
    for (at, value) in values.iter().enumerate() {
        check(value, at < texts);
        for ty in &types {
            if let Ok(converted) = value.convert(ty) {
                assert!(ty.has_dynamic() || converted.has_type(&ty.without_optional()));
            }
            let _ = value.convert_safely(ty);
        }
        for other in &values {
            operate(value, other);
        }
    }
});

/// `is_text` is true for values that were read from text, which has no floats.
fn check(value: &Value, is_text: bool) {
    let ty = value.ty();
    assert!(value.has_type(&ty));
    assert_eq!(value.convert(&ty).as_ref(), Ok(value));
    let bytes = value.to_msgpack(&ty).expect("no marks and no capsules");
    // A number may be read back with another precision, but is the same number.
    let back = Value::from_msgpack(&bytes, &ty).expect("what was written");
    assert_eq!(back.to_msgpack(&ty).as_ref(), Ok(&bytes));
    // As in the reference, a float has the digits that tell it apart from other floats, which are those of another number if they
    // are read with more precision.
    if let Ok(text) = value.to_json(&ty) {
        let back = Value::from_json(text.as_bytes(), &ty).expect("what was written");
        assert_eq!(back.to_json(&ty).as_ref(), Ok(&text));
        assert!(!is_text || back == *value, "{value:?} and {back:?}");
    }
    let _ = value.show().with_limit(1_000).with_color(true).to_string();
    let _ = (value.length(), value.elements(), value.unknown_as_null(), value.negate(), value.not());
    let marked = Value::tuple([value.mark(Mark::new("m"))]);
    let (bare, marks) = marked.unmark_deep_with_paths();
    assert_eq!(bare.mark_paths(&marks), marked);
}

fn operate(a: &Value, b: &Value) {
    assert_eq!(a.equals(b), b.equals(a));
    assert_eq!(a.diff(b).is_empty(), a == b);
    let _ = (a.add(b), a.subtract(b), a.multiply(b), a.divide(b), a.modulo(b));
    let _ = (a.less_than(b), a.greater_or_equal(b), a.and(b), a.or(b));
    let _ = (a.index(b), a.has_index(b), a.has_element(b));
    let _ = (Value::list([a.clone(), b.clone()]), Value::set([a.clone(), b.clone()]));
}
