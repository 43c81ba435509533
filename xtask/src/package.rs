//! `cargo xtask package`: packages every published crate and checks what is in it. With `--assets`, builds the programs and
//! writes the manual pages and completions that packages of them contain. With `--editors`, tests and packages the extension of
//! VS Code.

use std::fs;
use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use crate::programs::{answer, cargo, packages, root, run, target};

/// What each package must contain.
const REQUIRED: [&str; 4] = ["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write manual pages and completions to target/assets instead, with programs of this profile
    #[arg(long, value_name = "PROFILE", num_args = 0..=1, default_missing_value = "dist")]
    assets: Option<String>,
    /// Test the extension of VS Code and package it in editors/vscode/dist instead, with npm and the target of WebAssembly
    #[arg(long, conflicts_with = "assets")]
    editors: bool,
    /// Also build each crate from its package
    #[arg(long)]
    verify: bool,
    /// Package the files as they are, with changes that are not committed
    #[arg(long)]
    allow_dirty: bool,
}

pub(crate) fn package(args: &Args) -> Result<ExitCode> {
    if let Some(profile) = &args.assets {
        return assets(profile);
    }
    if args.editors {
        return editors();
    }
    let packages = packages()?;
    let published = packages.iter().filter(|package| package["publish"].is_null());
    let names: Vec<&str> = published.filter_map(|package| package["name"].as_str()).collect();
    let dirty = args.allow_dirty.then_some("--allow-dirty");
    for name in &names {
        let mut list = cargo(root());
        let files = answer(list.args(["package", "--list", "--package", name]).args(dirty))?;
        let missing: Vec<_> =
            REQUIRED.iter().filter(|file| !files.lines().any(|line| line == **file)).collect();
        let tests = files.lines().filter(|line| line.starts_with("tests/")).count();
        if !missing.is_empty() || tests > 0 {
            bail!("the package of {name} lacks {missing:?}, and has {tests} files of tests");
        }
    }
    // Cargo packages them in the order of their dependencies.
    let mut package = cargo(root());
    package.args(["package", "--locked"]).args(dirty).args((!args.verify).then_some("--no-verify"));
    run(package.args(names.iter().flat_map(|name| ["--package", name])))?;
    Ok(ExitCode::SUCCESS)
}

fn assets(profile: &str) -> Result<ExitCode> {
    run(cargo(root()).args([
        "build",
        "--locked",
        "--package",
        "hclkit-cli",
        "--bins",
        "--profile",
        profile,
    ]))?;
    let programs = target().join(if profile == "dev" { "debug" } else { profile });
    let assets = target().join("assets");
    run(Command::new(programs.join("hcl")).arg("man").arg(assets.join("man")))?;
    for (shell, before, after) in [("bash", "", ".bash"), ("zsh", "_", ""), ("fish", "", ".fish")] {
        let hcl = answer(Command::new(programs.join("hcl")).args(["completions", shell]))?;
        let hcldec = answer(Command::new(programs.join("hcldec")).args(["--completions", shell]))?;
        fs::write(assets.join(format!("{before}hcl{after}")), hcl)?;
        fs::write(assets.join(format!("{before}hcldec{after}")), hcldec)?;
    }
    println!("{}", assets.display());
    Ok(ExitCode::SUCCESS)
}

fn editors() -> Result<ExitCode> {
    // The server for browsers.
    const TARGET: &str = "wasm32-unknown-unknown";
    let folder = root().join("editors/vscode");
    let mut build = cargo(root());
    build.args(["build", "--locked", "--package", "hclkit-lsp-wasm", "--target", TARGET, "--profile", "web"]);
    run(&mut build)?;
    fs::create_dir_all(folder.join("dist"))?;
    let server = target().join(TARGET).join("web/hclkit_lsp_wasm.wasm");
    fs::copy(server, folder.join("dist/server.wasm"))?;
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(root().join(license), folder.join(license))?;
    }
    for arguments in [&["ci", "--no-audit", "--no-fund"][..], &["test"], &["run", "package"]] {
        run(Command::new("npm").args(arguments).current_dir(&folder))?;
    }
    println!("{}", folder.join("dist/hclkit.vsix").display());
    Ok(ExitCode::SUCCESS)
}
