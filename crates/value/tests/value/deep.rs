//! Values and types that were built in code are nested as deeply as the code likes. On a stack of 2 MiB they can be
//! printed and dropped.

use hclkit_value::{Mark, Type, Value};

const DEPTH: usize = 5_000;

fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

/// A value of each compound kind, nested in itself.
fn deep_values() -> Vec<Value> {
    let wraps: [fn(Value) -> Value; 5] = [
        |inner| Value::tuple([inner]),
        |inner| Value::object([("a", inner)]),
        |inner| Value::list([inner]).unwrap(),
        |inner| Value::map([("a", inner)]).unwrap(),
        |inner| Value::tuple([inner.mark(Mark::new("sensitive"))]),
    ];
    wraps.iter().map(|wrap| (0..DEPTH).fold(Value::from(1), |inner, _| wrap(inner))).collect()
}

fn deep_types() -> Vec<Type> {
    let wraps: [fn(Type) -> Type; 5] = [
        Type::list,
        Type::set,
        Type::map,
        |inner| Type::tuple([inner]),
        |inner| Type::object([("a", inner)]),
    ];
    wraps.iter().map(|wrap| (0..DEPTH).fold(Type::String, |inner, _| wrap(inner))).collect()
}

#[test]
fn deep_values_are_printed() {
    on_small_stack(|| {
        for value in deep_values() {
            assert!(value.to_string().len() > DEPTH || value.to_string() == "[(sensitive)]");
            assert_eq!(format!("{value:?}"), value.to_string());
            let revealed = value.show().with_reveal_marked(true).to_string();
            assert!(revealed.len() > 10_000, "{revealed}");
        }
    });
}

#[test]
fn deep_types_are_printed() {
    on_small_stack(|| {
        for ty in deep_types() {
            let text = ty.to_string();
            assert!(text.contains("string") && text.len() > 5 * DEPTH, "{text}");
            assert_eq!(format!("{ty:?}"), text);
            assert!(Value::unknown(ty).to_string().len() < 5_000);
        }
    });
}

#[test]
fn deep_values_and_types_have_sizes() {
    on_small_stack(|| {
        for value in deep_values() {
            assert!(value.text_size() > DEPTH as u64 && value.check_text_size().is_ok());
        }
        for ty in deep_types() {
            assert!(ty.text_size() > DEPTH as u64 && ty.check_text_size().is_ok());
        }
    });
}

#[test]
fn deep_values_and_types_are_dropped() {
    on_small_stack(|| {
        drop(deep_values());
        drop(deep_types());
    });
}

#[test]
fn debug_of_shared_parts_is_bounded() {
    let ty = (0..60).fold(Type::String, |ty, _| Type::tuple([ty.clone(), ty]));
    assert!(format!("{ty:?}").len() < 70_000);
    assert!(format!("{ty:?}").ends_with('…'));
    let value = (0..60).fold(Value::from("x"), |value, _| Value::tuple([value.clone(), value]));
    assert!(format!("{value:?}").len() < 70_000);
    assert!(format!("{value:?}").ends_with('…'));
}
