//! The edits and the files of a command line.

use std::path::{Path, PathBuf};

use hclkit::write::Selector;

use super::script;
use super::set::{self, Level};
use crate::args::Edit;
use crate::input::{FoundInputs, Input, Selection};
use crate::output::Failure;

/// An edit from the command line or a script.
pub(super) struct Order {
    /// The edit, for messages.
    pub(super) text: String,
    pub(super) path: Selector,
    pub(super) action: Action,
}

pub(super) enum Action {
    /// Sets a value, or adds it to what a shorter path selects.
    Set(String, Vec<Level>),
    Delete,
    Append(String),
    Prepend(String),
    Before(String),
    After(String),
    Rename(String),
    Move(Selector),
    Sort,
}

/// The edits and the files of the command line.
pub(super) fn orders(command: &Edit) -> Result<(Vec<Order>, FoundInputs), Failure> {
    let edits = command.arguments.iter().take_while(|argument| split(argument).is_some()).count();
    let (edits, files) = command.arguments.split_at(edits);
    // A path with an open bracket is not the name of a file.
    if let Some(edit) = files.iter().find(|file| file.contains('=') && !Path::new(file).exists()) {
        parse(edit.split('=').next().unwrap_or_default())?;
    }
    let mut orders = Vec::new();
    for (option, texts) in [
        ("", edits),
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
                _ => Action::Set(source, set::levels(&path)),
            };
            orders.push(Order { text: format!("{option}{text}"), path, action });
        }
    }
    for text in &command.delete {
        orders.push(Order { text: format!("--delete {text}"), path: parse(text)?, action: Action::Delete });
    }
    for text in &command.sort {
        orders.push(Order { text: format!("--sort {text}"), path: parse(text)?, action: Action::Sort });
    }
    for script in &command.script {
        orders.extend(script::read(&Input::of(script))?);
    }
    if orders.is_empty() {
        return Err(Failure::new(
            "nothing to do: specify edits, such as PATH=EXPR, --delete PATH or --script FILE",
        ));
    }
    if files.is_empty() {
        return Err(Failure::new("nothing to edit: specify files, or `-` for standard input"));
    }
    let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    Ok((orders, Selection::new(&command.files)?.find(&files)))
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
