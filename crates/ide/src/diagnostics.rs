//! Diagnostics of a file: those of the parser, and what the checks of its module and of the modules that call it find in it.
//! They are those of `hcl check`.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use hclkit::dialect::Dialect;
use hclkit::module::{self, BAKE_FILES, Bake, ModuleLoader, ModuleTree, Target};
use hclkit::{Diagnostic, Diagnostics};

use crate::Snapshot;
use crate::files::is_test_file;
use crate::files::parent;
use crate::module::WorkspaceFiles;

/// What a directory is checked as.
enum Kind {
    Module(Arc<Dialect>),
    Tests(Arc<Dialect>),
    Bake,
    Units,
}

impl Snapshot {
    /// The errors and warnings in a file: those of the parser, and those of its module.
    pub fn diagnostics(&self, path: &str) -> Vec<Diagnostic> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let mut seen: HashSet<String> = HashSet::new();
        let mut found: Vec<Diagnostic> = Vec::new();
        let own = file
            .syntax_errors()
            .iter()
            .cloned()
            .chain(self.spec_errors(&file).iter().cloned().collect::<Vec<_>>());
        let of_module = self.checked(parent(path), || self.check(path));
        let of_module = of_module.iter().cloned();
        #[cfg(feature = "rules")]
        let own = own.chain(self.errors_in_rules(path).iter().cloned().collect::<Vec<_>>());
        for diagnostic in own.chain(of_module.filter(|found| is_of(found, path))) {
            if seen.insert(diagnostic.to_string()) {
                found.push(diagnostic);
            }
        }
        found.sort_by_key(Diagnostic::span);
        found
    }

    /// Checks the module of a file, and those that call it.
    pub(crate) fn check(&self, path: &str) -> Diagnostics {
        let own = parent(path).to_owned();
        let mut directories: BTreeSet<String> = BTreeSet::from([own.clone()]);
        // Tests can use variables of the module.
        let tested = if is_test_file(path) { parent(&own).to_owned() } else { own.clone() };
        let callers = self.index().all_callers(&own);
        directories.extend(callers.iter().cloned());
        if is_test_file(path) || self.list(&format!("{own}/tests")).is_ok() {
            directories.insert(format!("{own}/tests"));
            directories.insert(tested);
        }
        #[cfg_attr(not(feature = "rules"), expect(unused_mut, reason = "rules add to it"))]
        let mut found = self.check_together(&directories, &own);
        #[cfg(feature = "rules")]
        found.append(self.findings_of_rules(&own, &callers));
        found
    }

    /// Checks directories, each as a root module, with the settings for one of them.
    fn check_together(&self, directories: &BTreeSet<String>, own: &str) -> Diagnostics {
        let mut checked: Vec<(String, Kind)> = Vec::new();
        for directory in directories {
            let Ok(names) = self.list(directory) else { continue };
            let names: Vec<&str> =
                names.iter().map(String::as_str).filter(|name| self.is_configuration(name)).collect();
            if let Some(language) = self.language_in(directory, names.iter().copied()) {
                checked.push((directory.clone(), Kind::Module(language)));
            }
            if names.iter().any(|name| is_test_file(name)) {
                checked.push((directory.clone(), Kind::Tests(self.tested(directory))));
            }
            if names.iter().any(|name| BAKE_FILES.contains(name)) {
                checked.push((directory.clone(), Kind::Bake));
            }
            if directory == own {
                checked.push((directory.clone(), Kind::Units));
            }
        }
        self.follow_calls(&mut checked, own);
        let mut trees: BTreeMap<String, ModuleTree> = BTreeMap::new();
        let languages = checked.iter().filter_map(|(_, kind)| match kind {
            Kind::Module(language) | Kind::Tests(language) => Some(language.clone()),
            Kind::Bake | Kind::Units => None,
        });
        for language in languages {
            trees.entry(language.name().to_owned()).or_insert_with(|| self.tree(&language, own));
        }
        for (directory, kind) in &checked {
            if let Kind::Tests(_) = kind {
                for tree in trees.values() {
                    tree.read_tests(directory);
                }
            }
        }
        for (name, tree) in &mut trees {
            let is_own = |kind: &Kind| matches!(kind, Kind::Module(language) if language.name() == name);
            let roots = checked.iter().filter(|(_, kind)| is_own(kind));
            tree.arrange(roots.map(|(directory, _)| directory.clone()));
        }
        let called: HashSet<String> =
            trees.values().flat_map(|tree| tree.called().map(str::to_owned).collect::<Vec<_>>()).collect();
        let mut found = Diagnostics::new();
        for (directory, kind) in &checked {
            found.append(match kind {
                Kind::Module(language) => trees
                    .get(language.name())
                    .map_or_else(Diagnostics::new, |tree| tree.check(directory, called.contains(directory))),
                Kind::Tests(language) => trees
                    .get(language.name())
                    .map_or_else(Diagnostics::new, |tree| tree.check_tests(directory)),
                Kind::Bake => self.check_bake(directory),
                Kind::Units => self.check_units(directory),
            });
        }
        self.leave(trees);
        found
    }

    /// As in the program, calls can say that a directory of Terraform is one of `OpenTofu`.
    fn follow_calls(&self, checked: &mut [(String, Kind)], own: &str) {
        let modules = checked.iter().filter_map(|(directory, kind)| match kind {
            Kind::Module(language) => Some((directory.clone(), &**language, directory)),
            _ => None,
        });
        let is_said = |directory: &&String| self.signs(directory).language(&Dialect::terraform()).is_some();
        let found = module::opentofu_by_calls(modules, is_said, |language| self.tree(&language, own));
        for (directory, kind) in checked {
            let is_terraform = matches!(kind, Kind::Module(language) if language.name() == "terraform");
            if is_terraform && found.contains(directory) {
                *kind = Kind::Module(Dialect::opentofu());
            }
        }
    }

    /// The language of the module that tests in a directory test: the nearest one around it.
    fn tested(&self, directory: &str) -> Arc<Dialect> {
        let mut at = directory;
        loop {
            let names = self.list(at).unwrap_or_default();
            if let Some(language) = self.language_in(at, names.iter().map(String::as_str)) {
                return language;
            }
            if parent(at) == at || parent(at).is_empty() {
                return Dialect::terraform();
            }
            at = parent(at);
        }
    }

    fn tree(&self, language: &Arc<Dialect>, directory: &str) -> ModuleTree {
        let view = WorkspaceFiles { snapshot: self.without_leftovers(), root: String::new(), checks: true };
        let (settings, _) = self.settings(directory);
        let target = settings.versions().get(language.name()).map(Target::of_settings);
        let loader = ModuleLoader::new(language.clone())
            .with_files(view)
            .with_target(target)
            .with_functions(module::functions_without_files(language));
        ModuleTree::new(self.with_sources(loader, directory))
    }

    fn check_bake(&self, directory: &str) -> Diagnostics {
        let view = WorkspaceFiles { snapshot: self.clone(), root: directory.to_owned(), checks: false };
        let functions = module::bake_functions_without_files();
        Bake::new().with_directory(&view).with_functions(functions).check()
    }
}

fn is_of(found: &Diagnostic, path: &str) -> bool {
    found.source().is_some_and(|source| source.name() == path)
}
