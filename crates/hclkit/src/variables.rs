//! Reads variables from files: `.tfvars` and others in the native syntax, plain JSON, and HCL 1.

use hclkit_model::{Body, Context, Diagnostics, Expression, hcl1};
use hclkit_syntax::ast::Item;
use hclkit_syntax::json::JsonDocument;
use hclkit_syntax::{Document, Source, StartSymbol, Syntax};
use hclkit_value::{Name, Plain, Value};

use crate::messages;

/// Reads a file of variables. Each attribute is a variable; in JSON, each property of the object is one.
///
/// In the native syntax, values must be literal: variables and functions are not available. In JSON, strings are not
/// templates, and a property named `//` is a comment. For HCL 1, see [`hcl1::decode`].
///
/// ```
/// use hclkit::{Source, Syntax, variables};
///
/// let source = Source::new("prod.tfvars", "region = \"eu\"\nports = [80, 443]\n");
/// let found = variables::read(source, Syntax::Native)?;
/// assert_eq!(found[1].0, "ports");
/// assert_eq!(found[1].1.to_string(), "[80, 443]");
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
///
/// # Errors
/// If the file is invalid.
pub fn read(source: Source, syntax: Syntax) -> Result<Vec<(Name, Value)>, Diagnostics> {
    match syntax {
        Syntax::Native => native(source),
        Syntax::Json => plain_json(source),
        Syntax::Hcl1 => decoded(source),
    }
}

fn native(source: Source) -> Result<Vec<(Name, Value)>, Diagnostics> {
    let document = Document::parse(source, StartSymbol::Config);
    let mut diagnostics = document.diagnostics().clone();
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let nothing = Context::new();
    let mut found = Vec::new();
    for item in document.body().items() {
        match item {
            Item::Attribute(attribute) => {
                let expression = Expression::from_ast(attribute.value());
                let value = diagnostics.absorb(expression.evaluate_lenient(&nothing));
                found.push((Name::from(attribute.name()), value));
            }
            Item::Block(block) => {
                let error = messages::block_in_variables(block.block_type()).at(block.type_span());
                diagnostics.push(error.with_source(document.shared_source()));
            }
        }
    }
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(found) }
}

fn decoded(source: Source) -> Result<Vec<(Name, Value)>, Diagnostics> {
    let value = hcl1::decode(&Document::parse_hcl1(source))?;
    let attributes = value.plain().into_iter().filter_map(|plain| match plain {
        Plain::Map(entries) => Some(entries),
        _ => None,
    });
    Ok(attributes.flatten().map(|(name, value)| (Name::from(name.as_str()), value.clone())).collect())
}

fn plain_json(source: Source) -> Result<Vec<(Name, Value)>, Diagnostics> {
    let document = JsonDocument::parse(source);
    let mut diagnostics = document.diagnostics().clone();
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    if !document.root().is_object() {
        let error = messages::variables_must_be_an_object().at(document.root().start_span());
        return Err(error.with_source(document.shared_source()).into());
    }
    let nothing = Context::new();
    let attributes = diagnostics.absorb(Body::from_json(document.root()).attributes()).into_iter();
    let values = attributes.map(|it| (it.name, diagnostics.absorb(it.expression.evaluate_lenient(&nothing))));
    let found = values.collect();
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str, syntax: Syntax) -> String {
        read(Source::new("vars", text), syntax).unwrap_err().to_string()
    }

    #[test]
    fn values_are_literal() {
        assert_eq!(
            errors("a = b\nc = upper(\"d\")\n", Syntax::Native),
            "vars:1:5: error: Variables not allowed: Variables may not be used here. Only literal values are allowed.\n\
             vars:2:5: error: Function calls not allowed: Functions may not be called here."
        );
        assert_eq!(
            errors("server {\n}\n", Syntax::Native),
            "vars:1:1: error: Invalid block definition: A variables file must contain only arguments (`name = value`). To set `server` \
             to an object, write `server = { … }`."
        );
    }

    #[test]
    fn json_is_plain() {
        let found =
            read(Source::new("v.json", r#"{"a": "${b}", "c": {"d": [1, null]}}"#), Syntax::Json).unwrap();
        let shown: Vec<String> = found.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        assert_eq!(shown, ["a = \"$${b}\"", "c = { d = [1, null] }"]);
        assert!(errors("[1]", Syntax::Json).starts_with("vars:1:1: "));
        assert!(errors("{\"a\": 1,}", Syntax::Json).starts_with("vars:1:8: "));
        assert!(
            errors("{\"a\": 1, \"a\": 2}", Syntax::Json).starts_with("vars:1:10: error: Attribute redefined")
        );
        assert!(errors("{\"a\": {\"b\": 1, \"b\": 2}}", Syntax::Json).starts_with("vars:1:16: "));
        assert_eq!(read(Source::new("v.json", "{\"//\": \"none\"}"), Syntax::Json).unwrap(), []);
    }
}
