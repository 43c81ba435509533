//! `hcl check --fix`: what is mended, and what happens to the file.

use crate::program::Folder;
use snapbox::str;

#[test]
fn suggested_changes_are_applied_and_the_rest_is_reported() {
    let folder = Folder::with(&[("main.hcl", "a = 'x',\nb = 1 & 2\nb = [1 2 3]\n"), ("fine.hcl", "a = 1\n")]);
    folder.hcl(&["check", "--fix"]).code(1).stdout_eq(str![[r#"
error[duplicate-attribute]: Attribute redefined
 --> main.hcl:3:1
  |
2 | b = 1 && 2
  | - it is first set here
3 | b = [1, 2, 3]
  | ^
  |
  = note: The argument `b` was already set on line 2. Each argument may be set only once.

Fixed main.hcl: 5 mistakes
Checked 2 files: 1 error in 1 file

"#]]);
    assert_eq!(folder.read("main.hcl"), "a = \"x\"\nb = 1 && 2\nb = [1, 2, 3]\n");
    folder.write("main.hcl", "a = 'x'\n");
    folder.hcl(&["check", "--fix"]).success().stdout_eq(str![[r#"
Fixed main.hcl: 1 mistake
Checked 2 files: all fine

"#]]);
}

#[test]
fn mended_standard_input_goes_to_standard_output() {
    let folder = Folder::with(&[]);
    folder
        .hcl_reading(&["check", "--fix", "-"], "a = 'x'\r\nb = ]\r\n")
        .code(1)
        .stdout_eq("a = \"x\"\r\nb = ]\r\n".to_owned())
        .stderr_eq(str![[r#"
error[invalid-expression]: Invalid expression
 --> <stdin>:2:5
  |
2 | b = ]
  |     ^
  |
  = note: An expression is required here, and `]` cannot begin one.

Fixed <stdin>: 1 mistake
Checked 1 file: 1 error in 1 file

"#]]);
    folder.hcl_reading(&["check", "--fix", "-"], "a = 1").success().stdout_eq("a = 1".to_owned());
    folder.hcl_reading(&["check", "--fix", "--format", "json", "-"], "a = 1").code(2).stderr_eq(str![[r#"
error: with --fix, standard output is the mended text of standard input: leave --format out

"#]]);
}

#[test]
fn thousands_of_mistakes_are_mended() {
    let text = (0..3_500).fold(String::new(), |text, line| text + &format!("a{line} = 'x'\n"));
    let folder = Folder::with(&[("main.hcl", &text)]);
    folder.hcl(&["check", "--fix"]).success().stdout_eq(str![[r#"
Fixed main.hcl: 3500 mistakes
Checked 1 file: all fine

"#]]);
    assert!(!folder.read("main.hcl").contains('\''));
}

#[test]
fn a_file_that_is_not_utf_8_is_left_alone() {
    let folder = Folder::with(&[]);
    folder.write("main.hcl", b"a = 'x'\nb = \"\xff\"\n");
    folder.hcl(&["check", "--fix"]).code(1);
    assert_eq!(std::fs::read(folder.path("main.hcl")).unwrap(), b"a = 'x'\nb = \"\xff\"\n");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::with(&[("real/main.hcl", "a = 'x'\n")]);
    std::fs::set_permissions(folder.path("real/main.hcl"), PermissionsExt::from_mode(0o640)).unwrap();
    symlink("real/main.hcl", folder.path("link.hcl")).unwrap();
    folder.hcl(&["check", "--fix", "link.hcl"]).success();
    assert!(folder.path("link.hcl").is_symlink());
    assert_eq!(folder.read("real/main.hcl"), "a = \"x\"\n");
    let mode = folder.path("real/main.hcl").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(std::fs::read_dir(folder.path("real")).unwrap().count(), 1, "no temporary file is left");
}

#[cfg(unix)]
#[test]
fn a_read_only_file_is_not_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("main.hcl", "a = 'x'\n")]);
    std::fs::set_permissions(folder.path("main.hcl"), PermissionsExt::from_mode(0o444)).unwrap();
    folder.hcl(&["check", "--fix"]).code(2).stderr_eq(str![[r#"
error: cannot write main.hcl: the file is read-only

"#]]);
    assert_eq!(folder.read("main.hcl"), "a = 'x'\n");
}

#[test]
fn what_cannot_be_written_is_reported_as_it_is() {
    let folder = Folder::with(&[("main.hcl", "a = 1,\n")]);
    let path = folder.path("main.hcl");
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    folder.hcl(&["check", "--fix"]).code(2).stdout_eq(str![[r#"
error[unexpected-comma]: Unexpected comma after argument
 --> main.hcl:1:6
  |
1 | a = 1,
  |      ^
  |
  = note: Arguments are separated by line breaks, not by commas.
help: Remove the comma
  |
1 - a = 1,
1 + a = 1
  |

Checked 1 file, 1 not writable: 1 error in 1 file

"#]]);
    assert_eq!(folder.read("main.hcl"), "a = 1,\n");
}

#[test]
fn habits_of_other_languages_are_mended() {
    let before = "enabled = a and not b\nsize    = 0x1F\nwait: 10s\nports   = [80 443]\nlong    = a ||\n  b\nservice 'web', \"x\" {\n  text = <<EOT\nhello\nEOF\n}\n";
    let after = "enabled = a && !b\nsize    = 31\nwait = \"10s\"\nports   = [80, 443]\nlong    = (a ||\n  b)\nservice \"web\" \"x\" {\n  text = <<EOT\nhello\nEOT\n}\n";
    let folder = Folder::with(&[("main.hcl", before)]);
    folder.hcl(&["check", "--fix"]).success().stdout_eq(str![[r#"
Fixed main.hcl: 10 mistakes
Checked 1 file: all fine

"#]]);
    assert_eq!(folder.read("main.hcl"), after);
}

#[test]
fn line_breaks_are_added_as_they_are_in_the_file() {
    let folder = Folder::with(&[("main.hcl", "a { b = 1, c = 2 }\r\nd = 1 e = 2\r\n")]);
    folder.hcl(&["check", "--fix"]).success();
    assert_eq!(folder.read("main.hcl"), "a {\r\n  b = 1\r\n  c = 2\r\n}\r\nd = 1\r\ne = 2\r\n");
}

#[test]
fn more_mistakes_than_are_told_are_mended() {
    let spec =
        "block_list {\n  block_type = \"item\"\n  attr {\n    name = \"length\"\n    type = any\n  }\n}\n";
    let items = "item {\n  lenght = 1\n}\n".repeat(2_500);
    let folder = Folder::with(&[("s.hcldec", spec), ("main.hcl", &items)]);
    folder.hcl(&["check", "--fix", "--spec", "s.hcldec", "main.hcl"]).success().stdout_eq(str![[r#"
Fixed main.hcl: 2500 mistakes
Checked 1 file: all fine

"#]]);
    assert_eq!(folder.read("main.hcl"), items.replace("lenght", "length"));
}
