//! Boundary's worker.

use std::collections::BTreeMap;

use hclkit::{Decode, FromValue, Value};

use super::{decode, errors};

#[derive(Decode)]
struct Config {
    hcp_boundary_cluster_id: Option<String>,
    #[hcl(default)]
    disable_mlock: bool,
    #[hcl(block, min = 1)]
    listener: Vec<Listener>,
    #[hcl(block)]
    worker: Worker,
    #[hcl(block)]
    kms: Vec<Kms>,
    #[hcl(block)]
    events: Option<Events>,
}

#[derive(Decode)]
struct Listener {
    #[hcl(label)]
    kind: String,
    address: String,
    #[hcl(with = one_or_many)]
    purpose: Vec<Purpose>,
    #[hcl(default)]
    tls_disable: bool,
}

#[derive(FromValue, Debug, PartialEq)]
enum Purpose {
    Api,
    Cluster,
    Proxy,
    Ops,
}

fn one_or_many(value: &Value) -> Result<Vec<Purpose>, hclkit::value::Error> {
    if value.as_str().is_some() { Ok(vec![Purpose::from_value(value)?]) } else { Vec::from_value(value) }
}

#[derive(Decode)]
struct Worker {
    name: Option<String>,
    description: Option<String>,
    public_addr: Option<String>,
    #[hcl(default)]
    initial_upstreams: Vec<String>,
    auth_storage_path: Option<String>,
    #[hcl(block)]
    tags: Option<Tags>,
}

#[derive(Decode)]
struct Tags {
    #[hcl(remain)]
    by_name: BTreeMap<String, Vec<String>>,
}

#[derive(Decode)]
#[hcl(tag = label)]
enum Kms {
    Aead {
        purpose: String,
        aead_type: String,
        #[hcl(sensitive)]
        key: String,
        key_id: Option<String>,
    },
    Awskms {
        purpose: String,
        region: String,
        kms_key_id: String,
    },
}

#[derive(Decode)]
struct Events {
    #[hcl(default)]
    audit_enabled: bool,
    #[hcl(block)]
    sink: Vec<Sink>,
}

#[derive(Decode)]
struct Sink {
    #[hcl(label)]
    kind: String,
    name: String,
    event_types: Vec<String>,
}

#[test]
fn a_worker_with_tags_and_a_key() {
    let native = r#"
listener "tcp" {
  address = "0.0.0.0:9202"
  purpose = "proxy"
}

listener "tcp" {
  address     = "127.0.0.1:9203"
  purpose     = ["ops"]
  tls_disable = true
}

worker {
  name              = "worker-berlin"
  public_addr       = "198.51.100.7"
  initial_upstreams = ["10.0.0.1:9201"]

  tags {
    type   = ["prod", "webservers"]
    region = ["eu"]
  }
}

kms "aead" {
  purpose   = "worker-auth"
  aead_type = "aes-gcm"
  key       = "bm90IGEga2V5"
}
"#;
    let json = r#"{
      "listener": [
        {"tcp": {"address": "0.0.0.0:9202", "purpose": "proxy"}},
        {"tcp": {"address": "127.0.0.1:9203", "purpose": ["ops"], "tls_disable": true}}
      ],
      "worker": {"name": "worker-berlin", "public_addr": "198.51.100.7", "initial_upstreams": ["10.0.0.1:9201"],
        "tags": {"type": ["prod", "webservers"], "region": ["eu"]}},
      "kms": {"aead": {"purpose": "worker-auth", "aead_type": "aes-gcm", "key": "bm90IGEga2V5"}}
    }"#;
    for text in [native, json] {
        let config: Config = decode(text);
        assert_eq!(config.listener[0].purpose, [Purpose::Proxy]);
        assert_eq!(
            (&config.listener[1].purpose[..], config.listener[1].tls_disable),
            (&[Purpose::Ops][..], true)
        );
        assert_eq!(config.worker.tags.unwrap().by_name["type"], ["prod", "webservers"]);
        assert!(matches!(&config.kms[0], Kms::Aead { key, .. } if key == "bm90IGEga2V5"));
    }
}

#[test]
fn mistakes_are_reported() {
    snapbox::assert_data_eq!(
        errors::<Config>(
            "listener \"tcp\" {\n  address = \"a\"\n  purpose = [\"prxy\"]\n}\nkms \"aed\" {\n  purpose = \"root\"\n}\n"
        ),
        snapbox::str![[r#"
config.hcl:1:1: error: Missing block: A block of type `worker` is required here.
config.hcl:3:13: error: Invalid value: Invalid value for the argument `purpose`: [0]: expected "api", "cluster", "proxy" or "ops", found "prxy"; did you mean "proxy"?
config.hcl:5:5: error: Invalid value: Expected "aead" or "awskms", found "aed"; did you mean "aead"?
"#]]
    );
}
