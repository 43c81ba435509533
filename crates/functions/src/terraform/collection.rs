//! Functions on collections that cty does not have, or that behave differently in Terraform.

use std::collections::{BTreeMap, HashSet};

use hclkit_value::{Error, Function, Parameter, Type, Value, unify_unsafely};

use crate::arguments::{items, not_null, text, unmarked, wrong};
use crate::limits::{check_collections, visit};
use crate::string;

pub(crate) fn length() -> Function {
    let strlen = string::strlen();
    Function::with_type(
        |args| match args[0].ty() {
            Type::Number | Type::Bool | Type::Capsule(_) => {
                Err(wrong(0, "a string, list, set, map, tuple or object is required"))
            }
            _ => Ok(Type::Number),
        },
        move |args, _| {
            let (value, marks) = args[0].unmark();
            let length = match value.ty() {
                Type::Object(object) => Value::from(object.len()),
                Type::String => strlen.call(&[value])?,
                Type::Dynamic => Value::unknown(Type::Number).refine_not_null(),
                _ => value.length()?,
            };
            Ok(length.with_marks(&marks))
        },
    )
    .with_description(
        "Returns the number of elements in a collection, attributes in an object or characters in a string.",
    )
    .with_parameter(
        Parameter::new("value", Type::Dynamic)
            .with_description("A string, list, set, map, tuple or object.")
            .with_unknowns()
            .with_dynamic()
            .with_marked(),
    )
    .with_refined_result(not_null)
    .with_example(r#"length(["a", "b"])"#, "2")
    .with_example(r#"length("\u00e9t\u00e9")"#, "3")
}

pub(crate) fn coalesce() -> Function {
    Function::with_type(
        |args| {
            let types: Vec<Type> = args.iter().map(Value::ty).collect();
            let unified = unify_unsafely(&types).filter(|_| !types.is_empty());
            unified.ok_or_else(|| Error::new("all arguments must have the same type"))
        },
        |args, ty| {
            for arg in args {
                let value = arg.convert(ty)?;
                if !value.is_known() {
                    return Ok(Value::unknown(ty.clone()));
                }
                // Empty strings are skipped only if all arguments are strings.
                let empty = *ty == Type::String && value.as_str() == Some("");
                if !value.is_null() && !empty {
                    return Ok(value);
                }
            }
            Err(Error::new("all arguments are null or empty strings"))
        },
    )
    .with_description(
        "Returns the first argument that is neither null nor an empty string, converted to the common type of all arguments.",
    )
    .with_variadic(
        Parameter::new("vals", Type::Dynamic)
            .with_description("The values to choose from, in order of preference.")
            .with_nulls()
            .with_unknowns()
            .with_dynamic(),
    )
    .with_refined_result(not_null)
    .with_example(r#"coalesce(null, "", "b")"#, r#""b""#)
}

pub(crate) fn index() -> Function {
    Function::unnamed(Type::Number, |args, _| {
        let (list, wanted) = (&args[0], &args[1]);
        if !matches!(list.ty(), Type::List(_) | Type::Tuple(_)) {
            return Err(wrong(0, "a list or tuple is required"));
        }
        visit(items(list).len())?;
        for (at, item) in items(list).iter().enumerate() {
            match item.equals(wanted).as_bool() {
                Some(true) => return Ok(Value::from(at)),
                Some(false) => {}
                None => return Ok(Value::unknown(Type::Number)),
            }
        }
        Err(wrong(1, "the value was not found in the list"))
    })
    .with_description("Returns the index of the first element that is equal to a value.")
    .with_parameter(Parameter::new("list", Type::Dynamic).with_description("The list or tuple to search."))
    .with_parameter(Parameter::new("value", Type::Dynamic).with_description("The value to search for."))
    .with_refined_result(not_null)
    .with_example(r#"index(["a", "b", "c"], "b")"#, "1")
}

pub(super) fn lookup() -> Function {
    Function::with_type(
        |args| {
            if args.len() > 3 {
                return Err(Error::new("two or three arguments are required"));
            }
            let default = args.get(2);
            match args[0].ty() {
                Type::Object(object) => {
                    let (key, _) = args[1].unmark();
                    let Some(key) = key.as_str() else { return Ok(Type::Dynamic) };
                    match (object.get(key), default) {
                        (Some(ty), _) => Ok(ty.clone()),
                        (None, Some(default)) => Ok(default.ty()),
                        (None, None) => Err(wrong(0, format!("the object has no attribute {key:?}"))),
                    }
                }
                Type::Map(element) => match default {
                    Some(default) if default.convert(&element).is_err() => Err(wrong(
                        2,
                        format!(
                            "the default value must have the same type as the map elements: {}",
                            element.required_name()
                        ),
                    )),
                    _ => Ok(Type::clone(&element)),
                },
                _ => Err(wrong(0, "a map or object is required")),
            }
        },
        |args, ty| {
            let mut marks = hclkit_value::Marks::default();
            let (map, key) = (unmarked(&args[0], &mut marks), unmarked(&args[1], &mut marks));
            if !map.is_known() || !key.is_known() {
                return Ok(Value::unknown(ty.clone()).with_marks(&marks));
            }
            let key = text(std::slice::from_ref(&key), 0).to_owned();
            let found = map
                .as_map()
                .map_or_else(|| map.as_object().and_then(|object| object.get(&key)), |map| map.get(&key));
            let value = match (found, args.get(2)) {
                (Some(value), _) => value.clone(),
                (None, Some(default)) => default.convert(ty)?,
                (None, None) => return Err(wrong(1, format!("the map has no element with the key {key:?}"))),
            };
            Ok(value.with_marks(&marks))
        },
    )
    .with_description(
        "Returns the value of a key in a map or object, or a default value if the key does not exist.",
    )
    .with_parameter(
        Parameter::new("inputMap", Type::Dynamic)
            .with_description("The map or object to search.")
            .with_unknowns()
            .with_marked(),
    )
    .with_parameter(
        Parameter::new("key", Type::String).with_description("The key.").with_unknowns().with_marked(),
    )
    .with_variadic(
        Parameter::new("default", Type::Dynamic)
            .with_description("The value to return if the key does not exist.")
            .with_nulls()
            .with_unknowns()
            .with_dynamic()
            .with_marked(),
    )
    .with_example(r#"lookup({ a = "ay" }, "a", "what?")"#, r#""ay""#)
    .with_example(r#"lookup({ a = "ay" }, "c", "what?")"#, r#""what?""#)
}

pub(super) fn matchkeys() -> Function {
    Function::with_type(
        |args| {
            let (keys, searched) = (element(&args[1]), element(&args[2]));
            if unify_unsafely(&[keys, searched]).is_none() {
                return Err(wrong(1, "the keys and the search set must have the same element type"));
            }
            Ok(Type::list(element(&args[0])))
        },
        |args, ty| {
            let [values, keys, searched] = args else {
                return Err(Error::new("three arguments are required"));
            };
            if items(values).len() != items(keys).len() {
                return Err(wrong(1, "the number of keys must match the number of values"));
            }
            if !args.iter().all(Value::is_wholly_known) {
                return Ok(Value::unknown(ty.clone()));
            }
            let common = unify_unsafely(&[element(keys), element(searched)]).unwrap_or(Type::Dynamic);
            let common = |value: &Value| value.convert(&common);
            let searched = items(searched).iter().map(common).collect::<Result<Vec<Value>, Error>>()?;
            visit(items(keys).len().saturating_add(searched.len()))?;
            #[allow(clippy::mutable_key_type, reason = "a lazily computed type is not part of the hash")]
            let searched: HashSet<&Value> = searched.iter().collect();
            let mut kept = Vec::new();
            for (value, key) in items(values).iter().zip(items(keys)) {
                let key = common(key)?;
                if searched.contains(&key) {
                    kept.push(value.clone());
                }
            }
            Ok(Value::list_of(element(values), kept)?)
        },
    )
    .with_description(
        "Selects the elements of a list whose corresponding element in a list of keys is in a search set.",
    )
    .with_parameter(
        Parameter::new("values", Type::list(Type::Dynamic))
            .with_description("The list to select elements from."),
    )
    .with_parameter(
        Parameter::new("keys", Type::list(Type::Dynamic)).with_description("A key for each value."),
    )
    .with_parameter(
        Parameter::new("searchset", Type::list(Type::Dynamic)).with_description("The keys to select."),
    )
    .with_refined_result(not_null)
    .with_example(
        r#"matchkeys(["i-123", "i-abc", "i-def"], ["us-west", "us-east", "us-east"], ["us-east"])"#,
        r#"tolist(["i-abc", "i-def"])"#,
    )
}

/// Returns the type of a collection's elements.
fn element(value: &Value) -> Type {
    value.ty().element().cloned().unwrap_or(Type::Dynamic)
}

pub(super) fn one() -> Function {
    let refuse = || wrong(0, "a list, set or tuple with either zero or one elements is required");
    Function::with_type(
        move |args| match args[0].ty() {
            Type::List(element) | Type::Set(element) => Ok(Type::clone(&element)),
            Type::Tuple(tuple) => match tuple.elements() {
                [] => Ok(Type::Dynamic),
                [element] => Ok(element.clone()),
                _ => Err(refuse()),
            },
            _ => Err(refuse()),
        },
        move |args, ty| {
            let (list, marks) = args[0].unmark();
            let range = list.refinement();
            let value = match list.as_slice() {
                Some([]) => Value::null(ty.clone()),
                Some([item]) => item.clone(),
                Some(_) if list.is_wholly_known() || !matches!(list.ty(), Type::Set(_)) => {
                    return Err(refuse());
                }
                // Unknown elements of a set may turn out to be equal.
                Some(_) => Value::unknown(ty.clone()),
                None if range.min_len() > 1 => return Err(refuse()),
                None if range.max_len() == Some(0) => Value::null(ty.clone()),
                None => Value::unknown(ty.clone()),
            };
            Ok(value.with_marks(&marks))
        },
    )
    .with_description("Returns the only element of a list, set or tuple, or null if it is empty.")
    .with_parameter(
        Parameter::new("list", Type::Dynamic)
            .with_description("A list, set or tuple with zero or one elements.")
            .with_unknowns()
            .with_marked(),
    )
    .with_example(r#"one(["only"])"#, r#""only""#)
    .with_example("one([])", "null")
}

pub(crate) fn sum() -> Function {
    Function::unnamed(Type::Number, |args, _| {
        let list = &args[0];
        if !matches!(list.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_)) {
            return Err(wrong(0, "a list, set or tuple of numbers is required"));
        }
        if !list.is_wholly_known() {
            return Ok(Value::unknown(Type::Number));
        }
        visit(items(list).len())?;
        let mut numbers = items(list).iter().map(|item| {
            let number =
                Some(item).filter(|item| !item.is_null()).and_then(|item| item.convert(&Type::Number).ok());
            number.ok_or_else(|| wrong(0, "all elements must be numbers"))
        });
        let first = numbers.next().ok_or_else(|| wrong(0, "cannot sum an empty list"))?;
        numbers.try_fold(first?, |sum, number| sum.add(&number?))
    })
    .with_description("Returns the sum of the numbers in a list, set or tuple.")
    .with_parameter(
        Parameter::new("list", Type::Dynamic)
            .with_description("A list, set or tuple with at least one number."),
    )
    .with_refined_result(not_null)
    .with_example("sum([10, 13, 6, 4.5])", "33.5")
}

pub(super) fn transpose() -> Function {
    Function::unnamed(Type::map(Type::list(Type::String)), |args, ty| {
        if !args[0].is_wholly_known() {
            return Ok(Value::unknown(ty.clone()));
        }
        let (mut lists, mut total) = (BTreeMap::<&str, Vec<Value>>::new(), 0_usize);
        for (key, list) in args[0].entries().into_iter().flatten() {
            if list.is_null() {
                return Err(wrong(0, format!("the list {key:?} must not be null")));
            }
            check_collections(lists.len() + items(list).len(), total)?;
            total += items(list).len();
            for item in items(list) {
                let item = item.as_str().ok_or_else(|| wrong(0, format!("the list {key:?} must not contain null")))?;
                lists.entry(item).or_default().push(Value::from(key));
            }
        }
        let mut entries = Vec::with_capacity(lists.len());
        for (key, list) in lists {
            entries.push((key, Value::list_of(Type::String, list)?));
        }
        Ok(Value::map_of(Type::list(Type::String), entries)?)
    })
    .with_description("Swaps the keys and elements of a map of lists. Each element becomes a key, and its value is a list of the former keys.")
    .with_parameter(Parameter::new("values", Type::map(Type::list(Type::String))).with_description("A map of lists of strings."))
    .with_refined_result(not_null)
    .with_example(
        r#"transpose({ a = ["1", "2"], b = ["2"] })"#,
        r#"tomap({ "1" = tolist(["a"]), "2" = tolist(["a", "b"]) })"#,
    )
}

pub(crate) fn alltrue() -> Function {
    Function::unnamed(Type::Bool, |args, _| {
        visit(items(&args[0]).len())?;
        for item in items(&args[0]) {
            if !item.is_known() {
                return Ok(Value::unknown(Type::Bool));
            }
            if item.as_bool() != Some(true) {
                return Ok(Value::FALSE);
            }
        }
        Ok(Value::TRUE)
    })
    .with_description("Returns whether all elements of a list are true. Also true for an empty list.")
    .with_parameter(
        Parameter::new("list", Type::list(Type::Bool))
            .with_description("The list of bools. Null elements count as false."),
    )
    .with_refined_result(not_null)
    .with_example("alltrue([true, false])", "false")
    .with_example("alltrue([])", "true")
}

pub(crate) fn anytrue() -> Function {
    Function::unnamed(Type::Bool, |args, _| {
        visit(items(&args[0]).len())?;
        let mut found = Value::FALSE;
        for item in items(&args[0]) {
            match item.as_bool() {
                Some(true) => return Ok(Value::TRUE),
                None if !item.is_known() => found = Value::unknown(Type::Bool),
                _ => {}
            }
        }
        Ok(found)
    })
    .with_description("Returns whether any element of a list is true. False for an empty list.")
    .with_parameter(
        Parameter::new("list", Type::list(Type::Bool))
            .with_description("The list of bools. Null elements count as false."),
    )
    .with_refined_result(not_null)
    .with_example("anytrue([true, false])", "true")
    .with_example("anytrue([])", "false")
}
