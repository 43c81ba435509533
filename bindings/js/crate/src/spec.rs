//! The spec language: decoding with a spec file.

use hclkit::Source;
use hclkit::decode::Decoder;
use hclkit::schema::{JsonSchemaOptions, json_schema, markdown};
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::document::Document;
use crate::limits::Limits;
use crate::{Answer, context, failure, read, value, write};

/// A spec: what a language accepts, and the shape of its data.
#[wasm_bindgen]
pub struct Spec {
    decoder: Decoder,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Options {
    library: Option<String>,
    dynamic: bool,
    unknown_variables: bool,
    limits: Limits,
}

#[wasm_bindgen]
impl Spec {
    /// Reads a spec file.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, name: &str) -> Answer<Spec> {
        let read = Limits::default().run(|| Decoder::new(Source::new(name, text)));
        read.map(|decoder| Self { decoder }).map_err(|found| failure::of(&found))
    }

    /// Decodes a document. Returns the value.
    pub fn decode(&self, document: &Document, variables: &str, options: &str) -> Answer<String> {
        let options: Options = read(options)?;
        if document.parsed.has_errors() {
            return Err(failure::of(document.parsed.diagnostics()));
        }
        let mut decoder = self
            .decoder
            .clone()
            .with_variables(value::variables(variables)?)
            .with_dynamic(options.dynamic)
            .with_unknown_variables(options.unknown_variables);
        if let Some(name) = &options.library {
            decoder = decoder.with_functions(context::library(name)?);
        }
        options.limits.run(|| {
            let decoded = decoder.decode(&document.body());
            value::written([&decoded.map_err(|found| failure::of(&found))?])
        })
    }

    /// The spec as a JSON Schema for the JSON syntax. With `dynamic`, it accepts `dynamic` blocks, too.
    pub fn json_schema(&self, title: &str, dynamic: bool) -> Answer<String> {
        let options = JsonSchemaOptions::new(title);
        let options = if dynamic { options.with_dynamic() } else { options };
        write(&json_schema(self.decoder.spec_file(), &options))
    }

    /// Documentation of the language in Markdown.
    pub fn markdown(&self, title: &str) -> String {
        markdown(self.decoder.spec_file(), title)
    }
}
