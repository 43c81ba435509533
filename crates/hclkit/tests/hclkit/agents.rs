//! What applications read from their files: compares values and verdicts with the answers of Consul, Vault and consul-template for the
//! cases in `tests/consul` and others, which `cargo xtask conformance --agents` asks.

use std::fmt::Write as _;
use std::path::Path;

use hclkit::decode::PlainJson;
use hclkit::dialect::Dialect;
use hclkit::{Code, Diagnostics, Document, Source, hcl1};
use hclkit_test_cases::Case;
use serde_json::Value as Json;

use crate::hcl1::without_kinds;

const APPLICATIONS: [(&str, usize); 3] = [("consul", 60), ("consul-template", 20), ("vault", 25)];

/// What only the application refuses, or does not read without saying so, and why.
const EXCEPTIONS: [(&str, &str); 4] = [
    ("access control as it was", "Consul warns that a name has no effect"),
    ("an agent of Consul Enterprise", "the answer is that of another edition"),
    ("Vault Enterprise", "the answer is that of another edition"),
    ("names in upper case", "consul-template reads names of arguments, but not of blocks"),
];

fn cases(application: &str) -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(application);
    let files = hclkit_test_cases::read(&directory, application, &[]).unwrap();
    files.into_iter().flat_map(|file| file.cases).collect()
}

fn document(text: &str) -> Document {
    Document::parse_hcl1(Source::new("agent.hcl", text))
}

fn check(language: &str, text: &str) -> Diagnostics {
    let settings = Dialect::named(language).and_then(|dialect| dialect.settings()).expect("there is a table");
    settings.check(&document(text))
}

#[test]
fn applications_read_the_same() {
    let mut differences = String::new();
    for (application, least) in APPLICATIONS {
        let cases = cases(application);
        assert!(cases.len() >= least, "{application}: {}", cases.len());
        for case in cases {
            let text = case.section("source").unwrap();
            let answer: Json =
                serde_json::from_str(case.section("answer").expect("an answer is recorded")).unwrap();
            let own =
                hcl1::decode(&document(text)).unwrap_or_else(|errors| panic!("{}: {errors}", case.name));
            let own = serde_json::to_value(PlainJson::new(&own)).unwrap();
            let found = check(application, text);
            let unknown = |code: Code| code == Code::UnsupportedArgument || code == Code::UnsupportedBlock;
            let unknown = found.iter().filter(|it| it.code().is_some_and(unknown)).count();
            let theirs = answer["unknown"].as_array().map_or(0, Vec::len);
            let is_refused = answer.get("refused").is_some();
            // An error in a value can end what an application reads.
            let is_same =
                if is_refused { found.total() > 0 } else { found.total() == unknown && unknown == theirs };
            let has_reason = EXCEPTIONS.iter().any(|(name, _)| *name == case.name);
            if without_kinds(&answer["value"]) != without_kinds(&own) || !is_same && !has_reason {
                let _ = writeln!(differences, "=== {}\nours: {own}\n{found}\ntheirs: {answer:#}", case.name);
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

/// Agents and policies of Vault, for which no program is asked.
#[test]
fn files_of_vault_are_distinguished() {
    let agent = "auto_auth {\n  method \"aws\" {\n    config = { type = \"iam\" }\n  }\n  sink \"file\" { config = { path = \"/t\" mode = 0640 } }\n}\nlistener \"tcp\" { address = \"127.0.0.1:8100\" agent_api { enable_quit = true } }\ntemplate { source = \"a\" destination = \"b\" }\n";
    assert_eq!(check("vault", agent).total(), 0);
    let policy = "path \"secret/*\" {\n  capabilities = [\"create\", \"read\"]\n  allowed_parameters = { \"*\" = [] }\n}\n";
    assert_eq!(check("vault", policy).total(), 0);
    for (text, error) in [
        (agent.replace("sink", "snik"), "did you mean `sink`?"),
        (agent.replace("true", "\"true\""), "`enable_quit` must be `true` or `false`, and this is a string."),
        (policy.replace("\"read\"", "\"raed\""), "found \"raed\"; did you mean \"read\"?"),
        (
            policy.replace("capabilities", "capability"),
            "Vault 1.21 reads no argument named `capability` here.",
        ),
    ] {
        let found = check("vault", &text).to_string();
        assert!(found.to_lowercase().contains(&error.to_lowercase()), "{found}");
    }
}

/// A file that has only misspelled names is of the kind that has names like these.
#[test]
fn misspelled_names_say_the_kind_of_a_file() {
    for (text, name) in [
        ("datacentre = \"dc1\"", "datacenter"),
        ("kee_prefix \"a\" { policy = \"read\" }", "key_prefix"),
        ("operatr = \"read\"", "operator"),
    ] {
        let found = check("consul", text).to_string();
        assert!(found.contains(&format!("Did you mean `{name}`?")), "{found}");
    }
    // Configuration entries have a kind, and are not checked.
    assert_eq!(check("consul", "Kind = \"service-defaults\"\nName = \"web\"\nProtocl = \"http\"").total(), 0);
}

/// JSON is read with the same tables, and null is nothing.
#[test]
fn json_is_checked() {
    assert_eq!(
        check("consul", r#"{"datacenter": null, "ports": {"http": 8500}, "services": [{"name": "a"}]}"#)
            .total(),
        0
    );
    assert_eq!(check("vault", r#"{"listener": [{"tcp": {"address": "a", "tls_disable": true}}], "storage": {"raft": {"path": "p"}}}"#).total(), 0);
    let found = check("vault", r#"{"listener": {"tcp": {"adress": "a"}}}"#);
    assert!(found[0].note().contains("Did you mean `address`?"), "{found}");
    assert_eq!(found[0].place().unwrap().text(), "\"adress\"");
}

/// Work is in proportion to the text, and deep values do not overflow the stack.
#[test]
fn large_files_are_checked() {
    let text = "servce { name = 1 }\n".repeat(20_000);
    assert_eq!(check("consul", &text).total(), 20_000);
    let deep = "connect { ca_config { a = ".to_owned() + &"[".repeat(900) + &"]".repeat(900) + "} }";
    assert_eq!(check("consul", &deep).total(), 0);
    let labels = "services ".to_owned() + &"\"a\" ".repeat(900) + "{}";
    assert_eq!(check("consul", &labels).total(), 1);
}
