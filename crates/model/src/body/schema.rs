//! Schemas: which arguments and which blocks a body may have. Specification: "Body Schema" in the information model.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use hclkit_value::Name;

/// What a body may contain. Names and block types are sorted; adding one again replaces the earlier one.
///
/// ```
/// use hclkit_model::Schema;
///
/// let schema = Schema::new().with_required("region").with_optional("tags").with_block("service", &["name"]);
/// assert!(schema.attribute("region").is_some_and(|region| region.required));
/// assert_eq!(schema.block_type("service").map(|service| service.label_names.len()), Some(1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    attributes: BTreeMap<Name, AttributeSchema>,
    blocks: BTreeMap<Name, BlockSchema>,
}

/// An argument that a body may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeSchema {
    /// Its name.
    pub name: Name,
    /// True if it is required.
    pub required: bool,
}

/// A type of blocks. A body may have any number of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockSchema {
    /// The type.
    pub block_type: Name,
    /// The names of the labels in messages. A block must have as many labels as there are names, unless some are optional.
    pub label_names: Vec<Name>,
    /// The last labels, if they may be missing.
    pub optional: Option<OptionalLabels>,
}

/// The last labels of a type of blocks, which may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionalLabels {
    /// How many labels may be missing.
    pub count: usize,
    /// The names that the body of such a block may contain. In the JSON syntax, an object with one of them is a body, and
    /// so is one with a value that cannot be a block; the names of other objects are labels.
    pub body_names: BTreeSet<Name>,
}

impl BlockSchema {
    /// A type of blocks with these label names.
    pub fn new(block_type: impl Into<Name>, label_names: Vec<Name>) -> Self {
        Self { block_type: block_type.into(), label_names, optional: None }
    }

    /// The numbers of labels that a block may have.
    pub(crate) fn label_counts(&self) -> RangeInclusive<usize> {
        let all = self.label_names.len();
        let optional = self.optional.as_ref().map_or(0, |optional| optional.count);
        all.saturating_sub(optional)..=all
    }
}

impl Schema {
    /// A schema that allows nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a required argument.
    #[must_use]
    pub fn with_required(mut self, name: impl Into<Name>) -> Self {
        self.add_attribute(AttributeSchema { name: name.into(), required: true });
        self
    }

    /// Adds an optional argument.
    #[must_use]
    pub fn with_optional(mut self, name: impl Into<Name>) -> Self {
        self.add_attribute(AttributeSchema { name: name.into(), required: false });
        self
    }

    /// Adds a type of blocks with these label names.
    #[must_use]
    pub fn with_block(mut self, block_type: impl Into<Name>, label_names: &[&str]) -> Self {
        let label_names = label_names.iter().map(|&name| name.into()).collect();
        self.add_block(BlockSchema::new(block_type, label_names));
        self
    }

    /// Adds an argument.
    #[doc(hidden)]
    pub fn add_attribute(&mut self, attribute: AttributeSchema) {
        self.attributes.insert(attribute.name.clone(), attribute);
    }

    /// Adds a type of blocks.
    #[doc(hidden)]
    pub fn add_block(&mut self, block: BlockSchema) {
        self.blocks.insert(block.block_type.clone(), block);
    }

    /// Adds the items of another schema, none of them required.
    pub(crate) fn take(&mut self, other: &Self) {
        for attribute in other.attributes.values() {
            self.add_attribute(AttributeSchema { name: attribute.name.clone(), required: false });
        }
        for block in other.blocks.values() {
            self.add_block(block.clone());
        }
    }

    /// The argument with this name.
    pub fn attribute(&self, name: &str) -> Option<&AttributeSchema> {
        self.attributes.get(name)
    }

    /// The schema of the blocks with this type.
    pub fn block_type(&self, block_type: &str) -> Option<&BlockSchema> {
        self.blocks.get(block_type)
    }

    /// The arguments, sorted by name.
    pub fn attributes(&self) -> impl Iterator<Item = &AttributeSchema> {
        self.attributes.values()
    }

    /// The types of blocks, sorted.
    pub fn blocks(&self) -> impl Iterator<Item = &BlockSchema> {
        self.blocks.values()
    }
}
