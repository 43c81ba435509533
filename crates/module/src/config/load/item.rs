//! Reading one block: its arguments, conditions and what repeats it.

use std::sync::Arc;

use hclkit_model::{
    Attribute, Block, Body, Content as Parts, Context, Expression, Schema, TypeConstraint, hides_value,
    type_of,
};
use hclkit_syntax::Diagnostics;
use hclkit_value::{Function, Name, Parameter, Type, Value};

use super::{Loading, path};
use crate::config::{Condition, Content, Input, Item, Output, Shape, StepBlock};
use crate::messages;
use hclkit_dialect::{BlockRule, Dialect, NestedRole, NestedRule, ObjectRule, Role};

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
            let (parts, rest) = diagnostics.absorb(block.body.partial_content(&schema));
            (parts, unescaped(self.language, rest, diagnostics))
        };
        exactly_one(&rule.one_of, |name| parts.attributes.get(name).cloned(), &block, diagnostics);
        let mut conditions = Vec::new();
        self.conditions(&rule.block_type, &parts, &mut conditions, diagnostics);
        check_conditions(rule, &address, &conditions, diagnostics);
        let content = match rule.role {
            Role::Input => {
                let hidden = is_doubtful || hides_value(&block.body);
                Content::Input(Box::new(input(self.language, &parts, &block, hidden, diagnostics)))
            }
            Role::Value | Role::Result => Content::Output(Output {
                value: parts.attributes.get(&rule.value).map(|attribute| attribute.expression.clone()),
                constraint: parts.attributes.get("type").filter(|_| rule.is_static("type")).and_then(|ty| {
                    TypeConstraint::of(&ty.expression).map_err(|found| diagnostics.append(found)).ok()
                }),
                deprecated: text(&parts, "deprecated"),
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
                    object_contents(&rest, schema, known, diagnostics);
                }
                Content::Object(Shape::with_written(&rest, &self.language.as_written))
            }
            Role::Check => Content::Check,
            Role::Settings | Role::Values | Role::Inputs | Role::Build => {
                let fixed =
                    rule.fixed.iter().fold(Schema::new(), |all, name| all.with_optional(name.clone()));
                Content::Settings(Shape::of(&rest.partial_content(&fixed).0.1))
            }
        };
        let repetition = self.repetition(rule, &parts, diagnostics);
        // Objects in it are items of their own.
        let is_object = |block: &Block| {
            self.language.block(&block.block_type).is_some_and(|own| own.role == Role::Object)
        };
        let unknown = parts.blocks.iter().filter(|block| !is_object(block)).filter_map(|block| {
            let rule = self.language.nested(&block.block_type)?;
            Some(path(&rule.defines, block, None)).filter(|path| !path.is_empty())
        });
        let mut unevaluated = references(&rule.references, &parts);
        for block in parts.blocks.iter().filter(|block| !is_object(block)) {
            if let Some(nested) = self.language.nested_in(&rule.block_type, &block.block_type) {
                self.not_evaluated(nested, block, &mut unevaluated);
            }
        }
        for (_, names) in &mut unevaluated {
            names.extend(rule.binds.iter().cloned());
        }
        let (labels, unknown) = (block.labels.clone(), unknown.collect());
        let steps = if rule.role == Role::Object { self.steps(&parts.blocks) } else { Vec::new() };
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
            unevaluated,
            unknown,
            scope: None,
            steps,
        }
    }

    /// The provisioners among some blocks, and how they connect. A connection that no provisioner uses is not read.
    fn steps(&self, blocks: &[Block]) -> Vec<StepBlock> {
        let known = |block: &Block| self.language.object(&block.block_type, block.labels.first()?);
        if !blocks.iter().any(|block| known(block).is_some()) {
            return Vec::new();
        }
        let typed = |rule: &&NestedRule| !rule.argument_types.is_empty();
        let plain = |block: &Block, rule: &NestedRule| StepBlock {
            attributes: block.body.attributes().0.into_iter().collect(),
            types: rule.argument_types.clone(),
            not_empty: Vec::new(),
            binds: rule.binds.clone(),
        };
        let mut steps = Vec::new();
        for block in blocks {
            let Some(rule) = self.language.nested(&block.block_type) else { continue };
            let Some(known) = known(block) else {
                steps.extend(Some(rule).filter(typed).map(|rule| plain(block, rule)));
                continue;
            };
            let schema = rule.fixed.iter().fold(Schema::new(), |all, name| all.with_optional(name.clone()));
            let within = |rule: &&NestedRule| rule.within.contains(&block.block_type);
            let inner = self.language.nested_blocks.iter().filter(within).filter(typed);
            let schema = inner.fold(schema, |all, rule| all.with_block(rule.block_type.clone(), &[]));
            let ((parts, rest), _) = block.body.partial_content(&schema);
            let rest = unescaped(self.language, rest, &mut Diagnostics::new());
            steps.push(StepBlock {
                attributes: rest.attributes().0.into_iter().collect(),
                types: known.argument_types.clone(),
                not_empty: known.not_empty.clone(),
                binds: rule.binds.clone(),
            });
            for inner in &parts.blocks {
                let rule = self.language.nested(&inner.block_type);
                steps.extend(rule.map(|rule| plain(inner, rule)));
            }
        }
        steps
    }

    /// Adds the expressions of a nested block that are not evaluated, each with the names bound there.
    fn not_evaluated(
        &self,
        rule: &NestedRule,
        block: &Block,
        unevaluated: &mut Vec<(Expression, Vec<Name>)>,
    ) {
        let schema = |names: &[Name]| {
            names.iter().fold(Schema::new(), |schema, name| schema.with_optional(name.clone()))
        };
        let ((parts, _), _) = block.body.partial_content(&schema(&rule.references));
        unevaluated.extend(references(&rule.references, &parts));
        if rule.role == NestedRole::Group {
            for inner in block.body.partial_content(&self.language.nested_schema(&rule.blocks)).0.0.blocks {
                if let Some(rule) = self.language.nested_in(&block.block_type, &inner.block_type) {
                    self.not_evaluated(rule, &inner, unevaluated);
                }
            }
        }
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
            unevaluated.push((expression.clone(), names.iter().chain(&rule.binds).cloned().collect()));
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
            let rule = self.language.nested_in(&rule.block_type, &block.block_type);
            rule.into_iter().flat_map(|rule| &rule.repeat).filter_map(|name| {
                let ((inner, _), _) = block.body.partial_content(&Schema::new().with_optional(name.clone()));
                Some((self.language.repeat(name)?, inner.attributes.get(name)?.clone()))
            })
        });
        let mut all = own.chain(nested);
        let (repeat, attribute) = all.next()?;
        // One in an override file may be beside another one in the block itself, which counts if it is first in the rule.
        if let Some((other, second)) = all.next()
            && Arc::ptr_eq(&attribute.source, &second.source)
        {
            let error = messages::both_repeats(&repeat.attribute, &other.attribute).at(second.name_span);
            diagnostics.push(error.with_source(&second.source));
        }
        Some((repeat.clone(), attribute.expression))
    }

    fn conditions(
        &self,
        around: &Name,
        parts: &Parts,
        conditions: &mut Vec<Condition>,
        diagnostics: &mut Diagnostics,
    ) {
        for block in &parts.blocks {
            let Some(rule) = self.language.nested_in(around, &block.block_type) else { continue };
            match rule.role {
                NestedRole::Value
                | NestedRole::Ignored
                | NestedRole::Opaque
                | NestedRole::Constant
                | NestedRole::Early => {}
                NestedRole::Group => {
                    let schema = self.language.nested_schema(&rule.blocks);
                    let ((inner, _), _) = block.body.partial_content(&schema);
                    self.conditions(&block.block_type, &inner, conditions, diagnostics);
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

/// Reports what an object whose attributes are known cannot have. `schema` has its arguments.
fn object_contents(body: &Body, schema: Schema, rule: &ObjectRule, diagnostics: &mut Diagnostics) {
    // What a dynamic block contains is checked when its blocks are known.
    let is_open = !rule.blocks.is_empty();
    let schema = if is_open { schema.with_block("dynamic", &["type"]) } else { schema };
    let schema = rule.blocks.iter().fold(schema, |all, own| all.with_block(own.block_type.clone(), &[]));
    let parts = diagnostics.absorb(body.content(&schema));
    for block in parts.blocks_of("dynamic") {
        if let Some(label) =
            block.labels.first().filter(|own| !rule.blocks.iter().any(|it| it.block_type == **own))
        {
            diagnostics.push(messages::unsupported_dynamic(label, None).at(block.definition_place()));
        }
    }
    for own in &rule.blocks {
        let arguments = own.arguments.iter().fold(Schema::new(), |all, name| all.with_optional(name.clone()));
        let mut blocks = parts.blocks.iter().filter(|block| block.block_type == own.block_type);
        let Some(first) = blocks.next() else { continue };
        diagnostics.append(first.body.content(&arguments).1);
        for block in blocks {
            diagnostics.append(block.body.content(&arguments).1);
            let error = messages::meta::several_in_block(block, first, &rule.object_type);
            diagnostics.push(error.at(block.definition_place()));
        }
    }
}

/// A body with the contents of its escaping blocks, whose arguments are those of a provider.
pub(crate) fn unescaped(language: &Dialect, body: Body, diagnostics: &mut Diagnostics) -> Body {
    let Some(escaping) = language.escaping_block.as_ref().filter(|_| body.may_have_blocks()) else {
        return body;
    };
    let schema = Schema::new().with_block(escaping.clone(), &[]);
    let (parts, rest) = diagnostics.absorb(body.partial_content(&schema));
    match &parts.blocks[..] {
        [] => body,
        [only] => Body::merge([rest, only.body.clone()]),
        [first, second, ..] => {
            diagnostics.push(messages::several_escaping(second, first).at(second.definition_place()));
            rest
        }
    }
}

/// The values of attributes, none of which has names of its own.
fn references(names: &[Name], parts: &Parts) -> Vec<(Expression, Vec<Name>)> {
    let found = names.iter().filter_map(|name| parts.attributes.get(name));
    found.map(|attribute| (attribute.expression.clone(), Vec::new())).collect()
}

/// Whether an expression is null without references.
pub(crate) fn is_literal_null(expression: &Expression) -> bool {
    expression.evaluate(&Context::new()).is_ok_and(|value| value.is_null())
}

/// Reports attributes of which exactly one must be set, if none or several are. Null is not set.
pub(crate) fn exactly_one(
    names: &[Name],
    attribute: impl Fn(&Name) -> Option<Attribute>,
    block: &Block,
    diagnostics: &mut Diagnostics,
) {
    if names.is_empty() {
        return;
    }
    let set = names.iter().filter_map(attribute).filter(|own| !is_literal_null(&own.expression));
    let set: Vec<Attribute> = set.collect();
    if set.is_empty() {
        return diagnostics.push(messages::one_required(names).at(block.body.missing_item()));
    }
    if let [_, second, ..] = &set[..] {
        let error = messages::only_one(names).at(second.name_span);
        diagnostics.push(error.with_source(&second.source));
    }
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
        let refers_to_own = rule.role == Role::Object && {
            let message = condition.message.iter().flat_map(Expression::variables);
            references.iter().chain(&message.collect::<Vec<_>>()).any(is_own)
        };
        let error = if refers_to_own {
            messages::condition_of_itself(&crate::step::address(address), condition.binds.as_deref())
        } else if references.is_empty() {
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
        deprecated: text(parts, "deprecated"),
        sensitive: flag(parts, "sensitive", false, diagnostics),
        ephemeral: flag(parts, "ephemeral", false, diagnostics),
        hidden,
    };
    if language.constant_sources && input.constant {
        for (name, is_set) in [("sensitive", input.sensitive), ("ephemeral", input.ephemeral)] {
            if let Some(attribute) = parts.attributes.get(name).filter(|_| is_set) {
                let error = messages::constant_variable_is(name).at(attribute.name_span);
                diagnostics.push(error.with_source(&attribute.source));
            }
        }
    }
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

/// The value of an attribute that is a literal string. Others are reported elsewhere.
fn text(parts: &Parts, name: &str) -> Option<String> {
    let value = parts.attributes.get(name)?.expression.evaluate(&Context::new()).ok()?;
    Some(value.convert(&hclkit_value::Type::String).ok()?.as_str()?.to_owned())
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
