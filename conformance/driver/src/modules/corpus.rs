//! `cargo xtask conformance --modules --corpus`: evaluates and checks every directory of the corpus that has files of Terraform
//! or OpenTofu, with unknown variables. The counts are in `conformance/modules.txt`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::corpus::modules;
use crate::programs::{own, root, target};

/// What was counted in the directories of a module of the corpus.
#[derive(Default)]
struct Counts {
    directories: usize,
    /// Attributes of values, and those that are known.
    attributes: usize,
    known: usize,
    /// Directories that Terraform can validate without providers, and those of them that are valid.
    validated: usize,
    valid: usize,
}

pub(super) fn run(bless: bool) -> Result<ExitCode> {
    let hcl = own(false)?.join("hcl");
    let peer = Validation::new()?;
    let mut text = String::from(
        "# Directories of the corpus with files of Terraform or OpenTofu, evaluated with unknown variables.\n",
    );
    let mut wrong = 0;
    for module in modules()? {
        let mut counts = Counts::default();
        for directory in directories(&module.dir)? {
            counts.directories += 1;
            evaluate(&hcl, &directory, &mut counts)?;
            let Some(valid) = peer.validate(&directory)? else { continue };
            counts.validated += 1;
            if valid {
                counts.valid += 1;
                wrong += usize::from(!check(&hcl, &directory, &peer)?);
            }
        }
        if counts.directories > 0 {
            let Counts { directories, attributes, known, validated, valid } = counts;
            let name = module.name;
            let _ = writeln!(
                text,
                "{name}: {directories} directories, {known} of {attributes} attributes known, {validated} validated, {valid} valid"
            );
        }
    }
    print!("{text}");
    println!("{wrong} valid directories in which `hcl check` finds errors");
    let snapshot = root().join("conformance/modules.txt");
    let same = fs::read_to_string(&snapshot).is_ok_and(|before| before == text);
    if bless {
        fs::write(snapshot, &text)?;
    } else if !same {
        println!("conformance/modules.txt has other counts");
    }
    Ok(if wrong == 0 && (same || bless) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The directories at and below a path that have files of Terraform or OpenTofu.
fn directories(path: &Path) -> Result<BTreeSet<PathBuf>> {
    let (mut found, mut open) = (BTreeSet::new(), vec![path.to_owned()]);
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let plain = name.strip_suffix(".json").unwrap_or(&name);
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            } else if Path::new(plain).extension().is_some_and(|end| end == "tf" || end == "tofu") {
                found.insert(directory.clone());
            }
        }
    }
    Ok(found)
}

fn evaluate(hcl: &Path, directory: &Path, counts: &mut Counts) -> Result<()> {
    let output = Command::new(hcl)
        .args(["eval", "--unknown-vars", "--output", "ndjson"])
        .arg(directory)
        .output()
        .context("cannot run hcl")?;
    // 2 is for links to nowhere and the like.
    if !matches!(output.status.code(), Some(0..=2)) {
        bail!("{}: {}: {}", directory.display(), output.status, String::from_utf8_lossy(&output.stderr));
    }
    for line in String::from_utf8(output.stdout)?.lines() {
        count(&serde_json::from_str::<Value>(line)?["value"], counts);
    }
    Ok(())
}

fn count(value: &Value, counts: &mut Counts) {
    match value {
        Value::Object(attributes) => attributes.values().for_each(|value| count(value, counts)),
        Value::Array(elements) => elements.iter().for_each(|value| count(value, counts)),
        _ => {
            counts.attributes += 1;
            counts.known += usize::from(value.as_str() != Some("(unknown)"));
        }
    }
}

/// Whether `hcl check` finds no errors, other than moves that `terraform plan` refuses, too; prints those that it finds.
fn check(hcl: &Path, directory: &Path, peer: &Validation) -> Result<bool> {
    let output =
        Command::new(hcl).args(["check", "--no-ignore", "--report", "github"]).arg(directory).output()?;
    let inside = |line: &&str| line.starts_with("::error") && !is_below(line, directory);
    let text = String::from_utf8_lossy(&output.stdout);
    let mut errors: Vec<&str> = text.lines().filter(inside).collect();
    if !errors.is_empty() && peer.refuses_moves(directory)? {
        errors.retain(|line| !line.contains("[invalid-move]"));
    }
    for line in &errors {
        println!("{line}");
    }
    Ok(errors.is_empty())
}

/// Whether an error is in a directory below, which is validated by itself.
fn is_below(line: &str, directory: &Path) -> bool {
    let file = line.split(['=', ',']).nth(1).unwrap_or_default();
    Path::new(file).parent().is_some_and(|parent| parent != directory)
}

/// `terraform validate` without providers but the built-in one.
struct Validation {
    folder: PathBuf,
}

impl Validation {
    fn new() -> Result<Self> {
        let folder = target().join("validate");
        fs::create_dir_all(folder.join("mirror"))?;
        let mirror = folder.join("mirror");
        let text = format!(
            "provider_installation {{\n  filesystem_mirror {{\n    path = {:?}\n  }}\n}}\n",
            mirror.display().to_string()
        );
        fs::write(folder.join("terraform.rc"), text)?;
        Ok(Self { folder })
    }

    /// Whether a directory is valid; nothing if it needs providers or modules from elsewhere.
    fn validate(&self, directory: &Path) -> Result<Option<bool>> {
        if !is_alone(directory)? {
            return Ok(None);
        }
        let data = self.data();
        if data.exists() {
            fs::remove_dir_all(&data)?;
        }
        let init =
            self.terraform(directory, &["init", "-backend=false", "-input=false", "-lockfile=readonly"])?;
        if !init.status.success() {
            return Ok(None);
        }
        Ok(Some(self.terraform(directory, &["validate"])?.status.success()))
    }

    /// Whether `terraform plan` has an error about moves in a directory that was validated.
    fn refuses_moves(&self, directory: &Path) -> Result<bool> {
        let state = format!("-state={}", self.folder.join("state").display());
        let plan = ["plan", "-input=false", "-refresh=false", "-lock=false", "-no-color", &state];
        let text = self.terraform(directory, &plan)?.stderr;
        let is_move = |line: &str| line.contains("Error: ") && line.contains("move");
        Ok(String::from_utf8_lossy(&text).lines().any(is_move))
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn terraform(&self, directory: &Path, arguments: &[&str]) -> Result<Output> {
        let mut command = Command::new("terraform");
        command.args(arguments).current_dir(directory).env("TF_DATA_DIR", self.data());
        command.env("TF_CLI_CONFIG_FILE", self.folder.join("terraform.rc")).env("CHECKPOINT_DISABLE", "1");
        command.output().context("cannot run terraform")
    }
}

/// Whether a directory seems to have no resources of providers, and no modules from elsewhere. Terraform would try to download
/// them.
fn is_alone(directory: &Path) -> Result<bool> {
    const OWN: [&str; 2] = ["\"terraform_data\"", "\"terraform_remote_state\""];
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.to_string_lossy();
        // Terraform does not read those of OpenTofu.
        if name.ends_with(".tofu") || name.ends_with(".tofu.json") {
            return Ok(false);
        }
        if !path.is_file() || !(name.ends_with(".tf") || name.ends_with(".tf.json")) {
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
        let of_provider = |line: &str| {
            let mut words = line.split_whitespace();
            let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let is_resource = ["resource", "data", "ephemeral"].contains(&first) && second.starts_with('"');
            first == "provider" || is_resource && !OWN.contains(&second)
        };
        let elsewhere = |line: &str| {
            let source = line.trim().trim_start_matches('"').strip_prefix("source");
            source.is_some_and(|rest| !rest.contains("\"./") && !rest.contains("\"../"))
        };
        let calls = text.contains("module");
        if text.contains("\"resource\"")
            || text.lines().any(|line| of_provider(line) || calls && elsewhere(line))
        {
            return Ok(false);
        }
    }
    Ok(true)
}
