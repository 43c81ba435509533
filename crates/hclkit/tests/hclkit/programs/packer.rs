//! A Packer template.

use std::collections::BTreeMap;
use std::time::Duration;

use hclkit::model::TypeConstraint;
use hclkit::{Body, Context, Decode, Expression, FromValue, Value};

use super::decode;

#[derive(Decode)]
struct Template {
    #[hcl(block)]
    packer: Option<Packer>,
    #[hcl(block, key = label)]
    variable: BTreeMap<String, Variable>,
    #[hcl(block)]
    locals: Vec<Locals>,
    #[hcl(block)]
    source: Vec<Source>,
    #[hcl(block)]
    build: Vec<Build>,
}

#[derive(Decode)]
struct Packer {
    required_version: Option<String>,
    #[hcl(block)]
    required_plugins: Option<Plugins>,
}

#[derive(Decode)]
struct Plugins {
    #[hcl(remain)]
    by_name: BTreeMap<String, Plugin>,
}

#[derive(FromValue, Debug, PartialEq)]
struct Plugin {
    version: String,
    source: String,
}

#[derive(Decode)]
struct Variable {
    r#type: Option<Expression>,
    default: Option<Expression>,
    description: Option<String>,
    #[hcl(default)]
    sensitive: bool,
    #[hcl(block)]
    validation: Vec<Validation>,
}

#[derive(Decode)]
struct Validation {
    condition: Expression,
    error_message: String,
}

#[derive(Decode)]
struct Locals {
    #[hcl(remain)]
    definitions: Body,
}

#[derive(Decode)]
struct Source {
    #[hcl(label)]
    builder: String,
    #[hcl(label)]
    name: String,
    #[hcl(remain)]
    settings: Body,
}

#[derive(Decode)]
struct Build {
    name: Option<String>,
    #[hcl(default)]
    sources: Vec<String>,
    #[hcl(block)]
    source: Vec<Override>,
    #[hcl(block)]
    provisioner: Vec<Provisioner>,
    #[hcl(block, rename = "post-processor")]
    post_processor: Vec<Step>,
}

#[derive(Decode)]
struct Override {
    #[hcl(label)]
    source: String,
    #[hcl(remain)]
    settings: Body,
}

#[derive(Decode)]
#[hcl(tag = label)]
enum Provisioner {
    Shell(Box<Shell>),
    File { source: String, destination: String },
}

#[derive(Decode)]
struct Shell {
    #[hcl(default)]
    inline: Vec<String>,
    script: Option<String>,
    #[hcl(default)]
    environment_vars: Vec<String>,
    #[hcl(default = "0s")]
    pause_before: Duration,
    max_retries: Option<u32>,
}

#[derive(Decode)]
struct Step {
    #[hcl(label)]
    kind: String,
    #[hcl(remain)]
    settings: Body,
}

#[test]
fn a_template_with_sources_and_provisioners() {
    let native = r#"
packer {
  required_plugins {
    docker = { version = ">= 1.0.8", source = "github.com/hashicorp/docker" }
  }
}

variable "ports" {
  type    = list(number)
  default = ["80", 443]

  validation {
    condition     = length(var.ports) > 0
    error_message = "A port is required."
  }
}

source "docker" "debian" {
  image  = "debian:12"
  commit = true
}

build {
  name    = "web"
  sources = ["source.docker.debian"]

  provisioner "shell" {
    inline       = ["apt-get update", "apt-get install -y nginx"]
    pause_before = "10s"
  }
  provisioner "file" {
    source      = "nginx.conf"
    destination = "/etc/nginx/nginx.conf"
  }
  post-processor "docker-tag" {
    repository = "registry.example.com/web"
  }
}
"#;
    let json = r#"{
      "packer": {"required_plugins": {"docker": {"version": ">= 1.0.8", "source": "github.com/hashicorp/docker"}}},
      "variable": {"ports": {"type": "list(number)", "default": ["80", 443],
        "validation": {"condition": "${length(var.ports) > 0}", "error_message": "A port is required."}}},
      "source": {"docker": {"debian": {"image": "debian:12", "commit": true}}},
      "build": {"name": "web", "sources": ["source.docker.debian"],
        "provisioner": [
          {"shell": {"inline": ["apt-get update", "apt-get install -y nginx"], "pause_before": "10s"}},
          {"file": {"source": "nginx.conf", "destination": "/etc/nginx/nginx.conf"}}
        ],
        "post-processor": {"docker-tag": {"repository": "registry.example.com/web"}}}
    }"#;
    for text in [native, json] {
        let template: Template = decode(text);
        let plugins = template.packer.unwrap().required_plugins.unwrap().by_name;
        assert_eq!(plugins["docker"].version, ">= 1.0.8");
        let ports = &template.variable["ports"];
        let constraint = TypeConstraint::of(ports.r#type.as_ref().unwrap()).unwrap();
        let value = constraint.evaluate(ports.default.as_ref().unwrap(), &Context::new()).unwrap();
        assert_eq!(value, Value::from(vec![80, 443]));
        assert_eq!(
            (template.source[0].builder.as_str(), template.source[0].name.as_str()),
            ("docker", "debian")
        );
        let build = &template.build[0];
        let [Provisioner::Shell(shell), Provisioner::File { source, .. }] = &build.provisioner[..] else {
            panic!("two provisioners")
        };
        assert_eq!(
            (shell.inline.len(), shell.pause_before, source.as_str()),
            (2, Duration::from_secs(10), "nginx.conf")
        );
        assert_eq!(build.post_processor[0].kind, "docker-tag");
    }
}
