//! Values as source code, JSON, YAML, tables, lines with separators and raw text. `eval/write.rs`, `eval/module.rs` and
//! `decode/write.rs` choose the format.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use hclkit::convert::{Json, YamlTree, to_yaml};
use hclkit::decode::PlainJson;
use hclkit::limits::{Exceeded, Meter};
use hclkit::syntax::json::{JsonKind, JsonValue};
use hclkit::syntax::{is_identifier, is_visible, visible_line};
use hclkit::value::{Kind, Plain};
use hclkit::{Code, Diagnostic, Diagnostics, Layout, Type, Value, layout};
use indexmap::map::Entry;
use indexmap::{IndexMap, IndexSet};
use serde::{Serialize, Serializer};

use crate::args::{Destination, Output, Spacing};
use crate::atomic_write;
use crate::host;
use crate::outcome::{CommandError, Failure};
use crate::output::{complain, print_bytes, print_styled, write_json};

/// Writes what a command has computed to standard output or to a file.
pub(crate) struct Printer {
    /// The file, if it is not standard output.
    out: Option<PathBuf>,
    spacing: Spacing,
    /// After errors, files stay as they are.
    has_errors: bool,
}

impl Printer {
    pub(crate) fn new(destination: &Destination, spacing: Spacing) -> Self {
        let out = atomic_write::file(destination.out.as_ref()).map(Path::to_owned);
        Self { out, spacing, has_errors: false }
    }

    /// Writes no file if there are errors. Standard output has what could be computed.
    pub(crate) fn after(self, found: &Diagnostics) -> Self {
        Self { has_errors: found.has_errors(), ..self }
    }

    pub(crate) fn is_file(&self) -> bool {
        self.out.is_some()
    }

    /// Writes text with colors, if they are enabled for standard output.
    pub(crate) fn styled(&self, text: &str) -> Result<(), Failure> {
        match &self.out {
            Some(_) if self.has_errors => Ok(()),
            Some(path) => {
                atomic_write::write(path, anstream::adapter::strip_str(text).to_string().as_bytes())
            }
            None => print_styled(text),
        }
    }

    /// Writes data for other programs.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        match &self.out {
            Some(_) if self.has_errors => Ok(()),
            Some(path) => atomic_write::write(path, bytes),
            None => print_bytes(bytes),
        }
    }

    /// Writes JSON. After an error, nothing is written.
    pub(crate) fn json(&self, json: &(impl Serialize + ?Sized)) -> Result<(), Failure> {
        let mut text = Vec::new();
        write_json(json, self.spacing, &mut text)?;
        self.bytes(&text)
    }

    /// Writes data piece by piece, because all of it can take much memory. A file is replaced when everything was written.
    pub(crate) fn pieces(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        match &self.out {
            Some(_) if self.has_errors => Ok(()),
            Some(path) => atomic_write::write_with(path, write),
            None => {
                let mut out = BufWriter::with_capacity(64 << 10, host::stdout());
                write(&mut out)?;
                Ok(out.flush()?)
            }
        }
    }

    /// Writes JSON to standard output piece by piece.
    pub(crate) fn long_json(&self, json: &(impl Serialize + ?Sized)) -> Result<(), Failure> {
        if self.is_file() {
            return self.json(json);
        }
        self.pieces(|out| Ok(write_json(json, self.spacing, out)?))
    }

    /// Writes JSON, each item on a line.
    pub(crate) fn json_lines(&self, items: impl Iterator<Item = impl Serialize>) -> Result<(), Failure> {
        let mut text = Vec::new();
        for item in items {
            write_json(&item, Spacing { compact: true }, &mut text)?;
        }
        self.bytes(&text)
    }

    /// Writes a value or JSON as YAML, in the same order.
    pub(crate) fn yaml(&self, tree: &impl YamlTree) -> Result<(), Failure> {
        self.bytes(yaml(tree)?.as_bytes())
    }

    /// Writes rows in columns, or separated.
    pub(crate) fn table(&self, rows: &[Vec<String>], output: Output) -> Result<(), Failure> {
        self.bytes(table(rows, output, self.longest_cell()).as_bytes())
    }

    /// How many characters of a cell are shown: some on a terminal, and all elsewhere.
    pub(crate) fn longest_cell(&self) -> usize {
        if self.is_file() { usize::MAX } else { longest_cell() }
    }

    /// The layout of values in source code.
    pub(crate) fn layout(&self) -> Layout {
        Layout::new().with_color(true).with_one_line(self.spacing.compact)
    }
}

/// Attributes as source code, one after the other. The function returns the text of a value that begins so many characters after
/// the indentation.
pub(crate) fn attribute_lines<'a, V: 'a>(
    attributes: impl Iterator<Item = (&'a str, V)> + Clone,
    indent: usize,
    mut text: impl FnMut(V, usize) -> String,
) -> String {
    let width = layout::name_width(attributes.clone().map(|(name, _)| name));
    let items = attributes.map(|(own, value)| (name(own), text(value, width + " = ".len())));
    let lines = layout::align(&items.collect::<Vec<_>>());
    lines.into_iter().fold(String::new(), |all, line| all + &" ".repeat(indent) + &line + "\n")
}

/// The name of an attribute or type of a block. In the JSON syntax, names can be any text.
pub(crate) fn name(name: &str) -> String {
    if is_bare(name) { name.to_owned() } else { Value::from(name).to_string() }
}

/// Whether a name needs no quotes.
pub(crate) fn is_bare(name: &str) -> bool {
    is_identifier(name) && name.chars().all(is_visible)
}

/// Checks that a value with this name can be written as data, and reports if it is marked or not fully known.
pub(crate) fn check_plain(name: &str, value: &Value, instead: &str) -> Result<(), CommandError> {
    if value.contains_marked() {
        let (_, marks) = value.unmark_deep();
        return Err(refusal(&format!("{name} is marked as {}{instead}", marks.names().join(" and "))));
    }
    if !value.is_wholly_known() {
        return Err(refusal(&format!("{name} is not fully known: {value}")));
    }
    Ok(())
}

/// The text of a string, number or bool.
pub(crate) fn raw(value: &Value) -> Result<String, CommandError> {
    let text = value.convert(&Type::String).ok();
    let text = text.as_ref().and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| {
        let what = if value.is_null() {
            "null".to_owned()
        } else {
            format!("of type {}", value.ty().friendly_name())
        };
        refusal(&format!(
            "expected a string, number or bool, but the value is {what}; use --output json to write it"
        ))
    })
}

/// Whether a format has rows.
pub(crate) fn is_table(output: Output) -> bool {
    matches!(output, Output::Csv | Output::Tsv | Output::Table)
}

/// Reports why a value is not written.
pub(crate) fn refusal(why: &str) -> CommandError {
    complain(why);
    CommandError::Problems(hclkit::Diagnostics::new())
}

/// A value or JSON as YAML, in the same order.
pub(crate) fn yaml(tree: &impl YamlTree) -> Result<String, Failure> {
    to_yaml(tree).map_err(|error| Failure::new(format!("the result cannot be written as YAML: {error}")))
}

/// A value as JSON.
pub(crate) fn plain_json(value: &Value) -> Result<Json, Failure> {
    Json::try_from(value).map_err(|error| Failure::new(format!("the value cannot be written: {error}")))
}

/// How many elements each part of a tree of JSON counts as.
const PART: usize = 2;

/// A value of the JSON syntax as it is written. A tree of JSON takes many times as much memory as its text, so that all its
/// parts count as elements.
///
/// # Errors
/// An object that has a property twice, because one of both would be lost; and the limit on elements.
pub(crate) fn json_of(value: JsonValue<'_>) -> Result<Json, Box<Diagnostic>> {
    let too_large = |exceeded: Exceeded| Box::new(Diagnostic::exceeded(exceeded).at(value.span()));
    let count = || Meter::current().take_elements(PART).map_err(too_large);
    Ok(match value.kind() {
        JsonKind::Object(object) => {
            let mut properties = IndexMap::new();
            for property in object.properties() {
                count()?;
                let name = property.name().value().into_owned();
                match properties.entry(name) {
                    Entry::Vacant(place) => place.insert(json_of(property.value())?),
                    Entry::Occupied(first) => {
                        let note = format!("The property `{}` is already set in this object.", first.key());
                        let error = Diagnostic::error(Code::DuplicateKey).at(property.name_span());
                        return Err(Box::new(error.with_note(note)));
                    }
                };
            }
            Json::Object(properties)
        }
        JsonKind::Array(array) => {
            let mut elements = Vec::new();
            for element in array.elements() {
                count()?;
                elements.push(json_of(element)?);
            }
            Json::Array(elements)
        }
        JsonKind::String(text) => Json::String(text.value().into_owned()),
        JsonKind::Number(digits) => Json::Number(digits.to_owned()),
        JsonKind::Bool(value) => Json::Bool(value),
        JsonKind::Null | JsonKind::Missing => Json::Null,
    })
}

/// What is written in place of a value that is hidden or not known, where it cannot be told from text.
pub(crate) const SENSITIVE: &str = "(sensitive)";
pub(crate) const UNKNOWN: &str = "(unknown)";

/// The value as it is written, without marks if sensitive values are shown.
pub(crate) fn shown(value: &Value, show_sensitive: bool) -> Value {
    if show_sensitive { value.unmark_deep().0 } else { value.clone() }
}

/// A value whose sensitive and unknown parts are strings in parentheses.
pub(crate) fn in_words(value: &Value) -> Value {
    if value.is_marked() {
        return Value::from(SENSITIVE);
    }
    if !value.is_known() {
        return Value::from(UNKNOWN);
    }
    match value.kind() {
        Kind::List(_) | Kind::Set(_) | Kind::Tuple(_) => {
            Value::tuple(value.as_slice().unwrap_or_default().iter().map(in_words))
        }
        Kind::Map(_) | Kind::Object(_) => {
            let entries = value.entries().into_iter().flatten();
            Value::object(entries.map(|(name, value)| (name.clone(), in_words(value))))
        }
        _ => value.clone(),
    }
}

/// The same as JSON, without a tree: a value in which sensitive and unknown parts are strings in parentheses.
pub(crate) struct DisplayedJson<'a>(pub(crate) &'a Value);

impl Serialize for DisplayedJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_marked() {
            return serializer.serialize_str(SENSITIVE);
        }
        if !self.0.is_known() {
            return serializer.serialize_str(UNKNOWN);
        }
        match self.0.plain() {
            Ok(Plain::Sequence(items)) => serializer.collect_seq(items.iter().map(DisplayedJson)),
            Ok(Plain::Map(entries)) => {
                serializer.collect_map(entries.map(|(name, value)| (name.as_str(), DisplayedJson(value))))
            }
            Ok(_) => PlainJson::new(self.0).serialize(serializer),
            Err(_) => serializer.serialize_unit(),
        }
    }
}

/// The rows of a value: of a collection of objects, with a line of names; of an object, its names and values; otherwise one
/// for each element. Objects with different names can have many more cells than attributes, so that cells count as elements.
pub(crate) fn rows(value: &Value) -> Result<Vec<Vec<String>>, CommandError> {
    if let Some(entries) = value.entries() {
        return Ok(entries.map(|(name, value)| vec![name.to_string(), cell(value)]).collect());
    }
    let Some(elements) = value.as_slice() else { return Ok(vec![vec![cell(value)]]) };
    if elements.is_empty() || elements.iter().any(|element| element.entries().is_none()) {
        return Ok(elements.iter().map(|element| vec![cell(element)]).collect());
    }
    let all = elements.iter().flat_map(|element| element.entries().into_iter().flatten());
    let names: IndexSet<&str> = all.map(|(name, _)| &**name).collect();
    let cells = names.len().saturating_mul(elements.len());
    let too_large = |exceeded| Failure::new(format!("the table is too large: {exceeded}"));
    Meter::current().take_elements(cells).map_err(too_large)?;
    let row = |element: &Value| {
        let of = |name: &&str| element.attribute(name).map_or_else(|_| String::new(), |value| cell(&value));
        names.iter().map(of).collect()
    };
    let header = names.iter().map(|name| (*name).to_owned()).collect();
    Ok(std::iter::once(header).chain(elements.iter().map(row)).collect())
}

/// The text of a value in a table: strings without quotes, and everything else as source code.
pub(crate) fn cell(value: &Value) -> String {
    let value = in_words(value);
    if value.is_null() {
        return String::new();
    }
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The text of JSON in a table: strings without quotes, and everything else as JSON, in the same order.
pub(crate) fn json_cell(json: &Json) -> String {
    match json {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        _ => serde_json::to_string(json).unwrap_or_default(),
    }
}

/// How many characters of a cell are shown on standard output: some on a terminal, and all in a pipe or a file.
pub(crate) fn longest_cell() -> usize {
    const SHOWN: usize = 60;
    if host::stdout_is_terminal() { SHOWN } else { usize::MAX }
}

/// Rows as text: in columns, or separated. Cells in columns have so many characters at most.
pub(crate) fn table(rows: &[Vec<String>], output: Output, longest: usize) -> String {
    match output {
        Output::Csv => separated(rows, ","),
        Output::Tsv => separated(rows, "\t"),
        _ => columns(rows, longest),
    }
}

/// Rows with separators, as RFC 4180 describes them: with quotes around what contains separators, quotes or line breaks.
fn separated(rows: &[Vec<String>], separator: &str) -> String {
    let quoted = |cell: &String| {
        if cell.contains(separator) || cell.contains(['"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.clone()
        }
    };
    let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(separator) + "\n";
    rows.iter().map(line).collect()
}

/// Rows in columns; longer cells are shortened.
fn columns(rows: &[Vec<String>], longest: usize) -> String {
    let short = |cell: &String| {
        let cell = visible_line(cell);
        let start: String = cell.chars().take(longest).collect();
        if start.len() == cell.len() { start } else { format!("{start}…") }
    };
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(short).collect()).collect();
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
