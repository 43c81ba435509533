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
    /// Removes a node that is inserted elsewhere.
    Take(NodeId),
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
                    Place::Before(node) => {
                        inserted[index.get(node).copied().unwrap_or(count)].extend(new(false));
                    }
                    Place::After(node) => {
                        starts[index.get(node).map_or(count, |at| at + 1)].extend(new(true));
                    }
                    Place::Start => inserted[0].extend(new(false)),
                    Place::End => ends.extend(new(true)),
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
