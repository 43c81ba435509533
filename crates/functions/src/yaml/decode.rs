//! Builds values, or JSON text with the same order, from the events of the YAML parser.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use hclkit_value::{Error, ErrorKind, Str, Type, Value};
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};

use super::{DEPTH_LIMIT, Numbers, Placed, Rules, scalar};
use crate::limits::check_count;

/// The value of a document.
pub(super) fn decode(text: &str, rules: Rules) -> Result<Value, Error> {
    read(text, rules, u64::MAX).map_err(|error| error.located(text))
}

/// What is wrong with a document, and where.
#[doc(hidden)]
#[derive(Debug)]
pub struct YamlError {
    /// The message names no line.
    pub error: Error,
    /// The bytes of the document. `None` if it is about the whole document.
    pub place: Option<Range<usize>>,
}

impl From<Error> for YamlError {
    fn from(error: Error) -> Self {
        Self { error, place: None }
    }
}

impl YamlError {
    /// An error at characters of a text.
    fn at(text: &str, characters: Range<usize>, error: Error) -> Self {
        // A limit is about everything that was evaluated.
        if matches!(error.kind(), ErrorKind::Limit(_)) {
            return error.into();
        }
        let byte = |at: usize| text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte);
        Self { error, place: Some(byte(characters.start)..byte(characters.end)) }
    }

    /// The error with the line and the column in its message.
    pub(super) fn located(self, text: &str) -> Error {
        if matches!(self.error.kind(), ErrorKind::Limit(_)) {
            return self.error;
        }
        let message = self.error.message();
        let Some(place) = self.place else { return Error::new(format!("invalid YAML: {message}")) };
        let before = &text[..place.start];
        let line = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
        let (line, column) = (before.matches('\n').count() + 1, line.chars().count() + 1);
        Error::new(format!("invalid YAML at line {line}, column {column}: {message}"))
    }
}

/// How many values and how many bytes of JSON the aliases of a document may expand to, if it is not larger itself. Every value
/// takes memory of its own in what is made of the JSON.
const EXPANDED_VALUES: u64 = 1_000_000;
const EXPANDED_BYTES: usize = 64 << 20;

/// The maximum number of bytes of JSON for a byte of YAML without aliases: `{a,b}` is `{"a": null, "b": null}`.
const GROWTH: usize = 8;

/// The JSON text of a document. Its objects have the order of the mappings; the last of several equal keys counts.
pub(super) fn to_json(text: &str) -> Result<(String, Vec<Placed>), YamlError> {
    let most = EXPANDED_BYTES.max(text.len().saturating_mul(GROWTH));
    let mut out = Written { text: String::new(), most, places: Vec::new() };
    let rules = Rules { keys_as_written: true, ..Numbers::Yaml12.into() };
    read::<Ordered>(text, rules, EXPANDED_VALUES.max(text.len() as u64))?.write(&mut out)?;
    // The parser counts characters.
    let mut offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    offsets.push(text.len());
    let byte = |at: usize| offsets.get(at).copied().unwrap_or(text.len());
    let placed = |(json, yaml): (Range<usize>, Range<usize>)| (json, byte(yaml.start)..byte(yaml.end));
    Ok((out.text, out.places.into_iter().map(placed).collect()))
}

/// JSON text, and where its scalars come from, in characters.
struct Written {
    text: String,
    /// The maximum number of bytes.
    most: usize,
    places: Vec<Placed>,
}

/// What a document is built of.
trait Build: Clone {
    /// The place is counted in characters.
    fn scalar(value: Value, place: Range<usize>) -> Self;
    fn sequence(items: Vec<Self>) -> Self;
    fn mapping(entries: Vec<(Str, Self)>) -> Self;
    /// The value, if it is a scalar.
    fn as_scalar(&self) -> Option<&Value>;
    /// The entries of a mapping.
    fn entries(&self) -> Option<Vec<(Str, Self)>>;
    /// The items of a sequence.
    fn items(&self) -> Option<Vec<Self>>;
}

impl Build for Value {
    fn scalar(value: Value, _: Range<usize>) -> Self {
        value
    }

    fn sequence(items: Vec<Self>) -> Self {
        Self::tuple(items)
    }

    fn mapping(entries: Vec<(Str, Self)>) -> Self {
        Self::object(entries)
    }

    fn as_scalar(&self) -> Option<&Value> {
        Some(self)
    }

    fn entries(&self) -> Option<Vec<(Str, Self)>> {
        let entries = Self::entries(self)?;
        Some(entries.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    fn items(&self) -> Option<Vec<Self>> {
        Some(self.as_slice()?.to_vec())
    }
}

/// A document with the order of its mappings.
#[derive(Clone)]
enum Ordered {
    Scalar(Value, Range<usize>),
    Sequence(Arc<[Self]>),
    Mapping(Arc<[(Str, Self)]>),
}

impl Build for Ordered {
    fn scalar(value: Value, place: Range<usize>) -> Self {
        Self::Scalar(value, place)
    }

    fn sequence(items: Vec<Self>) -> Self {
        Self::Sequence(items.into())
    }

    fn mapping(entries: Vec<(Str, Self)>) -> Self {
        // If a key is repeated, the last value counts, at the position of the first one.
        let mut places: HashMap<Str, usize> = HashMap::new();
        let mut kept: Vec<(Str, Self)> = Vec::with_capacity(entries.len());
        for (name, item) in entries {
            if let Some(&place) = places.get(&name) {
                kept[place].1 = item;
            } else {
                places.insert(name.clone(), kept.len());
                kept.push((name, item));
            }
        }
        Self::Mapping(kept.into())
    }

    fn as_scalar(&self) -> Option<&Value> {
        match self {
            Self::Scalar(value, _) => Some(value),
            _ => None,
        }
    }

    fn entries(&self) -> Option<Vec<(Str, Self)>> {
        match self {
            Self::Mapping(entries) => Some(entries.to_vec()),
            _ => None,
        }
    }

    fn items(&self) -> Option<Vec<Self>> {
        match self {
            Self::Sequence(items) => Some(items.to_vec()),
            _ => None,
        }
    }
}

impl Ordered {
    fn write(&self, out: &mut Written) -> Result<(), Error> {
        let most = out.most;
        if out.text.len() > most {
            return Err(Error::new(format!("the aliases expand the document to more than {most} bytes")));
        }
        match self {
            Self::Scalar(value, place) => {
                let start = out.text.len();
                out.text.push_str(&value.to_json(&value.ty())?);
                out.places.push((start..out.text.len(), place.clone()));
            }
            Self::Sequence(items) => {
                for (index, item) in items.iter().enumerate() {
                    out.text.push_str(if index == 0 { "[" } else { ", " });
                    item.write(out)?;
                }
                out.text.push_str(if items.is_empty() { "[]" } else { "]" });
            }
            Self::Mapping(entries) => {
                for (index, (name, item)) in entries.iter().enumerate() {
                    out.text.push_str(if index == 0 { "{" } else { ", " });
                    out.text.push_str(&Value::from(name).to_json(&Type::String)?);
                    out.text.push_str(": ");
                    item.write(out)?;
                }
                out.text.push_str(if entries.is_empty() { "{}" } else { "}" });
            }
        }
        Ok(())
    }
}

/// Reads a document of at most `most` values, with aliases expanded.
fn read<B: Build>(written: &str, rules: Rules, most: u64) -> Result<B, YamlError> {
    check_characters(written)?;
    check_head(written)?;
    // Replace a line break of YAML 1.1 that the parser does not support.
    let text = &*written.replace('\u{85}', "\n");
    let ends_open = !text.ends_with(['\n', '\r']);
    let ends_blank = text.trim_end_matches([' ', '\t']).ends_with(['\n', '\r']);
    let length = text.chars().count();
    let mut reader = Reader::<B> {
        rules,
        most,
        open: Vec::new(),
        anchors: HashMap::new(),
        document: None,
        at_open_end: false,
        place: 0..0,
        ends_blank,
    };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error: ScanError| {
            let at = error.marker().index();
            YamlError::at(written, at..at, Error::new(error.info().to_owned()))
        })?;
        // Only the content of the last scalar can reach the end of the text.
        reader.place = span.start.index()..span.end.index();
        reader.at_open_end = ends_open && span.end.index() >= length;
        reader.event(&event).map_err(|error| YamlError::at(written, reader.place.clone(), error))?;
    }
    Ok(reader.document.ok_or_else(|| Error::new("no document found"))?)
}

/// Rejects characters that YAML does not allow and the parser accepts.
fn check_characters(text: &str) -> Result<(), YamlError> {
    let refused = |character: char| {
        let kept = matches!(character, '\t' | '\n' | '\r' | '\u{85}');
        character.is_control() && !kept || matches!(character, '\u{fffe}' | '\u{ffff}')
    };
    let Some((at, character)) = text.char_indices().find(|(_, character)| refused(*character)) else {
        return Ok(());
    };
    let error = Error::new(format!("the control character {character:?} is not allowed"));
    Err(YamlError { error, place: Some(at..at + character.len_utf8()) })
}

/// Rejects what the reference, unlike the parser, rejects at the start of a text: other YAML versions, a tab as
/// indentation, and a document end marker.
fn check_head(text: &str) -> Result<(), Error> {
    if let Some(first) = text.lines().find(|line| !line.is_empty())
        && (first.starts_with('\t') || first == "...")
    {
        return Err(Error::new("the start of the document is unexpected"));
    }
    let head = text.lines().take_while(|line| line.is_empty() || line.starts_with(['%', '#']));
    for line in head {
        if let Some(version) = line.strip_prefix("%YAML ").map(str::trim)
            && version != "1.1"
        {
            return Err(Error::new(format!("version {version} is not supported; only version 1.1 is")));
        }
    }
    Ok(())
}

/// A value, and the number of values in it with all aliases expanded.
#[derive(Clone)]
struct Node<B> {
    value: B,
    size: u64,
}

/// An unfinished collection.
enum Open<B> {
    Sequence(Vec<B>),
    Mapping { entries: Vec<(Str, B)>, key: Option<Key> },
}

/// A key without a value so far.
enum Key {
    Name(Str),
    /// `<<`, which copies the entries of its value.
    Merge,
}

struct Reader<B> {
    rules: Rules,
    /// The maximum number of values, with aliases expanded.
    most: u64,
    /// The open collections, outermost first, with their anchors and sizes.
    open: Vec<(Open<B>, usize, u64)>,
    anchors: HashMap<usize, Node<B>>,
    document: Option<B>,
    /// Whether the current event extends to the end of the text and the text does not end with a line break.
    at_open_end: bool,
    /// Where the current event is.
    place: Range<usize>,
    /// Whether the last line consists of spaces.
    ends_blank: bool,
}

impl<B: Build> Reader<B> {
    fn event(&mut self, event: &Event<'_>) -> Result<(), Error> {
        match event {
            Event::DocumentStart(_) if self.document.is_some() => {
                Err(Error::new("only one document is supported, but a second one was found"))
            }
            Event::Scalar(text, style, anchor, tag) => {
                let tag = core_tag(tag.as_deref())?;
                let is_merge = match tag {
                    Some("merge") => text == "<<" || self.rules.merges_lists,
                    Some(_) => false,
                    None => text == "<<",
                };
                if is_merge && self.awaits_key() {
                    self.key(Key::Merge);
                    return Ok(());
                }
                let is_text = self.rules.keys_as_written && self.awaits_key() && tag.is_none();
                let value = match style {
                    ScalarStyle::Plain if is_text => Ok(Value::from(&**text)),
                    ScalarStyle::Plain => scalar::plain(text, tag, self.rules.numbers),
                    ScalarStyle::Literal | ScalarStyle::Folded => {
                        scalar::block(self.without_added_break(text), tag, self.rules.numbers)
                    }
                    _ => scalar::quoted(text, tag),
                }?;
                self.node(Node { value: B::scalar(value, self.place.clone()), size: 1 }, *anchor)
            }
            Event::Alias(_) if self.awaits_key() => {
                Err(Error::new("the keys of mappings must be scalars, not aliases"))
            }
            Event::Alias(anchor) => {
                let known = self.anchors.get(anchor).cloned();
                self.node(
                    known.ok_or_else(|| Error::new("an alias must not refer to a value that contains it"))?,
                    0,
                )
            }
            Event::SequenceStart(anchor, tag) => {
                self.open(Open::Sequence(Vec::new()), *anchor, core_tag(tag.as_deref())?, "seq")
            }
            Event::MappingStart(anchor, tag) => {
                let mapping = Open::Mapping { entries: Vec::new(), key: None };
                self.open(mapping, *anchor, core_tag(tag.as_deref())?, "map")
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some((open, anchor, size)) = self.open.pop() else { return Ok(()) };
                let value = match open {
                    Open::Sequence(items) => B::sequence(items),
                    Open::Mapping { entries, .. } => B::mapping(entries),
                };
                self.node(Node { value, size }, anchor)
            }
            _ => Ok(()),
        }
    }

    fn open(&mut self, open: Open<B>, anchor: usize, tag: Option<&str>, own: &str) -> Result<(), Error> {
        if let Some(tag) = tag.filter(|tag| *tag != own) {
            return Err(Error::new(format!("the tag {tag:?} is not supported here")));
        }
        if self.awaits_key() {
            return Err(Error::new("the keys of mappings must be scalars"));
        }
        if self.open.len() >= DEPTH_LIMIT {
            return Err(Error::new(format!("the document is nested deeper than {DEPTH_LIMIT} levels")));
        }
        self.open.push((open, anchor, 1));
        Ok(())
    }

    /// Removes the line break that the parser adds to a block scalar at the end of a text without a final line break.
    fn without_added_break<'a>(&self, text: &'a str) -> &'a str {
        match text.strip_suffix('\n') {
            // A last line of spaces has a line break only if it is part of the scalar.
            Some(stripped)
                if self.at_open_end && (!self.ends_blank || stripped.ends_with(['\n', ' ', '\t'])) =>
            {
                stripped
            }
            _ => text,
        }
    }

    fn awaits_key(&self) -> bool {
        matches!(self.open.last(), Some((Open::Mapping { key: None, .. }, ..)))
    }

    fn key(&mut self, name: Key) {
        if let Some((Open::Mapping { key, .. }, ..)) = self.open.last_mut() {
            *key = Some(name);
        }
    }

    /// Adds a node to the innermost open collection.
    fn node(&mut self, node: Node<B>, anchor: usize) -> Result<(), Error> {
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let Some((open, _, size)) = self.open.last_mut() else {
            self.document = Some(node.value);
            return Ok(());
        };
        *size = size.saturating_add(node.size);
        // Aliases can multiply the size of a document, so the expanded size is checked.
        check_count(usize::try_from(*size).unwrap_or(usize::MAX))?;
        if *size > self.most {
            return Err(Error::new(format!(
                "the aliases expand the document to more than {} values",
                self.most
            )));
        }
        match open {
            Open::Sequence(items) => items.push(node.value),
            Open::Mapping { entries, key } => match key.take() {
                Some(Key::Name(name)) => entries.push((name, node.value)),
                Some(Key::Merge) => {
                    let parts = match node.value.items().filter(|_| self.rules.merges_lists) {
                        Some(items) => items,
                        None => vec![node.value],
                    };
                    for part in parts {
                        let merged =
                            part.entries().ok_or_else(|| Error::new("only a mapping can be merged"))?;
                        entries.extend(merged);
                    }
                }
                None => {
                    let name = node.value.as_scalar().and_then(|value| value.convert(&Type::String).ok());
                    let name = name.as_ref().and_then(Value::as_str).map(Str::from);
                    *key = Some(Key::Name(
                        name.ok_or_else(|| Error::new("a key must be a string, number or bool"))?,
                    ));
                }
            },
        }
        Ok(())
    }
}

/// Returns the name of a core tag of YAML.
fn core_tag(tag: Option<&Tag>) -> Result<Option<&str>, Error> {
    match tag {
        None => Ok(None),
        Some(tag) if tag.is_yaml_core_schema() => Ok(Some(&tag.suffix)),
        Some(tag) => match tag.suffix.strip_prefix("tag:yaml.org,2002:") {
            Some(name) => Ok(Some(name)),
            None => Err(Error::new(format!("the tag {tag} is not supported"))),
        },
    }
}
