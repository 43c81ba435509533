//! What is known of `terraform_data` in a run: from earlier runs, from overrides, and what only Terraform knows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use hclkit::Value;
use hclkit::module::ObjectKnowledge;
use hclkit::value::{Str, Type};

use super::file::attribute;

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

pub(super) type State = BTreeMap<String, Created>;

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
    /// The targets of all overrides, and the configurations of providers that are mocked.
    pub(super) overridden: Vec<String>,
    pub(super) mocks: BTreeSet<String>,
    /// Objects whose conditions have failed.
    pub(super) blocked: Vec<String>,
    /// The objects that were seen.
    pub(super) seen: Mutex<State>,
    /// A reason why it is unknown whether an object changes.
    pub(super) unsure: Mutex<Option<String>>,
}

impl World {
    fn replaced(&self, address: &str, is_module: bool) -> Option<&Replaced> {
        self.replaced.iter().find(|own| own.is_module == is_module && covers(&own.target, address))
    }

    pub(super) fn seen(&self) -> State {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn unsure(&self) -> Option<String> {
        self.unsure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Some id: its value is not used.
const ID: &str = "00000000-0000-4000-8000-000000000000";

impl ObjectKnowledge for World {
    fn object(&self, address: &str, value: Value) -> Value {
        if self.blocked.iter().any(|own| own == address) {
            return Value::DYNAMIC;
        }
        if !is_terraform_data(address) {
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
                if let Some(own) = self.state.get(address) {
                    let is_known = [&input, &triggers, &own.input, &own.triggers]
                        .iter()
                        .all(|value| value.is_wholly_known());
                    if !is_known {
                        let why = format!(
                            "whether {address} changes depends on a value that only a provider or an apply knows"
                        );
                        *self.unsure.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
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
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(address.to_owned(), own);
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
        self.mocks.contains(provider) || self.overridden.iter().any(|target| covers(target, address))
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
