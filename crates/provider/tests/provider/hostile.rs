//! Hostile arguments over the socket: each call has an answer, and the provider continues.
use std::path::Path;

use crate::client::{Client, Identity, Server};
use hclkit::{Type, Value};

const PROVIDER: &str = env!("CARGO_BIN_EXE_terraform-provider-hcl");

async fn start(variables: &[(&str, &str)]) -> (Server, Client) {
    let identity = Identity::new();
    let server = Server::start_with(Path::new(PROVIDER), Some(&identity), variables);
    let client = server.connect(&identity).await;
    (server, client)
}

fn text(text: impl Into<String>) -> Vec<u8> {
    Value::from(text.into()).to_msgpack(&Type::String).unwrap()
}

fn no_variables() -> Vec<u8> {
    Value::object([] as [(&str, Value); 0]).to_msgpack(&Type::Dynamic).unwrap()
}

#[tokio::test]
async fn hostile_sources_are_errors() {
    let (mut server, mut client) = start(&[]).await;
    let sources = [
        "(".repeat(100_000),
        "[".repeat(5_000) + &"]".repeat(5_000),
        "-".repeat(100_000) + "1",
        "\"${".repeat(3_000),
        "a.".repeat(100_000),
        "\u{0}\u{feff}\u{202e}".repeat(1_000),
        "[for a in [1, 2] : ".repeat(2_000),
        "1e999999999999".to_owned(),
    ];
    for source in &sources {
        let start: String = source.chars().take(20).collect();
        let (reason, argument) = client.call("evalexpr", &[&text(source), &no_variables()]).await.error();
        assert_eq!(argument, Some(0), "{start}: {reason}");
        assert!(reason.starts_with("<expr_src>:1,"), "{start}: {reason}");
        assert!(reason.len() < 10_000 && !reason.contains('\u{202e}'), "{start}: {reason}");
        for name in ["format", "tojson", "fromjson"] {
            client.call(name, &[&text(source)]).await;
        }
        for name in ["evaltemplate", "evalconfigattrs"] {
            client.call(name, &[&text(source), &no_variables()]).await;
        }
        client.call("evalconfigspec", &[&text(source), &text(source), &no_variables()]).await;
        client.call("query", &[&text("a = 1"), &text(source)]).await;
    }
    // As deep as the limit allows.
    let nested = "(".repeat(900) + "1" + &")".repeat(900);
    client.call("evalexpr", &[&text(nested), &no_variables()]).await.value();
    assert!(server.child.try_wait().unwrap().is_none());
}

/// Sources that, without limits, would create more elements and text than fits into memory.
#[tokio::test]
async fn limits_stop_calls() {
    let (_server, mut client) =
        start(&[("HCL_PROVIDER_MAX_ELEMENTS", "10000"), ("HCL_PROVIDER_MAX_BYTES", "10000")]).await;
    let list = "[for a in n : [for b in n : [for c in n : c]]]";
    let variables = Value::object([("n", Value::tuple((0..100).map(Value::from)))]);
    let variables = variables.to_msgpack(&Type::Dynamic).unwrap();
    let (reason, _) = client.call("evalexpr", &[&text(list), &variables]).await.error();
    assert!(reason.contains("10000") || reason.contains("10,000"), "{reason}");
    let doubled = "%{ for a in n }%{ for b in n }0123456789%{ endfor }%{ endfor }";
    let (reason, _) = client.call("evaltemplate", &[&text(doubled), &variables]).await.error();
    assert!(reason.contains("10000") || reason.contains("10,000"), "{reason}");
}

#[tokio::test]
async fn a_timeout_ends_calls() {
    let (mut server, mut client) = start(&[
        ("HCL_PROVIDER_TIMEOUT", "1"),
        ("HCL_PROVIDER_MAX_STEPS", "1000000000000"),
        ("HCL_PROVIDER_MAX_ELEMENTS", "1000000000000"),
    ])
    .await;
    let endless = "length([for a in n : [for b in n : [for c in n : a * b if c < 0]]])";
    let variables = Value::object([("n", Value::tuple((0..2000).map(Value::from)))]);
    let variables = variables.to_msgpack(&Type::Dynamic).unwrap();
    let (reason, _) = client.call("evalexpr", &[&text(endless), &variables]).await.error();
    assert!(reason.contains("time") || reason.contains("deadline"), "{reason}");
    client.raw("/plugin.GRPCController/Shutdown", &[]).await.unwrap();
    let status = server.wait(std::time::Duration::from_secs(5)).await;
    assert_eq!(status.and_then(|status| status.code()), Some(0));
}

/// The largest amount of memory that a process had, in MiB.
#[cfg(target_os = "linux")]
fn peak_memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim_end_matches("kB").trim().parse::<u64>().unwrap() / 1024
}

/// Calls at the same time take no more memory than one call may take, and each has the result that it has alone.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn calls_share_their_memory() {
    let identity = Identity::new();
    let elements = [("HCL_PROVIDER_MAX_ELEMENTS", "2000000")];
    let server = Server::start_with(Path::new(PROVIDER), Some(&identity), &elements);
    let variables = Value::object([("n", Value::tuple((0..600).map(Value::from)))]);
    let variables = variables.to_msgpack(&Type::Dynamic).unwrap();
    // One takes many elements, one too many, and one few.
    let sources = [
        "length([for a in n : [for b in n : b + a]])",
        "[for a in n : [for b in n : [for c in n : c]]]",
        "1 + 1",
    ];
    let mut alone = Vec::new();
    let mut client = server.connect(&identity).await;
    for source in sources {
        alone.push(client.call("evalexpr", &[&text(source), &variables]).await);
    }
    let failed: Vec<bool> = alone.iter().map(|answer| answer.error.is_some()).collect();
    assert_eq!(failed, [false, true, false]);
    let one = peak_memory(&server);
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..32 {
        let at = number % 3;
        let arguments = [text(sources[at]), variables.clone()];
        let mut client = server.connect(&identity).await;
        calls.spawn(async move { (at, client.call("evalexpr", &[&arguments[0], &arguments[1]]).await) });
    }
    for (at, answer) in calls.join_all().await {
        assert_eq!(answer, alone[at]);
    }
    let all = peak_memory(&server);
    // Without a budget, 32 calls take as much as 32 times one.
    assert!(all < one * 8, "one call at a time takes {one} MiB, 32 calls take {all}");
}

/// A value of a type that it names itself, in `MessagePack`.
fn typed(ty: &str, value: &[u8]) -> Vec<u8> {
    let length = u32::try_from(ty.len()).unwrap().to_be_bytes();
    [&[0x92, 0xc6][..], &length, ty.as_bytes(), value].concat()
}

/// Arguments that are small for what they would become, or that announce more than they have.
fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    const MANY: usize = 4 << 20;
    let endless =
        |header: u8, element: &[u8]| [&[header, 0xff, 0xff, 0xff, 0xff][..], &element.repeat(MANY)].concat();
    let wide: Vec<String> = (0..10_000).map(|at| format!("\"a{at}\":\"string\"")).collect();
    let wide = format!("[\"list\",[\"object\",{{{}}}]]", wide.join(","));
    let levels = |count: usize| format!("{}\"string\"{}", "[\"list\",".repeat(count), "]".repeat(count));
    vec![
        ("empty tuples", typed("[\"list\",[\"tuple\",[]]]", &endless(0xdd, &[0x90]))),
        ("empty objects", typed("[\"set\",[\"object\",{}]]", &endless(0xdd, &[0x80]))),
        ("nulls of a wide type", typed(&wide, &endless(0xdd, &[0xc0]))),
        ("unknown values", typed("[\"list\",\"string\"]", &endless(0xdd, &[0xd4, 0, 0]))),
        (
            "pairs of a type and a value",
            typed("[\"list\",\"dynamic\"]", &endless(0xdd, b"\x92\xc4\x06\"bool\"\xc2")),
        ),
        ("entries", typed("[\"map\",\"bool\"]", &endless(0xdf, &[0xa0, 0xc2]))),
        ("announced levels", typed(&levels(900), &[0xdd, 0xff, 0xff, 0xff, 0xff].repeat(900))),
        ("a deep type", typed(&levels(100_000), &[0xc0])),
        ("announced text", vec![0xdb, 0xff, 0xff, 0xff, 0xff]),
        ("an announced extension", vec![0xc9, 0xff, 0xff, 0xff, 0xff, 12]),
        ("text that is not UTF-8", typed("\"string\"", &[0xa3, 0xff, 0xfe, 0xc0])),
        ("a huge number", typed("\"number\"", b"\xac1e1000000000")),
        ("a number that is written with many digits", typed("\"number\"", b"\xa81e999999")),
        ("a prefix of an unknown value", typed("\"string\"", b"\xc7\x06\x0c\x81\x02\xdb\xff\xff\xff")),
        ("a bare header", vec![0xdf]),
        ("nothing", Vec::new()),
        ("an invalid byte", vec![0xc1]),
    ]
}

/// Each function ends each of them with an answer, in little more memory than the message takes.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn every_function_survives_every_argument() {
    let (mut server, mut client) =
        start(&[("HCL_PROVIDER_MAX_ELEMENTS", "100000"), ("HCL_PROVIDER_MAX_BYTES", "10000000")]).await;
    let doubled = (0..40).fold("[1]".to_owned(), |inner, _| format!("[for a in [{inner}] : [a, a]][0]"));
    for function in terraform_provider_hcl::functions() {
        let parameters = function.parameters();
        let plain = |at: usize| match parameters[at].ty() {
            Type::String => text("a = 1"),
            _ => no_variables(),
        };
        for (at, parameter) in parameters.iter().enumerate() {
            for (name, bomb) in bombs() {
                let mut arguments: Vec<Vec<u8>> = (0..parameters.len()).map(plain).collect();
                arguments[at] = bomb;
                let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
                client.call(function.name(), &arguments).await;
                let peak = peak_memory(&server);
                assert!(peak < 400, "{}, {}, {name}: {peak} MiB", function.name(), parameter.name());
            }
            // What shares parts is small until it is written as the result.
            let mut arguments: Vec<Vec<u8>> = (0..parameters.len()).map(plain).collect();
            arguments[at] = text(&*doubled);
            let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
            client.call(function.name(), &arguments).await;
        }
        assert!(server.child.try_wait().unwrap().is_none(), "{}", function.name());
    }
    assert!(peak_memory(&server) < 400);
}
