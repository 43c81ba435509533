//! Runs over many entries: threads read and encode, and one writes in the order of the input. What is written depends neither on
//! the number of threads nor on their speed, and the memory that it takes not on the number of entries.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

use crate::batch::{FileId, Group, Size};
use crate::budget::Budget;
use crate::entry::{Content, Entry};
use crate::format::{Encoded, Encoder, FileWriter, Format};
use crate::input::too_large;
use crate::jobs::{Encoding, End, Entries, Job, Jobs, Turn};
use crate::overridden::Waiting;
use crate::reader::{Options, Reader};
use crate::rows::FileRows;
use crate::schema::Table;

/// How many entries a thread reads at once, or how many bytes.
const BATCH: usize = 32;
const BATCH_BYTES: u64 = 1 << 20;

/// The rows of a batch are sent in pieces of about so many bytes.
const PIECE_BYTES: usize = 1 << 20;

/// A row group has at least this many rows, or as many bytes, or is the last one.
const GROUP_ROWS: usize = 1 << 16;
const GROUP_BYTES: usize = 24 << 20;

/// Lines of text have no row groups, and can become six times as long as their texts.
const LINES_BYTES: usize = 4 << 20;

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

/// Rows of a batch, about how many bytes they have, and whether they are the last ones.
struct Piece {
    rows: Vec<(FileId, FileRows)>,
    bytes: usize,
    is_last: bool,
}

enum Done {
    Read(u64, Piece),
    Encoded(u64, io::Result<Encoded>),
    /// All entries were given out: so many batches.
    All(u64),
    Panicked(Box<dyn Any + Send>),
}

/// What entries are given to.
struct Sink<'j> {
    jobs: &'j Jobs,
    waiting: Budget,
    batch: Entries,
    /// How many bytes those of the batch hold.
    bytes: u64,
}

impl Sink<'_> {
    /// Takes an entry. It waits until its content is within the budget. Returns false if no more are wanted.
    fn take(&mut self, entry: Entry) -> bool {
        let mut entry = entry.with_short_names();
        let mut held = None;
        if let Content::Bytes(bytes) = &entry.content {
            let size = bytes.len() as u64;
            if size > self.waiting.most() {
                entry.content = too_large(size, self.waiting.most());
            } else {
                held = self.waiting.try_acquire(size);
                // It must not wait for itself.
                if held.is_none() && !self.give() {
                    return false;
                }
                held = held.or_else(|| self.waiting.acquire(size).ok());
                self.bytes += size;
            }
        }
        let is_directory = matches!(entry.content, Content::Directory(_));
        self.batch.push((entry, held));
        let is_full = self.batch.len() >= BATCH || self.bytes >= BATCH_BYTES;
        if is_full || is_directory { self.give() } else { true }
    }

    /// Gives out what was taken.
    fn give(&mut self) -> bool {
        self.bytes = 0;
        self.batch.is_empty() || self.jobs.give(std::mem::take(&mut self.batch))
    }
}

impl Run {
    /// Writes the tables of all entries. `produce` runs in a thread of its own, and emits entries until it is told that no more
    /// are wanted. What it emits waits until the budget of bytes in flight has room for it.
    ///
    /// # Errors
    /// A file cannot be written.
    ///
    /// # Panics
    /// If a thread panics.
    pub fn write<T: Target>(
        &self,
        produce: impl FnOnce(&mut dyn FnMut(Entry) -> bool) + Send,
        target: &mut T,
    ) -> io::Result<Summary> {
        let reader = Reader::new(self.options.clone());
        let tables = self.options.tables();
        let encoder = |table: &Table| Ok((*table, Encoder::new(*table, self.format)?));
        let encoders: BTreeMap<Table, Encoder> = tables.iter().map(encoder).collect::<io::Result<_>>()?;
        let wanted = self.threads.max(1);
        let jobs = Jobs::new(4 * wanted as u64 + 4, reader.parts().rows);
        let (sender, receiver) = channel();
        let summary = std::thread::scope(|scope| {
            let _end = End(&jobs);
            let mut threads = 0;
            for _ in 0..wanted {
                let (sender, jobs, reader, encoders) = (sender.clone(), &jobs, &reader, &encoders);
                match self.thread(scope, move || work(jobs, &sender, reader, encoders)) {
                    Ok(()) => threads += 1,
                    Err(error) if threads == 0 => return Err(error),
                    Err(_) => break,
                }
            }
            let (jobs, waiting) = (&jobs, reader.parts().waiting.clone());
            self.thread(scope, move || {
                let mut sink = Sink { jobs, waiting, batch: Vec::new(), bytes: 0 };
                let all = catch_unwind(AssertUnwindSafe(|| {
                    produce(&mut |entry| sink.take(entry));
                    sink.give();
                    Done::All(jobs.given())
                }));
                // It fails if the run has ended.
                let _ = sender.send(all.unwrap_or_else(Done::Panicked));
            })?;
            Writing::new(self, &encoders, jobs, receiver, threads, &reader, target).run()
        })?;
        Ok(Summary { parsed: reader.parsed(), ..summary })
    }

    /// Starts a thread with enough stack, and with the settings that belong to it.
    fn thread<'s>(&self, scope: &'s Scope<'s, '_>, work: impl FnOnce() + Send + 's) -> io::Result<()> {
        let enter = self.enter.clone();
        let mut work = Some(work);
        let builder = std::thread::Builder::new().stack_size(self.options.stack_size());
        let run = move || enter(&mut || work.take().into_iter().for_each(|work| work()));
        builder.spawn_scoped(scope, run).map(drop)
    }
}

/// The work of a thread.
fn work(jobs: &Jobs, sender: &Sender<Done>, reader: &Reader, encoders: &BTreeMap<Table, Encoder>) {
    let encode = |own: Encoding| {
        let encoded = encoders[&own.table].encode(&own.rows.parts);
        sender.send(Done::Encoded(own.number, encoded)).is_ok()
    };
    while let Some(job) = jobs.next() {
        let goes_on = catch_unwind(AssertUnwindSafe(|| match job {
            Job::Read(number, entries) => read(number, entries, jobs, sender, reader, &encode),
            Job::Encode(rows) => encode(rows),
        }));
        match goes_on {
            Ok(true) => {}
            Ok(false) => return,
            Err(panic) => drop(sender.send(Done::Panicked(panic))),
        }
    }
}

/// Reads a batch. Rows are sent before they are many. Returns false if the run has ended.
fn read(
    number: u64,
    entries: Entries,
    jobs: &Jobs,
    sender: &Sender<Done>,
    reader: &Reader,
    encode: &dyn Fn(Encoding) -> bool,
) -> bool {
    let mut entries = entries.into_iter();
    loop {
        match jobs.turn(number) {
            Turn::Read => {}
            Turn::Encode(rows) => {
                if !encode(rows) {
                    return false;
                }
                continue;
            }
            Turn::End => return false,
        }
        let (mut rows, mut bytes) = (Vec::with_capacity(entries.len()), 0);
        while bytes < PIECE_BYTES
            && let Some((entry, held)) = entries.next()
        {
            let read = reader.read(entry);
            drop(held);
            bytes += read.1.weight();
            rows.push(read);
        }
        let is_last = entries.len() == 0;
        jobs.read(bytes);
        if sender.send(Done::Read(number, Piece { rows, bytes, is_last })).is_err() || is_last {
            return is_last;
        }
    }
}

/// The state of the thread that writes.
struct Writing<'w, T: Target> {
    run: &'w Run,
    reader: &'w Reader,
    waiting: Waiting,
    encoders: &'w BTreeMap<Table, Encoder>,
    jobs: &'w Jobs,
    receiver: Receiver<Done>,
    target: &'w mut T,
    /// How large row groups are, and how many bytes all that are not complete may have.
    size: Size,
    most_pending: usize,
    /// How many row groups may be encoded at once: one for each thread, and more if they are small.
    most_encoding: (u64, u64, usize),
    /// How many batches of entries were given out, if these are all, and how many were used.
    given: Option<u64>,
    used: u64,
    read: BTreeMap<u64, VecDeque<Piece>>,
    /// How many row groups were given out, and how many were written.
    groups: u64,
    written: u64,
    encoded: BTreeMap<u64, Encoded>,
    /// The row groups that are not written, with their tables, partitions and weights.
    places: VecDeque<(Table, Option<Arc<str>>, usize)>,
    /// The rows of each table for its next row group.
    pending: BTreeMap<Table, Group>,
    partition: Option<Arc<str>>,
    open: BTreeMap<Table, FileWriter<T::File>>,
    open_partition: Option<Arc<str>>,
    summary: Summary,
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
        reader: &'w Reader,
        target: &'w mut T,
    ) -> Self {
        let rows = reader.parts().rows;
        let most = if run.format.has_groups() { GROUP_BYTES } else { LINES_BYTES };
        Self {
            run,
            reader,
            waiting: Waiting::default(),
            encoders,
            jobs,
            receiver,
            target,
            size: Size { rows: GROUP_ROWS, bytes: most.min(rows) },
            most_pending: 2 * rows,
            most_encoding: (threads, 2 * threads + 2, rows),
            given: None,
            used: 0,
            read: BTreeMap::new(),
            groups: 0,
            written: 0,
            encoded: BTreeMap::new(),
            places: VecDeque::new(),
            pending: encoders.keys().map(|table| (*table, Group::default())).collect(),
            partition: None,
            open: BTreeMap::new(),
            open_partition: None,
            summary: Summary::default(),
        }
    }

    fn run(&mut self) -> io::Result<Summary> {
        if !self.run.partitioned {
            self.open_all(None)?;
        }
        while self.given != Some(self.used) {
            self.receive()?;
        }
        for (id, rows) in self.waiting.finish(self.reader) {
            self.add(&id, &rows);
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
            Done::Read(number, piece) => self.read.entry(number).or_default().push_back(piece),
            Done::Encoded(number, encoded) => {
                self.encoded.insert(number, encoded?);
                while let Some(encoded) = self.encoded.remove(&self.written) {
                    self.written += 1;
                    let Some((table, partition, _)) = self.places.pop_front() else { break };
                    self.write(table, partition, encoded)?;
                }
            }
            Done::All(given) => self.given = Some(given),
            Done::Panicked(panic) => resume_unwind(panic),
        }
        self.use_rows();
        Ok(())
    }

    /// Whether so many rows are being encoded that no more can be.
    fn is_full(&self) -> bool {
        let (one_each, most, most_bytes) = self.most_encoding;
        let encoding = self.groups - self.written;
        let bytes = || self.places.iter().map(|(.., weight)| weight).sum::<usize>();
        encoding >= most || (encoding >= one_each && bytes() >= most_bytes)
    }

    /// Uses the rows that come next.
    fn use_rows(&mut self) {
        while !self.is_full() {
            let Some(piece) = self.read.get_mut(&self.used).and_then(VecDeque::pop_front) else {
                return self.jobs.stall(false);
            };
            self.target.advance(piece.rows.len());
            for (id, rows) in piece.rows {
                for (id, rows) in self.waiting.push(id, rows, self.reader) {
                    self.add(&id, &rows);
                }
            }
            if piece.is_last {
                self.read.remove(&self.used);
                self.used += 1;
            }
            self.jobs.used(piece.bytes, piece.is_last);
        }
        self.jobs.stall(true);
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
            let Some(own) = &rows.tables[table as usize] else { continue };
            let Some(mut pending) = self.pending.remove(&table) else { continue };
            self.summary.rows += own.rows as u64;
            pending.add(self.size, id, own, |group| self.encode(table, group));
            self.pending.insert(table, pending);
        }
        while self.pending.values().map(|group| group.weight).sum::<usize>() > self.most_pending {
            let largest = self.pending.iter().max_by_key(|(_, group)| group.weight);
            let Some(table) = largest.map(|(table, _)| *table) else { break };
            self.flush(table);
        }
    }

    fn encode(&mut self, table: Table, rows: Group) {
        self.places.push_back((table, self.partition.clone(), rows.weight));
        self.jobs.encode(Encoding { number: self.groups, table, rows });
        self.groups += 1;
    }

    fn flush(&mut self, table: Table) {
        let group = self.pending.get_mut(&table).map(std::mem::take).unwrap_or_default();
        if group.rows > 0 {
            self.encode(table, group);
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
