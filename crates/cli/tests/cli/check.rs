//! `hcl check`: which files it checks, its reports, and its exit codes.

use crate::program::Folder;
use snapbox::str;

const MISTAKES: &str = "service \"web\" {\n  host = 'localhost'\n  ports = [80 443]\n}\n";

#[test]
fn errors_have_a_place_and_a_fix() {
    Folder::with(&[("main.hcl", MISTAKES)]).hcl(&["check", "main.hcl"]).code(1).stderr_eq(str![]).stdout_eq(
        str![[r#"
error[wrong-character]: Invalid character
 --> main.hcl:2:10
  |
2 |   host = 'localhost'
  |          ^
  |
  = note: Single quotes are not valid. Use double quotes (`"`).
help: Use double quotes
  |
2 -   host = 'localhost'
2 +   host = "localhost"
  |

error[missing-separator]: Missing item separator
 --> main.hcl:3:15
  |
3 |   ports = [80 443]
  |               ^^^
  |
  = note: Tuple elements must be separated by commas.
help: Add a comma
  |
3 |   ports = [80, 443]
  |              +

Checked 1 file: 2 errors in 1 file

"#]],
    );
}

#[test]
fn a_file_without_errors() {
    Folder::with(&[("main.hcl", "a = 1\n")])
        .hcl(&["check", "main.hcl"])
        .success()
        .stdout_eq(str![[r#"
Checked 1 file: no problems found

"#]])
        .stderr_eq(str![]);
}

#[test]
fn standard_input_is_a_dash() {
    Folder::with(&[]).hcl_reading(&["check", "-"], "a = {\n").code(1).stdout_eq(str![[r#"
error[unclosed-bracket]: Unclosed bracket
 --> <stdin>:1:7
  |
1 | a = {
  |     -^
  |     |
  |     opened here
  |
  = note: `{` is not closed before the end of the text.

Checked 1 file: 1 error in 1 file

"#]]);
}

#[test]
fn related_places_are_shown_together() {
    let far = format!("port = 1\n{}port = 2\n", "# filler\n".repeat(300));
    let folder = Folder::with(&[("near.hcl", "port = 1\nport = 2\n"), ("far.hcl", &far)]);
    folder.hcl(&["check", "near.hcl", "far.hcl"]).code(1).stdout_eq(str![[r#"
error[duplicate-attribute]: Attribute redefined
 --> near.hcl:2:1
  |
1 | port = 1
  | ---- first set here
2 | port = 2
  | ^^^^
  |
  = note: The argument `port` was already set on line 1. Each argument may be set only once.

error[duplicate-attribute]: Attribute redefined
   --> far.hcl:302:1
    |
302 | port = 2
    | ^^^^
    |
   ::: far.hcl:1:1
    |
  1 | port = 1
    | ---- first set here
    |
    = note: The argument `port` was already set on line 1. Each argument may be set only once.

Checked 2 files: 2 errors in 2 files

"#]]);
}

#[test]
fn errors_in_unusual_text_are_at_the_right_place() {
    let folder = Folder::with(&[
        ("1-wide-and-crlf.hcl", "\ta\t= \"漢字 👩‍👩‍👧 e\u{301}\" & b\r\nb = 1\r\n"),
        ("2-byte-order-mark.hcl", "\u{feff}a = 'x'\n"),
        ("3-empty.hcl", ""),
        ("4-end.hcl", "a ="),
        ("5-control.hcl", "a = \u{1b}[31m\n"),
    ]);
    folder.write("6-not-utf-8.hcl", b"a = \"\xff\"\n");
    folder.hcl(&["check"]).code(1).stdout_eq(str![[r#"
error[unsupported-operator]: Unsupported operator
 --> 1-wide-and-crlf.hcl:1:15
  |
1 |     a    = "漢字 👩�👩�👧 é" & b
  |                              ^
  |
  = note: Bitwise operators are not supported. Did you mean the logical operator `&&`?
help: Use `&&`
  |
1 |     a    = "漢字 👩�👩�👧 é" && b
  |                               +

error[wrong-character]: Invalid character
 --> 2-byte-order-mark.hcl:1:5
  |
1 | a = 'x'
  |     ^
  |
  = note: Single quotes are not valid. Use double quotes (`"`).
help: Use double quotes
  |
1 - a = 'x'
1 + a = "x"
  |

error[missing-expression]: Missing expression
 --> 4-end.hcl:1:4
  |
1 | a =
  |    ^
  |
  = note: Expected an expression, found the end of the text.

error[wrong-character]: Invalid character
 --> 5-control.hcl:1:5
  |
1 | a = ␛[31m
  |     ^
  |
  = note: The control character U+001B is not valid here.

error[invalid-encoding]: Invalid character encoding
 --> 6-not-utf-8.hcl:1:6
  |
1 | a = "␚"
  |      ^
  |
  = note: These bytes are not valid UTF-8. Save the file as UTF-8.

Checked 6 files: 5 errors in 5 files

"#]]);
}

#[test]
fn long_lines_are_cut() {
    let text = format!("a = [{}'x', {}1]\n", "1, ".repeat(200_000), "2, ".repeat(200_000));
    let folder = Folder::with(&[("long.hcl", &text)]);
    folder.hcl(&["check"]).code(1).stdout_eq(str![[r#"
error[wrong-character]: Invalid character
 --> long.hcl:1:600006
  |
1 | ... 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 'x', 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2...
  |                                                                    ^
  |
  = note: Single quotes are not valid. Use double quotes (`"`).
help: Use double quotes

Checked 1 file: 1 error in 1 file

"#]]);
}

#[test]
fn directories_are_searched_for_hcl_files() {
    let wrong = "a = ]\n";
    let folder = Folder::with(&[
        ("main.tf", wrong),
        ("main.tf.json", "{}"),
        ("values.tfvars", wrong),
        ("image.pkr.hcl", wrong),
        ("job.nomad", wrong),
        ("notes.txt", wrong),
        (".tflint.hcl", wrong),
        (".terraform/cached.tf", wrong),
        ("ignored.tf", wrong),
        ("kept/ignored.tf", wrong),
        (".gitignore", "/ignored.tf\n"),
        ("kept/main.tofu", wrong),
    ]);
    let paths = |args: &[&str]| {
        let output = folder.command(args).args(["--report", "github"]).output().unwrap();
        let lines = String::from_utf8(output.stdout).unwrap();
        let names: Vec<_> =
            lines.lines().map(|line| line.split(['=', ',']).nth(1).unwrap().to_owned()).collect();
        names.join(" ")
    };
    assert_eq!(
        paths(&["check"]),
        ".tflint.hcl image.pkr.hcl job.nomad kept/ignored.tf kept/main.tofu main.tf values.tfvars"
    );
    assert_eq!(paths(&["check", "kept", "main.tf", "./kept"]), "kept/ignored.tf kept/main.tofu main.tf");
    assert_eq!(paths(&["check", "--include", "*.txt", "--include", "*.nomad"]), "job.nomad notes.txt");
    assert_eq!(
        paths(&["check", "--exclude", "*.tf", "--exclude", "*.hcl"]),
        "job.nomad kept/main.tofu values.tfvars"
    );
    assert_eq!(
        paths(&["check", "--exclude", "kept/", "--hidden", "--no-ignore"]),
        ".terraform/cached.tf .tflint.hcl ignored.tf image.pkr.hcl job.nomad main.tf values.tfvars"
    );
    assert_eq!(paths(&["check", "kept", "--exclude", "kept/main.*"]), "kept/ignored.tf");
    assert_eq!(paths(&["check", "notes.txt"]), "notes.txt");
}

#[cfg(unix)]
#[test]
fn links_to_files_are_followed_and_links_to_directories_are_not() {
    use std::os::unix::fs::symlink;
    let folder = Folder::with(&[("real.hcl", "a = 1\n"), ("sub/main.hcl", "a = 1\n")]);
    symlink("..", folder.path("sub/loop")).unwrap();
    symlink("../real.hcl", folder.path("sub/link.hcl")).unwrap();
    folder.hcl(&["check"]).success().stdout_eq(str![[r#"
Checked 3 files: no problems found

"#]]);
    symlink("nowhere", folder.path("broken.tf")).unwrap();
    folder
        .hcl(&["check"])
        .code(2)
        .stdout_eq(str![[r#"
Checked 3 files, 1 not readable: no other problems found

"#]])
        .stderr_eq(str![[r#"
error: cannot read broken.tf: No such file or directory (os error 2)

"#]]);
}

#[cfg(target_os = "linux")]
#[test]
fn files_whose_names_are_not_utf_8_are_read() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::with(&[]);
    let name = std::ffi::OsStr::from_bytes(b"b\xffd.tf");
    std::fs::write(folder.path("").join(name), "a = ]\n").unwrap();
    folder.hcl(&["check"]).code(1).stdout_eq(str![[r#"
error[invalid-expression]: Invalid expression
 --> b�d.tf:1:5
  |
1 | a = ]
  |     ^
  |
  = note: Expected an expression, found `]`.

Checked 1 file: 1 error in 1 file

"#]]);
}

#[cfg(target_os = "linux")]
#[test]
fn file_names_cannot_control_the_terminal() {
    let name = "a\x1b[31m\nb.tf";
    let folder = Folder::with(&[(name, "a = 'x'\n")]);
    let output = |args: &[&str]| {
        let output = folder.command(args).args(["--color", "always"]).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    assert!(output(&["check"]).contains("a␛[31m␊b.tf:1:5"));
    assert!(output(&["check", "none\x1b[31m"]).contains("cannot read none␛[31m"));
    assert!(output(&["check", "--fix", "--write"]).contains("Fixed 1 error in a␛[31m␊b.tf:"));
}

#[test]
fn unreadable_files_are_reported_and_the_others_checked() {
    let folder = Folder::with(&[("main.tf", "a = ]\n")]);
    folder
        .hcl(&["check", "main.tf", "none.tf"])
        .code(2)
        .stdout_eq(str![[r#"
error[invalid-expression]: Invalid expression
 --> main.tf:1:5
  |
1 | a = ]
  |     ^
  |
  = note: Expected an expression, found `]`.

Checked 1 file, 1 not readable: 1 error in 1 file

"#]])
        .stderr_eq(str![[r#"
error: cannot read none.tf: No such file or directory (os error 2)

"#]]);
}

#[test]
fn finding_no_files_is_invalid_usage() {
    let folder = Folder::with(&[("package.json", "{}"), ("empty/notes.txt", "")]);
    folder.hcl(&["check"]).code(2).stderr_eq(str![[r#"
error: no HCL files in the current directory; specify files, or choose them with --include

"#]]);
    folder.hcl(&["check", "empty"]).code(2).stderr_eq(str![[r#"
error: no HCL files in empty; specify files, or choose them with --include

"#]]);
    folder.hcl(&["check", "--include", "*.conf"]).code(2).stderr_eq(str![[r#"
error: no files in the current directory match --include *.conf

"#]]);
    folder.hcl(&["check", "--exclude", "*", "empty"]).code(2).stderr_eq(str![[r#"
error: no HCL files in empty other than those excluded by --exclude

"#]]);
}

#[test]
fn unknown_options_are_invalid_usage() {
    let folder = Folder::with(&[]);
    for args in [&["check", "--report", "xml"][..], &["check", "--max-nesting", "0"], &["chek"], &[]] {
        folder.hcl(args).code(2);
    }
}

#[test]
fn nesting_is_limited() {
    let folder = Folder::with(&[]);
    folder.hcl_reading(&["check", "-", "--max-nesting", "2"], "a = [[[1]]]\n").code(2).stdout_eq(str![[r#"
error[nesting-too-deep]: Nesting too deep
 --> <stdin>:1:7
  |
1 | a = [[[1]]]
  |       ^
  |
  = note: Constructs cannot be nested more than 2 levels deep.

Checked 1 file: 1 error in 1 file

"#]]);
    let deep = format!("a = {}{}\n", "[".repeat(5_000), "]".repeat(5_000));
    folder.hcl_reading(&["check", "-", "--max-nesting", "6000"], &deep).success();
    folder.hcl_reading(&["check", "-"], &deep).code(2);
    let chain = format!("a = {}1\n", "1+".repeat(100_000));
    folder.hcl_reading(&["check", "-"], &chain).success();
}

#[test]
fn colors_are_used_on_request() {
    let folder = Folder::with(&[]);
    let colored = |args: &[&str]| {
        let output = folder.command(&["check", "-"]).args(args).stdin("a = ]\n").output().unwrap();
        output.stdout.contains(&0x1b)
    };
    assert!(!colored(&[]), "not a terminal");
    assert!(colored(&["--color", "always"]));
    assert!(!colored(&["--color", "never"]));
}

#[test]
fn a_closed_pipe_ends_the_run() {
    use std::process::{Command, Stdio};
    let folder = Folder::with(&[("many.hcl", &"'\n".repeat(2_000))]);
    let mut run = Command::new(crate::program::program())
        .args(["check", "many.hcl"])
        .current_dir(folder.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(run.stdout.take());
    let output = run.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stderr)), (Some(1), ""));
}

#[test]
fn a_file_given_twice_is_checked_once() {
    let folder = Folder::with(&[("a.hcl", "a = 1\n"), ("b.hcl", "b = 1\n")]);
    folder.hcl(&["check", "a.hcl", "./a.hcl", ".", "./"]).success().stdout_eq(str![[r#"
Checked 2 files: no problems found

"#]]);
}

#[test]
fn a_binary_file_is_one_error() {
    let folder = Folder::with(&[]);
    folder.write("binary.hcl", b"\x7fELF\x02\x01\0\0\xfe\xff\0\0a = 1\n");
    folder.write("wide.hcl", b"\xff\xfea\x00 \x00=\x00 \x001\x00\n\x00");
    folder.hcl(&["check"]).code(1).stdout_eq(str![[r#"
error[invalid-encoding]: Invalid character encoding
 --> binary.hcl:1:1
  |
1 | ␡ELF␂␁␀␀␚␚␀␀a = 1
  | ^
  |
  = note: The file is not valid UTF-8 text.

error[invalid-encoding]: Invalid character encoding
 --> wide.hcl:1:1
  |
1 | ␚␚a␀ ␀=␀ ␀1␀
  | ^
  |
  = note: The file is UTF-16. Save it as UTF-8.

Checked 2 files: 2 errors in 2 files

"#]]);
}

#[test]
fn a_binary_file_of_a_module_is_one_error() {
    let folder = Folder::with(&[("main.tf", "locals {\n  a = 1\n}\noutput \"b\" {\n  value = local.a\n}\n")]);
    folder.write("secrets.tf", b"\0GITCRYPT\0\x12\x9a\xff\x01\x80abc\n\xfe");
    folder.write("wide.tf", b"\xff\xfea\x00 \x00=\x00 \x001\x00\n\x00");
    folder.hcl(&["check"]).code(1).stdout_eq(str![[r#"
error[invalid-encoding]: Invalid character encoding
 --> secrets.tf:1:1
  |
1 | ␀GITCRYPT␀␒␚␚␁␚abc
  | ^
  |
  = note: The file is encrypted by git-crypt. To read it, run `git-crypt unlock` in the repository.

error[invalid-encoding]: Invalid character encoding
 --> wide.tf:1:1
  |
1 | ␚␚a␀ ␀=␀ ␀1␀
  | ^
  |
  = note: The file is UTF-16. Save it as UTF-8.

Checked 3 files: 2 errors in 2 files

"#]]);
}

#[test]
fn a_missing_file_has_no_module() {
    let folder = Folder::with(&[("broken.tf", "a = {\n")]);
    folder.hcl(&["check", "missing.tf"]).code(2).stdout_eq(str![[r#"
Checked no files, 1 not readable

"#]]);
}

#[test]
fn codes_can_be_in_one_option() {
    let text = "locals {\n  a = var.b\n}\n";
    let folder = Folder::with(&[("main.tf", text)]);
    folder.hcl(&["check", "main.tf", "--allow", "unused-declaration,unknown-variable"]).success();
}

#[test]
fn a_report_for_programs_has_nothing_before_it() {
    let folder = Folder::with(&[("main.tf", "locals {\n  a = 1\n}\n")]);
    let arguments = ["check", "--baseline", "b.json", "--update-baseline", "--report", "sarif"];
    let output = folder.command(&arguments).output().unwrap();
    assert!(output.stdout.starts_with(b"{"), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn the_summary_says_of_which_files_only_the_syntax_was_checked() {
    let folder = Folder::with(&[
        ("a.nomad.hcl", "job \"a\" {\n  x = nope.y\n}\n"),
        ("b.nomad.hcl", "job \"b\" {}\n"),
        ("docker-bake.hcl", "target \"a\" {}\n"),
        ("c.hcl", "a = 1\n"),
        ("m/main.tf", "locals {}\n"),
    ]);
    folder.hcl(&["check", "."]).success().stdout_eq(str![[r#"
Checked 5 files: no problems found (2 files of Nomad: only their syntax)

"#]]);
    folder.hcl(&["check", "--syntax-only", "."]).success().stdout_eq(str![[r#"
Checked 5 files: no problems found

"#]]);
}
