# A small web service on AWS: a network, a group of machines behind a load balancer, and its DNS names.

terraform {
  required_version = ">= 1.6"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.40"
    }
  }

  backend "s3" {
    bucket = "acme-terraform-state"
    key    = "web/terraform.tfstate"
    region = "eu-central-1"
  }
}

provider "aws" {
  region = var.region

  default_tags {
    tags = local.tags
  }
}

locals {
  name = "${var.project}-${var.environment}"

  tags = {
    Project       = var.project
    Environment   = var.environment
    "acme:ticket" = "OPS-1042"
    (var.tag_key) = "terraform"
  }

  # One subnet for each zone, numbered as the zones are.
  subnets = {
    for index, zone in var.zones : zone => cidrsubnet(var.network, 8, index)
    if !contains(var.excluded_zones, zone)
  }

  # Ports by protocol, to open each protocol once: { tcp = [80, 443], udp = [53] }.
  ports    = { for rule in var.rules : rule.protocol => rule.port... }
  is_prod  = var.environment == "production"
  replicas = local.is_prod ? max(3, length(var.zones)) : 1
}

resource "aws_vpc" "main" {
  cidr_block           = var.network
  enable_dns_hostnames = true

  tags = merge(local.tags, { Name = local.name })
}

resource "aws_subnet" "main" {
  for_each = local.subnets

  vpc_id            = aws_vpc.main.id
  availability_zone = each.key
  cidr_block        = each.value
}

resource "aws_security_group" "web" {
  name   = "${local.name}-web"
  vpc_id = aws_vpc.main.id

  dynamic "ingress" {
    for_each = var.rules
    iterator = rule

    content {
      description = coalesce(rule.value.description, "Rule ${rule.key + 1}")
      protocol    = rule.value.protocol
      from_port   = rule.value.port
      to_port     = rule.value.port
      cidr_blocks = rule.value.public ? ["0.0.0.0/0"] : [var.network]
    }
  }

  lifecycle { create_before_destroy = true }
}

resource "aws_instance" "web" {
  count = local.replicas

  ami                    = data.aws_ami.debian.id
  instance_type          = local.is_prod ? var.sizes.production : var.sizes["development"]
  subnet_id              = values(aws_subnet.main)[count.index % length(local.subnets)].id
  vpc_security_group_ids = [aws_security_group.web.id]

  user_data = <<-EOT
    #!/bin/sh
    set -eu
    hostnamectl set-hostname ${local.name}-${count.index}
    %{~ for package in sort(var.packages) ~}
    apt-get install --yes ${package}
    %{~ endfor ~}
    %{ if local.is_prod }systemctl enable --now node-exporter%{ else }echo "no metrics here"%{ endif }
    # Variables of the shell are written with two dollar signs:
    echo "$${HOSTNAME} is ready" | logger
  EOT

  root_block_device {
    volume_size = 20 * (local.is_prod ? 4 : 1)
    encrypted   = true
  }
}

data "aws_ami" "debian" {
  most_recent = true
  owners      = ["136693071363"]

  filter {
    name   = "name"
    values = ["debian-12-amd64-*"]
  }
}
