//! Files in Parquet: their rows as entries, and tables that are written to them.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::arrow::{ArrowSchemaConverter, ProjectionMask};
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use crate::budget::content_limit;
use crate::entry::Entry;
use crate::input::{BatchRows, Expansion};
use crate::pages::{PageBudget, Pages, check_metadata};
use crate::reader::Options;
use crate::schema::{Kind, Table, VERSION};

/// How many rows of Parquet are read at once, and how many if these need too much memory.
const ROWS: [usize; 3] = [256, 16, 1];

/// The columns of such tables. The first two can be missing.
const COLUMNS: [&str; 4] = ["repo", "commit", "path", "content"];

/// The rows of a Parquet file as entries. Contents larger than a limit are not read: they become rows of `diagnostics`.
pub struct ParquetRows {
    file: File,
    metadata: ArrowReaderMetadata,
    mask: ProjectionMask,
    reader: ParquetRecordBatchReader,
    pages: Arc<PageBudget>,
    /// Which of the numbers of rows is read at once.
    rows: usize,
    /// How many rows were emitted.
    done: usize,
    most_bytes: u64,
    in_flight: u64,
    expansion: Expansion,
    batch: Option<BatchRows>,
}

impl fmt::Debug for ParquetRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetRows").field("done", &self.done).finish_non_exhaustive()
    }
}

impl ParquetRows {
    /// Opens a file, of which contents have at most so many bytes.
    ///
    /// # Errors
    /// It is no Parquet file, or has no columns `path` and `content`, or these are not text or bytes.
    pub fn open(file: File, most_bytes: u64) -> io::Result<Self> {
        Self::open_within(file, most_bytes, Options::DEFAULT_BYTES_IN_FLIGHT)
    }

    /// Sets how many bytes may be in flight. The pages that a row needs have at most a quarter of them.
    ///
    /// # Errors
    /// As above, and if the metadata of the file has too many bytes.
    pub fn open_within(file: File, most_bytes: u64, in_flight: u64) -> io::Result<Self> {
        check_metadata(&file, in_flight / 32)?;
        let expansion = Expansion::new(file.metadata()?.len(), in_flight);
        let plain = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let plain = ArrowReaderMetadata::load(&file, plain).map_err(of_parquet)?;
        for name in &COLUMNS[2..] {
            if plain.schema().index_of(name).is_err() {
                return Err(io::Error::other(format!("it has no column `{name}`")));
            }
        }
        // Values of views are not copied: few bytes can be the values of all rows.
        let view = |field: &Arc<Field>| {
            let is_read = COLUMNS.contains(&field.name().as_str());
            let own = match field.data_type() {
                DataType::Utf8 => DataType::Utf8View,
                DataType::Binary => DataType::BinaryView,
                other if is_read && *other != DataType::Null => {
                    let why = format!("its column `{}` has {other}, not text or bytes", field.name());
                    return Err(io::Error::other(why));
                }
                other => other.clone(),
            };
            Ok(Field::clone(field).with_data_type(own))
        };
        let fields = plain.schema().fields().iter().map(view).collect::<io::Result<Vec<_>>>()?;
        let options = ArrowReaderOptions::new().with_schema(Arc::new(Schema::new(fields)));
        let metadata = ArrowReaderMetadata::try_new(plain.metadata().clone(), options).map_err(of_parquet)?;
        let columns = metadata.schema().fields().iter().enumerate();
        let columns = columns.filter(|(_, field)| COLUMNS.contains(&field.name().as_str()));
        let mask = ProjectionMask::roots(metadata.parquet_schema(), columns.map(|(at, _)| at));
        let (reader, pages) = reader(&file, &metadata, &mask, ROWS[0], 0, in_flight)?;
        let (rows, done, batch) = (0, 0, None);
        Ok(Self { file, metadata, mask, reader, pages, rows, done, most_bytes, in_flight, expansion, batch })
    }

    fn next_batch(&mut self) -> io::Result<Option<BatchRows>> {
        loop {
            self.pages.begin();
            match self.reader.next().transpose() {
                Ok(None) => return Ok(None),
                Ok(Some(batch)) => {
                    return BatchRows::new(&batch, self.most_bytes).map(Some).map_err(io::Error::other);
                }
                Err(_) if self.pages.is_exceeded() && self.rows + 1 < ROWS.len() => {
                    self.rows += 1;
                    let (file, metadata, mask) = (&self.file, &self.metadata, &self.mask);
                    (self.reader, self.pages) =
                        reader(file, metadata, mask, ROWS[self.rows], self.done, self.in_flight)?;
                }
                Err(error) if self.pages.is_exceeded() => {
                    return Err(io::Error::new(io::ErrorKind::FileTooLarge, error));
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }
}

impl Iterator for ParquetRows {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.batch.as_mut().and_then(Iterator::next) {
                self.done += 1;
                return Some(self.expansion.count_entry(&entry).map(|()| entry));
            }
            match self.next_batch() {
                Ok(batch) => self.batch = Some(batch?),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Reads some rows at once, after others.
fn reader(
    file: &File,
    metadata: &ArrowReaderMetadata,
    mask: &ProjectionMask,
    rows: usize,
    after: usize,
    in_flight: u64,
) -> io::Result<(ParquetRecordBatchReader, Arc<PageBudget>)> {
    let pages = PageBudget::new(content_limit(in_flight), rows as u64);
    let file = Pages::new(file.try_clone()?, pages.clone());
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.clone());
    let builder = builder.with_projection(mask.clone()).with_batch_size(rows).with_offset(after);
    Ok((builder.build().map_err(of_parquet)?, pages))
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
