//! `hcl split`: moves blocks of Terraform modules to the files of Terraform's style guide, or blocks that are chosen to a file.

mod chosen;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hclkit::ast::{BlockNode, ExpressionKind, ExpressionNode, ObjectItemNode};
use hclkit::dialect::Dialect;
use hclkit::syntax::{Root, Span};
use hclkit::write::{EditError, Edits, Formatter, source_of};
use hclkit::{Document, Source, StartSymbol, Syntax};

use crate::args::Split;
use crate::diff;
use crate::edit::{change_all, json_blocks};
use crate::host::Host;
use crate::output::{Failure, Outcome, complain, plural, print_diff, print_written, warn};
use crate::rename;
use crate::replace::{self, Change};
use crate::settings::Settings;
use chosen::Chosen;

/// The blocks that move, by the file that they move to.
type Moves = BTreeMap<PathBuf, Vec<Moved>>;

/// A block that moves.
enum Moved {
    /// Its source text with comments, and the line end after it.
    Block(String, &'static str),
    /// What a file in the JSON syntax would be with these blocks only, and their number.
    Properties(String, usize),
}

pub(crate) fn run(command: &Split) -> Result<Outcome, Failure> {
    let (inputs, documents) = match rename::read(&command.modules, None)? {
        Ok(parsed) => parsed,
        Err(outcome) => return Ok(outcome),
    };
    if command.write {
        replace::clean_beside(&inputs);
    }
    let settings = Host::current().settings();
    let mut chosen = command.into.as_deref().map(|file| Chosen::new(&command.block, file)).transpose()?;
    let mut moves = Moves::new();
    let mut edited: Vec<Option<Document>> = Vec::with_capacity(inputs.len());
    for (input, document) in inputs.iter().zip(&documents) {
        let mut edits = Edits::new(document).with_formatter(settings.formatter(document.source().name()));
        match (&mut chosen, input.path()) {
            (Some(chosen), Some(path)) => chosen.take(document, path, &mut edits, &mut moves)?,
            (None, Some(path)) => {
                if let Some(ending) = ending(path) {
                    take(document, path, ending, &mut edits, &mut moves).map_err(|error| failure(&error))?;
                }
            }
            (_, None) => {}
        }
        edited.push(if edits.is_empty() {
            None
        } else {
            Some(edits.apply().map_err(|error| failure(&error))?)
        });
    }
    let is_missing = chosen.as_ref().is_some_and(|chosen| chosen.report_missing(&inputs));
    if is_missing && !command.matching.allow_empty {
        return Ok(Outcome::Problems);
    }
    if moves.is_empty() {
        if command.matching.allow_empty {
            return Ok(Outcome::Fine);
        }
        complain("there is nothing to move");
        return Ok(Outcome::Problems);
    }
    let count = |(path, moved): (&PathBuf, &Vec<Moved>)| {
        let blocks = moved.iter().map(|moved| match moved {
            Moved::Block(..) => 1,
            Moved::Properties(_, count) => *count,
        });
        (path.display().to_string(), blocks.sum())
    };
    let counts: BTreeMap<String, usize> = moves.iter().map(count).collect();
    let mut created = Vec::new();
    for (path, moved) in moves {
        let known = inputs.iter().position(|input| input.path() == Some(path.as_path()));
        let before = match known {
            Some(at) => edited[at].clone().unwrap_or_else(|| documents[at].clone()),
            None if path.symlink_metadata().is_ok() => {
                return Err(Failure::new(format!("{} exists, but is not among the files", path.display())));
            }
            None => empty(&path),
        };
        let after = put(before, &moved, &settings).map_err(|error| failure(&error))?;
        match known {
            Some(at) => edited[at] = Some(after),
            None => created.push((path, after)),
        }
    }
    let changed = inputs.iter().zip(&documents).zip(&edited).filter_map(|((input, before), after)| {
        Some((input, before, after.as_ref()?, 0)).filter(|_| input.path().is_some())
    });
    // A file of which nothing is left is not needed.
    let is_removed = |path: &Path, after: &Document| is_empty(after) && !has_links(path);
    if !command.write {
        for (_, after) in &created {
            print_diff(&diff::created(after.source().name(), after.source().text()))?;
        }
        for (input, before, after, _) in changed {
            let (before, after_text) = (before.source(), after.source().text());
            print_diff(&match input.path() {
                Some(path) if is_removed(path, after) => diff::removed(before.name(), before.text()),
                _ => diff::unified(before.name(), before.text(), after_text),
            })?;
        }
        return Ok(Outcome::Fine);
    }
    let mut changes: Vec<Change<'_>> =
        created.iter().map(|(path, after)| Change::Create { path, text: after.source().bytes() }).collect();
    for (input, before, after, _) in changed {
        let before = before.source().bytes();
        changes.push(match input.path() {
            Some(path) if is_removed(path, after) => Change::Remove { path, input, before },
            _ => Change::Rewrite { input, before, after: after.source().bytes() },
        });
    }
    if !change_all(&changes) {
        return Ok(Outcome::Unreadable);
    }
    for change in &changes {
        let name = change.name();
        let what = match (change, counts.get(name.as_str())) {
            (Change::Remove { .. }, _) => "removed".to_owned(),
            (_, Some(count)) => format!("{} moved here", plural(*count, "block")),
            (_, None) => "blocks moved away".to_owned(),
        };
        print_written(&name, &what)?;
    }
    Ok(Outcome::Fine)
}

/// Whether a file is a link, or another name in its directory links to it.
fn has_links(path: &Path) -> bool {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let target = path.canonicalize().ok();
    let links = fs::read_dir(folder).into_iter().flatten().flatten();
    links.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink())).any(|entry| {
        Some(entry.file_name().as_os_str()) == path.file_name() || entry.path().canonicalize().ok() == target
    })
}

fn failure(error: &EditError) -> Failure {
    Failure::new(error.to_string())
}

/// A file without content.
fn empty(path: &Path) -> Document {
    let name = path.display().to_string();
    match Syntax::of(path) {
        Syntax::Native => Document::parse(Source::new(name, ""), StartSymbol::Config),
        Syntax::Json => Document::parse_json(Source::new(name, "{\n}\n")),
    }
}

/// Whether nothing is left in a file.
fn is_empty(document: &Document) -> bool {
    match document.root() {
        Root::Expression(root) if matches!(root.kind(), ExpressionKind::Object) => {
            root.items().next().is_none()
        }
        Root::Expression(root) if matches!(root.kind(), ExpressionKind::Tuple) => {
            root.elements().next().is_none()
        }
        _ => document.source().text().trim().is_empty(),
    }
}

/// Removes the blocks that move from a file, and returns them.
fn take(
    document: &Document,
    path: &Path,
    ending: &str,
    edits: &mut Edits<'_>,
    moves: &mut Moves,
) -> Result<(), EditError> {
    match document.root() {
        Root::Expression(root) => {
            if root
                .elements()
                .any(|element| element.items().any(|item| stem(&json_blocks::name(item)).is_some()))
            {
                warn(format_args!("{} is an array and stays as it is", path.display()));
            }
            for item in root.items() {
                let Some(target) = target(&json_blocks::name(item), path, ending) else { continue };
                edits.remove(item.id())?;
                let properties =
                    format!("{{\n{}\n}}", property(item, &source_of(document, item.value().id())));
                moves.entry(target).or_default().push(Moved::Properties(properties, 1));
            }
        }
        _ => {
            for block in document.body().blocks() {
                let Some(target) = target(block.block_type(), path, ending) else { continue };
                let source = edits.owned_source(block.id());
                moves.entry(target).or_default().push(Moved::Block(source, line_end(document, block)));
                edits.remove(block.id())?;
            }
        }
    }
    Ok(())
}

/// A property of a file in the JSON syntax with a value.
fn property(item: ObjectItemNode<'_>, value: &str) -> String {
    format!("{}: {value}", item.value().document().source().slice(item.key_span()))
}

/// The line end after a block; at the end of a file, the one in the block.
fn line_end(document: &Document, block: BlockNode<'_>) -> &'static str {
    let source = document.source();
    let of = |text: &str| Some(text[..text.find('\n')?].ends_with('\r'));
    let after = of(source.slice(Span::new(block.span().end, source.len())));
    let is_long = after.or_else(|| of(source.slice(block.span()))).unwrap_or(false);
    if is_long { "\r\n" } else { "\n" }
}

/// A file with the blocks that move to it.
fn put(before: Document, moved: &[Moved], settings: &Settings) -> Result<Document, EditError> {
    let formatter = settings.formatter(before.source().name());
    let mut document = before;
    let mut blocks = Vec::new();
    for moved in moved {
        match moved {
            Moved::Block(source, line_end) => blocks.push((source.as_str(), *line_end)),
            // The properties of two files can have the same name, so each file is added to the result of the previous one.
            Moved::Properties(text, _) => {
                let properties = Document::parse_json(Source::new("", text.as_str()));
                let Root::Expression(root) = properties.root() else { continue };
                for item in chosen::objects(root).flat_map(ExpressionNode::items) {
                    document = put_property(&document, item, &formatter)?;
                }
            }
        }
    }
    if blocks.is_empty() {
        return Ok(document);
    }
    // The bytes of blocks stay as they are, because line ends in heredocs are part of values.
    let source = document.source();
    let mut text = source.text().to_owned();
    for (block, line_end) in blocks {
        if !text.is_empty() {
            text.push_str(if text.ends_with('\n') { "" } else { line_end });
            text.push_str(line_end);
        }
        text.push_str(block.trim_end_matches(['\r', '\n']));
        text.push_str(line_end);
    }
    Ok(Document::parse(Source::new(source.name(), text), StartSymbol::Config))
}

/// A file in the JSON syntax with one more property, which is part of the one with its name if there is one.
fn put_property(
    document: &Document,
    item: ObjectItemNode<'_>,
    formatter: &Formatter,
) -> Result<Document, EditError> {
    let dialect = Dialect::of_path(document.source().name());
    let block_type = json_blocks::name(item);
    let shape = dialect.as_ref().and_then(|dialect| dialect.shape(None, &block_type));
    let labels = shape.map_or(1, |shape| shape.labels.len());
    let mut edits = Edits::new(document).with_formatter(formatter.clone());
    if let Root::Expression(root) = document.root() {
        json_blocks::merge(&mut edits, root, item, Some(labels))?;
    }
    edits.apply()
}

/// The ending of a file of a module, of which blocks may move to other files.
fn ending(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_str()?;
    let endings = [".tf", ".tofu", ".tf.json", ".tofu.json"];
    let ending = endings.into_iter().find(|ending| name.ends_with(ending))?;
    (!is_override(path)).then_some(ending)
}

/// Whether what a file contains changes the blocks of other files.
fn is_override(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    Dialect::of_path(path).is_some_and(|dialect| dialect.is_override(name))
}

/// The name of the file for blocks of a type, without its ending.
fn stem(block_type: &str) -> Option<&'static str> {
    Some(match block_type {
        "terraform" => "terraform",
        "provider" => "providers",
        "variable" => "variables",
        "output" => "outputs",
        "locals" => "locals",
        _ => return None,
    })
}

/// The file that blocks of a type move to, if that is another one.
fn target(block_type: &str, path: &Path, ending: &str) -> Option<PathBuf> {
    let stem = stem(block_type)?;
    let file = |stem: &str| path.with_file_name(format!("{stem}{ending}"));
    let (versions, target) = (file("versions"), file(stem));
    let target = if stem == "terraform" && !target.exists() && versions.exists() { versions } else { target };
    (target != path).then_some(target)
}
