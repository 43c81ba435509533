//! `hcl edit`: changes what paths select, in one or more files. If an edit matches nothing, no file is written.

mod json;
mod json_blocks;
mod merge;
mod orders;
mod script;
mod set;

use hclkit::dialect::Dialect;
use hclkit::functions::{Grants, Library};
use hclkit::limits::{Exceeded, Limit};
use hclkit::refactor::Symbol;
use hclkit::syntax::{NodeId, or_did_you_mean};
use hclkit::write::{EditError, Edits, Formatter, Match, Selector, raw};
use hclkit::{Context, Diagnostics, Document, Syntax};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::args::Edit;
use crate::atomic_write::{self, Change};
use crate::host::Host;
use crate::input::{Input, Unreadable};
use crate::outcome::{Failure, Outcome};
use crate::output::{
    complain, note, plural, print_bytes, print_diagnostics, print_diff, print_written, warn,
};
use crate::settings::Settings;
use crate::text_diff;
use crate::workers::Workers;
pub(crate) use orders::parse;
use orders::{Action, Order};

/// The result of editing a file.
enum Edited {
    /// The documents before and after, and what the edits did.
    Fine(Box<(Document, Document)>, Tally),
    Unreadable(Unreadable),
    /// The file has errors.
    Wrong(Diagnostics),
    /// An edit failed.
    Failed(String),
}

/// What the edits did in a file.
struct Tally {
    /// Which edits match something.
    matched: Vec<bool>,
    /// The number of changes.
    changes: usize,
    skipped: Vec<Skipped>,
}

/// Something that an edit matches, but cannot change.
struct Skipped {
    line: u32,
    /// What it is and why, such as `local.tags is not an object`.
    why: String,
}

/// A file that was edited.
struct File {
    input: Input,
    before: Document,
    after: Document,
    changes: usize,
}

pub(crate) fn run(command: &Edit) -> Result<Outcome, Failure> {
    if !command.merge.is_empty() {
        return merge::run(command);
    }
    let (orders, found) = Host::current().limited(|| orders::orders(command))?;
    if command.write {
        atomic_write::clean_beside(&found.inputs);
    }
    let context = context();
    let settings = Host::current().settings();
    let workers = Workers::new();
    let mut matched = vec![false; orders.len()];
    let mut files = Vec::with_capacity(found.inputs.len());
    found.unreadable.iter().for_each(complain);
    let mut failed = if found.unreadable.is_empty() { Outcome::Fine } else { Outcome::Incomplete };
    let mut skipped = 0;
    let one = |input: &Input| (input.clone(), edit(input, command, &settings, &orders, &context));
    workers.for_each(&found.inputs, one, |results| {
        for (input, result) in results {
            match result {
                Edited::Fine(documents, tally) => {
                    matched.iter_mut().zip(&tally.matched).for_each(|(matched, own)| *matched |= own);
                    for Skipped { line, why } in &tally.skipped {
                        warn(format_args!("{}:{line}: {why}", input.name()));
                    }
                    skipped += tally.skipped.len();
                    let (before, after) = *documents;
                    files.push(File { input, before, after, changes: tally.changes });
                }
                Edited::Unreadable(unreadable) => {
                    complain(unreadable);
                    failed = Outcome::Incomplete;
                }
                Edited::Wrong(diagnostics) => {
                    print_diagnostics(&diagnostics)?;
                    failed = failed.max(Outcome::of_errors(&diagnostics));
                }
                Edited::Failed(problem) => {
                    complain(format_args!("{}: {problem}", input.name()));
                    failed = Outcome::Incomplete;
                }
            }
        }
        Ok::<_, Failure>(())
    })?;
    if failed != Outcome::Fine {
        return Ok(failed);
    }
    let missing = orders.iter().zip(&matched).filter(|(_, matched)| !**matched);
    let missing: Vec<&Order> = missing.map(|(order, _)| order).collect();
    if !missing.is_empty() && !command.matching.allow_empty {
        for order in missing {
            let hint = path_of_address(&order.text, &found.inputs).unwrap_or_default();
            complain(format_args!("{} matches nothing{hint}", order.text));
        }
        return Ok(Outcome::Problems);
    }
    let is_partial = skipped > 0 && !command.skip;
    if is_partial {
        let what = if skipped == 1 { "1 match".to_owned() } else { format!("{skipped} matches") };
        let nothing = if command.write { "; no file was written" } else { "" };
        complain(format_args!("{what} cannot be changed{nothing}; use --skip to change only the others"));
        if command.write {
            return Ok(Outcome::Problems);
        }
        files.retain(|file| file.input != Input::Stdin);
    }
    let edited = files.iter().map(|file| (&file.input, &file.before, &file.after, file.changes));
    let outcome = finish_all(command.write, edited)?;
    Ok(if is_partial { outcome.max(Outcome::Problems) } else { outcome })
}

fn edit(input: &Input, command: &Edit, settings: &Settings, orders: &[Order], context: &Context) -> Edited {
    let document = match input.parse() {
        Ok(document) if document.has_errors() => return Edited::Wrong(document.diagnostics().clone()),
        Ok(document) => document,
        Err(unreadable) => return Edited::Unreadable(unreadable),
    };
    let formatter = settings.formatter(document.source().name());
    let mut tally = Tally { matched: vec![false; orders.len()], changes: 0, skipped: Vec::new() };
    let job = Job { document: &document, context, create: command.create };
    match Host::current().limited(|| apply(&job, formatter, orders, &mut tally)) {
        Ok(after) => Edited::Fine(Box::new((document, after)), tally),
        Err(problem) => Edited::Failed(problem),
    }
}

/// What is edited, and how.
struct Job<'d> {
    document: &'d Document,
    /// The context of predicates.
    context: &'d Context,
    /// Whether objects and blocks on the way are created.
    create: bool,
}

impl Job<'_> {
    fn select(&self, order: &Order, path: &Selector) -> Result<Vec<Match<'_>>, String> {
        path.select_with(self.document, self.context)
            .map_err(|errors| format!("{}: {}", order.text, first(&errors)))
    }
}

/// The context of predicates: functions that are the same everywhere.
pub(crate) fn context() -> Context {
    Context::new().with_functions(Library::Terraform.functions(&Grants::new()))
}

/// A name by its address.
pub(crate) fn symbol(address: &str) -> Result<Symbol, Failure> {
    address.parse().map_err(|error: hclkit::refactor::SymbolError| Failure::new(error.to_string()))
}

/// Writes all files or none, or prints what would change. Edited standard input is printed.
pub(crate) fn finish_all<'a>(
    write: bool,
    edited: impl Iterator<Item = (&'a Input, &'a Document, &'a Document, usize)> + Clone,
) -> Result<Outcome, Failure> {
    let is_written = |input: &Input, before: &Document, after: &Document| {
        write && input.path().is_some() && before.source().bytes() != after.source().bytes()
    };
    let changes: Vec<Change<'_>> = edited
        .clone()
        .filter(|(input, before, after, _)| is_written(input, before, after))
        .map(|(input, before, after, _)| {
            let (before, after) = (before.source().bytes(), after.source().bytes());
            Change::Rewrite { input, before, after }
        })
        .collect();
    if !change_all(&changes) {
        return Ok(Outcome::Incomplete);
    }
    let mut leads_out = false;
    for (input, before, after, count) in edited {
        let (old, new) = (before.source(), after.source());
        if input.path().is_none() {
            print_bytes(new.bytes())?;
        } else if is_written(input, before, after) {
            print_written(old.name(), &plural(count, "change"))?;
        } else if !write && old.bytes() != new.bytes() {
            print_diff(&text_diff::unified(old.name(), old.text(), new.text()))?;
            leads_out |= old.name().starts_with("../");
        }
    }
    if leads_out {
        note(
            "some of these files are above the current directory; to apply the diff, make it in a directory above all of them",
        );
    }
    Ok(Outcome::Fine)
}

/// Makes all changes of files or none. Returns false if a file was reported that cannot be written.
pub(crate) fn change_all(changes: &[Change<'_>]) -> bool {
    match atomic_write::change_all(changes) {
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

/// Why an edit is not possible, with the option that raises a limit.
pub(crate) fn why(error: &EditError) -> String {
    match error {
        EditError::Exceeded(Exceeded { limit: Limit::Bytes, .. }) => {
            format!("{error}; use --max-bytes to raise it")
        }
        _ => error.to_string(),
    }
}

/// The first error, as the reason in a message.
pub(crate) fn first(errors: &Diagnostics) -> String {
    errors.iter().next().map_or_else(String::new, |error| format!("{}: {}", error.summary(), error.note()))
}

/// Makes the edits in a document, and records what they did.
fn apply(
    job: &Job<'_>,
    formatter: Formatter,
    orders: &[Order],
    tally: &mut Tally,
) -> Result<Document, String> {
    let document = job.document;
    let mut edits = Edits::new(document).with_formatter(formatter);
    let is_json = document.syntax() == Syntax::Json;
    let items = |source| if is_json { Cow::Owned(json::items(source)) } else { Cow::Borrowed(source) };
    for (at, order) in orders.iter().enumerate() {
        let found = job.select(order, &order.path)?;
        let edit = |result: Result<(), EditError>| {
            result.map_err(|error| format!("{}: {}", order.text, why(&error)))
        };
        let nodes = || found.iter().map(Match::node);
        tally.matched[at] |= !found.is_empty();
        tally.changes += found.len();
        match &order.action {
            Action::Set(source, levels) => {
                if !levels.is_empty() && found.iter().any(|found| is_label(document, found)) {
                    let advice = "it is the label of a block; change it with --rename";
                    return Err(format!("{}: {advice}", order.text));
                }
                let value = if is_json { Cow::Owned(json::value(source)) } else { Cow::Borrowed(&**source) };
                let set: Vec<NodeId> = found.iter().map(Match::named).collect();
                set.iter().try_for_each(|&node| edit(edits.set(node, raw(&*value))))?;
                tally.matched[at] |= set::add(job, &mut edits, order, &value, levels, tally)?;
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
                edit(sort(document, &mut edits, &found))?;
            }
            Action::Move(to) => {
                let destinations = job.select(order, to)?;
                match &destinations[..] {
                    _ if found.is_empty() => {}
                    [destination] => {
                        nodes().try_for_each(|node| edit(edits.move_into(node, destination.node())))?;
                    }
                    [] => {
                        let hint =
                            "; to move a block to another file, use hcl split --block PATH --into FILE";
                        return Err(format!("{}: the destination matches nothing{hint}", order.text));
                    }
                    _ => return Err(format!("{}: the destination matches several places", order.text)),
                }
            }
        }
    }
    edits.apply().map_err(|error| why(&error))
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

/// The languages of some files, each once, and `None` if there is a file without one.
fn dialects<'i>(inputs: impl IntoIterator<Item = &'i Input>) -> Vec<Option<Arc<Dialect>>> {
    let dialects = inputs.into_iter().map(Input::dialect);
    let name = |dialect: &Arc<Dialect>| dialect.name().to_owned();
    let all: BTreeMap<Option<String>, _> =
        dialects.map(|dialect| (dialect.as_ref().map(name), dialect)).collect();
    all.into_values().collect()
}

/// What to write instead of an address, which names a block of these files as expressions do.
pub(crate) fn path_of_address<'i>(text: &str, inputs: impl IntoIterator<Item = &'i Input>) -> Option<String> {
    let dialects: Vec<_> = dialects(inputs).into_iter().flatten().collect();
    let is_part_of_name = |sign: char| sign.is_alphanumeric() || "_-.".contains(sign);
    let names = text.split(|sign| !is_part_of_name(sign)).next().unwrap_or_default();
    let names: Vec<&str> = names.split('.').collect();
    // A path begins with the type of a block.
    if names[0].is_empty() || dialects.iter().any(|dialect| dialect.block(names[0]).is_some()) {
        return None;
    }
    dialects.iter().find_map(|dialect| {
        dialect.blocks.iter().find_map(|rule| {
            // Where a name alone is an address, as in Bake files, it can be anything.
            let address = names.get(..rule.defines.len()).filter(|address| address.len() > 1)?;
            let found = rule.defines.definition(address)?;
            let labels = found.labels.into_iter().flatten().chain(found.attribute);
            let path: Vec<&str> = std::iter::once(rule.block_type.as_str()).chain(labels).collect();
            let path = path.join(".") + &text[address.join(".").len()..];
            Some(or_did_you_mean(Some(&path)))
        })
    })
}
