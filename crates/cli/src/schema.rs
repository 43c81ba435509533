//! `hcl schema`: writes a JSON Schema, a Markdown reference or Rust types of a spec file with `hclkit::schema`, and packs the
//! schemas of providers.

use std::fmt::Display;
use std::io::Write as _;
use std::path::Path;

use hclkit::decode::Decoder;
use hclkit::module::{LOCK_FILE, PackedSchema, Schemas, is_provider, locked_versions};
use hclkit::render::Renderer;
use hclkit::schema::{JsonSchemaOptions, inputs_schema, json_schema, markdown, rust};

use crate::args::{Output, Pack, Schema, SchemaCommand, Spacing};
use crate::atomic_write::OutputDirectory;
use crate::decode::read;
use crate::host::{self, Host};
use crate::module::{self, ModulePath};
use crate::outcome::{CommandError, Failure, Outcome};
use crate::sources::Sources;
use crate::values::Printer;

pub(crate) fn run(command: &Schema) -> Result<Outcome, Failure> {
    if let Some(SchemaCommand::Pack(pack)) = &command.command {
        return self::pack(pack);
    }
    // The parser requires it without a subcommand.
    let spec = command.file.as_deref().or(command.spec.as_deref());
    let spec = spec.ok_or_else(|| Failure::new("specify a spec file"))?;
    let place = spec.to_str().and_then(|path| module::place(path, &command.language));
    if let Some(place) = place.filter(|_| command.spec.is_none()) {
        let ended = Host::current().limited(|| inputs(command, &place));
        return match ended {
            Ok(()) => Ok(Outcome::Fine),
            Err(CommandError::Failure(failure)) => Err(failure),
            Err(CommandError::Problems(problems)) => {
                writeln!(host::styled_stderr(), "{}", Renderer::colored().diagnostics(&problems))?;
                Ok(Outcome::of_errors(&problems))
            }
        };
    }
    if command.no_required || command.language.language.is_some() {
        let option = if command.no_required { "--no-required" } else { "--language" };
        return Err(Failure::new(format!("{option}: not supported for a spec file")));
    }
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
    let printer = Printer::new(&command.destination, Spacing::default());
    match command.output() {
        Output::Rust => printer.bytes(rust(file, &title).as_bytes())?,
        Output::Markdown => printer.bytes(markdown(file, &title).as_bytes())?,
        _ => {
            let options = JsonSchemaOptions::new(title);
            let options = if command.dynamic { options.with_dynamic() } else { options };
            printer.json(&json_schema(file, &options))?;
        }
    }
    Ok(Outcome::Fine)
}

/// Writes the schema of the variables of a module.
fn inputs(command: &Schema, place: &ModulePath) -> Result<(), CommandError> {
    if !matches!(command.output(), Output::JsonSchema | Output::Json) {
        let why = "the variables of a module have only a JSON Schema; `hcl docs` writes a reference";
        return Err(Failure::new(why).into());
    }
    if command.dynamic {
        return Err(Failure::new("--dynamic: not supported for a module").into());
    }
    let language = module::language(place, &command.language)?;
    let summary = module::files(language, place, &[], &Sources::default()).summary(false);
    if summary.broken.has_errors() || summary.diagnostics.has_limit() {
        return Err(summary.diagnostics.into());
    }
    let name = place.directory.canonicalize().ok();
    let name = name.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let title = command.title.clone().or(name).unwrap_or_else(|| "Inputs".to_owned());
    let schema = inputs_schema(&summary, &title, !command.no_required);
    Ok(Printer::new(&command.destination, Spacing::default()).json(&schema)?)
}

/// Writes a file for each provider, and prints its path.
fn pack(command: &Pack) -> Result<Outcome, Failure> {
    let failed = |why: &dyn Display| Failure::new(format!("cannot read {}: {why}", command.file.display()));
    let lock = match &command.lock {
        Some(lock) => Some(lock.as_path()),
        None => Some(Path::new(LOCK_FILE)).filter(|lock| lock.is_file()),
    };
    let versions = lock.map(read).transpose()?.map(locked_versions).unwrap_or_default();
    let packed = Schemas::pack(read(&command.file)?.bytes(), &versions).map_err(|why| failed(&why))?;
    let path = |own: &PackedSchema| {
        let short = |text: &str| text.chars().take(100).collect::<String>();
        own.path().ok_or_else(|| match &own.version {
            Some(version) if is_provider(&own.address) => {
                let lock = lock.unwrap_or(Path::new(LOCK_FILE)).display();
                Failure::new(format!(
                    "cannot read {lock}: {:?} is not the version of a provider",
                    short(version)
                ))
            }
            _ => failed(&format!("{:?} is not the address of a provider", short(&own.address))),
        })
    };
    // All names are known before the first file is written.
    let paths = packed.iter().map(path).collect::<Result<Vec<_>, _>>()?;
    let cache = OutputDirectory::create(&command.cache)?;
    for (path, own) in paths.iter().zip(&packed) {
        cache.write(Path::new(path), &own.bytes)?;
        writeln!(host::stdout(), "{}", command.cache.join(path).display())?;
    }
    Ok(Outcome::Fine)
}

/// The name of the file without its extension.
pub(crate) fn title(spec: &Path) -> String {
    match spec.file_stem() {
        Some(stem) if spec != Path::new("-") => stem.to_string_lossy().into_owned(),
        _ => "Configuration".to_owned(),
    }
}
