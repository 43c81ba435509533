//! `hcl refs`: prints where a name is declared and referred to. Files are read in parallel and printed in order.

use std::fmt::Write as _;

use hclkit::refactor::{Names, Symbol};
use hclkit::syntax::visible_line;
use serde::Serialize;

use crate::args::{Output, Refs, Spacing};
use crate::called_module;
use crate::edit::symbol;
use crate::host;
use crate::input::Input;
use crate::output::{Failure, Outcome, complain, print_bytes, write_json};
use crate::query::{Places, element, read};
use crate::rename;
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
    let outer = symbol(&command.address)?;
    let mut found = rename::find(&command.modules)?;
    let mut within = None;
    // The outputs of a call are declared in the directory of the module.
    if let Some(inner) = called_module::find(&outer, &command.modules.files, &command.modules.paths)? {
        let mut modules = command.modules.clone();
        modules.paths = vec![inner.directory];
        let below = rename::find(&modules)?;
        found.inputs.retain(|input| !below.inputs.iter().any(|other| other.name() == input.name()));
        within = Some((symbol(&inner.address)?, below.inputs));
        found.unreadable.extend(below.unreadable);
    }
    found.unreadable.iter().for_each(complain);
    let mut failed = if found.unreadable.is_empty() { Outcome::Fine } else { Outcome::Unreadable };
    let workers = Workers::new();
    let mut inputs: Vec<(&Input, &Symbol)> = found.inputs.iter().map(|input| (input, &outer)).collect();
    if let Some((inner, below)) = &within {
        inputs.extend(below.iter().map(|input| (input, inner)));
    }
    let one = |(input, symbol): &(&Input, &Symbol)| {
        read(input).map(|document| {
            let names = Names::of(&document);
            let lines = lines(symbol, &names);
            let hint = lines.is_empty().then(|| rename::address_of_path(symbol, &names)).flatten();
            (lines, hint)
        })
    };
    let mut count = 0;
    let mut hint = None;
    workers.for_each(&inputs, one, |answers| {
        for answer in answers {
            match answer {
                Ok((lines, other)) => {
                    hint = hint.take().or(other);
                    print(command, &lines, count == 0)?;
                    count += lines.len();
                }
                Err(why) => failed = failed.max(why.report()),
            }
        }
        Ok::<_, Failure>(())
    })?;
    if command.output() == Output::Json {
        print_bytes(if count == 0 { b"[]\n" } else { b"\n]\n" })?;
    }
    if failed == Outcome::Fine && count == 0 && !command.matching.allow_empty {
        complain(format_args!("{outer} was not found{}", hint.unwrap_or_default()));
        failed = Outcome::Problems;
    }
    Ok(failed)
}

fn lines(symbol: &Symbol, names: &Names) -> Vec<Line> {
    let document = names.document();
    let occurrences = names.occurrences(symbol);
    let line = |occurrence: hclkit::refactor::Occurrence| Line {
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
