# A web shop, as the spec in service.hcldec describes it.
image    = "registry.example.com/shop:${release}"
replicas = environment == "production" ? at_least(2, 3) : 1

listen {
  port = 8080
}

listen {
  port     = 9090
  protocol = "metrics"
}
