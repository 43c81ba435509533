//! Reads values from MessagePack.

use hclkit_limits::Meter;

use super::{LENGTH_MAX, LENGTH_MIN, NULLNESS, NUMBER_MAX, NUMBER_MIN, PREFIX, REFINED};
use crate::error::Error;
use crate::json::{DEPTH_LIMIT, check_room, collected};
use crate::path::Step;
use crate::refine::RefinementBuilder;
use crate::types::ObjectType;
use crate::{Number, Object, Str, Type, Value};

pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    depth: usize,
}

/// A MessagePack item. For arrays and maps, only the length.
enum Item<'a> {
    Nil,
    Bool(bool),
    Number(Number),
    Text(&'a [u8]),
    Binary(&'a [u8]),
    Array(usize),
    Map(usize),
    Extension(u8, &'a [u8]),
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, depth: 0 }
    }

    /// Checks that nothing follows.
    pub(super) fn finish(&self) -> Result<(), Error> {
        if self.bytes.is_empty() { Ok(()) } else { Err(Error::new("extra bytes after the end of the value")) }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let Some((taken, rest)) = self.bytes.split_at_checked(count) else {
            return Err(Error::new("unexpected end of the MessagePack data"));
        };
        self.bytes = rest;
        Ok(taken)
    }

    fn unsigned(&mut self, size: usize) -> Result<u64, Error> {
        Ok(self.take(size)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn length(&mut self, size: usize) -> Result<usize, Error> {
        usize::try_from(self.unsigned(size)?)
            .map_err(|_| Error::new("unexpected end of the MessagePack data"))
    }

    fn item(&mut self) -> Result<Item<'a>, Error> {
        let code = self.take(1)?[0];
        Ok(match code {
            0x00..=0x7f => Item::Number(Number::from(code)),
            0x80..=0x8f => Item::Map(usize::from(code & 15)),
            0x90..=0x9f => Item::Array(usize::from(code & 15)),
            0xa0..=0xbf => Item::Text(self.take(usize::from(code & 31))?),
            0xc0 => Item::Nil,
            0xc2 => Item::Bool(false),
            0xc3 => Item::Bool(true),
            0xc4..=0xc6 => {
                let length = self.length(1 << (code - 0xc4))?;
                Item::Binary(self.take(length)?)
            }
            0xc7..=0xc9 => {
                let length = self.length(1 << (code - 0xc7))?;
                self.extension(length)?
            }
            0xca => float(f64::from(f32::from_bits(self.unsigned(4)? as u32)))?,
            0xcb => float(f64::from_bits(self.unsigned(8)?))?,
            0xcc..=0xcf => Item::Number(Number::from(self.unsigned(1 << (code - 0xcc))?)),
            0xd0 => Item::Number(Number::from(self.unsigned(1)? as i8)),
            0xd1 => Item::Number(Number::from(self.unsigned(2)? as i16)),
            0xd2 => Item::Number(Number::from(self.unsigned(4)? as i32)),
            0xd3 => Item::Number(Number::from(self.unsigned(8)?.cast_signed())),
            0xd4..=0xd8 => self.extension(1 << (code - 0xd4))?,
            0xd9..=0xdb => {
                let length = self.length(1 << (code - 0xd9))?;
                Item::Text(self.take(length)?)
            }
            0xdc | 0xdd => Item::Array(self.length(2 << (code - 0xdc))?),
            0xde | 0xdf => Item::Map(self.length(2 << (code - 0xde))?),
            0xe0..=0xff => Item::Number(Number::from(code.cast_signed())),
            0xc1 => return Err(Error::new("the byte 0xc1 is not valid MessagePack")),
        })
    }

    /// Returns true if the next item is a float.
    fn at_float(&self) -> bool {
        matches!(self.bytes, [0xca | 0xcb, ..])
    }

    fn extension(&mut self, length: usize) -> Result<Item<'a>, Error> {
        let kind = self.take(1)?[0];
        Ok(Item::Extension(kind, self.take(length)?))
    }

    /// Enters a level of nesting. Callers leave it unless there is an error.
    fn enter(&mut self) -> Result<(), Error> {
        if self.depth == DEPTH_LIMIT {
            return Err(Error::new(format!("nested deeper than {DEPTH_LIMIT} levels")));
        }
        self.depth += 1;
        // Collections count themselves, but do not stop.
        Ok(Meter::current().look()?)
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn key(&mut self) -> Result<&'a [u8], Error> {
        match self.item()? {
            Item::Text(text) | Item::Binary(text) => Ok(text),
            _ => Err(Error::new("a string key is required")),
        }
    }

    fn text(&mut self) -> Result<Str, Error> {
        Ok(Str::from(Str::decoded(self.key()?)))
    }

    /// A vector with capacity for the announced elements, but not for more than the bytes can contain, and not for many: each
    /// level can announce as many.
    fn room<T>(&self, length: usize) -> Vec<T> {
        const MANY: usize = 1 << 12;
        Vec::with_capacity(length.min(self.bytes.len()).min(MANY))
    }
}

fn float<'a>(float: f64) -> Result<Item<'a>, Error> {
    Ok(Item::Number(Number::try_from(float)?))
}

// Plain loops and small functions keep stack frames small, because these functions recurse for each level of nesting.

pub(super) fn value(reader: &mut Reader<'_>, ty: &Type) -> Result<Value, Error> {
    match (reader.item()?, ty) {
        (Item::Nil, _) => Ok(Value::null(ty.without_optional())),
        (Item::Extension(kind, body), _) => unknown(kind, body, ty),
        (Item::Array(2), Type::Dynamic) => dynamic(reader),
        (Item::Array(length), Type::List(element) | Type::Set(element)) => {
            collected(sequence(reader, length, std::slice::from_ref(&**element), 0)?, ty, element)
        }
        (Item::Array(length), Type::Tuple(tuple)) if length == tuple.elements().len() => {
            Ok(Value::tuple(sequence(reader, length, tuple.elements(), 1)?))
        }
        (Item::Map(length), Type::Map(element)) => map(reader, length, element),
        (Item::Map(length), Type::Object(object)) if length == object.len() => attributes(reader, object),
        (item, ty) => primitive(&item, ty),
    }
}

fn primitive(item: &Item<'_>, ty: &Type) -> Result<Value, Error> {
    let required = || Error::new(format!("{} is required", ty.required_name()));
    match (item, ty) {
        (Item::Bool(flag), Type::Bool) => Ok(Value::from(*flag)),
        (Item::Number(number), Type::Number) => Ok(Value::from(number.clone())),
        (Item::Text(text) | Item::Binary(text), Type::Number) => {
            let text = std::str::from_utf8(text).map_err(|_| required())?;
            Ok(Value::from(text.parse::<Number>()?))
        }
        (Item::Text(text) | Item::Binary(text), Type::String) => {
            Ok(Value::from(Str::from(Str::decoded(text))))
        }
        (Item::Array(_), Type::Tuple(tuple)) => {
            Err(Error::new(format!("a tuple of {} elements is required", tuple.elements().len())))
        }
        (Item::Map(_), Type::Object(object)) => {
            Err(Error::new(format!("an object of {} attributes is required", object.len())))
        }
        _ => Err(required()),
    }
}

/// Reads a type and a value of that type.
fn dynamic(reader: &mut Reader<'_>) -> Result<Value, Error> {
    let (Item::Binary(text) | Item::Text(text)) = reader.item()? else {
        return Err(Error::new("a type before the value is required"));
    };
    let ty = Type::from_json(text)?;
    reader.enter()?;
    let value = value(reader, &ty)?;
    reader.leave();
    Ok(value)
}

/// Reads elements. Their types are `step` apart in `types`: with zero they all have the first type, with one each has
/// the next type.
fn sequence(
    reader: &mut Reader<'_>,
    length: usize,
    types: &[Type],
    step: usize,
) -> Result<Vec<Value>, Error> {
    reader.enter()?;
    let mut items = reader.room(length);
    for at in 0..length {
        check_room(at)?;
        match value(reader, &types[at * step]) {
            Ok(item) => items.push(item),
            Err(error) => return Err(error.within(Step::from(at))),
        }
    }
    reader.leave();
    Ok(items)
}

fn map(reader: &mut Reader<'_>, length: usize, element: &Type) -> Result<Value, Error> {
    reader.enter()?;
    let mut entries: Vec<(Str, Value)> = reader.room(length);
    for at in 0..length {
        check_room(at)?;
        let key = reader.text()?;
        match value(reader, element) {
            Ok(item) => entries.push((key, item)),
            Err(error) => return Err(error.within(Step::Index(Value::from(key)))),
        }
    }
    reader.leave();
    if entries.is_empty() {
        return Ok(Value::empty_map(element.without_optional()));
    }
    Ok(Value::map(entries)?)
}

fn attributes(reader: &mut Reader<'_>, object: &ObjectType) -> Result<Value, Error> {
    reader.enter()?;
    // Attributes are usually in order. Those after the first that is not are sorted later.
    let mut values: Vec<Value> = Vec::with_capacity(object.len());
    let mut others: Vec<(usize, Value)> = Vec::new();
    for place in 0..object.len() {
        let at = attribute(reader, object, place)?;
        match value(reader, &object.types()[at]) {
            Ok(item) if at == values.len() && others.is_empty() => values.push(item),
            Ok(item) => others.push((at, item)),
            Err(error) => return Err(within_attribute(error, object, at)),
        }
    }
    reader.leave();
    in_order(object, values, others)
}

fn in_order(
    object: &ObjectType,
    mut values: Vec<Value>,
    mut others: Vec<(usize, Value)>,
) -> Result<Value, Error> {
    others.sort_by_key(|(at, _)| *at);
    for (at, item) in others {
        if at != values.len() {
            return Err(Error::new("an attribute is set twice"));
        }
        values.push(item);
    }
    Ok(Value::from_object(Object::new(object.shared_names().clone(), values)))
}

fn within_attribute(error: Error, object: &ObjectType, at: usize) -> Error {
    error.within(Step::Attribute(object.names()[at].clone()))
}

/// The index of the attribute that a key names. `place` is a guess that is tried first.
fn attribute(reader: &mut Reader<'_>, object: &ObjectType, place: usize) -> Result<usize, Error> {
    let key = reader.key()?;
    match object.names().get(place) {
        Some(name) if name.as_bytes() == key => Ok(place),
        _ => {
            let key = Str::from(Str::decoded(key));
            object
                .position(&key)
                .ok_or_else(|| Error::new(format!("unsupported attribute {:?}", key.as_str())))
        }
    }
}

/// Reads an extension as an unknown value. One of at most one byte has no refinements, whatever its extension type.
/// Longer ones contain refinements, and must have the extension type for that.
fn unknown(kind: u8, body: &[u8], ty: &Type) -> Result<Value, Error> {
    let bare = Value::unknown(ty.without_optional());
    if body.len() > 1 && kind != REFINED {
        return Err(Error::new(format!("the MessagePack extension type {kind} is not supported")));
    }
    if body.len() <= 1 {
        return Ok(bare);
    }
    let mut reader = Reader::new(body);
    let length = match reader.item()? {
        Item::Map(length) => length,
        Item::Nil => 0,
        _ => return Err(Error::new("the refinements of an unknown value must be a map")),
    };
    // A value of unknown type cannot be refined, so the refinements are not read.
    if *ty == Type::Dynamic {
        return Ok(bare);
    }
    let mut refined = bare.refine();
    for _ in 0..length {
        let key = match reader.item()? {
            Item::Number(key) => key.to_i64(),
            // It means zero, as in the values of refinements.
            Item::Nil => Some(0),
            _ => {
                return Err(Error::new("the refinements of an unknown value must have numbers as keys"));
            }
        };
        refined = refine(refined, key, &mut reader, ty)?;
    }
    refined.finish()
}

fn refine(
    refined: RefinementBuilder,
    key: Option<i64>,
    reader: &mut Reader<'_>,
    ty: &Type,
) -> Result<RefinementBuilder, Error> {
    let wrong = || Error::new("invalid refinement of an unknown value");
    // In refinements, nil means false, an empty string or zero.
    let length = |reader: &mut Reader<'_>| match (reader.at_float(), reader.item()?) {
        (false, Item::Number(number)) => number.to_u64().ok_or_else(wrong),
        (_, Item::Nil) => Ok(0),
        _ => Err(wrong()),
    };
    Ok(match key {
        Some(NULLNESS) => match reader.item()? {
            Item::Bool(true) => refined.with_null(),
            Item::Bool(false) | Item::Nil => refined.with_not_null(),
            _ => return Err(wrong()),
        },
        Some(PREFIX) if *ty == Type::String => match reader.item()? {
            Item::Text(text) | Item::Binary(text) => {
                refined.with_full_prefix(std::str::from_utf8(text).map_err(|_| wrong())?)
            }
            Item::Nil => refined,
            _ => return Err(wrong()),
        },
        Some(bound @ (NUMBER_MIN | NUMBER_MAX)) if *ty == Type::Number => {
            let Item::Array(2) = reader.item()? else { return Err(wrong()) };
            let number = value(reader, &Type::Number)?;
            let number = number.as_number().ok_or_else(wrong)?.clone();
            let Item::Bool(inclusive) = reader.item()? else { return Err(wrong()) };
            if bound == NUMBER_MIN {
                refined.with_min_bound(number, inclusive)
            } else {
                refined.with_max_bound(number, inclusive)
            }
        }
        Some(LENGTH_MIN) if ty.is_collection() => refined.with_min_len(length(reader)?),
        Some(LENGTH_MAX) if ty.is_collection() => refined.with_max_len(length(reader)?),
        Some(PREFIX..=LENGTH_MAX) => return Err(wrong()),
        // An unknown key is ignored, and its value is read as the next key, as in the reference.
        _ => refined,
    })
}

pub(super) fn implied(reader: &mut Reader<'_>) -> Result<Type, Error> {
    match reader.item()? {
        Item::Nil | Item::Extension(..) => Ok(Type::Dynamic),
        Item::Bool(_) => Ok(Type::Bool),
        Item::Number(_) => Ok(Type::Number),
        Item::Text(_) => Ok(Type::String),
        Item::Binary(_) => Err(Error::new("the type of binary data cannot be implied")),
        Item::Array(length) => {
            reader.enter()?;
            let mut types = reader.room(length);
            for _ in 0..length {
                types.push(implied(reader)?);
            }
            reader.leave();
            Ok(Type::tuple(types))
        }
        Item::Map(length) => {
            reader.enter()?;
            let mut types: Vec<(Str, Type)> = reader.room(length);
            for _ in 0..length {
                let key = reader.text()?;
                types.push((key, implied(reader)?));
            }
            reader.leave();
            Ok(Type::object(types))
        }
    }
}
