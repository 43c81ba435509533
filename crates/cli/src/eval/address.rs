//! Addresses of attributes and blocks in a file, such as `server.web.port`: the types and labels of blocks, then an
//! attribute's name, then steps into its value. `[0]` is the first of several blocks of the same type and labels.
//! Without a number, the only one of them that has what the steps after it lead to is meant.

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

/// Why nothing is found.
enum Missing {
    Nothing(String),
    /// Several blocks have it.
    Several(String),
}

/// Finds what is at an address. Of several blocks that could be meant it is in the only one that has it.
pub(super) fn find<'d>(body: Body<'d>, address: &str) -> Result<Found<'d>, Failure> {
    find_in(body, &steps(address)?, address).map_err(|missing| match missing {
        Missing::Nothing(why) | Missing::Several(why) => Failure::new(why),
    })
}

fn find_in<'d>(body: Body<'d>, steps: &[Target], address: &str) -> Result<Found<'d>, Missing> {
    let Some((first, rest)) = steps.split_first() else { return Ok(Found::Body(body)) };
    let missing = || Missing::Nothing(nothing_at(names(body), address, first));
    let name = text(first).ok_or_else(missing)?;
    if let Some(attribute) = body.attribute(name) {
        return Ok(Found::Value(attribute.value(), path(rest)));
    }
    let blocks: Vec<Block> = body.blocks().filter(|block| block.block_type() == name).collect();
    if blocks.is_empty() {
        return Err(missing());
    }
    let (blocks, rest) = matching(blocks, rest, address)?;
    match blocks[..] {
        [block] => find_in(block.body(), rest, address),
        _ => find_in_one(&blocks, rest, address),
    }
}

/// Finds what the steps lead to in the only one of several blocks that has it.
fn find_in_one<'d>(blocks: &[Block<'d>], steps: &[Target], address: &str) -> Result<Found<'d>, Missing> {
    let several =
        |having: &[String]| Missing::Several(format!("{address} could be in each of {}", some(having)));
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
            Err(missing) if names(block.body()).any(|name| text(first) == Some(name)) => {
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

/// The blocks that the first steps lead to, which are labels and a number, and the steps after those.
fn matching<'d, 's>(
    blocks: Vec<Block<'d>>,
    steps: &'s [Target],
    address: &str,
) -> Result<(Vec<Block<'d>>, &'s [Target]), Missing> {
    let (mut blocks, mut rest) = (blocks, steps);
    for level in 0.. {
        let Some((label, after)) = rest.split_first().and_then(|(step, after)| Some((text(step)?, after)))
        else {
            break;
        };
        let with_label = |block: &Block| block.label_texts().get(level).is_some_and(|own| own == label);
        if !blocks.iter().any(with_label) {
            if blocks.iter().all(|block| block.labels().count() > level) {
                let blocks = list(&blocks);
                return Err(Missing::Nothing(format!("there is nothing at {address}; there are {blocks}")));
            }
            // What is no label is the name of something in the body.
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
            Missing::Nothing(format!("there is nothing at {address}: the last block is number {last}"))
        })?;
        return Ok((vec![block], after));
    }
    Ok((blocks, rest))
}

/// The addresses of the first blocks.
fn list(blocks: &[Block<'_>]) -> String {
    some(&addresses(blocks.iter().copied()))
}

/// As many names as can be read, with commas between them.
pub(super) fn some(names: &[impl Borrow<str>]) -> String {
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
