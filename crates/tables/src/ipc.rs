//! Batches of files to batches of rows, both as streams of Arrow IPC: for engines that pass batches between processes.

use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;

use crate::batches::Batches;
use crate::entry::Entry;
use crate::input::entries;
use crate::reader::Options;
use crate::schema::Table;

/// Returns the rows of a table for the batches in a stream, whose columns are those of [`entries`].
///
/// # Errors
/// The stream is invalid, or has other columns.
pub fn read_ipc(
    table: Table,
    options: Options,
    stream: &[u8],
    most_bytes: u64,
    threads: usize,
) -> Result<Vec<u8>, ArrowError> {
    let mut all: Vec<Entry> = Vec::new();
    for batch in StreamReader::try_new(stream, None)? {
        all.extend(entries(&batch?, most_bytes)?);
    }
    let mut writer = StreamWriter::try_new(Vec::new(), &table.schema())?;
    for batch in Batches::new(table, options, all.into_iter()).with_threads(threads) {
        writer.write(&batch?)?;
    }
    writer.finish()?;
    writer.into_inner()
}
