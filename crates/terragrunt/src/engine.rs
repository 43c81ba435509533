//! Evaluates files in Terragrunt's order: feature flags, paths of included files, local values, dependencies, everything else.
//! Then the configurations of all files are merged.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use hclkit_limits::{Meter, with_room};
use hclkit_model::{
    Attribute, Block, Body, Content, Context, Expression, Functions, ParseOptions, Scope, error_within,
};
use hclkit_syntax::{Diagnostic, Diagnostics, Place, Source};
use hclkit_value::{Error, Name, Type, Value};

use hclkit_module::MappedSources;

use crate::TERRAGRUNT_FILES;
use crate::blocks::{Labels, Rule, STACK, UNIT};
use crate::configuration::{Configuration, Dependency, Inputs, Section, Setting};
use crate::functions::{UNIT_FILE, functions};
use crate::merge::{Strategy, merge, merge_sections};
use crate::messages;
use crate::paths::{Tree, join, split};

/// How much a file that another one reads counts towards the limit on depth: its stack frames are many and large.
const LEVELS: usize = 24;

/// The names of the merge strategies of included files.
const STRATEGIES: [&str; 3] = ["no_merge", "shallow", "deep"];

/// Arguments that version 1 does not have, and what takes their place.
const REMOVED: [(&str, &str); 4] = [
    ("retry_max_attempts", "errors"),
    ("retry_sleep_interval_sec", "errors"),
    ("retryable_errors", "errors"),
    ("skip", "exclude"),
];

/// What arguments of generated files can be.
const CHOICES: [(&str, &[&str]); 2] = [
    ("if_exists", &["overwrite", "overwrite_terragrunt", "skip", "error"]),
    ("if_disabled", &["remove", "remove_terragrunt", "skip"]),
];

/// The file beside a unit or a stack that a stack gives its values with.
pub(crate) const VALUES_FILE: &str = "terragrunt.values.hcl";
pub(crate) const STACK_FILE: &str = "terragrunt.stack.hcl";
/// The file beside a unit that a stack adds blocks with.
const AUTOINCLUDE_FILE: &str = "terragrunt.autoinclude.hcl";

/// The functions of Terraform, of files in a directory.
pub(crate) type FunctionsOf = dyn Fn(&str) -> Functions + Send + Sync;

/// What an evaluation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Values in the environment that is granted.
    Evaluation,
    /// Errors in any environment.
    Check,
    /// Values in any environment, of files that may be incomplete.
    Draft,
}

/// What is given to all evaluations.
#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) functions: Arc<FunctionsOf>,
    /// The environment, if it is granted.
    pub(crate) environment: Option<Arc<BTreeMap<String, String>>>,
    /// Values of feature flags, as text.
    pub(crate) flags: BTreeMap<String, String>,
    /// The directories of sources that are not paths.
    pub(crate) sources: MappedSources,
    pub(crate) purpose: Purpose,
}

/// Evaluates files.
pub(crate) struct Engine {
    pub(crate) tree: Tree,
    options: Options,
    parsed: Mutex<HashMap<String, (Body, Diagnostics)>>,
    /// The values of files that others read, by the files and the directories of the units.
    read: Mutex<HashMap<(String, String), Result<Value, Error>>>,
    /// The values that a stack gives the files in a directory.
    values: HashMap<String, Value>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("tree", &self.tree).finish_non_exhaustive()
    }
}

/// A file that is evaluated, and why: what its functions return.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The directory of the unit that everything is for.
    pub(crate) original: String,
    /// The file that paths are relative to: of an included file, the one that includes it.
    config: String,
    /// The file itself.
    pub(crate) file: String,
    /// The file itself, if another one includes it.
    pub(crate) included: Option<String>,
    /// The files that it includes, with their labels.
    pub(crate) includes: Vec<(String, String)>,
    /// The files that are being evaluated.
    open: Vec<String>,
}

impl Frame {
    /// A file that no other one includes. `open` are the files that are being evaluated.
    fn new(path: &str, original: &str, open: &[String]) -> Self {
        let open = open.iter().cloned().chain([path.to_owned()]).collect();
        let (original, config, file) = (original.to_owned(), path.to_owned(), path.to_owned());
        Self { original, config, file, included: None, includes: Vec::new(), open }
    }

    pub(crate) fn directory(&self) -> &str {
        split(&self.config).0
    }
}

/// A file whose local values can be evaluated.
struct Layer {
    content: Content,
    locals: Vec<Attribute>,
    context: Context,
    flags: Vec<Section>,
    /// Its own `dependency` blocks.
    dependencies: Vec<Section>,
}

/// A file with those that are merged with it.
struct LayeredFiles<'i> {
    includes: Vec<(&'i Include, Layer)>,
    own: Layer,
    /// What a stack adds.
    patch: Option<Layer>,
}

impl LayeredFiles<'_> {
    fn layers(&mut self) -> impl Iterator<Item = &mut Layer> {
        let includes = self.includes.iter_mut().map(|(_, layer)| layer);
        includes.chain([&mut self.own]).chain(&mut self.patch)
    }

    /// Something of all files, merged.
    fn merged<T>(&self, of: impl Fn(&Layer) -> T, merge: impl FnMut(T, T, Strategy) -> T) -> T {
        let includes = self.includes.iter().map(|(include, layer)| (include.strategy, of(layer)));
        fold(includes.collect(), of(&self.own), self.patch.as_ref().map(of), merge)
    }
}

/// Merges what a file has over what it includes, from the last file to the first one, and what a stack adds over all.
fn fold<T>(
    includes: Vec<(Strategy, T)>,
    own: T,
    patch: Option<T>,
    mut merge: impl FnMut(T, T, Strategy) -> T,
) -> T {
    let merged = includes.into_iter().rev().fold(own, |over, (strategy, under)| match strategy {
        Strategy::Nothing => over,
        _ => merge(under, over, strategy),
    });
    match patch {
        Some(patch) => merge(merged, patch, Strategy::Shallow),
        None => merged,
    }
}

/// An `include` block.
struct Include {
    label: Option<Name>,
    path: String,
    is_exposed: bool,
    strategy: Strategy,
}

impl Engine {
    pub(crate) fn new(tree: Tree, options: Options) -> Self {
        let (parsed, read) = (Mutex::default(), Mutex::default());
        Self { tree, options, parsed, read, values: HashMap::new() }
    }

    /// Adds a directory that a stack generates from another one, and the values that the stack gives its files.
    pub(crate) fn with_copy(&self, copy: &str, of: &str, values: Option<Value>) -> Self {
        let mut all = self.values.clone();
        all.extend(values.map(|values| (copy.to_owned(), values)));
        Self { values: all, ..Self::new(self.tree.with_copy(copy, of), self.options.clone()) }
    }

    /// The directory of a source, if it is known. Paths are relative to a directory.
    pub(crate) fn directory_of(&self, source: &str, from: &str) -> Option<String> {
        if source.starts_with(['.', '/']) {
            return Some(join(from, &source.replace("//", "/")));
        }
        let is_missing = |own: &str| !self.tree.is_directory(&self.tree.absolute(own));
        Some(self.tree.absolute(&self.options.sources.directory(source, is_missing)?))
    }

    /// The file of the unit or the stack in a directory.
    pub(crate) fn file_of_unit(&self, directory: &str) -> Option<String> {
        TERRAGRUNT_FILES.iter().map(|name| join(directory, name)).find(|path| self.tree.is_file(path))
    }

    pub(crate) fn environment(&self) -> Option<&BTreeMap<String, String>> {
        self.options.environment.as_deref()
    }

    /// Whether results must be right for any environment.
    pub(crate) fn is_for_any(&self) -> bool {
        self.options.purpose != Purpose::Evaluation
    }

    /// The functions of Terraform, whose paths are relative to a directory.
    pub(crate) fn functions_of(&self, directory: &str) -> Functions {
        (self.options.functions)(&self.tree.original(directory))
    }

    /// Parses a file.
    pub(crate) fn parse(&self, path: &str, diagnostics: &mut Diagnostics) -> Option<Body> {
        let known = self.parsed.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        let (body, found) = if let Some(known) = known {
            known
        } else {
            let failed = |error| diagnostics.push(messages::unreadable_file(&self.tree.name(path), &error));
            let text = self.tree.read(path).map_err(failed).ok()?;
            let parsed = ParseOptions::new().parse(Source::new(self.tree.name(path), text));
            let mut all = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
            all.entry(path.to_owned()).or_insert(parsed).clone()
        };
        let failed = found.has_errors();
        diagnostics.append(found);
        (!failed || self.options.purpose == Purpose::Draft).then_some(body)
    }

    /// The contents of a file, and its local values.
    fn content(
        &self,
        path: &str,
        rule: &Rule,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Content, Vec<Attribute>)> {
        let body = self.parse(path, diagnostics)?;
        let content = diagnostics.absorb(body.content(&rule.schema()));
        let mut locals = Vec::new();
        let mut seen = HashSet::new();
        for block in &content.blocks {
            let kind = &block.block_type;
            let label = block.labels.first();
            if !seen.insert((kind.clone(), label.cloned())) {
                let found = match label {
                    None => Some(messages::duplicate_block(kind)),
                    Some(label) if **kind == *"generate" => Some(messages::duplicate_label(kind, label)),
                    Some(_) => None,
                };
                diagnostics.extend(found.map(|found| found.at(block.definition_place())));
            }
            if **kind == *"locals" {
                locals.extend(diagnostics.absorb(block.body.attributes()));
            }
        }
        Some((content, locals))
    }

    /// The value of a file that another one reads.
    pub(crate) fn value_of_file(self: &Arc<Self>, path: &str, frame: &Frame) -> Result<Value, Error> {
        if frame.open.iter().any(|open| open == path) {
            return Err(Error::new(messages::reads_itself(&self.tree.name(path))));
        }
        let key = (path.to_owned(), frame.original.clone());
        let known = self.read.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(known) = known {
            return known;
        }
        let meter = Meter::current();
        let deeper = meter.descend(LEVELS).map_err(Error::from)?;
        let mut found = Diagnostics::new();
        let value = with_room(|| self.value_of(path, frame, &mut found));
        drop(deeper);
        let value = match value {
            _ if found.has_errors() => {
                // One error is enough: each of those in turn has those of the files that it reads.
                let first = found.into_iter().find(Diagnostic::is_error).into_iter().collect();
                Err(meter.exceeded().map_or_else(|| error_within(&first), Error::from))
            }
            Some(value) => Ok(value),
            None => Ok(Value::DYNAMIC),
        };
        self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(key, value.clone());
        value
    }

    fn value_of(self: &Arc<Self>, path: &str, frame: &Frame, found: &mut Diagnostics) -> Option<Value> {
        match split(path).1 {
            VALUES_FILE => self.values_in(path, found),
            STACK_FILE => Some(self.stack(path, &frame.original, &frame.open, found)?.value()),
            _ => Some(self.configuration(path, &frame.original, &frame.open, found)?.value()),
        }
    }

    /// What a file of values says.
    fn values_in(&self, path: &str, diagnostics: &mut Diagnostics) -> Option<Value> {
        let body = self.parse(path, diagnostics)?;
        let attributes = diagnostics.absorb(body.attributes());
        let context = Context::new().with_functions(self.functions_of(split(path).0));
        let value = |own: &Attribute| {
            let value = diagnostics.absorb(own.expression.evaluate_lenient(&context));
            (own.name.to_string(), value)
        };
        Some(Value::object(attributes.iter().map(value).collect::<Vec<_>>()))
    }

    /// The values that a stack gives the file at a path.
    fn values_for(&self, path: &str, diagnostics: &mut Diagnostics) -> Option<Value> {
        let directory = split(path).0;
        if let Some(values) = self.values.get(directory) {
            return Some(values.clone());
        }
        let beside = join(directory, VALUES_FILE);
        if self.tree.is_file(&beside) {
            return self.values_in(&beside, diagnostics);
        }
        // Any stack may use the file.
        self.is_for_any().then_some(Value::DYNAMIC)
    }

    /// The configuration of a file with that of those that it includes. `None` if the file cannot be read.
    pub(crate) fn configuration(
        self: &Arc<Self>,
        path: &str,
        original: &str,
        open: &[String],
        diagnostics: &mut Diagnostics,
    ) -> Option<Configuration> {
        let (content, locals) = self.content(path, &UNIT, diagnostics)?;
        let frame = Frame::new(path, original, open);
        let values = self.values_for(path, diagnostics);
        let own_flags = self.flags(&content, &self.context(&frame, new_scope(values.as_ref())), diagnostics);
        let (includes, is_uncertain) =
            self.includes(&content, path, &self.context(&frame, new_scope(values.as_ref())), diagnostics);
        let mut flags = Vec::new();
        let mut files = Vec::new();
        for include in &includes {
            let Some((content, locals)) = self.content(&include.path, &UNIT, diagnostics) else { continue };
            if let Some(block) = content.blocks.iter().find(|block| *block.block_type == *"include") {
                let name = self.tree.name(&include.path);
                diagnostics.push(messages::nested_include(&name).at(block.definition_place()));
                continue;
            }
            let (file, included) = (include.path.clone(), Some(include.path.clone()));
            let frame = Frame { file, included, ..frame.clone() };
            let own = self.flags(&content, &self.context(&frame, new_scope(values.as_ref())), diagnostics);
            flags.push((include.strategy, own.clone()));
            files.push((include, frame, content, locals, own));
        }
        let flags = fold(flags, own_flags, None, |under, over, strategy| {
            merge_sections(&under, over, strategy, diagnostics)
        });
        let mut make = |frame: &Frame, content, locals: Vec<Attribute>, flags: Vec<Section>, include| {
            let mut scope = new_scope(values.as_ref());
            set_flags(&mut scope, &flags);
            if let Some(include) = include {
                scope.set(["include"], include);
            }
            define(&mut scope, &locals, diagnostics);
            let context = self.context(frame, scope);
            Layer { content, locals, context, flags, dependencies: Vec::new() }
        };
        let mut layers = Vec::new();
        let mut exposed = BTreeMap::new();
        for (include, frame, content, locals, flags) in files {
            let layer = make(&frame, content, locals, flags, None);
            if include.is_exposed {
                exposed.insert(include.label.clone(), Self::exposed(&layer));
            }
            layers.push((include, layer));
        }
        let include = include_value(&includes, exposed, is_uncertain);
        let all = includes.iter();
        let all = all.map(|own| (own.label.as_deref().unwrap_or_default().to_owned(), own.path.clone()));
        let frame = Frame { includes: all.collect(), ..frame };
        let own = make(&frame, content, locals, flags, include);
        let beside = join(split(path).0, AUTOINCLUDE_FILE);
        let mut patch = None;
        if self.tree.is_file(&beside)
            && let Some((content, locals)) = self.content(&beside, &UNIT, diagnostics)
        {
            let frame = Frame { file: beside.clone(), included: Some(beside), ..frame.clone() };
            let scope = new_scope(values.as_ref());
            let context = self.context(&frame, scope);
            let (flags, dependencies) = (Vec::new(), Vec::new());
            patch = Some(Layer { content, locals, context, flags, dependencies });
        }
        let files = LayeredFiles { includes: layers, own, patch };
        let mut all = Self::evaluate(files, &includes, is_uncertain, diagnostics);
        all.includes = frame.includes;
        all.dependencies = self.dependencies(&all.sections, split(path).0, diagnostics);
        Some(all)
    }

    /// Evaluates files whose local values are ready, and merges them.
    fn evaluate(
        mut files: LayeredFiles<'_>,
        includes: &[Include],
        is_uncertain: bool,
        diagnostics: &mut Diagnostics,
    ) -> Configuration {
        for layer in files.layers() {
            report_locals(&layer.locals, &layer.context, diagnostics);
            if let Some(rule) = UNIT.block("dependency") {
                let blocks = layer.content.blocks.iter().filter(|block| *block.block_type == *"dependency");
                let all = blocks.map(|block| section(rule, block, &layer.context, diagnostics));
                layer.dependencies = all.collect();
            }
        }
        let dependencies = files.merged(
            |layer| layer.dependencies.clone(),
            |under, over, strategy| merge_sections(&under, over, strategy, diagnostics),
        );
        // A file that cannot be read may declare others.
        let dependency = if is_uncertain { Some(Value::DYNAMIC) } else { outputs(&dependencies) };
        let inside = |layer: &Layer, dependencies: &[Section]| {
            let mut context = layer.context.child();
            let own = dependency.clone().or_else(|| outputs(dependencies));
            if let Some(own) = own {
                context.set("dependency", own);
            }
            context
        };
        let mut exposed = BTreeMap::new();
        let mut included = Vec::new();
        for (include, layer) in &files.includes {
            let one = Self::layer(layer, inside(layer, &layer.dependencies), diagnostics);
            if include.is_exposed {
                exposed.insert(include.label.clone(), one.value());
            }
            included.push((include.strategy, one));
        }
        let mut context = inside(&files.own, &[]);
        if let Some(value) = include_value(includes, exposed, is_uncertain) {
            context.set("include", value);
        }
        let own = Self::layer(&files.own, context, diagnostics);
        let patch = files.patch.as_ref().map(|patch| Self::layer(patch, inside(patch, &[]), diagnostics));
        let mut all =
            fold(included, own, patch, |under, over, strategy| merge(under, over, strategy, diagnostics));
        all.sections.splice(0..0, with_outputs(dependencies));
        if is_uncertain {
            all.inputs.get_or_insert_default().is_open = true;
        }
        all
    }

    /// Everything in a file other than its dependencies.
    fn layer(layer: &Layer, context: Context, diagnostics: &mut Diagnostics) -> Configuration {
        let mut all = Configuration { sections: layer.flags.clone(), ..Configuration::default() };
        all.locals = layer.locals.iter().map(|own| (own.name.clone(), local(own, &layer.context))).collect();
        all.settings = settings(&UNIT, &layer.content, &context, diagnostics);
        all.inputs = all.settings.remove("inputs").and_then(|own| inputs(&own, diagnostics));
        for block in &layer.content.blocks {
            let kind = &*block.block_type;
            if matches!(kind, "include" | "locals" | "dependency" | "feature") {
                continue;
            }
            let Some(rule) = UNIT.block(kind) else { continue };
            all.sections.push(section(rule, block, &context, diagnostics));
        }
        for kind in ["generate", "remote_state"] {
            if let Some(setting) = all.settings.remove(kind) {
                all.sections.extend(sections_of(kind, &setting));
            }
        }
        all.context = context;
        all
    }

    /// What another file sees of an included one before its dependencies have outputs.
    fn exposed(layer: &Layer) -> Value {
        let mut found = Diagnostics::new();
        if layer.content.blocks.iter().any(|block| *block.block_type == *"dependency") {
            let locals = layer.locals.iter();
            let locals = locals.map(|own| (own.name.to_string(), local(own, &layer.context).value));
            return Value::object([("locals", Value::object(locals))]);
        }
        let mut context = layer.context.child();
        context.set("dependency", Value::DYNAMIC);
        Self::layer(layer, context, &mut found).value()
    }

    fn context(self: &Arc<Self>, frame: &Frame, scope: Scope) -> Context {
        let functions = functions(self, &Arc::new(frame.clone()));
        Context::new().with_functions(functions).with_scope(scope)
    }

    /// The feature flags that a file declares.
    fn flags(&self, content: &Content, context: &Context, diagnostics: &mut Diagnostics) -> Vec<Section> {
        let Some(rule) = UNIT.block("feature") else { return Vec::new() };
        let mut all = Vec::new();
        for block in content.blocks.iter().filter(|block| *block.block_type == *"feature") {
            let mut own = section(rule, block, context, diagnostics);
            let text = block.labels.first().and_then(|name| self.options.flags.get(name.as_str()));
            if let Some(default) = own.settings.get("default").cloned() {
                let value = match text {
                    None => default.value.clone(),
                    Some(text) => {
                        let ty = if default.value.ty() == Type::Bool { Type::Bool } else { Type::String };
                        Value::from(text.as_str()).convert(&ty).unwrap_or_else(|error| {
                            let found = messages::invalid_argument("value", error.message());
                            diagnostics.push(found.at(block.definition_place()));
                            Value::unknown(ty)
                        })
                    }
                };
                own.settings.insert(Name::from("value"), Setting { value, ..default });
            }
            all.push(own);
        }
        all
    }

    /// The files that a file includes, and whether the paths of others are unknown.
    fn includes(
        &self,
        content: &Content,
        file: &str,
        context: &Context,
        diagnostics: &mut Diagnostics,
    ) -> (Vec<Include>, bool) {
        let (mut all, mut is_uncertain) = (Vec::new(), false);
        let Some(rule) = UNIT.block("include") else { return (all, false) };
        for block in content.blocks.iter().filter(|block| *block.block_type == *"include") {
            let own = section(rule, block, context, diagnostics);
            let Some(path) = own.settings.get("path") else {
                is_uncertain = true;
                continue;
            };
            let Some(text) = path.value.as_str().map(str::to_owned) else {
                is_uncertain = true;
                continue;
            };
            let full = join(split(file).0, &text);
            if !self.tree.is_file(&full) {
                diagnostics.push(messages::missing_file(&self.tree.missing(&full)).at(path.place()));
                is_uncertain = true;
                continue;
            }
            let strategy = match own.settings.get("merge_strategy") {
                None => Strategy::Shallow,
                Some(setting) => match setting.value.as_str() {
                    Some("no_merge") => Strategy::Nothing,
                    Some("shallow") | None => Strategy::Shallow,
                    Some("deep") => Strategy::Deep,
                    Some(text) => {
                        let found = messages::invalid_choice("merge_strategy", text, &STRATEGIES);
                        diagnostics.push(found.at(setting.place()));
                        Strategy::Shallow
                    }
                },
            };
            let is_exposed = own.settings.get("expose").is_some_and(|own| own.value.as_bool() == Some(true));
            all.push(Include { label: block.labels.first().cloned(), path: full, is_exposed, strategy });
        }
        (all, is_uncertain)
    }

    /// The units that blocks name.
    fn dependencies(
        &self,
        sections: &[Section],
        directory: &str,
        diagnostics: &mut Diagnostics,
    ) -> Vec<Dependency> {
        let mut all = Vec::new();
        let mut add = |value: &Value, place: Place, is_required: bool| {
            let Some(path) = value.as_str().map(str::to_owned) else { return };
            let path = join(directory, &path);
            let path = path.strip_suffix(&format!("/{UNIT_FILE}")).unwrap_or(&path).to_owned();
            if is_required && self.file_of_unit(&path).is_none() {
                let name = self.tree.name(&path);
                let found = if path.contains("/.terragrunt-stack") {
                    messages::not_generated(&name)
                } else {
                    messages::no_unit(&name)
                };
                diagnostics.push(found.at(place.clone()));
            }
            all.push(Dependency { directory: path, place, is_required });
        };
        for section in sections {
            match &*section.kind {
                "dependency" => {
                    let is = |name: &str, wanted: bool| {
                        let own = section.settings.get(name);
                        own.is_some_and(|own| own.value.as_bool() == Some(wanted))
                    };
                    if let Some(path) = section.settings.get("config_path") {
                        add(&path.value, path.place(), !is("enabled", false));
                    }
                }
                "dependencies" => {
                    let Some(paths) = section.settings.get("paths") else { continue };
                    for (at, (_, path)) in paths.value.elements().unwrap_or_default().into_iter().enumerate()
                    {
                        let items = paths.expression.as_ref().and_then(|own| own.static_list().ok());
                        let item = items.as_ref().and_then(|items| items.get(at)).map(Expression::place);
                        add(&path, item.unwrap_or_else(|| paths.place()), true);
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// The components of a stack.
    pub(crate) fn stack(
        self: &Arc<Self>,
        path: &str,
        original: &str,
        open: &[String],
        diagnostics: &mut Diagnostics,
    ) -> Option<Configuration> {
        let body = self.parse(path, diagnostics)?;
        let content = diagnostics.absorb(body.content(&STACK.schema()));
        let frame = Frame::new(path, original, open);
        let mut scope = new_scope(self.values_for(path, diagnostics).as_ref());
        let mut locals = Vec::new();
        for block in content.blocks.iter().filter(|block| *block.block_type == *"locals") {
            locals.extend(diagnostics.absorb(block.body.attributes()));
        }
        define(&mut scope, &locals, diagnostics);
        let context = self.context(&frame, scope);
        let mut all = Configuration { is_stack: true, ..Configuration::default() };
        report_locals(&locals, &context, diagnostics);
        all.locals = locals.iter().map(|own| (own.name.clone(), local(own, &context))).collect();
        let components =
            || content.blocks.iter().filter(|block| matches!(&*block.block_type, "unit" | "stack"));
        // Where components are generated is known before their values.
        let mut places = context.child();
        let mut by_kind: BTreeMap<&str, Vec<(String, Value)>> = BTreeMap::new();
        for block in components() {
            let Some(place) = generated(block, split(path).0, &context) else { continue };
            let name = block.labels.first().map(ToString::to_string).unwrap_or_default();
            by_kind
                .entry(&block.block_type)
                .or_default()
                .push((name, Value::object([("path", Value::from(place))])));
        }
        for (kind, all) in by_kind {
            places.set(kind, Value::object(all));
        }
        let mut seen = HashSet::new();
        for block in components() {
            let Some(rule) = STACK.block(&block.block_type) else { continue };
            if !seen.insert((block.block_type.clone(), block.labels.first().cloned())) {
                let label = block.labels.first().map(Name::as_str).unwrap_or_default();
                let found = messages::duplicate_label(&block.block_type, label);
                diagnostics.push(found.at(block.definition_place()));
            }
            all.sections.push(section(rule, block, &places, diagnostics));
        }
        all.context = places;
        Some(all)
    }
}

/// Where a component of a stack is generated.
fn generated(block: &Block, directory: &str, context: &Context) -> Option<String> {
    let mut ignored = Diagnostics::new();
    let rule = STACK.block(&block.block_type)?;
    let own = section(rule, block, context, &mut ignored);
    place_of_component(&own, directory)
}

/// Where a component of a stack is generated.
pub(crate) fn place_of_component(component: &Section, directory: &str) -> Option<String> {
    let path = &component.settings.get("path")?.value;
    let is_beside = component.settings.get("no_dot_terragrunt_stack").map(|own| own.value.as_bool());
    let directory = match is_beside {
        Some(Some(true)) => directory.to_owned(),
        _ => join(directory, ".terragrunt-stack"),
    };
    Some(join(&directory, path.as_str()?))
}

/// A scope with the values that a stack gives.
fn new_scope(values: Option<&Value>) -> Scope {
    let mut scope = Scope::new();
    if let Some(values) = values {
        scope.set(["values"], values.clone());
    }
    scope
}

/// Defines local values.
fn define(scope: &mut Scope, locals: &[Attribute], diagnostics: &mut Diagnostics) {
    for local in locals {
        if let Err(found) = scope.define(["local", local.name.as_str()], local.expression.clone()) {
            diagnostics.append(found);
        }
    }
}

/// Reports the errors of local values.
fn report_locals(locals: &[Attribute], context: &Context, diagnostics: &mut Diagnostics) {
    for local in locals {
        if let Some((_, found)) = context.value_of(&["local", &local.name]) {
            diagnostics.append(found);
        }
    }
}

fn set_flags(scope: &mut Scope, flags: &[Section]) {
    for flag in flags {
        let value = flag.settings.get("value").map_or(Value::DYNAMIC, |own| own.value.clone());
        let name = flag.label.as_deref().unwrap_or_default();
        scope.set(["feature", name], Value::object([("value", value)]));
    }
}

/// The value of `include`.
fn include_value(
    includes: &[Include],
    mut exposed: BTreeMap<Option<Name>, Value>,
    is_uncertain: bool,
) -> Option<Value> {
    if is_uncertain {
        return Some(Value::DYNAMIC);
    }
    if let Some(bare) = exposed.remove(&None)
        && includes.len() == 1
    {
        return Some(bare);
    }
    let all = exposed.into_iter().filter_map(|(label, value)| Some((label?.to_string(), value)));
    let all: Vec<_> = all.collect();
    (!all.is_empty()).then(|| Value::object(all))
}

fn local(own: &Attribute, context: &Context) -> Setting {
    let value = context.value_of(&["local", &own.name]).map_or(Value::DYNAMIC, |(value, _)| value);
    Setting { value, expression: Some(own.expression.clone()), context: context.clone() }
}

/// Evaluates the arguments of a body.
fn settings(
    rule: &Rule,
    content: &Content,
    context: &Context,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<Name, Setting> {
    let mut all = BTreeMap::new();
    for attribute in &content.attributes {
        let expression = &attribute.expression;
        let mut value = diagnostics.absorb(expression.evaluate_lenient(context));
        if let Some(kind) = rule.kind(&attribute.name) {
            value = value.convert(&kind.ty()).unwrap_or_else(|error| {
                let found = messages::invalid_argument(&attribute.name, error.message());
                diagnostics.push(found.at(expression.place()));
                Value::unknown(kind.ty())
            });
        }
        if rule.name.is_empty()
            && let Some((_, instead)) = REMOVED.iter().find(|(name, _)| attribute.name == **name)
        {
            let place = Place::new(&attribute.source, attribute.name_span);
            diagnostics.push(messages::removed_argument(&attribute.name, instead).at(place));
        }
        if rule.name == "generate"
            && let Some((_, known)) = CHOICES.iter().find(|(name, _)| attribute.name == **name)
            && let Some(text) = value.as_str()
            && !known.contains(&text)
        {
            diagnostics.push(messages::invalid_choice(&attribute.name, text, known).at(expression.place()));
        }
        let expression = Some(expression.clone());
        all.insert(attribute.name.clone(), Setting { value, expression, context: context.clone() });
    }
    all
}

/// Evaluates a block.
fn section(rule: &Rule, block: &Block, context: &Context, diagnostics: &mut Diagnostics) -> Section {
    let content = if matches!(rule.name, "unit" | "stack") {
        // What `autoinclude` contains is evaluated where it is generated.
        diagnostics.absorb(block.body.partial_content(&rule.schema())).0
    } else {
        diagnostics.absorb(block.body.content(&rule.schema()))
    };
    let settings = settings(rule, &content, context, diagnostics);
    let inner = content.blocks.iter().filter_map(|inner| Some((rule.block(&inner.block_type)?, inner)));
    let sections = inner.map(|(rule, inner)| section(rule, inner, context, diagnostics)).collect();
    Section {
        kind: block.block_type.clone(),
        label: if rule.labels == Labels::None { None } else { block.labels.first().cloned() },
        settings,
        sections,
        place: block.definition_place(),
    }
}

/// Reads an argument that can be written instead of blocks, such as `generate = { … }`.
fn sections_of(kind: &str, setting: &Setting) -> Vec<Section> {
    let entries = |value: &Value| -> Vec<(String, Value)> {
        let (value, marks) = value.unmark();
        let all = value.entries().into_iter().flatten();
        all.map(|(name, value)| (name.to_string(), value.clone().with_marks(&marks))).collect()
    };
    let settings_of = |value: &Value| -> BTreeMap<Name, Setting> {
        let own = entries(value).into_iter();
        own.map(|(name, value)| (Name::from(name.as_str()), Setting { value, ..setting.clone() })).collect()
    };
    let one = |label: Option<Name>, value: &Value| Section {
        kind: Name::from(kind),
        label,
        settings: settings_of(value),
        sections: Vec::new(),
        place: setting.place(),
    };
    if kind == "remote_state" {
        return if setting.value.is_null() { Vec::new() } else { vec![one(None, &setting.value)] };
    }
    entries(&setting.value)
        .iter()
        .map(|(label, value)| one(Some(Name::from(label.as_str())), value))
        .collect()
}

/// The inputs of an argument `inputs`.
fn inputs(own: &Setting, diagnostics: &mut Diagnostics) -> Option<Inputs> {
    let (value, marks) = own.value.unmark();
    if !value.is_known() {
        return Some(Inputs { all: BTreeMap::new(), is_open: true, place: Some(own.place()) });
    }
    if value.is_null() {
        return Some(Inputs { place: Some(own.place()), ..Inputs::default() });
    }
    let Some(entries) = value.entries() else {
        let problem = format!("a map is required, not {}", value.ty().friendly_name());
        diagnostics.push(messages::invalid_argument("inputs", &problem).at(own.place()));
        return None;
    };
    // Items that are written there have places of their own.
    let mut items: HashMap<String, Expression> = HashMap::new();
    for (key, item) in own.expression.iter().filter_map(|own| own.static_map().ok()).flatten() {
        let name = key.static_keyword().map(|name| name.to_string());
        let name = name.or_else(|| key.evaluate(&own.context).ok()?.as_str().map(str::to_owned));
        items.extend(name.map(|name| (name, item)));
    }
    let one = |(name, value): (&hclkit_value::Str, &Value)| {
        let expression = items.get(name.as_str()).cloned().or_else(|| own.expression.clone());
        let value = value.clone().with_marks(&marks);
        (Name::from(name.as_str()), Setting { value, expression, context: own.context.clone() })
    };
    let place = Some(own.place());
    Some(Inputs { all: entries.map(one).collect(), is_open: false, place })
}

/// The outputs of a dependency that are known: its mocks. There are none if it is not asked for others.
fn outputs_of(dependency: &Section) -> Option<Value> {
    let settings = &dependency.settings;
    let mocks = settings.get("mock_outputs").map(|own| own.value.clone());
    let is_skipped = || settings.get("skip_outputs").is_some_and(|own| own.value.as_bool() == Some(true));
    match mocks.filter(|mocks| !mocks.is_null()) {
        Some(mocks) => Some(mocks),
        None if is_skipped() => None,
        None => Some(Value::DYNAMIC),
    }
}

/// Adds their outputs to dependencies.
fn with_outputs(mut dependencies: Vec<Section>) -> Vec<Section> {
    for own in &mut dependencies {
        let Some(value) = outputs_of(own) else { continue };
        let from = own.settings.get("mock_outputs").or_else(|| own.settings.get("config_path"));
        if let Some(setting) = from.map(|from| Setting { value, ..from.clone() }) {
            own.settings.insert(Name::from("outputs"), setting);
        }
    }
    dependencies
}

/// The value of `dependency`.
fn outputs(dependencies: &[Section]) -> Option<Value> {
    if dependencies.is_empty() {
        return None;
    }
    let mut all: BTreeMap<String, Value> = BTreeMap::new();
    for own in dependencies {
        let label = own.label.as_ref().map(ToString::to_string).unwrap_or_default();
        // Of several blocks of one name, the first one counts.
        all.entry(label)
            .or_insert_with(|| Value::object(outputs_of(own).map(|outputs| ("outputs", outputs))));
    }
    Some(Value::object(all))
}
