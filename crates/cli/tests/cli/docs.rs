//! `hcl docs`: documentation of modules, on standard output and between markers; and `hcl schema` of a module.

use std::fs;

use serde_json::{Value, json};
use snapbox::str;

use crate::program::Folder;

const MODULE: &str = r#"/**
 * # Network_a
 *
 * Text.
 */

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

# All a|b of `c|d`.
variable "zones_of" {
  type = map(object({
    name = optional(string, "x")
  }))
  default = {}
}

variable "token" {
  type      = string
  default   = "hunter2"
  sensitive = true
}

variable "old" {
  description = <<-EOT
    One.

    | a | b |
    |---|---|
    ```hcl
    x = "<b>"
    ```
  EOT
  deprecated  = "Use new."
}

# terraform-docs-ignore
variable "internal" {
  default = 1
}

module "vpc" {
  source = "git::https://user:hunter2@example.com/vpc.git?ref=v1.2"
}

data "aws_region" "here" {}

resource "aws_vpc" "main" {
  provider = aws.west
}

resource "terraform_data" "x" {}

output "id" {
  value     = aws_vpc.main.id
  ephemeral = true
}
"#;

fn folder() -> Folder {
    Folder::with(&[("m/main.tf", MODULE)])
}

#[test]
fn a_module_is_a_table_for_each_section() {
    folder().hcl(&["docs", "m"]).success().stderr_eq("").stdout_eq(str![[r##"
# Network\_a

Text.

## Requirements

| Name | Version |
| ---- | ------- |
| <a name="requirement_terraform"></a> [terraform](#requirement\_terraform) | >= 1.5 |
| <a name="requirement_aws"></a> [aws](#requirement\_aws) | >= 5.0 |

## Providers

| Name | Version |
| ---- | ------- |
| <a name="provider_aws"></a> [aws](#provider\_aws) | >= 5.0 |
| <a name="provider_aws.west"></a> [aws.west](#provider\_aws.west) | >= 5.0 |

## Modules

| Name | Source | Version |
| ---- | ------ | ------- |
| <a name="module_vpc"></a> [vpc](#module\_vpc) | git::https://example.com/vpc.git | v1.2 |

## Resources

| Name | Type |
| ---- | ---- |
| [aws_vpc.main](https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/vpc) | resource |
| terraform_data.x | resource |
| [aws_region.here](https://registry.terraform.io/providers/hashicorp/aws/latest/docs/data-sources/region) | data source |

## Inputs

| Name | Description | Type | Default | Required |
| ---- | ----------- | ---- | ------- | :------: |
| <a name="input_old"></a> [old](#input\_old) | Deprecated: Use new. One.<br/><br/>\| a \| b \|<br/>\|---\|---\|<pre>x = "&lt;b&gt;"</pre> | `any` | n/a | yes |
| <a name="input_token"></a> [token](#input\_token) | Sensitive. | `string` | (sensitive) | no |
| <a name="input_zones_of"></a> [zones\_of](#input\_zones\_of) | All a\|b of `c\|d`. | <pre>map(object({<br/>    name = optional(string, "x")<br/>  }))</pre> | `{}` | no |

## Outputs

| Name | Description |
| ---- | ----------- |
| <a name="output_id"></a> [id](#output\_id) | Ephemeral. |

"##]]);
}

#[test]
fn a_module_is_a_document() {
    folder()
        .hcl(&["docs", "--layout", "document", "--hide", "header", "m"])
        .success()
        .stdout_eq(str![[r###"
## Requirements

The following requirements are needed by this module:

- <a name="requirement_terraform"></a> [terraform](#requirement\_terraform) (>= 1.5)

- <a name="requirement_aws"></a> [aws](#requirement\_aws) (>= 5.0)

## Providers

The following providers are used by this module:

- <a name="provider_aws"></a> [aws](#provider\_aws) (>= 5.0)

- <a name="provider_aws.west"></a> [aws.west](#provider\_aws.west) (>= 5.0)

## Modules

The following Modules are called:

### <a name="module_vpc"></a> [vpc](#module\_vpc)

Source: git::https://example.com/vpc.git

Version: v1.2

## Resources

The following resources are used by this module:

- [aws_vpc.main](https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/vpc) (resource)
- terraform_data.x (resource)
- [aws_region.here](https://registry.terraform.io/providers/hashicorp/aws/latest/docs/data-sources/region) (data source)

## Required Inputs

The following input variables are required:

### <a name="input_old"></a> [old](#input\_old)

Description: Deprecated: Use new. One.

| a | b |
|---|---|
```hcl
x = "<b>"
```

Type: `any`

## Optional Inputs

The following input variables are optional (have default values):

### <a name="input_token"></a> [token](#input\_token)

Description: Sensitive.

Type: `string`

Default: (sensitive)

### <a name="input_zones_of"></a> [zones\_of](#input\_zones\_of)

Description: All a|b of `c|d`.

Type:

```hcl
map(object({
    name = optional(string, "x")
  }))
```

Default: `{}`

## Outputs

The following outputs are exported:

### <a name="output_id"></a> [id](#output\_id)

Description: Ephemeral.

"###]]);
}

#[test]
fn asciidoc_has_tables() {
    let words = ["docs", "--output", "asciidoc", "--show", "inputs", "--show", "resources", "m"];
    folder().hcl(&words).success().stdout_eq(str![[r#"
== Resources

[cols="a,a",options="header,autowidth"]
|===
|Name |Type
|https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/vpc[aws_vpc.main] |resource
|terraform_data.x |resource
|===

== Inputs

[cols="a,a,a,a,a",options="header,autowidth"]
|===
|Name |Description |Type |Default |Required
|[[input_old]] <<input_old,old>>
|Deprecated: Use new. One.

\| a \| b \|
\|---\|---\|
[source]
----
x = "<b>"
----
|`any`
|n/a
|yes

|[[input_token]] <<input_token,token>>
|Sensitive.
|`string`
|(sensitive)
|no

|[[input_zones_of]] <<input_zones_of,zones_of>>
|All a\|b of `c\|d`.
|

[source]
----
map(object({
    name = optional(string, "x")
  }))
----

|`{}`
|no

|===

"#]]);
}

#[test]
fn json_has_all_properties() {
    let output = folder().hcl(&["docs", "--json", "m"]).success().get_output().stdout.clone();
    let json: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(json["header"], "# Network_a\n\nText.");
    let inputs: Vec<&Value> = json["inputs"].as_array().unwrap().iter().map(|own| &own["name"]).collect();
    assert_eq!(inputs, ["old", "token", "zones_of"]);
    assert_eq!(json["inputs"][1]["default"], Value::Null);
    assert_eq!(json["inputs"][0]["deprecated"], "Use new.");
    assert_eq!(json["modules"][0]["source"], "git::https://example.com/vpc.git");
    assert_eq!(json["modules"][0]["version"], "v1.2");
    assert!(!String::from_utf8_lossy(&output).contains("hunter2"));
}

#[test]
fn documentation_is_put_between_markers() {
    let folder = folder();
    let words = ["docs", "--inject", "README.md", "m"];
    let check = ["docs", "--inject", "README.md", "--check", "m"];
    folder.hcl(&check).code(1);
    assert!(!folder.path("m/README.md").exists(), "--check wrote a file");
    folder.hcl(&words).success();
    folder.hcl(&check).success().stdout_eq("");
    let made = fs::read_to_string(folder.path("m/README.md")).unwrap();
    for (before, after) in [("# T\r\n\r\n", "\r\nEnd.\r\n"), ("é\n", ""), ("", "\n\n\ntail")] {
        let old = format!("{before}<!-- BEGIN_TF_DOCS -->\nold\n<!-- END_TF_DOCS -->{after}");
        folder.write("m/README.md", &old);
        folder.hcl(&words).success();
        let new = fs::read_to_string(folder.path("m/README.md")).unwrap();
        assert!(new.starts_with(before) && new.ends_with(after), "{new:?}");
        assert_eq!(new.contains("\r\n"), old.contains("\r\n"));
        let inner = &new[before.len()..new.len() - after.len()].replace("\r\n", "\n");
        assert_eq!(inner, made.trim_end());
        folder.hcl(&check).success();
    }
}

#[test]
fn broken_markers_are_errors_and_change_nothing() {
    let folder = folder();
    let (begin, end) = ("<!-- BEGIN_TF_DOCS -->", "<!-- END_TF_DOCS -->");
    for text in [
        begin.to_owned(),
        end.to_owned(),
        format!("{end}\n{begin}\n"),
        format!("{begin}{begin}{end}"),
        format!("{begin}{end}{end}"),
    ] {
        folder.write("m/README.md", &text);
        folder.hcl(&["docs", "--inject", "README.md", "m"]).code(2);
        assert_eq!(fs::read_to_string(folder.path("m/README.md")).unwrap(), text);
    }
}

#[test]
fn a_module_cannot_end_the_part_between_the_markers() {
    let text = "variable \"x\" {\n  description = \"<!-- END_TF_DOCS --> <!-- BEGIN_TF_DOCS -->\"\n}\n";
    let folder = Folder::with(&[("m/main.tf", text)]);
    folder.hcl(&["docs", "--inject", "README.md", "m"]).success();
    folder.hcl(&["docs", "--inject", "README.md", "m"]).success();
    let made = fs::read_to_string(folder.path("m/README.md")).unwrap();
    assert_eq!(made.matches("<!-- END_TF_DOCS -->").count(), 1);
}

#[test]
fn settings_cannot_name_files_elsewhere() {
    let folder = Folder::with(&[("m/main.tf", ""), ("secret.md", "hunter2"), ("m/.git/HEAD", "")]);
    for setting in
        ["header-from: ../secret.md", "footer-from: ../secret.md", "header-from: ../m/../secret.md"]
    {
        folder.write("m/.terraform-docs.yml", setting);
        let output = folder.command(&["docs", "m"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{setting}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("hunter2"), "{setting}");
    }
    folder.write("m/.terraform-docs.yml", "output:\n  file: ../secret.md\n");
    folder.hcl(&["docs", "--check", "m"]).code(2);
    folder.hcl(&["docs", "m"]).success();
    assert_eq!(fs::read_to_string(folder.path("secret.md")).unwrap(), "hunter2");
}

#[test]
fn settings_count_unless_options_say_otherwise() {
    let folder = folder();
    let settings = "formatter: markdown document\nsections:\n  show: [outputs]\nsettings:\n  anchor: false\n  indent: 3\n";
    folder.write("m/.terraform-docs.yml", settings);
    folder.hcl(&["docs", "m"]).success().stdout_eq(str![[r#"
### Outputs

The following outputs are exported:

#### id

Description: Ephemeral.

"#]]);
    folder.hcl(&["docs", "--layout", "table", "--indent", "1", "m"]).success().stdout_eq(str![[r#"
# Outputs

| Name | Description |
| ---- | ----------- |
| id | Ephemeral. |

"#]]);
    for (wrong, said) in [
        ("formatter: pretty", "is not supported"),
        ("content: \"{{ .Header }}\"", "templates of Go"),
        ("sections:\n  show: [x]", "expected one of"),
        ("unknown: 1", "unknown setting"),
        ("- a", "expected a mapping"),
        ("settings:\n  indent: 9", "from 1 to 5"),
        ("a: [", "cannot read"),
    ] {
        folder.write("m/.terraform-docs.yml", wrong);
        let output = folder.command(&["docs", "m"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(said), "{wrong}: {output:?}");
        folder.hcl(&["docs", "--config", "-", "m"]).success();
    }
}

#[test]
fn several_modules_need_files_of_their_own() {
    let folder =
        Folder::with(&[("a/main.tf", ""), ("a/b/main.tf", "variable \"x\" {}\n"), ("a/c/notes.txt", "")]);
    folder.hcl(&["docs", "--recursive", "a"]).code(2);
    folder.hcl(&["docs", "--recursive", "--inject", "README.md", "a"]).success();
    assert!(folder.path("a/README.md").exists() && folder.path("a/b/README.md").exists());
    assert!(!folder.path("a/c/README.md").exists());
    folder.hcl(&["docs", "--recursive", "--inject", "README.md", "--check", "a"]).success();
}

#[test]
fn other_languages_have_their_sections() {
    let folder = Folder::with(&[
        (
            "p/a.pkr.hcl",
            "variable \"x\" {\n  type = string\n}\nvariables {\n  type = \"t\"\n}\nsource \"null\" \"s\" {}\n",
        ),
        ("b/docker-bake.hcl", "variable \"TAG\" {\n  default = \"latest\"\n}\ntarget \"app\" {}\n"),
        ("n/job.nomad", "variable \"count\" {\n  type = number\n}\njob \"web\" {}\n"),
    ]);
    folder.hcl(&["docs", "--no-anchor", "p"]).success().stdout_eq(str![[r###"
## Requirements

No requirements.

## Sources

| Name | Type |
| ---- | ---- |
| null.s | source |

## Inputs

| Name | Description | Type | Default | Required |
| ---- | ----------- | ---- | ------- | :------: |
| type | n/a | `string` | `"t"` | no |
| x | n/a | `string` | n/a | yes |

"###]]);
    folder.hcl(&["docs", "--no-anchor", "b"]).success().stdout_eq(str![[r###"
## Targets

| Name | Type |
| ---- | ---- |
| app | target |

## Inputs

| Name | Description | Type | Default | Required |
| ---- | ----------- | ---- | ------- | :------: |
| TAG | n/a | `string` | `"latest"` | no |

"###]]);
    folder.hcl(&["docs", "--no-anchor", "n/job.nomad"]).success().stdout_eq(str![[r#"
## Jobs

| Name | Type |
| ---- | ---- |
| web | job |

## Inputs

| Name | Description | Type | Default | Required |
| ---- | ----------- | ---- | ------- | :------: |
| count | n/a | `number` | n/a | yes |

"#]]);
}

#[test]
fn the_schema_of_a_module_has_its_types_and_validations() {
    let text = r#"
variable "zone" {
  description = "Where."
  type        = string
  validation {
    condition     = contains(["a", "b"], var.zone)
    error_message = "Wrong."
  }
}
variable "count_of" {
  type    = number
  default = 2
  validation {
    condition     = var.count_of > 0 && 10 >= var.count_of && var.count_of % 2 == 0
    error_message = "Must be even."
  }
}
variable "token" {
  type      = string
  default   = "hunter2"
  sensitive = true
}
variable "all" {
  type    = list(object({ a = string, b = optional(number, 3) }))
  default = []
  validation {
    condition     = length(var.all) <= 2
    error_message = "Too many."
  }
}
"#;
    let folder = Folder::with(&[("m/main.tf", text)]);
    let output = folder.hcl(&["schema", "m"]).success().get_output().stdout.clone();
    let schema: Value = serde_json::from_slice(&output).unwrap();
    assert!(!String::from_utf8_lossy(&output).contains("hunter2"));
    assert_eq!(schema["required"], json!(["zone"]));
    let of = |name: &str| &schema["properties"][name];
    assert_eq!(of("zone")["description"], "Where.");
    assert_eq!(of("count_of")["exclusiveMinimum"], 0);
    assert_eq!(of("count_of")["maximum"], 10);
    assert!(of("count_of")["$comment"].as_str().unwrap().contains("Must be even."));
    assert_eq!(of("token")["writeOnly"], true);
    assert_eq!(of("all")["maxItems"], 2);
    assert_eq!(of("all")["items"]["properties"]["b"]["default"], 3);
    let part = folder.hcl(&["schema", "--no-required", "m"]).success().get_output().stdout.clone();
    assert!(serde_json::from_slice::<Value>(&part).unwrap().get("required").is_none());
    folder.hcl(&["schema", "--output", "rust", "m"]).code(2);
    folder.hcl(&["schema", "--dynamic", "m"]).code(2);
}
