//! What a document consists of: its items, its tokens and its tree.

use hclkit::Body;
use hclkit::limits::with_room;
use hclkit::model::BodyItem;
use hclkit::syntax::NodeId;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::document::Document;
use crate::expression::Expression;
use crate::limits::Limits;
use crate::place::{Places, Ranged};
use crate::{Answer, failure, write};

/// The attributes and blocks of a body, in source order. `Item` of `../../src/types.d.ts` describes them.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Item {
    Attribute(Attribute),
    Block(Block),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Attribute {
    name: String,
    range: Ranged,
    name_range: Ranged,
    expression_range: Ranged,
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Block {
    r#type: String,
    labels: Vec<String>,
    range: Ranged,
    definition_range: Ranged,
    label_ranges: Vec<Ranged>,
    items: Vec<Item>,
}

fn items(body: &Body, places: &mut Places) -> Vec<Item> {
    body.items().iter().map(|item| with_room(|| self::item(item, places))).collect()
}

fn item(item: &BodyItem, places: &mut Places) -> Item {
    match item {
        BodyItem::Attribute(one) => Item::Attribute(Attribute {
            name: one.name.as_str().to_owned(),
            range: places.range(&one.source, one.span),
            name_range: places.range(&one.source, one.name_span),
            expression_range: places.range(&one.source, one.expression.span()),
            text: one.expression.text().to_owned(),
        }),
        BodyItem::Block(one) => Item::Block(Block {
            r#type: one.block_type.as_str().to_owned(),
            labels: one.labels.iter().map(|label| label.as_str().to_owned()).collect(),
            range: places.range(&one.source, one.definition_span.cover(one.close_span)),
            definition_range: places.range(&one.source, one.definition_span),
            label_ranges: one.label_spans.iter().map(|&span| places.range(&one.source, span)).collect(),
            items: items(&one.body, places),
        }),
    }
}

/// The expression of the attribute with this number, counted as `items` lists them.
fn attribute_at(body: &Body, left: &mut usize) -> Option<hclkit::Expression> {
    body.items().into_iter().find_map(|item| match item {
        BodyItem::Block(block) => with_room(|| attribute_at(&block.body, left)),
        BodyItem::Attribute(attribute) if *left == 0 => Some(attribute.expression),
        BodyItem::Attribute(_) => {
            *left -= 1;
            None
        }
    })
}

impl Document {
    pub(crate) fn body(&self) -> Body {
        Body::of(&self.parsed)
    }
}

#[wasm_bindgen]
impl Document {
    /// The attributes and blocks, as JSON. If there are errors, those that could be read.
    pub fn items(&self) -> Answer<String> {
        Limits::default().run(|| write(&items(&self.body(), &mut Places::default())))
    }

    /// The expression of an attribute: that with this number, counted as `items` lists them.
    pub fn expression(&self, number: usize) -> Answer<Expression> {
        let mut left = number;
        let found = Limits::default().run(|| attribute_at(&self.body(), &mut left));
        found.map(|inner| Expression { inner }).ok_or_else(|| failure::plain("there is no such attribute"))
    }

    /// The tokens: the kind and the range of each, as JSON.
    pub fn tokens(&self) -> Answer<String> {
        let mut places = Places::default();
        let tokens = self.parsed.tokens();
        let one = |at: u32| {
            let token = tokens.get(at);
            (format!("{:?}", token.kind), places.range(self.parsed.shared_source(), token.span))
        };
        write(&(0..tokens.len() as u32).map(one).collect::<Vec<_>>())
    }

    /// The syntax tree: the kind, the range and the number of parts of each node, before its parts, as JSON.
    pub fn tree(&self) -> Answer<String> {
        let (tree, source) = (self.parsed.tree(), self.parsed.shared_source());
        let mut places = Places::default();
        let (mut nodes, mut open) = (Vec::new(), vec![NodeId::ROOT]);
        while let Some(id) = open.pop() {
            let mut parts: Vec<NodeId> = tree.children(id).collect();
            nodes.push((
                format!("{:?}", tree.kind(id)),
                places.range(source, self.parsed.span(id)),
                parts.len(),
            ));
            parts.reverse();
            open.append(&mut parts);
        }
        write(&nodes)
    }
}
