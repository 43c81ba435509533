//! Finding the declarations of a name and the references to it in a file.

use std::sync::Arc;

use hclkit_dialect::{Dialect, FileKind, StringNames};
use hclkit_model::{Expression, Target, Traversal};
use hclkit_syntax::ast::{AttributeNode, BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item};
use hclkit_syntax::{Addresses, Document, JsonAddresses, NodeKind, Span, Syntax, json};
use hclkit_value::Value;

use super::instances::InstanceUse;
use super::{Form, Occurrence, OccurrenceKind, Symbol};
use crate::path::{Match, Selector};

/// What belongs to the module that a `run` block tests.
const TESTED: [&str; 6] =
    ["assert", "expect_failures", "plan_options", "override_resource", "override_data", "override_module"];

pub(super) fn find(symbol: &Symbol, document: &Document) -> Vec<Occurrence> {
    find_in(symbol, document, None)
}

/// The references to a name of the module that a `run` block tests, where they are in this block.
pub(super) fn in_run(symbol: &Symbol, document: &Document, run: &str) -> Vec<Occurrence> {
    find_in(symbol, document, Some(run))
}

fn find_in(symbol: &Symbol, document: &Document, run: Option<&str>) -> Vec<Occurrence> {
    let json = (document.syntax() == Syntax::Json)
        .then(|| json::JsonDocument::parse(document.shared_source().clone()));
    let places = match &json {
        Some(json) => Places::Json(JsonAddresses::of(json)),
        None => Places::Native(Addresses::of(document)),
    };
    let mut finder = Finder {
        symbol,
        document,
        places,
        is_test: is_test(document),
        dialects: dialects(document),
        foreign_runs: Vec::new(),
        matrices: Vec::new(),
        run,
        out: Vec::new(),
    };
    if run.is_none() {
        finder.find_foreign_runs();
        finder.find_matrices();
        finder.declarations();
        for InstanceUse { span, name } in super::instances::find(symbol, document) {
            let (kind, address) = (OccurrenceKind::Reference, finder.address(span));
            finder.out.push(Occurrence { kind, span, address, name, form: Form::Plain });
        }
    }
    match &json {
        _ if holds_variables(document) => {}
        Some(json) => finder.json(json),
        None => finder.body(document.body(), &mut Vec::new(), OccurrenceKind::Reference),
    }
    let mut found = finder.out;
    found.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end));
    found.dedup_by_key(|occurrence| occurrence.span);
    found
}

/// Returns true if a file sets variables, according to its name.
pub(super) fn holds_variables(document: &Document) -> bool {
    kind(document) == Some(FileKind::Values)
}

/// Whether a file has tests of Terraform, according to its name.
pub(super) fn is_test(document: &Document) -> bool {
    kind(document) == Some(FileKind::Tests)
}

fn kind(document: &Document) -> Option<FileKind> {
    let name = document.source().name();
    Dialect::of_path(name)?.file_kind(name)
}

/// The languages that a file can be of: all of them, if its name does not say it. That of tests is another one than that of
/// modules.
fn dialects(document: &Document) -> Vec<Arc<Dialect>> {
    let name = document.source().name();
    let Some(dialect) = Dialect::of_path(name) else { return Dialect::all().collect() };
    let part = dialect.file_kind(name).and_then(|kind| dialect.of_kind(kind).cloned());
    std::iter::once(dialect).chain(part).collect()
}

/// Finds addresses in a document of either syntax.
enum Places<'a> {
    Native(Addresses<'a>),
    Json(JsonAddresses<'a>),
}

struct Finder<'a> {
    symbol: &'a Symbol,
    document: &'a Document,
    places: Places<'a>,
    is_test: bool,
    /// The languages that the file can be of.
    dialects: Vec<Arc<Dialect>>,
    /// The addresses of `run` blocks that test another module, which has names of its own.
    foreign_runs: Vec<String>,
    /// The addresses of Bake's targets whose matrix gives the symbol's name another meaning.
    matrices: Vec<String>,
    /// The address of the only `run` block to search, for names of the module that it tests.
    run: Option<&'a str>,
    out: Vec<Occurrence>,
}

impl Finder<'_> {
    fn find_foreign_runs(&mut self) {
        if !self.is_test {
            return;
        }
        let Ok(modules) = "run.*.module".parse::<Selector>() else { return };
        for module in modules.select(self.document).into_iter().flatten() {
            if let Some((run, _)) = module.address().rsplit_once(".module") {
                self.foreign_runs.push(run.to_owned());
            }
        }
    }

    /// Each name of a matrix is a variable in its target.
    fn find_matrices(&mut self) {
        let [name] = &self.symbol.names[..] else { return };
        let Ok(matrices) = "target.*.matrix".parse::<Selector>() else { return };
        for matrix in matrices.select(self.document).into_iter().flatten() {
            let Some(object) = matrix.expression() else { continue };
            let key = |span: Span| self.document.source().slice(span).trim_matches('"') == name;
            if let (true, Some((target, _))) =
                (object.items().any(|item| key(item.key_span())), matrix.address().rsplit_once(".matrix"))
            {
                self.matrices.push(target.to_owned());
            }
        }
    }

    /// Whether an expression at an address is in a target whose matrix has the name.
    fn is_in_matrix(&self, address: &str) -> bool {
        let rest =
            self.matrices.iter().find_map(|target| address.strip_prefix(target.as_str())?.strip_prefix('.'));
        rest.is_some_and(|rest| rest.split(['.', '[']).next() != Some("matrix"))
    }

    /// The rest of an address in a `run` block that tests another module.
    fn in_foreign_run<'t>(&self, address: &'t str) -> Option<&'t str> {
        self.foreign_runs.iter().find_map(|run| address.strip_prefix(run.as_str())?.strip_prefix('.'))
    }

    /// Whether an expression at an address is about another module.
    fn is_foreign(&self, address: &str) -> bool {
        let is_tested = |inside: &str| inside.split(['.', '[']).next().is_some_and(|it| TESTED.contains(&it));
        match self.run {
            Some(run) => {
                !address.strip_prefix(run).and_then(|rest| rest.strip_prefix('.')).is_some_and(is_tested)
            }
            None => self.in_foreign_run(address).is_some_and(is_tested),
        }
    }

    /// The number of names in `run.NAME.OUTPUT`, if that is the symbol: an output of the module that is tested.
    fn output_of_run(&self, traversal: &Traversal) -> Option<usize> {
        let [root, output] = &self.symbol.names[..] else { return None };
        if !self.is_test || self.run.is_some() || root != "output" || traversal.root != "run" {
            return None;
        }
        let name = |step: usize| match &traversal.steps.get(step)?.target {
            Target::Attribute(name) => Some(name.as_str()),
            Target::Element(key) => key.as_str(),
        };
        let run = format!("run.{}", name(0)?);
        (name(1)? == output && !self.foreign_runs.contains(&run)).then_some(3)
    }

    /// The path of the innermost part of the document around a span.
    fn address(&mut self, span: Span) -> String {
        match &mut self.places {
            Places::Native(addresses) => addresses.at(span.start),
            Places::Json(addresses) => addresses.at(span.start),
        }
    }

    fn declarations(&mut self) {
        let names = &self.symbol.names;
        let path = |prefix: &[&str], names: &[String]| {
            let names = prefix.iter().copied().chain(names.iter().map(String::as_str));
            let steps: Vec<String> = names.map(|name| format!("[{}]", Value::from(name))).collect();
            steps.concat()
        };
        let paths = match &names[..] {
            [root, name] if root == "var" && holds_variables(self.document) => {
                vec![path(&[], std::slice::from_ref(name))]
            }
            [root, name] if root == "var" => {
                let name = std::slice::from_ref(name);
                vec![
                    path(&["variable"], name),
                    path(&["variables"], name),
                    path(&["run"], &[]) + "~.variables" + &path(&[], name),
                ]
            }
            _ if holds_variables(self.document) => Vec::new(),
            [root, name] if root == "local" => {
                let name = std::slice::from_ref(name);
                vec![path(&["locals"], name), path(&["local"], name)]
            }
            [_] => vec![path(&[], names), path(&["variable"], names)],
            // What follows the name of a call is an output of the module, not an argument.
            [root, _, _, ..] if root == "module" || root == "run" => Vec::new(),
            [_, _] => vec![path(&[], names), path(&["resource"], names)],
            _ => vec![path(&[], names)],
        };
        for path in paths {
            let Ok(path) = path.parse::<Selector>() else { continue };
            for found in path.select(self.document).into_iter().flatten() {
                if self.in_foreign_run(found.address()).is_none() {
                    self.declaration(&found);
                }
            }
        }
        if let [provider, alias] = &names[..] {
            for kind in ["provider", "mock_provider"] {
                self.alias(&path(&[kind], std::slice::from_ref(provider)), alias);
            }
        }
    }

    /// The `alias` of a provider declares a name.
    fn alias(&mut self, provider: &str, alias: &str) {
        let Ok(path) = format!("{provider}.alias").parse::<Selector>() else { return };
        for found in path.select(self.document).into_iter().flatten() {
            let Some(value) = found.expression() else { continue };
            let is_meant = match value.kind() {
                ExpressionKind::Template(template) => template.as_literal().as_deref() == Some(alias),
                _ => false,
            };
            if is_meant {
                let (kind, span, form) = (OccurrenceKind::Declaration, value.span(), Form::Quoted);
                let address = found.address().to_owned();
                self.out.push(Occurrence { kind, span, address, name: span, form });
            }
        }
    }

    fn declaration(&mut self, found: &Match<'_>) {
        let document = self.document;
        let tree = document.tree();
        let address = found.address().to_owned();
        let span = match tree.kind(found.node()) {
            NodeKind::Attribute => document.tokens().span(tree.token_range(found.node()).0),
            NodeKind::ObjectItem => document.span(tree.children(found.node()).next().unwrap_or(found.node())),
            NodeKind::Block => {
                let Some(block) = document.block_at(found.node()) else { return };
                match block.labels().last() {
                    Some(label) if label.id() == found.named() => label.span(),
                    _ => return,
                }
            }
            _ => return,
        };
        let is_quoted = document.source().slice(span).starts_with('"');
        let form = if is_quoted { Form::Quoted } else { Form::Plain };
        self.out.push(Occurrence { kind: OccurrenceKind::Declaration, span, address, name: span, form });
    }

    /// Finds the references in a body. `hidden` are names with another meaning here.
    fn body(&mut self, body: BodyNode<'_>, hidden: &mut Vec<String>, kind: OccurrenceKind) {
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => self.attribute(attribute, hidden, kind),
                Item::Block(block) => {
                    let kind = match block.block_type() {
                        "moved" | "removed" => OccurrenceKind::History,
                        _ => kind,
                    };
                    self.labels(block);
                    let iterator = iterator(block);
                    let count = hidden.len();
                    for inner in block.body().items() {
                        let is_content = inner.block().is_some_and(|inner| inner.block_type() == "content");
                        match (&iterator, inner) {
                            (Some(iterator), Item::Block(content)) if is_content => {
                                hidden.push(iterator.clone());
                                self.body(content.body(), hidden, kind);
                                hidden.truncate(count);
                            }
                            _ => {}
                        }
                    }
                    if iterator.is_some() {
                        for attribute in block.body().attributes().filter(|it| it.name() != "iterator") {
                            self.attribute(attribute, hidden, kind);
                        }
                    } else {
                        self.body(block.body(), hidden, kind);
                    }
                }
            }
        }
    }

    fn attribute(&mut self, attribute: AttributeNode<'_>, hidden: &[String], kind: OccurrenceKind) {
        let value = attribute.value();
        // The keys of `providers` are names in the called module.
        if attribute.name() == "providers" && matches!(value.kind(), ExpressionKind::Object) {
            return value.items().for_each(|item| self.value("providers", item.value(), hidden, kind));
        }
        self.value(attribute.name(), value, hidden, kind);
        value.elements().for_each(|element| self.string(attribute.name(), element, kind));
        if self.string_names(attribute.name()).is_some() {
            value.items().for_each(|item| self.string(attribute.name(), item.value(), kind));
        }
    }

    fn value(&mut self, attribute: &str, value: ExpressionNode<'_>, hidden: &[String], kind: OccurrenceKind) {
        for traversal in Expression::from_ast(value).variables() {
            if !hidden.iter().any(|name| *name == *traversal.root) {
                self.traversal(&traversal, kind, Form::Quoted);
            }
        }
        self.string(attribute, value, kind);
    }

    fn traversal(&mut self, traversal: &Traversal, kind: OccurrenceKind, quotes: Form) {
        let matches = self.symbol.matches(traversal).or_else(|| self.output_of_run(traversal));
        let Some(count) = matches else { return };
        let source = self.document.source();
        let last = match count {
            1 => traversal.root_span,
            _ => traversal.steps[count - 2].span,
        };
        let text = source.slice(last);
        let name = self.symbol.name();
        let (name, form) = if text.ends_with(name) {
            (Span::new(last.end - name.len() as u32, last.end), Form::Plain)
        } else {
            // A key in brackets and quotes.
            let (Some(open), Some(close)) = (text.find('['), text.rfind(']')) else { return };
            (Span::new(last.start + open as u32 + 1, last.start + close as u32), quotes)
        };
        let span = traversal.root_span.cover(last);
        let address = self.address(span);
        if traversal.root != "run" && self.is_foreign(&address) || self.is_in_matrix(&address) {
            return;
        }
        self.out.push(Occurrence { kind, span, address, name, form });
    }

    fn string_names(&self, attribute: &str) -> Option<&StringNames> {
        self.dialects
            .iter()
            .flat_map(|dialect| &dialect.string_names)
            .find(|rule| *rule.attribute == *attribute)
    }

    /// A string that is read as a reference, and is the value of an attribute or an element of it.
    fn string(&mut self, attribute: &str, value: ExpressionNode<'_>, kind: OccurrenceKind) {
        let ExpressionKind::Template(template) = value.kind() else { return };
        if template.as_literal().is_some() && value.document().tree().kind(value.id()) == NodeKind::String {
            self.text(attribute, Span::new(value.span().start + 1, value.span().end - 1), kind);
        }
    }

    /// The content of a string without sequences.
    fn text(&mut self, attribute: &str, inside: Span, kind: OccurrenceKind) {
        let text = self.document.source().slice(inside);
        let names = &self.symbol.names;
        if self.dialects.iter().any(|dialect| dialect.has_reference_strings(attribute)) {
            let Ok(expression) = Expression::parse(text) else { return };
            let Ok(mut traversal) = expression.static_traversal() else { return };
            let moved = |span: Span| Span::new(span.start + inside.start, span.end + inside.start);
            traversal.root_span = moved(traversal.root_span);
            traversal.steps.iter_mut().for_each(|step| step.span = moved(step.span));
            return self.traversal(&traversal, kind, Form::Escaped);
        }
        // Docker Bake and Packer have names in strings.
        let Some(rule) = self.string_names(attribute) else { return };
        let Some((block, labels)) = names.split_first() else { return };
        if labels.len() < rule.labels || !rule.blocks.iter().any(|own| *own == **block) {
            return;
        }
        let expected = format!("{}{}", rule.prefix, labels[labels.len() - rule.labels..].join("."));
        let first = expected.len() - self.symbol.name().len();
        if text == expected {
            let name = Span::new(inside.start + first as u32, inside.end);
            let address = self.address(inside);
            self.out.push(Occurrence { kind, span: inside, address, name, form: Form::Plain });
        }
    }

    /// The labels of a `source` block within a `build` block of Packer.
    fn labels(&mut self, block: BlockNode<'_>) {
        let mut labels = block.labels();
        if let (Some(label), None) = (labels.next(), labels.next())
            && label.is_quoted()
        {
            let inside = Span::new(label.span().start + 1, label.span().end - 1);
            self.text(block.block_type(), inside, OccurrenceKind::Reference);
        }
    }

    fn json(&mut self, values: &json::JsonDocument) {
        let document = self.document;
        let of = |address: &str| match address.split(['.', '[']).next() {
            Some("moved" | "removed") => OccurrenceKind::History,
            _ => OccurrenceKind::Reference,
        };
        for traversal in Expression::from_json(values.root()).variables() {
            let address = self.address(traversal.root_span);
            let kind = of(&address);
            self.traversal(&traversal, kind, Form::Escaped);
        }
        let items =
            "..*".parse::<Selector>().ok().and_then(|all| all.select(document).ok()).unwrap_or_default();
        for found in items {
            let tree = document.tree();
            let (NodeKind::ObjectItem, Some(value)) = (tree.kind(found.node()), found.expression()) else {
                continue;
            };
            let Some(key) = tree.children(found.node()).next() else { continue };
            let key = document.text(key).trim_matches('"');
            let is_in = |name: &&str| found.address().contains(&format!(".{name}"));
            let name = ["providers", "contexts"].into_iter().find(is_in).unwrap_or(key);
            let name = name.to_owned();
            let kind = of(found.address());
            self.string(&name, value, kind);
            value.elements().for_each(|element| self.string(&name, element, kind));
        }
    }
}

/// The name that a `dynamic` block declares for its content.
pub(super) fn iterator(block: BlockNode<'_>) -> Option<String> {
    if block.block_type() != "dynamic" {
        return None;
    }
    let named = block.body().attribute("iterator").map(|attribute| attribute.value().text().to_owned());
    named.or_else(|| block.labels().next().map(|label| label.value().into_owned()))
}
