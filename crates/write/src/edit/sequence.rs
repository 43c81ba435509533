//! The layout of containers: bodies, objects, tuples and arguments. Each item has a slot, which includes its comments
//! and the separator after it.

use hclkit_syntax::ast::ExpressionKind;
use hclkit_syntax::{Document, NodeId, NodeKind, Source, Span, TokenKind};

/// The kind of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    Body,
    Object,
    Tuple,
    Call,
}

impl Container {
    /// The kind of container of a node.
    pub(super) fn of(kind: NodeKind) -> Option<Self> {
        match kind {
            NodeKind::Body => Some(Self::Body),
            NodeKind::Object => Some(Self::Object),
            NodeKind::Tuple => Some(Self::Tuple),
            NodeKind::Call => Some(Self::Call),
            _ => None,
        }
    }
}

/// The place of one item in a container.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) node: NodeId,
    /// The start of the first line of the slot, or of its first token if it does not start a line.
    pub(super) start: u32,
    /// The start of the first token of the slot: a comment or the item itself.
    pub(super) first: u32,
    /// The item itself, with the ellipsis after an argument.
    pub(super) span: Span,
    pub(super) comma: Option<Span>,
    /// Comments after the item that belong to it, but not one at the end of a line with other items.
    pub(super) trailing: Vec<Span>,
    /// The end of the slot, after the line break or the blanks before the next item on the line.
    pub(super) end: u32,
    /// True if only its own comments precede it on its line.
    pub(super) starts_line: bool,
    /// True if nothing follows it on its line.
    pub(super) ends_line: bool,
}

impl Slot {
    /// The end of the item and its comma.
    pub(super) fn separated_end(&self) -> u32 {
        self.comma.map_or(self.span.end, |comma| comma.end)
    }
}

/// The slots of a container.
#[derive(Debug)]
pub(super) struct Sequence<'d> {
    pub(super) document: &'d Document,
    pub(super) container: Container,
    /// Just after the opening bracket, or the start of the text.
    pub(super) open: u32,
    /// The start of the closing bracket, or the end of the text.
    pub(super) close: u32,
    /// True if the container is the whole document.
    pub(super) is_root: bool,
    pub(super) slots: Vec<Slot>,
    /// The end of the part before the first item: after the opening bracket and the comment on its line.
    pub(super) head: u32,
}

impl<'d> Sequence<'d> {
    /// Returns the layout of a container, or `None` if the node is not a container.
    pub(super) fn of(document: &'d Document, node: NodeId) -> Option<Self> {
        let container = Container::of(document.tree().kind(node))?;
        let tokens = document.tokens();
        let (first, last) = document.tree().token_range(node);
        let opener = match container {
            Container::Call => {
                let ExpressionKind::Call(call) = document.expression_at(node).kind() else {
                    return None;
                };
                tokens.at(call.open_span().start)
            }
            _ => first,
        };
        let is_root = container == Container::Body && tokens.kind(opener) != TokenKind::OpenBrace;
        let (open, close, inner) = if is_root {
            let end = document.source().len();
            let mark = if document.source().text().starts_with('\u{feff}') { 3 } else { 0 };
            (mark, end, 0)
        } else {
            (tokens.span(opener).end, tokens.start(last), opener + 1)
        };
        let mut sequence = Self { document, container, open, close, is_root, slots: Vec::new(), head: open };
        sequence.head = sequence.head_end(inner);
        let mut bound = sequence.head;
        for child in document.tree().children(node) {
            let slot = sequence.slot(child, bound);
            bound = slot.end;
            sequence.slots.push(slot);
        }
        Some(sequence)
    }

    /// Returns true if an item ends with a heredoc, which must be followed by a line break.
    pub(super) fn ends_with_heredoc(&self, slot: &Slot) -> bool {
        let tokens = self.document.tokens();
        tokens.kind(tokens.at(slot.span.end.saturating_sub(1))) == TokenKind::CloseHeredoc
    }

    /// The end of the line of the opening bracket, if only a comment follows on it.
    fn head_end(&self, inner: u32) -> u32 {
        let tokens = self.document.tokens();
        if self.is_root {
            return self.open;
        }
        let after = self.past_comments(inner);
        if tokens.kind(after) == TokenKind::Newline { tokens.span(after).end } else { self.open }
    }

    /// The first token from `token` on that is not a comment.
    fn past_comments(&self, token: u32) -> u32 {
        let tokens = self.document.tokens();
        let count = tokens.len() as u32;
        (token..count).find(|&at| !tokens.kind(at).is_comment()).unwrap_or(count)
    }

    fn slot(&self, node: NodeId, bound: u32) -> Slot {
        let tokens = self.document.tokens();
        let (first_token, mut last_token) = self.document.tree().token_range(node);
        let mut span = self.document.span(node);
        if self.container == Container::Call {
            let next = tokens.significant_from(last_token + 1);
            if tokens.kind(next) == TokenKind::Ellipsis {
                (span.end, last_token) = (tokens.span(next).end, next);
            }
        }
        let after = last_token + 1;
        let next = match self.container {
            Container::Tuple | Container::Call => tokens.significant_from(after),
            Container::Object | Container::Body => self.past_comments(after),
        };
        let has_comma = self.container != Container::Body && tokens.kind(next) == TokenKind::Comma;
        let comma = has_comma.then(|| tokens.span(next));
        let rest = if has_comma { next + 1 } else { after };
        let stop = self.past_comments(rest);
        let is_last = tokens.start(stop) >= self.close;
        let (end, ends_line, owned_to) = match tokens.kind(stop) {
            TokenKind::Newline => (tokens.span(stop).end, true, stop),
            TokenKind::Eof => (self.close, true, stop),
            _ if is_last => (tokens.span(stop.saturating_sub(1)).end, false, stop),
            _ => (tokens.start(rest), false, rest),
        };
        let (start, first, starts_line) = self.leading(first_token, bound);
        // A comment at the end of a line with several items belongs to the line, unless the comma follows it.
        let before_comma = if has_comma { next } else { after };
        let owned_to = if ends_line && !starts_line && bound > self.open { before_comma } else { owned_to };
        let trailing = (after..owned_to).filter(|&at| tokens.kind(at).is_comment());
        let trailing = trailing.map(|at| tokens.span(at)).collect();
        Slot { node, start, first, span, comma, trailing, end, starts_line, ends_line }
    }

    /// The start of the slot of an item, its first token, and true if that starts a line.
    fn leading(&self, token: u32, bound: u32) -> (u32, u32, bool) {
        let tokens = self.document.tokens();
        let text = self.document.source().text().as_bytes();
        // Comments on the same line.
        let mut first = token;
        while first > 0 && tokens.kind(first - 1).is_comment() && tokens.start(first - 1) >= bound {
            first -= 1;
        }
        let line_start = |token: u32| {
            let start = tokens.start(token);
            let blanks = text[bound.min(start) as usize..start as usize]
                .iter()
                .rev()
                .take_while(|&&byte| matches!(byte, b' ' | b'\t'))
                .count() as u32;
            let line = start - blanks;
            let at_start = line == 0 || text[line as usize - 1] == b'\n' || line == self.open && self.is_root;
            at_start.then_some(line)
        };
        let Some(mut start) = line_start(first) else {
            return (tokens.start(first), tokens.start(first), false);
        };
        // Lines above that consist of comments.
        while start > bound && first > 1 && tokens.kind(first - 1) == TokenKind::Newline {
            let mut above = first - 1;
            while above > 0 && tokens.kind(above - 1).is_comment() && tokens.start(above - 1) >= bound {
                above -= 1;
            }
            if above == first - 1 {
                break;
            }
            let Some(line) = line_start(above) else { break };
            (first, start) = (above, line);
        }
        (start, tokens.start(first), true)
    }

    /// The blanks at the start of the line that contains an offset.
    pub(super) fn indentation(&self, offset: u32) -> &'d str {
        indentation(self.document.source(), offset)
    }

    /// The longest indentation that new items can get from their neighbors: that of an item, or of the container itself.
    pub(super) fn most_indentation(&self) -> usize {
        let lines = self.slots.iter().filter(|slot| slot.starts_line).map(|slot| slot.span.start);
        let own = Some(self.open).filter(|_| !self.is_root);
        lines.chain(own).map(|offset| self.indentation(offset).len()).max().unwrap_or(0)
    }

    /// The position before which the blank lines of slot `index` are counted: the end of the previous slot.
    pub(super) fn bound(&self, index: usize) -> u32 {
        index.checked_sub(1).map_or(self.head, |before| self.slots[before].end)
    }

    /// The start of the blank lines directly before an offset at the start of a line.
    pub(super) fn blank_lines_before(&self, offset: u32, bound: u32) -> u32 {
        let text = &self.document.source().text().as_bytes()[..offset as usize];
        let mut start = offset as usize;
        while start > bound as usize {
            let line = text[..start - 1].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            if line < bound as usize || text[line..start].iter().any(|byte| !byte.is_ascii_whitespace()) {
                break;
            }
            start = line;
        }
        start as u32
    }

    /// The end of the blank lines that start at an offset, which is the start of a line.
    pub(super) fn blank_lines_after(&self, offset: u32, bound: u32) -> u32 {
        let text = self.document.source().text().as_bytes();
        let mut end = offset as usize;
        while end < bound as usize {
            let Some(line) = text[end..bound as usize].iter().position(|&byte| byte == b'\n') else { break };
            if text[end..end + line].iter().any(|byte| !byte.is_ascii_whitespace()) {
                break;
            }
            end += line + 1;
        }
        end as u32
    }

    /// The lines of slots `from` to `to`, with the blank lines that their removal would leave next to others.
    pub(super) fn without_blank_lines(&self, from: usize, to: usize) -> Span {
        let (mut start, mut end) = (self.slots[from].start, self.slots[to].end);
        let bound = self.bound(from);
        let before = self.blank_lines_before(start, bound);
        let next = self.slots.get(to + 1).map_or(self.close, |next| next.first);
        let after = self.blank_lines_after(end, next);
        let is_first = before == bound;
        let is_last = to + 1 == self.slots.len() && after >= self.line_of_close();
        if is_last {
            if !(is_first && from == 0) {
                start = before;
            }
        } else if is_first && from == 0 {
            end = after;
        } else if before < start && after > end {
            // The larger gap stays.
            if start - before > after - end { end = after } else { start = before }
        }
        // A text without a line break at its end stays without one, unless it ends with a heredoc.
        let text = self.document.source().text();
        let above = from.checked_sub(1).map(|above| &self.slots[above]);
        let follows_heredoc = above.is_some_and(|slot| self.ends_with_heredoc(slot) && start <= slot.end);
        if self.is_root
            && end == self.close
            && !follows_heredoc
            && !text[start as usize..end as usize].ends_with('\n')
        {
            let head = &text[..start as usize];
            let head = head.strip_suffix('\n').map(|head| head.strip_suffix('\r').unwrap_or(head));
            start = head.map_or(start, |head| head.len() as u32).max(self.open.min(start));
        }
        Span::new(start, end)
    }

    /// Returns true if there are comments between two offsets.
    pub(super) fn has_comments_between(&self, from: u32, to: u32) -> bool {
        let tokens = self.document.tokens();
        (tokens.at(from)..tokens.at(to)).any(|at| tokens.kind(at).is_comment() && tokens.start(at) >= from)
    }

    /// The start of the line of the closing bracket.
    fn line_of_close(&self) -> u32 {
        let text = &self.document.source().text()[..self.close as usize];
        text.trim_end_matches([' ', '\t']).len() as u32
    }

    /// The end of the comments in a container that contains nothing else.
    pub(super) fn dangling_end(&self) -> u32 {
        let from = self.head;
        let tokens = self.document.tokens();
        let mut at = tokens.at(self.close);
        if tokens.start(at) > self.close {
            at = at.saturating_sub(1);
        }
        let comment =
            (0..at).rev().take_while(|&at| tokens.start(at) >= from).find(|&at| tokens.kind(at).is_comment());
        let Some(comment) = comment else { return from };
        match tokens.kind(comment + 1) {
            TokenKind::Newline => tokens.span(comment + 1).end,
            _ => tokens.span(comment).end,
        }
    }

    /// Returns true if the closing bracket is on the line of the previous item.
    pub(super) fn closes_on_line(&self) -> bool {
        let tokens = self.document.tokens();
        let close = tokens.at(self.close);
        !self.is_root && close > 0 && tokens.kind(close - 1) != TokenKind::Newline
    }
}

/// The blanks at the start of the line that contains an offset.
pub(super) fn indentation(source: &Source, offset: u32) -> &str {
    let line = source.slice(source.line_span(source.line_of(offset)));
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
