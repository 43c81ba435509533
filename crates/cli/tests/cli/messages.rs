//! Messages that say what to write instead.

use crate::program::Folder;
use snapbox::str;

#[test]
fn functions_that_terraform_removed_name_their_replacement() {
    let folder = Folder::with(&[]);
    folder.hcl(&["eval", "map(\"a\", 1)"]).code(1).stdout_eq("").stderr_eq(str![[r#"
error[unknown-function]: Call to unknown function
 --> <expression>:1:1
  |
1 | map("a", 1)
  | ^^^
  |
  = note: The function `map` is no longer available. Use `tomap({ ... })` instead.

"#]]);
    folder.hcl(&["eval", "core::list(1)"]).code(1).stdout_eq("").stderr_eq(str![[r#"
error[unknown-function]: Call to unknown function
 --> <expression>:1:1
  |
1 | core::list(1)
  | ^^^^^^^^^^
  |
  = note: The function `core::list` is no longer available. Use `tolist([ ... ])` instead.

"#]]);
    folder.hcl_reading(&["console"], ":doc map\n").code(1).stderr_eq(str![[r#"
error: `map` is no longer available; use `tomap({ ... })` instead

"#]]);
}

#[test]
fn jsondecode_says_what_was_expected() {
    let folder = Folder::with(&[]);
    folder.hcl(&["eval", "jsondecode(\"{\")"]).code(1).stdout_eq("").stderr_eq(str![[r#"
error[function-failed]: Error in function call
 --> <expression>:1:1
  |
1 | jsondecode("{")
  | ^^^^^^^^^^^
  |
  = note: Call to function `jsondecode` failed: not valid JSON at byte 1: expected a key in quotes or `}`, found the end of the text.

"#]]);
    folder.hcl(&["eval", "jsondecode(sensitive(\"{hunter2\"))"]).code(1).stdout_eq("").stderr_eq(str![[r#"
error[function-failed]: Error in function call
 --> <expression>:1:1
  |
1 | jsondecode(sensitive("{hunter2"))
  | ^^^^^^^^^^^
  |
  = note: Call to function `jsondecode` failed: the reason is withheld because it may contain a sensitive value.

"#]]);
}

#[test]
fn a_transform_that_fails_shows_the_configuration() {
    let spec = r#"object {
  block_list "server" {
    transform {
      result = nested + 1
      attr {
        name = "port"
        type = string
      }
    }
  }
  transform "meta" {
    result = nested.x
    block {
      block_type = "meta"
      object {
        attr "y" {
          type = number
        }
      }
    }
  }
}
"#;
    let config =
        "server {\n  port = \"80\"\n}\nserver {\n  port = \"x\"\n}\nserver {\n}\nmeta {\n  y = 1\n}\n";
    let json = r#"{"server": {"port": "x"}, "meta": {"y": 1}}"#;
    let folder = Folder::with(&[("s.hcldec", spec), ("a.hcl", config), ("a.json", json)]);
    folder.hcl(&["decode", "--spec", "s.hcldec", "a.hcl"]).code(1).stdout_eq("").stderr_eq(str![[r#"
error[invalid-operand]: Invalid operand
 --> s.hcldec:4:16
  |
4 |       result = nested + 1
  |                ^^^^^^
  |
 ::: a.hcl:5:10
  |
5 |   port = "x"
  |          --- the value comes from here
  |
  = note: Invalid value for the left operand of `+`: a number is required.
  = where: nested is "x"

error[operation-failed]: Operation failed
 --> s.hcldec:4:16
  |
4 |       result = nested + 1
  |                ^^^^^^^^^^
  |
 ::: a.hcl:7:1
  |
7 | server {
  | ------ the value comes from here
  |
  = note: The operation `+` failed: an operand must not be null.
  = where: nested is null

error[unsupported-attribute]: Unsupported attribute
  --> s.hcldec:12:20
   |
12 |     result = nested.x
   |                    ^^
   |
  ::: a.hcl:9:1
   |
 9 | meta {
   | ---- the value comes from here
   |
   = note: This object has no attribute named `x`.
   = where: nested is object { y = 1 }

"#]]);
    folder.hcl(&["decode", "--spec", "s.hcldec", "a.json"]).code(1).stdout_eq("").stderr_eq(str![[r#"
error[invalid-operand]: Invalid operand
 --> s.hcldec:4:16
  |
4 |       result = nested + 1
  |                ^^^^^^
  |
 ::: a.json:1:21
  |
1 | {"server": {"port": "x"}, "meta": {"y": 1}}
  |                     --- the value comes from here
  |
  = note: Invalid value for the left operand of `+`: a number is required.
  = where: nested is "x"

error[unsupported-attribute]: Unsupported attribute
  --> s.hcldec:12:20
   |
12 |     result = nested.x
   |                    ^^
   |
  ::: a.json:1:35
   |
 1 | {"server": {"port": "x"}, "meta": {"y": 1}}
   |                                   - the value comes from here
   |
   = note: This object has no attribute named `x`.
   = where: nested is object { y = 1 }

"#]]);
}

#[test]
fn several_specs_at_the_top_are_wrapped_in_an_object() {
    let plain = "attr {\n  name = \"a\"\n}\nattr {\n  name = \"b\"\n}\n";
    let labeled = "attr \"a\" {\n}\nattr \"b\" {\n}\nvariables \"c\" {\n}\n";
    let folder = Folder::with(&[("plain.hcldec", plain), ("labeled.hcldec", labeled), ("a.hcl", "")]);
    folder.hcl(&["decode", "--spec", "plain.hcldec", "a.hcl"]).code(1).stderr_eq(str![[r#"
error[invalid-spec]: Invalid spec
 --> plain.hcldec:4:1
  |
1 | attr {
  | ---- first defined here
...
4 | attr {
  | ^^^^
  |
  = note: A spec file must have only one top-level spec block. To use several, wrap them in `object { ... }` and label each with its attribute name in the result, or wrap them in `tuple { ... }`.

"#]]);
    folder.hcl(&["decode", "--spec", "labeled.hcldec", "a.hcl"]).code(1).stderr_eq(str![[r#"
error[extra-label]: Extraneous block label
 --> labeled.hcldec:1:6
  |
1 | attr "a" {
  |      ^^^
  |
  = note: No labels are expected for `attr` blocks. A spec block can have a label only directly inside an `object`. Wrap it in `object { ... }`.

error[extra-label]: Extraneous block label
 --> labeled.hcldec:3:6
  |
3 | attr "b" {
  |      ^^^
  |
  = note: No labels are expected for `attr` blocks. A spec block can have a label only directly inside an `object`. Wrap it in `object { ... }`.

error[extra-label]: Extraneous block label
 --> labeled.hcldec:5:11
  |
5 | variables "c" {
  |           ^^^
  |
  = note: No labels are expected for `variables` blocks.

"#]]);
    // The advice in the messages works.
    let wrapped = "object {\n  attr \"a\" {\n  }\n  attr \"b\" {\n  }\n}\n";
    let tuple = format!("tuple {{\n{plain}}}\n");
    let folder = Folder::with(&[("o.hcldec", wrapped), ("t.hcldec", &tuple), ("a.hcl", "a = 1\nb = 2\n")]);
    let decode = |spec: &str| folder.hcl(&["decode", "--compact", "--spec", spec, "a.hcl"]).success();
    decode("o.hcldec").stdout_eq("{\"a\":1,\"b\":2}\n");
    decode("t.hcldec").stdout_eq("[1,2]\n");
}
