//! The rules of all languages, and of one that is added: what a block defines is found and renamed, in both syntaxes.

use std::sync::Arc;

use hclkit_dialect::{BlockRule, Dialect, Dialects, FileKind, NamePart};
use hclkit_refactor::{Names, OccurrenceKind, Symbol, rename};
use hclkit_syntax::{Document, Entry, Source, Syntax};
use hclkit_value::Name;

/// The address of a service is other than the path of its block, and has its labels in another order.
const SERVICES: &str = r#"
name  = "services"
files = ["*.services"]

block "service" {
  labels  = ["zone", "name"]
  defines = "svc.{name}"
}

block "route" {
  labels  = ["to", "from"]
  defines = "{from}.routes.{to}"
}

block "settings" {
  defines = "set.{attribute}"
}
"#;

/// A file of a language. That of another name can be of any language.
fn file(language: &Dialect, syntax: Syntax) -> String {
    let names = language
        .module_files()
        .chain(["docker-bake.hcl", "terragrunt.hcl", "a.nomad.hcl"].map(str::to_owned));
    let name = names.map(|name| name.replace('*', "a")).find(|name| {
        let own = Dialect::of_path(name);
        own.is_some_and(|own| own.name() == language.name())
            && language.file_kind(name) == Some(FileKind::Module)
    });
    match syntax {
        Syntax::Json => {
            format!("{}.json", name.unwrap_or_else(|| "a.hcl".to_owned()).trim_end_matches(".json"))
        }
        Syntax::Native => name.unwrap_or_else(|| "a.hcl".to_owned()),
    }
}

/// A file with a block, and with another one that refers to it.
fn document(language: &Dialect, rule: &BlockRule, name: &str, syntax: Syntax) -> (Document, String) {
    let mut labels: Vec<String> = (0..rule.labels.len()).map(|at| format!("l{at}_x")).collect();
    if let Some(NamePart::Label(at)) = rule.defines.parts().last() {
        name.clone_into(&mut labels[*at]);
    }
    let attribute = rule.defines.is_of_attributes().then_some(name);
    let address = rule.defines.address(&labels, attribute).unwrap();
    let address = address.iter().map(Name::as_str).collect::<Vec<_>>().join(".");
    let (block_type, attribute) = (&rule.block_type, attribute.unwrap_or("size"));
    let path = file(language, syntax);
    let document = if syntax == Syntax::Json {
        let inner = format!("{{\"{attribute}\": 1}}");
        let block = labels.iter().rev().fold(inner, |inner, label| format!("{{\"{label}\": {inner}}}"));
        let text = format!("{{\"{block_type}\": {block}, \"other\": {{\"value\": \"${{{address}}}\"}}}}\n");
        Document::parse_json(Source::new(path, text))
    } else {
        let block = labels.iter().fold(block_type.to_string(), |block, label| format!("{block} \"{label}\""));
        let text = format!("{block} {{\n  {attribute} = 1\n}}\nother {{\n  value = [{address}, 2]\n}}\n");
        Document::parse(Source::new(path, text), Entry::Config)
    };
    assert!(!document.has_errors(), "{}", document.source().text());
    (document, address)
}

fn check(language: &Dialect, rule: &BlockRule, syntax: Syntax) {
    let (before, address) = document(language, rule, "one_x", syntax);
    let (after, new) = document(language, rule, "other_name", syntax);
    let what =
        format!("{} {address} in {}:\n{}", language.name(), before.source().name(), before.source().text());
    let symbol: Symbol = address.parse().unwrap();
    let found = Names::of(&before).occurrences(&symbol);
    let kinds: Vec<OccurrenceKind> = found.iter().map(|found| found.kind).collect();
    assert_eq!(kinds, [OccurrenceKind::Declaration, OccurrenceKind::Reference], "{what}");
    let texts: Vec<&str> =
        found.iter().map(|found| before.source().slice(found.name_span(&before))).collect();
    assert_eq!(texts, ["one_x", "one_x"], "{what}");
    let renamed = rename(std::slice::from_ref(&before), &symbol, "other_name", false);
    let renamed = renamed.unwrap_or_else(|error| panic!("{error}: {what}"))[0].clone().unwrap();
    assert_eq!(renamed.source().text(), after.source().text(), "{what}");
    let back = rename(&[renamed], &new.parse().unwrap(), "one_x", false).unwrap()[0].clone().unwrap();
    assert_eq!(back.source().text(), before.source().text(), "{what}");
}

#[test]
fn what_a_block_defines_is_found_and_renamed() {
    let added = Dialect::read(Source::new("services.hcl", SERVICES)).unwrap();
    Dialects::new([added]).run(|| {
        let mut count = 0;
        for language in Dialect::all().collect::<Vec<Arc<Dialect>>>() {
            for rule in language.blocks.iter().filter(|rule| !rule.defines.is_empty()) {
                for syntax in [Syntax::Native, Syntax::Json] {
                    check(&language, rule, syntax);
                    count += 1;
                }
            }
        }
        assert!(count > 60, "{count}");
    });
}

/// In a file whose language is known, the path of a block is no address if the block has another one.
#[test]
fn the_path_of_a_block_is_not_its_address() {
    let added = Dialect::read(Source::new("services.hcl", SERVICES)).unwrap();
    Dialects::new([added]).run(|| {
        for (path, text, wrong) in [
            ("a.services", "service \"eu\" \"web\" {\n}\n", "service.eu.web"),
            ("a.tf", "variable \"x\" {\n}\n", "variable.x"),
            ("a.tf", "locals {\n  x = 1\n}\n", "locals.x"),
            ("a.tf", "module \"net\" {\n  size = 1\n}\n", "module.net.size"),
        ] {
            let document = Document::parse(Source::new(path, text), Entry::Config);
            assert_eq!(wrong.parse::<Symbol>().unwrap().occurrences(&document), [], "{path}: {wrong}");
        }
    });
}

#[test]
fn a_form_without_a_name_at_its_end_is_an_error() {
    let table = "name = \"a\"\nblock \"b\" {\n  labels = [\"name\"]\n  defines = \"{name}.b\"\n}\n";
    let found = Dialect::read(Source::new("a.hcl", table)).unwrap_err();
    assert!(found.to_string().contains("The last name must be"), "{found}");
}
