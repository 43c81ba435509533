//! Renaming across components and deployments of Terraform Stacks.

use hclkit_refactor::{ModuleCall, Symbol, rename_in_callers};
use hclkit_syntax::{Document, Source, StartSymbol};

const COMPONENTS: &str = r#"variable "regions" {
  type = set(string)
}
component "bucket" {
  for_each = var.regions
  source   = "./bucket"
  inputs   = { region = each.value }
}
removed {
  from   = component.old
  source = "./bucket"
  inputs = { "region" = "eu" }
}
output "names" {
  type  = map(string)
  value = { for r, b in component.bucket : r => b.name }
}
output "one" {
  type  = string
  value = component.bucket["eu"].name
}
"#;

const DEPLOYMENTS: &str = r#"deployment "dev" {
  inputs = { regions = ["eu"] }
}
deployment "prod" {
  inputs = merge({ regions = ["us"] }, { other = 1 })
}
publish_output "names" {
  value = deployment.dev.names
}
"#;

/// Both files after a rename in a module in a directory.
fn renamed(symbol: &str, name: &str, directory: &str) -> [String; 2] {
    let parse = |(name, text): (&str, &str)| Document::parse(Source::new(name, text), StartSymbol::Config);
    let documents = [("main.tfcomponent.hcl", COMPONENTS), ("main.tfdeploy.hcl", DEPLOYMENTS)].map(parse);
    let symbol: Symbol = symbol.parse().unwrap();
    let calls = |document: &Document, call: &ModuleCall<'_>| {
        call.directory(document).is_some_and(|own| own.ends_with(directory) || own.as_os_str() == directory)
    };
    let found = rename_in_callers(&documents, &symbol, name, calls).unwrap();
    let text = |at: usize| found[at].as_ref().unwrap_or(&documents[at]).source().text().to_owned();
    [text(0), text(1)]
}

#[test]
fn inputs_of_components_are_variables_of_modules() {
    let expected = COMPONENTS.replace("{ region =", "{ zone =").replace("\"region\"", "\"zone\"");
    assert_eq!(renamed("var.region", "zone", "bucket"), [expected, DEPLOYMENTS.to_owned()]);
}

#[test]
fn results_of_components_are_outputs_of_modules() {
    let expected = COMPONENTS.replace(".name", ".id");
    assert_eq!(renamed("output.name", "id", "bucket"), [expected, DEPLOYMENTS.to_owned()]);
}

#[test]
fn inputs_of_deployments_are_variables_of_the_stack() {
    let expected = DEPLOYMENTS.replace("regions =", "areas =");
    assert_eq!(renamed("var.regions", "areas", "."), [COMPONENTS.to_owned(), expected]);
}

#[test]
fn results_of_deployments_are_outputs_of_the_stack() {
    let expected = DEPLOYMENTS.replace("dev.names", "dev.all");
    assert_eq!(renamed("output.names", "all", "."), [COMPONENTS.to_owned(), expected]);
}

#[test]
fn configurations_of_providers_have_names_of_their_own() {
    let text =
        "provider \"aws\" \"main\" {\n}\ncomponent \"a\" {\n  providers = { aws = provider.aws.main }\n}\n";
    let source = Source::new("a.tfcomponent.hcl", text);
    let document = Document::parse(source, StartSymbol::Config);
    let symbol: Symbol = "provider.aws.main".parse().unwrap();
    assert_eq!(symbol.occurrences(&document).len(), 2);
}
