# Rules for resources of Kubernetes.

rule "kubernetes-privileged" {
  match     = ["resource.kubernetes_*..container"]
  condition = alltrue([for own in self.security_context[*] : own.privileged == null ? true : !own.privileged])
  message   = "The container is privileged."
  summary   = "Privileged container"
  docs      = "A privileged container has all rights on its node."
}

test "kubernetes-privileged: failing" {
  rules  = ["kubernetes-privileged"]
  expect = ["kubernetes-privileged"]
  source = <<-EOT
    resource "kubernetes_pod" "a" {
      metadata {
        name = "a"
      }

      spec {
        container {
          name  = "c"
          image = "nginx:1.27"

          security_context {
            privileged = true
          }
        }
      }
    }
  EOT
}

test "kubernetes-privileged: passing" {
  rules  = ["kubernetes-privileged"]
  source = <<-EOT
    resource "kubernetes_pod" "a" {
      metadata {
        name = "a"
      }

      spec {
        container {
          name  = "c"
          image = "nginx:1.27"
        }
      }
    }
  EOT
}

rule "kubernetes-image-tag" {
  match     = ["resource.kubernetes_*..container"]
  condition = self.image == null ? true : can(regex("(:[^:/]+|@sha256:[0-9a-f]+)$", self.image)) && !endswith(self.image, ":latest")
  message   = "The image ${self.image} has no fixed tag."
  summary   = "Image without a fixed tag"
  at        = "image"
  docs      = "Without a tag, or with latest, a restart can start another version."
}

test "kubernetes-image-tag: failing" {
  rules  = ["kubernetes-image-tag"]
  expect = ["kubernetes-image-tag"]
  source = <<-EOT
    resource "kubernetes_pod" "a" {
      metadata {
        name = "a"
      }

      spec {
        container {
          name  = "c"
          image = "nginx"
        }
      }
    }
  EOT
}

test "kubernetes-image-tag: passing" {
  rules  = ["kubernetes-image-tag"]
  source = <<-EOT
    resource "kubernetes_pod" "a" {
      metadata {
        name = "a"
      }

      spec {
        container {
          name  = "c"
          image = "nginx:1.27"
        }
      }
    }
  EOT
}

rule "kubernetes-resources" {
  match     = ["resource.kubernetes_*..container"]
  condition = length(self.resources[*]) > 0
  message   = "The container has no requests and limits."
  summary   = "Container without limits"
  severity  = "warning"
  docs      = "Without limits, one container can take all memory of its node."
}

test "kubernetes-resources: failing" {
  rules  = ["kubernetes-resources"]
  expect = ["kubernetes-resources"]
  source = <<-EOT
    resource "kubernetes_pod" "a" {
      metadata {
        name = "a"
      }

      spec {
        container {
          name  = "c"
          image = "nginx:1.27"
        }
      }
    }
  EOT
}

test "kubernetes-resources: passing" {
  rules  = ["kubernetes-resources"]
  source = <<-EOT
    resource "kubernetes_pod" "a" {
      metadata {
        name = "a"
      }

      spec {
        container {
          name  = "c"
          image = "nginx:1.27"

          resources {
            limits = { memory = "64Mi" }
          }
        }
      }
    }
  EOT
}

rule "kubernetes-host-network" {
  match     = ["resource.kubernetes_*..spec"]
  where     = !strcontains(item.address, "kubernetes_pod_security_policy")
  condition = try(self.host_network, false) != true
  message   = "The pod uses the network of its node."
  summary   = "Network of the node"
  at        = "host_network"
  docs      = "A pod in the network of its node can reach what listens only locally."

  fix {
    title = "Use a network of its own"
    set   = { host_network = false }
  }
}

test "kubernetes-host-network: what is not a pod" {
  rules  = ["kubernetes-host-network"]
  source = <<-EOT
    resource "kubernetes_manifest" "a" {
      manifest = {
        kind = "VerticalPodAutoscaler"
        spec = { updatePolicy = { updateMode = "Off" } }
      }
    }

    resource "kubernetes_pod_security_policy" "privileged" {
      metadata {
        name = "privileged"
      }

      spec {
        host_network = true
      }
    }
  EOT
}

test "kubernetes-host-network: failing" {
  rules  = ["kubernetes-host-network"]
  expect = ["kubernetes-host-network"]
  source = <<-EOT
    resource "kubernetes_pod" "a" {
      metadata {
        name = "a"
      }

      spec {
        host_network = true
      }
    }
  EOT
}

test "kubernetes-host-network: passing" {
  rules  = ["kubernetes-host-network"]
  source = <<-EOT
    resource "kubernetes_pod" "a" {
      metadata {
        name = "a"
      }

      spec {
        host_network = false
      }
    }
  EOT
}

rule "kubernetes-namespace" {
  match     = ["resource.kubernetes_deployment*.*", "resource.kubernetes_stateful_set*.*", "resource.kubernetes_service*.*"]
  condition = alltrue([for own in self.metadata[*] : own.namespace != null && (own.namespace == null ? "" : own.namespace) != "default"])
  message   = "The object is in the default namespace."
  summary   = "Default namespace"
  severity  = "warning"
  docs      = "Rights and quotas are those of namespaces."
}

test "kubernetes-namespace: failing" {
  rules  = ["kubernetes-namespace"]
  expect = ["kubernetes-namespace"]
  source = <<-EOT
    resource "kubernetes_service" "a" {
      metadata {
        name = "a"
      }
    }
  EOT
}

test "kubernetes-namespace: passing" {
  rules  = ["kubernetes-namespace"]
  source = <<-EOT
    resource "kubernetes_service" "a" {
      metadata {
        name      = "a"
        namespace = "shop"
      }
    }
  EOT
}
