//! Conversion between text and plain data: the JSON of `hcl convert`.

use hclkit::convert::{Shape, ToJson, ToNative};
use hclkit::dialect::{Dialect, FileKind};
use hclkit::syntax::json::JsonDocument;
use hclkit::{Document, Source, StartSymbol, Syntax};
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::format::language;
use crate::limits::Limits;
use crate::{Answer, failure, read, write};

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct JsonOptions {
    name: String,
    language: Option<String>,
    compact: bool,
    /// Whether the JSON has lines.
    pretty: bool,
    #[serde(rename = "static")]
    statics: Vec<String>,
    limits: Limits,
}

/// Converts text in the native syntax to JSON. Text in the JSON syntax stays as it is.
#[wasm_bindgen]
pub fn to_json(text: &str, options: &str) -> Answer<String> {
    let options: JsonOptions = read(options)?;
    let source = Source::new(options.name.as_str(), text);
    let dialect = match &options.language {
        None => Dialect::of_path(source.name()),
        Some(name) => Some(language(name)?),
    };
    options.limits.run(|| {
        if Syntax::of(source.name()) == Syntax::Json {
            let document = JsonDocument::parse(source);
            if document.has_errors() {
                return Err(failure::of(document.diagnostics()));
            }
            return Ok(document.shared_source().text().to_owned());
        }
        let values = dialect.as_ref().and_then(|it| it.file_kind(source.name())) == Some(FileKind::Values);
        let mut converter = ToJson::new().with_static(&options.statics).with_all_static(values);
        if options.compact {
            converter = converter.with_shape(Shape::Compact);
        }
        if let Some(dialect) = &dialect {
            converter = converter.with_dialect(dialect);
        }
        let document = Document::parse(source, StartSymbol::Config);
        let json = converter.convert(&document).map_err(|found| failure::of(&found))?;
        if options.pretty {
            return serde_json::to_string_pretty(&json).map_err(failure::plain);
        }
        write(&json)
    })
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct NativeOptions {
    name: String,
    language: Option<String>,
    blocks: Vec<(String, usize)>,
    attributes: Vec<String>,
    #[serde(rename = "static")]
    statics: Vec<String>,
    literal: bool,
    limits: Limits,
}

/// Converts JSON to text in the native syntax.
#[wasm_bindgen]
pub fn to_native(json: &str, options: &str) -> Answer<String> {
    let options: NativeOptions = read(options)?;
    let mut converter = ToNative::new()
        .with_blocks(options.blocks)
        .with_attributes(options.attributes)
        .with_static(options.statics)
        .with_literal_strings(options.literal);
    let dialect = match &options.language {
        None => Dialect::of_path(&options.name),
        Some(name) => Some(language(name)?),
    };
    if let Some(dialect) = dialect {
        converter = converter.with_dialect(dialect);
    }
    options.limits.run(|| {
        let document = JsonDocument::parse(Source::new(options.name.as_str(), json));
        converter.convert(&document).map_err(|found| failure::of(&found))
    })
}
