//! Bodies without schemas, and visitors, which are the same for both syntaxes.

use std::convert::Infallible;
use std::fmt::Write;

use hclkit_model::{
    Attribute, Block, Body, BodyItem, Context, Descend, Dynamic, Expression, Schema, Visitor,
};
use hclkit_syntax::Source;

const NATIVE: &str = r#"
region = "eu"
resource "disk" "a" {
  size = 2 * n
  tags = ["x-${b}", { (c) = d.e, f = 1 }]
  mount {
    at = "/"
  }
}
resource "net" "b" {
}
"#;

const JSON: &str = r#"{
  "//": "a comment",
  "region": "eu",
  "resource": {
    "disk": { "a": { "size": "${2 * n}", "tags": ["x-${b}", { "${c}": "${d.e}", "f": 1 }], "mount": { "at": "/" } } },
    "net": { "b": {} }
  }
}"#;

fn body(name: &str, text: &str) -> Body {
    let (body, diagnostics) = Body::parse(Source::new(name, text));
    assert!(diagnostics.is_empty(), "{diagnostics}");
    body
}

fn both() -> [Body; 2] {
    [body("main.hcl", NATIVE), body("main.hcl.json", JSON)]
}

fn names(items: &[BodyItem]) -> String {
    items.iter().map(BodyItem::name).collect::<Vec<_>>().join(" ")
}

/// Records all calls. Blocks have the labels of Terraform's resources.
#[derive(Default)]
struct Notes(String, usize);

impl Visitor for Notes {
    type Error = Infallible;

    fn schema(&mut self, block: Option<&Block>) -> Schema {
        match block {
            None => Schema::new().with_block("resource", &["type", "name"]),
            Some(_) => Schema::new(),
        }
    }

    fn attribute(&mut self, attribute: &Attribute) -> Result<Descend, Infallible> {
        writeln!(self.0, "{:1$}{2} =", "", self.1, attribute.name).unwrap();
        Ok(if attribute.name == "region" { Descend::Skip } else { Descend::Inside })
    }

    fn block(&mut self, block: &Block) -> Result<Descend, Infallible> {
        writeln!(self.0, "{:1$}{2} {3}", "", self.1, block.block_type, block.labels.join(" ")).unwrap();
        self.1 += 2;
        Ok(Descend::Inside)
    }

    fn leave_block(&mut self, _: &Block) -> Result<(), Infallible> {
        self.1 -= 2;
        Ok(())
    }

    fn expression(&mut self, expression: &Expression) -> Result<Descend, Infallible> {
        // Only what both syntaxes write in the same way.
        if let Ok(traversal) = expression.static_traversal() {
            writeln!(self.0, "{:1$}{traversal}", "", self.1).unwrap();
            return Ok(Descend::Skip);
        }
        Ok(Descend::Inside)
    }
}

#[test]
fn visitors_see_the_same_in_both_syntaxes() {
    let expected = "region =\n\
                    resource disk a\n  size =\n  n\n  tags =\n  b\n  c\n  d.e\n  mount \n    at =\n\
                    resource net b\n";
    for body in both() {
        let mut notes = Notes::default();
        let Ok(()) = body.visit(&mut notes);
        let Notes(text, depth) = notes;
        assert_eq!((text.as_str(), depth), (expected, 0));
    }
}

#[test]
fn keys_differ_from_values_and_an_error_ends_the_visit() {
    /// Keys and values with their texts. The visit ends at `stop`.
    struct Roles(Vec<String>);
    impl Visitor for Roles {
        type Error = String;

        fn schema(&mut self, _: Option<&Block>) -> Schema {
            Schema::new().with_optional("a")
        }

        fn expression(&mut self, expression: &Expression) -> Result<Descend, String> {
            let variable = expression.static_traversal().map(|found| found.to_string());
            self.0.extend(variable.iter().cloned());
            match variable {
                Ok(name) if name == "stop" => Err(name),
                Ok(_) => Ok(Descend::Skip),
                Err(_) => Ok(Descend::Inside),
            }
        }

        fn object_key(&mut self, key: &Expression) -> Result<Descend, String> {
            self.0.push(format!("key {}", key.text().trim_matches(['(', ')', '"', '$', '{', '}'])));
            Ok(Descend::Skip)
        }
    }
    let native = r#"a = { (k) = v, name = w, "${l}" = { "${m}" = x } }"#.to_owned();
    let json = r#"{"a": {"${k}": "${v}", "name": "${w}", "${l}": {"${m}": "${x}"}}}"#;
    let expected = ["key k", "v", "w", "key l", "key m", "x"];
    for body in [body("main.hcl", &(native.clone() + "\n")), body("main.hcl.json", json)] {
        let mut roles = Roles(Vec::new());
        assert_eq!((body.visit(&mut roles), &roles.0[..]), (Ok(()), &expected.map(String::from)[..]));
    }
    let mut roles = Roles(Vec::new());
    let stopped = body("main.hcl", "a = [b, stop, c]\nd = e\n").visit(&mut roles);
    assert_eq!((stopped, &roles.0[..]), (Err("stop".into()), &["b", "stop"].map(String::from)[..]));
}

#[test]
fn items_are_attributes_and_blocks_in_source_order() {
    let [native, json] = both();
    assert_eq!(names(&native.items()), "region resource resource");
    assert_eq!(names(&json.items()), "region resource");
    let schema = Schema::new().with_block("resource", &["type", "name"]).with_optional("region");
    for body in [&native, &json] {
        assert_eq!(names(&body.items_by(&schema)), "region resource resource");
        let disk = &body.blocks("resource", &["disk", "*"])[0];
        assert_eq!(names(&disk.body.items()), "size tags mount");
        assert!(body.blocks("resource", &["disk"]).iter().all(|block| block.labels.len() == 1));
        assert!(body.blocks("resource", &["disk", "b"]).is_empty() && body.attribute("disk").is_none());
        let region = body.attribute("region").unwrap();
        assert_eq!(region.expression.evaluate(&Context::new()).unwrap().as_str(), Some("eu"));
    }
    let json = body("a.json", r#"{"none": [], "some": [{"a": 1}, {}], "mixed": [{}, 1], "null": null}"#);
    let kinds = json.items().iter().map(|item| item.as_block().is_some()).collect::<Vec<_>>();
    assert_eq!(
        (names(&json.items()).as_str(), &kinds[..]),
        ("none some some mixed null", &[false, true, true, false, false][..])
    );
    let as_said = Schema::new().with_optional("some").with_block("none", &[]);
    assert_eq!(names(&json.items_by(&as_said)), "some mixed null");
}

#[test]
fn remaining_items_are_listed() {
    for body in both() {
        let (content, rest) = body.partial_content(&Schema::new().with_optional("region")).0;
        assert_eq!(content.attributes.len(), 1);
        assert!(rest.items().iter().all(|item| item.name() == "resource") && !rest.items().is_empty());
        let merged = Body::merge([rest, body]);
        assert_eq!(merged.items().iter().filter(|item| item.name() == "region").count(), 1);
    }
}

#[test]
fn dynamic_blocks_are_listed_as_written_and_read_expanded() {
    let text = "dynamic \"port\" {\n  for_each = [1, 2]\n  content {\n    n = port.value\n  }\n}\n";
    let body = Dynamic::new(&Context::new()).expand(&body("main.hcl", text));
    assert_eq!(names(&body.items()), "dynamic");
    assert_eq!(body.blocks("port", &[]).len(), 2);
}

#[test]
fn deep_nesting_uses_no_stack() {
    struct Count(usize);
    impl Visitor for Count {
        type Error = Infallible;

        fn expression(&mut self, _: &Expression) -> Result<Descend, Infallible> {
            self.0 += 1;
            Ok(Descend::Inside)
        }
    }
    let mut count = Count(0);
    let sum = Expression::parse(vec!["1"; 20_000].join("+")).unwrap();
    let Ok(()) = sum.visit(&mut count);
    assert_eq!(count.0, 39_999);
}

#[test]
fn files_are_opened_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (name, text) in [("a.hcl", NATIVE), ("a.hcl.json", JSON)] {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        let (body, diagnostics) = Body::open(&path).unwrap();
        assert!(diagnostics.is_empty() && body.attribute("region").is_some());
        assert_eq!(body.source().name(), path.to_string_lossy());
    }
    let error = Body::open(folder.join("none.hcl")).unwrap_err();
    assert!(error.to_string().contains("none.hcl"), "{error}");
}
