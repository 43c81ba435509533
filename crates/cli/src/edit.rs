//! `hcl edit`: changes what paths select, in one or more files. If an edit matches nothing, no file is written.

mod json;
pub(crate) mod json_blocks;
mod orders;
mod script;

use hclkit::functions::{Grants, Library};
use hclkit::syntax::NodeId;
use hclkit::write::{EditError, Edits, Formatter, Match, Selector, Symbol, raw};
use hclkit::{Context, Diagnostics, Document, Syntax};
use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::args::Edit;
use crate::diff;
use crate::host::Host;
use crate::input::{Input, Unreadable};
use crate::output::{Failure, Outcome, complain, print_bytes, print_diagnostics, print_diff, warn};
use crate::replace::{self, Change};
use crate::settings::Settings;
use crate::workers::Workers;
pub(crate) use orders::parse;
use orders::{Action, Order};

/// The result of editing a file.
enum Edited {
    /// The documents before and after, and which edits match.
    Fine(Box<(Document, Document)>, Vec<bool>),
    Unreadable(Unreadable),
    /// The file has errors.
    Wrong(Diagnostics),
    /// An edit failed.
    Failed(String),
}

pub(crate) fn run(command: &Edit) -> Result<Outcome, Failure> {
    let (orders, inputs) = Host::current().limited(|| orders::orders(command))?;
    if command.write {
        replace::clean_beside(&inputs);
    }
    let context = context();
    let settings = Settings::read()?;
    let workers = Workers::new(command.nesting.max_nesting);
    let mut matched = vec![false; orders.len()];
    let mut edited = Vec::with_capacity(inputs.len());
    let mut failed = false;
    let one = |input: &Input| (input.clone(), edit(input, &settings, &orders, &context));
    workers.for_each(&inputs, one, |results| {
        for (input, result) in results {
            match result {
                Edited::Fine(documents, matches) => {
                    matched.iter_mut().zip(matches).for_each(|(matched, matches)| *matched |= matches);
                    edited.push((input, documents));
                    continue;
                }
                Edited::Unreadable(unreadable) => complain(unreadable),
                Edited::Wrong(diagnostics) => print_diagnostics(&diagnostics)?,
                Edited::Failed(problem) => complain(format_args!("{}: {problem}", input.name())),
            }
            failed = true;
        }
        Ok::<_, Failure>(())
    })?;
    if failed {
        return Ok(Outcome::Unreadable);
    }
    let missing: Vec<&Order> =
        orders.iter().zip(&matched).filter(|(_, matched)| !**matched).map(|(order, _)| order).collect();
    if !missing.is_empty() {
        for order in missing {
            complain(format_args!("{} matches nothing", order.text));
        }
        return Ok(Outcome::Problems);
    }
    finish_all(command.write, edited.iter().map(|(input, documents)| (input, &documents.0, &documents.1)))
}

fn edit(input: &Input, settings: &Settings, orders: &[Order], context: &Context) -> Edited {
    let document = match input.parse() {
        Ok(document) if document.has_errors() => return Edited::Wrong(document.diagnostics().clone()),
        Ok(document) => document,
        Err(unreadable) => return Edited::Unreadable(unreadable),
    };
    let formatter = settings.formatter(document.source().name());
    let mut matched = vec![false; orders.len()];
    match Host::current().limited(|| apply(&document, formatter, orders, context, &mut matched)) {
        Ok(after) => Edited::Fine(Box::new((document, after)), matched),
        Err(problem) => Edited::Failed(problem),
    }
}

/// The context of predicates: functions that are the same everywhere.
pub(crate) fn context() -> Context {
    Context::new().with_functions(Library::Terraform.functions(&Grants::new()))
}

/// A name by its address.
pub(crate) fn symbol(address: &str) -> Result<Symbol, Failure> {
    address.parse().map_err(|error: hclkit::write::SymbolError| Failure::new(error.to_string()))
}

/// Writes all files or none, or prints what would change. Edited standard input is printed.
pub(crate) fn finish_all<'a>(
    write: bool,
    edited: impl Iterator<Item = (&'a Input, &'a Document, &'a Document)> + Clone,
) -> Result<Outcome, Failure> {
    let changes: Vec<Change<'_>> = edited
        .clone()
        .filter(|(input, before, after)| {
            write && input.path().is_some() && before.source().bytes() != after.source().bytes()
        })
        .map(|(input, before, after)| {
            let (before, after) = (before.source().bytes(), after.source().bytes());
            Change::Rewrite { input, before, after }
        })
        .collect();
    if !change_all(&changes) {
        return Ok(Outcome::Unreadable);
    }
    for (input, before, after) in edited {
        let (old, new) = (before.source(), after.source());
        if input.path().is_none() {
            print_bytes(new.bytes())?;
        } else if !write && old.bytes() != new.bytes() {
            print_diff(&diff::unified(old.name(), old.text(), new.text()))?;
        }
    }
    Ok(Outcome::Fine)
}

/// Makes all changes of files or none. Returns false if a file was reported that cannot be written.
pub(crate) fn change_all(changes: &[Change<'_>]) -> bool {
    match replace::change_all(changes) {
        Ok(names) => {
            for name in names {
                warn(format_args!("{name} had other hard links, which keep the old content"));
            }
            true
        }
        Err(unreadable) => {
            complain(unreadable);
            false
        }
    }
}

/// The first error, as the reason in a message.
pub(crate) fn first(errors: &Diagnostics) -> String {
    errors.iter().next().map_or_else(String::new, |error| format!("{}: {}", error.summary(), error.note()))
}

/// Makes the edits in a document, and records which of them match.
fn apply(
    document: &Document,
    formatter: Formatter,
    orders: &[Order],
    context: &Context,
    matched: &mut [bool],
) -> Result<Document, String> {
    let mut edits = Edits::new(document).with_formatter(formatter);
    let is_json = document.syntax() == Syntax::Json;
    let value = |source| if is_json { Cow::Owned(json::value(source)) } else { Cow::Borrowed(source) };
    let items = |source| if is_json { Cow::Owned(json::items(source)) } else { Cow::Borrowed(source) };
    for (order, matched) in orders.iter().zip(matched) {
        let select = |path: &Selector| {
            path.select_with(document, context)
                .map_err(|errors| format!("{}: {}", order.text, first(&errors)))
        };
        let found = select(&order.path)?;
        let edit = |result: Result<(), EditError>| result.map_err(|error| format!("{}: {error}", order.text));
        let nodes = || found.iter().map(Match::node);
        match &order.action {
            Action::Set(source, None) => {
                nodes().try_for_each(|node| edit(edits.set(node, raw(value(source)))))?;
            }
            Action::Set(source, Some((parent, name))) => {
                if found.iter().any(|found| is_label(document, found)) {
                    let advice = "it is the label of a block; change it with --rename";
                    return Err(format!("{}: {advice}", order.text));
                }
                let set: Vec<NodeId> = found.iter().map(Match::named).collect();
                set.iter().try_for_each(|&node| edit(edits.set(node, raw(value(source)))))?;
                let last: Selector = format!("[{}]", hclkit::Value::from(name.as_str()))
                    .parse()
                    .map_err(|error| format!("{}: {error}", order.text))?;
                for container in select(parent)? {
                    let lacks = last.select_in(&container, context).is_ok_and(|found| found.is_empty());
                    if lacks && takes_names(document, &container) {
                        edit(edits.add(&container, name, raw(value(source))))?;
                        *matched = true;
                    }
                }
            }
            Action::Delete => found.iter().try_for_each(|found| edit(edits.remove(found.node())))?,
            Action::Append(source) | Action::Prepend(source)
                if is_json && json_blocks::has_blocks(source) =>
            {
                for found in &found {
                    edit(json_blocks::append(&mut edits, document, found, source))?;
                }
            }
            Action::Append(source) => {
                nodes().try_for_each(|node| edit(edits.append(node, &items(source))))?;
            }
            Action::Prepend(source) => {
                nodes().try_for_each(|node| edit(edits.prepend(node, &items(source))))?;
            }
            Action::Before(source) => {
                nodes().try_for_each(|node| edit(edits.insert_before(node, &items(source))))?;
            }
            Action::After(source) => {
                nodes().rev().try_for_each(|node| edit(edits.insert_after(node, &items(source))))?;
            }
            Action::Rename(name) => {
                found.iter().try_for_each(|found| edit(edits.rename(found.named(), name)))?;
            }
            Action::Sort => {
                sort(document, &mut edits, &found).map_err(|error| format!("{}: {error}", order.text))?;
            }
            Action::Move(to) => {
                let destinations = select(to)?;
                match &destinations[..] {
                    _ if found.is_empty() => {}
                    [destination] => {
                        nodes().try_for_each(|node| edit(edits.move_into(node, destination.node())))?;
                    }
                    [] => return Err(format!("{}: the destination matches nothing", order.text)),
                    _ => return Err(format!("{}: the destination matches several places", order.text)),
                }
            }
        }
        *matched |= !found.is_empty();
    }
    edits.apply().map_err(|error| error.to_string())
}

/// Whether a path selects a block by a label.
fn is_label(document: &Document, found: &Match<'_>) -> bool {
    found.named() != found.node() && document.block_at(found.node()).is_some()
}

/// Sorts what was found in each body, object, tuple or call.
fn sort(document: &Document, edits: &mut Edits<'_>, found: &[Match<'_>]) -> Result<(), EditError> {
    let mut groups: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    for found in found {
        groups.entry(found.parent()).or_default().push(found.node());
    }
    for (_, mut nodes) in groups {
        let names = |node: NodeId| match document.block_at(node) {
            // Attributes stay before blocks.
            Some(block) => {
                let labels = block.labels().map(|label| label.value().into_owned());
                (true, std::iter::once(block.block_type().to_owned()).chain(labels).collect())
            }
            None => (false, vec![document.text(node).to_owned()]),
        };
        nodes.sort_by_cached_key(|&node| -> (bool, Vec<String>) { names(node) });
        edits.sort(nodes)?;
    }
    Ok(())
}

/// Whether attributes or items can be added: to bodies of blocks with all labels, and objects.
fn takes_names(document: &Document, found: &Match<'_>) -> bool {
    use hclkit::ast::ExpressionKind;
    match found.expression() {
        Some(expression) => matches!(expression.without_parens().kind(), ExpressionKind::Object),
        None => document
            .block_at(found.node())
            .is_none_or(|block| block.labels().last().is_none_or(|label| label.id() == found.named())),
    }
}
