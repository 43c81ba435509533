//! The entries of paths as an iterator. Another thread finds them.

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use hclkit::dialect::Dialects;

use super::Inputs;
use crate::entry::{Content, Entry};

/// How many entries are sent at once, or how many bytes of their contents.
const ENTRIES: usize = 64;
const BYTES: usize = 4 << 20;

/// The entries of paths, in order. When this is dropped, the thread that finds them ends.
#[derive(Debug)]
pub struct InputEntries {
    ready: VecDeque<Entry>,
    found: Option<Receiver<Vec<Entry>>>,
    thread: Option<JoinHandle<()>>,
}

impl Inputs {
    /// The entries of paths, which are found as they are asked for.
    pub fn entries(self, paths: Vec<PathBuf>) -> InputEntries {
        let (sender, found) = sync_channel(1);
        let dialects = Dialects::current();
        let work = move || {
            let mut batch = Batch { sender, entries: Vec::new(), bytes: 0 };
            let all =
                dialects.run(|| paths.iter().all(|path| self.emit(path, &mut |entry| batch.add(entry))));
            if all {
                batch.send();
            }
        };
        InputEntries { ready: VecDeque::new(), found: Some(found), thread: Some(std::thread::spawn(work)) }
    }
}

/// Entries that are sent next.
struct Batch {
    sender: SyncSender<Vec<Entry>>,
    entries: Vec<Entry>,
    bytes: usize,
}

impl Batch {
    /// Adds an entry. Returns false if no more are wanted.
    fn add(&mut self, entry: Entry) -> bool {
        if let Content::Bytes(bytes) = &entry.content {
            self.bytes += bytes.len();
        }
        self.entries.push(entry);
        self.entries.len() < ENTRIES && self.bytes < BYTES || self.send()
    }

    fn send(&mut self) -> bool {
        self.bytes = 0;
        self.sender.send(std::mem::take(&mut self.entries)).is_ok()
    }
}

impl Iterator for InputEntries {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        while self.ready.is_empty() {
            let Ok(found) = self.found.as_ref()?.recv() else {
                self.found = None;
                if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
                    resume_unwind(panic);
                }
                return None;
            };
            self.ready.extend(found);
        }
        self.ready.pop_front()
    }
}
