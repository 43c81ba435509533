variable "name" {
  type = string
}

variable "cidr" {
  type = string
}

variable "zones" {
  type = list(string)
}

variable "tags" {
  type    = map(string)
  default = {}
}

locals {
  cidrs = { for at, zone in var.zones : zone => cidrsubnet(var.cidr, 8, at) }
}

resource "aws_vpc" "main" {
  cidr_block = var.cidr
  tags       = merge(var.tags, { Name = var.name })
}

resource "aws_subnet" "zones" {
  for_each = local.cidrs

  vpc_id            = aws_vpc.main.id
  availability_zone = "eu-west-1${each.key}"
  cidr_block        = each.value
  tags              = merge(var.tags, { Name = "${var.name}-${each.key}" })
}

output "vpc_id" {
  value = aws_vpc.main.id
}

output "subnet_ids" {
  value = [for subnet in aws_subnet.zones : subnet.id]
}

output "cidrs" {
  value = { for zone, subnet in aws_subnet.zones : zone => subnet.cidr_block }
}
