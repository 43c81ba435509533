//! Addresses in modules that are called: `module.net.cidr` is `output.cidr` in the directory of `module.net`, and
//! `module.net.local.zones` is `local.zones` there.

use std::path::PathBuf;

use hclkit::limits::short_path;
use hclkit::refactor::{ModuleCall, Symbol};

use crate::args::Files;
use crate::input::{Selection, or_here};
use crate::outcome::Failure;

/// An address in a called module.
pub(crate) struct Inner {
    /// The address in its directory.
    pub(crate) address: String,
    pub(crate) directory: PathBuf,
}

/// Resolves an address that begins with the call of a local module in these paths and has further steps.
pub(crate) fn find(symbol: &Symbol, files: &Files, paths: &[PathBuf]) -> Result<Option<Inner>, Failure> {
    // Without keys: all instances have the same declarations.
    let mut names: Vec<&str> = symbol.names().iter().map(String::as_str).collect();
    let mut searched = or_here(paths).to_vec();
    let mut directory = None;
    while names.len() > 2 && names[0] == "module" {
        let Some(called) = called(names[1], files, &searched)? else { return Ok(None) };
        searched = vec![called.clone()];
        directory = Some(called);
        names.drain(..2);
    }
    let address = if names.len() == 1 { format!("output.{}", names[0]) } else { names.join(".") };
    Ok(directory.map(|directory| Inner { address, directory }))
}

/// The directory of the local module that a block with this name calls.
fn called(name: &str, files: &Files, paths: &[PathBuf]) -> Result<Option<PathBuf>, Failure> {
    let found = Selection::new(files)?.without_subdirectories(true).find(paths);
    for input in &found.inputs {
        let Ok(document) = input.parse() else { continue };
        for call in ModuleCall::all(&document) {
            if call.name() == name
                && !call.is_run()
                && let Some(directory) = call.directory(&document)
            {
                // `git apply` refuses paths with `..` after a name.
                return Ok(Some(short_path(&directory).components().collect()));
            }
        }
    }
    Ok(None)
}
