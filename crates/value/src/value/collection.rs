//! The content of compound values: elements in order, with a summary that is computed once, so that
//! questions such as "does this contain a marked or unknown value" need no search.

use std::fmt;
use std::sync::Arc;

use hclkit_limits::count_collection;

use super::{Entries, LazyType, Repr, Value, lazily, object_type, tuple_type};
use crate::types::ObjectType;
use crate::{Str, Type};

/// What a value contains anywhere, as flags, and its number of levels.
#[derive(Clone, Copy)]
pub(crate) struct Summary(u32);

impl Summary {
    pub(crate) const PLAIN: Self = Self(0);
    const MARKS: u32 = 1;
    const UNKNOWN: u32 = 2;
    const DYNAMIC: u32 = 4;
    const FLAGS: u32 = 7;
    const LEVEL: u32 = 8;

    /// The summary of a compound value with these parts.
    #[inline]
    fn over(values: &[Value]) -> Self {
        let (mut flags, mut depth) = (0, 0);
        for value in values {
            let Self(bits) = value.summary();
            flags |= bits & Self::FLAGS;
            depth = depth.max(bits & !Self::FLAGS);
        }
        Self(depth.saturating_add(Self::LEVEL) & !Self::FLAGS | flags)
    }

    /// The summary of a new compound value with these parts, which counts toward the limit on elements.
    #[inline]
    fn counted(values: &[Value]) -> Self {
        count_collection(values.len());
        Self::over(values)
    }

    pub(crate) fn with_marks(self) -> Self {
        Self(self.0 | Self::MARKS)
    }

    pub(crate) fn with_unknown(self) -> Self {
        Self(self.0 | Self::UNKNOWN)
    }

    pub(crate) fn with_dynamic(self) -> Self {
        Self(self.0 | Self::DYNAMIC)
    }

    pub(crate) fn has_marks(self) -> bool {
        self.0 & Self::MARKS != 0
    }

    pub(crate) fn has_unknown(self) -> bool {
        self.0 & Self::UNKNOWN != 0
    }

    pub(crate) fn has_dynamic(self) -> bool {
        self.0 & Self::DYNAMIC != 0
    }

    pub(crate) fn depth(self) -> usize {
        (self.0 / Self::LEVEL) as usize
    }
}

/// The value as an element of a collection. One of the dynamic pseudo-type gets the element type.
/// `None` if the value has another type.
#[inline]
pub(crate) fn element_as(value: Value, element: &Type) -> Option<Value> {
    if value.has_type(element) {
        return Some(value);
    }
    match value.0 {
        Repr::Null(None) => Some(Value::null(element.clone())),
        Repr::UnknownDynamic | Repr::Open(_) => Some(Value::unknown(element.clone())),
        Repr::Marked(marked) => {
            let inner = element_as(marked.value.clone(), element)?;
            Some(inner.with_marks(&marked.marks))
        }
        _ => None,
    }
}

/// The summary of a new collection with these elements. Once their type is known, they are converted to a common one,
/// which can change the known parts of open values, so these are removed.
#[inline]
fn closed(items: &mut [Value]) -> Summary {
    let summary = Summary::counted(items);
    if summary.has_dynamic() { without_known_parts(items) } else { summary }
}

#[cold]
fn without_known_parts(items: &mut [Value]) -> Summary {
    for item in items.iter_mut().filter(|item| item.has_dynamic_type()) {
        *item = item.without_known_parts();
    }
    Summary::over(items)
}

/// An ordered sequence of elements of one type.
pub struct List {
    pub(super) ty: Type,
    pub(crate) items: Vec<Value>,
    pub(super) summary: Summary,
}

impl List {
    /// The elements must have the type.
    pub(crate) fn new(element: Type, mut items: Vec<Value>) -> Self {
        let summary = closed(&mut items);
        Self { ty: Type::list(element), items, summary }
    }

    pub(crate) fn with_type(ty: Type, items: Vec<Value>) -> Self {
        let summary = Summary::counted(&items);
        Self { ty, items, summary }
    }
}

/// Distinct elements of one type, in the order of the reference: strings by bytes, numbers by value, false
/// before true, structures by a text of their content, null and unknown elements last.
pub struct Set {
    pub(super) ty: Type,
    pub(crate) items: Vec<Value>,
    pub(super) summary: Summary,
}

impl Set {
    /// The elements must have the type, be distinct and in order, and have no marks.
    pub(crate) fn new(element: Type, mut items: Vec<Value>) -> Self {
        let summary = closed(&mut items);
        Self { ty: Type::set(element), items, summary }
    }
}

macro_rules! sequences {
    ($($name:ident),*) => {$(
        impl $name {
            /// The number of elements.
            pub fn len(&self) -> usize {
                self.items.len()
            }

            /// Returns true if there are no elements.
            pub fn is_empty(&self) -> bool {
                self.items.is_empty()
            }

            /// The element at an index.
            pub fn get(&self, index: usize) -> Option<&Value> {
                self.items.get(index)
            }

            /// The elements in order.
            pub fn iter(&self) -> std::slice::Iter<'_, Value> {
                self.items.iter()
            }
        }

        impl<'a> IntoIterator for &'a $name {
            type Item = &'a Value;
            type IntoIter = std::slice::Iter<'a, Value>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        #[doc(hidden)]
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list().entries(&self.items).finish()
            }
        }
    )*};
}

sequences!(List, Set, Tuple);

macro_rules! collections {
    ($($name:ident),*) => {$(
        impl $name {
            /// The type of the elements.
            pub fn element_type(&self) -> &Type {
                self.ty.element().unwrap_or(&Type::Dynamic)
            }
        }
    )*};
}

collections!(List, Set, Map);

/// Elements of one type with string keys.
pub struct Map {
    pub(super) ty: Type,
    pub(super) keys: Vec<Str>,
    pub(super) values: Vec<Value>,
    pub(super) summary: Summary,
}

impl Map {
    /// The keys must be sorted, and the values must have the type.
    pub(crate) fn new(element: Type, keys: Vec<Str>, mut values: Vec<Value>) -> Self {
        let summary = closed(&mut values);
        Self { ty: Type::map(element), keys, values, summary }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns true if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The element with a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let at = self.keys.binary_search_by(|known| known.as_str().cmp(key)).ok()?;
        Some(&self.values[at])
    }

    /// Keys and elements, sorted by key.
    pub fn iter(&self) -> Entries<'_> {
        Entries::new(&self.keys, &self.values)
    }

    pub(crate) fn keys(&self) -> &[Str] {
        &self.keys
    }

    pub(crate) fn values(&self) -> &[Value] {
        &self.values
    }
}

#[doc(hidden)]
impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A sequence in which each element has its own type.
pub struct Tuple {
    pub(crate) items: Vec<Value>,
    pub(super) ty: LazyType,
    pub(super) summary: Summary,
}

impl Tuple {
    pub(crate) fn new(items: Vec<Value>) -> Self {
        let summary = Summary::counted(&items);
        Self { items, ty: LazyType::new(), summary }
    }

    /// The tuple's type.
    pub fn ty(&self) -> &Type {
        lazily(&self.ty, || tuple_type(&self.items))
    }
}

/// Named attributes, each with its own type.
pub struct Object {
    pub(super) names: Arc<[Str]>,
    pub(super) values: Vec<Value>,
    pub(super) ty: LazyType,
    pub(super) summary: Summary,
}

impl Object {
    /// The names must be sorted and distinct.
    #[inline]
    pub(crate) fn new(names: Arc<[Str]>, values: Vec<Value>) -> Self {
        let summary = Summary::counted(&values);
        Self { names, values, ty: LazyType::new(), summary }
    }

    /// The object's type.
    pub fn ty(&self) -> &Type {
        lazily(&self.ty, || object_type(&self.names, &self.values))
    }

    #[inline]
    pub(crate) fn has_names(&self, types: &ObjectType) -> bool {
        Arc::ptr_eq(&self.names, types.shared_names()) || self.names == *types.shared_names()
    }

    /// The number of attributes.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns true if there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&Value> {
        Some(&self.values[self.position(name)?])
    }

    /// The index of an attribute.
    fn position(&self, name: &str) -> Option<usize> {
        // For few names, comparing for equality is faster, because it compares the lengths first.
        if self.names.len() <= 8 {
            self.names.iter().position(|known| known.as_str() == name)
        } else {
            self.names.binary_search_by(|known| known.as_str().cmp(name)).ok()
        }
    }

    #[doc(hidden)]
    /// The index and value of an attribute. The index `last` is tried first, which is fast for many objects with the
    /// same attributes.
    ///
    /// ```
    /// use hclkit_value::Value;
    ///
    /// let value = Value::object([("b", Value::from(1)), ("a", Value::from(2))]);
    /// let object = value.as_object().unwrap();
    /// assert_eq!(object.get_near("b", 0), Some((1, &Value::from(1))));
    /// assert_eq!(object.get_near("b", 1), Some((1, &Value::from(1))));
    /// assert_eq!(object.get_near("c", 1), None);
    /// ```
    #[inline]
    pub fn get_near(&self, name: &str, last: usize) -> Option<(usize, &Value)> {
        let at = match self.names.get(last) {
            Some(known) if known.as_str() == name => last,
            _ => self.position(name)?,
        };
        Some((at, &self.values[at]))
    }

    /// Names and values, sorted by name.
    pub fn iter(&self) -> Entries<'_> {
        Entries::new(&self.names, &self.values)
    }

    pub(crate) fn shared_names(&self) -> &Arc<[Str]> {
        &self.names
    }

    pub(crate) fn values(&self) -> &[Value] {
        &self.values
    }
}

#[doc(hidden)]
impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a Map {
    type Item = (&'a Str, &'a Value);
    type IntoIter = Entries<'a>;

    fn into_iter(self) -> Entries<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a Object {
    type Item = (&'a Str, &'a Value);
    type IntoIter = Entries<'a>;

    fn into_iter(self) -> Entries<'a> {
        self.iter()
    }
}
