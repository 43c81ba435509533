//! `hcl convert`: converts native syntax to JSON syntax with `hclkit::convert`.

use std::path::Path;

use hclkit::convert::{self, Converter, Json};
use hclkit::{Document, Entry};
use indexmap::IndexMap;

use crate::args::{Convert, Profile, Shape};
use crate::host;
use crate::input::Input;
use crate::output::{Failure, Outcome, complain, print_bytes, print_diagnostics, write_json};
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
    print_diagnostics(documents.iter().flat_map(Document::diagnostics))?;
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
        if host::stdin_is_terminal() {
            return Err(Failure::new("nothing to convert: specify a file, or `-` for standard input"));
        }
        return Ok(vec![Input::Stdin]);
    }
    let mut inputs = Vec::with_capacity(command.files.len());
    for path in &command.files {
        let input = Input::of(path);
        // Two paths that are not valid UTF-8 can have the same displayed name, which can be used only once.
        if inputs.iter().any(|other: &Input| other.name() == input.name()) {
            return Err(Failure::new(format!("{} is specified twice", path.display())));
        }
        if let Some(output) = &command.output
            && is_same_file(path, output)
        {
            return Err(Failure::new(format!(
                "the output would overwrite the input file {}",
                path.display()
            )));
        }
        inputs.push(input);
    }
    Ok(inputs)
}

fn is_same_file(input: &Path, output: &Path) -> bool {
    matches!((input.canonicalize(), output.canonicalize()), (Ok(input), Ok(output)) if input == output)
}

/// Converts all documents into one value. Returns `None` after reporting problems.
fn convert(command: &Convert, inputs: &[Input], documents: &[Document]) -> Result<Option<Json>, Failure> {
    let all: Vec<&Document> = documents.iter().collect();
    if command.merge {
        let profile = common_profile(command, inputs)?;
        let values = inputs.iter().all(|input| holds_values(profile, input));
        return match converter(command, profile).with_all_static(values).convert_merged(&all) {
            Ok(json) => Ok(Some(json)),
            Err(problems) => {
                print_diagnostics(&problems)?;
                Ok(None)
            }
        };
    }
    let mut by_name = IndexMap::new();
    let mut complete = true;
    for (input, document) in inputs.iter().zip(&all) {
        let profile = profile(command, input);
        match converter(command, profile).with_all_static(holds_values(profile, input)).convert(document) {
            Ok(json) => _ = by_name.insert(input.name(), json),
            Err(problems) => {
                print_diagnostics(&problems)?;
                complete = false;
            }
        }
    }
    if by_name.len() == 1 && inputs.len() == 1 {
        return Ok(by_name.pop().map(|(_, json)| json));
    }
    Ok(complete.then_some(Json::Object(by_name)))
}

fn converter(command: &Convert, profile: Option<convert::Application>) -> Converter {
    let shape = match command.shape {
        Shape::Arrays => convert::Shape::Arrays,
        Shape::Compact => convert::Shape::Compact,
    };
    let converter = Converter::new()
        .with_shape(shape)
        .with_static(&command.statics)
        .with_ordered(command.ordered.iter().map(String::as_str));
    match profile {
        None => converter,
        Some(profile) => converter.with_application(profile),
    }
}

/// The profile of a file: the requested one, or the one for its name.
fn profile(command: &Convert, input: &Input) -> Option<convert::Application> {
    match command.profile {
        None => input.path().and_then(convert::Application::of_path),
        Some(Profile::Terraform) => Some(convert::Application::Terraform),
        Some(Profile::Packer) => Some(convert::Application::Packer),
        Some(Profile::Nomad) => Some(convert::Application::Nomad),
        Some(Profile::DockerBake) => Some(convert::Application::DockerBake),
        Some(Profile::None) => None,
    }
}

/// The common profile of the files of one configuration. Files without a profile use the profile of the others.
fn common_profile(command: &Convert, inputs: &[Input]) -> Result<Option<convert::Application>, Failure> {
    let mut known = inputs.iter().filter_map(|input| Some((input, profile(command, input)?)));
    let Some((first, common)) = known.next() else { return Ok(None) };
    match known.find(|&(_, profile)| profile != common) {
        None => Ok(Some(common)),
        Some((other, _)) => Err(Failure::new(format!(
            "{} and {} belong to different applications; choose one with `--profile`, or use `--profile none`",
            first.name(),
            other.name()
        ))),
    }
}

/// Whether a file sets variables, which are not evaluated.
fn holds_values(profile: Option<convert::Application>, input: &Input) -> bool {
    profile.zip(input.path()).is_some_and(|(profile, path)| profile.is_values_file(path))
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
