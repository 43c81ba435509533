# The deployments of Terraform Stacks, as HCP Terraform documents them.

name      = "stack-deployments"
title     = "deployments of Terraform Stacks"
functions = "terraform"

file "module" {
  names = ["*.tfdeploy.hcl"]
}

block "locals" {
  role     = "values"
  defines  = "local.{attribute}"
  contents = "attributes"
}

block "deployment" {
  labels   = ["name"]
  defines  = "deployment.{name}"
  contents = "attributes"
}

block "deployment_group" {
  labels   = ["name"]
  defines  = "deployment_group.{name}"
  contents = "attributes"
}

block "deployment_auto_approve" {
  labels  = ["name"]
  defines = "deployment_auto_approve.{name}"
  blocks  = ["check"]
}

# What came before `deployment_auto_approve`.
block "orchestrate" {
  labels  = ["type", "name"]
  defines = "orchestrate.{type}.{name}"
  blocks  = ["check"]
}

block "identity_token" {
  labels   = ["name"]
  defines  = "identity_token.{name}"
  contents = "attributes"
}

block "store" {
  labels   = ["type", "name"]
  defines  = "store.{type}.{name}"
  contents = "attributes"
}

block "publish_output" {
  labels   = ["name"]
  defines  = "publish_output.{name}"
  contents = "attributes"
}

block "upstream_input" {
  labels   = ["name"]
  defines  = "upstream_input.{name}"
  contents = "attributes"
}

nested "check" {
  contents = "attributes"
}
