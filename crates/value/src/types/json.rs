//! The JSON form of types, the same as in the reference: `"string"`, `["list","string"]`,
//! `["object",{"a":"number"},["a"]]`. The dynamic pseudo-type is `"dynamic"`.

use hclkit_limits::Meter;

use super::Type;
use crate::Str;
use crate::error::Error;
use crate::json::{Next, Reader, write_string};

impl Type {
    /// The type as JSON.
    ///
    /// ```
    /// use hclkit_value::Type;
    ///
    /// let ty = Type::map(Type::tuple([Type::Bool, Type::Dynamic]));
    /// assert_eq!(ty.to_json()?, r#"["map",["tuple",["bool","dynamic"]]]"#);
    /// assert_eq!(Type::from_json(ty.to_json()?.as_bytes())?, ty);
    /// # Ok::<(), hclkit_value::Error>(())
    /// ```
    ///
    /// # Errors
    /// The type contains a capsule type, which has no JSON form, or its text exceeds the byte limit of the thread.
    pub fn to_json(&self) -> Result<String, Error> {
        Meter::current().room_for_bytes(usize::try_from(self.text_size()).unwrap_or(usize::MAX))?;
        let mut out = Vec::new();
        write_type(self, &mut out)?;
        String::from_utf8(out).map_err(|_| Error::new("the text is not valid UTF-8"))
    }

    /// Reads a type from JSON text in the form that [`Type::to_json`] writes.
    ///
    /// # Errors
    /// The text is not JSON or not a type, or is nested deeper than 1,000 levels.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(text);
        let ty = read_type(&mut reader)?;
        reader.finish()?;
        Ok(ty)
    }
}

fn write_type(ty: &Type, out: &mut Vec<u8>) -> Result<(), Error> {
    let element = |kind: &str, element: &Type, out: &mut Vec<u8>| {
        out.extend_from_slice(format!("[\"{kind}\",").as_bytes());
        write_type(element, out)?;
        out.push(b']');
        Ok(())
    };
    match ty {
        Type::Dynamic => out.extend_from_slice(b"\"dynamic\""),
        Type::String => out.extend_from_slice(b"\"string\""),
        Type::Number => out.extend_from_slice(b"\"number\""),
        Type::Bool => out.extend_from_slice(b"\"bool\""),
        Type::List(ty) => return element("list", ty, out),
        Type::Set(ty) => return element("set", ty, out),
        Type::Map(ty) => return element("map", ty, out),
        Type::Tuple(tuple) => {
            out.extend_from_slice(b"[\"tuple\",[");
            for (at, ty) in tuple.elements().iter().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                write_type(ty, out)?;
            }
            out.extend_from_slice(b"]]");
        }
        Type::Object(object) => {
            out.extend_from_slice(b"[\"object\",{");
            for (at, (name, ty)) in object.attributes().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                write_string(name, out);
                out.push(b':');
                write_type(ty, out)?;
            }
            out.push(b'}');
            for (at, name) in object.optional().enumerate() {
                out.extend_from_slice(if at == 0 { b",[" } else { b"," });
                write_string(name, out);
            }
            if object.optional().len() > 0 {
                out.push(b']');
            }
            out.push(b']');
        }
        Type::Capsule(_) => return Err(Error::new("a capsule type cannot be represented in JSON")),
    }
    Ok(())
}

pub(crate) fn read_type(reader: &mut Reader<'_>) -> Result<Type, Error> {
    let unknown = || Error::new("a type is required");
    match reader.next()? {
        Next::String => match reader.string()?.as_ref() {
            "dynamic" => Ok(Type::Dynamic),
            "string" => Ok(Type::String),
            "number" => Ok(Type::Number),
            "bool" => Ok(Type::Bool),
            other => Err(Error::new(format!("unknown type {other:?}"))),
        },
        Next::Array => {
            reader.open()?;
            if !reader.element(true)? || reader.next()? != Next::String {
                return Err(unknown());
            }
            let kind = reader.string()?;
            if !reader.element(false)? {
                return Err(unknown());
            }
            let ty = match kind.as_ref() {
                "list" => Type::list(read_type(reader)?),
                "set" => Type::set(read_type(reader)?),
                "map" => Type::map(read_type(reader)?),
                "tuple" => {
                    if reader.next()? != Next::Array {
                        return Err(unknown());
                    }
                    reader.open()?;
                    let mut elements = Vec::new();
                    while reader.element(elements.is_empty())? {
                        elements.push(read_type(reader)?);
                    }
                    Type::tuple(elements)
                }
                "object" => return object(reader),
                other => return Err(Error::new(format!("unknown type {other:?}"))),
            };
            if reader.element(false)? { Err(unknown()) } else { Ok(ty) }
        }
        _ => Err(unknown()),
    }
}

/// Reads what follows the word `object`, up to the end of the array.
fn object(reader: &mut Reader<'_>) -> Result<Type, Error> {
    let unknown = || Error::new("a type is required");
    if reader.next()? != Next::Object {
        return Err(unknown());
    }
    reader.open()?;
    let mut attributes = Vec::new();
    while let Some(name) = reader.key(attributes.is_empty())? {
        attributes.push((name, read_type(reader)?));
    }
    let all = Type::object(attributes);
    let mut optional = Vec::new();
    if reader.element(false)? {
        if reader.next()? != Next::Array {
            return Err(unknown());
        }
        reader.open()?;
        while reader.element(optional.is_empty())? {
            if reader.next()? != Next::String {
                return Err(unknown());
            }
            let name = reader.string()?;
            if all.attribute(&Str::normalized(&name)).is_none() {
                return Err(Error::new(format!(
                    "the optional attribute {name:?} is not defined in the object type"
                )));
            }
            optional.push(name);
        }
        if reader.element(false)? {
            return Err(unknown());
        }
    }
    Ok(all.with_optional(optional))
}
