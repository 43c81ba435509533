//! What is offered, and that it adds no syntax errors.

use super::{case, one};

fn has(labels: &[String], wanted: &[&str]) {
    for label in wanted {
        assert!(labels.iter().any(|own| own == label), "{label} in {labels:?}");
    }
}

#[test]
fn names_in_scope_are_offered() {
    let files = |text| {
        case(&[
            ("main.tf", text),
            (
                "variables.tf",
                "locals {\n  b = 1\n}\nvariable \"region\" {\n  default = { zone = \"a\" }\n}\nresource \"a_b\" \"c\" {\n  name = \"x\"\n}\ndata \"d_e\" \"f\" {\n}\nmodule \"net\" {\n  source = \"./net\"\n}\n",
            ),
            ("net/main.tf", "output \"id\" {\n  value = 1\n}\n"),
        ])
    };
    let wanted =
        ["var.region", "local.b", "a_b.c", "data.d_e.f", "module.net", "path.module", "upper", "true"];
    has(&files("locals {\n  a = ‸\n}\n").labels(), &wanted);
    has(&files("locals {\n  a = v‸\n}\n").labels(), &wanted);
    has(&files("locals {\n  a = \"x${‸}\"\n}\n").labels(), &wanted);
    has(&files("locals {\n  a = [1, ‸]\n}\n").labels(), &wanted);
    has(&files("locals {\n  a = upper(‸\n}\n").labels(), &wanted);
    assert_eq!(files("locals {\n  a = var.‸\n}\n").labels(), ["region"]);
    assert_eq!(files("locals {\n  a = var.region.‸\n}\n").labels(), ["zone"]);
    assert_eq!(files("locals {\n  a = module.net.‸\n}\n").labels(), ["id"]);
    has(&files("locals {\n  a = a_b.c.‸\n}\n").labels(), &["name"]);
    assert_eq!(files("locals {\n  a = data.‸\n}\n").labels(), ["d_e"]);
    has(&files("locals {\n  a = [for one in [] : o‸]\n}\n").labels(), &["one"]);
    has(
        &files("resource \"x_y\" \"z\" {\n  for_each = {}\n  a = e‸\n}\n").labels(),
        &["each.key", "each.value"],
    );
    assert!(!files("locals {\n  a = e‸\n}\n").labels().contains(&"each.key".to_owned()));
}

#[test]
fn nothing_is_offered_where_nothing_fits() {
    for text in [
        "# v‸\nlocals {}\n",
        "locals {\n  a = \"v‸\"\n}\n",
        "locals {\n  a = 1‸\n}\n",
        "locals {\n  a = 1 ‸\n}\n",
        "locals {\n  a = local.b ‸\n}\n",
        "locals {\n  a = <<EOT\nv‸\nEOT\n}\n",
        "locals {\n  a = ‸ 1\n}\n",
        "variable \"a‸\" {}\n",
    ] {
        assert_eq!(one("main.tf", text).labels(), [] as [&str; 0], "{text}");
    }
}

/// Without a schema, the other blocks of a type show what its blocks can have.
#[test]
fn names_that_other_blocks_of_a_type_have_are_offered() {
    let other = "resource \"a_b\" \"one\" {\n  name = \"x\"\n  tags = { a = 1 }\n  size = 1\n  rule {\n    port = 1\n  }\n  \
                 dynamic \"own\" {\n    for_each = []\n    content {\n      inner = [1]\n    }\n  }\n}\n\
                 resource \"a_c\" \"two\" {\n  other = 1\n}\ndata \"a_b\" \"three\" {\n  filter = 1\n}\n";
    let used = |text: &str| -> Vec<String> {
        let found = case(&[("main.tf", text), ("other.tf", other)]);
        let all = found.snapshot.completions(&found.path, found.offset).into_iter();
        all.filter(|own| own.detail == "used in this project").map(|own| own.text).collect()
    };
    let block = |body: &str| used(&format!("resource \"a_b\" \"new\" {{\n{body}\n}}\n"));
    assert_eq!(block("  ‸"), ["name = \"\"", "own {\n  }", "rule {\n  }", "size = \"\"", "tags = {}"]);
    // Neither what is there nor what is being typed.
    assert_eq!(block("  name = 1\n  unfin‸"), ["tags = {}", "own {\n  }", "rule {\n  }", "size = \"\""]);
    assert_eq!(block("  unfin‸ = 1"), ["name", "own", "rule", "size", "tags"]);
    assert_eq!(block("  rule {\n    ‸\n  }"), ["port = \"\""]);
    assert_eq!(block("  dynamic \"own\" {\n    content {\n      ‸\n    }\n  }"), ["inner = []"]);
    assert_eq!(block("  dynamic \"else\" {\n    content {\n      ‸\n    }\n  }"), [""; 0]);
    assert_eq!(used("data \"a_b\" \"new\" {\n  ‸\n}\n"), ["filter = \"\""]);
    assert_eq!(used("resource \"a_d\" \"new\" {\n  ‸\n}\n"), [""; 0]);
    assert_eq!(used("‸"), [""; 0]);
}

#[test]
fn arguments_and_blocks_that_are_missing_are_offered() {
    let top = one("main.tf", "‸").labels();
    has(&top, &["variable", "resource", "module", "terraform"]);
    let body = one("main.tf", "module \"a\" {\n  source = \"./b\"\n  ‸\n}\n").labels();
    has(&body, &["version", "count", "for_each", "providers"]);
    assert!(!body.contains(&"source".to_owned()));
    has(
        &one("main.tf", "resource \"a\" \"b\" {\n  ‸\n}\n").labels(),
        &["count", "lifecycle", "provisioner", "dynamic"],
    );
    has(
        &one("main.tf", "variable \"a\" {\n  validation {\n    ‸\n  }\n}\n").labels(),
        &["condition", "error_message"],
    );
    let call = case(&[
        ("main.tf", "module \"a\" {\n  source = \"./b\"\n  ‸\n}\n"),
        ("b/main.tf", "variable \"cidr\" {}\n"),
    ]);
    has(&call.labels(), &["cidr"]);
    let values =
        case(&[("terraform.tfvars", "a = 1\n‸\n"), ("main.tf", "variable \"a\" {}\nvariable \"b\" {}\n")]);
    assert_eq!(values.labels(), ["b"]);
}

#[test]
fn accepted_items_are_complete() {
    assert_eq!(one("main.tf", "vari‸").accept("variable"), "variable \"name\" {\n}");
    assert_eq!(
        one("main.tf", "module \"a\" {\n  so‸\n}\n").accept("source"),
        "module \"a\" {\n  source = \"\"\n}\n"
    );
    assert_eq!(
        one("main.tf", "module \"a\" {\n  so‸ = 1\n}\n").accept("source"),
        "module \"a\" {\n  source = 1\n}\n"
    );
    assert_eq!(one("main.tf", "locals {\n  a = up‸\n}\n").accept("upper"), "locals {\n  a = upper()\n}\n");
    assert_eq!(
        one("main.tf", "locals {\n  a = up‸(1)\n}\n").accept("upper"),
        "locals {\n  a = upper(1)\n}\n"
    );
}

#[test]
fn directories_of_modules_are_offered() {
    let found =
        case(&[("main.tf", "module \"a\" {\n  source = \"./mod‸\"\n}\n"), ("modules/net/main.tf", "")]);
    assert_eq!(found.labels(), ["modules"]);
    let found =
        case(&[("main.tf", "module \"a\" {\n  source = \"./modules/‸\"\n}\n"), ("modules/net/main.tf", "")]);
    assert_eq!(found.accept("net"), "module \"a\" {\n  source = \"./modules/net\"\n}\n");
}

/// At every place of some files, with the word there and without it.
#[test]
fn accepting_an_item_adds_no_syntax_error() {
    let texts = [
        ("main.tf", include_str!("../../../../examples/infrastructure/main.tf")),
        ("variables.tf", include_str!("../../../../examples/infrastructure/variables.tf")),
        ("web.nomad", include_str!("../../../../examples/nomad/web.nomad")),
        ("docker-bake.hcl", include_str!("../../../../examples/bake/docker-bake.hcl")),
        ("terragrunt.hcl", include_str!("../../../../examples/terragrunt/service/terragrunt.hcl")),
        ("debian.pkr.hcl", include_str!("../../../../examples/packer/debian.pkr.hcl")),
    ];
    let mut tried = 0;
    for (path, text) in texts {
        let places = text.char_indices().map(|(at, _)| at).step_by(11);
        for at in places {
            let cut = text[..at].trim_end_matches(|sign: char| sign.is_alphanumeric() || sign == '_').len();
            for (start, end) in [(at, at), (cut, at)] {
                let with = format!("{}‸{}", &text[..start], &text[end..]);
                let found = one(path, &with);
                let before = hclkit::parse(found.text.as_str()).diagnostics().errors();
                let mut forms: Vec<(String, String)> = Vec::new();
                for item in found.snapshot.completions(&found.path, found.offset) {
                    // One of each kind and form, and all of those with a form of their own.
                    let form = (format!("{:?}", item.kind), item.text.replace(&item.label, ""));
                    if forms.contains(&form) {
                        continue;
                    }
                    forms.push(form);
                    let mut after = found.text.clone();
                    after.replace_range(item.span.to_range(), &item.text);
                    let errors = hclkit::parse(after.as_str()).diagnostics().errors();
                    assert!(errors <= before, "{path}: {} after\n{}", item.text, &text[..start]);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 1_000, "only {tried} items");
}
