//! Describes the configurations that a spec accepts. This file collects the arguments and blocks of each body; the submodules
//! write them as JSON Schema, as a Markdown reference and as Rust types.

#[cfg(feature = "module")]
mod inputs;
mod json;
mod markdown;
mod rust;

use std::collections::{BTreeMap, BTreeSet};

use hclkit_model::{Accepts, Nested, Schema, Spec, SwitchSpec};
use hclkit_value::{Name, Type, Value};

#[cfg(feature = "module")]
pub use inputs::{inputs_schema, inputs_template};
pub use json::{JsonSchemaOptions, json_schema};
pub use markdown::markdown;
#[doc(hidden)]
pub use markdown::{at_start as markdown_at_start, code as markdown_code, plain as markdown_text};
pub use rust::rust;

/// The maximum length in bytes of a name that is made of the types of nested blocks.
const MAX_PATH: usize = 200;

/// The names that are taken, with the last number that was appended to each.
#[derive(Default)]
struct Names(BTreeMap<String, usize>);

impl Names {
    fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Takes a name. If it is already taken, a separator and a number are appended.
    fn take(&mut self, wanted: String, separator: &str) -> String {
        let mut name = wanted.clone();
        if let Some(&last) = self.0.get(&wanted) {
            let mut number = last;
            while self.contains(&name) {
                number += 1;
                name = format!("{wanted}{separator}{number}");
            }
            self.0.insert(wanted, number);
        }
        self.0.insert(name.clone(), 1);
        name
    }
}

/// The content that a body accepts.
///
/// ```
/// use hclkit::model::{AttributeSpec, Spec};
/// use hclkit::schema::BodyReference;
///
/// let spec = Spec::from(AttributeSpec::new("port", hclkit::Type::Number).with_required());
/// let body = BodyReference::of(&spec);
/// assert!(body.arguments[0].required && body.blocks.is_empty());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BodyReference<'s> {
    /// The arguments.
    pub arguments: Vec<ArgumentReference<'s>>,
    /// The blocks.
    pub blocks: Vec<BlockReference<'s>>,
    /// The names of the arguments, and the types of the blocks.
    seen: (BTreeSet<&'s Name>, BTreeSet<&'s Name>),
    /// The switches, if their cases are left out.
    switches: Option<Vec<&'s SwitchSpec>>,
}

/// An argument of a body.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ArgumentReference<'s> {
    /// The name.
    pub name: &'s Name,
    /// The type.
    pub ty: &'s Type,
    /// Whether it must be set.
    pub required: bool,
    /// The default, which applies if the argument is missing or null.
    pub default: Option<&'s Value>,
    /// The description.
    pub description: Option<&'s str>,
    /// What it accepts besides the type.
    pub accepts: &'s Accepts,
}

/// A block type in a body.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BlockReference<'s> {
    /// The type of the blocks.
    pub block_type: &'s Name,
    /// The names of the labels. Empty for those without a name in the spec.
    pub labels: Vec<Name>,
    /// How many of the first labels are keys of a map of blocks.
    pub keys: usize,
    /// How many of the last labels may be missing.
    pub optional_labels: usize,
    /// What is in the blocks.
    pub content: Inside<'s>,
    /// The minimum number of blocks.
    pub min: usize,
    /// The maximum number of blocks.
    pub max: Option<usize>,
    /// The description.
    pub description: Option<&'s str>,
}

/// The content of a block.
#[derive(Clone, Copy, Debug)]
pub enum Inside<'s> {
    /// A body that a spec describes. If it depends on labels, see [`Nested::cases`].
    Body(&'s Nested),
    /// Arguments of any name, all of the same type.
    Arguments(&'s Type),
}

impl<'s> BodyReference<'s> {
    /// What a spec accepts.
    pub fn of(spec: &'s Spec) -> Self {
        Self::with(spec, None)
    }

    /// What a spec accepts without what only the cases of its switches accept, and these switches.
    fn apart(spec: &'s Spec) -> (Self, Vec<&'s SwitchSpec>) {
        let mut body = Self::with(spec, Some(Vec::new()));
        let switches = body.switches.take().unwrap_or_default();
        (body, switches)
    }

    fn with(spec: &'s Spec, switches: Option<Vec<&'s SwitchSpec>>) -> Self {
        let (arguments, blocks, seen) = (Vec::new(), Vec::new(), Default::default());
        let mut body = Self { arguments, blocks, seen, switches };
        body.add(spec, None, &spec.implied_schema());
        body
    }

    fn add(&mut self, spec: &'s Spec, default: Option<&'s Value>, schema: &Schema) {
        match spec {
            Spec::Attribute(attribute) => {
                let name = &attribute.name;
                if self.seen.0.insert(name) {
                    let required = schema.attribute(name).is_some_and(|attribute| attribute.required);
                    let description = attribute.description.as_deref();
                    self.arguments.push(ArgumentReference {
                        name,
                        ty: &attribute.ty,
                        required,
                        default,
                        description,
                        accepts: &attribute.accepts,
                    });
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
            Spec::Validate(validate) => self.add(&validate.wrapped, default, schema),
            Spec::Block(block) => self.add_block(
                BlockReference {
                    block_type: &block.block_type,
                    labels: Vec::new(),
                    keys: 0,
                    optional_labels: 0,
                    content: Inside::Body(&block.nested),
                    min: usize::from(block.required),
                    max: Some(1),
                    description: block.description.as_deref(),
                },
                schema,
            ),
            Spec::BlockAttributes(block) => self.add_block(
                BlockReference {
                    block_type: &block.block_type,
                    labels: Vec::new(),
                    keys: 0,
                    optional_labels: 0,
                    content: Inside::Arguments(&block.element_type),
                    min: usize::from(block.required),
                    max: Some(1),
                    description: block.description.as_deref(),
                },
                schema,
            ),
            Spec::BlockList(blocks) | Spec::BlockTuple(blocks) | Spec::BlockSet(blocks) => self.add_block(
                BlockReference {
                    block_type: &blocks.block_type,
                    labels: Vec::new(),
                    keys: 0,
                    optional_labels: 0,
                    content: Inside::Body(&blocks.nested),
                    min: blocks.min_items,
                    max: blocks.max_items,
                    description: blocks.description.as_deref(),
                },
                schema,
            ),
            Spec::BlockMap(blocks) | Spec::BlockObject(blocks) => self.add_block(
                BlockReference {
                    block_type: &blocks.block_type,
                    labels: Vec::new(),
                    keys: blocks.label_names.len(),
                    optional_labels: 0,
                    content: Inside::Body(&blocks.nested),
                    min: 0,
                    max: None,
                    description: blocks.description.as_deref(),
                },
                schema,
            ),
            Spec::Switch(switch) if self.switches.is_some() => {
                self.switches.iter_mut().for_each(|all| all.push(switch));
            }
            // Those that only combine others.
            _ => {
                for part in spec.parts() {
                    self.add(part, None, schema);
                }
            }
        }
    }

    /// Adds a block type with its labels, unless it is already present.
    fn add_block(&mut self, mut block: BlockReference<'s>, schema: &Schema) {
        if self.seen.1.insert(block.block_type) {
            let known = schema.block_type(block.block_type);
            block.labels = known.map(|block| block.label_names.clone()).unwrap_or_default();
            let optional = known.and_then(|block| block.optional.as_ref());
            block.optional_labels = optional.map_or(0, |optional| optional.count);
            self.blocks.push(block);
        }
    }
}

impl<'s> BlockReference<'s> {
    /// The content of a block with these labels.
    pub fn content_for(&self, labels: &[Name]) -> Inside<'s> {
        match self.content {
            Inside::Body(nested) => {
                Inside::Body(nested.of_labels(labels.get(self.keys..).unwrap_or_default()))
            }
            arguments @ Inside::Arguments(_) => arguments,
        }
    }

    /// The names of the labels, in order.
    fn label_names(&self) -> impl Iterator<Item = String> {
        self.labels.iter().enumerate().map(|(at, label)| match label.as_str() {
            "" => format!("label {}", at + 1),
            label => label.to_owned(),
        })
    }

    /// The type and labels of such a block, as written in a file.
    fn header(&self) -> String {
        let required = self.labels.len() - self.optional_labels;
        self.label_names().enumerate().fold(self.block_type.to_string(), |header, (at, label)| {
            if at < required { format!("{header} \"{label}\"") } else { format!("{header} [\"{label}\"]") }
        })
    }

    /// How many of these blocks there can be.
    fn how_many(&self) -> String {
        match (self.min, self.max) {
            (0, None) => "any number".to_owned(),
            (0, Some(1)) => "at most one".to_owned(),
            (0, Some(max)) => format!("at most {max}"),
            (1, None) => "at least one".to_owned(),
            (1, Some(1)) => "exactly one".to_owned(),
            (min, None) => format!("at least {min}"),
            (min, Some(max)) if min == max => format!("exactly {min}"),
            (min, Some(max)) => format!("{min} to {max}"),
        }
    }
}
