//! `hcl split`: moves blocks of Terraform modules to the files of Terraform's style guide.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hclkit::ast::BlockNode;
use hclkit::syntax::Root;
use hclkit::write::Edits;
use hclkit::{Document, Entry, Source};

use crate::args::Split;
use crate::diff;
use crate::edit::finish;
use crate::input::Input;
use crate::output::{Failure, Outcome, complain, print_diff, warn};
use crate::settings::Settings;
use crate::{rename, replace};

/// The blocks of a module that move, by the file that they move to.
type Moves = BTreeMap<PathBuf, Vec<String>>;

pub(crate) fn run(command: &Split) -> Result<Outcome, Failure> {
    let Some((inputs, documents)) = rename::read(&command.files, &command.paths, false)? else {
        return Ok(Outcome::Unreadable);
    };
    if command.write {
        replace::clean_beside(&inputs);
    }
    let settings = Settings::read()?;
    let mut moves = Moves::new();
    let mut edited: Vec<Option<Document>> = Vec::with_capacity(inputs.len());
    let failure = |error: hclkit::write::EditError| Failure::new(error.to_string());
    for (input, document) in inputs.iter().zip(&documents) {
        let Some(path) = input.path().filter(|path| is_module_file(path)) else {
            if input.is_json() && declares(document) {
                warn(format_args!("{} is in the JSON syntax and does not change", input.name()));
            }
            edited.push(None);
            continue;
        };
        let mut edits = Edits::new(document).with_formatter(settings.formatter(document.source().name()));
        for block in document.body().blocks() {
            let Some(target) = target(block, path) else { continue };
            moves.entry(target).or_default().push(edits.owned_source(block.id()));
            edits.remove(block.id()).map_err(failure)?;
        }
        edited.push(if edits.is_empty() { None } else { Some(edits.apply().map_err(failure)?) });
    }
    if moves.is_empty() {
        complain("there is nothing to move");
        return Ok(Outcome::Problems);
    }
    let mut created = Vec::new();
    for (path, blocks) in moves {
        let source = blocks.join("\n\n");
        let known = inputs.iter().position(|input| input.path() == Some(path.as_path()));
        let before = match known {
            Some(at) => edited[at].clone().unwrap_or_else(|| documents[at].clone()),
            None if path.exists() => {
                return Err(Failure::new(format!("{} exists, but is not among the files", path.display())));
            }
            None => Document::parse(Source::new(path.display().to_string(), ""), Entry::Config),
        };
        let mut edits = Edits::new(&before).with_formatter(settings.formatter(before.source().name()));
        edits.append(before.body().id(), &source).map_err(failure)?;
        let after = edits.apply().map_err(failure)?;
        match known {
            Some(at) => edited[at] = Some(after),
            None => created.push((path, after)),
        }
    }
    // New files come first, so that nothing is lost if a file cannot be written.
    for (path, after) in created {
        if command.write {
            replace::write(&path, after.source().bytes())
                .map_err(|why| Failure::new(format!("cannot write {}: {why}", path.display())))?;
        } else {
            print_diff(&diff::unified(after.source().name(), "", after.source().text()))?;
        }
    }
    let mut failed = false;
    let shrinks =
        |(_, before, after): &(&Input, &Document, &Document)| after.source().len() < before.source().len();
    let mut changed: Vec<_> = inputs
        .iter()
        .zip(&documents)
        .zip(&edited)
        .filter_map(|((input, before), after)| Some((input, before, after.as_ref()?)))
        .collect();
    // Files that get blocks come first as well.
    changed.sort_by_key(shrinks);
    for (input, before, after) in changed {
        // A file of which nothing is left is not needed.
        if let (true, "", Some(path)) = (command.write, after.source().text().trim(), input.path()) {
            match replace::remove(path, || input.open(), before.source().bytes()) {
                Ok(true) => continue,
                Ok(false) => {}
                Err(why) => {
                    complain(format_args!("cannot remove {}: {why}", path.display()));
                    failed = true;
                    break;
                }
            }
        }
        if let Err(unreadable) = finish(command.write, input, before, after)? {
            complain(unreadable);
            failed = true;
            // The blocks that are not in a file yet stay where they were.
            break;
        }
    }
    Ok(if failed { Outcome::Unreadable } else { Outcome::Fine })
}

/// Whether a file in the JSON syntax has blocks that would move from another one.
fn declares(document: &Document) -> bool {
    let Root::Expression(root) = document.root() else { return false };
    let names = ["terraform", "provider", "variable", "output", "locals"];
    root.items().any(|item| {
        let key = document.source().slice(item.key_span());
        names.contains(&key.trim_matches('"'))
    })
}

fn is_module_file(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "tf" || ending == "tofu")
}

/// The file that a block moves to, if that is another one.
fn target(block: BlockNode<'_>, path: &Path) -> Option<PathBuf> {
    let stem = match block.block_type() {
        "terraform" => "terraform",
        "provider" => "providers",
        "variable" => "variables",
        "output" => "outputs",
        "locals" => "locals",
        _ => return None,
    };
    let ending = path.extension()?;
    let versions = path.with_file_name("versions").with_extension(ending);
    let target = path.with_file_name(stem).with_extension(ending);
    let target = if stem == "terraform" && !target.exists() && versions.exists() { versions } else { target };
    (target != path).then_some(target)
}
