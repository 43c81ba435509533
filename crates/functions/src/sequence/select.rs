//! Functions that select or find elements of a sequence.

use std::collections::HashSet;

use hclkit_value::{Error, Function, Marks, Parameter, Type, Value};

use super::bounds;
use crate::arguments::{integer_of, items, not_null, unmarked, wrong};
use crate::limits::{check_collections, check_count, visit};

pub(crate) fn element() -> Function {
    Function::with_type(
        |args| match args[0].ty() {
            Type::List(element) => Ok(Type::clone(&element)),
            Type::Tuple(tuple) if args[1].is_known() => {
                let at = place(&args[1], tuple.elements().len())?;
                Ok(tuple.elements()[at].clone())
            }
            Type::Tuple(_) => Ok(Type::Dynamic),
            other => Err(Error::new(format!("a list or tuple is required, not {}", other.friendly_name()))),
        },
        |args, ty| {
            let mut marks = Marks::default();
            let list = unmarked(&args[0], &mut marks);
            let at = place(&args[1], items(&list).len())?;
            let found = items(&list).get(at).cloned().unwrap_or_else(|| Value::unknown(ty.clone()));
            Ok(found.with_marks(&marks))
        },
    )
    .with_description("Returns the element at an index, wrapping around at the end of the list.")
    .with_parameter(Parameter::new("list", Type::Dynamic).with_description("A list or tuple.").with_marked())
    .with_parameter(
        Parameter::new("index", Type::Number)
            .with_description("The index, from 0. A negative index counts from the end."),
    )
    .with_example(r#"element(["a", "b", "c"], 1)"#, r#""b""#)
    .with_example(r#"element(["a", "b", "c"], 3)"#, r#""a""#)
}

/// Returns the position of an element; indexes past either end wrap around.
fn place(index: &Value, length: usize) -> Result<usize, Error> {
    let index = integer_of(index, 1)?;
    if length == 0 {
        return Err(Error::new("cannot select an element of an empty list or tuple"));
    }
    Ok(index.rem_euclid(length as i64) as usize)
}

pub(crate) fn slice() -> Function {
    Function::with_type(
        |args| {
            let (start, end) = bounds(args)?;
            let ty = args[0].ty();
            let length = match &ty {
                Type::List(_) => args[0].unmark().0.as_slice().map(<[Value]>::len),
                Type::Tuple(tuple) => Some(tuple.elements().len()),
                _ => return Err(wrong(0, "a list or tuple is required")),
            };
            if let Some(length) = length {
                if start.is_some_and(|start| start > length) {
                    return Err(wrong(1, "the start must not be greater than the length of the list"));
                }
                if end.is_some_and(|end| end > length) {
                    return Err(wrong(2, "the end must not be greater than the length of the list"));
                }
            }
            match (&ty, start, end) {
                (Type::List(_), _, _) => Ok(ty),
                (Type::Tuple(tuple), Some(start), Some(end)) => {
                    Ok(Type::tuple(tuple.elements()[start..end].iter().cloned()))
                }
                _ => Ok(Type::Dynamic),
            }
        },
        |args, ty| {
            let mut marks = Marks::default();
            let list = unmarked(&args[0], &mut marks);
            let (start, end) = bounds(args)?;
            let part = items(&list).get(start.unwrap_or(0)..end.unwrap_or(0)).unwrap_or_default();
            check_count(part.len())?;
            let result = match ty {
                Type::List(element) => Value::list_of(Type::clone(element), part.iter().cloned())?,
                _ => Value::tuple(part.iter().cloned()),
            };
            Ok(result.with_marks(&marks))
        },
    )
    .with_description(
        "Extracts consecutive elements from a list, from a start index up to but not including an end index.",
    )
    .with_parameter(Parameter::new("list", Type::Dynamic).with_description("A list or tuple.").with_marked())
    .with_parameter(
        Parameter::new("start_index", Type::Number)
            .with_description("The index of the first element to include."),
    )
    .with_parameter(
        Parameter::new("end_index", Type::Number)
            .with_description("The index of the first element to exclude."),
    )
    .with_refined_result(not_null)
    .with_example(r#"slice(["a", "b", "c", "d"], 1, 3)"#, r#"["b", "c"]"#)
}

pub(crate) fn chunklist() -> Function {
    Function::with_type(
        |args| Ok(Type::list(args[0].ty())),
        |args, ty| {
            let mut marks = Marks::default();
            let list = unmarked(&args[0], &mut marks);
            let size = usize::try_from(integer_of(&unmarked(&args[1], &mut marks), 1)?);
            let size = size.map_err(|_| wrong(1, "the size must not be negative"))?;
            let (chunk_type, all) = (list.ty(), items(&list));
            check_collections(all.len().div_ceil(size.max(1)), all.len())?;
            let element = chunk_type.element().cloned().unwrap_or(Type::Dynamic);
            let chunks = match size {
                _ if all.is_empty() => Vec::new(),
                0 => vec![list.clone()],
                size => all
                    .chunks(size)
                    .map(|chunk| Value::list_of(element.clone(), chunk.iter().cloned()))
                    .collect::<Result<_, _>>()?,
            };
            let chunk_type = ty.element().cloned().unwrap_or(chunk_type);
            Ok(Value::list_of(chunk_type, chunks)?.with_marks(&marks))
        },
    )
    .with_description("Splits a list into chunks of a fixed size. The last chunk may be shorter.")
    .with_parameter(
        Parameter::new("list", Type::list(Type::Dynamic)).with_description("The list.").with_marked(),
    )
    .with_parameter(
        Parameter::new("size", Type::Number)
            .with_description("The size of each chunk; 0 puts all elements into one chunk.")
            .with_marked(),
    )
    .with_refined_result(not_null)
    .with_example(r#"chunklist(["a", "b", "c"], 2)"#, r#"tolist([tolist(["a", "b"]), tolist(["c"])])"#)
}

pub(crate) fn compact() -> Function {
    Function::unnamed(Type::list(Type::String), |args, ty| {
        if !args[0].is_wholly_known() {
            return Ok(Value::unknown(ty.clone()).refine_not_null());
        }
        visit(items(&args[0]).len())?;
        let kept = items(&args[0]).iter().filter(|item| item.as_str().is_some_and(|text| !text.is_empty()));
        Ok(Value::list_of(Type::String, kept.cloned())?)
    })
    .with_description("Removes null and empty string elements from a list.")
    .with_parameter(Parameter::new("list", Type::list(Type::String)).with_description("The list."))
    .with_refined_result(not_null)
    .with_example(r#"compact(["a", "", "b"])"#, r#"tolist(["a", "b"])"#)
}

#[allow(
    clippy::mutable_key_type,
    reason = "only a lazily computed type changes, which is not part of the hash"
)]
pub(crate) fn distinct() -> Function {
    Function::with_type(
        |args| Ok(args[0].ty()),
        |args, ty| {
            if !args[0].is_wholly_known() {
                return Ok(Value::unknown(ty.clone()).refine_not_null());
            }
            visit(items(&args[0]).len())?;
            let mut seen = HashSet::new();
            let kept: Vec<Value> =
                items(&args[0]).iter().filter(|item| seen.insert(*item)).cloned().collect();
            Ok(Value::list_of(ty.element().cloned().unwrap_or(Type::Dynamic), kept)?)
        },
    )
    .with_description("Removes duplicate elements from a list, keeping the first occurrence of each.")
    .with_parameter(Parameter::new("list", Type::list(Type::Dynamic)).with_description("The list."))
    .with_refined_result(not_null)
    .with_example(r#"distinct(["a", "b", "a"])"#, r#"tolist(["a", "b"])"#)
}

pub(crate) fn contains() -> Function {
    Function::unnamed(Type::Bool, |args, _| {
        if args[0].as_slice().is_none() {
            return Err(Error::new("a list, set or tuple is required"));
        }
        visit(items(&args[0]).len())?;
        let mut known = true;
        for item in items(&args[0]) {
            match item.equals(&args[1]).as_bool() {
                Some(true) => return Ok(Value::TRUE),
                Some(false) => {}
                None => known = false,
            }
        }
        Ok(if known { Value::FALSE } else { Value::unknown(Type::Bool).refine_not_null() })
    })
    .with_description("Returns whether a list, set or tuple contains a value.")
    .with_parameter(Parameter::new("list", Type::Dynamic).with_description("A list, set or tuple."))
    .with_parameter(
        Parameter::new("value", Type::Dynamic).with_description("The value to search for.").with_nulls(),
    )
    .with_refined_result(not_null)
    .with_example(r#"contains(["a", "b"], "a")"#, "true")
}
