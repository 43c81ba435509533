//! The parts of nodes: elements of sequences, entries of maps, and variants of enums.

use std::borrow::Cow;
use std::sync::Arc;

use hclkit_syntax::ast::Expressions;
use hclkit_syntax::{Place, Source, Span, json};
use hclkit_value::{Step, Value};
use serde_core::de::{self, DeserializeSeed, Unexpected, Visitor};

use super::blocks::{self, Queue};
use super::key::Key;
use super::node::{self, Node};
use super::{NodeDeserializer, Settings};
use crate::serde::SerdeError;

/// The elements of a sequence.
pub(super) enum Elements<'x, 'de> {
    Native(Expressions<'x>),
    Json(json::Elements<'x>),
    Values(std::slice::Iter<'x, Value>, &'x Place),
    Input(std::slice::Iter<'de, Value>),
    Blocks(Queue<'x>),
}

impl<'x, 'de> Elements<'x, 'de> {
    fn next(&mut self) -> Option<Node<'x, 'de>> {
        match self {
            Elements::Native(elements) => elements.next().map(Node::Native),
            Elements::Json(elements) => elements.next().map(Node::Json),
            Elements::Values(values, place) => values.next().map(|value| Node::Value(value, place)),
            Elements::Input(values) => values.next().map(Node::Input),
            Elements::Blocks(queue) => blocks::has_next(queue).then(|| Node::Next(queue.clone())),
        }
    }

    fn len(&self) -> Option<usize> {
        match self {
            Elements::Values(values, _) => Some(values.len()),
            Elements::Input(values) => Some(values.len()),
            Elements::Blocks(queue) => Some(queue.borrow().len()),
            Elements::Native(_) | Elements::Json(_) => None,
        }
    }

    pub(super) fn is_empty(&mut self) -> bool {
        self.next().is_none()
    }
}

/// An entry of a map.
pub(super) struct Entry<'x, 'de> {
    pub(super) name: Cow<'x, str>,
    /// The source of the name.
    pub(super) source: Option<&'x Arc<Source>>,
    /// The span of the name.
    pub(super) span: Span,
    pub(super) node: Node<'x, 'de>,
}

/// The entries of a map.
pub(super) enum Entries<'x, 'de> {
    Known(std::vec::IntoIter<Entry<'x, 'de>>),
    Values(hclkit_value::Entries<'x>, &'x Place),
    Input(hclkit_value::Entries<'de>),
}

impl<'x, 'de> Entries<'x, 'de> {
    fn next(&mut self) -> Option<(Key<'x, 'de>, Node<'x, 'de>)> {
        match self {
            Entries::Known(entries) => {
                let Entry { name, source, span, node } = entries.next()?;
                Some((Key::new(name, source, span), node))
            }
            Entries::Values(entries, place) => {
                let (name, value) = entries.next()?;
                Some((Key::of_value(name.as_str(), place), Node::Value(value, place)))
            }
            Entries::Input(entries) => {
                let (name, value) = entries.next()?;
                Some((Key::of_input(name.as_str()), Node::Input(value)))
            }
        }
    }

    fn len(&self) -> Option<usize> {
        match self {
            Entries::Known(entries) => Some(entries.len()),
            _ => None,
        }
    }

    pub(super) fn is_empty(&mut self) -> bool {
        self.next().is_none()
    }
}

pub(super) struct Sequence<'x, 'de> {
    elements: Elements<'x, 'de>,
    settings: &'x Settings<'de>,
    index: usize,
}

impl<'x, 'de> Sequence<'x, 'de> {
    pub(super) fn new(elements: Elements<'x, 'de>, settings: &'x Settings<'de>) -> Self {
        Sequence { elements, settings, index: 0 }
    }

    /// Reports elements that the visitor did not read, such as those after the last of a tuple.
    pub(super) fn finish(mut self, expected: usize) -> Result<(), SerdeError> {
        let mut found = self.index;
        while self.elements.next().is_some() {
            found += 1;
            if let Elements::Blocks(queue) = &self.elements {
                blocks::next(queue);
            }
        }
        if found == expected {
            return Ok(());
        }
        let what = if expected == 1 { "1 element".to_owned() } else { format!("{expected} elements") };
        Err(SerdeError::invalid(format!("expected {what}, found {found}")))
    }
}

impl<'de> de::SeqAccess<'de> for &mut Sequence<'_, 'de> {
    type Error = SerdeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, SerdeError> {
        let Some(node) = self.elements.next() else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        let element = seed.deserialize(NodeDeserializer::new(node, self.settings));
        element.map(Some).map_err(|error| error.within(Step::from(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        self.elements.len()
    }
}

pub(super) struct Map<'x, 'de> {
    entries: Entries<'x, 'de>,
    settings: &'x Settings<'de>,
    /// The last key, and its value until that is read.
    key: Option<Key<'x, 'de>>,
    value: Option<Node<'x, 'de>>,
}

impl<'x, 'de> Map<'x, 'de> {
    pub(super) fn visit<V: Visitor<'de>>(
        entries: Entries<'x, 'de>,
        settings: &'x Settings<'de>,
        visitor: V,
    ) -> Result<V::Value, SerdeError> {
        let mut map = Map { entries, settings, key: None, value: None };
        visitor.visit_map(&mut map).map_err(|error| match &map.key {
            // The visitor knows a name from an earlier alias.
            Some(key) if error.is_duplicate() => error.at(key.place()),
            _ => error,
        })
    }
}

impl<'de> de::MapAccess<'de> for &mut Map<'_, 'de> {
    type Error = SerdeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, SerdeError> {
        let Some((key, node)) = self.entries.next() else { return Ok(None) };
        let read = seed.deserialize(key.clone())?;
        (self.key, self.value) = (Some(key), Some(node));
        Ok(Some(read))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, SerdeError> {
        let (Some(key), Some(node)) = (&self.key, self.value.take()) else {
            return Err(SerdeError::invalid("a value was read before its key"));
        };
        let value = seed.deserialize(NodeDeserializer::new(node, self.settings));
        value.map_err(|error| error.within(Step::Attribute(key.name().into())))
    }

    fn size_hint(&self) -> Option<usize> {
        self.entries.len()
    }
}

/// A variant of an enum and its content.
pub(super) struct Variant<'x, 'de> {
    key: Key<'x, 'de>,
    content: Option<Node<'x, 'de>>,
    settings: &'x Settings<'de>,
}

impl<'x, 'de> Variant<'x, 'de> {
    /// A variant without content, by its name.
    pub(super) fn unit(key: Key<'x, 'de>, settings: &'x Settings<'de>) -> Self {
        Variant { key, content: None, settings }
    }

    /// The only entry of a map.
    pub(super) fn of(
        mut entries: Entries<'x, 'de>,
        settings: &'x Settings<'de>,
        variants: &[&str],
    ) -> Result<Self, SerdeError> {
        let names = || variants.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match (entries.next(), entries.next()) {
            (Some((key, content)), None) => Ok(Variant { key, content: Some(content), settings }),
            (None, _) => Err(SerdeError::invalid(format!("expected one of {}, found nothing", names()))),
            (Some(_), Some((second, _))) => {
                let text = format!("expected only one of {}", names());
                Err(SerdeError::invalid(text).at(second.place()))
            }
        }
    }

    fn within(key: &Key<'_, '_>, error: SerdeError) -> SerdeError {
        error.within(Step::Attribute(key.name().into()))
    }
}

impl<'de> de::EnumAccess<'de> for Variant<'_, 'de> {
    type Error = SerdeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), SerdeError> {
        Ok((seed.deserialize(self.key.clone())?, self))
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_, 'de> {
    type Error = SerdeError;

    fn unit_variant(self) -> Result<(), SerdeError> {
        let Some(content) = self.content else { return Ok(()) };
        let read = de::Deserialize::deserialize(NodeDeserializer::new(content, self.settings));
        read.map_err(|error| Variant::within(&self.key, error))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, SerdeError> {
        let content = self.content.ok_or_else(|| self.key.no_content("a value"))?;
        let read = seed.deserialize(NodeDeserializer::new(content, self.settings));
        read.map_err(|error| Variant::within(&self.key, error))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, SerdeError> {
        let content = self.content.ok_or_else(|| self.key.no_content("a list"))?;
        let read =
            de::Deserializer::deserialize_tuple(NodeDeserializer::new(content, self.settings), len, visitor);
        read.map_err(|error| Variant::within(&self.key, error))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, SerdeError> {
        let content = self.content.ok_or_else(|| self.key.no_content("an object"))?;
        let read = de::Deserializer::deserialize_struct(
            NodeDeserializer::new(content, self.settings),
            "",
            fields,
            visitor,
        );
        read.map_err(|error| Variant::within(&self.key, error))
    }
}

impl Key<'_, '_> {
    #[cold]
    fn no_content(&self, expected: &str) -> SerdeError {
        SerdeError::invalid(format!("expected {expected} for the variant `{}`", self.name())).at(self.place())
    }
}

/// An error about a form that does not match.
#[cold]
pub(super) fn mismatch(found: Unexpected<'_>, expected: &str) -> SerdeError {
    de::Error::invalid_type(found, &expected)
}

/// The place of a name.
pub(super) fn place_of(source: Option<&Arc<Source>>, span: Span) -> Option<Place> {
    node::place(source, span)
}
