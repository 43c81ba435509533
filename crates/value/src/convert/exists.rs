//! Which conversions between types exist.

use super::unify::unify_types;
use super::{Mode, Run};
use crate::Type;

/// Returns true if there is a conversion between two types. Every type can be converted to itself. For null and unknown
/// values, and for the elements of empty collections, this alone determines whether they can be converted.
pub(super) fn conversion_exists(from: &Type, to: &Type, run: &Run) -> bool {
    match run.found(from, to) {
        Some(found) => found,
        None => run.keep(from, to, exists_now(from, to, run)),
    }
}

fn exists_now(from: &Type, to: &Type, run: &Run) -> bool {
    match (from, to) {
        _ if from.is_one_with(to) => true,
        (_, Type::Dynamic)
        | (Type::String, Type::String)
        | (Type::Number, Type::Number)
        | (Type::Bool, Type::Bool) => true,
        (Type::Capsule(from), Type::Capsule(to)) if from == to => true,
        (Type::Dynamic, _) => run.is(Mode::Unsafe),
        (Type::Number | Type::Bool, Type::String) => true,
        (Type::String, Type::Number | Type::Bool) => run.is(Mode::Unsafe),
        (Type::Object(from), Type::Object(to)) => {
            to.attributes().enumerate().all(|(at, (name, ty))| match from.get(name) {
                Some(own) => conversion_exists(own, ty, run),
                None => to.is_optional_at(at),
            })
        }
        (Type::Tuple(from), Type::Tuple(to)) => {
            from.elements().len() == to.elements().len()
                && from
                    .elements()
                    .iter()
                    .zip(to.elements())
                    .all(|(from, to)| conversion_exists(from, to, run))
        }
        (Type::List(from) | Type::Set(from), Type::List(to))
        | (Type::Set(from), Type::Set(to))
        | (Type::Map(from), Type::Map(to)) => conversion_exists(from, to, run),
        (Type::List(from), Type::Set(to)) => run.is(Mode::Unsafe) && conversion_exists(from, to, run),
        (Type::Tuple(from), Type::List(to) | Type::Set(to)) => {
            // The elements need a single type, and the dynamic pseudo-type is not one.
            let open = **to == Type::Dynamic
                && from.elements().iter().any(|part| *part != Type::Dynamic)
                && unify_types(from.elements(), run) == Some(Type::Dynamic);
            !open && elements_exist(from.elements(), to, run)
        }
        (Type::Object(from), Type::Map(to)) => elements_exist(from.types(), to, run),
        (Type::Map(from), Type::Object(to)) => {
            // An optional attribute may be missing in the map, and then needs no conversion.
            let mut attributes = to.types().iter().enumerate();
            run.is(Mode::Unsafe)
                && attributes
                    .all(|(at, to_type)| to.is_optional_at(at) || conversion_exists(from, to_type, run))
        }
        (Type::Capsule(from), to) => {
            run.is(Mode::Unsafe) && from.converts_to() && !matches!(to, Type::Capsule(_))
        }
        (_, Type::Capsule(to)) => run.is(Mode::Unsafe) && to.converts_from(),
        _ => false,
    }
}

/// Returns true if parts of several types can be converted to one element type.
fn elements_exist(parts: &[Type], element: &Type, run: &Run) -> bool {
    if parts.is_empty() {
        return true;
    }
    match element {
        Type::Dynamic => unify_types(parts, run)
            .is_some_and(|common| parts.iter().all(|part| conversion_exists(part, &common, run))),
        element => parts.iter().all(|part| conversion_exists(part, element, run)),
    }
}
