//! Rows of declarations: variables, outputs, local values, calls of modules, providers.

use hclkit::Span;
use hclkit::dialect::Role;
use hclkit::model::shown_source;

use super::{Around, Pass};
use crate::literal;
use crate::module_source::{self, SourceParts};
use crate::schema::Table;
use hclkit::dialect::tree::{Attribute, Block, Node};

/// The blocks of Terragrunt whose `source` is a module.
const TERRAGRUNT_CALLS: [&str; 3] = ["terraform", "unit", "stack"];

/// The blocks that list what a module requires.
const REQUIREMENTS: [&str; 2] = ["required_providers", "required_plugins"];

impl<'d> Pass<'d> {
    /// The rows of a block in the tables of declarations.
    pub(super) fn declared(&mut self, block: &Block<'d>, around: Around<'_>) {
        if around.depth == 1 && REQUIREMENTS.contains(&&*block.block_type) {
            return block.body.attributes.iter().for_each(|attribute| self.requirement(attribute));
        }
        if around.depth > 0 {
            return;
        }
        let is_terragrunt = self.dialect.as_ref().is_some_and(|dialect| dialect.name() == "terragrunt");
        match around.role {
            Some(Role::Input) => self.variable(block, around.is_hidden),
            Some(Role::Result) => self.output(block, around.is_hidden),
            Some(Role::Value) => self.local(block, around.is_hidden),
            Some(Role::Call) => self.call(block),
            _ if is_terragrunt && TERRAGRUNT_CALLS.contains(&&*block.block_type) => self.call(block),
            _ if block.block_type == "provider" && self.dialect.is_some() => self.provider(block),
            _ => {}
        }
    }

    fn variable(&mut self, block: &Block<'d>, is_sensitive: bool) {
        let body = &block.body;
        let default = body.attribute("default");
        let value = default.filter(|_| !is_sensitive).and_then(|own| self.value_of(own));
        let type_text = self.type_text(block);
        let validations = body.blocks.iter().filter(|inner| inner.block_type == "validation").count();
        let row = self.out.row(Table::Variables).text(name(block)).maybe(type_text);
        row.maybe(string(block, "description"))
            .maybe(value)
            .bool(default.is_none())
            .bool(is_sensitive)
            .maybe_bool(bool(block, "nullable"))
            .int(validations)
            .maybe_bool(bool(block, "ephemeral"))
            .maybe_bool(bool(block, "const"))
            .maybe(string(block, "deprecated"))
            .at(self.source, block.span);
    }

    /// The type of a variable or an output as written, without what is withheld.
    fn type_text(&self, block: &Block<'d>) -> Option<String> {
        let own = block.body.attribute("type")?;
        let text = self.withheld.text(self.source, own.value.span());
        Some(match own.value {
            Node::Json(..) if text == own.value.text() => {
                literal::string(own.value).unwrap_or_else(|| text.into_owned())
            }
            Node::Json(..) => text.trim_matches('"').to_owned(),
            Node::Native(_) => text.into_owned(),
        })
    }

    /// A variable that is an attribute, as in the block `variables` of Packer and Nomad.
    pub(super) fn input_of_attribute(&mut self, attribute: &Attribute<'d>, value: Option<String>) {
        let row = self.out.row(Table::Variables).text(&attribute.name).null().null();
        let row = row.maybe(value).bool(false).bool(false).null().int(0);
        row.null().null().null().at(self.source, attribute.span);
    }

    fn output(&mut self, block: &Block<'d>, is_sensitive: bool) {
        let value = block.body.attribute("value");
        let shown = value.filter(|_| !is_sensitive);
        let span = value.map_or(Span::new(0, 0), |own| own.span);
        let addresses = if is_sensitive { Vec::new() } else { self.addresses(span) };
        let expression = shown.map(|own| self.withheld.text(self.source, own.value.span()));
        let json = shown.and_then(|own| self.value_of(own));
        let type_text = self.type_text(block);
        let row = self.out.row(Table::Outputs).text(name(block)).maybe(string(block, "description"));
        row.maybe(expression)
            .maybe(json)
            .bool(is_sensitive)
            .texts(&addresses)
            .maybe(type_text)
            .maybe_bool(bool(block, "ephemeral"))
            .maybe(string(block, "deprecated"))
            .at(self.source, block.span);
    }

    /// A local value that is a block, as in Packer.
    fn local(&mut self, block: &Block<'d>, is_sensitive: bool) {
        let value = block.body.attribute("expression").or_else(|| block.body.attribute("value"));
        let shown = value.filter(|_| !is_sensitive);
        let addresses = shown.map_or_else(Vec::new, |own| self.addresses(own.span));
        let expression = shown.map(|own| self.withheld.text(self.source, own.value.span()));
        let json = shown.and_then(|own| self.value_of(own));
        let row = self.out.row(Table::Locals).text(name(block));
        row.maybe(expression).maybe(json).texts(&addresses).at(self.source, block.span);
    }

    fn call(&mut self, block: &Block<'d>) {
        let Some(source) = block.body.attribute("source") else { return };
        let text = literal::string(source.value).map(|text| shown_source(&text).into_owned());
        let is_literal = text.is_some();
        let parts = match text.as_deref() {
            Some(text) => Some(SourceParts::of(text)),
            None => {
                beginning(source.value.text()).and_then(|text| SourceParts::of_beginning(&shown_source(text)))
            }
        };
        let version = string(block, "version");
        let is_pinned = is_literal
            && parts.as_ref().is_some_and(|parts| module_source::is_pinned(parts, version.as_deref()));
        let shown = match text.as_deref() {
            Some(text) => text.into(),
            None => self.withheld.text(self.source, source.value.span()),
        };
        let kind = parts.as_ref().map_or("expression", |parts| parts.kind);
        let parts = parts.unwrap_or_default();
        let row = self.out.row(Table::ModuleCalls).text(name(block)).text(&shown).text(kind);
        row.maybe(parts.host)
            .maybe(parts.namespace)
            .maybe(parts.module)
            .maybe(parts.subdirectory)
            .maybe(version.or(parts.version))
            .maybe(parts.reference)
            .bool(is_pinned)
            .at(self.source, block.span);
    }

    fn requirement(&mut self, attribute: &Attribute<'d>) {
        let items = literal::items(attribute.value);
        let item = |wanted: &str| {
            let found = items.iter().find(|(name, ..)| name == wanted);
            found.and_then(|(_, value, _)| literal::string(*value))
        };
        // In old modules, the constraint is a string.
        let version = item("version").or_else(|| literal::string(attribute.value));
        let row = self.out.row(Table::Providers).text(&attribute.name).null().text("required");
        row.maybe(item("source").as_deref().map(shown_source)).maybe(version).at(self.source, attribute.span);
    }

    fn provider(&mut self, block: &Block<'d>) {
        let row = self.out.row(Table::Providers).text(name(block)).maybe(string(block, "alias"));
        row.text("configuration").null().maybe(string(block, "version")).at(self.source, block.span);
    }
}

/// The literal text with which a template in quotes begins.
fn beginning(text: &str) -> Option<&str> {
    let text = text.strip_prefix('"')?;
    let text = &text[..text.find("${")?];
    (!text.contains(['\\', '"']) && !text.contains("%{")).then_some(text)
}

/// The last label, or the type of a block without labels.
fn name<'b>(block: &'b Block<'_>) -> &'b str {
    block.labels.last().unwrap_or(&block.block_type)
}

/// The literal text of an attribute.
fn string(block: &Block<'_>, name: &str) -> Option<String> {
    literal::string(block.body.attribute(name)?.value)
}

/// The literal bool of an attribute.
fn bool(block: &Block<'_>, name: &str) -> Option<bool> {
    literal::bool(block.body.attribute(name)?.value)
}
