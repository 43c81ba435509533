//! Random faults: valid modules with one or two changes, such as another value of an argument, a block twice, or a block in another
//! file. `terraform validate` and `hcl check` must both accept the result, or both refuse it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use fastrand::Rng;
use serde_json::{Value, json};

use super::answer::{NOT_ASKED, Problem, command, lines, validate};

/// A part of a body. Values are expressions.
#[derive(Clone)]
enum Item {
    Attribute(String, String),
    Block(String, Vec<String>, Vec<Self>),
}

/// A valid module that has something of everything. Its first line of labels are the types and labels of blocks.
const BASE: &str = include_str!("base.tf");
/// The module that it calls.
const CALLED: &str = include_str!("called.tf");

/// Values of arguments, of which each is right somewhere.
const VALUES: [&str; 71] = [
    "null",
    "true",
    "false",
    "0",
    "-1",
    "2",
    "1.5",
    "\"\"",
    "\"a\"",
    "\"a b\"",
    "\"1\"",
    "\"true\"",
    "[]",
    "{}",
    "[\"a\"]",
    "[1]",
    "{ a = 1 }",
    "{ a = \"b\" }",
    "toset([\"a\"])",
    "toset([])",
    "tomap({})",
    "[null]",
    "[[]]",
    "var.v",
    "var.l",
    "var.s",
    "var.e",
    "var.nope",
    "local.l",
    "local.nope",
    "terraform_data.r",
    "terraform_data.r.id",
    "terraform_data.r.output",
    "terraform_data.r.nope",
    "terraform_data.c",
    "terraform_data.c.id",
    "terraform_data.c[0].id",
    "terraform_data.f[\"k\"].id",
    "terraform_data.f.id",
    "terraform_data.nope",
    "data.terraform_remote_state.d.outputs",
    "module.m",
    "module.m.o",
    "module.m.nope",
    "module.nope",
    "each.key",
    "each.value",
    "count.index",
    "self",
    "self.id",
    "path.module",
    "path.nope",
    "terraform.workspace",
    "\"x${var.v}\"",
    "\"${terraform_data.r.id}\"",
    "[for x in var.l : x]",
    "{ for x in var.l : x => x }",
    "upper(\"a\")",
    "nope(\"a\")",
    "upper()",
    "string",
    "list(string)",
    "any",
    "destroy",
    "create",
    "continue",
    "all",
    "[all]",
    "[terraform_data.r]",
    "[\"terraform_data.r\"]",
    "sensitive(\"x\")",
];

/// Names of arguments, of which each block has some.
const NAMES: [&str; 44] = [
    "type",
    "default",
    "description",
    "nullable",
    "sensitive",
    "ephemeral",
    "deprecated",
    "const",
    "value",
    "depends_on",
    "source",
    "version",
    "providers",
    "count",
    "for_each",
    "provider",
    "lifecycle",
    "connection",
    "provisioner",
    "create_before_destroy",
    "prevent_destroy",
    "ignore_changes",
    "replace_triggered_by",
    "destroy",
    "condition",
    "error_message",
    "from",
    "to",
    "id",
    "identity",
    "when",
    "on_failure",
    "command",
    "environment",
    "host",
    "input",
    "triggers_replace",
    "store",
    "required_version",
    "experiments",
    "alias",
    "events",
    "actions",
    "nope",
];

/// Blocks in others, each with what it needs.
const BLOCKS: [(&str, &[&str], &str); 16] = [
    ("lifecycle", &[], "prevent_destroy = true"),
    ("lifecycle", &[], ""),
    ("precondition", &[], "condition = var.v != \"\"\nerror_message = \"A sentence.\""),
    ("postcondition", &[], "condition = self.id != \"\"\nerror_message = \"A sentence.\""),
    ("validation", &[], "condition = true\nerror_message = \"A sentence.\""),
    ("provisioner", &["local-exec"], "command = \"true\""),
    ("provisioner", &["nope"], ""),
    ("provisioner", &["file"], "destination = \"/x\"\ncontent = \"y\""),
    ("connection", &[], "host = \"h\""),
    ("connection", &[], "type = \"ssh\""),
    ("assert", &[], "condition = true\nerror_message = \"A sentence.\""),
    ("dynamic", &["x"], "for_each = []"),
    ("backend", &["local"], ""),
    ("required_providers", &[], ""),
    ("store", &[], "input = 1"),
    ("nope", &[], ""),
];

/// A module, and what was changed in it.
pub(super) struct Fault {
    pub(super) changes: String,
    files: Vec<(&'static str, String)>,
}

impl Fault {
    pub(super) fn random(rng: &mut Rng) -> Self {
        let mut main = read(BASE);
        let mut changes = Vec::new();
        let mut others: Vec<(&'static str, Item)> = Vec::new();
        for _ in 0..if rng.u8(..5) == 0 { 2 } else { 1 } {
            changes.push(change(&mut main, &mut others, rng));
        }
        let is_json = rng.u8(..4) == 0;
        let name = if is_json { "main.tf.json" } else { "main.tf" };
        let text = if is_json { format!("{:#}\n", json_of(&main)) } else { written(&main) };
        let mut files = vec![(name, text), ("m/main.tf", CALLED.to_owned())];
        for (file, item) in others {
            match files.iter_mut().find(|(own, _)| *own == file) {
                Some((_, text)) => text.push_str(&written(&[item])),
                None => files.push((file, written(&[item]))),
            }
        }
        let syntax = if is_json { ", in JSON" } else { "" };
        Self { changes: changes.join("; ") + syntax, files }
    }

    /// Writes the module to a directory.
    pub(super) fn write(&self, directory: &Path) -> Result<()> {
        if directory.exists() {
            fs::remove_dir_all(directory)?;
        }
        for (name, text) in &self.files {
            let path = directory.join(name);
            fs::create_dir_all(path.parent().context("no directory")?)?;
            fs::write(path, text)?;
        }
        // What `init` writes: which directory a call is.
        let modules = json!({ "Modules": [
            { "Key": "", "Source": "", "Dir": "." }, { "Key": "m", "Source": "./m", "Dir": "m" },
        ] });
        fs::create_dir_all(directory.join(".terraform/modules"))?;
        Ok(fs::write(directory.join(".terraform/modules/modules.json"), modules.to_string())?)
    }

    /// The files, for people.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (name, own) in &self.files {
            let _ = write!(text, "--- {name}\n{own}");
        }
        text
    }
}

/// What `validate` says: the errors, or `None` if it cannot be asked, or crashes.
pub(super) fn theirs(program: &Path, directory: &Path) -> Result<Option<Vec<String>>> {
    let Some(mut found) = validate(command(program, directory, &["validate", "-json"]))? else {
        return Ok(None);
    };
    found.retain(|own| own.is_error);
    Ok(found.iter().all(Problem::is_own).then(|| found.iter().map(Problem::to_string).collect()))
}

/// The values of the variables, also of those whose defaults were removed. Without values, some programs plan nothing.
const VARIABLES: [(&str, &str); 4] =
    [("TF_VAR_v", "v"), ("TF_VAR_l", "[\"a\"]"), ("TF_VAR_s", "s"), ("TF_VAR_e", "e")];

/// The errors of `plan`, but for variables without a value.
pub(super) fn planned(program: &Path, directory: &Path) -> Result<Vec<String>> {
    let mut command = command(program, directory, &["plan", "-json", "-input=false", "-lock=false"]);
    let output = command.envs(VARIABLES).output().with_context(|| format!("cannot run {command:?}"))?;
    let mut found = lines(&output.stdout);
    found.retain(|own| own.is_error && own.summary != "No value for required variable");
    Ok(found.iter().map(Problem::to_string).collect())
}

/// The errors of `hcl check`.
pub(super) fn ours(hcl: &Path, directory: &Path, language: &str) -> Result<Vec<String>> {
    let mut command = Command::new(hcl);
    command.current_dir(directory).args(["check", "--language", language, "--report", "json", "."]);
    let found: Value = serde_json::from_slice(&command.output()?.stdout).context(NOT_ASKED)?;
    let errors =
        found["diagnostics"].as_array().into_iter().flatten().filter(|own| own["severity"] == json!("error"));
    Ok(errors.map(|own| format!("{} {}", own["summary"], own["detail"])).collect())
}

/// Makes a change, and says which.
fn change(main: &mut Vec<Item>, others: &mut Vec<(&'static str, Item)>, rng: &mut Rng) -> String {
    let at = rng.usize(..main.len());
    let outer = main[at].name().to_owned();
    match rng.u8(..20) {
        0 => {
            let copy = main[at].clone();
            main.push(copy);
            format!("{outer} twice")
        }
        1 => {
            let moved = if rng.bool() { main.remove(at) } else { main[at].clone() };
            let file = ["override.tf", "m/more.tf", "more.tf"][rng.usize(..3)];
            others.push((file, moved));
            format!("{outer} in {file}")
        }
        2 => {
            let Item::Block(_, labels, _) = &mut main[at] else { return String::new() };
            match rng.u8(..4) {
                0 => labels.push("x".to_owned()),
                1 => drop(labels.pop()),
                2 => labels.iter_mut().for_each(|own| own.push('!')),
                _ => labels.iter_mut().for_each(|own| "1a".clone_into(own)),
            }
            format!("labels {labels:?} of {outer}")
        }
        3 => {
            let types = [
                "variable",
                "output",
                "resource",
                "data",
                "locals",
                "moved",
                "import",
                "check",
                "nope",
                "terraform",
            ];
            let other = types[rng.usize(..types.len())];
            if let Item::Block(own, ..) = &mut main[at] {
                other.clone_into(own);
            }
            format!("{outer} as {other}")
        }
        _ => {
            let Item::Block(_, _, items) = &mut main[at] else { return String::new() };
            format!("in {outer}: {}", change_body(items, rng))
        }
    }
}

/// Makes a change in a body or in one inside.
fn change_body(items: &mut Vec<Item>, rng: &mut Rng) -> String {
    let blocks: Vec<usize> = items
        .iter()
        .enumerate()
        .filter(|(_, own)| matches!(own, Item::Block(..)))
        .map(|(at, _)| at)
        .collect();
    if !blocks.is_empty() && rng.bool() {
        let at = blocks[rng.usize(..blocks.len())];
        if rng.u8(..8) == 0 {
            let copy = items[at].clone();
            let name = copy.name().to_owned();
            items.push(copy);
            return format!("{name} twice");
        }
        let Item::Block(name, _, inner) = &mut items[at] else { return String::new() };
        let name = name.clone();
        return format!("{name}: {}", change_body(inner, rng));
    }
    match rng.u8(..8) {
        0 if !items.is_empty() => {
            let removed = items.remove(rng.usize(..items.len()));
            format!("no {}", removed.name())
        }
        1 | 2 => {
            let (name, labels, body) = BLOCKS[rng.usize(..BLOCKS.len())];
            let labels = labels.iter().map(|own| (*own).to_owned()).collect();
            items.push(Item::Block(name.to_owned(), labels, read(body)));
            format!("block {name}")
        }
        3 | 4 => {
            let (name, value) = (NAMES[rng.usize(..NAMES.len())], VALUES[rng.usize(..VALUES.len())]);
            items.retain(|own| own.name() != name);
            items.push(Item::Attribute(name.to_owned(), value.to_owned()));
            format!("new {name} = {value}")
        }
        _ => {
            let attributes = items.iter_mut().filter_map(|own| match own {
                Item::Attribute(name, value) => Some((name, value)),
                Item::Block(..) => None,
            });
            let mut attributes: Vec<_> = attributes.collect();
            if attributes.is_empty() {
                return "nothing".to_owned();
            }
            let at = rng.usize(..attributes.len());
            let (name, value) = &mut attributes[at];
            VALUES[rng.usize(..VALUES.len())].clone_into(value);
            format!("{name} = {value}")
        }
    }
}

impl Item {
    /// The name of the argument, or the type of the block.
    fn name(&self) -> &str {
        match self {
            Self::Attribute(name, _) | Self::Block(name, ..) => name,
        }
    }
}

/// Reads the modules above, which have an argument in each line, and the braces of a block at its ends.
fn read(text: &str) -> Vec<Item> {
    fn body<'t>(lines: &mut impl Iterator<Item = &'t str>) -> Vec<Item> {
        let mut items = Vec::new();
        while let Some(line) = lines.next() {
            let line = line.trim();
            if line == "}" {
                break;
            }
            if let Some((name, value)) = line.split_once(" = ").filter(|(name, _)| !name.contains(' ')) {
                items.push(Item::Attribute(name.trim().to_owned(), value.to_owned()));
            } else if let Some(header) = line.strip_suffix('{') {
                let mut words = header.split_whitespace().map(|word| word.trim_matches('"').to_owned());
                let name = words.next().unwrap_or_default();
                items.push(Item::Block(name, words.collect(), body(lines)));
            }
        }
        items
    }
    body(&mut text.lines())
}

/// The native syntax of items.
fn written(items: &[Item]) -> String {
    let mut text = String::new();
    for item in items {
        match item {
            Item::Attribute(name, value) => {
                let _ = writeln!(text, "{name} = {value}");
            }
            Item::Block(name, labels, items) => {
                text.push_str(name);
                for own in labels {
                    let _ = write!(text, " \"{own}\"");
                }
                let _ = writeln!(text, " {{\n{}}}", written(items));
            }
        }
    }
    text
}

/// Arguments whose strings are references, types and keywords, and not templates.
const SOURCES: [&str; 11] = [
    "type",
    "depends_on",
    "from",
    "to",
    "provider",
    "providers",
    "when",
    "on_failure",
    "ignore_changes",
    "replace_triggered_by",
    "configuration_aliases",
];

/// The JSON syntax of items: arrays of blocks, and templates for what is no literal.
fn json_of(items: &[Item]) -> Value {
    let mut all = serde_json::Map::new();
    for item in items {
        match item {
            Item::Attribute(name, value) => _ = all.insert(name.clone(), json_value(name, value)),
            Item::Block(name, labels, items) => {
                let body = labels.iter().rev().fold(json_of(items), |body, label| json!({ label: body }));
                match all.entry(name.clone()).or_insert_with(|| json!([])) {
                    Value::Array(list) => list.push(body),
                    other => *other = json!([body]),
                }
            }
        }
    }
    all.into()
}

fn json_value(name: &str, value: &str) -> Value {
    let is_source = SOURCES.contains(&name);
    if let Some(list) = value
        .strip_prefix('[')
        .and_then(|list| list.strip_suffix(']'))
        .filter(|list| !list.contains(['[', ' ']))
    {
        let parts = list.split(',').filter(|part| !part.is_empty());
        return parts.map(|part| json_value(name, part)).collect();
    }
    match serde_json::from_str::<Value>(value) {
        Ok(own) if !own.is_string() || !is_source => own,
        _ if is_source => json!(value.trim_matches('"')),
        _ => json!(format!("${{{value}}}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{BASE, CALLED, Item, read, written};

    /// What is read is all there is.
    #[test]
    fn modules_are_read_whole() {
        for text in [BASE, CALLED] {
            let squeezed = |text: &str| text.split_whitespace().collect::<String>().replace('"', "");
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            assert_eq!(squeezed(&written(&read(text))), squeezed(&lines.collect::<Vec<_>>().join("\n")));
        }
        assert!(read(BASE).iter().all(|item| matches!(item, Item::Block(..))));
    }
}
