//! The references between the variables, functions, targets and groups of Bake files.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

use hclkit_limits::Meter;
use hclkit_model::{Descend, Expression, Target, Visitor};
use hclkit_syntax::{Diagnostics, Place};
use hclkit_value::Name;

use super::Bake;
use super::files::Files;
use super::target::Declared;
use crate::graph::{Directory, Graph};
use crate::module::report_exceeded;

impl Bake {
    /// Returns the references between the variables, functions, targets and groups. All instances of a target are one node.
    /// Names of targets in `inherits`, `contexts` and `targets` are found with the values that variables have.
    ///
    /// ```
    /// use hclkit_module::Bake;
    ///
    /// let text = "target \"base\" {\n}\ntarget \"app\" {\n  inherits = [\"base\"]\n}\n";
    /// let (graph, _) = Bake::new().with_file("docker-bake.hcl", text).graph();
    /// assert!(graph.to_dot().contains("\"target.app\" -> \"target.base\""));
    /// ```
    pub fn graph(&self) -> (Graph, Diagnostics) {
        let _operation = Meter::current().begin();
        let mut diagnostics = Diagnostics::new();
        let mut graph = Directory::default();
        let Some(bodies) = self.bodies(&mut diagnostics) else { return (Graph::default(), diagnostics) };
        let mut files = Files::read(self, &bodies, &mut diagnostics);
        // Errors in values leave out references, and other commands report them.
        let ready = files.prepare(&self.functions, &mut Diagnostics::new());
        let named = named(&ready.blocks);
        for (name, variable) in &files.variables {
            node(&mut graph, name, "input", &variable.place);
        }
        for (name, attribute) in &files.attributes {
            node(&mut graph, name, "values", &Place::new(&attribute.source, attribute.span));
        }
        for definition in files.functions.values() {
            node(&mut graph, &format!("function.{}", definition.name), "function", &definition.place);
        }
        for declared in &ready.blocks {
            node(&mut graph, &address(declared), "object", &declared.block.definition_place());
        }
        for (name, variable) in &files.variables {
            let own = variable.validations.iter();
            let own = own.flat_map(|(condition, message)| std::iter::once(condition).chain(message));
            connect(&mut graph, name, variable.default.iter().chain(own), &named, &[]);
        }
        for (name, attribute) in &files.attributes {
            connect(&mut graph, name, [&attribute.expression], &named, &[]);
        }
        for definition in files.functions.values() {
            let bound: Vec<&Name> = definition.parameters().collect();
            let from = format!("function.{}", definition.name);
            connect(&mut graph, &from, [&definition.result], &named, &bound);
        }
        for declared in &ready.blocks {
            let from = address(declared);
            let first = declared.instances.first();
            let bound: Vec<&Name> =
                first.into_iter().flat_map(|own| own.bound.iter().map(|(name, _)| name)).collect();
            connect(&mut graph, &from, declared.expressions(), &named, &bound);
            let Some(context) = ready.global.get() else { continue };
            for instance in &declared.instances {
                for (name, _) in declared.references(instance, context) {
                    edge_to_block(&mut graph, &from, &name, &named);
                }
            }
        }
        report_exceeded(&mut diagnostics);
        (graph.into(), diagnostics.distinct())
    }
}

fn address(declared: &Declared) -> String {
    format!("{}.{}", declared.block.block_type, declared.label)
}

/// The blocks that declare targets and groups, by the names of these. The label of a matrix is also a group.
type Named<'b> = HashMap<&'b str, &'b Declared>;

fn named(blocks: &[Arc<Declared>]) -> Named<'_> {
    let mut named = Named::new();
    for declared in blocks {
        let names = declared.instances.iter().map(|own| own.name.as_str()).chain([&*declared.label]);
        for name in names {
            named.entry(name).or_insert(declared);
        }
    }
    named
}

fn node(graph: &mut Directory, address: &str, role: &'static str, place: &Place) {
    if graph.named(address).is_none() {
        graph.declare(address.to_owned(), role, place.clone());
    }
}

fn edge(graph: &mut Directory, from: &str, to: &str) {
    if let (Some(from), Some(to)) = (graph.named(from), graph.named(to)) {
        graph.refer(from, to);
    }
}

fn edge_to_block(graph: &mut Directory, from: &str, to: &str, named: &Named<'_>) {
    if let Some(to) = named.get(to) {
        edge(graph, from, &address(to));
    }
}

/// Adds the references in expressions, other than those to bound names.
fn connect<'e>(
    graph: &mut Directory,
    from: &str,
    expressions: impl IntoIterator<Item = &'e Expression>,
    named: &Named<'_>,
    bound: &[&Name],
) {
    for expression in expressions {
        for reference in expression.variables() {
            if bound.contains(&&reference.root) {
                continue;
            }
            match reference.root.as_str() {
                "target" | "group" => {
                    let step = reference.steps.first().map(|step| &step.target);
                    let name = match step {
                        Some(Target::Attribute(name)) => Some(name.as_str()),
                        Some(Target::Element(key)) => key.as_str(),
                        None => None,
                    };
                    if let Some(name) = name {
                        edge_to_block(graph, from, name, named);
                    }
                }
                name => edge(graph, from, name),
            }
        }
        let mut calls = Calls::default();
        let Ok(()) = expression.visit(&mut calls);
        for name in calls.0 {
            edge(graph, from, &format!("function.{name}"));
        }
    }
}

/// The names of the functions that an expression calls.
#[derive(Default)]
struct Calls(Vec<String>);

impl Visitor for Calls {
    type Error = Infallible;

    fn expression(&mut self, expression: &Expression) -> Result<Descend, Infallible> {
        if let Ok(call) = expression.static_call() {
            self.0.push(call.name);
        }
        Ok(Descend::Inside)
    }
}
