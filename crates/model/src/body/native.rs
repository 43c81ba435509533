//! Bodies in the native syntax. Specification: "Structural Elements" in "HCL Native Syntax Specification".

use std::sync::Arc;

use hclkit_syntax::ast::{self, Item};
use hclkit_syntax::{Diagnostic, Document, KnownNames, NodeId, Place, Source, Span, parse};
use hclkit_value::Name;

use super::listed::{AttributeList, BlockList, Listed};
use super::require;
use super::{Attribute, Block, BlockSchema, Body, Content, Form, Names, Schema, TakenNames};
use crate::messages::{self, Message};
use crate::suggest::Near;
use crate::{Diagnostics, Expression};

/// A node of a document as a body, without what was already taken from it.
#[derive(Clone, Debug)]
pub(crate) struct NativeBody {
    document: Document,
    id: NodeId,
    hidden: TakenNames,
}

impl NativeBody {
    pub(super) fn document(&self) -> &Document {
        &self.document
    }

    pub(super) fn new(node: ast::BodyNode<'_>) -> Self {
        Self { document: node.document().clone(), id: node.id(), hidden: TakenNames::default() }
    }

    /// The node, if nothing was taken from it.
    pub(super) fn whole(&self) -> Option<ast::BodyNode<'_>> {
        self.hidden.0.is_none().then(|| self.document.body_at(self.id))
    }

    fn view(&self) -> NativeView<'_> {
        NativeView { node: self.document.body_at(self.id), hidden: self.hidden.0.as_deref() }
    }

    pub(super) fn content(&self, schema: &Schema, diagnostics: &mut Diagnostics) -> Content {
        self.listed(schema, diagnostics).into_content(self.missing_item())
    }

    pub(super) fn partial_content(&self, schema: &Schema, diagnostics: &mut Diagnostics) -> (Content, Self) {
        let (listed, rest) = self.listed_partial(schema, diagnostics);
        (listed.into_content(self.missing_item()), rest)
    }

    /// Same as [`content`](Self::content), but attributes and blocks are made on demand.
    pub(super) fn listed<'b>(&'b self, schema: &'b Schema, diagnostics: &mut Diagnostics) -> Listed<'b> {
        self.view().listed(schema, diagnostics)
    }

    /// Same as [`partial_content`](Self::partial_content), but attributes and blocks are made on demand.
    pub(super) fn listed_partial<'b>(
        &'b self,
        schema: &'b Schema,
        diagnostics: &mut Diagnostics,
    ) -> (Listed<'b>, Self) {
        self.view().listed_partial(schema, diagnostics)
    }

    /// All attributes and blocks in source order.
    pub(super) fn all_items(&self) -> Vec<super::BodyItem> {
        let items = self.view().items().map(|item| match item {
            Item::Attribute(attribute) => {
                super::BodyItem::Attribute(attribute_of(&Name::from(attribute.name()), attribute))
            }
            Item::Block(block) => super::BodyItem::Block(block_of(&Name::from(block.block_type()), block)),
        });
        items.collect()
    }

    /// The items that were not taken from the body.
    pub(super) fn shown_items(&self) -> impl Iterator<Item = Item<'_>> {
        self.view().items()
    }

    /// Names alone on a line.
    pub(super) fn unfinished(&self) -> impl Iterator<Item = ast::ExpressionNode<'_>> {
        self.document.body_at(self.id).unfinished()
    }

    /// The first attribute with a name.
    pub(super) fn attribute(&self, name: &str) -> Option<Attribute> {
        let found = self.view().items().filter_map(Item::attribute).find(|own| own.name() == name)?;
        Some(attribute_of(&Name::from(name), found))
    }

    pub(super) fn has_blocks(&self) -> bool {
        self.view().items().any(|item| item.block().is_some())
    }

    pub(super) fn attributes(&self, diagnostics: &mut Diagnostics) -> Vec<Attribute> {
        let body = self.document.body_at(self.id);
        // As in the reference, a block is an error here even if it was already taken from the body.
        if let Some(block) = body.blocks().next() {
            let message = messages::body::only_arguments(block.block_type());
            let diagnostic = message.in_source(self.document.shared_source(), block.type_span());
            diagnostics.push(diagnostic.with_context(definition_span(block)));
        }
        let attributes = self.view().items().filter_map(Item::attribute);
        let mut attributes: Vec<Attribute> =
            attributes.map(|attribute| attribute_of(&Name::from(attribute.name()), attribute)).collect();
        super::content::keep_first(&mut attributes);
        attributes
    }

    pub(super) fn missing_item(&self) -> Place {
        missing_item(self.document.body_at(self.id))
    }
}

/// The same as a borrowed body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NativeView<'b> {
    node: ast::BodyNode<'b>,
    hidden: Option<&'b Names>,
}

impl<'b> NativeView<'b> {
    /// A body from which nothing was taken.
    pub(crate) fn new(node: ast::BodyNode<'b>) -> Self {
        NativeView { node, hidden: None }
    }

    fn source(self) -> &'b Arc<Source> {
        self.node.document().shared_source()
    }

    fn items(self) -> impl Iterator<Item = Item<'b>> {
        self.node.items().filter(move |item| {
            self.hidden.is_none()
                || match item {
                    Item::Attribute(attribute) => !self.hides_attribute(attribute.name()),
                    Item::Block(block) => !self.hides_block(block.block_type()),
                }
        })
    }

    fn hides_attribute(self, name: &str) -> bool {
        self.hidden.is_some_and(|names| names.attributes.contains(name))
    }

    fn hides_block(self, block_type: &str) -> bool {
        self.hidden.is_some_and(|names| names.blocks.contains(block_type))
    }

    /// The items that a schema names. Other items are errors.
    pub(crate) fn listed(self, schema: &'b Schema, diagnostics: &mut Diagnostics) -> Listed<'b> {
        let mut extra = Vec::new();
        let listed = self.read(schema, diagnostics, |item| extra.push(item));
        if extra.is_empty() {
            return listed;
        }
        let attributes = schema.attributes().map(|attribute| attribute.name.as_str());
        let attributes = KnownNames::new(attributes.filter(|&name| !self.hides_attribute(name)));
        let blocks = schema.blocks().map(|block| block.block_type.as_str());
        let blocks = KnownNames::new(blocks.filter(|&name| !self.hides_block(name)));
        let found = &listed.attributes;
        for item in extra {
            diagnostics.push_misspelled_with(|| match item {
                Item::Attribute(attribute) => self.extra_attribute(schema, &attributes, found, attribute),
                Item::Block(block) => self.extra_block(schema, &blocks, block),
            });
        }
        listed
    }

    /// The items that a schema names, and a body of the others.
    pub(crate) fn listed_partial(
        self,
        schema: &'b Schema,
        diagnostics: &mut Diagnostics,
    ) -> (Listed<'b>, NativeBody) {
        let listed = self.read(schema, diagnostics, |_| {});
        (listed, NativeBody { hidden: Names::with(self.hidden, schema), ..NativeBody::new(self.node) })
    }

    fn read(
        self,
        schema: &'b Schema,
        diagnostics: &mut Diagnostics,
        mut extra: impl FnMut(Item<'b>),
    ) -> Listed<'b> {
        let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
        for item in self.items() {
            match item {
                Item::Attribute(attribute) => match schema.attribute(attribute.name()) {
                    Some(known) => attributes.push((&known.name, attribute)),
                    None => extra(item),
                },
                Item::Block(block) => match schema.block_type(block.block_type()) {
                    Some(known) if known.label_counts().contains(&block.labels().count()) => {
                        blocks.push((known, block));
                    }
                    Some(known) => diagnostics.push_with(|| self.label_error(known, block)),
                    None => extra(item),
                },
            }
        }
        let attributes = AttributeList::native(attributes);
        require(schema, |name| attributes.get(name).is_some(), || missing_item(self.node), diagnostics);
        Listed { attributes, blocks: BlockList::native(blocks) }
    }

    #[cold]
    fn label_error(self, known: &BlockSchema, block: ast::BlockNode) -> Diagnostic {
        let names: Vec<&str> = known.label_names.iter().map(Name::as_str).collect();
        let diagnostic = if let Some(extra) = block.labels().nth(names.len()) {
            messages::body::extra_label(&known.block_type, &names).in_source(self.source(), extra.span())
        } else {
            let required = &names[..*known.label_counts().start()];
            let more = required.len() < names.len();
            messages::body::missing_label(&known.block_type, names[block.labels().count()], required, more)
                .in_source(self.source(), block.open_span())
        };
        diagnostic.with_context(block.type_span().cover(block.open_span()))
    }

    #[cold]
    fn extra_attribute(
        self,
        schema: &Schema,
        known: &KnownNames,
        found: &AttributeList,
        attribute: ast::AttributeNode,
    ) -> Diagnostic {
        let (name, place) = (attribute.name(), attribute.name_span());
        let report =
            |message: Message| message.in_source(self.source(), place).with_context(attribute.span());
        if let Some(block) = schema.block_type(name) {
            let diagnostic = report(messages::body::argument_for_block(name));
            let between = Span::new(place.end, attribute.value().span().start);
            let body = block.label_names.is_empty() && self.reads_as(name, " ", attribute.value().span());
            return if body {
                diagnostic.with_edit(messages::fix::REMOVE_EQUALS_SIGN, between, " ")
            } else {
                diagnostic
            };
        }
        let near = Near::among(name, known);
        let message = messages::body::unsupported_argument(name, near.first());
        near.offer(report(message), place, false, |near| found.get(near).is_some())
    }

    #[cold]
    fn extra_block(self, schema: &Schema, known: &KnownNames, block: ast::BlockNode) -> Diagnostic {
        let (name, place) = (block.block_type(), block.type_span());
        let report =
            |message: Message| message.in_source(self.source(), place).with_context(definition_span(block));
        if schema.attribute(name).is_some() {
            let diagnostic = report(messages::body::block_for_argument(name));
            let braces = block.open_span().cover(block.close_span());
            let object = block.labels().next().is_none() && self.reads_as(name, " = ", braces);
            return if object {
                diagnostic.with_edit(messages::fix::ADD_EQUALS_SIGN, Span::empty(place.end), " =")
            } else {
                diagnostic
            };
        }
        let near = Near::among(name, known);
        near.offer(report(messages::body::unsupported_block(name, near.first())), place, false, |_| false)
    }

    /// Returns true if a part of the source could follow a name and this separator.
    fn reads_as(self, name: &str, between: &str, part: Span) -> bool {
        let text = self.source().slice(part);
        text.starts_with('{') && parse(format!("{name}{between}{text}\n").as_str()).diagnostics().is_empty()
    }
}

/// An attribute and the name in the schema.
pub(crate) fn attribute_of(name: &Name, attribute: ast::AttributeNode) -> Attribute {
    Attribute {
        name: name.clone(),
        expression: Expression::from_ast(attribute.value()),
        span: attribute.span(),
        name_span: attribute.name_span(),
        source: attribute.document().shared_source().clone(),
    }
}

/// A block with any labels.
pub(crate) fn block_of(block_type: &Name, block: ast::BlockNode) -> Block {
    let (mut labels, mut label_spans) = (Vec::new(), Vec::new());
    for label in block.labels() {
        labels.push(Name::from(label.value()));
        label_spans.push(label.span());
    }
    Block {
        block_type: block_type.clone(),
        labels,
        definition_span: definition_span(block),
        label_spans,
        type_span: block.type_span(),
        open_span: block.open_span(),
        close_span: block.close_span(),
        body: Body(Form::Native(NativeBody::new(block.body()))),
        source: block.document().shared_source().clone(),
    }
}

fn missing_item(node: ast::BodyNode) -> Place {
    Place::new(node.document().shared_source(), Span::empty(node.span().start))
}

/// The type of a block and its labels.
pub(super) fn definition_span(block: ast::BlockNode) -> Span {
    block.labels().last().map_or(block.type_span(), |last| block.type_span().cover(last.span()))
}
