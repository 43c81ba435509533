//! Entries to rows. Files with equal contents are parsed once, as long as their rows are among those that are kept.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hclkit::dialect::FileKind;
use hclkit::limits::Limits;
use hclkit::module::ModuleLoader;
use hclkit::{Source, Syntax};
use sha2::{Digest, Sha256};

use crate::batch::FileId;
use crate::budget::{Allowance, OverBudget, Parts};
use crate::entry::{Content, Entry};
use crate::evaluate;
use crate::extract::{self, FileType, Wanted};
use crate::rows::FileRows;
use crate::schema::Table;
use crate::weight;

/// What tables contain, and the limits for files.
#[derive(Clone, Debug)]
pub struct Options {
    tables: Vec<Table>,
    variable_values: bool,
    file_limits: Limits,
    evaluation_limits: Limits,
    most_bytes: usize,
    in_flight: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl Options {
    /// How many bytes a run may have in flight by default: 256 MiB.
    pub const DEFAULT_BYTES_IN_FLIGHT: u64 = 256 << 20;

    /// All tables that need no evaluation, within the default limits.
    pub fn new() -> Self {
        Self {
            tables: Table::ALL.into_iter().filter(|table| !table.is_evaluated()).collect(),
            variable_values: false,
            file_limits: Limits::new(),
            evaluation_limits: Limits::new(),
            most_bytes: 64 << 20,
            in_flight: Self::DEFAULT_BYTES_IN_FLIGHT,
        }
    }

    /// Sets the tables, each once.
    #[must_use]
    pub fn with_tables(mut self, tables: impl IntoIterator<Item = Table>) -> Self {
        self.tables.clear();
        for table in tables {
            if !self.tables.contains(&table) {
                self.tables.push(table);
            }
        }
        self
    }

    /// Sets whether values in variable files are written. By default they are withheld, because the variable that they set may
    /// be declared as sensitive elsewhere.
    #[must_use]
    pub fn with_variable_values(self, variable_values: bool) -> Self {
        Self { variable_values, ..self }
    }

    /// Sets the limits for each file.
    #[must_use]
    pub fn with_file_limits(self, file_limits: Limits) -> Self {
        Self { file_limits, ..self }
    }

    /// Sets the limits for each directory that is evaluated.
    #[must_use]
    pub fn with_evaluation_limits(self, evaluation_limits: Limits) -> Self {
        Self { evaluation_limits, ..self }
    }

    /// Sets how many bytes the rows of one file may have. Further rows are left out, and `diagnostics` says so.
    #[must_use]
    pub fn with_row_bytes(self, most_bytes: usize) -> Self {
        Self { most_bytes: most_bytes.min(u32::MAX as usize / 2), ..self }
    }

    /// Sets how many bytes may be in flight: contents that wait or are read, what is made of them, and rows that wait. A content
    /// that needs more is not read, and becomes a row of `diagnostics`. The process takes at most about twice as many, and
    /// some more for each thread.
    #[must_use]
    pub fn with_bytes_in_flight(self, in_flight: u64) -> Self {
        Self { in_flight, ..self }
    }

    /// How many bytes may be in flight.
    pub fn bytes_in_flight(&self) -> u64 {
        self.in_flight
    }

    /// The tables.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The size of the stack that threads need for the limits.
    pub fn stack_size(&self) -> usize {
        self.file_limits.stack_size().max(self.evaluation_limits.stack_size())
    }

    fn wanted(&self) -> Wanted {
        let tables = Table::ALL.map(|table| self.tables.contains(&table));
        let quarter = usize::try_from(self.in_flight / 4).unwrap_or(usize::MAX);
        Wanted { tables, variable_values: self.variable_values, most_bytes: self.most_bytes.min(quarter) }
    }
}

/// Reads entries. All threads use the same.
#[derive(Debug)]
pub(crate) struct Reader {
    options: Options,
    wanted: Wanted,
    parts: Parts,
    kept: Mutex<Kept>,
}

/// A content in a language.
type Key = ([u8; 32], (String, Option<FileKind>, Syntax));

/// The rows of earlier files.
#[derive(Debug, Default)]
struct Kept {
    rows: HashMap<Key, Arc<OnceLock<FileRows>>>,
    order: VecDeque<(Key, usize)>,
    weight: usize,
    parsed: u64,
}

impl Reader {
    pub(crate) fn new(options: Options) -> Self {
        let parts = Parts::of(options.in_flight);
        Self { wanted: options.wanted(), parts, options, kept: Mutex::default() }
    }

    /// What may be in flight.
    pub(crate) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// How many contents were parsed.
    pub(crate) fn parsed(&self) -> u64 {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).parsed
    }

    /// The rows of an entry.
    pub(crate) fn read(&self, entry: Entry) -> (FileId, FileRows) {
        let Entry { repo, commit, path, content } = entry.with_short_names();
        let id = FileId { repo, commit, path };
        let file = FileType::of(&id.path);
        let rows = match content {
            Content::Bytes(bytes) => self.file(&id.path, &file, bytes),
            Content::Later(read) => {
                let mut allowance = Allowance::new(&self.parts.reading);
                match read(&mut allowance) {
                    Ok(bytes) => self.file(&id.path, &file, bytes),
                    Err(error) => self.unreadable(&file, &error),
                }
            }
            Content::Unread { bytes, code, why } => extract::unread(&file, bytes, code, &why, &self.wanted),
            Content::Directory(load) => self.directory(&*load),
        };
        (id, rows)
    }

    /// Evaluates a directory. Few need much memory, so that limits are small at first. With larger ones, nothing else is evaluated.
    fn directory(&self, load: &dyn Fn() -> ModuleLoader) -> FileRows {
        let work = &self.parts.work;
        let mut rows = FileRows::default();
        for bytes in [work.most() / 8, work.most()] {
            let limits = evaluate::limits(&self.options.evaluation_limits, bytes);
            let Ok(held) = work.acquire(bytes) else { break };
            let is_limited;
            (rows, is_limited) = limits.run(|| evaluate::evaluate(load(), &self.wanted));
            drop(held);
            if !is_limited {
                break;
            }
        }
        rows
    }

    fn unreadable(&self, file: &FileType, error: &io::Error) -> FileRows {
        let code = match error.kind() {
            io::ErrorKind::FileTooLarge => "source-too-large",
            _ => "unreadable-file",
        };
        extract::unread(file, 0, code, &error.to_string(), &self.wanted)
    }

    fn file(&self, path: &str, file: &FileType, bytes: Vec<u8>) -> FileRows {
        let digest: [u8; 32] = Sha256::digest(&bytes).into();
        let key = (digest, file.key());
        let slot = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.rows.entry(key.clone()).or_default().clone()
        };
        let mut is_new = false;
        let rows = slot.get_or_init(|| {
            is_new = true;
            self.extract(path, file, bytes, &digest, &[])
        });
        let rows = rows.clone();
        if is_new {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.add(key, rows.weight(), self.parts.kept);
        }
        rows
    }
}

impl Reader {
    fn extract(
        &self,
        path: &str,
        file: &FileType,
        bytes: Vec<u8>,
        digest: &[u8],
        elsewhere: &[String],
    ) -> FileRows {
        let needed = weight::large(&bytes);
        let held = match self.parts.work.acquire(needed) {
            Ok(held) => held,
            Err(OverBudget { most }) => {
                let why =
                    format!("parsing it may take {needed} bytes, more than the {most} that it may take");
                let size = bytes.len() as u64;
                return extract::unread(file, size, "source-too-large", &why, &self.wanted);
            }
        };
        let content: Option<Arc<[u8]>> = file.overrides().then(|| bytes.as_slice().into());
        let source = Source::new(path, bytes);
        let extract = || extract::extract(source, file, &hex(digest), &self.wanted, elsewhere);
        let rows = self.options.file_limits.run(extract);
        drop(held);
        let content = content.filter(|_| rows.declared.is_some());
        FileRows { content, ..rows }
    }

    /// The rows of a file, some of whose declarations another file declares as sensitive.
    pub(crate) fn again(&self, path: &str, rows: &FileRows, hidden: &[String]) -> FileRows {
        let bytes = rows.content.as_deref().unwrap_or_default().to_vec();
        let digest = Sha256::digest(&bytes);
        self.extract(path, &FileType::of(path), bytes, &digest, hidden)
    }

    /// A row that says that a value was written before it was known to be sensitive.
    pub(crate) fn late(&self) -> FileRows {
        extract::late(&self.wanted)
    }
}

impl Kept {
    /// Counts rows that were added, and drops the oldest ones if there are too many.
    fn add(&mut self, key: Key, weight: usize, most: usize) {
        self.parsed += 1;
        self.weight += weight;
        self.order.push_back((key, weight));
        while self.weight > most {
            let Some((key, weight)) = self.order.pop_front() else { break };
            self.rows.remove(&key);
            self.weight -= weight;
        }
    }
}

/// Bytes in hexadecimal.
pub(crate) fn hex(digest: &[u8]) -> String {
    let digit = |four: u8| char::from(b"0123456789abcdef"[usize::from(four & 15)]);
    digest.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}
