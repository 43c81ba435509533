//! Values out of JSON text.

use super::reader::{Next, Reader};
use crate::path::{Error, Step};
use crate::types::ObjectType;
use crate::value::ObjectShape;
use crate::{List, Number, Object, Str, Type, Value};

pub(super) fn value(reader: &mut Reader<'_>, ty: &Type) -> Result<Value, Error> {
    let next = reader.next()?;
    if next == Next::Null {
        reader.literal(next)?;
        return Ok(Value::null(ty.clone()));
    }
    match (ty, next) {
        (Type::Dynamic, _) => dynamic(reader),
        (Type::String | Type::Number | Type::Bool, _) => primitive(reader, ty, next),
        (Type::List(element), Next::Array) => {
            let items = elements(reader, |reader, _| value(reader, element))?;
            if element.has_dynamic() {
                return if items.is_empty() { Ok(Value::empty_list(Type::clone(element))) } else { Ok(Value::list(items)?) };
            }
            Ok(Value::from_list(List::with_type(ty.without_optional(), items)))
        }
        (Type::Set(element), Next::Array) => {
            let items = elements(reader, |reader, _| value(reader, element))?;
            if items.is_empty() {
                return Ok(Value::empty_set(element.without_optional()));
            }
            Ok(Value::set(items)?)
        }
        (Type::Map(element), Next::Object) => {
            let mut entries: Vec<(Str, Value)> = Vec::new();
            members(reader, |reader, key| {
                let key = Str::from(key);
                let item = value(reader, element).map_err(|error| error.within(Step::Index(Value::from(&key))))?;
                entries.push((key, item));
                Ok(())
            })?;
            if entries.is_empty() {
                return Ok(Value::empty_map(element.without_optional()));
            }
            Ok(Value::map(entries)?)
        }
        (Type::Tuple(tuple), Next::Array) => {
            let types = tuple.elements();
            let items = elements(reader, |reader, at| match types.get(at) {
                Some(ty) => value(reader, ty),
                None => Err(Error::new(format!("a tuple of {} elements is required", types.len()))),
            })?;
            if items.len() != types.len() {
                return Err(Error::new(format!("a tuple of {} elements is required", types.len())));
            }
            Ok(Value::tuple(items))
        }
        (Type::Object(object), Next::Object) => attributes(reader, object),
        (Type::Capsule(_), _) => Err(Error::new("a capsule has no JSON form")),
        _ => Err(Error::new(format!("{} is required", ty.required_name()))),
    }
}

fn elements(
    reader: &mut Reader<'_>,
    mut read: impl FnMut(&mut Reader<'_>, usize) -> Result<Value, Error>,
) -> Result<Vec<Value>, Error> {
    reader.open()?;
    let mut items = Vec::new();
    while reader.element(items.is_empty())? {
        let at = items.len();
        items.push(read(reader, at).map_err(|error| error.within(Step::from(at)))?);
    }
    Ok(items)
}

fn members<'a>(
    reader: &mut Reader<'a>,
    mut read: impl FnMut(&mut Reader<'a>, std::borrow::Cow<'a, str>) -> Result<(), Error>,
) -> Result<(), Error> {
    reader.open()?;
    let mut first = true;
    while let Some(key) = reader.key(first)? {
        first = false;
        read(reader, key)?;
    }
    Ok(())
}

fn attributes(reader: &mut Reader<'_>, ty: &ObjectType) -> Result<Value, Error> {
    let mut values: Vec<Option<Value>> = vec![None; ty.len()];
    // Keys mostly come in order.
    let mut expected = 0;
    members(reader, |reader, key| {
        let at = match ty.names().get(expected) {
            Some(name) if *name == *key => Some(expected),
            _ => ty.position(&Str::from(key.as_ref())),
        };
        let Some(at) = at else { return Err(Error::new(format!("there is no attribute {key:?}"))) };
        expected = at + 1;
        let (name, ty) = (&ty.names()[at], &ty.types()[at]);
        let value = value(reader, ty).map_err(|error| error.within(Step::Attribute(name.clone())))?;
        values[at] = Some(value);
        Ok(())
    })?;
    let values = values.into_iter().zip(ty.names()).map(|(value, name)| {
        value.ok_or_else(|| Error::new(format!("attribute {:?} is required", name.as_str())))
    });
    Ok(Value::from_object(Object::new(ty.shared_names().clone(), values.collect::<Result<_, _>>()?)))
}

fn primitive(reader: &mut Reader<'_>, ty: &Type, next: Next) -> Result<Value, Error> {
    let found = match next {
        Next::String => Value::from(reader.string()?.as_ref()),
        Next::Number => {
            let text = reader.number()?;
            if *ty == Type::String {
                return Ok(Value::from(text));
            }
            Value::from(number(text)?)
        }
        Next::True | Next::False => {
            reader.literal(next)?;
            Value::from(next == Next::True)
        }
        _ => return Err(Error::new(format!("{} is required", ty.required_name()))),
    };
    if found.has_type(ty) { Ok(found) } else { found.convert(ty) }
}

fn number(text: &str) -> Result<Number, Error> {
    text.parse().map_err(Error::from)
}

/// A value beside its type, in either order.
fn dynamic(reader: &mut Reader<'_>) -> Result<Value, Error> {
    let expected = || Error::new("an object of \"value\" and \"type\" is required");
    if reader.next()? != Next::Object {
        return Err(expected());
    }
    let (mut ty, mut place) = (None, None);
    members(reader, |reader, key| match key.as_ref() {
        "type" if ty.is_none() => {
            ty = Some(crate::types::read_type(reader)?);
            Ok(())
        }
        "value" if place.is_none() => {
            place = Some(reader.place());
            reader.skip()
        }
        _ => Err(expected()),
    })?;
    let (Some(ty), Some(place)) = (ty, place) else { return Err(expected()) };
    value(&mut reader.again_from(place), &ty)
}

/// Values of the types that the text implies. Objects of an array mostly have the same keys, and then
/// share them.
pub(super) fn plain(reader: &mut Reader<'_>) -> Result<Value, Error> {
    plain_like(reader, &mut None)
}

fn plain_like(reader: &mut Reader<'_>, last: &mut Option<(Vec<Str>, ObjectShape)>) -> Result<Value, Error> {
    match reader.next()? {
        Next::Object => {
            let (mut keys, mut values) = (Vec::new(), Vec::new());
            members(reader, |reader, key| {
                let known = last.as_ref().and_then(|(keys_before, _)| keys_before.get(keys.len()));
                let key = match known {
                    Some(known) if **known == *key => known.clone(),
                    _ => Str::from(key),
                };
                let value = plain(reader).map_err(|error| error.within(Step::Attribute(key.clone())))?;
                keys.push(key);
                values.push(value);
                Ok(())
            })?;
            let shape = match last {
                Some((keys_before, shape)) if *keys_before == keys => shape,
                _ => {
                    let shape = ObjectShape::new(keys.iter().cloned());
                    &last.insert((keys, shape)).1
                }
            };
            shape.object(values).ok_or_else(|| Error::new("an object without a value for each key"))
        }
        Next::Array => {
            let mut shape = None;
            Ok(Value::tuple(elements(reader, |reader, _| plain_like(reader, &mut shape))?))
        }
        Next::String => Ok(Value::from(reader.string()?.as_ref())),
        Next::Number => Ok(Value::from(number(reader.number()?)?)),
        Next::Null => {
            reader.literal(Next::Null)?;
            Ok(Value::NULL)
        }
        flag @ (Next::True | Next::False) => {
            reader.literal(flag)?;
            Ok(Value::from(flag == Next::True))
        }
    }
}
