//! Merging what several files configure: values, and blocks by their names.

use std::collections::BTreeMap;

use hclkit_limits::with_room;
use hclkit_syntax::Diagnostics;
use hclkit_value::{Error, Name, Str, Type, Value};

use crate::configuration::{Configuration, Inputs, Section, Setting};
use crate::messages;

/// How an included file is merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    Nothing,
    Shallow,
    Deep,
}

/// Two values as one: maps have the keys of both, lists the elements of both, and otherwise the second one wins.
///
/// # Errors
/// A list would replace something else.
pub(crate) fn deep_merge(one: &Value, other: &Value) -> Result<Value, Error> {
    with_room(|| merged(one, other))
}

fn merged(one: &Value, other: &Value) -> Result<Value, Error> {
    if !one.is_known() || !other.is_known() {
        // What is unknown can be a map that adds keys.
        let is_plain = other.is_known() && other.entries().is_none() && !is_sequence(other);
        return Ok(if is_plain { other.clone() } else { Value::DYNAMIC });
    }
    if one.is_null() || other.is_null() {
        return Ok(other.clone());
    }
    let ((one, marks), (other, more)) = (one.unmark(), other.unmark());
    let result = match (one.entries(), other.entries()) {
        (Some(mine), Some(theirs)) => {
            let mut all: BTreeMap<Str, Value> =
                mine.map(|(name, value)| (name.clone(), value.clone())).collect();
            for (name, value) in theirs {
                let own = all.get(name).map(|own| deep_merge(own, value)).transpose()?;
                all.insert(name.clone(), own.unwrap_or_else(|| value.clone()));
            }
            Value::object(all)
        }
        _ if is_sequence(&other) => {
            if !is_sequence(&one) {
                let (own, under) = (other.ty().friendly_name(), one.ty().friendly_name());
                return Err(Error::new(messages::list_over(&own, &under)));
            }
            joined(&one, &other)
        }
        _ => other,
    };
    Ok(result.with_marks(&marks.union(&more)))
}

fn is_sequence(value: &Value) -> bool {
    matches!(value.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_))
}

/// The elements of both lists.
fn joined(one: &Value, other: &Value) -> Value {
    let elements = |value: &Value| value.elements().unwrap_or_default();
    Value::tuple(elements(one).into_iter().chain(elements(other)).map(|(_, value)| value))
}

impl Setting {
    /// This one over another one, whose value is merged into its own.
    fn deep_over(self, under: &Self, name: &str, diagnostics: &mut Diagnostics) -> Self {
        let value = deep_merge(&under.value, &self.value).unwrap_or_else(|error| {
            diagnostics.push(messages::invalid_argument(name, error.message()).at(self.place()));
            self.value.clone()
        });
        Self { value, ..self }
    }

    /// This one with the elements of another one after its own, if both are lists.
    fn before(self, under: &Self) -> Self {
        let are_lists = [&self.value, &under.value];
        if are_lists.iter().all(|value| value.is_known() && !value.is_null() && is_sequence(value)) {
            let value = joined(&self.value, &under.value);
            return Self { value, ..self };
        }
        self
    }
}

/// Settings over others.
fn merge_settings(
    under: &BTreeMap<Name, Setting>,
    over: BTreeMap<Name, Setting>,
    mut merge: impl FnMut(&str, Setting, &Setting) -> Setting,
) -> BTreeMap<Name, Setting> {
    let mut all = under.clone();
    for (name, setting) in over {
        let setting = match all.get(&name) {
            Some(other) => merge(&name, setting, other),
            None => setting,
        };
        all.insert(name, setting);
    }
    all
}

/// Blocks over others. Those with the same name are merged or replaced, as their kind says; the others come after them.
pub(crate) fn merge_sections(
    under: &[Section],
    over: Vec<Section>,
    strategy: Strategy,
    diagnostics: &mut Diagnostics,
) -> Vec<Section> {
    let mut all = under.to_vec();
    for section in over {
        let same = all.iter_mut().find(|own| own.kind == section.kind && own.label == section.label);
        match same {
            Some(own) => *own = section.over(own, strategy, diagnostics),
            None => all.push(section),
        }
    }
    all
}

impl Section {
    fn over(self, under: &Self, strategy: Strategy, diagnostics: &mut Diagnostics) -> Self {
        let is_deep = strategy == Strategy::Deep;
        let lists = |_: &str, own: Setting, under: &Setting| if is_deep { own.before(under) } else { own };
        match &*self.kind {
            "terraform" => Self {
                settings: merge_settings(&under.settings, self.settings, lists),
                sections: merge_sections(&under.sections, self.sections, Strategy::Shallow, diagnostics),
                ..self
            },
            "errors" if is_deep => Self {
                sections: merge_sections(&under.sections, self.sections, strategy, diagnostics),
                ..self
            },
            "retry" | "ignore" if is_deep => {
                Self { settings: merge_settings(&under.settings, self.settings, lists), ..self }
            }
            "dependencies" => {
                let merge = |_: &str, own: Setting, under: &Setting| Setting {
                    value: distinct(&joined(&under.value, &own.value)),
                    ..own
                };
                Self { settings: merge_settings(&under.settings, self.settings, merge), ..self }
            }
            "dependency" | "feature" if is_deep => {
                let merge =
                    |name: &str, own: Setting, under: &Setting| own.deep_over(under, name, diagnostics);
                Self { settings: merge_settings(&under.settings, self.settings, merge), ..self }
            }
            "generate" if !is_deep => {
                let label = self.label.as_deref().unwrap_or_default();
                diagnostics.push(messages::duplicate_label("generate", label).at(self.place.clone()));
                self
            }
            _ => self,
        }
    }
}

/// A list without elements that occur before.
fn distinct(list: &Value) -> Value {
    let mut all: Vec<Value> = Vec::new();
    for (_, value) in list.elements().unwrap_or_default() {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    Value::tuple(all)
}

/// One configuration over another one.
pub(crate) fn merge(
    under: Configuration,
    over: Configuration,
    strategy: Strategy,
    diagnostics: &mut Diagnostics,
) -> Configuration {
    let inputs = match (under.inputs, over.inputs) {
        (Some(under), Some(over)) => {
            let all = merge_settings(&under.all, over.all, |name, own, under| match strategy {
                Strategy::Deep => own.deep_over(under, name, diagnostics),
                _ => own,
            });
            Some(Inputs { all, is_open: over.is_open || under.is_open, place: over.place.or(under.place) })
        }
        (under, over) => over.or(under),
    };
    let mut other_locals = under.other_locals;
    other_locals.extend(over.other_locals);
    let file = under.locals.values().find_map(|own| own.expression.as_ref());
    if let Some(file) = file.map(|own| own.source().name().to_owned()) {
        other_locals.insert(file, under.locals);
    }
    Configuration {
        other_locals,
        settings: merge_settings(&under.settings, over.settings, |_, own, _| own),
        sections: merge_sections(&under.sections, over.sections, strategy, diagnostics),
        inputs,
        ..over
    }
}
