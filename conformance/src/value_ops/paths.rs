//! The operations of `value-op` on paths, and on numbers that are not from text.

use hclkit_value::{Error, Mark, Path, Step, Value};
use serde_json::{Map, Value as Json, json};

use crate::value_json::{read_number, read_value, value_json};
use crate::{BadRequest, Request};

pub(super) fn read(request: &Request) -> Result<Path, BadRequest> {
    let mut path = Path::new();
    for step in request.required("path")?.as_array().into_iter().flatten() {
        path = match step.get("attr").and_then(Json::as_str) {
            Some(name) => path.attribute(name),
            None => path.index(read_value(&step["index"])?),
        };
    }
    Ok(path)
}

fn path_json(steps: &[Step]) -> Json {
    let step = |step: &Step| match step {
        Step::Attribute(name) => json!({ "attr": name.as_str() }),
        Step::Index(key) => json!({ "index": value_json(key) }),
    };
    steps.iter().map(step).collect()
}

pub(super) fn walked(value: &Value) -> Map<String, Json> {
    let mut paths = Vec::new();
    value.walk(&mut |path, _| {
        paths.push(path_json(path));
        true
    });
    Map::from_iter([("paths".to_owned(), paths.into())])
}

pub(super) fn marked(value: &Value) -> Map<String, Json> {
    let (bare, found) = value.unmark_deep_with_paths();
    let mut list: Vec<Json> = found
        .iter()
        .map(|(path, marks)| {
            let names: Vec<_> = marks.iter().map(Mark::name).collect();
            json!({ "path": path_json(path.steps()), "marks": names })
        })
        .collect();
    list.sort_by_cached_key(Json::to_string);
    let again = bare.mark_paths(&found) == *value;
    Map::from_iter([("marked".to_owned(), list.into()), ("again".to_owned(), again.into())])
}

/// Operations between numbers, from left to right; the outer error is that of the request.
pub(super) fn computed(request: &Request) -> Result<Result<Value, Error>, BadRequest> {
    let mut numbers = Vec::new();
    for pair in request.required("numbers")?.as_array().into_iter().flatten() {
        numbers.push(Value::from(read_number(&pair[1], pair[0].as_str())?));
    }
    let mut operands = numbers.into_iter();
    let first = operands.next().ok_or_else(|| BadRequest::new("no number"))?;
    let names = request.required("operations")?.as_array().into_iter().flatten();
    let mut result = Ok(first);
    for (name, b) in names.zip(operands) {
        let Ok(a) = &result else { break };
        result = match name.as_str().unwrap_or_default() {
            "add" => a.add(&b),
            "subtract" => a.subtract(&b),
            "multiply" => a.multiply(&b),
            "divide" => a.divide(&b),
            "modulo" => a.modulo(&b),
            "less" => a.less_than(&b),
            "equals" => Ok(a.equals(&b)),
            "identical" => Ok(Value::from(*a == b)),
            _ => return Err(BadRequest::new(format!("unknown operation {name}"))),
        };
    }
    Ok(result)
}
