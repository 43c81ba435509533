//! No command ends with exit code 0 or 1 if a limit ended any of its work, and the table of exit codes is right.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::process::{Command, Output};

use crate::program::{Folder, program};
use snapbox::str;

/// A value that exceeds the limit on bytes.
fn endless() -> String {
    (0..40).fold("\"x\"".to_owned(), |text, _| format!("[for v in [{text}] : \"${{v}}${{v}}\"][0]"))
}

/// Runs of each command in which a limit ends the work. `deep` contains files with too many levels. Empty lists are for
/// commands that read nothing.
fn limited(command: &str) -> &'static [&'static [&'static str]] {
    match command {
        "decode" => &[
            &["-s", "a.hcldec", "a.hcl"],
            &["-s", "endless.hcldec", "b.hcl"],
            &["-s", "a.hcldec", "deep/a.hcl"],
            &["-s", "deep/a.hcldec", "b.hcl"],
        ],
        "schema" => &[&["-s", "endless.hcldec"], &["-s", "deep/a.hcldec"], &["deep"]],
        "docs" => &[&["deep"], &["deep/a.hcldec"], &["--inject", "README.md", "--check", "deep"]],
        "check" => &[
            &["module"],
            &["shared"],
            &["deep"],
            &["deep/a.hcl"],
            &["--fix", "deep/a.hcl"],
            &["--syntax-only", "deep/a.hcl"],
            &["-s", "a.hcldec", "a.hcl"],
        ],
        "merge" => &[&["b.hcl", "deep/a.hcl", "a.hcl"], &["b.hcl", "deep/a.hcl", "a.hcl", "--result", "-"]],
        "edit" => &[
            &["--delete", "b~[decoy == 1]", "a.hcl"],
            &["--sort", "b~[self == 1]", "a.hcl"],
            &["b~[decoy == 1].c=1", "a.hcl"],
            &["--move", "c=b~[decoy == 1]", "a.hcl"],
            &["--script", "endless.edits", "a.hcl"],
            &["--script", "deep/script.edits", "a.hcl"],
            &["a=2", "deep/a.hcl"],
            &["attribute", "get", "b~[decoy == 1].public", "-f", "a.hcl"],
            &["attribute", "set", "b~[decoy == 1].public", "1", "-f", "a.hcl"],
            &["attribute", "rm", "b~[decoy == 1].public", "-f", "a.hcl"],
            &["attribute", "get", "a", "-f", "deep/a.hcl"],
            &["block", "get", "b~[decoy == 1]", "-f", "a.hcl"],
            &["block", "rm", "b~[decoy == 1]", "-f", "a.hcl"],
            &["--merge", "deep/a.hcl", "b.hcl"],
            &["--merge", "b.hcl", "deep/a.hcl"],
        ],
        "query" => &[
            &["b~[decoy == 1]", "a.hcl"],
            &["--exit-code", "b~[self == 1]", "a.hcl"],
            &["--count", "b~[decoy == 1]", "a.hcl"],
            &["--json", "..[decoy == 1]", "a.hcl"],
            &["--expr", "b", "a.hcl"],
            &["--exit-code", "nothing", "deep/a.hcl"],
        ],
        "eval" => &[
            &["-f", "a.hcl"],
            &["-f", "a.hcl", "--output", "json"],
            &["module"],
            &["module", "module.*.x", "module.*[self == 1]", "output"],
            &["module", "local.*[length(self) > LENGTH]"],
            &["-f", "shared.hcl"],
            &["-f", "shared.hcl", "--output", "json"],
            &["-f", "shared.hcl", "--output", "typed"],
            &["module", "--partial"],
            &["shared"],
            &["shared", "--partial"],
            &["shared", "--output", "json"],
            &["deep"],
            &["deep", "--partial"],
            &["deep", "--inputs-template"],
            &["deep", "--inputs-check"],
            &["-f", "deep/a.hcl"],
        ],
        "console" => &[&["--no-history"], &["--no-history", "deep"]],
        "convert" => &[
            &["deep/a.hcl"],
            &["--to", "hcl", "deep/a.json"],
            &["--spec", "endless.hcldec", "b.json"],
            &["--spec", "deep/a.hcldec", "b.json"],
            &["--literal", "deep/a.hcl"],
        ],
        "rename" => &[&["local.x", "y", "deep"]],
        "refs" => &[&["local.x", "deep"]],
        "split" => &[&["deep"]],
        "test" => &[&["--rules", "builtin:all", "module"], &["--rules", "builtin:all", "deep"]],
        "fmt" => &[&["--check", "deep/a.hcl"], &["--check", "deep"], &["--list", "deep"]],
        "graph" => &[&["deep"]],
        "diff" => &[
            &["module", "small"],
            &["small", "module", "--output", "json"],
            &["small", "shared", "--explain"],
            &["deep", "small"],
            &["small", "deep"],
        ],
        "tables" => &[
            &["--table", "files", "deep"],
            &["--table", "diagnostics", "deep/a.hcl"],
            &["--table", "values", "module"],
            &["--table", "values", "shared"],
            &["--out", "tables", "--evaluate", "module", "deep"],
        ],
        "dump" => &[&["tree", "deep/a.hcl"], &["tokens", "deep/a.hcl"]],
        // The server goes on after a limit.
        "explain" | "completions" | "lsp" | "mcp" | "man" | "help" => &[],
        other => panic!("list runs of `hcl {other}` in which a limit ends the work"),
    }
}

fn folder() -> Folder {
    let endless = endless();
    let blocks = format!("b {{\n  public = true\n}}\nb {{\n  decoy = {endless}\n  public = true\n}}\n");
    let module = format!(
        "locals {{\n  x = {endless}\n  y = {{ a = \"b\" }}\n}}\noutput \"x\" {{\n  value = local.x\n}}\n"
    );
    let shared = (0..40).fold("\"x\"".to_owned(), |value, _| format!("[for v in [{value}] : [v, v]][0]"));
    let attribute = "attr \"decoy\" {\n        type = string\n      }";
    let spec =
        format!("object {{\n  block_list \"b\" {{\n    object {{\n      {attribute}\n    }}\n  }}\n}}\n");
    let script =
        |value: &str| format!("match \"b\" {{\n  where = length({value}) == 1\n  delete = [\".\"]\n}}\n");
    let deep = "[".repeat(1_500) + &"]".repeat(1_500);
    let level = |at: usize| format!("  a{at} = [local.a{0}, local.a{0}]\n", at + 1);
    let levels = (0..40).map(level).collect::<Vec<_>>().concat();
    Folder::with(&[
        ("deep/main.tf", &format!("locals {{\n  x = {deep}\n}}\n")),
        ("deep/a.hcl", &format!("a = {deep}\n")),
        ("deep/a.json", &format!("{{\"a\": {deep}}}\n")),
        ("deep/a.hcldec", &format!("literal {{\n  value = {deep}\n}}\n")),
        ("deep/script.edits", &script(&deep)),
        ("shared/main.tf", &format!("locals {{\n{levels}  a40 = null\n  x = flatten(local.a0)\n}}\n")),
        ("endless.edits", &script(&endless)),
        ("b.json", "{\"a\": 1}\n"),
        ("a.hcl", &blocks),
        ("b.hcl", "a = 1\n"),
        ("module/main.tf", &module),
        ("small/main.tf", "locals {\n  y = { a = \"b\" }\n}\n"),
        ("shared.hcl", &format!("a = {shared}\n")),
        ("a.hcldec", &spec),
        ("endless.hcldec", &format!("literal {{\n  value = {endless}\n}}\n")),
    ])
}

/// Small limits, for all commands.
pub(crate) const SMALL_LIMITS: [&str; 6] =
    ["--max-steps", "20000", "--max-elements", "20000", "--max-bytes", "1048576"];

/// The commands, as `hcl help` lists them, and that one.
pub(crate) fn commands(folder: &Folder) -> BTreeSet<String> {
    let help = folder.command(&["--help"]).assert().success();
    let help = String::from_utf8(help.get_output().stdout.clone()).unwrap();
    let list = help.split("Options:\n").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).chain(["help"]).map(str::to_owned).collect()
}

#[test]
fn a_limit_that_ends_work_is_exit_code_2() {
    let folder = folder();
    let commands = commands(&folder);
    assert!(commands.len() >= 17, "{commands:?}");
    let mut failed = Vec::new();
    for command in &commands {
        for run in limited(command) {
            let run: Vec<String> = run.iter().map(|word| word.replace("LENGTH", &endless())).collect();
            let mut words: Vec<&str> = vec![command];
            words.extend(run.iter().map(String::as_str));
            words.extend(SMALL_LIMITS);
            let input = if command == "console" { endless() + "\n" } else { String::new() };
            let ended = folder.hcl_reading(&words, &input);
            let output = ended.get_output();
            let code = output.status.code();
            let messages = String::from_utf8_lossy(&output.stderr).into_owned()
                + &String::from_utf8_lossy(&output.stdout);
            let is_limit = messages.contains("exceeds the limit") || messages.contains("Nesting too deep");
            // The limits of the options hold, not the defaults.
            let numbers = messages.split("exceeds the limit of ").skip(1);
            let mut numbers = numbers.map(|rest| rest.split(' ').next().unwrap_or_default());
            let is_small = numbers.all(|number| SMALL_LIMITS.contains(&&*number.replace(',', "")));
            if code != Some(2) || !is_limit || !is_small {
                for word in &mut words {
                    *word = &word[..word.len().min(60)];
                }
                failed.push(format!("{words:?}: {code:?} {messages:.300}"));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The table of the documentation: each example ends with its code, all commands are in it, and those that a limit can end have 2.
#[test]
fn the_table_of_exit_codes_is_right() {
    let folder = Folder::with(&[
        ("fine/main.tf", "locals {\n  x = 1\n}\n\noutput \"x\" {\n  value = local.x\n}\n"),
        ("messy/main.tf", "locals {\n  x=1\n}\n\noutput \"x\" {\n  value = local.x\n}\n"),
        ("other/main.tf", "output \"x\" {\n  value = 2\n}\n"),
        ("bad/main.tf", "locals {\n  x =\n}\n"),
        ("service.hcldec", "attr {\n  name = \"port\"\n  type = number\n}\n"),
        ("web.hcl", "port = 80\n"),
        ("wrong.hcl", "port = \"x\"\n"),
        (
            "no-outputs.rules.hcl",
            "rule \"no-outputs\" {\n  match     = \"output.*\"\n  condition = false\n  message   = \"${item.address}\"\n}\n",
        ),
    ]);
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/exit-codes.md")).unwrap();
    let mut codes: BTreeMap<String, BTreeSet<i32>> = BTreeMap::new();
    let mut failed = Vec::new();
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let row = row.replace("\\|", "\u{1}");
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [command, code, _, example] = cells[..] else { panic!("{row} is not a row") };
        let (command, line) = (command.trim_matches('`'), example.trim_matches('`').replace('\u{1}', "|"));
        let code: i32 = code.parse().unwrap();
        assert!(line.contains(&format!("hcl {command}")), "{line} is no example of {command}");
        let ended = shell(&line, &folder);
        if ended.status.code() != Some(code) {
            failed.push(format!("{line}: {:?}, not {code}: {ended:?}", ended.status.code()));
        }
        codes.entry(command.to_owned()).or_default().insert(code);
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    let commands = commands(&folder);
    assert_eq!(codes.keys().collect::<Vec<_>>(), commands.iter().collect::<Vec<_>>());
    for (command, codes) in &codes {
        assert!(codes.contains(&0), "{command} succeeds");
        assert!(codes.contains(&2) || limited(command).is_empty(), "a limit can end {command}");
        assert!(!codes.contains(&3) || command == "fmt", "{command}");
    }
}

/// Runs a line as a shell does.
fn shell(line: &str, folder: &Folder) -> Output {
    let mut path = OsString::from(program().parent().unwrap());
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    Command::new("sh").args(["-c", line]).current_dir(folder.path("")).env("PATH", path).output().unwrap()
}

/// A limit does not change which languages there are, so that nothing is said to be missing because of one.
#[test]
fn limits_do_not_hide_languages() {
    let folder = Folder::with(&[("a/main.tf", "locals {\n  x = 1\n}\n")]);
    for limit in [["--timeout", "0.000001"], ["--max-elements", "0"], ["--max-steps", "0"]] {
        for words in [&["eval", "a"][..], &["refs", "local.x", "a"], &["rename", "local.x", "y", "a"]] {
            let ended = folder.command(words).args(limit).output().unwrap();
            let messages = String::from_utf8_lossy(&ended.stderr);
            let is_wrong = ["not found", "known language"].iter().any(|text| messages.contains(text));
            assert!(ended.status.code() != Some(1) && !is_wrong, "{words:?} {limit:?}: {messages}");
        }
    }
}

#[test]
fn each_file_has_a_budget_for_its_predicates() {
    let folder = folder();
    // The other attributes of a block are not evaluated.
    folder
        .hcl(&["query", "--exit-code", "--count", "b~[public == true]", "a.hcl"])
        .success()
        .stdout_eq("2\n");
    let ended = folder.hcl(&["query", "b~[decoy == 1]", "a.hcl", "b.hcl"]).code(2);
    let messages = String::from_utf8_lossy(&ended.get_output().stderr).into_owned();
    assert!(messages.contains("a.hcl") && !messages.contains("b.hcl"), "{messages}");
}

#[test]
fn a_broken_predicate_is_an_error() {
    let folder = folder();
    for (code, command) in [
        (2, &["query", "b~[undefined(public)]", "a.hcl"][..]),
        (2, &["query", "--exit-code", "b~[undefined()]", "a.hcl"]),
        (2, &["edit", "--delete", "b~[undefined(public)]", "a.hcl"]),
        // As for other errors in what is evaluated.
        (1, &["eval", "small", "local.*[undefined(self)]"]),
    ] {
        let ended = folder.hcl(command);
        let messages = String::from_utf8_lossy(&ended.get_output().stderr).into_owned();
        assert_eq!(ended.get_output().status.code(), Some(code), "{command:?}: {messages}");
        assert!(messages.to_lowercase().contains("unknown function"), "{command:?}: {messages}");
    }
}

#[test]
fn a_predicate_is_true_or_false() {
    let folder = Folder::with(&[(
        "a.hcl",
        "b \"one\" {\n  on   = \"true\"\n  tags = { a = 1 }\n}\nb \"two\" {\n  on = \"false\"\n}\n",
    )]);
    // Text is converted, as in conditions, and null is not true.
    folder.hcl(&["query", "--count", "b~[on]", "a.hcl"]).success().stdout_eq("1\n");
    folder.hcl(&["query", "--count", "b~[none]", "a.hcl"]).code(1).stdout_eq("0\n");
    folder.hcl(&["query", "--count", "b~[tags != null]", "a.hcl"]).success().stdout_eq("1\n");
    folder.hcl(&["query", "b~[tags]", "a.hcl"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: cannot evaluate a predicate for a.hcl: Incorrect condition type: A predicate must be true or false, but the type of this one is object. To select what has a value, write `… != null`.

"#]]);
    folder.hcl(&["edit", "--delete", "b~[tags]", "a.hcl"]).code(2);
    folder.hcl(&["query", "b~[block.type]", "a.hcl"]).code(2);
}
