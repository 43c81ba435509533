//! Access to parts of values: attributes, elements, lengths, membership.

use super::{marks_of, unknown_not_null};
use crate::error::Error;
use crate::path::position;
use crate::refine::{Bound, Refinement, settled};
use crate::set;
use crate::value::Repr;
use crate::work::read_text;
use crate::{Marks, Number, Str, Type, Value};

impl Value {
    /// An attribute of an object. The name is normalized first, as attribute names are.
    ///
    /// # Errors
    /// The value is null or not an object, or its type does not have the attribute.
    pub fn attribute(&self, name: &str) -> Result<Self, Error> {
        let name = &*Str::normalized(name);
        let found = match &self.0 {
            Repr::Marked(marked) => return Ok(marked.value.attribute(name)?.with_marks(&marked.marks)),
            Repr::Object(object) => object.get(name).cloned(),
            Repr::Open(known) => Some(known.attribute(name).unwrap_or(Self::DYNAMIC)),
            Repr::UnknownDynamic | Repr::Null(None) => Some(Self::DYNAMIC),
            Repr::Unknown(unknown) => unknown.ty.attribute(name).map(|ty| Self::unknown(ty.clone())),
            Repr::Null(_) => return Err(Error::new("a null value has no attributes")),
            _ => None,
        };
        found.ok_or_else(|| match self.ty() {
            Type::Object(_) => Error::new(format!("unsupported attribute {name:?}")),
            _ => Error::new("only an object has attributes"),
        })
    }

    /// An element of a list, map or tuple, by number or string.
    ///
    /// # Errors
    /// The value or the key is null, the value is of another type, the key has the wrong type, or there is no such element.
    pub fn index(&self, key: &Self) -> Result<Self, Error> {
        if self.is_marked() || key.is_marked() {
            let found = self.bare().index(key.bare())?;
            return Ok(found.with_marks(&marks_of(self, key)));
        }
        let typed = !self.has_type(&Type::Dynamic) && !key.has_type(&Type::Dynamic);
        if typed && self.is_null() && key.is_known() {
            return Err(Error::new("a null value has no elements"));
        }
        if let Some(known) = self.known_parts() {
            return Ok(known.part(key));
        }
        let missing = || Error::new("the given key does not identify an element");
        match self.ty_for_index() {
            IndexType::Dynamic => {
                // Once it is known, it may have an element with that key.
                Ok(Self::DYNAMIC)
            }
            IndexType::List(element) => {
                self.check_key(key, &Type::Number)?;
                let Some(number) = key.as_number() else { return Ok(Self::unknown(element)) };
                match &self.0 {
                    Repr::List(list) => {
                        position(number).and_then(|at| list.get(at)).cloned().ok_or_else(missing)
                    }
                    _ => Ok(Self::unknown(element)),
                }
            }
            IndexType::Map(element) => {
                self.check_key(key, &Type::String)?;
                let Some(text) = key.as_str() else { return Ok(Self::unknown(element)) };
                match &self.0 {
                    Repr::Map(map) => map.get(text).cloned().ok_or_else(missing),
                    _ => Ok(Self::unknown(element)),
                }
            }
            IndexType::Tuple => {
                self.check_key(key, &Type::Number)?;
                let Some(number) = key.as_number() else { return Ok(Self::DYNAMIC) };
                let at = position(number).ok_or_else(missing)?;
                let known = self.as_slice().and_then(|items| items.get(at)).cloned();
                let element = || Some(Self::unknown(self.ty().tuple_elements()?.get(at)?.clone()));
                if self.is_known() { known } else { element() }.ok_or_else(missing)
            }
            IndexType::None => Err(Error::new("only a list, map or tuple can be indexed")),
        }
    }

    /// The part of an open value with this key, if it is known.
    fn part(&self, key: &Self) -> Self {
        let part = match key.as_str() {
            Some(name) => self.attribute(name),
            None => self.index(key),
        };
        part.unwrap_or(Self::DYNAMIC)
    }

    fn check_key(&self, key: &Self, wanted: &Type) -> Result<(), Error> {
        // A key of unknown type may turn out to have the right type.
        if key.has_type(&Type::Dynamic) || (key.has_type(wanted) && !(key.is_null() && self.has_keys())) {
            return Ok(());
        }
        Err(wrong_key(&wanted.friendly_name()))
    }

    /// Returns true if the keys are known, so that a null key is an error. The keys of an unknown tuple are known, too.
    fn has_keys(&self) -> bool {
        self.is_known() || self.ty().tuple_elements().is_some()
    }

    fn ty_for_index(&self) -> IndexType {
        match &self.0 {
            Repr::List(list) => IndexType::List(list.element_type().clone()),
            Repr::Map(map) => IndexType::Map(map.element_type().clone()),
            Repr::Tuple(_) => IndexType::Tuple,
            Repr::UnknownDynamic | Repr::Open(_) | Repr::Null(None) => IndexType::Dynamic,
            Repr::Null(Some(_)) | Repr::Unknown(_) => match &self.ty() {
                Type::List(element) => IndexType::List(Type::clone(element)),
                Type::Map(element) => IndexType::Map(Type::clone(element)),
                Type::Tuple(_) => IndexType::Tuple,
                _ => IndexType::None,
            },
            _ => IndexType::None,
        }
    }

    #[doc(hidden)]
    /// Whether a list, map or tuple has an element with a key: a bool, which may be unknown. False for a key of another type.
    ///
    /// # Errors
    /// The value is null or not a list, map or tuple.
    pub fn has_index(&self, key: &Self) -> Result<Self, Error> {
        if self.is_marked() || key.is_marked() {
            let found = self.bare().has_index(key.bare())?;
            return Ok(found.with_marks(&marks_of(self, key)));
        }
        let unknown = || unknown_not_null(Type::Bool);
        let wanted = match self.ty_for_index() {
            IndexType::Dynamic => return Ok(unknown()),
            IndexType::List(_) | IndexType::Tuple => Type::Number,
            IndexType::Map(_) => Type::String,
            IndexType::None => return Err(Error::new("only a list, map or tuple can be indexed")),
        };
        if key.has_type(&Type::Dynamic) {
            return Ok(unknown());
        }
        if !key.has_type(&wanted) {
            return Ok(Self::FALSE);
        }
        if !key.is_known() {
            return Ok(unknown());
        }
        if key.is_null() && self.has_keys() {
            return Err(wrong_key(&wanted.friendly_name()));
        }
        let at = || key.as_number().and_then(position);
        Ok(match &self.0 {
            Repr::List(list) => Self::from(at().is_some_and(|at| at < list.len())),
            Repr::Tuple(tuple) => Self::from(at().is_some_and(|at| at < tuple.len())),
            Repr::Map(map) => {
                let key = key.as_str().unwrap_or_default();
                read_text(key.len())?;
                Self::from(map.get(key).is_some())
            }
            _ => match (self.ty().tuple_elements(), at()) {
                (Some(elements), at) => Self::from(at.is_some_and(|at| at < elements.len())),
                (None, None) if self.is_null() && wanted == Type::Number => Self::FALSE,
                _ if self.is_null() => return Err(Error::new("a null value has no elements")),
                _ => unknown(),
            },
        })
    }

    /// The number of elements or attributes of a collection or structure. It may be unknown.
    ///
    /// # Errors
    /// The value is null or not a collection or structure.
    pub fn length(&self) -> Result<Self, Error> {
        if let Repr::Marked(marked) = &self.0 {
            return Ok(marked.value.length()?.with_marks(&marked.marks));
        }
        match &self.0 {
            Repr::List(list) => Ok(Self::from(list.len())),
            Repr::Map(map) => Ok(Self::from(map.len())),
            Repr::Tuple(tuple) => Ok(Self::from(tuple.len())),
            Repr::Object(object) => Ok(Self::from(object.len())),
            Repr::Set(set) if set.len() == 1 || self.is_wholly_known() => Ok(Self::from(set.len())),
            Repr::UnknownDynamic | Repr::Open(_) | Repr::Set(_) | Repr::Unknown(_) | Repr::Null(_) => {
                let ty = self.ty();
                match &ty {
                    Type::Tuple(tuple) => return Ok(Self::from(tuple.elements().len())),
                    Type::Object(object) if self.is_null() => return Ok(Self::from(object.len())),
                    Type::Dynamic if !self.is_null() => {}
                    ty if !ty.is_collection() || self.is_null() => return Err(not_countable()),
                    _ => {}
                }
                let range = self.refinement();
                let bound = |length: u64| Bound { number: Number::from(length), inclusive: true };
                Ok(settled(
                    Type::Number,
                    Refinement {
                        not_null: true,
                        min: Some(bound(range.min_len)),
                        // The reference counts in 63 bits and refines the result accordingly.
                        max: Some(bound(range.max_len.unwrap_or(i64::MAX as u64))),
                        ..Refinement::default()
                    },
                ))
            }
            _ => Err(not_countable()),
        }
    }

    #[doc(hidden)]
    /// Whether a set has an element: a bool, which may be unknown.
    ///
    /// # Errors
    /// The value is null or not a set.
    pub fn has_element(&self, element: &Self) -> Result<Self, Error> {
        if self.contains_marked() || element.contains_marked() {
            let (set, marks) = self.unmark_deep();
            let (element, more) = element.unmark_deep();
            return Ok(set.has_element(&element)?.with_marks(&marks.union(&more)));
        }
        let unknown = || Ok(unknown_not_null(Type::Bool));
        let set = match &self.0 {
            Repr::Set(set) => set,
            Repr::Unknown(_) | Repr::UnknownDynamic | Repr::Open(_) => return unknown(),
            _ => return Err(Error::new("only a set can be searched for an element")),
        };
        let any = *set.element_type() == Type::Dynamic || element.has_type(&Type::Dynamic);
        if !element.is_known() && (any || element.has_type(set.element_type())) {
            return unknown();
        }
        if !element.has_type(set.element_type()) {
            return Ok(Self::FALSE);
        }
        if set::find(&set.items, set.element_type(), element).is_some() {
            return Ok(Self::TRUE);
        }
        if self.is_wholly_known() { Ok(Self::FALSE) } else { unknown() }
    }

    /// The keys and elements of a collection or structure. The elements, and the keys of sets, get the marks of the value
    /// itself. The keys of lists and tuples are numbers, those of maps and objects are strings, and those of sets are the
    /// elements.
    ///
    /// # Errors
    /// The value is null, unknown, or of a type without elements.
    pub fn elements(&self) -> Result<Vec<(Self, Self)>, Error> {
        let (bare, marks) = (self.bare(), self.marks());
        let marked = |value: Self, marks: &Marks| value.with_marks(marks);
        let numbered = |items: &[Self]| {
            items.iter().enumerate().map(|(i, item)| (Self::from(i), marked(item.clone(), &marks))).collect()
        };
        match &bare.0 {
            Repr::List(list) => Ok(numbered(&list.items)),
            Repr::Tuple(tuple) => Ok(numbered(&tuple.items)),
            Repr::Set(set) => Ok(set
                .iter()
                .map(|item| (marked(item.clone(), &marks), marked(item.clone(), &marks)))
                .collect()),
            Repr::Map(_) | Repr::Object(_) => Ok(bare
                .entries()
                .into_iter()
                .flatten()
                .map(|(key, item)| (Self::from(key), marked(item.clone(), &marks)))
                .collect()),
            Repr::Null(_) => Err(Error::new("a null value has no elements")),
            Repr::Unknown(_) | Repr::UnknownDynamic | Repr::Open(_) => {
                Err(Error::new("the elements are unknown"))
            }
            _ => Err(Error::new("the value has no elements")),
        }
    }
}

enum IndexType {
    Dynamic,
    List(Type),
    Map(Type),
    Tuple,
    None,
}

fn wrong_key(wanted: &str) -> Error {
    Error::without_values(format!("a {wanted} key is required"))
}

fn not_countable() -> Error {
    Error::new("only a list, set, map or tuple has a length")
}
