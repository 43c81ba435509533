//! The outline of a file, and the names that a workspace declares.

use hclkit::Span;
use hclkit::ast::{AttributeNode, BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item};
use hclkit::dialect::Role;
use hclkit::limits::Meter;
use hclkit::syntax::Root;

use crate::file::File;
use crate::{Encoding, LinePosition, Snapshot};

/// The depth to which objects are part of the outline.
const MOST_LEVELS: u32 = 8;

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A variable of a module.
    Variable,
    /// A local value.
    Local,
    /// A result.
    Output,
    /// A call of a module.
    Call,
    /// A resource, or another object.
    Object,
    /// Another block.
    Block,
    /// An attribute.
    Attribute,
    /// An item of an object.
    Item,
}

/// A part of the outline of a file.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name, such as `variable "region"`.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// All of it.
    pub span: Span,
    /// Its name.
    pub name_span: Span,
    /// What is inside.
    pub children: Vec<Self>,
}

/// A declaration in the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceSymbol {
    /// The name, such as `variable "region"`.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The file.
    pub path: String,
    /// The start of the name.
    pub start: LinePosition,
    /// The end of the name.
    pub end: LinePosition,
}

/// The maximum number of answers to a search in the workspace.
const MOST_FOUND: usize = 1_000;

impl Snapshot {
    /// The outline of a file.
    pub fn symbols(&self, path: &str) -> Vec<Symbol> {
        self.file(path).map(|file| of_file(&file)).unwrap_or_default()
    }

    /// The declarations in the workspace whose names contain the characters of a text in this order, ignoring case. Names that
    /// contain the text come first.
    pub fn workspace_symbols(&self, text: &str, encoding: Encoding) -> Vec<WorkspaceSymbol> {
        let wanted: Vec<char> = text.to_lowercase().chars().filter(|sign| !sign.is_whitespace()).collect();
        let lower = text.to_lowercase();
        let index = self.index();
        // A cancelled search finds nothing more.
        let open = self.open_files().take_while(|_| Meter::current().look().is_ok());
        let open: Vec<(&str, Vec<Declared>)> =
            open.map(|file| (file.path(), declared(file).collect())).collect();
        let open = open.iter().flat_map(|(path, all)| all.iter().map(|declared| (*path, declared)));
        let fits = |(path, declared): (_, &'_ Declared)| {
            let name = declared.name.to_lowercase();
            let mut signs = name.chars();
            let fits = wanted.iter().all(|sign| signs.any(|other| other == *sign));
            fits.then(|| (!name.contains(&lower), path, declared.clone()))
        };
        let mut found: Vec<(bool, &str, Declared)> = index.declared().chain(open).filter_map(fits).collect();
        found.sort_by_key(|(is_far, path, _)| (*is_far, *path));
        let one = |(_, path, declared): (bool, &str, Declared)| {
            let (start, end) = declared.range[match encoding {
                Encoding::Utf8 => 0,
                Encoding::Utf16 => 1,
                Encoding::Utf32 => 2,
            }];
            WorkspaceSymbol {
                name: declared.name.into(),
                kind: declared.kind,
                path: path.to_owned(),
                start,
                end,
            }
        };
        found.into_iter().take(MOST_FOUND).map(one).collect()
    }
}

/// The outline of a file.
fn of_file(file: &File) -> Vec<Symbol> {
    match file.document().root() {
        Root::Expression(root) => items(root, MOST_LEVELS),
        _ => of_body(file, file.document().body(), None),
    }
}

/// The declarations at the top of a file, for the index.
pub(crate) fn declarations(file: &File) -> Vec<Symbol> {
    let Root::Body(body) = file.document().root() else { return Vec::new() };
    let mut found = Vec::new();
    for block in body.blocks() {
        let mut symbol = of_block(file, block, true);
        let role = role(file, block.block_type());
        if matches!(role, Some(Role::Values | Role::Inputs)) {
            found.extend(std::mem::take(&mut symbol.children));
        } else {
            found.push(Symbol { children: Vec::new(), ..symbol });
        }
    }
    found
}

fn role(file: &File, block_type: &str) -> Option<Role> {
    Some(file.content_dialect()?.block(block_type)?.role)
}

fn of_body(file: &File, body: BodyNode<'_>, around: Option<&str>) -> Vec<Symbol> {
    let one = |item: Item<'_>| match item {
        Item::Attribute(attribute) => of_attribute(file, attribute, around),
        Item::Block(block) => of_block(file, block, around.is_none()),
    };
    body.items().map(one).collect()
}

fn of_attribute(file: &File, attribute: AttributeNode<'_>, around: Option<&str>) -> Symbol {
    let kind = match around.and_then(|around| role(file, around)) {
        Some(Role::Values) => SymbolKind::Local,
        Some(Role::Inputs) => SymbolKind::Variable,
        _ => SymbolKind::Attribute,
    };
    Symbol {
        name: attribute.name().to_owned(),
        kind,
        span: attribute.span(),
        name_span: attribute.name_span(),
        children: items(attribute.value(), MOST_LEVELS),
    }
}

fn of_block(file: &File, block: BlockNode<'_>, is_top: bool) -> Symbol {
    let mut name = block.block_type().to_owned();
    for label in block.labels() {
        name.push(' ');
        name.push_str(label.text());
    }
    let kind = match role(file, block.block_type()).filter(|_| is_top) {
        Some(Role::Input) => SymbolKind::Variable,
        Some(Role::Result) => SymbolKind::Output,
        Some(Role::Value) => SymbolKind::Local,
        Some(Role::Call) => SymbolKind::Call,
        Some(Role::Object | Role::Build) => SymbolKind::Object,
        _ => SymbolKind::Block,
    };
    let name_span = block.labels().last().map_or(block.type_span(), hclkit::ast::LabelNode::span);
    Symbol {
        name,
        kind,
        span: block.span(),
        name_span,
        children: of_body(file, block.body(), Some(block.block_type()).filter(|_| is_top).or(Some(""))),
    }
}

/// The items of an object.
fn items(value: ExpressionNode<'_>, levels: u32) -> Vec<Symbol> {
    if levels == 0 || !matches!(value.kind(), ExpressionKind::Object) {
        return Vec::new();
    }
    let document = value.document();
    let one = |item: hclkit::ast::ObjectItemNode<'_>| Symbol {
        name: document.source().slice(item.key_span()).trim_matches('"').to_owned(),
        kind: SymbolKind::Item,
        span: item.span(),
        name_span: item.key_span(),
        children: items(item.value(), levels - 1),
    };
    value.items().filter(|item| !item.key_span().is_empty()).map(one).collect()
}

/// A declaration in a file.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) name: Box<str>,
    pub(crate) kind: SymbolKind,
    /// The start and the end of the name, in characters of UTF-8, UTF-16 and UTF-32.
    pub(crate) range: [(LinePosition, LinePosition); 3],
}

/// The declarations in a file.
pub(crate) fn declared(file: &File) -> impl Iterator<Item = Declared> {
    declarations(file).into_iter().map(|symbol| {
        let range = |encoding| {
            let position = |offset| file.position(offset, encoding);
            (position(symbol.name_span.start), position(symbol.name_span.end))
        };
        Declared {
            name: symbol.name.into(),
            kind: symbol.kind,
            range: [crate::Encoding::Utf8, crate::Encoding::Utf16, crate::Encoding::Utf32].map(range),
        }
    })
}
