//! What a policy says of a resource, a call of a module or the configuration of a provider.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use hclkit::model::Scope;
use hclkit::{Context, Diagnostic, Diagnostics, Expression, Functions, Place, Severity, Type, Value};

use super::check::invalid;
use super::functions::{self, World};
use super::read::{Kind, Operation, Policy, PolicyFile};

/// What policies are applied to.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) attrs: Value,
    /// The attributes before the operation.
    pub(super) prior: Value,
    pub(super) meta: Value,
    pub(super) operation: Operation,
}

/// How strictly a policy is enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Advisory,
    Overridable,
    Mandatory,
}

impl Level {
    pub(super) fn severity(self) -> Severity {
        if self == Self::Advisory { Severity::Warning } else { Severity::Error }
    }
}

/// What a policy says.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) level: Level,
    /// The messages of the conditions that are false.
    pub(super) failed: Vec<String>,
    /// Why a condition, or whether the policy applies, is unknown.
    pub(super) unknown: Option<String>,
    pub(super) errors: Diagnostics,
    pub(super) info: Vec<String>,
}

/// The policies of a file with the values of its inputs.
pub(super) struct Session<'f> {
    file: &'f PolicyFile,
    functions: Functions,
    inputs: Value,
    has_data: bool,
    /// The local values of each policy.
    scopes: HashMap<usize, Scope>,
}

impl<'f> Session<'f> {
    /// Evaluates the local values that the policies share. Those with errors are evaluated again when they are needed, so that the
    /// errors are reported.
    pub(super) fn new(file: &'f PolicyFile, world: &Arc<World>, inputs: Value) -> Self {
        let functions = functions::library(world);
        let mut scope = Scope::new();
        for (name, expression) in &file.locals {
            // It was checked that each is defined once.
            let _ = scope.define(["local", name.as_str()], expression.clone());
        }
        let context = Context::new().with_functions(functions.clone()).with("input", inputs.clone());
        let context = if file.locals.is_empty() { context } else { context.with_scope(scope.clone()) };
        for (name, expression) in &file.locals {
            if let Ok(value) = expression.evaluate(&context) {
                scope.set(["local", name.as_str()], value);
            }
        }
        let of_policy = |(at, policy): (usize, &Policy)| {
            let mut own = scope.clone();
            for (name, expression) in &policy.locals {
                let _ = own.define(["local", name.as_str()], expression.clone());
            }
            (at, own)
        };
        let scopes = file.policies.iter().enumerate().map(of_policy).collect();
        Self { file, functions, inputs, has_data: world.data.is_some(), scopes }
    }

    /// Applies a policy of the file, by number. `None` if its filter leaves the subject out.
    pub(super) fn apply(
        &self,
        number: usize,
        subject: &Subject,
        reasons: &dyn Fn(&str) -> String,
    ) -> Option<Said> {
        let policy = &self.file.policies[number];
        let mut said = Said {
            level: Level::Mandatory,
            failed: Vec::new(),
            unknown: None,
            errors: Diagnostics::new(),
            info: Vec::new(),
        };
        let mut context = Context::new().with_functions(self.functions.clone());
        context.set("input", self.inputs.clone());
        context.set("attrs", subject.attrs.clone());
        context.set("prior_attrs", subject.prior.clone());
        context.set("meta", subject.meta.clone());
        if !policy.locals.is_empty() || !self.file.locals.is_empty() {
            context = context.with_scope(self.scopes[&number].clone());
        }
        let why = |expression: &Expression| self.why(policy, expression, subject, reasons);
        match level(policy, &context) {
            Ok(level) => said.level = level,
            Err(found) => said.errors.append(found),
        }
        if let Some(filter) = &policy.filter {
            match truth(filter, &context) {
                Ok(Some(true)) => {}
                Ok(Some(false)) => return None,
                Ok(None) => {
                    said.unknown = Some(why(filter));
                    return Some(said);
                }
                Err(found) => {
                    said.errors.append(found);
                    return Some(said);
                }
            }
        }
        for own in &policy.enforce {
            match truth(&own.condition, &context) {
                Ok(Some(true)) => {}
                Ok(Some(false)) => said.failed.push(match &own.error {
                    Some(error) => message(error, &context),
                    None => format!("The condition of the policy `{}` is false.", policy.name),
                }),
                Ok(None) => _ = said.unknown.get_or_insert_with(|| why(&own.condition)),
                Err(found) => said.errors.append(found),
            }
            if let Some(info) = &own.info {
                said.info.push(message(info, &context));
            }
        }
        Some(said)
    }

    /// Why an expression is unknown.
    fn why(
        &self,
        policy: &Policy,
        expression: &Expression,
        subject: &Subject,
        reasons: &dyn Fn(&str) -> String,
    ) -> String {
        let (attributes, calls) = self.uses(policy, expression);
        let mut parts: Vec<String> =
            calls.iter().filter_map(|name| functions::why_unknown(name, self.has_data)).collect();
        let whole = [("attrs", &subject.attrs), ("meta", &subject.meta)];
        for (root, name) in attributes {
            let Some((_, own)) = whole.iter().find(|(own, _)| *own == root) else { continue };
            if own.is_known() && !own.attribute(&name).is_ok_and(|own| own.is_wholly_known()) {
                parts.push(if root == "meta" { why_meta(policy, &name) } else { reasons(&name) });
            }
        }
        if policy.has_whole_attrs && !subject.attrs.is_known() {
            parts.push(
                "it uses all attributes, which only the schema of the provider lists (--provider-schema)"
                    .to_owned(),
            );
        }
        if parts.is_empty() && calls.contains("core::getresources") {
            parts.push("it looks for resources by values that are not known".to_owned());
        }
        if parts.is_empty() { "it depends on values that are not known".to_owned() } else { parts.join("; ") }
    }

    /// The attributes of `attrs` and `meta` that an expression uses, and the functions that it calls, by itself or through local
    /// values.
    fn uses(
        &self,
        policy: &Policy,
        expression: &Expression,
    ) -> (BTreeSet<(String, String)>, BTreeSet<String>) {
        let (mut names, mut calls) = (BTreeSet::new(), BTreeSet::new());
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut open = vec![expression.clone()];
        while let Some(own) = open.pop() {
            calls.extend(own.calls().into_iter().map(|call| call.name));
            for reference in own.variables() {
                let Some(name) = reference.steps.first().and_then(|step| step.target.name()) else {
                    continue;
                };
                match &*reference.root {
                    root @ ("attrs" | "meta") => _ = names.insert((root.to_owned(), name.to_owned())),
                    "local" if seen.insert(name.to_owned()) => {
                        let mut all = policy.locals.iter().chain(&self.file.locals);
                        open.extend(all.find(|(own, _)| own == name).map(|(_, own)| own.clone()));
                    }
                    _ => {}
                }
            }
        }
        (names, calls)
    }
}

/// Why an attribute of `meta` is unknown.
fn why_meta(policy: &Policy, name: &str) -> String {
    let why = match (policy.kind, name) {
        (Kind::Provider, "version") => "no lock file names it",
        (Kind::Module, "version") => "the call allows several versions",
        _ => "only HCP Terraform knows it",
    };
    format!("`meta.{name}` is not known: {why}")
}

/// The level at which a policy is enforced.
fn level(policy: &Policy, context: &Context) -> Result<Level, Diagnostics> {
    let Some(expression) = &policy.level else { return Ok(Level::Mandatory) };
    let value = expression.evaluate(context)?.unmark_deep().0;
    match value.as_str() {
        Some("advisory") => Ok(Level::Advisory),
        Some("mandatory") => Ok(Level::Mandatory),
        Some("mandatory_overridable") => Ok(Level::Overridable),
        _ => {
            let note = "`enforcement_level` is none of `\"advisory\"`, `\"mandatory\"` and `\"mandatory_overridable\"`.";
            Err(invalid(note).at(expression.place()).into())
        }
    }
}

/// The truth value of an expression, without marks. `None` if it is unknown.
fn truth(expression: &Expression, context: &Context) -> Result<Option<bool>, Diagnostics> {
    let value = expression.evaluate(context)?.unmark_deep().0;
    let wrong = |note: String, place: Place| -> Diagnostics { invalid(note).at(place).into() };
    if value.is_null() {
        return Err(wrong("The result is null; a bool is required.".to_owned(), expression.place()));
    }
    let value = value
        .convert(&Type::Bool)
        .map_err(|why| wrong(format!("The result is wrong: {why}."), expression.place()))?;
    Ok(value.as_bool())
}

/// A message. What is sensitive, unknown or wrong is not in it.
fn message(expression: &Expression, context: &Context) -> String {
    let text = match expression.evaluate(context) {
        Ok(value) if value.contains_marked() => "The message contains a sensitive value.".to_owned(),
        Ok(value) if !value.is_known() => "The message is not known.".to_owned(),
        Ok(value) => match value.convert(&Type::String) {
            Ok(text) => text.as_str().unwrap_or("The message is null.").to_owned(),
            Err(_) => "The message is not a string.".to_owned(),
        },
        Err(found) => {
            let why = found.iter().next().map(Diagnostic::note).unwrap_or_default();
            format!("The message cannot be evaluated: {why}")
        }
    };
    text.trim().to_owned()
}
