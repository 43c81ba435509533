//! Conversion of values to types and type specifications (information model, "Type Conversions and
//! Unification"). Which conversions exist is in `exists.rs`, the conversion of null and unknown values in
//! `absent.rs`, that of collections and structures in `compound.rs`, unification in `unify.rs`; strings, numbers and bools are here.

mod absent;
mod compound;
mod exists;
mod run;
mod unify;

pub use unify::{unify, unify_unsafely};

use crate::error::Error;
use crate::value::Repr;
use crate::work::read_text;
use crate::{Type, Value};
pub(crate) use run::{Mode, Run};

impl Type {
    /// Returns true if there is a conversion from this type to another one. It may still fail for some
    /// values.
    #[doc(hidden)]
    pub fn converts_to(&self, to: &Self) -> bool {
        exists::conversion_exists(self, to, &Run::new(Mode::Unsafe))
    }

    #[doc(hidden)]
    /// Returns true if all values of this type can be converted to another one without losing information.
    ///
    /// ```
    /// use hclkit_value::Type;
    ///
    /// assert!(Type::Number.converts_safely_to(&Type::String));
    /// assert!(Type::String.converts_to(&Type::Number));
    /// assert!(!Type::String.converts_safely_to(&Type::Number));
    /// ```
    pub fn converts_safely_to(&self, to: &Self) -> bool {
        exists::conversion_exists(self, to, &Run::new(Mode::Safe))
    }
}

impl Value {
    /// Converts the value to another type. [`Type::Dynamic`] in that type accepts any type; as an element
    /// type it means the one type to which all elements can be converted. Optional attributes that the value
    /// lacks become null.
    ///
    /// ```
    /// use hclkit_value::{Type, Value};
    ///
    /// let given = Value::object([("name", Value::from("web")), ("port", Value::from("80"))]);
    /// let wanted = Type::object_with_optional(
    ///     [("name", Type::String), ("port", Type::Number), ("tls", Type::Bool)],
    ///     ["tls"],
    /// );
    /// assert_eq!(given.convert(&wanted)?.to_string(), "{ name = \"web\", port = 80, tls = null }");
    /// # Ok::<(), hclkit_value::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no conversion between the types, or it fails for this value. The path of the error leads to the
    /// part that cannot be converted.
    pub fn convert(&self, to: &Type) -> Result<Self, Error> {
        match (&self.0, to) {
            // Most conversions do not change anything.
            (Repr::String(_), Type::String)
            | (Repr::Number(_), Type::Number)
            | (Repr::Bool(_), Type::Bool) => Ok(self.clone()),
            _ => convert(self, to, &Run::new(Mode::Unsafe)).map_err(|error| self.shown(error)),
        }
    }

    #[doc(hidden)]
    /// Converts the value to another type, but only by conversions that lose no information and cannot fail
    /// for any value of the type: a string is not converted to a number.
    ///
    /// # Errors
    /// Same as [`Value::convert`].
    pub fn convert_safely(&self, to: &Type) -> Result<Self, Error> {
        convert(self, to, &Run::new(Mode::Safe)).map_err(|error| self.shown(error))
    }

    /// Returns true if the value has the type, ignoring which attributes are optional.
    fn fits(&self, to: &Type) -> bool {
        match (&self.0, to) {
            _ if self.is_typed_by(to) => true,
            (Repr::Marked(marked), _) => marked.value.fits(to),
            // The type of a shared value is computed only once.
            _ if self.deep_place().is_some() => self.ty().same_but_optional(to),
            (Repr::Tuple(tuple), Type::Tuple(types)) => {
                tuple.len() == types.elements().len()
                    && tuple.iter().zip(types.elements()).all(|(item, ty)| item.fits(ty))
            }
            (Repr::Object(object), Type::Object(types)) => {
                object.has_names(types)
                    && object.values().iter().zip(types.types()).all(|(value, ty)| value.fits(ty))
            }
            (Repr::List(_) | Repr::Set(_) | Repr::Map(_) | Repr::Null(Some(_)) | Repr::Unknown(_), _) => {
                self.ty().same_but_optional(to)
            }
            _ => self.has_type(to),
        }
    }
}

// Small functions keep stack frames small, because these functions recurse for each level of nesting.

pub(crate) fn convert(value: &Value, to: &Type, run: &Run) -> Result<Value, Error> {
    match convert_primitive(value, to, run) {
        Some(done) => done,
        None if value.fits(to) => Ok(value.clone()),
        None => convert_unlike(value, to, run),
    }
}

/// Converts a part of a value whose type differs as a whole. A type with optional attributes counts as another type
/// here, because elements of a set may become equal when they are converted to it.
fn convert_part(value: &Value, to: &Type, run: &Run) -> Result<Value, Error> {
    match convert_primitive(value, to, run) {
        Some(done) => done,
        None if value.has_type(to) => Ok(value.clone()),
        None => convert_unlike(value, to, run),
    }
}

/// Converts a value that has another type.
fn convert_unlike(value: &Value, to: &Type, run: &Run) -> Result<Value, Error> {
    if value.is_marked() {
        return convert_marked(value, to, run);
    }
    let part_by_part = match &value.0 {
        Repr::Tuple(_) => matches!(to, Type::Tuple(_) | Type::List(_) | Type::Set(_)),
        Repr::List(_) | Repr::Set(_) => matches!(to, Type::List(_) | Type::Set(_)),
        Repr::Map(_) | Repr::Object(_) => matches!(to, Type::Map(_) | Type::Object(_)),
        _ => false,
    };
    if !part_by_part {
        return convert_other(value, to, run);
    }
    if let Some(converted) = run.converted(value, to) {
        return converted;
    }
    let converted = compound::convert(value, to, run);
    run.keep_converted(value, to, &converted);
    converted
}

fn convert_primitive(value: &Value, to: &Type, run: &Run) -> Option<Result<Value, Error>> {
    Some(match (&value.0, to) {
        (_, Type::Dynamic)
        | (Repr::String(_), Type::String)
        | (Repr::Number(_), Type::Number)
        | (Repr::Bool(_), Type::Bool) => Ok(value.clone()),
        (Repr::Number(number), Type::String) if !number.is_plain() => {
            Err(Error::new("the number has more than a million digits"))
        }
        (Repr::Number(number), Type::String) => Ok(Value::from(number.to_string())),
        (Repr::Bool(flag), Type::String) => Ok(Value::from(if *flag { "true" } else { "false" })),
        (Repr::String(text), Type::Number) if run.is(Mode::Unsafe) => {
            read_text(text.len()).and_then(|()| Ok(Value::from(text.parse::<crate::Number>()?)))
        }
        (Repr::String(text), Type::Bool) if run.is(Mode::Unsafe) => bool_of(text),
        _ => return None,
    })
}

fn convert_marked(value: &Value, to: &Type, run: &Run) -> Result<Value, Error> {
    Ok(convert_part(value.bare(), to, run)?.with_marks(&value.marks()))
}

fn convert_other(value: &Value, to: &Type, run: &Run) -> Result<Value, Error> {
    match (&value.0, to) {
        (Repr::Null(_) | Repr::Unknown(_) | Repr::UnknownDynamic | Repr::Open(_), _) => {
            absent::convert(value, to, run)
        }
        (Repr::Capsule(capsule), _) if run.is(Mode::Unsafe) => match capsule.convert_to(to) {
            Some(Ok(converted)) if !converted.fits(to) => Err(Error::required(to)),
            converted => converted.unwrap_or_else(|| Err(Error::required(to))),
        },
        (_, Type::Capsule(capsule)) if run.is(Mode::Unsafe) => {
            capsule.convert_from(value).unwrap_or_else(|| Err(Error::required(to)))
        }
        _ => Err(Error::required(to)),
    }
}

fn bool_of(text: &str) -> Result<Value, Error> {
    match text {
        "true" | "1" => Ok(Value::TRUE),
        "false" | "0" => Ok(Value::FALSE),
        "True" | "TRUE" => {
            Err(Error::new("a bool is required; to convert from string, use lowercase \"true\""))
        }
        "False" | "FALSE" => {
            Err(Error::new("a bool is required; to convert from string, use lowercase \"false\""))
        }
        _ => Err(Error::required(&Type::Bool)),
    }
}
