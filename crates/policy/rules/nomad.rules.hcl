# Rules for jobs of Nomad.

rule "nomad-resources" {
  match     = "..task"
  condition = length(self.resources[*]) > 0
  message   = "The task has no resources."
  summary   = "Task without resources"
  severity  = "warning"
  docs      = "Without it, a task gets 100 MHz and 300 MB."
}

test "nomad-resources: failing" {
  name   = "shop.nomad.hcl"
  rules  = ["nomad-resources"]
  expect = ["nomad-resources"]
  source = <<-EOT
    job "shop" {
      group "web" {
        task "server" {
          driver = "docker"
        }
      }
    }
  EOT
}

test "nomad-resources: passing" {
  name   = "shop.nomad.hcl"
  rules  = ["nomad-resources"]
  source = <<-EOT
    job "shop" {
      group "web" {
        task "server" {
          driver = "docker"

          resources {
            memory = 256
          }
        }
      }
    }
  EOT
}

rule "nomad-privileged" {
  match     = "..task.*.config"
  condition = self.privileged == null || self.privileged == false
  message   = "The container is privileged."
  summary   = "Privileged container"
  at        = "privileged"
  docs      = "A privileged container has all rights on its node."

  fix {
    title  = "Remove privileged"
    delete = ["privileged"]
  }
}

test "nomad-privileged: failing" {
  name   = "shop.nomad.hcl"
  rules  = ["nomad-privileged"]
  expect = ["nomad-privileged"]
  source = <<-EOT
    job "shop" {
      group "web" {
        task "server" {
          driver = "docker"

          config {
            image      = "nginx:1.27"
            privileged = true
          }
        }
      }
    }
  EOT
  fixed  = <<-EOT
    job "shop" {
      group "web" {
        task "server" {
          driver = "docker"

          config {
            image = "nginx:1.27"
          }
        }
      }
    }
  EOT
}

test "nomad-privileged: passing" {
  name   = "shop.nomad.hcl"
  rules  = ["nomad-privileged"]
  source = <<-EOT
    job "shop" {
      group "web" {
        task "server" {
          driver = "docker"

          config {
            image = "nginx:1.27"
          }
        }
      }
    }
  EOT
}

rule "nomad-image-tag" {
  match     = "..task.*.config"
  condition = self.image == null ? true : can(regex("(:[^:/]+|@sha256:[0-9a-f]+)$", self.image)) && !endswith(self.image, ":latest")
  message   = "The image ${self.image} has no fixed tag."
  summary   = "Image without a fixed tag"
  at        = "image"
  docs      = "A restart can start another version."
}

test "nomad-image-tag: failing" {
  name   = "shop.nomad.hcl"
  rules  = ["nomad-image-tag"]
  expect = ["nomad-image-tag"]
  source = <<-EOT
    job "shop" {
      group "web" {
        task "server" {
          driver = "docker"

          config {
            image = "nginx:latest"
          }
        }
      }
    }
  EOT
}

test "nomad-image-tag: passing" {
  name   = "shop.nomad.hcl"
  rules  = ["nomad-image-tag"]
  source = <<-EOT
    job "shop" {
      group "web" {
        task "server" {
          driver = "docker"

          config {
            image = "nginx:1.27"
          }
        }
      }
    }
  EOT
}

rule "nomad-raw-exec" {
  match     = "..task.*.driver"
  condition = self != "raw_exec"
  message   = "The task runs without isolation."
  summary   = "Task without isolation"
  severity  = "warning"
  docs      = "raw_exec runs programs as the user of Nomad. Use exec or a container."
}

test "nomad-raw-exec: failing" {
  name   = "shop.nomad.hcl"
  rules  = ["nomad-raw-exec"]
  expect = ["nomad-raw-exec"]
  source = <<-EOT
    job "shop" {
      group "web" {
        task "server" {
          driver = "raw_exec"
        }
      }
    }
  EOT
}

test "nomad-raw-exec: passing" {
  name   = "shop.nomad.hcl"
  rules  = ["nomad-raw-exec"]
  source = <<-EOT
    job "shop" {
      group "web" {
        task "server" {
          driver = "exec"
        }
      }
    }
  EOT
}
