//! The formatter. It takes a document and returns changes to the spaces between tokens. `plain` formats like
//! `hclwrite.Format` of the reference.

mod align;
mod brackets;
mod class;
mod gaps;
mod hcl1;
mod line_width;
mod lines;
mod markers;
mod order;
mod reference_tokens;
mod rewritten;
mod style;
mod terraform;
mod token_width;

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use hclkit_dialect::Dialect;
use hclkit_syntax::{Document, Edit, Source, Span, Syntax, Tokens};

use class::Class;
use gaps::Gap;
use lines::Piece;
use rewritten::Rewritten;
pub use style::Style;

/// Formats HCL.
///
/// Only spaces change, and a byte order mark is removed; tokens and comments stay the same. Programs that rewrite code,
/// such as `terraform fmt`, do so before formatting.
///
/// ```
/// let document = hclkit_syntax::parse("a=1\nlonger =  [ 1,2 ] # two\n");
/// let formatted = hclkit_write::Formatter::plain().format(&document);
/// assert_eq!(formatted.text(), "a      = 1\nlonger = [1, 2] # two\n");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Formatter {
    /// The order of arguments is that of its blocks.
    dialect: Option<Arc<Dialect>>,
    /// Whether more than blanks changes.
    rewrites: bool,
    markers: bool,
    style: Style,
}

impl Formatter {
    /// A formatter that formats like the program of a language: `terraform fmt`, for example.
    pub fn new(dialect: Arc<Dialect>) -> Self {
        Self { rewrites: dialect.rewrites(), dialect: Some(dialect), ..Self::plain() }
    }

    /// A formatter for the language that the name of a file belongs to, or [`plain`](Self::plain) if it belongs to none.
    ///
    /// ```
    /// use hclkit_write::Formatter;
    /// let document = hclkit_syntax::parse("a = \"${b}\"\n");
    /// assert_eq!(Formatter::of_path("main.tf").format(&document).text(), "a = b\n");
    /// assert!(Formatter::of_path("main.hcl").format(&document).is_unchanged());
    /// ```
    pub fn of_path(path: impl AsRef<Path>) -> Self {
        Dialect::of_path(path)
            .filter(|dialect| dialect.syntax() != Syntax::Hcl1)
            .map_or_else(Self::plain, Self::new)
    }

    #[doc(hidden)]
    /// A formatter without the table of a language: the style cannot order arguments. The result is the same if `rewrites` is that of
    /// the [language](Dialect::rewrites).
    pub fn without_table(rewrites: bool) -> Self {
        Self { rewrites, ..Self::plain() }
    }

    /// A formatter that formats like `hclwrite.Format` and `hclfmt`, byte for byte, even if the text has errors.
    pub fn plain() -> Self {
        Self { dialect: None, rewrites: false, markers: false, style: Style::new() }
    }

    /// Makes comments exclude parts from formatting: the lines from `# hcl-fmt: off` to `# hcl-fmt: on`, the attribute
    /// or block below `# hcl-fmt: skip` or before it on the same line, or the whole file with `# hcl-fmt: skip-file`.
    /// Otherwise such comments have no effect.
    ///
    /// ```
    /// use hclkit_write::Formatter;
    /// let document = hclkit_syntax::parse("a=[1,0,\n   0,1] # hcl-fmt: skip\nb=2\n");
    /// let formatted = Formatter::plain().with_markers().format(&document);
    /// assert_eq!(formatted.text(), "a=[1,0,\n   0,1] # hcl-fmt: skip\nb = 2\n");
    /// ```
    #[must_use]
    pub fn with_markers(self) -> Self {
        Self { markers: true, ..self }
    }

    /// Sets a style that the program of the language does not support.
    #[must_use]
    pub fn with_style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// Returns true if more than blanks can change.
    pub(crate) fn changes_more_than_blanks(&self) -> bool {
        self.rewrites || self.style.rewrites()
    }

    /// Returns true if no item changes another one, unless both are in the same paragraph.
    pub(crate) fn is_local(&self) -> bool {
        !self.style.rewrites()
    }

    /// The formatter that changes the same blanks, and nothing else.
    pub(crate) fn for_blanks(&self) -> Self {
        let style = Style::new().with_alignment(self.style.aligns());
        Self { dialect: None, rewrites: false, markers: true, style }
    }

    /// Formats a document. Programs that change more than spaces do not change a document with errors.
    /// A document in HCL 1 gets the layout of `hclfmt` of HCL 1 if the formatter is for a language in it, and has no errors. Otherwise it does
    /// not change.
    pub fn format<'s>(&self, document: &'s Document) -> Formatted<'s> {
        if document.syntax() == Syntax::Hcl1 || self.is_for_hcl1() {
            let text = self.formats_hcl1(document).then(|| hcl1::text(document));
            return Formatted {
                source: document.source().bytes(),
                rewritten: None,
                whole: text.filter(|text| text.as_bytes() != document.source().bytes()).map(Arc::from),
                gaps: Vec::new(),
                style: self.style,
            };
        }
        let kept = if self.markers { markers::kept(document) } else { Vec::new() };
        if self.rewrites && document.has_errors() {
            return Formatted {
                source: document.source().bytes(),
                rewritten: None,
                whole: None,
                gaps: Vec::new(),
                style: self.style,
            };
        }
        if self.changes_more_than_blanks()
            && !document.has_errors()
            && let Some(rewritten) = Rewritten::of(document, kept.clone(), self)
        {
            return rewritten.formatted(document.source().bytes(), self.style);
        }
        format_tokens(document.source(), document.tokens(), &kept, self.style)
    }

    #[doc(hidden)]
    /// Returns true if the formatter changes a document in HCL 1: one without errors, which is not JSON. What several carriage returns
    /// before a line feed mean depends on their number, so such a document stays as it is.
    pub fn formats_hcl1(&self, document: &Document) -> bool {
        let is_native = document.syntax() == Syntax::Hcl1 && document.json().is_none();
        let is_usual = || memchr::memmem::find(document.source().bytes(), b"\r\r\n").is_none();
        self.is_for_hcl1() && is_native && !document.has_errors() && is_usual()
    }

    fn is_for_hcl1(&self) -> bool {
        self.dialect.as_ref().is_some_and(|dialect| dialect.syntax() == Syntax::Hcl1)
    }
}

/// Formats a source like [`Formatter::plain`], without building a tree. This is the fastest way if only the text is
/// needed.
///
/// ```
/// use hclkit_syntax::Source;
/// let source = Source::new("main.hcl", "a=1\n");
/// assert_eq!(hclkit_write::format_source(&source).text(), "a = 1\n");
/// ```
pub fn format_source(source: &Source) -> Formatted<'_> {
    format_tokens(source, &Tokens::of(source), &[], Style::new())
}

fn format_tokens<'s>(source: &'s Source, tokens: &Tokens, kept: &[Span], style: Style) -> Formatted<'s> {
    let bytes = source.bytes();
    let gaps = if source.is_too_large() {
        Vec::new()
    } else if tokens.are_certain() {
        let pieces = tokens.iter().map(|token| Piece {
            class: Class::of(token.kind),
            start: token.span.start,
            end: token.span.end,
        });
        lines::gaps(bytes, pieces, kept, style.aligns())
    } else {
        lines::gaps(bytes, reference_tokens::pieces(bytes).into_iter(), kept, style.aligns())
    };
    Formatted { source: bytes, rewritten: None, whole: None, gaps, style }
}

/// The result of formatting: the changes to the source, and the resulting text.
#[derive(Clone)]
pub struct Formatted<'s> {
    source: &'s [u8],
    /// If more than blanks changes: the text with those changes, to which the gaps refer.
    rewritten: Option<Rewritten>,
    /// In HCL 1: the whole text, if it changes.
    whole: Option<Arc<str>>,
    gaps: Vec<Gap>,
    style: Style,
}

/// Whether the source was already formatted. The text and the changes are left out.
#[doc(hidden)]
impl fmt::Debug for Formatted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Formatted").field("is_unchanged", &self.is_unchanged()).finish_non_exhaustive()
    }
}

impl<'s> Formatted<'s> {
    /// Returns true if the source was already formatted.
    pub fn is_unchanged(&self) -> bool {
        self.gaps.is_empty() && self.rewritten.is_none() && self.whole.is_none()
    }

    /// The changes, in source order. Their spans are byte offsets in the source. Most replace the white space between
    /// two tokens with spaces.
    pub fn edits(&self) -> Vec<Edit> {
        if let Some(whole) = &self.whole {
            return vec![difference(self.source, whole)];
        }
        let spaces = |gap: &Gap| " ".repeat(gap.spaces as usize);
        let gaps = self.gaps.iter().map(|gap| Edit { span: gap.span(), replacement: spaces(gap).into() });
        match &self.rewritten {
            None => gaps.collect(),
            Some(rewritten) => rewritten.edits_with(gaps),
        }
    }

    /// Returns true if the formatted text has the same tokens and comments as the source, apart from rewrites of the
    /// language and the style. This reads the text again. The result should always be true; check it before overwriting
    /// a file.
    #[doc(hidden)]
    pub fn is_faithful(&self) -> bool {
        if let Some(whole) = &self.whole {
            return hcl1::is_same(self.source, whole.as_bytes());
        }
        if self.rewritten.as_ref().is_some_and(|rewritten| !rewritten.is_faithful(self.style)) {
            return false;
        }
        let before = Source::new("", self.before());
        let after = Source::new("", self.bytes().into_owned());
        let (old, new) = (Tokens::of(&before), Tokens::of(&after));
        old.len() == new.len()
            && old
                .iter()
                .zip(new.iter())
                .all(|(old, new)| old.kind == new.kind && before.slice(old.span) == after.slice(new.span))
    }

    /// The formatted text. If nothing changes, it is the source itself. In a source that is not UTF-8, invalid bytes are
    /// shown as replacement characters; see [`bytes`](Self::bytes).
    pub fn text(&self) -> Cow<'s, str> {
        match self.bytes() {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => text.into(),
                Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned().into(),
            },
        }
    }

    /// The formatted text as it is written to a file, with the invalid bytes of a source that is not UTF-8.
    pub fn bytes(&self) -> Cow<'s, [u8]> {
        if let Some(whole) = &self.whole {
            return whole.as_bytes().to_owned().into();
        }
        match &self.rewritten {
            Some(rewritten) => gaps::apply(rewritten.text().as_bytes(), &self.gaps).into(),
            None if self.gaps.is_empty() => Cow::Borrowed(self.source),
            None => gaps::apply(self.source, &self.gaps).into(),
        }
    }

    /// The length of the formatted text in bytes. Indentation can make it much longer than the source: its length grows
    /// with the square of the nesting depth.
    #[doc(hidden)]
    pub fn text_len(&self) -> usize {
        if let Some(whole) = &self.whole {
            return whole.len();
        }
        let added: usize = self.gaps.iter().map(|gap| gap.spaces as usize).sum();
        let removed: usize = self.gaps.iter().map(|gap| gap.span().len() as usize).sum();
        (self.before().len() + added).saturating_sub(removed)
    }

    /// The text whose blanks change.
    fn before(&self) -> &[u8] {
        self.rewritten.as_ref().map_or(self.source, |rewritten| rewritten.text().as_bytes())
    }
}

/// The edit that makes a text of another one, without what both begin and end with.
fn difference(before: &[u8], after: &str) -> Edit {
    let new = after.as_bytes();
    let mut start = before.iter().zip(new).take_while(|(old, new)| old == new).count();
    while !after.is_char_boundary(start) {
        start -= 1;
    }
    let (old_rest, new_rest) = (&before[start..], &new[start..]);
    let mut same =
        old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    while !after.is_char_boundary(new.len() - same) {
        same -= 1;
    }
    let span = Span::new(start as u32, (before.len() - same) as u32);
    Edit { span, replacement: after[start..new.len() - same].to_owned().into() }
}
