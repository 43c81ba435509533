//! The rules of all languages, and of one that is added: what a block defines is found and renamed, in both syntaxes.

use std::sync::Arc;

use hclkit_dialect::{AddressForm, BlockRule, Dialect, Dialects, FileKind, NamePart};
use hclkit_refactor::{Names, OccurrenceKind, Symbol, rename};
use hclkit_syntax::{Document, Source, StartSymbol, Syntax};
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
        Syntax::Native | Syntax::Hcl1 => name.unwrap_or_else(|| "a.hcl".to_owned()),
    }
}

/// A type of blocks that defines addresses, perhaps in other blocks.
#[derive(Clone, Copy)]
struct Defining<'d> {
    outer: Option<&'d BlockRule>,
    block_type: &'d Name,
    labels: usize,
    form: &'d AddressForm,
}

impl<'d> Defining<'d> {
    /// All of a language.
    fn all(language: &'d Dialect) -> impl Iterator<Item = Self> {
        let top = language.blocks.iter().map(|rule| Self {
            outer: None,
            block_type: &rule.block_type,
            labels: rule.labels.len(),
            form: &rule.defines,
        });
        let inner = language.nested_blocks.iter().flat_map(|rule| {
            let outer = language.blocks.iter().filter(|outer| outer.blocks.contains(&rule.block_type));
            let (block_type, form) = (&rule.block_type, &rule.defines);
            outer.map(move |outer| Self { outer: Some(outer), block_type, labels: rule.labels.len(), form })
        });
        top.chain(inner).filter(|rule| !rule.form.is_empty())
    }

    /// A file with such a block, and with another one that refers to it.
    fn document(self, language: &Dialect, name: &str, syntax: Syntax) -> (Document, String) {
        let mut labels: Vec<String> = (0..self.labels).map(|at| format!("l{at}_x")).collect();
        if let Some(NamePart::Label(at)) = self.form.parts().last() {
            name.clone_into(&mut labels[*at]);
        }
        let attribute = self.form.is_of_attributes().then_some(name);
        let address = self.form.address(&labels, attribute).unwrap();
        let address = address.iter().map(Name::as_str).collect::<Vec<_>>().join(".");
        let attribute = attribute.unwrap_or("size");
        let around = self.outer.map(|outer| (&outer.block_type, vec!["out".to_owned(); outer.labels.len()]));
        let path = file(language, syntax);
        let document = if syntax == Syntax::Json {
            let block = |body: String, (block_type, labels): (&Name, Vec<String>)| {
                let labelled = |body, label: &String| format!("{{\"{label}\": {body}}}");
                format!("\"{block_type}\": {}", labels.iter().rev().fold(body, labelled))
            };
            let inner = block(format!("{{\"{attribute}\": 1}}"), (self.block_type, labels));
            let inner = around.into_iter().fold(inner, |inner, outer| block(format!("{{{inner}}}"), outer));
            let text = format!("{{{inner}, \"other\": {{\"value\": \"${{{address}}}\"}}}}\n");
            Document::parse_json(Source::new(path, text))
        } else {
            let block = |body: String, (block_type, labels): (&Name, Vec<String>)| {
                let header =
                    labels.iter().fold(block_type.to_string(), |text, label| format!("{text} \"{label}\""));
                let body: Vec<String> = body.lines().map(|line| format!("  {line}\n")).collect();
                format!("{header} {{\n{}}}\n", body.concat())
            };
            let inner = block(format!("{attribute} = 1\n"), (self.block_type, labels));
            let inner = around.into_iter().fold(inner, block);
            let text = format!("{inner}other {{\n  value = [{address}, 2]\n}}\n");
            Document::parse(Source::new(path, text), StartSymbol::Config)
        };
        assert!(!document.has_errors(), "{}", document.source().text());
        (document, address)
    }
}

fn check(language: &Arc<Dialect>, rule: Defining<'_>, syntax: Syntax) {
    let (before, address) = rule.document(language, "one_x", syntax);
    let (after, new) = rule.document(language, "other_name", syntax);
    let what =
        format!("{} {address} in {}:\n{}", language.name(), before.source().name(), before.source().text());
    let symbol: Symbol = address.parse().unwrap();
    let names = Names::of(&before);
    let found = names.occurrences(&symbol);
    let kinds: Vec<OccurrenceKind> = found.iter().map(|found| found.kind).collect();
    assert_eq!(kinds, [OccurrenceKind::Declaration, OccurrenceKind::Reference], "{what}");
    let texts: Vec<&str> =
        found.iter().map(|found| before.source().slice(found.name_span(&before))).collect();
    assert_eq!(texts, ["one_x", "one_x"], "{what}");
    let own = Names::in_language(&before, Some(language.clone()));
    let declared = own.declared().iter().filter(|own| own.name() == "one_x");
    let declared: Vec<_> = declared.map(|own| (own.address.join("."), own.name)).collect();
    assert_eq!(declared, [(address.clone(), found[0].name_span(&before))], "{what}");
    let renamed = rename(&[names], &symbol, "other_name", false);
    let renamed = renamed.unwrap_or_else(|error| panic!("{error}: {what}"))[0].clone().unwrap();
    assert_eq!(renamed.source().text(), after.source().text(), "{what}");
    let back = rename(&[Names::of(&renamed)], &new.parse().unwrap(), "one_x", false).unwrap();
    assert_eq!(back[0].as_ref().unwrap().source().text(), before.source().text(), "{what}");
}

#[test]
fn what_a_block_defines_is_found_and_renamed() {
    let added = Dialect::read(Source::new("services.hcl", SERVICES)).unwrap();
    Dialects::new([added]).run(|| {
        let (mut count, mut inner) = (0, 0);
        for language in Dialect::all().collect::<Vec<Arc<Dialect>>>() {
            for rule in Defining::all(&language) {
                for syntax in [Syntax::Native, Syntax::Json] {
                    check(&language, rule, syntax);
                    count += 1;
                    inner += usize::from(rule.outer.is_some());
                }
            }
        }
        assert!(count > 60 && inner > 0, "{count}, {inner}");
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
            let document = Document::parse(Source::new(path, text), StartSymbol::Config);
            assert_eq!(wrong.parse::<Symbol>().unwrap().occurrences(&document), [], "{path}: {wrong}");
        }
    });
}

/// Blocks of providers have any type, also one that declares names elsewhere.
#[test]
fn blocks_of_providers_declare_nothing() {
    let text =
        "resource \"a\" \"b\" {\n  data \"c\" \"d\" {\n  }\n}\ncheck \"e\" {\n  data \"f\" \"g\" {\n  }\n}\n";
    let document = Document::parse(Source::new("main.tf", text), StartSymbol::Config);
    let names = Names::of(&document);
    let addresses: Vec<String> = names.declared().iter().map(|own| own.address.join(".")).collect();
    assert_eq!(addresses, ["a.b", "check.e", "data.f.g"]);
}

/// A table in which all blocks can be in each other, which has very many paths, is searched once for each.
#[test]
fn names_in_blocks_that_can_be_in_each_other_are_found() {
    let names: Vec<String> = (0..40).map(|number| format!("b{number}")).collect();
    let all = names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    let nested = |name: &String| {
        format!(
            "nested \"{name}\" {{\n  labels = [\"name\"]\n  defines = \"{name}.{{name}}\"\n  role = \"group\"\n  blocks = [{all}]\n}}\n"
        )
    };
    let table = "name = \"own\"\nfiles = [\"*.own\"]\n".to_owned()
        + &format!("block \"top\" {{\n  blocks = [{all}]\n}}\n")
        + &names.iter().map(nested).collect::<Vec<_>>().concat();
    let language = Arc::new(Dialect::read(Source::new("own.hcl", table)).unwrap());
    let text =
        "top {\n  b0 \"x\" {\n    b1 \"y\" {\n      b2 \"z\" {\n        a = b2.z\n      }\n    }\n  }\n}\n";
    let document = Document::parse(Source::new("main.own", text), StartSymbol::Config);
    let names = Names::in_language(&document, Some(language));
    assert_eq!(names.occurrences(&"b2.z".parse().unwrap()).len(), 2);
    let renamed = rename(&[names], &"b2.z".parse().unwrap(), "new", false).unwrap();
    assert_eq!(
        renamed[0].as_ref().unwrap().source().text(),
        text.replace("\"z\"", "\"new\"").replace("b2.z", "b2.new")
    );
}
