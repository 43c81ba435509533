//! The items of HCL 1 with their comments, as tokens.
//!
//! A comment belongs to an item as its reference decides: comments on the lines directly before an item or an element, comments at the
//! end of its line, and comments at the end of the line before it, after an opening bracket. Others stand alone.

use std::ops::Range;

use hclkit_limits::with_room;
use hclkit_syntax::{Document, TokenKind as T};

use super::is_comment;

/// The items of a file, a block or an object.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) items: Vec<Item>,
    /// Groups of comments that stand alone after the last item.
    pub(super) end: Vec<Vec<u32>>,
}

impl Body {
    /// Returns true if it has neither items nor comments.
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.end.is_empty()
    }
}

#[derive(Debug)]
pub(super) struct Item {
    /// Groups of comments that stand alone before it.
    pub(super) loose: Vec<Vec<u32>>,
    /// The comments on the lines before it, and those between its name and its value.
    pub(super) lead: Vec<u32>,
    pub(super) names: Vec<u32>,
    pub(super) has_equals: bool,
    pub(super) value: Value,
    /// The comments after it.
    pub(super) line_comments: Vec<u32>,
    /// The line where it begins.
    pub(super) line: u32,
}

#[derive(Debug)]
pub(super) enum Value {
    /// Of several tokens, if it is a heredoc.
    Literal(Range<u32>),
    List(List),
    Object(Body),
}

#[derive(Debug)]
pub(super) struct List {
    pub(super) elements: Vec<Element>,
    /// The comments after the last element.
    pub(super) end: Vec<u32>,
    /// Whether an element begins on another line than the list.
    is_broken: bool,
}

impl List {
    /// Returns true if each element is on a line of its own.
    pub(super) fn is_on_lines(&self) -> bool {
        self.is_broken
            || !self.end.is_empty()
            || self.elements.iter().any(|element| {
                !matches!(element.value, Value::Literal(_))
                    || !element.lead.is_empty()
                    || !element.line_comments.is_empty()
                    || element.is_heredoc && self.elements.len() > 1
            })
    }
}

#[derive(Debug)]
pub(super) struct Element {
    pub(super) lead: Vec<u32>,
    pub(super) value: Value,
    pub(super) is_heredoc: bool,
    pub(super) line_comments: Vec<u32>,
}

/// Reads a document without errors.
pub(super) fn read(document: &Document) -> Body {
    let tokens = document.tokens().len();
    let mut reader = Reader {
        document,
        pos: 0,
        comments: Vec::new(),
        taken: vec![false; tokens],
        lead: 0..0,
        after: 0..0,
        passed: Vec::new(),
    };
    reader.pos = reader.next_from(0);
    reader.comments_before(None);
    let items = reader.items(0);
    let last = items.last().map_or(0, |item| item.end);
    let end = reader.comments.len();
    reader.finished(items, last..end)
}

/// An item whose comments that stand alone are not known yet: an item in a later body can take comments before it.
struct Open {
    item: Item,
    /// The number of comments up to its last token.
    end: usize,
    /// The comments before it.
    before: Range<usize>,
}

struct Reader<'d> {
    document: &'d Document,
    /// The current token, which is no white space or comment.
    pos: u32,
    /// The comments so far, as tokens.
    comments: Vec<u32>,
    /// For each token, whether it is a comment that belongs to an item or an element.
    taken: Vec<bool>,
    /// The comments on the lines before the current token, by their numbers.
    lead: Range<usize>,
    /// The comments at the end of a line that nothing has taken yet.
    after: Range<usize>,
    /// Comments at the end of a line that nothing took before the next ones.
    passed: Vec<Range<usize>>,
}

impl Reader<'_> {
    fn kind(&self) -> T {
        self.document.tokens().kind(self.pos)
    }

    fn line(&self, token: u32) -> u32 {
        self.document.source().line_of(self.document.tokens().start(token))
    }

    /// The line where a comment ends.
    fn end_line(&self, token: u32) -> u32 {
        let span = self.document.tokens().span(token);
        self.document.source().line_of(span.end.saturating_sub(1).max(span.start))
    }

    fn next_from(&self, token: u32) -> u32 {
        let skipped = |kind: T| kind == T::Newline || is_comment(kind);
        let mut next = token;
        while skipped(self.document.tokens().kind(next)) {
            next += 1;
        }
        next
    }

    /// Goes to the next token, and finds the comments before it.
    fn bump(&mut self) -> u32 {
        let token = self.pos;
        if self.kind() == T::OpenHeredoc {
            while matches!(self.document.tokens().kind(self.pos + 1), T::HeredocText | T::CloseHeredoc) {
                self.pos += 1;
            }
        }
        let last = self.pos;
        self.pos = self.next_from(self.pos + 1);
        self.comments_before(Some((token, last)));
        token
    }

    /// Finds the comments between a token, which may be a heredoc of several, and the current one.
    fn comments_before(&mut self, before: Option<(u32, u32)>) {
        let first = self.comments.len();
        let from = before.map_or(0, |(_, last)| last + 1);
        let found = (from..self.pos).filter(|&token| is_comment(self.document.tokens().kind(token)));
        self.comments.extend(found);
        let end = self.comments.len();
        self.lead = end..end;
        if first == end {
            return;
        }
        let next_line = self.line(self.pos);
        let mut rest = first;
        if let Some((token, _)) = before {
            let mut line = self.line(token);
            while rest < end && self.line(self.comments[rest]) == line {
                line = self.end_line(self.comments[rest]);
                rest += 1;
            }
            if rest > first && line != next_line {
                let passed = std::mem::replace(&mut self.after, first..rest);
                self.passed.extend((!passed.is_empty()).then_some(passed));
            }
        }
        // The last group of comments on consecutive lines.
        let mut group = rest;
        for at in rest + 1..end {
            if self.line(self.comments[at]) > self.end_line(self.comments[at - 1]) + 1 {
                group = at;
            }
        }
        let is_before = group < end && self.end_line(self.comments[end - 1]) + 1 == next_line;
        if is_before && !matches!(self.kind(), T::CloseBrace | T::CloseBracket | T::Eof) {
            self.lead = group..end;
        }
    }

    /// Takes comments, so that they do not stand alone.
    fn take(&mut self, comments: Range<usize>) -> Vec<u32> {
        let comments = self.comments[comments].to_vec();
        for &comment in &comments {
            self.taken[comment as usize] = true;
        }
        comments
    }

    fn take_lead(&mut self) -> Vec<u32> {
        let lead = std::mem::take(&mut self.lead);
        self.take(lead)
    }

    fn take_after(&mut self) -> Vec<u32> {
        let after = std::mem::take(&mut self.after);
        self.take(after)
    }

    /// The comments of a range that nothing has taken.
    fn take_rest(&mut self, comments: Range<usize>) -> Vec<u32> {
        let rest: Vec<u32> =
            self.comments[comments].iter().copied().filter(|&token| !self.taken[token as usize]).collect();
        for &comment in &rest {
            self.taken[comment as usize] = true;
        }
        rest
    }

    /// The items up to a closing brace or the end. `from` is the number of comments before the first one.
    fn items(&mut self, from: usize) -> Vec<Open> {
        let mut items: Vec<Open> = Vec::new();
        while !matches!(self.kind(), T::CloseBrace | T::Eof) {
            let start = items.last().map_or(from, |item| item.end);
            if matches!(self.kind(), T::Identifier | T::String) {
                let item = self.item(start);
                items.push(item);
            } else {
                self.bump();
            }
        }
        items
    }

    /// The body of items, after all comments have been given to those that they belong to: the others stand alone.
    fn finished(&mut self, items: Vec<Open>, end: Range<usize>) -> Body {
        let items = items.into_iter().map(|open| Item { loose: self.groups(open.before), ..open.item });
        let items = items.collect();
        Body { items, end: self.groups(end) }
    }

    /// Comments that stand alone, in groups on consecutive lines.
    fn groups(&mut self, comments: Range<usize>) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for comment in self.take_rest(comments) {
            match groups.last_mut() {
                Some(group)
                    if group.last().is_some_and(|&last| self.line(comment) <= self.end_line(last) + 1) =>
                {
                    group.push(comment);
                }
                _ => groups.push(vec![comment]),
            }
        }
        groups
    }

    /// An item. `from` is the number of comments before those that can be before it.
    fn item(&mut self, from: usize) -> Open {
        let start = self.comments.len();
        let mut lead = self.take_lead();
        let line = self.line(self.pos);
        let mut names = Vec::new();
        while matches!(self.kind(), T::Identifier | T::String) {
            names.push(self.bump());
        }
        let has_equals = self.kind() == T::Equal;
        if has_equals {
            self.bump();
        }
        let header = start..self.comments.len();
        // A comment at the end of it would not belong to it.
        let is_long = match self.kind() {
            T::OpenHeredoc => true,
            T::String => self.end_line(self.pos) > self.line(self.pos),
            _ => false,
        };
        let (value, end) = self.value();
        let mut line_comments = Vec::new();
        if !is_long && !header.contains(&self.after.start) {
            line_comments = self.take_after();
        }
        self.after = 0..0;
        if self.kind() == T::Comma {
            self.bump();
            if line_comments.is_empty() && !is_long {
                line_comments = self.take_after();
            }
        }
        lead.extend(self.take_rest(header));
        for passed in std::mem::take(&mut self.passed) {
            if passed.start >= start && passed.start < end {
                lead.extend(self.take_rest(passed));
            } else if passed.end == start && lead.is_empty() && self.is_before(&passed, line) {
                lead = self.take_rest(passed);
            } else if passed.end < start {
                // The item around this one takes it.
                self.passed.push(passed);
            }
        }
        let item = Item { loose: Vec::new(), lead, names, has_equals, value, line_comments, line };
        Open { item, end, before: from..start }
    }

    /// Returns true if comments end on the line before another one.
    fn is_before(&self, comments: &Range<usize>, line: u32) -> bool {
        self.comments[comments.clone()].last().is_some_and(|&last| self.end_line(last) + 1 == line)
    }

    /// A value, and the number of comments up to its last token.
    fn value(&mut self) -> (Value, usize) {
        match self.kind() {
            T::OpenBrace => with_room(|| self.object()),
            T::OpenBracket => with_room(|| self.list()),
            _ => {
                let (first, end) = (self.pos, self.comments.len());
                let next = self.literal_end();
                self.bump();
                (Value::Literal(first..next), end)
            }
        }
    }

    /// The token after a literal.
    fn literal_end(&self) -> u32 {
        let mut next = self.pos + 1;
        if self.kind() == T::OpenHeredoc {
            while matches!(self.document.tokens().kind(next), T::HeredocText | T::CloseHeredoc) {
                next += 1;
            }
        }
        next
    }

    fn object(&mut self) -> (Value, usize) {
        let start = self.comments.len();
        self.bump();
        let items = self.items(start);
        let end = self.comments.len();
        self.bump();
        let last = items.last().map_or(start, |item| item.end);
        let pending = self.set_aside(end);
        let body = self.finished(items, last..end);
        self.give_back(pending);
        (Value::Object(body), end)
    }

    /// Marks the comments before a closing bracket that the item around it will take.
    fn set_aside(&mut self, end: usize) -> Range<usize> {
        let pending = if self.after.start < end { self.after.clone() } else { 0..0 };
        self.take(pending.clone());
        pending
    }

    fn give_back(&mut self, pending: Range<usize>) {
        for &comment in &self.comments[pending] {
            self.taken[comment as usize] = false;
        }
    }

    fn list(&mut self) -> (Value, usize) {
        let line = self.line(self.pos);
        let start = self.comments.len();
        self.bump();
        let mut last = start;
        let mut is_broken = false;
        let mut elements: Vec<(Element, Range<usize>)> = Vec::new();
        while !matches!(self.kind(), T::CloseBracket | T::Eof) {
            if self.kind() == T::Comma {
                self.bump();
                if let Some((element, before)) = elements.last_mut()
                    && element.line_comments.is_empty()
                    && (matches!(element.value, Value::Literal(_)) || self.after.start >= before.end)
                {
                    element.line_comments = self.take_after();
                }
                continue;
            }
            is_broken |= self.line(self.pos) != line;
            let before = last..self.comments.len();
            let is_heredoc = self.kind() == T::OpenHeredoc;
            let (value, end) = self.value();
            last = end;
            let element = Element { lead: Vec::new(), value, is_heredoc, line_comments: Vec::new() };
            elements.push((element, before));
        }
        let end = self.comments.len();
        self.bump();
        let pending = self.set_aside(end);
        let elements = elements
            .into_iter()
            .map(|(element, before)| Element { lead: self.take_rest(before), ..element })
            .collect();
        let rest = self.take_rest(last..end);
        self.give_back(pending);
        (Value::List(List { elements, end: rest, is_broken }), end)
    }
}
