//! Tests of Terraform: `*.tftest.hcl`. Runs are evaluated without providers: what needs one is skipped, with the reason.
//! `terraform_test/file.rs` reads a file, `run.rs` runs what is in it, and `world.rs` knows what objects are.

mod file;
mod run;
mod subject;
mod world;

use std::path::{Path, PathBuf};

use hclkit::module::ModuleLoader;

use crate::request::{TestFile, TestRequest};
use crate::verdict::{Outcome, Suite, Verdict};
use file::File;

/// Runs the tests of a directory. An error ends a file: its later runs are skipped. What a file cannot be run for, such as syntax
/// errors, is a problem of the suite, and it has no verdicts.
pub fn run(request: &TestRequest<'_>) -> Suite {
    let mut suite = Suite::default();
    for file in &request.files {
        one(request, file, &mut suite);
    }
    suite
}

fn one(request: &TestRequest<'_>, test: &TestFile, suite: &mut Suite) {
    let name = test.document.source().name();
    if name.ends_with(".tofutest.hcl") || name.ends_with(".tofutest.json") {
        let why = "tests of OpenTofu are not run yet".to_owned();
        suite.verdicts.push(Verdict::new(name, name, Outcome::Skipped(why)));
        return;
    }
    let (directory, loader) = match tested(request, &test.directory) {
        Ok(found) => found,
        Err(why) => return suite.verdicts.push(Verdict::new(name, name, Outcome::Skipped(why))),
    };
    let Some(file) = File::read(&loader, &test.document, &mut suite.problems) else { return };
    run::file(request, &directory, &loader, (name, &file), suite);
}

/// The module that the files in a directory test: it is in the directory, or in the nearest one around it.
fn tested(request: &TestRequest<'_>, directory: &Path) -> Result<(PathBuf, ModuleLoader), String> {
    let first = match (request.load)(directory) {
        Ok(loader) => return Ok((directory.to_owned(), loader)),
        Err(why) => why,
    };
    let is_tests = |own: &&Path| own.components().any(|part| part.as_os_str() == "tests");
    directory
        .ancestors()
        .take_while(is_tests)
        .filter_map(Path::parent)
        .find_map(|own| Some((own.to_owned(), (request.load)(own).ok()?)))
        .ok_or(first)
}
