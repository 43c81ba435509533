//! The rewrites of `terraform fmt` before formatting: values that are only an interpolation, types of variables as in
//! older versions, and labels without quotes.

use std::borrow::Cow;
use std::fmt::Write as _;

use hclkit_syntax::ast::{AttributeNode, BlockNode, BodyNode, Item, LabelNode};
use hclkit_syntax::{Document, Edit, Span, TokenKind, Tokens, is_visible};
use unicode_normalization::UnicodeNormalization as _;

/// The rewrites of a document without errors, sorted and without overlaps.
pub(super) fn rewrites(document: &Document) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut bodies: Vec<(BodyNode<'_>, bool)> = vec![(document.body(), false)];
    let mut is_root = true;
    while let Some((body, of_variable)) = bodies.pop() {
        for item in body.items() {
            match item {
                Item::Attribute(attribute) if of_variable && attribute.name() == "type" => {
                    modern_type(document, attribute, &mut edits);
                }
                Item::Attribute(attribute) => unwrapped(document, attribute, &mut edits),
                Item::Block(block) => {
                    quoted_labels(document, block, &mut edits);
                    bodies.push((block.body(), is_root && block.block_type() == "variable"));
                }
            }
        }
        is_root = false;
    }
    edits.sort_by_key(|edit| edit.span);
    edits
}

fn edit(start: u32, end: u32, replacement: impl Into<Cow<'static, str>>) -> Edit {
    Edit { span: Span::new(start, end), replacement: replacement.into() }
}

/// The range of the tokens of an attribute's value.
fn value_tokens(tokens: &Tokens, attribute: AttributeNode<'_>) -> (u32, u32) {
    let span = attribute.value().span();
    let first = tokens.at(span.start);
    let mut end = first;
    while tokens.kind(end) != TokenKind::Eof && tokens.start(end) < span.end {
        end += 1;
    }
    (first, end)
}

/// `"${x}"` as the value of an attribute becomes `x`, in parentheses if it spans several lines.
fn unwrapped(document: &Document, attribute: AttributeNode<'_>, edits: &mut Vec<Edit>) {
    use TokenKind as T;
    let tokens = document.tokens();
    let (first, end) = value_tokens(tokens, attribute);
    let is_wrapped = end - first >= 5
        && tokens.kind(first) == T::OpenQuote
        && matches!(tokens.kind(first + 1), T::OpenInterpolation | T::OpenInterpolationStrip)
        && matches!(tokens.kind(end - 2), T::CloseSequence | T::CloseSequenceStrip)
        && tokens.kind(end - 1) == T::CloseQuote;
    if !is_wrapped {
        return;
    }
    let (mut from, mut to) = (first + 2, end - 2);
    while from < to && tokens.kind(from) == T::Newline {
        from += 1;
    }
    // The line break after a line comment belongs to it.
    while from < to
        && tokens.kind(to - 1) == T::Newline
        && tokens.kind(to.saturating_sub(2)) != T::LineComment
    {
        to -= 1;
    }
    let Some(layout) = Layout::of(tokens, from, to) else { return };
    let parens = match layout {
        Layout::OneLine => ("", ""),
        Layout::Parenthesize => ("(", ")"),
        Layout::Unsafe => return,
    };
    let mut close_end = tokens.span(end - 1).end;
    if tokens.kind(to - 1) == T::CloseHeredoc && parens.1.is_empty() {
        // The name that closes a heredoc must be alone on its line.
        if tokens.kind(end) != T::Newline {
            return;
        }
        close_end = tokens.start(end);
    }
    edits.push(edit(tokens.start(first), tokens.start(from), parens.0));
    edits.push(edit(tokens.span(to - 1).end, close_end, parens.1));
}

/// How an expression can be written without the surrounding quotes.
enum Layout {
    /// Without parentheses.
    OneLine,
    /// In parentheses.
    Parenthesize,
    /// Not at all: a comment would end the line before the value ends. Terraform unwraps it anyway and breaks the
    /// file.
    Unsafe,
}

impl Layout {
    /// `None` if the quotes contain more than an interpolation.
    fn of(tokens: &Tokens, from: u32, to: u32) -> Option<Self> {
        use TokenKind as T;
        let (mut quotes, mut depth) = (0_u32, 0_i32);
        let (mut breaks, mut breaks_on_top, mut comment_breaks, mut first_closes_last) =
            (false, false, false, true);
        for at in from..to {
            let kind = tokens.kind(at);
            match kind {
                T::OpenQuote => quotes += 1,
                T::CloseQuote => quotes = quotes.saturating_sub(1),
                T::QuotedText
                | T::OpenInterpolation
                | T::OpenInterpolationStrip
                | T::CloseSequence
                | T::CloseSequenceStrip
                    if quotes == 0 =>
                {
                    return None;
                }
                T::OpenInterpolation
                | T::OpenInterpolationStrip
                | T::OpenDirective
                | T::OpenDirectiveStrip => depth += 1,
                T::CloseSequence | T::CloseSequenceStrip => depth -= 1,
                T::OpenParen | T::OpenBracket | T::OpenBrace => depth += 1,
                T::CloseParen | T::CloseBracket | T::CloseBrace => depth -= 1,
                T::Newline => {
                    let ends_comment = at > from && tokens.kind(at - 1) == T::LineComment;
                    breaks |= !ends_comment;
                    breaks_on_top |= !ends_comment && depth == 0;
                    comment_breaks |= ends_comment && depth == 0 && at + 1 < to;
                }
                _ => {}
            }
            first_closes_last &= depth > 0 || at + 1 == to;
        }
        let in_parens = tokens.kind(from) == T::OpenParen && tokens.kind(to - 1) == T::CloseParen;
        Some(if breaks && !(in_parens && (first_closes_last || !breaks_on_top)) {
            Self::Parenthesize
        } else if comment_breaks {
            Self::Unsafe
        } else {
            Self::OneLine
        })
    }
}

/// Types in the style of Terraform 0.11, and collections without an element type.
fn modern_type(document: &Document, attribute: AttributeNode<'_>, edits: &mut Vec<Edit>) {
    let tokens = document.tokens();
    let (first, end) = value_tokens(tokens, attribute);
    if end - first != 1 {
        return;
    }
    let span = tokens.span(first);
    let modern = match tokens.text(first, document.source()) {
        "list" => "list(any)",
        "set" => "set(any)",
        "map" => "map(any)",
        "\"string\"" => "string",
        "\"list\"" => "list(string)",
        "\"map\"" => "map(string)",
        _ => return,
    };
    edits.push(edit(span.start, span.end, modern));
}

/// Quotes labels. A header with comments stays as it is: Terraform loses them.
fn quoted_labels(document: &Document, block: BlockNode<'_>, edits: &mut Vec<Edit>) {
    let mut text = String::new();
    let mut end = None;
    for label in block.labels() {
        text.push(' ');
        text.push_str(&quoted(document, label));
        end = Some(label.span().end);
    }
    let Some(end) = end else { return };
    let start = block.type_span().end;
    let tokens = document.tokens();
    if (tokens.at(start)..tokens.at(end)).any(|at| tokens.kind(at).is_comment()) {
        return;
    }
    // The formatter changes spaces.
    let is_other = |old: &str| !old.split_ascii_whitespace().eq(text.split_ascii_whitespace());
    if is_other(document.source().slice(Span::new(start, end))) {
        edits.push(edit(start, end, text));
    }
}

/// A label in quotes, in normalization form C. A label with a lone `$` or `%`, which Terraform loses, does not change.
fn quoted<'d>(document: &'d Document, label: LabelNode<'d>) -> Cow<'d, str> {
    let source = document.source().slice(label.span());
    let is_simple = !source.contains('\\') && source.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if label.is_quoted() && (source.contains(['$', '%']) || is_simple) {
        return source.into();
    }
    let mut text = String::from("\"");
    for character in label.value().nfc() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            _ if is_printed(character) => text.push(character),
            _ if character <= '\u{ffff}' => _ = write!(text, "\\u{:04x}", character as u32),
            _ => _ = write!(text, "\\U{:08x}", character as u32),
        }
    }
    text.push('"');
    text.into()
}

/// Returns true if Go writes this character in a string without escaping it.
fn is_printed(character: char) -> bool {
    is_visible(character)
        && (character == ' ' || !character.is_whitespace())
        && !matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..)
}
