//! Why values are unknown: what they depend on that only a provider, another module or the caller knows.

use std::collections::HashSet;

use hclkit_limits::Meter;

use crate::graph::{Graph, without_keys};
use crate::module::Found;

/// Why the values of a module are unknown.
#[derive(Debug)]
pub struct Reasons {
    graph: Graph,
    /// The addresses of values that are not wholly known, without keys of instances.
    unknown: HashSet<String>,
    /// The declarations below which there are others.
    parents: HashSet<usize>,
}

impl Reasons {
    pub(crate) fn new(graph: Graph, values: &[Found]) -> Reasons {
        let unknown = values.iter().filter(|found| !found.value.is_wholly_known());
        let unknown = unknown.map(|found| without_keys(&found.address)).collect();
        let parents = graph.parents();
        Reasons { graph, unknown, parents }
    }

    /// The declarations that make the value at an address unknown, each with the reason in words. Empty if it does not depend on
    /// others, because a provider sets it. Past the limits of the thread, they are not complete.
    pub fn of(&self, address: &str) -> Vec<String> {
        let start = self.graph.leading_to(address);
        let mut reasons = Vec::new();
        let (mut open, mut seen) = (start.clone(), start.iter().copied().collect::<HashSet<_>>());
        let meter = Meter::current();
        while let Some(node) = open.pop() {
            let reason = self.reason(node).filter(|_| !start.contains(&node));
            let reason = reason.map(|why| format!("{} ({why})", self.graph.nodes[node].address));
            let text = reason.as_ref().map_or(0, String::len);
            if meter.take_steps(1).and_then(|()| meter.take_bytes(text)).is_err() {
                reasons.push("more (there are too many references to follow)".to_owned());
                break;
            }
            if let Some(reason) = reason {
                reasons.push(reason);
            } else {
                let next = self.graph.edges.range((node, 0)..(node + 1, 0)).map(|(_, next)| *next);
                open.extend(next.filter(|next| seen.insert(*next)));
            }
        }
        reasons.sort();
        reasons
    }

    /// Why the value of a declaration is unknown by itself.
    fn reason(&self, node: usize) -> Option<&'static str> {
        let own = &self.graph.nodes[node];
        let refers = self.graph.edges.range((node, 0)..(node + 1, 0)).next().is_some();
        match own.role {
            // Its other attributes are unknown even if those that are configured are known.
            "object" => Some("a provider sets its other attributes"),
            "input" if !refers && self.unknown.contains(&own.address) => Some("it has no value"),
            "call" if !self.parents.contains(&node) => Some("its module is not in a local directory"),
            _ => None,
        }
    }
}
