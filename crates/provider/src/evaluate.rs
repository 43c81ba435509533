//! `evalexpr`, `evaltemplate` and `evalconfigattrs`.

use hclkit::model::{Attribute, Body};
use hclkit::value::{Error, Function};
use hclkit::{Diagnostics, Expression, Source, StartSymbol, Type, Value};

use crate::variables::{self, Variables};
use crate::{Visible, function, problems, text, text_of};

pub(crate) fn functions(visible: &Visible) -> Vec<Function> {
    let (expression, template, attributes) = (visible.clone(), visible.clone(), visible.clone());
    vec![
        function(
            (
                "evalexpr",
                "Evaluates an expression. The expression can use the given variables and the evaluation functions. Parts of \
                 the result that depend on unknown variables are unknown.",
            ),
            [text("expr_src", "The source of the expression."), crate::variables()],
            Type::Dynamic,
            move |arguments| evaluate_expression(&expression, arguments),
        )
        .with_example(r#"provider::hcl::evalexpr("a + 1", { a = 2 })"#, "3"),
        function(
            (
                "evaltemplate",
                "Evaluates a string template. Interpolations and directives can use the given variables and the evaluation \
                 functions. The result must be a string, or a number or bool, which are converted to a string.",
            ),
            [text("template_src", "The source of the template."), crate::variables()],
            Type::String,
            move |arguments| evaluate_template(&template, arguments),
        )
        .with_example(r#"provider::hcl::evaltemplate("Hello, $${name}!", { name = "Ann" })"#, r#""Hello, Ann!""#),
        function(
            (
                "evalconfigattrs",
                "Evaluates all attributes of a configuration. The result is an object with the value of each top-level \
                 attribute. Blocks are not allowed: to read them, use `evalconfig`.",
            ),
            [text("config_src", "The source of the configuration."), crate::variables()],
            Type::Dynamic,
            move |arguments| evaluate_attributes(&attributes, arguments),
        )
        .with_example(r#"provider::hcl::evalconfigattrs("size = n * 2", { n = 21 })"#, "{ size = 42 }"),
    ]
}

fn evaluate_expression(visible: &Visible, arguments: &[Value]) -> Result<Value, Error> {
    let variables = Variables::read(arguments, 1)?;
    let source = Source::new("<expr_src>", text_of(arguments, 0));
    read(source, StartSymbol::Expression)
        .and_then(|expression| one(&expression, visible, &variables))
        .map_err(|found| problems::at(0, &found))
}

fn evaluate_template(visible: &Visible, arguments: &[Value]) -> Result<Value, Error> {
    let variables = Variables::read(arguments, 1)?;
    let source = Source::new("<template_src>", text_of(arguments, 0));
    let value = read(source, StartSymbol::Template)
        .and_then(|template| one(&template, visible, &variables))
        .map_err(|found| problems::at(0, &found))?;
    let invalid =
        |error: Error| problems::plain(0, format!("invalid result type: {}", error.redacted().message()));
    match value.convert(&Type::String) {
        Ok(value) if value.is_null() => {
            Err(problems::plain(0, "invalid result type: a string is required, found null"))
        }
        result => result.map_err(invalid),
    }
}

fn read(source: Source, entry: StartSymbol) -> Result<Expression, Diagnostics> {
    Expression::read(source, entry)
}

fn one(expression: &Expression, visible: &Visible, variables: &Variables) -> Result<Value, Diagnostics> {
    let named = variables.named(|| expression.variables());
    variables::evaluate(&named, |named| expression.evaluate(&variables::context(visible, named)))
}

fn evaluate_attributes(visible: &Visible, arguments: &[Value]) -> Result<Value, Error> {
    let variables = Variables::read(arguments, 1)?;
    let source = Source::new("<config_src>", text_of(arguments, 0));
    attributes(source)
        .and_then(|attributes| all(&attributes, visible, &variables))
        .map_err(|found| problems::at(0, &found))
}

/// The attributes of a configuration without blocks.
fn attributes(source: Source) -> Result<Vec<Attribute>, Diagnostics> {
    let (body, mut problems) = Body::parse(source);
    if problems.has_errors() {
        return Err(problems);
    }
    let attributes = problems.absorb(body.attributes());
    if problems.has_errors() { Err(problems) } else { Ok(attributes) }
}

fn all(attributes: &[Attribute], visible: &Visible, variables: &Variables) -> Result<Value, Diagnostics> {
    let references = || attributes.iter().flat_map(|attribute| attribute.expression.variables()).collect();
    variables::evaluate(&variables.named(references), |named| {
        let context = variables::context(visible, named);
        let (mut values, mut problems) = (Vec::with_capacity(attributes.len()), Diagnostics::new());
        for attribute in attributes {
            match attribute.expression.evaluate(&context) {
                Ok(value) => values.push((attribute.name.clone(), value)),
                Err(found) => problems.append(found),
            }
        }
        if problems.has_errors() { Err(problems) } else { Ok(Value::object(values)) }
    })
}
