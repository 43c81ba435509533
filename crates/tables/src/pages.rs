//! The pages of Parquet files, checked before they are read: their headers claim sizes, which the library of Parquet allocates.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// What a value of a dictionary takes besides its bytes.
const VALUE: u64 = 16;

/// The number of the encoding in which values share their beginnings, so that a page can be far smaller than its values.
const DELTA_BYTE_ARRAY: i64 = 7;

/// How deep the structures in the header of a page and in metadata may be.
const MOST_DEPTH: usize = 16;

/// Headers have some bytes, or some kilobytes with statistics.
const MOST_HEADER: u64 = 1 << 20;

/// How many nodes of a schema may have others below. The library of Parquet recurses into them.
const MOST_GROUPS: usize = 1_000;

/// A file whose pages are checked.
pub(crate) struct Pages {
    file: File,
    budget: Arc<PageBudget>,
    /// What pages take, by where their contents start. Many are skipped.
    claims: Mutex<HashMap<u64, u64>>,
}

/// How many bytes the pages may have that a batch of rows needs.
#[derive(Debug, Default)]
pub(crate) struct PageBudget {
    most: u64,
    /// How many rows are read at once.
    rows: u64,
    used: AtomicU64,
    exceeded: AtomicBool,
}

impl PageBudget {
    pub(crate) fn new(most: u64, rows: u64) -> Arc<Self> {
        Arc::new(Self { most, rows, ..Self::default() })
    }

    /// Begins with the next rows.
    pub(crate) fn begin(&self) {
        self.used.store(0, Ordering::Relaxed);
    }

    /// Whether the last rows needed too much. Fewer rows at once may need less.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.exceeded.load(Ordering::Relaxed)
    }

    fn take(&self, bytes: u64) -> Result<()> {
        let used = self.used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if used <= self.most {
            return Ok(());
        }
        self.exceeded.store(true, Ordering::Relaxed);
        let why = format!("its pages take more than {} bytes", self.most);
        Err(ParquetError::External(Box::new(io::Error::new(io::ErrorKind::FileTooLarge, why))))
    }
}

impl Pages {
    pub(crate) fn new(file: File, budget: Arc<PageBudget>) -> Self {
        Self { file, budget, claims: Mutex::default() }
    }
}

impl Length for Pages {
    fn len(&self) -> u64 {
        self.file.len()
    }
}

impl ChunkReader for Pages {
    type T = BufReader<File>;

    /// The library reads headers of pages here.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        let mut reader = self.file.get_read(start)?;
        let page = Page::read(&mut reader)?;
        let values = page.dictionary_values.saturating_mul(VALUE);
        let times = if page.encoding == Some(DELTA_BYTE_ARRAY) { self.budget.rows } else { 1 };
        let claim = page.bytes.saturating_mul(times).saturating_add(values);
        let contents = reader.stream_position()?;
        self.claims.lock().unwrap_or_else(PoisonError::into_inner).insert(contents, claim);
        reader.seek(SeekFrom::Start(start))?;
        Ok(reader)
    }

    /// And their contents here.
    fn get_bytes(&self, start: u64, length: usize) -> Result<bytes::Bytes> {
        let claim = self.claims.lock().unwrap_or_else(PoisonError::into_inner).remove(&start);
        self.budget.take(claim.ok_or_else(invalid)?.saturating_add(length as u64))?;
        self.file.get_bytes(start, length)
    }
}

/// Checks what a file claims about its metadata, whose structures are larger than it.
///
/// # Errors
/// It has too many bytes, or a schema that is too deep.
pub(crate) fn check_metadata(file: &File, most: u64) -> io::Result<()> {
    let mut file = file;
    let mut end = [0; 8];
    if file.metadata()?.len() < end.len() as u64 {
        return Ok(());
    }
    file.seek(SeekFrom::End(-8))?;
    file.read_exact(&mut end)?;
    let claim = u32::from_le_bytes([end[0], end[1], end[2], end[3]]);
    // The library reports what is no Parquet file, or shorter than it claims.
    if !end.ends_with(b"PAR1") || file.seek(SeekFrom::End(-8 - i64::from(claim))).is_err() {
        return Ok(());
    }
    if u64::from(claim) > most {
        let why = format!("its metadata has more than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    let mut groups = 0;
    let mut found = |path: &[i16], value| groups += usize::from(path == [2, 5] && value > 0);
    structure(&mut BufReader::new(file).take(claim.into()), &mut Vec::new(), &mut found)
        .map_err(|_| io::Error::other("its metadata is invalid"))?;
    if groups > MOST_GROUPS {
        return Err(io::Error::other("its schema is too deep"));
    }
    Ok(())
}

/// What the header of a page claims.
#[derive(Debug, Default, PartialEq, Eq)]
struct Page {
    /// The size after it is expanded.
    bytes: u64,
    encoding: Option<i64>,
    dictionary_values: u64,
}

impl Page {
    /// Reads a header.
    fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut page = Self::default();
        let mut found = |path: &[i16], value: i64| match path {
            [2] => page.bytes = value.try_into().unwrap_or(u64::MAX),
            // The headers of both kinds of data pages, and of dictionaries.
            [5, 2] | [8, 4] => page.encoding = Some(value),
            [7, 1] => page.dictionary_values = value.try_into().unwrap_or(u64::MAX),
            _ => {}
        };
        let mut from = from.take(MOST_HEADER);
        structure(&mut from, &mut Vec::new(), &mut found)?;
        Ok(page)
    }
}

fn invalid() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the header of a page is invalid")
}

fn byte(from: &mut impl Read) -> io::Result<u8> {
    let mut byte = [0];
    from.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// A number in seven bits each.
fn number(from: &mut impl Read) -> io::Result<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = byte(from)?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(invalid())
}

fn signed(from: &mut impl Read) -> io::Result<i64> {
    let value = number(from)?;
    Ok((value >> 1).cast_signed() ^ -((value & 1).cast_signed()))
}

fn skip(from: &mut impl Read, bytes: u64) -> io::Result<()> {
    let skipped = io::copy(&mut from.take(bytes), &mut io::sink())?;
    if skipped == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// A structure in the compact protocol of Thrift: the numbers in it with the fields that lead to them.
fn structure(from: &mut dyn Read, path: &mut Vec<i16>, found: &mut dyn FnMut(&[i16], i64)) -> io::Result<()> {
    let mut from = from;
    if path.len() >= MOST_DEPTH {
        return Err(invalid());
    }
    let mut field = 0_i16;
    loop {
        let head = byte(&mut from)?;
        let (delta, kind) = (head >> 4, head & 15);
        if kind == 0 {
            return Ok(());
        }
        field = match delta {
            0 => i16::try_from(signed(&mut from)?).map_err(|_| invalid())?,
            delta => field.checked_add(i16::from(delta)).ok_or_else(invalid)?,
        };
        path.push(field);
        match kind {
            // Bools are in the head.
            1 | 2 => {}
            9 | 10 => {
                let head = byte(&mut from)?;
                let items = if head >> 4 == 15 { number(&mut from)? } else { u64::from(head >> 4) };
                for _ in 0..items {
                    match head & 15 {
                        1 | 2 => skip(&mut from, 1)?,
                        kind => value(kind, from, path, found)?,
                    }
                }
            }
            kind => value(kind, from, path, found)?,
        }
        path.pop();
    }
}

/// A value, except for bools and lists.
fn value(
    kind: u8,
    from: &mut dyn Read,
    path: &mut Vec<i16>,
    found: &mut dyn FnMut(&[i16], i64),
) -> io::Result<()> {
    let mut from = from;
    match kind {
        3 => skip(&mut from, 1),
        4..=6 => {
            let number = signed(&mut from)?;
            found(path, number);
            Ok(())
        }
        7 => skip(&mut from, 8),
        8 => {
            let length = number(&mut from)?;
            skip(&mut from, length)
        }
        12 => structure(from, path, found),
        _ => Err(invalid()),
    }
}
