//! Colons and commas that are missing, duplicated or replaced by something else. RFC 8259, sections 4 and 5.

use super::parser::{Before, Parser};
use crate::{Code, Diagnostic, Edit, Fix, Span};

impl Parser<'_> {
    /// Handles unexpected text after a name, in place of the colon. Returns true if the value is to be read; otherwise,
    /// a missing value was added.
    #[cold]
    pub(super) fn wrong_colon(&mut self, name_end: usize) -> bool {
        match self.byte(self.pos) {
            0 if self.at_end() => {
                self.ends_early("a colon and a value");
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
                    let detail = "Expected a colon after the property name, found an equals sign.";
                    Diagnostic::error(Code::JsonMissingColon).at(subject).with_note(detail).with_edit(
                        "Use a colon",
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
                    let detail = "Expected a colon between the property name and its value.";
                    let diagnostic = Diagnostic::error(Code::JsonMissingColon).at(subject).with_note(detail);
                    let place = Span::empty(name_end as u32);
                    if fixable { diagnostic.with_edit("Add a colon", place, ":") } else { diagnostic }
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
            let detail = "A comma before the closing bracket is not allowed in JSON.";
            Diagnostic::error(Code::JsonExtraComma).at(subject).with_note(detail).with_edit(
                "Remove the comma",
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
            let detail = "Expected a value before this comma. Remove the comma if it is not needed.";
            Diagnostic::error(Code::JsonExtraComma).at(first).with_note(detail).with_fix(Fix::new(
                if commas.len() == 1 { "Remove the comma" } else { "Remove the commas" },
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
                let detail = "Properties and elements must be separated by commas, not by semicolons.";
                let diagnostic = Diagnostic::error(Code::JsonMissingComma).at(span).with_note(detail);
                if last {
                    diagnostic.with_edit("Remove the semicolon", span, "")
                } else {
                    diagnostic.with_edit("Use a comma", span, ",")
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
                (true, true) => "Properties must be separated by commas.",
                (true, false) => "Array elements must be separated by commas.",
                (false, true) => "Expected a comma or a closing brace (`}`).",
                (false, false) => "Expected a comma or a closing bracket (`]`).",
            };
            let diagnostic = Diagnostic::error(Code::JsonMissingComma).at(subject).with_note(detail);
            if fixable { diagnostic.with_edit("Add a comma", place, ",") } else { diagnostic }
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
