//! The table of modules: `hcl eval` of a tree of modules beside `terraform console`, and of long chains and many instances.
//! The tree has only local modules and `terraform_data`, so that Terraform needs no providers.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::process::{Cost, cost, median, middle};
use crate::programs;

/// How often each command runs; the median counts.
const TURNS: usize = 5;

/// The address that both are asked for.
const ADDRESS: &str = "module.stack_0.last";

/// The number of stacks in the tree, which then has about 50,000 lines.
const STACKS: usize = 60;

/// The variables of every module below the root.
const VARIABLES: &str = r#"variable "name" {
  type        = string
  description = "The name that everything starts with."
}

variable "environment" {
  type = string

  validation {
    condition     = contains(["development", "production"], var.environment)
    error_message = "The environment must be development or production."
  }
}

variable "zones" {
  type    = list(string)
  default = ["a", "b", "c"]
}

variable "tags" {
  type    = map(string)
  default = {}
}

variable "services" {
  type = map(object({
    port     = number
    replicas = optional(number, 2)
    public   = optional(bool, false)
  }))
  default = {
    web    = { port = 443, replicas = 4, public = true }
    search = { port = 9200 }
    queue  = { port = 5672 }
  }
}
"#;

const ROOT: &str = r#"locals {
  name        = "shop"
  environment = "production"
  tags        = { Owner = "platform" }
}
"#;

/// `program` is Terraform or OpenTofu. If it cannot be run, its rows are left out.
pub(super) fn table(folder: &Path, program: &str) -> Result<String> {
    let own = programs::own(true)?.join("hcl");
    let directory = folder.join("modules");
    if directory.exists() {
        fs::remove_dir_all(&directory)?;
    }
    let tree = directory.join("tree");
    let lines = write_tree(&tree)?;
    let mut table =
        "### Modules: CPU time, time, peak memory\n\n| module | command | |\n| --- | --- | --- |\n"
            .to_owned();
    let tree_name = format!("{STACKS} stacks of 3 modules, {lines} lines");
    let ours = |arguments: &[&str], directory: &Path| {
        let mut command = Command::new(&own);
        command.args(arguments).current_dir(directory).stdin(Stdio::null());
        command
    };
    for arguments in [&["eval", "."][..], &["eval", ".", ADDRESS], &["check", "."], &["graph", "."]] {
        let costs = turns(|| Ok(ours(arguments, &tree)))?;
        writeln!(table, "| {tree_name} | `hcl {}` | {} |", arguments.join(" "), middle(&costs))?;
    }
    for (name, text) in [
        ("a chain of 1,000 local values", chain(1_000)),
        ("a chain of 10,000 local values", chain(10_000)),
        ("10,000 instances of a resource", instances(10)),
        ("100,000 instances of a resource", instances(100)),
        ("1,000 equal calls of a module of 60 local values", calls(1_000)),
    ] {
        let module = directory.join(name.replace([' ', ','], "-"));
        fs::create_dir_all(module.join("m"))?;
        fs::write(module.join("main.tf"), text)?;
        fs::write(module.join("m/main.tf"), format!("variable \"name\" {{\n}}\n\n{}", steps("var.name")))?;
        let costs = turns(|| Ok(ours(&["eval", "."], &module)))?;
        writeln!(table, "| {name} | `hcl eval .` | {} |", middle(&costs))?;
    }
    table.push('\n');
    if let Err(why) = beside(&mut table, &tree, program, || ours(&["eval", ".", ADDRESS], &tree)) {
        eprintln!("{program} is left out: {why:#}");
    }
    Ok(table)
}

/// Compares with `terraform console`, which is asked for one address after `terraform init`.
fn beside(table: &mut String, tree: &Path, program: &str, ours: impl Fn() -> Command) -> Result<()> {
    let version = programs::answer(Command::new(program).arg("version"))?;
    let version = version.lines().next().unwrap_or_default().to_owned();
    programs::answer(Command::new(program).args(["init", "-input=false"]).current_dir(tree))?;
    let question = tree.with_extension("question");
    fs::write(&question, format!("{ADDRESS}\n"))?;
    let theirs = || {
        let mut command = Command::new(program);
        command.arg("console").current_dir(tree).stdin(File::open(&question).context("no question")?);
        Ok(command)
    };
    eprintln!("{version} …");
    let other = turns(theirs)?;
    let own = turns(|| Ok(ours()))?;
    let ratio = |of: fn(&Cost) -> f64| median(other.iter().zip(&own).map(|(one, other)| of(one) / of(other)));
    writeln!(
        table,
        "| one address of the tree, after `init` | `console` | `hcl eval . ADDRESS` | times as fast (CPU, time) |\n\
         | --- | --- | --- | --- |\n| {version} | {} | {} | {:.0}, {:.0} |\n",
        middle(&other),
        middle(&own),
        ratio(|cost| cost.processor),
        ratio(|cost| cost.elapsed)
    )?;
    Ok(())
}

fn turns(command: impl Fn() -> Result<Command>) -> Result<Vec<Cost>> {
    (0..TURNS).map(|_| cost(command()?.stderr(Stdio::null()), &[0])).collect()
}

/// Writes a tree of modules. Returns the number of its lines.
fn write_tree(tree: &Path) -> Result<usize> {
    let (mut lines, mut main) = (0, ROOT.to_owned());
    let mut write = |path: String, text: &str| -> Result<()> {
        lines += text.lines().count();
        let path = tree.join(path);
        fs::create_dir_all(path.parent().context("no directory")?)?;
        Ok(fs::write(path, text)?)
    };
    for stack in 0..STACKS {
        let directory = format!("stacks/stack_{stack}");
        // Every second stack needs a result of the one before.
        let name = match stack % 2 {
            0 => format!("\"${{local.name}}-{stack}\""),
            _ => format!("\"x${{length(module.stack_{}.part_0)}}\"", stack - 1),
        };
        let _ = writeln!(
            main,
            "\nmodule \"stack_{stack}\" {{\n  source      = \"./{directory}\"\n  name        = {name}\n  environment = local.environment\n  tags        = local.tags\n}}\n\noutput \"stack_{stack}\" {{\n  value = module.stack_{stack}.last\n}}"
        );
        let mut parts = String::new();
        for part in 0..2 {
            let _ = writeln!(
                parts,
                "module \"part_{part}\" {{\n  source      = \"./modules/part_{part}\"\n  name        = \"${{local.prefix}}-part-{part}\"\n  environment = var.environment\n  zones       = var.zones\n  tags        = local.tags\n  services    = {{ for name, service in var.services : name => service if service.replicas > 1 }}\n}}\n\noutput \"part_{part}\" {{\n  value = module.part_{part}.last\n}}\n"
            );
            for (file, text) in module() {
                write(format!("{directory}/modules/part_{part}/{file}"), &text)?;
            }
        }
        for (file, text) in module() {
            write(format!("{directory}/{file}"), &text)?;
        }
        write(format!("{directory}/modules.tf"), &parts)?;
    }
    write("main.tf".to_owned(), &main)?;
    Ok(lines)
}

/// The files of a module: a chain of local values, and resources with instances and outputs.
fn module() -> [(&'static str, String); 4] {
    let prefix = "locals {\n  prefix = \"${var.name}-${var.environment}\"\n  tags   = merge(var.tags, { Name = local.prefix })\n}\n\n";
    let (mut resources, mut outputs) = (String::new(), String::new());
    for at in 0..10 {
        let _ = writeln!(
            resources,
            "resource \"terraform_data\" \"service_{at}\" {{\n  for_each = var.services\n\n  input = {{\n    name     = \"${{local.prefix}}-${{each.key}}-{at}\"\n    port     = each.value.port + {at}\n    replicas = each.value.replicas * length(var.zones)\n    public   = each.value.public ? \"yes\" : \"no\"\n    tags     = merge(local.tags, {{ Service = each.key, Index = \"{at}\" }})\n  }}\n}}\n"
        );
        let _ = writeln!(
            outputs,
            "output \"service_{at}\" {{\n  value = {{ for name, service in terraform_data.service_{at} : name => service.input.port }}\n}}\n"
        );
    }
    let locals = format!("{prefix}{}", steps("local.prefix"));
    [
        ("variables.tf", VARIABLES.to_owned()),
        ("locals.tf", locals),
        ("main.tf", resources),
        ("outputs.tf", outputs),
    ]
}

/// A chain of local values from a first one, and an output for the last.
fn steps(first: &str) -> String {
    let mut text = "locals {\n".to_owned();
    for at in 0..60 {
        let before = if at == 0 { first.to_owned() } else { format!("local.step_{}", at - 1) };
        let _ = match at % 5 {
            0 => writeln!(text, "  step_{at} = trimsuffix(\"s{at}-${{{before}}}\", \"-x\")"),
            _ => writeln!(text, "  step_{at} = {before}"),
        };
    }
    text + "}\n\noutput \"last\" {\n  value = local.step_59\n}\n"
}

fn chain(length: usize) -> String {
    let mut text = "locals {\n  v0 = 1\n".to_owned();
    for at in 1..length {
        let _ = writeln!(text, "  v{at} = local.v{} + 1", at - 1);
    }
    text + "}\n"
}

/// A thousand times as many instances. A range has at most 1,024 elements.
fn instances(thousands: usize) -> String {
    format!(
        "resource \"terraform_data\" \"all\" {{\n  for_each = {{ for at in flatten([for a in range({thousands}) : [for b in range(1000) : 1000 * a + b]]) : \"k${{at}}\" => at }}\n  input    = \"${{each.key}}-${{each.value}}\"\n}}\n"
    )
}

fn calls(count: usize) -> String {
    let call = |at| format!("module \"m{at}\" {{\n  source = \"./m\"\n  name   = \"a\"\n}}\n\n");
    (0..count).map(call).collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_has_50_000_lines() {
        let tree = tempfile::tempdir().unwrap();
        let lines = write_tree(tree.path()).unwrap();
        assert!((50_000..51_000).contains(&lines), "{lines}");
    }
}
