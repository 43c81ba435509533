//! Sizes, depths and lengths: the cost of values, and deep values on a small stack.

use std::collections::HashSet;
use std::thread;

use hclkit_limits::Limits;
use hclkit_value::{Error, ErrorKind, Mark, Number, SetElement, Type, Value, unify};

#[test]
fn values_are_small() {
    assert_eq!(size_of::<Value>(), 16);
    assert_eq!(size_of::<Option<Value>>(), 16);
    assert_eq!(size_of::<Type>(), 16);
    assert_eq!(size_of::<Number>(), 16);
}

#[test]
fn values_can_be_sent_between_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Value>();
    crosses::<Type>();
    crosses::<hclkit_value::Function>();
}

/// Runs a closure on a stack of the default size for threads.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .expect("the thread starts")
        .join()
        .expect("the thread does not panic");
}

fn nested_tuple(depth: usize) -> Value {
    (0..depth).fold(Value::from(1), |inner, _| Value::tuple([inner]))
}

#[test]
fn values_of_any_depth_can_be_dropped() {
    on_a_small_stack(|| drop(nested_tuple(1_000_000)));
    on_a_small_stack(|| {
        let objects = (0..1_000_000).fold(Value::from(1), |inner, _| Value::object([("a", inner)]));
        assert_eq!(objects.depth(), 1_000_000);
    });
}

#[test]
fn operations_support_a_thousand_levels() {
    on_a_small_stack(|| {
        let (a, b) = (nested_tuple(1_000), nested_tuple(1_000));
        assert_eq!(a, b);
        assert_eq!(a.equals(&b), Value::TRUE);
        assert_eq!(a.ty(), b.ty());
        assert!(a.diff(&b).is_empty());
        let mut count = 0;
        a.walk(&mut |_, _| {
            count += 1;
            true
        });
        assert_eq!(count, 1_001);
        let same = a.transform(&mut |_, part| Ok::<_, hclkit_value::Error>(part));
        assert_eq!(same.as_ref(), Ok(&b));
        let wanted = (0..1_000).fold(Type::String, |inner, _| Type::list(inner));
        let converted = a.convert(&wanted).expect("a number converts to a string");
        assert_eq!(converted.ty(), wanted);
        let json = a.to_json(&a.ty()).expect("the value is plain data");
        assert_eq!(Value::from_json(json.as_bytes(), &a.ty()).as_ref(), Ok(&b));
        let bytes = a.to_msgpack(&a.ty()).expect("the value is plain data");
        assert_eq!(Value::from_msgpack(&bytes, &a.ty()).as_ref(), Ok(&b));
        assert_eq!(a.to_string().len(), 2_001);
        let set = Value::set([a.clone(), b]).expect("both have the same type");
        assert_eq!(set.as_slice().map(<[Value]>::len), Some(1));
        assert!(a.mark(Mark::new("m")).unmark_deep().0 == a);
    });
}

/// The number of levels in text and bytes. This leaves room for the levels that a caller adds around them.
const LEVELS: usize = 990;

fn nested(wrap: fn(Value) -> Value) -> Value {
    (0..LEVELS).fold(Value::from(1), |inner, _| wrap(inner))
}

fn nested_type(wrap: fn(Type) -> Type) -> Type {
    (0..LEVELS).fold(Type::String, |inner, _| wrap(inner))
}

const IN_TUPLE: fn(Value) -> Value = |inner| Value::tuple([inner]);
const IN_OBJECT: fn(Value) -> Value = |inner| Value::object([("a", inner)]);
const IN_LIST: fn(Value) -> Value = |inner| Value::list([inner]).expect("there is an element");
const IN_SET: fn(Value) -> Value = |inner| Value::set([inner]).expect("there is an element");
const IN_MAP: fn(Value) -> Value = |inner| Value::map([("a", inner)]).expect("there is an element");
const MARKED: fn(Value) -> Value = |inner| Value::tuple([inner]).mark(Mark::new("m"));
const TUPLE: fn(Type) -> Type = |inner| Type::tuple([inner]);
const OBJECT: fn(Type) -> Type = |inner| Type::object([("a", inner)]);

/// Conversions recurse for each level. This checks that a small stack is enough even without optimization.
#[test]
fn conversions_of_any_kind_fit_a_small_stack() {
    type Kind = (fn(Value) -> Value, fn(Type) -> Type);
    let kinds: [Kind; 15] = [
        (IN_TUPLE, TUPLE),
        (IN_TUPLE, Type::list),
        (IN_TUPLE, Type::set),
        (IN_OBJECT, OBJECT),
        (IN_OBJECT, Type::map),
        (IN_LIST, Type::list),
        (IN_LIST, Type::set),
        (IN_SET, Type::set),
        (IN_SET, Type::list),
        (IN_MAP, Type::map),
        (IN_MAP, OBJECT),
        (MARKED, TUPLE),
        (MARKED, Type::list),
        (IN_TUPLE, OBJECT),
        (IN_OBJECT, Type::list),
    ];
    on_a_small_stack(move || {
        for (at, (wrap, wrap_type)) in kinds.into_iter().enumerate() {
            let (value, wanted) = (nested(wrap), nested_type(wrap_type));
            let converted = value.convert(&wanted);
            assert_eq!(converted.is_ok(), at < 13, "{}", value.ty().friendly_name());
            assert!(converted.is_err() || converted.is_ok_and(|converted| converted.ty() == wanted));
            let _ = value.convert_safely(&wanted);
            for absent in [Value::null(value.ty()), Value::unknown(value.ty())] {
                assert_eq!(absent.convert(&wanted).is_ok(), at < 13);
            }
        }
    });
}

#[test]
fn decoders_limit_the_depth() {
    on_a_small_stack(|| {
        let deep = "[".repeat(100_000);
        for result in [
            Value::from_plain_json(deep.as_bytes()).map(|_| ()),
            Value::from_json(deep.as_bytes(), &Type::Dynamic).map(|_| ()),
            Type::from_json("[\"list\",".repeat(100_000).as_bytes()).map(|_| ()),
            Type::implied_by_msgpack(&vec![0x91; 100_000]).map(|_| ()),
        ] {
            assert!(result.is_err());
        }
    });
}

#[test]
fn decoders_do_not_trust_lengths() {
    let huge = [0xdd, 0xff, 0xff, 0xff, 0xff];
    assert!(Value::from_msgpack(&huge, &Type::list(Type::Bool)).is_err());
    assert!(Type::implied_by_msgpack(&[0xdf, 0xff, 0xff, 0xff, 0xff]).is_err());
    let long = Value::unknown(Type::list(Type::Bool)).refine().with_not_null().with_len(u64::MAX).finish();
    assert!(long.is_ok_and(|value| !value.is_known()));
}

#[test]
fn large_exponents_cost_nothing() {
    for text in ["1e600000000", "1e-600000000", "1p2000000000", "1e-646456993", "12345e646456000"] {
        let number: Number = text.parse().expect("the text is a number");
        assert_eq!(number.compare(&number), std::cmp::Ordering::Equal);
        assert!(number.multiply(&number).is_ok() && number.add(&Number::ONE).is_ok());
        // The text has an exponent, and cannot be a string of the language.
        assert!(number.to_string().len() < 200);
        assert_eq!(number.to_string().parse(), Ok(number.clone()));
        assert!(Value::from(number).convert(&Type::String).is_err());
    }
    assert!("1e99999999999".parse::<Number>().is_err());
    assert!("1e999999999".parse::<Number>().is_ok_and(|number| number.is_infinite()));
}

#[test]
fn long_numbers_are_parsed_in_linear_time() {
    // Found by fuzzing: exact arithmetic on the digits is not linear.
    let number: Number = "99052655555E777385".parse().expect("the text is a number");
    for _ in 0..10 {
        let text = number.to_string();
        assert_eq!((text.len(), text.parse().as_ref()), (777_396, Ok(&number)));
    }
    let long = ["1.", &"0".repeat(50_000), "1"].concat();
    assert_eq!(long.parse(), Ok(Number::ONE));
    let nines = "9".repeat(100_000).parse::<Number>().expect("the text is a number");
    assert_eq!(nines.to_string(), format!("1{}", "0".repeat(100_000)));
}

#[test]
fn a_large_tuple_converts_to_a_list_in_linear_time() {
    let shape = hclkit_value::ObjectShape::new(["id", "name"]);
    let objects = (0..200_000).filter_map(|i| shape.object([Value::from(i), Value::from("x")]));
    let tuple = Value::tuple(objects);
    let list = tuple.convert(&Type::list(Type::Dynamic)).expect("the objects have the same type");
    assert_eq!(list.length(), Ok(Value::from(200_000)));
}

/// Each of these would take minutes if it took quadratic time.
#[test]
fn operations_on_many_parts_do_not_take_quadratic_time() {
    const COUNT: usize = 40_000;
    let mixed = |at: usize| if at.is_multiple_of(2) { Value::from(at) } else { Value::from("x") };
    let tuple = Value::tuple((0..COUNT).map(mixed));
    let list = tuple.convert(&Type::list(Type::Dynamic)).expect("numbers convert to strings");
    assert_eq!(list.ty(), Type::list(Type::String));

    let marked = Value::tuple((0..COUNT).map(|at| Value::from(at).mark(Mark::new(at.to_string()))));
    assert_eq!(marked.unmark_deep().1.len(), COUNT);
    let (bare, marks) = marked.unmark_deep_with_paths();
    assert_eq!(bare.mark_paths(&marks), marked);

    let set =
        |from: usize| Value::set((from..from + COUNT).map(Value::from)).expect("all elements are numbers");
    assert_eq!(set(0).diff(&set(1)).len(), 2);
}

/// A value in which each level contains the one below it twice: small in memory, but exponentially large as text.
fn shared(leaf: Value, wrap: fn(Value) -> Value) -> Value {
    (0..60).fold(leaf, |value, _| wrap(value))
}

#[test]
fn shared_parts_are_visited_once() {
    let twice: [fn(Value) -> Value; 4] = [
        |value| Value::tuple([value.clone(), value]),
        |value| Value::object([("a", value.clone()), ("b", value)]),
        |value| Value::list([value.clone(), value]).expect("both have the same type"),
        |value| Value::tuple([value.clone(), value]).mark(Mark::new("outer")),
    ];
    for wrap in twice {
        let value = shared(Value::from(1), wrap);
        let ty = value.ty();
        assert!(value.has_type(&ty) && ty.matches(&ty) && ty.converts_safely_to(&ty) && !ty.has_dynamic());
        assert_eq!(value.convert(&ty).as_ref(), Ok(&value));
        assert_eq!(value.equals(&value.clone()).unmark().0, Value::TRUE);
        assert_eq!(unify(&[ty.clone(), ty.clone()]), Some(ty.clone()));
        let apart = shared(Value::from(1), wrap);
        assert_eq!(value, apart);
        assert_eq!(value.equals(&apart).unmark().0, Value::TRUE);
        assert_eq!(value.equals(&shared(Value::from(2), wrap)).unmark().0, Value::FALSE);
        assert!(!value.equals(&shared(Value::unknown(Type::Number), wrap)).is_known());
        assert_eq!(unify(&[ty, apart.ty()]), Some(value.ty()));
        assert!(HashSet::from([SetElement(&value)]).contains(&SetElement(&apart)));
        let (bare, marks) = shared(Value::from(1).mark(Mark::new("m")), wrap).unmark_deep();
        assert!(!bare.contains_marked() && marks.contains(&Mark::new("m")));
    }
}

#[test]
fn shared_parts_are_converted_and_ordered_once() {
    let tuple = |leaf: Value| shared(leaf, |value| Value::tuple([value.clone(), value]));
    let (numbers, texts) = (tuple(Value::from(1)), tuple(Value::from("a")));
    let list = Type::list(Type::Dynamic);
    let objects = |names: [&str; 2]| {
        Value::tuple(
            [(names[0], &numbers), (names[1], &texts)]
                .map(|(name, value)| Value::object([(name, value.clone())])),
        )
    };
    for (value, length) in [
        (Value::tuple([numbers.clone(), texts.clone()]), 2),
        (objects(["a", "a"]), 2),
        (objects(["a", "b"]), 2),
        (numbers.clone(), 2),
    ] {
        assert_eq!(value.convert(&list).map(|list| list.parts().len()), Ok(length));
    }
    let set = Value::tuple([texts, numbers.clone(), numbers]).convert(&Type::set(Type::Dynamic)).unwrap();
    assert_eq!(set.parts().len(), 2);
    assert!(set.parts().iter().all(|part| set.has_element(part) == Ok(Value::TRUE)));
}

/// Large numbers are compared without writing a million zeros.
#[test]
#[allow(
    clippy::mutable_key_type,
    reason = "only the lazily computed type changes, and the hash does not depend on it"
)]
fn large_numbers_are_distinguished_by_their_digits() {
    let numbers: HashSet<Value> = (0..2_000)
        .map(|at| Value::from(format!("1e{}", 990_000 + at % 1_000)).convert(&Type::Number).unwrap())
        .collect();
    assert_eq!(numbers.len(), 1_000);
    let float = |number: f64| Value::from(number);
    let read = |text: &str| Value::from(text).convert(&Type::Number).unwrap();
    for (a, b) in [(float(0.1), read("0.1")), (float(1e18), read("1e18")), (float(-3.0), read("-3"))] {
        assert_eq!(a, b);
        assert!(HashSet::from([a]).contains(&b));
    }
}

#[test]
fn deep_types_can_be_unified() {
    on_a_small_stack(|| {
        for wrap in [Type::list, Type::map, TUPLE, OBJECT] {
            let deep = |leaf| (0..LEVELS).fold(leaf, |ty, _| wrap(ty));
            assert_eq!(unify(&[deep(Type::Number), deep(Type::String)]), Some(deep(Type::String)));
        }
    });
}

/// A value that takes little memory, but contains its innermost part 2^60 times.
#[test]
fn walks_over_shared_parts_end() {
    let doubled = |leaf: Value| (0..60).fold(leaf, |value, _| Value::tuple([value.clone(), value]));
    let marked = doubled(Value::from("x").mark(hclkit_value::Mark::new("m")));
    let unknown = doubled(Value::unknown(hclkit_value::Type::String));
    hclkit_limits::Limits::new().with_steps(10_000).with_elements(10_000).with_bytes(10_000).run(|| {
        assert!(unknown.unknown_as_null().is_wholly_known());
        assert!(marked.show().with_reveal_marked(true).to_string().len() < 20_000);
        let same = marked.transform(&mut |_, part| Ok::<_, hclkit_value::Error>(part));
        assert!(same.is_err());
        let (bare, marks) = marked.unmark_deep_with_paths();
        assert!(!bare.contains_marked() && !marks.is_empty());
    });
}

/// Reads text or bytes whose end is missing: only what stops before it reports a limit.
fn stops_early(name: &str, read: impl FnOnce() -> Result<Value, Error>) {
    let error = Limits::new().with_elements(20_000).run(read).expect_err(name);
    assert!(matches!(error.kind(), ErrorKind::Limit(_)), "{name}: {error}");
}

#[test]
fn decoding_stops_at_the_limit_on_elements() {
    const MANY: usize = 40_000;
    let names = || (0..1_000).map(|at| format!("a{at}"));
    let wide = Type::object_with_optional(names().map(|name| (name, Type::String)), names());
    let empty = || Type::tuple([] as [Type; 0]);
    let elements = [
        ("[]", empty(), &[0x90][..]),
        ("{}", Type::object([] as [(&str, Type); 0]), &[0x80]),
        ("0", Type::Number, &[0]),
        ("null", Type::String, &[0xc0]),
        ("[[]]", Type::tuple([empty()]), &[0x91, 0x90]),
        ("[0]", Type::set(Type::Number), &[0x91, 0]),
        (r#"{"a":0}"#, Type::map(Type::Number), &[0x81, 0xa1, b'a', 0]),
        (r#"{"a":0}"#, Type::object([("a", Type::Number)]), &[0x81, 0xa1, b'a', 0]),
        // In JSON, attributes may be missing.
        ("{}", wide, &[0xc0]),
    ];
    for (json, element, msgpack) in elements {
        let list = format!("[{}", format!("{json},").repeat(MANY));
        let items: Vec<String> = (0..MANY).map(|at| format!("\"{at}\":{json},")).collect();
        let map = format!("{{{}", items.concat());
        stops_early(json, || Value::from_plain_json(list.as_bytes()));
        stops_early(json, || Value::from_plain_json(map.as_bytes()));
        let array = [&[0xdd, 0xff, 0xff, 0xff, 0xff][..], &msgpack.repeat(MANY)].concat();
        let entries =
            [&[0xdf, 0xff, 0xff, 0xff, 0xff][..], &[&[0xa1, b'k'], msgpack].concat().repeat(MANY)].concat();
        for ty in [
            Type::list(element.clone()),
            Type::set(element.clone()),
            Type::tuple(vec![element.clone(); 2 * MANY]),
        ] {
            stops_early(json, || Value::from_json(list.as_bytes(), &ty));
            if ty.tuple_elements().is_none() {
                stops_early(json, || Value::from_msgpack(&array, &ty));
            }
        }
        let ty = Type::map(element);
        stops_early(json, || Value::from_json(map.as_bytes(), &ty));
        stops_early(json, || Value::from_msgpack(&entries, &ty));
    }
}
