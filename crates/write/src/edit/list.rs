//! Changes to containers whose parts are separated by commas: objects, tuples and arguments.

use hclkit_syntax::{Span, Syntax, TokenKind};

use super::piece::Piece;
use super::sequence::{Container, Sequence, Slot};
use super::splice::{Splice, Style};

/// An item in the changed container.
#[derive(Debug)]
pub(super) enum Entry {
    /// The item of a slot.
    Kept(usize),
    /// Inserted text. The flag is true if it belongs to the slot before it.
    New(Piece, bool),
}

impl Entry {
    /// How many lines it inserts.
    pub(super) fn lines(&self) -> usize {
        match self {
            Self::Kept(_) => 0,
            Self::New(piece, _) => piece.text.count(),
        }
    }
}

/// The changes that turn the items of a container into the entries. Kept items are in the order of the slots. `moves` is
/// true if items are moved, with which comments that they share must not go.
pub(super) fn splices(sequence: &Sequence<'_>, entries: &[Entry], style: &Style, moves: bool) -> Vec<Splice> {
    let slots = &sequence.slots;
    let uses_commas = sequence.container != Container::Object
        || sequence.document.syntax() == Syntax::Json
        || slots.iter().any(|slot| slot.ends_line && slot.comma.is_some());
    List { sequence, entries, style, moves, uses_commas, out: Vec::new() }.run()
}

struct List<'a, 'd> {
    sequence: &'a Sequence<'d>,
    entries: &'a [Entry],
    style: &'a Style,
    moves: bool,
    /// True if items on separate lines are separated by commas.
    uses_commas: bool,
    out: Vec<Splice>,
}

impl List<'_, '_> {
    fn run(mut self) -> Vec<Splice> {
        let slots = &self.sequence.slots;
        let kept: Vec<usize> = self.entries.iter().filter_map(kept_index).collect();
        if kept.is_empty() && self.clear() {
            return self.out;
        }
        let mut from = 0;
        for &next in kept.iter().chain([&slots.len()]) {
            while from < next {
                // Comments between items that belong to none of them stay.
                let has_comments =
                    |at: &usize| self.sequence.has_comments_between(slots[*at].end, slots[*at + 1].start);
                let to = (from..next - 1).find(has_comments).unwrap_or(next - 1);
                self.remove(from, to);
                from = to + 1;
            }
            from = next + 1;
        }
        self.fix_commas();
        let mut at = 0;
        while at < self.entries.len() {
            let run = self.entries[at..].iter().take_while(|entry| kept_index(entry).is_none()).count();
            if run == 0 {
                at += 1;
                continue;
            }
            self.insert(at, at + run);
            at += run;
        }
        self.out
    }

    /// Replaces everything if nothing is kept, unless other comments remain.
    fn clear(&mut self) -> bool {
        let sequence = self.sequence;
        let first = sequence.slots.first().map_or(sequence.close, |slot| slot.first);
        let tokens = sequence.document.tokens();
        let owned = |offset: u32| {
            let before = sequence.slots.partition_point(|slot| slot.first <= offset);
            sequence.slots[..before].last().is_some_and(|slot| offset < slot.end.max(slot.span.end))
        };
        let (from, to) = (tokens.at(sequence.open), tokens.at(sequence.close));
        let has_comments = (from..to).any(|at| tokens.kind(at).is_comment() && !owned(tokens.start(at)));
        let had_lines = sequence
            .slots
            .first()
            .map_or((from..to).any(|at| tokens.kind(at) == TokenKind::Newline), |slot| slot.starts_line);
        let shares =
            || !sequence.slots.is_empty() && !self.shared_comments(0, sequence.slots.len() - 1).is_empty();
        if has_comments || !self.entries.is_empty() && had_lines || shares() {
            return false;
        }
        let span = Span::new(sequence.open, sequence.close);
        if self.is_json() && sequence.slots.is_empty() && sequence.document.source().line_count() > 2 {
            self.open(span);
            return true;
        }
        let mut text = String::new();
        for (number, entry) in self.entries.iter().enumerate() {
            let Entry::New(piece, _) = entry else { continue };
            if number > 0 {
                text.push(' ');
            }
            let is_last = number + 1 == self.entries.len();
            self.write_inline(piece, sequence.indentation(first), !is_last, &mut text);
        }
        let pad = sequence.container == Container::Object && !self.is_json() && !text.is_empty();
        let text = match text.trim_end_matches(' ') {
            // The line break after a heredoc stays.
            text if pad && text.ends_with('\n') => format!(" {text}"),
            text if pad => format!(" {text} "),
            _ => text,
        };
        self.out.push(Splice { span, text });
        true
    }

    /// Puts the new items of an empty container on separate lines.
    fn open(&mut self, span: Span) {
        let outer = self.sequence.indentation(span.start);
        let (indent, line_break) = (format!("{outer}{}", self.style.unit), self.style.line_break);
        let mut text = String::new();
        for entry in self.entries {
            let Entry::New(piece, _) = entry else { continue };
            let comma = if text.is_empty() { "" } else { "," };
            text.extend([comma, line_break, &indent]);
            text.push_str(&piece.text.indented(&indent, line_break));
        }
        text.push_str(line_break);
        text.push_str(outer);
        self.out.push(Splice { span, text });
    }

    /// Removes a run of neighbors.
    fn remove(&mut self, from: usize, to: usize) {
        let sequence = self.sequence;
        let (first, last) = (&sequence.slots[from], &sequence.slots[to]);
        if let Some(end) = (from..to).find(|&index| sequence.slots[index].ends_line)
            && !first.starts_line
        {
            // The end of the first line stays, with its comment.
            let (end_of_line, next) = (sequence.slots[end].span.end, sequence.slots[end + 1].first);
            let closes = to + 1 == sequence.slots.len() && !last.ends_line;
            if !closes || sequence.has_comments_between(end_of_line, next) {
                self.remove(from, end);
                self.remove(end + 1, to);
                return;
            }
        }
        let before = from.checked_sub(1).map(|before| &sequence.slots[before]);
        let is_at_end = to + 1 == sequence.slots.len();
        let is_replaced =
            from == 0 && !self.entries.is_empty() && self.entries.iter().all(|it| kept_index(it).is_none());
        let span = match before {
            // New items are inserted at the start of the lines.
            _ if first.starts_line && last.ends_line && is_replaced => Span::new(first.start, last.end),
            _ if first.starts_line && last.ends_line => sequence.without_blank_lines(from, to),
            // New items are inserted after the comma, or on the lines after it.
            Some(before) if is_at_end && !last.ends_line && self.has_new_at_end() => {
                let kept = self.entries.iter().rposition(|entry| kept_index(entry).is_some());
                let on_lines = self.puts_on_lines(kept.map_or(0, |kept| kept + 1));
                let is_open = before.comma.is_none() && sequence.ends_with_heredoc(before);
                Span::new(if on_lines || is_open { before.end } else { before.separated_end() }, last.end)
            }
            // The closing bracket follows directly. A comment before the item stays.
            Some(before)
                if is_at_end
                    && !last.ends_line
                    && before.trailing.is_empty()
                    && !sequence.has_comments_between(before.span.end, first.first) =>
            {
                match before.comma {
                    // The comma after the last item stays.
                    Some(comma) if self.trails() => {
                        let end = if last.trailing.is_empty() { last.separated_end() } else { last.end };
                        Span::new(comma.end, end)
                    }
                    // A heredoc must be followed by a line break.
                    Some(comma) if sequence.ends_with_heredoc(before) => Span::new(comma.start, last.end),
                    None if sequence.ends_with_heredoc(before) => Span::new(before.end, last.end),
                    _ => Span::new(before.span.end, last.end),
                }
            }
            Some(before) if !first.starts_line && last.ends_line => {
                Span::new(before.separated_end(), self.line_end(to))
            }
            None if !first.starts_line && last.ends_line => {
                Span::new(if is_replaced { first.start } else { sequence.open }, self.line_end(to))
            }
            Some(before) if !first.starts_line && !is_at_end => {
                Span::new(before.separated_end(), last.separated_end())
            }
            _ => Span::new(first.first, last.end),
        };
        let text =
            if first.starts_line && last.ends_line { self.shared_comments(from, to) } else { String::new() };
        self.out.push(Splice { span, text });
    }

    /// The comments at the ends of lines with several items, as lines, if items are moved.
    fn shared_comments(&self, from: usize, to: usize) -> String {
        let (document, mut text) = (self.sequence.document, String::new());
        let shared = |slot: &&Slot| self.moves && slot.ends_line && !slot.starts_line;
        for slot in self.sequence.slots[from..=to].iter().filter(shared) {
            let tokens = document.tokens();
            let comments = (tokens.at(slot.span.end)..tokens.at(slot.end))
                .filter(|&at| tokens.kind(at).is_comment() && tokens.start(at) >= slot.span.end)
                .map(|at| tokens.span(at))
                .filter(|comment| !slot.trailing.contains(comment));
            for comment in comments {
                text.push_str(self.sequence.indentation(slot.span.start));
                text.extend([document.source().slice(comment), self.style.line_break]);
            }
        }
        text
    }

    fn has_new_at_end(&self) -> bool {
        self.entries.last().is_some_and(|entry| kept_index(entry).is_none())
    }

    /// The end of the line of a slot that is the last one on its line, without the line break.
    fn line_end(&self, index: usize) -> u32 {
        let slot = &self.sequence.slots[index];
        slot.trailing.last().map_or(slot.separated_end(), |comment| comment.end.max(slot.separated_end()))
    }

    fn is_json(&self) -> bool {
        self.sequence.document.syntax() == Syntax::Json
    }

    /// Returns true if the last item has a comma after it.
    fn trails(&self) -> bool {
        match self.sequence.slots.last() {
            Some(last) => last.comma.is_some(),
            None => self.sequence.container != Container::Object && !self.is_json(),
        }
    }

    /// Adds and removes the commas of kept items that other items follow than before.
    fn fix_commas(&mut self) {
        let sequence = self.sequence;
        let slots = &sequence.slots;
        // They are in source order and do not overlap.
        let removals = std::mem::take(&mut self.out);
        for (number, entry) in self.entries.iter().enumerate() {
            let Some(index) = kept_index(entry) else { continue };
            let slot = &slots[index];
            let next_slot = match self.entries.get(number + 1) {
                Some(next) => kept_index(next),
                None => Some(slots.len()),
            };
            if next_slot == Some(index + 1) {
                continue;
            }
            match (slot.comma, self.has_comma_after(number, index)) {
                (Some(comma), false) => {
                    // If something follows on the line, the comma is removed with it.
                    let after = removals.partition_point(|splice| splice.span.start <= comma.start);
                    let is_removed = removals[..after].last().is_some_and(|it| comma.end <= it.span.end);
                    if !is_removed {
                        let is_free = removals.get(after).is_none_or(|it| it.span.start != comma.end);
                        let end = if slot.ends_line || !is_free { comma.end } else { slot.end };
                        let between = Span::new(slot.span.end, comma.start);
                        let is_alone = slot.ends_line
                            && sequence.ends_with_heredoc(slot)
                            && !sequence.has_comments_between(comma.end, slot.end)
                            && sequence.document.source().slice(between).trim().is_empty();
                        let start = if is_alone { slot.span.end } else { comma.start };
                        self.out.push(Splice { span: Span::new(start, end), text: String::new() });
                    }
                }
                // The line break after a heredoc separates the items of an object.
                (None, true)
                    if number + 1 < self.entries.len()
                        && !(sequence.ends_with_heredoc(slot) && self.separates_by_lines()) =>
                {
                    let on_line = !self.puts_on_lines(number + 1);
                    let is_heredoc = sequence.ends_with_heredoc(slot);
                    let at = if slot.ends_line && !is_heredoc { slot.span.end } else { slot.end };
                    let text = if is_heredoc && !on_line {
                        let indent = sequence.indentation(slot.span.start);
                        format!("{indent},{}", self.style.line_break)
                    } else {
                        ",".to_owned()
                    };
                    self.out.push(Splice { span: Span::empty(at), text });
                }
                _ => {}
            }
        }
        self.out.extend(removals);
    }

    /// Returns true if line breaks can separate items without commas.
    fn separates_by_lines(&self) -> bool {
        self.sequence.container == Container::Object && !self.is_json()
    }

    /// Returns true if there is a comma after entry `number`, the item of slot `index`.
    fn has_comma_after(&self, number: usize, index: usize) -> bool {
        let Some(next) = self.entries.get(number + 1) else { return self.trails() };
        let anchor = kept_index(next).is_none().then(|| self.anchor(number + 1));
        match anchor {
            Some((Anchor::After(_), true)) if self.separates_by_lines() => {
                let slots = &self.sequence.slots;
                slots[index].comma.is_some() || index + 1 == slots.len() && self.uses_commas
            }
            Some((Anchor::After(_), _)) => true,
            _ => self.has_comma_before(number + 1, index),
        }
    }

    /// Returns true if there is a comma between what is on the line of slot `index` and the next kept item from entry `next`
    /// on. If the line ends between them, it ends as before.
    fn has_comma_before(&self, next: usize, index: usize) -> bool {
        let Some(next) = self.entries[next..].iter().find_map(kept_index) else { return self.trails() };
        let end = self.sequence.slots[index..next].iter().find(|slot| slot.ends_line);
        !self.separates_by_lines() || end.is_none_or(|slot| slot.comma.is_some())
    }

    /// Returns true if the new entries from `at` on get separate lines.
    fn puts_on_lines(&self, at: usize) -> bool {
        self.anchor(at).1
    }

    /// The position at which the new entries from `at` on are inserted, and true if they get separate lines.
    fn anchor(&self, at: usize) -> (Anchor, bool) {
        let sequence = self.sequence;
        let slots = &sequence.slots;
        let before = at.checked_sub(1).and_then(|before| kept_index(&self.entries[before]));
        let after = self.entries[at..].iter().find_map(kept_index);
        let wants_before = matches!(self.entries[at], Entry::New(_, true));
        let ends =
            |index: usize| slots[index].ends_line || index + 1 == slots.len() && !sequence.closes_on_line();
        match (before, after) {
            (Some(before), after) if wants_before || after.is_none() => {
                // Nothing can follow on the line of the end of a heredoc.
                let is_open = self.separates_by_lines() && sequence.ends_with_heredoc(&slots[before]);
                (Anchor::After(before), (slots[before].starts_line || is_open) && ends(before))
            }
            (_, Some(after)) => (Anchor::Before(after), slots[after].starts_line),
            (Some(before), None) => (Anchor::After(before), false),
            (None, None) => (Anchor::Empty, true),
        }
    }

    fn insert(&mut self, from: usize, to: usize) {
        let sequence = self.sequence;
        let (anchor, on_lines) = self.anchor(from);
        let mut text = String::new();
        if !on_lines {
            return self.insert_inline(anchor, from, to);
        }
        let line_break = self.style.line_break;
        let indent = self.indent_of(&anchor);
        for number in from..to {
            let Entry::New(piece, _) = &self.entries[number] else { continue };
            let is_last = number + 1 == self.entries.len();
            let comma = if is_last { self.trails() && self.uses_commas } else { self.uses_commas };
            text.push_str(&indent);
            text.push_str(&piece.text.indented(&indent, line_break));
            let comma = comma && !self.omits_comma(piece);
            if piece.ends_with_heredoc && (comma || !piece.trailing.is_empty()) {
                text.push_str(line_break);
                text.push_str(&indent);
            }
            if comma {
                text.push(',');
            }
            text.push_str(&piece.trailing_text());
            text.push_str(line_break);
        }
        let slots = &sequence.slots;
        let at = match anchor {
            Anchor::Before(index) => slots[index].start,
            Anchor::After(index) => slots[index].end,
            Anchor::Empty => match slots.first() {
                Some(slot) => slot.start,
                None => sequence.dangling_end(),
            },
        };
        if slots.is_empty() && at > sequence.head {
            // The comments above stay apart.
            text.insert_str(0, line_break);
        }
        let is_line_start = sequence.document.source().text()[..at as usize].ends_with('\n');
        if !is_line_start {
            // The closing bracket is on the line of the previous item.
            text.insert_str(0, line_break);
            text.push_str(sequence.indentation(sequence.open));
        }
        self.out.push(Splice { span: Span::empty(at), text });
    }

    fn indent_of(&self, anchor: &Anchor) -> String {
        let sequence = self.sequence;
        let near = match anchor {
            Anchor::Before(index) | Anchor::After(index) => sequence.slots.get(*index),
            Anchor::Empty => sequence.slots.first(),
        };
        match near {
            Some(slot) if slot.starts_line => sequence.indentation(slot.span.start).to_owned(),
            _ => format!("{}{}", sequence.indentation(sequence.open), self.style.unit),
        }
    }

    fn insert_inline(&mut self, anchor: Anchor, from: usize, to: usize) {
        let sequence = self.sequence;
        let new: Vec<&Piece> = self.entries[from..to]
            .iter()
            .filter_map(|entry| if let Entry::New(piece, _) = entry { Some(piece) } else { None })
            .collect();
        let mut text = String::new();
        let indent = sequence.indentation(sequence.open);
        match anchor {
            Anchor::Before(index)
                if from > 0
                    && matches!(self.entries[from - 1], Entry::Kept(before) if before + 1 == index)
                    && !sequence.slots[index - 1].ends_line =>
            {
                for piece in new {
                    text.push(' ');
                    self.write_inline(piece, indent, true, &mut text);
                }
                let at = sequence.slots[index - 1].separated_end();
                self.out.push(Splice { span: Span::empty(at), text });
            }
            Anchor::Before(index) => {
                for piece in new {
                    self.write_inline(piece, indent, true, &mut text);
                    if !text.ends_with(self.style.line_break) {
                        text.push(' ');
                    }
                }
                self.out.push(Splice { span: Span::empty(sequence.slots[index].first), text });
            }
            Anchor::After(index) => {
                let slot = &sequence.slots[index];
                for (number, piece) in new.iter().enumerate() {
                    text.push(' ');
                    let comma = number + 1 < new.len() || self.has_comma_before(to, index);
                    self.write_inline(piece, indent, comma, &mut text);
                }
                let is_open = slot.comma.is_none() && (!slot.ends_line || sequence.ends_with_heredoc(slot));
                let at = if is_open { slot.end } else { slot.separated_end() };
                self.out.push(Splice { span: Span::empty(at), text });
            }
            Anchor::Empty => {}
        }
    }

    fn write_inline(&self, piece: &Piece, indent: &str, comma: bool, text: &mut String) {
        text.push_str(&piece.text.indented(indent, self.style.line_break));
        if piece.ends_with_heredoc {
            text.push_str(self.style.line_break);
        }
        text.push_str(&piece.trailing_inline());
        if comma && !self.omits_comma(piece) {
            text.push(',');
        }
    }

    /// Returns true if a comma cannot follow a new item: in an object, the line break after a heredoc separates the items.
    fn omits_comma(&self, piece: &Piece) -> bool {
        piece.is_expanded || piece.ends_with_heredoc && self.separates_by_lines()
    }
}

/// The neighbors of new items.
#[derive(Debug, Clone, Copy)]
enum Anchor {
    Before(usize),
    After(usize),
    Empty,
}

/// The slot of an item that is kept; `None` for inserted text.
pub(super) fn kept_index(entry: &Entry) -> Option<usize> {
    if let Entry::Kept(index) = entry { Some(*index) } else { None }
}
