//! Results in the formats of `--output`, batch by batch. CSV and lines of JSON are as `hcl tables` writes them.

use std::collections::HashSet;
use std::io::{self, Write};

use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::datatypes::{FieldRef, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::WriterBuilder;
use datafusion::arrow::json::writer::{EncoderOptions, LineDelimited, NullableEncoder, make_encoder};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::Compression;
use datafusion::parquet::errors::ParquetError;
use datafusion::parquet::file::properties::WriterProperties;
use hclkit::syntax::visible_line;

use crate::args::Output;
use crate::message::Failure;

/// The rows whose cells decide how wide the columns of a table are. Memory does not grow with the number of the others.
const MEASURED: usize = 1000;

/// The number of characters of a cell in a table.
const WIDEST: usize = 60;

/// The number of rows in a row group of Parquet, which is in memory until it is complete.
const GROUP: usize = 64 * 1024;

/// Writes batches.
pub(crate) struct Writer<W: Write + Send> {
    schema: SchemaRef,
    rows: u64,
    format: Format<W>,
}

enum Format<W: Write + Send> {
    Table { out: W, waiting: Vec<Vec<String>>, widths: Option<Vec<usize>> },
    Separated { out: W, separator: char },
    Lines(W),
    Json(W),
    Parquet(Box<ArrowWriter<W>>),
}

impl<W: Write + Send> Writer<W> {
    /// Begins a result.
    pub(crate) fn new(output: Output, schema: SchemaRef, mut out: W) -> Result<Self, Failure> {
        if matches!(output, Output::Json | Output::Ndjson | Output::Parquet) {
            check_names(&schema)?;
        }
        let names = schema.fields().iter().map(|field| field.name().clone());
        let format = match output {
            Output::Table => {
                let head = names.map(|name| short(&name.to_uppercase())).collect();
                Format::Table { out, waiting: vec![head], widths: None }
            }
            Output::Csv | Output::Tsv => {
                let separator = if output == Output::Csv { ',' } else { '\t' };
                let head: Vec<String> = names.map(|name| quoted(&name, separator)).collect();
                write!(out, "{}\r\n", head.join(&separator.to_string()))?;
                Format::Separated { out, separator }
            }
            Output::Ndjson => Format::Lines(out),
            Output::Json => {
                out.write_all(b"[")?;
                Format::Json(out)
            }
            Output::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_max_row_group_row_count(Some(GROUP))
                    .build();
                Format::Parquet(Box::new(
                    ArrowWriter::try_new(out, schema.clone(), Some(properties)).map_err(unwritten)?,
                ))
            }
        };
        Ok(Self { schema, rows: 0, format })
    }

    /// Writes rows.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        let before = self.rows;
        self.rows += batch.num_rows() as u64;
        match &mut self.format {
            Format::Parquet(writer) => writer.write(batch).map_err(unwritten)?,
            Format::Lines(out) => out.write_all(&lines(batch)?)?,
            Format::Json(out) => {
                let lines = lines(batch)?;
                for (at, line) in
                    lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).enumerate()
                {
                    out.write_all(if before == 0 && at == 0 { b"\n" } else { b",\n" })?;
                    out.write_all(line)?;
                }
            }
            Format::Separated { out, separator } => {
                let mut text = String::new();
                each_row(&self.schema, batch, |cells| {
                    for (at, cell) in cells.iter().enumerate() {
                        if at > 0 {
                            text.push(*separator);
                        }
                        text += &cell.as_ref().map_or_else(String::new, |cell| quoted(cell, *separator));
                    }
                    text += "\r\n";
                    Ok(())
                })?;
                out.write_all(text.as_bytes())?;
            }
            Format::Table { out, waiting, widths } => {
                each_row(&self.schema, batch, |cells| {
                    waiting.push(
                        cells.iter().map(|cell| cell.as_deref().map_or_else(String::new, short)).collect(),
                    );
                    if widths.is_some() || waiting.len() > MEASURED {
                        print(out, waiting, widths)
                    } else {
                        Ok(())
                    }
                })?;
            }
        }
        Ok(())
    }

    /// Ends the result. Returns the output and the number of rows.
    pub(crate) fn finish(self) -> Result<(W, u64), Failure> {
        let mut out = match self.format {
            Format::Parquet(writer) => writer.into_inner().map_err(unwritten)?,
            Format::Lines(out) | Format::Separated { out, .. } => out,
            Format::Json(mut out) => {
                out.write_all(if self.rows == 0 { b"]\n" } else { b"\n]\n" })?;
                out
            }
            Format::Table { mut out, mut waiting, mut widths } => {
                print(&mut out, &mut waiting, &mut widths)?;
                out
            }
        };
        out.flush()?;
        Ok((out, self.rows))
    }
}

/// Columns with the same name would be one in JSON, and cannot be told apart in Parquet.
fn check_names(schema: &SchemaRef) -> Result<(), Failure> {
    let mut names = HashSet::new();
    let twice = schema.fields().iter().find(|field| !names.insert(field.name()));
    twice.map_or(Ok(()), |field| {
        Err(Failure::new(format!("the result has two columns `{}`; rename one with AS", field.name())))
    })
}

// For `map_err`.
#[allow(clippy::needless_pass_by_value)]
fn unwritten(error: ParquetError) -> Failure {
    Failure::new(format!("cannot write: {error}"))
}

fn lines(batch: &RecordBatch) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let mut writer = WriterBuilder::new().with_explicit_nulls(true).build::<_, LineDelimited>(&mut bytes);
    writer.write(batch).and_then(|()| writer.finish()).map_err(failed)?;
    drop(writer);
    Ok(bytes)
}

fn failed(error: ArrowError) -> Failure {
    Failure::from(datafusion::error::DataFusionError::from(error))
}

/// The texts of a column.
enum Cells<'a> {
    Plain(ArrayFormatter<'a>),
    /// Lists and others that contain values.
    Json(NullableEncoder<'a>),
}

fn each_row(
    schema: &SchemaRef,
    batch: &RecordBatch,
    mut row: impl FnMut(&[Option<String>]) -> io::Result<()>,
) -> Result<(), Failure> {
    let (text, json) = (FormatOptions::default(), EncoderOptions::default().with_explicit_nulls(true));
    let columns = schema.fields().iter().zip(batch.columns());
    let columns = columns.map(|(field, array)| cells(field, array.as_ref(), &text, &json));
    let mut columns = columns.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    for at in 0..batch.num_rows() {
        let cells = columns.iter_mut().zip(batch.columns()).map(|(cells, array)| {
            if array.is_null(at) {
                return None;
            }
            Some(match cells {
                Cells::Plain(texts) => texts.value(at).to_string(),
                Cells::Json(encoder) => {
                    let mut bytes = Vec::new();
                    encoder.encode(at, &mut bytes);
                    String::from_utf8_lossy(&bytes).into_owned()
                }
            })
        });
        row(&cells.collect::<Vec<_>>())?;
    }
    Ok(())
}

fn cells<'a>(
    field: &'a FieldRef,
    array: &'a dyn Array,
    text: &'a FormatOptions<'a>,
    json: &'a EncoderOptions,
) -> Result<Cells<'a>, ArrowError> {
    if array.data_type().is_nested() {
        make_encoder(field, array, json).map(Cells::Json)
    } else {
        ArrayFormatter::try_new(array, text).map(Cells::Plain)
    }
}

/// A cell of separated values. Null is nothing, and an empty text is `""`.
fn quoted(text: &str, separator: char) -> String {
    if !text.is_empty() && !text.contains([separator, '"', '\n', '\r']) {
        return text.to_owned();
    }
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// A cell of a table on one line.
fn short(cell: &str) -> String {
    let cell = visible_line(cell);
    let start: String = cell.chars().take(WIDEST).collect();
    if start.len() == cell.len() { start } else { format!("{start}…") }
}

/// Prints rows of a table. The first ones decide the widths.
fn print(
    out: &mut impl Write,
    rows: &mut Vec<Vec<String>>,
    widths: &mut Option<Vec<usize>>,
) -> io::Result<()> {
    let widths = widths.get_or_insert_with(|| {
        let count = rows.first().map_or(0, Vec::len);
        let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or_default();
        (0..count).map(width).collect()
    });
    for row in rows.drain(..) {
        let cells = row.iter().zip(&*widths).map(|(cell, width)| format!("{cell:width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}
