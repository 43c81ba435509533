//! Waypoint's `waypoint.hcl`: the blocks of plugins are kept, and evaluated with the functions of each stage.

use std::collections::BTreeMap;

use hclkit::value::Function;
use hclkit::{Body, Context, Decode, Expression, Functions, Value};

use super::decode;

#[derive(Decode)]
struct Project {
    project: String,
    #[hcl(block)]
    runner: Option<Runner>,
    #[hcl(block, key = label)]
    variable: BTreeMap<String, Variable>,
    #[hcl(block, min = 1)]
    app: Vec<App>,
}

#[derive(Decode)]
struct Runner {
    #[hcl(default)]
    enabled: bool,
    #[hcl(block)]
    data_source: Option<DataSource>,
}

#[derive(Decode)]
struct DataSource {
    #[hcl(label)]
    kind: String,
    url: Option<String>,
    path: Option<String>,
}

#[derive(Decode)]
struct Variable {
    /// A type expression, such as `list(string)`.
    r#type: Option<Expression>,
    default: Option<Expression>,
    description: Option<String>,
    #[hcl(default)]
    sensitive: bool,
    #[hcl(default)]
    env: Vec<String>,
}

#[derive(Decode)]
struct App {
    #[hcl(label)]
    name: String,
    #[hcl(default)]
    labels: BTreeMap<String, String>,
    path: Option<String>,
    #[hcl(block)]
    config: Option<Config>,
    #[hcl(block)]
    build: Build,
    #[hcl(block)]
    deploy: Stage,
    #[hcl(block)]
    release: Option<Stage>,
}

#[derive(Decode)]
struct Config {
    env: Option<Expression>,
}

#[derive(Decode)]
struct Build {
    #[hcl(block)]
    r#use: Plugin,
    #[hcl(block)]
    registry: Option<Stage>,
}

#[derive(Decode)]
struct Stage {
    #[hcl(block)]
    r#use: Plugin,
}

#[derive(Decode)]
struct Plugin {
    #[hcl(label)]
    name: String,
    #[hcl(remain)]
    settings: Body,
}

#[test]
fn an_application_with_its_plugins() {
    let text = r#"
project = "shop"

runner {
  enabled = true

  data_source "git" {
    url = "https://git.example.com/shop.git"
  }
}

variable "replicas" {
  type    = number
  default = 2
  env     = ["SHOP_REPLICAS"]
}

app "web" {
  labels = { service = "web" }

  config {
    env = {
      PORT = var.port
    }
  }

  build {
    use "pack" {}

    registry {
      use "docker" {
        image = "registry.example.com/web"
        tag   = gitrefpretty()
      }
    }
  }

  deploy {
    use "kubernetes" {
      probe_path = "/healthz"
      replicas   = var.replicas
    }
  }
}
"#;
    let project: Project = decode(text);
    assert_eq!(project.runner.unwrap().data_source.unwrap().kind, "git");
    assert_eq!(project.variable["replicas"].env, ["SHOP_REPLICAS"]);
    let app = &project.app[0];
    assert_eq!((app.name.as_str(), app.build.r#use.name.as_str()), ("web", "pack"));
    assert_eq!(app.labels["service"], "web");

    // The plugin decodes its own settings when its stage runs.
    #[derive(Decode)]
    struct Docker {
        image: String,
        tag: String,
    }
    let functions = Functions::from([Function::typed("gitrefpretty", || "v1.4.0".to_owned())]);
    let registry = app.build.registry.as_ref().unwrap();
    let docker = Docker::decode(&registry.r#use.settings, &Context::new().with_functions(functions)).unwrap();
    assert_eq!((docker.image.as_str(), docker.tag.as_str()), ("registry.example.com/web", "v1.4.0"));
    let default = project.variable["replicas"].default.as_ref().unwrap().evaluate(&Context::new()).unwrap();
    let context = Context::new().with("var", Value::object([("replicas", default)]));
    let replicas = app.deploy.r#use.settings.attribute("replicas").unwrap().expression.evaluate(&context);
    assert_eq!(replicas.unwrap(), Value::from(2));
}
