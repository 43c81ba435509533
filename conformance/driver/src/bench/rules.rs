//! The table of rules: `hcl test`, conftest and tflint with the same three rules on the same 1,000 files, which must find the same.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::process::{Cost, cost, middle};
use crate::programs::{self, answer, run};

/// How often each command runs; the median counts.
const TURNS: usize = 3;

/// The files of a directory, and the directories.
const FILES: usize = 10;
const DIRECTORIES: usize = 100;

/// Three parts of each file have a finding.
const FINDINGS: usize = 3 * FILES * DIRECTORIES;

const CONFTEST: (&str, &str) = ("github.com/open-policy-agent/conftest", "v0.71.1");
const TFLINT: (&str, &str) = ("github.com/terraform-linters/tflint", "v0.64.0");

/// The rules for conftest. A block is a list of objects.
const POLICY: &str = r#"package main

import rego.v1

deny contains msg if {
	some name, blocks in input.variable
	some block in blocks
	not block.description
	msg := sprintf("%s has no description", [name])
}

deny contains msg if {
	some name, blocks in input.output
	some block in blocks
	not block.description
	msg := sprintf("%s has no description", [name])
}

deny contains msg if {
	some name, blocks in input.variable
	some block in blocks
	not block.type
	msg := sprintf("%s has no type", [name])
}
"#;

/// The rules for tflint, which contains them.
const SETTINGS: &str = r#"config {
  disabled_by_default = true
}

rule "terraform_documented_variables" {
  enabled = true
}

rule "terraform_documented_outputs" {
  enabled = true
}

rule "terraform_typed_variables" {
  enabled = true
}
"#;

/// The rules of `hcl test`, which it contains.
const OWN: [&str; 3] =
    ["terraform-variable-description", "terraform-output-description", "terraform-variable-type"];

/// Prints how long the same rules take.
pub(super) fn table(folder: &Path) -> Result<String> {
    let own = programs::own(true)?.join("hcl");
    let conftest = built(folder, CONFTEST)?;
    let tflint = built(folder, TFLINT)?;
    let files = folder.join("rules");
    if files.exists() {
        fs::remove_dir_all(&files)?;
    }
    let lines = write(&files.join("modules"))?;
    fs::create_dir_all(files.join("policy"))?;
    fs::write(files.join("policy/main.rego"), POLICY)?;
    fs::write(files.join("modules/.tflint.hcl"), SETTINGS)?;
    let settings = files.join("modules/.tflint.hcl").display().to_string();
    let filters = OWN.iter().flat_map(|name| ["--filter", *name]);
    let words: Vec<&str> = ["test", "--rules", "builtin:terraform", "--report", "json", "modules"]
        .into_iter()
        .chain(filters)
        .collect();
    let rows = [
        ("hcl test", measured(&own, &words, &files, 0, |found| count(&found["diagnostics"]))?),
        (
            "conftest 0.71",
            measured(
                &conftest,
                &["test", "--policy", "policy", "--output", "json", "modules"],
                &files,
                1,
                |found| found.as_array().into_iter().flatten().map(|file| count(&file["failures"])).sum(),
            )?,
        ),
        (
            "tflint 0.64",
            measured(
                &tflint,
                &["--chdir", "modules", "--recursive", "--format", "json", "--config", &settings],
                &files,
                2,
                |found| count(&found["issues"]),
            )?,
        ),
    ];
    let mut table = format!(
        "### Rules: CPU time, time, peak memory of three rules on {} files of {lines} lines\n\n\
         | | | CPU time, time: times that of hcl test |\n| --- | --- | --- |\n",
        FILES * DIRECTORIES
    );
    let first = rows[0].1;
    for (name, own) in rows {
        let (processor, elapsed) = (own.processor / first.processor, own.elapsed / first.elapsed);
        writeln!(table, "| {name} | {own} | {processor:.1}, {elapsed:.1} |")?;
    }
    Ok(table + "\n")
}

/// What a program takes, which must find what the others find.
fn measured(
    program: &Path,
    words: &[&str],
    at: &Path,
    code: i32,
    count: impl Fn(&Value) -> usize,
) -> Result<Cost> {
    let command = || {
        let mut command = Command::new(program);
        command.args(words).current_dir(at).stdin(Stdio::null()).stderr(Stdio::null());
        command
    };
    let found = command().output().with_context(|| format!("cannot run {}", program.display()))?;
    let found = serde_json::from_slice(&found.stdout).with_context(|| {
        format!("{} prints no JSON: {}", program.display(), String::from_utf8_lossy(&found.stdout))
    })?;
    let count = count(&found);
    ensure!(count == FINDINGS, "{} finds {count}, not {FINDINGS}", program.display());
    let costs = (0..TURNS).map(|_| cost(&mut command(), &[code])).collect::<Result<Vec<_>>>()?;
    Ok(middle(&costs))
}

fn count(list: &Value) -> usize {
    list.as_array().map_or(0, Vec::len)
}

/// The program of a module that the proxy of Go serves, which is built once.
fn built(folder: &Path, (module, version): (&str, &str)) -> Result<PathBuf> {
    let name = module.rsplit('/').next().unwrap_or(module);
    let program = folder.join(format!("{name}-{version}"));
    if program.exists() {
        return Ok(program);
    }
    let found =
        answer(Command::new("go").args(["mod", "download", "-json", &format!("{module}@{version}")]))?;
    let found: Value = serde_json::from_str(&found)?;
    let source = found["Dir"].as_str().context("the proxy does not say where the module is")?;
    run(Command::new("go").current_dir(source).args(["build", "-o"]).arg(&program).arg("."))?;
    Ok(program)
}

/// Writes the files. Returns the number of their lines.
fn write(at: &Path) -> Result<usize> {
    let mut lines = 0;
    for directory in 0..DIRECTORIES {
        let directory = at.join(format!("module{directory}"));
        fs::create_dir_all(&directory)?;
        for file in 0..FILES {
            let text = text(file);
            lines += text.lines().count();
            fs::write(directory.join(format!("part{file}.tf")), text)?;
        }
    }
    Ok(lines)
}

fn text(at: usize) -> String {
    format!(
        r#"variable "name_{at}" {{
  type        = string
  description = "The name that everything starts with."

  validation {{
    condition     = length(var.name_{at}) < 40
    error_message = "The name is too long."
  }}
}}

variable "size_{at}" {{
  type    = number
  default = {at}
}}

variable "tags_{at}" {{
  description = "Tags."
  default     = {{}}
}}

locals {{
  prefix_{at} = "${{var.name_{at}}}-part{at}"
  tags_{at}   = merge(var.tags_{at}, {{ Name = local.prefix_{at}, Size = tostring(var.size_{at}) }})
}}

resource "aws_s3_bucket" "bucket_{at}" {{
  bucket = lower(local.prefix_{at})
  tags   = local.tags_{at}
}}

resource "aws_instance" "node_{at}" {{
  count = var.size_{at} > 5 ? 2 : 1

  ami           = "ami-0123456789abcdef0"
  instance_type = "t3.micro"
  tags          = local.tags_{at}

  root_block_device {{
    volume_size = 10 + var.size_{at}
  }}
}}

output "bucket_{at}" {{
  value       = aws_s3_bucket.bucket_{at}.arn
  description = "The bucket."
}}

output "nodes_{at}" {{
  value = [for node in aws_instance.node_{at} : node.id]
}}
"#
    )
}
