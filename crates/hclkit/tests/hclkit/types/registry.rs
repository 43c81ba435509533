//! The types of the cases. Where a type needs something else for derive than for serde, there are two types of the same name.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;

use hclkit::model::typed::{DecodeAttribute, MaybeUnknown};
use hclkit::render::Renderer;
use hclkit::{Body, Context, Decode, Expression, FromValue, Spanned, Value};
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;

pub(crate) type Read = fn(&Body, &Context) -> String;

#[derive(Clone, Copy, Default)]
pub(crate) struct Entry {
    pub(crate) derive: Option<Read>,
    pub(crate) serde: Option<Read>,
}

pub(crate) fn by_derive<T: Decode + Debug>(body: &Body, context: &Context) -> String {
    match T::decode_with_warnings(body, context) {
        (Some(decoded), found) if found.is_empty() => format!("{decoded:?}"),
        (Some(decoded), found) => format!("{decoded:?}\n\n{}", Renderer::plain().diagnostics(&found)),
        (None, found) => Renderer::plain().diagnostics(&found),
    }
}

fn by_serde<T: DeserializeOwned + Debug>(body: &Body, context: &Context) -> String {
    match hclkit::serde::from_body::<T>(body, context) {
        Ok(decoded) => format!("{decoded:?}"),
        Err(error) => Renderer::plain().diagnostics(&error.diagnostics()),
    }
}

/// An attribute.
#[derive(Decode, Deserialize, Debug)]
struct V<T: DecodeAttribute> {
    value: T,
}

/// An attribute of a type that only serde reads.
mod only_serde {
    use serde::Deserialize;

    #[derive(Deserialize, Debug)]
    pub(super) struct V<T> {
        pub(super) value: T,
    }
}

use only_serde::V as S;

/// The source text of an expression or body, and where a value is.
#[derive(Deserialize)]
#[serde(transparent)]
struct Shown<T>(T);

impl Debug for Shown<Expression> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Expression({})", self.0.text())
    }
}

impl<T: Debug> Debug for Shown<Spanned<T>> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} at {:?}", self.0.get(), self.0.place().text())
    }
}

impl Debug for Shown<Body> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let items = self.0.items();
        write!(f, "Body({})", items.iter().map(hclkit::model::BodyItem::name).collect::<Vec<_>>().join(", "))
    }
}

macro_rules! shown {
    ($($ty:ty),*) => {$(
        impl DecodeAttribute for Shown<$ty> {
            fn value_type() -> hclkit::Type {
                <$ty as DecodeAttribute>::value_type()
            }

            const EVALUATES: bool = <$ty as DecodeAttribute>::EVALUATES;

            fn from_default(value: Value) -> Result<Self, hclkit::value::Error> {
                <$ty as DecodeAttribute>::from_default(value).map(Shown)
            }

            fn decode_attribute(given: &hclkit::model::typed::Given<'_>) -> Result<Self, hclkit::Diagnostics> {
                <$ty as DecodeAttribute>::decode_attribute(given).map(Shown)
            }
        }
    )*};
}

shown!(Expression, Spanned<u16>, Spanned<String>);

#[derive(FromValue, Deserialize, Debug, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Protocol {
    Tcp,
    Udp,
    #[hcl(rename = "icmp_v6", alias = "icmp6")]
    #[serde(rename = "icmp_v6", alias = "icmp6")]
    Icmp,
}

#[derive(FromValue, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Point {
    x: i32,
    #[hcl(default = 7)]
    #[serde(default = "seven")]
    y: i32,
}

fn seven() -> i32 {
    7
}

/// A newtype.
#[derive(FromValue, Deserialize, Debug)]
struct Meters(f64);

#[derive(Decode, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Listen {
    #[hcl(range = 1..=65535)]
    port: u16,
    #[hcl(default = "tcp")]
    #[serde(default = "tcp")]
    protocol: Protocol,
}

fn tcp() -> Protocol {
    Protocol::Tcp
}

mod derived {
    use super::*;

    #[derive(Decode, Debug)]
    pub(super) struct Many {
        #[hcl(block)]
        pub(super) listen: Vec<Listen>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Bounded {
        #[hcl(block, min = 1, max = 2)]
        pub(super) listen: Vec<Listen>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct One {
        #[hcl(block)]
        pub(super) listen: Listen,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Maybe {
        #[hcl(block)]
        pub(super) listen: Option<Listen>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct ByLabel {
        #[hcl(block, key = label)]
        pub(super) service: IndexMap<String, Service>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Service {
        pub(super) image: String,
        #[hcl(block)]
        pub(super) listen: Vec<Listen>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Resource {
        #[hcl(label)]
        pub(super) kind: String,
        #[hcl(label)]
        pub(super) name: String,
        pub(super) size: u32,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Resources {
        #[hcl(block)]
        pub(super) resource: Vec<Resource>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Numbered {
        #[hcl(label)]
        pub(super) number: u8,
        pub(super) name: Option<String>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct ByNumber {
        #[hcl(block)]
        pub(super) slot: Vec<Numbered>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Tree {
        pub(super) name: String,
        #[hcl(block)]
        pub(super) child: Vec<Self>,
    }

    #[derive(Decode, Debug)]
    #[hcl(tag = label)]
    pub(super) enum Storage {
        Disk { path: String },
        S3 { bucket: String, region: Option<String> },
        Memory,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Stored {
        #[hcl(block)]
        pub(super) storage: Storage,
    }

    #[derive(Decode, Debug)]
    #[hcl(tag = "kind")]
    pub(super) enum Auth {
        Password {
            user: String,
        },
        Token {
            token: String,
            #[hcl(default = 60)]
            seconds: u32,
        },
        None,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Login {
        #[hcl(block)]
        pub(super) auth: Auth,
    }

    #[derive(Decode, Debug)]
    pub(super) enum Step {
        Run { command: String },
        Wait { seconds: u32 },
        Pause,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Steps {
        #[hcl(block)]
        pub(super) steps: Vec<Step>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Common {
        pub(super) owner: String,
        #[hcl(default)]
        pub(super) tags: BTreeMap<String, String>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Flat {
        pub(super) name: String,
        #[hcl(flatten)]
        pub(super) common: Common,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Rest {
        pub(super) name: String,
        #[hcl(remain)]
        pub(super) rest: BTreeMap<String, u16>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Named {
        #[hcl(rename = "max-size", alias = "size", alias = "limit")]
        pub(super) max: u32,
        #[hcl(default = 3)]
        pub(super) retries: u8,
        #[hcl(default)]
        pub(super) enabled: bool,
    }

    #[derive(Decode, Debug)]
    #[hcl(rename_all = "kebab-case")]
    pub(super) struct Kebab {
        pub(super) first_name: String,
        pub(super) home_page: Option<String>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Old {
        #[hcl(deprecated = "use `count`")]
        pub(super) number: Option<u32>,
        pub(super) count: Option<u32>,
        #[hcl(deprecated)]
        pub(super) size: Option<u32>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Checked {
        #[hcl(range = 1..=10, validate = even)]
        pub(super) size: u32,
        #[hcl(range = 0.0..1.0)]
        pub(super) ratio: Option<f64>,
        #[hcl(validate = not_empty)]
        pub(super) name: Option<String>,
        #[hcl(with = percent)]
        pub(super) share: Option<f64>,
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "checks take references")]
    fn even(size: &u32) -> Result<(), &'static str> {
        if size.is_multiple_of(2) { Ok(()) } else { Err("the size must be even") }
    }

    #[allow(clippy::ptr_arg, reason = "checks take references to the type of the field")]
    fn not_empty(name: &String) -> Result<(), String> {
        if name.is_empty() { Err("the name must not be empty".to_owned()) } else { Ok(()) }
    }

    fn percent(value: &Value) -> Result<f64, String> {
        let text = value.as_str().ok_or("a percentage is a string such as `\"50%\"`")?;
        let number = text.strip_suffix('%').ok_or_else(|| format!("`{text}` does not end in `%`"))?;
        number.parse::<f64>().map(|number| number / 100.0).map_err(|error| error.to_string())
    }

    #[derive(Decode, Debug)]
    #[hcl(validate = Range::check)]
    pub(super) struct Range {
        pub(super) min: u32,
        pub(super) max: u32,
    }

    impl Range {
        fn check(&self) -> Result<(), String> {
            if self.min <= self.max { Ok(()) } else { Err(format!("{} is more than {}", self.min, self.max)) }
        }
    }

    #[derive(Decode, Debug)]
    pub(super) struct Ranges {
        #[hcl(block)]
        pub(super) range: Vec<Range>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Secret {
        #[hcl(sensitive, validate = long)]
        pub(super) password: String,
        #[hcl(sensitive)]
        pub(super) pin: Option<u16>,
    }

    #[allow(clippy::ptr_arg, reason = "checks take references to the type of the field")]
    fn long(password: &String) -> Result<(), String> {
        if password.len() < 4 { Err(format!("{password} is too short")) } else { Ok(()) }
    }

    #[derive(Decode, Debug)]
    pub(super) struct Address {
        #[hcl(from_str)]
        pub(super) address: std::net::SocketAddr,
        #[hcl(from_str, default = "::1")]
        pub(super) fallback: std::net::IpAddr,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Pair<A: DecodeAttribute, B: Decode> {
        pub(super) first: A,
        #[hcl(block)]
        pub(super) second: Vec<B>,
    }

    #[derive(Decode, Debug)]
    pub(super) struct Nothing {}

    #[derive(Decode)]
    pub(super) struct Placed {
        #[hcl(block)]
        pub(super) tls: Option<Spanned<Nothing>>,
    }

    impl Debug for Placed {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            let tls = self.tls.as_ref().map(|tls| (tls.get(), tls.place().text()));
            write!(f, "{tls:?}")
        }
    }
}

mod with_serde {
    use hclkit::serde::Labeled;

    use super::*;

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Many {
        #[serde(default)]
        pub(super) listen: Vec<Listen>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    pub(super) struct One {
        pub(super) listen: Listen,
    }

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Maybe {
        pub(super) listen: Option<Listen>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    pub(super) struct ByLabel {
        pub(super) service: BTreeMap<String, Service>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Service {
        pub(super) image: String,
        #[serde(default)]
        pub(super) listen: Vec<Listen>,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Resource {
        pub(super) size: u32,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Resources {
        pub(super) resource: Vec<Labeled<(String, String), Resource>>,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Numbered {
        pub(super) name: Option<String>,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct ByNumber {
        pub(super) slot: Vec<Labeled<(u8,), Numbered>>,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Tree {
        pub(super) name: String,
        #[serde(default)]
        pub(super) child: Vec<Self>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "snake_case")]
    pub(super) enum Storage {
        Disk { path: String },
        S3 { bucket: String, region: Option<String> },
        Memory,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Stored {
        pub(super) storage: Storage,
    }

    #[derive(Deserialize, Debug)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    pub(super) enum Auth {
        Password {
            user: String,
        },
        Token {
            token: String,
            #[serde(default = "sixty")]
            seconds: u32,
        },
        None,
    }

    fn sixty() -> u32 {
        60
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Login {
        pub(super) auth: Auth,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Common {
        pub(super) owner: String,
        #[serde(default)]
        pub(super) tags: BTreeMap<String, String>,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Flat {
        pub(super) name: String,
        #[serde(flatten)]
        pub(super) common: Common,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Rest {
        pub(super) name: String,
        #[serde(flatten)]
        pub(super) rest: BTreeMap<String, u16>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Named {
        #[serde(rename = "max-size", alias = "size", alias = "limit")]
        pub(super) max: u32,
        #[serde(default = "three")]
        pub(super) retries: u8,
        #[serde(default)]
        pub(super) enabled: bool,
    }

    fn three() -> u8 {
        3
    }

    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub(super) struct Kebab {
        pub(super) first_name: String,
        pub(super) home_page: Option<String>,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Address {
        pub(super) address: std::net::SocketAddr,
        #[serde(default = "localhost")]
        pub(super) fallback: std::net::IpAddr,
    }

    fn localhost() -> std::net::IpAddr {
        std::net::Ipv6Addr::LOCALHOST.into()
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Pair<A, B> {
        pub(super) first: A,
        #[serde(default = "Vec::new")]
        pub(super) second: Vec<B>,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Nothing {}

    #[derive(Deserialize, Debug)]
    pub(super) struct Placed {
        pub(super) tls: Option<Shown<Spanned<Nothing>>>,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Bodies {
        pub(super) tls: Shown<Body>,
        #[serde(default)]
        pub(super) more: Vec<Shown<Body>>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(untagged)]
    pub(super) enum Loose {
        Number(u16),
        Text(String),
        List(Vec<u16>),
        Object { host: String, port: u16 },
    }

    #[derive(Deserialize, Debug)]
    #[serde(tag = "type", content = "value", rename_all = "snake_case")]
    pub(super) enum Adjacent {
        Number(u16),
        Point { x: i32 },
        Nothing,
    }

    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "snake_case")]
    pub(super) enum External {
        Unit,
        Newtype(u16),
        Tuple(u8, String),
        Struct { x: i32 },
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct UnitStruct;

    #[derive(Deserialize, Debug)]
    pub(super) struct PairStruct(pub(super) u8, pub(super) String);

    #[derive(Deserialize, Debug)]
    pub(super) struct LabeledOne {
        pub(super) service: Labeled<String, Service>,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct LabeledSpans {
        pub(super) service: Vec<LabelSpan>,
    }

    /// A label and where it is.
    #[derive(Deserialize)]
    pub(super) struct LabelSpan(Labeled<Spanned<String>, serde::de::IgnoredAny>);

    impl Debug for LabelSpan {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{} at {}", self.0.labels, self.0.labels.place().text())
        }
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Doubly {
        pub(super) resource: BTreeMap<String, BTreeMap<String, Resource>>,
    }

    #[derive(Deserialize, Debug)]
    pub(super) struct Repeated {
        pub(super) route: BTreeMap<String, Vec<Numbered>>,
    }

    #[derive(Debug)]
    pub(super) struct Bytes(pub(super) Vec<u8>);

    impl<'de> Deserialize<'de> for Bytes {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Visitor;

            impl<'de> serde::de::Visitor<'de> for Visitor {
                type Value = Bytes;

                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("bytes")
                }

                fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                    Ok(Bytes(bytes.to_vec()))
                }

                fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<Bytes, A::Error> {
                    let mut bytes = Vec::new();
                    while let Some(byte) = items.next_element()? {
                        bytes.push(byte);
                    }
                    Ok(Bytes(bytes))
                }
            }

            deserializer.deserialize_bytes(Visitor)
        }
    }
}

use {derived as d, with_serde as s};

/// All types by their names.
pub(crate) fn types() -> HashMap<&'static str, Entry> {
    let mut types = HashMap::new();
    macro_rules! add {
        ($($name:literal: $derive:ty, $serde:ty;)*) => {$(
            let entry = Entry { derive: Some(by_derive::<$derive>), serde: Some(by_serde::<$serde>) };
            assert!(types.insert($name, entry).is_none());
        )*};
    }
    macro_rules! same {
        ($($name:literal: $ty:ty;)*) => { add! { $($name: V<$ty>, V<$ty>;)* } };
    }
    macro_rules! only_serde {
        ($($name:literal: $ty:ty;)*) => {$(
            assert!(types.insert($name, Entry { derive: None, serde: Some(by_serde::<$ty>) }).is_none());
        )*};
    }
    macro_rules! only_derive {
        ($($name:literal: $ty:ty;)*) => {$(
            assert!(types.insert($name, Entry { derive: Some(by_derive::<$ty>), serde: None }).is_none());
        )*};
    }
    same! {
        "u8": u8; "i8": i8; "u16": u16; "i16": i16; "u32": u32; "i32": i32; "u64": u64; "i64": i64; "u128": u128; "i128": i128;
        "f32": f32; "f64": f64; "bool": bool; "string": String; "option": Option<u8>; "option string": Option<String>;
        "list": Vec<u16>; "strings": Vec<String>; "nested": Vec<Vec<u8>>; "set": BTreeSet<String>; "map": BTreeMap<String, u16>;
        "map of lists": BTreeMap<String, Vec<bool>>; "options": Vec<Option<u8>>; "value": Value; "protocol": Protocol;
        "protocols": Vec<Protocol>; "point": Point; "points": Vec<Point>; "meters": Meters;
        "expression": Shown<Expression>; "spanned": Shown<Spanned<u16>>; "spanned string": Shown<Spanned<String>>;
        "tuple": (u8, String, bool);
    }
    add! {
        "blocks": d::Many, s::Many;
        "block": d::One, s::One;
        "optional block": d::Maybe, s::Maybe;
        "by label": d::ByLabel, s::ByLabel;
        "resources": d::Resources, s::Resources;
        "by number": d::ByNumber, s::ByNumber;
        "tree": d::Tree, s::Tree;
        "variant by label": d::Stored, s::Stored;
        "variant by attribute": d::Login, s::Login;
        "flatten": d::Flat, s::Flat;
        "rest": d::Rest, s::Rest;
        "named": d::Named, s::Named;
        "kebab": d::Kebab, s::Kebab;
        "address": d::Address, s::Address;
        "pair": d::Pair<u8, Listen>, s::Pair<u8, Listen>;
        "placed": d::Placed, s::Placed;
    }
    only_serde! {
        "char": S<char>; "unit": S<()>; "bytes": S<s::Bytes>; "untagged": S<s::Loose>; "adjacent": S<s::Adjacent>;
        "external": S<s::External>; "unit struct": S<s::UnitStruct>; "tuple struct": S<s::PairStruct>;
        "spanned elements": S<Vec<Shown<Spanned<u16>>>>; "expressions": S<Vec<Shown<Expression>>>;
        "map by number": S<BTreeMap<u8, String>>; "map by bool": S<BTreeMap<bool, String>>; "map by enum": S<Vec<(String, u8)>>;
        "bodies": s::Bodies; "labeled": s::LabeledOne; "labeled spans": s::LabeledSpans; "doubly": s::Doubly;
        "repeated": s::Repeated; "anything": serde_json::Value; "option of option": S<Option<Option<u8>>>; "box": S<Box<u16>>;
        "externals": S<Vec<s::External>>;
    }
    only_derive! {
        "bounded blocks": d::Bounded; "steps": d::Steps; "deprecated": d::Old; "checked": d::Checked; "ranges": d::Ranges;
        "sensitive": d::Secret; "duration": V<std::time::Duration>; "maybe unknown": V<MaybeUnknown<String>>;
        "range": d::Range;
    }
    super::alternatives::add(&mut types);
    types
}
