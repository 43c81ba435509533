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
fn jsondecode_names_what_is_missing() {
    let folder = Folder::with(&[]);
    folder.hcl(&["eval", "jsondecode(\"{\")"]).code(1).stdout_eq("").stderr_eq(str![[r#"
error[function-failed]: Error in function call
 --> <expression>:1:1
  |
1 | jsondecode("{")
  | ^^^^^^^^^^^
  |
  = note: `jsondecode` has no result: not valid JSON at byte 1: expected a key in quotes or `}`, found the end of the text.

"#]]);
    folder.hcl(&["eval", "jsondecode(sensitive(\"{hunter2\"))"]).code(1).stdout_eq("").stderr_eq(str![[r#"
error[function-failed]: Error in function call
 --> <expression>:1:1
  |
1 | jsondecode(sensitive("{hunter2"))
  | ^^^^^^^^^^^
  |
  = note: `jsondecode` has no result: the reason is withheld because it may contain a sensitive value.

"#]]);
}
