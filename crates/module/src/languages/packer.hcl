# Packer 1.11: what a directory defines.

name      = "packer"
functions = "packer"
files     = ["*.pkr.hcl", "*.pkr.json"]

inputs {
  environment = "PKR_VAR_"
  files       = ["*.auto.pkrvars.hcl", "*.auto.pkrvars.json"]
}

given = {
  "path.root"  = "root directory"
  "path.cwd"   = "current directory"
  "packer"     = "unknown"
  "build"      = "unknown"
  "source"     = "unknown"
}

impure = ["timestamp", "uuidv4"]

readers = ["aws_secretsmanager", "consul_key", "env", "file", "fileexists", "fileset", "pathexpand", "templatefile", "vault"]

block "variable" {
  role       = "input"
  labels     = ["name"]
  defines    = "var.{name}"
  attributes = ["type", "default", "description", "sensitive"]
  static     = ["type"]
  blocks     = ["validation"]
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
  role    = "settings"
  labels  = ["type", "name"]
}

block "build" {
  role = "settings"
}

block "packer" {
  role = "settings"
}

nested "validation" {
  role = "condition"
}
