//! Where the value of a spec comes from.

use super::decode::Frame;
use super::{Nested, Spec};
use crate::stack::with_room;
use crate::{Block, Body, Context, Diagnostics, Expression, Place};

impl Spec {
    /// Where the value comes from that a body has by this spec: an argument's value, a label, or where what is missing
    /// would stand. Of blocks it is what the first one's body has; for an object or a tuple there is no better place than
    /// that of what is missing.
    pub fn place(&self, body: &Body) -> Place {
        let (content, _) = body.partial_content(&self.implied_schema(), &mut Diagnostics::new());
        self.place_in(Frame { content: &content, block: None, context: &Context::new() })
    }

    pub(super) fn place_in(&self, frame: Frame) -> Place {
        with_room(|| self.find_place(frame))
    }

    fn find_place(&self, frame: Frame) -> Place {
        let missing = || frame.content.missing_item.clone();
        match self {
            Spec::Object(_) | Spec::Tuple(_) | Spec::Literal(_) => missing(),
            Spec::Attribute(attribute) => {
                let found = frame.content.attributes.get(&attribute.name);
                found.map_or_else(missing, |attribute| of_expression(&attribute.expression))
            }
            Spec::Expression(expression) => of_expression(&expression.expression),
            Spec::Block(block) => {
                let found = frame.blocks(&block.block_type).next();
                found.map_or_else(missing, |found| of_body(found, 0, &block.nested))
            }
            Spec::BlockList(blocks) | Spec::BlockTuple(blocks) | Spec::BlockSet(blocks) => {
                let found = frame.blocks(&blocks.block_type).next();
                found.map_or_else(missing, |found| of_body(found, 0, &blocks.nested))
            }
            Spec::BlockMap(blocks) | Spec::BlockObject(blocks) => {
                let found = frame.blocks(&blocks.block_type).next();
                found.map_or_else(missing, |found| of_body(found, blocks.label_names.len(), &blocks.nested))
            }
            Spec::BlockAttributes(spec) => {
                let found = frame.blocks(&spec.block_type).next();
                found.map_or_else(missing, |block| Place {
                    source: block.source.clone(),
                    span: block.type_span,
                })
            }
            Spec::BlockLabel(label) => frame
                .block
                .and_then(|(block, taken)| {
                    let span = *block.label_spans.get(taken + label.index)?;
                    Some(Place { source: block.source.clone(), span })
                })
                .unwrap_or_else(missing),
            Spec::Default(default) => {
                default.specs.first().map_or_else(missing, |first| first.place_in(frame))
            }
            Spec::Transform(transform) => transform.wrapped.place_in(frame),
            Spec::Call(call) => call.wrapped.place_in(frame),
            Spec::Refine(refine) => refine.wrapped.place_in(frame),
            Spec::Validate(validate) => validate.wrapped.place_in(frame),
        }
    }
}

impl Spec {
    /// What to show as the origin of the value: its place, or the header of the block where there is nothing better.
    pub(super) fn origin(&self, frame: Frame) -> Place {
        with_room(|| self.find_origin(frame))
    }

    fn find_origin(&self, frame: Frame) -> Place {
        let first_of = |block_type| frame.blocks(block_type).next();
        let block = match self {
            Spec::Object(_) | Spec::Tuple(_) | Spec::Literal(_) => None,
            Spec::Attribute(attribute) if frame.content.attributes.get(&attribute.name).is_none() => None,
            Spec::Attribute(_) | Spec::Expression(_) | Spec::BlockLabel(_) => return self.place_in(frame),
            Spec::Block(block) => first_of(&block.block_type),
            Spec::BlockList(blocks) | Spec::BlockTuple(blocks) | Spec::BlockSet(blocks) => {
                first_of(&blocks.block_type)
            }
            Spec::BlockMap(blocks) | Spec::BlockObject(blocks) => first_of(&blocks.block_type),
            Spec::BlockAttributes(block) => first_of(&block.block_type),
            Spec::Default(default) => match default.specs.first() {
                Some(first) => return first.origin(frame),
                None => None,
            },
            Spec::Transform(transform) => return transform.wrapped.origin(frame),
            Spec::Call(call) => return call.wrapped.origin(frame),
            Spec::Refine(refine) => return refine.wrapped.origin(frame),
            Spec::Validate(validate) => return validate.wrapped.origin(frame),
        };
        let around = || frame.block.map(|(block, _)| block);
        block.or_else(around).map_or_else(
            || frame.content.missing_item.clone(),
            |block| Place { source: block.source.clone(), span: block.definition_span },
        )
    }
}

fn of_expression(expression: &Expression) -> Place {
    Place { source: expression.source().clone(), span: expression.span() }
}

/// The place of the value that the body of a block has.
pub(super) fn of_body(block: &Block, taken: usize, nested: &Nested) -> Place {
    let (content, _) = block.body.partial_content(nested.schema(), &mut Diagnostics::new());
    nested.place_in(Frame { content: &content, block: Some((block, taken)), context: &Context::new() })
}
