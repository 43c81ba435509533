//! `--spec`, and `[specs]` in hcl.toml: checks configurations against a spec file. Each file is a separate configuration, or
//! with `--merge` each directory.

use std::path::{Path, PathBuf};

use hclkit::dialect::FileKind;
use hclkit::model::{Body, Context};
use hclkit::{Code, Diagnostics};
use hclkit_limits::Glob;
use hclkit_settings::SpecPattern;

use super::fix::{File, Meaning};
use crate::args::Check;
use crate::decode::Decoding;
use crate::host::Host;
use crate::input::Input;
use crate::outcome::CommandError;

/// The checks of files other than their syntax.
pub(super) struct SpecCheck {
    /// The spec of the command line.
    decoding: Option<Decoding>,
    /// The specs of the project. They are for files that have no other one.
    of_project: Vec<(SpecPattern, Decoding)>,
    files: Vec<PathBuf>,
    /// Only the syntax is checked.
    syntax_only: bool,
}

impl SpecCheck {
    pub(super) fn new(command: &Check) -> Result<Self, CommandError> {
        let syntax_only = command.syntax_only;
        let none = Self { decoding: None, of_project: Vec::new(), files: Vec::new(), syntax_only };
        let Some(spec) = &command.spec else {
            return Ok(if syntax_only { none } else { none.with_project(command)? });
        };
        let decoding = Decoding::new(spec, &command.features)?;
        let inputs = command.features.inputs();
        let mut files: Vec<_> = inputs.iter().filter_map(Input::path).map(Path::to_owned).collect();
        files.push(spec.clone());
        Ok(Self { decoding: Some(decoding), files, ..none })
    }

    /// Adds the specs of the project. A project sets no variables, so that undefined ones are unknown.
    fn with_project(mut self, command: &Check) -> Result<Self, CommandError> {
        for (pattern, path) in Host::current().settings().specs()? {
            let decoding = Decoding::new(&path, &command.features)?.with_unknown_variables();
            self.of_project.push((pattern.clone(), decoding));
            self.files.push(path);
        }
        Ok(self)
    }

    /// The patterns of files that have a spec of the project.
    pub(super) fn patterns(&self) -> impl Iterator<Item = Glob> {
        self.of_project.iter().map(|(pattern, _)| pattern.glob().clone())
    }

    /// Whether a spec of the project describes a file.
    pub(super) fn has_spec(&self, path: &Path) -> bool {
        self.of_project(path).is_some()
    }

    fn of_project(&self, path: &Path) -> Option<&Decoding> {
        self.of_project.iter().find(|(pattern, _)| pattern.glob().matches_on_disk(path)).map(|(_, own)| own)
    }

    /// The files that define the checks. They are not checked themselves.
    pub(super) fn files(&self) -> &[PathBuf] {
        &self.files
    }
}

impl Meaning for SpecCheck {
    const APART: usize = 32;

    /// Undefined variables in expressions may be set elsewhere and are not fixed.
    fn is_fixed(&self, code: Code) -> bool {
        matches!(code, Code::UnsupportedArgument | Code::UnsupportedBlock | Code::JsonUnknownProperty)
    }

    /// The errors in the configuration that consists of these files.
    fn problems(&self, files: &[File<'_>]) -> Option<Diagnostics> {
        let of_file = || self.of_project(files.first()?.input.path()?);
        let Some(decoding) = self.decoding.as_ref().or_else(of_file) else {
            return files.first().filter(|_| !self.syntax_only).and_then(values_problems);
        };
        let body = Body::merge(files.iter().map(|file| Body::of(&file.document)));
        Some(decoding.decode(&body).err()?.distinct())
    }

    /// Like `problems`, but with all misspelled names instead of only the first 1,000.
    fn all_problems(&self, files: &[File<'_>]) -> Option<Diagnostics> {
        Diagnostics::keeping_misspelled(|| self.problems(files))
    }
}

/// The errors in a file of values for variables, which must be literal. A module reads only some of these files by itself.
fn values_problems(file: &File<'_>) -> Option<Diagnostics> {
    let dialect = file.input.dialect()?;
    if dialect.file_kind(file.input.name()) != Some(FileKind::Values) {
        return None;
    }
    let mut found = Diagnostics::new();
    for attribute in found.absorb(Body::of(&file.document).attributes()) {
        found.append(attribute.expression.evaluate_lenient(&Context::new()).1);
    }
    (!found.is_empty()).then(|| found.distinct())
}
