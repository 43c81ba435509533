//! Changes to the contents of a container, and the resulting contents. Changes of a text as edits of it.

use std::collections::BTreeMap;

use hclkit_syntax::{Edit, NodeId, Span};

use super::error::EditError;
use super::list::Entry;
use super::piece::Piece;
use super::sequence::Sequence;
use super::splice::Splice;

/// A change to the contents of a container.
#[derive(Debug, Clone)]
pub(super) enum Change {
    Remove(NodeId),
    /// Removes a node that is inserted elsewhere.
    Take(NodeId),
    Insert(InsertionPoint, Vec<Piece>),
}

/// A position at which something is inserted into a container.
#[derive(Debug, Clone, Copy)]
pub(super) enum InsertionPoint {
    Before(NodeId),
    After(NodeId),
    Start,
    End,
}

/// Returns true if an item of the container is moved.
pub(super) fn moves_any(changes: &[Change]) -> bool {
    changes.iter().any(|change| matches!(change, Change::Take(_)))
}

/// The contents of a container after the changes.
pub(super) fn entries(sequence: &Sequence<'_>, changes: &[Change]) -> Result<Vec<Entry>, EditError> {
    let index: BTreeMap<NodeId, usize> =
        sequence.slots.iter().enumerate().map(|(index, slot)| (slot.node, index)).collect();
    let count = sequence.slots.len();
    let mut removed = vec![false; count];
    // The insertions before each slot, after the slot before it, and at the end of the container.
    let mut inserted: Vec<Vec<Entry>> = (0..=count).map(|_| Vec::new()).collect();
    let mut starts: Vec<Vec<Entry>> = (0..=count).map(|_| Vec::new()).collect();
    let mut ends = Vec::new();
    for change in changes {
        match change {
            Change::Remove(node) | Change::Take(node) => {
                let Some(&at) = index.get(node) else { continue };
                if std::mem::replace(&mut removed[at], true) {
                    let span = sequence.slots[at].span;
                    return Err(EditError::Overlap { first: span, second: span });
                }
            }
            Change::Insert(place, pieces) => {
                let new = |near_before: bool| {
                    pieces.iter().map(move |piece| Entry::New(piece.clone(), near_before))
                };
                match place {
                    InsertionPoint::Before(node) => {
                        inserted[index.get(node).copied().unwrap_or(count)].extend(new(false));
                    }
                    InsertionPoint::After(node) => {
                        starts[index.get(node).map_or(count, |at| at + 1)].extend(new(true));
                    }
                    InsertionPoint::Start => inserted[0].extend(new(false)),
                    InsertionPoint::End => ends.extend(new(true)),
                }
            }
        }
    }
    let mut entries = Vec::new();
    for (at, (after, before)) in starts.into_iter().zip(inserted).enumerate() {
        entries.extend(after);
        entries.extend(before);
        if at < count && !removed[at] {
            entries.push(Entry::Kept(at));
        }
    }
    entries.extend(ends);
    Ok(entries)
}

/// The edits that turn a text into another one: the text with sorted splices, in which blanks have changed too. If more
/// has changed, this is one edit of everything between the first difference and the last.
pub(super) fn between(old: &str, splices: &[Splice], new: &str) -> Vec<Edit> {
    edits(old, splices, new).unwrap_or_else(|| {
        let same =
            |one: &str, other: &str| one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let start: usize = old.chars().take(same(old, new)).map(char::len_utf8).sum();
        let (old, new) = (&old[start..], &new[start..]);
        let ends = old.chars().rev().zip(new.chars().rev()).take_while(|(a, b)| a == b);
        let end: usize = ends.map(|(character, _)| character.len_utf8()).sum();
        let span = Span::new(start as u32, (start + old.len() - end) as u32);
        vec![Edit::new(span, new[..new.len() - end].to_owned())]
    })
}

/// The same, unless more than blanks has changed outside of the splices.
fn edits(old: &str, splices: &[Splice], new: &str) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    let (mut done, mut rest) = (0, new);
    for splice in splices {
        let span = splice.span.to_range();
        rest = blanks_between(old, done, span.start, rest, &mut edits)?;
        let end = after(&splice.text, rest)?;
        edits.push(Edit::new(splice.span, rest[..rest.len() - end.len()].to_owned()));
        (done, rest) = (span.end, end);
    }
    rest = blanks_between(old, done, old.len(), rest, &mut edits)?;
    rest.is_empty().then_some(edits)
}

const BLANKS: [char; 2] = [' ', '\t'];

/// Adds the edits of blanks in a part of the old text, and returns the rest of the new text.
fn blanks_between<'n>(
    old: &str,
    start: usize,
    end: usize,
    mut new: &'n str,
    edits: &mut Vec<Edit>,
) -> Option<&'n str> {
    let blanks = |text: &str| text.len() - text.trim_start_matches(BLANKS).len();
    let mut at = start;
    while at < end {
        let (before, after) = (blanks(&old[at..end]), blanks(new));
        if old[at..at + before] != new[..after] {
            let span = Span::new(at as u32, (at + before) as u32);
            edits.push(Edit::new(span, new[..after].to_owned()));
        }
        (at, new) = (at + before, &new[after..]);
        if let Some(character) = old[at..end].chars().next() {
            (at, new) = (at + character.len_utf8(), new.strip_prefix(character)?);
        }
    }
    Some(new)
}

/// The rest of a text after another one, whose blanks may differ.
fn after<'n>(text: &str, mut new: &'n str) -> Option<&'n str> {
    for character in text.chars().filter(|character| !BLANKS.contains(character)) {
        new = new.trim_start_matches(BLANKS).strip_prefix(character)?;
    }
    Some(if text.ends_with(BLANKS) { new.trim_start_matches(BLANKS) } else { new })
}
