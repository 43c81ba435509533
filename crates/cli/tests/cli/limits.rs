//! Default limits, and limits on the command line.

use snapbox::str;

use crate::program::Folder;

/// Each level contains the previous one twice: forty levels take little memory, but no disk could hold them as text.
fn doubled(levels: usize) -> String {
    (0..levels).fold("\"x\"".to_owned(), |value, _| format!("[for v in [{value}] : [v, v]][0]"))
}

#[test]
fn shared_values_are_written_within_limits() {
    let folder = Folder::with(&[]);
    let value = doubled(40);
    for output in ["hcl", "json", "typed"] {
        let command = ["eval", "--output", output, &value];
        folder.command(&command).assert().code(2).stdout_eq(str![]).stderr_eq(str![[r#"
error: the output exceeds the limit of 268435456 bytes; use --max-bytes to raise it

"#]]);
    }
    folder.command(&["eval", &format!("jsonencode({value})")]).assert().code(2).stderr_eq(str![[r#"
error[too-many-bytes]: Too much text
...
"#]]);
}

#[test]
fn doubled_text_is_limited() {
    let folder = Folder::with(&[]);
    let text =
        (0..40).fold("\"x\"".to_owned(), |text, _| format!("[for v in [{text}] : \"${{v}}${{v}}\"][0]"));
    folder.command(&["eval", &text]).assert().code(2).stderr_eq(str![[r#"
error[too-many-bytes]: Too much text
...
"#]]);
    let encoded = (0..60).fold("\"hcl\"".to_owned(), |text, _| format!("base64encode({text})"));
    folder.command(&["eval", &encoded]).assert().code(2).stderr_eq(str![[r#"
error[too-many-bytes]: Too much text
...
"#]]);
}

#[test]
fn limits_are_set_on_the_command_line() {
    let folder = Folder::with(&[]);
    let squares = "[for n in range(100) : n * n]";
    folder.command(&["eval", "--max-elements", "50", squares]).assert().code(2).stderr_eq(str![[r#"
error[too-many-elements]: Too many elements
...
  = note: The evaluation exceeds the limit of 50 elements.

"#]]);
    folder.command(&["eval", "--max-bytes", "20", "format(\"%30d\", 1)"]).assert().code(2).stderr_eq(str![[
        r#"
error[too-many-bytes]: Too much text
...
  = note: The evaluation exceeds the limit of 20 bytes of text.

"#
    ]]);
    folder.command(&["eval", "--max-elements", "many", "1"]).assert().code(2);
}

#[test]
fn values_have_a_depth_limit() {
    let folder = Folder::with(&[]);
    let deep = format!("{}v{}", "[".repeat(200), "]".repeat(200));
    let loops = format!("{}v{}", format!("[for v in [{deep}] : ").repeat(100), "]".repeat(100));
    for command in [loops.clone(), format!("length({loops})"), format!("{loops} == 1")] {
        folder.command(&["eval", "--var", "v=1", &command]).assert().code(2).stderr_eq(str![[r#"
error[value-too-deep]: Value nested too deep
...
"#]]);
    }
}

/// Each line is indented by its level, so the size of the text is quadratic in the nesting.
#[test]
fn indented_text_is_limited() {
    let nested = format!("{}{}", "b {\n".repeat(400), "}\n".repeat(400)).repeat(10);
    let folder = Folder::with(&[("a.hcl", &nested)]);
    let most = "--max-size=2MiB";
    folder.command(&["fmt", most, "a.hcl"]).assert().code(2).stderr_eq(str![[r#"
error: cannot format a.hcl: the formatted text would be larger than 2097152 bytes; use --max-size to raise the limit

"#]]);
    assert_eq!(folder.read("a.hcl"), nested);
    folder.command(&["fmt", "a.hcl"]).assert().success();
}

#[test]
fn specs_scripts_and_paths_are_evaluated_within_limits() {
    let items = ["1"; 90].join(",");
    let large =
        format!("[for a in [{items}]: [for b in [{items}]: [for c in [{items}]: [for d in [{items}]: 1]]]]");
    let attribute = "attr {\n  name = \"a\"\n}\n";
    let folder = Folder::with(&[
        ("a.hcl", "a = 1\n"),
        ("a.json", "{\"a\": 1}\n"),
        ("large.hcl", &format!("b {{\n  a = {large}\n}}\n")),
        ("literal.hcldec", &format!("literal {{\n  value = {large}\n}}\n")),
        ("variables.hcldec", &format!("{attribute}variables {{\n  x = {large}\n}}\n")),
        ("script.hcl", &format!("match \"a\" {{\n  where = length({large}) == 1\n  delete = [\".\"]\n}}\n")),
    ]);
    for arguments in [
        &["decode", "--spec", "literal.hcldec", "a.hcl"][..],
        &["decode", "--spec", "variables.hcldec", "a.hcl"],
        &["schema", "--spec", "literal.hcldec"],
        &["check", "--spec", "variables.hcldec", "a.hcl"],
        &["convert", "--spec", "literal.hcldec", "a.json"],
        &["edit", "--script", "script.hcl", "a.hcl"],
        &["edit", "b[a == 1].c=1", "large.hcl"],
        &["edit", "attribute", "get", "b[a == 1].c", "-f", "large.hcl"],
        &["eval", "--vars", "large.hcl", "1"],
        &["eval", "--vars", "x=large.hcl", "1"],
    ] {
        // Without limits, this takes more memory than the test has.
        let mut command = std::process::Command::new("sh");
        let script = "ulimit -v 1000000; exec \"$@\"";
        command.args(["-c", script, "sh"]).arg(crate::program::program()).args(arguments);
        let ended = command.current_dir(folder.path("")).output().unwrap();
        let code = ended.status.code();
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert!(matches!(code, Some(0..=2)), "{arguments:?}: {code:?}: {errors:.500}");
    }
}
