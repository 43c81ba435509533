//! The work of a run that waits for a thread. It is given out in the order of the input, and only so much at a time that what
//! waits for its turn stays small.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::batch::Group;
use crate::budget::Held;
use crate::entry::Entry;
use crate::schema::Table;

/// Entries with the bytes that they hold.
pub(crate) type Entries = Vec<(Entry, Option<Held>)>;

/// Rows to encode.
pub(crate) struct Encoding {
    pub(crate) number: u64,
    pub(crate) table: Table,
    pub(crate) rows: Group,
}

pub(crate) enum Job {
    Read(u64, Entries),
    Encode(Encoding),
}

/// What a thread does before it reads the next entries of its batch.
pub(crate) enum Turn {
    Read,
    /// Rows wait, so that these come first.
    Encode(Encoding),
    /// The run has ended.
    End,
}

/// Work, and the threads that wait for it.
pub(crate) struct Jobs {
    state: Mutex<State>,
    /// There is work, or a thread may go on.
    ready: Condvar,
    /// More batches can be given out.
    room: Condvar,
    /// How many batches may be given out that were not used.
    most_batches: u64,
    /// How many bytes of rows may wait.
    most_rows: usize,
}

#[derive(Default)]
struct State {
    is_ended: bool,
    batches: VecDeque<(u64, Entries)>,
    encoding: VecDeque<Encoding>,
    /// How many batches were given out, and how many were used.
    given: u64,
    used: u64,
    /// How many bytes the rows have that were read and not used.
    rows: usize,
    /// Whether rows are not used at the moment, because too many are being encoded.
    is_stalled: bool,
    /// How many threads wait for their turn in a batch, which do not take another one.
    in_batch: usize,
}

impl Jobs {
    pub(crate) fn new(most_batches: u64, most_rows: usize) -> Self {
        let (ready, room) = (Condvar::new(), Condvar::new());
        Self { state: Mutex::default(), ready, room, most_batches, most_rows }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self, state: &State) {
        if state.in_batch > 0 { self.ready.notify_all() } else { self.ready.notify_one() }
    }

    /// Gives out a batch. It waits until there is room. Returns false if the run has ended.
    pub(crate) fn give(&self, entries: Entries) -> bool {
        let mut state = self.state();
        while !state.is_ended && state.given - state.used >= self.most_batches {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if !state.is_ended {
            let number = state.given;
            state.batches.push_back((number, entries));
            state.given += 1;
            self.wake(&state);
        }
        !state.is_ended
    }

    /// How many batches were given out.
    pub(crate) fn given(&self) -> u64 {
        self.state().given
    }

    /// Gives out rows to encode.
    pub(crate) fn encode(&self, rows: Encoding) {
        let mut state = self.state();
        state.encoding.push_back(rows);
        self.wake(&state);
    }

    /// The next work. Encoding comes first, because it frees memory.
    pub(crate) fn next(&self) -> Option<Job> {
        let mut state = self.state();
        loop {
            if state.is_ended {
                return None;
            }
            if let Some(rows) = state.encoding.pop_front() {
                return Some(Job::Encode(rows));
            }
            if let Some((number, entries)) = state.batches.pop_front() {
                return Some(Job::Read(number, entries));
            }
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until a thread may read more entries of its batch. The batch that is used next never waits for others, which wait for it.
    pub(crate) fn turn(&self, number: u64) -> Turn {
        let mut state = self.state();
        loop {
            if state.is_ended {
                return Turn::End;
            }
            if state.rows <= self.most_rows || (number == state.used && !state.is_stalled) {
                return Turn::Read;
            }
            if let Some(rows) = state.encoding.pop_front() {
                return Turn::Encode(rows);
            }
            state.in_batch += 1;
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.in_batch -= 1;
        }
    }

    /// Notes rows that were read.
    pub(crate) fn read(&self, bytes: usize) {
        self.state().rows += bytes;
    }

    /// Notes rows that were used, and whether these were the last ones of their batch.
    pub(crate) fn used(&self, bytes: usize, is_last: bool) {
        let mut state = self.state();
        state.rows -= bytes;
        if is_last {
            state.used += 1;
            self.room.notify_one();
        }
        if state.in_batch > 0 {
            self.ready.notify_all();
        }
    }

    /// Notes whether rows are used at the moment.
    pub(crate) fn stall(&self, is_stalled: bool) {
        let mut state = self.state();
        state.is_stalled = is_stalled;
        if state.in_batch > 0 {
            self.ready.notify_all();
        }
    }

    /// Ends the threads. What waits is dropped, and with it the bytes that it holds.
    pub(crate) fn end(&self) {
        let mut state = self.state();
        state.is_ended = true;
        let waiting = (std::mem::take(&mut state.batches), std::mem::take(&mut state.encoding));
        drop(state);
        self.ready.notify_all();
        self.room.notify_all();
        drop(waiting);
    }
}

/// Ends the threads when it is dropped.
pub(crate) struct End<'j>(pub(crate) &'j Jobs);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}
