//! What blocks say besides the values that they compute: types and defaults of variables, versions, backends, `lifecycle`. A review
//! compares it.

use std::collections::{HashMap, HashSet};

use hclkit_dialect::{Role, Statement};
use hclkit_limits::{Meter, with_room};
use hclkit_model::{Body, BodyItem, Expression, Schema, Withheld};
use hclkit_syntax::Place;
use hclkit_value::{Name, Value};

use crate::config::{Content, Item};
use crate::explain::{Bound, Here, Meanings};
use crate::instances::Instances;
use crate::module::Module;
use crate::step::{address, written};

/// Arguments that only inform.
const INFORMS: [&str; 2] = ["description", "deprecated"];

/// Blocks that become blocks of an object, whose values are compared.
const DYNAMIC: &str = "dynamic";

/// A part of what a block says: a nested block, or an argument.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setting {
    /// The address of the module, with `[*]` for a key that is unknown. Empty for the root module.
    pub module: String,
    /// What declares it.
    pub kind: SettingKind,
    /// The declaration: `var.region`, `terraform`, `provider.aws`. Empty for a module whose instances are unknown, which is read.
    pub subject: String,
    /// The part of it: `lifecycle.prevent_destroy`, `required_providers.aws.version`. Empty for the declaration itself.
    pub path: String,
    /// The value, if it is known and may be shown.
    pub value: Option<Value>,
    /// It belongs to a block whose instances are unknown, or that is in such a module: no value shows what its arguments say.
    pub is_open: bool,
    /// The source of the expression. None for blocks, and for what must not be shown.
    pub text: Option<String>,
    /// Equal if the expressions mean the same.
    pub meaning: u64,
    /// The place of the declaration or of the expression.
    pub place: Place,
}

/// What declares a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SettingKind {
    /// An input variable.
    Variable,
    /// A result.
    Output,
    /// A call of a module.
    Call,
    /// A block without a name, such as `terraform` or `provider`.
    Settings,
    /// A resource or another object.
    Object,
    /// A check, or a statement about an address, such as `import`.
    Statement,
}

impl Module {
    /// Returns what the blocks of the module and of those that it calls say besides the values that they compute. Of blocks whose
    /// instances are unknown, that is all that they say. Modules without instances are left out. The values must be evaluated before.
    #[doc(hidden)]
    pub fn settings(&self, meanings: &mut Meanings) -> Vec<Setting> {
        let mut found = Vec::new();
        let mut open = vec![(self.root.clone(), false)];
        while let Some((instance, is_open)) = open.pop() {
            if Meter::current().take_steps(1).is_err() {
                break;
            }
            let module = written(&instance.path);
            if is_open && let Some((parent, call, _)) = instance.caller() {
                found.push(Setting {
                    module: module.clone(),
                    kind: SettingKind::Call,
                    subject: String::new(),
                    path: String::new(),
                    value: None,
                    is_open,
                    text: None,
                    meaning: 0,
                    place: parent.config.items[call.item].place(),
                });
            }
            for (at, item) in instance.config.items.iter().enumerate() {
                let is_unknown = item.repetition.is_some() && instance.has_unknown_instances(at);
                if let Content::Call(_) = item.content {
                    let called = if is_unknown {
                        meanings.unknown_instance(&instance, at).into_iter().collect()
                    } else {
                        instance.create(at).0.to_vec()
                    };
                    open.extend(called.into_iter().map(|called| (called, is_open || is_unknown)));
                }
                let Some(kind) = kind(item) else { continue };
                let mut read = |is_open: bool| {
                    let any = Instances::Unknown.any(item.repeat()).filter(|_| is_unknown);
                    let bound = any.map(|(key, value)| Bound { item: at, key, value });
                    let mut reading = Reading {
                        here: Here::inside(&instance, bound.as_ref()),
                        module: &module,
                        kind,
                        subject: subject(item, kind),
                        is_open,
                        meanings: &mut *meanings,
                        found: &mut found,
                    };
                    reading.item(item);
                };
                read(false);
                let has_values =
                    matches!(kind, SettingKind::Object | SettingKind::Call | SettingKind::Output);
                if has_values && (is_open || is_unknown) {
                    read(true);
                }
            }
        }
        found
    }
}

fn kind(item: &Item) -> Option<SettingKind> {
    match (item.rule.statement, item.rule.role) {
        (Some(Statement::Move), _) => None,
        (Some(_), _) | (_, Role::Check) => Some(SettingKind::Statement),
        (_, Role::Input) => Some(SettingKind::Variable),
        (_, Role::Result) => Some(SettingKind::Output),
        (_, Role::Call) => Some(SettingKind::Call),
        (_, Role::Object) => Some(SettingKind::Object),
        (_, Role::Settings) => Some(SettingKind::Settings),
        (_, Role::Value | Role::Values | Role::Inputs | Role::Build) => None,
    }
}

/// The name of a declaration. Blocks without one have the name of their type, and providers their alias.
fn subject(item: &Item, kind: SettingKind) -> String {
    if !item.address.is_empty() {
        return address(&item.address);
    }
    let labels = item.labels.iter().map(|label| label.as_str().to_owned());
    let text = |name: &str| {
        let expression = item.block.body.attribute(name)?.expression;
        let known = expression.evaluate(&hclkit_model::Context::new()).ok();
        Some(
            known
                .and_then(|value| value.as_str().map(str::to_owned))
                .unwrap_or_else(|| expression.text().to_owned()),
        )
    };
    let names: &[&str] = if kind == SettingKind::Statement { &["from", "to", "id"] } else { &["alias"] };
    let more = names.iter().find_map(|name| text(name));
    let block_type = item.rule.block_type.as_str().to_owned();
    std::iter::once(block_type).chain(labels).chain(more).collect::<Vec<_>>().join(".")
}

/// The settings of one declaration.
struct Reading<'r> {
    here: Here<'r>,
    module: &'r str,
    kind: SettingKind,
    subject: String,
    is_open: bool,
    meanings: &'r mut Meanings,
    found: &'r mut Vec<Setting>,
}

impl Reading<'_> {
    fn item(&mut self, item: &Item) {
        let place = item.place();
        self.add(String::new(), None, false, &place);
        let schema = item.rule.schema(&self.here.instance.tree.language);
        let schema = item.rule.repeat.iter().fold(schema, |all, name| all.with_optional(name.clone()));
        // What values show, if they are known.
        let mut values: HashSet<&str> = item.rule.repeat.iter().map(Name::as_str).collect();
        let mut hidden = HashSet::new();
        match &item.content {
            Content::Object(shape) => {
                values.extend(shape.names().map(Name::as_str));
                values.insert(DYNAMIC);
            }
            Content::Call(call) => {
                values.extend(call.arguments.iter().map(|argument| argument.name.as_str()));
            }
            Content::Output(_) => _ = values.insert(item.rule.value.as_str()),
            Content::Input(input) if input.hidden => hidden.extend(["default", "type"]),
            _ => {}
        }
        let is_open = self.is_open;
        let counts = |name: &str| values.contains(name) == is_open && !INFORMS.contains(&name);
        self.body(&item.block.body, &schema, "", &counts, &hidden);
    }

    fn body(
        &mut self,
        body: &Body,
        schema: &Schema,
        path: &str,
        counts: &dyn Fn(&str) -> bool,
        hidden: &HashSet<&str>,
    ) {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for own in body.items_by(schema) {
            if !counts(own.name()) {
                continue;
            }
            match own {
                BodyItem::Attribute(attribute) => {
                    let path = joined(path, &attribute.name);
                    let is_hidden = hidden.contains(attribute.name.as_str());
                    self.attribute(path, &attribute.expression, is_hidden);
                }
                BodyItem::Block(block) => {
                    let labels = block.labels.iter().map(Name::as_str);
                    let name = std::iter::once(block.block_type.as_str())
                        .chain(labels)
                        .collect::<Vec<_>>()
                        .join(".");
                    let name = joined(path, &name);
                    let number = numbers.entry(name.clone()).or_default();
                    let path = if *number == 0 { name } else { format!("{name}[{number}]") };
                    *number += 1;
                    self.add(path.clone(), None, false, &block.definition_place());
                    with_room(|| {
                        self.body(&block.body, &Schema::new(), &path, &|_| true, &HashSet::new());
                    });
                }
            }
        }
    }

    /// An argument. An object counts as its attributes, as in `required_providers`.
    fn attribute(&mut self, path: String, expression: &Expression, is_hidden: bool) {
        if self.kind == SettingKind::Settings
            && let Ok(pairs) = expression.static_map()
        {
            for pair in pairs {
                if let Ok(name) = pair.0.evaluate(&hclkit_model::Context::new())
                    && let Some(name) = name.as_str()
                {
                    self.add(joined(&path, name), Some(&pair.1), is_hidden, &pair.1.place());
                }
            }
            return;
        }
        self.add(path, Some(expression), is_hidden, &expression.place());
    }

    fn add(&mut self, path: String, expression: Option<&Expression>, is_hidden: bool, place: &Place) {
        let here = self.here;
        // Of conditions, types and the like counts what they say.
        let is_configuration = ["provisioner.", "connection."].iter().any(|block| path.starts_with(block));
        let is_value = self.is_open
            || matches!(self.kind, SettingKind::Settings | SettingKind::Call)
            || path == "default"
            || is_configuration;
        let meaning = expression.map(|own| {
            let found = if is_value {
                self.meanings.expression(here, own, &[])
            } else {
                self.meanings.written(here, own)
            };
            found.fingerprint
        });
        let value = expression.and_then(|own| {
            let (value, found) = own.evaluate_lenient(&here.context());
            (!found.has_errors()).then_some(value)
        });
        let text = expression.and_then(|own| {
            let withheld = match own.ast().filter(|_| is_hidden && path == "type") {
                // The defaults of optional attributes are values of the variable.
                Some(node) => {
                    let mut withheld = Withheld::default();
                    withheld.add_type(node);
                    withheld.sorted()
                }
                None if is_hidden || value.as_ref().is_some_and(Value::contains_marked) => return None,
                None => Withheld::of_expression(own),
            };
            Some(one_line(&withheld.text(own.source(), own.span())))
        });
        let is_shown = is_value && text.is_some();
        self.found.push(Setting {
            module: self.module.to_owned(),
            kind: self.kind,
            subject: self.subject.clone(),
            path,
            is_open: self.is_open,
            value: value.filter(|value| is_shown && value.is_wholly_known()),
            text,
            meaning: meaning.unwrap_or_default(),
            place: place.clone(),
        });
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// A source text in which each run of blanks is one.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
