//! Only what fits a place is offered, and what fits best comes first.

use super::{Case, case, one};

/// The labels, of which the first ones must be these.
fn first(found: &Case, wanted: &[&str]) {
    let labels = found.labels();
    assert_eq!(labels.iter().take(wanted.len()).collect::<Vec<_>>(), wanted, "{labels:?}");
}

fn has(found: &Case, wanted: &[&str], unwanted: &[&str]) {
    let labels = found.labels();
    for label in wanted {
        assert!(labels.iter().any(|own| own == label), "{label} in {labels:?}");
    }
    for label in unwanted {
        assert!(!labels.iter().any(|own| own == label), "{label} in {labels:?}");
    }
}

#[test]
fn types_are_keywords_and_constructors() {
    let text = "variable \"a\" {\n  type = ‸\n}\n";
    has(
        &one("a.tf", text),
        &["string", "number", "bool", "any", "list", "object"],
        &["optional", "upper", "var.a"],
    );
    assert_eq!(one("a.tf", text).accept("list"), "variable \"a\" {\n  type = list(string)\n}\n");
    assert_eq!(one("a.tf", text).accept("object"), "variable \"a\" {\n  type = object({})\n}\n");
    let inner = "variable \"a\" {\n  type = object({\n    b = ‸\n  })\n}\n";
    has(&one("a.tf", inner), &["optional", "string"], &["upper"]);
    has(&one("a.tf", "variable \"a\" {\n  type = list(‸)\n}\n"), &["string"], &["optional", "upper"]);
    has(&one("a.pkr.hcl", text), &["string"], &["upper"]);
    // An argument of this name of something else.
    has(&one("a.tf", "resource \"a_b\" \"c\" {\n  type = ‸\n}\n"), &["upper"], &["list(string)"]);
}

#[test]
fn configurations_addresses_and_attributes_are_offered_where_they_are_taken() {
    let rest = "provider \"aws\" {}\nprovider \"aws\" {\n  alias = \"east\"\n}\nresource \"aws_x\" \"y\" {\n  name = 1\n}\nlocals {\n  z = 1\n}\n";
    let files = |text: &str| case(&[("main.tf", text), ("rest.tf", rest)]);
    let found = files("resource \"aws_x\" \"new\" {\n  provider = ‸\n}\n");
    assert_eq!(found.labels(), ["aws.east", "aws"]);
    let found = files("resource \"aws_x\" \"new\" {\n  depends_on = [‸]\n}\n");
    has(&found, &["aws_x.y"], &["local.z", "upper", "true"]);
    let found =
        files("resource \"aws_x\" \"new\" {\n  lifecycle {\n    replace_triggered_by = [‸]\n  }\n}\n");
    has(&found, &["aws_x.y"], &["local.z", "upper"]);
    let found =
        files("resource \"aws_x\" \"new\" {\n  size = 1\n  lifecycle {\n    ignore_changes = [‸]\n  }\n}\n");
    has(&found, &["size", "name"], &["local.z", "upper", "count", "lifecycle", "all"]);
    has(
        &files("resource \"a_b\" \"c\" {\n  lifecycle {\n    ignore_changes = ‸\n  }\n}\n"),
        &["all"],
        &["upper"],
    );
    has(&files("moved {\n  from = aws_x.old\n  to = ‸\n}\n"), &["aws_x.y"], &["local.z", "upper"]);
}

#[test]
fn keys_and_attributes_of_known_values_are_offered() {
    let rest = "locals {\n  m = { one = 1, two = 2 }\n  l = [{ name = \"a\", size = 1 }, { name = \"b\", port = 2 }]\n}\nvariable \"o\" {\n  type = object({ id = string, ports = optional(list(number)) })\n}\n\
                variable \"s\" {\n  type      = map(string)\n  default   = { hidden = 1 }\n  sensitive = true\n}\n";
    let files = |text: &str| case(&[("main.tf", text), ("rest.tf", rest)]);
    assert_eq!(files("output \"a\" {\n  value = local.m[\"‸\"]\n}\n").labels(), ["one", "two"]);
    assert_eq!(files("output \"a\" {\n  value = var.o.‸\n}\n").labels(), ["id", "ports"]);
    assert_eq!(
        files("output \"a\" {\n  value = [for s in local.l : s.‸]\n}\n").labels(),
        ["name", "port", "size"]
    );
    let each = "resource \"a_b\" \"c\" {\n  for_each = { x = { host = 1 } }\n  a = each.value.‸\n}\n";
    assert_eq!(files(each).labels(), ["host"]);
    let dynamic = "resource \"a_b\" \"c\" {\n  dynamic \"rule\" {\n    for_each = local.l\n    content {\n      a = rule.value.‸\n    }\n  }\n}\n";
    assert_eq!(files(dynamic).labels(), ["name", "port", "size"]);
    for text in [
        "output \"a\" {\n  value = var.s.‸\n}\n",
        "output \"a\" {\n  value = var.s[\"‸\"]\n}\n",
        "output \"a\" {\n  value = [for x in [var.s] : x.‸]\n}\n",
        "resource \"a_b\" \"c\" {\n  for_each = var.s\n  a = each.value.‸\n}\n",
    ] {
        has(&files(text), &[], &["hidden"]);
    }
}

#[test]
fn objects_have_the_keys_of_their_types() {
    let called = "variable \"net\" {\n  type = object({ cidr = string, tags = optional(map(string)), on = optional(bool) })\n}\nvariable \"many\" {\n  type = map(object({ size = number }))\n}\n";
    let files = |text: &str| case(&[("main.tf", text), ("net/main.tf", called)]);
    let found = files("module \"a\" {\n  source = \"./net\"\n  net = {\n    ‸\n  }\n}\n");
    assert_eq!(found.labels(), ["cidr", "on", "tags"]);
    assert!(found.accept("cidr").contains("cidr = \"\""), "{}", found.accept("cidr"));
    assert_eq!(
        files("module \"a\" {\n  source = \"./net\"\n  many = {\n    x = { ‸ }\n  }\n}\n").labels(),
        ["size"]
    );
    first(
        &files("module \"a\" {\n  source = \"./net\"\n  net = {\n    on = ‸\n  }\n}\n"),
        &["true", "false"],
    );
    let values = case(&[("a.tfvars", "net = {\n  ‸\n}\n"), ("main.tf", called)]);
    assert_eq!(values.labels(), ["cidr", "on", "tags"]);
    let default =
        format!("{}\n", "variable \"d\" {\n  type = object({ x = string })\n  default = {\n    ‸\n  }\n}");
    assert_eq!(one("main.tf", &default).labels(), ["x"]);
}

#[test]
fn values_of_variables_are_constant() {
    let variables = "variable \"on\" {\n  type = bool\n}\n";
    let found = case(&[("a.tfvars", "on = ‸\n"), ("main.tf", variables)]);
    assert_eq!(found.labels(), ["true", "false", "null"]);
    // The variables of the module around a directory with values.
    let found = case(&[("env/prod.tfvars", "‸\n"), ("main.tf", variables)]);
    assert_eq!(found.accept("on"), "on = true\n");
    let found =
        case(&[("main.tf", "variable \"a\" {\n  type = bool\n  default = ‸\n}\nlocals {\n  b = 1\n}\n")]);
    assert_eq!(found.labels(), ["true", "false", "null"]);
}

#[test]
fn languages_say_what_their_blocks_have() {
    has(&one("main.tf", "terraform {\n  backend \"‸\" {}\n}\n"), &["s3", "gcs"], &["atlas"]);
    has(
        &one("main.tf", "terraform {\n  backend \"s3\" {\n    ‸\n  }\n}\n"),
        &["bucket", "region"],
        &["count"],
    );
    let found = one("main.tf", "terraform {\n  required_providers {\n    aws = {\n      ‸\n    }\n  }\n}\n");
    has(&found, &["source", "version"], &["null"]);
    has(&one("docker-bake.hcl", "target \"a\" {\n  ‸\n}\n"), &["args", "cache-from", "no-cache"], &[]);
    let unit = "terraform {\n  source = \"./net\"\n}\ninputs = {\n  ‸\n}\n";
    let found = case(&[("terragrunt.hcl", unit), ("net/main.tf", "variable \"cidr\" {}\n")]);
    has(&found, &["cidr"], &[]);
    has(&one("terragrunt.hcl", "locals {\n  a = ‸\n}\n"), &["find_in_parent_folders", "upper"], &[]);
    has(&one("main.tf", "resource \"a_b\" \"c\" {\n  provisioner \"‸\" {}\n}\n"), &["local-exec"], &["chef"]);
}

/// Required arguments, then what has the name of what it is for, and what is declared and not used.
#[test]
fn what_fits_best_comes_first() {
    let called = "variable \"a\" {\n  default = 1\n}\nvariable \"z\" {\n  description = \"Last.\"\n}\n";
    let found =
        case(&[("main.tf", "module \"m\" {\n  source = \"./net\"\n  ‸\n}\n"), ("net/main.tf", called)]);
    first(&found, &["z"]);
    let items = found.snapshot.completions(&found.path, found.offset);
    assert_eq!((items[0].detail.as_str(), items[0].documentation.as_str()), ("required", "Last."));
    let variables = "variable \"aa\" {}\nvariable \"region\" {}\nvariable \"used\" {}\noutput \"u\" {\n  value = [var.used, var.aa]\n}\n";
    let files = |text: &str| case(&[("main.tf", text), ("variables.tf", variables)]);
    first(&files("resource \"a_b\" \"c\" {\n  region = ‸\n}\n"), &["var.region"]);
    first(&files("resource \"a_b\" \"c\" {\n  other = ‸\n}\n"), &["var.region"]);
    first(&files("output \"aa\" {\n  value = var.‸\n}\n"), &["aa"]);
    // Before a parenthesis there can only be a function.
    has(&files("output \"aa\" {\n  value = ‸(1)\n}\n"), &["upper"], &["var.aa", "true"]);
}

/// Other modules of the workspace show what objects without a schema have.
#[test]
fn names_that_other_modules_use_are_offered() {
    let other = "resource \"a_b\" \"c\" {\n  size = 1\n}\nmodule \"m\" {\n  source = \"x/y/z\"\n  cidr = 1\n}\noutput \"o\" {\n  value = [a_b.c.arn, module.m.vpc_id]\n}\n";
    let labels = |text: &str| {
        let found = case(&[("one/main.tf", text), ("two/main.tf", other)]);
        found.snapshot.read_index();
        found.labels()
    };
    assert!(labels("resource \"a_b\" \"d\" {\n  ‸\n}\n").contains(&"size".to_owned()));
    assert!(labels("resource \"‸\" \"d\" {\n}\n").contains(&"a_b".to_owned()));
    assert!(labels("module \"n\" {\n  source = \"x/y/z?ref=1\"\n  ‸\n}\n").contains(&"cidr".to_owned()));
    let resource = "resource \"a_b\" \"d\" {}\noutput \"p\" {\n  value = a_b.d.‸\n}\n";
    assert!(labels(resource).contains(&"arn".to_owned()));
    let call = "module \"n\" {\n  source = \"x/y/z\"\n}\noutput \"p\" {\n  value = module.n.‸\n}\n";
    assert!(labels(call).contains(&"vpc_id".to_owned()));
}

/// No item has a value that somebody must replace for it to make sense as a text.
#[test]
fn nothing_is_set_to_null() {
    for text in [
        "module \"a\" {\n  ‸\n}\n",
        "resource \"a_b\" \"c\" {\n  ‸\n}\n",
        "variable \"a\" {\n  ‸\n}\n",
        "output \"a\" {\n  ‸\n}\n",
        "terraform {\n  ‸\n}\n",
        "moved {\n  ‸\n}\n",
    ] {
        let found = one("main.tf", text);
        for item in found.snapshot.completions(&found.path, found.offset) {
            let all = [Some(&item.text), item.snippet.as_ref()];
            assert!(
                !all.into_iter().flatten().any(|text| text.contains("= null")),
                "{}: {}",
                item.label,
                item.text
            );
        }
    }
}

#[test]
fn values_of_the_first_instances_are_shown() {
    let text = |value: &str| {
        format!(
            "resource \"a_b\" \"c\" {{\n  for_each = {{ x = {{ n = 1 }}, y = {{ n = 2 }}, z = {{ n = 3 }}, zz = {{ n = 4 }} }}\n  a = {value}\n}}\n"
        )
    };
    let shown = one("main.tf", &text("each.va‸lue.n")).hover();
    assert!(shown.contains("\"x\": { n = 1 }") || shown.contains("\"x\": {n = 1}"), "{shown}");
    assert!(shown.contains("These are the first 3 of 4."), "{shown}");
    assert!(one("main.tf", &text("each.value.‸n")).hover().contains("\"y\": 2"));
    assert!(one("main.tf", &text("each.k‸ey")).hover().contains("\"z\"\n"));
    let element = one("main.tf", "locals {\n  a = [for s in [5, 6] : ‸s]\n}\n").hover();
    assert!(element.contains("0: 5\n1: 6"), "{element}");
    let secret = "variable \"s\" {\n  default = { k = \"hidden\" }\n  sensitive = true\n}\nlocals {\n  a = [for s in var.s : ‸s]\n  b = [for t in [var.s] : t]\n}\n";
    assert!(!one("main.tf", secret).hover().contains("hidden"));
    assert!(!one("main.tf", &secret.replace("‸", "").replace(": t]", ": ‸t]")).hover().contains("hidden"));
}

#[test]
fn arguments_of_the_language_and_types_are_explained() {
    let text = "resource \"aws_x\" \"y\" {\n  ‸count = 1\n}\n";
    assert!(one("main.tf", text).hover().contains("The number of instances."));
    let alias = one("main.tf", "provider \"aws\" {\n  ‸alias = \"b\"\n}\n").hover();
    assert!(alias.contains("A name for this configuration"), "{alias}");
    let lifecycle = "resource \"a_b\" \"c\" {\n  lifecycle {\n    ‸ignore_changes = []\n  }\n}\n";
    assert!(one("main.tf", lifecycle).hover().contains("whose changes do not change"));
    let required = "terraform {\n  required_providers {\n    aws = {\n      source = \"hashicorp/aws\"\n      version = \"~> 5\"\n    }\n  }\n}\n";
    let found = case(&[("main.tf", "resource \"aws_‸x\" \"y\" {\n}\n"), ("versions.tf", required)]);
    assert!(
        found.hover().contains("`hashicorp/aws`, of which the module requires `~> 5`"),
        "{}",
        found.hover()
    );
    let function = one("terragrunt.hcl", "locals {\n  a = get_‸env(\"A\")\n}\n").hover();
    assert!(
        function.contains("get_env(name, default)") && function.contains("environment variable"),
        "{function}"
    );
}
