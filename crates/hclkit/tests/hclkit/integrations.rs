//! figment, garde, miette and schemars.

use std::collections::BTreeMap;

use figment::Figment;
use garde::Validate;
use hclkit::integrations::figment::Hcl;
use hclkit::integrations::garde::validate;
use hclkit::integrations::miette::Problems;
use hclkit::integrations::schemars::{schema_of, subschema_of};
use hclkit::render::Renderer;
use hclkit::{Body, Context, Decode, Loader, Source};
use miette::Diagnostic as _;
use snapbox::{assert_data_eq, str};

#[derive(Decode, Validate, Debug)]
struct Server {
    /// The names of the server.
    #[garde(inner(length(min = 2)))]
    names: Vec<String>,
    #[garde(dive)]
    #[hcl(block)]
    listen: Vec<Listen>,
    #[garde(range(max = 8))]
    #[hcl(rename = "worker-count", default = 1)]
    worker_count: u32,
    #[garde(dive)]
    #[hcl(block, key = label)]
    check: BTreeMap<String, Listen>,
}

#[derive(Decode, Validate, Debug)]
struct Listen {
    #[garde(range(min = 1024))]
    port: u16,
}

fn body(name: &str, text: &str) -> Body {
    let (body, found) = Body::parse(Source::new(name, text));
    assert!(found.is_empty(), "{found}");
    body
}

#[test]
fn failures_of_garde_are_reported_at_their_places() {
    let text = "names = [\"ab\", \"c\"]\nworker-count = 9\nlisten {\n  port = 8080\n}\nlisten {\n  port = 80\n}\ncheck \"a\" {\n  port = 1\n}\n";
    let body = body("server.hcl", text);
    let server = Server::decode(&body, &Context::new()).unwrap();
    let errors = validate(&server, &body).unwrap_err();
    assert_data_eq!(
        Renderer::plain().diagnostics(&errors),
        str![[r#"
error[invalid-value]: Invalid value
 --> server.hcl:1:16
  |
1 | names = ["ab", "c"]
  |                ^^^
  |
  = note: Invalid value for `names[1]`: length is lower than 2.

error[invalid-value]: Invalid value
 --> server.hcl:2:16
  |
2 | worker-count = 9
  |                ^
  |
  = note: Invalid value for `worker_count`: greater than 8.

error[invalid-value]: Invalid value
 --> server.hcl:7:10
  |
7 |   port = 80
  |          ^^
  |
  = note: Invalid value for `listen[1].port`: lower than 1024.

error[invalid-value]: Invalid value
  --> server.hcl:10:10
   |
10 |   port = 1
   |          ^
   |
   = note: Invalid value for `check.a.port`: lower than 1024.
"#]]
    );
}

#[test]
fn failures_of_garde_in_the_json_syntax() {
    let body = body("server.hcl.json", r#"{"names": ["x"], "listen": [{"port": 8080}, {"port": 80}]}"#);
    let server = Server::decode(&body, &Context::new()).unwrap();
    let errors = validate(&server, &body).unwrap_err();
    let places: Vec<String> = errors.iter().map(|error| error.place().unwrap().text().to_owned()).collect();
    assert_eq!(places, ["\"x\"", "80"]);
}

#[test]
fn figment_combines_hcl() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("main.hcl");
    std::fs::write(&path, "a = 1\nb \"c\" {\n  d = [true]\n}\n").unwrap();
    let figment = Figment::from(Hcl::file(&path))
        .merge(Hcl::file(directory.path().join("none.hcl")))
        .merge(Hcl::loader(Loader::new().with_source(Source::new("", "a = n + 1\n")).with_variable("n", 2)));
    let values: serde_json::Value = figment.extract().unwrap();
    assert_eq!(values, serde_json::json!({ "a": 3, "b": { "c": { "d": [true] } } }));

    let wrong = Figment::from(Hcl::text("a = missing\n"));
    let error = wrong.extract::<serde_json::Value>().unwrap_err().to_string();
    assert!(error.contains("1:5: error: Variables not allowed"), "{error}");
    assert!(Figment::from(Hcl::file_exact("none.hcl")).extract::<serde_json::Value>().is_err());
}

#[test]
fn diagnostics_are_those_of_miette() {
    let text = "names = [1, []]\nlisten {\n  prt = 80\n}\n";
    let problems = Problems::from(Server::decode(&body("server.hcl", text), &Context::new()).unwrap_err());
    assert_eq!(problems.code().unwrap().to_string(), "invalid-attribute-value");
    assert_eq!(problems.severity(), Some(miette::Severity::Error));
    assert!(problems.help().unwrap().to_string().contains("a string is required"));
    let label = problems.labels().unwrap().next().unwrap();
    assert_eq!(&text[label.offset()..label.offset() + label.len()], "[]");
    let source = problems.source_code().unwrap().read_span(label.inner(), 0, 0).unwrap();
    assert_eq!((source.name(), source.line()), (Some("server.hcl"), 0));
    assert_eq!(problems.related().unwrap().count(), 2);
}

#[test]
fn schemas_are_those_of_schemars() {
    let schema = schema_of::<Server>("server");
    assert!(schema.pointer("/properties/names").unwrap().to_string().contains("The names of the server."));
    assert_eq!(schema.pointer("/required").unwrap(), &serde_json::json!(["names"]));
}

/// A schema inside another one refers to definitions of the outer one.
#[test]
fn a_schema_can_be_a_part_of_another_schema() {
    #[derive(schemars::JsonSchema)]
    #[allow(dead_code, reason = "only its schema is used")]
    struct Application {
        #[schemars(schema_with = "server")]
        server: Server,
    }

    fn server(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        subschema_of::<Server>(generator, "Server")
    }

    let schema = serde_json::to_value(schemars::schema_for!(Application)).unwrap();
    assert_eq!(schema.pointer("/properties/server/$ref").unwrap(), "#/$defs/Server");
    let text = schema.to_string();
    let references: Vec<&str> =
        text.split("\"$ref\":\"#").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(references.len() > 1, "{text}");
    for reference in references {
        assert!(schema.pointer(reference).is_some(), "{reference} in {text}");
    }
}
