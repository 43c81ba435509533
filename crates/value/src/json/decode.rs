//! Reads values from JSON text.

use hclkit_limits::Meter;

use super::reader::{Next, Reader};
use crate::error::Error;
use crate::path::Step;
use crate::types::ObjectType;
use crate::value::ObjectShape;
use crate::{List, Number, Object, Str, Type, Value};

// Plain loops and small functions keep stack frames small, because these functions recurse for each level of nesting.

pub(super) fn value(reader: &mut Reader<'_>, ty: &Type) -> Result<Value, Error> {
    let next = reader.next()?;
    if next == Next::Null {
        reader.literal(next)?;
        return Ok(Value::null(ty.without_optional()));
    }
    match (ty, next) {
        (Type::Dynamic, _) => dynamic(reader),
        (Type::String | Type::Number | Type::Bool, _) => primitive(reader, ty, next),
        (Type::List(element) | Type::Set(element), Next::Array) => collection(reader, ty, element),
        (Type::Map(element), Next::Object) => map(reader, element),
        (Type::Tuple(tuple), Next::Array) => tuple_of(reader, tuple.elements()),
        (Type::Object(object), Next::Object) => attributes(reader, object),
        (Type::Capsule(_), _) => Err(Error::new("a capsule cannot be represented in JSON")),
        _ => Err(Error::new(format!("{} is required", ty.required_name()))),
    }
}

fn collection(reader: &mut Reader<'_>, ty: &Type, element: &Type) -> Result<Value, Error> {
    reader.open()?;
    let mut items = Vec::new();
    while reader.element(items.is_empty())? {
        check_room(items.len())?;
        match value(reader, element) {
            Ok(item) => items.push(item),
            Err(error) => return Err(error.within(Step::from(items.len()))),
        }
    }
    collected(items, ty, element)
}

/// Checks from time to time that a collection with so many elements may be created. It counts itself only when it is complete.
#[inline]
pub(crate) fn check_room(count: usize) -> Result<(), Error> {
    const BETWEEN: usize = 1 << 12;
    if count.is_multiple_of(BETWEEN) && count > 0 {
        Meter::current().room_for_elements(count)?;
    }
    Ok(())
}

/// A list or set of decoded elements.
pub(crate) fn collected(items: Vec<Value>, ty: &Type, element: &Type) -> Result<Value, Error> {
    Ok(match ty {
        Type::Set(_) if items.is_empty() => Value::empty_set(element.without_optional()),
        Type::Set(_) => Value::set(items)?,
        _ if items.is_empty() || !element.has_dynamic() => {
            Value::from_list(List::with_type(ty.without_optional(), items))
        }
        _ => Value::list(items)?,
    })
}

fn map(reader: &mut Reader<'_>, element: &Type) -> Result<Value, Error> {
    reader.open()?;
    let mut entries: Vec<(Str, Value)> = Vec::new();
    let mut first = true;
    while let Some(key) = reader.key(first)? {
        check_room(entries.len())?;
        first = false;
        let key = Str::from(key);
        match value(reader, element) {
            Ok(item) => entries.push((key, item)),
            Err(error) => return Err(error.within(Step::Index(Value::from(key)))),
        }
    }
    if entries.is_empty() {
        return Ok(Value::empty_map(element.without_optional()));
    }
    Ok(Value::map(entries)?)
}

fn tuple_of(reader: &mut Reader<'_>, types: &[Type]) -> Result<Value, Error> {
    let wrong = || Error::new(format!("a tuple of {} elements is required", types.len()));
    reader.open()?;
    let mut items = Vec::new();
    while reader.element(items.is_empty())? {
        check_room(items.len())?;
        let ty = types.get(items.len()).ok_or_else(wrong)?;
        match value(reader, ty) {
            Ok(item) => items.push(item),
            Err(error) => return Err(error.within(Step::from(items.len()))),
        }
    }
    if items.len() == types.len() { Ok(Value::tuple(items)) } else { Err(wrong()) }
}

fn attributes(reader: &mut Reader<'_>, ty: &ObjectType) -> Result<Value, Error> {
    reader.open()?;
    let mut values: Vec<Option<Value>> = vec![None; ty.len()];
    // Keys are usually in order.
    let mut expected = 0;
    let mut first = true;
    while let Some(key) = reader.key(first)? {
        first = false;
        let at = place(ty, &key, expected)?;
        expected = at + 1;
        match value(reader, &ty.types()[at]) {
            Ok(value) => values[at] = Some(value),
            Err(error) => return Err(error.within(Step::Attribute(ty.names()[at].clone()))),
        }
    }
    Ok(filled(ty, values))
}

/// The index of the attribute that a key names. `expected` is a guess that is tried first.
fn place(ty: &ObjectType, key: &str, expected: usize) -> Result<usize, Error> {
    match ty.names().get(expected) {
        Some(name) if **name == *key => Ok(expected),
        _ => ty.position(&Str::from(key)).ok_or_else(|| Error::new(format!("unsupported attribute {key:?}"))),
    }
}

/// The object, with null for missing attributes.
fn filled(ty: &ObjectType, values: Vec<Option<Value>>) -> Value {
    let values = values.into_iter().zip(ty.types());
    let values =
        values.map(|(value, ty)| value.unwrap_or_else(|| Value::null(ty.without_optional()))).collect();
    Value::from_object(Object::new(ty.shared_names().clone(), values))
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

/// An object with a value and its type, in either order.
fn dynamic(reader: &mut Reader<'_>) -> Result<Value, Error> {
    let expected = || Error::new("an object with \"value\" and \"type\" is required");
    if reader.next()? != Next::Object {
        return Err(expected());
    }
    reader.open()?;
    let (mut ty, mut place) = (None, None);
    let mut first = true;
    while let Some(key) = reader.key(first)? {
        first = false;
        match key.as_ref() {
            "type" if ty.is_none() => ty = Some(crate::types::read_type(reader)?),
            "value" if place.is_none() => {
                place = Some(reader.place());
                reader.skip()?;
            }
            _ => return Err(expected()),
        }
    }
    let (Some(ty), Some(place)) = (ty, place) else { return Err(expected()) };
    value(&mut reader.again_from(place), &ty)
}

/// What consecutive objects of an array share.
struct Shared {
    /// The keys in the order of the text.
    keys: Vec<Str>,
    /// True if a key is repeated.
    repeats: bool,
    shape: ObjectShape,
}

impl Shared {
    fn new(keys: Vec<Str>) -> Self {
        let in_order = keys.is_sorted_by(|a, b| a < b);
        let repeats = !in_order && {
            let mut sorted: Vec<&Str> = keys.iter().collect();
            sorted.sort_unstable();
            !sorted.is_sorted_by(|a, b| a < b)
        };
        Self { repeats, shape: ObjectShape::new(keys.iter().cloned()), keys }
    }

    /// Returns an error if a key is repeated with a value of another type, because the text then implies no type.
    fn check_types(&self, values: &[Value]) -> Result<(), Error> {
        let mut places: Vec<usize> = (0..self.keys.len()).collect();
        places.sort_by_key(|place| &self.keys[*place]);
        for pair in places.windows(2) {
            let (key, again) = (&self.keys[pair[0]], &self.keys[pair[1]]);
            if key == again && !values[pair[1]].has_type(&values[pair[0]].ty()) {
                return Err(Error::new(format!(
                    "the key {key:?} is repeated with a value of a different type"
                )));
            }
        }
        Ok(())
    }
}

type Last = Option<Shared>;

/// Reads a value of the type that the text implies.
pub(super) fn plain(reader: &mut Reader<'_>) -> Result<Value, Error> {
    plain_like(reader, &mut None)
}

fn plain_like(reader: &mut Reader<'_>, last: &mut Last) -> Result<Value, Error> {
    match reader.next()? {
        Next::Object => plain_object(reader, last),
        Next::Array => plain_tuple(reader),
        next => plain_primitive(reader, next),
    }
}

fn plain_object(reader: &mut Reader<'_>, last: &mut Last) -> Result<Value, Error> {
    reader.open()?;
    let (mut keys, mut values): (Vec<Str>, Vec<Value>) = (Vec::new(), Vec::new());
    while let Some(key) = reader.key(keys.is_empty())? {
        check_room(values.len())?;
        let known = last.as_ref().and_then(|last| last.keys.get(keys.len()));
        keys.push(match known {
            Some(known) if **known == *key => known.clone(),
            _ => Str::from(key),
        });
        match plain_like(reader, &mut None) {
            Ok(value) => values.push(value),
            Err(error) => return Err(error.within(Step::Attribute(keys.pop().unwrap_or_default()))),
        }
    }
    let shared = match last {
        Some(shared) if shared.keys == keys => shared,
        _ => last.insert(Shared::new(keys)),
    };
    if shared.repeats {
        shared.check_types(&values)?;
    }
    // Many small objects take much less memory without room for more attributes.
    values.shrink_to_fit();
    shared.shape.object(values).ok_or_else(|| Error::new("a value for each key is required"))
}

fn plain_tuple(reader: &mut Reader<'_>) -> Result<Value, Error> {
    reader.open()?;
    let mut items = Vec::new();
    let mut last = None;
    while reader.element(items.is_empty())? {
        check_room(items.len())?;
        match plain_like(reader, &mut last) {
            Ok(item) => items.push(item),
            Err(error) => return Err(error.within(Step::from(items.len()))),
        }
    }
    items.shrink_to_fit();
    Ok(Value::tuple(items))
}

fn plain_primitive(reader: &mut Reader<'_>, next: Next) -> Result<Value, Error> {
    match next {
        Next::String => Ok(Value::from(reader.string()?.as_ref())),
        Next::Number => Ok(Value::from(number(reader.number()?)?)),
        literal => {
            reader.literal(literal)?;
            Ok(if literal == Next::Null { Value::NULL } else { Value::from(literal == Next::True) })
        }
    }
}
