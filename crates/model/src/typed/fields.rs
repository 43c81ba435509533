//! The contents of a body as derived code reads them: labels, attributes, blocks, and the rest.
#![allow(
    clippy::option_option,
    reason = "the outer one says whether an error was reported, the inner one is the value"
)]

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;

use hclkit_value::Error;

use super::attribute::{DecodeAttribute, Given};
use super::blocks::{DecodeLabel, label_spec};
use super::{Decode, GivenBlock};
use crate::body::{AttributeList, BlockList, BodyAttribute, Listed};
use crate::messages::{self, Message};
use crate::{Body, Content, Context, Diagnostics, Place, Schema, Spec};
use hclkit_limits::with_room;

/// The contents of a body, from which a [`Decode`] reads its fields. Errors are collected.
#[derive(Debug)]
pub struct Fields<'a> {
    origin: Origin<'a>,
    /// The block of the body, and the number of its labels that are not read as fields.
    block: Option<(&'a GivenBlock<'a>, usize)>,
    schema: &'a Schema,
    pub(super) attributes: &'a AttributeList<'a>,
    pub(super) blocks: &'a BlockList<'a>,
    rest: Option<Body>,
    pub(super) context: &'a Context,
    pub(super) diagnostics: Diagnostics,
}

/// What is decoded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin<'a> {
    Body(&'a Body),
    /// The body of a block.
    Block(&'a GivenBlock<'a>),
}

/// Decodes a body. The result is `None` if it has errors.
pub(super) fn read_body<T: Decode>(
    origin: Origin<'_>,
    block: Option<(&GivenBlock<'_>, usize)>,
    context: &Context,
) -> (Option<T>, Diagnostics) {
    with_room(|| {
        let schema = T::schema();
        let mut found = Diagnostics::new();
        let (listed, rest) = match origin {
            Origin::Block(block) => block.listed(&schema, T::HAS_REST, &mut found),
            Origin::Body(body) if T::HAS_REST => {
                let (listed, rest) = body.listed_partial(&schema, &mut found);
                (listed, Some(rest))
            }
            Origin::Body(body) => (body.listed(&schema, &mut found), None),
        };
        let clean = !found.has_errors();
        let Listed { attributes, blocks } = &listed;
        let mut fields =
            Fields { origin, block, schema: &schema, attributes, blocks, rest, context, diagnostics: found };
        let decoded = T::read(&mut fields).filter(|_| clean);
        (decoded, fields.diagnostics)
    })
}

/// A check of a decoded value, which returns the reason for an error. An owned text may contain the value, so it is
/// not shown if the field is sensitive.
pub type Check<'f, T> = &'f dyn Fn(&T) -> Result<(), Cow<'static, str>>;

/// An attribute that a field is read from.
pub struct Field<'f, T> {
    /// The name.
    pub name: &'f str,
    /// Other names of the attribute.
    pub aliases: &'f [&'f str],
    /// What to use instead, if the attribute is deprecated.
    pub deprecated: Option<&'f str>,
    /// True if the value must not be shown.
    pub sensitive: bool,
    /// True if reading evaluates the expression. Otherwise null is not distinguished from other values.
    pub evaluates: bool,
    /// Reads the value.
    pub decode: &'f dyn Fn(&Given<'_>) -> Result<T, Diagnostics>,
    /// Checks the value.
    pub checks: &'f [Check<'f, T>],
}

impl<'f, T> Field<'f, T> {
    /// The attribute with this name, read according to the type.
    pub fn new(name: &'f str) -> Self
    where
        T: DecodeAttribute,
    {
        Field { evaluates: T::EVALUATES, ..Field::with(name, &T::decode_attribute) }
    }

    /// The attribute with this name, read with a function.
    pub fn with(name: &'f str, decode: &'f dyn Fn(&Given<'_>) -> Result<T, Diagnostics>) -> Self {
        Field { name, aliases: &[], deprecated: None, sensitive: false, evaluates: true, decode, checks: &[] }
    }
}

#[doc(hidden)]
impl<T> fmt::Debug for Field<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'a> Fields<'a> {
    /// The body.
    pub fn body(&self) -> &'a Body {
        match self.origin {
            Origin::Body(body) => body,
            Origin::Block(block) => &block.block().body,
        }
    }

    /// The variables and functions of expressions.
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// Reports diagnostics.
    pub fn add(&mut self, diagnostics: Diagnostics) {
        self.diagnostics.append(diagnostics);
    }

    /// The result, or `None` after its diagnostics have been reported.
    pub fn report<T>(&mut self, result: Result<T, Diagnostics>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(found) => {
                self.diagnostics.append(found);
                None
            }
        }
    }

    /// The place of the header of the block, or the end of the file.
    pub fn place(&self) -> Place {
        match self.block {
            Some((block, _)) => block.place(),
            None => self.body().missing_item(),
        }
    }

    pub(super) fn report_missing(&mut self, message: Message) {
        self.diagnostics.push(message.at(self.body().missing_item()));
    }

    /// A label of the block, by its index.
    pub fn label<T: DecodeLabel>(&mut self, index: usize) -> Option<T> {
        let Some((block, taken)) = self.block else {
            self.report_missing(messages::typed::no_labels_in_file());
            return None;
        };
        self.report(T::decode_label(block, taken + index))
    }

    /// A label of the block that may be missing, by its index. The result is `None` if an error was reported.
    pub fn optional_label<T: DecodeLabel>(&mut self, index: usize) -> Option<Option<T>> {
        match self.block {
            Some((block, taken)) if block.label(taken + index).is_some() => self.label(index).map(Some),
            _ => Some(None),
        }
    }

    /// The fields of another type, if any of its attributes and blocks is in the body. The result is `None` if an error
    /// was reported.
    pub fn flattened_optional<T: Decode>(&mut self) -> Option<Option<T>> {
        let schema = T::schema();
        let is_set = schema.attributes().any(|attribute| self.attributes.get(&attribute.name).is_some())
            || schema
                .blocks()
                .any(|block| self.blocks.indices(|own| own == block.block_type.as_str()).next().is_some());
        if is_set { T::read(self).map(Some) } else { Some(None) }
    }

    /// Calls a function with other content of the same body.
    pub(super) fn with_content<R>(&mut self, content: Content, read: impl FnOnce(&mut Fields<'_>) -> R) -> R {
        let Listed { attributes, blocks } = &content.into();
        let mut fields = Fields {
            origin: self.origin,
            block: self.block,
            schema: self.schema,
            attributes,
            blocks,
            rest: None,
            context: self.context,
            diagnostics: Diagnostics::new(),
        };
        let result = read(&mut fields);
        self.diagnostics.append(fields.diagnostics);
        result
    }

    /// The attribute that is set, by its name or an alias. `None` if an error was reported.
    fn given<T>(&mut self, field: &Field<'_, T>) -> Option<Option<BodyAttribute<'a>>> {
        let mut found = self.attributes.get(field.name);
        for alias in field.aliases {
            let Some(other) = self.attributes.get(alias) else { continue };
            if let Some(first) = found {
                let diagnostic = messages::typed::same_argument(first.name(), other.name())
                    .in_source(other.source(), other.name_span())
                    .with_related(first.source(), first.name_span(), messages::related::FIRST_SET);
                self.diagnostics.push(diagnostic);
                return None;
            }
            found = Some(other);
        }
        if let (Some(attribute), Some(instead)) = (found, field.deprecated) {
            let warning = messages::typed::deprecated(attribute.name(), instead);
            self.diagnostics.push(warning.at(attribute.name_span()).with_source(attribute.source()));
        }
        Some(found)
    }

    /// Reads and checks an attribute that is set.
    fn decode<T>(&mut self, field: &Field<'_, T>, given: &Given<'_>) -> Option<T> {
        let decoded = self.report((field.decode)(given))?;
        for check in field.checks {
            if let Err(message) = check(&decoded) {
                self.diagnostics.append(given.invalid(&Error::new(message)).into());
                return None;
            }
        }
        Some(decoded)
    }

    fn as_given<T>(&self, field: &Field<'_, T>, attribute: BodyAttribute<'a>) -> Given<'a> {
        Given::new(attribute, self.context, field.sensitive)
    }

    /// An attribute that must be set, unless `missing` has a value for it. The result is `None` if an error was
    /// reported.
    pub fn required<T>(&mut self, field: &Field<'_, T>, missing: Option<T>) -> Option<T> {
        let Some(attribute) = self.given(field)? else {
            if missing.is_none()
                && !self.schema.attribute(field.name).is_some_and(|attribute| attribute.required)
            {
                self.report_missing(messages::body::missing_argument(field.name));
            }
            return missing;
        };
        let given = self.as_given(field, attribute);
        self.decode(field, &given)
    }

    /// An attribute that may be missing or null. The result is `None` if an error was reported.
    pub fn optional<T>(&mut self, field: &Field<'_, T>) -> Option<Option<T>> {
        let Some(attribute) = self.given(field)? else { return Some(None) };
        let mut given = self.as_given(field, attribute);
        if field.evaluates && !given.is_scalar() {
            let value = given.value();
            let value = self.report(value)?;
            if value.is_null() {
                return Some(None);
            }
            given.evaluated = Some(value);
        }
        self.decode(field, &given).map(Some)
    }

    /// An attribute with a default, which is used if the attribute is missing or null. The result is `None` if an error
    /// was reported.
    pub fn or_default<T>(
        &mut self,
        field: &Field<'_, T>,
        default: impl FnOnce() -> Result<T, Error>,
    ) -> Option<T> {
        match self.optional(field)? {
            Some(value) => Some(value),
            None => self.default(field.name, default()),
        }
    }

    /// An attribute with a default, which is used if the attribute is missing; null is `None`. The outer result is `None`
    /// if an error was reported.
    pub fn optional_or<T>(
        &mut self,
        field: &Field<'_, T>,
        default: impl FnOnce() -> Result<T, Error>,
    ) -> Option<Option<T>> {
        let names = std::iter::once(&field.name).chain(field.aliases);
        if names.into_iter().any(|name| self.attributes.get(name).is_some()) {
            return self.optional(field);
        }
        self.default(field.name, default()).map(Some)
    }

    /// A default of the wrong type is a bug in the program.
    fn default<T>(&mut self, name: &str, default: Result<T, Error>) -> Option<T> {
        default
            .map_err(|error| {
                self.report_missing(messages::typed::invalid_default(name, &error));
            })
            .ok()
    }

    /// The items of the body that the schema does not name. It is empty unless [`Decode::HAS_REST`].
    pub fn rest(&mut self) -> Body {
        self.rest.take().unwrap_or_else(Body::empty)
    }

    /// The attributes of the body that the schema does not name. Blocks are errors.
    pub fn rest_attributes<C, T>(&mut self) -> Option<C>
    where
        C: FromIterator<(String, T)>,
        T: DecodeAttribute,
    {
        let before = self.diagnostics.mark();
        let rest = self.rest();
        // In the JSON syntax every property can be an attribute.
        let schema =
            rest.items().iter().fold(Schema::new(), |schema, item| schema.with_optional(item.name()));
        let content = rest.content_into(&schema, &mut self.diagnostics);
        let entries: Vec<(String, Option<T>)> = content
            .attributes
            .iter()
            .map(|attribute| {
                let given = Given::new(BodyAttribute::Made(attribute), self.context, false);
                (attribute.name.to_string(), self.report(T::decode_attribute(&given)))
            })
            .collect();
        if self.diagnostics.failed_since(before) {
            return None;
        }
        entries.into_iter().map(|(name, value)| Some((name, value?))).collect()
    }

    /// Decodes another type from the items of the body that the schema does not name.
    pub fn variant<T: Decode>(&mut self) -> Option<T> {
        let rest = self.rest();
        self.diagnostics.absorb(read_body(Origin::Body(&rest), self.block, self.context))
    }

    /// Checks the whole value. An error is reported at [`Fields::place`].
    pub fn checked<T, E: fmt::Display>(
        &mut self,
        value: T,
        check: impl FnOnce(&T) -> Result<(), E>,
    ) -> Option<T> {
        match check(&value) {
            Ok(()) => Some(value),
            Err(error) => {
                let message = match self.block {
                    Some(_) => messages::typed::invalid_block(error),
                    None => messages::typed::invalid_file(error),
                };
                self.diagnostics.push(message.at(self.place()));
                None
            }
        }
    }
}

thread_local! {
    /// The types whose specs are being created.
    static OPEN: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// The spec of a type. In the spec of a type that contains itself, the inner one has only the labels.
pub fn spec_of<T: Decode>(make: impl FnOnce() -> Spec) -> Spec {
    let name = std::any::type_name::<T>();
    if OPEN.with_borrow(|open| open.contains(&name)) {
        let required = T::LABELS.len() - T::OPTIONAL_LABELS;
        let label = |(at, label): (usize, &&'static str)| (*label, label_spec(at, label, at >= required));
        return Spec::object((0..).zip(T::LABELS).map(label));
    }
    OPEN.with_borrow_mut(|open| open.push(name));
    let spec = make();
    OPEN.with_borrow_mut(Vec::pop);
    spec
}

/// The same for an `Option` of a type: none of the attributes and blocks is required.
pub fn flattened_optional(spec: Spec) -> Vec<(hclkit_value::Str, Spec)> {
    let mut all = flattened(spec);
    for (_, spec) in &mut all {
        match spec {
            Spec::Attribute(attribute) => attribute.required = false,
            Spec::Block(block) => block.required = false,
            Spec::BlockList(blocks) | Spec::BlockTuple(blocks) => blocks.min_items = 0,
            _ => {}
        }
    }
    all
}

/// The attributes of a spec of an object, for a type that is flattened into another.
pub fn flattened(spec: Spec) -> Vec<(hclkit_value::Str, Spec)> {
    match spec {
        Spec::Object(object) => object.attributes().to_vec(),
        _ => Vec::new(),
    }
}
