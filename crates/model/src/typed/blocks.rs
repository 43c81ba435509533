//! Reads Rust values from the blocks of a body: one block, several, or several by label.
#![allow(
    clippy::option_option,
    reason = "the outer one says whether an error was reported, the inner one is the value"
)]

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::fields::{self, Origin};
use super::{Decode, Fields, GivenBlock, Spanned};
use crate::messages::{self, Message};
use crate::{BlockLabelSpec, BlockSpec, BlocksSpec, Context, Diagnostics, LabeledBlocksSpec, Spec};

/// A Rust type that a block is decoded to.
///
/// Every type that implements [`Decode`] is one. `#[derive(Decode)]` also implements it for enums in which each
/// variant is a block type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a block",
    note = "add `#[derive(Decode)]` to the type"
)]
pub trait DecodeBlock: Sized {
    /// The block types, each with the names of its labels and the spec of its body. `name` is the name of the field.
    fn block_types(name: &'static str) -> Vec<BlockType>;

    /// Returns true if this is one of the types.
    fn is_block_type(name: &str, block_type: &str) -> bool {
        name == block_type
    }

    /// True if there may be several types, so that all blocks of a body must be checked.
    const SEVERAL_TYPES: bool = false;

    /// Decodes a block. The first `taken` labels belong to the key, not to the type. The result is `None` if there are errors.
    fn decode_block(block: &GivenBlock<'_>, taken: usize, context: &Context) -> (Option<Self>, Diagnostics);
}

/// A block type.
#[derive(Clone, Debug)]
pub struct BlockType {
    /// The type.
    pub name: &'static str,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// The spec of its body.
    pub spec: Spec,
}

impl BlockType {
    /// The block type for a Rust type.
    pub fn of<T: Decode>(name: &'static str) -> Self {
        Self { name, labels: T::LABELS, spec: T::spec() }
    }
}

impl<T: Decode> DecodeBlock for T {
    fn block_types(name: &'static str) -> Vec<BlockType> {
        vec![BlockType::of::<T>(name)]
    }

    fn decode_block(block: &GivenBlock<'_>, taken: usize, context: &Context) -> (Option<T>, Diagnostics) {
        fields::read_body(Origin::Block(block), Some((block, taken)), context)
    }
}

/// The place is that of the block's type and labels.
impl<T: DecodeBlock> DecodeBlock for Spanned<T> {
    fn block_types(name: &'static str) -> Vec<BlockType> {
        T::block_types(name)
    }

    fn is_block_type(name: &str, block_type: &str) -> bool {
        T::is_block_type(name, block_type)
    }

    const SEVERAL_TYPES: bool = T::SEVERAL_TYPES;

    fn decode_block(block: &GivenBlock<'_>, taken: usize, context: &Context) -> (Option<Self>, Diagnostics) {
        let (decoded, diagnostics) = T::decode_block(block, taken, context);
        (decoded.map(|decoded| Self::new(decoded, block.place())), diagnostics)
    }
}

/// The maximum number of blocks.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// At least.
    pub min: usize,
    /// At most.
    pub max: usize,
}

impl Count {
    /// Any number.
    pub const ANY: Self = Self { min: 0, max: usize::MAX };
}

/// A Rust type that a field for blocks can have: `T`, `Option<T>`, `Vec<T>` and `Option<Vec<T>>` for each [`DecodeBlock`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from blocks",
    note = "a field for blocks is a `T`, `Option<T>` or `Vec<T>`, where `T` has `#[derive(Decode)]`",
    note = "for a map of blocks by label, write `#[hcl(block, key = label)]`"
)]
pub trait DecodeBlocks: Sized {
    /// The spec of the blocks.
    fn spec(name: &'static str, count: Count, description: Option<&str>) -> Spec;

    /// Decodes the blocks. The result is `None` if an error was reported to the fields.
    fn decode_blocks(fields: &mut Fields<'_>, name: &'static str, count: Count) -> Option<Self>;
}

/// Exactly one block.
impl<T: DecodeBlock> DecodeBlocks for T {
    fn spec(name: &'static str, _: Count, description: Option<&str>) -> Spec {
        one_spec::<T>(name, true, description)
    }

    fn decode_blocks(fields: &mut Fields<'_>, name: &'static str, _: Count) -> Option<T> {
        let found = fields.only_block::<T>(name)?;
        if found.is_none() {
            fields.missing_block(&T::block_types(name));
        }
        found
    }
}

/// At most one block.
impl<T: DecodeBlock> DecodeBlocks for Option<T> {
    fn spec(name: &'static str, _: Count, description: Option<&str>) -> Spec {
        one_spec::<T>(name, false, description)
    }

    fn decode_blocks(fields: &mut Fields<'_>, name: &'static str, _: Count) -> Option<Self> {
        fields.only_block::<T>(name)
    }
}

/// All blocks in source order.
impl<T: DecodeBlock> DecodeBlocks for Vec<T> {
    fn spec(name: &'static str, count: Count, description: Option<&str>) -> Spec {
        let specs = T::block_types(name).into_iter().map(|BlockType { name, labels: _, spec }| {
            let mut blocks = BlocksSpec::new(name, spec);
            if !T::SEVERAL_TYPES {
                blocks.min_items = count.min;
                blocks.max_items = (count.max < usize::MAX).then_some(count.max);
            }
            blocks.description = description.map(Into::into);
            (name, Spec::BlockTuple(blocks))
        });
        one_or_object(specs.collect())
    }

    fn decode_blocks(fields: &mut Fields<'_>, name: &'static str, count: Count) -> Option<Self> {
        let total = fields.blocks_of::<T>(name).count();
        let mut decoded = Self::with_capacity(total);
        let mut failed = false;
        for at in fields.blocks_of::<T>(name) {
            match fields.decode_block::<T>(at, 0) {
                Some(block) => decoded.push(block),
                None => failed = true,
            }
        }
        failed |= !fields.check_count::<T>(name, total, count);
        (!failed).then_some(decoded)
    }
}

/// All blocks in source order, or `None` if there are none.
impl<T: DecodeBlock> DecodeBlocks for Option<Vec<T>> {
    fn spec(name: &'static str, count: Count, description: Option<&str>) -> Spec {
        <Vec<T> as DecodeBlocks>::spec(name, count, description)
    }

    fn decode_blocks(fields: &mut Fields<'_>, name: &'static str, count: Count) -> Option<Self> {
        let blocks = <Vec<T> as DecodeBlocks>::decode_blocks(fields, name, count)?;
        Some(Some(blocks).filter(|blocks| !blocks.is_empty()))
    }
}

fn one_spec<T: DecodeBlock>(name: &'static str, required: bool, description: Option<&str>) -> Spec {
    let specs = T::block_types(name).into_iter().map(|BlockType { name, labels: _, spec }| {
        let mut block = BlockSpec::new(name, spec);
        block.required = required && !T::SEVERAL_TYPES;
        block.description = description.map(Into::into);
        (name, Spec::from(block))
    });
    one_or_object(specs.collect())
}

/// A spec for a block type, or an object for several types.
fn one_or_object(mut specs: Vec<(&'static str, Spec)>) -> Spec {
    match specs.len() {
        1 => specs.remove(0).1,
        _ => Spec::object(specs),
    }
}

/// The spec of blocks by their first label.
pub fn keyed_spec<T: Decode>(name: &'static str, description: Option<&str>) -> Spec {
    let mut blocks = LabeledBlocksSpec::new(name, ["name"], T::spec());
    blocks.description = description.map(Into::into);
    Spec::BlockObject(blocks)
}

/// The spec of a label.
pub fn label_spec(index: usize, name: &'static str, optional: bool) -> Spec {
    let mut label = BlockLabelSpec::new(index, name);
    label.optional = optional;
    label.into()
}

impl<'a> Fields<'a> {
    /// The indices of the blocks that are to be decoded to a type.
    fn blocks_of<T: DecodeBlock>(&self, name: &'static str) -> impl Iterator<Item = usize> + use<'a, T> {
        self.blocks.indices(move |block_type| T::is_block_type(name, block_type))
    }

    /// Decodes a block by its index. An error has been reported if the result is `None`.
    pub(super) fn decode_block<T: DecodeBlock>(&mut self, at: usize, taken: usize) -> Option<T> {
        self.diagnostics.absorb(T::decode_block(&GivenBlock::new(self.blocks.get(at)), taken, self.context))
    }

    /// The only block of a type, if there is one. An error has been reported if the result is `None`.
    fn only_block<T: DecodeBlock>(&mut self, name: &'static str) -> Option<Option<T>> {
        let mut blocks = self.blocks_of::<T>(name);
        let Some(first) = blocks.next() else { return Some(None) };
        let decoded = self.decode_block(first, 0);
        if let Some(second) = blocks.next() {
            let message = messages::spec::second_block(self.blocks.get(second).block_type());
            self.duplicate(first, second, message);
            return None;
        }
        decoded.map(Some)
    }

    /// Reports a block that repeats another one.
    pub(super) fn duplicate(&mut self, first: usize, second: usize, message: Message) {
        let (first, second) = (self.blocks.get(first), self.blocks.get(second));
        let diagnostic = message.in_source(second.source(), second.definition_span()).with_related(
            first.source(),
            first.definition_span(),
            messages::related::FIRST_DEFINED,
        );
        self.diagnostics.push(diagnostic);
    }

    fn missing_block(&mut self, types: &[BlockType]) {
        let names: Vec<&str> = types.iter().map(|one| one.name).collect();
        self.report_missing(messages::typed::missing_block_of(&names));
    }

    /// Reports too few or too many blocks. Returns false if it did.
    fn check_count<T: DecodeBlock>(&mut self, name: &'static str, count: usize, wanted: Count) -> bool {
        if (wanted.min..=wanted.max).contains(&count) {
            return true;
        }
        let types = T::block_types(name);
        let names: Vec<&str> = types.iter().map(|one| one.name).collect();
        if count < wanted.min {
            self.report_missing(messages::typed::too_few_blocks(&names, wanted.min, count));
        } else {
            let message = messages::typed::too_many_blocks(&names, wanted.max, count);
            let extra = self.blocks_of::<T>(name).nth(wanted.max).map(|extra| self.blocks.get(extra));
            let place = extra.map_or_else(|| self.place(), |extra| GivenBlock::new(extra).place());
            self.diagnostics.push(message.at(place));
        }
        false
    }

    /// The blocks of a type by their first label, in source order. The result is `None` if an error was reported.
    pub fn keyed_blocks<C, K, T>(&mut self, name: &'static str) -> Option<C>
    where
        C: Default + Extend<(K, T)>,
        for<'c> &'c C: IntoIterator<IntoIter: ExactSizeIterator>,
        K: DecodeLabel,
        T: Decode,
    {
        let blocks = self.blocks;
        let mut seen: HashMap<Cow<'_, str>, usize> = HashMap::new();
        let mut failed = false;
        let mut map = C::default();
        for at in self.blocks_of::<T>(name) {
            let block = GivenBlock::new(blocks.get(at));
            let Some(label) = block.label(0) else { continue };
            let key = K::decode_label(&block, 0);
            let decoded = self.diagnostics.absorb(T::decode_block(&block, 1, self.context));
            let key = self.report(key);
            let is_new = match seen.entry(label) {
                Entry::Occupied(first) => {
                    let message = messages::spec::duplicate_labels(name, Some(&[first.key()]));
                    self.duplicate(*first.get(), at, message);
                    false
                }
                Entry::Vacant(vacant) => {
                    vacant.insert(at);
                    true
                }
            };
            let (Some(entry), true) = (key.zip(decoded), is_new) else {
                failed = true;
                continue;
            };
            let before = (&map).into_iter().len();
            map.extend([entry]);
            // Different labels can be the same key, such as `80` and `080`.
            if (&map).into_iter().len() == before {
                let message = messages::typed::duplicate_key(name, &block.label(0).unwrap_or_default());
                self.diagnostics.push(message.at(block.label_place(0)));
                failed = true;
            }
        }
        (!failed).then_some(map)
    }
}

/// A Rust type that a field for a label can have: every type that implements `FromStr`, or a [`Spanned`] of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a label",
    note = "a label is one text, which `FromStr` reads; several labels are several fields with `#[hcl(label)]`"
)]
pub trait DecodeLabel: Sized {
    /// Reads a label of a block.
    ///
    /// # Errors
    /// The label is invalid.
    fn decode_label(block: &GivenBlock<'_>, index: usize) -> Result<Self, Diagnostics>;
}

impl<T: std::str::FromStr<Err: std::fmt::Display>> DecodeLabel for T {
    fn decode_label(block: &GivenBlock<'_>, index: usize) -> Result<T, Diagnostics> {
        let label = block.label(index).unwrap_or_default();
        label.parse().map_err(|error: T::Err| {
            messages::typed::invalid_label_value(error).at(block.label_place(index)).into()
        })
    }
}

impl<T: DecodeLabel> DecodeLabel for Spanned<T> {
    fn decode_label(block: &GivenBlock<'_>, index: usize) -> Result<Self, Diagnostics> {
        Ok(Self::new(T::decode_label(block, index)?, block.label_place(index)))
    }
}
