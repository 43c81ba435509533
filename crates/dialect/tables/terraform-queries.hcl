# The query files of Terraform 1.14: which blocks they have. The block `file` is a whole file.

name      = "terraform-queries"
functions = "terraform"

block "file" {
  attributes = []
  blocks     = ["list", "locals", "provider", "variable"]
}

block "list" {
  labels     = ["type", "name"]
  defines    = "list.{type}.{name}"
  attributes = ["count", "for_each", "include_resource", "limit", "provider"]
  required   = ["provider"]
  blocks     = ["config"]
  once       = ["config"]
  static     = ["provider"]
}

block "config" {
  contents = "open"
}

block "locals" {
  role     = "values"
  defines  = "local.{attribute}"
  contents = "attributes"
}

block "variable" {
  labels     = ["name"]
  defines    = "var.{name}"
  attributes = ["const", "default", "deprecated", "description", "ephemeral", "nullable", "sensitive", "type"]
  blocks     = ["validation"]
}

block "validation" {
  attributes = ["condition", "error_message"]
  required   = ["condition", "error_message"]
}

block "provider" {
  labels   = ["name"]
  contents = "open"
  refused  = ["count", "depends_on", "lifecycle", "locals", "source", "version"]
}
