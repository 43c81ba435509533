//! Renaming across Terraform modules: variables, outputs and providers of a module in the files that call it, and all of
//! its names in tests of it. Units of Terragrunt and components of Terraform Stacks call a module, too, and deployments the stack
//! in their directory.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use hclkit_dialect::{Dialect, is_local_source};
use hclkit_limits::clean_path;
use hclkit_model::Context;
use hclkit_syntax::ast::{ExpressionKind, ExpressionNode, ObjectItemNode, ObjectKey};
use hclkit_syntax::{Document, NodeId, NodeKind, Span};
use hclkit_value::Value;
use hclkit_write::{Edits, Match, Selector};

use crate::names::{Names, is_test};
use crate::occurrence::WrittenForm;
use crate::rename::written;
use crate::terragrunt;
use crate::{Occurrence, OccurrenceKind, RenameError, Symbol};

/// A call of a module: a `module` block, a `run` block of a test with a `module` block in it, the `terraform` block of a
/// unit of Terragrunt, or a `component` or `stack` block of Terraform Stacks. A `deployment` block calls the stack beside it.
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

/// The languages of Terraform Stacks.
const STACKS: &str = "stacks";
const DEPLOYMENTS: &str = "stack-deployments";

impl CallKind {
    fn is_of_stacks(self) -> bool {
        matches!(self, Self::Component | Self::Deployment)
    }
}

impl<'d> ModuleCall<'d> {
    /// Returns the calls in a file whose `source` is literal, in either syntax.
    pub fn all(document: &'d Document) -> Vec<Self> {
        let calls = |path: &str, kind: CallKind| {
            let found = select(document, path);
            found.into_iter().filter_map(move |found| Self::of(document, found, kind))
        };
        match language_of(document.source().name()).as_deref() {
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
        let runs = is_test(document).then(|| calls("run.*", CallKind::Run));
        calls("module.*", CallKind::Module).chain(runs.into_iter().flatten()).collect()
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
        Some(Self { name, source, path, found, kind })
    }

    /// The files whose local values a file of Terragrunt refers to: `include.NAME.locals`, and `local.NAME.locals` of one that it
    /// reads.
    fn includes(document: &'d Document) -> impl Iterator<Item = Self> + use<'d> {
        let of = move |found: Match<'d>, file: Option<PathBuf>| {
            let path = file?.parent()?.to_owned();
            let (_, name) = found.address().rsplit_once('.')?;
            let (name, source) = (name.to_owned(), path.to_string_lossy().into_owned());
            Some(Self { name, source, path: Some(path), found, kind: CallKind::Include })
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
        let mut from = directory(document);
        if self.is_run() && from.ends_with("tests") {
            from.pop();
        }
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
            if symbol.names[0] == "var" {
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
    // The calls by directory, because their results are used in the other files of it.
    let mut names: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    let mut units: HashSet<PathBuf> = HashSet::new();
    // The addresses of components and deployments.
    let mut stacks: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    let mut all: Vec<Vec<ModuleCall>> = Vec::with_capacity(documents.len());
    for document in documents {
        let mut found = ModuleCall::all(document);
        found.retain(|call| calls(document, call));
        let of_directory = names.entry(directory(document)).or_default();
        let modules = found.iter().filter(|call| call.kind == CallKind::Module);
        of_directory.extend(modules.map(|call| call.name.clone()));
        let of_stacks = found.iter().filter(|call| call.kind.is_of_stacks());
        stacks
            .entry(directory(document))
            .or_default()
            .extend(of_stacks.map(|call| call.found.address().to_owned()));
        if found.iter().any(|call| call.kind == CallKind::Unit) {
            units.insert(clean_path(&directory(document)));
        }
        all.push(found);
    }
    let in_document = |(document, calls): (&Document, &Vec<ModuleCall>)| {
        let names_of = OnceCell::new();
        let own = || names_of.get_or_init(|| Names::of(document));
        let mut found = Vec::new();
        match &symbol.names[..] {
            [root, name] if root == "var" => {
                found.extend(calls.iter().filter_map(|call| argument(document, call, name)));
            }
            [root, name] if root == "output" => {
                let modules = names.get(&directory(document)).into_iter().flatten();
                let modules = modules.map(|name| format!("module.{name}"));
                let runs = calls.iter().filter(|call| call.is_run()).map(|run| format!("run.{}", run.name));
                let units = dependencies(document, &units).into_iter();
                let stacks = stacks.get(&directory(document)).into_iter().flatten().cloned();
                found.extend(
                    modules.chain(runs).chain(units).chain(stacks).flat_map(|call| uses(own(), &call, name)),
                );
            }
            [root, name] if root == "local" => {
                let includes = calls.iter().filter(|call| call.kind == CallKind::Include);
                let addresses = includes.map(|call| match call.found.address().strip_prefix("locals.") {
                    Some(name) => format!("local.{name}.locals"),
                    None => format!("{}.locals", call.found.address()),
                });
                found.extend(addresses.flat_map(|call| uses(own(), &call, name)));
            }
            [provider, alias] => {
                let name = format!("{provider}.{alias}");
                found.extend(calls.iter().flat_map(|call| provider_keys(document, call, &name, alias)));
            }
            _ => {}
        }
        for run in calls.iter().filter(|call| call.is_run()) {
            found.extend(own().in_run(symbol, run.found.address()));
        }
        found.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end));
        found
    };
    documents.iter().zip(&all).map(in_document).collect()
}

/// Returns true if callers can refer to a name of the module of a file: a variable, an output, or a provider that they pass.
pub fn is_visible_to_callers(document: &Document, symbol: &Symbol) -> bool {
    let (name, text) = (symbol.to_string(), document.source().text());
    let is_terragrunt = || language_of(document.source().name()).is_none_or(|own| own == "terragrunt");
    name.starts_with("var.")
        || name.starts_with("local.") && is_terragrunt()
        || name.starts_with("output.")
        || text.contains("configuration_aliases") && text.contains(&name)
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
pub fn is_of_stacks(path: impl AsRef<Path>) -> bool {
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
    let (node, address) = argument_of(document, call, name)?;
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
