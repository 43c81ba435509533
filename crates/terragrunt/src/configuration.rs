//! What the files of a unit configure together, as values with the expressions that they come from.

use std::collections::BTreeMap;

use hclkit_model::{Context, Expression};
use hclkit_syntax::{Place, is_identifier};
use hclkit_value::{Name, Type, Value};

use crate::blocks::{Kind, Rule, STACK, UNIT};

/// What a unit, or a file that one includes or reads, configures.
#[derive(Clone, Debug, Default)]
pub(crate) struct Configuration {
    /// Whether it is that of a stack.
    pub(crate) is_stack: bool,
    pub(crate) locals: BTreeMap<Name, Setting>,
    /// The local values of other files that are merged, by the names of the files.
    pub(crate) other_locals: BTreeMap<String, BTreeMap<Name, Setting>>,
    pub(crate) settings: BTreeMap<Name, Setting>,
    pub(crate) sections: Vec<Section>,
    pub(crate) inputs: Option<Inputs>,
    /// The included files, with their labels.
    pub(crate) includes: Vec<(String, String)>,
    /// The other units that it depends on.
    pub(crate) dependencies: Vec<Dependency>,
    /// Where expressions of the file are evaluated.
    pub(crate) context: Context,
}

/// An argument with its value.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) value: Value,
    pub(crate) expression: Option<Expression>,
    pub(crate) context: Context,
}

/// A block.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) kind: Name,
    pub(crate) label: Option<Name>,
    pub(crate) settings: BTreeMap<Name, Setting>,
    pub(crate) sections: Vec<Self>,
    pub(crate) place: Place,
}

/// The inputs of a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    pub(crate) all: BTreeMap<Name, Setting>,
    /// Where they are written.
    pub(crate) place: Option<Place>,
    /// Whether there can be others, because a part is unknown.
    pub(crate) is_open: bool,
}

/// Another unit.
#[derive(Clone, Debug)]
pub(crate) struct Dependency {
    /// The absolute path of its directory.
    pub(crate) directory: String,
    pub(crate) place: Place,
    /// Whether its file must exist: it is not disabled.
    pub(crate) is_required: bool,
}

impl Setting {
    pub(crate) fn place(&self) -> Place {
        self.expression.as_ref().map_or_else(Place::nowhere, Expression::place)
    }
}

impl Section {
    fn value(&self, rule: &Rule) -> Value {
        let mut all = with_defaults(rule, &self.settings);
        all.extend(of_sections(&self.sections, rule));
        if let Some(label) = self.label.as_ref().filter(|_| rule.name != "generate") {
            all.insert("name".to_owned(), Value::from(label.as_str()));
        }
        Value::object(all)
    }
}

/// The values of arguments, also of those that are not set.
fn with_defaults(rule: &Rule, settings: &BTreeMap<Name, Setting>) -> BTreeMap<String, Value> {
    let default = |name: &str| match (rule.name, name) {
        ("generate", "comment_prefix") => Some(Value::from("# ")),
        ("generate", "if_disabled") => Some(Value::from("skip")),
        ("generate", "disable" | "disable_signature")
        | ("remote_state", "disable_dependency_optimization" | "disable_init")
        | ("exclude", "exclude_dependencies" | "no_run") => Some(Value::from(false)),
        ("ignore", "message") => Some(Value::from("")),
        ("ignore", "signals") => Some(Value::object(Vec::<(String, Value)>::new())),
        ("terraform", "version" | "mutable" | "update_source_with_cas") => None,
        ("", "iam_assume_role_duration" | "inputs") => Some(Value::null(Type::Dynamic)),
        ("", name) => {
            let is_text = rule.kind(name) == Some(Kind::Text);
            is_text.then(|| Value::from(""))
        }
        _ => Some(Value::null(Type::Dynamic)),
    };
    let defaults = rule.arguments().filter_map(|name| Some((name.to_owned(), default(name)?)));
    let mut all: BTreeMap<String, Value> = defaults.collect();
    if rule.name == "dependency" {
        all.insert("inputs".to_owned(), Value::null(Type::Dynamic));
    }
    for (name, own) in settings {
        if !own.value.is_null() || !all.contains_key(name.as_str()) {
            all.insert(name.to_string(), own.value.clone());
        }
    }
    if rule.name == "feature" {
        all.remove("value");
    }
    // Its name is another one for other files.
    if let Some(skipped) = all.remove("skip_outputs") {
        all.insert("skip".to_owned(), skipped);
    }
    all
}

/// The values of blocks by their kinds and labels.
fn of_sections(sections: &[Section], outer: &Rule) -> BTreeMap<String, Value> {
    let mut all: BTreeMap<String, Value> = BTreeMap::new();
    let mut labelled: BTreeMap<String, Vec<(String, Value)>> = BTreeMap::new();
    if outer.name == "terraform" {
        labelled.extend(outer.blocks.iter().map(|own| (own.name.to_owned(), Vec::new())));
    }
    for section in sections {
        let Some(rule) = outer.block(&section.kind) else { continue };
        match &section.label {
            Some(label) => {
                let of_kind = labelled.entry(section.kind.to_string()).or_default();
                of_kind.push((label.to_string(), section.value(rule)));
            }
            None => drop(all.insert(section.kind.to_string(), section.value(rule))),
        }
    }
    let value = |all: Vec<(String, Value)>| match outer.name {
        "errors" => Value::tuple(all.into_iter().map(|(_, value)| value)),
        _ => Value::object(all),
    };
    all.extend(labelled.into_iter().map(|(kind, all)| (kind, value(all))));
    all
}

impl Inputs {
    pub(crate) fn value(&self) -> Value {
        if self.is_open {
            return Value::DYNAMIC;
        }
        Value::object(self.all.iter().map(|(name, own)| (name.to_string(), own.value.clone())))
    }
}

impl Configuration {
    /// The whole configuration, as other files see it.
    pub(crate) fn value(&self) -> Value {
        let null = || Value::null(Type::Dynamic);
        let rule = if self.is_stack { &STACK } else { &UNIT };
        let mut all = with_defaults(rule, &self.settings);
        if !self.is_stack {
            for kind in ["dependency", "feature", "generate"] {
                all.insert(kind.to_owned(), Value::object(Vec::<(String, Value)>::new()));
            }
            all.insert("dependencies".to_owned(), null());
            all.insert("inputs".to_owned(), self.inputs.as_ref().map_or_else(null, Inputs::value));
        }
        all.extend(of_sections(&self.sections, rule));
        let locals = self.locals.iter().map(|(name, own)| (name.to_string(), own.value.clone()));
        let locals = if self.locals.is_empty() { null() } else { Value::object(locals) };
        all.insert("locals".to_owned(), locals);
        Value::object(all)
    }

    /// The local values of a file, by its name in messages.
    pub(crate) fn locals_of(&self, file: &str) -> Option<&BTreeMap<Name, Setting>> {
        self.other_locals.get(file).or(Some(&self.locals))
    }

    /// Where inputs are written.
    pub(crate) fn inputs_place(&self) -> Option<Place> {
        self.inputs.as_ref()?.place.clone()
    }

    /// The addresses of all values, in this order: local values, inputs, other arguments, blocks.
    pub(crate) fn addressed(&self) -> Vec<(String, Setting)> {
        let mut all = Vec::new();
        let mut add = |prefix: &str, settings: &BTreeMap<Name, Setting>| {
            let own = settings.iter().filter(|(_, own)| !own.value.is_null());
            all.extend(own.map(|(name, own)| (step(prefix, name), own.clone())));
        };
        add("local", &self.locals);
        if let Some(inputs) = &self.inputs {
            add("inputs", &inputs.all);
        }
        add("", &self.settings);
        for section in &self.sections {
            section.addressed("", &mut all);
        }
        all
    }
}

impl Section {
    fn addressed(&self, prefix: &str, all: &mut Vec<(String, Setting)>) {
        let mut own = step(prefix, &self.kind);
        if let Some(label) = &self.label {
            own = step(&own, label);
        }
        for (name, setting) in self.settings.iter().filter(|(_, setting)| !setting.value.is_null()) {
            all.push((step(&own, name), setting.clone()));
        }
        for section in &self.sections {
            section.addressed(&own, all);
        }
    }
}

/// The address of a member.
fn step(prefix: &str, name: &str) -> String {
    match (prefix, is_identifier(name)) {
        ("", _) => name.to_owned(),
        (_, true) => format!("{prefix}.{name}"),
        (_, false) => format!("{prefix}[{}]", Value::from(name)),
    }
}
