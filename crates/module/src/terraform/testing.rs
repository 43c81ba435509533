//! Test files, such as `main.tftest.hcl`: what a language reports when it loads them, and what a test run would report whatever
//! the values are. `testing/structure.rs` reads their blocks, `testing/run.rs` checks what they refer to.

mod run;
mod structure;

use std::collections::{HashMap, HashSet};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use hclkit_model::{Attribute, Body, Context, ParseOptions};
use hclkit_syntax::{Diagnostics, Place, Source};
use hclkit_value::Name;

use self::run::{Checking, Run, Tested};
pub use self::structure::Node as TestBlock;
use self::structure::Node;
use crate::config::{Config, names_of};
use crate::files::{clean, join};
use crate::inputs::RootInputs;
use crate::lint::Uses;
use crate::load::ModuleLoader;
use crate::messages;
use crate::module_tree::ModuleTree;
use crate::provider_name::Named;
use hclkit_dialect::{Dialect, FileKind};

/// The name of directories with tests of the directory that they are in.
const TESTS: &str = "tests";

impl Node {
    /// Reads a test file. `None` if the language has none.
    pub fn read_file(language: &Dialect, body: &Body, diagnostics: &mut Diagnostics) -> Option<Self> {
        let language = language.of_kind(FileKind::Tests)?;
        Some(Self::read(language, language.block("file")?, None, body, diagnostics))
    }

    /// Reads a file of mocks for tests. `None` if the language has none.
    pub fn read_mocks(language: &Dialect, body: &Body, diagnostics: &mut Diagnostics) -> Option<Self> {
        let language = language.of_kind(FileKind::Tests)?;
        Some(Self::read(language, language.block("mocks")?, None, body, diagnostics))
    }
}

/// A test file.
#[derive(Debug)]
pub(crate) struct TestFile {
    /// `None` if it has syntax errors.
    root: Option<Node>,
    /// Errors that do not depend on the module that it tests.
    found: Diagnostics,
    /// What it declares is declared together with the module.
    is_query: bool,
}

impl TestFile {
    fn read(language: &Dialect, is_query: bool, name: String, text: Vec<u8>) -> Self {
        let kind =
            if name.ends_with(".tfmock.hcl") || name.ends_with(".tfmock.json") { "mocks" } else { "file" };
        let (body, mut found) = ParseOptions::new().parse(Source::new(name, text));
        let rule = language.block(kind).filter(|_| !found.has_errors());
        let root = rule.map(|rule| Node::read(language, rule, None, &body, &mut found));
        Self { root, found, is_query }
    }
}

impl ModuleLoader {
    /// The files of mocks in a directory that the module may read. The path is absolute, or relative to the directory of the module.
    ///
    /// # Errors
    /// The directory or a file in it cannot be read. [`PermissionDenied`](ErrorKind::PermissionDenied) says that the module may not.
    #[doc(hidden)]
    pub fn mock_files(&self, directory: &str) -> io::Result<Vec<Source>> {
        let files = self.files();
        let is_absolute = Path::new(directory).is_absolute();
        let directory = if is_absolute { clean(directory) } else { join("", directory) };
        let is_read = |name: &String| !name.starts_with('.') && Dialect::has_file(name, &[FileKind::Mocks]);
        let names = files.list(&directory)?.into_iter().filter(is_read);
        let paths = names.map(|name| join(&directory, &name));
        paths.map(|path| Ok(Source::new(files.name(&path), files.read(&path)?))).collect()
    }
}

impl ModuleTree {
    /// Returns true if a file has tests of Terraform or `OpenTofu`, mock data for them, or queries, according to its name.
    ///
    /// ```
    /// use hclkit_module::ModuleTree;
    ///
    /// assert!(ModuleTree::is_test_file("main.tftest.hcl") && !ModuleTree::is_test_file("main.tf"));
    /// ```
    pub fn is_test_file(name: &str) -> bool {
        Dialect::has_file(name, &[FileKind::Tests, FileKind::Mocks, FileKind::Queries])
    }

    /// The test files in a directory.
    pub(crate) fn test_files(&self, directory: &str) -> Vec<TestFile> {
        let files = self.loader().files();
        let names = files.list(directory).unwrap_or_default();
        let one = |name: String| {
            // Mock data is in the language of tests, and only some languages have queries.
            let is_query = Dialect::has_file(&name, &[FileKind::Queries]);
            let kind = if is_query { FileKind::Queries } else { FileKind::Tests };
            let language = self.language().of_kind(kind)?;
            let path = join(directory, &name);
            let shown = files.name(&path);
            Some(match files.read(&path) {
                Ok(text) => TestFile::read(language, is_query, shown, text),
                Err(error) => {
                    TestFile { root: None, found: messages::unreadable(&shown, &error).into(), is_query }
                }
            })
        };
        let all: HashSet<&str> = names.iter().map(String::as_str).collect();
        let is_read = |name: &&String| Self::is_test_file(name) && !self.language().is_replaced(name, &all);
        names.iter().filter(is_read).filter_map(|name| one(name.clone())).collect()
    }

    /// The directories of the modules that the files in a directory may test: its own one, and the nearest one around it.
    /// Empty if this is unknown.
    fn tested(&self, directory: &str) -> Vec<String> {
        let is_module = |directory: &str| match self.loader().files().list(directory) {
            Ok(names) => Some(names.iter().any(|name| self.language().is_module_file(name))),
            Err(error) if error.kind() == ErrorKind::Unsupported => None,
            Err(_) => Some(false),
        };
        let mut found = Vec::new();
        let mut at = Some(directory);
        while let Some(own) = at {
            match is_module(own) {
                Some(true) => found.push(own.to_owned()),
                Some(false) => {}
                None => return Vec::new(),
            }
            // Test files beside a module may also be run from the directory around it.
            if !found.is_empty() && (own != directory || !own.split('/').any(|part| part == TESTS)) {
                break;
            }
            at = parent(own);
        }
        found
    }

    /// Checks test files.
    pub(crate) fn check_test_files(&self, directory: &str, files: &[TestFile]) -> Diagnostics {
        let candidates = self.tested(directory).into_iter().map(Some).collect::<Vec<_>>();
        let candidates = if candidates.is_empty() { vec![None] } else { candidates };
        let given = self.loader().outside(directory, &mut Diagnostics::new()).inputs.into_keys();
        let given: Vec<Name> = given.collect();
        let all = candidates.iter().map(|module| self.check_as_tests_of(module.as_deref(), &given, files));
        // Which module the files test is only certain when they are run.
        let mut found = all.min_by_key(Diagnostics::errors).unwrap_or_default();
        for file in files {
            found.append(file.found.clone());
        }
        crate::module::in_order(found)
    }

    /// Checks test files as those of the module in a directory. Files of variables beside them set those in `given`.
    fn check_as_tests_of(&self, module: Option<&str>, given: &[Name], files: &[TestFile]) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        let tested = module.map(|module| self.tested_module(module));
        let queries = files.iter().filter(|file| file.is_query).filter_map(|file| file.root.as_ref());
        if let Some(language) = self.language().of_kind(FileKind::Queries) {
            check_queries(language, queries, tested.as_ref(), &mut diagnostics);
        }
        for root in files.iter().filter_map(|file| file.root.as_ref()) {
            let runs = self.runs(root, module, tested.as_ref(), &mut diagnostics);
            let mut checking = Checking::new(self, module, tested.as_ref(), &runs, given, &mut diagnostics);
            checking.file(root);
        }
        diagnostics
    }

    /// The runs of a file, with the modules that they test.
    fn runs<'n>(
        &self,
        root: &'n Node,
        module: Option<&str>,
        tested: Option<&Tested>,
        diagnostics: &mut Diagnostics,
    ) -> Vec<Run<'n>> {
        let mut runs: Vec<Run<'n>> = Vec::new();
        for node in root.all("run") {
            let own = node.all("module").next();
            let tested = match own {
                None => tested.cloned(),
                Some(call) => run::source(call, diagnostics).and_then(|(source, place)| {
                    let directory = join(module?, &source);
                    match self.loader().files().list(&directory) {
                        Ok(names) if names.iter().any(|name| self.language().is_module_file(name)) => {
                            Some(self.tested_module(&directory))
                        }
                        Err(error) if error.kind() == ErrorKind::Unsupported => None,
                        _ => {
                            let name = self.loader().files().name(&directory);
                            diagnostics.push(messages::missing_module(&name).at(place));
                            None
                        }
                    }
                }),
            };
            runs.push(Run { node, has_module: own.is_some(), tested });
        }
        runs
    }

    fn tested_module(&self, directory: &str) -> Tested {
        let (config, outside) = self.declared(directory);
        let given = outside.inputs.keys().cloned().collect();
        let module =
            self.loader().module(config.clone(), Vec::new(), RootInputs::default(), Diagnostics::new());
        Tested { config, tree: module.root.tree.clone(), given }
    }

    /// Adds the variables that test files set, and what their assertions refer to.
    pub(crate) fn add_uses_of_tests(&self, directory: &str, files: &[TestFile], uses: &mut Uses) {
        for module in self.tested(directory) {
            for root in files.iter().filter_map(|file| file.root.as_ref()) {
                for variables in root.all("variables") {
                    add_variables(variables, &module, uses);
                }
                for node in root.children.iter().filter(|node| !node.is("run")) {
                    add_references(node, &module, uses);
                }
                for node in root.all("run") {
                    let own = node.all("module").next();
                    let own = own.and_then(|call| run::source(call, &mut Diagnostics::new()));
                    let tested = own.map_or_else(|| module.clone(), |(source, _)| join(&module, &source));
                    node.all("variables").for_each(|variables| add_variables(variables, &tested, uses));
                    add_references(node, &tested, uses);
                }
            }
        }
    }
}

/// Reports what query files declare again: they are part of the module, and of one another.
fn check_queries<'n>(
    language: &Dialect,
    queries: impl Iterator<Item = &'n Node>,
    tested: Option<&Tested>,
    diagnostics: &mut Diagnostics,
) {
    let place_of = |own: &Attribute| Place::new(&own.source, own.name_span);
    let mut first: HashMap<Vec<Name>, Place> = HashMap::new();
    for config in tested.iter().map(|tested| &tested.config) {
        let named = config.values.iter();
        first.extend(named.map(|named| (named.address.clone(), place_of(&named.attribute))));
        for item in &config.items {
            let provider = Named::of_block(item).map(|named| named.path());
            first.insert(provider.unwrap_or_else(|| item.address.clone()), item.place());
        }
    }
    for node in queries.flat_map(|root| &root.children) {
        let Some(block) = &node.block else { continue };
        let place = block.definition_place();
        let form = language.block(&block.block_type).map(|rule| &rule.defines);
        let declared: Vec<(Vec<Name>, Place)> = match form {
            Some(form) if form.is_of_attributes() => {
                let address = |own: &Attribute| form.address(&block.labels, Some(&own.name));
                let own = node.attributes.iter();
                own.filter_map(|own| Some((address(own)?, place_of(own)))).collect()
            }
            Some(form) if !form.is_empty() => {
                form.address(&block.labels, None).map(|address| (address, place)).into_iter().collect()
            }
            // A configuration of a provider has its alias after its name.
            _ => {
                let alias = node.attributes.get("alias");
                let alias = alias.and_then(|alias| alias.expression.evaluate(&Context::new()).ok());
                let alias = alias.as_ref().and_then(|alias| alias.as_str()).map(Name::from);
                let path = std::iter::once(&block.block_type).chain(&block.labels).cloned();
                vec![(path.chain(alias).collect(), place)]
            }
        };
        for (address, place) in declared {
            // Those of a single file are reported with it.
            let is_other =
                |first: &&Place| !(node.is("provider") && Arc::ptr_eq(&first.source, &place.source));
            if let Some(first) = first.get(&address).filter(is_other) {
                let error = messages::duplicate(&crate::step::address(&address), &first.source, first.span);
                diagnostics.push(error.at(&place));
            }
            first.entry(address).or_insert(place);
        }
    }
}

fn add_variables(variables: &Node, module: &str, uses: &mut Uses) {
    let names = variables.attributes.iter().map(|attribute| attribute.name.clone());
    uses.extend(names.map(|name| (module.to_owned(), vec![Name::from("var"), name])));
}

/// Adds what the arguments of a block refer to, also those of the blocks in it.
fn add_references(node: &Node, module: &str, uses: &mut Uses) {
    for attribute in &node.attributes {
        for reference in attribute.expression.variables() {
            let mut names = names_of(&reference);
            names.truncate(2);
            uses.insert((module.to_owned(), names));
        }
    }
    node.children.iter().for_each(|child| add_references(child, module, uses));
}

/// The directory around a directory.
fn parent(directory: &str) -> Option<&str> {
    match directory.rsplit_once('/') {
        Some((parent, name)) if name != ".." => Some(parent).filter(|parent| !parent.is_empty()),
        Some(_) => None,
        None => Some("").filter(|_| !directory.is_empty() && directory != ".."),
    }
}

/// The names of the outputs of a module.
fn results(config: &Config) -> HashSet<&str> {
    let results = config.items.iter().filter(|item| item.rule.role == hclkit_dialect::Role::Result);
    results.map(crate::config::Item::own_name).collect()
}
