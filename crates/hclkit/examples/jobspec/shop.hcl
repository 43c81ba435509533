task "web" {
  image   = image("2.4.1", "registry.example.com", "shop")
  cpu     = clamp(5000, 100, 4000)
  memory  = mib("2048Mi")
  timeout = "1m30s"
}

task "worker" {
  image  = image(null, "worker")
  cpu    = clamp(20, 100, 4000)
  memory = mib("512Mi")
}
