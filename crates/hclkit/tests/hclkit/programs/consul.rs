//! Consul's agent, whose documentation has both syntaxes.

use std::collections::BTreeMap;

use hclkit::value::Error;
use hclkit::{Decode, FromValue, Value};

use super::{decode, errors};

#[derive(Decode)]
struct Agent {
    datacenter: Option<String>,
    data_dir: Option<String>,
    #[hcl(default = "INFO")]
    log_level: String,
    node_name: Option<String>,
    #[hcl(default)]
    server: bool,
    bootstrap_expect: Option<u8>,
    #[hcl(default)]
    retry_join: Vec<String>,
    #[hcl(sensitive)]
    encrypt: Option<String>,
    #[hcl(default)]
    addresses: Addresses,
    #[hcl(default)]
    ports: BTreeMap<String, i32>,
    #[hcl(default)]
    watches: Vec<Watch>,
    #[hcl(block)]
    connect: Option<Connect>,
    #[hcl(block)]
    service: Vec<Service>,
}

#[derive(FromValue, Default)]
struct Addresses {
    https: Option<String>,
    http: Option<String>,
    dns: Option<String>,
}

#[derive(FromValue, Debug, PartialEq)]
#[hcl(tag = "type", rename_all = "lowercase")]
enum Watch {
    Key(Key),
    Checks(Checks),
    Services(Handler),
}

#[derive(FromValue, Debug, PartialEq)]
struct Key {
    key: String,
    handler: Option<String>,
}

#[derive(FromValue, Debug, PartialEq)]
struct Checks {
    service: Option<String>,
    handler: Option<String>,
}

#[derive(FromValue, Debug, PartialEq)]
struct Handler {
    handler: Option<String>,
}

#[derive(Decode)]
struct Connect {
    #[hcl(default)]
    enabled: bool,
}

#[derive(Decode)]
struct Service {
    id: Option<String>,
    name: String,
    #[hcl(range = 1..=65535)]
    port: Option<u16>,
    #[hcl(default, with = one_or_many)]
    tags: Vec<String>,
    #[hcl(block)]
    check: Vec<Check>,
}

#[derive(Decode)]
struct Check {
    http: Option<String>,
    tcp: Option<String>,
    #[hcl(default = "10s")]
    interval: std::time::Duration,
}

/// Several tools accept one string where a list of strings is expected.
fn one_or_many(value: &Value) -> Result<Vec<String>, Error> {
    match value.as_str() {
        Some(one) => Ok(vec![one.to_owned()]),
        None => Vec::from_value(value),
    }
}

const NATIVE: &str = r#"
datacenter = "east-1"
data_dir   = "/opt/consul"
node_name  = "node-7"
server     = true
encrypt    = "bm90IGEga2V5"
retry_join = ["10.0.4.2"]
addresses  = { https = "0.0.0.0" }
ports      = { https = 8501, grpc = -1 }

watches = [
  { type = "key", key = "shop/flags", handler = "/usr/bin/reload" },
  { type = "checks" },
]

connect {
  enabled = true
}

service {
  name = "redis"
  port = 6379
  tags = "primary"

  check {
    tcp = "localhost:6379"
  }
}
"#;

const JSON: &str = r#"{
  "datacenter": "east-1", "data_dir": "/opt/consul", "node_name": "node-7", "server": true, "encrypt": "bm90IGEga2V5",
  "retry_join": ["10.0.4.2"], "addresses": {"https": "0.0.0.0"}, "ports": {"https": 8501, "grpc": -1},
  "watches": [{"type": "key", "key": "shop/flags", "handler": "/usr/bin/reload"}, {"type": "checks"}],
  "connect": {"enabled": true},
  "service": {"name": "redis", "port": 6379, "tags": ["primary"], "check": {"tcp": "localhost:6379"}}
}"#;

#[test]
fn an_agent_with_a_service() {
    for text in [NATIVE, JSON] {
        let agent: Agent = decode(text);
        assert!(agent.server && agent.connect.unwrap().enabled);
        assert_eq!((agent.addresses.https.as_deref(), agent.ports["grpc"]), (Some("0.0.0.0"), -1));
        let key = Key { key: "shop/flags".into(), handler: Some("/usr/bin/reload".into()) };
        assert_eq!(agent.watches, [Watch::Key(key), Watch::Checks(Checks { service: None, handler: None })]);
        let service = &agent.service[0];
        assert_eq!(
            (service.name.as_str(), service.port, &service.tags[..]),
            ("redis", Some(6379), &["primary".to_owned()][..])
        );
        assert_eq!(service.check[0].tcp.as_deref(), Some("localhost:6379"));
    }
}

#[test]
fn mistakes_are_reported() {
    snapbox::assert_data_eq!(
        errors::<Agent>("watches = [{ type = \"kye\" }]\nservice {\n  port = 99999\n}\n"),
        snapbox::str![[r#"
config.hcl:1:21: error: Invalid value: Invalid value for the argument `watches`: [0].type: expected "key", "checks" or "services", found "kye"; did you mean "key"?
config.hcl:2:9: error: Missing required argument: The argument `name` is required, but it is not set.
config.hcl:3:10: error: Invalid value: Invalid value for the argument `port`: expected a whole number from 0 to 65535, found 99999.
"#]]
    );
}
