//! All errors inside one attribute are reported at once, each at its location: of elements, entries and nested objects,
//! whether they cannot be converted or cannot be read.

use std::collections::BTreeMap;

use hclkit::{Context, Decode, FromValue};

/// Reads a configuration, and returns the location and the end of each error.
fn errors<T: Decode>(text: &str) -> Vec<String> {
    let Err(found) = hclkit::load_str::<T>(text, &Context::new()) else { return Vec::new() };
    found
        .iter()
        .map(|diagnostic| {
            let source = diagnostic.source().unwrap();
            let start = source.position(diagnostic.span().start);
            format!("{}:{} {}", start.line, start.column, source.slice(diagnostic.span()))
        })
        .collect()
}

#[derive(Debug, Decode)]
#[allow(dead_code)]
struct Elements {
    p: Vec<u8>,
}

#[derive(Debug, Decode)]
#[allow(dead_code)]
struct Entries {
    p: BTreeMap<String, u8>,
}

#[derive(Debug, Decode)]
#[allow(dead_code)]
struct Parts {
    p: (u8, bool, String, u8),
}

#[derive(Debug, FromValue)]
#[allow(dead_code)]
struct Server {
    name: String,
    port: u8,
    #[hcl(default = 1)]
    weight: u8,
    tags: Option<Vec<i8>>,
}

#[derive(Debug, Decode)]
#[allow(dead_code)]
struct Servers {
    p: Vec<Server>,
}

#[derive(Debug, Decode)]
#[allow(dead_code)]
struct Deep {
    p: BTreeMap<String, Vec<(u8, Server)>>,
}

#[derive(Debug, Decode)]
#[allow(dead_code)]
struct Blocks {
    #[hcl(block)]
    b: Vec<Elements>,
}

#[test]
fn elements() {
    assert_eq!(errors::<Elements>("p = [1, \"x\", 300, \"y\"]\n"), ["1:9 \"x\"", "1:14 300", "1:19 \"y\""]);
    assert_eq!(errors::<Elements>("p = [-1, 2, 300]\n"), ["1:6 -1", "1:13 300"]);
    assert_eq!(errors::<Elements>("p = [null, [], 300]\n"), ["1:6 null", "1:12 []", "1:16 300"]);
    assert_eq!(errors::<Elements>("p = true\n").len(), 1);
}

#[test]
fn entries() {
    assert_eq!(
        errors::<Entries>("p = { a = 300, b = \"x\", c = 1, d = -1 }\n"),
        ["1:11 300", "1:20 \"x\"", "1:36 -1"]
    );
}

#[test]
fn parts_of_tuples() {
    assert_eq!(
        errors::<Parts>("p = [300, \"x\", [], \"y\"]\n"),
        ["1:6 300", "1:11 \"x\"", "1:16 []", "1:20 \"y\""]
    );
}

#[test]
fn objects() {
    assert_eq!(
        errors::<Servers>(
            "p = [\n  { name = [], port = 300, weight = \"x\" },\n  { name = \"b\", port = \"y\", tags = [1, 200] },\n]\n"
        ),
        ["2:12 []", "2:23 300", "2:37 \"x\"", "3:24 \"y\"", "3:40 200"]
    );
    // An attribute with another name is one error; that the right one is missing is a consequence.
    assert_eq!(
        errors::<Servers>("p = [{ name = \"a\", prot = 80 }, { name = \"b\", port = 300 }]\n"),
        ["1:27 80", "1:54 300"]
    );
}

#[test]
fn nested_parts() {
    assert_eq!(
        errors::<Deep>(
            "p = {\n  a = [[300, { name = \"a\", port = \"x\" }]]\n  b = [[1, { name = \"b\", port = -1 }], 1]\n}\n"
        ),
        ["2:9 300", "2:35 \"x\"", "3:33 -1", "3:40 1"]
    );
}

#[test]
fn blocks() {
    assert_eq!(
        errors::<Blocks>("b {\n  p = [300, \"x\"]\n}\nb {\n  p = [1, -1]\n}\n"),
        ["2:8 300", "2:13 \"x\"", "5:11 -1"]
    );
}

#[test]
fn json() {
    let source = hclkit::Source::new("main.hcl.json", "{\"p\": [1, \"x\", 300, \"y\"]}");
    let found = hclkit::Loader::new().with_source(source).load::<Elements>();
    assert_eq!(found.unwrap_err().len(), 3);
}
