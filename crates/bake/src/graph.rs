//! The references between the variables, functions, targets and groups of Bake files.

use std::collections::HashMap;
use std::slice::from_ref;
use std::sync::Arc;

use hclkit_limits::Meter;
use hclkit_model::Expression;
use hclkit_syntax::{Diagnostics, Place};
use hclkit_value::Name;

use crate::Bake;
use crate::files::Files;
use crate::target::Declared;
use hclkit_module::Graph;
use hclkit_module::report_exceeded;
use hclkit_module::shared::Directory;

impl Bake {
    /// Returns the references between the variables, functions, targets and groups. All instances of a target are one node.
    /// Names of targets in `inherits`, `contexts` and `targets` are found with the values that variables have.
    ///
    /// ```
    /// use hclkit_bake::Bake;
    ///
    /// let text = "target \"base\" {\n}\ntarget \"app\" {\n  inherits = [\"base\"]\n}\n";
    /// let (graph, _) = Bake::new().with_file("docker-bake.hcl", text).graph();
    /// let app = graph.find("target.app").unwrap();
    /// assert_eq!(graph.references(app), [graph.find("target.base").unwrap()]);
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
            node(&mut graph, from_ref(name), "input", &variable.place);
        }
        for (name, attribute) in &files.attributes {
            node(&mut graph, from_ref(name), "values", &Place::new(&attribute.source, attribute.span));
        }
        for definition in files.functions.values() {
            node(&mut graph, &function(&definition.name), "function", &definition.place);
        }
        for declared in &ready.blocks {
            node(&mut graph, &address(declared), "object", &declared.block.definition_place());
        }
        for (name, variable) in &files.variables {
            let own = variable.validations.iter();
            let own = own.flat_map(|(condition, message)| std::iter::once(condition).chain(message));
            connect(&mut graph, from_ref(name), variable.default.iter().chain(own), &named, &[]);
        }
        for (name, attribute) in &files.attributes {
            connect(&mut graph, from_ref(name), [&attribute.expression], &named, &[]);
        }
        for definition in files.functions.values() {
            let bound: Vec<&Name> = definition.parameters().collect();
            let from = function(&definition.name);
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

fn address(declared: &Declared) -> [Name; 2] {
    [declared.block.block_type.clone(), Name::from(&*declared.label)]
}

fn function(name: &str) -> [Name; 2] {
    [Name::from("function"), Name::from(name)]
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

fn node(graph: &mut Directory, address: &[Name], role: &'static str, place: &Place) {
    if graph.at(address).is_none() {
        graph.declare(address, address.join("."), role, place.clone());
    }
}

fn edge(graph: &mut Directory, from: &[Name], to: &[Name]) {
    if let (Some(from), Some(to)) = (graph.at(from), graph.at(to)) {
        graph.refer(from, to);
    }
}

fn edge_to_block(graph: &mut Directory, from: &[Name], to: &str, named: &Named<'_>) {
    if let Some(to) = named.get(to) {
        edge(graph, from, &address(to));
    }
}

/// Adds the references in expressions, other than those to bound names.
fn connect<'e>(
    graph: &mut Directory,
    from: &[Name],
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
                    if let Some(name) = reference.steps.first().and_then(|step| step.target.name()) {
                        edge_to_block(graph, from, name, named);
                    }
                }
                _ => edge(graph, from, from_ref(&reference.root)),
            }
        }
        for call in expression.calls() {
            edge(graph, from, &function(&call.name));
        }
    }
}
