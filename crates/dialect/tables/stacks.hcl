# The components of Terraform Stacks 1.16.

name      = "stacks"
title     = "Terraform Stacks"
functions = "terraform"

file "module" {
  names = ["*.tfcomponent.hcl", "*.tfstack.hcl"]
}

reference_strings = ["depends_on", "from"]

block "variable" {
  role       = "input"
  labels     = ["name"]
  defines    = "var.{name}"
  attributes = ["type", "default", "description", "sensitive", "ephemeral", "nullable"]
  static     = ["type"]
  blocks     = ["validation"]
  strings    = { default = "text", description = "text" }
}

block "locals" {
  role     = "values"
  defines  = "local.{attribute}"
  contents = "attributes"
}

block "output" {
  role       = "result"
  labels     = ["name"]
  defines    = "output.{name}"
  attributes = ["type", "value", "description", "sensitive", "ephemeral"]
  static     = ["type"]
  blocks     = ["precondition"]
  strings    = { description = "text" }
}

block "component" {
  labels   = ["name"]
  defines  = "component.{name}"
  static   = ["source", "version", "depends_on"]
  strings  = { source = "templates", version = "text" }
  contents = "attributes"
}

block "stack" {
  labels   = ["name"]
  defines  = "stack.{name}"
  static   = ["source", "version", "depends_on"]
  strings  = { source = "templates", version = "text" }
  contents = "attributes"
}

block "provider" {
  labels  = ["type", "name"]
  defines = "{type}.{name}"
  blocks  = ["config"]
}

block "required_providers" {
  contents = "attributes"
  strings  = { "*" = "text" }
}

block "removed" {
  static   = ["from", "source"]
  blocks   = ["lifecycle"]
  contents = "attributes"
}

nested "validation" {
  role     = "condition"
  contents = "attributes"
}

nested "precondition" {
  role     = "condition"
  contents = "attributes"
}

nested "config" {
  contents = "open"
}

nested "lifecycle" {
  contents = "attributes"
}
