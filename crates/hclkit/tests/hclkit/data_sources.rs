//! Data sources that are computed, beside what their providers answered, and what holds for all of them.

use std::fmt::Write as _;
use std::path::Path;

use hclkit::Value;
use hclkit::module::{self, DataSource, Dialect, Evaluation, Memory, ModuleLoader};
use hclkit_test_cases::{Folder, read};

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data-sources");

fn loader(directory: &Path) -> ModuleLoader {
    module::loader(Dialect::terraform(), directory)
}

fn in_memory(text: &str) -> ModuleLoader {
    let language = Dialect::terraform();
    let functions = module::functions(&language, &hclkit::functions::Grants::new());
    ModuleLoader::new(language).with_functions(functions).with_files(Memory::from_iter([("main.tf", text)]))
}

/// The value at an address, which has no marks that a language knows.
fn value(loader: &ModuleLoader, address: &str) -> Value {
    let found = loader.clone().load().evaluate(&[address.parse().expect("an address")]);
    only(&found, address)
}

fn only(found: &Evaluation, address: &str) -> Value {
    let own = found.values.iter().find(|own| own.address == address);
    own.map_or(Value::DYNAMIC, |own| own.value.unmark_deep().0)
}

#[test]
fn values_are_those_of_the_providers() {
    let (mut answers, mut refusals, mut later) = (0, 0, 0);
    for file in read(Path::new(CASES), "cases", &[]).expect("cases") {
        for case in &file.cases {
            let folder = Folder::with(&[("main.tf", case.section("source").expect("a source"))]);
            for section in &case.sections {
                if let Some(name) = section.title.strip_prefix("file ") {
                    folder.write(name, &section.text);
                }
            }
            let loader = loader(folder.root());
            let name = format!("{}: {}", file.path.display(), case.name);
            let found = loader.clone().load().evaluate(&[]);
            let is_wrong = found.diagnostics.has_errors();
            for line in case.section("answers").into_iter().flat_map(str::lines) {
                let (address, json) = line.split_once(" = ").expect("an address and JSON");
                let expected = Value::from_plain_json(json.as_bytes()).expect("JSON");
                let own = value(&loader, address);
                let same = if expected.is_null() {
                    own.is_null()
                } else {
                    own.convert(&expected.ty()).is_ok_and(|own| own == expected)
                };
                assert!(same, "{name}: {address} is {own}, and not {expected}: {:?}", found.diagnostics);
                answers += 1;
            }
            for address in case.section("later").into_iter().flat_map(str::lines) {
                let own = value(&loader, &format!("{address}.id"));
                assert!(!own.is_known(), "{name}: {address} is read later");
                later += 1;
            }
            if case.section("refused").is_some() {
                let knows = |own: &DataSource| {
                    let of = |output| value(&loader, &format!("data.{}.a.{output}", own.name)).is_known();
                    ["id", "json", "rendered", "policy_data", "outputs"].into_iter().any(of)
                };
                assert!(is_wrong || !DataSource::all().any(knows), "{name}");
                refusals += 1;
            } else {
                assert!(!is_wrong, "{name}: {:?}", found.diagnostics);
            }
        }
    }
    assert!(answers > 250 && refusals > 30 && later > 10, "{answers}, {refusals}, {later}");
}

#[test]
fn unknown_arguments_make_values_unknown() {
    for body in [
        "policy_id = var.a",
        "statement {\n actions = [\"a\", var.a]\n }",
        "statement {\n actions = var.b\n }",
        "dynamic \"statement\" {\n for_each = var.b\n content {}\n }",
        "statement {\n condition {\n test = \"a\"\n variable = \"b\"\n values = [var.a]\n }\n }",
        "source_policy_documents = [var.a]",
        "override_policy_documents = [data.null_data_source.n.random]",
    ] {
        let text = format!(
            "variable \"a\" {{}}\nvariable \"b\" {{\n type = list(string)\n}}\ndata \"null_data_source\" \"n\" {{}}\n\
             data \"aws_iam_policy_document\" \"a\" {{\n {body}\n}}\n"
        );
        let loader = in_memory(&text).with_unknown_variables(true);
        assert!(!value(&loader, "data.aws_iam_policy_document.a.json").is_known(), "{body}");
    }
}

#[test]
fn other_versions_and_providers_are_unknown() {
    let data = "data \"aws_iam_policy_document\" \"a\" {}\n";
    for (required, is_known) in [
        ("version = \"~> 4.0\"", false),
        ("version = \"< 5\"", false),
        ("version = \"5.13.0\"", false),
        ("version = \">= 3.0\"", true),
        ("version = \"~> 5.20\"", true),
        ("source = \"hashicorp/aws\"", true),
        ("source = \"registry.opentofu.org/hashicorp/aws\"", true),
        ("source = \"other/aws\"", false),
    ] {
        let text = format!("terraform {{\n required_providers {{\n aws = {{ {required} }}\n }}\n}}\n{data}");
        let found = value(&in_memory(&text), "data.aws_iam_policy_document.a.json");
        assert_eq!(found.is_known(), is_known, "{required}");
    }
    let found = value(&in_memory(data).with_data_sources(false), "data.aws_iam_policy_document.a.json");
    assert!(!found.is_known());
}

#[test]
fn values_from_marked_arguments_are_not_shown() {
    let secret = "canary-7d1f";
    for body in [
        "statement {\n sid = var.s\n }",
        "source_policy_documents = [jsonencode({ Statement = [{ Action = var.s }] })]",
        "source_policy_documents = [var.s]",
        "statement {\n effect = var.s\n }",
        "version = var.s",
    ] {
        let text = format!(
            "variable \"s\" {{\n sensitive = true\n}}\ndata \"aws_iam_policy_document\" \"a\" {{\n {body}\n}}\n\
             output \"o\" {{\n value = data.aws_iam_policy_document.a.json\n}}\n"
        );
        let module = in_memory(&text).with_variable("s", secret).load();
        let found = module.evaluate(&[]);
        let explained = module.explain(&["output.o".parse().expect("an address")]);
        let mut shown = format!("{:?} {:?}", found.diagnostics, explained.diagnostics);
        for own in &found.values {
            shown.push_str(&own.value.to_string());
        }
        for own in &explained.all {
            write!(shown, "{} {}", own.value, own.cause).unwrap();
        }
        assert!(!shown.contains(secret), "{body}: {shown}");
        // As in Terraform, the result is not sensitive.
        assert!(!shown.contains("sensitive-output"), "{body}: {shown}");
    }
    let text = format!(
        "variable \"s\" {{\n sensitive = true\n}}\ndata \"template_file\" \"a\" {{\n template = \"$${{{secret}}}$${{upper([var.s])}}\"\n vars = {{ x = var.s }}\n}}\n"
    );
    let found = in_memory(&text).with_variable("s", secret).load().evaluate(&[]);
    assert!(found.diagnostics.has_errors());
    assert!(
        !format!("{:?}", found.diagnostics).contains(&format!("\"{secret}\"")),
        "{:?}",
        found.diagnostics
    );
}

#[test]
fn documents_that_grow_end_at_a_limit() {
    let mut text =
        String::from("data \"aws_iam_policy_document\" \"d0\" {\n statement {\n actions = [\"a\"]\n }\n}\n");
    for at in 1..64 {
        let before = format!("data.aws_iam_policy_document.d{}.json", at - 1);
        writeln!(
            text,
            "data \"aws_iam_policy_document\" \"d{at}\" {{\n source_policy_documents = [{before}, {before}]\n}}"
        )
        .unwrap();
    }
    let limits = hclkit::Limits::default().with_bytes(4 << 20);
    let found = limits.run(|| in_memory(&text).load().evaluate(&[]));
    assert!(found.diagnostics.has_errors(), "the documents are too large");
}

/// What is read from documents counts once for the values, and once for what is merged.
#[test]
fn strings_of_documents_count_as_elements() {
    let names = ["Action", "NotAction", "Resource", "NotResource"];
    let lists = names.map(|name| format!("\"{name}\": [{}]", vec!["\"a\""; 1000].join(", ")));
    let others = ["Principal", "NotPrincipal"]
        .map(|name| format!("\"{name}\": {{\"AWS\": [{}]}}", vec!["\"a\""; 1000].join(", ")));
    let condition = format!("\"Condition\": {{\"a\": {{\"b\": [{}]}}}}", vec!["\"a\""; 1000].join(", "));
    for member in lists.iter().chain(&others).chain([&condition]) {
        let document = format!("{{\"Statement\": [{{{member}}}]}}").replace('"', "\\\"");
        let text = format!(
            "data \"aws_iam_policy_document\" \"d\" {{\n source_policy_documents = [\"{document}\"]\n}}\n"
        );
        let evaluate = |elements| {
            let limits = hclkit::Limits::default().with_elements(elements);
            limits.run(|| value(&in_memory(&text), "data.aws_iam_policy_document.d.json").is_known())
        };
        assert!(evaluate(3000), "{member}");
        assert!(!evaluate(1500), "{member}");
    }
}

#[test]
fn an_archive_has_no_path() {
    let text = "data \"archive_file\" \"a\" {\n type = \"zip\"\n source_file = \"a\"\n output_path = \"b.zip\"\n}\n\
                output \"h\" {\n value = filebase64sha256(data.archive_file.a.output_path)\n}\n";
    let folder = Folder::with(&[("main.tf", text)]);
    let found = loader(folder.root()).load().evaluate(&[]);
    assert!(!found.diagnostics.has_errors(), "{:?}", found.diagnostics);
    assert!(!only(&found, "output.h").is_known());
}

#[test]
fn the_explanation_names_the_provider() {
    let text = "locals {\n a = \"x\"\n}\ndata \"null_data_source\" \"n\" {\n inputs = { a = local.a }\n}\n";
    let module = in_memory(text).load();
    let found = module.explain(&["data.null_data_source.n.outputs".parse().expect("an address")]);
    let steps: Vec<String> = found.all.iter().map(|own| format!("{}: {}", own.address, own.cause)).collect();
    let first = "data.null_data_source.n.outputs: computed by hclkit as hashicorp/null 3 does";
    assert_eq!(steps, [first, "local.a: set here"]);
}

#[test]
fn the_documentation_lists_the_table() {
    let text = include_str!("../../../../docs/modules.md");
    let listed: Vec<&str> =
        text.lines().filter(|line| line.starts_with("| `") && line.contains("| hashicorp/")).collect();
    let row =
        |own: &DataSource| format!("| `{}` | {} | {} | {} |", own.name, own.provider, own.version, own.since);
    assert_eq!(listed, DataSource::all().map(row).collect::<Vec<_>>());
}
