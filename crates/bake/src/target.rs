//! Targets and groups: the instances of a matrix, and the names that expressions can use.

use std::collections::BTreeSet;
use std::sync::Arc;

use hclkit_limits::{Exceeded, Meter, with_room};
use hclkit_model::{Attribute, Block, Computation, Context, Expression, Schema, Scope};
use hclkit_syntax::{Diagnostics, Place, nearest_name};
use hclkit_value::{Name, Path, Step, Str, Type, Value};

use crate::argument::{ARGUMENTS, Argument, Arguments, Kind, TARGETS};
use crate::messages;

/// The arguments of a group.
const GROUP: [&str; 2] = ["description", "targets"];

/// The arguments whose values contain names of targets and groups.
pub(crate) const REFERENCES: [&str; 3] = ["inherits", "contexts", "targets"];

/// How many elements the name of an argument counts as, because of its memory.
const ARGUMENT: usize = 5;

/// A block that declares a target or a group.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "they do not depend on each other")]
pub(crate) struct Declared {
    pub(crate) block: Block,
    pub(crate) label: Name,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) matrix: Option<Expression>,
    pub(crate) name: Option<Expression>,
    pub(crate) is_group: bool,
    pub(crate) instances: Vec<Instance>,
    /// Whether instances are left out because of errors.
    pub(crate) is_broken: bool,
    /// Whether variables are unknown, so that instances and arguments can be, too.
    checking: bool,
    /// Whether the names of the variables of the matrix are unknown.
    pub(crate) has_unknown_names: bool,
}

/// An instance of a target.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// The name; empty if it is unknown.
    pub(crate) name: String,
    /// The variables of the matrix.
    pub(crate) bound: Arc<Vec<(Name, Value)>>,
    /// The path of its arguments in the scope.
    path: Vec<String>,
}

impl Declared {
    /// Reads a block. Bake ignores unknown arguments, so they are only warnings.
    pub(crate) fn read(block: Block, checking: bool, diagnostics: &mut Diagnostics) -> Self {
        let is_group = block.block_type == *"group";
        let names: Vec<&str> =
            if is_group { GROUP.to_vec() } else { ARGUMENTS.iter().map(|argument| argument.name).collect() };
        let own = names.iter().copied().chain(["matrix", "name"]);
        let schema = own.fold(Schema::new(), Schema::with_optional);
        let ((content, rest), found) = block.body.partial_content(&schema);
        diagnostics.append(found);
        for item in rest.items() {
            let known = names.iter().copied().chain(["matrix", "name"]);
            let found =
                messages::ignored_attribute(item.name(), &block.block_type, nearest_name(item.name(), known));
            diagnostics.push(found.at(item.name_span()).with_source(&block.source));
        }
        let take = |name: &str| content.attributes.get(name).map(|it| it.expression.clone());
        let (matrix, name) = (take("matrix"), take("name"));
        if is_group && let Some(given) = matrix.as_ref().or(name.as_ref()) {
            diagnostics.push(messages::matrix_of_group().at(given.place()));
        }
        if is_group && content.attributes.get("targets").is_none() {
            diagnostics.append(block.body.partial_content(&Schema::new().with_required("targets")).1);
        }
        let attributes =
            content.attributes.iter().filter(|it| names.contains(&it.name.as_str())).cloned().collect();
        let label = block.labels[0].clone();
        let instances = Vec::new();
        Self {
            block,
            label,
            attributes,
            matrix,
            name,
            is_group,
            instances,
            is_broken: false,
            checking,
            has_unknown_names: false,
        }
    }

    /// Finds the instances: one for each combination of the matrix.
    pub(crate) fn find_instances(&mut self, at: usize, context: &Context, diagnostics: &mut Diagnostics) {
        let mut found = Diagnostics::new();
        self.add_instances(at, context, &mut found);
        self.is_broken = found.has_errors();
        diagnostics.append(found);
    }

    fn add_instances(&mut self, at: usize, context: &Context, diagnostics: &mut Diagnostics) {
        let mut all: Vec<Vec<(Name, Value)>> = vec![Vec::new()];
        if let Some(matrix) = self.matrix.as_ref().filter(|_| !self.is_group) {
            let Some(axes) = axes(matrix, context, self.checking, diagnostics) else { return };
            self.has_unknown_names = self.checking && axes.is_empty();
            for (name, values) in axes {
                let names = all.first().map_or(0, Vec::len) + 1;
                let count = all.len().saturating_mul(values.len());
                let meter = Meter::current();
                let taken = meter.room_for_elements(count.saturating_mul(ARGUMENTS.len() * ARGUMENT));
                if taken.and_then(|()| meter.take_elements(count.saturating_mul(names))).is_err() {
                    return diagnostics.push(messages::too_many_instances().at(matrix.place()));
                }
                let with = |value: &Value| {
                    let name = Name::from(&name);
                    let add = move |one: &Vec<(Name, Value)>| {
                        let mut one = one.clone();
                        one.push((name.clone(), value.clone()));
                        one
                    };
                    all.iter().map(add).collect::<Vec<_>>()
                };
                all = values.iter().flat_map(with).collect();
            }
        }
        let mut names = BTreeSet::new();
        for (number, bound) in all.into_iter().enumerate() {
            let Some(name) = self.name_of(&bound, context, diagnostics) else { continue };
            let path = vec!["(block)".to_owned(), at.to_string(), number.to_string()];
            if name.is_empty() && self.checking {
                self.instances.push(Instance { name, bound: Arc::new(bound), path });
                continue;
            }
            if !is_valid(&name) {
                let at = self.name.as_ref().map_or_else(|| self.block.definition_place(), Expression::place);
                diagnostics.push(messages::invalid_label(&name).at(at));
                continue;
            }
            if !names.insert(name.clone()) {
                let at = self.name.as_ref().or(self.matrix.as_ref()).map(Expression::place);
                let at = at.unwrap_or_else(|| self.block.definition_place());
                diagnostics.push(messages::duplicate_instance(&name).at(at));
                continue;
            }
            self.instances.push(Instance { name, bound: Arc::new(bound), path });
        }
    }

    fn name_of(
        &self,
        bound: &[(Name, Value)],
        context: &Context,
        diagnostics: &mut Diagnostics,
    ) -> Option<String> {
        let Some(name) = self.name.as_ref().filter(|_| !self.is_group) else {
            return Some(self.label.to_string());
        };
        if self.matrix.is_none() {
            diagnostics.push(messages::name_without_matrix().at(name.place()));
            return None;
        }
        let mut context = context.child();
        context.set_all(bound.iter().cloned());
        let (value, found) = name.evaluate_lenient(&context);
        if found.has_errors() {
            diagnostics.append(found);
            return None;
        }
        diagnostics.append(found);
        if self.checking && !value.is_known() {
            return Some(String::new());
        }
        crate::entry::text_of(&value.unmark_deep().0)
            .map_err(|problem| {
                diagnostics.push(messages::invalid_attribute("name", &problem).at(name.place()));
            })
            .ok()
    }

    /// Counts the names that [`define`](Self::define) defines.
    ///
    /// # Errors
    /// A limit is exceeded.
    pub(crate) fn count(&self) -> Result<(), Exceeded> {
        let count = self.arguments().count();
        let bytes: usize = self.instances.iter().map(|instance| instance.name.len()).sum();
        let meter = Meter::current();
        meter.take_elements((count * ARGUMENT).saturating_mul(self.instances.len()))?;
        meter.take_bytes(count.saturating_mul(bytes))
    }

    /// Defines the arguments of all instances. Of several blocks with the same name, expressions see the last one.
    /// With `hidden`, they see none of them.
    pub(crate) fn define(self: &Arc<Self>, hidden: bool, scope: &mut Scope) {
        for (at, instance) in self.instances.iter().enumerate() {
            let root = self.block.block_type.to_string();
            let seen = |name: &str| [root.clone(), instance.name.clone(), name.to_owned()];
            if !hidden {
                scope.set(seen("name"), instance.name.as_str());
            }
            for argument in self.arguments() {
                let own = self.attributes.iter().find(|it| it.name == *argument.name);
                let Some(attribute) = own else {
                    if !hidden {
                        scope.set(seen(argument.name), argument.value(None));
                    }
                    continue;
                };
                let expression = attribute.expression.clone();
                let own = instance.path.iter().cloned().chain([argument.name.to_owned()]);
                let part = InstanceArgument { declared: self.clone(), instance: at, argument, expression };
                scope.compute(own, part.clone());
                if !hidden {
                    scope.compute(seen(argument.name), part);
                }
            }
        }
    }

    /// The names of targets and groups in the value of an argument, each with its place.
    pub(crate) fn references(
        &self,
        instance: &Instance,
        context: &Context,
    ) -> impl Iterator<Item = (String, Place)> {
        let own = self.attributes.iter().filter(|it| REFERENCES.contains(&it.name.as_str()));
        own.flat_map(|attribute| {
            let path: Vec<&str> =
                instance.path.iter().map(String::as_str).chain([attribute.name.as_str()]).collect();
            let value = context.value_alone(&path).map(|value| value.unmark_deep().0);
            let Some(value) = value else { return Vec::new() };
            let place = |step: Step| attribute.expression.place_of(&Path::from(vec![step]));
            let items = value.as_slice().unwrap_or_default().iter().enumerate();
            let items = items.filter_map(|(at, item)| Some((item.as_str()?.to_owned(), place(at.into()))));
            let entries = value.entries().into_iter().flatten();
            let linked = |value: &Value| Some(value.as_str()?.strip_prefix("target:")?.to_owned());
            let entries = entries
                .filter_map(|(name, value)| Some((linked(value)?, place(Step::Attribute(name.clone())))));
            items.chain(entries).collect()
        })
    }

    /// All expressions of the block.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let own = self.attributes.iter().map(|attribute| &attribute.expression);
        self.matrix.iter().chain(&self.name).chain(own)
    }

    fn arguments(&self) -> impl Iterator<Item = &'static Argument> {
        let is_group = self.is_group;
        let own = ARGUMENTS.iter().filter(move |argument| !is_group || GROUP.contains(&argument.name));
        own.chain(is_group.then_some(&TARGETS))
    }

    /// The arguments of an instance that are set.
    pub(crate) fn evaluated(
        &self,
        instance: &Instance,
        context: &Context,
        diagnostics: &mut Diagnostics,
    ) -> Arguments {
        let mut arguments = Arguments::new();
        for argument in self.arguments() {
            let Some(attribute) = self.attributes.iter().find(|it| it.name == *argument.name) else {
                continue;
            };
            let path: Vec<&str> = instance.path.iter().map(String::as_str).chain([argument.name]).collect();
            let Some((value, found)) = context.value_of(&path) else { continue };
            let failed = found.has_errors();
            diagnostics.append(found);
            if !value.is_wholly_known() && (self.checking || diagnostics.has_errors()) {
                if let Some(setting) = argument.known(&value) {
                    arguments.insert(argument.name, setting);
                }
                continue;
            }
            match argument.read(&value) {
                _ if failed => {}
                Ok(Some(setting)) => drop(arguments.insert(argument.name, setting)),
                Ok(None) => {}
                Err(problem) => {
                    let found = messages::invalid_attribute(argument.name, &problem);
                    diagnostics.push(found.at(attribute.expression.place()));
                }
            }
        }
        arguments
    }
}

/// An argument of an instance.
#[derive(Clone, Debug)]
struct InstanceArgument {
    declared: Arc<Declared>,
    instance: usize,
    argument: &'static Argument,
    expression: Expression,
}

impl Computation for InstanceArgument {
    fn expressions(&self) -> Vec<Expression> {
        vec![self.expression.clone()]
    }

    fn compute(&self, context: &Context) -> (Value, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let mut context = context.child();
        context.set_all(self.declared.instances[self.instance].bound.iter().cloned());
        let (value, found) = with_room(|| self.expression.evaluate_lenient(&context));
        let failed = found.has_errors();
        diagnostics.append(found);
        if failed {
            return (Value::DYNAMIC, diagnostics);
        }
        // A value that it refers to is unknown or has an error.
        if !value.is_wholly_known() {
            return (value, diagnostics);
        }
        let read = self.argument.read(&value.unmark_deep().0);
        let value = match read {
            Ok(None) if matches!(self.argument.kind, Kind::Entries(_)) => Value::null(Type::Dynamic),
            Ok(value) => self.argument.value(value.as_ref()),
            Err(problem) => {
                let found = messages::invalid_attribute(self.argument.name, &problem);
                diagnostics.push(found.at(self.expression.place()));
                Value::DYNAMIC
            }
        };
        (value, diagnostics)
    }
}

/// The variables of a matrix and their values.
fn axes(
    matrix: &Expression,
    context: &Context,
    checking: bool,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<(Str, Vec<Value>)>> {
    let (value, found) = matrix.evaluate_lenient(context);
    let failed = found.has_errors();
    diagnostics.append(found);
    let value = value.unmark_deep().0;
    if checking && !failed && !value.is_known() {
        let items = matrix.static_map().unwrap_or_default();
        let name = |(key, _): &(Expression, Expression)| key.static_keyword();
        let names = items.iter().map(name).collect::<Option<Vec<_>>>().unwrap_or_default();
        return Some(names.iter().map(|name| (Str::from(&**name), vec![Value::DYNAMIC])).collect());
    }
    let Some(entries) = value.entries().filter(|_| !failed) else {
        if !failed {
            diagnostics.push(messages::matrix_is_no_map().at(matrix.place()));
        }
        return None;
    };
    let mut axes = Vec::new();
    for (name, values) in entries {
        let all: Option<Vec<Value>> = match (values.as_slice(), values.entries()) {
            (Some(items), _) => Some(items.to_vec()),
            (None, Some(entries)) => Some(entries.map(|(_, value)| value.clone()).collect()),
            (None, None) if checking && !values.is_known() => Some(vec![Value::DYNAMIC]),
            (None, None) => None,
        };
        let Some(all) = all else {
            let path = Path::from(vec![Step::Attribute(name.clone())]);
            diagnostics.push(messages::matrix_is_no_list(name).at(matrix.place_of(&path)));
            return None;
        };
        axes.push((name.clone(), all));
    }
    Some(axes)
}

fn is_valid(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}
