# OpenTofu 1.12, as far as it differs from Terraform.

name      = "opentofu"
title     = "OpenTofu"
functions = "opentofu"
aliases   = ["tofu"]
extends   = "terraform"
# Blocks and kinds of files of Terraform that it does not have.
lacks     = ["action", "queries"]
files     = ["*.tf", "*.tofu"]
overrides = ["override.tf", "*_override.tf", "override.tofu", "*_override.tofu"]

# `required_version` in other files is about Terraform.
constraint_files = ["*.tofu"]

file "tests" {
  names   = ["*.tftest.hcl", "*.tofutest.hcl"]
  dialect = "opentofu-tests"
}

format {
  files    = ["*.tofu", "*.tofutest.hcl", "*.tf", "*.tfvars", "*.tftest.hcl"]
  rewrites = true
}

# Files with these ends are not read if there is one of the same name with the other end.
replaced = {
  ".tf"         = ".tofu"
  ".tftest"     = ".tofutest"
  ".tftest.hcl" = ".tofutest.hcl"
}

given = {
  "path.module"         = "module directory"
  "path.root"           = "root directory"
  "path.cwd"            = "current directory"
  "terraform.workspace" = "workspace"
  "tofu.workspace"      = "workspace"
  "terraform.applying"  = "ephemeral bool"
  "tofu.applying"       = "ephemeral bool"
}

versions = ["1.6", "1"]
newest   = "1.12"

version_files = {
  ".opentofu-version" = ""
  ".tool-versions"    = "opentofu"
}

registry = "registry.opentofu.org"

since = {
  "backend.azurerm.ado_service_connection_id" = "1.12"
  "backend.azurerm.customer_provided_key"     = "1.12"
  "backend.azurerm.encryption_scope"          = "1.12"
  "backend.azurerm.timeout_seconds"           = "1.9"
  "ephemeral"                                 = "1.11"
  "import.for_each"                           = "1.7"
  "import.identity"                           = "1.12"
  "lifecycle.enabled"                         = "1.11"
  "output.deprecated"                         = "1.10"
  "output.ephemeral"                          = "1.11"
  "provider.for_each"                         = "1.9"
  "removed"                                   = "1.7"
  "resource.lifecycle.destroy"                = "1.12"
  "terraform.encryption"                      = "1.7"
  "variable.const"                            = "1.12"
  "variable.deprecated"                       = "1.10"
  "variable.ephemeral"                        = "1.11"
}

until = {}

functions_since = {
  base64gunzip    = "1.7"
  cidrcontains    = "1.7"
  ephemeralasnull = "1.11"
  issensitive     = "1.7"
  templatestring  = "1.7"
  urldecode       = "1.7"
}

# The source of a module can refer to these names.
source_names     = ["local", "path", "terraform", "tofu", "var"]
sources_since    = "1.8"
constant_sources = false
late_functions   = ["plantimestamp", "uuid"]

module_imports_since = null
called_deprecations  = false
only_releases = false

# Functions of providers are looked for before expressions are evaluated.
static_providers = true

# The keys in the address of an import can be any expression, and its identifier can be empty.
lenient_imports = true

# An argument of `lifecycle`.
repeat "enabled" {
  over = "condition"
}

nested "lifecycle" {
  role       = "group"
  attributes = ["create_before_destroy", "destroy", "enabled", "ignore_changes", "prevent_destroy", "replace_triggered_by"]
  blocks     = ["precondition", "postcondition"]
  constants  = { create_before_destroy = bool, destroy = bool }
  references = ["replace_triggered_by"]
  repeat     = ["enabled"]
  strings    = { ignore_changes = "source", replace_triggered_by = "source" }
  final_parts = ["postcondition", "precondition"]
}

nested "lifecycle" {
  in         = ["module"]
  role       = "group"
  attributes = ["enabled"]
  repeat     = ["enabled"]
}

nested "lifecycle" {
  in          = ["data", "ephemeral"]
  role        = "group"
  attributes  = ["enabled"]
  blocks      = ["precondition", "postcondition"]
  repeat      = ["enabled"]
  final_parts = ["postcondition", "precondition"]
}

block "variable" {
  role       = "input"
  labels     = ["name"]
  defines    = "var.{name}"
  attributes = ["type", "default", "description", "nullable", "sensitive", "ephemeral", "deprecated", "const"]
  not_blank  = ["deprecated"]
  static     = ["type"]
  constants  = { description = string, deprecated = string }
  blocks     = ["validation"]
  reserved   = ["count", "depends_on", "for_each", "lifecycle", "locals", "providers", "source", "version"]
  strings    = { default = "text" }
  first      = ["type", "description", "default", "sensitive", "nullable", "ephemeral"]
  last       = ["validation"]
  final_parts = ["validation"]
}

block "module" {
  role        = "call"
  labels      = ["name"]
  defines     = "module.{name}"
  meta        = ["source", "version", "providers", "depends_on", "count", "for_each"]
  required    = ["source"]
  static      = ["source", "version", "providers", "depends_on"]
  references  = ["source", "version", "depends_on"]
  constraints = ["version"]
  blocks      = ["lifecycle"]
  repeat      = ["count", "for_each"]
  strings     = { source = "templates", version = "templates" }
  first       = ["source", "version", "count", "for_each", "providers"]
  last        = ["depends_on"]
  final_parts = ["depends_on"]
}

block "provider" {
  role        = "settings"
  labels      = ["name"]
  meta        = ["for_each"]
  static      = ["alias"]
  constraints = ["version"]
  refused     = ["count", "depends_on", "lifecycle", "locals", "source"]
  repeat      = ["for_each"]
  contents    = "open"
  strings     = { alias = "text" }
  first       = ["alias"]
}

block "terraform" {
  role        = "settings"
  # The first two are for Terraform only.
  attributes  = ["experiments", "language", "required_version"]
  static      = ["experiments", "language", "required_version"]
  constraints = ["required_version"]
  single      = ["backend", "cloud"]
  unique      = ["provider_meta", "required_providers"]
  blocks      = ["backend", "cloud", "encryption", "provider_meta", "required_providers"]
  strings     = { required_version = "text" }
}

# Without connections.
block "removed" {
  role       = "settings"
  attributes = ["from"]
  static     = ["from"]
  required   = ["from"]
  blocks     = ["lifecycle", "provisioner"]
  once       = ["lifecycle"]
  binds      = ["count", "each"]
  statement  = "removal"
  contents   = "open"
  final      = true
}

block "language" {
  role       = "settings"
  attributes = ["edition", "experiments"]
  static     = ["edition", "experiments"]
  keywords   = { edition = ["tofu2024"], experiments = [] }
  blocks     = ["compatible_with"]
}

# What it says of other programs is for these.
nested "compatible_with" {
  role        = "opaque"
  contents    = "open"
  constraints = ["opentofu"]
}

block "output" {
  role       = "result"
  labels     = ["name"]
  defines    = "output.{name}"
  attributes = ["value", "description", "sensitive", "ephemeral", "depends_on", "deprecated"]
  not_blank  = ["deprecated"]
  required   = ["value"]
  static     = ["depends_on"]
  constants  = { description = string, deprecated = string }
  references = ["depends_on"]
  blocks     = ["precondition"]
  first      = ["description", "value", "sensitive", "ephemeral"]
  last       = ["precondition", "depends_on"]
  final_parts = ["depends_on", "precondition"]
}

nested "encryption" {
  role   = "opaque"
  blocks = ["key_provider", "method", "plan", "remote_state_data_sources", "state"]
}

nested "key_provider" {
  in       = ["encryption"]
  labels   = ["type", "name"]
  defines  = "key_provider.{type}.{name}"
  types    = ["aws_kms", "azure_vault", "external", "gcp_kms", "openbao", "pbkdf2"]
  contents = "open"
}

nested "method" {
  in       = ["encryption"]
  labels   = ["type", "name"]
  defines  = "method.{type}.{name}"
  types    = ["aes_gcm", "external", "unencrypted"]
  contents = "open"
}

nested "state" {
  in       = ["encryption"]
  under    = "terraform"
  contents = "open"
  strings  = { method = "source" }
}

nested "plan" {
  in       = ["encryption"]
  under    = "terraform"
  contents = "open"
  strings  = { method = "source" }
}

nested "remote_state_data_sources" {
  in = ["encryption"]
}

nested "default" {
  in       = ["remote_state_data_sources"]
  under    = "terraform"
  contents = "open"
  strings  = { method = "source" }
}

nested "remote_state_data_source" {
  in       = ["remote_state_data_sources"]
  labels   = ["name"]
  under    = "terraform"
  contents = "open"
  strings  = { method = "source" }
}

nested "fallback" {
  in       = ["default", "plan", "remote_state_data_source", "state"]
  under    = "terraform"
  contents = "open"
  strings  = { method = "source" }
}

object "key_provider" "pbkdf2" {
  arguments = ["chain", "encrypted_metadata_alias", "hash_function", "iterations", "key_length", "passphrase", "salt_length"]
}

object "method" "aes_gcm" {
  arguments = ["aad", "keys"]
  required  = ["keys"]
}

object "resource" "terraform_data" {
  arguments = ["input", "triggers_replace"]
  unknown   = { id = string }
  same      = { output = "input" }
}

# Backends can refer to variables.
nested "backend" {
  role     = "early"
  labels   = ["type"]
  types    = ["azurerm", "consul", "cos", "gcs", "http", "inmem", "kubernetes", "local", "oss", "pg", "remote", "s3"]
  contents = "open"
  removed  = ["artifactory", "atlas", "azure", "etcd", "etcdv3", "manta", "swift"]
}

nested "cloud" {
  role           = "early"
  attributes     = ["hostname", "organization", "token"]
  argument_types = { hostname = string, organization = string, token = string }
  blocks         = ["workspaces"]
}

object "provisioner" "file" {
  arguments = ["content", "destination", "source"]
  required  = ["destination"]
  one_of    = ["content", "source"]
  not_empty = ["destination"]
  types     = { content = string, destination = string, source = string }
}

object "provisioner" "local-exec" {
  arguments = ["command", "environment", "interpreter", "quiet", "working_dir"]
  required  = ["command"]
  not_empty = ["command"]
  types = {
    command     = string
    environment = map(string)
    interpreter = list(string)
    quiet       = bool
    working_dir = string
  }
}

# Other arguments of backends than those of Terraform.
object "backend" "azurerm" {
  arguments = ["access_key", "ado_service_connection_id", "client_certificate", "client_certificate_password", "client_certificate_path", "client_id", "client_id_file_path", "client_secret", "client_secret_file_path", "container_name", "customer_provided_key", "encryption_scope", "endpoint", "environment", "key", "metadata_host", "msi_endpoint", "oidc_request_token", "oidc_request_url", "oidc_token", "oidc_token_file_path", "resource_group_name", "sas_token", "snapshot", "storage_account_name", "subscription_id", "tenant_id", "timeout_seconds", "use_aks_workload_identity", "use_azuread_auth", "use_cli", "use_msi", "use_oidc"]
  types     = { container_name = string, key = string, resource_group_name = string, storage_account_name = string }
}

object "backend" "cos" {
  arguments = ["accelerate", "acl", "bucket", "encrypt", "key", "prefix", "region", "secret_id", "secret_key", "security_token"]

  block "assume_role" {
    arguments = ["external_id", "policy", "role_arn", "session_duration", "session_name"]
  }
}

object "backend" "gcs" {
  arguments = ["access_token", "bucket", "credentials", "encryption_key", "impersonate_service_account", "impersonate_service_account_delegates", "kms_encryption_key", "prefix", "storage_custom_endpoint", "universe_domain"]
  types     = { bucket = string, prefix = string }
}

object "backend" "http" {
  arguments = ["address", "client_ca_certificate_pem", "client_certificate_pem", "client_private_key_pem", "headers", "lock_address", "lock_method", "password", "retry_max", "retry_wait_max", "retry_wait_min", "skip_cert_verification", "unlock_address", "unlock_method", "update_method", "username"]
  types     = { address = string, retry_max = number, retry_wait_max = number, retry_wait_min = number, skip_cert_verification = bool }
}

object "backend" "kubernetes" {
  arguments = ["client_certificate", "client_key", "cluster_ca_certificate", "config_context", "config_context_auth_info", "config_context_cluster", "config_path", "config_paths", "host", "in_cluster_config", "insecure", "labels", "load_config_file", "namespace", "password", "secret_suffix", "token", "username"]

  block "exec" {
    arguments = ["api_version", "args", "command", "env"]
  }
}

object "backend" "oss" {
  arguments = ["access_key", "acl", "assume_role_policy", "assume_role_role_arn", "assume_role_session_expiration", "assume_role_session_name", "bucket", "ecs_role_name", "encrypt", "endpoint", "key", "prefix", "profile", "region", "secret_key", "security_token", "shared_credentials_file", "sts_endpoint", "tablestore_endpoint", "tablestore_table"]

  block "assume_role" {
    arguments = ["policy", "role_arn", "session_expiration", "session_name"]
  }
}

object "backend" "pg" {
  arguments = ["conn_str", "index_name", "schema_name", "skip_index_creation", "skip_schema_creation", "skip_table_creation", "table_name"]
  types     = { conn_str = string, schema_name = string }
}

object "backend" "s3" {
  arguments = ["access_key", "acl", "allowed_account_ids", "assume_role", "assume_role_duration_seconds", "assume_role_policy", "assume_role_policy_arns", "assume_role_tags", "assume_role_transitive_tag_keys", "assume_role_with_web_identity", "bucket", "custom_ca_bundle", "dynamodb_endpoint", "dynamodb_table", "ec2_metadata_service_endpoint", "ec2_metadata_service_endpoint_mode", "encrypt", "endpoint", "endpoints", "external_id", "forbidden_account_ids", "force_path_style", "http_proxy", "https_proxy", "iam_endpoint", "insecure", "key", "kms_key_id", "lock_tags", "max_retries", "no_proxy", "profile", "region", "retry_mode", "role_arn", "secret_key", "session_name", "shared_config_files", "shared_credentials_file", "shared_credentials_files", "skip_credentials_validation", "skip_metadata_api_check", "skip_region_validation", "skip_requesting_account_id", "skip_s3_checksum", "sse_customer_key", "state_tags", "sts_endpoint", "sts_region", "token", "use_dualstack_endpoint", "use_fips_endpoint", "use_legacy_workflow", "use_lockfile", "use_path_style", "workspace_key_prefix"]
  types     = { bucket = string, encrypt = bool, key = string, region = string }
}

object "data" "terraform_remote_state" {
  arguments = ["backend", "config", "defaults", "workspace"]
  required  = ["backend"]
  types     = { backend = string, workspace = string }
  objects   = ["config", "defaults"]
  settings  = { config = "backend" }
  choices   = { backend = ["azurerm", "consul", "cos", "gcs", "http", "inmem", "kubernetes", "local", "oss", "pg", "remote", "s3"] }
  unknown   = { outputs = any }
}
