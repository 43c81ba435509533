//! Errors in the words of the program. Those of `DataFusion` about names get a suggestion and the names that are possible.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, ErrorKind, Write as _};

use clap::builder::styling::AnsiColor;
use datafusion::common::{Column, SchemaError};
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;
use hclkit::syntax::{nearest_name, or_did_you_mean, visible_line};

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A message.
    Message(String),
    /// The reader closed the output, as in `hcl-sql … | head`.
    Unread,
    /// Something that was reported already, with its exit code.
    Reported(u8),
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Message(message.into())
    }

    /// The failure to write a file.
    pub(crate) fn unwritable(path: &std::path::Path, why: impl fmt::Display) -> Self {
        Self::Message(format!("cannot write {}: {why}", path.display()))
    }

    /// Reports the failure and returns the exit code.
    pub(crate) fn end(&self) -> u8 {
        match self {
            Self::Unread => 0,
            Self::Reported(code) => *code,
            Self::Message(message) => {
                complain(message);
                2
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::Message(format!("cannot write: {error}")),
        }
    }
}

impl From<DataFusionError> for Failure {
    fn from(error: DataFusionError) -> Self {
        Self::Message(in_words(&error))
    }
}

/// Prints an error.
pub(crate) fn complain(message: impl fmt::Display) {
    let style = AnsiColor::BrightRed.on_default().bold();
    // Errors of standard error cannot be reported.
    let _ = writeln!(anstream::stderr(), "{style}error{style:#}: {}", visible_line(&message.to_string()));
}

/// The message for an error of `DataFusion`.
pub(crate) fn in_words(error: &DataFusionError) -> String {
    match error {
        DataFusionError::SchemaError(error, _) => of_schema(error),
        DataFusionError::SQL(error, _) => of_parser(error),
        DataFusionError::Plan(why) | DataFusionError::NotImplemented(why) => {
            format!("the query is invalid: {}", sentence(why))
        }
        DataFusionError::ResourcesExhausted(_) => {
            "the query needs more memory than --memory grants; increase it, or select fewer rows and columns"
                .to_owned()
        }
        DataFusionError::Execution(why) => format!("the query failed: {}", sentence(why)),
        DataFusionError::ArrowError(why, _) => format!("the query failed: {}", sentence(&why.to_string())),
        DataFusionError::Diagnostic(_, inner) | DataFusionError::Context(_, inner) => in_words(inner),
        DataFusionError::Shared(inner) => in_words(inner),
        DataFusionError::Collection(all) => all.first().map_or_else(|| error.to_string(), in_words),
        other => format!("the query failed: {}", sentence(&other.strip_backtrace())),
    }
}

fn of_schema(error: &SchemaError) -> String {
    match error {
        SchemaError::FieldNotFound { field, valid_fields } => unknown_column(field, valid_fields),
        SchemaError::AmbiguousReference { field } => {
            format!("the column `{}` is in several tables; write TABLE.{}", field.name, field.name)
        }
        other => format!("the query is invalid: {}", sentence(&other.to_string())),
    }
}

fn unknown_column(field: &Column, valid: &[Column]) -> String {
    // With the name of a table, only its columns are possible.
    let own: Vec<&Column> = match &field.relation {
        Some(table) => valid.iter().filter(|column| column.relation.as_ref() == Some(table)).collect(),
        None => valid.iter().collect(),
    };
    let table = field.relation.as_ref().map(|table| format!(" of `{table}`")).unwrap_or_default();
    let mut names: Vec<&str> = own.iter().map(|column| column.name.as_str()).collect();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(*name));
    match &field.relation {
        Some(table) if names.is_empty() => {
            format!("unknown column `{}` of `{table}`; the query has no table `{table}`", field.name)
        }
        _ => unknown("column", &format!("`{}`{table}", field.name), &field.name, &names),
    }
}

/// The message for an unknown table.
pub(crate) fn unknown_table(name: &str, tables: &[&str]) -> String {
    unknown("table", &format!("`{name}`"), name, tables)
}

/// What is unknown, which name was meant, and all names that are possible.
fn unknown(what: &str, shown: &str, name: &str, names: &[&str]) -> String {
    let all = format!("{what}s are {}", names.join(", "));
    match meant(name, names) {
        _ if names.is_empty() => format!("unknown {what} {shown}"),
        Some(meant) => format!("unknown {what} {shown}{} The {all}", or_did_you_mean(Some(meant))),
        None => format!("unknown {what} {shown}; the {all}"),
    }
}

/// Which name was meant: the nearest one, or else one that has the name as one of its words, as `module_source` has `source`.
fn meant<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let has_word =
        |own: &&&str| own.split('_').any(|word| word == name) || name.split('_').any(|word| word == **own);
    nearest_name(name, names.iter().copied()).or_else(|| names.iter().find(has_word).copied())
}

fn of_parser(error: &ParserError) -> String {
    let why = match error {
        ParserError::ParserError(why) | ParserError::TokenizerError(why) => why.as_str(),
        ParserError::RecursionLimitExceeded => "it is nested too deeply",
    };
    // The location is part of the message.
    let why = why.replace("Line: ", "line ").replace("Column: ", "column ");
    format!("the query is not SQL: {}", sentence(&why))
}

/// A message of `DataFusion` in the middle of one of ours.
fn sentence(why: &str) -> String {
    // Some have several lines.
    let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
    let why = why.trim_end_matches('.');
    let mut letters = why.chars();
    let first = letters.next();
    let is_word = letters.clone().next().is_some_and(char::is_lowercase);
    match first {
        Some(first) if is_word => first.to_lowercase().chain(letters).collect(),
        _ => why.to_owned(),
    }
}
