//! Addresses of attributes and blocks in a file, such as `server.web.port`: the types and labels of blocks, then an
//! attribute's name, then steps into its value. `[0]` is the first of several blocks of the same type and labels.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt::Write as _;

use hclkit::ast::{Attribute, Block, Body, Expression as Syntax, Item};
use hclkit::model::Target;
use hclkit::syntax::{is_identifier, nearest_name};
use hclkit::value::{Path, Step};
use hclkit::{Expression, Value};
use indexmap::IndexSet;

use crate::output::Failure;

/// How many names are listed that there are instead.
const MOST_NAMES: usize = 20;

/// What is at an address.
pub(super) enum Found<'d> {
    /// The value of an attribute, or what the path leads to in it.
    Value(Syntax<'d>, Path),
    /// The body of a block.
    Body(Body<'d>),
}

/// Finds what is at an address.
pub(super) fn find<'d>(body: Body<'d>, address: &str) -> Result<Found<'d>, Failure> {
    let steps = steps(address)?;
    let mut body = body;
    let mut rest = &steps[..];
    while let Some((first, behind)) = rest.split_first() {
        let missing = || Failure::new(nothing_at(names(body), address, first));
        let name = text(first).ok_or_else(missing)?;
        if let Some(attribute) = body.attribute(name) {
            return Ok(Found::Value(attribute.value(), path(behind)));
        }
        let blocks: Vec<Block> = body.blocks().filter(|block| block.block_type() == name).collect();
        if blocks.is_empty() {
            return Err(missing());
        }
        let (block, behind) = one_block(blocks, behind, address)?;
        (body, rest) = (block.body(), behind);
    }
    Ok(Found::Body(body))
}

/// All attributes of a body and of the blocks in it, in source order, each with its address.
pub(super) fn attributes(body: Body<'_>) -> Vec<(String, Attribute<'_>)> {
    let mut found = Vec::new();
    collect(body, "", &mut found);
    found
}

fn collect<'d>(body: Body<'d>, prefix: &str, found: &mut Vec<(String, Attribute<'d>)>) {
    let mut addresses = addresses(body.blocks()).into_iter();
    for item in body.items() {
        match item {
            Item::Attribute(attribute) => {
                found.push((format!("{prefix}{}", attribute.name()), attribute));
            }
            Item::Block(block) => {
                let address = addresses.next().unwrap_or_default();
                collect(block.body(), &format!("{prefix}{address}."), found);
            }
        }
    }
}

/// The addresses of blocks, with numbers where they are alike.
fn addresses<'d>(blocks: impl Iterator<Item = Block<'d>>) -> Vec<String> {
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
            "`{address}` is no address; one looks like server.web.port or server[\"a b\"].ports[0]"
        ))
    })?;
    let first = Target::Attribute(traversal.root);
    Ok(std::iter::once(first).chain(traversal.steps.into_iter().map(|step| step.target)).collect())
}

/// The block that the first steps lead to, its labels and a number, and the steps behind.
fn one_block<'d, 's>(
    blocks: Vec<Block<'d>>,
    steps: &'s [Target],
    address: &str,
) -> Result<(Block<'d>, &'s [Target]), Failure> {
    let (mut blocks, mut rest) = (blocks, steps);
    for level in 0.. {
        let Some((label, behind)) = rest.split_first().and_then(|(step, behind)| Some((text(step)?, behind)))
        else {
            break;
        };
        let with_label = |block: &Block| block.label_texts().get(level).is_some_and(|own| own == label);
        if !blocks.iter().any(with_label) {
            if blocks.iter().all(|block| block.labels().count() > level) {
                return Err(Failure::new(format!(
                    "there is nothing at {address}; there are {}",
                    list(&blocks)
                )));
            }
            // What is no label is the name of something in the body.
            blocks.retain(|block| block.labels().count() == level);
            break;
        }
        blocks.retain(with_label);
        rest = behind;
    }
    if let Some((Target::Element(number), behind)) = rest.split_first()
        && let Some(number) = number.as_number()
    {
        let at = number.to_u64().and_then(|at| usize::try_from(at).ok());
        let block = at.and_then(|at| blocks.get(at).copied());
        let count = blocks.len();
        return block.map(|block| (block, behind)).ok_or_else(|| {
            Failure::new(format!("there is nothing at {address}: the last block is number {}", count - 1))
        });
    }
    match blocks[..] {
        [block] => Ok((block, rest)),
        _ => Err(Failure::new(format!("{address} could be in each of {}", list(&blocks)))),
    }
}

/// The addresses of the first blocks.
fn list(blocks: &[Block<'_>]) -> String {
    some(&addresses(blocks.iter().copied()))
}

/// As many names as can be read, with commas between them.
fn some(names: &[impl Borrow<str>]) -> String {
    let more = if names.len() > MOST_NAMES { ", …" } else { "" };
    format!("{}{more}", names[..names.len().min(MOST_NAMES)].join(", "))
}

fn of_block(block: Block<'_>) -> String {
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

fn names(body: Body<'_>) -> impl Iterator<Item = &str> {
    body.items().map(|item| match item {
        Item::Attribute(attribute) => attribute.name(),
        Item::Block(block) => block.block_type(),
    })
}

/// Says that none of these names is that of a step.
pub(super) fn nothing_at<'n>(names: impl Iterator<Item = &'n str>, address: &str, step: &Target) -> String {
    let names: Vec<&str> = names.collect::<IndexSet<_>>().into_iter().collect();
    let name = text(step).map_or_else(String::new, |name| format!(": no `{name}`"));
    let hint = match text(step).and_then(|name| nearest_name(name, names.iter().copied())) {
        Some(near) => format!("; did you mean `{near}`?"),
        None if names.is_empty() => String::new(),
        None => format!("; there are {}", some(&names)),
    };
    format!("there is nothing at {address}{name}{hint}")
}

/// The name that a step is.
pub(super) fn text(step: &Target) -> Option<&str> {
    match step {
        Target::Attribute(name) => Some(name.as_str()),
        Target::Element(key) => key.as_str(),
    }
}

/// Steps into a value.
pub(super) fn path(steps: &[Target]) -> Path {
    let step = |step: &Target| match step {
        Target::Attribute(name) => Step::Attribute(name.into()),
        Target::Element(key) => Step::Index(key.clone()),
    };
    Path::from(steps.iter().map(step).collect::<Vec<_>>())
}
