//! Tests of values by example, ordered by topic.

use hclkit_value::{
    CapsuleType, Error, FromValue, Function, Mark, Number, Parameter, Path, Type, Value, unify,
    unify_unsafely,
};

fn number(text: &str) -> Number {
    text.parse().expect("the text is a number")
}

#[test]
fn decimals_print_as_written() {
    assert_eq!(number("0.1").add(&number("0.2")).unwrap().to_string(), "0.3");
    let third = number("1").divide(&number("3")).unwrap().to_string();
    assert_eq!(third.len(), 157);
    assert!(third.starts_with("0.3333333333") && third.ends_with("3335"));
    let large = number("1e400").to_string();
    assert!(large.len() == 401 && large[1..].bytes().all(|digit| digit == b'0'));
    assert_eq!(number("-0").to_string(), "-0");
    assert_eq!(number("1").divide(&Number::ZERO).unwrap(), Number::infinity());
    assert!(Number::ZERO.divide(&Number::ZERO).is_err());
}

#[test]
fn precision_depends_on_the_origin_of_a_number() {
    let third = Number::from(1).divide(&Number::from(3)).unwrap();
    assert_eq!((third.precision(), third.to_string()), (64, "0.33333333333333333334".to_owned()));
    assert_eq!(Number::try_from(0.1).unwrap().to_string(), "0.1");
    assert_eq!(Number::try_from(0.1).unwrap(), number("0.1"));
    assert!(Number::try_from(f64::NAN).is_err());
}

#[test]
fn collections_of_mixed_types_cannot_be_built() {
    assert!(Value::list::<Value>([]).is_err());
    assert!(Value::list([Value::from(1), Value::from("a")]).is_err());
    assert!(Value::set_of(Type::Bool, [Value::from(1)]).is_err());
    assert!(Value::map([("a", Value::from(1)), ("b", Value::TRUE)]).is_err());
    let list = Value::list([Value::from(1), Value::DYNAMIC, Value::NULL]).unwrap();
    let items = [Value::from(1), Value::unknown(Type::Number), Value::null(Type::Number)];
    assert_eq!(list.as_slice(), Some(items.as_slice()));
}

#[test]
fn sets_are_ordered() {
    let set = Value::set(["b", "a", "b", "Z"].map(Value::from)).unwrap();
    assert_eq!(set.to_string(), "toset([\"Z\", \"a\", \"b\"])");
    let numbers = Value::set([10, 9, -1].map(Value::from)).unwrap();
    assert_eq!(numbers.to_string(), "toset([-1, 9, 10])");
    let marked = Value::set([Value::from("a").mark(Mark::new("m"))]).unwrap();
    assert!(marked.is_marked() && !marked.unmark().0.contains_marked());
}

#[test]
fn equal_numbers_of_different_precisions_are_one_element() -> Result<(), hclkit_value::BuildError> {
    let (text, double) = (Value::from(number("0.1")), Value::from(0.1));
    assert_eq!(Value::set([text.clone(), double.clone()])?, Value::set([text.clone()])?);
    assert_eq!(Value::set([double, text.clone()])?, Value::set([text])?);
    Ok(())
}

#[test]
fn errors_have_the_path_of_the_invalid_part() {
    let value = Value::object([("ports", Value::tuple(["1", "2", "x"].map(Value::from)))]);
    let error = value.convert(&Type::object([("ports", Type::list(Type::Number))])).unwrap_err();
    assert_eq!(error.to_string(), ".ports[2]: a number is required");
    assert_eq!(error.path(), Path::new().attribute("ports").index(2));
    let missing = Value::object([("a", Value::TRUE)]).convert(&Type::object([("b", Type::Bool)]));
    assert_eq!(missing.unwrap_err().to_string(), "attribute \"b\" is required");
}

#[test]
fn unification_prefers_the_same_types_as_the_reference() {
    assert_eq!(unify(&[Type::Number, Type::Bool]), None);
    assert_eq!(unify(&[Type::Number, Type::Bool, Type::String]), Some(Type::String));
    let (list, tuple) = (Type::list(Type::Number), Type::tuple([Type::Number]));
    assert_eq!(unify(&[list.clone(), tuple.clone()]), Some(list.clone()));
    assert_eq!(unify(&[tuple, list.clone()]), Some(list));
    assert_eq!(unify(&[]), None);
}

#[test]
fn structures_and_collections_unify_in_order() {
    let [s, n] = [Type::String, Type::Number];
    let one = Type::tuple([s.clone(), n.clone(), s.clone()]);
    let two = Type::list(Type::tuple([n.clone(), s.clone(), s.clone()]));
    let three = Type::list(Type::tuple([s.clone(), s, n]));
    let (set, object) = (Type::map(Type::set(one)), Type::object([("a", two.clone())]));
    let map = Type::map(three.clone());
    let types = [set.clone(), object.clone(), map.clone()];
    assert_eq!(unify_unsafely(&types), Some(Type::map(two)));
    assert_eq!(unify_unsafely(&[set, map.clone(), object]), Some(map));
}

#[test]
fn objects_that_do_not_unify_by_attributes_unify_to_a_map() {
    let texts = Type::map(Type::map(Type::String));
    let object = |id: Type| Type::object([("0", texts.clone()), ("id", id)]);
    let mixed = Type::object([
        ("c", Type::Dynamic),
        ("id", Type::Number),
        ("x", Type::object([("", Type::Bool); 0])),
    ]);
    let types = [object(mixed), object(Type::object([("", Type::Bool); 0])), object(Type::map(Type::Number))];
    assert_eq!(unify_unsafely(&types), Some(Type::map(Type::map(Type::Dynamic))));
}

#[test]
fn an_infinite_operand_bounds_the_result() {
    let atleast = Value::unknown(Type::Number).refine().with_min(Number::from(1)).finish().unwrap();
    let sum = Value::from(Number::infinity()).add(&atleast).unwrap().refinement();
    assert_eq!(sum.min().map(|bound| bound.number.clone()), Some(Number::infinity()));
    assert!(sum.max().is_none() && sum.is_not_null());
    let difference = Value::from(Number::infinity()).subtract(&atleast).unwrap().refinement();
    assert!(difference.min().is_none() && difference.max().is_none());
}

#[test]
fn msgpack_keys_are_strings() {
    let map = Type::map(Type::Bool);
    assert_eq!(Value::from_msgpack(&[0x81, 0xa1, b'a', 0xc3], &map).unwrap().to_string(), "{ a = true }");
    for key in [0x01, 0xc0, 0xc3, 0x80, 0x90] {
        assert!(Value::from_msgpack(&[0x81, key, 0xc3], &map).is_err());
        assert!(Type::implied_by_msgpack(&[0x81, key, 0xc3]).is_err());
    }
}

#[test]
fn msgpack_keeps_the_exact_value_of_a_double() {
    // At 53 bits it prints the shortest text, but MessagePack contains the integer of 64 bits.
    let double = Value::from(Number::try_from(-811_766_816_648_393_088.0).unwrap());
    assert_eq!(double.to_string(), "-811766816648393100");
    let bytes = double.to_msgpack(&Type::Number).unwrap();
    let back = Value::from_msgpack(&bytes, &Type::Number).unwrap();
    assert_eq!(back.to_string(), "-811766816648393088");
}

#[test]
fn conversion_keeps_refinements() {
    let tuple = Value::unknown(Type::tuple([Type::Number, Type::Number]));
    let list = tuple.convert(&Type::list(Type::String)).unwrap();
    assert_eq!((list.refinement().min_len(), list.refinement().max_len()), (2, Some(2)));
    let empty = Value::unknown(Type::list(Type::Bool)).refine().with_not_null().with_len(0).finish().unwrap();
    assert_eq!(empty, Value::empty_list(Type::Bool));
    assert!(Value::unknown(Type::Bool).refine().with_null().with_not_null().finish().is_err());
    let safe = Value::unknown(Type::String).refine().with_prefix("ab").finish().unwrap();
    assert_eq!(safe.refinement().prefix(), "a");
}

#[test]
fn capsules_use_the_operations_of_their_type() {
    let celsius = CapsuleType::builder::<i32>("celsius")
        .with_equality(|a, b| a == b)
        .with_display(|degrees| format!("{degrees}°"))
        .with_conversion_to(|degrees, ty| match ty {
            Type::Number => Ok(Value::from(*degrees)),
            _ => Err(Error::new("a temperature can only be converted to a number")),
        })
        .with_conversion_from(|value| match i32::from_value(value)? {
            ..-273 => Err(Error::new("colder than absolute zero")),
            degrees => Ok(degrees),
        })
        .build();
    let warm = celsius.value(20).unwrap();
    assert!(celsius.value("warm").is_none());
    assert_eq!(warm.convert(&Type::Number), Ok(Value::from(20)));
    assert_eq!(Value::from(20).convert(&Type::Capsule(celsius.clone())), Ok(warm.clone()));
    assert_eq!(warm.equals(&celsius.value(21).unwrap()), Value::FALSE);
    assert_eq!(warm.to_string(), "celsius(20°)");
    assert!(warm.to_json(&warm.ty()).is_err());

    let reason = |value: &Value, ty: &Type| value.convert(ty).unwrap_err().to_string();
    let ty = Type::Capsule(celsius);
    assert_eq!(reason(&warm, &Type::String), "a temperature can only be converted to a number");
    assert_eq!(reason(&Value::from(-300), &ty), "colder than absolute zero");
    assert_eq!(reason(&Value::from("20"), &ty), "expected a number, found a string");
    let list = Value::tuple([Value::from(1), Value::from(-300)]);
    assert_eq!(reason(&list, &Type::list(ty.clone())), "[1]: colder than absolute zero");
    let secret = Value::from(1_000_000_000_000i64).mark(Mark::sensitive());
    assert!(!reason(&secret, &ty).contains("1000000000000"));
}

#[test]
fn functions_follow_the_calling_rules() {
    let join = Function::unnamed(Type::String, |args, _| {
        let parts: Vec<&str> = args[1..].iter().filter_map(Value::as_str).collect();
        Ok(Value::from(parts.join(args[0].as_str().unwrap_or_default())))
    })
    .with_parameter(Parameter::new("separator", Type::String))
    .with_variadic(Parameter::new("parts", Type::String))
    .with_refined_result(hclkit_value::RefinementBuilder::with_not_null);
    let call = |args: &[Value]| join.call(args);
    assert_eq!(call(&[Value::from("-"), Value::from("a"), Value::from("b")]), Ok(Value::from("a-b")));
    assert!(call(&[]).is_err());
    assert_eq!(
        call(&[Value::from("-"), Value::null(Type::String)]).unwrap_err().to_string(),
        "[1]: an argument must not be null"
    );
    assert_eq!(call(&[Value::from(1)]).unwrap_err().path(), Path::new().index(0));
    let unknown = call(&[Value::unknown(Type::String)]).unwrap();
    assert!(unknown.refinement().is_not_null() && unknown.has_type(&Type::String));
    assert_eq!(call(&[Value::DYNAMIC]).unwrap(), Value::DYNAMIC);
    let secret = Value::from("a").mark(Mark::sensitive());
    assert_eq!(call(&[Value::from("-"), secret.clone()]), Ok(secret));
    let wrong = Function::unnamed(Type::Bool, |_, _| Ok(Value::from("not a bool")));
    assert!(wrong.call(&[]).is_err());
    let failing = Function::unnamed(Type::Bool, |_, _| Err(Error::new("no luck")));
    assert_eq!(failing.call(&[]).unwrap_err().message(), "no luck");
}

#[test]
fn values_are_displayed_for_people() {
    let value = Value::object([
        ("a b", Value::list([Value::from("${x}")]).unwrap()),
        ("n", Value::NULL),
        ("u", Value::unknown(Type::Number)),
    ]);
    assert_eq!(value.to_string(), "{ \"a b\" = [\"$${x}\"], n = null, u = (unknown number) }");
    assert_eq!(value.show().with_limit(10).to_string(), "{ \"a b\" =…");
    assert_eq!(Value::TRUE.show().with_color(true).to_string(), "\u{1b}[36mtrue\u{1b}[0m");
    let secret = Value::from(1).mark(Mark::sensitive());
    assert_eq!(secret.show().with_reveal_marked(true).to_string(), "1 (sensitive)");
}

#[test]
fn combining_marks_are_printable_in_the_order_of_sets() {
    let tuple = |text: &str| Value::tuple([Value::from(text)]);
    let set = Value::set(["\u{301}a", "\u{200d}", "z", "é"].map(tuple)).unwrap();
    let order: Vec<&Value> = set.as_slice().unwrap().iter().collect();
    assert_eq!(order, ["\u{200d}", "z", "é", "\u{301}a"].map(tuple).iter().collect::<Vec<_>>());
}

#[test]
fn repeated_json_keys_must_have_values_of_one_type() {
    let twice = Value::from_plain_json(br#"[{"a":1,"b":2,"a":3},{"a":1,"b":2,"a":4}]"#).unwrap();
    let objects = [3, 4].map(|a| Value::object([("a", Value::from(a)), ("b", Value::from(2))]));
    assert_eq!(twice, Value::tuple(objects));
    for text in [r#"{"a":1,"a":"x"}"#, r#"{"a":null,"a":1}"#, r#"[{"a":1,"a":2},{"a":1,"a":[]}]"#] {
        assert!(Value::from_plain_json(text.as_bytes()).is_err(), "{text}");
        assert!(Type::implied_by_json(text.as_bytes()).is_err(), "{text}");
    }
    assert!(Value::from_plain_json(b"1]").is_err() && Value::from_plain_json(b"[1]] x").is_err());
}

#[test]
fn json_is_parsed_strictly() {
    assert!(Value::from_json(b"[1] x", &Type::list(Type::Number)).is_err());
    assert!(Value::from_json(b"[1,]", &Type::list(Type::Number)).is_err());
    let ty = Type::object([("a", Type::Number), ("b", Type::Bool)]);
    let missing = Value::object([("a", Value::from(1)), ("b", Value::null(Type::Bool))]);
    assert_eq!(Value::from_json(b"{\"a\":1}", &ty), Ok(missing));
    assert!(Value::from_json(b"{\"c\":1}", &ty).is_err());
    let error = Value::from_json(b"{\"a\":[1,{}]}", &Type::map(Type::list(Type::Number))).unwrap_err();
    assert_eq!(error.path().to_string(), "[\"a\"][1]");
}

#[test]
fn json_errors_say_what_was_expected_and_found() {
    for (text, wanted) in [
        ("", "0: expected a value, found the end of the text"),
        ("{", "1: expected a key in quotes or `}`, found the end of the text"),
        ("{a:1}", "1: expected a key in quotes or `}`, found `a`"),
        ("{]", "1: expected a key in quotes or `}`, found `]`"),
        ("{\"a\"", "4: expected `:` after the key, found the end of the text"),
        ("{\"a\":1", "6: expected `,` or `}`, found the end of the text"),
        ("{\"a\":1,", "7: expected a key in quotes, found the end of the text"),
        ("{\"a\":1,}", "7: expected a key in quotes after the comma, found `}`"),
        ("[", "1: expected a value or `]`, found the end of the text"),
        ("[1", "2: expected `,` or `]`, found the end of the text"),
        ("[1 2]", "3: expected `,` or `]`, found `2`"),
        ("[1,]", "3: expected a value after the comma, found `]`"),
        ("1 2", "2: expected the end of the text after the value, found `2`"),
        ("trux", "3: expected `true`, found `x`"),
        ("nul", "3: expected `null`, found the end of the text"),
        ("-", "1: expected a digit, found the end of the text"),
        ("1.x", "2: expected a digit, found `x`"),
        ("é", "0: expected a value, found `é`"),
        ("\u{1b}", "0: expected a value, found `\\u{1b}`"),
        ("\"a", "2: expected `\"` at the end of the string, found the end of the text"),
        ("\"\\", "2: expected `\"` at the end of the string, found the end of the text"),
        ("\"\\q\"", "1: expected one of `\"\\/bfnrtu` after the backslash in a string"),
        ("\"\\u12\"", "1: expected four hexadecimal digits after `\\u`"),
        ("\"\n\"", "1: a control character in a string must be escaped"),
    ] {
        let error = Value::from_plain_json(text.as_bytes()).unwrap_err();
        assert_eq!(error.message(), format!("not valid JSON at byte {wanted}"), "{text:?}");
    }
    let error = Value::from_plain_json(b"[\xff]").unwrap_err();
    assert_eq!(error.message(), "not valid JSON at byte 1: expected a value, found a byte that is not UTF-8");
}
