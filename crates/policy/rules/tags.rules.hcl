# Tags and labels. The keys are parameters.

param "required_tags" {
  type        = list(string)
  default     = ["Owner"]
  description = "The keys of the tags that every resource has."
}

param "allowed_environments" {
  type        = list(string)
  default     = ["dev", "test", "prod"]
  description = "The values that the tag Environment can have."
}

# The tags of a resource with those of the provider. Tags of merges and variables are evaluated before.
function "tags_of" {
  params = [own, providers]
  result = merge(flatten([
    [for provider in providers : [for tags in provider.self.default_tags[*] : tags.tags == null ? {} : tags.tags]],
    own == null ? {} : own,
  ])...)
}

rule "tags-required-aws" {
  match     = "resource.aws_*.*"
  # The tags of groups are a list of objects.
  where     = contains(item.set, "tags") && item.labels[0] != "aws_autoscaling_group"
  condition = alltrue([for key in param.required_tags : contains(keys(tags_of(self.tags, module.blocks.provider)), key)])
  message   = "The resource does not have all of the tags ${join(", ", param.required_tags)}."
  summary   = "Required tags"
  at        = "tags"
  docs      = "Tags of the resource count with those of default_tags of the provider, also if they come from merges and variables. Set the keys with --param required_tags=[...]."
}

test "tags-required-aws: a list" {
  rules  = ["tags-required-aws"]
  source = <<-EOT
    resource "aws_autoscaling_group" "a" {
      tags = [{ key = "Name", value = "a" }]
    }
  EOT
}

test "tags-required-aws: failing" {
  rules  = ["tags-required-aws"]
  expect = ["tags-required-aws"]
  source = <<-EOT
    locals {
      tags = { Team = "shop" }
    }

    resource "aws_instance" "a" {
      tags = merge(local.tags, { Name = "a" })
    }
  EOT
}

test "tags-required-aws: passing" {
  rules  = ["tags-required-aws"]
  source = <<-EOT
    provider "aws" {
      default_tags {
        tags = { Owner = "shop" }
      }
    }

    resource "aws_instance" "a" {
      tags = { Name = "a" }
    }
  EOT
}

rule "tags-required-azure" {
  match     = "resource.azurerm_*.*"
  where     = self.tags != null
  condition = alltrue([for key in param.required_tags : contains(keys(self.tags), key)])
  message   = "The resource does not have all of the tags ${join(", ", param.required_tags)}."
  summary   = "Required tags"
  at        = "tags"
  docs      = "Set the keys with --param required_tags=[...]."
}

test "tags-required-azure: failing" {
  rules  = ["tags-required-azure"]
  expect = ["tags-required-azure"]
  source = <<-EOT
    resource "azurerm_storage_account" "a" {
      tags = { Name = "a" }
    }
  EOT
}

test "tags-required-azure: passing" {
  rules  = ["tags-required-azure"]
  source = <<-EOT
    resource "azurerm_storage_account" "a" {
      tags = merge({ Owner = "shop" }, { Name = "a" })
    }
  EOT
}

rule "tags-required-google" {
  match     = "resource.google_*.*"
  where     = self.labels != null && item.labels[0] != "google_monitoring_notification_channel"
  condition = alltrue([for key in param.required_tags : contains(keys(self.labels), lower(key))])
  message   = "The resource does not have all of the labels ${lower(join(", ", param.required_tags))}."
  summary   = "Required labels"
  at        = "labels"
  docs      = "Labels of Google are lowercase. Set the keys with --param required_tags=[...]."
}

test "tags-required-google: failing" {
  rules  = ["tags-required-google"]
  expect = ["tags-required-google"]
  source = <<-EOT
    resource "google_storage_bucket" "a" {
      labels = { name = "a" }
    }
  EOT
}

test "tags-required-google: settings of a channel" {
  rules  = ["tags-required-google"]
  source = <<-EOT
    resource "google_monitoring_notification_channel" "a" {
      type   = "email"
      labels = { email_address = "a@example.com" }
    }
  EOT
}

test "tags-required-google: passing" {
  rules  = ["tags-required-google"]
  source = <<-EOT
    resource "google_storage_bucket" "a" {
      labels = { owner = "shop" }
    }
  EOT
}

rule "tags-environment" {
  match     = "resource.*.*"
  where     = can(self.tags.Environment)
  condition = contains(param.allowed_environments, try(self.tags.Environment, ""))
  message   = "The tag Environment is none of ${join(", ", param.allowed_environments)}."
  summary   = "Value of the tag Environment"
  at        = "tags"
  docs      = "Set the values with --param allowed_environments=[...]."
}

test "tags-environment: failing" {
  rules  = ["tags-environment"]
  expect = ["tags-environment"]
  source = <<-EOT
    resource "aws_instance" "a" {
      tags = { Environment = "production" }
    }
  EOT
}

test "tags-environment: passing" {
  rules  = ["tags-environment"]
  source = <<-EOT
    resource "aws_instance" "a" {
      tags = { Environment = "prod" }
    }
  EOT
}
