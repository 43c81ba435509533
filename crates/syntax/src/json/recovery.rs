//! Where to continue after an error, and what is not closed: at the end of the text, because of a closing bracket of
//! the wrong kind, or because the nesting is too deep. Unexpected text is handled in `wrong.rs` and `separator.rs`.

use super::node::Kind;
use super::parser::{Before, Parser, is_blank};
use crate::messages::json as messages;
use crate::messages::{fix, related};
use crate::{Code, Diagnostic, Edit, Fix, Span};

/// A closing bracket of the wrong kind.
pub(super) struct Mismatch {
    diagnostic: Diagnostic,
    /// The bracket that fixes it, if there turns out to be one closing bracket too many.
    other: Option<&'static str>,
    /// The number of errors at that time.
    errors: usize,
}

impl Parser<'_> {
    pub(super) fn skip_blanks(&mut self) {
        while is_blank(self.byte(self.pos)) {
            self.pos += 1;
        }
    }

    /// Reports text after the root value.
    pub(super) fn extra_text(&mut self) {
        let rest = self.text[self.pos..].trim_end_matches([' ', '\t', '\r', '\n']);
        if let Some(mismatch) = self.mismatch.as_mut().filter(|_| matches!(rest, "}" | "]")) {
            // The extra bracket here was missing there.
            let span = mismatch.diagnostic.span;
            let other = mismatch.other.filter(|_| self.text.get(span.to_range()) == Some(rest));
            mismatch.diagnostic.fix = other.map(|other| Fix {
                title: fix::use_text(other).into(),
                edits: vec![Edit { span, replacement: other.into() }],
            });
            return;
        }
        let subject = self.token();
        let brackets = Span::new(self.pos as u32, (self.pos + rest.len()) as u32);
        let only_brackets = rest.bytes().all(|byte| matches!(byte, b'}' | b']') || is_blank(byte));
        self.error(|| {
            let detail = messages::EXTRA_TEXT;
            let diagnostic = Diagnostic::error(Code::JsonExtraText).at(subject).with_note(detail);
            if only_brackets {
                diagnostic.with_edit(fix::REMOVE_CLOSING_BRACKET, brackets, "")
            } else {
                diagnostic
            }
        });
    }

    /// Skips an object or array that exceeds the nesting limit.
    #[cold]
    pub(super) fn too_deep(&mut self) {
        let start = self.pos;
        let bracket = Span::new(start as u32, start as u32 + 1);
        self.error(|| {
            let detail = messages::TOO_DEEP;
            Diagnostic::error(Code::NestingTooDeep).at(bracket).with_note(detail)
        });
        self.pos += 1;
        self.skip_to_closer(1);
        self.push(Kind::Missing, start, self.pos);
    }

    /// Skips text until `open` brackets are closed.
    pub(super) fn skip_to_closer(&mut self, mut open: usize) {
        while open > 0 && !self.at_end() {
            match self.byte(self.pos) {
                b'"' => self.skip_string(),
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                _ => {}
            }
            self.pos += 1;
        }
        if open > 0 {
            self.doubt();
        }
    }

    /// Skips to the last byte of a string, or of its line.
    pub(super) fn skip_string(&mut self) {
        loop {
            self.pos += 1;
            match self.byte(self.pos) {
                b'\\' if !matches!(self.byte(self.pos + 1), 0 | b'\n' | b'\r') => self.pos += 1,
                b'"' => return,
                b'\n' | b'\r' => break,
                _ if self.at_end() => break,
                _ => {}
            }
        }
        self.pos -= 1;
    }

    /// Skips invalid text: to a comma, a closing bracket, or a line that begins like a property. If more than a few
    /// characters are skipped, this may have been the wrong place.
    pub(super) fn skip_rest(&mut self) {
        let (mut open, mut sure) = (0_usize, true);
        loop {
            match self.byte(self.pos) {
                _ if self.at_end() => break,
                b'}' | b']' | b',' if open == 0 => return self.doubt_unless(sure),
                b'\n' if open == 0 => {
                    self.skip_blanks();
                    if self.byte(self.pos) == b'"' {
                        break;
                    }
                    sure = false;
                    continue;
                }
                b'"' => {
                    self.skip_string();
                    sure = false;
                }
                b'{' | b'[' | b'(' => {
                    open += 1;
                    sure = false;
                }
                b'}' | b']' | b')' => open = open.saturating_sub(1),
                _ => {}
            }
            self.pos += 1;
        }
        self.doubt();
    }

    pub(super) fn doubt_unless(&mut self, sure: bool) {
        if !sure {
            self.doubt();
        }
    }

    /// The span of the string, word, number or character at the current position.
    pub(super) fn token(&mut self) -> Span {
        let start = self.pos;
        let end = match self.byte(start) {
            b'"' => {
                self.skip_string();
                let end = self.pos + 1;
                self.pos = start;
                end
            }
            _ => self.word_end(start),
        };
        let first = self.text[start..].chars().next().map_or(0, char::len_utf8);
        Span::new(start as u32, end.max(start + first).min(self.bytes.len()) as u32)
    }

    /// Returns true if a value seems to begin here, even if it is invalid.
    pub(super) fn begins_value(&self) -> bool {
        matches!(self.byte(self.pos), b'"' | b'{' | b'[' | b'-' | b'+' | b'.' | b'\'' | b'`')
            || self.word_end(self.pos) > self.pos
            || self.text[self.pos..].starts_with(['“', '”', '„', '‘', '«'])
    }

    /// Returns true if the token here looks complete and is separated from what is before it, so that only a separator
    /// may be missing. `next` lists the bytes that can follow it.
    pub(super) fn is_whole(&self, token: Span, before: usize, next: &[u8]) -> bool {
        let text = self.slice(token);
        if text.starts_with(['{', '[']) {
            return true;
        }
        let closed = !text.starts_with('"') || (text.len() > 1 && text.ends_with('"'));
        let behind = self.bytes[token.end as usize..].trim_ascii_start().first();
        closed && self.pos > before && behind.is_some_and(|byte| next.contains(byte))
    }

    /// Reports an unexpected end of the text.
    pub(super) fn ends_early(&mut self, what: &str) {
        let end = Span::empty(self.bytes.len() as u32);
        let open = self.open.last().map(|&container| self.nodes[container as usize].start);
        self.error(|| {
            let detail = messages::ends_early(what);
            let diagnostic = Diagnostic::error(Code::JsonMissingValue).at(end).with_note(detail);
            match open {
                Some(open) => diagnostic.with_related_span(Span::new(open, open + 1), related::NOT_CLOSED),
                None => diagnostic,
            }
        });
        self.doubt();
    }

    /// Leaves an object or array that is not closed before the end of the text.
    pub(super) fn unclosed(&mut self, before: Before) -> Before {
        if before == Before::Element {
            let open = self.open.last().map_or(0, |&container| self.nodes[container as usize].start);
            let subject = Span::new(open, open + 1);
            let bracket = self.slice(subject);
            self.error(|| {
                let detail = messages::unclosed_bracket(bracket);
                Diagnostic::error(Code::JsonUnclosedBracket).at(subject).with_note(detail)
            });
            self.doubt();
        } else {
            let object = self.is_in_object();
            self.ends_early(if object { messages::PROPERTY_NAME } else { messages::VALUE });
        }
        self.leave(false)
    }

    pub(super) fn is_in_object(&self) -> bool {
        self.open.last().is_some_and(|&container| self.nodes[container as usize].kind == Kind::Object)
    }

    /// Handles a closing bracket of the other kind. If it matches an outer object or array, everything inside is left
    /// as not closed; otherwise it is treated as the right one.
    pub(super) fn mismatched(&mut self) -> Before {
        let closer = Span::new(self.pos as u32, self.pos as u32 + 1);
        let object = self.is_in_object();
        let waiting = if object { self.open.len() > self.objects } else { self.objects > 0 };
        let open = self.open.last().map_or(0, |&container| self.nodes[container as usize].start);
        let opener = Span::new(open, open + 1);
        let right = if object { "}" } else { "]" };
        let (mut missing, mut left) = (String::new(), Before::Element);
        if waiting {
            while self.is_in_object() == object {
                missing.push_str(right);
                left = self.leave(false);
            }
        } else {
            left = self.close();
        }
        let detail = if object { messages::OBJECT_CLOSED_AS_ARRAY } else { messages::ARRAY_CLOSED_AS_OBJECT };
        let diagnostic = Diagnostic::error(Code::JsonMismatchedBracket)
            .at(closer)
            .with_note(detail)
            .with_related_span(opener, related::OPENED_HERE);
        self.errors += 1;
        if self.mismatch.is_some() {
            if !self.doubt {
                self.findings.push(diagnostic);
            }
        } else if !self.doubt {
            let other = (missing.len() == 1).then_some(right);
            let diagnostic = if waiting {
                diagnostic.with_edit(fix::add_text(&missing), Span::empty(closer.start), missing)
            } else {
                diagnostic.with_edit(fix::use_text(right), closer, right)
            };
            self.mismatch = Some(Mismatch { diagnostic, other, errors: self.errors });
        }
        self.doubt();
        left
    }

    /// Reports the closing bracket of the wrong kind, with a fix if that resolves all later errors.
    pub(super) fn report_mismatch(&mut self) {
        if let Some(Mismatch { mut diagnostic, errors, .. }) = self.mismatch.take() {
            if errors != self.errors {
                diagnostic.fix = None;
            }
            self.findings.push(diagnostic);
        }
    }
}
