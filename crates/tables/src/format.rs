//! The formats of files: Parquet, Arrow IPC, CSV and lines of JSON. Encoding is separate from writing, so that threads encode in
//! parallel and one writes in order.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use crate::batch::{self, Part};
use crate::schema::{Kind, Table, VERSION};

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Parquet, compressed with Snappy.
    Parquet,
    /// The file format of Arrow IPC, also called Feather.
    Arrow,
    /// Comma-separated values, with a line of names.
    Csv,
    /// A line of JSON for each row.
    Ndjson,
}

impl Format {
    /// The extension of files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

/// Rows in a format.
pub(crate) enum Encoded {
    Columns(Vec<ArrowColumnChunk>),
    Batch(RecordBatch),
    Bytes(Vec<u8>),
}

/// Encodes the rows of a table.
pub(crate) struct Encoder {
    table: Table,
    format: Format,
    columns: Vec<usize>,
    properties: Arc<WriterProperties>,
    factory: Option<ArrowRowGroupWriterFactory>,
}

/// A file that is written.
pub(crate) enum FileWriter<W: Write + Send> {
    Parquet(Box<SerializedFileWriter<W>>),
    Arrow(Box<arrow_ipc::writer::FileWriter<W>>),
    Text(W),
}

fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        other => io::Error::other(other),
    }
}

fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

fn properties(table: Table) -> WriterProperties {
    let version = KeyValue::new("hclkit.version".to_owned(), VERSION.to_string());
    let name = KeyValue::new("hclkit.table".to_owned(), table.name().to_owned());
    let mut builder = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by("hclkit".to_owned())
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_key_value_metadata(Some(vec![name, version]));
    for column in table.columns().filter(|column| column.kind == Kind::Int) {
        let path = ColumnPath::from(column.name);
        builder = builder
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
    }
    builder.build()
}

impl Encoder {
    pub(crate) fn new(table: Table, format: Format) -> io::Result<Self> {
        let properties = Arc::new(properties(table));
        let factory = match format {
            Format::Parquet => {
                let writer = parquet_writer(table, &properties, io::sink())?;
                Some(ArrowRowGroupWriterFactory::new(&writer, table.schema()))
            }
            _ => None,
        };
        let columns = (0..table.columns().count()).collect();
        Ok(Self { table, format, columns, properties, factory })
    }

    /// Encodes rows: a row group of Parquet, or lines.
    pub(crate) fn encode(&self, parts: &[Part]) -> io::Result<Encoded> {
        Ok(match (self.format, &self.factory) {
            (Format::Csv, _) => Encoded::Bytes(batch::csv(self.table, parts, &self.columns)),
            (Format::Ndjson, _) => Encoded::Bytes(batch::ndjson(self.table, parts, &self.columns)),
            (Format::Parquet, Some(factory)) => {
                let batch = batch::record_batch(self.table, parts, None).map_err(of_arrow)?;
                let mut writers = factory.create_column_writers(0).map_err(of_parquet)?;
                let schema = self.table.schema();
                let mut next = writers.iter_mut();
                for (field, column) in schema.fields().iter().zip(batch.columns()) {
                    for leaf in compute_leaves(field, column).map_err(of_parquet)? {
                        if let Some(writer) = next.next() {
                            writer.write(&leaf).map_err(of_parquet)?;
                        }
                    }
                }
                let chunks = writers.into_iter().map(|writer| writer.close().map_err(of_parquet));
                Encoded::Columns(chunks.collect::<io::Result<_>>()?)
            }
            _ => Encoded::Batch(batch::record_batch(self.table, parts, None).map_err(of_arrow)?),
        })
    }

    /// Begins a file.
    pub(crate) fn begin<W: Write + Send>(&self, mut out: W) -> io::Result<FileWriter<W>> {
        Ok(match self.format {
            Format::Parquet => {
                FileWriter::Parquet(Box::new(parquet_writer(self.table, &self.properties, out)?))
            }
            Format::Arrow => {
                let writer = arrow_ipc::writer::FileWriter::try_new(out, &self.table.schema());
                FileWriter::Arrow(Box::new(writer.map_err(of_arrow)?))
            }
            Format::Csv => {
                out.write_all(&batch::csv_head(self.table, &self.columns))?;
                FileWriter::Text(out)
            }
            Format::Ndjson => FileWriter::Text(out),
        })
    }
}

fn parquet_writer<W: Write + Send>(
    table: Table,
    properties: &Arc<WriterProperties>,
    out: W,
) -> io::Result<SerializedFileWriter<W>> {
    let schema = ArrowSchemaConverter::new().schema_root(table.name()).convert(&table.schema());
    let schema = schema.map_err(of_parquet)?.root_schema_ptr();
    SerializedFileWriter::new(out, schema, properties.clone()).map_err(of_parquet)
}

impl<W: Write + Send> FileWriter<W> {
    /// Writes rows.
    pub(crate) fn write(&mut self, encoded: Encoded) -> io::Result<()> {
        match (self, encoded) {
            (Self::Parquet(writer), Encoded::Columns(chunks)) => {
                let mut group = writer.next_row_group().map_err(of_parquet)?;
                for chunk in chunks {
                    chunk.append_to_row_group(&mut group).map_err(of_parquet)?;
                }
                group.close().map_err(of_parquet)?;
                Ok(())
            }
            (Self::Arrow(writer), Encoded::Batch(batch)) => writer.write(&batch).map_err(of_arrow),
            (Self::Text(out), Encoded::Bytes(bytes)) => out.write_all(&bytes),
            _ => Err(io::Error::other("the rows are in another format")),
        }
    }

    /// Ends the file.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::Parquet(writer) => writer.into_inner().map_err(of_parquet),
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
