//! Documents: parsed text with its diagnostics.

use hclkit::{Source, Syntax};
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::limits::Limits;
use crate::{Answer, failure, read, write};

/// A parsed file. A file with errors is a document, too.
#[wasm_bindgen]
pub struct Document {
    pub(crate) parsed: hclkit::Document,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum SyntaxName {
    Native,
    Json,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Options {
    name: String,
    syntax: Option<SyntaxName>,
    limits: Limits,
}

/// Parses a source, in the syntax of its name.
#[cfg(feature = "full")]
pub(crate) fn parsed(source: Source) -> hclkit::Document {
    let syntax = Syntax::of(source.name());
    hclkit::Document::parse_in(source, syntax)
}

#[wasm_bindgen]
impl Document {
    /// Parses text.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, options: &str) -> Answer<Document> {
        let options: Options = read(options)?;
        let source = Source::new(options.name.as_str(), text);
        let syntax = match options.syntax {
            None => Syntax::of(source.name()),
            Some(SyntaxName::Native) => Syntax::Native,
            Some(SyntaxName::Json) => Syntax::Json,
        };
        Ok(Self { parsed: options.limits.run(|| hclkit::Document::parse_in(source, syntax)) })
    }

    /// The text.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> String {
        self.parsed.source().text().to_owned()
    }

    /// Whether the syntax is JSON.
    #[wasm_bindgen(getter)]
    pub fn is_json(&self) -> bool {
        self.parsed.syntax() == Syntax::Json
    }

    /// Whether there are errors.
    #[wasm_bindgen(getter)]
    pub fn has_errors(&self) -> bool {
        self.parsed.has_errors()
    }

    /// The errors and warnings, as JSON.
    pub fn diagnostics(&self) -> Answer<String> {
        Limits::default().run(|| write(&failure::list(self.parsed.diagnostics())))
    }

    /// The text with all fixes of diagnostics, and how many were applied, as JSON.
    pub fn fixed(&self) -> Answer<String> {
        let fixes = self.parsed.diagnostics().iter().filter_map(hclkit::Diagnostic::fix);
        write(&hclkit::apply_fixes(self.parsed.source().text(), fixes))
    }
}
