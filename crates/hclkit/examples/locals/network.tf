locals {
  zones    = ["a", "b"]
  subnets  = { for at, zone in local.zones : zone => "${local.network}.${at}.0/24" }
  network  = "10.42"
  upstream = local.downstream
}

locals {
  downstream = [local.upstream]
}
