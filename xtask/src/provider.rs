//! `cargo xtask provider`: builds the provider for Terraform and OpenTofu, and installs it where they look for
//! providers without a registry.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};

use crate::programs::{cargo, root, run, target};

/// The registries of Terraform and OpenTofu, which are part of the address of a provider.
const HOSTS: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];
const NAME: &str = "terraform-provider-hcl";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Install the provider in terraform.d/plugins below this directory
    #[arg(long, value_name = "DIR")]
    install: PathBuf,
    /// The profile of the build: release builds quickly, dist makes a faster and smaller program
    #[arg(long, default_value = "release")]
    profile: String,
}

pub(crate) fn install(args: &Args) -> Result<ExitCode> {
    let Args { install, profile } = args;
    if !install.is_dir() {
        bail!("{} is not a directory", install.display());
    }
    run(cargo(root()).args(["build", "--locked", "--package", NAME, "--profile", profile]))?;
    let suffix = std::env::consts::EXE_SUFFIX;
    let directory = if profile == "dev" { "debug" } else { profile };
    let program = target().join(directory).join(format!("{NAME}{suffix}"));
    let version = env!("CARGO_PKG_VERSION");
    for host in HOSTS {
        let directory =
            install.join(format!("terraform.d/plugins/{host}/hclkit/hcl/{version}/{}", platform()?));
        let path = directory.join(format!("{NAME}_v{version}{suffix}"));
        copy(&program, &path).with_context(|| format!("cannot install {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Replaces a file, also while a provider runs from it.
fn copy(program: &Path, path: &Path) -> Result<()> {
    fs::create_dir_all(path.parent().context("the path has no directory")?)?;
    let new = path.with_extension("new");
    fs::copy(program, &new)?;
    fs::rename(&new, path)?;
    Ok(())
}

/// The system and the architecture, as Terraform names them.
fn platform() -> Result<String> {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "x86" => "386",
        "aarch64" => "arm64",
        "arm" => "arm",
        other => bail!("Terraform has no name for the architecture {other}"),
    };
    Ok(format!("{system}_{architecture}"))
}
