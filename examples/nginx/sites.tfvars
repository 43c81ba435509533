# Settings that differ between installations.

limits = {
  body                = "16m"
  requests_per_second = 20
}

gzip_types = ["text/css", "application/javascript", "application/json", "image/svg+xml"]

headers = {
  X-Content-Type-Options = "nosniff"
  X-Frame-Options        = "SAMEORIGIN"
}

upstreams = {
  shop = [
    { host = "10.0.1.10" },
    { host = "10.0.1.11" },
    { host = "10.0.9.10", port = 8081, backup = true },
  ]
  status = [
    { host = "127.0.0.1", port = 9000 },
  ]
}

sites = [
  {
    names = ["shop.example.com", "www.shop.example.com"]
    tls   = true
    locations = {
      "/"        = "shop"
      "/static/" = "/srv/shop"
    }
  },
  {
    names     = ["status.internal"]
    tls       = false
    locations = { "/" = "status" }
  },
]
