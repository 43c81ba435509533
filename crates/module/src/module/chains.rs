//! The chain from a requested address to the declaration with an error, in the instance of its module that has the error.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use hclkit_model::Attribute;
use hclkit_syntax::{Diagnostic, Source, Span};
use hclkit_value::Name;

use super::{Evaluation, Module};
use crate::graph::Graph;
use crate::instance::{Instance, block_without_value, condition_path};
use crate::messages;
use crate::pattern::Pattern;
use crate::step::written;

/// The maximum number of instances in which errors are looked for.
const MOST: usize = 100_000;

impl Module {
    /// Adds to each error the requested address that depends on it.
    pub(super) fn add_chains(&self, patterns: &[Pattern], evaluation: &mut Evaluation) {
        let graph = self.graph();
        let asked: Vec<usize> = if patterns.is_empty() {
            graph.unused_results()
        } else {
            let exact = patterns.iter().filter(|pattern| pattern.is_exact()).map(Pattern::written);
            let found = evaluation.values.iter().map(|found| found.address.as_str().to_owned());
            let asked: BTreeSet<usize> =
                exact.chain(found).filter_map(|address| graph.find(&address)).collect();
            asked.into_iter().collect()
        };
        let paths = graph.paths(&asked);
        let mut failing = Failing::new(&self.root);
        evaluation.diagnostics.update(|found| {
            let node = failing.node(&graph, &found);
            // What depends on an argument is what depends on the input of the module.
            let node = node.map(|node| graph.input_at(node, &found).unwrap_or(node));
            let chain = node.and_then(|node| paths.to(node));
            match chain.as_deref() {
                Some([start, through @ .., _]) => {
                    let address = |node: usize| graph.node(node).address().to_string();
                    let place = graph.node(*start).place();
                    let through = through.iter().map(|node| address(*node));
                    let text = messages::needed_by(&address(*start), through);
                    found.with_related(&place.source, place.span, text)
                }
                _ => found,
            }
        });
    }
}

/// The instances of modules by their directories, to find those with errors.
struct Failing {
    instances: HashMap<*const crate::config::Config, Vec<Arc<Instance>>>,
    left: usize,
}

impl Failing {
    fn new(root: &Arc<Instance>) -> Self {
        let mut instances: HashMap<_, Vec<Arc<Instance>>> = HashMap::new();
        let mut open = vec![root.clone()];
        while let Some(instance) = open.pop() {
            let calls = (0..instance.config.items.len()).rev();
            open.extend(calls.flat_map(|at| instance.created(at).iter().rev().cloned()));
            instances.entry(Arc::as_ptr(&instance.config)).or_default().push(instance);
        }
        Self { instances, left: MOST }
    }

    /// The declaration with an error: that of the first instance in which its value has the error.
    fn node(&mut self, graph: &Graph, error: &Diagnostic) -> Option<usize> {
        let first = graph.around(error)?;
        let mut all = self.instances.values().filter(|all| all.len() > 1);
        let Some(all) = all.find(|all| !all[0].names_around(error).is_empty()) else { return Some(first) };
        let all = &all[..all.len().min(self.left)];
        self.left -= all.len();
        let Some(failing) = all.iter().find(|instance| instance.has_error(error)) else { return Some(first) };
        let name = graph.name(first);
        graph.find(&format!("{}.{name}", written(&failing.path))).or(Some(first))
    }
}

impl Instance {
    /// The names whose values can have an error, because it is in their declaration.
    fn names_around(&self, error: &Diagnostic) -> Vec<Vec<String>> {
        let Some(source) = error.source() else { return Vec::new() };
        let span = error.span();
        let contains =
            |own: &Arc<Source>, whole: Span| Arc::ptr_eq(own, source) && whole.cover(span) == whole;
        let path = |name: &[Name]| name.iter().map(ToString::to_string).collect();
        let of_value = |attribute: &Attribute| contains(&attribute.source, attribute.span);
        let values = self.config.values.iter().filter(|named| of_value(&named.attribute));
        let mut found: Vec<Vec<String>> = values.map(|named| path(&named.address)).collect();
        for (at, item) in self.config.items.iter().enumerate() {
            let block = &item.block;
            let whole = Span::new(block.type_span.start, block.close_span.end);
            if contains(&block.source, whole) {
                found.push(path(&item.address));
                found.push(block_without_value(at).to_vec());
                found.extend(
                    (0..item.conditions.len()).map(|condition| condition_path(at, condition).to_vec()),
                );
            }
        }
        found
    }

    fn has_error(&self, error: &Diagnostic) -> bool {
        self.names_around(error).iter().any(|name| {
            let name: Vec<&str> = name.iter().map(String::as_str).collect();
            let found = self.context.value_of(&name).map(|(_, found)| found);
            found.is_some_and(|found| {
                found.iter().any(|own| {
                    own.span() == error.span()
                        && own.summary() == error.summary()
                        && own.note() == error.note()
                        && own.source().map(Arc::as_ptr) == error.source().map(Arc::as_ptr)
                })
            })
        })
    }
}
