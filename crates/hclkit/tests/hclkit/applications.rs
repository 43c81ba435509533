//! The programs in `examples/` and their output.

#[path = "../../examples/jobspec.rs"]
mod jobspec;
#[path = "../../examples/linter.rs"]
mod linter;
#[path = "../../examples/locals.rs"]
mod locals;
#[path = "../../examples/service.rs"]
mod service;

use std::path::Path;

use hclkit::{CancelToken, Source};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The number of lines of code, without blank lines and comments.
fn lines(code: &str) -> usize {
    code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[test]
fn locals_are_evaluated_in_dependency_order() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/locals");
    let expected = r#"local.upstream = (unknown)
local.downstream = (unknown)
local.environment = "production"
local.zones = ["a", "b"]
local.name = "shop"
local.prefix = "shop-production"
local.hosts = ["shop-production-a", "shop-production-b"]
local.network = "10.42"
local.subnets = { a = "10.42.0.0/24", b = "10.42.1.0/24" }
error[reference-cycle]: Reference cycle
 --> network.tf:5:14
  |
5 |   upstream = local.downstream
  |              ^^^^^^^^^^^^^^^^
...
9 |   downstream = [local.upstream]
  |                 -------------- `local.downstream` refers to `local.upstream` here
  |
  = note: These definitions refer to each other in a cycle: `local.upstream` → `local.downstream` → `local.upstream`."#;
    assert_eq!(locals::run(&folder).unwrap(), expected);
    let _: fn() -> Result<(), Box<dyn std::error::Error>> = locals::main;
    assert!(lines(include_str!("../../examples/locals.rs")) <= 25);
}

#[test]
fn a_jobspec_uses_custom_functions() {
    let job = include_str!("../../examples/jobspec/shop.hcl");
    let read = |text: String| jobspec::run(Source::new("shop.hcl", text)).map_err(|error| error.to_string());
    assert_eq!(
        read(job.to_owned()).unwrap(),
        "web: Task { image: \"registry.example.com/shop:2.4.1\", cpu: 4000, memory: 2048, timeout: Some(90s) }\n\
         worker: Task { image: \"worker:latest\", cpu: 100, memory: 512, timeout: None }\n"
    );
    let error = read(job.replace("2048Mi", "2G")).unwrap_err();
    assert!(error.contains("\"2G\" does not end in Mi"), "{error}");
    let error = read(job.replace("1m30s", "soon")).unwrap_err();
    assert_eq!(error, ".web.timeout: \"soon\" is not a valid duration");
    let _: fn() -> Result<(), Box<dyn std::error::Error>> = jobspec::main;
    assert!(lines(include_str!("../../examples/jobspec.rs")) <= 60);
}

#[test]
fn a_linter_reports_and_fixes_both_syntaxes() {
    let folder = tempfile::tempdir().unwrap();
    let native = "resource \"aws_instance\" \"web\" {\n  instance_type = \"t2.micro\"\n}\n";
    let json = r#"{"resource": {"aws_instance": {"web": {"instance_type": "t2.micro"}}}}"#;
    for (name, text, places) in
        [("main.tf", native, ["1:1", "2:19"]), ("main.tf.json", json, ["1:39", "1:57"])]
    {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let found = linter::lint(&path, true).unwrap().to_string();
        let [tags, old] = places.map(|place| format!("{}:{place}", path.display()));
        assert_eq!(
            found,
            format!(
                "{tags}: error: Resource without tags: Add `tags` to the resource `web`.\n\
                 {old}: warning: Previous-generation instance type"
            )
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text.replace("t2", "t3"));
        // A fixed file is not changed again.
        assert_eq!(linter::lint(&path, true).unwrap().len(), 1);
    }
    let _: fn() -> std::io::Result<std::process::ExitCode> = linter::main;
    assert!(lines(include_str!("../../examples/linter.rs")) <= 60);
}

#[test]
fn a_service_answers_with_json() {
    let answer = |text: &str| {
        let (status, json) = service::answer(text.into(), CancelToken::new());
        (status, serde_json::from_str::<serde_json::Value>(&json).unwrap())
    };
    assert_eq!(answer("replicas = 2 + 1\n"), (200, serde_json::json!({"replicas": 3, "names": null})));
    for (request, code) in [
        ("replicas = 'x'\n".to_owned(), "wrong-character"),
        ("replica = 2\n".to_owned(), "missing-attribute"),
        (
            "replicas = length([for x in range(1000) : [for y in range(1000) : x * y]])\n".to_owned(),
            "too-many-steps",
        ),
        ("replicas = file(\"/etc/passwd\")\n".to_owned(), "files-not-granted"),
        (format!("replicas = 1 # {}\n", "x".repeat(64 << 10)), "source-too-large"),
    ] {
        let (status, report) = answer(&request);
        assert_eq!((status, &report["diagnostics"][0]["code"]), (422, &code.into()), "{report:#}");
    }
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let (_, report) = service::answer("replicas = 1\n".into(), cancelled);
    assert!(report.contains("\"cancelled\""), "{report}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let response = runtime.block_on(async {
        let listener = TcpListener::bind("localhost:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        client.write_all(b"POST / HTTP/1.1\r\ncontent-length: 12\r\n\r\nreplicas = 2").await.unwrap();
        service::serve(listener.accept().await.unwrap().0).await.unwrap();
        let mut response = String::new();
        client.read_to_string(&mut response).await.unwrap();
        response
    });
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    assert!(response.ends_with("\r\n\r\n{\"names\":null,\"replicas\":2}"), "{response}");
    let _: fn() -> std::io::Result<()> = service::main;
}
