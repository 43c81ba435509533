//! Constructors of values. The elements of a collection must have the same type, so constructors of
//! collections return a `Result`. Tuples and objects accept any values.

use std::fmt;
use std::sync::Arc;

use super::{List, Map, Object, Repr, Set, Tuple, Value, element_as};
use crate::refine::{Refinement, Unknown};
use crate::set::in_set_order;
use crate::types::names::brief;
use crate::types::{Capsule, sorted_by_name};
use crate::{Name, Number, Str, Type};

/// Why a collection of these elements cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// There is no element to determine the element type: use [`Value::empty_list`] or similar.
    NoElementType,
    /// An element has a different type from the others, or from the requested type.
    MixedTypes {
        /// The type of the elements before it, or the requested type.
        expected: Type,
        /// The type of the element.
        found: Type,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoElementType => f.write_str("an empty collection requires an element type"),
            Self::MixedTypes { expected, found } => write!(
                f,
                "all elements of a collection must have the same type: expected {}, found {}",
                brief(expected),
                brief(found)
            ),
        }
    }
}

impl std::error::Error for BuildError {}

/// The attribute names of objects that are built many times, sorted once and shared by all of them.
///
/// ```
/// use hclkit_value::{ObjectShape, Value};
///
/// let shape = ObjectShape::new(["name", "id"]);
/// let first = shape.object([Value::from("a"), Value::from(1)]).unwrap();
/// assert_eq!(first, Value::object([("id", Value::from(1)), ("name", Value::from("a"))]));
/// ```
#[derive(Clone, Debug)]
pub struct ObjectShape {
    names: Arc<[Str]>,
    /// The sorted position of each name, in the order given. Empty if the names were given in order.
    places: Box<[u32]>,
}

impl ObjectShape {
    /// Takes the names in the order in which the values will be given. If a name is repeated, the value of
    /// the last one counts.
    pub fn new<N: Into<Str>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::of(names.into_iter().map(Into::into).collect())
    }

    fn of(given: Vec<Str>) -> Self {
        if given.is_sorted_by(|a, b| a < b) {
            return Self { names: given.into(), places: Box::default() };
        }
        let mut sorted = given.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let places =
            given.iter().filter_map(|name| sorted.binary_search(name).ok()).map(|at| at as u32).collect();
        Self { names: sorted.into(), places }
    }

    /// An object with these values, or `None` if their number differs from the number of names.
    pub fn object(&self, values: impl IntoIterator<Item = Value>) -> Option<Value> {
        if self.places.is_empty() {
            let values: Vec<Value> = values.into_iter().collect();
            return (values.len() == self.names.len())
                .then(|| Value::from_object(Object::new(self.names.clone(), values)));
        }
        let mut sorted: Vec<Value> = self.names.iter().map(|_| Value::NULL).collect();
        let mut places = self.places.iter();
        for value in values {
            sorted[*places.next()? as usize] = value;
        }
        places.next().is_none().then(|| Value::from_object(Object::new(self.names.clone(), sorted)))
    }
}

impl Value {
    /// A string.
    #[inline]
    pub fn string(text: impl Into<Str>) -> Self {
        Self(Repr::String(text.into()))
    }

    /// The null value of a type.
    pub fn null(ty: Type) -> Self {
        Self(Repr::Null(match ty {
            Type::Dynamic => None,
            ty => Some(Arc::new(ty)),
        }))
    }

    /// The unknown value of a type, without a refinement.
    pub fn unknown(ty: Type) -> Self {
        Self::from_unknown(ty, Refinement::default())
    }

    pub(crate) fn from_unknown(ty: Type, refinement: Refinement) -> Self {
        match ty {
            Type::Dynamic => Self::DYNAMIC,
            ty => Self(Repr::Unknown(Arc::new(Unknown { ty, refinement }))),
        }
    }

    /// A list. All elements must have the same type.
    ///
    /// Unknown and null elements of the dynamic pseudo-type are converted to the type of the others.
    ///
    /// # Errors
    /// There are no elements, or they have different types.
    pub fn list<V: Into<Self>>(items: impl IntoIterator<Item = V>) -> Result<Self, BuildError> {
        Self::list_from(values(items))
    }

    #[doc(hidden)]
    /// The same without a pass over the elements.
    ///
    /// # Errors
    /// Same as [`Value::list`].
    pub fn list_from(items: Vec<Self>) -> Result<Self, BuildError> {
        Self::list_of_values(common_type(&items)?, items)
    }

    /// A list of elements of a given type. It may be empty.
    ///
    /// # Errors
    /// An element has another type, except the dynamic pseudo-type.
    pub fn list_of<V: Into<Self>>(
        element: Type,
        items: impl IntoIterator<Item = V>,
    ) -> Result<Self, BuildError> {
        Self::list_of_values(element, values(items))
    }

    fn list_of_values(element: Type, items: Vec<Self>) -> Result<Self, BuildError> {
        let items = elements_as(items, &element)?;
        Ok(Self::from_list(List::new(element, items)))
    }

    /// An empty list.
    pub fn empty_list(element: Type) -> Self {
        Self::from_list(List::new(element, Vec::new()))
    }

    /// A set. All elements must have the same type, and duplicates are removed. Marks on and in the elements
    /// move to the set.
    ///
    /// # Errors
    /// Same as [`Value::list`].
    pub fn set<V: Into<Self>>(items: impl IntoIterator<Item = V>) -> Result<Self, BuildError> {
        let items = values(items);
        Self::set_of_values(common_type(&items)?, items)
    }

    /// A set of elements of a given type. It may be empty.
    ///
    /// # Errors
    /// Same as [`Value::list_of`].
    pub fn set_of<V: Into<Self>>(
        element: Type,
        items: impl IntoIterator<Item = V>,
    ) -> Result<Self, BuildError> {
        Self::set_of_values(element, values(items))
    }

    fn set_of_values(element: Type, items: Vec<Self>) -> Result<Self, BuildError> {
        let mut items = elements_as(items, &element)?;
        let mut found = Vec::new();
        for item in &mut items {
            if item.contains_marked() {
                let (bare, own) = item.unmark_deep();
                *item = bare;
                if found.last() != Some(&own) {
                    found.push(own);
                }
            }
        }
        let marks = found.iter().flatten().cloned().collect();
        let items = in_set_order(items, &element);
        Ok(Self(Repr::Set(Arc::new(Set::new(element, items)))).with_marks(&marks))
    }

    /// An empty set.
    pub fn empty_set(element: Type) -> Self {
        Self(Repr::Set(Arc::new(Set::new(element, Vec::new()))))
    }

    /// A map. All elements must have the same type. If a key is repeated, the last one counts.
    ///
    /// # Errors
    /// Same as [`Value::list`].
    pub fn map<K: Into<Str>, V: Into<Self>>(
        entries: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Self, BuildError> {
        let (keys, values) = sorted_by_name(entries.into_iter().map(|(key, value)| (key, value.into())));
        let element = common_type(&values)?;
        Self::map_from_sorted(element, keys, values)
    }

    /// A map of elements of a given type. It may be empty.
    ///
    /// # Errors
    /// Same as [`Value::list_of`].
    pub fn map_of<K: Into<Str>, V: Into<Self>>(
        element: Type,
        entries: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Self, BuildError> {
        let (keys, values) = sorted_by_name(entries.into_iter().map(|(key, value)| (key, value.into())));
        Self::map_from_sorted(element, keys, values)
    }

    fn map_from_sorted(element: Type, keys: Vec<Str>, values: Vec<Self>) -> Result<Self, BuildError> {
        let values = elements_as(values, &element)?;
        Ok(Self::from_map(Map::new(element, keys, values)))
    }

    /// An empty map.
    pub fn empty_map(element: Type) -> Self {
        Self::from_map(Map::new(element, Vec::new(), Vec::new()))
    }

    /// A tuple of any values.
    ///
    /// ```
    /// use hclkit_value::Value;
    /// assert_eq!(Value::tuple([80, 443]).to_string(), "[80, 443]");
    /// ```
    pub fn tuple<V: Into<Self>>(items: impl IntoIterator<Item = V>) -> Self {
        Self::from_tuple(Tuple::new(items.into_iter().map(Into::into).collect()))
    }

    /// An object of any values. If a name is repeated, the last one counts. Use an [`ObjectShape`] to let many
    /// objects share their names.
    ///
    /// ```
    /// use hclkit_value::Value;
    /// let server = Value::object([("name", Value::from("web")), ("weight", Value::from(0.5))]);
    /// assert_eq!(server.to_string(), "{ name = \"web\", weight = 0.5 }");
    /// ```
    pub fn object<N: Into<Str>, V: Into<Self>>(attributes: impl IntoIterator<Item = (N, V)>) -> Self {
        let (names, values) =
            sorted_by_name(attributes.into_iter().map(|(name, value)| (name, value.into())));
        Self::from_object(Object::new(names.into(), values))
    }

    #[inline]
    pub(crate) fn from_list(list: List) -> Self {
        Self(Repr::List(Arc::new(list)))
    }

    #[inline]
    pub(crate) fn from_map(map: Map) -> Self {
        Self(Repr::Map(Arc::new(map)))
    }

    #[inline]
    pub(crate) fn from_tuple(tuple: Tuple) -> Self {
        Self(Repr::Tuple(Arc::new(tuple)))
    }

    #[inline]
    pub(crate) fn from_object(object: Object) -> Self {
        Self(Repr::Object(Arc::new(object)))
    }

    pub(crate) fn from_capsule(capsule: Capsule) -> Self {
        Self(Repr::Capsule(Arc::new(capsule)))
    }
}

/// The type of the first element that is not of the dynamic pseudo-type. The caller checks the others.
fn common_type(items: &[Value]) -> Result<Type, BuildError> {
    let typed = items.iter().find(|item| !item.has_type(&Type::Dynamic));
    typed.or(items.first()).map(Value::ty).ok_or(BuildError::NoElementType)
}

fn values<V: Into<Value>>(items: impl IntoIterator<Item = V>) -> Vec<Value> {
    items.into_iter().map(Into::into).collect()
}

fn elements_as(mut items: Vec<Value>, element: &Type) -> Result<Vec<Value>, BuildError> {
    for item in &mut items {
        let is_plain = matches!(
            (&item.0, element),
            (Repr::String(_), Type::String) | (Repr::Number(_), Type::Number) | (Repr::Bool(_), Type::Bool)
        );
        if !is_plain && !item.has_type(element) {
            *item = element_as(item.clone(), element)
                .ok_or_else(|| BuildError::MixedTypes { expected: element.clone(), found: item.ty() })?;
        }
    }
    Ok(items)
}

#[doc(hidden)]
impl From<bool> for Value {
    #[inline]
    fn from(flag: bool) -> Self {
        Self(Repr::Bool(flag))
    }
}

impl From<Number> for Value {
    #[inline]
    fn from(number: Number) -> Self {
        Self(Repr::Number(number))
    }
}

macro_rules! from_text {
    ($($text:ty),*) => {$(
        #[doc(hidden)]
        impl From<$text> for Value {
            #[inline]
            fn from(text: $text) -> Value {
                Value(Repr::String(text.into()))
            }
        }
    )*};
}

from_text!(&str, String, &String, Str, &Str, Name, &Name);

macro_rules! from_integers {
    ($($integer:ty),*) => {$(
        #[doc(hidden)]
        impl From<$integer> for Value {
            #[inline]
            fn from(integer: $integer) -> Value {
                Value(Repr::Number(Number::from(integer)))
            }
        }
    )*};
}

from_integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

/// The nearest number; for an `f32`, the one with its digits. Use [`Number::try_from`] if the float can be NaN.
///
/// # Panics
/// The float is NaN.
impl From<f32> for Value {
    fn from(float: f32) -> Self {
        Self::from(Number::try_from(float).expect("NaN is not a number of HCL"))
    }
}

/// The exact number. Use [`Number::try_from`] if the float can be NaN.
///
/// # Panics
/// The float is NaN.
impl From<f64> for Value {
    fn from(float: f64) -> Self {
        Self::from(Number::try_from(float).expect("NaN is not a number of HCL"))
    }
}
