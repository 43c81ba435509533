//! Formatting.

#[cfg(feature = "full")]
use hclkit::dialect::Dialect;
use hclkit::write::{Formatter, Style};
use hclkit::{Document, Source, StartSymbol, Syntax};
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::limits::Limits;
use crate::{Answer, failure, read};

/// LANGUAGES and FILES: names, and patterns of files in their order, with whether the formatter changes more than blanks.
#[cfg(not(feature = "full"))]
mod tables {
    include!(concat!(env!("OUT_DIR"), "/languages.rs"));
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[allow(clippy::struct_excessive_bools, reason = "each is an option")]
struct Options {
    name: String,
    language: Option<String>,
    align: bool,
    blank_lines: bool,
    trailing_commas: bool,
    meta_arguments: bool,
    sort_attributes: bool,
    join: bool,
    width: Option<u32>,
    limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            name: String::new(),
            language: None,
            align: true,
            blank_lines: false,
            trailing_commas: false,
            meta_arguments: false,
            sort_attributes: false,
            join: false,
            width: None,
            limits: Limits::default(),
        }
    }
}

/// The language with a name.
#[cfg(feature = "full")]
pub(crate) fn language(name: &str) -> Answer<std::sync::Arc<Dialect>> {
    Dialect::named(name)
        .ok_or_else(|| failure::plain(format!("{name} is not a known language, such as terraform")))
}

#[cfg(feature = "full")]
fn formatter(options: &Options) -> Answer<Formatter> {
    Ok(match &options.language {
        None => Formatter::of_path(&options.name),
        Some(name) => Formatter::new(language(name)?),
    })
}

/// The same without the tables of languages.
#[cfg(not(feature = "full"))]
fn formatter(options: &Options) -> Answer<Formatter> {
    if options.meta_arguments || options.sort_attributes {
        return Err(failure::plain("hclkit/format does not order arguments; hclkit does"));
    }
    let rewrites = if let Some(name) = &options.language {
        let known = tables::LANGUAGES.iter().find(|(language, _)| language == name);
        let known = known
            .ok_or_else(|| failure::plain(format!("{name} is not a known language, such as terraform")))?;
        known.1
    } else {
        let name = options.name.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        let is_match = |pattern: &str| match pattern.strip_prefix('*') {
            Some(end) => name.len() > end.len() && name.ends_with(end),
            None => name == pattern,
        };
        tables::FILES.iter().find(|(pattern, _)| is_match(pattern)).is_some_and(|(_, rewrites)| *rewrites)
    };
    Ok(Formatter::without_table(rewrites))
}

/// Formats text as the program of its language does. The name of a file decides the language, unless the options name one.
#[wasm_bindgen]
pub fn format(text: &str, options: &str) -> Answer<String> {
    let options: Options = read(options)?;
    let source = Source::new(options.name.as_str(), text);
    if Syntax::of(source.name()) == Syntax::Json {
        return Err(failure::plain("only the native syntax can be formatted"));
    }
    let formatter = formatter(&options)?.with_markers();
    let mut style = Style::new()
        .with_alignment(options.align)
        .with_blank_lines(options.blank_lines)
        .with_trailing_commas(options.trailing_commas)
        .with_meta_arguments(options.meta_arguments)
        .with_sorted_attributes(options.sort_attributes)
        .with_joined_lists(options.join);
    if let Some(width) = options.width {
        style = style.with_width(width);
    }
    options.limits.run(|| {
        let document = Document::parse(source, StartSymbol::Config);
        if document.has_errors() {
            return Err(failure::of(document.diagnostics()));
        }
        Ok(formatter.with_style(style).format(&document).text().into_owned())
    })
}
