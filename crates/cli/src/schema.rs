//! `hcl schema`: writes a JSON Schema, a Markdown reference or Rust types of a spec file with `hclkit::schema`.

use std::io::Write as _;
use std::path::Path;

use hclkit::decode::Decoder;
use hclkit::render::Renderer;
use hclkit::schema::{JsonSchemaOptions, json_schema, markdown, rust};

use crate::args::{Output, Schema, Spacing};
use crate::decode::read;
use crate::host::{self, Host};
use crate::output::{Failure, Outcome, write_json};
use crate::replace;

pub(crate) fn run(command: &Schema) -> Result<Outcome, Failure> {
    let source = read(&command.spec)?;
    let decoder = match Host::current().limited(|| Decoder::new(source)) {
        Ok(decoder) => decoder,
        Err(problems) => {
            writeln!(host::styled_stderr(), "{}", Renderer::colored().diagnostics(&problems))?;
            return Ok(Outcome::of_errors(&problems));
        }
    };
    let title = command.title.clone().unwrap_or_else(|| title(&command.spec));
    let file = decoder.spec_file();
    let text = match command.output() {
        Output::Rust => rust(file, &title).into_bytes(),
        Output::Markdown => markdown(file, &title).into_bytes(),
        _ => {
            let mut text = Vec::new();
            let options = JsonSchemaOptions::new(title);
            let options = if command.dynamic { options.with_dynamic() } else { options };
            write_json(&json_schema(file, &options), Spacing::default(), &mut text)?;
            text
        }
    };
    replace::write_output(command.destination.out.as_ref(), &text)?;
    Ok(Outcome::Fine)
}

/// The name of the file without its extension.
fn title(spec: &Path) -> String {
    match spec.file_stem() {
        Some(stem) if spec != Path::new("-") => stem.to_string_lossy().into_owned(),
        _ => "Configuration".to_owned(),
    }
}
