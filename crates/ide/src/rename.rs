//! Renaming a name in all files that refer to it, as `hcl rename` does.

use std::collections::BTreeMap;
use std::sync::Arc;

use hclkit::dialect::FileKind;
use hclkit::refactor::{
    self, ModuleCall, Names, Symbol, is_visible_to_callers, mentions, rename_in_callers,
    unfollowed_in_callers,
};
use hclkit::syntax::Edit;
use hclkit::{Document, Span};
use similar::DiffTag;
use similar::algorithms::{Capture, Compact, Replace, myers};

use crate::Snapshot;
use crate::file::File;
use crate::files::parent;
use crate::module::Module;
use crate::names::Named;

/// The edits of several files, by path.
pub type Edits = BTreeMap<String, Vec<Edit>>;

/// A name that can be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamable {
    /// The part of the file.
    pub span: Span,
    /// The name.
    pub name: String,
}

impl Snapshot {
    /// The name at a byte offset, if it can be renamed.
    pub fn prepare_rename(&self, path: &str, offset: u32) -> Option<Renamable> {
        let named = self.named(path, offset)?;
        let (symbol, module) = named.target();
        if module.declarations(symbol).is_empty() {
            return None;
        }
        let file = self.file(path)?;
        let span = name_at(&file, &named, offset)?;
        let name = file.document().source().slice(span).to_owned();
        (name == last_name(symbol)).then_some(Renamable { span, name })
    }

    /// The edits that give the name at a byte offset another name, in all files.
    ///
    /// # Errors
    /// The reason why it cannot be renamed: the new name is not valid or taken, or a file with the name has errors.
    pub fn rename(&self, path: &str, offset: u32, new: &str) -> Result<Edits, String> {
        let named = self.named(path, offset).ok_or("there is no name that can be renamed")?;
        let (symbol, module) = named.target();
        if module.declarations(symbol).is_empty() {
            return Err(format!("no file declares `{symbol}`"));
        }
        let mut files: Vec<Arc<File>> = Vec::new();
        for file in &module.files {
            if !file.document().has_errors() {
                files.push(file.clone());
            } else if mentions(file.document(), symbol) {
                return Err(format!("{} has errors", file.path()));
            }
        }
        let names: Vec<&Names> = files.iter().map(|file| file.names()).collect();
        let renamed = refactor::rename(&names, symbol, new, true).map_err(|error| error.to_string())?;
        let mut after: Vec<Document> = files
            .iter()
            .zip(renamed)
            .map(|(file, renamed)| renamed.unwrap_or_else(|| file.document().clone()))
            .collect();
        for file in self.callers(module, symbol) {
            if files.iter().any(|own| own.path() == file.path()) {
                continue;
            }
            if !file.document().has_errors() {
                after.push(file.document().clone());
                files.push(file);
            } else if mentions(file.document(), symbol) {
                return Err(format!("{} has errors", file.path()));
            }
        }
        let calls = |document: &Document, call: &ModuleCall<'_>| module.is_called(document, call);
        let unfollowed = unfollowed_in_callers(&after, symbol, calls);
        for (document, spans) in after.iter().zip(unfollowed) {
            if let Some(span) = spans.first() {
                let (text, line) = (document.source().slice(*span), document.position(span.start).line);
                let place = format!("{}:{line}", document.source().name());
                return Err(format!(
                    "`{text}` is used as a whole at {place}, so that uses of `{symbol}` cannot be followed"
                ));
            }
        }
        if module.files.iter().any(|file| file.names().is_unfollowed(symbol)) {
            return Err(format!("it is not known what refers to `{symbol}`"));
        }
        let renamed = rename_in_callers(&after, symbol, new, calls).map_err(|error| error.to_string())?;
        let mut edits = Edits::new();
        for ((file, after), renamed) in files.iter().zip(after).zip(renamed) {
            let text = renamed.unwrap_or(after);
            let changes = changes(file.text(), text.source().text());
            if !changes.is_empty() {
                edits.insert(file.path().to_owned(), changes);
            }
        }
        Ok(edits)
    }

    /// The files of the modules that call a module, if they can refer to a name of it.
    pub(crate) fn callers(&self, module: &Module, symbol: &Symbol) -> Vec<Arc<File>> {
        if !module.files.iter().any(|file| is_visible_to_callers(file.document(), symbol)) {
            return Vec::new();
        }
        let index = self.index();
        let paths = index.callers(&module.directory).into_iter().flat_map(|directory| {
            let names = self.list(directory).unwrap_or_default();
            names.into_iter().map(move |name| format!("{directory}/{name}"))
        });
        let paths = paths.filter(|path| self.is_configuration(path));
        let files = paths.filter_map(|path| self.file(&path));
        files.filter(|file| matches!(file.kind(), Some(FileKind::Module | FileKind::Tests))).collect()
    }

    /// The edits that keep the sources of calls right when files or directories get other paths.
    pub fn moved(&self, moves: &[(String, String)]) -> Edits {
        let after = |path: &str| {
            let moved = moves.iter().find(|(from, _)| crate::files::is_in(path, from));
            moved.map(|(from, to)| format!("{to}{}", &path[from.trim_end_matches('/').len()..]))
        };
        let directories: Vec<String> = self.index().directories().map(str::to_owned).collect();
        let mut edits = Edits::new();
        for directory in directories {
            for name in self.list(&directory).unwrap_or_default() {
                let path = format!("{}/{name}", directory.trim_end_matches('/'));
                let Some(file) =
                    Some(&path).filter(|path| self.is_configuration(path)).and_then(|path| self.file(path))
                else {
                    continue;
                };
                let place = after(&path).unwrap_or_else(|| path.clone());
                for link in crate::links::of_file(&file) {
                    let Some(target) = &link.path else { continue };
                    let moved = after(target).unwrap_or_else(|| target.clone());
                    if moved == *target && place == path {
                        continue;
                    }
                    let relative = hclkit::module::relative_path(parent(&place), &moved);
                    // A name such as `..a` does not go up.
                    let goes_up = relative.split('/').next() == Some("..");
                    let relative = if goes_up { relative } else { format!("./{relative}") };
                    if relative != link.text {
                        edits.entry(path.clone()).or_default().push(Edit::new(link.span, relative));
                    }
                }
            }
        }
        edits
    }
}

/// The part of the name at an offset that would change.
fn name_at(file: &File, named: &Named, offset: u32) -> Option<Span> {
    if named.inner.is_some() && named.symbol.to_string().contains(".var.") {
        return Some(named.span);
    }
    let document = file.document();
    let found = file.names().occurrences(&named.symbol);
    let name = found.iter().filter(|found| found.span.touches(offset)).map(|found| found.name_span(document));
    name.into_iter().min_by_key(|span| !span.touches(offset))
}

fn last_name(symbol: &Symbol) -> String {
    symbol.names().last().cloned().unwrap_or_default()
}

/// The edits between two texts: one for each group of lines that differ. If both have as many lines, or a group has, they are compared
/// line by line.
pub(crate) fn changes(before: &str, after: &str) -> Vec<Edit> {
    if before == after {
        return Vec::new();
    }
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let (old_middle, new_middle) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    let mut at = length(&old[..start]);
    let mut edits = Vec::new();
    if old_middle.len() == new_middle.len() {
        add_changes(at, old_middle, new_middle, &mut edits);
        return edits;
    }
    // Choosing the algorithm at run time would put all of them into the program.
    let mut found = Compact::new(Replace::new(Capture::new()), old_middle, new_middle);
    let Ok(()) = myers::diff(&mut found, old_middle, 0..old_middle.len(), new_middle, 0..new_middle.len());
    for operation in found.into_inner().into_inner().into_ops() {
        let (old, new) = (&old_middle[operation.old_range()], &new_middle[operation.new_range()]);
        if operation.tag() != DiffTag::Equal {
            add_changes(at, old, new, &mut edits);
        }
        at += length(old);
    }
    edits
}

fn length(lines: &[&str]) -> u32 {
    lines.iter().map(|line| line.len() as u32).sum()
}

/// Adds the edits between groups of lines, of which the old one is at an offset.
fn add_changes(mut at: u32, old: &[&str], new: &[&str], edits: &mut Vec<Edit>) {
    if old.len() != new.len() {
        edits.push(Edit::new(Span::new(at, at + length(old)), new.concat()));
        return;
    }
    for (old, new) in old.iter().zip(new) {
        if old != new {
            edits.push(part(at, old, new));
        }
        at += old.len() as u32;
    }
}

/// The edit of a line, without what is the same at its ends. A line break is not divided.
fn part(at: u32, old: &str, new: &str) -> Edit {
    let same = |(old, new): &(char, char)| old == new && *old != '\r';
    let length = |(sign, _): (char, char)| sign.len_utf8();
    let start: usize = old.chars().zip(new.chars()).take_while(same).map(length).sum();
    let (rest_old, rest_new) = (&old[start..], &new[start..]);
    let ends_alike = rest_old.ends_with("\r\n") == rest_new.ends_with("\r\n");
    let both = rest_old.chars().rev().zip(rest_new.chars().rev());
    let end: usize = if ends_alike { both.take_while(|(old, new)| old == new).map(length).sum() } else { 0 };
    let span = Span::new(at + start as u32, at + (old.len() - end) as u32);
    Edit::new(span, rest_new[..rest_new.len() - end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_lead_to_the_new_text() {
        let mut random = fastrand::Rng::with_seed(7);
        let text = |random: &mut fastrand::Rng| -> String {
            let parts = ["a", "ä😀", "\n", "\r\n", " = ", "b"];
            (0..random.usize(..12)).map(|_| parts[random.usize(..parts.len())]).collect()
        };
        for _ in 0..5_000 {
            let (before, after) = (text(&mut random), text(&mut random));
            let mut result = before.clone();
            for edit in changes(&before, &after).iter().rev() {
                result.replace_range(edit.span.to_range(), &edit.replacement);
            }
            assert_eq!(result, after, "from {before:?}");
        }
    }
}
