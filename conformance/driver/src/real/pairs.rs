//! `cargo xtask conformance --real --pairs N`: random modules in two versions. Terraform plans both, and `hcl diff` must say exactly what
//! differs between the two plans, value by value.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use fastrand::Rng;
use hclkit_syntax::{NodeKind, Span, Visit};
use serde_json::Value;

use super::Setting;
use super::random::{SCHEMAS, module, planned_values, provider_schemas, write};
use crate::programs::target;

/// What the comparison of pairs has found.
#[derive(Default)]
pub(super) struct Counts {
    /// One of both has an error, such as instances that are unknown until an apply.
    errors: usize,
    same: usize,
    /// Values, instances and sensitivities that differ in the plans and in ours.
    found: usize,
    /// Those of which ours says that they may change, because only the provider knows one of the values.
    open: usize,
    missed: usize,
    invented: usize,
    may_change: usize,
    moved: usize,
    /// Terraform plans both, and `hcl diff` ends with an error.
    pub(super) failed: usize,
}

impl Counts {
    pub(super) fn add(&mut self, own: &Self) {
        self.errors += own.errors;
        self.same += own.same;
        self.found += own.found;
        self.open += own.open;
        self.missed += own.missed;
        self.invented += own.invented;
        self.may_change += own.may_change;
        self.moved += own.moved;
        self.failed += own.failed;
    }

    pub(super) fn note_same(&mut self, theirs: &Theirs) {
        self.same += usize::from(theirs.leaves.is_empty() && theirs.instances.is_empty());
    }

    /// Prints the figures of so many pairs.
    pub(super) fn finish(&self, count: usize) -> ExitCode {
        let Self { errors, same, found, open, missed, invented, may_change, moved, failed } = self;
        println!(
            "{count} pairs, {same} of them with equal plans ({errors} others with errors): {found} differences found, {open} said to be possible, {missed} missed, {invented} invented, {failed} pairs with errors of ours; {may_change} values may change, {moved} instances moved"
        );
        if missed + invented + failed == 0 && count > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Compares pairs of modules.
pub(super) fn run(setting: &Setting, seed: Option<u64>, count: usize) -> Result<ExitCode> {
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("seed {seed}");
    let work = target().join("real");
    let (old, new) = (work.join("pair-old"), work.join("pair-new"));
    let mut counts = Counts::default();
    let (mut compared, mut n) = (0, 0);
    let mut schemas = Value::Null;
    while compared < count {
        let mut rng = crate::modules::rng(seed, n);
        n += 1;
        let before = module(&mut rng);
        let after = changed(&mut rng, &before);
        let mut plans = Vec::new();
        for (directory, files) in [(&old, &before), (&new, &after)] {
            write(setting, directory, files)?;
            if schemas.is_null() {
                schemas = provider_schemas(setting, directory)?;
            }
            fs::write(directory.join(SCHEMAS), schemas.to_string())?;
            plans.push(setting.terraform.plan(0, directory)?);
        }
        let [Ok(before), Ok(after)] = &plans[..] else {
            counts.errors += 1;
            continue;
        };
        compared += 1;
        let theirs = Theirs::of(&planned_values(before), &planned_values(after));
        let ours = ours(setting, &old, &new, &[])?;
        counts.note_same(&theirs);
        for line in theirs.compare(&ours, &mut counts) {
            println!("pair {}: {line}", n - 1);
        }
    }
    Ok(counts.finish(count))
}

/// The files with some changes: literals, arguments that are gone, comments, and blocks in another order.
fn changed(rng: &mut Rng, files: &[(String, String)]) -> Vec<(String, String)> {
    let mut files = files.to_vec();
    for _ in 0..rng.usize(1..4) {
        let at = rng.usize(..files.len());
        let text = &files[at].1;
        files[at].1 = match rng.u8(0..8) {
            0 => format!("# {}\n{text}", rng.u8(..)),
            1 => without_argument(rng, text),
            2 => reordered(rng, text),
            _ => with_literal(rng, text),
        };
    }
    files
}

fn with_literal(rng: &mut Rng, text: &str) -> String {
    let document = hclkit_syntax::parse(text);
    let tree = document.tree();
    let mut walk = tree.walk(document.body().id());
    let nodes = std::iter::from_fn(|| walk.next());
    let literals: Vec<(Span, NodeKind)> = nodes
        .filter_map(|step| match step {
            Visit::Enter(id) => Some((document.span(id), tree.kind(id))),
            Visit::Leave(_) => None,
        })
        .filter(|(_, kind)| {
            matches!(kind, NodeKind::Number | NodeKind::True | NodeKind::False | NodeKind::String)
        })
        .collect();
    let Some((span, kind)) = literals.get(rng.usize(..literals.len().max(1))) else { return text.to_owned() };
    let new = match kind {
        NodeKind::Number => rng.u8(0..4).to_string(),
        NodeKind::True => "false".to_owned(),
        NodeKind::False => "true".to_owned(),
        _ => format!("\"{}\"", ["a", "b", "xyz"][rng.usize(..3)]),
    };
    format!("{}{new}{}", &text[..span.start as usize], &text[span.end as usize..])
}

/// A text without one of the arguments of its resources.
fn without_argument(rng: &mut Rng, text: &str) -> String {
    let names = ["label", "size", "on", "items", "pairs", "note", "extra", "any"];
    let is_argument =
        |line: &&str| names.iter().any(|name| line.trim_start().starts_with(&format!("{name} = ")));
    let lines: Vec<&str> = text.lines().collect();
    let arguments: Vec<usize> = (0..lines.len()).filter(|at| is_argument(&lines[*at])).collect();
    if arguments.is_empty() {
        return text.to_owned();
    }
    let gone = arguments[rng.usize(..arguments.len())];
    let kept = lines.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, line)| *line);
    kept.collect::<Vec<_>>().join("\n") + "\n"
}

/// The same blocks in another order.
fn reordered(rng: &mut Rng, text: &str) -> String {
    let document = hclkit_syntax::parse(text);
    let mut blocks: Vec<&str> = document
        .body()
        .blocks()
        .map(|block| &text[block.span().start as usize..block.span().end as usize])
        .collect();
    rng.shuffle(&mut blocks);
    blocks.join("\n\n") + "\n"
}

/// A part of a value: its address and path, as keys.
type Leaf = (String, Vec<String>);

/// What differs between two plans.
pub(super) struct Theirs {
    /// The instances that only one has, and whether it is the new one.
    instances: BTreeMap<String, bool>,
    leaves: BTreeMap<Leaf, (Value, Value)>,
}

impl Theirs {
    pub(super) fn of(before: &BTreeMap<String, Value>, after: &BTreeMap<String, Value>) -> Self {
        let mut found = Self { instances: BTreeMap::new(), leaves: BTreeMap::new() };
        let addresses: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for address in addresses {
            match (before.get(address), after.get(address)) {
                (Some(one), Some(other)) => {
                    let (mut left, mut right) = (BTreeMap::new(), BTreeMap::new());
                    flatten(one, &mut Vec::new(), false, &mut left);
                    flatten(other, &mut Vec::new(), false, &mut right);
                    let paths: BTreeSet<&Vec<String>> = left.keys().chain(right.keys()).collect();
                    for path in paths {
                        let side = |all: &BTreeMap<Vec<String>, Value>| {
                            all.get(path).cloned().unwrap_or(Value::Null)
                        };
                        let (one, other) = (side(&left), side(&right));
                        // What is empty in one version has parts in the other one, which count.
                        let is_filled = is_filled(path, &left) || is_filled(path, &right);
                        if one != other && !is_filled && !is_unknown_in_both(path, &left, &right) {
                            found.leaves.insert((address.clone(), path.clone()), (one, other));
                        }
                    }
                }
                (one, _) => _ = found.instances.insert(address.clone(), one.is_none()),
            }
        }
        found
    }

    /// Counts what is found, missed and invented, and returns lines about the last two.
    pub(super) fn compare(&self, ours: &Ours, counts: &mut Counts) -> Vec<String> {
        let mut lines = Vec::new();
        for (address, is_new) in &self.instances {
            if ours.instances.get(address) == Some(is_new) {
                counts.found += 1;
            } else {
                counts.missed += 1;
                lines.push(format!("missed instance: {address}"));
            }
        }
        for address in ours.instances.keys().filter(|address| !self.instances.contains_key(*address)) {
            counts.invented += 1;
            lines.push(format!("invented instance: {address}"));
        }
        let touches = |one: &[String], other: &[String]| one.starts_with(other) || other.starts_with(one);
        for ((address, path), (old, new)) in &self.leaves {
            let found = ours.changes.iter().find(|own| own.address == *address && touches(&own.path, path));
            match found {
                Some(own) if !own.agrees(path, old, new) => {
                    counts.invented += 1;
                    lines.push(format!(
                        "other value: {address} {path:?}: {old} -> {new}, ours {} -> {}",
                        own.old, own.new
                    ));
                }
                Some(_) => counts.found += 1,
                None if ours.open.iter().any(|(own, at)| own == address && touches(at, path)) => {
                    counts.open += 1;
                }
                None => {
                    counts.missed += 1;
                    lines.push(format!("missed: {address} {path:?}: {old} -> {new}"));
                }
            }
        }
        for own in &ours.changes {
            let is_theirs = |((address, path), _): (&Leaf, &(Value, Value))| {
                own.address == *address && touches(&own.path, path)
            };
            if !self.leaves.iter().any(is_theirs) {
                counts.invented += 1;
                lines.push(format!("invented: {} {:?}: {} -> {}", own.address, own.path, own.old, own.new));
            }
        }
        counts.may_change += ours.open.len();
        counts.moved += ours.moved.len();
        lines
    }
}

/// Whether there are parts below a path.
fn is_filled(path: &[String], all: &BTreeMap<Vec<String>, Value>) -> bool {
    all.keys().any(|own| own.len() > path.len() && own.starts_with(path))
}

/// Whether a part is unknown in one version, and in the other one it is, or all of its parts or what contains it.
fn is_unknown_in_both(
    path: &[String],
    left: &BTreeMap<Vec<String>, Value>,
    right: &BTreeMap<Vec<String>, Value>,
) -> bool {
    let are_unknown = |all: &BTreeMap<Vec<String>, Value>| {
        let mut near =
            all.iter().filter(|(own, _)| own.starts_with(path) || path.starts_with(own)).peekable();
        near.peek().is_some() && near.all(|(_, value)| *value == "(unknown)")
    };
    are_unknown(left) && are_unknown(right)
}

/// The leaves of a value in which unknown parts are `(unknown)` and sensitive ones objects with the key `(sensitive)`. Null is nothing in
/// an object, and one with nothing in it is empty.
fn flatten(value: &Value, path: &mut Vec<String>, sensitive: bool, out: &mut BTreeMap<Vec<String>, Value>) {
    match value {
        Value::Object(all) if all.len() == 1 && all.contains_key("(sensitive)") => {
            flatten(&all["(sensitive)"], path, true, out);
        }
        Value::Object(all) if all.values().any(|value| !value.is_null()) => {
            for (name, value) in all.iter().filter(|(_, value)| !value.is_null()) {
                path.push(name.clone());
                flatten(value, path, sensitive, out);
                path.pop();
            }
        }
        Value::Object(_) => flatten_leaf(&Value::Object(serde_json::Map::new()), path, sensitive, out),
        Value::Array(all) if !all.is_empty() => {
            for (at, value) in all.iter().enumerate() {
                path.push(at.to_string());
                flatten(value, path, sensitive, out);
                path.pop();
            }
        }
        Value::Null if path.last().is_none_or(|step| step.parse::<usize>().is_err()) => {}
        Value::Null => flatten_leaf(&NULL_ELEMENT.into(), path, sensitive, out),
        value => flatten_leaf(value, path, sensitive, out),
    }
}

/// An element of a list that is null.
const NULL_ELEMENT: &str = "(null)";

fn flatten_leaf(value: &Value, path: &[String], sensitive: bool, out: &mut BTreeMap<Vec<String>, Value>) {
    let value = if sensitive { serde_json::json!({ "(sensitive)": value }) } else { value.clone() };
    out.insert(path.to_owned(), value);
}

/// What `hcl diff` says.
pub(super) struct Ours {
    instances: BTreeMap<String, bool>,
    changes: Vec<Own>,
    /// The parts that may change.
    open: Vec<(String, Vec<String>)>,
    /// The old and the new addresses of instances that are moved.
    pub(super) moved: Vec<(String, String)>,
}

struct Own {
    address: String,
    path: Vec<String>,
    old: Value,
    new: Value,
}

impl Own {
    /// Whether a leaf has the values that ours has there.
    fn agrees(&self, path: &[String], old: &Value, new: &Value) -> bool {
        let is_same = |own: &Value, leaf: &Value| {
            let Some(own) = own.get("value") else { return true };
            let rest = path.strip_prefix(&self.path[..]).unwrap_or_default();
            let inner = rest.iter().try_fold(own, |value, step| match value {
                Value::Array(all) => all.get(step.parse::<usize>().ok()?),
                value => value.get(step),
            });
            let inner = inner.unwrap_or(&Value::Null);
            let leaf = if leaf == NULL_ELEMENT { &Value::Null } else { leaf };
            // The other side is unknown as a whole.
            let has_parts = leaf.is_null() && (inner.is_object() || inner.is_array());
            let is_empty =
                |value: &Value| value.as_object().is_some_and(|all| all.values().all(Value::is_null));
            has_parts
                || inner == leaf
                || inner.as_f64().is_some() && inner.as_f64() == leaf.as_f64()
                || is_empty(inner) && is_empty(leaf)
        };
        is_same(&self.old, old) && is_same(&self.new, new)
    }
}

/// Asks `hcl diff` about two directories, with more arguments.
pub(super) fn ours(setting: &Setting, old: &Path, new: &Path, more: &[&OsStr]) -> Result<Ours> {
    let mut command = Command::new(&setting.hcl);
    command.arg("diff").args([old, new]).args(more).args([
        "--output",
        "json",
        "--no-lints",
        "--provider-schema",
    ]);
    let output = command.arg(old.join(SCHEMAS)).output().context("cannot run hcl")?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        bail!("hcl diff ends with {}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    let found: Value = serde_json::from_slice(&output.stdout)?;
    let mut ours =
        Ours { instances: BTreeMap::new(), changes: Vec::new(), open: Vec::new(), moved: Vec::new() };
    let root = &found["roots"][0];
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for own in list(&root["instances"]) {
        let address = own["address"].as_str().unwrap_or_default().to_owned();
        if let Some(action @ ("added" | "removed")) = own["action"].as_str() {
            ours.instances.insert(address, action == "added");
            continue;
        }
        if let Some(previous) = own["previous_address"].as_str() {
            ours.moved.push((previous.to_owned(), address.clone()));
        }
        ours.add(&address, &list(&own["attributes"]));
    }
    for own in list(&root["settings"]).iter().filter(|own| own["kind"] == "output" && own["path"] == "") {
        let address = own["subject"].as_str().unwrap_or_default().to_owned();
        ours.instances.insert(address, own["old"].is_null());
    }
    for own in list(&root["outputs"]) {
        ours.add(&format!("output.{}", own["name"].as_str().unwrap_or_default()), &list(&own["parts"]));
    }
    Ok(ours)
}

impl Ours {
    /// Keeps what is about some addresses, and some of the parts.
    pub(super) fn retain(
        &mut self,
        is_kept: impl Fn(&String) -> bool,
        is_kept_part: impl Fn(&str, &[String]) -> bool,
    ) {
        self.instances.retain(|address, _| is_kept(address));
        self.changes.retain(|own| is_kept(&own.address) && is_kept_part(&own.address, &own.path));
        self.open.retain(|(address, _)| is_kept(address));
        self.moved.retain(|(_, address)| is_kept(address));
    }

    fn add(&mut self, address: &str, parts: &[Value]) {
        for part in parts {
            let path = keys(part["path"].as_str().unwrap_or_default());
            if part["change"] == "may_change" {
                self.open.push((address.to_owned(), path));
                continue;
            }
            let (old, new) = (part["old"].clone(), part["new"].clone());
            self.changes.push(Own { address: address.to_owned(), path, old, new });
        }
    }
}

/// The keys of a path such as `tags["a b"].x[0]`.
fn keys(path: &str) -> Vec<String> {
    let (mut keys, mut rest) = (Vec::new(), path);
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let mut read = serde_json::Deserializer::from_str(after).into_iter::<Value>();
            let key = read.next().and_then(std::result::Result::ok).unwrap_or(Value::Null);
            rest = after[read.byte_offset()..].trim_start_matches(']');
            keys.push(key.as_str().map_or_else(|| key.to_string(), str::to_owned));
        } else {
            let after = rest.trim_start_matches('.');
            let end = after.find(['.', '[']).unwrap_or(after.len());
            keys.push(after[..end].to_owned());
            rest = &after[end..];
        }
    }
    keys
}
