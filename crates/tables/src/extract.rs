//! One pass over a file: its rows in all tables that need no evaluation. `extract/declared.rs` has the rows of declarations, such
//! as variables and calls.

mod declared;

use std::sync::Arc;

use hclkit::dialect::{Dialect, FileKind, Role};
use hclkit::refactor::{NameUse, Names, OccurrenceKind};
use hclkit::syntax::json::JsonDocument;
use hclkit::{Code, Diagnostics, Document, Source, Span, StartSymbol, Syntax};

use crate::literal;
use crate::rows::{Collector, FileRows};
use crate::schema::Table;
use crate::tree::{Attribute, Block, Body};

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
        Self { dialect, kind, syntax: Syntax::of(path) }
    }

    /// The language and the kind of file in a key for equal contents.
    pub(crate) fn key(&self) -> (String, Option<FileKind>, bool) {
        (self.language().to_owned(), self.kind, self.syntax == Syntax::Json)
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
    /// The parts whose values are withheld.
    withheld: Vec<Span>,
    variable_values: bool,
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
}

/// Returns the rows of a file. The name of the source says its language.
pub(crate) fn extract(source: Source, file: &FileType, sha256: &str, wanted: &Wanted) -> FileRows {
    let document = match file.syntax {
        Syntax::Json => Document::parse_json(source),
        Syntax::Native => Document::parse(source, StartSymbol::Config),
    };
    let json = (file.syntax == Syntax::Json).then(|| JsonDocument::parse(document.shared_source().clone()));
    let diagnostics = json.as_ref().map_or(document.diagnostics(), JsonDocument::diagnostics);
    let source = document.source();
    let needs_uses = [Table::References, Table::Attributes, Table::Outputs, Table::Locals];
    let needs_uses = needs_uses.iter().any(|table| wanted.tables[*table as usize]);
    let uses =
        if needs_uses { Names::in_language(&document, file.dialect.clone()).uses() } else { Vec::new() };
    let mut pass = Pass {
        source,
        kind: file.kind,
        // Variable files have no blocks.
        dialect: file.dialect.clone().filter(|_| file.kind != Some(FileKind::Values)),
        uses,
        withheld: Vec::new(),
        variable_values: wanted.variable_values,
        out: Collector::new(wanted.tables, wanted.most_bytes),
    };
    let errors = diagnostics.errors();
    pass.out.broken = errors > 0;
    pass.out.limited = has_limit(diagnostics);
    let whole = Span::new(0, source.len());
    pass.out
        .row(Table::Files)
        .text(file.language())
        .text(if file.syntax == Syntax::Json { "json" } else { "native" })
        .maybe(file.kind.map(kind_name))
        .text(sha256)
        .int(source.line_count())
        .int(source.bytes().len())
        .int(errors)
        .at(source, whole);
    let is_values = file.kind == Some(FileKind::Values);
    let body = match &json {
        Some(json) => Body::json(json.root(), file.dialect.as_deref(), is_values),
        None => Body::native(document.body()),
    };
    pass.body(&body, None);
    pass.diagnostics(diagnostics);
    pass.out.finish()
}

impl<'d> Pass<'d> {
    fn body(&mut self, body: &Body<'d>, around: Option<Around<'_>>) {
        for attribute in &body.attributes {
            self.attribute(body, attribute, around);
        }
        for block in &body.blocks {
            self.block(block, around);
        }
    }

    fn block(&mut self, block: &Block<'d>, around: Option<Around<'_>>) {
        let dialect = self.dialect.clone();
        let rule = match around {
            None => dialect.as_ref().and_then(|dialect| dialect.block(&block.block_type)),
            Some(_) => None,
        };
        let defined = rule.and_then(|rule| rule.defines.address(&block.labels, None));
        let defined = defined.map(|names| dotted(&names));
        let address = match (&defined, around) {
            (Some(address), _) => address.clone(),
            (None, around) => {
                let first = around.map(|around| around.address).into_iter();
                let own =
                    std::iter::once(&*block.block_type).chain(block.labels.iter().map(|label| &**label));
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
        let resource_type = block.labels.first().filter(|_| is_resource).map(|label| &**label);
        let row = self.out.row(Table::Blocks);
        row.text(&address)
            .text(&block.block_type)
            .texts(&block.labels)
            .maybe(is_resource.then_some(mode))
            .maybe(resource_type)
            .maybe(block.labels.last())
            .maybe(around.map(|around| around.address))
            .maybe_int(around.map(|around| around.start))
            .maybe(block.comment.as_ref())
            .at(self.source, block.span);
        let declaration = match around {
            Some(around) => around.declaration,
            None => Some(address.as_str()),
        };
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
        };
        self.declared(block, own);
        self.body(&block.body, Some(own));
    }

    fn attribute(&mut self, body: &Body<'d>, attribute: &Attribute<'d>, around: Option<Around<'_>>) {
        let is_withheld = self.is_withheld(body, attribute, around);
        if is_withheld {
            self.withheld.push(attribute.span);
        }
        // Each attribute of `locals` has an address of its own.
        let own_address = around.and_then(|around| self.address_in(around, &attribute.name));
        let declaration = own_address.as_deref().or(around.and_then(|around| around.declaration));
        if !is_withheld {
            self.references(attribute.span, declaration, Some(&attribute.name));
        }
        let addresses = if is_withheld { Vec::new() } else { self.addresses(attribute.span) };
        let (mut expression, mut value) = (None, None);
        if !is_withheld && (self.out.wants(Table::Attributes) || self.out.wants(Table::Locals)) {
            value = literal::json(attribute.value);
            expression = Some(std::borrow::Cow::Borrowed(attribute.value.text()));
            if let Some(shown) = declared::shown_source(attribute) {
                let mut json = String::new();
                literal::quote(&shown, &mut json);
                (value, expression) = (Some(json.clone()), Some(json.into()));
            }
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
            Some(Role::Inputs) => self.input_of_attribute(attribute),
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

    /// Whether the value of an attribute is withheld.
    fn is_withheld(&self, body: &Body<'d>, attribute: &Attribute<'d>, around: Option<Around<'_>>) -> bool {
        match around {
            None => self.kind == Some(FileKind::Values) && !self.variable_values,
            Some(around) => match around.role {
                Some(Role::Input) => attribute.name == "default" && is_sensitive(body),
                Some(Role::Result | Role::Value) => {
                    matches!(&*attribute.name, "value" | "expression") && is_sensitive(body)
                }
                // Tests set variables, too.
                _ => {
                    around.block_type == "variables"
                        && self.kind.is_some_and(is_test)
                        && !self.variable_values
                }
            },
        }
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
        for address in self.uses_in(span).iter().filter_map(|found| found.address.as_ref()) {
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
            at += 1;
        }
    }

    fn diagnostics(&mut self, diagnostics: &Diagnostics) {
        for diagnostic in diagnostics {
            let span = diagnostic.span();
            let touches = |own: &Span| own.start <= span.end && span.start <= own.end;
            let is_withheld = self.kind == Some(FileKind::Values) || self.withheld.iter().any(touches);
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
        .text(if file.syntax == Syntax::Json { "json" } else { "native" })
        .maybe(file.kind.map(kind_name))
        .null()
        .int(0)
        .int(bytes)
        .int(1)
        .nowhere();
    out.limited = code == "source-too-large";
    let unread = !out.limited;
    out.row(Table::Diagnostics).text(code).text("error").text("Unreadable file").text(why).nowhere();
    FileRows { unread, ..out.finish() }
}

/// Whether a block is declared as sensitive, or may be: an expression can be true.
pub(crate) fn is_sensitive(body: &Body<'_>) -> bool {
    body.attribute("sensitive").is_some_and(|own| literal::bool(own.value) != Some(false))
        || body.attribute("ephemeral").is_some_and(|own| literal::bool(own.value) != Some(false))
}

/// Whether a limit ended some of the work.
pub(crate) fn has_limit(found: &Diagnostics) -> bool {
    let is_limit =
        |code: Code| code.is_limit() || matches!(code, Code::NestingTooDeep | Code::SourceTooLarge);
    found.iter().any(|diagnostic| diagnostic.code().is_some_and(is_limit))
}

fn is_test(kind: FileKind) -> bool {
    matches!(kind, FileKind::Tests | FileKind::Mocks)
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
