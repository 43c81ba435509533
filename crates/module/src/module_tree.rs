//! The modules of many directories that call each other, as in a repository: each directory is read once, and what was
//! found out about a module is used for all that call it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hclkit_dialect::{Dialect, Role};
use hclkit_limits::with_room;
use hclkit_model::Functions;
use hclkit_syntax::{Code, Diagnostic, Diagnostics};
use hclkit_value::Name;

use crate::config::{Config, Item, Lints, Store, Target};
use crate::files::Lone;
use crate::inputs::RootInputs;
use crate::instance::Checked;
use crate::lint::{Uses, add_set_by_calls};
use crate::load::ModuleLoader;
use crate::module::{Module, in_order};
use crate::terraform::{ProviderFindings, TestFile};

/// Checks the modules in many directories, each as a root module. The findings are those of [`Module::check`] for each of
/// them, except that a finding in a directory that several modules call is only among those of the first one, and that a variable
/// which any call sets is not unused.
///
/// The directories are read first, then arranged, and then checked. Each directory is only read and declared once, and a
/// called module is evaluated once for equal inputs. Several threads can read and check directories at the same time.
///
/// ```
/// use hclkit_module::{Dialect, Memory, ModuleLoader, ModuleTree};
///
/// let files = Memory::from_iter([
///     ("live/main.tf", "module \"net\" {\n  source = \"../net\"\n}\n"),
///     ("net/main.tf", "locals {\n  unused = 1\n}\n"),
/// ]);
/// let mut tree = ModuleTree::new(ModuleLoader::new(Dialect::terraform()).with_files(files));
/// let roots = ["live", "net"];
/// roots.iter().for_each(|root| tree.read(root));
/// tree.arrange(roots);
/// assert!(tree.is_called("net") && !tree.is_called("live"));
/// assert_eq!(tree.check("live", false).warnings(), 1);
/// // This was reported for the first module that calls it.
/// assert_eq!(tree.check("net", true).warnings(), 0);
/// ```
pub struct ModuleTree {
    loader: ModuleLoader,
    /// Reading needs no order, but a directory is declared for one root module at a time.
    store: Mutex<Store>,
    roots: Mutex<BTreeMap<String, Arc<Root>>>,
    /// The directories of called modules.
    called: HashSet<String>,
    /// The declarations that calls and tests use.
    uses: Uses,
    /// The test files in directories.
    tests: Mutex<BTreeMap<String, Arc<Vec<TestFile>>>>,
    /// By whether the types of some values are unknown.
    checked: [Arc<Checked>; 2],
    unavailable: BTreeSet<String>,
    providers: Arc<ProviderFindings>,
}

/// What the calls of root modules, also through others, mean for the checks of other modules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct CallEffects {
    /// The variables that calls set, each with the directory of its module.
    pub set: BTreeSet<(String, Vec<String>)>,
    /// The directories of called modules.
    pub called: BTreeSet<String>,
    /// The sources of called modules that are not available.
    pub unavailable: BTreeSet<String>,
}

/// A root module.
#[derive(Debug)]
struct Root {
    config: Arc<Config>,
    inputs: Mutex<Option<(RootInputs, Diagnostics)>>,
    /// Without errors in files and references. `None` if this is unknown.
    plain: Option<Plain>,
}

/// A root module without errors that do not depend on values.
#[derive(Debug, Default)]
struct Plain {
    /// The directories that no module before has called.
    first: Vec<Arc<Config>>,
    /// Those that were only root modules before.
    first_called: Vec<Arc<Config>>,
}

/// The language. Files and findings are left out.
#[doc(hidden)]
impl fmt::Debug for ModuleTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModuleTree").field("loader", &self.loader).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ModuleTree {
    /// Returns a tree with the language, the files and the functions of a loader.
    pub fn new(loader: ModuleLoader) -> Self {
        Self {
            loader: loader.for_tree(),
            store: Mutex::default(),
            roots: Mutex::default(),
            called: HashSet::new(),
            uses: Uses::new(),
            tests: Mutex::default(),
            checked: Default::default(),
            unavailable: BTreeSet::new(),
            providers: Arc::default(),
        }
    }

    /// Adds what other root modules say, which are not among those that are arranged.
    #[doc(hidden)]
    #[must_use]
    pub fn with_effects(mut self, known: CallEffects) -> Self {
        self.uses.extend(known.set.into_iter().map(|(directory, names)| {
            (directory, names.iter().map(|name| Name::from(name.as_str())).collect())
        }));
        self.called.extend(known.called);
        self.unavailable.extend(known.unavailable);
        self
    }

    /// What the calls of the root module in a directory mean for others, with the directories of its modules. `None` if it was not
    /// arranged.
    #[doc(hidden)]
    pub fn effects(&self, directory: &str) -> Option<(BTreeSet<String>, CallEffects)> {
        let root = lock(&self.roots).get(directory)?.config.clone();
        let mut configs = Vec::new();
        all(&root, &mut HashSet::new(), &mut configs);
        let mut uses = Uses::new();
        let mut effects = CallEffects::default();
        for config in &configs {
            add_set_by_calls(config, &mut uses);
            effects.called.extend(config.called().map(|called| called.directory.clone()));
            effects.unavailable.extend(config.unavailable.iter().cloned());
        }
        let text = |names: Vec<Name>| names.iter().map(|name| name.as_str().to_owned()).collect();
        effects.set = uses.into_iter().map(|(directory, names)| (directory, text(names))).collect();
        Some((configs.iter().map(|config| config.directory.clone()).collect(), effects))
    }

    /// The language.
    pub fn language(&self) -> &Arc<Dialect> {
        self.loader.language()
    }

    /// Reads the files of a directory.
    pub fn read(&self, directory: &str) {
        let read = self.loader.read(directory);
        lock(&self.store).add(directory, read);
    }

    /// The root module in a directory with the functions of the tree.
    #[doc(hidden)]
    pub fn load_own(&self, directory: &str) -> Module {
        self.load(directory, self.loader.functions().clone())
    }

    /// The root module in a directory with these functions, as [`ModuleLoader::load`] gives it. Directories that were read are not read
    /// again.
    #[doc(hidden)]
    pub fn load(&self, directory: &str, functions: Functions) -> Module {
        let mut diagnostics = Diagnostics::new();
        let loader = self.loader.clone().with_functions(functions);
        let mut outside = loader.outside(directory, &mut diagnostics);
        outside.current_directory = outside
            .current_directory
            .map(|own| if directory.is_empty() { own } else { format!("{own}/{directory}") });
        let config = loader.root(directory, &outside, &mut lock(&self.store));
        let mut configs = Vec::new();
        all(&config, &mut HashSet::new(), &mut configs);
        configs.sort_by(|one, other| one.directory.cmp(&other.directory));
        loader.module(config, configs, outside, diagnostics)
    }

    /// Reads the test files in a directory, such as `main.tftest.hcl`. They test the module in the directory, or in the nearest
    /// one around it.
    pub fn read_tests(&self, directory: &str) {
        let files = Arc::new(self.test_files(directory));
        lock(&self.tests).insert(directory.to_owned(), files);
    }

    /// Checks the test files in a directory: their blocks and arguments, and what they refer to.
    ///
    /// ```
    /// use hclkit_module::{Dialect, Memory, ModuleLoader, ModuleTree};
    ///
    /// let files = Memory::from_iter([
    ///     ("main.tf", "output \"cidr\" {\n  value = 1\n}\n"),
    ///     ("tests/main.tftest.hcl", "run \"all\" {\n  expect_failures = [output.cidrs]\n}\n"),
    /// ]);
    /// let tree = ModuleTree::new(ModuleLoader::new(Dialect::terraform()).with_files(files));
    /// let found = tree.check_tests("tests");
    /// assert_eq!(
    ///     found.iter().next().unwrap().note(),
    ///     "The module under test does not declare `output.cidrs`. Did you mean `output.cidr`?",
    /// );
    /// ```
    pub fn check_tests(&self, directory: &str) -> Diagnostics {
        let known = lock(&self.tests).get(directory).cloned();
        let files = known.unwrap_or_else(|| Arc::new(self.test_files(directory)));
        self.check_test_files(directory, &files)
    }

    /// What a directory declares as a root module, and what it gets from outside.
    pub(crate) fn declared(&self, directory: &str) -> (Arc<Config>, RootInputs) {
        let outside = self.loader.outside(directory, &mut Diagnostics::new());
        let known = lock(&self.roots).get(directory).map(|root| root.config.clone());
        let config = known.unwrap_or_else(|| self.loader.root(directory, &outside, &mut lock(&self.store)));
        (config, outside)
    }

    pub(crate) fn loader(&self) -> &ModuleLoader {
        &self.loader
    }

    /// Reads what a directory and the modules that it calls declare.
    fn root(&self, directory: &str) -> Root {
        let mut diagnostics = Diagnostics::new();
        let outside = self.loader.outside(directory, &mut diagnostics);
        let config = self.loader.root(directory, &outside, &mut lock(&self.store));
        Root { config, inputs: Mutex::new(Some((outside, diagnostics))), plain: None }
    }

    /// Declares the root module in a directory. What the modules that it calls declare is found, too.
    pub fn declare(&self, directory: &str) {
        let root = self.root(directory);
        let _ = self.lints(&root.config);
        lock(&self.roots).insert(directory.to_owned(), Arc::new(root));
    }

    /// Decides for which of the root modules in these directories each finding is reported. Others are forgotten.
    pub fn arrange<D: Into<String>>(&mut self, directories: impl IntoIterator<Item = D>) {
        let directories: Vec<String> = directories.into_iter().map(Into::into).collect();
        let mut declared = std::mem::take(self.roots.get_mut().unwrap_or_else(PoisonError::into_inner));
        let mut roots = BTreeMap::new();
        let (mut plain, mut seen, mut called) = (HashMap::new(), HashMap::new(), HashSet::new());
        for directory in directories {
            let root = declared.remove(&directory).and_then(Arc::into_inner);
            let mut root = root.unwrap_or_else(|| self.root(&directory));
            self.add_called(&root.config, &mut called);
            if self.is_plain(&root.config, &mut plain) {
                let mut own = Plain::default();
                own.add(&root.config, false, &mut seen);
                root.plain = Some(own);
            }
            roots.insert(directory, Arc::new(root));
        }
        self.roots = Mutex::new(roots);
        let mut uses = std::mem::take(&mut self.uses);
        for (directory, files) in &*lock(&self.tests) {
            self.add_uses_of_tests(directory, files, &mut uses);
        }
        self.uses = uses;
    }

    fn add_called(&mut self, config: &Arc<Config>, seen: &mut HashSet<usize>) {
        add_set_by_calls(config, &mut self.uses);
        self.unavailable.extend(config.unavailable.iter().cloned());
        for called in config.called() {
            if seen.insert(Arc::as_ptr(called) as usize) {
                self.called.insert(called.directory.clone());
                with_room(|| self.add_called(called, seen));
            }
        }
    }

    /// Returns true if there are no errors in the files and references of a directory and of the modules that it calls.
    fn is_plain(&self, config: &Arc<Config>, known: &mut HashMap<usize, bool>) -> bool {
        let key = Arc::as_ptr(config) as usize;
        if let Some(known) = known.get(&key) {
            return *known;
        }
        let own = !config.broken.has_errors() && !config.diagnostics.has_errors();
        let own = own && (config.installed || !self.lints(config).found.has_errors());
        let is_plain = own && config.called().all(|called| with_room(|| self.is_plain(called, known)));
        known.insert(key, is_plain);
        is_plain
    }

    fn lints<'c>(&self, config: &'c Arc<Config>) -> &'c Lints {
        config.lints.get().unwrap_or_else(|| {
            let module =
                self.loader.module(config.clone(), Vec::new(), RootInputs::default(), Diagnostics::new());
            module.lints(config)
        })
    }

    /// The directories of the modules that others call.
    pub fn called(&self) -> impl Iterator<Item = &str> {
        self.called.iter().map(String::as_str)
    }

    /// The sources of called modules that are not downloaded, or whose directory was not given. Their results are unknown.
    pub fn unavailable(&self) -> impl Iterator<Item = &str> {
        self.unavailable.iter().map(String::as_str)
    }

    /// Those of several directories that belong to the language of this tree because of calls: its modules call them, or they call
    /// modules with files that only it reads. Each directory comes with whether it belongs to the language, if that is certain.
    fn by_calls(&self, directories: &BTreeMap<String, Option<bool>>) -> HashSet<String> {
        let has_additions = |config: &Arc<Config>| {
            let names = self.loader.files().list(&config.directory).unwrap_or_default();
            let names: HashSet<&str> = names.iter().map(String::as_str).collect();
            names.iter().any(|name| self.language().is_addition(name, &names))
        };
        let mut found = HashSet::new();
        for (directory, own) in directories {
            let (root, _) = self.declared(directory);
            let mut called = Vec::new();
            all(&root, &mut HashSet::new(), &mut called);
            let is_caller = || called.iter().skip(1).any(has_additions);
            if own.unwrap_or_else(is_caller) {
                found.extend(called.iter().map(|config| config.directory.clone()));
            }
        }
        found.retain(|directory| directories.get(directory).is_none_or(Option::is_none));
        found
    }

    /// The version of the application that a directory is for, if it is not the newest one, with the reason.
    #[doc(hidden)]
    pub fn target(&self, directory: &str) -> Option<Target> {
        let (config, _) = self.declared(directory);
        Target::of(self.language(), &config, self.loader.target())
    }

    /// Returns true if a module calls the one in a directory.
    pub fn is_called(&self, directory: &str) -> bool {
        self.called.contains(directory)
    }

    /// Checks the root module in a directory. `called` if other modules call it. Where a file can be a module by itself, files
    /// that declare the same names are checked one by one, if they then have fewer errors.
    pub fn check(&self, directory: &str, called: bool) -> Diagnostics {
        let found = self.check_together(directory, called);
        let is_duplicate = |found: &Diagnostic| found.code() == Some(Code::DuplicateDeclaration);
        if !self.language().lone_files || !found.iter().any(is_duplicate) {
            return found;
        }
        let alone = self.check_alone(directory, called).filter(|alone| alone.errors() < found.errors());
        alone.unwrap_or(found)
    }

    /// Checks each file of a directory as a module of its own. `None` unless several of them are whole: they have a build.
    fn check_alone(&self, directory: &str, called: bool) -> Option<Diagnostics> {
        let names = self.loader.files.list(directory).ok()?;
        let (mut found, mut whole) = (Diagnostics::new(), 0);
        for name in names.into_iter().filter(|name| self.language().is_module_file(name)) {
            let (files, language) = (self.loader.files.clone(), self.language().clone());
            let lone = Lone { files, language, directory: directory.to_owned(), name };
            let tree = Self::new(self.loader.clone().with_files(lone));
            let is_build = |item: &Item| item.rule.role == Role::Build;
            whole += usize::from(tree.root(directory).config.items.iter().any(is_build));
            found.append(tree.check_together(directory, called));
        }
        (whole > 1).then(|| in_order(found))
    }

    fn check_together(&self, directory: &str, called: bool) -> Diagnostics {
        let root = lock(&self.roots).get(directory).cloned();
        let root = root.unwrap_or_else(|| Arc::new(self.root(directory)));
        let given = lock(&root.inputs).take();
        let (outside, diagnostics) = given.unwrap_or_else(|| {
            let mut diagnostics = Diagnostics::new();
            (self.loader.outside(directory, &mut diagnostics), diagnostics)
        });
        let loader = self.loader.clone().with_called(called);
        let knows_callers = !called || self.called.contains(directory);
        if let Some(plain) = &root.plain {
            let module = loader.module(root.config.clone(), Vec::new(), outside.clone(), diagnostics.clone());
            if let Some(found) = self.check_plain(&module, plain, knows_callers) {
                return found;
            }
        }
        let mut configs = Vec::new();
        all(&root.config, &mut HashSet::new(), &mut configs);
        configs.sort_by(|one, other| one.directory.cmp(&other.directory));
        loader
            .module(root.config.clone(), configs, outside, diagnostics)
            .check_with(&self.uses, knows_callers)
    }

    /// Checks a root module. Returns `None` if there are errors: a complete check explains what leads to them.
    fn check_plain(&self, module: &Module, plain: &Plain, knows_callers: bool) -> Option<Diagnostics> {
        let checked = &self.checked[usize::from(module.has_open_types())];
        let mut diagnostics = module.check_called(checked);
        if diagnostics.has_errors() {
            return None;
        }
        for config in &plain.first {
            diagnostics.append(config.diagnostics.clone());
            if !config.installed {
                let (lints, is_root) = (self.lints(config), Arc::ptr_eq(config, module.config()));
                diagnostics.append(lints.found.clone());
                diagnostics.extend(lints.unused(config, is_root && !knows_callers, &self.uses));
            }
        }
        for config in plain.first_called.iter().filter(|config| !config.installed) {
            module.check_imports(config, &mut diagnostics);
        }
        module.check_as_root(Some(&self.providers), &mut diagnostics);
        (!diagnostics.has_errors()).then(|| in_order(diagnostics))
    }
}

/// The directories of Terraform that are those of `OpenTofu` because such modules call them, or because they call modules with files
/// that only `OpenTofu` reads. Each module comes with its directory and its language; `is_said` says whether files say which one it
/// is. `tree` returns the modules of a language.
#[doc(hidden)]
pub fn opentofu_by_calls<'m, M>(
    modules: impl Iterator<Item = (String, &'m Dialect, M)>,
    is_said: impl Fn(&M) -> bool,
    tree: impl FnOnce(Arc<Dialect>) -> ModuleTree,
) -> HashSet<String> {
    let tofu = Dialect::opentofu();
    let is_tofu = |language: &Dialect| match language.name() {
        "terraform" => Some(false),
        name => (name == tofu.name()).then_some(true),
    };
    let modules: Vec<(String, bool, M)> = modules
        .filter_map(|(directory, language, module)| Some((directory, is_tofu(language)?, module)))
        .collect();
    let has = |wanted: bool| modules.iter().any(|(_, is_tofu, _)| *is_tofu == wanted);
    if !has(true) || !has(false) {
        return HashSet::new();
    }
    let certain = |(directory, is_tofu, module): (String, bool, M)| {
        (directory, (is_tofu || is_said(&module)).then_some(is_tofu))
    };
    tree(tofu).by_calls(&modules.into_iter().map(certain).collect())
}

impl Plain {
    /// Adds a directory and the modules that it calls, unless they were seen before: as called modules, or only as root
    /// modules.
    fn add(&mut self, config: &Arc<Config>, is_called: bool, seen: &mut HashMap<usize, bool>) {
        let key = Arc::as_ptr(config) as usize;
        let before = seen.get(&key).copied();
        seen.insert(key, is_called || before == Some(true));
        if is_called && before != Some(true) {
            self.first_called.push(config.clone());
        }
        if before.is_none() {
            self.first.push(config.clone());
            config.called().for_each(|called| with_room(|| self.add(called, true, seen)));
        }
    }
}

/// Adds a directory and the modules that it calls.
fn all(config: &Arc<Config>, seen: &mut HashSet<usize>, found: &mut Vec<Arc<Config>>) {
    if seen.insert(Arc::as_ptr(config) as usize) {
        found.push(config.clone());
        config.called().for_each(|called| with_room(|| all(called, seen, found)));
    }
}
