// The examples. Each is a state without a panel's inputs but those that it needs.

import type { State } from "./share";

const state = (files: Record<string, string>, panel: string, inputs: Record<string, string> = {}): State => ({
  files,
  active: Object.keys(files)[0] ?? "",
  panel,
  inputs,
});

export const examples: Record<string, State> = {
  "Terraform module": state(
    {
      "main.tf": `variable "environment" {
  type    = string
  default = "staging"

  validation {
    condition     = contains(["staging", "production"], var.environment)
    error_message = "The environment is staging or production."
  }
}

variable "token" {
  type      = string
  sensitive = true
  default   = "s3cr3t"
}

locals {
  zones = ["a", "b", "c"]
  sizes = {
    for index, zone in local.zones : "eu-central-1\${zone}" => var.environment == "production" ? 3 : index + 1
  }
}

module "network" {
  source = "./network"
  zones  = keys(local.sizes)
}

output "subnets" {
  value = module.network.subnets
}

output "greeting" {
  value = "Hello from \${upper(var.environment)}, with \${sum(values(local.sizes))} servers"
}

output "token" {
  value     = "Bearer \${var.token}"
  sensitive = true
}
`,
      "network/main.tf": `variable "zones" {
  type = list(string)
}

output "subnets" {
  value = { for index, zone in var.zones : zone => cidrsubnet("10.0.0.0/16", 8, index) }
}
`,
    },
    "values",
    { explain: "output.greeting", query: "output.*.value" },
  ),
  Packer: state(
    {
      "build.pkr.hcl": `packer {
  required_version = ">= 1.9.0"
}

variable "version" {
  type    = string
  default = "12"
}

locals {
  name = "debian-\${var.version}"
}

source "qemu" "debian" {
  vm_name   = "\${local.name}.qcow2"
  disk_size = "10G"
}

build {
  sources = ["source.qemu.debian"]

  provisioner "shell" {
    inline = ["apt-get update", "echo \${local.name}"]
  }
}
`,
    },
    "values",
    { explain: "local.name", query: "build.provisioner.shell.inline" },
  ),
  Bake: state(
    {
      "docker-bake.hcl": `variable "TAG" {
  default = "latest"
}

group "default" {
  targets = ["app", "worker"]
}

target "base" {
  context   = "."
  platforms = ["linux/amd64", "linux/arm64"]
}

target "app" {
  inherits = ["base"]
  tags     = ["example/app:\${TAG}"]
}

target "worker" {
  inherits = ["base"]
  tags     = ["example/worker:\${TAG}"]
}
`,
    },
    "values",
    { query: "target.*.tags" },
  ),
  Nomad: state(
    {
      "shop.nomad.hcl": `job "shop" {
  datacenters = ["eu-1"]

  group "web" {
    count = 2

    network {
      port "http" {
        to = 8080
      }
    }

    task "server" {
      driver = "docker"

      config {
        image = "example/shop:1.4"
        ports = ["http"]
      }
    }
  }
}
`,
    },
    "json",
    { query: "job.*.group.*.count" },
  ),
  "A language of one's own": state(
    {
      "service.hcl": `name = "shop"

listen "http" {
  port = 8000 + 80
}

listen "https" {
  port = 8443
}
`,
    },
    "decode",
    {
      query: "listen.*.port",
      decode: `object {
  attr "name" {
    type     = string
    required = true
  }
  block_map "listen" {
    labels = ["protocol"]
    object {
      attr "port" {
        type     = number
        required = true
      }
    }
  }
}
`,
    },
  ),
  "Broken files": state(
    {
      "main.tf": `variable "region" {
  type = strng
}

locals {
  name  = 'shop'
  ports = [80 443]
  size  = var.regoin
}

output "all" {
  value = local.nmae
}
`,
    },
    "problems",
    { query: "locals.*" },
  ),
};
