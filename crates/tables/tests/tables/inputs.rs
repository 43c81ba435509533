//! Tables of files as input: Parquet and lines of JSON.

use std::io::{Seek as _, Write as _};
use std::sync::Arc;

use hclkit_tables::arrow_array::types::{Int8Type, Int32Type};
use hclkit_tables::arrow_array::{
    ArrayRef, BinaryArray, DictionaryArray, Int64Array, LargeStringArray, RecordBatch, StringArray,
};
use hclkit_tables::{BatchRows, Content, Entry, IpcRows, JsonRows, ParquetRows};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

fn shown(entry: &Entry) -> String {
    let content = match &entry.content {
        Content::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Content::Unread { code, .. } => (*code).to_owned(),
        _ => "other".to_owned(),
    };
    let part = |part: &Option<Arc<str>>| part.as_deref().unwrap_or("-").to_owned();
    format!("{} {} {} {content}", part(&entry.repo), part(&entry.commit), entry.path)
}

fn file(batch: &RecordBatch) -> std::fs::File {
    compressed(batch, Compression::UNCOMPRESSED)
}

fn compressed(batch: &RecordBatch, compression: Compression) -> std::fs::File {
    let mut file = tempfile::tempfile().unwrap();
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    file.write_all(&writer.into_inner().unwrap()).unwrap();
    file.rewind().unwrap();
    file
}

#[test]
fn parquet() {
    let columns: [(&str, ArrayRef); 5] = [
        (
            "content",
            Arc::new(BinaryArray::from_opt_vec(vec![Some(b"a = 1".as_slice()), None, Some(b"longer text")])),
        ),
        ("ignored", Arc::new(Int64Array::from(vec![1, 2, 3]))),
        ("path", Arc::new(StringArray::from(vec!["a.tf", "b.tf", "c.tf"]))),
        ("repo", Arc::new(LargeStringArray::from(vec![Some("r"), Some("r"), None]))),
        ("commit", Arc::new(StringArray::from(vec![None, Some("c"), Some("c")]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let expected = ["r - a.tf a = 1", "r c b.tf unreadable-file", "- c c.tf source-too-large"];
    let zstd = Compression::ZSTD(ZstdLevel::default());
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, zstd] {
        let rows = ParquetRows::open(compressed(&batch, compression), 10).unwrap();
        let found: Vec<String> = rows.map(|entry| shown(&entry.unwrap())).collect();
        assert_eq!(found, expected);
    }
    let found: Vec<String> = BatchRows::new(&batch, 10).unwrap().map(|entry| shown(&entry)).collect();
    assert_eq!(found, expected);
}

#[test]
fn dictionaries() {
    let paths: DictionaryArray<Int8Type> =
        vec![Some("a.tf"), Some("b.tf"), Some("a.tf")].into_iter().collect();
    let repos: DictionaryArray<Int32Type> = vec![None, Some("r"), None].into_iter().collect();
    let none: DictionaryArray<Int32Type> = vec![None::<&str>; 3].into_iter().collect();
    let columns: [(&str, ArrayRef); 4] = [
        ("path", Arc::new(paths)),
        ("repo", Arc::new(repos)),
        ("commit", Arc::new(none)),
        ("content", Arc::new(StringArray::from(vec!["a = 1", "b = 1", "c = 1"]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let expected = ["- - a.tf a = 1", "r - b.tf b = 1", "- - a.tf c = 1"];
    let found: Vec<String> = BatchRows::new(&batch, 10).unwrap().map(|entry| shown(&entry)).collect();
    assert_eq!(found, expected);
    let rows = ParquetRows::open(file(&batch), 10).unwrap();
    let found: Vec<String> = rows.map(|entry| shown(&entry.unwrap())).collect();
    assert_eq!(found, expected);
}

#[test]
fn damaged_streams_are_errors() {
    let columns: [(&str, ArrayRef); 2] = [
        ("path", Arc::new(StringArray::from(vec!["a.tf", "b.tf"]))),
        ("content", Arc::new(StringArray::from(vec!["a = 1", "b = 1"]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    let stream = writer.into_inner().unwrap();
    assert_eq!(IpcRows::new(&stream, 10).unwrap().flatten().count(), 2);
    let mut random = fastrand::Rng::with_seed(5);
    let mut errors = 0;
    for _ in 0..2_000 {
        let mut damaged = stream.clone();
        for _ in 0..random.usize(1..6) {
            let at = random.usize(..damaged.len());
            damaged[at] = random.u8(..);
        }
        damaged.truncate(random.usize(damaged.len() / 2..=damaged.len()));
        errors +=
            usize::from(IpcRows::new(&damaged, 10).map_or(true, |mut rows| rows.any(|row| row.is_err())));
    }
    assert!(errors > 100, "{errors}");
}

#[test]
fn other_files_are_errors() {
    let missing: [(&str, ArrayRef); 1] = [("path", Arc::new(StringArray::from(vec!["a.tf"])))];
    let batch = RecordBatch::try_from_iter(missing).unwrap();
    let error = ParquetRows::open(file(&batch), 10).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("no column `content`"), "{error}");
    assert!(BatchRows::new(&batch, 10).is_err());
    let numbers: [(&str, ArrayRef); 2] = [
        ("path", Arc::new(StringArray::from(vec!["a.tf"]))),
        ("content", Arc::new(Int64Array::from(vec![1]))),
    ];
    let batch = RecordBatch::try_from_iter(numbers).unwrap();
    let error = ParquetRows::open(file(&batch), 10).unwrap_err().to_string();
    assert!(error.contains("`content` has Int64"), "{error}");
    for bytes in [&b""[..], b"PAR1", b"not a table at all", b"PAR1\0\0\0\0\xff\xff\xff\x7fPAR1"] {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        assert!(ParquetRows::open(file, 10).is_err());
    }
}

#[test]
fn damaged_parquet_is_an_error_and_no_panic() {
    let text: Vec<String> = (0..200).map(|at| format!("a = {at}\n")).collect();
    let columns: [(&str, ArrayRef); 2] = [
        ("path", Arc::new(StringArray::from(vec!["a.tf"; 200]))),
        ("content", Arc::new(StringArray::from(text))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    let whole = writer.into_inner().unwrap();
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..300 {
        let mut bytes = whole.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..bytes.len());
            bytes[at] = random.u8(..);
        }
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        file.rewind().unwrap();
        let read = || ParquetRows::open(file, 1_000).map(|rows| rows.take(10_000).flatten().count());
        let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
        assert!(read.is_ok(), "a damaged file panics");
    }
}

#[test]
fn lines_of_json() {
    let text = "{\"path\": \"a.tf\", \"content\": \"a = 1\", \"repo\": \"r\", \"other\": 1}\n\n{\"path\": \"b.tf\"}\n{\"path\": \"c.tf\", \"commit\": \"c\", \"content\": \"longer text\"}";
    let found: Vec<String> = JsonRows::new(text.as_bytes(), 10).map(|entry| shown(&entry.unwrap())).collect();
    assert_eq!(found, ["r - a.tf a = 1", "- - b.tf unreadable-file", "- c c.tf source-too-large"]);
    let error = JsonRows::new(&b"{\"path\": \"a\"}\n{}\n"[..], 10).nth(1).unwrap().unwrap_err().to_string();
    assert!(error.starts_with("line 2: missing field `path`"), "{error}");
}
