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
        ("old/main.tf", "resource \"terraform_data\" \"a\" {\n  input = 1\n}\n"),
        ("new/main.tf", "resource \"terraform_data\" \"a\" {\n  input = 2\n}\n"),
    ]);
    // Rules with the expression at each place.
    let rule =
        |more: &str| format!("rule \"a\" {{\n  match = \"resource.*.*\"\n  message = \"m\"\n{more}}}\n");
    let condition = "  condition = self.input == null\n";
    let policy =
        |more: &str| format!("resource_policy \"terraform_data\" \"a\" {{\n  enforce {{\n{more}  }}\n}}\n");
    let rules = [
        ("condition.rules.hcl", rule(&format!("  condition = length({large}) == 0\n"))),
        ("where.rules.hcl", rule(&format!("{condition}  where = length({large}) > 0\n"))),
        ("fix.rules.hcl", rule(&format!("{condition}  fix {{\n    set = {{ a = length({large}) }}\n  }}\n"))),
        (
            "locals.rules.hcl",
            format!("locals {{\n  l = length({large})\n}}\n{}", rule("  condition = local.l == 0\n")),
        ),
        (
            "function.rules.hcl",
            format!(
                "function \"f\" {{\n  params = [x]\n  result = length({large})\n}}\n{}",
                rule("  condition = f(1) == 0\n")
            ),
        ),
        (
            "param.rules.hcl",
            format!(
                "param \"p\" {{\n  default = length({large})\n}}\n{}",
                rule("  condition = param.p == 0\n")
            ),
        ),
        ("enforce.policy.hcl", policy(&format!("    condition = length({large}) == 0\n"))),
        (
            "locals.policy.hcl",
            format!("locals {{\n  l = length({large})\n}}\n{}", policy("    condition = local.l == 0\n")),
        ),
    ];
    for (name, text) in &rules {
        folder.write(name, text);
    }
    let with_rules = rules.iter().flat_map(|(name, _)| {
        let test = vec!["test", "--rules", name, "old"];
        let diff = vec!["diff", "old", "new", "--rules", name];
        [test].into_iter().chain(name.ends_with(".rules.hcl").then_some(diff))
    });
    let others = [
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
    ];
    for arguments in others.iter().map(|own| own.to_vec()).chain(with_rules) {
        // Without limits, this takes more memory than the test has.
        let mut command = std::process::Command::new("sh");
        let script = "ulimit -v 1000000; exec \"$@\"";
        command.args(["-c", script, "sh"]).arg(crate::program::program()).args(&arguments);
        let ended = command.current_dir(folder.path("")).output().unwrap();
        let code = ended.status.code();
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert!(matches!(code, Some(0..=2)), "{arguments:?}: {code:?}: {errors:.500}");
    }
}

/// Edits of everything that a path selects, by the option, and as attributes of a script. `NEW` is a text, and `ALL` the path of
/// all blocks.
const EDITS: &[(&str, &str, &str)] = &[
    ("", "ALL.a=\"NEW\"", "set = { a = \"NEW\" }"),
    ("", "ALL.new=\"NEW\"", "set = { new = \"NEW\" }"),
    ("", "ALL.o.new=\"NEW\"", "set = { \"o.new\" = \"NEW\" }"),
    ("--create", "ALL.new.item=\"NEW\"", ""),
    ("--append", "ALL.l=\"NEW\"", "append = { l = [\"NEW\"] }"),
    ("--append", "ALL.o=new = \"NEW\"", "append = { o = { new = \"NEW\" } }"),
    ("--append", "ALL=new = \"NEW\"", "insert \"end\" {\n    new = \"NEW\"\n  }"),
    ("--prepend", "ALL.l=\"NEW\"", "prepend = { l = [\"NEW\"] }"),
    ("--prepend", "ALL.o=new = \"NEW\"", "prepend = { o = { new = \"NEW\" } }"),
    ("--prepend", "ALL=new = \"NEW\"", "insert \"start\" {\n    new = \"NEW\"\n  }"),
    ("--before", "ALL=new \"NEW\" {}", "insert \"before\" {\n    new \"NEW\" {}\n  }"),
    ("--before", "ALL.l[0]=\"NEW\"", ""),
    ("--after", "ALL=new \"NEW\" {}", "insert \"after\" {\n    new \"NEW\" {}\n  }"),
    ("--after", "ALL.o.x=new = \"NEW\"", ""),
    ("--rename", "ALL=NEW", "rename = { \".\" = \"NEW\" }"),
    ("--rename", "ALL.a=NEW", "rename = { a = \"NEW\" }"),
    ("--rename", "ALL.o.x=NEW", "rename = { \"o.x\" = \"NEW\" }"),
    ("--move", "ALL=c", "move = \"c\""),
    ("--sort", "ALL", ""),
];

/// A small value at many places is a large text. The text that moves counts, too.
#[test]
fn new_text_of_edits_is_limited() {
    let block = |number: usize| {
        let text = "x".repeat(100);
        format!("b \"n{}\" {{\n  a = \"{text}\"\n  o = {{ x = 1 }}\n  l = [1]\n}}\n", 1_000 - number)
    };
    let blocks = format!("{}\nc {{\n}}\n", (0..100).map(block).collect::<String>());
    let object = |number: usize| format!("\"n{number}\": {{\"a\": 1, \"o\": {{\"x\": 1}}, \"l\": [1]}}");
    let objects = format!("{{\"b\": {{{}}}}}\n", (0..100).map(object).collect::<Vec<_>>().join(", "));
    let new = "y".repeat(100);
    let folder = Folder::with(&[("a.hcl", &blocks), ("a.hcl.json", &objects)]);
    let run = |arguments: &[&str]| {
        let limited = [&["edit", "--max-bytes", "9999"], arguments].concat();
        folder.hcl(&limited).code(2).stderr_eq(
            "error: [..]: [..]the new text exceeds the limit of 9999 bytes; use --max-bytes to raise it\n",
        );
        folder.hcl(&[&["edit"], arguments].concat()).success();
    };
    for (option, edit, script) in EDITS {
        let edit = edit.replace("NEW", &new).replace("ALL", "b.*");
        let option = Some(option).filter(|option| !option.is_empty());
        let words: Vec<&str> = option.into_iter().copied().chain([edit.as_str()]).collect();
        run(&[&words[..], &["a.hcl"]].concat());
        // In the JSON syntax, blocks are no containers of attributes.
        let has_json = option != Some(&"--move") && option != Some(&"--sort") && !edit.contains("=new");
        if has_json {
            run(&[&words[..], &["a.hcl.json"]].concat());
        }
        if !script.is_empty() {
            let script = format!("match \"b.*\" {{\n  {}\n}}\n", script.replace("NEW", &new));
            folder.write("script.hcl", &script);
            run(&["--script", "script.hcl", "a.hcl"]);
        }
    }
    // Nothing is new.
    folder.hcl(&["edit", "--max-bytes", "9999", "--delete", "b.*.a", "a.hcl"]).success();
}
