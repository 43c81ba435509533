//! Conversion of null and unknown values, which depends only on their types and refinements.

use super::exists::conversion_exists;
use super::unify::unify_types;
use super::{Mode, Run};
use crate::error::Error;
use crate::refine::{Refinement, settled};
use crate::{Type, Value};

pub(super) fn convert(value: &Value, to: &Type, run: &Run) -> Result<Value, Error> {
    let from = value.ty();
    if !conversion_exists(&from, to, run) {
        return Err(Error::required(to));
    }
    let result = filled(&from, &to.without_optional(), &Run::new(Mode::Unsafe));
    if value.is_null() {
        return Ok(Value::null(result));
    }
    let known = value.refinement();
    let mut kept = Refinement { not_null: known.not_null, ..Refinement::default() };
    match (&from, &result) {
        (Type::Object(object), Type::Map(_)) => {
            kept.min_len = object.len() as u64;
            kept.max_len = Some(kept.min_len);
        }
        (Type::Tuple(tuple), Type::List(_)) => {
            kept.min_len = tuple.elements().len() as u64;
            kept.max_len = Some(kept.min_len);
        }
        (Type::Tuple(tuple), Type::Set(_)) => {
            // Elements may turn out to be equal, but at least one remains.
            let length = tuple.elements().len() as u64;
            kept.min_len = length.min(1);
            kept.max_len = Some(length);
        }
        (from, result) if from.is_collection() && result.is_collection() => {
            kept.min_len = match result {
                Type::Set(_) => known.min_len.min(1),
                _ => known.min_len,
            };
            kept.max_len = known.max_len;
        }
        _ => {}
    }
    Ok(settled(result, kept))
}

/// The target type, with each dynamic pseudo-type in it replaced by the source's type.
fn filled(from: &Type, to: &Type, run: &Run) -> Type {
    if *from == Type::Dynamic || !to.has_dynamic() {
        return to.clone();
    }
    match run.found(from, to) {
        Some(found) => found,
        None => run.keep(from, to, filled_now(from, to, run)),
    }
}

fn filled_now(from: &Type, to: &Type, run: &Run) -> Type {
    match to {
        Type::Dynamic => from.clone(),
        Type::List(to) => Type::list(element_filled(from, to, run)),
        Type::Set(to) => Type::set(element_filled(from, to, run)),
        Type::Map(to) => Type::map(match from {
            Type::Map(from) => filled(from, to, run),
            Type::Object(object) => common_filled(object.types(), to, run),
            _ => Type::clone(to),
        }),
        Type::Tuple(to) => match from {
            Type::Tuple(from) => {
                Type::tuple(from.elements().iter().zip(to.elements()).map(|(from, to)| filled(from, to, run)))
            }
            _ => Type::Tuple(to.clone()),
        },
        Type::Object(object) => Type::object(object.attributes().map(|(name, ty)| {
            let ty = match from {
                Type::Map(element) => filled(element, ty, run),
                Type::Object(from) => from.get(name).map_or_else(|| ty.clone(), |from| filled(from, ty, run)),
                _ => ty.clone(),
            };
            (name, ty)
        })),
        other => other.clone(),
    }
}

/// The element type of a list or set, filled in from the parts that become its elements.
fn element_filled(from: &Type, to: &Type, run: &Run) -> Type {
    match from {
        Type::List(from) | Type::Set(from) => filled(from, to, run),
        Type::Tuple(tuple) => common_filled(tuple.elements(), to, run),
        _ => to.clone(),
    }
}

fn common_filled(parts: &[Type], to: &Type, run: &Run) -> Type {
    match unify_types(parts, run) {
        Some(common) => filled(&common, to, run),
        None => to.clone(),
    }
}
