//! Names that a directory shares with those that call it: its inputs, its results and its values. The tables of the languages say
//! which blocks declare them, and which ones call.

use std::sync::Arc;

use hclkit_dialect::{BlockRule, Dialect, Role};
use hclkit_value::Name;

use crate::Symbol;

/// The languages whose tables say what a name in a file, or in a module that it calls, is: the one of the file first.
fn languages(path: &str) -> impl Iterator<Item = Arc<Dialect>> {
    Dialect::of_path(path).into_iter().chain(Dialect::of_modules())
}

/// The blocks that call other directories.
pub(crate) fn calling(language: &Dialect) -> impl Iterator<Item = &BlockRule> {
    language.blocks.iter().map(AsRef::as_ref).filter(|rule| rule.role == Role::Call)
}

impl Symbol {
    /// The role of the blocks that declare the name, according to the language of a file, or else any language that has modules.
    #[doc(hidden)]
    pub fn role(&self, path: &str) -> Option<Role> {
        languages(path).find_map(|language| role_in(&language, self))
    }

    /// A result of a call, in parts: `module.net.id` is `module.net`, and `output.id` in the module. `None` if the names do not
    /// begin with those of a call, or are longer.
    #[doc(hidden)]
    pub fn result_of_call(&self, path: &str) -> Option<(Self, Self)> {
        let (call, rest) = self.in_call(path)?;
        let [name] = &rest.names[..] else { return None };
        let language = languages(path).find(|language| role_in(language, &call) == Some(Role::Call))?;
        Some((call, named(&language, Role::Result, name)?))
    }

    /// The names of a call that the symbol begins with, and those after them. `None` if there are none.
    #[doc(hidden)]
    pub fn in_call(&self, path: &str) -> Option<(Self, Self)> {
        let is_call = |names: &[String]| {
            let symbol = Self { names: names.to_vec(), key: None };
            languages(path).any(|language| role_in(&language, &symbol) == Some(Role::Call))
        };
        let count = (1..self.names.len()).find(|count| is_call(&self.names[..*count]))?;
        let (call, rest) = self.names.split_at(count);
        Some((Self { names: call.to_vec(), key: None }, Self { names: rest.to_vec(), key: None }))
    }

    /// The input with a name in the directories that the blocks of a file call.
    #[doc(hidden)]
    pub fn input(path: &str, name: &str) -> Option<Self> {
        languages(path).find_map(|language| named(&language, Role::Input, name))
    }
}

fn role_in(language: &Dialect, symbol: &Symbol) -> Option<Role> {
    let is_it = |rule: &&Arc<BlockRule>| rule.defines.definition(&symbol.names).is_some();
    // A form that begins with a label, such as that of resources, fits anything of its length.
    let mut rules: Vec<&Arc<BlockRule>> = language.blocks.iter().filter(is_it).collect();
    rules.sort_by_key(|rule| rule.defines.root().is_none());
    rules.first().map(|rule| rule.role)
}

/// The address of a name that blocks of a role declare.
fn named(language: &Dialect, role: Role, name: &str) -> Option<Symbol> {
    let mut rules = language.blocks.iter().filter(|rule| rule.role == role && rule.labels.len() == 1);
    let address = rules.find_map(|rule| rule.defines.address(&[name], None))?;
    Some(Symbol { names: address.iter().map(Name::to_string).collect(), key: None })
}
