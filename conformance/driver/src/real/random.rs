//! `cargo xtask conformance --real --random N`: random modules with resources of a provider: instances, nested and `dynamic`
//! blocks, null arguments and references to what only the provider knows. With `--bless`, the plans of Terraform are recorded
//! in `tests/plans`, and `cargo test` compares them with our results, with the schema of the provider and without.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use fastrand::Rng;
use hclkit_test_cases::{Case, File, Section};
use serde_json::{Map, Value, json};

use super::compare::{Comparison, Counts};
use super::terraform::{Problem, own_problems};
use super::{Setting, UNTIL_APPLY};
use crate::modules::random::{KINDS, Kind, Names, literal, locals, pick, repeated, repetition};
use crate::programs::{root, target};

/// The seed of the modules that are recorded.
const SEED: u64 = 1;

/// What the provider of the random modules has.
fn schema() -> Value {
    let thing = json!({
        "attributes": {
            "id": "string", "arn": "dynamic", "label": "string", "size": "number", "on": "bool",
            "items": ["list", "string"], "pairs": ["map", "string"], "any": "dynamic", "note": "string",
            "extra": ["list", "string"]
        },
        "plain": ["note", "extra"],
        "blocks": {
            "rule": { "block": {
                "attributes": { "port": "number", "name": "string", "names": ["list", "string"] },
                "plain": ["names"],
                "blocks": { "inner": { "block": { "attributes": { "key": "string" }, "plain": ["key"] } } }
            } },
            "setting": { "single": true, "block": { "attributes": { "mode": "string" } } }
        }
    });
    let info = json!({
        "attributes": { "id": "string", "label": "string", "items": ["list", "string"], "any": "dynamic" },
        "blocks": { "filter": { "block": { "attributes": { "name": "string", "values": ["list", "string"] } } } }
    });
    json!({ "providers": {}, "resources": { "test_thing": thing }, "data": { "test_info": info } })
}

/// Compares random modules, or records those whose results are Terraform's.
pub(super) fn run(setting: &Setting, seed: Option<u64>, count: usize, bless: bool) -> Result<ExitCode> {
    let seed = if bless { SEED } else { seed.unwrap_or_else(|| fastrand::u64(..)) };
    println!("seed {seed}");
    let directory = target().join("real/random");
    let mut file =
        File { path: root().join("tests/plans/random.plans"), remark: REMARK.to_owned(), cases: Vec::new() };
    let (mut failed, mut depends, mut wrong) = (0, 0, 0);
    let mut counts = Counts::default();
    let mut schemas = Value::Null;
    for n in 0..count {
        let files = module(&mut crate::modules::rng(seed, n));
        write(setting, &directory, &files)?;
        if schemas.is_null() {
            schemas = provider_schemas(setting, &directory)?;
        }
        fs::write(directory.join(SCHEMAS), schemas.to_string())?;
        let asked = setting.terraform.plan(0, &directory)?;
        if asked.as_ref().is_err_and(|theirs| theirs.iter().all(super::is_until_apply)) {
            depends += 1;
            continue;
        }
        failed += usize::from(asked.is_err());
        let found = differences(setting, &directory, &asked, &mut counts)?;
        if found.is_empty() {
            let answer = match &asked {
                Ok(plan) => planned(plan),
                Err(theirs) => {
                    format!("error: {}\n", theirs[0].text.split(": ").next().unwrap_or_default())
                }
            };
            let mut sections: Vec<Section> =
                files.into_iter().map(|(name, text)| Section::new(name, text)).collect();
            sections.push(Section::new("plan", answer));
            file.cases.push(Case { name: format!("random {n}"), options: Vec::new(), sections });
        } else {
            wrong += 1;
            for line in found {
                println!("random {n}: {line}");
            }
        }
    }
    if bless {
        fs::create_dir_all(root().join("tests/plans"))?;
        fs::write(&file.path, file.text())?;
        fs::write(root().join("tests/plans/schema.json"), format!("{schemas:#}\n"))?;
        println!("{} modules recorded, without those that differ", file.cases.len());
    }
    let Counts { equal, unknown, known, nulls, different, sensitivity, instances, other_instances } = counts;
    println!(
        "{count} modules, {failed} with errors, {depends} {UNTIL_APPLY}, {wrong} with differences; with and without the schema: {equal} values equal, {unknown} unknown, {known} known too early, {nulls} null instead of unknown, {different} different, {sensitivity} of another sensitivity, {instances} instances equal, {other_instances} different"
    );
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

const REMARK: &str = "Random modules with resources of a provider, and their plans in Terraform, written by `cargo xtask conformance\n--real --random 110 --bless`.";

/// Writes a module, and what Terraform needs beside it.
pub(super) fn write(setting: &Setting, directory: &Path, files: &[(String, String)]) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    for (name, text) in files {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().context("no directory")?)?;
        fs::write(path, text)?;
    }
    let data = directory.join(".terraform");
    fs::create_dir_all(data.join("modules"))?;
    fs::write(data.join("schema.json"), schema().to_string())?;
    let mut modules = vec![json!({ "Key": "", "Source": "", "Dir": "." })];
    if directory.join("m0").is_dir() {
        modules.push(json!({ "Key": "m0", "Source": "./m0", "Dir": "m0" }));
    }
    let manifest = json!({ "Modules": modules });
    fs::write(data.join("modules/modules.json"), manifest.to_string())?;
    fs::write(directory.join(VALUES), "{}")?;
    setting.terraform.providers.configure(&["hashicorp/test".to_owned()].into(), &data.join("hclkit.rc"))
}

/// The values of no variables.
const VALUES: &str = ".terraform/hclkit.tfvars.json";

/// What `hcl` reads about the provider.
pub(super) const SCHEMAS: &str = ".terraform/schemas.json";

/// How our results, with the schema of the provider and without, differ from those of Terraform.
fn differences(
    setting: &Setting,
    directory: &Path,
    asked: &Result<Value, Vec<Problem>>,
    counts: &mut Counts,
) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for (untyped, what) in [(true, ""), (false, "with the schema, ")] {
        let arguments = if untyped { &[][..] } else { &["--provider-schema", SCHEMAS] };
        let (errors, own) = setting.evaluate(directory, &directory.join(VALUES), arguments)?;
        match asked {
            Err(theirs) if errors.is_empty() => {
                found.push(format!("{what}plan misses: {}", theirs[0].text));
            }
            Err(_) => {}
            Ok(plan) => {
                found.extend(errors.iter().map(|error| format!("{what}eval false: {}", error.text)));
                let mut comparison = Comparison {
                    own: &own,
                    untyped,
                    listed: untyped,
                    counts: counts.clone(),
                    listing: Vec::new(),
                };
                comparison.plan(plan);
                *counts = comparison.counts;
                // Without a schema, a configured null is null.
                let is_fine =
                    |line: &str| line.starts_with("unknown: ") || untyped && line.starts_with("null: ");
                let listing = comparison.listing.into_iter().filter(|line| !is_fine(line));
                found.extend(listing.map(|line| format!("{what}{line}")));
            }
        }
    }
    if asked.is_ok() {
        let mut check = Command::new(&setting.hcl);
        let output =
            check.current_dir(directory).args(["check", ".", "--no-ignore", "--report", "json"]).output()?;
        let errors = own_problems(&output.stdout)?;
        found.extend(errors.iter().map(|error| format!("check false: {}", error.text)));
    }
    Ok(found)
}

/// What `terraform providers schema -json` writes for the provider.
pub(super) fn provider_schemas(setting: &Setting, directory: &Path) -> Result<Value> {
    let output = setting.terraform.run(0, directory, &["providers", "schema", "-json"])?;
    let mut all: Value = serde_json::from_slice(&output.stdout)?;
    if let Some(providers) = all["provider_schemas"].as_object_mut() {
        providers.retain(|name, _| name.ends_with("/test"));
    }
    Ok(all)
}

/// A line for each instance and each output: its value, in which unknown parts are `"(unknown)"` and sensitive ones are in
/// `{"(sensitive)": …}`.
fn planned(plan: &Value) -> String {
    let mut text = String::new();
    for (address, value) in planned_values(plan) {
        let _ = writeln!(text, "{address} = {value}");
    }
    text
}

/// The same values by their addresses.
pub(super) fn planned_values(plan: &Value) -> BTreeMap<String, Value> {
    let mut lines = BTreeMap::new();
    for change in plan["resource_changes"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let address = change["address"].as_str().unwrap_or_default().to_owned();
        lines.insert(address, merged(&change["change"]));
    }
    for (name, change) in plan["output_changes"].as_object().unwrap_or(&Map::new()) {
        lines.insert(format!("output.{name}"), merged(change));
    }
    lines
}

fn merged(change: &Value) -> Value {
    merge(&change["after"], &change["after_unknown"], &change["after_sensitive"])
}

fn merge(value: &Value, unknown: &Value, sensitive: &Value) -> Value {
    if *sensitive == true {
        return json!({ "(sensitive)": merge(value, unknown, &Value::Bool(false)) });
    }
    if *unknown == true {
        return "(unknown)".into();
    }
    let empty = Map::new();
    match value {
        Value::Object(all) => {
            let names = all.keys().chain(unknown.as_object().unwrap_or(&empty).keys());
            names.map(|name| (name.clone(), merge(&value[name], &unknown[name], &sensitive[name]))).collect()
        }
        Value::Array(all) => {
            (0..all.len()).map(|at| merge(&value[at], &unknown[at], &sensitive[at])).collect()
        }
        other => other.clone(),
    }
}

/// The files of a random module.
pub(super) fn module(rng: &mut Rng) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut names = Names { known: Vec::new() };
    let mut text = variables(rng, &mut names);
    locals(rng, &mut text, &mut names, "a");
    // What is known decides on instances, and everything else is an argument.
    let known = Names { known: names.known.clone() };
    if rng.bool() {
        data(rng, &mut text, &known, &mut names);
    }
    for at in 0..rng.usize(1..4) {
        thing(rng, &mut text, at, &known, &mut names);
    }
    if rng.u8(0..3) == 0 {
        call(rng, &mut text, &known, &mut names, &mut files);
    }
    locals(rng, &mut text, &mut names, "b");
    for at in 0..rng.usize(2..5) {
        let kind = *pick(rng, &KINDS);
        let value = names.expression(rng, kind, 2);
        let _ = write!(text, "output \"o{at}\" {{\n  value     = {value}\n  sensitive = true\n}}\n\n");
    }
    let all: Vec<&str> = names.known.iter().map(|(name, _)| name.as_str()).collect();
    let _ = write!(text, "output \"all\" {{\n  value     = [{}]\n  sensitive = true\n}}\n", all.join(", "));
    files.insert(0, ("main.tf".to_owned(), text));
    files
}

fn variables(rng: &mut Rng, names: &mut Names) -> String {
    let mut text = String::new();
    for at in 0..rng.usize(1..4) {
        let (name, kind) = (format!("v{at}"), *pick(rng, &KINDS));
        let sensitive = if rng.u8(0..6) == 0 { "  sensitive = true\n" } else { "" };
        let _ = write!(text, "variable \"{name}\" {{\n  default = {}\n{sensitive}}}\n\n", literal(rng, kind));
        // A sensitive value decides on no instances.
        if sensitive.is_empty() {
            names.known.push((format!("var.{name}"), kind));
        } else {
            let _ = write!(text, "locals {{\n  s{at} = var.{name}\n}}\n\n");
        }
    }
    text
}

/// An argument: an expression, null, or one of both.
fn argument(rng: &mut Rng, names: &Names, kind: Kind) -> String {
    match rng.u8(0..8) {
        0 => "null".to_owned(),
        1 => format!("{} ? {} : null", names.expression(rng, Kind::Flag, 1), names.expression(rng, kind, 1)),
        _ => names.expression(rng, kind, 2),
    }
}

/// The attributes of resources, by kind.
const ATTRIBUTES: [(&str, Kind); 7] = [
    ("label", Kind::Text),
    ("size", Kind::Number),
    ("on", Kind::Flag),
    ("items", Kind::List),
    ("pairs", Kind::Map),
    ("note", Kind::Text),
    ("extra", Kind::List),
];

fn thing(rng: &mut Rng, text: &mut String, at: usize, known: &Names, names: &mut Names) {
    let (repeat, own, keyed) = repetition(rng, known);
    let inner = Names { known: names.known.iter().cloned().chain(own).collect() };
    let _ = write!(text, "resource \"test_thing\" \"r{at}\" {{\n{repeat}");
    for (name, kind) in ATTRIBUTES {
        if rng.bool() {
            let _ = writeln!(text, "  {name} = {}", argument(rng, &inner, kind));
        }
    }
    if rng.bool() {
        let kind = *pick(rng, &KINDS);
        let value = inner.expression(rng, kind, 1);
        let _ = writeln!(text, "  any = {{ a = {value}, b = null, c = [{value}] }}");
    }
    for _ in 0..rng.usize(0..3) {
        rule(rng, text, &inner, known);
    }
    if rng.u8(0..3) == 0 {
        let _ = writeln!(text, "  setting {{\n    mode = {}\n  }}", argument(rng, &inner, Kind::Text));
    }
    text.push_str("}\n\n");
    let name = format!("test_thing.r{at}");
    for (attribute, kind) in
        [("arn", Kind::Text), ("label", Kind::Text), ("size", Kind::Number), ("items", Kind::List)]
    {
        if rng.bool() {
            repeated(names, &name, attribute, kind, keyed);
        }
    }
}

/// A nested block, or a `dynamic` one.
fn rule(rng: &mut Rng, text: &mut String, names: &Names, known: &Names) {
    let content = |rng: &mut Rng, text: &mut String, names: &Names, indent: &str| {
        let _ = writeln!(text, "{indent}port = {}", argument(rng, names, Kind::Number));
        if rng.bool() {
            let _ = writeln!(text, "{indent}name = {}", argument(rng, names, Kind::Text));
        }
        if rng.bool() {
            let _ = writeln!(text, "{indent}names = {}", argument(rng, names, Kind::List));
        }
        if rng.u8(0..3) == 0 {
            let key = argument(rng, names, Kind::Text);
            let _ = writeln!(text, "{indent}inner {{\n{indent}  key = {key}\n{indent}}}");
        }
    };
    if rng.bool() {
        text.push_str("  rule {\n");
        content(rng, text, names, "    ");
        text.push_str("  }\n");
        return;
    }
    let each = if rng.u8(0..4) == 0 { names } else { known };
    let kind = if rng.bool() { Kind::List } else { Kind::Map };
    let (iterator, name) = if rng.bool() { ("    iterator = it\n", "it") } else { ("", "rule") };
    let _ = write!(
        text,
        "  dynamic \"rule\" {{\n    for_each = {}\n{iterator}    content {{\n",
        each.expression(rng, kind, 1)
    );
    let mut inner = Names { known: names.known.clone() };
    inner.known.push((format!("{name}.value"), Kind::Text));
    inner.known.push((format!("\"${{{name}.key}}\""), Kind::Text));
    content(rng, text, &inner, "      ");
    text.push_str("    }\n  }\n");
}

/// A data source that is read during apply.
fn data(rng: &mut Rng, text: &mut String, known: &Names, names: &mut Names) {
    let (label, values) = (known.expression(rng, Kind::Text, 1), known.expression(rng, Kind::List, 1));
    let _ = write!(
        text,
        "resource \"terraform_data\" \"hclkit_defer\" {{\n}}\n\ndata \"test_info\" \"d\" {{\n  label      = {label}\n  depends_on = [terraform_data.hclkit_defer]\n  filter {{\n    name   = \"x\"\n    values = {values}\n  }}\n}}\n\n"
    );
    names.known.push(("data.test_info.d.label".to_owned(), Kind::Text));
    names.known.push(("data.test_info.d.items".to_owned(), Kind::List));
    names.known.push(("data.test_info.d.filter[0].values".to_owned(), Kind::List));
}

/// A module with a resource, which is called.
fn call(
    rng: &mut Rng,
    text: &mut String,
    known: &Names,
    names: &mut Names,
    files: &mut Vec<(String, String)>,
) {
    let mut inside = String::from("variable \"x\" {\n}\n\nvariable \"on\" {\n  default = true\n}\n\n");
    let own = Names { known: vec![("var.x".to_owned(), Kind::Text), ("var.on".to_owned(), Kind::Flag)] };
    let _ = write!(
        inside,
        "resource \"test_thing\" \"c\" {{\n  count = var.on ? 1 : 0\n  label = {}\n}}\n\noutput \"label\" {{\n  value = try(test_thing.c[0].label, null)\n}}\n\noutput \"arn\" {{\n  value = one(test_thing.c[*].arn)\n}}\n",
        argument(rng, &own, Kind::Text)
    );
    files.push(("m0/main.tf".to_owned(), inside));
    let (repeat, own, keyed) = repetition(rng, known);
    let inner = Names { known: names.known.iter().cloned().chain(own).collect() };
    let (x, on) = (inner.expression(rng, Kind::Text, 1), known.expression(rng, Kind::Flag, 1));
    let _ = write!(text, "module \"m0\" {{\n  source = \"./m0\"\n{repeat}  x = {x}\n  on = {on}\n}}\n\n");
    for name in ["label", "arn"] {
        repeated(names, "module.m0", name, Kind::Text, keyed);
    }
}
