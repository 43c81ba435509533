# Docker Bake, as Buildx 0.20 reads it.

name      = "bake"
title     = "Docker Bake"
aliases   = ["docker-bake"]
functions = "bake"

# The crate hclkit-bake says in which order they are read.
file "module" {
  names = ["docker-bake.hcl", "docker-bake.override.hcl"]
}

# Strings that name targets and groups.
string_names "inherits" {
  blocks = ["target", "group"]
  as     = "{name}"
}

string_names "targets" {
  blocks = ["target", "group"]
  as     = "{name}"
}

string_names "contexts" {
  blocks = ["target"]
  as     = "target:{name}"
}

block "variable" {
  role    = "input"
  labels  = ["name"]
  defines = "{name}"
  static  = ["type"]
  strings = { description = "text" }
  blocks  = ["validation"]
}

block "function" {
  labels   = ["name"]
  defines  = "function.{name}"
  called   = true
  contents = "attributes"
  static   = ["params", "variadic_params"]
}

block "group" {
  role     = "object"
  labels   = ["name"]
  defines  = "group.{name}"
  contents = "attributes"
}

block "target" {
  role     = "object"
  labels   = ["name"]
  defines  = "target.{name}"
  contents = "attributes"
}

nested "validation" {
  role     = "condition"
  contents = "attributes"
}
