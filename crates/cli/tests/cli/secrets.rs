//! No output of any command in any format contains a value that is marked as sensitive.

use crate::program::Folder;
use snapbox::str;

/// The texts that must never be printed: the name of a key, and a value.
const SECRETS: [&str; 2] = ["hunter2", "swordfish"];

const OBJECT: &str = r#"p=sensitive({ swordfish = "hunter2" })"#;
const STRING: &str = r#"p=sensitive("hunter2")"#;

#[test]
fn explanations_hide_results_of_sensitive_values() {
    let explained =
        |expression: &str| Folder::with(&[]).hcl(&["eval", "--var", OBJECT, "--explain", expression]);
    explained("[for c in p : upper(c)]").success().stdout_eq(str![[r#"
[for c in p : upper(c)]  → (sensitive)
├─ p                     → (sensitive)
└─ c = (sensitive)       → (sensitive)
   └─ upper(c)           → (sensitive)
      └─ c               → (sensitive)

"#]]);
    explained("[for k, c in p : \"${k}=${c}\" if c != \"\"]").success().stdout_eq(str![[r#"
[for k, c in p : "${k}=${c}" if c != ""]  → (sensitive)
├─ p                                      → (sensitive)
└─ k = (sensitive), c = (sensitive)       → (sensitive)
   ├─ "${k}=${c}"                         → (sensitive)
   │  ├─ k                                → (sensitive)
   │  └─ c                                → (sensitive)
   └─ c != ""                             → (sensitive)
      └─ c                                → (sensitive)

"#]]);
    explained("values(p)[*].x").code(1).stdout_eq(str![[r#"
values(p)[*].x  → (sensitive)
├─ values(p)    → (sensitive)
│  └─ p         → (sensitive)
└─ [*].x        error: This value is a string, which has no attributes.

"#]]);
    explained("\"%{ for c in p }${upper(c)}%{ endfor }\"").success().stdout_eq(str![[r#"
"%{ for c in p }${upper(c)}%{ endfor }"   → (sensitive)
└─ %{ for c in p }${upper(c)}%{ endfor }  → (sensitive)
   ├─ p                                   → (sensitive)
   └─ c = (sensitive)                     → (sensitive)
      └─ ${upper(c)}                      → (sensitive)
         └─ upper(c)                      → (sensitive)
            └─ c                          → (sensitive)

"#]]);
}

#[test]
fn messages_hide_results_of_sensitive_values() {
    let object = |expression: &str| Folder::with(&[]).hcl(&["eval", "--var", OBJECT, expression]).code(1);
    object("[for c in p : c + 1]").stderr_eq(str![[r#"
error[invalid-operand]: Invalid operand
 --> <expression>:1:15
  |
1 | [for c in p : c + 1]
  |               ^
  |
  = note: Invalid value for the left operand of `+`: a number is required.
  = where: c is (sensitive)

"#]]);
    object("p.swordfisj").stderr_eq(str![[r#"
error[unsupported-attribute]: Unsupported attribute
 --> <expression>:1:2
  |
1 | p.swordfisj
  |  ^^^^^^^^^^
  |
  = note: This object has no attribute named `swordfisj`.
  = where: p is (sensitive)

"#]]);
    let string = |expression: &str| {
        Folder::with(&[]).hcl(&["eval", "--allow-fs", ".", "--var", STRING, expression]).code(1)
    };
    string("{ a = 1 }[p]").stderr_eq(str![[r#"
error[invalid-index]: Invalid index
 --> <expression>:1:10
  |
1 | { a = 1 }[p]
  |          ^^^
  |
  = note: This object has no attribute with this name.
  = where: p is (sensitive)

"#]]);
    string("file(p)").stderr_eq(str![[r#"
error[invalid-argument]: Invalid function argument
 --> <expression>:1:6
  |
1 | file(p)
  |      ^
  |
  = note: Invalid value for the argument `path` of `file`: the reason is withheld because it may contain a sensitive value.
  = where: p is (sensitive)

"#]]);
    string("parseint(p, 10)").stderr_eq(str![[r#"
error[invalid-argument]: Invalid function argument
 --> <expression>:1:10
  |
1 | parseint(p, 10)
  |          ^
  |
  = note: Invalid value for the argument `number` of `parseint`: the reason is withheld because it may contain a sensitive value.
  = where: p is (sensitive)

"#]]);
}

/// Expressions that fail because of a secret.
const FAILING: &[&str] = &[
    "[for c in o : c + 1]",
    "[for k, c in o : { a = 1 }[k]]",
    "values(o)[*].x",
    "\"%{ for c in o }${c + 1}%{ endfor }\"",
    "{ a = 1 }[s]",
    "o.swordfisj",
    "o[\"swordfisj\"]",
    "file(s)",
    "parseint(s, 10)",
    "timeadd(s, \"1h\")",
    "timecmp(s, s)",
    "formatdate(s, s)",
    "uuidv5(s, s)",
    "cidrhost(s, 1)",
    "cidrsubnet(s, 1, 1)",
    "regex(s, \"\")",
    "replace(\"a\", \"/(${s}/\", s)",
    "lookup({ a = 1 }, s)",
    "jsondecode(s)",
    "textencodebase64(\"a\", s)",
    "base64decode(s)",
    "templatestring(s_template, { a = s })",
    "{ for x in [1, 2] : s => x }",
    "true ? o : [1]",
    "merge(o, s)",
    "setproduct(o)",
    "tonumber(s)",
    "s + 1",
    "!s",
    "index([1], s)",
    "one([s, s])",
    "tomap({ a = o, b = [s] })",
    "try(tonumber(s))",
];

const VARIABLES: [&str; 3] = [
    r#"s=sensitive("hunter2(%q")"#,
    r#"o=sensitive({ swordfish = "hunter2(" })"#,
    r#"s_template=sensitive("$${hunter2 + swordfish}%%{ for")"#,
];

#[test]
fn no_format_shows_a_secret() {
    let folder = Folder::with(&[]);
    for expression in FAILING {
        for more in [
            &["--report", "human"][..],
            &["--report", "json"],
            &["--report", "sarif"],
            &["--report", "github"],
            &["--explain"],
        ] {
            let mut arguments = vec!["eval", "--allow-fs", "."];
            arguments.extend(VARIABLES.iter().flat_map(|variable| ["--var", variable]));
            arguments.extend(more);
            arguments.push(expression);
            let output = folder.hcl(&arguments).code(1).get_output().clone();
            refuse_secrets(expression, &output);
        }
    }
}

fn refuse_secrets(what: &str, output: &std::process::Output) {
    let printed = String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).to_lowercase();
    // Text in the source is not a secret.
    let printed = printed.replace(&what.to_lowercase(), "");
    for secret in SECRETS {
        assert!(!printed.contains(secret), "{what}: {printed}");
    }
}

#[test]
fn the_console_shows_no_secret() {
    let mut input = VARIABLES.join("\n") + "\n";
    input.push_str("all = { o = o, list = tolist([o, o]), map = { (s) = 1 } }\n:vars\n");
    let fine = [
        "o",
        "all",
        "[for k, c in o : k]",
        "{ (s) = s }",
        "slice(tolist([o]), 0, 0)",
        "keys(o)",
        "tolist([o])",
    ];
    for expression in FAILING.iter().filter(|it| !it.contains("swordfis")).chain(&fine) {
        for command in ["", ":explain ", ":type "] {
            input.extend([command, expression, "\n"]);
        }
    }
    let output = Folder::with(&[]).hcl_reading(&["console"], &input).code(1).get_output().clone();
    refuse_secrets("the console", &output);
}

#[test]
fn decoding_shows_no_secret() {
    let spec = "object {\n  attr \"n\" { type = map(number) }\n  attr \"m\" { type = number }\n  block_map \"b\" {\n    block_type = \"b\"\n    labels = [\"name\"]\n    object {\n      attr \"n\" { type = number }\n    }\n  }\n}\n";
    let configuration = "n = sensitive({ (jsondecode(file.j).k) = file.j })\nm = [for c in sensitive([file.j]) : c.x][0]\ndynamic \"b\" {\n  for_each = sensitive([file.k, file.k])\n  labels = [b.value]\n  content {\n    n = b.value\n  }\n}\n";
    let vars = r#"{"file": {"j": "{\"k\": \"swordfish\", \"hunter2\": 1}", "k": "hunter2"}}"#;
    let folder = Folder::with(&[("spec.hcl", spec), ("main.hcl", configuration)]);
    for format in ["human", "json", "sarif", "github"] {
        let arguments = [
            "decode",
            "-s",
            "spec.hcl",
            "--dynamic",
            "--functions",
            "terraform",
            "--vars",
            vars,
            "--report",
            format,
            "main.hcl",
        ];
        let output = folder.hcl(&arguments).code(1).get_output().clone();
        refuse_secrets("decode", &output);
    }
}
