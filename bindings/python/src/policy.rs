//! Rules for configuration, and what they find.

use std::path::{Path, PathBuf};

use hclkit::limits::{clean_path, path_on_disk};
use hclkit::module::{Disk, ModuleLoader};
use hclkit::{Diagnostics, Document, Source, StartSymbol};
use hclkit_files::{Found, Seen, Selection};
use hclkit_policy::{Builtin, FileKind, Project, Reader, Suite, Totals};
use pyo3::prelude::*;

use crate::diagnostic::{self, Diagnostic};
use crate::limits::Limits;
use crate::module::{language_of, loader, pairs, schemas};
use crate::{error, run};

/// Rules.
#[pyclass(frozen, subclass, module = "hclkit._hclkit")]
pub(crate) struct Rules(hclkit_policy::Rules);

/// The rule, what it is about, the outcome, why it is unknown, and the diagnostic.
type Finding = (String, String, &'static str, Option<String>, Diagnostic);

/// Findings, errors in files, and the number of each outcome.
type Report = (Vec<Finding>, Vec<Diagnostic>, Vec<(&'static str, usize)>);

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (paths, texts, params))]
    fn new(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        texts: Vec<(String, String)>,
        params: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut documents = Vec::new();
        for path in &paths {
            if let Some(name) = path.to_str().and_then(|own| own.strip_prefix("builtin:")) {
                let builtin = Builtin::documents(name);
                documents.extend(builtin.map_err(|why| error::plain(format!("builtin:{name}: {why}")))?);
                continue;
            }
            let kind = |own: &str| FileKind::of_name(own) == Some(FileKind::Rules);
            let found = read(py, path, &kind)?;
            if found.is_empty() {
                return Err(error::plain(format!("no rules in {}", path.display())));
            }
            documents.extend(found);
        }
        let text =
            |(name, text): (String, String)| Document::parse(Source::new(name, text), StartSymbol::Config);
        documents.extend(texts.into_iter().map(text));
        let open = |directory: &Path, path: &str| {
            hclkit_policy::rules::open(&Disk::new(path_on_disk(directory)), directory, path)
        };
        let mut reader = documents.into_iter().fold(Reader::new().with_files(open), Reader::with_document);
        for (name, value) in pairs(params)? {
            reader = reader.with_value(name, value);
        }
        let (rules, problems) = run::converting(Some(&Limits::default()), || reader.read());
        if problems.has_errors() {
            return Err(error::of(&problems));
        }
        Ok(Self(rules))
    }

    /// The names of the rules.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.names().map(str::to_owned).collect()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<{} rules>", self.0.len())
    }

    /// Applies the rules to files and directories.
    fn _check(
        &self,
        py: Python<'_>,
        paths: Vec<PathBuf>,
        schema: Option<PathBuf>,
        readable: Vec<PathBuf>,
        limits: Option<PyRef<'_, Limits>>,
    ) -> PyResult<Report> {
        let limits = limits.map(|limits| limits.clone()).unwrap_or_default();
        let schemas = schemas(schema.as_deref())?;
        let is_target = |own: &str| FileKind::of_name(own).is_none();
        let mut documents = Vec::new();
        for path in &paths {
            documents.extend(read(py, path, &is_target)?);
        }
        documents.retain(|own| !self.0.is_fixture(&clean_path(Path::new(own.source().name()))));
        let work = || {
            let mut project = Project::new(documents);
            let limited = project.evaluate_all(|directory| {
                let loader = loader(
                    path_on_disk(directory),
                    language_of(path_on_disk(directory), None).ok()?,
                    &readable,
                );
                Some(schemas.iter().cloned().fold(loader, ModuleLoader::with_schemas))
            });
            self.apply(&project, limited)
        };
        run::slow(py, &limits, work)
    }

    /// Applies the rules to files that are only texts, by their paths.
    fn _check_texts(
        &self,
        py: Python<'_>,
        files: Vec<(String, String)>,
        variables: Option<&Bound<'_, PyAny>>,
        limits: Option<PyRef<'_, Limits>>,
    ) -> PyResult<Report> {
        let limits = limits.map(|limits| limits.clone()).unwrap_or_default();
        let variables: Vec<(String, hclkit::Value)> = pairs(variables)?;
        let work = || self.apply(&Project::of_texts(&files, &variables), Diagnostics::new());
        run::slow(py, &limits, work)
    }

    /// Runs the tests of the rules.
    fn _test(&self, py: Python<'_>, limits: Option<PyRef<'_, Limits>>) -> PyResult<Report> {
        let limits = limits.map(|limits| limits.clone()).unwrap_or_default();
        let work = || {
            let mut all = Suite::default();
            (0..self.0.tests()).for_each(|at| all.append(self.0.test(at, &|_| true)));
            report(all)
        };
        run::slow(py, &limits, work)
    }
}

impl Rules {
    fn apply(&self, project: &Project, problems: Diagnostics) -> Report {
        let mut all = Suite { problems, ..Suite::default() };
        for at in 0..project.len() {
            all.problems.append(project.document(at).diagnostics().clone());
            all.append(self.0.check(project, at, &|_| true));
        }
        all.problems.append(project.unused_comments(self.0.names()));
        report(all)
    }
}

fn report(suite: Suite) -> Report {
    let Totals { passed, failed, errored, unknown, skipped, .. } = suite.totals();
    let counts = [
        ("passed", passed),
        ("failed", failed),
        ("errored", errored),
        ("unknown", unknown),
        ("skipped", skipped),
    ];
    let finding = |own: hclkit_policy::Verdict| {
        let reason = own.outcome.reason().map(str::to_owned);
        Some((own.name, own.subject, own.outcome.as_str(), reason, Diagnostic(own.finding?)))
    };
    let findings = suite.verdicts.into_iter().filter_map(finding).collect();
    (findings, diagnostic::list(&suite.problems.distinct()), counts.into())
}

/// The files at a path whose names are wanted: the file, or the HCL files of a directory that ignore files do not leave out.
fn read(py: Python<'_>, path: &Path, wanted: &(dyn Fn(&str) -> bool + Sync)) -> PyResult<Vec<Document>> {
    let name =
        |path: &Path| path.file_name().map(|own| own.to_string_lossy().into_owned()).unwrap_or_default();
    let parsed = |path: &Path, text: Vec<u8>| {
        let source = Source::new(path.to_string_lossy(), text);
        Document::parse_in(source, hclkit::dialect::Dialect::syntax_of(name(path)))
    };
    let metadata = std::fs::metadata(path).map_err(|why| error::unreadable(&why))?;
    if !metadata.is_dir() {
        return Ok(vec![parsed(path, std::fs::read(path).map_err(|why| error::unreadable(&why))?)]);
    }
    let work = || {
        let (mut found, mut seen) = (Found::default(), Seen::default());
        let selection = Selection::new(&[], &[])?.with_tests();
        selection.walk(path, &mut found, &mut seen);
        if let Some(failed) = found.unreadable.first() {
            return Err(failed.to_string());
        }
        let files = found.files.iter().filter(|own| wanted(&name(&own.path)));
        let text = |own: &hclkit_files::FoundFile| {
            let text = own.read(hclkit::Limits::SOURCE_BYTES, &mut |_| Ok(()));
            text.map(|text| parsed(&own.path, text))
                .map_err(|why| format!("cannot read {}: {why}", own.path.display()))
        };
        files.map(text).collect::<Result<Vec<_>, String>>()
    };
    run::slow(py, &Limits::trusted(), work)?.map_err(pyo3::exceptions::PyOSError::new_err)
}
