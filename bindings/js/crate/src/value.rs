//! Values as JSON in which each part is written once, after its own parts: `{"nodes":[…],"roots":[…]}`. A node is a string, a
//! number, a bool or null; or an array that begins with its kind:
//!
//! | node | value |
//! | --- | --- |
//! | `["s", id, …]` | a list or tuple |
//! | `["e", id, …]` | a set |
//! | `["o", name, id, …]` | a map or object |
//! | `["n", digits]` | a number that a double cannot hold |
//! | `["u", type, refinements]` | an unknown value |
//! | `["m", id, [mark, …]]` | a value with marks |
//!
//! Values share parts, and can contain one exponentially many times. `../../src/values.js` does the same for JavaScript.

use std::collections::HashMap;
use std::rc::Rc;

use hclkit::limits::{Exceeded, Meter, with_room};
use hclkit::model::constraint_of;
use hclkit::value::{Kind, Mark, Marks, Number, unify};
use hclkit::{Expression, Type, Value};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::{Answer, failure, read, write};

/// How deeply values of JavaScript can be nested.
const MOST_LEVELS: usize = 300;

/// Texts up to this length are written wherever they occur.
const SHORT: usize = 64;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    nodes: Vec<Json>,
    roots: Vec<usize>,
}

/// What is known of an unknown value.
#[derive(Serialize, Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Known {
    not_null: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    prefix: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<String>,
    #[serde(skip_serializing_if = "is_zero")]
    min_length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_length: Option<u64>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_zero(length: &u64) -> bool {
    *length == 0
}

/// Writes values within the limits of the current run.
pub(crate) fn written<'v>(values: impl IntoIterator<Item = &'v Value>) -> Answer<String> {
    let mut writer =
        Writer { nodes: Vec::new(), shared: HashMap::new(), texts: HashMap::new(), meter: Meter::current() };
    let roots = values.into_iter().map(|value| writer.value(value)).collect::<Result<_, _>>();
    let roots = roots.map_err(|why| match why {
        Refused::Limit(limit) => failure::exceeded(limit),
        Refused::Capsule => failure::plain("the value holds something that only the application knows"),
    })?;
    write(&Table { nodes: writer.nodes, roots })
}

enum Refused {
    Limit(Exceeded),
    Capsule,
}

impl From<Exceeded> for Refused {
    fn from(limit: Exceeded) -> Self {
        Self::Limit(limit)
    }
}

struct Writer {
    nodes: Vec<Json>,
    /// The nodes of shared parts by their addresses, which stay the same as long as the values live.
    shared: HashMap<*const (), usize>,
    /// Those of long texts.
    texts: HashMap<*const u8, usize>,
    meter: Rc<Meter>,
}

impl Writer {
    fn push(&mut self, node: Json) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn value(&mut self, value: &Value) -> Result<usize, Refused> {
        let place = value.shared_place();
        if let Some(&found) = place.and_then(|place| self.shared.get(&place)) {
            return Ok(found);
        }
        self.meter.take_elements(1)?;
        let written = self.unshared(value)?;
        if let Some(place) = place {
            self.shared.insert(place, written);
        }
        Ok(written)
    }

    fn unshared(&mut self, value: &Value) -> Result<usize, Refused> {
        let node = match value.kind() {
            Kind::Null(_) => Json::Null,
            Kind::Bool(flag) => flag.into(),
            Kind::Number(number) => self.number(number)?,
            Kind::String(text) => return self.text(text),
            Kind::List(_) | Kind::Tuple(_) => self.sequence("s", value)?,
            Kind::Set(_) => self.sequence("e", value)?,
            Kind::Map(_) | Kind::Object(_) => {
                let mut node = vec!["o".into()];
                for (name, element) in value.entries().into_iter().flatten() {
                    self.meter.take_bytes(name.len())?;
                    node.push(name.as_str().into());
                    node.push(with_room(|| self.value(element))?.into());
                }
                Json::Array(node)
            }
            Kind::Unknown(ty, known) => {
                let number = |bound: Option<&hclkit::value::Bound>| bound.map(|it| it.number.to_string());
                let known = Known {
                    not_null: known.is_not_null(),
                    prefix: known.prefix().to_owned(),
                    min: number(known.min()),
                    max: number(known.max()),
                    min_length: known.min_len(),
                    max_length: known.max_len(),
                };
                json!(["u", type_text(&ty)?, known])
            }
            Kind::Marked(marks, inner) => {
                let inner = with_room(|| self.value(inner))?;
                json!(["m", inner, marks.names()])
            }
            Kind::Capsule(_) => return Err(Refused::Capsule),
        };
        Ok(self.push(node))
    }

    fn sequence(&mut self, kind: &str, value: &Value) -> Result<Json, Refused> {
        let mut node = vec![kind.into()];
        for element in value.parts() {
            node.push(with_room(|| self.value(element))?.into());
        }
        Ok(Json::Array(node))
    }

    fn number(&mut self, number: &Number) -> Result<Json, Exceeded> {
        /// Whole numbers up to this one are doubles without a gap.
        const SAFE: i64 = (1 << 53) - 1;
        if let Some(small) = number.to_i64().filter(|it| (-SAFE..=SAFE).contains(it)) {
            return Ok(small.into());
        }
        let digits = number.to_string();
        self.meter.take_bytes(digits.len())?;
        let double: Option<f64> = digits.parse().ok().filter(|it: &f64| it.is_finite());
        match double.filter(|it| it.to_string().parse() == Ok(number.clone())) {
            Some(double) if !number.is_integer() => Ok(double.into()),
            _ => Ok(json!(["n", digits])),
        }
    }

    /// A text. A long one is written once, because many parts may share it.
    fn text(&mut self, text: &str) -> Result<usize, Refused> {
        if let Some(&found) = self.texts.get(&text.as_ptr()).filter(|_| text.len() > SHORT) {
            return Ok(found);
        }
        self.meter.take_bytes(text.len())?;
        let node = self.push(text.into());
        if text.len() > SHORT {
            self.texts.insert(text.as_ptr(), node);
        }
        Ok(node)
    }
}

/// A type as source. Types share parts, too.
fn type_text(ty: &Type) -> Result<String, Exceeded> {
    Meter::current().take_bytes(usize::try_from(ty.text_size()).unwrap_or(usize::MAX))?;
    Ok(ty.to_string())
}

/// The source of a value's type.
pub(crate) fn type_of(value: &Value) -> Answer<String> {
    type_text(&value.ty()).map_err(failure::exceeded)
}

/// Reads values, which our JavaScript writes.
pub(crate) fn values(json: &str) -> Answer<Vec<Value>> {
    let table: Table = read(json)?;
    let mut nodes: Vec<Value> = Vec::with_capacity(table.nodes.len());
    for node in &table.nodes {
        let value = of_node(node, &nodes)?;
        if value.depth() > MOST_LEVELS {
            return Err(failure::plain("the value is nested too deeply"));
        }
        nodes.push(value);
    }
    table.roots.iter().map(|&at| part(&nodes, at)).collect()
}

/// Reads one value.
pub(crate) fn value(json: &str) -> Answer<Value> {
    values(json)?.pop().ok_or_else(|| failure::plain("a value is missing"))
}

/// Reads the names and values of an object.
pub(crate) fn variables(json: &str) -> Answer<Vec<(String, Value)>> {
    let object = value(json)?;
    let entries = object.entries().into_iter().flatten();
    Ok(entries.map(|(name, value)| (name.as_str().to_owned(), value.clone())).collect())
}

fn part(nodes: &[Value], at: usize) -> Answer<Value> {
    nodes.get(at).cloned().ok_or_else(|| failure::plain("a part of a value is missing"))
}

fn of_node(node: &Json, nodes: &[Value]) -> Answer<Value> {
    Ok(match node {
        Json::Null => Value::NULL,
        Json::Bool(flag) => (*flag).into(),
        Json::String(text) => text.as_str().into(),
        Json::Number(number) => digits(&number.as_f64().unwrap_or_default().to_string())?.into(),
        Json::Array(node) => return of_parts(node, nodes),
        Json::Object(_) => return Err(failure::plain("this is not a part of a value")),
    })
}

/// A number with at most as many digits as HCL holds.
fn digits(text: &str) -> Answer<Number> {
    // Numbers have 512 bits.
    const MOST: usize = 5_000;
    match text {
        "Infinity" => return Ok(Number::infinity()),
        "-Infinity" => return Ok(Number::neg_infinity()),
        _ => {}
    }
    let number: Number =
        text.get(..MOST.min(text.len())).unwrap_or_default().parse().map_err(failure::plain)?;
    let is_same = text.len() <= MOST && (text.contains(['e', 'E', '.']) || number.to_string() == text);
    if is_same {
        Ok(number)
    } else {
        Err(failure::plain("the number has more digits than an HCL number can hold"))
    }
}

fn of_parts(node: &[Json], nodes: &[Value]) -> Answer<Value> {
    let wrong = || failure::plain("this is not a part of a value");
    let at = |json: &Json| {
        let index = json.as_u64().and_then(|it| usize::try_from(it).ok()).ok_or_else(wrong)?;
        part(nodes, index)
    };
    let text = |json: &Json| json.as_str().map(str::to_owned).ok_or_else(wrong);
    let (kind, parts) = node.split_first().ok_or_else(wrong)?;
    Ok(match (kind.as_str().ok_or_else(wrong)?, parts) {
        ("s", parts) => Value::tuple(parts.iter().map(at).collect::<Answer<Vec<_>>>()?),
        ("e", parts) => set(parts.iter().map(at).collect::<Answer<_>>()?)?,
        ("o", parts) => {
            let pairs = parts.chunks_exact(2).map(|pair| Ok((text(&pair[0])?, at(&pair[1])?)));
            Value::object(pairs.collect::<Answer<Vec<_>>>()?)
        }
        ("n", [number]) => digits(&text(number)?)?.into(),
        ("u", [ty, known]) => {
            unknown(&text(ty)?, serde_json::from_value(known.clone()).map_err(failure::plain)?)?
        }
        ("m", [inner, marks]) => {
            let names = marks.as_array().ok_or_else(wrong)?.iter().map(text).collect::<Answer<Vec<_>>>()?;
            let mark = |name: String| if name == "sensitive" { Mark::sensitive() } else { Mark::new(name) };
            at(inner)?.with_marks(&names.into_iter().map(mark).collect::<Marks>())
        }
        _ => return Err(wrong()),
    })
}

fn set(elements: Vec<Value>) -> Answer<Value> {
    let types: Vec<_> = elements.iter().map(Value::ty).collect();
    let element = if types.is_empty() {
        Type::Dynamic
    } else {
        unify(&types).ok_or_else(|| failure::plain("the elements of a set must have one type"))?
    };
    Value::tuple(elements).convert(&Type::set(element)).map_err(failure::plain)
}

/// Reads a type expression such as `list(string)`.
pub(crate) fn ty(text: &str) -> Answer<Type> {
    let parsed = Expression::parse(text).and_then(|expression| constraint_of(&expression));
    parsed.map_err(|found| failure::of(&found))
}

fn unknown(ty: &str, known: Known) -> Answer<Value> {
    let mut refined = Value::unknown(self::ty(ty)?).refine();
    if known.not_null {
        refined = refined.with_not_null();
    }
    if !known.prefix.is_empty() {
        refined = refined.with_full_prefix(known.prefix);
    }
    if let Some(min) = known.min {
        refined = refined.with_min(digits(&min)?);
    }
    if let Some(max) = known.max {
        refined = refined.with_max(digits(&max)?);
    }
    if known.min_length > 0 {
        refined = refined.with_min_len(known.min_length);
    }
    if let Some(length) = known.max_length {
        refined = refined.with_max_len(length);
    }
    refined.finish().map_err(failure::plain)
}
