//! `hcl schema`: writes a JSON Schema, a Markdown reference or Rust types of a spec file with `hclkit::schema`.

use std::io::Write as _;
use std::path::Path;

use hclkit::decode::Decoder;
use hclkit::render::Renderer;
use hclkit::schema::{json_schema, markdown, rust};

use crate::args::{Schema, SchemaFormat};
use crate::decode::read;
use crate::host::{self, Host};
use crate::output::{Failure, Outcome, print_bytes, print_json};

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
    match command.format {
        SchemaFormat::JsonSchema => print_json(&json_schema(file, &title, command.dynamic))?,
        SchemaFormat::Rust => print_bytes(rust(file, &title).as_bytes())?,
        SchemaFormat::Markdown => print_bytes(markdown(file, &title).as_bytes())?,
    }
    Ok(Outcome::Fine)
}

/// The name of the file without its extension.
fn title(spec: &Path) -> String {
    match spec.file_stem() {
        Some(stem) if spec != Path::new("-") => stem.to_string_lossy().into_owned(),
        _ => "Configuration".to_owned(),
    }
}
