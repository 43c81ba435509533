//! The values of blocks: input variables, results, objects, calls of modules, and conditions.

use std::collections::HashSet;
use std::sync::{Arc, Weak};

use hclkit_limits::with_room;
use hclkit_model::{Computation, Context, Expression, Functions, Target, Traversal};
use hclkit_syntax::{Diagnostic, Diagnostics, Place, nearest_name};
use hclkit_value::{Mark, Marks, Name, ObjectType, Str, Type, Value};

use super::build;
use super::view::{instance, settable, view};
use super::{Instance, Stage};
use crate::config::{Call, Condition, Config, Content, Declaration, Item, Output, Shape, unescaped};
use crate::data_sources::DataSource;
use crate::instances::{Instances, bind};
use crate::known_objects::ReplacedObject;
use crate::messages;
use crate::schema::{BlockSchema, Schemas, Unset};
use hclkit_dialect::{BlockRule, Builtin, Dialect, ObjectBlock, ObjectRule, Over, Repeat, Role};

/// A value of a block. The instance is the owner of the scope.
#[derive(Debug)]
pub(crate) struct BlockValue {
    pub(super) config: Arc<Config>,
    pub(super) item: usize,
    pub(super) kind: BlockValueKind,
}

#[derive(Debug)]
pub(crate) enum BlockValueKind {
    Input,
    Output,
    Object,
    /// All instances of a call.
    Call,
    /// A result of a call without instances: the index of the block in the called module.
    CallResult(usize),
    /// A condition of the block.
    Condition(usize),
    /// Expressions that are not part of a value.
    Effects,
    /// The sources of a build.
    Build,
}

/// The instance of a module whose scope a context has.
fn owner(context: &Context) -> Option<Arc<Instance>> {
    context.owner::<Weak<Instance>>()?.upgrade()
}

/// A name that the program defines.
#[derive(Debug)]
pub(super) struct BuiltinName {
    pub(super) builtin: Builtin,
    pub(super) directory: String,
}

impl Computation for BuiltinName {
    fn expressions(&self) -> Vec<Expression> {
        Vec::new()
    }

    fn compute(&self, context: &Context) -> (Value, Diagnostics) {
        let value = owner(context).map(|owner| owner.tree.outside.value(self.builtin, &self.directory));
        (value.unwrap_or(Value::DYNAMIC), Diagnostics::new())
    }
}

impl BlockValue {
    fn item(&self) -> &Item {
        &self.config.items[self.item]
    }

    fn repeat(&self) -> Option<&Repeat> {
        self.item().repeat()
    }

    /// In a check, returns the context of an unknown instance if no instances are known.
    fn any(&self, instance: &Instance, instances: &Instances) -> Option<Context> {
        if !instance.tree.validates() {
            return None;
        }
        let key = instances.any(self.repeat())?;
        Some(bind(&instance.any_context(), self.repeat(), Some(&key)))
    }

    fn condition(&self) -> Option<&Condition> {
        match self.kind {
            BlockValueKind::Condition(at) => self.item().conditions.get(at),
            _ => None,
        }
    }

    /// The known attributes of the object.
    fn rule(&self, instance: &Instance) -> Option<ObjectRule> {
        let item = self.item();
        instance.tree.language.object(&item.rule.block_type, item.labels.first()?).cloned()
    }

    /// The provider's schema of the object, unless the language defines its attributes.
    fn schema<'i>(&self, instance: &'i Instance) -> Option<&'i BlockSchema> {
        let item = self.item();
        let known = instance.tree.language.object(&item.rule.block_type, item.labels.first()?);
        if known.is_some() {
            return None;
        }
        instance.tree.schemas.object(item, &instance.config)
    }

    /// Returns true if an expression is an attribute of an object that gets the value of an argument when the object is created.
    /// Applications do not know its type before.
    fn is_planned(&self, expression: &Expression, context: &Context) -> bool {
        let (Some(instance), [reference]) = (owner(context), &expression.variables()[..]) else {
            return false;
        };
        let written = expression.text().trim_matches(['"', '$', '{', '}', '(', ')', ' ']);
        let names: Vec<Name> = std::iter::once(reference.root.clone())
            .chain(reference.steps.iter().filter_map(|step| match &step.target {
                Target::Attribute(name) => Some(name.clone()),
                Target::Element(_) => None,
            }))
            .collect();
        let found = self.config.definitions().longest(&names);
        let Some((Declaration::Item(at), length)) = found.filter(|_| *written == reference.to_string())
        else {
            return false;
        };
        let item = &self.config.items[at];
        let ty = item.labels.first().map_or("", Name::as_str);
        let rule = instance.tree.language.object(&item.rule.block_type, ty);
        rule.is_some_and(|rule| rule.same.iter().any(|(own, _)| names.get(length) == Some(own)))
    }

    /// The place of an attribute or of a block in the object.
    fn place_of(&self, shape: &Shape, name: &str) -> Place {
        let attribute = shape.attributes.iter().find(|attribute| attribute.name == *name);
        attribute.map_or_else(|| self.item().place(), |attribute| attribute.expression.place())
    }
}

impl Computation for BlockValue {
    fn expressions(&self) -> Vec<Expression> {
        let item = self.item();
        let repeated = item.repetition.as_ref().map(|(_, expression)| expression.clone());
        let own: Vec<Expression> = match (&self.kind, &item.content) {
            (BlockValueKind::Output, Content::Output(output)) => output.value.iter().cloned().collect(),
            (BlockValueKind::Object, Content::Object(shape))
            | (BlockValueKind::Effects, Content::Settings(shape)) => shape.expressions().cloned().collect(),
            (BlockValueKind::Effects, Content::Object(_)) => {
                let attributes = item.steps.iter().flat_map(|step| &step.attributes);
                attributes.map(|attribute| attribute.expression.clone()).collect()
            }
            (BlockValueKind::Effects, Content::Call(call)) => {
                call.arguments.iter().map(|argument| argument.expression.clone()).collect()
            }
            (BlockValueKind::Call, Content::Call(call)) => call.source.iter().cloned().collect(),
            (BlockValueKind::Condition(_), _) => {
                let condition = self.condition();
                let parts = condition.map(|it| [Some(&it.expression), it.message.as_ref()]);
                parts.into_iter().flatten().flatten().cloned().collect()
            }
            // What a build needs is evaluated with it, because `source` has another meaning in its steps.
            _ => Vec::new(),
        };
        match self.kind {
            BlockValueKind::Input | BlockValueKind::Output | BlockValueKind::CallResult(_) => own,
            _ => repeated.into_iter().chain(own).collect(),
        }
    }

    /// In dynamic blocks, the names of elements hide those of the module. Undefined names in what a block would contain are
    /// errors only if there is one, which its evaluation reports.
    fn references(&self, context: &Context) -> Vec<(Expression, Vec<Traversal>)> {
        let mut bound: Vec<(Vec<Name>, bool)> = Vec::new();
        if let (BlockValueKind::Object, Content::Object(shape))
        | (BlockValueKind::Effects, Content::Settings(shape)) = (&self.kind, &self.item().content)
        {
            bound.resize(usize::from(self.item().repetition.is_some()), (Vec::new(), false));
            shape.each_in_place(&mut |_, names, is_content| bound.push((names.to_vec(), is_content)));
        }
        let instance = owner(context);
        let is_undefined = |expression: &Expression, names: &[Name]| {
            let mut context = match &instance {
                Some(instance) => {
                    bind(&instance.context, self.repeat(), Instances::Unknown.any(self.repeat()).as_ref())
                }
                None => return false,
            };
            context.set_all(names.iter().map(|name| (name.clone(), Value::DYNAMIC)));
            !context.undefined_names(expression).is_empty()
        };
        let with_references = |(at, expression): (usize, Expression)| {
            let mut references = expression.variables();
            if let Some((names, is_content)) = bound.get(at).filter(|(names, _)| !names.is_empty()) {
                references.retain(|reference| !names.contains(&reference.root));
                if *is_content && is_undefined(&expression, names) {
                    references.clear();
                }
            }
            (expression, references)
        };
        self.expressions().into_iter().enumerate().map(with_references).collect()
    }

    fn compute(&self, context: &Context) -> (Value, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let Some(instance) = owner(context) else { return (Value::DYNAMIC, diagnostics) };
        let item = self.item();
        let value = match (&self.kind, &item.content) {
            (BlockValueKind::Input, Content::Input(input)) => {
                with_room(|| instance.seen_input(item, input, &mut diagnostics))
            }
            (BlockValueKind::Output, Content::Output(output)) => {
                instance.output(item, output, context, &mut diagnostics)
            }
            (BlockValueKind::CallResult(result), Content::Call(call)) => with_room(|| {
                if let Some(known) = instance.tree.known.results(|| instance.address_of(item, None)) {
                    let name = call.config.as_ref().and_then(|called| called.items.get(*result));
                    return name.map_or(Value::NULL, |own| known_result(&known, own.own_name()));
                }
                let mut value = || {
                    let child = instance.only_child(self.item, &mut diagnostics);
                    child.map_or(Value::DYNAMIC, |child| child.result(*result, &mut diagnostics))
                };
                if !instance.is_validation {
                    return value();
                }
                let declared = call.config.as_ref().and_then(|called| called.items.get(*result));
                let any = declared.map_or(Value::DYNAMIC, |item| Value::unknown(declared_type(item)));
                if instance.tree.keeps_marks { instance.tree.with_marks_of(any, &value()) } else { any }
            }),
            (BlockValueKind::Call, Content::Call(Call { config: None, .. })) => Value::DYNAMIC,
            (BlockValueKind::Call, Content::Call(call)) => with_room(|| {
                let instances = Instances::of(item.repetition.as_ref(), context, &mut diagnostics);
                let mut children = instance.children(self.item, call, &instances, &mut diagnostics).iter();
                if instance.is_validation && instance.tree.keeps_marks {
                    let children = children.map(|child| child.all_results(&mut diagnostics));
                    let all = Value::tuple(children.collect::<Vec<_>>());
                    return instance.tree.with_marks_of(self.results(call), &all);
                }
                if instance.is_validation
                    || instance.tree.validates() && matches!(instances, Instances::Unknown)
                {
                    return self.results(call);
                }
                let value = instances.collect(|key| {
                    let child = children.next();
                    if let Some(known) = instance.tree.known.results(|| instance.address_of(item, key)) {
                        let all = child.into_iter().flat_map(|child| &child.config.items);
                        let results = all.filter(|item| item.rule.role == Role::Result).map(Item::own_name);
                        let value = |name| (Str::from(name), known_result(&known, name));
                        return Value::object(results.map(value).collect::<Vec<_>>());
                    }
                    child.map_or(Value::DYNAMIC, |child| child.all_results(&mut diagnostics))
                });
                self.with_declared_types(value, call, &instance.tree.language)
            }),
            (BlockValueKind::Object, Content::Object(shape)) => {
                let (rule, schema) = (self.rule(&instance), self.schema(&instance));
                let source = instance.data_source(item);
                if let Some(schema) = schema {
                    let meta = item.rule.schema(&instance.tree.language);
                    let ((_, rest), _) = item.block.body.partial_content(&meta);
                    let rest = unescaped(&instance.tree.language, rest, &mut Diagnostics::new());
                    schema.check(&rest, &item.place(), &mut diagnostics);
                }
                let instances = Instances::of(item.repetition.as_ref(), context, &mut diagnostics);
                if let Some(context) = self.any(&instance, &instances) {
                    self.attributes(shape, rule.as_ref(), &context, &mut diagnostics);
                }
                let value = instances.collect(|key| {
                    let context = bind(context, self.repeat(), key);
                    let values = self.attributes(shape, rule.as_ref(), &context, &mut diagnostics);
                    let address = || instance.address_of(item, key);
                    let provider = || item.provider().unwrap_or_default();
                    let is_replaced = instance.tree.known.replaces(address, provider);
                    let source = source.filter(|_| !is_replaced);
                    let outputs = source.map(|source| {
                        self.outputs(source, &values, &instance.tree.functions, shape, &mut diagnostics)
                    });
                    let value = match schema {
                        Some(schema) => {
                            let values = schema.with_whole_blocks(values, is_block(shape));
                            let is_data = DataSource::is_block(&item.rule.block_type);
                            let is_known = || values.iter().all(|(_, value)| value.is_wholly_known());
                            let computed = || {
                                instance.tree.known.computed(&ReplacedObject {
                                    address: &address(),
                                    object_type: item.labels.first().map(Name::as_str).unwrap_or_default(),
                                    is_data,
                                    provider: &provider(),
                                    is_deferred: is_data && (!is_known() || instance.is_deferred(item)),
                                })
                            };
                            let computed = is_replaced.then(computed).flatten();
                            let unset = Unset { path: &[], values: computed.as_deref() };
                            schema.object(
                                &values,
                                unset,
                                &|name| self.place_of(shape, name),
                                &mut diagnostics,
                            )
                        }
                        None => object(values, rule.as_ref(), shape, instance.tree.stage),
                    };
                    let value = with_outputs(value, outputs.unwrap_or_default());
                    instance.tree.known.object(address, value)
                });
                match instance.is_validation {
                    true if item.repetition.is_some() || instance.is_open(item) => {
                        instance.tree.with_marks_of(Value::DYNAMIC, &value)
                    }
                    true => instance.tree.with_marks_of(Value::unknown(value.unmark_deep().0.ty()), &value),
                    false => value,
                }
            }
            (BlockValueKind::Build, _) => {
                with_room(|| build::value(&instance, item, context, &mut diagnostics))
            }
            (BlockValueKind::Effects, Content::Settings(shape)) => {
                self.each(&instance, context, &mut diagnostics, |context, diagnostics| {
                    shape.evaluate(context, diagnostics);
                });
                Value::DYNAMIC
            }
            (BlockValueKind::Effects, Content::Object(_)) => {
                if instance.tree.validates() {
                    self.steps(&instance, context, &mut diagnostics);
                }
                Value::DYNAMIC
            }
            (BlockValueKind::Effects, Content::Call(call)) => {
                self.each(&instance, context, &mut diagnostics, |context, diagnostics| {
                    for argument in &call.arguments {
                        diagnostics.append(argument.expression.evaluate_lenient(context).1);
                    }
                });
                Value::DYNAMIC
            }
            (BlockValueKind::Condition(_), _) => {
                if let Some(condition) = self.condition() {
                    instance.condition(self, condition, context, &mut diagnostics);
                }
                Value::DYNAMIC
            }
            _ => Value::DYNAMIC,
        };
        (value, diagnostics)
    }

    /// Arguments and results of calls are evaluated in another scope, and some conditions refer to their own block.
    fn is_determined(&self) -> bool {
        match self.kind {
            // When a data source is read also depends on the call that the module belongs to.
            BlockValueKind::Object => !self.item().is_computed(),
            BlockValueKind::Output | BlockValueKind::Effects => true,
            BlockValueKind::Condition(_) => {
                self.condition().is_some_and(|condition| condition.binds.is_none())
            }
            BlockValueKind::Input
            | BlockValueKind::Call
            | BlockValueKind::CallResult(_)
            | BlockValueKind::Build => false,
        }
    }

    fn place(&self) -> Place {
        self.item().place()
    }

    fn view(&self, value: &Value, context: &Context) -> Value {
        let is_open = || owner(context).is_none_or(|instance| instance.is_open(self.item()));
        match (&self.kind, &self.item().content) {
            (BlockValueKind::Object, Content::Object(shape)) if is_open() => {
                view(value, self.repeat().map(|repeat| repeat.over), &is_block(shape))
            }
            _ => value.clone(),
        }
    }
}

impl BlockValue {
    /// The configured attributes of an object. Arguments that the object stores must not be ephemeral.
    fn attributes(
        &self,
        shape: &Shape,
        rule: Option<&ObjectRule>,
        context: &Context,
        diagnostics: &mut Diagnostics,
    ) -> Vec<(Name, Value)> {
        let mut values = shape.evaluate(context, diagnostics);
        let is_stored = |name: &Name| rule.is_some_and(|rule| rule.arguments.contains(name));
        if let Some(rule) = rule {
            for (name, value) in &mut values {
                let mut attributes = shape.attributes.iter();
                let expression = attributes.find(|own| own.name == *name).map(|own| &own.expression);
                let has_type =
                    value.is_known() || !expression.is_some_and(|own| self.is_planned(own, context));
                if let Some(error) = refused_argument(rule, name, value, has_type) {
                    diagnostics.push(error.at(self.place_of(shape, name)));
                    *value = Value::DYNAMIC;
                }
            }
            let is_written = |name: &Name| {
                let mut attributes = shape.attributes.iter();
                attributes.any(|own| own.name == *name && own.expression.static_map().is_ok())
            };
            for (name, error) in refused_settings(rule, &values, context, is_written) {
                diagnostics.push(error.at(self.place_of(shape, name)));
            }
        }
        for (name, value) in values.iter_mut().filter(|(name, _)| is_stored(name)) {
            if is_ephemeral(value) {
                diagnostics.push(messages::ephemeral_attribute(name).at(self.place_of(shape, name)));
                *value = Value::DYNAMIC;
            }
        }
        values
    }

    /// What the provider of a data source computes from its arguments. The values have no marks of these, because the provider does not
    /// see them, but must not be shown then.
    fn outputs(
        &self,
        source: &DataSource,
        given: &[(Name, Value)],
        functions: &Functions,
        shape: &Shape,
        diagnostics: &mut Diagnostics,
    ) -> Vec<(&'static str, Value)> {
        let hides = given.iter().any(|(_, value)| value.contains_marked());
        let mark = |value: Value| if hides { value.mark(Mark::hidden()) } else { value };
        match source.compute(given, functions) {
            Ok(outputs) => outputs.into_iter().map(|(name, value)| (name, mark(value))).collect(),
            Err((argument, problem)) => {
                let error = messages::refused_by_provider(argument, &problem);
                diagnostics.push(error.at(self.place_of(shape, argument)));
                Vec::new()
            }
        }
    }

    /// Evaluates the steps of an object for each instance, to find errors.
    fn steps(&self, instance: &Instance, context: &Context, diagnostics: &mut Diagnostics) {
        let item = self.item();
        let path: Vec<&str> = item.address.iter().map(Name::as_str).collect();
        let mut found = Diagnostics::new();
        let one = |own: Value, context: &Context, found: &mut Diagnostics| {
            for step in &item.steps {
                let mut context = context.child();
                context.set_all(step.binds.iter().map(|name| (name.clone(), own.clone())));
                for attribute in &step.attributes {
                    let value = found.absorb(attribute.expression.evaluate_lenient(&context)).unmark_deep().0;
                    let place = || attribute.expression.place();
                    if step.not_empty.contains(&attribute.name)
                        && (value.is_null() || value.as_str() == Some(""))
                    {
                        found.push(messages::empty_attribute(&attribute.name).at(place()));
                    }
                    let ty = step.types.iter().find(|(name, _)| *name == attribute.name);
                    if let Some(Err(problem)) = ty.map(|(_, ty)| value.convert(ty)) {
                        let place = attribute.expression.place_of(&problem.path());
                        found.push(
                            messages::invalid_attribute(&attribute.name, &problem.to_string()).at(place),
                        );
                    }
                }
            }
        };
        // Errors of the object itself are reported with the object.
        let instances = Instances::of(item.repetition.as_ref(), context, &mut Diagnostics::new());
        let whole = instance.context.value_alone(&path).unwrap_or(Value::DYNAMIC);
        if let Some(context) = self.any(instance, &instances) {
            one(Value::DYNAMIC, &context, &mut found);
        }
        match instances {
            Instances::One => one(instance.seen(item, &whole), context, &mut found),
            Instances::Unknown | Instances::None => {}
            Instances::Many(_, all) => {
                for key in &all {
                    let own = whole.index(&key.0).map_or(Value::DYNAMIC, |own| instance.seen(item, &own));
                    one(own, &bind(context, self.repeat(), Some(key)), &mut found);
                }
            }
        }
        diagnostics.append(found);
    }

    /// Runs a closure in the context of each instance.
    fn each(
        &self,
        instance: &Instance,
        context: &Context,
        diagnostics: &mut Diagnostics,
        mut work: impl FnMut(&Context, &mut Diagnostics),
    ) {
        let instances = Instances::of(self.item().repetition.as_ref(), context, diagnostics);
        if let Some(context) = self.any(instance, &instances) {
            work(&context, diagnostics);
        }
        match instances {
            Instances::One => work(context, diagnostics),
            Instances::Unknown | Instances::None => {}
            Instances::Many(_, all) => {
                for key in &all {
                    work(&bind(context, self.repeat(), Some(key)), diagnostics);
                }
            }
        }
    }
}

impl BlockValue {
    /// Returns the results of a call whose instances are unknown. Only the names are known, and the types that are declared.
    fn results(&self, call: &Call) -> Value {
        self.results_type(call).map_or(Value::DYNAMIC, Value::unknown)
    }

    /// The results of all instances, as a list or a map if the types of all results are declared.
    fn with_declared_types(&self, value: Value, call: &Call, language: &Dialect) -> Value {
        let is_typed = |rule: &BlockRule| rule.role == Role::Result && rule.is_static("type");
        if !language.blocks.iter().any(|rule| is_typed(rule)) {
            return value;
        }
        let ty = self.results_type(call).filter(|ty| !matches!(ty, Type::Object(_)) && !ty.has_dynamic());
        ty.and_then(|ty| value.convert(&ty).ok()).unwrap_or(value)
    }

    /// The type of the results of all instances, or of the only one. Without a declared type, that of a result is unknown.
    fn results_type(&self, call: &Call) -> Option<Type> {
        let (config, repeat) = (call.config.as_ref()?, self.repeat()?);
        let results = config.items.iter().filter(|item| item.rule.role == Role::Result);
        let one = Type::object(results.map(|item| (Str::from(item.own_name()), declared_type(item))));
        Some(match repeat.over {
            Over::Number => Type::list(one),
            Over::Elements => Type::map(one),
            Over::Condition => one,
        })
    }
}

/// The error of an argument of an object whose type is known. `has_type` says whether applications know the type of its value, too.
fn refused_argument(rule: &ObjectRule, name: &Name, value: &Value, has_type: bool) -> Option<Diagnostic> {
    let (value, _) = value.unmark();
    let ty = rule.argument_types.iter().find(|(own, _)| own == name);
    if let Some(Err(problem)) = ty.map(|(_, ty)| value.convert(ty)) {
        return Some(messages::invalid_attribute(name, &problem.to_string()));
    }
    let is_other = |ty: &Type| !matches!(ty, Type::Object(_) | Type::Map(_) | Type::Dynamic);
    if has_type && rule.objects.contains(name) && is_other(&value.ty()) {
        return Some(messages::object_required(name));
    }
    let (_, known) = rule.choices.iter().find(|(own, _)| own == name)?;
    let value = value.convert(&Type::String).ok()?;
    let text = value.as_str().filter(|text| !known.iter().any(|own| **own == **text))?;
    Some(messages::meta::unknown_type(name, text, known))
}

/// The errors of arguments that configure another object, such as a backend: names that the object does not have, and values of other
/// types. Applications check a configuration when all of it is known. The names of an object that is written there can be checked
/// earlier: `is_written` says which arguments have one.
fn refused_settings<'r>(
    rule: &'r ObjectRule,
    values: &[(Name, Value)],
    context: &Context,
    is_written: impl Fn(&Name) -> bool,
) -> Vec<(&'r Name, Diagnostic)> {
    let Some(instance) = owner(context).filter(|_| !rule.settings.is_empty()) else { return Vec::new() };
    let value_of = |name: &Name| values.iter().find(|(own, _)| own == name).map(|(_, value)| value);
    let mut found = Vec::new();
    for (name, block_type) in &rule.settings {
        let (Some(value), Some(kind)) = (value_of(name), value_of(block_type)) else { continue };
        let Some(kind) = kind.as_str() else { continue };
        // The names in a sensitive value are not shown.
        let is_shown = value.unmark().1.is_empty();
        let (value, _) = value.unmark_deep();
        let Some(other) = instance.tree.language.object(block_type, kind) else { continue };
        if !value.is_wholly_known() && !is_written(name) {
            continue;
        }
        let blocks = other.blocks.iter().map(|block| &block.block_type);
        let known: Vec<&str> = other.arguments.iter().chain(blocks).map(Name::as_str).collect();
        for (own, value) in value.entries().into_iter().flatten() {
            let ty = other.argument_types.iter().find(|(name, _)| **name == **own).map(|(_, ty)| ty);
            if !known.contains(&own.as_str()) {
                let shown = is_shown.then(|| (own.as_str(), nearest_name(own, known.iter().copied())));
                found.push((name, messages::unknown_setting(name, block_type, kind, shown)));
            } else if let Some(Err(problem)) = ty.map(|ty| value.convert(ty)) {
                let problem = if is_shown { format!("`{own}`: {problem}") } else { problem.to_string() };
                found.push((name, messages::invalid_attribute(name, &problem)));
            }
        }
    }
    found
}

/// Returns true for attributes of an object that come from blocks.
fn is_block(shape: &Shape) -> impl Fn(&str) -> bool {
    let types: HashSet<&str> = shape.block_types().map(Name::as_str).collect();
    move |name| types.contains(name)
}

/// Returns true if a value or a part of it is ephemeral.
pub(super) fn is_ephemeral(value: &Value) -> bool {
    value.contains_marked() && value.unmark_deep().1.contains(&Mark::new("ephemeral"))
}

/// An object with what its provider computes.
fn with_outputs(value: Value, outputs: Vec<(&'static str, Value)>) -> Value {
    let (Some(entries), false) = (value.entries(), outputs.is_empty()) else { return value };
    let mut all: Vec<(Str, Value)> = entries.map(|(name, value)| (name.clone(), value.clone())).collect();
    for (name, output) in outputs {
        match all.iter_mut().find(|(own, _)| **own == *name) {
            // A schema says what is sensitive.
            Some((_, own)) => *own = output.with_marks(&own.unmark_deep().1),
            None => all.push((Str::from(name), output)),
        }
    }
    Value::object(all)
}

/// The object with these values. If its type is known, it has all attributes of the type; otherwise, a provider may set what is
/// null. Attributes that get the value of an argument have it once the object is created.
fn object(mut values: Vec<(Name, Value)>, rule: Option<&ObjectRule>, shape: &Shape, stage: Stage) -> Value {
    let Some(rule) = rule else {
        return settable(
            values.into_iter().map(|(name, value)| (Str::from(&*name), value)),
            &is_block(shape),
        );
    };
    let blocks: Vec<(Name, Value)> = rule.blocks.iter().map(|own| block_of(own, &values)).collect();
    values.retain(|(name, _)| rule.arguments.contains(name));
    for argument in &rule.arguments {
        if !values.iter().any(|(name, _)| name == argument) {
            values.push((argument.clone(), Value::NULL));
        }
    }
    for (name, other) in &rule.same {
        // Marks are lost, because a provider does not see them, but such parts must not be shown.
        let same = values.iter().find(|(name, _)| name == other).map(|(_, value)| only_hidden(value));
        let same = same.unwrap_or(Value::NULL);
        let known = stage == Stage::Apply || same.is_null();
        values.push((name.clone(), if known { same } else { unknown_like(&same) }));
    }
    values.extend(rule.unknown.iter().map(|(name, ty)| (name.clone(), Value::unknown(ty.clone()))));
    values.extend(blocks);
    Value::object(values.into_iter().map(|(name, value)| (Str::from(&*name), value)))
}

/// The value of a block in an object whose attributes are known: an object, or null if there is no block.
fn block_of(rule: &ObjectBlock, values: &[(Name, Value)]) -> (Name, Value) {
    let given = values.iter().find(|(name, _)| *name == rule.block_type).map(|(_, value)| value);
    // In the JSON syntax, a block is an object, or one in an array.
    let given = match given {
        Some(given) if given.as_slice().is_some() => given.as_slice().and_then(|all| all.first()),
        given => given,
    };
    let value = match given.filter(|given| !given.is_null()) {
        None => Value::NULL,
        Some(given) => match given.entries() {
            None => Value::DYNAMIC,
            Some(entries) => {
                let given: Vec<_> = entries.into_iter().collect();
                let argument = |name: &Name| {
                    let own =
                        given.iter().find(|(own, _)| **own == **name).map(|(_, value)| (*value).clone());
                    let value = own.filter(|_| !rule.write_only.contains(name)).unwrap_or(Value::NULL);
                    (Str::from(&**name), value)
                };
                let unknown = rule.unknown.iter().map(|(name, ty)| {
                    let value = Value::unknown(ty.clone());
                    let is_sensitive = rule.sensitive.contains(name);
                    (Str::from(&**name), if is_sensitive { value.mark(Mark::sensitive()) } else { value })
                });
                Value::object(rule.arguments.iter().map(argument).chain(unknown))
            }
        },
    };
    (rule.block_type.clone(), value)
}

/// An unknown value of the type of a value. If marked parts have names of attributes, which the type has, too, it is hidden.
fn unknown_like(value: &Value) -> Value {
    let unknown = Value::unknown(value.ty());
    if !value.contains_marked() {
        return unknown;
    }
    let (bare, places) = value.unmark_deep_with_paths();
    let is_nameless = |ty: &Type| ty.walk(&mut |part| part.as_object().is_none_or(ObjectType::is_empty));
    let has_names =
        places.iter().any(|(path, _)| !path.apply(&bare).is_ok_and(|part| is_nameless(&part.ty())));
    if has_names { unknown.mark(Mark::hidden()) } else { unknown }
}

/// The value with its marked parts only hidden.
fn only_hidden(value: &Value) -> Value {
    let (bare, mut places) = value.unmark_deep_with_paths();
    for (_, marks) in &mut places {
        *marks = Marks::new([Mark::hidden()]);
    }
    bare.mark_paths(&places)
}

/// Returns true if a provider may set more attributes of an object than those that are configured, because the language does
/// not know its type and no schema has it.
pub(crate) fn is_open(language: &Dialect, schemas: &Schemas, config: &Config, item: &Item) -> bool {
    let known = |ty: &Name| language.object(&item.rule.block_type, ty).is_some();
    matches!(item.content, Content::Object(_))
        && !item.labels.first().is_some_and(known)
        && schemas.object(item, config).is_none()
}

impl Instance {
    /// Returns true if a provider may set more attributes of an object than those that are configured.
    pub(crate) fn is_open(&self, item: &Item) -> bool {
        is_open(&self.tree.language, &self.tree.schemas, &self.config, item)
    }

    /// What expressions see of an instance of a block.
    pub(crate) fn seen(&self, item: &Item, value: &Value) -> Value {
        match &item.content {
            Content::Object(shape) if self.is_open(item) => instance(value, &is_block(shape)),
            _ => value.clone(),
        }
    }

    /// The value of a result, or of another block with a value.
    fn output(
        &self,
        item: &Item,
        output: &Output,
        context: &Context,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let Some(expression) = &output.value else { return Value::DYNAMIC };
        let value = diagnostics.absorb(expression.evaluate_lenient(context));
        let value = typed(item, output, expression, value, diagnostics);
        let (_, marks) = value.unmark_deep();
        let is_result = item.rule.role == Role::Result;
        let is_root = self.is_root() && !self.tree.called;
        if is_root && output.deprecated.is_some() && self.tree.language.called_deprecations {
            diagnostics.push(messages::deprecated_at_root(item.own_name()).at(item.place()));
        }
        if is_result && is_root && marks.contains(&Mark::sensitive()) && !output.sensitive {
            diagnostics.push(messages::sensitive_result(item.own_name()).at(expression.place()));
        }
        let is_ephemeral = is_ephemeral(&value);
        // An unknown value may be that of an ephemeral resource.
        let declares = self.tree.language.ephemeral_results;
        let is_other = output.ephemeral && !is_ephemeral && value.is_wholly_known() && !declares;
        if is_result && (is_ephemeral && !output.ephemeral || is_other) || output.ephemeral && is_root {
            let error = messages::ephemeral_result(item.own_name(), is_ephemeral, is_root);
            diagnostics.push(error.at(expression.place()));
        }
        let marked = !is_result || self.tree.language.sensitive_results && !self.is_root();
        let value = match marked {
            true if output.sensitive => value.mark(Mark::sensitive()),
            true if output.hidden => value.mark(Mark::hidden()),
            _ => value,
        };
        if is_result && declares && output.ephemeral { value.mark(Mark::new("ephemeral")) } else { value }
    }

    /// A result, for the module that calls this one.
    fn result(&self, item: usize, diagnostics: &mut Diagnostics) -> Value {
        let known = self.checked_result(item);
        let item = &self.config.items[item];
        let value = known.unwrap_or_else(|| {
            let path: Vec<&str> = item.address.iter().map(Name::as_str).collect();
            self.context.value_of(&path).map_or(Value::DYNAMIC, |found| diagnostics.absorb(found))
        });
        if item.is_sensitive() { value.mark(Mark::hidden()) } else { value }
    }

    /// All results as an object.
    fn all_results(&self, diagnostics: &mut Diagnostics) -> Value {
        let results = self.config.items.iter().enumerate();
        let results = results.filter(|(_, item)| item.rule.role == Role::Result);
        let results: Vec<(Str, Value)> =
            results.map(|(at, item)| (Str::from(item.own_name()), self.result(at, diagnostics))).collect();
        Value::object(results)
    }

    /// Checks a condition, for each instance of its block.
    fn condition(
        &self,
        part: &BlockValue,
        condition: &Condition,
        context: &Context,
        diagnostics: &mut Diagnostics,
    ) {
        self.each_condition(part, condition, context, &mut |_, _, found| diagnostics.append(found));
    }

    /// The address of an instance of a block.
    pub(crate) fn address_of(&self, item: &Item, key: Option<&(Value, Value)>) -> String {
        let mut address = self.path.clone();
        address.extend(item.address.iter().cloned().map(crate::step::Step::Name));
        address.extend(key.filter(|_| item.has_keys()).map(|(key, _)| crate::step::Step::Key(key.clone())));
        crate::step::written(&address)
    }

    /// Evaluates a condition, by its number, for each instance of its block.
    pub(crate) fn each_result_of(
        &self,
        (item, number): (usize, usize),
        each: &mut dyn FnMut(&str, Option<bool>, Diagnostics),
    ) {
        let part = BlockValue { config: self.config.clone(), item, kind: BlockValueKind::Condition(number) };
        if let Some(condition) = part.condition() {
            self.each_condition(&part, condition, &self.context, each);
        }
    }

    /// Evaluates a condition for each instance of its block. Passes the address, whether it is met, and what is reported.
    fn each_condition(
        &self,
        part: &BlockValue,
        condition: &Condition,
        context: &Context,
        each: &mut dyn FnMut(&str, Option<bool>, Diagnostics),
    ) {
        let item = part.item();
        let path: Vec<&str> = item.address.iter().map(Name::as_str).collect();
        // Errors of the object itself are reported with the object.
        let whole = condition.binds.as_ref().and_then(|_| self.context.value_alone(&path));
        let instances = Instances::of(item.repetition.as_ref(), context, &mut Diagnostics::new());
        let any = self.tree.validates().then(|| instances.any(part.repeat())).flatten();
        let mut all: Vec<Option<&(Value, Value)>> = match &instances {
            Instances::One => vec![None],
            Instances::Unknown | Instances::None => Vec::new(),
            Instances::Many(_, all) => all.iter().map(Some).collect(),
        };
        all.extend(any.as_ref().map(Some));
        for key in all {
            let is_any = matches!((key, &any), (Some(key), Some(any)) if std::ptr::eq(key, any));
            let any = is_any.then(|| self.any_context());
            let mut context = bind(any.as_ref().unwrap_or(context), part.repeat(), key);
            let address = self.address_of(item, key);
            if let (Some(name), Some(whole)) = (&condition.binds, &whole) {
                let own = match key {
                    None => Some(whole.clone()),
                    Some((key, _)) => whole.index(key).ok(),
                };
                let own = own.map(|own| self.seen(item, &own));
                context.set(name.clone(), own.unwrap_or(Value::DYNAMIC));
            }
            if let (Content::Input(input), true, [root, name]) =
                (&item.content, self.is_validation, &item.address[..])
            {
                let own = self.input(item, input, &mut Diagnostics::new());
                context.set(root.clone(), Value::open(Value::object([(Str::from(&**name), own)])));
            }
            let is_lenient = matches!(item.content, Content::Input(_));
            let mut found = Diagnostics::new();
            let is_met = check(condition, &address, is_lenient, &context, &mut found);
            each(&address, is_met, found);
        }
    }
}

/// The type that a result declares.
fn declared_type(item: &Item) -> Type {
    match &item.content {
        Content::Output(Output { constraint: Some(own), .. }) => own.ty.without_optional(),
        _ => Type::Dynamic,
    }
}

/// The value of a result, with the type that it declares.
fn typed(
    item: &Item,
    output: &Output,
    expression: &Expression,
    value: Value,
    diagnostics: &mut Diagnostics,
) -> Value {
    let Some(constraint) = &output.constraint else { return value };
    crate::inputs::convert(&value, Some(constraint)).unwrap_or_else(|problem| {
        let place = expression.place_of(&problem.path());
        let problem = if output.hidden { messages::NOT_CONVERTIBLE.to_owned() } else { problem.to_string() };
        diagnostics.push(messages::invalid_result(item.own_name(), &problem).at(place));
        Value::unknown(constraint.ty.without_optional())
    })
}

/// Checks a condition in a context. Its message is evaluated even if it is met, but that of a variable (`is_lenient`) may then be null
/// or no string. Returns whether the condition is met, unless it is unknown or has errors.
fn check(
    condition: &Condition,
    about: &str,
    is_lenient: bool,
    context: &Context,
    diagnostics: &mut Diagnostics,
) -> Option<bool> {
    let (value, mut found) = condition.expression.evaluate_lenient(context);
    let place = condition.expression.place();
    let message = condition.message.as_ref().map(|message| {
        let text = found.absorb(message.evaluate_lenient(context));
        let (bare, _) = text.unmark();
        if !is_lenient && (bare.is_null() || bare.convert(&Type::String).is_err()) {
            let what = if bare.is_null() { "null".to_owned() } else { bare.ty().friendly_name() };
            found.push(messages::message_is_no_string(&what).at(message.place()));
        }
        match text.as_str() {
            _ if text.contains_marked() => messages::SENSITIVE_MESSAGE.to_owned(),
            Some(text) => text.trim().to_owned(),
            None => messages::UNKNOWN_MESSAGE.to_owned(),
        }
    });
    let failed = found.has_errors();
    diagnostics.append(found);
    if failed {
        return None;
    }
    let (value, _) = value.unmark();
    // An unknown string may have a beginning that no bool has.
    let refinement = value.refinement();
    if !["true", "false", "1", "0"].iter().any(|text| text.starts_with(refinement.prefix())) {
        diagnostics.push(messages::condition_is_no_bool().at(place));
        return None;
    }
    let value = match value.convert(&Type::Bool) {
        Ok(value) if value.is_null() => {
            diagnostics.push(messages::condition_is_null().at(place));
            return None;
        }
        Ok(value) => value,
        Err(_) => {
            diagnostics.push(messages::condition_is_no_bool().at(place));
            return None;
        }
    };
    if value.as_bool() == Some(false) {
        let message = message.unwrap_or_default();
        diagnostics.push(messages::condition_failed(about, &message, condition.warns).at(place));
    }
    value.as_bool()
}

/// A result of a call whose results are replaced.
fn known_result(results: &Value, name: &str) -> Value {
    let mut entries = results.entries().into_iter().flatten();
    entries.find(|(own, _)| **own == *name).map_or(Value::NULL, |(_, value)| value.clone())
}
