# Packer 1.12: what a directory defines.

name      = "packer"
functions = "packer"
files     = ["*.pkr.hcl", "*.pkr.json"]

inputs {
  environment      = "PKR_VAR_"
  files            = ["*.auto.pkrvars.hcl", "*.auto.pkrvars.json"]
  typed_by_default = true
  exact_types      = true
  options_last     = true
  functions        = ["env"]
}

given = {
  "path.root"  = "root directory"
  "path.cwd"   = "current directory"
  "packer"     = "unknown"
  "build"      = "unknown"
}

impure = ["legacy_isotime", "legacy_strftime", "timestamp", "uuidv4"]

readers = ["aws_secretsmanager", "consul_key", "env", "file", "fileexists", "fileset", "pathexpand", "templatefile", "vault"]

block "variable" {
  role       = "input"
  labels     = ["name"]
  defines    = "var.{name}"
  attributes = ["type", "default", "description", "sensitive"]
  static     = ["type"]
  blocks     = ["validation"]
}

block "variables" {
  role    = "inputs"
  defines = "var.{attribute}"
}

block "locals" {
  role    = "values"
  defines = "local.{attribute}"
}

block "local" {
  role       = "value"
  labels     = ["name"]
  defines    = "local.{name}"
  attributes = ["expression", "sensitive"]
  required   = ["expression"]
  value      = "expression"
}

block "data" {
  role    = "object"
  labels  = ["type", "name"]
  defines = "data.{type}.{name}"
}

block "source" {
  role    = "object"
  labels  = ["type", "name"]
  defines = "source.{type}.{name}"
}

# Each of its sources is built with the steps of the block, in which `source.name` and `source.type` are known.
block "build" {
  role = "build"
}

# Blocks whose contents depend on a plugin or a service.
block "communicator" {
  role   = "settings"
  labels = ["type", "name"]
}

block "hcp_packer_registry" {
  role = "settings"
}

block "packer" {
  role = "settings"
}

nested "validation" {
  role = "condition"
}
