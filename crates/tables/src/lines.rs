//! Rows as lines of text: JSON and CSV.

use std::fmt::Write as _;

use crate::batch::{FileId, Part};
use crate::literal::quote;
use crate::rows::{Cell, TableRows};
use crate::schema::{FIRST, Table};

/// The parts as lines of JSON.
pub(crate) fn ndjson(table: Table, parts: &[Part], columns: &[usize]) -> Vec<u8> {
    let names: Vec<String> = table.columns().map(|column| format!("\"{}\":", column.name)).collect();
    let mut out = String::new();
    each_row(table, parts, |id, own, cells| {
        out.push('{');
        for (number, &at) in columns.iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            out.push_str(&names[at]);
            match value(at, id, own, cells) {
                Value::Null => out.push_str("null"),
                Value::Bool(value) => out.push_str(if value { "true" } else { "false" }),
                Value::Int(value) => push_int(value, &mut out),
                Value::Text(text) => quote(text, &mut out),
                Value::Texts(own, start, end) => json_list(own.list(start, end), &mut out),
            }
        }
        out.push_str("}\n");
    });
    out.into_bytes()
}

/// What spreadsheets treat as the start of a formula, some of them also in wide characters or after what is not visible.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// The parts as CSV, without the line of names. A list is a list of JSON; null is nothing, and an empty text is `""`.
pub(crate) fn csv(table: Table, parts: &[Part], columns: &[usize], formulas: bool) -> Vec<u8> {
    let mut out = String::new();
    let csv_text = |text: &str, out: &mut String| {
        if formulas || !text.starts_with(FORMULA) {
            csv_text(text, out);
        } else {
            csv_text(&format!("'{text}"), out);
        }
    };
    each_row(table, parts, |id, own, cells| {
        for (number, &at) in columns.iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            match value(at, id, own, cells) {
                Value::Null => {}
                Value::Bool(value) => out.push_str(if value { "true" } else { "false" }),
                Value::Int(value) => push_int(value, &mut out),
                Value::Text(text) => csv_text(text, &mut out),
                Value::Texts(own, start, end) => {
                    let mut list = String::new();
                    json_list(own.list(start, end), &mut list);
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
    Texts(&'r TableRows, u32, u32),
}

fn each_row(table: Table, parts: &[Part], mut row: impl FnMut(&FileId, &TableRows, &[Cell])) {
    let width = table.columns().count() - FIRST.len();
    for part in parts {
        part.cells(width).for_each(|cells| row(&part.id, &part.own, cells));
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
        Cell::Texts { start, end } => Value::Texts(own, start, end),
    }
}

fn push_int(value: i64, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{value}");
}

fn json_list<'r>(texts: impl Iterator<Item = &'r str>, out: &mut String) {
    out.push('[');
    for (at, text) in texts.enumerate() {
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
