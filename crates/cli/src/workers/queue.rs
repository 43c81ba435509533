//! The items that several threads work on, and the results that wait to be reported in the order of the items.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many items may be worked on or wait to be reported.
const WINDOW: usize = 256;

/// How many items a thread takes at most at once, so that threads rarely wait for each other.
const BATCH: usize = 8;

pub(super) struct Queue<R> {
    state: Mutex<State<R>>,
    items: usize,
    threads: usize,
    /// Notified when there is room for more work, or the work has ended.
    room: Condvar,
    /// Notified when results should be reported, or the work has ended.
    ready: Condvar,
}

struct State<R> {
    /// How many items were reported.
    reported: usize,
    /// The results of the items after those, of all that were taken.
    results: VecDeque<Option<R>>,
    /// How many of the results are there.
    arrived: usize,
    has_ended: bool,
}

impl<R> Queue<R> {
    pub(super) fn new(items: usize, threads: usize) -> Self {
        let state = State { reported: 0, results: VecDeque::new(), arrived: 0, has_ended: false };
        Self { state: Mutex::new(state), items, threads, room: Condvar::new(), ready: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Receives results, and returns the items that the thread should work on next. Returns `None` if there are none, or
    /// the work has ended.
    pub(super) fn next(&self, results: impl IntoIterator<Item = (usize, R)>) -> Option<Range<usize>> {
        let mut state = self.state();
        for (at, result) in results {
            let place = at - state.reported;
            state.results[place] = Some(result);
            state.arrived += 1;
        }
        if state.should_be_reported(self.items) {
            self.ready.notify_one();
        }
        while state.results.len() >= WINDOW && !state.has_ended {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let first = state.reported + state.results.len();
        let left = self.items - first;
        if left == 0 || state.has_ended {
            return None;
        }
        // Towards the end, a thread takes single items, so that no other thread has to wait for it.
        let room = WINDOW - state.results.len();
        let taken = (left / (4 * self.threads)).clamp(1, BATCH).min(room);
        state.results.extend((0..taken).map(|_| None));
        Some(first..first + taken)
    }

    /// Waits for results, and returns them in the order of the items. Returns `None` after the last one, or if the work
    /// has ended.
    pub(super) fn finished(&self) -> Option<Vec<R>> {
        let mut state = self.state();
        while !state.should_be_reported(self.items) && !state.has_ended && state.reported < self.items {
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.has_ended || state.reported == self.items {
            return None;
        }
        let finished: Vec<R> = std::iter::from_fn(|| state.take_first()).collect();
        self.room.notify_all();
        Some(finished)
    }

    fn end(&self) {
        self.state().has_ended = true;
        self.room.notify_all();
        self.ready.notify_all();
    }
}

impl<R> State<R> {
    /// Whether to wake the thread that reports: the first result is there, and many others or all.
    fn should_be_reported(&self, items: usize) -> bool {
        let all = self.arrived == self.results.len() && self.reported + self.arrived == items;
        matches!(self.results.front(), Some(Some(_))) && (all || self.arrived >= WINDOW / 4)
    }

    fn take_first(&mut self) -> Option<R> {
        let first = self.results.front_mut()?.take()?;
        self.results.pop_front();
        self.reported += 1;
        self.arrived -= 1;
        Some(first)
    }
}

/// Ends the work when it is dropped.
pub(super) struct End<'a, R>(pub(super) &'a Queue<R>);

impl<R> Drop for End<'_, R> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Ends the work if the thread panics.
pub(super) struct EndOnPanic<'a, R>(pub(super) &'a Queue<R>);

impl<R> Drop for EndOnPanic<'_, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}
