//! Objects of classes as source text: attributes, which are values and never templates, and blocks, all in their order.

use hclkit::convert::Json;
use hclkit::limits::with_room;
use hclkit::write::{NewBody, NewValue, raw};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::data::Reader;
use crate::limits::Limits;
use crate::parts::MAX_DEPTH;
use crate::{error, run};

/// Writes a body. Its items are attributes, `(name, value)`, and blocks, `(type, labels, items)`.
#[pyfunction]
#[pyo3(signature = (items, limits=None))]
pub(crate) fn write_items(
    py: Python<'_>,
    items: &Bound<'_, PyList>,
    limits: Option<PyRef<'_, Limits>>,
) -> PyResult<String> {
    let limits = limits.as_deref();
    let (body, values) = run::converting(limits, || {
        let mut reader = Reader::new(limits);
        let body = body(&mut reader, items, 0, false)?;
        Ok::<_, PyErr>((body, reader.written.turns.parts()))
    })?;
    let written = run::sized(py, limits, values, move || body.source().map_err(|why| why.to_string()))?;
    written.map_err(error::plain)
}

fn body<'py>(
    reader: &mut Reader<'py>,
    items: &Bound<'py, PyList>,
    depth: u32,
    again: bool,
) -> PyResult<NewBody> {
    if depth > MAX_DEPTH {
        return Err(error::plain("the data is nested too deeply, or contains itself"));
    }
    let again = reader.written.is_again(items, again);
    let mut body = NewBody::new();
    for item in items {
        if let Ok((name, value)) = item.extract::<(String, Bound<'py, PyAny>)>() {
            reader.take(name.len())?;
            let value = value_of(reader.json(&value, 0, again)?);
            body = body.attribute(name, value);
            continue;
        }
        let (name, labels, inner): (String, Vec<Bound<'py, PyString>>, Bound<'py, PyList>) =
            item.extract()?;
        reader.written.take(items.py(), name.len(), again)?;
        let mut texts = Vec::with_capacity(labels.len());
        for label in labels {
            let text = label.to_str()?;
            reader.written.text(&label, text, again)?;
            reader.take(text.len())?;
            texts.push(text.to_owned());
        }
        let inner = with_room(|| self::body(reader, &inner, depth + 1, again))?;
        body = body.with_block(name, texts, inner);
    }
    Ok(body)
}

/// Data as a value to write, whose strings are themselves and whose numbers keep their digits.
fn value_of(json: Json) -> NewValue {
    match json {
        Json::Null => hclkit::Value::NULL.into(),
        Json::Bool(flag) => flag.into(),
        Json::Number(digits) => raw(digits),
        Json::String(text) => text.into(),
        Json::Array(elements) => {
            NewValue::tuple(elements.into_iter().map(|it| with_room(|| value_of(it))).collect::<Vec<_>>())
        }
        Json::Object(items) => {
            let items =
                items.into_iter().map(|(name, it)| (NewValue::from(name), with_room(|| value_of(it))));
            NewValue::object(items.collect::<Vec<_>>())
        }
    }
}
