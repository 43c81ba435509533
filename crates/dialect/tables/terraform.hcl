# Terraform 1.16. The names of these tables are explained in src/dialect.rs and src/blocks.rs.

name      = "terraform"
title     = "Terraform"
functions = "terraform"

# The files of a module, and those among them that change what others declare. Names are those of the native syntax; in the
# JSON syntax, they end with `.json` in place of `.hcl`.
files     = ["*.tf"]
overrides = ["override.tf", "*_override.tf"]

file "values" {
  names = ["*.tfvars"]
}

file "tests" {
  names   = ["*.tftest.hcl"]
  dialect = "terraform-tests"
}

file "mocks" {
  names   = ["*.tfmock.hcl"]
  dialect = "terraform-tests"
}

file "queries" {
  names   = ["*.tfquery.hcl"]
  dialect = "terraform-queries"
}

file "settings" {
  names = ["*.tfbackend"]
}

# What `terraform fmt` formats in directories. It changes more than blanks.
format {
  files    = ["*.tf", "*.tfvars", "*.tftest.hcl", "*.tfmock.hcl", "*.tfquery.hcl"]
  rewrites = true
}

# Which modules `terraform init` downloaded, and where they are.
installed = ".terraform/modules/modules.json"

# Where the values of input variables come from, the weakest first. Options of the program are stronger.
inputs {
  environment = "TF_VAR_"
  short_types = true
  files       = ["terraform.tfvars", "*.auto.tfvars"]
}

# Names that the program defines.
given = {
  "path.module"         = "module directory"
  "path.root"           = "root directory"
  "path.cwd"            = "current directory"
  "terraform.workspace" = "workspace"
  "terraform.applying"  = "ephemeral bool"
}

# The first and the last version that this table describes. Later ones of the same major version are compatible.
versions = ["1.0", "1"]
newest   = "1.16"

# Files of version managers, each with the name that is before the version in a line; without a name, the first line is the version.
version_files = {
  ".terraform-version" = ""
  ".tool-versions"     = "terraform"
}

# The registry of providers in lock files.
registry = "registry.terraform.io"

# Constraints on the version of Terraform must not name pre-releases.
only_releases = true

# Since which version there are blocks (`check`), what is in them (`variable.nullable`), types of objects
# (`resource.terraform_data`) and what these have. What is not here is in all versions.
since = {
  "action"                                        = "1.14"
  "action_trigger.on_failure"                     = "1.16"
  "backend.azurerm.oidc_request_token"            = "1.2"
  "backend.azurerm.oidc_request_url"              = "1.2"
  "backend.azurerm.oidc_token"                    = "1.3"
  "backend.azurerm.oidc_token_file_path"          = "1.3"
  "backend.azurerm.use_microsoft_graph"           = "1.1"
  "backend.azurerm.use_oidc"                      = "1.2"
  "backend.cos.accelerate"                        = "1.3"
  "backend.cos.domain"                            = "1.6"
  "backend.cos.endpoint"                          = "1.6"
  "backend.cos.security_token"                    = "1.4"
  "backend.gcs.kms_encryption_key"                = "1.4"
  "backend.gcs.storage_custom_endpoint"           = "1.4"
  "backend.http.client_ca_certificate_pem"        = "1.4"
  "backend.http.client_certificate_pem"           = "1.4"
  "backend.http.client_private_key_pem"           = "1.4"
  "backend.kubernetes.config_paths"               = "1.1"
  "backend.kubernetes.proxy_url"                  = "1.6"
  "backend.oci"                                   = "1.12"
  "backend.oss.assume_role_policy"                = "1.1"
  "backend.oss.assume_role_role_arn"              = "1.1"
  "backend.oss.assume_role_session_expiration"    = "1.1"
  "backend.oss.assume_role_session_name"          = "1.1"
  "backend.s3.allowed_account_ids"                = "1.6"
  "backend.s3.assume_role"                        = "1.6"
  "backend.s3.assume_role_with_web_identity"      = "1.6"
  "backend.s3.custom_ca_bundle"                   = "1.6"
  "backend.s3.ec2_metadata_service_endpoint"      = "1.6"
  "backend.s3.ec2_metadata_service_endpoint_mode" = "1.6"
  "backend.s3.endpoints"                          = "1.6"
  "backend.s3.forbidden_account_ids"              = "1.6"
  "backend.s3.http_proxy"                         = "1.6"
  "backend.s3.https_proxy"                        = "1.6"
  "backend.s3.insecure"                           = "1.6"
  "backend.s3.no_proxy"                           = "1.6"
  "backend.s3.retry_mode"                         = "1.6"
  "backend.s3.shared_config_files"                = "1.6"
  "backend.s3.shared_credentials_files"           = "1.6"
  "backend.s3.skip_requesting_account_id"         = "1.6"
  "backend.s3.skip_s3_checksum"                   = "1.6"
  "backend.s3.sts_region"                         = "1.6"
  "backend.s3.use_dualstack_endpoint"             = "1.6"
  "backend.s3.use_fips_endpoint"                  = "1.6"
  "backend.s3.use_legacy_workflow"                = "1.6"
  "backend.s3.use_path_style"                     = "1.6"
  "check"                                         = "1.5"
  "ephemeral"                                     = "1.10"
  "import"                                        = "1.5"
  "import.for_each"                               = "1.7"
  "import.identity"                               = "1.12"
  "lifecycle.action_trigger"                      = "1.14"
  "lifecycle.postcondition"                       = "1.2"
  "lifecycle.precondition"                        = "1.2"
  "lifecycle.replace_triggered_by"                = "1.2"
  "module.ignore_nested_deprecations"             = "1.15"
  "moved"                                         = "1.1"
  "output.deprecated"                             = "1.15"
  "output.ephemeral"                              = "1.10"
  "output.precondition"                           = "1.2"
  "output.type"                                   = "1.15"
  "removed"                                       = "1.7"
  "removed.connection"                            = "1.9"
  "removed.provisioner"                           = "1.9"
  "resource.lifecycle.destroy"                    = "1.16"
  "resource.terraform_data"                       = "1.4"
  "resource.terraform_data.store"                 = "1.16"
  "terraform.cloud"                               = "1.1"
  "variable.const"                                = "1.15"
  "variable.deprecated"                           = "1.15"
  "variable.ephemeral"                            = "1.10"
  "variable.nullable"                             = "1.1"
  "workspaces.project"                            = "1.6"
}

# The last version with what was removed since 1.0, such as a type of backends.
until = {
  "backend.artifactory" = "1.2"
  "backend.azure"       = "1.2"
  "backend.etcd"        = "1.2"
  "backend.etcdv3"      = "1.2"
  "backend.manta"       = "1.2"
  "backend.swift"       = "1.2"
}

# Functions, with all of those in a namespace as `core::*`.
functions_since = {
  "core::*"       = "1.8"
  "provider::*"   = "1.8"
  convert         = "1.15"
  endswith        = "1.3"
  ephemeralasnull = "1.10"
  issensitive     = "1.8"
  plantimestamp   = "1.5"
  startswith      = "1.3"
  strcontains     = "1.5"
  templatestring  = "1.9"
  timecmp         = "1.3"
}

# The source and the version of a module can refer to these names, but only to variables that are constant.
source_names     = ["local", "path", "var"]
sources_since    = "1.15"
constant_sources = true

# Functions whose results are not known when modules are installed.
late_functions = ["bcrypt", "plantimestamp", "timestamp", "uuid"]

# Only the root module could import objects before.
module_imports_since = "1.16"

# Results that are declared as sensitive or ephemeral are so for callers, whatever their values are.
sensitive_results = true
ephemeral_results = true

# Results of the root module must not be deprecated.
called_deprecations = true

# Types with this beginning need no provider. All of them have a table below.
built_in = "terraform_"

# Arguments of resources in such a block are theirs, whatever their names are.
escaping_block = "_"

# Functions whose result is different each time, that providers have, or whose bytes depend on how they are computed. It is unknown.
impure = ["base64gzip", "bcrypt", "plantimestamp", "provider::*", "timestamp", "uuid"]

# Functions that read files.
readers = ["abspath", "file", "filebase64", "filebase64sha256", "filebase64sha512", "fileexists", "filemd5", "fileset", "filesha1", "filesha256", "filesha512", "pathexpand", "templatefile"]

# Those that fail without the file that their first argument names.
openers = ["file", "filebase64", "filebase64sha256", "filebase64sha512", "filemd5", "filesha1", "filesha256", "filesha512", "templatefile"]

# Attributes, in any block, whose strings are references.
reference_strings = ["configuration_aliases", "depends_on", "from", "provider", "providers", "replace_triggered_by", "to"]

# What editors offer as the values of arguments: a type, or the name of what is none. It checks nothing. `*` means any block.
takes = {
  "*.count"                         = number
  "*.depends_on"                    = "addresses"
  "*.for_each"                      = map(any)
  "*.provider"                      = "configurations"
  "dynamic.for_each"                = any
  "dynamic.iterator"                = any
  "dynamic.labels"                  = list(string)
  "import.id"                       = string
  "import.to"                       = "addresses"
  "lifecycle.ignore_changes"        = "attributes"
  "lifecycle.replace_triggered_by"  = "addresses"
  "module.providers"                = "configurations"
  "module.source"                   = string
  "module.version"                  = string
  "moved.from"                      = "addresses"
  "moved.to"                        = "addresses"
  "output.ephemeral"                = bool
  "output.sensitive"                = bool
  "output.type"                     = "types"
  "provider.alias"                  = string
  "provider.version"                = string
  "removed.from"                    = "addresses"
  "required_providers.source"       = string
  "required_providers.version"      = string
  "terraform.required_version"      = string
  "validation.condition"            = bool
  "validation.error_message"        = string
  "variable.const"                  = bool
  "variable.ephemeral"              = bool
  "variable.nullable"               = bool
  "variable.sensitive"              = bool
  "variable.type"                   = "types"
  "workspaces.name"                 = string
  "workspaces.project"              = string
  "workspaces.tags"                 = list(string)
}

# What editors say about blocks and arguments.
about = {
  "*.count"                             = "The number of instances. Each has an index, `count.index`; 0 makes none."
  "*.depends_on"                        = "Objects and calls that must be complete first, where no reference says so."
  "*.for_each"                          = "A map, or a set of strings: there is an instance for each element, with `each.key` and `each.value`."
  "*.provider"                          = "The configuration of the provider, such as `aws.east`. Without it, the one without an alias."
  "action"                              = "An operation of a provider that runs on request, or when a resource changes."
  "backend"                             = "Where the state is stored. Its arguments must be constant."
  "check"                               = "Conditions that are checked after each plan and apply. One that is not met is a warning."
  "cloud"                               = "The organization and workspaces of HCP Terraform that store the state and run Terraform."
  "connection"                          = "How provisioners reach the object."
  "data"                                = "An object that is read and not managed."
  "dynamic"                             = "Makes blocks of the type in its label, one for each element of `for_each`."
  "dynamic.content"                     = "The body of each block, in which the label is the name of the iterator."
  "dynamic.iterator"                    = "Another name for the iterator than the type of the blocks."
  "dynamic.labels"                      = "The labels of each block."
  "ephemeral"                           = "An object that exists while Terraform runs, and that is not stored."
  "import"                              = "Gives an existing object an address, so that Terraform manages it."
  "import.id"                           = "What the provider identifies the object by."
  "import.identity"                     = "The attributes that the provider identifies the object by."
  "import.to"                           = "The address that the object gets."
  "lifecycle"                           = "How an object is created, replaced and destroyed, and conditions for that."
  "lifecycle.create_before_destroy"     = "When the object is replaced, the new one is created before the old one is destroyed."
  "lifecycle.destroy"                   = "Whether the object is destroyed, or only forgotten."
  "lifecycle.ignore_changes"            = "Attributes whose changes do not change the object, or `all`."
  "lifecycle.postcondition"             = "A condition that is checked after the object is read or changed."
  "lifecycle.precondition"              = "A condition that is checked before the object is read or changed."
  "lifecycle.prevent_destroy"           = "A plan that would destroy the object is an error."
  "lifecycle.replace_triggered_by"      = "Resources or their attributes: if they change, the object is replaced."
  "locals"                              = "Names for values, which expressions use as `local.name`."
  "module"                              = "A call of another module."
  "module.providers"                    = "Which configurations the module gets, by the names that it uses for them."
  "module.source"                       = "Where the module is: a directory such as `./net`, an address of a registry, or a URL."
  "module.version"                      = "A constraint on the version of a module in a registry, such as `~> 1.2`."
  "moved"                               = "Says that an object had another address before."
  "moved.from"                          = "The address before."
  "moved.to"                            = "The address now."
  "output"                              = "A result of the module, which callers use as `module.name.output`."
  "output.deprecated"                   = "Why callers should not use it, and what to use instead."
  "output.description"                  = "What it is, for the users of the module."
  "output.ephemeral"                    = "It is not stored in plans and states."
  "output.sensitive"                    = "Terraform does not show its value."
  "output.type"                         = "The type that the value is converted to."
  "output.value"                        = "The value."
  "provider"                            = "A configuration of a provider."
  "provider.alias"                      = "A name for this configuration, if there are several of the provider."
  "provider_meta"                       = "What the module tells a provider about itself."
  "provisioner"                         = "What is done after the object is created or before it is destroyed. A last resort."
  "provisioner.on_failure"              = "Whether a failure ends the run (`fail`) or not (`continue`)."
  "provisioner.when"                    = "When it runs: after `create`, or before `destroy`."
  "removed"                             = "Says that an object is no longer part of the configuration."
  "removed.from"                        = "The address that it had."
  "required_providers"                  = "The providers that the module uses, each with its source and the versions that fit."
  "resource"                            = "An object that Terraform creates, changes and destroys."
  "terraform"                           = "What the module requires of Terraform, and where its state is stored."
  "terraform.experiments"               = "Experiments that the module takes part in."
  "terraform.required_version"          = "A constraint on the version of Terraform, such as `>= 1.9`."
  "timeouts"                            = "How long operations may take, such as `10m`."
  "validation"                          = "A condition that the value must meet."
  "validation.condition"                = "It must be true."
  "validation.error_message"            = "The message if the condition is false."
  "variable"                            = "An input variable of the module, which expressions use as `var.name`."
  "variable.const"                      = "The value must be known when modules are installed."
  "variable.default"                    = "The value if the caller sets none. Without it, the variable is required."
  "variable.deprecated"                 = "Why callers should not set it, and what to use instead."
  "variable.description"                = "What it is, for the users of the module."
  "variable.ephemeral"                  = "It is not stored in plans and states."
  "variable.nullable"                   = "Whether the value can be null. If not, null means the default."
  "variable.sensitive"                  = "Terraform does not show its value."
  "variable.type"                       = "The type that the value is converted to."
  "variable.validation"                 = "A condition that the value must meet."
}

# References name what they refer to in full: `var` alone is an error, and so are attributes of an object with `count` without
# the key of an instance.
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
  attributes = ["type", "default", "description", "nullable", "sensitive", "ephemeral", "deprecated", "const"]
  static     = ["type"]
  constants  = { description = string, deprecated = string }
  blocks     = ["validation"]
  reserved   = ["count", "depends_on", "for_each", "lifecycle", "locals", "providers", "source", "version"]
  strings    = { default = "text" }
  first      = ["type", "description", "default", "sensitive", "nullable", "ephemeral"]
  last       = ["validation"]
  final_parts = ["validation"]
}

block "locals" {
  role     = "values"
  defines  = "local.{attribute}"
  contents = "attributes"
}

block "output" {
  role       = "result"
  labels     = ["name"]
  defines    = "output.{name}"
  attributes = ["value", "type", "description", "sensitive", "ephemeral", "depends_on", "deprecated"]
  required   = ["value"]
  static     = ["type", "depends_on"]
  constants  = { description = string, deprecated = string }
  references = ["depends_on"]
  blocks     = ["precondition"]
  first      = ["type", "description", "value", "sensitive", "ephemeral"]
  last       = ["precondition", "depends_on"]
  final_parts = ["depends_on", "precondition"]
}

block "module" {
  role        = "call"
  labels      = ["name"]
  defines     = "module.{name}"
  meta        = ["source", "version", "providers", "depends_on", "count", "for_each", "ignore_nested_deprecations"]
  required    = ["source"]
  static      = ["source", "version", "providers", "depends_on"]
  references  = ["source", "version", "depends_on"]
  constants   = { ignore_nested_deprecations = bool }
  constraints = ["version"]
  repeat      = ["count", "for_each"]
  strings     = { source = "templates", version = "templates" }
  first       = ["source", "version", "count", "for_each", "providers"]
  last        = ["depends_on"]
  final_parts = ["depends_on"]
}

block "resource" {
  role       = "object"
  labels     = ["type", "name"]
  defines    = "{type}.{name}"
  long_name  = "resource.{type}.{name}"
  meta       = ["count", "for_each", "provider", "depends_on"]
  static     = ["provider", "depends_on"]
  references = ["depends_on"]
  blocks     = ["lifecycle", "connection", "provisioner"]
  once       = ["lifecycle", "connection"]
  refused    = ["locals"]
  repeat     = ["count", "for_each"]
  contents   = "open"
  first      = ["count", "for_each", "provider"]
  last       = ["lifecycle", "depends_on"]
  final_parts = ["depends_on"]
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
  contents   = "open"
  first      = ["count", "for_each", "provider"]
  last       = ["lifecycle", "depends_on"]
  final_parts = ["depends_on"]
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
  contents   = "open"
  first      = ["count", "for_each", "provider"]
  last       = ["lifecycle", "depends_on"]
  final_parts = ["depends_on"]
}

# What a provider does on request, or when a resource changes.
block "action" {
  role       = "settings"
  labels     = ["type", "name"]
  defines    = "action.{type}.{name}"
  attributes = ["count", "for_each", "provider"]
  static     = ["provider"]
  blocks     = ["config"]
  once       = ["config"]
  repeat     = ["count", "for_each"]
}

block "check" {
  role    = "check"
  labels  = ["name"]
  defines = "check.{name}"
  blocks  = ["assert", "data"]
  once    = ["data"]
  final   = true
}

block "provider" {
  role        = "settings"
  labels      = ["name"]
  constraints = ["version"]
  refused     = ["count", "depends_on", "for_each", "lifecycle", "locals", "source"]
  contents    = "open"
  strings     = { alias = "text" }
  first       = ["alias"]
}

block "terraform" {
  role = "settings"
  # Stable versions have no experiments.
  attributes  = ["experiments", "language", "required_version"]
  keywords    = { experiments = [], language = ["TF2021"] }
  constraints = ["required_version"]
  single      = ["backend", "cloud"]
  unique      = ["provider_meta", "required_providers"]
  blocks      = ["backend", "cloud", "provider_meta", "required_providers"]
  strings     = { required_version = "text" }
}

block "moved" {
  role       = "settings"
  attributes = ["from", "to"]
  static     = ["from", "to"]
  required   = ["from", "to"]
  statement  = "move"
  contents   = "attributes"
  final      = true
}

block "import" {
  role       = "settings"
  attributes = ["for_each", "id", "identity", "provider", "to"]
  static     = ["to", "provider"]
  required   = ["to"]
  one_of     = ["id", "identity"]
  references = ["for_each", "id", "identity"]
  binds      = ["each"]
  statement  = "import"
  contents   = "attributes"
  final      = true
}

block "removed" {
  role       = "settings"
  attributes = ["from"]
  static     = ["from"]
  required   = ["from"]
  blocks     = ["connection", "lifecycle", "provisioner"]
  once       = ["connection"]
  binds      = ["count", "each"]
  statement  = "removal"
  contents   = "open"
}

# What is inside of other blocks: conditions with their messages, and blocks that are not part of a value.
nested "validation" {
  role     = "condition"
  contents = "attributes"
}

nested "precondition" {
  role     = "condition"
  contents = "attributes"
}

nested "postcondition" {
  role     = "condition"
  binds    = "self"
  contents = "attributes"
}

nested "assert" {
  role     = "condition"
  warns    = true
  contents = "attributes"
}

nested "lifecycle" {
  role       = "group"
  attributes = ["create_before_destroy", "destroy", "ignore_changes", "prevent_destroy", "replace_triggered_by"]
  constants  = { create_before_destroy = bool, destroy = bool, prevent_destroy = bool }
  blocks     = ["action_trigger", "precondition", "postcondition"]
  references = ["replace_triggered_by"]
  strings    = { ignore_changes = "source", replace_triggered_by = "source" }
  final_parts = ["postcondition", "precondition"]
}

# Other blocks have less of it.
nested "lifecycle" {
  in          = ["data", "ephemeral"]
  role        = "group"
  attributes  = []
  blocks      = ["precondition", "postcondition"]
  final_parts = ["postcondition", "precondition"]
}

nested "lifecycle" {
  in         = ["removed"]
  role       = "group"
  attributes = ["destroy"]
  constants  = { destroy = bool }
}

nested "required_providers" {
  role     = "opaque"
  contents = "attributes"
  strings  = { "*" = "text" }
}

nested "backend" {
  role     = "constant"
  labels   = ["type"]
  types    = ["azurerm", "consul", "cos", "gcs", "http", "inmem", "kubernetes", "local", "oci", "oss", "pg", "remote", "s3"]
  contents = "open"
  removed  = ["artifactory", "atlas", "azure", "etcd", "etcdv3", "manta", "swift"]
}

nested "cloud" {
  role           = "constant"
  attributes     = ["hostname", "organization", "token"]
  argument_types = { hostname = string, organization = string, token = string }
  blocks         = ["workspaces"]
}

nested "provider_meta" {
  role     = "constant"
  labels   = ["name"]
  contents = "open"
}

nested "provisioner" {
  role     = "ignored"
  labels   = ["type"]
  types    = ["file", "local-exec", "remote-exec"]
  removed  = ["chef", "habitat", "puppet", "salt-masterless"]
  static   = ["when", "on_failure"]
  keywords = { when = ["create", "destroy"], on_failure = ["continue", "fail"] }
  binds    = "self"
  contents = "open"
}

nested "connection" {
  in         = ["provisioner"]
  role       = "ignored"
  attributes = ["agent", "agent_identity", "bastion_certificate", "bastion_host", "bastion_host_key", "bastion_password", "bastion_port", "bastion_private_key", "bastion_user", "cacert", "certificate", "host", "host_key", "https", "insecure", "password", "port", "private_key", "proxy_host", "proxy_port", "proxy_scheme", "proxy_user_name", "proxy_user_password", "script_path", "target_platform", "timeout", "type", "use_ntlm", "user"]
  argument_types = {
    agent               = bool
    agent_identity      = string
    bastion_certificate = string
    bastion_host        = string
    bastion_host_key    = string
    bastion_password    = string
    bastion_port        = number
    bastion_private_key = string
    bastion_user        = string
    cacert              = string
    certificate         = string
    host                = string
    host_key            = string
    https               = bool
    insecure            = bool
    password            = string
    port                = number
    private_key         = string
    proxy_host          = string
    proxy_port          = number
    proxy_scheme        = string
    proxy_user_name     = string
    proxy_user_password = string
    script_path         = string
    target_platform     = string
    timeout             = string
    type                = string
    use_ntlm            = bool
    user                = string
  }
  binds      = "self"
  contents   = "attributes"
}

nested "data" {
  role     = "ignored"
  labels   = ["type", "name"]
  defines  = "data.{type}.{name}"
  static   = ["provider"]
  refused  = ["count", "for_each", "lifecycle"]
  contents = "open"
  strings  = { depends_on = "source" }
}

nested "config" {
  in       = ["action"]
  role     = "ignored"
  contents = "open"
}

nested "action_trigger" {
  in         = ["lifecycle"]
  role       = "ignored"
  attributes = ["actions", "condition", "events", "on_failure"]
  required   = ["actions", "events"]
  static     = ["actions", "events", "on_failure"]
  keywords   = { on_failure = ["continue", "halt", "taint"] }
  lists      = { events = ["after_create", "after_destroy", "after_update", "before_create", "before_destroy", "before_update"] }
  contents   = "attributes"
}

nested "workspaces" {
  in         = ["cloud"]
  role       = "ignored"
  attributes = ["name", "project", "tags"]
  contents   = "attributes"
}

# What is part of the value of the block around it.
nested "timeouts" {
  in       = ["*"]
  contents = "attributes"
}

nested "_" {
  in       = ["*", "module"]
  contents = "open"
}

nested "dynamic" {
  in     = ["*"]
  labels = ["type"]
  static = ["iterator"]
}

nested "content" {
  in       = ["dynamic"]
  contents = "open"
}

# Types whose attributes are known without a provider.
object "resource" "terraform_data" {
  arguments = ["input", "triggers_replace"]
  unknown   = { id = string }
  same      = { output = "input" }

  # What is written in `input` is stored in one of the outputs.
  block "store" {
    arguments  = ["input", "replace", "sensitive", "version"]
    write_only = ["input"]
    unknown    = { output = any, sensitive_output = any }
    sensitive  = ["sensitive_output"]
  }
}

object "provisioner" "file" {
  arguments = ["content", "destination", "source"]
  required  = ["destination"]
  one_of    = ["content", "source"]
  types     = { content = string, destination = string, source = string }
}

object "provisioner" "local-exec" {
  arguments = ["command", "environment", "interpreter", "quiet", "working_dir"]
  required  = ["command"]
  types = {
    command     = string
    environment = map(string)
    interpreter = list(string)
    quiet       = bool
    working_dir = string
  }
}

object "provisioner" "remote-exec" {
  arguments = ["inline", "script", "scripts"]
  one_of    = ["inline", "script", "scripts"]
  types     = { inline = list(string), script = string, scripts = list(string) }
}

object "data" "terraform_remote_state" {
  arguments = ["backend", "config", "defaults", "workspace"]
  required  = ["backend"]
  types     = { backend = string, workspace = string }
  objects   = ["config", "defaults"]
  settings  = { config = "backend" }
  choices   = { backend = ["azurerm", "consul", "cos", "gcs", "http", "inmem", "kubernetes", "local", "oci", "oss", "pg", "remote", "s3"] }
  unknown   = { outputs = any }
}

# The arguments of backends: those of all versions, because some were removed. `since` has those that came.
object "backend" "azurerm" {
  arguments = ["access_key", "ado_pipeline_service_connection_id", "client_certificate", "client_certificate_password", "client_certificate_path", "client_id", "client_id_file_path", "client_secret", "client_secret_file_path", "container_name", "endpoint", "environment", "key", "lookup_blob_endpoint", "metadata_host", "msi_endpoint", "oidc_request_token", "oidc_request_url", "oidc_token", "oidc_token_file_path", "resource_group_name", "sas_token", "snapshot", "storage_account_name", "subscription_id", "tenant_id", "use_aks_workload_identity", "use_azuread_auth", "use_cli", "use_microsoft_graph", "use_msi", "use_oidc"]
  types     = { container_name = string, key = string, resource_group_name = string, storage_account_name = string }
}

object "backend" "consul" {
  arguments = ["access_token", "address", "ca_file", "cert_file", "datacenter", "gzip", "http_auth", "key_file", "lock", "path", "scheme"]
}

object "backend" "cos" {
  arguments = ["accelerate", "acl", "bucket", "cam_role_name", "domain", "encrypt", "endpoint", "key", "prefix", "profile", "region", "secret_id", "secret_key", "security_token", "shared_credentials_dir"]

  block "assume_role" {
    arguments = ["external_id", "policy", "role_arn", "session_duration", "session_name"]
  }
}

object "backend" "gcs" {
  arguments = ["access_token", "bucket", "credentials", "encryption_key", "impersonate_service_account", "impersonate_service_account_delegates", "kms_encryption_key", "prefix", "storage_custom_endpoint"]
  types     = { bucket = string, prefix = string }
}

object "backend" "http" {
  arguments = ["address", "client_ca_certificate_pem", "client_certificate_pem", "client_private_key_pem", "lock_address", "lock_method", "password", "retry_max", "retry_wait_max", "retry_wait_min", "skip_cert_verification", "unlock_address", "unlock_method", "update_method", "username"]
  types     = { address = string, retry_max = number, retry_wait_max = number, retry_wait_min = number, skip_cert_verification = bool }
}

object "backend" "inmem" {
  arguments = ["lock_id"]
  types     = { lock_id = string }
}

object "backend" "kubernetes" {
  arguments = ["client_certificate", "client_key", "cluster_ca_certificate", "config_context", "config_context_auth_info", "config_context_cluster", "config_path", "config_paths", "host", "in_cluster_config", "insecure", "labels", "load_config_file", "namespace", "password", "proxy_url", "secret_suffix", "token", "username"]

  block "exec" {
    arguments = ["api_version", "args", "command", "env"]
  }
}

object "backend" "local" {
  arguments = ["path", "workspace_dir"]
  types     = { path = string, workspace_dir = string }
}

object "backend" "oci" {
  arguments = ["auth", "bucket", "config_file_profile", "fingerprint", "key", "kms_key_id", "namespace", "private_key", "private_key_password", "private_key_path", "region", "sse_customer_algorithm", "sse_customer_key", "sse_customer_key_sha256", "tenancy_ocid", "user_ocid", "workspace_key_prefix"]
}

object "backend" "oss" {
  arguments = ["access_key", "acl", "assume_role_policy", "assume_role_role_arn", "assume_role_session_expiration", "assume_role_session_name", "bucket", "ecs_role_name", "encrypt", "endpoint", "key", "prefix", "profile", "region", "secret_key", "security_token", "shared_credentials_file", "sts_endpoint", "tablestore_endpoint", "tablestore_instance_name", "tablestore_table"]

  block "assume_role" {
    arguments = ["policy", "role_arn", "session_expiration", "session_name"]
  }
}

object "backend" "pg" {
  arguments = ["conn_str", "schema_name", "skip_index_creation", "skip_schema_creation", "skip_table_creation"]
  types     = { conn_str = string, schema_name = string }
}

object "backend" "remote" {
  arguments = ["hostname", "organization", "token"]
  types     = { hostname = string, organization = string, token = string }

  block "workspaces" {
    arguments = ["name", "prefix"]
  }
}

object "backend" "s3" {
  arguments = ["access_key", "acl", "allowed_account_ids", "assume_role", "assume_role_duration_seconds", "assume_role_policy", "assume_role_policy_arns", "assume_role_tags", "assume_role_transitive_tag_keys", "assume_role_with_web_identity", "bucket", "custom_ca_bundle", "dynamodb_endpoint", "dynamodb_table", "ec2_metadata_service_endpoint", "ec2_metadata_service_endpoint_mode", "encrypt", "endpoint", "endpoints", "external_id", "forbidden_account_ids", "force_path_style", "http_proxy", "https_proxy", "iam_endpoint", "insecure", "key", "kms_key_id", "max_retries", "no_proxy", "profile", "region", "retry_mode", "role_arn", "secret_key", "session_name", "shared_config_files", "shared_credentials_file", "shared_credentials_files", "skip_credentials_validation", "skip_metadata_api_check", "skip_region_validation", "skip_requesting_account_id", "skip_s3_checksum", "sse_customer_key", "sts_endpoint", "sts_region", "token", "use_dualstack_endpoint", "use_fips_endpoint", "use_legacy_workflow", "use_lockfile", "use_path_style", "workspace_key_prefix"]
  types     = { bucket = string, encrypt = bool, key = string, region = string }
}
