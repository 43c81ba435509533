//! Verdicts of `hcl check` about small inputs, beside those of the applications, in `tests/applications/`. The section with the name
//! of a language has what the application says: `valid`, or its first error.

use std::fmt::Write as _;
use std::path::Path;

use hclkit_test_cases::Case;

use crate::program::Folder;

const LANGUAGES: [&str; 6] = ["terraform", "opentofu", "packer", "bake", "nomad", "stacks"];

#[test]
fn verdicts_are_those_of_the_applications() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/applications");
    let (mut valid, mut invalid, mut differences) = (0, 0, String::new());
    for file in hclkit_test_cases::read(&directory, "cases", &[]).unwrap() {
        for case in &file.cases {
            let answers = LANGUAGES.iter().filter_map(|language| Some((*language, case.section(language)?)));
            let answers: Vec<_> = answers.collect();
            assert!(!answers.is_empty(), "{}", case.name);
            for (language, answer) in answers {
                let is_valid = answer == "valid\n";
                *(if is_valid { &mut valid } else { &mut invalid }) += 1;
                let (code, report) = check(case, language);
                if code != Some(i32::from(!is_valid)) {
                    let path = file.path.file_name().unwrap().to_string_lossy();
                    let _ = writeln!(differences, "=== {path}: {}, {language}: {answer}{report}", case.name);
                }
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(valid > 30 && invalid > 50, "{valid} {invalid}");
}

/// The exit code of a check, and what it prints. Parts of a language are known by the names of files.
fn check(case: &Case, language: &str) -> (Option<i32>, String) {
    let files = case.sections.iter().filter(|section| !LANGUAGES.contains(&section.title.as_str()));
    let files: Vec<(&str, &str)> =
        files.map(|section| (section.title.as_str(), section.text.as_str())).collect();
    let folder = Folder::with(&files);
    let mut arguments = vec!["check", "--no-ignore"];
    if language != "stacks" {
        arguments.extend(["--language", language]);
    }
    let output = folder.command(&[&arguments[..], &["."]].concat()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text + &String::from_utf8_lossy(&output.stderr))
}

/// What a table says is a template is no HCL, also if a hook names it.
#[test]
fn templates_that_are_named_are_left_out() {
    let folder = Folder::with(&[("user.pkrtpl.hcl", "${if x}\nfoo: bar\n"), ("a.pkr.hcl", "locals {\n}\n")]);
    for command in [&["check"][..], &["fmt", "--check"], &["check", "--syntax-only"]] {
        let alone = folder.command(&[command, &["user.pkrtpl.hcl"]].concat()).output().unwrap();
        let errors = String::from_utf8(alone.stderr).unwrap();
        assert_eq!(alone.status.code(), Some(0), "{command:?}: {errors}");
        assert!(errors.contains("user.pkrtpl.hcl is left out: it is a template"), "{command:?}: {errors}");
        folder.hcl(&[command, &["user.pkrtpl.hcl", "a.pkr.hcl"]].concat()).success();
    }
    assert_eq!(folder.read("user.pkrtpl.hcl"), "${if x}\nfoo: bar\n");
}

#[test]
fn the_name_of_the_workspace_counts() {
    let text = "locals {\n  all = { dev = 1, prod = 2 }\n}\noutput \"o\" {\n  value = local.all[terraform.workspace]\n}\n";
    let folder = Folder::with(&[("main.tf", text)]);
    folder.hcl(&["check", "."]).code(1);
    folder.hcl(&["check", "--workspace", "prod", "."]).success();
    folder.command(&["check", "."]).env("TF_WORKSPACE", "dev").assert().success();
    folder.command(&["check", "--workspace", "qa", "."]).env("TF_WORKSPACE", "dev").assert().code(1);
}

/// What Terraform and OpenTofu accept, a check accepts after a conversion to JSON, and after one back.
#[test]
fn what_is_valid_is_so_after_conversions() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let (mut count, mut differences) = (0, String::new());
    for directory in ["applications", "checks"] {
        for file in hclkit_test_cases::read(&tests.join(directory), "cases", &[]).unwrap() {
            for case in &file.cases {
                for language in ["terraform", "opentofu"] {
                    let answer = match case.section(language) {
                        Some("same\n") => case.section("terraform"),
                        answer => answer,
                    };
                    if answer != Some("valid\n") {
                        continue;
                    }
                    count += 1;
                    if let Some(problem) = converted(case, language) {
                        let _ = writeln!(differences, "=== {}, {language}: {problem}", case.name);
                    }
                }
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(count > 200, "{count}");
}

/// What a check reports after a conversion to JSON, or after one back.
fn converted(case: &Case, language: &str) -> Option<String> {
    let is_source = |name: &str| {
        let plain = name.strip_suffix(".json").unwrap_or(name);
        let plain = plain.strip_suffix(".hcl").unwrap_or(plain);
        ["tf", "tofu", "tftest", "tfquery"].iter().any(|end| plain.ends_with(&format!(".{end}")))
    };
    let files = case.sections.iter().filter(|section| !LANGUAGES.contains(&section.title.as_str()));
    let mut files: Vec<(String, String)> =
        files.map(|section| (section.title.clone(), section.text.clone())).collect();
    for to in ["json", "hcl"] {
        for (name, text) in files.iter_mut().filter(|(name, _)| is_source(name)) {
            if Path::new(name).extension().is_some_and(|own| own == "json") == (to == "json") {
                continue;
            }
            let folder = Folder::with(&[(name, text)]);
            let arguments = ["convert", "--language", language, "--to", to, name];
            let output = folder.command(&arguments).output().unwrap();
            if !output.status.success() {
                return Some(String::from_utf8_lossy(&output.stderr).into_owned());
            }
            *text = String::from_utf8(output.stdout).unwrap();
            *name = match (to, name.strip_suffix(".hcl"), name.strip_suffix(".json")) {
                ("json", Some(plain), _) => format!("{plain}.json"),
                ("json", None, _) => format!("{name}.json"),
                (_, _, Some(plain)) if plain.ends_with("test") || plain.ends_with("query") => {
                    format!("{plain}.hcl")
                }
                (_, _, plain) => plain.unwrap_or(name).to_owned(),
            };
        }
        let all: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let folder = Folder::with(&all);
        let check = ["check", "--no-ignore", "--language", language, "."];
        let output = folder.command(&check).output().unwrap();
        if !output.status.success() {
            let files: Vec<String> = all.iter().map(|(name, text)| format!("--- {name}\n{text}")).collect();
            return Some(format!("{}{}", String::from_utf8_lossy(&output.stdout), files.concat()));
        }
    }
    None
}

/// Local values that other files of Terragrunt include or read, and modules whose paths are computed.
#[test]
fn names_reach_files_of_terragrunt() {
    let root = "locals {\n  region = \"eu\"\n}\n";
    let app = "include \"root\" {\n  path   = find_in_parent_folders(\"root.hcl\")\n  expose = true\n}\ninputs = {\n  a = include.root.locals.region\n}\n";
    let vpc = "locals {\n  shared = read_terragrunt_config(find_in_parent_folders(\"root.hcl\"))\n}\nterraform {\n  source = \"${get_repo_root()}//mods/net\"\n}\ninputs = {\n  cidr = local.shared.locals.region\n}\n";
    let net = "locals {\n  own = read_terragrunt_config(\"../../root.hcl\").inputs\n}\nterraform {\n  source = \"${get_terragrunt_dir()}/../../mods/net\"\n}\ninputs = {\n  cidr = 1\n  x    = dependency.vpc.outputs.id\n}\ndependency \"vpc\" {\n  config_path = \"../vpc\"\n}\n";
    let module = "variable \"cidr\" {\n}\noutput \"id\" {\n  value = var.cidr\n}\n";
    let folder = Folder::with(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("live/root.hcl", root),
        ("live/app/terragrunt.hcl", app),
        ("live/vpc/terragrunt.hcl", vpc),
        ("live/net/terragrunt.hcl", net),
        ("mods/net/main.tf", module),
    ]);
    folder.hcl(&["rename", "local.region", "zone", "live/root.hcl", "--write"]).success();
    folder.hcl(&["rename", "var.cidr", "block", "mods/net", "--write"]).success();
    folder.hcl(&["rename", "output.id", "key", "mods/net", "--write"]).success();
    assert_eq!(folder.read("live/root.hcl"), root.replace("region", "zone"));
    assert_eq!(folder.read("live/app/terragrunt.hcl"), app.replace("region", "zone"));
    let vpc = vpc.replace("region", "zone").replace("cidr", "block");
    assert_eq!(folder.read("live/vpc/terragrunt.hcl"), vpc);
    let net = net.replace("cidr = 1\n  x    =", "block = 1\n  x     =").replace("outputs.id", "outputs.key");
    assert_eq!(folder.read("live/net/terragrunt.hcl"), net);
}
