//! What rules find in the modules that are compared, in both versions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use hclkit::Document;
use hclkit::limits::clean_path;
use hclkit::module::{Dialect, Module, ModuleLoader, ModuleTree};
use hclkit::{Diagnostic, Diagnostics};
use hclkit_policy::{Outcome, Project, Rules};
use hclkit_review::RuleChanges;

use crate::args;
use crate::outcome::Failure;
use crate::scope::run_limited;
use crate::test::rules_at;

/// The rules of a run, and the modules that they are applied to.
pub(super) struct RuleRun {
    rules: Rules,
    old: Version,
    new: Version,
}

/// The files of a version, and how their modules are loaded.
#[derive(Default)]
struct Version {
    documents: BTreeMap<String, Document>,
    modules: BTreeMap<PathBuf, (Arc<ModuleTree>, String)>,
    /// What is before the names of its files.
    label: String,
    /// The directories of root modules, without the label.
    roots: BTreeSet<PathBuf>,
}

impl RuleRun {
    /// The rules of an option or of the settings. `None` if there are none. Errors in them are problems.
    pub(super) fn new(command: &args::Diff, problems: &mut Vec<String>) -> Result<Option<Self>, Failure> {
        if command.no_lints {
            return Ok(None);
        }
        let Some((rules, found)) = rules_at(&command.rules)? else { return Ok(None) };
        problems.extend(found.iter().filter(|own| own.is_error()).map(ToString::to_string));
        Ok(Some(Self { rules, old: Version::default(), new: Version::default() }))
    }

    /// Sets what is before the names of the files of the versions.
    pub(super) fn set_labels(&mut self, old: &str, new: &str) {
        old.clone_into(&mut self.old.label);
        new.clone_into(&mut self.new.label);
    }

    /// Adds a module in both versions, each with its loader.
    pub(super) fn add(&mut self, old: &(Module, ModuleLoader), new: &(Module, ModuleLoader)) {
        self.old.add(old);
        self.new.add(new);
    }

    /// Applies the rules to both versions. Returns limits that ended some of the work, too.
    pub(super) fn compare(&self) -> (RuleChanges, Diagnostics) {
        let mut limits = Diagnostics::new();
        let [old, new] = [&self.old, &self.new].map(|own| own.findings(&self.rules, &mut limits));
        (RuleChanges::of(old, new), limits.distinct())
    }
}

impl Version {
    fn add(&mut self, (module, loader): &(Module, ModuleLoader)) {
        let loader = loader.clone().with_unknown_variables(true);
        let tree = Arc::new(ModuleTree::new(loader));
        for (directory, source) in module.sources() {
            let name = source.name().to_owned();
            let around = directory_of(&name);
            if directory.is_empty() {
                self.roots.insert(directory_of(self.without_label(&name)));
            }
            self.modules.entry(around).or_insert_with(|| (tree.clone(), directory.to_owned()));
            let parse = || Document::parse_in(source.as_ref().clone(), Dialect::syntax_of(source.name()));
            self.documents.entry(name).or_insert_with(parse);
        }
    }

    /// What the rules find, each with a text that does not depend on the version.
    fn findings(&self, rules: &Rules, limits: &mut Diagnostics) -> Vec<(String, Diagnostic)> {
        let mut project = Project::new(self.documents.values().cloned());
        for (directory, (tree, at)) in &self.modules {
            let (tree, at) = (tree.clone(), at.clone());
            let (module, found) =
                run_limited(|| project.evaluate_with(directory, move || tree.load_own(&at)));
            limits.append(found);
            project.add(module);
        }
        let mut all = Vec::new();
        for file in 0..project.len() {
            let suite = run_limited(|| rules.check(&project, file, &|_| true));
            limits.extend(
                suite.problems.iter().filter(|own| own.code().is_some_and(hclkit::Code::is_limit)).cloned(),
            );
            let name = self.without_label(project.document(file).source().name());
            let around = self.relative(&directory_of(name));
            for verdict in suite.verdicts.into_iter().filter(|own| own.outcome == Outcome::Failed) {
                let Some(found) = verdict.finding else { continue };
                let key = [verdict.name.as_str(), &around, &verdict.subject, found.note()].join("\n");
                all.push((key, found));
            }
        }
        all
    }

    fn without_label<'n>(&self, name: &'n str) -> &'n str {
        name.strip_prefix(&self.label).unwrap_or(name)
    }

    /// A directory as it is named from the root module that is next to it.
    fn relative(&self, directory: &Path) -> String {
        let from = |root: &PathBuf| relative(root, directory);
        self.roots.iter().map(from).min_by_key(|own| (own.len(), own.clone())).unwrap_or_default()
    }
}

fn directory_of(name: &str) -> PathBuf {
    clean_path(Path::new(name)).parent().map(Path::to_owned).unwrap_or_default()
}

/// A path from a directory to another one.
fn relative(from: &Path, to: &Path) -> String {
    let (from, to): (Vec<Component<'_>>, Vec<_>) = (from.components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = from[shared..].iter().map(|_| "..".to_owned());
    let down = to[shared..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn paths_are_relative_to_the_root_module() {
        for (from, to, expected) in
            [("old/app", "old/net", "../net"), ("app", "app/x", "x"), ("app", "app", ""), ("", "m", "m")]
        {
            assert_eq!(super::relative(Path::new(from), Path::new(to)), expected);
        }
    }
}
