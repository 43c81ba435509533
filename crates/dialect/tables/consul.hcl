# Consul 1.20: the blocks of agent configurations and of ACL rules. Their files have no names of their own.

name      = "consul"
title     = "Consul"
functions = "consul"
syntax    = "hcl1"
settings  = "consul"

block "acl" {
  blocks = ["tokens"]
}

nested "tokens" {
  contents = "attributes"
}

block "connect" {
  contents = "open"
}

block "service" {
  contents = "open"
}

block "check" {
  contents = "attributes"
}

block "tls" {
  blocks = ["defaults", "grpc", "https", "internal_rpc"]
}

nested "defaults" {
  contents = "attributes"
}

nested "grpc" {
  contents = "attributes"
}

nested "https" {
  contents = "attributes"
}

nested "internal_rpc" {
  contents = "attributes"
}

nested "check" {
  in       = ["service"]
  contents = "attributes"
}

nested "connect" {
  in       = ["service"]
  contents = "open"
}

block "telemetry" {
  contents = "attributes"
}

block "ports" {
  contents = "attributes"
}

block "performance" {
  contents = "attributes"
}

block "autopilot" {
  contents = "attributes"
}

# Rules of ACL policies.
block "key_prefix" {
  labels   = ["prefix"]
  contents = "attributes"
}

block "key" {
  labels   = ["name"]
  contents = "attributes"
}

block "service_prefix" {
  labels   = ["prefix"]
  contents = "attributes"
}

block "node_prefix" {
  labels   = ["prefix"]
  contents = "attributes"
}

block "node" {
  labels   = ["name"]
  contents = "attributes"
}
