//! Files in HCL 1: chosen by `--language` and by the tables of a project, never guessed; checked, evaluated, converted and queried,
//! and changed only by the formatter, if its language is given.

use std::fs;

use crate::exit_codes::commands;
use crate::program::Folder;

/// Valid only in HCL 1: a comma after an argument, several arguments on a line, quoted names and objects without commas.
const AGENT: &str = "datacenter = \"dc1\",\nports { http = 8501 https = 0x21 }\nmeta { \"driver.raw_exec\" = \"1\" }\nmode = 0644 # octal\n";

/// Valid in both, with other values.
const BOTH: &str = "mode = 0644\nname = \"${name}\"\n";

const TABLE: &str = "name   = \"agents\"\ntitle  = \"Our agents\"\nsyntax = \"hcl1\"\n\nfile \"settings\" {\n  names = [\"*.agent\"]\n}\n";

fn project() -> Folder {
    Folder::with(&[
        ("hcl.toml", "languages = [\"agents.hcl\"]\n"),
        ("agents.hcl", TABLE),
        ("etc/consul.agent", AGENT),
        ("etc/both.agent", BOTH),
        ("etc/plain.hcl", AGENT),
    ])
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// For each command, a run and what it writes only if it reads the file as HCL 1. The others read no configuration of an
/// application, or modules.
fn runs(command: &str) -> Option<(&'static str, &'static str)> {
    Some(match command {
        "check" => ("check etc/consul.agent", "no problems found"),
        "fmt" => ("fmt etc/consul.agent", "HCL 1 is formatted only with --language"),
        "edit" => ("edit mode=1 etc/consul.agent", "HCL 1 is only read"),
        "query" => ("query ports.https etc/consul.agent", "0x21"),
        "convert" => ("convert etc/consul.agent", "\"https\": 33"),
        "eval" => ("eval -f etc/consul.agent", "[{ \"driver.raw_exec\" = \"1\" }]"),
        "tables" => ("tables --table files etc/consul.agent", "\"syntax\":\"hcl1\""),
        "merge" => ("merge agents.hcl etc/consul.agent etc/both.agent --result -", "because it is in HCL 1"),
        "dump" => ("dump tree etc/consul.agent", "Number  \"0x21\""),
        "rename" | "refs" | "split" | "test" | "console" | "graph" | "decode" | "schema" | "explain"
        | "diff" | "docs" | "mcp" | "completions" | "man" | "help" | "lsp" => return None,
        _ => panic!("{command}: does it read HCL 1?"),
    })
}

#[test]
fn every_command_reads_the_files_of_a_table() {
    let folder = project();
    for command in commands(&folder) {
        let Some((line, expected)) = runs(&command) else { continue };
        let found = folder.hcl(&line.split(' ').collect::<Vec<_>>());
        let output = found.get_output();
        let all = text(&output.stdout) + &text(&output.stderr);
        assert!(all.contains(expected), "{line}: {all}");
        // These also print what they can read of HCL 2.
        if command == "query" || command == "dump" {
            continue;
        }
        // Without the table, the file is in no known language.
        fs::rename(folder.root().join("hcl.toml"), folder.root().join("off")).unwrap();
        let found = folder.hcl(&line.split(' ').collect::<Vec<_>>());
        fs::rename(folder.root().join("off"), folder.root().join("hcl.toml")).unwrap();
        let output = found.get_output();
        let all = text(&output.stdout) + &text(&output.stderr);
        assert!(!all.contains(expected), "{line}: {all}");
    }
    assert_eq!(fs::read_to_string(folder.root().join("etc/consul.agent")).unwrap(), AGENT);
}

/// Applications that read HCL 1 are named, and their files have any name.
#[test]
fn languages_choose_hcl_1() {
    let folder = project();
    for language in [
        "consul",
        "vault",
        "nomad-agent",
        "boundary",
        "consul-template",
        "envconsul",
        "terraform-0.11",
        "hcl1",
    ] {
        folder.hcl(&["eval", "--language", language, "-f", "etc/plain.hcl"]).success();
        let found = folder.hcl_reading(&["check", "--language", language, "--report", "json", "-"], AGENT);
        let report = text(&found.get_output().stdout);
        // Some refuse what they do not know, but it is no error of syntax.
        assert!(!report.contains("\"unexpected-comma\""), "{language}: {report}");
    }
    folder.hcl(&["check", "--language", "agents.hcl", "etc/plain.hcl"]).success();
    for language in ["terraform", "nomad", "hcl"] {
        folder.hcl(&["check", "--language", language, "etc/plain.hcl"]).code(1);
    }
}

/// A file without a language is HCL 2, and its errors are reported. A hint says that HCL 1 can read it.
#[test]
fn hcl_1_is_not_guessed() {
    let folder = project();
    let found = folder.hcl(&["check", "etc/plain.hcl"]).code(1);
    let errors = text(&found.get_output().stderr);
    assert!(errors.contains("etc/plain.hcl is valid in HCL 1"), "{errors}");
    let found = folder.hcl_reading(&["check", "-"], "a = 1,\nb = \"\\d\"\n").code(1);
    assert!(!text(&found.get_output().stderr).contains("HCL 1"));
}

#[test]
fn other_values_in_hcl_2_are_warnings() {
    let folder = project();
    for format in ["human", "json", "sarif", "github", "junit"] {
        let found = folder.hcl(&["check", "--report", format, "etc/both.agent"]).success();
        let report = text(&found.get_output().stdout);
        assert!(report.contains("hcl1-meaning") && report.contains("420"), "{format}: {report}");
    }
    // What only HCL 1 can read has no other value.
    let found = folder.hcl(&["check", "--report", "json", "etc/consul.agent"]).success();
    assert!(!text(&found.get_output().stdout).contains("hcl1-meaning"));
}

#[test]
fn values_that_conflict_are_errors() {
    let folder = Folder::with(&[]);
    let found =
        folder.hcl_reading(&["check", "--language", "consul", "--report", "json", "-"], "a = 1\na {}\n");
    let report = text(&found.code(1).get_output().stdout);
    assert!(report.contains("hcl1-conflict"), "{report}");
}

/// The tables of applications say what they do not read: errors where they refuse it, and warnings where they ignore it.
#[test]
fn applications_refuse_what_they_do_not_read() {
    let folder = project();
    let check = |language: &str, source: &str| {
        let found = folder.hcl_reading(&["check", "--language", language, "-"], source);
        let output = found.get_output();
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let (code, report) =
        check("consul", "datacentre = \"dc1\"\nserver = \"true\"\nports { http = 1 }\nports { dns = 2 }\n");
    assert_eq!(code, Some(1), "{report}");
    for part in [
        "unsupported-argument",
        "Did you mean `datacenter`?",
        "`server` must be `true` or `false`",
        "duplicate-block",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let (code, report) = check("vault", "listener \"tcp\" {\n  adress = \"a\"\n}\n");
    assert_eq!(code, Some(0), "{report}");
    assert!(report.contains("warning") && report.contains("Did you mean `address`?"), "{report}");
    let (code, report) = check("vault", "ui = true\nui = false\n");
    assert!(code == Some(1) && report.contains("already set"), "{report}");
    let (code, report) = check("consul-template", "template {\n  source = \"a\"\n  destinaton = \"b\"\n}\n");
    assert!(code == Some(1) && report.contains("Did you mean `destination`?"), "{report}");
    // Without a table of settings, any name can be there.
    assert_eq!(check("hcl1", "datacentre = \"dc1\"\n").0, Some(0));
}

/// A table of a project can have the settings of an application, and a comment allows what they refuse.
#[test]
fn projects_use_the_settings_of_applications() {
    let table = "name = \"ours\"\ntitle = \"Our agents\"\nextends = \"consul\"\n\nfile \"settings\" {\n  names = [\"*.agent\"]\n}\n";
    let folder = Folder::with(&[
        ("hcl.toml", "languages = [\"ours.hcl\"]\n"),
        ("ours.hcl", table),
        ("a.agent", "datacentre = \"dc1\"\n"),
        ("b.agent", "# hcl-check: allow unsupported-argument it is ours\ndatacentre = \"dc1\"\n"),
    ]);
    let found = folder.hcl(&["check", "a.agent"]).code(1);
    assert!(text(&found.get_output().stdout).contains("Did you mean `datacenter`?"));
    folder.hcl(&["check", "b.agent"]).success();
    folder.hcl(&["fmt", "--version"]).success();
}

#[test]
fn files_are_converted_to_hcl_2() {
    let folder = project();
    let found = folder.hcl(&["convert", "--to", "hcl", "etc/consul.agent"]).success();
    let output = found.get_output();
    assert_eq!(
        text(&output.stdout),
        "datacenter = \"dc1\"\nports {\n  http  = 8501\n  https = 33\n}\nmeta = { \"driver.raw_exec\" = \"1\" }\nmode = 420 # octal\n"
    );
    assert!(text(&output.stderr).contains("becomes an object"), "{}", text(&output.stderr));
    folder.hcl_reading(&["check", "-"], &text(&output.stdout)).success();
    folder.hcl(&["convert", "--to", "hcl", "etc/consul.agent", "etc/both.agent"]).code(2);
    folder.hcl(&["convert", "--to", "hcl", "etc/both.agent", "-o", "etc/both.agent"]).failure();
}

#[test]
fn json_is_read_as_hcl_1_does() {
    let folder = Folder::with(&[("a.json", "{\"a\": {\"b\": {\"c\": 1}}, \"d\": null}")]);
    let found = folder.hcl(&["eval", "--language", "vault", "-f", "a.json", "--json", "--compact"]).success();
    assert_eq!(text(&found.get_output().stdout), "{\"a\":[{\"b\":[{\"c\":1}]}],\"d\":\"\"}\n");
}

/// Without `--language`, files in HCL 1 stay as they are, and a note says so.
#[test]
fn files_are_formatted_with_a_language() {
    const TEXT: &str = "a=1,\nb { c=[1,\n2] } # d\n";
    const RESULT: &str = "a = 1\n\nb {\n  c = [\n    1,\n    2,\n  ]\n} # d\n";
    let folder =
        Folder::with(&[("agent.hcl", TEXT), ("wrong.hcl", "a = [1 2]\n"), ("json.hcl", "{\"a\":1}")]);
    for language in ["consul", "vault", "nomad-agent", "boundary", "consul-template", "envconsul", "hcl1"] {
        let found = folder.hcl_reading(&["fmt", "--language", language, "-"], TEXT).success();
        assert_eq!(text(&found.get_output().stdout), RESULT, "{language}");
    }
    let read = || fs::read_to_string(folder.root().join("agent.hcl")).unwrap();
    let found = folder.hcl(&["fmt", "--language", "consul", "--check", "--diff", "agent.hcl"]).code(1);
    let diff = text(&found.get_output().stdout);
    assert!(diff.contains("\n-a=1,\n") && diff.contains("\n+a = 1\n"), "{diff}");
    assert_eq!(read(), TEXT);
    folder.hcl(&["fmt", "--language", "consul", "agent.hcl"]).success();
    assert_eq!(read(), RESULT);
    folder.hcl(&["fmt", "--language", "consul", "--check", "agent.hcl"]).success();
    let found = folder.hcl(&["fmt", "--language", "consul", "json.hcl"]).success();
    assert!(text(&found.get_output().stderr).contains("it is JSON"), "{}", text(&found.get_output().stderr));
    assert_eq!(fs::read_to_string(folder.root().join("json.hcl")).unwrap(), "{\"a\":1}");
    let found = folder.hcl(&["fmt", "--language", "consul", "wrong.hcl"]).code(1);
    assert!(text(&found.get_output().stderr).contains("comma"), "{}", text(&found.get_output().stderr));
    assert_eq!(fs::read_to_string(folder.root().join("wrong.hcl")).unwrap(), "a = [1 2]\n");
}
