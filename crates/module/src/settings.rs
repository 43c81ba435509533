//! What blocks say besides the values that they compute: types and defaults of variables, versions, backends, `lifecycle`. A review
//! compares it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hclkit_dialect::{Role, Statement};
use hclkit_limits::with_room;
use hclkit_model::{Body, BodyItem, Expression, Schema, Withheld};
use hclkit_syntax::Place;
use hclkit_value::{Name, Value};

use crate::config::{Content, Item};
use crate::explain::{Here, Meanings};
use crate::instance::Instance;
use crate::module::Module;
use crate::step::{Step, address, written};

/// Arguments that only inform.
const INFORMS: [&str; 2] = ["description", "deprecated"];

/// Blocks that become blocks of an object, whose values are compared.
const DYNAMIC: &str = "dynamic";

/// A part of what a block says: a nested block, or an argument.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setting {
    /// The calls that lead to the module, without keys. Empty for the root module.
    pub module: String,
    /// What declares it.
    pub kind: SettingKind,
    /// The declaration: `var.region`, `terraform`, `provider.aws`.
    pub subject: String,
    /// The part of it: `lifecycle.prevent_destroy`, `required_providers.aws.version`. Empty for the declaration itself.
    pub path: String,
    /// The value, if it is known and may be shown.
    pub value: Option<Value>,
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
    /// Returns what the blocks of the module and of those that it calls say besides the values that they compute. Modules without
    /// instances are left out. The values must be evaluated before.
    #[doc(hidden)]
    pub fn settings(&self, meanings: &mut Meanings) -> Vec<Setting> {
        let (mut found, mut seen, mut open) = (Vec::new(), HashSet::new(), vec![self.root.clone()]);
        while let Some(instance) = open.pop() {
            open.extend(instance.calls().cloned());
            let names: Vec<Step> =
                instance.path.iter().filter(|step| step.name().is_some()).cloned().collect();
            let module = written(&names);
            if !seen.insert(module.clone()) {
                continue;
            }
            for item in &instance.config.items {
                if let Some(kind) = kind(item) {
                    let subject = subject(item, kind);
                    let mut reading = Reading {
                        instance: &instance,
                        module: &module,
                        kind,
                        subject,
                        meanings,
                        found: &mut found,
                    };
                    reading.item(item);
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
    instance: &'r Arc<Instance>,
    module: &'r str,
    kind: SettingKind,
    subject: String,
    meanings: &'r mut Meanings,
    found: &'r mut Vec<Setting>,
}

impl Reading<'_> {
    fn item(&mut self, item: &Item) {
        let place = item.place();
        self.add(String::new(), None, false, &place);
        let schema = item.rule.schema(&self.instance.tree.language);
        let schema = item.rule.repeat.iter().fold(schema, |all, name| all.with_optional(name.clone()));
        let mut left_out: HashSet<&str> = item.rule.repeat.iter().map(Name::as_str).collect();
        left_out.extend(INFORMS);
        let mut hidden = HashSet::new();
        match &item.content {
            Content::Object(shape) => {
                left_out.extend(shape.names().map(Name::as_str));
                left_out.insert(DYNAMIC);
            }
            Content::Call(call) => {
                left_out.extend(call.arguments.iter().map(|argument| argument.name.as_str()));
            }
            Content::Output(_) => _ = left_out.insert(item.rule.value.as_str()),
            Content::Input(input) if input.hidden => hidden.extend(["default", "type"]),
            _ => {}
        }
        self.body(&item.block.body, &schema, "", &left_out, &hidden);
    }

    fn body(
        &mut self,
        body: &Body,
        schema: &Schema,
        path: &str,
        left_out: &HashSet<&str>,
        hidden: &HashSet<&str>,
    ) {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for own in body.items_by(schema) {
            if left_out.contains(own.name()) {
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
                        self.body(&block.body, &Schema::new(), &path, &HashSet::new(), &HashSet::new());
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
        let here = Here::of(self.instance);
        // Of conditions, types and the like counts what they say.
        let is_configuration = ["provisioner.", "connection."].iter().any(|block| path.starts_with(block));
        let is_value = matches!(self.kind, SettingKind::Settings | SettingKind::Call)
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
            let (value, found) = own.evaluate_lenient(&self.instance.context);
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
