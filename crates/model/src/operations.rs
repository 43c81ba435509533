//! Evaluation of text by the operations `evalconfig`, `evalconfigattrs`, `evalexpr` and `evaltemplate`, as Rust
//! functions and as functions that expressions can call.

use hclkit_limits::Meter;
use hclkit_syntax::{Source, StartSymbol};
use hclkit_value::{Error, Function, Parameter, Str, Type, Value};

use crate::{Body, Context, Diagnostics, Expression, Functions, SpecFile, error_within};

/// Decodes a configuration with a spec, both given as text in the native syntax. The variables are an object or a map,
/// and take precedence over those of the spec. Expressions in the spec can call `functions`.
///
/// ```
/// use hclkit_model::{Functions, evaluate_config};
/// use hclkit_value::Value;
///
/// let spec = "attr {\n  name = \"size\"\n  type = number\n}\n";
/// let variables = Value::object([("disks", 3)].map(|(name, value)| (name, Value::from(value))));
/// let value = evaluate_config("size = disks * 100", spec, &variables, &Functions::new())?;
/// assert_eq!(value, Value::from(300));
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
///
/// # Errors
/// The errors in the spec, or else in the configuration.
pub fn evaluate_config(
    src: &str,
    spec: &str,
    variables: &Value,
    functions: &Functions,
) -> Result<Value, Diagnostics> {
    let file = SpecFile::read(Source::new("spec", spec), functions)?;
    let (body, mut diagnostics) = Body::parse(Source::new("src", src));
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let value = diagnostics.absorb(file.decode(&body, entries(variables)));
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(value) }
}

/// Evaluates the arguments of a configuration to an object. Blocks are errors.
///
/// ```
/// use hclkit_model::evaluate_config_attributes;
/// use hclkit_value::Value;
///
/// let value = evaluate_config_attributes("a = 1\nb = \"${a}\"", &Value::object([("a", Value::from(2))]))?;
/// assert_eq!(value.to_string(), r#"{ a = 1, b = 2 }"#);
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
///
/// # Errors
/// The errors in the configuration.
pub fn evaluate_config_attributes(src: &str, variables: &Value) -> Result<Value, Diagnostics> {
    let (body, mut diagnostics) = Body::parse(Source::new("src", src));
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let context = context(variables);
    let mut values = Vec::new();
    for attribute in body.attributes_into(&mut diagnostics) {
        let value = attribute.expression.evaluate_into(&context, &mut diagnostics);
        values.push((attribute.name, value));
    }
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(Value::object(values)) }
}

/// Evaluates an expression.
///
/// ```
/// use hclkit_model::evaluate_expression;
/// use hclkit_value::Value;
///
/// let variables = Value::object([("zones", Value::tuple(["a", "b"]))]);
/// assert_eq!(evaluate_expression("zones[1]", &variables)?, Value::from("b"));
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
///
/// # Errors
/// The errors in the expression.
pub fn evaluate_expression(src: &str, variables: &Value) -> Result<Value, Diagnostics> {
    Expression::read(Source::new("src", src), StartSymbol::Expression)?.evaluate(&context(variables))
}

/// Evaluates a template. The result is a string, unless the template is a single interpolation.
///
/// ```
/// use hclkit_model::evaluate_template;
/// use hclkit_value::Value;
///
/// let variables = Value::object([("name", Value::from("world"))]);
/// assert_eq!(evaluate_template("Hello, ${name}!", &variables)?, Value::from("Hello, world!"));
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
///
/// # Errors
/// The errors in the template.
pub fn evaluate_template(src: &str, variables: &Value) -> Result<Value, Diagnostics> {
    Expression::read(Source::new("src", src), StartSymbol::Template)?.evaluate(&context(variables))
}

impl Functions {
    #[doc(hidden)]
    /// The operations as functions: `evalconfig(src, spec, vars)`, `evalconfigattrs(src, vars)`, `evalexpr(src, vars)`
    /// and `evaltemplate(src, vars)`. Expressions in a spec can call `spec_functions`.
    ///
    /// ```
    /// use hclkit_model::{Context, Expression, Functions};
    ///
    /// let context = Context::new().with_functions(Functions::evaluation(Functions::new()));
    /// let value = Expression::parse(r#"evalexpr("a + 1", { a = 2 })"#)?.evaluate(&context)?;
    /// assert_eq!(value, 3.into());
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    pub fn evaluation(spec_functions: Self) -> Self {
        let config = function(&["src", "spec"], move |texts, variables| {
            evaluate_config(texts[0], texts[1], variables, &spec_functions)
        })
        .with_description("Decodes a configuration using a spec.");
        let attributes =
            function(&["src"], |texts, variables| evaluate_config_attributes(texts[0], variables))
                .with_description("Evaluates the arguments of a configuration.");
        let expression = function(&["src"], |texts, variables| evaluate_expression(texts[0], variables))
            .with_description("Evaluates an expression.");
        let template = function(&["src"], |texts, variables| evaluate_template(texts[0], variables))
            .with_description("Renders a template.");
        [
            ("evalconfig", config),
            ("evalconfigattrs", attributes),
            ("evalexpr", expression),
            ("evaltemplate", template),
        ]
        .into_iter()
        .collect()
    }
}

/// The number of bytes of source text that count as one step when an evaluation parses them.
const PARSED_STEP: u64 = 8;

/// A function of texts, followed by variables.
fn function(
    texts: &'static [&'static str],
    evaluate: impl Fn(&[&str], &Value) -> Result<Value, Diagnostics> + Send + Sync + 'static,
) -> Function {
    let function = Function::unnamed(Type::Dynamic, move |arguments, _| {
        let (variables, given) = arguments.split_last().ok_or_else(|| Error::new("not enough arguments"))?;
        if variables.is_known() && variables.entries().is_none() {
            let problem = Error::new("the variables must be an object or a map");
            return Err(problem.within(given.len().into()));
        }
        let given: Vec<&str> = given.iter().map(|text| text.as_str().unwrap_or_default()).collect();
        Meter::current().take_steps(given.iter().map(|text| text.len() as u64 / PARSED_STEP).sum())?;
        evaluate(&given, variables).map_err(|found| error_within(&found))
    });
    let function = texts.iter().fold(function, |function, &name| {
        function.with_parameter(Parameter::new(name, Type::String).with_description("Source text."))
    });
    function.with_parameter(
        Parameter::new("vars", Type::Dynamic).with_description("The variables: an object or a map."),
    )
}

fn entries(variables: &Value) -> Vec<(Str, Value)> {
    let entries = variables.entries().into_iter().flatten();
    entries.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn context(variables: &Value) -> Context {
    let mut context = Context::new();
    context.set_all(entries(variables));
    context
}
