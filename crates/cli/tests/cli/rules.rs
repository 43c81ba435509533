//! `hcl test`: rules, their tests, unknown conditions, comments, baselines, fixes, and what rule files may read.

use crate::program::Folder;

const RULES: &str = r#"param "prefix" {
  type    = string
  default = "acme-"
}

rule "bucket-prefix" {
  match     = "resource.aws_s3_bucket.*"
  condition = startswith(self.bucket, param.prefix)
  message   = "The name ${self.bucket} does not begin with ${param.prefix}."
  at        = "bucket"

  fix {
    set = { bucket = "${param.prefix}${self.bucket}" }
  }
}

test "prefix" {
  expect = ["bucket-prefix: aws_s3_bucket.b"]
  source = <<-EOT
    resource "aws_s3_bucket" "a" {
      bucket = "acme-logs"
    }
    resource "aws_s3_bucket" "b" {
      bucket = "logs"
    }
  EOT
}
"#;

const MAIN: &str = r#"variable "env" {
  type = string
}
resource "aws_s3_bucket" "data" {
  bucket = "data"
}
resource "aws_s3_bucket" "open" {
  bucket = var.env
}
# hcl: ignore bucket-prefix it is old
resource "aws_s3_bucket" "old" {
  bucket = "old"
}
"#;

fn folder() -> Folder {
    Folder::with(&[("s3.rules.hcl", RULES), ("main.tf", MAIN)])
}

#[test]
fn rules_pass_fail_or_are_unknown() {
    let folder = folder();
    let (last, code, all) = folder.ended(&["test"]);
    assert_eq!((last.as_str(), code), ("1 passed, 1 failed, 1 unknown, 1 skipped", 1), "{all}");
    assert!(all.contains("The name data does not begin with acme-."), "{all}");
    assert!(all.contains("`bucket` is not known because of var.env"), "{all}");
    let (last, code, all) = folder.ended(&["test", "--param", "prefix=da", "--filter", "bucket-*"]);
    assert_eq!((last.as_str(), code), ("1 passed, 0 failed, 1 unknown, 1 skipped", 0), "{all}");
    let (_, code, all) =
        folder.ended(&["test", "--param", "prefix=da", "--filter", "bucket-*", "--if-unknown", "fail"]);
    assert!(code == 1 && all.contains("error[rule-unknown]"), "{all}");
    let (_, _, all) = folder.ended(&["test", "--if-unknown", "pass"]);
    assert!(!all.contains("rule-unknown"), "{all}");
}

/// What another file of the directory declares as sensitive is in no message.
#[test]
fn declarations_that_another_file_makes_sensitive_are_not_shown() {
    let rules = "rule \"shown\" {\n  match = \"variable.*\"\n  condition = false\n  message = \"It is ${jsonencode(self)}.\"\n}\n";
    let ty = "  type = object({ a = optional(string, \"CANARY\") })\n";
    let main = format!("variable \"d\" {{\n{ty}}}\nvariable \"e\" {{\n  default = \"CANARY\"\n}}\n");
    let json = r#"{ "variable": { "d": { "sensitive": true }, "e": { "sensitive": true } } }"#;
    let native = "variable \"d\" {\n  sensitive = true\n}\nvariable \"e\" {\n  sensitive = true\n}\n";
    for (name, text) in [("main_override.tf", native), ("main_override.tf.json", json)] {
        let folder = Folder::with(&[
            ("p.rules.hcl", rules),
            ("new/main.tf", &main),
            (&format!("new/{name}"), text),
            ("old/a.tf", ""),
        ]);
        for command in [
            &["test", "--rules", "p.rules.hcl", "new"] as &[&str],
            &["diff", "--rules", "p.rules.hcl", "old", "new"],
        ] {
            let (_, code, all) = folder.ended(command);
            // The excerpt of a file shows its head.
            assert!(
                code == 1 && all.contains("shown") && !all.contains("CANARY"),
                "{name}: {command:?}: {all}"
            );
        }
    }
}

/// What is written is known, whether or not there are instances.
#[test]
fn constants_are_known_without_instances() {
    let rules = "rule \"protocol\" {\n  match = \"resource.*.*.protocol\"\n  condition = self == \"tcp\"\n  message = \"The protocol is ${self}.\"\n}\n";
    let resource = |name: &str, rest: &str, protocol: &str| {
        format!("resource \"aws_rule\" \"{name}\" {{\n  {rest}\n  protocol = {protocol}\n}}\n")
    };
    let main = [
        "variable \"n\" {}\nvariable \"p\" {}\n".to_owned(),
        resource("counted", "count = var.n", "\"tcp\""),
        resource("each", "for_each = toset(var.n)", "\"udp\""),
        resource("open", "count = var.n", "var.p"),
        resource("one", "", "\"tcp\""),
    ];
    let folder = Folder::with(&[("p.rules.hcl", rules), ("main.tf", &main.concat())]);
    let (last, code, all) = folder.ended(&["test"]);
    assert_eq!((last.as_str(), code), ("2 passed, 1 failed, 1 unknown", 1), "{all}");
    assert!(all.contains("The protocol is udp."), "{all}");
}

#[test]
fn fixes_are_shown_and_written() {
    let folder = folder();
    let (_, code, all) = folder.ended(&["test", "--fix"]);
    assert!(code == 1 && all.contains("+  bucket = \"acme-data\""), "{all}");
    assert_eq!(folder.read("main.tf"), MAIN);
    let (last, code, all) = folder.ended(&["test", "--fix", "--write"]);
    assert_eq!(code, 0, "{last} {all}");
    assert_eq!(folder.read("main.tf"), MAIN.replace("\"data\"\n}", "\"acme-data\"\n}"));
}

#[test]
fn a_baseline_lists_findings_once() {
    let folder = folder();
    let (_, code, all) = folder.ended(&["test", "--baseline", "b.json", "--update-baseline"]);
    assert_eq!(code, 0, "{all}");
    let (_, code, all) = folder.ended(&["test", "--baseline", "b.json"]);
    assert_eq!(code, 0, "{all}");
    folder.write("more.tf", "resource \"aws_s3_bucket\" \"more\" {\n  bucket = \"more\"\n}\n");
    let (_, code, all) = folder.ended(&["test", "--baseline", "b.json"]);
    assert!(code == 1 && all.contains("The name more does not begin"), "{all}");
}

#[test]
fn rules_are_checked_before_they_run() {
    for (rule, expected) in [
        ("match = \"a.*\"\n  condition = slf.x\n  message = \"m\"", "Did you mean `self`?"),
        ("match = \"a.*\"\n  condition = lenght(self.x) > 0\n  message = \"m\"", "Did you mean `length`?"),
        ("match = \"a.*\"\n  condition = \"x\"\n  message = \"m\"", "`condition` is wrong"),
        ("match = a.*\n  condition = true\n  message = \"m\"", "Write it in quotes: `\"a.*\"`"),
        ("match = \"a..[\"\n  condition = true\n  message = \"m\"", "The path `a..[` is wrong"),
        ("match = \"a.*\"\n  conditon = true\n  message = \"m\"", "Did you mean `condition`?"),
        ("match = \"a.*\"\n  condition = param.x\n  message = \"m\"", "no attribute named `x`"),
        ("match = \"a.*\"\n  condition = true", "A rule must have `message`"),
        ("match = \"a.*\"\n  condition = true\n  message = \"m\"\n  severity = \"bad\"", "`severity` is"),
        (
            "match = \"a.*\"\n  condition = true\n  message = \"m\"\n  fix {\n    sett = {}\n  }",
            "Did you mean `set`?",
        ),
        (
            "match = \"a.*\"\n  condition = file(\"/etc/passwd\") == \"\"\n  message = \"m\"",
            "reading files is not granted",
        ),
    ] {
        let folder = Folder::with(&[("a.rules.hcl", &*format!("rule \"r\" {{\n  {rule}\n}}\n"))]);
        let (_, code, all) = folder.ended(&["test"]);
        assert!(code == 1 && all.contains(expected), "{rule}: {code} {all}");
    }
}

#[test]
fn rules_import_only_what_is_in_their_repository() {
    let folder = Folder::with(&[
        ("own/.git/HEAD", ""),
        (
            "own/rules/a.rules.hcl",
            "import = [\"../common.rules.hcl\"]\nrule \"a\" {\n  match     = \"x\"\n  condition = self == local.one\n  message   = \"not one\"\n}\n",
        ),
        ("own/common.rules.hcl", "locals {\n  one = 1\n}\n"),
        ("own/x.hcl", "x = 2\n"),
        ("other/secret.rules.hcl", "locals {\n  one = \"hunter2\"\n}\n"),
    ]);
    let (_, code, all) = folder.ended(&["test", "--rules", "own/rules", "own/x.hcl"]);
    assert!(code == 1 && all.contains("not one"), "{all}");
    for path in ["../../other/secret.rules.hcl", "/etc/x.rules.hcl"] {
        folder.write("own/rules/a.rules.hcl", format!("import = [{path:?}]\n"));
        let (_, code, all) = folder.ended(&["test", "--rules", "own/rules", "own/x.hcl"]);
        assert!(code == 1 && all.contains("it is not in the repository"), "{all}");
    }
}

#[test]
fn settings_name_rules_in_their_directory() {
    let folder = Folder::with(&[
        ("hcl.toml", "[test]\nrules = [\"policy\", \"builtin:terraform\"]\nparams = { prefix = \"x-\" }\n"),
        ("policy/s3.rules.hcl", RULES),
        ("main.tf", MAIN),
    ]);
    let (_, _, all) = folder.ended(&["test", "--filter", "bucket-prefix"]);
    assert!(all.contains("does not begin with x-."), "{all}");
    folder.write("hcl.toml", "[test]\nrules = [\"../\"]\n");
    let (_, code, all) = folder.ended(&["test"]);
    assert!(code == 2 && all.contains("not in the directory of the settings"), "{all}");
}

#[test]
fn nothing_to_run_is_an_error() {
    let folder = Folder::with(&[("main.tf", MAIN)]);
    let (_, code, all) = folder.ended(&["test"]);
    assert!(code == 2 && all.contains("no rules or tests in ."), "{all}");
    let (_, code, all) = folder.ended(&["test", "--rules", "builtin:awz"]);
    assert!(code == 2 && all.contains("did you mean `aws`"), "{all}");
}

/// What all matches see is computed once, and the limits hold for a part of the rules: nothing is quadratic, and a large file with many rules
/// is within the limits.
#[test]
fn large_files_are_within_the_limits() {
    let block = |at: usize| format!("resource \"a\" \"b{at}\" {{\n  x = {at}\n}}\n");
    let rule = |at: usize| {
        let condition = if at == 0 { "length(module.blocks.resource) == 1500" } else { "self.x >= 0" };
        format!(
            "rule \"r{at}\" {{\n  match     = \"resource.a.*\"\n  condition = {condition}\n  message   = \"No.\"\n}}\n"
        )
    };
    let blocks = (0..1_500).map(block).collect::<Vec<_>>().concat();
    let rules = (0..100).map(rule).collect::<Vec<_>>().concat();
    let folder = Folder::with(&[("main.tf", &blocks), ("rules/a.rules.hcl", &rules)]);
    let (_, code, all) = folder.ended(&["test", "--max-elements", "3000000", "--rules", "rules", "main.tf"]);
    assert_eq!((code, &*all), (0, "150000 passed, 0 failed\n"));
}

#[test]
fn reports_list_rules_pages_and_what_passed() {
    let folder = folder();
    folder.write("s3.rules.hcl", RULES.replace("  at  ", "  url = \"https://example.com/bucket\"\n  at  "));
    let (_, code, all) = folder.ended(&["test", "--report", "junit"]);
    assert_eq!(code, 1, "{all}");
    assert!(all.contains("tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"1\">\n    <testcase"), "{all}");
    assert!(all.contains("<testcase name=\"prefix\" classname=\"s3.rules.hcl\"></testcase>"), "{all}");
    assert!(all.contains("<skipped message=\"a comment ignores it\"/>"), "{all}");
    let (_, _, all) = folder.ended(&["test", "--report", "sarif"]);
    assert!(all.contains("\"helpUri\": \"https://example.com/bucket\""), "{all}");
    // Also rules that find nothing.
    let (_, _, all) = folder.ended(&["test", "--report", "sarif", "--rules", "builtin:bake", "main.tf"]);
    assert!(
        all.contains("\"helpUri\": \"https://github.com/hclkit/hclkit/blob/main/docs/builtin-rules.md#"),
        "{all}"
    );
    folder.write("s3.rules.hcl", RULES.replace("  at  ", "  url = \"javascript:alert(1)\"\n  at  "));
    let (_, code, all) = folder.ended(&["test"]);
    assert!(code == 1 && all.contains("`url` is the address of a page"), "{all}");
}

#[test]
fn fixes_that_are_impossible_are_said() {
    let folder = folder();
    folder.write("main.tf", "variable \"name\" {\n  default   = \"CANARY\"\n  sensitive = true\n}\nresource \"aws_s3_bucket\" \"b\" {\n  bucket = var.name\n}\n");
    let (_, code, all) = folder.ended(&["test", "--fix"]);
    assert!(code == 1 && all.contains("some findings of bucket-prefix are not fixed"), "{all}");
    assert!(!all.contains("CANARY"), "{all}");
    let (_, _, all) = folder.ended(&["test"]);
    assert!(!all.contains("are not fixed"), "{all}");
}

/// Rules that see blocks, instances and modules in different ways.
const SEEN: &str = r#"rule "whole" {
  match     = "resource.*.*"
  condition = length(self) > 20
  message   = "keys: ${join(",", keys(self))}"
}
rule "by-index" {
  match     = "variable.*"
  condition = try(self["description"], null) != null
  message   = "description"
}
rule "nested" {
  match     = "resource.aws_instance.*"
  condition = alltrue([for disk in self.root_block_device : disk.volume_size < 20])
  message   = "size"
}
rule "around" {
  match     = "resource.aws_instance.*.root_block_device"
  condition = parent.instance_type == "t3.large"
  message   = "type ${parent.instance_type}"
}
rule "argument" {
  match     = "resource.*.*.tags"
  condition = self.Name == "a"
  message   = "name ${self.Name}"
}
rule "module" {
  match     = "output.*"
  condition = length(module.blocks.resource) == 0
  message   = "${length(module.blocks.resource)} resources, tags ${jsonencode(module.blocks.resource[0].self.tags)}"
}
rule "references" {
  match     = "variable.*"
  condition = length(item.used_by) > 0
  message   = "unused: ${item.address}"
}
rule "number" {
  match     = "resource.aws_instance.*[instance_type == \"t3.micro\"]"
  condition = self.ami == "ami-1"
  message   = "${item.address} has ${self.ami}"
}
"#;

const CALLED: &str = r#"variable "name" {
  type = string
}
variable "unused" {
  default = 1
}
resource "aws_instance" "node" {
  for_each      = toset(["a", "b"])
  ami           = each.key == "a" ? "ami-1" : "ami-2"
  instance_type = "t3.micro"
  tags          = { Name = var.name }
  root_block_device {
    volume_size = each.key == "a" ? 10 : 100
  }
  dynamic "ebs_block_device" {
    for_each = [1, 2]
    content {
      device_name = "sd${ebs_block_device.value}"
    }
  }
}
output "nodes" {
  value = aws_instance.node
}
"#;

/// A rule finds the same alone, when it sees a part of what all rules see: only the modules and arguments that it needs are evaluated.
#[test]
fn rules_find_the_same_alone() {
    let folder = Folder::with(&[
        ("rules/seen.rules.hcl", SEEN),
        (
            "app/main.tf",
            "module \"a\" {\n  source = \"../called\"\n  name   = \"a\"\n}\nmodule \"b\" {\n  source = \"../called\"\n  name   = local.b\n}\nlocals {\n  b = \"b\"\n}\n",
        ),
        (
            "computed/main.tf",
            "variable \"where\" {\n  const = true\n  default = \"../inner\"\n}\nmodule \"a\" {\n  source = var.where\n}\n",
        ),
        (
            "inner/main.tf",
            "resource \"aws_instance\" \"node\" {\n  ami = \"ami-3\"\n  instance_type = \"t3.micro\"\n}\n",
        ),
        ("called/main.tf", CALLED),
        ("alone/main.tf", CALLED),
        (
            "alone/more.tf.json",
            "{\"resource\": {\"aws_instance\": {\"json\": {\"ami\": \"ami-2\", \"count\": 2, \"instance_type\": \"${lower(\\\"T3.MICRO\\\")}\"}}}, \"variable\": {\"v\": {}}}\n",
        ),
    ]);
    let run = |words: &[&str]| -> Vec<serde_json::Value> {
        let paths = ["app", "computed", "inner", "called", "alone"];
        let mut all = vec!["test", "--rules", "builtin:all", "--rules", "rules", "--report", "json"];
        all.extend(words);
        all.extend(paths);
        let output = folder.hcl(&all).get_output().clone();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        report["diagnostics"].as_array().unwrap().clone()
    };
    let all = run(&[]);
    // Of `rule-unknown` and `rule-error`, the text has the name.
    let is_of = |found: &&serde_json::Value, name: &str| {
        found["code"] == name
            || found["detail"].as_str().is_some_and(|own| own.contains(&format!("`{name}`")))
    };
    let builtin = hclkit_policy::rules::BUILTIN
        .iter()
        .flat_map(|own| own.rules().0.names().map(str::to_owned).collect::<Vec<_>>());
    let own =
        SEEN.lines().filter_map(|line| line.strip_prefix("rule \"")?.strip_suffix("\" {")).map(str::to_owned);
    let (mut found, mut rules) = (0, 0);
    for name in builtin.chain(own) {
        let alone: Vec<_> = run(&["--filter", &name]).into_iter().filter(|own| is_of(&own, &name)).collect();
        let together: Vec<_> = all.iter().filter(|own| is_of(own, &name)).cloned().collect();
        assert_eq!(alone, together, "{name}");
        assert!(!SEEN.contains(&format!("\"{name}\"")) || !alone.is_empty(), "{name} finds nothing");
        found += alone.len();
        rules += 1;
    }
    assert!(rules > 60 && found > 40, "{rules} rules, {found} findings");
}
