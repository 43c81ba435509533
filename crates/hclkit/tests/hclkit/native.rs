//! From the JSON syntax to the native syntax: the text that is written, and that it has the same meaning.

use std::path::{Path, PathBuf};

use hclkit::convert::{ToJson, ToNative};
use hclkit::dialect::Dialect;
use hclkit::functions::{Grants, Library};
use hclkit::model::{
    AttributeSpec, BlockAttributesSpec, BlockLabelSpec, BlockSpec, BlocksSpec, Body, LabeledBlocksSpec, Spec,
    SpecFile,
};
use hclkit::syntax::json::{self, JsonDocument};
use hclkit::write::Formatter;
use hclkit::{Context, Document, Functions, Source, StartSymbol, Syntax, Type, Value};
use hclkit_test_cases::{rounds, seed};

fn native(converter: &ToNative, text: &str) -> String {
    converter.convert(&json::parse(text)).unwrap_or_else(|problems| panic!("{text}\n{problems}"))
}

fn refused(converter: &ToNative, text: &str) -> Vec<(String, String)> {
    let document = json::parse(text);
    let problems = converter.convert(&document).unwrap_err();
    let places = problems.iter().map(|problem| {
        let at = problem.place().map_or("", |place| document.source().slice(place.span)).to_owned();
        (at, problem.note().to_owned())
    });
    places.collect()
}

#[test]
fn shapes_decide_without_a_spec() {
    let cases = [
        (r#"{"a": 1, "b": {"c": 2}}"#, "a = 1\nb = { c = 2 }\n"),
        (r#"{"b": [{"c": 2}, {"c": 3}]}"#, "b {\n  c = 2\n}\n\nb {\n  c = 3\n}\n"),
        (
            r#"{"b": {"x": {"y": [{}]}, "z": {"y": [{"c": []}]}}}"#,
            "b \"x\" \"y\" {}\n\nb \"z\" \"y\" {\n  c = []\n}\n",
        ),
        (
            r#"{"b": {"x": [{}], "y": 1}, "c": [], "d": [1, {}], "e": {}}"#,
            "b = { x = [{}], y = 1 }\nc = []\nd = [1, {}]\ne = {}\n",
        ),
        (r#"[{"a": 1}, {"b": null}]"#, "a = 1\nb = null\n"),
        ("{}", ""),
    ];
    for (json, expected) in cases {
        assert_eq!(native(&ToNative::new(), json), expected);
    }
    let named = ToNative::new().with_blocks([("b", 1), ("b.c", 0)]).with_attributes(["d"]);
    assert_eq!(
        native(&named, r#"{"b": {"x": {"c": {}}}, "d": [{}], "c": {}}"#),
        "b \"x\" {\n  c {}\n}\n\nd = [{}]\nc = {}\n"
    );
}

#[test]
fn strings_are_templates() {
    let cases = [
        ("${x}", "x"),
        ("${x + 1}", "x + 1"),
        ("${[\\n1,\\n2]}", "[\n  1,\n2]"),
        ("${x\\n? 1 : 2}", "(x\n? 1 : 2)"),
        ("a ${x} b", "\"a ${x} b\""),
        ("a\\n${x}", "\"a\\n${x}\""),
        ("a\\n${x}\\n", "<<EOT\na\n${x}\nEOT"),
        ("EOT\\n${x}\\n", "<<EOT1\nEOT\n${x}\nEOT1"),
        ("%{ if x ~}\\n  yes\\n%{ endif ~}\\nend\\n", "<<EOT\n%{if x~}\n  yes\n%{endif~}\nend\nEOT"),
        ("$${x}", "\"$${x}\""),
        ("$${x} ${y}", "\"$${x} ${y}\""),
        ("${\\\"a\\\"}", "\"a\""),
        ("one\\ntwo\\n", "<<EOT\none\ntwo\nEOT"),
        ("quote \\\" ${x} \\\\ \\t", "\"quote \\\" ${x} \\\\ \\t\""),
        ("$ ${~ x}", "\"$ ${~ x}\""),
        ("$ ${~ x ~} \\n${y}", "\"$ ${~ x ~} \\n${y}\""),
        ("${<<A\\nb\\nA\\n}", "<<A\nb\nA"),
    ];
    for (string, expected) in cases {
        let found = native(&ToNative::new(), &format!("{{\"a\": \"{string}\"}}"));
        let squeeze = |text: &str| text.replace([' ', '\t'], "");
        assert_eq!(squeeze(&found), squeeze(&format!("a = {expected}\n")), "{string}");
    }
    let keys = native(&ToNative::new(), r#"{"a": {"${x}": 1, "b-${x}": 2, "c d": 3}}"#);
    assert_eq!(keys, "a = { (x) = 1, \"b-${x}\" = 2, \"c d\" = 3 }\n");
    let literal = ToNative::new().with_literal_strings(true);
    assert_eq!(
        native(&literal, r#"{"a": "${x}", "b": {"${x}": "%{"}}"#),
        "a = \"$${x}\"\nb = { \"$${x}\" = \"%%{\" }\n"
    );
}

#[test]
fn comments_are_kept() {
    let json =
        r#"{"//": ["one", "two\nthree"], "a": 1, "b": [{"//": "in b", "c": 2}], "d": {"//": "a key"}}"#;
    let expected =
        "# one\n# two\n# three\na = 1\n\nb {\n  # in b\n  c = 2\n}\n\nd = { \"//\" = \"a key\" }\n";
    assert_eq!(native(&ToNative::new(), json), expected);
}

#[test]
fn terraform_is_known() {
    let json = r#"{
        "terraform": {"required_version": ">= 1.0", "required_providers": {"aws": {"source": "hashicorp/aws", "configuration_aliases": ["aws.west"]}}},
        "variable": {"zones": {"type": "list(string)", "default": ["${a}"], "description": "Zones.", "validation": {"condition": "${true}", "error_message": "No."}}},
        "locals": {"a": [{"b": 1}]},
        "resource": {"aws_instance": {"web": {
            "ami": "${var.ami}", "tags": {"Name": "web"}, "depends_on": ["aws_vpc.main"],
            "lifecycle": {"ignore_changes": ["tags"], "create_before_destroy": true},
            "provisioner": [{"local-exec": {"command": "echo", "when": "destroy"}}],
            "dynamic": {"disk": {"for_each": "${var.disks}", "iterator": "it", "content": {"size": "${it.value}"}}},
            "network": [{"id": 1}]
        }}},
        "module": {"r": {"source": "terraform-aws-modules/eks/aws", "version": "1"}, "a": {"source": "./a", "providers": {"aws": "aws.west"}, "list": [{"b": 1}]}}
    }"#;
    let expected = r#"terraform {
  required_version = ">= 1.0"

  required_providers {
    aws = {
      source                = "hashicorp/aws"
      configuration_aliases = [aws.west]
    }
  }
}

variable "zones" {
  type        = list(string)
  default     = ["$${a}"]
  description = "Zones."

  validation {
    condition     = true
    error_message = "No."
  }
}

locals {
  a = [{ b = 1 }]
}

resource "aws_instance" "web" {
  ami        = var.ami
  tags       = { Name = "web" }
  depends_on = [aws_vpc.main]

  lifecycle {
    ignore_changes        = [tags]
    create_before_destroy = true
  }

  provisioner "local-exec" {
    command = "echo"
    when    = destroy
  }

  dynamic "disk" {
    for_each = var.disks
    iterator = it

    content {
      size = it.value
    }
  }

  network {
    id = 1
  }
}

module "r" {
  source  = "terraform-aws-modules/eks/aws"
  version = "1"
}

module "a" {
  source    = "./a"
  providers = { aws = aws.west }
  list      = [{ b = 1 }]
}
"#;
    let converter = ToNative::new().with_dialect(Dialect::terraform());
    let found = native(&converter, json);
    // Whether a short object is on one line is up to the width.
    let squeeze = |text: &str| text.split_whitespace().collect::<String>().replace(',', "");
    assert_eq!(squeeze(&found), squeeze(expected), "{found}");
    assert!(Formatter::plain().format(&hclkit::parse(found)).is_unchanged());
}

#[test]
fn values_without_a_native_form_are_errors() {
    let new = ToNative::new;
    let cases = [
        (
            r#"{"a b": 1}"#,
            "\"a b\"",
            "In the native syntax, the name of an attribute must be an identifier, and \"a b\" is not one.",
        ),
        (
            r#"{"1": [{}]}"#,
            "\"1\"",
            "In the native syntax, the type of a block must be an identifier, and \"1\" is not one.",
        ),
        (r#"[{"a": 1}, {"a": 2}]"#, "\"a\"", "The argument `a` is already set."),
        (r#"{"a": {"b": 1, "b": 2}}"#, "\"b\"", "The key `b` is already set in this object."),
        ("[1]", "1", "Expected an object or an array of objects."),
    ];
    for (json, at, note) in cases {
        assert_eq!(refused(&new(), json), [(at.to_owned(), note.to_owned())]);
    }
    let spec = new()
        .with_spec(Spec::object([("b", BlockSpec::new("b", AttributeSpec::new("c", Type::Number)).into())]));
    for (json, at) in [
        (r#"{"d": 1}"#, "\"d\""),
        (r#"{"b": {"d": 1}}"#, "\"d\""),
        (r#"{"b": 1}"#, "1"),
        (r#"{"b": [{"c": "${"}]}"#, "{"),
    ] {
        let found = refused(&spec, json);
        assert_eq!(found.len(), 1, "{json} {found:?}");
        assert!(found[0].0 == at || at == "{", "{json} {found:?}");
    }
}

/// Random specs, and configurations in the JSON syntax for them.
struct Random(fastrand::Rng);

impl Random {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.0.usize(0..of.len())]
    }

    fn spec(&mut self, depth: u8) -> Spec {
        let mut parts: Vec<(&str, Spec)> = Vec::new();
        for name in ["a", "b-c", "list", "any"] {
            if self.0.bool() {
                let ty = match self.0.u8(0..12) {
                    0 => Type::String,
                    1 => Type::list(Type::String),
                    2 => Type::map(Type::Dynamic),
                    _ => Type::Dynamic,
                };
                parts.push((name, AttributeSpec::new(name, ty).into()));
            }
        }
        for name in ["one", "many", "named", "attrs", "tuple"] {
            if depth == 0 || self.0.bool() {
                continue;
            }
            let mut inner = self.spec(depth - 1);
            if name == "one" && self.0.bool() {
                inner = Spec::object([("label", BlockLabelSpec::new(0, "label").into()), ("rest", inner)]);
            }
            parts.push((
                name,
                match name {
                    "one" => BlockSpec::new(name, inner).into(),
                    "many" => Spec::BlockTuple(BlocksSpec::new(name, inner)),
                    "tuple" => Spec::BlockTuple(BlocksSpec::new(name, inner)),
                    "named" => Spec::BlockObject(LabeledBlocksSpec::new(name, ["first", "second"], inner)),
                    _ => BlockAttributesSpec::new(name, Type::Dynamic).into(),
                },
            ));
        }
        Spec::object(parts)
    }

    fn string(&mut self) -> String {
        const PIECES: [&str; 22] = [
            "a",
            " ",
            "\\n",
            "line\\n",
            "  ",
            "${x}",
            "${n + 1}",
            "${ l[0] }",
            "$${",
            "%%{",
            "%{ if n > 1 }",
            "${~ x ~}",
            "$",
            "%",
            "\\\"",
            "\\\\",
            "é",
            "\\t",
            "EOT\\n",
            "${upper(x)}",
            "${[for e in l : e]}",
            "${\\\"q\\\"}",
        ];
        let count = self.0.usize(0..6);
        let text: String = (0..count).map(|_| self.pick(&PIECES)).collect();
        let opened = text.matches("%{ if").count();
        format!("\"{text}{}\"", "%{ else }no%{ endif ~}".repeat(opened))
    }

    fn value(&mut self, depth: u8) -> String {
        let count = self.0.usize(0..4);
        match self.0.u8(0..if depth == 0 { 5 } else { 7 }) {
            0 => self
                .pick(&["null", "true", "1", "-2.50", "1e3", "0.1E-2", "123456789012345678901234567890"])
                .to_owned(),
            1..=4 => self.string(),
            5 => format!("[{}]", (0..count).map(|_| self.value(depth - 1)).collect::<Vec<_>>().join(", ")),
            _ => {
                let items = (0..count).map(|index| {
                    let key = self.pick(&["k", "for", "a b", "${x}-k", "//", "$${"]);
                    format!("\"{key}{index}\": {}", self.value(depth - 1))
                });
                format!("{{{}}}", items.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// One body or several.
    fn bodies(&mut self, spec: &Spec, depth: u8) -> String {
        match self.0.u8(0..4) {
            0 => format!("[{}, {}]", self.body(spec, depth), self.body(spec, depth)),
            1 => format!("[{}]", self.body(spec, depth)),
            _ => self.body(spec, depth),
        }
    }

    fn body(&mut self, spec: &Spec, depth: u8) -> String {
        let mut properties = Vec::new();
        let schema = spec.implied_schema();
        let mut specs = Vec::new();
        spec.walk(&mut |part| {
            if let Some((name, nested)) = part.nested() {
                specs.push((name.to_string(), Spec::clone(nested)));
            }
            false
        });
        for attribute in schema.attributes() {
            if self.0.u8(0..4) > 0 {
                properties.push(format!("\"{}\": {}", attribute.name, self.value(2)));
            }
        }
        for block in schema.blocks() {
            if self.0.u8(0..4) == 0 {
                continue;
            }
            let inner =
                specs.iter().find(|(name, _)| **name == *block.block_type).map(|(_, spec)| spec.clone());
            let bodies = |random: &mut Self| match &inner {
                Some(spec) => random.bodies(spec, depth),
                None => format!("{{\"free\": {}}}", random.value(1)),
            };
            let mut text = bodies(self);
            for level in 0..block.label_names.len() {
                let other = (level == 0 && self.0.bool()).then(|| format!(", \"other\": {}", bodies(self)));
                text = format!("{{\"label {level}\": {text}{}}}", other.unwrap_or_default());
            }
            properties.push(format!("\"{}\": {text}", block.block_type));
        }
        if self.0.bool() {
            properties.push("\"//\": \"a comment\"".to_owned());
        }
        self.0.shuffle(&mut properties);
        format!("{{{}}}", properties.join(", "))
    }
}

fn context() -> Context {
    let functions = spec_functions();
    Context::new()
        .with("x", "ex")
        .with("n", 5)
        .with("l", Value::tuple(["p", "q"].map(Value::from)))
        .with_functions(functions)
}

fn spec_functions() -> Functions {
    Library::Spec.functions(&Grants::new())
}

#[test]
fn a_spec_decodes_both_syntaxes_to_the_same_value() {
    let mut random = Random(fastrand::Rng::with_seed(seed(11)));
    let (mut whole, mut wrong) = (0, 0);
    let rounds = rounds(1_000);
    for _ in 0..rounds {
        let spec = random.spec(2);
        let text = random.body(&spec, 2);
        let document = json::parse(text.as_str());
        assert!(!document.has_errors(), "{text}");
        let decode = |body: &Body| {
            let (value, problems) = spec.decode(body, &context());
            let codes: Vec<_> = problems.iter().map(hclkit::Diagnostic::code).collect();
            (value, codes)
        };
        let converter = ToNative::new().with_spec(spec.clone());
        let expected = decode(&Body::from_json(document.root()));
        let native = match converter.convert(&document) {
            Ok(native) => native,
            Err(problems) => {
                wrong += 1;
                assert!(!expected.1.is_empty(), "{text}\n{problems}");
                continue;
            }
        };
        let read = hclkit::parse(native.as_str());
        assert!(!read.has_errors() && Formatter::plain().format(&read).is_unchanged(), "{native}");
        let found = decode(&Body::from_ast(read.body()));
        if expected.1.is_empty() {
            whole += 1;
            assert_eq!(found, expected, "{text}\n{native}");
        } else {
            assert!(!found.1.is_empty(), "{text}\n{native}");
        }
        // And back.
        if let Ok(again) = ToJson::new().convert(&read) {
            let again = json::parse(serde_json::to_string(&again).unwrap());
            let back = decode(&Body::from_json(again.root()));
            assert_eq!(back.0, found.0, "{native}\n{}", again.source().text());
        }
    }
    assert!(whole * 10 >= rounds, "{whole} are without errors, {wrong} cannot be converted");
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

#[test]
fn the_example_decodes_to_the_same_value() {
    let folder = examples().join("service");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let functions = spec_functions();
    let spec = SpecFile::read(Source::new("service.hcldec", read("service.hcldec")), &functions).unwrap();
    let decoder = hclkit::decode::Decoder::of(spec.clone()).with_dynamic(true);
    let json = read("web.hcl.json");
    let document = JsonDocument::parse(Source::new("web.hcl.json", json.as_str()));
    let converter = ToNative::new().with_spec(spec.spec.clone()).with_dynamic(true);
    let native = converter.convert(&document).unwrap_or_else(|problems| panic!("{problems}"));
    let sources = [Source::new("web.hcl.json", json), Source::new("web.hcl", native.as_str())];
    let [a, b] = sources.map(|source| hclkit::decode::read([source]).unwrap());
    let variables = Source::new("production.tfvars", read("production.tfvars"));
    let decoder = decoder.with_variables(hclkit::variables::read(variables, Syntax::Native).unwrap());
    let values = [a, b].map(|body| decoder.decode(&body).map_err(|problems| problems.to_string()));
    assert!(values[0].is_ok() && values[0] == values[1], "{native} {values:?}");
    assert!(native.contains("dynamic \"listen\" {\n"), "{native}");
}

#[test]
fn real_files_come_back_from_json() {
    let files = [
        "terraform/main.tf",
        "terraform/outputs.tf",
        "terraform/variables.tf",
        "packer/debian.pkr.hcl",
        "nomad/web.nomad",
        "bake/docker-bake.hcl",
        "terragrunt/service/terragrunt.hcl",
    ];
    for file in files {
        let path = examples().join(file);
        let source = Source::new(path.to_string_lossy(), std::fs::read(&path).unwrap());
        // Directives have other blanks after formatting.
        let document = Document::parse(source, StartSymbol::Config);
        let document = hclkit::parse(Formatter::plain().format(&document).bytes().into_owned());
        let mut there = ToJson::new();
        let mut back = ToNative::new();
        if let Some(dialect) = Dialect::of_path(file) {
            there = there.with_dialect(&dialect);
            back = back.with_dialect(dialect);
        }
        let json =
            |document: &Document| serde_json::to_string_pretty(&there.convert(document).unwrap()).unwrap();
        let first = json(&document);
        let native = native(&back, &first);
        assert_eq!(json(&hclkit::parse(native.as_str())), first, "{native}");
    }
}
