//! `hcl test`: finds rules and tests by the names of their files, runs those of each kind, and reports.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use hclkit::functions::Grants;
use hclkit::module::{self, ModuleLoader, Schemas};
use hclkit::{Diagnostics, Severity};
use hclkit_policy::{FileKind, Outcome as Verdicted, Suite, TestFile, TestRequest, Totals};

use crate::args::{Format, Test, Unknown};
use crate::documents::{Documents, Keep};
use crate::host::Host;
use crate::input::{self, Find, Input, selection};
use crate::outcome::{Failure, Outcome};
use crate::output::complain;
use crate::report::{self, Report, Stream};
use crate::sources::Sources;
use crate::workers::Workers;

pub(crate) fn run(command: &Test) -> Result<Outcome, Failure> {
    let found = selection(&command.files)?.find(input::or_here(&command.paths));
    let documents = Documents::new(Keep::All);
    let workers = Workers::new();
    let loading = Loading::new(command)?;
    let selects = |_: &str| true;
    // The tests of each kind in each directory.
    let mut groups: BTreeMap<(FileKind, PathBuf), Vec<&Input>> = BTreeMap::new();
    for input in &found.inputs {
        let Some(path) = input.path() else { continue };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(kind) = FileKind::of_name(&name) {
            groups.entry((kind, path.parent().unwrap_or(Path::new("")).to_owned())).or_default().push(input);
        }
    }
    let groups: Vec<_> = groups.into_iter().collect();
    let mut run = Run::new(command);
    let load = |directory: &Path| loading.load(directory);
    let one = |((kind, directory), inputs): &((FileKind, PathBuf), Vec<&Input>)| {
        let (mut files, mut unreadable) = (Vec::new(), Vec::new());
        for input in inputs {
            match documents.parse(input) {
                Ok(document) => files.push(TestFile { directory: directory.clone(), document }),
                Err(why) => unreadable.push(why),
            }
        }
        let request = TestRequest { files, load: &load, selects: &selects };
        let suite = match kind {
            FileKind::TerraformTest => hclkit_policy::terraform_test::run(&request),
            FileKind::TerraformPolicy | FileKind::TerraformPolicyTest => {
                hclkit_policy::terraform_policy::run(&request)
            }
            _ => Suite::default(),
        };
        (suite, request.files.len(), unreadable)
    };
    found.unreadable.iter().cloned().for_each(|file| run.report.failed(file));
    let Ok(()) = workers.for_each(&groups, one, |results| {
        for (suite, files, unreadable) in results {
            run.report.checked(files);
            unreadable.into_iter().for_each(|file| run.report.failed(file));
            run.add(suite);
        }
        Ok::<_, Infallible>(())
    });
    run.end()
}

/// How modules are loaded.
struct Loading {
    sources: Sources,
    schemas: Option<Schemas>,
}

impl Loading {
    fn new(command: &Test) -> Result<Self, Failure> {
        Ok(Self {
            sources: Sources::new(&command.sources)?,
            schemas: crate::module::schemas(&command.providers)?,
        })
    }

    /// The module in a directory. It may read its repository and what options grant, but not the environment.
    fn load(&self, directory: &Path) -> Result<ModuleLoader, String> {
        let shown = || if directory.as_os_str().is_empty() { Path::new(".") } else { directory }.display();
        let here = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        let language = crate::module::language_of(here)
            .map_err(|why| format!("cannot read {}: {why}", shown()))?
            .ok_or_else(|| format!("{} has no files of a language with modules", shown()))?;
        let place = crate::module::ModulePath::of_directory(here.to_owned());
        let grants = module::files(Grants::new(), here, self.sources.granted());
        let functions = module::functions(&language, &grants);
        let loader = crate::module::files(language, &place, &[], &self.sources).with_functions(functions);
        Ok(self.schemas.iter().cloned().fold(loader, ModuleLoader::with_schemas))
    }
}

/// The output of a run.
struct Run<'c> {
    command: &'c Test,
    report: Report,
    written: std::io::Result<()>,
    totals: Totals,
    limited: bool,
}

impl<'c> Run<'c> {
    fn new(command: &'c Test) -> Self {
        let report = report::open(command.reporting.report, command.spacing, Stream::Output);
        Self { command, report, written: Ok(()), totals: Totals::default(), limited: false }
    }

    fn report(&mut self, found: &Diagnostics) {
        self.limited |= found.has_limit();
        if let Err(error) = self.report.diagnostics(found) {
            self.written = Err(error);
        }
    }

    /// Reports the findings of a suite. An unknown condition is what `--unknown` says.
    fn add(&mut self, suite: Suite) {
        self.report(&suite.problems);
        for verdict in suite.verdicts {
            self.totals.count(&verdict.outcome);
            let Some(finding) = verdict.finding else { continue };
            let finding = match (&verdict.outcome, self.command.unknown) {
                (Verdicted::Unknown(_), Unknown::Pass) => continue,
                (Verdicted::Unknown(_), Unknown::Warn) => finding.with_severity(Severity::Warning),
                (Verdicted::Unknown(_), Unknown::Fail) => finding.with_severity(Severity::Error),
                _ => finding,
            };
            if finding.is_error() || !Host::current().is_quiet() {
                self.report(&[finding].into_iter().collect());
            }
        }
    }

    fn end(mut self) -> Result<Outcome, Failure> {
        let mut written = self.written.and_then(|()| self.report.finish());
        if written.is_ok() && self.command.reporting.report == Format::Human && !Host::current().is_quiet() {
            let text = format!("{}\n", self.totals);
            let out = self.report.get_mut();
            written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        }
        let totals = self.report.totals();
        match written.map_err(Failure::from) {
            Ok(()) => totals.failed.iter().for_each(complain),
            Err(failure) if failure.is_unread_output() => {}
            Err(failure) => return Err(failure),
        }
        Ok(if self.limited || !totals.failed.is_empty() {
            Outcome::Incomplete
        } else if totals.errors > 0 {
            Outcome::Problems
        } else {
            Outcome::Fine
        })
    }
}
