# Tests of policies of Terraform, as HashiCorp documents them for tfpolicy 0.4.

name          = "terraform-policytest"
title         = "tests of policies of Terraform"
functions     = "terraform"
single_files  = true
runtime_names = true

file "module" {
  names = ["*.policytest.hcl"]
}

block "policytest" {
  role       = "settings"
  attributes = ["targets"]
  blocks     = ["plugins", "terraform_config"]
  once       = ["plugins", "terraform_config"]
}

nested "plugins" {
  contents = "attributes"
}

nested "terraform_config" {
  attributes = ["required_version"]
}

block "inputs" {
  contents = "attributes"
}

block "locals" {
  role     = "values"
  defines  = "local.{attribute}"
  contents = "attributes"
}

block "resource" {
  labels     = ["type", "name"]
  any_name   = true
  attributes = ["attrs", "expect_failure", "meta", "prior_attrs", "skip"]
  blocks     = ["inputs"]
  once       = ["inputs"]
  first      = ["expect_failure", "skip", "meta", "prior_attrs", "attrs"]
}

block "data" {
  labels     = ["type", "name"]
  any_name   = true
  attributes = ["attrs"]
  required   = ["attrs"]
}

block "module" {
  labels     = ["source", "name"]
  any_name   = true
  attributes = ["attrs", "expect_failure", "meta"]
  blocks     = ["inputs"]
  once       = ["inputs"]
  first      = ["expect_failure", "meta", "attrs"]
}

block "provider" {
  labels     = ["type", "name"]
  any_name   = true
  attributes = ["attrs", "expect_failure", "meta"]
  blocks     = ["inputs"]
  once       = ["inputs"]
  first      = ["expect_failure", "meta", "attrs"]
}

nested "inputs" {
  in       = ["module", "provider", "resource"]
  contents = "attributes"
}
