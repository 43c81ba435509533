//! Rows as batches of Arrow, and as lines of text.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field};

use crate::literal::quote;
use crate::rows::{Cell, TableRows};
use crate::schema::{Column, FIRST, Kind, Table};

/// Which file rows are from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileId {
    pub(crate) repo: Option<Arc<str>>,
    pub(crate) commit: Option<Arc<str>>,
    pub(crate) path: Arc<str>,
}

/// The rows of a file in a table.
pub(crate) type Part = (FileId, Arc<TableRows>);

/// The parts as a batch. `columns` are the numbers of those that are wanted; `None` is all.
pub(crate) fn record_batch(
    table: Table,
    parts: &[Part],
    columns: Option<&[usize]>,
) -> Result<RecordBatch, ArrowError> {
    let all: Vec<&Column> = table.columns().collect();
    let numbers: Vec<usize> = columns.map_or_else(|| (0..all.len()).collect(), <[usize]>::to_vec);
    let width = all.len() - FIRST.len();
    let rows = parts.iter().map(|(_, rows)| rows.rows).sum();
    let own = |at: &usize| Some((at.checked_sub(FIRST.len())?, Cells::new(all[*at].kind, rows)));
    let mut own: Vec<(usize, Cells)> = numbers.iter().filter_map(own).collect();
    // The cells of a file are next to each other: all columns take theirs while they are in the cache.
    for (_, part) in parts {
        for (at, cells) in &mut own {
            cells.extend(part, *at, width);
        }
    }
    let mut own = own.into_iter();
    let array = |at: &usize| match at.checked_sub(FIRST.len()) {
        None => Some(file_column(*at, parts, rows)),
        Some(_) => own.next().map(|(_, cells)| cells.finish()),
    };
    let arrays: Vec<ArrayRef> = numbers.iter().filter_map(array).collect();
    let schema = match columns {
        None => table.schema(),
        Some(columns) => Arc::new(table.schema().project(columns)?),
    };
    let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema, arrays, &options)
}

fn file_column(at: usize, parts: &[Part], rows: usize) -> ArrayRef {
    let mut builder = StringBuilder::with_capacity(rows, rows * 32);
    for (id, own) in parts {
        let text = match at {
            0 => id.repo.as_deref(),
            1 => id.commit.as_deref(),
            _ => Some(&*id.path),
        };
        match text {
            Some(text) => (0..own.rows).for_each(|_| builder.append_value(text)),
            None => builder.append_nulls(own.rows),
        }
    }
    Arc::new(builder.finish())
}

/// A column that is being made from cells.
enum Cells {
    Text(StringBuilder),
    Int(Int64Builder),
    Bool(BooleanBuilder),
    Texts(ListBuilder<StringBuilder>),
}

impl Cells {
    fn new(kind: Kind, rows: usize) -> Self {
        match kind {
            Kind::Text => Self::Text(StringBuilder::with_capacity(rows, rows * 16)),
            Kind::Int => Self::Int(Int64Builder::with_capacity(rows)),
            Kind::Bool => Self::Bool(BooleanBuilder::with_capacity(rows)),
            Kind::Texts => {
                let field = Field::new_list_field(DataType::Utf8, false);
                Self::Texts(ListBuilder::with_capacity(StringBuilder::new(), rows).with_field(field))
            }
        }
    }

    /// Adds the cells of all rows in a column.
    fn extend(&mut self, own: &TableRows, at: usize, width: usize) {
        let cells = own.cells.chunks_exact(width).map(|row| row[at]);
        match self {
            Self::Text(builder) => cells.for_each(|cell| match cell {
                Cell::Text { start, end } => builder.append_value(own.slice(start, end)),
                _ => builder.append_null(),
            }),
            Self::Int(builder) => cells.for_each(|cell| match cell {
                Cell::Int(value) => builder.append_value(value),
                _ => builder.append_null(),
            }),
            Self::Bool(builder) => cells.for_each(|cell| match cell {
                Cell::Bool(value) => builder.append_value(value),
                _ => builder.append_null(),
            }),
            Self::Texts(builder) => cells.for_each(|cell| {
                if let Cell::Texts { start, end } = cell {
                    own.list(start, end).for_each(|text| builder.values().append_value(text));
                    builder.append(true);
                } else {
                    builder.append(false);
                }
            }),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Text(mut builder) => Arc::new(builder.finish()),
            Self::Int(mut builder) => Arc::new(builder.finish()),
            Self::Bool(mut builder) => Arc::new(builder.finish()),
            Self::Texts(mut builder) => Arc::new(builder.finish()),
        }
    }
}

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
    match at {
        0 => return of(id.repo.as_deref()),
        1 => return of(id.commit.as_deref()),
        2 => return Value::Text(&id.path),
        _ => {}
    }
    match cells[at - FIRST.len()] {
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
