//! Requests in which a name is spelled in two normal forms. These are two different names, but equal strings.

use std::collections::BTreeMap;

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::tokens::cut;
use hclkit_syntax::{Syntax, is_identifier};

/// The same letter in normalization form C, and as two characters.
const SPELLINGS: [&str; 2] = ["\u{e9}", "e\u{301}"];

/// How JSON may escape them.
const ESCAPED: [&str; 2] = ["\\u00e9", "e\\u0301"];

/// Words that are never respelled, because the text would be invalid.
const WORDS: &[&str] = &[
    "for",
    "in",
    "if",
    "else",
    "endif",
    "endfor",
    "null",
    "true",
    "false",
    "content",
    "for_each",
    "object",
    "name",
    "type",
    "block_type",
    "nested",
    "string",
    "number",
    "n",
    "u",
];

/// Renames a name that occurs in a request, with a different spelling in some places.
pub(super) fn respell(rng: &mut Rng, request: &mut Value) {
    let Some(name) = name_in(rng, request) else { return };
    let usual = rng.usize(..2);
    let mut spelling = |json: bool| {
        let at = if rng.u8(..4) == 0 { 1 - usual } else { usual };
        if json && rng.u8(..3) == 0 { ESCAPED[at] } else { SPELLINGS[at] }
    };
    let root_is_json = request["op"] == "json";
    let spec_is_json = is_json(&request["spec_name"]);
    if let Some(text) = request.get_mut("src") {
        replace(text, &name, || spelling(root_is_json));
    }
    if let Some(text) = request.get_mut("spec") {
        replace(text, &name, || spelling(spec_is_json));
    }
    for file in request.get_mut("files").and_then(Value::as_array_mut).into_iter().flatten() {
        let json = is_json(&file["name"]);
        if let Some(text) = file.get_mut("src") {
            replace(text, &name, || spelling(json));
        }
    }
    if let Some(vars) = request.get_mut("vars").and_then(Value::as_object_mut) {
        rename(vars, &name, spelling(false), rng.bool());
    }
}

fn is_json(name: &Value) -> bool {
    name.as_str().is_some_and(|name| Syntax::of(name) == Syntax::Json)
}

/// A name from the texts of a request, preferably one that occurs often.
fn name_in(rng: &mut Rng, request: &Value) -> Option<String> {
    let files = request["files"].as_array().into_iter().flatten().map(|file| &file["src"]);
    let texts: Vec<&str> =
        [&request["src"], &request["spec"]].into_iter().chain(files).filter_map(Value::as_str).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for word in texts.iter().flat_map(|text| cut(text)) {
        if is_identifier(word) && !WORDS.contains(&word) {
            *counts.entry(word).or_default() += 1;
        }
    }
    let names: Vec<&str> =
        counts.into_iter().flat_map(|(name, count)| std::iter::repeat_n(name, count.min(4))).collect();
    rng.choice(names).map(str::to_owned)
}

/// Replaces a name wherever it is a whole word.
fn replace<'s>(text: &mut Value, name: &str, mut spelling: impl FnMut() -> &'s str) {
    if let Value::String(text) = text {
        *text = cut(text).into_iter().map(|word| if word == name { spelling() } else { word }).collect();
    }
}

/// Renames a variable. If both spellings occur, they have different values.
fn rename(vars: &mut Map<String, Value>, name: &str, spelling: &str, both: bool) {
    let Some(value) = vars.remove(name) else { return };
    if both {
        for other in SPELLINGS {
            vars.insert(other.to_owned(), json!({ "string": "another" }));
        }
    }
    vars.insert(spelling.to_owned(), value);
}
