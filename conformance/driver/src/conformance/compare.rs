//! Compares two answers to one request, independently of the op: an answer is a rejection if it contains an error
//! anywhere, and everything is compared except the wording of diagnostics.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

/// The outcome of a request that both answered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Outcome {
    /// The answers are equal.
    Equal,
    /// The answers differ, and a deviation explains it.
    Listed,
    /// The reference crashed or rejected the request, and ours gave an answer.
    NoReference,
    /// Both reject, and the first error is at the same place, but not all of them are.
    Ranges,
    /// Both reject, but the first errors are at different places.
    First,
    /// Both accept, but the values differ.
    Value,
    /// Only one of them accepts.
    Verdict,
    /// Ours crashed, hung or does not know the op.
    Failed,
}

impl Outcome {
    /// All of them, in the order of the report's columns.
    pub(crate) const ALL: [Self; 8] = [
        Self::Equal,
        Self::Listed,
        Self::NoReference,
        Self::Ranges,
        Self::First,
        Self::Value,
        Self::Verdict,
        Self::Failed,
    ];

    /// Returns true if it makes a run fail.
    pub(crate) fn is_wrong(self) -> bool {
        matches!(self, Self::Value | Self::Verdict | Self::Failed)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Equal => "equal",
            Self::Listed => "listed",
            Self::NoReference => "no reference",
            Self::Ranges => "ranges",
            Self::First => "first range",
            Self::Value => "value",
            Self::Verdict => "verdict",
            Self::Failed => "failed",
        })
    }
}

/// Compares two answers without their ids.
pub(crate) fn compare(reference: &Value, ours: &Value) -> Outcome {
    match (failed(reference), failed(ours)) {
        (_, true) => return Outcome::Failed,
        (true, false) => return Outcome::NoReference,
        (false, false) => {}
    }
    match (rejected(reference), rejected(ours)) {
        (false, false) if same(reference, ours) => Outcome::Equal,
        (false, false) => Outcome::Value,
        (true, true) => {
            let (theirs, ours) = (errors(reference), errors(ours));
            if same_places(&theirs, &ours) {
                Outcome::Equal
            } else if theirs.keys().next() == ours.keys().next() {
                Outcome::Ranges
            } else {
                Outcome::First
            }
        }
        _ => Outcome::Verdict,
    }
}

/// Returns true if the answer has places of errors.
pub(crate) fn has_places(answer: &Value) -> bool {
    !errors(answer).is_empty()
}

/// Returns true if each place at which the reference has an error is also one of ours.
pub(crate) fn covered(reference: &Value, ours: &Value) -> bool {
    let ours = errors(ours);
    errors(reference).keys().all(|place| ours.contains_key(place))
}

/// Returns true if the probe could not answer.
pub(crate) fn failed(answer: &Value) -> bool {
    ["panic", "bad_request", "died", "hung", "not_json"].iter().any(|key| answer.get(key).is_some())
}

/// Returns true if the answer contains an error.
pub(crate) fn rejected(answer: &Value) -> bool {
    let says = |key: &str, value: bool| answer.get(key).and_then(Value::as_bool) == Some(value);
    says("ok", false) || says("error", true) || says("none", true) || !errors(answer).is_empty()
}

/// The first difference on each side: the summary of the first error at a place where the other side has none.
/// Differences are grouped by it.
pub(crate) fn parting(reference: &Value, ours: &Value) -> (String, String) {
    if failed(reference) || failed(ours) || rejected(reference) != rejected(ours) {
        return (summary(reference), summary(ours));
    }
    if !rejected(reference) {
        return first_difference(reference, ours).unwrap_or_default();
    }
    let (theirs, our) = (errors(reference), errors(ours));
    let prefix = if theirs.keys().next() == our.keys().next() { "then " } else { "" };
    let said = |errors: &Errors, other: &Errors| {
        let count = |errors: &Errors, place| errors.get(place).map_or(0, |(_, count)| *count);
        let missing = errors.iter().find(|(place, _)| !other.contains_key(place));
        let rarer = || errors.iter().find(|(place, (_, times))| count(other, place) < *times);
        missing.or_else(rarer).map_or("nothing", |(_, (summary, _))| summary).to_owned()
    };
    (format!("{prefix}{}", said(&theirs, &our)), said(&our, &theirs))
}

/// The fields in which two answers differ.
fn first_difference(a: &Value, b: &Value) -> Option<(String, String)> {
    let told = |name: &str| !["summary", "detail", "message"].contains(&name);
    match (a, b) {
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).find_map(|(a, b)| first_difference(a, b))
        }
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            a.iter().filter(|(name, _)| told(name)).find_map(|(name, a)| first_difference(a, &b[name]))
        }
        _ if a == b => None,
        _ => Some((outline(a), outline(b))),
    }
}

/// The kind of a part of an answer.
fn outline(part: &Value) -> String {
    match part {
        Value::Object(fields) => fields.keys().cloned().collect::<Vec<_>>().join(", "),
        Value::Array(items) => format!("{} items", items.len()),
        Value::String(text) if text.len() < 9 => text.clone(),
        Value::String(_) => "text".to_owned(),
        other => other.to_string(),
    }
}

/// The places of errors in source order, each with the summary of its first error and the number of errors. If an
/// answer has several lists of diagnostics, they are grouped by the name of the list.
type Errors = BTreeMap<(String, Vec<u64>), (String, usize)>;

/// Returns true if the places are the same. Evaluation may report the errors at a place several times; errors in the
/// text itself count once for each place.
fn same_places(a: &Errors, b: &Errors) -> bool {
    let counted = |path: &str| path != "/parse_diags";
    a.len() == b.len()
        && a.iter().zip(b).all(|((place, (_, count)), (other, (_, others)))| {
            place == other && (count == others || !counted(&place.0))
        })
}

fn errors(answer: &Value) -> Errors {
    let mut places = Errors::new();
    diagnostics(answer, &mut String::new(), &mut |path, diagnostic| {
        if diagnostic["severity"] == "error" {
            let range = diagnostic["range"].as_array().into_iter().flatten();
            let place = (path.to_owned(), range.filter_map(Value::as_u64).collect());
            let summary = diagnostic["summary"].as_str().unwrap_or("an error");
            places.entry(place).or_insert_with(|| (summary.to_owned(), 0)).1 += 1;
        }
    });
    places
}

/// The summary of the first error, or another description of the answer.
pub(crate) fn summary(answer: &Value) -> String {
    let mut first = None;
    diagnostics(answer, &mut String::new(), &mut |_, diagnostic| {
        if diagnostic["severity"] == "error" && first.is_none() {
            first = Some(diagnostic["summary"].as_str().unwrap_or("an error").to_owned());
        }
    });
    first.unwrap_or_else(|| {
        let failure = ["panic", "bad_request", "died", "hung", "not_json"].iter().find_map(|key| {
            let said = answer.get(key)?;
            Some(format!("{key}: {}", said.as_str().unwrap_or_default().lines().next().unwrap_or_default()))
        });
        failure.unwrap_or_else(|| if rejected(answer) { "rejected" } else { "accepted" }.to_owned())
    })
}

fn diagnostics<'v>(value: &'v Value, path: &mut String, visit: &mut impl FnMut(&str, &'v Value)) {
    let length = path.len();
    match value {
        Value::Array(items) => items.iter().for_each(|item| diagnostics(item, path, visit)),
        Value::Object(fields) if fields.contains_key("severity") => visit(path, value),
        Value::Object(fields) => {
            for (name, field) in fields {
                path.push('/');
                path.push_str(name);
                diagnostics(field, path, visit);
                path.truncate(length);
            }
        }
        _ => {}
    }
}

/// Equality except for the wording of diagnostics.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) if a.contains_key("severity") => {
            a.get("severity") == b.get("severity") && a.get("range") == b.get("range")
        }
        (Value::Object(a), Value::Object(b)) => {
            let told = |name: &str| name != "detail" && name != "message";
            a.keys().filter(|name| told(name)).all(|name| b.contains_key(name))
                && b.iter().all(|(name, b)| !told(name) || a.get(name).is_some_and(|a| same(a, b)))
        }
        _ => a == b,
    }
}
