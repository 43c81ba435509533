//! The errors of derived types, as they are rendered. `SNAPSHOTS=overwrite cargo test -p hclkit derive` accepts changes.
#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes them")]

use snapbox::{assert_data_eq, str};

use super::*;

#[derive(Decode, Debug)]
struct Limits {
    #[hcl(range = 1..=10, validate = even)]
    size: u32,
    ratio: Option<f64>,
    #[hcl(default)]
    names: Vec<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "checks take references")]
fn even(size: &u32) -> Result<(), &'static str> {
    if size.is_multiple_of(2) { Ok(()) } else { Err("the size must be even") }
}

#[test]
fn all_errors_are_reported_at_once_and_in_source_order() {
    assert_data_eq!(
        errors::<Limits>("names = [\"a\", []]\nratio = \"x\"\nsiz = 3\n"),
        str![[r#"
error[missing-attribute]: Missing required argument
 --> main.hcl:1:1
  |
1 | names = ["a", []]
  | ^
  |
  = note: The argument `size` is required, but it is not set.

error[invalid-attribute-value]: Incorrect attribute value type
 --> main.hcl:1:15
  |
1 | names = ["a", []]
  |               ^^
  |
  = note: Invalid value for the argument `names`: [1]: a string is required.

error[invalid-attribute-value]: Incorrect attribute value type
 --> main.hcl:2:9
  |
2 | ratio = "x"
  |         ^^^
  |
  = note: Invalid value for the argument `ratio`: a number is required.

error[unsupported-argument]: Unsupported argument
 --> main.hcl:3:1
  |
3 | siz = 3
  | ^^^
  |
  = note: An argument named `siz` is not expected here. Did you mean `size`?
help: Write `size`
  |
3 | size = 3
  |    +
"#]]
    );
}

#[test]
fn ranges_and_checks_point_at_the_expression() {
    assert_data_eq!(
        errors::<Limits>("size = 11\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:1:8
  |
1 | size = 11
  |        ^^
  |
  = note: Invalid value for the argument `size`: the value must be between 1 and 10.
"#]]
    );
    assert_data_eq!(
        errors::<Limits>("size = 3\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:1:8
  |
1 | size = 3
  |        ^
  |
  = note: Invalid value for the argument `size`: the size must be even.
"#]]
    );
    assert_data_eq!(
        errors::<Limits>("size = -1\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:1:8
  |
1 | size = -1
  |        ^^
  |
  = note: Invalid value for the argument `size`: expected a whole number from 0 to 4294967295, found -1.
"#]]
    );
    assert_data_eq!(
        errors::<Limits>("size = 1.5\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:1:8
  |
1 | size = 1.5
  |        ^^^
  |
  = note: Invalid value for the argument `size`: expected a whole number from 0 to 4294967295, found 1.5.
"#]]
    );
}

#[test]
fn null_is_not_a_value_of_a_required_attribute() {
    assert_data_eq!(
        errors::<Limits>("size = null\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:1:8
  |
1 | size = null
  |        ^^^^
  |
  = note: Invalid value for the argument `size`: expected a number, found null.
"#]]
    );
}

#[test]
fn unknown_and_marked_values_are_errors() {
    let context = Context::new()
        .with("u", Value::unknown(Type::Number))
        .with("s", Value::from(4).mark(hclkit::value::Mark::sensitive()));
    let error =
        |text: &str| Renderer::plain().diagnostics(&Limits::decode(&body(text), &context).unwrap_err());
    assert_data_eq!(
        error("size = u\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:1:8
  |
1 | size = u
  |        ^
  |
  = note: Invalid value for the argument `size`: expected a number, found an unknown value.
"#]]
    );
    assert_data_eq!(
        error("size = s\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:1:8
  |
1 | size = s
  |        ^
  |
  = note: Invalid value for the argument `size`: expected a number, found a marked value.
"#]]
    );
}

#[test]
fn missing_and_superfluous_blocks() {
    #[derive(Decode, Debug)]
    struct Cluster {
        #[hcl(block)]
        network: Env,
        #[hcl(block, min = 2, max = 3)]
        node: Vec<Env>,
    }
    assert_data_eq!(
        errors::<Cluster>(""),
        str![[r#"
error[missing-block]: Missing block
 --> main.hcl:1:1
  |
1 |
  | ^
  |
  = note: A block of type `network` is required here.

error[too-few-blocks]: Insufficient blocks
 --> main.hcl:1:1
  |
1 |
  | ^
  |
  = note: At least 2 blocks of type `node` are required, but none was found.
"#]]
    );
    let node = "node {\n  value = \"a\"\n}\n".repeat(4);
    let network = "network {\n  value = \"a\"\n}\n".repeat(2);
    assert_data_eq!(
        errors::<Cluster>(&format!("{node}{network}")),
        str![[r#"
error[too-many-blocks]: Too many blocks
  --> main.hcl:10:1
   |
10 | node {
   | ^^^^
   |
   = note: No more than 3 blocks of type `node` are allowed, but 4 were found.

error[duplicate-block]: Duplicate block
  --> main.hcl:16:1
   |
13 | network {
   | ------- first defined here
...
16 | network {
   | ^^^^^^^
   |
   = note: Only one block of type `network` is allowed here.
"#]]
    );
}

#[test]
fn blocks_with_the_same_key() {
    #[derive(Decode, Debug)]
    struct Envs {
        #[hcl(block, key = label)]
        env: BTreeMap<String, Env>,
    }
    assert_data_eq!(
        errors::<Envs>("env \"a\" {\n  value = 1\n}\nenv \"a\" {\n  value = 2\n}\nenv {\n  value = 3\n}\n"),
        str![[r#"
error[duplicate-block]: Duplicate block
 --> main.hcl:4:1
  |
1 | env "a" {
  | ------- first defined here
...
4 | env "a" {
  | ^^^^^^^
  |
  = note: A block of type `env` with the label `a` already exists.

error[missing-label]: Missing block label
 --> main.hcl:7:5
  |
7 | env {
  |     ^
  |
  = note: The label `name` is missing. `env` blocks must have one label.
"#]]
    );
}

#[test]
fn a_label_that_cannot_be_read() {
    #[derive(Decode, Debug)]
    struct Ports {
        #[hcl(block)]
        port: Vec<Port>,
    }
    #[derive(Decode, Debug)]
    struct Port {
        #[hcl(label)]
        number: u16,
    }
    assert_eq!(
        Ports::decode(&body("port 80 {\n}\n".replace("80", "\"80\"").as_str()), &Context::new())
            .unwrap()
            .port[0]
            .number,
        80
    );
    assert_data_eq!(
        errors::<Ports>("port \"http\" {\n}\nport \"99999\" {}\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:1:6
  |
1 | port "http" {
  |      ^^^^^^
  |
  = note: Invalid label: invalid digit found in string.

error[invalid-value]: Invalid value
 --> main.hcl:3:6
  |
3 | port "99999" {}
  |      ^^^^^^^
  |
  = note: Invalid label: number too large to fit in target type.
"#]]
    );
}

#[test]
fn an_address_that_cannot_be_read() {
    #[derive(Decode, Debug)]
    struct Listener {
        #[hcl(from_str)]
        address: SocketAddr,
        #[hcl(from_str, default = "0.0.0.0:1")]
        admin: SocketAddr,
    }
    let listener = Listener::decode(&body("address = \"[::1]:80\"\n"), &Context::new()).unwrap();
    assert_eq!(listener.admin.port(), 1);
    assert_data_eq!(
        errors::<Listener>("address = \"localhost\"\nadmin = 5\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:1:11
  |
1 | address = "localhost"
  |           ^^^^^^^^^^^
  |
  = note: Invalid value for the argument `address`: invalid socket address syntax.

error[invalid-value]: Invalid value
 --> main.hcl:2:9
  |
2 | admin = 5
  |         ^
  |
  = note: Invalid value for the argument `admin`: invalid socket address syntax.
"#]]
    );
}

#[test]
fn names_of_variants() {
    assert_data_eq!(
        errors::<Listen>("port = 1\nprotocol = \"tpc\"\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:2:12
  |
2 | protocol = "tpc"
  |            ^^^^^
  |
  = note: Invalid value for the argument `protocol`: expected "tcp" or "udp", found "tpc"; did you mean "tcp"?
"#]]
    );
    assert_data_eq!(
        errors::<Listen>("port = 1\nprotocol = \"quic\"\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:2:12
  |
2 | protocol = "quic"
  |            ^^^^^^
  |
  = note: Invalid value for the argument `protocol`: expected "tcp" or "udp", found "quic".
"#]]
    );
}

#[test]
fn attributes_of_objects() {
    #[derive(FromValue, Debug)]
    struct Health {
        path: String,
        #[hcl(default = 10, range = 1..)]
        interval: u32,
        headers: Option<BTreeMap<String, String>>,
    }
    #[derive(Decode, Debug)]
    struct Check {
        health: Health,
        #[hcl(default)]
        more: Vec<Health>,
    }
    let check = Check::decode(&body("health = { path = \"/\" }\n"), &Context::new()).unwrap();
    assert_eq!((check.health.interval, check.health.path.as_str()), (10, "/"));
    assert_data_eq!(
        errors::<Check>("health = { pth = \"/\" }\n"),
        str![[r#"
error[invalid-attribute-value]: Incorrect attribute value type
 --> main.hcl:1:18
  |
1 | health = { pth = "/" }
  |                  ^^^
  |
  = note: Invalid value for the argument `health`: .pth: an attribute named "pth" is not expected here; did you mean "path"?
"#]]
    );
    assert_data_eq!(
        errors::<Check>("health = {\n  path = \"/\"\n  interval = 0\n}\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:3:14
  |
3 |   interval = 0
  |              ^
  |
  = note: Invalid value for the argument `health`: .interval: the value must be at least 1.
"#]]
    );
    assert_data_eq!(
        errors::<Check>(
            "health = {\n  path = \"/\"\n}\nmore = [{ path = \"a\" }, { path = \"b\", headers = { a = [] } }]\n"
        ),
        str![[r#"
error[invalid-attribute-value]: Incorrect attribute value type
 --> main.hcl:4:55
  |
4 | more = [{ path = "a" }, { path = "b", headers = { a = [] } }]
  |                                                       ^^
  |
  = note: Invalid value for the argument `more`: [1].headers["a"]: a string is required.
"#]]
    );
    assert_data_eq!(
        errors::<Check>("health = \"/\"\n"),
        str![[r#"
error[invalid-attribute-value]: Incorrect attribute value type
 --> main.hcl:1:10
  |
1 | health = "/"
  |          ^^^
  |
  = note: Invalid value for the argument `health`: an object is required.
"#]]
    );
    assert_data_eq!(
        errors::<Check>(r#"{"health": {"path": "/", "interval": "x"}}"#),
        str![[r#"
error[invalid-attribute-value]: Incorrect attribute value type
 --> main.hcl.json:1:38
  |
1 | {"health": {"path": "/", "interval": "x"}}
  |                                      ^^^
  |
  = note: Invalid value for the argument `health`: .interval: a number is required.
"#]]
    );
}

#[test]
fn enums_by_block_type_label_and_attribute() {
    #[derive(Decode, Debug, PartialEq)]
    enum Step {
        Run {
            command: String,
        },
        #[hcl(rename = "copy_files")]
        Copy(Copy),
        Pause,
    }
    #[derive(Decode, Debug, PartialEq)]
    struct Copy {
        from: String,
        #[hcl(default = "/")]
        to: String,
    }
    #[derive(Decode, Debug, PartialEq)]
    #[hcl(tag = label)]
    enum Storage {
        S3(S3),
        Disk { path: String },
    }
    #[derive(Decode, Debug, PartialEq)]
    struct S3 {
        bucket: String,
    }
    #[derive(Decode, Debug, PartialEq)]
    #[hcl(tag = "kind", rename_all = "kebab-case")]
    enum Auth {
        UserPassword {
            user: String,
            password: String,
        },
        #[hcl(alias = "anonymous")]
        None,
    }
    #[derive(Decode, Debug, PartialEq)]
    struct Job {
        #[hcl(block)]
        steps: Vec<Step>,
        #[hcl(block)]
        storage: Option<Storage>,
        #[hcl(block)]
        auth: Option<Auth>,
    }
    let text = "run {\n  command = \"make\"\n}\npause {}\ncopy_files {\n  from = \"a\"\n}\nrun {\n  command = \"test\"\n}\nstorage \"s3\" {\n  bucket = \"b\"\n}\nauth {\n  kind = \"user-password\"\n  user = \"u\"\n  password = \"p\"\n}\n";
    let job = Job::decode(&body(text), &Context::new()).unwrap();
    assert_eq!(
        job.steps,
        [
            Step::Run { command: "make".into() },
            Step::Pause,
            Step::Copy(Copy { from: "a".into(), to: "/".into() }),
            Step::Run { command: "test".into() }
        ]
    );
    assert_eq!(job.storage, Some(Storage::S3(S3 { bucket: "b".into() })));
    assert_eq!(job.auth, Some(Auth::UserPassword { user: "u".into(), password: "p".into() }));
    let json =
        r#"{"storage": {"disk": {"path": "/"}}, "auth": {"kind": "anonymous"}, "run": {"command": "x"}}"#;
    let job = Job::decode(&body(json), &Context::new()).unwrap();
    assert_eq!((job.storage, job.auth), (Some(Storage::Disk { path: "/".into() }), Some(Auth::None)));

    assert_data_eq!(
        errors::<Job>("rum {\n}\nstorage \"disc\" {\n}\nauth {\n  kind = \"token\"\n}\n"),
        str![[r#"
error[unsupported-block]: Unsupported block type
 --> main.hcl:1:1
  |
1 | rum {
  | ^^^
  |
  = note: Blocks of type `rum` are not expected here. Did you mean `run`?
help: Write `run`
  |
1 - rum {
1 + run {
  |

error[invalid-value]: Invalid value
 --> main.hcl:3:9
  |
3 | storage "disc" {
  |         ^^^^^^
  |
  = note: Expected "s3" or "disk", found "disc"; did you mean "disk"?

error[invalid-value]: Invalid value
 --> main.hcl:6:10
  |
6 |   kind = "token"
  |          ^^^^^^^
  |
  = note: Expected "user-password", "none" or "anonymous", found "token".
"#]]
    );
    assert_data_eq!(
        errors::<Job>(
            "storage \"disk\" {\n  bucket = \"b\"\n}\nauth {\n  kind = \"none\"\n  user = \"u\"\n}\n"
        ),
        str![[r#"
error[missing-attribute]: Missing required argument
 --> main.hcl:1:16
  |
1 | storage "disk" {
  |                ^
  |
  = note: The argument `path` is required, but it is not set.

error[unsupported-argument]: Unsupported argument
 --> main.hcl:2:3
  |
2 |   bucket = "b"
  |   ^^^^^^
  |
  = note: An argument named `bucket` is not expected here.

error[unsupported-argument]: Unsupported argument
 --> main.hcl:6:3
  |
6 |   user = "u"
  |   ^^^^
  |
  = note: An argument named `user` is not expected here.
"#]]
    );
    assert_data_eq!(
        errors::<Job>("auth {\n}\nauth {\n  kind = \"none\"\n}\n"),
        str![[r#"
error[missing-attribute]: Missing required argument
 --> main.hcl:1:6
  |
1 | auth {
  |      ^
  |
  = note: The argument `kind` is required, but it is not set.

error[duplicate-block]: Duplicate block
 --> main.hcl:3:1
  |
1 | auth {
  | ---- first defined here
2 | }
3 | auth {
  | ^^^^
  |
  = note: Only one block of type `auth` is allowed here.
"#]]
    );
}

#[test]
fn aliases_and_deprecated_names() {
    let both = "tags = {}\nlabels = {}\n";
    assert_data_eq!(
        errors::<Common>(both),
        str![[r#"
error[duplicate-attribute]: Attribute redefined
 --> main.hcl:2:1
  |
1 | tags = {}
  | ---- first set here
2 | labels = {}
  | ^^^^^^
  |
  = note: `tags` and `labels` set the same argument. Remove one of them.
"#]]
    );
    let (decoded, found) = Common::decode_with_warnings(&body("owner = \"me\"\n"), &Context::new());
    assert_eq!(decoded.unwrap().owner.as_deref(), Some("me"));
    assert_data_eq!(
        Renderer::plain().diagnostics(&found),
        str![[r#"
warning[deprecated]: Deprecated
 --> main.hcl:1:1
  |
1 | owner = "me"
  | ^^^^^
  |
  = note: The argument `owner` is deprecated: use `tags`.
"#]]
    );
}

#[test]
fn sensitive_values_are_not_shown() {
    let context = Context::new().with("key", Value::from(17).mark(hclkit::value::Mark::sensitive()));
    assert_eq!(Tls::decode(&body("key = key\n"), &context).unwrap().key, "17");
    #[derive(Decode, Debug)]
    struct Pin {
        #[hcl(sensitive)]
        pin: u8,
    }
    let found = Pin::decode(&body("pin = key * 1000\n"), &context).unwrap_err();
    assert_data_eq!(
        Renderer::plain().diagnostics(&found),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:1:7
  |
1 | pin = key * 1000
  |       ^^^^^^^^^^
  |
  = note: Invalid value for the argument `pin`: the reason is withheld because it may contain a sensitive value.
"#]]
    );
}

#[test]
fn a_check_sees_the_whole_value() {
    #[derive(Decode, Debug)]
    #[hcl(validate = Window::check)]
    struct Window {
        start: u32,
        end: u32,
    }
    impl Window {
        fn check(&self) -> Result<(), String> {
            if self.start <= self.end {
                Ok(())
            } else {
                Err(format!("the window ends before it starts: {} > {}", self.start, self.end))
            }
        }
    }
    #[derive(Decode, Debug)]
    struct Plan {
        #[hcl(block)]
        window: Window,
    }
    assert_data_eq!(
        errors::<Plan>("window {\n  start = 3\n  end = 2\n}\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:1:1
  |
1 | window {
  | ^^^^^^
  |
  = note: Invalid block: the window ends before it starts: 3 > 2.
"#]]
    );
}

#[test]
fn a_custom_function_reads_a_field() {
    fn percent(value: &Value) -> Result<f64, String> {
        let text = value.as_str().ok_or("expected a string such as \"50%\"")?;
        let number = text.strip_suffix('%').ok_or_else(|| format!("{text:?} does not end in %"))?;
        number.parse::<f64>().map(|number| number / 100.0).map_err(|error| error.to_string())
    }
    #[derive(Decode, Debug)]
    struct Share {
        #[hcl(with = percent)]
        share: f64,
        #[hcl(with = percent, default = "10%")]
        rest: f64,
        #[hcl(with = percent)]
        other: Option<f64>,
    }
    let share = Share::decode(&body("share = \"50%\"\nother = null\n"), &Context::new()).unwrap();
    assert_eq!((share.share, share.rest, share.other), (0.5, 0.1, None));
    assert_data_eq!(
        errors::<Share>("share = 50\nrest = \"5\"\n"),
        str![[r#"
error[invalid-value]: Invalid value
 --> main.hcl:1:9
  |
1 | share = 50
  |         ^^
  |
  = note: Invalid value for the argument `share`: expected a string such as "50%".

error[invalid-value]: Invalid value
 --> main.hcl:2:8
  |
2 | rest = "5"
  |        ^^^
  |
  = note: Invalid value for the argument `rest`: "5" does not end in %.
"#]]
    );
}

#[test]
fn the_file_of_a_type_with_labels() {
    assert_data_eq!(
        errors::<Service>("address = \"127.0.0.1:80\"\nwhen = 1\n"),
        str![[r#"
error[no-block-label]: No block label
 --> main.hcl:1:1
  |
1 | address = "127.0.0.1:80"
  | ^
  |
  = note: This type describes a block with labels, but the body of a file was decoded.
"#]]
    );
}

#[test]
fn remaining_items_as_attributes() {
    #[derive(Decode, Debug)]
    struct Open {
        name: String,
        #[hcl(remain)]
        rest: BTreeMap<String, u32>,
    }
    let open = Open::decode(&body("name = \"a\"\nb = 1\nc = \"2\"\n"), &Context::new()).unwrap();
    assert_eq!(open.rest, BTreeMap::from([("b".to_owned(), 1), ("c".to_owned(), 2)]));
    assert_data_eq!(
        errors::<Open>("name = \"a\"\nb = []\nc {\n}\n"),
        str![[r#"
error[invalid-attribute-value]: Incorrect attribute value type
 --> main.hcl:2:5
  |
2 | b = []
  |     ^^
  |
  = note: Invalid value for the argument `b`: a number is required.

error[unsupported-block]: Unsupported block type
 --> main.hcl:3:1
  |
3 | c {
  | ^
  |
  = note: Blocks of type `c` are not expected here. To set the argument `c`, add `=` after its name.
help: Add an equals sign
  |
3 | c = {
  |   +
"#]]
    );
}
