//! Terraform and OpenTofu, and how their programs are built from the sources that the proxy of Go serves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::programs::{answer, run, target};

/// An application, and the version that the recorded answers are of.
pub(super) struct Application {
    /// The title of the sections with its answers.
    pub(super) name: &'static str,
    module: &'static str,
    pub(super) version: &'static str,
    package: &'static str,
}

pub(super) const APPLICATIONS: [Application; 2] = [
    Application {
        name: "terraform",
        module: "github.com/hashicorp/terraform",
        version: "1.16.4",
        package: ".",
    },
    Application {
        name: "opentofu",
        module: "github.com/opentofu/opentofu",
        version: "1.12.6",
        package: "./cmd/tofu",
    },
];

/// Where these keep their list of backends, and those of them that are kept: the others need the libraries of clouds, and
/// Terraform has them in modules of their own, which no proxy serves.
const BACKENDS: &str = "internal/backend/init/init.go";
const KEPT: [&str; 5] = ["local", "remote", "http", "inmem", "cloud"];

/// Builds an application, if it was not. Returns its program.
pub(super) fn build(application: &Application, version: &str) -> Result<PathBuf> {
    let Application { name, module, package, .. } = application;
    let directory = target().join("versions");
    let program = directory.join(format!("{name}-{version}"));
    if program.exists() {
        return Ok(program);
    }
    println!("building {name} {version}");
    let source = source(application, version)?;
    let own = directory.join(format!("source-{name}"));
    if own.exists() {
        fs::remove_dir_all(&own)?;
    }
    copy(&source, &own)?;
    let backends = own.join(BACKENDS);
    fs::write(&backends, without_clouds(&fs::read_to_string(&backends)?))?;
    let manifest = own.join("go.mod");
    let lines = fs::read_to_string(&manifest)?;
    let inside = format!("{module}/internal/");
    let lines: Vec<&str> = lines.lines().filter(|line| !line.contains(&inside)).collect();
    fs::write(&manifest, lines.join("\n") + "\n")?;
    let mut go = Command::new("go");
    go.current_dir(&own).args(["build", "-mod=mod", "-o"]).arg(&program);
    run(go.args(["-ldflags", &format!("-X {module}/version.dev=no"), package]))?;
    fs::remove_dir_all(&own)?;
    Ok(program)
}

/// The source of an application in the module cache.
pub(super) fn source(application: &Application, version: &str) -> Result<PathBuf> {
    let module = format!("{}@v{version}", application.module);
    let found = answer(Command::new("go").args(["mod", "download", "-json", &module]))?;
    let found: Value = serde_json::from_str(&found)?;
    Ok(found["Dir"].as_str().context("the proxy does not say where the module is")?.into())
}

/// Copies a directory of the module cache, whose files are read-only.
pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::write(&to, fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

/// The list of backends without those of clouds, and without the packages that only these use.
fn without_clouds(text: &str) -> String {
    let entry = |line: &str| {
        let (name, value) = line.trim().strip_prefix('"')?.split_once("\":")?;
        let package = value.split_once("return ")?.1.split_once(".New(")?.0;
        Some((name.to_owned(), package.to_owned()))
    };
    let cut: Vec<String> = text
        .lines()
        .filter_map(entry)
        .filter(|(name, _)| !KEPT.contains(&name.as_str()))
        .map(|(_, package)| package)
        .collect();
    let is_kept = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_import =
            words.len() == 2 && words[1].starts_with('"') && cut.iter().any(|own| own == words[0]);
        !is_import && entry(line).is_none_or(|(_, package)| !cut.contains(&package))
    };
    let kept: Vec<&str> = text.lines().filter(is_kept).collect();
    kept.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::without_clouds;

    #[test]
    fn only_backends_of_clouds_are_removed() {
        let text = "import (\n\tbackendLocal \"x/local\"\n\tbackendS3 \"x/s3\"\n)\n\
                    \t\"local\": func() B { return backendLocal.New() },\n\
                    \t\"s3\":    func() B { return backendS3.New() },\n\
                    \t\"etcd\": `gone`,\n";
        let kept = "import (\n\tbackendLocal \"x/local\"\n)\n\
                    \t\"local\": func() B { return backendLocal.New() },\n\t\"etcd\": `gone`,\n";
        assert_eq!(without_clouds(text), kept);
    }
}
