// Images of the shop: `docker buildx bake` builds the default group for the machine it runs on,
// `docker buildx bake release` all of them for all platforms.

variable "REGISTRY" {
  default = "registry.example.com/shop"
}

variable "VERSION" {
  default = "dev"

  validation {
    condition     = VERSION == "dev" || can(regex("^v[0-9]+\\.[0-9]+\\.[0-9]+$", VERSION))
    error_message = "VERSION is dev, or looks like v1.2.3."
  }
}

variable "PLATFORMS" {
  default = ["linux/amd64", "linux/arm64"]
}

function "tags" {
  params = [image]
  result = [
    "${REGISTRY}/${image}:${VERSION}",
    VERSION == "dev" ? "" : "${REGISTRY}/${image}:latest",
  ]
}

function "major" {
  params         = [version]
  variadic_params = rest
  result         = split(".", trimprefix(version, "v"))[0]
}

group "default" {
  targets = ["web", "worker"]
}

group "release" {
  targets = ["release-web", "release-worker", "docs"]
}

target "_common" {
  dockerfile = "Dockerfile"
  pull       = true
  args = {
    GO_VERSION = "1.24"
    VERSION    = VERSION
    MAJOR      = major(VERSION)
  }
  labels = {
    "org.opencontainers.image.source"  = "https://git.example.com/shop"
    "org.opencontainers.image.version" = VERSION
  }
}

target "web" {
  inherits = ["_common"]
  target   = "web"
  tags     = tags("web")
}

target "worker" {
  inherits = ["_common"]
  target   = "worker"
  tags     = tags("worker")
}

target "release" {
  name       = "release-${image.name}"
  matrix     = { image = [{ name = "web", race = false }, { name = "worker", race = true }] }
  inherits   = [image.name]
  platforms  = PLATFORMS
  args       = { RACE = image.race ? 1 : null }
  cache-from = [for platform in PLATFORMS : "type=registry,ref=${REGISTRY}/cache:${replace(platform, "/", "-")}"]
  output     = ["type=registry"]
}

target "docs" {
  context           = "./docs"
  dockerfile-inline = <<EOT
FROM python:3.13-slim
RUN pip install mkdocs
CMD ["mkdocs", "serve", "--dev-addr", "0.0.0.0:$${PORT}"]
EOT
}
