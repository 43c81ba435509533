# Test files of Terraform up to 1.15: which blocks they have. The blocks `file` and `mocks` are whole files, and
# all others can only be in the blocks that name them.

name      = "terraform-tests"
functions = "terraform"

# Attributes, in any block, whose strings are references.
reference_strings = ["expect_failures", "replace", "target"]

block "file" {
  attributes = []
  blocks     = ["mock_provider", "override_data", "override_module", "override_resource", "provider", "run", "test", "variable", "variables"]
  once       = ["test", "variables"]
  unique     = ["run", "variable"]
}

block "mocks" {
  attributes = []
  blocks     = ["mock_data", "mock_resource", "override_data", "override_resource"]
  unique     = ["mock_data", "mock_resource"]
}

block "test" {
  attributes = ["parallel"]
  constants  = { parallel = bool }
}

block "variable" {
  labels     = ["name"]
  defines    = "var.{name}"
  attributes = ["default", "deprecated", "description", "ephemeral", "nullable", "sensitive", "type"]
}

block "variables" {
  role = "values"
}

block "provider" {
  labels   = ["name"]
  contents = "open"
  refused = ["count", "depends_on", "lifecycle", "locals", "source", "version"]
}

block "run" {
  labels     = ["name"]
  defines    = "run.{name}"
  # `backend` and `skip_cleanup` are experiments.
  attributes = ["command", "expect_failures", "parallel", "providers", "state_key"]
  keywords   = { command = ["apply", "plan"] }
  constants  = { parallel = bool, state_key = string }
  blocks     = ["assert", "module", "override_data", "override_module", "override_resource", "plan_options", "variables"]
  once       = ["module", "plan_options", "variables"]
  strings    = { expect_failures = "source", providers = "source" }
}

block "assert" {
  attributes = ["condition", "error_message"]
  required   = ["condition", "error_message"]
}

block "module" {
  attributes  = ["source", "version"]
  required    = ["source"]
  constants   = { source = string }
  strings     = { source = "templates" }
  constraints = ["version"]
}

block "plan_options" {
  attributes = ["mode", "refresh", "replace", "target"]
  keywords   = { mode = ["normal", "refresh-only"] }
  constants  = { refresh = bool }
  strings    = { replace = "source", target = "source" }
}

block "mock_provider" {
  labels     = ["name"]
  attributes = ["alias", "override_during", "source"]
  keywords   = { override_during = ["plan", "apply"] }
  constants  = { source = string }
  blocks     = ["mock_data", "mock_resource", "override_data", "override_resource"]
  unique     = ["mock_data", "mock_resource"]
}

block "mock_resource" {
  labels     = ["type"]
  attributes = ["defaults", "override_during"]
  keywords   = { override_during = ["plan", "apply"] }
}

block "mock_data" {
  labels     = ["type"]
  attributes = ["defaults", "override_during"]
  keywords   = { override_during = ["plan", "apply"] }
}

block "override_resource" {
  attributes = ["override_during", "target", "values"]
  required   = ["target"]
  keywords   = { override_during = ["plan", "apply"] }
  strings    = { target = "source" }
}

block "override_data" {
  attributes = ["override_during", "target", "values"]
  required   = ["target"]
  keywords   = { override_during = ["plan", "apply"] }
  strings    = { target = "source" }
}

block "override_module" {
  attributes = ["outputs", "override_during", "target"]
  required   = ["target"]
  keywords   = { override_during = ["plan", "apply"] }
  strings    = { target = "source" }
}
