# What Consul 1.22 reads: configurations of agents, and ACL policies. Configuration entries, which have a kind, are left out.
# Written by "cargo xtask conformance --agents --bless" from github.com/hashicorp/consul v1.22.7.

title  = "Consul 1.22"
others = ["kind"]

file "agent" {
  object  = agent
  unknown = "error"
  unwraps = true
  once    = true
  accepts = {
    string  = ["string"]
    bool    = ["bool"]
    integer = ["integer", "fraction"]
    number  = ["integer", "fraction"]
  }
}

file "policy" {
  object   = policy
  unknown  = "warning"
  set_once = true
  accepts = {
    string = ["string", "integer"]
    list   = ["empty"]
  }
}

object "ACL" {
  default_policy           = string
  down_policy              = string
  enable_key_list_policy   = bool
  enable_token_persistence = bool
  enable_token_replication = bool
  enabled                  = bool
  msp_disable_bootstrap    = bool
  policy_ttl               = string
  role_ttl                 = string
  token_ttl                = string
  tokens                   = Tokens
}

object "Addresses" {
  dns      = string
  grpc     = string
  grpc_tls = string
  http     = string
  https    = string
}

object "Audit" {
  enabled     = bool
  rpc_enabled = bool
  sink        = map(AuditSink)
}

object "AuditSink" {
  delivery_guarantee = string
  format             = string
  mode               = string
  name               = any
  path               = string
  rotate_bytes       = integer
  rotate_duration    = string
  rotate_max_files   = integer
  type               = string
}

object "AutoConfigAuthorizationRaw" {
  enabled = bool
  static  = AutoConfigAuthorizerRaw
}

object "AutoConfigAuthorizerRaw" {
  allow_reuse             = bool
  bound_audiences         = list(string)
  bound_issuer            = string
  claim_assertions        = list(string)
  claim_mappings          = map(string)
  clock_skew_leeway       = string
  expiration_leeway       = string
  jwks_ca_cert            = string
  jwks_url                = string
  jwt_supported_algs      = list(string)
  jwt_validation_pub_keys = list(string)
  list_claim_mappings     = map(string)
  not_before_leeway       = string
  oidc_discovery_ca_cert  = string
  oidc_discovery_url      = string
}

object "AutoConfigRaw" {
  authorization    = AutoConfigAuthorizationRaw
  dns_sans         = list(string)
  enabled          = bool
  intro_token      = string
  intro_token_file = string
  ip_sans          = list(string)
  server_addresses = list(string)
}

object "AutoEncrypt" {
  allow_tls = bool
  dns_san   = list(string)
  ip_san    = list(string)
  tls       = bool
}

object "Autopilot" {
  cleanup_dead_servers      = bool
  disable_upgrade_migration = bool
  last_contact_threshold    = string
  max_trailing_logs         = integer
  min_quorum                = integer
  redundancy_zone_tag       = string
  server_stabilization_time = string
  upgrade_version_tag       = string
}

object "Cache" {
  entry_fetch_max_burst = integer
  entry_fetch_rate      = number
}

object "CheckDefinition" {
  alias_node                        = string
  alias_service                     = string
  args                              = list(string)
  body                              = string
  deregister_critical_service_after = string
  deregistercriticalserviceafter    = string
  disable_redirects                 = bool
  docker_container_id               = string
  dockercontainerid                 = string
  failures_before_critical          = integer
  failures_before_warning           = integer
  grpc                              = string
  grpc_use_tls                      = bool
  h2ping                            = string
  h2ping_use_tls                    = bool
  header                            = map(list(string))
  http                              = string
  id                                = string
  interval                          = string
  method                            = string
  name                              = string
  namespace                         = string
  notes                             = string
  os_service                        = string
  output_max_size                   = integer
  partition                         = string
  scriptargs                        = list(string)
  service_id                        = string
  serviceid                         = string
  shell                             = string
  status                            = string
  success_before_passing            = integer
  tcp                               = string
  tcp_use_tls                       = bool
  timeout                           = string
  tls_server_name                   = string
  tls_skip_verify                   = bool
  tlsskipverify                     = bool
  token                             = string
  ttl                               = string
  udp                               = string
}

object "CloudConfigRaw" {
  auth_url      = string
  client_id     = string
  client_secret = string
  hostname      = string
  resource_id   = string
  scada_address = string
}

object "ConfigEntries" {
  bootstrap = list(map(any))
}

object "Connect" {
  ca_config                          = map(any)
  ca_provider                        = string
  enable_mesh_gateway_wan_federation = bool
  enabled                            = bool
  test_ca_leaf_root_change_spread    = string
  virtual_ip_cidr_v4                 = string
  virtual_ip_cidr_v6                 = string
}

object "Consul" {
  coordinate = Unnamed
  raft       = Unnamed2
  server     = Unnamed3
}

object "DNS" {
  a_record_limit                  = integer
  allow_stale                     = bool
  cache_max_age                   = string
  disable_compression             = bool
  enable_additional_node_meta_txt = bool
  enable_truncate                 = bool
  max_stale                       = string
  node_ttl                        = string
  only_passing                    = bool
  prefer_namespace                = bool
  recursor_strategy               = string
  recursor_timeout                = string
  service_ttl                     = map(string)
  soa                             = SOA
  udp_answer_limit                = integer
  use_cache                       = bool
}

object "ExposeConfig" {
  checks = bool
  paths  = list(ExposePath)
  port   = integer
}

object "ExposePath" {
  listener_port   = integer
  local_path_port = integer
  path            = string
  protocol        = string
}

object "GossipLANConfig" {
  gossip_interval = string
  gossip_nodes    = integer
  probe_interval  = string
  probe_timeout   = string
  retransmit_mult = integer
  suspicion_mult  = integer
}

object "GossipWANConfig" {
  gossip_interval = string
  gossip_nodes    = integer
  probe_interval  = string
  probe_timeout   = string
  retransmit_mult = integer
  suspicion_mult  = integer
}

object "HTTPConfig" {
  allow_write_http_from = list(string)
  block_endpoints       = list(string)
  idle_timeout          = string
  max_header_bytes      = integer
  read_header_timeout   = string
  read_timeout          = string
  response_headers      = map(string)
  use_cache             = bool
  write_timeout         = string
}

object "License" {
  enabled = bool
}

object "Limits" {
  http_max_conns_per_client = integer
  https_handshake_timeout   = string
  kv_max_value_size         = integer
  request_limits            = RequestLimits
  rpc_client_timeout        = string
  rpc_handshake_timeout     = string
  rpc_max_burst             = integer
  rpc_max_conns_per_client  = integer
  rpc_rate                  = number
  txn_max_req_len           = integer
}

object "Locality" {
  region = string
  zone   = string
}

object "MeshGatewayConfig" {
  mode = string
}

object "Peering" {
  enabled                       = bool
  test_allow_peer_registrations = bool
}

object "Performance" {
  enable_xds_load_balancing = bool
  grpc_keepalive_interval   = string
  grpc_keepalive_timeout    = string
  leave_drain_time          = string
  raft_multiplier           = integer
  rpc_hold_timeout          = string
}

object "Ports" {
  dns              = integer
  expose_max_port  = integer
  expose_min_port  = integer
  grpc             = integer
  grpc_tls         = integer
  http             = integer
  https            = integer
  proxy_max_port   = integer
  proxy_min_port   = integer
  serf_lan         = integer
  serf_wan         = integer
  server           = integer
  sidecar_max_port = integer
  sidecar_min_port = integer
}

object "RPC" {
  enable_streaming = bool
}

object "RaftBoltDBConfig" {
  nofreelistsync = bool
}

object "RaftBoltDBConfigRaw" {
  no_freelist_sync = bool
}

object "RaftLogStoreRaw" {
  backend           = string
  boltdb            = RaftBoltDBConfigRaw
  disable_log_cache = bool
  verification      = RaftLogStoreVerificationRaw
  wal               = RaftWALConfigRaw
}

object "RaftLogStoreVerificationRaw" {
  enabled  = bool
  interval = string
}

object "RaftWALConfigRaw" {
  segment_size_mb = integer
}

object "RawUIConfig" {
  content_path                  = string
  dashboard_url_templates       = map(string)
  dir                           = string
  enabled                       = bool
  metrics_provider              = string
  metrics_provider_files        = list(string)
  metrics_provider_options_json = string
  metrics_proxy                 = RawUIMetricsProxy
}

object "RawUIMetricsProxy" {
  add_headers    = list(RawUIMetricsProxyAddHeader)
  base_url       = string
  path_allowlist = list(string)
}

object "RawUIMetricsProxyAddHeader" {
  name  = string
  value = string
}

object "Reporting" {
  license                 = License
  snapshot_retention_time = string
}

object "RequestLimits" {
  mode       = string
  read_rate  = number
  write_rate = number
}

object "SOA" {
  expire  = integer
  min_ttl = integer
  refresh = integer
  retry   = integer
}

object "Segment" {
  advertise    = string
  bind         = string
  name         = string
  port         = integer
  rpc_listener = bool
}

object "ServiceAddress" {
  address = string
  port    = integer
}

object "ServiceConnect" {
  native          = bool
  sidecar_service = ServiceDefinition
}

object "ServiceDefinition" {
  address             = string
  check               = CheckDefinition
  checks              = list(CheckDefinition)
  connect             = ServiceConnect
  enable_tag_override = bool
  id                  = string
  kind                = string
  locality            = Locality
  meta                = map(string)
  name                = string
  namespace           = string
  partition           = string
  port                = integer
  ports               = list(ServicePort)
  proxy               = ServiceProxy
  socket_path         = string
  tagged_addresses    = map(ServiceAddress)
  tags                = list(string)
  token               = string
  weights             = ServiceWeights
}

object "ServicePort" {
  default = bool
  name    = string
  port    = integer
}

object "ServiceProviderToken" {
  accessor_id = string
  secret_id   = string
}

object "ServiceProxy" {
  config                    = map(any)
  destination_service_id    = string
  destination_service_name  = string
  expose                    = ExposeConfig
  local_service_address     = string
  local_service_port        = integer
  local_service_socket_path = string
  mesh_gateway              = MeshGatewayConfig
  mode                      = string
  transparent_proxy         = TransparentProxyConfig
  upstreams                 = list(Upstream)
}

object "ServiceWeights" {
  passing = integer
  warning = integer
}

object "TLS" {
  defaults     = TLSProtocolConfig
  grpc         = TLSProtocolConfig
  https        = TLSProtocolConfig
  internal_rpc = TLSProtocolConfig
}

object "TLSProtocolConfig" {
  ca_file                = string
  ca_path                = string
  cert_file              = string
  key_file               = string
  tls_cipher_suites      = string
  tls_min_version        = string
  use_auto_cert          = bool
  verify_incoming        = bool
  verify_outgoing        = bool
  verify_server_hostname = bool
}

object "Telemetry" {
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
  disable_per_tenancy_usage_metrics      = bool
  dogstatsd_addr                         = string
  dogstatsd_tags                         = list(string)
  enable_host_metrics                    = bool
  filter_default                         = bool
  metrics_prefix                         = string
  prefix_filter                          = list(string)
  prometheus_retention_time              = string
  retry_failed_connection                = bool
  statsd_address                         = string
  statsite_address                       = string
}

object "Tokens" {
  agent                            = string
  agent_master                     = string
  agent_recovery                   = string
  config_file_service_registration = string
  default                          = string
  dns                              = string
  initial_management               = string
  managed_service_provider         = list(ServiceProviderToken)
  master                           = string
  replication                      = string
}

object "TransparentProxyConfig" {
  dialed_directly        = bool
  outbound_listener_port = integer
}

object "UnixSocket" {
  group = string
  mode  = string
  user  = string
}

object "Unnamed" {
  update_batch_size  = integer
  update_max_batches = integer
  update_period      = string
}

object "Unnamed2" {
  election_timeout     = string
  heartbeat_timeout    = string
  leader_lease_timeout = string
}

object "Unnamed3" {
  health_interval = string
}

object "Upstream" {
  config                 = map(any)
  datacenter             = string
  destination_name       = string
  destination_namespace  = string
  destination_partition  = string
  destination_peer       = string
  destination_type       = string
  local_bind_address     = string
  local_bind_port        = integer
  local_bind_socket_mode = string
  local_bind_socket_path = string
  mesh_gateway           = MeshGatewayConfig
}

object "XDS" {
  update_max_per_second = number
}

object "agent" {
  acl                                         = ACL
  acl_agent_master_token                      = string
  acl_agent_token                             = string
  acl_datacenter                              = string
  acl_default_policy                          = string
  acl_down_policy                             = string
  acl_enable_key_list_policy                  = bool
  acl_enforce_version_8                       = any
  acl_master_token                            = string
  acl_replication_token                       = string
  acl_token                                   = string
  acl_ttl                                     = string
  addresses                                   = Addresses
  advertise_addr                              = string
  advertise_addr_ipv4                         = string
  advertise_addr_ipv6                         = string
  advertise_addr_wan                          = string
  advertise_addr_wan_ipv4                     = string
  advertise_addr_wan_ipv6                     = string
  advertise_reconnect_timeout                 = string
  ae_interval                                 = string
  alt_domain                                  = string
  audit                                       = Audit
  auto_config                                 = AutoConfigRaw
  auto_encrypt                                = AutoEncrypt
  auto_reload_config                          = bool
  autopilot                                   = Autopilot
  bind_addr                                   = string
  bootstrap                                   = bool
  bootstrap_expect                            = integer
  build_date                                  = any
  ca_file                                     = string
  ca_path                                     = string
  cache                                       = Cache
  cert_file                                   = string
  check                                       = CheckDefinition
  check_deregister_interval_min               = string
  check_output_max_size                       = integer
  check_reap_interval                         = string
  check_update_interval                       = string
  checks                                      = list(CheckDefinition)
  client_addr                                 = string
  cloud                                       = CloudConfigRaw
  config_entries                              = ConfigEntries
  connect                                     = Connect
  consul                                      = Consul
  data_dir                                    = string
  datacenter                                  = string
  default_intention_policy                    = string
  default_query_time                          = string
  disable_anonymous_signature                 = bool
  disable_coordinates                         = bool
  disable_host_node_id                        = bool
  disable_http_unprintable_char_filter        = bool
  disable_keyring_file                        = bool
  disable_kv_key_validation                   = bool
  disable_remote_exec                         = bool
  disable_update_check                        = bool
  discard_check_output                        = bool
  discovery_max_stale                         = string
  dns_config                                  = DNS
  domain                                      = string
  enable_acl_replication                      = bool
  enable_agent_tls_for_checks                 = bool
  enable_central_service_config               = bool
  enable_debug                                = bool
  enable_local_script_checks                  = bool
  enable_script_checks                        = bool
  enable_syslog                               = bool
  encrypt                                     = string
  encrypt_verify_incoming                     = bool
  encrypt_verify_outgoing                     = bool
  experiments                                 = list(string)
  federation_state_anti_entropy_sync_interval = string
  gossip_lan                                  = GossipLANConfig
  gossip_wan                                  = GossipWANConfig
  http_config                                 = HTTPConfig
  key_file                                    = string
  leave_on_terminate                          = bool
  license_path                                = string
  license_poll_base_time                      = string
  license_poll_max_time                       = string
  license_update_base_time                    = string
  license_update_max_time                     = string
  limits                                      = Limits
  locality                                    = Locality
  log_file                                    = string
  log_json                                    = bool
  log_level                                   = string
  log_rotate_bytes                            = integer
  log_rotate_duration                         = string
  log_rotate_max_files                        = integer
  max_query_time                              = string
  node_id                                     = string
  node_meta                                   = map(string)
  node_name                                   = string
  non_voting_server                           = bool
  partition                                   = string
  peering                                     = Peering
  performance                                 = Performance
  pid_file                                    = string
  ports                                       = Ports
  primary_datacenter                          = string
  primary_gateways                            = list(string)
  primary_gateways_interval                   = string
  protocol                                    = integer
  raft_boltdb                                 = RaftBoltDBConfig
  raft_logstore                               = RaftLogStoreRaw
  raft_prevote_disabled                       = bool
  raft_protocol                               = integer
  raft_snapshot_interval                      = string
  raft_snapshot_threshold                     = integer
  raft_trailing_logs                          = integer
  read_replica                                = bool
  reconnect_timeout                           = string
  reconnect_timeout_wan                       = string
  recursors                                   = list(string)
  rejoin_after_leave                          = bool
  reporting                                   = Reporting
  retry_interval                              = string
  retry_interval_wan                          = string
  retry_join                                  = list(string)
  retry_join_wan                              = list(string)
  retry_max                                   = integer
  retry_max_wan                               = integer
  revision                                    = string
  rpc                                         = RPC
  segment                                     = string
  segment_limit                               = integer
  segment_name_limit                          = integer
  segments                                    = list(Segment)
  serf_lan                                    = string
  serf_lan_allowed_cidrs                      = list(string)
  serf_wan                                    = string
  serf_wan_allowed_cidrs                      = list(string)
  server                                      = bool
  server_name                                 = string
  server_rejoin_age_max                       = string
  service                                     = ServiceDefinition
  services                                    = list(ServiceDefinition)
  session_ttl_min                             = string
  skip_leave_on_interrupt                     = bool
  snapshot_agent                              = map(any)
  start_join                                  = list(string)
  start_join_wan                              = list(string)
  sync_coordinate_interval_min                = string
  sync_coordinate_rate_target                 = number
  syslog_facility                             = string
  tagged_addresses                            = map(string)
  telemetry                                   = Telemetry
  tls                                         = TLS
  tls_cipher_suites                           = string
  tls_min_version                             = string
  tls_prefer_server_cipher_suites             = bool
  translate_wan_addrs                         = bool
  ui                                          = bool
  ui_config                                   = RawUIConfig
  ui_content_path                             = string
  ui_dir                                      = string
  unix_sockets                                = UnixSocket
  use_streaming_backend                       = bool
  verify_incoming                             = bool
  verify_incoming_https                       = bool
  verify_incoming_rpc                         = bool
  verify_outgoing                             = bool
  verify_server_hostname                      = bool
  version                                     = string
  version_metadata                            = string
  version_prerelease                          = string
  watches                                     = list(map(any))
  xds                                         = XDS
}

object "AgentRule" {
  policy   = one_of("deny", "read", "write")
  sentinel = any
}

object "EventRule" {
  policy   = one_of("deny", "read", "write")
  sentinel = any
}

object "IdentityRule" {
  intentions = one_of("deny", "read", "write")
  policy     = one_of("deny", "read", "write")
  sentinel   = any
}

object "KeyRule" {
  policy   = one_of("deny", "read", "list", "write")
  sentinel = any
}

object "NodeRule" {
  policy   = one_of("deny", "read", "write")
  sentinel = any
}

object "PreparedQueryRule" {
  policy   = one_of("deny", "read", "write")
  sentinel = any
}

object "ServiceRule" {
  intentions = one_of("deny", "read", "write")
  policy     = one_of("deny", "read", "write")
  sentinel   = any
}

object "SessionRule" {
  policy   = one_of("deny", "read", "write")
  sentinel = any
}

object "policy" {
  acl              = one_of("deny", "read", "write")
  agent            = labeled(AgentRule)
  agent_prefix     = labeled(AgentRule)
  event            = labeled(EventRule)
  event_prefix     = labeled(EventRule)
  identity         = labeled(IdentityRule)
  identity_prefix  = labeled(IdentityRule)
  key              = labeled(KeyRule)
  key_prefix       = labeled(KeyRule)
  keyring          = one_of("deny", "read", "write")
  mesh             = one_of("deny", "read", "write")
  namespace        = any
  namespace_prefix = any
  node             = labeled(NodeRule)
  node_prefix      = labeled(NodeRule)
  operator         = one_of("deny", "read", "write")
  partition        = any
  partition_prefix = any
  peering          = one_of("deny", "read", "write")
  query            = labeled(PreparedQueryRule)
  query_prefix     = labeled(PreparedQueryRule)
  service          = labeled(ServiceRule)
  service_prefix   = labeled(ServiceRule)
  session          = labeled(SessionRule)
  session_prefix   = labeled(SessionRule)
}
