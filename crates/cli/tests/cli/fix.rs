//! `hcl check --fix`: which errors are fixed, and how the file is written.

use crate::program::Folder;
use snapbox::str;

#[test]
fn suggested_changes_are_applied_and_the_rest_is_reported() {
    let folder = Folder::with(&[("main.hcl", "a = 'x',\nb = 1 & 2\nb = [1 2 3]\n"), ("fine.hcl", "a = 1\n")]);
    folder.hcl(&["check", "--fix", "--write"]).code(1).stdout_eq(str![[r#"
error[duplicate-attribute]: Attribute redefined
 --> main.hcl:3:1
  |
2 | b = 1 && 2
  | - first set here
3 | b = [1, 2, 3]
  | ^
  |
  = note: The argument `b` was already set on line 2. Each argument may be set only once.

Fixed 5 errors in main.hcl:
  main.hcl:1:5: Use double quotes
  main.hcl:1:8: Remove the comma
  main.hcl:2:7: Use `&&`
  main.hcl:3:8: Add a comma
  main.hcl:3:10: Add a comma
Checked 2 files: 1 error in 1 file

"#]]);
    assert_eq!(folder.read("main.hcl"), "a = \"x\"\nb = 1 && 2\nb = [1, 2, 3]\n");
    folder.write("main.hcl", "a = 'x'\n");
    folder.hcl(&["check", "--fix", "--write"]).success().stdout_eq(str![[r#"
Fixed 1 error in main.hcl:
  main.hcl:1:5: Use double quotes
Checked 2 files: no problems found

"#]]);
}

#[test]
fn fixed_standard_input_goes_to_standard_output() {
    let folder = Folder::with(&[]);
    folder
        .hcl_reading(&["check", "--fix", "--write", "-"], "a = 'x'\r\nb = ]\r\n")
        .code(1)
        .stdout_eq("a = \"x\"\r\nb = ]\r\n".to_owned())
        .stderr_eq(str![[r#"
error[invalid-expression]: Invalid expression
 --> <stdin>:2:5
  |
2 | b = ]
  |     ^
  |
  = note: Expected an expression, found `]`.

Fixed 1 error in <stdin>:
  <stdin>:1:5: Use double quotes
Checked 1 file: 1 error in 1 file

"#]]);
    folder.hcl_reading(&["check", "--fix", "--write", "-"], "a = 1").success().stdout_eq("a = 1".to_owned());
    folder
        .hcl_reading(&["check", "--fix", "--write", "--report", "github", "-"], "a = 'x'\n")
        .success()
        .stdout_eq("a = \"x\"\n".to_owned())
        .stderr_eq(
            "::notice file=<stdin>,line=1,col=5,title=Fixed [wrong-character]::Use double quotes\n"
                .to_owned(),
        );
}

#[test]
fn thousands_of_errors_are_fixed() {
    let text = (0..3_500).fold(String::new(), |text, line| text + &format!("a{line} = 'x'\n"));
    let folder = Folder::with(&[("main.hcl", &text)]);
    let output = folder.hcl(&["check", "--fix", "--write"]).success().get_output().stdout.clone();
    let output = String::from_utf8(output).unwrap();
    assert!(output.starts_with("Fixed 3500 errors in main.hcl:\n  main.hcl:1:6: Use double quotes\n"));
    assert!(output.ends_with("\n  and 3400 more\nChecked 1 file: no problems found\n"));
    assert!(!folder.read("main.hcl").contains('\''));
}

#[test]
fn a_file_that_is_not_utf_8_is_left_alone() {
    let folder = Folder::with(&[]);
    folder.write("main.hcl", b"a = 'x'\nb = \"\xff\"\n");
    folder.hcl(&["check", "--fix", "--write"]).code(1);
    assert_eq!(std::fs::read(folder.path("main.hcl")).unwrap(), b"a = 'x'\nb = \"\xff\"\n");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::with(&[("real/main.hcl", "a = 'x'\n")]);
    std::fs::set_permissions(folder.path("real/main.hcl"), PermissionsExt::from_mode(0o640)).unwrap();
    symlink("real/main.hcl", folder.path("link.hcl")).unwrap();
    folder.hcl(&["check", "--fix", "--write", "link.hcl"]).success();
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
    folder.hcl(&["check", "--fix", "--write"]).code(2).stderr_eq(str![[r#"
error: cannot write main.hcl: the file is read-only

"#]]);
    assert_eq!(folder.read("main.hcl"), "a = 'x'\n");
}

#[test]
fn write_errors_are_reported() {
    let folder = Folder::with(&[("main.hcl", "a = 1,\n")]);
    let path = folder.path("main.hcl");
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    folder.hcl(&["check", "--fix", "--write"]).code(2).stdout_eq(str![[r#"
error[unexpected-comma]: Unexpected comma after argument
 --> main.hcl:1:6
  |
1 | a = 1,
  |      ^
  |
  = note: Arguments must be separated by line breaks, not by commas.
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
fn habits_of_other_languages_are_fixed() {
    let before = "enabled = a and not b\nsize    = 0x1F\nwait: 10s\nports   = [80 443]\nlong    = a ||\n  b\nservice 'web', \"x\" {\n  text = <<EOT\nhello\nEOF\n}\n";
    let after = "enabled = a && !b\nsize    = 31\nwait = \"10s\"\nports   = [80, 443]\nlong    = (a ||\n  b)\nservice \"web\" \"x\" {\n  text = <<EOT\nhello\nEOT\n}\n";
    let folder = Folder::with(&[("main.hcl", before)]);
    folder.hcl(&["check", "--fix", "--write"]).success().stdout_eq(str![[r#"
Fixed 10 errors in main.hcl:
  main.hcl:1:13: Use `&&`
  main.hcl:1:21: Use `!`
  main.hcl:2:12: Use a decimal number
  main.hcl:3:1: Use `=`
  main.hcl:3:9: Put it in quotes
  main.hcl:4:15: Add a comma
  main.hcl:5:15: Add parentheses
  main.hcl:7:9: Use double quotes
  main.hcl:7:14: Remove the comma
  main.hcl:10:1: Use `EOT`
Checked 1 file: no problems found

"#]]);
    assert_eq!(folder.read("main.hcl"), after);
}

#[test]
fn fixes_use_the_line_endings_of_the_file() {
    let folder = Folder::with(&[("main.hcl", "a { b = 1, c = 2 }\r\nd = 1 e = 2\r\n")]);
    folder.hcl(&["check", "--fix", "--write"]).success();
    assert_eq!(folder.read("main.hcl"), "a {\r\n  b = 1\r\n  c = 2\r\n}\r\nd = 1\r\ne = 2\r\n");
}

#[test]
fn errors_past_the_limit_are_fixed() {
    let spec =
        "block_list {\n  block_type = \"item\"\n  attr {\n    name = \"length\"\n    type = any\n  }\n}\n";
    let items = "item {\n  lenght = 1\n}\n".repeat(2_500);
    let folder = Folder::with(&[("s.hcldec", spec), ("main.hcl", &items)]);
    folder.hcl(&["check", "--fix", "--write", "--spec", "s.hcldec", "main.hcl"]).success();
    assert_eq!(folder.read("main.hcl"), items.replace("lenght", "length"));
}

#[test]
fn a_block_on_one_line_stays_on_one_line() {
    let folder = Folder::with(&[]);
    let fixed = |text: &str| {
        let output = folder
            .hcl_reading(&["check", "--fix", "--write", "-"], text)
            .success()
            .get_output()
            .stdout
            .clone();
        String::from_utf8(output).unwrap()
    };
    assert_eq!(fixed("meta { \"rack\" = \"r1\" }\n"), "meta { rack = \"r1\" }\n");
    assert_eq!(fixed("meta { rack: \"r1\" }\n"), "meta { rack = \"r1\" }\n");
    assert_eq!(fixed("meta { rack = x and y }\n"), "meta { rack = x && y }\n");
    assert_eq!(fixed("b {\r\n  a = <<EOT\r\nx\r\nEOT }\r\n"), "b {\r\n  a = <<EOT\r\nx\r\nEOT\r\n}\r\n");
    assert_eq!(fixed("a = <<EOT\nx\nEOT,\n"), "a = <<EOT\nx\nEOT\n");
}

#[test]
fn excerpts_of_fixes_are_complete() {
    let folder = Folder::with(&[]);
    let text = "b {\n  a = <<EOT\nx\nEOT } # end\nc = 1 d = 2\n";
    folder.hcl_reading(&["check", "-"], text).code(1).stdout_eq(str![[r#"
error[unclosed-template]: Unterminated template string
 --> <stdin>:4:1
  |
2 |   a = <<EOT
  |         --- the heredoc starts here
3 | x
4 | EOT } # end
  | ^^^
  |
  = note: `EOT` closes the heredoc only if it is alone on its line. Move the text after it to the next line.
help: Start a new line
  |
4 ~ EOT
5 | } # end
  |

error[missing-newline]: Missing newline
 --> <stdin>:5:7
  |
5 | c = 1 d = 2
  |       ^
  |
  = note: Expected a line break after the argument.
help: Start a new line
  |
5 ~ c = 1
6 | d = 2
  |

Checked 1 file: 2 errors in 1 file

"#]]);
}

#[test]
fn a_file_in_hcl_1_is_one_error() {
    let text = "\"data_dir\" = \"/opt\"\n\"server\" {\n  \"enabled\" = true\n  \"bootstrap_expect\" = 3\n}\n";
    let folder = Folder::with(&[("agent.hcl", text)]);
    folder.hcl(&["check"]).code(1).stdout_eq(str![[r#"
error[quoted-name]: Invalid argument name
 --> agent.hcl:1:1
  |
1 | "data_dir" = "/opt"
  | ^
  |
  = note: 4 names in this file are quoted, as in HCL 1. In HCL 2, argument names and block types must not be quoted.
help: Remove the quotes
  |
1 ~ data_dir = "/opt"
2 ~ server {
3 ~   enabled = true
4 ~   bootstrap_expect = 3
  |

Checked 1 file: 1 error in 1 file

"#]]);
    folder.hcl(&["check", "--fix", "--write"]).success().stdout_eq(str![[r#"
Fixed 1 error in agent.hcl:
  agent.hcl:1:1: Remove the quotes
Checked 1 file: no problems found

"#]]);
    assert_eq!(
        folder.read("agent.hcl"),
        text.replace("\"/opt\"", "/opt").replace('"', "").replace("/opt", "\"/opt\"")
    );
}

#[test]
fn a_diff_shows_the_fixes_and_writes_nothing() {
    let text = "a = 'x'\nb = ]\nc = 1,\n";
    let folder =
        Folder::with(&[("main.hcl", text), ("fine.hcl", "a = 1\n"), ("crlf.hcl", "a = 'x'\r\nb = 1")]);
    for args in [&["check", "--fix"][..], &["check", "--fix", "."]] {
        folder
            .hcl(args)
            .code(1)
            .stdout_eq(str![[r#"
--- a/crlf.hcl
+++ b/crlf.hcl
@@ -1,2 +1,2 @@
-a = 'x'
+a = "x"
 b = 1
\ No newline at end of file
--- a/main.hcl
+++ b/main.hcl
@@ -1,3 +1,3 @@
-a = 'x'
+a = "x"
 b = ]
-c = 1,
+c = 1

"#]])
            .stderr_eq(str![[r#"
error[wrong-character]: Invalid character
 --> crlf.hcl:1:5
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

error[wrong-character]: Invalid character
 --> main.hcl:1:5
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

error[invalid-expression]: Invalid expression
 --> main.hcl:2:5
  |
2 | b = ]
  |     ^
  |
  = note: Expected an expression, found `]`.

error[unexpected-comma]: Unexpected comma after argument
 --> main.hcl:3:6
  |
3 | c = 1,
  |      ^
  |
  = note: Arguments must be separated by line breaks, not by commas.
help: Remove the comma
  |
3 - c = 1,
3 + c = 1
  |

Would fix 1 error in crlf.hcl:
  crlf.hcl:1:5: Use double quotes
Would fix 2 errors in main.hcl:
  main.hcl:1:5: Use double quotes
  main.hcl:3:6: Remove the comma
Checked 3 files: 4 errors in 2 files

"#]]);
    }
    assert_eq!(
        (folder.read("main.hcl"), folder.read("crlf.hcl")),
        (text.to_owned(), "a = 'x'\r\nb = 1".to_owned())
    );
    folder.hcl(&["check", "--fix", "fine.hcl"]).success().stdout_eq(String::new());
    folder.hcl(&["check", "--write"]).code(2);
}

#[test]
fn a_diff_keeps_carriage_returns() {
    let folder = Folder::with(&[("main.hcl", "a = 'x'\r\nb = 1")]);
    let output = folder.hcl(&["check", "--fix"]).code(1).get_output().stdout.clone();
    let expected = "--- a/main.hcl\n+++ b/main.hcl\n@@ -1,2 +1,2 @@\n-a = 'x'\r\n+a = \"x\"\r\n b = 1\n\\ No newline at end of file\n";
    assert_eq!(String::from_utf8(output).unwrap(), expected);
}

#[test]
fn fixes_are_shown_and_not_written_without_write() {
    let folder = Folder::with(&[("main.hcl", "a = 'x'\nb = 1,\n")]);
    folder.hcl(&["check", "--fix"]).code(1).stdout_eq(str![[r#"
--- a/main.hcl
+++ b/main.hcl
@@ -1,2 +1,2 @@
-a = 'x'
-b = 1,
+a = "x"
+b = 1

"#]]);
    assert_eq!(folder.read("main.hcl"), "a = 'x'\nb = 1,\n");
}

#[test]
fn reports_for_programs_list_the_fixes() {
    let folder = Folder::with(&[("main.hcl", "a = 'x'\n")]);
    let json = |args: &[&str], code| {
        let output = folder.hcl(args).code(code).get_output().stdout.clone();
        serde_json::from_slice::<serde_json::Value>(&output).unwrap()
    };
    let report = json(&["check", "--fix", "--report", "json"], 1);
    assert_eq!((report["errors"].as_u64(), report["fixed"][0]["written"].as_bool()), (Some(1), Some(false)));
    assert!(report["fixed"][0]["diff"].as_str().unwrap().contains("\n-a = 'x'\n+a = \"x\"\n"));
    let sarif = json(&["check", "--fix", "--report", "sarif"], 1);
    let note = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(note["message"]["text"], "Would fix: Use double quotes");
    let report = json(&["check", "--fix", "--write", "--report", "json"], 0);
    assert_eq!(report["errors"], 0);
    let fixed = &report["fixed"][0];
    assert_eq!(
        (&fixed["file"], &fixed["mistakes"], &fixed["written"]),
        (&"main.hcl".into(), &1.into(), &true.into())
    );
    assert_eq!(
        (&fixed["errors"][0]["title"], &fixed["errors"][0]["range"]["start"]["column"]),
        (&"Use double quotes".into(), &5.into())
    );
}

/// Random misspellings of names in a configuration: after `--fix --spec`, each file has fewer errors than before and no
/// new ones. Fixes of names do not move lines, so an error is identified by its line and its code.
#[test]
fn fixes_with_a_spec_reduce_errors() {
    let spec = r#"object {
  attr "name" {
    type     = string
    required = true
  }
  attr "image" {
    type = string
  }
  attr "images" {
    type = any
  }
  block_list "listen" {
    block_type = "listen"
    object {
      attr "port" {
        type = number
      }
      attr "protocol" {
        type = string
      }
      block "check" {
        block_type = "check"
        object {
          attr "path" {
            type = string
          }
          attr "paths" {
            type = any
          }
        }
      }
    }
  }
}
"#;
    let right = "name = \"a\"\nimage = \"b\"\nlisten {\n  port = 1\n  protocol = \"c\"\n  check {\n    path = \"d\"\n  }\n}\nlisten {\n  port = 2\n}\n";
    let names = ["name", "image", "listen", "port", "protocol", "check", "path"];
    let mut random = fastrand::Rng::with_seed(7);
    let mut below = |limit: usize| random.usize(..limit);
    let folder = Folder::with(&[("s.hcldec", spec)]);
    for number in 0..150 {
        let mut text = right.to_owned();
        for _ in 0..=below(4) {
            let name = names[below(names.len())];
            let Some((at, _)) = text.match_indices(name).nth(below(2)) else { continue };
            let slip = at + below(name.len());
            match below(3) {
                0 => text.insert(slip, 'e'),
                1 => drop(text.remove(slip)),
                _ => text.replace_range(at..at + name.len(), names[below(names.len())]),
            }
        }
        folder.write(&format!("{number}.hcl"), text);
    }
    let errors = |args: &[&str]| {
        let args = [&["check", "--spec", "s.hcldec", "--report", "json"], args].concat();
        let output = folder.hcl(&args).code(1).get_output().stdout.clone();
        let report: serde_json::Value = serde_json::from_slice(&output).unwrap();
        let place = |found: &serde_json::Value| {
            let line = found["range"]["start"]["line"].as_u64().unwrap();
            (found["file"].to_string(), line, found["code"].to_string())
        };
        let mut places: Vec<_> = report["diagnostics"].as_array().unwrap().iter().map(place).collect();
        places.sort();
        (places, report["fixed"].as_array().unwrap().len())
    };
    let (before, _) = errors(&[]);
    let (after, fixed) = errors(&["--fix", "--write"]);
    assert!(fixed >= 50, "{fixed} files were fixed");
    let mut left = before.clone();
    for error in &after {
        let at = left.iter().position(|old| old == error);
        left.remove(at.unwrap_or_else(|| panic!("{error:?} is new")));
    }
    assert!(before.len() >= after.len() + fixed);
}
