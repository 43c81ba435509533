//! `cargo xtask api`: lists the public items of every published library, as snapshots in `docs/api`. They come from the
//! JSON of rustdoc, which only a nightly toolchain writes. Its format changes, and so do the listings, so there is one
//! nightly that writes them. To use a later one, change `TOOLCHAIN` and `RUSTDOC` along with the version of `public-api`,
//! and run `cargo xtask api`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::programs::{answer, cargo, root, run, target};

/// The toolchain that writes the listings, under the name that rustup installs it by.
const TOOLCHAIN: &str = "nightly-2026-05-20";

/// What its `rustdoc --version` prints. A toolchain named `nightly` may be the same one.
const RUSTDOC: &str = "rustdoc 1.97.0-nightly (e50aa6fba 2026-05-19)";

/// The exit code if no installed toolchain can write the listings. Test runners take it as "skipped".
const SKIPPED: u8 = 77;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Exit with 1 if a listing is not up to date, and write nothing
    #[arg(long)]
    check: bool,
    /// Use this toolchain, whatever its version
    #[arg(long, value_name = "NAME")]
    toolchain: Option<String>,
}

pub(crate) fn list(args: &Args) -> Result<ExitCode> {
    let fits = |name: &&str| rustdoc_version(name).is_some_and(|version| version == RUSTDOC);
    let found = args.toolchain.as_deref().or_else(|| [TOOLCHAIN, "nightly"].into_iter().find(fits));
    let Some(toolchain) = found else {
        match rustdoc_version("nightly") {
            Some(other) => eprintln!("The toolchain `nightly` has {other}; the listings need {RUSTDOC}."),
            None => eprintln!("There is no nightly toolchain; the listings need {RUSTDOC}."),
        }
        eprintln!("Install it with `rustup toolchain install {TOOLCHAIN} --profile minimal`.");
        return Ok(ExitCode::from(SKIPPED));
    };
    let directory = root().join("docs/api");
    fs::create_dir_all(&directory)?;
    let mut outdated = false;
    for (package, features) in libraries()? {
        let listing = listing(&document(&package, &features, toolchain)?)?;
        let path = directory.join(format!("{package}.txt"));
        let old = fs::read_to_string(&path).unwrap_or_default();
        if old == listing {
            continue;
        }
        if args.check {
            outdated = true;
            report(&path, &old, &listing);
        } else {
            fs::write(&path, listing).with_context(|| path.display().to_string())?;
            println!("wrote {}", path.display());
        }
    }
    if outdated {
        println!("Run `cargo xtask api`, read what changed, and commit it.");
    }
    Ok(if outdated { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The version of a toolchain's rustdoc, if the toolchain is installed.
fn rustdoc_version(toolchain: &str) -> Option<String> {
    // `rustup run` does not install what is missing.
    let output = Command::new("rustup").args(["run", toolchain, "rustdoc", "--version"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The published libraries, each with its features.
fn libraries() -> Result<Vec<(String, String)>> {
    let mut metadata = cargo(root());
    metadata.args(["metadata", "--no-deps", "--format-version=1", "--locked"]);
    let metadata: Value = serde_json::from_str(&answer(&mut metadata)?)?;
    let mut libraries = Vec::new();
    for package in metadata["packages"].as_array().context("cargo lists no packages")? {
        let name = package["name"].as_str().context("a package has no name")?;
        // An unpublished package has an empty list of registries. The library of the programs is only for their tests.
        let unpublished = package["publish"].as_array().is_some_and(Vec::is_empty);
        if unpublished || name == "hclkit-cli" || name == "terraform-provider-hcl" {
            continue;
        }
        let features = package["features"].as_object().context("a package has no list of features")?;
        let features: Vec<&str> = features.keys().map(String::as_str).collect();
        libraries.push((name.to_owned(), features.join(",")));
    }
    Ok(libraries)
}

/// Writes the documentation of a library as JSON. Returns the file.
fn document(package: &str, features: &str, toolchain: &str) -> Result<PathBuf> {
    let output = target().join("api");
    let mut rustdoc = Command::new("rustup");
    rustdoc.current_dir(root()).env("CARGO_TARGET_DIR", &output).args(["run", toolchain]);
    // The name of the toolchain that runs this chore would win.
    rustdoc.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC").env_remove("RUSTDOC");
    rustdoc.args(["cargo", "rustdoc", "--quiet", "--locked", "--lib", "--package", package]);
    rustdoc.args(["--features", features, "--", "-Z", "unstable-options", "--output-format", "json"]);
    run(&mut rustdoc)?;
    Ok(output.join("doc").join(format!("{}.json", package.replace('-', "_"))))
}

/// One line for each public item, without the implementations that each type has.
fn listing(documentation: &Path) -> Result<String> {
    let api = public_api::Builder::from_rustdoc_json(documentation)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    let mut listing = String::new();
    for item in api.items() {
        writeln!(listing, "{item}")?;
    }
    Ok(listing)
}

/// Prints the lines that a listing lost and gained.
fn report(path: &Path, old: &str, new: &str) {
    println!("{} is not up to date:", path.display());
    let lines = |sign: char, lines: &str, other: &str| {
        let other: std::collections::HashSet<&str> = other.lines().collect();
        for line in lines.lines().filter(|line| !other.contains(line)) {
            println!("{sign}{line}");
        }
    };
    lines('-', old, new);
    lines('+', new, old);
}
