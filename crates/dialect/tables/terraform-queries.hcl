# The query files of Terraform 1.14, and the actions of its modules.

name = "terraform-queries"

block "list" {
  labels   = ["type", "name"]
  contents = "open"
  static   = ["provider"]
}

block "action" {
  labels = ["type", "name"]
  static = ["provider"]
}

nested "config" {
  in       = ["list", "action"]
  contents = "open"
}
