//! Addresses of attributes and blocks in a file, such as `server.web.port`. An address consists of the types and labels
//! of blocks, the name of an attribute and steps into its value. `[0]` selects the first of several blocks with the
//! same type and labels. Without an index, the rest of the address must exist in only one of them.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;

use hclkit::ast::{AttributeNode, BlockNode, BodyNode, ExpressionNode, Item};
use hclkit::model::Target;
use hclkit::syntax::{is_identifier, nearest_name, or_did_you_mean};
use hclkit::value::{Path, Step};
use hclkit::{Expression, Value};
use indexmap::IndexSet;

use crate::outcome::Failure;

/// The maximum number of names to list in an error.
const MOST_NAMES: usize = 20;

/// The result of an address.
pub(super) enum Selected<'d> {
    /// The value of an attribute and the path into it.
    Value(ExpressionNode<'d>, Path),
    /// The body of a block.
    Body(BodyNode<'d>),
}

/// Why an address has no result.
enum Missing {
    Nothing(Failure),
    /// Several blocks match.
    Several(String),
}

/// Finds the attribute or block at an address. If several blocks match a part of the address, the rest must exist in
/// only one of them.
pub(super) fn find<'d>(body: BodyNode<'d>, address: &str) -> Result<Selected<'d>, Failure> {
    find_in(body, &steps(address)?, address).map_err(|missing| match missing {
        Missing::Nothing(failure) => failure,
        Missing::Several(why) => Failure::new(why),
    })
}

fn find_in<'d>(body: BodyNode<'d>, steps: &[Target], address: &str) -> Result<Selected<'d>, Missing> {
    let Some((first, rest)) = steps.split_first() else { return Ok(Selected::Body(body)) };
    let missing = || Missing::Nothing(nothing_at(names(body), address, first));
    let name = first.name().ok_or_else(missing)?;
    if let Some(attribute) = body.attribute(name) {
        return Ok(Selected::Value(attribute.value(), path(rest)));
    }
    let blocks: Vec<BlockNode> = body.blocks().filter(|block| block.block_type() == name).collect();
    if blocks.is_empty() {
        return Err(missing());
    }
    let (blocks, rest) = matching(blocks, rest, address)?;
    match blocks[..] {
        [block] => find_in(block.body(), rest, address),
        _ => find_in_one(&blocks, rest, address),
    }
}

/// Finds the result of the steps in the only one of several blocks that has it.
fn find_in_one<'d>(
    blocks: &[BlockNode<'d>],
    steps: &[Target],
    address: &str,
) -> Result<Selected<'d>, Missing> {
    let several = |having: &[String]| {
        Missing::Several(format!("{address} is ambiguous; it could refer to {}", some(having)))
    };
    let addresses = addresses(blocks.iter().copied());
    let Some(first) = steps.first() else { return Err(several(&addresses)) };
    let (mut found, mut having, mut partly) = (None, Vec::new(), None);
    for (block, own) in blocks.iter().zip(addresses) {
        match find_in(block.body(), steps, address) {
            Ok(here) => {
                found = Some(here);
                having.push(own);
            }
            Err(missing @ Missing::Several(_)) => return Err(missing),
            Err(missing) if names(block.body()).any(|name| first.name() == Some(name)) => {
                partly.get_or_insert(missing);
            }
            Err(_) => {}
        }
    }
    match (found, &having[..]) {
        (Some(found), [_]) => Ok(found),
        (Some(_), _) => Err(several(&having)),
        (None, _) => Err(partly.unwrap_or_else(|| {
            let names = blocks.iter().flat_map(|block| names(block.body()));
            Missing::Nothing(nothing_at(names, address, first))
        })),
    }
}

/// An attribute and the blocks around it.
pub(super) struct Placed<'d> {
    pub(super) attribute: AttributeNode<'d>,
    block: Option<Rc<Enclosing>>,
}

/// A block around attributes.
struct Enclosing {
    address: String,
    outer: Option<Rc<Self>>,
}

impl Placed<'_> {
    /// The address. It is made on demand, and only of the innermost blocks if it would be very long, because the addresses
    /// of deeply nested attributes can be far longer than the source.
    pub(super) fn address(&self) -> String {
        const MAX_BYTES: usize = 1_024;
        let mut left = MAX_BYTES;
        let mut names = vec![self.attribute.name()];
        let mut block = self.block.as_deref();
        while let Some(inner) = block {
            let Some(rest) = left.checked_sub(inner.address.len()) else {
                names.push("…");
                break;
            };
            left = rest;
            names.push(&inner.address);
            block = inner.outer.as_deref();
        }
        names.reverse();
        names.join(".")
    }
}

/// All attributes of a body and of the blocks in it, in source order.
pub(super) fn attributes(body: BodyNode<'_>) -> Vec<Placed<'_>> {
    let mut found = Vec::new();
    collect(body, None, &mut found);
    found
}

fn collect<'d>(body: BodyNode<'d>, outer: Option<&Rc<Enclosing>>, found: &mut Vec<Placed<'d>>) {
    let mut addresses = addresses(body.blocks()).into_iter();
    for item in body.items() {
        match item {
            Item::Attribute(attribute) => found.push(Placed { attribute, block: outer.cloned() }),
            Item::Block(block) => {
                let address = addresses.next().unwrap_or_default();
                collect(block.body(), Some(&Rc::new(Enclosing { address, outer: outer.cloned() })), found);
            }
        }
    }
}

/// The addresses of blocks, with indexes for blocks that have the same type and labels.
fn addresses<'d>(blocks: impl Iterator<Item = BlockNode<'d>>) -> Vec<String> {
    let names: Vec<String> = blocks.map(of_block).collect();
    let mut like: HashMap<&str, (usize, usize)> = HashMap::new();
    for name in &names {
        like.entry(name).or_default().0 += 1;
    }
    let number = |name: &String| match like.get_mut(name.as_str()) {
        Some((2.., next)) => {
            *next += 1;
            format!("{name}[{}]", *next - 1)
        }
        _ => name.clone(),
    };
    names.iter().map(number).collect()
}

/// The steps of an address.
pub(super) fn steps(address: &str) -> Result<Vec<Target>, Failure> {
    let read = Expression::parse(address).and_then(|expression| expression.static_traversal());
    let traversal = read.map_err(|_| {
        Failure::new(format!(
            "`{address}` is not a valid address; expected a form such as server.web.port or server[\"a b\"].ports[0]"
        ))
    })?;
    let first = Target::Attribute(traversal.root);
    Ok(std::iter::once(first).chain(traversal.steps.into_iter().map(|step| step.target)).collect())
}

/// Selects blocks by the labels and the index at the start of the steps. Returns the blocks and the remaining steps.
fn matching<'d, 's>(
    blocks: Vec<BlockNode<'d>>,
    steps: &'s [Target],
    address: &str,
) -> Result<(Vec<BlockNode<'d>>, &'s [Target]), Missing> {
    let (mut blocks, mut rest) = (blocks, steps);
    for level in 0.. {
        let Some((label, after)) = rest.split_first().and_then(|(step, after)| Some((step.name()?, after)))
        else {
            break;
        };
        let with_label = |block: &BlockNode| block.label_texts().get(level).is_some_and(|own| own == label);
        if !blocks.iter().any(with_label) {
            if blocks.iter().all(|block| block.labels().count() > level) {
                let blocks = list(&blocks);
                return Err(Missing::Nothing(Failure::nothing_at(
                    address,
                    &format!("; the blocks are {blocks}"),
                )));
            }
            // A step that is not a label is a name in the body.
            blocks.retain(|block| block.labels().count() == level);
            break;
        }
        blocks.retain(with_label);
        rest = after;
    }
    if let Some((Target::Element(number), after)) = rest.split_first()
        && let Some(number) = number.as_number()
    {
        let at = number.to_u64().and_then(|at| usize::try_from(at).ok());
        let last = blocks.len().saturating_sub(1);
        let block = at.and_then(|at| blocks.get(at).copied()).ok_or_else(|| {
            Missing::Nothing(Failure::nothing_at(
                address,
                &format!(": the index of the last block is {last}"),
            ))
        })?;
        return Ok((vec![block], after));
    }
    Ok((blocks, rest))
}

/// The addresses of the first blocks.
fn list(blocks: &[BlockNode<'_>]) -> String {
    some(&addresses(blocks.iter().copied()))
}

/// A comma-separated list of names, cut after [`MOST_NAMES`].
pub(super) fn some(names: &[impl Borrow<str>]) -> String {
    let more = if names.len() > MOST_NAMES { ", …" } else { "" };
    format!("{}{more}", names[..names.len().min(MOST_NAMES)].join(", "))
}

fn of_block(block: BlockNode<'_>) -> String {
    let mut address = block.block_type().to_owned();
    for label in block.label_texts() {
        if is_identifier(&label) {
            address.push('.');
            address.push_str(&label);
        } else {
            let _ = write!(address, "[{}]", Value::from(&*label));
        }
    }
    address
}

fn names(body: BodyNode<'_>) -> impl Iterator<Item = &str> {
    body.items().map(|item| match item {
        Item::Attribute(attribute) => attribute.name(),
        Item::Block(block) => block.block_type(),
    })
}

/// The error for a step that matches none of the names.
pub(super) fn nothing_at<'n>(names: impl Iterator<Item = &'n str>, address: &str, step: &Target) -> Failure {
    let names: Vec<&str> = names.collect::<IndexSet<_>>().into_iter().collect();
    let name = step.name().map_or_else(String::new, |name| format!(": no `{name}`"));
    let hint = match step.name().and_then(|name| nearest_name(name, names.iter().copied())) {
        Some(near) => or_did_you_mean(Some(near)),
        None if names.is_empty() => String::new(),
        None => format!("; expected {}", some(&names)),
    };
    Failure::nothing_at(address, &format!("{name}{hint}"))
}

/// The path of steps into a value.
pub(super) fn path(steps: &[Target]) -> Path {
    let step = |step: &Target| match step {
        Target::Attribute(name) => Step::Attribute(name.into()),
        Target::Element(key) => Step::Index(key.clone()),
    };
    Path::from(steps.iter().map(step).collect::<Vec<_>>())
}
