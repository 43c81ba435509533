//! Positions and ranges in a source.

use hclkit::Span;
use pyo3::prelude::*;

/// A position in a source.
#[pyclass(frozen, eq, hash, module = "hclkit")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    /// The line, from 1.
    #[pyo3(get)]
    line: u32,
    /// The column in characters as readers count them, from 1.
    #[pyo3(get)]
    column: u32,
    /// The offset in bytes of UTF-8, from 0.
    #[pyo3(get)]
    byte: u32,
}

#[pymethods]
impl Position {
    fn __repr__(&self) -> String {
        format!("{}:{}", self.line, self.column)
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("line", "column", "byte")
    }
}

impl Position {
    pub(crate) fn new(line: u32, column: u32, byte: u32) -> Self {
        Self { line, column, byte }
    }
}

impl From<hclkit::Position> for Position {
    fn from(position: hclkit::Position) -> Self {
        Self { line: position.line, column: position.column, byte: position.byte }
    }
}

/// A part of a source: from `start` up to, and without, `end`.
#[pyclass(frozen, eq, hash, module = "hclkit")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Range {
    /// The name of the source.
    #[pyo3(get)]
    name: String,
    /// The first character.
    #[pyo3(get)]
    start: Position,
    /// Just after the last character.
    #[pyo3(get)]
    end: Position,
}

#[pymethods]
impl Range {
    fn __repr__(&self) -> String {
        self.repr()
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("name", "start", "end")
    }
}

impl Range {
    /// `name:line:column-line:column`.
    pub(crate) fn repr(&self) -> String {
        let separator = if self.name.is_empty() { "" } else { ":" };
        format!("{}{separator}{}-{}", self.name, self.start.__repr__(), self.end.__repr__())
    }

    pub(crate) fn of(name: String, start: Position, end: Position) -> Self {
        Self { name, start, end }
    }

    pub(crate) fn new(source: &hclkit::Source, span: Span) -> Self {
        let range = source.range(span);
        Self { name: source.name().to_owned(), start: range.start.into(), end: range.end.into() }
    }
}

impl From<hclkit::Place> for Range {
    fn from(place: hclkit::Place) -> Self {
        Self::new(&place.source, place.span)
    }
}
