//! Unexpected text in place of a value or a property. It is reported with a fix, and the parser continues as if it were
//! what was most likely meant. Words without quotes are handled in `word.rs`.

use super::node::{Form, Kind};
use super::parser::{Before, Parser};
use crate::messages::fix;
use crate::messages::json as messages;
use crate::source::BYTE_ORDER_MARK;
use crate::{Code, Diagnostic, Span};

/// Returns true for characters that look like a space or are invisible.
fn is_odd_space(character: char) -> bool {
    !character.is_ascii() && character.is_whitespace()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

impl Parser<'_> {
    /// Reports a byte order mark, which JSON text must not begin with.
    pub(super) fn byte_order_mark(&mut self) {
        if self.text.starts_with(BYTE_ORDER_MARK) {
            self.pos = BYTE_ORDER_MARK.len();
            let mark = Span::new(0, self.pos as u32);
            self.error(|| {
                let detail = messages::BYTE_ORDER_MARK;
                Diagnostic::error(Code::JsonByteOrderMark).at(mark).with_note(detail).with_edit(
                    fix::REMOVE_IT,
                    mark,
                    "",
                )
            });
        }
    }

    /// Reports comments and characters that look like spaces, and skips them and the blanks between them.
    #[cold]
    pub(super) fn comments(&mut self) {
        loop {
            let (start, rest) = (self.pos, &self.text[self.pos..]);
            if rest.starts_with("//") || rest.starts_with('#') {
                self.pos += memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let end = comment.find("*/");
                self.pos += 2 + end.map_or(comment.len(), |at| at + 2);
                if end.is_none() {
                    self.unclosed_comment(start);
                    return;
                }
            } else if let Some(odd) = rest.chars().next().filter(|&first| is_odd_space(first)) {
                self.pos += odd.len_utf8();
                let span = Span::new(start as u32, self.pos as u32);
                self.error(|| {
                    let detail = messages::invisible_character(odd as u32);
                    Diagnostic::error(Code::JsonWrongCharacter).at(span).with_note(detail).with_edit(
                        fix::USE_SPACE,
                        span,
                        " ",
                    )
                });
                self.skip_blanks();
                continue;
            } else {
                return;
            }
            let span = Span::new(start as u32, self.pos as u32);
            self.error(|| {
                let detail = messages::COMMENT;
                Diagnostic::error(Code::JsonComment).at(span).with_note(detail)
            });
            self.skip_blanks();
        }
    }

    pub(super) fn unclosed_comment(&mut self, start: usize) {
        let open = Span::new(start as u32, start as u32 + 2);
        self.error(|| {
            let detail = messages::UNCLOSED_COMMENT;
            Diagnostic::error(Code::JsonComment).at(open).with_note(detail)
        });
        self.doubt();
    }

    /// Checks that the root is an object or an array. The elements of an array are checked when it is read as a body.
    pub(super) fn check_root(&mut self) {
        let Some(root) = self.nodes.first().filter(|root| !matches!(root.kind, Kind::Object | Kind::Array))
        else {
            return;
        };
        if self.errors == 0 {
            let span = root.span();
            self.error(|| {
                let detail = messages::WRONG_ROOT;
                Diagnostic::error(Code::JsonRoot).at(span).with_note(detail)
            });
        }
    }

    /// Handles text that does not begin like a value. See [`value`](Self::value).
    #[cold]
    pub(super) fn wrong_value(&mut self, named: bool) {
        match self.byte(self.pos) {
            0 if self.at_end() => {
                self.ends_early("a value");
                self.missing();
            }
            // The object that the bracket does not close reports it.
            b']' if named => self.missing(),
            b',' | b'}' | b']' | b';' => {
                self.no_value();
                self.missing();
            }
            b':' | b'=' => {
                let start = self.pos;
                while matches!(self.byte(self.pos), b':' | b'=' | b'>') {
                    self.pos += 1;
                    self.blank();
                }
                let subject = Span::new(start as u32, start as u32 + 1);
                self.error(|| {
                    let detail = messages::SECOND_COLON;
                    Diagnostic::error(Code::JsonWrongCharacter).at(subject).with_note(detail)
                });
                self.value(named);
            }
            b'+' | b'.' => self.invalid_number(),
            _ if self.word_end(self.pos) > self.pos => self.wrong_word(),
            _ => {
                let start = self.pos;
                if !self.other_string(Kind::String) {
                    self.wrong_character(messages::NO_VALUE);
                    self.skip_rest();
                    self.push(Kind::Missing, start, self.pos);
                }
            }
        }
    }

    /// Handles unexpected text in an object. `Ok` is the state to continue with in the object, `Err` the state in the
    /// value that is innermost then.
    #[cold]
    pub(super) fn wrong_property(&mut self, before: Before) -> Result<Before, Before> {
        let byte = self.byte(self.pos);
        match (before, byte) {
            _ if self.at_end() => Err(self.unclosed(before)),
            (_, b']') => Err(self.mismatched()),
            (Before::Comma(comma), b'}') => {
                self.trailing_comma(comma);
                Err(self.close())
            }
            (Before::Open | Before::Comma(_), b',') => Ok(self.extra_commas(before)),
            (Before::Element, b';') => Ok(self.semicolon()),
            (Before::Element, _) => {
                let word = self.word_end(self.pos);
                let named = word > self.pos
                    && matches!(self.bytes[word..].trim_ascii_start().first(), Some(b':' | b'='));
                let quoted = byte == b'"' || self.text[self.pos..].starts_with(['\'', '`', '“']);
                Ok(self.missing_comma(named || quoted))
            }
            (_, b':' | b'=') => {
                let start = self.pos;
                let subject = Span::new(start as u32, start as u32 + 1);
                let errors = self.errors;
                self.error(|| {
                    let detail = messages::NO_NAME_BEFORE;
                    Diagnostic::error(Code::JsonInvalidName).at(subject).with_note(detail)
                });
                self.push_text(Kind::Name, start, start, Form::Bare);
                self.property_value(errors).map_or(Ok(Before::Element), Err)
            }
            _ => {
                let errors = self.errors;
                if self.other_name() {
                    return self.property_value(errors).map_or(Ok(Before::Element), Err);
                }
                if self.errors == errors {
                    let subject = self.token();
                    self.error(|| {
                        let detail = messages::NO_NAME;
                        Diagnostic::error(Code::JsonInvalidName).at(subject).with_note(detail)
                    });
                }
                if !matches!(byte, b'{' | b'[') {
                    self.pos = self.token().end as usize;
                }
                self.skip_rest();
                Ok(Before::Element)
            }
        }
    }

    /// Handles unexpected text in an array. See [`wrong_property`](Self::wrong_property).
    #[cold]
    pub(super) fn wrong_element(&mut self, before: Before) -> Result<Before, Before> {
        match (before, self.byte(self.pos)) {
            _ if self.at_end() => Err(self.unclosed(before)),
            (_, b'}') => Err(self.mismatched()),
            (Before::Comma(comma), b']') => {
                self.trailing_comma(comma);
                Err(self.close())
            }
            (Before::Open | Before::Comma(_), b',') => Ok(self.extra_commas(before)),
            (Before::Element, b';') => Ok(self.semicolon()),
            (_, b':' | b'=') => {
                let subject = Span::new(self.pos as u32, self.pos as u32 + 1);
                self.error(|| {
                    let detail = messages::NAMED_ELEMENT;
                    Diagnostic::error(Code::JsonWrongCharacter).at(subject).with_note(detail)
                });
                self.doubt();
                self.pos += 1;
                Ok(Before::Open)
            }
            (Before::Element, _) => Ok(self.missing_comma(self.begins_value())),
            _ => self.element(self.errors, false).map_or(Ok(Before::Element), Err),
        }
    }

    /// Reports the character here, and skips it.
    pub(super) fn wrong_character(&mut self, detail: &'static str) {
        let span = self.token();
        // Unclosed quotes are reported separately.
        if !self.text[self.pos..].starts_with(['\'', '`', '“', '”', '„', '‘', '«']) {
            self.error(|| Diagnostic::error(Code::JsonWrongCharacter).at(span).with_note(detail));
        }
        self.pos = span.end as usize;
    }

    pub(super) fn no_value(&mut self) {
        let subject = Span::new(self.pos as u32, self.pos as u32 + 1);
        self.error(|| {
            let detail = messages::NO_VALUE_BEFORE;
            Diagnostic::error(Code::JsonMissingValue).at(subject).with_note(detail)
        });
    }
}
