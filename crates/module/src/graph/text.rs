//! Graphs as text: the language of Graphviz, and Mermaid flowcharts.

use std::fmt::{self, Write};

use super::Graph;

impl Graph {
    /// Writes the graph in the language of Graphviz.
    ///
    /// # Errors
    /// The writer returns an error.
    pub fn write_dot(&self, out: &mut impl Write) -> fmt::Result {
        let quoted = |number: usize| {
            let address = self.node(number).address().to_string();
            format!("\"{}\"", address.replace('\\', "\\\\").replace('"', "\\\""))
        };
        out.write_str("digraph {\n  rankdir = LR\n  node [shape = box]\n")?;
        for number in 0..self.len() {
            writeln!(out, "  {}", quoted(number))?;
        }
        for number in 0..self.len() {
            let references = self.references(number);
            if references.is_empty() {
                continue;
            }
            let from = quoted(number);
            for to in references {
                writeln!(out, "  {from} -> {}", quoted(to))?;
            }
        }
        out.write_str("}\n")
    }

    /// Writes the graph as a Mermaid flowchart.
    ///
    /// # Errors
    /// The writer returns an error.
    pub fn write_mermaid(&self, out: &mut impl Write) -> fmt::Result {
        out.write_str("flowchart LR\n")?;
        for (number, node) in self.nodes().enumerate() {
            writeln!(out, "  n{number}[\"{}\"]", node.address().to_string().replace('"', "#quot;"))?;
        }
        self.edges().try_for_each(|(from, to)| writeln!(out, "  n{from} --> n{to}"))
    }

    /// Returns the graph in the language of Graphviz.
    pub fn to_dot(&self) -> String {
        let mut text = String::new();
        // Strings return no errors.
        let _ = self.write_dot(&mut text);
        text
    }

    /// Returns the graph as a Mermaid flowchart.
    pub fn to_mermaid(&self) -> String {
        let mut text = String::new();
        let _ = self.write_mermaid(&mut text);
        text
    }
}
