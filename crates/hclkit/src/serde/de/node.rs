//! The nodes that serde reads: expressions, JSON values, bodies, blocks and values. Each is resolved to a form of
//! serde's data model.

use std::borrow::Cow;
use std::collections::HashSet;

use hclkit_limits::with_room;
use hclkit_model::{Block, Expression};
use hclkit_syntax::ast::{
    BlockNode, BodyNode, ExpressionKind, ExpressionNode, LabelNode, ObjectKey, UnaryOperator,
};
use hclkit_syntax::json::{JsonKind, JsonValue};
use hclkit_syntax::{Place, Source, Span};
use hclkit_value::{NotPlain, Number, Plain, Str, Value};

use super::Settings;
use super::access::{Elements, Entries, Entry};
use super::blocks::{self, Item, Items, Queue};
use crate::Body;
use crate::serde::SerdeError;

/// The form that serde requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Any,
    Sequence,
    Map,
    Struct,
}

/// A node that serde reads.
#[derive(Clone)]
pub(super) enum Node<'x, 'de> {
    /// An expression in the native syntax.
    Native(ExpressionNode<'x>),
    /// A value in the JSON syntax: an expression, a block, or several.
    Json(JsonValue<'x>),
    /// The expression of an attribute.
    Expression(&'x Expression),
    /// A part of the value of an expression, and the place of the expression.
    Value(&'x Value, &'x Place),
    /// A part of a value that the caller owns.
    Input(&'de Value),

    /// The body of a file.
    Body(&'x Body),
    /// The body of a block.
    BlockBody(BodyNode<'x>),
    /// The blocks of a type.
    Blocks(Items<'x>),
    /// The first of these blocks.
    Next(Queue<'x>),
}

/// A node in serde's data model.
pub(super) enum Form<'y, 'de> {
    Null,
    Bool(bool),
    Number(Cow<'y, Number>),
    Text(Text<'y, 'de>),
    Sequence(Elements<'y, 'de>),
    Map(Entries<'y, 'de>),
    /// An unknown value, or one with marks.
    NotPlain(NotPlain),
}

/// A string.
pub(super) enum Text<'y, 'de> {
    Input(&'de str),
    Other(Cow<'y, str>),
}

impl Text<'_, '_> {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Text::Input(text) => text,
            Text::Other(text) => text,
        }
    }
}

/// The place of a node, which is computed only if there is an error.
#[derive(Clone, Copy)]
pub(super) enum Spot<'x> {
    Native(ExpressionNode<'x>),
    Expression(&'x Expression),
    Json(JsonValue<'x>),
    Body(&'x Body),
    BlockBody(BodyNode<'x>),
    /// The type and the labels of a block.
    Block(BlockNode<'x>),
    Generated(&'x Block),
    JsonBlock(JsonValue<'x>),
    Unknown,
}

impl Spot<'_> {
    pub(super) fn place(&self) -> Option<Place> {
        Some(match self {
            Spot::Native(node) => Place::new(node.document().shared_source(), node.span()),
            Spot::Expression(expression) => expression.place(),
            Spot::Json(value) | Spot::JsonBlock(value) => {
                Place::new(value.document().shared_source(), value.start_span())
            }
            Spot::Body(_) | Spot::BlockBody(_) => return self.missing_item(),
            Spot::Block(block) => {
                let end = block.labels().last().map(LabelNode::span);
                let span = end.map_or(block.type_span(), |end| block.type_span().cover(end));
                Place::new(block.document().shared_source(), span)
            }
            Spot::Generated(block) => block.definition_place(),
            Spot::Unknown => return None,
        })
    }

    /// The place where missing arguments would be added.
    pub(super) fn missing_item(&self) -> Option<Place> {
        Some(match self {
            Spot::Body(body) => body.missing_item(),
            Spot::BlockBody(body) => Body::from_ast(*body).missing_item(),
            Spot::Block(block) => Body::from_ast(block.body()).missing_item(),
            Spot::Generated(block) => block.body.missing_item(),
            Spot::Json(value) | Spot::JsonBlock(value) => Body::from_json(*value).missing_item(),
            Spot::Native(_) | Spot::Expression(_) | Spot::Unknown => return None,
        })
    }

    /// The place of an error in the node whose path starts here.
    #[cold]
    pub(super) fn attach(&self, error: SerdeError) -> SerdeError {
        if error.has_place() {
            return error;
        }
        let place = match self {
            Spot::Native(node) => Some(Expression::from_ast(*node).place_of(&error.path())),
            Spot::Expression(expression) => Some(expression.place_of(&error.path())),
            // Other errors are about the block as a whole.
            Spot::BlockBody(_) if !error.is_missing() => return error,
            Spot::Json(value) if !error.is_missing() => {
                Some(Expression::from_json(*value).place_of(&error.path()))
            }
            spot if error.is_missing() => spot.missing_item(),
            spot => spot.place(),
        };
        error.at(place)
    }
}

impl<'x, 'de> Node<'x, 'de> {
    pub(super) fn spot(&self) -> Spot<'x> {
        match self {
            Node::Native(node) => Spot::Native(*node),
            Node::Json(value) => Spot::Json(*value),
            Node::Expression(expression) => Spot::Expression(expression),
            Node::Value(..) | Node::Input(_) => Spot::Unknown,
            Node::Body(body) => Spot::Body(body),
            Node::BlockBody(body) => Spot::BlockBody(*body),
            Node::Blocks(items) => items.front().map_or(Spot::Unknown, Item::spot),
            Node::Next(queue) => queue.borrow().front().map_or(Spot::Unknown, Item::spot),
        }
    }

    /// The place for a [`Spanned`](crate::Spanned).
    pub(super) fn place(&self) -> Place {
        match self {
            Node::Value(_, place) => (*place).clone(),
            Node::Json(value) => Place::new(value.document().shared_source(), value.span()),
            node => node.spot().place().unwrap_or_else(Place::nowhere),
        }
    }

    /// The value of an expression.
    pub(super) fn value(&self, settings: &Settings<'de>) -> Result<Option<Value>, SerdeError> {
        let evaluated = match self {
            Node::Native(node) => Expression::from_ast(*node).evaluate(&settings.context),
            Node::Json(value) => Expression::from_json(*value).evaluate(&settings.context),
            Node::Expression(expression) => expression.evaluate(&settings.context),
            Node::Value(value, _) => return Ok(Some((*value).clone())),
            Node::Input(value) => return Ok(Some((*value).clone())),
            _ => return Ok(None),
        };
        Ok(Some(evaluated?))
    }

    /// Passes the form of the node to a function. Errors get their place.
    pub(super) fn resolve<R>(
        self,
        shape: Shape,
        settings: &Settings<'de>,
        then: impl for<'y> FnOnce(Form<'y, 'de>, &'y Settings<'de>) -> Result<R, SerdeError>,
    ) -> Result<R, SerdeError> {
        let (mut held, mut spots) = (Held::Nothing, Spots::default());
        let form = match self.form(shape, settings, &mut held, &mut spots) {
            Ok(form) => form,
            Err(error) => return Err(spots.attach(error)),
        };
        let read = match form {
            Form::Sequence(_) | Form::Map(_) => with_room(|| then(form, settings)),
            form => then(form, settings),
        };
        read.map_err(|error| spots.attach(error))
    }

    /// The form of the node. It is not generic, so that it is compiled once, not for each type that is read.
    fn form<'y>(
        self,
        shape: Shape,
        settings: &Settings<'de>,
        held: &'y mut Held,
        spots: &mut Spots<'x>,
    ) -> Result<Form<'y, 'de>, SerdeError>
    where
        'x: 'y,
    {
        let mut node = self;
        loop {
            if !matches!(node, Node::Next(_)) {
                spots.enter(node.spot());
            }
            let resolved = match node {
                Node::Native(node) => {
                    let form = native(node, settings);
                    return form.map_or_else(|| evaluated(&Expression::from_ast(node), settings, held), Ok);
                }
                Node::Json(value) => json(value, shape, settings)?,
                Node::Expression(expression) => return evaluated(expression, settings, held),
                Node::Value(value, place) => return Ok(of_value(value, place)),
                Node::Input(value) => return Ok(of_input(value)),
                Node::Body(body) => {
                    *held = Held::Generated(blocks::generated(body)?);
                    let Held::Generated(generated) = held else { unreachable!("it was just set") };
                    return blocks::body(body, generated);
                }
                Node::BlockBody(node) => return blocks::entries_of(node),
                Node::Blocks(items) => blocks::resolve(items, shape)?,
                Node::Next(queue) => {
                    let next = blocks::next(&queue);
                    Resolved::Node(next.ok_or_else(|| SerdeError::invalid("expected a block"))?)
                }
            };
            match resolved {
                Resolved::Form(form) => return Ok(form),
                Resolved::Labels(entries) => {
                    spots.in_labels = true;
                    return Ok(Form::Map(Entries::Known(entries.into_iter())));
                }
                Resolved::Evaluated(expression) => return evaluated(&expression, settings, held),
                Resolved::Node(next) => node = next,
            }
        }
    }
}

/// What a node is resolved to. The lifetime of a queue cannot become shorter, so that nodes have one of their own.
pub(super) enum Resolved<'x, 'y, 'de> {
    Form(Form<'y, 'de>),
    /// A map from labels to blocks.
    Labels(Vec<Entry<'y, 'de>>),
    /// The value of an expression.
    Evaluated(Expression),
    Node(Node<'x, 'de>),
}

/// What a form borrows, beside parts of its node.
enum Held {
    Nothing,
    /// The value of an expression, and its place.
    Value(Value, Place),
    /// The content that dynamic blocks generated.
    Generated(Vec<blocks::Generated>),
}

/// The places of errors in a form: of its node, and of the nodes that the node was resolved to.
#[derive(Default)]
struct Spots<'x> {
    first: Option<Spot<'x>>,
    second: Option<Spot<'x>>,
    /// More are rare, so that usually nothing is allocated.
    inner: Vec<Spot<'x>>,
    /// The form is a map from labels.
    in_labels: bool,
}

impl<'x> Spots<'x> {
    fn enter(&mut self, spot: Spot<'x>) {
        match (&self.first, &self.second) {
            (None, _) => self.first = Some(spot),
            (_, None) => self.second = Some(spot),
            _ => self.inner.push(spot),
        }
    }

    #[cold]
    fn attach(&self, error: SerdeError) -> SerdeError {
        let error = if self.in_labels { error.in_labels() } else { error };
        let spots = self.inner.iter().rev().chain(&self.second).chain(&self.first);
        spots.fold(error, |error, spot| spot.attach(error))
    }
}

/// Evaluates an expression.
fn evaluated<'y, 'de>(
    expression: &Expression,
    settings: &Settings<'de>,
    held: &'y mut Held,
) -> Result<Form<'y, 'de>, SerdeError> {
    *held = Held::Value(expression.evaluate(&settings.context)?, expression.place());
    match held {
        Held::Value(value, place) => Ok(of_value(value, place)),
        _ => unreachable!("it was just set"),
    }
}

/// The form of a literal, or `None` if the expression must be evaluated.
fn native<'y, 'de>(node: ExpressionNode<'y>, settings: &Settings<'de>) -> Option<Form<'y, 'de>> {
    let node = node.without_parens();
    Some(match node.kind() {
        ExpressionKind::Null => Form::Null,
        ExpressionKind::Bool(flag) => Form::Bool(flag),
        ExpressionKind::Number(_) => Form::Number(Cow::Owned(node.number_text()?.parse().ok()?)),
        ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => match operand.kind() {
            ExpressionKind::Number(text) => Form::Number(Cow::Owned(text.parse::<Number>().ok()?.negate())),
            _ => return None,
        },
        ExpressionKind::Template(template) => {
            Form::Text(settings.text(template.as_literal()?, node.document().source()))
        }
        ExpressionKind::Tuple => Form::Sequence(Elements::Native(node.elements())),
        ExpressionKind::Object => Form::Map(Entries::Known(literal_items(node)?.into_iter())),
        _ => return None,
    })
}

/// The items of an object whose keys are names and strings without duplicates.
fn literal_items<'x, 'de>(node: ExpressionNode<'x>) -> Option<Vec<Entry<'x, 'de>>> {
    let mut entries: Vec<Entry<'x, 'de>> = Vec::new();
    for item in node.items() {
        let name = match item.key() {
            ObjectKey::Name(name) => Cow::Borrowed(name.text),
            ObjectKey::Expression(key) => match key.kind() {
                ExpressionKind::Template(template) => template.as_literal()?,
                _ => return None,
            },
        };
        let name = normalized(name);
        let (source, span) = (node.document().shared_source(), item.key_span());
        entries.push(Entry { name, source: Some(source), span, node: Node::Native(item.value()) });
    }
    distinct(&entries).then_some(entries)
}

/// Returns true if the names are unique.
pub(super) fn distinct(entries: &[Entry<'_, '_>]) -> bool {
    if entries.len() <= 8 {
        return entries
            .iter()
            .enumerate()
            .all(|(at, entry)| entries[..at].iter().all(|other| other.name != entry.name));
    }
    let mut seen = HashSet::with_capacity(entries.len());
    entries.iter().all(|entry| seen.insert(&*entry.name))
}

/// Strings of HCL are normalized.
fn normalized(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.is_ascii() {
        return text;
    }
    let normalized = Str::from(&*text);
    if normalized.as_str() == text { text } else { Cow::Owned(normalized.as_str().to_owned()) }
}

impl<'de> Settings<'de> {
    /// A string of a source. It is borrowed from the input if it occurs there unchanged.
    fn text<'y>(&self, text: Cow<'y, str>, source: &Source) -> Text<'y, 'de> {
        let text = normalized(text);
        let Cow::Borrowed(written) = text else { return Text::Other(text) };
        let offset = (written.as_ptr() as usize).checked_sub(source.text().as_ptr() as usize);
        let own = |offset: usize| self.input?.get(offset..offset.checked_add(written.len())?);
        match offset.and_then(own) {
            Some(input) if input == written => Text::Input(input),
            _ => Text::Other(text),
        }
    }
}

fn json<'x: 'y, 'y, 'de>(
    value: JsonValue<'x>,
    shape: Shape,
    settings: &Settings<'de>,
) -> Result<Resolved<'x, 'y, 'de>, SerdeError> {
    let as_blocks = || blocks::resolve(Items::from([Item::Json(value)]), shape);
    let form = match value.kind() {
        JsonKind::Null | JsonKind::Missing => Some(Form::Null),
        JsonKind::Bool(flag) => Some(Form::Bool(flag)),
        JsonKind::Number(text) => text.parse().ok().map(|number| Form::Number(Cow::Owned(number))),
        JsonKind::String(string) => {
            let text = string.value();
            let is_literal = !settings.is_template(&text);
            is_literal.then(|| Form::Text(settings.text(text, value.document().source())))
        }
        // A sequence of one block, or a map from blocks.
        JsonKind::Object(_) if shape == Shape::Sequence => return as_blocks(),
        JsonKind::Array(_) if matches!(shape, Shape::Map | Shape::Struct) => return as_blocks(),
        JsonKind::Array(array) => Some(Form::Sequence(Elements::Json(array.elements()))),
        JsonKind::Object(object) => json_entries(object.value(), shape, settings)
            .map(|entries| Form::Map(Entries::Known(entries.into_iter()))),
    };
    Ok(form.map_or_else(|| Resolved::Evaluated(Expression::from_json(value)), Resolved::Form))
}

/// The properties of an object, unless their names must be evaluated or are not unique. In a struct, `//` is a
/// comment.
fn json_entries<'x, 'de>(
    object: JsonValue<'x>,
    shape: Shape,
    settings: &Settings<'de>,
) -> Option<Vec<Entry<'x, 'de>>> {
    let mut entries = Vec::new();
    for property in object.properties() {
        let name = property.name().value();
        if shape == Shape::Struct && name == "//" {
            continue;
        }
        if settings.is_template(&name) {
            return None;
        }
        entries.push(Entry {
            name: normalized(name),
            source: Some(object.document().shared_source()),
            span: property.name_span(),
            node: Node::Json(property.value()),
        });
    }
    distinct(&entries).then_some(entries)
}

fn of_value<'y, 'de>(value: &'y Value, place: &'y Place) -> Form<'y, 'de> {
    match value.plain() {
        Ok(Plain::Null) => Form::Null,
        Ok(Plain::Bool(flag)) => Form::Bool(flag),
        Ok(Plain::Number(number)) => Form::Number(Cow::Borrowed(number)),
        Ok(Plain::String(text)) => Form::Text(Text::Other(Cow::Borrowed(text.as_str()))),
        Ok(Plain::Sequence(items)) => Form::Sequence(Elements::Values(items.iter(), place)),
        Ok(Plain::Map(entries)) => Form::Map(Entries::Values(entries, place)),
        Err(what) => Form::NotPlain(what),
    }
}

fn of_input<'y>(value: &Value) -> Form<'y, '_> {
    match value.plain() {
        Ok(Plain::Null) => Form::Null,
        Ok(Plain::Bool(flag)) => Form::Bool(flag),
        Ok(Plain::Number(number)) => Form::Number(Cow::Owned(number.clone())),
        Ok(Plain::String(text)) => Form::Text(Text::Input(text.as_str())),
        Ok(Plain::Sequence(items)) => Form::Sequence(Elements::Input(items.iter())),
        Ok(Plain::Map(entries)) => Form::Map(Entries::Input(entries)),
        Err(what) => Form::NotPlain(what),
    }
}

/// A span in a source, as a place.
pub(super) fn place(source: Option<&std::sync::Arc<Source>>, span: Span) -> Option<Place> {
    source.map(|source| Place::new(source, span))
}
