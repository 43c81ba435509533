//! Cycles of references between the declarations of a directory. Terraform refuses them whatever the values are: what `depends_on`,
//! imports, provisioners, connections, conditions and validations refer to counts, too. A reference to a result of a module is one to the
//! arguments for the inputs that the result depends on, and a reference to the whole module is one to all of its arguments. What a
//! result of a module depends on that is not available is not known, and no cycle goes through it.

use std::collections::{HashMap, HashSet, VecDeque};

use hclkit_dialect::Statement;
use hclkit_limits::{Meter, with_room};
use hclkit_model::{Expression, Target, Traversal};
use hclkit_syntax::{Diagnostics, Place};
use hclkit_value::Name;

use super::{Call, Config, Content, Declaration, Item, Referent};
use crate::unevaluated::{TO, quoted_references, written_address};
use crate::{messages, step};

/// The cycles of a directory, and its graph, which callers need.
#[derive(Debug)]
pub(crate) struct Cycles {
    /// The nodes of each cycle.
    found: Vec<Vec<Node>>,
    /// The nodes that each node refers to. Those of items come first.
    edges: Vec<Vec<usize>>,
}

/// How many nodes are visited in about the time of an evaluation.
const VISITED_STEP: u64 = 16;

/// A vertex of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Item(usize),
    Value(usize),
    /// An argument of a call, which is an input of the called module.
    Argument {
        call: usize,
        argument: usize,
    },
    /// All that is in the module of a call.
    Whole(usize),
    /// The arguments of a call that some of its results depend on: those with a node in the module as their source.
    Inputs {
        call: usize,
        source: usize,
    },
}

impl Config {
    /// Reports each cycle of references.
    pub(crate) fn check_cycles(&self, diagnostics: &mut Diagnostics) {
        for nodes in &self.cycles().found {
            let names: Vec<String> = nodes.iter().map(|node| self.name(*node)).collect();
            let place = nodes.first().map(|node| self.place(*node));
            diagnostics.extend(place.map(|place| messages::cycle(&names).at(place)));
        }
    }

    fn cycles(&self) -> &Cycles {
        self.cycles.get_or_init(|| with_room(|| Graph::of(self).cycles()))
    }

    /// The node that a result has its inputs from: the first one on the way that refers to several others or is an input.
    fn source_of(&self, result: usize) -> usize {
        let Cycles { edges, .. } = self.cycles();
        let mut at = result;
        for _ in 0..edges.len() {
            match &edges[at][..] {
                [only] if !self.is_input(at) => at = *only,
                _ => break,
            }
        }
        at
    }

    /// The inputs that a node depends on, by their items. They are incomplete if a limit is exceeded, which is reported.
    fn inputs_of(&self, source: usize) -> Vec<usize> {
        let Cycles { edges, .. } = self.cycles();
        let (mut found, mut seen, mut open) = (Vec::new(), vec![false; edges.len()], vec![source]);
        let meter = Meter::current();
        if meter.take_steps(edges.len() as u64 / VISITED_STEP + 1).is_err() {
            return found;
        }
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            if self.is_input(at) {
                found.push(at);
            }
            open.extend(edges[at].iter().copied().filter(|to| !seen[*to]));
        }
        found.sort_unstable();
        if meter.take_elements(found.len()).is_err() { Vec::new() } else { found }
    }

    /// The declaration of the object that an import is about.
    fn imported(&self, item: &Item) -> Option<usize> {
        if item.rule.statement != Some(Statement::Import) {
            return None;
        }
        let address = written_address(&item.block.body.attribute(TO)?.expression)?;
        let target = address.references().find_map(|reference| self.referent(reference));
        match target {
            Some(Referent::Own(Declaration::Item(at))) => Some(at),
            _ => None,
        }
    }

    fn is_input(&self, node: usize) -> bool {
        self.items.get(node).is_some_and(|item| matches!(item.content, Content::Input(_)))
    }

    fn name(&self, node: Node) -> String {
        match node {
            Node::Item(at) | Node::Whole(at) | Node::Inputs { call: at, .. } => {
                step::address(&self.items[at].address)
            }
            Node::Value(at) => step::address(&self.values[at].address),
            Node::Argument { call, argument } => {
                let item = &self.items[call];
                let Content::Call(own) = &item.content else { return String::new() };
                format!("{}.var.{}", step::address(&item.address), own.arguments[argument].name)
            }
        }
    }

    fn place(&self, node: Node) -> Place {
        match node {
            Node::Item(at) | Node::Whole(at) | Node::Inputs { call: at, .. } => self.items[at].place(),
            Node::Value(at) => {
                let attribute = &self.values[at].attribute;
                Place::new(&attribute.source, attribute.name_span)
            }
            Node::Argument { call, argument } => match &self.items[call].content {
                Content::Call(own) => {
                    let attribute = &own.arguments[argument];
                    Place::new(&attribute.source, attribute.name_span)
                }
                _ => self.items[call].place(),
            },
        }
    }
}

/// The graph of a directory.
struct Graph<'c> {
    config: &'c Config,
    nodes: Vec<Node>,
    /// The number of the first node that is neither an item nor a value, for each call.
    calls: HashMap<usize, usize>,
    /// The numbers of the nodes for the arguments that results depend on, which are the last ones.
    inputs: HashMap<(usize, usize), usize>,
    edges: Vec<Vec<usize>>,
}

impl<'c> Graph<'c> {
    fn of(config: &'c Config) -> Self {
        let mut nodes: Vec<Node> = (0..config.items.len()).map(Node::Item).collect();
        nodes.extend((0..config.values.len()).map(Node::Value));
        let mut calls = HashMap::new();
        for (at, item) in config.items.iter().enumerate() {
            if let Content::Call(call) = &item.content {
                calls.insert(at, nodes.len());
                nodes.push(Node::Whole(at));
                nodes.extend((0..call.arguments.len()).map(|argument| Node::Argument { call: at, argument }));
            }
        }
        let count = nodes.len();
        let mut graph = Self { config, edges: vec![Vec::new(); count], calls, inputs: HashMap::new(), nodes };
        for number in 0..count {
            let mut found = Vec::new();
            graph.references(graph.nodes[number], &mut found);
            // Conditions and provisioners refer to their own block.
            let is_argument = matches!(graph.nodes[number], Node::Argument { .. });
            let mut seen = HashSet::new();
            found.retain(|to| (*to != number || is_argument) && seen.insert(*to));
            graph.edges[number] = found;
        }
        for (number, item) in config.items.iter().enumerate() {
            // An object depends on what its import refers to.
            if let Some(target) = config.imported(item) {
                let found: Vec<usize> =
                    graph.edges[number].iter().copied().filter(|to| *to != target).collect();
                graph.edges[target].extend(found);
            }
        }
        graph
    }

    fn number(&self, node: Node) -> usize {
        match node {
            Node::Item(at) => at,
            Node::Value(at) => self.config.items.len() + at,
            Node::Whole(call) => self.calls[&call],
            Node::Argument { call, argument } => self.calls[&call] + 1 + argument,
            Node::Inputs { call, source } => self.inputs[&(call, source)],
        }
    }

    fn references(&mut self, node: Node, found: &mut Vec<usize>) {
        match node {
            Node::Item(at) => {
                let item = &self.config.items[at];
                item.each_expression_of_block(&mut |expression, bound| self.all(expression, bound, found));
                let quoted = quoted_references(item);
                for reference in &quoted {
                    self.reference(reference, found);
                }
            }
            Node::Value(at) => self.all(&self.config.values[at].attribute.expression, &[], found),
            Node::Argument { call, argument } => {
                found.push(call);
                if let Content::Call(own) = &self.config.items[call].content {
                    self.all(&own.arguments[argument].expression, &[], found);
                }
            }
            Node::Whole(call) => {
                found.push(call);
                if let Content::Call(own) = &self.config.items[call].content {
                    let all = (0..own.arguments.len()).map(|argument| Node::Argument { call, argument });
                    found.extend(all.map(|node| self.number(node)));
                }
            }
            // It is made with its references.
            Node::Inputs { .. } => {}
        }
    }

    fn all(&mut self, expression: &Expression, bound: &[Name], found: &mut Vec<usize>) {
        for reference in expression.references().filter(|own| !bound.contains(&own.root)) {
            self.reference(reference, found);
        }
    }

    fn reference(&mut self, reference: &Traversal, found: &mut Vec<usize>) {
        match self.config.referent(reference) {
            Some(Referent::Own(Declaration::Item(at))) => found.push(self.number(Node::Item(at))),
            Some(Referent::Own(Declaration::Value(at))) => found.push(self.number(Node::Value(at))),
            Some(Referent::Result { call, result }) => {
                found.push(self.number(Node::Item(call)));
                found.extend(self.inputs(call, result));
            }
            Some(Referent::Results { call }) => {
                let is_whole = is_whole(&self.config.items[call], reference);
                found.push(self.number(if is_whole { Node::Whole(call) } else { Node::Item(call) }));
            }
            None => {}
        }
    }

    /// The node for the arguments that a result depends on.
    fn inputs(&mut self, call: usize, result: usize) -> Option<usize> {
        let Content::Call(Call { config: Some(called), .. }) = &self.config.items[call].content else {
            return None;
        };
        let source = called.source_of(result);
        if let Some(number) = self.inputs.get(&(call, source)) {
            return Some(*number);
        }
        let arguments = self.arguments(call);
        let inputs = called.inputs_of(source);
        let names = inputs.iter().map(|input| called.items[*input].own_name());
        let edges = names.filter_map(|name| arguments.get(name).copied()).collect();
        let number = self.nodes.len();
        self.nodes.push(Node::Inputs { call, source });
        self.edges.push(edges);
        self.inputs.insert((call, source), number);
        Some(number)
    }

    /// The nodes of the arguments of a call.
    fn arguments(&self, call: usize) -> HashMap<&'c str, usize> {
        let Content::Call(own) = &self.config.items[call].content else { return HashMap::new() };
        let number = |argument| self.number(Node::Argument { call, argument });
        own.arguments.iter().enumerate().map(|(at, own)| (own.name.as_str(), number(at))).collect()
    }

    fn cycles(self) -> Cycles {
        let is_cycle =
            |component: &Vec<usize>| component.len() > 1 || self.edges[component[0]].contains(&component[0]);
        let components = components(&self.edges);
        let mut found: Vec<Vec<Node>> =
            components.iter().filter(|own| is_cycle(own)).map(|own| self.shortest(own)).collect();
        found.sort_by_key(|nodes| nodes.first().map(|node| self.number(*node)));
        Cycles { found, edges: self.edges }
    }

    /// The shortest cycle through the first node of a component.
    fn shortest(&self, component: &[usize]) -> Vec<Node> {
        let own: HashSet<usize> = component.iter().copied().collect();
        let Some(first) = component.iter().copied().min() else { return Vec::new() };
        let mut before: HashMap<usize, usize> = HashMap::new();
        let mut open = VecDeque::from([first]);
        while let Some(number) = open.pop_front() {
            for to in self.edges[number].iter().copied().filter(|to| own.contains(to)) {
                if to == first {
                    let mut path = vec![number];
                    while let Some(previous) = path.last().and_then(|last| before.get(last)) {
                        path.push(*previous);
                    }
                    let path = path.iter().rev().map(|number| self.nodes[*number]);
                    return path.filter(|node| !matches!(node, Node::Inputs { .. })).collect();
                }
                if to != first && !before.contains_key(&to) {
                    before.insert(to, number);
                    open.push_back(to);
                }
            }
        }
        component.iter().map(|number| self.nodes[*number]).collect()
    }
}

/// Whether a reference is to all that a call has: without the name of a result.
fn is_whole(call: &Item, reference: &Traversal) -> bool {
    let mut steps = reference.steps[call.address.len() - 1..].iter().map(|step| &step.target).peekable();
    steps.next_if(
        |target| matches!(target, Target::Element(key) if call.has_keys() || key.as_str().is_none()),
    );
    steps.next().is_none()
}

/// The strongly connected components of a graph, each after those that it leads to: Tarjan's algorithm without recursion.
fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let (mut index, mut low) = (vec![NEW; edges.len()], vec![0; edges.len()]);
    let (mut stack, mut on_stack) = (Vec::new(), vec![false; edges.len()]);
    let (mut found, mut next) = (Vec::new(), 0);
    for start in 0..edges.len() {
        let mut calls = if index[start] == NEW { vec![(start, 0)] } else { Vec::new() };
        while let Some((node, edge)) = calls.pop() {
            if edge == 0 {
                (index[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            } else {
                // The edge before was followed.
                low[node] = low[node].min(low[edges[node][edge - 1]]);
            }
            let mut at = edge;
            let mut follows = None;
            while let Some(to) = edges[node].get(at) {
                at += 1;
                if index[*to] == NEW {
                    follows = Some(*to);
                    break;
                }
                if on_stack[*to] {
                    low[node] = low[node].min(index[*to]);
                }
            }
            if let Some(to) = follows {
                calls.push((node, at));
                calls.push((to, 0));
                continue;
            }
            if low[node] == index[node] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::components;

    /// Two nodes are in one component if each leads to the other.
    #[test]
    fn random_components() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..500 {
            let count = random.usize(1..9);
            let edges: Vec<Vec<usize>> = (0..count)
                .map(|_| (0..random.usize(0..4)).map(|_| random.usize(0..count)).collect())
                .collect();
            let mut leads = vec![vec![false; count]; count];
            for (from, all) in edges.iter().enumerate() {
                leads[from][from] = true;
                for to in all {
                    leads[from][*to] = true;
                }
            }
            for by in 0..count {
                for from in 0..count {
                    for to in 0..count {
                        leads[from][to] |= leads[from][by] && leads[by][to];
                    }
                }
            }
            let found = components(&edges);
            let mut seen = vec![None; count];
            for (number, component) in found.iter().enumerate() {
                for node in component {
                    seen[*node] = Some(number);
                }
            }
            for from in 0..count {
                for to in 0..count {
                    let together = leads[from][to] && leads[to][from];
                    assert_eq!(seen[from] == seen[to], together, "{edges:?}: {found:?}");
                    assert!(!leads[from][to] || seen[to] <= seen[from], "{edges:?}: {found:?}");
                }
            }
        }
    }
}
