# Rules of hcl test: what a file of rules can contain.

name      = "rules"
title     = "rules of hcl test"
functions = "terraform"

file "module" {
  names = ["*.rules.hcl"]
}

block "rule" {
  labels     = ["name"]
  attributes = ["at", "condition", "docs", "match", "message", "severity", "summary", "url", "where"]
  required   = ["condition", "match", "message"]
  blocks     = ["fix"]
  once       = ["fix"]
  first      = ["match", "where", "condition", "message"]
}

nested "fix" {
  in         = ["rule"]
  attributes = ["append", "delete", "prepend", "rename", "set", "set_source", "title"]
  contents   = "attributes"
}

block "test" {
  labels     = ["name"]
  attributes = ["expect", "file", "files", "fixed", "module", "name", "params", "rules", "source", "unknown", "variables"]
  contents   = "attributes"
}

block "param" {
  labels     = ["name"]
  defines    = "param.{name}"
  attributes = ["default", "description", "type"]
  contents   = "attributes"
  static     = ["type"]
}

block "locals" {
  role     = "values"
  defines  = "local.{attribute}"
  contents = "attributes"
}

block "function" {
  labels     = ["name"]
  defines    = "function.{name}"
  called     = true
  attributes = ["params", "result", "variadic_param"]
  required   = ["params", "result"]
  contents   = "attributes"
  static     = ["params", "variadic_param"]
}
