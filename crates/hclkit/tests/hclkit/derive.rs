//! `#[derive(Decode)]`, `#[derive(FromValue)]` and `#[derive(IntoValue)]`: what each attribute does, in both syntaxes, and the
//! errors, as they are rendered.
#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes them")]
#![allow(dead_code, reason = "some fields are only decoded")]
#![allow(clippy::items_after_statements, clippy::struct_field_names, reason = "types are beside their tests")]

mod all_errors;
mod conveniences;
mod encode;
mod errors;
mod field_types;
mod keys;
mod load;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use hclkit::model::typed::MaybeUnknown;
use hclkit::render::Renderer;
use hclkit::{Body, Context, Decode, Expression, FromValue, IntoValue, Source, Spanned, Type, Value};
use indexmap::IndexMap;

/// The example of the documentation.
#[derive(Decode, Debug)]
struct Service {
    #[hcl(label)]
    name: Spanned<String>,
    /// The number of processes.
    #[hcl(default = 1)]
    replicas: u32,
    #[hcl(from_str)]
    address: SocketAddr,
    #[hcl(default = "30s")]
    timeout: Duration,
    when: Expression,
    #[hcl(block)]
    listen: Vec<Listen>,
    #[hcl(block, key = label)]
    envs: IndexMap<String, Env>,
    #[hcl(block)]
    tls: Option<Tls>,
    #[hcl(flatten)]
    common: Common,
    #[hcl(remain)]
    rest: Body,
}

#[derive(Decode, Debug, PartialEq)]
struct Listen {
    #[hcl(range = 1..=65535)]
    port: u16,
    #[hcl(default = "tcp")]
    protocol: Protocol,
}

#[derive(FromValue, IntoValue, Debug, PartialEq, Clone, Copy)]
enum Protocol {
    Tcp,
    Udp,
}

#[derive(Decode, Debug, PartialEq)]
struct Env {
    value: String,
}

#[derive(Decode, Debug, PartialEq)]
struct Tls {
    #[hcl(sensitive)]
    key: String,
}

#[derive(Decode, Debug, PartialEq)]
struct Common {
    #[hcl(alias = "labels")]
    tags: Option<BTreeMap<String, String>>,
    #[hcl(deprecated = "use `tags`")]
    owner: Option<String>,
}

#[derive(Decode, Debug)]
struct File {
    #[hcl(block)]
    service: Vec<Service>,
}

fn body(text: &str) -> Body {
    let name = if text.trim_start().starts_with('{') { "main.hcl.json" } else { "main.hcl" };
    let (body, found) = Body::parse(Source::new(name, text));
    assert!(found.is_empty(), "{found}");
    body
}

fn errors<T: Decode>(text: &str) -> String {
    match T::decode(&body(text), &Context::new()) {
        Ok(_) => panic!("expected an error for {text}"),
        Err(found) => Renderer::plain().diagnostics(&found),
    }
}

const NATIVE: &str = r#"
service "web" {
  address = "127.0.0.1:80"
  when    = var.enabled
  labels  = { a = 1 }
  listen {
    port = "80"
  }
  listen {
    port     = 53
    protocol = "udp"
  }
  envs "prod" {
    value = "p"
  }
  envs "dev" {
    value = "d"
  }
  tls {
    key = "k"
  }
  other = 1
}
"#;

const JSON: &str = r#"{"service": {"web": {
  "address": "127.0.0.1:80", "when": "${var.enabled}", "labels": {"a": 1},
  "listen": [{"port": "80"}, {"port": 53, "protocol": "udp"}],
  "envs": {"prod": {"value": "p"}, "dev": {"value": "d"}}, "tls": {"key": "k"}, "other": 1
}}}"#;

#[test]
fn the_example_is_decoded_in_both_syntaxes() {
    for text in [NATIVE, JSON] {
        let file = File::decode(&body(text), &Context::new()).unwrap();
        let service = &file.service[0];
        assert_eq!(*service.name, "web");
        assert!(service.name.place().text().contains("web"));
        assert_eq!((service.replicas, service.timeout), (1, Duration::from_secs(30)));
        assert_eq!(service.address, SocketAddr::from(([127, 0, 0, 1], 80)));
        assert_eq!(service.when.variables().len(), 1);
        let ports: Vec<(u16, Protocol)> =
            service.listen.iter().map(|listen| (listen.port, listen.protocol)).collect();
        assert_eq!(ports, [(80, Protocol::Tcp), (53, Protocol::Udp)]);
        assert_eq!(service.envs.keys().collect::<Vec<_>>(), ["prod", "dev"]);
        assert_eq!(service.tls, Some(Tls { key: "k".to_owned() }));
        assert_eq!(service.common.tags.as_ref().unwrap()["a"], "1");
        assert!(service.rest.attribute("other").is_some());
        assert_eq!(service.rest.items().len(), 1);
    }
}

#[test]
fn attributes_of_each_type() {
    #[derive(Decode, Debug)]
    struct Types {
        text: String,
        number: hclkit::value::Number,
        float: f64,
        flag: bool,
        list: Vec<u8>,
        set: std::collections::BTreeSet<String>,
        map: BTreeMap<String, i64>,
        pair: (String, u8),
        array: [u8; 2],
        value: Value,
        maybe: MaybeUnknown<String>,
        expression: Option<Expression>,
        spanned: Spanned<u16>,
        boxed: Option<Spanned<String>>,
        r#type: String,
    }
    let context = Context::new().with("u", Value::unknown(Type::String));
    let native = "text = 1\nnumber = 0.1\nfloat = \"2.5\"\nflag = \"true\"\nlist = [1, \"2\"]\nset = [\"b\", \"a\", \"b\"]\n\
                  map = { a = 1 }\npair = [\"x\", 2]\narray = [1, 2]\nvalue = [u]\nmaybe = u\nexpression = null\nspanned = 3\n\
                  boxed = null\ntype = \"t\"\n";
    let json = r#"{"text": 1, "number": 0.1, "float": "2.5", "flag": "true", "list": [1, "2"], "set": ["b", "a", "b"],
                  "map": {"a": 1}, "pair": ["x", 2], "array": [1, 2], "value": ["${u}"], "maybe": "${u}", "expression": null,
                  "spanned": 3, "boxed": null, "type": "t"}"#;
    for text in [native, json] {
        let types = Types::decode(&body(text), &context).unwrap();
        assert_eq!(
            (types.text.as_str(), types.number.to_string(), types.float, types.flag),
            ("1", "0.1".into(), 2.5, true)
        );
        assert_eq!(
            (types.list, types.set.into_iter().collect::<Vec<_>>()),
            (vec![1, 2], vec!["a".to_owned(), "b".into()])
        );
        assert_eq!((types.map["a"], types.pair, types.array), (1, ("x".to_owned(), 2), [1, 2]));
        assert_eq!(types.maybe.known(), None);
        assert!(!types.value.is_wholly_known() && types.expression.is_some() && types.boxed.is_none());
        assert_eq!((*types.spanned, types.spanned.place().text(), types.r#type.as_str()), (3, "3", "t"));
    }
}

#[test]
fn defaults_are_values_or_expressions() {
    #[derive(Decode, Debug, PartialEq)]
    struct Defaults {
        #[hcl(default)]
        empty: Vec<String>,
        #[hcl(default = -5)]
        negative: i8,
        #[hcl(default = 0.25)]
        quarter: f64,
        #[hcl(default = "a")]
        text: String,
        #[hcl(default = true)]
        flag: bool,
        #[hcl(default = vec![1, 2])]
        list: Vec<u8>,
        #[hcl(default = "1h30m")]
        wait: Option<Duration>,
        #[hcl(block, default)]
        block: Inner,
        #[hcl(default = 18_446_744_073_709_551_615)]
        large: u64,
    }
    #[derive(Decode, Debug, Default, PartialEq)]
    struct Inner {
        a: Option<u8>,
    }
    let defaults = Defaults::decode(&body(""), &Context::new()).unwrap();
    let expected = Defaults {
        empty: vec![],
        negative: -5,
        quarter: 0.25,
        text: "a".into(),
        flag: true,
        list: vec![1, 2],
        wait: Some(Duration::from_secs(5400)),
        block: Inner { a: None },
        large: u64::MAX,
    };
    assert_eq!(defaults, expected);
    let set = "empty = null\nnegative = null\nquarter = 1\ntext = null\nflag = false\nlist = []\nwait = null\nblock {\n  a = 1\n}\nlarge = 1\n";
    let defaults = Defaults::decode(&body(set), &Context::new()).unwrap();
    let changed = Defaults {
        quarter: 1.0,
        flag: false,
        list: vec![],
        wait: None,
        block: Inner { a: Some(1) },
        large: 1,
        ..expected
    };
    assert_eq!(defaults, changed);
}

#[test]
fn a_type_that_contains_itself() {
    #[derive(Decode, Debug)]
    struct Tree {
        #[hcl(label)]
        name: String,
        #[hcl(block)]
        tree: Vec<Self>,
        #[hcl(block)]
        root: Option<Box<Root>>,
    }
    #[derive(Decode, Debug)]
    struct Root {
        #[hcl(block)]
        tree: Vec<Tree>,
    }
    let deep = format!("{}{}", "tree \"a\" {\n".repeat(400), "}\n".repeat(400));
    let mut depth = 0;
    let root = Root::decode(&body(&deep), &Context::new()).unwrap();
    let mut tree = &root.tree[0];
    while let Some(inner) = tree.tree.first() {
        (tree, depth) = (inner, depth + 1);
    }
    assert_eq!(depth, 399);
    assert!(Root::decode(&body("tree \"a\" {\n  tree {\n  }\n}\n"), &Context::new()).is_err());
}

#[test]
fn generic_types() {
    #[derive(Decode, Debug)]
    struct Wrapper<T: Decode> {
        #[hcl(block)]
        inner: T,
        #[hcl(block)]
        more: Vec<T>,
    }
    #[derive(Decode, Debug)]
    struct Named<N: FromValue> {
        name: N,
    }
    let text = "inner {\n  value = \"a\"\n}\nmore {\n  value = \"b\"\n}\n";
    let wrapper = Wrapper::<Env>::decode(&body(text), &Context::new()).unwrap();
    assert_eq!((wrapper.inner.value.as_str(), wrapper.more.len()), ("a", 1));
    let wrapper = Wrapper::<Named<u8>>::decode(&body("inner {\n  name = 1\n}\n"), &Context::new()).unwrap();
    assert_eq!(wrapper.inner.name, 1);
}

#[test]
fn dynamic_blocks_are_expanded_first() {
    #[derive(Decode, Debug)]
    struct Listener {
        #[hcl(block)]
        listen: Vec<Listen>,
    }
    let text = "dynamic \"listen\" {\n  for_each = [80, 443]\n  content {\n    port = listen.value\n  }\n}\n";
    let context = Context::new();
    let expanded = hclkit::model::Dynamic::new(&context).expand(&body(text));
    let listener = Listener::decode(&expanded, &context).unwrap();
    assert_eq!(listener.listen.iter().map(|listen| listen.port).collect::<Vec<_>>(), [80, 443]);
}

#[test]
fn a_type_is_a_spec() {
    let file = hclkit::model::SpecFile::from(File::spec());
    snapbox::assert_data_eq!(
        hclkit::schema::markdown(&file, "Services"),
        snapbox::str![[r##"
# Services

| block | labels | number |
| --- | --- | --- |
| `service` | `name` | any number |

## `service`

```hcl
service "name" {
  replicas = …
  address  = …
  timeout  = …
  when     = …
  tags     = …
  labels   = …
  owner    = …
  listen { … }
  envs { … }
  tls { … }
}
```

| argument | type | required | default | description |
| --- | --- | --- | --- | --- |
| `replicas` | `number` | | `1` | The number of processes. |
| `address` | `string` | yes | | |
| `timeout` | `string` | | `"30s"` | |
| `when` | `any` | yes | | |
| `tags` | `map(string)` | | | |
| `labels` | `map(string)` | | | |
| `owner` | `string` | | | Deprecated: use `tags`. |

| block | labels | number |
| --- | --- | --- |
| `listen` | | any number |
| `envs` | `name` | any number |
| `tls` | | at most one |

## `service` › `listen`

```hcl
listen {
  port     = …
  protocol = …
}
```

| argument | type | required | default | description |
| --- | --- | --- | --- | --- |
| `port` | `number` | yes | | At least 1. At most 65535. |
| `protocol` | `string` | | `"tcp"` | One of `tcp`, `udp`. |

## `service` › `envs`

```hcl
envs "name" {
  value = …
}
```

| argument | type | required | default |
| --- | --- | --- | --- |
| `value` | `string` | yes | |

## `service` › `tls`

```hcl
tls {
  key = …
}
```

| argument | type | required | default |
| --- | --- | --- | --- |
| `key` | `string` | yes | |

"##]]
    );
    let schema = serde_json::to_value(hclkit::schema::json_schema(
        &file,
        &hclkit::schema::JsonSchemaOptions::new("Services"),
    ))
    .unwrap();
    let mut compiler = boon::Compiler::new();
    compiler.add_resource("services.json", schema).unwrap();
    let mut schemas = boon::Schemas::new();
    let schema = compiler.compile("services.json", &mut schemas).unwrap();
    let valid = |text: &str| schemas.validate(&serde_json::from_str(text).unwrap(), schema).is_ok();
    assert!(valid(r#"{"service": {"web": {"address": "127.0.0.1:80", "when": true}}}"#));
    assert!(!valid(r#"{"service": {"web": {"address": "127.0.0.1:80"}}}"#));
}

#[test]
fn values_and_back() {
    #[derive(FromValue, IntoValue, Debug, PartialEq, Clone)]
    struct Server {
        name: String,
        port: Option<u16>,
        #[hcl(rename = "proto")]
        protocol: Protocol,
        tags: BTreeMap<String, String>,
        wait: Duration,
    }
    #[derive(FromValue, IntoValue, Debug, PartialEq, Clone)]
    #[hcl(tag = "type")]
    enum Shape {
        Circle(Circle),
        #[hcl(rename = "none")]
        Empty,
    }
    #[derive(FromValue, IntoValue, Debug, PartialEq, Clone)]
    struct Circle {
        radius: f64,
    }
    #[derive(FromValue, IntoValue, Debug, PartialEq, Clone)]
    struct Meters(f64);
    let server = Server {
        name: "a".into(),
        port: None,
        protocol: Protocol::Udp,
        tags: BTreeMap::from([("k".into(), "v".into())]),
        wait: Duration::from_millis(1500),
    };
    let value = server.to_value().unwrap();
    assert_eq!(
        value.to_string(),
        r#"{ name = "a", port = null, proto = "udp", tags = { k = "v" }, wait = "1.5s" }"#
    );
    assert_eq!(Server::from_value(&value).unwrap(), server);
    for shape in [Shape::Circle(Circle { radius: 0.5 }), Shape::Empty] {
        assert_eq!(Shape::from_value(&shape.to_value().unwrap()).unwrap(), shape);
    }
    assert_eq!(Meters::from_value(&Meters(1.5).to_value().unwrap()).unwrap(), Meters(1.5));
}
