//! Evaluation contexts: the variables and functions that expressions see (information model, "Expressions").

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use hclkit_limits::Limits;
use hclkit_value::{Marks, Name, Value};

use crate::Scope;
use crate::functions::{Callable, Functions};
use crate::node::Last;
use crate::scope::Lazy;
use crate::suggest::near_name;

/// The variables and functions that an expression can use: those of this context and of the outer ones.
///
/// A context in which variables were never set, not even an empty list, does not allow variables, and errors say so.
/// The same applies to functions. Contexts are cheap to clone.
///
/// ```
/// use hclkit_model::{Context, Expression};
/// use hclkit_value::Value;
///
/// let mut context = Context::new();
/// context.set("name", "world");
/// let mut inner = context.child();
/// inner.set("count", 3);
/// let expression = Expression::parse(r#""Hello, ${name}${count > 1 ? "s" : ""}!""#)?;
/// assert_eq!(expression.evaluate(&inner)?, Value::from("Hello, worlds!"));
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
#[derive(Clone, Default)]
pub struct Context(Arc<Frame>);

#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent setting")]
struct Frame {
    parent: Option<Context>,
    variables: Option<BTreeMap<Name, Value>>,
    functions: Option<Functions>,
    /// The variables whose values are unmarked parts of a marked value, with its marks.
    hidden: BTreeMap<Name, Marks>,
    /// True if this context or an outer one has any.
    hides: bool,
    /// Variables that are evaluated on demand.
    scope: Option<Lazy>,
    /// True if this context or an outer one has any.
    lazy: bool,
    /// Unknown values of unknown types may have any type.
    open_types: bool,
    /// References to undefined variables are their own text.
    runtime_names: bool,
    /// The limits of each evaluation, with those of the outer contexts.
    limits: Option<Arc<Limits>>,
}

/// The result of looking up a name.
pub(crate) enum Lookup<T> {
    Found(T),
    /// No variable has this name.
    Unknown,
    /// No variables are allowed.
    NotAllowed,
}

/// The names of its own variables, and whether it is inside another one. Values and functions are left out.
#[doc(hidden)]
impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&Name> = self.0.variables.iter().flat_map(BTreeMap::keys).collect();
        f.debug_struct("Context")
            .field("variables", &names)
            .field("is_child", &self.0.parent.is_some())
            .finish_non_exhaustive()
    }
}

impl Context {
    /// A context without variables or functions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a context inside this one. Its variables and functions are visible only inside, where they hide those
    /// with the same name.
    #[must_use]
    pub fn child(&self) -> Self {
        let mut frame = Frame::default();
        frame.parent = Some(self.clone());
        (frame.hides, frame.lazy) = (self.0.hides, self.0.lazy);
        (frame.open_types, frame.runtime_names) = (self.0.open_types, self.0.runtime_names);
        frame.limits.clone_from(&self.0.limits);
        Self(Arc::new(frame))
    }

    /// The outer context.
    #[doc(hidden)]
    pub fn parent(&self) -> Option<&Self> {
        self.0.parent.as_ref()
    }

    /// Sets a variable.
    pub fn set(&mut self, name: impl Into<Name>, value: impl Into<Value>) {
        self.frame_mut().variables.get_or_insert_default().insert(name.into(), value.into());
    }

    /// Sets variables. If the list is empty, variables are allowed from then on.
    #[doc(hidden)]
    pub fn set_all<N: Into<Name>>(&mut self, variables: impl IntoIterator<Item = (N, Value)>) {
        self.frame_mut()
            .variables
            .get_or_insert_default()
            .extend(variables.into_iter().map(|(name, value)| (name.into(), value)));
    }

    /// Sets a variable whose value is part of something with these marks: no message shows it.
    pub(crate) fn set_hidden(&mut self, name: Name, value: Value, marks: Marks) {
        self.set(name.clone(), value);
        if !marks.is_empty() {
            let frame = self.frame_mut();
            frame.hidden.insert(name, marks);
            frame.hides = true;
        }
    }

    /// Sets the functions.
    pub fn set_functions(&mut self, functions: impl Into<Functions>) {
        self.frame_mut().functions = Some(functions.into());
    }

    /// Adds a variable.
    #[must_use]
    pub fn with(mut self, name: impl Into<Name>, value: impl Into<Value>) -> Self {
        self.set(name, value);
        self
    }

    /// Sets the functions. Like [`set_functions`](Self::set_functions), for chaining.
    #[must_use]
    pub fn with_functions(mut self, functions: impl Into<Functions>) -> Self {
        self.set_functions(functions);
        self
    }

    /// Sets the limits of each evaluation, decoding or loading that uses this context or one inside it, as if each were a
    /// [run](Limits::run). If there are limits already, also of an outer context, the smaller of each applies.
    ///
    /// ```
    /// use hclkit_limits::Limits;
    /// use hclkit_model::{Context, Expression};
    ///
    /// let context = Context::new().with("list", "abc").with_limits(Limits::new().with_bytes(6));
    /// assert!(Expression::parse(r#""${list}-${list}""#)?.evaluate(&context).is_err());
    /// assert!(Expression::parse(r#""${list}${list}""#)?.evaluate(&context).is_ok());
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        let frame = self.frame_mut();
        frame.limits = Some(Arc::new(match &frame.limits {
            Some(earlier) => earlier.smaller(&limits),
            None => limits,
        }));
        self
    }

    /// Does work under the limits of this context, if it has any.
    #[doc(hidden)]
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.0.limits {
            Some(limits) => limits.run(work),
            None => work(),
        }
    }

    #[doc(hidden)]
    /// Sets whether the types of unknown values of unknown types may turn out to fit. If so, a conditional whose results have
    /// no common type because of such values is unknown; otherwise, it is an error, as in the reference.
    #[must_use]
    pub fn with_open_types(mut self, open: bool) -> Self {
        self.frame_mut().open_types = open;
        self
    }

    #[doc(hidden)]
    /// Sets whether the value of a reference to an undefined variable is its own text, as in Nomad, which defines such
    /// variables later: `${attr.kernel.name}`. Otherwise, it is an error.
    #[must_use]
    pub fn with_runtime_names(mut self, runtime: bool) -> Self {
        self.frame_mut().runtime_names = runtime;
        self
    }

    /// Sets the scope. Its names hide variables of outer contexts, but not those of this context. A context has one
    /// scope; a [child](Context::child) can have another one.
    #[doc(hidden)]
    pub fn set_scope(&mut self, scope: Scope) {
        let frame = self.frame_mut();
        frame.scope = Some(Lazy::new(scope));
        frame.lazy = true;
    }

    /// The owner of the innermost scope that [has one](Scope::with_owner), if it is of this type.
    ///
    /// ```
    /// use hclkit_model::{Context, Scope};
    ///
    /// let context = Context::new().with_scope(Scope::new().with_owner("network"));
    /// assert_eq!(context.child().owner::<&str>(), Some(&"network"));
    /// ```
    #[doc(hidden)]
    pub fn owner<T: Any>(&self) -> Option<&T> {
        let mut contexts = std::iter::successors(Some(self), |context| context.parent());
        contexts.find_map(|context| context.0.scope.as_ref()?.scope().owner())?.downcast_ref()
    }

    /// Sets the scope. Like [`set_scope`](Self::set_scope), for chaining.
    #[must_use]
    pub fn with_scope(mut self, scope: Scope) -> Self {
        self.set_scope(scope);
        self
    }

    /// The contents, for changes. Values of the scope are discarded, because they may depend on them.
    fn frame_mut(&mut self) -> &mut Frame {
        let frame = Arc::make_mut(&mut self.0);
        if let Some(scope) = &mut frame.scope {
            scope.forget();
        }
        frame
    }

    pub(crate) fn has_open_types(&self) -> bool {
        self.0.open_types
    }

    pub(crate) fn has_runtime_names(&self) -> bool {
        self.0.runtime_names
    }

    /// Whether this context or an outer one has a scope.
    #[inline]
    pub(crate) fn is_lazy(&self) -> bool {
        self.0.lazy
    }

    pub(crate) fn own_scope(&self) -> Option<&Lazy> {
        self.0.scope.as_ref()
    }

    /// The scope that defines a name, and its context, unless a variable hides the name.
    pub(crate) fn scope_of(&self, name: &str) -> Option<(&Self, &Lazy)> {
        for context in std::iter::successors(Some(self), |context| context.parent()) {
            let frame = &*context.0;
            if frame.variables.as_ref().is_some_and(|variables| variables.contains_key(name)) {
                return None;
            }
            if let Some(lazy) = frame.scope.as_ref().filter(|lazy| lazy.scope().shows(name)) {
                return Some((context, lazy));
            }
        }
        None
    }

    /// The value of a variable of this context or an outer one. Names of a [`Scope`] are not found, because their
    /// values must be evaluated first.
    pub fn variable(&self, name: &str) -> Option<&Value> {
        self.frames().find_map(|frame| frame.variables.as_ref()?.get(name))
    }

    /// Returns true if values of variables are parts of marked values.
    pub(crate) fn hides(&self) -> bool {
        self.0.hides
    }

    /// The marks of the value that contains the value of a variable.
    pub(crate) fn hidden(&self, name: &str) -> Marks {
        if !self.0.hides {
            return Marks::default();
        }
        let holds = |frame: &&Frame| frame.variables.as_ref().is_some_and(|own| own.contains_key(name));
        let frame = self.frames().find(holds);
        frame.and_then(|frame| frame.hidden.get(name)).cloned().unwrap_or_default()
    }

    /// The function with this name, in this context or an outer one.
    #[doc(hidden)]
    pub fn function(&self, name: &str) -> Option<&Callable> {
        self.frames().find_map(|frame| frame.functions.as_ref()?.get(name))
    }

    /// The replacement of a function that was removed from the language.
    pub(crate) fn replacement(&self, name: &str) -> Option<&str> {
        self.frames().find_map(|frame| frame.functions.as_ref()?.replacement(name))
    }

    /// The variables of this context, without those of its parents.
    pub fn variables(&self) -> impl Iterator<Item = (&Name, &Value)> {
        self.0.variables.iter().flatten()
    }

    /// The functions of this context, without those of its parents.
    pub fn functions(&self) -> Option<&Functions> {
        self.0.functions.as_ref()
    }

    /// This context and the outer ones, innermost first.
    fn frames(&self) -> impl Iterator<Item = &Frame> {
        std::iter::successors(Some(self), |context| context.parent()).map(|context| &*context.0)
    }

    #[doc(hidden)]
    /// Returns true if expressions can use neither variables nor functions, because none were ever set. In such a context,
    /// strings of the JSON syntax are literal.
    pub fn allows_nothing(&self) -> bool {
        self.frames()
            .all(|frame| frame.variables.is_none() && frame.functions.is_none() && frame.scope.is_none())
    }

    pub(crate) fn look_up_variable(&self, name: &str) -> Lookup<&Value> {
        if let Some(value) = self.variable(name) {
            return Lookup::Found(value);
        }
        not_found(self.frames().any(|frame| frame.variables.is_some() || frame.scope.is_some()))
    }

    /// The variable that an undefined name may have meant. This searches all variables.
    pub(crate) fn near_variable(&self, name: &str) -> Option<String> {
        let tables = self.frames().filter_map(|frame| frame.variables.as_ref());
        let scopes = self.frames().filter_map(|frame| frame.scope.as_ref());
        let roots = scopes.flat_map(|lazy| lazy.scope().roots());
        let names: Vec<&str> =
            tables.flat_map(|variables| variables.keys().map(Name::as_str)).chain(roots).collect();
        near_name(name, names.len(), names).map(str::to_owned)
    }

    /// The same for functions.
    pub(crate) fn near_function(&self, name: &str) -> Option<String> {
        let tables = self.frames().filter_map(|frame| frame.functions.as_ref());
        let names: Vec<&str> = tables.flat_map(Functions::names).collect();
        near_name(name, names.len(), names).map(str::to_owned)
    }

    pub(crate) fn look_up_function(&self, name: &str, last: &Last) -> Lookup<&Callable> {
        let mut tables = self.frames().filter_map(|frame| frame.functions.as_ref());
        if let Some(function) = tables.find_map(|table| last.find(|last| table.get_near(name, last))) {
            return Lookup::Found(function);
        }
        not_found(self.frames().any(|frame| frame.functions.is_some()))
    }
}

fn not_found<T>(allowed: bool) -> Lookup<T> {
    if allowed { Lookup::Unknown } else { Lookup::NotAllowed }
}

impl Drop for Frame {
    /// Chains of contexts may be long, so they are dropped in a loop.
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(mut frame) = next.and_then(|context| Arc::into_inner(context.0)) {
            next = frame.parent.take();
        }
    }
}
