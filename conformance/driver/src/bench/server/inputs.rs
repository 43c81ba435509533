//! What the servers work on: a long file, a module with a large provider, and many modules.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Result;
use serde_json::{Map, Value, json};

/// As many as the provider `hashicorp/aws` has.
const RESOURCES: usize = 1_400;
const DATA_SOURCES: usize = 600;

/// The parts of services and of their objects, from which the types of resources are made.
const SERVICES: [&str; 50] = [
    "acm",
    "amplify",
    "apigateway",
    "appmesh",
    "athena",
    "backup",
    "batch",
    "cloudfront",
    "cloudwatch",
    "codebuild",
    "cognito",
    "config",
    "connect",
    "datasync",
    "dms",
    "dynamodb",
    "ec2",
    "ecr",
    "ecs",
    "efs",
    "eks",
    "elasticache",
    "emr",
    "fsx",
    "glue",
    "guardduty",
    "iam",
    "imagebuilder",
    "inspector",
    "iot",
    "kinesis",
    "kms",
    "lambda",
    "lb",
    "lex",
    "macie",
    "mq",
    "msk",
    "neptune",
    "networkmanager",
    "opensearch",
    "rds",
    "redshift",
    "route53",
    "s3",
    "sagemaker",
    "ses",
    "sns",
    "sqs",
    "vpc",
];

/// A file of 10,000 lines: variables, locals that use one another, and resources that use both.
pub(super) fn long_file() -> String {
    let mut text = String::new();
    for at in 0.. {
        let lines = text.bytes().filter(|&byte| byte == b'\n').count();
        if lines >= 10_000 {
            break;
        }
        let before = if at == 0 { "var.name_0".to_owned() } else { format!("local.prefix_{}", at - 1) };
        let _ = write!(
            text,
            r#"variable "name_{at}" {{
  type        = string
  description = "The name of part {at}."
  default     = "part-{at}"
}}

locals {{
  prefix_{at} = "${{var.name_{at}}}-${{length({before})}}"
  sizes_{at}  = {{ for index, size in [1, 2, 3] : "s${{index}}" => size * {at} }}
}}

resource "aws_instance" "node_{at}" {{
  for_each = local.sizes_{at}

  ami           = "ami-${{each.key}}"
  instance_type = var.name_{at}
  tags = {{
    Name  = local.prefix_{at}
    Size  = each.value
    Owner = "team-{at}"
  }}
}}

"#
        );
    }
    text
}

/// A module with many resources of a provider, and the schema of the provider as `terraform providers schema -json` writes it.
pub(super) fn module_with_provider(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory)?;
    let mut main = "terraform {\n  required_providers {\n    aws = {\n      source  = \"hashicorp/aws\"\n      version = \"~> 5.0\"\n    }\n  }\n}\n\nvariable \"name\" {\n  type    = string\n  default = \"net\"\n}\n\n".to_owned();
    for at in 0..60 {
        let _ = write!(
            main,
            "resource \"{}\" \"part_{at}\" {{\n  name    = \"${{var.name}}-{at}\"\n  setting_1 = {at}\n\n  rule_0 {{\n    option_0 = true\n  }}\n}}\n\n",
            resource_type(at * 7)
        );
    }
    fs::write(directory.join("main.tf"), main)?;
    fs::write(directory.join("hcl.toml"), "schemas = [\"schemas.json\"]\n")?;
    Ok(fs::write(directory.join("schemas.json"), provider().to_string())?)
}

pub(super) fn resource_type(number: usize) -> String {
    let service = SERVICES[number % SERVICES.len()];
    format!("aws_{service}_object_{}", number / SERVICES.len())
}

/// The schema of a provider. Each object has some 50 attributes in three levels of blocks, with descriptions.
fn provider() -> Value {
    let objects = |count: usize, shift: usize| -> Value {
        let all =
            (0..count).map(|at| (resource_type(at), json!({ "version": 0, "block": object(at + shift) })));
        Value::Object(all.collect())
    };
    json!({
        "format_version": "1.0",
        "provider_schemas": {
            "registry.terraform.io/hashicorp/aws": {
                "provider": { "version": 0, "block": object(0) },
                "resource_schemas": objects(RESOURCES, 0),
                "data_source_schemas": objects(DATA_SOURCES, 7),
            },
        },
    })
}

fn object(number: usize) -> Value {
    let mut attributes = attributes("setting", 8 + number % 25, number);
    attributes
        .insert("arn".to_owned(), json!({ "type": "string", "description_kind": "plain", "computed": true }));
    attributes.insert(
        "name".to_owned(),
        json!({ "type": "string", "description": "The name.", "description_kind": "plain", "required": true }),
    );
    let inner = block(&self::attributes("value", 3, number), &Map::new());
    let inner = Map::from_iter([("inner".to_owned(), nested(&inner))]);
    let option = block(&self::attributes("option", 5, number), &inner);
    let rules: Map<String, Value> =
        (0..number % 5).map(|at| (format!("rule_{at}"), nested(&option))).collect();
    block(&attributes, &rules)
}

fn attributes(name: &str, count: usize, number: usize) -> Map<String, Value> {
    let types = [
        json!("string"),
        json!("number"),
        json!("bool"),
        json!(["list", "string"]),
        json!(["map", "string"]),
    ];
    let all = (0..count).map(|at| {
        let description = format!("How object {number} of the service uses its {name} {at} when it is created.");
        let own = json!({
            "type": types[(at + number) % types.len()], "description": description, "description_kind": "plain", "optional": true,
        });
        (format!("{name}_{at}"), own)
    });
    all.collect()
}

fn block(attributes: &Map<String, Value>, blocks: &Map<String, Value>) -> Value {
    json!({ "attributes": attributes, "block_types": blocks, "description_kind": "plain" })
}

fn nested(block: &Value) -> Value {
    json!({ "nesting_mode": "list", "block": block, "max_items": 1 })
}

/// Many modules, each with two files. Every tenth calls others.
pub(super) fn modules(directory: &Path, count: usize) -> Result<()> {
    for number in 0..count {
        let own = directory.join(format!("group{}/module{number}", number / 100));
        fs::create_dir_all(&own)?;
        let mut main = String::new();
        for at in 0..6 {
            let _ = write!(
                main,
                "resource \"aws_instance\" \"node_{at}\" {{\n  ami           = var.image\n  instance_type = local.sizes[{at}]\n  tags = {{\n    Name = \"${{var.name}}-{at}\"\n  }}\n}}\n\n"
            );
        }
        if number % 10 == 0 {
            for at in 1..4 {
                let called = (number + at) % count;
                let _ = write!(
                    main,
                    "module \"part_{at}\" {{\n  source = \"../../group{}/module{called}\"\n  name   = var.name\n  image  = var.image\n}}\n\n",
                    called / 100
                );
            }
        }
        fs::write(own.join("main.tf"), main)?;
        let variables = "variable \"name\" {\n  type = string\n}\n\nvariable \"image\" {\n  type = string\n}\n\nlocals {\n  sizes = [\"small\", \"small\", \"small\", \"large\", \"large\", \"large\"]\n}\n\noutput \"first\" {\n  value = aws_instance.node_0.id\n}\n";
        fs::write(own.join("variables.tf"), variables)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_have_the_sizes_that_the_table_says() {
        assert!((10_000..10_100).contains(&long_file().lines().count()));
        let all = &provider()["provider_schemas"]["registry.terraform.io/hashicorp/aws"];
        assert_eq!(all["resource_schemas"].as_object().unwrap().len(), RESOURCES);
        assert_eq!(all["data_source_schemas"].as_object().unwrap().len(), DATA_SOURCES);
    }
}
