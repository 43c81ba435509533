# Policies of Terraform, as HashiCorp documents them for tfpolicy 0.4. Each file has its own inputs and local values.

name         = "terraform-policy"
title        = "policies of Terraform"
functions    = "terraform"
single_files = true

# What a policy is applied to, such as `attrs`, is known only then.
runtime_names = true

file "module" {
  names = ["*.policy.hcl"]
}

block "policy" {
  role       = "settings"
  attributes = ["enforcement_level"]
  blocks     = ["plugins", "required_providers", "terraform_config"]
  once       = ["plugins", "required_providers", "terraform_config"]
}

nested "plugins" {
  contents = "attributes"
}

nested "required_providers" {
  contents = "attributes"
}

nested "terraform_config" {
  attributes = ["required_version"]
}

block "input" {
  labels     = ["name"]
  defines    = "input.{name}"
  attributes = ["default", "description", "nullable", "sensitive", "type"]
  required   = ["type"]
  contents   = "attributes"
  static     = ["type"]
  first      = ["type", "description", "default"]
}

block "locals" {
  role     = "values"
  defines  = "local.{attribute}"
  contents = "attributes"
}

block "resource_policy" {
  labels     = ["type", "name"]
  any_name   = true
  defines    = "resource_policy.{type}.{name}"
  attributes = ["enforcement_level", "filter", "operations"]
  blocks     = ["enforce", "locals"]
  once       = ["locals"]
  first      = ["operations", "enforcement_level", "filter"]
}

block "module_policy" {
  labels     = ["source", "name"]
  any_name   = true
  defines    = "module_policy.{source}.{name}"
  attributes = ["enforcement_level", "filter"]
  blocks     = ["enforce", "locals"]
  once       = ["locals"]
  first      = ["enforcement_level", "filter"]
}

block "provider_policy" {
  labels     = ["provider", "name"]
  any_name   = true
  defines    = "provider_policy.{provider}.{name}"
  attributes = ["enforcement_level", "filter"]
  blocks     = ["enforce", "locals"]
  once       = ["locals"]
  first      = ["enforcement_level", "filter"]
}

nested "enforce" {
  attributes = ["condition", "error_message", "info_message"]
  required   = ["condition"]
}

nested "locals" {
  in       = ["module_policy", "provider_policy", "resource_policy"]
  contents = "attributes"
}
