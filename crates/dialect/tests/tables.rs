//! The built-in tables: that they can be read, and what they say about files, blocks and strings.

use std::path::Path;

use hclkit_dialect::{Contents, Dialect, FileKind, Strings, syntax_of_path};
use hclkit_syntax::{Source, Syntax};

#[test]
fn all_tables_can_be_read() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        // What agents accept is in files of another kind, which are read when it is asked for.
        if path.is_dir() {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let source = Source::new(path.to_string_lossy(), std::fs::read(&path).unwrap());
        let table = Dialect::read(source).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(table.name(), name);
        if !table.title().is_empty() {
            assert!(Dialect::named(&name).is_some(), "{name} is not built in");
            names.push(name);
        }
    }
    names.sort();
    let mut built_in: Vec<String> = Dialect::all().map(|dialect| dialect.name().to_owned()).collect();
    built_in.sort_unstable();
    assert_eq!(names, built_in);
}

#[test]
fn addresses_that_lead_to_no_block_are_errors() {
    let read = |role: &str, defines: &str| {
        let table = format!(
            "name = \"a\"\nblock \"b\" {{\n  role = \"{role}\"\n  labels = [\"name\"]\n  defines = \"{defines}\"\n}}\n"
        );
        Dialect::read(Source::new("a.hcl", table)).map(|_| ()).map_err(|found| found.to_string())
    };
    for (role, defines, error) in [
        ("object", "{name}.b", "The last name must be"),
        ("object", "b.{kind}", "A name in braces must be"),
        ("values", "b.{attribute}.{name}", "Only the last name can be"),
        ("object", "b.{name}.{name}", "Each label can be in the address once"),
        ("object", "", "Blocks with the role `object` need an address"),
        ("call", "b.{attribute}", "Blocks with the role `call` need an address"),
        ("values", "b.{name}", "The attributes of blocks with the role `values` need an address"),
        ("inputs", "b.{name}", "The attributes of blocks with the role `inputs` need an address"),
    ] {
        let found = read(role, defines).unwrap_err();
        assert!(found.contains(error), "{role}, {defines}: {found}");
    }
    for (role, defines) in
        [("object", "b.{name}"), ("object", "{name}"), ("settings", ""), ("values", "b.{attribute}")]
    {
        assert_eq!(read(role, defines), Ok(()), "{role}, {defines}");
    }
}

#[test]
fn names_and_aliases_are_unique() {
    for name in ["tofu", "docker-bake", "plain"] {
        assert!(Dialect::named(name).is_some(), "{name}");
    }
    assert!(Dialect::named("terraform-tests").is_none(), "it is a part of others");
}

/// The language of a file and what it contains.
type Known = (&'static str, FileKind);

#[test]
fn file_names() {
    use FileKind::{Mocks, Module, Queries, Settings, Template, Tests, Values};
    let cases: &[(&str, Option<Known>, Option<Syntax>)] = &[
        ("a.tf", Some(("terraform", Module)), Some(Syntax::Native)),
        ("d.nomad/MAIN.TF", Some(("terraform", Module)), Some(Syntax::Native)),
        ("a.tofu", Some(("opentofu", Module)), Some(Syntax::Native)),
        ("a.auto.tfvars", Some(("terraform", Values)), Some(Syntax::Native)),
        ("a.tftest.hcl", Some(("terraform", Tests)), Some(Syntax::Native)),
        ("a.tofutest.hcl", Some(("opentofu", Tests)), Some(Syntax::Native)),
        ("a.tfmock.hcl", Some(("terraform", Mocks)), Some(Syntax::Native)),
        ("a.tfquery.hcl", Some(("terraform", Queries)), Some(Syntax::Native)),
        ("a.tfbackend", Some(("terraform", Settings)), Some(Syntax::Native)),
        ("a.pkr.hcl", Some(("packer", Module)), Some(Syntax::Native)),
        ("a.auto.pkrvars.hcl", Some(("packer", Values)), Some(Syntax::Native)),
        ("user-data.pkrtpl.hcl", Some(("packer", Template)), None),
        ("a.nomad", Some(("nomad", Module)), Some(Syntax::Native)),
        ("a.nomad.hcl", Some(("nomad", Module)), Some(Syntax::Native)),
        ("d/docker-bake.hcl", Some(("bake", Module)), Some(Syntax::Native)),
        ("docker-bake.override.hcl", Some(("bake", Module)), Some(Syntax::Native)),
        ("terragrunt.hcl", Some(("terragrunt", Module)), Some(Syntax::Native)),
        ("main.tfcomponent.hcl", Some(("stacks", Module)), Some(Syntax::Native)),
        ("main.tfcomponent.json", Some(("stacks", Module)), Some(Syntax::Json)),
        ("main.tfdeploy.hcl", Some(("stack-deployments", Module)), Some(Syntax::Native)),
        ("main.tfmigrate.hcl", Some(("stack-migrations", Module)), Some(Syntax::Native)),
        ("tags.rules.hcl", Some(("rules", Module)), Some(Syntax::Native)),
        ("tags.policy.hcl", Some(("terraform-policy", Module)), Some(Syntax::Native)),
        ("tags.policytest.hcl", Some(("terraform-policytest", Module)), Some(Syntax::Native)),
        ("terragrunt.hcl.json", Some(("terragrunt", Module)), Some(Syntax::Json)),
        ("a.tf.json", Some(("terraform", Module)), Some(Syntax::Json)),
        ("a.auto.tfvars.json", Some(("terraform", Values)), Some(Syntax::Json)),
        ("a.pkr.json", Some(("packer", Module)), Some(Syntax::Json)),
        ("a.auto.pkrvars.json", Some(("packer", Values)), Some(Syntax::Json)),
        ("a.tftest.json", Some(("terraform", Tests)), Some(Syntax::Json)),
        ("a.tfquery.json", Some(("terraform", Queries)), Some(Syntax::Json)),
        ("a.pkr.yaml", Some(("packer", Module)), None),
        ("docker-bake.json", Some(("bake", Module)), Some(Syntax::Json)),
        ("config.hcl", None, Some(Syntax::Native)),
        ("config.hcl.json", None, Some(Syntax::Json)),
        ("a.json", None, None),
        (".tf", None, Some(Syntax::Native)),
        ("not-docker-bake.hcl", None, Some(Syntax::Native)),
        ("a.tf/config.hcl", None, Some(Syntax::Native)),
        ("tf", None, None),
        ("", None, None),
    ];
    for (path, expected, syntax) in cases {
        let found = Dialect::of_path(path);
        let found = found.as_ref().map(|dialect| (dialect.name(), dialect.file_kind(path).unwrap()));
        assert_eq!(found, *expected, "{path}");
        assert_eq!(syntax_of_path(path), *syntax, "{path}");
    }
}

#[test]
fn shapes_of_blocks() {
    let shape = |dialect: &str, around: Option<&str>, block_type: &str| {
        let dialect = Dialect::named(dialect).unwrap();
        dialect.shape(around, block_type).map(|shape| (shape.labels.len(), shape.contents))
    };
    let cases = [
        ("terraform", None, "resource", Some((2, Contents::Open))),
        ("terraform", None, "list", Some((2, Contents::Listed))),
        ("terraform", Some("list"), "config", Some((0, Contents::Open))),
        ("terraform", None, "action", Some((2, Contents::Listed))),
        ("terraform", None, "run", Some((1, Contents::Listed))),
        ("terraform", Some("run"), "assert", Some((0, Contents::Listed))),
        ("terraform", Some("terraform"), "required_providers", Some((0, Contents::Attributes))),
        ("terraform", Some("resource"), "dynamic", Some((1, Contents::Listed))),
        ("terraform", Some("variable"), "dynamic", None),
        ("terraform", Some("resource"), "ingress", None),
        ("opentofu", Some("module"), "lifecycle", Some((0, Contents::Listed))),
        ("packer", Some("build"), "provisioner", Some((1, Contents::Open))),
        ("nomad", Some("policy"), "check", Some((1, Contents::Open))),
        ("nomad", Some("service"), "check", Some((0, Contents::Open))),
        ("bake", None, "target", Some((1, Contents::Attributes))),
        ("terraform-policy", None, "resource_policy", Some((2, Contents::Listed))),
        ("terraform-policy", Some("resource_policy"), "enforce", Some((0, Contents::Listed))),
        ("terraform-policytest", Some("resource"), "inputs", Some((0, Contents::Attributes))),
    ];
    for (dialect, around, block_type, expected) in cases {
        assert_eq!(shape(dialect, around, block_type), expected, "{dialect} {around:?} {block_type}");
    }
}

#[test]
fn strings_in_json() {
    let cases = [
        ("terraform", "variable", "type", Strings::Source),
        ("terraform", "variable", "default", Strings::Text),
        ("terraform", "variable", "description", Strings::Text),
        ("terraform", "required_providers", "aws", Strings::Text),
        ("terraform", "module", "source", Strings::Templates),
        ("terraform", "module", "providers", Strings::Source),
        ("terraform", "resource", "depends_on", Strings::Source),
        ("terraform", "resource", "ami", Strings::Templates),
        ("terraform", "run", "command", Strings::Source),
        ("terraform", "variables", "region", Strings::Templates),
        ("nomad", "variables", "region", Strings::Text),
        ("bake", "function", "params", Strings::Source),
        ("opentofu", "lifecycle", "ignore_changes", Strings::Source),
    ];
    for (dialect, block, attribute, expected) in cases {
        let found = Dialect::named(dialect).unwrap().strings(Some(block), attribute);
        assert_eq!(found, expected, "{dialect} {block}.{attribute}");
    }
}

/// The patterns of attributes that are not templates are those that the language reads so. A block of a part, such as tests, may
/// have the same type as one of the language, and differ.
#[test]
fn static_patterns_are_what_strings_says() {
    let mut wrong = Vec::new();
    for dialect in Dialect::all() {
        for pattern in dialect.static_patterns() {
            let (block, name) = pattern.split_once('.').unwrap();
            // Other blocks of the same type are not read so.
            if block.contains('/') {
                continue;
            }
            if dialect.strings(Some(block), name) == Strings::Templates {
                wrong.push(format!("{}: {pattern}", dialect.name()));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
