//! Compares a plan with what `hcl eval` prints: values, instance keys and sensitivity.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Classes of what was compared.
#[derive(Default, Clone)]
pub(super) struct Counts {
    pub(super) equal: usize,
    /// We do not know what Terraform knows.
    pub(super) unknown: usize,
    /// We know what Terraform does not know.
    pub(super) known: usize,
    /// A configured null of an attribute that the provider computes.
    pub(super) nulls: usize,
    pub(super) different: usize,
    pub(super) sensitivity: usize,
    pub(super) instances: usize,
    pub(super) other_instances: usize,
}

impl Counts {
    pub(super) fn add(&mut self, own: &Self) {
        self.equal += own.equal;
        self.unknown += own.unknown;
        self.known += own.known;
        self.nulls += own.nulls;
        self.different += own.different;
        self.sensitivity += own.sensitivity;
        self.instances += own.instances;
        self.other_instances += own.other_instances;
    }

    /// The number of values, sensitivities and instances that differ.
    pub(super) fn wrong(&self) -> usize {
        self.known + self.nulls + self.different + self.sensitivity + self.other_instances
    }
}

/// Values by address, with and without sensitive ones.
pub(super) struct Own {
    pub(super) shown: BTreeMap<String, Value>,
    pub(super) hidden: BTreeMap<String, Value>,
}

/// The comparison of one plan.
pub(super) struct Comparison<'c> {
    pub(super) own: &'c Own,
    /// Whether only the provider has types of attributes.
    pub(super) untyped: bool,
    /// Whether only the provider knows which blocks are single.
    pub(super) listed: bool,
    pub(super) counts: Counts,
    /// A line for each difference.
    pub(super) listing: Vec<String>,
}

/// The value of an address in a plan: what is known, what is not, and what is sensitive.
#[derive(Clone, Copy)]
struct Theirs<'t> {
    value: &'t Value,
    unknown: &'t Value,
    sensitive: &'t Value,
}

impl<'t> Theirs<'t> {
    fn of(change: &'t Value) -> Self {
        Theirs {
            value: &change["after"],
            unknown: &change["after_unknown"],
            sensitive: &change["after_sensitive"],
        }
    }

    fn at(self, name: &str) -> Self {
        let part = |value: &'t Value| if value.is_boolean() { value } else { &value[name] };
        Theirs { value: &self.value[name], unknown: part(self.unknown), sensitive: part(self.sensitive) }
    }

    fn index(self, at: usize) -> Self {
        let part = |value: &'t Value| if value.is_boolean() { value } else { &value[at] };
        Theirs { value: &self.value[at], unknown: part(self.unknown), sensitive: part(self.sensitive) }
    }

    /// Whether any part is known.
    fn is_known(self) -> bool {
        match self.value {
            _ if *self.unknown == true => false,
            Value::Object(all) if !all.is_empty() => all.keys().any(|name| self.at(name).is_known()),
            Value::Object(_) => self.names().is_empty(),
            Value::Array(all) if !all.is_empty() => (0..all.len()).any(|at| self.index(at).is_known()),
            _ => true,
        }
    }

    /// The names of an object, also those of unknown attributes.
    fn names(self) -> Vec<&'t String> {
        let mut all: BTreeSet<&String> = BTreeSet::new();
        for object in [self.value, self.unknown].into_iter().filter_map(Value::as_object) {
            all.extend(object.keys());
        }
        all.into_iter().collect()
    }
}

const UNKNOWN: &str = "(unknown)";

impl Comparison<'_> {
    pub(super) fn new(own: &Own) -> Comparison<'_> {
        Comparison { own, untyped: false, listed: true, counts: Counts::default(), listing: Vec::new() }
    }

    pub(super) fn plan(&mut self, plan: &Value) {
        let changes = plan["resource_changes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut theirs = BTreeSet::new();
        for change in changes {
            let address = change["address"].as_str().unwrap_or_default();
            let module = change["module_address"].as_str().unwrap_or_default();
            let prefix = if module.is_empty() { String::new() } else { format!("{module}.") };
            let change_of = &change["change"];
            match (change["type"].as_str(), change["name"].as_str()) {
                (Some("terraform_data"), Some("hclkit_record")) => {
                    self.record(&prefix, Theirs::of(change_of));
                }
                (Some("terraform_data"), Some("hclkit_defer")) | (Some("hclkitstub_module"), _) => {}
                _ => {
                    theirs.insert(address.to_owned());
                    self.object(address, Theirs::of(change_of));
                }
            }
        }
        if let Some(outputs) = plan["output_changes"].as_object() {
            for (name, change) in outputs {
                self.address(&format!("output.{name}"), Theirs::of(change));
            }
        }
        let is_object = |address: &&String| is_object(address);
        for address in self.own.shown.keys().filter(is_object) {
            if !theirs.contains(address) {
                self.counts.other_instances += 1;
                self.listing.push(format!("instance: {address}: ours only"));
            }
        }
    }

    fn record(&mut self, prefix: &str, theirs: Theirs<'_>) {
        let input = theirs.at("input");
        for (kind, root) in [("v", "var"), ("l", "local")] {
            let all = input.at(kind);
            for name in all.names() {
                self.address(&format!("{prefix}{root}.{name}"), all.at(name));
            }
        }
        let calls = input.at("m");
        for name in calls.names() {
            let call = calls.at(name);
            let address = format!("{prefix}module.{name}");
            let own = self.own.shown.keys().filter_map(|own| own.strip_prefix(&address)?.chars().next());
            // Calls without outputs of ours have nothing to compare.
            let repeated = own.take(1).any(|next| next == '[');
            let outputs: Vec<(String, Theirs<'_>)> = match call.value {
                _ if !repeated => vec![(address, call)],
                Value::Array(all) => {
                    (0..all.len()).map(|at| (format!("{address}[{at}]"), call.index(at))).collect()
                }
                _ => call
                    .names()
                    .into_iter()
                    .map(|key| (format!("{address}[{key:?}]"), call.at(key)))
                    .collect(),
            };
            for (address, call) in outputs {
                for name in call.names() {
                    let address = format!("{address}.{name}");
                    if self.own.shown.contains_key(&address) {
                        self.address(&address, call.at(name));
                    }
                }
            }
        }
    }

    fn object(&mut self, address: &str, theirs: Theirs<'_>) {
        if self.own.shown.contains_key(address) {
            self.counts.instances += 1;
            self.address(address, theirs);
        } else {
            self.counts.other_instances += 1;
            self.listing.push(format!("instance: {address}: Terraform's only"));
        }
    }

    fn address(&mut self, address: &str, theirs: Theirs<'_>) {
        let own = self.own;
        match own.shown.get(address) {
            Some(value) => {
                self.value(address, value, theirs);
                if let Some(hidden) = own.hidden.get(address) {
                    self.sensitivity(address, hidden, theirs);
                }
            }
            None => self.missing(address, theirs),
        }
    }

    /// What we do not have: nothing is compared if Terraform does not know it or it is empty.
    fn missing(&mut self, place: &str, theirs: Theirs<'_>) {
        let is_empty = match theirs.value {
            Value::Null => true,
            Value::Array(all) => all.is_empty(),
            _ => false,
        };
        if !is_empty {
            self.counts.different += 1;
            self.list("different", place, "nothing", theirs);
        }
    }

    fn value(&mut self, place: &str, own: &Value, theirs: Theirs<'_>) {
        let is_unknown = own == UNKNOWN;
        if *theirs.unknown == true {
            if is_unknown {
                self.counts.equal += 1;
            } else if own.is_null() {
                self.counts.nulls += 1;
                self.list("null", place, "null", theirs);
            } else {
                self.counts.known += 1;
                self.list("known", place, &own.to_string(), theirs);
            }
            return;
        }
        if is_unknown && !theirs.is_known() {
            self.counts.equal += 1;
            return;
        }
        if is_unknown {
            self.counts.unknown += 1;
            self.list("unknown", place, UNKNOWN, theirs);
            return;
        }
        match (own, theirs.value) {
            (Value::Object(ours), Value::Object(_)) => {
                for (name, value) in ours {
                    self.value(&format!("{place}.{name}"), value, theirs.at(name));
                }
                for name in theirs.names() {
                    if !ours.contains_key(name) {
                        self.missing(&format!("{place}.{name}"), theirs.at(name));
                    }
                }
                self.counts.equal += usize::from(ours.is_empty());
            }
            (Value::Array(ours), Value::Array(all)) if ours.len() == all.len() => {
                for (at, value) in ours.iter().enumerate() {
                    self.value(&format!("{place}[{at}]"), value, theirs.index(at));
                }
                self.counts.equal += usize::from(ours.is_empty());
            }
            (own, value) if own == value || same_number(own, value) => self.counts.equal += 1,
            // Write-only attributes are in no plan.
            (_, Value::Null) if place.ends_with("_wo") => {}
            (Value::Array(ours), Value::Object(_)) if self.listed && ours.len() == 1 => {
                self.value(place, &ours[0], theirs);
            }
            // Attributes of blocks of data sources are texts in the schema.
            (own, Value::String(text))
                if (self.untyped || place.contains("data."))
                    && text.parse().is_ok_and(|text: Value| text == *own) =>
            {
                self.counts.equal += 1;
            }
            _ => {
                self.counts.different += 1;
                self.list("different", place, &own.to_string(), theirs);
            }
        }
    }

    fn sensitivity(&mut self, place: &str, own: &Value, theirs: Theirs<'_>) {
        let ours = own == "(sensitive)";
        let is = *theirs.sensitive == true;
        // Write-only attributes are in no plan.
        if place.ends_with("_wo") && theirs.value.is_null() {
            return;
        }
        if ours != is {
            // A part that is sensitive below an unknown value is not shown.
            if !(is && own == UNKNOWN) && (ours || is) {
                self.counts.sensitivity += 1;
                let (ours, is) =
                    (if ours { "sensitive" } else { "not" }, if is { "sensitive" } else { "not" });
                self.listing.push(format!("sensitivity: {place}: ours {ours}; Terraform's {is}"));
            }
            return;
        }
        match own {
            Value::Object(all) => {
                for (name, value) in all {
                    self.sensitivity(&format!("{place}.{name}"), value, theirs.at(name));
                }
            }
            Value::Array(all) if theirs.sensitive.as_array().is_none_or(|own| own.len() == all.len()) => {
                for (at, value) in all.iter().enumerate() {
                    self.sensitivity(&format!("{place}[{at}]"), value, theirs.index(at));
                }
            }
            _ => {}
        }
    }

    fn list(&mut self, class: &str, place: &str, own: &str, theirs: Theirs<'_>) {
        let value = if *theirs.unknown == true { UNKNOWN.to_owned() } else { theirs.value.to_string() };
        let short = |text: &str| -> String { text.chars().take(200).collect() };
        self.listing.push(format!("{class}: {place}: ours {}; Terraform's {}", short(own), short(&value)));
    }
}

fn same_number(own: &Value, theirs: &Value) -> bool {
    match (own, theirs) {
        (Value::Number(own), Value::Number(theirs)) => own.as_f64() == theirs.as_f64(),
        _ => false,
    }
}

/// Whether an address is that of a resource or a data source.
fn is_object(address: &str) -> bool {
    let (mut rest, mut in_module) = (address, false);
    while let Some(inner) = rest.strip_prefix("module.") {
        let Some(end) = name_end(inner) else { return false };
        rest = &inner[end..];
        in_module = true;
    }
    if rest.starts_with("data.") {
        return true;
    }
    let root = rest.split('.').next().unwrap_or_default();
    let is_own = ["var", "local", "output", "ephemeral", "provider", "check"].contains(&root);
    let is_record = rest.starts_with("terraform_data.hclkit_") || rest.starts_with("hclkitstub_");
    // A result of a module has one name, with an index in none.
    !is_own && !is_record && (rest.contains('.') || !in_module) && rest.contains('.')
}

/// The length of a name with its key and the dot after it.
fn name_end(text: &str) -> Option<usize> {
    let (mut quoted, mut escaped, mut depth) = (false, false, 0);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth -= 1,
            '.' if !quoted && depth == 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}
