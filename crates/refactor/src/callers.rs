//! Renaming across Terraform modules: variables, outputs and providers of a module in the files that call it, and all of
//! its names in tests of it. Units of Terragrunt and components of Terraform Stacks call a module, too, and deployments the stack
//! in their directory.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use hclkit_dialect::{Dialect, Role, is_local_source};
use hclkit_limits::clean_path;
use hclkit_model::Context;
use hclkit_syntax::ast::{ExpressionKind, ExpressionNode, ObjectItemNode, ObjectKey};
use hclkit_syntax::{Document, NodeId, NodeKind, Span};
use hclkit_value::Value;
use hclkit_write::{Edits, Match, Selector};

use crate::crossing::calling;
use crate::instances;
use crate::names::{Names, is_test, is_test_file};
use crate::occurrence::WrittenForm;
use crate::rename::written;
use crate::terragrunt;
use crate::{Occurrence, OccurrenceKind, RenameError, Symbol};

/// A call of a module: a `module` block, or one that the table of another language gives the role of a call; a `run` block of a test
/// with a `module` block in it, the `terraform` block of a unit of Terragrunt, or a `component` or `stack` block of Terraform
/// Stacks. A `deployment` block calls the stack beside it.
///
/// ```
/// use hclkit_refactor::ModuleCall;
/// let document = hclkit_syntax::parse("module \"net\" {\n  source = \"./net\"\n}\n");
/// let calls = ModuleCall::all(&document);
/// assert_eq!((calls[0].name(), calls[0].source()), ("net", "./net"));
/// ```
#[derive(Debug, Clone)]
pub struct ModuleCall<'d> {
    name: String,
    /// How expressions refer to it.
    address: String,
    source: String,
    /// Where the module is, if that is computed.
    path: Option<PathBuf>,
    /// The `module`, `run` or `terraform` block.
    found: Match<'d>,
    kind: CallKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallKind {
    Module,
    /// A `run` block of a test.
    Run,
    /// A unit of Terragrunt.
    Unit,
    /// A file that one of Terragrunt includes or reads.
    Include,
    /// A component, or a stack in a stack, of Terraform Stacks.
    Component,
    /// A deployment of Terraform Stacks.
    Deployment,
}

/// The directory in which Terraform looks for tests of a module.
const TESTS: &str = "tests";

/// The languages of Terraform Stacks.
const STACKS: &str = "stacks";
const DEPLOYMENTS: &str = "stack-deployments";

impl<'d> ModuleCall<'d> {
    /// Returns the calls in a file whose `source` is literal, in either syntax.
    pub fn all(document: &'d Document) -> Vec<Self> {
        let calls = |path: &str, kind: CallKind| {
            let found = select(document, path);
            found.into_iter().filter_map(move |found| Self::of(document, found, kind))
        };
        let language = Dialect::of_path(document.source().name());
        match language.as_ref().map(|language| language.name()) {
            Some("terragrunt") => {
                return calls("terraform", CallKind::Unit).chain(Self::includes(document)).collect();
            }
            None => return calls("module.*", CallKind::Module).chain(Self::includes(document)).collect(),
            Some(STACKS) => {
                let paths = ["component.*", "stack.*", "removed"];
                return paths.into_iter().flat_map(|path| calls(path, CallKind::Component)).collect();
            }
            Some(DEPLOYMENTS) => return calls("deployment.*", CallKind::Deployment).collect(),
            _ => {}
        }
        let mut all = Vec::new();
        for rule in language.iter().flat_map(|language| calling(language)) {
            let path = format!("{}{}", rule.block_type, ".*".repeat(rule.labels.len()));
            all.extend(calls(&path, CallKind::Module).map(|call| Self {
                address: rule.defines.address(&[&call.name], None).map_or(call.address, |own| own.join(".")),
                ..call
            }));
        }
        if is_test(document) {
            all.extend(calls("run.*", CallKind::Run));
        }
        all
    }

    fn of(document: &'d Document, found: Match<'d>, kind: CallKind) -> Option<Self> {
        let tree = document.tree();
        let named = match tree.kind(found.named()) {
            NodeKind::ObjectItem => tree.children(found.named()).next()?,
            _ => found.named(),
        };
        let name = document.text(named).trim_matches('"').to_owned();
        let module = if kind == CallKind::Run { child(&found, "module")? } else { found.clone() };
        let mut path = None;
        let source = match kind {
            CallKind::Deployment => ".".to_owned(),
            CallKind::Unit => {
                let source = child(&module, "source")?.expression()?;
                literal(source).or_else(|| {
                    path = terragrunt::path(source, &directory(document));
                    path.as_ref().map(|path| path.to_string_lossy().into_owned())
                })?
            }
            _ => literal(child(&module, "source")?.expression()?)?,
        };
        let address = found.address().to_owned();
        Some(Self { name, address, source, path, found, kind })
    }

    /// The files whose local values a file of Terragrunt refers to: `include.NAME.locals`, and `local.NAME.locals` of one that it
    /// reads.
    fn includes(document: &'d Document) -> impl Iterator<Item = Self> + use<'d> {
        let of = move |found: Match<'d>, file: Option<PathBuf>| {
            let path = file?.parent()?.to_owned();
            let (_, name) = found.address().rsplit_once('.')?;
            let (name, source) = (name.to_owned(), path.to_string_lossy().into_owned());
            let address = found.address().to_owned();
            Some(Self { name, address, source, path: Some(path), found, kind: CallKind::Include })
        };
        let included = select(document, "include.*").into_iter().filter_map(move |found| {
            let path = child(&found, "path")
                .and_then(|path| terragrunt::path(path.expression()?, &directory(document)));
            of(found, path)
        });
        let read = select(document, "locals.*").into_iter().filter_map(move |found| {
            let path = found.expression().and_then(|own| terragrunt::read(own, &directory(document)));
            of(found, path)
        });
        included.chain(read)
    }

    /// Returns true for a `run` block.
    pub fn is_run(&self) -> bool {
        self.kind == CallKind::Run
    }

    /// Returns true for a unit of Terragrunt, whose name is `terraform`, or a file that it includes or reads.
    pub fn is_unit(&self) -> bool {
        matches!(self.kind, CallKind::Unit | CallKind::Include)
    }

    /// Returns true for a file that a unit of Terragrunt includes or reads.
    pub fn is_include(&self) -> bool {
        self.kind == CallKind::Include
    }

    /// Returns true for a block of a module, such as `module`, that calls another one, which its expressions can use.
    pub fn is_of_module(&self) -> bool {
        self.kind == CallKind::Module
    }

    /// The address of the call, such as `module.net`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The name of the call, which is the label of the block.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The source, such as `./modules/net`.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the directory of the module if the source is a path. It is relative to the directory of the file; for a
    /// test in the subdirectory `tests`, to the directory above.
    pub fn directory(&self, document: &Document) -> Option<PathBuf> {
        if self.path.is_some() {
            return self.path.clone();
        }
        let from = if self.is_run() { module_directory(document) } else { directory(document) };
        let is_own = self.kind == CallKind::Deployment;
        (is_own || is_local_source(&self.source)).then(|| from.join(&self.source))
    }
}

/// Renames a variable, an output or a provider of a module in files that call the module: in arguments of `module`
/// blocks, in references to outputs, and in `providers`. In tests of the module, any name is renamed. `calls` returns
/// true for blocks that call the module. A call and the references to it are in files of one directory, according to the
/// names of their sources. Returns the new text of each file, or `None` if the file does not change.
///
/// ```
/// let main = "module \"net\" {\n  source = \"./net\"\n  cidr   = 1\n}\n";
/// let document = hclkit_syntax::parse(main);
/// let calls = |_: &hclkit_syntax::Document, call: &hclkit_refactor::ModuleCall| call.source() == "./net";
/// let renamed = hclkit_refactor::rename_in_callers(&[document], &"var.cidr".parse()?, "block", calls)?;
/// assert_eq!(
///     renamed[0].as_ref().unwrap().source().text(),
///     "module \"net\" {\n  source = \"./net\"\n  block  = 1\n}\n",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The new name is not an identifier, or a call has an argument of that name.
pub fn rename_in_callers(
    documents: &[Document],
    symbol: &Symbol,
    name: &str,
    calls: impl Fn(&Document, &ModuleCall) -> bool,
) -> Result<Vec<Option<Document>>, RenameError> {
    let new = symbol.with_name(name).map_err(|error| RenameError::InvalidName(error.to_string()))?;
    let all = occurrences_in_callers(documents, symbol, &calls);
    documents
        .iter()
        .zip(all)
        .map(|(document, found)| {
            if is_input(role_of(symbol, document)) {
                let mut own = ModuleCall::all(document);
                own.retain(|call| calls(document, call));
                own.iter().try_for_each(|call| check_argument(document, call, symbol.name(), new.name()))?;
            }
            let mut edits = Edits::new(document);
            for found in &found {
                edits.replace(found.name, written(new.name(), found.form))?;
            }
            if edits.is_empty() { Ok(None) } else { Ok(Some(edits.apply()?)) }
        })
        .collect()
}

/// Finds a variable, an output or a provider of a module in files that call the module: arguments of `module` blocks, references
/// to outputs, and `providers`. In tests of the module, any name is found. `calls` returns true for blocks that call the module.
/// A call and the references to it are in files of one directory, according to the names of their sources. Returns the occurrences
/// in each file.
///
/// ```
/// let main = "module \"net\" {\n  source = \"./net\"\n  cidr   = 1\n}\n";
/// let document = hclkit_syntax::parse(main);
/// let calls = |_: &hclkit_syntax::Document, call: &hclkit_refactor::ModuleCall| call.source() == "./net";
/// let found = hclkit_refactor::occurrences_in_callers(&[document], &"var.cidr".parse()?, calls);
/// assert_eq!(found[0][0].address, "module.net.cidr");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn occurrences_in_callers(
    documents: &[Document],
    symbol: &Symbol,
    calls: impl Fn(&Document, &ModuleCall) -> bool,
) -> Vec<Vec<Occurrence>> {
    let calling = Calling::of(documents, calls);
    let in_document = |(document, calls): (&Document, &Vec<ModuleCall>)| {
        let names_of = OnceCell::new();
        let own = || names_of.get_or_init(|| Names::of(document));
        let mut found = Vec::new();
        let name = symbol.name();
        match role_of(symbol, document) {
            Some(Role::Input | Role::Inputs) => {
                found.extend(calls.iter().filter_map(|call| argument(document, call, name)));
            }
            Some(Role::Result) => {
                let overridden = |call: &String| overridden(document, call, name);
                found.extend(calling.modules_seen_by(document).flat_map(overridden));
                let addresses = calling.addresses(document, calls);
                found.extend(addresses.iter().flat_map(|call| uses(own(), call, name)));
            }
            Some(Role::Values | Role::Value) => {
                let includes = calls.iter().filter(|call| call.kind == CallKind::Include);
                let addresses = includes.map(|call| match call.found.address().strip_prefix("locals.") {
                    Some(name) => format!("local.{name}.locals"),
                    None => format!("{}.locals", call.found.address()),
                });
                found.extend(addresses.flat_map(|call| uses(own(), &call, name)));
            }
            _ => {
                if let [provider, alias] = &symbol.names[..] {
                    let name = format!("{provider}.{alias}");
                    found.extend(calls.iter().flat_map(|call| provider_keys(document, call, &name, alias)));
                }
            }
        }
        for run in calls.iter().filter(|call| call.is_run()) {
            found.extend(own().in_run(symbol, run.found.address()));
        }
        found.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end));
        found
    };
    documents.iter().zip(&calling.all).map(in_document).collect()
}

/// Finds the places in files that call the module where all results of a call are one value, so that a use of one of them cannot
/// be followed: `local.net` in `locals { net = module.net }`. Empty for a name that is no result. The arguments are those of
/// [`occurrences_in_callers`].
///
/// ```
/// let document = hclkit_syntax::parse("module \"net\" {\n  source = \"./net\"\n}\nlocals {\n  net = module.net\n}\n");
/// let calls = |_: &hclkit_syntax::Document, call: &hclkit_refactor::ModuleCall| call.source() == "./net";
/// let found = hclkit_refactor::unfollowed_in_callers(&[document.clone()], &"output.id".parse()?, calls);
/// assert_eq!(document.source().slice(found[0][0]), "module.net");
/// # Ok::<(), hclkit_refactor::SymbolError>(())
/// ```
pub fn unfollowed_in_callers(
    documents: &[Document],
    symbol: &Symbol,
    calls: impl Fn(&Document, &ModuleCall) -> bool,
) -> Vec<Vec<Span>> {
    let calling = Calling::of(documents, calls);
    let in_document = |(document, calls): (&Document, &Vec<ModuleCall>)| {
        if role_of(symbol, document) != Some(Role::Result) {
            return Vec::new();
        }
        let addresses = calling.addresses(document, calls).into_iter();
        let results = addresses.filter_map(|call| format!("{call}.{}", symbol.name()).parse::<Symbol>().ok());
        results.flat_map(|result| instances::wholes(&result, document)).collect()
    };
    documents.iter().zip(&calling.all).map(in_document).collect()
}

/// The calls of a module in files.
struct Calling<'d> {
    /// Those of each file.
    all: Vec<Vec<ModuleCall<'d>>>,
    /// The addresses of calls by directory, because their results are used in the other files of it.
    modules: BTreeMap<PathBuf, Vec<String>>,
    /// The addresses of components and deployments.
    stacks: BTreeMap<PathBuf, Vec<String>>,
    /// The directories of units of Terragrunt.
    units: HashSet<PathBuf>,
}

impl<'d> Calling<'d> {
    fn of(documents: &'d [Document], calls: impl Fn(&Document, &ModuleCall) -> bool) -> Self {
        let (all, modules) = (Vec::with_capacity(documents.len()), BTreeMap::new());
        let mut calling = Self { all, modules, stacks: BTreeMap::new(), units: HashSet::new() };
        for document in documents {
            let mut found = ModuleCall::all(document);
            found.retain(|call| calls(document, call));
            let directory = directory(document);
            for call in &found {
                match call.kind {
                    CallKind::Module => {
                        calling.modules.entry(directory.clone()).or_default().push(call.address.clone());
                    }
                    CallKind::Component | CallKind::Deployment => {
                        calling.stacks.entry(directory.clone()).or_default().push(call.address.clone());
                    }
                    CallKind::Unit => {
                        calling.units.insert(clean_path(&directory));
                    }
                    CallKind::Run | CallKind::Include => {}
                }
            }
            calling.all.push(found);
        }
        calling
    }

    /// The calls of modules that a file can refer to. A test in a directory below sees those of its module.
    fn modules_seen_by(&self, document: &Document) -> impl Iterator<Item = &String> {
        self.modules.get(&module_directory(document)).into_iter().flatten()
    }

    /// The addresses whose attributes are results of the module, in a file with calls.
    fn addresses(&self, document: &Document, calls: &[ModuleCall]) -> Vec<String> {
        let runs = calls.iter().filter(|call| call.is_run()).map(|run| format!("run.{}", run.name));
        let units = dependencies(document, &self.units);
        let stacks = self.stacks.get(&directory(document)).into_iter().flatten();
        self.modules_seen_by(document).chain(stacks).cloned().chain(runs).chain(units).collect()
    }
}

/// Returns true if callers can refer to a name of the module of a file: an input, a result, or a provider that they pass.
pub fn is_visible_to_callers(document: &Document, symbol: &Symbol) -> bool {
    let (name, text) = (symbol.to_string(), document.source().text());
    let is_terragrunt = || language_of(document.source().name()).is_none_or(|own| own == "terragrunt");
    match role_of(symbol, document) {
        Some(Role::Input | Role::Inputs | Role::Result) => true,
        Some(Role::Values | Role::Value) => is_terragrunt(),
        _ => text.contains("configuration_aliases") && text.contains(&name),
    }
}

/// Whether a file can call other directories, according to its name. Any file with a name that says nothing can be one that
/// Terragrunt includes.
#[doc(hidden)]
pub fn can_call(path: impl AsRef<Path>) -> bool {
    Dialect::of_path(&path).is_some_and(|language| calling(&language).next().is_some())
        || is_unit(&path)
        || is_of_stacks(&path)
}

/// Whether a text can contain a call, which is known without parsing it. Otherwise, [`ModuleCall::all`] finds none.
#[doc(hidden)]
pub fn may_have_calls(path: impl AsRef<Path>, text: &str) -> bool {
    let Some(language) = Dialect::of_path(&path) else { return true };
    is_unit(&path)
        || is_of_stacks(&path)
        || is_test_file(&path) && text.contains("run")
        || calling(&language).any(|rule| text.contains(rule.block_type.as_str()))
}

fn role_of(symbol: &Symbol, document: &Document) -> Option<Role> {
    symbol.role(document.source().name())
}

fn is_input(role: Option<Role>) -> bool {
    matches!(role, Some(Role::Input | Role::Inputs))
}

/// The directory of the module of a file. A test in the directory `tests` is about the one above.
fn module_directory(document: &Document) -> PathBuf {
    let mut own = directory(document);
    if own.ends_with(TESTS) && is_test(document) {
        own.pop();
    }
    own
}

/// The directory of a file, according to its name.
fn directory(document: &Document) -> PathBuf {
    Path::new(document.source().name()).parent().unwrap_or(Path::new("")).to_owned()
}

fn child<'d>(within: &Match<'d>, name: &str) -> Option<Match<'d>> {
    let path: Selector = format!("[{}]", Value::from(name)).parse().ok()?;
    path.select_in(within, &Context::new()).ok()?.pop()
}

pub(crate) fn literal(expression: ExpressionNode<'_>) -> Option<String> {
    match expression.kind() {
        ExpressionKind::Template(template) => template.as_literal().map(std::borrow::Cow::into_owned),
        _ => None,
    }
}

/// What a path selects.
fn select<'d>(document: &'d Document, path: &str) -> Vec<Match<'d>> {
    path.parse::<Selector>().ok().and_then(|path| path.select(document).ok()).unwrap_or_default()
}

/// Whether a file configures a unit of Terragrunt, according to its name.
#[doc(hidden)]
pub fn is_unit(path: impl AsRef<Path>) -> bool {
    language_of(path).as_deref() == Some("terragrunt")
}

/// Whether a file is one of Terraform Stacks that can call modules or stacks, according to its name.
#[doc(hidden)]
fn is_of_stacks(path: impl AsRef<Path>) -> bool {
    matches!(language_of(path).as_deref(), Some(STACKS | DEPLOYMENTS))
}

fn language_of(path: impl AsRef<Path>) -> Option<String> {
    Some(Dialect::of_path(path)?.name().to_owned())
}

/// The names of the results of units of Terragrunt in a file that depends on them.
fn dependencies(document: &Document, units: &HashSet<PathBuf>) -> Vec<String> {
    if units.is_empty() || !is_unit(document.source().name()) {
        return Vec::new();
    }
    let is_known = |found: &Match<'_>| {
        let path = child(found, "config_path").and_then(|path| literal(path.expression()?));
        path.is_some_and(|path| units.contains(&clean_path(&directory(document).join(path))))
    };
    let all = select(document, "dependency.*");
    all.iter().filter(|found| is_known(found)).map(|found| format!("{}.outputs", found.address())).collect()
}

/// The node and the path of the argument of a call with a name.
fn argument_of(document: &Document, call: &ModuleCall<'_>, name: &str) -> Option<(NodeId, String)> {
    let found = match call.kind {
        CallKind::Module => child(&call.found, name),
        CallKind::Run => child(&child(&call.found, "variables")?, name),
        CallKind::Include => return None,
        CallKind::Unit => return input_of_unit(&select(document, "inputs").pop()?, name),
        CallKind::Component | CallKind::Deployment => {
            return input_of_unit(&child(&call.found, "inputs")?, name);
        }
    };
    found.map(|found| (found.node(), found.address().to_owned()))
}

/// An item of `inputs`, which is an object or a call of a function such as `merge`.
fn input_of_unit(inputs: &Match<'_>, name: &str) -> Option<(NodeId, String)> {
    let value = inputs.expression()?.without_parens();
    let objects: Vec<ExpressionNode<'_>> = match value.kind() {
        ExpressionKind::Call(call) => call.arguments().collect(),
        _ => vec![value],
    };
    let items = objects.into_iter().flat_map(ExpressionNode::items);
    let has_name = |item: &ObjectItemNode<'_>| match item.key() {
        ObjectKey::Name(key) => key.text == name,
        ObjectKey::Expression(key) => literal(key).as_deref() == Some(name),
    };
    items.into_iter().find(has_name).map(|item| (item.id(), format!("{}.{name}", inputs.address())))
}

/// The name of an argument of a call.
fn argument(document: &Document, call: &ModuleCall<'_>, name: &str) -> Option<Occurrence> {
    key_in(document, argument_of(document, call, name)?)
}

/// The name of an attribute or item.
fn key_in(document: &Document, (node, address): (NodeId, String)) -> Option<Occurrence> {
    let tree = document.tree();
    let span = match tree.kind(node) {
        NodeKind::ObjectItem => document.span(tree.children(node).next()?),
        _ => document.tokens().span(tree.token_range(node).0),
    };
    let is_quoted = document.source().slice(span).starts_with('"');
    let form = if is_quoted { WrittenForm::Quoted } else { WrittenForm::Plain };
    Some(Occurrence { kind: OccurrenceKind::Reference, span, address, name: span, form })
}

/// A call that has the old name of an argument must not have the new one.
fn check_argument(
    document: &Document,
    call: &ModuleCall<'_>,
    old: &str,
    new: &str,
) -> Result<(), RenameError> {
    let (Some(_), Some((node, name))) = (argument_of(document, call, old), argument_of(document, call, new))
    else {
        return Ok(());
    };
    let line = document.position(document.span(node).start).line;
    let place = format!("{}:{line}", document.source().name());
    Err(RenameError::Exists { name, place })
}

/// The references to an output of a call: `module.net.id`, `module.net["a"].id`, `module.net[*].id`, `run.setup.id` and
/// others.
fn uses(names: &Names, call: &str, output: &str) -> Vec<Occurrence> {
    let symbol = format!("{call}.{output}").parse::<Symbol>();
    symbol.map(|symbol| names.occurrences(&symbol)).unwrap_or_default()
}

/// The keys of `outputs` in blocks of a test that override the results of a call.
fn overridden(document: &Document, call: &str, output: &str) -> Vec<Occurrence> {
    if !is_test(document) {
        return Vec::new();
    }
    let paths = ["override_module", "run.*.override_module", "mock_provider.*.override_module"];
    let key = |found: Match<'_>| {
        let target = child(&found, "target")?.expression()?;
        let target = literal(target).unwrap_or_else(|| target.text().to_owned());
        let is_call = target.strip_prefix(call).is_some_and(|key| key.is_empty() || key.starts_with('['));
        let outputs = child(&found, "outputs").filter(|_| is_call)?;
        key_in(document, input_of_unit(&outputs, output)?)
    };
    paths.into_iter().flat_map(|path| select(document, path)).filter_map(key).collect()
}

/// The alias in the keys of `providers` that are the name of a provider.
fn provider_keys(document: &Document, call: &ModuleCall<'_>, name: &str, alias: &str) -> Vec<Occurrence> {
    let Some(providers) = child(&call.found, "providers") else { return Vec::new() };
    let Some(object) = providers.expression() else { return Vec::new() };
    let key = |key: Span| {
        let text = document.source().slice(key);
        let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let end = key.end - u32::from(inside.is_some());
        let name = (inside.unwrap_or(text) == name).then(|| Span::new(end - alias.len() as u32, end))?;
        let (kind, address) = (OccurrenceKind::Reference, providers.address().to_owned());
        Some(Occurrence { kind, span: key, address, name, form: WrittenForm::Plain })
    };
    object.items().filter_map(|item| key(item.key_span())).collect()
}
