//! Completion: names in expressions, arguments and blocks in bodies, directories in sources. Accepting an item adds no syntax
//! error: one item of each form is tried.

mod bodies;
mod json;
mod names;
mod place;
mod ranking;
mod spot;
mod types;

use std::sync::Arc;

use hclkit::Span;
use hclkit::value::Value;

use crate::Snapshot;
use crate::body_schema;
use crate::file::{File, floor};
use crate::files::parent;
use crate::module::Module;
use crate::usage::Subject;

use place::Place;
use spot::{Spot, spot};
pub(crate) use types::{Part, Parts, element_of};

/// The detail of a name that only other blocks of the module show.
const USED: &str = "used in this project";

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CompletionKind {
    /// A name in scope.
    Variable,
    /// An object or a module.
    Object,
    /// A part of a value.
    Field,
    /// A function.
    Function,
    /// A keyword.
    Keyword,
    /// An argument.
    Argument,
    /// A block.
    Block,
    /// A directory.
    Folder,
    /// A file.
    File,
    /// A value, such as one of those that an argument accepts.
    Value,
}

/// Something that can be inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The name.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// More about it, in a line.
    pub detail: String,
    /// Its documentation, as Markdown.
    pub documentation: String,
    /// The part of the text that it replaces.
    pub span: Span,
    /// The text that replaces it.
    pub text: String,
    /// The same text as an LSP snippet, with placeholders.
    pub snippet: Option<String>,
    /// The place in the list: smaller numbers come first. The list is in this order.
    pub rank: u16,
    /// Whether it should not be used any more.
    pub is_deprecated: bool,
}

impl Snapshot {
    /// What can be inserted at a byte offset.
    pub fn completions(&self, path: &str, offset: u32) -> Vec<Completion> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let offset = floor(file.text(), offset) as u32;
        if file.is_native() {
            self.native_completions(&file, offset)
        } else {
            without_new_errors(&file, self.json_completions(&file, offset))
        }
    }

    fn native_completions(&self, file: &File, offset: u32) -> Vec<Completion> {
        let path = file.path();
        let word = file.word_with_namespaces(offset);
        let module = self.module(path);
        let spot = spot(file, word, offset);
        let (around, place) = match &spot {
            Spot::Nothing => return Vec::new(),
            Spot::Source(span) => return self.source_items(file, *span, offset),
            Spot::Path(span) => return self.path_items(file, *span, offset),
            _ => (body_schema::around(file, word.start), Place::of(file, word.start)),
        };
        let special = || self.special_items(file, &module, &around, &place, word);
        let expression = || self.expression_items(file, &module, &around, &place, word);
        let mut items = match spot {
            Spot::Nothing | Spot::Source(_) | Spot::Path(_) => Vec::new(),
            Spot::Member(address) => self.member_items(file, &module, &around, &place, &address, word),
            Spot::Expression => special().unwrap_or_else(expression),
            Spot::Value(argument) => special().unwrap_or_else(|| {
                let mut items = self.value_items(file, &module, &argument, word);
                let known: Vec<String> = items.iter().map(|own| own.label.clone()).collect();
                items.extend(expression().into_iter().filter(|own| !known.contains(&own.label)));
                items
            }),
            Spot::ObjectKey => match special() {
                Some(items) if !items.is_empty() => items,
                _ => self.object_items(file, &module, &around, &place, word),
            },
            Spot::ValueText(argument, span) => self.value_text_items(file, &module, &argument, span),
            Spot::Label(block_type, start, span) => self.label_items(file, &module, &block_type, start, span),
            Spot::Key(address) => {
                let mut items = self.key_items(file, &module, &address, word);
                items.extend(expression());
                items
            }
            Spot::KeyText(address, span) => {
                let bare = |own: Completion| {
                    let label = own.label.strip_prefix('"')?.strip_suffix('"')?.to_owned();
                    Some(Completion { text: label.clone(), label, span, ..own })
                };
                let items = self.key_items(file, &module, &address, word).into_iter();
                items.filter_map(bare).collect()
            }
            Spot::Item(around) => self.body_items(file, &module, &around, word),
        };
        items.sort_by_key(|item| item.rank);
        without_new_errors(file, items)
    }

    /// The values that an argument can have, according to what is known about it.
    fn value_items(&self, file: &File, module: &Module, argument: &str, word: Span) -> Vec<Completion> {
        let known = self.content(file, module, &body_schema::around(file, word.start)).arguments;
        let Some(known) = known.into_iter().find(|own| own.name == argument) else { return Vec::new() };
        let is_bool = known.ty == Some(hclkit::Type::Bool) && known.values.is_empty();
        let values = if is_bool { vec!["true".to_owned(), "false".to_owned()] } else { known.values };
        let all = values.into_iter();
        all.map(|value| Completion { rank: 0, ..item(value, CompletionKind::Value, word) }).collect()
    }

    /// The same values, in quotes that are there already.
    fn value_text_items(&self, file: &File, module: &Module, argument: &str, span: Span) -> Vec<Completion> {
        let known = self.content(file, module, &body_schema::around(file, span.start)).arguments;
        let values = known.into_iter().find(|own| own.name == argument).map(|own| own.values);
        let values = values.unwrap_or_default().into_iter();
        let bare = |value: String| Some(value.strip_prefix('"')?.strip_suffix('"')?.to_owned());
        values.filter_map(bare).map(|value| item(value, CompletionKind::Value, span)).collect()
    }

    /// The keys of a value that is a map or an object, or of the instances of an object or a module.
    fn key_items(&self, file: &File, module: &Arc<Module>, address: &str, word: Span) -> Vec<Completion> {
        let mut keys = self.keys(module, address);
        let is_plain = !address.contains('[');
        let is_known = !keys.is_empty();
        if keys.is_empty() && is_plain {
            let Some(parts) = self.parts(file, module, address, word.start) else { return Vec::new() };
            keys = parts.into_iter().map(|(name, _)| Value::from(name.as_str()).show().to_string()).collect();
        }
        for (name, _) in self.used_names(module, &Subject::Keys(without_keys(address))) {
            let key = Value::from(name.as_str()).show().to_string();
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        // Of a value that is not known, the key with the name of what it is for.
        let name = Place::of(file, word.start);
        if let Some(name) = name.name().filter(|_| !is_known) {
            let key = Value::from(name).show().to_string();
            if !keys.contains(&key) {
                keys.insert(0, key);
            }
        }
        keys.into_iter().map(|key| Completion { rank: 0, ..item(key, CompletionKind::Value, word) }).collect()
    }

    /// The files and directories that a path in a call such as `file("…")` can name.
    fn path_items(&self, file: &File, span: Span, offset: u32) -> Vec<Completion> {
        let typed = &file.text()[span.start as usize..offset as usize];
        let lead = typed.rsplit_once('/').map_or("", |(lead, _)| lead);
        let module = self.module(file.path());
        let directory = hclkit::module::join_path(&module.directory, lead.trim_start_matches('/'));
        let start = offset - (typed.len() - typed.rfind('/').map_or(0, |at| at + 1)) as u32;
        let replaced = Span::new(start, span.end);
        let is_plain = |name: &String| !name.starts_with('.') && !name.contains(['"', '$', '%', '\\']);
        let mut items: Vec<Completion> = Vec::new();
        for name in self.directories(&directory).into_iter().filter(is_plain) {
            items.push(item(name, CompletionKind::Folder, replaced));
        }
        for name in self.list(&directory).unwrap_or_default().into_iter().filter(is_plain) {
            items.push(item(name, CompletionKind::File, replaced));
        }
        items
    }

    /// The directories that a source can name.
    fn source_items(&self, file: &File, span: Span, offset: u32) -> Vec<Completion> {
        let typed = &file.text()[span.start as usize..offset as usize];
        let Some((lead, _)) = typed.rsplit_once('/') else { return Vec::new() };
        if !lead.starts_with('.') {
            return Vec::new();
        }
        let directory = hclkit::module::join_path(parent(file.path()), lead);
        let start = span.start + lead.len() as u32 + 1;
        let replaced = Span::new(start, offset);
        let names = self.directories(&directory).into_iter().filter(|name| !name.starts_with('.'));
        let is_plain = |name: &String| !name.contains(['"', '$', '%', '\\']);
        names.filter(is_plain).map(|name| item(name, CompletionKind::Folder, replaced)).collect()
    }
}

fn item(label: String, kind: CompletionKind, span: Span) -> Completion {
    Completion {
        text: label.clone(),
        label,
        kind,
        detail: String::new(),
        documentation: String::new(),
        span,
        snippet: None,
        rank: ranking::LAST,
        is_deprecated: false,
    }
}

/// An address without the keys of instances.
fn without_keys(address: &str) -> String {
    let mut plain = String::new();
    let mut depth = 0_u32;
    for sign in address.chars() {
        match sign {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(sign),
            _ => {}
        }
    }
    plain
}

/// Leaves out items that would add a syntax error. One item of each form is tried.
fn without_new_errors(file: &File, items: Vec<Completion>) -> Vec<Completion> {
    let Some(word) = items.first().map(|item| item.span) else { return items };
    let errors = |replacement: &str| {
        let mut text = file.text().to_owned();
        text.replace_range(word.to_range(), replacement);
        file.errors_of(&text).errors()
    };
    let before = file.syntax_errors().errors();
    let mut tried: Vec<((CompletionKind, bool), bool)> = Vec::new();
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        let form = (item.kind, item.text == item.label);
        let known = tried.iter().find(|(known, _)| *known == form).map(|(_, fits)| *fits);
        let fits = known.unwrap_or_else(|| {
            let fits = errors(&item.text) <= before;
            tried.push((form, fits));
            fits
        });
        if fits {
            kept.push(item);
        }
    }
    kept
}
