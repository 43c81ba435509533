//! One pass over a file: its rows in all tables that need no evaluation. `extract/declared.rs` has the rows of declarations, such
//! as variables and calls.

mod declared;

use std::sync::Arc;

use hclkit::dialect::tree::{Attribute, Block, Body};
use hclkit::dialect::{Dialect, FileFacts, FileKind, Role, is_hidden, withheld_in};
use hclkit::model::{Withheld, mentions_flags, shown_source, without_credentials};
use hclkit::refactor::{NameUse, Names, OccurrenceKind};
use hclkit::syntax::nearest_name;
use hclkit::{Code, Diagnostics, Document, Source, Span, Syntax};

use crate::literal;
use crate::rows::{Collector, Declared, FileRows};
use crate::schema::Table;

/// Addresses of nested blocks are cut off after this many bytes, as those of [`hclkit::syntax::Addresses`].
const MOST_ADDRESS: usize = 1024;

/// What is read from files.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) tables: [bool; Table::COUNT],
    pub(crate) variable_values: bool,
    pub(crate) most_bytes: usize,
}

/// What the name of a file says.
#[derive(Clone, Debug)]
pub(crate) struct FileType {
    pub(crate) dialect: Option<Arc<Dialect>>,
    pub(crate) kind: Option<FileKind>,
    pub(crate) syntax: Syntax,
}

impl FileType {
    pub(crate) fn of(path: &str) -> Self {
        let dialect = Dialect::of_path(path);
        let kind = dialect.as_ref().and_then(|dialect| dialect.file_kind(path));
        Self { dialect, kind, syntax: Dialect::syntax_of(path) }
    }

    /// Whether files of its directory may override what it declares.
    pub(crate) fn overrides(&self) -> bool {
        self.kind == Some(FileKind::Module) && self.dialect.as_ref().is_some_and(|own| own.has_overrides())
    }

    /// The language and the kind of file in a key for equal contents.
    pub(crate) fn key(&self) -> (String, Option<FileKind>, Syntax) {
        (self.language().to_owned(), self.kind, self.syntax)
    }

    fn language(&self) -> &str {
        self.dialect.as_ref().map_or("hcl", |dialect| dialect.name())
    }
}

/// The name of a kind of files in tables.
fn kind_name(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Module => "module",
        FileKind::Values => "values",
        FileKind::Tests => "tests",
        FileKind::Mocks => "mocks",
        FileKind::Queries => "queries",
        FileKind::Settings => "settings",
        _ => "template",
    }
}

/// A file that is read.
pub(crate) struct Pass<'d> {
    source: &'d Source,
    kind: Option<FileKind>,
    dialect: Option<Arc<Dialect>>,
    /// All references, in source order.
    uses: Vec<NameUse>,
    withheld: Withheld,
    /// What other files of the directory declare as sensitive.
    elsewhere: &'d [String],
    /// Whether a declaration of this file can hide its value.
    may_hide: bool,
    declared: Declared,
    out: Collector,
}

/// The block around an item.
#[derive(Clone, Copy)]
struct Around<'a> {
    address: &'a str,
    start: u32,
    block_type: &'a str,
    resource_type: Option<&'a str>,
    /// The declaration that references belong to.
    declaration: Option<&'a str>,
    role: Option<Role>,
    depth: usize,
    /// Whether it declares that its value must not be shown.
    is_hidden: bool,
}

/// Returns the rows of a file. The name of the source says its language. `elsewhere` has the addresses that other files of its
/// directory declare as sensitive.
pub(crate) fn extract(
    source: Source,
    file: &FileType,
    sha256: &str,
    wanted: &Wanted,
    elsewhere: &[String],
) -> FileRows {
    let document = Document::parse_in(source, file.syntax);
    let diagnostics = document.diagnostics();
    let source = document.source();
    let needs_uses = [Table::References, Table::Attributes, Table::Outputs, Table::Locals];
    let needs_uses = needs_uses.iter().any(|table| wanted.tables[*table as usize]);
    let uses =
        if needs_uses { Names::in_language(&document, file.dialect.clone()).uses() } else { Vec::new() };
    let is_values = file.kind == Some(FileKind::Values);
    let body = Body::of(&document, file.dialect.as_deref(), is_values);
    let facts = FileFacts {
        dialect: file.dialect.as_deref().filter(|_| !is_values),
        kind: file.kind,
        elsewhere,
        shows_values: wanted.variable_values,
    };
    let mut pass = Pass {
        source,
        kind: file.kind,
        // Variable files have no blocks.
        dialect: file.dialect.clone().filter(|_| !is_values),
        uses,
        withheld: withheld_in(&body, source, diagnostics, facts),
        elsewhere,
        may_hide: mentions_flags(source.text()) || !elsewhere.is_empty(),
        declared: Declared::default(),
        out: Collector::new(wanted.tables, wanted.most_bytes),
    };
    let errors = diagnostics.errors();
    pass.out.broken = errors > 0;
    pass.out.limited = diagnostics.has_limit();
    let whole = Span::new(0, source.len());
    pass.out
        .row(Table::Files)
        .text(file.language())
        .text(file.syntax.as_str())
        .maybe(file.kind.map(kind_name))
        .text(sha256)
        .int(source.line_count())
        .int(source.bytes().len())
        .int(errors)
        .at(source, whole);
    pass.body(&body, None);
    pass.diagnostics(diagnostics);
    FileRows { declared: pass.declared.shared(file.overrides()), ..pass.out.finish() }
}

impl<'d> Pass<'d> {
    fn body(&mut self, body: &Body<'d>, around: Option<Around<'_>>) {
        for attribute in &body.attributes {
            self.attribute(attribute, around);
        }
        for block in &body.blocks {
            self.block(block, around);
        }
    }

    fn block(&mut self, block: &Block<'d>, around: Option<Around<'_>>) {
        if self.withheld.is_doubtful(block.span) {
            return;
        }
        let type_end = (block.span.start + block.block_type.len() as u32).min(block.span.end);
        let is_withheld = self.withheld.covers(Span::new(type_end, block.span.end));
        let labels: &[std::borrow::Cow<'_, str>] = if is_withheld { &[] } else { &block.labels };
        let dialect = self.dialect.clone();
        let rule = match around {
            None => dialect.as_ref().and_then(|dialect| dialect.block(&block.block_type)),
            Some(_) => None,
        };
        let defined = rule.and_then(|rule| rule.defines.address(labels, None));
        let defined = defined.map(|names| dotted(&names));
        let address = match (&defined, around) {
            (Some(address), _) => address.clone(),
            (None, around) => {
                let first = around.map(|around| around.address).into_iter();
                let own = std::iter::once(&*block.block_type).chain(labels.iter().map(|label| &**label));
                limited(first.chain(own).collect::<Vec<_>>().join("."))
            }
        };
        let role = rule.map(|rule| rule.role);
        let is_resource = role == Some(Role::Object) && rule.is_some_and(|rule| rule.labels.len() == 2);
        let mode = match &*block.block_type {
            "data" => "data",
            "ephemeral" => "ephemeral",
            _ => "managed",
        };
        let resource_type = labels.first().filter(|_| is_resource).map(|label| &**label);
        let is_hidden = self.may_hide && is_hidden(block, rule, self.elsewhere);
        if matches!(role, Some(Role::Input | Role::Result)) {
            self.declared.add(&address, is_hidden);
        }
        let row = self.out.row(Table::Blocks);
        row.text(&address)
            .text(&block.block_type)
            .texts(labels)
            .maybe(is_resource.then_some(mode))
            .maybe(resource_type)
            .maybe(labels.last())
            .maybe(around.map(|around| around.address))
            .maybe_int(around.map(|around| around.start))
            .maybe(block.comment.as_ref().filter(|_| !is_hidden && !is_withheld))
            .at(self.source, block.span);
        let declaration = match around {
            Some(around) => around.declaration,
            None => Some(address.as_str()),
        };
        if is_withheld {
            return;
        }
        // Labels can be references.
        self.references(block.head, declaration, None);
        let own = Around {
            address: &address,
            start: block.span.start,
            block_type: &block.block_type,
            resource_type,
            declaration,
            role,
            depth: around.map_or(0, |around| around.depth + 1),
            is_hidden,
        };
        self.declared(block, own);
        self.body(&block.body, Some(own));
    }

    fn attribute(&mut self, attribute: &Attribute<'d>, around: Option<Around<'_>>) {
        if self.withheld.is_doubtful(attribute.span) {
            return;
        }
        let is_withheld = self.withheld.covers(attribute.value.span());
        // Each attribute of `locals` has an address of its own.
        let own_address = around.and_then(|around| self.address_in(around, &attribute.name));
        let declaration = own_address.as_deref().or(around.and_then(|around| around.declaration));
        if !is_withheld {
            self.references(attribute.span, declaration, Some(&attribute.name));
        }
        let addresses = if is_withheld { Vec::new() } else { self.addresses(attribute.span) };
        let (mut expression, mut value) = (None, None);
        let tables = [Table::Attributes, Table::Locals, Table::Variables];
        if !is_withheld && tables.iter().any(|table| self.out.wants(*table)) {
            value = self.value_of(attribute);
            expression = Some(self.withheld.text(self.source, attribute.value.span()));
        }
        let around_block = around.map(|around| around.address);
        self.out
            .row(Table::Attributes)
            .maybe(around_block)
            .maybe_int(around.map(|around| around.start))
            .maybe(around.map(|around| around.block_type))
            .maybe(around.and_then(|around| around.resource_type))
            .text(&attribute.name)
            .maybe(expression.as_ref())
            .maybe(value.as_ref())
            .texts(&addresses)
            .bool(is_withheld)
            .at(self.source, attribute.span);
        let role = around.filter(|around| around.depth == 0).and_then(|around| around.role);
        match role {
            Some(Role::Values) => self
                .out
                .row(Table::Locals)
                .text(&attribute.name)
                .maybe(expression.as_ref())
                .maybe(value.as_ref())
                .texts(&addresses)
                .at(self.source, attribute.span),
            Some(Role::Inputs) => self.input_of_attribute(attribute, value),
            _ => {}
        }
    }

    /// The address that an attribute of a block declares, such as `local.region`.
    fn address_in(&self, around: Around<'_>, name: &str) -> Option<String> {
        if around.depth > 0 {
            return None;
        }
        let rule = self.dialect.as_ref()?.block(around.block_type)?;
        if !rule.defines.is_of_attributes() {
            return None;
        }
        let names = rule.defines.address::<&str>(&[], Some(name))?;
        Some(dotted(&names))
    }

    /// The JSON of a literal value, without names and passwords in addresses.
    fn value_of(&self, attribute: &Attribute<'_>) -> Option<String> {
        let span = attribute.value.span();
        let value = literal::json(attribute.value).filter(|_| !self.withheld.hides(span))?;
        if !self.withheld.touches(span) {
            return Some(value);
        }
        let text = literal::string(attribute.value)?;
        let is_source = nearest_name(&attribute.name, ["source"]).is_some();
        let shown = if is_source { shown_source(&text) } else { without_credentials(&text) };
        let mut json = String::new();
        literal::quote(&shown, &mut json);
        Some(json)
    }

    /// The references in a part of the file.
    fn uses_in(&self, span: Span) -> &[NameUse] {
        let first = self.uses.partition_point(|found| found.span.start < span.start);
        let count = self.uses[first..].partition_point(|found| found.span.start < span.end);
        &self.uses[first..first + count]
    }

    /// The addresses that a part of the file refers to, each once.
    fn addresses(&self, span: Span) -> Vec<String> {
        let mut all = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let uses = self.uses_in(span).iter().filter(|found| !self.withheld.covers(found.span));
        for address in uses.filter_map(|found| found.address.as_ref()) {
            if seen.insert(address) {
                all.push(address.clone());
            }
        }
        all
    }

    fn references(&mut self, span: Span, from: Option<&str>, attribute: Option<&str>) {
        if !self.out.wants(Table::References) {
            return;
        }
        let first = self.uses.partition_point(|found| found.span.start < span.start);
        let mut at = first;
        while let Some(found) = self.uses.get(at).filter(|found| found.span.start < span.end) {
            at += 1;
            if self.withheld.covers(found.span) {
                continue;
            }
            let kind = if found.kind == OccurrenceKind::History { "history" } else { "reference" };
            self.out
                .row(Table::References)
                .maybe(from)
                .maybe(attribute)
                .maybe(found.address.as_ref())
                .text(&found.root)
                .text(self.source.slice(found.span))
                .text(kind)
                .at(self.source, found.span);
        }
    }

    fn diagnostics(&mut self, diagnostics: &Diagnostics) {
        for diagnostic in diagnostics {
            let span = diagnostic.span();
            let is_withheld = self.kind == Some(FileKind::Values) || self.withheld.touches(span);
            let message = if is_withheld { "" } else { diagnostic.note() };
            let row = self.out.row(Table::Diagnostics);
            row.maybe(diagnostic.code().map(Code::as_str))
                .text(diagnostic.severity().as_str())
                .text(diagnostic.summary())
                .text(message)
                .at(self.source, span);
        }
        if self.out.exceeded {
            self.out.broken = true;
            let message = "The rows of the file are larger than the limit. Some are left out.";
            let row =
                self.out.row(Table::Diagnostics).null().text("error").text("Too many rows").text(message);
            row.at(self.source, Span::new(0, 0));
        }
    }
}

/// Returns the rows of a file that could not be read, or in which some work ended early.
pub(crate) fn unread(file: &FileType, bytes: u64, code: &str, why: &str, wanted: &Wanted) -> FileRows {
    let mut out = Collector::new(wanted.tables, wanted.most_bytes);
    out.broken = true;
    out.row(Table::Files)
        .text(file.language())
        .text(file.syntax.as_str())
        .maybe(file.kind.map(kind_name))
        .null()
        .int(0)
        .int(bytes)
        .int(1)
        .nowhere();
    out.limited = code == "source-too-large";
    let unread = !out.limited;
    out.row(Table::Diagnostics).text(code).text("error").text("Unreadable file").text(why).nowhere();
    FileRows { unread, reason: Some(why.into()), ..out.finish() }
}

/// Returns a row of `diagnostics` about a file that comes too late.
pub(crate) fn late(wanted: &Wanted) -> FileRows {
    let mut out = Collector::new(wanted.tables, wanted.most_bytes);
    (out.broken, out.limited) = (true, true);
    let message = "A file of this directory declares a value as sensitive that was written before. Put the files of a directory \
        next to each other, or override files first.";
    let row =
        out.row(Table::Diagnostics).null().text("error").text("Sensitive value was written").text(message);
    row.nowhere();
    out.finish()
}

/// Names with dots between them.
fn dotted(names: &[hclkit::value::Name]) -> String {
    names.iter().map(hclkit::value::Name::as_str).collect::<Vec<_>>().join(".")
}

/// An address, cut off if it is too long.
fn limited(mut address: String) -> String {
    if address.len() > MOST_ADDRESS {
        let mut end = MOST_ADDRESS;
        while !address.is_char_boundary(end) {
            end -= 1;
        }
        address.truncate(end);
        address.push('…');
    }
    address
}
