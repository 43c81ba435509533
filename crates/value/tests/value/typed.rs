//! Conversion between Rust types and values, typed functions, and the order of numbers.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use hclkit_value::{
    Error, FromValue, Function, IntoValue, Mark, Number, Step, Str, Type, Typed, Value, Variadic,
    parse_duration,
};
use proptest::prelude::*;

/// Checks that converting to a value and back gives the same Rust value, and that the value has the declared type.
fn round_trip<T: FromValue + IntoValue + Clone + PartialEq + std::fmt::Debug>(given: &T) {
    let value = given.to_value().expect("the conversion succeeds");
    assert!(value.ty().matches(&T::value_type()), "{} is not {}", value.ty(), T::value_type());
    assert_eq!(T::from_value(&value).as_ref(), Ok(given), "through {value}");
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        Just(Number::infinity()),
        Just(Number::neg_infinity()),
        (-3i64..3).prop_map(Number::from),
        any::<i64>().prop_map(Number::from),
        any::<u128>().prop_map(Number::from),
        any::<f64>().prop_filter_map("a number", |float| Number::try_from(float).ok()),
        (-3.0..3.0)
            .prop_filter_map("a number", |float: f64| Number::try_from((float * 10.0).round() / 10.0).ok()),
        "-?[0-9]\\.[0-9]".prop_filter_map("a number", |text| text.parse::<Number>().ok()),
        "-?[0-9]{1,80}(\\.[0-9]{1,80})?(e-?[0-9]{1,3})?"
            .prop_filter_map("a number", |text| text.parse::<Number>().ok()),
    ]
}

proptest! {
    #[test]
    fn numbers_round_trip(a: i8, b: u16, c: i64, d: u64, e: i128, f: u128, g: usize, h: f32, i: f64) {
        round_trip(&a);
        round_trip(&b);
        round_trip(&c);
        round_trip(&d);
        round_trip(&e);
        round_trip(&f);
        round_trip(&g);
        if !h.is_nan() {
            round_trip(&h);
        }
        if !i.is_nan() {
            round_trip(&i);
        }
        prop_assert_eq!(i64::from_value(&Value::from(c)), Ok(c));
        prop_assert_eq!(u8::from_value(&Value::from(g)).ok(), u8::try_from(g).ok());
    }

    #[test]
    fn collections_round_trip(
        texts in prop::collection::vec(".{0,6}", 0..4),
        nested in prop::collection::btree_map(".{0,6}", prop::collection::vec(any::<Option<i64>>(), 0..4), 0..4),
        set in prop::collection::btree_set(any::<u16>(), 0..4),
        hashed: HashSet<bool>,
        map in prop::collection::hash_map(".{0,6}", (any::<bool>(), ".{0,6}"), 0..4),
        array: [i32; 3],
        nanoseconds in 0..=i64::MAX as u64,
    ) {
        // Strings are normalized.
        let texts: Vec<String> = texts.iter().map(|text| Str::from(text.as_str()).to_string()).collect();
        let normal = |text: &String| Str::from(text.as_str()).to_string();
        let map: HashMap<String, (bool, String)> =
            map.iter().map(|(key, (flag, text))| (normal(key), (*flag, normal(text)))).collect();
        let nested: BTreeMap<_, _> = nested.iter().map(|(key, item)| (normal(key), item.clone())).collect();
        prop_assert_eq!(Value::from(texts.clone()), Value::from(&texts[..]));
        prop_assert_eq!(Value::from(nested.clone()), nested.to_value()?);
        round_trip(&texts);
        round_trip(&nested);
        round_trip(&set);
        round_trip(&hashed);
        round_trip(&map);
        round_trip(&array);
        round_trip(&Some(texts.clone()));
        round_trip(&None::<Vec<String>>);
        round_trip(&(array, texts, Duration::from_nanos(nanoseconds)));
    }

    #[test]
    fn the_order_of_numbers_is_total_and_agrees_with_equality(numbers in prop::collection::vec(number(), 3)) {
        let [a, b, c] = &numbers[..] else { unreachable!("there are three") };
        prop_assert_eq!(a.cmp(b).is_eq(), a == b, "{} and {}", a, b);
        prop_assert_eq!(a.cmp(b), b.cmp(a).reverse());
        if a <= b && b <= c {
            prop_assert!(a <= c, "{a} <= {b} <= {c}");
        }
        if a == b {
            let hasher = RandomState::new();
            prop_assert_eq!(hasher.hash_one(a), hasher.hash_one(b));
        }
        if a.precision() == b.precision() {
            prop_assert_eq!(a.cmp(b), a.compare(b));
        }
    }

    #[test]
    fn errors_do_not_show_marked_values(secret in "[a-z]{8}", at in 0usize..3) {
        let secret = Value::from(secret.as_str()).mark(Mark::sensitive());
        let mut items = vec![Value::from("a"), Value::from("b"), Value::from("c")];
        items[at] = secret.clone();
        let error = Vec::<String>::from_value(&Value::tuple(items)).unwrap_err();
        prop_assert_eq!(error.to_string(), format!("[{at}]: expected a string, found a marked value"));
        let double = Function::typed("check", |text: String| Err::<String, _>(format!("{text} is not good")));
        let error = double.call(&[secret]).unwrap_err().to_string();
        prop_assert!(error.starts_with("the reason is withheld"), "{error}");
    }
}

#[test]
fn errors_say_what_was_expected_what_was_found_and_where() {
    fn error<T: FromValue>(value: impl Into<Value>) -> String {
        T::from_value(&value.into()).err().expect("the conversion fails").to_string()
    }
    assert_eq!(error::<bool>("true"), "expected a bool, found a string");
    assert_eq!(error::<String>(1), "expected a string, found a number");
    assert_eq!(error::<u8>(-1), "expected a whole number from 0 to 255, found -1");
    assert_eq!(error::<u8>(Number::infinity()), "expected a whole number from 0 to 255, found +Inf");
    assert_eq!(error::<u16>(Value::from(0.5)), "expected a whole number from 0 to 65535, found 0.5");
    assert_eq!(
        error::<f32>("1e39".parse::<Number>().unwrap()),
        "expected a number that fits 32 bits, from -3.4028235e38 to 3.4028235e38, found 100000000000000000000000000000000000000…"
    );
    assert!(
        error::<f64>("-1e400".parse::<Number>().unwrap()).starts_with("expected a number that fits 64 bits")
    );
    assert_eq!(f32::from_value(&Value::from(Number::infinity())), Ok(f32::INFINITY));
    assert_eq!(f64::from_value(&Value::from("1e-400".parse::<Number>().unwrap())), Ok(0.0));
    assert_eq!(Value::from(0.1_f32).to_string(), "0.1");
    assert_eq!(error::<u16>(Value::null(Type::Number)), "expected a number, found null");
    assert_eq!(
        error::<Option<u16>>(Value::unknown(Type::Number)),
        "expected a number, found an unknown value"
    );
    assert_eq!(error::<Vec<u16>>("a"), "expected a list, set or tuple, found a string");
    assert_eq!(error::<[u16; 2]>(vec![1]), "expected 2 elements, found 1");
    assert_eq!(error::<(u16,)>(vec![1, 2]), "expected 1 element, found 2");
    assert_eq!(error::<(u16, String)>((1, 2)), "[1]: expected a string, found a number");
    assert_eq!(error::<BTreeMap<String, u16>>(vec![1]), "expected a map or object, found a list of number");
    let map = BTreeMap::from([("a b".to_owned(), vec![None, Some(1)])]);
    assert_eq!(error::<BTreeMap<String, Vec<u16>>>(map), r#"["a b"][0]: expected a number, found null"#);
    let object = Value::object([("a", Value::tuple([Value::TRUE]))]);
    assert_eq!(error::<HashMap<String, Vec<u16>>>(object), ".a[0]: expected a number, found a bool");
    assert_eq!(
        error::<HashSet<u16>>(BTreeSet::from(["x".to_owned()])),
        r#"["x"]: expected a number, found a string"#
    );
    assert_eq!(error::<Duration>("1.5"), r#""1.5" is not a valid duration: the unit is missing"#);
}

#[test]
fn the_type_of_a_collection_depends_on_its_elements() {
    assert_eq!(Vec::<Option<u8>>::value_type(), Type::list(Type::Number));
    assert_eq!(BTreeMap::<String, BTreeSet<bool>>::value_type(), Type::map(Type::set(Type::Bool)));
    assert_eq!(<(u8, Duration)>::value_type(), Type::tuple([Type::Number, Type::String]));
    // Elements of any type have no common type.
    assert_eq!(Vec::<Value>::value_type(), Type::Dynamic);
    let mixed = vec![Value::from(1), Value::from("a")];
    assert_eq!(Value::from(mixed.clone()), Value::tuple(mixed.clone()));
    assert_eq!(Vec::<Value>::from_value(&Value::from(mixed.clone())), Ok(mixed));
    assert_eq!(Value::from(Vec::<u8>::new()), Value::empty_list(Type::Number));
    assert_eq!(Value::from(None::<u8>), Value::null(Type::Number));
}

#[test]
fn every_duration_reads_back() {
    for duration in
        [Duration::ZERO, Duration::MAX, Duration::new(u64::MAX, 0), Duration::from_nanos(u64::MAX)]
    {
        assert_eq!(Duration::from_value(&Value::from(duration)), Ok(duration));
    }
    let longer = Duration::from_value(&Value::from("5124095576030432h")).unwrap_err();
    assert_eq!(longer.to_string(), "\"5124095576030432h\" is not a valid duration");
}

#[test]
fn durations_are_printed_as_in_go() {
    let printed = |nanoseconds| Value::from(Duration::from_nanos(nanoseconds)).as_str().unwrap().to_owned();
    for (nanoseconds, text) in [
        (0, "0s"),
        (1, "1ns"),
        (1_100, "1.1µs"),
        (2_200_000, "2.2ms"),
        (3_300_000_000, "3.3s"),
        (245_000_000_000, "4m5s"),
        (245_001_000_000, "4m5.001s"),
        (18_367_001_000_000, "5h6m7.001s"),
        (480_000_000_001, "8m0.000000001s"),
        (i64::MAX as u64, "2562047h47m16.854775807s"),
    ] {
        assert_eq!(printed(nanoseconds), text);
        assert_eq!(parse_duration(text).unwrap(), i64::try_from(nanoseconds).unwrap());
    }
}

#[test]
fn typed_functions_follow_the_calling_rules() -> Result<(), Error> {
    let sum = |numbers: Vec<Number>| numbers.iter().try_fold(Number::ZERO, |sum, number| sum.add(number));
    let sum = Function::typed("sum", sum).with_parameters(["numbers"]);
    assert_eq!(sum.name(), "sum");
    assert_eq!(sum.parameters()[0].ty(), &Type::list(Type::Number));
    assert_eq!(sum.call(&[Value::from(vec![1, 2, 3])])?, Value::from(6));
    assert_eq!(sum.result_type_of(&[Type::list(Type::Number)])?, Type::Number);
    assert_eq!(
        sum.call(&[Value::from(vec![1]), Value::TRUE]).unwrap_err().to_string(),
        "1 argument is required, found 2"
    );

    // Unknown arguments and arguments with unknown parts.
    let unknown = "(unknown number, not null)";
    assert_eq!(sum.call(&[Value::unknown(Type::list(Type::Number))])?.to_string(), unknown);
    assert_eq!(
        sum.call(&[Value::list([Value::from(1), Value::unknown(Type::Number)])?])?.to_string(),
        unknown
    );
    assert_eq!(sum.call(&[Value::DYNAMIC])?, Value::DYNAMIC);
    // The result gets the marks of arguments and of their parts.
    let secret = Value::list([Value::from(1), Value::from(2).mark(Mark::sensitive())])?;
    assert_eq!(sum.call(&[secret])?, Value::from(3).mark(Mark::sensitive()));
    // Only an `Option` accepts null.
    let null = Value::null(Type::list(Type::Number));
    assert_eq!(sum.call(&[null]).unwrap_err().to_string(), "[0]: an argument must not be null");
    let or = Function::typed("or", |given: Option<u8>, other: u8| given.unwrap_or(other));
    assert_eq!(or.call(&[Value::null(Type::Number), Value::from(2)])?, Value::from(2));
    let error = or.call(&[Value::from(1), Value::from(256)]).unwrap_err();
    assert_eq!(error.to_string(), "[1]: expected a whole number from 0 to 255, found 256");
    // A result that can be null is not refined.
    let none = Function::typed("none", |_: u8| None::<u8>);
    assert_eq!(none.call(&[Value::from(1)])?, Value::null(Type::Number));
    assert_eq!(none.call(&[Value::unknown(Type::Number)])?, Value::unknown(Type::Number));
    Ok(())
}

#[test]
fn typed_functions_have_up_to_eight_parameters() -> Result<(), Error> {
    let none = Function::typed("none", || "nothing");
    assert_eq!(none.call(&[])?, Value::from("nothing"));
    let eight = Function::typed(
        "eight",
        |a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, Variadic(h): Variadic<u8>| {
            [a, b, c, d, e, f, g].into_iter().chain(h).map(u32::from).sum::<u32>()
        },
    );
    assert_eq!(eight.parameters().len(), 7);
    assert_eq!(eight.variadic_parameter().map(hclkit_value::Parameter::name), Some("arg8"));
    assert_eq!(eight.call(&[1; 7].map(Value::from))?, Value::from(7));
    assert_eq!(eight.call(&[1; 12].map(Value::from))?, Value::from(12));
    assert_eq!(
        eight.call(&[1; 6].map(Value::from)).unwrap_err().to_string(),
        "at least 7 arguments are required, found 6"
    );
    let eight = eight.with_parameters(["a", "b", "c", "d", "e", "f", "g", "rest", "ignored"]);
    assert_eq!(eight.variadic_parameter().map(hclkit_value::Parameter::name), Some("rest"));
    Ok(())
}

#[test]
fn errors_of_typed_functions_keep_their_path() {
    let check = |_: String, ports: Vec<u16>| match ports.iter().position(|port| *port == 0) {
        Some(at) => Err(Error::new("a port must not be 0").within(Step::from(at)).within(Step::from(1))),
        None => Ok(ports.len()),
    };
    let check = Function::typed("check", check);
    let error = check.call(&[Value::from("a"), Value::from(vec![1, 0])]).unwrap_err();
    assert_eq!(error.to_string(), "[1][1]: a port must not be 0");
}
