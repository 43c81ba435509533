//! The schema that the permissive provider reads (`conformance/permissive`).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Value, json};

#[derive(Default, Serialize)]
pub(super) struct Schema {
    pub(super) providers: BTreeMap<String, Block>,
    pub(super) resources: BTreeMap<String, Block>,
    pub(super) data: BTreeMap<String, Block>,
    pub(super) ephemeral: BTreeMap<String, Block>,
    pub(super) functions: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Default, Serialize)]
pub(super) struct Block {
    pub(super) attributes: BTreeMap<String, Value>,
    pub(super) blocks: BTreeMap<String, Nested>,
    /// The types that configured attributes seem to have.
    #[serde(skip)]
    pub(super) guesses: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Default, Serialize)]
pub(super) struct Nested {
    pub(super) single: bool,
    pub(super) computed: bool,
    pub(super) block: Block,
}

impl Schema {
    /// Adds what another schema has.
    pub(super) fn add(&mut self, other: Self) {
        let both = [
            (&mut self.providers, other.providers),
            (&mut self.resources, other.resources),
            (&mut self.data, other.data),
            (&mut self.ephemeral, other.ephemeral),
        ];
        for (own, other) in both {
            for (name, block) in other {
                own.entry(name).or_default().add(block);
            }
        }
        for (name, functions) in other.functions {
            self.functions.entry(name).or_default().extend(functions);
        }
    }
}

pub(super) fn dynamic() -> Value {
    json!("dynamic")
}

/// The type that replaces one that Terraform refused, until there is none left to try.
pub(super) fn next_type(ty: &Value) -> Option<Value> {
    let order = [
        json!("string"),
        json!(["list", "string"]),
        json!(["map", "string"]),
        json!(["list", ["map", "string"]]),
        json!(["map", ["list", "string"]]),
    ];
    let at = order.iter().position(|one| one == ty)?;
    order.get(at + 1).cloned()
}

impl Block {
    fn add(&mut self, other: Self) {
        self.attributes.extend(other.attributes);
        for (name, nested) in other.blocks {
            let own = self.blocks.entry(name).or_default();
            own.single |= nested.single;
            own.computed |= nested.computed;
            own.block.add(nested.block);
        }
        for (name, guesses) in other.guesses {
            self.guesses.entry(name).or_default().extend(guesses);
        }
    }

    /// Gives the attributes of nested blocks the types that they seem to have, or those that are known for the data source.
    pub(super) fn make_static(&mut self, ty: &str, known: &BTreeMap<(String, String), Value>) {
        for nested in self.blocks.values_mut() {
            for (name, attribute) in &mut nested.block.attributes {
                let guesses = nested.block.guesses.get(name).into_iter().flatten();
                let mut guesses = guesses.filter_map(|guess| serde_json::from_str::<Value>(guess).ok());
                let guess = guesses.find(|guess| guess != "string").unwrap_or_else(|| json!("string"));
                *attribute = known.get(&(ty.to_owned(), name.clone())).cloned().unwrap_or(guess);
            }
            nested.block.make_static(ty, known);
        }
    }

    /// Adds what an expression selects: a path of names, with `[]` for an element.
    pub(super) fn select(&mut self, path: &[String], element: &Value) {
        let Some((name, rest)) = path.split_first() else { return };
        if name == "[]" {
            return self.select(rest, element);
        }
        let Some(nested) = self.blocks.get_mut(name) else {
            self.attributes.entry(name.clone()).or_insert_with(|| element.clone());
            return;
        };
        nested.computed = true;
        nested.single |= rest.first().is_some_and(|first| first != "[]");
        let element = if element == "dynamic" { element.clone() } else { json!("string") };
        nested.block.select(rest, &element);
    }

    /// The names that are attributes in one place and blocks in another.
    pub(super) fn conflicts(&self) -> Vec<&str> {
        let mut found: Vec<&str> = self
            .blocks
            .keys()
            .filter(|name| self.attributes.contains_key(*name))
            .map(String::as_str)
            .collect();
        for nested in self.blocks.values() {
            found.extend(nested.block.conflicts());
        }
        found
    }
}
