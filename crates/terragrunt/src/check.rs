//! Finds errors in units: those of their evaluation in any environment, dependencies on each other, and inputs that the module
//! does not have, that it requires, or that have another type.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use hclkit_limits::Meter;
use hclkit_model::{Expression, ParseOptions};
use hclkit_module::{Dialect, Files, ModuleLoader, Summary, report_exceeded};
use hclkit_syntax::{Diagnostics, Place, Source, nearest_name};
use hclkit_value::{Name, Type};

use crate::Terragrunt;
use crate::configuration::{Configuration, Dependency, Inputs, Section, Setting};
use crate::engine::{Engine, Purpose};
use crate::messages;
use crate::paths::{Tree, ancestors, join};
use crate::unit::{file_at, unit_at};

/// Checks units. What is read for one of them is kept for the others.
#[derive(Debug)]
pub struct TerragruntChecker {
    engine: Arc<Engine>,
    /// The units that each unit depends on.
    edges: Mutex<HashMap<String, Arc<Vec<Dependency>>>>,
    /// What modules offer.
    modules: Mutex<HashMap<String, Arc<Summary>>>,
    /// The directories around those of other units.
    outer: HashSet<String>,
}

impl Terragrunt {
    /// Checks units and stacks. Environment variables and results of functions that read more than files are unknown.
    pub fn checker(&self) -> TerragruntChecker {
        let (edges, modules, outer) = (Mutex::default(), Mutex::default(), HashSet::new());
        TerragruntChecker { engine: self.engine(Purpose::Check), edges, modules, outer }
    }
}

impl TerragruntChecker {
    /// Says which directories have units. A file around others that has no module is one that they include: it is only evaluated for
    /// them.
    #[must_use]
    pub fn with_units<'d>(mut self, directories: impl IntoIterator<Item = &'d str>) -> Self {
        for directory in directories {
            let path = self.engine.tree.absolute(directory);
            self.outer.extend(ancestors(&path).skip(1).map(str::to_owned));
        }
        self
    }

    /// Checks the unit or the stack in a directory.
    pub fn check(&self, directory: &str) -> Diagnostics {
        let _operation = Meter::current().begin();
        let mut diagnostics = Diagnostics::new();
        let directory = self.engine.tree.absolute(directory);
        if let Some(unit) = unit_at(&self.engine, &directory, &mut diagnostics) {
            let own = unit.configuration();
            if self.outer.contains(&directory) && !own.is_stack && !self.has_module(&directory, own) {
                return Diagnostics::new();
            }
            if !report_exceeded(&mut diagnostics) {
                self.cycles(&directory, own, &mut diagnostics);
                self.inputs(&directory, own, &mut diagnostics);
            }
        }
        report_exceeded(&mut diagnostics);
        let mut diagnostics = diagnostics.distinct();
        diagnostics
            .sort_by_key(|found| (found.source().map(|source| source.name().to_owned()), found.span()));
        diagnostics
    }

    /// The units that the one in a directory depends on.
    pub(crate) fn edges(&self, directory: &str) -> Arc<Vec<Dependency>> {
        let known = self.edges.lock().unwrap_or_else(PoisonError::into_inner).get(directory).cloned();
        known.unwrap_or_else(|| {
            let file = file_at(&self.engine, directory).filter(|file| !file.ends_with(".stack.hcl"));
            let mut ignored = Diagnostics::new();
            let found = file.and_then(|file| self.engine.configuration(&file, directory, &[], &mut ignored));
            let found = Arc::new(found.map(|own| own.dependencies).unwrap_or_default());
            self.edges
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(directory.to_owned(), found.clone());
            found
        })
    }

    pub(crate) fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// Reports the shortest chain of dependencies that leads back to the unit.
    fn cycles(&self, directory: &str, own: &Configuration, diagnostics: &mut Diagnostics) {
        let own_edges = Arc::new(own.dependencies.clone());
        self.edges.lock().unwrap_or_else(PoisonError::into_inner).insert(directory.to_owned(), own_edges);
        for first in own.dependencies.iter().filter(|own| own.is_required) {
            let mut before: BTreeMap<String, Option<String>> = BTreeMap::new();
            before.insert(first.directory.clone(), None);
            let mut open = VecDeque::from([first.directory.clone()]);
            while let Some(next) = open.pop_front() {
                if Meter::current().take_steps(1).is_err() {
                    return;
                }
                if next == directory {
                    let chain = std::iter::successors(Some(next), |at| before.get(at).cloned().flatten());
                    let mut names: Vec<String> = chain.map(|path| self.engine.tree.name(&path)).collect();
                    names.push(self.engine.tree.name(directory));
                    names.reverse();
                    diagnostics.push(messages::cycle(&names).at(first.place.clone()));
                    return;
                }
                for edge in self.edges(&next).iter().filter(|edge| edge.is_required) {
                    if !before.contains_key(&edge.directory) {
                        before.insert(edge.directory.clone(), Some(next.clone()));
                        open.push_back(edge.directory.clone());
                    }
                }
            }
        }
    }

    fn has_module(&self, directory: &str, own: &Configuration) -> bool {
        let is_source = |own: &Section| *own.kind == *"terraform" && own.settings.contains_key("source");
        own.sections.iter().any(is_source)
            || self.engine.tree.files_in(directory).iter().any(|name| is_module_file(name))
    }

    /// Compares the inputs with the variables of the module.
    fn inputs(&self, directory: &str, own: &Configuration, diagnostics: &mut Diagnostics) {
        let tree = &self.engine.tree;
        let terraform = own.sections.iter().find(|own| *own.kind == *"terraform");
        let source = terraform.and_then(|own| own.settings.get("source")).filter(|own| !own.value.is_null());
        let module = match source {
            None => directory.to_owned(),
            Some(source) => {
                let Some(text) = source.value.as_str().map(str::to_owned) else { return };
                let Some(path) = self.engine.directory_of(&text, directory) else { return };
                if !tree.may_read(&path) {
                    return;
                }
                if !tree.is_directory(&path) {
                    return diagnostics.push(messages::no_module(&tree.name(&path)).at(source.place()));
                }
                path
            }
        };
        let summary = self.module(&module);
        if !tree.files_in(&module).iter().any(|name| is_module_file(name)) {
            if let Some(source) = source {
                diagnostics.push(messages::empty_module(&tree.name(&module)).at(source.place()));
            }
            return;
        }
        let Some(mut declared) = generated_variables(own) else { return };
        if !summary.broken.is_empty() {
            return;
        }
        let name = tree.name(&module);
        let empty = Inputs::default();
        let inputs = own.inputs.as_ref().unwrap_or(&empty);
        declared.extend(summary.inputs.iter().map(|own| own.name.clone()));
        for (input, setting) in &inputs.all {
            let Some(variable) = summary.inputs.iter().find(|own| own.name == **input) else {
                if !declared.contains(input.as_str()) {
                    let meant = nearest_name(input, declared.iter().map(String::as_str));
                    let found = messages::unused_input(input, &name, meant);
                    diagnostics.push(found.at(place_of(setting, own)));
                }
                continue;
            };
            let ty = variable.constraint.as_ref().map_or(Type::Dynamic, |own| own.ty.clone());
            let value = &setting.value;
            // Text is read as an expression, unless the variable is text.
            let is_text = value.as_str().is_some() && !matches!(ty, Type::Number | Type::Bool);
            if is_text || value.is_null() {
                continue;
            }
            if let Err(error) = value.convert(&ty) {
                let found = messages::invalid_input(input, &error.to_string());
                diagnostics.push(found.at(place_of(setting, own)));
            }
        }
        if inputs.is_open || self.has_other_values(own, &module, directory) {
            return;
        }
        let own_file = self.engine.file_of_unit(directory).map(|path| tree.name(&path));
        for variable in &summary.inputs {
            let is_set = inputs.all.keys().any(|own| **own == *variable.name);
            if variable.default.is_none() && !is_set {
                let places = || {
                    let source = source.map(Setting::place).or_else(|| Some(terraform?.place.clone()));
                    own.inputs_place().into_iter().chain(source)
                };
                // The unit is to be changed, not what it includes.
                let is_own = |place: &Place| own_file.as_ref().is_some_and(|own| place.source.name() == own);
                let place = places().find(is_own).or_else(|| places().next());
                let found = messages::missing_input(&variable.name, &name);
                diagnostics.push(match place {
                    Some(place) => found.at(place),
                    None => found,
                });
            }
        }
    }

    fn module(&self, directory: &str) -> Arc<Summary> {
        let known = self.modules.lock().unwrap_or_else(PoisonError::into_inner).get(directory).cloned();
        known.unwrap_or_else(|| {
            let files = Below { tree: self.engine.tree.clone(), directory: directory.to_owned() };
            let names = self.engine.tree.files_in(directory);
            let is_new = |name: &String| is_module_file(name) && !Dialect::terraform().is_module_file(name);
            let is_tofu = names.iter().any(is_new);
            let language = if is_tofu { Dialect::opentofu() } else { Dialect::terraform() };
            let found = ModuleLoader::new(language).with_files(files).summary(false);
            let found = Arc::new(found);
            self.modules
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(directory.to_owned(), found.clone());
            found
        })
    }

    /// Whether variables can get values from elsewhere: files, or arguments of Terraform.
    fn has_other_values(&self, own: &Configuration, module: &str, directory: &str) -> bool {
        let is_values = |name: &String| Dialect::terraform().input_file(name).is_some();
        let mut files = self.engine.tree.files_in(module);
        files.extend(self.engine.tree.files_in(directory));
        let terraform = own.sections.iter().filter(|own| *own.kind == *"terraform");
        let arguments = terraform.flat_map(|own| &own.sections).filter(|own| *own.kind == *"extra_arguments");
        let sets = |setting: (&Name, &Setting)| {
            let (name, setting) = setting;
            let text = setting.value.show().to_string();
            match name.as_str() {
                "required_var_files" | "optional_var_files" => !setting.value.is_null(),
                "arguments" => !setting.value.is_wholly_known() || text.contains("-var"),
                "env_vars" => !setting.value.is_wholly_known() || text.contains("TF_VAR_"),
                _ => false,
            }
        };
        files.iter().any(is_values) || arguments.flat_map(|own| &own.settings).any(sets)
    }
}

fn is_module_file(name: &str) -> bool {
    Dialect::opentofu().is_module_file(name)
}

/// Where a setting is written, or the file of the unit.
fn place_of(setting: &Setting, own: &Configuration) -> Place {
    setting
        .expression
        .as_ref()
        .map_or_else(|| own.inputs_place().unwrap_or_else(Place::nowhere), Expression::place)
}

/// The variables that generated files declare. `None` if a file is unknown.
fn generated_variables(own: &Configuration) -> Option<HashSet<String>> {
    let mut all = HashSet::new();
    for section in own.sections.iter().filter(|own| *own.kind == *"generate") {
        let text = |name: &str| Some(section.settings.get(name)?.value.as_str()?.to_owned());
        let path = text("path")?;
        if !is_module_file(&path) {
            continue;
        }
        let (body, _) = ParseOptions::new().parse(Source::new(path.as_str(), text("contents")?));
        for block in body.blocks("variable", &["name"]) {
            all.extend(block.labels.first().map(ToString::to_string));
        }
    }
    Some(all)
}

/// The files of a module.
#[derive(Debug)]
struct Below {
    tree: Tree,
    directory: String,
}

impl Files for Below {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        let path = join(&self.directory, directory);
        if self.tree.is_directory(&path) {
            Ok(self.tree.files_in(&path))
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.tree.read(&join(&self.directory, path))
    }

    fn name(&self, path: &str) -> String {
        self.tree.name(&join(&self.directory, path))
    }
}
