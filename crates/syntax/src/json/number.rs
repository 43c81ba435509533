//! Numbers: which are well-formed, which are in the range of the information model, and the likely meaning of others.
//! RFC 8259, section 6.

use super::node::Kind;
use super::parser::{Parser, is_word};
use crate::messages::fix;
use crate::messages::json as messages;
use crate::{Code, Diagnostic, Span, number};

/// Exponents with up to this many digits are in range, except with hundreds of millions of digits.
const SMALL_EXPONENT: usize = 8;

impl Parser<'_> {
    /// `number = [ minus ] int [ frac ] [ exp ]`
    #[inline]
    pub(super) fn number(&mut self) {
        let start = self.pos;
        let mut at = start + usize::from(self.byte(start) == b'-');
        let int = at;
        at = self.digits(at);
        let mut right = at == int + 1 || (at > int && self.byte(int) != b'0');
        if self.byte(at) == b'.' {
            let fraction = at + 1;
            at = self.digits(fraction);
            right &= at > fraction;
        }
        if matches!(self.byte(at), b'e' | b'E') {
            let exponent = at + 1;
            let digits = exponent + usize::from(matches!(self.byte(exponent), b'+' | b'-'));
            at = self.digits(digits);
            right &= at > digits && (at - digits <= SMALL_EXPONENT || self.fits(start, exponent, at));
        }
        let next = self.byte(at);
        let ends = !is_word(next) && !matches!(next, b'+' | b'-' | b'.');
        if right && (ends || (next >= 0x80 && self.word_end(at) == at)) {
            self.pos = at;
            self.push(Kind::Number, start, at);
        } else {
            self.invalid_number();
        }
    }

    fn digits(&self, mut at: usize) -> usize {
        while self.byte(at).is_ascii_digit() {
            at += 1;
        }
        at
    }

    /// Returns true if the information model can represent a number of this size.
    #[cold]
    fn fits(&self, start: usize, exponent: usize, end: usize) -> bool {
        let mantissa = self.text[start..exponent - 1].trim_start_matches('-');
        let scale = mantissa.split_once('.').map_or(0, |(_, fraction)| i64::from(fraction.len() as u32));
        let written = self.text[exponent..end].parse::<i64>();
        written.is_ok_and(|exponent| number::fits(mantissa.as_bytes(), exponent.saturating_sub(scale)))
    }

    /// Reports text that begins like a number but is not one.
    #[cold]
    pub(super) fn invalid_number(&mut self) {
        let start = self.pos;
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '+' | '-' | '.');
        let end = self.text[start..].find(|c| !inside(c)).map_or(self.bytes.len(), |len| start + len);
        let span = Span::new(start as u32, end as u32);
        let text = self.slice(span);
        let whole = !self.open.is_empty()
            && matches!(self.byte(end), b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r');
        self.error(|| {
            let (detail, right) = meant(text);
            let diagnostic = Diagnostic::error(Code::JsonInvalidNumber).at(span).with_note(detail);
            match right.filter(|_| whole) {
                Some(right) => diagnostic.with_edit(fix::use_text(&right), span, right),
                None => diagnostic,
            }
        });
        self.pos = end;
        self.push(Kind::Missing, start, end);
    }
}

/// Returns true if a text is a JSON number in the usual range.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let int = text.strip_prefix('-').unwrap_or(text);
    let (int, fraction) = int.split_once('.').unwrap_or((int, "0"));
    digits(int)
        && digits(fraction)
        && int.len() + fraction.len() < 100
        && (int == "0" || !int.starts_with('0'))
}

/// Returns what is wrong with a number and, if it is clear, its correct spelling.
fn meant(text: &str) -> (String, Option<String>) {
    let (sign, rest) = match text.split_at(usize::from(text.starts_with(['+', '-']))) {
        ("-", rest) => ("-", rest),
        (_, rest) => ("", rest),
    };
    let right = |number: String| Some(number).filter(|number| is_number(number));
    let lower = rest.to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] {
        if let Some(digits) = lower.strip_prefix(prefix) {
            let decimal = u64::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'));
            return (messages::NUMBER_BASE.to_owned(), decimal.map(|number| format!("{sign}{number}")));
        }
    }
    if matches!(lower.as_str(), "inf" | "infinity" | "nan") {
        return (messages::unsupported_word(text), None);
    }
    if rest.contains('_') {
        return (messages::UNDERSCORES.to_owned(), right(format!("{sign}{}", rest.replace('_', ""))));
    }
    if rest.len() > 1 && rest.starts_with('0') && rest.as_bytes()[1].is_ascii_digit() {
        // It may be octal, or the digits may matter: the meaning is unclear.
        let detail = messages::LEADING_ZEROS;
        return (detail.to_owned(), None);
    }
    if rest.starts_with('.') {
        return (messages::NO_DIGIT_BEFORE_POINT.to_owned(), right(format!("{sign}0{rest}")));
    }
    if let Some(int) = rest.strip_suffix('.') {
        return (messages::NO_DIGIT_AFTER_POINT.to_owned(), right(format!("{sign}{int}")));
    }
    if text.starts_with('+') {
        return (messages::PLUS_SIGN.to_owned(), right(rest.to_owned()));
    }
    (messages::invalid_number(text), None)
}
