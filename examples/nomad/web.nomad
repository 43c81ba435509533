# A web service with a cache beside it, updated one machine after the other.

variable "image" {
  type    = string
  default = "registry.example.com/shop/web:2.4.1"
}

variable "count" {
  type    = number
  default = 3
}

job "web" {
  region      = "europe"
  datacenters = ["fra1", "ams1"]
  type        = "service"
  priority    = 70

  constraint {
    attribute = "${attr.kernel.name}"
    value     = "linux"
  }

  update {
    max_parallel     = 1
    min_healthy_time = "10s"
    healthy_deadline = "3m"
    auto_revert      = true
    canary           = var.count > 2 ? 1 : 0
  }

  group "web" {
    count = var.count

    network {
      mode = "bridge"
      port "http" { to = 8080 }
      port "metrics" {}
    }

    service {
      name = "web"
      port = "http"
      tags = ["urlprefix-/", "version-${split(":", var.image)[1]}"]

      check {
        type     = "http"
        path     = "/healthz"
        interval = "10s"
        timeout  = "2s"
      }
    }

    task "app" {
      driver = "docker"

      config {
        image = var.image
        ports = ["http", "metrics"]
        args  = ["--listen", ":${NOMAD_PORT_http}", "--cache", "$${CACHE}"]
      }

      env {
        LOG_LEVEL = "info"
        CACHE     = "localhost:6379"
      }

      template {
        destination = "local/app.toml"
        change_mode = "signal"
        data        = <<EOF
[database]
{{ with secret "database/creds/web" }}
user     = "{{ .Data.username }}"
password = "{{ .Data.password }}"
{{ end }}
EOF
      }

      resources {
        cpu    = 500 # MHz
        memory = 256 # MB
      }
    }

    task "cache" {
      driver = "docker"
      lifecycle {
        hook    = "prestart"
        sidecar = true
      }
      config { image = "redis:7-alpine" }
    }
  }
}
