//! `hcl eval`: libraries of functions, grants, and limits.

use crate::eval::folder;
use crate::program::Folder;
use snapbox::str;

#[test]
fn libraries_of_functions() {
    let folder = folder();
    let works = |library: &str, expression: &str| {
        let output = folder.command(&["eval", "--functions", library, expression]).output().unwrap();
        output.status.success()
    };
    for (expression, libraries) in [
        ("1", ["none", "spec", "cty", "terraform", "packer", "bake"].as_slice()),
        ("upper(\"x\")", &["spec", "cty", "terraform", "packer", "bake"]),
        ("try(x, 1)", &["cty", "terraform", "packer", "bake"]),
        ("convert(1, string)", &["cty", "terraform", "packer", "bake"]),
        ("convert({}, object({ a = optional(number, 1) })).a", &["terraform"]),
        ("cidrhost(\"10.0.0.0/8\", 1)", &["terraform", "packer", "bake"]),
        ("sensitive(1)", &["terraform"]),
        ("legacy_isotime()", &["packer"]),
        ("sanitize(\"a.b\")", &["bake"]),
    ] {
        for library in ["none", "spec", "cty", "terraform", "packer", "bake"] {
            assert_eq!(works(library, expression), libraries.contains(&library), "{library}: {expression}");
        }
    }
    folder.hcl(&["eval", "--functions", "cty", "startswith(\"ab\", \"a\")"]).code(1).stderr_eq(str![[r#"
error[unknown-function]: Call to unknown function
 --> <expression>:1:1
  |
1 | startswith("ab", "a")
  | ^^^^^^^^^^
  |
  = note: There is no function named `startswith`.

hint: this function is in another library; use --functions terraform

"#]]);
    folder.hcl(&["eval", "--functions", "none", "upper(\"x\")"]).code(1).stderr_eq(str![[r#"
error[functions-not-allowed]: Function calls not allowed
 --> <expression>:1:1
  |
1 | upper("x")
  | ^^^^^^^^^^
  |
  = note: Functions may not be called here.

hint: use --functions LIBRARY to enable functions, such as --functions terraform

"#]]);
}

#[test]
fn functions_read_only_granted_directories() {
    let folder = Folder::with(&[
        ("in/hello.tpl", "Hello, ${upper(name)}!\n"),
        ("in/wrong.tpl", "Hello,\n${nam}!\n"),
        ("out.txt", "out\n"),
    ]);
    folder.hcl(&["eval", "file(\"out.txt\")"]).code(1).stderr_eq(str![[r#"
error[files-not-granted]: File access not granted
 --> <expression>:1:1
  |
1 | file("out.txt")
  | ^^^^^
  |
  = note: Call to function `file` failed: reading files is not granted.

hint: use --allow-fs DIR to allow functions to read files in a directory

"#]]);
    folder
        .hcl(&["eval", "--allow-fs", ".", "--output", "raw", "file(\"out.txt\")"])
        .success()
        .stdout_eq("out\n".to_owned());
    folder.hcl(&["eval", "--allow-fs", "in", "file(\"../out.txt\")"]).code(1).stderr_eq(str![[r#"
error[invalid-argument]: Invalid function argument
 --> <expression>:1:7
  |
1 | file("../out.txt")
  |       ^^^^^^^^^^
  |
  = note: Invalid value for the argument `path` of `file`: "../out.txt" is outside of the directory that functions may read.

"#]]);
    // Relative paths are resolved from the current directory, regardless of the allowed directories.
    folder.hcl(&["eval", "--allow-fs", "in", "file(\"hello.tpl\")"]).code(1).stderr_eq(str![[r#"
error[invalid-argument]: Invalid function argument
 --> <expression>:1:7
  |
1 | file("hello.tpl")
  |       ^^^^^^^^^
  |
  = note: Invalid value for the argument `path` of `file`: "hello.tpl" is outside of the directory that functions may read.

"#]]);
    std::fs::create_dir(folder.path("other")).unwrap();
    folder.write("other/x.txt", "x");
    let both = "\"${file(\"in/hello.tpl\")} ${file(\"other/x.txt\")}\"";
    folder
        .hcl(&["eval", "--allow-fs", "in", "--allow-fs", "other", "--output", "raw", both])
        .success()
        .stdout_eq("Hello, ${upper(name)}!\n x\n".to_owned());
    let render = "templatefile(\"in/hello.tpl\", { name = \"world\" })";
    folder
        .hcl(&["eval", "--allow-fs", "in", "--output", "raw", render])
        .success()
        .stdout_eq("Hello, WORLD!\n".to_owned());
    folder.hcl(&["eval", "--allow-fs", "in", "templatefile(\"in/wrong.tpl\", { name = 1 })"]).code(1).stderr_eq(str![[r#"
error[function-failed]: Error in function call
 --> <expression>:1:1
  |
1 | templatefile("in/wrong.tpl", { name = 1 })
  | ^^^^^^^^^^^^^
  |
  = note: Call to function `templatefile` failed: in/wrong.tpl:2:3: Unknown variable: There is no variable named `nam`. Did you mean `name`?

"#]]);
    folder.hcl(&["eval", "--allow-fs", "none", "1"]).code(2).stderr_eq(str![[r#"
error: cannot open the directory none: No such file or directory (os error 2)

"#]]);
    folder.hcl(&["eval", "--functions", "packer", "env(\"HOME\")"]).code(1).stderr_eq(str![[r#"
error[environment-not-granted]: Environment access not granted
 --> <expression>:1:1
  |
1 | env("HOME")
  | ^^^^
  |
  = note: Call to function `env` failed: reading environment variables is not granted.

hint: use --allow-env to allow functions to read environment variables

"#]]);
    // A grant that is missing within a call is suggested, too.
    folder.write("in/home.tpl", "${env(\"HOME\")}");
    for (args, hint) in [
        (&["--allow-fs", ".", "templatefile(\"in/home.tpl\", {})"][..], "hint: use --allow-env to"),
        (&["templatefile(\"in/home.tpl\", {})"], "hint: use --allow-fs DIR to"),
        (&["try(env(\"HOME\"))"], "hint: use --allow-env to"),
    ] {
        let output = folder.command(&[&["eval", "--functions", "packer"], args].concat()).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains("-not-granted]") && errors.contains(hint), "{args:?}: {errors}");
    }
    folder
        .command(&["eval", "--functions", "packer", "--allow-env", "env(\"GREETING\")"])
        .env("GREETING", "hi")
        .assert()
        .success()
        .stdout_eq("\"hi\"\n".to_owned());
}

#[test]
fn evaluation_has_limits() {
    let folder = folder();
    let loops = "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a * b * c]]]";
    folder.hcl(&["eval", "--max-steps", "100000", loops]).code(2).stdout_eq(str![]).stderr_eq(str![[r#"
error[too-many-steps]: Too many steps
 --> <expression>:1:73
  |
1 | [for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a * b * c]]]
  |                                                                         ^^^^^^^^^
  |
  = note: The evaluation exceeds the limit of 100,000 steps.

"#]]);
    folder.hcl(&["eval", "--timeout", "0.2", loops]).code(2).stdout_eq(str![]).stderr_eq(str![[r#"
error[deadline-exceeded]: Time limit reached
 --> <expression>:1:[..]
  |
1 | [for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a * b * c]]]
  | [..]
  |
  = note: The time limit was exceeded.

"#]]);
    folder.hcl(&["eval", "--timeout", "-1", "1"]).code(2);
    folder.hcl(&["eval", "--timeout", "60", "1"]).success();
    let deep = |levels| format!("{}x{}", "[".repeat(levels), "]".repeat(levels));
    folder.hcl_reading(&["eval", "--max-nesting", "6000", "--var", "x=1"], &deep(5_000)).code(2);
    folder.hcl_reading(&["eval", "--max-nesting", "6000", "--var", "x=1"], &deep(3_000)).success();
    folder.hcl_reading(&["eval", "--var", "x=1", "--output", "json"], &deep(900)).success();
    folder
        .hcl_reading(&["eval"], &format!("{}1", "1+".repeat(100_000)))
        .success()
        .stdout_eq("100001\n".to_owned());
}
