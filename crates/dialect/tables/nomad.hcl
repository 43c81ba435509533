# Nomad 1.9: the blocks of job files. Plugins define what is in `config`.

name      = "nomad"
title     = "Nomad"
functions = "nomad"

# Each job is a module of its own. Names such as `attr.kernel.name` are for the client that runs it.
single_files  = true
runtime_names = true

inputs {
  environment      = "NOMAD_VAR_"
  typed_by_default = true
  exact_types      = true
  options_last     = true
}

impure = ["uuidv4"]

# Functions that read files or need randomness.
readers = ["abspath", "bcrypt", "file", "filebase64", "fileexists", "fileset", "pathexpand"]

file "module" {
  names = ["*.nomad", "*.nomad.hcl"]
}

format {
  files  = ["*.nomad", "*.hcl"]
  hidden = true
}

# Nomad evaluates defaults without a context, so strings in them are not templates.
block "variable" {
  role       = "input"
  labels     = ["name"]
  defines    = "var.{name}"
  attributes = ["type", "default", "description"]
  blocks     = ["validation"]
  static     = ["type"]
  strings    = { default = "text", description = "text" }
}

block "variables" {
  role     = "inputs"
  defines  = "var.{attribute}"
  contents = "attributes"
  strings  = { "*" = "text" }
}

block "locals" {
  role     = "values"
  defines  = "local.{attribute}"
  contents = "attributes"
}

block "job" {
  role     = "object"
  any_name = true
  labels   = ["name"]
  defines  = "job.{name}"
  contents = "open"
}

nested "validation" {
  in       = ["variable"]
  role     = "condition"
  contents = "attributes"
}

nested "group" {
  in       = ["*"]
  labels   = ["name"]
  contents = "open"
}

nested "task" {
  in       = ["*"]
  labels   = ["name"]
  contents = "open"
}

nested "port" {
  in       = ["*"]
  labels   = ["name"]
  contents = "attributes"
}

nested "device" {
  in       = ["*"]
  labels   = ["type"]
  contents = "open"
}

nested "volume" {
  in       = ["*"]
  labels   = ["name"]
  contents = "open"
}

# Drivers read it.
nested "config" {
  in         = ["*"]
  contents   = "open"
  as_written = true
}

nested "env" {
  in       = ["*"]
  contents = "attributes"
}

nested "meta" {
  in       = ["*"]
  contents = "attributes"
}

nested "parameterized" {
  in       = ["*"]
  contents = "attributes"
}

nested "periodic" {
  in       = ["*"]
  contents = "attributes"
}

nested "multiregion" {
  in       = ["*"]
  contents = "open"
}

nested "region" {
  in       = ["multiregion"]
  labels   = ["name"]
  contents = "open"
}

nested "resources" {
  in       = ["*"]
  contents = "open"
}

nested "network" {
  in       = ["*"]
  contents = "open"
}

nested "dns" {
  in       = ["*"]
  contents = "attributes"
}

nested "constraint" {
  in       = ["*"]
  contents = "attributes"
}

nested "affinity" {
  in       = ["*"]
  contents = "open"
}

nested "spread" {
  in       = ["*"]
  contents = "open"
}

nested "target" {
  in       = ["spread"]
  labels   = ["name"]
  contents = "attributes"
}

nested "update" {
  in       = ["*"]
  contents = "attributes"
}

nested "migrate" {
  in       = ["*"]
  contents = "attributes"
}

nested "restart" {
  in       = ["*"]
  contents = "attributes"
}

nested "reschedule" {
  in       = ["*"]
  contents = "attributes"
}

nested "disconnect" {
  in       = ["*"]
  contents = "attributes"
}

nested "ephemeral_disk" {
  in       = ["*"]
  contents = "attributes"
}

nested "service" {
  in       = ["*"]
  contents = "open"
}

nested "check" {
  in       = ["*"]
  contents = "open"
}

nested "check_restart" {
  in       = ["*"]
  contents = "attributes"
}

nested "connect" {
  in       = ["*"]
  contents = "open"
}

nested "sidecar_service" {
  in       = ["*"]
  contents = "open"
}

nested "sidecar_task" {
  in       = ["*"]
  contents = "open"
}

nested "proxy" {
  in       = ["*"]
  contents = "open"
}

nested "upstreams" {
  in       = ["*"]
  contents = "open"
}

nested "expose" {
  in       = ["*"]
  contents = "open"
}

nested "gateway" {
  in       = ["*"]
  contents = "open"
}

nested "template" {
  in       = ["*"]
  contents = "open"
}

nested "artifact" {
  in       = ["*"]
  contents = "open"
}

nested "options" {
  in       = ["artifact"]
  contents = "attributes"
}

nested "headers" {
  in       = ["artifact"]
  contents = "attributes"
}

nested "lifecycle" {
  in       = ["*"]
  contents = "attributes"
}

nested "logs" {
  in       = ["*"]
  contents = "attributes"
}

nested "vault" {
  in       = ["*"]
  contents = "attributes"
}

nested "consul" {
  in       = ["*"]
  contents = "attributes"
}

nested "identity" {
  in       = ["*"]
  contents = "attributes"
}

nested "scaling" {
  in       = ["*"]
  contents = "open"
}

nested "policy" {
  in       = ["scaling"]
  contents = "open"
}

nested "check" {
  in       = ["policy"]
  labels   = ["name"]
  contents = "open"
}

nested "strategy" {
  in       = ["check"]
  labels   = ["name"]
  contents = "attributes"
}

nested "volume_mount" {
  in       = ["*"]
  contents = "attributes"
}

nested "csi_plugin" {
  in       = ["*"]
  contents = "attributes"
}

nested "dispatch_payload" {
  in       = ["*"]
  contents = "attributes"
}

nested "numa" {
  in       = ["*"]
  contents = "attributes"
}

nested "action" {
  in       = ["*"]
  labels   = ["name"]
  contents = "attributes"
}

nested "schedule" {
  in       = ["*"]
  contents = "open"
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
