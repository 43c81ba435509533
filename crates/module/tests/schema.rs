//! Objects with the schemas of providers.

use hclkit_module::{Evaluation, Language, Memory, ModuleLoader, Schemas};

const SCHEMAS: &str = r#"{
  "format_version": "1.0",
  "provider_schemas": {
    "registry.terraform.io/hashicorp/aws": {
      "resource_schemas": {
        "aws_instance": {
          "version": 1,
          "block": {
            "attributes": {
              "ami":      { "type": "string", "required": true },
              "id":       { "type": "string", "computed": true },
              "count_of": { "type": "number", "optional": true },
              "tags":     { "type": ["map", "string"], "optional": true },
              "all_tags": { "type": ["map", "string"], "optional": true, "computed": true },
              "password": { "type": "string", "optional": true, "sensitive": true },
              "options":  { "nested_type": { "nesting_mode": "list", "attributes": {
                "name": { "type": "string", "required": true },
                "size": { "type": "number", "optional": true }
              } }, "optional": true }
            },
            "block_types": {
              "root":  { "nesting_mode": "single", "block": { "attributes": { "size": { "type": "number", "optional": true } } } },
              "disk":  { "nesting_mode": "list", "block": { "attributes": {
                "size": { "type": "number", "optional": true },
                "id":   { "type": "string", "computed": true } } } },
              "rule":  { "nesting_mode": "set", "block": { "attributes": { "port": { "type": "number", "optional": true } } } },
              "group": { "nesting_mode": "group", "block": { "attributes": { "name": { "type": "string", "optional": true } } } }
            }
          }
        }
      },
      "data_source_schemas": {
        "aws_ami": { "block": { "attributes": {
          "id": { "type": "string", "computed": true },
          "sizes": { "type": ["list", "number"], "computed": true } } } }
      },
      "functions": {
        "arn_parse": { "parameters": [{ "name": "arn", "type": "string" }], "return_type": ["object", { "region": "string" }] }
      }
    }
  }
}"#;

fn evaluate(text: &str) -> Evaluation {
    let files = Memory::from_iter([("main.tf", text)]);
    let schemas = Schemas::from_json(SCHEMAS.as_bytes()).unwrap();
    ModuleLoader::new(Language::terraform()).with_files(files).with_schemas(schemas).load().evaluate(&[])
}

/// The outputs of a module without errors.
fn outputs(text: &str) -> Vec<String> {
    let found = evaluate(text);
    assert!(!found.diagnostics.has_errors(), "{:?}", found.diagnostics);
    let outputs = found.values.iter().filter(|found| found.address.starts_with("output."));
    outputs.map(|own| format!("{} = {}", &own.address[7..], own.value)).collect()
}

/// The notes of the errors, with their lines.
fn errors(text: &str) -> Vec<String> {
    let line = |found: &hclkit_syntax::Diagnostic| {
        format!("{}: {}", found.place().map_or(0, |place| place.range().start.line), found.note())
    };
    evaluate(text).diagnostics.iter().map(line).collect()
}

#[test]
fn attributes_have_the_types_of_the_schema() {
    let text = r#"
resource "aws_instance" "web" {
  ami      = 12
  count_of = "3"
  tags     = { a = 1 }
  options  = [{ name = "x" }]
}
output "ami" { value = aws_instance.web.ami }
output "count_of" { value = aws_instance.web.count_of + 1 }
output "tags" { value = aws_instance.web.tags }
output "id" { value = aws_instance.web.id }
output "all_tags" { value = aws_instance.web.all_tags }
output "options" { value = aws_instance.web.options }
"#;
    assert_eq!(
        outputs(text),
        [
            "ami = \"12\"",
            "count_of = 4",
            "tags = { a = \"1\" }",
            "id = (unknown string)",
            "all_tags = (unknown map(string))",
            "options = [{ name = \"x\", size = null }]",
        ]
    );
}

#[test]
fn blocks_are_nested_as_the_schema_says() {
    let text = r#"
resource "aws_instance" "web" {
  ami = "a"
  root {
    size = 8
  }
  disk {
    size = 1
  }
  dynamic "disk" {
    for_each = [2]
    content {
      size = disk.value
    }
  }
  rule {
    port = 80
  }
  rule {
    port = "80"
  }
}
resource "aws_instance" "other" {
  ami = "b"
}
output "root" { value = aws_instance.web.root.size }
output "disks" { value = aws_instance.web.disk[*].size }
output "disk_id" { value = aws_instance.web.disk[1].id }
output "rules" { value = [for rule in aws_instance.web.rule : rule.port] }
output "group" { value = aws_instance.web.group.name }
output "none" { value = [aws_instance.other.root, aws_instance.other.disk, aws_instance.other.rule] }
"#;
    assert_eq!(
        outputs(text),
        [
            "root = 8",
            "disks = [1, 2]",
            "disk_id = (unknown string)",
            "rules = [80]",
            "group = null",
            "none = [null, [], toset([])]",
        ]
    );
}

#[test]
fn what_the_schema_does_not_have_is_an_error() {
    let text = r#"
resource "aws_instance" "web" {
  ammi     = "a"
  id       = "b"
  count_of = "many"
  disc {
  }
  disk {
    siez = 1
  }
  dynamic "disks" {
    for_each = []
    content {}
  }
}
output "typo" { value = aws_instance.web.tagz }
"#;
    let found = errors(text);
    let all = found.join("\n");
    for part in [
        "`ami` is required",
        "Did you mean `ami`",
        "5: Invalid value for the argument `count_of`",
        "Did you mean `disk`",
        "Did you mean `size`",
        "12: Blocks of type `disks`",
        "tagz",
    ] {
        let part = part.trim_start_matches("12: ");
        assert!(all.contains(part), "{part} is missing:\n{all}");
    }
}

#[test]
fn sensitive_attributes_are_marked() {
    let text = "resource \"aws_instance\" \"web\" {\n  ami = \"a\"\n  password = \"p\"\n}\noutput \"p\" {\n  sensitive = true\n  value = aws_instance.web.password\n}\n";
    let found = evaluate(text);
    let output = found.values.iter().find(|own| own.address == "output.p").unwrap();
    assert!(output.value.is_marked(), "{:?}", found.diagnostics);
}

#[test]
fn functions_of_providers_have_unknown_results_of_their_type() {
    let text = "output \"region\" { value = provider::aws::arn_parse(\"x\").region }\noutput \"data\" { value = data.aws_ami.a.sizes }\ndata \"aws_ami\" \"a\" {}\n";
    assert_eq!(outputs(text), ["region = (unknown string)", "data = (unknown list(number))"]);
    let found = errors("output \"a\" { value = provider::aws::arn_parse() }\n");
    assert!(found[0].contains("arn"), "{found:?}");
}
