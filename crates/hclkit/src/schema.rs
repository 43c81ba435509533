//! What a spec says of the configurations that it is for: here as data, body by body; as JSON Schema and as a reference in
//! Markdown in files of their own beside.

mod json;
mod markdown;

use std::collections::BTreeSet;

use hclkit_model::{Schema, Spec};
use hclkit_value::{Name, Type, Value};

pub use json::json_schema;
pub use markdown::markdown;

/// What a body may hold.
struct BodyReference<'s> {
    arguments: Vec<ArgumentReference<'s>>,
    blocks: Vec<BlockReference<'s>>,
    /// The names of the arguments, and the types of the blocks.
    seen: (BTreeSet<&'s Name>, BTreeSet<&'s Name>),
}

/// An argument of a body.
struct ArgumentReference<'s> {
    name: &'s Name,
    ty: &'s Type,
    required: bool,
    /// What counts where the argument is not set or null.
    default: Option<&'s Value>,
}

/// A type of blocks in a body.
struct BlockReference<'s> {
    block_type: &'s Name,
    /// What the labels are called; empty names where the spec has none.
    labels: Vec<Name>,
    content: Inside<'s>,
    min: usize,
    max: Option<usize>,
}

/// What is in a block.
enum Inside<'s> {
    Body(&'s Spec),
    /// Arguments of any names, all of one type.
    Arguments(&'s Type),
}

impl<'s> BodyReference<'s> {
    fn of(spec: &'s Spec) -> Self {
        let mut body =
            Self { arguments: Vec::new(), blocks: Vec::new(), seen: (BTreeSet::new(), BTreeSet::new()) };
        body.add(spec, None, &spec.implied_schema());
        body
    }

    fn add(&mut self, spec: &'s Spec, default: Option<&'s Value>, schema: &Schema) {
        match spec {
            Spec::Attribute(attribute) => {
                let name = &attribute.name;
                if self.seen.0.insert(name) {
                    let required = schema.attribute(name).is_some_and(|attribute| attribute.required);
                    self.arguments.push(ArgumentReference { name, ty: &attribute.ty, required, default });
                }
            }
            Spec::Default(either) => {
                for (at, spec) in either.specs.iter().enumerate() {
                    let literal = match either.specs.get(at + 1) {
                        Some(Spec::Literal(literal)) if !literal.value.is_null() => Some(&literal.value),
                        _ => default,
                    };
                    self.add(spec, literal, schema);
                }
            }
            Spec::Block(block) => {
                let inside = Inside::Body(&block.nested);
                self.add_block(&block.block_type, inside, usize::from(block.required), Some(1), schema);
            }
            Spec::BlockAttributes(block) => {
                let inside = Inside::Arguments(&block.element_type);
                self.add_block(&block.block_type, inside, usize::from(block.required), Some(1), schema);
            }
            Spec::BlockList(blocks) | Spec::BlockTuple(blocks) | Spec::BlockSet(blocks) => {
                let inside = Inside::Body(&blocks.nested);
                self.add_block(&blocks.block_type, inside, blocks.min_items, blocks.max_items, schema);
            }
            Spec::BlockMap(blocks) | Spec::BlockObject(blocks) => {
                self.add_block(&blocks.block_type, Inside::Body(&blocks.nested), 0, None, schema);
            }
            Spec::Object(_)
            | Spec::Tuple(_)
            | Spec::Literal(_)
            | Spec::Expression(_)
            | Spec::BlockLabel(_)
            | Spec::Transform(_)
            | Spec::Call(_)
            | Spec::Refine(_)
            | Spec::Validate(_) => {
                for part in spec.parts() {
                    self.add(part, None, schema);
                }
            }
        }
    }

    fn add_block(
        &mut self,
        block_type: &'s Name,
        content: Inside<'s>,
        min: usize,
        max: Option<usize>,
        schema: &Schema,
    ) {
        if !self.seen.1.insert(block_type) {
            return;
        }
        let labels = schema.block_type(block_type).map(|block| block.label_names.clone()).unwrap_or_default();
        self.blocks.push(BlockReference { block_type, labels, content, min, max });
    }
}
