//! Functions on sets.

use std::collections::HashSet;

use hclkit_value::{Error, Function, Marks, Number, Parameter, SetElement, Type, Value, unify_unsafely};

use crate::arguments::{items, not_null, unmarked, wrong};
use crate::limits::{check_collections, check_count, visit};

fn any_set(name: &'static str, description: &'static str) -> Parameter {
    Parameter::new(name, Type::set(Type::Dynamic)).with_description(description).with_dynamic()
}

pub(crate) fn sethaselement() -> Function {
    Function::unnamed(Type::Bool, |args, _| args[0].has_element(&args[1]))
        .with_description("Returns whether a set contains an element.")
        .with_parameter(any_set("set", "The set."))
        .with_parameter(
            Parameter::new("elem", Type::Dynamic).with_description("The value to search for.").with_dynamic(),
        )
        .with_refined_result(not_null)
        .with_example(r#"sethaselement(["a", "b"], "a")"#, "true")
}

/// A set operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Union,
    Intersection,
    Subtraction,
    SymmetricDifference,
}

/// A function that applies an operation to its arguments from left to right.
fn operation(operation: Operation) -> Function {
    Function::with_type(
        |args| {
            // An empty set without an element type is compatible with every set.
            let is_nothing = |arg: &&Value| arg.is_known() && arg.has_type(&Type::set(Type::Dynamic));
            let typed = args.iter().filter(|arg| !is_nothing(arg));
            let elements: Vec<Type> = typed.filter_map(|arg| arg.ty().element().cloned()).collect();
            if elements.is_empty() {
                return Ok(Type::set(Type::Dynamic));
            }
            let element = unify_unsafely(&elements);
            element
                .map(Type::set)
                .ok_or_else(|| Error::new("the element types of the sets have no common type"))
        },
        move |args, ty| {
            let element = ty.element().cloned().unwrap_or(Type::Dynamic);
            if operation != Operation::Union && !args.iter().all(Value::is_wholly_known) {
                return Ok(Value::unknown(ty.clone()).refine_not_null());
            }
            let mut sets = args.iter().map(|arg| arg.convert(ty));
            let first = sets.next().unwrap_or_else(|| Ok(Value::empty_set(element.clone())))?;
            match operation {
                Operation::Union => {
                    let mut all = items(&first).to_vec();
                    for set in sets {
                        let set = set?;
                        check_count(all.len().saturating_add(items(&set).len()))?;
                        all.extend_from_slice(items(&set));
                    }
                    Ok(Value::set_of(element, all)?)
                }
                Operation::SymmetricDifference => odd_times(&first, sets, element),
                Operation::Intersection => {
                    let mut kept = first;
                    for set in sets {
                        kept = filtered(&kept, &set?, true, &element)?;
                    }
                    Ok(kept)
                }
                Operation::Subtraction => {
                    let mut kept = first;
                    for set in sets {
                        kept = filtered(&kept, &set?, false, &element)?;
                    }
                    Ok(kept)
                }
            }
        },
    )
    .with_refined_result(not_null)
}

/// Keeps the elements of a set that the other set contains (or does not contain).
#[allow(clippy::mutable_key_type, reason = "a lazily computed type is not part of the hash")]
fn filtered(set: &Value, other: &Value, wanted: bool, element: &Type) -> Result<Value, Error> {
    visit(items(set).len().saturating_add(items(other).len()))?;
    let others: HashSet<SetElement<'_>> = items(other).iter().map(SetElement).collect();
    let kept = items(set).iter().filter(|item| others.contains(&SetElement(item)) == wanted);
    Ok(Value::set_of(element.clone(), kept.cloned())?)
}

/// Returns the elements in an odd number of the sets, which is the symmetric difference of all of them.
#[allow(clippy::mutable_key_type, reason = "a lazily computed type is not part of the hash")]
fn odd_times(
    first: &Value,
    others: impl Iterator<Item = Result<Value, Error>>,
    element: Type,
) -> Result<Value, Error> {
    let others = others.collect::<Result<Vec<Value>, Error>>()?;
    let mut left: HashSet<SetElement<'_>> = items(first).iter().map(SetElement).collect();
    for set in &others {
        visit(items(set).len())?;
        for item in items(set) {
            if !left.remove(&SetElement(item)) {
                left.insert(SetElement(item));
            }
        }
    }
    Ok(Value::set_of(element, left.into_iter().map(|item| item.0.clone()))?)
}

fn sets(function: Function) -> Function {
    function
        .with_parameter(any_set("first_set", "A set."))
        .with_variadic(any_set("other_sets", "Additional sets."))
}

pub(crate) fn setunion() -> Function {
    sets(operation(Operation::Union))
        .with_description("Returns the union of sets: the elements that are in any of them.")
        .with_example(r#"setunion(["a", "b"], ["b", "c"])"#, r#"toset(["a", "b", "c"])"#)
}

pub(crate) fn setintersection() -> Function {
    sets(operation(Operation::Intersection))
        .with_description("Returns the intersection of sets: the elements that are in all of them.")
        .with_example(r#"setintersection(["a", "b"], ["b", "c"])"#, r#"toset(["b"])"#)
}

pub(crate) fn setsubtract() -> Function {
    operation(Operation::Subtraction)
        .with_description(
            "Returns the difference of two sets: the elements of the first that are not in the second.",
        )
        .with_parameter(any_set("a", "The set to remove elements from."))
        .with_parameter(any_set("b", "The set of elements to remove."))
        .with_example(r#"setsubtract(["a", "b"], ["b", "c"])"#, r#"toset(["a"])"#)
}

pub(crate) fn setsymmetricdifference() -> Function {
    sets(operation(Operation::SymmetricDifference))
        .with_description("Returns the symmetric difference of sets: the elements that are in one of two sets but not in both, applied from left to right.")
        .with_example(r#"setsymmetricdifference(["a", "b"], ["b", "c"])"#, r#"toset(["a", "c"])"#)
}

pub(crate) fn setproduct() -> Function {
    Function::with_type(
        |args| {
            if args.len() < 2 {
                return Err(Error::new("at least two arguments are required"));
            }
            let elements = args.iter().enumerate().map(|(at, arg)| factor_element(at, &arg.ty()));
            let element = Type::tuple(elements.collect::<Result<Vec<_>, _>>()?);
            let has_set = args.iter().any(|arg| matches!(arg.ty(), Type::Set(_)));
            Ok(if has_set { Type::set(element) } else { Type::list(element) })
        },
        |args, ty| {
            let mut marks = Marks::default();
            let factors: Vec<Value> = args.iter().map(|arg| unmarked(arg, &mut marks)).collect();
            Ok(product(&factors, ty)?.with_marks(&marks))
        },
    )
    .with_description(
        "Computes the Cartesian product: all combinations of one element of each argument, as tuples. The result is a set if any argument is a set, and a list otherwise.",
    )
    .with_variadic(
        Parameter::new("sets", Type::Dynamic)
            .with_description("The sets, lists and tuples to combine.")
            .with_unknowns()
            .with_marked(),
    )
    .with_refined_result(not_null)
    .with_example(r#"setproduct(["a", "b"], [1, 2])"#, r#"tolist([["a", 1], ["a", 2], ["b", 1], ["b", 2]])"#)
}

/// Returns the element type of an argument.
fn factor_element(at: usize, ty: &Type) -> Result<Type, Error> {
    match ty {
        Type::Set(element) | Type::List(element) => Ok(Type::clone(element)),
        Type::Tuple(tuple) if tuple.elements().is_empty() => Ok(Type::Dynamic),
        Type::Tuple(tuple) => {
            unify_unsafely(tuple.elements()).ok_or_else(|| wrong(at, "all elements must have the same type"))
        }
        _ => Err(wrong(at, "a set, list or tuple is required")),
    }
}

/// Returns the number of elements or its upper bound, or `None` if it is unknown or large.
fn greatest_length(factor: &Value) -> Result<Option<usize>, Error> {
    let length = if factor.is_known() || matches!(factor.ty(), Type::Tuple(_)) {
        factor.length()?.as_number().and_then(Number::to_u64)
    } else {
        factor.refinement().max_len().filter(|most| *most <= 1024)
    };
    Ok(length.and_then(|length| usize::try_from(length).ok()))
}

fn product(factors: &[Value], ty: &Type) -> Result<Value, Error> {
    let unknown = || Value::unknown(ty.clone()).refine().with_not_null();
    let mut total = 1usize;
    for factor in factors {
        let Some(length) = greatest_length(factor)? else { return unknown().finish() };
        total = total.saturating_mul(length);
    }
    let element = ty.element().cloned().unwrap_or(Type::Dynamic);
    let make = |tuples: Vec<Value>| {
        let made = match ty {
            Type::Set(_) => Value::set_of(element.clone(), tuples),
            _ => Value::list_of(element.clone(), tuples),
        };
        made.map_err(Error::from)
    };
    if total == 0 {
        return make(Vec::new());
    }
    if factors.iter().any(|factor| !factor.is_known()) {
        // As in the reference, the result is not empty, and large results are not refined.
        if total > 2048 {
            return unknown().finish();
        }
        return unknown().with_min_len(1).with_max_len(total as u64).finish();
    }
    check_collections(total, total.saturating_mul(factors.len()))?;
    let mut converted = Vec::with_capacity(factors.len());
    for (factor, ty) in factors.iter().zip(element.tuple_elements().unwrap_or_default()) {
        let items = items(factor).iter().map(|item| item.convert(ty));
        converted.push(items.collect::<Result<Vec<_>, _>>()?);
    }
    let mut tuples = Vec::with_capacity(total);
    let mut places = vec![0; converted.len()];
    for _ in 0..total {
        tuples.push(Value::tuple(converted.iter().zip(&places).map(|(items, place)| items[*place].clone())));
        for (place, items) in places.iter_mut().zip(&converted).rev() {
            *place += 1;
            if *place < items.len() {
                break;
            }
            *place = 0;
        }
    }
    make(tuples)
}
