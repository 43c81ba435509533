//! `hcl edit attribute`, `hcl edit block` and `hcl edit body`: the subcommands of hcledit on our edits, with its output.

use hclkit::syntax::{NodeId, is_identifier, visible_line};
use hclkit::write::{EditError, Edits, Match, Selector, raw, source_of};
use hclkit::{Document, Source, StartSymbol, Value};

use crate::args::{AttributeVerb, BlockVerb, BodyVerb, Hcledit};
use crate::atomic_write;
use crate::edit::{self, parse};
use crate::input::Input;
use crate::outcome::{Failure, Outcome};
use crate::output::{print_bytes, print_diagnostics, print_written, warn};

pub(crate) fn run(command: &Hcledit) -> Result<Outcome, Failure> {
    let options = command.options();
    let input = Input::of(&options.file);
    let document = Document::parse(input.read().map_err(Failure::from)?, StartSymbol::Config);
    if document.has_errors() {
        print_diagnostics(document.diagnostics())?;
        return Ok(Outcome::of_errors(document.diagnostics()));
    }
    let edited = match command {
        Hcledit::Attribute(attribute) => match &attribute.verb {
            AttributeVerb::Get { address, with_comments } => {
                return get_value(&document, address, *with_comments);
            }
            verb => edit_attribute(&document, verb)?,
        },
        Hcledit::Block(block) => match &block.verb {
            BlockVerb::Get { address } => return get_blocks(&document, address),
            BlockVerb::List => return list(&document),
            verb => edit_block(&document, verb)?,
        },
        Hcledit::Body(body) => {
            let BodyVerb::Get { address } = &body.verb;
            return get_body(&document, address);
        }
    };
    let edited = edited.apply().map_err(|error| Failure::new(edit::why(&error)))?;
    let (old, new) = (document.source(), edited.source());
    match input.path().filter(|_| options.update) {
        None => print_bytes(new.bytes())?,
        Some(_) if old.bytes() == new.bytes() => {}
        Some(path) => {
            let has_other_names = atomic_write::rewrite(path, || input.open(), old.bytes(), new.bytes())
                .map_err(|why| Failure::new(format!("cannot write {}: {why}", old.name())))?;
            if has_other_names {
                warn(format_args!("{} had other hard links, which keep the old content", old.name()));
            }
            print_written(old.name(), "1 change")?;
        }
    }
    Ok(Outcome::Fine)
}

fn select<'d>(document: &'d Document, address: &str) -> Result<Vec<Match<'d>>, Failure> {
    in_document(&parse(address)?, document)
}

fn in_document<'d>(path: &Selector, document: &'d Document) -> Result<Vec<Match<'d>>, Failure> {
    path.select(document).map_err(|errors| Failure::new(format!("{path}: {}", edit::first(&errors))))
}

/// The selected attributes and object items. If there are none, the labels of their blocks may all be left out.
fn attributes<'d>(document: &'d Document, address: &str) -> Result<Vec<Match<'d>>, Failure> {
    let path = parse(address)?;
    let mut found = in_document(&path, document)?;
    if let (true, Some((parent, _))) = (found.is_empty(), path.split_last())
        && in_document(&parent, document)?.iter().any(|found| is_type(document, found))
    {
        let (path, parent) = (path.to_string(), parent.to_string());
        found = select(document, &format!("{parent}~{}", &path[parent.len()..]))?;
    }
    found.retain(|found| found.expression().is_some());
    Ok(found)
}

/// The selected blocks, with all labels matched.
fn blocks<'d>(document: &'d Document, address: &str) -> Result<Vec<Match<'d>>, Failure> {
    let mut found = select(document, address)?;
    found.retain(|found| document.block_at(found.node()).is_some() && is_whole(document, found));
    Ok(found)
}

/// The same for output. If there are none, the labels may all be left out.
fn shown_blocks<'d>(document: &'d Document, address: &str) -> Result<Vec<Match<'d>>, Failure> {
    let mut found = blocks(document, address)?;
    if found.is_empty() {
        found = select(document, address)?;
        found.retain(|found| is_type(document, found));
    }
    Ok(found)
}

/// Returns true if all labels of a block are matched, and for everything else.
fn is_whole(document: &Document, found: &Match<'_>) -> bool {
    let last = document.block_at(found.node()).and_then(|block| block.labels().last());
    last.is_none_or(|label| label.id() == found.named())
}

/// Returns true if only the type of a block is matched.
fn is_type(document: &Document, found: &Match<'_>) -> bool {
    document.block_at(found.node()).is_some() && found.named() == found.node()
}

fn get_value(document: &Document, address: &str, with_comments: bool) -> Result<Outcome, Failure> {
    let found = attributes(document, address)?;
    if let Some(found) = found.first()
        && let Some(value) = found.expression()
    {
        let mut text = source_of(document, value.id()).trim_end_matches('\n').to_owned();
        if with_comments {
            let owned = Edits::new(document).owned_source(found.node());
            let trailing = owned.rfind(text.as_str()).map(|at| &owned[at + text.len()..]);
            text.push_str(trailing.unwrap_or_default());
        }
        print_bytes(format!("{text}\n").as_bytes())?;
    }
    Ok(Outcome::Fine)
}

fn get_blocks(document: &Document, address: &str) -> Result<Outcome, Failure> {
    let edits = Edits::new(document);
    let blocks: Vec<String> =
        shown_blocks(document, address)?.iter().map(|found| edits.owned_source(found.node())).collect();
    if !blocks.is_empty() {
        print_bytes(format!("{}\n", blocks.join("\n\n")).as_bytes())?;
    }
    Ok(Outcome::Fine)
}

fn list(document: &Document) -> Result<Outcome, Failure> {
    for block in document.body().blocks() {
        let labels = block.label_texts();
        let names = std::iter::once(block.block_type()).chain(labels.iter().map(AsRef::as_ref));
        let names: Vec<String> = names.map(|name| name.replace('.', "\\.")).collect();
        print_bytes(format!("{}\n", names.join(".")).as_bytes())?;
    }
    Ok(Outcome::Fine)
}

fn get_body(document: &Document, address: &str) -> Result<Outcome, Failure> {
    let found = shown_blocks(document, address)?;
    if let Some(block) = found.first().and_then(|found| document.block_at(found.node())) {
        let body = source_of(document, block.body().id());
        let line_break = if body.is_empty() { "" } else { "\n" };
        print_bytes(format!("{body}{line_break}").as_bytes())?;
    }
    Ok(Outcome::Fine)
}

/// Adds an edit, whose error ends the command.
fn done(result: Result<(), EditError>) -> Result<(), Failure> {
    result.map_err(|error| Failure::new(edit::why(&error)))
}

/// The source of an attribute. The value must be one expression, so that nothing else is inserted.
fn one_attribute(name: &str, value: &str) -> Result<String, Failure> {
    let text = format!("{name} = {value}");
    let document = Document::parse(Source::new("<value>", text.as_str()), StartSymbol::Config);
    let body = document.body();
    let is_one = body.items().count() == 1 && body.attributes().any(|own| own.name() == name);
    if !is_one || document.has_errors() {
        return Err(Failure::new(format!("{} is not an expression", visible_line(value))));
    }
    Ok(text)
}

/// A blank line before the inserted text, if requested.
fn gap(newline: bool) -> &'static str {
    if newline { "\n" } else { "" }
}

/// The path without its last name, and that name.
fn split_last(address: &str) -> Result<(Selector, String), Failure> {
    let last = parse(address)?.split_last();
    last.ok_or_else(|| Failure::new(format!("{address}: the address must end with a name")))
}

fn edit_attribute<'d>(document: &'d Document, verb: &AttributeVerb) -> Result<Edits<'d>, Failure> {
    let mut edits = Edits::new(document);
    match verb {
        AttributeVerb::Get { .. } => {}
        AttributeVerb::Set { address, value } => {
            for found in attributes(document, address)?.iter().take(1) {
                done(edits.set(found, raw(value)))?;
            }
        }
        AttributeVerb::Append { address, value, newline } => {
            if !attributes(document, address)?.is_empty() {
                return Err(Failure::new(format!("attribute already exists: {address}")));
            }
            let (parent, name) = split_last(address)?;
            let parents = in_document(&parent, document)?;
            let whole = parents.iter().find(|found| is_whole(document, found));
            if let Some(found) = whole.or_else(|| parents.iter().find(|found| is_type(document, found))) {
                let attribute = one_attribute(&name, value)?;
                done(edits.append(found.node(), &format!("{}{attribute}", gap(*newline))))?;
            }
        }
        AttributeVerb::Rm { address } => {
            for found in attributes(document, address)?.iter().take(1) {
                done(edits.remove(found.node()))?;
            }
        }
        AttributeVerb::Mv { from, to } => {
            let (parent, name) = split_last(to)?;
            if !attributes(document, to)?.is_empty() {
                return Err(Failure::new(format!("attribute already exists: {to}")));
            }
            if parent.to_string() != split_last(from)?.0.to_string() {
                return Err(Failure::new(
                    "an attribute can only be renamed: both addresses must have the same parent",
                ));
            }
            for found in attributes(document, from)?.iter().take(1) {
                done(edits.rename(found.node(), &name))?;
            }
        }
        AttributeVerb::Replace { address, name, value } => {
            for found in attributes(document, address)?.iter().take(1) {
                done(edits.rename(found.node(), name))?;
                done(edits.set(found, raw(value)))?;
            }
        }
    }
    Ok(edits)
}

fn edit_block<'d>(document: &'d Document, verb: &BlockVerb) -> Result<Edits<'d>, Failure> {
    let mut edits = Edits::new(document);
    match verb {
        BlockVerb::Get { .. } | BlockVerb::List => {}
        BlockVerb::Append { parent, child, newline } => {
            for found in blocks(document, parent)? {
                done(edits.append(found.node(), &format!("{}{}", gap(*newline), empty_block(child)?)))?;
            }
        }
        BlockVerb::New { address, newline } => {
            let block = format!("{}{}", gap(*newline), empty_block(address)?);
            done(edits.append(document.body().id(), &block))?;
        }
        BlockVerb::Mv { from, to } => {
            let (old, new) = (names(from)?, names(to)?);
            for found in blocks(document, from)? {
                rename(document, &mut edits, found.node(), &old, &new)?;
            }
        }
        BlockVerb::Rm { address } => {
            for found in blocks(document, address)? {
                done(edits.remove(found.node()))?;
            }
        }
    }
    Ok(edits)
}

/// The names of an address of plain names.
fn names(address: &str) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    let mut path = Some(parse(address)?);
    while let Some(rest) = path.filter(|path| path.to_string() != ".") {
        let Some((parent, name)) = rest.split_last() else {
            return Err(Failure::new(format!("{address}: the address must consist of names")));
        };
        names.insert(0, name);
        path = Some(parent);
    }
    if names.is_empty() {
        return Err(Failure::new(format!("{address}: the address must have a name")));
    }
    Ok(names)
}

fn empty_block(address: &str) -> Result<String, Failure> {
    let names = names(address)?;
    if !is_identifier(&names[0]) {
        return Err(Failure::new(format!("{} is not a block type", visible_line(&names[0]))));
    }
    let labels = names[1..].iter().map(|label| Value::from(label.as_str()).to_string());
    let header: Vec<String> = std::iter::once(names[0].clone()).chain(labels).collect();
    Ok(format!("{} {{\n}}", header.join(" ")))
}

/// Gives a block the type and labels of a new address, which must have the same parent.
fn rename(
    document: &Document,
    edits: &mut Edits<'_>,
    block: NodeId,
    old: &[String],
    new: &[String],
) -> Result<(), Failure> {
    let Some(block) = document.block_at(block) else { return Ok(()) };
    let labels: Vec<NodeId> = block.labels().map(hclkit::ast::LabelNode::id).collect();
    let around = old.len().saturating_sub(labels.len() + 1);
    let Some((block_type, new_labels)) = new.get(around..).and_then(<[String]>::split_first) else {
        return Err(Failure::new("the new address has too few names"));
    };
    if old[..around] != new[..around] {
        return Err(Failure::new("a block can only be renamed: both addresses must have the same parent"));
    }
    if block.block_type() != *block_type {
        done(edits.rename(block.id(), block_type))?;
    }
    for (label, name) in labels.iter().zip(new_labels) {
        done(edits.rename(*label, name))?;
    }
    for label in labels.iter().skip(new_labels.len()) {
        done(edits.remove(*label))?;
    }
    for name in new_labels.iter().skip(labels.len()) {
        done(edits.append_label(block.id(), name))?;
    }
    Ok(())
}
