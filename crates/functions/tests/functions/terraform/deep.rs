//! Calls every function with deeply nested values, and with a value whose parts are shared so that visiting all of them
//! would never end. An error is fine; a crash or an endless loop is not.

use hclkit_functions::{Table, cty, packer, spec, terraform};
use hclkit_value::{Error, Function, Type, Value};

use super::everything;

/// Near the nesting limit of JSON and YAML.
const DEPTH: usize = 990;

fn tables() -> [Table; 4] {
    [spec(), cty(), terraform(&everything()), packer(&everything())]
}

fn deep(around: impl Fn(Value) -> Value) -> Value {
    (0..DEPTH).fold(Value::from("x"), |value, _| around(value))
}

/// Calls a function like an expression does.
fn call(function: &Function, arguments: &[Value]) -> Result<Value, Error> {
    let converted: Result<Vec<Value>, Error> = arguments
        .iter()
        .enumerate()
        .map(|(at, value)| {
            function.parameter_at(at).map_or(Ok(value.clone()), |wanted| value.convert(wanted.ty()))
        })
        .collect();
    function.call(&converted?)
}

/// Calls each function with the value in each argument position, together with other arguments.
fn call_all(value: &Value) {
    let others = [value.clone(), Value::from("x")];
    for table in tables() {
        for function in table.values() {
            for count in 1..=2 {
                for at in 0..count {
                    for other in &others {
                        let mut arguments = vec![other.clone(); count];
                        arguments[at] = value.clone();
                        let _ = call(function, &arguments);
                    }
                }
            }
        }
    }
}

#[test]
fn functions_accept_deep_tuples() {
    call_all(&deep(|value| Value::tuple([value])));
}

#[test]
fn functions_accept_deep_objects() {
    call_all(&deep(|value| Value::object([("a", value)])));
}

#[test]
fn functions_accept_deep_lists() {
    call_all(&deep(|value| Value::list([value]).unwrap()));
}

#[test]
fn functions_accept_deep_sets() {
    call_all(&deep(|value| Value::set([value]).unwrap()));
}

#[test]
fn functions_accept_deep_maps() {
    call_all(&deep(|value| Value::map([("a", value)]).unwrap()));
}

#[test]
fn functions_accept_deep_unknown_values() {
    call_all(&(0..DEPTH).fold(Value::unknown(Type::String), |value, _| Value::tuple([value])));
    call_all(&Value::unknown((0..DEPTH).fold(Type::String, |ty, _| Type::list(ty))));
}

/// Functions that visit or write each part of their arguments.
const THOROUGH: [&str; 10] = [
    "distinct",
    "flatten",
    "jsonencode",
    "sethaselement",
    "setintersection",
    "setsubtract",
    "setsymmetricdifference",
    "setunion",
    "toset",
    "yamlencode",
];

#[test]
fn shared_parts_do_not_cause_endless_loops() {
    let value = (0..64).fold(Value::from("x"), |value, _| Value::tuple([value.clone(), value]));
    for table in tables() {
        for (_, function) in table.iter().filter(|(name, _)| !THOROUGH.contains(name)) {
            for count in 1..=2 {
                let _ = call(function, &vec![value.clone(); count]);
            }
        }
    }
}
