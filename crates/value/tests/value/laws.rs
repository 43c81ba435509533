//! Properties of all values: conversion, unification, equality, encodings, normalization.

use hclkit_value::{Error, Mark, Number, Str, Type, Value, unify};
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    prop_oneof![Just("a".to_owned()), Just("b".to_owned()), Just("é".to_owned()), ".{0,4}"]
}

fn ty() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![Just(Type::String), Just(Type::Number), Just(Type::Bool)];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(Type::list),
            inner.clone().prop_map(Type::set),
            inner.clone().prop_map(Type::map),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Type::tuple),
            prop::collection::vec((name(), inner), 0..4).prop_map(Type::object),
        ]
    })
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<u128>().prop_map(Number::from),
        any::<f64>().prop_filter_map("a number", |float| Number::try_from(float).ok()),
        "-?[0-9]{1,180}(\\.[0-9]{1,180})?(e-?[0-9]{1,4})?"
            .prop_filter_map("a number", |text| text.parse::<Number>().ok()),
    ]
}

/// Values of a type, including null values. Unless `known`, also unknown and marked values.
fn value(ty: &Type, known: bool) -> BoxedStrategy<Value> {
    let plain: BoxedStrategy<Value> = match ty {
        Type::String => ".{0,6}".prop_map(|text| Value::from(text.as_str())).boxed(),
        Type::Number => number().prop_map(Value::from).boxed(),
        Type::Bool => any::<bool>().prop_map(Value::from).boxed(),
        Type::List(element) | Type::Set(element) => {
            let (element, set) = (Type::clone(element), matches!(ty, Type::Set(_)));
            prop::collection::vec(value(&element, known), 0..4)
                .prop_map(move |items| {
                    let made = if set {
                        Value::set_of(element.clone(), items)
                    } else {
                        Value::list_of(element.clone(), items)
                    };
                    made.expect("the elements have the type")
                })
                .boxed()
        }
        Type::Map(element) => {
            let element = Type::clone(element);
            prop::collection::vec((name(), value(&element, known)), 0..4)
                .prop_map(move |items| {
                    Value::map_of(element.clone(), items).expect("the elements have the type")
                })
                .boxed()
        }
        Type::Tuple(tuple) => {
            let items: Vec<_> = tuple.elements().iter().map(|ty| value(ty, known)).collect();
            items.prop_map(Value::tuple).boxed()
        }
        Type::Object(object) => {
            let names: Vec<Str> = object.names().to_vec();
            let items: Vec<_> = object.attributes().map(|(_, ty)| value(ty, known)).collect();
            items.prop_map(move |items| Value::object(names.iter().zip(items))).boxed()
        }
        _ => Just(Value::null(ty.clone())).boxed(),
    };
    if known {
        return prop_oneof![9 => plain, 1 => Just(Value::null(ty.clone()))].boxed();
    }
    let marked = plain.clone().prop_map(|value| value.mark(Mark::new("m")));
    prop_oneof![
        12 => plain,
        1 => Just(Value::null(ty.clone())),
        1 => Just(Value::unknown(ty.clone())),
        1 => marked,
    ]
    .boxed()
}

fn any_value(known: bool) -> impl Strategy<Value = Value> {
    ty().prop_flat_map(move |ty| value(&ty, known))
}

/// The value with its numbers at full precision, because encodings do not keep the precision.
fn widened(value: &Value) -> Value {
    let wide = value.transform(&mut |_, part: Value| {
        Ok::<_, Error>(part.as_number().map_or(part.clone(), |number| Value::from(number.widened())))
    });
    wide.expect("the types do not change")
}

/// The value with negative zeros replaced by zero, because their sign is not encoded. Two elements of a set may become one.
fn with_one_zero(value: &Value) -> Value {
    let zero = Number::from(0);
    let plain = value.transform(&mut |_, part: Value| {
        let is_zero = part.as_number().is_some_and(|number| *number == zero);
        Ok::<_, Error>(if is_zero { Value::from(0) } else { part })
    });
    plain.expect("the types do not change")
}

fn finite(value: &Value) -> bool {
    let mut finite = true;
    value.walk(&mut |_, part| {
        finite &= part.as_number().is_none_or(|number| !number.is_infinite());
        true
    });
    finite
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn conversion_to_the_same_type_changes_nothing(value in any_value(false)) {
        prop_assert_eq!(value.convert(&value.ty()).unwrap(), value.clone());
        prop_assert_eq!(value.convert(&Type::Dynamic).unwrap(), value);
    }

    #[test]
    fn has_type_agrees_with_ty(value in any_value(false), other in ty()) {
        prop_assert!(value.has_type(&value.ty()));
        prop_assert_eq!(value.has_type(&other), value.ty() == other);
    }

    #[test]
    fn converted_values_have_the_target_type(value in any_value(false), to in ty()) {
        if let Ok(converted) = value.convert(&to) {
            prop_assert!(converted.has_type(&to), "{} does not have the type {}", converted, to);
            prop_assert!(value.ty().converts_to(&to));
        }
    }

    #[test]
    fn unification_does_not_depend_on_the_order(
        types in prop::collection::vec(0..3usize, 1..5),
        wrap in prop::sample::select(vec![Type::list as fn(Type) -> Type, Type::set, Type::map, |ty| ty]),
    ) {
        let primitive = |at: usize| [Type::String, Type::Number, Type::Bool][at].clone();
        let types: Vec<Type> = types.into_iter().map(|at| wrap(primitive(at))).collect();
        let mut reversed = types.clone();
        reversed.reverse();
        prop_assert_eq!(unify(&types), unify(&reversed));
    }

    #[test]
    fn types_convert_to_their_unification(types in prop::collection::vec(ty(), 1..4)) {
        if let Some(common) = unify(&types) {
            prop_assert!(types.iter().all(|ty| ty.converts_to(&common)));
        }
    }

    #[test]
    fn equality_is_symmetric(a in any_value(false), b in any_value(false)) {
        prop_assert_eq!(a.equals(&b), b.equals(&a));
        prop_assert_eq!(a == b, b == a);
        prop_assert_eq!(a.diff(&b).is_empty(), a == b);
    }

    #[test]
    fn known_values_equal_themselves(value in any_value(true)) {
        prop_assert_eq!(value.equals(&value), Value::TRUE);
        prop_assert!(value.diff(&value).is_empty());
    }

    #[test]
    fn json_round_trips(value in any_value(true).prop_filter("finite", finite)) {
        let ty = value.ty();
        let text = value.to_json(&ty).unwrap();
        let value = Value::from_json(text.as_bytes(), &ty).unwrap();
        // A large whole number of low precision becomes the number of its text.
        prop_assert_eq!(value.to_json(&ty).unwrap(), &*text);
        let mut streamed = Vec::new();
        value.write_json(&ty, &mut streamed).unwrap();
        prop_assert_eq!(streamed, text.into_bytes());
        let described = value.to_json(&Type::Dynamic).unwrap();
        let back = Value::from_json(described.as_bytes(), &Type::Dynamic).unwrap();
        prop_assert_eq!(back, value);
    }

    #[test]
    fn msgpack_round_trips(value in any_value(false)) {
        let (bare, _) = value.unmark_deep();
        let bare = widened(&with_one_zero(&bare));
        for ty in [bare.ty(), Type::Dynamic] {
            let bytes = bare.to_msgpack(&ty).unwrap();
            prop_assert_eq!(&widened(&Value::from_msgpack(&bytes, &ty).unwrap()), &bare);
        }
    }

    #[test]
    fn types_round_trip(ty in ty()) {
        prop_assert_eq!(Type::from_json(ty.to_json().unwrap().as_bytes()).unwrap(), ty);
    }

    #[test]
    fn marks_round_trip(value in any_value(false)) {
        let (bare, marks) = value.unmark_deep_with_paths();
        prop_assert!(!bare.contains_marked());
        prop_assert_eq!(bare.mark_paths(&marks), value);
    }

    #[test]
    fn strings_are_normalized(text in "\\PC{0,12}") {
        let once = Str::from(text.as_str());
        prop_assert_eq!(Str::from(once.as_str()), once.clone());
        prop_assert_eq!(Value::from(text.as_str()), Value::from(once));
    }

    #[test]
    fn numbers_round_trip_through_text(number in number()) {
        let text = number.to_string();
        let back: Number = text.parse().unwrap();
        // A large whole number of low precision is not the number of its text.
        let is_exact = number.precision() == 512 || !number.is_integer() || number.to_i64().is_some_and(|n| n.unsigned_abs() < 1 << 53);
        prop_assert!(back == number || !is_exact);
        prop_assert_eq!(back.to_string(), text);
    }

    #[test]
    fn doubles_round_trip(float in any::<f64>()) {
        if let Ok(number) = Number::try_from(float) {
            prop_assert_eq!(number.to_f64(), (float, true));
        }
    }

    #[test]
    fn integers_round_trip(integer in any::<i128>()) {
        prop_assert_eq!(Number::from(integer).to_i128(), Some(integer));
        prop_assert_eq!(Number::from(integer).to_string(), integer.to_string());
    }

    #[test]
    fn arithmetic_agrees_with_integers(a in any::<i64>(), b in any::<i64>()) {
        let (x, y) = (Number::from(i128::from(a)).widened(), Number::from(b).widened());
        let (a, b) = (i128::from(a), i128::from(b));
        prop_assert_eq!(x.add(&y).unwrap().to_i128(), Some(a + b));
        prop_assert_eq!(x.subtract(&y).unwrap().to_i128(), Some(a - b));
        prop_assert_eq!(x.multiply(&y).unwrap().to_i128(), Some(a * b));
        if b != 0 {
            prop_assert_eq!(x.modulo(&y).unwrap().to_i128(), Some(a % b));
            prop_assert_eq!(x.divide(&y).unwrap().trunc().to_i128(), Some(a / b));
        }
    }

    #[test]
    fn decoders_do_not_panic_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..40), ty in ty()) {
        let _ = Value::from_msgpack(&bytes, &ty);
        let _ = Type::implied_by_msgpack(&bytes);
        let _ = Value::from_json(&bytes, &ty);
        let _ = Value::from_plain_json(&bytes);
        let _ = Type::from_json(&bytes);
    }
}
