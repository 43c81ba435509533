//! Words without quotes: names, text, and alternative spellings of `true`, `false` and `null`.

use super::node::{Form, Kind};
use super::parser::Parser;
use crate::messages::fix;
use crate::messages::json as messages;
use crate::{Code, Diagnostic, Edit, Fix, Span, nearest_name};

/// Words of other languages with the JSON value that they mean.
const SPELLINGS: [(&str, &str); 3] = [("none", "null"), ("nil", "null"), ("undefined", "null")];

impl Parser<'_> {
    /// The end of the word that begins at `start`, or `start` if there is none.
    pub(super) fn word_end(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        if !rest.starts_with(inside) {
            return start;
        }
        start + rest.find(|c| !inside(c) && !matches!(c, '-' | '.' | '+')).unwrap_or(rest.len())
    }

    /// Handles a word in place of a value.
    #[cold]
    pub(super) fn wrong_word(&mut self) {
        let start = self.pos;
        let end = self.word_end(start);
        let span = Span::new(start as u32, end as u32);
        let word = self.slice(span);
        let meant = keyword(word);
        self.pos = end;
        if meant == Some(word) {
            // A character that cannot be part of a word may follow it directly.
            return self.push(kind(word), start, end);
        }
        self.blank();
        let whole =
            self.at_end() || matches!(self.byte(self.pos), b',' | b'}' | b']') || self.breaks_line(end);
        self.pos = end;
        let is_root = self.open.is_empty();
        self.error(|| {
            let detail = match meant {
                Some(meant) => messages::misspelled_word(word, meant),
                None if matches!(word, "NaN" | "Infinity") => messages::unsupported_word(word),
                None if word.contains('.') => messages::unquoted_reference(word),
                None => messages::unquoted_text(word),
            };
            let diagnostic = Diagnostic::error(Code::JsonInvalidKeyword).at(span).with_note(detail);
            match meant {
                // A root that is not an object has no fix here.
                _ if !whole || is_root => diagnostic,
                Some(meant) => diagnostic.with_edit(fix::use_text(meant), span, meant),
                None if word.contains('.') => diagnostic,
                None => diagnostic.with_fix(Fix::new(fix::PUT_IN_QUOTES, quotes(span))),
            }
        });
        match meant {
            Some(meant) => self.push(kind(meant), start, end),
            None => self.push_text(Kind::String, start, end, Form::Bare),
        }
        if !whole {
            self.skip_rest();
        }
    }

    /// Returns true if only blanks follow up to the end of the line.
    fn breaks_line(&self, at: usize) -> bool {
        let rest = self.text[at..].trim_start_matches([' ', '\t']);
        rest.starts_with(['\n', '\r'])
    }

    /// Reads a name that is not in double quotes. Returns false if there is none.
    pub(super) fn other_name(&mut self) -> bool {
        let start = self.pos;
        let sign = usize::from(matches!(self.byte(start), b'-' | b'+' | b'.'));
        let end = self.word_end(start + sign);
        if end == start + sign {
            return self.other_string(Kind::Name);
        }
        let span = Span::new(start as u32, end as u32);
        self.error(|| {
            let detail = messages::UNQUOTED_NAME;
            Diagnostic::error(Code::JsonInvalidName)
                .at(span)
                .with_note(detail)
                .with_fix(Fix::new(fix::PUT_IN_QUOTES, quotes(span)))
        });
        self.pos = end;
        self.push_text(Kind::Name, start, end, Form::Bare);
        true
    }
}

/// The edits that add quotes around text.
fn quotes(span: Span) -> Vec<Edit> {
    [span.start, span.end].map(|at| Edit { span: Span::empty(at), replacement: "\"".into() }).to_vec()
}

/// Returns the keyword that was meant: `true`, `false` or `null`.
fn keyword(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    let spelling = SPELLINGS.iter().find(|(other, _)| *other == lower).map(|&(_, meant)| meant);
    spelling.or_else(|| nearest_name(&lower, ["true", "false", "null"]))
}

fn kind(keyword: &str) -> Kind {
    match keyword {
        "true" => Kind::True,
        "false" => Kind::False,
        _ => Kind::Null,
    }
}
