//! Asks Terraform: `validate`, `plan` and `show` with the permissive provider instead of all others. Answers are kept below
//! the target directory.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result};
use serde_json::Value;

use super::collect::Tree;
use super::schema::Schema;
use crate::programs::{root, run, target};

/// The program and the provider.
#[derive(Clone)]
pub(super) struct Terraform {
    /// A newer program is asked about what an older one rejects.
    programs: Vec<String>,
    pub(super) providers: Providers,
}

/// The directory with the permissive provider, and a link to it for each name.
#[derive(Clone)]
pub(crate) struct Providers {
    directory: PathBuf,
}

/// An error that Terraform or hclkit reports.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Problem {
    pub(super) file: String,
    pub(super) line: u64,
    pub(super) text: String,
    /// What Terraform tells the values of, such as `var.x`.
    pub(super) values: Vec<String>,
}

impl Providers {
    /// Builds the provider.
    pub(crate) fn build() -> Result<Self> {
        let directory = target().join("real/providers");
        fs::create_dir_all(&directory)?;
        let mut go = Command::new("go");
        go.current_dir(root().join("conformance/permissive")).args(["build", "-o"]);
        run(go.arg(directory.join("permissive")).arg("."))?;
        Ok(Self { directory })
    }

    /// Makes a provider available under names such as `hashicorp/aws`. Returns the configuration of the program.
    pub(super) fn configure(&self, sources: &BTreeSet<String>, to: &Path) -> Result<()> {
        let mut text = String::from("provider_installation {\n  dev_overrides {\n");
        for source in sources {
            let Some(ty) = source.rsplit('/').next().filter(|ty| !ty.is_empty()) else { continue };
            let link = self.directory.join(format!("terraform-provider-{ty}"));
            if !link.exists() {
                // Another thread may have made it.
                let _ = symlink("permissive", &link);
            }
            let _ = writeln!(text, "    {source:?} = {:?}", self.directory.display().to_string());
        }
        text.push_str("  }\n}\n");
        Ok(fs::write(to, text)?)
    }

    /// Writes the schema that a directory needs and the configuration of the program, beside the directory.
    pub(crate) fn replace_all(&self, root: &Path) -> Result<()> {
        let mut tree = Tree::read(root)?;
        let mut schema = tree.collect().schema;
        for (ty, block) in &mut schema.data {
            block.make_static(ty, &BTreeMap::new());
        }
        self.write(&schema, &tree, root)
    }

    pub(super) fn write(&self, schema: &Schema, tree: &Tree, root: &Path) -> Result<()> {
        let data = root.join(".terraform");
        fs::create_dir_all(&data)?;
        fs::write(data.join("schema.json"), serde_json::to_vec(schema)?)?;
        self.configure(&tree.providers(), &data.join("hclkit.rc"))
    }

    /// Sets the environment of a command in a directory for which both were written.
    pub(crate) fn prepare(command: &mut Command, directory: &Path) {
        let data = directory.join(".terraform");
        command.current_dir(directory).env("CHECKPOINT_DISABLE", "1");
        command
            .env("TF_CLI_CONFIG_FILE", data.join("hclkit.rc"))
            .env("PERMISSIVE_SCHEMA", data.join("schema.json"));
    }
}

impl Terraform {
    /// Builds the provider.
    pub(super) fn new() -> Result<Self> {
        let program = std::env::var("TERRAFORM").unwrap_or_else(|_| "terraform".to_owned());
        let programs = std::iter::once(program).chain(std::env::var("TOFU")).collect();
        Ok(Self { programs, providers: Providers::build()? })
    }

    /// The number of programs.
    pub(super) fn count(&self) -> usize {
        self.programs.len()
    }

    /// The program that is asked first.
    pub(super) fn name(&self) -> &str {
        &self.programs[0]
    }

    /// Runs a command in a directory that has been prepared.
    pub(super) fn run(&self, program: usize, directory: &Path, arguments: &[&str]) -> Result<Output> {
        let mut command = Command::new(&self.programs[program]);
        Providers::prepare(command.args(arguments), directory);
        command.output().with_context(|| format!("cannot run {command:?}"))
    }

    /// The file with an answer about the files of a directory and the modules that it calls, so that nothing is asked twice.
    fn kept(&self, program: usize, directory: &Path, question: &str) -> Result<PathBuf> {
        let mut hash = DefaultHasher::new();
        (&self.programs[program], question, directory).hash(&mut hash);
        let data = directory.join(".terraform");
        for file in ["schema.json", "modules/modules.json", "hclkit.tfvars.json"] {
            fs::read(data.join(file)).unwrap_or_default().hash(&mut hash);
        }
        let manifest: Value = serde_json::from_slice(&fs::read(data.join("modules/modules.json"))?)?;
        let called = manifest["Modules"].as_array().map(Vec::as_slice).unwrap_or_default();
        let called: BTreeSet<&str> = called.iter().filter_map(|module| module["Dir"].as_str()).collect();
        for path in called {
            let path = directory.join(path);
            for name in super::tree::names(&path)?.into_iter().filter(|name| name.contains(".tf")) {
                (&name, fs::read(path.join(&name)).unwrap_or_default()).hash(&mut hash);
            }
        }
        let answers = target().join("real/answers");
        fs::create_dir_all(&answers)?;
        Ok(answers.join(format!("{:016x}.json", hash.finish())))
    }

    /// The errors of `terraform validate`.
    pub(super) fn validate(&self, program: usize, directory: &Path) -> Result<Vec<Problem>> {
        let kept = self.kept(program, directory, "validate -no-tests")?;
        if !kept.exists() {
            let output = self.run(program, directory, &["validate", "-json", "-no-tests"])?;
            if serde_json::from_slice::<Value>(&output.stdout).is_err() {
                return Ok(vec![failed(&output)]);
            }
            fs::write(&kept, &output.stdout)?;
        }
        let found: Value = serde_json::from_slice(&fs::read(&kept)?)?;
        let all = found["diagnostics"].as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(problems(all))
    }

    /// The plan, or the errors.
    pub(super) fn plan(&self, program: usize, directory: &Path) -> Result<Result<Value, Vec<Problem>>> {
        let kept = self.kept(program, directory, "plan")?;
        if let Ok(text) = fs::read(&kept) {
            let answer: Value = serde_json::from_slice(&text)?;
            return Ok(match answer.as_array() {
                Some(errors) => Err(problems(errors)),
                None => Ok(answer),
            });
        }
        let arguments = [
            "plan",
            "-json",
            "-input=false",
            "-refresh=false",
            "-lock=false",
            "-out=.terraform/plan",
            "-var-file=.terraform/hclkit.tfvars.json",
        ];
        let output = self.run(program, directory, &arguments)?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout);
            let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let all: Vec<Value> = lines.map(|line| line["diagnostic"].clone()).collect();
            let found = problems(&all);
            if found.is_empty() {
                return Ok(Err(vec![failed(&output)]));
            }
            fs::write(&kept, Value::Array(all).to_string())?;
            return Ok(Err(found));
        }
        let shown = self.run(program, directory, &["show", "-json", ".terraform/plan"])?;
        match serde_json::from_slice(&shown.stdout) {
            Ok(plan) => {
                fs::write(&kept, &shown.stdout)?;
                Ok(Ok(plan))
            }
            Err(_) => Ok(Err(vec![failed(&shown)])),
        }
    }
}

/// The error of a run without a report.
fn failed(output: &Output) -> Problem {
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text
        .lines()
        .map(|line| line.trim_matches(['│', ' ']))
        .find(|line| line.contains("Error") || line.contains("panic"));
    let text = format!("crashed: {}", line.unwrap_or_default());
    Problem { text, ..Problem::default() }
}

fn problems(all: &[Value]) -> Vec<Problem> {
    let errors = all.iter().filter(|one| one["severity"] == "error");
    let mut found: Vec<Problem> = errors
        .map(|one| {
            let detail = one["detail"].as_str().unwrap_or_default().replace('\n', " ");
            let text = format!("{}: {detail}", one["summary"].as_str().unwrap_or_default());
            // An error about a value of the root module names the file with the value.
            if let Some((file, line)) = rule(&detail) {
                return Problem { file: file.to_owned(), line, text, values: Vec::new() };
            }
            let file = one["range"]["filename"].as_str().or_else(|| one["file"].as_str()).unwrap_or_default();
            let line = one["range"]["start"]["line"].as_u64().unwrap_or_default();
            let values = one["snippet"]["values"].as_array().map(Vec::as_slice).unwrap_or_default();
            let values =
                values.iter().filter_map(|value| Some(value["traversal"].as_str()?.to_owned())).collect();
            Problem { file: file.to_owned(), line, text, values }
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// The place of the rule that a value breaks, such as `variables.tf:816,3-13`.
fn rule(detail: &str) -> Option<(&str, u64)> {
    let place = detail.split_once("by the validation rule at ")?.1;
    let (file, rest) = place.split_once(':')?;
    Some((file, rest.split_once(',')?.0.parse().ok()?))
}

/// The errors of a report of `hcl` in JSON.
pub(super) fn own_problems(report: &[u8]) -> Result<Vec<Problem>> {
    let start = report.iter().position(|byte| *byte == b'{');
    let Some(start) = start else { return Ok(Vec::new()) };
    let report: Value = serde_json::from_slice(&report[start..])?;
    Ok(problems(report["diagnostics"].as_array().map(Vec::as_slice).unwrap_or_default()))
}
