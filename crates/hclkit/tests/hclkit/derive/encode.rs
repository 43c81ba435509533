//! `#[derive(Encode)]`: written text decodes to the same value.

use hclkit::Encode;
use proptest::prelude::*;
use snapbox::{assert_data_eq, str};

use super::*;

#[derive(Decode, Encode, Debug, PartialEq, Clone)]
struct Job {
    name: String,
    #[hcl(rename = "count")]
    number: Option<i64>,
    #[hcl(from_str)]
    address: Option<SocketAddr>,
    #[hcl(default)]
    tags: BTreeMap<String, Vec<String>>,
    protocol: Protocol,
    #[hcl(block)]
    steps: Vec<Step>,
    #[hcl(block, key = label)]
    env: BTreeMap<String, Env>,
    #[hcl(block)]
    storage: Option<Storage>,
    #[hcl(block)]
    auth: Spanned<Auth>,
    #[hcl(flatten)]
    times: Times,
    #[hcl(remain)]
    rest: BTreeMap<String, f64>,
    #[hcl(one_or_many)]
    ports: Vec<u16>,
    #[hcl(block, attribute)]
    limits: Option<Limits>,
    #[hcl(block)]
    check: Vec<Check>,
}

#[derive(Decode, Encode, FromValue, Debug, PartialEq, Clone)]
struct Limits {
    memory: u64,
}

#[derive(Decode, Encode, Debug, PartialEq, Clone)]
struct Check {
    #[hcl(label)]
    name: Option<String>,
    path: String,
}

#[derive(Decode, Encode, Debug, PartialEq, Clone)]
struct Env {
    #[hcl(label)]
    kind: String,
    value: bool,
}

#[derive(Decode, Encode, Debug, PartialEq, Clone)]
struct Times {
    wait: Duration,
}

#[derive(Decode, Encode, Debug, PartialEq, Clone)]
enum Step {
    Run { command: String, shell: Option<String> },
    CopyFiles(Copy),
    Pause,
}

#[derive(Decode, Encode, Debug, PartialEq, Clone)]
struct Copy {
    #[hcl(label)]
    from: String,
    to: Spanned<String>,
}

#[derive(Decode, Encode, Debug, PartialEq, Clone)]
#[hcl(tag = label)]
enum Storage {
    S3(S3),
    Disk { path: String },
}

#[derive(Decode, Encode, Debug, PartialEq, Clone)]
struct S3 {
    bucket: String,
}

#[derive(Decode, Encode, Debug, PartialEq, Clone)]
#[hcl(tag = "kind")]
enum Auth {
    Password { user: String },
    None,
}

fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(value, hclkit::Place::nowhere())
}

fn text() -> impl Strategy<Value = String> {
    // Values are normalized, so that only ASCII and a few characters that need escapes come back as they were.
    "[ -~\n\t\r\\\\$%{é]{0,12}"
}

fn label() -> impl Strategy<Value = String> {
    "[a-z\" $%{.]{0,6}"
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (text(), proptest::option::of(text())).prop_map(|(command, shell)| Step::Run { command, shell }),
        (label(), text()).prop_map(|(from, to)| Step::CopyFiles(Copy { from, to: spanned(to) })),
        Just(Step::Pause),
    ]
}

fn storage() -> impl Strategy<Value = Storage> {
    prop_oneof![
        text().prop_map(|bucket| Storage::S3(S3 { bucket })),
        text().prop_map(|path| Storage::Disk { path }),
    ]
}

fn check() -> impl Strategy<Value = Check> {
    (proptest::option::of(label()), text()).prop_map(|(name, path)| Check { name, path })
}

fn job() -> impl Strategy<Value = Job> {
    let env = (label(), any::<bool>()).prop_map(|(kind, value)| Env { kind, value });
    let auth = prop_oneof![text().prop_map(|user| Auth::Password { user }), Just(Auth::None)];
    let maps = (
        proptest::collection::btree_map(text(), proptest::collection::vec(text(), 0..3), 0..3),
        proptest::collection::btree_map(label(), env, 0..3),
        proptest::collection::btree_map("rest_[a-z]{1,3}", -1e9..1e9f64, 0..3),
    );
    let blocks = (proptest::collection::vec(step(), 0..4), proptest::option::of(storage()), auth);
    let plain = (text(), any::<Option<i64>>(), any::<Option<SocketAddr>>(), any::<bool>(), 0..u64::MAX / 4);
    let limits = proptest::option::of(any::<u64>().prop_map(|memory| Limits { memory }));
    let other =
        (proptest::collection::vec(any::<u16>(), 0..3), limits, proptest::collection::vec(check(), 0..3));
    (plain, maps, blocks, other).prop_map(|(plain, (tags, env, rest), (steps, storage, auth), other)| {
        let (name, number, address, udp, wait) = plain;
        // Go's durations have nanoseconds in 64 bits.
        let times = Times { wait: Duration::from_nanos(wait) };
        let protocol = if udp { Protocol::Udp } else { Protocol::Tcp };
        let (ports, limits, check) = other;
        let auth = spanned(auth);
        Job {
            name,
            number,
            address,
            tags,
            protocol,
            steps,
            env,
            storage,
            auth,
            times,
            rest,
            ports,
            limits,
            check,
        }
    })
}

proptest! {
    #[test]
    fn written_text_decodes_to_the_same_value(job in job()) {
        let text = job.to_hcl().unwrap();
        let read = Job::decode(&body(&text), &Context::new());
        prop_assert!(read.is_ok(), "{text}\n{}", Renderer::plain().diagnostics(&read.unwrap_err()));
        // Flow information has no text form.
        let mut job = job;
        if let Some(SocketAddr::V6(address)) = &mut job.address {
            address.set_flowinfo(0);
        }
        prop_assert_eq!(read.unwrap(), job, "{}", text);
        let document = hclkit::parse(&*text);
        let formatted = hclkit::write::Formatter::plain().format(&document);
        prop_assert!(formatted.is_unchanged(), "{}", text);
    }
}

#[test]
fn a_job_is_written_in_the_usual_style() {
    let job = Job {
        name: "build".into(),
        number: Some(3),
        address: None,
        tags: BTreeMap::from([("team".into(), vec!["a".into(), "b".into()])]),
        protocol: Protocol::Udp,
        steps: vec![
            Step::Run { command: "make ${TARGET}\nmake install\n".into(), shell: None },
            Step::CopyFiles(Copy { from: "out".into(), to: spanned("/srv".into()) }),
            Step::Pause,
        ],
        env: BTreeMap::from([("debug".into(), Env { kind: "flag".into(), value: true })]),
        storage: Some(Storage::Disk { path: "/data".into() }),
        auth: spanned(Auth::Password { user: "me".into() }),
        times: Times { wait: Duration::from_secs(90) },
        rest: BTreeMap::from([("ratio".into(), 0.5)]),
        ports: vec![80],
        limits: Some(Limits { memory: 512 }),
        check: vec![
            Check { name: None, path: "/".into() },
            Check { name: Some("ready".into()), path: "/ready".into() },
        ],
    };
    assert_data_eq!(
        job.to_hcl().unwrap(),
        str![[r#"
name     = "build"
count    = 3
tags     = { team = ["a", "b"] }
protocol = "udp"
ports    = [80]
wait     = "1m30s"
ratio    = 0.5

run {
  command = <<-EOT
    make $${TARGET}
    make install
  EOT
}

copy_files "out" {
  to = "/srv"
}

pause {}

env "debug" "flag" {
  value = true
}

storage "disk" {
  path = "/data"
}

auth {
  kind = "password"
  user = "me"
}

limits {
  memory = 512
}

check {
  path = "/"
}

check "ready" {
  path = "/ready"
}

"#]]
    );
}

#[test]
fn expressions_and_remaining_items_are_written_unchanged() {
    #[derive(Decode, Encode, Debug)]
    struct Rule {
        when: Expression,
        #[hcl(remain)]
        rest: Body,
    }
    let text = "when = var.enabled && length(var.names) > 0\nother = [for n in var.names : upper(n)]\n\nnested \"a\" {\n  b = c\n}\n";
    let rule = Rule::decode(&body(text), &Context::new()).unwrap();
    assert_data_eq!(
        rule.to_hcl().unwrap(),
        str![[r#"
when  = var.enabled && length(var.names) > 0
other = [for n in var.names : upper(n)]

nested "a" {
  b = c
}

"#]]
    );
}

#[test]
fn values_that_hcl_cannot_express_are_errors() {
    #[derive(Encode)]
    struct Ratio {
        ratio: f64,
    }
    assert_data_eq!(
        Ratio { ratio: f64::NAN }.to_hcl().unwrap_err().to_string(),
        str![".ratio: NaN is not a number"]
    );
}

#[test]
fn a_body_is_written_as_it_was() {
    #[derive(Decode, Encode)]
    struct File {
        #[hcl(block)]
        settings: Body,
    }

    let text = "settings {\n  name = upper(\"x\")\n\n  inner \"a\" {\n    size = 1\n  }\n}\n";
    let file = File::decode(&body(text), &Context::new()).unwrap();
    assert_eq!(file.to_hcl().unwrap(), text);
}

#[test]
fn types_that_are_only_written_borrow() {
    #[derive(Encode, IntoValue)]
    struct Listen<'a> {
        host: &'a str,
        ports: &'a [u16],
    }
    impl hclkit::value::Typed for Listen<'_> {}
    #[derive(Encode)]
    struct Service<'a> {
        #[hcl(label)]
        name: &'a str,
        image: Option<&'a str>,
        tags: Vec<std::borrow::Cow<'a, str>>,
        main: &'a Listen<'a>,
    }
    #[derive(Encode)]
    struct File<'a> {
        #[hcl(block, rename = "service")]
        services: &'a [Service<'a>],
        #[hcl(block)]
        listen: Vec<&'a Listen<'a>>,
    }
    let host = String::from("::1");
    let listen = Listen { host: &host, ports: &[80, 443] };
    let service = Service {
        name: "web",
        image: Some("nginx"),
        tags: vec!["a".into(), host.as_str().into()],
        main: &listen,
    };
    let file = File { services: &[service], listen: vec![&listen, &listen] };
    assert_eq!(
        file.to_hcl().unwrap(),
        r#"service "web" {
  image = "nginx"
  tags  = ["a", "::1"]
  main  = { host = "::1", ports = [80, 443] }
}

listen {
  host  = "::1"
  ports = [80, 443]
}

listen {
  host  = "::1"
  ports = [80, 443]
}
"#
    );
}
