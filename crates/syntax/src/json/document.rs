//! JSON documents: a source with its values and its diagnostics, and the functions that parse one.

use std::fmt;
use std::sync::Arc;

use hclkit_limits::Meter;

use super::node::{Kind, Node};
use super::parser;
use super::view::{JsonProperty, JsonValue};
use crate::columns::cuts_of_json;
use crate::fix::Findings;
use crate::lexer::not_text;
use crate::{Diagnostic, Diagnostics, NodeId, Position, Range, Source, Span};

/// A parsed source in the JSON syntax: the text, the values, and the diagnostics.
///
/// It is cheap to clone: all clones share one document. It is `Send` and `Sync`, and is dropped with a few deallocations
/// whatever its size.
#[derive(Clone)]
pub struct JsonDocument(Arc<Parts>);

struct Parts {
    source: Arc<Source>,
    nodes: Vec<Node>,
    findings: Findings,
}

/// Parses a text in the JSON syntax.
///
/// The source has no name. To name it, use [`Source::new`] and [`JsonDocument::parse`].
pub fn parse(text: impl Into<Vec<u8>>) -> JsonDocument {
    JsonDocument::parse(Source::new("", text))
}

/// The source and the number of diagnostics. The text, the tokens and the tree are left out.
#[doc(hidden)]
impl fmt::Debug for JsonDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonDocument")
            .field("source", self.source())
            .field("diagnostics", &self.diagnostics().total())
            .finish_non_exhaustive()
    }
}

impl JsonDocument {
    /// Parses a source in the JSON syntax. Its errors are in [`JsonDocument::diagnostics`].
    ///
    /// The [`Limits`](hclkit_limits::Limits) of the thread apply. Objects and arrays that are nested too deeply are
    /// reported and omitted. The parser is not recursive, whatever the limit; code that walks over the values may be.
    ///
    /// ```
    /// use hclkit_limits::Limits;
    /// use hclkit_syntax::{Source, json::JsonDocument};
    /// let document = Limits::new().with_nesting(2).run(|| JsonDocument::parse(Source::new("main.json", "[[[1]]]")));
    /// assert_eq!(document.diagnostics()[0].code(), Some(hclkit_syntax::Code::NestingTooDeep));
    /// ```
    pub fn parse(source: impl Into<Arc<Source>>) -> Self {
        let (source, meter) = (source.into(), Meter::current());
        let (nodes, mut diagnostics, unread) = parser::parse(&source, &meter);
        if let Some((at, exceeded)) = unread {
            // Text that was not read would be reported as missing.
            diagnostics.retain(|diagnostic| diagnostic.span.start < at);
            diagnostics.push(Diagnostic::exceeded(exceeded).at(Span::empty(at)));
        } else if !diagnostics.is_empty()
            && let Some(not_text) = not_text(&source)
        {
            diagnostics = not_text.into();
        }
        let cuts = cuts_of_json(source.text());
        source.set_cuts(cuts);
        let findings = Findings::new(diagnostics.with_source(&source), meter.nesting());
        Self(Arc::new(Parts { source, nodes, findings }))
    }

    /// The text in which every string consists of letters, so that it can be read as an expression of the native syntax
    /// with the same offsets. Line breaks that only JSON allows are spaces. A document with errors is all spaces.
    pub(crate) fn masked(&self) -> Vec<u8> {
        let text = self.0.source.bytes();
        if self.has_errors() {
            return vec![b' '; text.len()];
        }
        let mut masked = text.to_vec();
        let is_string = |node: &&Node| matches!(node.kind, Kind::Name | Kind::String);
        for node in self.0.nodes.iter().filter(is_string) {
            masked[node.start as usize + 1..node.end as usize - 1].fill(b'x');
        }
        let (mut after_colon, mut from) = (false, 0);
        for at in 0..masked.len() {
            if masked[at].is_ascii_whitespace() {
                continue;
            }
            if after_colon || matches!(masked[at], b':' | b',') {
                masked[from..at].fill(b' ');
            }
            (after_colon, from) = (masked[at] == b':', at + 1);
        }
        masked
    }

    pub(crate) fn findings(&self) -> &Findings {
        &self.0.findings
    }

    /// The text and its name.
    pub fn source(&self) -> &Source {
        &self.0.source
    }

    #[doc(hidden)]
    /// The text and its name, shared, so that it can outlive the document.
    pub fn shared_source(&self) -> &Arc<Source> {
        &self.0.source
    }

    /// The diagnostics, in source order. The first call takes longer, because it tries the fixes.
    pub fn diagnostics(&self) -> &Diagnostics {
        self.0.findings.tried(&self.0.source, |text| Self::parse(Source::new("", text)).untried())
    }

    fn untried(&self) -> Diagnostics {
        self.0.findings.untried().clone()
    }

    /// Returns true if any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.0.findings.has_errors()
    }

    /// The root value.
    pub fn root(&self) -> JsonValue<'_> {
        self.value(NodeId::ROOT)
    }

    #[doc(hidden)]
    /// The value at a node. Together with [`JsonValue::id`], it finds a value again.
    ///
    /// An id that is not in this document refers to the root.
    pub fn value(&self, id: NodeId) -> JsonValue<'_> {
        JsonValue::new(self, if id.index() < self.0.nodes.len() { id } else { NodeId::ROOT })
    }

    #[doc(hidden)]
    /// The values that contain a byte offset, outermost first: for example, those around an editor's cursor.
    ///
    /// An offset in the name of a property, or between name and value, is part of the object.
    pub fn values_at(&self, offset: u32) -> Vec<JsonValue<'_>> {
        let mut found = Vec::new();
        let mut next = Some(self.root()).filter(|root| root.span().touches(offset));
        while let Some(value) = next {
            found.push(value);
            let holds = |value: &JsonValue<'_>| value.span().touches(offset);
            next = value
                .elements()
                .find(holds)
                .or_else(|| value.properties().map(JsonProperty::value).find(holds));
        }
        found
    }

    #[doc(hidden)]
    /// The position of a byte offset; see [`Source::position`].
    pub fn position(&self, offset: u32) -> Position {
        self.0.source.position(offset)
    }

    #[doc(hidden)]
    /// A span with lines and columns.
    pub fn range(&self, span: Span) -> Range {
        self.0.source.range(span)
    }

    #[doc(hidden)]
    /// The memory that the document uses, in bytes, including its source.
    pub fn heap_size(&self) -> usize {
        self.0.source.len() as usize + self.0.nodes.capacity() * size_of::<Node>()
    }

    /// The node with an id, or the root.
    pub(super) fn node(&self, id: NodeId) -> &Node {
        const NONE: Node = Node {
            start: 0,
            end: 0,
            next: 1,
            kind: Kind::Missing,
            form: super::node::Form::Plain,
            closed: false,
        };
        self.0.nodes.get(id.index()).unwrap_or(&NONE)
    }
}
