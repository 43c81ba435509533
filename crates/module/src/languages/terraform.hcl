# Terraform 1.11: what a directory defines. The names of this table are explained in language.rs.

name      = "terraform"
functions = "terraform"
files     = ["*.tf", "*.tf.json"]
overrides = ["override.tf", "override.tf.json", "*_override.tf", "*_override.tf.json"]
# Which modules `terraform init` downloaded, and where they are.
installed = ".terraform/modules/modules.json"
# The table of test files.
tests     = "terraform tests"

# Where the values of input variables come from, the weakest first. Options of the program are stronger.
inputs {
  environment = "TF_VAR_"
  files       = ["terraform.tfvars", "terraform.tfvars.json", "*.auto.tfvars", "*.auto.tfvars.json"]
}

# Names that the program defines.
given = {
  "path.module"         = "module directory"
  "path.root"           = "root directory"
  "path.cwd"            = "current directory"
  "terraform.workspace" = "workspace"
  "terraform.applying"  = "unknown"
}

# The first and the last version that this table describes. Later ones of the same major version are compatible.
versions = ["1.0", "1"]

# Types with this beginning need no provider. All of them have a table below.
built_in = "terraform_"

# Functions whose result is different each time, or that providers have. It is unknown.
impure = ["bcrypt", "plantimestamp", "provider::*", "timestamp", "uuid"]

# Functions that read files.
readers = ["abspath", "file", "filebase64", "filebase64sha256", "filebase64sha512", "fileexists", "filemd5", "fileset", "filesha1", "filesha256", "filesha512", "pathexpand", "templatefile"]

# References name what they refer to in full: `var` alone is an error.
complete_references = true

# Attributes that repeat a block, and the names that they bind in each instance.
repeat "count" {
  over = "number"
  key  = "count.index"
}

repeat "for_each" {
  over  = "elements"
  key   = "each.key"
  value = "each.value"
}

block "variable" {
  role       = "input"
  labels     = ["name"]
  defines    = "var.{name}"
  attributes = ["type", "default", "description", "nullable", "sensitive", "ephemeral", "deprecated"]
  static     = ["type"]
  constants  = { description = string, deprecated = string }
  blocks     = ["validation"]
  reserved   = ["count", "depends_on", "for_each", "lifecycle", "locals", "providers", "source", "version"]
}

block "locals" {
  role    = "values"
  defines = "local.{attribute}"
}

block "output" {
  role       = "result"
  labels     = ["name"]
  defines    = "output.{name}"
  attributes = ["value", "description", "sensitive", "ephemeral", "depends_on", "deprecated"]
  required   = ["value"]
  static     = ["depends_on"]
  constants  = { description = string, deprecated = string }
  references = ["depends_on"]
  blocks     = ["precondition"]
}

block "module" {
  role        = "call"
  labels      = ["name"]
  defines     = "module.{name}"
  meta        = ["source", "version", "providers", "depends_on", "count", "for_each"]
  required    = ["source"]
  static      = ["source", "version", "providers", "depends_on"]
  references  = ["depends_on"]
  constraints = ["version"]
  repeat      = ["count", "for_each"]
}

block "resource" {
  role       = "object"
  labels     = ["type", "name"]
  defines    = "{type}.{name}"
  also       = "resource.{type}.{name}"
  meta       = ["count", "for_each", "provider", "depends_on"]
  static     = ["provider", "depends_on"]
  references = ["depends_on"]
  blocks     = ["lifecycle", "connection", "provisioner"]
  once       = ["lifecycle", "connection"]
  refused    = ["locals"]
  repeat     = ["count", "for_each"]
}

block "data" {
  role       = "object"
  labels     = ["type", "name"]
  defines    = "data.{type}.{name}"
  meta       = ["count", "for_each", "provider", "depends_on"]
  static     = ["provider", "depends_on"]
  references = ["depends_on"]
  blocks     = ["lifecycle"]
  once       = ["lifecycle"]
  refused    = ["locals"]
  repeat     = ["count", "for_each"]
}

block "ephemeral" {
  role       = "object"
  labels     = ["type", "name"]
  defines    = "ephemeral.{type}.{name}"
  meta       = ["count", "for_each", "provider", "depends_on"]
  static     = ["provider", "depends_on"]
  references = ["depends_on"]
  blocks     = ["lifecycle"]
  repeat     = ["count", "for_each"]
}

block "check" {
  role    = "check"
  labels  = ["name"]
  defines = "check.{name}"
  blocks  = ["assert", "data"]
}

block "provider" {
  role        = "settings"
  labels      = ["name"]
  constraints = ["version"]
  # `for_each` is one of OpenTofu.
  refused     = ["count", "depends_on", "lifecycle", "locals", "source"]
}

block "terraform" {
  role        = "settings"
  # Stable versions have no experiments. `encryption` is one of OpenTofu, `state_store` one of later versions.
  attributes  = ["experiments", "language", "required_version"]
  keywords    = { experiments = [], language = ["TF2021"] }
  constraints = ["required_version"]
  single      = ["backend", "cloud"]
  unique      = ["provider_meta", "required_providers"]
  blocks      = ["backend", "cloud", "encryption", "provider_meta", "required_providers", "state_store"]
}

block "moved" {
  role      = "settings"
  static    = ["from", "to"]
  required  = ["from", "to"]
  statement = "move"
}

block "import" {
  role       = "settings"
  meta       = ["for_each", "id"]
  static     = ["to", "provider"]
  required   = ["to", "id"]
  references = ["for_each", "id"]
  binds      = ["each"]
  statement  = "import"
}

block "removed" {
  role      = "settings"
  static    = ["from"]
  required  = ["from"]
  blocks    = ["connection", "lifecycle", "provisioner"]
  binds     = ["count", "each"]
  statement = "removal"
}

# What is inside of other blocks: conditions with their messages, and blocks that are not part of a value.
nested "validation" {
  role = "condition"
}

nested "precondition" {
  role = "condition"
}

nested "postcondition" {
  role  = "condition"
  binds = "self"
}

nested "assert" {
  role  = "condition"
  warns = true
}

nested "lifecycle" {
  role = "group"
  # Later versions, and OpenTofu, have more than `create_before_destroy`, `ignore_changes`, `prevent_destroy` and
  # `replace_triggered_by`.
  attributes = ["create_before_destroy", "destroy", "enabled", "ignore_changes", "prevent_destroy", "replace_triggered_by"]
  blocks     = ["action_trigger", "precondition", "postcondition"]
  references = ["replace_triggered_by"]
}

nested "required_providers" {
  role = "opaque"
}

nested "backend" {
  role    = "opaque"
  labels  = ["type"]
  types   = ["azurerm", "consul", "cos", "gcs", "http", "inmem", "kubernetes", "local", "oci", "oss", "pg", "remote", "s3"]
  removed = ["artifactory", "atlas", "azure", "etcd", "etcdv3", "manta", "swift"]
}

nested "cloud" {
  role = "opaque"
}

nested "state_store" {
  role   = "opaque"
  labels = ["type"]
}

nested "encryption" {
  role = "opaque"
}

nested "provider_meta" {
  role   = "constant"
  labels = ["name"]
}

nested "provisioner" {
  role   = "ignored"
  labels   = ["type"]
  removed  = ["chef", "habitat", "puppet", "salt-masterless"]
  static   = ["when", "on_failure"]
  keywords = { when = ["create", "destroy"], on_failure = ["continue", "fail"] }
  binds    = "self"
}

nested "connection" {
  role       = "ignored"
  attributes = ["agent", "agent_identity", "bastion_certificate", "bastion_host", "bastion_host_key", "bastion_password", "bastion_port", "bastion_private_key", "bastion_user", "cacert", "certificate", "host", "host_key", "https", "insecure", "password", "port", "private_key", "proxy_host", "proxy_port", "proxy_scheme", "proxy_user_name", "proxy_user_password", "script_path", "target_platform", "timeout", "type", "use_ntlm", "user"]
  binds      = "self"
}

nested "data" {
  role    = "ignored"
  labels  = ["type", "name"]
  defines = "data.{type}.{name}"
  static  = ["provider"]
}

# Types whose attributes are known without a provider.
object "resource" "terraform_data" {
  arguments = ["input", "triggers_replace"]
  unknown   = { id = string }
  same      = { output = "input" }
}

object "provisioner" "file" {
  arguments = ["content", "destination", "source"]
  required  = ["destination"]
}

object "provisioner" "local-exec" {
  arguments = ["command", "environment", "interpreter", "quiet", "working_dir"]
  required  = ["command"]
}

object "provisioner" "remote-exec" {
  arguments = ["inline", "script", "scripts"]
}

object "data" "terraform_remote_state" {
  arguments = ["backend", "config", "defaults", "workspace"]
  required  = ["backend"]
  unknown   = { outputs = any }
}
