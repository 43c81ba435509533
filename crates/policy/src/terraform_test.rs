//! Tests of Terraform and OpenTofu: `*.tftest.hcl`, `*.tofutest.hcl`. Runs are evaluated without providers: what needs one is skipped,
//! with the reason. `terraform_test/file.rs` reads a file, `run.rs` runs what is in it, `world.rs` knows what objects are, and `mocks.rs` what mocks make up.

mod application;
mod file;
mod mock_files;
mod mocks;
mod run;
mod subject;
mod world;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::module::{Dialect, ModuleLoader};

use crate::request::{TestFile, TestRequest};
use crate::verdict::{Outcome, Suite, Verdict};
use application::Application;
use file::File;

/// Runs the tests of a directory: those that only OpenTofu reads as it does, and the others as the application of the module. An error
/// ends a file: its later runs are skipped. What a file cannot be run for, such as syntax errors, is a problem of the suite, and it has
/// no verdicts.
pub fn run(request: &TestRequest<'_>) -> Suite {
    let names: HashSet<&str> = request.names.iter().map(String::as_str).collect();
    let mut suite = Suite::default();
    for file in &request.files {
        one(request, &names, file, &mut suite);
    }
    suite
}

fn file_name(test: &TestFile) -> &str {
    let name = test.document.source().name();
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

fn one(request: &TestRequest<'_>, names: &HashSet<&str>, test: &TestFile, suite: &mut Suite) {
    let name = test.document.source().name();
    let mut skip = |why: String| suite.verdicts.push(Verdict::new(name, name, Outcome::Skipped(why)));
    let tofu = Dialect::opentofu();
    let language = Dialect::of_path(name).filter(|own| own.name() == tofu.name());
    let (directory, loader) = match tested(request, &test.directory, language.as_ref()) {
        Ok(found) => found,
        Err(why) => return skip(why),
    };
    if loader.language().is_replaced(file_name(test), names) {
        return skip(format!(
            "{} runs the file of the same name that only it reads",
            loader.language().title()
        ));
    }
    let loader = with_variables(loader, &test.directory, &directory);
    let Some(file) = File::read(&loader, &test.document, &mut suite.problems) else { return };
    run::file(request, &directory, &loader, (name, &file), suite);
}

/// The files of variables beside the tests count. Those in the directory `tests`, from which tests are run by default, also count for
/// tests in the directory of the module in OpenTofu.
fn with_variables(loader: ModuleLoader, tests: &Path, module: &Path) -> ModuleLoader {
    let inside = tests.strip_prefix(module).unwrap_or(Path::new(""));
    let parts: Vec<_> = inside.components().map(|own| own.as_os_str().to_string_lossy()).collect();
    match &*parts.join("/") {
        "" if Application::of(&loader).reads_variables_of_tests() => loader.with_variables_in("tests"),
        "" => loader,
        inside => loader.with_variables_in(inside),
    }
}

/// The module that the files in a directory test: the one around the directory `tests`, from which it is run by default, or else the
/// one in the directory, or in the nearest one around it.
fn tested(
    request: &TestRequest<'_>,
    directory: &Path,
    language: Option<&Arc<Dialect>>,
) -> Result<(PathBuf, ModuleLoader), String> {
    let is_of_tests = |own: &&Path| own.file_name().is_some_and(|name| name == "tests");
    if let Some(around) = directory.ancestors().find(is_of_tests).and_then(Path::parent)
        && let Ok(loader) = (request.load)(around, language)
    {
        return Ok((around.to_owned(), loader));
    }
    let first = match (request.load)(directory, language) {
        Ok(loader) => return Ok((directory.to_owned(), loader)),
        Err(why) => why,
    };
    let is_tests = |own: &&Path| own.components().any(|part| part.as_os_str() == "tests");
    directory
        .ancestors()
        .take_while(is_tests)
        .filter_map(Path::parent)
        .find_map(|own| Some((own.to_owned(), (request.load)(own, language).ok()?)))
        .ok_or(first)
}
