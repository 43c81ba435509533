//! The table of monorepos: `hcl check` of many modules that call each other, and of a chain of calls.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::process::{cost, middle};
use crate::programs;

/// How often each command runs; the median counts.
const TURNS: usize = 3;

/// The number of root modules. There are 3,600 other modules, so 4,020 directories with 20,520 files.
const ROOTS: usize = 420;

/// The modules of each of three layers, for each ten root modules.
const LAYER: usize = 1_200;

const VARIABLES: &str = r#"variable "name" {
  type        = string
  description = "The name that everything starts with."
}

variable "environment" {
  type    = string
  default = "test"

  validation {
    condition     = contains(["test", "live"], var.environment)
    error_message = "The environment must be test or live."
  }
}

variable "tags" {
  type    = map(string)
  default = {}
}

variable "sizes" {
  type    = list(number)
  default = [1, 2, 3]
}
"#;

const LOCALS: &str = r#"locals {
  prefix = "${var.name}-${var.environment}"
  tags   = merge(var.tags, { Name = local.prefix })
  sizes  = { for at, size in var.sizes : "s${at}" => size * 2 }
}
"#;

const MAIN: &str = r#"resource "aws_instance" "nodes" {
  for_each = local.sizes

  ami  = "ami-${each.key}"
  size = each.value
  tags = local.tags
}

resource "aws_s3_bucket" "logs" {
  bucket = lower("${local.prefix}-logs")
  tags   = local.tags
}
"#;

const OUTPUTS: &str = r#"output "ids" {
  value = [for node in aws_instance.nodes : node.id]
}

output "bucket" {
  value = aws_s3_bucket.logs.arn
}
"#;

const VERSIONS: &str = r#"terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}
"#;

/// Prints how long checks take.
pub(super) fn table(folder: &Path) -> Result<String> {
    let program = programs::own(true)?.join("hcl");
    let all = folder.join("monorepo");
    if all.exists() {
        fs::remove_dir_all(&all)?;
    }
    let mut table =
        "### Monorepos: CPU time, time, peak memory of `hcl check`\n\n| | |\n| --- | --- |\n".to_owned();
    for (name, write) in [
        ("402 directories", &(|at: &Path| tree(at, ROOTS / 10, LAYER / 10)) as &dyn Fn(&Path) -> Result<()>),
        ("4,020 directories", &|at| tree(at, ROOTS, LAYER)),
        ("a chain of 200 calls", &|at| chain(at, 200)),
        ("a chain of 800 calls", &|at| chain(at, 800)),
    ] {
        let directory = all.join(name.replace([' ', ','], "-"));
        write(&directory)?;
        let turn = |_| {
            let mut command = Command::new(&program);
            cost(
                command.arg("check").current_dir(&directory).stdin(Stdio::null()).stderr(Stdio::null()),
                &[0],
            )
        };
        let costs = (0..TURNS).map(turn).collect::<Result<Vec<_>>>()?;
        writeln!(table, "| {name} | {} |", middle(&costs))?;
    }
    Ok(table + "\n")
}

/// Root modules that call ten modules each. There are three layers of modules, and each module calls three of the next layer.
fn tree(at: &Path, roots: usize, layer: usize) -> Result<()> {
    let calls = |name: &str, first: usize| -> Vec<String> {
        (first..first + 3).map(|at| format!("../{name}{}", at % layer)).collect()
    };
    for number in 0..layer {
        module(&at.join(format!("modules/top{number}")), &calls("middle", 2 * number))?;
        module(&at.join(format!("modules/middle{number}")), &calls("leaf", 3 * number))?;
        module(&at.join(format!("modules/leaf{number}")), &[])?;
    }
    for number in 0..roots {
        let directory = at.join(format!("live/{}/stack{number}", number % 4));
        let calls = (0..10).map(|call| format!("../../../modules/top{}", (10 * number + call) % layer));
        module(&directory, &calls.collect::<Vec<_>>())?;
        let values = format!("name        = \"stack{number}\"\nenvironment = \"live\"\n");
        fs::write(directory.join("terraform.tfvars"), values)?;
    }
    Ok(())
}

/// Modules of which each calls the next one.
fn chain(at: &Path, length: usize) -> Result<()> {
    for number in 0..length {
        let next = (number + 1 < length).then(|| format!("../c{}", number + 1));
        module(&at.join(format!("c{number}")), next.as_slice())?;
    }
    Ok(())
}

/// A module of five files that calls others.
fn module(directory: &Path, calls: &[String]) -> Result<()> {
    fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    let (mut main, mut outputs) = (MAIN.to_owned(), OUTPUTS.to_owned());
    for (at, source) in calls.iter().enumerate() {
        write!(
            main,
            "\nmodule \"part_{at}\" {{\n  source      = \"{source}\"\n  name        = \"${{local.prefix}}-{at}\"\n  environment = var.environment\n  tags        = local.tags\n}}\n"
        )?;
        write!(outputs, "\noutput \"part_{at}\" {{\n  value = module.part_{at}.bucket\n}}\n")?;
    }
    for (name, text) in [
        ("variables.tf", VARIABLES),
        ("locals.tf", LOCALS),
        ("main.tf", &main),
        ("outputs.tf", &outputs),
        ("versions.tf", VERSIONS),
    ] {
        fs::write(directory.join(name), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_five_files_a_module_and_values_of_root_modules() {
        let directory = tempfile::tempdir().unwrap();
        let at = directory.path();
        tree(at, 7, 20).unwrap();
        let entries = |name: &str| fs::read_dir(at.join(name)).unwrap().count();
        let counts = (entries("modules"), entries("modules/leaf3"), entries("live/2/stack6"));
        assert_eq!(counts, (60, 5, 6));
    }
}
