//! The batches of tables, as iterators that engines read from. Several threads read the files of each batch.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use hclkit::dialect::Dialects;

use crate::batch::{self, FileId, Part};
use crate::entry::Entry;
use crate::reader::{Options, Reader};
use crate::repository::Directories;
use crate::rows::FileRows;
use crate::schema::Table;

/// How many entries make a batch.
const ENTRIES: usize = 1024;

/// How many bytes the files of a repository may have whose directories are evaluated.
const MOST_BYTES: u64 = 256 << 20;

/// The batches of a table, in the order of the entries.
pub struct Batches<I> {
    table: Table,
    columns: Option<Vec<usize>>,
    schema: SchemaRef,
    rows: Rows<I>,
}

/// The batches of several tables, in one pass over the entries. Those of each table are in the order of the entries.
pub struct TableBatches<I> {
    tables: Vec<Table>,
    rows: Rows<I>,
    /// The batches of the last entries.
    ready: VecDeque<(Table, RecordBatch)>,
}

/// The rows of entries, some at a time.
struct Rows<I> {
    reader: Reader,
    stack: usize,
    threads: usize,
    entries: Either<I>,
}

/// Files, or directories to evaluate.
enum Either<I> {
    Files(I),
    Directories(Box<Directories<I>>),
}

impl<I: Iterator<Item = Entry>> Either<I> {
    /// The next entries. An evaluation takes longer than reading a file, and keeps the files of its repository.
    fn take(&mut self) -> Vec<Entry> {
        match self {
            Self::Files(files) => files.by_ref().take(ENTRIES).collect(),
            Self::Directories(directories) => directories.by_ref().take(ENTRIES / 16).collect(),
        }
    }
}

impl<I: Iterator<Item = Entry>> Rows<I> {
    fn new(options: Options, evaluates: bool, entries: I) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let stack = options.stack_size();
        let entries = if evaluates {
            Either::Directories(Box::new(Directories::new(entries, MOST_BYTES)))
        } else {
            Either::Files(entries)
        };
        Self { reader: Reader::new(options), stack, threads, entries }
    }

    /// The rows of the next entries.
    fn next(&mut self) -> Option<Vec<(FileId, FileRows)>> {
        let entries = self.entries.take();
        if entries.is_empty() {
            return None;
        }
        let size = entries.len().div_ceil(self.threads * 4).max(1);
        let mut chunks: Vec<Vec<Entry>> = Vec::new();
        let mut entries = entries.into_iter();
        loop {
            let chunk: Vec<Entry> = entries.by_ref().take(size).collect();
            if chunk.is_empty() {
                break;
            }
            chunks.push(chunk);
        }
        let dialects = Dialects::current();
        let reader = &self.reader;
        let one =
            |chunk: Vec<Entry>| -> Vec<_> { chunk.into_iter().map(|entry| reader.read(entry)).collect() };
        let queue = std::sync::Mutex::new(chunks.into_iter().enumerate());
        let next = || queue.lock().ok().and_then(|mut queue| queue.next());
        let work =
            &|| dialects.run(|| std::iter::from_fn(next).map(|(at, chunk)| (at, one(chunk))).collect());
        let mut all: Vec<(usize, Vec<_>)> = std::thread::scope(|scope| {
            let start = |_| std::thread::Builder::new().stack_size(self.stack).spawn_scoped(scope, work).ok();
            let threads: Vec<_> = (0..self.threads).filter_map(start).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<_>>| match thread.join() {
                Ok(rows) => rows,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            threads.into_iter().flat_map(join).collect()
        });
        all.sort_by_key(|(at, _)| *at);
        Some(all.into_iter().flat_map(|(_, rows)| rows).collect())
    }
}

/// The rows of one table.
fn parts(rows: &[(FileId, FileRows)], table: Table) -> Vec<Part> {
    rows.iter().filter_map(|(id, rows)| Some((id.clone(), rows.tables[table as usize].clone()?))).collect()
}

impl<I: Iterator<Item = Entry>> Batches<I> {
    /// The rows of a table. For those of evaluated directories, the entries are files, and those of a repository come one after
    /// another.
    pub fn new(table: Table, options: Options, entries: I) -> Self {
        let rows = Rows::new(options.with_tables([table]), table.is_evaluated(), entries);
        Self { table, columns: None, schema: table.schema(), rows }
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.rows.threads = threads.max(1);
        self
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
            let parts = parts(&self.rows.next()?, self.table);
            if !parts.is_empty() {
                return Some(batch::record_batch(self.table, &parts, self.columns.as_deref()));
            }
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
        while self.ready.is_empty() {
            let rows = self.rows.next()?;
            for table in &self.tables {
                let parts = parts(&rows, *table);
                if !parts.is_empty() {
                    match batch::record_batch(*table, &parts, None) {
                        Ok(batch) => self.ready.push_back((*table, batch)),
                        Err(error) => return Some(Err(error)),
                    }
                }
            }
        }
        self.ready.pop_front().map(Ok)
    }
}
