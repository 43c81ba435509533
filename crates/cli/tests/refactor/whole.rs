//! Renames are whole: each case has all places of a name, and a rename changes these and nothing else; or they are refused.

use crate::tree::{Files, Tree, run};

/// An address that ends in a name, and files in which each place of the name is `@`. What the applications accept before, they accept
/// after: the cases are those that they did not.
const CASES: [(&str, &[(&str, &str)]); 14] = [
    (
        "terraform_data.@",
        &[(
            "main.tf.json",
            r#"{
  "resource": {
    "terraform_data": {
      "@": { "for_each": { "k": 1 } },
      "q": {
        "for_each": { "k": 1 },
        "depends_on": ["terraform_data.@[\"k\"]", "terraform_data.@"],
        "lifecycle": { "replace_triggered_by": ["terraform_data.@[each.key].id", "terraform_data.@[\"k\"]"] }
      }
    }
  },
  "import": { "to": "terraform_data.@[\"k\"]", "id": "x" }
}
"#,
        )],
    ),
    (
        "terraform_data.@",
        &[(
            "main.tf",
            r#"resource "terraform_data" "@" {
  for_each = toset(["k"])
}
resource "terraform_data" "b" {
  depends_on = ["terraform_data.@[\"k\"]"]
}
resource "terraform_data" "c" {
  for_each = toset(["k"])
  lifecycle {
    replace_triggered_by = [terraform_data.@[each.key], terraform_data.@["k"].id]
  }
}
"#,
        )],
    ),
    (
        "terraform_data.@",
        &[
            ("main.tf", "resource \"terraform_data\" \"@\" {\n  for_each = toset([\"k\"])\n}\n"),
            (
                "t.tftest.json",
                r#"{"run": {"r": {"command": "plan", "expect_failures": ["terraform_data.@[\"k\"]"]}}}"#,
            ),
            (
                "tests/u.tftest.hcl",
                "run \"r\" {\n  command = plan\n  plan_options {\n    target = [terraform_data.@[\"k\"]]\n  }\n}\n\
                 override_resource {\n  target = terraform_data.@\n}\n",
            ),
        ],
    ),
    // A second declaration, in an override file.
    (
        "terraform_data.@",
        &[
            ("main.tf", "resource \"terraform_data\" \"@\" {\n}\n"),
            ("main_override.tf", "resource \"terraform_data\" \"@\" {\n  input = 1\n}\n"),
        ],
    ),
    (
        "module.s.output.@",
        &[
            ("main.tf", "module \"s\" {\n  source = \"./s\"\n}\noutput \"o\" {\n  value = module.s.@\n}\n"),
            ("s/main.tf", "output \"@\" {\n  value = 1\n}\n"),
            (
                "tests/main.tftest.hcl",
                "override_module {\n  target = module.s\n  outputs = {\n    @ = 2\n  }\n}\nrun \"r\" {\n  assert {\n    \
                 condition     = module.s.@ == 1\n    error_message = \"x\"\n  }\n  override_module {\n    target = module.s\n    \
                 outputs = { \"@\" = 3 }\n  }\n}\n",
            ),
            (
                "tests/main.tftest.json",
                r#"{"run": {"r": {"override_module": {"target": "module.s", "outputs": {"@": 2}}, "assert": {"condition": "${module.s.@ == 1}", "error_message": "x"}}}}"#,
            ),
        ],
    ),
    (
        "provider.terraform.@",
        &[
            (
                "main.tf",
                "provider \"terraform\" {\n  alias = \"@\"\n}\nresource \"terraform_data\" \"b\" {\n  provider = terraform.@\n}\n",
            ),
            (
                "main.tftest.hcl",
                "provider \"terraform\" {\n  alias = \"@\"\n}\nrun \"r\" {\n  providers = {\n    terraform.@ = terraform.@\n  }\n}\n",
            ),
            (
                "other.tftest.json",
                r#"{"provider": {"terraform": {"alias": "@"}}, "run": {"r": {"providers": {"terraform.@": "terraform.@"}}}}"#,
            ),
        ],
    ),
    (
        "function.@",
        &[(
            "docker-bake.hcl",
            "function \"@\" {\n  params = [n]\n  result = \"app:${n}\"\n}\ntarget \"default\" {\n  tags = [@(\"x\"), \"${@(\"y\")}\"]\n}\n",
        )],
    ),
    (
        "source.null.@",
        &[(
            "a.pkr.hcl",
            r#"source "null" "@" {
  communicator = "none"
}
build {
  sources = ["source.null.@", "null.other"]
  source "source.null.@" {
    name = "second"
  }
  source "null.@" {
  }
  provisioner "shell-local" {
    only   = ["null.@"]
    inline = ["true"]
    override = {
      @ = { inline = ["false"] }
    }
  }
}
"#,
        )],
    ),
    (
        "source.null.@",
        &[(
            "a.pkr.json",
            r#"{
  "source": {"null": {"@": {"communicator": "none"}}},
  "build": {"sources": ["source.null.@"], "provisioner": {"shell-local": {"inline": ["true"], "override": {"@": {"inline": ["false"]}}}}}
}
"#,
        )],
    ),
    (
        "method.aes_gcm.@",
        &[(
            "main.tofu",
            "terraform {\n  encryption {\n    method \"aes_gcm\" \"@\" {\n      keys = key_provider.pbkdf2.k\n    }\n    state {\n      \
             method = method.aes_gcm.@\n      fallback {\n        method = method.aes_gcm.@\n      }\n    }\n    plan {\n      method = \
             method.aes_gcm.@\n    }\n  }\n}\n",
        )],
    ),
    (
        "key_provider.pbkdf2.@",
        &[(
            "main.tofu",
            "terraform {\n  encryption {\n    key_provider \"pbkdf2\" \"@\" {\n      passphrase = \"correct-horse-battery-staple\"\n    \
             }\n    method \"aes_gcm\" \"m\" {\n      keys = key_provider.pbkdf2.@\n    }\n  }\n}\n",
        )],
    ),
    (
        "var.@",
        &[
            ("bucket/main.tf", "variable \"@\" {\n}\noutput \"name\" {\n  value = \"b-${var.@}\"\n}\n"),
            (
                "main.tfcomponent.hcl",
                "component \"bucket\" {\n  source = \"./bucket\"\n  inputs = { @ = each.value }\n}\n",
            ),
        ],
    ),
    (
        "local.@",
        &[
            ("root.hcl", "locals {\n  @ = \"eu-1\"\n}\n"),
            (
                "app/terragrunt.hcl",
                "include \"root\" {\n  path   = find_in_parent_folders(\"root.hcl\")\n  expose = true\n}\nlocals {\n  name = \
                 \"app-${include.root.locals.@}\"\n}\n",
            ),
            (
                "vpc/terragrunt.hcl",
                "locals {\n  shared = read_terragrunt_config(find_in_parent_folders(\"root.hcl\"))\n}\ninputs = { region = \
                 local.shared.locals.@ }\n",
            ),
        ],
    ),
    (
        "var.@",
        &[
            ("mods/net/main.tf", "variable \"@\" {\n}\noutput \"id\" {\n  value = var.@\n}\n"),
            (
                "live/a/terragrunt.hcl",
                "terraform { source = \"../../mods/net\" }\ninputs = { @ = \"10.0.0.0/16\" }\n",
            ),
            (
                "live/b/terragrunt.hcl",
                "terraform { source = \"${get_terragrunt_dir()}/../../mods//net\" }\ninputs = { @ = \"10.1.0.0/16\" }\n",
            ),
        ],
    ),
];

/// The directories in which names are declared, where that is not the root.
const DECLARED_IN: [&str; 2] = ["bucket", "mods/net"];

fn files(case: &[(&str, &str)], name: &str) -> Files {
    case.iter().map(|(file, text)| ((*file).to_owned(), text.replace('@', name))).collect()
}

#[test]
fn every_place_of_a_name_is_renamed_and_no_other() {
    for (address, case) in CASES {
        let (before, after) = (files(case, "first"), files(case, "second"));
        let tree = Tree::with(&before);
        let root = tree.path("");
        let inner = DECLARED_IN.iter().find(|inner| before.keys().any(|name| name.starts_with(**inner)));
        let directory = tree.path(inner.copied().unwrap_or_default());
        let run = |command: &[&str]| run(&[command, &[&directory, "--callers", &root]].concat());
        let of = |name: &str| address.replace('@', name);
        let (code, found) = run(&["refs", &of("first")]);
        let places: usize = case.iter().map(|(_, text)| text.matches('@').count()).sum();
        let printed = found.lines().filter(|line| !line.starts_with("note:")).count();
        assert!((code, printed) == (0, places), "{address}: {places} places, but {found}");
        for (old, new, expected) in [("first", "second", &after), ("second", "first", &before)] {
            let (code, printed) = run(&["rename", "-w", "--no-moved", &of(old), new]);
            assert!(code == 0, "{address}: {printed}");
            let found = tree.files();
            assert!(found == *expected, "{address}: {found:#?}\n{expected:#?}");
        }
    }
}

/// A move is recorded once, and not in an override file.
#[test]
fn a_move_is_recorded_once() {
    for names in [["main.tf", "main_override.tf"], ["z.tf", "a_override.tf"], ["a.tf", "override.tf"]] {
        let block = "resource \"terraform_data\" \"a\" {\n}\n".to_owned();
        let tree = Tree::with(&names.into_iter().map(|name| (name.to_owned(), block.clone())).collect());
        let (code, printed) = run(&["rename", "-w", "terraform_data.a", "b", &tree.path("")]);
        let files = tree.files();
        assert!(code == 0 && files[names[0]].contains("moved {"), "{printed}{files:?}");
        assert!(!files[names[1]].contains("moved") && files[names[1]].contains("\"b\""), "{files:?}");
    }
}

/// What cannot be followed is named, nothing changes, and the exit code says so.
#[test]
fn what_cannot_be_followed_is_not_renamed() {
    let net = ("net/main.tf", "output \"id\" {\n  value = 1\n}\n");
    let call = |more: &str| format!("module \"n\" {{\n  source = \"./net\"\n{more}}}\n");
    let keyed = "  for_each = toset([\"a\"])\n";
    let wholes = [
        ("", "locals {\n  net = module.n\n}\noutput \"o\" {\n  value = local.net.id\n}\n", Some("module.n")),
        ("", "output \"o\" {\n  value = jsonencode(module.n)\n}\n", Some("module.n")),
        ("", "output \"o\" {\n  value = { for k, v in module.n : k => v }\n}\n", None),
        (keyed, "output \"o\" {\n  value = module.n[\"a\"]\n}\n", Some("module.n[\"a\"]")),
        (keyed, "output \"o\" {\n  value = [for m in module.n : m]\n}\n", Some("m")),
        (keyed, "resource \"x\" \"y\" {\n  for_each = module.n\n  z = each.value\n}\n", Some("each.value")),
        (keyed, "output \"o\" {\n  value = values(module.n)\n}\n", Some("values(module.n)")),
        (keyed, "output \"o\" {\n  value = length(module.n) + length(keys(module.n))\n}\n", None),
        (keyed, "output \"o\" {\n  value = [for m in module.n : m.id]\n}\n", None),
        (keyed, "output \"o\" {\n  value = values(module.n)[*].id\n}\n", None),
        (keyed, "resource \"x\" \"y\" {\n  for_each = module.n\n  z = each.value.id\n}\n", None),
        (keyed, "resource \"x\" \"y\" {\n  depends_on = [module.n]\n  z = module.n[\"a\"].id\n}\n", None),
    ];
    for (more, text, whole) in wholes {
        // The loop over the results of a call without keys has each of them as a value.
        let whole = if text.contains("k => v") { Some("v") } else { whole };
        let main = format!("{}{text}", call(more));
        let json = json(&main);
        for (name, main) in [("main.tf", main), ("main.tf.json", json)] {
            let files: Files =
                [(name, main.as_str()), net].map(|(name, text)| (name.to_owned(), text.to_owned())).into();
            let tree = Tree::with(&files);
            let root = tree.path("");
            let rename = |force: &[&str]| {
                run(&[&["rename", "-w", "output.id", "key", &tree.path("net"), "--callers", &root], force]
                    .concat())
            };
            let (code, printed) = rename(&[]);
            match whole {
                Some(whole) => {
                    let whole =
                        if name.ends_with("json") { whole.replace('"', "\\\"") } else { whole.to_owned() };
                    assert!(
                        code == 1 && printed.contains(&format!(": `{whole}` is used as a whole")),
                        "{main}{printed}"
                    );
                    assert!(tree.files() == files, "{main}");
                    assert!(rename(&["--force"]).0 == 0, "{main}");
                }
                None => assert!(code == 0, "{main}{printed}"),
            }
            assert!(tree.files()["net/main.tf"].contains("\"key\""), "{main}");
        }
    }
    // What names them is no address.
    let others = [
        ("provider \"aws\" {\n}\nresource \"aws_x\" \"y\" {\n}\n", "provider.aws"),
        ("terraform {\n  backend \"http\" {\n  }\n}\n", "terraform.backend.http"),
        (
            "resource \"aws_x\" \"y\" {\n  provisioner \"file\" {\n  }\n}\n",
            "resource.aws_x.y.provisioner.file",
        ),
    ];
    for (text, address) in others {
        let files: Files = [("main.tf".to_owned(), text.to_owned())].into();
        let tree = Tree::with(&files);
        let (code, printed) = run(&["rename", "-w", address, "main", &tree.path("")]);
        assert!(code == 1, "{address}: {printed}");
        assert!(tree.files() == files, "{address}");
    }
}

/// The same in the JSON syntax.
fn json(text: &str) -> String {
    let folder = Tree::with(&[("main.tf".to_owned(), text.to_owned())].into());
    let (code, json) = run(&["convert", &folder.path("main.tf")]);
    assert!(code == 0, "{json}");
    json
}
