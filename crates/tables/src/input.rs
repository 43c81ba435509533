//! Files as rows of other tables: batches of Arrow and lines of JSON with the columns `repo`, `commit`, `path` and `content`. This
//! is how large collections of files are kept.

use std::io::{self, BufRead};
use std::panic::catch_unwind;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_schema::{ArrowError, DataType};
use serde::Deserialize;

use crate::entry::{Content, Entry};

/// The rows of a batch as entries.
///
/// # Errors
/// There are no columns `path` and `content`, or a column has another type than text or bytes.
pub fn entries(batch: &RecordBatch, most_bytes: u64) -> Result<Vec<Entry>, ArrowError> {
    let column = |name: &str| batch.column_by_name(name).map(Bytes::of).transpose();
    let required = |name: &str| {
        column(name)?.ok_or_else(|| ArrowError::SchemaError(format!("there is no column `{name}`")))
    };
    let (repo, commit) = (column("repo")?, column("commit")?);
    let (path, content) = (required("path")?, required("content")?);
    let mut last: [Option<Arc<str>>; 2] = [None, None];
    // Neighbors are usually of the same repository.
    let mut shared = |which: usize, column: Option<&Bytes>, at: usize| -> Option<Arc<str>> {
        let bytes = column?.get(at)?;
        let text = String::from_utf8_lossy(bytes);
        if last[which].as_deref() != Some(&*text) {
            last[which] = Some(text.into());
        }
        last[which].clone()
    };
    let mut all = Vec::with_capacity(batch.num_rows());
    for at in 0..batch.num_rows() {
        let name = path.get(at).map(String::from_utf8_lossy).unwrap_or_default();
        all.push(Entry {
            repo: shared(0, repo.as_ref(), at),
            commit: shared(1, commit.as_ref(), at),
            path: name.into(),
            content: content_of(content.get(at), most_bytes),
        });
    }
    Ok(all)
}

/// The rows of all batches in a stream of Arrow IPC as entries, for engines that pass batches between processes.
///
/// # Errors
/// The stream is invalid, or has other columns than [`entries`] takes.
pub fn entries_of_ipc(stream: &[u8], most_bytes: u64) -> Result<Vec<Entry>, ArrowError> {
    let read = || {
        let mut all = Vec::new();
        for batch in StreamReader::try_new(stream, None)? {
            all.extend(entries(&batch?, most_bytes)?);
        }
        Ok(all)
    };
    // The library of Arrow panics on some damaged streams.
    catch_unwind(read).unwrap_or_else(|_| Err(ArrowError::IpcError("the stream is damaged".to_owned())))
}

/// The content of a row.
fn content_of(bytes: Option<&[u8]>, most_bytes: u64) -> Content {
    let code = "unreadable-file";
    match bytes {
        None => Content::Unread { bytes: 0, code, why: "the content is null".to_owned() },
        Some(bytes) if bytes.len() as u64 > most_bytes => too_large(bytes.len() as u64, most_bytes),
        Some(bytes) => Content::Bytes(bytes.to_vec()),
    }
}

/// The content of a file that is larger than a limit.
pub fn too_large(bytes: u64, most_bytes: u64) -> Content {
    let why = format!("the input is larger than {most_bytes} bytes");
    Content::Unread { bytes, code: "source-too-large", why }
}

/// A column of text or bytes.
enum Bytes<'b> {
    Text(&'b arrow_array::StringArray),
    LargeText(&'b arrow_array::LargeStringArray),
    TextView(&'b arrow_array::StringViewArray),
    Binary(&'b arrow_array::BinaryArray),
    LargeBinary(&'b arrow_array::LargeBinaryArray),
    BinaryView(&'b arrow_array::BinaryViewArray),
    /// The number of the value of each row, and the values.
    Dictionary(&'b dyn Array, Vec<usize>, Box<Self>),
    Null,
}

impl<'b> Bytes<'b> {
    fn of(array: &'b Arc<dyn Array>) -> Result<Self, ArrowError> {
        Ok(match array.data_type() {
            DataType::Utf8 => Self::Text(array.as_string()),
            DataType::LargeUtf8 => Self::LargeText(array.as_string()),
            DataType::Utf8View => Self::TextView(array.as_string_view()),
            DataType::Binary => Self::Binary(array.as_binary()),
            DataType::LargeBinary => Self::LargeBinary(array.as_binary()),
            DataType::BinaryView => Self::BinaryView(array.as_binary_view()),
            DataType::Dictionary(..) => {
                let own = array.as_any_dictionary();
                let values = Self::of(own.values())?;
                // Without values, all rows are null.
                if own.values().is_empty() {
                    return Ok(Self::Null);
                }
                Self::Dictionary(array, own.normalized_keys(), Box::new(values))
            }
            DataType::Null => Self::Null,
            other => {
                return Err(ArrowError::SchemaError(format!("expected text or bytes, found {other}")));
            }
        })
    }

    fn get(&self, at: usize) -> Option<&'b [u8]> {
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
    number: u64,
}

impl<R: BufRead> JsonRows<R> {
    /// Reads lines.
    pub fn new(input: R, most_bytes: u64) -> Self {
        Self { input, most_bytes, number: 0 }
    }

    fn line(&mut self) -> io::Result<Option<Entry>> {
        loop {
            self.number += 1;
            let mut line = Vec::new();
            // A character takes up to six bytes in JSON.
            let most = self.most_bytes.saturating_mul(6).saturating_add(1 << 20);
            let read = io::Read::take(&mut self.input, most).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(None);
            }
            let failed = |why: String| io::Error::other(format!("line {}: {why}", self.number));
            if read as u64 == most {
                return Err(failed("it is too long".to_owned()));
            }
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let Line { repo, commit, path, content } =
                serde_json::from_slice(&line).map_err(|error| failed(error.to_string()))?;
            let content = content_of(content.as_ref().map(String::as_bytes), self.most_bytes);
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
