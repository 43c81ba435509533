//! References to variables, and places in files, as JSON.

use hclkit_model::{Reference, Target};
use hclkit_syntax::{Source, Span};
use hclkit_value::Value;
use serde_core::ser::{Serialize, SerializeMap as _, Serializer};

use super::PlainJson;

/// A reference to a variable as JSON: `root_name`, `steps` and `range`. Each step has a `kind` (`root`, `attr` or
/// `index`), its `name` or `key`, and a `range`. Lines and columns start at 1, bytes at 0. Columns count grapheme clusters.
#[derive(Debug, Clone, Copy)]
pub struct ReferenceJson<'r>(pub &'r Reference);

impl Serialize for ReferenceJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Reference { traversal, source, .. } = self.0;
        let place = |span| PlaceJson { source, span };
        let root = StepJson {
            kind: "root",
            name: Some(&traversal.root),
            key: None,
            range: place(traversal.root_span),
        };
        let rest = traversal.steps.iter().map(|step| match &step.target {
            Target::Attribute(name) => {
                StepJson { kind: "attr", name: Some(name), key: None, range: place(step.span) }
            }
            Target::Element(key) => {
                StepJson { kind: "index", name: None, key: Some(key), range: place(step.span) }
            }
        });
        let steps: Vec<StepJson<'_>> = std::iter::once(root).chain(rest).collect();
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("root_name", traversal.root.as_str())?;
        map.serialize_entry("steps", &steps)?;
        map.serialize_entry("range", &place(traversal.span()))?;
        map.end()
    }
}

struct StepJson<'r> {
    kind: &'static str,
    name: Option<&'r str>,
    key: Option<&'r Value>,
    range: PlaceJson<'r>,
}

impl Serialize for StepJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.kind)?;
        if let Some(name) = self.name {
            map.serialize_entry("name", name)?;
        }
        if let Some(key) = self.key {
            map.serialize_entry("key", &PlainJson::new(key))?;
        }
        map.serialize_entry("range", &self.range)?;
        map.end()
    }
}

/// A place in a file: `filename`, `start` and `end`, each with `line`, `column` and `byte`.
#[derive(Debug, Clone, Copy)]
pub struct PlaceJson<'s> {
    source: &'s Source,
    span: Span,
}

impl<'s> PlaceJson<'s> {
    /// The place of a span.
    pub fn new(source: &'s Source, span: Span) -> Self {
        Self { source, span }
    }
}

impl Serialize for PlaceJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let range = self.source.range(self.span);
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("filename", self.source.name())?;
        for (name, at) in [("start", range.start), ("end", range.end)] {
            map.serialize_entry(name, &PositionJson(at))?;
        }
        map.end()
    }
}

struct PositionJson(hclkit_syntax::Position);

impl Serialize for PositionJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("line", &self.0.line)?;
        map.serialize_entry("column", &self.0.column)?;
        map.serialize_entry("byte", &self.0.byte)?;
        map.end()
    }
}
