//! Addresses in modules that are called: `module.net.cidr` is `output.cidr` in the directory of `module.net`, and
//! `module.net.local.zones` is `local.zones` there. Other languages have other names for calls and results.

use std::path::PathBuf;

use hclkit::limits::short_path;
use hclkit::refactor::{ModuleCall, Symbol};

use crate::args::{Files, Modules};
use crate::documents::Documents;
use crate::input::{Find, or_here, selection};
use crate::outcome::Failure;

/// An address in a called module.
pub(crate) struct Inner {
    /// The name in its directory.
    pub(crate) symbol: Symbol,
    pub(crate) directory: PathBuf,
}

/// Resolves an address that begins with the call of a local module in these paths and has further steps.
pub(crate) fn find(symbol: &Symbol, modules: &Modules, parsed: &Documents) -> Result<Option<Inner>, Failure> {
    // Without keys: all instances have the same declarations.
    let mut rest = symbol.clone();
    let mut searched = or_here(&modules.paths).to_vec();
    let mut directory = None;
    while let Some(within) = called(&rest, &modules.files, &searched, parsed)? {
        searched = vec![within.directory.clone()];
        directory = Some(within.directory);
        rest = within.rest;
    }
    Ok(directory.map(|directory| Inner { symbol: rest, directory }))
}

/// A symbol in a called module.
struct Within {
    rest: Symbol,
    directory: PathBuf,
}

/// The local module that the call at the beginning of a symbol calls, and what the names after it are there. `None` if it begins with
/// no call, or nothing is after it.
fn called(
    symbol: &Symbol,
    files: &Files,
    paths: &[PathBuf],
    parsed: &Documents,
) -> Result<Option<Within>, Failure> {
    if symbol.names().len() < 2 {
        return Ok(None);
    }
    let found = selection(files)?.without_subdirectories(true).find(paths);
    for input in &found.inputs {
        let Some((call, rest)) = symbol.in_call(&input.name()) else { continue };
        let Ok(document) = parsed.parse(input) else { continue };
        for other in ModuleCall::all(&document) {
            if other.is_of_module()
                && other.address() == call.to_string()
                && let Some(directory) = other.directory(&document)
            {
                // `git apply` refuses paths with `..` after a name.
                let directory = short_path(&directory).components().collect();
                let result = symbol.result_of_call(&input.name()).map(|(_, result)| result);
                return Ok(Some(Within { rest: result.unwrap_or(rest), directory }));
            }
        }
    }
    Ok(None)
}
