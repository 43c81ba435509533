//! The JSON Schema of a spec accepts exactly the configurations that `decode` accepts. Tested with random configurations.

use std::fmt::Write as _;

use boon::{Compiler, SchemaIndex, Schemas};
use hclkit::decode::{self, Decoder};
use hclkit::{Source, schema};
use hclkit_test_cases::rounds;
use serde_json::{Value, json};

const SPEC: &str = r#"
# A service.
object {
  # What it is called.
  attr "name" {
    type     = string
    required = true
  }
  attr "tags" { type = list(string) }
  block "limits" {
    attr {
      name     = "cpu"
      type     = number
      required = true
    }
  }
  block_list "listen" {
    min_items = 1
    max_items = 2
    attr {
      name = "port"
      type = number
    }
  }
  block_list "pair" {
    block_label { index = 0 }
  }
  block_tuple "route" {
    switch {
      on = label(0)
      case "a" {
        attr {
          name     = "path"
          type     = string
          required = true
        }
      }
      case "b" {
        attr {
          name = "cpu"
          type = number
        }
      }
    }
  }
  block_object "task" {
    labels = ["name"]
    object {
      switch "inside" {
        on = label(0)
        case "a" {
          attr {
            name     = "path"
            type     = string
            required = true
          }
        }
        default {
          attr {
            name = "cpu"
            type = number
          }
        }
      }
    }
  }
  block_tuple "check" {
    object {
      block_label "kind" { index = 0 }
      block_label "name" { index = 1 }
      attr "path" {
        type     = string
        required = true
      }
    }
  }
}
"#;

struct Both {
    decoder: Decoder,
    schemas: Schemas,
    index: SchemaIndex,
}

impl Both {
    fn new(spec: &str) -> Self {
        Self::of(Decoder::new(Source::new("spec", spec)).unwrap())
    }

    fn of(decoder: Decoder) -> Self {
        let schema = serde_json::to_value(schema::json_schema(
            decoder.spec_file(),
            &schema::JsonSchemaOptions::new("Service"),
        ))
        .unwrap();
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("schema.json", schema).unwrap();
        let index = compiler.compile("schema.json", &mut schemas).unwrap();
        Self { decoder, schemas, index }
    }

    fn decodes(&self, configuration: &Value) -> bool {
        let source = Source::new("main.json", configuration.to_string());
        decode::read([source]).and_then(|body| self.decoder.decode(&body)).is_ok()
    }

    fn is_valid(&self, configuration: &Value) -> bool {
        self.schemas.validate(configuration, self.index).is_ok()
    }
}

#[test]
fn labels_and_arrays_at_the_root() {
    let both = Both::new(SPEC);
    let cases = [
        (r#"{"name": "a", "listen": {}}"#, true),
        (r#"{"name": "a", "listen": [{}, {}]}"#, true),
        (r#"{"name": "a", "listen": [{}, {}, {}]}"#, false),
        (r#"{"name": "a", "listen": []}"#, false),
        (r#"{"name": "a"}"#, false),
        (r#"[{"name": "a"}, {"listen": {}}]"#, true),
        (r#"[{"name": "a", "listen": {}}, {}]"#, true),
        (r#"[{"listen": {}}, {}]"#, false),
        (r#"[{"name": "a", "listen": {}}, 1]"#, false),
        (r#"[{"name": "a", "listen": {}, "nmae": 1}]"#, false),
        ("[]", false),
        ("1", false),
        (r#"{"name": "a", "listen": {}, "pair": {}}"#, false),
        (r#"{"name": "a", "listen": {}, "pair": []}"#, false),
        (r#"{"name": "a", "listen": {}, "pair": [{}, {"x": {}}]}"#, true),
        (r#"{"name": "a", "listen": {}, "check": {"http": {"x": {"path": "/"}}}}"#, true),
        (r#"{"name": "a", "listen": {}, "check": {"http": {}}}"#, false),
        (r#"{"name": "a", "listen": {}, "check": {"http": {"path": "/"}}}"#, false),
        (r#"{"name": "a", "listen": {}, "route": {"a": {"path": "/"}, "b": [{"cpu": 1}, {}]}}"#, true),
        (r#"{"name": "a", "listen": {}, "route": {"a": {"cpu": 1}}}"#, false),
        (r#"{"name": "a", "listen": {}, "route": {"b": {"path": "/"}}}"#, false),
        (r#"{"name": "a", "listen": {}, "route": {"c": {}}}"#, false),
        (r#"{"name": "a", "listen": {}, "task": {"x": {"a": {"path": "/"}}, "y": {"z": {"cpu": 1}}}}"#, true),
        (r#"{"name": "a", "listen": {}, "task": {"x": {"z": {"path": "/"}}}}"#, false),
        (r#"{"name": "a", "listen": {}, "check": [{"http": [{"x": {"path": "/"}}]}]}"#, true),
    ];
    for (text, fine) in cases {
        let configuration = serde_json::from_str(text).unwrap();
        assert_eq!(both.decodes(&configuration), fine, "decode: {text}");
        assert_eq!(both.is_valid(&configuration), fine, "schema: {text}");
    }
}

#[test]
fn the_schema_accepts_what_decode_accepts() {
    let both = Both::new(SPEC);
    let mut random = Random(7);
    let mut accepted = 0;
    let mut wrong = String::new();
    let rounds = rounds(10_000);
    for _ in 0..rounds {
        let configuration = random.configuration();
        let (decodes, valid) = (both.decodes(&configuration), both.is_valid(&configuration));
        accepted += usize::from(decodes);
        // A schema cannot count the blocks in several objects of an array.
        if decodes != valid && (decodes || configuration.is_object()) {
            writeln!(wrong, "decode: {decodes}, schema: {valid}: {configuration}").unwrap();
        }
    }
    assert_eq!(wrong, "");
    assert!((rounds / 10..rounds * 9 / 10).contains(&(accepted as u64)), "{accepted}");
}

/// The schema accepts what a `pattern` matches, and all text if its regular expression is not one of JSON Schema.
#[test]
fn patterns_of_specs_are_those_of_the_schema() {
    const PORTABLE: [&str; 12] = [
        "^[a-z][a-z0-9-]*$",
        "a",
        "^(?:a|bc)+$",
        "^\\d{1,3}(\\.\\d{1,3}){3}$",
        "^$",
        "\\bx\\b",
        "[^a-c]",
        "^a*?b$",
        "\\w\\s\\S",
        "[\\]\\-x]",
        "a$|^b",
        "^.{2,4}$",
    ];
    const OTHERS: [&str; 6] =
        ["(?i)^abc$", "^(?P<x>a)$", "\\Aa\\z", "^\\pL+$", "^[[:alpha:]]+$", "^\\Qa.b\\E$"];
    let letters = ["a", "b", "c", "x", "7", ".", "-", "A", " ", "]", "1.2.3.4", "abc", "a.b"];
    let mut random = Random(11);
    let (mut accepted, mut rejected) = (0, 0);
    for pattern in PORTABLE.iter().chain(&OTHERS) {
        let quoted = Value::from(*pattern);
        let both = Both::new(&format!("object {{\n  attr \"name\" {{\n    pattern = {quoted}\n  }}\n}}\n"));
        let is_portable = PORTABLE.contains(pattern);
        for _ in 0..400 {
            let length = random.below(4);
            let text: String = (0..length)
                .map(|_| letters[usize::try_from(random.below(letters.len() as u64)).unwrap()])
                .collect();
            let configuration = json!({ "name": text });
            let (decodes, valid) = (both.decodes(&configuration), both.is_valid(&configuration));
            assert!(
                if is_portable { decodes == valid } else { valid },
                "{pattern}: {decodes}, {valid}: {text:?}"
            );
            accepted += usize::from(decodes);
            rejected += usize::from(!decodes);
        }
        // Templates may have any value, and null is none.
        for value in [json!("${upper(\"a\")}"), Value::Null] {
            assert!(both.is_valid(&json!({ "name": value })), "{pattern}: {value}");
        }
        assert!(both.decodes(&json!({ "name": null })));
    }
    assert!(accepted > 500 && rejected > 500, "{accepted}, {rejected}");
}

#[test]
fn values_and_a_pattern_both_count() {
    let spec = "attr {\n  name    = \"n\"\n  values  = [\"a1\", \"b\"]\n  pattern = \"[0-9]\"\n}\n";
    let both = Both::new(spec);
    for (value, expected) in [
        (json!("a1"), true),
        (json!("b"), false),
        (json!("c2"), false),
        (json!(null), true),
        (json!("${1}"), true),
    ] {
        let configuration = json!({ "n": value });
        assert_eq!(both.is_valid(&configuration), expected, "schema: {configuration}");
        // The value of a template is known here.
        if !configuration.to_string().contains('$') {
            assert_eq!(both.decodes(&configuration), expected, "decode: {configuration}");
        }
    }
}

#[test]
fn a_pattern_is_checked_where_it_is_written_and_where_it_applies() {
    let read = |arguments: &str| {
        let spec = format!("attr {{\n  name = \"n\"\n  {arguments}\n}}\n");
        Decoder::new(Source::new("spec", spec.as_str())).map_err(|errors| errors.to_string())
    };
    let error = |arguments: &str| read(arguments).err().unwrap();
    assert!(
        error("pattern = \"a(\"")
            .starts_with("spec:3:13: error: Invalid spec: Invalid `pattern`: invalid regular expression"),
        "{}",
        error("pattern = \"a(\"")
    );
    assert!(error("pattern = \"a\"\n  type = number").contains("`pattern` requires `type = string`."));
    let decode = |text: &str| {
        let body = decode::read([Source::new("main.hcl", text)]).unwrap();
        read("pattern = \"^v[0-9]+$\"").unwrap().decode(&body).map_err(|errors| errors.to_string())
    };
    assert_eq!(decode("n = \"v12\"\n").unwrap().to_string(), "\"v12\"");
    let wanted =
        "main.hcl:1:5: error: Invalid value: Expected text that matches the regular expression `^v[0-9]+$`.";
    assert_eq!(decode("n = \"w12\"\n").unwrap_err(), wanted);
    // A number is converted to text first.
    assert_eq!(decode("n = 12\n").unwrap_err(), wanted);
    let decoder = read("pattern = \"^v[0-9]+$\"").unwrap();
    let reference = schema::markdown(decoder.spec_file(), "Title");
    assert!(reference.contains("Text that matches `^v[0-9]+$`."), "{reference}");
}

#[test]
fn errors_are_reported_at_their_position() {
    let both = Both::new(SPEC);
    let configuration =
        json!({"name": "a", "listen": [{"port": []}], "check": {"http": {"x": {"pth": "/"}}}});
    let error = both.schemas.validate(&configuration, both.index).unwrap_err().to_string();
    for message in ["'/listen/0/port'", "'/check/http/x': missing properties 'path'", "'pth' not allowed"] {
        assert!(error.contains(message), "{error}");
    }
    // An error in an object is not reported for the array form as well.
    assert!(!error.contains("oneOf") && !error.contains("anyOf"), "{error}");
}

/// Generates configurations, most of which are valid.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % end
    }

    fn often(&mut self) -> bool {
        self.below(12) > 0
    }

    fn half(&mut self) -> bool {
        self.below(2) == 0
    }

    fn configuration(&mut self) -> Value {
        let mut properties = Vec::new();
        if self.often() {
            properties.push(("name", self.text()));
        }
        if self.often() {
            let body = |random: &mut Self| random.body("port");
            properties.push(("listen", self.several(2, body)));
        }
        if self.half() {
            let tags = [json!(["a", 1]), json!([]), json!(null), json!([{}]), json!(true)];
            properties.push(("tags", tags[self.below(5) as usize].clone()));
        }
        if self.half() {
            let body = |random: &mut Self| random.body("cpu");
            properties.push(("limits", self.several(1, body)));
        }
        if self.half() {
            let bodies = |random: &mut Self| random.several(2, |_| json!({}));
            let label = |random: &mut Self| random.label(bodies);
            properties.push(("pair", self.several(2, label)));
        }
        if self.half() {
            let bodies = |random: &mut Self| random.several(2, |random| random.body("path"));
            let label = |random: &mut Self| {
                let inner = |random: &mut Self| random.several(2, |random| random.label(bodies));
                random.label(inner)
            };
            properties.push(("check", self.several(2, label)));
        }
        let either = |random: &mut Self| {
            let name = if random.half() { "path" } else { "cpu" };
            random.body(name)
        };
        if self.below(4) == 0 {
            let label = |random: &mut Self| random.label(either);
            properties.push(("route", self.several(2, label)));
        }
        if self.below(4) == 0 {
            // A second block with the same key is an error, which a schema cannot find.
            let one = |random: &mut Self| {
                let label = ["a", "b", "c"][random.below(3) as usize];
                json!({ label: either(random) })
            };
            properties.push(("task", self.label(one)));
        }
        if !self.often() {
            properties.push(("other", json!(1)));
        }
        if self.half() {
            return properties.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        }
        // The same, distributed over several objects.
        let mut parts = vec![serde_json::Map::new(); 1 + self.below(3) as usize];
        for (name, value) in properties {
            let at = self.below(parts.len() as u64) as usize;
            parts[at].insert(name.to_owned(), value);
        }
        Value::from(parts.into_iter().map(Value::Object).collect::<Vec<_>>())
    }

    fn text(&mut self) -> Value {
        if self.often() { json!("1") } else { json!({}) }
    }

    fn body(&mut self, argument: &str) -> Value {
        if self.often() { json!({ argument: self.text() }) } else { json!({}) }
    }

    fn label(&mut self, mut inside: impl FnMut(&mut Self) -> Value) -> Value {
        let mut labels = serde_json::Map::new();
        for name in ["a", "b", "c"] {
            if self.half() {
                labels.insert(name.to_owned(), inside(self));
            }
        }
        Value::Object(labels)
    }

    /// One value, or an array of several.
    fn several(&mut self, most: u64, mut one: impl FnMut(&mut Self) -> Value) -> Value {
        if self.half() {
            return one(self);
        }
        let count = if self.often() { 1 + self.below(most) } else { self.below(most + 2) };
        (0..count).map(|_| one(self)).collect()
    }
}

/// Forms that derived types allow in addition to the kinds of the spec language.
#[derive(hclkit::Decode)]
#[allow(dead_code, reason = "only its spec is used")]
struct Alternatives {
    #[hcl(block, attribute)]
    tls: Option<Tls>,
    #[hcl(block)]
    check: Vec<Check>,
}

#[derive(hclkit::Decode, hclkit::FromValue)]
#[allow(dead_code, reason = "only its spec is used")]
struct Tls {
    certificate: String,
}

#[derive(hclkit::Decode)]
#[allow(dead_code, reason = "only its spec is used")]
struct Check {
    #[hcl(label)]
    kind: String,
    #[hcl(label)]
    name: Option<String>,
    path: Option<String>,
}

#[test]
fn optional_labels_and_attributes_instead_of_blocks() {
    let both = Both::of(Decoder::of(<Alternatives as hclkit::Decode>::spec()));
    let cases = [
        (json!({}), true),
        (json!({"tls": {"certificate": "a"}}), true),
        (json!({"tls": [{"certificate": "a"}]}), true),
        (json!({"tls": "${null}"}), true),
        (json!({"tls": 5}), false),
        (json!({"tls": {"certificates": "a"}}), false),
        (json!({"check": {"http": {}}}), true),
        (json!({"check": {"http": {"path": "/"}}}), true),
        (json!({"check": {"http": {"ready": {"path": "/"}}}}), true),
        (json!({"check": [{"http": [{"path": "/"}, {"ready": {}}]}]}), true),
        (json!({"check": {"http": {"pth": "/"}}}), false),
        (json!({"check": {}}), false),
    ];
    // With a variable, strings are templates.
    let context = hclkit::Context::new().with("region", "eu");
    for (configuration, expected) in cases {
        assert_eq!(both.is_valid(&configuration), expected, "{configuration}");
        let source = Source::new("main.json", configuration.to_string());
        let body = decode::read([source]).unwrap();
        let read = <Alternatives as hclkit::Decode>::decode(&body, &context);
        assert_eq!(read.is_ok(), expected, "{configuration}");
    }
}

#[test]
fn names_of_nested_blocks_do_not_grow_with_their_depth() {
    let name = "n".repeat(2_000);
    let mut spec = "object {\n".to_owned();
    for _ in 0..200 {
        let _ = write!(spec, "block_list \"b\" {{\nblock_type = \"{name}\"\nobject {{\n");
    }
    spec.push_str(&"}\n}\n".repeat(200));
    spec.push('}');
    let decoder = Decoder::new(Source::new("spec", spec.as_str())).unwrap();
    let file = decoder.spec_file();
    let json = serde_json::to_string(&schema::json_schema(
        file,
        &schema::JsonSchemaOptions::new("Service").with_dynamic(),
    ))
    .unwrap();
    for text in [json, schema::rust(file, "Service"), schema::markdown(file, "Service")] {
        assert!(text.len() < 50 * spec.len(), "{} bytes for a spec of {}", text.len(), spec.len());
    }
}

#[test]
fn nested_switches_are_described_once() {
    let describe = |spec: &str| {
        let decoder = Decoder::new(Source::new("spec", spec)).unwrap();
        let file = decoder.spec_file();
        let options = schema::JsonSchemaOptions::new("Service").with_dynamic();
        let json = serde_json::to_string(&schema::json_schema(file, &options)).unwrap();
        [json, schema::rust(file, "Service"), schema::markdown(file, "Service")]
    };
    // Each level would double the text, because its blocks are in both cases.
    let switch = "switch \"s\" {\non = label(0)\ncase \"x\" {\nattr {\nname = \"a\"\n}\n}\ncase \"y\" {\nattr {\nname = \"b\"\n}\n}\n}\n";
    for levels in [4, 40] {
        let level = format!("block_tuple \"b\" {{\nobject {{\n{switch}");
        let spec = format!(
            "object {{\n{}literal \"end\" {{\nvalue = 1\n}}\n{}}}\n",
            level.repeat(levels),
            "}\n}\n".repeat(levels)
        );
        for text in describe(&spec) {
            assert!(text.len() < 60 * spec.len(), "{} bytes for a spec of {}", text.len(), spec.len());
        }
    }
    // Switches by several labels in one body.
    let several: String = (0..8)
        .map(|at| switch.replace("\"s\"", &format!("\"s{at}\"")).replace("(0)", &format!("({at})")))
        .collect();
    let spec = format!("block_tuple {{\nblock_type = \"b\"\nobject {{\n{several}}}\n}}\n");
    let [_, rust, markdown] = describe(&spec);
    for text in [rust, markdown] {
        assert!(text.len() < 10 * spec.len(), "{} bytes for a spec of {}", text.len(), spec.len());
    }
}
