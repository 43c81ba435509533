//! Addresses of values in a module, such as `module.net["a"].aws_subnet.zones["b"].id`.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::str::FromStr;

use hclkit_model::path::PathError;
use hclkit_value::{Name, Path, Value};

use crate::pattern::Pattern;
use crate::step::{Step, written};

/// The address of a value in a module, with what its parts mean. It is also the text, as written in an expression.
///
/// ```
/// use hclkit_module::{Address, AddressKind};
///
/// let address: Address = "module.net[\"a\"].aws_subnet.zones[0].tags[\"Env\"]".parse()?;
/// let modules: Vec<_> = address.modules().map(|(name, key)| (name, key.and_then(|key| key.as_str()))).collect();
/// assert_eq!(modules, [("net", Some("a"))]);
/// assert_eq!(address.kind(), AddressKind::Resource);
/// assert_eq!((address.block_type(), address.name()), (Some("aws_subnet"), "zones"));
/// assert_eq!(address.key().map(|key| key.to_string()).as_deref(), Some("0"));
/// assert_eq!(address.rest().to_string(), ".tags[\"Env\"]");
/// assert!(address.starts_with("module.net"));
/// # Ok::<(), hclkit_module::PathError>(())
/// ```
///
/// A parsed address has the form of Terraform. In a called module, `module.net.vpc.id` is a resource, although it can also
/// be an attribute of the result `vpc`; the addresses of an [`Evaluation`](crate::Evaluation) are exact.
#[derive(Clone)]
pub struct Address {
    text: String,
    steps: Vec<Step>,
    kind: AddressKind,
    /// The number of steps that lead to the module.
    start: usize,
    /// The number of names after these that are the address in the module.
    names: usize,
}

/// What an [`Address`] is the address of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressKind {
    /// An input variable.
    Variable,
    /// A local value.
    Local,
    /// A resource, or another block that something outside of the module provides.
    Resource,
    /// A data source.
    Data,
    /// An ephemeral resource.
    Ephemeral,
    /// A result of a module.
    Output,
    /// A call of a module as a whole.
    Module,
    /// Something else, such as `each.key` or `path.root`.
    Other,
}

impl Address {
    /// An address in the module to which the first `start` steps lead, where it has `names` names.
    pub(crate) fn new(steps: Vec<Step>, kind: AddressKind, start: usize, names: usize) -> Self {
        Self { text: written(&steps), steps, kind, start, names }
    }

    /// The address of a name that an instance binds.
    pub(crate) fn bound(steps: Vec<Step>, instance: &str) -> Self {
        let names = steps.iter().take_while(|step| step.name().is_some()).count();
        let text = format!("{} in {instance}", written(&steps));
        Self { text, steps, kind: AddressKind::Other, start: 0, names }
    }

    /// An address as Terraform reads it.
    pub(crate) fn of(steps: Vec<Step>) -> Self {
        let name = |at: usize| steps.get(at).and_then(Step::name);
        let mut start = 0;
        while name(start) == Some("module") && name(start + 1).is_some() {
            let keys = usize::from(matches!(steps.get(start + 2), Some(Step::Key(_))));
            if steps.len() <= start + 2 + keys {
                return Self::new(steps, AddressKind::Module, start, 2);
            }
            start += 2 + keys;
        }
        let (kind, names) = match (name(start), name(start + 1), name(start + 2)) {
            (Some("var"), Some(_), _) => (AddressKind::Variable, 2),
            (Some("local"), Some(_), _) => (AddressKind::Local, 2),
            (Some("output"), Some(_), _) => (AddressKind::Output, 2),
            (Some("data"), Some(_), Some(_)) => (AddressKind::Data, 3),
            (Some("ephemeral"), Some(_), Some(_)) => (AddressKind::Ephemeral, 3),
            (Some("each" | "count" | "path" | "terraform" | "self"), Some(_), _) => (AddressKind::Other, 2),
            (Some(_), Some(_), _) => (AddressKind::Resource, 2),
            (Some(_), None, _) if start > 0 => (AddressKind::Output, 1),
            _ => (AddressKind::Other, usize::from(name(start).is_some())),
        };
        Self::new(steps, kind, start, names)
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The calls that lead to the module, from the root module on: their names, and the keys of their instances.
    pub fn modules(&self) -> impl Iterator<Item = (&str, Option<&Value>)> {
        let steps = &self.steps[..self.start];
        let names = (0..steps.len()).filter(|&at| at > 0 && steps[at - 1].name() == Some("module"));
        names.filter_map(|at| {
            let key = match steps.get(at + 1) {
                Some(Step::Key(key)) => Some(key),
                _ => None,
            };
            Some((steps[at].name()?, key))
        })
    }

    /// What the address refers to.
    pub fn kind(&self) -> AddressKind {
        self.kind
    }

    /// The type of a resource, data source or ephemeral resource.
    pub fn block_type(&self) -> Option<&str> {
        match self.kind {
            AddressKind::Resource | AddressKind::Data | AddressKind::Ephemeral if self.names > 1 => {
                self.steps.get(self.start + self.names - 2)?.name()
            }
            _ => None,
        }
    }

    /// The name of the block, variable, local value or result.
    pub fn name(&self) -> &str {
        let last = (self.start + self.names).checked_sub(1).and_then(|at| self.steps.get(at));
        last.and_then(Step::name).unwrap_or_default()
    }

    /// The key of the instance of a resource or a call.
    pub fn key(&self) -> Option<&Value> {
        match self.steps.get(self.start + self.names) {
            Some(Step::Key(key)) if self.is_block() => Some(key),
            _ => None,
        }
    }

    /// The path from the instance, or from the value, to the part of it.
    pub fn rest(&self) -> Path {
        let rest = self.steps.iter().skip(self.start + self.names + usize::from(self.key().is_some()));
        rest.fold(Path::new(), |path, step| match step {
            Step::Name(name) => path.attribute(name.as_str()),
            Step::Key(key) => path.index(key.clone()),
        })
    }

    fn is_block(&self) -> bool {
        use AddressKind::{Data, Ephemeral, Module, Resource};
        matches!(self.kind, Resource | Data | Ephemeral | Module)
    }
}

/// The kind of an object by its address in a module.
pub(crate) fn kind_of_object(address: &[Name]) -> AddressKind {
    match address.first().map(Name::as_str) {
        Some("data") => AddressKind::Data,
        Some("ephemeral") => AddressKind::Ephemeral,
        _ => AddressKind::Resource,
    }
}

impl FromStr for Address {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let pattern: Pattern = text.parse()?;
        pattern.address().map(Self::of).ok_or_else(|| pattern.not_one_address())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// The text.
#[doc(hidden)]
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl Deref for Address {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl Borrow<str> for Address {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Address {}

impl PartialEq<str> for Address {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for Address {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

impl PartialEq<String> for Address {
    fn eq(&self, other: &String) -> bool {
        self.text == *other
    }
}

impl Hash for Address {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}
