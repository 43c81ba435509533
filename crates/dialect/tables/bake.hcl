# Docker Bake, as Buildx 0.20 reads it.

name      = "bake"
title     = "Docker Bake"
aliases   = ["docker-bake"]
functions = "bake"

# The crate hclkit-bake says in which order they are read.
file "module" {
  names = ["docker-bake.hcl", "docker-bake.override.hcl"]
}

# What editors offer as the values of arguments.
takes = {
  "function.params"          = list(string)
  "function.result"          = any
  "function.variadic_params" = string
  "group.description"        = string
  "group.name"               = string
  "group.targets"            = list(string)
  "target.annotations"       = list(string)
  "target.args"              = map(string)
  "target.attest"            = list(string)
  "target.cache-from"        = list(string)
  "target.cache-to"          = list(string)
  "target.call"              = string
  "target.context"           = string
  "target.contexts"          = map(string)
  "target.description"       = string
  "target.dockerfile"        = string
  "target.dockerfile-inline" = string
  "target.entitlements"      = list(string)
  "target.inherits"          = list(string)
  "target.labels"            = map(string)
  "target.matrix"            = map(list(string))
  "target.name"              = string
  "target.network"           = string
  "target.no-cache"          = bool
  "target.no-cache-filter"   = list(string)
  "target.output"            = list(string)
  "target.platforms"         = list(string)
  "target.pull"              = bool
  "target.secret"            = list(string)
  "target.shm-size"          = string
  "target.ssh"               = list(string)
  "target.tags"              = list(string)
  "target.target"            = string
  "target.ulimits"           = list(string)
  "variable.default"         = any
  "variable.description"     = string
  "variable.type"            = "types"
}

about = {
  "function"                 = "A function that expressions can call."
  "group"                    = "Targets that are built together."
  "group.targets"            = "The targets of the group."
  "target"                   = "An image to build, or another result of a build."
  "target.annotations"       = "Annotations of the image, such as `key=value`."
  "target.args"              = "Build arguments."
  "target.attest"            = "Attestations, such as `type=provenance,mode=max`."
  "target.cache-from"        = "Caches to read."
  "target.cache-to"          = "Caches to write."
  "target.context"           = "The build context: a directory or a URL."
  "target.contexts"          = "Further contexts, by name."
  "target.dockerfile"        = "The path of the Dockerfile."
  "target.dockerfile-inline" = "The Dockerfile itself."
  "target.inherits"          = "Targets whose arguments this one takes over."
  "target.labels"            = "Labels of the image."
  "target.matrix"            = "Lists of values: a target is built for each combination."
  "target.name"              = "The name of each target of a matrix."
  "target.no-cache"          = "Whether the cache is left unused."
  "target.output"            = "What happens to the result, such as `type=registry`."
  "target.platforms"         = "The platforms that are built for."
  "target.pull"              = "Whether base images are always pulled."
  "target.secret"            = "Secrets of the build."
  "target.ssh"               = "Agents and keys of SSH for the build."
  "target.tags"              = "The names of the image."
  "target.target"            = "The stage of the Dockerfile that is built."
  "variable"                 = "A variable, which the environment can set."
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
