variable "name" {
  default = "shop"
}

locals {
  ranges = {for zone in ["a","b"]: zone => cidrsubnet("10.0.0.0/16", 8, index(["a","b"], zone))}
  host = "${var.nmae}.example.com"
}

module "net" {
  source = "./net"
  range  = local.ranges["a"]
  zones  = ["a", "b"]
}

output "address" {
  value = module.net.first
}
