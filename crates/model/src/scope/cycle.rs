//! Reference cycles: their error, and cycles through functions that evaluate expressions.

use std::cell::RefCell;
use std::sync::Arc;

use hclkit_syntax::{Diagnostic, Place, Span};

use super::Scope;
use crate::messages;

/// The maximum number of names in the message of an error, and of related places.
const MOST_NAMES: usize = 8;
const MOST_PLACES: usize = 100;

/// A name on a cycle, and where it refers to the next one.
#[derive(Clone)]
pub(super) struct Link {
    /// Its number. A cycle is shown from the name that was defined first.
    pub(super) node: usize,
    pub(super) scope: Arc<Scope>,
    /// The whole definition.
    pub(super) definition: Place,
    pub(super) reference: Span,
}

impl Link {
    fn label(&self) -> String {
        self.scope.full_label(self.node)
    }
}

/// The error for a cycle.
pub(super) fn error(mut links: Vec<Link>) -> Option<Diagnostic> {
    let first = links.iter().enumerate().min_by_key(|(_, link)| link.node)?.0;
    links.rotate_left(first);
    let (start, rest) = links.split_first()?;
    let message = if rest.is_empty() {
        messages::self_reference(&start.label())
    } else {
        let names: Vec<String> = links.iter().take(MOST_NAMES).map(Link::label).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        messages::reference_cycle(&names, links.len() - names.len())
    };
    let mut found =
        message.in_source(&start.definition.source, start.reference).with_context(start.definition.span);
    for (at, link) in rest.iter().enumerate().take(MOST_PLACES) {
        let next = rest.get(at + 1).unwrap_or(start);
        let text = messages::related::refers_to(&link.label(), &next.label());
        found = found.with_related(&link.definition.source, link.reference, text);
    }
    Some(found)
}

/// The names whose expressions are being evaluated on this thread, by the addresses of their contexts. A function that
/// evaluates further expressions may need one of them without a visible reference.
type Running = Vec<((usize, usize), Link)>;

thread_local! {
    static RUNNING: RefCell<Running> = const { RefCell::new(Vec::new()) };
}

/// Removes the last name, even if a function panics.
struct Ended;

impl Drop for Ended {
    fn drop(&mut self) {
        RUNNING.with_borrow_mut(|running| drop(running.pop()));
    }
}

/// Evaluates the expression of a name.
pub(super) fn running<T>(key: (usize, usize), link: Link, work: impl FnOnce() -> T) -> T {
    RUNNING.with_borrow_mut(|running| running.push((key, link)));
    let _ended = Ended;
    work()
}

/// The names on the stack from this one on. Empty if its expression is not being evaluated.
pub(super) fn since(key: (usize, usize)) -> Option<Vec<Link>> {
    RUNNING.with_borrow(|running| {
        let from = running.iter().position(|(other, _)| *other == key)?;
        Some(running[from..].iter().map(|(_, link)| link.clone()).collect())
    })
}
