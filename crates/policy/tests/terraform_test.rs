//! Test files of Terraform and OpenTofu, in `tests/terraform-tests/`: each run ends as in `terraform test` and `tofu test`, whose
//! answers are recorded, or is skipped. `aws.json` has the schemas of the types that are mocked in `mocks.cases`.

use std::path::Path;
use std::sync::Arc;

use hclkit::module::{Dialect, Schemas, loader};
use hclkit::syntax::{Document, Source, StartSymbol};
use hclkit_policy::{Outcome, Suite, TestFile, TestRequest, terraform_test};
use hclkit_test_cases::{Case, Folder, read};

/// An application whose answers are recorded, and the number of runs that end as in it, of those that are skipped, and of those that it
/// does not reach because a run ends with an error that is skipped here.
struct Application {
    /// The sections with its answers: those of the newest version, and the one that it may refer to.
    answers: [&'static str; 2],
    /// What the names of test files end with.
    suffix: &'static str,
    counts: (usize, usize, usize),
}

const TERRAFORM: Application =
    Application { answers: ["terraform 1.16", "terraform 1.11"], suffix: ".tftest", counts: (481, 43, 3) };
const OPENTOFU: Application =
    Application { answers: ["opentofu 1.12", "terraform 1.16"], suffix: ".tofutest", counts: (441, 64, 3) };

fn run(folder: &Folder, names_of_tests: &[String]) -> Suite {
    let files = names_of_tests.iter().map(|name| TestFile {
        directory: folder.path(name).parent().unwrap().to_owned(),
        document: Document::parse(Source::new(name, folder.read(name)), StartSymbol::Config),
    });
    let text = include_bytes!("../../../tests/terraform-tests/aws.json");
    let schemas = Schemas::from_json(text).unwrap();
    let load = |directory: &Path, language: Option<&Arc<Dialect>>| {
        let language = language.cloned().unwrap_or_else(Dialect::terraform);
        let names = std::fs::read_dir(directory).into_iter().flatten().flatten();
        let mut names = names.filter_map(|entry| entry.file_name().into_string().ok());
        if !names.any(|name| language.is_module_file(&name)) {
            return Err("no module".to_owned());
        }
        Ok(loader(language, directory).with_schemas(schemas.clone()))
    };
    let selects = |_: &str| true;
    let names = names_of_tests.iter().cloned().collect();
    terraform_test::run(&TestRequest { files: files.collect(), names, load: &load, selects: &selects })
}

fn run_case(case: &Case, application: &Application) -> Suite {
    let folder = Folder::with(&[]);
    let is_answer = |title: &str| title.starts_with("terraform ") || title.starts_with("opentofu ");
    let mut tests = Vec::new();
    for own in case.sections.iter().filter(|own| !is_answer(&own.title)) {
        let name = own.title.replace(".tftest", application.suffix);
        folder.write(&name, &own.text);
        if name.ends_with(&format!("{}.hcl", application.suffix)) {
            tests.push(name);
        }
    }
    run(&folder, &tests)
}

/// The verdicts that an application has, by run. `None` if it was not asked.
fn recorded(case: &Case, application: &Application) -> Option<Vec<(String, String)>> {
    let mut text = case.section(application.answers[0])?;
    for other in [application.answers[1], "terraform 1.11"] {
        if text.trim() == "same" {
            text = case.section(other).unwrap();
        }
    }
    let lines = text.lines().filter(|line| !line.starts_with(' '));
    let verdicts = lines.filter_map(|line| line.split_once(": "));
    let verdicts = verdicts.filter(|(name, _)| !matches!(*name, "error" | "warning"));
    Some(verdicts.map(|(name, verdict)| (name.to_owned(), verdict.to_owned())).collect())
}

#[test]
fn runs_end_as_in_terraform() {
    compare(&TERRAFORM);
}

#[test]
fn runs_end_as_in_opentofu() {
    compare(&OPENTOFU);
}

fn compare(application: &Application) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/terraform-tests");
    let (mut equal, mut skipped, mut unreached, mut wrong) = (0, 0, 0, Vec::new());
    for file in read(&directory, "cases", &["json"]).unwrap() {
        for case in &file.cases {
            let name = format!("{}: {}", file.path.file_name().unwrap().display(), case.name);
            let Some(expected) = recorded(case, application) else { continue };
            let suite = run_case(case, application);
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
                assert!(suite.problems.has_errors(), "{name}: the application refuses the file");
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
    assert_eq!((equal, skipped, unreached), application.counts);
}

/// Of an object with an override, only what is configured is known here.
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
    let suite = run(&folder, &["main.tftest.hcl".to_owned()]);
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
    let suite = run(&folder, &["main.tftest.hcl".to_owned()]);
    assert!(matches!(suite.verdicts[0].outcome, Outcome::Skipped(_)), "{:?}", suite.verdicts[0].outcome);
}
