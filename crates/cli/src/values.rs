//! Values as YAML, as tables, and as lines with separators, for all commands that write values.

use hclkit::convert::{Json, YamlTree, to_yaml};
use hclkit::limits::{Exceeded, Meter};
use hclkit::syntax::json::{JsonKind, JsonValue};
use hclkit::syntax::visible_line;
use hclkit::value::Kind;
use hclkit::{Code, Diagnostic, Value};
use indexmap::map::Entry;
use indexmap::{IndexMap, IndexSet};

use crate::args::Output;
use crate::outcome::Failure;
use crate::output::complain;
use crate::scope::CommandError;

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

/// A value whose sensitive and unknown parts are strings in parentheses.
pub(crate) fn in_words(value: &Value) -> Value {
    if value.is_marked() {
        return Value::from("(sensitive)");
    }
    if !value.is_known() {
        return Value::from("(unknown)");
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

/// Rows as text: in columns, or separated.
pub(crate) fn table(rows: &[Vec<String>], output: Output) -> String {
    match output {
        Output::Csv => separated(rows, ","),
        Output::Tsv => separated(rows, "\t"),
        _ => columns(rows),
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

/// Rows in columns; long cells are shortened.
fn columns(rows: &[Vec<String>]) -> String {
    const MAX: usize = 60;
    let short = |cell: &String| {
        let cell = visible_line(cell);
        let start: String = cell.chars().take(MAX).collect();
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
