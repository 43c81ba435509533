//! `hcl check` of files in the JSON syntax, and of configurations with `--spec`.

use crate::decode::service;
use crate::program::Folder;
use snapbox::str;

#[test]
fn json_syntax_is_checked_and_fixed() {
    let folder = Folder::with(&[("main.hcl.json", "{\n  'a': 1,\n}\n"), ("package.json", "{")]);
    folder.hcl(&["check"]).code(1).stdout_eq(str![[r#"
error[json-wrong-quotes]: Invalid quotes
 --> main.hcl.json:2:3
  |
2 |   'a': 1,
  |   ^
  |
  = note: Single quotes are not valid. Use double quotes (`"`).
help: Use double quotes
  |
2 -   'a': 1,
2 +   "a": 1,
  |

error[json-extra-comma]: Unexpected comma
 --> main.hcl.json:2:9
  |
2 |   'a': 1,
  |         ^
  |
  = note: A comma before the closing bracket is not allowed in JSON.
help: Remove the comma
  |
2 -   'a': 1,
2 +   'a': 1
  |

Checked 1 file: 2 errors in 1 file

"#]]);
    folder.hcl(&["check", "--fix", "--write"]).success().stdout_eq(str![[r#"
Fixed 2 errors in main.hcl.json:
  main.hcl.json:2:3: Use double quotes
  main.hcl.json:2:9: Remove the comma
Checked 1 file: no problems found

"#]]);
    assert_eq!(std::fs::read_to_string(folder.path("main.hcl.json")).unwrap(), "{\n  \"a\": 1\n}\n");
    folder.hcl(&["check", "package.json"]).code(1);
    folder.hcl(&["check", "--include", "*.json"]).code(1).stdout_eq(str![[r#"
error[json-missing-value]: Missing value
 --> package.json:1:2
  |
1 | {
  | -^
  | |
  | this bracket is not closed
  |
  = note: Expected a property name, found the end of the text.

Checked 2 files: 1 error in 1 file (1 file with a name of no known language: only its syntax; name the language with --language)

"#]]);
}

/// A directory with configurations of the example language, some of them invalid.
fn tree() -> Folder {
    let folder = service();
    let wrong = "name = \"a\"\nimage = \"i\"\nreplicas = \"many\"\nlisten {\n  port = base + 1\n  protcol = \"udp\"\n}\n";
    folder.write("more/wrong.hcl", wrong);
    folder.write("more/wrong.hcl.json", "{\"name\": \"b\", \"listen\": [{\"prot\": 1}]}\n");
    folder.write("more/broken.hcl", "name = \n");
    folder
}

const SPEC: [&str; 6] = ["check", "--spec", "service.hcldec", "--dynamic", "--vars", "production.tfvars"];

#[test]
fn trees_are_checked_with_a_spec() {
    let folder = tree();
    folder.hcl(&SPEC).code(1).stderr_eq(str![]).stdout_eq(str![[r#"
error[invalid-expression]: Invalid expression
 --> more/broken.hcl:1:8
  |
1 | name = 
  |        ^
  |
  = note: Expected an expression before the end of the line.

error[invalid-attribute-value]: Incorrect attribute value type
 --> more/wrong.hcl:3:12
  |
3 | replicas = "many"
  |            ^^^^^^
  |
  = note: Invalid value for the argument `replicas`: a number is required.

error[unknown-variable]: Unknown variable
 --> more/wrong.hcl:5:10
  |
5 |   port = base + 1
  |          ^^^^
  |
  = note: There is no variable named `base`.

error[unsupported-argument]: Unsupported argument
 --> more/wrong.hcl:6:3
  |
6 |   protcol = "udp"
  |   ^^^^^^^
  |
  = note: An argument named `protcol` is not expected here. Did you mean `protocol`?
help: Write `protocol`
  |
6 |   protocol = "udp"
  |       +

error[json-unknown-property]: Extraneous JSON object property
 --> more/wrong.hcl.json:1:27
  |
1 | {"name": "b", "listen": [{"prot": 1}]}
  |                           ^^^^^^
  |
  = note: No argument or block type named `prot` is expected here. Did you mean `port`?
help: Write `port`
  |
1 - {"name": "b", "listen": [{"prot": 1}]}
1 + {"name": "b", "listen": [{"port": 1}]}
  |

error[missing-attribute]: Missing required argument
 --> more/wrong.hcl.json:1:36
  |
1 | {"name": "b", "listen": [{"prot": 1}]}
  |                                    ^
  |
  = note: The argument `port` is required, but it is not set.

error[missing-attribute]: Missing required argument
 --> more/wrong.hcl.json:1:38
  |
1 | {"name": "b", "listen": [{"prot": 1}]}
  |                                      ^
  |
  = note: The argument `image` is required, but it is not set.

Checked 5 files: 7 errors in 3 files

"#]]);
    folder.hcl(&[&SPEC[..], &["web.hcl", "web.hcl.json"]].concat()).success().stdout_eq(str![[r#"
Checked 2 files: no problems found

"#]]);
}

#[test]
fn all_formats_report_errors_of_a_spec() {
    let folder = tree();
    folder.hcl(&[&SPEC[..], &["--report", "github"]].concat()).code(1).stdout_eq(str![[r#"
::error file=more/broken.hcl,line=1,endLine=2,col=8,title=Invalid expression [invalid-expression]::Expected an expression before the end of the line.
::error file=more/wrong.hcl,line=3,endLine=3,col=12,endColumn=17,title=Incorrect attribute value type [invalid-attribute-value]::Invalid value for the argument `replicas`: a number is required.
::error file=more/wrong.hcl,line=5,endLine=5,col=10,endColumn=13,title=Unknown variable [unknown-variable]::There is no variable named `base`.
::error file=more/wrong.hcl,line=6,endLine=6,col=3,endColumn=9,title=Unsupported argument [unsupported-argument]::An argument named `protcol` is not expected here. Did you mean `protocol`?%0ASuggested fix: Write `protocol`.
::error file=more/wrong.hcl.json,line=1,endLine=1,col=27,endColumn=32,title=Extraneous JSON object property [json-unknown-property]::No argument or block type named `prot` is expected here. Did you mean `port`?%0ASuggested fix: Write `port`.
::error file=more/wrong.hcl.json,line=1,endLine=1,col=36,endColumn=36,title=Missing required argument [missing-attribute]::The argument `port` is required, but it is not set.
::error file=more/wrong.hcl.json,line=1,endLine=1,col=38,endColumn=38,title=Missing required argument [missing-attribute]::The argument `image` is required, but it is not set.

"#]]);
}

#[test]
fn undefined_variables_can_be_unknown() {
    let folder = Folder::with(&[
        (
            "s.hcldec",
            "object {\n  attr \"a\" {\n    type = number\n  }\n  attr \"b\" {\n    type = list(string)\n  }\n}\n",
        ),
        ("c.hcl", "a = x + 1\nb = \"${y}-b\"\n"),
    ]);
    folder.hcl(&["check", "--spec", "s.hcldec"]).code(1).stdout_eq(str![[r#"
error[unknown-variable]: Unknown variable
 --> c.hcl:1:5
  |
1 | a = x + 1
  |     ^
  |
  = note: There is no variable named `x`.

error[invalid-attribute-value]: Incorrect attribute value type
 --> c.hcl:2:5
  |
2 | b = "${y}-b"
  |     ^^^^^^^^
  |
  = note: Invalid value for the argument `b`: a list of string is required.

error[unknown-variable]: Unknown variable
 --> c.hcl:2:8
  |
2 | b = "${y}-b"
  |        ^
  |
  = note: There is no variable named `y`.

Checked 1 file: 3 errors in 1 file

"#]]);
    folder.hcl(&["check", "--spec", "s.hcldec", "--unknown-vars"]).code(1).stdout_eq(str![[r#"
error[invalid-attribute-value]: Incorrect attribute value type
 --> c.hcl:2:5
  |
2 | b = "${y}-b"
  |     ^^^^^^^^
  |
  = note: Invalid value for the argument `b`: a list of string is required.

Checked 1 file: 1 error in 1 file

"#]]);
}

#[test]
fn files_of_a_directory_can_be_merged() {
    let spec = "object {\n  attr \"a\" {\n    type     = number\n    required = true\n  }\n  attr \"b\" {\n    type = number\n  }\n}\n";
    let folder = Folder::with(&[
        ("s.hcl", spec),
        ("one/a.hcl", "a = 1\n"),
        ("one/deeper/a.hcl", "a = 1\n"),
        ("one/z.hcl", "b = 1\n"),
        ("two/b.hcl", "b = 1\n"),
    ]);
    folder.hcl(&["check", "--spec", "s.hcl", "one"]).code(1).stdout_eq(str![[r#"
error[missing-attribute]: Missing required argument
 --> one/z.hcl:1:1
  |
1 | b = 1
  | ^
  |
  = note: The argument `a` is required, but it is not set.

Checked 3 files: 1 error in 1 file

"#]]);
    folder.hcl(&["check", "--spec", "s.hcl", "--merge", "one"]).success();
    folder.hcl(&["check", "--spec", "s.hcl", "--merge"]).code(1).stdout_eq(str![[r#"
error[missing-attribute]: Missing required argument
 --> two/b.hcl:1:1
  |
1 | b = 1
  | ^
  |
  = note: The argument `a` is required, but it is not set.

Checked 4 files: 1 error in 1 file

"#]]);
}

#[test]
fn errors_in_the_spec_come_first() {
    let folder = Folder::with(&[("s.hcldec", "attr {\n  type = nmber\n}\n"), ("c.hcl", "a = ]\n")]);
    folder.hcl(&["check", "--spec", "s.hcldec"]).code(1).stdout_eq(str![[r#"
error[invalid-type]: Invalid type specification
 --> s.hcldec:2:10
  |
2 |   type = nmber
  |          ^^^^^
  |
  = note: `nmber` is not a valid type. Did you mean `number`?

error[invalid-spec]: Invalid spec
 --> s.hcldec:1:6
  |
1 | attr {
  |      ^
  |
  = note: `name` is required: it sets the name of the argument in the configuration. It can be omitted only directly inside an `object`, where it defaults to the attribute name.

Checked no files: 2 errors in 1 file

"#]]);
    folder.hcl(&["check", "--spec", "none.hcldec"]).code(2);
    folder.hcl(&["check", "--unknown-vars"]).code(2).stderr_eq(str![[r#"
error: the following required arguments were not provided:
  --spec <FILE>

  tip: variables are for files with a spec; to evaluate a module with values, use hcl eval DIR --var

Usage: hcl check --spec <FILE> --unknown-vars [PATH]...

For more information, try '--help'.

"#]]);
}

#[test]
fn errors_past_the_limit_are_counted() {
    let folder = service();
    let wrong: Vec<String> = (0..2_000).map(|number| format!("unknown{number} = 1\n")).collect();
    folder.write("many.hcl", format!("{FINE}listen {{\n  port = 1\n}}\n{}", wrong.concat()));
    for command in ["check", "decode"] {
        let told = folder.command(&[command, "--spec", "service.hcldec", "many.hcl"]).output().unwrap();
        let told = String::from_utf8([told.stdout, told.stderr].concat()).unwrap();
        assert_eq!(told.matches("error[unsupported-argument]").count(), 1_000);
        assert!(
            told.contains("note: 1000 more errors are not shown. Fix these first, then run again.\n"),
            "{told}"
        );
    }
}

/// The two required arguments of the example language.
const FINE: &str = "name = \"a\"\nimage = \"i\"\n";

#[test]
fn misspelled_names_are_fixed_with_a_spec() {
    let folder = service();
    let wrong = "nmae = \"a\"\nimage = 'i'\nlisten = {\n  port = 1\n  protcol = \"udp\"\n}\nenv = {\n  A = 1,\n  B = 2\n}\ndynamic \"chek\" {\n  for_each = [1]\n  labels   = [\"a\"]\n  content {}\n}\n";
    folder.write("wrong.hcl", wrong);
    folder.write("wrong.hcl.json", "{\"name\": \"b\", \"image\": \"i\", \"lsten\": [{\"prot\": 1}]}\n");
    let check =
        ["check", "--spec", "service.hcldec", "--dynamic", "--fix", "--write", "wrong.hcl", "wrong.hcl.json"];
    folder.hcl(&check).code(1).stdout_eq(str![[r#"
error[unsupported-argument]: Unsupported argument
 --> wrong.hcl:7:1
  |
7 | env = {
  | ^^^
  |
  = note: An argument named `env` is not expected here. To define a block, remove the `=`.

Fixed 5 errors in wrong.hcl:
  wrong.hcl:1:1: Write `name`
  wrong.hcl:2:9: Use double quotes
  wrong.hcl:3:1: Remove the equals sign
  wrong.hcl:5:3: Write `protocol`
  wrong.hcl:11:9: Write `check`
Fixed 2 errors in wrong.hcl.json:
  wrong.hcl.json:1:29: Write `listen`
  wrong.hcl.json:1:40: Write `port`
Checked 2 files: 1 error in 1 file

"#]]);
    assert_eq!(
        folder.read("wrong.hcl"),
        "name = \"a\"\nimage = \"i\"\nlisten {\n  port = 1\n  protocol = \"udp\"\n}\nenv = {\n  A = 1,\n  B = 2\n}\ndynamic \"check\" {\n  for_each = [1]\n  labels   = [\"a\"]\n  content {}\n}\n"
    );
    assert_eq!(
        folder.read("wrong.hcl.json"),
        "{\"name\": \"b\", \"image\": \"i\", \"listen\": [{\"port\": 1}]}\n"
    );
}

#[test]
fn ambiguous_names_are_not_fixed() {
    let folder = service();
    let check = ["check", "--spec", "service.hcldec", "--fix", "--write", "main.hcl"];
    // A name that is already used, a variable that may be set elsewhere, and a change that leaves another error.
    for wrong in [
        format!("{FINE}nmae = \"b\"\nlisten {{\n  port = 1\n}}\n"),
        format!("{FINE}listen {{\n  port = registr\n}}\n"),
        format!("{FINE}listen {{\n  port = 1\n}}\nresorces {{\n  cpu = \"all\"\n}}\nresources {{}}\n"),
    ] {
        folder.write("main.hcl", &wrong);
        folder.hcl(&check).code(1);
        assert_eq!(folder.read("main.hcl"), wrong);
    }
}

#[test]
fn merged_files_are_fixed_together() {
    let folder = service();
    folder.write("folder/one.hcl", "name = \"a\"\nlisten {\n  prot = 1\n}\nenv {}\n");
    folder.write("folder/two.hcl", "imge = \"i\"\nnmae = \"b\"\nenvv {}\n");
    let check = ["check", "--spec", "service.hcldec", "--fix", "--write", "--merge", "folder"];
    folder.hcl(&check).code(1).stdout_eq(str![[r#"
error[unsupported-argument]: Unsupported argument
 --> folder/two.hcl:2:1
  |
2 | nmae = "b"
  | ^^^^
  |
  = note: An argument named `nmae` is not expected here. Did you mean `name`?
help: Write `name`
  |
2 - nmae = "b"
2 + name = "b"
  |

error[unsupported-block]: Unsupported block type
 --> folder/two.hcl:3:1
  |
3 | envv {}
  | ^^^^
  |
  = note: Blocks of type `envv` are not expected here. Did you mean `env`?
help: Write `env`
  |
3 - envv {}
3 + env {}
  |

Fixed 1 error in folder/one.hcl:
  folder/one.hcl:3:3: Write `port`
Fixed 1 error in folder/two.hcl:
  folder/two.hcl:1:1: Write `image`
Checked 2 files: 2 errors in 1 file

"#]]);
    assert_eq!(folder.read("folder/one.hcl"), "name = \"a\"\nlisten {\n  port = 1\n}\nenv {}\n");
    assert_eq!(folder.read("folder/two.hcl"), "image = \"i\"\nnmae = \"b\"\nenvv {}\n");
}

#[test]
fn specs_of_hcl_toml_are_for_the_files_that_match() {
    let spec = "object {\n  attr \"port\" {\n    type     = number\n    required = true\n  }\n}\n";
    let wrong = "port  = var.port\nports = 1\n";
    let files = [
        ("hcl.toml", "[specs]\n\"services/*.service\" = \"specs/service.hcldec\"\n"),
        ("specs/service.hcldec", spec),
        ("services/web.service", wrong),
        ("services/deeper/web.service", "not HCL"),
        ("other.hcl", "ports = 1\n"),
    ];
    let folder = Folder::with(&files);
    let found = folder.hcl(&["check", "--report", "json", "--compact"]).code(1);
    let found = String::from_utf8(found.get_output().stdout.clone()).unwrap();
    let command = [
        "check",
        "--report",
        "json",
        "--compact",
        "--spec",
        "specs/service.hcldec",
        "--unknown-vars",
        "services/web.service",
    ];
    let expected = folder.hcl(&command).code(1);
    let expected = String::from_utf8(expected.get_output().stdout.clone()).unwrap();
    let of = |text: &str| -> serde_json::Value {
        let report: serde_json::Value = serde_json::from_str(text).unwrap();
        report["diagnostics"].clone()
    };
    assert_eq!(of(&found).as_array().unwrap().len(), 1, "{found}");
    assert_eq!(of(&found), of(&expected));
    // From another directory, patterns match as well.
    let command = folder.command(&["check", "web.service"]);
    command.current_dir(folder.path("services")).assert().code(1);
    folder.hcl(&["check", "--syntax-only"]).success();
    folder.write("hcl.toml", "[specs]\n\"[\" = \"specs/service.hcldec\"\n");
    let error = folder.hcl(&["check"]).code(2);
    let error = String::from_utf8(error.get_output().stderr.clone()).unwrap();
    assert!(error.contains("the pattern \"[\" is invalid"), "{error}");
    folder.write("hcl.toml", "[specs]\n\"*.service\" = \"../service.hcldec\"\n");
    folder.hcl(&["check"]).code(2);
}

#[test]
fn specs_of_the_project_are_inside_of_it() {
    let spec = "object {\n  attr \"canary\" {\n    type = string\n  }\n}\n";
    let folder = Folder::with(&[("outside.hcldec", spec), ("in/a.svc", "x = 1\n"), ("in/.git/HEAD", "")]);
    std::os::unix::fs::symlink("../outside.hcldec", folder.path("in/link.hcldec")).unwrap();
    for path in ["../outside.hcldec", "link.hcldec"] {
        folder.write("in/hcl.toml", format!("[specs]\n\"*.svc\" = \"{path}\"\n"));
        let output = folder.command(&["check", "a.svc"]).current_dir(folder.path("in")).output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(output.status.code(), Some(2), "{path}: {text}");
        assert!(
            text.contains("not in the directory of the settings") && !text.contains("canary"),
            "{path}: {text}"
        );
    }
}
