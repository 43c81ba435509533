//! Files in YAML, which are converted as JSON: where their errors are.

use std::ops::Range;
use std::sync::Arc;

use hclkit::convert;
use hclkit::syntax::json::JsonDocument;
use hclkit::{Code, Diagnostic, Diagnostics, Source, Span};

/// The text of a file, and where the scalars of its JSON text come from.
pub(crate) struct Yaml {
    source: Arc<Source>,
    json: Arc<Source>,
    places: Vec<(Range<usize>, Range<usize>)>,
}

impl Yaml {
    /// Reads a file as JSON.
    ///
    /// # Errors
    /// What is no YAML document, at its place.
    pub(crate) fn read(source: Source) -> Result<(JsonDocument, Self), Diagnostics> {
        let (json, places) = match convert::yaml_to_json_with_places(source.text()) {
            Ok(read) => read,
            Err(wrong) => {
                let found = Diagnostic::error(Code::InvalidYaml).with_note(message(&wrong.error));
                let found = match wrong.place {
                    Some(place) => found.at(span(place)),
                    None => found,
                };
                return Err(found.with_source(&Arc::new(source)).into());
            }
        };
        let document = JsonDocument::parse(Source::new(source.name(), json));
        let json = document.shared_source().clone();
        Ok((document, Self { source: Arc::new(source), json, places }))
    }

    /// The place in the file: a part of a scalar that has the same text there, or else the scalar.
    fn span(&self, json: Span) -> Span {
        let start = json.start as usize;
        let at = self.places.partition_point(|(own, _)| own.start <= start);
        let Some((own, yaml)) = at.checked_sub(1).map(|at| &self.places[at]) else { return Span::new(0, 0) };
        let (text, written) = (&self.json.text()[own.clone()], &self.source.text()[yaml.clone()]);
        let inner = text.trim_matches('"');
        match written.find(inner).filter(|_| !inner.is_empty() && own.contains(&start)) {
            Some(offset) => {
                let begins = own.start + usize::from(text.starts_with('"'));
                let from = yaml.start + offset + start.saturating_sub(begins);
                span(from..(from + json.len() as usize).min(yaml.end))
            }
            None => span(yaml.clone()),
        }
    }
}

/// Diagnostics about JSON text that was YAML, at the scalars of that. Fixes are left out, because they change the JSON text.
pub(super) fn at_yaml(mut found: Diagnostics, yaml: &[Yaml]) -> Diagnostics {
    found.update(|found| {
        let own = found.source().and_then(|own| yaml.iter().find(|yaml| Arc::ptr_eq(&yaml.json, own)));
        let (Some(yaml), Some(code)) = (own, found.code()) else { return found };
        let span = yaml.span(found.span());
        let moved =
            Diagnostic::error(code).with_severity(found.severity()).with_note(found.note().to_string());
        moved.at(span).with_source(&yaml.source)
    });
    found
}

/// A sentence.
fn message(error: &hclkit::value::Error) -> String {
    let text = error.message();
    let mut rest = text.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", rest.as_str())
}

fn span(bytes: Range<usize>) -> Span {
    let at = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    Span::new(at(bytes.start), at(bytes.end))
}
