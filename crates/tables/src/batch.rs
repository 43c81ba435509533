//! Rows as batches of Arrow.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field};

use crate::rows::{Cell, TableRows};
use crate::schema::{Column, FIRST, Kind, Table};

/// Which file rows are from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileId {
    pub(crate) repo: Option<Arc<str>>,
    pub(crate) commit: Option<Arc<str>>,
    pub(crate) path: Arc<str>,
}

impl FileId {
    /// How many bytes its names have.
    pub(crate) fn len(&self) -> usize {
        (0..FIRST.len()).map(|at| self.column(at).map_or(0, str::len)).sum()
    }

    /// The value in one of the columns that all tables have.
    pub(crate) fn column(&self, at: usize) -> Option<&str> {
        match at {
            0 => self.repo.as_deref(),
            1 => self.commit.as_deref(),
            _ => Some(&self.path),
        }
    }
}

/// Rows of a file in a table.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) id: FileId,
    pub(crate) own: Arc<TableRows>,
    /// Which of the rows.
    pub(crate) rows: Range<usize>,
}

impl Part {
    /// The cells of each row.
    pub(crate) fn cells(&self, width: usize) -> impl Iterator<Item = &[Cell]> {
        self.own.cells[self.rows.start * width..self.rows.end * width].chunks_exact(width)
    }
}

/// Rows of a table, up to a number of rows and about a number of bytes.
#[derive(Debug, Default)]
pub(crate) struct Group {
    pub(crate) parts: Vec<Part>,
    pub(crate) rows: usize,
    pub(crate) weight: usize,
}

/// How large groups are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) rows: usize,
    pub(crate) bytes: usize,
}

impl Group {
    /// Adds the rows of a file, and takes out what is complete. Texts are written in each row, also names of files.
    pub(crate) fn add(&mut self, size: Size, id: &FileId, own: &Arc<TableRows>, mut full: impl FnMut(Self)) {
        let each = (own.weight() / own.rows.max(1) + id.len()).max(1);
        let mut start = 0;
        while start < own.rows {
            let room = (size.bytes.saturating_sub(self.weight) / each).min(size.rows - self.rows).max(1);
            let end = own.rows.min(start + room);
            self.parts.push(Part { id: id.clone(), own: own.clone(), rows: start..end });
            self.rows += end - start;
            self.weight += (end - start) * each;
            if self.rows >= size.rows || self.weight >= size.bytes {
                full(std::mem::take(self));
            }
            start = end;
        }
    }
}

/// The parts as a batch. `columns` are the numbers of those that are wanted; `None` is all.
pub(crate) fn record_batch(
    table: Table,
    parts: &[Part],
    columns: Option<&[usize]>,
) -> Result<RecordBatch, ArrowError> {
    let all: Vec<&Column> = table.columns().collect();
    let numbers: Vec<usize> = columns.map_or_else(|| (0..all.len()).collect(), <[usize]>::to_vec);
    let width = all.len() - FIRST.len();
    let rows = parts.iter().map(|part| part.rows.len()).sum();
    let sizes = text_sizes(parts, width);
    let own = |number: &usize| {
        let at = number.checked_sub(FIRST.len())?;
        Some((at, Cells::new(all[*number].kind, rows, sizes[at])))
    };
    let mut own: Vec<(usize, Cells)> = numbers.iter().filter_map(own).collect();
    // The cells of a file are next to each other: all columns take theirs while they are in the cache.
    for part in parts {
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

/// How many bytes the texts of each column have, so that no buffer grows while it is filled.
fn text_sizes(parts: &[Part], width: usize) -> Vec<usize> {
    let mut sizes = vec![0; width];
    for row in parts.iter().flat_map(|part| part.cells(width)) {
        for (size, cell) in sizes.iter_mut().zip(row) {
            if let Cell::Text { start, end } = cell {
                *size += (end - start) as usize;
            }
        }
    }
    sizes
}

fn file_column(at: usize, parts: &[Part], rows: usize) -> ArrayRef {
    let size = parts.iter().map(|part| part.id.column(at).map_or(0, str::len) * part.rows.len()).sum();
    let mut builder = StringBuilder::with_capacity(rows, size);
    for part in parts {
        match part.id.column(at) {
            Some(text) => part.rows.clone().for_each(|_| builder.append_value(text)),
            None => builder.append_nulls(part.rows.len()),
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
    fn new(kind: Kind, rows: usize, size: usize) -> Self {
        match kind {
            Kind::Text => Self::Text(StringBuilder::with_capacity(rows, size)),
            Kind::Int => Self::Int(Int64Builder::with_capacity(rows)),
            Kind::Bool => Self::Bool(BooleanBuilder::with_capacity(rows)),
            Kind::Texts => {
                let field = Field::new_list_field(DataType::Utf8, false);
                Self::Texts(ListBuilder::with_capacity(StringBuilder::new(), rows).with_field(field))
            }
        }
    }

    /// Adds the cells of all rows in a column.
    fn extend(&mut self, part: &Part, at: usize, width: usize) {
        let own = &part.own;
        let cells = part.cells(width).map(|row| row[at]);
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
