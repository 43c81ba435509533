# What consul-template 0.41 reads.
# Written by "cargo xtask conformance --agents --bless" from github.com/hashicorp/consul-template v0.41.3.

title = "consul-template 0.41"

file "config" {
  object  = config
  unknown = "error"
  accepts = {
    string   = ["string"]
    bool     = ["bool"]
    integer  = ["integer", "fraction"]
    number   = ["integer", "fraction"]
    duration = ["duration", "integer", "fraction"]
    mode     = ["string", "integer"]
    list     = ["string"]
  }
}

object "AuthConfig" {
  enabled  = bool
  password = string
  username = string
}

object "ConsulConfig" {
  address    = string
  auth       = AuthConfig
  namespace  = string
  retry      = RetryConfig
  ssl        = SSLConfig
  token      = string
  token_file = string
  transport  = TransportConfig
}

object "DedupConfig" {
  block_query_wait = duration
  enabled          = bool
  max_stale        = duration
  prefix           = string
  ttl              = duration
}

object "DefaultDelims" {
  left  = string
  right = string
}

object "EnvConfig" {
  allowlist = list(string)
  blacklist = list(string)
  custom    = list(string)
  denylist  = list(string)
  pristine  = bool
  whitelist = list(string)
}

object "ExecConfig" {
  command       = list(string)
  enabled       = bool
  env           = EnvConfig
  kill_signal   = string
  kill_timeout  = duration
  reload_signal = string
  splay         = duration
  timeout       = duration
}

object "LogFileConfig" {
  log_rotate_bytes     = integer
  log_rotate_duration  = duration
  log_rotate_max_files = integer
  path                 = string
}

object "NomadConfig" {
  address       = string
  auth_password = string
  auth_username = string
  enabled       = bool
  namespace     = string
  retry         = RetryConfig
  ssl           = SSLConfig
  token         = string
  transport     = TransportConfig
}

object "RetryConfig" {
  attempts    = integer
  backoff     = duration
  enabled     = bool
  max_backoff = duration
}

object "SSLConfig" {
  ca_cert       = string
  ca_cert_bytes = string
  ca_path       = string
  cert          = string
  enabled       = bool
  key           = string
  server_name   = string
  verify        = bool
}

object "SyslogConfig" {
  enabled  = bool
  facility = string
  name     = string
}

object "TemplateConfig" {
  backup               = bool
  command              = list(string)
  command_timeout      = duration
  contents             = string
  create_dest_dirs     = bool
  destination          = string
  error_fatal          = bool
  error_on_missing_key = bool
  exec                 = ExecConfig
  extfuncmap           = map(any)
  function_blacklist   = list(string)
  function_denylist    = list(string)
  gid                  = integer
  group                = string
  left_delimiter       = string
  perms                = mode
  right_delimiter      = string
  sandbox_path         = string
  source               = string
  uid                  = integer
  user                 = string
  wait                 = text_or(WaitConfig)
}

object "TransportConfig" {
  dial_keep_alive         = duration
  dial_timeout            = duration
  disable_keep_alives     = bool
  idle_conn_timeout       = duration
  max_conns_per_host      = integer
  max_idle_conns          = integer
  max_idle_conns_per_host = integer
  tls_handshake_timeout   = duration
}

object "VaultConfig" {
  address                        = string
  client_user_agent              = string
  default_lease_duration         = duration
  enabled                        = bool
  k8s_auth_role_name             = string
  k8s_service_account_token      = string
  k8s_service_account_token_path = string
  k8s_service_mount_path         = string
  lease_renewal_threshold        = number
  namespace                      = string
  renew_token                    = bool
  retry                          = RetryConfig
  ssl                            = SSLConfig
  token                          = string
  transport                      = TransportConfig
  unwrap_token                   = bool
  vault_agent_token_file         = string
}

object "WaitConfig" {
  bool = bool
  max  = duration
  min  = duration
}

object "config" {
  block_query_wait     = duration
  consul               = text_or(ConsulConfig)
  deduplicate          = DedupConfig
  default_delimiters   = DefaultDelims
  err_on_failed_lookup = bool
  exec                 = ExecConfig
  kill_signal          = string
  log_file             = LogFileConfig
  log_level            = string
  max_stale            = duration
  nomad                = NomadConfig
  once                 = bool
  parseonly            = bool
  pid_file             = string
  reload_signal        = string
  syslog               = SyslogConfig
  template             = list(TemplateConfig)
  template_error_fatal = bool
  vault                = VaultConfig
  wait                 = text_or(WaitConfig)
}
