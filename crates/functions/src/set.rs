//! Functions on sets.

use std::collections::HashSet;

use hclkit_value::{Error, Function, Marks, Number, Parameter, SetElement, Type, Value, unify_unsafely};

use crate::arguments::{items, not_null, unmarked, wrong};
use crate::limits::check_count;

fn any_set(name: &'static str, description: &'static str) -> Parameter {
    Parameter::new(name, Type::set(Type::Dynamic)).describe(description).allow_dynamic()
}

pub(crate) fn sethaselement() -> Function {
    Function::new(Type::Bool, |args, _| args[0].has_element(&args[1]))
        .describe("Whether a set has an element.")
        .parameter(any_set("set", "The set."))
        .parameter(Parameter::new("elem", Type::Dynamic).describe("The value to look for.").allow_dynamic())
        .refine_result(not_null)
        .example(r#"sethaselement(["a", "b"], "a")"#, "true")
}

/// Whether an element of the first set belongs to the result, by whether the other set has it; and
/// whether the other set's elements that the first has not belong to it.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "a table of truth")]
struct Operation {
    first_if_common: bool,
    first_if_alone: bool,
    other_if_alone: bool,
    /// Whether elements that are not known yet can be kept as they are.
    takes_unknown: bool,
}

/// A function of sets, taken one after the other.
fn operation(operation: Operation) -> Function {
    Function::with_type(
        |args| {
            // Empty sets of nothing in particular go with all.
            let is_nothing = |arg: &&Value| arg.is_known() && arg.has_type(&Type::set(Type::Dynamic));
            let typed = args.iter().filter(|arg| !is_nothing(arg));
            let elements: Vec<Type> = typed.filter_map(|arg| arg.ty().element().cloned()).collect();
            if elements.is_empty() {
                return Ok(Type::set(Type::Dynamic));
            }
            let element = unify_unsafely(&elements);
            element
                .map(Type::set)
                .ok_or_else(|| Error::new("the sets' elements are of types that do not fit"))
        },
        move |args, ty| {
            let element = ty.element().cloned().unwrap_or(Type::Dynamic);
            if !operation.takes_unknown && !args.iter().all(Value::is_wholly_known) {
                return Ok(Value::unknown(ty.clone()).refine_not_null());
            }
            let mut result = args[0].convert(ty)?;
            for arg in &args[1..] {
                result = combine(&result, &arg.convert(ty)?, element.clone(), operation)?;
            }
            Ok(result)
        },
    )
    .refine_result(not_null)
}

#[allow(
    clippy::mutable_key_type,
    reason = "what changes inside is a type made late, which has no part in the hash"
)]
fn combine(first: &Value, other: &Value, element: Type, operation: Operation) -> Result<Value, Error> {
    let (ours, theirs) = (items(first), items(other));
    let in_first: HashSet<SetElement<'_>> = ours.iter().map(SetElement).collect();
    let in_other: HashSet<SetElement<'_>> = theirs.iter().map(SetElement).collect();
    let kept = ours.iter().filter(|item| {
        if in_other.contains(&SetElement(item)) {
            operation.first_if_common
        } else {
            operation.first_if_alone
        }
    });
    // What is not known yet equals nothing, not even itself.
    let is_added = |item: &&Value| !(item.is_wholly_known() && in_first.contains(&SetElement(item)));
    let added = theirs.iter().filter(|item| operation.other_if_alone && is_added(item));
    Ok(Value::set_of(element, kept.chain(added).cloned())?)
}

fn sets(function: Function) -> Function {
    function.parameter(any_set("first_set", "A set.")).variadic(any_set("other_sets", "Further sets."))
}

pub(crate) fn setunion() -> Function {
    let union =
        Operation { first_if_common: true, first_if_alone: true, other_if_alone: true, takes_unknown: true };
    sets(operation(union))
        .describe("The elements that any of the sets has.")
        .example(r#"setunion(["a", "b"], ["b", "c"])"#, r#"toset(["a", "b", "c"])"#)
}

pub(crate) fn setintersection() -> Function {
    let intersection = Operation {
        first_if_common: true,
        first_if_alone: false,
        other_if_alone: false,
        takes_unknown: false,
    };
    sets(operation(intersection))
        .describe("The elements that all of the sets have.")
        .example(r#"setintersection(["a", "b"], ["b", "c"])"#, r#"toset(["b"])"#)
}

pub(crate) fn setsubtract() -> Function {
    let difference = Operation {
        first_if_common: false,
        first_if_alone: true,
        other_if_alone: false,
        takes_unknown: false,
    };
    operation(difference)
        .describe("The elements of one set that another one does not have.")
        .parameter(any_set("a", "The set to take elements off."))
        .parameter(any_set("b", "The elements to take off."))
        .example(r#"setsubtract(["a", "b"], ["b", "c"])"#, r#"toset(["a"])"#)
}

pub(crate) fn setsymmetricdifference() -> Function {
    let difference = Operation {
        first_if_common: false,
        first_if_alone: true,
        other_if_alone: true,
        takes_unknown: false,
    };
    sets(operation(difference))
        .describe("The elements that one of two sets has and the other has not; further sets in turn.")
        .example(r#"setsymmetricdifference(["a", "b"], ["b", "c"])"#, r#"toset(["a", "c"])"#)
}

/// As many combinations are made at most.
const MOST_COMBINATIONS: usize = 1 << 22;

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
    .describe(
        "All combinations of one element of each argument, as tuples: a set if there is a set among them.",
    )
    .variadic(
        Parameter::new("sets", Type::Dynamic)
            .describe("Sets, lists and tuples.")
            .allow_unknown()
            .allow_marked(),
    )
    .refine_result(not_null)
    .example(r#"setproduct(["a", "b"], [1, 2])"#, r#"tolist([["a", 1], ["a", 2], ["b", 1], ["b", 2]])"#)
}

/// The type of the elements of an argument.
fn factor_element(at: usize, ty: &Type) -> Result<Type, Error> {
    match ty {
        Type::Set(element) | Type::List(element) => Ok(Type::clone(element)),
        Type::Tuple(tuple) if tuple.elements().is_empty() => Ok(Type::Dynamic),
        Type::Tuple(tuple) => {
            unify_unsafely(tuple.elements()).ok_or_else(|| wrong(at, "the elements must be of one type"))
        }
        _ => Err(wrong(at, "a set, list or tuple is required")),
    }
}

/// How many elements there are, or at most are; none where that is not known, or is much.
fn greatest_length(factor: &Value) -> Result<Option<usize>, Error> {
    let length = if factor.is_known() || matches!(factor.ty(), Type::Tuple(_)) {
        factor.length()?.as_number().and_then(Number::to_u64)
    } else {
        factor.range().max_len().filter(|most| *most <= 1024)
    };
    Ok(length.and_then(|length| usize::try_from(length).ok()))
}

fn product(factors: &[Value], ty: &Type) -> Result<Value, Error> {
    let unknown = || Value::unknown(ty.clone()).refine().not_null();
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
        // That there is one in any case, and what is much, is as the reference has it.
        if total > 2048 {
            return unknown().finish();
        }
        return unknown().length_min(1).length_max(total as u64).finish();
    }
    if total > MOST_COMBINATIONS {
        return Err(Error::new(format!("there would be more than {MOST_COMBINATIONS} combinations")));
    }
    check_count(total.saturating_mul(factors.len()))?;
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
