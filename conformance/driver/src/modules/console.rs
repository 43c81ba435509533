//! What `terraform console` and `hcl console` say about expressions over the names of a module.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use fastrand::Rng;
use hclkit_test_cases::Case;
use serde_json::Value;

use super::{Peer, flags, run_in};
use crate::programs::target;

/// How the answers differ.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) entries: usize,
    pub(super) differences: String,
}

/// Entries that are wrong in any module.
const WRONG: [&str; 6] = [
    "local.missing",
    "var.missing",
    "1 + \"a\"",
    "upper(1, 2)",
    "module.missing.x",
    "terraform_data.missing.input",
];

/// Compares the values of variables and local values, and what functions make of them, in a directory that was applied.
/// All are asked at once, or one by one if there is an error, and one that is wrong.
pub(super) fn compare(
    case: &Case,
    peer: &Peer,
    hcl: &Path,
    directory: &Path,
    rng: &mut Rng,
) -> Result<Compared> {
    let entries = entries(case, peer, hcl, directory, rng)?;
    let (mut console, mut own) = (peer_console(case, peer), own_console(case, peer, hcl));
    let mut compared = Compared { entries: entries.len(), ..Compared::default() };
    let mut same = |entry: &str| -> Result<bool> {
        let theirs = answer(&mut console, case, directory, entry)?;
        let theirs =
            theirs.map(|text| if text == "(sensitive value)" { "(sensitive)".to_owned() } else { text });
        let ours = answer(&mut own, case, directory, entry)?;
        if theirs.as_deref() == Some("(known after apply)")
            && has_resource_without_instances(case, directory)?
        {
            return Ok(true);
        }
        if theirs != ours {
            let peer = peer.language;
            let _ = writeln!(
                compared.differences,
                "--- console\n{entry}\n--- {peer}\n{theirs:?}\n--- hcl\n{ours:?}"
            );
        }
        Ok(theirs == ours)
    };
    for entry in &entries {
        same(entry)?;
    }
    Ok(compared)
}

/// A resource without instances is not in the state, so its object is unknown in the console of Terraform; in a plan, as in
/// our console, it is empty.
fn has_resource_without_instances(case: &Case, directory: &Path) -> Result<bool> {
    let state: Value = match fs::read(directory.join("terraform.tfstate")) {
        Ok(state) => serde_json::from_slice(&state)?,
        Err(_) => return Ok(false),
    };
    let stored: Vec<&str> =
        state["resources"].as_array().into_iter().flatten().filter_map(|one| one["name"].as_str()).collect();
    let declared = case.sections.iter().flat_map(|section| section.text.lines()).filter_map(|line| {
        let mut labels = line.strip_prefix("resource ")?.split('"');
        labels.nth(3)
    });
    Ok(declared.into_iter().any(|name| !stored.contains(&name)))
}

/// Entries with the answers of a program, each in the next line; `error` if it is wrong. The module was applied.
pub(super) fn record(
    case: &Case,
    peer: &Peer,
    hcl: &Path,
    directory: &Path,
    rng: &mut Rng,
) -> Result<String> {
    let mut console = peer_console(case, peer);
    let mut text = String::new();
    for entry in entries(case, peer, hcl, directory, rng)? {
        let answer = answer(&mut console, case, directory, &entry)?;
        let _ = writeln!(text, "{entry}\n{}", answer.as_deref().unwrap_or("error"));
    }
    Ok(text)
}

fn peer_console(case: &Case, peer: &Peer) -> Command {
    let mut console = Command::new(&peer.program);
    console.arg("console").args(flags(case));
    console
}

fn own_console(case: &Case, peer: &Peer, hcl: &Path) -> Command {
    let mut console = Command::new(hcl);
    console.args(["console", ".", "--no-history", "--language", peer.language]).args(flags(case));
    console
}

/// Entries about all variables and local values: one that is wrong, and one that asks for all at once.
fn entries(case: &Case, peer: &Peer, hcl: &Path, directory: &Path, rng: &mut Rng) -> Result<Vec<String>> {
    let mut list = Command::new(hcl);
    list.args(["eval", ".", "var.*", "local.*", "--output", "ndjson", "--language", peer.language]);
    let listed = run_in(&mut list, case, directory)?;
    let mut entries = Vec::new();
    for line in String::from_utf8(listed.stdout)?.lines() {
        let found: Value = serde_json::from_str(line)?;
        let Some(address) = found["address"].as_str() else { continue };
        entries.push(format!("issensitive({address}) ? \"sensitive\" : jsonencode({address})"));
        let more = [
            "can(length(ADDRESS))",
            "ADDRESS == null",
            "try(keys(ADDRESS), [])",
            "try(\"${ADDRESS}!\", \"\")",
        ];
        let more = more[rng.usize(0..more.len())].replace("ADDRESS", address);
        entries.push(format!("issensitive({more}) ? \"sensitive\" : jsonencode({more})"));
    }
    let mut all = vec![WRONG[rng.usize(0..WRONG.len())].to_owned()];
    if !entries.is_empty() {
        all.push(format!("jsonencode([{}])", entries.join(", ")));
    }
    Ok(all)
}

/// The answer to an entry; nothing if it is wrong.
fn answer(console: &mut Command, case: &Case, directory: &Path, entry: &str) -> Result<Option<String>> {
    let input = target().join("entry");
    fs::write(&input, format!("{entry}\n"))?;
    console.stdin(Stdio::from(fs::File::open(&input)?));
    let output = run_in(console, case, directory).context("console")?;
    let text = String::from_utf8(output.stdout)?;
    // OpenTofu writes warnings before the answer.
    let answer = text.rsplit_once('╵').map_or(&*text, |(_, answer)| answer.trim_start_matches("\u{1b}[0m"));
    Ok(output.status.success().then(|| answer.trim().to_owned()))
}
