//! The rows of one file, before it is known which repository the file is from: files with equal contents share them.

use std::sync::Arc;

use hclkit::model::without_credentials;
use hclkit::{Source, Span};

use crate::schema::Table;

/// A cell of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Null,
    Bool(bool),
    Int(i64),
    /// A part of the text of the rows.
    Text {
        start: u32,
        end: u32,
    },
    /// A part of the list of texts.
    Texts {
        start: u32,
        end: u32,
    },
}

/// The rows of a table, without their first columns.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct TableRows {
    pub(crate) cells: Vec<Cell>,
    pub(crate) texts: Vec<(u32, u32)>,
    pub(crate) text: String,
    pub(crate) rows: usize,
}

/// The variables and outputs of a file that other files of its directory may override.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// The addresses of those whose values are withheld.
    pub(crate) hidden: Vec<String>,
    /// Those of the others.
    pub(crate) shown: Vec<String>,
}

impl Declared {
    pub(crate) fn add(&mut self, address: &str, is_hidden: bool) {
        let all = if is_hidden { &mut self.hidden } else { &mut self.shown };
        all.push(address.to_owned());
    }

    /// The same for all files with equal contents, if there can be other files.
    pub(crate) fn shared(self, overrides: bool) -> Option<Arc<Self>> {
        let is_empty = self.hidden.is_empty() && self.shown.is_empty();
        (overrides && !is_empty).then(|| Arc::new(self))
    }

    fn weight(&self) -> usize {
        self.hidden.iter().chain(&self.shown).map(|own| own.len() + size_of::<String>()).sum()
    }
}

/// The rows of a file in all tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileRows {
    pub(crate) tables: [Option<Arc<TableRows>>; Table::COUNT],
    /// What files beside it may override.
    pub(crate) declared: Option<Arc<Declared>>,
    /// The content, if there is something.
    pub(crate) content: Option<Arc<[u8]>>,
    /// Whether the file has an error.
    pub(crate) broken: bool,
    /// Whether a limit ended some of the work on it.
    pub(crate) limited: bool,
    /// Whether it could not be read.
    pub(crate) unread: bool,
    /// Why its content has no rows.
    pub(crate) reason: Option<Arc<str>>,
}

impl FileRows {
    /// About how much memory the rows take.
    pub(crate) fn weight(&self) -> usize {
        let declared = self.declared.as_ref().map_or(0, |own| own.weight());
        let content = self.content.as_ref().map_or(0, |own| own.len());
        let rows: usize = self.tables.iter().flatten().map(|rows| rows.weight()).sum();
        rows + declared + content + size_of::<Self>()
    }
}

impl TableRows {
    pub(crate) fn weight(&self) -> usize {
        self.cells.len() * size_of::<Cell>() + self.texts.len() * 8 + self.text.len() + size_of::<Self>()
    }

    pub(crate) fn slice(&self, start: u32, end: u32) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    pub(crate) fn list(&self, start: u32, end: u32) -> impl ExactSizeIterator<Item = &str> {
        self.texts[start as usize..end as usize].iter().map(|(start, end)| self.slice(*start, *end))
    }
}

/// Collects rows, up to a limit.
#[derive(Debug)]
pub(crate) struct Collector {
    tables: [TableRows; Table::COUNT],
    wanted: [bool; Table::COUNT],
    /// How many bytes of text and cells are left.
    left: usize,
    /// Whether rows were left out.
    pub(crate) exceeded: bool,
    /// Whether there is an error.
    pub(crate) broken: bool,
    /// Whether a limit ended some of the work.
    pub(crate) limited: bool,
}

/// A row that is being written. The order of the calls is that of the columns.
pub(crate) struct Row<'c> {
    rows: Option<&'c mut TableRows>,
    left: &'c mut usize,
}

impl Collector {
    pub(crate) fn new(wanted: [bool; Table::COUNT], limit: usize) -> Self {
        Self {
            tables: Default::default(),
            wanted,
            left: limit,
            exceeded: false,
            broken: false,
            limited: false,
        }
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// Whether rows of a table are wanted.
    pub(crate) fn wants(&self, table: Table) -> bool {
        self.wanted[table as usize]
    }

    /// Begins a row. If the table is not wanted, or there are too many rows already, it goes nowhere.
    pub(crate) fn row(&mut self, table: Table) -> Row<'_> {
        let rows = &mut self.tables[table as usize];
        // What says that rows are missing is never missing.
        let fits = self.left > 0 || matches!(table, Table::Files | Table::Diagnostics);
        self.exceeded |= !fits;
        let is_wanted = fits && self.wanted[table as usize];
        if is_wanted {
            rows.rows += 1;
        }
        Row { rows: is_wanted.then_some(rows), left: &mut self.left }
    }

    pub(crate) fn finish(self) -> FileRows {
        let one = |mut rows: TableRows| {
            rows.cells.shrink_to_fit();
            rows.text.shrink_to_fit();
            (rows.rows > 0).then(|| Arc::new(rows))
        };
        let limited = self.limited || self.exceeded;
        FileRows { tables: self.tables.map(one), broken: self.broken, limited, ..FileRows::default() }
    }
}

impl Row<'_> {
    fn push(&mut self, cell: Cell) {
        if let Some(rows) = &mut self.rows {
            rows.cells.push(cell);
            *self.left = self.left.saturating_sub(size_of::<Cell>());
        }
    }

    pub(crate) fn null(mut self) -> Self {
        self.push(Cell::Null);
        self
    }

    pub(crate) fn bool(mut self, value: bool) -> Self {
        self.push(Cell::Bool(value));
        self
    }

    pub(crate) fn int(mut self, value: impl TryInto<i64>) -> Self {
        self.push(Cell::Int(value.try_into().unwrap_or(i64::MAX)));
        self
    }

    pub(crate) fn maybe_int(self, value: Option<impl TryInto<i64>>) -> Self {
        match value {
            Some(value) => self.int(value),
            None => self.null(),
        }
    }

    fn store(&mut self, text: &str) -> (u32, u32) {
        let Some(rows) = &mut self.rows else { return (0, 0) };
        // Labels, comments and descriptions may have addresses, too.
        let text = &*without_credentials(text);
        *self.left = self.left.saturating_sub(text.len());
        let start = rows.text.len() as u32;
        rows.text.push_str(text);
        (start, rows.text.len() as u32)
    }

    pub(crate) fn text(mut self, text: &str) -> Self {
        let (start, end) = self.store(text);
        self.push(Cell::Text { start, end });
        self
    }

    pub(crate) fn maybe(self, text: Option<impl AsRef<str>>) -> Self {
        match text {
            Some(text) => self.text(text.as_ref()),
            None => self.null(),
        }
    }

    pub(crate) fn maybe_bool(self, value: Option<bool>) -> Self {
        match value {
            Some(value) => self.bool(value),
            None => self.null(),
        }
    }

    pub(crate) fn texts(mut self, texts: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let start = self.rows.as_ref().map_or(0, |rows| rows.texts.len() as u32);
        for text in texts {
            let stored = self.store(text.as_ref());
            if let Some(rows) = &mut self.rows {
                rows.texts.push(stored);
            }
        }
        let end = self.rows.as_ref().map_or(0, |rows| rows.texts.len() as u32);
        self.push(Cell::Texts { start, end });
        self
    }

    /// Ends the row with the place that it is from.
    pub(crate) fn at(self, source: &Source, span: Span) {
        let end = if span.is_empty() { span.end } else { span.end - 1 };
        let (first, last) = (source.line_of(span.start), source.line_of(end.max(span.start)));
        self.int(first + 1).int(last + 1).int(span.start).int(span.end);
    }

    /// Ends the row without a place.
    pub(crate) fn nowhere(self) {
        self.int(0).int(0).int(0).int(0);
    }
}
