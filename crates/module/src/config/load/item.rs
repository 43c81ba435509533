//! Reading one block: its arguments, conditions and what repeats it.

use std::sync::Arc;

use hclkit_model::{
    Attribute, Block, Body, Content as Parts, Context, Expression, Schema, TypeConstraint, hides_value,
    type_of,
};
use hclkit_syntax::Diagnostics;
use hclkit_value::{Function, Name, Parameter, Type, Value};

use super::{Loading, path};
use crate::config::{Condition, Content, Input, Item, Output, Shape};
use crate::messages;
use hclkit_dialect::{BlockRule, Dialect, NestedRole, NestedRule, Role};

impl Loading<'_> {
    pub(super) fn item(
        &mut self,
        rule: &Arc<BlockRule>,
        block: Block,
        address: Vec<Name>,
        is_doubtful: bool,
        diagnostics: &mut Diagnostics,
    ) -> Item {
        let schema = rule.schema(self.language);
        let (parts, rest) = if rule.attributes.is_some() || rule.role == Role::Check {
            (diagnostics.absorb(block.body.content(&schema)), Body::empty())
        } else {
            diagnostics.absorb(block.body.partial_content(&schema))
        };
        let mut conditions = Vec::new();
        self.conditions(&parts, &mut conditions, diagnostics);
        check_conditions(rule, &address, &conditions, diagnostics);
        let content = match rule.role {
            Role::Input => {
                let hidden = is_doubtful || hides_value(&block.body);
                Content::Input(Box::new(input(self.language, &parts, &block, hidden, diagnostics)))
            }
            Role::Value | Role::Result => Content::Output(Output {
                value: parts.attributes.get(&rule.value).map(|attribute| attribute.expression.clone()),
                sensitive: flag(&parts, "sensitive", false, diagnostics),
                ephemeral: flag(&parts, "ephemeral", false, diagnostics),
                hidden: is_doubtful || hides_value(&block.body),
            }),
            Role::Call => Content::Call(self.call(&block, &parts, &rest, diagnostics)),
            Role::Object => {
                if let Some(known) =
                    block.labels.first().and_then(|ty| self.language.object(&rule.block_type, ty))
                {
                    let arguments = known.arguments.iter();
                    let schema = arguments.fold(Schema::new(), |all, name| all.with_optional(name.clone()));
                    let required = known.required.iter();
                    let schema = required.fold(schema, |all, name| all.with_required(name.clone()));
                    diagnostics.append(rest.content(&schema).1);
                }
                Content::Object(Shape::of(&rest))
            }
            Role::Check => Content::Check,
            Role::Settings | Role::Values | Role::Inputs | Role::Build => {
                let fixed =
                    rule.fixed.iter().fold(Schema::new(), |all, name| all.with_optional(name.clone()));
                Content::Settings(Shape::of(&rest.partial_content(&fixed).0.1))
            }
        };
        let repetition = self.repetition(rule, &parts, diagnostics);
        let unknown = parts.blocks.iter().filter_map(|block| {
            let rule = self.language.nested(&block.block_type)?;
            Some(path(&rule.defines, block, None)).filter(|path| !path.is_empty())
        });
        let mut more = references(&rule.references, &parts);
        for block in &parts.blocks {
            if let Some(rule) = self.language.nested(&block.block_type) {
                self.not_evaluated(rule, block, &mut more);
            }
        }
        for (_, names) in &mut more {
            names.extend(rule.binds.iter().cloned());
        }
        let (labels, unknown) = (block.labels.clone(), unknown.collect());
        let long_address = Vec::new();
        Item {
            rule: rule.clone(),
            address,
            long_address,
            labels,
            block,
            conditions,
            repetition,
            content,
            more,
            unknown,
        }
    }

    /// Adds the expressions of a nested block that are not evaluated, each with the names bound there.
    fn not_evaluated(&self, rule: &NestedRule, block: &Block, more: &mut Vec<(Expression, Vec<Name>)>) {
        let schema = |names: &[Name]| {
            names.iter().fold(Schema::new(), |schema, name| schema.with_optional(name.clone()))
        };
        let ((parts, _), _) = block.body.partial_content(&schema(&rule.references));
        more.extend(references(&rule.references, &parts));
        if !matches!(rule.role, NestedRole::Ignored | NestedRole::Early) {
            return;
        }
        let ((_, rest), _) = block.body.partial_content(&schema(&rule.fixed));
        let is_early = rule.role == NestedRole::Early;
        Shape::of(&rest).each(&mut |expression, names| {
            // What is not early is reported as such.
            if is_early && !expression.references().all(|reference| self.language.is_early(&reference.root)) {
                return;
            }
            more.push((expression.clone(), names.iter().chain(&rule.binds).cloned().collect()));
        });
    }

    fn repetition(
        &self,
        rule: &BlockRule,
        parts: &Parts,
        diagnostics: &mut Diagnostics,
    ) -> Option<(hclkit_dialect::Repeat, Expression)> {
        let set = |name: &Name| Some((self.language.repeat(name)?, parts.attributes.get(name)?.clone()));
        let own = rule.repeat.iter().filter_map(set);
        let nested = parts.blocks.iter().flat_map(|block| {
            let rule = self.language.nested(&block.block_type);
            rule.into_iter().flat_map(|rule| &rule.repeat).filter_map(|name| {
                let ((inner, _), _) = block.body.partial_content(&Schema::new().with_optional(name.clone()));
                Some((self.language.repeat(name)?, inner.attributes.get(name)?.clone()))
            })
        });
        let mut all = own.chain(nested);
        let (repeat, attribute) = all.next()?;
        if let Some((other, second)) = all.next() {
            let error = messages::both_repeats(&repeat.attribute, &other.attribute).at(second.name_span);
            diagnostics.push(error.with_source(&second.source));
        }
        Some((repeat.clone(), attribute.expression))
    }

    fn conditions(&self, parts: &Parts, conditions: &mut Vec<Condition>, diagnostics: &mut Diagnostics) {
        for block in &parts.blocks {
            let Some(rule) = self.language.nested(&block.block_type) else { continue };
            match rule.role {
                NestedRole::Value
                | NestedRole::Ignored
                | NestedRole::Opaque
                | NestedRole::Constant
                | NestedRole::Early => {}
                NestedRole::Group => {
                    let schema = self.language.nested_schema(&rule.blocks);
                    let ((inner, _), _) = block.body.partial_content(&schema);
                    self.conditions(&inner, conditions, diagnostics);
                }
                NestedRole::Condition => {
                    let schema = Schema::new().with_required("condition").with_required("error_message");
                    let inner = diagnostics.absorb(block.body.content(&schema));
                    let part = |name| inner.attributes.get(name).map(|it: &Attribute| it.expression.clone());
                    let Some(condition) = part("condition") else { continue };
                    let (message, binds) = (part("error_message"), rule.binds.clone());
                    conditions.push(Condition { expression: condition, message, binds, warns: rule.warns });
                }
            }
        }
    }
}

/// The values of attributes, none of which has names of its own.
fn references(names: &[Name], parts: &Parts) -> Vec<(Expression, Vec<Name>)> {
    let found = names.iter().filter_map(|name| parts.attributes.get(name));
    found.map(|attribute| (attribute.expression.clone(), Vec::new())).collect()
}

/// Reports conditions that refer to nothing.
fn check_conditions(
    rule: &BlockRule,
    address: &[Name],
    conditions: &[Condition],
    diagnostics: &mut Diagnostics,
) {
    for condition in conditions {
        let references = condition.expression.variables();
        let is_own = |reference: &hclkit_model::Traversal| {
            let written = reference.to_string();
            let own = crate::step::address(address);
            written.strip_prefix(&own).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let error = if references.is_empty() {
            messages::constant_condition()
        } else if rule.role == Role::Input && !references.iter().any(is_own) {
            messages::condition_without_variable(&crate::step::address(address))
        } else {
            continue;
        };
        diagnostics.push(error.at(condition.expression.place()));
    }
}

fn input(
    language: &Dialect,
    parts: &Parts,
    block: &Block,
    hidden: bool,
    diagnostics: &mut Diagnostics,
) -> Input {
    let constraint = parts.attributes.get("type").and_then(|ty| {
        if language.exact_types {
            let exact = type_of(&ty.expression).map_err(|found| diagnostics.append(found)).ok();
            return exact.map(|ty| TypeConstraint { ty, defaults: None });
        }
        // Terraform still accepts these.
        let old = match ty.expression.static_keyword().filter(|_| language.short_types).as_deref() {
            Some("list") => Expression::parse("list(any)").ok(),
            Some("map") => Expression::parse("map(any)").ok(),
            _ => None,
        };
        let ty = old.as_ref().unwrap_or(&ty.expression);
        TypeConstraint::of(ty).map_err(|found| diagnostics.append(found)).ok()
    });
    let mut input = Input {
        constraint,
        default: None,
        default_expression: None,
        nullable: flag(parts, "nullable", true, diagnostics),
        constant: flag(parts, "const", false, diagnostics),
        sensitive: flag(parts, "sensitive", false, diagnostics),
        ephemeral: flag(parts, "ephemeral", false, diagnostics),
        hidden,
    };
    let Some(default) = parts.attributes.get("default") else { return input };
    let (value, found) = default.expression.evaluate_lenient(&Context::new());
    let failed = found.has_errors();
    input.default_expression = Some(default.expression.clone());
    if failed && !language.default_functions.is_empty() {
        input.default = computed_default(language, &default.expression, diagnostics);
        return input;
    }
    diagnostics.append(found);
    if language.typed_by_default && input.constraint.is_none() && !value.is_null() && !failed {
        input.constraint = Some(TypeConstraint { ty: value.ty(), defaults: None });
    }
    let converted = match &input.constraint {
        Some(constraint) if !failed => constraint.convert(&value),
        _ => Ok(value.clone()),
    };
    let value = converted.unwrap_or_else(|problem| {
        let place = default.expression.place_of(&problem.path());
        let problem = if hidden { messages::NOT_CONVERTIBLE.to_owned() } else { problem.to_string() };
        diagnostics.push(messages::invalid_default(&problem).at(place));
        Value::DYNAMIC
    });
    if value.is_null() && !input.nullable {
        let name = block.labels.last().map(Name::as_str).unwrap_or_default();
        diagnostics.push(messages::not_null(name).at(default.expression.place()));
    }
    input.default = Some(value);
    input
}

/// Checks a default that is not constant. There is no value before evaluation, unless it has errors.
pub(super) fn computed_default(
    language: &Dialect,
    default: &Expression,
    diagnostics: &mut Diagnostics,
) -> Option<Value> {
    let anything = || Parameter::new("arguments", Type::Dynamic).with_nulls().with_unknowns().with_dynamic();
    let unknown = || Function::unnamed(Type::Dynamic, |_, _| Ok(Value::DYNAMIC)).with_variadic(anything());
    let functions = language.default_functions.iter().map(|name| (name.clone(), unknown()));
    let context = Context::new().with_functions(functions.collect::<hclkit_model::Functions>());
    let (_, found) = default.evaluate_lenient(&context);
    let failed = found.has_errors();
    diagnostics.append(found);
    failed.then_some(Value::DYNAMIC)
}

/// The value of an attribute that is `true` or `false`.
fn flag(parts: &Parts, name: &str, default: bool, diagnostics: &mut Diagnostics) -> bool {
    let Some(attribute) = parts.attributes.get(name) else { return default };
    let (value, found) = attribute.expression.evaluate_lenient(&Context::new());
    let failed = found.has_errors();
    diagnostics.append(found);
    let value = value.convert(&Type::Bool).ok();
    value.as_ref().and_then(Value::as_bool).unwrap_or_else(|| {
        if !failed {
            diagnostics.push(messages::literal_bool_required(name).at(attribute.expression.place()));
        }
        default
    })
}
