# What Vault 1.21 reads: configurations of servers, agents and proxies, and ACL policies.
# Written by "cargo xtask conformance --agents --bless" from github.com/hashicorp/vault v1.21.4.

title = "Vault 1.21"

file "server" {
  object   = server
  unknown  = "warning"
  set_once = true
  accepts = {
    string  = ["string", "integer"]
    bool    = ["bool"]
    integer = ["integer", "digits"]
    number  = ["integer", "fraction"]
    list    = ["empty"]
  }
}

file "agent" {
  object   = agent
  unknown  = "warning"
  set_once = true
  accepts = {
    string  = ["string", "integer"]
    bool    = ["bool"]
    integer = ["integer", "digits"]
    number  = ["integer", "fraction"]
    list    = ["empty"]
  }
}

file "policy" {
  object   = policy
  unknown  = "error"
  set_once = true
  accepts = {
    string = ["string", "integer"]
    list   = ["empty"]
  }
}

object "APIProxy" {
  enforce_consistency          = string
  prepend_configured_namespace = any
  use_auto_auth_token          = scalar
  when_inconsistent            = string
}

object "AgentAPI" {
  enable_quit = bool
}

object "AutoAuth" {
  enable_reauth_on_new_credentials = bool
  method                           = labeled(Method)
  sink                             = labeled(Sink)
  sinks                            = any
}

object "Cache" {
  cache_static_secrets                            = any
  disable_caching_dynamic_secrets                 = any
  enforce_consistency                             = string
  persist                                         = labeled(Persist)
  static_secret_token_capability_refresh_behavior = any
  static_secret_token_capability_refresh_interval = any
  use_auto_auth_token                             = scalar
  when_inconsistent                               = string
}

object "ExecConfig" {
  child_process_stderr      = string
  child_process_stdout      = string
  command                   = any
  restart_on_secret_changes = string
  restart_stop_signal       = string
}

object "HCPLinkConfig" {
  client_id                     = string
  client_secret                 = string
  enable_api_capability         = bool
  enable_passthrough_capability = bool
  resource_id                   = string
}

object "Listener" {
  address                                     = string
  agent_api                                   = AgentAPI
  chroot_namespace                            = scalar
  cluster_address                             = string
  cors_allowed_headers                        = list(string)
  cors_allowed_origins                        = list(string)
  cors_enabled                                = scalar
  custom_response_headers                     = any
  disable_replication_status_endpoints        = scalar
  disable_request_limiter                     = scalar
  http_idle_timeout                           = scalar
  http_read_header_timeout                    = scalar
  http_read_timeout                           = scalar
  http_write_timeout                          = scalar
  inflight_requests_logging                   = ListenerInFlightRequestLogging
  max_json_array_element_count                = scalar
  max_json_depth                              = scalar
  max_json_object_entry_count                 = scalar
  max_json_string_value_length                = scalar
  max_json_token                              = scalar
  max_request_duration                        = scalar
  max_request_size                            = scalar
  profiling                                   = ListenerProfiling
  proxy_api                                   = ProxyAPI
  proxy_protocol_authorized_addrs             = any
  proxy_protocol_behavior                     = string
  purpose                                     = any
  rawconfig                                   = map(any)
  redact_addresses                            = scalar
  redact_cluster_name                         = scalar
  redact_version                              = scalar
  require_request_header                      = scalar
  role                                        = string
  socket_group                                = string
  socket_mode                                 = string
  socket_user                                 = string
  telemetry                                   = ListenerTelemetry
  tls_cert_file                               = string
  tls_cipher_suites                           = string
  tls_client_ca_file                          = string
  tls_disable                                 = scalar
  tls_disable_client_certs                    = scalar
  tls_key_file                                = string
  tls_max_version                             = string
  tls_min_version                             = string
  tls_require_and_verify_client_cert          = scalar
  type                                        = string
  x_forwarded_for_authorized_addrs            = any
  x_forwarded_for_client_cert_header          = string
  x_forwarded_for_client_cert_header_decoders = string
  x_forwarded_for_hop_skips                   = scalar
  x_forwarded_for_reject_not_authorized       = scalar
  x_forwarded_for_reject_not_present          = scalar
}

object "ListenerInFlightRequestLogging" {
  unauthenticated_in_flight_requests_access = scalar
}

object "ListenerProfiling" {
  unauthenticated_pprof_access = scalar
}

object "ListenerTelemetry" {
  unauthenticated_metrics_access = scalar
}

object "Method" {
  config      = map(any)
  exit_on_err = bool
  max_backoff = scalar
  min_backoff = scalar
  mount_path  = string
  namespace   = string
  type        = string
  wrap_ttl    = scalar
}

object "ObservationSystemConfig" {
  file_mode             = string
  ledger_path           = string
  type_prefix_allowlist = list(string)
  type_prefix_denylist  = list(string)
}

object "Persist" {
  exit_on_err                = bool
  keep_after_import          = bool
  path                       = string
  service_account_token_file = string
  type                       = string
}

object "Pos" {
  column   = integer
  filename = string
  line     = integer
  offset   = integer
}

object "ProxyAPI" {
  enable_quit = bool
}

object "Retry" {
  num_retries = integer
}

object "Sink" {
  aad         = string
  aad_env_var = string
  config      = map(any)
  derive_key  = bool
  dh_path     = string
  dh_type     = string
  type        = string
  wrap_ttl    = scalar
}

object "SockAddrMarshaler" {
}

object "Telemetry" {
  add_lease_metrics_namespace_labels     = bool
  add_mount_point_rollback_metrics       = bool
  circonus_api_app                       = string
  circonus_api_token                     = string
  circonus_api_url                       = string
  circonus_broker_id                     = string
  circonus_broker_select_tag             = string
  circonus_check_display_name            = string
  circonus_check_force_metric_activation = string
  circonus_check_id                      = string
  circonus_check_instance_id             = string
  circonus_check_search_tag              = string
  circonus_check_tags                    = string
  circonus_submission_interval           = string
  circonus_submission_url                = string
  disable_hostname                       = bool
  dogstatsd_addr                         = string
  dogstatsd_tags                         = list(string)
  enable_hostname_label                  = bool
  filter_default                         = bool
  lease_metrics_epsilon                  = scalar
  leasemetricsepsilon                    = duration
  maximum_gauge_cardinality              = integer
  metrics_prefix                         = string
  num_lease_metrics_buckets              = integer
  prefix_filter                          = list(string)
  prometheus_retention_time              = scalar
  stackdriver_debug_logs                 = bool
  stackdriver_location                   = string
  stackdriver_namespace                  = string
  stackdriver_project_id                 = string
  statsd_address                         = string
  statsite_address                       = string
  usage_gauge_period                     = scalar
  usagegaugeperiod                       = duration
}

object "TemplateConfig" {
  exit_on_retry_failure         = bool
  lease_renewal_threshold       = number
  max_connections_per_host      = scalar
  static_secret_render_interval = scalar
}

object "UserLockout" {
  disable_lockout       = scalar
  lockout_counter_reset = scalar
  lockout_duration      = scalar
  lockout_threshold     = scalar
  type                  = string
}

object "Vault" {
  address         = string
  ca_cert         = string
  ca_path         = string
  client_cert     = string
  client_key      = string
  namespace       = string
  retry           = Retry
  tls_server_name = string
  tls_skip_verify = scalar
}

object "agent" {
  administrative_namespace_path = string
  api_proxy                     = APIProxy
  auto_auth                     = AutoAuth
  cache                         = Cache
  cloud                         = HCPLinkConfig
  cluster_name                  = string
  default_max_request_duration  = scalar
  disable_idle_connections      = list(string)
  disable_keep_alives           = list(string)
  disable_mlock                 = scalar
  entropy                       = labeled(map(any))
  env_template                  = any
  exec                          = ExecConfig
  exit_after_auth               = bool
  hsm                           = labeled(map(any))
  kms                           = labeled(map(any))
  listener                      = labeled(Listener)
  log_file                      = string
  log_format                    = string
  log_level                     = string
  log_rotate_bytes              = scalar
  log_rotate_duration           = string
  log_rotate_max_files          = scalar
  pid_file                      = string
  seal                          = labeled(map(any))
  sections                      = map(list(Pos))
  telemetry                     = Telemetry
  template                      = any
  template_config               = TemplateConfig
  user_lockout                  = labeled(UserLockout)
  vault                         = Vault
}

object "path" {
  allowed_parameters    = map(any)
  capabilities          = list(one_of("deny", "create", "read", "update", "delete", "list", "sudo", "patch", "subscribe", "recover"))
  comment               = any
  control_group         = any
  denied_parameters     = map(any)
  max_wrapping_ttl      = any
  mfa_methods           = list(string)
  min_wrapping_ttl      = any
  policy                = one_of("deny", "read", "write", "sudo")
  required_parameters   = list(string)
  subscribe_event_types = list(string)
}

object "policy" {
  name = string
  path = labeled(path)
}

object "server" {
  adaptive_overload_protection        = any
  administrative_namespace_path       = string
  allow_audit_log_prefixing           = scalar
  api_addr                            = string
  backend                             = labeled(map(any))
  cache_size                          = integer
  cloud                               = HCPLinkConfig
  cluster_addr                        = string
  cluster_cipher_suites               = string
  cluster_name                        = string
  default_lease_ttl                   = scalar
  default_max_request_duration        = scalar
  detect_deadlocks                    = string
  disable_cache                       = scalar
  disable_clustering                  = scalar
  disable_indexing                    = scalar
  disable_mlock                       = scalar
  disable_performance_standby         = scalar
  disable_printable_check             = scalar
  disable_sealwrap                    = scalar
  disable_sentinel_trace              = scalar
  enable_multiseal                    = any
  enable_post_unseal_trace            = bool
  enable_response_header_hostname     = scalar
  enable_response_header_raft_node_id = scalar
  entropy                             = labeled(map(any))
  experiments                         = list(string)
  ha_backend                          = labeled(map(any))
  ha_storage                          = labeled(map(any))
  hsm                                 = labeled(map(any))
  imprecise_lease_role_tracking       = bool
  introspection_endpoint              = scalar
  kms                                 = labeled(map(any))
  kms_library                         = any
  license_path                        = string
  listener                            = labeled(Listener)
  log_file                            = string
  log_format                          = string
  log_level                           = string
  log_requests_level                  = scalar
  log_rotate_bytes                    = scalar
  log_rotate_duration                 = string
  log_rotate_max_files                = scalar
  max_lease_ttl                       = scalar
  observations                        = ObservationSystemConfig
  pid_file                            = string
  plugin_directory                    = string
  plugin_file_permissions             = scalar
  plugin_file_uid                     = integer
  plugin_tmpdir                       = string
  post_unseal_trace_directory         = string
  raw_storage_endpoint                = any
  remove_irrevocable_lease_after      = scalar
  replication                         = any
  reporting                           = any
  reporting_scan_directory            = string
  request_limiter                     = any
  seal                                = labeled(map(any))
  sections                            = map(list(Pos))
  sentinel                            = any
  service_registration                = labeled(map(string))
  storage                             = labeled(map(any))
  telemetry                           = Telemetry
  ui                                  = scalar
  user_lockout                        = labeled(UserLockout)
}
