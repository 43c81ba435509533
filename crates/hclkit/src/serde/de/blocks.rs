//! Bodies and blocks: the entries of a body, the blocks of a type, and their labels.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use hclkit_model::{Attribute, Block, BodyPart};
use hclkit_syntax::ast::{BlockNode, BodyNode, Item as AstItem};
use hclkit_syntax::json::{JsonKind, JsonValue};
use hclkit_syntax::{Code, Place, Source, Span};

use super::access::{Elements, Entries, Entry};
use super::node::{Form, Node, Resolved, Shape, Spot, place};
use crate::Body;
use crate::serde::SerdeError;

/// The blocks of a type, in source order.
pub(super) type Items<'x> = VecDeque<Item<'x>>;

/// The remaining blocks of a sequence. The type of its elements decides how many blocks a JSON value contains.
pub(super) type Queue<'x> = Rc<RefCell<Items<'x>>>;

/// A block, or several in the JSON syntax.
#[derive(Clone)]
pub(super) enum Item<'x> {
    /// A block, and the number of its labels that were already read.
    Native(BlockNode<'x>, usize),
    /// A block that a dynamic block generated, and the number of its labels that were already read.
    Made(&'x Block, usize),
    /// A block, or several, or labels of blocks.
    Json(JsonValue<'x>),
    /// A body below labels.
    JsonBody(Vec<(Cow<'x, str>, Span)>, JsonValue<'x>),
}

/// A label of a block.
pub(super) struct Label<'x> {
    pub(super) text: Cow<'x, str>,
    pub(super) source: &'x Arc<Source>,
    pub(super) span: Span,
}

impl<'x> Item<'x> {
    /// The place of the block, for errors.
    pub(super) fn spot(&self) -> Spot<'x> {
        match *self {
            Item::Native(block, _) => Spot::Block(block),
            Item::Made(block, _) => Spot::Generated(block),
            Item::Json(value) | Item::JsonBody(_, value) => Spot::JsonBlock(value),
        }
    }

    /// The next label.
    fn label(&self) -> Option<Label<'x>> {
        match *self {
            Item::Native(block, read) => {
                let label = block.labels().nth(read)?;
                Some(Label {
                    text: label.value(),
                    source: block.document().shared_source(),
                    span: label.span(),
                })
            }
            Item::Made(block, read) => {
                let (label, span) = (block.labels.get(read)?, *block.label_spans.get(read)?);
                Some(Label { text: Cow::Borrowed(label.as_str()), source: &block.source, span })
            }
            Item::Json(_) | Item::JsonBody(..) => None,
        }
    }

    fn below_label(&self) -> Self {
        match self {
            Item::Native(block, read) => Item::Native(*block, read + 1),
            Item::Made(block, read) => Item::Made(block, read + 1),
            other => other.clone(),
        }
    }

    /// The body of a single block without more labels.
    pub(super) fn body<'de>(&self) -> Node<'x, 'de> {
        match *self {
            Item::Native(block, _) => Node::BlockBody(block.body()),
            Item::Made(block, _) => Node::Body(&block.body),
            Item::Json(value) | Item::JsonBody(_, value) => Node::Json(value),
        }
    }
}

/// The attributes and blocks that dynamic blocks generated, in a part of a body.
pub(super) type Generated = (Vec<Attribute>, Vec<Block>);

/// The body of a block in the native syntax.
pub(super) fn entries_of<'de>(node: BodyNode<'_>) -> Result<Form<'_, 'de>, SerdeError> {
    let mut collected = Collected::default();
    collected.native(node)?;
    Ok(collected.into_form())
}

/// Generates the content of dynamic blocks: of each part of a body that is not in a source.
pub(super) fn generated(body: &Body) -> Result<Vec<Generated>, SerdeError> {
    let mut generated = Vec::new();
    for part in body.parts() {
        if let BodyPart::Other(body) = part {
            if body.is_unknown() {
                return Err(SerdeError::invalid("the number of blocks is unknown"));
            }
            let (content, found) = body.everything();
            if found.has_errors() {
                return Err(found.into());
            }
            let mut attributes: Vec<Attribute> = content.attributes.into_iter().collect();
            attributes.sort_by_key(|attribute| attribute.span);
            generated.push((attributes, content.blocks));
        }
    }
    Ok(generated)
}

/// The body of a file, or of a block that a dynamic block generated.
pub(super) fn body<'y, 'de>(body: &'y Body, generated: &'y [Generated]) -> Result<Form<'y, 'de>, SerdeError> {
    let (mut collected, mut generated) = (Collected::default(), generated.iter());
    for part in body.parts() {
        match part {
            BodyPart::Native(node) => collected.native(node)?,
            BodyPart::Json(value) => collected.json(value)?,
            BodyPart::Other(_) => {
                let Some((attributes, blocks)) = generated.next() else { continue };
                collected.generated(attributes, blocks)?;
            }
        }
    }
    Ok(collected.into_form())
}

/// The entries of a body: an attribute, or the blocks of a type.
#[derive(Default)]
struct Collected<'x, 'de> {
    entries: Vec<Entry<'x, 'de>>,
    /// The index of each entry by name, once there are many.
    index: HashMap<Cow<'x, str>, usize>,
}

/// From this number of entries on, they are found by the index.
const MANY: usize = 16;

impl<'x, 'de> Collected<'x, 'de> {
    fn into_form(self) -> Form<'x, 'de> {
        Form::Map(Entries::Known(self.entries.into_iter()))
    }

    fn native(&mut self, node: BodyNode<'x>) -> Result<(), SerdeError> {
        let source = node.document().shared_source();
        for item in node.items() {
            match item {
                AstItem::Attribute(attribute) => self.add(Entry {
                    name: Cow::Borrowed(attribute.name()),
                    source: Some(source),
                    span: attribute.name_span(),
                    node: Node::Native(attribute.value()),
                })?,
                AstItem::Block(block) => self.add(Entry {
                    name: Cow::Borrowed(block.block_type()),
                    source: Some(source),
                    span: block.type_span(),
                    node: Node::Blocks(Items::from([Item::Native(block, 0)])),
                })?,
            }
        }
        Ok(())
    }

    fn json(&mut self, value: JsonValue<'x>) -> Result<(), SerdeError> {
        let source = value.document().shared_source();
        let wrong = |value: JsonValue| {
            let place = Place::new(source, value.start_span());
            let note = "Expected an object or an array of objects with arguments and blocks.";
            SerdeError::other(Code::JsonBodyRequired, note).at(Some(place))
        };
        let objects: Vec<JsonValue<'x>> = match value.kind() {
            JsonKind::Object(_) => vec![value],
            JsonKind::Array(array) => array.elements().collect(),
            JsonKind::Null | JsonKind::Missing => Vec::new(),
            _ => return Err(wrong(value)),
        };
        for object in objects {
            if !object.is_object() {
                return Err(wrong(object));
            }
            for property in object.properties() {
                let name = property.name().value();
                if name == "//" {
                    continue;
                }
                let node = Node::Json(property.value());
                self.add(Entry { name, source: Some(source), span: property.name_span(), node })?;
            }
        }
        Ok(())
    }

    fn generated(&mut self, attributes: &'x [Attribute], blocks: &'x [Block]) -> Result<(), SerdeError> {
        for attribute in attributes {
            self.add(Entry {
                name: Cow::Borrowed(attribute.name.as_str()),
                source: Some(&attribute.source),
                span: attribute.name_span,
                node: Node::Expression(&attribute.expression),
            })?;
        }
        for block in blocks {
            self.add(Entry {
                name: Cow::Borrowed(block.block_type.as_str()),
                source: Some(&block.source),
                span: block.type_span,
                node: Node::Blocks(Items::from([Item::Made(block, 0)])),
            })?;
        }
        Ok(())
    }

    fn add(&mut self, entry: Entry<'x, 'de>) -> Result<(), SerdeError> {
        let found = if self.entries.len() < MANY {
            self.entries.iter().position(|other| other.name == entry.name)
        } else {
            if self.index.is_empty() {
                self.index =
                    self.entries.iter().enumerate().map(|(at, entry)| (entry.name.clone(), at)).collect();
            }
            self.index.get(&entry.name).copied()
        };
        let Some(at) = found else {
            if !self.index.is_empty() {
                self.index.insert(entry.name.clone(), self.entries.len());
            }
            self.entries.push(entry);
            return Ok(());
        };
        let first = &mut self.entries[at];
        // Properties of the JSON syntax that are repeated can only be blocks.
        let as_blocks = |node: &Node<'x, 'de>| match node {
            Node::Blocks(_) => true,
            Node::Json(value) => value.is_object() || value.is_array(),
            _ => false,
        };
        if !as_blocks(&first.node) || !as_blocks(&entry.node) {
            let error = duplicate(&entry.name, first);
            return Err(error.at(place(entry.source, entry.span)));
        }
        if let Node::Json(value) = first.node {
            first.node = Node::Blocks(Items::from([Item::Json(value)]));
        }
        if let Node::Blocks(items) = &mut first.node {
            match entry.node {
                Node::Blocks(more) => items.extend(more),
                Node::Json(value) => items.push_back(Item::Json(value)),
                _ => {}
            }
        }
        Ok(())
    }
}

#[cold]
fn duplicate(name: &str, first: &Entry<'_, '_>) -> SerdeError {
    let at = place(first.source, first.span).map(|place| {
        let start = place.source.position(place.span.start);
        format!(" at {}:{}:{}", place.source.name(), start.line, start.column)
    });
    let note = format!("The argument `{name}` is already set{}.", at.unwrap_or_default());
    SerdeError::other(Code::DuplicateAttribute, note)
}

/// Resolves the blocks of a type.
pub(super) fn resolve<'x: 'y, 'y, 'de>(
    mut items: Items<'x>,
    shape: Shape,
) -> Result<Resolved<'x, 'y, 'de>, SerdeError> {
    let sequence = |items| Resolved::Form(Form::Sequence(Elements::Blocks(Rc::new(RefCell::new(items)))));
    if shape == Shape::Sequence {
        return Ok(sequence(items));
    }
    // A sequence in JSON is a sequence if any type is accepted.
    if let ([Item::Json(value)], Shape::Any) = (&*items.make_contiguous(), shape)
        && value.is_array()
    {
        return Ok(Resolved::Node(Node::Json(*value)));
    }
    let items = flattened(items);
    let labeled = !items.is_empty() && items.iter().all(|item| item.label().is_some());
    if labeled {
        return Ok(Resolved::Labels(by_label(&items)));
    }
    Ok(match (&*items, shape) {
        ([one], _) => Resolved::Node(match one {
            Item::Json(value) => Node::Json(*value),
            one => one.body(),
        }),
        ([], _) => Resolved::Form(Form::Null),
        (_, Shape::Any) => sequence(items.into()),
        // Objects whose names are labels.
        (all, Shape::Map)
            if all.iter().all(|item| matches!(item, Item::Json(_)) || item.label().is_some()) =>
        {
            Resolved::Form(Form::Map(Entries::Known(by_label(all).into_iter())))
        }
        ([_, another, ..], _) => return Err(second(another)),
    })
}

/// The error about a second block.
#[cold]
pub(super) fn second(block: &Item<'_>) -> SerdeError {
    let note = match block {
        Item::Native(block, _) => {
            format!("Only one block of type `{}` is expected here.", block.block_type())
        }
        Item::Made(block, _) => format!("Only one block of type `{}` is expected here.", block.block_type),
        Item::Json(_) | Item::JsonBody(..) => "Only one block is expected here.".to_owned(),
    };
    SerdeError::other(Code::DuplicateBlock, note).at(block.spot().place())
}

/// Separates the blocks: an array in the JSON syntax has one for each element.
fn flattened(items: Items<'_>) -> Vec<Item<'_>> {
    let mut flat = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Item::Json(value) if value.is_array() => flat.extend(value.elements().map(Item::Json)),
            Item::Json(value) if value.is_null() => {}
            item => flat.push(item),
        }
    }
    flat
}

/// The blocks by their next label.
fn by_label<'x, 'de>(items: &[Item<'x>]) -> Vec<Entry<'x, 'de>> {
    let mut entries: Vec<Entry<'x, 'de>> = Vec::new();
    let mut index: HashMap<Cow<'x, str>, usize> = HashMap::new();
    let mut add = |label: Label<'x>, item: Item<'x>| {
        let at = *index.entry(label.text.clone()).or_insert(entries.len());
        if at == entries.len() {
            let Label { text: name, source, span } = label;
            entries.push(Entry { name, source: Some(source), span, node: Node::Blocks(Items::new()) });
        }
        if let Node::Blocks(items) = &mut entries[at].node {
            items.push_back(item);
        }
    };
    for item in items {
        match item {
            Item::Json(value) => {
                for property in value.properties() {
                    let (source, span) = (value.document().shared_source(), property.name_span());
                    let label = Label { text: property.name().value(), source, span };
                    add(label, Item::Json(property.value()));
                }
            }
            item => {
                if let Some(label) = item.label() {
                    add(label, item.below_label());
                }
            }
        }
    }
    entries
}

/// Removes values that are not blocks from the front of a queue. Returns true if there is a block.
pub(super) fn has_next(queue: &Queue<'_>) -> bool {
    let mut items = queue.borrow_mut();
    while let Some(Item::Json(value)) = items.front() {
        if !(value.is_null() || (value.is_array() && value.elements().next().is_none())) {
            return true;
        }
        items.pop_front();
    }
    !items.is_empty()
}

/// Takes the first block of a queue.
pub(super) fn next<'x, 'de>(queue: &Queue<'x>) -> Option<Node<'x, 'de>> {
    let mut items = queue.borrow_mut();
    match items.pop_front()? {
        Item::Json(value) if value.is_array() => {
            let mut elements: Vec<JsonValue<'x>> = value.elements().collect();
            elements.reverse();
            let first = elements.pop()?;
            for element in elements {
                items.push_front(Item::Json(element));
            }
            Some(Node::Json(first))
        }
        Item::Json(value) => Some(Node::Json(value)),
        item => Some(Node::Blocks(Items::from([item]))),
    }
}

/// A block with this number of labels.
pub(super) struct LabeledBlock<'x> {
    pub(super) labels: Vec<Label<'x>>,
    pub(super) body: Item<'x>,
}

/// Takes the first block of a queue, whose blocks have this number of labels.
pub(super) fn next_labeled<'x>(queue: &Queue<'x>, count: usize) -> Result<LabeledBlock<'x>, SerdeError> {
    let mut items = queue.borrow_mut();
    loop {
        let Some(item) = items.pop_front() else { return Err(SerdeError::invalid("expected a block")) };
        match item {
            Item::Json(value) => {
                let mut found = Vec::new();
                json_blocks(value, count, &mut Vec::new(), &mut found)?;
                found.into_iter().rev().for_each(|block| items.push_front(block));
            }
            Item::JsonBody(labels, value) => {
                let source = value.document().shared_source();
                let labels = labels.into_iter().map(|(text, span)| Label { text, source, span });
                return Ok(LabeledBlock { labels: labels.collect(), body: Item::Json(value) });
            }
            mut item => {
                let mut labels = Vec::with_capacity(count);
                while let Some(label) = item.label() {
                    labels.push(label);
                    item = item.below_label();
                }
                if labels.len() > count {
                    let extra = Place::new(labels[count].source, labels[count].span);
                    let note = match count {
                        0 => "No labels are expected for this block.".to_owned(),
                        1 => "Only one label is expected for this block.".to_owned(),
                        _ => format!("Only {count} labels are expected for this block."),
                    };
                    return Err(SerdeError::other(Code::ExtraLabel, note).at(Some(extra)));
                }
                if labels.len() < count {
                    let expected =
                        if count == 1 { "one label".to_owned() } else { format!("{count} labels") };
                    let note = format!("A label is missing. The block must have {expected}.");
                    return Err(SerdeError::other(Code::MissingLabel, note).at(item.spot().missing_item()));
                }
                return Ok(LabeledBlock { labels, body: item });
            }
        }
    }
}

/// The blocks of a JSON value: the outer levels are labels, the innermost ones are bodies.
fn json_blocks<'x>(
    value: JsonValue<'x>,
    count: usize,
    labels: &mut Vec<(Cow<'x, str>, Span)>,
    found: &mut Vec<Item<'x>>,
) -> Result<(), SerdeError> {
    let wrong = |code, note: &str| {
        let place = Place::new(value.document().shared_source(), value.start_span());
        Err(SerdeError::other(code, note.to_owned()).at(Some(place)))
    };
    match value.kind() {
        JsonKind::Array(array) => {
            array.elements().try_for_each(|element| json_blocks(element, count, labels, found))
        }
        JsonKind::Object(_) if labels.len() == count => {
            found.push(Item::JsonBody(labels.clone(), value));
            Ok(())
        }
        JsonKind::Object(_) => {
            let mut properties = value.properties().peekable();
            if properties.peek().is_none() {
                let note = "A label of the block is missing. It must be the property name of an object.";
                return wrong(Code::MissingLabel, note);
            }
            for property in properties {
                labels.push((property.name().value(), property.name_span()));
                json_blocks(property.value(), count, labels, found)?;
                labels.pop();
            }
            Ok(())
        }
        JsonKind::Null | JsonKind::Missing => Ok(()),
        _ => {
            wrong(Code::JsonBodyRequired, "Expected an object (the body of a block) or an array of objects.")
        }
    }
}
