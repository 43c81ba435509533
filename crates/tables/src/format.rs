//! The formats of files: Parquet, Arrow IPC, CSV and lines of JSON. Encoding is separate from writing, so that threads encode in
//! parallel and one writes in order.

use std::fmt;
use std::io::{self, Write};

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use crate::batch::{self, Part};
use crate::lines;
#[cfg(feature = "parquet")]
use crate::parquet_files::{ParquetEncoder, ParquetWriter, RowGroup};
use crate::schema::Table;

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Parquet, compressed with Snappy.
    #[cfg(feature = "parquet")]
    Parquet,
    /// The file format of Arrow IPC, also called Feather.
    Arrow,
    /// Comma-separated values, with a line of names.
    Csv,
    /// The same, without formulas: where a spreadsheet would treat a text as one, there is a `'` before it.
    CsvWithoutFormulas,
    /// A line of JSON for each row.
    Ndjson,
}

impl Format {
    /// The extension of files.
    pub const fn extension(self) -> &'static str {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Csv | Self::CsvWithoutFormulas => "csv",
            Self::Ndjson => "ndjson",
        }
    }

    /// Whether rows are written in groups or batches, which engines read as a whole.
    pub(crate) fn has_groups(self) -> bool {
        !matches!(self, Self::Csv | Self::CsvWithoutFormulas | Self::Ndjson)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

/// Rows in a format.
pub(crate) enum Encoded {
    #[cfg(feature = "parquet")]
    Columns(RowGroup),
    Batch(RecordBatch),
    Bytes(Vec<u8>),
}

/// Encodes the rows of a table.
pub(crate) struct Encoder {
    table: Table,
    how: How,
}

enum How {
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetEncoder>),
    Arrow,
    /// The columns, and whether there are formulas.
    Csv(Vec<usize>, bool),
    Ndjson(Vec<usize>),
}

/// A file that is written.
pub(crate) enum FileWriter<W: Write + Send> {
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetWriter<W>>),
    Arrow(Box<arrow_ipc::writer::FileWriter<W>>),
    Text(W),
}

fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

impl Encoder {
    // Only Parquet can fail.
    #[cfg_attr(not(feature = "parquet"), expect(clippy::unnecessary_wraps))]
    pub(crate) fn new(table: Table, format: Format) -> io::Result<Self> {
        let columns = (0..table.columns().count()).collect();
        let how = match format {
            #[cfg(feature = "parquet")]
            Format::Parquet => How::Parquet(Box::new(ParquetEncoder::new(table)?)),
            Format::Arrow => How::Arrow,
            Format::Csv => How::Csv(columns, true),
            Format::CsvWithoutFormulas => How::Csv(columns, false),
            Format::Ndjson => How::Ndjson(columns),
        };
        Ok(Self { table, how })
    }

    /// Encodes rows: a row group of Parquet, a batch, or lines.
    pub(crate) fn encode(&self, parts: &[Part]) -> io::Result<Encoded> {
        let batch = || batch::record_batch(self.table, parts, None).map_err(of_arrow);
        Ok(match &self.how {
            #[cfg(feature = "parquet")]
            How::Parquet(encoder) => Encoded::Columns(encoder.encode(&batch()?)?),
            How::Arrow => Encoded::Batch(batch()?),
            How::Csv(columns, formulas) => Encoded::Bytes(lines::csv(self.table, parts, columns, *formulas)),
            How::Ndjson(columns) => Encoded::Bytes(lines::ndjson(self.table, parts, columns)),
        })
    }

    /// Begins a file.
    pub(crate) fn begin<W: Write + Send>(&self, mut out: W) -> io::Result<FileWriter<W>> {
        Ok(match &self.how {
            #[cfg(feature = "parquet")]
            How::Parquet(encoder) => FileWriter::Parquet(Box::new(encoder.begin(out)?)),
            How::Arrow => {
                let writer = arrow_ipc::writer::FileWriter::try_new(out, &self.table.schema());
                FileWriter::Arrow(Box::new(writer.map_err(of_arrow)?))
            }
            How::Csv(columns, _) => {
                out.write_all(&lines::csv_head(self.table, columns))?;
                FileWriter::Text(out)
            }
            How::Ndjson(_) => FileWriter::Text(out),
        })
    }
}

impl<W: Write + Send> FileWriter<W> {
    /// Writes rows.
    pub(crate) fn write(&mut self, encoded: Encoded) -> io::Result<()> {
        match (self, encoded) {
            #[cfg(feature = "parquet")]
            (Self::Parquet(writer), Encoded::Columns(chunks)) => writer.write(chunks),
            (Self::Arrow(writer), Encoded::Batch(batch)) => writer.write(&batch).map_err(of_arrow),
            (Self::Text(out), Encoded::Bytes(bytes)) => out.write_all(&bytes),
            _ => Err(io::Error::other("the rows are in another format")),
        }
    }

    /// Ends the file.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet(writer) => writer.finish(),
            Self::Arrow(writer) => {
                let mut writer = *writer;
                writer.finish().map_err(of_arrow)?;
                writer.into_inner().map_err(of_arrow)
            }
            Self::Text(mut out) => {
                out.flush()?;
                Ok(out)
            }
        }
    }
}
