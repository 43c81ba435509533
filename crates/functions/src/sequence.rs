//! Functions on lists and tuples, some of which also accept sets. Elements keep their marks if the function does not
//! inspect them.

mod select;

use hclkit_limits::Meter;
use hclkit_value::{Error, Function, Marks, Number, Parameter, Type, Value, unify_unsafely};

use crate::arguments::{integer, items, not_null, number, unmarked, wrong};
use crate::limits::{check_count, visit};

#[cfg(feature = "cty")]
pub(crate) use select::{chunklist, compact, contains, distinct, element, slice};

pub(crate) fn concat() -> Function {
    Function::with_type(concatenated_type, |args, ty| {
        let mut marks = Marks::default();
        let mut all = Vec::with_capacity(args.iter().map(|arg| items(arg).len()).sum());
        for arg in args {
            let part = unmarked(arg, &mut marks);
            match ty {
                // Elements of other types are converted together with their list.
                Type::List(_) if !part.has_type(ty) => all.extend_from_slice(items(&part.convert(ty)?)),
                _ => all.extend_from_slice(items(&part)),
            }
        }
        let result = match ty {
            // Of lists without elements, the type may not be known.
            Type::List(element) if element.has_dynamic() && !all.is_empty() => Value::list(all)?,
            Type::List(element) => Value::list_of(Type::clone(element), all)?,
            _ => Value::tuple(all),
        };
        Ok(result.with_marks(&marks))
    })
    .with_description("Concatenates lists and tuples. The result is a list if all arguments are lists, and a tuple otherwise.")
    .with_variadic(Parameter::new("seqs", Type::Dynamic).with_description("The lists and tuples to concatenate.").with_marked())
    .with_refined_result(not_null)
    .with_example(r#"concat(["a"], ["b", "c"])"#, r#"["a", "b", "c"]"#)
}

fn concatenated_type(args: &[Value]) -> Result<Type, Error> {
    if args.is_empty() {
        return Err(Error::new("at least one list or tuple is required"));
    }
    let known = args.iter().map(|arg| arg.unmark().0.as_slice().map_or(0, <[Value]>::len));
    check_count(known.fold(0, usize::saturating_add))?;
    let types: Vec<Type> = args.iter().map(Value::ty).collect();
    if types.iter().all(|ty| matches!(ty, Type::List(_)))
        && let Some(ty @ Type::List(_)) = unify_unsafely(&types)
    {
        return Ok(ty);
    }
    let mut elements = Vec::new();
    for (at, (arg, ty)) in args.iter().zip(&types).enumerate() {
        match ty {
            Type::Tuple(tuple) => elements.extend_from_slice(tuple.elements()),
            // The length of a list is part of the result type.
            Type::List(_) if !arg.is_known() => return Ok(Type::Dynamic),
            Type::List(element) => {
                let length = arg.unmark().0.as_slice().map_or(0, <[Value]>::len);
                elements.extend(std::iter::repeat_n(Type::clone(element), length));
            }
            other => {
                return Err(wrong(at, format!("a list or tuple is required, not {}", other.friendly_name())));
            }
        }
    }
    Ok(Type::tuple(elements))
}

pub(crate) fn coalescelist() -> Function {
    Function::with_type(
        |args| {
            if args.is_empty() {
                return Err(Error::new("at least one argument is required"));
            }
            let known = args.iter().take_while(|arg| arg.is_known());
            for (at, arg) in known.enumerate() {
                if !matches!(arg.ty(), Type::List(_) | Type::Tuple(_)) {
                    return Err(wrong(at, "a list or tuple is required"));
                }
            }
            Ok(Type::Dynamic)
        },
        |args, ty| {
            for arg in args {
                if !arg.is_known() {
                    return Ok(Value::unknown(ty.clone()));
                }
                if !arg.is_null() && !items(arg).is_empty() {
                    return Ok(arg.clone());
                }
            }
            Err(Error::new("all arguments are null or empty"))
        },
    )
    .with_description("Returns the first list or tuple that is neither null nor empty.")
    .with_variadic(
        Parameter::new("vals", Type::Dynamic)
            .with_description("The lists and tuples to choose from, in order of preference.")
            .with_nulls()
            .with_unknowns()
            .with_dynamic(),
    )
    .with_refined_result(not_null)
    .with_example(r#"coalescelist([], ["a"])"#, r#"["a"]"#)
}

pub(crate) fn reverse() -> Function {
    Function::with_type(
        |args| match args[0].ty() {
            Type::Tuple(tuple) => Ok(Type::tuple(tuple.elements().iter().rev().cloned())),
            Type::List(element) | Type::Set(element) => Ok(Type::list(Type::clone(&element))),
            other => Err(wrong(0, format!("a list or tuple is required, not {}", other.friendly_name()))),
        },
        |args, ty| {
            let mut marks = Marks::default();
            let list = unmarked(&args[0], &mut marks);
            check_count(items(&list).len())?;
            let reversed = items(&list).iter().rev().cloned();
            let result = match ty {
                Type::List(element) => Value::list_of(Type::clone(element), reversed)?,
                _ => Value::tuple(reversed),
            };
            Ok(result.with_marks(&marks))
        },
    )
    .with_description("Reverses the order of the elements of a list.")
    .with_parameter(
        Parameter::new("list", Type::Dynamic).with_description("A list, tuple or set.").with_marked(),
    )
    .with_refined_result(not_null)
    .with_example("reverse([1, 2, 3])", "[3, 2, 1]")
}

pub(crate) fn flatten() -> Function {
    Function::with_type(
        |args| {
            if !args[0].is_wholly_known() {
                return Ok(Type::Dynamic);
            }
            match args[0].ty() {
                Type::List(_) | Type::Set(_) | Type::Tuple(_) => {}
                _ => return Err(Error::new("a list, set or tuple is required")),
            }
            let _operation = Meter::current().begin();
            let mut flat = Flattened::default();
            Ok(if flat.add(&args[0])? {
                Type::tuple(flat.items.iter().map(Value::ty))
            } else {
                Type::Dynamic
            })
        },
        |args, _| {
            let _operation = Meter::current().begin();
            let mut flat = Flattened::default();
            let whole = flat.add(&args[0])?;
            let result = if whole { Value::tuple(flat.items) } else { Value::DYNAMIC };
            Ok(result.with_marks(&flat.marks))
        },
    )
    .with_description("Flattens nested lists, sets and tuples into a single tuple.")
    .with_parameter(
        Parameter::new("list", Type::Dynamic).with_description("A list, set or tuple.").with_marked(),
    )
    .with_refined_result(not_null)
    .with_deciding_marks()
    .with_example(r#"flatten([["a", "b"], [], ["c", ["d"]]])"#, r#"["a", "b", "c", "d"]"#)
}

/// Collects the elements of nested sequences, in order.
#[derive(Default)]
struct Flattened {
    items: Vec<Value>,
    /// The marks of the sequences, which are not part of the result.
    marks: Marks,
}

impl Flattened {
    /// Adds the elements of a sequence. Returns whether their number is known. A partly unknown map or object passes
    /// the type check, and contributes its values.
    fn add(&mut self, sequence: &Value) -> Result<bool, Error> {
        let sequence = unmarked(sequence, &mut self.marks);
        if !sequence.is_known() {
            return Ok(false);
        }
        visit(sequence.parts().len() + 1)?;
        // Unknown elements of a set may turn out to be equal.
        let is_set = matches!(sequence.ty(), Type::Set(_));
        if is_set && items(&sequence).len() > 1 && !sequence.is_wholly_known() {
            return Ok(false);
        }
        let mut whole = true;
        let entries = sequence.entries().into_iter().flatten().map(|(_, item)| item);
        for item in items(&sequence).iter().chain(entries) {
            match item.ty() {
                Type::List(_) | Type::Set(_) | Type::Tuple(_) if !item.is_null() => {
                    whole &= self.add(item)?;
                }
                // The reference treats a marked unknown value as a single element.
                Type::Dynamic if !item.is_known() && !item.is_marked() && !item.is_open_object() => {
                    whole = false;
                }
                _ => self.items.push(item.clone()),
            }
        }
        check_count(self.items.len())?;
        Ok(whole)
    }
}

pub(crate) fn range() -> Function {
    const MOST: usize = 1024;
    Function::unnamed(Type::list(Type::Number), |args, _| {
        let (start, end) = match args.len() {
            1 => (Number::from(0), number(args, 0)?.clone()),
            2 | 3 => (number(args, 0)?.clone(), number(args, 1)?.clone()),
            _ => return Err(Error::new("one, two or three numbers are required")),
        };
        let falls = start.compare(&end).is_gt();
        // At the precision of integers, as in the reference.
        let step = match args.len() {
            3 => number(args, 2)?.clone(),
            _ if falls => Number::from(-1),
            _ => Number::from(1),
        };
        if step.signum() >= 0 && falls {
            return Err(wrong(0, "the end must not be less than the start when the step is positive"));
        }
        if step.signum() < 0 && start.compare(&end).is_lt() {
            return Err(wrong(0, "the end must not be greater than the start when the step is negative"));
        }
        let mut numbers = Vec::new();
        let mut next = start;
        while if step.signum() < 0 { next.compare(&end).is_gt() } else { next.compare(&end).is_lt() } {
            if numbers.len() == MOST {
                return Err(Error::new(format!("the range would contain more than {MOST} numbers")));
            }
            let following = next.add(&step)?;
            numbers.push(Value::from(next));
            next = following;
        }
        Ok(Value::list_of(Type::Number, numbers)?)
    })
    .with_description(
        "Generates a list of numbers from a start (0 by default) up to but not including an end, with a step (1 or -1 by default).",
    )
    .with_variadic(Parameter::new("params", Type::Number).with_description("Either the end; the start and the end; or the start, the end and the step."))
    .with_refined_result(not_null)
    .with_example("range(3)", "tolist([0, 1, 2])")
    .with_example("range(1, 8, 2)", "tolist([1, 3, 5, 7])")
}

/// Parses the bounds of a slice. Unknown bounds are `None`.
fn bounds(args: &[Value]) -> Result<(Option<usize>, Option<usize>), Error> {
    let bound = |at: usize| {
        if args[at].is_known() { integer(args, at).map(Some) } else { Ok(None) }
    };
    let (start, end) = (bound(1)?, bound(2)?);
    if start.is_some_and(|start| start < 0) {
        return Err(wrong(1, "the start must not be negative"));
    }
    if end.is_some_and(|end| end < 0) {
        return Err(wrong(2, "the end must not be negative"));
    }
    if start.zip(end).is_some_and(|(start, end)| start > end) {
        return Err(wrong(1, "the start must not be greater than the end"));
    }
    let place = |bound: Option<i64>| bound.and_then(|bound| usize::try_from(bound).ok());
    Ok((place(start), place(end)))
}
