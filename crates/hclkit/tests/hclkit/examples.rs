//! The programs in `examples/`, run within this process.

#[allow(dead_code, reason = "the test calls it without a command line")]
#[path = "../../examples/variables.rs"]
mod variables;

use hclkit::model::Body;
use hclkit::{Diagnostics, Source};

const DECLARATIONS: &str = r#"
variable "region" {
  type    = string
  default = "eu"
}
variable "headers" {
  type    = map(string)
  default = {}
}
variable "ports" {
  type = list(number)
  rule {
    condition = value > 0 && value < 65536
    message   = "${value} is not a port."
  }
}
"#;

fn loaded(name: &str, values: &str) -> String {
    let parse = |name: &str, text: &str| {
        let (body, found) = Body::parse(Source::new(name, text));
        assert!(found.is_empty(), "{found}");
        body
    };
    let loaded: Result<_, Diagnostics> =
        variables::load(&parse("variables.hcl", DECLARATIONS), &parse(name, values));
    match loaded {
        Ok(values) => {
            let lines: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            lines.join("\n")
        }
        Err(problems) => problems.to_string(),
    }
}

#[test]
fn variables_are_loaded_from_both_syntaxes() {
    let expected = "region = \"eu\"\nheaders = { a = \"1\" }\nports = [80, 443]";
    let native = loaded("values.hcl", "ports = [80, \"443\"]\nheaders = { a = 1 }\n");
    assert_eq!(native, expected);
    assert_eq!(loaded("values.json", r#"{"ports": [80, "443"], "headers": {"a": 1}}"#), expected);
}

#[test]
fn errors_in_variables_are_reported_at_the_element() {
    assert_eq!(
        loaded("values.hcl", "ports = [80, 70000]\nheaders = { a = \"b\", c = [\"x\"] }\nregoin = \"us\"\n"),
        "values.hcl:3:1: error: Unsupported argument: An argument named `regoin` is not expected here. Did you mean `region`?\n\
         values.hcl:2:26: error: Invalid value: This value does not have the required type: [\"c\"]: a string is required.\n\
         values.hcl:1:14: error: Invalid value: 70000 is not a port."
    );
    assert_eq!(
        loaded("values.json", r#"{"ports": [[]], "headers": {"a": {}}}"#),
        "values.json:1:34: error: Invalid value: This value does not have the required type: [\"a\"]: a string is required.\n\
         values.json:1:12: error: Invalid value: This value does not have the required type: [0]: a number is required."
    );
    assert_eq!(
        loaded("values.hcl", ""),
        "variables.hcl:10:1: error: Missing required argument: This variable must be set."
    );
}
