//! The recorded calls of all functions (`tests/cases/`), evaluated with the functions themselves. `terraform.rs` asks
//! Terraform the same.

use hclkit_test_cases::{Section, check};

use crate::calls::{self, World};

#[test]
fn calls_have_the_recorded_results() {
    let world = World::new();
    check(
        &calls::files(),
        |title| title == "results",
        |case| {
            let results: Vec<String> = calls::calls(case).iter().map(|call| world.result(call)).collect();
            vec![Section::new("results", results.join("\n"))]
        },
    );
}

/// Terraform does not say which values are sensitive.
#[test]
fn errors_show_no_values_of_variables() {
    for file in calls::files() {
        for case in &file.cases {
            let results = case.section("results").unwrap_or_default();
            assert!(!results.contains("not-shown"), "{}: {}", file.path.display(), case.name);
        }
    }
}

#[test]
fn all_functions_have_calls() {
    let calls: Vec<String> =
        calls::files().iter().flat_map(|file| &file.cases).flat_map(calls::calls).collect();
    assert!(calls.len() >= 200, "{}", calls.len());
    for function in terraform_provider_hcl::functions() {
        let name = format!("provider::hcl::{}(", function.name());
        assert!(calls.iter().any(|call| call.contains(&name)), "{name}");
    }
}

/// A FIFO that nobody writes to would take forever.
#[cfg(unix)]
#[test]
fn a_spec_file_is_a_regular_file() {
    let directory = tempfile::tempdir().unwrap();
    let fifo = directory.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let result =
        World::new().result(&format!("provider::hcl::evalconfig(\"\", \"{}\", {{}})", fifo.display()));
    assert_eq!(
        result,
        format!("error spec_filename: the spec file {} is not a regular file", fifo.display())
    );
}

/// A provider with an invalid setting is served, and says so in every call.
#[test]
fn settings_are_positive_numbers() {
    let debug = |name: &'static str, value: &'static str| {
        let variable = move |asked: &str| (asked == name).then(|| value.to_owned());
        format!("{:?}", terraform_provider_hcl::provider(variable))
    };
    for value in ["0", "-1", "many", "1.5", "99999999999999999999"] {
        let error = format!("HCL_PROVIDER_TIMEOUT must be a positive whole number, found \\\"{value}\\\"");
        assert!(debug("HCL_PROVIDER_TIMEOUT", value).contains(&error), "{value}");
    }
    assert!(debug("HCL_PROVIDER_TIMEOUT", "5").contains("timeout: Some(5s)"));
    assert!(debug("HCL_PROVIDER_MAX_STEPS", "17").contains("steps: 17,"));
    assert!(debug("HCL_PROVIDER_MAX_NESTING", "5000").contains("nesting: 1000,"));
    assert!(debug("HCL_PROVIDER_MAX_STEPS", "").contains("error: None"));
}
