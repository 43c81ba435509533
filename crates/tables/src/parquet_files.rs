//! Files in Parquet: their rows as entries, and tables that are written to them.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::arrow::{ArrowSchemaConverter, ProjectionMask};
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use crate::entry::Entry;
use crate::input::entries;
use crate::schema::{Kind, Table, VERSION};

/// How many rows of Parquet are read at once.
const ROWS: usize = 256;

/// The columns of such tables. The first two can be missing.
const COLUMNS: [&str; 4] = ["repo", "commit", "path", "content"];

/// The rows of a Parquet file as entries. Contents larger than a limit are not read: they become rows of `diagnostics`.
pub struct ParquetRows {
    reader: ParquetRecordBatchReader,
    most_bytes: u64,
    batch: std::vec::IntoIter<Entry>,
}

impl ParquetRows {
    /// Opens a file.
    ///
    /// # Errors
    /// It is no Parquet file, or has no columns `path` and `content`.
    pub fn open(file: File, most_bytes: u64) -> io::Result<Self> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(io::Error::other)?;
        let columns: Vec<usize> = (builder.schema().fields().iter().enumerate())
            .filter(|(_, field)| COLUMNS.contains(&field.name().as_str()))
            .map(|(at, _)| at)
            .collect();
        for name in &COLUMNS[2..] {
            if builder.schema().index_of(name).is_err() {
                return Err(io::Error::other(format!("it has no column `{name}`")));
            }
        }
        let mask = ProjectionMask::roots(builder.parquet_schema(), columns);
        let reader = builder.with_projection(mask).with_batch_size(ROWS).build().map_err(io::Error::other)?;
        Ok(Self { reader, most_bytes, batch: Vec::new().into_iter() })
    }
}

impl Iterator for ParquetRows {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.batch.next() {
                return Some(Ok(entry));
            }
            match self.reader.next()?.and_then(|batch| entries(&batch, self.most_bytes)) {
                Ok(entries) => self.batch = entries.into_iter(),
                Err(error) => return Some(Err(io::Error::other(error))),
            }
        }
    }
}

/// The columns of a row group, compressed.
pub(crate) type RowGroup = Vec<ArrowColumnChunk>;

/// Encodes the rows of a table.
pub(crate) struct ParquetEncoder {
    table: Table,
    properties: Arc<WriterProperties>,
    factory: ArrowRowGroupWriterFactory,
}

/// A file that is written.
pub(crate) struct ParquetWriter<W: Write + Send>(SerializedFileWriter<W>);

impl ParquetEncoder {
    pub(crate) fn new(table: Table) -> io::Result<Self> {
        let properties = Arc::new(properties(table));
        let writer = writer(table, &properties, io::sink())?;
        let factory = ArrowRowGroupWriterFactory::new(&writer, table.schema());
        Ok(Self { table, properties, factory })
    }

    /// Encodes rows as a row group.
    pub(crate) fn encode(&self, batch: &RecordBatch) -> io::Result<RowGroup> {
        let mut writers = self.factory.create_column_writers(0).map_err(of_parquet)?;
        let mut next = writers.iter_mut();
        for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            for leaf in compute_leaves(field, column).map_err(of_parquet)? {
                if let Some(writer) = next.next() {
                    writer.write(&leaf).map_err(of_parquet)?;
                }
            }
        }
        writers.into_iter().map(|writer| writer.close().map_err(of_parquet)).collect()
    }

    /// Begins a file.
    pub(crate) fn begin<W: Write + Send>(&self, out: W) -> io::Result<ParquetWriter<W>> {
        writer(self.table, &self.properties, out).map(ParquetWriter)
    }
}

impl<W: Write + Send> ParquetWriter<W> {
    pub(crate) fn write(&mut self, chunks: RowGroup) -> io::Result<()> {
        let mut group = self.0.next_row_group().map_err(of_parquet)?;
        for chunk in chunks {
            chunk.append_to_row_group(&mut group).map_err(of_parquet)?;
        }
        group.close().map_err(of_parquet)?;
        Ok(())
    }

    /// Ends the file.
    pub(crate) fn finish(self) -> io::Result<W> {
        self.0.into_inner().map_err(of_parquet)
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

fn writer<W: Write + Send>(
    table: Table,
    properties: &Arc<WriterProperties>,
    out: W,
) -> io::Result<SerializedFileWriter<W>> {
    let schema = ArrowSchemaConverter::new().schema_root(table.name()).convert(&table.schema());
    let schema = schema.map_err(of_parquet)?.root_schema_ptr();
    SerializedFileWriter::new(out, schema, properties.clone()).map_err(of_parquet)
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
