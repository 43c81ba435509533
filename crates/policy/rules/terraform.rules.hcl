# Hygiene of modules of Terraform and OpenTofu: what hcl check does not say, because it is a matter of style.

rule "terraform-variable-description" {
  match     = "variable.*"
  condition = self.description != null && trimspace(self.description == null ? "" : self.description) != ""
  message   = "The variable has no description."
  summary   = "Variable without a description"
  severity  = "warning"
  docs      = "The description is what callers and the registry show."
}

test "terraform-variable-description: failing" {
  rules  = ["terraform-variable-description"]
  expect = ["terraform-variable-description"]
  source = <<-EOT
    variable "region" {
      type = string
    }
  EOT
}

test "terraform-variable-description: passing" {
  rules  = ["terraform-variable-description"]
  source = <<-EOT
    variable "region" {
      description = "Where everything is."
      type        = string
    }
  EOT
}

rule "terraform-output-description" {
  match     = "output.*"
  condition = self.description != null && trimspace(self.description == null ? "" : self.description) != ""
  message   = "The output has no description."
  summary   = "Output without a description"
  severity  = "warning"
  docs      = "The description is what callers and the registry show."
}

test "terraform-output-description: failing" {
  rules  = ["terraform-output-description"]
  expect = ["terraform-output-description"]
  source = <<-EOT
    output "id" {
      value = 1
    }
  EOT
}

test "terraform-output-description: passing" {
  rules  = ["terraform-output-description"]
  source = <<-EOT
    output "id" {
      description = "The number."
      value       = 1
    }
  EOT
}

rule "terraform-variable-type" {
  match     = "variable.*"
  condition = self.type != null
  message   = "The variable has no type."
  summary   = "Variable without a type"
  severity  = "warning"
  docs      = "Without a type, a caller can pass anything, and mistakes show where the value is used."
}

test "terraform-variable-type: failing" {
  rules  = ["terraform-variable-type"]
  expect = ["terraform-variable-type"]
  source = <<-EOT
    variable "region" {}
  EOT
}

test "terraform-variable-type: passing" {
  rules  = ["terraform-variable-type"]
  source = <<-EOT
    variable "region" {
      type = string
    }
  EOT
}

rule "terraform-required-version" {
  match     = "terraform"
  condition = anytrue([for own in module.blocks.terraform : own.self.required_version != null])
  message   = "No block says which version of Terraform the module is for."
  summary   = "Module without required_version"
  severity  = "warning"
  docs      = "Without it, an older version fails with an error that does not say why."
}

test "terraform-required-version: failing" {
  rules  = ["terraform-required-version"]
  expect = ["terraform-required-version"]
  source = <<-EOT
    terraform {
      required_providers {
        aws = {
          source  = "hashicorp/aws"
          version = "~> 5.0"
        }
      }
    }
  EOT
}

test "terraform-required-version: passing" {
  rules  = ["terraform-required-version"]
  source = <<-EOT
    terraform {
      required_version = ">= 1.5"
    }
  EOT
}

rule "terraform-provider-version" {
  match     = "terraform.required_providers.*"
  condition = can(tostring(self)) || can(self.version) && try(self.version, null) != null
  message   = "The provider ${item.name} has no version constraint."
  summary   = "Provider without a version"
  severity  = "warning"
  docs      = "Without a constraint, a new module gets the newest version, which may have changed."
}

test "terraform-provider-version: as text" {
  rules  = ["terraform-provider-version"]
  source = <<-EOT
    terraform {
      required_providers {
        aws = ">= 5.0"
      }
    }
  EOT
}

test "terraform-provider-version: failing" {
  rules  = ["terraform-provider-version"]
  expect = ["terraform-provider-version"]
  source = <<-EOT
    terraform {
      required_providers {
        aws = { source = "hashicorp/aws" }
      }
    }
  EOT
}

test "terraform-provider-version: passing" {
  rules  = ["terraform-provider-version"]
  source = <<-EOT
    terraform {
      required_providers {
        aws = { source = "hashicorp/aws", version = "~> 5.0" }
      }
    }
  EOT
}

rule "terraform-provider-source" {
  match     = "terraform.required_providers.*"
  condition = can(self.source) && try(self.source, null) != null
  message   = "The provider ${item.name} has no source."
  summary   = "Provider without a source"
  severity  = "warning"
  docs      = "Without a source, Terraform guesses hashicorp/NAME."
}

test "terraform-provider-source: failing" {
  rules  = ["terraform-provider-source"]
  expect = ["terraform-provider-source"]
  source = <<-EOT
    terraform {
      required_providers {
        aws = { version = "~> 5.0" }
      }
    }
  EOT
}

test "terraform-provider-source: passing" {
  rules  = ["terraform-provider-source"]
  source = <<-EOT
    terraform {
      required_providers {
        aws = { source = "hashicorp/aws", version = "~> 5.0" }
      }
    }
  EOT
}

rule "terraform-module-pinned" {
  match     = "module.*"
  where     = contains(["terraform", "opentofu"], item.language) && !startswith(self.source, "./") && !startswith(self.source, "../")
  condition = self.version != null || length(regexall("[?&](ref|rev)=[^&]+", self.source)) > 0
  message   = "The module has no version."
  summary   = "Module without a version"
  at        = "source"
  docs      = "Without a version, a run can get another module than the last one."
}

test "terraform-module-pinned: failing" {
  rules  = ["terraform-module-pinned"]
  expect = ["terraform-module-pinned"]
  source = <<-EOT
    module "vpc" {
      source = "terraform-aws-modules/vpc/aws"
    }
  EOT
}

test "terraform-module-pinned: passing" {
  rules  = ["terraform-module-pinned"]
  source = <<-EOT
    module "vpc" {
      source  = "terraform-aws-modules/vpc/aws"
      version = "5.8.1"
    }
  EOT
}

rule "terraform-module-branch" {
  match     = "module.*"
  condition = length(regexall("[?&]ref=(main|master|develop|HEAD)(&|$)", self.source)) == 0
  message   = "The module is that of a branch, which changes."
  summary   = "Module of a branch"
  at        = "source"
  docs      = "Name a tag or a commit, so that two runs get the same module."
}

test "terraform-module-branch: failing" {
  rules  = ["terraform-module-branch"]
  expect = ["terraform-module-branch"]
  source = <<-EOT
    module "vpc" {
      source = "git::https://example.com/vpc.git?ref=main"
    }
  EOT
}

test "terraform-module-branch: passing" {
  rules  = ["terraform-module-branch"]
  source = <<-EOT
    module "vpc" {
      source = "git::https://example.com/vpc.git?ref=v1.2.0"
    }
  EOT
}

rule "terraform-no-hardcoded-secret" {
  match     = ["resource.*.*.password", "resource.*.*.secret", "resource.*.*.master_password", "resource.*.*.admin_password"]
  condition = !item.constant
  message   = "A secret is written in the file."
  summary   = "Secret in a file"
  docs      = "Secrets in files end in version control. Use a variable that is sensitive, or a data source."
}

test "terraform-no-hardcoded-secret: failing" {
  rules  = ["terraform-no-hardcoded-secret"]
  expect = ["terraform-no-hardcoded-secret"]
  source = <<-EOT
    resource "aws_db_instance" "a" {
      password = "x"
    }
  EOT
}

test "terraform-no-hardcoded-secret: passing" {
  rules  = ["terraform-no-hardcoded-secret"]
  source = <<-EOT
    variable "password" {
      type      = string
      sensitive = true
    }

    resource "aws_db_instance" "a" {
      password = var.password
    }
  EOT
}

rule "terraform-no-local-exec" {
  match     = "resource.*.*.provisioner.local-exec"
  condition = false
  message   = "The provisioner runs a program where Terraform runs."
  summary   = "Provisioner that runs a program"
  severity  = "warning"
  docs      = "What a provisioner does is not in the plan or the state, and it needs the program everywhere."
}

test "terraform-no-local-exec: failing" {
  rules  = ["terraform-no-local-exec"]
  expect = ["terraform-no-local-exec"]
  source = <<-EOT
    resource "terraform_data" "a" {
      provisioner "local-exec" {
        command = "true"
      }
    }
  EOT
}

test "terraform-no-local-exec: passing" {
  rules  = ["terraform-no-local-exec"]
  source = <<-EOT
    resource "terraform_data" "a" {
      input = 1
    }
  EOT
}

rule "terraform-null-resource" {
  match     = "resource.null_resource.*"
  condition = false
  message   = "Use terraform_data, which needs no provider."
  summary   = "Use of null_resource"
  severity  = "warning"
  docs      = "Since Terraform 1.4, terraform_data does the same without a provider."
}

test "terraform-null-resource: failing" {
  rules  = ["terraform-null-resource"]
  expect = ["terraform-null-resource"]
  source = <<-EOT
    resource "null_resource" "a" {
      triggers = { a = 1 }
    }
  EOT
}

test "terraform-null-resource: passing" {
  rules  = ["terraform-null-resource"]
  source = <<-EOT
    resource "terraform_data" "a" {
      triggers_replace = 1
    }
  EOT
}

rule "terraform-backend-local" {
  match     = "terraform.backend.local"
  condition = false
  message   = "The state is in a local file."
  summary   = "Local state"
  severity  = "warning"
  docs      = "A state in a file cannot be shared or locked, and has all secrets in the clear."
}

test "terraform-backend-local: failing" {
  rules  = ["terraform-backend-local"]
  expect = ["terraform-backend-local"]
  source = <<-EOT
    terraform {
      backend "local" {}
    }
  EOT
}

test "terraform-backend-local: passing" {
  rules  = ["terraform-backend-local"]
  source = <<-EOT
    terraform {
      backend "s3" {}
    }
  EOT
}

rule "terraform-sensitive-output" {
  match     = "output.*"
  where     = can(regex("(?i)((password|token|private_key)s?|(client|app|shared)_secret)$", item.name)) && !can(regex("(?i)(encrypted|hashed)", item.name))
  condition = self.sensitive == true
  message   = "The output looks like a secret, but is not sensitive."
  summary   = "Output of a secret"
  docs      = "Outputs are printed after an apply unless they are sensitive."

  fix {
    title = "Make it sensitive"
    set   = { sensitive = true }
  }
}

test "terraform-sensitive-output: about a secret" {
  rules  = ["terraform-sensitive-output"]
  source = <<-EOT
    output "private_key_file_path" {
      value = 1
    }

    output "org_secrets_project_id" {
      value = 1
    }

    output "master_user_secret" {
      value = [{ secret_arn = "arn" }]
    }

    output "encrypted_password" {
      value = 1
    }
  EOT
}

test "terraform-sensitive-output: failing" {
  rules  = ["terraform-sensitive-output"]
  expect = ["terraform-sensitive-output"]
  source = <<-EOT
    output "db_password" {
      value = 1
    }
  EOT
}

test "terraform-sensitive-output: passing" {
  rules  = ["terraform-sensitive-output"]
  source = <<-EOT
    output "db_password" {
      sensitive = true
      value     = 1
    }
  EOT
}

rule "terraform-sensitive-variable" {
  match     = "variable.*"
  where     = can(regex("(?i)((password|token|private_key)s?|secret)$", item.name)) && !can(regex("^(bool|number|object|(list|set|map)\\((bool|number|object))", self.type))
  condition = self.sensitive == true || self.ephemeral == true
  message   = "The variable looks like a secret, but is not sensitive."
  summary   = "Variable of a secret"
  docs      = "Values of variables are shown in plans unless they are sensitive."

  fix {
    title = "Make it sensitive"
    set   = { sensitive = true }
  }
}

test "terraform-sensitive-variable: about a secret" {
  rules  = ["terraform-sensitive-variable"]
  source = <<-EOT
    variable "private_key_rsa_bits" {
      type = number
    }

    variable "has_secret" {
      type = bool
    }

    variable "sealed_secrets" {
      type    = any
      default = {}
    }

    variable "secrets" {
      type        = list(string)
      description = "The names of secrets."
    }
  EOT
}

test "terraform-sensitive-variable: failing" {
  rules  = ["terraform-sensitive-variable"]
  expect = ["terraform-sensitive-variable"]
  source = <<-EOT
    variable "db_password" {
      type = string
    }
  EOT
  fixed  = <<-EOT
    variable "db_password" {
      type      = string
      sensitive = true
    }
  EOT
}

test "terraform-sensitive-variable: passing" {
  rules  = ["terraform-sensitive-variable"]
  source = <<-EOT
    variable "db_password" {
      type      = string
      sensitive = true
    }
  EOT
}

rule "terraform-validation-message" {
  match     = "variable..validation"
  condition = can(regex("[.?!]$", self.error_message))
  message   = "The message is no sentence: it does not end with a full stop."
  summary   = "Message that is no sentence"
  severity  = "warning"
  at        = "error_message"
  docs      = "Terraform shows messages as sentences."
}

test "terraform-validation-message: failing" {
  rules  = ["terraform-validation-message"]
  expect = ["terraform-validation-message"]
  source = <<-EOT
    variable "size" {
      type = number

      validation {
        condition     = var.size > 0
        error_message = "too small"
      }
    }
  EOT
}

test "terraform-validation-message: passing" {
  rules  = ["terraform-validation-message"]
  source = <<-EOT
    variable "size" {
      type = number

      validation {
        condition     = var.size > 0
        error_message = "The size is too small."
      }
    }
  EOT
}
