//! Overrides of arguments from the command line: `--set target.key=value`, and `+=` to add to a list.

use std::collections::BTreeMap;

use hclkit_syntax::{Diagnostics, nearest_name};

use crate::argument::Argument;
use crate::argument::{ArgumentValue, Arguments, Kind, add_texts, resource};
use crate::entry::{self, EntryKind, Field, KeyValueEntry};
use crate::messages;
use crate::pattern;

/// The keys of overrides, with the arguments that they set.
const KEYS: [(&str, &str, Form); 27] = [
    ("context", "context", Form::One),
    ("dockerfile", "dockerfile", Form::One),
    ("target", "target", Form::One),
    ("call", "call", Form::One),
    ("no-cache", "no-cache", Form::One),
    ("shm-size", "shm-size", Form::One),
    ("network", "network", Form::One),
    ("pull", "pull", Form::One),
    ("arg", "args", Form::Named),
    ("contexts", "contexts", Form::Named),
    ("label", "labels", Form::Named),
    ("extra-host", "extra-hosts", Form::Named),
    ("resource", "resources", Form::Named),
    ("tag", "tags", Form::Many),
    ("platform", "platforms", Form::Many),
    ("cache-from", "cache-from", Form::Many),
    ("cache-to", "cache-to", Form::Many),
    ("output", "output", Form::Many),
    ("secret", "secret", Form::Many),
    ("ssh", "ssh", Form::Many),
    ("no-cache-filter", "no-cache-filter", Form::Many),
    ("ulimit", "ulimits", Form::Many),
    ("policy", "policy", Form::Many),
    ("attest", "attest", Form::More),
    ("entitlement", "entitlements", Form::More),
    ("annotation", "annotations", Form::More),
    ("push", "output", Form::One),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    One,
    /// A name follows the key.
    Named,
    /// All values together replace the list.
    Many,
    /// All values are added to the list.
    More,
}

/// The names of keys that can also be written in another way.
const OTHER_NAMES: [(&str, &str); 10] = [
    ("annotations", "annotation"),
    ("args", "arg"),
    ("entitlements", "entitlement"),
    ("extra-hosts", "extra-host"),
    ("labels", "label"),
    ("platforms", "platform"),
    ("resources", "resource"),
    ("tags", "tag"),
    ("ulimits", "ulimit"),
    ("secrets", "secret"),
];

/// An override of one key.
#[derive(Clone, Debug, Default)]
struct Override {
    values: Vec<String>,
    adds: bool,
    /// An empty value removes the value from the file.
    clears: bool,
    /// As on the command line, for errors.
    text: String,
}

/// The overrides of each target, by key and name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overrides(BTreeMap<String, BTreeMap<(usize, String), Override>>);

/// The key `load`, which has no argument of its own. It comes last, after `push`.
const LOAD: usize = KEYS.len();

impl Overrides {
    /// Reads all overrides.
    pub(crate) fn read(
        texts: &[String],
        targets: &[&str],
        environment: impl Fn(&str) -> Option<String>,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let mut all = Self::default();
        for text in texts {
            if let Err(problem) = all.add(text, targets, &environment) {
                diagnostics.push(messages::invalid_override(text, &problem));
            }
        }
        all
    }

    fn add(
        &mut self,
        text: &str,
        targets: &[&str],
        environment: &impl Fn(&str) -> Option<String>,
    ) -> Result<(), String> {
        let (path, value) = text.split_once('=').map_or((text, None), |(path, value)| (path, Some(value)));
        let (path, adds) = path.strip_suffix('+').map_or((path, false), |path| (path, true));
        let mut parts = path.splitn(3, '.');
        let (Some(pattern), Some(key), name) = (parts.next(), parts.next(), parts.next()) else {
            return Err(messages::OVERRIDE_KEY_REQUIRED.to_owned());
        };
        let key = OTHER_NAMES.iter().find(|(other, _)| *other == key).map_or(key, |(_, key)| *key);
        if value.is_none() && key != "arg" {
            return Err(messages::OVERRIDE_VALUE_REQUIRED.to_owned());
        }
        let (at, form) = match KEYS.iter().position(|(own, ..)| *own == key) {
            Some(at) => (at, KEYS[at].2),
            None if key == "load" => (LOAD, Form::One),
            None => {
                let known = KEYS.iter().map(|(own, ..)| *own).chain(["load"]);
                return Err(messages::unknown_override(key, nearest_name(key, known)));
            }
        };
        if key == "secret" && path.contains(".secrets.") {
            return Err(messages::override_with_name("secrets"));
        }
        // A secret that the file declares can get another source.
        let is_source = key == "secret" && name.is_some();
        match (form, name) {
            (Form::Named, None) => return Err(messages::override_without_name(key)),
            (Form::One | Form::Many | Form::More, Some(_)) if !is_source => {
                return Err(messages::override_with_name(key));
            }
            _ => {}
        }
        if adds && (key == "resource" || is_source) {
            return Err(messages::override_cannot_append(key));
        }
        let matching = if targets.contains(&pattern) {
            vec![pattern]
        } else {
            targets.iter().copied().filter(|target| pattern::matches(pattern, target)).collect()
        };
        if matching.is_empty() {
            return Err(messages::no_target_matches(pattern));
        }
        let value = match (value, name) {
            (Some(value), _) => value.to_owned(),
            // The value of an argument can come from the environment.
            (None, Some(name)) => match environment(name) {
                Some(value) => value,
                None => return Ok(()),
            },
            (None, None) => String::new(),
        };
        for target in matching {
            let own = self.0.entry(target.to_owned()).or_default();
            let own = own.entry((at, name.unwrap_or_default().to_owned())).or_default();
            text.clone_into(&mut own.text);
            if is_source || matches!(form, Form::One | Form::Named) {
                own.values = vec![value.clone()];
                continue;
            }
            if !adds && value.is_empty() {
                own.clears = true;
                own.values.clear();
            } else {
                own.values.push(value.clone());
            }
            own.adds = adds && !own.clears;
        }
        Ok(())
    }

    /// Applies the overrides to the arguments of a target.
    pub(crate) fn apply(&self, target: &str, arguments: &mut Arguments, diagnostics: &mut Diagnostics) {
        for ((key, name), own) in self.0.get(target).into_iter().flatten() {
            if let Err(problem) = own.apply(*key, name, arguments) {
                diagnostics.push(messages::invalid_override(&own.text, &problem));
            }
        }
    }
}

impl Override {
    fn apply(&self, key: usize, name: &str, arguments: &mut Arguments) -> Result<(), String> {
        let value = self.values.last().map(String::as_str).unwrap_or_default();
        if key == LOAD {
            let on = entry::flag(value)?;
            change_outputs(arguments, |outputs| load(on, outputs));
            return Ok(());
        }
        let (key, argument, form) = KEYS[key];
        if key == "push" {
            let on = entry::flag(value)?;
            change_outputs(arguments, |outputs| push(on, outputs));
            return Ok(());
        }
        let Some(argument) = Argument::named(argument) else { return Ok(()) };
        match (form, argument.kind) {
            (_, Kind::Flag) => {
                drop(arguments.insert(argument.name, ArgumentValue::Flag(entry::flag(value)?)));
            }
            (Form::One, _) => drop(arguments.insert(argument.name, ArgumentValue::Text(value.to_owned()))),
            (Form::Named, Kind::Resources) => {
                let field = resource(name, value)?;
                let empty = || ArgumentValue::Resources(KeyValueEntry::new());
                if let ArgumentValue::Resources(entry) = arguments.entry(argument.name).or_insert_with(empty)
                {
                    entry.insert(name.to_owned(), field);
                }
            }
            (Form::Named, _) => {
                let empty = || ArgumentValue::Map(BTreeMap::new());
                if let ArgumentValue::Map(map) = arguments.entry(argument.name).or_insert_with(empty) {
                    map.insert(name.to_owned(), value.to_owned());
                }
            }
            (_, Kind::Entries(EntryKind::Secret)) if !name.is_empty() => {
                return source(name, value, arguments);
            }
            (form, Kind::Entries(kind)) => {
                let mut entries = Vec::new();
                for value in self.values.iter().filter(|value| !value.is_empty()) {
                    entries.extend(kind.parse(value)?);
                }
                let keeps = if form == Form::More { !self.clears } else { self.adds };
                let before = arguments.remove(argument.name).filter(|_| keeps);
                let mut all = match before {
                    Some(ArgumentValue::Entries(before)) => before,
                    _ => Vec::new(),
                };
                all.extend(entries);
                if keeps {
                    kind.distinct(&mut all);
                }
                arguments.insert(argument.name, ArgumentValue::Entries(all));
            }
            (form, _) => {
                let keeps = if form == Form::More { !self.clears } else { self.adds };
                if !keeps {
                    arguments.remove(argument.name);
                }
                add_texts(arguments, argument.name, self.values.iter().cloned());
            }
        }
        Ok(())
    }
}

/// Sets the source of a secret that the target has.
fn source(id: &str, value: &str, arguments: &mut Arguments) -> Result<(), String> {
    let next = EntryKind::Secret.parse(value)?.pop().unwrap_or_default();
    let undeclared = || messages::undeclared_secret(id);
    let Some(ArgumentValue::Entries(entries)) = arguments.get_mut("secret") else { return Err(undeclared()) };
    let is_own = |entry: &&mut KeyValueEntry| entry.get("id").and_then(Field::as_text) == Some(id);
    let own = entries.iter_mut().find(is_own).ok_or_else(undeclared)?;
    if let Some(other) =
        next.get("id").and_then(Field::as_text).filter(|other| !other.is_empty() && *other != id)
    {
        return Err(messages::other_secret(id, other));
    }
    for name in ["src", "env"] {
        match next.get(name) {
            Some(field) => drop(own.insert(name.to_owned(), field.clone())),
            None => drop(own.remove(name)),
        }
    }
    Ok(())
}

/// Changes the outputs of a target.
fn change_outputs(arguments: &mut Arguments, change: impl FnOnce(&mut Vec<KeyValueEntry>)) {
    let mut outputs = match arguments.remove("output") {
        Some(ArgumentValue::Entries(outputs)) => outputs,
        _ => Vec::new(),
    };
    change(&mut outputs);
    arguments.insert("output", ArgumentValue::Entries(outputs));
}

fn kind(entry: &KeyValueEntry) -> &str {
    entry.get("type").and_then(Field::as_text).unwrap_or_default()
}

fn text(text: &str) -> Field {
    Field::Text(text.to_owned())
}

/// Sets whether the result of the build is pushed.
fn push(on: bool, outputs: &mut Vec<KeyValueEntry>) {
    if !on {
        let mut at = 0;
        while at < outputs.len() {
            if kind(&outputs[at]) == "registry" {
                outputs.swap_remove(at);
                continue;
            }
            if kind(&outputs[at]) == "image" {
                outputs[at].insert("push".to_owned(), text("false"));
            }
            at += 1;
        }
        return;
    }
    for output in outputs.iter_mut().filter(|output| kind(output) == "image") {
        output.insert("push".to_owned(), text("true"));
    }
    if outputs.iter().all(|output| kind(output) == "docker") {
        outputs.push(KeyValueEntry::from([
            ("type".to_owned(), text("image")),
            ("push".to_owned(), text("true")),
        ]));
    }
}

/// Loads the result of the build into Docker.
fn load(on: bool, outputs: &mut Vec<KeyValueEntry>) {
    let is_file = |output: &KeyValueEntry| !matches!(kind(output), "docker" | "image" | "registry" | "oci");
    let is_loaded = |output: &KeyValueEntry| {
        kind(output) == "docker" && output.get("dest").and_then(Field::as_text).unwrap_or_default().is_empty()
    };
    let first = outputs.iter().position(|output| is_file(output) || is_loaded(output));
    if on && first.is_none() {
        outputs.push(KeyValueEntry::from([("type".to_owned(), text("docker"))]));
    }
}
