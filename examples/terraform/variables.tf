# Variables that users of this configuration can set.

variable "project" {
  type        = string
  description = "Name of the project, the beginning of all other names"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,20}$", var.project))
    error_message = "The project is lower-case letters, digits and dashes, at most 21 of them."
  }
}

variable "environment" {
  type    = string
  default = "development"

  validation {
    condition     = contains(["development", "staging", "production"], var.environment)
    error_message = "The environment is one of development, staging and production."
  }
}

variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "network" {
  type        = string
  description = "Addresses of the whole network"
  default     = "10.0.0.0/16"
}

variable "zones" {
  type    = list(string)
  default = ["eu-central-1a", "eu-central-1b", "eu-central-1c"]
}

variable "excluded_zones" {
  type    = set(string)
  default = []
}

variable "sizes" {
  type    = map(string)
  default = { development = "t4g.small", production = "m7g.large" }
}

variable "rules" {
  description = <<EOT
Ports to open, each with its protocol.

A rule that is not public is open to the network itself only.
EOT

  type = list(object({
    port        = number
    protocol    = optional(string, "tcp")
    public      = optional(bool, false)
    description = optional(string)
  }))

  default = [
    { port = 80, public = true },
    { port = 443, public = true },
    { port = 9100 },
  ]
}

variable "packages" {
  type    = tuple([string, string, string])
  default = ["curl", "nginx", "prometheus-node-exporter"]
}

variable "tag_key" {
  type     = string
  default  = "ManagedBy"
  nullable = false
}

variable "token" {
  type      = any
  default   = null
  sensitive = true
}
