//! Access to bodies for the deserializer of `hclkit`: where possible, the nodes of their documents.

use hclkit_syntax::ast::BodyNode;
use hclkit_syntax::json::JsonValue;

use super::{Body, BodyItem, Content, Form};
use crate::{Diagnostics, Schema};

/// A part of a merged body, or a whole body.
#[derive(Clone, Debug)]
pub enum BodyPart<'b> {
    /// A complete body in the native syntax.
    Native(BodyNode<'b>),
    /// A complete body in the JSON syntax.
    Json(JsonValue<'b>),
    /// Any other body.
    Other(&'b Body),
}

impl Body {
    /// The parts of the body, in order.
    #[doc(hidden)]
    pub fn parts(&self) -> Vec<BodyPart<'_>> {
        match &self.0 {
            Form::Native(body) => vec![body.whole().map_or(BodyPart::Other(self), BodyPart::Native)],
            Form::Json(body) => vec![body.whole().map_or(BodyPart::Other(self), BodyPart::Json)],
            Form::Merged(bodies) => bodies.iter().flat_map(Self::parts).collect(),
            Form::Expanded(_) | Form::Overridden(_) => vec![BodyPart::Other(self)],
        }
    }

    /// Everything in the body, with dynamic blocks expanded. All blocks of a type have as many labels as the first one.
    #[doc(hidden)]
    pub fn everything(&self) -> (Content, Diagnostics) {
        const DYNAMIC: &str = "dynamic";
        let expands = matches!(self.0, Form::Expanded(_));
        let mut schema = Schema::new();
        let known = if expands { Schema::new().with_block(DYNAMIC, &["type"]) } else { Schema::new() };
        for item in self.items_by(&known) {
            schema = match &item {
                BodyItem::Attribute(attribute) => schema.with_optional(attribute.name.clone()),
                BodyItem::Block(block) if expands && block.block_type.as_str() == DYNAMIC => {
                    let Some(made) = block.labels.first() else { continue };
                    if schema.block_type(made).is_some() {
                        continue;
                    }
                    let content = block.body.attribute("labels");
                    let labels = content.map_or(0, |labels| labels.expression.parts().len());
                    schema.with_block(made.clone(), &vec!["label"; labels])
                }
                BodyItem::Block(block) if schema.block_type(&block.block_type).is_none() => {
                    schema.with_block(block.block_type.clone(), &vec!["label"; block.labels.len()])
                }
                BodyItem::Block(_) => schema,
            };
        }
        let ((content, _), diagnostics) = self.partial_content(&schema);
        (content, diagnostics)
    }
}
