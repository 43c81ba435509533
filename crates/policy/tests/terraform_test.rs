//! Test files of Terraform, in `tests/terraform-tests/`: each run ends as in `terraform test`, whose answers are recorded, or is
//! skipped. `aws.json` has the schemas of the types that are mocked in `mocks.cases`.

use std::path::Path;

use hclkit::module::{Dialect, Schemas, loader};
use hclkit::syntax::{Document, Source, StartSymbol};
use hclkit_policy::{Outcome, Suite, TestFile, TestRequest, terraform_test};
use hclkit_test_cases::{Case, Folder, read};

/// The number of runs that end as in Terraform, of those that are skipped, and of those that Terraform does not reach because a run
/// ends with an error that is skipped here.
const EQUAL: usize = 346;
const SKIPPED: usize = 53;
const NOT_REACHED: usize = 1;

fn run(folder: &Folder, names: &[&str]) -> Suite {
    let files = names.iter().map(|name| TestFile {
        directory: folder.root().to_owned(),
        document: Document::parse(Source::new(*name, folder.read(name)), StartSymbol::Config),
    });
    let text = include_bytes!("../../../tests/terraform-tests/aws.json");
    let schemas = Schemas::from_json(text).unwrap();
    let load = |directory: &Path| {
        let has_files = std::fs::read_dir(directory).into_iter().flatten().flatten();
        let is_module = |name: &std::ffi::OsStr| Path::new(name).extension().is_some_and(|own| own == "tf");
        if !has_files.into_iter().any(|entry| is_module(&entry.file_name())) {
            return Err("no module".to_owned());
        }
        Ok(loader(Dialect::terraform(), directory).with_schemas(schemas.clone()))
    };
    let selects = |_: &str| true;
    terraform_test::run(&TestRequest { files: files.collect(), load: &load, selects: &selects })
}

fn run_case(case: &Case) -> Suite {
    let folder = Folder::with(&[]);
    let files = case.sections.iter().filter(|own| !own.title.starts_with("terraform "));
    let mut tests = Vec::new();
    for own in files {
        folder.write(&own.title, &own.text);
        if own.title.ends_with(".tftest.hcl") {
            tests.push(own.title.as_str());
        }
    }
    run(&folder, &tests)
}

/// The verdicts that Terraform 1.16 has, by run.
fn recorded(case: &Case) -> Vec<(String, String)> {
    let newest = case.section("terraform 1.16").unwrap();
    let text = if newest.trim() == "same" { case.section("terraform 1.11").unwrap() } else { newest };
    let lines = text.lines().filter(|line| !line.starts_with(' '));
    let verdicts = lines.filter_map(|line| line.split_once(": "));
    let verdicts = verdicts.filter(|(name, _)| !matches!(*name, "error" | "warning"));
    verdicts.map(|(name, verdict)| (name.to_owned(), verdict.to_owned())).collect()
}

#[test]
fn runs_end_as_in_terraform() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/terraform-tests");
    let (mut equal, mut skipped, mut unreached, mut wrong) = (0, 0, 0, Vec::new());
    for file in read(&directory, "cases", &["json"]).unwrap() {
        for case in &file.cases {
            let name = format!("{}: {}", file.path.file_name().unwrap().display(), case.name);
            let suite = run_case(case);
            let expected = recorded(case);
            if suite.verdicts.len() != expected.len() {
                let problems: Vec<String> = suite.problems.iter().map(ToString::to_string).collect();
                wrong.push(format!(
                    "{name}: {} runs, not {}: {problems:?}",
                    suite.verdicts.len(),
                    expected.len()
                ));
                continue;
            }
            if expected.is_empty() && case.name != "no runs" {
                assert!(suite.problems.has_errors(), "{name}: Terraform refuses the file");
            }
            let mut has_skipped = false;
            for ((run, verdict), own) in expected.iter().zip(&suite.verdicts) {
                assert_eq!(*run, own.name, "{name}");
                let word = match &own.outcome {
                    Outcome::Passed => "pass",
                    Outcome::Failed => "fail",
                    Outcome::Errored => "error",
                    Outcome::Skipped(why) if why.starts_with("an earlier run") => "skip",
                    Outcome::Skipped(why) => {
                        has_skipped = true;
                        skipped += 1;
                        println!("{name}: {run}: {why}");
                        continue;
                    }
                    other => panic!("{name}: {run}: {other}"),
                };
                if word == verdict {
                    equal += 1;
                } else if verdict == "skip" && has_skipped {
                    unreached += 1;
                } else {
                    let found = own.finding.iter().chain(&own.more).map(ToString::to_string);
                    wrong.push(format!(
                        "{name}: {run}: {word}, not {verdict}: {:?}",
                        found.collect::<Vec<_>>()
                    ));
                }
            }
        }
    }
    println!("{equal} equal, {skipped} skipped, {unreached} not reached");
    assert!(wrong.is_empty(), "{}\n{} wrong", wrong.join("\n"), wrong.len());
    assert_eq!((equal, skipped, unreached), (EQUAL, SKIPPED, NOT_REACHED));
}

/// The verdicts of `terraform test` 1.11 for these runs are the same, but that it passes those that are skipped here: of an object
/// with an override, only what is configured is known.
#[test]
fn data_sources_are_computed_unless_they_are_replaced() {
    const MODULE: &str = r#"variable "s" {
  default = "x"
}
data "null_data_source" "n" {
  inputs = { a = var.s }
}
output "o" {
  value = data.null_data_source.n.outputs["a"]
}
"#;
    let run_of = |name: &str, plan: &str, expected: &str| {
        format!(
            "run \"{name}\" {{\n{plan}  assert {{\n    condition     = output.o == \"{expected}\"\n    error_message = \"m\"\n  }}\n}}\n"
        )
    };
    let replaced = "  command = plan\n  override_data {\n    target = data.null_data_source.n\n    values = { outputs = { a = \"o\" } }\n  }\n";
    let tests = [
        run_of("computed", "  command = plan\n", "x"),
        run_of("wrong", "  command = plan\n", "y"),
        run_of("replaced", replaced, "o"),
        run_of("replaced_too", replaced, "x"),
        run_of("applied", "", "x"),
    ];
    let folder = Folder::with(&[("main.tf", MODULE), ("main.tftest.hcl", &tests.concat())]);
    let suite = run(&folder, &["main.tftest.hcl"]);
    let outcomes: Vec<&str> = suite
        .verdicts
        .iter()
        .map(|own| match &own.outcome {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::Skipped(_) => "skipped",
            _ => "another",
        })
        .collect();
    assert_eq!(outcomes, ["passed", "failed", "skipped", "skipped", "passed"], "{:?}", suite.problems);
    let mocked = format!("mock_provider \"null\" {{}}\n{}", tests[0]);
    let folder = Folder::with(&[("main.tf", MODULE), ("main.tftest.hcl", &mocked)]);
    let suite = run(&folder, &["main.tftest.hcl"]);
    assert!(matches!(suite.verdicts[0].outcome, Outcome::Skipped(_)), "{:?}", suite.verdicts[0].outcome);
}
