//! The address of a name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use hclkit_dialect::{BlockRule, Dialect, Role};
use hclkit_model::{Expression, Target, Traversal};
use hclkit_syntax::{Document, is_identifier};
use hclkit_value::Value;

/// A name that expressions refer to, by its address: `var.region`, `local.zone`, `aws_instance.web`, `data.aws_ami.base`,
/// `module.net`, `output.id`, or any other traversal of names. The key of an instance limits the references to those that
/// may be about this instance: `aws_instance.web[0].id`.
///
/// ```
/// use hclkit_refactor::{OccurrenceKind, Symbol};
///
/// let text = "variable \"region\" {\n}\nlocals {\n  zone = \"${var.region}-a\"\n}\n";
/// let document = hclkit_syntax::parse(text);
/// let region: Symbol = "var.region".parse()?;
/// let found = region.occurrences(&document);
/// assert_eq!(found.len(), 2);
/// assert_eq!((found[0].kind, found[0].address.as_str()), (OccurrenceKind::Declaration, "variable.region"));
/// assert_eq!((found[1].kind, found[1].address.as_str()), (OccurrenceKind::Reference, "locals.zone"));
/// # Ok::<(), hclkit_refactor::SymbolError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Symbol {
    /// The names. A resource has no `resource` before them.
    pub(crate) names: Vec<String>,
    /// The key of an instance, which comes after the names of a resource or a module call.
    pub(crate) key: Option<Value>,
}

impl Symbol {
    /// The symbol with another last name.
    ///
    /// # Errors
    /// It is not an identifier. An address that differs only in its last name is also accepted.
    pub fn with_name(&self, name: &str) -> Result<Self, SymbolError> {
        let (_, rest) = self.names.split_last().unwrap_or((&self.names[0], &[]));
        let last = match name.parse::<Self>() {
            Ok(other) if other.names.len() == self.names.len() && other.names.starts_with(rest) => {
                other.names[rest.len()].clone()
            }
            _ => name.to_owned(),
        };
        if !is_identifier(&last) {
            return Err(SymbolError { text: name.to_owned(), reason: "expected a name, such as `web`" });
        }
        Ok(Self { names: rest.iter().cloned().chain([last]).collect(), key: None })
    }

    /// The symbol with another first name.
    pub(crate) fn with_root(&self, root: &str) -> Self {
        let rest = self.names.iter().skip(1).cloned();
        Self { names: std::iter::once(root.to_owned()).chain(rest).collect(), key: None }
    }

    /// The symbol with the names of an address. `None` if one of them is no identifier, or if they are no address.
    pub fn of(names: &[String]) -> Option<Self> {
        Self::of_names(names.to_vec()).filter(|own| own.names.iter().all(|name| is_identifier(name)))
    }

    fn of_names(mut names: Vec<String>) -> Option<Self> {
        // A provider with an alias is `aws.west`.
        let is_provider = names.len() == 3 && names[0] == "provider";
        if is_provider || names.len() > 2 && names[0] == "resource" {
            names.remove(0);
        }
        let is_root =
            |name: &String| matches!(name.as_str(), "var" | "local" | "data" | "module" | "resource");
        let is_address = !names.is_empty() && (names.len() > 1 || !is_root(&names[0]));
        is_address.then_some(Self { names, key: None })
    }

    /// The names of the address, without the key of an instance.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns true if the symbol is an instance, such as `aws_instance.web[0]`, which has no name of its own.
    pub fn is_instance(&self) -> bool {
        self.key.is_some() && have_keys(&self.names)
    }

    /// The names of the resource or the module call of whose instances the last name is an attribute.
    pub(crate) fn instances(&self) -> Option<&[String]> {
        let count = count_before_key(&self.names)?;
        (count + 1 == self.names.len()).then(|| &self.names[..count])
    }

    pub(crate) fn name(&self) -> &str {
        self.names.last().map_or("", String::as_str)
    }

    /// The number of names and keys at the start of a traversal that refer to the symbol.
    pub(crate) fn matches(&self, traversal: &Traversal) -> Option<usize> {
        self.matches_names(traversal).or_else(|| self.matches_instance(traversal))
    }

    /// Same as `matches_names`, for a traversal that has the key of an instance after the names of a resource or a module call.
    fn matches_instance(&self, traversal: &Traversal) -> Option<usize> {
        let at = traversal.steps.iter().position(|step| matches!(step.target, Target::Element(_)))?;
        let is_possible = *traversal.root.as_str() == *self.names[0] || traversal.root == "resource";
        let count = is_possible.then(|| count_before_key(&self.names)).flatten()?;
        let Target::Element(key) = &traversal.steps[at].target else { return None };
        if self.key.as_ref().is_some_and(|own| own != key) {
            return None;
        }
        let mut without = traversal.clone();
        without.steps.remove(at);
        let found = self.matches_names(&without)?;
        // The key is after the names that it belongs to.
        let skipped = found - self.names.len();
        (at + 1 == skipped + count).then_some(found + 1)
    }

    fn matches_names(&self, traversal: &Traversal) -> Option<usize> {
        let names: Vec<&str> = std::iter::once(traversal.root.as_str())
            .chain(traversal.steps.iter().map_while(|step| step.target.name()))
            .collect();
        // Terraform allows `resource.` before the address of a resource, and its stacks have `provider.` before that of a provider.
        let is_resource = self.names.len() >= 2 && matches!(names.first(), Some(&("resource" | "provider")));
        [0, usize::from(is_resource)].into_iter().find_map(|skipped| {
            let rest = names.get(skipped..)?;
            let fits = rest.len() >= self.names.len()
                && self.names.iter().zip(rest).all(|(one, other)| one == other);
            let count = skipped + self.names.len();
            // Another instance is not meant.
            let is_other = || match traversal.steps.get(count - 1).map(|step| &step.target) {
                Some(Target::Element(key)) => self.is_instance() && self.key.as_ref() != Some(key),
                _ => false,
            };
            (fits && !is_other()).then_some(count)
        })
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names.join("."))
    }
}

impl FromStr for Symbol {
    type Err = SymbolError;

    fn from_str(text: &str) -> Result<Self, SymbolError> {
        let error = |reason| SymbolError { text: text.to_owned(), reason };
        let expected = "expected an address of names, such as `var.region` or `aws_instance.web`";
        let traversal =
            Expression::parse(text).ok().and_then(|expression| expression.static_traversal().ok());
        let traversal = traversal.ok_or_else(|| error(expected))?;
        let mut names = vec![traversal.root.to_string()];
        let mut last_key = None;
        for step in &traversal.steps {
            match &step.target {
                Target::Attribute(name) => names.push(name.to_string()),
                Target::Element(key) if have_keys(without_prefix(&names)) => {
                    last_key = Some(key.clone());
                }
                Target::Element(key) => match key.as_str() {
                    Some(name) => names.push(name.to_owned()),
                    None => return Err(error("only resources, data sources and module calls have indexes")),
                },
            }
        }
        let symbol = Self::of_names(names).ok_or_else(|| error(expected))?;
        Ok(Self { key: last_key, ..symbol })
    }
}

/// Returns true if the text of a file contains the last name of a symbol.
pub fn mentions(document: &Document, symbol: &Symbol) -> bool {
    let (name, text) = (symbol.name(), document.source().text());
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-');
    text.match_indices(name)
        .any(|(at, name)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
}

/// Names without `resource` before them.
fn without_prefix(names: &[String]) -> &[String] {
    match names {
        [first, rest @ ..] if first == "resource" => rest,
        _ => names,
    }
}

/// Why a text is not the address or the name of a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolError {
    text: String,
    reason: &'static str,
}

impl fmt::Display for SymbolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid address `{}`: {}", self.text, self.reason)
    }
}

impl std::error::Error for SymbolError {}

/// Returns true if a key can follow these names: those of a resource, a data source or a module call.
pub(crate) fn have_keys(names: &[String]) -> bool {
    let mut rest = names;
    while let [first, _, inner @ ..] = rest
        && first == "module"
    {
        if inner.is_empty() {
            return true;
        }
        rest = inner;
    }
    match rest {
        [kind, _, _] => kind == "data" || kind == "ephemeral",
        [kind, _] => kind.contains('_') || have_instances(rest),
        _ => false,
    }
}

/// Whether blocks that a language repeats, or whose values it does not say, define an address.
fn have_instances(names: &[String]) -> bool {
    let is_repeated = |rule: &Arc<BlockRule>| {
        let is_value = matches!(
            rule.role,
            Role::Input | Role::Inputs | Role::Result | Role::Value | Role::Values | Role::Check
        );
        rule.defines.root().is_some() && !is_value && rule.defines.definition(names).is_some()
    };
    Dialect::all().any(|language| language.blocks.iter().any(is_repeated))
}

/// The number of names before the key of an instance.
pub(crate) fn count_before_key(names: &[String]) -> Option<usize> {
    (2..names.len()).rev().find(|count| have_keys(&names[..*count]))
}
