//! Runs over many entries: threads read and encode, and one writes in the order of the input. What is written depends neither on
//! the number of threads nor on their speed, and the memory that it takes not on the number of entries.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::batch::{FileId, Part};
use crate::entry::Entry;
use crate::format::{Encoded, Encoder, FileWriter, Format};
use crate::reader::{Options, Reader};
use crate::rows::FileRows;
use crate::schema::Table;

/// How many entries a thread reads at once.
const BATCH: usize = 32;

/// A row group has at least this many rows, or as many bytes, or is the last one.
const GROUP_ROWS: usize = 1 << 16;
const GROUP_BYTES: usize = 24 << 20;

/// Where files are written to.
pub trait Target {
    /// A file that is being written.
    type File: Write + Send;

    /// Creates the file of a table. `partition` is the repository, if each one has files of its own.
    ///
    /// # Errors
    /// The file cannot be created.
    fn create(&mut self, table: Table, partition: Option<&str>) -> io::Result<Self::File>;

    /// Gives a complete file its name.
    ///
    /// # Errors
    /// The file cannot be written.
    fn finish(&mut self, file: Self::File) -> io::Result<()>;

    /// Is told how many further entries were read.
    fn advance(&mut self, entries: usize) {
        let _ = entries;
    }
}

/// Runs work in a new thread, for settings that belong to threads.
pub type Enter = Arc<dyn Fn(&mut dyn FnMut()) + Send + Sync>;

/// How a run works.
pub struct Run {
    /// What tables contain.
    pub options: Options,
    /// The format of files.
    pub format: Format,
    /// Whether each repository has files of its own.
    pub partitioned: bool,
    /// The number of threads.
    pub threads: usize,
    /// Runs work in each new thread.
    pub enter: Enter,
}

/// The settings. What runs in threads is left out.
impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, partitioned, threads, .. } = self;
        let mut debug = f.debug_struct("Run");
        debug.field("tables", &self.options.tables()).field("format", format);
        debug.field("partitioned", partitioned).field("threads", threads).finish_non_exhaustive()
    }
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of entries.
    pub entries: u64,
    /// How many different contents were parsed.
    pub parsed: u64,
    /// The number of rows.
    pub rows: u64,
    /// How many entries have an error.
    pub broken: u64,
    /// On how many entries a limit ended some of the work.
    pub limited: u64,
    /// How many entries could not be read.
    pub unread: u64,
}

enum Job {
    Read(u64, Vec<Entry>),
    Encode(u64, Table, Vec<Part>),
}

enum Done {
    Read(u64, Vec<(FileId, FileRows)>),
    Encoded(u64, io::Result<Encoded>),
    Panicked(Box<dyn Any + Send>),
}

/// The work that waits for a thread.
#[derive(Default)]
struct Jobs {
    state: Mutex<(VecDeque<Job>, bool)>,
    ready: Condvar,
}

impl Jobs {
    /// Adds work. Encoding comes first, because it frees memory.
    fn push(&self, job: Job) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match job {
            Job::Encode(..) => state.0.push_front(job),
            Job::Read(..) => state.0.push_back(job),
        }
        self.ready.notify_one();
    }

    fn next(&self) -> Option<Job> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.1 {
                return None;
            }
            if let Some(job) = state.0.pop_front() {
                return Some(job);
            }
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Ends the threads when it is dropped.
struct End<'j>(&'j Jobs);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        self.0.ready.notify_all();
    }
}

impl Run {
    /// Writes the tables of all entries.
    ///
    /// # Errors
    /// A file cannot be written.
    ///
    /// # Panics
    /// If a thread panics.
    pub fn write<T: Target>(
        &self,
        entries: impl Iterator<Item = Entry>,
        target: &mut T,
    ) -> io::Result<Summary> {
        let reader = Reader::new(self.options.clone());
        let tables = self.options.tables();
        let encoder = |table: &Table| Ok((*table, Encoder::new(*table, self.format)?));
        let encoders: BTreeMap<Table, Encoder> = tables.iter().map(encoder).collect::<io::Result<_>>()?;
        let jobs = Jobs::default();
        let (sender, receiver) = channel();
        let summary = std::thread::scope(|scope| {
            let _end = End(&jobs);
            let mut threads = 0;
            for _ in 0..self.threads.max(1) {
                let (sender, jobs, reader, encoders) = (sender.clone(), &jobs, &reader, &encoders);
                let enter = self.enter.clone();
                let builder = std::thread::Builder::new().stack_size(self.options.stack_size());
                let work = move || enter(&mut || work(jobs, &sender, reader, encoders));
                match builder.spawn_scoped(scope, work) {
                    Ok(_) => threads += 1,
                    Err(error) if threads == 0 => return Err(error),
                    Err(_) => break,
                }
            }
            let mut writing = Writing::new(self, &encoders, &jobs, receiver, threads, target);
            writing.run(entries)
        })?;
        Ok(Summary { parsed: reader.parsed(), ..summary })
    }
}

/// The work of a thread.
fn work(jobs: &Jobs, sender: &Sender<Done>, reader: &Reader, encoders: &BTreeMap<Table, Encoder>) {
    while let Some(job) = jobs.next() {
        let done = catch_unwind(AssertUnwindSafe(|| match job {
            Job::Read(number, entries) => {
                Done::Read(number, entries.into_iter().map(|entry| reader.read(entry)).collect())
            }
            Job::Encode(number, table, parts) => Done::Encoded(number, encoders[&table].encode(&parts)),
        }));
        if sender.send(done.unwrap_or_else(Done::Panicked)).is_err() {
            return;
        }
    }
}

/// The state of the thread that writes.
struct Writing<'w, T: Target> {
    run: &'w Run,
    encoders: &'w BTreeMap<Table, Encoder>,
    jobs: &'w Jobs,
    receiver: Receiver<Done>,
    target: &'w mut T,
    most_reading: u64,
    most_encoding: u64,
    /// How many batches of entries were given out, and how many were used.
    given: u64,
    used: u64,
    read: BTreeMap<u64, Vec<(FileId, FileRows)>>,
    /// How many row groups were given out, and how many were written.
    groups: u64,
    written: u64,
    encoded: BTreeMap<u64, Encoded>,
    /// The row groups that are not written, with their tables and partitions.
    places: VecDeque<(Table, Option<Arc<str>>)>,
    /// The rows of each table for its next row group.
    pending: BTreeMap<Table, Pending>,
    partition: Option<Arc<str>>,
    open: BTreeMap<Table, FileWriter<T::File>>,
    open_partition: Option<Arc<str>>,
    summary: Summary,
}

#[derive(Default)]
struct Pending {
    parts: Vec<Part>,
    rows: usize,
    weight: usize,
}

/// The name of the partition of entries without a repository.
const NO_REPO: &str = "none";

impl<'w, T: Target> Writing<'w, T> {
    fn new(
        run: &'w Run,
        encoders: &'w BTreeMap<Table, Encoder>,
        jobs: &'w Jobs,
        receiver: Receiver<Done>,
        threads: u64,
        target: &'w mut T,
    ) -> Self {
        Self {
            run,
            encoders,
            jobs,
            receiver,
            target,
            most_reading: 4 * threads + 4,
            most_encoding: 2 * threads + 2,
            given: 0,
            used: 0,
            read: BTreeMap::new(),
            groups: 0,
            written: 0,
            encoded: BTreeMap::new(),
            places: VecDeque::new(),
            pending: encoders.keys().map(|table| (*table, Pending::default())).collect(),
            partition: None,
            open: BTreeMap::new(),
            open_partition: None,
            summary: Summary::default(),
        }
    }

    fn run(&mut self, mut entries: impl Iterator<Item = Entry>) -> io::Result<Summary> {
        if !self.run.partitioned {
            self.open_all(None)?;
        }
        let mut has_more = true;
        loop {
            while has_more
                && self.given - self.used < self.most_reading
                && self.groups - self.written < self.most_encoding
            {
                let batch: Vec<Entry> = entries.by_ref().take(BATCH).collect();
                has_more = batch.len() == BATCH;
                if !batch.is_empty() {
                    self.jobs.push(Job::Read(self.given, batch));
                    self.given += 1;
                }
            }
            if self.given == self.used {
                if has_more {
                    self.receive()?;
                    continue;
                }
                break;
            }
            self.receive()?;
        }
        self.flush_all();
        while self.written < self.groups {
            self.receive()?;
        }
        self.close_all()?;
        Ok(self.summary)
    }

    /// Waits for a result, and uses all that come next in order.
    fn receive(&mut self) -> io::Result<()> {
        match self.receiver.recv().map_err(io::Error::other)? {
            Done::Read(number, rows) => {
                self.read.insert(number, rows);
                while let Some(rows) = self.read.remove(&self.used) {
                    self.used += 1;
                    self.target.advance(rows.len());
                    for (id, rows) in &rows {
                        self.add(id, rows);
                    }
                }
            }
            Done::Encoded(number, encoded) => {
                self.encoded.insert(number, encoded?);
                while let Some(encoded) = self.encoded.remove(&self.written) {
                    self.written += 1;
                    let Some((table, partition)) = self.places.pop_front() else { break };
                    self.write(table, partition, encoded)?;
                }
            }
            Done::Panicked(panic) => resume_unwind(panic),
        }
        Ok(())
    }

    /// Adds the rows of an entry to the next row groups.
    fn add(&mut self, id: &FileId, rows: &FileRows) {
        self.summary.entries += 1;
        self.summary.broken += u64::from(rows.broken && !rows.unread);
        self.summary.limited += u64::from(rows.limited);
        self.summary.unread += u64::from(rows.unread);
        if self.run.partitioned {
            let own = Some(id.repo.clone().unwrap_or_else(|| NO_REPO.into()));
            if own != self.partition {
                self.flush_all();
                self.partition = own;
            }
        }
        for table in Table::ALL {
            let Some(own) = rows.tables[table as usize].clone() else { continue };
            let Some(pending) = self.pending.get_mut(&table) else { continue };
            self.summary.rows += own.rows as u64;
            pending.rows += own.rows;
            pending.weight += own.weight();
            pending.parts.push((id.clone(), own));
            if pending.rows >= GROUP_ROWS || pending.weight >= GROUP_BYTES {
                self.flush(table);
            }
        }
    }

    fn flush(&mut self, table: Table) {
        let pending = self.pending.get_mut(&table).map(std::mem::take).unwrap_or_default();
        if pending.rows > 0 {
            self.jobs.push(Job::Encode(self.groups, table, pending.parts));
            self.places.push_back((table, self.partition.clone()));
            self.groups += 1;
        }
    }

    fn flush_all(&mut self) {
        for table in Table::ALL {
            self.flush(table);
        }
    }

    fn open_all(&mut self, partition: Option<&str>) -> io::Result<()> {
        for (table, encoder) in self.encoders {
            let file = self.target.create(*table, partition)?;
            self.open.insert(*table, encoder.begin(file)?);
        }
        Ok(())
    }

    fn close_all(&mut self) -> io::Result<()> {
        for (_, writer) in std::mem::take(&mut self.open) {
            self.target.finish(writer.finish()?)?;
        }
        Ok(())
    }

    fn write(&mut self, table: Table, partition: Option<Arc<str>>, encoded: Encoded) -> io::Result<()> {
        if partition != self.open_partition {
            self.close_all()?;
            self.open_all(partition.as_deref())?;
            self.open_partition = partition;
        }
        match self.open.get_mut(&table) {
            Some(writer) => writer.write(encoded),
            None => Err(io::Error::other("the table has no file")),
        }
    }
}
