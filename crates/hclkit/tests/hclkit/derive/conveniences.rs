//! Enums as labels, keys and with named fields, optional flattened types, and arrays as defaults: decoded, written and
//! decoded again.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use hclkit::Encode;

use super::*;

fn decode<T: Decode>(text: &str) -> Result<T, String> {
    hclkit::load_str(text, &Context::new()).map_err(|errors| errors.to_string())
}

/// Decodes a text, and what is written of the result.
fn both<T: Decode + Encode>(text: &str) -> (T, T) {
    let first: T = decode(text).unwrap();
    let second = decode(&first.to_hcl().unwrap()).unwrap();
    (first, second)
}

#[derive(FromValue, IntoValue, Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Debug,
    #[hcl(rename = "warning", alias = "warn")]
    Warn,
}

#[test]
fn an_enum_is_a_label_a_key_and_a_value() {
    #[derive(Decode, Encode, Debug, PartialEq)]
    struct Log {
        #[hcl(label)]
        level: Level,
        #[hcl(label)]
        other: Option<Level>,
        only: Option<Level>,
    }
    #[derive(Decode, Encode, Debug, PartialEq)]
    struct Sink {
        to: String,
    }
    #[derive(Decode, Encode, Debug, PartialEq)]
    struct File {
        #[hcl(block)]
        log: Vec<Log>,
        #[hcl(block, key = label)]
        sink: BTreeMap<Level, Sink>,
        limits: BTreeMap<Level, u32>,
    }
    let text = "log \"warn\" \"debug\" {\n  only = \"debug\"\n}\nlog \"debug\" {\n}\nsink \"warning\" {\n  to = \"a\"\n}\n\
        limits = { warn = 1, debug = 2 }\n";
    let (file, again) = both::<File>(text);
    assert_eq!(file, again);
    assert_eq!(file.log[0], Log { level: Level::Warn, other: Some(Level::Debug), only: Some(Level::Debug) });
    assert_eq!(file.sink[&Level::Warn].to, "a");
    assert_eq!(file.limits, BTreeMap::from([(Level::Warn, 1), (Level::Debug, 2)]));
    assert_eq!(
        (Level::Warn.to_string(), "warn".parse::<Level>().unwrap()),
        ("warning".to_owned(), Level::Warn)
    );
    let error = decode::<File>("log \"wran\" {\n}\nlimits = {}\n").unwrap_err();
    assert_eq!(
        error,
        "1:5: error: Invalid value: Invalid label: expected \"debug\", \"warning\" or \"warn\", found \"wran\"; did you mean \"warn\"?"
    );
}

#[test]
fn text_matches_patterns() {
    #[derive(Decode, Debug)]
    #[allow(dead_code, reason = "only decoded")]
    struct Service {
        #[hcl(pattern = "^[a-z][a-z0-9-]*$")]
        name: String,
        #[hcl(pattern = "\\.example$", alias = "hostname")]
        host: Option<Spanned<Cow<'static, str>>>,
        #[hcl(pattern = "^v[0-9]", default = "v1")]
        version: Arc<str>,
        owner: Option<Owner>,
        #[hcl(pattern = "a(")]
        broken: Option<String>,
        #[hcl(pattern = "^[a-z]+$", sensitive)]
        token: Option<String>,
    }
    #[derive(FromValue, Debug)]
    #[allow(dead_code, reason = "only decoded")]
    struct Owner {
        #[hcl(pattern = "@")]
        mail: Box<str>,
    }
    let good = "name = \"web-1\"\nhostname = \"a.example\"\nversion = \"v2\"\nowner = { mail = \"a@b\" }\n";
    assert_eq!(&*decode::<Service>(good).unwrap().version, "v2");
    for (name, text, error) in [
        ("name", "Web", "the value must match the regular expression `^[a-z][a-z0-9-]*$`"),
        ("host", "a.example.", "the value must match the regular expression `\\.example$`"),
        ("hostname", "", "the value must match the regular expression `\\.example$`"),
        ("version", "2", "the value must match the regular expression `^v[0-9]`"),
        ("owner", "b", ".mail: the value must match the regular expression `@`"),
        ("broken", "a", "invalid `pattern`: "),
        ("token", "canary-1", "the reason is withheld"),
    ] {
        let value = if name == "owner" { format!("{{ mail = \"{text}\" }}") } else { format!("\"{text}\"") };
        let first = if name == "name" { "" } else { "name = \"web\"\n" };
        let found = decode::<Service>(&format!("{first}{name} = {value}\n")).unwrap_err();
        assert!(found.contains(error) && !found.contains("canary"), "{found}");
    }
}

#[test]
fn variants_of_values_have_named_fields() {
    #[derive(FromValue, IntoValue, Debug, PartialEq)]
    #[hcl(tag = "type")]
    enum Check {
        Http {
            path: String,
            #[hcl(default = 80, range = 1..)]
            port: u16,
            #[hcl(rename = "header")]
            headers: Option<BTreeMap<String, String>>,
        },
        Tcp(Tcp),
        None,
    }
    #[derive(FromValue, IntoValue, Debug, PartialEq)]
    struct Tcp {
        port: u16,
    }
    #[derive(Decode, Encode, Debug, PartialEq)]
    struct File {
        checks: Vec<Check>,
    }
    let text = "checks = [{ type = \"http\", path = \"/\", header = { a = \"b\" } }, { type = \"tcp\", port = 1 }, { type = \"none\" }]\n";
    let (file, again) = both::<File>(text);
    assert_eq!(file, again);
    let headers = Some(BTreeMap::from([("a".to_owned(), "b".to_owned())]));
    assert_eq!(file.checks[0], Check::Http { path: "/".to_owned(), port: 80, headers });
    assert_eq!(file.checks[1..], [Check::Tcp(Tcp { port: 1 }), Check::None]);
    let error = decode::<File>("checks = [{ type = \"http\", port = 0, pth = 1 }]\n").unwrap_err();
    for part in
        ["the attribute \"path\" is required", "the value must be at least 1", "did you mean \"path\""]
    {
        assert!(error.contains(part), "{part}: {error}");
    }
}

#[test]
fn a_flattened_option_is_there_if_any_of_its_names_is() {
    #[derive(Decode, Encode, Debug, PartialEq)]
    struct Auth {
        user: String,
        password: Option<String>,
        #[hcl(block)]
        token: Vec<Token>,
    }
    #[derive(Decode, Encode, Debug, PartialEq)]
    struct Token {
        id: u8,
    }
    #[derive(Decode, Encode, Debug, PartialEq)]
    struct Server {
        host: String,
        #[hcl(flatten)]
        auth: Option<Auth>,
    }
    let (server, again) = both::<Server>("host = \"a\"\n");
    assert_eq!((&server, &server.auth), (&again, &None));
    let (server, again) = both::<Server>("host = \"a\"\nuser = \"u\"\ntoken {\n  id = 1\n}\n");
    assert_eq!(server, again);
    assert_eq!(
        server.auth,
        Some(Auth { user: "u".to_owned(), password: None, token: vec![Token { id: 1 }] })
    );
    for part in ["password = \"p\"", "token {\n  id = 1\n}"] {
        let error = decode::<Server>(&format!("host = \"a\"\n{part}\n")).unwrap_err();
        assert!(error.contains("`user`"), "{error}");
    }
    assert!(!Server::schema().attribute("user").unwrap().required);
}

#[test]
fn an_array_is_the_default_of_a_collection() {
    #[derive(Decode, Debug, PartialEq)]
    struct File {
        #[hcl(default = [80, 443])]
        ports: Vec<u16>,
        #[hcl(default = ["a", "b"])]
        names: BTreeSet<String>,
        #[hcl(default = ["5s"])]
        waits: VecDeque<Duration>,
        #[hcl(default = [[1, -2], []])]
        nested: Vec<Vec<i8>>,
        #[hcl(default = [Level::Warn])]
        levels: Vec<Level>,
        #[hcl(default = ["127.0.0.1:80"], from_str)]
        addresses: Vec<SocketAddr>,
        #[hcl(default = [1, 2])]
        fixed: [u8; 2],
        inner: Inner,
    }
    #[derive(FromValue, Debug, PartialEq)]
    struct Inner {
        #[hcl(default = [1])]
        numbers: Vec<u8>,
        #[hcl(default = [Level::Debug])]
        levels: BTreeSet<Level>,
    }
    let file: File = decode("inner = {}\n").unwrap();
    assert_eq!((file.ports, file.names), (vec![80, 443], BTreeSet::from(["a".to_owned(), "b".to_owned()])));
    assert_eq!((file.waits, file.nested), ([Duration::from_secs(5)].into(), vec![vec![1, -2], vec![]]));
    assert_eq!((file.levels, file.addresses), (vec![Level::Warn], vec!["127.0.0.1:80".parse().unwrap()]));
    assert_eq!(file.fixed, [1, 2]);
    assert_eq!(file.inner, Inner { numbers: vec![1], levels: BTreeSet::from([Level::Debug]) });
    let file: File = decode("ports = []\ninner = { numbers = [] }\n").unwrap();
    assert!(file.ports.is_empty() && file.inner.numbers.is_empty());
}
