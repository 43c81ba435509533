# Terragrunt 1.1.

name      = "terragrunt"
title     = "Terragrunt"
functions = "terragrunt"

file "module" {
  names = ["terragrunt.hcl", "terragrunt.hcl.json", "terragrunt.stack.hcl"]
}

format {
  files  = ["*.hcl"]
  hidden = true
}

# What editors offer as the values of arguments. Those without a block are at the top.
takes = {
  ".download_dir"                                      = string
  ".iam_assume_role_duration"                          = number
  ".iam_assume_role_session_name"                      = string
  ".iam_role"                                          = string
  ".iam_web_identity_token"                            = string
  ".inputs"                                            = map(any)
  ".prevent_destroy"                                   = bool
  ".retry_max_attempts"                                = number
  ".retry_sleep_interval_sec"                          = number
  ".retryable_errors"                                  = list(string)
  ".skip"                                              = bool
  ".terraform_binary"                                  = string
  ".terraform_version_constraint"                      = string
  ".terragrunt_version_constraint"                     = string
  "after_hook.commands"                                = list(string)
  "after_hook.execute"                                 = list(string)
  "after_hook.if"                                      = bool
  "after_hook.run_on_error"                            = bool
  "after_hook.suppress_stdout"                         = bool
  "after_hook.working_dir"                             = string
  "before_hook.commands"                               = list(string)
  "before_hook.execute"                                = list(string)
  "before_hook.if"                                     = bool
  "before_hook.run_on_error"                           = bool
  "before_hook.suppress_stdout"                        = bool
  "before_hook.working_dir"                            = string
  "catalog.default_template"                           = string
  "catalog.no_hooks"                                   = bool
  "catalog.no_shell"                                   = bool
  "catalog.urls"                                       = list(string)
  "dependencies.paths"                                 = list(string)
  "dependency.config_path"                             = string
  "dependency.enabled"                                 = bool
  "dependency.mock_outputs"                            = map(any)
  "dependency.mock_outputs_allowed_terraform_commands" = list(string)
  "dependency.mock_outputs_merge_strategy_with_state"  = string
  "dependency.mock_outputs_merge_with_state"           = bool
  "dependency.skip_outputs"                            = bool
  "engine.meta"                                        = map(any)
  "engine.source"                                      = string
  "engine.type"                                        = string
  "engine.version"                                     = string
  "error_hook.commands"                                = list(string)
  "error_hook.execute"                                 = list(string)
  "error_hook.on_errors"                               = list(string)
  "error_hook.suppress_stdout"                         = bool
  "error_hook.working_dir"                             = string
  "exclude.actions"                                    = list(string)
  "exclude.exclude_dependencies"                       = bool
  "exclude.if"                                         = bool
  "exclude.no_run"                                     = bool
  "expansion.for_each"                                 = any
  "extra_arguments.arguments"                          = list(string)
  "extra_arguments.commands"                           = list(string)
  "extra_arguments.env_vars"                           = map(string)
  "extra_arguments.optional_var_files"                 = list(string)
  "extra_arguments.required_var_files"                 = list(string)
  "feature.default"                                    = any
  "generate.comment_prefix"                            = string
  "generate.contents"                                  = string
  "generate.disable"                                   = bool
  "generate.disable_signature"                         = bool
  "generate.hcl_fmt"                                   = bool
  "generate.if_disabled"                               = string
  "generate.if_exists"                                 = string
  "generate.mutable"                                   = bool
  "generate.path"                                      = string
  "ignore.ignorable_errors"                            = list(string)
  "ignore.message"                                     = string
  "ignore.signals"                                     = map(any)
  "include.expose"                                     = bool
  "include.merge_strategy"                             = string
  "include.path"                                       = string
  "remote_state.backend"                               = string
  "remote_state.config"                                = map(any)
  "remote_state.disable_dependency_optimization"       = bool
  "remote_state.disable_init"                          = bool
  "remote_state.encryption"                            = map(any)
  "remote_state.generate"                              = map(string)
  "retry.max_attempts"                                 = number
  "retry.retryable_errors"                             = list(string)
  "retry.sleep_interval_sec"                           = number
  "stack.enabled"                                      = bool
  "stack.mutable"                                      = bool
  "stack.no_dot_terragrunt_stack"                      = bool
  "stack.no_validation"                                = bool
  "stack.path"                                         = string
  "stack.source"                                       = string
  "stack.update_source_with_cas"                       = bool
  "stack.values"                                       = map(any)
  "terraform.copy_terraform_lock_file"                 = bool
  "terraform.exclude_from_copy"                        = list(string)
  "terraform.include_in_copy"                          = list(string)
  "terraform.mutable"                                  = bool
  "terraform.source"                                   = string
  "terraform.update_source_with_cas"                   = bool
  "terraform.version"                                  = string
  "unit.enabled"                                       = bool
  "unit.mutable"                                       = bool
  "unit.no_dot_terragrunt_stack"                       = bool
  "unit.no_validation"                                 = bool
  "unit.path"                                          = string
  "unit.source"                                        = string
  "unit.update_source_with_cas"                        = bool
  "unit.values"                                        = map(any)
}

about = {
  "catalog"                 = "Repositories with modules for `terragrunt catalog`."
  "dependencies"            = "Units that must be applied first."
  "dependency"              = "Another unit, whose outputs are `dependency.name.outputs`."
  "dependency.config_path"  = "The directory of the other unit."
  "dependency.mock_outputs" = "Outputs to use while the other unit has none."
  "errors"                  = "Which errors are ignored, and which commands are repeated."
  "exclude"                 = "When the unit is left out."
  "extra_arguments"         = "Arguments for some commands of Terraform."
  "feature"                 = "A flag that the command line can set, and that expressions use as `feature.name.value`."
  "generate"                = "A file that is written beside the module."
  "include"                 = "Another configuration that this one takes over."
  "include.expose"          = "Whether expressions can use it as `include.name`."
  "include.path"            = "The path of the other configuration, such as `find_in_parent_folders(\"root.hcl\")`."
  "inputs"                  = "The values of the variables of the module."
  "locals"                  = "Names for values, which expressions use as `local.name`."
  "remote_state"            = "Where the state is stored. Terragrunt can create it and write the block `backend`."
  "stack"                   = "Units that are generated together from a source."
  "terraform"               = "The module that the unit applies, and how Terraform is run."
  "terraform.source"        = "Where the module is."
  "unit"                    = "A unit that is generated from a source."
}

# What editors say about functions that only Terragrunt has.
function_help = {
  "constraint_check(version, constraint)"          = "Whether a version satisfies a constraint."
  "deep_merge(maps)"                               = "One map of several ones, with the keys of all and the elements of lists of the same name."
  "endswith(text, suffix)"                         = "Whether a text ends with another one."
  "find_in_parent_folders(name, fallback)"         = "The path of the file with a name in the nearest directory around this one. Without one, the fallback, or an error."
  "get_aws_account_alias()"                        = "The alias of the AWS account."
  "get_aws_account_id()"                           = "The number of the AWS account."
  "get_aws_caller_identity_arn()"                  = "The ARN of the AWS identity that Terragrunt uses."
  "get_aws_caller_identity_user_id()"              = "The ID of the AWS identity that Terragrunt uses."
  "get_default_retryable_errors()"                 = "The errors after which Terragrunt repeats a command by default."
  "get_env(name, default)"                         = "The value of an environment variable. Without one, the default, or an error."
  "get_original_terragrunt_dir()"                  = "The directory of the configuration that Terragrunt was started for."
  "get_parent_terragrunt_dir(name)"                = "The directory of the configuration that an `include` names."
  "get_path_from_repo_root()"                      = "The path of this directory from the root of the Git repository."
  "get_path_to_repo_root()"                        = "The path of the root of the Git repository from this directory."
  "get_platform()"                                 = "The operating system, such as `linux`."
  "get_repo_root()"                                = "The root of the Git repository."
  "get_terraform_cli_args()"                       = "The arguments that Terraform is called with."
  "get_terraform_command()"                        = "The command of Terraform that is run, such as `plan`."
  "get_terraform_commands_that_need_input()"       = "The commands that accept `-input`."
  "get_terraform_commands_that_need_locking()"     = "The commands that accept `-lock-timeout`."
  "get_terraform_commands_that_need_parallelism()" = "The commands that accept `-parallelism`."
  "get_terraform_commands_that_need_vars()"        = "The commands that accept `-var` and `-var-file`."
  "get_terragrunt_dir()"                           = "The directory of this configuration."
  "get_terragrunt_source_cli_flag()"               = "The value of the option for the source on the command line, or nothing."
  "get_working_dir()"                              = "The directory in which Terraform runs."
  "mark_as_read(path)"                             = "Counts a file among those that the unit reads, and gives its path."
  "mark_glob_as_read(pattern)"                     = "Counts the files that match a pattern among those that the unit reads, and gives their paths."
  "path_relative_from_include(name)"               = "The path of the included configuration from this directory."
  "path_relative_to_include(name)"                 = "The path of this directory from the included configuration."
  "read_terragrunt_config(path, default)"          = "Another configuration as a value. Without the file, the default, or an error."
  "read_tfvars_file(path)"                         = "The content of a file of variables, as JSON."
  "run_cmd(program, argument)"                     = "The output of a program."
  "sops_decrypt_file(path)"                        = "The content of a file that SOPS encrypted."
  "startswith(text, prefix)"                       = "Whether a text begins with another one."
  "strcontains(text, part)"                        = "Whether a text contains another one."
  "timecmp(one, other)"                            = "-1, 0 or 1: whether a time is before, equal to or after another one."
}

block "terraform" {
  blocks = ["after_hook", "before_hook", "error_hook", "extra_arguments"]
}

block "remote_state" {
  contents = "attributes"
}

block "include" {
  labels   = ["name"]
  defines  = "include.{name}"
  contents = "attributes"
}

block "locals" {
  role     = "values"
  defines  = "local.{attribute}"
  contents = "attributes"
}

block "dependency" {
  labels   = ["name"]
  defines  = "dependency.{name}"
  contents = "attributes"
}

block "dependencies" {
  contents = "attributes"
}

block "generate" {
  labels   = ["name"]
  contents = "attributes"
}

block "feature" {
  labels   = ["name"]
  defines  = "feature.{name}"
  contents = "attributes"
}

block "exclude" {
  contents = "attributes"
}

block "errors" {
  blocks = ["ignore", "retry"]
}

block "engine" {
  contents = "attributes"
}

block "catalog" {
  contents = "attributes"
}

block "unit" {
  labels   = ["name"]
  defines  = "unit.{name}"
  contents = "attributes"
}

block "stack" {
  labels   = ["name"]
  defines  = "stack.{name}"
  contents = "attributes"
}

nested "extra_arguments" {
  labels   = ["name"]
  contents = "attributes"
}

nested "before_hook" {
  labels   = ["name"]
  contents = "attributes"
}

nested "after_hook" {
  labels   = ["name"]
  contents = "attributes"
}

nested "error_hook" {
  labels   = ["name"]
  contents = "attributes"
}

nested "retry" {
  labels   = ["name"]
  contents = "attributes"
}

nested "ignore" {
  labels   = ["name"]
  contents = "attributes"
}
