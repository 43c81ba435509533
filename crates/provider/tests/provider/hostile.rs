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
