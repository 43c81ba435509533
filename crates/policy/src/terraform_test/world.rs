//! What is known of `terraform_data` in a run: from earlier runs, from overrides, and what only Terraform knows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use hclkit::Value;
use hclkit::module::{ComputedValues, ObjectKnowledge, ReplacedObject};
use hclkit::value::{Str, Type};

use super::file::attribute;
use super::mocks::{self, Mocks, Texts};

/// When values are seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    Plan,
    Apply,
}

/// Which unknown values get some value, to find out whether a result depends on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Guess {
    /// None of them.
    Nothing,
    /// Those that Terraform knows, such as the id of an object that an earlier run created.
    Created,
    /// Those that Terraform knows only after the apply, too.
    Everything,
}

/// What an earlier run created.
#[derive(Clone, Debug)]
pub(super) struct Created {
    input: Value,
    triggers: Value,
    output: Value,
}

/// What earlier runs created, by the addresses.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    objects: BTreeMap<String, Created>,
    /// Objects of mocked providers.
    mocked: BTreeMap<String, Value>,
}

impl State {
    fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.mocked.is_empty()
    }
}

/// The values that replace those of an object or the results of a call.
#[derive(Clone, Debug)]
pub(super) struct Replaced {
    pub(super) target: String,
    pub(super) is_module: bool,
    pub(super) values: Value,
    pub(super) in_plan: bool,
}

/// What is known of objects in a run.
pub(super) struct World {
    pub(super) stage: Stage,
    pub(super) guess: Guess,
    pub(super) state: State,
    /// The first one that covers an address counts.
    pub(super) replaced: Vec<Replaced>,
    /// The targets of all overrides.
    pub(super) overridden: Vec<String>,
    pub(super) mocks: Arc<Mocks>,
    /// The texts that mocks make up, if they are not unknown.
    pub(super) texts: Option<Texts>,
    /// Objects whose conditions have failed.
    pub(super) blocked: Vec<String>,
    /// The objects that were seen.
    pub(super) seen: Mutex<State>,
    /// The addresses of the objects of mocked providers that were seen, without data sources.
    pub(super) seen_mocked: Mutex<BTreeSet<String>>,
    /// A reason why it is unknown whether or how an object changes.
    pub(super) unsure: Mutex<Option<String>>,
}

impl World {
    fn replaced(&self, address: &str, is_module: bool) -> Option<&Replaced> {
        self.replaced.iter().find(|own| own.is_module == is_module && covers(&own.target, address))
    }

    pub(super) fn seen(&self) -> State {
        lock(&self.seen).clone()
    }

    pub(super) fn unsure(&self) -> Option<String> {
        lock(&self.unsure).clone()
    }

    /// The value of what is computed of an object that is there since an earlier run.
    fn kept(&self, value: &Value) -> Value {
        match self.guess {
            Guess::Nothing => value.clone(),
            _ if value.is_wholly_known() => value.clone(),
            _ => mocks::some(&value.ty()),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Some id: its value is not used.
pub(super) const ID: &str = "00000000-0000-4000-8000-000000000000";

impl ObjectKnowledge for World {
    fn object(&self, address: &str, value: Value) -> Value {
        if self.blocked.iter().any(|own| own == address) {
            return Value::DYNAMIC;
        }
        if !is_terraform_data(address) {
            if lock(&self.seen_mocked).contains(address) {
                lock(&self.seen).mocked.insert(address.to_owned(), value.unmark_deep().0);
            }
            return value;
        }
        let part = |name: &str| attribute(&value, name).unwrap_or(Value::NULL);
        let (input, triggers) = (part("input"), part("triggers_replace"));
        let bare = |value: &Value| value.unmark_deep().0;
        let unknown_id = Value::unknown(Type::String).refine_not_null();
        // What Terraform knows and we do not, and what both do not know.
        let created = |id: Value| if self.guess == Guess::Nothing { id } else { Value::from(ID) };
        let later =
            |unknown: Value, some: Value| if self.guess == Guess::Everything { some } else { unknown };
        let like = |value: &Value| Value::unknown(bare(value).ty());
        let shown_input = part("output");
        let (id, output) = match (self.stage, self.replaced(address, false)) {
            (stage, Some(own)) if stage == Stage::Apply || own.in_plan => {
                let given = |name| attribute(&own.values, name);
                let output = given("output").unwrap_or_else(|| match self.guess {
                    Guess::Nothing => Value::DYNAMIC,
                    _ => Value::from(ID),
                });
                (given("id").unwrap_or_else(|| created(unknown_id)), output)
            }
            (Stage::Apply, _) => (created(unknown_id), shown_input),
            (Stage::Plan, _) => {
                if let Some(own) = self.state.objects.get(address) {
                    let is_known = [&input, &triggers, &own.input, &own.triggers]
                        .iter()
                        .all(|value| value.is_wholly_known());
                    if !is_known {
                        let why = format!(
                            "whether {address} changes depends on a value that only a provider or an apply knows"
                        );
                        *lock(&self.unsure) = Some(why);
                    }
                    let is_same = bare(&input) == own.input;
                    if bare(&triggers) != own.triggers {
                        (later(unknown_id, Value::from(ID)), later(like(&input), input.clone()))
                    } else if is_same {
                        (created(unknown_id), own.output.clone())
                    } else {
                        (created(unknown_id), later(like(&input), input.clone()))
                    }
                } else {
                    let output = if bare(&input).is_null() { Value::NULL } else { like(&input) };
                    (later(unknown_id, Value::from(ID)), later(output, input.clone()))
                }
            }
        };
        let own = Created { input: bare(&input), triggers: bare(&triggers), output: output.clone() };
        lock(&self.seen).objects.insert(address.to_owned(), own);
        let entries = value.entries().into_iter().flatten();
        let entries = entries.map(|(name, value)| {
            let value = match &**name {
                "id" => id.clone(),
                "output" => output.clone(),
                _ => value.clone(),
            };
            (Str::from(&**name), value)
        });
        Value::object(entries.collect::<Vec<_>>())
    }

    fn replaces(&self, address: &str, provider: &str) -> bool {
        self.mocks.replaces(provider) || self.overridden.iter().any(|target| covers(target, address))
    }

    fn computed<'k>(&'k self, object: &ReplacedObject<'_>) -> Option<Box<ComputedValues<'k>>> {
        if is_terraform_data(object.address) {
            return None;
        }
        if !object.is_data {
            lock(&self.seen_mocked).insert(object.address.to_owned());
            if let Some(prior) = self.state.mocked.get(object.address) {
                return Some(Box::new(move |path, ty| match path {
                    [name] => {
                        attribute(prior, name).map_or(Value::unknown(ty.clone()), |own| self.kept(&own))
                    }
                    _ => Value::unknown(ty.clone()),
                }));
            }
        }
        let given = self.mocks.of(object)?;
        let is_uncertain = match self.stage {
            Stage::Plan => object.is_data && object.is_deferred && !self.state.is_empty(),
            Stage::Apply => !object.is_data && given.in_plan,
        };
        if is_uncertain {
            return None;
        }
        let is_now = self.stage == Stage::Apply
            || object.is_data && !object.is_deferred
            || !object.is_data && given.in_plan;
        let texts = self.texts.as_ref().map(|own| own.of(object));
        let text = move |name: Option<&str>| match (&texts, name) {
            (Some(texts), Some(name)) => Some(texts(name)),
            _ => (self.guess != Guess::Nothing).then(|| ID.to_owned()),
        };
        Some(Box::new(move |path, ty| match self.guess {
            _ if is_now => given.value(path, ty, &text).unwrap_or_else(|| {
                let why = format!("a mock sets `{}` to what it cannot be", path.join("."));
                *lock(&self.unsure) = Some(why);
                Value::unknown(ty.clone())
            }),
            Guess::Everything => mocks::some(ty),
            Guess::Nothing | Guess::Created => Value::unknown(ty.clone()),
        }))
    }

    fn results(&self, address: &str) -> Option<Value> {
        self.replaced(address, true).map(|own| own.values.clone())
    }
}

pub(super) fn is_terraform_data(address: &str) -> bool {
    address.starts_with("terraform_data.") || address.contains(".terraform_data.")
}

/// Whether an address is that of a target, or of one of its instances.
pub(super) fn covers(target: &str, address: &str) -> bool {
    let (mut rest, mut at) = (target, address);
    loop {
        match (rest.chars().next(), at.chars().next()) {
            (None, None) => return true,
            (Some(own), Some(other)) if own == other => {
                rest = &rest[own.len_utf8()..];
                at = &at[own.len_utf8()..];
            }
            (_, Some('[')) => match after_key(at) {
                Some(after) => at = after,
                None => return false,
            },
            _ => return false,
        }
    }
}

/// The text after the key that it begins with.
pub(super) fn after_key(text: &str) -> Option<&str> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ']' if !quoted => return Some(&text[at + 1..]),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn a_target_covers_its_instances() {
        for (target, address, is_covered) in [
            ("terraform_data.a", "terraform_data.a", true),
            ("terraform_data.a", "terraform_data.a[0]", true),
            ("terraform_data.a[0]", "terraform_data.a[0]", true),
            ("terraform_data.a[0]", "terraform_data.a[1]", false),
            ("terraform_data.a[0]", "terraform_data.a", false),
            ("module.m.terraform_data.a", "module.m[\"]x\"].terraform_data.a[0]", true),
            ("module.m[\"k\"].terraform_data.a", "module.m[\"j\"].terraform_data.a", false),
            ("terraform_data.a", "terraform_data.ab", false),
            ("terraform_data.ab", "terraform_data.a", false),
        ] {
            assert_eq!(covers(target, address), is_covered, "{target} {address}");
        }
    }
}
