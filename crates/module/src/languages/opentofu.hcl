# OpenTofu 1.10, as far as it differs from Terraform.

name      = "opentofu"
extends   = "terraform"
files     = ["*.tf", "*.tf.json", "*.tofu", "*.tofu.json"]
overrides = ["override.tf", "override.tf.json", "*_override.tf", "*_override.tf.json", "override.tofu", "override.tofu.json", "*_override.tofu", "*_override.tofu.json"]

given = {
  "path.module"         = "module directory"
  "path.root"           = "root directory"
  "path.cwd"            = "current directory"
  "terraform.workspace" = "workspace"
  "tofu.workspace"      = "workspace"
  "terraform.applying"  = "unknown"
  "tofu.applying"       = "unknown"
}
