//! Functions built from closures. The types of their parameters and results come from the closures' signatures.

use super::{FromValue, IntoValue};
use crate::path::Step;
use crate::{Error, Function, Parameter, Str, Type, Value};

/// A parameter that takes all remaining arguments. It must be the last one.
///
/// ```
/// use hclkit_value::{Function, Variadic, Value};
///
/// let join = Function::typed("join", |separator: String, Variadic(parts): Variadic<String>| parts.join(&separator));
/// assert_eq!(join.call(&["-", "a", "b"].map(Value::from))?, Value::from("a-b"));
/// assert_eq!(join.call(&[Value::from("-")])?, Value::from(""));
/// # Ok::<(), hclkit_value::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variadic<T>(pub Vec<T>);

/// A type that a parameter of a [typed function](Function::typed) can have: any [`FromValue`], or [`Variadic`] for the last one.
pub trait TypedArgument: Sized {
    /// True if the parameter takes all remaining arguments.
    const IS_REST: bool = false;

    /// The parameter, with a given name.
    fn parameter(name: &'static str) -> Parameter;

    /// Reads the next argument, or all remaining ones.
    ///
    /// # Errors
    /// Like [`FromValue::from_value`], with the index of the argument as the first step of the path.
    fn next(arguments: &mut std::iter::Enumerate<std::slice::Iter<'_, Value>>) -> Result<Self, Error>;
}

impl<T: FromValue> TypedArgument for T {
    fn parameter(name: &'static str) -> Parameter {
        let parameter = Parameter::new(name, T::value_type());
        if T::is_nullable() { parameter.with_nulls() } else { parameter }
    }

    fn next(arguments: &mut std::iter::Enumerate<std::slice::Iter<'_, Value>>) -> Result<T, Error> {
        match arguments.next() {
            Some((at, value)) => T::from_value(value).map_err(|error| error.within(Step::from(at))),
            // A call with too few arguments is rejected earlier.
            None => Err(Error::new("an argument is missing")),
        }
    }
}

impl<T: FromValue> TypedArgument for Variadic<T> {
    const IS_REST: bool = true;

    fn parameter(name: &'static str) -> Parameter {
        T::parameter(name)
    }

    fn next(arguments: &mut std::iter::Enumerate<std::slice::Iter<'_, Value>>) -> Result<Self, Error> {
        let mut rest = Vec::with_capacity(arguments.len());
        while arguments.len() > 0 {
            rest.push(<T as TypedArgument>::next(arguments)?);
        }
        Ok(Self(rest))
    }
}

/// A Rust closure or function that [`Function::typed`] accepts. It has up to eight parameters that implement
/// [`TypedArgument`], and a result that implements [`IntoValue`]. `A` is the tuple of the parameters' types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function that expressions can call",
    note = "its parameters are at most eight types that implement `FromValue`, such as `String` instead of `&str`",
    note = "its result implements `IntoValue`, or is a `Result` of such a type"
)]
pub trait TypedFunction<A>: Send + Sync + 'static {
    /// The parameters, and the one for all remaining arguments if there is one.
    fn parameters() -> (Vec<Parameter>, Option<Parameter>);

    /// The type of the result, and true if it can be null.
    fn result() -> (Type, bool);

    /// Calls the function with known values without marks.
    ///
    /// # Errors
    /// An argument cannot be read, or the function returns an error.
    fn call(&self, arguments: &[Value]) -> Result<Value, Error>;
}

macro_rules! typed_functions {
    ($($($part:ident $name:literal),*;)*) => {$(
        impl<F, R $(, $part)*> TypedFunction<($($part,)*)> for F
        where
            F: Fn($($part),*) -> R + Send + Sync + 'static,
            R: IntoValue,
            $($part: TypedArgument,)*
        {
            fn parameters() -> (Vec<Parameter>, Option<Parameter>) {
                const { assert!(rest_is_last(&[$($part::IS_REST),*]), "`Variadic` must be the last parameter") };
                let mut parameters: Vec<Parameter> = vec![$($part::parameter($name)),*];
                let rest = [$($part::IS_REST),*].contains(&true);
                let variadic = if rest { parameters.pop() } else { None };
                (parameters, variadic)
            }

            fn result() -> (Type, bool) {
                (R::value_type(), R::is_nullable())
            }

            #[allow(non_snake_case, unused_mut, unused_variables, reason = "parameters are named after their types")]
            fn call(&self, arguments: &[Value]) -> Result<Value, Error> {
                let mut arguments = arguments.iter().enumerate();
                $(let $part = $part::next(&mut arguments)?;)*
                self($($part),*).to_value()
            }
        }
    )*};
}

/// Returns true if no parameter except the last one takes all remaining arguments.
const fn rest_is_last(are_rest: &[bool]) -> bool {
    let mut at = 1;
    while at < are_rest.len() {
        if are_rest[at - 1] {
            return false;
        }
        at += 1;
    }
    true
}

typed_functions! {
    ;
    A "arg1";
    A "arg1", B "arg2";
    A "arg1", B "arg2", C "arg3";
    A "arg1", B "arg2", C "arg3", D "arg4";
    A "arg1", B "arg2", C "arg3", D "arg4", E "arg5";
    A "arg1", B "arg2", C "arg3", D "arg4", E "arg5", G "arg6";
    A "arg1", B "arg2", C "arg3", D "arg4", E "arg5", G "arg6", H "arg7";
    A "arg1", B "arg2", C "arg3", D "arg4", E "arg5", G "arg6", H "arg7", I "arg8";
}

impl Function {
    /// Builds a function from a Rust closure or function. The types of the parameters and of the result come from its
    /// signature.
    ///
    /// [`Function::name`] returns the name, so tables of functions need not repeat it. Parameters are named `arg1`, `arg2`
    /// and so on, unless [`Function::with_parameters`] names them.
    ///
    /// The rules of all functions apply: the closure runs only if all arguments are known; otherwise the result is an
    /// unknown value of the result type. The closure does not see marks; they are added to the result. Only parameters of
    /// type `Option` or [`Value`] accept null.
    ///
    /// ```
    /// use hclkit_value::{Function, Number, Type, Value};
    ///
    /// let clamp = Function::typed("clamp", |n: Number, low: Number, high: Number| n.max(low).min(high))
    ///     .with_parameters(["n", "low", "high"]);
    /// assert_eq!(clamp.call(&[12, 0, 10].map(Value::from))?, Value::from(10));
    /// assert_eq!(clamp.parameters()[1].name(), "low");
    /// let unknown = [Value::unknown(Type::Number), Value::from(0), Value::from(10)];
    /// assert_eq!(clamp.call(&unknown)?.to_string(), "(unknown number, not null)");
    ///
    /// // A closure that can fail.
    /// let parse = Function::typed("octal", |text: String| i64::from_str_radix(&text, 8));
    /// let error = parse.call(&[Value::from("8")]).unwrap_err();
    /// assert_eq!(error.to_string(), "invalid digit found in string");
    /// # Ok::<(), hclkit_value::Error>(())
    /// ```
    ///
    /// # Errors
    /// Calls return the errors of [`Function::call`], of [`FromValue`] with the index of the argument, and of the closure.
    /// To report which argument is invalid, return an [`Error`] with [`Error::within`].
    pub fn typed<A, F: TypedFunction<A>>(name: impl Into<Str>, function: F) -> Self {
        let (parameters, variadic) = F::parameters();
        let (ty, nullable) = F::result();
        let body = move |arguments: &[Value], ty: &Type| match function.call(arguments) {
            Err(_) if !arguments.iter().all(Value::is_wholly_known) => Ok(Value::unknown(ty.clone())),
            result => result,
        };
        let mut typed = Self::new(name, ty, body);
        for parameter in parameters {
            typed = typed.with_parameter(parameter);
        }
        if let Some(variadic) = variadic {
            typed = typed.with_variadic(variadic);
        }
        if nullable { typed } else { typed.with_refined_result(crate::RefinementBuilder::with_not_null) }
    }
}
