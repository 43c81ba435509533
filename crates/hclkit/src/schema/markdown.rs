//! Writes a Markdown reference of the language that a spec file defines, for its users: a section for each body, and the
//! variables and functions for expressions. No text of a spec file changes the structure of the document.

use std::fmt::Write as _;

use hclkit_model::{Accepts, Callable, Spec, SpecFile};
use hclkit_syntax::{visible, visible_line};
use hclkit_value::{Parameter, Value};

use super::{ArgumentReference, BlockReference, BodyReference, Inside};
use crate::Layout;
use crate::layout::MAX_COLUMN;

/// Writes a Markdown reference of the arguments and blocks that a spec file accepts, and of its variables and functions.
/// Descriptions can have several paragraphs, and code between backticks. All else in them is text.
///
/// ```
/// use hclkit::schema;
/// use hclkit::model::{AttributeSpec, Spec};
/// use hclkit::Type;
///
/// let spec = Spec::from(AttributeSpec::new("port", Type::Number).with_required());
/// assert!(schema::markdown(&spec.into(), "Port").contains("| `port` | `number` | yes | |"));
/// ```
pub fn markdown(file: &SpecFile, title: &str) -> String {
    let mut out = format!("# {}\n", plain(&visible_line(title)).replace('|', "\\|"));
    description(file.description.as_deref(), &mut out);
    body(&file.spec, &[], &mut Vec::new(), &mut out);
    if !file.variables.is_empty() {
        out.push_str("\n## Variables\n\n| variable | default |\n| --- | --- |\n");
        for (name, value) in &file.variables {
            row(&[&code(name), &source(value)], &mut out);
        }
    }
    if file.functions.iter().next().is_some() {
        out.push_str("\n## Functions\n\n");
        for (name, function) in file.functions.iter() {
            let call = format!("{name}({})", parameters(function).join(", "));
            let _ = writeln!(out, "- {}", code(&call));
        }
    }
    out
}

/// The names of the parameters of a function.
fn parameters(function: &Callable) -> Vec<String> {
    let (mut names, variadic): (Vec<String>, Option<&str>) = match function {
        Callable::Function(function) => (
            function.parameters().iter().map(|parameter| parameter.name().to_owned()).collect(),
            function.variadic_parameter().map(Parameter::name),
        ),
        Callable::Lazy(function) => {
            (function.parameters().iter().map(ToString::to_string).collect(), function.variadic_parameter())
        }
    };
    names.extend(variadic.map(|name| format!("{name}...")));
    names
}

/// A value as source text, on one line.
fn source(value: &Value) -> String {
    code(&Layout::new().with_width(60).value(value).replace('\n', " "))
}

/// The number of enclosing blocks that a heading names, with the block itself.
const MAX_NAMES: usize = 8;

/// Writes the arguments and blocks of a body, and then a section for each of its blocks. `labels` are the names of the labels on
/// which it can depend, and `path` contains the types of the enclosing blocks.
fn body<'s>(spec: &'s Spec, labels: &[String], path: &mut Vec<&'s str>, out: &mut String) {
    let mut blocks = Vec::new();
    tables(spec, labels, &mut Vec::new(), &mut blocks, out);
    for (only_if, block) in &blocks {
        section(block, only_if, path, out);
    }
}

/// Writes the tables of a body, or of a case of a switch: first of what is always accepted, and then of each case. Adds the blocks to
/// `blocks`, with the condition of their case. `known` are the labels that decided, with their values.
fn tables<'s>(
    spec: &'s Spec,
    labels: &[String],
    known: &mut Vec<String>,
    blocks: &mut Vec<(String, BlockReference<'s>)>,
    out: &mut String,
) {
    let (reference, switches) = BodyReference::apart(spec);
    let is_empty = reference.arguments.is_empty() && reference.blocks.is_empty();
    let only_if = known.join(" and ");
    if !only_if.is_empty() && (switches.is_empty() || !is_empty) {
        let _ = writeln!(out, "\nIf {only_if}{}", if is_empty { ", nothing else is accepted." } else { ":" });
    }
    arguments(&reference, out);
    block_types(&reference, out);
    blocks.extend(reference.blocks.into_iter().map(|block| (only_if.clone(), block)));
    for switch in switches {
        let label =
            labels.get(switch.index).cloned().unwrap_or_else(|| format!("label {}", switch.index + 1));
        let label = format!("the label {}", code(&label));
        for (value, case) in &switch.cases {
            known.push(format!("{label} is {}", code(value)));
            tables(case, labels, known, blocks, out);
            known.pop();
        }
        if let Some(other) = &switch.other {
            known.push(format!("{label} has another value"));
            tables(other, labels, known, blocks, out);
            known.pop();
        }
    }
}

fn block_types(reference: &BodyReference<'_>, out: &mut String) {
    if !reference.blocks.is_empty() {
        out.push_str("\n| block | labels | number |\n| --- | --- | --- |\n");
        for block in &reference.blocks {
            let required = block.labels.len() - block.optional_labels;
            let labels = block.label_names().enumerate().map(|(at, label)| {
                if at < required { code(&label) } else { format!("{} (optional)", code(&label)) }
            });
            let labels = labels.collect::<Vec<_>>().join(", ");
            row(&[&code(block.block_type), &labels, &block.how_many()], out);
        }
    }
}

/// Writes the section of a block. `only_if` is the condition of the case in which it is accepted.
fn section<'s>(block: &BlockReference<'s>, only_if: &str, path: &mut Vec<&'s str>, out: &mut String) {
    path.push(block.block_type);
    let omitted = path.len().saturating_sub(MAX_NAMES);
    let names = path[omitted..].iter().map(|name| code(name));
    let names: Vec<String> = (omitted > 0).then(|| "…".to_owned()).into_iter().chain(names).collect();
    let _ = writeln!(out, "\n## {}", names.join(" › "));
    if !only_if.is_empty() {
        let _ = writeln!(out, "\nOnly if {only_if}.");
    }
    description(block.description, out);
    let skeleton = skeleton(block);
    let fence = "`".repeat(backticks(&skeleton).max(2) + 1);
    let _ = writeln!(out, "\n{fence}hcl\n{}{fence}", visible(&skeleton));
    match block.content {
        Inside::Body(nested) => {
            let labels: Vec<String> = block.label_names().skip(block.keys).collect();
            body(nested, &labels, path, out);
        }
        Inside::Arguments(ty) => {
            let _ = writeln!(out, "\nArguments with any name, each of type {}.", code(&ty.to_string()));
        }
    }
    path.pop();
}

/// Writes a description from the spec file as paragraphs.
fn description(text: Option<&str>, out: &mut String) {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return };
    out.push('\n');
    for line in inline(text.trim(), |text| plain(text).replace('|', "\\|")).split('\n') {
        out.push_str(&at_start(line.trim()));
        out.push('\n');
    }
}

/// A line of a paragraph, without the marker of a heading or a list at its start.
#[doc(hidden)]
pub fn at_start(line: &str) -> String {
    let digits = line.find(|character: char| !character.is_ascii_digit()).unwrap_or(0);
    match line[digits..].chars().next() {
        Some('-' | '+' | '=' | ':') if digits == 0 => format!("\\{line}"),
        Some('.' | ')') if digits > 0 => format!("{}\\{}", &line[..digits], &line[digits..]),
        _ => line.to_owned(),
    }
}

/// A text with its code between backticks; `plain` writes all else.
fn inline(text: &str, plain: impl Fn(&str) -> String) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(start) = rest.find('`') {
        let run = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        let inside = start + run;
        let Some(len) = closing(&rest[inside..], run) else {
            out.push_str(&plain(&rest[..inside]));
            rest = &rest[inside..];
            continue;
        };
        let span = rest[inside..inside + len].replace("\r\n", " ").replace('\n', " ");
        out.push_str(&plain(&rest[..start]));
        out.push_str(&code(span.trim()));
        rest = &rest[inside + len + run..];
    }
    out + &plain(rest)
}

/// Where a code span ends: the position of the next run of this many backticks.
fn closing(text: &str, run: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = text[at..].find('`') {
        at += start;
        let len = text[at..].len() - text[at..].trim_start_matches('`').len();
        if len == run {
            return Some(at);
        }
        at += len;
    }
    None
}

fn arguments(reference: &BodyReference<'_>, out: &mut String) {
    if reference.arguments.is_empty() {
        return;
    }
    let described = |argument: &ArgumentReference<'_>| {
        argument.description.is_some() || !accepted(argument.accepts).is_empty()
    };
    let described = reference.arguments.iter().any(described);
    let (title, line) = if described { (" description |", " --- |") } else { ("", "") };
    let _ =
        writeln!(out, "\n| argument | type | required | default |{title}\n| --- | --- | --- | --- |{line}");
    for argument in &reference.arguments {
        let required = if argument.required { "yes" } else { "" };
        let default = argument.default.map(source).unwrap_or_default();
        let (name, ty) = (code(argument.name), code(&argument.ty.to_string()));
        let description = argument.description.unwrap_or_default().replace("\r\n", " ").replace('\n', " ");
        let mut description = inline(description.trim(), plain);
        for sentence in accepted(argument.accepts) {
            description.push_str(if description.is_empty() { "" } else { " " });
            description.push_str(&sentence);
        }
        let cells = [&name, &ty, required, &default, &description];
        row(&cells[..if described { 5 } else { 4 }], out);
    }
}

/// Sentences about what an argument accepts.
fn accepted(accepts: &Accepts) -> Vec<String> {
    let mut sentences = Vec::new();
    if !accepts.names.is_empty() {
        let names: Vec<String> = accepts.names.iter().map(|name| code(name)).collect();
        sentences.push(format!("One of {}.", names.join(", ")));
    }
    if let Some(pattern) = &accepts.pattern {
        sentences.push(format!("Text that matches {}.", code(pattern)));
    }
    if let Some(min) = &accepts.min {
        sentences.push(format!("At least {min}."));
    }
    if let Some((max, inclusive)) = &accepts.max {
        sentences.push(format!("{} {max}.", if *inclusive { "At most" } else { "Less than" }));
    }
    match accepts.deprecated.as_deref() {
        Some("") => sentences.push("Deprecated.".to_owned()),
        Some(instead) => sentences.push(format!("Deprecated: {}.", inline(instead, plain))),
        None => {}
    }
    if !accepts.suggested.is_empty() {
        let values: Vec<String> = accepts.suggested.iter().map(|value| code(value)).collect();
        sentences.push(format!("For example {}.", values.join(", ")));
    }
    if accepts.sensitive {
        sentences.push("Sensitive.".to_owned());
    }
    if let Some(link) = &accepts.link {
        sentences.push(format!("See {}.", inline(link, plain)));
    }
    sentences
}

/// The length of the longest run of backticks.
fn backticks(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}

/// A text as a code span, on one line. Nothing in it has a meaning in Markdown.
#[doc(hidden)]
pub fn code(text: &str) -> String {
    let text = visible_line(text);
    if text.trim().is_empty() {
        return format!("` {text}`");
    }
    let fence = "`".repeat(if text.contains('`') { backticks(&text) + 1 } else { 1 });
    // A reader removes a space from both ends, if both have one.
    let is_padded =
        text.starts_with('`') || text.ends_with('`') || text.starts_with(' ') && text.ends_with(' ');
    let space = if is_padded { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// A text that is not code. Nothing in it has a meaning in Markdown, except for bars in tables.
#[doc(hidden)]
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    for character in visible(text).chars() {
        match character {
            // Extensions with attributes of headings know no escapes.
            '{' => out.push_str("&#123;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '~' | '#' | '$' | '^' => {
                out.push('\\');
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out
}

/// Writes a table row. Bars in cells are escaped.
fn row(cells: &[&str], out: &mut String) {
    out.push('|');
    for cell in cells {
        let blank = if cell.is_empty() { "" } else { " " };
        let _ = write!(out, "{blank}{} |", cell.replace('|', "\\|"));
    }
    out.push('\n');
}

/// An example of a block.
fn skeleton(block: &BlockReference<'_>) -> String {
    let mut text = format!("{} {{\n", block.header());
    match block.content {
        Inside::Body(spec) => {
            let reference = BodyReference::of(spec);
            let names = reference.arguments.iter().map(|argument| argument.name.chars().count());
            let width = names.max().unwrap_or_default().min(MAX_COLUMN);
            for argument in &reference.arguments {
                let _ = writeln!(text, "  {:width$} = …", argument.name.as_str());
            }
            for block in &reference.blocks {
                let _ = writeln!(text, "  {} {{ … }}", block.block_type);
            }
        }
        Inside::Arguments(_) => text.push_str("  … = …\n"),
    }
    text.push_str("}\n");
    text
}
