//! Settings of modules that are not evaluated: what Terraform 1.11 accepts, and what `init` or `validate` rejects.

use hclkit_module::{Dialect, Memory, ModuleLoader};

/// The errors of a module with these files, as text.
fn errors(files: &[(&str, &str)], language: &str) -> Vec<String> {
    let language = Dialect::named(language).unwrap();
    let module = ModuleLoader::new(language).with_files(files.iter().copied().collect::<Memory>()).load();
    let found = module.check();
    found.iter().filter(|found| found.is_error()).map(|found| found.note().to_owned()).collect()
}

/// Each text is one that the only error contains.
const REJECTED: &[(&str, &str)] = &[
    ("terraform {\n  nope = 1\n}\n", "`nope`"),
    ("terraform {\n  nope {}\n}\n", "`nope`"),
    ("terraform {\n  required_providers {}\n  required_providers {}\n}\n", "only one `required_providers`"),
    ("terraform {\n  required_providers {}\n}\nterraform {\n  required_providers {}\n}\n", "only one"),
    ("terraform {\n  provider_meta \"a\" {}\n  provider_meta \"a\" {}\n}\n", "only one `provider_meta`"),
    ("terraform {\n  cloud {}\n  backend \"local\" {}\n}\n", "both `cloud` and `backend`"),
    ("terraform {\n  backend \"nope\" {}\n}\n", "no backend named `nope`"),
    ("terraform {\n  backend \"s4\" {}\n}\n", "Did you mean `s3`"),
    ("terraform {\n  backend \"etcdv3\" {}\n}\n", "backend `etcdv3`"),
    ("resource \"a_b\" \"c\" {\n  provisioner \"chef\" {}\n}\n", "`chef` was removed"),
    (
        "resource \"a_b\" \"c\" {\n  provisioner \"remote-exec\" {\n    inline = [\"a\"]\n  }\n  connection {\n    host = 1\n    nope = 1\n  }\n}\n",
        "`nope`",
    ),
    (
        "resource \"a_b\" \"c\" {\n  provisioner \"remote-exec\" {\n    inline = [\"a\"]\n    connection {\n      host = 1\n      nope {}\n    }\n  }\n}\n",
        "`nope`",
    ),
    (
        "resource \"a_b\" \"c\" {\n  provisioner \"remote-exec\" {\n    inline = [\"a\"]\n  }\n  connection {\n    user = 1\n  }\n}\n",
        "requires `host`",
    ),
    (
        "resource \"a_b\" \"c\" {\n  provisioner \"remote-exec\" {\n    inline = [\"a\"]\n    connection {}\n  }\n}\n",
        "requires `host`",
    ),
    ("terraform {\n  provider_meta \"a\" {\n    x = terraform.workspace\n  }\n}\n", "must be constant"),
    ("terraform {\n  experiments = [nope]\n}\n", "no `experiments`"),
    ("terraform {\n  language = nope\n}\n", "must be `TF2021`"),
    ("terraform {\n  required_version = path.module\n}\n", "must be constant"),
    ("terraform {\n  required_version = [\">= 1.0\"]\n}\n", "must be a version constraint"),
    ("terraform {\n  required_version = \"\"\n}\n", "must be a version constraint"),
    ("terraform {\n  required_version = \"< 1.0\"\n}\n", "No version from 1.0 to 1.x"),
    ("terraform {\n  required_version = \">= 2.0\"\n}\n", "No version"),
    ("terraform {\n  required_providers {\n    a_b = { source = \"hashicorp/a\" }\n  }\n}\n", "`a_b`"),
    ("terraform {\n  required_providers {\n    aws = { source = \"a/b/c/d\" }\n  }\n}\n", "`a/b/c/d`"),
    ("terraform {\n  required_providers {\n    aws = { source = path.module }\n  }\n}\n", "`source` must be"),
    ("terraform {\n  required_providers {\n    aws = { nope = 1 }\n  }\n}\n", "can only have"),
    ("terraform {\n  required_providers {\n    aws = { version = \"x\" }\n  }\n}\n", "version constraint"),
    ("terraform {\n  required_providers {\n    aws = \"x\"\n  }\n}\n", "version constraint"),
    ("terraform {\n  required_providers {\n    aws = [\"x\"]\n  }\n}\n", "must be an object"),
    ("terraform {\n  required_providers {\n    aws {}\n  }\n}\n", "Write `aws = { … }`"),
    (
        "terraform {\n  required_providers {\n    aws = { configuration_aliases = [b.x] }\n  }\n}\n",
        "[aws.west]",
    ),
    (
        "terraform {\n  required_providers {\n    terraform = { source = \"terraform.io/builtin/terraform\", version = \"1.0\" }\n  }\n}\n",
        "Remove `version`",
    ),
    ("provider \"terraform\" {\n  version = \"1.0\"\n}\n", "Remove `version`"),
    ("provider \"a b\" {}\n", "`a b`"),
    ("provider \"a\" {\n  alias = \"a b\"\n}\n", "`alias` must be"),
    ("provider \"a\" {\n  version = \"x\"\n}\n", "version constraint"),
    ("provider \"a\" {\n  count = 1\n}\n", "`count` is reserved"),
    ("provider \"a\" {\n  lifecycle {}\n}\n", "`lifecycle` is reserved"),
    (
        "module \"m\" {\n  source  = \"github.com/hashicorp/example\"\n  version = \"1.0.0\"\n}\n",
        "not an address in a registry",
    ),
    ("module \"m\" {\n  source  = \"git::https://example.com/vpc.git\"\n  version = \"1.0.0\"\n}\n", "?ref="),
    ("output \"v\" {\n  value       = 1\n  description = [\"a\"]\n}\n", "`description` must be a string"),
    ("output \"v\" {\n  value       = 1\n  description = null\n}\n", "`description` must be a string"),
    ("output \"v\" {\n  value       = 1\n  description = path.module\n}\n", "must be constant"),
    ("resource \"a_b\" \"c\" {\n  lifecycle {}\n  lifecycle {}\n}\n", "only one `lifecycle`"),
    ("resource \"a_b\" \"c\" {\n  connection {}\n  connection {}\n}\n", "only one `connection`"),
    ("resource \"a_b\" \"c\" {\n  locals {}\n}\n", "`locals` is reserved"),
    ("resource \"terraform_nope\" \"c\" {}\n", "`terraform_data`"),
    ("data \"terraform_data\" \"c\" {}\n", "`terraform_remote_state`"),
    ("data \"terraform_remote_state\" \"c\" {}\n", "`backend`"),
    ("resource \"terraform_remote_state\" \"c\" {\n  backend = \"local\"\n}\n", "`terraform_data`"),
    ("resource \"a_b\" \"c\" {\n  provisioner \"local-exec\" {}\n}\n", "`command`"),
    (
        "resource \"a_b\" \"c\" {\n  provisioner \"local-exec\" {\n    command = \"x\"\n    nope    = 1\n  }\n}\n",
        "`nope`",
    ),
    (
        "resource \"a_b\" \"c\" {\n  provisioner \"local-exec\" {\n    command = \"x\"\n    when    = nope\n  }\n}\n",
        "`create` or `destroy`",
    ),
    (
        "resource \"a_b\" \"c\" {\n  provisioner \"remote-exec\" {\n    inline = [\"a\"]\n    on_failure = nope\n  }\n}\n",
        "`continue` or `fail`",
    ),
    (
        "locals {\n  x = 1\n}\nresource \"a_b\" \"c\" {\n  provisioner \"remote-exec\" {\n    when   = destroy\n    inline = [local.x]\n  }\n}\n",
        "`local.x`",
    ),
    (
        "resource \"a_b\" \"c\" {\n  for_each = { a = 1 }\n  provisioner \"remote-exec\" {\n    when   = destroy\n    inline = [each.value]\n  }\n}\n",
        "`each.value`",
    ),
];

const ACCEPTED: &[&str] = &[
    // Without a provisioner, nothing reads the connection.
    "resource \"a_b\" \"c\" {\n  connection {\n    nope = 1\n  }\n}\n",
    "resource \"a_b\" \"c\" {\n  connection {\n    host = 1\n  }\n  provisioner \"remote-exec\" {\n    inline = [\"x\"]\n    connection {\n      user = 1\n    }\n  }\n}\n",
    "terraform {\n  backend \"cos\" {}\n}\n",
    "terraform {\n  required_providers {\n    c = { source = \"x/c\", configuration_aliases = [c.x, c] }\n  }\n}\n",
    "terraform {\n  required_version = \">= 0.13, < 2.0\"\n  language = TF2021\n}\n",
    "terraform {\n  required_version = null\n}\n",
    "terraform {\n  required_version = \"~> 1.8.0\"\n}\n",
    // Later than the versions that were asked.
    "terraform {\n  required_version = \"~> 1.15\"\n}\n",
    "terraform {\n  provider_meta \"a\" {}\n  provider_meta \"b\" {\n    x = 1\n  }\n}\n",
    "terraform {\n  cloud {\n    organization = \"a\"\n  }\n}\n",
    "terraform {\n  backend \"s3\" {\n    bucket = \"b\"\n  }\n}\n",
    "terraform {\n  required_providers {\n    aws = \">= 3.0\"\n    b   = { \"source\" = \"HashiCorp/B\" }\n    c   = { source = \"example.com/x/c\", configuration_aliases = [c.x] }\n  }\n}\n",
    "provider \"a\" {\n  alias   = \"b\"\n  version = \">= 1.0\"\n}\n",
    "module \"m\" {\n  source  = \"terraform-aws-modules/vpc/aws//modules/x\"\n  version = \"~> 5.0\"\n}\n",
    "module \"m\" {\n  source  = \"app.example.com/a/b/aws\"\n  version = \"1.0\"\n}\n",
    "output \"v\" {\n  value       = 1\n  description = 1\n}\n",
    "resource \"a_b\" \"c\" {\n  lifecycle {}\n  connection {}\n}\n",
    "resource \"a_b\" \"c\" {\n  for_each = { a = 1 }\n  provisioner \"local-exec\" {\n    when    = destroy\n    command = \"${each.key} ${self.id} ${path.module}\"\n  }\n}\n",
    "resource \"a_b\" \"c\" {\n  provisioner \"file\" {\n    source      = \"a\"\n    destination = \"b\"\n    on_failure  = \"continue\"\n    connection {\n      host = self.ip\n    }\n  }\n}\n",
    "data \"terraform_remote_state\" \"c\" {\n  backend = \"local\"\n}\n",
];

#[test]
fn what_terraform_rejects_is_an_error() {
    let mut wrong = Vec::new();
    for (text, expected) in REJECTED {
        // Constraints on the version of OpenTofu count only in files of its own.
        for (language, file) in [("terraform", "main.tf"), ("opentofu", "main.tofu")] {
            let found = errors(&[(file, text)], language);
            // OpenTofu ignores these arguments.
            if language == "opentofu"
                && ["  experiments = ", "  language = "].iter().any(|own| text.contains(own))
            {
                assert!(found.is_empty(), "{text}\n{found:#?}");
                continue;
            }
            let is_it = |note: &String| note.replace("1.6 to 1.x", "1.0 to 1.x").contains(expected);
            if !matches!(&found[..], [one] if is_it(one)) {
                wrong.push(format!("{language}\n{text}\n{found:#?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_terraform_accepts_has_no_errors() {
    for text in ACCEPTED {
        for language in ["terraform", "opentofu"] {
            let found = errors(&[("main.tf", text)], language);
            assert!(found.is_empty(), "{language}\n{text}\n{found:#?}");
        }
    }
}

/// The same in the JSON syntax.
#[test]
fn json() {
    let found = errors(
        &[(
            "main.tf.json",
            r#"{ "terraform": { "required_providers": { "aws": { "source": "hashicorp/aws", "configuration_aliases": ["aws.west"] } },
                 "required_version": ">= 1.0" },
               "provider": { "aws": { "alias": "b" } },
               "resource": { "a_b": { "c": { "provisioner": { "local-exec": { "command": "x", "when": "destroy" } } } } } }"#,
        )],
        "terraform",
    );
    assert!(found.is_empty(), "{found:#?}");
    let found = errors(
        &[("main.tf.json", r#"{ "terraform": { "required_version": "< 1.0", "nope": 1 } }"#)],
        "terraform",
    );
    assert_eq!(found.len(), 2, "{found:#?}");
}

#[test]
fn override_files_replace_settings() {
    let cloud = "terraform {\n  cloud {}\n}\n";
    let two = "terraform {\n  backend \"local\" {}\n  backend \"local\" {}\n}\n";
    let required = "terraform {\n  required_providers {}\n}\n";
    let base = ("main.tf", "terraform {\n  required_providers {}\n  backend \"s3\" {}\n}\n");
    assert!(errors(&[base, ("a_override.tf", cloud), ("b_override.tf", cloud)], "terraform").is_empty());
    assert!(errors(&[base, ("a_override.tf", required)], "terraform").is_empty());
    assert_eq!(errors(&[base, ("a_override.tf", two)], "terraform").len(), 1);
}
