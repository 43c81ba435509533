//! Unification: finds one type to which values of several types can be converted (information model,
//! "Type Unification"). Where the reference prefers other types than the text, so does this.

use std::collections::VecDeque;

use hclkit_limits::Meter;

use super::exists::conversion_exists;
use super::{Mode, Run};
use crate::types::ObjectType;
use crate::work::count_parts;
use crate::{Str, Type};

/// Returns the type to which values of all these types can be converted safely, if there is one. Convert them with
/// [`Value::convert`](crate::Value::convert).
///
/// ```
/// use hclkit_value::{Type, unify};
///
/// assert_eq!(unify(&[Type::Number, Type::String]), Some(Type::String));
/// assert_eq!(unify(&[Type::list(Type::Bool), Type::set(Type::Bool)]), Some(Type::list(Type::Bool)));
/// assert_eq!(unify(&[Type::Number, Type::list(Type::Number)]), None);
/// ```
pub fn unify(types: &[Type]) -> Option<Type> {
    unify_types(types, &Run::new(Mode::Safe))
}

/// Returns the type to which values of all these types can be converted, if there is one. Conversions may fail
/// for some values or lose information.
pub fn unify_unsafely(types: &[Type]) -> Option<Type> {
    unify_types(types, &Run::new(Mode::Unsafe))
}

/// The number of parts that count toward the limit on elements.
const MANY: usize = 64;

/// The number of types of each kind.
#[derive(Default)]
struct Count {
    map: usize,
    object: usize,
    list: usize,
    set: usize,
    tuple: usize,
    dynamic: usize,
}

pub(super) fn unify_types(types: &[Type], run: &Run) -> Option<Type> {
    let first = types.first()?;
    if types.iter().all(|ty| ty == first) {
        return Some(first.clone());
    }
    match run.unified(types) {
        Some(unified) => unified,
        None => run.keep_unified(types, unify_unlike(types, run)),
    }
}

fn unify_unlike(types: &[Type], run: &Run) -> Option<Type> {
    let mut count = Count::default();
    let mut parts = types.len();
    for ty in types {
        match ty {
            Type::Map(_) => count.map += 1,
            Type::Object(object) => {
                count.object += 1;
                parts += object.attributes().len();
            }
            Type::List(_) => count.list += 1,
            Type::Set(_) => count.set += 1,
            Type::Tuple(tuple) => {
                count.tuple += 1;
                parts += tuple.elements().len();
            }
            Type::Dynamic => count.dynamic += 1,
            Type::String | Type::Number | Type::Bool | Type::Capsule(_) => {}
        }
    }
    count_parts(parts);
    // Lists of parts can double with each level, because parts are shared.
    if parts >= MANY && Meter::current().take_elements(parts).is_err() {
        return None;
    }
    let all = types.len();
    let Count { map, object, list, set, tuple, dynamic } = count;
    // The result depends on what the dynamic types turn out to be.
    let guess = |found: Option<Type>| if dynamic > 0 { Some(Type::Dynamic) } else { found };
    if map > 0 && map + dynamic == all {
        return if dynamic > 0 { Some(Type::Dynamic) } else { collections(types, run, Type::map) };
    }
    if map > 0 && map + object + dynamic == all {
        if let Some(found) = parts_as(types, run, Type::map) {
            return Some(found);
        }
    } else if list > 0 && list + dynamic == all {
        return if dynamic > 0 { Some(Type::Dynamic) } else { collections(types, run, Type::list) };
    } else if list > 0 && list + tuple + dynamic == all {
        if let Some(found) = parts_as(types, run, Type::list) {
            return Some(found);
        }
    } else if set > 0 && set + dynamic == all {
        return if dynamic > 0 { Some(Type::Dynamic) } else { collections(types, run, Type::set) };
    } else if object > 0 && object + dynamic == all {
        return guess(if dynamic > 0 { None } else { objects(types, run) });
    } else if tuple > 0 && tuple + dynamic == all {
        return guess(if dynamic > 0 { None } else { tuples(types, run) });
    } else if object > 0 && tuple > 0 {
        return None;
    }

    preferred(types, run)
}

/// The first of the types to which all can be converted, trying more general types first.
fn preferred(types: &[Type], run: &Run) -> Option<Type> {
    let groups = places(types);
    let mut preferred = by_preference(types, &groups, run).into_iter().map(|at| &types[at]);
    let converts =
        |wanted: &Type| groups.iter().all(|group| conversion_exists(&types[group[0]], wanted, run));
    preferred.find(|wanted| converts(wanted)).cloned()
}

fn converts_all(types: &[Type], to: &Type, run: &Run) -> bool {
    types.iter().all(|ty| conversion_exists(ty, to, run))
}

/// Unifies collections of one kind by unifying their element types.
fn collections(types: &[Type], run: &Run, make: fn(Type) -> Type) -> Option<Type> {
    let elements: Vec<Type> = types.iter().filter_map(Type::element).cloned().collect();
    let unified = make(unify_types(&elements, run)?);
    converts_all(types, &unified, run).then_some(unified)
}

/// Unifies structures with collections: the structures are treated as a collection of all their parts.
fn parts_as(types: &[Type], run: &Run, make: fn(Type) -> Type) -> Option<Type> {
    let mut parts = Vec::new();
    for ty in types {
        match ty {
            Type::Object(object) => parts.extend_from_slice(object.types()),
            Type::Tuple(tuple) => parts.extend_from_slice(tuple.elements()),
            Type::Dynamic => return None,
            _ => {}
        }
    }
    // The structures are converted in two steps, even if there is no direct conversion.
    let halfway = unify_types(&parts, run)?;
    let collection = make(halfway.clone());
    let structures = || types.iter().filter(|ty| ty.is_structural());
    if !structures().all(|ty| conversion_exists(ty, &collection, run)) {
        return None;
    }
    let elements: Vec<Type> = types.iter().map(|ty| ty.element().unwrap_or(&halfway)).cloned().collect();
    let element = unify_types(&elements, run)?;
    let fits = elements.iter().all(|own| conversion_exists(own, &element, run));
    fits.then(|| make(element))
}

/// Unifies objects. Objects with the same names unify attribute by attribute. Otherwise, or if they cannot be
/// converted to the result, they unify to a map.
fn objects(types: &[Type], run: &Run) -> Option<Type> {
    let objects: Vec<&ObjectType> = types.iter().filter_map(Type::as_object).collect();
    let first = objects.first()?;
    if objects.iter().all(|object| object.names() == first.names()) {
        let mut attributes: Vec<(&Str, Type)> = Vec::with_capacity(first.len());
        for (at, name) in first.names().iter().enumerate() {
            let across: Vec<Type> = objects.iter().map(|object| object.types()[at].clone()).collect();
            attributes.push((name, unify_types(&across, run)?));
        }
        let unified = Type::object(attributes);
        if converts_all(types, &unified, run) {
            return Some(unified);
        }
    }
    let parts: Vec<Type> = objects.iter().flat_map(|object| object.types()).cloned().collect();
    as_collection(types, &parts, run, Type::map)
}

/// Unifies tuples. Tuples of the same length unify element by element. Otherwise, or if they cannot be converted
/// to the result, they unify to a list.
fn tuples(types: &[Type], run: &Run) -> Option<Type> {
    let tuples: Vec<&[Type]> = types.iter().filter_map(Type::tuple_elements).collect();
    let first = tuples.first()?;
    if tuples.iter().all(|tuple| tuple.len() == first.len()) {
        let mut elements = Vec::with_capacity(first.len());
        for at in 0..first.len() {
            let across: Vec<Type> = tuples.iter().map(|tuple| tuple[at].clone()).collect();
            elements.push(unify_types(&across, run)?);
        }
        let unified = Type::tuple(elements);
        if converts_all(types, &unified, run) {
            return Some(unified);
        }
    }
    let parts: Vec<Type> = tuples.iter().flat_map(|tuple| tuple.iter()).cloned().collect();
    as_collection(types, &parts, run, Type::list)
}

fn as_collection(types: &[Type], parts: &[Type], run: &Run, make: fn(Type) -> Type) -> Option<Type> {
    let unified = make(unify_types(parts, run)?);
    converts_all(types, &unified, run).then_some(unified)
}

/// The indexes of each distinct type. There are usually few distinct types.
fn places(types: &[Type]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, ty) in types.iter().enumerate() {
        match groups.iter_mut().find(|group| types[group[0]] == *ty) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    groups
}

/// The first index of each distinct type, in topological order: a type comes after all types that are more general, and
/// otherwise in the order given.
fn by_preference(types: &[Type], groups: &[Vec<usize>], run: &Run) -> Vec<usize> {
    let mut less_general = vec![Vec::new(); groups.len()];
    let mut waiting_for = vec![0usize; groups.len()];
    for (i, own) in groups.iter().enumerate() {
        for (j, other) in groups.iter().enumerate().skip(i + 1) {
            let (general, special) = match generality(&types[own[0]], &types[other[0]], run) {
                0 => continue,
                order if order < 0 => (i, j),
                _ => (j, i),
            };
            less_general[general].push(special);
            waiting_for[special] += groups[general].len();
        }
    }
    let mut ready: VecDeque<(usize, usize)> = VecDeque::new();
    let make_ready = |ready: &mut VecDeque<(usize, usize)>, which: Vec<usize>| {
        let mut places: Vec<(usize, usize)> =
            which.iter().flat_map(|group| groups[*group].iter().map(|at| (*at, *group))).collect();
        places.sort_unstable();
        ready.extend(places);
    };
    make_ready(&mut ready, (0..groups.len()).filter(|group| waiting_for[*group] == 0).collect());
    let mut order = Vec::with_capacity(groups.len());
    while let Some((at, group)) = ready.pop_front() {
        if at == groups[group][0] {
            order.push(at);
        }
        let mut free = Vec::new();
        for other in &less_general[group] {
            waiting_for[*other] -= 1;
            if waiting_for[*other] == 0 {
                free.push(*other);
            }
        }
        make_ready(&mut ready, free);
    }
    order
}

/// Negative if the first type is more general than the second, positive if the second is, zero otherwise.
fn generality(a: &Type, b: &Type, run: &Run) -> i8 {
    match run.found(a, b) {
        Some(found) => found,
        None => run.keep(a, b, generality_now(a, b, run)),
    }
}

fn generality_now(a: &Type, b: &Type, run: &Run) -> i8 {
    match (a, b) {
        (Type::Dynamic, Type::Dynamic) => 0,
        (Type::Dynamic, _) => 1,
        (_, Type::Dynamic) => -1,
        (Type::String, Type::Number | Type::Bool) => -1,
        (Type::Number | Type::Bool, Type::String) => 1,
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
            generality(a, b, run)
        }
        (Type::List(_) | Type::Tuple(_), Type::Set(_)) => -1,
        (Type::Set(_), Type::List(_) | Type::Tuple(_)) => 1,
        (Type::List(_), Type::Tuple(_)) | (Type::Map(_), Type::Object(_)) => -1,
        (Type::Tuple(_), Type::List(_)) | (Type::Object(_), Type::Map(_)) => 1,
        (Type::Object(a), Type::Object(b)) if a.names() == b.names() => {
            in_agreement(a.types(), b.types(), run)
        }
        (Type::Tuple(a), Type::Tuple(b)) if a.elements().len() == b.elements().len() => {
            in_agreement(a.elements(), b.elements(), run)
        }
        _ => 0,
    }
}

/// The answer that all pairs have in common, or zero. Pairs without an answer are ignored.
fn in_agreement(a: &[Type], b: &[Type], run: &Run) -> i8 {
    let mut answer = 0;
    for (a, b) in a.iter().zip(b) {
        match generality(a, b, run) {
            0 => {}
            order if answer == 0 || order == answer => answer = order,
            _ => return 0,
        }
    }
    answer
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::{Mode, Run, by_preference, generality, places};
    use crate::Type;

    /// The same order computed without grouping equal types.
    fn one_by_one(types: &[Type]) -> Vec<usize> {
        let run = Run::new(Mode::Unsafe);
        let more_general = |a: usize, b: usize| match a.cmp(&b) {
            std::cmp::Ordering::Less => generality(&types[a], &types[b], &run) < 0,
            _ => generality(&types[b], &types[a], &run) > 0,
        };
        let all = 0..types.len();
        let mut waiting: Vec<usize> =
            all.clone().map(|at| all.clone().filter(|other| more_general(*other, at)).count()).collect();
        let mut ready: VecDeque<usize> = all.clone().filter(|at| waiting[*at] == 0).collect();
        let mut order = Vec::new();
        while let Some(at) = ready.pop_front() {
            order.push(at);
            for other in all.clone().filter(|other| more_general(at, *other)) {
                waiting[other] -= 1;
                if waiting[other] == 0 {
                    ready.push_back(other);
                }
            }
        }
        order
    }

    #[test]
    fn grouping_equal_types_does_not_change_their_order() {
        let kinds = [
            Type::String,
            Type::Number,
            Type::Bool,
            Type::Dynamic,
            Type::list(Type::String),
            Type::list(Type::Number),
            Type::set(Type::Bool),
            Type::tuple([Type::Number]),
            Type::map(Type::String),
            Type::object([("a", Type::Bool)]),
            Type::object([("a", Type::String)]),
        ];
        let mut numbers = crate::random::numbers();
        let mut random = || (numbers() >> 33) as usize;
        for _ in 0..2_000 {
            let (few, count) = (1 + random() % kinds.len(), 1 + random() % 9);
            let types: Vec<Type> = (0..count).map(|_| kinds[random() % few].clone()).collect();
            let mut expected: Vec<&Type> = Vec::new();
            for at in one_by_one(&types) {
                if !expected.contains(&&types[at]) {
                    expected.push(&types[at]);
                }
            }
            let found: Vec<&Type> = by_preference(&types, &places(&types), &Run::new(Mode::Unsafe))
                .into_iter()
                .map(|at| &types[at])
                .collect();
            assert_eq!(found, expected, "{types:?}");
        }
    }
}
