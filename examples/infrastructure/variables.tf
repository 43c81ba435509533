variable "environment" {
  description = "Where this runs"
  type        = string

  validation {
    condition     = contains(["staging", "production"], var.environment)
    error_message = "Must be staging or production."
  }
}

variable "network" {
  description = "The network of all zones"
  type        = string
  default     = "10.42.0.0/16"
}

variable "services" {
  description = "What runs, by name"
  type = map(object({
    port     = number
    replicas = optional(number, 1)
    public   = optional(bool, false)
  }))
}

variable "database_password" {
  type      = string
  sensitive = true
}
