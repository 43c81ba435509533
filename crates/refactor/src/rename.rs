//! Renaming a name in several files.

use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use hclkit_dialect::{FileKind, Statement};
use hclkit_syntax::ast::{BlockNode, ExpressionKind, ExpressionNode, ObjectItemNode};
use hclkit_syntax::{Document, NodeId, Root, Syntax};
use hclkit_value::Value;

use hclkit_write::{EditError, Edits, Selector, raw};

use crate::names::Names;
use crate::occurrence::WrittenForm;
use crate::{Occurrence, OccurrenceKind, Symbol};

/// Renames a name in files that belong together. Returns the new text of each file, or `None` if the file does not
/// change. With `moved`, a resource or a module of Terraform gets a `moved` block next to it, so that Terraform keeps
/// it. The way back removes this block.
///
/// ```
/// let main = "resource \"disk\" \"a\" {\n}\n\noutput \"id\" {\n  value = disk.a.id\n}\n";
/// let document = hclkit_syntax::parse(main);
/// let names = hclkit_refactor::Names::of(&document);
/// let renamed = hclkit_refactor::rename(&[names], &"disk.a".parse()?, "b", false)?;
/// assert_eq!(
///     renamed[0].as_ref().unwrap().source().text(),
///     "resource \"disk\" \"b\" {\n}\n\noutput \"id\" {\n  value = disk.b.id\n}\n",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The new name is not an identifier or is reserved, it already exists, or a `for` expression would capture it.
pub fn rename<N: Borrow<Names>>(
    files: &[N],
    symbol: &Symbol,
    name: &str,
    moved: bool,
) -> Result<Vec<Option<Document>>, RenameError> {
    let new = symbol.with_name(name).map_err(|error| RenameError::InvalidName(error.to_string()))?;
    let files: Vec<&Names> = files.iter().map(Borrow::borrow).collect();
    if new == *symbol {
        return Ok(vec![None; files.len()]);
    }
    let is_given = |names: &&Names| names.is_given(symbol);
    if files.iter().any(is_given) && files.iter().all(|names| names.declarations(symbol).is_empty()) {
        return Err(RenameError::InvalidName(format!("`{symbol}` is a name of the language")));
    }
    let is_way_back =
        moved && files.iter().any(|names| inverse_move(&names.document, symbol, &new).is_some());
    let is_reserved = |names: &&Names| {
        let mut rules = names.language.iter().flat_map(|language| &language.blocks);
        rules.any(|rule| {
            rule.defines.definition(&new.names).is_some()
                && rule.reserved.iter().any(|name| *name == *new.name())
        })
    };
    if files.iter().any(is_reserved) {
        let why = format!("`{}` has a meaning in calls of modules and cannot name a variable", new.name());
        return Err(RenameError::InvalidName(why));
    }
    for names in &files {
        for occurrence in names.occurrences(&new) {
            let is_taken = match occurrence.kind {
                OccurrenceKind::Declaration => true,
                // References to something that is declared elsewhere.
                OccurrenceKind::Reference => new.names.len() == 1,
                OccurrenceKind::History if is_way_back => false,
                OccurrenceKind::History => moved && occurrence.address.rsplit('.').next() == Some("from"),
            };
            if is_taken {
                let place = place_of(&names.document, &occurrence);
                return Err(RenameError::Exists { name: new.to_string(), place });
            }
        }
    }
    let others: BTreeSet<String> = files.iter().flat_map(|names| other_types(names, symbol)).collect();
    for twin in others.iter().flat_map(|other| [symbol, &new].map(|own| own.with_root(other))) {
        for names in &files {
            if let Some(found) = names.declarations(&twin).first() {
                let place = place_of(&names.document, found);
                return Err(RenameError::Exists { name: twin.to_string(), place });
            }
        }
    }
    let records = moved.then(|| recording(&files, symbol)).flatten();
    let one = |(at, names)| in_file(names, symbol, &new, records == Some(at), is_way_back);
    files.iter().copied().enumerate().map(one).collect()
}

/// The file that gets the record of a move: the first one that declares the name, because override files must not have any.
fn recording(files: &[&Names], symbol: &Symbol) -> Option<usize> {
    let declares = |at: &usize| !files[*at].declarations(symbol).is_empty();
    let is_override = |at: usize| {
        let name = Path::new(files[at].document.source().name()).file_name()?.to_str()?;
        Some(files[at].language.as_ref()?.is_override(name))
    };
    (0..files.len()).filter(declares).min_by_key(|at| is_override(*at) == Some(true))
}

/// The new text of a file, if it changes.
fn in_file(
    names: &Names,
    symbol: &Symbol,
    new: &Symbol,
    moved: bool,
    is_way_back: bool,
) -> Result<Option<Document>, RenameError> {
    let document = &names.document;
    let is_changed = |occurrence: &Occurrence| occurrence.kind != OccurrenceKind::History;
    let mut occurrences = names.occurrences(symbol);
    occurrences.retain(is_changed);
    let inverse_move = inverse_move(document, symbol, new).filter(|_| is_way_back);
    if inverse_move.is_none() && occurrences.is_empty() {
        return Ok(None);
    }
    let mut edits = Edits::new(document);
    for occurrence in &occurrences {
        edits.replace(occurrence.name, written(new.name(), occurrence.form))?;
    }
    if let Some(block) = inverse_move {
        forget(&mut edits, document, block)?;
    }
    let declares = occurrences.iter().find(|occurrence| occurrence.kind == OccurrenceKind::Declaration);
    if let Some(declaration) = declares.filter(|_| moved && !is_way_back) {
        remember(&mut edits, names, declaration, symbol, new)?;
    }
    let after = edits.apply()?;
    let uses = |names: &Names| names.occurrences(new).into_iter().filter(is_changed).count();
    if uses(&Names::in_language(&after, names.language.clone())) != occurrences.len() + uses(names) {
        let (name, file) = (new.to_string(), document.source().name().to_owned());
        return Err(RenameError::Captured { name, file });
    }
    Ok(Some(after))
}

/// File and line.
fn place_of(document: &Document, occurrence: &Occurrence) -> String {
    format!("{}:{}", document.source().name(), document.position(occurrence.span.start).line)
}

/// The other types of blocks that a string with the name could mean: groups with the names of Bake's targets, and the other way
/// around. A reference does not say which of them it means.
fn other_types(names: &Names, symbol: &Symbol) -> impl Iterator<Item = String> {
    let rules = names.languages.iter().flat_map(|language| &language.string_names);
    let of_symbol = rules.filter(|rule| rule.blocks.iter().any(|own| **own == *symbol.names[0]));
    let types = of_symbol.flat_map(|rule| rule.blocks.iter().map(ToString::to_string));
    types.filter(|own| *own != symbol.names[0])
}

/// The `moved` block of a renaming from the new name to the old one, which the way back withdraws.
fn inverse_move(document: &Document, old: &Symbol, new: &Symbol) -> Option<NodeId> {
    if let Root::Expression(_) = document.root() {
        return inverse_move_json(document, old, new);
    }
    let is_way = |block: &BlockNode<'_>| {
        let is = |name: &str, symbol: &Symbol| {
            let address = block.body().attribute(name).map(|address| address.value().text());
            address.is_some_and(|address| address == symbol.to_string())
        };
        block.block_type() == "moved" && is("from", new) && is("to", old)
    };
    document.body().blocks().find(is_way).map(BlockNode::id)
}

/// The same in the JSON syntax: an element of an array, or an object.
fn inverse_move_json(document: &Document, old: &Symbol, new: &Symbol) -> Option<NodeId> {
    let moved = all_moved(document)?;
    let is_way = |object: &ExpressionNode<'_>| {
        let is = |name: &str, symbol: &Symbol| {
            let is_named =
                |item: &ObjectItemNode<'_>| unquoted(document.source().slice(item.key_span())) == name;
            let item = object.items().find(is_named);
            item.is_some_and(|item| unquoted(item.value().text()) == symbol.to_string())
        };
        is("from", new) && is("to", old)
    };
    std::iter::once(moved).chain(moved.elements()).find(is_way).map(ExpressionNode::id)
}

fn unquoted(text: &str) -> &str {
    text.trim_matches('"')
}

/// The value of `moved` in a document in the JSON syntax.
fn all_moved(document: &Document) -> Option<ExpressionNode<'_>> {
    "moved".parse::<Selector>().ok()?.select(document).ok()?.pop()?.expression()
}

/// Removes the `moved` block of the way there, as [`remember`] added it.
fn forget(edits: &mut Edits<'_>, document: &Document, block: NodeId) -> Result<(), EditError> {
    let Some(moved) = all_moved(document).filter(|_| document.syntax() == Syntax::Json) else {
        return edits.remove(block);
    };
    let elements: Vec<ExpressionNode<'_>> = moved.elements().collect();
    match &elements[..] {
        // The other one had no brackets before.
        [first, other] if first.id() == block => edits.set(moved, raw(other.text())),
        [_, _, ..] => edits.remove(block),
        _ => {
            let found = "moved".parse::<Selector>().ok().and_then(|path| path.select(document).ok()?.pop());
            found.map_or(Ok(()), |found| edits.remove(&found))
        }
    }
}

/// A name as written at a place.
pub(crate) fn written(name: &str, form: WrittenForm) -> String {
    match form {
        WrittenForm::Plain => name.to_owned(),
        WrittenForm::Quoted => Value::from(name).to_string(),
        WrittenForm::Escaped => format!("\\\"{name}\\\""),
    }
}

/// Adds a `moved` block after a declaration.
fn remember(
    edits: &mut Edits<'_>,
    names: &Names,
    declaration: &Occurrence,
    old: &Symbol,
    new: &Symbol,
) -> Result<(), EditError> {
    let document = &names.document;
    let is_resource =
        old.names[0] == "module" && old.names.len() == 2 || declaration.address.starts_with("resource.");
    if !is_resource || !has_moves(names) {
        return Ok(());
    }
    if document.syntax() == Syntax::Native {
        let block =
            declaration.address.parse::<Selector>().ok().and_then(|path| path.select(document).ok()?.pop());
        let source = format!("moved {{\n  from = {old}\n  to   = {new}\n}}");
        return block.map_or(Ok(()), |block| edits.insert_after(&block, &source));
    }
    let Root::Expression(root) = document.root() else { return Ok(()) };
    let object = format!("{{\n  \"from\": \"{old}\",\n  \"to\": \"{new}\"\n}}");
    match all_moved(document) {
        None => edits.add(root, "moved", raw(format!("[\n  {}\n]", object.replace('\n', "\n  ")))),
        Some(array) if matches!(array.kind(), ExpressionKind::Tuple) => edits.append(array, &object),
        Some(single) => {
            // The way back recognizes the order.
            let both = format!("[{object}, {}]", single.text());
            edits.set(single, raw(both))
        }
    }
}

/// Whether a `moved` block can be in a file.
fn has_moves(names: &Names) -> bool {
    let rules = names.language.iter().flat_map(|language| &language.blocks);
    names.kind == Some(FileKind::Module)
        && rules.into_iter().any(|rule| rule.statement == Some(Statement::Move))
}

/// Why a name was not changed. No file changes then.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum RenameError {
    /// The new name is invalid, with the reason.
    InvalidName(String),
    /// The new name already exists.
    Exists {
        /// The address with the new name.
        name: String,
        /// File and line.
        place: String,
    },
    /// The new name has another meaning where the old name is used, such as the variable of a `for` expression.
    Captured {
        /// The address with the new name.
        name: String,
        /// The file.
        file: String,
    },
    /// An edit is not possible.
    Edit(EditError),
}

impl From<EditError> for RenameError {
    fn from(error: EditError) -> Self {
        Self::Edit(error)
    }
}

impl fmt::Display for RenameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidName(reason) => f.write_str(reason),
            Self::Exists { name, place } => write!(f, "`{name}` already exists, at {place}"),
            Self::Captured { name, file } => {
                write!(
                    f,
                    "`{name}` would have another meaning in {file}, for example as the variable of a `for` expression"
                )
            }
            Self::Edit(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RenameError {}
