//! Objects with the schemas of providers.

use hclkit_module::{Dialect, Evaluation, Memory, ModuleLoader, Schemas};

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
              "group": { "nesting_mode": "group", "block": { "attributes": { "name": { "type": "string", "optional": true } } } },
              "any":   { "nesting_mode": "list", "block": { "attributes": { "is": { "type": "dynamic", "optional": true, "computed": true } } } }
            }
          }
        },
        "aws_route": {
          "block": {
            "attributes": {
              "secret": { "type": "string", "optional": true, "write_only": true },
              "hop": { "nested_type": { "nesting_mode": "single", "attributes": {
                "name": { "type": "string", "required": true },
                "id":   { "type": "string", "computed": true },
                "cost": { "type": "number", "optional": true, "computed": true }
              } }, "optional": true },
              "hops": { "nested_type": { "nesting_mode": "map", "attributes": {
                "id": { "type": "string", "computed": true },
                "to": { "nested_type": { "nesting_mode": "list", "attributes": { "port": { "type": "number", "computed": true, "optional": true } } }, "optional": true }
              } }, "optional": true }
            },
            "block_types": {
              "rule": { "nesting_mode": "map", "block": { "attributes": {
                "port": { "type": "number", "required": true },
                "id":   { "type": "string", "computed": true } } } },
              "from": { "nesting_mode": "list", "min_items": 1, "max_items": 2, "block": { "attributes": { "zone": { "type": "string", "optional": true } } } },
              "time": { "nesting_mode": "single", "block": { "attributes": { "zone": { "type": "string", "optional": true } } } }
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
    },
    "registry.terraform.io/someone/aws-beta": {
      "resource_schemas": {
        "aws_route": { "block": { "attributes": { "beta": { "type": "string", "optional": true } } } }
      }
    }
  }
}"#;

fn evaluate(text: &str) -> Evaluation {
    let files = Memory::from_iter([("main.tf", text)]);
    let schemas = Schemas::from_json(SCHEMAS.as_bytes()).unwrap();
    ModuleLoader::new(Dialect::terraform()).with_files(files).with_schemas(schemas).load().evaluate(&[])
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

/// A provider may set such blocks, whose type then is that of their values: a conditional may find a common type.
#[test]
fn blocks_with_attributes_of_any_type_may_have_any_type() {
    let text = r#"
resource "aws_instance" "web" {
  for_each = { a = 1, b = 2 }
  ami      = "a"
  dynamic "any" {
    for_each = each.key == "a" ? [1] : []
    content {
      is = [any.value]
    }
  }
}
locals {
  all = true ? [for own in aws_instance.web : { any = own.any }] : [for own in [] : own]
}
output "none" { value = aws_instance.web["b"].any }
output "all" { value = local.all[*].any }
"#;
    assert_eq!(outputs(text), ["none = (unknown)", "all = [(unknown), (unknown)]"]);
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
            // A provider may set blocks that have attributes that it sets.
            "none = [null, (unknown list(object({…}))), toset([])]",
        ]
    );
}

#[test]
fn unknown_names_are_errors_with_a_schema() {
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

#[test]
fn blocks_with_labels_are_maps() {
    let text = r#"
resource "aws_route" "a" {
  from {
  }
  rule "http" {
    port = "80"
  }
  dynamic "rule" {
    for_each = { https = 443 }
    labels   = [rule.key]
    content {
      port = rule.value
    }
  }
}
resource "aws_route" "b" {
  from {
  }
}
output "ports" { value = { for name, rule in aws_route.a.rule : name => rule.port } }
output "id" { value = aws_route.a.rule["http"].id }
output "none" { value = aws_route.b.rule }
"#;
    assert_eq!(outputs(text), ["ports = { http = 80, https = 443 }", "id = (unknown string)", "none = {}"]);
    let only = "resource \"aws_route\" \"a\" {\n  from {\n  }\n  rule \"http\" {\n    port = 1\n  }\n}\noutput \"rule\" { value = aws_route.a.rule }\n";
    assert_eq!(outputs(only), ["rule = { http = { id = (unknown string), port = 1 } }"]);
}

#[test]
fn attributes_in_objects_are_unknown_where_the_provider_sets_them() {
    let text = r#"
resource "aws_route" "a" {
  secret = "s"
  hop    = { name = "x", cost = 2 }
  hops   = { b = { to = [{}, { port = 1 }] } }
  from {
  }
}
resource "aws_route" "b" {
  hop = { name = "x" }
  from {
  }
}
output "hop" { value = aws_route.a.hop }
output "cost" { value = aws_route.b.hop.cost }
output "ports" { value = aws_route.a.hops["b"].to[*].port }
output "id" { value = aws_route.a.hops["b"].id }
output "none" { value = aws_route.b.hops }
output "secret" { value = aws_route.a.secret }
"#;
    assert_eq!(
        outputs(text),
        [
            "hop = { cost = 2, id = (unknown string), name = \"x\" }",
            "cost = (unknown number)",
            "ports = [(unknown number), 1]",
            "id = (unknown string)",
            "none = null",
            "secret = null",
        ]
    );
}

#[test]
fn the_number_of_blocks_is_checked() {
    let text = r#"
resource "aws_route" "a" {
  hop = { cost = 1 }
  time {
  }
  time {
  }
}
resource "aws_route" "b" {
  from {
  }
  from {
  }
  from {
  }
}
resource "aws_route" "c" {
  dynamic "from" {
    for_each = []
    content {}
  }
  rule "x" {
  }
}
"#;
    let found = errors(text);
    let all = found.join("\n");
    for part in [
        "2: At least 1 block of type `from` is required.",
        "6: At most 1 block of type `time` is allowed.",
        "14: At most 2 blocks of type `from` are allowed.",
        "attribute \"name\" is required",
        "`port` is required",
    ] {
        assert!(all.contains(part), "{part} is missing:\n{all}");
    }
    assert_eq!(found.len(), 5, "{all}");
}

/// A provider can be given another name, and several providers can have the same types.
#[test]
fn required_providers_decide_which_schema_applies() {
    let providers = "terraform {\n  required_providers {\n    aws   = { source = \"hashicorp/aws\" }\n    other = { source = \"registry.terraform.io/someone/aws-beta\" }\n  }\n}\n";
    let beta = "resource \"aws_route\" \"a\" {\n  provider = other.eu\n  beta     = 1\n}\noutput \"beta\" { value = aws_route.a.beta }\n";
    assert_eq!(outputs(&format!("{providers}{beta}")), ["beta = \"1\""]);
    let renamed = "terraform {\n  required_providers {\n    aws = { source = \"someone/aws-beta\" }\n  }\n}\nresource \"aws_route\" \"a\" {\n  beta = 1\n}\n";
    assert!(errors(renamed).is_empty(), "{:?}", errors(renamed));
    let own = errors("resource \"aws_route\" \"a\" {\n  beta = 1\n  from {\n  }\n}\n");
    assert!(own[0].contains("`beta`"), "{own:?}");
}
