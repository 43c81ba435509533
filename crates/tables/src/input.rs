//! Files as rows of other tables: batches of Arrow and lines of JSON with the columns `repo`, `commit`, `path` and `content`. This
//! is how large collections of files are kept.

use std::fmt;
use std::io::{self, BufRead, Cursor};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_schema::{ArrowError, DataType};
use serde::Deserialize;

use crate::budget::content_limit;
use crate::entry::{Content, Entry};
use crate::reader::Options;

/// How many bytes may come out of an input that can expand: four times those in flight, or 200 times its own. Archives of
/// sources expand about ten times.
#[doc(hidden)]
#[derive(Debug)]
pub struct Expansion {
    left: u64,
    most: u64,
}

/// What each entry counts besides its texts.
const ENTRY: u64 = 1024;

impl Expansion {
    /// For an input of so many bytes.
    pub fn new(bytes: u64, most_in_flight: u64) -> Self {
        let most = most_in_flight.saturating_mul(4).max(bytes.saturating_mul(200));
        Self { left: most, most }
    }

    /// Counts bytes that came out.
    ///
    /// # Errors
    /// There are too many. The error is [`io::ErrorKind::FileTooLarge`].
    pub fn count(&mut self, bytes: u64) -> io::Result<()> {
        let error = || {
            let why = format!("it expands to more than {} bytes", self.most);
            io::Error::new(io::ErrorKind::FileTooLarge, why)
        };
        self.left = self.left.checked_sub(bytes).ok_or_else(error)?;
        Ok(())
    }

    pub(crate) fn count_entry(&mut self, entry: &Entry) -> io::Result<()> {
        let content = match &entry.content {
            Content::Bytes(bytes) => bytes.len(),
            _ => 0,
        };
        self.count(ENTRY + (content + entry.path.len()) as u64)
    }
}

/// The rows of a batch as entries. A content is copied when its entry is asked for, because many rows can share one.
#[derive(Debug)]
pub struct BatchRows {
    /// The columns `repo`, `commit`, `path` and `content`.
    columns: [Bytes; 4],
    rows: Range<usize>,
    most_bytes: u64,
    last: [Option<Arc<str>>; 2],
}

impl BatchRows {
    /// Reads a batch.
    ///
    /// # Errors
    /// There are no columns `path` and `content`, or a column has another type than text or bytes.
    pub fn new(batch: &RecordBatch, most_bytes: u64) -> Result<Self, ArrowError> {
        let column = |name: &str| match batch.column_by_name(name) {
            Some(column) => Bytes::of(column),
            None if matches!(name, "repo" | "commit") => Ok(Bytes::Null),
            None => Err(ArrowError::SchemaError(format!("there is no column `{name}`"))),
        };
        let columns = [column("repo")?, column("commit")?, column("path")?, column("content")?];
        Ok(Self { columns, rows: 0..batch.num_rows(), most_bytes, last: [None, None] })
    }

    /// Neighbors are usually of the same repository.
    fn shared(&mut self, which: usize, at: usize) -> Option<Arc<str>> {
        let text = String::from_utf8_lossy(self.columns[which].get(at)?);
        let last = &mut self.last[which];
        if last.as_deref() != Some(&*text) {
            *last = Some(text.into());
        }
        last.clone()
    }
}

impl Iterator for BatchRows {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let at = self.rows.next()?;
        let (repo, commit) = (self.shared(0, at), self.shared(1, at));
        let [.., path, content] = &self.columns;
        let path = path.get(at).map(String::from_utf8_lossy).unwrap_or_default().into();
        let content = match content.get(at) {
            None => null(),
            Some(bytes) if bytes.len() as u64 > self.most_bytes => {
                too_large(bytes.len() as u64, self.most_bytes)
            }
            Some(bytes) => Content::Bytes(bytes.to_vec()),
        };
        Some(Entry { repo, commit, path, content })
    }
}

/// The rows of all batches in a stream of Arrow IPC as entries, for engines that pass batches between processes.
pub struct IpcRows<S> {
    reader: StreamReader<Cursor<S>>,
    most_bytes: u64,
    expansion: Expansion,
    batch: Option<BatchRows>,
}

impl<S: AsRef<[u8]>> IpcRows<S> {
    /// Reads a stream, with contents of at most so many bytes.
    ///
    /// # Errors
    /// The stream is invalid.
    pub fn new(stream: S, most_bytes: u64) -> Result<Self, ArrowError> {
        let expansion = Expansion::new(stream.as_ref().len() as u64, most_bytes.saturating_mul(4));
        let open = || StreamReader::try_new(Cursor::new(stream), None);
        let reader = caught(open)?;
        Ok(Self { reader, most_bytes, expansion, batch: None })
    }
}

/// The library of Arrow panics on some damaged streams.
fn caught<T>(read: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, ArrowError> {
    let damaged = || ArrowError::IpcError("the stream is damaged".to_owned());
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(damaged()))
}

impl<S: AsRef<[u8]>> Iterator for IpcRows<S> {
    type Item = Result<Entry, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.batch.as_mut().and_then(Iterator::next) {
                let counted = self.expansion.count_entry(&entry);
                return Some(counted.map(|()| entry).map_err(Into::into));
            }
            match caught(|| self.reader.next().transpose()) {
                Ok(batch) => match BatchRows::new(&batch?, self.most_bytes) {
                    Ok(rows) => self.batch = Some(rows),
                    Err(error) => return Some(Err(error)),
                },
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl<S> fmt::Debug for IpcRows<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IpcRows").finish_non_exhaustive()
    }
}

fn null() -> Content {
    Content::Unread { bytes: 0, code: "unreadable-file", why: "the content is null".to_owned() }
}

/// The content of a file that is larger than a limit.
pub fn too_large(bytes: u64, most_bytes: u64) -> Content {
    let why = format!("the input is larger than {most_bytes} bytes");
    Content::Unread { bytes, code: "source-too-large", why }
}

/// A column of text or bytes.
#[derive(Debug)]
enum Bytes {
    Text(arrow_array::StringArray),
    LargeText(arrow_array::LargeStringArray),
    TextView(arrow_array::StringViewArray),
    Binary(arrow_array::BinaryArray),
    LargeBinary(arrow_array::LargeBinaryArray),
    BinaryView(arrow_array::BinaryViewArray),
    /// The number of the value of each row, and the values.
    Dictionary(Arc<dyn Array>, Vec<usize>, Box<Self>),
    Null,
}

impl Bytes {
    fn of(array: &Arc<dyn Array>) -> Result<Self, ArrowError> {
        Ok(match array.data_type() {
            DataType::Utf8 => Self::Text(array.as_string().clone()),
            DataType::LargeUtf8 => Self::LargeText(array.as_string().clone()),
            DataType::Utf8View => Self::TextView(array.as_string_view().clone()),
            DataType::Binary => Self::Binary(array.as_binary().clone()),
            DataType::LargeBinary => Self::LargeBinary(array.as_binary().clone()),
            DataType::BinaryView => Self::BinaryView(array.as_binary_view().clone()),
            DataType::Dictionary(..) => {
                let own = array.as_any_dictionary();
                let values = Self::of(own.values())?;
                // Without values, all rows are null.
                if own.values().is_empty() {
                    return Ok(Self::Null);
                }
                Self::Dictionary(array.clone(), own.normalized_keys(), Box::new(values))
            }
            DataType::Null => Self::Null,
            other => {
                return Err(ArrowError::SchemaError(format!("expected text or bytes, found {other}")));
            }
        })
    }

    fn get(&self, at: usize) -> Option<&[u8]> {
        match self {
            Self::Text(array) => array.is_valid(at).then(|| array.value(at).as_bytes()),
            Self::LargeText(array) => array.is_valid(at).then(|| array.value(at).as_bytes()),
            Self::TextView(array) => array.is_valid(at).then(|| array.value(at).as_bytes()),
            Self::Binary(array) => array.is_valid(at).then(|| array.value(at)),
            Self::LargeBinary(array) => array.is_valid(at).then(|| array.value(at)),
            Self::BinaryView(array) => array.is_valid(at).then(|| array.value(at)),
            Self::Dictionary(array, keys, values) => array.is_valid(at).then(|| values.get(keys[at]))?,
            Self::Null => None,
        }
    }
}

/// A line of JSON.
#[derive(Deserialize)]
struct Line {
    repo: Option<String>,
    commit: Option<String>,
    path: String,
    content: Option<String>,
}

/// Lines of JSON as entries. Empty lines are skipped.
pub struct JsonRows<R> {
    input: R,
    most_bytes: u64,
    most_line: u64,
    number: u64,
}

impl<R: BufRead> JsonRows<R> {
    /// Reads lines, with contents of at most so many bytes. A line is within the default budget.
    pub fn new(input: R, most_bytes: u64) -> Self {
        Self { input, most_bytes, most_line: 0, number: 0 }
            .with_bytes_in_flight(Options::DEFAULT_BYTES_IN_FLIGHT)
    }

    /// Sets how many bytes may be in flight. A line has at most an eighth of them, because the line and its content are in memory
    /// while it is parsed.
    #[must_use]
    pub fn with_bytes_in_flight(self, most: u64) -> Self {
        Self { most_line: content_limit(most) / 2, ..self }
    }

    fn line(&mut self) -> io::Result<Option<Entry>> {
        loop {
            self.number += 1;
            let mut line = Vec::new();
            let most = self.most_line;
            let read = io::Read::take(&mut self.input, most).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(None);
            }
            if read as u64 == most && line.last() != Some(&b'\n') {
                let why = format!("line {}: it is longer than {most} bytes", self.number);
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
            }
            let failed = |why: String| io::Error::other(format!("line {}: {why}", self.number));
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let Line { repo, commit, path, content } =
                serde_json::from_slice(&line).map_err(|error| failed(error.to_string()))?;
            let content = match content {
                None => null(),
                Some(text) if text.len() as u64 > self.most_bytes => {
                    too_large(text.len() as u64, self.most_bytes)
                }
                Some(text) => Content::Bytes(text.into_bytes()),
            };
            let (repo, commit) = (repo.map(Into::into), commit.map(Into::into));
            return Ok(Some(Entry { repo, commit, path: path.into(), content }));
        }
    }
}

impl<R: BufRead> Iterator for JsonRows<R> {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        self.line().transpose()
    }
}
