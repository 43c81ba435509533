//! Vault's server.

use std::time::Duration;

use hclkit::{Body, Decode};

use super::{decode, errors};

#[derive(Decode)]
struct Server {
    #[hcl(default)]
    ui: bool,
    api_addr: Option<String>,
    cluster_addr: Option<String>,
    #[hcl(default)]
    disable_mlock: bool,
    #[hcl(default = "768h")]
    max_lease_ttl: Duration,
    #[hcl(default = "768h")]
    default_lease_ttl: Duration,
    #[hcl(block)]
    storage: Storage,
    #[hcl(block, min = 1)]
    listener: Vec<Listener>,
    #[hcl(block)]
    seal: Option<Seal>,
    #[hcl(block)]
    telemetry: Option<Telemetry>,
}

#[derive(Decode, Debug, PartialEq)]
#[hcl(tag = label)]
enum Storage {
    Raft(Raft),
    Consul {
        #[hcl(default = "127.0.0.1:8500")]
        address: String,
        #[hcl(default = "vault/")]
        path: String,
    },
    File {
        path: String,
    },
    Inmem,
}

#[derive(Decode, Debug, PartialEq)]
struct Raft {
    path: String,
    node_id: Option<String>,
    #[hcl(block)]
    retry_join: Vec<RetryJoin>,
}

#[derive(Decode, Debug, PartialEq)]
struct RetryJoin {
    leader_api_addr: Option<String>,
    auto_join: Option<String>,
}

#[derive(Decode)]
#[hcl(tag = label)]
enum Listener {
    Tcp(Box<Tcp>),
    Unix { address: String, socket_mode: Option<String> },
}

#[derive(Decode)]
#[hcl(validate = Tcp::check)]
struct Tcp {
    #[hcl(default = "127.0.0.1:8200")]
    address: String,
    #[hcl(default)]
    tls_disable: bool,
    tls_cert_file: Option<String>,
    tls_key_file: Option<String>,
    #[hcl(default = "30s")]
    http_read_header_timeout: Duration,
}

impl Tcp {
    fn check(&self) -> Result<(), &'static str> {
        let complete = self.tls_cert_file.is_some() && self.tls_key_file.is_some();
        if self.tls_disable || complete {
            Ok(())
        } else {
            Err("TLS requires `tls_cert_file` and `tls_key_file`")
        }
    }
}

/// Each kind of seal has its own arguments.
#[derive(Decode)]
struct Seal {
    #[hcl(label)]
    kind: String,
    #[hcl(remain)]
    settings: Body,
}

#[derive(Decode)]
struct Telemetry {
    statsite_address: Option<String>,
    #[hcl(default)]
    disable_hostname: bool,
}

const NATIVE: &str = r#"
ui            = true
api_addr      = "https://vault-1.example.com:8200"
cluster_addr  = "https://10.3.0.8:8201"
disable_mlock = true
max_lease_ttl = "36h"

storage "raft" {
  path    = "/srv/vault"
  node_id = "node-a"

  retry_join {
    leader_api_addr = "https://vault-2.example.com:8200"
  }
}

listener "tcp" {
  address       = "0.0.0.0:8200"
  tls_cert_file = "/etc/vault/full.pem"
  tls_key_file  = "/etc/vault/key.pem"
}

listener "unix" {
  address = "/run/vault.sock"
}

seal "awskms" {
  region     = "eu-central-1"
  kms_key_id = "1111-2222"
}
"#;

const JSON: &str = r#"{
  "ui": true, "api_addr": "https://vault-1.example.com:8200", "cluster_addr": "https://10.3.0.8:8201",
  "disable_mlock": true, "max_lease_ttl": "36h",
  "storage": {"raft": {"path": "/srv/vault", "node_id": "node-a",
    "retry_join": {"leader_api_addr": "https://vault-2.example.com:8200"}}},
  "listener": [
    {"tcp": {"address": "0.0.0.0:8200", "tls_cert_file": "/etc/vault/full.pem", "tls_key_file": "/etc/vault/key.pem"}},
    {"unix": {"address": "/run/vault.sock"}}
  ],
  "seal": {"awskms": {"region": "eu-central-1", "kms_key_id": "1111-2222"}}
}"#;

#[test]
fn a_server_with_raft_and_two_listeners() {
    for text in [NATIVE, JSON] {
        let server: Server = decode(text);
        assert_eq!((server.ui, server.max_lease_ttl), (true, Duration::from_secs(36 * 3600)));
        let Storage::Raft(raft) = &server.storage else { panic!("{:?}", server.storage) };
        assert_eq!((raft.path.as_str(), raft.retry_join.len()), ("/srv/vault", 1));
        let [Listener::Tcp(tcp), Listener::Unix { address, .. }] = &server.listener[..] else {
            panic!("two listeners")
        };
        assert_eq!((tcp.address.as_str(), address.as_str()), ("0.0.0.0:8200", "/run/vault.sock"));
        let seal = server.seal.unwrap();
        assert_eq!(seal.kind, "awskms");
        assert!(seal.settings.attribute("kms_key_id").is_some());
    }
}

#[test]
fn mistakes_are_reported() {
    snapbox::assert_data_eq!(
        errors::<Server>("storage \"rafft\" {\n  path = \"/srv\"\n}\nlistener \"tcp\" {}\n"),
        snapbox::str![[r#"
config.hcl:1:9: error: Invalid value: Expected "raft", "consul", "file" or "inmem", found "rafft"; did you mean "raft"?
config.hcl:4:1: error: Invalid value: Invalid block: TLS requires `tls_cert_file` and `tls_key_file`.
"#]]
    );
}
