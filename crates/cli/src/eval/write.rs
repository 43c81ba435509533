//! Writes values as formatted source code, JSON with or without types, or raw text.

use hclkit::ast::{AttributeNode, BodyNode, Item};
use hclkit::convert::{Json, ToJson};
use hclkit::decode::PlainJson;
use hclkit::syntax::{Span, is_visible};
use hclkit::{Diagnostics, Document, Expression, Layout, Value};
use serde::{Serialize, Serializer};

use super::address;
use super::body::Values;
use super::compute::Computed;
use crate::args::{Eval, Output};
use crate::outcome::{CommandError, Failure};
use crate::output::{print_diagnostics, printed};
use crate::values::{
    self, Printer, attribute_lines, cell, check_plain, is_table, name, plain_json, refusal, rows,
};

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
    printer: Printer,
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
            printer: Printer::new(&command.destination, command.spacing),
            show_sensitive: command.show_sensitive,
            partial: command.partial,
            template: command.template,
        })
    }

    /// Writes one value.
    pub(super) fn one(&self, computed: &Computed) -> Result<(), CommandError> {
        self.check(|| "the value".to_owned(), computed)?;
        match self.output {
            Output::Hcl => self.printer.styled(&format!("{}\n", self.printed(computed, 0, 0)))?,
            Output::Yaml => self.printer.yaml(&self.plain(computed))?,
            output if is_table(output) => self.printer.table(&rows(&self.plain(computed))?, output)?,
            Output::Raw => {
                let mut text = self.raw(computed)?;
                // Rendered files end exactly like their template.
                if !self.template && !text.ends_with('\n') {
                    text.push('\n');
                }
                self.printer.bytes(text.as_bytes())?;
            }
            _ => self.printer.json(&self.json(computed)?)?,
        }
        Ok(())
    }

    /// Writes attributes that are not part of a document in the native syntax.
    pub(super) fn attributes(&self, values: &[(String, Computed)]) -> Result<(), CommandError> {
        if self.output == Output::Hcl {
            let attributes = values.iter().map(|(name, computed)| (name.as_str(), computed));
            return Ok(self.printer.styled(&self.lines(attributes, 0))?);
        }
        let named = |(name, computed): &(String, Computed)| (name.clone(), self.plain(computed));
        if self.output == Output::Yaml {
            let in_order = values.iter().map(named).map(|(name, value)| Ok((name, plain_json(&value)?)));
            let all = Json::Object(in_order.collect::<Result<_, Failure>>()?);
            return Ok(self.printer.yaml(&all)?);
        }
        if is_table(self.output) {
            let rows: Vec<_> =
                values.iter().map(named).map(|(name, value)| vec![name, cell(&value)]).collect();
            return Ok(self.printer.table(&rows, self.output)?);
        }
        let properties = values.iter().map(|(name, computed)| Ok((name.as_str(), self.json(computed)?)));
        Ok(self.printer.json(&Properties(properties.collect::<Result<_, CommandError>>()?))?)
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
                Ok(self.printer.bytes(self.rewritten(document, values).as_bytes())?)
            }
            Output::Hcl => {
                let mut text = String::new();
                self.write_body(body, values, 0, &mut text);
                Ok(self.printer.styled(&text)?)
            }
            output if is_table(output) => {
                let value = |placed: &address::Placed<'_>| values.get(&placed.attribute.value().id());
                let rows = address::attributes(body)
                    .into_iter()
                    .filter_map(|placed| Some(vec![placed.address(), cell(&self.plain(value(&placed)?))]));
                Ok(self.printer.table(&rows.collect::<Vec<_>>(), output)?)
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
                            return Ok(self.printer.yaml(&structure(tree, &values)?)?);
                        }
                        Ok(self.printer.json(&Structure { tree: &tree, values: &values })?)
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
        check_plain(&name(), &self.shown(value), "; use --show-sensitive to write it")
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
        let run: Vec<_> =
            run.iter().filter_map(|attribute| Some((attribute.name(), value(attribute)?))).collect();
        out.push_str(&self.lines(run.into_iter(), indent));
    }

    /// Attributes with their values on separate lines.
    fn lines<'a>(
        &self,
        attributes: impl Iterator<Item = (&'a str, &'a Computed)> + Clone,
        indent: usize,
    ) -> String {
        attribute_lines(attributes, indent, |computed, before| self.printed(computed, indent, before))
    }

    /// A value or the remaining source code of an expression, as it is printed.
    fn printed(&self, computed: &Computed, indent: usize, before: usize) -> String {
        let text = self.source(computed, self.printer.layout(), indent, before);
        match computed {
            Computed::Rest(_) if !self.printer.is_file() => printed(&text).into_owned(),
            _ => text,
        }
    }

    fn source(&self, computed: &Computed, layout: Layout, indent: usize, before: usize) -> String {
        match computed {
            Computed::Value(value) => layout.value_at(&self.shown(value), indent, before),
            Computed::Rest(rest) => rest.text.clone(),
        }
    }

    fn shown(&self, value: &Value) -> Value {
        values::shown(value, self.show_sensitive)
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
        values::raw(&value)
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
