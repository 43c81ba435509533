//! `hcl graph`: the references between the names of a module or of Bake files.

use hclkit::Diagnostics;
use hclkit::convert::Json;
use hclkit::functions::{Grants, Library};
use hclkit::module::{Bake, Graph, ModuleLoader};

use crate::args::{self, Format, GraphOutput, Spacing};
use crate::bake::{self, Files};
use crate::module;
use crate::output::{Failure, Outcome, print_bytes, write_json};
use crate::report::write_report;
use crate::scope::{Halt, outcome_of};

pub(crate) fn run(command: &args::Graph) -> Result<Outcome, Failure> {
    let (diagnostics, outcome) = outcome_of(graph(command), Diagnostics::new())?;
    write_report(Format::Human, Spacing::default(), 0, &diagnostics, |_| None)?;
    Ok(outcome)
}

fn graph(command: &args::Graph) -> Result<(), Halt> {
    let path = command.directory.as_deref().unwrap_or(".");
    let (graph, diagnostics) = if bake::is_bake(Some(path), command.module.language.as_deref()) {
        bake::read(Bake::new().with_functions(Library::Bake.functions(&Grants::new())), Files::at(path))?
            .graph()
    } else {
        let place = module::required_place(path, &command.module)?;
        let language = module::language(&place, &command.module)?;
        let module = module::files(ModuleLoader::new(language), &place).load();
        (module.graph(), module.diagnostics())
    };
    match command.output {
        GraphOutput::Dot => print_bytes(graph.to_dot().as_bytes())?,
        GraphOutput::Mermaid => print_bytes(graph.to_mermaid().as_bytes())?,
        GraphOutput::Json => {
            let mut text = Vec::new();
            write_json(&json(&graph), Spacing::default(), &mut text).map_err(Failure::from)?;
            print_bytes(&text)?;
        }
    }
    if diagnostics.has_errors() { Err(diagnostics.into()) } else { Ok(()) }
}

/// Nodes with their places, and edges between their addresses.
fn json(graph: &Graph) -> Json {
    let text = |text: &str| Json::String(text.to_owned());
    let object = |properties: Vec<(&str, Json)>| {
        Json::Object(properties.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    };
    let nodes = graph.nodes.iter().map(|node| {
        let position = node.place.source.position(node.place.span.start);
        object(vec![
            ("address", text(&node.address)),
            ("role", text(node.role)),
            ("file", text(node.place.source.name())),
            ("line", Json::Number(position.line.to_string())),
        ])
    });
    let edges = graph.edges.iter().map(|(from, to)| {
        let address = |node: usize| text(&graph.nodes[node].address);
        object(vec![("from", address(*from)), ("to", address(*to))])
    });
    object(vec![("nodes", Json::Array(nodes.collect())), ("edges", Json::Array(edges.collect()))])
}
