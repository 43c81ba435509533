//! Limits that hold although nobody asked for them, and those on the command line.

use snapbox::str;

use crate::program::Folder;

/// Two of each in the next: forty levels take little memory, and no disk holds them written out.
fn doubled(levels: usize) -> String {
    (0..levels).fold("\"x\"".to_owned(), |value, _| format!("[for v in [{value}] : [v, v]][0]"))
}

#[test]
fn shared_values_are_written_within_limits() {
    let folder = Folder::with(&[]);
    let value = doubled(40);
    for output in ["hcl", "json", "typed"] {
        let command = ["eval", "--output", output, &value];
        folder.command(&command).assert().code(1).stdout_eq(str![]).stderr_eq(str![[r#"
error: the output exceeds the limit of 268435456 bytes; use --max-bytes to raise it

"#]]);
    }
    folder.command(&["eval", &format!("jsonencode({value})")]).assert().code(1).stderr_eq(str![[r#"
error[too-many-bytes]: Too much text
...
"#]]);
}

#[test]
fn doubled_text_is_limited() {
    let folder = Folder::with(&[]);
    let text =
        (0..40).fold("\"x\"".to_owned(), |text, _| format!("[for v in [{text}] : \"${{v}}${{v}}\"][0]"));
    folder.command(&["eval", &text]).assert().code(1).stderr_eq(str![[r#"
error[too-many-bytes]: Too much text
...
"#]]);
    let encoded = (0..60).fold("\"hcl\"".to_owned(), |text, _| format!("base64encode({text})"));
    folder.command(&["eval", &encoded]).assert().code(1).stderr_eq(str![[r#"
error[too-many-bytes]: Too much text
...
"#]]);
}

#[test]
fn limits_are_set_on_the_command_line() {
    let folder = Folder::with(&[]);
    let squares = "[for n in range(100) : n * n]";
    folder.command(&["eval", "--max-elements", "50", squares]).assert().code(1).stderr_eq(str![[r#"
error[too-many-elements]: Too many elements
...
  = note: The evaluation exceeds the limit of 50 elements.

"#]]);
    folder.command(&["eval", "--max-bytes", "20", "format(\"%30d\", 1)"]).assert().code(1).stderr_eq(str![[
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
        folder.command(&["eval", "--var", "v=1", &command]).assert().code(1).stderr_eq(str![[r#"
error[value-too-deep]: Value nested too deep
...
"#]]);
    }
}

/// Each line is indented by its level: the text is in the square of the nesting.
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
