//! What the name at a place refers to, where it is declared and where it is used. The occurrences are those of `hcl refs`.

use std::collections::BTreeSet;
use std::sync::Arc;

use hclkit::dialect::Dialect;
use hclkit::refactor::{ModuleCall, OccurrenceKind, Symbol, occurrences_in_callers, unquoted};
use hclkit::syntax::NodeKind;
use hclkit::{Document, Span};

use crate::Snapshot;
use crate::calls::call_at;
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
        // In modules, a name alone is no address.
        let shortest = if file.dialect().is_some_and(|own| own.has_modules()) { 2 } else { 1 };
        for (names, span) in file.names().addresses_at(offset) {
            let Some(symbol) = Symbol::of(&names).filter(|_| names.len() >= shortest) else { continue };
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
        let found = file.names().references_at(offset);
        let (names, span) = found.first()?;
        (2..names.len()).rev().find_map(|count| {
            let symbol = Symbol::of(&names[..count])?;
            let is_here = file
                .names()
                .occurrences(&symbol)
                .iter()
                .any(|own| own.span.end <= offset && span.start <= own.span.end + 200);
            let module = self.module(path);
            let inner = self.inner(&module, &symbol);
            let named = Named { symbol, module, inner, span: *span };
            let (symbol, module) = named.target();
            (is_here && !module.declarations(symbol).is_empty()).then(|| (named, names.join(".")))
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
        let call = call_at(file, offset)?;
        let body = file.content();
        let block = body.blocks.iter().find(|block| block.span.touches(offset))?;
        let attribute = block.body.attributes.iter().find(|own| own.name_span.touches(offset))?;
        let called = self.module_in(&module.called(&call)?)?;
        let inner = Symbol::input(file.path(), &attribute.name)?;
        if called.declarations(&inner).is_empty() {
            return None;
        }
        let symbol = format!("{call}.{inner}").parse().ok()?;
        let span = unquoted(file.document(), attribute.name_span);
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

/// Whether an address is one that the blocks of the language define, so that it is complete even without a declaration.
fn is_complete(file: &File, symbol: &Symbol) -> bool {
    let names = symbol.names();
    let part = file.content_dialect();
    let blocks = part.into_iter().flat_map(|part: &Arc<Dialect>| &part.blocks);
    blocks.into_iter().any(|rule| rule.defines.root().is_some() && rule.defines.definition(names).is_some())
        || symbol.result_of_call(file.path()).is_some()
}
