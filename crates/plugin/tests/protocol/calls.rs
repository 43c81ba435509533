//! Calls of the provider service.

use hclkit_value::{Type, Value};
use prost::Message;

use crate::client::{Call, Client, DynamicValue, Identity, Server};
use crate::program;

#[derive(Clone, PartialEq, Message)]
struct Schema {
    #[prost(message, optional, tag = "1")]
    provider: Option<ProviderSchema>,
    #[prost(message, optional, tag = "6")]
    capabilities: Option<Capabilities>,
    #[prost(map = "string, message", tag = "7")]
    functions: std::collections::HashMap<String, Function>,
}

#[derive(Clone, PartialEq, Message)]
struct ProviderSchema {
    #[prost(message, optional, tag = "2")]
    block: Option<()>,
}

#[derive(Clone, PartialEq, Message)]
struct Capabilities {
    #[prost(bool, tag = "2")]
    get_provider_schema_optional: bool,
}

#[derive(Clone, PartialEq, Message)]
struct Function {
    #[prost(message, repeated, tag = "1")]
    parameters: Vec<Parameter>,
    #[prost(message, optional, tag = "3")]
    result: Option<Return>,
    #[prost(string, tag = "4")]
    summary: String,
    #[prost(string, tag = "5")]
    description: String,
}

#[derive(Clone, PartialEq, Message)]
struct Parameter {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(bytes = "vec", tag = "2")]
    ty: Vec<u8>,
    #[prost(bool, tag = "3")]
    allow_null: bool,
    #[prost(bool, tag = "4")]
    allow_unknown: bool,
}

#[derive(Clone, PartialEq, Message)]
struct Return {
    #[prost(bytes = "vec", tag = "1")]
    ty: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
struct Functions {
    #[prost(map = "string, message", tag = "1")]
    functions: std::collections::HashMap<String, Function>,
}

#[derive(Clone, PartialEq, Message)]
struct Diagnostic {
    #[prost(int32, tag = "1")]
    severity: i32,
    #[prost(string, tag = "2")]
    summary: String,
    #[prost(string, tag = "3")]
    detail: String,
}

async fn client() -> (Server, Client) {
    let identity = Identity::new();
    let server = Server::start(&program(), Some(&identity));
    let client = server.connect(&identity).await;
    (server, client)
}

#[tokio::test]
async fn the_schema_has_the_functions_with_their_documentation() {
    let (_server, mut client) = client().await;
    let schema: Schema = client.ask("/tfplugin6.Provider/GetProviderSchema", &()).await.unwrap();
    assert_eq!(schema.provider, Some(ProviderSchema { block: Some(()) }));
    assert!(schema.capabilities.unwrap().get_provider_schema_optional);
    let join = &schema.functions["join"];
    assert_eq!(join.summary, "Joins strings");
    assert_eq!(join.description, "Joins strings. With a separator.");
    let parameters: Vec<_> = join
        .parameters
        .iter()
        .map(|each| (each.name.as_str(), each.ty.as_slice(), each.allow_unknown))
        .collect();
    assert_eq!(
        parameters,
        [("separator", &b"\"string\""[..], false), ("parts", b"[\"list\",\"string\"]", false)]
    );
    assert_eq!(join.result.as_ref().unwrap().ty, b"\"string\"");
    let identity = &schema.functions["identity"];
    assert_eq!(identity.parameters[0].ty, b"\"dynamic\"");
    assert!(identity.parameters[0].allow_null && identity.parameters[0].allow_unknown);
    let functions: Functions = client.ask("/tfplugin6.Provider/GetFunctions", &()).await.unwrap();
    assert_eq!(functions.functions, schema.functions);
}

#[tokio::test]
async fn values_of_every_kind_arrive_as_they_are() {
    let (_server, mut client) = client().await;
    let unknown = |ty: Type| Value::unknown(ty);
    let values = [
        Value::from("text"),
        Value::from(-17),
        "123456789012345678901234567890.125".parse::<hclkit_value::Number>().unwrap().into(),
        Value::null(Type::Dynamic),
        Value::null(Type::list(Type::Bool)),
        unknown(Type::Dynamic),
        unknown(Type::map(Type::String)),
        unknown(Type::Number).refine().with_not_null().finish().unwrap(),
        unknown(Type::String).refine().with_not_null().with_prefix("foo-").finish().unwrap(),
        Value::set([Value::from(1), Value::from(2)]).unwrap(),
        Value::tuple([Value::from(true), unknown(Type::Number), Value::null(Type::String)]),
        Value::object([("a", Value::object([("b", unknown(Type::Dynamic))]))]),
    ];
    for value in values {
        let bytes = value.to_msgpack(&Type::Dynamic).unwrap();
        let answer = client.call("identity", &[&bytes]).await.value();
        assert_eq!(answer, bytes, "{value}");
        assert_eq!(Value::from_msgpack(&answer, &Type::Dynamic).unwrap(), value);
    }
}

/// Terraform sends and accepts messages of up to 256 MiB.
#[tokio::test]
async fn large_values_arrive() {
    let (_server, mut client) = client().await;
    let bytes = Value::from("x".repeat(20 << 20)).to_msgpack(&Type::Dynamic).unwrap();
    assert!(client.call("identity", &[&bytes]).await.value() == bytes);
}

#[tokio::test]
async fn arguments_may_be_json() {
    let (_server, mut client) = client().await;
    let json = |text: &str| DynamicValue { msgpack: Vec::new(), json: text.into() };
    let call = Call { name: "join".to_owned(), arguments: vec![json("\", \""), json("[\"a\", \"b\"]")] };
    let answer: crate::client::Answer = client.ask("/tfplugin6.Provider/CallFunction", &call).await.unwrap();
    assert_eq!(answer.value(), b"\xa4a, b");
}

#[tokio::test]
async fn unknown_arguments_have_an_unknown_result() {
    let (_server, mut client) = client().await;
    let answer = client.call("join", &[b"\xa1,", b"\x92\xa1a\xd4\x00\x00"]).await.value();
    let result = Value::from_msgpack(&answer, &Type::String).unwrap();
    assert!(!result.is_known());
}

#[tokio::test]
async fn errors_name_the_argument() {
    let (_server, mut client) = client().await;
    let value: &[u8] = b"\x92\xc4\x06\"bool\"\xc3";
    assert_eq!(client.call("fail", &[value, value]).await.error(), ("no luck".to_owned(), Some(1)));
    let (text, argument) = client.call("join", &[b"\xa1,", b"\x92\xa1a\xc0"]).await.error();
    assert_eq!((text.as_str(), argument), ("[1]: expected a string, found null", Some(1)));
    let (text, argument) = client.call("join", &[b"\xa1,"]).await.error();
    assert_eq!((text.as_str(), argument), ("2 arguments are required, found 1", None));
    let (text, argument) = client.call("nothing", &[]).await.error();
    assert_eq!((text.as_str(), argument), ("the provider identity has no such function", None));
}

#[tokio::test]
async fn malformed_values_are_errors() {
    let (mut server, mut client) = client().await;
    let malformed: [&[u8]; 7] = [
        b"",
        b"\xc1",
        b"\x92\xc4\x06\"bool\"",
        b"\x92\xc4\x05\"boo\"\xc3",
        b"\xdd\xff\xff\xff\xff",
        b"\x92\xc4\x08\"string\"\xdb\xff\xff\xff\xff",
        &[0x91; 5000],
    ];
    for bytes in malformed {
        let (text, argument) = client.call("identity", &[bytes]).await.error();
        assert!(!text.is_empty());
        assert_eq!(argument, Some(0), "{text}");
    }
    let mut random = fastrand::Rng::with_seed(6);
    let good =
        Value::object([("a", Value::tuple([Value::from("b"), Value::from(1), Value::unknown(Type::Bool)]))]);
    let good = good.to_msgpack(&Type::Dynamic).unwrap();
    for _ in 0..500 {
        let mut bytes = good.clone();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..bytes.len());
            bytes[at] = random.u8(..);
        }
        bytes.truncate(random.usize(..=bytes.len()));
        client.call("identity", &[&bytes]).await;
    }
    assert_eq!(client.call("identity", &[&good]).await.value(), good);
    assert!(server.child.try_wait().unwrap().is_none());
}

#[tokio::test]
async fn a_panic_is_an_error_of_its_call_only() {
    let (mut server, mut client) = client().await;
    let (text, argument) = client.call("panic", &[]).await.error();
    assert_eq!(
        (text.as_str(), argument),
        ("the function ended unexpectedly; this is a bug in the provider", None)
    );
    let value: &[u8] = b"\x92\xc4\x06\"bool\"\xc3";
    assert_eq!(client.call("identity", &[value]).await.value(), value);
    let log = server.log();
    assert!(log.contains("examples/identity.rs") && !log.contains("on purpose"), "{log}");
}

#[tokio::test]
async fn calls_about_other_things_have_clear_answers() {
    let (_server, mut client) = client().await;
    // The number of the field of diagnostics in the response of each call.
    for (method, tag) in [
        ("ValidateResourceConfig", 1_u8),
        ("ValidateDataResourceConfig", 1),
        ("UpgradeResourceState", 2),
        ("ReadResource", 2),
        ("PlanResourceChange", 4),
        ("ApplyResourceChange", 3),
        ("ImportResourceState", 2),
        ("MoveResourceState", 2),
        ("ReadDataSource", 2),
        ("OpenEphemeralResource", 1),
        ("ListResource", 4),
    ] {
        let answer = client.raw(&format!("/tfplugin6.Provider/{method}"), b"\x0a\x04test").await.unwrap();
        assert_eq!(answer[0], tag << 3 | 2, "{method}");
        let diagnostic = Diagnostic::decode_length_delimited(&answer[1..]).unwrap();
        assert_eq!((diagnostic.severity, diagnostic.summary.as_str()), (1, "Not supported by this provider"));
        assert!(diagnostic.detail.ends_with(&format!("It cannot answer {method}.")), "{}", diagnostic.detail);
    }
    for method in
        ["ValidateProviderConfig", "ConfigureProvider", "GetResourceIdentitySchemas", "StopProvider"]
    {
        let answer = client.raw(&format!("/tfplugin6.Provider/{method}"), &[]).await;
        assert_eq!(answer, Ok(Vec::new()), "{method}");
    }
    let (status, text) = client.raw("/tfplugin6.Provider/InvokeAction", &[]).await.unwrap_err();
    assert_eq!((status.as_str(), text.as_str()), ("12", "InvokeAction%20is%20not%20supported"));
    let (status, _) = client.raw("/grpc.health.v1.Health/Check", b"\x0a\x05other").await.unwrap_err();
    assert_eq!(status, "5");
}
