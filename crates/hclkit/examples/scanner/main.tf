variable "region" {
  type = string
}

variable "debug" {
  type    = bool
  default = false
}

provider "aws" {
  region = var.region
}

module "network" {
  source = "./network"
  zones  = ["${var.region}a", "${var.region}b"]
}

resource "aws_instance" "web" {
  for_each  = module.network.subnets
  subnet_id = each.value
}

resource "aws_eip" "web" {
  for_each = aws_instance.web
  instance = each.value.id
}
