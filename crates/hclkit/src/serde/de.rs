//! Reading with serde: [`Deserializer`], and the deserializers of all parts. `de/node.rs` resolves each part to a form
//! of serde's data model; `de/blocks.rs` does so for bodies and blocks.

/// The methods for all types of numbers, by a method `number` of the deserializer.
macro_rules! numbers {
    () => {
        numbers! {
            deserialize_i8, visit_i8, i8;
            deserialize_i16, visit_i16, i16;
            deserialize_i32, visit_i32, i32;
            deserialize_i64, visit_i64, i64;
            deserialize_i128, visit_i128, i128;
            deserialize_u8, visit_u8, u8;
            deserialize_u16, visit_u16, u16;
            deserialize_u32, visit_u32, u32;
            deserialize_u64, visit_u64, u64;
            deserialize_u128, visit_u128, u128;
            deserialize_f32, visit_f32, f32;
            deserialize_f64, visit_f64, f64;
        }
    };
    ($($method:ident, $visit:ident, $ty:ty;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
            self.number(|number: $ty| visitor.$visit(number))
        }
    )*};
}

mod access;
mod blocks;
mod key;
mod node;

use std::cell::RefCell;
use std::rc::Rc;

use hclkit_model::serde::names::{BODY, EXPRESSION, SPANNED};
use hclkit_model::{Context, Expression};
use hclkit_syntax::Source;
use hclkit_value::serde::handover::{VALUE, hand_over};
use hclkit_value::{FromValue, NotPlain, Number, Value};
use serde_core::de::{self, Unexpected, Visitor};

use self::access::{Map, Sequence, Variant, mismatch};
use self::blocks::{Item, Items};
use self::key::Key;
use self::node::{Form, Node, Shape, Text};
use super::SerdeError;
use super::labeled::label_count;
use crate::Body;

/// Reads a body or a value with serde.
///
/// [`from_str`](super::from_str) and similar functions are shorter. With a deserializer, texts can use variables and
/// functions:
///
/// ```
/// use hclkit::Context;
/// use hclkit::serde::Deserializer;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Config {
///     address: String,
/// }
///
/// let context = Context::new().with("port", 80);
/// let deserializer = Deserializer::from_str("address = \"localhost:${port}\"\n")?.with_context(context);
/// assert_eq!(Config::deserialize(deserializer)?.address, "localhost:80");
/// # Ok::<(), hclkit::serde::SerdeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Deserializer<'de> {
    root: Root<'de>,
    settings: Settings<'de>,
}

#[derive(Debug, Clone)]
enum Root<'de> {
    Body(Body),
    Expression(Expression),
    Value(&'de Value),
}

/// The variables and functions that expressions can use, and the text that strings can be borrowed from.
#[derive(Debug, Clone, Default)]
struct Settings<'de> {
    context: Context,
    input: Option<&'de str>,
}

impl Settings<'_> {
    /// Returns true if a string of the JSON syntax has to be evaluated.
    fn is_template(&self, text: &str) -> bool {
        (text.contains("${") || text.contains("%{")) && !self.context.allows_nothing()
    }
}

impl<'de> Deserializer<'de> {
    /// Reads text in the native syntax. Strings without escape sequences can be borrowed from it.
    ///
    /// # Errors
    /// The text has syntax errors.
    #[allow(clippy::should_implement_trait, reason = "as in `serde_json`")]
    pub fn from_str(text: &'de str) -> Result<Self, SerdeError> {
        let mut deserializer = Deserializer::from_source(Source::new("", text))?;
        deserializer.settings.input = Some(text);
        Ok(deserializer)
    }

    /// Reads a source, in the JSON syntax if its name ends in `.json`.
    ///
    /// # Errors
    /// The source has syntax errors.
    #[doc(hidden)]
    pub fn from_source(source: Source) -> Result<Self, SerdeError> {
        let (body, found) = Body::parse(source);
        if found.has_errors() { Err(found.into()) } else { Ok(Deserializer::from_body(body)) }
    }

    /// Reads a body: of a file in either syntax, or of several merged files.
    pub fn from_body(body: Body) -> Self {
        Deserializer { root: Root::Body(body), settings: Settings::default() }
    }

    /// Reads the value of an expression, such as that of an attribute.
    #[doc(hidden)]
    pub fn from_expression(expression: Expression) -> Self {
        Deserializer { root: Root::Expression(expression), settings: Settings::default() }
    }

    /// Reads a value. Strings can be borrowed from it.
    pub fn from_value(value: &'de Value) -> Self {
        Deserializer { root: Root::Value(value), settings: Settings::default() }
    }

    /// Sets the variables and functions that expressions can use.
    #[must_use]
    pub fn with_context(mut self, context: Context) -> Self {
        self.settings.context = context;
        self
    }

    fn read<R>(
        &self,
        read: impl FnOnce(NodeDeserializer<'_, 'de>) -> Result<R, SerdeError>,
    ) -> Result<R, SerdeError> {
        let node = match &self.root {
            Root::Body(body) => Node::Body(body),
            Root::Expression(expression) => Node::Expression(expression),
            Root::Value(value) => Node::Input(value),
        };
        read(NodeDeserializer::new(node, &self.settings))
    }
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $ty:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self $(, $argument: $ty)*, visitor: V) -> Result<V::Value, SerdeError> {
            self.read(|part| part.$method($($argument,)* visitor))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Deserializer<'de> {
    type Error = SerdeError;

    forward! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }
}

impl<'de> de::IntoDeserializer<'de, SerdeError> for Deserializer<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// A part of the data to read.
struct NodeDeserializer<'x, 'de> {
    node: Node<'x, 'de>,
    settings: &'x Settings<'de>,
}

impl<'x, 'de> NodeDeserializer<'x, 'de> {
    fn new(node: Node<'x, 'de>, settings: &'x Settings<'de>) -> Self {
        NodeDeserializer { node, settings }
    }

    fn resolve<R>(
        self,
        shape: Shape,
        then: impl for<'y> FnOnce(Form<'y, 'de>, &'y Settings<'de>) -> Result<R, SerdeError>,
    ) -> Result<R, SerdeError> {
        self.node.resolve(shape, self.settings, then)
    }

    fn text<R>(self, then: impl FnOnce(Text<'_, 'de>) -> Result<R, SerdeError>) -> Result<R, SerdeError> {
        self.resolve(Shape::Any, |form, _| match form {
            Form::Text(text) => then(text),
            Form::Number(number) => then(Text::Other(number.to_string().into())),
            Form::Bool(flag) => then(Text::Other(if flag { "true" } else { "false" }.into())),
            form => Err(mismatch(form.unexpected(), "a string")),
        })
    }

    /// A number of a type, also from a string.
    fn number<T: FromValue, R>(self, then: impl FnOnce(T) -> Result<R, SerdeError>) -> Result<R, SerdeError> {
        self.resolve(Shape::Any, |form, _| {
            let number = match form {
                Form::Number(number) => number.into_owned(),
                Form::Text(text) => match text.as_str().parse::<Number>() {
                    Ok(number) => number,
                    Err(_) => return Err(mismatch(Unexpected::Str(""), "a number")),
                },
                form => return Err(mismatch(form.unexpected(), "a number")),
            };
            then(T::from_value(&Value::from(number))?)
        })
    }

    /// The content of a newtype that represents something outside of serde's data model.
    fn newtype<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, SerdeError> {
        match name {
            SPANNED => hand_over(self.node.place()),
            VALUE => {
                if let Some(value) = self.node.value(self.settings)? {
                    hand_over(value);
                }
            }
            EXPRESSION => match &self.node {
                Node::Native(node) => hand_over(Expression::from_ast(*node)),
                Node::Json(value) => hand_over(Expression::from_json(*value)),
                Node::Expression(expression) => hand_over((*expression).clone()),
                node => return Err(SerdeError::invalid("expected an expression").at(Some(node.place()))),
            },
            BODY => hand_over(self.body()?),
            _ => {
                if let Some(count) = label_count(name) {
                    return self.labeled(count, visitor);
                }
            }
        }
        visitor.visit_newtype_struct(self)
    }

    /// The blocks, if the part consists of blocks.
    fn queue(&self) -> Option<blocks::Queue<'x>> {
        match &self.node {
            Node::Blocks(items) => Some(Rc::new(RefCell::new(items.clone()))),
            Node::Json(value) => Some(Rc::new(RefCell::new(Items::from([Item::Json(*value)])))),
            Node::Next(queue) => Some(queue.clone()),
            _ => None,
        }
    }

    fn body(&self) -> Result<Body, SerdeError> {
        if let Node::Body(body) = &self.node {
            return Ok((*body).clone());
        }
        let no_block = || SerdeError::invalid("expected a block").at(Some(self.node.place()));
        let queue = self.queue().ok_or_else(no_block)?;
        let block = blocks::next_labeled(&queue, 0)?;
        self.only(&queue)?;
        Ok(match block.body {
            Item::Native(block, _) => Body::from_ast(block.body()),
            Item::Made(block, _) => block.body.clone(),
            Item::Json(value) | Item::JsonBody(_, value) => Body::from_json(value),
        })
    }

    /// Reports a second block, unless the part is an element of a sequence.
    fn only(&self, queue: &blocks::Queue<'x>) -> Result<(), SerdeError> {
        if !matches!(self.node, Node::Next(_))
            && let Some(second) = queue.borrow().front()
        {
            return Err(blocks::second(second));
        }
        Ok(())
    }

    /// A block with its labels.
    fn labeled<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, SerdeError> {
        let Some(queue) = self.queue() else { return self.labeled_value(count, visitor) };
        let block = blocks::next_labeled(&queue, count)?;
        self.only(&queue)?;
        let labels = block
            .labels
            .into_iter()
            .map(|label| Key::new(label.text, Some(label.source), label.span))
            .collect();
        visitor.visit_seq(LabelsAndBody {
            labels: Some(labels),
            body: Some(block.body.body()),
            settings: self.settings,
        })
    }

    /// A block as a value: objects whose only attributes are the labels.
    fn labeled_value<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, SerdeError> {
        let no_block = || SerdeError::invalid("expected a block").at(Some(self.node.place()));
        let place = self.node.place();
        let value = self.node.value(self.settings)?.ok_or_else(no_block)?;
        let (mut body, mut labels) = (&value, Vec::with_capacity(count));
        for _ in 0..count {
            let mut entries = body.entries().ok_or_else(no_block)?;
            let (Some((label, inner)), None) = (entries.next(), entries.next()) else {
                return Err(no_block());
            };
            labels.push(Key::of_value(label.as_str(), &place));
            body = inner;
        }
        let body = Some(Node::Value(body, &place));
        visitor.visit_seq(LabelsAndBody { labels: Some(labels), body, settings: self.settings })
    }
}

/// The labels of a block, and then its body.
struct LabelsAndBody<'x, 'de> {
    labels: Option<Vec<Key<'x, 'de>>>,
    body: Option<Node<'x, 'de>>,
    settings: &'x Settings<'de>,
}

impl<'de> de::SeqAccess<'de> for LabelsAndBody<'_, 'de> {
    type Error = SerdeError;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, SerdeError> {
        if let Some(labels) = self.labels.take() {
            return seed.deserialize(de::value::SeqDeserializer::new(labels.into_iter())).map(Some);
        }
        match self.body.take() {
            Some(body) => seed.deserialize(NodeDeserializer::new(body, self.settings)).map(Some),
            None => Ok(None),
        }
    }
}

impl<'de> de::IntoDeserializer<'de, SerdeError> for Key<'_, 'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Text<'_, 'de> {
    fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        match self {
            Text::Input(text) => visitor.visit_borrowed_str(text),
            Text::Other(std::borrow::Cow::Borrowed(text)) => visitor.visit_str(text),
            Text::Other(std::borrow::Cow::Owned(text)) => visitor.visit_string(text),
        }
    }
}

impl<'y, 'de> Form<'y, 'de> {
    fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Form::Null => Unexpected::Unit,
            Form::Bool(flag) => Unexpected::Bool(*flag),
            Form::Number(_) => Unexpected::Other("a number"),
            Form::Text(text) => Unexpected::Str(text.as_str()),
            Form::Sequence(_) => Unexpected::Seq,
            Form::Map(_) => Unexpected::Map,
            Form::NotPlain(NotPlain::Unknown) => Unexpected::Other("an unknown value"),
            Form::NotPlain(NotPlain::Marked) => Unexpected::Other("a marked value"),
            Form::NotPlain(NotPlain::Infinity) => Unexpected::Other("an infinity"),
            Form::NotPlain(_) => Unexpected::Other("a capsule"),
        }
    }

    fn visit<V: Visitor<'de>>(self, settings: &'y Settings<'de>, visitor: V) -> Result<V::Value, SerdeError> {
        match self {
            Form::Null => visitor.visit_unit(),
            Form::Bool(flag) => visitor.visit_bool(flag),
            Form::Number(number) => visit_number(&number, visitor),
            Form::Text(text) => text.visit(visitor),
            Form::Sequence(elements) => visitor.visit_seq(&mut Sequence::new(elements, settings)),
            Form::Map(entries) => Map::visit(entries, settings, visitor),
            form @ Form::NotPlain(_) => Err(mismatch(form.unexpected(), "a known value without marks")),
        }
    }
}

/// Visits a number as an integer if it is one, and otherwise as the nearest float.
fn visit_number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, SerdeError> {
    // The error if the number is too large.
    let float = || Ok::<_, SerdeError>(f64::from_value(&Value::from(number.clone()))?);
    if let Some(integer) = number.to_u64() {
        visitor.visit_u64(integer)
    } else if let Some(integer) = number.to_i64() {
        visitor.visit_i64(integer)
    } else if !number.is_integer() || number.is_infinite() {
        visitor.visit_f64(float()?)
    } else if let Some(integer) = number.to_u128() {
        visitor.visit_u128(integer)
    } else if let Some(integer) = number.to_i128() {
        visitor.visit_i128(integer)
    } else {
        visitor.visit_f64(float()?)
    }
}

impl<'de> de::Deserializer<'de> for NodeDeserializer<'_, 'de> {
    type Error = SerdeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        self.resolve(Shape::Any, |form, settings| form.visit(settings, visitor))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        self.resolve(Shape::Any, |form, _| match &form {
            Form::Bool(flag) => visitor.visit_bool(*flag),
            Form::Text(text) if text.as_str() == "true" => visitor.visit_bool(true),
            Form::Text(text) if text.as_str() == "false" => visitor.visit_bool(false),
            form => Err(mismatch(form.unexpected(), "a bool")),
        })
    }

    numbers!();

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        self.text(|text| text.visit(visitor))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        self.text(|text| text.visit(visitor))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        self.text(|text| text.visit(visitor))
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        self.resolve(Shape::Any, |form, settings| match form {
            Form::Text(Text::Input(text)) => visitor.visit_borrowed_bytes(text.as_bytes()),
            Form::Text(text) => visitor.visit_bytes(text.as_str().as_bytes()),
            Form::Sequence(elements) => visitor.visit_seq(&mut Sequence::new(elements, settings)),
            form => Err(mismatch(form.unexpected(), "a string or a list of bytes")),
        })
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        let null = match &self.node {
            Node::Native(node) => match node.without_parens().kind() {
                hclkit_syntax::ast::ExpressionKind::Null => true,
                kind if is_literal(&kind) => false,
                _ => return self.evaluated_option(visitor),
            },
            Node::Json(value) if value.is_string() => return self.evaluated_option(visitor),
            Node::Json(value) => value.is_null(),
            Node::Expression(_) => return self.evaluated_option(visitor),
            Node::Value(value, _) => value.is_null(),
            Node::Input(value) => value.is_null(),
            Node::Body(_) | Node::BlockBody(_) | Node::Blocks(_) | Node::Next(_) => false,
        };
        if null { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        self.resolve(Shape::Struct, |form, _| {
            let empty = match form {
                Form::Null => true,
                Form::Map(mut entries) => entries.is_empty(),
                Form::Sequence(mut elements) => elements.is_empty(),
                form => return Err(mismatch(form.unexpected(), "null")),
            };
            if empty { visitor.visit_unit() } else { Err(SerdeError::invalid("expected no content")) }
        })
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, SerdeError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, SerdeError> {
        if name.starts_with('$') { self.newtype(name, visitor) } else { visitor.visit_newtype_struct(self) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        self.resolve(Shape::Sequence, |form, settings| match form {
            Form::Sequence(elements) => visitor.visit_seq(&mut Sequence::new(elements, settings)),
            form => Err(mismatch(form.unexpected(), "a list")),
        })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, SerdeError> {
        self.resolve(Shape::Sequence, |form, settings| match form {
            Form::Sequence(elements) => {
                let mut sequence = Sequence::new(elements, settings);
                let read = visitor.visit_seq(&mut sequence)?;
                sequence.finish(len)?;
                Ok(read)
            }
            form => Err(mismatch(form.unexpected(), "a list")),
        })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, SerdeError> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        self.resolve(Shape::Map, |form, settings| match form {
            Form::Map(entries) => Map::visit(entries, settings, visitor),
            form => Err(mismatch(form.unexpected(), "an object")),
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, SerdeError> {
        self.resolve(Shape::Struct, |form, settings| match form {
            Form::Map(entries) => Map::visit(entries, settings, visitor),
            Form::Sequence(elements) => visitor.visit_seq(&mut Sequence::new(elements, settings)),
            form => Err(mismatch(form.unexpected(), "an object")),
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, SerdeError> {
        let place = self.node.spot();
        self.resolve(Shape::Struct, |form, settings| match form {
            Form::Text(text) => {
                let key = Key::placed(text.as_str().to_owned().into(), place.place());
                visitor.visit_enum(Variant::unit(key, settings))
            }
            Form::Map(entries) => visitor.visit_enum(Variant::of(entries, settings, variants)?),
            form => Err(mismatch(form.unexpected(), "a string or an object with one attribute")),
        })
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        self.text(|text| text.visit(visitor))
    }

    /// Ignored parts are not evaluated.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        if let Node::Next(queue) = &self.node {
            blocks::next(queue);
        }
        visitor.visit_unit()
    }
}

/// Returns true for expressions whose value is not null, without evaluation.
fn is_literal(kind: &hclkit_syntax::ast::ExpressionKind<'_>) -> bool {
    use hclkit_syntax::ast::ExpressionKind as E;
    match kind {
        E::Bool(_) | E::Number(_) | E::Tuple | E::Object => true,
        E::Template(template) => template.as_unwrapped().is_none(),
        _ => false,
    }
}

impl<'de> NodeDeserializer<'_, 'de> {
    /// An `Option` of an expression whose value may be null.
    fn evaluated_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SerdeError> {
        let spot = self.node.spot();
        let place = self.node.place();
        match self.node.value(self.settings)? {
            Some(value) if value.is_null() => visitor.visit_none(),
            Some(value) => {
                let part = NodeDeserializer::new(Node::Value(&value, &place), self.settings);
                visitor.visit_some(part).map_err(|error| spot.attach(error))
            }
            None => visitor.visit_some(self),
        }
    }
}
