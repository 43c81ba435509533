//! `hcl check --fix` of what is found in modules: names, inputs, outputs, types and functions, in all files of the run.

use std::collections::BTreeMap;

use crate::program::Folder;
use serde_json::Value;
use snapbox::str;

/// A module without errors that calls another one, in both syntaxes.
const RIGHT: &[(&str, &str)] = &[
    (
        "live/main.tf",
        r#"variable "region" {
  type    = string
  default = "eu"
}

variable "subnets" {
  type    = map(object({ cidr = string }))
  default = { a = { cidr = "10.0.0.0/24" } }
}

module "network" {
  source  = "../network"
  region  = upper(var.region)
  subnets = var.subnets
}

data "aws_ami" "linux" {
  most_recent = true
}

resource "aws_instance" "web" {
  ami       = data.aws_ami.linux.id
  subnet_id = module.network.subnet
  tags      = { Name = local.prefix }
  lifecycle {
    create_before_destroy = true
  }
}
"#,
    ),
    (
        "live/outputs.tf.json",
        r#"{
  "locals": { "prefix": "${var.region}-web" },
  "output": {
    "subnet": { "value": "${module.network.subnet}" },
    "prefix": { "value": "${lower(local.prefix)}" }
  }
}
"#,
    ),
    (
        "network/main.tf",
        r#"variable "region" {
  type = string
}

variable "subnets" {
  type = map(object({ cidr = string }))
}

output "subnet" {
  value = values(var.subnets)[0].cidr
}

output "name" {
  value = format("%s-net", var.region)
}
"#,
    ),
];

/// The parts of names that are misspelled: what refers to something, and arguments.
const NAMES: &[&str] = &[
    "var.region",
    "var.subnets",
    "local.prefix",
    "module.network",
    ".linux.id",
    "network.subnet",
    "upper(",
    "lower(",
    "format(",
    "values(",
    "  region  =",
    "  subnets =",
    "create_before_destroy",
    "type    = string",
    "default = \"eu\"",
    "].cidr",
];

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    let output = folder.hcl(&[&["check", "--report", "json", "live", "network"], arguments].concat());
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

/// How often each finding is reported: without its place, which fixes move.
fn findings(report: &Value) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    for found in report["diagnostics"].as_array().unwrap() {
        let file = &found["file"];
        *all.entry(format!("{file} {} {}", found["code"], found["detail"])).or_default() += 1;
    }
    all
}

#[test]
fn names_are_fixed_in_all_files() {
    let folder = Folder::with(&[
        (
            "main.tf",
            r#"variable "region" {
  type    = "string"
  default = "eu"
}
locals { prefix = var.regin }
module "m" {
  source = "./m"
  zon    = local.prefx
}
output "o" { value = [module.m.idd, uper("x"), local.prefix] }
resource "aws_sqs_queue" "q" {
  name = aws_ami.linux.id
  lifecycle { prevent_destory = true }
}
data "aws_ami" "linux" {}
output "p" { value = aws_sqs_queue.qq.id }
output "r" { value = local.prefx } # hcl-check: allow unknown-variable as it is
"#,
        ),
        ("m/main.tf", "variable \"zone\" { default = \"a\" }\noutput \"id\" { value = var.zon }\n"),
    ]);
    folder.hcl(&["check", "--fix", "--write"]).code(1).stdout_eq(str![[r#"
error[unknown-variable]: Unknown variable
  --> main.tf:16:35
   |
16 | output "p" { value = aws_sqs_queue.qq.id }
   |                                   ^^^
   |
   = note: `aws_sqs_queue.qq` is not defined.

Fixed 1 error in m/main.tf:
  m/main.tf:2:26: Write `zone`
Fixed 8 errors in main.tf:
  main.tf:2:13: Remove the quotes
  main.tf:5:22: Write `region`
  main.tf:8:3: Write `zone`
  main.tf:8:17: Write `prefix`
  main.tf:10:31: Write `id`
  main.tf:10:37: Write `upper`
  main.tf:12:10: Write `data.aws_ami.linux`
  main.tf:13:15: Write `prevent_destroy`
Checked 2 files: 1 error in 1 file

"#]]);
    assert_eq!(
        folder.read("m/main.tf"),
        "variable \"zone\" { default = \"a\" }\noutput \"id\" { value = var.zone }\n"
    );
    assert!(folder.read("main.tf").contains("output \"r\" { value = local.prefx }"));
    // Nothing is left to do.
    let before = folder.read("main.tf");
    folder.hcl(&["check", "--fix", "--write"]).code(1);
    assert_eq!(folder.read("main.tf"), before);
}

#[test]
fn a_diff_has_fixes_of_syntax_and_names() {
    let text = "locals {\n  zone = 'x'\n}\noutput \"o\" {\n  value = local.zonee\n}\n";
    let folder = Folder::with(&[("main.tf", text)]);
    folder.hcl(&["check", "--fix"]).code(1).stdout_eq(str![[r#"
--- a/main.tf
+++ b/main.tf
@@ -1,6 +1,6 @@
 locals {
-  zone = 'x'
+  zone = "x"
 }
 output "o" {
-  value = local.zonee
+  value = local.zone
 }

"#]]);
    assert_eq!(folder.read("main.tf"), text);
    folder.hcl(&["check", "--fix", "--write"]).success().stdout_eq(str![[r#"
Fixed 2 errors in main.tf:
  main.tf:2:10: Use double quotes
  main.tf:5:16: Write `zone`
Checked 1 file: no problems found

"#]]);
    assert_eq!(folder.read("main.tf"), text.replace('\'', "\"").replace("zonee", "zone"));
}

#[test]
fn only_files_that_are_checked_change() {
    let caller = "module \"m\" {\n  source = \"./m\"\n  zon = 1\n}\n";
    let module = "variable \"zone\" {}\noutput \"o\" {\n  value = var.zon\n}\n";
    let folder = Folder::with(&[("main.tf", caller), ("m/main.tf", module)]);
    folder.hcl(&["check", "--fix", "--write", "m"]).success();
    assert_eq!(folder.read("main.tf"), caller);
    assert_eq!(folder.read("m/main.tf"), module.replace("var.zon\n", "var.zone\n"));
    folder.write("m/main.tf", module);
    folder.hcl(&["check", "--fix", "--write", "main.tf"]).code(1);
    assert_eq!(folder.read("main.tf"), caller.replace("zon =", "zone ="));
    assert_eq!(folder.read("m/main.tf"), module);
    // A fix that is allowed by options or a baseline is not made.
    folder.write("main.tf", caller);
    folder.hcl(&["check", "--fix", "--write", "--allow", "unsupported-input", "main.tf"]).code(1);
    assert_eq!(folder.read("main.tf"), caller);
}

/// Random misspellings of names in modules: what is reported as fixed is gone, and nothing else is found than before.
#[test]
fn fixes_in_modules_leave_no_new_findings() {
    let mut random = fastrand::Rng::with_seed(54);
    let folder = Folder::with(RIGHT);
    assert_eq!(json(&folder, &[])["errors"], 0);
    let (mut all, mut fixed, mut restored) = (0, 0, 0);
    for _ in 0..60 {
        let mut texts: Vec<(&str, String)> =
            RIGHT.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
        for _ in 0..=random.usize(..4) {
            let name = NAMES[random.usize(..NAMES.len())];
            let (_, text) = random.choice(&mut texts).unwrap();
            let places: Vec<usize> = text.match_indices(name).map(|(at, _)| at).collect();
            let Some(at) = random.choice(&places) else { continue };
            let letters: Vec<usize> =
                name.char_indices().filter(|(_, own)| own.is_alphabetic()).map(|(own, _)| at + own).collect();
            let at = *random.choice(&letters).unwrap();
            match random.usize(..4) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, 'x'),
                2 => text.replace_range(at..=at, "x"),
                _ => {
                    *text = text.replacen("type    = string", "type    = \"string\"", 1).replacen(
                        "data.aws_ami",
                        "aws_ami",
                        1,
                    );
                }
            }
        }
        for (name, text) in &texts {
            folder.write(name, text);
        }
        let before = findings(&json(&folder, &[]));
        let shown = json(&folder, &["--fix"]);
        assert_eq!(findings(&shown), before, "{texts:?}");
        for (name, text) in &texts {
            assert_eq!(&folder.read(name), text, "without --write");
        }
        let report = json(&folder, &["--fix", "--write"]);
        let mistakes: u64 =
            report["fixed"].as_array().unwrap().iter().map(|file| file["mistakes"].as_u64().unwrap()).sum();
        let after = findings(&report);
        let count = |of: &BTreeMap<String, usize>| of.values().sum::<usize>();
        for (finding, times) in &after {
            assert!(before.get(finding).is_some_and(|own| own >= times), "{finding} is new in {texts:?}");
        }
        assert!(mistakes == 0 || count(&after) < count(&before), "{texts:?}");
        assert_eq!(shown["fixed"].as_array().unwrap().len(), report["fixed"].as_array().unwrap().len());
        assert_eq!(
            findings(&json(&folder, &[])),
            after,
            "the report is that of a check of the written files"
        );
        let again = json(&folder, &["--fix", "--write"]);
        assert!(again["fixed"].as_array().unwrap().is_empty(), "{texts:?}");
        all += count(&before);
        fixed += count(&before) - count(&after);
        restored += usize::from(RIGHT.iter().all(|(name, text)| folder.read(name) == *text));
    }
    println!("{fixed} of {all} findings are fixed, {restored} of 60 modules are what they were");
    assert!(fixed * 10 >= all * 7, "{fixed} of {all}");
    assert!(restored >= 30, "{restored}");
}
