//! What rules are applied to: files, the modules that they belong to, and the values of these.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use hclkit::ast::{BlockNode, Item};
use hclkit::dialect::{BlockRule, Dialect, FileFacts, FileKind, tree, withheld_in};
use hclkit::functions::Grants;
use hclkit::limits::clean_path;
use hclkit::model::{BodyItem, Withheld, hides_value};
use hclkit::module::{self, AddressKind, Graph, Module, Reasons};
use hclkit::value::Mark;
use hclkit::{Body, Context, Diagnostics, Document, Expression, Type, Value};

/// Files with the modules that they belong to.
#[derive(Debug, Default)]
pub struct Project {
    pub(super) files: Vec<ProjectFile>,
    directories: HashMap<PathBuf, Directory>,
    /// The instances of declarations, by the directory and the address without keys and modules.
    instances: HashMap<(PathBuf, String), Vec<Instance>>,
}

#[derive(Debug)]
pub(super) struct ProjectFile {
    pub(super) document: Document,
    pub(super) directory: PathBuf,
    dialect: Option<Arc<Dialect>>,
    context: OnceLock<Context>,
    withheld: OnceLock<Withheld>,
}

/// An evaluated module.
#[derive(Debug)]
pub struct EvaluatedModule {
    directory: PathBuf,
    module: Module,
    graph: Graph,
    instances: Vec<(PathBuf, String, Instance)>,
}

#[derive(Debug, Default)]
struct Directory {
    module: Option<Module>,
    graph: Option<Graph>,
    /// The numbers of the files.
    files: Vec<usize>,
    blocks: OnceLock<Value>,
    used_by: OnceLock<HashMap<usize, Vec<usize>>>,
}

/// An instance of a declaration.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) address: String,
    pub(super) value: Value,
    is_of_root: bool,
    reasons: Arc<Reasons>,
}

impl Instance {
    /// Why a part of the instance is unknown.
    pub(super) fn reasons(&self, name: &str) -> Vec<String> {
        let own = self.reasons.of(&format!("{}.{name}", self.address));
        let all = if own.is_empty() { self.reasons.of(&self.address) } else { own };
        all.iter().map(ToString::to_string).collect()
    }
}

impl ProjectFile {
    /// What of the file must not be shown, by what its language says.
    fn withheld(&self) -> &Withheld {
        self.withheld.get_or_init(|| {
            let kind = self.dialect.as_ref().and_then(|own| own.file_kind(self.document.source().name()));
            let is_values = kind == Some(FileKind::Values);
            let dialect = self.dialect.as_deref();
            let body = tree::Body::of(&self.document, dialect, is_values);
            let dialect = dialect.filter(|_| !is_values);
            let facts = FileFacts { dialect, kind, elsewhere: &[], shows_values: false };
            withheld_in(&body, self.document.source(), self.document.diagnostics(), facts)
        })
    }
}

impl EvaluatedModule {
    /// Evaluates the module in a directory.
    pub fn of(directory: &Path, module: Module) -> (Self, Diagnostics) {
        let found = module.evaluate(&[]);
        let (graph, reasons) = (module.graph(), Arc::new(module.reasons()));
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
            let mut bare = name;
            while let Some(rest) = bare.strip_prefix("module.") {
                match rest.split_once('.') {
                    Some((_, rest)) => bare = rest.to_owned(),
                    None => break,
                }
            }
            let value = if own.sensitive { own.value.mark(Mark::sensitive()) } else { own.value };
            let address = own.address.to_string();
            let instance = Instance { address, value, is_of_root, reasons: reasons.clone() };
            instances.push((file.parent().map(Path::to_owned).unwrap_or_default(), bare, instance));
        }
        let directory = clean_path(directory);
        (Self { directory, module, graph, instances }, found.diagnostics)
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
            let dialect = Dialect::of_path(&name);
            project.files.push(ProjectFile {
                document,
                directory,
                dialect,
                context: OnceLock::new(),
                withheld: OnceLock::new(),
            });
        }
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

    /// Adds an evaluated module.
    pub fn add(&mut self, evaluated: EvaluatedModule) {
        let EvaluatedModule { directory, module, graph, instances } = evaluated;
        let own = self.directories.entry(directory).or_default();
        own.module = Some(module);
        own.graph = Some(graph);
        for (directory, name, instance) in instances {
            self.instances.entry((directory, name)).or_default().push(instance);
        }
    }

    /// The instances of a declaration. If other modules call the directory, they are those of the calls.
    pub(super) fn instances(&self, directory: &Path, address: &str) -> Vec<&Instance> {
        let all = self.instances.get(&(directory.to_owned(), address.to_owned()));
        let all: Vec<&Instance> = all.into_iter().flatten().collect();
        let called: Vec<&Instance> = all.iter().copied().filter(|own| !own.is_of_root).collect();
        if called.is_empty() { all } else { called }
    }

    /// The context in which expressions of a file are evaluated.
    pub(super) fn context(&self, file: &ProjectFile) -> Context {
        let make = || {
            let module = self.directories.get(&file.directory).and_then(|own| own.module.as_ref());
            let is_of_module = file.dialect.as_ref().is_none_or(|own| own.has_modules());
            let mut context = if let Some(module) = module.filter(|_| is_of_module) {
                module.context().child()
            } else {
                let dialect = file.dialect.clone().unwrap_or_else(Dialect::hcl);
                Context::new().with_functions(module::functions(&dialect, &Grants::new()))
            };
            let text = || Value::unknown(Type::String);
            context.set("each", Value::object([("key", text()), ("value", Value::DYNAMIC)]));
            context.set("count", Value::object([("index", Value::unknown(Type::Number))]));
            context.set("self", Value::DYNAMIC);
            context
        };
        file.context.get_or_init(make).clone()
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
            for block in file.document.body().blocks() {
                let labels: Vec<String> =
                    block.label_texts().iter().map(std::string::ToString::to_string).collect();
                let address = address_of(file.dialect.as_deref(), block).unwrap_or_default();
                let instances = self.instances(&file.directory, &address);
                let own = match &instances[..] {
                    [one] if one.value.is_known() => one.value.clone(),
                    _ => self.body(file, block),
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

    /// The value of a block: its arguments, and its nested blocks as lists of objects.
    pub(super) fn body(&self, file: &ProjectFile, block: BlockNode<'_>) -> Value {
        let rule = file.dialect.as_ref().and_then(|own| own.block(block.block_type()));
        let body = Body::from_ast(block.body());
        self.body_value(file, &body, rule)
    }

    fn body_value(&self, file: &ProjectFile, body: &Body, rule: Option<&BlockRule>) -> Value {
        let mut attributes: BTreeMap<String, Value> = BTreeMap::new();
        let mut blocks: BTreeMap<String, Option<Vec<Value>>> = BTreeMap::new();
        let hides = hides_value(body);
        for item in body.items() {
            match item {
                BodyItem::Attribute(own) => {
                    let is_static = rule.is_some_and(|rule| rule.is_static(&own.name));
                    let constant = || own.expression.evaluate(&Context::new()).ok();
                    let value = if is_static {
                        // Types and references are text.
                        constant().unwrap_or_else(|| Value::from(own.expression.text()))
                    } else {
                        self.value(file, &own.expression)
                    };
                    let is_hidden = file.withheld().touches(own.expression.span())
                        || hides && matches!(&*own.name, "default" | "value");
                    let value = if is_hidden { value.mark(Mark::sensitive()) } else { value };
                    attributes.insert(own.name.to_string(), value);
                }
                BodyItem::Block(own) if &*own.block_type == "dynamic" && own.labels.len() == 1 => {
                    blocks.insert(own.labels[0].to_string(), None);
                }
                BodyItem::Block(own) => {
                    let mut value = self.body_value(file, &own.body, None);
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
    pub(super) fn value(&self, file: &ProjectFile, expression: &Expression) -> Value {
        let value = self.evaluated(file, expression);
        if file.withheld().touches(expression.span()) { value.mark(Mark::sensitive()) } else { value }
    }

    fn evaluated(&self, file: &ProjectFile, expression: &Expression) -> Value {
        let context = self.context(file);
        if let Ok(value) = expression.evaluate(&context) {
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
        let own = self.directories.get(directory)?;
        let graph = own.graph.as_ref()?;
        let at = graph.find(address)?;
        let make = || {
            let mut used_by: HashMap<usize, Vec<usize>> = HashMap::new();
            graph.edges().for_each(|(from, to)| used_by.entry(to).or_default().push(from));
            used_by
        };
        let used_by = own.used_by.get_or_init(make);
        let name = |at: &usize| graph.node(*at).address().to_string();
        let references = graph.references(at).iter().map(name).collect();
        Some((references, used_by.get(&at).into_iter().flatten().map(name).collect()))
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
