//! Conversion of collections and structures, part by part.

use super::exists::conversion_exists;
use super::unify::unify_types;
use super::{Mode, convert as convert_part, required};
use crate::path::{Error, Step};
use crate::types::ObjectType;
use crate::value::{Entries, Repr};
use crate::{Map, Object, Str, Type, Value};

pub(super) fn convert(value: &Value, to: &Type, mode: Mode) -> Result<Value, Error> {
    match (&value.0, to) {
        (Repr::Tuple(tuple), Type::Tuple(types)) => {
            if tuple.len() != types.elements().len() {
                return Err(Error::new(format!("a tuple of {} elements is required", types.elements().len())));
            }
            let items = tuple.iter().zip(types.elements()).enumerate();
            let items = items.map(|(i, (item, ty))| part(item, ty, mode, || Step::from(i)));
            Ok(Value::tuple(items.collect::<Result<Vec<_>, _>>()?))
        }
        (Repr::Object(object), Type::Object(types)) => {
            attributes(types, mode, |name| object.get(name), |name| Step::Attribute(name.clone()))
        }
        (Repr::Map(map), Type::Object(types)) => {
            if mode == Mode::Safe {
                return Err(required(to));
            }
            // Also for attributes that the map has no element for.
            let element = map.element_type();
            let mut wanted = types.types().iter().enumerate().filter(|(at, _)| !types.is_optional_at(*at));
            if !wanted.all(|(_, ty)| element == ty || conversion_exists(element, ty, mode)) {
                return Err(required(to));
            }
            attributes(types, mode, |name| map.get(name), |name| Step::Index(Value::from(name)))
        }
        (Repr::Map(map), Type::Map(element)) => {
            if map.is_empty() {
                return empty(map.element_type(), element, to, mode).map(Value::empty_map);
            }
            entries(map.iter(), element, mode, false)
        }
        (Repr::Object(object), Type::Map(element)) => {
            if object.is_empty() {
                return Ok(Value::empty_map(element.without_optional()));
            }
            let target = common_target(object.values(), element, to, mode)?;
            entries(object.iter(), &target, mode, true)
        }
        (Repr::Tuple(tuple), Type::List(element) | Type::Set(element)) => {
            if tuple.is_empty() {
                return Ok(sequence(to, element.without_optional(), Vec::new()));
            }
            let target = common_target(&tuple.items, element, to, mode)?;
            if target == Type::Dynamic && !tuple.iter().all(|item| item.has_type(&Type::Dynamic)) {
                return Err(Error::new("all elements must be of one type"));
            }
            elements(&tuple.items, &target, to, mode, matches!(to, Type::List(_)))
        }
        (Repr::List(list), Type::List(element) | Type::Set(element)) => {
            if mode == Mode::Safe && matches!(to, Type::Set(_)) {
                return Err(required(to));
            }
            if list.is_empty() {
                let element = empty(list.element_type(), element, to, mode)?;
                return Ok(sequence(to, element, Vec::new()));
            }
            elements(&list.items, element, to, mode, false)
        }
        (Repr::Set(set), Type::List(element) | Type::Set(element)) => {
            if set.is_empty() {
                let element = empty(set.element_type(), element, to, mode)?;
                return Ok(sequence(to, element, Vec::new()));
            }
            // How many elements the set has depends on what is not known yet.
            if matches!(to, Type::List(_)) && set.len() > 1 && !value.is_wholly_known() {
                return absent_list(value, to, mode);
            }
            elements(&set.items, element, to, mode, false)
        }
        _ => Err(required(to)),
    }
}

/// The list of a set that has elements not known yet.
fn absent_list(set: &Value, to: &Type, mode: Mode) -> Result<Value, Error> {
    super::absent::convert(&Value::unknown(set.ty()), to, mode)
}

fn part(value: &Value, to: &Type, mode: Mode, step: impl FnOnce() -> Step) -> Result<Value, Error> {
    convert_part(value, to, mode).map_err(|error| error.within(step()))
}

/// The element type of an empty collection that is converted; one without types keeps its own.
fn empty(from: &Type, element: &Type, to: &Type, mode: Mode) -> Result<Type, Error> {
    if from != element && !conversion_exists(from, element, mode) {
        return Err(required(to));
    }
    Ok(if *element == Type::Dynamic { from.clone() } else { element.without_optional() })
}

fn sequence(to: &Type, element: Type, items: Vec<Value>) -> Value {
    match to {
        Type::Set(_) => Value::set_of(element, items).unwrap_or(Value::DYNAMIC),
        _ => Value::from_list(crate::List::new(element, items)),
    }
}

/// Where any single type will do, the one to which all parts can be converted.
fn common_target(parts: &[Value], element: &Type, to: &Type, mode: Mode) -> Result<Type, Error> {
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
    unify_types(&types, mode).ok_or_else(|| required(to))
}

fn attributes<'a>(
    types: &ObjectType,
    mode: Mode,
    get: impl Fn(&str) -> Option<&'a Value>,
    step: impl Fn(&Str) -> Step,
) -> Result<Value, Error> {
    let mut values = Vec::with_capacity(types.len());
    for (at, (name, ty)) in types.attributes().enumerate() {
        values.push(match get(name) {
            Some(value) => part(value, ty, mode, || step(name))?,
            None if types.is_optional_at(at) => Value::null(ty.without_optional()),
            None => return Err(Error::new(format!("attribute {:?} is required", name.as_str()))),
        });
    }
    Ok(Value::from_object(Object::new(types.shared_names().clone(), values)))
}

fn entries(entries: Entries<'_>, element: &Type, mode: Mode, unify: bool) -> Result<Value, Error> {
    let keys: Vec<Str> = entries.clone().map(|(key, _)| key.clone()).collect();
    let values = entries.map(|(key, item)| part(item, element, mode, || Step::Index(Value::from(key))));
    let (element, values) = of_one_type(values.collect::<Result<Vec<_>, _>>()?, element, mode, unify)?;
    Ok(Value::from_map(Map::new(element, keys, values)))
}

fn elements(items: &[Value], element: &Type, to: &Type, mode: Mode, unify: bool) -> Result<Value, Error> {
    let items = items.iter().enumerate().map(|(i, item)| part(item, element, mode, || Step::from(i)));
    let (element, items) = of_one_type(items.collect::<Result<Vec<_>, _>>()?, element, mode, unify)?;
    Ok(sequence(to, element, items))
}

/// Elements converted to a specification can have several types in the end. Where they are those of a
/// structure, the one to which all can be converted is that of the collection.
fn of_one_type(items: Vec<Value>, element: &Type, mode: Mode, unify: bool) -> Result<(Type, Vec<Value>), Error> {
    if !element.has_dynamic() {
        return Ok((element.without_optional(), items));
    }
    let Some(first) = items.iter().find(|item| !item.has_type(&Type::Dynamic)) else {
        return Ok((Type::Dynamic, items));
    };
    let ty = first.ty();
    if items.iter().all(|item| item.has_type(&ty)) {
        return Ok((ty, items));
    }
    let mixed = || Error::new("all elements must be of one type");
    if !unify {
        let items: Option<Vec<Value>> =
            items.into_iter().map(|item| crate::value::element_as(item, &ty)).collect();
        return Ok((ty, items.ok_or_else(mixed)?));
    }
    let types: Vec<Type> = items.iter().map(Value::ty).collect();
    let common = unify_types(&types, mode).ok_or_else(mixed)?;
    let items = items
        .iter()
        .enumerate()
        .map(|(i, item)| part(item, &common, mode, || Step::from(i)))
        .collect::<Result<Vec<_>, _>>()?;
    let typed = items.iter().find(|item| !item.has_type(&Type::Dynamic));
    let ty = typed.map_or(Type::Dynamic, Value::ty);
    let items: Option<Vec<Value>> =
        items.into_iter().map(|item| crate::value::element_as(item, &ty)).collect();
    Ok((ty, items.ok_or_else(mixed)?))
}
