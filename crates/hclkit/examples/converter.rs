//! Converts a configuration between the native syntax and JSON, as a spec file describes it, or prints the JSON Schema:
//! `cargo run -p hclkit --example converter -- examples/service/service.hcldec examples/service/web.hcl.json`.

use std::{env, error::Error, fs, path::Path};

use hclkit::convert::{ToJson, ToNative};
use hclkit::decode::Decoder;
use hclkit::model::SpecFile;
use hclkit::schema::{self, JsonSchemaOptions};
use hclkit::syntax::json::JsonDocument;
use hclkit::{Document, Source, StartSymbol, Syntax};

/// Returns the configuration in the other syntax.
pub(crate) fn convert(spec: &SpecFile, source: Source) -> Result<String, Box<dyn Error>> {
    Ok(match Syntax::of(source.name()) {
        Syntax::Native | Syntax::Hcl1 => {
            let json = ToJson::new().convert(&Document::parse(source, StartSymbol::Config))?;
            serde_json::to_string_pretty(&json)? + "\n"
        }
        Syntax::Json => {
            let converter = ToNative::new().with_spec(spec.spec.clone()).with_dynamic(true);
            converter.convert(&JsonDocument::parse(source))?
        }
    })
}

pub(crate) fn read(path: impl AsRef<Path>) -> std::io::Result<Source> {
    Ok(Source::new(path.as_ref().to_string_lossy(), fs::read(&path)?))
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let spec = Decoder::new(read(arguments.next().ok_or("usage: converter SPEC [FILE]")?)?)?;
    if let Some(file) = arguments.next() {
        print!("{}", convert(spec.spec_file(), read(file)?)?);
    } else {
        let schema = schema::json_schema(spec.spec_file(), &JsonSchemaOptions::new("Configuration"));
        println!("{}", serde_json::to_string_pretty(&schema)?);
    }
    Ok(())
}
