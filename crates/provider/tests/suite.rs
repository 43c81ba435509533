//! The recorded calls of all functions (`tests/cases/`), evaluated with the functions themselves. `terraform.rs` asks
//! Terraform the same.

mod calls;

use hclkit_test_cases::{Section, check};

use calls::World;

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
