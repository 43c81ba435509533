# One environment of the shop: the module it uses, what it depends on, and the values it is given.

include "root" {
  path   = find_in_parent_folders("root.hcl")
  expose = true
}

locals {
  environment = read_terragrunt_config(find_in_parent_folders("environment.hcl"))
  account     = local.environment.locals.account_id
  region      = try(local.environment.locals.region, "eu-central-1")
  services    = ["web", "worker", "scheduler"]
}

terraform {
  source = "git::https://git.example.com/modules/service.git//ecs?ref=v3.2.0"

  extra_arguments "locking" {
    commands  = get_terraform_commands_that_need_locking()
    arguments = ["-lock-timeout=5m"]
  }

  before_hook "format" {
    commands = ["plan", "apply"]
    execute  = ["terraform", "fmt", "-check"]
  }
}

dependency "network" {
  config_path = "../network"

  mock_outputs = {
    vpc_id     = "vpc-00000000"
    subnet_ids = ["subnet-1", "subnet-2"]
  }
  mock_outputs_allowed_terraform_commands = ["validate", "plan"]
}

dependencies {
  paths = ["../network", "../database"]
}

generate "provider" {
  path      = "provider.tf"
  if_exists = "overwrite_terragrunt"
  contents  = <<-EOF
    provider "aws" {
      region              = "${local.region}"
      allowed_account_ids = ["${local.account}"]
    }
  EOF
}

remote_state {
  backend = "s3"
  config = {
    bucket  = "acme-state-${local.account}"
    key     = "${path_relative_to_include()}/terraform.tfstate"
    region  = local.region
    encrypt = true
  }
}

inputs = merge(
  include.root.inputs,
  {
    vpc_id     = dependency.network.outputs.vpc_id
    subnet_ids = dependency.network.outputs.subnet_ids

    services = {
      for name in local.services : name => {
        image    = "registry.example.com/shop/${name}:${get_env("TAG", "latest")}"
        replicas = name == "web" ? 4 : 1
        public   = name == "web"
      }
    }
  },
)
