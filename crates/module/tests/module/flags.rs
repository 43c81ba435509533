//! What is not plainly `false` hides a value: all ways to write `sensitive` and `ephemeral`, in both syntaxes, of all declarations
//! that have them, and while a file is being typed.

use hclkit_module::{Dialect, Memory, Module, ModuleLoader};

const CANARY: &str = "canary7c1d";

/// All ways to write a flag that hide, in the native syntax.
const HIDING: [&str; 19] = [
    "FLAG = true",
    "FLAG = \"true\"",
    "FLAG = (true)",
    "FLAG = 1 == 1",
    "FLAG = \"${true}\"",
    "FLAG = tru",
    "FLAG = var.other",
    "FLAG = yes(",
    "FLAG = null",
    "FLAG = 1",
    "FLAG = \"\"",
    "FLAG = [false]",
    "FLAG =",
    "FLAG",
    "FLAG true",
    "FLAG: true",
    "FLAG {}",
    "FLAG {\n    x = false\n  }",
    "FLAG = false\n  FLAG = true",
];

const SHOWING: [&str; 4] = ["", "FLAG = false", "FLAG = \"false\"", "FLAG = 1 == 2"];

/// The same in the JSON syntax, as values. Terraform reads strings there as text.
const JSON_HIDING: [&str; 9] =
    ["true", "\"true\"", "\"${true}\"", "\"${false}\"", "\"\"", "null", "1", "[false]", "{\"x\": false}"];

const JSON_SHOWING: [&str; 2] = ["false", "\"false\""];

fn load(dialect: &str, files: &[(&str, String)]) -> Module {
    let files: Memory = files.iter().map(|(name, text)| (*name, text.clone())).collect();
    ModuleLoader::new(Dialect::named(dialect).unwrap()).with_files(files).load()
}

/// What may be shown of a module: values, messages, and how values are computed.
fn shown(module: &Module, with_messages: bool) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    let evaluation = module.evaluate(&[]);
    for found in &evaluation.values {
        let value = if found.sensitive { "(sensitive)".to_owned() } else { found.value.to_string() };
        let _ = writeln!(out, "{} = {value}", found.address);
    }
    for diagnostic in evaluation.diagnostics.iter().filter(|_| with_messages) {
        let _ = writeln!(out, "{}: {}", diagnostic.summary(), diagnostic.note());
    }
    for found in &module.explain(&[]).all {
        let value = if found.sensitive { "(sensitive)".to_owned() } else { found.value.to_string() };
        let source = found.expression.as_ref().map_or("", |(expression, _)| expression.text());
        let _ = writeln!(out, "{} = {value} {source}", found.address);
    }
    out
}

/// The declarations that can have a flag, in each language: the name of the language and the file, a flag, and text with `FLAGS`.
fn declarations(json: bool) -> Vec<(&'static str, &'static str, &'static str, String)> {
    let uses = "locals {\n  used = upper(var.a)\n}\noutput \"o\" {\n  value = [var.a]\n}\n";
    let mut all = Vec::new();
    for (language, file) in [("terraform", "main.tf"), ("opentofu", "main.tofu")] {
        for flag in ["sensitive", "ephemeral"] {
            if json {
                let name = if language == "terraform" { "main.tf.json" } else { "main.tofu.json" };
                let variable = format!(r#"{{"variable": {{"a": {{"default": "{CANARY}", FLAGS}}}}}}"#);
                let output = format!(r#"{{"output": {{"b": [{{"value": "{CANARY}", FLAGS}}]}}}}"#);
                all.extend([variable, output].map(|text| (language, name, flag, text)));
                continue;
            }
            for variable in [
                format!("variable \"a\" {{\n  default = \"{CANARY}\"\n  FLAGS\n}}\n{uses}"),
                format!(
                    "variable \"a\" {{\n  FLAGS\n  type = number\n  default = [\"{CANARY}\"]\n}}\n{uses}"
                ),
            ] {
                all.push((language, file, flag, variable));
            }
            let output = format!("output \"b\" {{\n  FLAGS\n  value = \"{CANARY}\"\n}}\n");
            all.push((language, file, flag, output));
        }
    }
    if !json {
        let local = format!(
            "local \"b\" {{\n  expression = \"{CANARY}\"\n  FLAGS\n}}\nlocals {{\n  used = upper(local.b)\n}}\n"
        );
        let variable = format!(
            "variable \"a\" {{\n  default = \"{CANARY}\"\n  FLAGS\n}}\nlocals {{\n  used = upper(var.a)\n}}\n"
        );
        all.extend([local, variable].map(|text| ("packer", "a.pkr.hcl", "sensitive", text)));
    }
    all
}

fn is_shown(language: &str, files: &[(&str, String)], with_messages: bool) -> Option<String> {
    let text = shown(&load(language, files), with_messages);
    let lower = text.to_lowercase();
    lower.contains(CANARY).then_some(text)
}

#[test]
fn what_is_not_plainly_false_hides() {
    for (language, file, flag, text) in declarations(false) {
        let with = |way: &str| text.replace("FLAGS", &way.replace("FLAG", flag));
        for way in HIDING {
            let text = with(way);
            let found = is_shown(language, &[(file, text.clone())], true);
            assert_eq!(found, None, "{language}: {text}");
        }
        // An invalid default is in no value, and the message about it says what it is.
        for way in SHOWING.iter().filter(|_| !text.contains("type")) {
            assert!(is_shown(language, &[(file, with(way))], true).is_some(), "{}", with(way));
        }
    }
    for (language, file, flag, text) in declarations(true) {
        let with = |value: &str| text.replace("FLAGS", &format!("\"{flag}\": {value}"));
        for value in JSON_HIDING {
            assert_eq!(is_shown(language, &[(file, with(value))], true), None, "{language}: {}", with(value));
        }
        for value in JSON_SHOWING {
            assert!(is_shown(language, &[(file, with(value))], true).is_some(), "{}", with(value));
        }
    }
}

/// Deleting one character, or adding one that is typed in structures, never shows the value.
#[test]
fn a_declaration_that_is_being_typed_hides() {
    for (language, file, flag, text) in declarations(false).into_iter().chain(declarations(true)) {
        let is_json = file.ends_with("json");
        let own = if is_json { format!("\"{flag}\": true") } else { format!("{flag} = true") };
        let text = text.replace("FLAGS", &own);
        let canary = text.find(CANARY).unwrap()..text.find(CANARY).unwrap() + CANARY.len();
        for at in (0..text.len()).filter(|at| !canary.contains(at)) {
            let mut less = text.clone();
            less.remove(at);
            let added = ['"', '{', '}', '[', '(', '\n', '=', ',', 'x', '\\', '$'].map(|sign| {
                let mut more = text.clone();
                more.insert(at, sign);
                more
            });
            for changed in std::iter::once(less).chain(added) {
                // Messages quote what is wrong in the lines that they are about, and show them.
                let found = is_shown(language, &[(file, changed.clone())], false);
                assert_eq!(found, None, "{language}: {changed}");
            }
        }
    }
}

/// A flag in an override file, and a default in one.
#[test]
fn override_files_hide() {
    let default = format!("variable \"a\" {{\n  default = \"{CANARY}\"\n}}\n");
    for way in HIDING {
        let flag = format!("variable \"a\" {{\n  {}\n}}\n", way.replace("FLAG", "sensitive"));
        for (base, change) in [(&default, &flag), (&flag, &default)] {
            let files = [("main.tf", base.clone()), ("override.tf", change.clone())];
            assert_eq!(is_shown("terraform", &files, true), None, "{files:?}");
        }
    }
    let files = [
        ("main.tf", format!("{default}\nvariable \"b\" {{\n  sensitive = true\n}}\n")),
        ("override.tf", "variable \"b\" {\n  sensitive = false\n}\n".to_owned()),
    ];
    assert!(is_shown("terraform", &files, true).is_some());
}
