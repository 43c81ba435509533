//! Changes to bodies: whole lines, with blank lines as in the rest of the body. One-line blocks are split into several
//! lines.

use std::cell::OnceCell;

use hclkit_syntax::{NodeKind, Span, TokenKind};

use super::list::{Entry, kept_index};
use super::piece::Piece;
use super::sequence::Sequence;
use super::splice::{Splice, Style};

/// The changes that turn the items of a body into the entries. Kept items are in the order of the slots.
pub(super) fn splices(sequence: &Sequence<'_>, entries: &[Entry], style: &Style) -> Vec<Splice> {
    let body = Body { sequence, entries, style, separates_blocks: OnceCell::new() };
    let is_one_line = !sequence.is_root && {
        let tokens = sequence.document.tokens();
        let (from, to) = (tokens.at(sequence.open), tokens.at(sequence.close));
        !(from..to).any(|at| tokens.kind(at) == TokenKind::Newline && !body.is_within_item(tokens.start(at)))
    };
    if is_one_line { body.open() } else { body.lines() }
}

struct Body<'a, 'd> {
    sequence: &'a Sequence<'d>,
    entries: &'a [Entry],
    style: &'a Style,
    /// True if there are blank lines around blocks here, computed on first use.
    separates_blocks: OnceCell<bool>,
}

impl Body<'_, '_> {
    fn is_within_item(&self, offset: u32) -> bool {
        self.sequence.slots.iter().any(|slot| slot.first <= offset && offset < slot.span.end)
    }

    /// Rewrites the one-line block around its item.
    fn open(&self) -> Vec<Splice> {
        let sequence = self.sequence;
        let outer = sequence.indentation(sequence.open);
        let indent = format!("{outer}{}", self.style.unit);
        let line_break = self.style.line_break;
        let kept = self.entries.iter().position(|entry| !is_new(entry));
        let whole = Span::new(sequence.open, sequence.close);
        let Some(slot) = kept.and_then(|_| sequence.slots.first()) else {
            if self.entries.is_empty() {
                return vec![Splice { span: whole, text: String::new() }];
            }
            let text = format!("{line_break}{}{outer}", self.new_lines(self.entries, &indent));
            return vec![Splice { span: whole, text }];
        };
        if self.entries.len() == 1 {
            return Vec::new();
        }
        let at = kept.unwrap_or_default();
        let before = self.new_lines(&self.entries[..at], &indent);
        let after = self.new_lines(&self.entries[at + 1..], &indent);
        vec![
            Splice {
                span: Span::new(sequence.open, slot.first),
                text: format!("{line_break}{before}{indent}"),
            },
            Splice { span: Span::new(slot.end, sequence.close), text: format!("{line_break}{after}{outer}") },
        ]
    }

    /// New entries as lines, with blank lines around blocks.
    fn new_lines(&self, entries: &[Entry], indent: &str) -> String {
        let mut text = String::new();
        let mut before: Option<bool> = None;
        for entry in entries {
            let Entry::New(piece, _) = entry else { continue };
            if before.is_some_and(|block| block || piece.blocks.0 || piece.apart.0) {
                text.push_str(self.style.line_break);
            }
            before = Some(piece.blocks.1);
            self.write(piece, indent, &mut text);
        }
        text
    }

    fn write(&self, piece: &Piece, indent: &str, text: &mut String) {
        text.push_str(indent);
        text.push_str(&piece.text.indented(indent, self.style.line_break));
        let trailing = piece.trailing_text();
        if piece.ends_with_heredoc && !trailing.is_empty() {
            text.push_str(self.style.line_break);
            text.push_str(indent);
        }
        text.push_str(&trailing);
        text.push_str(self.style.line_break);
    }

    fn lines(&self) -> Vec<Splice> {
        let sequence = self.sequence;
        let slots = &sequence.slots;
        let mut out = Vec::new();
        // The entry of each slot that is kept.
        let mut places = vec![None; slots.len()];
        for (at, entry) in self.entries.iter().enumerate() {
            if let Some(slot) = kept_index(entry) {
                places[slot] = Some(at);
            }
        }
        let kept = (0..slots.len()).filter(|&slot| places[slot].is_some());
        let mut from = 0;
        for next in kept.chain([slots.len()]) {
            while from < next {
                // Comments between items that belong to none of them stay.
                let has_comments =
                    |at: &usize| sequence.has_comments_between(slots[*at].end, slots[*at + 1].start);
                let to = (from..next - 1).find(has_comments).unwrap_or(next - 1);
                out.push(Splice { span: self.removed(from, to, &places), text: String::new() });
                from = to + 1;
            }
            from = next + 1;
        }
        let mut at = 0;
        while at < self.entries.len() {
            let run = self.entries[at..].iter().take_while(|entry| is_new(entry)).count();
            if run > 0 {
                out.push(self.insert(at, at + run));
            }
            at += run.max(1);
        }
        out
    }

    /// The span of slots `from` to `to`, which are removed. `places` has the entry of each slot that is kept.
    fn removed(&self, from: usize, to: usize, places: &[Option<usize>]) -> Span {
        let slots = &self.sequence.slots;
        // Where new items are inserted, blank lines stay.
        let before = from.checked_sub(1).and_then(|before| *places.get(before)?);
        let after = places.get(to + 1).copied().flatten();
        let new_at = |at: Option<usize>| at.and_then(|at| self.entries.get(at)).is_some_and(is_new);
        let is_replaced = new_at(before.map(|before| before + 1))
            || new_at(after.and_then(|after| after.checked_sub(1)))
            || from == 0 && new_at(Some(0))
            || to + 1 == slots.len() && self.entries.last().is_some_and(is_new);
        if is_replaced {
            let span = Span::new(slots[from].start, slots[to].end);
            // If the new items directly follow the previous ones, the blank lines of both sides meet.
            let is_next_to_before = before
                .and_then(|before| self.entries.get(before + 1))
                .is_some_and(|entry| matches!(entry, Entry::New(_, true)));
            let next = slots.get(to + 1).map_or(self.sequence.close, |next| next.first);
            let meet = is_next_to_before
                && self.sequence.blank_lines_before(span.start, self.sequence.bound(from)) < span.start;
            let end = if meet { self.sequence.blank_lines_after(span.end, next) } else { span.end };
            Span::new(span.start, end)
        } else {
            self.sequence.without_blank_lines(from, to)
        }
    }

    /// Inserts entries `from` to `to`, which are new.
    fn insert(&self, from: usize, to: usize) -> Splice {
        let sequence = self.sequence;
        let slots = &sequence.slots;
        let line_break = self.style.line_break;
        let before = from.checked_sub(1).and_then(|before| kept_index(&self.entries[before]));
        let after = self.entries.get(to).and_then(kept_index);
        let wants_before = matches!(self.entries[from], Entry::New(_, true));
        // Items at the start or at the end are removed, and these replace them.
        let replaced_start = after.filter(|&after| before.is_none() && after > 0);
        let replaced_end = before.filter(|&before| after.is_none() && before + 1 < slots.len());
        let at = match (before, after) {
            _ if replaced_start.is_some() => slots[0].start,
            _ if replaced_end.is_some() => slots[before.map_or(0, |before| before + 1)].start,
            (_, None) => slots.last().map_or_else(|| sequence.dangling_end(), |slot| slot.end),
            (Some(before), _) if wants_before => slots[before].end,
            (_, Some(after)) => slots[after].start,
        };
        let indent = match before.or(after) {
            Some(near) => sequence.indentation(slots[near].span.start).to_owned(),
            None => match slots.first() {
                Some(slot) => sequence.indentation(slot.span.start).to_owned(),
                None if sequence.is_root => String::new(),
                None => format!("{}{}", sequence.indentation(sequence.open), self.style.unit),
            },
        };
        let mut text = self.new_lines(&self.entries[from..to], &indent);
        let (first, last, is_apart, is_apart_from_next) = match (&self.entries[from], &self.entries[to - 1]) {
            (Entry::New(first, _), Entry::New(last, _)) => {
                (first.blocks.0, last.blocks.1, first.apart.0, last.apart.1)
            }
            _ => (false, false, false, false),
        };
        let apart = *self.separates_blocks.get_or_init(|| self.separates_blocks());
        let is_block = |index: usize| sequence.document.tree().kind(slots[index].node) == NodeKind::Block;
        let blank_before = sequence.blank_lines_before(at, sequence.head) < at;
        let bound = after.map_or(sequence.close, |after| slots[after].first);
        let end = replaced_start.map_or(at, |after| slots[after - 1].end);
        let blank_after = sequence.blank_lines_after(end, bound) > end;
        let removes_before = before.map_or(0, |before| before + 1) < slots.len()
            && before.map_or(0, |before| before + 1) < after.unwrap_or(slots.len());
        if !removes_before || wants_before && before.is_some() {
            let starts_body = at == sequence.head;
            if before.is_some_and(|before| is_apart || apart && (first || is_block(before)))
                && !blank_before
                && !starts_body
            {
                text.insert_str(0, line_break);
            }
            if after.is_some_and(|after| apart && (last || is_block(after)) || is_apart_from_next)
                && !blank_after
            {
                text.push_str(line_break);
            }
        } else if after.is_some() && is_apart_from_next && !blank_after {
            text.push_str(line_break);
        }
        if slots.is_empty() && at > sequence.head && !blank_before {
            // The comments above stay separate.
            text.insert_str(0, line_break);
        }
        let head = &sequence.document.source().text()[..at as usize];
        if !head.is_empty() && !head.ends_with('\n') && head != "\u{feff}" {
            // The text has no line break at its end, and stays without one, unless a heredoc requires it.
            text.insert_str(0, line_break);
            let ends_with_heredoc =
                matches!(&self.entries[to - 1], Entry::New(last, _) if last.ends_with_heredoc);
            if at == sequence.close && sequence.is_root && !ends_with_heredoc {
                text.truncate(text.len() - line_break.len());
            }
        }
        Splice { span: Span::empty(at), text }
    }

    /// Returns true if there are blank lines around blocks here.
    fn separates_blocks(&self) -> bool {
        let sequence = self.sequence;
        let kind = |index: usize| sequence.document.tree().kind(sequence.slots[index].node);
        let mut pairs = (1..sequence.slots.len())
            .filter(|&at| kind(at) == NodeKind::Block || kind(at - 1) == NodeKind::Block)
            .peekable();
        let is_tight = |at: usize| {
            let slot = &sequence.slots[at];
            sequence.blank_lines_before(slot.start, sequence.bound(at)) == slot.start
        };
        pairs.peek().is_none() || !pairs.all(is_tight)
    }
}

fn is_new(entry: &Entry) -> bool {
    kept_index(entry).is_none()
}
