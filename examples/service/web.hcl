# A web shop, in the language of service.hcldec.
name     = "shop-${environment}"
image    = "${registry}/shop:${release}"
replicas = environment == "production" ? 3 : 1

# A listener for each tenant.
dynamic "listen" {
  for_each = tenants
  iterator = tenant

  content {
    port = port(tenant.value)

    tls {
      certificate = "/etc/certificates/${tenant.key}.pem"
    }
  }
}

listen {
  port     = 9090
  protocol = "metrics"
}

check "alive" {
  path = "/healthz"
}

check "ready" {
  path  = "/ready"
  every = "30s"
}

env {
  LOG_LEVEL = environment == "production" ? "info" : "debug"
  BANNER    = <<-EOT
    This is ${environment}.
    Be kind.
  EOT
}

resources {
  cpu    = 0.5
  memory = "512Mi"
}
