//! Verdicts of `hcl check` about small modules, beside the recorded ones of Terraform 1.16.4 and OpenTofu 1.12.6 (`validate`, and
//! `plan` if that finds nothing, but in cases with `(validate)`, where a variable has no value), in `tests/checks/`.

use std::fmt::Write as _;
use std::path::Path;

use hclkit_test_cases::Case;

use crate::program::Folder;

const TERRAFORM: &str = "terraform";
const OPENTOFU: &str = "opentofu";

#[test]
fn verdicts_are_those_of_the_applications() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/checks");
    let (mut valid, mut invalid, mut differences) = (0, 0, String::new());
    for file in hclkit_test_cases::read(&directory, "cases", &[]).unwrap() {
        for case in &file.cases {
            let theirs = case.section(TERRAFORM).unwrap();
            let other = case.section(OPENTOFU).unwrap();
            for (language, answer) in [(TERRAFORM, theirs), (OPENTOFU, other)] {
                let answer = if answer == "same\n" { theirs } else { answer };
                let is_valid = answer == "valid\n";
                *(if is_valid { &mut valid } else { &mut invalid }) += 1;
                let (code, report) = check(case, language);
                if code != Some(i32::from(!is_valid)) {
                    let name = &case.name;
                    let path = file.path.file_name().unwrap().to_string_lossy();
                    let _ = writeln!(differences, "=== {path}: {name}, {language}: {answer}{report}");
                }
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(valid > 100 && invalid > 200, "{valid} {invalid}");
}

/// The exit code of a check, and what it prints.
fn check(case: &Case, language: &str) -> (Option<i32>, String) {
    let is_file = |title: &str| ![TERRAFORM, OPENTOFU].contains(&title);
    let files = case.sections.iter().filter(|section| is_file(&section.title));
    let files: Vec<(&str, &str)> =
        files.map(|section| (section.title.as_str(), section.text.as_str())).collect();
    let folder = Folder::with(&files);
    let output = folder.command(&["check", "--no-ignore", "--language", language, "."]).output().unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}
