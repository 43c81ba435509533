//! `load` and `Loader`: files, directories, variables, limits, and what is wrong with them.

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
        .with_dynamic_blocks();
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
