//! Nomad's agent.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use hclkit::{Decode, FromValue, Value};

use super::{decode, errors};

#[derive(Decode)]
struct Agent {
    #[hcl(default = "global")]
    region: String,
    #[hcl(default = "dc1")]
    datacenter: String,
    data_dir: Option<String>,
    #[hcl(from_str, default = "0.0.0.0")]
    bind_addr: IpAddr,
    #[hcl(default = "INFO")]
    log_level: LogLevel,
    #[hcl(default)]
    leave_on_terminate: bool,
    #[hcl(block)]
    ports: Option<Ports>,
    #[hcl(block)]
    advertise: Option<Advertise>,
    #[hcl(block)]
    server: Option<Server>,
    #[hcl(block)]
    client: Option<Client>,
    #[hcl(block, key = label)]
    plugin: BTreeMap<String, Plugin>,
    #[hcl(block)]
    telemetry: Option<Telemetry>,
}

#[derive(FromValue, Debug, PartialEq)]
#[hcl(rename_all = "SCREAMING_SNAKE_CASE")]
enum LogLevel {
    Warn,
    Info,
    Debug,
    Trace,
}

#[derive(Decode)]
struct Ports {
    #[hcl(default = 4646)]
    http: u16,
    #[hcl(default = 4647)]
    rpc: u16,
    #[hcl(default = 4648)]
    serf: u16,
}

#[derive(Decode)]
struct Advertise {
    http: Option<String>,
    rpc: Option<String>,
    serf: Option<String>,
}

#[derive(Decode)]
struct Server {
    #[hcl(default)]
    enabled: bool,
    #[hcl(range = 1..=9)]
    bootstrap_expect: Option<u8>,
    #[hcl(default = "24h")]
    node_gc_threshold: Duration,
    #[hcl(block)]
    server_join: Option<ServerJoin>,
}

#[derive(Decode)]
struct ServerJoin {
    #[hcl(default)]
    retry_join: Vec<String>,
    #[hcl(default)]
    retry_max: u32,
    #[hcl(default = "30s")]
    retry_interval: Duration,
}

#[derive(Decode)]
struct Client {
    #[hcl(default)]
    enabled: bool,
    #[hcl(default)]
    servers: Vec<String>,
    #[hcl(default)]
    options: BTreeMap<String, String>,
    #[hcl(block)]
    meta: Option<Names>,
    #[hcl(block, key = label)]
    host_volume: BTreeMap<String, HostVolume>,
    #[hcl(block)]
    reserved: Option<Reserved>,
}

/// A block in which any name can be set.
#[derive(Decode)]
struct Names {
    #[hcl(remain)]
    values: BTreeMap<String, Value>,
}

#[derive(Decode, Debug, PartialEq)]
struct HostVolume {
    path: String,
    #[hcl(default)]
    read_only: bool,
}

#[derive(Decode)]
struct Reserved {
    cpu: Option<u32>,
    memory: Option<u32>,
    reserved_ports: Option<String>,
}

#[derive(Decode)]
struct Plugin {
    args: Option<Vec<String>>,
    /// Every plugin has its own.
    #[hcl(block)]
    config: Option<Names>,
}

#[derive(Decode)]
struct Telemetry {
    #[hcl(default = "1s")]
    collection_interval: Duration,
    #[hcl(default)]
    prometheus_metrics: bool,
}

const NATIVE: &str = r#"
data_dir  = "/var/lib/nomad"
bind_addr = "10.1.0.4"
log_level = "DEBUG"

advertise {
  http = "192.0.2.10"
  rpc  = "192.0.2.10:4647"
}

server {
  enabled          = true
  bootstrap_expect = 3

  server_join {
    retry_join     = ["10.1.0.5", "10.1.0.6:4648"]
    retry_interval = "15s"
  }
}

client {
  enabled = true
  options = {
    "driver.allowlist" = "docker,exec"
  }

  meta {
    rack = "r7"
    ssd  = true
  }

  host_volume "certificates" {
    path      = "/etc/ssl/certs"
    read_only = true
  }
}

plugin "docker" {
  config {
    allow_privileged = false
  }
}

telemetry {
  collection_interval = "5s"
  prometheus_metrics  = true
}
"#;

const JSON: &str = r#"{
  "data_dir": "/var/lib/nomad", "bind_addr": "10.1.0.4", "log_level": "DEBUG",
  "advertise": {"http": "192.0.2.10", "rpc": "192.0.2.10:4647"},
  "server": {
    "enabled": true, "bootstrap_expect": 3,
    "server_join": {"retry_join": ["10.1.0.5", "10.1.0.6:4648"], "retry_interval": "15s"}
  },
  "client": {
    "enabled": true, "options": {"driver.allowlist": "docker,exec"},
    "meta": {"rack": "r7", "ssd": true},
    "host_volume": {"certificates": {"path": "/etc/ssl/certs", "read_only": true}}
  },
  "plugin": {"docker": {"config": {"allow_privileged": false}}},
  "telemetry": {"collection_interval": "5s", "prometheus_metrics": true}
}"#;

#[test]
fn an_agent_is_a_server_and_a_client() {
    for text in [NATIVE, JSON] {
        let agent: Agent = decode(text);
        assert_eq!((agent.region.as_str(), agent.log_level), ("global", LogLevel::Debug));
        assert_eq!(agent.bind_addr, IpAddr::from([10, 1, 0, 4]));
        assert!(agent.ports.is_none());
        let server = agent.server.unwrap();
        assert_eq!(
            (server.bootstrap_expect, server.node_gc_threshold),
            (Some(3), Duration::from_secs(86_400))
        );
        assert_eq!(server.server_join.unwrap().retry_interval, Duration::from_secs(15));
        let client = agent.client.unwrap();
        assert_eq!(client.options["driver.allowlist"], "docker,exec");
        assert_eq!(client.meta.unwrap().values["ssd"], Value::from(true));
        let volume = HostVolume { path: "/etc/ssl/certs".into(), read_only: true };
        assert_eq!(client.host_volume["certificates"], volume);
        let config = agent.plugin["docker"].config.as_ref().unwrap();
        assert_eq!(config.values["allow_privileged"], Value::from(false));
    }
}

#[test]
fn mistakes_are_reported() {
    assert_eq!(
        errors::<Agent>("log_level = \"debug\"\nserver {\n  bootstrap_expect = 0\n  enable = true\n}\n"),
        "config.hcl:1:13: error: Invalid value: Invalid value for the argument `log_level`: expected \"WARN\", \"INFO\", \"DEBUG\" \
         or \"TRACE\", found \"debug\"; did you mean \"DEBUG\"?\n\
         config.hcl:3:22: error: Invalid value: Invalid value for the argument `bootstrap_expect`: the value must be between 1 and 9.\n\
         config.hcl:4:3: error: Unsupported argument: An argument named `enable` is not expected here. Did you mean `enabled`?"
    );
}
