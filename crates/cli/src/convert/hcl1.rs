//! Conversion of HCL 1: to HCL 2 with its comments, and to JSON and YAML as the values that applications read.

use hclkit::convert::{FromHcl1, Json};
use hclkit::{Document, hcl1};

use super::{Languages, Problem, formatted, put};
use crate::args::{Convert, LanguageName};
use crate::host::Host;
use crate::input::Input;
use crate::outcome::{Failure, Outcome};
use crate::output::print_diagnostics;
use crate::values::plain_json;

/// Converts a file to HCL 2, and prints what means something else there.
pub(super) fn to_native(
    command: &Convert,
    languages: &Languages,
    inputs: &[Input],
) -> Result<Outcome, Failure> {
    let [input] = inputs else {
        return Err(Failure::new("files in HCL 1 are converted to HCL one by one"));
    };
    let document = match input.read_text() {
        Ok(source) => Document::parse_hcl1(source),
        Err(unreadable) => return Problem::Unreadable(unreadable).report(),
    };
    let is_terraform = command.language.language == Some(LanguageName::Hcl1("terraform-0.11"));
    let converter = FromHcl1::new().with_interpolation(is_terraform);
    match Host::current().limits().run(|| converter.convert(&document)) {
        Ok(converted) => {
            print_diagnostics(&converted.notes)?;
            let text = formatted(command, languages, input, converted.text);
            put(command, |out| out.write_all(text.as_bytes())).map(|()| Outcome::Fine)
        }
        Err(problems) => Problem::Wrong(problems).report(),
    }
}

/// The values of a file as JSON.
pub(super) fn tree_of(input: &Input) -> Result<Json, Problem> {
    let source = input.read_text().map_err(Problem::Unreadable)?;
    let document = Document::parse_hcl1(source);
    let value = Host::current().limits().run(|| hcl1::decode(&document)).map_err(Problem::Wrong)?;
    let unwritten = |failure: Failure| {
        let (name, reason) = (input.name(), failure.to_string());
        Problem::Unreadable(crate::input::Unreadable { name, reason, action: "convert" })
    };
    plain_json(&value).map_err(unwritten)
}
