# Test files of OpenTofu 1.12, as far as they differ from those of Terraform.

name    = "opentofu-tests"
extends = "terraform-tests"

# A target can be all instances, such as `aws_instance.web[*]`.
wildcards = true

# Several runs can have the same name.
block "file" {
  attributes = []
  blocks     = ["mock_provider", "override_data", "override_module", "override_resource", "provider", "run", "test", "variable", "variables"]
  once       = ["test", "variables"]
}

block "mock_provider" {
  labels     = ["name"]
  attributes = ["alias", "for_each", "override_during", "source"]
  keywords   = { override_during = ["plan", "apply"] }
  constants  = { source = string }
  blocks     = ["mock_data", "mock_resource", "override_data", "override_resource"]
  unique     = ["mock_data", "mock_resource"]
}
