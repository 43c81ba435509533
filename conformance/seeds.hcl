#----
terraform {
  required_version = ">= 1.5"

  required_providers {
    cloud = {
      source  = "example/cloud"
      version = "~> 3.1"
    }
  }
}
#----
variable "zones" {
  type = map(object({
    cidr    = string
    public  = optional(bool, false)
    tags    = optional(map(string), {})
  }))
  default     = {}
  description = "Zones, by name"

  validation {
    condition     = alltrue([for z in values(var.zones) : can(cidrhost(z.cidr, 0))])
    error_message = "Each zone needs a CIDR block, such as \"10.0.0.0/16\"."
  }
}
#----
resource "cloud_instance" "web" {
  count = var.enabled ? length(local.names) : 0
  name  = "web-${count.index + 1}"
  image = data.cloud_image.base[0].id # the newest
  tags  = merge(local.tags, { Name = local.names[count.index], "app:tier" = "web" })

  network {
    subnet_ids = cloud_subnet.all[*].id
    groups     = cloud_group.web.*.id
  }

  dynamic "disk" {
    for_each = var.disks
    iterator = it
    content {
      size = it.value.size * 1024
      kind = lookup(it.value, "kind", null)
    }
  }

  lifecycle { ignore_changes = [tags] }
}
#----
locals {
  by_zone = { for k, v in var.zones : v.zone => k... if v.enabled && !v.hidden }
  names   = [for i, n in var.names : format("%s-%02d", n, i) if n != ""]
  flat    = flatten([
    for k, z in var.zones : [
      for s in z.subnets : {
        zone = k
        cidr = s
      }
    ]
  ])
  total = (1 + 2) * 3 - 4 / 2 % 5
  is_ok = 1 < 2 && 3 >= 2 || !(1 == 2) && -1 != 1
  old   = module.net.subnets.0.id
}
#----
output "script" {
  value = <<-EOT
    #!/bin/sh
    echo "${var.greeting}, $${USER}!"
    %{ for host in local.hosts ~}
    ping -c 1 ${host}
    %{ endfor ~}
    %{ if var.debug }set -x%{ else }true%{ endif }
  EOT
  sensitive = true
}
#----
/*
 A job for a scheduler.
*/
job "cache" {
  datacenters = ["dc1", "dc2"]
  type = "service"

  group "main" {
    count = 3
    task "redis" {
      driver = "docker"
      config {
        image = "redis:${var.version}"
        args  = ["--port", "${NOMAD_PORT_db}"]
      }
      template {
        data = <<EOF
bind {{ env "NOMAD_IP_db" }}
maxmemory 100mb
EOF
        destination = "local/redis.conf"
      }
    }
  }
}
#----
source "builder" "base" {
  ami_name = "base-{{timestamp}}"
  filters  = { name = "linux-*", root = "ebs" }
}
build {
  sources = ["source.builder.base"]
  provisioner "shell" {
    inline = [
      "sleep 10",
      "echo \"done\" > /tmp/x",
    ]
  }
}
#----
group "default" { targets = ["app", "db"] }
target "app" {
  dockerfile = "Dockerfile"
  platforms  = ["linux/amd64", "linux/arm64"]
  args       = { VERSION = notequal("", TAG) ? "v${TAG}" : "dev" }
}
function "up" {
  params = [s]
  result = upper(s)
}
#----
include "root" { path = find_in_parent_folders() }
inputs = merge(
  include.root.locals.common,
  {
    env  = "prod"
    keys = [for f in fileset(".", "*.pub") : file(f)]
  },
)
#----
a = "pre ${~ x ~} mid %{ if y ~} yes %{~ else ~} no %{~ endif } post"
b = provider::tool::decode("x", [1, 2, 3]...)
c = {
  "quoted"   : 1
  (var.key)  : 2,
  bare       = 3, 4 = "four"
  "t${var.x}" = null
}
d = x ? y : z ? "1" : "2"
e = [
  # comment
  1, 2, // two
  3 /* three */,
]
f = a[*].b[0]["c"].d.*.e
g = "\u00e9\U0001f600\t\\\"\n$${x} %%{y}"
h = 1.5e-3
