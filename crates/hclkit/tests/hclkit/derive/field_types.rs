//! The types that fields can have: those of the standard library, collections of them, pointers, places and expressions.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::{NonZeroI8, NonZeroU32};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use hclkit::{Context, Decode, Encode, Expression, FromValue, IntoValue, Source, Spanned, Value};
use indexmap::IndexMap;

#[derive(FromValue, IntoValue, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Clone, Copy)]
enum Level {
    Low,
    High,
}

/// Reads the attribute `a` of a file as a type.
fn read<T>(text: &str) -> Result<T, String>
where
    T: FromValue,
{
    #[derive(Decode)]
    struct One<T>
    where
        T: FromValue,
    {
        a: T,
    }
    let context = Context::new().with("n", 1).with("names", Value::tuple(["x", "y"]));
    let read = hclkit::load_str::<One<T>>(text, &context).map(|one| one.a);
    read.map_err(|errors| errors.iter().next().unwrap().note().to_owned())
}

#[track_caller]
fn check<T: FromValue + Debug + PartialEq>(text: &str, expected: T) {
    assert_eq!(read::<T>(text), Ok(expected));
}

#[track_caller]
fn fails<T: FromValue + Debug + PartialEq>(text: &str, expected: &str) {
    let prefix = "Invalid value for the argument `a`: ";
    let end = if expected.ends_with('?') { "" } else { "." };
    assert_eq!(read::<T>(text), Err(format!("{prefix}{expected}{end}")));
}

#[test]
fn types_of_the_standard_library() {
    check("a = \"/tmp\"\n", PathBuf::from("/tmp"));
    check("a = \"/tmp/${n}\"\n", Box::<Path>::from(Path::new("/tmp/1")));
    check("a = \"x\"\n", 'x');
    check("a = \"x${n}\"\n", Box::<str>::from("x1"));
    check("a = \"x\"\n", Arc::<str>::from("x"));
    check("a = \"x\"\n", Rc::<str>::from("x"));
    check::<Cow<'static, str>>("a = \"x\"\n", Cow::Borrowed("x"));
    check("a = 3\n", NonZeroU32::new(3).unwrap());
    check("a = \"10.0.0.1\"\n", IpAddr::from([10, 0, 0, 1]));
    check("a = [\"10.0.0.1\"]\n", vec![Ipv4Addr::new(10, 0, 0, 1)]);
    check("a = \"127.0.0.1:80\"\n", SocketAddr::from(([127, 0, 0, 1], 80)));
    check("a = 340282366920938463463374607431768211455\n", u128::MAX);
    check("a = -170141183460469231731687303715884105728\n", i128::MIN);
}

#[test]
fn types_of_the_standard_library_have_errors() {
    fails::<char>("a = \"xy\"\n", "expected one character, found \"xy\"");
    fails::<char>("a = \"\"\n", "expected one character, found \"\"");
    fails::<NonZeroU32>("a = 0\n", "the number must not be 0");
    fails::<NonZeroI8>("a = 200\n", "expected a whole number from -128 to 127, found 200");
    fails::<IpAddr>("a = \"10.0.0\"\n", "expected an IP address, found \"10.0.0\"");
    let expected = "expected an IP address and a port, such as \"127.0.0.1:80\", found \"localhost\"";
    fails::<SocketAddr>("a = \"localhost\"\n", expected);
    fails::<Vec<Level>>(
        "a = [\"low\", \"hihg\"]\n",
        "[1]: expected \"low\" or \"high\", found \"hihg\"; did you mean \"high\"?",
    );
    fails::<BTreeMap<Level, u8>>(
        "a = { lwo = 1 }\n",
        "[\"lwo\"]: expected \"low\" or \"high\", found \"lwo\"; did you mean \"low\"?",
    );
    fails::<HashMap<u8, bool>>("a = { x = true }\n", "[\"x\"]: a number is required");
}

#[test]
fn pointers_and_collections() {
    check("a = 1\n", Box::new(1u8));
    check("a = [1, \"2\"]\n", Arc::new(vec![1, 2]));
    check("a = null\n", Box::new(None::<u8>));
    check("a = [\"x\", \"y\"]\n", VecDeque::from(["x".to_owned(), "y".to_owned()]));
    check("a = names\n", Box::<[String]>::from(["x".to_owned(), "y".to_owned()]));
    check("a = [\"e\\u0301\", \"x\"]\n", vec!["\u{e9}".to_owned(), "x".to_owned()]);
    check("a = \"e\\u0301\"\n", "\u{e9}".to_owned());
    check("a = [\"x\", 1, \"y\"]\n", vec!["x".to_owned(), "1".to_owned(), "y".to_owned()]);
    check("a = [\"low\", \"low\"]\n", HashSet::from([Level::Low]));
    check("a = [\"high\", \"low\"]\n", BTreeSet::from([Level::Low, Level::High]));
    check("a = { low = [1], high = [] }\n", BTreeMap::from([(Level::Low, vec![1u8]), (Level::High, vec![])]));
    check("a = { \"8080\" = \"web\" }\n", HashMap::from([(8080u16, "web".to_owned())]));
    check("a = [[1, \"x\", true]]\n", vec![(1u8, "x".to_owned(), true)]);
}

#[derive(Decode, Debug)]
struct Placed {
    expressions: Vec<Expression>,
    by_name: BTreeMap<String, Expression>,
    names: Option<Vec<Spanned<String>>>,
    #[hcl(default)]
    levels: IndexMap<String, Spanned<Level>>,
    #[hcl(default)]
    order: IndexMap<String, u8>,
    #[hcl(from_str)]
    versions: Option<Vec<Version>>,
    #[hcl(skip)]
    count: usize,
    r#type: Option<String>,
}

/// A type of another crate, which implements only `FromStr` and `Display`.
#[derive(Debug, PartialEq)]
struct Version(u32);

impl std::str::FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix('v').ok_or("a version begins with `v`")?;
        digits.parse().map(Version).map_err(|error| format!("{error}"))
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "v{}", self.0)
    }
}

fn spans(names: &[Spanned<String>]) -> Vec<(&str, &str)> {
    let text = |name: &Spanned<String>| name.place().span;
    names.iter().map(|name| (name.get().as_str(), name.place().source.slice(text(name)))).collect()
}

#[test]
fn elements_are_expressions_or_have_places() {
    let text = r#"
expressions = [a + 1, b]
by_name     = { "x${1}" = a, y = 2 }
names       = ["one", "t${"wo"}"]
levels      = { z = "low", a = "high" }
order       = { b = 1, a = 2 }
versions    = ["v1", "v2"]
type        = "raw"
"#;
    let json = r#"{
        "expressions": ["${a + 1}", "${b}"], "by_name": { "x${1}": "${a}", "y": 2 }, "names": ["one", "t${\"wo\"}"],
        "levels": { "z": "low", "a": "high" }, "order": { "b": 1, "a": 2 }, "versions": ["v1", "v2"], "type": "raw"
    }"#;
    for (name, text) in [("main.hcl", text), ("main.hcl.json", json)] {
        let (read, _) = hclkit::Loader::new().with_source(Source::new(name, text)).load::<Placed>().unwrap();
        let context = Context::new().with("a", 1).with("b", 5);
        let values: Vec<Value> = read.expressions.iter().map(|one| one.evaluate(&context).unwrap()).collect();
        assert_eq!(values, [Value::from(2), Value::from(5)]);
        assert_eq!(read.by_name.keys().collect::<Vec<_>>(), ["x1", "y"]);
        assert_eq!(read.by_name["x1"].evaluate(&context).unwrap(), Value::from(1));
        let found = spans(read.names.as_deref().unwrap());
        assert_eq!(found.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(found[0].1, "\"one\"");
        assert_eq!(read.levels.keys().collect::<Vec<_>>(), ["z", "a"]);
        assert_eq!(*read.levels["a"], Level::High);
        assert_eq!(read.order.into_iter().collect::<Vec<_>>(), [("b".to_owned(), 1), ("a".to_owned(), 2)]);
        assert_eq!(read.versions.unwrap(), [Version(1), Version(2)]);
        assert_eq!((read.count, read.r#type.as_deref()), (0, Some("raw")));
    }
}

#[test]
fn elements_of_computed_values_have_the_place_of_the_expression() {
    let text = "expressions = []\nby_name = {}\nnames = [for x in [\"one\"]: x]\nlevels = { for x in [\"low\"]: x => x }\n";
    let read: Placed = hclkit::load_str(text, &Context::new()).unwrap();
    assert_eq!(spans(&read.names.unwrap()), [("one", "[for x in [\"one\"]: x]")]);
    assert_eq!(*read.levels["low"], Level::Low);
}

#[test]
fn all_errors_in_elements_are_reported() {
    let text = r#"
expressions = var.list
by_name     = []
names       = [["one"], {}]
levels      = { z = "lo", a = true }
versions    = ["1", "v2"]
"#;
    let errors = hclkit::load_str::<Placed>(text, &Context::new()).unwrap_err();
    let found: Vec<String> = errors.iter().map(ToString::to_string).collect();
    snapbox::assert_data_eq!(
        found.join("\n"),
        snapbox::str![[r#"
2:15: error: Static list required: A static list expression is required: `[…]`.
3:15: error: Static map required: A static map expression is required: `{…}`.
4:16: error: Incorrect attribute value type: Invalid value for the argument `names`: a string is required.
4:25: error: Incorrect attribute value type: Invalid value for the argument `names`: a string is required.
5:21: error: Invalid value: Invalid value for the argument `levels`: expected "low" or "high", found "lo"; did you mean "low"?
5:31: error: Invalid value: Invalid value for the argument `levels`: expected "low" or "high", found "true".
6:16: error: Invalid value: Invalid value for the argument `versions`: [0]: a version begins with `v`.
"#]]
    );
}

#[derive(Decode, Encode, Debug, PartialEq)]
struct Written {
    root: PathBuf,
    address: SocketAddr,
    initial: char,
    ports: BTreeMap<u16, Level>,
    shared: Arc<str>,
    count: NonZeroU32,
    #[hcl(from_str)]
    versions: Vec<Version>,
    #[hcl(skip)]
    cache: Vec<String>,
    #[hcl(block)]
    volume: Option<Vec<Volume>>,
    #[hcl(block)]
    shared_volume: Option<Arc<Volume>>,
}

#[derive(Decode, Encode, Debug, PartialEq)]
struct Volume {
    #[hcl(label)]
    name: String,
}

#[test]
fn what_is_written_is_read_again() {
    let written = Written {
        root: "/srv".into(),
        address: ([127, 0, 0, 1], 80).into(),
        initial: 'é',
        ports: BTreeMap::from([(80, Level::Low), (443, Level::High)]),
        shared: "web".into(),
        count: NonZeroU32::MIN,
        versions: vec![Version(1)],
        cache: Vec::new(),
        volume: Some(vec![Volume { name: "data".into() }]),
        shared_volume: Some(Arc::new(Volume { name: "all".into() })),
    };
    let text = written.to_hcl().unwrap();
    snapbox::assert_data_eq!(
        &text,
        snapbox::str![[r#"
root     = "/srv"
address  = "127.0.0.1:80"
initial  = "é"
ports    = { "443" = "high", "80" = "low" }
shared   = "web"
count    = 1
versions = ["v1"]

volume "data" {}

shared_volume "all" {}

"#]]
    );
    assert_eq!(hclkit::load_str::<Written>(&text, &Context::new()).unwrap(), written);
    let without = text.lines().filter(|line| !line.starts_with("volume")).collect::<Vec<_>>().join("\n");
    assert_eq!(hclkit::load_str::<Written>(&without, &Context::new()).unwrap().volume, None);
}
