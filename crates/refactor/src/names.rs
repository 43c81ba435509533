//! The names in a file, found once for all questions about them.

use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use hclkit_dialect::{Contents, Dialect, FileKind, Role, Statement, StringNames, Strings, tree};
use hclkit_limits::with_room;
use hclkit_model::{Expression, Target, Traversal};
use hclkit_syntax::ast::{AttributeNode, BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item};
use hclkit_syntax::{Addresses, Document, JsonAddresses, NodeKind, Span, json};
use hclkit_write::Selector;

use crate::instances::{self, InstanceUse, iterator};
use crate::occurrence::{Occurrence, OccurrenceKind, WrittenForm};
use crate::{DeclaredName, Symbol};

/// The attribute that passes configurations of providers to a module.
const PROVIDERS: &str = "providers";

/// What belongs to the module that a `run` block tests.
const TESTED: [&str; 6] =
    ["assert", "expect_failures", "plan_options", "override_resource", "override_data", "override_module"];

/// The names in a file. To find the occurrences of several [symbols](Symbol), the file is searched only once.
///
/// ```
/// use hclkit_refactor::{Names, Symbol};
///
/// let document = hclkit_syntax::parse("a = b.c\nd = [b.c, b.e]\n");
/// let names = Names::of(&document);
/// assert_eq!(names.occurrences(&"b.c".parse()?).len(), 2);
/// assert_eq!(names.occurrences(&"b.e".parse()?).len(), 1);
/// # Ok::<(), hclkit_refactor::SymbolError>(())
/// ```
#[derive(Clone)]
pub struct Names {
    pub(crate) document: Document,
    /// What the file contains, according to its name.
    pub(crate) kind: Option<FileKind>,
    /// The language of the file, if it is known.
    pub(crate) language: Option<Arc<Dialect>>,
    /// The languages whose tables describe the content: all of them, if that of the file is not known.
    pub(crate) languages: Vec<Arc<Dialect>>,
    /// The addresses of `run` blocks that test another module, which has names of its own.
    foreign_runs: Vec<String>,
    /// The addresses of Bake's targets with a matrix, and the names that have another meaning there.
    matrices: Vec<(String, Vec<String>)>,
    references: Vec<Reference>,
    strings: Vec<NamedString>,
    /// The names of the functions that expressions call, and where. Empty if files declare none.
    calls: Vec<(String, Span)>,
    /// What the file declares, once it was asked for.
    pub(crate) declared: OnceLock<Vec<DeclaredName>>,
}

/// A reference in an expression, or in a string that is read as one.
#[derive(Clone, Debug)]
struct Reference {
    traversal: Traversal,
    kind: OccurrenceKind,
    /// How a key in brackets is written.
    quotes: WrittenForm,
    /// It is a key of `providers`.
    is_key: bool,
}

/// A string that names a block.
#[derive(Clone, Debug)]
struct NamedString {
    /// The attribute, which has a rule in the table of a language.
    attribute: String,
    /// The span of the text.
    inside: Span,
    kind: OccurrenceKind,
}

/// Finds addresses in a document of either syntax.
enum Places<'a> {
    Native(Addresses<'a>),
    Json(JsonAddresses<'a>),
}

impl Places<'_> {
    /// The path of the innermost part of the document around a span.
    fn at(&mut self, span: Span) -> String {
        match self {
            Self::Native(addresses) => addresses.at(span.start),
            Self::Json(addresses) => addresses.at(span.start),
        }
    }
}

/// The file, and how many references it has.
impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Names")
            .field("file", &self.document.source().name())
            .field("references", &(self.references.len() + self.strings.len()))
            .finish_non_exhaustive()
    }
}

impl Symbol {
    /// Returns the declarations of the name in a file and the references to it, in source order.
    ///
    /// Names that a `for` expression or a `dynamic` block declares are not included. The name of the source determines
    /// whether it is a file of variables, such as `*.tfvars`. To find several names in a file, use [`Names`].
    pub fn occurrences(&self, document: &Document) -> Vec<Occurrence> {
        Names::of(document).occurrences(self)
    }
}

impl Names {
    /// Finds the names in a file. The name of its source says the language, and what the file contains.
    pub fn of(document: &Document) -> Self {
        Self::in_language(document, Dialect::of_path(document.source().name()))
    }

    /// Finds the names in a file of a language. Without a language, it can be any of them. A file with blocks that only another
    /// language of files with its name has is one of that: an `encryption` in a `terraform` block is OpenTofu's.
    pub fn in_language(document: &Document, language: Option<Arc<Dialect>>) -> Self {
        let name = document.source().name();
        // The blocks of a file in the JSON syntax, which the table of a language tells apart from attributes.
        let blocks = |language: Option<&Arc<Dialect>>| {
            document.json().map(|_| tree::Body::of(document, content_of(language, name), false))
        };
        let mut body = blocks(language.as_ref());
        let other = language.as_ref().and_then(|own| of_content(own, document, body.as_ref()));
        if other.is_some() {
            body = blocks(other.as_ref());
        }
        let language = other.or(language);
        let kind = language.as_ref().and_then(|language| language.file_kind(name));
        let languages = languages_of(language.as_ref(), name);
        let mut names = Self {
            document: document.clone(),
            kind,
            language,
            languages,
            foreign_runs: Vec::new(),
            matrices: Vec::new(),
            references: Vec::new(),
            strings: Vec::new(),
            calls: Vec::new(),
            declared: OnceLock::new(),
        };
        names.find_foreign_runs();
        names.find_matrices();
        if kind != Some(FileKind::Values) {
            match (document.json(), body) {
                (Some(json), Some(body)) => names.json(json, &body),
                _ => names.body(document.body(), &mut Vec::new(), OccurrenceKind::Reference),
            }
        }
        names
    }

    /// The language whose table describes the content.
    pub(crate) fn content(&self) -> Option<&Dialect> {
        content_of(self.language.as_ref(), self.document.source().name())
    }

    /// The file.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The declarations of a name and the references to it, in source order. See [`Symbol::occurrences`].
    pub fn occurrences(&self, symbol: &Symbol) -> Vec<Occurrence> {
        let mut found = self.declarations(symbol);
        let mut places = self.places();
        for InstanceUse { span, name } in instances::find(symbol, &self.document) {
            let (kind, address) = (OccurrenceKind::Reference, places.at(span));
            found.push(Occurrence { kind, span, address, name, form: WrittenForm::Plain });
        }
        self.find(symbol, None, &mut places, found)
    }

    /// The references in expressions, and in strings that are read as references.
    pub(crate) fn traversals(&self) -> impl Iterator<Item = (&Traversal, OccurrenceKind)> {
        self.references.iter().map(|reference| (&reference.traversal, reference.kind))
    }

    /// The strings that name blocks, each with its attribute.
    pub(crate) fn named_strings(&self) -> impl Iterator<Item = (&str, Span, OccurrenceKind)> {
        self.strings.iter().map(|string| (string.attribute.as_str(), string.inside, string.kind))
    }

    /// The references to a name of the module that a `run` block tests, where they are in this block.
    pub(crate) fn in_run(&self, symbol: &Symbol, run: &str) -> Vec<Occurrence> {
        self.find(symbol, Some(run), &mut self.places(), Vec::new())
    }

    /// Adds the references to a name.
    fn find(
        &self,
        symbol: &Symbol,
        run: Option<&str>,
        places: &mut Places<'_>,
        mut found: Vec<Occurrence>,
    ) -> Vec<Occurrence> {
        let references = self.references.iter();
        found.extend(references.filter_map(|reference| self.reference(reference, symbol, run, places)));
        found.extend(self.strings.iter().filter_map(|string| self.named_string(string, symbol, places)));
        if let ([block_type, name], None) = (&symbol.names[..], run)
            && self.is_called(block_type)
        {
            for (_, span) in self.calls.iter().filter(|(own, _)| own == name) {
                let (span, kind, address) = (*span, OccurrenceKind::Reference, places.at(*span));
                found.push(Occurrence { kind, span, address, name: span, form: WrittenForm::Plain });
            }
        }
        found.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end));
        found.dedup_by_key(|occurrence| occurrence.span);
        found
    }

    /// Whether blocks of a type define functions.
    fn is_called(&self, block_type: &str) -> bool {
        self.languages.iter().any(|language| language.block(block_type).is_some_and(|rule| rule.called))
    }

    /// Finds the functions that an expression calls, if files can declare functions.
    fn find_calls(&mut self, expression: &Expression) {
        if self.languages.iter().any(|language| language.blocks.iter().any(|rule| rule.called)) {
            calls(expression, &mut self.calls);
        }
    }

    fn places(&self) -> Places<'_> {
        match self.document.json() {
            Some(json) => Places::Json(JsonAddresses::of(json)),
            None => Places::Native(Addresses::of(&self.document)),
        }
    }

    fn is_test(&self) -> bool {
        self.kind == Some(FileKind::Tests)
    }

    fn find_foreign_runs(&mut self) {
        if !self.is_test() {
            return;
        }
        let Ok(modules) = "run.*.module".parse::<Selector>() else { return };
        let modules = modules.select(&self.document).unwrap_or_default();
        let runs = modules.iter().filter_map(|module| module.address().rsplit_once(".module"));
        self.foreign_runs = runs.map(|(run, _)| run.to_owned()).collect();
    }

    /// Each name of a matrix is a variable in its target.
    fn find_matrices(&mut self) {
        let Ok(matrices) = "target.*.matrix".parse::<Selector>() else { return };
        let source = self.document.source();
        let matrices = matrices.select(&self.document).unwrap_or_default();
        let of = |matrix: &hclkit_write::Match<'_>| {
            let (target, _) = matrix.address().rsplit_once(".matrix")?;
            let key = |span: Span| source.slice(span).trim_matches('"').to_owned();
            Some((target.to_owned(), matrix.expression()?.items().map(|item| key(item.key_span())).collect()))
        };
        self.matrices = matrices.iter().filter_map(of).collect();
    }

    /// Whether an expression at an address is in a target whose matrix has the name.
    fn is_in_matrix(&self, symbol: &Symbol, address: &str) -> bool {
        let [name] = &symbol.names[..] else { return false };
        let mut with_name = self.matrices.iter().filter(|(_, names)| names.contains(name));
        let rest = with_name.find_map(|(target, _)| address.strip_prefix(target.as_str())?.strip_prefix('.'));
        rest.is_some_and(|rest| rest.split(['.', '[']).next() != Some("matrix"))
    }

    /// The rest of an address in a `run` block that tests another module.
    pub(crate) fn in_foreign_run<'t>(&self, address: &'t str) -> Option<&'t str> {
        self.foreign_runs.iter().find_map(|run| address.strip_prefix(run.as_str())?.strip_prefix('.'))
    }

    /// Whether an expression at an address is about another module, if only one `run` block is searched or all of the file.
    fn is_foreign(&self, address: &str, run: Option<&str>) -> bool {
        let is_tested = |inside: &str| inside.split(['.', '[']).next().is_some_and(|it| TESTED.contains(&it));
        match run {
            Some(run) => {
                !address.strip_prefix(run).and_then(|rest| rest.strip_prefix('.')).is_some_and(is_tested)
            }
            None => self.in_foreign_run(address).is_some_and(is_tested),
        }
    }

    /// The number of names in `run.NAME.OUTPUT`, if that is the symbol: an output of the module that is tested.
    fn output_of_run(&self, symbol: &Symbol, traversal: &Traversal, run: Option<&str>) -> Option<usize> {
        let [root, output] = &symbol.names[..] else { return None };
        if !self.is_test() || run.is_some() || root != "output" || traversal.root != "run" {
            return None;
        }
        let name = |step: usize| match &traversal.steps.get(step)?.target {
            Target::Attribute(name) => Some(name.as_str()),
            Target::Element(key) => key.as_str(),
        };
        let run = format!("run.{}", name(0)?);
        (name(1)? == output && !self.foreign_runs.contains(&run)).then_some(3)
    }

    fn reference(
        &self,
        reference: &Reference,
        symbol: &Symbol,
        run: Option<&str>,
        places: &mut Places<'_>,
    ) -> Option<Occurrence> {
        let Reference { traversal, kind, quotes, is_key } = reference;
        let count = symbol.matches(traversal).or_else(|| self.output_of_run(symbol, traversal, run))?;
        let source = self.document.source();
        let last = match count {
            1 => traversal.root_span,
            _ => traversal.steps[count - 2].span,
        };
        let text = source.slice(last);
        let name = symbol.name();
        let (name, form) = if text.ends_with(name) {
            (Span::new(last.end - name.len() as u32, last.end), WrittenForm::Plain)
        } else {
            // A key in brackets and quotes.
            let (open, close) = (text.find('[')?, text.rfind(']')?);
            (Span::new(last.start + open as u32 + 1, last.start + close as u32), *quotes)
        };
        let span = traversal.root_span.cover(last);
        let address = places.at(span);
        if traversal.root != "run" && self.is_foreign(&address, run) || self.is_in_matrix(symbol, &address) {
            return None;
        }
        if *is_key && self.in_foreign_run(&address).is_some() {
            return None;
        }
        Some(Occurrence { kind: *kind, span, address, name, form })
    }

    /// Docker Bake and Packer have names in strings.
    fn named_string(
        &self,
        string: &NamedString,
        symbol: &Symbol,
        places: &mut Places<'_>,
    ) -> Option<Occurrence> {
        let NamedString { attribute, inside, kind } = string;
        let rule = self.string_names(attribute)?;
        let (block, labels) = symbol.names.split_first()?;
        if labels.len() < rule.labels || !rule.blocks.iter().any(|own| *own == **block) {
            return None;
        }
        let short = format!("{}{}", rule.prefix, labels[labels.len() - rule.labels..].join("."));
        let text = self.document.source().slice(*inside);
        if text != short && (rule.keys || text != symbol.to_string()) {
            return None;
        }
        let name = Span::new(inside.end - symbol.name().len() as u32, inside.end);
        let address = places.at(*inside);
        Some(Occurrence { kind: *kind, span: *inside, address, name, form: WrittenForm::Plain })
    }

    /// What a block of a type records, if it is about the past.
    fn history(&self, block_type: &str) -> Option<OccurrenceKind> {
        let mut rules = self.languages.iter().filter_map(|language| language.block(block_type));
        let is_past = |rule: &hclkit_dialect::BlockRule| {
            matches!(rule.statement, Some(Statement::Move | Statement::Removal))
        };
        rules.any(is_past).then_some(OccurrenceKind::History)
    }

    /// Finds the references in a body. `hidden` are names with another meaning here.
    fn body(&mut self, body: BodyNode<'_>, hidden: &mut Vec<String>, kind: OccurrenceKind) {
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => self.attribute(attribute, hidden, kind),
                Item::Block(block) => {
                    let kind = self.history(block.block_type()).unwrap_or(kind);
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
                        self.dynamic_labels(block, kind);
                    } else {
                        self.body(block.body(), hidden, kind);
                    }
                }
            }
        }
    }

    fn attribute(&mut self, attribute: AttributeNode<'_>, hidden: &[String], kind: OccurrenceKind) {
        let value = attribute.value();
        // The keys of `providers` are names in the called module, or in the one that a run tests.
        if attribute.name() == PROVIDERS && matches!(value.kind(), ExpressionKind::Object) {
            for item in value.items() {
                self.value(PROVIDERS, item.value(), hidden, kind);
                self.provider_key(item.key_span());
            }
            return;
        }
        self.value(attribute.name(), value, hidden, kind);
        value.elements().for_each(|element| self.string(attribute.name(), element, kind));
        self.named_items(attribute.name(), value, kind);
    }

    /// The key of an item of `providers`, if the file has tests.
    fn provider_key(&mut self, key: Span) {
        if self.is_test() {
            let count = self.references.len();
            self.text(PROVIDERS, unquoted(&self.document, key), OccurrenceKind::Reference);
            self.references[count..].iter_mut().for_each(|reference| reference.is_key = true);
        }
    }

    fn value(&mut self, attribute: &str, value: ExpressionNode<'_>, hidden: &[String], kind: OccurrenceKind) {
        let expression = Expression::from_ast(value);
        self.find_calls(&expression);
        for traversal in expression.variables() {
            if !hidden.iter().any(|name| *name == *traversal.root) {
                self.references.push(Reference {
                    traversal,
                    kind,
                    quotes: WrittenForm::Quoted,
                    is_key: false,
                });
            }
        }
        self.string(attribute, value, kind);
    }

    /// The keys or the values of an object that name blocks.
    fn named_items(&mut self, attribute: &str, value: ExpressionNode<'_>, kind: OccurrenceKind) {
        let Some(rule) = self.string_names(attribute) else { return };
        let has_keys = rule.keys;
        for item in value.items() {
            if has_keys {
                let (attribute, inside) = (attribute.to_owned(), unquoted(&self.document, item.key_span()));
                self.strings.push(NamedString { attribute, inside, kind });
            } else {
                self.string(attribute, item.value(), kind);
            }
        }
    }

    pub(crate) fn string_names(&self, attribute: &str) -> Option<&StringNames> {
        let mut rules = self.languages.iter().flat_map(|dialect| &dialect.string_names);
        rules.find(|rule| *rule.attribute == *attribute)
    }

    /// A string that is read as a reference, and is the value of an attribute or an element of it.
    fn string(&mut self, attribute: &str, value: ExpressionNode<'_>, kind: OccurrenceKind) {
        if let Some(inside) = plain_text(value) {
            self.text(attribute, inside, kind);
        }
    }

    /// The content of a string without sequences.
    fn text(&mut self, attribute: &str, inside: Span, kind: OccurrenceKind) {
        if self.string_names(attribute).is_some() {
            self.strings.push(NamedString { attribute: attribute.to_owned(), inside, kind });
        }
        if self.languages.iter().any(|language| language.has_reference_strings(attribute)) {
            self.reference_text(inside, kind);
        }
    }

    /// The content of a string that is read as a reference.
    fn reference_text(&mut self, inside: Span, kind: OccurrenceKind) {
        let Some((text, starts)) = unescaped(self.document.source().slice(inside)) else { return };
        let Ok(expression) = Expression::parse(text.as_str()) else { return };
        if !expression.ast().is_some_and(is_address) {
            return;
        }
        let at = |place: u32| inside.start + starts[place as usize];
        let moved = |span: Span| Span::new(at(span.start), at(span.end));
        for mut traversal in expression.variables() {
            traversal.root_span = moved(traversal.root_span);
            traversal.steps.iter_mut().for_each(|step| step.span = moved(step.span));
            let quotes = WrittenForm::Escaped;
            self.references.push(Reference { traversal, kind, quotes, is_key: false });
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

    /// The labels that a `dynamic` block gives to its blocks.
    fn dynamic_labels(&mut self, block: BlockNode<'_>, kind: OccurrenceKind) {
        let (Some(block_type), Some(labels)) = (block.labels().next(), block.body().attribute("labels"))
        else {
            return;
        };
        for inside in labels.value().elements().filter_map(plain_text) {
            self.text(&block_type.value(), inside, kind);
        }
    }

    fn json(&mut self, values: &json::JsonDocument, body: &tree::Body<'_>) {
        let document = self.document.clone();
        let mut places = JsonAddresses::of(values);
        let block_type =
            |address: &str| address.split(['.', '[']).next().map(str::to_owned).unwrap_or_default();
        let root = Expression::from_json(values.root());
        self.find_calls(&root);
        for traversal in root.variables() {
            let address = places.at(traversal.root_span.start);
            let kind = self.history(&block_type(&address)).unwrap_or(OccurrenceKind::Reference);
            self.references.push(Reference { traversal, kind, quotes: WrittenForm::Escaped, is_key: false });
        }
        let mut sources = HashSet::new();
        find_sources(body, &mut sources);
        let items =
            "..*".parse::<Selector>().ok().and_then(|all| all.select(&document).ok()).unwrap_or_default();
        for found in items {
            let tree = document.tree();
            let (NodeKind::ObjectItem, Some(value)) = (tree.kind(found.node()), found.expression()) else {
                continue;
            };
            let Some(key) = tree.children(found.node()).next() else { continue };
            let key_span = document.span(key);
            let key = document.text(key).trim_matches('"');
            if self.string_names(key).is_some_and(|rule| rule.keys) {
                self.named_items(key, value, OccurrenceKind::Reference);
                continue;
            }
            let is_in = |name: &&str| found.address().contains(&format!(".{name}"));
            let name = [PROVIDERS, "contexts"].into_iter().find(is_in).unwrap_or(key);
            let dynamic = found.address().rsplit_once(".dynamic.").filter(|_| key == "labels");
            let name = dynamic.and_then(|(_, inner)| inner.split(['.', '[']).next()).unwrap_or(name);
            if key != PROVIDERS && name == PROVIDERS {
                self.provider_key(key_span);
            }
            let kind = self.history(&block_type(found.address())).unwrap_or(OccurrenceKind::Reference);
            self.string(name, value, kind);
            value.elements().for_each(|element| self.string(name, element, kind));
            let is_known = self.languages.iter().any(|language| language.has_reference_strings(name));
            if !is_known && sources.contains(&value.span().start) {
                let texts = std::iter::once(value).chain(value.elements()).filter_map(plain_text);
                texts.for_each(|inside| self.reference_text(inside, kind));
            }
        }
    }
}

/// The text of a string without sequences.
fn plain_text(value: ExpressionNode<'_>) -> Option<Span> {
    let ExpressionKind::Template(template) = value.kind() else { return None };
    let is_plain =
        template.as_literal().is_some() && value.document().tree().kind(value.id()) == NodeKind::String;
    is_plain.then(|| Span::new(value.span().start + 1, value.span().end - 1))
}

/// Finds the values of the JSON syntax whose strings are source of expressions, by where they start.
fn find_sources(body: &tree::Body<'_>, found: &mut HashSet<u32>) {
    let is_source = |own: &&tree::Attribute<'_>| matches!(own.value, tree::Node::Json(_, Strings::Source));
    found.extend(body.attributes.iter().filter(is_source).map(|own| own.value.span().start));
    body.blocks.iter().for_each(|block| with_room(|| find_sources(&block.body, found)));
}

/// The language that has the nested blocks of a file which its own one lacks, if files of both have such names.
fn of_content(own: &Dialect, document: &Document, body: Option<&tree::Body<'_>>) -> Option<Arc<Dialect>> {
    let kind = own.file_kind(document.source().name())?;
    let unknown = unknown_blocks(own, document, body);
    if unknown.is_empty() {
        return None;
    }
    let has = |language: &Dialect, (outer, inner): &(String, String)| {
        language.block(outer).is_some_and(|rule| rule.blocks.iter().any(|known| **known == **inner))
    };
    Dialect::all().find(|other| {
        other.file_kind(document.source().name()) == Some(kind) && unknown.iter().any(|own| has(other, own))
    })
}

/// The types of blocks in others that a language does not know there. In the JSON syntax, these may be attributes.
fn unknown_blocks(
    own: &Dialect,
    document: &Document,
    body: Option<&tree::Body<'_>>,
) -> Vec<(String, String)> {
    let is_unknown = |outer: &str, inner: &str| {
        own.block(outer).is_some_and(|rule| {
            let mut known = rule.blocks.iter().chain(rule.attributes.iter().flatten());
            // The arguments of a call are those of any module.
            let is_closed = rule.contents == Contents::Listed && rule.role != Role::Call;
            is_closed && !known.any(|known| **known == *inner)
        })
    };
    let pair = |outer: &str, inner: &str| (outer.to_owned(), inner.to_owned());
    let mut found = Vec::new();
    if let Some(body) = body {
        for outer in &body.blocks {
            let objects = outer.body.attributes.iter().filter(|inner| inner.value.text().starts_with('{'));
            let names = objects.map(|inner| pair(&outer.block_type, &inner.name));
            found.extend(names.filter(|(outer, inner)| is_unknown(outer, inner)));
        }
        return found;
    }
    for outer in document.body().blocks() {
        let names = outer.body().blocks().map(|inner| pair(outer.block_type(), inner.block_type()));
        found.extend(names.filter(|(outer, inner)| is_unknown(outer, inner)));
    }
    found
}

/// The language whose table describes the content of a file: that of tests is another one than that of modules.
fn content_of<'d>(language: Option<&'d Arc<Dialect>>, path: &str) -> Option<&'d Dialect> {
    let language = language?;
    let part = language.file_kind(path).and_then(|kind| language.of_kind(kind));
    Some(part.unwrap_or(language))
}

/// The languages whose tables describe the content of a file: all of them, if its own is not known. The language of tests is another
/// one than that of modules.
pub(crate) fn languages_of(language: Option<&Arc<Dialect>>, path: &str) -> Vec<Arc<Dialect>> {
    let Some(language) = language else { return Dialect::all().collect() };
    let part = language.file_kind(path).and_then(|kind| language.of_kind(kind).cloned());
    std::iter::once(language.clone()).chain(part).collect()
}

/// Adds the functions that an expression calls. In the JSON syntax, only sequences in strings can.
fn calls(expression: &Expression, found: &mut Vec<(String, Span)>) {
    if expression.json().is_none()
        && let Ok(call) = expression.static_call()
    {
        found.push((call.name, call.name_span));
    }
    for part in expression.parts() {
        with_room(|| calls(&part, found));
    }
}

/// The part of a document without the quotes around it, if it has some.
pub fn unquoted(document: &Document, key: Span) -> Span {
    let around = u32::from(document.source().slice(key).starts_with('"'));
    Span::new(key.start + around, key.end.saturating_sub(around).max(key.start + around))
}

/// The text of a string in which only quotes and backslashes are escaped, and where each of its bytes is in the string. The last
/// place is the end.
fn unescaped(text: &str) -> Option<(String, Vec<u32>)> {
    let (mut out, mut starts) = (String::with_capacity(text.len()), Vec::with_capacity(text.len() + 1));
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        let character = match character {
            '\\' => characters.next().map(|(_, escaped)| escaped).filter(|it| matches!(it, '"' | '\\'))?,
            other => other,
        };
        out.push(character);
        starts.resize(out.len(), at as u32);
    }
    starts.push(text.len() as u32);
    Some((out, starts))
}

/// Whether an expression is a name with attributes and keys, which need not be literal.
fn is_address(node: ExpressionNode<'_>) -> bool {
    let mut node = node;
    loop {
        node = match node.kind() {
            ExpressionKind::Variable(_) => return true,
            ExpressionKind::GetAttr { object, .. } => object,
            ExpressionKind::Index { collection, .. } | ExpressionKind::LegacyIndex { collection, .. } => {
                collection
            }
            _ => return false,
        };
    }
}

/// Whether a file has tests of Terraform, according to its name.
pub(crate) fn is_test(document: &Document) -> bool {
    is_test_file(document.source().name())
}

/// The same for its path.
pub(crate) fn is_test_file(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    Dialect::of_path(path).is_some_and(|language| language.file_kind(path) == Some(FileKind::Tests))
}
