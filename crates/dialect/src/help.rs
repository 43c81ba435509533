//! What editors offer and say about arguments and blocks. It checks nothing.

use std::collections::BTreeMap;

use hclkit_value::{Name, Type};

/// What the value of an argument is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A type constraint.
    Types,
    /// A configuration of a provider, or an object of them.
    Configurations,
    /// The address of an object or a call, or a list of them.
    Addresses,
    /// Attributes of the object around it.
    Attributes,
    /// A value of a type.
    Value(Type),
}

/// The names of what is not a value in tables.
pub(crate) const TAKES: [(&str, Takes); 4] = [
    ("types", Takes::Types),
    ("configurations", Takes::Configurations),
    ("addresses", Takes::Addresses),
    ("attributes", Takes::Attributes),
];

/// What a table says for editors. A name is that of a type of blocks (`lifecycle`), or of an argument or a block in them
/// (`lifecycle.ignore_changes`); a block `*` means any.
#[derive(Clone, Debug, Default)]
pub struct Help {
    pub(crate) takes: BTreeMap<Name, Takes>,
    pub(crate) about: BTreeMap<Name, String>,
    /// Functions that only the program has, by name.
    pub functions: BTreeMap<Name, FunctionHelp>,
}

/// What editors say about a function that only the program has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionHelp {
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// What it does.
    pub about: String,
}

impl FunctionHelp {
    /// Reads a call such as `get_env(name, default)`: the name of the function, and the rest.
    pub(crate) fn read(call: &str, about: &str) -> Option<(Name, Self)> {
        let (name, rest) = call.split_once('(')?;
        let parameters = rest.strip_suffix(')')?.split(',').map(|own| own.trim().to_owned());
        let parameters = parameters.filter(|own| !own.is_empty()).collect();
        Some((Name::from(name), Self { parameters, about: about.to_owned() }))
    }
}

impl Help {
    /// What the value of an argument of a block is.
    pub fn takes(&self, block: &str, argument: &str) -> Option<&Takes> {
        let get = |block: &str| self.takes.get(format!("{block}.{argument}").as_str());
        get(block).or_else(|| get("*"))
    }

    /// The arguments of a block whose values are described.
    pub fn arguments<'h>(&'h self, block: &'h str) -> impl Iterator<Item = &'h str> {
        let own = move |name: &'h Name| name.strip_prefix(block)?.strip_prefix('.');
        self.takes.keys().filter_map(own)
    }

    /// What an argument or a block in a block is. At the top of a file, the block is empty.
    pub fn about(&self, block: &str, name: &str) -> Option<&str> {
        let get = |name: &str| self.about.get(name).map(String::as_str);
        if block.is_empty() {
            return get(name);
        }
        get(&format!("{block}.{name}")).or_else(|| get(&format!("*.{name}"))).or_else(|| get(name))
    }
}
