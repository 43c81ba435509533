//! The cost of calls over the socket, compared with a function that returns its argument: `cargo bench -p
//! terraform-provider-hcl --bench cost`.

#[path = "../../plugin/tests/protocol/client.rs"]
mod client;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use client::{Client, Identity, Server};
use hclkit::{Type, Value};

const CALLS: usize = 10_000;

/// The provider with the identity function, an example of the crate below built as this bench is.
fn identity_program() -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "build",
        "--quiet",
        "--profile",
        "bench",
        "--package",
        "hclkit-plugin",
        "--example",
        "identity",
    ]);
    assert!(cargo.status().unwrap().success());
    let provider = Path::new(env!("CARGO_BIN_EXE_terraform-provider-hcl"));
    provider.parent().unwrap().join("examples/identity")
}

/// Measures the time of a call: the average in the fastest twentieth of the calls, because other programs can only
/// slow them down.
async fn measure(client: &mut Client, name: &str, arguments: &[&[u8]]) -> Duration {
    let batch = CALLS / 20;
    let mut fastest = Duration::MAX;
    for _ in 0..20 {
        let start = Instant::now();
        for _ in 0..batch {
            client.call(name, arguments).await.value();
        }
        fastest = fastest.min(start.elapsed() / u32::try_from(batch).unwrap());
    }
    fastest
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let text = |text: &str| Value::from(text).to_msgpack(&Type::String).unwrap();
    let variables = Value::object([("a", Value::from(2)), ("name", Value::from("web"))]);
    let variables = variables.to_msgpack(&Type::Dynamic).unwrap();
    let identity = Identity::new();
    let (plain, server) = (
        Server::start(&identity_program(), Some(&identity)),
        Server::start(Path::new(env!("CARGO_BIN_EXE_terraform-provider-hcl")), Some(&identity)),
    );
    let mut client = plain.connect(&identity).await;
    let base = measure(&mut client, "identity", &[&variables]).await;
    println!("{:<16} {base:>10.1?}", "identity");
    let mut client = server.connect(&identity).await;
    let (expression, template) = (text("a + 1"), text("Hello, ${upper(name)}!"));
    let attributes = text("size = a * 2\nid = \"${name}-01\"\n");
    let spec_text =
        "object {\n  attr \"size\" {\n    type = number\n  }\n  attr \"id\" {\n    type = string\n  }\n}\n";
    let directory = tempfile::tempdir().unwrap();
    let spec_file = directory.path().join("spec.hcldec");
    std::fs::write(&spec_file, spec_text).unwrap();
    let (spec, spec_file) = (text(spec_text), text(spec_file.to_str().unwrap()));
    let calls: [(&str, Vec<&[u8]>); 5] = [
        ("evalexpr", vec![&expression, &variables]),
        ("evaltemplate", vec![&template, &variables]),
        ("evalconfigattrs", vec![&attributes, &variables]),
        ("evalconfig", vec![&attributes, &spec_file, &variables]),
        ("evalconfigspec", vec![&attributes, &spec, &variables]),
    ];
    for (name, arguments) in calls {
        let time = measure(&mut client, name, &arguments).await;
        let more = time.saturating_sub(base);
        println!("{name:<16} {time:>10.1?} {more:>10.1?} more");
    }
}
