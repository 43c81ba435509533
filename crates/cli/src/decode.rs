//! `hcl decode`: decodes configurations into values with a spec file. `decode/write.rs` writes the values.

mod write;

use std::mem;
use std::path::{Path, PathBuf};

use hclkit::decode::{Decoder, ReferenceJson};
use hclkit::model::{Body, Reference};
use hclkit::syntax::is_identifier;
use hclkit::{Code, Context, Diagnostic, Diagnostics, Source, Value};

use crate::args::{Decode, Features};
use crate::host::{self, Host};
use crate::input::{Find, Input, selection};
use crate::outcome::{CommandError, Failure, Outcome, outcome_of};
use crate::report::write_report;
use crate::scope::{Scope, grant_hint, grants};
use crate::values::Printer;
use crate::watch::{Watched, watch};

pub(crate) fn run(command: &Decode) -> Result<Outcome, Failure> {
    if command.paths.is_empty() && host::stdin_is_terminal() {
        return Err(Failure::new("nothing to decode: specify a file, or `-` for standard input"));
    }
    if !command.watch {
        return once(command);
    }
    let variables = command.features.inputs();
    let variables = variables.iter().map(|input| input.path().unwrap_or(Path::new("-")).to_owned());
    let files: Vec<PathBuf> =
        [command.spec.clone()].into_iter().chain(variables).chain(command.paths.iter().cloned()).collect();
    let is_stdin = command.paths.is_empty();
    let watched = Watched::default().with_paths(&files)?;
    let watched = if is_stdin { watched.with_paths(&[PathBuf::from("-")])? } else { watched };
    watch(&watched, || once(command))
}

/// Decodes the configuration, writes the value and reports errors.
fn once(command: &Decode) -> Result<Outcome, Failure> {
    let mut warnings = Diagnostics::new();
    let ended = decode(command, &mut warnings);
    let (problems, outcome) = outcome_of(ended, warnings)?;
    report(command, &problems.distinct())?;
    Ok(outcome)
}

fn decode(command: &Decode, warnings: &mut Diagnostics) -> Result<(), CommandError> {
    let decoding = Decoding::new(&command.spec, &command.features)?;
    let body = configuration(command, warnings)?;
    if command.var_refs {
        let found = decoding.references(&body);
        let found: Vec<ReferenceJson<'_>> = found.iter().map(ReferenceJson).collect();
        return Ok(Printer::new(&command.destination, command.spacing).long_json(&found)?);
    }
    let value = decoding.decode(&body)?;
    decoding.scope.write([&value], || write::value(command, &value))
}

/// Parses all files into one body, with the warnings of the parser.
fn configuration(command: &Decode, warnings: &mut Diagnostics) -> Result<Body, CommandError> {
    let mut bodies = Vec::new();
    for input in inputs(command)? {
        let (body, found) = Body::parse(read_input(&input)?);
        warnings.append(found);
        bodies.push(body);
    }
    if warnings.has_errors() { Err(mem::take(warnings).into()) } else { Ok(Body::merge(bodies)) }
}

/// A spec file with the variables, functions and limits of the command line.
pub(crate) struct Decoding {
    decoder: Decoder,
    scope: Scope,
}

impl Decoding {
    pub(crate) fn new(spec: &Path, features: &Features) -> Result<Self, CommandError> {
        let args = &features.scope;
        let source = read(spec)?;
        let decoder = Host::current()
            .limited(|| Decoder::new(source))?
            .with_dynamic(features.dynamic)
            .with_unknown_variables(args.unknown_vars)
            .with_functions(args.functions.library().functions(&grants(args)?));
        // Expressions of --var can refer to the variables of the spec file and set attributes in them.
        let scope = Scope::within(decoder.context(), args)?;
        let decoder = with_variables(decoder, scope.context());
        Ok(Self { decoder, scope })
    }

    /// Treats undefined variables as unknown.
    pub(crate) fn with_unknown_variables(self) -> Self {
        Self { decoder: self.decoder.with_unknown_variables(true), ..self }
    }

    /// Decodes a configuration within the limits.
    pub(crate) fn decode(&self, body: &Body) -> Result<Value, Diagnostics> {
        let opened = self.scope.has_open_objects().then(|| {
            let references = self.references(body);
            let traversals = references.iter().map(|reference| &reference.traversal);
            with_variables(self.decoder.clone(), &self.scope.opened(traversals))
        });
        let decoder = opened.as_ref().unwrap_or(&self.decoder);
        self.scope.separate().run(|_| decoder.decode(body)).map_err(undefined)
    }

    /// The variables that a configuration refers to.
    fn references(&self, body: &Body) -> Vec<Reference> {
        self.decoder.references(body)
    }
}

/// A variable that is not set is undefined, even if none is set.
fn undefined(found: Diagnostics) -> Diagnostics {
    let is_about_all = |found: &Diagnostic| found.has_code(Code::VariablesNotAllowed);
    // Those that were not kept would not be counted any more.
    if found.unreported() > 0 || !found.iter().any(is_about_all) {
        return found;
    }
    found.iter().map(as_undefined).collect()
}

fn as_undefined(found: &Diagnostic) -> Diagnostic {
    let name = found.source().map(|source| source.slice(found.span()));
    let name = name.and_then(|text| text.split(['.', '[']).next()).filter(|name| is_identifier(name));
    match (found.place(), name) {
        (Some(place), Some(name)) if found.has_code(Code::VariablesNotAllowed) => {
            Diagnostic::error(Code::UnknownVariable)
                .at(place)
                .with_note(format!("There is no variable named `{name}`."))
        }
        _ => found.clone(),
    }
}

/// The decoder with all variables of a context.
fn with_variables(decoder: Decoder, context: &Context) -> Decoder {
    decoder.with_variables(context.variables().map(|(name, value)| (name.clone(), value.clone())))
}

/// The files of the command line, and those in its directories except for variable files.
fn inputs(command: &Decode) -> Result<Vec<Input>, Failure> {
    if command.paths.is_empty() {
        return Ok(vec![Input::Stdin]);
    }
    let mut left_out = vec![command.spec.clone()];
    left_out.extend(command.features.inputs().iter().filter_map(|input| Some(input.path()?.to_owned())));
    let selection = selection(&command.files)?.without(&left_out).without_variables(true);
    let mut inputs = Vec::new();
    for path in &command.paths {
        // A file that is specified twice is read twice.
        if !path.is_dir() {
            inputs.push(Input::of(path));
            continue;
        }
        let mut found = selection.find_in(std::slice::from_ref(path))?;
        match found.unreadable.pop() {
            Some(unreadable) => return Err(unreadable.into()),
            None => inputs.extend(found.inputs),
        }
    }
    Ok(inputs)
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
    read_input(&Input::of(path))
}

fn read_input(input: &Input) -> Result<Source, Failure> {
    input.read_text().map_err(Failure::from)
}

fn report(command: &Decode, diagnostics: &Diagnostics) -> Result<(), Failure> {
    let files = inputs(command).map_or(0, |inputs| inputs.len());
    write_report(command.reporting.report, command.spacing, files, diagnostics, |found| hint(command, found))
}

/// A hint for a common mistake on the command line.
fn hint(command: &Decode, diagnostics: &Diagnostics) -> Option<String> {
    if let Some(option) = grant_hint(&command.features.scope, diagnostics) {
        return Some(option.to_owned());
    }
    let at = |code: Code, text: &str| {
        diagnostics.iter().any(|found| {
            let here = found.source().map(|source| source.slice(found.span()));
            found.has_code(code) && (text.is_empty() || here == Some(text))
        })
    };
    if !command.features.dynamic && at(Code::UnsupportedBlock, "dynamic") {
        return Some("use --dynamic to expand `dynamic` blocks".to_owned());
    }
    let names: Vec<String> = inputs(command).iter().flatten().map(Input::name).collect();
    let in_configuration = |found: &Diagnostic| {
        found.source().is_some_and(|source| names.iter().any(|name| name == source.name()))
    };
    if diagnostics.iter().any(|found| found.has_code(Code::FunctionsNotAllowed) && in_configuration(found)) {
        return Some("use --functions LIBRARY to enable functions, such as --functions cty".to_owned());
    }
    if command.features.scope.definitions.0.is_empty()
        && (at(Code::VariablesNotAllowed, "") || at(Code::UnknownVariable, ""))
    {
        return Some("set variables with --var NAME=EXPR or --vars FILE".to_owned());
    }
    None
}
