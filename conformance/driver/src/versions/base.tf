terraform {
  required_version = ">= 1.0"
}
variable "v" {
  type = string
  default = "v"
  description = "A variable."
  validation {
    condition = length(var.v) > 0
    error_message = "A sentence."
  }
}
variable "l" {
  type = list(string)
  default = ["a"]
}
variable "s" {
  type = string
  sensitive = true
  default = "s"
}
variable "e" {
  type = string
  ephemeral = true
  default = "e"
}
locals {
  l = "local"
}
resource "terraform_data" "r" {
  input = var.v
  triggers_replace = local.l
  depends_on = [terraform_data.c]
  lifecycle {
    create_before_destroy = true
    ignore_changes = [input]
    replace_triggered_by = [terraform_data.f]
    precondition {
      condition = var.v != "x"
      error_message = "A sentence."
    }
    postcondition {
      condition = self.id != ""
      error_message = "A sentence."
    }
  }
  connection {
    type = "ssh"
    host = "h"
  }
  provisioner "local-exec" {
    command = "true"
    when = create
    on_failure = continue
    environment = { A = "b" }
  }
}
resource "terraform_data" "c" {
  count = 1
  input = count.index
}
resource "terraform_data" "f" {
  for_each = toset(["k"])
  input = each.key
}
data "terraform_remote_state" "d" {
  backend = "local"
  config = { path = "x" }
}
module "m" {
  source = "./m"
  i = var.v
}
output "o" {
  value = terraform_data.r.output
  description = "A result."
  sensitive = false
  depends_on = [terraform_data.r]
  precondition {
    condition = var.v != "x"
    error_message = "A sentence."
  }
}
check "k" {
  assert {
    condition = terraform_data.r.id != ""
    error_message = "A sentence."
  }
}
moved {
  from = terraform_data.old
  to = terraform_data.r
}
removed {
  from = terraform_data.gone
  lifecycle {
    destroy = false
  }
}
import {
  to = terraform_data.f["k"]
  id = "x"
}
