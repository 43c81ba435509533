# Vault 1.19: the blocks of server configurations and of policies. Their files have no names of their own.

name      = "vault"
title     = "Vault"
functions = "vault"
syntax    = "hcl1"
settings  = "vault"

block "storage" {
  labels   = ["type"]
  contents = "open"
}

block "ha_storage" {
  labels   = ["type"]
  contents = "open"
}

block "listener" {
  labels   = ["type"]
  contents = "open"
}

block "seal" {
  labels   = ["type"]
  contents = "attributes"
}

block "service_registration" {
  labels   = ["type"]
  contents = "attributes"
}

block "telemetry" {
  contents = "attributes"
}

block "user_lockout" {
  labels   = ["type"]
  contents = "attributes"
}

nested "retry_join" {
  in       = ["storage"]
  contents = "attributes"
}

nested "telemetry" {
  in       = ["listener"]
  contents = "attributes"
}

# A rule of a policy.
block "path" {
  labels   = ["path"]
  contents = "attributes"
}
