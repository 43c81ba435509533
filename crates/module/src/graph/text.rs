//! Graphs as text: the language of Graphviz, and Mermaid flowcharts.

use std::fmt::{self, Write};

use hclkit_syntax::{is_visible, visible_line};

use super::Graph;

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

impl Graph {
    /// Writes the graph in the language of Graphviz. A name with invisible characters has its number in a second line,
    /// because others may look the same.
    ///
    /// # Errors
    /// The writer returns an error.
    pub fn write_dot(&self, out: &mut impl Write) -> fmt::Result {
        let quoted = |number: usize| {
            let (mut text, address) = (String::from("\""), self.node(number).address().to_string());
            dot(&address, &mut text);
            if !address.chars().all(is_visible) {
                let _ = write!(text, "\\n{number}");
            }
            text + "\""
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
            let mut text = String::new();
            mermaid(&node.address().to_string(), &mut text);
            writeln!(out, "  n{number}[\"{text}\"]")?;
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
