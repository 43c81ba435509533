//! The values that mocked objects have: those that mocks and overrides set, and those that Terraform makes up.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use hclkit::Value;
use hclkit::module::ReplacedObject;
use hclkit::value::{Str, Type};

use super::file::attribute;
use super::world::{ID, covers};

/// The values that a mock or an override sets.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) values: Value,
    /// A plan has them, too.
    pub(super) in_plan: bool,
}

/// The mocks and overrides of a run. Values that cannot be evaluated are `None`.
#[derive(Debug, Default)]
pub(super) struct Mocks {
    /// Each with its target. The first one that covers an address counts.
    pub(super) overrides: Vec<(String, Option<Arc<Given>>)>,
    /// By the configurations of the providers.
    pub(super) providers: BTreeMap<String, Provider>,
    /// What else is computed is not known here.
    pub(super) is_closed: bool,
}

/// A provider that is mocked.
#[derive(Clone, Debug)]
pub(super) struct Provider {
    /// By the types of objects, and whether these are data sources.
    pub(super) objects: BTreeMap<(bool, String), Option<Arc<Given>>>,
    /// Of other objects.
    pub(super) others: Option<Arc<Given>>,
}

impl Mocks {
    pub(super) fn replaces(&self, provider: &str) -> bool {
        self.providers.contains_key(provider)
    }

    /// What is set of an object.
    pub(super) fn of(&self, object: &ReplacedObject<'_>) -> Option<Arc<Given>> {
        if self.is_closed {
            return None;
        }
        if let Some((_, given)) = self.overrides.iter().find(|(target, _)| covers(target, object.address)) {
            return given.clone();
        }
        let provider = self.providers.get(object.provider)?;
        let own = provider.objects.get(&(object.is_data, object.object_type.to_owned()));
        own.unwrap_or(&provider.others).clone()
    }
}

/// Texts that Terraform could make up: which ones it makes up is random.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    pub(super) number: u8,
    /// The name of the run.
    pub(super) run: String,
}

impl Texts {
    /// Makes the text of an attribute of an object.
    pub(super) fn of(&self, object: &ReplacedObject<'_>) -> impl Fn(&str) -> String + use<> {
        let mut hash = DefaultHasher::new();
        // Data sources are read again in each run.
        (self.number, &self.run, object.address).hash(&mut hash);
        let first = FIRST[usize::from(self.number) % FIRST.len()];
        move |name| {
            let mut hash = hash.clone();
            name.hash(&mut hash);
            let mut rest = hash.finish();
            let more = std::iter::from_fn(|| {
                let digit = CHARACTERS[(rest % 36) as usize];
                rest /= 36;
                Some(digit)
            });
            std::iter::once(first).chain(more.take(7)).map(char::from).collect()
        }
    }
}

const CHARACTERS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// With what texts begin, so that conditions about it differ.
const FIRST: &[u8; 5] = b"0a7mz";

/// The text of an attribute of an object; of other texts, there is no name.
type Text<'t> = dyn Fn(Option<&str>) -> Option<String> + 't;

impl Given {
    /// The value of what is computed. Texts that are made up can be unknown. `None` if what is set has another type.
    pub(super) fn value(&self, path: &[&str], ty: &Type, text: &Text<'_>) -> Option<Value> {
        let set = path.iter().try_fold(self.values.clone(), |object, name| attribute(&object, name));
        let name = match path {
            [name] => Some(*name),
            _ => None,
        };
        set.map_or_else(|| Some(made_up(ty, name, text)), |set| converted(&set, ty, text))
    }
}

/// A value that is set. What an object does not set is made up.
fn converted(set: &Value, ty: &Type, text: &Text<'_>) -> Option<Value> {
    let Type::Object(object) = ty else { return set.convert(ty).ok() };
    if set.is_null() || set.entries().is_none() {
        return set.convert(ty).ok();
    }
    let all = object.attributes().map(|(name, ty)| {
        let own = attribute(set, name);
        let value = match own {
            Some(own) => converted(&own, ty, text)?,
            None => made_up(ty, None, text),
        };
        Some((Str::from(&**name), value))
    });
    Some(Value::object(all.collect::<Option<Vec<_>>>()?))
}

/// What Terraform makes up for a type.
fn made_up(ty: &Type, name: Option<&str>, text: &Text<'_>) -> Value {
    match ty {
        Type::String => match text(name) {
            Some(text) => Value::from(text),
            None => Value::unknown(Type::String).refine_not_null(),
        },
        Type::Number => Value::from(0),
        Type::Bool => Value::from(false),
        Type::Dynamic => Value::NULL,
        Type::List(element) => empty(Value::list_of::<Value>((**element).clone(), []), ty),
        Type::Set(element) => empty(Value::set_of::<Value>((**element).clone(), []), ty),
        Type::Map(element) => empty(Value::map_of::<Str, Value>((**element).clone(), []), ty),
        Type::Object(object) => {
            let all = object.attributes().map(|(name, ty)| (Str::from(&**name), made_up(ty, None, text)));
            Value::object(all.collect::<Vec<_>>())
        }
        _ => Value::unknown(ty.clone()),
    }
}

fn empty<E>(value: Result<Value, E>, ty: &Type) -> Value {
    value.unwrap_or_else(|_| Value::unknown(ty.clone()))
}

/// Some value of a type.
pub(super) fn some(ty: &Type) -> Value {
    made_up(ty, None, &|_| Some(ID.to_owned()))
}
