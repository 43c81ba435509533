//! `hcl edit`: changes what paths select, in one or more files. If an edit matches nothing, no file is written.

use std::path::PathBuf;

use hclkit::functions::{Grants, Library};
use hclkit::syntax::NodeId;
use hclkit::write::{EditError, Edits, Match, Selector};
use hclkit::{Context, Document, Entry};

use crate::args::Edit;
use crate::diff;
use crate::input::{Input, Unreadable};
use crate::output::{Failure, Outcome, complain, print_bytes, print_diagnostics, print_diff, warn};
use crate::replace;

/// An edit as written on the command line.
struct Order {
    /// The edit, for messages.
    text: String,
    path: Selector,
    action: Action,
}

enum Action {
    /// Sets a value, or adds it to what the path without its last name selects.
    Set(String, Option<(Selector, String)>),
    Delete,
    Append(String),
    Prepend(String),
    Before(String),
    After(String),
    Rename(String),
    Move(Selector),
}

pub(crate) fn run(command: &Edit) -> Result<Outcome, Failure> {
    let (orders, inputs) = orders(command)?;
    if command.write {
        replace::clean_beside(&inputs);
    }
    let context = context();
    let mut matched = vec![false; orders.len()];
    let mut edited = Vec::with_capacity(inputs.len());
    let mut failed = false;
    for input in &inputs {
        let document = match input.read() {
            Ok(source) => Document::parse(source, Entry::Config),
            Err(unreadable) => {
                complain(unreadable);
                failed = true;
                continue;
            }
        };
        if document.has_errors() {
            print_diagnostics(document.diagnostics())?;
            failed = true;
            continue;
        }
        match apply(&document, &orders, &context, &mut matched) {
            Ok(after) => edited.push((input, document, after)),
            Err(problem) => {
                complain(format_args!("{}: {problem}", input.name()));
                failed = true;
            }
        }
    }
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
    for (input, before, after) in edited {
        if let Err(unreadable) = finish(command, input, &before, &after)? {
            complain(unreadable);
            failed = true;
        }
    }
    Ok(if failed { Outcome::Unreadable } else { Outcome::Fine })
}

/// The context of predicates: functions that are the same everywhere.
pub(crate) fn context() -> Context {
    Context::new().with_functions(Library::Terraform.functions(&Grants::new()))
}

/// Writes a file or prints its changes.
fn finish(
    command: &Edit,
    input: &Input,
    before: &Document,
    after: &Document,
) -> Result<Result<(), Unreadable>, Failure> {
    let (old, new) = (before.source(), after.source());
    if *input == Input::Stdin {
        print_bytes(new.bytes())?;
    } else if old.bytes() == new.bytes() {
        // Nothing to write.
    } else if !command.write {
        print_diff(&diff::unified(old.name(), old.text(), new.text()))?;
    } else if let Some(path) = input.path() {
        match replace::rewrite(path, || input.open(), old.bytes(), new.bytes()) {
            Ok(true) => {
                warn(format_args!("{} had other hard links, which keep the old content", old.name()));
            }
            Ok(false) => {}
            Err(why) => {
                return Ok(Err(Unreadable { name: old.name().to_owned(), reason: why, action: "write" }));
            }
        }
    }
    Ok(Ok(()))
}

/// Makes the edits in a document, and notes which of them match.
fn apply(
    document: &Document,
    orders: &[Order],
    context: &Context,
    matched: &mut [bool],
) -> Result<Document, String> {
    let mut edits = Edits::new(document);
    for (order, matched) in orders.iter().zip(matched) {
        let found = order.path.select_with(document, context);
        let edit = |result: Result<(), EditError>| result.map_err(|error| format!("{}: {error}", order.text));
        let nodes = || found.iter().map(Match::node);
        match &order.action {
            Action::Set(source, None) => nodes().try_for_each(|node| edit(edits.set(node, source)))?,
            Action::Set(source, Some((parent, name))) => {
                let set: Vec<NodeId> = found.iter().map(Match::named).collect();
                set.iter().try_for_each(|&node| edit(edits.set(node, source)))?;
                let last: Selector = format!("[{}]", hclkit::Value::from(name.as_str()))
                    .parse()
                    .map_err(|error| format!("{}: {error}", order.text))?;
                for container in parent.select_with(document, context) {
                    let lacks = last.select_in(document, &container, context).is_empty();
                    if lacks && takes_names(document, &container) {
                        edit(edits.add(container.node(), name, source))?;
                        *matched = true;
                    }
                }
            }
            Action::Delete => found.iter().try_for_each(|found| edit(edits.remove(found.node())))?,
            Action::Append(source) => nodes().try_for_each(|node| edit(edits.append(node, source)))?,
            Action::Prepend(source) => nodes().try_for_each(|node| edit(edits.prepend(node, source)))?,
            Action::Before(source) => {
                nodes().try_for_each(|node| edit(edits.insert_before(node, source)))?;
            }
            Action::After(source) => {
                nodes().rev().try_for_each(|node| edit(edits.insert_after(node, source)))?;
            }
            Action::Rename(name) => {
                found.iter().try_for_each(|found| edit(edits.rename(found.named(), name)))?;
            }
            Action::Move(to) => {
                let destinations = to.select_with(document, context);
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

/// Whether attributes or items can be added: to bodies of blocks with all labels, and objects.
fn takes_names(document: &Document, found: &Match) -> bool {
    use hclkit::ast::{BlockNode, ExpressionKind};
    match found.expression(document) {
        Some(expression) => matches!(expression.without_parens().kind(), ExpressionKind::Object),
        None => BlockNode::at(document, found.node())
            .is_none_or(|block| block.labels().last().is_none_or(|label| label.id() == found.named())),
    }
}

/// The edits and the files of the command line.
fn orders(command: &Edit) -> Result<(Vec<Order>, Vec<Input>), Failure> {
    let edits = command.arguments.iter().take_while(|argument| split(argument).is_some()).count();
    let (edits, files) = command.arguments.split_at(edits);
    let mut orders = Vec::new();
    for (option, texts) in [
        ("", edits),
        ("--set ", &command.set),
        ("--append ", &command.append),
        ("--prepend ", &command.prepend),
        ("--before ", &command.before),
        ("--after ", &command.after),
        ("--rename ", &command.rename),
        ("--move ", &command.moves),
    ] {
        for text in texts {
            let Some((path, value)) = split(text) else {
                return Err(Failure::new(format!("{option}{text}: expected `=` after a path")));
            };
            let path = parse(path)?;
            let source = value.to_owned();
            let action = match option {
                "--append " => Action::Append(source),
                "--prepend " => Action::Prepend(source),
                "--before " => Action::Before(source),
                "--after " => Action::After(source),
                "--rename " => Action::Rename(source),
                "--move " => Action::Move(parse(value)?),
                _ => {
                    let parent = path.split_last();
                    Action::Set(source, parent)
                }
            };
            orders.push(Order { text: format!("{option}{text}"), path, action });
        }
    }
    for text in &command.delete {
        orders.push(Order { text: format!("--delete {text}"), path: parse(text)?, action: Action::Delete });
    }
    if orders.is_empty() {
        return Err(Failure::new("nothing to do: specify edits, such as PATH=EXPR or --delete PATH"));
    }
    if files.is_empty() {
        return Err(Failure::new("nothing to edit: specify files, or `-` for standard input"));
    }
    let mut inputs: Vec<Input> = Vec::new();
    for file in files {
        let path = PathBuf::from(file);
        if path.is_dir() {
            return Err(Failure::new(format!("{file} is a directory; specify files")));
        }
        let input = Input::of(&path);
        if !inputs.contains(&input) {
            inputs.push(input);
        }
    }
    Ok((orders, inputs))
}

pub(crate) fn parse(text: &str) -> Result<Selector, Failure> {
    text.parse().map_err(|error| Failure::new(format!("invalid path `{text}`: {error}")))
}

/// Splits an edit at the first `=` outside of brackets and quotes, which is not escaped.
fn split(text: &str) -> Option<(&str, &str)> {
    let (mut open, mut quoted, mut escaped) = (0_u32, false, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' | '(' | '{' => open += 1,
            ']' | ')' | '}' => open = open.saturating_sub(1),
            '=' if open == 0 => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
    }
    None
}
