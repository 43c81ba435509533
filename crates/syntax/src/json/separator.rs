//! Colons and commas that are missing, duplicated or replaced by something else. RFC 8259, sections 4 and 5.

use super::parser::{Before, Parser};
use crate::messages::fix;
use crate::messages::json as messages;
use crate::{Code, Diagnostic, Edit, Fix, Span};

impl Parser<'_> {
    /// Handles unexpected text after a name, in place of the colon. Returns true if the value is to be read; otherwise,
    /// a missing value was added.
    #[cold]
    pub(super) fn wrong_colon(&mut self, name_end: usize) -> bool {
        match self.byte(self.pos) {
            0 if self.at_end() => {
                self.ends_early(messages::COLON_AND_VALUE);
                self.missing();
                false
            }
            b',' | b'}' => {
                self.no_value();
                self.missing();
                false
            }
            b']' => {
                self.missing();
                false
            }
            b'=' => {
                let start = self.pos;
                while matches!(self.byte(self.pos), b'=' | b'>') {
                    self.pos += 1;
                }
                let (subject, all) =
                    (Span::new(start as u32, start as u32 + 1), Span::new(start as u32, self.pos as u32));
                self.error(|| {
                    let detail = messages::EQUALS_SIGN_FOR_COLON;
                    Diagnostic::error(Code::JsonMissingColon).at(subject).with_note(detail).with_edit(
                        fix::USE_COLON,
                        all,
                        ":",
                    )
                });
                self.blank();
                true
            }
            _ => {
                let subject = self.token();
                let goes_on = self.begins_value();
                let fixable = goes_on && self.is_whole(subject, name_end, b",}");
                self.error(|| {
                    let detail = messages::MISSING_COLON;
                    let diagnostic = Diagnostic::error(Code::JsonMissingColon).at(subject).with_note(detail);
                    let place = Span::empty(name_end as u32);
                    if fixable { diagnostic.with_edit(fix::ADD_COLON, place, ":") } else { diagnostic }
                });
                if goes_on {
                    self.doubt_unless(fixable);
                } else {
                    self.pos = subject.end as usize;
                    self.skip_rest();
                    self.missing();
                }
                goes_on
            }
        }
    }

    pub(super) fn trailing_comma(&mut self, comma: usize) {
        let subject = Span::new(comma as u32, comma as u32 + 1);
        self.error(|| {
            let detail = messages::TRAILING_COMMA;
            Diagnostic::error(Code::JsonExtraComma).at(subject).with_note(detail).with_edit(
                fix::REMOVE_COMMA,
                subject,
                "",
            )
        });
    }

    /// Handles commas without an element before them.
    pub(super) fn extra_commas(&mut self, before: Before) -> Before {
        let first = Span::new(self.pos as u32, self.pos as u32 + 1);
        let mut commas = Vec::new();
        while self.byte(self.pos) == b',' {
            commas.push(self.pos);
            self.pos += 1;
            self.blank();
        }
        if let (Before::Comma(comma), b'}' | b']') = (before, self.byte(self.pos)) {
            commas.insert(0, comma);
        }
        self.error(|| {
            let edits = commas.iter().map(|&comma| {
                let span = Span::new(comma as u32, comma as u32 + 1);
                Edit { span, replacement: "".into() }
            });
            let detail = messages::COMMA_WITHOUT_VALUE;
            Diagnostic::error(Code::JsonExtraComma).at(first).with_note(detail).with_fix(Fix::new(
                if commas.len() == 1 { fix::REMOVE_COMMA } else { fix::REMOVE_COMMAS },
                edits,
            ))
        });
        Before::Open
    }

    /// Handles a semicolon in place of a comma.
    pub(super) fn semicolon(&mut self) -> Before {
        let semicolon = self.pos;
        let span = Span::new(semicolon as u32, semicolon as u32 + 1);
        self.pos += 1;
        let errors = self.errors;
        self.blank();
        let last = matches!(self.byte(self.pos), b'}' | b']');
        if self.errors == errors {
            self.error(|| {
                let detail = messages::SEMICOLON_SEPARATOR;
                let diagnostic = Diagnostic::error(Code::JsonMissingComma).at(span).with_note(detail);
                if last {
                    diagnostic.with_edit(fix::REMOVE_SEMICOLON, span, "")
                } else {
                    diagnostic.with_edit(fix::USE_COMMA, span, ",")
                }
            });
        }
        if last { Before::Element } else { Before::Comma(semicolon) }
    }

    /// Handles text after a value: either an element whose comma is missing, or invalid text.
    pub(super) fn missing_comma(&mut self, goes_on: bool) -> Before {
        let subject = self.token();
        let (object, place) = (self.is_in_object(), Span::empty(self.element_end as u32));
        let next: &[u8] = if object { b":=" } else { b",]" };
        let fixable = goes_on && self.is_whole(subject, self.element_end, next);
        self.error(|| {
            let detail = match (goes_on, object) {
                (true, true) => messages::MISSING_COMMA_BETWEEN_PROPERTIES,
                (true, false) => messages::MISSING_COMMA_BETWEEN_ELEMENTS,
                (false, true) => messages::MISSING_COMMA_OR_BRACE,
                (false, false) => messages::MISSING_COMMA_OR_BRACKET,
            };
            let diagnostic = Diagnostic::error(Code::JsonMissingComma).at(subject).with_note(detail);
            if fixable { diagnostic.with_edit(fix::ADD_COMMA, place, ",") } else { diagnostic }
        });
        if goes_on {
            self.doubt_unless(fixable);
            return Before::Open;
        }
        self.pos = subject.end as usize;
        self.skip_rest();
        Before::Element
    }
}
