//! What `Debug` prints of types that borrow: in proportion to what they own, and no values that may be sensitive.

use std::collections::HashSet;
use std::path::PathBuf;

use hclkit::{Document, Source, StartSymbol};
use hclkit_policy::{Reader, TestFile, TestRequest};

fn document(at: usize) -> Document {
    Document::parse(Source::new(format!("{at}.tftest.hcl"), "run \"r\" {\n}\n"), StartSymbol::Config)
}

#[test]
fn debug_is_linear_and_shows_no_values() {
    let reader = |count: usize| {
        let reader = (0..count).fold(Reader::new(), |reader, at| reader.with_document(document(at)));
        (0..count).fold(reader, |reader, at| reader.with_param(format!("p{at}"), "CANARY"))
    };
    let text = format!("{:?}", reader(1_000));
    assert!(text.len() < 100 && !text.contains("CANARY"), "{text}");
    let load: &hclkit_policy::Load<'_> = &|_, _| Err(String::new());
    let request = |count: usize| {
        let file = |at| TestFile { directory: PathBuf::from("d"), document: document(at) };
        format!(
            "{:?}",
            TestRequest {
                files: (0..count).map(file).collect(),
                names: HashSet::new(),
                load,
                selects: &|_| true
            }
        )
    };
    let (few, many) = (request(10).len(), request(100).len());
    assert!(many < 11 * few, "{few} {many}");
}
