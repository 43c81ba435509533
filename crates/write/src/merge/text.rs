//! The merge of three texts by lines, as Git does it: what only one side changed is taken from it, and what both changed
//! is a conflict unless they are equal. Changes that touch each other belong together.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, patience};

/// A part of a merged text. The parts of a conflict are whole lines, and it begins at the start of a line.
#[derive(Debug, Clone)]
pub(super) enum Piece<'t> {
    Text(Cow<'t, str>),
    Conflict { base: Cow<'t, str>, ours: Cow<'t, str>, theirs: Cow<'t, str> },
}

impl<'t> Piece<'t> {
    pub(super) fn text(text: &'t str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }

    pub(super) fn conflict(base: &'t str, ours: &'t str, theirs: &'t str) -> Self {
        Self::Conflict { base: Cow::Borrowed(base), ours: Cow::Borrowed(ours), theirs: Cow::Borrowed(theirs) }
    }
}

/// How the lines of a region relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unchanged,
    Ours,
    Theirs,
    Both,
    Conflict,
}

/// A region of the three sequences.
struct Region {
    kind: Kind,
    base: Range<usize>,
    ours: Range<usize>,
    theirs: Range<usize>,
}

/// Merges three texts. With `narrow`, equal lines at the start and the end of both sides of a conflict are outside of it.
pub(super) fn merge<'t>(base: &'t str, ours: &'t str, theirs: &'t str, narrow: bool) -> Vec<Piece<'t>> {
    let texts = [base, ours, theirs];
    let mut known = HashMap::new();
    let lines = texts.map(|text| Lines::of(text, &mut known));
    let mut pieces = Vec::new();
    for region in regions(&lines[0].ids, &lines[1].ids, &lines[2].ids) {
        let part = |side: usize, lines_of: &Range<usize>| &texts[side][lines[side].span(lines_of)];
        let conflict = match region.kind {
            Kind::Unchanged | Kind::Ours | Kind::Both => {
                pieces.push(Piece::text(part(1, &region.ours)));
                continue;
            }
            Kind::Theirs => {
                pieces.push(Piece::text(part(2, &region.theirs)));
                continue;
            }
            Kind::Conflict => region,
        };
        let Region { base, mut ours, mut theirs, .. } = conflict;
        let is_equal = |one: usize, other: usize| lines[1].ids[one] == lines[2].ids[other];
        let (mut before, mut after) = (ours.start..ours.start, ours.end..ours.end);
        while narrow && !ours.is_empty() && !theirs.is_empty() && is_equal(ours.start, theirs.start) {
            (ours.start, theirs.start) = (ours.start + 1, theirs.start + 1);
            before.end = ours.start;
        }
        while narrow && !ours.is_empty() && !theirs.is_empty() && is_equal(ours.end - 1, theirs.end - 1) {
            (ours.end, theirs.end) = (ours.end - 1, theirs.end - 1);
            after.start = ours.end;
        }
        pieces.push(Piece::text(part(1, &before)));
        pieces.push(Piece::conflict(part(0, &base), part(1, &ours), part(2, &theirs)));
        pieces.push(Piece::text(part(1, &after)));
    }
    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
    pieces
}

/// The lines of a text as numbers: equal lines have equal numbers.
struct Lines {
    ids: Vec<u32>,
    /// Where each line starts, and the end of the text.
    starts: Vec<usize>,
}

impl Lines {
    fn of<'t>(text: &'t str, known: &mut HashMap<&'t str, u32>) -> Self {
        let (mut ids, mut starts) = (Vec::new(), vec![0]);
        for line in text.split_inclusive('\n') {
            let next = known.len() as u32;
            ids.push(*known.entry(line).or_insert(next));
            starts.push(starts[starts.len() - 1] + line.len());
        }
        Self { ids, starts }
    }

    fn span(&self, lines: &Range<usize>) -> Range<usize> {
        self.starts[lines.start]..self.starts[lines.end]
    }
}

/// What both sequences share, in order: ranges of equal length.
pub(super) fn equal_ranges(old: &[u32], new: &[u32]) -> Vec<(Range<usize>, Range<usize>)> {
    // Choosing the algorithm at run time would put all of them into the program.
    let mut found = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = patience::diff(&mut found, old, 0..old.len(), new, 0..new.len());
    let operations = found.into_inner().into_inner().into_ops();
    let equal = operations.iter().filter(|operation| matches!(operation, DiffOp::Equal { .. }));
    equal.map(|operation| (operation.old_range(), operation.new_range())).collect()
}

/// The changes from a sequence to another: what replaces what.
fn changes(old: &[u32], new: &[u32]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut found = Vec::new();
    let (mut old_at, mut new_at) = (0, 0);
    let end = (old.len()..old.len(), new.len()..new.len());
    for (old_equal, new_equal) in equal_ranges(old, new).into_iter().chain([end]) {
        if old_at < old_equal.start || new_at < new_equal.start {
            found.push((old_at..old_equal.start, new_at..new_equal.start));
        }
        (old_at, new_at) = (old_equal.end, new_equal.end);
    }
    found
}

/// Divides three sequences into regions. Takes linear time after the comparisons.
fn regions(base: &[u32], ours: &[u32], theirs: &[u32]) -> Vec<Region> {
    let by_ours = changes(base, ours);
    let by_theirs = changes(base, theirs);
    let (mut next_ours, mut next_theirs) = (by_ours.iter().peekable(), by_theirs.iter().peekable());
    let mut regions = Vec::new();
    let (mut base_at, mut ours_at, mut theirs_at) = (0, 0, 0);
    let mut push = |kind, base, ours, theirs| regions.push(Region { kind, base, ours, theirs });
    loop {
        let starts = [next_ours.peek(), next_theirs.peek()];
        let start = starts.iter().flatten().map(|(base, _)| base.start).min().unwrap_or(base.len());
        let same = start - base_at;
        if same > 0 {
            let (ours_end, theirs_end) = (ours_at + same, theirs_at + same);
            push(Kind::Unchanged, base_at..start, ours_at..ours_end, theirs_at..theirs_end);
            (base_at, ours_at, theirs_at) = (start, ours_end, theirs_end);
        }
        if starts.iter().all(Option::is_none) {
            return regions;
        }
        let mut end = start;
        let (mut last_ours, mut last_theirs) = (None, None);
        loop {
            if let Some(change) = next_ours.next_if(|(base, _)| base.start <= end) {
                (end, last_ours) = (end.max(change.0.end), Some(change));
            } else if let Some(change) = next_theirs.next_if(|(base, _)| base.start <= end) {
                (end, last_theirs) = (end.max(change.0.end), Some(change));
            } else {
                break;
            }
        }
        let side_end = |last: Option<&(Range<usize>, Range<usize>)>, at: usize| match last {
            Some((base, side)) => side.end + (end - base.end),
            None => at + (end - base_at),
        };
        let (ours_end, theirs_end) = (side_end(last_ours, ours_at), side_end(last_theirs, theirs_at));
        let kind = match (last_ours, last_theirs) {
            (_, None) => Kind::Ours,
            (None, _) => Kind::Theirs,
            _ if ours[ours_at..ours_end] == theirs[theirs_at..theirs_end] => Kind::Both,
            _ => Kind::Conflict,
        };
        push(kind, base_at..end, ours_at..ours_end, theirs_at..theirs_end);
        (base_at, ours_at, theirs_at) = (end, ours_end, theirs_end);
    }
}
