//! Values that serde writes are read back unchanged; special cases of texts, sources and limits.

use std::collections::BTreeMap;

use hclkit::model::Dynamic;
use hclkit::serde::{
    AsBlock, Deserializer, Labeled, SerdeError, from_body, from_path, from_slice, from_str, from_value,
    to_string, to_string_pretty, to_value,
};
use hclkit::{Body, Context, Expression, Limits, Source, Spanned, Value};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Job {
    name: String,
    number: Option<i64>,
    large: u128,
    ratio: f64,
    narrow: f32,
    letter: char,
    nothing: (),
    tags: BTreeMap<String, Vec<String>>,
    pair: (u8, bool),
    options: Vec<Option<u16>>,
    state: State,
    states: Vec<State>,
    #[serde(with = "hclkit::serde::block", default)]
    steps: Vec<Step>,
    #[serde(with = "hclkit::serde::labeled_block", default)]
    services: BTreeMap<String, Step>,
    #[serde(with = "hclkit::serde::doubly_labeled_block", default)]
    resources: BTreeMap<String, BTreeMap<String, Vec<Step>>>,
    #[serde(default)]
    routes: Vec<Labeled<(String, u16), Step>>,
    #[serde(with = "hclkit::serde::labeled_block")]
    storage: Storage,
    limits: Option<AsBlock<Step>>,
    #[serde(flatten)]
    common: Common,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Common {
    owner: String,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Step {
    command: Spanned<String>,
    environment: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(rename_all = "snake_case")]
enum State {
    Idle,
    Running(u32),
    Failed { code: i32, message: String },
    Between(u8, u8),
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(rename_all = "snake_case")]
enum Storage {
    Memory,
    Disk { path: String },
}

fn text() -> impl Strategy<Value = String> {
    // Values are normalized, so that only ASCII and a few characters that need escapes come back as they were.
    "[ -~\n\t\r\\\\$%{é]{0,12}"
}

fn label() -> impl Strategy<Value = String> {
    "[a-z\" $%{.]{0,6}"
}

fn step() -> impl Strategy<Value = Step> {
    (text(), prop::collection::btree_map(text(), text(), 0..3)).prop_map(|(command, environment)| Step {
        command: Spanned::new(command, hclkit::Place::nowhere()),
        environment,
    })
}

fn state() -> impl Strategy<Value = State> {
    prop_oneof![
        Just(State::Idle),
        any::<u32>().prop_map(State::Running),
        (any::<i32>(), text()).prop_map(|(code, message)| State::Failed { code, message }),
        any::<(u8, u8)>().prop_map(|(from, to)| State::Between(from, to)),
    ]
}

fn storage() -> impl Strategy<Value = Storage> {
    prop_oneof![Just(Storage::Memory), text().prop_map(|path| Storage::Disk { path })]
}

fn job() -> impl Strategy<Value = Job> {
    let numbers = (any::<Option<i64>>(), any::<u128>(), -1e300..1e300f64, -1e30..1e30f32);
    // Control characters other than these are not written as they are.
    let scalars = (text(), numbers, "[ -~é]", any::<(u8, bool)>(), text());
    let collections = (
        prop::collection::btree_map(text(), prop::collection::vec(text(), 0..3), 0..3),
        prop::collection::vec(any::<Option<u16>>(), 0..3),
        state(),
        prop::collection::vec(state(), 0..3),
    );
    let steps = || prop::collection::vec(step(), 1..3);
    let blocks = (
        prop::collection::vec(step(), 0..3),
        prop::collection::btree_map(label(), step(), 0..3),
        prop::collection::btree_map(label(), prop::collection::btree_map(label(), steps(), 1..3), 0..3),
        prop::collection::vec((label(), any::<u16>(), step()), 0..3),
        storage(),
        prop::option::of(step()),
    );
    (scalars, collections, blocks).prop_map(|(scalars, collections, blocks)| {
        let (name, (number, large, ratio, narrow), letter, pair, owner) = scalars;
        let (tags, options, state, states) = collections;
        let (steps, services, resources, routes, storage, limits) = blocks;
        let routes = routes.into_iter().map(|(host, port, step)| Labeled::new((host, port), step)).collect();
        let letter = letter.chars().next().unwrap_or('x');
        let (limits, common) = (limits.map(AsBlock), Common { owner });
        Job {
            name,
            number,
            large,
            ratio,
            narrow,
            letter,
            nothing: (),
            tags,
            pair,
            options,
            state,
            states,
            steps,
            services,
            resources,
            routes,
            storage,
            limits,
            common,
        }
    })
}

proptest! {
    #[test]
    fn written_values_are_read_back_unchanged(job in job()) {
        for text in [to_string(&job).unwrap(), to_string_pretty(&job).unwrap()] {
            let read = from_str::<Job>(&text);
            prop_assert!(read.is_ok(), "{text}\n{}", read.unwrap_err());
            prop_assert_eq!(&read.unwrap(), &job, "{}", text);
        }
    }

    #[test]
    fn values_are_read_as_the_same(job in job()) {
        let value = to_value(&job).unwrap();
        prop_assert_eq!(from_value::<Job>(&value).unwrap(), job);
    }
}

#[derive(Deserialize, Debug, PartialEq)]
struct Borrowed<'t> {
    name: &'t str,
    #[serde(borrow)]
    more: Vec<&'t str>,
}

#[test]
fn strings_without_escapes_are_borrowed_from_the_text() {
    let text = String::from("name = \"héllo\"\nmore = [\"a\", (\"b\")]\n");
    let read: Borrowed = from_str(&text).unwrap();
    assert_eq!(read, Borrowed { name: "héllo", more: vec!["a", "b"] });
    assert!(text.as_bytes().as_ptr_range().contains(&read.name.as_ptr()));
    assert_eq!(from_slice::<Borrowed>(text.as_bytes()).unwrap(), read);
    let error = from_str::<Borrowed>("name = \"a\\n\"\nmore = []\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "1:8: error: Invalid value: Invalid value for `name`: expected a borrowed string, found a string."
    );
    let value = to_value(&BTreeMap::from([("name", "x")])).unwrap();
    let read: BTreeMap<&str, &str> = from_value(&value).unwrap();
    assert_eq!(read["name"], "x");
}

#[test]
fn bytes_that_are_not_utf8_are_errors() {
    let error = from_slice::<BTreeMap<String, String>>(b"a = \"\xff\"\n").unwrap_err();
    assert!(error.diagnostics().has_errors());
}

#[test]
fn files_of_both_syntaxes_are_read() {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in [("a.hcl", "port = 80\n"), ("a.hcl.json", "{\"port\": 80}")] {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        assert_eq!(from_path::<BTreeMap<String, u16>>(&path).unwrap()["port"], 80);
    }
    let error = from_path::<BTreeMap<String, u16>>(directory.path().join("none.hcl")).unwrap_err();
    assert!(error.to_string().contains("Cannot read file"), "{error}");
}

#[derive(Deserialize, Debug)]
struct Listen {
    port: u16,
}

#[derive(Deserialize, Debug)]
struct Server {
    #[serde(default)]
    listen: Vec<Listen>,
    #[serde(default)]
    check: BTreeMap<String, Listen>,
}

#[test]
fn dynamic_blocks_are_expanded() {
    let text = "\
dynamic \"listen\" {
  for_each = ports
  content {
    port = listen.value
  }
}
listen {
  port = 1
}
dynamic \"check\" {
  for_each = ports
  labels   = [\"p${check.key}\"]
  content {
    port = check.value
  }
}
";
    let context = Context::new().with("ports", Value::tuple([80, 443].map(Value::from)));
    let (body, _) = Body::parse(Source::new("main.hcl", text));
    let server: Server = from_body(&Dynamic::new(&context).expand(&body), &context).unwrap();
    assert_eq!(server.listen.iter().map(|listen| listen.port).collect::<Vec<_>>(), [80, 443, 1]);
    assert_eq!(server.check["p1"].port, 443);

    let wrong = context.with("ports", Value::tuple([80, 70_000].map(Value::from)));
    let error = from_body::<Server>(&Dynamic::new(&wrong).expand(&body), &wrong).unwrap_err();
    assert_eq!(error.path().to_string(), ".listen[1].port");
    assert_eq!(error.place().unwrap().text(), "listen.value");

    let unknown = wrong.with("ports", Value::DYNAMIC);
    let error = from_body::<Server>(&Dynamic::new(&unknown).expand(&body), &unknown).unwrap_err();
    assert!(error.to_string().contains("unknown"), "{error}");
}

#[test]
fn several_bodies_are_one() {
    let parse = |name: &str, text: &str| Body::parse(Source::new(name, text)).0;
    let files = [
        parse("a.hcl", "listen {\n  port = 1\n}\n"),
        parse("b.hcl.json", r#"{"listen": [{"port": 2}], "check": {"a": {"port": 3}}}"#),
        parse("c.hcl", "listen {\n  port = 4\n}\ncheck \"b\" {\n  port = 5\n}\n"),
    ];
    let server: Server = from_body(&Body::merge(files), &Context::new()).unwrap();
    assert_eq!(server.listen.iter().map(|listen| listen.port).collect::<Vec<_>>(), [1, 2, 4]);
    assert_eq!(
        server.check.iter().map(|(label, check)| (label.as_str(), check.port)).collect::<Vec<_>>(),
        [("a", 3), ("b", 5)]
    );
    let twice = [parse("a.hcl", "x = 1\n"), parse("b.hcl", "x = 2\n")];
    let error = from_body::<BTreeMap<String, u16>>(&Body::merge(twice), &Context::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "b.hcl:1:1: error: Attribute redefined: The argument `x` is already set at a.hcl:1:1."
    );
}

#[test]
fn the_rest_of_a_body_is_read() {
    let (body, _) = Body::parse(Source::new("main.hcl", "a = 1\nb = 2\n"));
    let ((_, rest), _) = body.partial_content(&hclkit::model::Schema::new().with_optional("a"));
    assert_eq!(
        from_body::<BTreeMap<String, u8>>(&rest, &Context::new()).unwrap(),
        BTreeMap::from([("b".into(), 2)])
    );
}

#[test]
fn attributes_without_a_field_are_not_evaluated() {
    #[derive(Deserialize)]
    struct One {
        a: u8,
    }
    assert_eq!(from_str::<One>("a = 1\nb = missing(1)\n").unwrap().a, 1);
}

#[derive(Deserialize, Serialize)]
struct Chain {
    #[serde(default)]
    next: Option<Box<Self>>,
}

#[test]
fn deep_input_does_not_overflow_the_stack() {
    let work = || {
        let blocks = format!("{}{}", "next {\n".repeat(900), "}\n".repeat(900));
        assert!(from_str::<Chain>(&blocks).is_ok());
        let objects =
            format!("next = {}{}\n", "{ next = ".repeat(900).trim_end_matches("next = "), "}".repeat(900));
        assert!(from_str::<Chain>(&objects).is_ok(), "{:?}", from_str::<Chain>(&objects).err());
        let lists = format!("a = {}{}\n", "[".repeat(900), "]".repeat(900));
        assert!(from_str::<BTreeMap<String, serde_json::Value>>(&lists).is_ok());
        assert!(from_str::<serde::de::IgnoredAny>(&lists).is_ok());
        let value = (0..20_000).fold(Value::from(1), |inner, _| Value::tuple([inner]));
        let _ = from_value::<serde::de::IgnoredAny>(&value);
        let deep = format!("a = {}{}\n", "[".repeat(5_000), "]".repeat(5_000));
        assert!(
            from_str::<BTreeMap<String, serde_json::Value>>(&deep).unwrap_err().to_string().contains("nest")
        );
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn limits_hold() {
    let text = format!("a = [for x in [{}] : x + 1]\n", "1, ".repeat(10_000));
    let read = || from_str::<BTreeMap<String, Vec<u32>>>(&text);
    assert!(read().is_ok());
    let error = Limits::new().with_steps(1_000).run(read).unwrap_err();
    assert_eq!(error.diagnostics()[0].code(), Some(hclkit::Code::TooManySteps));
}

#[test]
fn values_that_hcl_cannot_express_are_errors() {
    let error = |result: Result<String, SerdeError>| result.unwrap_err().to_string();
    assert_eq!(
        error(to_string(&BTreeMap::from([("a", [1.0, f64::NAN])]))),
        "error: Invalid value: Invalid value for `a[1]`: a float that is not a number cannot be written as HCL."
    );
    assert_eq!(
        error(to_string(&[1, 2])),
        "error: Invalid value: A body must be a struct, a map or an enum with content."
    );
    assert!(error(to_string(&BTreeMap::from([("a b", 1)]))).contains("a b"));
    assert!(error(to_string(&BTreeMap::from([((1, 2), 1)]))).contains("Keys and labels must be"));
}

#[test]
fn expressions_are_written_unchanged() {
    #[derive(Deserialize, Serialize)]
    struct Rule {
        when: Expression,
    }
    let text = "when = var.enabled && length(var.names) > 0\n";
    assert_eq!(to_string(&from_str::<Rule>(text).unwrap()).unwrap(), text);
}

#[test]
fn the_value_of_an_expression_is_read() {
    let expression = Expression::parse("[for n in [1, 2] : n * 2]").unwrap();
    assert_eq!(Vec::<u8>::deserialize(Deserializer::from_expression(expression)).unwrap(), [2, 4]);
}

#[test]
fn other_formats_read_the_same_types() {
    let job: Labeled<String, Spanned<u8>> = serde_json::from_str("[[\"a\"], 1]").unwrap();
    assert_eq!((job.labels.as_str(), *job.body), ("a", 1));
    assert_eq!(serde_json::to_string(&job).unwrap(), "[[\"a\"],1]");
    assert!(serde_json::from_str::<Expression>("\"x\"").is_err());
}
