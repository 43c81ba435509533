//! Templates as strings that are templates. In JSON, a template has no escape sequences and no indentation to remove,
//! so literal text is written as its value. The result is parsed again to ensure that its meaning is the same.

use std::borrow::Cow;

use hclkit_syntax::ast::{ExpressionKind, ExpressionNode, Part, TemplateNode, TextNode};
use hclkit_syntax::{
    Document, NodeKind, Root, Source, Span, TokenKind, is_visible, parse_expression, parse_template,
};
use hclkit_value::Value;

/// A literal text between sequences.
enum Segment<'d> {
    Text {
        value: String,
        /// The white space that strip markers removed from the start and from the end.
        stripped: (&'d str, &'d str),
    },
    /// `${…}` or `%{…}`
    Sequence {
        /// `$` or `%`.
        mark: char,
        inner: &'d str,
        strips: (bool, bool),
    },
}

impl Segment<'_> {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text { value, .. } => Some(value),
            Self::Sequence { .. } => None,
        }
    }
}

/// The template as a JSON string, which is a template with the same meaning.
pub(super) fn convert(template: TemplateNode<'_>) -> Cow<'_, str> {
    if let Some(text) = template.as_literal() {
        if !has_sequence(&text) && !text.starts_with('\u{feff}') {
            return text;
        }
        let escaped = escape(&text);
        let reads_back = |again: &TemplateNode<'_>| again.as_literal().as_deref() == Some(&*text);
        return if reads_as(&escaped, reads_back) { escaped } else { as_interpolation(template) }.into();
    }
    if let Some(text) = as_written(template) {
        debug_assert_eq!(text, rewritten(template));
        return text.into();
    }
    rewritten(template).into()
}

/// The same for any template with sequences.
fn rewritten(template: TemplateNode<'_>) -> String {
    let segments = segments(template);
    if is_simple(&segments) {
        return write(&segments, false);
    }
    let meaning = meaning(&segments);
    let unwraps = template.as_unwrapped().is_some();
    // Strip markers stay if there is nothing left for them to remove.
    for keep_markers in [true, false] {
        let written = write(&segments, keep_markers);
        let reads_back = |again: &TemplateNode<'_>| {
            again.as_unwrapped().is_some() == unwraps && self::meaning(&self::segments(*again)) == meaning
        };
        if reads_as(&written, reads_back) {
            return written;
        }
    }
    as_interpolation(template)
}

fn has_sequence(text: &str) -> bool {
    // Most texts have neither character.
    text.bytes().any(|byte| matches!(byte, b'$' | b'%')) && (text.contains("${") || text.contains("%{"))
}

/// The text between the quotes of a string, if it contains neither escapes nor anything that looks like a sequence.
pub(super) fn plain_string(expression: ExpressionNode<'_>) -> Option<&str> {
    let document = expression.document();
    if document.tree().kind(expression.id()) != NodeKind::String {
        return None;
    }
    let inner = expression.text().strip_prefix('"')?.strip_suffix('"')?;
    // 0xef starts a byte order mark.
    let is_plain = inner.bytes().all(|byte| !matches!(byte, b'\\' | b'$' | b'%' | 0xef));
    is_plain.then_some(inner)
}

/// The text between the quotes of a template, if it is the same in JSON: it has no escapes, no strip markers, and no
/// `$` or `%` except at the start of a sequence. Most templates are like that.
fn as_written(template: TemplateNode<'_>) -> Option<&str> {
    let inner = template.text().strip_prefix('"')?.strip_suffix('"')?;
    let bytes = inner.as_bytes();
    let is_same = |(at, byte): (usize, &u8)| match byte {
        // 0xef starts a byte order mark.
        b'\\' | b'\r' | b'~' | 0xef => false,
        b'$' | b'%' => bytes.get(at + 1) == Some(&b'{'),
        _ => true,
    };
    bytes.iter().enumerate().all(is_same).then_some(inner)
}

/// Returns true if a template contains nothing that could change its meaning as text: strip markers, lone carriage
/// returns, a byte order mark, or a `$` or `%` before a sequence. Most templates are like that.
fn is_simple(segments: &[Segment<'_>]) -> bool {
    segments.iter().enumerate().all(|(index, segment)| match segment {
        Segment::Text { value, .. } => {
            let ends_alone = !value.ends_with(['$', '%']) || index + 1 == segments.len();
            ends_alone && !value.is_empty() && !value.contains(['\r', '\u{feff}'])
        }
        Segment::Sequence { inner, strips, .. } => *strips == (false, false) && !inner.contains('\r'),
    })
}

/// A template of the JSON syntax as a quoted template or a heredoc of the same meaning. `None` if it has none.
pub(super) fn to_native(template: TemplateNode<'_>) -> Option<String> {
    let segments = segments(template);
    let reads_as = |written: &str, expected: &[(char, String)]| {
        let document = parse_expression(format!("{written}\n"));
        let Root::Expression(root) = document.root() else { return false };
        let ExpressionKind::Template(again) = root.kind() else { return false };
        !document.has_errors()
            && again.as_unwrapped().is_none()
            && meaning(&self::segments(again)) == expected
    };
    let expected = meaning(&segments);
    if is_long(&segments) {
        let text = write_with(&segments, true, escape);
        let taken = |end: &String| text.lines().any(|line| line.trim() == end);
        let mut ends = (0..).map(|n| if n == 0 { "EOT".to_owned() } else { format!("EOT{n}") });
        let end = ends.find(|end| !taken(end))?;
        let heredoc = format!("<<{end}\n{text}{end}");
        if reads_as(&heredoc, &expected) {
            return Some(heredoc);
        }
    }
    for keep_markers in [true, false] {
        let quoted = format!("\"{}\"", write_with(&segments, keep_markers, quoted));
        if reads_as(&quoted, &expected) {
            return Some(quoted);
        }
    }
    // A `$` before a sequence would escape it, so such text is written as an interpolation. A single interpolation
    // would be unwrapped, so an empty one is added before it.
    let mut guarded: Vec<(char, String)> = (expected.iter().enumerate())
        .map(|(index, (mark, text))| match mark {
            '"' if text.ends_with(['$', '%']) && index + 1 < expected.len() => {
                ('$', format!("\"{}\"", quoted(text)))
            }
            mark => (*mark, text.clone()),
        })
        .collect();
    if let [('$', _)] = guarded.as_slice() {
        guarded.insert(0, ('$', "\"\"".to_owned()));
    }
    let mut written = String::from("\"");
    for (mark, text) in &guarded {
        match mark {
            '"' => written.push_str(&quoted(text)),
            mark => written.extend([&*mark.to_string(), "{", text, "}"]),
        }
    }
    written.push('"');
    reads_as(&written, &guarded).then_some(written)
}

/// Returns true if a template is text of several lines that a heredoc can express.
fn is_long(segments: &[Segment<'_>]) -> bool {
    let texts = || segments.iter().filter_map(Segment::text);
    let is_plain = |c: char| is_visible(c) || matches!(c, '\n' | '\t');
    texts().map(|text| text.matches('\n').count()).sum::<usize>() > 1
        && segments.last().and_then(Segment::text).is_some_and(|text| text.ends_with('\n'))
        && texts().all(|text| text.chars().all(is_plain))
}

/// Text as written between quotes.
fn quoted(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Escapes literal text for use in a template.
fn escape(text: &str) -> String {
    if !has_sequence(text) {
        return text.to_owned();
    }
    text.replace("${", "$${").replace("%{", "%%{")
}

/// `${"…"}`, for text that cannot be escaped.
fn as_interpolation(template: TemplateNode<'_>) -> String {
    let text = template.text();
    let native = if text.starts_with('<') { format!("{text}\n") } else { text.to_owned() };
    format!("${{{native}}}")
}

/// Returns true if a text has the same meaning as a template, in this parser and in others.
fn reads_as(text: &str, test: impl Fn(&TemplateNode<'_>) -> bool) -> bool {
    // A byte order mark at the start of a template is dropped. After a carriage return that does not end a line, the
    // reference does not recognize sequences.
    if text.starts_with('\u{feff}') || has_lone_return(text) && (text.contains("${") || text.contains("%{")) {
        return false;
    }
    let document = parse_template(text);
    matches!(document.root(), Root::Template(template) if !document.has_errors() && test(&template))
}

fn has_lone_return(text: &str) -> bool {
    text.match_indices('\r').any(|(at, _)| !text[at + 1..].starts_with('\n'))
}

fn segments(template: TemplateNode<'_>) -> Vec<Segment<'_>> {
    let document = template.document();
    let (source, tokens) = (document.source(), document.tokens());
    let mut texts = texts(template).into_iter().peekable();
    let mut segments: Vec<Segment<'_>> = Vec::new();
    let (first, last) = document.tree().token_range(template.id());
    let (mut depth, mut opened) = (0_usize, first);
    for token in first..=last {
        let kind = tokens.kind(token);
        match kind {
            TokenKind::OpenInterpolation
            | TokenKind::OpenInterpolationStrip
            | TokenKind::OpenDirective
            | TokenKind::OpenDirectiveStrip => {
                if depth == 0 {
                    opened = token;
                }
                depth += 1;
            }
            TokenKind::CloseSequence | TokenKind::CloseSequenceStrip => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    segments.push(sequence(document, opened, token));
                }
            }
            _ if depth == 0 => {
                if let Some(text) = texts.next_if(|text| text.span().start == tokens.start(token)) {
                    push_text(&mut segments, source, text);
                }
            }
            _ => {}
        }
    }
    segments
}

fn sequence(document: &Document, opened: u32, closed: u32) -> Segment<'_> {
    let (open, close) = (document.tokens().get(opened), document.tokens().get(closed));
    let inner = document.source().slice(Span::new(open.span.end, close.span.start));
    let interpolates = matches!(open.kind, TokenKind::OpenInterpolation | TokenKind::OpenInterpolationStrip);
    let strips_before =
        matches!(open.kind, TokenKind::OpenInterpolationStrip | TokenKind::OpenDirectiveStrip);
    Segment::Sequence {
        mark: if interpolates { '$' } else { '%' },
        inner,
        strips: (strips_before, close.kind == TokenKind::CloseSequenceStrip),
    }
}

fn push_text<'d>(segments: &mut Vec<Segment<'d>>, source: &'d Source, text: TextNode<'d>) {
    let raw = source.slice(text.span());
    let (start, end) = blank_ends(raw);
    match segments.last_mut() {
        Some(Segment::Text { value, stripped }) => {
            value.push_str(&text.value());
            stripped.1 = end;
        }
        _ => segments.push(Segment::Text { value: text.value().into_owned(), stripped: (start, end) }),
    }
}

/// The white space that strip markers remove: that of the first line, with its line break if the line is blank, and that
/// of the last line.
fn blank_ends(raw: &str) -> (&str, &str) {
    let first = raw.split_inclusive('\n').next().unwrap_or_default();
    let last = raw.rsplit_once('\n').map_or(raw, |(_, last)| last);
    let start = &first[..first.len() - first.trim_start().len()];
    let end = &last[last.trim_end().len()..];
    // A blank text is removed as a whole.
    (start, if raw.len() == start.len() { "" } else { end })
}

/// The literal texts in order, including those in directives.
fn texts(template: TemplateNode<'_>) -> Vec<TextNode<'_>> {
    let mut texts = Vec::new();
    let mut open = vec![template.parts()];
    while let Some(parts) = open.last_mut() {
        match parts.next() {
            None => _ = open.pop(),
            Some(Part::Text(text)) => texts.push(text),
            Some(Part::Interpolation(_)) => {}
            Some(Part::For(directive)) => open.push(directive.parts()),
            Some(Part::If(directive)) => open.extend([directive.else_parts(), directive.then_parts()]),
        }
    }
    texts
}

fn write(segments: &[Segment<'_>], keep_markers: bool) -> String {
    write_with(segments, keep_markers, escape)
}

/// Writes a template, with a function that escapes its literal texts.
fn write_with(segments: &[Segment<'_>], keep_markers: bool, escape: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    for (index, segment) in segments.iter().enumerate() {
        match segment {
            Segment::Text { value, stripped } => {
                let strips = |neighbour: Option<&Segment<'_>>, before: bool| match neighbour {
                    Some(Segment::Sequence { strips, .. }) => {
                        keep_markers && if before { strips.1 } else { strips.0 }
                    }
                    _ => false,
                };
                if strips(index.checked_sub(1).and_then(|before| segments.get(before)), true) {
                    out.push_str(&escape(stripped.0));
                }
                out.push_str(&escape(value));
                if strips(segments.get(index + 1), false) {
                    out.push_str(&escape(stripped.1));
                }
            }
            Segment::Sequence { mark, inner, strips } => {
                let marker = |strips: bool| if strips && keep_markers { "~" } else { "" };
                out.extend([*mark, '{']);
                out.extend([marker(strips.0), inner, marker(strips.1), "}"]);
            }
        }
    }
    out
}

/// The texts and sequences of a template, without strip markers. They are equal for templates with the same meaning.
fn meaning(segments: &[Segment<'_>]) -> Vec<(char, String)> {
    let mut meaning: Vec<(char, String)> = Vec::new();
    for segment in segments {
        match segment {
            Segment::Text { value, .. } if value.is_empty() => {}
            Segment::Text { value, .. } => meaning.push(('"', value.clone())),
            Segment::Sequence { mark, inner, .. } => meaning.push((*mark, (*inner).to_owned())),
        }
    }
    meaning
}
