//! The references between names, found in the source without evaluation.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt::Write as _;
use std::sync::Arc;

use hclkit_model::{Expression, Target, Traversal};
use hclkit_syntax::{Diagnostic, Place, Span};
use hclkit_value::Name;

use crate::config::{Config, Content, Item, address};
use crate::language::Role;

/// The declarations of a module and of the modules that it calls, and the references between them. All instances of a
/// block are one node.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Graph {
    /// The declarations.
    pub nodes: Vec<GraphNode>,
    /// References as pairs of indices of declarations, from and to, in order.
    pub edges: BTreeSet<(usize, usize)>,
    pub(crate) by_address: HashMap<String, usize>,
}

/// A declaration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GraphNode {
    /// The address, such as `module.net.local.cidr`.
    pub address: String,
    /// The role of its block in the language, such as `input` or `object`.
    pub role: &'static str,
    /// Where it is declared.
    pub place: Place,
}

impl Graph {
    pub(crate) fn of(root: &Arc<Config>) -> Graph {
        let mut building = Building::default();
        building.module(root, "", None);
        building.connect();
        building.graph
    }

    /// Returns the shortest chain of references from one of several declarations to another declaration, including
    /// both.
    pub fn chain(&self, from: &[usize], to: usize) -> Option<Vec<usize>> {
        self.paths(from).to(to)
    }

    /// The shortest chains of references from some declarations to all others.
    pub(crate) fn paths(&self, from: &[usize]) -> Paths {
        let mut before: HashMap<usize, Option<usize>> = from.iter().map(|start| (*start, None)).collect();
        let mut open: VecDeque<usize> = from.iter().copied().collect();
        while let Some(node) = open.pop_front() {
            for (_, next) in self.edges.range((node, 0)..(node + 1, 0)) {
                if !before.contains_key(next) {
                    before.insert(*next, Some(node));
                    open.push_back(*next);
                }
            }
        }
        Paths(before)
    }

    /// Returns the declaration that contains the place of a diagnostic.
    pub(crate) fn around(&self, found: &Diagnostic) -> Option<usize> {
        let (source, span) = (found.source()?, found.span());
        self.nodes.iter().position(|node| {
            let own = node.place.span;
            Arc::ptr_eq(&node.place.source, source) && own.start <= span.start && span.end <= own.end
        })
    }

    /// Returns the declarations at an address and below it.
    pub fn at(&self, address: &str) -> Vec<usize> {
        let below = |own: &str| {
            own.strip_prefix(address).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        (0..self.nodes.len()).filter(|at| below(&self.nodes[*at].address)).collect()
    }

    /// Returns the declarations whose address is the longest prefix of an address. Keys of instances are skipped.
    pub(crate) fn leading_to(&self, address: &str) -> Vec<usize> {
        let bare = without_keys(address);
        let found = prefixes(&bare).rev().find_map(|prefix| self.by_address.get(prefix).copied());
        found.into_iter().collect()
    }

    /// Returns the graph in the language of Graphviz.
    pub fn to_dot(&self) -> String {
        let mut text = "digraph {\n  rankdir = LR\n  node [shape = box]\n".to_owned();
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        for node in &self.nodes {
            let _ = writeln!(text, "  {}", quoted(&node.address));
        }
        for (from, to) in &self.edges {
            let (from, to) = (&self.nodes[*from].address, &self.nodes[*to].address);
            let _ = writeln!(text, "  {} -> {}", quoted(from), quoted(to));
        }
        text.push_str("}\n");
        text
    }

    /// Returns the graph as a Mermaid flowchart.
    pub fn to_mermaid(&self) -> String {
        let mut text = "flowchart LR\n".to_owned();
        for (at, node) in self.nodes.iter().enumerate() {
            let _ = writeln!(text, "  n{at}[\"{}\"]", node.address.replace('"', "#quot;"));
        }
        for (from, to) in &self.edges {
            let _ = writeln!(text, "  n{from} --> n{to}");
        }
        text
    }
}

/// The prefixes of an address that may be addresses, including the address itself, shortest first.
fn prefixes(address: &str) -> impl DoubleEndedIterator<Item = &str> {
    let ends: Vec<usize> = address.match_indices(['.', '[']).map(|(at, _)| at).collect();
    ends.into_iter().chain([address.len()]).map(|end| &address[..end])
}

/// The shortest chains from some declarations: for each declaration that they lead to, the previous one.
pub(crate) struct Paths(HashMap<usize, Option<usize>>);

impl Paths {
    /// The chain to a declaration, including both ends.
    pub(crate) fn to(&self, node: usize) -> Option<Vec<usize>> {
        let mut chain = vec![node];
        let mut before = self.0.get(&node)?;
        while let Some(node) = before {
            chain.push(*node);
            before = self.0.get(node)?;
        }
        chain.reverse();
        Some(chain)
    }
}

/// An address without brackets and their contents.
pub(crate) fn without_keys(address: &str) -> String {
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

#[derive(Default)]
struct Building {
    graph: Graph,
    /// The nodes of each module, by their addresses in it.
    modules: Vec<HashMap<Vec<Name>, Vec<usize>>>,
    /// The references of nodes, each in a module.
    references: Vec<(usize, usize, Vec<Traversal>)>,
}

/// The references in an expression, with those of nested blocks.
fn references<'e>(expressions: impl IntoIterator<Item = &'e Expression>) -> Vec<Traversal> {
    expressions.into_iter().flat_map(Expression::variables).collect()
}

impl Building {
    /// Adds a module. Its variables refer to what the arguments of its call refer to.
    fn module(&mut self, config: &Arc<Config>, prefix: &str, call: Option<(usize, &Item)>) {
        let module = self.modules.len();
        self.modules.push(HashMap::new());
        for (at, item) in config.items.iter().enumerate() {
            let own = if prefix.is_empty() || item.rule.role != Role::Result {
                format!("{prefix}{}", address(&item.address))
            } else {
                format!("{prefix}{}", item.own_name())
            };
            if item.address.is_empty() || item.rule.role == Role::Settings {
                continue;
            }
            let whole = Span::new(item.block.type_span.start, item.block.close_span.end);
            let place = Place::new(&item.block.source, whole);
            let node = self.node(own.clone(), item.rule.role, place);
            self.modules[module].insert(item.address.clone(), vec![node]);
            if !item.also.is_empty() {
                self.modules[module].insert(item.also.clone(), vec![node]);
            }
            self.references.push((module, node, references(item.expressions())));
            match (&item.content, call) {
                (Content::Input(_), Some((caller, call))) => {
                    let Content::Call(arguments) = &call.content else { continue };
                    let argument = arguments.argument(item.own_name());
                    self.references.push((caller, node, references(argument.map(|it| &it.expression))));
                }
                (Content::Call(inner), _) => {
                    if let Some(called) = &inner.config {
                        let below = self.modules.len();
                        let config_item = &config.items[at];
                        hclkit_limits::with_room(|| {
                            self.module(called, &format!("{own}."), Some((module, config_item)));
                        });
                        self.results(module, below, called, item, node);
                    }
                }
                _ => {}
            }
        }
        for named in &config.values {
            let place = Place::new(&named.attribute.source, named.attribute.span);
            let node = self.node(format!("{prefix}{}", address(&named.address)), Role::Values, place);
            self.modules[module].insert(named.address.clone(), vec![node]);
            self.references.push((module, node, references([&named.attribute.expression])));
        }
    }

    /// A reference to a call leads to the results of the module, too.
    fn results(&mut self, module: usize, below: usize, called: &Config, call: &Item, node: usize) {
        let mut all = vec![node];
        for result in called.items.iter().filter(|item| item.rule.role == Role::Result) {
            let nodes = self.modules[below].get(&result.address).cloned().unwrap_or_default();
            all.extend(&nodes);
            let mut path = call.address.clone();
            path.push(Name::from(result.own_name()));
            self.modules[module].insert(path, [vec![node], nodes].concat());
        }
        self.modules[module].insert(call.address.clone(), all);
    }

    fn node(&mut self, address: String, role: Role, place: Place) -> usize {
        let node = self.graph.nodes.len();
        self.graph.by_address.insert(address.clone(), node);
        self.graph.nodes.push(GraphNode { address, role: role.as_str(), place });
        node
    }

    fn connect(&mut self) {
        for (module, node, references) in std::mem::take(&mut self.references) {
            for reference in references {
                for to in self.find(module, &reference) {
                    self.graph.edges.insert((node, to));
                }
            }
        }
    }

    /// The declaration that a reference leads to: the one with the longest matching address. Keys of instances are
    /// skipped.
    fn find(&self, module: usize, reference: &Traversal) -> Vec<usize> {
        let mut path = vec![reference.root.clone()];
        path.extend(reference.steps.iter().filter_map(|step| match &step.target {
            Target::Attribute(name) => Some(name.clone()),
            Target::Element(_) => None,
        }));
        let names = &self.modules[module];
        let found = (1..=path.len()).rev().find_map(|length| names.get(&path[..length]));
        found.cloned().unwrap_or_default()
    }
}

impl Item {
    /// All expressions of the block that are evaluated.
    pub(crate) fn expressions(&self) -> Vec<&Expression> {
        let mut all: Vec<&Expression> = self.repetition.iter().map(|(_, expression)| expression).collect();
        match &self.content {
            Content::Output(output) => all.extend(&output.value),
            Content::Object(shape) | Content::Settings(shape) => all.extend(shape.expressions()),
            Content::Call(call) if call.config.is_none() => {
                all.extend(call.arguments.iter().map(|argument| &argument.expression));
            }
            Content::Input(_) | Content::Call(_) | Content::Check => {}
        }
        for condition in &self.conditions {
            all.push(&condition.expression);
            all.extend(&condition.message);
        }
        all
    }
}
