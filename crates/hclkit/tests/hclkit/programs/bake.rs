//! Docker Bake: variables are evaluated first, and targets with their values.

use std::collections::BTreeMap;

use hclkit::{Body, Context, Decode, Expression, FromValue, Value};

use super::decode;

#[derive(Decode)]
struct File {
    #[hcl(block, key = label)]
    variable: BTreeMap<String, Variable>,
    #[hcl(remain)]
    rest: Body,
}

#[derive(Decode)]
struct Variable {
    default: Option<Expression>,
    description: Option<String>,
}

#[derive(Decode)]
struct Targets {
    #[hcl(block, key = label)]
    group: BTreeMap<String, Group>,
    #[hcl(block, key = label)]
    target: BTreeMap<String, Target>,
}

#[derive(Decode)]
struct Group {
    targets: Vec<String>,
}

#[derive(Decode, Debug, PartialEq)]
#[hcl(rename_all = "kebab-case")]
struct Target {
    context: Option<String>,
    dockerfile: Option<String>,
    dockerfile_inline: Option<String>,
    #[hcl(default)]
    inherits: Vec<String>,
    #[hcl(default)]
    args: BTreeMap<String, Option<String>>,
    #[hcl(default)]
    tags: Vec<String>,
    #[hcl(default)]
    platforms: Vec<String>,
    #[hcl(default)]
    cache_from: Vec<Cache>,
    #[hcl(default)]
    no_cache: bool,
    #[hcl(default)]
    matrix: BTreeMap<String, Vec<Value>>,
}

/// A line such as `type=gha`, or an object.
#[derive(Debug, PartialEq)]
struct Cache(BTreeMap<String, String>);

impl hclkit::value::Typed for Cache {}

impl FromValue for Cache {
    fn from_value(value: &Value) -> Result<Self, hclkit::value::Error> {
        let Some(line) = value.as_str() else { return Ok(Self(FromValue::from_value(value)?)) };
        let pairs = line.split(',').map(|pair| pair.split_once('=').unwrap_or(("ref", pair)));
        Ok(Self(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()))
    }
}

/// Variables in the environment replace defaults, as in Bake.
fn read(text: &str, environment: &[(&str, &str)]) -> Targets {
    let file: File = decode(text);
    let mut context = Context::new();
    for (name, variable) in file.variable {
        let set = environment.iter().find(|(set, _)| *set == name).map(|(_, value)| Value::from(*value));
        let default = variable.default.map(|default| default.evaluate(&Context::new()).unwrap());
        context.set(name, set.or(default).unwrap_or_else(|| Value::from("")));
    }
    Targets::decode(&file.rest, &context).unwrap_or_else(|errors| panic!("{errors}"))
}

const NATIVE: &str = r#"
variable "TAG" {
  default = "latest"
}
variable "REGISTRY" {
  default = "registry.example.com"
}

group "default" {
  targets = ["app", "db"]
}

target "app" {
  context    = "./app"
  args       = { VERSION = TAG, DEBUG = null }
  tags       = ["${REGISTRY}/app:${TAG}"]
  platforms  = ["linux/amd64", "linux/arm64"]
  cache-from = ["type=registry,ref=${REGISTRY}/cache", { type = "gha" }]
  matrix     = { edition = ["small", "large"] }
}

target "db" {
  inherits          = ["app"]
  dockerfile-inline = <<EOT
FROM postgres:16
EOT
  no-cache          = true
}
"#;

const JSON: &str = r#"{
  "variable": {"TAG": {"default": "latest"}, "REGISTRY": {"default": "registry.example.com"}},
  "group": {"default": {"targets": ["app", "db"]}},
  "target": {
    "app": {"context": "./app", "args": {"VERSION": "${TAG}", "DEBUG": null}, "tags": ["${REGISTRY}/app:${TAG}"],
      "platforms": ["linux/amd64", "linux/arm64"], "matrix": {"edition": ["small", "large"]},
      "cache-from": ["type=registry,ref=${REGISTRY}/cache", {"type": "gha"}]},
    "db": {"inherits": ["app"], "dockerfile-inline": "FROM postgres:16\n", "no-cache": true}
  }
}"#;

#[test]
fn targets_with_variables() {
    for text in [NATIVE, JSON] {
        let targets = read(text, &[("TAG", "2.4.1")]);
        assert_eq!(targets.group["default"].targets, ["app", "db"]);
        let app = &targets.target["app"];
        assert_eq!(app.tags, ["registry.example.com/app:2.4.1"]);
        assert_eq!((app.args["VERSION"].as_deref(), &app.args["DEBUG"]), (Some("2.4.1"), &None));
        assert_eq!(app.cache_from[0].0["ref"], "registry.example.com/cache");
        assert_eq!(app.cache_from[1].0["type"], "gha");
        assert_eq!(app.matrix["edition"], [Value::from("small"), Value::from("large")]);
        let db = &targets.target["db"];
        assert_eq!((db.dockerfile_inline.as_deref(), db.no_cache), (Some("FROM postgres:16\n"), true));
        assert_eq!(read(text, &[]).target["app"].tags, ["registry.example.com/app:latest"]);
    }
}
