//! The parser: one pass over the bytes, with an explicit stack of the open objects and arrays. RFC 8259, sections 2 to
//! 5. This file reads valid text; errors are handled in `wrong.rs`, `separator.rs` and `recovery.rs`.

use hclkit_limits::{Exceeded, Meter};

use super::node::{Form, Kind, Node};
use super::recovery::Mismatch;
use crate::{Diagnostic, Diagnostics, Source, Span};

/// The number of bytes between two checks of the limits; more inside one object or array without nested ones.
const BETWEEN_LOOKS: usize = 1 << 18;

/// Parses the root value of a source.
///
/// If a limit is exceeded, the values end early, at the returned offset.
pub(super) fn parse(source: &Source, meter: &Meter) -> (Vec<Node>, Diagnostics, Option<(u32, Exceeded)>) {
    let text = source.text();
    let mut parser = Parser {
        source,
        text,
        bytes: text.as_bytes(),
        pos: 0,
        // Configuration has a node for every 9 bytes if it is minified, and for every 15 otherwise.
        nodes: Vec::with_capacity(text.len() / 8 + 4),
        open: Vec::new(),
        objects: 0,
        max_nesting: meter.nesting(),
        element_end: 0,
        findings: Diagnostics::default(),
        errors: 0,
        doubt: false,
        doubted_at: 0,
        mismatch: None,
    };
    let unread = parser.document(meter);
    let (nodes, diagnostics) = parser.finish();
    (nodes, diagnostics, unread)
}

/// What precedes the current position in an object or array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// The opening bracket.
    Open,
    /// An element or a property.
    Element,
    /// A comma, at this offset.
    Comma(usize),
}

pub(super) struct Parser<'s> {
    pub(super) source: &'s Source,
    pub(super) text: &'s str,
    pub(super) bytes: &'s [u8],
    pub(super) pos: usize,
    pub(super) nodes: Vec<Node>,
    /// The node indices of the open objects and arrays.
    pub(super) open: Vec<u32>,
    /// How many of them are objects.
    pub(super) objects: usize,
    max_nesting: u32,
    /// The end of the element that was read last.
    pub(super) element_end: usize,
    pub(super) findings: Diagnostics,
    /// The number of errors, reported or not.
    pub(super) errors: usize,
    /// Errors may be consequences of a reported one, until something well-formed is read.
    pub(super) doubt: bool,
    /// The number of errors when `doubt` was set.
    doubted_at: usize,
    /// The first closing bracket of the wrong kind. Its fix is only known at the end.
    pub(super) mismatch: Option<Mismatch>,
}

impl<'s> Parser<'s> {
    /// `JSON-text = ws value ws`
    fn document(&mut self, meter: &Meter) -> Option<(u32, Exceeded)> {
        if let Err(exceeded) = self.source.check_size(meter) {
            self.missing();
            return Some((0, exceeded));
        }
        self.byte_order_mark();
        self.blank();
        self.value(false);
        let mut before = Before::Open;
        let (mut next_look, mut unread) = (0, None);
        while let Some(&container) = self.open.last() {
            if self.pos >= next_look {
                next_look = self.pos + BETWEEN_LOOKS;
                if let Err(exceeded) = meter.look() {
                    // Open objects and arrays are closed as at the end of the source.
                    unread.get_or_insert((self.pos as u32, exceeded));
                    self.pos = self.bytes.len();
                }
            }
            before = match self.nodes[container as usize].kind {
                Kind::Object => self.properties(before),
                _ => self.elements(before),
            };
        }
        self.blank();
        if !self.at_end() {
            self.extra_text();
        }
        unread
    }

    fn finish(mut self) -> (Vec<Node>, Diagnostics) {
        self.check_root();
        self.report_mismatch();
        self.nodes.shrink_to_fit();
        (self.nodes, self.findings.merge(Diagnostics::default()))
    }

    /// `value = false / null / true / object / array / number / string`, at the current byte. Objects and arrays are
    /// only opened. `named` is true for the value of a property.
    #[inline]
    pub(super) fn value(&mut self, named: bool) {
        match self.byte(self.pos) {
            b'"' => self.string(Kind::String),
            b'{' => self.open(Kind::Object),
            b'[' => self.open(Kind::Array),
            b'-' | b'0'..=b'9' => self.number(),
            b't' if self.is_literal(b"true") => self.literal(Kind::True, 4),
            b'f' if self.is_literal(b"false") => self.literal(Kind::False, 5),
            b'n' if self.is_literal(b"null") => self.literal(Kind::Null, 4),
            _ => self.wrong_value(named),
        }
    }

    /// `object = begin-object [ member *( value-separator member ) ] end-object`, until a nested object or array opens.
    fn properties(&mut self, mut before: Before) -> Before {
        loop {
            self.blank();
            match (before, self.byte(self.pos)) {
                (Before::Element, b',') => {
                    before = Before::Comma(self.pos);
                    self.pos += 1;
                    continue;
                }
                (Before::Open | Before::Element, b'}') => return self.close(),
                (Before::Open | Before::Comma(_), b'"') => {}
                _ => match self.wrong_property(before) {
                    Ok(next) => {
                        before = next;
                        continue;
                    }
                    Err(left) => return left,
                },
            }
            // `member = string name-separator value`
            let errors = self.errors;
            self.string(Kind::Name);
            if let Some(opened) = self.property_value(errors) {
                return opened;
            }
            before = Before::Element;
        }
    }

    /// Reads the colon and the value after a name. If the value is an object or array, returns what precedes its
    /// elements.
    #[inline]
    pub(super) fn property_value(&mut self, errors: usize) -> Option<Before> {
        let name_end = self.pos;
        self.blank();
        if self.byte(self.pos) == b':' {
            self.pos += 1;
            self.blank();
        } else if !self.wrong_colon(name_end) {
            return None;
        }
        self.element(errors, true)
    }

    /// `array = begin-array [ value *( value-separator value ) ] end-array`, until a nested object or array opens.
    fn elements(&mut self, mut before: Before) -> Before {
        loop {
            self.blank();
            match (before, self.byte(self.pos)) {
                (Before::Element, b',') => {
                    before = Before::Comma(self.pos);
                    self.pos += 1;
                }
                (Before::Open | Before::Element, b']') => return self.close(),
                (
                    Before::Open | Before::Comma(_),
                    b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n',
                ) => {
                    if let Some(opened) = self.element(self.errors, false) {
                        return opened;
                    }
                    before = Before::Element;
                }
                _ => match self.wrong_element(before) {
                    Ok(next) => before = next,
                    Err(left) => return left,
                },
            }
        }
    }

    /// Reads a value in an array or after a name. `errors` is the number of errors before it. If the value is an object
    /// or array, returns what precedes its elements.
    #[inline]
    pub(super) fn element(&mut self, errors: usize, named: bool) -> Option<Before> {
        let depth = self.open.len();
        self.value(named);
        if self.open.len() > depth {
            return Some(Before::Open);
        }
        self.element_end = self.pos;
        if self.doubt && self.errors == errors {
            self.doubt = false;
        }
        None
    }

    #[inline]
    fn open(&mut self, kind: Kind) {
        if self.open.len() >= self.max_nesting as usize {
            return self.too_deep();
        }
        let start = self.pos;
        self.open.push(self.nodes.len() as u32);
        self.objects += usize::from(kind == Kind::Object);
        self.push(kind, start, start);
        self.pos += 1;
    }

    /// Reads the closing bracket. The value was well-formed if there was no error since `doubt` was set.
    #[inline]
    pub(super) fn close(&mut self) -> Before {
        self.pos += 1;
        if self.doubt && self.errors == self.doubted_at {
            self.doubt = false;
        }
        self.leave(true)
    }

    /// Ends the innermost object or array at the current position.
    #[inline]
    pub(super) fn leave(&mut self, closed: bool) -> Before {
        self.element_end = self.pos;
        let next = self.nodes.len() as u32;
        if let Some(container) = self.open.pop() {
            let node = &mut self.nodes[container as usize];
            node.end = self.pos as u32;
            node.next = next;
            node.closed = closed;
            self.objects -= usize::from(node.kind == Kind::Object);
        }
        Before::Element
    }

    /// Returns true if the literal is here, as a whole word.
    #[inline]
    fn is_literal(&self, literal: &[u8]) -> bool {
        self.bytes[self.pos..].starts_with(literal) && !is_word(self.byte(self.pos + literal.len()))
    }

    #[inline]
    pub(super) fn literal(&mut self, kind: Kind, len: usize) {
        let start = self.pos;
        self.pos += len;
        self.push(kind, start, self.pos);
    }

    #[inline]
    pub(super) fn push(&mut self, kind: Kind, start: usize, end: usize) {
        self.push_text(kind, start, end, Form::Plain);
    }

    #[inline]
    pub(super) fn push_text(&mut self, kind: Kind, start: usize, end: usize, form: Form) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { start: start as u32, end: end as u32, next, kind, form, closed: false });
    }

    /// Adds a node for a missing value.
    pub(super) fn missing(&mut self) {
        self.push(Kind::Missing, self.pos, self.pos);
    }

    /// `ws = *( %x20 / %x09 / %x0A / %x0D )`, and comments, which are reported.
    #[inline]
    pub(super) fn blank(&mut self) {
        while is_blank(self.byte(self.pos)) {
            self.pos += 1;
        }
        if matches!(self.byte(self.pos), b'/' | b'#' | 0x80..) {
            self.comments();
        }
    }

    /// The byte at an offset; 0 past the end.
    #[inline]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    pub(super) fn at_end(&self) -> bool {
        self.pos >= self.bytes.len()
    }

    /// Returns true if the byte at an offset replaces one that is not UTF-8.
    pub(super) fn is_invalid(&self, at: usize) -> bool {
        let invalid = self.source.invalid();
        let after = invalid.partition_point(|bad| bad.start as usize <= at);
        after > 0 && at < invalid[after - 1].end as usize
    }

    pub(super) fn slice(&self, span: Span) -> &'s str {
        self.source.slice(span)
    }

    /// From here on, errors may be consequences of a reported one.
    pub(super) fn doubt(&mut self) {
        self.doubt = true;
        self.doubted_at = self.errors;
    }

    /// Reports an error, unless it may be a consequence of an earlier one.
    #[cold]
    pub(super) fn error(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        self.errors += 1;
        if !self.doubt {
            self.findings.push(diagnostic());
        }
    }
}

#[inline]
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// Returns true for the characters of a word without quotes.
#[inline]
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}
