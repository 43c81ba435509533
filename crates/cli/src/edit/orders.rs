//! The edits and the files of a command line.

use std::path::{Path, PathBuf};

use hclkit::dialect::Dialect;
use hclkit::syntax::is_identifier;
use hclkit::write::Selector;

use super::script;
use super::set::{self, Level};
use crate::args::Edit;
use crate::input::{Find, FoundInputs, Input, selection};
use crate::outcome::Failure;
use crate::output::warn;

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
    let is_edit = |argument: &&String| split(argument).is_some_and(|(path, _)| !path.is_empty());
    let edits = command.arguments.iter().take_while(is_edit).count();
    let (edits, files) = command.arguments.split_at(edits);
    // A path with an open bracket is not the name of a file.
    if let Some(edit) = files.iter().find(|file| file.contains('=') && !Path::new(file).exists()) {
        let path = edit.split('=').next().unwrap_or_default().trim();
        if path.is_empty() {
            let why = "an edit is one argument: quote it, as in hcl edit 'PATH = EXPR' FILE";
            return Err(Failure::new(why));
        }
        parse(path)?;
    }
    let paths: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let found = selection(&command.files)?.find(&paths);
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
            let (written, path) = (path, parse(path)?);
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
            if let Action::Append(source) | Action::Prepend(source) | Action::Set(source, _) = &action
                && is_probably_text(written, source, &found.inputs)
            {
                warn(format_args!(
                    "`{source}` is a name, not text; to set text, write {option}'{written}=\"{source}\"'"
                ));
            }
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
            "nothing to do: an edit is one argument PATH=EXPR, as in hcl edit 'service.web.port=8080' web.hcl, or an \
             option such as --delete PATH",
        ));
    }
    if files.is_empty() {
        return Err(Failure::new("nothing to edit: specify files, or `-` for standard input"));
    }
    Ok((orders, found))
}

pub(crate) fn parse(text: &str) -> Result<Selector, Failure> {
    text.parse().map_err(|error| Failure::new(format!("invalid path `{text}`: {error}")))
}

/// Whether a value is a single name that no expression of the files could refer to, so that quotes are probably missing.
/// Arguments such as `type` are names.
fn is_probably_text(path: &str, source: &str, inputs: &[Input]) -> bool {
    let mut names = source.split('.');
    if !names.clone().all(is_identifier) || matches!(source, "true" | "false" | "null") {
        return false;
    }
    let root = names.next().unwrap_or_default();
    let is_single = names.next().is_none();
    let argument = path.rsplit('.').next().unwrap_or(path);
    if is_single && source.contains('-') {
        return argument != "type";
    }
    let is_reference = |dialect: &Dialect| {
        // Types of resources have a prefix.
        if is_single || root.contains('_') || root == "self" {
            return !is_single;
        }
        let roots = dialect.blocks.iter().filter_map(|rule| rule.defines.root());
        roots.chain(dialect.given_names().filter_map(<[_]>::first)).any(|name| *name == root)
    };
    let is_text =
        |dialect: &Dialect| dialect.complete_references && !is_name(dialect, path) && !is_reference(dialect);
    let dialects = super::dialects(inputs);
    !dialects.is_empty() && dialects.iter().all(|dialect| dialect.as_deref().is_some_and(is_text))
}

/// Whether the value of an argument, or of a part of it such as `providers.aws`, is a name in a language.
fn is_name(dialect: &Dialect, path: &str) -> bool {
    let blocks = dialect.blocks.iter().map(|rule| (&rule.fixed, &rule.keywords, &rule.references));
    let nested = dialect.nested_blocks.iter().map(|rule| (&rule.fixed, &rule.keywords, &rule.references));
    blocks.chain(nested).any(|(fixed, keywords, references)| {
        let keywords = keywords.iter().map(|(name, _)| name);
        let mut names = fixed.iter().chain(references).chain(keywords);
        names.any(|name| path.split('.').any(|step| *name == step))
    })
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
            '=' if open == 0 => return Some((text[..at].trim(), text[at + 1..].trim())),
            _ => {}
        }
    }
    None
}
