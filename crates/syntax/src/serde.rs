//! `Serialize` for diagnostics, with the feature `serde`. Only this file defines their shape in JSON: the reports of
//! `hclkit::render` and of the program contain the same objects.

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::{Code, Diagnostic, Diagnostics, Edit, Evidence, Fix, Position, Range, Related, Severity, Source};

/// The stable text form.
impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// `error` or `warning`.
impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Position", 3)?;
        fields.serialize_field("line", &self.line)?;
        fields.serialize_field("column", &self.column)?;
        fields.serialize_field("byte", &self.byte)?;
        fields.end()
    }
}

impl Serialize for Range {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Range", 2)?;
        fields.serialize_field("start", &self.start)?;
        fields.serialize_field("end", &self.end)?;
        fields.end()
    }
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Evidence", 2)?;
        fields.serialize_field("expression", &self.expression)?;
        fields.serialize_field("value", &self.value)?;
        fields.end()
    }
}

/// A part of a diagnostic whose spans are in this source.
struct In<'a, T>(Option<&'a Source>, &'a T);

impl Serialize for In<'_, Related> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(source, related) = self;
        let source = related.source().map(AsRef::as_ref).or(*source);
        let mut fields = serializer.serialize_struct("Related", 3)?;
        fields.serialize_field("message", related.text())?;
        fields.serialize_field("file", &source.map(Source::name))?;
        fields.serialize_field("range", &source.map(|source| source.range(related.span())))?;
        fields.end()
    }
}

impl Serialize for In<'_, Edit> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(source, edit) = self;
        let mut fields = serializer.serialize_struct("Edit", 2)?;
        fields.serialize_field("range", &source.map(|source| source.range(edit.span)))?;
        fields.serialize_field("replacement", &edit.replacement)?;
        fields.end()
    }
}

impl Serialize for In<'_, Fix> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(source, fix) = self;
        let mut fields = serializer.serialize_struct("Fix", 2)?;
        fields.serialize_field("title", &fix.title)?;
        fields.serialize_field("edits", &In(*source, &fix.edits))?;
        fields.end()
    }
}

impl<T> Serialize for In<'_, Vec<T>>
where
    for<'a> In<'a, T>: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.1.iter().map(|part| In(self.0, part)))
    }
}

/// An object with `code`, `severity`, `summary`, `detail`, `file`, `range`, `address`, `context`, `related`,
/// `evidence` and `fix`. Missing parts are null or empty.
impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let source = self.source().map(AsRef::as_ref);
        let range = |span| source.map(|source: &Source| source.range(span));
        let mut fields = serializer.serialize_struct("Diagnostic", 11)?;
        fields.serialize_field("code", &self.code())?;
        fields.serialize_field("severity", &self.severity())?;
        fields.serialize_field("summary", self.summary())?;
        fields.serialize_field("detail", self.note())?;
        fields.serialize_field("file", &source.map(Source::name))?;
        fields.serialize_field("range", &range(self.span()))?;
        fields.serialize_field("address", &self.address())?;
        fields.serialize_field("context", &self.context().and_then(range))?;
        fields.serialize_field("related", &In(source, &self.related))?;
        fields.serialize_field("evidence", self.evidence())?;
        fields.serialize_field("fix", &self.fix().map(|fix| In(source, fix)))?;
        fields.end()
    }
}

/// An object with `version`, which is 1, the kept `diagnostics`, and the numbers of `errors`, `warnings` and
/// `unreported` ones.
impl Serialize for Diagnostics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Diagnostics", 5)?;
        fields.serialize_field("version", &1)?;
        fields.serialize_field("diagnostics", self.as_slice())?;
        fields.serialize_field("errors", &self.errors())?;
        fields.serialize_field("warnings", &self.warnings())?;
        fields.serialize_field("unreported", &self.unreported())?;
        fields.end()
    }
}
