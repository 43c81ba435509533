//! Types (information model, "Values and Value Types"): primitive, collection and structural types,
//! the dynamic pseudo-type, and capsules. Their names for messages are in `names.rs`, their JSON form
//! in `json.rs`, matching against specifications in `matching.rs`.

mod capsule;

mod json;
mod matching;
pub(crate) mod names;

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub(crate) use json::read_type;

pub use capsule::{Capsule, CapsuleType, CapsuleTypeBuilder};

use crate::Str;

/// A type, or a specification that types are matched against.
///
/// Types are cheap to clone and compare, because the parts of compound types are shared.
///
/// ```
/// use hclkit_value::Type;
///
/// let ports = Type::list(Type::Number);
/// let server = Type::object([("name", Type::String), ("ports", ports.clone())]);
/// assert_eq!(server.attribute("ports"), Some(&ports));
/// assert_eq!(server.to_string(), "object({name=string, ports=list(number)})");
/// assert!(ports.matches(&Type::list(Type::Dynamic)));
/// ```
#[derive(Clone, Eq, Hash)]
#[allow(clippy::derived_hash_with_manual_eq, reason = "equality compares the same parts")]
pub enum Type {
    /// The dynamic pseudo-type: the type of values whose type is unknown. In a specification it
    /// matches any type.
    Dynamic,
    /// Text.
    String,
    /// Numbers.
    Number,
    /// True and false.
    Bool,
    /// An ordered sequence of elements of one type.
    List(Arc<Self>),
    /// Distinct elements of one type.
    Set(Arc<Self>),
    /// Elements of one type with string keys.
    Map(Arc<Self>),
    /// A sequence in which each element has its own type.
    Tuple(Arc<TupleType>),
    /// Named attributes, each with its own type.
    Object(Arc<ObjectType>),
    /// A type that the calling application defines.
    Capsule(CapsuleType),
}

/// The element types of a tuple type.
#[derive(Clone, Eq)]
pub struct TupleType {
    elements: Box<[Type]>,
    held: Held,
}

/// What occurs anywhere in the parts of a type. It is computed once, because parts are shared, and visiting each
/// occurrence can take exponential time.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Held {
    dynamic: bool,
    optional: bool,
}

impl Held {
    fn by(parts: &[Type]) -> Self {
        Self { dynamic: parts.iter().any(Type::has_dynamic), optional: parts.iter().any(Type::has_optional) }
    }
}

// Only the kinds of the parts are hashed: a type can contain a shared part exponentially many times.

impl Hash for TupleType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_kinds(&self.elements, state);
    }
}

impl Hash for ObjectType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.names.hash(state);
        hash_kinds(&self.types, state);
    }
}

fn hash_kinds<H: Hasher>(types: &[Type], state: &mut H) {
    types.len().hash(state);
    for ty in types {
        std::mem::discriminant(ty).hash(state);
    }
}

impl TupleType {
    /// The types of the elements, in order.
    pub fn elements(&self) -> &[Type] {
        &self.elements
    }
}

/// The attributes of an object type, by name.
#[derive(Clone, Eq)]
pub struct ObjectType {
    names: Arc<[Str]>,
    types: Box<[Type]>,
    /// Indexes in `names`, in order.
    optional: Box<[u32]>,
    held: Held,
}

impl ObjectType {
    pub(crate) fn from_sorted(names: Arc<[Str]>, types: Box<[Type]>) -> Self {
        Self::with_optional(names, types, Box::default())
    }

    fn with_optional(names: Arc<[Str]>, types: Box<[Type]>, optional: Box<[u32]>) -> Self {
        Self { held: Held::by(&types), names, types, optional }
    }

    pub(crate) fn shared_names(&self) -> &Arc<[Str]> {
        &self.names
    }

    pub(crate) fn types(&self) -> &[Type] {
        &self.types
    }

    /// The number of attributes.
    #[doc(hidden)]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns true if there are no attributes.
    #[doc(hidden)]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The names, sorted.
    pub fn names(&self) -> &[Str] {
        &self.names
    }

    /// Names and types, sorted by name.
    pub fn attributes(&self) -> impl ExactSizeIterator<Item = (&Str, &Type)> + DoubleEndedIterator {
        self.names.iter().zip(&self.types)
    }

    /// The type of an attribute, if the type has it.
    pub fn get(&self, name: &str) -> Option<&Type> {
        Some(&self.types[self.position(name)?])
    }

    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.names.binary_search_by(|known| known.as_str().cmp(name)).ok()
    }

    /// Returns true if values that are converted to this type may lack the attribute.
    #[doc(hidden)]
    pub fn is_optional(&self, name: &str) -> bool {
        self.position(name).is_some_and(|at| self.is_optional_at(at))
    }

    pub(crate) fn is_optional_at(&self, at: usize) -> bool {
        !self.optional.is_empty() && self.optional.binary_search(&(at as u32)).is_ok()
    }

    /// The names of the optional attributes, sorted.
    #[doc(hidden)]
    pub fn optional(&self) -> impl ExactSizeIterator<Item = &Str> {
        self.optional.iter().map(|at| &self.names[*at as usize])
    }
}

impl Type {
    /// A list type.
    pub fn list(element: Self) -> Self {
        Self::List(Arc::new(element))
    }

    /// A set type.
    pub fn set(element: Self) -> Self {
        Self::Set(Arc::new(element))
    }

    /// A map type.
    pub fn map(element: Self) -> Self {
        Self::Map(Arc::new(element))
    }

    /// The tuple type with these element types.
    pub fn tuple(elements: impl IntoIterator<Item = Self>) -> Self {
        let elements: Box<[Self]> = elements.into_iter().collect();
        Self::Tuple(Arc::new(TupleType { held: Held::by(&elements), elements }))
    }

    /// The object type with these attributes. If a name is repeated, the last one counts.
    pub fn object<N: Into<Str>>(attributes: impl IntoIterator<Item = (N, Self)>) -> Self {
        let (names, types) = sorted_by_name(attributes);
        Self::Object(Arc::new(ObjectType::from_sorted(names.into(), types.into())))
    }

    /// An object type for conversions, in which values may lack some attributes. Optional names that are
    /// not attributes are ignored.
    pub fn object_with_optional<N: Into<Str>>(
        attributes: impl IntoIterator<Item = (N, Self)>,
        optional: impl IntoIterator<Item = impl Into<Str>>,
    ) -> Self {
        Self::object(attributes).with_optional(optional)
    }

    /// The object type with exactly these attributes optional.
    pub(crate) fn with_optional(self, optional: impl IntoIterator<Item = impl Into<Str>>) -> Self {
        let Self::Object(object) = &self else { return self };
        let mut places: Vec<u32> = optional
            .into_iter()
            .filter_map(|name| object.position(&name.into()))
            .map(|at| at as u32)
            .collect();
        if places.is_empty() {
            return self;
        }
        places.sort_unstable();
        places.dedup();
        let (names, types) = (object.names.clone(), object.types.clone());
        Self::Object(Arc::new(ObjectType::with_optional(names, types, places.into())))
    }

    /// The element type of a list, set or map type.
    pub fn element(&self) -> Option<&Self> {
        match self {
            Self::List(element) | Self::Set(element) | Self::Map(element) => Some(element),
            _ => None,
        }
    }

    /// The element types of a tuple type.
    #[doc(hidden)]
    pub fn tuple_elements(&self) -> Option<&[Self]> {
        match self {
            Self::Tuple(tuple) => Some(tuple.elements()),
            _ => None,
        }
    }

    /// The object type, if this is one.
    #[doc(hidden)]
    pub fn as_object(&self) -> Option<&ObjectType> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The type of an attribute of an object type. The name is normalized first, as attribute names are.
    pub fn attribute(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(&Str::normalized(name))
    }

    /// Returns true for string, number and bool.
    #[doc(hidden)]
    pub fn is_primitive(&self) -> bool {
        matches!(self, Self::String | Self::Number | Self::Bool)
    }

    /// Returns true for list, set and map types.
    #[doc(hidden)]
    pub fn is_collection(&self) -> bool {
        matches!(self, Self::List(_) | Self::Set(_) | Self::Map(_))
    }

    /// Returns true for tuple and object types.
    #[doc(hidden)]
    pub fn is_structural(&self) -> bool {
        matches!(self, Self::Tuple(_) | Self::Object(_))
    }

    /// Returns true if this is the dynamic pseudo-type or contains it.
    #[doc(hidden)]
    pub fn has_dynamic(&self) -> bool {
        match self {
            Self::Dynamic => true,
            Self::String | Self::Number | Self::Bool | Self::Capsule(_) => false,
            Self::List(element) | Self::Set(element) | Self::Map(element) => element.has_dynamic(),
            Self::Tuple(tuple) => tuple.held.dynamic,
            Self::Object(object) => object.held.dynamic,
        }
    }

    #[doc(hidden)]
    /// Returns true if this type, or any type in it, has optional attributes.
    pub fn has_optional(&self) -> bool {
        match self {
            Self::Dynamic | Self::String | Self::Number | Self::Bool | Self::Capsule(_) => false,
            Self::List(element) | Self::Set(element) | Self::Map(element) => element.has_optional(),
            Self::Tuple(tuple) => tuple.held.optional,
            Self::Object(object) => !object.optional.is_empty() || object.held.optional,
        }
    }

    /// The type with all attributes required, at every depth. Converted values have this type.
    #[must_use]
    #[doc(hidden)]
    pub fn without_optional(&self) -> Self {
        if !self.has_optional() {
            return self.clone();
        }
        self.map_parts(&mut |part| match part {
            Self::Object(object) if !object.optional.is_empty() => {
                Self::Object(Arc::new(ObjectType::from_sorted(object.names.clone(), object.types.clone())))
            }
            other => other,
        })
    }

    #[doc(hidden)]
    /// Builds another type by replacing each part, innermost first. A shared part is replaced once for all of its places.
    ///
    /// ```
    /// use hclkit_value::Type;
    ///
    /// let all_text = Type::list(Type::Number).map_parts(&mut |part| match part {
    ///     Type::Number => Type::String,
    ///     other => other,
    /// });
    /// assert_eq!(all_text, Type::list(Type::String));
    /// ```
    #[must_use]
    pub fn map_parts(&self, replace: &mut impl FnMut(Self) -> Self) -> Self {
        self.replaced(replace, &mut HashMap::new())
    }

    fn replaced(&self, replace: &mut impl FnMut(Self) -> Self, done: &mut HashMap<Anchor, Self>) -> Self {
        let anchor = self.is_deep().then(|| anchor(self));
        if let Some(found) = anchor.and_then(|anchor| done.get(&anchor)) {
            return found.clone();
        }
        let rebuilt = match self {
            Self::Dynamic | Self::String | Self::Number | Self::Bool | Self::Capsule(_) => self.clone(),
            Self::List(element) => Self::list(element.replaced(replace, done)),
            Self::Set(element) => Self::set(element.replaced(replace, done)),
            Self::Map(element) => Self::map(element.replaced(replace, done)),
            Self::Tuple(tuple) => Self::tuple(tuple.elements.iter().map(|part| part.replaced(replace, done))),
            Self::Object(object) => Self::Object(Arc::new(ObjectType::with_optional(
                object.names.clone(),
                object.types.iter().map(|part| part.replaced(replace, done)).collect(),
                object.optional.clone(),
            ))),
        };
        let replaced = replace(rebuilt);
        if let Some(anchor) = anchor {
            done.insert(anchor, replaced.clone());
        }
        replaced
    }

    /// Calls `visit` with the type and each part of it, outermost first, until it returns false. Returns false if it was
    /// stopped. A shared part is visited only once.
    #[doc(hidden)]
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Self) -> bool) -> bool {
        self.walk_unseen(visit, &mut HashSet::new())
    }

    fn walk_unseen<'a>(
        &'a self,
        visit: &mut impl FnMut(&'a Self) -> bool,
        seen: &mut HashSet<Anchor>,
    ) -> bool {
        if self.is_deep() && !seen.insert(anchor(self)) {
            return true;
        }
        visit(self)
            && match self {
                Self::Dynamic | Self::String | Self::Number | Self::Bool | Self::Capsule(_) => true,
                Self::List(element) | Self::Set(element) | Self::Map(element) => {
                    element.walk_unseen(visit, seen)
                }
                Self::Tuple(tuple) => tuple.elements.iter().all(|part| part.walk_unseen(visit, seen)),
                Self::Object(object) => object.types.iter().all(|part| part.walk_unseen(visit, seen)),
            }
    }

    /// Returns true if the type may contain a part many times. Visiting others again is cheaper than a lookup.
    pub(crate) fn is_deep(&self) -> bool {
        let compound = |part: &Self| part.is_structural() || part.is_collection();
        match self {
            Self::Tuple(tuple) => tuple.elements.iter().any(compound),
            Self::Object(object) => object.types.iter().any(compound),
            _ => false,
        }
    }
}

/// Sorts pairs by name. If a name is repeated, the last pair is kept.
pub(crate) fn sorted_by_name<N: Into<Str>, T>(pairs: impl IntoIterator<Item = (N, T)>) -> (Vec<Str>, Vec<T>) {
    sorted_pairs(pairs.into_iter().map(|(name, thing)| (name.into(), thing)).collect())
}

/// The same, compiled once for each type of things, not for each iterator.
fn sorted_pairs<T>(mut pairs: Vec<(Str, T)>) -> (Vec<Str>, Vec<T>) {
    if !pairs.is_sorted_by(|a, b| a.0 < b.0) {
        pairs.sort_by(|a, b| a.0.cmp(&b.0));
        pairs.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                std::mem::swap(later, earlier);
            }
            same
        });
    }
    pairs.into_iter().unzip()
}

/// The kind and address of a type. Types without parts have no address.
pub(crate) type Anchor = (u8, *const ());

pub(crate) fn anchor(ty: &Type) -> Anchor {
    match ty {
        Type::Dynamic => (0, std::ptr::null()),
        Type::String => (1, std::ptr::null()),
        Type::Number => (2, std::ptr::null()),
        Type::Bool => (3, std::ptr::null()),
        Type::List(element) => (4, Arc::as_ptr(element).cast()),
        Type::Set(element) => (5, Arc::as_ptr(element).cast()),
        Type::Map(element) => (6, Arc::as_ptr(element).cast()),
        Type::Tuple(tuple) => (7, Arc::as_ptr(tuple).cast()),
        Type::Object(object) => (8, Arc::as_ptr(object).cast()),
        Type::Capsule(capsule) => (9, capsule.place()),
    }
}
