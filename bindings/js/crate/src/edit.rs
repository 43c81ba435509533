//! Edits, queries and renaming.

use std::collections::BTreeMap;

use hclkit::limits::Meter;
use hclkit::model::Partial;
use hclkit::orders::{Order, OrderError, edited, predicates, select};
use hclkit::refactor::{Names, Symbol, rename};
use hclkit::write::{EditError, NewValue, evaluate, raw};
use hclkit::{Expression, Source};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::document::{Document, parsed};
use crate::limits::Limits;
use crate::place::{Places, Ranged};
use crate::{Answer, failure, read, value, write};

/// An edit: its name, a path, and what else it needs.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum OrderJson {
    Set(String, NewJson),
    Add(String, String, NewJson),
    Remove(String),
    Append(String, String),
    Prepend(String, String),
    Before(String, String),
    After(String, String),
    Rename(String, String),
    Move(String, String),
}

/// A new value, whose objects keep their order: a value, source text, or a tuple or an object of these.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum NewJson {
    /// The number of a root of the values.
    Value(usize),
    Raw(String),
    Tuple(Vec<NewJson>),
    Object(Vec<(String, NewJson)>),
}

impl NewJson {
    fn new_value(self, values: &[hclkit::Value]) -> Answer<NewValue> {
        Ok(match self {
            Self::Value(at) => {
                let value = values.get(at).ok_or_else(|| failure::plain("a value is missing"))?;
                // Values share parts, and source text cannot.
                let bytes = usize::try_from(value.text_size()).unwrap_or(usize::MAX);
                Meter::current().take_bytes(bytes).map_err(failure::exceeded)?;
                value.clone().into()
            }
            Self::Raw(source) => raw(source),
            Self::Tuple(elements) => {
                let elements = elements.into_iter().map(|it| it.new_value(values));
                NewValue::tuple(elements.collect::<Answer<Vec<_>>>()?)
            }
            Self::Object(items) => {
                let items = items
                    .into_iter()
                    .map(|(name, it)| Ok((NewValue::from(name.as_str()), it.new_value(values)?)));
                NewValue::object(items.collect::<Answer<Vec<_>>>()?)
            }
        })
    }
}

impl OrderJson {
    fn order(self, values: &[hclkit::Value]) -> Answer<Order> {
        Ok(match self {
            Self::Set(path, new) => Order::Set(path, new.new_value(values)?),
            Self::Add(path, name, new) => Order::Add(path, name, new.new_value(values)?),
            Self::Remove(path) => Order::Remove(path),
            Self::Append(path, source) => Order::Append(path, source),
            Self::Prepend(path, source) => Order::Prepend(path, source),
            Self::Before(path, source) => Order::Before(path, source),
            Self::After(path, source) => Order::After(path, source),
            Self::Rename(path, name) => Order::Rename(path, name),
            Self::Move(path, to) => Order::Move(path, to),
        })
    }
}

fn of_order(error: OrderError) -> wasm_bindgen::JsValue {
    match error {
        OrderError::Predicate(found) => failure::of(&found),
        OrderError::Edit(_, EditError::Exceeded(limit)) => failure::exceeded(limit),
        other => failure::plain(other),
    }
}

#[derive(Serialize)]
struct Match {
    address: String,
    text: String,
    range: Ranged,
    /// Whether it is an expression.
    expression: bool,
}

/// How many bytes of text are made where callers set no limit.
const MOST_TEXT: u64 = 64 << 20;

/// Runs work that makes text, of at most 64 MiB.
fn writing<T>(work: impl FnOnce() -> T) -> T {
    Limits::of_bytes(MOST_TEXT).run(work)
}

#[wasm_bindgen]
impl Document {
    /// Makes all edits, or none. Returns the new document.
    pub fn edited(&self, orders: &str, values: &str) -> Answer<Document> {
        let orders: Vec<OrderJson> = read(orders)?;
        let values = value::values(values)?;
        if self.parsed.has_errors() {
            return Err(failure::of(self.parsed.diagnostics()));
        }
        writing(|| {
            let orders = orders.into_iter().map(|order| order.order(&values)).collect::<Answer<Vec<_>>>()?;
            let parsed = edited(&self.parsed, &orders).map_err(of_order)?;
            Ok(Self { parsed })
        })
    }

    /// The parts that a path selects, as JSON.
    pub fn select(&self, path: &str) -> Answer<String> {
        writing(|| {
            let mut places = Places::default();
            let found = select(&self.parsed, path).map_err(of_order)?;
            let matches = found.iter().map(|found| {
                // Matches can contain each other.
                let bytes = found.address().len() + found.text().len();
                Meter::current().take_bytes(bytes).map_err(failure::exceeded)?;
                Ok(Match {
                    address: found.address().to_owned(),
                    text: found.text().to_owned(),
                    range: places.range(self.parsed.shared_source(), found.span()),
                    expression: found.expression().is_some(),
                })
            });
            write(&matches.collect::<Answer<Vec<_>>>()?)
        })
    }

    /// Evaluates an expression whose variables are the contents of the document. Returns the value.
    pub fn query(&self, expression: &str, limits: &str) -> Answer<String> {
        let limits: Limits = read(limits)?;
        limits.run(|| {
            let expression = Expression::parse(expression).map_err(|found| failure::of(&found))?;
            let found = evaluate(&self.parsed, &expression, &predicates());
            match found.map_err(|found| failure::of(&found))? {
                Partial::Value(value) => value::written([&value]),
                Partial::Rest(rest) => value::written([&rest.value]),
            }
        })
    }
}

/// Renames a name in files that belong together. Returns the new text of the files that change, as JSON.
#[wasm_bindgen]
pub fn rename_in(files: &str, address: &str, name: &str, moved: bool) -> Answer<String> {
    let files: BTreeMap<String, String> = read(files)?;
    let symbol: Symbol = address.parse().map_err(failure::plain)?;
    writing(|| {
        let mut documents = Vec::with_capacity(files.len());
        for (name, text) in files {
            let document = parsed(Source::new(name, text));
            if document.has_errors() {
                return Err(failure::of(document.diagnostics()));
            }
            documents.push(document);
        }
        let names: Vec<Names> = documents.iter().map(Names::of).collect();
        let renamed = rename(&names, &symbol, name, moved).map_err(failure::plain)?;
        let changed = documents.iter().zip(renamed).filter_map(|(before, after)| {
            Some((before.source().name().to_owned(), after?.source().text().to_owned()))
        });
        write(&changed.collect::<BTreeMap<_, _>>())
    })
}
