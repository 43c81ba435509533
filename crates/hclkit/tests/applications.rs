//! The programs in `examples/` and their output.

#[path = "../examples/jobspec.rs"]
mod jobspec;
#[path = "../examples/locals.rs"]
mod locals;

use std::path::Path;

use hclkit::Source;

/// Lines of code: neither blank ones nor comments.
fn lines(code: &str) -> usize {
    code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[test]
fn locals_are_evaluated_in_order() {
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
  |                 -------------- `local.downstream` refers to `local.upstream` here.
  |
  = note: These definitions refer to each other in a cycle: `local.upstream` → `local.downstream` → `local.upstream`."#;
    assert_eq!(locals::run(&folder).unwrap(), expected);
    let _: fn() -> Result<(), Box<dyn std::error::Error>> = locals::main;
    assert!(lines(include_str!("../examples/locals.rs")) <= 25);
}

#[test]
fn a_jobspec_uses_functions_of_its_own() {
    let job = include_str!("../examples/jobspec/shop.hcl");
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
    assert!(lines(include_str!("../examples/jobspec.rs")) <= 60);
}
