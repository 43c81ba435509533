# Terragrunt 0.68.

name      = "terragrunt"
title     = "Terragrunt"
functions = "terragrunt"

file "module" {
  names = ["terragrunt.hcl", "terragrunt.hcl.json", "terragrunt.stack.hcl"]
}

format {
  files  = ["*.hcl"]
  hidden = true
}

block "terraform" {
  blocks = ["after_hook", "before_hook", "error_hook", "extra_arguments"]
}

block "remote_state" {
  contents = "attributes"
}

block "include" {
  labels   = ["name"]
  defines  = "include.{name}"
  contents = "attributes"
}

block "locals" {
  role     = "values"
  defines  = "local.{attribute}"
  contents = "attributes"
}

block "dependency" {
  labels   = ["name"]
  defines  = "dependency.{name}"
  contents = "attributes"
}

block "dependencies" {
  contents = "attributes"
}

block "generate" {
  labels   = ["name"]
  contents = "attributes"
}

block "feature" {
  labels   = ["name"]
  defines  = "feature.{name}"
  contents = "attributes"
}

block "exclude" {
  contents = "attributes"
}

block "errors" {
  blocks = ["ignore", "retry"]
}

block "engine" {
  contents = "attributes"
}

block "catalog" {
  contents = "attributes"
}

block "unit" {
  labels   = ["name"]
  defines  = "unit.{name}"
  contents = "attributes"
}

block "stack" {
  labels   = ["name"]
  defines  = "stack.{name}"
  contents = "attributes"
}

nested "extra_arguments" {
  labels   = ["name"]
  contents = "attributes"
}

nested "before_hook" {
  labels   = ["name"]
  contents = "attributes"
}

nested "after_hook" {
  labels   = ["name"]
  contents = "attributes"
}

nested "error_hook" {
  labels   = ["name"]
  contents = "attributes"
}

nested "retry" {
  labels   = ["name"]
  contents = "attributes"
}

nested "ignore" {
  labels   = ["name"]
  contents = "attributes"
}
