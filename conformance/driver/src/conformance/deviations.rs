//! Known deviations (`conformance/deviations.toml`): where our answers differ on purpose. Each names its row in
//! docs/compatibility.md, and the requests that it applies to.

use std::fs;

use anyhow::{Context, Result};
use regex::{NoExpand, Regex};
use serde::Deserialize;
use serde_json::Value;

use super::compare::{Outcome, compare, summary};
use crate::programs::root;

/// All listed deviations.
pub(crate) struct Deviations(Vec<Deviation>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    #[serde(default)]
    deviation: Vec<Row>,
}

/// A row of the file. All of its conditions must hold.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// The title of the row in docs/compatibility.md.
    name: String,
    /// Why, in a few words.
    #[allow(dead_code, reason = "for the reader of the file")]
    reason: String,
    /// The ops that it applies to; all if empty.
    #[serde(default)]
    ops: Vec<String>,
    /// The outcomes that it explains: names of columns of the report.
    #[serde(default)]
    outcomes: Vec<String>,
    /// Must match the request's `src`, or its JSON if it has none.
    request: Option<String>,
    /// Must match the summary of the reference's first error, or `accepted`.
    reference: Option<String>,
    /// Must match the summary of our first error, or `accepted`.
    ours: Option<String>,
    /// Must match the reference's answer as JSON text.
    answer: Option<String>,
    /// Is removed from the JSON text of both answers, which must then be equal.
    apart_from: Option<String>,
    /// How often to ask the reference again, until it gives our answer or crashes.
    #[serde(default)]
    again: usize,
}

struct Deviation {
    row: Row,
    request: Option<Regex>,
    reference: Option<Regex>,
    ours: Option<Regex>,
    answer: Option<Regex>,
    apart_from: Option<Regex>,
}

impl Deviations {
    /// Reads the committed file.
    pub(crate) fn load() -> Result<Self> {
        let path = root().join("conformance/deviations.toml");
        let listed: Listed = toml::from_str(&fs::read_to_string(path)?).context("deviations.toml")?;
        let regex = |text: &Option<String>| text.as_deref().map(Regex::new).transpose();
        let rows = listed.deviation.into_iter().map(|row| {
            let (request, reference) = (regex(&row.request)?, regex(&row.reference)?);
            let (answer, apart_from) = (regex(&row.answer)?, regex(&row.apart_from)?);
            Ok(Deviation { request, reference, ours: regex(&row.ours)?, answer, apart_from, row })
        });
        Ok(Self(rows.collect::<Result<_>>()?))
    }

    /// The name of the deviation that explains a difference. `ask` puts the request to the reference again.
    pub(crate) fn find(
        &self,
        op: &str,
        request: &Value,
        (outcome, reference, ours): (Outcome, &Value, &Value),
        ask: &mut dyn FnMut(&Value) -> Result<Value>,
    ) -> Result<Option<String>> {
        let text = match request.get("src").and_then(Value::as_str) {
            Some(src) => src.to_owned(),
            None => request.to_string(),
        };
        let matches = |regex: &Option<Regex>, text: &str| regex.as_ref().is_none_or(|r| r.is_match(text));
        let named = |names: &[String], name: &str| names.is_empty() || names.iter().any(|n| n == name);
        let same_but_for = |regex: &Regex| {
            let rest = |answer: &Value| regex.replace_all(&answer.to_string(), NoExpand("")).into_owned();
            rest(reference) == rest(ours)
        };
        for Deviation { row, request: asked, reference: theirs, ours: own, answer, apart_from } in &self.0 {
            let holds = named(&row.ops, op)
                && named(&row.outcomes, &outcome.to_string())
                && matches(asked, &text)
                && matches(theirs, &summary(reference))
                && matches(own, &summary(ours))
                && matches(answer, &reference.to_string())
                && apart_from.as_ref().is_none_or(same_but_for);
            if !holds {
                continue;
            }
            let mut explained = row.again == 0;
            for _ in 0..row.again {
                if explained {
                    break;
                }
                let again = compare(&ask(request)?, ours);
                explained = matches!(again, Outcome::Equal | Outcome::NoReference);
            }
            if explained {
                return Ok(Some(row.name.clone()));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::{Deviations, root};

    /// The patterns of the file match sorted keys, and the questions of a seed depend on their order. A crate that enables
    /// `preserve_order` of `serde_json` changes it for all.
    #[test]
    fn keys_of_json_are_sorted() {
        assert_eq!(json!({ "do": "at", "args": [] }).to_string(), r#"{"args":[],"do":"at"}"#);
    }

    #[test]
    fn each_deviation_is_the_title_of_a_row_in_the_documentation() {
        let page = fs::read_to_string(root().join("docs/compatibility.md")).unwrap();
        let title = |line: &str| {
            let cells = line.strip_prefix("| ")?.replace(r"\|", "\u{1}");
            let title = cells.split(" |").next()?.trim_end_matches(" ≠").to_owned();
            Some(title.replace('\u{1}', r"\|"))
        };
        let titles: Vec<_> = page.lines().filter(|line| line.contains('≠')).filter_map(title).collect();
        for deviation in &Deviations::load().unwrap().0 {
            let name = &deviation.row.name;
            assert!(titles.contains(name), "docs/compatibility.md has no row with ≠ that is called {name:?}");
        }
    }
}
