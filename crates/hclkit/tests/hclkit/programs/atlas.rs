//! Atlas's `atlas.hcl`: environments that refer to variables, locals and data.

use std::collections::BTreeMap;

use hclkit::model::Scope;
use hclkit::{Body, Context, Decode, Expression, Spanned, Value};

use super::{body, decode};

#[derive(Decode)]
struct Project {
    #[hcl(block, key = label)]
    variable: BTreeMap<String, Variable>,
    #[hcl(block)]
    locals: Vec<Locals>,
    #[hcl(remain)]
    rest: Body,
}

#[derive(Decode)]
struct Variable {
    r#type: Expression,
    default: Option<Expression>,
}

#[derive(Decode)]
struct Locals {
    #[hcl(remain)]
    definitions: Body,
}

#[derive(Decode)]
struct Environments {
    #[hcl(block, key = label)]
    env: BTreeMap<String, Env>,
}

#[derive(Decode)]
struct Env {
    url: String,
    dev: Option<String>,
    src: Option<Value>,
    #[hcl(default)]
    schemas: Vec<String>,
    #[hcl(block)]
    migration: Option<Migration>,
    #[hcl(block)]
    diff: Option<Diff>,
    #[hcl(block)]
    lint: Option<Lint>,
}

#[derive(Decode)]
struct Migration {
    dir: String,
    /// A keyword: `atlas`, `flyway`, and others.
    format: Option<Expression>,
}

#[derive(Decode)]
struct Diff {
    #[hcl(block)]
    skip: Option<Skip>,
}

#[derive(Decode)]
struct Skip {
    #[hcl(default)]
    drop_schema: bool,
    #[hcl(default)]
    drop_table: bool,
}

#[derive(Decode)]
struct Lint {
    latest: Option<u32>,
    #[hcl(block)]
    destructive: Option<Spanned<Destructive>>,
}

#[derive(Decode)]
struct Destructive {
    #[hcl(default)]
    error: bool,
}

#[test]
fn environments_with_variables_and_locals() {
    let text = r#"
variable "password" {
  type    = string
  default = "a b"
}

locals {
  host = "db.example.com"
  base = "mysql://root:${urlescape(var.password)}@${local.host}"
}

env "local" {
  src     = ["file://shop.hcl", "file://users.hcl"]
  url     = "${local.base}/shop"
  dev     = "docker://mysql/8/dev"
  schemas = ["shop"]

  migration {
    dir    = "file://migrations"
    format = atlas
  }
  diff {
    skip {
      drop_schema = true
    }
  }
  lint {
    latest = 1
    destructive {
      error = true
    }
  }
}
"#;
    let project: Project = decode(text);
    assert_eq!(project.variable["password"].r#type.static_keyword().unwrap(), "string");
    let mut scope = Scope::new();
    for (name, variable) in &project.variable {
        scope.define(["var", name.as_str()], variable.default.clone().unwrap()).unwrap();
    }
    for locals in &project.locals {
        for local in locals.definitions.attributes().0 {
            scope.define(["local", &*local.name], local.expression).unwrap();
        }
    }
    let urlescape = |text: String| text.replace(' ', "+");
    let functions = hclkit::Functions::from([hclkit::value::Function::typed("urlescape", urlescape)]);
    let context = Context::new().with_functions(functions).with_scope(scope);
    let environments =
        Environments::decode(&project.rest, &context).unwrap_or_else(|errors| panic!("{errors}"));
    let env = &environments.env["local"];
    assert_eq!(env.url, "mysql://root:a+b@db.example.com/shop");
    assert_eq!(env.src.as_ref().unwrap().as_slice().unwrap().len(), 2);
    let migration = env.migration.as_ref().unwrap();
    assert_eq!(migration.format.as_ref().unwrap().static_keyword().unwrap(), "atlas");
    assert!(env.diff.as_ref().unwrap().skip.as_ref().unwrap().drop_schema);
    let destructive = env.lint.as_ref().unwrap().destructive.as_ref().unwrap();
    assert!(destructive.error && destructive.place().text() == "destructive");

    // Mistakes within an environment are at their places in the file.
    let errors = Environments::decode(
        &body("env \"a\" {\n  url = 1\n  lint {\n    latest = \"x\"\n  }\n}\n"),
        &Context::new(),
    );
    assert_eq!(
        errors.err().unwrap().to_string(),
        "config.hcl:4:14: error: Incorrect attribute value type: Invalid value for the argument `latest`: a number is required."
    );
}
