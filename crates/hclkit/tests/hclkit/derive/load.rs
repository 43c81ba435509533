//! `load` and `Loader`: files, directories, variables, limits, and their errors.

use std::fs;

use hclkit::functions::Grants;
use hclkit::{Limits, Loader};
use snapbox::{assert_data_eq, str};

use super::*;

#[derive(Decode, Debug, PartialEq)]
struct Config {
    region: String,
    #[hcl(default = 1)]
    replicas: u32,
    #[hcl(block)]
    listen: Vec<Listen>,
}

fn shown(found: &hclkit::Diagnostics, folder: &std::path::Path) -> String {
    let text = Renderer::plain().diagnostics(found);
    text.replace(&format!("{}/", folder.display()), "").replace(&folder.display().to_string(), "DIRECTORY")
}

#[test]
fn files_of_both_syntaxes_are_one_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("a.hcl", "region = upper(region)\n");
    write("b.hcl.json", r#"{"listen": [{"port": 80}]}"#);
    write(
        "c.hcl",
        "dynamic \"listen\" {\n  for_each = ports\n  content {\n    port = listen.value\n  }\n}\n",
    );
    write(".hidden.hcl", "region = 1\n");
    write("readme.txt", "text");
    write("vars.tfvars", "ports = [443, 8443]\nregion = \"us\"\n");
    let loader = Loader::new()
        .with_directory(folder.path(), ["hcl", "hcl.json"])
        .with_variables_file(folder.path().join("vars.tfvars"))
        .with_variable("region", "eu")
        .with_functions(hclkit::functions::Library::Terraform.functions(&Grants::new()))
        .with_dynamic(true);
    let (config, warnings) = loader.load::<Config>().unwrap();
    assert!(warnings.is_empty());
    assert_eq!((config.region.as_str(), config.replicas), ("EU", 1));
    assert_eq!(config.listen.iter().map(|listen| listen.port).collect::<Vec<_>>(), [80, 443, 8443]);

    write("d.hcl", "region = \"again\"\n");
    write("e.hcl", "replicas = \n");
    assert_data_eq!(
        shown(&loader.load::<Config>().unwrap_err(), folder.path()),
        str![[r#"
error[invalid-expression]: Invalid expression
 --> e.hcl:1:12
  |
1 | replicas = 
  |            ^
  |
  = note: Expected an expression before the end of the line.
"#]]
    );
    fs::remove_file(folder.path().join("e.hcl")).unwrap();
    assert_data_eq!(
        shown(&loader.load::<Config>().unwrap_err(), folder.path()),
        str![[r#"
error[duplicate-attribute]: Attribute redefined
 --> d.hcl:1:1
  |
1 | region = "again"
  | ^^^^^^
  |
  = note: The argument `region` is already set at a.hcl:1:1.
"#]]
    );
}

#[test]
fn files_that_cannot_be_read_are_reported_together() {
    let folder = tempfile::tempdir().unwrap();
    let loader = Loader::new()
        .with_file(folder.path().join("missing.hcl"))
        .with_directory(folder.path().join("none"), ["hcl"]);
    assert_data_eq!(
        shown(&loader.load::<Config>().unwrap_err(), folder.path()),
        str![[r#"
error[unreadable-file]: Cannot read file
 |
 = note: missing.hcl: No such file or directory (os error 2).

error[unreadable-file]: Cannot read file
 |
 = note: none: No such file or directory (os error 2).
"#]]
    );
    let loader = Loader::new().with_variables_file(folder.path().join("missing.tfvars"));
    assert_data_eq!(
        shown(&loader.load::<Config>().unwrap_err(), folder.path()),
        str![[r#"
error[unreadable-file]: Cannot read file
 |
 = note: missing.tfvars: No such file or directory (os error 2).
"#]]
    );
    let missing = hclkit::load::<Config>(folder.path().join("missing.hcl"), &Context::new());
    assert_data_eq!(
        shown(&missing.unwrap_err(), folder.path()),
        str![[r#"
error[unreadable-file]: Cannot read file
 |
 = note: missing.hcl: No such file or directory (os error 2).
"#]]
    );
}

#[test]
fn limits_hold_for_parsing_and_decoding() {
    let deep = Source::new("deep.hcl", format!("region = {}\"a\"{}\n", "(".repeat(50), ")".repeat(50)));
    let loader = Loader::new().with_source(deep);
    assert!(loader.load::<Config>().is_ok());
    assert_data_eq!(
        shown(
            &loader.with_limits(Limits::new().with_nesting(10)).load::<Config>().unwrap_err(),
            "/none".as_ref()
        ),
        str![[r#"
error[nesting-too-deep]: Nesting too deep
 --> deep.hcl:1:20
  |
1 | region = (((((((((((((((((((((((((((((((((((((((((((((((((("a"))))))))))))))))))))))))))))))))))))))))))))))))))
  |                    ^
  |
  = note: Constructs cannot be nested more than 10 levels deep.
"#]]
    );
    let large = Source::new("large.hcl", "region = join(\"\", [for a in ports : \"${a}\"])\n");
    let loader = Loader::new()
        .with_source(large)
        .with_variable("ports", vec![1; 100_000])
        .with_functions(hclkit::functions::Library::Terraform.functions(&Grants::new()));
    assert!(loader.load::<Config>().is_ok());
    assert!(loader.with_limits(Limits::new().with_steps(1_000)).load::<Config>().is_err());
}

#[test]
fn variables_of_the_environment() {
    // Cargo sets this for tests.
    let loader =
        Loader::new().with_source(Source::new("main.hcl", "region = NAME\n")).with_environment("CARGO_PKG_");
    assert_eq!(loader.load::<Config>().unwrap().0.region, "hclkit");
    let loader = loader.with_variable("NAME", "flag");
    assert_eq!(loader.load::<Config>().unwrap().0.region, "flag");
}

#[derive(Decode, Debug)]
struct Services {
    region: String,
    #[hcl(block)]
    service: Vec<Web>,
}

#[derive(Decode, Debug)]
struct Web {
    #[hcl(label)]
    name: String,
    image: String,
    port: u16,
    #[hcl(block)]
    check: Vec<Probe>,
}

#[derive(Decode, Debug)]
struct Probe {
    path: String,
}

#[test]
fn override_files_replace_arguments_and_nested_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "main.hcl",
        "region = \"eu\"\nservice \"web\" {\n  image = \"web:1\"\n  port = 80\n  check {\n    path = \"/a\"\n  }\n  check {\n    path = \"/b\"\n  }\n}\nservice \"db\" {\n  image = \"db\"\n  port = 5432\n}\n",
    );
    write("a_override.hcl", "region = \"us\"\nservice \"web\" {\n  image = \"web:2\"\n}\n");
    write("override.hcl.json", r#"{"service": {"web": {"image": "web:3", "check": {"path": "/c"}}}}"#);
    let loader = Loader::new().with_directory(folder.path(), ["hcl", "hcl.json"]).with_override_files();
    let (services, _) = loader.load::<Services>().unwrap();
    assert_eq!(services.region, "us");
    let shape = |web: &Web| {
        let checks: Vec<String> = web.check.iter().map(|check| check.path.clone()).collect();
        (web.name.clone(), web.image.clone(), web.port, checks.join(" "))
    };
    assert_eq!(
        services.service.iter().map(shape).collect::<Vec<_>>(),
        [("web".into(), "web:3".into(), 80, "/c".into()), ("db".into(), "db".into(), 5432, String::new()),]
    );

    write("z_override.hcl", "service \"wbe\" {\n  image = \"x\"\n}\nservice \"db\" {\n  port = \"x\"\n}\n");
    assert_data_eq!(
        shown(&loader.load::<Services>().unwrap_err(), folder.path()),
        str![[r#"
error[unsupported-block]: Unsupported block type
 --> z_override.hcl:1:1
  |
1 | service "wbe" {
  | ^^^^^^^^^^^^^
  |
  = note: There is no block `service "wbe"` to override.

error[invalid-attribute-value]: Incorrect attribute value type
 --> z_override.hcl:5:10
  |
5 |   port = "x"
  |          ^^^
  |
  = note: Invalid value for the argument `port`: a number is required.
"#]]
    );

    let over = folder.path().join("z_override.hcl");
    fs::write(&over, "region = \"af\"\n").unwrap();
    let loader = Loader::new().with_override_file(over).with_file(folder.path().join("main.hcl"));
    assert_eq!(loader.load::<Services>().unwrap().0.region, "af");
}

#[test]
fn diagnostics_have_addresses() {
    let text = "region = \"eu\"\nservice \"web\" {\n  image = \"web\"\n  port = \"x\"\n}\n";
    let errors = hclkit::load_str::<Services>(text, &Context::new()).unwrap_err();
    let addresses: Vec<Option<&str>> = errors.iter().map(|error| error.address()).collect();
    assert_eq!(addresses, [Some("service.web.port")]);
}

/// The errors of each kind of file that is not what it should be. None of them blocks.
#[cfg(unix)]
#[test]
fn unusual_files_are_errors_with_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let made = std::process::Command::new("mkfifo").args([path("pipe.hcl"), path("pipe.tfvars")]).status();
    assert!(made.unwrap().success());
    fs::create_dir(path("directory.hcl")).unwrap();
    fs::write(path("large.hcl"), "region = \"eu\"\n# and more\n").unwrap();
    fs::write(path("large.tfvars"), "region = \"eu\"\n# and more\n").unwrap();
    fs::write(path("latin1.hcl"), b"region = \"\xe9\"\n").unwrap();
    let loader = Loader::new().with_max_size(20);
    let files = ["pipe.hcl", "directory.hcl", "/dev/zero", "large.hcl", "latin1.hcl"];
    let files = files.into_iter().fold(loader.clone(), |loader, name| loader.with_file(path(name)));
    let variables = ["pipe.tfvars", "large.tfvars"];
    let variables = variables.into_iter().fold(loader, |loader, name| loader.with_variables_file(path(name)));
    assert_data_eq!(
        shown(&files.load::<Config>().unwrap_err(), folder.path()),
        str![[r#"
error[unreadable-file]: Cannot read file
 |
 = note: pipe.hcl: not a regular file.

error[unreadable-file]: Cannot read file
 |
 = note: directory.hcl: is a directory.

error[unreadable-file]: Cannot read file
 |
 = note: /dev/zero: not a regular file.

error[unreadable-file]: Cannot read file
 |
 = note: large.hcl: the file is larger than 20 bytes.

error[invalid-encoding]: Invalid character encoding
 --> latin1.hcl:1:11
  |
1 | region = "␚"
  |           ^
  |
  = note: These bytes are not valid UTF-8. Save the file as UTF-8.
"#]]
    );
    assert_data_eq!(
        shown(&variables.load::<Config>().unwrap_err(), folder.path()),
        str![[r#"
error[unreadable-file]: Cannot read file
 |
 = note: pipe.tfvars: not a regular file.

error[unreadable-file]: Cannot read file
 |
 = note: large.tfvars: the file is larger than 20 bytes.
"#]]
    );
    let piped = hclkit::load::<Config>(path("pipe.hcl"), &Context::new()).unwrap_err();
    assert!(piped.to_string().ends_with("pipe.hcl: not a regular file."), "{piped}");
    // Pipes in a directory are skipped.
    fs::remove_file(path("latin1.hcl")).unwrap();
    let (config, _) = Loader::new().with_directory(folder.path(), ["hcl"]).load::<Config>().unwrap();
    assert_eq!(config.region, "eu");
}

#[test]
fn both_syntaxes_and_byte_order_marks() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("main.hcl", "\u{feff}region = \"eu\"\n");
    write("main.hcl.json", "{\"region\": \"us\"}");
    let loader = Loader::new().with_directory(folder.path(), ["hcl", "hcl.json"]);
    assert_data_eq!(
        shown(&loader.load::<Config>().unwrap_err(), folder.path()),
        str![[r#"
error[duplicate-attribute]: Attribute redefined
 --> main.hcl.json:1:2
  |
1 | {"region": "us"}
  |  ^^^^^^^^
  |
  = note: The argument `region` is already set at main.hcl:1:1.
"#]]
    );
    write("main.hcl.json", "{\"replicas\": 2}");
    write("variables.tfvars", "\u{feff}region = \"eu\"\n");
    let loader = loader.with_variables_file(folder.path().join("variables.tfvars"));
    assert_eq!(loader.load::<Config>().unwrap().0.replicas, 2);
}
