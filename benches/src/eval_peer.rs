//! The same cases with hcl-rs, which has no functions of its own and no types for values.

use anyhow::{Context as _, Result, anyhow};
use hcl::eval::{Context, Evaluate, FuncArgs, FuncDef, ParamType};
use hcl::{Expression, Template, Value};

use crate::eval::{As, Case};

/// What hcl-rs evaluates.
#[derive(Debug)]
pub struct Peer {
    expressions: Vec<Expression>,
    template: Option<Template>,
    context: Context<'static>,
    /// How many elements there are.
    pub elements: usize,
}

impl Peer {
    /// Parses the source and builds the variables of a case.
    ///
    /// # Errors hcl-rs rejects it.
    pub fn new(case: &Case) -> Result<Self> {
        let (source, elements) = match &case.smaller {
            Some((source, elements)) => (source.as_str(), *elements),
            None => (case.source.as_str(), case.elements),
        };
        let mut context = Context::new();
        for (name, function) in functions() {
            context.declare_func(name, function);
        }
        for (name, _, json) in &case.variables {
            context.declare_var(*name, serde_json::from_value::<Value>(json.clone())?);
        }
        let mut made = Self { expressions: Vec::new(), template: None, context, elements };
        match case.source_is {
            As::Template => made.template = Some(source.parse()?),
            As::Expression => made.expressions.push(source.parse()?),
            As::Locals => {
                let body = hcl::parse(source)?;
                let block = body.blocks().next().context("no block")?;
                let mut locals = hcl::Map::<String, Value>::new();
                for attribute in block.body().attributes() {
                    made.context.declare_var("local", Value::Object(locals.clone()));
                    let value = attribute
                        .expr()
                        .evaluate(&made.context)
                        .map_err(|error| anyhow!("{}: {error}", attribute.key()))?;
                    locals.insert(attribute.key().to_owned(), value);
                    made.expressions.push(attribute.expr().clone());
                }
                made.context.declare_var("local", Value::Object(locals));
            }
        }
        Ok(made)
    }

    /// Evaluates everything again.
    ///
    /// # Errors
    /// The errors of evaluation.
    pub fn evaluate(&self) -> Result<Vec<Value>> {
        if let Some(template) = &self.template {
            return Ok(vec![Value::String(template.evaluate(&self.context)?)]);
        }
        Ok(self
            .expressions
            .iter()
            .map(|expression| expression.evaluate(&self.context))
            .collect::<Result<_, _>>()?)
    }
}

fn functions() -> Vec<(&'static str, FuncDef)> {
    use ParamType::{Any, Number, String};
    let fixed = |function, params: &[ParamType]| FuncDef::builder().params(params.to_vec()).build(function);
    let many = |function, param: ParamType| FuncDef::builder().variadic_param(param).build(function);
    vec![
        ("abs", fixed(|args| number(&args, 0).map(|n| float(n.abs())), &[Number])),
        ("length", fixed(length, &[Any])),
        ("upper", fixed(|args| Ok(text(&args, 0).to_uppercase().into()), &[String])),
        ("lower", fixed(|args| Ok(text(&args, 0).to_lowercase().into()), &[String])),
        ("join", fixed(join, &[String, Any])),
        ("merge", many(merge, ParamType::object_of(Any))),
        ("concat", many(concat, ParamType::array_of(Any))),
        ("max", many(max, Number)),
        (
            "keys",
            fixed(
                |args| Ok(Value::Array(object(&args, 0).keys().map(|key| key.clone().into()).collect())),
                &[Any],
            ),
        ),
        (
            "contains",
            fixed(
                |args| Ok(args[0].as_array().is_some_and(|list| list.contains(&args[1])).into()),
                &[Any, Any],
            ),
        ),
        (
            "lookup",
            fixed(
                |args| Ok(object(&args, 0).get(text(&args, 1)).unwrap_or(&args[2]).clone()),
                &[Any, String, Any],
            ),
        ),
    ]
}

type Answer = Result<Value, String>;

fn number(args: &FuncArgs, at: usize) -> Result<f64, String> {
    args[at].as_f64().ok_or_else(|| "no number".to_owned())
}

fn float(number: f64) -> Value {
    #[allow(clippy::cast_possible_truncation, reason = "whole numbers of the benches are small")]
    if number.fract() == 0.0 { Value::from(number as i64) } else { Value::from(number) }
}

fn text(args: &FuncArgs, at: usize) -> &str {
    args[at].as_str().unwrap_or_default()
}

fn object(args: &FuncArgs, at: usize) -> &hcl::Map<String, Value> {
    static NONE: std::sync::LazyLock<hcl::Map<String, Value>> = std::sync::LazyLock::new(hcl::Map::new);
    args[at].as_object().unwrap_or(&NONE)
}

#[allow(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "the type of functions")]
fn length(args: FuncArgs) -> Answer {
    Ok(args[0].as_array().map_or_else(|| object(&args, 0).len(), Vec::len).into())
}

#[allow(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "the type of functions")]
fn join(args: FuncArgs) -> Answer {
    let parts = args[1].as_array().into_iter().flatten().filter_map(Value::as_str);
    Ok(parts.collect::<Vec<_>>().join(text(&args, 0)).into())
}

#[allow(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "the type of functions")]
fn merge(args: FuncArgs) -> Answer {
    let mut merged = hcl::Map::new();
    for at in 0..args.len() {
        merged.extend(object(&args, at).iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    Ok(Value::Object(merged))
}

#[allow(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "the type of functions")]
fn concat(args: FuncArgs) -> Answer {
    Ok(Value::Array(args.iter().filter_map(Value::as_array).flatten().cloned().collect()))
}

#[allow(clippy::needless_pass_by_value, reason = "the type of functions")]
fn max(args: FuncArgs) -> Answer {
    let numbers = (0..args.len()).map(|at| number(&args, at)).collect::<Result<Vec<_>, _>>()?;
    Ok(float(numbers.into_iter().fold(f64::MIN, f64::max)))
}
