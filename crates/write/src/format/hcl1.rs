//! The layout of HCL 1: that of `hclfmt` of github.com/hashicorp/hcl v1.0.0. Unlike the native formatter, it writes the whole text:
//! it puts each item on a line of its own, and adds and removes commas. `hcl1/items.rs` reads the items and the comments from the
//! tokens.
//!
//! In a body, items on consecutive lines whose values are on one line are a group: their values and comments are aligned. A blank line
//! is between groups, other items and comments that stand alone.

mod items;

use std::ops::Range;

use hclkit_limits::with_room;
use hclkit_model::hcl1;
use hclkit_syntax::{Document, Source, TokenKind};

use super::lines::ROOM;
use items::{Body, Element, Item, List, Value};

/// The text of a document without errors in the layout of `hclfmt`.
pub(super) fn text(document: &Document) -> String {
    let source = document.source();
    let body = items::read(document);
    let room = ROOM as usize + 16 * source.len() as usize;
    let mut printer = Printer { document, text: String::with_capacity(source.len() as usize), room };
    printer.root(&body);
    printer.text
}

/// Returns true if two texts have the same values and comments.
pub(super) fn is_same(before: &[u8], after: &[u8]) -> bool {
    let read = |bytes: &[u8]| Document::parse_hcl1(Source::new("", bytes.to_owned()));
    let (before, after) = (read(before), read(after));
    let comments = |document: &Document| {
        let mut comments: Vec<String> = (0..document.tokens().len() as u32)
            .filter(|&token| is_comment(document.tokens().kind(token)))
            .map(|token| unix(document.tokens().text(token, document.source())))
            .collect();
        comments.sort_unstable();
        comments
    };
    if after.has_errors() || comments(&before) != comments(&after) {
        return false;
    }
    match (hcl1::decode(&before), hcl1::decode(&after)) {
        (Ok(before), Ok(after)) => before == after,
        // Values of one name that cannot be combined.
        (Err(_), Err(_)) => true,
        _ => false,
    }
}

fn is_comment(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::LineComment | TokenKind::InlineComment)
}

/// A text without the carriage returns before line feeds and at its end, which are no part of values either.
fn unix(text: &str) -> String {
    text.replace("\r\n", "\n").trim_end_matches('\r').to_owned()
}

struct Printer<'d> {
    document: &'d Document,
    text: String,
    /// How many blanks can still be added: beyond that, lines are not indented or aligned.
    room: usize,
}

impl Printer<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn blanks(&mut self, count: usize) {
        if let Some(room) = self.room.checked_sub(count) {
            self.room = room;
            self.text.extend(std::iter::repeat_n(' ', count));
        } else {
            // Tokens must not join.
            self.text.extend((count > 0).then_some(' '));
        }
    }

    /// Begins a line.
    fn line(&mut self, depth: usize) {
        if !self.text.is_empty() {
            self.push("\n");
        }
        self.blanks(2 * depth);
    }

    /// Begins a line after a blank one, unless it is the first of a body.
    fn paragraph(&mut self, depth: usize, is_first: bool) {
        if !is_first {
            self.push("\n");
        }
        self.line(depth);
    }

    fn token(&self, token: u32) -> String {
        unix(self.document.tokens().text(token, self.document.source()))
    }

    fn push_token(&mut self, token: u32) {
        let text = self.token(token);
        self.push(&text);
    }

    /// Writes comments, each on a line. The first line has begun.
    fn comments(&mut self, comments: &[u32], depth: usize) {
        for (at, &comment) in comments.iter().enumerate() {
            if at > 0 {
                self.line(depth);
            }
            self.push_token(comment);
        }
    }

    /// Writes the comments after an item or an element.
    fn line_comments(&mut self, comments: &[u32], blanks: usize) {
        for (at, &comment) in comments.iter().enumerate() {
            self.blanks(if at == 0 { blanks } else { 1 });
            self.push_token(comment);
        }
    }

    fn root(&mut self, body: &Body) {
        let mut is_first = true;
        let mut before: Option<&Item> = None;
        for item in &body.items {
            is_first &= !self.loose(&item.loose, 0, is_first, 0);
            if before.is_some_and(|before| are_together(before, item)) {
                self.line(0);
            } else {
                self.paragraph(0, is_first);
            }
            self.item(item, 0);
            (is_first, before) = (false, Some(item));
        }
        if body.items.is_empty() {
            // They are on consecutive lines.
            self.comments(&body.end.concat(), 0);
        } else {
            self.loose(&body.end, 0, false, 1);
        }
        // A text whose last comments stand alone ends with an empty line.
        self.push(if body.end.is_empty() { "\n" } else { "\n\n" });
    }

    /// Writes groups of comments that stand alone, with `more` than one blank line between them. Returns true if there are any.
    fn loose(&mut self, groups: &[Vec<u32>], depth: usize, is_first: bool, more: usize) -> bool {
        for (at, group) in groups.iter().enumerate() {
            if at > 0 {
                self.push(&"\n".repeat(more));
            }
            self.paragraph(depth, is_first && at == 0);
            self.comments(group, depth);
        }
        !groups.is_empty()
    }

    /// The items of an object or a block, between its braces.
    fn body(&mut self, body: &Body, depth: usize) {
        if body.is_empty() {
            return self.push("{}");
        }
        self.push("{");
        let inside = depth + 1;
        if body.items.is_empty() {
            for &comment in body.end.iter().flatten() {
                self.line(inside);
                self.push_token(comment);
            }
        } else {
            let (mut at, mut is_first) = (0, true);
            while at < body.items.len() {
                // Between items, two blank lines are between groups of comments.
                let more = usize::from(at > 0);
                is_first &= !self.loose(&body.items[at].loose, inside, is_first, more);
                let group = self.group(&body.items, at);
                self.paragraph(inside, is_first);
                if group.len() > 1 {
                    self.aligned(&body.items[group.clone()], inside);
                } else {
                    let is_near = |other: usize| {
                        let lines = (body.items.get(at), body.items.get(other));
                        matches!(lines, (Some(one), Some(other)) if one.line.abs_diff(other.line) == 1)
                    };
                    let is_near = is_near(at + 1) && !self.has_long_lead(&body.items[at])
                        || at.checked_sub(1).is_some_and(is_near);
                    self.item_near(&body.items[at], inside, is_near);
                }
                (at, is_first) = (group.end, false);
            }
            self.loose(&body.end, inside, false, 0);
        }
        self.line(depth);
        self.push("}");
    }

    /// The items of a group that begins at an item.
    fn group(&self, items: &[Item], first: usize) -> Range<usize> {
        let mut end = first + 1;
        while let Some(next) = items.get(end) {
            let last = &items[end - 1];
            let is_next = self.is_on_one_line(last)
                && self.is_on_one_line(next)
                && next.line == last.line + 1
                && !self.has_long_lead(last)
                && next.lead.is_empty()
                && next.loose.is_empty();
            if !is_next {
                break;
            }
            end += 1;
        }
        first..end
    }

    /// Whether the comments before an item are on several lines.
    fn has_long_lead(&self, item: &Item) -> bool {
        item.lead.len() > 1 || item.lead.iter().any(|&comment| self.has_line_break(comment))
    }

    fn has_line_break(&self, token: u32) -> bool {
        self.document.tokens().text(token, self.document.source()).contains('\n')
    }

    fn is_on_one_line(&self, item: &Item) -> bool {
        let is_short = match &item.value {
            Value::Literal(tokens) => !tokens.clone().any(|token| self.has_line_break(token)),
            Value::List(list) => {
                !list.is_on_lines()
                    && list.elements.iter().all(|element| match &element.value {
                        Value::Literal(tokens) => !tokens.clone().any(|token| self.has_line_break(token)),
                        _ => false,
                    })
            }
            Value::Object(body) => body.is_empty(),
        };
        is_short && !item.line_comments.iter().any(|&comment| self.has_line_break(comment))
    }

    /// Writes an item and its comments. Its line has begun.
    fn item(&mut self, item: &Item, depth: usize) {
        self.item_near(item, depth, false);
    }

    /// The same. In an object, an empty block with other items on the lines around it becomes an empty object.
    fn item_near(&mut self, item: &Item, depth: usize, is_near: bool) {
        let is_empty = matches!(&item.value, Value::Object(body) if body.is_empty());
        let has_equals = item.has_equals || is_near && is_empty && item.names.len() == 1;
        self.lead(&item.lead, depth);
        for (at, &name) in item.names.iter().enumerate() {
            if at > 0 {
                self.push(" ");
            }
            self.push_token(name);
        }
        self.push(if has_equals { " = " } else { " " });
        self.value(&item.value, depth);
        self.line_comments(&item.line_comments, 1);
    }

    /// Writes comments on the lines before something. Its line has begun.
    fn lead(&mut self, comments: &[u32], depth: usize) {
        if !comments.is_empty() {
            self.comments(comments, depth);
            self.line(depth);
        }
    }

    /// Writes the items of a group, whose values and comments are aligned. The first line has begun.
    fn aligned(&mut self, items: &[Item], depth: usize) {
        let width = items.iter().map(|item| self.token(item.names[0]).len()).max().unwrap_or(0);
        let values: Vec<String> = items.iter().map(|item| self.short_value(&item.value)).collect();
        let value_width = values.iter().map(String::len).max().unwrap_or(0);
        for (at, (item, value)) in items.iter().zip(&values).enumerate() {
            if at > 0 {
                self.line(depth);
            }
            self.lead(&item.lead, depth);
            for (at, &name) in item.names.iter().enumerate() {
                let text = self.token(name);
                self.push(&text);
                // The reference aligns labels, too, and leaves no blank after long ones. Names must not join.
                let joins = item.names.get(at + 1).is_some_and(|&next| {
                    let is_name = |token| self.document.tokens().kind(token) == TokenKind::Identifier;
                    is_name(name) && is_name(next)
                });
                self.blanks((width + 1).saturating_sub(text.len()).max(usize::from(joins)));
            }
            if item.names.len() == 1 {
                self.push("= ");
            }
            self.push(value);
            self.line_comments(&item.line_comments, value_width + 1 - value.len());
        }
    }

    /// A value that is on one line.
    fn short_value(&self, value: &Value) -> String {
        let mut printer = Printer { document: self.document, text: String::new(), room: 0 };
        printer.value(value, 0);
        printer.text
    }

    fn value(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Literal(tokens) => tokens.clone().for_each(|token| self.push_token(token)),
            Value::List(list) => with_room(|| self.list(list, depth)),
            Value::Object(body) => with_room(|| self.body(body, depth)),
        }
    }

    fn list(&mut self, list: &List, depth: usize) {
        self.push("[");
        if list.is_on_lines() {
            self.elements(list, depth + 1);
            self.line(depth);
            return self.push("]");
        }
        for (at, element) in list.elements.iter().enumerate() {
            if at > 0 {
                self.push(", ");
            }
            self.value(&element.value, depth);
            if element.is_heredoc {
                self.line(depth);
            }
        }
        self.push("]");
    }

    /// Writes the elements of a list, each on a line.
    fn elements(&mut self, list: &List, depth: usize) {
        let width = |element: &Element| match &element.value {
            Value::Literal(tokens) => {
                let len: usize = tokens.clone().map(|token| self.token(token).len()).sum();
                // The line break after a heredoc counts.
                len + usize::from(element.is_heredoc)
            }
            _ => 0,
        };
        let widths: Vec<usize> = list.elements.iter().map(width).collect();
        let widest = widths.iter().copied().max().unwrap_or(0);
        let mut had_lead = false;
        for (at, (element, width)) in list.elements.iter().zip(widths).enumerate() {
            let has_lead = !element.lead.is_empty();
            if at > 0 && (has_lead || had_lead) {
                self.push("\n");
            }
            had_lead = has_lead;
            self.line(depth);
            self.lead(&element.lead, depth);
            self.value(&element.value, depth);
            if element.is_heredoc {
                self.line(depth);
            }
            self.push(",");
            let is_literal = matches!(element.value, Value::Literal(_));
            let blanks = if is_literal && !element.is_heredoc { widest + 1 - width } else { 1 };
            self.line_comments(&element.line_comments, blanks);
        }
        if !list.end.is_empty() {
            self.paragraph(depth, list.elements.is_empty());
            self.comments(&list.end, depth);
        }
    }
}

/// Whether no blank line is between two items of a file: empty blocks on consecutive lines.
fn are_together(item: &Item, next: &Item) -> bool {
    let is_plain = |item: &Item| {
        let is_empty = matches!(&item.value, Value::Object(body) if body.is_empty());
        is_empty && !item.has_equals && item.lead.is_empty()
    };
    is_plain(item) && is_plain(next) && next.loose.is_empty() && next.line == item.line + 1
}
