//! Known deviations (`conformance/deviations.toml`): where we answer otherwise on purpose. Each names
//! its row in docs/compatibility.md and says which requests it excuses.

use std::fs;

use anyhow::{Context, Result};
use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

use super::compare::{Outcome, summary};
use crate::programs::root;

/// All deviations that are listed.
pub(crate) struct Deviations(Vec<Deviation>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    #[serde(default)]
    deviation: Vec<Row>,
}

/// A row of the file. Every condition that it gives must hold.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// The title of the row in docs/compatibility.md.
    name: String,
    /// Why, in a few words.
    #[allow(dead_code, reason = "for the reader of the file")]
    reason: String,
    /// The ops it concerns; all, where none is named.
    #[serde(default)]
    ops: Vec<String>,
    /// How the answers differ: names of the report's columns.
    #[serde(default)]
    outcomes: Vec<String>,
    /// What the request, as JSON text or by its `src`, must match.
    request: Option<String>,
    /// What the summary of the reference's first error, or `accepted`, must match.
    reference: Option<String>,
    /// What the summary of our first error, or `accepted`, must match.
    ours: Option<String>,
}

struct Deviation {
    row: Row,
    request: Option<Regex>,
    reference: Option<Regex>,
    ours: Option<Regex>,
}

impl Deviations {
    /// Reads the committed file.
    pub(crate) fn load() -> Result<Self> {
        let path = root().join("conformance/deviations.toml");
        let listed: Listed = toml::from_str(&fs::read_to_string(path)?).context("deviations.toml")?;
        let regex = |text: &Option<String>| text.as_deref().map(Regex::new).transpose();
        let rows = listed.deviation.into_iter().map(|row| {
            let (request, reference) = (regex(&row.request)?, regex(&row.reference)?);
            Ok(Deviation { request, reference, ours: regex(&row.ours)?, row })
        });
        Ok(Self(rows.collect::<Result<_>>()?))
    }

    /// The name of the deviation that explains a difference.
    pub(crate) fn find(
        &self,
        op: &str,
        request: &Value,
        outcome: Outcome,
        reference: &Value,
        ours: &Value,
    ) -> Option<String> {
        let text = match request.get("src").and_then(Value::as_str) {
            Some(src) => src.to_owned(),
            None => request.to_string(),
        };
        let matches = |regex: &Option<Regex>, text: &str| regex.as_ref().is_none_or(|r| r.is_match(text));
        let named = |names: &[String], name: &str| names.is_empty() || names.iter().any(|n| n == name);
        let found = self.0.iter().find(|deviation| {
            named(&deviation.row.ops, op)
                && named(&deviation.row.outcomes, &outcome.to_string())
                && matches(&deviation.request, &text)
                && matches(&deviation.reference, &summary(reference))
                && matches(&deviation.ours, &summary(ours))
        });
        found.map(|deviation| deviation.row.name.clone())
    }
}
