//! Graphs as text: the language of Graphviz, and Mermaid flowcharts.

use std::collections::BTreeSet;
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

/// The color of a role.
pub(super) fn color(role: &str) -> &'static str {
    match role {
        "input" | "inputs" => "#dbeafe",
        "value" | "values" => "#fef9c3",
        "object" => "#dcfce7",
        "call" => "#ede9fe",
        "result" => "#ffe4e6",
        _ => "#f3f4f6",
    }
}

impl Graph {
    /// Writes the graph in the language of Graphviz. A name with invisible characters has its number in a second line,
    /// because others may look the same.
    ///
    /// # Errors
    /// The writer returns an error.
    #[doc(hidden)]
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
    #[doc(hidden)]
    pub fn write_mermaid(&self, out: &mut impl Write) -> fmt::Result {
        out.write_str("flowchart LR\n")?;
        for (number, node) in self.nodes().enumerate() {
            let mut text = String::new();
            mermaid(&node.address().to_string(), &mut text);
            writeln!(out, "  n{number}[\"{text}\"]")?;
        }
        self.edges().try_for_each(|(from, to)| writeln!(out, "  n{from} --> n{to}"))
    }

    /// Writes some declarations and the references between them in the language of Graphviz: those of a called module in a
    /// cluster, each in the color of its role.
    ///
    /// ```
    /// use hclkit_module::{Dialect, Memory, ModuleLoader};
    ///
    /// let files = Memory::from_iter([("main.tf", "locals {\n  a = local.b\n  b = 1\n}\n")]);
    /// let graph = ModuleLoader::new(Dialect::terraform()).with_files(files).load().graph();
    /// let mut text = String::new();
    /// graph.write_dot_part(&[graph.find("local.a").unwrap()].into(), &mut text).unwrap();
    /// assert!(text.contains("\"local.a\"") && !text.contains("local.b"));
    /// ```
    ///
    /// # Errors
    /// The writer returns an error.
    #[doc(hidden)]
    pub fn write_dot_part(&self, numbers: &BTreeSet<usize>, out: &mut impl Write) -> fmt::Result {
        let quoted = |number: usize| {
            let mut text = String::from("\"");
            let address = self.node(number).address().to_string();
            dot(&address, &mut text);
            if !address.chars().all(is_visible) {
                let _ = write!(text, "\\n{number}");
            }
            text + "\""
        };
        out.write_str(
            "digraph {\n  rankdir = LR\n  node [shape = box, style = filled, fillcolor = white]\n",
        )?;
        let mut open = None;
        for &number in numbers {
            let call = self.node(number).call();
            if call != open {
                if open.is_some() {
                    out.write_str("  }\n")?;
                }
                if let Some(call) = call {
                    writeln!(out, "  subgraph cluster_{call} {{\n    label = {}", quoted(call))?;
                }
                open = call;
            }
            let indent = if open.is_some() { "    " } else { "  " };
            writeln!(
                out,
                "{indent}{} [fillcolor = \"{}\"]",
                quoted(number),
                color(self.node(number).role())
            )?;
        }
        if open.is_some() {
            out.write_str("  }\n")?;
        }
        for &number in numbers {
            let references = self.references(number);
            for to in references.into_iter().filter(|to| numbers.contains(to)) {
                writeln!(out, "  {} -> {}", quoted(number), quoted(to))?;
            }
        }
        out.write_str("}\n")
    }

    /// Writes some declarations and the references between them as a Mermaid flowchart: those of a called module in a subgraph,
    /// each in the color of its role.
    ///
    /// # Errors
    /// The writer returns an error.
    #[doc(hidden)]
    pub fn write_mermaid_part(&self, numbers: &BTreeSet<usize>, out: &mut impl Write) -> fmt::Result {
        let text = |number: usize| {
            let mut text = String::new();
            mermaid(&self.node(number).address().to_string(), &mut text);
            text
        };
        out.write_str("flowchart LR\n")?;
        let mut open = None;
        let mut roles = BTreeSet::new();
        for &number in numbers {
            let node = self.node(number);
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
            let references = self.references(from);
            for to in references.into_iter().filter(|to| numbers.contains(to)) {
                writeln!(out, "  n{from} --> n{to}")?;
            }
        }
        roles.iter().try_for_each(|role| writeln!(out, "  classDef role_{role} fill:{}", color(role)))
    }

    /// Returns the graph in the language of Graphviz.
    pub fn to_dot(&self) -> String {
        let mut text = String::new();
        // Strings return no errors.
        let _ = self.write_dot(&mut text);
        text
    }

    /// Returns the graph as a Mermaid flowchart.
    #[doc(hidden)]
    pub fn to_mermaid(&self) -> String {
        let mut text = String::new();
        let _ = self.write_mermaid(&mut text);
        text
    }
}
