//! The provider in real Terraform, without a network. These tests are ignored by default, because they require Terraform
//! 1.8 or later: `cargo test -p terraform-provider-hcl --test provider -- --ignored terraform::`. The variable `TERRAFORM` names
//! another program, such as `tofu`.
use std::time::Duration;

use crate::calls::{self, World};
use crate::module::{Module, examples};

/// A call and its result.
type Recorded = (String, String);

/// The recorded calls whose results are values, and those whose results are errors.
fn recorded() -> (Vec<Recorded>, Vec<Recorded>) {
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for file in calls::files() {
        for case in &file.cases {
            let results = case.section("results").unwrap().lines().map(str::to_owned);
            for (call, result) in calls::calls(case).into_iter().zip(results) {
                match result.strip_prefix("error ") {
                    Some(error) => errors.push((call, error.replace("\\n", "\n"))),
                    None => values.push((call, result)),
                }
            }
        }
    }
    (values, errors)
}

fn with_cases() -> Module {
    let module = Module::empty();
    module.write("main.tf", calls::LOCALS);
    for name in ["service.hcldec", "broken.hcldec"] {
        let text = std::fs::read_to_string(calls::directory().join(name)).unwrap();
        module.write(&format!("tests/cases/{name}"), &text);
    }
    module.init();
    module
}

#[test]
#[ignore = "requires Terraform"]
fn recorded_values_are_what_terraform_gets() {
    let module = with_cases();
    let (values, _) = recorded();
    assert!(values.len() >= 140, "{}", values.len());
    // The console of OpenTofu knows only the functions that the module calls, so the calls are in the module.
    let calls: Vec<String> = values.iter().map(|(call, _)| format!("    jsonencode({call}),\n")).collect();
    module.write("results.tf", &format!("locals {{\n  results = [\n{}  ]\n}}\n", calls.concat()));
    let printed = module.console("local.results");
    let results: Vec<String> = printed
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.strip_suffix(','))
        .map(|line| match line {
            "(known after apply)" => "unknown".to_owned(),
            text => serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}")),
        })
        .collect();
    assert_eq!(results.len(), values.len(), "{printed}");
    // OpenTofu makes no call if the type of an argument is unknown, as that of a bare null.
    let opentofu = module.succeed(&["version"]).starts_with("OpenTofu");
    for ((call, expected), found) in values.iter().zip(&results) {
        let untyped = call.contains(", local.any)") || call.contains("(null)");
        let expected = if opentofu && untyped { "unknown" } else { expected };
        assert_eq!(found, expected, "{call}");
    }
    println!("{} values are equal", values.len());
}

#[test]
#[ignore = "requires Terraform"]
fn recorded_errors_are_what_terraform_shows() {
    let module = with_cases();
    let (_, errors) = recorded();
    assert!(errors.len() >= 60, "{}", errors.len());
    let outputs =
        errors.iter().enumerate().map(|(at, (call, _))| format!("output \"e{at}\" {{ value = {call} }}\n"));
    module.write("outputs.tf", &outputs.collect::<String>());
    let run = module.run(&["plan", "-json"]);
    assert!(!run.success);
    let mut found = vec![None; errors.len()];
    for line in run.stdout.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let diagnostic = &line["diagnostic"];
        if diagnostic["range"]["filename"] == "outputs.tf" {
            let at = diagnostic["range"]["start"]["line"].as_u64().unwrap();
            let detail = diagnostic["detail"].as_str().unwrap().to_owned();
            found[usize::try_from(at).unwrap() - 1] = Some(detail);
        }
    }
    for ((call, expected), found) in errors.iter().zip(found) {
        let found = found.unwrap_or_else(|| panic!("{call}: Terraform shows no error"));
        let expected = match expected.split_once(": ") {
            Some((name, text)) if !name.contains(['<', ' ', '/']) => format!("\"{name}\" parameter: {text}."),
            _ => format!("{expected}."),
        };
        assert!(found.ends_with(&expected), "{call}\nexpected {expected}\nfound {found}");
    }
    println!("{} errors are equal", errors.len());
}

#[test]
#[ignore = "requires Terraform"]
fn a_module_goes_from_init_to_apply() {
    let module = examples();
    module.init();
    module.succeed(&["validate"]);
    let plan = module.succeed(&["plan", "-no-color"]);
    for line in ["+ replicas  = 3", "+ image     = (known after apply)", "+ header    = (sensitive value)"] {
        assert!(plan.contains(line), "{line}\n{plan}");
    }
    module.succeed(&["apply", "-auto-approve"]);
    let outputs: serde_json::Value = serde_json::from_str(&module.succeed(&["output", "-json"])).unwrap();
    assert_eq!(outputs["image"]["value"], "registry.example.com/shop:2.4.1");
    assert_eq!(outputs["header"]["sensitive"], true);
    // The results while applying were those of the plan.
    let again = module.run(&["plan", "-detailed-exitcode"]);
    assert!(again.stdout.contains("No changes."), "{}", again.stdout);
    assert_eq!(module.console("local.service.listeners[1].protocol"), "\"metrics\"\n");
    let schema: serde_json::Value =
        serde_json::from_str(&module.succeed(&["providers", "schema", "-json"])).unwrap();
    let providers = schema["provider_schemas"].as_object().unwrap();
    let (_, provider) = providers.iter().find(|(address, _)| address.ends_with("/hclkit/hcl")).unwrap();
    let functions = provider["functions"].as_object().unwrap();
    assert_eq!(functions.len(), terraform_provider_hcl::functions().len());
    let evalexpr = &functions["evalexpr"];
    assert_eq!(evalexpr["summary"], "Evaluates an expression");
    assert_eq!(evalexpr["parameters"][0]["description"], "The source of the expression.");
}

#[test]
#[ignore = "requires Terraform"]
fn the_example_passes_its_own_tests() {
    let module = examples();
    module.init();
    let tested = module.succeed(&["test", "-no-color"]);
    assert!(tested.contains("3 passed, 0 failed"), "{tested}");
}

#[test]
#[ignore = "requires Terraform"]
fn sensitive_values_stay_sensitive() {
    let variable = "variable \"token\" {\n  default   = \"hunter2\"\n  sensitive = true\n}\n";
    let plan = |output: &str| {
        let module = Module::empty();
        module.write("main.tf", &format!("{variable}output \"o\" {{\n{output}\n}}\n"));
        module.init();
        let run = module.run(&["plan", "-no-color"]);
        let printed = format!("{}{}", run.stdout, run.stderr);
        assert!(!printed.contains("hunter2"), "{printed}");
        printed
    };
    let shown = plan(r#"value = provider::hcl::evaltemplate("Bearer $${token}", { token = var.token })"#);
    assert!(shown.contains("Output refers to sensitive values"), "{shown}");
    let failed = plan(r#"value = nonsensitive(provider::hcl::evalexpr("token + 1", { token = var.token }))"#);
    assert!(failed.contains("<expr_src>:1,1-6: Invalid operand"), "{failed}");
}

#[test]
#[ignore = "requires Terraform"]
fn a_plan_makes_a_thousand_calls() {
    let module = Module::empty();
    module.write(
        "main.tf",
        r#"output "sum" { value = sum([for i in range(1000) : provider::hcl::evalexpr("n * 2", { n = i })]) }"#,
    );
    module.init();
    let plan = module.succeed(&["plan", "-no-color"]);
    assert!(plan.contains("+ sum = 999000"), "{plan}");
}

#[test]
#[ignore = "requires Terraform"]
fn two_configurations_run_at_once() {
    let modules = [examples(), examples()];
    modules.iter().for_each(Module::init);
    std::thread::scope(|scope| {
        for module in &modules {
            scope.spawn(|| {
                let plan = module.succeed(&["plan", "-no-color"]);
                assert!(plan.contains("+ replicas  = 3"), "{plan}");
            });
        }
    });
}

/// A module whose plan takes long.
fn slow() -> Module {
    let module = Module::empty();
    let source = "length([for a in n : [for b in n : [for c in n : a * b * c if a == 5000]]])";
    module.write(
        "main.tf",
        &format!(
            "output \"slow\" {{ value = provider::hcl::evalexpr(\"{source}\", {{ n = range(1000) }}) }}\n"
        ),
    );
    module
        .with_variable("HCL_PROVIDER_MAX_STEPS", "1000000000000")
        .with_variable("HCL_PROVIDER_MAX_ELEMENTS", "1000000000000")
}

#[test]
#[ignore = "requires Terraform"]
fn an_interrupt_leaves_no_process_and_no_socket() {
    let module = slow();
    module.init();
    let mut plan = module.start(&["plan", "-no-color"]);
    module.wait_for_call();
    assert_eq!(module.sockets(), 1);
    // A terminal sends the signal to all processes of the group. Terraform waits for the call, which continues.
    plan.signal_group("INT");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(module.sockets(), 1);
    // The second time, it ends at once.
    plan.signal_group("INT");
    let status = plan.wait(Duration::from_secs(20)).expect("Terraform ends");
    assert_ne!(status.code(), Some(0));
    module.wait_until_gone(Duration::from_secs(5));
}

#[test]
#[ignore = "requires Terraform"]
fn killing_terraform_ends_the_provider() {
    let module = slow();
    module.init();
    let mut plan = module.start(&["plan", "-no-color"]);
    module.wait_for_call();
    plan.kill();
    module.wait_until_gone(Duration::from_secs(10));
}

#[test]
#[ignore = "requires Terraform"]
fn limits_come_from_the_environment() {
    let module = Module::empty();
    module.write(
        "main.tf",
        r#"output "many" { value = length(provider::hcl::evalexpr("[for n in list : n]", { list = range(1000) })) }"#,
    );
    module.init();
    assert!(module.succeed(&["plan", "-no-color"]).contains("+ many = 1000"));
    let module = module.with_variable("HCL_PROVIDER_MAX_ELEMENTS", "500");
    let run = module.run(&["plan", "-no-color"]);
    assert!(run.stderr.contains("500"), "{}", run.stderr);
    let module = module.with_variable("HCL_PROVIDER_MAX_ELEMENTS", "many");
    let run = module.run(&["plan", "-no-color"]);
    let expected = "HCL_PROVIDER_MAX_ELEMENTS must be a positive whole number";
    assert!(run.stderr.replace('\n', " ").contains(expected), "{}", run.stderr);
}

/// A fenced block of a page.
fn block(page: &str, title: &str, contains: &str) -> String {
    let text = std::fs::read_to_string(crate::module::repository().join(page)).unwrap();
    let fence = format!("```{title}\n");
    let mut blocks = text.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.find(|block| block.contains(contains)).unwrap_or_else(|| panic!("{page}: {contains}")).to_owned()
}

#[test]
#[ignore = "requires Terraform"]
fn a_development_build_needs_no_init() {
    let page = block("docs/book/src/terraform.md", "sh", "dev_overrides");
    let configuration = page.split("<<EOT\n").nth(1).unwrap().split("EOT").next().unwrap();
    let module = examples();
    module.override_for_development(configuration);
    let plan = module.succeed(&["plan", "-no-color"]);
    for line in block("docs/book/src/terraform.md", "text", "(known after apply)").lines() {
        assert!(plan.contains(line), "{line}\n{plan}");
    }
}

/// Text on one line.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "requires Terraform"]
fn the_guide_shows_what_terraform_prints() {
    let page = "docs/book/src/terraform.md";
    let module = Module::empty();
    module.write("versions.tf", &block(page, "terraform", "required_providers"));
    module.write("service.hcldec", &block(page, "hcl", "object"));
    module.init();
    let plan = module.succeed(&["plan", "-no-color"]);
    assert!(plan.contains(&block(page, "text", "Changes to Outputs")), "{plan}");
    let call = r#"provider::hcl::evalconfig("image = \"a\"\nreplicas = \"many\"\n", "service.hcldec", {})"#;
    module.write("service.tf", &format!("output \"service\" {{ value = {call} }}\n"));
    let run = module.run(&["plan", "-no-color"]);
    assert!(flat(&run.stderr).contains(&flat(&block(page, "text", "Invalid value"))), "{}", run.stderr);
}

/// Both evaluate the same expressions, so the library must give the recorded results as well.
#[test]
fn each_recorded_call_is_a_value_or_an_error() {
    let (values, errors) = recorded();
    let world = World::new();
    assert!(values.iter().all(|(call, result)| world.result(call) == *result));
    assert!(errors.iter().all(|(call, _)| world.result(call).starts_with("error ")));
}
