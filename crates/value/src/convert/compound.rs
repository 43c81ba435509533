//! Conversion of collections and structures, part by part.

use hclkit_limits::Meter;

use super::exists::conversion_exists;
use super::unify::unify_types;
use super::{Mode, Run, convert_part};
use crate::error::{Error, Errors};
use crate::path::Step;
use crate::types::ObjectType;
use crate::value::{Entries, Repr};
use crate::{Map, Object, Str, Type, Value};

// Plain loops and small functions keep stack frames small, because these functions recurse for each level of nesting.

/// Checks the limit on elements before a copy of the parts is made.
#[inline(never)]
fn check_room(value: &Value) -> Result<(), Error> {
    Ok(Meter::current().room_for_elements(value.parts().len())?)
}

pub(super) fn convert(value: &Value, to: &Type, run: &Run) -> Result<Value, Error> {
    check_room(value)?;
    match (&value.0, to) {
        (Repr::Tuple(tuple), Type::Tuple(types)) => tuple_to_tuple(&tuple.items, types.elements(), run),
        (Repr::Tuple(tuple), Type::List(element) | Type::Set(element)) => {
            tuple_to_sequence(&tuple.items, element, to, run)
        }
        (Repr::Object(_), Type::Object(types)) => attributes(value, types, run),
        (Repr::Map(map), Type::Object(types)) => match map_to_object_refused(map, types, to, run) {
            Some(refused) => refused,
            None => attributes(value, types, run),
        },
        (Repr::Object(object), Type::Map(element)) => object_to_map(object, element, to, run),
        (Repr::Map(map), Type::Map(element)) => map_to_map(map, element, to, run),
        (Repr::List(_) | Repr::Set(_), Type::List(element) | Type::Set(element)) => {
            to_sequence(value, element, to, run)
        }
        _ => Err(Error::required(to)),
    }
}

fn map_to_map(map: &Map, element: &Type, to: &Type, run: &Run) -> Result<Value, Error> {
    if map.is_empty() {
        return empty(map.element_type(), element, to, run).map(Value::empty_map);
    }
    entries(map.iter(), element, run, false)
}

fn object_to_map(object: &Object, element: &Type, to: &Type, run: &Run) -> Result<Value, Error> {
    if object.is_empty() {
        return Ok(Value::empty_map(element.without_optional()));
    }
    let target = common_target(object.values(), element, to, run)?;
    // Tuples in a map must already have the same type.
    entries(object.iter(), &target, run, !matches!(element, Type::Tuple(_)))
}

fn to_sequence(value: &Value, element: &Type, to: &Type, run: &Run) -> Result<Value, Error> {
    match without_elements(value, element, to, run) {
        Some(done) => done,
        None => elements(value.as_slice().unwrap_or_default(), element, to, run, false),
    }
}

/// The result for a list or set, if it does not depend on converting the elements.
fn without_elements(value: &Value, element: &Type, to: &Type, run: &Run) -> Option<Result<Value, Error>> {
    let (items, own) = match &value.0 {
        Repr::List(list) => (&list.items, list.element_type()),
        Repr::Set(set) => (&set.items, set.element_type()),
        _ => return Some(Err(Error::required(to))),
    };
    match (&value.0, to) {
        (Repr::List(_), Type::Set(_)) if run.is(Mode::Safe) => return Some(Err(Error::required(to))),
        // The number of elements in the set depends on unknown values.
        (Repr::Set(_), Type::List(_)) if items.len() > 1 && !value.is_wholly_known() => {
            return Some(absent_list(value, to, run));
        }
        _ => {}
    }
    items.is_empty().then(|| Ok(sequence(to, empty(own, element, to, run)?, Vec::new())))
}

fn tuple_to_tuple(items: &[Value], types: &[Type], run: &Run) -> Result<Value, Error> {
    if items.len() != types.len() {
        return Err(Error::new(format!("a tuple of {} elements is required", types.len())));
    }
    let (mut converted, mut errors) = (Vec::with_capacity(items.len()), Errors::default());
    for (at, (item, ty)) in items.iter().zip(types).enumerate() {
        if errors.is_full() {
            break;
        }
        match convert_part(item, ty, run) {
            Ok(item) => converted.push(item),
            Err(error) => errors.push(error.within(Step::from(at))),
        }
    }
    Ok(Value::tuple(errors.finish(converted)?))
}

/// Returns an error unless the map's element type can be converted to all required attributes, even those
/// that the map has no element for.
fn map_to_object_refused(
    map: &Map,
    types: &ObjectType,
    to: &Type,
    run: &Run,
) -> Option<Result<Value, Error>> {
    let element = map.element_type();
    let mut wanted = types.types().iter().enumerate().filter(|(at, _)| !types.is_optional_at(*at));
    let fits = run.is(Mode::Unsafe) && wanted.all(|(_, ty)| conversion_exists(element, ty, run));
    (!fits).then(|| Err(Error::required(to)))
}

fn tuple_to_sequence(items: &[Value], element: &Type, to: &Type, run: &Run) -> Result<Value, Error> {
    let target = tuple_target(items, element, to, run)?;
    elements(items, &target, to, run, matches!(to, Type::List(_)))
}

/// The unknown list for a set with unknown elements.
fn absent_list(set: &Value, to: &Type, run: &Run) -> Result<Value, Error> {
    super::absent::convert(&Value::unknown(set.ty()), to, run)
}

/// The element type of an empty collection after conversion. It stays the same if the target is the dynamic pseudo-type.
fn empty(from: &Type, element: &Type, to: &Type, run: &Run) -> Result<Type, Error> {
    if !conversion_exists(from, element, run) {
        return Err(Error::required(to));
    }
    Ok(if *element == Type::Dynamic { from.clone() } else { element.without_optional() })
}

fn sequence(to: &Type, element: Type, items: Vec<Value>) -> Value {
    match to {
        Type::Set(_) => Value::set_of(element, items).unwrap_or(Value::DYNAMIC),
        _ => Value::from_list(crate::List::new(element, items)),
    }
}

/// The type to which the elements of a tuple are converted. It must be a single type, not the dynamic pseudo-type.
fn tuple_target(items: &[Value], element: &Type, to: &Type, run: &Run) -> Result<Type, Error> {
    if items.is_empty() {
        return Ok(element.clone());
    }
    let target = common_target(items, element, to, run)?;
    if target == Type::Dynamic && !items.iter().all(|item| item.has_type(&Type::Dynamic)) {
        return Err(Error::new("all elements must have the same type"));
    }
    Ok(target)
}

/// The target element type. If it is the dynamic pseudo-type, the type to which all parts can be converted.
fn common_target(parts: &[Value], element: &Type, to: &Type, run: &Run) -> Result<Type, Error> {
    if *element != Type::Dynamic {
        return Ok(element.clone());
    }
    if let Some(first) = parts.first()
        && let ty = first.ty()
        && parts.iter().all(|part| part.has_type(&ty))
    {
        return Ok(ty);
    }
    let types: Vec<Type> = parts.iter().map(Value::ty).collect();
    unify_types(&types, run).ok_or_else(|| Error::required(to))
}

/// Converts the entries of an object or map to the attributes of an object.
fn attributes(value: &Value, types: &ObjectType, run: &Run) -> Result<Value, Error> {
    let (mut values, mut errors) = (Vec::with_capacity(types.len()), Errors::default());
    for at in 0..types.len() {
        if errors.is_full() {
            break;
        }
        let Some(part) = part_for(value, types, at) else {
            values.extend(errors.take(absent_attribute(types, at)));
            continue;
        };
        match convert_part(part, &types.types()[at], run) {
            Ok(part) => values.push(part),
            Err(error) => errors.push(within(error, &types.names()[at], value.as_map().is_some())),
        }
    }
    let values = errors.finish(values)?;
    Ok(Value::from_object(Object::new(types.shared_names().clone(), values)))
}

/// The part for an attribute. In objects, the same index is tried first.
fn part_for<'v>(value: &'v Value, types: &ObjectType, at: usize) -> Option<&'v Value> {
    let name = &types.names()[at];
    match &value.0 {
        Repr::Object(object) => match object.shared_names().get(at) {
            Some(own) if own == name => object.values().get(at),
            _ => object.get(name),
        },
        Repr::Map(map) => map.get(name),
        _ => None,
    }
}

fn absent_attribute(types: &ObjectType, at: usize) -> Result<Value, Error> {
    if types.is_optional_at(at) {
        Ok(Value::null(types.types()[at].without_optional()))
    } else {
        Err(missing(&types.names()[at]))
    }
}

fn missing(name: &Str) -> Error {
    Error::new(format!("attribute {:?} is required", name.as_str()))
}

fn within(error: Error, name: &Str, keyed: bool) -> Error {
    error.within(if keyed { Step::Index(Value::from(name)) } else { Step::Attribute(name.clone()) })
}

fn entries(entries: Entries<'_>, element: &Type, run: &Run, unify: bool) -> Result<Value, Error> {
    let (mut keys, mut values) = (Vec::with_capacity(entries.len()), Vec::with_capacity(entries.len()));
    let mut errors = Errors::default();
    for (key, item) in entries {
        if errors.is_full() {
            break;
        }
        match convert_part(item, element, run) {
            Ok(item) => values.push(item),
            Err(error) => errors.push(within(error, key, true)),
        }
        keys.push(key.clone());
    }
    map_of(keys, errors.finish(values)?, element, run, unify)
}

fn map_of(
    keys: Vec<Str>,
    values: Vec<Value>,
    element: &Type,
    run: &Run,
    unify: bool,
) -> Result<Value, Error> {
    let (element, values) = of_one_type(values, element, run, unify)?;
    Ok(Value::from_map(Map::new(element, keys, values)))
}

fn elements(items: &[Value], element: &Type, to: &Type, run: &Run, unify: bool) -> Result<Value, Error> {
    let (mut converted, mut errors) = (Vec::with_capacity(items.len()), Errors::default());
    for (at, item) in items.iter().enumerate() {
        if errors.is_full() {
            break;
        }
        match convert_part(item, element, run) {
            Ok(item) => converted.push(item),
            Err(error) => errors.push(error.within(Step::from(at))),
        }
    }
    let (element, items) = of_one_type(errors.finish(converted)?, element, run, unify)?;
    Ok(sequence(to, element, items))
}

/// Makes the elements of a collection have one type: elements converted to a specification can still have
/// different types. With `unify`, they are converted to a common type, if there is one.
fn of_one_type(
    items: Vec<Value>,
    element: &Type,
    run: &Run,
    unify: bool,
) -> Result<(Type, Vec<Value>), Error> {
    if items.is_empty() || !element.has_dynamic() {
        return Ok((element.without_optional(), items));
    }
    let Some(first) = items.iter().find(|item| !item.has_type(&Type::Dynamic)) else {
        return Ok((Type::Dynamic, items));
    };
    let ty = first.ty();
    if items.iter().all(|item| item.has_type(&ty)) {
        return Ok((ty, items));
    }
    let mixed = || Error::new("all elements must have the same type");
    if !unify {
        let items: Option<Vec<Value>> =
            items.into_iter().map(|item| crate::value::element_as(item, &ty)).collect();
        return Ok((ty, items.ok_or_else(mixed)?));
    }
    let types: Vec<Type> = items.iter().map(Value::ty).collect();
    let common = unify_types(&types, run).ok_or_else(mixed)?;
    let items = items
        .iter()
        .enumerate()
        .map(|(at, item)| convert_part(item, &common, run).map_err(|error| error.within(Step::from(at))))
        .collect::<Result<Vec<_>, _>>()?;
    let typed = items.iter().find(|item| !item.has_type(&Type::Dynamic));
    let ty = typed.map_or(Type::Dynamic, Value::ty);
    let items: Option<Vec<Value>> =
        items.into_iter().map(|item| crate::value::element_as(item, &ty)).collect();
    Ok((ty, items.ok_or_else(mixed)?))
}
