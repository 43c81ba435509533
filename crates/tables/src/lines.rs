//! Rows as lines of text: JSON and CSV.

use crate::batch::{FileId, Part};
use crate::literal::quote;
use crate::rows::{Cell, TableRows};
use crate::schema::{FIRST, Table};

/// The parts as lines of JSON.
pub(crate) fn ndjson(table: Table, parts: &[Part], columns: &[usize]) -> Vec<u8> {
    let names: Vec<&str> = table.columns().map(|column| column.name).collect();
    let mut out = String::new();
    each_row(table, parts, |id, own, cells| {
        out.push('{');
        for (number, &at) in columns.iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            quote(names[at], &mut out);
            out.push(':');
            match value(at, id, own, cells) {
                Value::Null => out.push_str("null"),
                Value::Bool(value) => out.push_str(if value { "true" } else { "false" }),
                Value::Int(value) => out.push_str(&value.to_string()),
                Value::Text(text) => quote(text, &mut out),
                Value::Texts(texts) => json_list(texts, &mut out),
            }
        }
        out.push_str("}\n");
    });
    out.into_bytes()
}

/// The parts as CSV, without the line of names. A list is a list of JSON; null is nothing, and an empty text is `""`.
pub(crate) fn csv(table: Table, parts: &[Part], columns: &[usize]) -> Vec<u8> {
    let mut out = String::new();
    each_row(table, parts, |id, own, cells| {
        for (number, &at) in columns.iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            match value(at, id, own, cells) {
                Value::Null => {}
                Value::Bool(value) => out.push_str(if value { "true" } else { "false" }),
                Value::Int(value) => out.push_str(&value.to_string()),
                Value::Text(text) => csv_text(text, &mut out),
                Value::Texts(texts) => {
                    let mut list = String::new();
                    json_list(texts, &mut list);
                    csv_text(&list, &mut out);
                }
            }
        }
        out.push_str("\r\n");
    });
    out.into_bytes()
}

/// The names of the columns, as the first line of CSV.
pub(crate) fn csv_head(table: Table, columns: &[usize]) -> Vec<u8> {
    let names: Vec<&str> = table.columns().map(|column| column.name).collect();
    let names: Vec<&str> = columns.iter().map(|at| names[*at]).collect();
    format!("{}\r\n", names.join(",")).into_bytes()
}

/// A value of a row.
enum Value<'r> {
    Null,
    Bool(bool),
    Int(i64),
    Text(&'r str),
    Texts(Vec<&'r str>),
}

fn each_row(table: Table, parts: &[Part], mut row: impl FnMut(&FileId, &TableRows, &[Cell])) {
    let width = table.columns().count() - FIRST.len();
    for (id, own) in parts {
        own.cells.chunks_exact(width).for_each(|cells| row(id, own, cells));
    }
}

fn value<'r>(at: usize, id: &'r FileId, own: &'r TableRows, cells: &[Cell]) -> Value<'r> {
    let of = |text: Option<&'r str>| text.map_or(Value::Null, Value::Text);
    let Some(at) = at.checked_sub(FIRST.len()) else { return of(id.column(at)) };
    match cells[at] {
        Cell::Null => Value::Null,
        Cell::Bool(value) => Value::Bool(value),
        Cell::Int(value) => Value::Int(value),
        Cell::Text { start, end } => Value::Text(own.slice(start, end)),
        Cell::Texts { start, end } => Value::Texts(own.list(start, end).collect()),
    }
}

fn json_list(texts: Vec<&str>, out: &mut String) {
    out.push('[');
    for (at, text) in texts.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        quote(text, out);
    }
    out.push(']');
}

fn csv_text(text: &str, out: &mut String) {
    let is_plain = !text.is_empty() && !text.contains(['"', ',', '\n', '\r']);
    if is_plain {
        return out.push_str(text);
    }
    out.push('"');
    out.push_str(&text.replace('"', "\"\""));
    out.push('"');
}
