//! What rules are applied to: files, the modules that they belong to, and the values of these.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hclkit::ast::{BlockNode, Item};
use hclkit::dialect::{
    BlockRule, Dialect, FileFacts, FileKind, Role, hidden_in, is_local_source, tree, withheld_in,
};
use hclkit::functions::Grants;
use hclkit::limits::clean_path;
use hclkit::model::{Block, BodyItem, Withheld, hides_value, mentions_flags};
use hclkit::module::{self, AddressKind, Graph, Memory, Module, ModuleLoader, Reasons};
use hclkit::value::Mark;
use hclkit::{Body, Code, Context, Diagnostic, Diagnostics, Document, Expression, Source, Type, Value};

use crate::comments::{Allowance, Allowances, Wording};
use crate::verdict::{Suite, Verdict};

const UNUSED: Code = Code::custom("unused-ignore", "A comment ignores nothing")
    .with_explanation("A comment `# hcl: ignore RULE` is at a place where the rule finds nothing.");

/// Files with the modules that they belong to.
#[derive(Debug, Default)]
pub struct Project {
    pub(super) files: Vec<ProjectFile>,
    directories: HashMap<PathBuf, Directory>,
    /// The instances of declarations, by the directory and the address without keys and modules.
    instances: HashMap<(PathBuf, String), Vec<Instance>>,
    calls: OnceLock<HashMap<PathBuf, Calls>>,
    /// The directories that are called by a path.
    called: OnceLock<HashSet<PathBuf>>,
    /// The modules that were read last, by their directories.
    opened: Mutex<VecDeque<(PathBuf, Arc<Opened>)>>,
}

#[derive(Debug)]
pub(super) struct ProjectFile {
    pub(super) document: Document,
    pub(super) directory: PathBuf,
    dialect: Option<Arc<Dialect>>,
    /// The addresses that files of the directory declare as sensitive.
    hidden: Arc<[String]>,
    withheld: OnceLock<Withheld>,
    ignores: OnceLock<Allowances>,
}

/// A module whose instances are known. What else it means is asked of its loader when that is needed, so that the values of many
/// modules are not kept.
#[derive(Debug)]
pub struct EvaluatedModule {
    directory: PathBuf,
    load: Load,
    instances: Vec<(PathBuf, String, Instance)>,
}

/// Loads a module.
#[derive(Clone)]
struct Load(Arc<dyn Fn() -> Module + Send + Sync>);

impl fmt::Debug for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Load")
    }
}

#[derive(Debug, Default)]
struct Directory {
    load: Option<Load>,
    /// The numbers of the files.
    files: Vec<usize>,
    blocks: OnceLock<Value>,
}

/// The calls of the files of a directory.
#[derive(Debug, Default)]
struct Calls {
    /// The directories that are called by a path.
    directories: BTreeSet<PathBuf>,
    /// Whether there may be others, because a source is computed.
    has_others: bool,
}

/// A module that was read again.
#[derive(Debug)]
struct Opened {
    module: Module,
    reasons: Reasons,
    graph: Graph,
    used_by: HashMap<usize, Vec<usize>>,
}

impl Opened {
    fn new(load: &Load) -> Self {
        let module = (load.0)();
        let (graph, reasons) = (module.graph(), module.reasons());
        let mut used_by: HashMap<usize, Vec<usize>> = HashMap::new();
        graph.edges().for_each(|(from, to)| used_by.entry(to).or_default().push(from));
        Self { module, reasons, graph, used_by }
    }
}

/// An instance of a declaration.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) address: String,
    pub(super) value: Value,
    /// The directory of the root module.
    root: Arc<Path>,
    is_of_root: bool,
}

impl ProjectFile {
    fn new(document: Document, directory: PathBuf) -> Self {
        let dialect = Dialect::of_path(document.source().name());
        let (hidden, withheld, ignores) = (Arc::from([]), OnceLock::new(), OnceLock::new());
        Self { document, directory, dialect, hidden, withheld, ignores }
    }

    /// The comments that ignore rules.
    pub(super) fn ignores(&self) -> &Allowances {
        self.ignores.get_or_init(|| Allowances::of(&self.document, Wording::IGNORE))
    }

    /// The addresses that the file declares as sensitive.
    fn declared_hidden(&self) -> Vec<String> {
        let Some(dialect) = self.dialect.as_deref() else { return Vec::new() };
        if !mentions_flags(self.document.source().text()) {
            return Vec::new();
        }
        hidden_in(&tree::Body::of(&self.document, Some(dialect), false), dialect)
    }

    /// What of the file must not be shown, by what its language says.
    pub(super) fn withheld(&self) -> &Withheld {
        self.withheld.get_or_init(|| {
            let kind = self.dialect.as_ref().and_then(|own| own.file_kind(self.document.source().name()));
            let is_values = kind == Some(FileKind::Values);
            let dialect = self.dialect.as_deref();
            let body = tree::Body::of(&self.document, dialect, is_values);
            let dialect = dialect.filter(|_| !is_values);
            let facts = FileFacts { dialect, kind, elsewhere: &self.hidden, shows_values: false };
            withheld_in(&body, self.document.source(), self.document.diagnostics(), facts)
        })
    }
}

impl EvaluatedModule {
    /// A module whose instances no rule sees. `load` loads it, whenever something is asked of it.
    pub fn without_instances(directory: &Path, load: impl Fn() -> Module + Send + Sync + 'static) -> Self {
        Self { directory: clean_path(directory), load: Load(Arc::new(load)), instances: Vec::new() }
    }

    fn of(directory: &Path, load: Load) -> (Self, Diagnostics) {
        let module = (load.0)();
        let found = module.evaluate(&[]);
        let (graph, root) = (module.graph(), Arc::from(clean_path(directory)));
        let mut instances = Vec::new();
        for own in found.values {
            let kind = own.address.kind();
            let is_object =
                matches!(kind, AddressKind::Resource | AddressKind::Data | AddressKind::Ephemeral);
            let is_object = is_object || matches!(kind, AddressKind::Other);
            if !is_object {
                continue;
            }
            let Some(number) = graph.find(&own.address) else { continue };
            let place = graph.node(number).place();
            let file = clean_path(Path::new(place.source.name()));
            let name = graph.node(number).address().to_string();
            let is_of_root = own.address.modules().next().is_none();
            let mut bare = name.as_str();
            while let Some((_, rest)) = bare.strip_prefix("module.").and_then(|rest| rest.split_once('.')) {
                bare = rest;
            }
            let value = if own.sensitive { own.value.mark(Mark::sensitive()) } else { own.value };
            let address = own.address.to_string();
            let instance = Instance { address, value, root: Arc::clone(&root), is_of_root };
            let directory = file.parent().map(Path::to_owned).unwrap_or_default();
            instances.push((directory, bare.to_owned(), instance));
        }
        (Self { directory: clean_path(directory), load, instances }, found.diagnostics)
    }
}

impl Project {
    /// Files without modules.
    pub fn new(documents: impl IntoIterator<Item = Document>) -> Self {
        let mut project = Self::default();
        for document in documents {
            let name = document.source().name().to_owned();
            let directory = clean_path(Path::new(&name));
            let directory = directory.parent().map(Path::to_owned).unwrap_or_default();
            project.directories.entry(directory.clone()).or_default().files.push(project.files.len());
            project.files.push(ProjectFile::new(document, directory));
        }
        // An override file can make a declaration sensitive.
        for own in project.directories.values().filter(|own| own.files.len() > 1) {
            let hidden: Vec<String> =
                own.files.iter().flat_map(|&at| project.files[at].declared_hidden()).collect();
            let hidden: Arc<[String]> = hidden.into();
            for &at in &own.files {
                project.files[at].hidden = hidden.clone();
            }
        }
        project
    }

    /// Files that are only texts, by their paths, and the modules that they are, evaluated. Variables are those of the module at the top.
    pub fn of_texts(files: &[(String, String)], variables: &[(String, Value)]) -> Self {
        let parsed = |(name, text): &(String, String)| {
            Document::parse_in(Source::new(name, text.as_str()), Dialect::syntax_of(name))
        };
        let mut project = Self::new(files.iter().map(parsed));
        project.evaluate_all(|directory| {
            let inside = |(name, text): &(String, String)| {
                let path = Path::new(name).strip_prefix(directory).ok()?;
                Some((path.to_string_lossy().into_owned(), text.clone().into_bytes()))
            };
            let memory: Memory = files.iter().filter_map(inside).collect();
            let own = files.iter().filter(|(name, _)| Path::new(name).parent() == Some(directory));
            let language =
                Dialect::of_files(own.filter_map(|(name, _)| Path::new(name).file_name()?.to_str()))?;
            let functions = module::functions(&language, &Grants::new());
            let loader = ModuleLoader::new(language).with_directory(directory).with_files(memory);
            let loader = loader.with_functions(functions);
            let set = |loader: ModuleLoader, (name, value): &(String, Value)| {
                loader.with_variable(name.as_str(), value.clone())
            };
            let is_top = directory.as_os_str().is_empty();
            Some(if is_top { variables.iter().fold(loader, set) } else { loader })
        });
        project
    }

    /// The number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns true if there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// A file.
    pub fn document(&self, number: usize) -> &Document {
        &self.files[number].document
    }

    /// The directory of a file.
    pub fn directory(&self, number: usize) -> &Path {
        &self.files[number].directory
    }

    /// The directories whose files are modules, each with its language.
    pub fn modules(&self) -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> = Vec::new();
        for (directory, own) in &self.directories {
            let names = own
                .files
                .iter()
                .filter_map(|at| Path::new(self.files[*at].document.source().name()).file_name()?.to_str());
            if Dialect::of_files(names).is_some_and(|language| language.has_modules()) {
                all.push(directory.clone());
            }
        }
        all.sort();
        all
    }

    /// Evaluates all modules. `load` gives a loader for a directory, or none if it is left out. Returns the limits that ended some of
    /// the work.
    pub fn evaluate_all(&mut self, load: impl Fn(&Path) -> Option<ModuleLoader>) -> Diagnostics {
        let mut limited = Diagnostics::new();
        for directory in self.modules() {
            let Some(loader) = load(&directory) else { continue };
            let (module, found) = self.evaluate(&directory, loader);
            limited.append(found);
            self.add(module);
        }
        limited
    }

    /// Evaluates the module in a directory, for [`Project::add`]. Variables without a value are unknown. If other modules of the project
    /// call it, its instances are those of the calls. Returns the limits that ended some of the work, too.
    pub fn evaluate(&self, directory: &Path, loader: ModuleLoader) -> (EvaluatedModule, Diagnostics) {
        let loader = loader.with_unknown_variables(true);
        self.evaluate_with(directory, move || loader.clone().load())
    }

    /// The same for a module that its caller loads, whenever something is asked of it. Its variables without a value are unknown.
    pub fn evaluate_with(
        &self,
        directory: &Path,
        load: impl Fn() -> Module + Send + Sync + 'static,
    ) -> (EvaluatedModule, Diagnostics) {
        if self.is_called(directory) {
            return (EvaluatedModule::without_instances(directory, load), Diagnostics::new());
        }
        let (module, mut found) = EvaluatedModule::of(directory, Load(Arc::new(load)));
        found.retain(|own| own.code().is_some_and(Code::is_limit));
        (module, found)
    }

    /// Whether a module of the project calls the one in a directory by a path.
    pub fn is_called(&self, directory: &Path) -> bool {
        let all = || self.calls().values().flat_map(|own| &own.directories).cloned().collect();
        self.called.get_or_init(all).contains(&clean_path(directory))
    }

    /// The modules that must be evaluated for the instances of these directories: the directories, and what calls them.
    pub fn evaluated_for(&self, directories: BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
        let mut all = directories;
        if all.is_empty() {
            return all;
        }
        loop {
            let before = all.len();
            for (caller, calls) in self.calls() {
                // Of a directory that is not in the project, nothing is known.
                let may_call = |own: &PathBuf| all.contains(own) || !self.directories.contains_key(own);
                if calls.has_others || calls.directories.iter().any(may_call) {
                    all.insert(caller.clone());
                }
            }
            if all.len() == before {
                return all;
            }
        }
    }

    /// Leaves out what comments `# hcl: ignore NAME` ignore. [`Rules::check`](super::Rules::check) does that itself.
    #[must_use]
    pub fn without_ignored(&self, mut suite: Suite) -> Suite {
        let name = |own: &ProjectFile| own.document.source().name().to_owned();
        let files: HashMap<String, &ProjectFile> = self.files.iter().map(|own| (name(own), own)).collect();
        let one = |verdict: Verdict| {
            let found = verdict.finding.as_ref();
            let own = found.and_then(|found| Some((found, *files.get(found.source()?.name())?)));
            match own {
                Some((found, file)) if file.ignores().allow(&verdict.name, found) => verdict.ignored(),
                _ => verdict,
            }
        };
        suite.verdicts = suite.verdicts.into_iter().map(one).collect();
        suite
    }

    /// The comments `# hcl: ignore NAME` that ignored nothing after the rules and policies with these names were applied.
    pub fn unused_comments<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Diagnostics {
        let known: BTreeSet<&str> = names.into_iter().collect();
        let is_about = |own: &&Allowance| own.code.as_deref().is_none_or(|code| known.contains(code));
        let mut files: Vec<&ProjectFile> = self.files.iter().collect();
        files.sort_by_key(|own| own.document.source().name());
        let all = files.into_iter().flat_map(|own| own.ignores().unused()).filter(is_about);
        let found = all.map(|own| {
            let note = match &own.code {
                None => "Expected `# hcl: ignore RULE reason`.".to_owned(),
                Some(code) => format!("The rule `{code}` finds nothing here. Remove the comment."),
            };
            Diagnostic::warning(UNUSED).with_note(note).at(own.place).with_source(own.source())
        });
        found.collect()
    }

    /// What the files of each directory call.
    fn calls(&self) -> &HashMap<PathBuf, Calls> {
        self.calls.get_or_init(|| {
            let mut all: HashMap<PathBuf, Calls> = HashMap::new();
            for file in &self.files {
                let Some(dialect) = file.dialect.as_deref().filter(|own| own.has_modules()) else { continue };
                for block in Body::of(&file.document).items().iter().filter_map(BodyItem::as_block) {
                    let is_call =
                        dialect.block(&block.block_type).is_some_and(|rule| rule.role == Role::Call);
                    let Some(source) = block.body.attribute("source").filter(|_| is_call) else { continue };
                    let calls = all.entry(file.directory.clone()).or_default();
                    let source = source.expression.evaluate(&Context::new()).ok();
                    match source.as_ref().and_then(Value::as_str) {
                        Some(source) if is_local_source(source) => {
                            calls.directories.insert(clean_path(&file.directory.join(source)));
                        }
                        Some(_) => {}
                        None => calls.has_others = true,
                    }
                }
            }
            all
        })
    }

    /// Adds an evaluated module.
    pub fn add(&mut self, evaluated: EvaluatedModule) {
        let EvaluatedModule { directory, load, instances } = evaluated;
        self.directories.entry(directory).or_default().load = Some(load);
        for (directory, name, instance) in instances {
            self.instances.entry((directory, name)).or_default().push(instance);
        }
    }

    /// The module in a directory. The last ones are kept.
    fn opened(&self, directory: &Path) -> Option<Arc<Opened>> {
        /// A rule is applied to the files of a directory one after the other, in a few threads.
        const KEPT: usize = 16;
        let load = self.directories.get(directory)?.load.as_ref()?;
        let kept = || self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = kept().iter().find(|(own, _)| own == directory) {
            return Some(known.clone());
        }
        let opened = Arc::new(Opened::new(load));
        let mut kept = kept();
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back((directory.to_owned(), opened.clone()));
        Some(opened)
    }

    /// Why a part of an instance is unknown.
    pub(super) fn reasons(&self, instance: &Instance, name: &str) -> Vec<String> {
        let Some(opened) = self.opened(&instance.root) else { return Vec::new() };
        let own = opened.reasons.of(&format!("{}.{name}", instance.address));
        let all = if own.is_empty() { opened.reasons.of(&instance.address) } else { own };
        all.iter().map(ToString::to_string).collect()
    }

    /// The instances of a declaration. If other modules call the directory, they are those of the calls.
    pub(super) fn instances(&self, directory: &Path, address: &str) -> Vec<&Instance> {
        let all = self.instances.get(&(directory.to_owned(), address.to_owned()));
        let all: Vec<&Instance> = all.into_iter().flatten().collect();
        let called: Vec<&Instance> = all.iter().copied().filter(|own| !own.is_of_root).collect();
        if called.is_empty() { all } else { called }
    }

    /// The numbers of the files of a directory that are in the native syntax.
    pub(crate) fn native_files_in(&self, directory: &Path) -> impl Iterator<Item = usize> {
        let known = self.directories.get(&clean_path(directory));
        let files = known.into_iter().flat_map(|own| own.files.iter().copied());
        files.filter(|at| self.files[*at].document.json().is_none())
    }

    /// The value of a block of a file, in the context of its module.
    pub(crate) fn block_value(&self, file: usize, context: &Context, block: BlockNode<'_>) -> Value {
        Self::body(&self.files[file], &context, block, &|_| true)
    }

    /// The context in which expressions of a file are evaluated.
    pub(super) fn context(&self, file: &ProjectFile) -> Context {
        let is_of_module = file.dialect.as_ref().is_none_or(|own| own.has_modules());
        let opened = if is_of_module { self.opened(&file.directory) } else { None };
        let mut context = if let Some(opened) = opened {
            opened.module.context().child()
        } else {
            let dialect = file.dialect.clone().unwrap_or_else(Dialect::hcl);
            Context::new().with_functions(module::functions(&dialect, &Grants::new()))
        };
        let text = || Value::unknown(Type::String);
        context.set("each", Value::object([("key", text()), ("value", Value::DYNAMIC)]));
        context.set("count", Value::object([("index", Value::unknown(Type::Number))]));
        context.set("self", Value::DYNAMIC);
        context
    }

    /// The blocks of a directory, or of a file that is one by itself, by their types.
    pub(super) fn module_value(&self, file: usize) -> Value {
        let directory = &self.directories[&self.files[file].directory];
        let is_of_module = |own: &ProjectFile| own.dialect.as_ref().is_some_and(|own| own.has_modules());
        if !is_of_module(&self.files[file]) {
            return self.blocks_of(&[file]);
        }
        let make = || {
            let files: Vec<usize> =
                directory.files.iter().copied().filter(|at| is_of_module(&self.files[*at])).collect();
            self.blocks_of(&files)
        };
        directory.blocks.get_or_init(make).clone()
    }

    fn blocks_of(&self, files: &[usize]) -> Value {
        let mut types: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        let mut names = Vec::new();
        for at in files {
            let file = &self.files[*at];
            let name = file.document.source().name();
            names.push(Value::from(name));
            if file.document.json().is_some() {
                continue;
            }
            let context = LazyCell::new(|| self.context(file));
            for block in file.document.body().blocks() {
                let labels: Vec<String> =
                    block.label_texts().iter().map(std::string::ToString::to_string).collect();
                let address = address_of(file.dialect.as_deref(), block).unwrap_or_default();
                let instances = self.instances(&file.directory, &address);
                let own = match &instances[..] {
                    [one] if one.value.is_known() => one.value.clone(),
                    _ => Self::body(file, &context, block, &|_| true),
                };
                let value = Value::object([
                    ("address", Value::from(address)),
                    ("file", Value::from(name)),
                    ("labels", Value::tuple(labels.iter().map(|own| Value::from(own.as_str())))),
                    ("name", Value::from(labels.last().map_or("", String::as_str))),
                    ("self", own),
                ]);
                types.entry(block.block_type().to_owned()).or_default().push(value);
            }
        }
        // Types without blocks are lists, too.
        for known in files.iter().filter_map(|at| self.files[*at].dialect.as_ref()) {
            for rule in &known.blocks {
                types.entry(rule.block_type.to_string()).or_default();
            }
        }
        let blocks = types.into_iter().map(|(name, all)| (name, Value::tuple(all)));
        Value::object([("blocks", Value::object(blocks)), ("files", Value::tuple(names))])
    }

    /// The value of a block: its arguments, and its nested blocks as lists of objects, of which those with some names are left out.
    pub(super) fn body(
        file: &ProjectFile,
        context: &FileContext<'_>,
        block: BlockNode<'_>,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Value {
        let rule = file.dialect.as_ref().and_then(|own| own.block(block.block_type()));
        let body = Body::from_ast(block.body());
        Self::body_value(file, context, &body, rule, is_wanted)
    }

    fn body_value(
        file: &ProjectFile,
        context: &FileContext<'_>,
        body: &Body,
        rule: Option<&BlockRule>,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Value {
        let mut attributes: BTreeMap<String, Value> = BTreeMap::new();
        let mut blocks: BTreeMap<String, Option<Vec<Value>>> = BTreeMap::new();
        let hides = hides_value(body);
        for item in body.items() {
            let is_left_out = match &item {
                BodyItem::Attribute(own) => !is_wanted(&own.name),
                BodyItem::Block(own) if is_dynamic(own) => !is_wanted(&own.labels[0]),
                BodyItem::Block(own) => !is_wanted(&own.block_type),
            };
            if is_left_out {
                continue;
            }
            match item {
                BodyItem::Attribute(own) => {
                    let is_static = rule.is_some_and(|rule| rule.is_static(&own.name));
                    let constant = || own.expression.evaluate(&Context::new()).ok();
                    let value = if is_static {
                        // Types and references are text.
                        constant().unwrap_or_else(|| Value::from(own.expression.text()))
                    } else {
                        Self::value(file, context, &own.expression)
                    };
                    let is_hidden = file.withheld().touches(own.expression.span())
                        || hides && matches!(&*own.name, "default" | "value");
                    let value = if is_hidden { value.mark(Mark::sensitive()) } else { value };
                    attributes.insert(own.name.to_string(), value);
                }
                BodyItem::Block(own) if is_dynamic(&own) => {
                    blocks.insert(own.labels[0].to_string(), None);
                }
                BodyItem::Block(own) => {
                    let mut value = Self::body_value(file, context, &own.body, None, &|_| true);
                    if !own.labels.is_empty() && value.attribute("labels").is_err() {
                        let labels = Value::tuple(own.labels.iter().map(|label| Value::from(label.as_str())));
                        let entries = value.entries().into_iter().flatten();
                        let entries = entries.map(|(name, own)| (name.to_string(), own.clone()));
                        value =
                            Value::object(entries.chain([("labels".to_owned(), labels)]).collect::<Vec<_>>());
                    }
                    if let Some(all) =
                        blocks.entry(own.block_type.to_string()).or_insert_with(|| Some(Vec::new()))
                    {
                        all.push(value);
                    }
                }
            }
        }
        for (name, all) in blocks {
            // How many a `dynamic` block makes is unknown.
            let value = all.map_or(Value::DYNAMIC, Value::tuple);
            attributes.entry(name).or_insert(value);
        }
        Value::object(attributes)
    }

    /// The value of an expression. What cannot be evaluated is unknown, and what must not be shown is sensitive.
    pub(super) fn value(file: &ProjectFile, context: &FileContext<'_>, expression: &Expression) -> Value {
        let value = Self::evaluated(context, expression);
        if file.withheld().touches(expression.span()) { value.mark(Mark::sensitive()) } else { value }
    }

    fn evaluated(context: &FileContext<'_>, expression: &Expression) -> Value {
        if let Some(value) = constant(expression) {
            return value;
        }
        if let (value, false) = expression.evaluate_alone(context) {
            return value;
        }
        let mut open = context.child();
        for variable in expression.variables() {
            open.set(variable.root, Value::DYNAMIC);
        }
        expression.evaluate(&open).unwrap_or(Value::DYNAMIC)
    }

    /// The addresses that a declaration refers to, and those that refer to it.
    pub(super) fn references(&self, directory: &Path, address: &str) -> Option<(Vec<String>, Vec<String>)> {
        let opened = self.opened(directory)?;
        let at = opened.graph.find(address)?;
        let name = |at: &usize| opened.graph.node(*at).address().to_string();
        let references = opened.graph.references(at).iter().map(name).collect();
        Some((references, opened.used_by.get(&at).into_iter().flatten().map(name).collect()))
    }

    /// Whether a block at the top level of a file may have instances, which are evaluated with its module.
    pub(super) fn has_instances(file: &ProjectFile, block_type: &str) -> bool {
        let rule =
            file.dialect.as_ref().filter(|own| own.has_modules()).and_then(|own| own.block(block_type));
        rule.is_some_and(|rule| match rule.role {
            Role::Object | Role::Check | Role::Build => true,
            Role::Input
            | Role::Inputs
            | Role::Values
            | Role::Value
            | Role::Result
            | Role::Call
            | Role::Settings => false,
        })
    }

    /// The name of the language of a file.
    pub(super) fn language(file: &ProjectFile) -> &str {
        file.dialect.as_ref().map_or("hcl", |own| own.name())
    }

    /// The address that a block or, in the JSON syntax, the labels of one define.
    pub(super) fn address(file: &ProjectFile, block_type: &str, labels: &[String]) -> Option<String> {
        let rule = file.dialect.as_ref()?.block(block_type)?;
        let names = rule.defines.address(labels, None)?;
        Some(names.iter().map(|name| &**name).collect::<Vec<_>>().join("."))
    }
}

/// The context in which the expressions of a file are evaluated, which may be made when it is needed: it needs the whole module.
pub(super) type FileContext<'c> = dyn Deref<Target = Context> + 'c;

/// The value of an expression that refers to nothing and calls nothing.
pub(super) fn constant(expression: &Expression) -> Option<Value> {
    if expression.variables().is_empty() { expression.evaluate(&Context::new()).ok() } else { None }
}

/// Whether a block makes an unknown number of those that its label names.
fn is_dynamic(block: &Block) -> bool {
    &*block.block_type == "dynamic" && block.labels.len() == 1
}

fn address_of(dialect: Option<&Dialect>, block: BlockNode<'_>) -> Option<String> {
    let rule = dialect?.block(block.block_type())?;
    let names = rule.defines.address(&block.label_texts(), None)?;
    Some(names.iter().map(|name| &**name).collect::<Vec<_>>().join("."))
}

/// The names of the arguments and nested blocks that a block sets.
pub(super) fn names_set(block: BlockNode<'_>) -> BTreeSet<String> {
    let name = |item: Item<'_>| match item {
        Item::Attribute(own) => own.name_text().into_owned(),
        Item::Block(own) if own.block_type() == "dynamic" => {
            own.label_texts().first().map_or_else(String::new, std::string::ToString::to_string)
        }
        Item::Block(own) => own.block_type().to_owned(),
    };
    block.body().items().map(name).collect()
}

/// The same for what is a block in the JSON syntax: an object, or a list of some.
pub(super) fn names_set_in_json(block: &Expression) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for part in block.static_list().unwrap_or_else(|_| vec![block.clone()]) {
        for (name, value) in part.static_map().unwrap_or_default() {
            let Ok(name) = name.evaluate(&Context::new()) else { continue };
            match name.as_str() {
                None | Some("//") => {}
                Some("dynamic") => names.extend(names_set_in_json(&value)),
                Some(name) => {
                    names.insert(name.to_owned());
                }
            }
        }
    }
    names
}
