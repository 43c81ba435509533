//! Terraform's command-line configuration, `.terraformrc`.

use std::collections::BTreeMap;

use hclkit::Decode;

use super::{decode, errors};

#[derive(Decode)]
struct Config {
    plugin_cache_dir: Option<String>,
    #[hcl(default)]
    disable_checkpoint: bool,
    #[hcl(block, key = label)]
    credentials: BTreeMap<String, Credentials>,
    #[hcl(block)]
    credentials_helper: Option<Helper>,
    #[hcl(block)]
    provider_installation: Option<Installation>,
}

#[derive(Decode)]
struct Credentials {
    #[hcl(sensitive)]
    token: String,
}

#[derive(Decode)]
struct Helper {
    #[hcl(label)]
    name: String,
    #[hcl(default)]
    args: Vec<String>,
}

/// The methods are tried in the order of the file.
#[derive(Decode)]
struct Installation {
    #[hcl(block)]
    methods: Vec<Method>,
}

#[derive(Decode, Debug, PartialEq)]
enum Method {
    Direct(Filter),
    FilesystemMirror {
        path: String,
        #[hcl(flatten)]
        filter: Filter,
    },
    NetworkMirror {
        url: String,
        #[hcl(flatten)]
        filter: Filter,
    },
    /// The names of providers contain slashes, so they cannot be written in the native syntax.
    DevOverrides {
        #[hcl(remain)]
        by_provider: BTreeMap<String, String>,
    },
}

#[derive(Decode, Debug, PartialEq)]
struct Filter {
    #[hcl(default)]
    include: Vec<String>,
    #[hcl(default)]
    exclude: Vec<String>,
}

#[test]
fn credentials_and_mirrors() {
    let config: Config = decode(
        r#"
plugin_cache_dir   = "$HOME/.terraform.d/plugin-cache"
disable_checkpoint = true

credentials "app.example.com" {
  token = "not-a-token"
}

credentials_helper "keychain" {
  args = ["--quiet"]
}

provider_installation {
  filesystem_mirror {
    path    = "/usr/share/terraform/providers"
    include = ["registry.example.com/*/*"]
  }
  network_mirror {
    url = "https://mirror.example.com/providers/"
  }
  direct {
    exclude = ["registry.example.com/*/*"]
  }
}
"#,
    );
    assert_eq!(config.credentials["app.example.com"].token, "not-a-token");
    assert_eq!(config.credentials_helper.unwrap().args, ["--quiet"]);
    let filter = |include: &[&str], exclude: &[&str]| Filter {
        include: include.iter().map(ToString::to_string).collect(),
        exclude: exclude.iter().map(ToString::to_string).collect(),
    };
    let path = "/usr/share/terraform/providers".to_owned();
    let url = "https://mirror.example.com/providers/".to_owned();
    assert_eq!(
        config.provider_installation.unwrap().methods,
        [
            Method::FilesystemMirror { path, filter: filter(&["registry.example.com/*/*"], &[]) },
            Method::NetworkMirror { url, filter: filter(&[], &[]) },
            Method::Direct(filter(&[], &["registry.example.com/*/*"])),
        ]
    );
}

#[test]
fn overrides_for_developers_in_json() {
    let config: Config = decode(
        r#"{"provider_installation": {"dev_overrides": {"example/shop": "/home/ann/go/bin"}, "direct": {}}}"#,
    );
    let methods = config.provider_installation.unwrap().methods;
    let Method::DevOverrides { by_provider } = &methods[0] else { panic!("{methods:?}") };
    assert_eq!(by_provider["example/shop"], "/home/ann/go/bin");
}

#[test]
fn mistakes_are_reported() {
    snapbox::assert_data_eq!(
        errors::<Config>(
            "provider_installation {\n  filesystem_miror {\n    path = \"/a\"\n  }\n  network_mirror {}\n}\n"
        ),
        snapbox::str![[r#"
config.hcl:2:3: error: Unsupported block type: Blocks of type `filesystem_miror` are not expected here. Did you mean `filesystem_mirror`?
config.hcl:5:18: error: Missing required argument: The argument `url` is required, but it is not set.
"#]]
    );
}
