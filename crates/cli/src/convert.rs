//! `hcl convert`: native syntax to JSON syntax, by `hclkit::convert`.

use std::io::IsTerminal as _;
use std::path::Path;

use hclkit::convert::{self, Converter, Json};
use hclkit::render::Report;
use hclkit::{Document, Entry};
use indexmap::IndexMap;

use crate::args::{Convert, Profile, Shape};
use crate::input::Input;
use crate::output::{Failure, Outcome, complain, print_bytes, print_reports, write_json};
use crate::replace;

pub(crate) fn run(command: &Convert) -> Result<Outcome, Failure> {
    let inputs = inputs(command)?;
    let mut documents = Vec::with_capacity(inputs.len());
    let mut unreadable = false;
    for input in &inputs {
        match input.read() {
            Ok(source) => documents.push(Document::parse(source, Entry::Config)),
            Err(error) => {
                complain(error);
                unreadable = true;
            }
        }
    }
    let mistakes = documents.iter().flat_map(|document| {
        document.diagnostics().iter().map(move |diagnostic| Report::of(document, diagnostic))
    });
    print_reports(mistakes)?;
    if unreadable {
        return Ok(Outcome::Unreadable);
    }
    if documents.iter().any(Document::has_errors) {
        return Ok(Outcome::Problems);
    }
    let Some(json) = convert(command, &inputs, &documents)? else { return Ok(Outcome::Problems) };
    write(command, &json)?;
    Ok(Outcome::Fine)
}

fn inputs(command: &Convert) -> Result<Vec<Input>, Failure> {
    if command.files.is_empty() {
        if std::io::stdin().is_terminal() {
            return Err(Failure::new("nothing to convert: name a file, or `-` for standard input"));
        }
        return Ok(vec![Input::Stdin]);
    }
    let mut inputs = Vec::with_capacity(command.files.len());
    for path in &command.files {
        let input = Input::of(path);
        // Two paths that are not UTF-8 may be shown alike, and only one could stand under that name.
        if inputs.iter().any(|other: &Input| other.name() == input.name()) {
            return Err(Failure::new(format!("{} is named twice", path.display())));
        }
        if let Some(output) = &command.output
            && is_same_file(path, output)
        {
            return Err(Failure::new(format!("{} would be overwritten by its own JSON", path.display())));
        }
        inputs.push(input);
    }
    Ok(inputs)
}

fn is_same_file(input: &Path, output: &Path) -> bool {
    matches!((input.canonicalize(), output.canonicalize()), (Ok(input), Ok(output)) if input == output)
}

/// All documents as one value; `None` after problems, which were reported.
fn convert(command: &Convert, inputs: &[Input], documents: &[Document]) -> Result<Option<Json>, Failure> {
    let all: Vec<&Document> = documents.iter().collect();
    if command.merge {
        let converter =
            converter(command).all_static(inputs.iter().all(|input| holds_values(command, input)));
        return match converter.convert_merged(&all) {
            Ok(json) => Ok(Some(json)),
            Err(problems) => report(&problems, &all),
        };
    }
    let mut by_name = IndexMap::new();
    let mut complete = true;
    for (input, document) in inputs.iter().zip(&all) {
        let converter = converter(command).all_static(holds_values(command, input));
        match converter.convert(document) {
            Ok(json) => _ = by_name.insert(input.name(), json),
            Err(problems) => {
                report(&problems, &[document])?;
                complete = false;
            }
        }
    }
    if by_name.len() == 1 && inputs.len() == 1 {
        return Ok(by_name.pop().map(|(_, json)| json));
    }
    Ok(complete.then_some(Json::Object(by_name)))
}

fn report(problems: &[convert::Problem], documents: &[&Document]) -> Result<Option<Json>, Failure> {
    print_reports(problems.iter().map(|problem| problem.report(documents)))?;
    Ok(None)
}

fn converter(command: &Convert) -> Converter {
    let shape = match command.shape {
        Shape::Arrays => convert::Shape::Arrays,
        Shape::Compact => convert::Shape::Compact,
    };
    let converter = Converter::new()
        .shape(shape)
        .with_static(&command.statics)
        .with_ordered(command.ordered.iter().map(String::as_str));
    match command.profile {
        None => converter,
        Some(Profile::Terraform) => converter.with_profile(convert::Profile::Terraform),
        Some(Profile::Packer) => converter.with_profile(convert::Profile::Packer),
        Some(Profile::Nomad) => converter.with_profile(convert::Profile::Nomad),
    }
}

/// Whether a file sets variables, which no application evaluates.
fn holds_values(command: &Convert, input: &Input) -> bool {
    let name = input.path().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let ending = match command.profile {
        Some(Profile::Terraform) => ".tfvars",
        Some(Profile::Packer) => ".pkrvars.hcl",
        Some(Profile::Nomad) | None => return false,
    };
    name.ends_with(ending)
}

fn write(command: &Convert, json: &Json) -> Result<(), Failure> {
    let mut text = Vec::new();
    write_json(json, command.spacing, &mut text)?;
    match replace::file(command.output.as_ref()) {
        Some(path) => replace::write(path, &text)
            .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display()))),
        None => print_bytes(&text),
    }
}
