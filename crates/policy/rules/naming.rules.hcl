# Names. The pattern is a parameter.

param "name_pattern" {
  type        = string
  default     = "^[a-z][a-z0-9_]*$"
  description = "The regular expression that names match."
}

param "resource_name_in_type" {
  type        = bool
  default     = false
  description = "Whether the name of a resource may repeat its type."
}

param "max_file_blocks" {
  type        = number
  default     = 100
  description = "How many blocks of resources a directory has at most."
}

rule "naming-resource" {
  match     = ["resource.*.*", "data.*.*"]
  condition = can(regex(param.name_pattern, item.name))
  message   = "The name ${item.name} of a resource does not match ${param.name_pattern}."
  summary   = "Name of a resource"
  severity  = "warning"
  docs      = "Set the pattern with --param name_pattern=PATTERN."
}

test "naming-resource: failing" {
  rules  = ["naming-resource"]
  expect = ["naming-resource"]
  source = <<-EOT
    resource "terraform_data" "MyData" {
      input = 1
    }
  EOT
}

test "naming-resource: passing" {
  rules  = ["naming-resource"]
  source = <<-EOT
    resource "terraform_data" "my_data" {
      input = 1
    }
  EOT
}

rule "naming-variable" {
  match     = "variable.*"
  condition = can(regex(param.name_pattern, item.name))
  message   = "The name ${item.name} of a variable does not match ${param.name_pattern}."
  summary   = "Name of a variable"
  severity  = "warning"
  docs      = "Set the pattern with --param name_pattern=PATTERN."
}

test "naming-variable: failing" {
  rules  = ["naming-variable"]
  expect = ["naming-variable"]
  source = <<-EOT
    variable "myRegion" {}
  EOT
}

test "naming-variable: passing" {
  rules  = ["naming-variable"]
  source = <<-EOT
    variable "my_region" {}
  EOT
}

rule "naming-output" {
  match     = "output.*"
  condition = can(regex(param.name_pattern, item.name))
  message   = "The name ${item.name} of an output does not match ${param.name_pattern}."
  summary   = "Name of an output"
  severity  = "warning"
  docs      = "Set the pattern with --param name_pattern=PATTERN."
}

test "naming-output: failing" {
  rules  = ["naming-output"]
  expect = ["naming-output"]
  source = <<-EOT
    output "theId" {
      value = 1
    }
  EOT
}

test "naming-output: passing" {
  rules  = ["naming-output"]
  source = <<-EOT
    output "the_id" {
      value = 1
    }
  EOT
}

rule "naming-module" {
  match     = "module.*"
  condition = can(regex(param.name_pattern, item.name))
  message   = "The name ${item.name} of a module call does not match ${param.name_pattern}."
  summary   = "Name of a module call"
  severity  = "warning"
  docs      = "Set the pattern with --param name_pattern=PATTERN."
}

test "naming-module: failing" {
  rules  = ["naming-module"]
  expect = ["naming-module"]
  source = <<-EOT
    module "my-net" {
      source = "./net"
    }
  EOT
}

test "naming-module: passing" {
  rules  = ["naming-module"]
  source = <<-EOT
    module "my_net" {
      source = "./net"
    }
  EOT
}

rule "naming-local" {
  match     = "locals.*"
  condition = can(regex(param.name_pattern, item.name))
  message   = "The name ${item.name} of a local value does not match ${param.name_pattern}."
  summary   = "Name of a local value"
  severity  = "warning"
  docs      = "Set the pattern with --param name_pattern=PATTERN."
}

test "naming-local: failing" {
  rules  = ["naming-local"]
  expect = ["naming-local"]
  source = <<-EOT
    locals {
      myName = 1
    }
  EOT
}

test "naming-local: passing" {
  rules  = ["naming-local"]
  source = <<-EOT
    locals {
      my_name = 1
    }
  EOT
}

rule "naming-type-in-name" {
  match     = "resource.*.*"
  condition = param.resource_name_in_type || !strcontains(item.name, replace(item.labels[0], "/^[^_]*_/", ""))
  message   = "The name ${item.name} repeats the type of the resource."
  summary   = "Name that repeats its type"
  severity  = "warning"
  docs      = "The address already has the type."
}

test "naming-type-in-name: failing" {
  rules  = ["naming-type-in-name"]
  expect = ["naming-type-in-name"]
  source = <<-EOT
    resource "aws_subnet" "private_subnet" {}
  EOT
}

test "naming-type-in-name: passing" {
  rules  = ["naming-type-in-name"]
  source = <<-EOT
    resource "aws_subnet" "private" {}
  EOT
}
