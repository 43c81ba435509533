//! Hostile arguments result in an error or a value, but never in a crash or an endless loop.

use std::fmt::Write;

use hclkit_functions::{Grants, Table, terraform};
use hclkit_value::{Error, Type, Value};

fn call(table: &Table, name: &str, args: &[Value]) -> Result<Value, Error> {
    table[name].call(args)
}

fn text(text: impl Into<String>) -> Value {
    Value::from(text.into())
}

#[test]
fn yaml_nesting_is_limited() {
    let table = terraform(&Grants::new());
    for deep in ["[".repeat(100_000), "- ".repeat(100_000), "{a: ".repeat(100_000), "? ".repeat(50_000)] {
        assert!(call(&table, "yamldecode", &[text(deep)]).is_err());
    }
    let fits = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let value = call(&table, "yamldecode", &[text(fits)]).unwrap();
    assert_eq!(value.depth(), 200);
    let written = call(&table, "yamlencode", std::slice::from_ref(&value)).unwrap();
    assert_eq!(call(&table, "yamldecode", &[written]).unwrap(), value);
    let fits = (0..1_000).fold(Value::from(1), |value, _| Value::tuple([value]));
    assert!(call(&table, "yamlencode", &[fits]).is_ok());
    let deeper = (0..1_001).fold(Value::from(1), |value, _| Value::tuple([value]));
    assert!(call(&table, "yamlencode", &[deeper]).is_err());
}

#[test]
fn yaml_alias_expansion_is_limited() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..20 {
        let alias = format!("*a{}", level - 1);
        let _ = writeln!(bomb, "a{level}: &a{level} [{}]", vec![alias; 10].join(", "));
    }
    let error = call(&terraform(&Grants::new()), "yamldecode", &[text(bomb)]).unwrap_err();
    assert!(error.message().contains("elements"), "{error}");
}

#[test]
fn address_numbers_can_be_large() {
    let table = terraform(&Grants::new());
    let huge: Value = Value::from("1e400").convert(&hclkit_value::Type::Number).unwrap();
    for prefix in ["10.0.0.0/8", "::/0", "0.0.0.0/0"] {
        assert!(call(&table, "cidrhost", &[text(prefix), huge.clone()]).is_err());
        assert!(call(&table, "cidrsubnet", &[text(prefix), Value::from(8), huge.clone()]).is_err());
        assert!(call(&table, "cidrsubnet", &[text(prefix), huge.clone(), Value::from(0)]).is_err());
        for bits in [i64::MIN, -129, -1, 0, 1, 31, 32, 127, 128, 129, i64::MAX] {
            for number in [i64::MIN, -1, 0, 1, i64::MAX] {
                let _ = call(&table, "cidrsubnet", &[text(prefix), Value::from(bits), Value::from(number)]);
                let _ = call(&table, "cidrhost", &[text(prefix), Value::from(number)]);
            }
            let _ = call(&table, "cidrsubnets", &[text(prefix), Value::from(bits), Value::from(1)]);
        }
    }
    let last = Value::from(u128::MAX);
    assert_eq!(
        call(&table, "cidrhost", &[text("::/0"), last]).unwrap(),
        Value::from("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")
    );
}

#[test]
fn small_arguments_cannot_exhaust_memory() {
    let table = terraform(&Grants::new());
    let million = text("x".repeat(1 << 20));
    let greatest = Value::from(i64::MAX);
    let call = |name: &str, args: &[Value]| table[name].call(args);
    assert_eq!(call("indent", &[greatest.clone(), text("x")]).unwrap(), text("x"));
    assert!(call("indent", &[greatest.clone(), text("x\ny")]).is_err());
    assert!(call("indent", &[Value::from(1 << 20), text("\n".repeat(1 << 20))]).is_err());
    assert!(call("replace", &[million.clone(), text(""), million.clone()]).is_err());
    assert!(call("replace", &[million.clone(), text("/x/"), million.clone()]).is_err());
    assert!(call("replace", &[million.clone(), text("/^x*$/"), text("$0".repeat(1 << 20))]).is_err());
    assert!(call("join", &[million.clone(), Value::list(vec![text(""); 1 << 10]).unwrap()]).is_err());
    for verb in [
        "%9223372036854775807s",
        "%.9223372036854775807f",
        "%99999999999999999999d",
        "%[99999999999999999999]d",
    ] {
        assert!(call("format", &[text(verb), Value::from(1)]).is_err(), "{verb}");
    }
    let many = Value::list(vec![Value::from(1); 1 << 11]).unwrap();
    let much = Value::list(vec![million; 1 << 9]).unwrap();
    assert!(call("formatlist", &[text("%s"), much.clone()]).is_err());
    assert!(call("jsonencode", std::slice::from_ref(&much)).is_err());
    assert!(call("range", std::slice::from_ref(&greatest)).is_err());
    let chunks = call("chunklist", &[many.clone(), greatest]).unwrap();
    assert_eq!(chunks.length().unwrap(), Value::from(1));
    assert!(call("setproduct", &[many.clone(), many.clone(), many.clone()]).is_err());
    let one = Value::list([Value::from(1)]).unwrap();
    let factors = [many.clone(), many.clone()].into_iter().chain(vec![one; 1 << 11]);
    assert!(call("setproduct", &factors.collect::<Vec<_>>()).is_err());
    let lists = vec![many; 1 << 14];
    assert!(call("concat", &lists).is_err());
    assert!(call("flatten", &[Value::tuple(lists)]).is_err());
    assert!(call("split", &[text(""), text("x".repeat((1 << 24) + 1))]).is_err());
}

/// Rust's own formatting supports widths up to 65,535 only.
#[test]
fn numbers_are_formatted_with_any_precision_up_to_the_limit() {
    let table = terraform(&Grants::new());
    for precision in [65_534, 65_535, 65_536, 70_000, 1_000_000] {
        for (verb, start) in [("f", "1.5000"), ("e", "1.5000"), ("g", "1.5"), ("E", "1.5000"), ("G", "1.5")] {
            let args =
                [text(format!("%.{precision}{verb}")), Value::from("1.5").convert(&Type::Number).unwrap()];
            let result = call(&table, "format", &args).unwrap();
            let result = result.as_str().unwrap();
            assert!(result.starts_with(start), "{precision}{verb}: {result:.20}");
            if verb == "f" {
                assert_eq!(result.len(), precision + 2);
            }
        }
        let huge = text(format!("1e{}", precision - 10)).convert(&Type::Number).unwrap();
        let result = call(&table, "format", &[text("%f"), huge]).unwrap();
        // The float next to a power of ten may be just below it.
        assert!((precision - 3..=precision - 2).contains(&result.as_str().unwrap().len()));
    }
}
