//! Selects the source lines to show. Files and lines may be huge, so only the text near the marks is rendered, and the
//! positions in the result are corrected afterwards.

use std::borrow::Cow;

use annotate_snippets::{Annotation, Patch, Snippet};
use hclkit_syntax::{Diagnostic, Fix, Source, Span, visible};

use super::{annotation_kind, shown_name};

/// Marks that are further apart get separate excerpts.
const MAX_LINES: u32 = 200;
/// The maximum number of bytes of a line to show before and after a mark.
const MAX_BESIDE: u32 = 1_000;
/// The maximum number of bytes of a mark to show.
const MAX_MARK: u32 = 80 * MAX_LINES;
/// The maximum length of changed lines, which are shown whole. For longer lines, only the title of the change is shown.
const MAX_CHANGED_LINE: u32 = 160;

/// Lines of a source, with marks.
pub(super) struct Excerpt<'a> {
    source: &'a Source,
    /// The text to show.
    text: Span,
    marks: Vec<Mark<'a>>,
}

struct Mark<'a> {
    span: Span,
    message: &'a str,
    primary: bool,
}

/// The excerpts of a diagnostic, starting with that of its own location. Empty if it has no source.
pub(super) fn of_diagnostic(diagnostic: &Diagnostic) -> Vec<Excerpt<'_>> {
    let Some(source) = diagnostic.source() else { return Vec::new() };
    let mut excerpts = vec![Excerpt::around(source, diagnostic.span(), "", true)];
    for related in diagnostic.related() {
        let source = related.source().unwrap_or(source);
        let other = Excerpt::around(source, related.span(), related.text(), false);
        match excerpts.iter_mut().find(|excerpt| excerpt.is_near(&other)) {
            Some(excerpt) => {
                excerpt.text = excerpt.text.cover(other.text);
                excerpt.marks.extend(other.marks);
            }
            None => excerpts.push(other),
        }
    }
    excerpts
}

impl<'a> Excerpt<'a> {
    fn around(source: &'a Source, span: Span, message: &'a str, primary: bool) -> Self {
        let mut span = without_line_break(source, clamp(source, span));
        if span.len() > MAX_MARK {
            span.end = boundary(source, span.start + MAX_MARK);
        }
        let (first, last) = (source.line_of(span.start), source.line_of(span.end));
        if last - first > MAX_LINES {
            // For a large span, show only its first line.
            span.end = source.line_span(first).end.max(span.start);
        }
        let last = source.line_of(span.end);
        let start = source.line_span(first).start.max(span.start.saturating_sub(MAX_BESIDE));
        let end = source.line_span(last).end.min(span.end.saturating_add(MAX_BESIDE)).max(span.end);
        let text = Span::new(boundary(source, start.min(span.start)), boundary(source, end));
        // A mark ends at the end of the text that is shown.
        Self { source, text, marks: vec![Mark { span, message, primary }] }
    }

    fn is_near(&self, other: &Self) -> bool {
        let line = |offset| self.source.line_of(offset);
        let text = self.text.cover(other.text);
        std::ptr::eq(self.source, other.source)
            && line(text.end) - line(text.start) <= MAX_LINES
            && text.len() <= 4 * MAX_BESIDE + 80 * MAX_LINES
            // Text between the parts of a long line is not shown.
            && (text.len() <= 4 * MAX_BESIDE || self.is_whole_lines() && other.is_whole_lines())
    }

    fn is_whole_lines(&self) -> bool {
        let line = self.source.line_span(self.source.line_of(self.text.start));
        line.start == self.text.start
    }

    pub(super) fn snippet(&self) -> Snippet<'a, Annotation<'a>> {
        let first = self.source.line_of(self.text.start);
        let shown = Shown::of(self.source, self.text);
        let annotations = self.marks.iter().map(|mark| {
            let annotation = annotation_kind(mark.primary).span(shown.span(mark.span));
            if mark.message.is_empty() { annotation } else { annotation.label(visible(mark.message)) }
        });
        let annotations: Vec<_> = annotations.collect();
        Snippet::source(shown.text)
            .path(shown_name(self.source))
            .line_start((first + self.source.start().line) as usize)
            .annotations(annotations)
    }

    /// Corrects the column in the rendered text, which counts characters of the excerpt, to that in the source.
    pub(super) fn correct_place(&self, rendered: &mut String) {
        let Some(mark) = self.marks.iter().find(|mark| mark.primary).or(self.marks.first()) else { return };
        let right = self.source.position(mark.span.start);
        let line_start = self.source.line_span(right.line - self.source.start().line).start;
        let shown = Span::new(line_start.max(self.text.start), mark.span.start);
        let drawn = self.source.slice(shown).chars().count() + 1;
        if drawn != right.column as usize {
            let name = shown_name(self.source);
            let (wrong, line) = (format!("{name}:{}:{drawn}", right.line), right.line);
            if let Some(at) = rendered.find(&wrong) {
                let right = format!("{name}:{line}:{}", right.column);
                rendered.replace_range(at..at + wrong.len(), &right);
            }
        }
    }
}

/// A suggested change, shown as the lines before and after it.
pub(super) struct Change<'a> {
    source: &'a Source,
    text: Span,
    fix: &'a Fix,
}

impl<'a> Change<'a> {
    pub(super) fn of(source: &'a Source, fix: &'a Fix) -> Self {
        let spans = || fix.edits.iter().map(|edit| clamp(source, edit.span));
        let span = spans().reduce(Span::cover).unwrap_or_default();
        let (first, last) = (source.line_of(span.start), source.line_of(span.end));
        let end = source.line_span(last).end.max(span.end);
        Self { source, text: Span::new(source.line_span(first).start.min(span.start), end), fix }
    }

    /// The lines of the change. `None` if they are too long or too many.
    pub(super) fn snippet(&self) -> Option<Snippet<'a, Patch<'a>>> {
        let first = self.source.line_of(self.text.start);
        let last = self.source.line_of(self.text.end);
        let drawable = last - first <= MAX_LINES
            && (first..=last).all(|line| self.source.line_span(line).len() <= MAX_CHANGED_LINE);
        if !drawable {
            return None;
        }
        let shown = Shown::of(self.source, self.text);
        let patches =
            self.fix.edits.iter().map(|edit| {
                Patch::new(shown.span(clamp(self.source, edit.span)), visible(&edit.replacement))
            });
        let patches: Vec<_> = patches.collect();
        let snippet = Snippet::source(shown.text)
            .path(shown_name(self.source))
            .line_start((first + self.source.start().line) as usize)
            // With folding, the rest of a line is lost if a replacement ends with a line break.
            .fold(!self.fix.edits.iter().any(|edit| edit.replacement.contains('\n')))
            .patches(patches);
        Some(snippet)
    }
}

/// A part of a source with symbols for invisible characters.
struct Shown<'a> {
    part: Span,
    /// The text of the source.
    raw: &'a str,
    /// The text with symbols for invisible characters.
    text: Cow<'a, str>,
}

impl<'a> Shown<'a> {
    fn of(source: &'a Source, part: Span) -> Self {
        let raw = source.slice(part);
        Self { part, raw, text: visible(raw) }
    }

    /// The position of a span of the source in the shown text.
    fn span(&self, span: Span) -> std::ops::Range<usize> {
        let raw = relative(span, self.part);
        self.offset(raw.start)..self.offset(raw.end)
    }

    fn offset(&self, raw: usize) -> usize {
        if matches!(self.text, Cow::Borrowed(_)) {
            return raw;
        }
        // A position inside `\r\n` is after the shown line break.
        match (self.raw.get(..raw), self.raw.get(raw..)) {
            (Some(before), Some(behind)) if before.ends_with('\r') && behind.starts_with('\n') => {
                visible(&before[..raw - 1]).len() + 1
            }
            (Some(before), _) => visible(before).len(),
            (None, _) => self.text.len(),
        }
    }
}

fn relative(span: Span, within: Span) -> std::ops::Range<usize> {
    let start = span.start.max(within.start) - within.start;
    let end = span.end.min(within.end).saturating_sub(within.start);
    start as usize..end.max(start) as usize
}

/// Limits a span to the text after a byte order mark, on character boundaries.
fn clamp(source: &Source, span: Span) -> Span {
    let first = source.line_span(0).start;
    let start = boundary(source, span.start.max(first));
    Span::new(start, boundary(source, span.end.max(start)))
}

/// Removes a line break at the end of a span, so that the next line is not marked.
fn without_line_break(source: &Source, span: Span) -> Span {
    let text = source.slice(span);
    let kept = text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text));
    Span::new(span.start, span.start + kept.len() as u32)
}

/// The nearest character boundary at or before an offset.
fn boundary(source: &Source, offset: u32) -> u32 {
    let mut offset = (offset as usize).min(source.text().len());
    while !source.text().is_char_boundary(offset) {
        offset -= 1;
    }
    offset as u32
}
