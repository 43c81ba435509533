//! Types as JSON, in the form of [`Type::to_json`], without copying them. Types of tuples and objects are not even built.

use hclkit_limits::with_room;
use hclkit_value::{Kind, Object, ObjectType, Str, Tuple, Type, Value};
use serde_core::ser::{Error as _, Serialize, SerializeTuple as _, Serializer};

/// The type of a value as JSON, to be written with `serde_json`. Capsule types are errors.
///
/// ```
/// use hclkit::Value;
/// use hclkit::decode::TypeJson;
///
/// let value = Value::object([("ports", Value::tuple([Value::from(80)]))]);
/// assert_eq!(serde_json::to_string(&TypeJson::of(&value))?, r#"["object",{"ports":["tuple",["number"]]}]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct TypeJson<'v>(&'v Value);

impl<'v> TypeJson<'v> {
    /// The type of a value.
    pub fn of(value: &'v Value) -> Self {
        Self(value)
    }
}

/// A type.
struct CheckedType<'a>(&'a Type);

impl Serialize for TypeJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.ty().check_text_size().map_err(S::Error::custom)?;
        CheckedValue(self.0).serialize(serializer)
    }
}

/// A value whose type's size was checked.
struct CheckedValue<'v>(&'v Value);

impl Serialize for CheckedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        with_room(|| match self.0.kind() {
            Kind::Tuple(tuple) => pair("tuple", &ElementsOf(tuple), serializer),
            Kind::Object(object) => pair("object", &AttributesOf(object), serializer),
            _ => CheckedType(&self.0.ty()).serialize(serializer),
        })
    }
}

impl Serialize for CheckedType<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        with_room(|| match self.0 {
            Type::Dynamic => serializer.serialize_str("dynamic"),
            Type::String => serializer.serialize_str("string"),
            Type::Number => serializer.serialize_str("number"),
            Type::Bool => serializer.serialize_str("bool"),
            Type::List(element) => pair("list", &CheckedType(element), serializer),
            Type::Set(element) => pair("set", &CheckedType(element), serializer),
            Type::Map(element) => pair("map", &CheckedType(element), serializer),
            Type::Tuple(tuple) => pair("tuple", &Elements(tuple.elements()), serializer),
            Type::Object(object) if object.optional().len() > 0 => {
                let mut parts = serializer.serialize_tuple(3)?;
                parts.serialize_element("object")?;
                parts.serialize_element(&Attributes(object))?;
                parts.serialize_element(&Optional(object))?;
                parts.end()
            }
            Type::Object(object) => pair("object", &Attributes(object), serializer),
            Type::Capsule(_) => Err(S::Error::custom("a capsule type cannot be represented in JSON")),
        })
    }
}

fn pair<S: Serializer>(kind: &str, parts: &impl Serialize, serializer: S) -> Result<S::Ok, S::Error> {
    let mut pair = serializer.serialize_tuple(2)?;
    pair.serialize_element(kind)?;
    pair.serialize_element(parts)?;
    pair.end()
}

struct ElementsOf<'a>(&'a Tuple);

impl Serialize for ElementsOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(CheckedValue))
    }
}

struct AttributesOf<'a>(&'a Object);

impl Serialize for AttributesOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name.as_str(), CheckedValue(value))))
    }
}

struct Elements<'a>(&'a [Type]);

impl Serialize for Elements<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(CheckedType))
    }
}

struct Attributes<'a>(&'a ObjectType);

impl Serialize for Attributes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.attributes().map(|(name, ty)| (name.as_str(), CheckedType(ty))))
    }
}

struct Optional<'a>(&'a ObjectType);

impl Serialize for Optional<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.optional().map(Str::as_str))
    }
}
