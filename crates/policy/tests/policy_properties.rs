//! Policies of Terraform that attack: hostile ones end at the limits, random ones never panic, and sensitive values are in no message.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hclkit::module::{Dialect, Memory, ModuleLoader};
use hclkit::{Document, Limits, Source, StartSymbol};
use hclkit_policy::{Policies, Project, Suite, TestFile};
use hclkit_test_cases::{rounds, seed};

const MODULE: &str = r#"
variable "secret" {
  sensitive = true
  default   = "CANARY"
}
variable "open" {}
resource "r_a" "x" {
  count  = 2
  name   = "n-${count.index}"
  secret = var.secret
  list   = [1, "a", { b = var.open }]
  nested {
    secret = var.secret
  }
}
resource "r_b" "y" {
  name = r_a.x[0].id
}
provider "r" {
  token = var.secret
}
module "m" {
  source  = "a/b/c"
  version = "1.0.0"
  secret  = var.secret
}
"#;

const TEST: &str = r#"
inputs {
  key = "CANARY"
}
resource "r_a" "pass" {
  attrs = { name = "a", secret = core::sensitive("CANARY"), list = [1] }
}
resource "r_a" "fail" {
  expect_failure = true
  prior_attrs    = { name = "a", secret = core::sensitive("CANARY") }
}
module "a/b/c" "m" {
}
provider "r" "p" {
}
"#;

fn document(name: &str, text: &str) -> Document {
    Document::parse(Source::new(name, text), StartSymbol::Config)
}

/// What policies say of the module and in the test.
fn run(policy: &str, module: &str, test: &str) -> Suite {
    let (policies, problems) = Policies::read([document("a.policy.hcl", policy)]);
    let mut suite = Suite { problems, ..Suite::default() };
    let file = TestFile { directory: PathBuf::new(), document: document("a.policytest.hcl", test) };
    let open = |_: &Path, _: &str| Err("there are no files".to_owned());
    suite.append(policies.test(&file, &open, &|_| true));
    let project = Project::new([document("main.tf", module)]);
    let files = Memory::from_iter([("main.tf", module)]);
    let functions = hclkit::module::functions(&Dialect::terraform(), &hclkit::functions::Grants::new());
    let loader = ModuleLoader::new(Dialect::terraform()).with_files(files).with_functions(functions);
    let loader = loader.with_unknown_variables(true);
    suite.append(policies.apply(&project, Path::new(""), &loader, &HashSet::new(), &|_| true));
    suite
}

/// All that is shown of a suite.
fn shown(suite: &Suite) -> String {
    let mut lines: Vec<String> = suite.problems.iter().map(|own| own.note().to_owned()).collect();
    for own in &suite.verdicts {
        lines.push(format!("{} {} {}", own.name, own.subject, own.outcome));
        lines.extend(own.notes.iter().cloned());
        lines.extend(own.finding.iter().chain(&own.more).map(|found| found.note().to_owned()));
    }
    lines.join("\n")
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn pick<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    /// An expression, often one that is wrong.
    fn expression(&mut self, depth: usize) -> String {
        const LEAVES: [&str; 18] = [
            "attrs",
            "attrs.name",
            "attrs.secret",
            "attrs.list",
            "attrs.nested[0].secret",
            "attrs.none",
            "meta",
            "meta.tfe_stack",
            "input.key",
            "local.a",
            "null",
            "true",
            "\"CANAR\"",
            "1",
            "[]",
            "{}",
            "core::getresources(\"r_a\", {})",
            "core::getresources(\"r_a\")[0].secret",
        ];
        const WRONG: [&str; 5] =
            ["data.x", "local.none", "core::lenght(1)", "prior_attrs.secret", "plugin::none::f()"];
        if depth == 0 {
            let is_wrong = self.below(100) == 0;
            return if is_wrong { self.pick(&WRONG) } else { self.pick(&LEAVES) }.to_owned();
        }
        let mut own = || self.expression(depth - 1);
        let (one, two, three) = (own(), own(), own());
        match self.below(16) {
            0 => format!("core::try({one}, {two})"),
            1 => format!("({one} == {two})"),
            2 => format!("({one} ? {two} : {three})"),
            3 => format!("[for own in {one} : {two}]"),
            4 => format!("\"${{{one}}}-${{{two}}}\""),
            5 => format!("{{ a = {one}, (\"${{{two}}}\") = {three} }}"),
            6 => format!("({one} && {two})"),
            7 => format!("core::semverconstraint({one}, {two})"),
            8 => format!("core::getresources({one}, {{ name = {two} }})"),
            9 => format!("core::valuetostring({one})"),
            10 => format!("core::jsonencode({one})"),
            11 => format!(
                "core::{}({one})",
                self.pick(&["length", "upper", "keys", "jsondecode", "flatten", "tolist", "type"])
            ),
            12 => format!(
                "core::{}({one}, {two})",
                self.pick(&[
                    "contains",
                    "regex_match",
                    "split",
                    "parseint",
                    "semvercmp",
                    "lookup",
                    "getdatasource"
                ])
            ),
            13 => format!("({one})[{two}]"),
            14 => format!("!({one})"),
            _ => format!("plugin::p::f({one})"),
        }
    }

    fn policy(&mut self) -> String {
        let mut text = "policy {\n  plugins {\n    p = \"./p\"\n  }\n}\ninput \"key\" {\n  type      = string\n  default   = \"CANARY\"\n  sensitive = true\n}\n".to_owned();
        let _ = write!(
            text,
            "locals {{\n  a = {}\n}}\n",
            self.pick(&["1", "input.key", "core::getresources(\"r_b\")", "[input.key]"])
        );
        for at in 0..=self.below(3) {
            let kind = self.pick(&["resource_policy", "resource_policy", "module_policy", "provider_policy"]);
            let target = self.pick(&["r_a", "r_*", "*", "a/b/c", "r"]);
            let mut parts = vec![
                format!("  locals {{\n    b = core::try({}, 1)\n  }}\n", self.expression(2)),
                format!("  filter = core::try({} != 1, true)\n", self.expression(2)),
                format!(
                    "  enforcement_level = {}\n",
                    self.pick(&["\"advisory\"", "input.key", "local.a", "\"mandatory\""])
                ),
            ];
            if kind == "resource_policy" {
                let operations = ["[\"create\"]", "[\"update\"]", "[]", "[\"no-op\", \"create\"]"];
                parts.push(format!("  operations = {}\n", self.pick(&operations)));
            }
            let parts: String = parts.into_iter().filter(|_| self.below(3) == 0).collect();
            let tried = self.below(3) > 0;
            let mut own = |depth: usize| {
                let own = self.expression(depth);
                if tried { format!("core::try({own}, null)") } else { own }
            };
            let (condition, error, info) = (own(3), own(2), own(2));
            let condition = if tried { format!("{condition} == true") } else { condition };
            let _ = write!(
                text,
                "{kind} \"{target}\" \"p{at}\" {{\n{parts}  enforce {{\n    condition     = {condition}\n    error_message = {error}\n    info_message  = {info}\n  }}\n}}\n"
            );
        }
        text
    }
}

#[test]
fn random_policies_do_not_panic_and_show_no_secrets() {
    let mut random = Random(seed(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut said, mut evaluated) = (0, 0);
    for round in 0..rounds(600) {
        let mut text = random.policy();
        let is_mutant = round % 3 == 0;
        if is_mutant {
            // A mutant: some characters are replaced.
            for _ in 0..=random.below(4) {
                let at = random.below(text.len());
                if text.is_char_boundary(at) && text.is_char_boundary(at + 1) {
                    text.replace_range(at..=at, random.pick(&["{", "}", "\"", "$", "=", ".", "\n", "é", ""]));
                }
            }
        }
        let suite = run(&text, MODULE, TEST);
        let text_shown = shown(&suite);
        // A mutant may make an input that is not sensitive, whose default is part of the text.
        assert!(is_mutant || !text_shown.contains("CANARY"), "{text}\n{text_shown}");
        said += suite.verdicts.len();
        evaluated += usize::from(
            suite.verdicts.iter().any(|own| matches!(own.outcome.as_str(), "passed" | "failed" | "unknown")),
        );
    }
    assert!(said > 100 && evaluated > 20, "{said} {evaluated}");
}

#[test]
fn hostile_policies_end_at_the_limits() {
    let nested =
        "[for a in core::range(1000) : [for b in core::range(1000) : [for c in core::range(1000) : c]]]";
    let many = |count: usize| -> String {
        let one = |at| format!("resource \"r_a\" \"m{at}\" {{\n  name = \"n\"\n}}\n");
        (0..count).map(one).collect::<Vec<_>>().concat()
    };
    let mocks = |count: usize| -> String {
        (0..count)
            .map(|at| format!("resource \"r_a\" \"m{at}\" {{\n  attrs = {{ name = \"n\" }}\n}}\n"))
            .collect::<Vec<_>>()
            .concat()
    };
    let doubled = (1..60)
        .map(|at| format!("    l{at} = [local.l{0}, local.l{0}]\n", at - 1))
        .collect::<Vec<_>>()
        .concat();
    let policies = [
        format!("resource_policy \"*\" \"p\" {{\n  enforce {{\n    condition = core::length({nested}) == 0\n  }}\n}}\n"),
        format!("locals {{\n  a = {nested}\n}}\nresource_policy \"*\" \"p\" {{\n  enforce {{\n    condition = core::length(local.a) == 0\n  }}\n}}\n"),
        // Each sees all others.
        "resource_policy \"*\" \"p\" {\n  locals {\n    all = core::getresources(\"r_a\", { name = attrs.name })\n  }\n  enforce {\n    condition = core::length([for a in local.all : [for b in local.all : b]]) == 0\n  }\n}\n".to_owned(),
        format!("resource_policy \"*\" \"p\" {{\n  locals {{\n    l0 = [1]\n{doubled}  }}\n  enforce {{\n    condition     = core::length(core::valuetostring(local.l59)) == 0\n    error_message = core::valuetostring(local.l59)\n  }}\n}}\n"),
        "resource_policy \"*\" \"p\" {\n  enforce {\n    condition = core::regex_match(core::join(\"\", [for a in core::range(10000) : \"a\"]), \"(a*)*(a*)*(a*)*b\")\n  }\n}\n".to_owned(),
    ];
    for policy in &policies {
        let limits = Limits::new().with_steps(2_000_000).with_elements(1_000_000).with_bytes(64 << 20);
        let start = Instant::now();
        let suite = limits.run(|| run(policy, &many(300), &mocks(300)));
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}: {policy}", start.elapsed());
        let is_whole = suite.verdicts.len() >= 300;
        assert!(
            is_whole || suite.problems.has_limit(),
            "{policy}\n{}",
            &shown(&suite)[..1000.min(shown(&suite).len())]
        );
    }
}

#[test]
fn deep_policies_do_not_overflow_the_stack() {
    let chain = (1..5_000).map(|at| format!("  l{at} = local.l{}\n", at - 1)).collect::<Vec<_>>().concat();
    let policy = format!(
        "locals {{\n  l0 = 1\n{chain}}}\nresource_policy \"*\" \"p\" {{\n  enforce {{\n    condition = local.l4999 == 1\n  }}\n}}\n"
    );
    let mocks = (1..5_000)
        .map(|at| {
            format!(
                "resource \"r_a\" \"m{at}\" {{\n  skip = true\n  attrs = {{ name = r_a.m{}.name }}\n}}\n",
                at - 1
            )
        })
        .collect::<Vec<_>>()
        .concat();
    let mocks = format!("resource \"r_a\" \"m0\" {{\n  attrs = {{ name = \"n\" }}\n}}\n{mocks}");
    let suite = run(&policy, "resource \"r_a\" \"x\" {\n}\n", &mocks);
    assert!(!suite.verdicts.is_empty() && suite.totals().failed == 0, "{}", shown(&suite));
}

#[test]
fn wildcards_take_no_time() {
    let pattern = "*a".repeat(200) + "b";
    let policy =
        format!("resource_policy \"{pattern}\" \"p\" {{\n  enforce {{\n    condition = false\n  }}\n}}\n");
    let mock = format!("resource \"{}\" \"x\" {{\n  attrs = {{ a = 1 }}\n}}\n", "a".repeat(100_000));
    let start = Instant::now();
    let suite = run(&policy, MODULE, &mock);
    assert_eq!(suite.totals().passed, 1, "{}", shown(&suite));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
