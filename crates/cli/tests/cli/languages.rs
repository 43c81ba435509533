//! `languages` in `hcl.toml`: every command knows the languages of the project.

use std::fs;

use crate::exit_codes::commands;
use crate::program::Folder;

const TABLE: &str = r#"name  = "services"
files = ["*.services"]

repeat "copies" {
  over = "number"
  key  = "copy.number"
}

block "service" {
  role    = "object"
  labels  = ["name"]
  defines = "svc.{name}"
  meta    = ["copies"]
  repeat  = ["copies"]
}
"#;

const WEB: &str = "service \"web\" {\n  copies = 2\n  port   = 8080 + copy.number\n}\nservice \"db\" {\n  web =  svc.web[0].port\n}\n";

const API: &str = "{\"service\": {\"api\": {\"port\": \"${svc.web[1].port}\"}}}\n";

fn project(settings: &str) -> Folder {
    Folder::with(&[
        ("hcl.toml", settings),
        ("services.hcl", TABLE),
        ("rules.rules.hcl", RULES),
        ("shop/web.services", WEB),
        ("shop/api.services.json", API),
        ("wrong/web.services", "service \"web\" {\n  copies = 1\n  port   = copy.none + svc.none\n}\n"),
    ])
}

const RULES: &str = "rule \"copies\" {\n  match     = \"service.*\"\n  condition = false\n  message   = \"${item.address} has no copies.\"\n}\n";

/// For each command, a run, its standard input, and what it writes only if it knows the language. Commands that read no
/// files of a language have none.
fn runs(command: &str) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match command {
        "check" => ("check wrong", "", "`svc.none` is not defined."),
        "fmt" => ("fmt --check .", "", "shop/web.services"),
        "edit" => ("edit service.web.port=1 shop --skip", "", "+  port   = 1"),
        "query" => ("query service.web.port .", "", "8080 + copy.number"),
        "rename" => ("rename svc.web svc.site shop", "", "${svc.site[1].port}"),
        "refs" => ("refs svc.web shop", "", "shop/api.services.json:1:"),
        "convert" => ("convert shop/api.services.json", "", "service \"api\" {"),
        "eval" => ("eval shop", "", "svc.api = { port = 8081 }"),
        "console" => ("console shop", "svc.web[1].port\n", "8081"),
        "tables" => ("tables --table blocks shop", "", "\"address\":\"svc.api\""),
        "diff" => ("diff wrong shop", "", "+ svc.api"),
        "docs" => ("docs shop", "", "| web | service |"),
        "test" => ("test --rules rules.rules.hcl shop", "", "svc.api has no copies."),
        "graph" => ("graph shop", "", "\"svc.api\" -> \"svc.web\""),
        // Only modules of Terraform are split, and the files of the others are named one by one.
        "split" | "merge" | "decode" | "schema" | "dump" | "explain" | "completions" | "man" | "help"
        | "lsp" | "mcp" => {
            return None;
        }
        _ => panic!("{command}: does it obey the languages of a project?"),
    })
}

#[test]
fn every_command_knows_the_languages_of_the_project() {
    let with = project("languages = [\"services.hcl\"]\n");
    let without = project("");
    for command in commands(&with) {
        let Some((line, input, expected)) = runs(&command) else { continue };
        let words: Vec<&str> = line.split(' ').collect();
        let printed = |folder: &Folder| {
            let ended = folder.hcl_reading(&words, input);
            let output = ended.get_output();
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
        };
        let (known, unknown) = (printed(&with), printed(&without));
        assert!(known.contains(expected), "{line}: {known}");
        assert!(!unknown.contains(expected), "{line}: {unknown}");
    }
}

#[test]
fn a_language_of_the_project_comes_first() {
    let table = "name = \"ours\"\nextends = \"terraform\"\nblock \"team\" {\n  role = \"object\"\n  labels = [\"name\"]\n  defines = \"team.{name}\"\n}\n";
    let folder = Folder::with(&[
        ("hcl.toml", "languages = [\"ours.hcl\"]\n"),
        ("ours.hcl", table),
        ("main.tf", "team \"a\" {\n  size = 3\n}\noutput \"n\" {\n  value = team.a.size\n}\n"),
    ]);
    folder.hcl(&["eval", ".", "output.n"]).success().stdout_eq("output.n = 3\n");
    folder.hcl(&["eval", "--language", "terraform", ".", "output.n"]).code(1);
}

#[test]
fn files_of_languages_are_in_the_project() {
    let settings = |path: &str| format!("languages = [{path:?}]\n");
    let folder =
        Folder::with(&[("outside.hcl", "hunter2 = {\n"), ("p/main.tf", ""), ("p/broken.hcl", "name = \n")]);
    let failed = |path: &str| {
        folder.write("p/hcl.toml", settings(path));
        let command = folder.command(&["eval", "."]);
        let ended = command.current_dir(folder.path("p")).assert().code(2);
        String::from_utf8_lossy(&ended.get_output().stderr).into_owned()
    };
    let absolute = folder.path("outside.hcl");
    let mut outside =
        vec!["../outside.hcl".to_owned(), "./x/../../outside.hcl".to_owned(), absolute.display().to_string()];
    fs::create_dir(folder.path("p/x")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&absolute, folder.path("p/link.hcl")).unwrap();
        outside.push("link.hcl".to_owned());
    }
    for path in &outside {
        let errors = failed(path);
        assert!(errors.contains("is not in the directory of the settings"), "{path}: {errors}");
        assert!(!errors.contains("hunter2"), "{errors}");
    }
    assert!(failed("none.hcl").contains("cannot read the file"));
    assert!(failed("x").contains("it is not a file"));
    assert!(failed("broken.hcl").contains("broken.hcl:1:8"), "{}", failed("broken.hcl"));
}

#[test]
fn no_setting_leads_to_another_machine() {
    let folder = project("");
    let lines: Vec<_> = commands(&folder).iter().filter_map(|command| runs(command)).collect();
    assert!(lines.len() > 8, "{lines:?}");
    for path in ["//host/share/x", r"\\host\share\x", r"/\host/share/x", r"\\?\UNC\host\x"] {
        let settings = [
            format!("languages = [{path:?}]\n"),
            format!("schemas = [{path:?}]\n"),
            format!("schema-cache = {path:?}\n"),
            format!("[specs]\n\"*.x\" = {path:?}\n"),
            format!("[modules]\n\"a/b/c\" = {path:?}\n"),
        ];
        for text in settings {
            folder.write("hcl.toml", &text);
            for (line, input, _) in &lines {
                let words: Vec<&str> = line.split(' ').collect();
                let ended = folder.hcl_reading(&words, input).code(2);
                let said = String::from_utf8_lossy(&ended.get_output().stderr).into_owned();
                assert!(
                    said.contains(&format!("{path} is a network path, and is not read")),
                    "{line}: {said}"
                );
            }
        }
    }
}
