//! `hcl decode`: configuration to values by a spec file. How values are written is in `decode/write.rs`; doing it again when
//! files change is in `decode/watch.rs`.

mod watch;
mod write;

use std::io::IsTerminal as _;
use std::mem;
use std::path::Path;

use hclkit::decode::{Decoder, ReferenceJson};
use hclkit::functions::Grants;
use hclkit::model::Body;
use hclkit::value::Str;
use hclkit::{Code, Diagnostic, Diagnostics, Source, Syntax, Value, variables};

use crate::args::{Decode, Language, is_json};
use crate::input::Input;
use crate::output::{Failure, Outcome, distinct};
use crate::report::tell;
use crate::scope::{Halt, told};

pub(crate) fn run(command: &Decode) -> Result<Outcome, Failure> {
    if command.files.is_empty() && std::io::stdin().is_terminal() {
        return Err(Failure::new("nothing to decode: name a file, or `-` for standard input"));
    }
    if command.watch { watch::run(command) } else { once(command) }
}

/// Decodes, writes the value and says what is wrong.
fn once(command: &Decode) -> Result<Outcome, Failure> {
    let mut warnings = Diagnostics::new();
    let ended = decode(command, &mut warnings);
    let (problems, outcome) = told(ended, warnings)?;
    report(command, &distinct(problems))?;
    Ok(outcome)
}

fn decode(command: &Decode, warnings: &mut Diagnostics) -> Result<(), Halt> {
    let decoder = decoder(&command.spec, &command.language)?;
    let body = configuration(command, warnings)?;
    if command.var_refs {
        let found = decoder.references(&body);
        let found: Vec<ReferenceJson<'_>> = found.iter().map(ReferenceJson).collect();
        return Ok(write::json(command, &found)?);
    }
    write::value(command, &decoder.decode(&body)?)
}

/// The body that all files are together, and the warnings about how they are written.
fn configuration(command: &Decode, warnings: &mut Diagnostics) -> Result<Body, Halt> {
    let mut bodies = Vec::new();
    for input in inputs(command) {
        let (body, found) = Body::parse(read_input(&input)?);
        warnings.extend(found);
        bodies.push(body);
    }
    if warnings.has_errors() { Err(mem::take(warnings).into()) } else { Ok(Body::merge(bodies)) }
}

/// What decodes configurations of a language, as the command line has it.
pub(crate) fn decoder(spec: &Path, language: &Language) -> Result<Decoder, Halt> {
    let mut decoder = Decoder::new(read(spec)?)?.with_dynamic(language.dynamic);
    for given in &language.vars {
        decoder = decoder.with_variables(variables(given)?);
    }
    let library = language.functions.library();
    Ok(decoder.with_functions(library.functions(&Grants::new().clock().random())))
}

fn inputs(command: &Decode) -> Vec<Input> {
    if command.files.is_empty() {
        return vec![Input::Stdin];
    }
    command.files.iter().map(|path| Input::of(path)).collect()
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
    read_input(&Input::of(path))
}

fn read_input(input: &Input) -> Result<Source, Failure> {
    input.read_text().map_err(Failure::from)
}

/// The variables that an argument gives, as JSON or as a file.
fn variables(given: &str) -> Result<Vec<(Str, Value)>, Halt> {
    if is_json(given) {
        return Ok(variables::read(Source::new("--vars", given), Syntax::Json)?);
    }
    let path = Path::new(given);
    let json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let syntax = if json { Syntax::Json } else { Syntax::Native };
    let source = read(path).map_err(|failure| {
        if path.exists() {
            return failure;
        }
        Failure::new(format!("{failure}: variables are a file, or a JSON object: '{{\"name\": \"value\"}}'"))
    })?;
    Ok(variables::read(source, syntax)?)
}

fn report(command: &Decode, diagnostics: &Diagnostics) -> Result<(), Failure> {
    tell(command.format, inputs(command).len(), diagnostics, |found| hint(command, found))
}

/// What to do about a mistake that is easily made on the command line.
fn hint(command: &Decode, diagnostics: &Diagnostics) -> Option<String> {
    let at = |code: Code, text: &str| {
        diagnostics.iter().any(|found| {
            let here = found.source.as_ref().map(|source| source.slice(found.subject));
            found.code == code && (text.is_empty() || here == Some(text))
        })
    };
    if !command.language.dynamic && at(Code::UnsupportedBlock, "dynamic") {
        return Some("--dynamic lets `dynamic` blocks stand for others".to_owned());
    }
    let names: Vec<String> = inputs(command).iter().map(Input::name).collect();
    let in_configuration = |found: &Diagnostic| {
        found.source.as_ref().is_some_and(|source| names.iter().any(|name| name == source.name()))
    };
    if diagnostics.iter().any(|found| found.code == Code::FunctionsNotAllowed && in_configuration(found)) {
        return Some(
            "--functions LIBRARY lets configurations call functions, such as --functions cty".to_owned(),
        );
    }
    if command.language.vars.is_empty()
        && (at(Code::VariablesNotAllowed, "") || at(Code::UnknownVariable, ""))
    {
        return Some("give variables with --vars: an object in JSON, or a file of them".to_owned());
    }
    None
}
