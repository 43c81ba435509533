//! Values: their representation and accessors. Constructors are in `build.rs`. Operations, conversion and encodings are
//! in separate modules next to this directory.

mod alike;
mod build;
mod collection;
mod compare;
mod open;
mod plain;
mod release;

use std::sync::{Arc, OnceLock};

pub use build::{BuildError, ObjectShape};
pub use collection::{List, Map, Object, Set, Tuple};
pub(crate) use collection::{Summary, element_as};
pub use plain::{NotPlain, Plain};

use crate::marks::{Marked, Marks};
use crate::refine::{Refinement, Unknown};
use crate::types::{Capsule, ObjectType};
use crate::{Number, Str, Type};

/// A value of some [`Type`]: known, null or unknown, with or without marks.
///
/// Values are immutable and cheap to clone, because the parts of compound values are shared. `==` compares type, content,
/// refinements and marks exactly. The equality operator of the language, whose result may be unknown, is
/// [`Value::equals`].
///
/// ```
/// use hclkit_value::{Type, Value};
///
/// let server = Value::object([
///     ("name", Value::from("web")),
///     ("ports", Value::list([Value::from(80), Value::from(443)])?),
/// ]);
/// assert_eq!(server.attribute("name")?, Value::from("web"));
/// assert_eq!(server.ty().to_string(), "object({name=string, ports=list(number)})");
///
/// // A tuple becomes a list by conversion.
/// let list = Value::tuple([Value::from(1), Value::from("2")]).convert(&Type::list(Type::String))?;
/// assert_eq!(list, Value::list([Value::from("1"), Value::from("2")])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Value(pub(crate) Repr);

/// This takes sixteen bytes. Null and unknown values of the dynamic pseudo-type are frequent, so they do not allocate.
#[derive(Clone)]
pub(crate) enum Repr {
    Number(Number),
    Bool(bool),
    String(Str),
    List(Arc<List>),
    Set(Arc<Set>),
    Map(Arc<Map>),
    Tuple(Arc<Tuple>),
    Object(Arc<Object>),
    Capsule(Arc<Capsule>),
    Null(Option<Arc<Type>>),
    UnknownDynamic,
    /// An unknown value of the dynamic pseudo-type with known parts.
    Open(Arc<Value>),
    Unknown(Arc<Unknown>),
    Marked(Arc<Marked>),
}

/// What a value is, with its content, for use in a `match`.
///
/// ```
/// use hclkit_value::{Kind, Value};
///
/// fn depth(value: &Value) -> usize {
///     match value.kind() {
///         Kind::List(list) => 1 + list.iter().map(depth).max().unwrap_or(0),
///         Kind::Tuple(tuple) => 1 + tuple.iter().map(depth).max().unwrap_or(0),
///         _ => 0,
///     }
/// }
/// assert_eq!(depth(&Value::tuple([Value::from(1), Value::tuple::<Value>([])])), 2);
/// ```
#[derive(Clone, Debug)]
pub enum Kind<'a> {
    /// Text.
    String(&'a Str),
    /// A number.
    Number(&'a Number),
    /// True or false.
    Bool(bool),
    /// A list.
    List(&'a List),
    /// A set.
    Set(&'a Set),
    /// A map.
    Map(&'a Map),
    /// A tuple.
    Tuple(&'a Tuple),
    /// An object.
    Object(&'a Object),
    /// A capsule.
    Capsule(&'a Capsule),
    /// The null value of a type.
    Null(Type),
    /// An unknown value of a type.
    Unknown(Type, Refinement),
    /// A value with marks.
    Marked(&'a Marks, &'a Value),
}

impl Value {
    /// The null value of the dynamic pseudo-type.
    pub const NULL: Self = Self(Repr::Null(None));
    /// The unknown value of the dynamic pseudo-type: nothing is known about it, not even its type.
    pub const DYNAMIC: Self = Self(Repr::UnknownDynamic);
    /// True.
    pub const TRUE: Self = Self(Repr::Bool(true));
    /// False.
    pub const FALSE: Self = Self(Repr::Bool(false));

    /// What the value is, with its content.
    pub fn kind(&self) -> Kind<'_> {
        match &self.0 {
            Repr::Number(number) => Kind::Number(number),
            Repr::Bool(flag) => Kind::Bool(*flag),
            Repr::String(text) => Kind::String(text),
            Repr::List(list) => Kind::List(list),
            Repr::Set(set) => Kind::Set(set),
            Repr::Map(map) => Kind::Map(map),
            Repr::Tuple(tuple) => Kind::Tuple(tuple),
            Repr::Object(object) => Kind::Object(object),
            Repr::Capsule(capsule) => Kind::Capsule(capsule),
            Repr::Null(_) => Kind::Null(self.ty()),
            Repr::UnknownDynamic | Repr::Open(_) => Kind::Unknown(Type::Dynamic, Refinement::default()),
            Repr::Unknown(unknown) => Kind::Unknown(unknown.ty.clone(), unknown.refinement.clone()),
            Repr::Marked(marked) => Kind::Marked(&marked.marks, &marked.value),
        }
    }

    /// The type. Marks do not affect it.
    pub fn ty(&self) -> Type {
        match &self.0 {
            Repr::Number(_) => Type::Number,
            Repr::Bool(_) => Type::Bool,
            Repr::String(_) => Type::String,
            Repr::List(list) => list.ty.clone(),
            Repr::Set(set) => set.ty.clone(),
            Repr::Map(map) => map.ty.clone(),
            Repr::Tuple(tuple) => tuple.ty().clone(),
            Repr::Object(object) => object.ty().clone(),
            Repr::Capsule(capsule) => Type::Capsule(capsule.ty().clone()),
            Repr::Null(None) | Repr::UnknownDynamic | Repr::Open(_) => Type::Dynamic,
            Repr::Null(Some(ty)) => Type::clone(ty),
            Repr::Unknown(unknown) => unknown.ty.clone(),
            Repr::Marked(marked) => marked.value.ty(),
        }
    }

    /// Returns true if [`Value::ty`] equals this type, without building the types of tuples and
    /// objects.
    #[inline]
    #[doc(hidden)]
    pub fn has_type(&self, ty: &Type) -> bool {
        match (&self.0, ty) {
            _ if self.is_typed_by(ty) => true,
            (Repr::Number(_), Type::Number)
            | (Repr::Bool(_), Type::Bool)
            | (Repr::String(_), Type::String)
            | (Repr::Null(None) | Repr::UnknownDynamic | Repr::Open(_), Type::Dynamic) => true,
            _ => self.has_further_type(ty),
        }
    }

    fn has_further_type(&self, ty: &Type) -> bool {
        match (&self.0, ty) {
            // The type of a shared value is computed only once.
            (Repr::Tuple(_) | Repr::Object(_), _) if self.deep_place().is_some() => self.ty() == *ty,
            (Repr::List(list), _) => list.ty == *ty,
            (Repr::Set(set), _) => set.ty == *ty,
            (Repr::Map(map), _) => map.ty == *ty,
            (Repr::Tuple(tuple), Type::Tuple(types)) => {
                tuple.items.len() == types.elements().len()
                    && tuple.items.iter().zip(types.elements()).all(|(item, ty)| item.has_type(ty))
            }
            (Repr::Object(object), Type::Object(types)) => {
                object.has_names(types)
                    && types.optional().len() == 0
                    && object.values.iter().zip(types.types()).all(|(value, ty)| value.has_type(ty))
            }
            (Repr::Capsule(capsule), Type::Capsule(ty)) => capsule.ty() == ty,
            (Repr::Null(Some(own)), _) => **own == *ty,
            (Repr::Unknown(unknown), _) => unknown.ty == *ty,
            (Repr::Marked(marked), _) => marked.value.has_type(ty),
            _ => false,
        }
    }

    /// Returns true if the value's type has been computed and is the same allocation as `ty`.
    pub(crate) fn is_typed_by(&self, ty: &Type) -> bool {
        let own = match &self.0 {
            Repr::Tuple(tuple) => tuple.ty.get(),
            Repr::Object(object) => object.ty.get(),
            _ => None,
        };
        own.is_some_and(|own| own.is_one_with(ty))
    }

    /// Returns true if this is a null value, with or without marks.
    #[inline]
    pub fn is_null(&self) -> bool {
        match &self.0 {
            Repr::Null(_) => true,
            Repr::Marked(marked) => marked.value.is_null(),
            _ => false,
        }
    }

    /// Returns true if the value itself is known. Its parts may be unknown.
    #[inline]
    pub fn is_known(&self) -> bool {
        match &self.0 {
            Repr::UnknownDynamic | Repr::Open(_) | Repr::Unknown(_) => false,
            Repr::Marked(marked) => marked.value.is_known(),
            _ => true,
        }
    }

    /// Returns true if neither the value nor any part of it is unknown.
    pub fn is_wholly_known(&self) -> bool {
        !self.summary().has_unknown()
    }

    #[doc(hidden)]
    /// Returns true if the value or a part of it is unknown and of unknown type.
    pub fn has_dynamic_type(&self) -> bool {
        self.summary().has_dynamic()
    }

    #[doc(hidden)]
    /// The number of levels of collections and structures. Marks do not add a level.
    #[inline]
    pub fn depth(&self) -> usize {
        self.summary().depth()
    }

    #[inline]
    pub(crate) fn summary(&self) -> Summary {
        match &self.0 {
            Repr::Number(_) | Repr::Bool(_) | Repr::String(_) | Repr::Capsule(_) => Summary::PLAIN,
            Repr::List(list) => list.summary,
            Repr::Set(set) => set.summary,
            Repr::Map(map) => map.summary,
            Repr::Tuple(tuple) => tuple.summary,
            Repr::Object(object) => object.summary,
            Repr::Null(_) => Summary::PLAIN,
            Repr::UnknownDynamic => Summary::PLAIN.with_unknown().with_dynamic(),
            Repr::Open(parts) => parts.open_summary(),
            Repr::Unknown(unknown) if unknown.ty.has_dynamic() => {
                Summary::PLAIN.with_unknown().with_dynamic()
            }
            Repr::Unknown(_) => Summary::PLAIN.with_unknown(),
            Repr::Marked(marked) => marked.value.summary().with_marks(),
        }
    }

    /// The summary of an open value with these parts. It is apart so that the frequent cases are inlined.
    #[cold]
    #[inline(never)]
    fn open_summary(&self) -> Summary {
        self.summary().with_unknown().with_dynamic()
    }

    /// The text of a known string without marks.
    #[inline]
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Repr::String(text) => Some(text.as_str()),
            _ => None,
        }
    }

    /// The number of a known number without marks.
    #[inline]
    pub fn as_number(&self) -> Option<&Number> {
        match &self.0 {
            Repr::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The `bool` of a known bool without marks.
    #[inline]
    pub fn as_bool(&self) -> Option<bool> {
        match &self.0 {
            Repr::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    /// The elements of a known list, set or tuple without marks, in order.
    #[inline]
    pub fn as_slice(&self) -> Option<&[Self]> {
        match &self.0 {
            Repr::List(list) => Some(&list.items),
            Repr::Set(set) => Some(&set.items),
            Repr::Tuple(tuple) => Some(&tuple.items),
            _ => None,
        }
    }

    /// The content of a known map without marks.
    #[inline]
    pub fn as_map(&self) -> Option<&Map> {
        match &self.0 {
            Repr::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The content of a known object without marks.
    #[inline]
    pub fn as_object(&self) -> Option<&Object> {
        match &self.0 {
            Repr::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The content of a known capsule without marks.
    #[doc(hidden)]
    pub fn as_capsule(&self) -> Option<&Capsule> {
        match &self.0 {
            Repr::Capsule(capsule) => Some(capsule),
            _ => None,
        }
    }

    /// The entries of a known map or object without marks, sorted by key.
    pub fn entries(&self) -> Option<Entries<'_>> {
        match &self.0 {
            Repr::Map(map) => Some(Entries::new(&map.keys, &map.values)),
            Repr::Object(object) => Some(Entries::new(&object.names, &object.values)),
            _ => None,
        }
    }
}

/// The entries of a map or object, sorted by key.
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    inner: std::iter::Zip<std::slice::Iter<'a, Str>, std::slice::Iter<'a, Value>>,
}

impl<'a> Entries<'a> {
    pub(crate) fn new(keys: &'a [Str], values: &'a [Value]) -> Self {
        Entries { inner: keys.iter().zip(values) }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a Str, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.inner.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.inner.size_hint()
    }
}

impl DoubleEndedIterator for Entries<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.inner.next_back()
    }
}

impl ExactSizeIterator for Entries<'_> {}

/// The type of a tuple or object, computed on first use.
pub(crate) type LazyType = OnceLock<Type>;

/// Computes the type before locking the cell. This function and `types_of` keep stack frames small, because they recurse
/// for each level of nesting.
fn lazily(place: &LazyType, make: impl FnOnce() -> Type) -> &Type {
    if let Some(ty) = place.get() {
        return ty;
    }
    let ty = make();
    place.get_or_init(|| ty)
}

fn types_of(values: &[Value]) -> Vec<Type> {
    let mut types = Vec::with_capacity(values.len());
    for value in values {
        types.push(value.ty());
    }
    types
}

fn tuple_type(items: &[Value]) -> Type {
    Type::tuple(types_of(items))
}

pub(crate) fn object_type(names: &Arc<[Str]>, values: &[Value]) -> Type {
    Type::Object(Arc::new(ObjectType::from_sorted(names.clone(), types_of(values).into())))
}
