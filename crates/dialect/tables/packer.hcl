# Packer 1.16.

name      = "packer"
title     = "Packer"
functions = "packer"
files     = ["*.pkr.hcl"]

# `packer build` is called for directories or for single files.
lone_files = true

file "values" {
  names = ["*.pkrvars.hcl"]
}

# Templates for `templatefile`, with an end that is their own.
file "template" {
  names = ["*.pkrtpl.hcl"]
}

format {
  files = ["*.pkr.hcl", "*.pkrvars.hcl"]
}

# Attributes, in any block, whose strings are references.
reference_strings = ["depends_on", "sources"]

# Strings, and labels of blocks, that name sources.
string_names "only" {
  blocks = ["source"]
  as     = "{type}.{name}"
}

string_names "except" {
  blocks = ["source"]
  as     = "{type}.{name}"
}

string_names "sources" {
  blocks = ["source"]
  as     = "{type}.{name}"
}

string_names "source" {
  blocks = ["source"]
  as     = "{type}.{name}"
}

string_names "override" {
  blocks = ["source"]
  as     = "{name}"
  keys   = true
}

inputs {
  environment      = "PKR_VAR_"
  files            = ["*.auto.pkrvars.hcl"]
  typed_by_default = true
  options_last     = true
  functions        = ["env"]
}

given = {
  "path.root"  = "root directory"
  "path.cwd"   = "current directory"
  "packer"     = "unknown"
  "build"      = "unknown"
}

# The first and the last version that this table describes, and the newest one.
versions = ["1.5", "1"]
newest   = "1.16"

since = {
  "data"                          = "1.7"
  "hcp_packer_registry"           = "1.13"
  "provisioner.continue_on_error" = "1.16"
}

functions_since = {
  alltrue                = "1.12"
  anytrue                = "1.12"
  aws_secretsmanager_raw = "1.12"
  base64gzip             = "1.12"
  endswith               = "1.13"
  filebase64             = "1.13"
  rfc3339_parse          = "1.16"
  startswith             = "1.13"
  strcontains            = "1.12"
  sum                    = "1.13"
  textdecodebase64       = "1.11"
  textencodebase64       = "1.11"
  unix_timestamp_parse   = "1.16"
}

impure = ["legacy_isotime", "legacy_strftime", "timestamp", "uuidv4"]

readers = ["abspath", "aws_secretsmanager", "aws_secretsmanager_raw", "bcrypt", "consul_key", "env", "file", "filebase64", "fileexists", "fileset", "pathexpand", "templatefile", "vault"]

block "variable" {
  role       = "input"
  labels     = ["name"]
  defines    = "var.{name}"
  attributes = ["type", "default", "description", "sensitive"]
  static     = ["type"]
  blocks     = ["validation"]
  strings    = { default = "templates", description = "text" }
}

block "variables" {
  role    = "inputs"
  defines = "var.{attribute}"
  contents = "attributes"
}

block "locals" {
  role    = "values"
  defines = "local.{attribute}"
  contents = "attributes"
}

block "local" {
  role       = "value"
  labels     = ["name"]
  defines    = "local.{name}"
  attributes = ["expression", "sensitive"]
  required   = ["expression"]
  value      = "expression"
  contents   = "attributes"
}

block "data" {
  role    = "object"
  labels  = ["type", "name"]
  defines = "data.{type}.{name}"
  contents = "open"
}

block "source" {
  role    = "object"
  labels  = ["type", "name"]
  defines = "source.{type}.{name}"
  contents = "open"
}

# Each of its sources is built with the steps of the block, in which `source.name` and `source.type` are known.
block "build" {
  role = "build"
}

# Blocks whose contents depend on a plugin or a service.
block "communicator" {
  role   = "settings"
  labels = ["type", "name"]
  contents = "open"
}

block "hcp_packer_registry" {
  role = "settings"
  contents = "attributes"
}

block "packer" {
  role        = "settings"
  constraints = ["required_version"]
  strings     = { required_version = "text" }
}

nested "validation" {
  role = "condition"
  contents = "attributes"
}

nested "required_plugins" {
  in       = ["packer"]
  contents = "attributes"
  strings  = { "*" = "text" }
}

nested "source" {
  in       = ["build"]
  labels   = ["source"]
  contents = "open"
}

nested "provisioner" {
  in       = ["build"]
  labels   = ["type"]
  contents = "open"
}

nested "error-cleanup-provisioner" {
  in       = ["build"]
  labels   = ["type"]
  contents = "open"
}

nested "override" {
  in       = ["provisioner"]
  contents = "attributes"
}

nested "post-processor" {
  in       = ["build", "post-processors"]
  labels   = ["type"]
  contents = "open"
}

nested "post-processors" {
  in = ["build"]
}

nested "hcp_packer_registry" {
  in       = ["build"]
  contents = "attributes"
}

nested "dynamic" {
  in     = ["*"]
  labels = ["type"]
  static = ["iterator"]
}

nested "content" {
  in       = ["dynamic"]
  contents = "open"
}
