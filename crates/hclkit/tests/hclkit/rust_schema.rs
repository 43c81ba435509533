//! `schema::rust`: the modules of this test are the types that it writes, and configurations are decoded into them.
//! `BLESS=1 cargo test -p hclkit rust_schema` writes the types again; review the diff.

#[allow(unreachable_pub, missing_docs, reason = "the code is generated for applications")]
#[rustfmt::skip]
mod everything;
#[allow(unreachable_pub, missing_docs, reason = "the code is generated for applications")]
#[rustfmt::skip]
mod service;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hclkit::decode::Decoder;
use hclkit::{Context, Loader, Source, Value, schema};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hclkit/rust_schema")
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/service")
}

fn check(spec: &Path, title: &str) {
    let source = Source::new(spec.to_string_lossy(), std::fs::read(spec).unwrap());
    let decoder = Decoder::new(source).unwrap();
    let written = format!("//! Written by `schema::rust`.\n\n{}", schema::rust(decoder.spec_file(), title));
    let path = directory().join(format!("{title}.rs"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, written).unwrap();
    } else {
        assert_eq!(std::fs::read_to_string(path).unwrap(), written);
    }
}

#[test]
fn the_types_are_those_of_the_spec() {
    check(&examples().join("service.hcldec"), "service");
    check(&directory().join("everything.hcldec"), "everything");
}

#[test]
fn configurations_are_decoded_into_the_types() {
    let spec = examples().join("service.hcldec");
    let spec = Decoder::new(Source::new("service.hcldec", std::fs::read(spec).unwrap())).unwrap();
    for file in ["web.hcl", "web.hcl.json"] {
        let loader = Loader::new()
            .with_variables_file(examples().join("production.tfvars"))
            .with_variable("registry", "registry.example.com")
            .with_functions(spec.spec_file().functions.clone())
            .with_dynamic(true)
            .with_file(examples().join(file));
        let (service, _) = loader.load::<service::Service>().unwrap();
        assert_eq!((service.name.as_str(), service.replicas), ("shop-production", 3.0));
        assert_eq!(
            service.listen.iter().map(|listen| listen.port).collect::<Vec<_>>(),
            [8001.0, 8002.0, 9090.0]
        );
        let tls = service.listen[0].tls.as_ref().unwrap();
        assert_eq!(tls.versions.iter().collect::<Vec<_>>(), ["1.2", "1.3"]);
        let checks: BTreeMap<&str, &str> =
            service.check.iter().map(|check| (check.name.as_str(), check.every.as_str())).collect();
        assert_eq!(checks, BTreeMap::from([("alive", "10s"), ("ready", "30s")]));
        assert_eq!(service.env.as_ref().unwrap().arguments["LOG_LEVEL"], "info");
        assert_eq!(service.resources.unwrap().memory.as_deref(), Some("512Mi"));
    }
}

#[test]
fn everything_is_decoded() {
    let text = r#"
type     = "t"
max-size = 3
anything = [1, "a"]
pair     = ["a", 1]
address  = { street = "s", tags = [] }

string {
  string {
    deep = [1]
  }
}

user "a" "b" {
  name = "c"
}

rule {}

settings {
  x = [true]
}
"#;
    let read: everything::Everything = hclkit::load_str(text, &Context::new()).unwrap();
    assert_eq!((read.type_.as_str(), read.max_size), ("t", Some(3.0)));
    assert_eq!(read.anything, Some(Value::tuple([Value::from(1), Value::from("a")])));
    assert_eq!(read.pair, Some(("a".to_owned(), 1.0)));
    assert_eq!(read.retries, [1.0, 2.5]);
    assert_eq!(read.labels, BTreeMap::from([("a".to_owned(), "b\n".to_owned())]));
    assert_eq!(read.string.string.unwrap().deep, Some(vec![1.0]));
    assert_eq!((read.user[0].name.as_str(), read.user[0].name_2.as_deref()), ("a", Some("c")));
    assert_eq!(read.settings.unwrap().arguments["x"], [true]);
    let errors = hclkit::load_str::<everything::Everything>("", &Context::new()).unwrap_err();
    assert_eq!(errors.errors(), 3, "{errors}");
}
