variable "range" {
  type = string
}

variable "zones" {
  type = list(string)
}

locals {
  hosts = [for zone in var.zones : "${zone}.internal"]
}

output "first" {
  value = cidrhost(var.range, 1)
}

output "hosts" {
  value = local.hosts
}
