//! Changes to the contents of a container, and the resulting contents.

use std::collections::BTreeMap;

use hclkit_syntax::NodeId;

use super::error::EditError;
use super::list::Entry;
use super::piece::Piece;
use super::sequence::Sequence;

/// A change to the contents of a container.
#[derive(Debug, Clone)]
pub(super) enum Change {
    Remove(NodeId),
    Insert(Place, Vec<Piece>),
}

/// A position at which something is inserted into a container.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    Before(NodeId),
    After(NodeId),
    Start,
    End,
}

/// The contents of a container after the changes.
pub(super) fn entries(sequence: &Sequence<'_>, changes: &[Change]) -> Result<Vec<Entry>, EditError> {
    let index: BTreeMap<NodeId, usize> =
        sequence.slots.iter().enumerate().map(|(index, slot)| (slot.node, index)).collect();
    let count = sequence.slots.len();
    let mut removed = vec![false; count];
    // The insertions before each slot, with the flag of an entry, and at the end.
    let mut inserted: Vec<Vec<Entry>> = (0..=count).map(|_| Vec::new()).collect();
    let mut starts: Vec<Vec<Entry>> = (0..=count).map(|_| Vec::new()).collect();
    for change in changes {
        match change {
            Change::Remove(node) => {
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
                    Place::Before(node) => {
                        inserted[index.get(node).copied().unwrap_or(count)].extend(new(false));
                    }
                    Place::After(node) => {
                        starts[index.get(node).map_or(count, |at| at + 1)].extend(new(true));
                    }
                    Place::Start => inserted[0].extend(new(false)),
                    Place::End => inserted[count].extend(new(true)),
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
    Ok(entries)
}
