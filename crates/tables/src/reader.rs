//! Entries to rows. Files with equal contents are parsed once, as long as their rows are among those that are kept.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hclkit::Source;
use hclkit::dialect::FileKind;
use hclkit::limits::Limits;
use sha2::{Digest, Sha256};

use crate::batch::FileId;
use crate::entry::{Content, Entry};
use crate::evaluate;
use crate::extract::{self, FileType, Wanted};
use crate::rows::FileRows;
use crate::schema::Table;

/// How much memory the rows of earlier files may take.
const KEPT: usize = 96 << 20;

/// What tables contain, and the limits for files.
#[derive(Clone, Debug)]
pub struct Options {
    tables: Vec<Table>,
    variable_values: bool,
    file_limits: Limits,
    evaluation_limits: Limits,
    most_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl Options {
    /// All tables that need no evaluation, within the default limits.
    pub fn new() -> Self {
        Self {
            tables: Table::ALL.into_iter().filter(|table| !table.is_evaluated()).collect(),
            variable_values: false,
            file_limits: Limits::new(),
            evaluation_limits: Limits::new(),
            most_bytes: 64 << 20,
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
        Wanted { tables, variable_values: self.variable_values, most_bytes: self.most_bytes }
    }
}

/// Reads entries. All threads use the same.
#[derive(Debug)]
pub(crate) struct Reader {
    options: Options,
    wanted: Wanted,
    kept: Mutex<Kept>,
}

/// A content in a language.
type Key = ([u8; 32], (String, Option<FileKind>, bool));

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
        Self { wanted: options.wanted(), options, kept: Mutex::default() }
    }

    /// How many contents were parsed.
    pub(crate) fn parsed(&self) -> u64 {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).parsed
    }

    /// The rows of an entry.
    pub(crate) fn read(&self, entry: Entry) -> (FileId, FileRows) {
        let Entry { repo, commit, path, content } = entry;
        let file = FileType::of(&path);
        let rows = match content {
            Content::Bytes(bytes) => self.file(&path, &file, bytes),
            Content::Later(read) => match read() {
                Ok(bytes) => self.file(&path, &file, bytes),
                Err(error) => self.unreadable(&file, &error),
            },
            Content::Unread { bytes, code, why } => extract::unread(&file, bytes, code, &why, &self.wanted),
            Content::Directory(load) => {
                self.options.evaluation_limits.run(|| evaluate::evaluate(load(), &self.wanted))
            }
        };
        (FileId { repo, commit, path }, rows)
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
            let source = Source::new(path, bytes);
            self.options.file_limits.run(|| extract::extract(source, file, &hex(&digest), &self.wanted))
        });
        let rows = rows.clone();
        if is_new {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.add(key, rows.weight());
        }
        rows
    }
}

impl Kept {
    /// Counts rows that were added, and drops the oldest ones if there are too many.
    fn add(&mut self, key: Key, weight: usize) {
        self.parsed += 1;
        self.weight += weight;
        self.order.push_back((key, weight));
        while self.weight > KEPT {
            let Some((key, weight)) = self.order.pop_front() else { break };
            self.rows.remove(&key);
            self.weight -= weight;
        }
    }
}

fn hex(digest: &[u8]) -> String {
    let digit = |four: u8| char::from(b"0123456789abcdef"[usize::from(four & 15)]);
    digest.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}
