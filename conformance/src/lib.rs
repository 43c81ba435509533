//! The Rust side of the conformance protocol (`protocol.md`): a request, which is one line of JSON, gets one answer.
//! The module of each group implements its ops with the public API of the hclkit crates. No request may crash the
//! probe.

pub mod adapter;
mod decode_ops;
mod eval_ops;
mod format_ops;
mod json_ops;
mod place;
mod request;
mod shape;
mod syntax_ops;
pub mod value_json;
mod value_ops;

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value, json};

pub use request::{BadRequest, Request};

/// What an op returns: the fields of its answer, without the id.
pub type Answer = Result<Map<String, Value>, BadRequest>;

/// An op with its name.
pub type Op = (&'static str, fn(&Request) -> Answer);

/// Every group of ops. A new group is one module and one line here.
const GROUPS: &[&[Op]] = &[
    syntax_ops::OPS,
    shape::OPS,
    value_ops::OPS,
    eval_ops::OPS,
    decode_ops::OPS,
    json_ops::OPS,
    format_ops::OPS,
];

/// The names of the ops that this probe supports.
pub fn ops() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().copied().flatten().map(|(name, _)| *name)
}

/// Answers one request. Returns the answer, one line without its newline.
pub fn answer(line: &str) -> String {
    let request = match Request::read(line) {
        Ok(request) => request,
        Err(bad) => return json!({ "id": null, "bad_request": bad.to_string() }).to_string(),
    };
    let reply = catch_unwind(AssertUnwindSafe(|| dispatch(&request)));
    let mut fields = match reply {
        Ok(Ok(fields)) => fields,
        Ok(Err(bad)) => Map::from_iter([("bad_request".to_owned(), bad.to_string().into())]),
        Err(panic) => Map::from_iter([("panic".to_owned(), panic_text(&*panic).into())]),
    };
    fields.insert("id".to_owned(), request.id());
    Value::Object(fields).to_string()
}

fn dispatch(request: &Request) -> Answer {
    let name = request.text("op")?;
    match GROUPS.iter().copied().flatten().find(|(known, _)| *known == name) {
        Some((_, op)) => op(request),
        None => Err(BadRequest::new(format!("unknown op {name:?}"))),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".to_owned())
}
