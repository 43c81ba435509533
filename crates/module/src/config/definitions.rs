//! What a reference means: the declarations of a directory by their addresses. The graph, explanations, checks, moves and the
//! order of evaluation all ask here.

use std::collections::HashMap;

use hclkit_dialect::Role;
use hclkit_model::{Target, Traversal};
use hclkit_value::Name;

use super::{Call, Config, Content};

/// A declaration of a directory: an item, or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Declaration {
    Item(usize),
    Value(usize),
}

/// What a reference refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Referent {
    Own(Declaration),
    /// A result of a call, by its item in the called module.
    Result {
        call: usize,
        result: usize,
    },
    /// All results of a call.
    Results {
        call: usize,
    },
}

/// Declarations by their addresses, and by the names that their addresses begin with.
#[derive(Clone, Debug)]
pub(crate) struct Definitions<T = Declaration> {
    entries: HashMap<Vec<Name>, Entry<T>>,
    /// The number of names of the longest address. References can have many more.
    longest: usize,
}

#[derive(Clone, Debug)]
struct Entry<T> {
    /// The declarations with this address.
    own: Vec<T>,
    /// Those whose addresses begin with it.
    members: Vec<T>,
}

impl<T> Default for Definitions<T> {
    fn default() -> Self {
        Self { entries: HashMap::new(), longest: 0 }
    }
}

impl<T: Copy> Definitions<T> {
    /// Adds a declaration. An empty address is none.
    pub(crate) fn add(&mut self, address: &[Name], declaration: T) {
        self.longest = self.longest.max(address.len());
        for length in 1..address.len() {
            self.entry(&address[..length]).members.push(declaration);
        }
        if !address.is_empty() {
            self.entry(address).own.push(declaration);
        }
    }

    fn entry(&mut self, address: &[Name]) -> &mut Entry<T> {
        self.entries.entry(address.to_vec()).or_insert_with(|| Entry { own: Vec::new(), members: Vec::new() })
    }

    fn own(&self, address: &[Name]) -> &[T] {
        self.entries.get(address).map_or(&[], |entry| &entry.own)
    }

    /// The first declaration with an address.
    pub(crate) fn get(&self, address: &[Name]) -> Option<T> {
        self.own(address).first().copied()
    }

    /// The declaration with the longest address that a path begins with, and the length of this address.
    pub(crate) fn longest(&self, path: &[Name]) -> Option<(T, usize)> {
        (1..=path.len().min(self.longest)).rev().find_map(|length| Some((self.get(&path[..length])?, length)))
    }

    /// All declarations that a path leads to, or through, and all members of a group, if the path is that of a group.
    pub(crate) fn all<'d>(&'d self, path: &'d [Name]) -> impl Iterator<Item = T> {
        let through = (1..=path.len().min(self.longest)).flat_map(|length| self.own(&path[..length]));
        let members = self.entries.get(path).into_iter().flat_map(|entry| &entry.members);
        through.chain(members).copied()
    }
}

impl Config {
    /// What references in the directory can refer to. Results are not among them: only callers refer to those.
    pub(crate) fn definitions(&self) -> &Definitions {
        self.definitions.get_or_init(|| {
            let mut definitions = Definitions::default();
            for (at, item) in self.items.iter().enumerate().filter(|(_, item)| item.rule.role != Role::Result)
            {
                definitions.add(&item.address, Declaration::Item(at));
                definitions.add(&item.long_address, Declaration::Item(at));
            }
            for (at, value) in self.values.iter().enumerate() {
                definitions.add(&value.address, Declaration::Value(at));
            }
            definitions
        })
    }

    /// The result with a name.
    pub(crate) fn result(&self, name: &str) -> Option<usize> {
        let results = self.results.get_or_init(|| {
            let mut results = Definitions::default();
            for (at, item) in self.items.iter().enumerate().filter(|(_, item)| item.rule.role == Role::Result)
            {
                results.add(&[Name::from(item.own_name())], at);
            }
            results
        });
        results.get(&[Name::from(name)])
    }

    /// What a reference in the directory refers to, if that is declared.
    pub(crate) fn referent(&self, reference: &Traversal) -> Option<Referent> {
        let (declaration, length) = self.definitions().longest(&names_of(reference))?;
        let Declaration::Item(call) = declaration else { return Some(Referent::Own(declaration)) };
        let item = &self.items[call];
        let Content::Call(Call { config, .. }) = &item.content else {
            return Some(Referent::Own(declaration));
        };
        let mut steps = reference.steps[length - 1..].iter().map(|step| &step.target).peekable();
        let result = |name: &str| config.as_ref()?.result(name);
        // A name in brackets is a key, or that of a result of a call without keys.
        steps.next_if(|target| {
            matches!(target, Target::Element(key)
                if item.has_keys() || key.as_str().is_none_or(|name| result(name).is_none()))
        });
        let result = steps.next().and_then(Target::name).and_then(result);
        Some(result.map_or(Referent::Results { call }, |result| Referent::Result { call, result }))
    }
}

/// The names with which a reference begins, also those in quotes and brackets.
pub(crate) fn names_of(reference: &Traversal) -> Vec<Name> {
    let steps = reference.steps.iter().map_while(|step| match &step.target {
        Target::Attribute(name) => Some(name.clone()),
        Target::Element(key) => key.as_str().map(Name::from),
    });
    std::iter::once(reference.root.clone()).chain(steps).collect()
}
