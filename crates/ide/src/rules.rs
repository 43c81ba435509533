//! Rules of a project, `*.rules.hcl`: what those that the settings name find in a file, as in `hcl test`, and errors in rules themselves.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex};

use hclkit::limits::Meter;
use hclkit::module::{self, Files as _, ModuleLoader, join_path};
use hclkit::syntax::Span;
use hclkit::{Code, Diagnostic, Diagnostics, Document, Limits};
use hclkit_policy::{Builtin, FileKind, Outcome, Project, Reader, Rules, Verdict, rules};

use crate::Snapshot;
use crate::files::{is_in, name};
use crate::module::WorkspaceFiles;
use crate::sync::lock;

const CUT: Code = Code::custom("rules-cut", "Rules are applied in part").with_explanation(
    "A server applies rules to a file within a budget. The program has larger limits: run `hcl test`.",
);

/// Rules that were read, by the directory of the settings that name them.
#[derive(Debug, Default)]
pub(crate) struct RulesCache(Mutex<HashMap<String, Known>>);

/// Rules, with all texts that they were read from.
#[derive(Debug)]
struct Known {
    texts: Vec<String>,
    rules: Arc<Rules>,
}

/// The limits on applying rules to the files of a directory.
fn of_rules() -> Limits {
    Limits::new().with_steps(4_000_000).with_elements(4_000_000).with_bytes(64 << 20)
}

impl Snapshot {
    /// The errors in a file of rules, and what it imports.
    pub(crate) fn errors_in_rules(&self, path: &str) -> Diagnostics {
        if FileKind::of_name(name(path)) != Some(FileKind::Rules) {
            return Diagnostics::new();
        }
        let Some(file) = self.file(path).filter(|file| !file.document().has_errors()) else {
            return Diagnostics::new();
        };
        of_rules().run(|| self.reader([file.document().clone()]).read().1)
    }

    /// What the rules of the project find in the files of a directory. `callers` are the directories that call its module.
    pub(crate) fn findings_of_rules(&self, directory: &str, callers: &BTreeSet<String>) -> Diagnostics {
        of_rules().run(|| match self.rules(directory) {
            Some(rules) => self.apply(&rules, directory, callers),
            None => Diagnostics::new(),
        })
    }

    fn apply(&self, rules: &Rules, directory: &str, callers: &BTreeSet<String>) -> Diagnostics {
        let mut documents = self.documents(directory);
        let own = documents.len();
        documents.extend(
            callers.iter().filter(|other| *other != directory).flat_map(|other| self.documents(other)),
        );
        let mut project = Project::new(documents);
        // A limit is reported below.
        project.evaluate_all(|module| {
            let at = module.to_str()?;
            let names = self.list(at).unwrap_or_default();
            let language = self.language_in(at, names.iter().map(String::as_str))?;
            let functions = module::functions_without_files(&language);
            let files =
                WorkspaceFiles { snapshot: self.without_leftovers(), root: at.to_owned(), checks: false };
            Some(
                self.with_sources(ModuleLoader::new(language), at)
                    .with_files(files)
                    .with_functions(functions),
            )
        });
        let mut found = Diagnostics::new();
        for at in 0..own {
            if Meter::current().exceeded().is_none() {
                found.extend(rules.check(&project, at, &|_| true).verdicts.into_iter().filter_map(finding));
            }
            if Meter::current().exceeded().is_some() {
                let document = project.document(at);
                found.push(Diagnostic::warning(CUT).at(hclkit::Place::new(document.shared_source(), Span::new(0, 0))).with_note(
                    "The rules of the project need more than the budget of a server; `hcl test` applies them all.",
                ));
                return found;
            }
        }
        found.append(project.unused_comments(rules.names()));
        found
    }

    /// The files of a directory that rules are about.
    fn documents(&self, directory: &str) -> Vec<Document> {
        let names = self.list(directory).unwrap_or_default();
        let is_target = |own: &&String| self.is_configuration(own) && FileKind::of_name(own).is_none();
        let file = |own: &String| self.file(&join_path(directory, own));
        names.iter().filter(is_target).filter_map(file).map(|file| file.document().clone()).collect()
    }

    /// The rules that the settings of a directory name.
    fn rules(&self, directory: &str) -> Option<Arc<Rules>> {
        let (settings, folder) = self.settings(directory);
        if settings.test_rules().is_empty() {
            return None;
        }
        let mut documents = Vec::new();
        for named in settings.test_rules() {
            match named.strip_prefix("builtin:") {
                Some(own) => documents.extend(Builtin::documents(own).unwrap_or_default()),
                None => documents.extend(self.documents_of_rules(&folder, named)),
            }
        }
        let mut texts: Vec<String> =
            documents.iter().map(|own| format!("{}\n{}", own.source().name(), own.source().text())).collect();
        texts.extend(settings.test_params().iter().map(|(name, text)| format!("{name}={text}")));
        // What others import is not among the texts.
        let is_whole = !documents.iter().any(|own| own.source().text().contains("import"));
        if is_whole
            && let Some(known) = lock(&self.rules_cache().0).get(&*folder)
            && known.texts == texts
        {
            return Some(known.rules.clone());
        }
        let params = settings.test_params().iter();
        let reader =
            params.fold(self.reader(documents), |reader, (name, text)| reader.with_param(name, text));
        // Errors are reported in the files of rules.
        let rules = Arc::new(reader.read().0);
        if is_whole && Meter::current().exceeded().is_none() {
            lock(&self.rules_cache().0).insert(folder.to_string(), Known { texts, rules: rules.clone() });
        }
        Some(rules)
    }

    /// A file or directory of rules that settings name, which is in their directory.
    fn documents_of_rules(&self, folder: &str, named: &str) -> Vec<Document> {
        let path = join_path(folder, named);
        if !is_in(&path, folder) {
            return Vec::new();
        }
        let paths = match self.list(&path) {
            Ok(names) => names.into_iter().map(|own| join_path(&path, &own)).collect(),
            Err(_) => vec![path],
        };
        let is_rules = |path: &&String| FileKind::of_name(name(path)) == Some(FileKind::Rules);
        let files = paths.iter().filter(is_rules).filter_map(|path| self.file(path));
        files.map(|file| file.document().clone()).collect()
    }

    fn reader(&self, documents: impl IntoIterator<Item = Document>) -> Reader<'static> {
        let snapshot = self.without_leftovers();
        let open = move |directory: &Path, path: &str| {
            let root = directory.to_str().unwrap_or_default().to_owned();
            let files = WorkspaceFiles { snapshot: snapshot.clone(), root, checks: false };
            if !files.may_read(path) {
                return Err("it is not in the workspace".to_owned());
            }
            rules::open(&files, directory, path)
        };
        documents.into_iter().fold(Reader::new().with_files(open), Reader::with_document)
    }
}

/// What of a verdict is shown: an unknown condition is a warning.
fn finding(verdict: Verdict) -> Option<Diagnostic> {
    let finding = verdict.finding?;
    let severity = match verdict.outcome {
        Outcome::Unknown(_) => hclkit::Severity::Warning,
        _ => finding.severity(),
    };
    Some(finding.with_severity(severity))
}
