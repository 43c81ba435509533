//! Functions from text to text: `format`, `tojson`, `fromjson`, `query`, and `encode`, which writes values.

use hclkit::convert::{ToJson, ToNative};
use hclkit::syntax::json::JsonDocument;
use hclkit::value::{Error, Function, Parameter};
use hclkit::write::{Formatter, NewValue, Selector, source_of};
use hclkit::{Document, Source, StartSymbol, Type, Value, limits};

use crate::{function, problems, text, text_of};

pub(crate) fn functions() -> Vec<Function> {
    let source = |what: &str| text("src", what);
    vec![
        function(
            (
                "format",
                "Formats a configuration. The result has the layout of `terraform fmt` without its rewrites: only spaces change.",
            ),
            [source("The source of the configuration.")],
            Type::String,
            |arguments| {
                let document = parse(arguments)?;
                let formatted = Formatter::plain().format(&document);
                string(&formatted.bytes())
            },
        )
        .with_example(r#"provider::hcl::format("a=1\nlong = 2\n")"#, r#""a    = 1\nlong = 2\n""#),
        function(
            (
                "tojson",
                "Converts a configuration from the native syntax to the JSON syntax. Expressions keep their meaning and are \
                 not evaluated.",
            ),
            [source("The source of the configuration in the native syntax.")],
            Type::String,
            |arguments| {
                let document = parse(arguments)?;
                let converted = ToJson::new().convert(&document).map_err(|found| problems::at(0, &found))?;
                json(&converted)
            },
        )
        .with_example(r#"jsondecode(provider::hcl::tojson("a = [b, 1]"))"#, r#"{ a = ["$${b}", 1] }"#),
        function(
            (
                "fromjson",
                "Converts a configuration from the JSON syntax to the native syntax. The shape of a property decides whether it \
                 becomes blocks: an array of objects does.",
            ),
            [source("The source of the configuration in the JSON syntax.")],
            Type::String,
            |arguments| {
                let document = JsonDocument::parse(Source::new("<src>", text_of(arguments, 0)));
                let converted =
                    ToNative::new().convert(&document).map_err(|found| problems::at(0, &found))?;
                string(converted.as_bytes())
            },
        )
        .with_example(r#"provider::hcl::fromjson("{\"a\": \"$${b}\"}")"#, r#""a = b\n""#),
        function(
            (
                "query",
                "Returns the parts of a configuration that a path selects. Each is the source text of a value or a block. Paths \
                 are the same as in the command `hcl query`.",
            ),
            [
                source("The source of the configuration."),
                text("path", "The path, such as `service.web.port` or `listen[port > 1024]`."),
            ],
            Type::list(Type::String),
            query,
        )
        .with_example(r#"provider::hcl::query("a { n = 1 }\na { n = b }\n", "a.n")"#, r#"["1", "b"]"#),
        function(
            (
                "encode",
                "Returns the source text of an expression for a value. Evaluating it with `evalexpr` returns the same value, \
                 but with objects and tuples instead of maps, lists and sets.",
            ),
            [Parameter::new("value", Type::Dynamic).with_description("Any value.").with_nulls().with_dynamic()],
            Type::String,
            |arguments| {
                let value = arguments[0].clone();
                if !value.is_wholly_known() {
                    return Ok(Value::unknown(Type::String).refine_not_null());
                }
                let source = NewValue::from(value).source();
                string(source.map_err(|error| problems::plain(0, error.to_string()))?.as_bytes())
            },
        )
        .with_example(r#"provider::hcl::encode([1, "a"])"#, r#""[1, \"a\"]""#),
    ]
}

/// Parses the first argument.
fn parse(arguments: &[Value]) -> Result<Document, Error> {
    let document = Document::parse(Source::new("<src>", text_of(arguments, 0)), StartSymbol::Config);
    if document.has_errors() { Err(problems::at(0, document.diagnostics())) } else { Ok(document) }
}

fn query(arguments: &[Value]) -> Result<Value, Error> {
    let document = parse(arguments)?;
    let path = text_of(arguments, 1).parse::<Selector>();
    let path = path.map_err(|error| problems::plain(1, format!("invalid path: {error}")))?;
    let mut found = Vec::new();
    let parts = path.select(&document).map_err(|errors| problems::at(1, &errors))?;
    for part in parts {
        let node = part.expression().map_or(part.node(), hclkit::ast::ExpressionNode::id);
        found.push(string(source_of(&document, node).as_bytes())?);
    }
    Value::list_of(Type::String, found).map_err(Error::from)
}

/// JSON text.
pub(crate) fn json(value: &hclkit::convert::Json) -> Result<Value, Error> {
    let bytes = serde_json::to_vec_pretty(value).map_err(|error| Error::new(error.to_string()))?;
    string(&bytes)
}

/// A result, which counts toward the limit on text.
fn string(bytes: &[u8]) -> Result<Value, Error> {
    limits::Meter::current().take_bytes(bytes.len())?;
    Ok(Value::from(String::from_utf8_lossy(bytes).into_owned()))
}
