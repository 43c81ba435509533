//! `hcl schema`: writes a JSON Schema, a Markdown reference or Rust types of a spec file with `hclkit::schema`, and packs the
//! schemas of providers.

use std::fmt::Display;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use hclkit::decode::Decoder;
use hclkit::module::{Schemas, locked_versions};
use hclkit::render::Renderer;
use hclkit::schema::{JsonSchemaOptions, json_schema, markdown, rust};

use crate::args::{Output, Pack, Schema, SchemaCommand, Spacing};
use crate::decode::read;
use crate::host::{self, Host};
use crate::output::{Failure, Outcome, write_json};
use crate::replace;

/// The lock file of a module of Terraform.
const LOCK: &str = ".terraform.lock.hcl";

pub(crate) fn run(command: &Schema) -> Result<Outcome, Failure> {
    if let Some(SchemaCommand::Pack(pack)) = &command.command {
        return self::pack(pack);
    }
    // The parser requires it without a subcommand.
    let spec = command.spec.as_deref().ok_or_else(|| Failure::new("specify a spec file with --spec"))?;
    let source = read(spec)?;
    let decoder = match Host::current().limited(|| Decoder::new(source)) {
        Ok(decoder) => decoder,
        Err(problems) => {
            writeln!(host::styled_stderr(), "{}", Renderer::colored().diagnostics(&problems))?;
            return Ok(Outcome::of_errors(&problems));
        }
    };
    let title = command.title.clone().unwrap_or_else(|| title(spec));
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

/// Writes a file for each provider, and prints its path.
fn pack(command: &Pack) -> Result<Outcome, Failure> {
    let failed =
        |path: &Path, why: &dyn Display| Failure::new(format!("cannot read {}: {why}", path.display()));
    let lock = match &command.lock {
        Some(lock) => Some(lock.as_path()),
        None => Some(Path::new(LOCK)).filter(|lock| lock.is_file()),
    };
    let versions = lock.map(read).transpose()?.map(locked_versions).unwrap_or_default();
    let text = read(&command.file)?;
    let packed = Schemas::pack(text.bytes(), &versions).map_err(|why| failed(&command.file, &why))?;
    for own in packed {
        let version = own.version.as_deref().unwrap_or("unknown");
        // The names come from files that others have written.
        if !is_plain(&own.address, 3) || !is_plain(version, 1) {
            let address = own.address.chars().take(100).collect::<String>();
            return Err(failed(&command.file, &format!("{address:?} is not the address of a provider")));
        }
        let directory = command.cache.join(&own.address);
        let path = directory.join(format!("{version}.hclschema"));
        fs::create_dir_all(&directory).map_err(|error| replace::unwritable(&path, error))?;
        replace::write(&path, &own.bytes)?;
        writeln!(host::stdout(), "{}", path.display())?;
    }
    Ok(Outcome::Fine)
}

/// Whether a text consists of this many names that lead to no other directory.
fn is_plain(text: &str, count: usize) -> bool {
    let is_name = |part: &str| {
        let is_part = |sign: char| sign.is_ascii_alphanumeric() || "-_.:+~".contains(sign);
        part.starts_with(|first: char| first.is_ascii_alphanumeric()) && part.chars().all(is_part)
    };
    text.split('/').count() == count && text.split('/').all(is_name)
}

/// The name of the file without its extension.
fn title(spec: &Path) -> String {
    match spec.file_stem() {
        Some(stem) if spec != Path::new("-") => stem.to_string_lossy().into_owned(),
        _ => "Configuration".to_owned(),
    }
}
