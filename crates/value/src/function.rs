//! Functions (information model, "Functions and Function Calls"): what they take, what type their result
//! has, and the rules by which they are called.

use std::fmt;
use std::sync::Arc;

use hclkit_limits::Meter;

use crate::convert::required;
use crate::path::{Error, Step};
use crate::refine::RefinementBuilder;
use crate::value::Repr;
use crate::{MarksBuilder, Str, Type, Value};

/// A parameter of a function.
///
/// Unless told otherwise it refuses null, and the function is not called with unknown values, values of
/// the dynamic pseudo-type or marked ones: those decide the result before.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent flags, as the information model has them")]
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
    pub fn new(name: impl Into<Str>, ty: Type) -> Parameter {
        Parameter {
            name: name.into(),
            description: Str::default(),
            ty,
            allow_null: false,
            allow_unknown: false,
            allow_dynamic: false,
            allow_marked: false,
        }
    }

    /// With a sentence about what it is for.
    #[must_use]
    pub fn describe(mut self, description: impl Into<Str>) -> Parameter {
        self.description = description.into();
        self
    }

    /// The function is called with null, too.
    #[must_use]
    pub fn allow_null(mut self) -> Parameter {
        self.allow_null = true;
        self
    }

    /// The function is called with unknown arguments, too.
    #[must_use]
    pub fn allow_unknown(mut self) -> Parameter {
        self.allow_unknown = true;
        self
    }

    /// The function is asked for its type with arguments of the dynamic pseudo-type, too.
    #[must_use]
    pub fn allow_dynamic(mut self) -> Parameter {
        self.allow_dynamic = true;
        self
    }

    /// The function sees the argument's marks, and puts on its result what it wants of them.
    #[must_use]
    pub fn allow_marked(mut self) -> Parameter {
        self.allow_marked = true;
        self
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is for; empty where nobody said.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The type specification of its arguments, to which callers may convert them first.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Whether null is accepted.
    pub fn allows_null(&self) -> bool {
        self.allow_null
    }

    /// Whether the function is called with unknown arguments.
    pub fn allows_unknown(&self) -> bool {
        self.allow_unknown
    }

    /// Whether the function is asked for its type with arguments of the dynamic pseudo-type.
    pub fn allows_dynamic(&self) -> bool {
        self.allow_dynamic
    }

    /// Whether the function sees the argument's marks.
    pub fn allows_marked(&self) -> bool {
        self.allow_marked
    }
}

/// The name of a parameter, perhaps with a description: see [`Function::with_parameters`].
#[derive(Clone, Debug)]
pub struct ParameterName {
    name: Str,
    description: Option<Str>,
}

impl From<&str> for ParameterName {
    fn from(name: &str) -> ParameterName {
        ParameterName { name: name.into(), description: None }
    }
}

impl From<(&str, &str)> for ParameterName {
    fn from((name, description): (&str, &str)) -> ParameterName {
        ParameterName { name: name.into(), description: Some(description.into()) }
    }
}

/// How many bytes of text a function is taken to read in a step.
const TEXT_STEP: usize = 4096;

type TypeOf = dyn Fn(&[Value]) -> Result<Type, Error> + Send + Sync;
type Body = dyn Fn(&[Value], &Type) -> Result<Value, Error> + Send + Sync;
type Refine = dyn Fn(RefinementBuilder) -> RefinementBuilder + Send + Sync;

/// A function over values: a closure with the types of what goes in and comes out.
///
/// ```
/// use hclkit_value::{Function, Parameter, Type, Value};
///
/// let greet = Function::new(Type::String, |args, _| {
///     Ok(Value::from(format!("Hello, {}!", args[0].as_str().unwrap_or_default())))
/// })
/// .parameter(Parameter::new("name", Type::String));
///
/// assert_eq!(greet.call(&[Value::from("world")])?, Value::from("Hello, world!"));
/// assert_eq!(greet.call(&[Value::unknown(Type::String)])?.ty(), Type::String);
/// assert!(greet.call(&[Value::null(Type::String)]).is_err());
/// # Ok::<(), hclkit_value::Error>(())
/// ```
#[derive(Clone)]
pub struct Function(Arc<Definition>);

/// A call as its source would be written, and the value it gives, in source form, too.
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

    /// What it gives.
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
}

impl Function {
    /// A function whose result is always of one type.
    pub fn new(
        result: Type,
        body: impl Fn(&[Value], &Type) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Function {
        Function::defined(ResultType::Always(result), Arc::new(body))
    }

    /// A function whose result type depends on its arguments. The type is asked first, where arguments
    /// may still be unknown; the body is given what it answered.
    pub fn with_type(
        type_of: impl Fn(&[Value]) -> Result<Type, Error> + Send + Sync + 'static,
        body: impl Fn(&[Value], &Type) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Function {
        Function::defined(ResultType::Of(Arc::new(type_of)), Arc::new(body))
    }

    fn defined(result: ResultType, body: Arc<Body>) -> Function {
        Function(Arc::new(Definition {
            name: Str::default(),
            description: Str::default(),
            examples: Vec::new(),
            parameters: Vec::new(),
            variadic: None,
            result,
            body,
            refine: None,
            impure: false,
        }))
    }

    fn changed(self, change: impl FnOnce(&mut Definition)) -> Function {
        let mut definition = Arc::unwrap_or_clone(self.0);
        change(&mut definition);
        Function(Arc::new(definition))
    }

    /// With a name, under which it goes into a table unless that gives another one.
    #[must_use]
    pub fn with_name(self, name: impl Into<Str>) -> Function {
        let name = name.into();
        self.changed(|definition| definition.name = name)
    }

    /// With other names of its parameters, in order, the one for further arguments last: plain names, or names with
    /// descriptions. Parameters beyond them keep theirs, and names beyond the parameters are ignored.
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
    pub fn with_parameters<N: Into<ParameterName>>(self, names: impl IntoIterator<Item = N>) -> Function {
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

    /// With one more positional parameter.
    #[must_use]
    pub fn parameter(self, parameter: Parameter) -> Function {
        self.changed(|definition| definition.parameters.push(parameter))
    }

    /// With a parameter for all arguments after the positional ones.
    #[must_use]
    pub fn variadic(self, parameter: Parameter) -> Function {
        self.changed(|definition| definition.variadic = Some(parameter))
    }

    /// With a sentence about what it does.
    #[must_use]
    pub fn describe(self, description: impl Into<Str>) -> Function {
        let description = description.into();
        self.changed(|definition| definition.description = description)
    }

    /// With one more example for its documentation: a call and its result, both as source.
    ///
    /// ```
    /// use hclkit_value::{Function, Parameter, Type};
    ///
    /// let double = Function::new(Type::Number, |args, _| args[0].add(&args[0]))
    ///     .parameter(Parameter::new("number", Type::Number))
    ///     .example("double(21)", "42");
    /// assert_eq!(double.examples()[0].result(), "42");
    /// ```
    #[must_use]
    pub fn example(self, call: impl Into<Str>, result: impl Into<Str>) -> Function {
        let example = Example { call: call.into(), result: result.into() };
        self.changed(|definition| definition.examples.push(example))
    }

    /// With what is known of every result before it is known, such as that it is not null. A known result that
    /// contradicts it is an error.
    #[must_use]
    pub fn refine_result(
        self,
        refine: impl Fn(RefinementBuilder) -> RefinementBuilder + Send + Sync + 'static,
    ) -> Function {
        self.changed(|definition| definition.refine = Some(Arc::new(refine)))
    }

    /// Marks the function as impure: its result does not depend on its arguments only, but is random or depends on the
    /// clock. Partial evaluation does not call it.
    #[must_use]
    pub fn impure(self) -> Function {
        self.changed(|definition| definition.impure = true)
    }

    /// Whether the function gives the same result each time for the same arguments, as far as the clock and randomness
    /// go. What it reads from files and the environment counts as given.
    ///
    /// ```
    /// use hclkit_value::{Function, Type, Value};
    ///
    /// let dice = Function::new(Type::Number, |_, _| Ok(Value::from(4))).impure();
    /// assert!(!dice.is_pure());
    /// ```
    pub fn is_pure(&self) -> bool {
        !self.0.impure
    }

    /// The name that it was given; empty where it has none of its own.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What it does; empty where nobody said.
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// Calls and their results, for documentation.
    pub fn examples(&self) -> &[Example] {
        &self.0.examples
    }

    /// The positional parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.0.parameters
    }

    /// The parameter for further arguments.
    pub fn variadic_parameter(&self) -> Option<&Parameter> {
        self.0.variadic.as_ref()
    }

    /// The parameter that an argument is for.
    pub fn parameter_at(&self, index: usize) -> Option<&Parameter> {
        self.0.parameters.get(index).or(self.0.variadic.as_ref())
    }

    /// The type of the result for arguments of these types.
    ///
    /// # Errors
    /// As [`Function::result_type`].
    pub fn result_type_of(&self, types: &[Type]) -> Result<Type, Error> {
        let values: Vec<Value> = types.iter().map(|ty| Value::unknown(ty.clone())).collect();
        self.result_type(&values)
    }

    /// The type of the result for these arguments, which may be unknown; the dynamic pseudo-type where
    /// that depends on what is not known.
    ///
    /// # Errors
    /// Too few or too many arguments, one of another type or null where that is not accepted, with the
    /// argument's place as path; and those of the function.
    /// Of marked arguments errors are [redacted](Error::redacted): the function may have seen what is in them.
    pub fn result_type(&self, args: &[Value]) -> Result<Type, Error> {
        let ty = self.check(args).map_err(|error| redacted(error, args))?;
        Ok(ty.unwrap_or(Type::Dynamic))
    }

    /// Checks the arguments and asks for the type; none where an argument's type is not known: what follows
    /// that argument is not looked at.
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
                return Err(required(&parameter.ty).within(Step::from(at)));
            }
        }
        match &self.0.result {
            ResultType::Always(ty) => Ok(Some(ty.clone())),
            ResultType::Of(type_of) => type_of(bare.as_deref().unwrap_or(args)).map(Some),
        }
    }

    /// Calls the function: its body runs if the arguments are all that its parameters want, and
    /// otherwise the result is unknown. Marks that the body does not see are put on the result.
    ///
    /// # Errors
    /// As [`Function::result_type`], those of the body, and a result of another type than announced.
    /// Where an argument contains marks they are redacted, too.
    pub fn call(&self, args: &[Value]) -> Result<Value, Error> {
        let (plain, text) = self.takes_as_they_are(args);
        if text >= TEXT_STEP {
            Meter::current().take_steps((text / TEXT_STEP) as u64)?;
        }
        if plain {
            let found;
            let ty = match &self.0.result {
                ResultType::Always(ty) => ty,
                ResultType::Of(type_of) => {
                    found = type_of(args).map_err(Function::failed)?;
                    &found
                }
            };
            let result = (self.0.body)(args, ty);
            // Most results are as they should be, and need not be taken out.
            return match &result {
                Ok(value) if value.has_type(ty) && value.is_known() && !value.is_null() => result,
                _ => self.finished(result.map_err(Function::failed)?, ty),
            };
        }
        self.call_by_rules(args).map_err(|error| redacted(Function::failed(error), args))
    }

    /// The error of a call that was stopped by a limit is that, however the function words it.
    #[cold]
    fn failed(error: Error) -> Error {
        match Meter::current().exceeded() {
            Some(exceeded) => exceeded.into(),
            None => error,
        }
    }

    /// Calls the function with arguments that the rules have something to say about.
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

    /// Whether the number of arguments is right, and all of them are known, unmarked, and plainly of the right types, so
    /// that no rule applies to them; and how many bytes of text they are.
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

    /// The result, if it is of the type announced, with what is known of every result.
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
            // A known value says more of itself than any refinement, unless it is null and should not be.
            Some(refine) if !result.is_known() || result.is_null() => refine(result.refine()).finish(),
            _ => Ok(result),
        }
    }
}

/// The error as it may be shown: which argument it is about, and of marked arguments nothing else.
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

/// Whether a value is known, without marks at any depth, and of a type that matches: quickly told of most values,
/// and not at all of those for which it takes a while.
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

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.parameters.iter().chain(&self.0.variadic).map(Parameter::name);
        f.debug_tuple("Function").field(&names.collect::<Vec<_>>()).finish()
    }
}
