//! Writes values as formatted source code, JSON with or without types, or raw text.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use hclkit::ast::{AttributeNode, BodyNode, Item};
use hclkit::convert::{Json, ToJson};
use hclkit::decode::PlainJson;
use hclkit::model::Rest;
use hclkit::syntax::{Span, is_identifier, is_visible};
use hclkit::{Diagnostics, Document, Expression, Layout, Type, Value, layout};
use serde::{Serialize, Serializer};

use super::address;
use super::body::Values;
use crate::args::{Eval, Output, Spacing};
use crate::outcome::Failure;
use crate::output::{print_diagnostics, print_styled, printed, write_json};
use crate::replace;
use crate::scope::CommandError;
use crate::values::{cell, plain_json, refusal, rows, table, yaml};

/// The result of an expression.
#[derive(Debug)]
pub(super) enum Computed {
    /// Its value.
    Value(Value),
    /// The remaining source code, if the value is not fully known.
    Rest(Rest),
}

impl Computed {
    /// The value, if it is fully known.
    pub(super) fn value(&self) -> Option<&Value> {
        match self {
            Self::Value(value) => Some(value),
            Self::Rest(_) => None,
        }
    }
}

/// The data to write as JSON. Values are written directly, because a tree of JSON takes several times as much memory.
enum Written {
    Value(Value),
    /// A value and its type.
    Typed(Value),
    Json(Json),
}

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => PlainJson::new(value).serialize(serializer),
            Self::Typed(value) => PlainJson::new(value).with_type().serialize(serializer),
            Self::Json(json) => json.serialize(serializer),
        }
    }
}

/// A body as JSON. The numbers of the tree are positions in the list of values.
struct Structure<'a> {
    tree: &'a Json,
    values: &'a [Written],
}

impl Serialize for Structure<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let part = |tree| Structure { tree, values: self.values };
        match self.tree {
            Json::Number(at) => {
                at.parse().ok().and_then(|at: usize| self.values.get(at)).serialize(serializer)
            }
            Json::Array(elements) => serializer.collect_seq(elements.iter().map(part)),
            Json::Object(properties) => {
                serializer.collect_map(properties.iter().map(|(name, tree)| (name, part(tree))))
            }
            other => other.serialize(serializer),
        }
    }
}

/// Names and the data for them, as an object.
struct Properties<'a>(Vec<(&'a str, Written)>);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, written)| (name, written)))
    }
}

/// Writes values in the requested format.
pub(super) struct Writer {
    output: Output,
    /// The output file, if not standard output.
    out: Option<PathBuf>,
    spacing: Spacing,
    show_sensitive: bool,
    partial: bool,
    template: bool,
}

impl Writer {
    pub(super) fn new(command: &Eval) -> Result<Self, Failure> {
        let usual = if command.template { Output::Raw } else { Output::Hcl };
        let output = command.output().unwrap_or(usual);
        if command.partial && output == Output::Typed {
            return Err(Failure::new(
                "--partial cannot be used with --output typed, because source code has no type",
            ));
        }
        if command.unknown || output == Output::Ndjson {
            return Err(Failure::new("--output ndjson and --unknown are for modules"));
        }
        if command.partial && is_table(output) {
            return Err(Failure::new("--partial writes source code: --output must be hcl or json"));
        }
        let whole_file = !command.files.is_empty() && command.attr.is_none() && !command.template;
        if output == Output::Raw && whole_file {
            return Err(Failure::new("--output raw requires a single value; select one with --attr"));
        }
        Ok(Self {
            output,
            out: replace::file(command.destination.out.as_ref()).map(Path::to_owned),
            spacing: command.spacing,
            show_sensitive: command.show_sensitive,
            partial: command.partial,
            template: command.template,
        })
    }

    /// Writes text with colors, if colors are enabled for standard output.
    fn put(&self, text: &str) -> Result<(), CommandError> {
        if self.out.is_some() {
            return self.put_bytes(anstream::adapter::strip_str(text).to_string().as_bytes());
        }
        Ok(print_styled(text)?)
    }

    fn put_json(&self, json: &impl Serialize) -> Result<(), CommandError> {
        let mut text = Vec::new();
        write_json(json, self.spacing, &mut text).map_err(Failure::from)?;
        self.put_bytes(&text)
    }

    fn put_bytes(&self, bytes: &[u8]) -> Result<(), CommandError> {
        Ok(replace::write_output(self.out.as_ref(), bytes)?)
    }

    /// Writes one value.
    pub(super) fn one(&self, computed: &Computed) -> Result<(), CommandError> {
        self.check(|| "the value".to_owned(), computed)?;
        match self.output {
            Output::Hcl => self.put(&format!("{}\n", self.printed(computed, 0, 0))),
            Output::Yaml => self.put_bytes(yaml(&self.plain(computed))?.as_bytes()),
            output if is_table(output) => {
                self.put_bytes(table(&rows(&self.plain(computed))?, output).as_bytes())
            }
            Output::Raw => {
                let mut text = self.raw(computed)?;
                // Rendered files end exactly like their template.
                if !self.template && !text.ends_with('\n') {
                    text.push('\n');
                }
                self.put_bytes(text.as_bytes())
            }
            _ => self.put_json(&self.json(computed)?),
        }
    }

    /// Writes attributes that are not part of a document in the native syntax.
    pub(super) fn attributes(&self, values: &[(String, Computed)]) -> Result<(), CommandError> {
        if self.output == Output::Hcl {
            let attributes: Vec<_> =
                values.iter().map(|(name, computed)| (name.as_str(), computed)).collect();
            let mut text = String::new();
            self.write_lines(&attributes, 0, &mut text);
            return self.put(&text);
        }
        let named = |(name, computed): &(String, Computed)| (name.clone(), self.plain(computed));
        if self.output == Output::Yaml {
            let in_order = values.iter().map(named).map(|(name, value)| Ok((name, plain_json(&value)?)));
            let all = Json::Object(in_order.collect::<Result<_, Failure>>()?);
            return self.put_bytes(yaml(&all)?.as_bytes());
        }
        if is_table(self.output) {
            let rows: Vec<_> =
                values.iter().map(named).map(|(name, value)| vec![name, cell(&value)]).collect();
            return self.put_bytes(table(&rows, self.output).as_bytes());
        }
        let properties = values.iter().map(|(name, computed)| Ok((name.as_str(), self.json(computed)?)));
        self.put_json(&Properties(properties.collect::<Result<_, CommandError>>()?))
    }

    /// Whether a body is written in its original layout with the values replaced. This is the case for partial
    /// evaluation of whole files.
    pub(super) fn rewrites(&self, document: &Document, body: BodyNode<'_>) -> bool {
        self.partial && self.output == Output::Hcl && body.id() == document.body().id()
    }

    /// The text of a file with its values replaced.
    fn rewritten(&self, document: &Document, values: &Values) -> String {
        let source = document.source();
        let (mut out, mut at) = (String::new(), 0);
        for placed in address::attributes(document.body()) {
            let expression = placed.attribute.value();
            let span = expression.span();
            let Some(computed) = values.get(&expression.id()) else { continue };
            out.push_str(source.slice(Span::new(at, span.start)));
            match computed {
                Computed::Rest(rest) => out.push_str(&rest.text),
                // A comment may follow on the same line, which a heredoc does not allow.
                Computed::Value(value) => out.push_str(&self.shown(value).to_string()),
            }
            at = span.end;
        }
        out.push_str(&source.text()[at as usize..]);
        out
    }

    /// Writes the attributes of a body.
    pub(super) fn body(
        &self,
        document: &Document,
        body: BodyNode<'_>,
        values: &Values,
    ) -> Result<(), CommandError> {
        match self.output {
            Output::Hcl if self.rewrites(document, body) => {
                self.put_bytes(self.rewritten(document, values).as_bytes())
            }
            Output::Hcl => {
                let mut text = String::new();
                self.write_body(body, values, 0, &mut text);
                self.put(&text)
            }
            output if is_table(output) => {
                let value = |placed: &address::Placed<'_>| values.get(&placed.attribute.value().id());
                let rows = address::attributes(body)
                    .into_iter()
                    .filter_map(|placed| Some(vec![placed.address(), cell(&self.plain(value(&placed)?))]));
                self.put_bytes(table(&rows.collect::<Vec<_>>(), output).as_bytes())
            }
            Output::Raw => {
                Err(Failure::new("--output raw requires a single value, but the address is a block").into())
            }
            _ => {
                let mut written = Vec::new();
                let tree = ToJson::new().convert_with(document, body, &mut |expression| {
                    let json = values.get(&expression.id()).map(|computed| self.json(computed));
                    written.push(json.unwrap_or(Ok(Written::Json(Json::Null))));
                    Json::Number((written.len() - 1).to_string())
                });
                match tree {
                    Ok(tree) => {
                        let values = written.into_iter().collect::<Result<Vec<_>, CommandError>>()?;
                        if self.output == Output::Yaml {
                            return self.put_bytes(yaml(&structure(tree, &values)?)?.as_bytes());
                        }
                        self.put_json(&Structure { tree: &tree, values: &values })
                    }
                    Err(problems) => {
                        print_diagnostics(&problems)?;
                        Err(Diagnostics::new().into())
                    }
                }
            }
        }
    }

    /// Checks that all values can be written in the requested format, and reports if not.
    pub(super) fn check_all(
        &self,
        attributes: &[address::Placed<'_>],
        values: &Values,
    ) -> Result<(), CommandError> {
        for placed in attributes {
            if let Some(computed) = values.get(&placed.attribute.value().id()) {
                self.check(|| placed.address(), computed)?;
            }
        }
        Ok(())
    }

    /// Checks that a value can be written in the requested format, and reports if not. The function makes the name for
    /// the report.
    pub(super) fn check(
        &self,
        name: impl FnOnce() -> String,
        computed: &Computed,
    ) -> Result<(), CommandError> {
        let Computed::Value(value) = computed else { return Ok(()) };
        // Human-readable source code can represent them.
        if self.output == Output::Hcl {
            return Ok(());
        }
        if value.contains_marked() && !self.show_sensitive {
            let (_, marks) = value.unmark_deep();
            return Err(refusal(&format!(
                "{} is marked as {}; use --show-sensitive to write it",
                name(),
                marks.names().join(" and ")
            )));
        }
        if !value.is_wholly_known() {
            return Err(refusal(&format!("{} is not fully known: {value}", name())));
        }
        Ok(())
    }

    fn write_body(&self, body: BodyNode<'_>, values: &Values, indent: usize, out: &mut String) {
        let start = out.len();
        let mut run: Vec<AttributeNode<'_>> = Vec::new();
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => run.push(attribute),
                Item::Block(block) => {
                    self.write_attributes(&std::mem::take(&mut run), values, indent, out);
                    if out.len() > start {
                        out.push('\n');
                    }
                    let labels = block.labels().map(|label| match label.text() {
                        text if text.chars().all(is_visible) => format!("{text} "),
                        _ => format!("{} ", Value::from(&*label.value())),
                    });
                    let (block_type, labels) = (name(block.block_type()), labels.collect::<String>());
                    let head = format!("{:indent$}{block_type} {labels}{{", "");
                    out.push_str(&head);
                    if block.body().items().next().is_some() {
                        out.push('\n');
                        self.write_body(block.body(), values, indent + 2, out);
                        out.push_str(&" ".repeat(indent));
                    }
                    out.push_str("}\n");
                }
            }
        }
        if !run.is_empty() && body.blocks().next().is_some() && out.len() > start {
            out.push('\n');
        }
        self.write_attributes(&run, values, indent, out);
    }

    fn write_attributes(&self, run: &[AttributeNode<'_>], values: &Values, indent: usize, out: &mut String) {
        let value = |attribute: &AttributeNode<'_>| values.get(&attribute.value().id());
        let run = run.iter().filter_map(|attribute| Some((attribute.name(), value(attribute)?)));
        self.write_lines(&run.collect::<Vec<_>>(), indent, out);
    }

    /// Writes attributes with their values on separate lines.
    fn write_lines(&self, attributes: &[(&str, &Computed)], indent: usize, out: &mut String) {
        let width = layout::name_width(attributes.iter().map(|(name, _)| *name));
        let items = attributes.iter().map(|(name, computed)| {
            let text = self.printed(computed, indent, width + " = ".len());
            // In the JSON syntax, names can be any text.
            (self::name(name), text)
        });
        for line in layout::align(&items.collect::<Vec<_>>()) {
            let _ = writeln!(out, "{:indent$}{line}", "");
        }
    }

    fn layout(&self) -> Layout {
        Layout::new().with_color(true).with_one_line(self.spacing.compact)
    }

    /// A value or the remaining source code of an expression, as it is printed.
    fn printed(&self, computed: &Computed, indent: usize, before: usize) -> String {
        let text = self.source(computed, self.layout(), indent, before);
        match computed {
            Computed::Rest(_) if self.out.is_none() => printed(&text).into_owned(),
            _ => text,
        }
    }

    fn source(&self, computed: &Computed, layout: Layout, indent: usize, before: usize) -> String {
        match computed {
            Computed::Value(value) => layout.value_at(&self.shown(value), indent, before),
            Computed::Rest(rest) => rest.text.clone(),
        }
    }

    /// The value, without marks if sensitive values are shown.
    fn shown(&self, value: &Value) -> Value {
        if self.show_sensitive { value.unmark_deep().0 } else { value.clone() }
    }

    /// The value, or the remaining source code as text.
    fn plain(&self, computed: &Computed) -> Value {
        match computed {
            Computed::Value(value) => self.shown(value),
            Computed::Rest(rest) => Value::from(rest.text.as_str()),
        }
    }

    fn raw(&self, computed: &Computed) -> Result<String, CommandError> {
        let value = match computed {
            Computed::Value(value) => self.shown(value),
            Computed::Rest(rest) => return Ok(rest.text.clone()),
        };
        let text = value.convert(&Type::String).ok();
        let text = text.as_ref().and_then(Value::as_str);
        text.map(str::to_owned).ok_or_else(|| {
            let what = if value.is_null() {
                "null".to_owned()
            } else {
                format!("of type {}", value.ty().friendly_name())
            };
            refusal(&format!(
                "expected a string, number or bool, but the value is {what}; use --output json to write it"
            ))
        })
    }

    fn json(&self, computed: &Computed) -> Result<Written, CommandError> {
        if self.partial {
            return Ok(Written::Json(self.json_syntax(computed)?));
        }
        let Computed::Value(value) = computed else { return Ok(Written::Json(Json::Null)) };
        let value = self.shown(value);
        Ok(if self.output == Output::Typed { Written::Typed(value) } else { Written::Value(value) })
    }

    /// An expression in the JSON syntax, where strings are templates.
    fn json_syntax(&self, computed: &Computed) -> Result<Json, CommandError> {
        if self.template
            && let Computed::Rest(rest) = computed
        {
            return Ok(Json::String(rest.text.clone()));
        }
        let text = self.source(computed, Layout::new(), 0, 0);
        let expression = Expression::parse(format!("{text}\n"))?;
        expression
            .ast()
            .and_then(|syntax| ToJson::new().convert_expression(syntax))
            .ok_or_else(|| refusal("the value is nested too deeply for JSON"))
    }
}

/// The name of an attribute or type of a block. In the JSON syntax, names can be any text.
fn name(name: &str) -> String {
    let is_bare = is_identifier(name) && name.chars().all(is_visible);
    if is_bare { name.to_owned() } else { Value::from(name).to_string() }
}

/// Whether a format has rows.
pub(super) fn is_table(output: Output) -> bool {
    matches!(output, Output::Csv | Output::Tsv | Output::Table)
}

/// A body as JSON. The numbers of the tree are positions in the list of values.
fn structure(tree: Json, values: &[Written]) -> Result<Json, Failure> {
    Ok(match tree {
        Json::Number(at) => match at.parse().ok().and_then(|at: usize| values.get(at)) {
            Some(Written::Value(value) | Written::Typed(value)) => plain_json(value)?,
            Some(Written::Json(json)) => json.clone(),
            None => Json::Null,
        },
        Json::Array(elements) => {
            Json::Array(elements.into_iter().map(|part| structure(part, values)).collect::<Result<_, _>>()?)
        }
        Json::Object(properties) => {
            let parts = properties.into_iter().map(|(name, tree)| Ok((name, structure(tree, values)?)));
            Json::Object(parts.collect::<Result<_, Failure>>()?)
        }
        other => other,
    })
}
