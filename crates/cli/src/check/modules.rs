//! `--modules`: checks directories as modules.

use hclkit::Diagnostics;

use crate::args::{self, Check};
use crate::input::or_here;
use crate::module;
use crate::output::{Failure, Outcome};
use crate::report::write_report;
use crate::scope::{Halt, outcome_of};

pub(super) fn run(command: &Check) -> Result<Outcome, Failure> {
    let mut all = Diagnostics::new();
    let paths = or_here(&command.paths);
    for path in paths {
        let ended = check(command, &path.to_string_lossy());
        let (found, _) = outcome_of(ended.map(|found| all.append(found)), Diagnostics::new())?;
        all.append(found);
    }
    write_report(command.format, command.spacing, paths.len(), &all, |_| None)?;
    Ok(if all.has_errors() { Outcome::Problems } else { Outcome::Fine })
}

fn check(command: &Check, path: &str) -> Result<Diagnostics, Halt> {
    let options = args::Module { language: None, workspace: "default".to_owned() };
    let place = module::required_place(path, &options)?;
    let mut scope = command.language.scope.clone();
    scope.unknown_vars = true;
    module::run(&scope, || Ok(module::load(&place, &options, &scope)?.check()))
}
