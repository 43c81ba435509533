locals {
  hosts  = [for zone in local.zones : "${local.prefix}-${zone}"]
  prefix = "${local.name}-${local.environment}"
  name   = "shop"

  environment = "production"
}
