//! `PATH=EXPR` where the path selects nothing, but a shorter one does: adds the missing name, or says why it cannot.

use std::cell::LazyCell;

use hclkit::ast::{CallNode, ExpressionKind, ExpressionNode, ObjectKey};
use hclkit::dialect::{Dialect, FileKind};
use hclkit::model::path::{Path, Step};
use hclkit::syntax::is_identifier;
use hclkit::write::{EditError, Edits, Match, Selector, raw};
use hclkit::{Document, Syntax, Value};

use super::orders::Order;
use super::{Job, Skipped, Tally, why};

/// A prefix of a path, and the name after it.
pub(super) type Level = (Selector, String);

/// The prefixes of a path that end before a name, the longest first.
pub(super) fn levels(path: &Selector) -> Vec<Level> {
    let mut levels = Vec::new();
    let mut next = path.split_last();
    while let Some((parent, name)) = next {
        next = parent.split_last();
        levels.push((parent, name));
    }
    levels
}

/// What a name can be added to.
enum Container<'d> {
    /// A body or an object.
    Names,
    /// Another value.
    Value(ExpressionNode<'d>),
}

/// Adds a value to everything that lacks only the last names of its path. Returns whether anything lacks them.
pub(super) fn add(
    job: &Job<'_>,
    edits: &mut Edits<'_>,
    order: &Order,
    value: &str,
    levels: &[Level],
    tally: &mut Tally,
) -> Result<bool, String> {
    let document = job.document;
    let failed = |error: EditError| format!("{}: {}", order.text, why(&error));
    let mut is_any = false;
    for (at, (parent, name)) in levels.iter().enumerate() {
        let step = format!("[{}]", Value::from(name.as_str()));
        let step: Selector = step.parse().map_err(|error| format!("{}: {error}", order.text))?;
        // A whole file lacks only what is directly in it, unless it has arguments.
        if at > 0 && parent.to_string() == "." && !(job.create && has_arguments(document)) {
            continue;
        }
        let is_block = LazyCell::new(|| has_blocks(job, name));
        let containers = job.select(order, parent)?.into_iter().flat_map(|found| elements(job, found));
        for container in containers {
            let has = step.select_in(&container, job.context).is_ok_and(|found| !found.is_empty());
            let place = place(document, &container).filter(|_| !has);
            let Some(place) = place else { continue };
            is_any = true;
            let why = match place {
                Container::Names if at == 0 => {
                    edits.add(&container, name, raw(value)).map_err(failed)?;
                    None
                }
                Container::Names if job.create => {
                    let inner: Vec<&str> = levels[..at].iter().rev().map(|(_, name)| name.as_str()).collect();
                    create(job, edits, &container, name, &inner, value, *is_block).map_err(failed)?;
                    None
                }
                Container::Names => Some(format!("has no `{name}`; use --create to add it")),
                Container::Value(expression) => match merge(expression).filter(|_| at == 0) {
                    Some(call) => set_in_merge(edits, call, name, value, job.create).map_err(failed)?,
                    None => Some(format!("is `{}`, not an object", shortened(expression.text()))),
                },
            };
            match why {
                None => tally.changes += 1,
                Some(why) => {
                    let line = document.position(document.span(container.node()).start).line;
                    let why = format!("{} {why}", container.address());
                    tally.skipped.push(Skipped { line, why });
                }
            }
        }
    }
    tally.skipped.sort_by_key(|skipped| skipped.line);
    Ok(is_any)
}

/// Returns true for files of variables, and for those whose language has no blocks of its own.
fn has_arguments(document: &Document) -> bool {
    let name = document.source().name();
    let Some(dialect) = Dialect::of_path(name) else { return true };
    dialect.blocks.is_empty() || dialect.file_kind(name) == Some(FileKind::Values)
}

/// What is matched, or its elements if it is an array in the JSON syntax: a name in an array is that of each object.
fn elements<'d>(job: &Job<'d>, found: Match<'d>) -> Vec<Match<'d>> {
    let is_array = |value: ExpressionNode<'_>| matches!(value.kind(), ExpressionKind::Tuple);
    if job.document.syntax() != Syntax::Json || !found.expression().is_some_and(is_array) {
        return vec![found];
    }
    let all: Option<Selector> = "[*]".parse().ok();
    let inside = all.and_then(|all| all.select_in(&found, job.context).ok());
    inside.filter(|inside| !inside.is_empty()).unwrap_or_else(|| vec![found])
}

/// Where a match takes names. A block of which only some labels are matched is not a place.
fn place<'d>(document: &'d Document, found: &Match<'d>) -> Option<Container<'d>> {
    if let Some(expression) = found.expression() {
        if document.syntax() == Syntax::Json && lacks_labels(document, found) {
            return None;
        }
        let expression = expression.without_parens();
        return Some(match expression.kind() {
            ExpressionKind::Object => Container::Names,
            _ => Container::Value(expression),
        });
    }
    let block = document.block_at(found.node());
    let is_whole =
        block.is_none_or(|block| block.labels().last().is_none_or(|label| label.id() == found.named()));
    is_whole.then_some(Container::Names)
}

/// Returns true for an object of the JSON syntax whose names are labels of a block of the file's language.
fn lacks_labels(document: &Document, found: &Match<'_>) -> bool {
    let Some(dialect) = Dialect::of_path(document.source().name()) else { return false };
    let Ok(path) = found.address().parse::<Path>() else { return false };
    let mut names = path.steps().iter().filter_map(|step| match step {
        Step::Name(name) => Some(name),
        _ => None,
    });
    let rule = names.next().and_then(|name| dialect.block(name.as_literal()?));
    rule.is_some_and(|rule| names.count() < rule.labels.len())
}

/// Adds an object with a value to a body or an object, or a block if the file has blocks with the name (`is_block`).
fn create(
    job: &Job<'_>,
    edits: &mut Edits<'_>,
    container: &Match<'_>,
    name: &str,
    inner: &[&str],
    value: &str,
    is_block: bool,
) -> Result<(), EditError> {
    let is_json = job.document.syntax() == Syntax::Json;
    let in_body = container.expression().is_none();
    let object = |value: String, name: &&str| match is_json {
        true => format!("{{\n  {}: {value}\n}}", Value::from(*name)),
        false if in_body => format!("{{\n  {} = {}\n}}", key(name), value.replace('\n', "\n  ")),
        false => format!("{{ {} = {value} }}", key(name)),
    };
    if let [first, rest @ ..] = inner
        && in_body
        && (is_block || is_nested_block(job, container, name))
    {
        // Objects are made from the inside.
        let inside = rest.iter().rev().fold(value.to_owned(), object);
        let inside = inside.replace('\n', "\n  ");
        return edits.append(container.node(), &format!("\n{name} {{\n  {first} = {inside}\n}}\n"));
    }
    let source = inner.iter().rev().fold(value.to_owned(), object);
    edits.add(container, name, raw(source))
}

/// Returns true if a file has blocks with a name. In the JSON syntax, objects are made.
fn has_blocks(job: &Job<'_>, name: &str) -> bool {
    if job.document.syntax() == Syntax::Json || !is_identifier(name) {
        return false;
    }
    let blocks = format!("..[{}]", Value::from(name)).parse::<Selector>().ok();
    let like = blocks.and_then(|path| path.select_with(job.document, job.context).ok()).unwrap_or_default();
    like.iter().any(|found| job.document.block_at(found.node()).is_some())
}

/// Returns true if a name is that of blocks in a block of the file's language, such as `lifecycle` in resources.
fn is_nested_block(job: &Job<'_>, container: &Match<'_>, name: &str) -> bool {
    let Some(block) = job.document.block_at(container.node()) else { return false };
    let Some(dialect) = Dialect::of_path(job.document.source().name()) else { return false };
    let mut rules = dialect.nested_blocks.iter().filter(|rule| rule.block_type == name);
    let is_listed =
        dialect.block(block.block_type()).is_some_and(|rule| rule.blocks.iter().any(|own| own == name));
    // Blocks with labels cannot be created without them.
    rules.clone().all(|rule| rule.labels.is_empty())
        && (is_listed || rules.any(|rule| rule.within.iter().any(|own| own == block.block_type())))
}

/// A name as the key of an object.
fn key(name: &str) -> String {
    if is_identifier(name) && name != "for" { name.to_owned() } else { Value::from(name).to_string() }
}

/// A call of `merge` whose arguments can be counted.
fn merge(expression: ExpressionNode<'_>) -> Option<CallNode<'_>> {
    match expression.kind() {
        ExpressionKind::Call(call) if call.name() == "merge" && !call.expands_last() => Some(call),
        _ => None,
    }
}

/// Sets an item of what `merge` returns: in its last object, which has precedence. Returns why that is not possible.
fn set_in_merge(
    edits: &mut Edits<'_>,
    call: CallNode<'_>,
    name: &str,
    value: &str,
    create: bool,
) -> Result<Option<String>, EditError> {
    let last = call.arguments().last().map(ExpressionNode::without_parens);
    if let Some(object) = last.filter(|last| matches!(last.kind(), ExpressionKind::Object)) {
        let item = object.items().find(|item| match item.key() {
            ObjectKey::Name(own) => own.text == name,
            ObjectKey::Expression(key) => match key.without_parens().kind() {
                ExpressionKind::Template(own) => own.as_literal().is_some_and(|own| own == name),
                _ => false,
            },
        });
        return match item {
            Some(item) => edits.set(item.id(), raw(value)).map(|()| None),
            None => edits.add(object.id(), name, raw(value)).map(|()| None),
        };
    }
    if create {
        return edits.append(call.id(), &format!("{{ {} = {value} }}", key(name))).map(|()| None);
    }
    let last = last.map_or_else(String::new, |last| format!("`{}`, ", shortened(last.text())));
    Ok(Some(format!(
        "is a call of `merge` whose last argument is {last}not an object; use --create to add one"
    )))
}

/// The first characters of an expression.
fn shortened(text: &str) -> String {
    const MAX: usize = 40;
    let line = text.lines().next().unwrap_or_default();
    let is_whole = line.len() == text.len() && line.chars().count() <= MAX;
    let start: String = line.chars().take(MAX).collect();
    if is_whole { start } else { format!("{}…", start.trim_end()) }
}
