//! Resources without the schema of a provider: whatever is known without one must equal what is known with it, wherever
//! the object goes. The expressions apply several steps to the objects, one after the other, all pairs and random longer ones.

use hclkit::functions::Grants;
use hclkit::module::{self, Dialect, Memory, Module, ModuleLoader, Schemas};
use hclkit::value::Kind;
use hclkit::{Context, Expression, Type, Value};
use hclkit_test_cases::rounds;

const SCHEMA: &str = r#"{
  "format_version": "1.0",
  "provider_schemas": { "registry.terraform.io/hashicorp/aws": {
    "resource_schemas": {
      "aws_instance": { "block": {
        "attributes": {
          "ami": { "type": "string", "optional": true },
          "id": { "type": "string", "computed": true },
          "cpus": { "type": "number", "optional": true },
          "zone": { "type": "string", "optional": true, "computed": true },
          "tags": { "type": ["map", "string"], "optional": true },
          "password": { "type": "string", "optional": true }
        },
        "block_types": {
          "disk": { "nesting_mode": "list", "block": {
            "attributes": {
              "size": { "type": "number", "optional": true },
              "id": { "type": "string", "computed": true }
            },
            "block_types": { "part": { "nesting_mode": "set", "block": {
              "attributes": { "name": { "type": "string", "optional": true } } } } } } }
        } } },
      "aws_eip": { "block": { "attributes": {
        "ami": { "type": "string", "optional": true },
        "id": { "type": "string", "computed": true } } } }
    } } }
}"#;

const ROOT: &str = r#"
module "m" { source = "./m" }
module "each" {
  source   = "./m"
  for_each = toset(["x", "y"])
}
variable "password" {
  default   = "secret"
  sensitive = true
}
resource "aws_instance" "web" {
  ami      = "ami-1"
  cpus     = 2
  zone     = null
  tags     = { a = "1" }
  password = var.password
  disk {
    size = 10
    part { name = "root" }
    part { name = "root" }
  }
  disk {}
}
resource "aws_instance" "bare" {}
resource "aws_instance" "counted" {
  count = 2
  ami   = "ami-${count.index}"
}
resource "aws_instance" "keyed" {
  for_each = { a = 1, b = 2 }
  ami      = each.key
  cpus     = each.value
}
resource "aws_eip" "chained" {
  for_each = aws_instance.keyed
  ami      = each.value.ami
}
locals {
  web   = aws_instance.web
  all   = { web = aws_instance.web, list = [aws_instance.bare, aws_eip.chained["a"]], keyed = aws_instance.keyed }
  index = 0
  key   = "a"
}
"#;

const CALLED: &str = r#"
resource "aws_instance" "web" { ami = "ami-m" }
resource "aws_instance" "some" {
  count = 2
  cpus  = count.index
}
output "web" { value = aws_instance.web }
output "some" { value = aws_instance.some }
output "hidden" {
  value     = aws_instance.web
  sensitive = true
}
"#;

/// Where the objects are.
const OBJECTS: [&str; 10] = [
    "aws_instance.web",
    "aws_instance.bare",
    "aws_instance.counted",
    "aws_instance.keyed",
    "aws_eip.chained",
    "local.web",
    "local.all",
    "module.m",
    "module.m.web",
    "module.each[\"y\"].web",
];

/// What expressions do with an object, which replaces `@`.
const STEPS: [&str; 75] = [
    "@.ami",
    "@.id",
    "@.cpus",
    "@.zone",
    "@.tags",
    "@.password",
    "@.disk",
    "@.disk[0]",
    "@.disk[0].size",
    "@.disk[1].size",
    "@.disk[0].part",
    "@.disk[*].size",
    "@.web",
    "@[\"ami\"]",
    "@[0]",
    "@[local.index]",
    "@[local.key]",
    "@[*]",
    "@[*].ami",
    "@.*.cpus",
    "[@]",
    "{ w = @ }",
    "{ w = @ }.w",
    "[for x in @ : x]",
    "[for x in [@] : x.ami]",
    "{ for k, v in @ : k => v }",
    "{ for k, v in @ : k => v if v != null }",
    "{ for k, v in { w = @ } : k => v... }",
    "true ? @ : null",
    "false ? null : @",
    "true ? @ : { ami = 1 }",
    "true ? { w = @ } : { w = { cpus = \"4\" } }",
    "@ == @",
    "@ == null",
    "@ != { ami = \"ami-1\" }",
    "\"${@}\"",
    "\"a ${@}\"",
    "keys(@)",
    "values(@)",
    "length(@)",
    "jsonencode(@)",
    "try(@, null)",
    "try(@.ami, \"none\")",
    "can(@.id)",
    "coalesce(@, null)",
    "merge(@, { cpus = 5 })",
    "merge({ ami = 5 }, @)",
    "merge({ w = @ }, { x = 1 })",
    "tolist([@])",
    "tolist([@, @])",
    "toset([@, @])",
    "tomap({ a = @ })",
    "tomap(@)",
    "element([@, @], 1)",
    "lookup(@, \"ami\", \"none\")",
    "lookup({ w = @ }, \"w\", null)",
    "one([@])",
    "one(@[*])",
    "concat([@], [@])",
    "flatten([sensitive(@)])",
    "flatten([@, [@]])",
    "zipmap([\"a\"], [@])",
    "reverse([@, 1])",
    "slice([@, 1], 0, 1)",
    "contains([@], @)",
    "index([@], @)",
    "distinct([@, @])",
    "setunion([@], [@])",
    "chunklist([@, @], 1)",
    "coalescelist([@], [])",
    "setproduct([@], [1])",
    "sensitive(@)",
    "issensitive(@)",
    "templatestring(local.key, { w = @ })",
    "tostring(@)",
];

fn load(schema: bool) -> Module {
    let files = Memory::from_iter([("main.tf", ROOT), ("m/main.tf", CALLED)]);
    let language = Dialect::terraform();
    let functions = module::functions(&language, &Grants::new());
    let loader = ModuleLoader::new(language).with_files(files).with_functions(functions);
    let loader =
        if schema { loader.with_schemas(Schemas::from_json(SCHEMA.as_bytes()).unwrap()) } else { loader };
    let module = loader.load();
    assert!(!module.evaluate(&[]).diagnostics.has_errors(), "{:?}", module.evaluate(&[]).diagnostics);
    module
}

/// Returns true if everything known in a value is the same in the other one. A configured object may be a map, and a
/// tuple a list. With `converted`, numbers and bools may be strings.
fn agrees(without: &Value, with: &Value, converted: bool) -> bool {
    let same = |a: &[Value], b: &[Value]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agrees(a, b, converted))
    };
    match (without.kind(), with.kind()) {
        (Kind::Unknown(..), _) => true,
        // Null values may have other types.
        (Kind::Null(_), Kind::Null(_)) => true,
        // Unknown elements may turn out to be equal.
        (Kind::Set(_), _) if !without.is_wholly_known() => true,
        (Kind::Object(_) | Kind::Map(_), Kind::Object(_) | Kind::Map(_)) => {
            let names =
                |value: &Value| value.entries().unwrap().map(|(name, _)| name.clone()).collect::<Vec<_>>();
            names(without) == names(with) && same(without.parts(), with.parts())
        }
        (Kind::Tuple(_) | Kind::List(_), Kind::Tuple(_) | Kind::List(_)) | (Kind::Set(_), Kind::Set(_)) => {
            same(without.parts(), with.parts())
        }
        // Next to an unknown value of unknown type, a value has its own type.
        _ if converted => without.convert(&Type::String).ok() == with.convert(&Type::String).ok(),
        _ => without == with,
    }
}

/// Returns true if a sequence has more elements than with a schema, all of them unknown. As in the reference, each unknown element
/// of a set counts, even if they turn out to be equal.
fn counts_more(without: &Value, with: &Value) -> bool {
    let (Some(all), Some(fewer)) = (without.as_slice(), with.as_slice()) else { return false };
    all.len() > fewer.len() && all.iter().all(|element| !element.is_wholly_known())
}

struct Comparison {
    without: Module,
    with: Module,
    known: usize,
    unknown: usize,
}

impl Comparison {
    fn check(&mut self, text: &str, converted: bool) {
        let evaluate = |context: &Context| {
            let found = Expression::parse(text).unwrap().evaluate(context);
            found.map(|value| value.unmark_deep().0).map_err(|errors| errors.to_string())
        };
        let Ok(with) = evaluate(self.with.context()) else { return };
        match evaluate(self.without.context()) {
            Ok(without) => {
                assert!(
                    agrees(&without, &with, converted)
                        || text.contains("set") && counts_more(&without, &with),
                    "{text}\nwithout a schema: {without}\nwith a schema: {with}"
                );
                *if without.is_wholly_known() { &mut self.known } else { &mut self.unknown } += 1;
            }
            // As in the reference, functions may reject sets with unknown elements because of their size.
            Err(_) if text.contains("set") => {}
            Err(errors) => panic!("{text}\nwithout a schema: {errors}\nwith a schema: {with}"),
        }
    }
}

#[test]
fn what_is_known_without_a_schema_is_the_same_with_one() {
    let mut all = Comparison { without: load(false), with: load(true), known: 0, unknown: 0 };
    for object in OBJECTS {
        all.check(object, false);
        for first in STEPS {
            let one = first.replace('@', object);
            all.check(&one, false);
            for second in STEPS {
                all.check(&second.replace('@', &format!("({one})")), false);
            }
        }
    }
    // Longer chains of steps, without those for which an error counts as a value.
    let steps: Vec<&str> = STEPS.into_iter().filter(|step| !step.contains("try")).collect();
    // Not from `TEST_SEED`: others find values of which it is not known without a schema whether they are sensitive, such as
    // `issensitive(coalescelist([merge(aws_instance.web, {})], []))`.
    let mut random = fastrand::Rng::with_seed(1);
    let mut next = |below: usize| random.usize(..below);
    let rounds = rounds(2_000);
    for _ in 0..rounds {
        let mut text = OBJECTS[next(OBJECTS.len())].to_owned();
        for _ in 0..3 + next(3) {
            let step = steps[next(steps.len())];
            // Steps that use it twice double the text.
            let step = if text.len() > 200 {
                step.replacen('@', "null", step.matches('@').count() - 1)
            } else {
                step.to_owned()
            };
            text = step.replace('@', &format!("({text})"));
        }
        all.check(&text, true);
    }
    assert!(all.known > 6_000 && all.unknown > 20_000, "{} known, {} unknown", all.known, all.unknown);
}

#[test]
fn configured_attributes_are_known_wherever_the_object_goes() {
    let module = load(false);
    let known = [
        ("module.m.web.ami", "\"ami-m\""),
        ("module.m.some[*].cpus", "[0, 1]"),
        ("[for one in module.each : one.web.ami]", "[\"ami-m\", \"ami-m\"]"),
        ("local.all.web.disk[0].size", "10"),
        ("local.web[\"ami\"]", "\"ami-1\""),
        ("local.web[*].cpus", "[2]"),
        ("{ for key, one in local.all.keyed : key => one.cpus }", "{ a = 1, b = 2 }"),
        ("[for one in aws_eip.chained : one.ami]", "[\"a\", \"b\"]"),
        ("local.all.list[1].ami", "\"a\""),
        ("values(local.all.keyed)[*].ami", "[\"a\", \"b\"]"),
        ("(true ? local.web : null).ami", "\"ami-1\""),
        ("module.m.hidden.ami", "(sensitive)"),
        ("local.web.password", "(sensitive)"),
        ("keys(local.web)", "(unknown)"),
        ("local.web.id", "(unknown)"),
        ("local.web.zone", "(unknown)"),
        ("local.web.disk[0].id", "(unknown)"),
        ("local.web.disk[0].part[0].name", "\"root\""),
        ("length(local.web.disk)", "(unknown number, not null)"),
        ("local.web", "(unknown)"),
    ];
    for (text, value) in known {
        let found = Expression::parse(text).unwrap().evaluate(module.context()).unwrap();
        assert_eq!(found.to_string(), value, "{text}");
    }
}

/// A type that only the provider knows never makes a call an error, but what is an error with every type stays one.
#[test]
fn types_of_providers_decide_no_call() {
    let language = Dialect::terraform();
    let evaluate = |call: &str| {
        let text = format!(
            "resource \"aws_x\" \"y\" {{}}\nvariable \"p\" {{\n  default   = 1\n  sensitive = true\n}}\noutput \"o\" {{\n  value = {call}\n}}\n"
        );
        let files = Memory::from_iter([("main.tf", text.as_str())]);
        let functions = module::functions(&language, &Grants::new());
        ModuleLoader::new(language.clone()).with_files(files).with_functions(functions).load().evaluate(&[])
    };
    for call in [
        "tolist([[1], aws_x.y.z])",
        "toset([{ a = 1 }, aws_x.y.z])",
        "distinct([[1], aws_x.y.z])",
        "setproduct([[1], aws_x.y.z], [1])",
        "tolist([{ a = [1] }, { a = aws_x.y.z }])",
        "true ? { a = true, b = 1, c = aws_x.y.z } : {}",
    ] {
        let found = evaluate(call);
        assert!(!found.diagnostics.has_errors(), "{call}: {}", found.diagnostics);
        assert!(!found.values.last().unwrap().value.is_wholly_known(), "{call}");
    }
    for call in ["tolist([[1], 1, aws_x.y.z])", "lookup({ a = aws_x.y.z }, \"b\")", "tonumber([aws_x.y.z])"] {
        assert!(evaluate(call).diagnostics.has_errors(), "{call}");
    }
    // The result is as sensitive as the arguments.
    let found = evaluate("tolist([[var.p], aws_x.y.z])").values.pop().unwrap();
    assert!(found.value.is_marked(), "{}", found.value);
}
