# OpenTofu 1.12, as far as it differs from Terraform.

name      = "opentofu"
title     = "OpenTofu"
functions = "opentofu"
aliases   = ["tofu"]
extends   = "terraform"
# Blocks and kinds of files of Terraform that it does not have.
lacks     = ["action", "queries"]
files     = ["*.tf", "*.tofu"]
overrides = ["override.tf", "*_override.tf", "override.tofu", "*_override.tofu"]

# `required_version` in other files is about Terraform.
constraint_files = ["*.tofu"]

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
  "terraform.applying"  = "ephemeral bool"
  "tofu.applying"       = "ephemeral bool"
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
  base64gunzip    = "1.7"
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
only_releases = false

# Functions of providers are looked for before expressions are evaluated.
static_providers = true

# The keys in the address of an import can be any expression, and its identifier can be empty.
lenient_imports = true

# An argument of `lifecycle`.
repeat "enabled" {
  over = "condition"
}

nested "lifecycle" {
  role       = "group"
  attributes = ["create_before_destroy", "destroy", "enabled", "ignore_changes", "prevent_destroy", "replace_triggered_by"]
  blocks     = ["precondition", "postcondition"]
  constants  = { create_before_destroy = bool, destroy = bool }
  references = ["replace_triggered_by"]
  repeat     = ["enabled"]
  strings    = { ignore_changes = "source", replace_triggered_by = "source" }
  final_parts = ["postcondition", "precondition"]
}

nested "lifecycle" {
  in         = ["module"]
  role       = "group"
  attributes = ["enabled"]
  repeat     = ["enabled"]
}

nested "lifecycle" {
  in          = ["data", "ephemeral"]
  role        = "group"
  attributes  = ["enabled"]
  blocks      = ["precondition", "postcondition"]
  repeat      = ["enabled"]
  final_parts = ["postcondition", "precondition"]
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
  final_parts = ["validation"]
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
  final_parts = ["depends_on"]
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
  # The first two are for Terraform only.
  attributes  = ["experiments", "language", "required_version"]
  static      = ["experiments", "language", "required_version"]
  constraints = ["required_version"]
  single      = ["backend", "cloud"]
  unique      = ["provider_meta", "required_providers"]
  blocks      = ["backend", "cloud", "encryption", "provider_meta", "required_providers"]
  strings     = { required_version = "text" }
}

# Without connections.
block "removed" {
  role       = "settings"
  attributes = ["from"]
  static     = ["from"]
  required   = ["from"]
  blocks     = ["lifecycle", "provisioner"]
  once       = ["lifecycle"]
  binds      = ["count", "each"]
  statement  = "removal"
  contents   = "open"
  final      = true
}

block "language" {
  role       = "settings"
  attributes = ["edition", "experiments"]
  static     = ["edition", "experiments"]
  keywords   = { edition = ["tofu2024"], experiments = [] }
  blocks     = ["compatible_with"]
}

# What it says of other programs is for these.
nested "compatible_with" {
  role        = "opaque"
  contents    = "open"
  constraints = ["opentofu"]
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
  final_parts = ["depends_on", "precondition"]
}

nested "encryption" {
  role   = "opaque"
  blocks = ["key_provider", "method", "plan", "remote_state_data_sources", "state"]
}

nested "key_provider" {
  in       = ["encryption"]
  labels   = ["type", "name"]
  defines  = "key_provider.{type}.{name}"
  contents = "open"
}

nested "method" {
  in       = ["encryption"]
  labels   = ["type", "name"]
  defines  = "method.{type}.{name}"
  contents = "open"
}

nested "state" {
  in       = ["encryption"]
  under    = "terraform"
  contents = "open"
  strings  = { method = "source" }
}

nested "plan" {
  in       = ["encryption"]
  under    = "terraform"
  contents = "open"
  strings  = { method = "source" }
}

nested "remote_state_data_sources" {
  in = ["encryption"]
}

nested "default" {
  in       = ["remote_state_data_sources"]
  under    = "terraform"
  contents = "open"
  strings  = { method = "source" }
}

nested "remote_state_data_source" {
  in       = ["remote_state_data_sources"]
  labels   = ["name"]
  under    = "terraform"
  contents = "open"
  strings  = { method = "source" }
}

nested "fallback" {
  in       = ["default", "plan", "remote_state_data_source", "state"]
  under    = "terraform"
  contents = "open"
  strings  = { method = "source" }
}

object "resource" "terraform_data" {
  arguments = ["input", "triggers_replace"]
  unknown   = { id = string }
  same      = { output = "input" }
}

# Backends can refer to variables.
nested "backend" {
  role     = "early"
  labels   = ["type"]
  types    = ["azurerm", "consul", "cos", "gcs", "http", "inmem", "kubernetes", "local", "oci", "oss", "pg", "remote", "s3"]
  contents = "open"
  removed  = ["artifactory", "atlas", "azure", "etcd", "etcdv3", "manta", "swift"]
}

nested "cloud" {
  role = "early"
}

object "provisioner" "file" {
  arguments = ["content", "destination", "source"]
  required  = ["destination"]
  one_of    = ["content", "source"]
  not_empty = ["destination"]
  types     = { content = string, destination = string, source = string }
}

object "provisioner" "local-exec" {
  arguments = ["command", "environment", "interpreter", "quiet", "working_dir"]
  required  = ["command"]
  not_empty = ["command"]
  types = {
    command     = string
    environment = map(string)
    interpreter = list(string)
    quiet       = bool
    working_dir = string
  }
}
