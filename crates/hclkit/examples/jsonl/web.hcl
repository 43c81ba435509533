service "http" "web" {
  port  = 8000 + 80
  hosts = [for zone in ["a", "b"] : "${zone}.example.com"]
  image = var.image

  check {
    path = "/healthz"
  }
}

service "http" "api" {}
