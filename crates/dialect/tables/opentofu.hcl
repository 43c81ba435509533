# OpenTofu 1.12, as far as it differs from Terraform.

name      = "opentofu"
title     = "OpenTofu"
aliases   = ["tofu"]
extends   = "terraform"
files     = ["*.tf", "*.tofu"]
overrides = ["override.tf", "*_override.tf", "override.tofu", "*_override.tofu"]

file "tests" {
  names   = ["*.tftest.hcl", "*.tofutest.hcl"]
  dialect = "opentofu-tests"
}

format {
  files    = ["*.tofu", "*.tofutest.hcl", "*.tf", "*.tfvars", "*.tftest.hcl"]
  rewrites = true
}

# Files with these ends are not read if there is one of the same name with the other end.
replaced = {
  ".tf" = ".tofu"
}

given = {
  "path.module"         = "module directory"
  "path.root"           = "root directory"
  "path.cwd"            = "current directory"
  "terraform.workspace" = "workspace"
  "tofu.workspace"      = "workspace"
  "terraform.applying"  = "unknown"
  "tofu.applying"       = "unknown"
}

versions = ["1.6", "1"]
newest   = "1.12"

version_files = {
  ".opentofu-version" = ""
  ".tool-versions"    = "opentofu"
}

registry = "registry.opentofu.org"

since = {
  "ephemeral"                  = "1.11"
  "import.for_each"            = "1.7"
  "import.identity"            = "1.12"
  "resource.lifecycle.destroy" = "1.12"
  "lifecycle.enabled"          = "1.11"
  "output.deprecated"          = "1.10"
  "output.ephemeral"           = "1.11"
  "provider.for_each"          = "1.9"
  "removed"                    = "1.7"
  "terraform.encryption"       = "1.7"
  "variable.const"             = "1.12"
  "variable.deprecated"        = "1.10"
  "variable.ephemeral"         = "1.11"
}

until = {}

functions_since = {
  cidrcontains    = "1.7"
  ephemeralasnull = "1.11"
  issensitive     = "1.7"
  templatestring  = "1.7"
  urldecode       = "1.7"
}

# The source of a module can refer to these names.
source_names     = ["local", "path", "terraform", "tofu", "var"]
sources_since    = "1.8"
constant_sources = false

module_imports_since = null
called_deprecations  = false

# An argument of `lifecycle`.
repeat "enabled" {
  over = "condition"
}

nested "lifecycle" {
  role       = "group"
  attributes = ["create_before_destroy", "destroy", "enabled", "ignore_changes", "prevent_destroy", "replace_triggered_by"]
  blocks     = ["precondition", "postcondition"]
  references = ["replace_triggered_by"]
  repeat     = ["enabled"]
  strings    = { ignore_changes = "source", replace_triggered_by = "source" }
}

block "variable" {
  role       = "input"
  labels     = ["name"]
  defines    = "var.{name}"
  attributes = ["type", "default", "description", "nullable", "sensitive", "ephemeral", "deprecated", "const"]
  static     = ["type"]
  constants  = { description = string, deprecated = string }
  blocks     = ["validation"]
  reserved   = ["count", "depends_on", "for_each", "lifecycle", "locals", "providers", "source", "version"]
  strings    = { default = "text" }
  first      = ["type", "description", "default", "sensitive", "nullable", "ephemeral"]
  last       = ["validation"]
}

block "module" {
  role        = "call"
  labels      = ["name"]
  defines     = "module.{name}"
  meta        = ["source", "version", "providers", "depends_on", "count", "for_each"]
  required    = ["source"]
  static      = ["source", "version", "providers", "depends_on"]
  references  = ["source", "version", "depends_on"]
  constraints = ["version"]
  blocks      = ["lifecycle"]
  repeat      = ["count", "for_each"]
  strings     = { source = "templates", version = "templates" }
  first       = ["source", "version", "count", "for_each", "providers"]
  last        = ["depends_on"]
}

block "provider" {
  role        = "settings"
  labels      = ["name"]
  meta        = ["for_each"]
  static      = ["alias"]
  constraints = ["version"]
  refused     = ["count", "depends_on", "lifecycle", "locals", "source"]
  repeat      = ["for_each"]
  contents    = "open"
  strings     = { alias = "text" }
  first       = ["alias"]
}

block "terraform" {
  role        = "settings"
  attributes  = ["experiments", "language", "required_version"]
  keywords    = { experiments = [], language = ["TF2021"] }
  constraints = ["required_version"]
  single      = ["backend", "cloud"]
  unique      = ["provider_meta", "required_providers"]
  blocks      = ["backend", "cloud", "encryption", "provider_meta", "required_providers"]
  strings     = { required_version = "text" }
}

block "language" {
  role       = "settings"
  attributes = ["edition", "experiments"]
  static     = ["edition", "experiments"]
  blocks     = ["compatible_with"]
}

nested "compatible_with" {
  role     = "opaque"
  contents = "attributes"
}

block "output" {
  role       = "result"
  labels     = ["name"]
  defines    = "output.{name}"
  attributes = ["value", "description", "sensitive", "ephemeral", "depends_on", "deprecated"]
  required   = ["value"]
  static     = ["depends_on"]
  constants  = { description = string, deprecated = string }
  references = ["depends_on"]
  blocks     = ["precondition"]
  first      = ["description", "value", "sensitive", "ephemeral"]
  last       = ["precondition", "depends_on"]
}

nested "encryption" {
  role = "opaque"
}

object "resource" "terraform_data" {
  arguments = ["input", "triggers_replace"]
  unknown   = { id = string }
  same      = { output = "input" }
}

# Backends can refer to variables.
nested "backend" {
  role     = "ignored"
  labels   = ["type"]
  types    = ["azurerm", "consul", "cos", "gcs", "http", "inmem", "kubernetes", "local", "oci", "oss", "pg", "remote", "s3"]
  contents = "open"
  removed  = ["artifactory", "atlas", "azure", "etcd", "etcdv3", "manta", "swift"]
}

nested "cloud" {
  role = "ignored"
}
