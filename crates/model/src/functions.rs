//! Tables of functions, and functions that take their arguments unevaluated. Those that every library has (`try`, `can`
//! and `convert`) are in `functions/special.rs`.

mod special;

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::mem;
use std::sync::Arc;

use hclkit_syntax::{Code, Diagnostic};
use hclkit_value::{Capability, Error, Function, Name, Str, Value};

use crate::eval::Arguments;
use crate::{Diagnostics, messages};

/// A function that a call can refer to.
#[derive(Clone, Debug)]
pub enum Callable {
    /// A function of values.
    Function(Function),
    /// A function of expressions.
    Lazy(LazyFunction),
}

/// A function that gets its arguments unevaluated and decides which ones to evaluate.
///
/// ```
/// use hclkit_model::{Context, Expression, Functions, LazyFunction};
/// use hclkit_value::Value;
///
/// // How many arguments cannot be evaluated?
/// let failures = LazyFunction::new("expressions", |arguments| {
///     let failed = (0..arguments.len()).filter(|&at| arguments.evaluate(at).is_err()).count();
///     Ok(Value::from(failed))
/// });
/// let mut functions = Functions::new();
/// functions.insert("failures", failures);
/// let context = Context::new().with_functions(functions);
/// assert_eq!(Expression::parse("failures(1, [][0], 1 + {})")?.evaluate(&context)?, Value::from(2));
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct LazyFunction(Arc<Definition>);

type Body = dyn Fn(&mut Arguments<'_, '_>) -> Result<Value, Error> + Send + Sync;

#[derive(Clone)]
struct Definition {
    parameters: Vec<Str>,
    variadic: Option<Str>,
    /// The argument that is a type, not a value.
    type_argument: Option<usize>,
    description: Str,
    examples: Vec<(Str, Str)>,
    body: Arc<Body>,
}

impl LazyFunction {
    /// A function that accepts any number of arguments. Messages refer to them by this name.
    pub fn new(
        variadic: impl Into<Str>,
        body: impl Fn(&mut Arguments<'_, '_>) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(Definition {
            parameters: Vec::new(),
            variadic: Some(variadic.into()),
            type_argument: None,
            description: Str::default(),
            examples: Vec::new(),
            body: Arc::new(body),
        }))
    }

    #[doc(hidden)]
    /// A function whose first argument must be a [reference](Arguments::is_reference), like Terraform's
    /// `templatestring`. Its arguments are not converted to the types of its parameters.
    pub fn of_reference(function: Function) -> Self {
        special::of_reference(function)
    }

    #[doc(hidden)]
    /// `convert` as in Terraform, where types can have optional attributes with defaults.
    pub fn convert_with_defaults() -> Self {
        special::convert_with_defaults()
    }

    /// Sets exactly these parameters.
    #[must_use]
    pub fn with_parameters<N: Into<Str>>(self, names: impl IntoIterator<Item = N>) -> Self {
        self.changed(|definition| {
            definition.parameters = names.into_iter().map(Into::into).collect();
            definition.variadic = None;
        })
    }

    /// Says that an argument is a [type](Arguments::type_expression): its names are no variables.
    #[must_use]
    pub(crate) fn with_type_argument(self, at: usize) -> Self {
        self.changed(|definition| definition.type_argument = Some(at))
    }

    /// Sets a sentence that describes the function.
    #[must_use]
    pub fn with_description(self, description: impl Into<Str>) -> Self {
        self.changed(|definition| definition.description = description.into())
    }

    /// Adds a call and its result to the documentation.
    #[must_use]
    pub fn with_example(self, call: impl Into<Str>, result: impl Into<Str>) -> Self {
        self.changed(|definition| definition.examples.push((call.into(), result.into())))
    }

    fn changed(self, change: impl FnOnce(&mut Definition)) -> Self {
        let mut definition = Arc::unwrap_or_clone(self.0);
        change(&mut definition);
        Self(Arc::new(definition))
    }

    /// The names of the positional parameters.
    pub fn parameters(&self) -> &[Str] {
        &self.0.parameters
    }

    /// The name of the parameter for further arguments.
    pub fn variadic_parameter(&self) -> Option<&str> {
        self.0.variadic.as_deref()
    }

    /// The argument that is a type.
    pub(crate) fn type_argument(&self) -> Option<usize> {
        self.0.type_argument
    }

    /// The description.
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// Example calls with their results.
    pub fn examples(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.examples.iter().map(|(call, result)| (call.as_str(), result.as_str()))
    }

    pub(crate) fn call(&self, arguments: &mut Arguments<'_, '_>) -> Result<Value, Error> {
        (self.0.body)(arguments)
    }
}

#[doc(hidden)]
impl fmt::Debug for LazyFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LazyFunction").field(&self.0.parameters).field(&self.0.variadic).finish()
    }
}

impl From<Function> for Callable {
    fn from(function: Function) -> Self {
        Self::Function(function)
    }
}

impl From<LazyFunction> for Callable {
    fn from(function: LazyFunction) -> Self {
        Self::Lazy(function)
    }
}

/// Functions by name, sorted. Cheap to clone.
#[derive(Clone, Default)]
pub struct Functions {
    table: Arc<Vec<(Name, Callable)>>,
    /// The namespace in which they can also be called.
    namespace: Option<Name>,
    /// Replacements for functions that were removed from the language.
    removed: Arc<BTreeMap<Name, Str>>,
}

/// The suffix of a name that matches all other functions of a namespace.
const ALL: &str = "::*";

/// The number of functions.
#[doc(hidden)]
impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Functions").field("len", &self.table.len()).finish_non_exhaustive()
    }
}

impl Functions {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    #[doc(hidden)]
    /// The functions that take their arguments unevaluated: `try`, `can` and `convert`.
    pub fn special() -> Self {
        special::table()
    }

    /// Also makes the functions available in a namespace, such as Terraform's `core`.
    ///
    /// ```
    /// use hclkit_model::{Context, Expression, Functions};
    ///
    /// let context = Context::new().with_functions(Functions::special().with_namespace("core"));
    /// let value = Expression::parse("try(core::try([][0], 1), 2)")?.evaluate(&context)?;
    /// assert_eq!(value, hclkit_value::Value::from(1));
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    #[must_use]
    pub fn with_namespace(self, namespace: impl Into<Name>) -> Self {
        Self { namespace: Some(namespace.into()), ..self }
    }

    /// Adds a function. It replaces a function with the same name. Names in namespaces contain `::`. The name
    /// `namespace::*` stands for all functions of a namespace that are not added by name.
    pub fn insert(&mut self, name: impl Into<Name>, function: impl Into<Callable>) {
        let (name, function) = (name.into(), function.into());
        let table = Arc::make_mut(&mut self.table);
        match place(table, &name) {
            Ok(at) => table[at].1 = function,
            Err(at) => table.insert(at, (name, function)),
        }
    }

    /// Removes a function.
    pub fn remove(&mut self, name: &str) -> Option<Callable> {
        let at = place(&self.table, name).ok()?;
        Some(Arc::make_mut(&mut self.table).remove(at).1)
    }

    #[doc(hidden)]
    /// Adds the name of a function that was removed from the language, and its replacement. Errors about calls suggest
    /// the replacement.
    ///
    /// ```
    /// use hclkit_model::{Context, Expression, Functions};
    ///
    /// let mut functions = Functions::special();
    /// functions.insert_removed("list", "tolist([ ... ])");
    /// let context = Context::new().with_functions(functions);
    /// let found = Expression::parse("list(1)")?.evaluate(&context).unwrap_err();
    /// assert_eq!(found[0].note(), "The function `list` is no longer available. Use `tolist([ ... ])` instead.");
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    pub fn insert_removed(&mut self, name: impl Into<Name>, replacement: impl Into<Str>) {
        Arc::make_mut(&mut self.removed).insert(name.into(), replacement.into());
    }

    #[doc(hidden)]
    /// The replacement of a function that was removed from the language.
    pub fn replacement(&self, name: &str) -> Option<&str> {
        self.removed.get(self.bare(name)).map(Str::as_str)
    }

    /// The function with this name.
    pub fn get(&self, name: &str) -> Option<&Callable> {
        Some(&self.table[self.find(name)?].1)
    }

    /// The index of the function that can be called by this name.
    fn find(&self, name: &str) -> Option<usize> {
        let all = || {
            let (namespace, _) = name.split_once("::")?;
            place(&self.table, &format!("{namespace}{ALL}")).ok()
        };
        place(&self.table, self.bare(name)).ok().or_else(all)
    }

    /// A name without the namespace of the table.
    fn bare<'n>(&self, name: &'n str) -> &'n str {
        let inside = |namespace: &Name| name.strip_prefix(namespace.as_str())?.strip_prefix("::");
        self.namespace.as_ref().and_then(inside).unwrap_or(name)
    }

    /// The function with this name and its index in the table. The search starts at the index of the `last` call.
    #[inline]
    pub(crate) fn get_near(&self, name: &str, last: usize) -> Option<(usize, &Callable)> {
        let at = match self.table.get(last) {
            Some((known, _)) if known.as_str() == name => last,
            _ => self.find(name)?,
        };
        Some((at, &self.table[at].1))
    }

    /// The names, sorted.
    #[doc(hidden)]
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.table.iter().map(|(name, _)| name.as_str()).filter(|name| !name.ends_with(ALL))
    }

    /// The functions, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Callable)> {
        self.table.iter().map(|(name, function)| (name.as_str(), function))
    }
}

/// The error of a function that evaluated something itself. If an argument is sensitive, the error contains only the
/// codes and places of the errors, without the name of the source, which may be an argument too.
///
/// ```
/// use hclkit_model::{Context, Expression, error_within};
///
/// let found = Expression::parse("1 + \"hunter2\"")?.evaluate(&Context::new()).unwrap_err();
/// let error = error_within(&found).redacted();
/// assert!(error.message().starts_with("1:5: Invalid operand"));
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
pub fn error_within(found: &Diagnostics) -> Error {
    let (mut places, mut messages) = (String::new(), Vec::new());
    for diagnostic in found {
        // Functions return errors, so that the severity is clear.
        let place = diagnostic.place().map_or_else(String::new, |place| format!("{place}: "));
        messages.push(format!("{place}{}: {}", diagnostic.summary(), diagnostic.note()));
        if let Some(source) = diagnostic.source() {
            let start = source.position(diagnostic.span().start);
            let _ = write!(places, "{}:{}: ", start.line, start.column);
        }
        let _ = write!(places, "{}; ", diagnostic.summary());
    }
    places.push_str(messages::DETAILS_WITHHELD);
    if found.unreported() > 0 {
        messages.push(format!("{} more", found.unreported()));
    }
    let message = messages.join("\n");
    match missing_grant(found) {
        Some((capability, _)) => Error::not_granted(capability, message),
        None => Error::new(message),
    }
    .with_redacted(places)
}

/// The code of an error about a missing grant.
pub(crate) fn code_of(capability: Capability) -> &'static Code {
    match capability {
        Capability::Files => &Code::FilesNotGranted,
        Capability::Environment => &Code::EnvironmentNotGranted,
        _ => &Code::NotGranted,
    }
}

/// The grant or feature that is missing according to the code of a diagnostic, so that the error of a function that
/// evaluates something has the same code.
pub(crate) fn missing_grant(found: &Diagnostics) -> Option<(Capability, &Diagnostic)> {
    [Capability::Files, Capability::Environment, Capability::Feature].into_iter().find_map(|capability| {
        let diagnostic = found.iter().find(|diagnostic| diagnostic.has_code(*code_of(capability)))?;
        Some((capability, diagnostic))
    })
}

/// The index of a name in a table, or where it would be inserted.
fn place(table: &[(Name, Callable)], name: &str) -> Result<usize, usize> {
    table.binary_search_by(|(known, _)| known.as_str().cmp(name))
}

impl<N: Into<Name>, F: Into<Callable>> FromIterator<(N, F)> for Functions {
    fn from_iter<I: IntoIterator<Item = (N, F)>>(functions: I) -> Self {
        let mut table = Self::new();
        table.extend(functions);
        table
    }
}

impl<N: Into<Name>, F: Into<Callable>> Extend<(N, F)> for Functions {
    fn extend<I: IntoIterator<Item = (N, F)>>(&mut self, functions: I) {
        let table = Arc::make_mut(&mut self.table);
        table.extend(functions.into_iter().map(|(name, function)| (name.into(), function.into())));
        table.sort_by(|(one, _), (other, _)| one.cmp(other));
        // If two have the same name, the later one stays.
        table.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                mem::swap(later, earlier);
            }
            same
        });
    }
}

/// Functions that have names of their own, such as [typed](Function::typed) ones.
///
/// ```
/// use hclkit_model::{Context, Expression};
/// use hclkit_value::{Function, Value};
///
/// let double = Function::typed("double", |n: i64| n.checked_mul(2).ok_or("the number is too large"));
/// let context = Context::new().with_functions([double]);
/// assert_eq!(Expression::parse("double(21)")?.evaluate(&context)?, Value::from(42));
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
///
/// # Panics
/// The name of a function is empty.
///
/// ```should_panic
/// use hclkit_model::Functions;
/// use hclkit_value::{Function, Type, Value};
///
/// Functions::from([Function::new("", Type::Number, |_, _| Ok(Value::from(1)))]);
/// ```
impl FromIterator<Function> for Functions {
    fn from_iter<I: IntoIterator<Item = Function>>(functions: I) -> Self {
        let mut table = Self::new();
        table.extend(functions);
        table
    }
}

impl Extend<Function> for Functions {
    fn extend<I: IntoIterator<Item = Function>>(&mut self, functions: I) {
        self.extend(functions.into_iter().map(|function| {
            let name = Name::from(function.name());
            assert!(!name.is_empty(), "a function has no name; set it with `Function::with_name`");
            (name, function)
        }));
    }
}

impl<const N: usize> From<[Function; N]> for Functions {
    fn from(functions: [Function; N]) -> Self {
        functions.into_iter().collect()
    }
}

impl<N: Into<Name>, F: Into<Callable>> From<BTreeMap<N, F>> for Functions {
    fn from(functions: BTreeMap<N, F>) -> Self {
        functions.into_iter().collect()
    }
}
