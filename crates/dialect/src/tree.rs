//! Blocks and attributes of a file in either syntax. In the JSON syntax, the table of the language says which properties are
//! blocks; an object in a block that a provider defines is an attribute, because only the provider knows.

use std::borrow::Cow;

use hclkit_syntax::ast::{BlockNode, BodyNode, ExpressionNode, Item, LabelNode};
use hclkit_syntax::json::JsonValue;
use hclkit_syntax::{Document, Span};

use crate::{Dialect, Strings};

/// The content of a file or a block.
#[derive(Debug, Default)]
pub struct Body<'d> {
    pub attributes: Vec<Attribute<'d>>,
    pub blocks: Vec<Block<'d>>,
}

/// An attribute.
#[derive(Debug, Clone)]
pub struct Attribute<'d> {
    pub name: Cow<'d, str>,
    /// The name, in the JSON syntax with its quotes.
    pub name_span: Span,
    pub span: Span,
    pub value: Node<'d>,
}

/// A block.
#[derive(Debug)]
pub struct Block<'d> {
    pub block_type: Cow<'d, str>,
    pub labels: Vec<Cow<'d, str>>,
    /// The labels with their quotes.
    pub label_spans: Vec<Span>,
    pub span: Span,
    /// The part before its content.
    pub head: Span,
    pub comment: Option<String>,
    pub body: Body<'d>,
    /// The same content for schemas.
    pub model: hclkit_model::Body,
}

/// A value in either syntax.
#[derive(Debug, Clone, Copy)]
pub enum Node<'d> {
    Native(ExpressionNode<'d>),
    /// A value, and how its strings are read.
    Json(JsonValue<'d>, Strings),
}

impl<'d> Node<'d> {
    /// The place of the value.
    pub fn span(self) -> Span {
        match self {
            Self::Native(node) => node.span(),
            Self::Json(value, _) => value.span(),
        }
    }

    /// The source of the value.
    pub fn text(self) -> &'d str {
        match self {
            Self::Native(node) => node.text(),
            Self::Json(value, _) => value.text(),
        }
    }
}

impl<'d> Body<'d> {
    /// The attribute with a name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute<'d>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The content of a file. Without a language, labels of the JSON syntax are not known.
    pub fn of(document: &'d Document, dialect: Option<&Dialect>, is_values: bool) -> Self {
        match document.json() {
            Some(json) => Self::json(json.root(), dialect, is_values),
            None => Self::native(document.body()),
        }
    }

    /// The content of a file in the native syntax.
    pub fn native(body: BodyNode<'d>) -> Self {
        let mut own = Self::default();
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => own.attributes.push(Attribute {
                    name: Cow::Borrowed(attribute.name()),
                    name_span: attribute.name_span(),
                    span: attribute.span(),
                    value: Node::Native(attribute.value()),
                }),
                Item::Block(block) => own.blocks.push(Block::native(block)),
            }
        }
        own
    }

    /// The content of a file in the JSON syntax.
    pub fn json(root: JsonValue<'d>, dialect: Option<&Dialect>, is_values: bool) -> Self {
        let mut own = Self::default();
        let dialect = dialect.filter(|_| !is_values);
        let all = if is_values { Strings::Text } else { Strings::Templates };
        own.add_json(root, [None; 2], dialect, all);
        own
    }

    /// Adds the properties of an object, or of each object in an array, in a block at the top of the file and the innermost one.
    fn add_json(
        &mut self,
        value: JsonValue<'d>,
        [top, around]: [Option<&str>; 2],
        dialect: Option<&Dialect>,
        default: Strings,
    ) {
        for object in one_or_more(value) {
            for property in object.properties() {
                let name = property.name().value();
                if name == "//" {
                    continue;
                }
                let shape = dialect.and_then(|dialect| dialect.shape(around, &name));
                let value = property.value();
                match (dialect, shape) {
                    (Some(dialect), Some(shape)) if value.is_object() || value.is_array() => {
                        let block = JsonBlock { name, span: property.span(), dialect, top };
                        block.add_to(self, value, shape.labels.len(), &mut Vec::new());
                    }
                    _ => {
                        let strings =
                            dialect.map_or(default, |dialect| dialect.strings_under(top, around, &name));
                        let value = Node::Json(value, strings);
                        let (name_span, span) = (property.name().span(), property.span());
                        self.attributes.push(Attribute { name, name_span, span, value });
                    }
                }
            }
        }
    }
}

/// A property that has blocks.
struct JsonBlock<'d, 'l> {
    name: Cow<'d, str>,
    span: Span,
    dialect: &'l Dialect,
    /// The block around it at the top of the file.
    top: Option<&'l str>,
}

impl<'d> JsonBlock<'d, '_> {
    /// Adds the blocks in a value, in which objects still have a number of labels as names.
    fn add_to(
        &self,
        to: &mut Body<'d>,
        value: JsonValue<'d>,
        left: usize,
        labels: &mut Vec<(Cow<'d, str>, Span)>,
    ) {
        if left > 0 {
            for object in one_or_more(value) {
                for property in object.properties().filter(|property| property.name().value() != "//") {
                    labels.push((property.name().value(), property.name().span()));
                    let inner = Self { name: self.name.clone(), span: property.span(), ..*self };
                    inner.add_to(to, property.value(), left - 1, labels);
                    labels.pop();
                }
            }
            return;
        }
        let is_array = value.is_array();
        for object in one_or_more(value) {
            let mut body = Body::default();
            let top = self.top.unwrap_or(&self.name);
            body.add_json(object, [Some(top), Some(&self.name)], Some(self.dialect), Strings::Templates);
            let comment = object.as_object().and_then(|object| object.get("//")?.as_string());
            let span = if is_array { object.span() } else { self.span };
            to.blocks.push(Block {
                block_type: self.name.clone(),
                labels: labels.iter().map(|(label, _)| label.clone()).collect(),
                label_spans: labels.iter().map(|(_, span)| *span).collect(),
                span,
                head: Span::new(span.start, object.start_span().start.max(span.start)),
                comment: comment.map(|text| text.value().into_owned()),
                body,
                model: hclkit_model::Body::from_json(object),
            });
        }
    }
}

/// The object, or the objects in an array.
fn one_or_more(value: JsonValue<'_>) -> impl Iterator<Item = JsonValue<'_>> {
    let single = value.is_object().then_some(value);
    single.into_iter().chain(value.elements().filter(|element| element.is_object()))
}

impl<'d> Block<'d> {
    fn native(block: BlockNode<'d>) -> Self {
        let span = block.span();
        Self {
            block_type: Cow::Borrowed(block.block_type()),
            labels: block.label_texts(),
            label_spans: block.labels().map(LabelNode::span).collect(),
            span,
            head: Span::new(span.start, block.open_span().start.max(span.start)),
            comment: comment(block),
            body: Body::native(block.body()),
            model: hclkit_model::Body::from_ast(block.body()),
        }
    }
}

/// The comment on the lines directly before a block, without its signs.
fn comment(block: BlockNode<'_>) -> Option<String> {
    let document: &Document = block.document();
    let (tokens, source) = (document.tokens(), document.source());
    let first = document.tree().token_range(block.id()).0;
    let mut lines: Vec<&str> = Vec::new();
    let mut at = first;
    let mut next_start = tokens.span(first).start;
    while at > 0 {
        at -= 1;
        let (kind, span) = (tokens.kind(at), tokens.span(at));
        if !kind.is_trivia() {
            // A comment at the end of the line of something else is about that.
            if !lines.is_empty() && source.line_of(span.end) == source.line_of(next_start) {
                lines.pop();
            }
            break;
        }
        if !kind.is_comment() {
            continue;
        }
        let text = source.slice(span);
        let last = span.end.saturating_sub(u32::from(text.ends_with('\n')));
        if source.line_of(last) + 1 < source.line_of(next_start) {
            break;
        }
        next_start = span.start;
        lines.push(text);
    }
    if lines.is_empty() {
        return None;
    }
    lines.reverse();
    let text: Vec<String> = lines.into_iter().map(without_signs).collect();
    let text = text.join("\n").trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// A comment without `#`, `//` and `/* */`.
fn without_signs(comment: &str) -> String {
    if let Some(inside) = comment.strip_prefix("/*") {
        let inside = inside.strip_suffix("*/").unwrap_or(inside);
        let line = |line: &str| {
            let line = line.trim();
            line.strip_prefix('*').map_or(line, str::trim_start).to_owned()
        };
        return inside.lines().map(line).collect::<Vec<_>>().join("\n").trim().to_owned();
    }
    let text = comment.trim_end_matches(['\r', '\n']);
    let text = text.trim_start_matches(['#', '/']);
    text.strip_prefix(' ').unwrap_or(text).trim_end().to_owned()
}
