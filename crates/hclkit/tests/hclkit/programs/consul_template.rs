//! consul-template.

use std::time::Duration;

use hclkit::{Decode, Value};

use super::decode;

#[derive(Decode)]
struct Config {
    #[hcl(block)]
    consul: Option<Consul>,
    #[hcl(block)]
    vault: Option<Vault>,
    #[hcl(block, min = 1)]
    template: Vec<Template>,
    #[hcl(block)]
    exec: Option<Exec>,
    #[hcl(block)]
    wait: Option<Wait>,
    #[hcl(default = "SIGHUP")]
    reload_signal: String,
    #[hcl(default = "SIGINT")]
    kill_signal: String,
    #[hcl(default = "10m")]
    max_stale: Duration,
    #[hcl(default = "WARN")]
    log_level: String,
}

#[derive(Decode)]
struct Consul {
    address: String,
    #[hcl(block)]
    auth: Option<Auth>,
    #[hcl(block)]
    retry: Option<Retry>,
}

#[derive(Decode)]
struct Auth {
    #[hcl(default = true)]
    enabled: bool,
    username: String,
    #[hcl(sensitive)]
    password: String,
}

#[derive(Decode)]
struct Retry {
    #[hcl(default = true)]
    enabled: bool,
    #[hcl(default = 12)]
    attempts: u32,
    #[hcl(default = "250ms")]
    backoff: Duration,
    #[hcl(default = "1m")]
    max_backoff: Duration,
}

#[derive(Decode)]
struct Vault {
    address: String,
    #[hcl(default = true)]
    renew_token: bool,
}

#[derive(Decode)]
#[hcl(validate = Template::check)]
struct Template {
    source: Option<String>,
    contents: Option<String>,
    destination: String,
    #[hcl(default, with = command)]
    command: Vec<String>,
    #[hcl(default = "0644", with = mode)]
    perms: u32,
    #[hcl(default)]
    backup: bool,
    #[hcl(default = "{{")]
    left_delimiter: String,
    #[hcl(block)]
    wait: Option<Wait>,
}

impl Template {
    fn check(&self) -> Result<(), &'static str> {
        match (&self.source, &self.contents) {
            (None, None) => Err("a template requires `source` or `contents`"),
            (Some(_), Some(_)) => Err("a template has either `source` or `contents`"),
            _ => Ok(()),
        }
    }
}

/// A command line, or a program and its arguments.
fn command(value: &Value) -> Result<Vec<String>, hclkit::value::Error> {
    match value.as_str() {
        Some(line) => Ok(vec!["sh".into(), "-c".into(), line.into()]),
        None => hclkit::FromValue::from_value(value),
    }
}

/// A mode in octal digits, such as `"0600"`.
fn mode(value: &Value) -> Result<u32, String> {
    let digits = value.as_str().ok_or("expected a string of octal digits")?;
    u32::from_str_radix(digits, 8).map_err(|error| format!("{digits:?} is not a mode: {error}"))
}

#[derive(Decode, Debug, PartialEq)]
struct Wait {
    min: Duration,
    max: Option<Duration>,
}

#[derive(Decode)]
struct Exec {
    #[hcl(with = command)]
    command: Vec<String>,
    #[hcl(default)]
    splay: Duration,
}

#[test]
fn templates_and_a_process() {
    let text = r#"
consul {
  address = "127.0.0.1:8500"

  auth {
    username = "templates"
    password = "hunter2"
  }

  retry {
    attempts = 3
    backoff  = "500ms"
  }
}

template {
  source      = "/etc/templates/nginx.ctmpl"
  destination = "/etc/nginx/nginx.conf"
  perms       = "0600"
  command     = ["nginx", "-s", "reload"]

  wait {
    min = "2s"
    max = "10s"
  }
}

template {
  contents    = "{{ key \"motd\" }}"
  destination = "/etc/motd"
  command     = "logger changed"
}

exec {
  command = "/usr/bin/app"
  splay   = "5s"
}
"#;
    let config: Config = decode(text);
    let consul = config.consul.unwrap();
    assert_eq!(consul.auth.unwrap().password, "hunter2");
    assert_eq!(consul.retry.unwrap().backoff, Duration::from_millis(500));
    let [nginx, motd] = &config.template[..] else { panic!("two templates") };
    assert_eq!((nginx.perms, motd.perms), (0o600, 0o644));
    assert_eq!(nginx.wait, Some(Wait { min: Duration::from_secs(2), max: Some(Duration::from_secs(10)) }));
    assert_eq!(motd.command, ["sh", "-c", "logger changed"]);
    assert_eq!(motd.contents.as_deref(), Some("{{ key \"motd\" }}"));
    assert_eq!(config.exec.unwrap().splay, Duration::from_secs(5));
    assert_eq!(config.max_stale, Duration::from_secs(600));

    snapbox::assert_data_eq!(
        super::errors::<Config>(
            "template {\n  destination = \"a\"\n  perms = \"0999\"\n}\ntemplate {\n  destination = \"b\"\n}\n"
        ),
        snapbox::str![[r#"
config.hcl:3:11: error: Invalid value: Invalid value for the argument `perms`: "0999" is not a mode: invalid digit found in string.
config.hcl:5:1: error: Invalid value: Invalid block: a template requires `source` or `contents`.
"#]]
    );
}
