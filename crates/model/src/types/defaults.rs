//! The defaults of a type constraint, and their application to a value.

use std::collections::BTreeMap;

use hclkit_value::{Kind as ValueKind, Str, Type, Value, unify_unsafely};

/// Defaults for the optional attributes that a value omits.
#[derive(Clone, Debug, PartialEq)]
pub struct Defaults {
    ty: Type,
    /// The defaults of the optional attributes of an object.
    values: BTreeMap<Str, Value>,
    /// The defaults of the parts: attributes by name, the elements of a tuple by number, the elements of a collection
    /// under the empty name.
    children: BTreeMap<Str, Self>,
}

impl Defaults {
    pub(super) fn of_elements(ty: Type, element: Self) -> Self {
        Self { ty, values: BTreeMap::new(), children: BTreeMap::from([(Str::default(), element)]) }
    }

    /// `None` if there are neither values nor children.
    pub(super) fn of_parts(
        ty: Type,
        values: impl IntoIterator<Item = (Str, Value)>,
        children: impl IntoIterator<Item = (Str, Self)>,
    ) -> Option<Self> {
        let (values, children): (BTreeMap<_, _>, BTreeMap<_, _>) =
            (values.into_iter().collect(), children.into_iter().collect());
        let some = !values.is_empty() || !children.is_empty();
        some.then_some(Self { ty, values, children })
    }

    /// The default of an attribute.
    pub fn value(&self, attribute: &str) -> Option<&Value> {
        self.values.get(attribute)
    }

    /// The defaults of the parts of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&Self> {
        self.children.get(name)
    }

    /// The defaults of the elements of a collection.
    pub fn elements(&self) -> Option<&Self> {
        self.children.get("")
    }

    /// Applies the defaults to a value, in place of attributes that are omitted or null. Parts that do not have the
    /// shape of the type stay as they are; converting them reports the error.
    #[must_use]
    pub fn apply(&self, value: &Value) -> Value {
        if !value.is_known() || value.is_null() {
            return value.clone();
        }
        let (bare, marks) = value.unmark();
        self.apply_known(&bare).with_marks(&marks)
    }

    fn apply_known(&self, value: &Value) -> Value {
        match (&self.ty, value.kind()) {
            (Type::Object(_), ValueKind::Object(_) | ValueKind::Map(_)) => self.apply_object(value),
            (Type::Map(_), ValueKind::Object(_) | ValueKind::Map(_)) => {
                keyed_like(value, each_entry(value, |_| self.elements()))
            }
            (Type::Tuple(_), ValueKind::Tuple(items)) => {
                let item = |(at, item): (usize, &Value)| match self.children.get(at.to_string().as_str()) {
                    Some(defaults) => defaults.apply(item),
                    None => item.clone(),
                };
                Value::tuple(items.iter().enumerate().map(item))
            }
            (Type::List(_) | Type::Set(_), ValueKind::Tuple(_) | ValueKind::List(_) | ValueKind::Set(_)) => {
                self.apply_sequence(value)
            }
            _ => value.clone(),
        }
    }

    fn apply_object(&self, value: &Value) -> Value {
        let mut parts: BTreeMap<Str, Value> =
            each_entry(value, |name| self.children.get(name)).into_iter().collect();
        for (name, default) in &self.values {
            let part = parts.entry(name.clone()).or_insert(Value::NULL);
            if part.is_null() {
                let default =
                    self.children.get(name).map_or_else(|| default.clone(), |own| own.apply(default));
                *part = default;
            }
        }
        keyed_like(value, parts)
    }

    fn apply_sequence(&self, value: &Value) -> Value {
        let items = value.as_slice().unwrap_or_default().iter();
        let items: Vec<Value> = match self.elements() {
            Some(defaults) => items.map(|item| defaults.apply(item)).collect(),
            None => items.cloned().collect(),
        };
        if items.is_empty() {
            return value.clone();
        }
        let collected = match value.kind() {
            ValueKind::List(_) => of_one_type(&items).and_then(|items| Value::list(items).ok()),
            ValueKind::Set(_) => of_one_type(&items).and_then(|items| Value::set(items).ok()),
            _ => None,
        };
        collected.unwrap_or_else(|| Value::tuple(items))
    }
}

/// A map if the value was one and the parts have a common type, otherwise an object.
fn keyed_like(value: &Value, parts: impl IntoIterator<Item = (Str, Value)>) -> Value {
    let (keys, parts): (Vec<Str>, Vec<Value>) = parts.into_iter().unzip();
    if !matches!(value.kind(), ValueKind::Map(_)) {
        return Value::object(keys.into_iter().zip(parts));
    }
    if parts.is_empty() {
        return value.clone();
    }
    let collected = of_one_type(&parts).and_then(|parts| Value::map(keys.iter().cloned().zip(parts)).ok());
    collected.unwrap_or_else(|| Value::object(keys.into_iter().zip(parts)))
}

/// The parts of a collection, converted to their common type.
fn of_one_type(parts: &[Value]) -> Option<Vec<Value>> {
    let types: Vec<Type> = parts.iter().map(Value::ty).collect();
    let common = unify_unsafely(&types)?;
    parts.iter().map(|part| part.convert(&common).ok()).collect()
}

/// The entries of a map or object, with their defaults applied.
fn each_entry<'d>(value: &Value, defaults: impl Fn(&str) -> Option<&'d Defaults>) -> Vec<(Str, Value)> {
    let entry = |(key, part): (&Str, &Value)| {
        let part = defaults(key).map_or_else(|| part.clone(), |defaults| defaults.apply(part));
        (key.clone(), part)
    };
    value.entries().into_iter().flatten().map(entry).collect()
}
