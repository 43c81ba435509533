//! `hcl split`: moves blocks of Terraform modules to the files of Terraform's style guide, or blocks that are chosen to a file.

mod chosen;

use std::fs;
use std::path::Path;

use hclkit::Document;
use hclkit::limits::directory_of;
use hclkit::refactor::{SplitFile, split, style_moves};

use crate::args::Split;
use crate::atomic_write::{self, Change};
use crate::documents::{Documents, Keep};
use crate::edit::change_all;
use crate::host::Host;
use crate::input::Input;
use crate::outcome::{Failure, Outcome};
use crate::output::{complain, plural, print_diff, print_written};
use crate::rename;
use crate::text_diff;
use chosen::Chosen;

pub(crate) fn run(command: &Split) -> Result<Outcome, Failure> {
    let (inputs, documents) = match rename::read(&command.modules, None, &Documents::new(Keep::All))? {
        Ok(parsed) => parsed,
        Err(outcome) => return Ok(outcome),
    };
    if command.write {
        atomic_write::clean_beside(&inputs);
    }
    let (read, files): (Vec<(&Input, &Document)>, Vec<SplitFile<'_>>) = inputs
        .iter()
        .zip(&documents)
        .filter_map(|(input, document)| {
            Some(((input, document), SplitFile { path: input.path()?, document }))
        })
        .unzip();
    let exists = |path: &Path| path.symlink_metadata().is_ok();
    let moves = match command.into.as_deref() {
        Some(file) => {
            let mut chosen = Chosen::new(&command.block, file)?;
            let moves = chosen.moves(&files)?;
            if chosen.report_missing(&inputs) && !command.matching.allow_empty {
                return Ok(Outcome::Problems);
            }
            moves
        }
        None => style_moves(&files, exists),
    };
    if moves.is_empty() {
        if command.matching.allow_empty {
            return Ok(Outcome::Fine);
        }
        complain("there is nothing to move");
        return Ok(Outcome::Problems);
    }
    let settings = Host::current().settings();
    let formatter = |path: &Path| settings.formatter(&path.to_string_lossy());
    let after = split(&files, &moves, exists, formatter).map_err(|error| Failure::new(error.to_string()))?;
    let changed = || {
        let all = read.iter().zip(&after.changed).enumerate();
        all.filter_map(|(index, (&(input, before), after))| Some((index, input, before, after.as_ref()?)))
    };
    // A file of which nothing is left is not needed.
    let is_removed = |index: usize| after.is_emptied(index) && !has_links(files[index].path);
    if !command.write {
        for new in after.created.values() {
            print_diff(&text_diff::created(new.source().name(), new.source().text()))?;
        }
        for (index, _, before, after) in changed() {
            let before = before.source();
            print_diff(&if is_removed(index) {
                text_diff::removed(before.name(), before.text())
            } else {
                text_diff::unified(before.name(), before.text(), after.source().text())
            })?;
        }
        return Ok(Outcome::Fine);
    }
    let mut changes: Vec<Change<'_>> =
        after.created.iter().map(|(path, new)| Change::Create { path, text: new.source().bytes() }).collect();
    changes.extend(changed().map(|(index, input, before, after)| {
        let before = before.source().bytes();
        if is_removed(index) {
            Change::Remove { path: files[index].path, input, before }
        } else {
            Change::Rewrite { input, before, after: after.source().bytes() }
        }
    }));
    if !change_all(&changes) {
        return Ok(Outcome::Incomplete);
    }
    for change in &changes {
        let name = change.name();
        let what = match (change, after.counts.get(Path::new(&name))) {
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
    let folder = directory_of(path);
    let target = path.canonicalize().ok();
    let links = fs::read_dir(folder).into_iter().flatten().flatten();
    links.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink())).any(|entry| {
        Some(entry.file_name().as_os_str()) == path.file_name() || entry.path().canonicalize().ok() == target
    })
}
