//! Functions on maps and objects, and on all collections with keys. Elements keep their marks if the function does not
//! inspect them.

use hclkit_value::{Error, Function, Marks, Parameter, Str, Type, Value};

use crate::arguments::{integer, items, not_null, unmarked, wrong};
use crate::limits::check_count;

fn map_parameter(description: &'static str) -> Parameter {
    Parameter::new("map", Type::Dynamic).with_description(description).with_marked()
}

pub(crate) fn keys() -> Function {
    Function::with_type(
        |args| match args[0].ty() {
            Type::Map(_) => Ok(Type::list(Type::String)),
            Type::Object(object) => Ok(Type::tuple(object.names().iter().map(|_| Type::String))),
            _ => Err(wrong(0, "a map or object is required")),
        },
        |args, ty| {
            let mut marks = Marks::default();
            let map = unmarked(&args[0], &mut marks);
            check_count(map.parts().len())?;
            let keys = match map.ty() {
                // The attribute names of an object are known from its type.
                Type::Object(object) => Value::tuple(object.names().iter().map(Value::from)),
                _ => match map.as_map() {
                    Some(map) => Value::list_of(Type::String, map.iter().map(|(key, _)| Value::from(key)))?,
                    None => Value::unknown(ty.clone()).refine_not_null(),
                },
            };
            Ok(keys.with_marks(&marks))
        },
    )
    .with_description("Returns the keys in lexical order, as a list for a map and as a tuple for an object.")
    .with_parameter(map_parameter("A map or object.").with_unknowns())
    .with_refined_result(not_null)
    .with_example("keys({ b = 1, a = 2 })", r#"["a", "b"]"#)
}

pub(crate) fn values() -> Function {
    Function::with_type(
        |args| match args[0].ty() {
            Type::Map(element) => Ok(Type::list(Type::clone(&element))),
            Type::Object(object) => Ok(Type::tuple(object.attributes().map(|(_, ty)| ty.clone()))),
            _ => Err(wrong(0, "a map or object is required")),
        },
        |args, ty| {
            let mut marks = Marks::default();
            let map = unmarked(&args[0], &mut marks);
            check_count(map.parts().len())?;
            let values = map.entries().into_iter().flatten().map(|(_, value)| value.clone());
            let values = match ty {
                Type::List(element) => Value::list_of(Type::clone(element), values)?,
                _ => Value::tuple(values),
            };
            Ok(values.with_marks(&marks))
        },
    )
    .with_description(
        "Returns the values in the order of their keys, as a list for a map and as a tuple for an object.",
    )
    .with_parameter(map_parameter("A map or object."))
    .with_refined_result(not_null)
    .with_example("values({ b = 1, a = 2 })", "[2, 1]")
}

pub(crate) fn lookup() -> Function {
    Function::with_type(
        |args| match args[0].ty() {
            Type::Object(object) => {
                let key = args[1].unmark().0;
                let Some(key) = key.as_str() else { return Ok(Type::Dynamic) };
                Ok(object.get(key).cloned().unwrap_or_else(|| args[2].ty()))
            }
            Type::Map(element) => {
                args[2]
                    .convert(&element)
                    .map_err(|_| wrong(2, "the default value must have the same type as the map elements"))?;
                Ok(Type::clone(&element))
            }
            _ => Err(wrong(0, "a map or object is required")),
        },
        |args, ty| {
            let mut marks = Marks::default();
            let map = unmarked(&args[0], &mut marks);
            let key = unmarked(&args[1], &mut marks);
            if !map.is_wholly_known() {
                return Ok(Value::unknown(ty.clone()).with_marks(&marks));
            }
            let key = key.as_str().unwrap_or_default();
            let found = match (map.as_map(), map.as_object()) {
                (Some(map), _) => map.get(key).cloned(),
                (_, Some(object)) => object.get(key).cloned(),
                _ => None,
            };
            let found = match found {
                Some(found) => found,
                None => args[2].convert(ty)?,
            };
            Ok(found.with_marks(&marks))
        },
    )
    .with_description("Returns the value of a key, or a default value if the key does not exist.")
    .with_parameter(map_parameter("A map or object."))
    .with_parameter(Parameter::new("key", Type::String).with_description("The key.").with_marked())
    .with_parameter(
        Parameter::new("default", Type::Dynamic)
            .with_description("The value to return if the key does not exist.")
            .with_marked(),
    )
    .with_example(r#"lookup({ a = "x" }, "a", "none")"#, r#""x""#)
    .with_example(r#"lookup({ a = "x" }, "b", "none")"#, r#""none""#)
}

pub(crate) fn merge() -> Function {
    Function::with_type(merged_type, |args, ty| {
        let mut marks = Marks::default();
        let mut entries = Vec::new();
        for arg in args.iter().filter(|arg| !arg.is_null()) {
            let map = unmarked(arg, &mut marks);
            if let Some(own) = map.entries() {
                entries.extend(own.map(|(key, value)| (key.clone(), value.clone())));
                continue;
            }
            // After an untyped null, any collection with string keys is accepted.
            for (key, value) in map.elements()? {
                let key = key.as_str().ok_or_else(|| Error::new("arguments must be maps or objects"))?;
                entries.push((Str::from(key), value));
            }
        }
        let merged = match ty {
            Type::Map(element) => Value::map_of(Type::clone(element), entries)?,
            _ => Value::object(entries),
        };
        Ok(merged.with_marks(&marks))
    })
    .with_description(
        "Merges maps and objects. If several have the same key, the last one wins. Maps of the same type give a \
         map; anything else gives an object.",
    )
    .with_variadic(
        Parameter::new("maps", Type::Dynamic)
            .with_description("The maps and objects to merge; null arguments are ignored.")
            .with_nulls()
            .with_dynamic()
            .with_marked(),
    )
    .with_refined_result(not_null)
    .with_example(r#"merge({ a = "b", c = "d" }, { c = "z" })"#, r#"{ a = "b", c = "z" }"#)
}

fn merged_type(args: &[Value]) -> Result<Type, Error> {
    let known = args.iter().map(|arg| arg.unmark().0.entries().map_or(0, |entries| entries.len()));
    check_count(known.fold(0, usize::saturating_add))?;
    let mut attributes = Vec::new();
    let mut known = true;
    for (at, arg) in args.iter().enumerate() {
        let ty = arg.ty();
        match &ty {
            // The result type is unknown, whatever the other arguments are.
            Type::Dynamic => return Ok(Type::Dynamic),
            Type::Map(_) | Type::Object(_) if arg.is_null() => {}
            Type::Object(object) => {
                attributes.extend(object.attributes().map(|(name, ty)| (name.clone(), ty.clone())));
            }
            Type::Map(element) => match arg.unmark().0.as_map() {
                Some(map) => {
                    attributes.extend(map.iter().map(|(key, _)| (key.clone(), Type::clone(element))));
                }
                None => known = false,
            },
            other => {
                return Err(wrong(at, format!("a map or object is required, not {}", other.friendly_name())));
            }
        }
    }
    let types = args.iter().map(Value::ty).collect::<Vec<_>>();
    match types.first() {
        Some(first @ Type::Map(_)) if types.iter().all(|ty| ty == first) => Ok(first.clone()),
        // The keys of a map are part of the object type.
        _ if !known => Ok(Type::Dynamic),
        _ => Ok(Type::object(attributes)),
    }
}

pub(crate) fn zipmap() -> Function {
    Function::with_type(
        |args| {
            let keys = args[0].unmark().0;
            match args[1].ty() {
                Type::List(element) => Ok(Type::map(Type::clone(&element))),
                Type::Tuple(tuple) => {
                    if !keys.is_wholly_known() {
                        return Ok(Type::Dynamic);
                    }
                    let names = key_names(&keys, &mut Marks::default())?;
                    check_lengths(names.len(), tuple.elements().len())?;
                    Ok(Type::object(names.into_iter().zip(tuple.elements().iter().cloned())))
                }
                _ => Err(wrong(1, "a list or tuple is required")),
            }
        },
        |args, ty| {
            let mut marks = Marks::default();
            let keys = unmarked(&args[0], &mut marks);
            let values = unmarked(&args[1], &mut marks);
            if !keys.is_wholly_known() {
                return Ok(Value::unknown(ty.clone()).refine_not_null().with_marks(&marks));
            }
            check_lengths(items(&keys).len(), items(&values).len())?;
            let names = key_names(&keys, &mut marks)?;
            let entries = names.into_iter().zip(items(&values).iter().cloned());
            let result = match ty {
                Type::Map(element) => Value::map_of(Type::clone(element), entries)?,
                _ => Value::object(entries),
            };
            Ok(result.with_marks(&marks))
        },
    )
    .with_description("Builds a map or object from a list of keys and a list or tuple of values.")
    .with_parameter(
        Parameter::new("keys", Type::list(Type::String))
            .with_description("The keys, in the same order as the values.")
            .with_marked(),
    )
    .with_parameter(
        Parameter::new("values", Type::Dynamic).with_description("A list or tuple of values.").with_marked(),
    )
    .with_refined_result(not_null)
    .with_example(r#"zipmap(["a", "b"], [1, 2])"#, "{ a = 1, b = 2 }")
}

fn check_lengths(keys: usize, values: usize) -> Result<(), Error> {
    if keys == values {
        return Ok(());
    }
    Err(Error::new(format!("the number of keys ({keys}) does not match the number of values ({values})")))
}

/// Returns the keys and collects their marks.
fn key_names(keys: &Value, marks: &mut Marks) -> Result<Vec<String>, Error> {
    check_count(items(keys).len())?;
    let name = |key: &Value| {
        let key = unmarked(key, marks);
        key.as_str().map(str::to_owned).ok_or_else(|| wrong(0, "keys must not be null"))
    };
    items(keys).iter().map(name).collect()
}

/// Returns the type of a collection's keys.
fn key_type(collection: &Type) -> Result<Type, Error> {
    match collection {
        Type::List(_) | Type::Tuple(_) => Ok(Type::Number),
        Type::Map(_) => Ok(Type::String),
        _ => Err(wrong(0, "a list, map or tuple is required")),
    }
}

pub(crate) fn hasindex() -> Function {
    Function::with_type(
        |args| match args[0].ty() {
            Type::Dynamic => Ok(Type::Bool),
            ty => key_type(&ty).map(|_| Type::Bool),
        },
        |args, _| args[0].has_index(&args[1]),
    )
    .with_description("Returns whether a list, map or tuple has an element with the given key.")
    .with_parameter(
        Parameter::new("collection", Type::Dynamic).with_description("A list, map or tuple.").with_dynamic(),
    )
    .with_parameter(Parameter::new("key", Type::Dynamic).with_description("The key.").with_dynamic())
    .with_refined_result(not_null)
    .with_example(r#"hasindex(["a"], 1)"#, "false")
}

pub(crate) fn index() -> Function {
    Function::with_type(
        |args| {
            let (ty, key) = (args[0].ty(), &args[1]);
            let wanted = key_type(&ty)?;
            if !key.has_type(&wanted) && !key.has_type(&Type::Dynamic) {
                return Err(wrong(1, format!("a {} is required", wanted.friendly_name())));
            }
            match &ty {
                Type::Tuple(_) if !key.is_known() => Ok(Type::Dynamic),
                Type::Tuple(tuple) => {
                    let at = usize::try_from(integer(args, 1)?).ok();
                    let element = at.and_then(|at| tuple.elements().get(at));
                    element.cloned().ok_or_else(|| wrong(1, "no element has this index"))
                }
                ty => Ok(ty.element().cloned().unwrap_or(Type::Dynamic)),
            }
        },
        |args, _| args[0].index(&args[1]),
    )
    .with_description("Returns the element of a list, map or tuple with the given key.")
    .with_parameter(Parameter::new("collection", Type::Dynamic).with_description("A list, map or tuple."))
    .with_parameter(Parameter::new("key", Type::Dynamic).with_description("The key.").with_dynamic())
    .with_example(r#"index(["a", "b"], 1)"#, r#""b""#)
}

pub(crate) fn length() -> Function {
    Function::with_type(
        |args| match args[0].ty() {
            Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Dynamic => Ok(Type::Number),
            _ => Err(wrong(0, "a list, set, map or tuple is required")),
        },
        |args, _| args[0].length(),
    )
    .with_description("Returns the number of elements in a collection.")
    .with_parameter(
        Parameter::new("collection", Type::Dynamic)
            .with_description("A list, set, map or tuple.")
            .with_unknowns()
            .with_dynamic()
            .with_marked(),
    )
    .with_refined_result(not_null)
    .with_example(r#"length(["a", "b"])"#, "2")
}
