# A small shop: a network with a subnet for each zone, services behind a load balancer, a database.

locals {
  name  = "shop-${var.environment}"
  zones = var.environment == "production" ? ["a", "b", "c"] : ["a"]

  tags = {
    Application = "shop"
    Environment = var.environment
  }

  public = { for name, service in var.services : name => service.port if service.public }
}

module "network" {
  source = "./network"
  name   = local.name
  cidr   = var.network
  zones  = local.zones
  tags   = local.tags
}

resource "aws_ecs_service" "all" {
  for_each = var.services

  name          = "${local.name}-${each.key}"
  desired_count = each.value.replicas * length(local.zones)

  network_configuration {
    subnets = module.network.subnet_ids
  }

  tags = merge(local.tags, { Service = each.key })
}

resource "aws_security_group" "public" {
  name   = "${local.name}-public"
  vpc_id = module.network.vpc_id

  dynamic "ingress" {
    for_each = local.public

    content {
      description = ingress.key
      from_port   = ingress.value
      to_port     = ingress.value
      protocol    = "tcp"
      cidr_blocks = ["0.0.0.0/0"]
    }
  }
}

resource "aws_db_instance" "main" {
  identifier     = local.name
  instance_class = var.environment == "production" ? "db.r6g.large" : "db.t4g.small"
  password       = var.database_password
  multi_az       = length(local.zones) > 1
}
