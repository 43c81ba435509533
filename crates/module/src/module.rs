//! A loaded module: its addresses and their values. `module/walk.rs` collects the values.

mod chains;
mod walk;

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::Arc;

use hclkit_dialect::{BlockRule, Dialect, Role};
use hclkit_limits::Meter;
use hclkit_model::{Context, Reported};
use hclkit_syntax::{Code, Diagnostic, Diagnostics, Source, Span, nearest_name};
use hclkit_value::{Name, Value};

use crate::address::{Address, AddressKind};
use crate::config::{Config, Declaration, Lints, Target};
use crate::graph::Graph;
use crate::inputs;
use crate::instance::{Checked, Instance, Session, Shared, Stage, condition_path};
use crate::lint::{Uses, add_set_by_calls};
use crate::messages;
use crate::pattern::Pattern;
use crate::terraform;
use walk::Walk;
pub(crate) use walk::select;

/// A module: the declarations of a directory, and the modules that it calls. Each value is evaluated once, on demand.
#[derive(Clone)]
pub struct Module {
    pub(crate) root: Arc<Instance>,
    configs: Arc<[Arc<Config>]>,
    /// Errors in the values of variables.
    diagnostics: Diagnostics,
}

/// The values of addresses.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Evaluation {
    /// The values, in this order: variables, local values, objects, calls, results.
    pub values: Vec<AddressedValue>,
    /// All errors and warnings, each once.
    pub diagnostics: Diagnostics,
    /// The numbers of the patterns that select nothing, from 0. For addresses without wildcards and predicates, that is an error
    /// among the diagnostics instead.
    pub unmatched: Vec<usize>,
}

/// An address with its value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AddressedValue {
    /// The address, such as `module.net["a"].local.cidr`.
    pub address: Address,
    /// The value. Parts that depend on a value with an error are unknown.
    pub value: Value,
    /// True if the block declares it as sensitive.
    pub sensitive: bool,
}

impl Evaluation {
    /// The values of resources, variables, results and so on, in all modules.
    ///
    /// ```
    /// use hclkit_module::{AddressKind, Dialect, Memory, ModuleLoader};
    ///
    /// let files = Memory::from_iter([("main.tf", "locals {\n  a = 1\n}\nresource \"r\" \"x\" {\n  count = 2\n}\n")]);
    /// let found = ModuleLoader::new(Dialect::terraform()).with_files(files).load().evaluate(&[]);
    /// let resources = found.of_kind(AddressKind::Resource).map(|own| own.address.to_string());
    /// assert_eq!(resources.collect::<Vec<_>>(), ["r.x[0]", "r.x[1]"]);
    /// ```
    pub fn of_kind(&self, kind: AddressKind) -> impl Iterator<Item = &AddressedValue> {
        self.values.iter().filter(move |found| found.address.kind() == kind)
    }
}

/// What distinguishes an error from others.
fn error_key(error: &Diagnostic) -> (Option<*const Source>, Span, String) {
    (error.source().map(Arc::as_ptr), error.span(), error.summary().to_owned())
}

/// Removes what an evaluation says about references with a key too much or too few, which lints report as well.
fn without_keys_of<'d>(found: &mut Diagnostics, lints: impl Iterator<Item = &'d Diagnostic>) {
    let is_about_key =
        |found: &Diagnostic| found.has_code(Code::UnsupportedAttribute) || found.has_code(Code::InvalidIndex);
    // Other lints with these codes are guesses.
    let is_certain = |found: &&Diagnostic| {
        is_about_key(found) && (found.is_error() || found.note().ends_with(messages::ONLY_WITH_BLOCKS))
    };
    let reported: HashSet<_> = lints.filter(is_certain).map(error_key).collect();
    if !reported.is_empty() {
        found.retain(|found| !is_about_key(found) || !reported.contains(&error_key(found)));
    }
}

/// Removes what an evaluation says about cycles between declarations, if lints report them.
fn without_cycles_of<'d>(found: &mut Diagnostics, mut lints: impl Iterator<Item = &'d Diagnostic>) {
    let is_cycle = |found: &Diagnostic| found.has_code(Code::ReferenceCycle);
    if lints.any(is_cycle) {
        found.retain(|found| !is_cycle(found) || found.note().ends_with("refers to itself."));
    }
}

/// Turns errors about undefined names into warnings where another program adds files to the module.
fn weaken_completed(config: &Config, diagnostics: &mut Diagnostics) {
    if !config.completed || !diagnostics.has_errors() {
        return;
    }
    let is_own =
        |source: &Arc<Source>| config.files.iter().any(|(_, body)| Arc::ptr_eq(&body.source(), source));
    diagnostics.update(|found| {
        let is_lookup = found.has_code(Code::UnknownVariable);
        if !found.is_error() || !is_lookup || !found.source().is_some_and(is_own) {
            return found;
        }
        messages::weakened(found, messages::MAYBE_GENERATED)
    });
}

/// Turns errors in blocks that only root modules can have, such as backends, into warnings.
fn weaken_ignored(language: &Dialect, config: &Config, diagnostics: &mut Diagnostics) {
    if !diagnostics.has_errors() {
        return;
    }
    for item in config.items.iter().filter(|item| !item.rule.single.is_empty()) {
        let schema = language.nested_schema(&item.rule.single);
        for block in item.block.body.partial_content(&schema).0.0.blocks {
            let inside = Span::new(block.open_span.end, block.close_span.end);
            let is_meant = |found: &Diagnostic| {
                let span = found.span();
                found.is_error()
                    && found.source().is_some_and(|own| Arc::ptr_eq(own, &block.source))
                    && (inside.cover(span) == inside || block.label_spans.contains(&span))
            };
            diagnostics.update(|found| {
                if is_meant(&found) { messages::weakened(found, messages::ONLY_IN_ROOT) } else { found }
            });
        }
    }
}

/// Turns errors into warnings that a validation, in which nothing is known, does not find. An exceeded limit stays an error.
fn in_validation(found: Diagnostics, validated: &Diagnostics) -> Diagnostics {
    // Those that were not kept cannot be compared.
    if found.len() < found.total() || validated.len() < validated.total() {
        return found;
    }
    let validated: HashSet<_> = validated.iter().filter(|found| found.is_error()).map(error_key).collect();
    let is_certain = |found: &Diagnostic| {
        validated.contains(&error_key(found))
            || found.code().is_some_and(Code::is_limit)
            || found.source().is_none()
    };
    let one = |found: Diagnostic| {
        if !found.is_error() || is_certain(&found) {
            return found;
        }
        messages::weakened(found, messages::ONLY_IN_PLANS)
    };
    found.into_iter().map(one).collect()
}

/// The number of directories. Declarations and values are left out.
#[doc(hidden)]
impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").field("directories", &self.configs.len()).finish_non_exhaustive()
    }
}

impl Module {
    pub(crate) fn new(
        tree: Session,
        root: Arc<Config>,
        configs: Vec<Arc<Config>>,
        diagnostics: Diagnostics,
    ) -> Self {
        Self { root: Instance::root(Arc::new(tree), root), configs: configs.into(), diagnostics }
    }

    /// The language.
    pub fn language(&self) -> &Arc<Dialect> {
        &self.root.tree.language
    }

    /// Returns the directories of all loaded modules, relative to that of the root module. The first one is empty.
    #[doc(hidden)]
    pub fn directories(&self) -> impl Iterator<Item = &str> {
        let mut all: Vec<&str> = self.configs.iter().map(|config| config.directory.as_str()).collect();
        all.dedup();
        all.into_iter()
    }

    /// The files of all loaded modules that were not downloaded, each with the directory of its module relative to the root module.
    #[doc(hidden)]
    pub fn sources(&self) -> impl Iterator<Item = (&str, Arc<Source>)> {
        let own = self.configs.iter().filter(|config| !config.installed);
        own.flat_map(|config| config.files.iter().map(|(_, body)| (config.directory.as_str(), body.source())))
    }

    /// Returns the sources of called modules that are not downloaded, or whose directory was not given. Their results are
    /// unknown.
    #[doc(hidden)]
    pub fn unavailable(&self) -> Vec<&str> {
        let all: BTreeSet<&str> =
            self.configs.iter().flat_map(|config| config.unavailable.iter().map(String::as_str)).collect();
        all.into_iter().collect()
    }

    pub(crate) fn configs(&self) -> &[Arc<Config>] {
        &self.configs
    }

    /// Returns the context in which expressions of the root module are evaluated.
    pub fn context(&self) -> &Context {
        &self.root.context
    }

    /// Returns the errors in the files and in the values of variables.
    pub fn diagnostics(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        for config in &*self.configs {
            all.append(config.diagnostics.clone());
        }
        all.append(self.diagnostics.clone());
        all
    }

    /// The errors of the values of variables that were set for the root module, also of those that no requested value needs. Values of
    /// files and of the environment are left out.
    pub fn check_variables(&self) -> Diagnostics {
        inputs::check_options(&self.root.tree.outside.inputs, &self.root.config)
    }

    /// Checks the values of all input variables of the root module, and returns what is wrong: variables without a value, values of
    /// a wrong type, conditions that are not met, and values for variables that the module does not declare. The last ones are
    /// warnings if they are in a file, as in Terraform, and errors if an option sets them. Returns the number of variables, too. If
    /// a file has syntax errors, only these are returned.
    ///
    /// ```
    /// use hclkit_module::{Dialect, Memory, ModuleLoader};
    ///
    /// let text = "variable \"zone\" {\n  type = string\n}\nvariable \"size\" {\n  type = number\n}\n";
    /// let module = ModuleLoader::new(Dialect::terraform())
    ///     .with_files(Memory::from_iter([("main.tf", text)]))
    ///     .with_variables("prod.tfvars", b"size = \"big\"\nzon = \"a\"\n")
    ///     .load();
    /// let (found, variables) = module.check_inputs();
    /// let found: Vec<_> = found.iter().map(ToString::to_string).collect();
    /// assert_eq!(variables, 2);
    /// assert_eq!(found, [
    ///     "prod.tfvars:2:1: warning: Value for undeclared variable: There is no variable named `zon`, so this value is not used. \
    ///      Did you mean `zone`?",
    ///     "main.tf:1:1: error: No value for required variable: The variable `zone` has no default, and no value is set.",
    ///     "prod.tfvars:1:8: error: Invalid value for variable: The value of `size` in prod.tfvars does not have the type of the \
    ///      variable: a number is required.",
    /// ]);
    /// ```
    pub fn check_inputs(&self) -> (Diagnostics, usize) {
        let config = &self.root.config;
        if config.broken.has_errors() {
            return (config.broken.clone(), config.inputs().count());
        }
        let written = |names: &[Name]| names.iter().map(Name::as_str).collect::<Vec<_>>().join(".");
        let addresses = config.inputs().map(|(_, item, _)| written(&item.address));
        let patterns: Vec<Pattern> = addresses.filter_map(|address| address.parse().ok()).collect();
        let mut found =
            if patterns.is_empty() { self.diagnostics() } else { self.evaluate(&patterns).diagnostics };
        found.append(self.check_variables());
        (found.distinct(), config.inputs().count())
    }

    /// Returns the references between declarations.
    pub fn graph(&self) -> Graph {
        Graph::of(&self.root)
    }

    /// Reports errors that do not depend on values: undefined names, even in expressions that are not evaluated, and all errors
    /// of an evaluation in which variables, objects and the results of calls are unknown, as in `terraform validate`. Errors that
    /// depend on the values of literals, calls and files of variables are warnings: a plan has them. Adds a warning for each
    /// unused variable and local value. If a file has syntax errors, only these are reported.
    pub fn check(&self) -> Diagnostics {
        let mut set = Uses::new();
        self.configs.iter().for_each(|config| add_set_by_calls(config, &mut set));
        self.check_with(&set, !self.root.tree.called)
    }

    /// Checks the module. `set` contains the variables that calls set, also those of other root modules; `knows_callers` if there
    /// are no other calls of the root.
    pub(crate) fn check_with(&self, set: &Uses, knows_callers: bool) -> Diagnostics {
        let mut broken = Diagnostics::new();
        self.configs.iter().for_each(|config| broken.append(config.broken.clone()));
        if broken.has_errors() {
            return broken;
        }
        let shared = Shared::new(&self.root.config);
        let tree =
            Session { stage: Stage::Validate, unknown_inputs: true, shared, ..(*self.root.tree).clone() };
        let tree = Arc::new(tree);
        let checked = Self {
            root: Instance::root(tree.clone(), self.root.config.clone()),
            configs: self.configs.clone(),
            diagnostics: self.diagnostics.clone(),
        };
        let mut diagnostics = checked.evaluate(&[]).diagnostics;
        let calls = |rule: &BlockRule| rule.role == Role::Call;
        // Lints do not depend on values, so that their errors need no validation.
        let own = self.configs.iter().filter(|config| !config.installed);
        let lints: Vec<&Diagnostic> = own.flat_map(|config| &Lints::of(&tree, config).found).collect();
        without_keys_of(&mut diagnostics, lints.iter().copied());
        without_cycles_of(&mut diagnostics, lints.iter().copied());
        let certain: HashSet<_> =
            lints.iter().filter(|found| found.is_error()).map(|found| error_key(found)).collect();
        let is_uncertain = |found: &Diagnostic| found.is_error() && !certain.contains(&error_key(found));
        if diagnostics.iter().any(is_uncertain) && tree.language.blocks.iter().any(|rule| calls(rule)) {
            // Marks do not depend on values, but older versions lose some.
            let is_newest = Target::of(&tree.language, &self.root.config, tree.target.as_deref()).is_none();
            let marked = Session { keeps_marks: is_newest, ..(*tree).clone() };
            let any = Instance::any_root(Arc::new(marked), self.root.config.clone());
            let validated = Self { root: any, ..checked }.evaluate(&[]).diagnostics;
            diagnostics = in_validation(diagnostics, &validated);
        }
        for config in self.configs.iter().filter(|config| !config.installed) {
            let is_root = Arc::ptr_eq(config, &self.root.config);
            let lints = Lints::of(&tree, config);
            diagnostics.append(lints.found.clone());
            diagnostics.extend(lints.unused(config, is_root && !knows_callers, set));
            if !is_root {
                terraform::check_called(config, &tree.language, tree.target.as_deref(), &mut diagnostics);
            }
        }
        self.check_as_root(None, &mut diagnostics);
        crate::data_prefix::suggest(self.language(), &self.configs, &mut diagnostics);
        for config in &*self.configs {
            terraform::weaken(config, &mut diagnostics);
            weaken_completed(config, &mut diagnostics);
            if tree.called || !Arc::ptr_eq(config, &self.root.config) {
                weaken_ignored(&tree.language, config, &mut diagnostics);
            }
        }
        in_order(diagnostics)
    }

    /// Reports what an evaluation in a check finds, without modules in which other checks have found nothing.
    pub(crate) fn check_called(&self, checked: &Arc<Checked>) -> Diagnostics {
        let tree = Session {
            stage: Stage::Validate,
            unknown_inputs: true,
            shared: Shared::on_demand(),
            checked: Some(checked.clone()),
            ..(*self.root.tree).clone()
        };
        let checked_root = Instance::root(Arc::new(tree), self.root.config.clone());
        let module = Self { root: checked_root, ..self.clone() };
        let found = module.evaluate(&[]).diagnostics;
        if found.total() == 0 && Meter::current().exceeded().is_none() {
            checked.keep(&module.root);
        }
        found
    }

    /// Reports errors in configurations of providers, and in what only root modules configure.
    pub(crate) fn check_as_root(
        &self,
        known: Option<&terraform::ProviderFindings>,
        diagnostics: &mut Diagnostics,
    ) {
        terraform::check_root(&self.root, known, diagnostics);
    }

    /// Reports what a called module must not import.
    pub(crate) fn check_imports(&self, config: &Config, diagnostics: &mut Diagnostics) {
        let tree = &self.root.tree;
        terraform::check_called(config, &tree.language, tree.target.as_deref(), diagnostics);
    }

    /// The declarations of the root module.
    pub(crate) fn config(&self) -> &Arc<Config> {
        &self.root.config
    }

    /// Whether the types of some values are unknown.
    pub(crate) fn has_open_types(&self) -> bool {
        self.root.tree.open_types
    }

    /// The findings in a directory that need no evaluation.
    pub(crate) fn lints<'c>(&self, config: &'c Arc<Config>) -> &'c Lints {
        Lints::of(&Arc::new(Session { stage: Stage::Validate, ..(*self.root.tree).clone() }), config)
    }

    /// Evaluates the addresses that patterns select. Without patterns, evaluates all addresses.
    pub fn evaluate(&self, patterns: &[Pattern]) -> Evaluation {
        let _operation = Meter::current().begin();
        if patterns.is_empty() {
            crate::parallel::evaluate(&self.root);
        }
        let mut walk = Walk::of(&self.root, patterns);
        let mut diagnostics = self.diagnostics();
        diagnostics.append(std::mem::take(&mut walk.found.diagnostics));
        walk.found.diagnostics = diagnostics;
        for (at, pattern) in patterns.iter().enumerate() {
            if walk.selected[at] {
                continue;
            }
            if !pattern.is_exact() {
                walk.found.unmatched.push(at);
                continue;
            }
            let address = pattern.written();
            let error = walk.missing.remove(&at);
            let error = error.unwrap_or_else(|| messages::nothing_at(&address, &self.near(&address)));
            walk.found.diagnostics.push(error);
        }
        self.check_conditions(patterns.is_empty(), &mut walk.reported, &mut walk.found.diagnostics);
        if patterns.is_empty() {
            self.check_statements(&mut walk.found.diagnostics);
            // Terraform looks at all references before it evaluates, and a check does so by itself.
            if self.language().complete_references && !self.root.tree.validates() {
                let mut undefined = Diagnostics::new();
                for config in &*self.configs {
                    crate::lint::undefined(&self.root.tree, config, &mut undefined);
                }
                let mut cycles = Diagnostics::new();
                self.configs.iter().for_each(|config| config.check_cycles(&mut cycles));
                without_cycles_of(&mut walk.found.diagnostics, cycles.iter());
                undefined.append(cycles);
                without_keys_of(&mut walk.found.diagnostics, undefined.iter());
                walk.found.diagnostics.append(undefined);
            }
        }
        // The search for parts of values has no location.
        if !patterns.is_empty() {
            report_exceeded(&mut walk.found.diagnostics);
        }
        crate::data_prefix::suggest(self.language(), &self.configs, &mut walk.found.diagnostics);
        walk.found.diagnostics = walk.found.diagnostics.distinct();
        if walk.found.diagnostics.has_errors() {
            self.add_chains(patterns, &mut walk.found);
        }
        walk.found
    }

    /// The value of a name of the root module, and whether it must not be shown. Nothing else is evaluated.
    #[doc(hidden)]
    pub fn value_at(&self, address: &[&str]) -> Option<(Value, bool)> {
        let config = &self.root.config;
        let names: Vec<Name> = address.iter().copied().map(Name::from).collect();
        let result = || {
            let at = config.result(address.last()?)?;
            (config.items[at].address == names).then(|| config.items[at].is_sensitive())
        };
        let is_sensitive = match config.definitions().get(&names) {
            Some(Declaration::Item(at)) => config.items[at].is_sensitive(),
            Some(Declaration::Value(_)) => false,
            None => result()?,
        };
        let value = self.root.context.value_alone(address)?;
        Some((value, is_sensitive))
    }

    /// The values that patterns select.
    pub(crate) fn found(&self, patterns: &[Pattern]) -> Vec<AddressedValue> {
        Walk::of(&self.root, patterns).found.values
    }

    /// Returns addresses that may be meant by one at which there is nothing: those with other keys, or one with a similar
    /// name.
    fn near(&self, address: &str) -> Vec<String> {
        let graph = self.graph();
        let bare = without_keys(address);
        if let Some(node) = graph.find(address).map(|at| graph.node(at).address().to_string()) {
            let top: Vec<&str> = bare.splitn(3, '.').take(2).collect();
            let Ok(pattern) = top.join(".").parse::<Pattern>() else { return Vec::new() };
            let found = self.found(&[pattern]).into_iter();
            let found = found.map(|found| found.address.as_str().to_owned());
            let is_other = |own: &String| *own != address && without_keys(own) == node;
            let others: Vec<String> = found.filter(is_other).collect();
            if !others.is_empty() {
                return others;
            }
        }
        // Much longer addresses are not near, and there may be many.
        let names = graph.nodes().map(|node| node.address().to_string());
        let names: Vec<String> = names.filter(|name| name.len() <= 2 * bare.len()).collect();
        let near = nearest_name(&bare, names.iter().map(String::as_str));
        near.map(str::to_owned).into_iter().collect()
    }

    /// Checks the statements of all modules about addresses.
    fn check_statements(&self, diagnostics: &mut Diagnostics) {
        let mut open = vec![self.root.clone()];
        while let Some(instance) = open.pop() {
            terraform::check_instance(&instance, diagnostics);
            for at in 0..instance.config.items.len() {
                open.extend(instance.created(at).iter().filter(|child| !child.is_known()).cloned());
            }
        }
    }

    /// Checks the conditions of all blocks, or only of blocks whose values were needed.
    fn check_conditions(&self, all: bool, reported: &mut Reported, diagnostics: &mut Diagnostics) {
        let mut checked: HashSet<(usize, usize, usize)> = HashSet::new();
        loop {
            let before = checked.len();
            let mut open = vec![self.root.clone()];
            while let Some(instance) = open.pop() {
                for (at, item) in instance.config.items.iter().enumerate() {
                    open.extend(instance.created(at).iter().filter(|child| !child.is_known()).cloned());
                    let path: Vec<&str> = item.address.iter().map(Name::as_str).collect();
                    if !all && !instance.context.has_value(&path) {
                        continue;
                    }
                    for condition in 0..item.conditions.len() {
                        if checked.insert((Arc::as_ptr(&instance) as usize, at, condition)) {
                            let path = condition_path(at, condition);
                            let path: Vec<&str> = path.iter().map(String::as_str).collect();
                            if let Some((_, found)) = instance.context.value_of_once(&path, reported) {
                                diagnostics.append(found);
                            }
                        }
                    }
                }
            }
            if checked.len() == before {
                return;
            }
        }
    }
}

/// Each finding once, in the order of the files.
pub(crate) fn in_order(diagnostics: Diagnostics) -> Diagnostics {
    let mut diagnostics = diagnostics.distinct();
    diagnostics.sort_by_key(|found| (found.source().map(|source| source.name().to_owned()), found.span()));
    diagnostics
}

/// Reports that a limit is exceeded, unless that was reported. Returns true if one is.
pub fn report_exceeded(diagnostics: &mut Diagnostics) -> bool {
    let exceeded = Meter::current().exceeded();
    if let Some(exceeded) = exceeded
        && !diagnostics.iter().any(|found| found.code().is_some_and(Code::is_limit))
    {
        diagnostics.push(Diagnostic::exceeded(exceeded));
    }
    exceeded.is_some()
}

/// An address without brackets and their contents.
fn without_keys(address: &str) -> String {
    let (mut text, mut quoted, mut inside) = (String::new(), false, false);
    for c in address.chars() {
        match c {
            '"' => quoted = !quoted,
            '[' if !quoted => inside = true,
            ']' if !quoted => inside = false,
            _ if !inside => text.push(c),
            _ => {}
        }
    }
    text
}
