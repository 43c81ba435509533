//! Scopes: variables whose values are expressions that are evaluated on demand. `scope/resolve.rs` evaluates them.

mod computation;
mod cycle;
mod names;
mod resolve;
mod shared;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use hclkit_syntax::{Diagnostics, Span};
use hclkit_value::{Marks, Name, Value};

pub(crate) use computation::uses;
pub use computation::{Computation, Use, UseStep};
pub use resolve::{Definition, Reported};
pub(crate) use resolve::{Needs, Resolution, resolve};
use shared::Class;
pub use shared::SharedValues;

use crate::{Expression, Target, TraversalStep, messages};

/// Names whose values are expressions that may refer to each other, such as the `locals` of a module.
///
/// In a [context](crate::Context::with_scope), the names are ordinary variables. An expression of a scope is evaluated
/// when another expression refers to its name, after the names that it refers to itself, and only once. It sees the
/// functions and variables of that context and of outer ones, but not of inner ones, such as a
/// [child](crate::Context::child) for an element of a loop.
///
/// A name is a variable, or has members at any depth: `["local", "a"]` is `local.a`, which can also be written as
/// `local["a"]`. An expression that refers to the whole `local`, or to a member by a computed key, needs all members.
/// Expressions in an unselected branch of a conditional count as referred to.
///
/// If the expression of a name has errors, every evaluation that needs the name reports them, and `try` does not catch
/// them. A cycle of names is reported as one error.
///
/// ```
/// use hclkit_model::{Context, Expression, Scope};
/// use hclkit_value::{Type, Value};
///
/// let mut scope = Scope::new();
/// scope.define(["local", "url"], Expression::parse(r#""https://${local.host}:${local.port}""#)?)?;
/// scope.define(["local", "host"], Expression::parse(r#""${var.name}.example.com""#)?)?;
/// scope.define(["local", "port"], Expression::parse("443")?)?;
/// scope.set(["var", "name"], "shop");
/// // Nothing is known about this one.
/// scope.set(["data"], Value::DYNAMIC);
///
/// let context = Context::new().with_scope(scope);
/// let url = Expression::parse("local.url")?.evaluate(&context)?;
/// assert_eq!(url, Value::from("https://shop.example.com:443"));
/// assert_eq!(Expression::parse("data.zones[0].name")?.evaluate(&context)?, Value::DYNAMIC);
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
#[derive(Clone, Default)]
pub struct Scope {
    /// Copies of a scope have the same names until one of them is changed.
    names: Arc<Names>,
    /// The prefix of names in messages.
    prefix: String,
    /// The values that it shares with other scopes.
    shared: Option<Arc<SharedValues>>,
    /// What computations can get from their context.
    owner: Option<Arc<dyn Any + Send + Sync>>,
}

/// The names of a scope, with their definitions.
#[derive(Clone, Default)]
struct Names {
    nodes: Vec<Node>,
    roots: BTreeMap<Name, usize>,
    /// Names that expressions cannot use.
    hidden: BTreeSet<Name>,
    /// Groups whose members are looked up when an expression is evaluated.
    late: BTreeSet<usize>,
}

/// A name. Its index in the table is its number.
#[derive(Clone)]
struct Node {
    name: Name,
    /// The name that it is a member of.
    parent: Option<usize>,
    content: Content,
}

#[derive(Clone)]
enum Content {
    Members(BTreeMap<Name, usize>),
    Expression(Expression),
    Computation(Arc<dyn Computation>),
    Value(Value),
}

/// The first names. Their definitions and values are left out.
#[doc(hidden)]
impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&Name> = self.names.roots.keys().collect();
        f.debug_struct("Scope").field("names", &names).finish_non_exhaustive()
    }
}

impl Scope {
    /// A scope without names.
    pub fn new() -> Self {
        Self::default()
    }

    /// Defines a name by an expression.
    ///
    /// # Errors
    /// The name is already defined, it is a member of a name that has a value, or it has members itself. The first
    /// definition is kept. A path without names is also an error.
    pub fn define<N: Into<Name>>(
        &mut self,
        path: impl IntoIterator<Item = N>,
        expression: Expression,
    ) -> Result<(), Diagnostics> {
        let (taken, name) = match self.place(path) {
            Some(NameRef::Free(node)) => {
                *self.node_mut(node) = Content::Expression(expression);
                return Ok(());
            }
            Some(NameRef::Taken(taken, name)) => (taken, name),
            None => {
                return Err(messages::empty_definition_name().at(expression.place()).into());
            }
        };
        let label = match name {
            Some(member) => label(&self.label(taken), &member),
            None => self.label(taken),
        };
        let mut found = messages::duplicate_definition(&label).at(expression.place());
        if let Content::Expression(first) = &self.names.nodes[taken].content {
            found = found.with_related(first.source(), first.span(), messages::related::FIRST_DEFINED);
        }
        Err(found.into())
    }

    #[doc(hidden)]
    /// Defines a name by a computation. It replaces an earlier definition or value.
    pub fn compute<N: Into<Name>>(
        &mut self,
        path: impl IntoIterator<Item = N>,
        computation: impl Computation + 'static,
    ) {
        if let Some(NameRef::Free(node) | NameRef::Taken(node, _)) = self.place(path) {
            *self.node_mut(node) = Content::Computation(Arc::new(computation));
        }
    }

    #[doc(hidden)]
    /// Adds a group without members. References to the group are valid, references to its members are errors.
    pub fn add_group(&mut self, name: impl Into<Name>) {
        let _ = self.place([name]);
    }

    #[doc(hidden)]
    /// Treats references to members that a group does not have as references to the whole group. Their errors are those of missing
    /// attributes, which `try` catches.
    pub fn look_up_late<N: Into<Name>>(&mut self, path: impl IntoIterator<Item = N>) {
        if let Some(NameRef::Free(node) | NameRef::Taken(node, None)) = self.place(path) {
            Arc::make_mut(&mut self.names).late.insert(node);
        }
    }

    #[doc(hidden)]
    /// Reports references to members that no group has before an expression is evaluated, as if no group were looked up late.
    pub fn look_up_at_once(&mut self) {
        Arc::make_mut(&mut self.names).late.clear();
    }

    #[doc(hidden)]
    /// Hides a name and its members from expressions. [`Context::value_of`](crate::Context::value_of) evaluates them.
    pub fn hide(&mut self, name: impl Into<Name>) {
        Arc::make_mut(&mut self.names).hidden.insert(name.into());
    }

    /// Shows a name that is [hidden](Scope::hide).
    #[doc(hidden)]
    pub fn show(&mut self, name: &str) {
        Arc::make_mut(&mut self.names).hidden.remove(name);
    }

    /// Sets what computations get from [`Context::owner`](crate::Context::owner). Then copies of a scope can have the same
    /// computations for different owners.
    #[must_use]
    #[doc(hidden)]
    pub fn with_owner(mut self, owner: impl Any + Send + Sync) -> Self {
        self.owner = Some(Arc::new(owner));
        self
    }

    fn node_mut(&mut self, node: usize) -> &mut Content {
        &mut Arc::make_mut(&mut self.names).nodes[node].content
    }

    /// Sets a prefix for names in messages, such as `module.a.`, which distinguishes the names of several scopes.
    #[must_use]
    #[doc(hidden)]
    pub fn with_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    #[doc(hidden)]
    /// Shares values with other scopes. All of them must define the same names in the same order by the same expressions,
    /// and their contexts must have the same functions and variables. Only what [`set`](Scope::set) sets, and computations
    /// that are not [determined](Computation::is_determined) by names of the scope, may differ.
    pub fn share(&mut self, shared: Arc<SharedValues>) {
        self.shared = Some(shared);
    }

    /// Sets a name to a value. It replaces an earlier definition or value. For a value that becomes known only later,
    /// use [`Value::unknown`] with its type, or [`Value::DYNAMIC`], whose attributes need not be listed.
    #[doc(hidden)]
    pub fn set<N: Into<Name>>(&mut self, path: impl IntoIterator<Item = N>, value: impl Into<Value>) {
        match self.place(path) {
            Some(NameRef::Free(node) | NameRef::Taken(node, _)) => {
                *self.node_mut(node) = Content::Value(value.into());
            }
            None => {}
        }
    }

    /// The node of a name, which is created if necessary. `None` for an empty path.
    fn place<N: Into<Name>>(&mut self, path: impl IntoIterator<Item = N>) -> Option<NameRef> {
        let names = Arc::make_mut(&mut self.names);
        let mut at: Option<usize> = None;
        let mut made = false;
        for name in path {
            let name: Name = name.into();
            let next = names.nodes.len();
            let table = match at {
                None => &mut names.roots,
                Some(parent) => match &mut names.nodes[parent].content {
                    Content::Members(members) => members,
                    _ => return Some(NameRef::Taken(parent, Some(name))),
                },
            };
            let node = *table.entry(name.clone()).or_insert(next);
            made = node == next;
            if made {
                names.nodes.push(Node { name, parent: at, content: Content::Members(BTreeMap::new()) });
            }
            at = Some(node);
        }
        Some(if made { NameRef::Free(at?) } else { NameRef::Taken(at?, None) })
    }

    pub(crate) fn owner(&self) -> Option<&(dyn Any + Send + Sync)> {
        self.owner.as_deref()
    }

    /// A name with the prefix of the scope.
    fn full_label(&self, node: usize) -> String {
        format!("{}{}", self.prefix, self.label(node))
    }

    /// A name as written in an expression.
    fn label(&self, node: usize) -> String {
        let all = std::iter::successors(Some(node), |node| self.names.nodes[*node].parent);
        let mut names: Vec<&Name> = all.map(|node| &self.names.nodes[node].name).collect();
        let root = names.pop().map_or_else(String::new, Name::to_string);
        names.iter().rev().fold(root, |parent, name| label(&parent, name))
    }

    pub(crate) fn roots(&self) -> impl Iterator<Item = &str> {
        self.names.roots.keys().filter(|name| !self.names.hidden.contains(*name)).map(Name::as_str)
    }

    /// Returns true if expressions can use a variable of the scope.
    pub(crate) fn shows(&self, name: &str) -> bool {
        self.names.roots.contains_key(name) && !self.names.hidden.contains(name)
    }

    pub(crate) fn root(&self, name: &str) -> Option<usize> {
        self.names.roots.get(name).copied()
    }

    /// The node of a path.
    pub(crate) fn node(&self, path: &[&str]) -> Option<usize> {
        let (root, members) = path.split_first()?;
        members.iter().try_fold(self.root(root)?, |node, name| match &self.names.nodes[node].content {
            Content::Members(members) => members.get(*name).copied(),
            _ => None,
        })
    }

    /// What a reference leads to, after a number of steps.
    fn find(&self, root: usize, steps: &[TraversalStep]) -> Lookup {
        let mut node = root;
        for (taken, step) in steps.iter().enumerate() {
            let Content::Members(members) = &self.names.nodes[node].content else { break };
            let name = match &step.target {
                Target::Attribute(name) => name.as_str(),
                Target::Element(key) => match key.as_str() {
                    Some(name) => name,
                    None => break,
                },
            };
            match members.get(name) {
                Some(member) => node = *member,
                None if self.names.late.contains(&node) => break,
                None => {
                    return Lookup::Missing { group: node, name: Name::from(name), taken, span: step.span };
                }
            }
        }
        Lookup::Node(node)
    }
}

/// The node of a name.
enum NameRef {
    Free(usize),
    /// The name is taken: what has it, or the value that it would be a member of and its name there.
    Taken(usize, Option<Name>),
}

/// What a reference leads to.
enum Lookup {
    /// A name.
    Node(usize),
    /// A member that does not exist, after this number of steps.
    Missing { group: usize, name: Name, taken: usize, span: Span },
}

fn label(parent: &str, name: &Name) -> String {
    if hclkit_syntax::is_identifier(name) {
        format!("{parent}.{name}")
    } else {
        format!("{parent}[{}]", Value::from(name))
    }
}

/// A scope in a context, with the values that were found so far.
#[derive(Debug)]
pub(crate) struct Lazy {
    scope: Arc<Scope>,
    values: Box<[OnceLock<Resolved>]>,
}

/// The value of a name.
#[derive(Debug)]
struct Resolved {
    value: Value,
    /// The marks of the values that contain this one, without its own.
    hidden: Marks,
    /// The value, or one that it needs, has errors.
    failed: bool,
    /// The first name of the same scope that it needs and that has errors.
    failed_by: Option<usize>,
    /// Its own errors.
    diagnostics: Diagnostics,
    /// The class of its value, if other scopes can share it.
    class: Option<Class>,
    /// What other expressions see of the value of a computation.
    seen: OnceLock<Value>,
}

impl Default for Resolved {
    /// An unknown value without errors.
    fn default() -> Self {
        let (hidden, diagnostics) = (Marks::default(), Diagnostics::new());
        Self {
            value: Value::DYNAMIC,
            hidden,
            failed: false,
            failed_by: None,
            diagnostics,
            class: None,
            seen: OnceLock::new(),
        }
    }
}

impl Lazy {
    pub(crate) fn new(scope: Scope) -> Self {
        Self::of(Arc::new(scope))
    }

    fn of(scope: Arc<Scope>) -> Self {
        let values = scope.names.nodes.iter().map(|_| OnceLock::new()).collect();
        Self { scope, values }
    }

    pub(crate) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Forgets the values, because the context has changed.
    pub(crate) fn forget(&mut self) {
        *self = self.clone();
    }
}

/// A copy is for another context, in which the values may be different.
impl Clone for Lazy {
    fn clone(&self) -> Self {
        Self::of(self.scope.clone())
    }
}
