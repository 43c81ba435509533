//! The op `format`: text as the formatter writes it.

use hclkit_dialect::Dialect;
use hclkit_syntax::{Source, parse};
use hclkit_write::{Formatter, format_source};
use serde_json::{Map, Value};

use crate::{Answer, BadRequest, Op, Request};

pub(crate) const OPS: &[Op] = &[("format", format)];

fn format(request: &Request) -> Answer {
    let bytes = source(request)?;
    let formatter = match request.field("profile").and_then(Value::as_str) {
        None => Formatter::plain(),
        Some(name) => match Dialect::named(name) {
            Some(dialect) => Formatter::new(dialect),
            None => return Err(BadRequest::new(format!("unknown profile {name:?}"))),
        },
    };
    let document = parse(bytes.clone());
    let formatted = formatter.format(&document);
    let text = formatted.bytes();
    if format_source(&Source::new("", bytes)).bytes() != text {
        return Err(BadRequest::new("the text without its tree is formatted otherwise"));
    }
    let (name, out) = match request.field("hex") {
        Some(_) => ("hex", hex(&text)),
        None => ("out", String::from_utf8_lossy(&text).into_owned()),
    };
    Ok(Map::from_iter([(name.to_owned(), out.into())]))
}

/// The text of a request: `src`, or the bytes in `hex`, which need not be UTF-8.
fn source(request: &Request) -> Result<Vec<u8>, BadRequest> {
    if request.field("hex").is_none() {
        return Ok(request.text("src")?.into());
    }
    let digits = request.text("hex")?.as_bytes();
    let byte = |pair: &[u8]| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    };
    let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
    bytes.ok_or_else(|| BadRequest::new("hex is not made of hexadecimal digits"))
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
