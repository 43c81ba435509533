//! HCL 1: compares values with the recorded answers of its package for the cases in `tests/hcl1`, which `cargo xtask
//! conformance --hcl1` asks; and what applications and serde read from it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use hclkit::convert::FromHcl1;
use hclkit::decode::PlainJson;
use hclkit::{Body, Code, Diagnostics, Document, Limits, Loader, Source, Syntax, Value, hcl1};
use hclkit_test_cases::Case;
use serde_json::Value as Json;

/// The cases, of which there must be enough.
fn cases() -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hcl1");
    let files = hclkit_test_cases::read(&directory, "hcl1", &[]).unwrap();
    let cases = files.into_iter().flat_map(|file| file.cases);
    // The tests of the formatter read the others.
    let cases: Vec<Case> = cases.filter(|case| case.section("format").is_none()).collect();
    assert!(cases.len() >= 50, "{}", cases.len());
    cases
}

fn decoded(text: &str) -> Result<Value, Diagnostics> {
    hcl1::decode(&Document::parse_hcl1(Source::new("agent.hcl", text)))
}

/// The native syntax has more values than HCL 1, and none of them is lost.
#[test]
fn documents_in_the_native_syntax_have_only_literals() {
    let native = |text: &str| hcl1::decode(&hclkit::parse(text));
    let value = native("a = 1e2\nb = -100000000000000000000\nc = { 1 = [true, \"x\"] }\n").unwrap();
    let expected = "{ a = 100, b = -100000000000000000000, c = [{ \"1\" = [true, \"x\"] }] }";
    assert_eq!(value.to_string(), expected);
    for (before, wrong) in [
        ("a = ", "null"),
        ("a = ", "b"),
        ("a = -", "b"),
        ("a = ", "1 + 1"),
        ("a = [1, ", "b"),
        ("a = ", "\"${b}\""),
        ("a = { b = ", "c"),
        ("a = { ", "(b)"),
    ] {
        let close = if before.contains('[') { "]" } else { "" };
        let rest = match (before.contains('{'), wrong) {
            (true, "(b)") => " = 1 }",
            (true, _) => " }",
            _ => close,
        };
        let text = format!("x {{}}\ny {{\n  {before}{wrong}{rest}\n}}\n");
        let errors = native(&text).unwrap_err();
        let span = errors[0].span();
        assert!(text[span.to_range()].contains(wrong.trim_matches(['(', ')'])), "{text}: {errors}");
        assert!(errors[0].has_code(Code::InvalidValue), "{text}: {errors}");
    }
}

/// Floating-point numbers are the same numbers in HCL 2, where numbers have all of their digits.
#[test]
fn converted_numbers_are_the_same() {
    for text in ["123456789123456789.", "1.e21", ".5", "1.e-7", "123456789012345678901234567890.", "-1.e300"]
    {
        let document = Document::parse_hcl1(Source::new("agent.hcl", format!("a = {text}\n")));
        let value = hcl1::decode(&document).unwrap();
        let converted = FromHcl1::new().convert(&document).unwrap().text;
        let (body, _) = Body::parse(Source::new("agent.hcl", converted.as_str()));
        let number = body.attribute("a").unwrap().expression.evaluate(&hclkit::Context::new()).unwrap();
        assert_eq!(hcl1::decode(&hclkit::parse(converted.as_str())).unwrap(), value, "{text}: {converted}");
        let float = |value: &Value| value.as_number().map(|number| number.to_f64().0);
        assert_eq!(float(&number), float(value.entries().unwrap().next().unwrap().1), "{text}: {converted}");
    }
}

#[test]
fn values_are_those_of_the_reference() {
    let mut differences = String::new();
    for case in cases() {
        let text = match case.section("escaped") {
            Some(escaped) => serde_json::from_str(escaped).unwrap(),
            None => case.section("source").unwrap().to_owned(),
        };
        let answer: Json =
            serde_json::from_str(case.section("hcl1").expect("an answer is recorded")).unwrap();
        let own = decoded(&text);
        let json = own.as_ref().ok().map(|value| serde_json::to_value(PlainJson::new(value)).unwrap());
        let is_same = match (answer.get("value"), &json) {
            (Some(theirs), Some(ours)) => without_kinds(theirs) == without_kinds(ours),
            (None, None) => true,
            _ => false,
        };
        if !is_same {
            let _ = writeln!(differences, "=== {}\nours: {own:?}\nthe reference: {answer:#}", case.name);
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

/// JSON has one kind of number: `1e21` and all of its digits are the same.
pub(crate) fn without_kinds(value: &Json) -> Json {
    match value {
        Json::Number(number) if !number.is_i64() => number.as_f64().into(),
        Json::Array(items) => items.iter().map(without_kinds).collect(),
        Json::Object(items) => items
            .iter()
            .map(|(name, item)| (name.clone(), without_kinds(item)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

/// What the reference does otherwise: docs/compatibility.md has a row for each.
#[test]
fn nothing_is_dropped() {
    for (text, code) in [
        ("a =", Code::MissingExpression),
        ("a { b = } }", Code::MissingExpression),
        ("a { b = [1 } }", Code::UnclosedBracket),
        ("a = \"\\xff\"", Code::InvalidEscape),
        ("a = \"x\"\na = 08", Code::InvalidNumber),
        ("{\"a\": 1", Code::JsonUnclosedBracket),
    ] {
        let errors = decoded(text).unwrap_err();
        assert_eq!(errors[0].code(), Some(code), "{text}: {errors}");
    }
    let same = |text: &str, expected: &str| assert_eq!(decoded(text).unwrap().to_string(), expected);
    same("{\"a\": [true, [1], 2]}", "{ a = [true, [1], 2] }");
    same("a = \"e\u{301}\"", "{ a = \"\u{e9}\" }");
    same("a = <<E\r\r\nx\nE\r\r\n", "{ a = \"x\\n\" }");
}

#[test]
fn conflicts_are_at_the_later_item() {
    let document = Document::parse_hcl1(Source::new("agent.hcl", "a = 1\nb {\n}\na = [2]\n"));
    let errors = hcl1::decode(&document).unwrap_err();
    assert_eq!((errors.len(), errors[0].code()), (1, Some(Code::Hcl1Conflict)));
    assert_eq!(
        errors[0].to_string(),
        "agent.hcl:4:5: error: Conflicting values in HCL 1: The name is set to a whole number before, and to a list here. Only values of one kind can be combined."
    );
}

/// Each spelling of a name repeats the blocks of all of them, so that values grow with the square of a text.
#[test]
fn values_count_against_the_limits() {
    let names = (0..1 << 10)
        .map(|bits: u32| (0..10).map(|at| if bits >> at & 1 == 1 { 'A' } else { 'a' }).collect::<String>());
    let text = names.map(|name| name + " \"x\" {}\n").collect::<String>();
    let document = Document::parse_hcl1(Source::new("", text));
    let decode = |elements| Limits::new().with_elements(elements).run(|| hcl1::decode(&document));
    assert_eq!(decode(100_000).unwrap_err()[0].code(), Some(Code::TooManyElements));
    assert!(decode(10_000_000).is_ok());
}

#[test]
fn deep_values_do_not_overflow_the_stack() {
    for (open, close) in [("a {", "}"), ("a = [", "]"), ("a = { b c ", "}")] {
        let text = open.repeat(2_000) + &close.repeat(2_000);
        let limits = Limits::new().with_nesting(100_000);
        let decode = move || limits.run(|| decoded(&text).is_ok());
        std::thread::Builder::new().stack_size(2 << 20).spawn(decode).unwrap().join().unwrap();
    }
}

/// A body has the literals of HCL 1: schemas, `Decode` and serde read them.
#[test]
fn bodies_have_the_literals_of_hcl_1() {
    #[derive(serde::Deserialize, Debug, PartialEq)]
    struct Agent {
        mode: u32,
        tls: bool,
        banner: String,
        ports: Ports,
        #[serde(rename = "check")]
        checks: BTreeMap<String, Check>,
    }
    #[derive(serde::Deserialize, Debug, PartialEq)]
    struct Ports {
        http: u16,
        https: u16,
    }
    #[derive(serde::Deserialize, Debug, PartialEq)]
    struct Check {
        interval: String,
    }
    let text = "mode = 0644, \"tls\" = true ports { http = 0x50 https = 443 }\nbanner = <<-E\n  ${name}\n  E\ncheck \"web\" { interval = \"10s\" }";
    let loader = Loader::new().with_source(Source::new("agent.hcl", text)).with_syntax(Syntax::Hcl1);
    let agent: Agent = loader.deserialize().unwrap();
    let check = Check { interval: "10s".to_owned() };
    assert_eq!(
        agent,
        Agent {
            mode: 420,
            tls: true,
            banner: "${name}\n".to_owned(),
            ports: Ports { http: 80, https: 443 },
            checks: BTreeMap::from([("web".to_owned(), check)]),
        }
    );
    let body = Body::of(&Document::parse_hcl1(Source::new("agent.hcl", text)));
    let mode = body.attribute("mode").unwrap().expression;
    assert_eq!(mode.evaluate(&hclkit::Context::new()).unwrap(), Value::from(420));
}

/// Derived types read the same: `0644` is 420, durations are texts, and blocks that are repeated are lists.
#[cfg(feature = "derive")]
#[test]
fn derived_types_read_hcl_1() {
    use std::time::Duration;

    #[derive(hclkit::Decode, Debug, PartialEq)]
    struct Agent {
        mode: u32,
        timeout: Duration,
        tags: Vec<String>,
        #[hcl(block)]
        service: Vec<Service>,
    }
    #[derive(hclkit::Decode, Debug, PartialEq)]
    struct Service {
        #[hcl(label)]
        name: String,
        port: u16,
        #[hcl(block)]
        check: Vec<Check>,
    }
    #[derive(hclkit::Decode, Debug, PartialEq)]
    struct Check {
        interval: Duration,
    }
    let text = "mode = 0644, \"timeout\" = \"1m30s\" tags = [\"a\", \"b\",]\n\
        service \"web\" { port = 0x50 check { interval = \"10s\" } check { interval = \"1m\" } }\n\
        service \"api\" { port = 443 }\n";
    let load = |text: &str| -> Result<Agent, Diagnostics> {
        let loader = Loader::new().with_source(Source::new("agent.hcl", text)).with_syntax(Syntax::Hcl1);
        loader.load().map(|(agent, _)| agent)
    };
    let check = |seconds| Check { interval: Duration::from_secs(seconds) };
    let service = |name: &str, port, check| Service { name: name.to_owned(), port, check };
    assert_eq!(
        load(text).unwrap(),
        Agent {
            mode: 420,
            timeout: Duration::from_secs(90),
            tags: vec!["a".to_owned(), "b".to_owned()],
            service: vec![service("web", 80, vec![check(10), check(60)]), service("api", 443, Vec::new())],
        }
    );
    let errors = load(&text.replace("\"1m\"", "\"1 minute\"")).unwrap_err();
    assert_eq!(errors[0].place().unwrap().text(), "\"1 minute\"", "{errors}");
}

/// What is converted to HCL 2 has the same values there, and is HCL 2; comments and their order are kept.
#[test]
fn converted_files_have_the_same_values() {
    let mut converted_files = 0;
    for case in cases() {
        let Some(text) = case.section("source") else { continue };
        let document = Document::parse_hcl1(Source::new("agent.hcl", text));
        let (Ok(value), None) = (hcl1::decode(&document), document.json()) else { continue };
        // Names that are set twice and names that are no identifiers are errors.
        let Ok(converted) = FromHcl1::new().convert(&document) else { continue };
        converted_files += 1;
        let again = hclkit::parse(converted.text.as_str());
        assert!(!again.has_errors(), "{}: {}\n{}", case.name, again.diagnostics(), converted.text);
        let found = hcl1::decode(&again).unwrap_or_else(|errors| panic!("{}: {errors}", case.name));
        assert_eq!(found, value, "{}\n{}", case.name, converted.text);
        assert_eq!(comments(&again), comments(&document), "{}", case.name);
    }
    assert!(converted_files >= 18, "{converted_files}");
}

/// The texts of comments in order, without what introduces and ends them.
fn comments(document: &Document) -> Vec<String> {
    let tokens = document.tokens().iter().filter(|token| token.kind.is_comment());
    let text = |token: hclkit::syntax::Token| {
        document.source().slice(token.span).trim_matches(['#', '/', '*', ' ']).to_owned()
    };
    tokens.map(text).collect()
}

#[test]
fn what_means_something_else_is_noted() {
    let text = "mode = 0644\na = \"${b} %{c}\"\nd = <<-E\n   x\n  E\nmeta { \"e.f\" = 1 g \"h\" { i = [1,,2,] } }\n\"j\" {} # k\n";
    let document = Document::parse_hcl1(Source::new("agent.hcl", text));
    let converted = FromHcl1::new().convert(&document).unwrap();
    assert_eq!(
        converted.text,
        "mode = 420\na = \"$${b} %%{c}\"\nd = <<EOT\n x\nEOT\nmeta = { \"e.f\" = 1, g = { \"h\" = { i = [1,2,] }} }\nj  {} # k\n"
    );
    let lines: Vec<u32> = converted.notes.iter().map(|note| document.range(note.span()).start.line).collect();
    assert_eq!(lines, [1, 2, 3, 6]);
}

#[test]
fn what_hcl_2_cannot_express_is_an_error() {
    for (text, column) in [
        ("a = 1, a = 2", 8),
        ("a.b = 1", 1),
        ("a = { b = 1 b = 2 }", 13),
        ("a \"x\" { \"b c\" = 1 }", 9),
        (" {\"a\": 1}", 2),
    ] {
        let document = Document::parse_hcl1(Source::new("", text));
        let errors = FromHcl1::new().convert(&document).unwrap_err();
        assert_eq!(errors[0].code(), Some(Code::NotNative), "{text}");
        assert_eq!(document.range(errors[0].span()).start.column, column, "{text}");
    }
}

#[test]
fn terraform_0_11_is_converted() {
    let text = r#"
variable "regions" {
  type    = "list"
  default = ["eu"]
}
resource "aws_instance" "web" {
  count = "${length(var.regions)}"
  ami   = "${lookup(var.amis, element(var.regions, count.index))}"
  name  = "web-${count.index + 1}-\x41"
  list  = "${list("a")}"
  path  = "$${HOME} %{x}"
}
"#;
    let document = Document::parse_hcl1(Source::new("main.tf", text));
    let converted = FromHcl1::new().with_interpolation(true).convert(&document).unwrap();
    let expected = r#"
variable "regions" {
  type    = list(any)
  default = ["eu"]
}
resource "aws_instance" "web" {
  count = length(var.regions)
  ami   = lookup(var.amis, element(var.regions, count.index))
  name  = "web-${count.index + 1}-A"
  list  = list("a")
  path  = "$${HOME} %%{x}"
}
"#;
    assert_eq!(converted.text, expected);
    assert_eq!(converted.notes.len(), 1, "{}", converted.notes);
}
