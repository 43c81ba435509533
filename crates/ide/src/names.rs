//! What the name at a place refers to, where it is declared and where it is used. The occurrences are those of `hcl refs`.

use std::collections::BTreeSet;
use std::sync::Arc;

use hclkit::ast::{AttributeNode, BlockNode, Item, LabelNode};
use hclkit::dialect::Dialect;
use hclkit::model::Target;
use hclkit::refactor::{ModuleCall, OccurrenceKind, Symbol, occurrences_in_callers};
use hclkit::syntax::{NodeKind, Root, TokenKind};
use hclkit::{Document, Expression, Span};

use crate::Snapshot;
use crate::calls::call_address;
use crate::file::File;
use crate::module::{Module, Place};

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The file.
    pub path: String,
    /// The part of its text.
    pub span: Span,
}

/// A place where a name is declared or used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The declaration or the reference as a whole.
    pub location: Location,
    /// The last name.
    pub name: Span,
    /// What the place is.
    pub kind: OccurrenceKind,
}

/// Where a name is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The part at the cursor.
    pub origin: Span,
    /// The block or attribute.
    pub location: Location,
    /// Its name.
    pub name: Span,
}

/// The name at a place.
pub(crate) struct Named {
    /// The address in the module at the cursor.
    pub(crate) symbol: Symbol,
    pub(crate) module: Arc<Module>,
    /// The address in a called module, if that declares the name.
    pub(crate) inner: Option<(Symbol, Arc<Module>)>,
    /// The part at the cursor.
    pub(crate) span: Span,
}

impl Named {
    /// The address where the name is declared, with the module.
    pub(crate) fn target(&self) -> (&Symbol, &Arc<Module>) {
        self.inner.as_ref().map_or((&self.symbol, &self.module), |(symbol, module)| (symbol, module))
    }
}

impl Snapshot {
    /// The declarations of the name at a byte offset.
    pub fn definition(&self, path: &str, offset: u32) -> Vec<Declaration> {
        let Some((named, _)) = self.declared_at(path, offset) else { return Vec::new() };
        let (symbol, module) = named.target();
        let found = module.declarations(symbol);
        let has_own = found.iter().any(|place| !place.file.holds_values());
        let found = found.into_iter().filter(|place| !has_own || !place.file.holds_values());
        found
            .map(|place| Declaration {
                origin: named.span,
                name: place.occurrence.name_span(place.file.document()),
                location: Location { path: place.file.path().to_owned(), span: item_around(&place) },
            })
            .collect()
    }

    /// The places that declare the name at a byte offset, or refer to it, also in callers of the module.
    pub fn references(&self, path: &str, offset: u32) -> Vec<Reference> {
        let Some(named) = self.named(path, offset) else { return Vec::new() };
        let mut found: Vec<Reference> =
            named.module.occurrences(&named.symbol).iter().map(reference).collect();
        if let Some((symbol, module)) = &named.inner {
            found.extend(module.occurrences(symbol).iter().map(reference));
        }
        let (symbol, module) = named.target();
        let callers = self.callers(module, symbol);
        let documents: Vec<Document> = callers.iter().map(|file| file.document().clone()).collect();
        let calls = |document: &Document, call: &ModuleCall<'_>| module.is_called(document, call);
        let in_callers = occurrences_in_callers(&documents, symbol, calls);
        let mut known: BTreeSet<Location> = found.iter().map(|own| own.location.clone()).collect();
        for (file, occurrences) in callers.iter().zip(in_callers) {
            let places = occurrences.into_iter().map(|occurrence| Place { file: file.clone(), occurrence });
            let new = places.map(|place| reference(&place));
            found.extend(new.filter(|own| known.insert(own.location.clone())));
        }
        found
    }

    /// The places in the same file that declare the name at a byte offset, or refer to it.
    pub fn highlights(&self, path: &str, offset: u32) -> Vec<Reference> {
        let mut found = self.references(path, offset);
        found.retain(|reference| reference.location.path == path);
        found
    }

    /// The address of the name at a byte offset, such as `var.region`.
    pub fn address(&self, path: &str, offset: u32) -> Option<String> {
        self.named(path, offset).map(|named| named.symbol.to_string())
    }

    /// What the name at a byte offset refers to.
    pub(crate) fn named(&self, path: &str, offset: u32) -> Option<Named> {
        let file = self.file(path)?;
        let module = self.module(path);
        let mut undeclared = None;
        for (address, span) in candidates(&file, offset) {
            // In modules, a name alone is no address.
            let is_module = file.dialect().is_some_and(|own| own.has_modules());
            let Some(symbol) = address.parse::<Symbol>().ok().filter(|_| !is_module || address.contains('.'))
            else {
                continue;
            };
            // It is the symbol only if this place is an occurrence of it.
            let occurrences = file.names().occurrences(&symbol);
            if !occurrences.iter().any(|found| found.span.touches(offset)) {
                continue;
            }
            let inner = self.inner(&module, &symbol);
            let is_declared = match &inner {
                Some((symbol, module)) => !module.declarations(symbol).is_empty(),
                None => !module.declarations(&symbol).is_empty(),
            };
            let named = Named { symbol, module: module.clone(), inner, span };
            if is_declared {
                return Some(named);
            }
            if undeclared.is_none() && is_complete(&file, &named.symbol) {
                undeclared = Some(named);
            }
        }
        self.argument(&file, &module, offset).or(undeclared)
    }

    /// What the name at a byte offset refers to, if that is declared, with the address there. An attribute that nothing
    /// declares belongs to what comes before it.
    pub(crate) fn declared_at(&self, path: &str, offset: u32) -> Option<(Named, String)> {
        let named = self.named(path, offset).filter(|named| {
            let (symbol, module) = named.target();
            !module.declarations(symbol).is_empty()
        });
        match named {
            Some(named) => {
                let address = named.symbol.to_string();
                Some((named, address))
            }
            None => self.named_before(path, offset),
        }
    }

    /// What the names before those at a byte offset refer to: the object with an attribute.
    fn named_before(&self, path: &str, offset: u32) -> Option<(Named, String)> {
        let file = self.file(path)?;
        let mut found = Vec::new();
        references_at(&file, offset, &mut found);
        let (address, span) = found.first()?;
        let names: Vec<&str> = address.split('.').collect();
        (2..names.len()).rev().find_map(|count| {
            let symbol: Symbol = names[..count].join(".").parse().ok()?;
            let is_here = file
                .names()
                .occurrences(&symbol)
                .iter()
                .any(|own| own.span.end <= offset && span.start <= own.span.end + 200);
            let module = self.module(path);
            let inner = self.inner(&module, &symbol);
            let named = Named { symbol, module, inner, span: *span };
            let (symbol, module) = named.target();
            (is_here && !module.declarations(symbol).is_empty()).then(|| (named, address.clone()))
        })
    }

    /// The address of a result in the module that declares it: `output.id` for `module.net.id`.
    fn inner(&self, module: &Arc<Module>, symbol: &Symbol) -> Option<(Symbol, Arc<Module>)> {
        let (call, result) = symbol.result_of_call(module.files.first()?.path())?;
        let called = self.module_in(&module.called(&call.to_string())?)?;
        Some((result, called))
    }

    /// The module in a directory.
    pub(crate) fn module_in(&self, directory: &str) -> Option<Arc<Module>> {
        let names = self.list(directory).ok()?;
        let language = self.language_of(names.iter().map(String::as_str))?;
        let first = names.iter().find(|name| language.is_module_file(name))?;
        Some(self.module(&format!("{}/{first}", directory.trim_end_matches('/'))))
    }

    /// The variable that an argument of a call sets.
    fn argument(&self, file: &Arc<File>, module: &Arc<Module>, offset: u32) -> Option<Named> {
        let document = file.document();
        let Root::Body(body) = document.root() else { return None };
        let block = body.blocks().find(|block| block.span().touches(offset))?;
        let call = call_address(file, block)?;
        let attribute = block.body().attributes().find(|attribute| attribute.name_span().touches(offset))?;
        let called = self.module_in(&module.called(&call)?)?;
        let inner = Symbol::input(file.path(), attribute.name())?;
        if called.declarations(&inner).is_empty() {
            return None;
        }
        let symbol = format!("{call}.{inner}").parse().ok()?;
        let span = attribute.name_span();
        Some(Named { symbol, module: module.clone(), inner: Some((inner, called)), span })
    }
}

fn reference(place: &Place) -> Reference {
    let document = place.file.document();
    Reference {
        location: Location { path: place.file.path().to_owned(), span: place.occurrence.span },
        name: place.occurrence.name_span(document),
        kind: place.occurrence.kind,
    }
}

/// The attribute or block around a declaration.
fn item_around(place: &Place) -> Span {
    let document = place.file.document();
    let nodes = document.nodes_at(place.occurrence.span.start);
    let is_item = |kind| matches!(kind, NodeKind::Attribute | NodeKind::Block | NodeKind::ObjectItem);
    let node = nodes.iter().rev().find(|&&node| is_item(document.tree().kind(node)));
    node.map_or(place.occurrence.span, |&node| document.span(node))
}

/// The addresses that the text at a byte offset can be, the shortest first, each with the part at the offset.
fn candidates(file: &File, offset: u32) -> Vec<(String, Span)> {
    let mut found: Vec<(String, Span)> = Vec::new();
    references_at(file, offset, &mut found);
    declared_at(file, offset, &mut found);
    strings_at(file, offset, &mut found);
    found
}

/// The beginnings of the traversals at an offset.
fn references_at(file: &File, offset: u32, found: &mut Vec<(String, Span)>) {
    let document = file.document();
    let tree = document.tree();
    let is_expression = |kind| {
        !matches!(
            kind,
            NodeKind::Root
                | NodeKind::Body
                | NodeKind::Attribute
                | NodeKind::Block
                | NodeKind::ObjectItem
                | NodeKind::Name
        )
    };
    let nodes = document.nodes_at(offset);
    // The outermost expression within the innermost item, so that whole traversals are in it.
    let item = nodes.iter().rposition(|&node| !is_expression(tree.kind(node))).map_or(0, |at| at + 1);
    let Some(&node) = nodes.get(item) else { return };
    let expression = Expression::from_ast(document.expression_at(node));
    for traversal in expression.variables() {
        if !traversal.span().touches(offset) {
            continue;
        }
        let mut names = vec![traversal.root.to_string()];
        let mut spans = vec![traversal.root_span];
        for step in &traversal.steps {
            match &step.target {
                Target::Attribute(name) => {
                    names.push(name.to_string());
                    spans.push(step.span);
                }
                Target::Element(key) => match key.as_str() {
                    Some(name) if spans.len() < 2 => {
                        names.push(name.to_owned());
                        spans.push(step.span);
                    }
                    // Instances have keys after their names.
                    _ if names.len() >= 2 => {}
                    _ => break,
                },
            }
        }
        let Some(at) = spans.iter().rposition(|span| span.touches(offset)) else { continue };
        for count in at + 1..=names.len().min(4) {
            let last = spans[at];
            let dot = u32::from(document.source().slice(last).starts_with('.'));
            found.push((names[..count].join("."), Span::new(last.start + dot, last.end)));
        }
    }
}

/// The addresses of the declaration whose name is at an offset.
fn declared_at(file: &File, offset: u32, found: &mut Vec<(String, Span)>) {
    let Root::Body(body) = file.document().root() else { return };
    let item = body.items().find(|item| item.span().touches(offset));
    match item {
        Some(Item::Attribute(attribute)) if attribute.name_span().touches(offset) => {
            let address = if file.holds_values() {
                format!("var.{}", attribute.name())
            } else {
                attribute.name().to_owned()
            };
            found.push((address, attribute.name_span()));
        }
        Some(Item::Block(block)) => of_block(file, block, offset, found),
        _ => {}
    }
}

fn of_block(file: &File, block: BlockNode<'_>, offset: u32, found: &mut Vec<(String, Span)>) {
    let labels: Vec<String> = block.label_texts().into_iter().map(std::borrow::Cow::into_owned).collect();
    let label = block.labels().find(|label| label.span().touches(offset));
    let attribute = block.body().attributes().find(|attribute| attribute.name_span().touches(offset));
    let rule = file.part().and_then(|part| part.block(block.block_type()));
    let Some(span) = label.map(LabelNode::span).or(attribute.map(AttributeNode::name_span)) else {
        // The alias of a provider is in a string.
        let alias = block.body().attribute("alias").filter(|alias| alias.value().span().touches(offset));
        if let (Some(alias), [provider]) = (alias, &labels[..]) {
            let text = alias.value().text().trim_matches('"').to_owned();
            found.push((format!("{provider}.{text}"), alias.value().span()));
        }
        return;
    };
    if let Some(rule) = rule.filter(|rule| !rule.defines.is_empty()) {
        let names = rule.defines.address(&labels, attribute.map(AttributeNode::name));
        if let Some(names) = names.filter(|_| rule.defines.is_of_attributes() == attribute.is_some()) {
            found.push((names.join("."), span));
        }
    } else if label.is_some() {
        let names = std::iter::once(block.block_type().to_owned()).chain(labels.iter().cloned());
        found.push((names.collect::<Vec<_>>().join("."), span));
    }
}

/// The addresses that a string at an offset can name, such as `"app"` in `targets` of Bake.
fn strings_at(file: &File, offset: u32, found: &mut Vec<(String, Span)>) {
    let document = file.document();
    let tokens = document.tokens();
    if tokens.is_empty() {
        return;
    }
    let at = tokens.at(offset);
    let before = at.saturating_sub(1);
    let token = [at, before]
        .into_iter()
        .find(|&at| tokens.kind(at) == TokenKind::String && tokens.span(at).touches(offset));
    let Some(token) = token else { return };
    let span = tokens.span(token);
    let text = document.source().slice(span).trim_matches('"');
    let inside = Span::new((span.start + 1).min(span.end), span.end.saturating_sub(1).max(span.start));
    let text = text.strip_prefix("${").and_then(|text| text.strip_suffix('}')).unwrap_or(text);
    if text.is_empty() || text.len() > 200 {
        return;
    }
    let part = file.part();
    for names in part.into_iter().flat_map(|part| &part.string_names) {
        if let Some(rest) = text.strip_prefix(names.prefix.as_str()) {
            found.extend(names.blocks.iter().map(|block| (format!("{block}.{rest}"), inside)));
        }
    }
    let names: Vec<&str> = text.split('.').collect();
    for count in 1..=names.len().min(3) {
        found.push((names[..count].join("."), inside));
    }
}

/// Whether an address is one that the blocks of the language define, so that it is complete even without a declaration.
fn is_complete(file: &File, symbol: &Symbol) -> bool {
    let names = symbol.names();
    let part = file.part();
    let blocks = part.into_iter().flat_map(|part: &Arc<Dialect>| &part.blocks);
    blocks.into_iter().any(|rule| rule.defines.root().is_some() && rule.defines.definition(names).is_some())
        || symbol.result_of_call(file.path()).is_some()
}
