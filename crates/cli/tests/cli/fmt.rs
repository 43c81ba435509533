//! `hcl fmt`: which files it formats, what it prints and writes, and its exit codes.

use std::fs;

use crate::program::Folder;
use snapbox::str;

#[test]
fn files_are_formatted_and_listed() {
    let folder = Folder::with(&[
        ("b.hcl", "a=1\nbbb = [ 1,2 ]\n"),
        ("fine.hcl", "a = 1\n"),
        ("modules/net/a.tf", "b {\n    a=1 # one\n}\n"),
        ("a.tf.json", "{}"),
        ("notes.md", "a=1\n"),
    ]);
    let untouched = fs::metadata(folder.path("fine.hcl")).unwrap().modified().unwrap();
    folder.hcl(&["fmt"]).success().stdout_eq("b.hcl\nmodules/net/a.tf\n").stderr_eq("");
    assert_eq!(folder.read("b.hcl"), "a   = 1\nbbb = [1, 2]\n");
    assert_eq!(folder.read("modules/net/a.tf"), "b {\n  a = 1 # one\n}\n");
    assert_eq!(folder.read("notes.md"), "a=1\n");
    assert_eq!(fs::metadata(folder.path("fine.hcl")).unwrap().modified().unwrap(), untouched);
    folder.hcl(&["fmt"]).success().stdout_eq("").stderr_eq("");
}

#[test]
fn check_writes_nothing_and_exits_with_1() {
    let folder = Folder::with(&[("a.hcl", "a=1\n"), ("b.hcl", "a = 1\n")]);
    for args in [&["fmt", "--check"][..], &["fmt", "-check"], &["fmt", "-check=true", "."]] {
        folder.hcl(args).code(1).stdout_eq("a.hcl\n").stderr_eq("");
    }
    folder.hcl(&["fmt", "--check", "--list=false"]).code(1).stdout_eq("");
    folder.hcl(&["fmt", "--check", "b.hcl"]).success().stdout_eq("");
    assert_eq!(folder.read("a.hcl"), "a=1\n");
}

#[test]
fn changes_are_shown_as_a_diff() {
    let folder = Folder::with(&[("a.hcl", "a=1\nb = 2\n")]);
    folder.hcl(&["fmt", "--check", "--diff"]).code(1).stdout_eq(str![[r#"
a.hcl
--- a/a.hcl
+++ b/a.hcl
@@ -1,2 +1,2 @@
-a=1
+a = 1
 b = 2

"#]]);
    folder.hcl(&["fmt", "-diff", "-write=false", "-list=false"]).success();
    assert_eq!(folder.read("a.hcl"), "a=1\nb = 2\n");
    folder.hcl(&["fmt", "-diff"]).success();
    assert_eq!(folder.read("a.hcl"), "a = 1\nb = 2\n");
}

/// As in Go, options are written with one dash, and `1` and `F` are Boolean values.
#[test]
fn options_are_written_as_for_other_formatters() {
    let folder = Folder::with(&[("a.tf", "a=1\n")]);
    let same = [&["-check"][..], &["--check"], &["-check=1"], &["-check=true", "-w=true"]];
    for args in same {
        folder.hcl(&[&["fmt", "--language", "terraform"], args].concat()).code(3).stdout_eq("a.tf\n");
    }
    for args in [&["-check=F", "-w=false"][..], &["-write=0"], &["-write=f", "-list"]] {
        folder.hcl(&[&["fmt"], args].concat()).success().stdout_eq("a.tf\n");
    }
    folder.hcl(&["fmt", "-check=maybe"]).code(2).stdout_eq("");
    assert_eq!(folder.read("a.tf"), "a=1\n");
}

#[test]
fn diffs_of_a_profile_have_the_names_of_its_tool() {
    let folder = Folder::with(&[("a.tf", "a=1\n")]);
    folder.hcl(&["fmt", "--language", "terraform", "-diff", "-check"]).code(3).stdout_eq(str![[r#"
a.tf
--- old/a.tf
+++ new/a.tf
@@ -1 +1 @@
-a=1
+a = 1

"#]]);
}

#[test]
fn paths_may_have_wildcards() {
    let folder = Folder::with(&[
        ("a.tf", "a=1\n"),
        ("b.hcl", "a=1\n"),
        ("modules/a/a.tf", "a=1\n"),
        ("modules/b/b.tf", "a=1\n"),
        ("modules/b/[x].tf", "a=1\n"),
        ("modules/b/c.tf.json", "{}"),
    ]);
    for (args, found) in [
        (&["*.tf"][..], "a.tf\n"),
        (&["./*.tf", "*.tf", "{a,b}.*"], "a.tf\nb.hcl\n"),
        (&["modules/?/*.tf"], "modules/a/a.tf\nmodules/b/[x].tf\nmodules/b/b.tf\n"),
        (&["modules/*/*"], "modules/a/a.tf\nmodules/b/[x].tf\nmodules/b/b.tf\n"),
        (&["modules/b/[x].tf"], "modules/b/[x].tf\n"),
        (&["modules/**/b.tf"], "modules/b/b.tf\n"),
        (&["--exclude", "a.tf", "**/*.tf"], "modules/b/[x].tf\nmodules/b/b.tf\n"),
        (&["--language", "terraform", "modules/*/a.tf"], "modules/a/a.tf\n"),
    ] {
        folder.hcl(&[&["fmt", "--write=false"], args].concat()).success().stdout_eq(found.to_owned());
    }
    let absolute = folder.path("m*/b/b.tf").display().to_string();
    let found = format!("{}\n", folder.path("modules/b/b.tf").display());
    folder.hcl(&["fmt", "--write=false", &absolute]).success().stdout_eq(found);
    folder.hcl(&["fmt", "*.nomad", "[.tf"]).code(2).stderr_eq(str![[r#"
error: cannot read [.tf: No such file or directory (os error 2)
error: cannot read *.nomad: no file matches this pattern

"#]]);
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = Folder::with(&[]);
    folder.hcl_reading(&["fmt", "-"], "a=1\r\n").success().stdout_eq("a = 1\r\n".to_owned());
    folder.hcl_reading(&["fmt", "-"], "a = 1\n").success().stdout_eq("a = 1\n".to_owned());
    folder.hcl_reading(&["fmt", "--check", "-"], "a=1\n").code(1).stdout_eq("<stdin>\n");
    folder
        .hcl_reading(&["fmt", "--check", "--stdin-name", "x.hcl", "-"], "a=1\n")
        .code(1)
        .stdout_eq("x.hcl\n");
    folder.hcl_reading(&["fmt", "--stdin-name", "x.hcl", "-"], "a = ]\n").code(1).stdout_eq("").stderr_eq(
        str![[r#"
error[invalid-expression]: Invalid expression
 --> x.hcl:1:5
  |
1 | a = ]
  |     ^
  |
  = note: Expected an expression, found `]`.

"#]],
    );
}

#[test]
fn files_with_errors_are_not_formatted() {
    let folder = Folder::with(&[("bad.hcl", "a = ]\nb=1\n"), ("good.hcl", "a=1\n")]);
    folder.hcl(&["fmt"]).code(1).stdout_eq("good.hcl\n");
    assert_eq!(folder.read("bad.hcl"), "a = ]\nb=1\n");
    assert_eq!(folder.read("good.hcl"), "a = 1\n");
    folder.hcl(&["fmt", "missing.hcl"]).code(2).stderr_eq(str![[r#"
error: cannot read missing.hcl: [..]

"#]]);
}

#[test]
fn a_profile_has_its_own_files_and_exit_codes() {
    let folder = Folder::with(&[
        ("a.pkr.hcl", "a=1\n"),
        ("b.nomad", "a=1\n"),
        ("c.hcl", "a=1\n"),
        ("below/d.pkr.hcl", "a=1\n"),
    ]);
    folder.hcl(&["fmt", "--language", "packer", "-check"]).code(3).stdout_eq("a.pkr.hcl\n");
    folder
        .hcl(&["fmt", "--language", "packer", "-check", "-recursive"])
        .code(3)
        .stdout_eq("a.pkr.hcl\nbelow/d.pkr.hcl\n");
    folder.hcl(&["fmt", "--language", "nomad", "-check"]).code(1).stdout_eq("a.pkr.hcl\nb.nomad\nc.hcl\n");
    folder
        .hcl(&["fmt", "--language", "terragrunt", "--check"])
        .code(1)
        .stdout_eq("a.pkr.hcl\nbelow/d.pkr.hcl\nc.hcl\n");
    folder.hcl(&["fmt", "--language", "hclfmt", "-require-no-change", "c.hcl"]).code(1).stdout_eq("c.hcl\n");
    assert_eq!(folder.read("c.hcl"), "a = 1\n");
    folder.hcl(&["fmt", "--require-no-change", "c.hcl"]).success().stdout_eq("");
}

#[test]
fn terraform_and_opentofu_have_files_of_their_own() {
    let names = ["a.tf", "b.tofu", "c.tfmock.hcl", ".hidden.tf", "d.hcl"];
    let folder = Folder::with(&names.map(|name| (name, "a=1\n")));
    folder.hcl(&["fmt", "--language", "terraform", "-check"]).code(3).stdout_eq("a.tf\nc.tfmock.hcl\n");
    folder.hcl(&["fmt", "--language", "tofu", "-check"]).code(3).stdout_eq("a.tf\nb.tofu\n");
    folder.hcl(&["fmt", "--language", "terragrunt", "-check"]).code(1).stdout_eq("c.tfmock.hcl\nd.hcl\n");
}

#[test]
fn the_terraform_profile_rewrites_too() {
    let text = "variable name {\n  type=\"string\"\n  default = \"${local.name}\"\n}\n";
    let folder = Folder::with(&[("a.tf", text), ("below/b.tf", text), ("c.hcl", text)]);
    folder.hcl(&["fmt", "--language", "terraform", "-check"]).code(3).stdout_eq("a.tf\n");
    folder
        .hcl(&["fmt", "--language", "tofu", "-check", "-recursive"])
        .code(3)
        .stdout_eq("a.tf\nbelow/b.tf\n");
    folder.hcl(&["fmt", "--language", "plain", "--diff", "a.tf", "-check"]).code(1).stdout_eq(str![[r#"
a.tf
--- old/a.tf
+++ new/a.tf
@@ -1,4 +1,4 @@
 variable name {
-  type="string"
+  type    = "string"
   default = "${local.name}"
 }

"#]]);
    folder.hcl(&["fmt"]).success().stdout_eq("a.tf\nbelow/b.tf\nc.hcl\n");
    let expected = "variable \"name\" {\n  type    = string\n  default = local.name\n}\n";
    assert_eq!(folder.read("a.tf"), expected);
    assert_eq!(folder.read("below/b.tf"), expected);
    assert!(folder.read("c.hcl").starts_with("variable name {"));
}

#[test]
fn ignored_and_excluded_files_are_left_alone() {
    let folder = Folder::with(&[
        ("a.hcl", "a=1\n"),
        ("gen/b.hcl", "a=1\n"),
        ("vendor/c.hcl", "a=1\n"),
        ("x/d.hcl", "a=1\n"),
        ("x/e.conf", "a=1\n"),
        (".gitignore", "gen/\n"),
        (".hclignore", "vendor\n"),
    ]);
    folder.hcl(&["fmt", "--check", "--exclude", "x"]).code(1).stdout_eq("a.hcl\n");
    folder.hcl(&["fmt", "--check", "--include", "*.conf"]).code(1).stdout_eq("x/e.conf\n");
    folder
        .hcl(&["fmt", "--check", "--no-ignore"])
        .code(1)
        .stdout_eq("a.hcl\ngen/b.hcl\nvendor/c.hcl\nx/d.hcl\n");
    // Files that are named explicitly are always included.
    folder.hcl(&["fmt", "--check", "gen/b.hcl"]).code(1).stdout_eq("gen/b.hcl\n");
}

#[test]
fn comments_exclude_parts() {
    let text = "\
a=1
# hcl-fmt: off
m = [1,0,
     0,1]
# hcl-fmt: on
b=1
# hcl-fmt: skip
c {
     d=1
}
e=1 # hcl-fmt: skip
f=1
";
    let folder = Folder::with(&[("a.hcl", text), ("b.hcl", "a=1\n// hcl-fmt: skip-file\n")]);
    folder.hcl(&["fmt"]).success().stdout_eq("a.hcl\n");
    assert_eq!(
        folder.read("a.hcl"),
        text.replacen("a=1", "a = 1", 1).replacen("b=1", "b = 1", 1).replacen("f=1", "f = 1", 1)
    );
}

#[cfg(unix)]
#[test]
fn modes_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = Folder::with(&[("real/a.hcl", "a=1\n")]);
    fs::set_permissions(folder.path("real/a.hcl"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real/a.hcl", folder.path("link.hcl")).unwrap();
    folder.hcl(&["fmt", "link.hcl"]).success().stdout_eq("link.hcl\n");
    assert_eq!(folder.read("real/a.hcl"), "a = 1\n");
    assert!(fs::symlink_metadata(folder.path("link.hcl")).unwrap().is_symlink());
    let mode = fs::metadata(folder.path("real/a.hcl")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn lists_and_arguments_have_the_style_of_hcl_toml() {
    let before = "resource \"disk\" \"a\" {\n  zones = [\"eu-west-1a\", \"eu-west-1b\"]\n  count = 2\n}\n";
    let after = "resource \"disk\" \"a\" {\n  count = 2\n\n  zones = [\n    \"eu-west-1a\",\n    \"eu-west-1b\"\n  ]\n}\n";
    let settings = "[fmt]\nwidth = 30\njoin = true\nmeta-arguments = true\nsort-attributes = true\n";
    let folder = Folder::with(&[("main.tf", before), ("hcl.toml", settings)]);
    folder.hcl(&["fmt"]).success();
    assert_eq!(folder.read("main.tf"), after);
    // Edits keep the style.
    folder.hcl(&["edit", "-w", "resource~.zones=[\"a\",\n\"b\"]", "resource~.id=1", "main.tf"]).success();
    let after = "resource \"disk\" \"a\" {\n  count = 2\n\n  id    = 1\n  zones = [\"a\", \"b\"]\n}\n";
    assert_eq!(folder.read("main.tf"), after);
    folder.hcl(&["fmt", "--check"]).success();
}

#[test]
fn the_style_is_read_from_hcl_toml() {
    let before = "a = 1\nlong = 2\nb {}\nc {}\nd = [\n  1\n]\n";
    let after = "a = 1\nlong = 2\n\nb {}\n\nc {}\n\nd = [\n  1,\n]\n";
    let settings = "[fmt]\nalign = false\nblank-lines = true\ntrailing-commas = true\n";
    let folder = Folder::with(&[("main.hcl", before), ("hcl.toml", settings)]);
    // A profile formats exactly like its tool.
    folder.hcl(&["fmt", "--language", "plain", "--check", "main.hcl"]).code(1);
    folder.hcl(&["fmt", "main.hcl"]).success();
    assert_eq!(folder.read("main.hcl"), after);
    folder.hcl(&["fmt", "--check", "."]).success();
    for (settings, message) in [
        ("[fmt]\nalign = 1\n", "line 2: invalid type: integer `1`, expected a boolean"),
        ("[fmt]\nalgn = true\n", "line 2: unknown field `algn`"),
        ("[fmt\n", "line 1: "),
        ("[fmt]\nwidth = 0\n", "line 2: invalid value: integer `0`, expected a nonzero u32"),
        ("[fmt]\njoin = true\n", "`join` requires `width`, such as `width = 100`"),
    ] {
        folder.write("hcl.toml", settings);
        let output = folder.command(&["fmt", "main.hcl"]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("hcl.toml: ") && error.contains(message), "{error}");
        assert_eq!(output.status.code(), Some(2));
    }
    assert_eq!(folder.read("main.hcl"), after);
}

#[test]
fn settings_that_are_hostile_are_errors() {
    let folder = Folder::with(&[("main.hcl", "a = 1\n")]);
    for (settings, message) in [
        ("#".repeat((1 << 20) + 1), "larger than 1 MiB"),
        (format!("a = {}", "[".repeat(500_000)), "recurs"),
        (format!("a = {}", "{a=".repeat(300_000)), "recurs"),
        (format!("{}b = 1", "a.".repeat(500_000)), "hcl.toml: "),
        (format!("[{}a]", "a.".repeat(500_000)), "hcl.toml: "),
    ] {
        folder.write("hcl.toml", &settings);
        let output = folder.command(&["fmt", "main.hcl"]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("hcl.toml: ") && error.contains(message), "{error:.200}");
        assert!(error.len() < 500, "{} bytes", error.len());
        assert_eq!(output.status.code(), Some(2));
    }
}

#[cfg(unix)]
#[test]
fn settings_must_be_a_regular_file() {
    let folder = Folder::with(&[("main.hcl", "a = 1\n")]);
    let path = folder.path("hcl.toml");
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    folder.command(&["fmt", "main.hcl"]).assert().code(2).stderr_eq(str![[r#"
error: cannot read [..]hcl.toml: not a regular file

"#]]);
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    folder.command(&["fmt", "main.hcl"]).assert().code(2).stderr_eq(str![[r#"
error: cannot read [..]hcl.toml: not a regular file

"#]]);
}

/// Recorded from `terraform fmt -check`. Other profiles print paths as they were given.
#[test]
fn terraform_lists_paths_from_the_current_directory() {
    let folder = Folder::with(&[("a.tf", "a=1\n"), ("sub/b.tf", "b=1\n")]);
    let here = folder.path("").canonicalize().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let outside = outside.path().canonicalize().unwrap();
    std::fs::write(outside.join("c.tf"), "c=1\n").unwrap();
    let check = |path: &str, profile: &str| {
        let output = folder.hcl(&["fmt", "--language", profile, "-check", path]);
        String::from_utf8_lossy(&output.get_output().stdout).into_owned()
    };
    let inside = here.join("sub/b.tf").display().to_string();
    for (path, listed) in
        [("./a.tf", "a.tf\n"), ("sub/../a.tf", "a.tf\n"), (".//sub", "sub/b.tf\n"), (&inside, "sub/b.tf\n")]
    {
        for profile in ["terraform", "tofu"] {
            assert_eq!(check(path, profile), listed);
        }
    }
    assert_eq!(check("./a.tf", "plain"), "./a.tf\n");
    let listed = check(&outside.display().to_string(), "terraform");
    assert!(listed.starts_with("../"), "{listed}");
    assert_eq!(here.join(listed.trim_end()).canonicalize().unwrap(), outside.join("c.tf"));
}

#[test]
fn standard_input_that_is_not_read_is_warned_of() {
    let folder = Folder::with(&[("a.hcl", "a = 1\n")]);
    let fmt = |arguments: &[&str]| folder.command(arguments).stdin("b=1\n").with_pipes().assert();
    fmt(&["fmt"]).success().stderr_eq("warning: standard input was not read; to format it, use hcl fmt -\n");
    fmt(&["fmt", "a.hcl"]).success().stderr_eq("");
    fmt(&["fmt", "-"]).success().stderr_eq("").stdout_eq("b = 1\n");
}

/// As in Terraform, which prints the text of files without changes, too.
#[test]
fn text_that_is_neither_written_nor_listed_is_printed() {
    let folder = Folder::with(&[("a.tf", "a=1\n"), ("b.tf", "b = 1\n")]);
    for language in [&["--language", "terraform"][..], &[]] {
        let fmt = |options: &[&str]| {
            folder.hcl(&[&["fmt", "-write=false", "-list=false"], language, options].concat())
        };
        fmt(&[]).success().stdout_eq("a = 1\nb = 1\n");
        fmt(&["-check"]).stdout_eq("");
    }
    assert_eq!(folder.read("a.tf"), "a=1\n");
}

#[test]
fn a_file_that_is_named_is_not_skipped_because_its_directory_is_named_too() {
    let folder = Folder::with(&[("a.hcl", "a = 1\n"), ("j.tf.json", "{}\n")]);
    for words in [&["fmt", "--check", "j.tf.json"][..], &["fmt", "--check", ".", "j.tf.json"]] {
        let ended = folder.hcl(words).code(2);
        assert!(String::from_utf8_lossy(&ended.get_output().stderr).contains("JSON syntax"), "{words:?}");
    }
    folder.hcl(&["fmt", "--check", "."]).success();
}

#[test]
fn a_file_that_is_not_hcl_is_one_line() {
    let text = "# Title\n\nSome *text* with `code`, [a link](x) and more.\n\n- one\n- two\n\nAn apostrophe's here; & so on?\n";
    let folder = Folder::with(&[("README.md", text), ("a.hcl", text), ("b.conf", "a = \n")]);
    folder.hcl(&["fmt", "--check", "README.md"]).code(1).stdout_eq("").stderr_eq(str![[r#"
error: README.md is not HCL (line 3: Argument or block definition required, and 4 more errors)

"#]]);
    // A file with a name of HCL, or with few errors, has them all.
    for name in ["a.hcl", "b.conf"] {
        let output = folder.command(&["fmt", "--check", name]).output().unwrap();
        assert!(String::from_utf8_lossy(&output.stderr).contains(" --> "), "{name}: {output:?}");
    }
}

#[test]
fn errors_have_the_exit_code_of_the_tool() {
    let folder = Folder::with(&[("a.tf", "a = \n"), ("a.pkr.hcl", "a = \n")]);
    for (words, code) in [
        (&["fmt", "a.tf"][..], 1),
        (&["fmt", "--language", "terraform", "a.tf"], 2),
        (&["fmt", "--language", "opentofu", "--check", "a.tf"], 2),
        (&["fmt", "--language", "packer", "a.pkr.hcl"], 1),
    ] {
        folder.hcl(words).code(code);
    }
}

#[test]
fn reports_have_the_places_of_differences() {
    let text = "a=1\nbbb = 2\n\nb {\n    c = 1\n}\nd = [ 1,\n  2 ]\n";
    let folder = Folder::with(&[
        ("a.hcl", text),
        ("bad.hcl", "a = ]\n"),
        ("fine.hcl", "a = 1\n"),
        ("README.md", "# A\nB, c's d\n* e\n\nf! g?\n\n* h's i\n\nj! k?\n"),
    ]);
    let check = ["fmt", "--check", "a.hcl", "bad.hcl", "fine.hcl", "README.md", "--report"];
    folder.hcl(&[&check[..], &["github"]].concat()).code(1).stderr_eq("").stdout_eq(str![[r#"
::error file=a.hcl,line=1,endLine=1,col=2,endColumn=2,title=Not formatted [unformatted]::The layout is not that of `hcl fmt`.%0ASuggested fix: Format these lines.
::error file=a.hcl,line=5,endLine=5,col=1,endColumn=4,title=Not formatted [unformatted]::The layout is not that of `hcl fmt`.%0ASuggested fix: Format these lines.
::error file=a.hcl,line=7,endLine=8,col=6,title=Not formatted [unformatted]::The layout is not that of `hcl fmt`.%0ASuggested fix: Format these lines.
::error file=bad.hcl,line=1,endLine=1,col=5,endColumn=5,title=Invalid expression [invalid-expression]::Expected an expression, found `]`.
::error file=README.md,line=2,endLine=2,col=1,endColumn=1,title=Argument or block definition required [expected-item]::README.md is not HCL (line 2: Argument or block definition required, and 4 more errors).

"#]]);
    for report in ["json", "sarif", "junit"] {
        let ended = folder.hcl(&[&check[..], &[report]].concat()).code(1).stderr_eq("");
        let text = String::from_utf8_lossy(&ended.get_output().stdout).into_owned();
        assert!(text.matches("unformatted").count() >= 3, "{text}");
    }
    let json = folder.hcl(&["fmt", "--check", "--report", "json", "a.hcl"]).code(1);
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    let found = json["diagnostics"].as_array().unwrap();
    let lines: Vec<_> = found.iter().map(|own| own["range"]["start"]["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 5, 7]);
    // Applied from the last to the first, the fixes format the file.
    let mut fixed = text.to_owned();
    let edits = found.iter().flat_map(|own| own["fix"]["edits"].as_array().unwrap());
    for edit in edits.rev() {
        let at = |end: &str| usize::try_from(edit["range"][end]["byte"].as_u64().unwrap()).unwrap();
        fixed.replace_range(at("start")..at("end"), edit["replacement"].as_str().unwrap());
    }
    assert_eq!(folder.read("a.hcl"), text);
    // Without --check, the report says what was formatted.
    let ended = folder.hcl(&["fmt", "--report", "json", "a.hcl"]).success();
    let json: serde_json::Value = serde_json::from_slice(&ended.get_output().stdout).unwrap();
    assert_eq!(json["fixed"][0]["errors"].as_array().map(Vec::len), Some(3), "{json}");
    assert_eq!(json["diagnostics"], serde_json::json!([]));
    assert_eq!(folder.read("a.hcl"), fixed);
    folder.hcl(&["fmt", "--check", "a.hcl"]).success();
    // Standard output is for the text of standard input.
    let ended =
        folder.hcl_reading(&["fmt", "--report", "github", "-"], "a=1\n").success().stdout_eq("a = 1\n");
    let text = String::from_utf8_lossy(&ended.get_output().stderr).into_owned();
    assert!(text.starts_with("::notice file=<stdin>,line=1,"), "{text}");
    folder.hcl_reading(&["fmt", "--check", "--report", "github", "-"], "a=1\n").code(1).stdout_eq(
        "::error file=<stdin>,line=1,endLine=1,col=2,endColumn=2,title=Not formatted [unformatted]::The layout is not that of `hcl fmt`.%0ASuggested fix: Format these lines.\n",
    );
    folder.hcl(&["fmt", "--check", "--report", "github", "none.hcl"]).code(2);
    folder.hcl(&["fmt", "--check", "--diff", "--report", "github"]).code(2);
    folder.hcl(&["fmt", "--check", "--report", "github", "--language", "terraform", "bad.hcl"]).code(2);
}

#[cfg(unix)]
#[test]
fn only_what_has_changed_is_formatted() {
    let folder = Folder::with(&[("old.tf", "a=1\n"), ("m/b.tf", "b=1\n"), (".gitignore", "ignored.tf\n")]);
    folder.git(&["init", "--quiet"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "x"]);
    folder.hcl(&["fmt", "--check", "--changed-since", "HEAD"]).success().stdout_eq("");
    folder.write("m/b.tf", "b=2\n");
    folder.write("new.tf", "c=1\n");
    folder.write("ignored.tf", "c=1\n");
    let check = ["fmt", "--check", "--changed-since", "HEAD"];
    folder.hcl(&check).code(1).stdout_eq("m/b.tf\nnew.tf\n");
    folder.hcl(&[&check[..], &["m"]].concat()).code(1).stdout_eq("m/b.tf\n");
    folder.hcl(&[&check[..], &["old.tf", "m/b.tf"]].concat()).code(1).stdout_eq("m/b.tf\n");
    folder.hcl(&["fmt", "--changed-since", "HEAD"]).success().stdout_eq("m/b.tf\nnew.tf\n");
    assert_eq!(folder.read("old.tf"), "a=1\n");
    folder.hcl(&["fmt", "--check", "--changed-since", "none"]).code(2);
    folder.hcl_reading(&["fmt", "--check", "--changed-since", "HEAD", "-"], "a=1\n").code(2);
}
