//! Loads variables: one file declares types, defaults and rules, and another sets values, in either syntax. Errors are
//! reported at the invalid element: `cargo run --example variables -- variables.hcl production.json`

use hclkit::model::{Attribute, Block, Body, Schema, TypeConstraint};
use hclkit::render::Renderer;
use hclkit::value::Step;
use hclkit::{Code, Context, Diagnostic, Diagnostics, Value};

/// Loads all declared variables, in the order of their declarations.
pub(crate) fn load(declarations: &Body, values: &Body) -> Result<Vec<(String, Value)>, Diagnostics> {
    let (mut variables, mut problems) = (Vec::new(), Diagnostics::new());
    let declared = declarations.blocks("variable", &["*"]);
    let schema = declared.iter().fold(Schema::new(), |all, block| all.with_optional(block.labels[0].clone()));
    let given = problems.absorb(values.content(&schema)).attributes;
    for block in declared {
        match variable(&block, given.get(&block.labels[0])) {
            Ok(value) => variables.push((block.labels[0].to_string(), value)),
            Err(found) => problems.append(found),
        }
    }
    if problems.has_errors() { Err(problems) } else { Ok(variables) }
}

fn variable(block: &Block, given: Option<&Attribute>) -> Result<Value, Diagnostics> {
    let missing = |block: &Block, what: &'static str| -> Diagnostics {
        Diagnostic::error(Code::MissingAttribute).at(block.definition_place()).with_note(what).into()
    };
    let ty = block.body.attribute("type").ok_or_else(|| missing(block, "A variable requires a type."))?;
    let constraint = TypeConstraint::of(&ty.expression)?;
    let set = given.cloned().or(block.body.attribute("default"));
    let expression = set.ok_or_else(|| missing(block, "This variable must be set."))?.expression;
    let value = constraint.evaluate(&expression, &Context::new())?;
    for rule in block.body.blocks("rule", &[]) {
        let parts = rule.body.attribute("condition").zip(rule.body.attribute("message"));
        let (condition, message) = parts.ok_or_else(|| missing(&rule, "A rule requires a message."))?;
        // A rule applies to each element of a list, or else to the whole value.
        for (at, part) in value.as_slice().unwrap_or(std::slice::from_ref(&value)).iter().enumerate() {
            let context = Context::new().with("value", part.clone());
            if condition.expression.evaluate(&context)?.as_bool() != Some(true) {
                let path: Vec<Step> = value.as_slice().map(|_| at.into()).into_iter().collect();
                let text = message.expression.evaluate(&context)?.as_str().unwrap_or_default().to_owned();
                let error = Diagnostic::error(Code::InvalidValue)
                    .at(expression.place_of(&path.into()))
                    .with_note(text);
                return Err(error.into());
            }
        }
    }
    Ok(value)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut files = std::env::args().skip(1).map(Body::open);
    let mut open = || files.next().ok_or("expected two files");
    let ((declarations, mut found), (values, more)) = (open()??, open()??);
    found.append(more);
    match if found.has_errors() { Err(found) } else { load(&declarations, &values) } {
        Ok(variables) => variables.iter().for_each(|(name, value)| println!("{name} = {value}")),
        Err(problems) => print!("{}", Renderer::plain().diagnostics(&problems)),
    }
    Ok(())
}
