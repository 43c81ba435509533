//! A body that another one overrides, as with Terraform's `override.tf`: its arguments replace those of the body, and
//! so do blocks within a block.

use std::collections::BTreeSet;

use hclkit_syntax::Place;
use hclkit_value::Name;

use super::merged::nothing_required;
use super::{Attributes, Block, Body, BodyItem, Content, Form, Schema, require};
use crate::{Diagnostics, messages};

/// A body, and the one that overrides it.
#[derive(Clone, Debug)]
pub(super) struct Overridden {
    base: Body,
    over: Body,
    /// True for bodies of files, in which blocks are merged. In bodies of blocks, nested blocks replace others.
    files: bool,
}

impl Body {
    /// The body of a file with the contents of another file that overrides it, by the rules of Terraform's override files: an
    /// argument replaces the one of the same name. A block is merged with the one of the same type and labels, which must
    /// exist: its arguments replace those of the same name, and its blocks replace all of the same type.
    ///
    /// ```
    /// use hclkit_model::{Body, Context, Schema};
    /// use hclkit_syntax::Source;
    ///
    /// let parse = |name, text| Body::parse(Source::new(name, text)).0;
    /// let base = parse("main.hcl", "service \"web\" {\n  image = \"web:1\"\n  port  = 80\n}\n");
    /// let over = parse("override.hcl", "service \"web\" {\n  image = \"web:test\"\n}\n");
    /// let service = base.with_override(over).blocks("service", &["web"]).remove(0);
    /// let value = |name| service.body.attribute(name).unwrap().expression.evaluate(&Context::new());
    /// assert_eq!(value("image")?.as_str(), Some("web:test"));
    /// assert_eq!(value("port")?.to_string(), "80");
    /// # Ok::<(), hclkit_syntax::Diagnostics>(())
    /// ```
    #[must_use]
    #[doc(hidden)]
    pub fn with_override(self, over: Self) -> Self {
        Self::overridden(self, over, true)
    }

    fn overridden(base: Self, over: Self, files: bool) -> Self {
        Self(Form::Overridden(Box::new(Overridden { base, over, files })))
    }
}

impl Overridden {
    pub(super) fn bodies(&self) -> [&Body; 2] {
        [&self.base, &self.over]
    }

    pub(super) fn missing_item(&self) -> Place {
        self.base.missing_item()
    }

    pub(super) fn content(&self, schema: &Schema, diagnostics: &mut Diagnostics) -> Content {
        let each = nothing_required(schema);
        let base = self.base.content_into(&each, diagnostics);
        let over = self.over.content_into(&each, diagnostics);
        self.merged(schema, base, over, diagnostics)
    }

    pub(super) fn partial_content(&self, schema: &Schema, diagnostics: &mut Diagnostics) -> (Content, Self) {
        let each = nothing_required(schema);
        let (base, base_rest) = self.base.partial_content_into(&each, diagnostics);
        let (over, over_rest) = self.over.partial_content_into(&each, diagnostics);
        let rest = Self { base: base_rest, over: over_rest, files: self.files };
        (self.merged(schema, base, over, diagnostics), rest)
    }

    pub(super) fn attributes(&self, diagnostics: &mut Diagnostics) -> Vec<super::Attribute> {
        let mut attributes = self.over.attributes_into(diagnostics);
        let names: BTreeSet<Name> = attributes.iter().map(|attribute| attribute.name.clone()).collect();
        let base = self.base.attributes_into(diagnostics);
        attributes.extend(base.into_iter().filter(|attribute| !names.contains(&attribute.name)));
        attributes
    }

    /// All items. Blocks that override nothing are omitted.
    pub(super) fn items(&self, schema: &Schema) -> Vec<BodyItem> {
        let split = |body: &Body| {
            let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
            for item in body.items_by(schema) {
                match item {
                    BodyItem::Attribute(attribute) => attributes.push(attribute),
                    BodyItem::Block(block) => blocks.push(block),
                }
            }
            (attributes, blocks)
        };
        let ((base, base_blocks), (mut attributes, over_blocks)) = (split(&self.base), split(&self.over));
        let names: BTreeSet<Name> = attributes.iter().map(|attribute| attribute.name.clone()).collect();
        attributes.extend(base.into_iter().filter(|attribute| !names.contains(&attribute.name)));
        let blocks = self.blocks(base_blocks, over_blocks, &mut Diagnostics::new());
        let attributes = attributes.into_iter().map(BodyItem::Attribute);
        attributes.chain(blocks.into_iter().map(BodyItem::Block)).collect()
    }

    fn merged(
        &self,
        schema: &Schema,
        base: Content,
        over: Content,
        diagnostics: &mut Diagnostics,
    ) -> Content {
        // If several have the same name, the first one counts.
        let attributes: Attributes = over.attributes.into_iter().chain(base.attributes).collect();
        let blocks = self.blocks(base.blocks, over.blocks, diagnostics);
        let missing_item = self.missing_item();
        require(schema, |name| attributes.get(name).is_some(), || missing_item.clone(), diagnostics);
        Content::new(attributes, blocks, missing_item)
    }

    fn blocks(&self, mut base: Vec<Block>, over: Vec<Block>, diagnostics: &mut Diagnostics) -> Vec<Block> {
        if !self.files {
            let types: BTreeSet<Name> = over.iter().map(|block| block.block_type.clone()).collect();
            base.retain(|block| !types.contains(&block.block_type));
            base.extend(over);
            return base;
        }
        for block in over {
            let same =
                |other: &&mut Block| other.block_type == block.block_type && other.labels == block.labels;
            let mut found = base.iter_mut().filter(same);
            match (found.next(), found.next()) {
                (Some(one), None) => one.body = Body::overridden(one.body.clone(), block.body, false),
                (first, second) => {
                    let labels = block.labels.iter();
                    let name = labels.fold(block.block_type.to_string(), |name, label| {
                        format!("{name} {:?}", label.as_str())
                    });
                    let message = match (first, second) {
                        (Some(_), Some(_)) => messages::body::several_blocks_to_override(&name),
                        _ => messages::body::no_block_to_override(&name),
                    };
                    diagnostics.push(message.at(block.definition_place()));
                }
            }
        }
        base
    }
}
