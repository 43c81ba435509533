//! `hcl refs`: prints where a name is declared and referred to. Files are read in parallel and printed in order.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use hclkit::Document;
use hclkit::refactor::{
    ModuleCall, Names, Occurrence, Symbol, is_visible_to_callers, occurrences_in_callers,
};
use hclkit::syntax::visible_line;
use serde::Serialize;

use crate::args::{Output, Refs, Spacing};
use crate::documents::{Documents, Keep};
use crate::edit::symbol;
use crate::host;
use crate::input::Input;
use crate::module_address;
use crate::outcome::{Failure, Outcome};
use crate::output::{complain, print_bytes, write_json};
use crate::query::{NoAnswer, Places, element};
use crate::rename;
use crate::rename::callers::Callers;
use crate::workers::Workers;

/// An occurrence, as it is printed.
#[derive(Serialize)]
struct Line {
    file: String,
    range: Places,
    address: String,
    kind: &'static str,
    text: String,
}

pub(crate) fn run(command: &Refs) -> Result<Outcome, Failure> {
    command.callers.check()?;
    let outer = symbol(&command.address)?;
    let mut found = rename::find(&command.modules)?;
    let parsed = Documents::new(Keep::All);
    let mut within = None;
    // The outputs of a call are declared in the directory of the module.
    if let Some(inner) = module_address::find(&outer, &command.modules, &parsed)? {
        let mut modules = command.modules.clone();
        modules.paths = vec![inner.directory];
        let below = rename::find(&modules)?;
        found.inputs.retain(|input| !below.inputs.iter().any(|other| other.name() == input.name()));
        within = Some((inner.symbol, below.inputs));
        found.unreadable.extend(below.unreadable);
    }
    found.unreadable.iter().for_each(complain);
    let mut failed = if found.unreadable.is_empty() { Outcome::Fine } else { Outcome::Incomplete };
    let workers = Workers::new();
    let mut inputs: Vec<(&Input, &Symbol)> = found.inputs.iter().map(|input| (input, &outer)).collect();
    if let Some((inner, below)) = &within {
        inputs.extend(below.iter().map(|input| (input, inner)));
    }
    let one = |(input, symbol): &(&Input, &Symbol)| {
        read(input, &parsed).map(|document| {
            let names = Names::of(&document);
            let lines = lines(&document, names.occurrences(symbol));
            let hint = lines.is_empty().then(|| rename::meant(symbol, &names)).flatten();
            let file = input.canonical();
            let places: Vec<Place> = lines.iter().map(|line| (file.clone(), line.range.start.byte)).collect();
            (lines, hint, places, is_visible_to_callers(&document, symbol))
        })
    };
    let (mut count, mut hint, mut printed, mut is_visible) = (0, None, HashSet::new(), false);
    workers.for_each(&inputs, one, |answers| {
        for answer in answers {
            match answer {
                Ok((lines, other, places, visible)) => {
                    hint = hint.take().or(other);
                    printed.extend(places);
                    is_visible |= visible;
                    print(command, &lines, count == 0)?;
                    count += lines.len();
                }
                Err(why) => failed = failed.max(why.report()),
            }
        }
        Ok::<_, Failure>(())
    })?;
    let (symbol, own) = match &within {
        Some((inner, below)) => (inner, below),
        None => (&outer, &found.inputs),
    };
    let own: Vec<&Input> = own.iter().collect();
    if count > 0 {
        let below = &command.callers.directories;
        let callers = Callers::find(&command.modules.files, below, symbol, &own, is_visible, &parsed)?;
        failed = failed.max(callers.outcome);
        for (input, mut lines) in in_callers(&callers, symbol) {
            let file = input.canonical();
            lines.retain(|line| printed.insert((file.clone(), line.range.start.byte)));
            print(command, &lines, false)?;
            count += lines.len();
        }
    }
    if command.output() == Output::Json {
        print_bytes(if count == 0 { b"[]\n" } else { b"\n]\n" })?;
    }
    if failed == Outcome::Fine && count == 0 && !command.matching.allow_empty {
        let hint = hint.unwrap_or_else(|| rename::not_searched(&command.modules).to_owned());
        complain(format_args!("{outer} was not found{hint}"));
        failed = Outcome::Problems;
    }
    Ok(failed)
}

/// Reads a file without syntax errors.
fn read(input: &Input, parsed: &Documents) -> Result<Document, NoAnswer> {
    let document = parsed.parse(input).map_err(NoAnswer::Unreadable)?;
    if document.has_errors() { Err(NoAnswer::Wrong(document.diagnostics().clone())) } else { Ok(document) }
}

/// A file, and the start of an occurrence in it.
type Place = (Option<PathBuf>, u32);

/// The occurrences in the files that call a module.
fn in_callers<'c>(callers: &'c Callers, symbol: &Symbol) -> Vec<(&'c Input, Vec<Line>)> {
    let documents: Vec<Document> = callers.files.iter().map(|(_, document)| document.clone()).collect();
    let calls = |document: &Document, call: &ModuleCall<'_>| callers.is_call(document, call);
    let found = occurrences_in_callers(&documents, symbol, calls);
    let lines = documents.iter().zip(found).map(|(document, found)| lines(document, found));
    callers.files.iter().map(|(input, _)| input).zip(lines).collect()
}

fn lines(document: &Document, occurrences: Vec<Occurrence>) -> Vec<Line> {
    let line = |occurrence: Occurrence| Line {
        file: document.source().name().to_owned(),
        range: document.range(occurrence.span).into(),
        text: document.source().slice(occurrence.span).to_owned(),
        address: occurrence.address,
        kind: occurrence.kind.as_str(),
    };
    occurrences.into_iter().map(line).collect()
}

/// Prints the lines of a file. They are `first` if none were printed before.
fn print(command: &Refs, lines: &[Line], first: bool) -> Result<(), Failure> {
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        if command.output() == Output::Json {
            text.push_str(if first && number == 0 { "[\n  " } else { ",\n  " });
            text.push_str(&element(line).map_err(Failure::new)?);
            continue;
        }
        if command.output() == Output::Ndjson {
            write_json(line, Spacing { compact: true }, host::stdout())?;
            continue;
        }
        let start = &line.range.start;
        let kind = if line.kind == "reference" { String::new() } else { format!(" ({})", line.kind) };
        let (file, address) = (visible_line(&line.file), visible_line(&line.address));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{file}:{}:{}: {address}{kind}", start.line, start.column);
    }
    print_bytes(text.as_bytes())
}
