//! Graphs of modules as text: the language of Graphviz, and Mermaid flowcharts. `graph/svg.rs` draws them as pictures, where
//! `graph/layout.rs` places the names.

mod layout;
mod svg;

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use hclkit_module::Graph;
use hclkit_syntax::{is_visible, visible_line};

pub use svg::write_svg_part;

/// Writes a text for a quoted string of Graphviz, which knows escapes and the character references of HTML.
fn dot(text: &str, out: &mut String) {
    for character in visible_line(text).chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '&' => out.push_str("&amp;"),
            _ => out.push(character),
        }
    }
}

/// The address of a declaration as a quoted string of Graphviz. One with invisible characters has its number in a second line,
/// because others may look the same.
fn quoted(graph: &Graph, number: usize) -> String {
    let (mut text, address) = (String::from("\""), graph.node(number).address().to_string());
    dot(&address, &mut text);
    if !address.chars().all(is_visible) {
        let _ = write!(text, "\\n{number}");
    }
    text + "\""
}

/// Writes a text for a quoted string of Mermaid, which can contain HTML, Markdown and codes such as `#35;`.
fn mermaid(text: &str, out: &mut String) {
    for character in visible_line(text).chars() {
        match character {
            '"' => out.push_str("#quot;"),
            // Other characters mean something only in Markdown, which begins with a backtick.
            '&' | '<' | '>' | '`' | '#' | ';' => {
                let _ = write!(out, "#{};", u32::from(character));
            }
            _ => out.push(character),
        }
    }
}

/// The color of a role.
fn color(role: &str) -> &'static str {
    match role {
        "input" | "inputs" => "#dbeafe",
        "value" | "values" => "#fef9c3",
        "object" => "#dcfce7",
        "call" => "#ede9fe",
        "result" => "#ffe4e6",
        _ => "#f3f4f6",
    }
}

fn write_dot(graph: &Graph, out: &mut impl Write) -> fmt::Result {
    out.write_str("digraph {\n  rankdir = LR\n  node [shape = box]\n")?;
    for number in 0..graph.len() {
        writeln!(out, "  {}", quoted(graph, number))?;
    }
    for number in 0..graph.len() {
        let references = graph.references(number);
        if references.is_empty() {
            continue;
        }
        let from = quoted(graph, number);
        for to in references {
            writeln!(out, "  {from} -> {}", quoted(graph, to))?;
        }
    }
    out.write_str("}\n")
}

fn write_mermaid(graph: &Graph, out: &mut impl Write) -> fmt::Result {
    out.write_str("flowchart LR\n")?;
    for (number, node) in graph.nodes().enumerate() {
        let mut text = String::new();
        mermaid(&node.address().to_string(), &mut text);
        writeln!(out, "  n{number}[\"{text}\"]")?;
    }
    graph.edges().try_for_each(|(from, to)| writeln!(out, "  n{from} --> n{to}"))
}

/// Writes some declarations and the references between them in the language of Graphviz: those of a called module in a
/// cluster, each in the color of its role.
///
/// ```
/// use hclkit::module::{Dialect, Memory, ModuleLoader};
/// use hclkit::render::graph;
///
/// let files = Memory::from_iter([("main.tf", "locals {\n  a = local.b\n  b = 1\n}\n")]);
/// let graph = ModuleLoader::new(Dialect::terraform()).with_files(files).load().graph();
/// let mut text = String::new();
/// graph::write_dot_part(&graph, &[graph.find("local.a").unwrap()].into(), &mut text).unwrap();
/// assert!(text.contains("\"local.a\"") && !text.contains("local.b"));
/// ```
///
/// # Errors
/// The writer returns an error.
pub fn write_dot_part(graph: &Graph, numbers: &BTreeSet<usize>, out: &mut impl Write) -> fmt::Result {
    out.write_str("digraph {\n  rankdir = LR\n  node [shape = box, style = filled, fillcolor = white]\n")?;
    let mut open = None;
    for &number in numbers {
        let call = graph.node(number).call();
        if call != open {
            if open.is_some() {
                out.write_str("  }\n")?;
            }
            if let Some(call) = call {
                writeln!(out, "  subgraph cluster_{call} {{\n    label = {}", quoted(graph, call))?;
            }
            open = call;
        }
        let indent = if open.is_some() { "    " } else { "  " };
        writeln!(
            out,
            "{indent}{} [fillcolor = \"{}\"]",
            quoted(graph, number),
            color(graph.node(number).role())
        )?;
    }
    if open.is_some() {
        out.write_str("  }\n")?;
    }
    for &number in numbers {
        let references = graph.references(number);
        for to in references.into_iter().filter(|to| numbers.contains(to)) {
            writeln!(out, "  {} -> {}", quoted(graph, number), quoted(graph, to))?;
        }
    }
    out.write_str("}\n")
}

/// Writes some declarations and the references between them as a Mermaid flowchart: those of a called module in a subgraph,
/// each in the color of its role.
///
/// # Errors
/// The writer returns an error.
pub fn write_mermaid_part(graph: &Graph, numbers: &BTreeSet<usize>, out: &mut impl Write) -> fmt::Result {
    let text = |number: usize| {
        let mut text = String::new();
        mermaid(&graph.node(number).address().to_string(), &mut text);
        text
    };
    out.write_str("flowchart LR\n")?;
    let mut open = None;
    let mut roles = BTreeSet::new();
    for &number in numbers {
        let node = graph.node(number);
        if node.call() != open {
            if open.is_some() {
                out.write_str("  end\n")?;
            }
            if let Some(call) = node.call() {
                writeln!(out, "  subgraph m{call}[\"{}\"]", text(call))?;
            }
            open = node.call();
        }
        let indent = if open.is_some() { "    " } else { "  " };
        writeln!(out, "{indent}n{number}[\"{}\"]:::role_{}", text(number), node.role())?;
        roles.insert(node.role());
    }
    if open.is_some() {
        out.write_str("  end\n")?;
    }
    for &from in numbers {
        let references = graph.references(from);
        for to in references.into_iter().filter(|to| numbers.contains(to)) {
            writeln!(out, "  n{from} --> n{to}")?;
        }
    }
    roles.iter().try_for_each(|role| writeln!(out, "  classDef role_{role} fill:{}", color(role)))
}

/// Returns the graph in the language of Graphviz.
pub fn to_dot(graph: &Graph) -> String {
    let mut text = String::new();
    // Strings return no errors.
    let _ = write_dot(graph, &mut text);
    text
}

/// Returns the graph as a Mermaid flowchart.
pub fn to_mermaid(graph: &Graph) -> String {
    let mut text = String::new();
    let _ = write_mermaid(graph, &mut text);
    text
}
