//! Functions that a configuration defines: `function "name" { params = […] result = … }`.

use std::sync::Arc;

use hclkit_limits::Meter;
use hclkit_value::{Error, Function, Name, Parameter, Type, Value};

use crate::{
    Attribute, Block, Body, Context, Diagnostics, Expression, Functions, Schema, error_within, messages,
};

/// The number of levels that a call of such a function takes of the depth limit of [`Limits`](hclkit_limits::Limits),
/// in addition to those of its result. The stack frames of a call are many and large.
const LEVELS: usize = 12;

/// Reads the functions that the blocks of a type define in a body.
///
/// A block has one label, the name of the function. `params` is a list of parameter names, the optional
/// `variadic_param` is the name of a tuple of further arguments, and `result` is an expression that can use these
/// names. It can also use the variables and functions of the given context. The context is requested for each call, so
/// that it can contain functions that call each other. In this case the closure should hold them by weak references,
/// because functions that own each other are never freed. [`Limits`](hclkit_limits::Limits) bound the depth of calls.
///
/// Returns the functions, a body of the remaining items, and the diagnostics. A definition with an error is omitted. If
/// a function is defined twice, the last definition counts.
///
/// ```
/// use hclkit_model::{Body, Context, Diagnostics, Expression, user_functions};
/// use hclkit_syntax::Source;
///
/// let text = "function \"greet\" {\n  params = [name]\n  result = \"Hello, ${name}!\"\n}\n";
/// let (body, mut diagnostics) = Body::parse(Source::new("main.hcl", text));
/// let (functions, rest) = diagnostics.absorb(user_functions(&body, "function", Context::new));
/// assert!(diagnostics.is_empty());
/// let context = Context::new().with_functions(functions);
/// assert_eq!(Expression::parse("greet(\"world\")")?.evaluate(&context)?, "Hello, world!".into());
/// # Ok::<(), Diagnostics>(())
/// ```
pub fn user_functions(
    body: &Body,
    block_type: &str,
    context: impl Fn() -> Context + Send + Sync + 'static,
) -> ((Functions, Body), Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let context: Arc<ContextOf> = Arc::new(context);
    let schema = Schema::new().with_block(block_type, &["name"]);
    let (content, rest) = body.partial_content_into(&schema, &mut diagnostics);
    let mut functions = Functions::new();
    for block in content.blocks {
        if let Some(definition) = Definition::read(&block, &context, &mut diagnostics) {
            functions.insert(&block.labels[0], definition.function());
        }
    }
    ((functions, rest), diagnostics)
}

/// The context of results, besides the arguments.
type ContextOf = dyn Fn() -> Context + Send + Sync;

struct Definition {
    parameters: Vec<Name>,
    variadic: Option<Name>,
    result: Expression,
    context: Arc<ContextOf>,
}

impl Definition {
    fn read(block: &Block, context: &Arc<ContextOf>, diagnostics: &mut Diagnostics) -> Option<Self> {
        let schema =
            Schema::new().with_required("params").with_required("result").with_optional("variadic_param");
        let before = diagnostics.mark();
        let content = block.body.content_into(&schema, diagnostics);
        if diagnostics.failed_since(before) {
            return None;
        }
        let params = content.attributes.get("params")?;
        let listed = match params.expression.static_list() {
            Ok(listed) => listed,
            Err(found) => {
                diagnostics.append(found);
                return None;
            }
        };
        let mut name = |expression: &Expression, of: &Attribute| {
            let name = expression.static_keyword();
            if name.is_none() {
                let message = messages::body::invalid_parameter();
                diagnostics.push(message.in_source(&of.source, expression.span()));
            }
            name
        };
        let parameters = listed.iter().map(|parameter| name(parameter, params)).collect::<Option<_>>()?;
        let variadic = match content.attributes.get("variadic_param") {
            Some(attribute) => Some(name(&attribute.expression, attribute)?),
            None => None,
        };
        let result = content.attributes.get("result")?.expression.clone();
        Some(Self { parameters, variadic, result, context: context.clone() })
    }

    fn function(self) -> Function {
        let definition = Arc::new(self);
        let (of_type, of_value) = (definition.clone(), definition.clone());
        let type_of = move |arguments: &[Value]| {
            // Known parts are computed only once; otherwise nested calls would take exponential time.
            if arguments.iter().all(Value::is_known) {
                return Ok(Type::Dynamic);
            }
            of_type.value(arguments).map(|value| value.ty())
        };
        let mut function = Function::with_type(type_of, move |arguments, _| of_value.value(arguments));
        for name in &definition.parameters {
            function = function.with_parameter(Parameter::new(name, Type::Dynamic));
        }
        match &definition.variadic {
            Some(name) => function.with_variadic(Parameter::new(name, Type::Dynamic)),
            None => function,
        }
    }

    /// The result for these arguments.
    fn value(&self, arguments: &[Value]) -> Result<Value, Error> {
        let meter = Meter::current();
        let deeper = meter.descend(LEVELS).map_err(Error::from)?;
        let (named, rest) = arguments.split_at(self.parameters.len().min(arguments.len()));
        let mut context = (self.context)().child();
        context.set_all(self.parameters.iter().zip(named).map(|(name, value)| (name, value.clone())));
        if let Some(variadic) = &self.variadic {
            context.set(variadic, Value::tuple(rest.iter().cloned()));
        }
        let result = self.result.evaluate(&context);
        drop(deeper);
        result.map_err(|found| meter.exceeded().map_or_else(|| error_within(&found), Error::from))
    }
}
