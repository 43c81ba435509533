locals {
  service: "web"
  port = 443
}
