# Test files of OpenTofu 1.12, as far as they differ from those of Terraform.

name    = "opentofu-tests"
extends = "terraform-tests"

# Which configurations of providers a run needs is only found when it runs, and those that are mocked may be declared, too.
late_providers = true

# Several runs can have the same name.
block "file" {
  attributes = []
  blocks     = ["mock_provider", "override_data", "override_module", "override_resource", "provider", "run", "variables"]
  once       = ["variables"]
}

block "run" {
  labels     = ["name"]
  defines    = "run.{name}"
  attributes = ["command", "expect_failures", "providers"]
  keywords   = { command = ["apply", "plan"] }
  blocks     = ["assert", "module", "override_data", "override_module", "override_resource", "plan_options", "variables"]
  once       = ["module", "plan_options", "variables"]
  strings    = { expect_failures = "source", providers = "source" }
}

block "mock_provider" {
  labels     = ["name"]
  attributes = ["alias", "for_each"]
  blocks     = ["mock_data", "mock_resource", "override_data", "override_resource"]
  unique     = ["mock_data", "mock_resource"]
}

block "mock_resource" {
  labels     = ["type"]
  attributes = ["defaults"]
}

block "mock_data" {
  labels     = ["type"]
  attributes = ["defaults"]
}

block "override_resource" {
  attributes = ["target", "values"]
  required   = ["target"]
  strings    = { target = "source" }
}

block "override_data" {
  attributes = ["target", "values"]
  required   = ["target"]
  strings    = { target = "source" }
}

block "override_module" {
  attributes = ["outputs", "target"]
  required   = ["target"]
  strings    = { target = "source" }
}
