//! Instances of blocks: the values of `count` and `for_each`, and the names that they bind.

use hclkit_model::{Context, Expression};
use hclkit_syntax::{Diagnostic, Diagnostics};
use hclkit_value::{Kind, Mark, Str, Type, Value};

use crate::messages;
use hclkit_dialect::{Over, Repeat};

/// The instances of a block.
#[derive(Clone, Debug)]
pub(crate) enum Instances {
    /// A block without a key.
    One,
    /// The condition for the only instance is false.
    None,
    /// The keys and values of the instances, in order. Keys that must not be shown are marked.
    Many(Over, Vec<(Value, Value)>),
    /// The instances depend on an unknown value.
    Unknown,
}

impl Instances {
    /// Evaluates the argument that repeats a block.
    pub(crate) fn of(
        repetition: Option<&(Repeat, Expression)>,
        context: &Context,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let Some((repeat, expression)) = repetition else { return Self::One };
        let (value, found) = expression.evaluate_lenient(context);
        if found.has_errors() {
            diagnostics.append(found);
            return Self::Unknown;
        }
        let found = match repeat.over {
            Over::Number => number(&value),
            Over::Elements => elements(&value),
            Over::Condition => condition(repeat, &value),
        };
        found.unwrap_or_else(|error| {
            diagnostics.push((*error).at(expression.place()));
            Self::Unknown
        })
    }

    /// Returns an instance whose key is unknown if no instances are known. The key is null if instances have none.
    pub(crate) fn any(&self, repeat: Option<&Repeat>) -> Option<(Value, Value)> {
        match (self, repeat?.over) {
            (Self::One, _) => None,
            (Self::Many(_, all), _) if !all.is_empty() => None,
            (_, Over::Number) => Some((Value::unknown(Type::Number), Value::unknown(Type::Number))),
            (_, Over::Elements) => Some((Value::unknown(Type::String), Value::DYNAMIC)),
            (_, Over::Condition) => Some((Value::NULL, Value::NULL)),
        }
    }

    /// Builds the value of the whole block from those of its instances.
    pub(crate) fn collect(&self, mut one: impl FnMut(Option<&(Value, Value)>) -> Value) -> Value {
        match self {
            Self::One => one(None),
            Self::Unknown => Value::DYNAMIC,
            Self::None => Value::NULL,
            Self::Many(Over::Number, all) => Value::tuple(all.iter().map(|instance| one(Some(instance)))),
            Self::Many(Over::Elements | Over::Condition, all) => {
                let key = |key: &Value| Str::from(key.unmark().0.as_str().unwrap_or_default());
                let marks = all.first().map(|(key, _)| key.marks()).unwrap_or_default();
                Value::object(all.iter().map(|instance| (key(&instance.0), one(Some(instance)))))
                    .with_marks(&marks)
            }
        }
    }
}

fn number(value: &Value) -> Result<Instances, Box<Diagnostic>> {
    if value.has_mark(&Mark::new("ephemeral")) {
        return Err(messages::marked_count(value).into());
    }
    let (value, _) = value.unmark();
    let value =
        value.convert(&Type::Number).map_err(|error| messages::count_is_no_number(&error.to_string()))?;
    if value.is_null() {
        return Err(messages::count_is_null().into());
    }
    let Some(number) = value.as_number() else { return Ok(Instances::Unknown) };
    let count = number.to_string().parse::<u32>().map_err(|_| messages::invalid_count(&value))?;
    let meter = hclkit_limits::Meter::current();
    meter.take_elements(count as usize).map_err(|_| messages::too_many_instances())?;
    let instance = |at: u32| (Value::from(i64::from(at)), Value::from(i64::from(at)));
    Ok(Instances::Many(Over::Number, (0..count).map(instance).collect()))
}

fn condition(repeat: &Repeat, value: &Value) -> Result<Instances, Box<Diagnostic>> {
    let name = &repeat.attribute;
    if value.has_other_marks(&Mark::hidden()) {
        return Err(messages::marked_condition(name).into());
    }
    let value = value.unmark().0.convert(&Type::Bool);
    let value = value.map_err(|error| messages::invalid_condition_argument(name, &format!("{error}")))?;
    if value.is_null() {
        return Err(messages::condition_argument_is_null(name).into());
    }
    Ok(match value.as_bool() {
        Some(true) => Instances::One,
        Some(false) => Instances::None,
        None => Instances::Unknown,
    })
}

/// The instances of `for_each` with a value.
pub(crate) fn elements(value: &Value) -> Result<Instances, Box<Diagnostic>> {
    if value.has_other_marks(&Mark::hidden()) {
        return Err(messages::marked_for_each(value).into());
    }
    let (value, marks) = value.unmark();
    if value.is_null() {
        return Err(messages::for_each_is_null().into());
    }
    let ty = value.ty();
    let entries = match value.kind() {
        Kind::Map(map) => map.iter().map(|(key, value)| (Value::from(key.clone()), value.clone())).collect(),
        Kind::Object(object) => {
            object.iter().map(|(key, value)| (Value::from(key.clone()), value.clone())).collect()
        }
        Kind::Set(_) => {
            let elements = value.as_slice().unwrap_or_default();
            let is_wrong = |element: &Value| {
                let is_other = !matches!(element.ty(), Type::String | Type::Dynamic);
                is_other || element.is_known() && element.as_str().is_none()
            };
            if elements.iter().any(is_wrong) {
                return Err(messages::for_each_element(&ty.friendly_name()).into());
            }
            if elements.iter().any(|element| !element.is_known()) {
                return Ok(Instances::Unknown);
            }
            elements.iter().map(|element| (element.clone(), element.clone())).collect::<Vec<_>>()
        }
        Kind::Unknown(..) if matches!(ty, Type::Map(_) | Type::Object(_) | Type::Dynamic) => {
            return Ok(Instances::Unknown);
        }
        Kind::Unknown(..) if matches!(&ty, Type::Set(element) if matches!(**element, Type::String | Type::Dynamic)) =>
        {
            return Ok(Instances::Unknown);
        }
        _ => {
            let is_list = matches!(ty, Type::List(_) | Type::Tuple(_));
            return Err(messages::invalid_for_each(&ty.friendly_name(), is_list).into());
        }
    };
    let hide = |(key, value): (Value, Value)| (key.with_marks(&marks), value.with_marks(&marks));
    Ok(Instances::Many(
        Over::Elements,
        if marks.is_empty() { entries } else { entries.into_iter().map(hide).collect() },
    ))
}

/// Returns a context with the names that an instance binds.
pub(crate) fn bind(context: &Context, repeat: Option<&Repeat>, instance: Option<&(Value, Value)>) -> Context {
    let mut context = context.child();
    let (Some(repeat), Some((key, value))) = (repeat, instance) else { return context };
    let mut names: Vec<(&hclkit_value::Name, Vec<(Str, Value)>)> = Vec::new();
    let paths = [Some((&repeat.key, key)), repeat.value.as_ref().map(|path| (path, value))];
    for (path, value) in paths.into_iter().flatten() {
        let [root, attribute] = path.as_slice() else { continue };
        let entry = (Str::from(&**attribute), value.clone());
        match names.iter_mut().find(|(name, _)| *name == root) {
            Some((_, entries)) => entries.push(entry),
            None => names.push((root, vec![entry])),
        }
    }
    for (name, entries) in names {
        context.set(name.clone(), Value::object(entries));
    }
    context
}
