//! Functions (information model, "Functions and Function Calls"): their parameters, the types of their
//! results, and the rules for calls.

use std::fmt;
use std::sync::Arc;

use hclkit_limits::Meter;

use crate::error::Error;
use crate::path::Step;
use crate::refine::RefinementBuilder;
use crate::value::Repr;
use crate::work::read_text;
use crate::{MarksBuilder, Str, Type, Value};

/// A parameter of a function.
///
/// By default, null is an error, and the body of the function does not see unknown values, values of the
/// dynamic pseudo-type or marks: the calling rules determine the result for those.
///
/// ```
/// use hclkit_value::{Parameter, Type};
///
/// let parameter = Parameter::new("value", Type::Dynamic).with_marked();
/// assert!(parameter.allows_marked() && !parameter.allows_dynamic());
/// ```
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "the flags are independent in the information model")]
pub struct Parameter {
    name: Str,
    description: Str,
    ty: Type,
    allow_null: bool,
    allow_unknown: bool,
    allow_dynamic: bool,
    allow_marked: bool,
}

impl Parameter {
    /// A parameter whose arguments must match a type specification.
    pub fn new(name: impl Into<Str>, ty: Type) -> Self {
        Self {
            name: name.into(),
            description: Str::default(),
            ty,
            allow_null: false,
            allow_unknown: false,
            allow_dynamic: false,
            allow_marked: false,
        }
    }

    /// Sets the description.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<Str>) -> Self {
        self.description = description.into();
        self
    }

    /// Accepts null: the function is called with it.
    #[must_use]
    pub fn with_nulls(mut self) -> Self {
        self.allow_null = true;
        self
    }

    /// Accepts unknown arguments: the function is called with them.
    #[must_use]
    pub fn with_unknowns(mut self) -> Self {
        self.allow_unknown = true;
        self
    }

    /// Accepts arguments of the dynamic pseudo-type: the function computes its result type from them.
    #[must_use]
    pub fn with_dynamic(mut self) -> Self {
        self.allow_dynamic = true;
        self
    }

    /// Passes the argument with its marks. The function must add them to its result where they apply.
    #[must_use]
    pub fn with_marked(mut self) -> Self {
        self.allow_marked = true;
        self
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The description. Empty if none was set.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The type specification that arguments must match. Callers may convert arguments to it first.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Returns true if null is accepted.
    #[doc(hidden)]
    pub fn allows_null(&self) -> bool {
        self.allow_null
    }

    /// Returns true if the function is called with unknown arguments.
    #[doc(hidden)]
    pub fn allows_unknown(&self) -> bool {
        self.allow_unknown
    }

    /// Returns true if the function computes its result type from arguments of the dynamic pseudo-type.
    #[doc(hidden)]
    pub fn allows_dynamic(&self) -> bool {
        self.allow_dynamic
    }

    /// Returns true if the function sees the argument's marks.
    #[doc(hidden)]
    pub fn allows_marked(&self) -> bool {
        self.allow_marked
    }
}

/// The name of a parameter, optionally with a description; see [`Function::with_parameters`].
#[derive(Clone, Debug)]
pub struct ParameterName {
    name: Str,
    description: Option<Str>,
}

impl From<&str> for ParameterName {
    fn from(name: &str) -> Self {
        Self { name: name.into(), description: None }
    }
}

impl From<(&str, &str)> for ParameterName {
    fn from((name, description): (&str, &str)) -> Self {
        Self { name: name.into(), description: Some(description.into()) }
    }
}

type TypeOf = dyn Fn(&[Value]) -> Result<Type, Error> + Send + Sync;
type Body = dyn Fn(&[Value], &Type) -> Result<Value, Error> + Send + Sync;
type Refine = dyn Fn(RefinementBuilder) -> RefinementBuilder + Send + Sync;

/// A function over values: a closure with parameters and a result type.
///
/// ```
/// use hclkit_value::{Function, Parameter, Type, Value};
///
/// let greet = Function::new("greet", Type::String, |args, _| {
///     Ok(Value::from(format!("Hello, {}!", args[0].as_str().unwrap_or_default())))
/// })
/// .with_parameter(Parameter::new("name", Type::String));
///
/// assert_eq!(greet.call(&[Value::from("world")])?, Value::from("Hello, world!"));
/// assert_eq!(greet.call(&[Value::unknown(Type::String)])?.ty(), Type::String);
/// assert!(greet.call(&[Value::null(Type::String)]).is_err());
/// # Ok::<(), hclkit_value::Error>(())
/// ```
#[derive(Clone)]
pub struct Function(Arc<Definition>);

/// An example for documentation: a call and its result, both as source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    call: Str,
    result: Str,
}

impl Example {
    /// The call.
    pub fn call(&self) -> &str {
        &self.call
    }

    /// The result.
    pub fn result(&self) -> &str {
        &self.result
    }
}

#[derive(Clone)]
enum ResultType {
    Always(Type),
    Of(Arc<TypeOf>),
}

#[derive(Clone)]
struct Definition {
    name: Str,
    description: Str,
    examples: Vec<Example>,
    parameters: Vec<Parameter>,
    variadic: Option<Parameter>,
    result: ResultType,
    body: Arc<Body>,
    refine: Option<Arc<Refine>>,
    impure: bool,
    typed_by_result: bool,
    marks_decide: bool,
}

impl Function {
    /// Creates a function with a name and the type of its results. The body receives the arguments, which its
    /// [parameters](Self::with_parameter) have checked, and the type.
    ///
    /// [`Function::typed`] is shorter for functions of Rust types.
    pub fn new(
        name: impl Into<Str>,
        result: Type,
        body: impl Fn(&[Value], &Type) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Self {
        Self::unnamed(result, body).with_name(name)
    }

    /// Lets the result type depend on the arguments. `type_of` is called before the body, when arguments may still be
    /// unknown. The body receives the type that it returned.
    ///
    /// ```
    /// use hclkit_value::{Function, Parameter, Type, Value};
    ///
    /// let same = Function::new("same", Type::Dynamic, |args, _| Ok(args[0].clone()))
    ///     .with_parameter(Parameter::new("value", Type::Dynamic))
    ///     .with_result_type(|args| Ok(args[0].ty()));
    /// assert_eq!(same.call(&[Value::unknown(Type::Bool)])?, Value::unknown(Type::Bool));
    /// # Ok::<(), hclkit_value::Error>(())
    /// ```
    #[must_use]
    pub fn with_result_type(
        self,
        type_of: impl Fn(&[Value]) -> Result<Type, Error> + Send + Sync + 'static,
    ) -> Self {
        self.changed(|definition| definition.result = ResultType::Of(Arc::new(type_of)))
    }

    /// A function that a table names.
    #[doc(hidden)]
    pub fn unnamed(
        result: Type,
        body: impl Fn(&[Value], &Type) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Self {
        Self::defined(ResultType::Always(result), Arc::new(body))
    }

    /// A function that a table names, whose result type depends on its arguments.
    #[doc(hidden)]
    pub fn with_type(
        type_of: impl Fn(&[Value]) -> Result<Type, Error> + Send + Sync + 'static,
        body: impl Fn(&[Value], &Type) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Self {
        Self::defined(ResultType::Of(Arc::new(type_of)), Arc::new(body))
    }

    fn defined(result: ResultType, body: Arc<Body>) -> Self {
        Self(Arc::new(Definition {
            name: Str::default(),
            description: Str::default(),
            examples: Vec::new(),
            parameters: Vec::new(),
            variadic: None,
            result,
            body,
            refine: None,
            impure: false,
            typed_by_result: false,
            marks_decide: false,
        }))
    }

    fn changed(self, change: impl FnOnce(&mut Definition)) -> Self {
        let mut definition = Arc::unwrap_or_clone(self.0);
        change(&mut definition);
        Self(Arc::new(definition))
    }

    /// Sets the name, which tables of functions use unless they set another one.
    #[must_use]
    pub fn with_name(self, name: impl Into<Str>) -> Self {
        let name = name.into();
        self.changed(|definition| definition.name = name)
    }

    /// Sets the names of the parameters in order, the one for all remaining arguments last: plain names, or names with
    /// descriptions. If there are fewer names than parameters, the other parameters keep theirs. Extra names are ignored.
    ///
    /// ```
    /// use hclkit_value::Function;
    ///
    /// let area = Function::typed("area", |width: u32, height: u32| width * height)
    ///     .with_parameters([("width", "In meters."), ("height", "In meters.")]);
    /// assert_eq!(area.parameters()[0].name(), "width");
    /// assert_eq!(area.parameters()[1].description(), "In meters.");
    /// ```
    #[must_use]
    pub fn with_parameters<N: Into<ParameterName>>(self, names: impl IntoIterator<Item = N>) -> Self {
        self.changed(|definition| {
            let parameters = definition.parameters.iter_mut().chain(&mut definition.variadic);
            for (parameter, name) in parameters.zip(names) {
                let ParameterName { name, description } = name.into();
                parameter.name = name;
                if let Some(description) = description {
                    parameter.description = description;
                }
            }
        })
    }

    /// Adds a positional parameter.
    #[must_use]
    pub fn with_parameter(self, parameter: Parameter) -> Self {
        self.changed(|definition| definition.parameters.push(parameter))
    }

    /// Sets the parameter for all arguments after the positional ones.
    #[must_use]
    pub fn with_variadic(self, parameter: Parameter) -> Self {
        self.changed(|definition| definition.variadic = Some(parameter))
    }

    /// Sets the description of what the function does.
    #[must_use]
    pub fn with_description(self, description: impl Into<Str>) -> Self {
        let description = description.into();
        self.changed(|definition| definition.description = description)
    }

    /// Adds an example for documentation: a call and its result, both as source text.
    ///
    /// ```
    /// use hclkit_value::{Function, Parameter, Type};
    ///
    /// let double = Function::unnamed(Type::Number, |args, _| args[0].add(&args[0]))
    ///     .with_parameter(Parameter::new("number", Type::Number))
    ///     .with_example("double(21)", "42");
    /// assert_eq!(double.examples()[0].result(), "42");
    /// ```
    #[must_use]
    pub fn with_example(self, call: impl Into<Str>, result: impl Into<Str>) -> Self {
        let example = Example { call: call.into(), result: result.into() };
        self.changed(|definition| definition.examples.push(example))
    }

    /// Sets a refinement that holds for every result, even while it is unknown, such as that it is not null. A null
    /// result that contradicts it is an error.
    #[must_use]
    #[doc(hidden)]
    pub fn with_refined_result(
        self,
        refine: impl Fn(RefinementBuilder) -> RefinementBuilder + Send + Sync + 'static,
    ) -> Self {
        self.changed(|definition| definition.refine = Some(Arc::new(refine)))
    }

    /// Marks the function as impure: its result does not depend only on its arguments, but is random or depends on the
    /// clock. Partial evaluation does not call it.
    #[must_use]
    pub fn with_impure(self) -> Self {
        self.changed(|definition| definition.impure = true)
    }

    #[doc(hidden)]
    /// Declares that the type of a result can only be computed by computing the result, as for functions that decode text.
    /// [`Function::call`] then does not compute the type first if all arguments are known: the body receives
    /// [`Type::Dynamic`] and determines the type.
    #[must_use]
    pub fn with_type_of_result(self) -> Self {
        self.changed(|definition| definition.typed_by_result = true)
    }

    #[doc(hidden)]
    /// Declares that more of a result is known if an argument of unknown type is marked.
    #[must_use]
    pub fn with_deciding_marks(self) -> Self {
        self.changed(|definition| definition.marks_decide = true)
    }

    #[doc(hidden)]
    /// Whether more of a result is known if an argument of unknown type is marked.
    pub fn marks_decide(&self) -> bool {
        self.0.marks_decide
    }

    /// Returns true if the result depends neither on the clock nor on randomness. A function that reads files or the
    /// environment counts as pure.
    ///
    /// ```
    /// use hclkit_value::{Function, Type, Value};
    ///
    /// let dice = Function::unnamed(Type::Number, |_, _| Ok(Value::from(4))).with_impure();
    /// assert!(!dice.is_pure());
    /// ```
    #[doc(hidden)]
    pub fn is_pure(&self) -> bool {
        !self.0.impure
    }

    /// The name. Empty if none was set.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The description of what the function does. Empty if none was set.
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// The examples for documentation.
    pub fn examples(&self) -> &[Example] {
        &self.0.examples
    }

    /// The positional parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.0.parameters
    }

    /// The parameter for all arguments after the positional ones.
    pub fn variadic_parameter(&self) -> Option<&Parameter> {
        self.0.variadic.as_ref()
    }

    #[doc(hidden)]
    /// The parameter for the argument at an index.
    pub fn parameter_at(&self, index: usize) -> Option<&Parameter> {
        self.0.parameters.get(index).or(self.0.variadic.as_ref())
    }

    #[doc(hidden)]
    /// The type of the result for arguments of these types.
    ///
    /// # Errors
    /// Same as [`Function::result_type`].
    pub fn result_type_of(&self, types: &[Type]) -> Result<Type, Error> {
        let values: Vec<Value> = types.iter().map(|ty| Value::unknown(ty.clone())).collect();
        self.result_type(&values)
    }

    /// The type of the result for these arguments, which may be unknown. The dynamic pseudo-type if the type
    /// depends on unknown values.
    ///
    /// # Errors
    /// There are too few or too many arguments, an argument has another type or is null where that is not
    /// accepted, or the function returns an error. The path of the error starts with the index of the argument.
    /// If an argument contains marks, the error is [redacted](Error::redacted), because it may show marked values.
    #[doc(hidden)]
    pub fn result_type(&self, args: &[Value]) -> Result<Type, Error> {
        let ty = self.check(args).map_err(|error| redacted(error, args))?;
        Ok(ty.unwrap_or(Type::Dynamic))
    }

    /// Checks the arguments and computes the result type. If an argument has an unknown type, returns `None` and
    /// does not check the arguments after it.
    fn check(&self, args: &[Value]) -> Result<Option<Type>, Error> {
        let Definition { parameters, variadic, .. } = &*self.0;
        if args.len() < parameters.len() || (args.len() > parameters.len() && variadic.is_none()) {
            let wanted = parameters.len();
            let least = if variadic.is_some() { "at least " } else { "" };
            let noun = if wanted == 1 { "argument is" } else { "arguments are" };
            let found = args.len();
            return Err(Error::without_values(format!("{least}{wanted} {noun} required, found {found}")));
        }
        let mut bare: Option<Vec<Value>> = None;
        for (at, arg) in args.iter().enumerate() {
            let Some(parameter) = self.parameter_at(at) else { continue };
            let mut value = arg;
            let stripped;
            if !parameter.allow_marked && arg.contains_marked() {
                stripped = arg.unmark_deep().0;
                bare.get_or_insert_with(|| args.to_vec())[at] = stripped.clone();
                value = &stripped;
            }
            if value.is_null() && !parameter.allow_null {
                return Err(Error::new("an argument must not be null").within(Step::from(at)));
            }
            if value.has_type(&Type::Dynamic) {
                if parameter.allow_dynamic {
                    continue;
                }
                return Ok(None);
            }
            if !value.has_type(&parameter.ty) && !value.ty().matches(&parameter.ty) {
                return Err(Error::required(&parameter.ty).within(Step::from(at)));
            }
        }
        match &self.0.result {
            ResultType::Always(ty) => Ok(Some(ty.clone())),
            ResultType::Of(type_of) => type_of(bare.as_deref().unwrap_or(args)).map(Some),
        }
    }

    /// Calls the function. The body runs if its parameters accept all arguments; otherwise the result is
    /// unknown. Marks that the body does not see are added to the result.
    ///
    /// # Errors
    /// Same as [`Function::result_type`]; also if the body returns an error, or a result of another type than declared.
    /// If an argument contains marks, these errors are redacted, too.
    pub fn call(&self, args: &[Value]) -> Result<Value, Error> {
        let (plain, text) = self.takes_as_they_are(args);
        read_text(text)?;
        if plain {
            let found;
            let ty = match &self.0.result {
                ResultType::Always(ty) => ty,
                ResultType::Of(_) if self.0.typed_by_result => &Type::Dynamic,
                ResultType::Of(type_of) => {
                    found = type_of(args).map_err(Self::failed)?;
                    &found
                }
            };
            let result = (self.0.body)(args, ty);
            // Most results need no further check.
            return match &result {
                Ok(value) if value.has_type(ty) && value.is_known() && !value.is_null() => result,
                _ => self.finished(result.map_err(Self::failed)?, ty),
            };
        }
        self.call_by_rules(args).map_err(|error| redacted(Self::failed(error), args))
    }

    /// If a limit was exceeded, that is the error, whatever the function returned.
    #[cold]
    fn failed(error: Error) -> Error {
        match Meter::current().exceeded() {
            Some(exceeded) => exceeded.into(),
            None => error,
        }
    }

    /// Calls the function with arguments that need the calling rules.
    fn call_by_rules(&self, args: &[Value]) -> Result<Value, Error> {
        let ty = self.check(args)?;
        let mut marks = MarksBuilder::default();
        let mut bare: Option<Vec<Value>> = None;
        let mut open = ty.is_none();
        for (at, arg) in args.iter().enumerate() {
            let Some(parameter) = self.parameter_at(at) else { continue };
            open |= !parameter.allow_unknown && !arg.is_known();
            if !parameter.allow_marked && arg.contains_marked() {
                let (value, own) = arg.unmark_deep();
                bare.get_or_insert_with(|| args.to_vec())[at] = value;
                marks.add(&own);
            }
        }
        let (ty, marks) = (ty.unwrap_or(Type::Dynamic), marks.finish());
        if open {
            return Ok(self.refined(Value::unknown(ty))?.with_marks(&marks));
        }
        let result = (self.0.body)(bare.as_deref().unwrap_or(args), &ty)?;
        Ok(self.finished(result, &ty)?.with_marks(&marks))
    }

    /// Returns true if the number of arguments is right, and all are known, unmarked and clearly of the right types, so
    /// that the calling rules do not apply. Also returns the number of bytes of text in the arguments.
    #[inline]
    fn takes_as_they_are(&self, args: &[Value]) -> (bool, usize) {
        let Definition { parameters, variadic, .. } = &*self.0;
        let mut plain =
            args.len() == parameters.len() || (args.len() > parameters.len() && variadic.is_some());
        let mut text = 0;
        for (at, arg) in args.iter().enumerate() {
            plain = plain && self.parameter_at(at).is_some_and(|parameter| is_plainly(arg, &parameter.ty));
            if let Repr::String(_) | Repr::Marked(_) = &arg.0 {
                text += arg.bare().as_str().map_or(0, str::len);
            }
        }
        (plain, text)
    }

    /// Checks that the result has the declared type, and refines it.
    #[inline]
    fn finished(&self, result: Value, ty: &Type) -> Result<Value, Error> {
        if *ty != Type::Dynamic && !result.has_type(ty) && !result.ty().matches(ty) {
            let found = result.ty();
            return Err(Error::new(format!(
                "the function declared the result type {ty}, but returned {found}"
            )));
        }
        self.refined(result)
    }

    fn refined(&self, result: Value) -> Result<Value, Error> {
        match &self.0.refine {
            // Refinements add nothing to known values, but a null may contradict them.
            Some(refine) if !result.is_known() || result.is_null() => refine(result.refine()).finish(),
            _ => Ok(result),
        }
    }
}

/// The error in a form that is safe to show: if an argument contains marks, only the index of the argument remains of
/// the path.
#[cold]
fn redacted(error: Error, args: &[Value]) -> Error {
    if !args.iter().any(Value::contains_marked) {
        return error;
    }
    let (first, rest) = error.split_first();
    let of_argument = |step: &Step| match step {
        Step::Index(at) => (0..args.len()).any(|place| *at == Value::from(place)),
        Step::Attribute(_) => false,
    };
    match first.filter(of_argument) {
        Some(argument) => rest.redacted().within(argument),
        None => rest.redacted(),
    }
}

/// Returns true if a value is known, has no marks at any depth, and has a type that matches. Fast for most values; for
/// those that need a slow check, it returns false.
#[inline]
fn is_plainly(value: &Value, ty: &Type) -> bool {
    match &value.0 {
        Repr::String(_) => matches!(ty, Type::String | Type::Dynamic),
        Repr::Number(_) => matches!(ty, Type::Number | Type::Dynamic),
        Repr::Bool(_) => matches!(ty, Type::Bool | Type::Dynamic),
        Repr::Tuple(_) | Repr::Object(_) => matches!(ty, Type::Dynamic) && !value.contains_marked(),
        Repr::List(_) | Repr::Set(_) | Repr::Map(_) => {
            let fits = match ty {
                Type::Dynamic => true,
                Type::List(_) | Type::Set(_) | Type::Map(_) => value.has_type(ty) || value.ty().matches(ty),
                _ => false,
            };
            fits && !value.contains_marked()
        }
        _ => false,
    }
}

#[doc(hidden)]
impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.parameters.iter().chain(&self.0.variadic).map(Parameter::name);
        f.debug_tuple("Function").field(&names.collect::<Vec<_>>()).finish()
    }
}
