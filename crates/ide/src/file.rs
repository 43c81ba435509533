//! A file: its text, parsed, with its lines and its language.

use std::sync::{Arc, OnceLock};

use hclkit::dialect::{Dialect, FileFacts, FileKind, syntax_of_path, tree, withheld_in};
use hclkit::model::Withheld;
use hclkit::refactor::Names;
use hclkit::{Diagnostics, Document, Source, Span, Syntax};

use crate::files::name;
use crate::position::{Encoding, LinePosition, Lines};
use crate::usage::Usage;

/// A file, open or not.
#[derive(Debug)]
pub struct File {
    path: String,
    version: Option<i32>,
    document: Document,
    lines: Lines,
    dialect: Option<Arc<Dialect>>,
    kind: Option<FileKind>,
    names: OnceLock<Names>,
    usage: OnceLock<Usage>,
}

impl File {
    pub(crate) fn new(
        path: &str,
        text: Vec<u8>,
        version: Option<i32>,
        dialect: Option<Arc<Dialect>>,
    ) -> Self {
        let document = Document::parse_in(Source::new(path, text), syntax(path));
        let lines = Lines::of(document.source().text());
        let kind = dialect.as_ref().and_then(|dialect| dialect.file_kind(path));
        let (names, usage) = (OnceLock::new(), OnceLock::new());
        Self { path: path.to_owned(), version, document, lines, dialect, kind, names, usage }
    }

    /// A file of the same language at the same path, with a text in the native syntax.
    pub(crate) fn in_native_syntax(&self, text: &str) -> Self {
        let document = Document::parse_in(Source::new(self.path.as_str(), text), Syntax::Native);
        let lines = Lines::of(document.source().text());
        Self {
            path: self.path.clone(),
            version: self.version,
            document,
            lines,
            dialect: self.dialect.clone(),
            kind: self.kind,
            names: OnceLock::new(),
            usage: OnceLock::new(),
        }
    }

    /// The path.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The version that the editor gave the text, if the file is open.
    pub fn version(&self) -> Option<i32> {
        self.version
    }

    /// The parsed text.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// What must not be shown of the text. Other files may declare some of what it declares as sensitive.
    pub(crate) fn withheld(&self, elsewhere: &[String]) -> Withheld {
        let is_values = self.kind == Some(FileKind::Values);
        let dialect = self.dialect.as_deref().filter(|_| !is_values);
        let body = tree::Body::of(&self.document, self.dialect.as_deref(), is_values);
        let facts = FileFacts { dialect, kind: self.kind, elsewhere, shows_values: false };
        withheld_in(&body, self.document.source(), self.syntax_errors(), facts)
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.document.source().text()
    }

    /// The lines of the text.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The place of a byte offset.
    pub fn position(&self, offset: u32, encoding: Encoding) -> LinePosition {
        self.lines.position(self.text(), offset, encoding)
    }

    /// The byte offset of a place.
    pub fn offset(&self, position: LinePosition, encoding: Encoding) -> u32 {
        self.lines.offset(self.text(), position, encoding)
    }

    /// The language, if the name or the editor says it.
    pub fn dialect(&self) -> Option<&Arc<Dialect>> {
        self.dialect.as_ref()
    }

    /// The language whose table describes the content: that of tests is another one than that of modules.
    pub(crate) fn content_dialect(&self) -> Option<&Arc<Dialect>> {
        let dialect = self.dialect.as_ref()?;
        Some(self.kind.and_then(|kind| dialect.of_kind(kind)).unwrap_or(dialect))
    }

    /// The blocks and attributes in either syntax.
    pub(crate) fn content(&self) -> tree::Body<'_> {
        tree::Body::of(&self.document, self.content_dialect().map(Arc::as_ref), self.holds_values())
    }

    /// The names in the file.
    pub(crate) fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::in_language(&self.document, self.dialect.clone()))
    }

    /// The names that the file uses.
    pub(crate) fn usage(&self) -> &Usage {
        self.usage.get_or_init(|| Usage::of(self))
    }

    /// What the file contains, if its name says it.
    pub fn kind(&self) -> Option<FileKind> {
        self.kind
    }

    pub(crate) fn is_native(&self) -> bool {
        self.document.json().is_none()
    }

    pub(crate) fn is_test(&self) -> bool {
        self.kind == Some(FileKind::Tests)
    }

    /// Whether the file sets variables.
    pub(crate) fn holds_values(&self) -> bool {
        self.kind == Some(FileKind::Values)
    }

    /// The errors and warnings of the parser.
    pub(crate) fn syntax_errors(&self) -> &Diagnostics {
        self.document.diagnostics()
    }

    /// The diagnostics of another text in place of this one.
    pub(crate) fn errors_of(&self, text: &str) -> Diagnostics {
        let source = Source::new(self.path.as_str(), text);
        Document::parse_in(source, self.document.syntax()).diagnostics().clone()
    }

    /// The lines of an item, if nothing else is on them. An empty line before it goes as well, if there is one after it.
    pub(crate) fn whole_lines(&self, span: Span) -> Option<Span> {
        let (lines, text) = (self.lines(), self.text());
        let start = lines.start(lines.line_of(span.start), text);
        // The item may end with a line break.
        let last = lines.line_of(span.end.saturating_sub(1).max(span.start));
        let end = lines.start(last + 1, text);
        let is_blank =
            |from: u32, to: u32| text[from as usize..(to as usize).max(from as usize)].trim().is_empty();
        if !is_blank(start, span.start) || !is_blank(span.end.min(end), end) {
            return None;
        }
        let line = lines.line_of(start);
        let before = line.checked_sub(1).filter(|&before| lines.line(before, text).trim().is_empty());
        let has_blank_after = end as usize >= text.len() || lines.line(last + 1, text).trim().is_empty();
        Some(Span::new(
            before.filter(|_| has_blank_after).map_or(start, |before| lines.start(before, text)),
            end,
        ))
    }

    /// The word around a byte offset: letters, digits, `_` and `-`.
    pub(crate) fn word(&self, offset: u32) -> Span {
        let text = self.text();
        let (before, after) = text.split_at(floor(text, offset));
        let start = before.trim_end_matches(is_part_of_word).len();
        let end = text.len() - after.trim_start_matches(is_part_of_word).len();
        Span::new(start as u32, end as u32)
    }

    /// The word at an offset with its namespaces, such as `core::lower`.
    pub(crate) fn word_with_namespaces(&self, offset: u32) -> Span {
        let (text, word) = (self.text(), self.word(offset));
        let (mut start, mut end) = (word.start as usize, word.end as usize);
        while let Some(before) = text[..start].strip_suffix("::") {
            start = before.trim_end_matches(is_part_of_word).len();
        }
        while let Some(after) = text[end..].strip_prefix("::") {
            end = text.len() - after.trim_start_matches(is_part_of_word).len();
        }
        Span::new(start as u32, end as u32)
    }
}

fn is_part_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '-'
}

/// The largest offset between characters that is not greater.
pub(crate) fn floor(text: &str, offset: u32) -> usize {
    let mut at = (offset as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The syntax of a file.
pub(crate) fn syntax(path: &str) -> Syntax {
    match syntax_of_path(path).unwrap_or_else(|| Syntax::of(name(path))) {
        Syntax::Native => Dialect::syntax_of(path),
        other => other,
    }
}
