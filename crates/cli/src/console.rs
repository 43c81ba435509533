//! `hcl console`: evaluates expressions and commands one by one and prints their results and errors. This module reads
//! the input from a terminal or a pipe. The submodules interpret it.

mod complete;
mod documentation;
mod editor;
mod entry;
mod session;
mod types;

use std::io;
use std::io::{BufRead as _, Read as _, Write as _};
use std::path::Path;

use hclkit::module::{BakeNames, Module, Unit};
use hclkit::render::Renderer;

use crate::args::{Console, Definition, Variables};
use crate::bake::{self, Files};
use crate::host::{self, Host};
use crate::input::{Input, STDIN_NAME};
use crate::module;
use crate::outcome::{CommandError, Failure, Outcome};
use crate::output::{complain, note, print_styled};
use crate::scope::Scope;
use editor::{Editor, Line};
use entry::{Lines, Origin};
use session::{Answer, Session};

pub(crate) fn run(command: &Console) -> Result<Outcome, Failure> {
    let is_stdin = |given: &Definition| {
        matches!(given, Definition::Variables { from: Variables::File(Input::Stdin), .. })
    };
    if command.scope.definitions.0.iter().any(is_stdin) {
        return Err(Failure::new(
            "--vars cannot read standard input, because the console reads expressions from it",
        ));
    }
    let (scope, names) = match open(command) {
        Ok(opened) => opened,
        Err(CommandError::Failure(failure)) => return Err(failure),
        Err(problems) => {
            return report(problems);
        }
    };
    let session = Session::new(scope, names, command.show_sensitive, command.spacing);
    if host::stdin_is_terminal() && host::stdout_is_terminal() {
        if command.directory.is_none() && module::is_here() {
            note("use `hcl console .` to evaluate the names of the module in this directory");
        }
        interactive(session, command)
    } else {
        piped(session)
    }
}

/// What has the names that expressions can use. Their values are found while this exists.
pub(crate) enum Names {
    /// Only the variables that options set.
    Options,
    Module(Module),
    Targets(#[allow(dead_code, reason = "its names refer to it weakly")] BakeNames),
    Unit(Unit),
}

/// The scope of entries, with what it uses.
fn open(command: &Console) -> Result<(Scope, Names), CommandError> {
    let Some(path) = &command.directory else {
        command.given.reject(
            &["language", "no-data-sources", "provider-schema", "workspace"],
            "only supported for modules",
        )?;
        return Ok((Scope::new(&command.scope)?, Names::Options));
    };
    // The options set the variables of the module.
    let mut options = command.scope.clone();
    options.definitions.0.clear();
    if bake::is_bake(Some(path), &command.module.language) {
        command.given.reject(
            &["no-data-sources", "provider-schema", "workspace", "functions"],
            "not supported for Bake files",
        )?;
        let (names, found) = bake::load(Files::at(path), &command.scope)?.names();
        if found.has_errors() {
            return Err(found.into());
        }
        return Ok((Scope::within(names.context().child(), &options)?, Names::Targets(names)));
    }
    command.given.reject(&["functions"], module::FUNCTIONS_OF_LANGUAGE)?;
    if let Some(unit) = crate::terragrunt::of_console(Path::new(path), command)? {
        return Ok((Scope::within(unit.context().child(), &options)?, Names::Unit(unit)));
    }
    let place = module::required_place(path, &command.module.language)?;
    // Variables without a value are unknown.
    let module = module::load(&place, &command.module, &command.given, &command.scope, true)?;
    let diagnostics = module.diagnostics();
    if diagnostics.has_errors() {
        return Err(diagnostics.into());
    }
    Ok((Scope::within(module.context().child(), &options)?, Names::Module(module)))
}

/// Runs the console on a terminal. Errors in the input do not affect the exit code.
fn interactive(mut session: Session, command: &Console) -> Result<Outcome, Failure> {
    let mut editor = Editor::new(!command.no_history, session.context().clone())?;
    let stop = session.scope().stop().clone();
    // Without a handler, Ctrl-C ends the program, which is acceptable.
    let _ = ctrlc::set_handler(move || {
        // Ctrl-C was pressed twice: the running code does not check for cancellation.
        if stop.cancel() {
            std::process::exit(130);
        }
        // The terminal shows `^C`. Print the message below it.
        let _ = writeln!(std::io::stderr());
    });
    print_styled(
        "Enter an expression to evaluate it, :help for a list of commands, or :quit (Ctrl-D) to exit.\n",
    )?;
    loop {
        match editor.read()? {
            Line::Entry(text) => {
                if respond(&mut session, &text, Origin { name: "<console>", line: 1 })?.is_none() {
                    return Ok(Outcome::Fine);
                }
                editor.set_context(session.context().clone());
            }
            Line::Cancelled => {}
            Line::End => return Ok(Outcome::Fine),
        }
    }
}

fn piped(mut session: Session) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Fine;
    let mut entry = Lines::default();
    let mut origin = Origin { name: STDIN_NAME, line: 1 };
    let unreadable = |error: io::Error| Failure::new(format!("cannot read standard input: {error}"));
    let mut input = host::stdin().map_err(unreadable)?;
    let mut line = Vec::new();
    let max_size = Host::current().max_size();
    loop {
        line.clear();
        let room = max_size.saturating_sub(entry.text().len() as u64);
        let read = input.by_ref().take(room.saturating_add(1)).read_until(b'\n', &mut line);
        let read = read.map_err(unreadable)?;
        if read as u64 > room {
            return Err(Failure::new(format!(
                "cannot read standard input: an entry is larger than {max_size} bytes; use --max-size to raise the limit"
            )));
        }
        let Ok(line) = std::str::from_utf8(&line) else {
            let at = origin.line as usize + entry.text().matches('\n').count();
            return Err(Failure::new(format!("cannot read standard input: line {at} is not valid UTF-8")));
        };
        if !entry.add(line) && read > 0 {
            continue;
        }
        let text = std::mem::take(&mut entry).into_text();
        match respond(&mut session, &text, origin)? {
            Some(answered) => outcome = outcome.max(answered),
            None => return Ok(outcome),
        }
        origin.line += text.matches('\n').count() as u32;
        if read == 0 {
            return Ok(outcome);
        }
    }
}

/// Evaluates an entry. Returns nothing if the session ends.
fn respond(session: &mut Session, text: &str, origin: Origin) -> Result<Option<Outcome>, Failure> {
    match session.enter(text, origin) {
        Ok(Answer::Text(text)) => {
            print_styled(&text)?;
            Ok(Some(Outcome::Fine))
        }
        Ok(Answer::Quit) => Ok(None),
        Err(halt) => report(halt).map(Some),
    }
}

/// Reports why an entry has no answer, and returns the outcome of a run that ends with it.
fn report(halt: CommandError) -> Result<Outcome, Failure> {
    match halt {
        CommandError::Problems(diagnostics) => {
            let outcome = Outcome::of_errors(&diagnostics);
            let text =
                Renderer::colored().with_width(host::stderr_width()).diagnostics(&diagnostics.distinct());
            writeln!(host::styled_stderr(), "{text}")?;
            Ok(outcome)
        }
        CommandError::Failure(failure) if failure.is_unread_output() => Err(failure),
        CommandError::Failure(failure) => {
            complain(failure);
            Ok(Outcome::Problems)
        }
    }
}
