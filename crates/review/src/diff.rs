//! The difference of two versions, as data.

use std::fmt;

use hclkit::module::SettingKind;
use hclkit::{Diagnostics, Place};

use crate::cause::Cause;
use crate::shown::Shown;

/// The difference of two versions of a module.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Diff {
    /// The instances of resources and other objects that are not the same, by their addresses.
    pub instances: Vec<InstanceChange>,
    /// The results of the root module that are not the same.
    pub outputs: Vec<OutputChange>,
    /// What declarations say that is not the same.
    pub settings: Vec<SettingChange>,
    /// Instances that look like others that were removed: a `moved` block would keep them.
    pub suggestions: Vec<MoveSuggestion>,
    /// Errors of the old version. What depends on them is not compared.
    pub old_errors: Diagnostics,
    /// Errors of the new version, and warnings that the old version does not have.
    pub findings: Diagnostics,
    /// A limit ended some of the work, so that changes may be missing.
    pub is_incomplete: bool,
}

/// What happens to an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Action {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has another address, as a `moved` block says. It may have other changes, too.
    Moved,
    /// Some of its attributes have other values.
    Changed,
    /// Only attributes that are unknown before an apply may have other values.
    MayChange,
}

impl Action {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Moved => "moved",
            Self::Changed => "changed",
            Self::MayChange => "may_change",
        }
    }

    /// One character, as a plan has it.
    pub fn sign(self) -> char {
        match self {
            Self::Added => '+',
            Self::Removed => '-',
            Self::Moved => '>',
            Self::Changed => '~',
            Self::MayChange => '?',
        }
    }
}

/// An instance of a resource or of another object.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct InstanceChange {
    /// What happens to it.
    pub action: Action,
    /// Its address, in the new version unless it is removed.
    pub address: String,
    /// Its address in the old version, if that is another one.
    pub previous_address: Option<String>,
    /// Its attributes that are not the same. Those of an instance that is added or removed are all that are configured.
    pub attributes: Vec<AttributeChange>,
    /// Where the block is declared, in the new version unless the instance is removed.
    pub place: Option<Place>,
}

/// How certain a change is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Certainty {
    /// The values differ.
    Changes,
    /// The values are unknown, and computed in another way, or from something that changes.
    MayChange,
    /// The values are the same, but only one is sensitive.
    OnlySensitivity,
}

impl Certainty {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Changes => "changes",
            Self::MayChange => "may_change",
            Self::OnlySensitivity => "sensitivity",
        }
    }
}

/// A part of a value that is not the same.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AttributeChange {
    /// The path from the instance, such as `tags.Env` or `rule[0].port`. Empty for a value as a whole.
    pub path: String,
    /// How certain the change is.
    pub certainty: Certainty,
    /// The old value.
    pub old: Shown,
    /// The new value.
    pub new: Shown,
    /// The addresses of objects that change, because of which a value may change.
    pub because: Vec<String>,
    /// The source lines that cause it, if they were asked for.
    pub causes: Vec<Cause>,
}

/// `size: 1 -> 2`
impl fmt::Display for AttributeChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        match (self.certainty, &self.old, &self.new) {
            (Certainty::OnlySensitivity, ..) => f.write_str("only what is sensitive changes"),
            (Certainty::MayChange, ..) if self.because.is_empty() => f.write_str("may change"),
            (Certainty::MayChange, ..) => {
                let shown = self.because.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
                let more = self.because.len().saturating_sub(3);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                write!(f, "may change with {shown}{more}")
            }
            (_, Shown::Sensitive, Shown::Sensitive) => f.write_str("(sensitive) changes"),
            (_, old, new) => write!(f, "{old} -> {new}"),
        }
    }
}

/// A result of the root module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OutputChange {
    /// Its name.
    pub name: String,
    /// The parts of its value that are not the same.
    pub parts: Vec<AttributeChange>,
    /// Where it is declared.
    pub place: Option<Place>,
}

/// Something that a declaration says, or the declaration itself.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SettingChange {
    /// What declares it.
    pub kind: SettingKind,
    /// The address of the module, with `[*]` for a key that is unknown. Empty for the root module.
    pub module: String,
    /// The declaration: `var.region`, `terraform`, `provider.aws`.
    pub subject: String,
    /// The part of it: `default`, `required_providers.aws.version`. Empty for the declaration itself.
    pub path: String,
    /// What the old version says. Absent if it is new.
    pub old: Shown,
    /// What the new version says. Absent if it is gone.
    pub new: Shown,
    /// What it means: `required now`, `major version`.
    pub note: Option<String>,
    /// The place in the new version, or in the old one if it is gone.
    pub place: Place,
    /// In how many other calls of the same module this changes, too.
    pub others: usize,
}

impl SettingChange {
    /// The whole name, such as `module.net.terraform.required_version`.
    pub fn name(&self) -> String {
        let parts = [&self.module, &self.subject, &self.path];
        parts.iter().filter(|part| !part.is_empty()).map(|part| part.as_str()).collect::<Vec<_>>().join(".")
    }
}

/// A move that a `moved` block could state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveSuggestion {
    /// The address in the old version.
    pub from: String,
    /// The address in the new version.
    pub to: String,
}

impl MoveSuggestion {
    /// The block to add.
    pub fn block(&self) -> String {
        format!("moved {{\n  from = {}\n  to   = {}\n}}\n", self.from, self.to)
    }
}

/// How many there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// New instances.
    pub added: usize,
    /// Instances that are gone.
    pub removed: usize,
    /// Instances with another address.
    pub moved: usize,
    /// Instances with other values.
    pub changed: usize,
    /// Instances that only may have other values.
    pub may_change: usize,
    /// Results with other values.
    pub outputs: usize,
    /// Settings.
    pub settings: usize,
}

impl Diff {
    /// Returns true if both versions mean the same. Instances that only have another address, as `moved` blocks say, do, and findings
    /// do not count.
    pub fn is_empty(&self) -> bool {
        let is_same = |own: &InstanceChange| own.action == Action::Moved && own.attributes.is_empty();
        self.instances.iter().all(is_same) && self.outputs.is_empty() && self.settings.is_empty()
    }

    /// Counts the changes.
    pub fn totals(&self) -> Totals {
        let count = |action| self.instances.iter().filter(|own| own.action == action).count();
        Totals {
            added: count(Action::Added),
            removed: count(Action::Removed),
            moved: count(Action::Moved),
            changed: count(Action::Changed),
            may_change: count(Action::MayChange),
            outputs: self.outputs.len(),
            settings: self.settings.len(),
        }
    }
}
