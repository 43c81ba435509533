//! Schemas and documentation of Rust types: what they accept besides a type, and that a configuration is valid exactly if it
//! is decoded.

use boon::{Compiler, Schemas};
use hclkit::{Decode, FromValue, Source, Spanned, model::SpecFile, schema};
use serde_json::{Value, json};

#[derive(Decode)]
#[allow(dead_code, reason = "only decoded")]
struct Server {
    /// Where it listens.
    #[hcl(range = 1..=65_535)]
    port: u16,
    level: Level,
    #[hcl(range = -1.5..2.5)]
    ratio: Option<f64>,
    #[hcl(default = "debug")]
    other: Spanned<Level>,
    #[hcl(deprecated = "use `level`")]
    verbose: Option<bool>,
    #[hcl(deprecated)]
    old: Option<String>,
    wrapped: Option<Wrapped>,
    /// The name of a service.
    #[hcl(pattern = "^[a-z]+$")]
    service: Option<Spanned<String>>,
}

#[derive(FromValue)]
enum Level {
    Debug,
    #[hcl(alias = "warn")]
    Warning,
}

#[derive(FromValue)]
#[allow(dead_code, reason = "only decoded")]
struct Wrapped(Box<Level>);

fn spec() -> SpecFile {
    Server::spec().into()
}

fn json_schema() -> Value {
    serde_json::to_value(schema::json_schema(&spec(), &schema::JsonSchemaOptions::new("Server"))).unwrap()
}

#[test]
fn a_schema_has_names_bounds_and_deprecation() {
    let schema = json_schema();
    let property = |name: &str| &schema["properties"][name];
    let names = |null: bool| {
        let mut names = vec![json!("debug"), json!("warning"), json!("warn")];
        names.extend(null.then_some(Value::Null));
        json!([{ "enum": names }, { "type": "string", "pattern": "[$%]\\{" }])
    };
    assert_eq!((&property("port")["minimum"], &property("port")["maximum"]), (&json!(1), &json!(65_535)));
    assert_eq!(property("port")["type"], json!(["number", "string"]));
    assert_eq!(property("ratio")["minimum"], json!(-1.5));
    assert_eq!(property("ratio")["exclusiveMaximum"], json!(2.5));
    assert_eq!(property("level")["anyOf"], names(false));
    assert_eq!(property("other")["anyOf"], names(true));
    assert_eq!(property("wrapped")["anyOf"], names(true));
    assert_eq!(
        (&property("verbose")["deprecated"], &property("old")["deprecated"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(property("port")["deprecated"], Value::Null);
    assert!(property("service").to_string().contains(r#"{"pattern":"^[a-z]+$"#), "{}", property("service"));
}

#[test]
fn a_configuration_is_valid_if_it_is_decoded() {
    let mut schemas = Schemas::new();
    let mut compiler = Compiler::new();
    compiler.add_resource("server.json", json_schema()).unwrap();
    let index = compiler.compile("server.json", &mut schemas).unwrap();
    let values = [
        json!(null),
        json!(0),
        json!(1),
        json!(80.5),
        json!(65_535),
        json!(65_536),
        json!(-2),
        json!(2.5),
        json!(true),
        json!("debug"),
        json!("warn"),
        json!("wrong"),
        json!("Wrong"),
        json!(""),
        json!([]),
    ];
    let (mut valid, mut invalid) = (0, 0);
    for name in ["port", "level", "ratio", "other", "verbose", "old", "wrapped", "service"] {
        for value in &values {
            let mut config = json!({ "port": 80, "level": "warning" });
            config[name] = value.clone();
            let source = Source::new("server.json", config.to_string());
            let decoded = hclkit::Loader::new().with_source(source).load::<Server>();
            let accepted = schemas.validate(&config, index).is_ok();
            // A schema accepts any text for a number or a bool, which can be a template, and fractions of integers.
            let is_text = value.is_string() && ["port", "ratio", "verbose"].contains(&name);
            let is_fraction = name == "port" && value.as_f64().is_some_and(|number| number.fract() != 0.0);
            // Nor does it compare the text of a number or a bool with a pattern.
            let is_converted = name == "service" && (value.is_number() || value.is_boolean());
            if !is_text && !is_fraction && !is_converted {
                assert_eq!(
                    accepted,
                    decoded.is_ok(),
                    "{config}: {:?}",
                    decoded.err().map(|errors| errors.to_string())
                );
            }
            if accepted { valid += 1 } else { invalid += 1 }
        }
    }
    assert!(valid > 30 && invalid > 30, "{valid} valid, {invalid} invalid");
    let template = json!({ "port": "${1 + 1}", "level": "${\"debug\"}" });
    assert!(schemas.validate(&template, index).is_ok());
    let source = Source::new("server.json", template.to_string());
    assert!(hclkit::Loader::new().with_source(source).with_variable("x", 1).load::<Server>().is_ok());
}

#[test]
fn documentation_says_what_is_accepted() {
    let markdown = schema::markdown(&spec(), "Server");
    for line in [
        "| `port` | `number` | yes | | Where it listens. At least 1. At most 65535. |",
        "| `level` | `string` | yes | | One of `debug`, `warning`, `warn`. |",
        "| `ratio` | `number` | | | At least -1.5. Less than 2.5. |",
        "| `verbose` | `bool` | | | Deprecated: use `level`. |",
        "| `old` | `string` | | | Deprecated. |",
        "| `service` | `string` | | | The name of a service. Text that matches `^[a-z]+$`. |",
    ] {
        assert!(markdown.lines().any(|own| own == line), "{line}\n{markdown}");
    }
}
