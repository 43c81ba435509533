//! What a run prints: differences side by side, by class, and the table of counts.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::Case;
use super::compare::{Outcome, covered, parting};
use super::shrink::Pair;
use crate::probe::Probe;
use crate::programs::target;

/// The longest request that is minimized and printed, in bytes.
const LONGEST: usize = 50_000;

/// The result of a case. Answers are kept only if they differ.
pub(crate) struct Difference<'c> {
    pub(crate) number: usize,
    pub(super) case: &'c Case,
    pub(crate) outcome: Outcome,
    /// Whether the reference rejects.
    pub(crate) rejected: bool,
    /// Whether it reports places.
    pub(crate) places: bool,
    pub(crate) reference: Value,
    pub(crate) ours: Value,
    /// The deviation that explains the difference.
    pub(crate) listed: Option<String>,
}

impl Difference<'_> {
    pub(super) fn without_equal_answers(mut self) -> Self {
        if self.outcome == Outcome::Equal {
            (self.reference, self.ours) = (Value::Null, Value::Null);
        }
        self
    }

    fn class(&self) -> String {
        let (theirs, ours) = parting(&self.reference, &self.ours);
        let op = self.case.op.name;
        format!("{} · {op} · reference: {theirs} · ours: {ours}", self.outcome)
    }
}

/// Counts by op and kind of input.
pub(crate) struct Table {
    rows: BTreeMap<(&'static str, &'static str), Row>,
    listed: BTreeMap<String, usize>,
}

#[derive(Default)]
struct Row {
    asked: usize,
    rejected: usize,
    equal_rejected: usize,
    covered: usize,
    outcomes: [usize; Outcome::ALL.len()],
}

pub(super) fn count(cases: &[Case], differences: &[Difference]) -> Table {
    let mut table = Table { rows: BTreeMap::new(), listed: BTreeMap::new() };
    for difference in differences {
        let case = &cases[difference.number];
        let row = table.rows.entry((case.op.name, case.kind)).or_default();
        row.asked += 1;
        row.rejected += usize::from(difference.rejected);
        row.equal_rejected += usize::from(difference.places && difference.outcome == Outcome::Equal);
        let apart = matches!(difference.outcome, Outcome::Ranges | Outcome::First);
        let covered = apart && covered(&difference.reference, &difference.ours);
        row.covered += usize::from(covered || (difference.places && difference.outcome == Outcome::Equal));
        row.outcomes[difference.outcome as usize] += 1;
        if let Some(name) = &difference.listed {
            *table.listed.entry(name.clone()).or_default() += 1;
        }
    }
    table
}

impl Table {
    /// The whole table.
    pub(crate) fn text(&self) -> String {
        self.rows(|_| true)
    }

    /// The rows of the requested kinds of input, and how often each deviation occurred.
    pub(crate) fn rows(&self, wanted: impl Fn(&str) -> bool) -> String {
        let mut text = format!("{:<10} {:<15} {:>7} {:>8}", "op", "input", "asked", "rejected");
        for outcome in Outcome::ALL {
            let _ = write!(text, " {outcome:>12}");
        }
        text.push('\n');
        for ((op, kind), row) in self.rows.iter().filter(|((_, kind), _)| wanted(kind)) {
            let _ = write!(text, "{op:<10} {kind:<15} {:>7} {:>8}", row.asked, row.rejected);
            for count in row.outcomes {
                let _ = write!(text, " {count:>12}");
            }
            text.push('\n');
        }
        text
    }

    /// How often each deviation occurred.
    pub(crate) fn listed(&self) -> String {
        self.listed.iter().fold(String::new(), |mut text, (name, count)| {
            let _ = writeln!(text, "{count:>7} {name}");
            text
        })
    }

    /// How the places of errors agree for requests that both reject.
    pub(crate) fn places(&self) -> String {
        let sum = |count: fn(&Row) -> usize| self.rows.values().map(count).sum::<usize>();
        let elsewhere = |row: &Row| row.outcomes[Outcome::First as usize];
        let (equal, covered) = (sum(|row| row.equal_rejected), sum(|row| row.covered));
        let first = equal + sum(|row| row.outcomes[Outcome::Ranges as usize]);
        #[allow(clippy::cast_precision_loss, reason = "a percentage")]
        let share = |count: usize| count as f64 * 100.0 / (first + sum(elsewhere)).max(1) as f64;
        format!(
            "of those that both reject, {:.2} % have all errors at the same places, {:.2} % the first one, and in \
             {:.2} % ours are at least where the reference's are",
            share(equal),
            share(first),
            share(covered)
        )
    }
}

/// Prints classes of differences, the most common first, with some minimized members.
pub(super) fn show(
    differences: &[Difference],
    most: usize,
    each: usize,
    oracle: &Path,
    probe: &Path,
) -> Result<()> {
    let mut classes: HashMap<String, Vec<&Difference>> = HashMap::new();
    for difference in differences {
        if !matches!(difference.outcome, Outcome::Equal | Outcome::Listed) {
            classes.entry(difference.class()).or_default().push(difference);
        }
    }
    let mut classes: Vec<_> = classes.into_iter().collect();
    classes.sort_by_key(|(class, members)| {
        let outcome = members[0].outcome;
        (!outcome.is_wrong(), std::cmp::Reverse(members.len()), class.clone())
    });
    let mut pair = Pair { reference: Probe::new(oracle.into()), ours: Probe::new(probe.into()) };
    let mut shown = 0;
    for (class, mut members) in classes {
        println!("\n═══ {} × {class}", members.len());
        members.sort_by_key(|member| member.case.request.to_string().len());
        for member in members.into_iter().take(each) {
            if shown == most {
                break;
            }
            shown += 1;
            println!("── {} {}", member.case.kind, member.case.origin);
            if member.case.request.to_string().len() > LONGEST {
                println!("   too long to be shown");
                continue;
            }
            let request = pair.shrink(&member.case.request)?;
            match request.get("src").and_then(Value::as_str) {
                Some(src) => {
                    println!("   src   {}", Value::from(src));
                    let further = request.as_object().into_iter().flatten();
                    let further =
                        further.filter(|(name, _)| !["src", "op", "funcs"].contains(&name.as_str()));
                    further.for_each(|(name, field)| println!("   {name:<5} {field}"));
                }
                None => println!("   asked {request}"),
            }
            let (theirs, ours) = (pair.reference.ask(&request)?, pair.ours.ask(&request)?);
            println!("   ref   {}", brief(&theirs, &ours));
            println!("   ours  {}", brief(&ours, &theirs));
        }
    }
    Ok(())
}

/// An answer in a few lines: diagnostics first, without the parts that both answers share.
fn brief(answer: &Value, other: &Value) -> String {
    let Some(fields) = answer.as_object() else { return answer.to_string() };
    let mut parts = Vec::new();
    for (name, field) in fields {
        let list = field.as_array().filter(|_| name.ends_with("diags"));
        if let Some(list) = list {
            for item in list {
                let text = |key: &str| item[key].as_str().unwrap_or("").to_owned();
                let detail: String = text("detail").chars().take(90).collect();
                parts.push(format!("{name} {} {}: {detail}", item["range"], text("summary")));
            }
        } else if other.get(name) != Some(field) {
            parts.push(format!("{name} {field}"));
        }
    }
    if parts.is_empty() { "(nothing else)".to_owned() } else { parts.join("\n         ") }
}

/// Writes every difference to a file in the target directory.
pub(super) fn write_all(differences: &[Difference]) -> Result<()> {
    let mut text = String::new();
    for difference in differences.iter().filter(|difference| difference.outcome != Outcome::Equal) {
        let line = json!({
            "class": difference.class(), "kind": difference.case.kind, "origin": difference.case.origin,
            "request": difference.case.request, "reference": difference.reference, "ours": difference.ours,
            "listed": difference.listed,
        });
        let _ = writeln!(text, "{line}");
    }
    let path = target().join("conformance-differences.jsonl");
    fs::write(&path, text)?;
    println!("\nall differences: {}", path.display());
    Ok(())
}
