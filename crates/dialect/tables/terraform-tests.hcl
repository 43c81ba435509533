# The test and mock files of Terraform 1.11 and OpenTofu 1.12.

name = "terraform-tests"

# Attributes, in any block, whose strings are references.
reference_strings = ["expect_failures", "replace", "target"]

block "test" {
  contents = "attributes"
}

block "variables" {
  contents = "attributes"
}

block "provider" {
  labels   = ["name"]
  contents = "open"
}

block "run" {
  labels   = ["name"]
  keywords = { command = ["plan", "apply"] }
  static   = ["providers"]
  blocks   = ["assert", "module", "override_data", "override_module", "override_resource", "plan_options", "variables"]
}

block "mock_provider" {
  labels = ["name"]
  blocks = ["mock_data", "mock_resource", "override_data", "override_module", "override_resource"]
}

block "mock_resource" {
  labels   = ["type"]
  contents = "attributes"
}

block "mock_data" {
  labels   = ["type"]
  contents = "attributes"
}

block "override_resource" {
  contents = "attributes"
  static   = ["target"]
}

block "override_data" {
  contents = "attributes"
  static   = ["target"]
}

block "override_module" {
  contents = "attributes"
  static   = ["target"]
}

nested "assert" {
  contents = "attributes"
}

nested "variables" {
  contents = "attributes"
}

nested "module" {
  contents = "attributes"
}

nested "plan_options" {
  contents = "attributes"
  keywords = { mode = ["normal", "refresh-only"] }
}

nested "mock_resource" {
  labels   = ["type"]
  contents = "attributes"
}

nested "mock_data" {
  labels   = ["type"]
  contents = "attributes"
}

nested "override_resource" {
  contents = "attributes"
  static   = ["target"]
}

nested "override_data" {
  contents = "attributes"
  static   = ["target"]
}

nested "override_module" {
  contents = "attributes"
  static   = ["target"]
}
