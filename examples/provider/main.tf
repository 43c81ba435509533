# Every function of the provider, on a small configuration language. The language is defined in service.hcldec; web.hcl is
# written in it.

terraform {
  required_version = ">= 1.8"

  required_providers {
    hcl = {
      source = "hclkit/hcl"
    }
  }
}

variable "environment" {
  type    = string
  default = "production"
}

variable "token" {
  type      = string
  default   = "hunter2"
  sensitive = true
}

# Its output is unknown until it is applied.
resource "terraform_data" "release" {
  input = "2.4.1"
}

locals {
  service = provider::hcl::evalconfig(file("${path.module}/web.hcl"), "${path.module}/service.hcldec", {
    environment = var.environment
    release     = terraform_data.release.output
  })
  spec   = file("${path.module}/service.hcldec")
  source = file("${path.module}/web.hcl")
}

# The plan knows the replicas, but not the image.
output "replicas" {
  value = local.service.replicas
}

output "image" {
  value = local.service.image
}

output "listeners" {
  value = { for listener in local.service.listeners : listener.port => listener.protocol }
}

output "price" {
  value = provider::hcl::evalexpr("per_replica * max(replicas, 1)", { per_replica = 12.5, replicas = local.service.replicas })
}

output "greeting" {
  value = provider::hcl::evaltemplate("Hello from $${upper(environment)}!", { environment = var.environment })
}

output "limits" {
  value = provider::hcl::evalconfigattrs("cpu = 0.5\nmemory = \"$${mb}Mi\"\n", { mb = 512 })
}

output "debug" {
  value = provider::hcl::evalconfigspec(local.source, local.spec, { environment = "debug", release = "0" }).replicas
}

output "header" {
  value     = provider::hcl::evaltemplate("Bearer $${token}", { token = var.token })
  sensitive = true
}

output "formatted" {
  value = provider::hcl::format("a=1\nlong=[1,2]\n")
}

output "json" {
  value = jsondecode(provider::hcl::tojson(local.source)).replicas
}

output "native" {
  value = provider::hcl::fromjson(jsonencode({ listen = [{ port = 80 }] }))
}

output "ports" {
  value = provider::hcl::query(local.source, "listen.port")
}

output "source" {
  value = provider::hcl::encode({ name = "web", ports = [80, 443] })
}

output "arguments" {
  value = keys(jsondecode(provider::hcl::schema(local.spec)).properties)
}
