//! What is done with each shape: all functions, writers and operations.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hash;

use hclkit::decode::PlainJson;
use hclkit::functions::{Grants, Library};
use hclkit::limits::Meter;
use hclkit::value::{SetElement, unify, unify_unsafely};
use hclkit::write::{NewBody, NewValue};
use hclkit::{Context, Expression, Layout, Limits, Type, Value};
use hclkit_functions::{Table, bake, cty, nomad, opentofu, packer, spec, terraform};

/// Limits that ordinary work with small values does not reach.
fn small() -> Limits {
    Limits::new().with_steps(20_000).with_elements(10_000).with_bytes(1 << 17)
}

/// Runs one action under the limits. Its name is the last line on standard error if it does not end.
fn act<T>(name: &str, action: impl FnOnce() -> T) {
    eprintln!("{name}");
    small().run(|| drop(action()));
}

pub(crate) fn run(value: &Value, twin: &Value) {
    operations(value, twin);
    types(&value.ty(), &twin.ty());
    writers(value);
    expressions(value, twin);
    functions(value, twin);
}

fn operations(value: &Value, twin: &Value) {
    act("==", || value == twin);
    act("equals", || value.equals(twin));
    act("set element", || SetElement(value) == SetElement(twin));
    act("diff", || value.diff(twin));
    act("hash", || value.hash(&mut DefaultHasher::new()));
    act("walk", || {
        let mut count = 0;
        value.walk(&mut |_, _| {
            count += 1;
            true
        });
        assert!(count <= 20_001, "walk visited {count} parts");
    });
    act("transform", || value.transform(&mut |_, part| Ok::<_, hclkit::value::Error>(part)));
    act("unmark_deep", || value.unmark_deep());
    act("unmark_deep_with_paths", || value.unmark_deep_with_paths());
    act("unknown_as_null", || value.unknown_as_null());
    act("without_known_parts", || Value::open(value.clone()).without_known_parts());
    act("is_wholly_known", || value.is_wholly_known());
    act("text_size", || value.text_size());
    act("elements", || value.elements());
    act("length", || value.length());
    act("list", || Value::list([value.clone(), twin.clone()]));
    act("list of unlike", || Value::list([value.clone(), Value::tuple([twin.clone()])]));
    act("set", || Value::set([value.clone(), twin.clone()]));
    act("has_element", || Value::set([value.clone()]).map(|set| set.has_element(twin)));
    act("map", || Value::map([("a", value.clone()), ("b", twin.clone())]));
    let any = Type::Dynamic;
    for ty in [
        Type::list(any.clone()),
        Type::set(any.clone()),
        Type::map(any.clone()),
        Type::list(Type::list(any.clone())),
        Type::list(Type::set(any.clone())),
        Type::map(Type::map(any)),
        Type::String,
        twin.ty(),
        Type::list(twin.ty()),
        Type::object_with_optional([("a", twin.ty()), ("c", twin.ty())], ["c"]),
    ] {
        let name = ty.friendly_name();
        act(&format!("convert to {name}"), || value.convert(&ty));
        act(&format!("convert to {name} safely"), || value.convert_safely(&ty));
        act(&format!("convert pair to {name}"), || {
            Value::tuple([value.clone(), Value::tuple([twin.clone(), value.clone()])]).convert(&ty)
        });
    }
}

fn types(ty: &Type, twin: &Type) {
    let part = ty.tuple_elements().and_then(<[Type]>::first).or(ty.element()).unwrap_or(ty).clone();
    let optional = || Type::object_with_optional([("a", ty.clone()), ("b", twin.clone())], ["a"]);
    act("type ==", || ty == twin);
    act("type display", || ty.to_string());
    act("type debug", || format!("{ty:?}"));
    act("type names", || (ty.friendly_name(), ty.required_name()));
    act("type as JSON", || ty.to_json());
    act("type as source", || Layout::new().ty(ty));
    act("type hash", || ty.hash(&mut DefaultHasher::new()));
    act("type matches", || (ty.matches(twin), ty.converts_to(twin), ty.converts_safely_to(&part)));
    act("type converts", || {
        (ty.converts_to(&Type::list(part.clone())), Type::list(ty.clone()).converts_to(&part))
    });
    act("without_optional", || optional().without_optional());
    act("without_optional inside", || {
        (0..30).fold(optional(), |ty, _| Type::tuple([ty.clone(), ty])).without_optional()
    });
    act("map_parts", || ty.map_parts(&mut |part| part));
    act("type walk", || {
        let mut count = 0;
        ty.walk(&mut |_| {
            count += 1;
            true
        });
        assert!(count <= 20_001, "walk visited {count} parts");
    });
    let (list, set) = (Type::list(ty.clone()), Type::set(part.clone()));
    let pair = Type::tuple([ty.clone(), part.clone()]);
    let object = Type::object([("a", twin.clone()), ("b", part.clone())]);
    for unify in [unify, unify_unsafely] {
        act("unify equal types", || unify(&[ty.clone(), twin.clone()]));
        act("unify with a part", || unify(&[ty.clone(), part.clone()]));
        act("unify with a list", || unify(&[ty.clone(), list.clone(), pair.clone()]));
        act("unify with a set", || unify(&[set.clone(), Type::set(ty.clone()), pair.clone()]));
        act("unify with an object", || unify(&[object.clone(), Type::map(ty.clone())]));
        act("unify objects", || unify(&[object.clone(), Type::object([("a", part.clone())])]));
        act("unify everything", || {
            unify(&[ty.clone(), list.clone(), set.clone(), pair.clone(), object.clone(), Type::Dynamic])
        });
    }
}

fn writers(value: &Value) {
    act("display", || value.to_string());
    act("debug", || format!("{value:?}"));
    act("show", || value.show().with_limit(100).with_reveal_marked(true).to_string());
    act("JSON", || value.to_json(&value.ty()));
    act("typed JSON", || value.to_json(&Type::Dynamic));
    act("MessagePack", || value.to_msgpack(&value.ty()));
    act("typed MessagePack", || value.to_msgpack(&Type::Dynamic));
    act("serde", || serde_json::to_string(value).map(drop));
    act("serde to a JSON value", || serde_json::to_value(value).map(drop));
    act("plain JSON", || serde_json::to_string(&PlainJson::new(value)).map(drop));
    act("plain JSON with type", || serde_json::to_string(&PlainJson::new(value).with_type()).map(drop));
    act("plain JSON without nulls", || {
        serde_json::to_string(&PlainJson::new(value).without_nulls()).map(drop)
    });
    act("serde_json::Value of it", || hclkit::serde::from_value::<serde_json::Value>(value).map(drop));
    act("HCL by serde", || hclkit::serde::to_string(value).map(drop));
    act("source", || Layout::new().value(value));
    act("source of a new value", || NewValue::from(value.clone()).source());
    act("source of a new body", || NewBody::new().attribute("a", value.clone()).source());
}

/// Expressions over `v` and `w`, which are equal.
const EXPRESSIONS: &[&str] = &[
    "v == w",
    "v != [w]",
    "[v] == [w]",
    "[v, w]",
    "true ? v : w",
    "true ? v : [w]",
    "u ? v : w",
    "u ? v : [w, v]",
    "u ? v : v[0]",
    "u ? { a = v } : { a = w, b = v }",
    "[for x in v : x]",
    "[for x in v : [x, w]]",
    "{ for k, x in v : k => x }",
    "{ for k, x in v : x => k... }",
    "[for x in v : x if x == w]",
    "v[*]",
    "v[*][0]",
    "v.*.a",
    "v[0]",
    "v[0][0]",
    "v.a",
    "v[\"a\"]",
    "v[w]",
    "{ a = 1 }[v]",
    "{ (v) = 1 }",
    "\"${v}\"",
    "\"a${v}b\"",
    "\"%{ for x in v }${x}%{ endfor }\"",
    "\"%{ if v }%{ endif }\"",
    "v + w",
    "-v",
    "!v",
    "v && w",
    "v < w",
    "max(v...)",
    "nofunction(v)",
    "try(v.x, w)",
    "can(v[0])",
    "jsonencode(v)",
    "tolist([v, w])",
    "setunion([v, v], w)",
    "setsubtract([v, v], w)",
    "undefined + v",
];

fn expressions(value: &Value, twin: &Value) {
    let context = Context::new()
        .with_functions(Library::Terraform.functions(&Grants::new()))
        .with("v", value.clone())
        .with("w", twin.clone())
        .with("u", Value::unknown(Type::Bool));
    for text in EXPRESSIONS {
        let expression = Expression::parse(*text).unwrap();
        act(&format!("evaluate {text}"), || {
            expression
                .evaluate(&context)
                .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>())
        });
        act(&format!("partially evaluate {text}"), || expression.partial(&context));
        act(&format!("explain {text}"), || expression.explain(&context));
    }
}

/// The functions of each library.
fn libraries() -> impl Iterator<Item = (&'static str, Table)> {
    let grants = Grants::new().with_clock().with_random();
    Library::ALL.iter().map(move |library| {
        let table = match library.as_str() {
            "none" => Table::new(),
            "spec" => spec(),
            "cty" => cty(),
            "terraform" => terraform(&grants),
            "opentofu" => opentofu(&grants),
            "packer" => packer(&grants),
            "bake" => bake(&grants),
            "nomad" => nomad(&grants),
            other => panic!("add the functions of {other}"),
        };
        (library.as_str(), table)
    })
}

fn functions(value: &Value, twin: &Value) {
    let part = value.parts().first().unwrap_or(value).clone();
    let pool = [
        value.clone(),
        Value::tuple([value.clone(), value.clone()]),
        twin.clone(),
        Value::tuple([value.clone(), part]),
        Value::object([("a", value.clone()), ("b", twin.clone())]),
        Value::tuple([Value::tuple([value.clone()]), Value::tuple([twin.clone(), value.clone()])]),
    ];
    for (library, table) in libraries() {
        for (name, function) in &table {
            let variadic = 2 * usize::from(function.variadic_parameter().is_some());
            let count = function.parameters().len() + variadic;
            // The arguments are the same, or follow each other in the list.
            for (turn, step) in (0..pool.len()).flat_map(|turn| [(turn, 0), (turn, 1)]) {
                if step == 1 && count < 2 {
                    continue;
                }
                let args: Vec<Value> = (0..count)
                    .map(|at| match function.parameter_at(at).map(hclkit::value::Parameter::ty) {
                        Some(Type::String) => Value::from(if at % 2 == 0 { "%v" } else { "a" }),
                        Some(Type::Number) => Value::from(1),
                        Some(Type::Bool) => Value::TRUE,
                        _ => pool[(turn + at * step) % pool.len()].clone(),
                    })
                    .collect();
                act(&format!("{library}: {name}, arguments {turn} {step}"), || {
                    let result = function.call(&args);
                    if let Err(error) = &result {
                        assert!(error.message().len() <= 1 << 17);
                    }
                    assert!(
                        Meter::current().exceeded().is_none() || result.is_err(),
                        "the limit is not reported"
                    );
                });
            }
        }
    }
}
