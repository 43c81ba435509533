//! Bodies in the native syntax. Specification: "Structural Elements" in "HCL Native Syntax Specification".

use std::sync::Arc;

use hclkit_syntax::ast::{self, Item};
use hclkit_syntax::{Diagnostic, Document, KnownNames, NodeId, Place, Source, Span, parse};
use hclkit_value::Name;

use super::listed::{BlockList, Listed};
use super::require;
use super::{Attribute, Attributes, Block, BlockSchema, Body, Content, Form, Hidden, Near, Schema};
use crate::messages::{self, Message};
use crate::{Diagnostics, Expression};

/// A node of a document as a body, without what was already taken from it.
#[derive(Clone, Debug)]
pub(super) struct NativeBody {
    document: Document,
    id: NodeId,
    hidden: Hidden,
}

impl NativeBody {
    pub(super) fn document(&self) -> &Document {
        &self.document
    }

    pub(super) fn new(node: ast::BodyNode<'_>) -> NativeBody {
        NativeBody { document: node.document().clone(), id: node.id(), hidden: Hidden::default() }
    }

    /// The node, if nothing was taken from it.
    pub(super) fn whole(&self) -> Option<ast::BodyNode<'_>> {
        self.hidden.0.is_none().then(|| self.document.body_at(self.id))
    }

    fn source(&self) -> &Arc<Source> {
        self.document.shared_source()
    }

    fn items(&self) -> impl Iterator<Item = Item<'_>> {
        self.document.body_at(self.id).items().filter(|item| {
            self.hidden.0.is_none()
                || match item {
                    Item::Attribute(attribute) => !self.hidden.attribute(attribute.name()),
                    Item::Block(block) => !self.hidden.block(block.block_type()),
                }
        })
    }

    pub(super) fn content(&self, schema: &Schema, diagnostics: &mut Diagnostics) -> Content {
        self.listed(schema, diagnostics).into_content(self.missing_item())
    }

    pub(super) fn partial_content(
        &self,
        schema: &Schema,
        diagnostics: &mut Diagnostics,
    ) -> (Content, NativeBody) {
        let (listed, rest) = self.listed_partial(schema, diagnostics);
        (listed.into_content(self.missing_item()), rest)
    }

    /// Same as [`content`](Self::content), but blocks are made on demand.
    pub(super) fn listed<'b>(&'b self, schema: &'b Schema, diagnostics: &mut Diagnostics) -> Listed<'b> {
        let mut extra = Vec::new();
        let listed = self.read(schema, diagnostics, |item| extra.push(item));
        if extra.is_empty() {
            return listed;
        }
        let attributes = schema.attributes().map(|attribute| attribute.name.as_str());
        let attributes = KnownNames::new(attributes.filter(|&name| !self.hidden.attribute(name)));
        let blocks = schema.blocks().map(|block| block.block_type.as_str());
        let blocks = KnownNames::new(blocks.filter(|&name| !self.hidden.block(name)));
        let found = &listed.attributes;
        for item in extra {
            diagnostics.push_misspelled_with(|| match item {
                Item::Attribute(attribute) => self.extra_attribute(schema, &attributes, found, attribute),
                Item::Block(block) => self.extra_block(schema, &blocks, block),
            });
        }
        listed
    }

    /// Same as [`partial_content`](Self::partial_content), but blocks are made on demand.
    pub(super) fn listed_partial<'b>(
        &'b self,
        schema: &'b Schema,
        diagnostics: &mut Diagnostics,
    ) -> (Listed<'b>, NativeBody) {
        let listed = self.read(schema, diagnostics, |_| {});
        (listed, NativeBody { hidden: self.hidden.with(schema), ..self.clone() })
    }

    fn read<'b>(
        &'b self,
        schema: &'b Schema,
        diagnostics: &mut Diagnostics,
        mut extra: impl FnMut(Item<'b>),
    ) -> Listed<'b> {
        let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
        for item in self.items() {
            match item {
                Item::Attribute(attribute) => match schema.attribute(attribute.name()) {
                    Some(known) => attributes.push(self.attribute(&known.name, attribute)),
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
        let attributes = Attributes::first_of_each(attributes);
        require(schema, &attributes, || self.missing_item(), diagnostics);
        Listed { attributes, blocks: BlockList::native(self, blocks) }
    }

    fn attribute(&self, name: &Name, attribute: ast::AttributeNode) -> Attribute {
        Attribute {
            name: name.clone(),
            expression: Expression::from_ast(attribute.value()),
            span: attribute.span(),
            name_span: attribute.name_span(),
            source: self.source().clone(),
        }
    }

    /// All attributes and blocks in source order.
    pub(super) fn all_items(&self) -> Vec<super::BodyItem> {
        let items = self.items().map(|item| match item {
            Item::Attribute(attribute) => {
                super::BodyItem::Attribute(self.attribute(&Name::from(attribute.name()), attribute))
            }
            Item::Block(block) => {
                super::BodyItem::Block(self.any_block(&Name::from(block.block_type()), block))
            }
        });
        items.collect()
    }

    /// A block with any labels.
    pub(super) fn any_block(&self, block_type: &Name, block: ast::BlockNode) -> Block {
        let (mut labels, mut label_spans) = (Vec::new(), Vec::new());
        for label in block.labels() {
            labels.push(Name::from(label.value()));
            label_spans.push(label.span());
        }
        let body =
            NativeBody { document: self.document.clone(), id: block.body().id(), hidden: Hidden::default() };
        let type_span = block.type_span();
        Block {
            block_type: block_type.clone(),
            labels,
            definition_span: label_spans.last().map_or(type_span, |last| type_span.cover(*last)),
            label_spans,
            type_span,
            open_span: block.open_span(),
            close_span: block.close_span(),
            body: Body(Form::Native(body)),
            source: self.source().clone(),
        }
    }

    #[cold]
    fn label_error(&self, known: &BlockSchema, block: ast::BlockNode) -> Diagnostic {
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
        &self,
        schema: &Schema,
        known: &KnownNames,
        found: &Attributes,
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
    fn extra_block(&self, schema: &Schema, known: &KnownNames, block: ast::BlockNode) -> Diagnostic {
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
    fn reads_as(&self, name: &str, between: &str, part: Span) -> bool {
        let text = self.source().slice(part);
        text.starts_with('{') && parse(format!("{name}{between}{text}\n").as_str()).diagnostics().is_empty()
    }

    pub(super) fn attributes(&self, diagnostics: &mut Diagnostics) -> Vec<Attribute> {
        let body = self.document.body_at(self.id);
        // As in the reference, a block is an error here even if it was already taken from the body.
        if let Some(block) = body.blocks().next() {
            let message = messages::body::only_arguments(block.block_type());
            let diagnostic = message.in_source(self.source(), block.type_span());
            diagnostics.push(diagnostic.with_context(definition_span(block)));
        }
        let attributes = self.items().filter_map(Item::attribute);
        let mut attributes: Vec<Attribute> =
            attributes.map(|attribute| self.attribute(&Name::from(attribute.name()), attribute)).collect();
        super::content::keep_first(&mut attributes);
        attributes
    }

    pub(super) fn missing_item(&self) -> Place {
        let span = self.document.span(self.id);
        Place { source: self.source().clone(), span: Span::empty(span.start) }
    }
}

/// The type of a block and its labels.
fn definition_span(block: ast::BlockNode) -> Span {
    block.labels().last().map_or(block.type_span(), |last| block.type_span().cover(last.span()))
}
