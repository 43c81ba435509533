# Rules for files of Docker Bake.

rule "bake-no-latest-base" {
  match     = "target.*"
  condition = alltrue([for own in values(self.contexts == null ? {} : self.contexts) : !endswith(own, ":latest")])
  message   = "A context is an image with the tag latest."
  summary   = "Base image without a fixed tag"
  at        = "contexts"
  docs      = "The next build can get another image."
}

test "bake-no-latest-base: failing" {
  name   = "docker-bake.hcl"
  rules  = ["bake-no-latest-base"]
  expect = ["bake-no-latest-base"]
  source = <<-EOT
    target "app" {
      contexts = { base = "docker-image://alpine:latest" }
    }
  EOT
}

test "bake-no-latest-base: passing" {
  name   = "docker-bake.hcl"
  rules  = ["bake-no-latest-base"]
  source = <<-EOT
    target "app" {
      contexts = { base = "docker-image://alpine:3.20" }
    }
  EOT
}

rule "bake-no-secret-args" {
  match     = "target.*.args.*"
  condition = !can(regex("(?i)(password|secret|token)", item.name))
  message   = "The argument ${item.name} looks like a secret, and arguments are in the history of the image."
  summary   = "Secret as an argument"
  docs      = "Use secret = [...], which leaves nothing in the image."
}

test "bake-no-secret-args: failing" {
  name   = "docker-bake.hcl"
  rules  = ["bake-no-secret-args"]
  expect = ["bake-no-secret-args"]
  source = <<-EOT
    target "app" {
      args = { NPM_TOKEN = "x" }
    }
  EOT
}

test "bake-no-secret-args: passing" {
  name   = "docker-bake.hcl"
  rules  = ["bake-no-secret-args"]
  source = <<-EOT
    target "app" {
      args = { VERSION = "1" }
    }
  EOT
}

rule "bake-tagged" {
  match     = "target.*"
  condition = self.tags == null || alltrue([for own in self.tags == null ? [] : self.tags : can(regex(":[^/]+$", own))])
  message   = "An image has no tag, so it gets latest."
  summary   = "Image without a tag"
  at        = "tags"
  docs      = "Name a version."
}

test "bake-tagged: failing" {
  name   = "docker-bake.hcl"
  rules  = ["bake-tagged"]
  expect = ["bake-tagged"]
  source = <<-EOT
    target "app" {
      tags = ["example/app"]
    }
  EOT
}

test "bake-tagged: passing" {
  name   = "docker-bake.hcl"
  rules  = ["bake-tagged"]
  source = <<-EOT
    target "app" {
      tags = ["example/app:1.0"]
    }
  EOT
}
