//! `hcl merge`: merges three versions of a file, as Git calls a merge driver. The result replaces the version of the current
//! branch. The merge itself is `hclkit::write::Merge`.

use hclkit::Syntax;
use hclkit::dialect::Dialect;
use hclkit::write::{ConflictStyle, LinesOnly, Merge, Merged, Method, Version};

use crate::args;
use crate::atomic_write::{self, Change};
use crate::edit::change_all;
use crate::host::Host;
use crate::input::Input;
use crate::outcome::{Failure, Outcome};
use crate::output::{complain, note, plural, print_bytes, print_diagnostics};

pub(crate) fn run(command: &args::Merge) -> Result<Outcome, Failure> {
    let inputs = [&command.base, &command.ours, &command.theirs].map(|path| Input::of(path));
    if inputs.iter().filter(|input| **input == Input::Stdin).count() > 1 {
        return Err(Failure::new("standard input can be only one of the versions"));
    }
    if command.result.is_none() && inputs[1] == Input::Stdin {
        return Err(Failure::new("standard input cannot be written; use --result"));
    }
    if command.result.is_none() {
        atomic_write::clean_beside(&inputs[1..2]);
    }
    let mut versions = Vec::with_capacity(inputs.len());
    for input in &inputs {
        versions.push(input.read_text()?);
    }
    let name = command.path.as_ref().unwrap_or(&command.ours);
    let merge = merge(command, Dialect::syntax_of(name));
    let merged = Host::current()
        .limited(|| merge.merge(versions[0].bytes(), versions[1].bytes(), versions[2].bytes()));
    let merged = match merged {
        Ok(merged) => merged,
        Err(diagnostics) => {
            print_diagnostics(&diagnostics)?;
            return Ok(Outcome::of_errors(&diagnostics));
        }
    };
    if let Method::LinesOnly(why) = merged.method() {
        note(format_args!("{}: {}", name.display(), reason(why)));
    }
    let written = match (&command.result, atomic_write::file(command.result.as_ref())) {
        (Some(_), Some(path)) => atomic_write::write(path, merged.bytes()).map(|()| true)?,
        (Some(_), None) => print_bytes(merged.bytes()).map(|()| true)?,
        (None, _) => write_ours(&inputs[1], versions[1].bytes(), &merged),
    };
    if !written {
        return Ok(Outcome::Incomplete);
    }
    if merged.conflicts() == 0 {
        return Ok(Outcome::Fine);
    }
    complain(format_args!("{}: {}", name.display(), plural(merged.conflicts(), "conflict")));
    Ok(Outcome::Problems)
}

fn merge(command: &args::Merge, syntax: Syntax) -> Merge {
    Merge::new(syntax)
        .with_style(match command.style {
            args::MergeStyle::Merge => ConflictStyle::Merge,
            args::MergeStyle::Diff3 => ConflictStyle::Diff3,
            args::MergeStyle::Zdiff3 => ConflictStyle::Zdiff3,
        })
        .with_marker_size(command.marker_size.into())
        .with_label(Version::Base, &command.base_label)
        .with_label(Version::Ours, &command.ours_label)
        .with_label(Version::Theirs, &command.theirs_label)
}

/// Writes the result, unless the file has it.
fn write_ours(ours: &Input, before: &[u8], merged: &Merged) -> bool {
    before == merged.bytes() || change_all(&[Change::Rewrite { input: ours, before, after: merged.bytes() }])
}

/// Why a file is merged by lines.
fn reason(why: LinesOnly) -> String {
    match why {
        LinesOnly::Syntax(Syntax::Json) => "merged by lines, because it is in the JSON syntax".to_owned(),
        LinesOnly::Syntax(_) => "merged by lines, because it is in HCL 1".to_owned(),
        LinesOnly::Errors(version) => format!("merged by lines, because {version} has syntax errors"),
        LinesOnly::Markers(version) => format!("merged by lines, because {version} has conflict markers"),
        LinesOnly::NotText(version) => format!("merged by lines, because {version} is not UTF-8"),
        _ => "merged by lines, because the changes of both sides do not fit together".to_owned(),
    }
}
