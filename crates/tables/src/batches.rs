//! The batches of tables, as iterators that engines read from. Several threads read the files of each batch.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use hclkit::dialect::Dialects;

use crate::batch::{self, FileId, Group, Part, Size};
use crate::budget::content_limit;
use crate::entry::{Content, Entry};
use crate::overridden::Waiting;
use crate::reader::{Options, Reader};
use crate::repository::Directories;
use crate::rows::FileRows;
use crate::schema::Table;

/// How many entries make a batch.
const ENTRIES: usize = 1024;

/// How large a batch is at most.
const SIZE: Size = Size { rows: 1 << 20, bytes: 256 << 20 };

/// The batches of a table, in the order of the entries.
pub struct Batches<I> {
    table: Table,
    columns: Option<Vec<usize>>,
    schema: SchemaRef,
    rows: Rows<I>,
    /// The batches of the last entries.
    ready: VecDeque<Vec<Part>>,
}

/// The batches of several tables, in one pass over the entries. Those of each table are in the order of the entries.
pub struct TableBatches<I> {
    tables: Vec<Table>,
    rows: Rows<I>,
    /// The batches of the last entries.
    ready: VecDeque<(Table, Vec<Part>)>,
}

/// The rows of entries, some at a time.
struct Rows<I> {
    reader: Reader,
    stack: usize,
    threads: usize,
    entries: Either<I>,
    /// Entries that were not read, because the rows of others were many.
    left: VecDeque<Entry>,
    waiting: Waiting,
    left_out: LeftOut,
}

/// The files and directories that have no rows, or not all of them, because of limits or because they cannot be read.
///
/// The text names the first ones. Those without rows in any table are in `diagnostics`, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// How many there are.
    pub count: u64,
    /// The first ones, with the reasons.
    pub first: Vec<String>,
}

/// How many of them are named.
const NAMED: usize = 3;

impl LeftOut {
    fn add(&mut self, id: &FileId, rows: &FileRows) {
        if !(rows.limited || rows.unread) {
            return;
        }
        self.count += 1;
        if self.first.len() < NAMED {
            let repo = id.repo.as_ref().map_or_else(String::new, |repo| format!("{repo}: "));
            let why = rows.reason.as_deref().unwrap_or("a limit ended some of the work on it");
            self.first.push(format!("{repo}{}: {why}", id.path));
        }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = self.count - self.first.len() as u64;
        let more = if more == 0 { String::new() } else { format!("; and {more} more") };
        write!(f, "{}{more}", self.first.join("; "))
    }
}

/// Files, or directories to evaluate.
enum Either<I> {
    Files(I),
    Directories(Box<Directories<I>>),
}

impl<I: Iterator<Item = Entry>> Either<I> {
    /// The next entries, with contents of about so many bytes. An evaluation takes longer than reading a file, and keeps the files of
    /// its repository.
    fn take(&mut self, most_bytes: u64) -> VecDeque<Entry> {
        let mut all = VecDeque::new();
        let mut bytes = 0;
        match self {
            Self::Files(files) => {
                while all.len() < ENTRIES
                    && bytes <= most_bytes
                    && let Some(entry) = files.next()
                {
                    if let Content::Bytes(content) = &entry.content {
                        bytes += content.len() as u64;
                    }
                    all.push_back(entry.with_short_names());
                }
            }
            Self::Directories(directories) => {
                while all.len() < ENTRIES / 16
                    && (all.is_empty() || !directories.must_wait())
                    && let Some(entry) = directories.next()
                {
                    all.push_back(entry);
                }
            }
        }
        all
    }
}

impl<I: Iterator<Item = Entry>> Rows<I> {
    fn new(options: Options, evaluates: bool, entries: I) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let stack = options.stack_size();
        let entries = if evaluates {
            let most = content_limit(options.bytes_in_flight());
            Either::Directories(Box::new(Directories::new(entries, most)))
        } else {
            Either::Files(entries)
        };
        let (reader, left) = (Reader::new(options), VecDeque::new());
        let (waiting, left_out) = (Waiting::default(), LeftOut::default());
        Self { reader, stack, threads, entries, left, waiting, left_out }
    }

    /// The rows of the next entries that do not wait for others.
    fn next(&mut self) -> Option<Vec<(FileId, FileRows)>> {
        let ready = self.ready()?;
        for (id, rows) in &ready {
            self.left_out.add(id, rows);
        }
        Some(ready)
    }

    fn ready(&mut self) -> Option<Vec<(FileId, FileRows)>> {
        loop {
            let Some(all) = self.read() else {
                return Some(self.waiting.finish(&self.reader)).filter(|ready| !ready.is_empty());
            };
            let mut ready = Vec::new();
            for (id, rows) in all {
                ready.extend(self.waiting.push(id, rows, &self.reader));
            }
            if !ready.is_empty() {
                return Some(ready);
            }
        }
    }

    fn read(&mut self) -> Option<Vec<(FileId, FileRows)>> {
        let parts = self.reader.parts();
        if self.left.is_empty() {
            self.left = self.entries.take(parts.waiting.most());
        }
        if self.left.is_empty() {
            return None;
        }
        // How many entries were taken, what is left, and how many bytes the rows have.
        let queue = Mutex::new((0_usize, std::mem::take(&mut self.left)));
        let bytes = AtomicUsize::new(0);
        let next = || {
            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            let (number, left) = &mut *queue;
            if bytes.load(Ordering::Relaxed) > parts.rows {
                return None;
            }
            *number += 1;
            Some((*number, left.pop_front()?))
        };
        let reader = &self.reader;
        let one = |(number, entry)| {
            let read = reader.read(entry);
            bytes.fetch_add(read.1.weight(), Ordering::Relaxed);
            (number, read)
        };
        let dialects = Dialects::current();
        let work = &|| dialects.run(|| std::iter::from_fn(next).map(one).collect());
        let mut all: Vec<(usize, (FileId, FileRows))> = std::thread::scope(|scope| {
            let start = |_| std::thread::Builder::new().stack_size(self.stack).spawn_scoped(scope, work).ok();
            let threads: Vec<_> = (0..self.threads).filter_map(start).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<_>>| match thread.join() {
                Ok(rows) => rows,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            threads.into_iter().flat_map(join).collect()
        });
        all.sort_unstable_by_key(|(number, _)| *number);
        self.left = queue.into_inner().unwrap_or_else(PoisonError::into_inner).1;
        Some(all.into_iter().map(|(_, rows)| rows).collect())
    }
}

/// The batches of one table.
fn batches(rows: &[(FileId, FileRows)], table: Table) -> Vec<Vec<Part>> {
    let (mut all, mut group) = (Vec::new(), Group::default());
    for (id, rows) in rows {
        if let Some(own) = &rows.tables[table as usize] {
            group.add(SIZE, id, own, |full| all.push(full.parts));
        }
    }
    if group.rows > 0 {
        all.push(group.parts);
    }
    all
}

impl<I: Iterator<Item = Entry>> Batches<I> {
    /// The rows of a table. For those of evaluated directories, the entries are files, and those of a repository come one after
    /// another.
    pub fn new(table: Table, options: Options, entries: I) -> Self {
        let rows = Rows::new(options.with_tables([table]), table.is_evaluated(), entries);
        Self { table, columns: None, schema: table.schema(), rows, ready: VecDeque::new() }
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.rows.threads = threads.max(1);
        self
    }

    /// What was left out of the batches so far.
    pub fn left_out(&self) -> &LeftOut {
        &self.rows.left_out
    }

    /// Selects columns by their names, in this order.
    ///
    /// # Errors
    /// There is no such column.
    pub fn with_columns<N: AsRef<str>>(
        mut self,
        names: impl IntoIterator<Item = N>,
    ) -> Result<Self, ArrowError> {
        let whole = self.table.schema();
        let numbers = names.into_iter().map(|name| whole.index_of(name.as_ref()));
        let numbers = numbers.collect::<Result<Vec<usize>, ArrowError>>()?;
        self.schema = Arc::new(Schema::clone(&whole).project(&numbers)?);
        self.columns = Some(numbers);
        Ok(self)
    }
}

impl<I: Iterator<Item = Entry>> Iterator for Batches<I> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(parts) = self.ready.pop_front() {
                return Some(batch::record_batch(self.table, &parts, self.columns.as_deref()));
            }
            self.ready.extend(batches(&self.rows.next()?, self.table));
        }
    }
}

impl<I: Iterator<Item = Entry>> RecordBatchReader for Batches<I> {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl<I: Iterator<Item = Entry>> TableBatches<I> {
    /// The rows of the tables in the options. Entries are as in [`Batches::new`].
    ///
    /// # Errors
    /// Some tables are of files and others of evaluated directories, which need another pass.
    pub fn new(options: Options, entries: I) -> Result<Self, ArrowError> {
        let tables = options.tables().to_vec();
        let evaluates = tables.iter().any(|table| table.is_evaluated());
        if tables.iter().any(|table| table.is_evaluated() != evaluates) {
            let why = "tables of files and of evaluated directories cannot be read in one pass".to_owned();
            return Err(ArrowError::InvalidArgumentError(why));
        }
        Ok(Self { tables, rows: Rows::new(options, evaluates, entries), ready: VecDeque::new() })
    }

    /// What was left out of the batches so far.
    pub fn left_out(&self) -> &LeftOut {
        &self.rows.left_out
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.rows.threads = threads.max(1);
        self
    }
}

impl<I: Iterator<Item = Entry>> Iterator for TableBatches<I> {
    type Item = Result<(Table, RecordBatch), ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((table, parts)) = self.ready.pop_front() {
                return Some(batch::record_batch(table, &parts, None).map(|batch| (table, batch)));
            }
            let rows = self.rows.next()?;
            let each = |table: &Table| {
                batches(&rows, *table).into_iter().map(|parts| (*table, parts)).collect::<Vec<_>>()
            };
            self.ready.extend(self.tables.iter().flat_map(each));
        }
    }
}
