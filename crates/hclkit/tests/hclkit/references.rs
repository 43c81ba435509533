//! What a reference means is the same for all who ask: `Names` (that is `hcl refs`), `rename`, the graph and explanations.
//! The modules are those of `tests/modules` and `examples`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use hclkit::module::{self, Dialect, Graph, Memory, Module, ModuleLoader};
use hclkit::refactor::{Names, OccurrenceKind, Symbol, rename};
use hclkit::syntax::{Document, Source, Span, StartSymbol};

/// The sections of a case that are not files.
const OTHERS: [&str; 5] = ["terraform", "console", "opentofu", "opentofu console", "options"];

/// A tree of files with a root module.
struct Tree {
    name: String,
    files: Vec<(String, String)>,
    dialect: Arc<Dialect>,
}

fn trees() -> Vec<Tree> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut trees = Vec::new();
    for file in hclkit_test_cases::read(&root.join("tests/modules"), "modules", &[]).unwrap() {
        for case in &file.cases {
            let is_file = |title: &str| !OTHERS.contains(&title);
            let files = case.sections.iter().filter(|section| is_file(&section.title));
            let files = files.map(|section| (section.title.clone(), section.text.clone())).collect();
            trees.push(Tree { name: case.name.clone(), files, dialect: Dialect::terraform() });
        }
    }
    for (name, dialect) in [
        ("infrastructure", Dialect::terraform()),
        ("terraform", Dialect::terraform()),
        ("provider", Dialect::terraform()),
        ("packer", Dialect::packer()),
    ] {
        let mut files = Vec::new();
        add_files(&root.join("examples").join(name), "", &mut files);
        trees.push(Tree { name: name.to_owned(), files, dialect });
    }
    trees
}

fn add_files(directory: &Path, prefix: &str, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            add_files(&entry.path(), &format!("{name}/"), files);
        } else if let Ok(text) = fs::read_to_string(entry.path()) {
            files.push((name, text));
        }
    }
}

impl Tree {
    fn load(&self) -> Module {
        let files: Memory = self.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        ModuleLoader::new(self.dialect.clone()).with_files(files).load()
    }

    /// The names of the files of a module.
    fn names(&self, directory: &str) -> Vec<Names> {
        let is_own =
            |path: &&(String, String)| parent(&path.0) == directory && self.dialect.is_module_file(&path.0);
        let files = self.files.iter().filter(is_own);
        let names = |(path, text): &(String, String)| {
            let source = Source::new(path.as_str(), text.as_str());
            let is_json = Path::new(path).extension().is_some_and(|extension| extension == "json");
            let document = if is_json {
                Document::parse_json(source)
            } else {
                Document::parse(source, StartSymbol::Config)
            };
            Names::in_language(&document, Some(self.dialect.clone()))
        };
        files.map(names).collect()
    }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// A module of a tree: its files, and its declarations in the graph.
struct Scope<'t> {
    tree: &'t Tree,
    graph: &'t Graph,
    files: Vec<Names>,
    /// The number of the call, and of the declarations.
    call: Option<usize>,
    nodes: Vec<usize>,
}

impl<'t> Scope<'t> {
    fn all(tree: &'t Tree, graph: &'t Graph) -> Vec<Self> {
        let calls: BTreeSet<Option<usize>> = (0..graph.len()).map(|at| graph.node(at).call()).collect();
        let of = |call: Option<usize>| {
            let nodes: Vec<usize> = (0..graph.len()).filter(|at| graph.node(*at).call() == call).collect();
            let directory = parent(graph.node(nodes[0]).place().source.name());
            Self { tree, graph, files: tree.names(directory), call, nodes }
        };
        calls.into_iter().map(of).collect()
    }

    /// The address of a declaration in its module, as in a file.
    fn address(&self, node: usize) -> String {
        let full = self.graph.node(node).address().to_string();
        // Expressions refer to a configuration of a provider without `provider`.
        if let Some((_, name)) = full.rsplit_once("provider.").filter(|_| self.is_provider(node)) {
            return name.to_owned();
        }
        let Some(call) = self.call else { return full };
        let own = full[self.graph.node(call).address().to_string().len() + 1..].to_owned();
        if self.graph.node(node).role() == "result" { format!("output.{own}") } else { own }
    }

    fn is_provider(&self, node: usize) -> bool {
        self.graph.node(node).role() == "settings"
    }

    /// The built-in provider has the name of a root that the program defines, which uses take it for: `terraform.workspace` is no
    /// provider.
    fn is_hidden(&self, node: usize) -> bool {
        self.is_provider(node) && self.graph.node(node).address().to_string().contains("provider.terraform.")
    }

    fn declared(&self, address: &str) -> Option<usize> {
        self.nodes.iter().copied().find(|node| self.address(*node) == address)
    }

    fn is_in(&self, file: &Names, span: Span, node: usize) -> bool {
        let place = self.graph.node(node).place();
        place.source.name() == file.document().source().name()
            && place.span.start <= span.start
            && span.end <= place.span.end
    }

    /// The declarations of the module that a call calls.
    fn called(&self, call: usize) -> impl Iterator<Item = usize> {
        (0..self.graph.len()).filter(move |at| self.graph.node(*at).call() == Some(call))
    }

    /// What a declaration refers to, with what its arguments refer to.
    fn references(&self, node: usize) -> BTreeSet<usize> {
        let is_here = |to: &usize| {
            let to = self.graph.node(*to);
            to.call() == self.call
                || to.role() == "result" && to.call().is_some_and(|call| self.nodes.contains(&call))
        };
        let inputs = self.called(node).filter(|input| self.graph.node(*input).role() == "input");
        let arguments = inputs.flat_map(|input| self.graph.references(input));
        self.graph.references(node).into_iter().chain(arguments.filter(is_here)).collect()
    }

    /// Each reference of a file is one of the graph.
    fn uses_are_references(&self, counts: &mut Counts, wrong: &mut Vec<String>) {
        for file in &self.files {
            for found in file.uses().iter().filter(|found| found.kind == OccurrenceKind::Reference) {
                let Some(address) = &found.address else { continue };
                // Only callers refer to results.
                let Some(to) = self.declared(address).filter(|_| !address.starts_with("output.")) else {
                    continue;
                };
                // Sources and defaults are read before there is a graph.
                let at = file.occurrences(&address.parse().unwrap());
                let at = at.iter().find(|other| other.span.start == found.span.start);
                if at.is_some_and(|at| [".source", ".default"].iter().any(|end| at.address.ends_with(end))) {
                    continue;
                }
                // In JSON, blocks of one type begin at the same place.
                let around = self.nodes.iter().copied().filter(|node| self.is_in(file, found.span, *node));
                if let Some(from) = around.min_by_key(|node| self.graph.node(*node).place().span.end) {
                    counts.uses += 1;
                    if from != to && !self.references(from).contains(&to) {
                        wrong.push(format!(
                            "{}: {} uses {address}, says the file",
                            self.tree.name,
                            self.address(from)
                        ));
                    }
                }
            }
        }
    }

    /// Each reference of the graph is one of a file. A declaration that refers to all results of a call has a reference to none
    /// of them.
    fn references_are_uses(&self, counts: &mut Counts, wrong: &mut Vec<String>) {
        // An input of a called module refers to what the argument refers to.
        let is_argument = |from: &usize| self.call.is_some() && self.graph.node(*from).role() == "input";
        for from in self.nodes.iter().copied().filter(|from| !is_argument(from)) {
            for to in self.references(from).into_iter().filter(|to| !self.is_hidden(*to)) {
                let target = self.graph.node(to);
                let call = if target.call() == self.call { None } else { target.call() };
                let address = self.address(call.unwrap_or(to));
                counts.references += 1;
                let is_found = |file: &Names| {
                    let is_override = self.tree.dialect.is_override(file.document().source().name());
                    let is_here = |span| is_override || self.is_in(file, span, from);
                    let spans = |to: usize| -> Vec<Span> {
                        let result = self.graph.node(to).address().to_string();
                        let name = result.rsplit('.').next().unwrap();
                        let symbol: Symbol = format!("{address}.{name}").parse().unwrap();
                        file.occurrences(&symbol).iter().map(|found| found.span).collect()
                    };
                    let mut uses = file.uses();
                    uses.retain(|found| found.address.as_deref() == Some(&address) && is_here(found.span));
                    let Some(call) = call else { return !uses.is_empty() };
                    let results = self.called(call).filter(|to| self.graph.node(*to).role() == "result");
                    let others: Vec<Span> = results.filter(|other| *other != to).flat_map(spans).collect();
                    // A splat or a loop refers to all results.
                    let is_of = |found: Span, own: &Span| own.start == found.start && own.end <= found.end;
                    uses.iter().any(|found| !others.iter().any(|own| is_of(found.span, own)))
                };
                if !self.files.iter().any(is_found) {
                    let target = target.address();
                    wrong.push(format!(
                        "{}: {} uses {target}, says the graph",
                        self.tree.name,
                        self.address(from)
                    ));
                }
            }
        }
    }

    /// The occurrences of a name are its uses, and renaming changes exactly these.
    fn renaming_changes_uses(&self, counts: &mut Counts, wrong: &mut Vec<String>) {
        for &node in &self.nodes {
            let address = self.address(node);
            // A configuration without an alias has no name.
            if self.is_provider(node) && (!address.contains('.') || self.is_hidden(node)) {
                continue;
            }
            let Ok(symbol) = address.parse::<Symbol>() else { continue };
            for file in &self.files {
                let occurrences = file.occurrences(&symbol);
                let is_reference = |kind| kind != OccurrenceKind::Declaration;
                let occurrences: Vec<u32> = occurrences
                    .iter()
                    .filter(|found| is_reference(found.kind))
                    .map(|found| found.span.start)
                    .collect();
                let uses = file.uses();
                let uses = uses.iter().filter(|found| found.address.as_deref() == Some(&address));
                let uses: Vec<u32> = uses.map(|found| found.span.start).collect();
                if occurrences != uses {
                    wrong.push(format!("{}: {address} at {occurrences:?}, or at {uses:?}", self.tree.name));
                }
            }
            let renamed = match rename(&self.files, &symbol, "renamed", false) {
                Ok(renamed) => renamed,
                Err(error) => {
                    wrong.push(format!("{}: {address}: {error}", self.tree.name));
                    continue;
                }
            };
            counts.renamed += 1;
            let new = symbol.with_name("renamed").unwrap().to_string();
            for (before, after) in self.files.iter().zip(renamed) {
                let Some(after) = after else { continue };
                let after = Names::in_language(&after, Some(self.tree.dialect.clone()));
                let is_history = |found: &&hclkit::refactor::NameUse| found.kind == OccurrenceKind::History;
                let expected = before
                    .uses()
                    .iter()
                    .filter(|found| !is_history(found))
                    .map(|found| match &found.address {
                        Some(own) if *own == address => Some(new.clone()),
                        other => other.clone(),
                    })
                    .collect::<Vec<_>>();
                let found: Vec<_> = after
                    .uses()
                    .iter()
                    .filter(|found| !is_history(found))
                    .map(|found| found.address.clone())
                    .collect();
                if expected != found {
                    wrong.push(format!(
                        "{}: renaming {address} gives {found:?}, not {expected:?}",
                        self.tree.name
                    ));
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    uses: usize,
    references: usize,
    renamed: usize,
    explained: usize,
}

/// What explanations lead to is what the graph leads to.
fn explanations_follow_references(
    tree: &Tree,
    module: &Module,
    graph: &Graph,
    counts: &mut Counts,
    wrong: &mut Vec<String>,
) {
    let found = module.explain(&[]);
    let is_declared = |address: &module::Address| address.kind() != module::AddressKind::Other;
    for derivation in found.all.iter().filter(|derivation| is_declared(&derivation.address)) {
        let Some(from) = graph.find(&derivation.address) else {
            wrong.push(format!("{}: {} is not in the graph", tree.name, derivation.address));
            continue;
        };
        for used in derivation.uses.iter().filter(|used| is_declared(used)) {
            counts.explained += 1;
            let to = graph.find(used);
            let is_known = to.is_some_and(|to| {
                to == from || graph.references(from).contains(&to) || graph.node(to).call() == Some(from)
            });
            if !is_known {
                wrong
                    .push(format!("{}: {} uses {used}, says the explanation", tree.name, derivation.address));
            }
        }
    }
}

#[test]
fn all_agree_what_a_reference_means() {
    let (mut counts, mut wrong) = (Counts::default(), Vec::new());
    for tree in trees() {
        let module = tree.load();
        let graph = module.graph();
        for scope in Scope::all(&tree, &graph) {
            scope.uses_are_references(&mut counts, &mut wrong);
            scope.references_are_uses(&mut counts, &mut wrong);
            scope.renaming_changes_uses(&mut counts, &mut wrong);
        }
        explanations_follow_references(&tree, &module, &graph, &mut counts, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}\n{counts:?}, {} differ", wrong.join("\n"), wrong.len());
    let Counts { uses, references, renamed, explained } = counts;
    assert!(uses.min(references).min(renamed).min(explained) > 2_000, "{counts:?}");
}
