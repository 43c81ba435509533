//! An example for each code of modules and Bake files.

use hclkit::functions::{Grants, Library};
use hclkit::module::{Bake, Dialect, Memory, ModuleLoader, ModuleTree};
use hclkit::{Code, Diagnostics};

/// Files with exactly one error.
#[derive(Clone, Copy)]
pub(super) enum Files {
    /// A Terraform module that is evaluated: names and texts.
    Evaluated(&'static [(&'static str, &'static str)]),
    /// A Terraform module that is checked as by `hcl check`.
    Checked(&'static str),
    /// A test file, and `main.tf` with an output.
    Tested(&'static str),
    /// A Packer template.
    Packer(&'static str),
    /// A Bake file, and overrides.
    Bake(&'static str, &'static [&'static str]),
}

impl Files {
    /// The diagnostics of the files.
    pub(super) fn mistakes(self) -> Diagnostics {
        let load = |language, files: &[(&str, &str)]| {
            let functions = Library::Terraform.functions(&Grants::new());
            let files: Memory = files.iter().copied().collect();
            ModuleLoader::new(language).with_functions(functions).with_files(files).load()
        };
        match self {
            Self::Evaluated(files) => load(Dialect::terraform(), files).evaluate(&[]).diagnostics,
            Self::Checked(text) => load(Dialect::terraform(), &[("main.tf", text)]).check(),
            Self::Tested(text) => {
                let files = [
                    ("main.tf", "output \"cidr\" {\n  value = \"10.0.0.0/8\"\n}\n"),
                    ("main.tftest.hcl", text),
                ];
                let loader = ModuleLoader::new(Dialect::terraform());
                ModuleTree::new(loader.with_files(files.into_iter().collect::<Memory>())).check_tests("")
            }
            Self::Packer(text) => load(Dialect::packer(), &[("web.pkr.hcl", text)]).evaluate(&[]).diagnostics,
            Self::Bake(text, overrides) => {
                let bake = Bake::new()
                    .with_file("docker-bake.hcl", text)
                    .with_functions(Library::Bake.functions(&Grants::new()));
                let bake = overrides.iter().fold(bake, |bake, text| bake.with_override(*text));
                bake.plan(&[]).1
            }
        }
    }
}

/// The example of a code of modules or Bake files.
pub(super) fn of(code: Code) -> Option<Files> {
    let evaluated = |code| evaluated(code).map(Files::Evaluated);
    evaluated(code.as_str())
        .or_else(|| checked(code.as_str()).map(Files::Checked))
        .or_else(|| other(code.as_str()))
}

fn evaluated(code: &str) -> Option<&'static [(&'static str, &'static str)]> {
    Some(match code {
        "unreadable-file" => &[],
        "missing-variable" => &[("main.tf", "variable \"region\" {\n  type = string\n}\n")],
        "undeclared-variable" => &[
            ("main.tf", "variable \"region\" {\n  type = string\n}\n"),
            ("terraform.tfvars", "region = \"eu\"\nregoin = \"us\"\n"),
        ],
        "missing-base" => &[
            ("main.tf", "resource \"terraform_data\" \"a\" {\n}\n"),
            ("override.tf", "resource \"terraform_data\" \"b\" {\n  input = 1\n}\n"),
        ],
        "missing-input" => &[
            ("main.tf", "module \"network\" {\n  source = \"./network\"\n}\n"),
            ("network/main.tf", "variable \"zones\" {\n  type = list(string)\n}\n"),
        ],
        "unsupported-input" => &[
            ("main.tf", "module \"network\" {\n  source = \"./network\"\n  zone   = \"a\"\n}\n"),
            ("network/main.tf", "variable \"zones\" {\n  default = [\"a\"]\n}\n"),
        ],
        _ => return None,
    })
}

fn checked(code: &str) -> Option<&'static str> {
    Some(match code {
        "duplicate-declaration" => "output \"id\" {\n  value = 1\n}\noutput \"id\" {\n  value = 2\n}\n",
        "invalid-provider" => "resource \"aws_instance\" \"web\" {\n  provider = aws.west\n}\n",
        "unused-declaration" => "locals {\n  zone = \"a\"\n}\n",
        "incomplete-reference" => "output \"region\" {\n  value = var\n}\n",
        "invalid-name" => "output \"2nd\" {\n  value = 2\n}\n",
        "invalid-variable" => {
            "variable \"size\" {\n  type    = number\n  default = \"big\"\n}\noutput \"size\" {\n  value = var.size\n}\n"
        }
        "invalid-address" => {
            "moved {\n  from = local.a\n  to   = aws_instance.b\n}\nresource \"aws_instance\" \"b\" {\n}\n"
        }
        "sensitive-result" => "output \"key\" {\n  value = sensitive(\"k\")\n}\n",
        "ephemeral-value" => {
            "variable \"key\" {\n  ephemeral = true\n}\nresource \"terraform_data\" \"a\" {\n  input = var.key\n}\n"
        }
        "invalid-output" => "output \"port\" {\n  type  = number\n  value = \"http\"\n}\n",
        "ephemeral-result" => {
            "variable \"key\" {\n  ephemeral = true\n}\noutput \"key\" {\n  value     = var.key\n  ephemeral = true\n}\n"
        }
        "condition-failed" => {
            "check \"size\" {\n  assert {\n    condition     = length(terraform.workspace) > 100\n    error_message = \"The name is too short.\"\n  }\n}\n"
        }
        "invalid-custom-condition" => {
            "check \"size\" {\n  assert {\n    condition     = terraform.workspace\n    error_message = \"The name is wrong.\"\n  }\n}\n"
        }
        "invalid-count" => "resource \"aws_instance\" \"web\" {\n  count = -1\n}\n",
        "invalid-instance-keys" => "resource \"aws_instance\" \"web\" {\n  for_each = [\"a\", \"b\"]\n}\n",
        "invalid-meta-argument" => {
            "resource \"aws_instance\" \"web\" {\n  lifecycle {\n    prevent_destroy = \"no\"\n  }\n}\n"
        }
        "unsupported-version" => {
            "terraform {\n  required_version = \"~> 1.4.0\"\n}\noutput \"has\" {\n  value = strcontains(\"ab\", \"b\")\n}\n"
        }
        "invalid-module-source" => "module \"network\" {\n  source = \"network\"\n}\n",
        "invalid-move" => {
            "moved {\n  from = aws_instance.a\n  to   = aws_instance.a\n}\nresource \"aws_instance\" \"a\" {\n}\n"
        }
        "invalid-removal" => "removed {\n  from = aws_instance.a\n}\nresource \"aws_instance\" \"a\" {\n}\n",
        "invalid-import" => "import {\n  to = module.network\n  id = \"i-1\"\n}\n",
        "invalid-check" => "check \"health\" {\n}\n",
        _ => return None,
    })
}

fn other(code: &str) -> Option<Files> {
    Some(match code {
        "invalid-test" => Files::Tested("run \"all\" {\n  expect_failures = [output.cidrs]\n}\n"),
        "unknown-target" => Files::Tested("override_module {\n  target = module.network\n}\n"),
        "invalid-source" => Files::Packer("build {\n  sources = [\"source.docker.ubuntu\"]\n}\n"),
        "unknown-address" => Files::Bake("group \"default\" {\n  targets = [\"web\"]\n}\n", &[]),
        "invalid-matrix" => Files::Bake("target \"default\" {\n  name = \"web\"\n}\n", &[]),
        "invalid-override" => Files::Bake("target \"default\" {\n}\n", &["default.tagz=web"]),
        "invalid-link" => {
            Files::Bake("target \"default\" {\n  contexts = { base = \"target:default\" }\n}\n", &[])
        }
        "ignored-item" => Files::Bake("target \"default\" {\n  dockerfle = \"web.Dockerfile\"\n}\n", &[]),
        _ => return None,
    })
}
