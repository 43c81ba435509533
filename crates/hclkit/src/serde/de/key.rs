//! The keys of maps, the names of fields and variants, and labels: strings that are also read as numbers and bools.

use std::borrow::Cow;
use std::sync::Arc;

use hclkit_model::serde::names::SPANNED;
use hclkit_syntax::{Place, Source, Span};
use hclkit_value::serde::handover::{VALUE, hand_over};
use hclkit_value::{FromValue, Type, Value};
use serde_core::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde_core::de::{self, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::serde::SerdeError;

/// A name, and its place.
#[derive(Clone)]
pub(super) struct Key<'x, 'de> {
    name: Name<'x, 'de>,
    source: Option<&'x Arc<Source>>,
    span: Span,
    place: Option<Place>,
}

#[derive(Clone)]
enum Name<'x, 'de> {
    Input(&'de str),
    Other(Cow<'x, str>),
}

impl<'x, 'de> Key<'x, 'de> {
    pub(super) fn new(name: Cow<'x, str>, source: Option<&'x Arc<Source>>, span: Span) -> Self {
        Key { name: Name::Other(name), source, span, place: None }
    }

    pub(super) fn placed(name: Cow<'x, str>, place: Option<Place>) -> Self {
        Key { name: Name::Other(name), source: None, span: Span::default(), place }
    }

    pub(super) fn of_value(name: &'x str, place: &'x Place) -> Self {
        Key::new(Cow::Borrowed(name), Some(&place.source), place.span)
    }

    pub(super) fn of_input(name: &'de str) -> Self {
        Key { name: Name::Input(name), source: None, span: Span::default(), place: None }
    }

    pub(super) fn name(&self) -> &str {
        match &self.name {
            Name::Input(name) => name,
            Name::Other(name) => name,
        }
    }

    pub(super) fn place(&self) -> Option<Place> {
        self.place.clone().or_else(|| super::access::place_of(self.source, self.span))
    }

    fn converted<T: FromValue>(&self, ty: &Type) -> Result<T, SerdeError> {
        let value = Value::from(self.name()).convert(ty).and_then(|value| T::from_value(&value));
        value.map_err(|error| SerdeError::from(error).at(self.place()))
    }

    fn number<T: FromValue, R>(
        &self,
        then: impl FnOnce(T) -> Result<R, SerdeError>,
    ) -> Result<R, SerdeError> {
        then(self.converted(&Type::Number)?).map_err(|error| error.at(self.place()))
    }
}

impl<'de> de::Deserializer<'de> for Key<'_, 'de> {
    type Error = SerdeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        let visited = match &self.name {
            Name::Input(name) => visitor.visit_borrowed_str(name),
            Name::Other(name) => visitor.visit_str(name),
        };
        visited.map_err(|error: SerdeError| error.at(self.place()))
    }

    numbers!();

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        visitor.visit_bool(self.converted(&Type::Bool)?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, SerdeError> {
        match name {
            SPANNED => hand_over(self.place().unwrap_or_else(Place::nowhere)),
            VALUE => hand_over(Value::from(self.name())),
            _ => {}
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, SerdeError> {
        let visited = match &self.name {
            Name::Input(text) => {
                BorrowedStrDeserializer::<SerdeError>::new(text).deserialize_enum(name, variants, visitor)
            }
            Name::Other(text) => {
                StrDeserializer::<SerdeError>::new(text).deserialize_enum(name, variants, visitor)
            }
        };
        visited.map_err(|error| error.at(self.place()))
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
