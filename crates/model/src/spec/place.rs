//! Where the value of a spec comes from.

use hclkit_limits::with_room;
use hclkit_value::{Name, Path, Step};

use super::decode::Frame;
use super::{Nested, Spec};
use crate::{Block, Body, Context, Diagnostics, Expression, Place};

impl Spec {
    /// Where the value of a body comes from: the value of an attribute, a label, or where missing items would be
    /// added. For blocks, it is the place of the first one's value; for an object or a tuple, it is where missing items
    /// would be added.
    pub fn place(&self, body: &Body) -> Place {
        self.place_of(body, &Path::new())
    }

    /// Where a part of the value of a body comes from; see [`Spec::place`] and [`Expression::place_of`]. If the source
    /// does not contain the whole path, it is the place of the innermost part that was reached.
    ///
    /// ```
    /// use hclkit_model::{AttributeSpec, Body, BlocksSpec, Spec};
    /// use hclkit_syntax::Source;
    /// use hclkit_value::{Path, Type};
    ///
    /// let ports = AttributeSpec::new("ports", Type::list(Type::Number));
    /// let spec = Spec::object([("services", Spec::BlockList(BlocksSpec::new("service", ports)))]);
    /// let text = "service {\n  ports = [80]\n}\nservice {\n  ports = [81, 99]\n}\n";
    /// let (body, _) = Body::parse(Source::new("main.hcl", text));
    /// let place = spec.place_of(&body, &Path::new().attribute("services").index(1).index(1));
    /// assert_eq!(place.source.slice(place.span), "99");
    /// ```
    pub fn place_of(&self, body: &Body, path: &Path) -> Place {
        let (content, _) = body.partial_content_into(&self.implied_schema(), &mut Diagnostics::new());
        self.place_in(Frame { content: &content, block: None, context: &Context::new() }, path.steps())
    }

    pub(super) fn place_in(&self, frame: Frame, steps: &[Step]) -> Place {
        with_room(|| self.find_place(frame, steps))
    }

    fn find_place(&self, frame: Frame, steps: &[Step]) -> Place {
        let missing = || frame.content.missing_item.clone();
        match self {
            Self::Object(object) => {
                let inner = steps.split_first().and_then(|(step, rest)| {
                    let name = name(step)?;
                    let (_, spec) = object.attributes.iter().find(|(own, _)| **own == *name)?;
                    Some(spec.place_in(frame, rest))
                });
                inner.unwrap_or_else(missing)
            }
            Self::Tuple(tuple) => {
                let inner = steps
                    .split_first()
                    .and_then(|(step, rest)| Some(tuple.elements.get(index(step)?)?.place_in(frame, rest)));
                inner.unwrap_or_else(missing)
            }
            Self::Literal(_) => missing(),
            Self::Attribute(attribute) => {
                let found = frame.content.attributes.get(&attribute.name);
                found.map_or_else(missing, |attribute| of_expression(&attribute.expression, steps))
            }
            Self::Expression(expression) => of_expression(&expression.expression, steps),
            Self::Block(block) => {
                let found = frame.blocks(&block.block_type).next();
                found.map_or_else(missing, |found| of_body(found, 0, &block.nested, steps))
            }
            Self::BlockList(blocks) | Self::BlockTuple(blocks) | Self::BlockSet(blocks) => {
                let at = steps.first().and_then(index).filter(|_| !matches!(self, Self::BlockSet(_)));
                let rest = at.and_then(|_| steps.get(1..)).unwrap_or_default();
                let found = frame.blocks(&blocks.block_type).nth(at.unwrap_or(0));
                found.map_or_else(missing, |found| of_body(found, 0, &blocks.nested, rest))
            }
            Self::BlockMap(blocks) | Self::BlockObject(blocks) => {
                let keys = blocks.label_names.len();
                let (labels, rest) = steps.split_at(keys.min(steps.len()));
                let fits = |block: &&Block| {
                    labels.iter().zip(&block.labels).all(|(step, label)| name(step).as_ref() == Some(label))
                };
                let found = frame.blocks(&blocks.block_type).find(fits);
                found.map_or_else(missing, |found| of_body(found, keys, &blocks.nested, rest))
            }
            Self::BlockAttributes(spec) => {
                let Some(block) = frame.blocks(&spec.block_type).next() else { return missing() };
                let inner = steps.split_first().and_then(|(step, rest)| {
                    let name = name(step)?;
                    let attributes = block.body.attributes_into(&mut Diagnostics::new());
                    let found = attributes.into_iter().find(|attribute| attribute.name == name)?;
                    Some(of_expression(&found.expression, rest))
                });
                inner.unwrap_or_else(|| Place { source: block.source.clone(), span: block.type_span })
            }
            Self::BlockLabel(label) => frame.place_of_label(label.index).unwrap_or_else(missing),
            Self::Switch(switch) => frame.place_of_label(switch.index).unwrap_or_else(missing),
            Self::Default(default) => {
                default.specs.first().map_or_else(missing, |first| first.place_in(frame, steps))
            }
            // The value differs from that of the inner spec.
            Self::Transform(transform) => transform.wrapped.place_in(frame, &[]),
            Self::Call(call) => call.wrapped.place_in(frame, &[]),
            Self::Refine(refine) => refine.wrapped.place_in(frame, steps),
            Self::Validate(validate) => validate.wrapped.place_in(frame, steps),
        }
    }
}

impl Spec {
    /// The origin of the value in messages: its place, or the header of the block if there is nothing better.
    pub(super) fn origin(&self, frame: Frame) -> Place {
        with_room(|| self.find_origin(frame))
    }

    fn find_origin(&self, frame: Frame) -> Place {
        let first_of = |block_type| frame.blocks(block_type).next();
        let block = match self {
            Self::Object(_) | Self::Tuple(_) | Self::Literal(_) => None,
            Self::Attribute(attribute) if frame.content.attributes.get(&attribute.name).is_none() => None,
            Self::Attribute(_) | Self::Expression(_) | Self::BlockLabel(_) | Self::Switch(_) => {
                return self.place_in(frame, &[]);
            }
            Self::Block(block) => first_of(&block.block_type),
            Self::BlockList(blocks) | Self::BlockTuple(blocks) | Self::BlockSet(blocks) => {
                first_of(&blocks.block_type)
            }
            Self::BlockMap(blocks) | Self::BlockObject(blocks) => first_of(&blocks.block_type),
            Self::BlockAttributes(block) => first_of(&block.block_type),
            Self::Default(default) => match default.specs.first() {
                Some(first) => return first.origin(frame),
                None => None,
            },
            Self::Transform(transform) => return transform.wrapped.origin(frame),
            Self::Call(call) => return call.wrapped.origin(frame),
            Self::Refine(refine) => return refine.wrapped.origin(frame),
            Self::Validate(validate) => return validate.wrapped.origin(frame),
        };
        let around = || frame.block.map(|(block, _)| block);
        block.or_else(around).map_or_else(
            || frame.content.missing_item.clone(),
            |block| Place { source: block.source.clone(), span: block.definition_span },
        )
    }
}

fn of_expression(expression: &Expression, steps: &[Step]) -> Place {
    Place::new(expression.source(), expression.span_at(steps))
}

/// The place of a part of the value of a block's body.
pub(super) fn of_body(block: &Block, taken: usize, nested: &Nested, steps: &[Step]) -> Place {
    let nested = nested.of_labels(block.labels.get(taken..).unwrap_or_default());
    let (content, _) = block.body.partial_content_into(nested.schema(), &mut Diagnostics::new());
    nested.place_in(Frame { content: &content, block: Some((block, taken)), context: &Context::new() }, steps)
}

/// The name that a step leads to.
fn name(step: &Step) -> Option<Name> {
    match step {
        Step::Attribute(name) => Some(Name::from(name)),
        Step::Index(key) => key.unmark().0.as_str().map(Name::from),
    }
}

/// The number of the element that a step leads to.
fn index(step: &Step) -> Option<usize> {
    match step {
        Step::Attribute(_) => None,
        Step::Index(key) => key.unmark().0.as_number()?.to_u64()?.try_into().ok(),
    }
}
