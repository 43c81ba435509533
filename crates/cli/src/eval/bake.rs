//! `hcl eval docker-bake.hcl TARGET…`: what `docker buildx bake --print` gives.

use std::path::{Path, PathBuf};

use hclkit::convert::Json;
use hclkit::functions::Library;
use hclkit::module::{BAKE_FILES, Bake, Disk, Plan, Planned};

use crate::args::{Definition, Eval, Output};
use crate::host::Host;
use crate::input::Input;
use crate::module::{self, BAKE};
use crate::output::{Failure, Outcome, write_json};
use crate::replace;
use crate::report::write_report;
use crate::scope::{Halt, grants, outcome_of};

/// Whether Bake files are to be evaluated: those of a directory, one by its name, or what `--language` says.
pub(super) fn is_asked(command: &Eval) -> bool {
    let Some(language) = &command.module.language else {
        let path = Path::new(command.expression.as_deref().unwrap_or_default());
        if is_bake_file(path) {
            return path.is_file();
        }
        let has = |name: &&str| path.join(name).is_file();
        return path.is_dir() && BAKE_FILES.iter().any(has) && !has_other_language(path);
    };
    language == BAKE
}

fn is_bake_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| BAKE_FILES.iter().any(|own| name == *own))
}

fn has_other_language(directory: &Path) -> bool {
    module::language_of(directory).is_ok_and(|language| language.is_some())
}

pub(super) fn run(command: &Eval) -> Result<Outcome, Failure> {
    let mut warnings = hclkit::Diagnostics::new();
    let ended = evaluate(command, &mut warnings);
    let (diagnostics, outcome) = outcome_of(ended, warnings)?;
    write_report(command.format, command.spacing, 1, &diagnostics, |_| None)?;
    Ok(outcome)
}

fn evaluate(command: &Eval, warnings: &mut hclkit::Diagnostics) -> Result<(), Halt> {
    if command.explain || command.partial || command.unknown || command.template || command.attr.is_some() {
        let why = "--explain, --partial, --unknown, --template and --attr are not supported for Bake files";
        return Err(Failure::new(why).into());
    }
    if command.output.is_some_and(|output| output != Output::Json) {
        return Err(Failure::new("the output of Bake files is JSON; use --output json").into());
    }
    let (files, targets) = files(command);
    let mut bake = Bake::new().with_functions(Library::Bake.functions(&grants(&command.scope)?));
    bake = match files {
        Files::Directory(directory) => {
            bake.with_directory(&Disk::new(directory).with_max_size(Host::current().max_size()))
        }
        Files::These(paths) => {
            for path in paths {
                let source = Input::of(&path).read().map_err(Failure::from)?;
                bake = bake.with_file(source.name().to_owned(), source.text().as_bytes());
            }
            bake
        }
    };
    for definition in &command.scope.definitions.0 {
        bake = match definition {
            Definition::Variable { name, expression } => bake.with_variable_text(name.join("."), expression),
            Definition::Variables { .. } => {
                let why = "Bake has no files of variables; use --var, or add a file with -f";
                return Err(Failure::new(why).into());
            }
        };
    }
    bake = command.set.iter().fold(bake.with_environment(environment()), Bake::with_override);
    let (plan, found) = module::run(&command.scope, || bake.plan(&targets));
    if found.has_errors() {
        return Err(found.into());
    }
    *warnings = found;
    write(command, &plan)
}

enum Files {
    /// Those of a directory that Bake reads.
    Directory(PathBuf),
    These(Vec<PathBuf>),
}

/// The files, and the targets that are asked for.
fn files(command: &Eval) -> (Files, Vec<&str>) {
    let mut targets: Vec<&str> = command.addresses.iter().map(String::as_str).collect();
    let Some(first) = command.expression.as_deref() else {
        let files = if command.files.is_empty() {
            Files::Directory(PathBuf::from("."))
        } else {
            Files::These(command.files.clone())
        };
        return (files, targets);
    };
    let path = PathBuf::from(first);
    let files = if !command.files.is_empty() {
        targets.insert(0, first);
        Files::These(command.files.clone())
    } else if path.is_dir() {
        Files::Directory(path)
    } else if path.is_file() || first == "-" {
        Files::These(vec![path])
    } else {
        targets.insert(0, first);
        Files::Directory(PathBuf::from("."))
    };
    (files, targets)
}

/// The environment, unless Buildx's own switch is set.
fn environment() -> Vec<(String, String)> {
    let is_off = std::env::var("BUILDX_BAKE_DISABLE_VARS_ENV_LOOKUP");
    if is_off.is_ok_and(|off| matches!(off.as_str(), "1" | "t" | "T" | "true" | "TRUE" | "True")) {
        return Vec::new();
    }
    module::environment_texts().collect()
}

fn write(command: &Eval, plan: &Plan) -> Result<(), Halt> {
    let object = |all: &[Planned]| {
        let one = |own: &Planned| {
            let attributes = own.attributes.iter();
            let attributes = attributes
                .map(|(name, value)| ((*name).to_owned(), Json::try_from(value).unwrap_or(Json::Null)));
            (own.name.clone(), Json::Object(attributes.collect()))
        };
        Json::Object(all.iter().map(one).collect())
    };
    let all = [("group", object(&plan.groups)), ("target", object(&plan.targets))];
    let all = Json::Object(all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    let mut text = Vec::new();
    write_json(&all, command.spacing, &mut text).map_err(Failure::from)?;
    Ok(replace::write_output(command.out.as_ref(), &text)?)
}
