//! All formats have the same rows.

use std::io::Write as _;
use std::sync::Arc;

use hclkit_tables::arrow_array::cast::AsArray;
use hclkit_tables::arrow_array::types::Int64Type;
use hclkit_tables::arrow_array::{Array, RecordBatch};
use hclkit_tables::arrow_schema::DataType;
use hclkit_tables::{Entry, Format, Options, Table};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};

use crate::kit::{Row, lines, write};

fn entries() -> Vec<Entry> {
    let many = (0..300)
        .map(|at| format!("resource \"a\" \"b{at}\" {{\n  c = [var.x, \"d,\\\"e\\n\"]\n}}\n"))
        .collect::<Vec<_>>()
        .concat();
    vec![
        Entry::new("main.tf", many).with_repo("r,1"),
        Entry::new("b.tf", "variable \"x\" {\n  description = \"\"\n}\nlocals {\n  a = [\n"),
        Entry::new("c.tf.json", "{\"output\": {\"o\": {\"value\": \"é\"}}}").with_commit("c"),
    ]
}

/// The rows of batches, as in lines of JSON.
fn rows(batches: &[RecordBatch]) -> Vec<Row> {
    let cell = |array: &Arc<dyn Array>, at: usize| match array.data_type() {
        _ if array.is_null(at) => Value::Null,
        DataType::Utf8 => json!(array.as_string::<i32>().value(at)),
        DataType::Int64 => json!(array.as_primitive::<Int64Type>().value(at)),
        DataType::Boolean => json!(array.as_boolean().value(at)),
        DataType::List(_) => {
            let list = array.as_list::<i32>().value(at);
            Value::Array(list.as_string::<i32>().iter().map(|text| json!(text.unwrap())).collect())
        }
        other => panic!("{other}"),
    };
    let row = |batch: &RecordBatch, at: usize| {
        let schema = batch.schema();
        let names = schema.fields().iter().map(|field| field.name().clone());
        names.zip(batch.columns().iter().map(|array| cell(array, at))).collect()
    };
    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |at| row(batch, at))).collect()
}

#[test]
fn all_formats_have_the_same_rows() {
    let of = |format: Format| write(Options::new(), format, false, 2, entries().into_iter()).0;
    let [json, arrow, parquet, csv] = [Format::Ndjson, Format::Arrow, Format::Parquet, Format::Csv].map(of);
    for table in Options::new().tables() {
        let name = table.name();
        let expected = lines(&json.0[name]);
        let reader =
            arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(&arrow.0[name]), None).unwrap();
        assert_eq!(reader.schema(), table.schema());
        let batches: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
        assert_eq!(rows(&batches), expected, "{table}");
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&parquet.0[name]).unwrap();
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        assert_eq!(builder.schema().fields().len(), table.schema().fields().len());
        for (own, field) in builder.schema().fields().iter().zip(table.schema().fields()) {
            assert_eq!((own.name(), own.is_nullable()), (field.name(), field.is_nullable()));
        }
        let batches: Vec<RecordBatch> = builder.build().unwrap().map(Result::unwrap).collect();
        assert_eq!(rows(&batches), expected, "{table}");
        let text = std::str::from_utf8(&csv.0[name]).unwrap();
        let records = records(text);
        assert_eq!(records.len(), expected.len() + 1);
        for (record, row) in records[1..].iter().zip(&expected) {
            let cells: Vec<String> = table.columns().map(|column| csv_cell(&row[column.name])).collect();
            assert_eq!(*record, cells);
        }
    }
}

fn csv_cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The records of CSV.
fn records(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                record.push(std::mem::take(&mut cell));
                records.push(std::mem::take(&mut record));
            }
            other => cell.push(other),
        }
    }
    records
}

#[test]
fn tables_without_rows_are_valid_files() {
    for format in [Format::Parquet, Format::Arrow, Format::Csv, Format::Ndjson] {
        let (files, summary) = write(Options::new(), format, false, 2, std::iter::empty());
        assert_eq!((files.0.len(), summary.rows), (10, 0));
        let names = &files.0["files"];
        match format {
            Format::Parquet => {
                let mut file = tempfile::tempfile().unwrap();
                file.write_all(names).unwrap();
                let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
                assert_eq!(builder.metadata().file_metadata().num_rows(), 0);
                let metadata = builder.metadata().file_metadata().key_value_metadata().unwrap();
                assert!(metadata.iter().any(|own| own.key == "hclkit.version"));
            }
            Format::Arrow => {
                let reader =
                    arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(names), None).unwrap();
                assert_eq!(reader.schema(), Table::Files.schema());
            }
            Format::Csv | Format::CsvWithoutFormulas => {
                assert!(names.starts_with(b"repo,commit,path,language,"));
            }
            Format::Ndjson => assert!(names.is_empty()),
        }
    }
}

#[test]
fn large_inputs_have_several_row_groups() {
    let entries = (0..3_000).map(|at| {
        let lines: Vec<String> = (0..50).map(|number| format!("a{number} = {at}\n")).collect();
        Entry::new(format!("d{at}.hcl"), lines.concat())
    });
    let options = Options::new().with_tables([Table::Attributes]);
    let (files, _) = write(options, Format::Parquet, false, 2, entries);
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&files.0["attributes"]).unwrap();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    assert_eq!(builder.metadata().file_metadata().num_rows(), 150_000);
    assert_eq!(builder.metadata().num_row_groups(), 3);
}
