//! What the table of a language says about a place: the arguments and blocks that can be there.

use hclkit::dialect::{Dialect, NestedRole, NestedRule, Takes};

use crate::body_schema::{About, Argument, Block};

/// The arguments of a block. `around` are the types of the blocks around, from the outside in.
pub(crate) fn arguments(part: &Dialect, around: &[&str]) -> Vec<Argument> {
    let own = around.last().copied().unwrap_or_default();
    let mut found = by_rules(part, around);
    // The entries of such a block have the arguments that are described for it.
    let is_open = nested(part, around.iter().rev().nth(1).copied(), own)
        .is_some_and(|rule| rule.attributes.is_none() && !own.is_empty() && rule.role == NestedRole::Opaque);
    for name in part.help.arguments(own).filter(|_| !is_open) {
        if !found.iter().any(|argument| argument.name == name) {
            found.push(Argument { name: name.to_owned(), ..Argument::default() });
        }
    }
    for argument in &mut found {
        match part.help.takes(own, &argument.name) {
            Some(Takes::Value(ty)) if argument.ty.is_none() => argument.ty = Some(ty.clone()),
            Some(Takes::Addresses) if argument.name.ends_with('s') || argument.name.ends_with("by") => {
                argument.refers = true;
            }
            _ => {}
        }
        if let Some(about) = part.help.about(own, &argument.name) {
            about.clone_into(&mut argument.about.description);
        }
    }
    found
}

/// The arguments that the rules of a block have.
fn by_rules(part: &Dialect, around: &[&str]) -> Vec<Argument> {
    let Some((own, outer)) = around.split_last() else { return Vec::new() };
    let mut found: Vec<Argument> = Vec::new();
    let mut add = |name: &str, required: bool| match found.iter_mut().find(|argument| argument.name == name) {
        Some(argument) => argument.required |= required,
        None => found.push(Argument { name: name.to_owned(), required, ..Argument::default() }),
    };
    if let (true, Some(rule)) = (outer.is_empty(), part.block(own)) {
        let schema = rule.schema(part);
        for attribute in schema.attributes() {
            add(&attribute.name, attribute.required);
        }
        for name in &rule.meta {
            add(name, false);
        }
        for name in &rule.required {
            add(name, true);
        }
        for argument in &mut found {
            argument.values = keywords(&rule.keywords, &argument.name);
            argument.is_closed = !argument.values.is_empty();
            argument.ty =
                rule.constants.iter().find(|(name, _)| *name == *argument.name).map(|(_, ty)| ty.clone());
            argument.refers = part.has_reference_strings(&argument.name) && argument.name.ends_with('s');
        }
        return found;
    }
    let Some(rule) = nested(part, outer.last().copied(), own) else { return Vec::new() };
    let condition = rule.role == hclkit::dialect::NestedRole::Condition;
    let known: &[&str] = if condition { &["condition", "error_message"] } else { &[] };
    for name in known {
        add(name, true);
    }
    for name in
        rule.attributes.iter().flatten().chain(&rule.fixed).chain(&rule.references).chain(&rule.repeat)
    {
        if **name != *"*" {
            add(name, false);
        }
    }
    for (name, _) in &rule.keywords {
        add(name, false);
    }
    for name in &rule.required {
        add(name, true);
    }
    for argument in &mut found {
        let types = rule.constants.iter().chain(&rule.argument_types);
        argument.ty = types.clone().find(|(name, _)| *name == *argument.name).map(|(_, ty)| ty.clone());
        argument.values = keywords(&rule.keywords, &argument.name);
        argument.is_closed = !argument.values.is_empty();
    }
    found
}

fn about(part: &Dialect, block: &str, name: &str) -> About {
    About { description: part.help.about(block, name).unwrap_or_default().to_owned(), ..About::default() }
}

fn keywords(all: &[hclkit::dialect::Keywords], name: &str) -> Vec<String> {
    let own = all.iter().find(|(own, _)| **own == *name);
    own.map(|(_, values)| values.iter().map(ToString::to_string).collect()).unwrap_or_default()
}

/// The rule for a block in another one.
fn nested<'d>(part: &'d Dialect, around: Option<&str>, name: &str) -> Option<&'d NestedRule> {
    let mut of_type = part.nested_blocks.iter().filter(|rule| *rule.block_type == *name);
    let first = of_type.clone().next();
    let around = around?;
    of_type.find(|rule| rule.within.iter().any(|within| **within == *around)).or(first)
}

/// The blocks that can be in a block, or at the top of a file.
pub(crate) fn blocks(part: &Dialect, around: &[&str]) -> Vec<Block> {
    let Some((own, outer)) = around.split_last() else {
        let all = part.blocks.iter().map(|rule| Block {
            name: rule.block_type.to_string(),
            labels: rule.labels.clone(),
            about: about(part, "", &rule.block_type),
            ..Block::default()
        });
        return all.collect();
    };
    let rule = part.block(own).filter(|_| outer.is_empty());
    let once =
        |name: &str| rule.is_some_and(|rule| rule.once.iter().chain(&rule.single).any(|own| **own == *name));
    let mut names: Vec<String> = part.nested_blocks.iter().map(|rule| rule.block_type.to_string()).collect();
    names.extend(rule.iter().flat_map(|rule| rule.blocks.iter().map(ToString::to_string)));
    names.sort();
    names.dedup();
    let one = |name: String| {
        let shape = part.shape(Some(own), &name)?;
        let types = nested(part, Some(own), &name).and_then(|rule| rule.types.as_ref());
        Some(Block {
            labels: shape.labels.to_vec(),
            once: once(&name),
            about: about(part, own, &name),
            values: types.into_iter().flatten().map(ToString::to_string).collect(),
            name,
            ..Block::default()
        })
    };
    names.into_iter().filter_map(one).collect()
}
