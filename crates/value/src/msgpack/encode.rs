//! Writes values as MessagePack.

use hclkit_limits::Meter;

use super::{LENGTH_MAX, LENGTH_MIN, NULLNESS, NUMBER_MAX, NUMBER_MIN, PREFIX, REFINED};
use crate::error::Error;
use crate::path::Step;
use crate::refine::{Bound, Refinement};
use crate::value::Repr;
use crate::{Number, Type, Value};

/// The maximum length of a string prefix that is written, in bytes.
const LONGEST_PREFIX: usize = 256;

pub(super) fn value(value: &Value, ty: &Type, out: &mut Vec<u8>) -> Result<(), Error> {
    if value.is_marked() {
        return Err(Error::new("a marked value cannot be represented in MessagePack"));
    }
    if *ty == Type::Dynamic && !value.has_type(&Type::Dynamic) {
        let own = value.ty();
        out.push(0x92);
        let text = own.to_json()?;
        header(text.len(), None, [0xc4, 0xc5, 0xc6], out)?;
        out.extend_from_slice(text.as_bytes());
        return self::value(value, &own, out);
    }
    if !value.parts().is_empty() {
        Meter::current().room_for_bytes(out.len())?;
    }
    match &value.0 {
        Repr::Null(_) => out.push(0xc0),
        Repr::Bool(flag) => out.push(0xc2 + u8::from(*flag)),
        Repr::Number(number) => write_number(number, out)?,
        Repr::String(text) => string(text, out)?,
        Repr::List(list) => sequence(list.iter(), list.len(), |_| element(ty), out)?,
        Repr::Set(set) => sequence(set.iter(), set.len(), |_| element(ty), out)?,
        Repr::Tuple(tuple) => {
            let types = ty.tuple_elements().unwrap_or_default();
            sequence(tuple.iter(), tuple.len(), |at| types.get(at).unwrap_or(&Type::Dynamic), out)?;
        }
        Repr::Map(map) => {
            map_header(map.len(), out)?;
            for (key, item) in map.iter() {
                string(key, out)?;
                self::value(item, element(ty), out)
                    .map_err(|error| error.within(Step::Index(Value::from(key))))?;
            }
        }
        Repr::Object(object) => {
            let types = ty.as_object();
            map_header(object.len(), out)?;
            for (at, (name, item)) in object.iter().enumerate() {
                string(name, out)?;
                let ty = types.and_then(|types| types.types().get(at)).unwrap_or(&Type::Dynamic);
                self::value(item, ty, out).map_err(|error| error.within(Step::Attribute(name.clone())))?;
            }
        }
        Repr::UnknownDynamic | Repr::Open(_) => out.extend_from_slice(&[0xd4, 0, 0]),
        Repr::Unknown(unknown) => write_unknown(&unknown.refinement, out)?,
        Repr::Capsule(_) | Repr::Marked(_) => {
            return Err(Error::new("a capsule cannot be represented in MessagePack"));
        }
    }
    Ok(())
}

fn element(ty: &Type) -> &Type {
    ty.element().unwrap_or(&Type::Dynamic)
}

fn sequence<'v, 't>(
    items: impl Iterator<Item = &'v Value>,
    length: usize,
    ty: impl Fn(usize) -> &'t Type,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    match u8::try_from(length) {
        Ok(short @ 0..16) => out.push(0x90 | short),
        _ => header(length, None, [0xdc, 0xdc, 0xdd], out)?,
    }
    for (at, item) in items.enumerate() {
        value(item, ty(at), out).map_err(|error| error.within(Step::from(at)))?;
    }
    Ok(())
}

fn map_header(length: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    match u8::try_from(length) {
        Ok(short @ 0..16) => out.push(0x80 | short),
        _ => header(length, None, [0xde, 0xde, 0xdf], out)?,
    }
    Ok(())
}

fn string(text: &str, out: &mut Vec<u8>) -> Result<(), Error> {
    header(text.len(), Some(0xa0), [0xd9, 0xda, 0xdb], out)?;
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

/// Writes a length with one of three codes, for one, two or four bytes. With `short`, lengths below 32 are part of
/// that code. Arrays and maps have no code for one byte; for them, the first two codes are equal.
fn header(length: usize, short: Option<u8>, codes: [u8; 3], out: &mut Vec<u8>) -> Result<(), Error> {
    let length = u32::try_from(length).map_err(|_| Error::new("too long for MessagePack"))?;
    match (short, length) {
        (Some(code), 0..32) => out.push(code | length as u8),
        (_, 0..0x100) if codes[0] != codes[1] => out.extend_from_slice(&[codes[0], length as u8]),
        (_, 0..0x1_0000) => {
            out.push(codes[1]);
            out.extend_from_slice(&(length as u16).to_be_bytes());
        }
        _ => {
            out.push(codes[2]);
            out.extend_from_slice(&length.to_be_bytes());
        }
    }
    Ok(())
}

fn write_number(number: &Number, out: &mut Vec<u8>) -> Result<(), Error> {
    if let Some(integer) = number.to_i64() {
        write_integer(integer, out);
        return Ok(());
    }
    match number.to_f64() {
        // Larger integers are written as text, even if a float would be exact.
        (float, true) if !number.is_integer() => {
            out.push(0xcb);
            out.extend_from_slice(&float.to_bits().to_be_bytes());
            Ok(())
        }
        _ => string(&number.to_string(), out),
    }
}

/// Writes an integer in as few bytes as possible.
fn write_integer(integer: i64, out: &mut Vec<u8>) {
    match integer {
        -32..128 => out.push(integer as u8),
        128..0x100 => out.extend_from_slice(&[0xcc, integer as u8]),
        0x100..0x1_0000 => {
            out.push(0xcd);
            out.extend_from_slice(&(integer as u16).to_be_bytes());
        }
        0x1_0000..0x1_0000_0000 => {
            out.push(0xce);
            out.extend_from_slice(&(integer as u32).to_be_bytes());
        }
        0x1_0000_0000.. => {
            out.push(0xcf);
            out.extend_from_slice(&integer.to_be_bytes());
        }
        -0x80..-32 => out.extend_from_slice(&[0xd0, integer as u8]),
        -0x8000..-0x80 => {
            out.push(0xd1);
            out.extend_from_slice(&(integer as i16).to_be_bytes());
        }
        -0x8000_0000..-0x8000 => {
            out.push(0xd2);
            out.extend_from_slice(&(integer as i32).to_be_bytes());
        }
        _ => {
            out.push(0xd3);
            out.extend_from_slice(&integer.to_be_bytes());
        }
    }
}

/// Writes an unknown value: an extension that contains a map of its refinements.
fn write_unknown(known: &Refinement, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut body = Vec::new();
    let mut count = 0;
    let mut key = |key: i64, body: &mut Vec<u8>| {
        count += 1;
        write_integer(key, body);
    };
    if known.not_null {
        key(NULLNESS, &mut body);
        body.push(0xc2);
    }
    if let Some(prefix) = &known.prefix {
        key(PREFIX, &mut body);
        let end = (0..=prefix.len().min(LONGEST_PREFIX)).rev().find(|end| prefix.is_char_boundary(*end));
        string(&prefix[..end.unwrap_or(0)], &mut body)?;
    }
    let mut bound = |name: i64, bound: &Option<Bound>, body: &mut Vec<u8>| {
        let Some(bound) = bound else { return Ok(()) };
        key(name, body);
        body.push(0x92);
        write_number(&bound.number, body)?;
        body.push(0xc2 + u8::from(bound.inclusive));
        Ok::<(), Error>(())
    };
    bound(NUMBER_MIN, &known.min, &mut body)?;
    bound(NUMBER_MAX, &known.max, &mut body)?;
    if known.min_len > 0 {
        key(LENGTH_MIN, &mut body);
        write_integer(i64::try_from(known.min_len).unwrap_or(i64::MAX), &mut body);
    }
    if let Some(most) = known.max_len {
        key(LENGTH_MAX, &mut body);
        write_integer(i64::try_from(most).unwrap_or(i64::MAX), &mut body);
    }
    if count == 0 {
        out.extend_from_slice(&[0xd4, 0, 0]);
        return Ok(());
    }
    let mut payload = vec![0x80 | count];
    payload.append(&mut body);
    match payload.len() {
        1 => out.push(0xd4),
        2 => out.push(0xd5),
        4 => out.push(0xd6),
        8 => out.push(0xd7),
        16 => out.push(0xd8),
        length => header(length, None, [0xc7, 0xc8, 0xc9], out)?,
    }
    out.push(REFINED);
    out.append(&mut payload);
    Ok(())
}
