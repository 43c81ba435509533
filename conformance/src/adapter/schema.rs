//! The schemas of the suite: what is read from a body, how it is analyzed without evaluation, and the values of the
//! rest.

use hclkit_model::{
    AttributeSchema, Block, BlockSchema, Body, Context, Diagnostics, Expression, Schema, Target, Traversal,
    TypeConstraint, constraint_of, type_of,
};
use hclkit_value::Type;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::value;

/// A schema, or what to do with the rest of a body.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    mode: Mode,
    #[serde(default)]
    attributes: Vec<WantedAttribute>,
    #[serde(default)]
    blocks: Vec<WantedBlocks>,
    remain: Option<Box<Self>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Mode {
    Exhaustive,
    Partial,
    DynamicAttributes,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WantedAttribute {
    name: String,
    #[serde(default)]
    required: bool,
    analysis: Option<Analysis>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WantedBlocks {
    #[serde(rename = "type")]
    block_type: String,
    #[serde(default)]
    labels: Vec<String>,
    body: Wanted,
}

/// How an expression is analyzed.
#[derive(Clone, Default, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Analysis {
    StaticList {
        #[serde(default)]
        elements: Box<Self>,
    },
    StaticMap {
        #[serde(default)]
        keys: Box<Self>,
        #[serde(default)]
        values: Box<Self>,
    },
    StaticCall {
        #[serde(default)]
        arguments: Box<Self>,
    },
    StaticTraversal,
    Type,
    TypeConstraint,
    TypeConstraintWithDefaults,
    #[default]
    Value,
}

/// The result of reading a body: one result for each attribute, the blocks, and the result for the rest.
pub(super) struct Selected<A> {
    attributes: Vec<(String, A)>,
    blocks: Vec<(String, Vec<String>, Self)>,
    remain: Option<Box<Self>>,
}

/// The selected expressions, and how to analyze each.
type Chosen = Selected<(Expression, Analysis)>;

/// The result of an analysis. Values are not evaluated yet.
pub(super) enum Found {
    List(Vec<Self>),
    Map(Vec<(Self, Self)>),
    Call(String, Vec<Self>),
    Traversal(Traversal),
    Type(Type),
    Value(Expression),
}

impl Wanted {
    fn schema(&self) -> Schema {
        let mut schema = Schema::new();
        for attribute in &self.attributes {
            let name = attribute.name.as_str().into();
            let required =
                attribute.required || schema.attribute(&attribute.name).is_some_and(|known| known.required);
            schema.add_attribute(AttributeSchema { name, required });
        }
        for block in &self.blocks {
            let label_names = block.labels.iter().map(Into::into).collect();
            let block_type = block.block_type.as_str().into();
            schema.add_block(BlockSchema { block_type, label_names, optional: None });
        }
        schema
    }

    pub(super) fn select(&self, body: &Body, diagnostics: &mut Diagnostics) -> Chosen {
        let (content, rest) = match self.mode {
            Mode::Exhaustive => (diagnostics.absorb(body.content(&self.schema())), None),
            Mode::Partial => {
                let (content, rest) = diagnostics.absorb(body.partial_content(&self.schema()));
                (content, Some(rest))
            }
            Mode::DynamicAttributes => {
                let found = diagnostics.absorb(body.attributes()).into_iter();
                let attributes =
                    found.map(|found| (found.name.to_string(), (found.expression, Analysis::Value)));
                return Selected { attributes: attributes.collect(), blocks: Vec::new(), remain: None };
            }
        };
        let attribute = |wanted: &WantedAttribute| {
            let found = content.attributes.get(&wanted.name)?;
            let analysis = wanted.analysis.clone().unwrap_or_default();
            Some((wanted.name.clone(), (found.expression.clone(), analysis)))
        };
        let attributes = self.attributes.iter().filter_map(attribute).collect();
        let blocks =
            content.blocks.iter().filter_map(|block| self.select_block(block, diagnostics)).collect();
        let remain = self.remain.as_ref().zip(rest);
        let remain = remain.map(|(wanted, rest)| Box::new(wanted.select(&rest, diagnostics)));
        Selected { attributes, blocks, remain }
    }

    fn select_block(
        &self,
        block: &Block,
        diagnostics: &mut Diagnostics,
    ) -> Option<(String, Vec<String>, Chosen)> {
        let wanted = self.blocks.iter().rev().find(|wanted| *wanted.block_type == *block.block_type)?;
        let labels = block.labels.iter().map(ToString::to_string).collect();
        Some((block.block_type.to_string(), labels, wanted.body.select(&block.body, diagnostics)))
    }
}

impl<A> Selected<A> {
    fn map<B>(self, each: &mut impl FnMut(A) -> B) -> Selected<B> {
        let attributes = self.attributes.into_iter().map(|(name, found)| (name, each(found))).collect();
        let blocks = self.blocks.into_iter();
        let blocks = blocks.map(|(block_type, labels, body)| (block_type, labels, body.map(each))).collect();
        let remain = self.remain.map(|remain| Box::new(remain.map(each)));
        Selected { attributes, blocks, remain }
    }
}

impl Chosen {
    pub(super) fn analysed(self, diagnostics: &mut Diagnostics) -> Selected<Found> {
        self.map(&mut |(expression, analysis)| {
            analysis.apply(&expression).unwrap_or_else(|found| {
                diagnostics.extend(found);
                Found::Value(expression)
            })
        })
    }
}

impl Selected<Found> {
    pub(super) fn evaluated(self, context: &Context, diagnostics: &mut Diagnostics) -> Json {
        self.map(&mut |found| found.evaluated(context, diagnostics)).json()
    }
}

impl Selected<Json> {
    fn json(self) -> Json {
        let attributes: Map<String, Json> = self.attributes.into_iter().collect();
        let block = |(block_type, labels, body): (String, Vec<String>, Self)| json!({ "type": block_type, "labels": labels, "body": body.json() });
        let blocks: Vec<Json> = self.blocks.into_iter().map(block).collect();
        let mut body = json!({ "attributes": attributes, "blocks": blocks });
        if let Some(remain) = self.remain {
            body["remain"] = remain.json();
        }
        body
    }
}

impl Analysis {
    fn apply(&self, expression: &Expression) -> Result<Found, Diagnostics> {
        let all = |analysis: &Self, expressions: &[Expression]| {
            expressions.iter().map(|expression| analysis.apply(expression)).collect::<Result<Vec<_>, _>>()
        };
        Ok(match self {
            Self::StaticList { elements } => Found::List(all(elements, &expression.static_list()?)?),
            Self::StaticMap { keys, values } => {
                let items = expression.static_map()?;
                let item =
                    |(key, value): &(Expression, Expression)| Ok((keys.apply(key)?, values.apply(value)?));
                Found::Map(items.iter().map(item).collect::<Result<_, Diagnostics>>()?)
            }
            Self::StaticCall { arguments } => {
                let call = expression.static_call()?;
                Found::Call(call.name, all(arguments, &call.arguments)?)
            }
            Self::StaticTraversal => Found::Traversal(expression.static_traversal()?),
            Self::Type => Found::Type(type_of(expression)?),
            Self::TypeConstraint => Found::Type(constraint_of(expression)?),
            Self::TypeConstraintWithDefaults => Found::Type(TypeConstraint::of(expression)?.ty),
            Self::Value => Found::Value(expression.clone()),
        })
    }
}

impl Found {
    fn evaluated(self, context: &Context, diagnostics: &mut Diagnostics) -> Json {
        match self {
            Self::List(items) => {
                let items = items.into_iter().map(|item| item.evaluated(context, diagnostics));
                json!({ "static_list": items.collect::<Vec<_>>() })
            }
            Self::Map(items) => {
                let items = items.into_iter().map(|(key, value)| {
                    json!({ "key": key.evaluated(context, diagnostics), "value": value.evaluated(context, diagnostics) })
                });
                json!({ "static_map": items.collect::<Vec<_>>() })
            }
            Self::Call(name, arguments) => {
                let arguments =
                    arguments.into_iter().map(|argument| argument.evaluated(context, diagnostics));
                json!({ "static_call": { "name": name, "arguments": arguments.collect::<Vec<_>>() } })
            }
            Self::Traversal(traversal) => {
                let steps = traversal.steps.iter().map(|step| match &step.target {
                    Target::Attribute(name) => json!({ "attr": name.as_str() }),
                    Target::Element(key) => json!({ "index": value::to_json(key) }),
                });
                let root = json!({ "root": traversal.root.as_str() });
                json!({ "static_traversal": std::iter::once(root).chain(steps).collect::<Vec<_>>() })
            }
            Self::Type(ty) => json!({ "type": value::type_json(&ty) }),
            Self::Value(expression) => {
                value::to_json(&diagnostics.absorb(expression.evaluate_lenient(context)))
            }
        }
    }
}
