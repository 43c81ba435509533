//! Functions that no recorded program was asked about: what only Packer has, and what depends on the time or on chance.

use hclkit_functions::{Grants, packer, terraform};
use hclkit_model::Context;
use hclkit_value::{Mark, Type, Value};

use super::{context, evaluate, everything};

/// With `u`, a string that is not known, `d`, of which nothing is, and `m`, which is marked.
fn with_variables(mut context: Context) -> Context {
    context.set_all([
        ("u", Value::unknown(Type::String)),
        ("d", Value::DYNAMIC),
        ("m", Value::from("x").mark(Mark::new("m"))),
    ]);
    context
}

fn in_packer() -> Context {
    with_variables(context(&packer(&everything())))
}

fn in_terraform() -> Context {
    with_variables(context(&terraform(&everything())))
}

/// Each call has the result, or is an error where there is none.
#[track_caller]
fn check(context: &Context, cases: &[(&str, &str)]) {
    assert!(cases.len() >= 10);
    for (call, wanted) in cases {
        let got = evaluate(context, call);
        let got = match &got {
            Err(_) => "error".to_owned(),
            Ok(value) if !value.is_known() => "unknown".to_owned(),
            Ok(value) => value.to_string(),
        };
        assert_eq!(got, *wanted, "{call}");
    }
}

#[test]
fn environment() {
    check(
        &in_packer(),
        &[
            (r#"env("CARGO_PKG_NAME")"#, r#""hclkit-functions""#),
            (r#"env("NO_SUCH_VARIABLE")"#, r#""""#),
            (r#"env("cargo_pkg_name")"#, r#""""#),
            (r#"env("")"#, r#""""#),
            ("env(1)", r#""""#),
            ("env(null)", "error"),
            ("env([])", "error"),
            ("env()", "error"),
            (r#"env("A", "B")"#, "error"),
            ("env(u)", "unknown"),
            ("env(d)", "unknown"),
            ("env(m)", "(m)"),
        ],
    );
}

#[test]
fn secrets() {
    for (name, more) in [
        ("vault", r#", "k""#),
        ("consul_key", ""),
        ("aws_secretsmanager", ", null"),
        ("aws_secretsmanager_raw", ""),
    ] {
        let cases = [
            (r#""a""#, r#""secret""#),
            (r#""""#, r#""secret""#),
            ("1", r#""secret""#),
            ("true", r#""secret""#),
            ("null", "error"),
            ("[]", "error"),
            ("{}", "error"),
            ("u", "unknown"),
            ("d", "unknown"),
            ("m", "(m)"),
        ];
        let calls = cases.map(|(argument, wanted)| (format!("{name}({argument}{more})"), wanted));
        check(&in_packer(), &calls.each_ref().map(|(call, wanted)| (call.as_str(), *wanted)));
        for call in [format!("{name}()"), format!(r#"{name}("a"{more}, 1)"#)] {
            assert!(evaluate(&in_packer(), &call).is_err(), "{call}");
        }
        let ungranted = with_variables(context(&packer(&Grants::new())));
        assert!(
            evaluate(&ungranted, &format!(r#"{name}("a"{more})"#)).unwrap_err().contains("grant"),
            "{name}"
        );
    }
}

#[test]
fn times_by_example() {
    check(
        &in_packer(),
        &[
            ("legacy_isotime()", r#""2023-11-14T22:13:20Z""#),
            (r#"legacy_isotime("2006-01-02")"#, r#""2023-11-14""#),
            (r#"legacy_isotime("Mon Jan _2 15:04:05 2006")"#, r#""Tue Nov 14 22:13:20 2023""#),
            (r#"legacy_isotime("20060102150405")"#, r#""20231114221320""#),
            (r#"legacy_isotime("3:04PM")"#, r#""10:13PM""#),
            (r#"legacy_isotime("")"#, r#""""#),
            (r#"legacy_isotime("x")"#, r#""x""#),
            ("legacy_isotime(2006)", r#""2023""#),
            ("legacy_isotime(null)", "error"),
            ("legacy_isotime([])", "error"),
            (r#"legacy_isotime("2006", "01")"#, "error"),
            ("legacy_isotime(u)", "unknown"),
            ("legacy_isotime(m)", "(m)"),
        ],
    );
}

#[test]
fn times_by_letters() {
    check(
        &in_packer(),
        &[
            ("legacy_strftime()", r#""2023-11-14T22:13:20Z""#),
            (r#"legacy_strftime("%Y-%m-%d")"#, r#""2023-11-14""#),
            (r#"legacy_strftime("%H:%M:%S")"#, r#""22:13:20""#),
            (r#"legacy_strftime("%A, %B")"#, r#""Tuesday, November""#),
            (r#"legacy_strftime("%%")"#, r#""%""#),
            (r#"legacy_strftime("")"#, r#""""#),
            (r#"legacy_strftime("x")"#, r#""x""#),
            ("legacy_strftime(1)", r#""1""#),
            ("legacy_strftime(null)", "error"),
            ("legacy_strftime({})", "error"),
            (r#"legacy_strftime("%Y", "%m")"#, "error"),
            ("legacy_strftime(u)", "unknown"),
            ("legacy_strftime(m)", "(m)"),
        ],
    );
}

#[test]
fn replacing_by_patterns() {
    check(
        &in_packer(),
        &[
            (r#"regex_replace("hello", "l+", "L")"#, r#""heLo""#),
            (r#"regex_replace("hello", "(l)(o)", "$2$1")"#, r#""helol""#),
            (r#"regex_replace("hello", "x", "y")"#, r#""hello""#),
            (r#"regex_replace("", "x*", "y")"#, r#""y""#),
            (r#"regex_replace("é", ".", "e")"#, r#""e""#),
            (r#"regex_replace("a.b", "\\.", "-")"#, r#""a-b""#),
            ("regex_replace(11, 1, 2)", r#""22""#),
            (r#"regex_replace("a", "(", "b")"#, "error"),
            (r#"regex_replace("a", null, "b")"#, "error"),
            (r#"regex_replace([], "a", "b")"#, "error"),
            (r#"regex_replace("a", "b")"#, "error"),
            (r#"regex_replace(u, "a", "b")"#, "unknown"),
            (r#"regex_replace(m, "x", "y")"#, "(m)"),
        ],
    );
}

#[test]
fn random_identifiers() {
    for (context, name) in [(in_packer(), "uuidv4"), (in_terraform(), "uuid")] {
        let cases = [
            ("length(NAME())", "36"),
            (r#"length(split("-", NAME()))"#, "5"),
            ("substr(NAME(), 14, 1)", r#""4""#),
            (r#"length(regexall("^[0-9a-f-]+$", NAME()))"#, "1"),
            (r#"contains(["8", "9", "a", "b"], substr(NAME(), 19, 1))"#, "true"),
            ("NAME() == NAME()", "false"),
            ("can(NAME())", "true"),
            ("length(distinct([NAME(), NAME(), NAME()]))", "3"),
            ("NAME(1)", "error"),
            ("NAME(null)", "error"),
            ("NAME(u)", "error"),
            ("NAME(m)", "error"),
        ];
        let calls = cases.map(|(call, wanted)| (call.replace("NAME", name), wanted));
        check(&context, &calls.each_ref().map(|(call, wanted)| (call.as_str(), *wanted)));
    }
}

/// Terraform has it in plans, and not in its console, which answered for the other functions.
#[test]
fn the_time_of_the_plan() {
    check(
        &in_terraform(),
        &[
            ("plantimestamp()", r#""2023-11-14T22:13:20Z""#),
            ("plantimestamp() == plantimestamp()", "true"),
            ("length(plantimestamp())", "20"),
            (r#"formatdate("YYYY", plantimestamp())"#, r#""2023""#),
            (r#"timeadd(plantimestamp(), "1h")"#, r#""2023-11-14T23:13:20Z""#),
            (r#"timecmp(plantimestamp(), "2000-01-01T00:00:00Z")"#, "1"),
            ("issensitive(plantimestamp())", "false"),
            ("can(plantimestamp())", "true"),
            ("plantimestamp(1)", "error"),
            ("plantimestamp(null)", "error"),
            ("plantimestamp(u)", "error"),
            ("plantimestamp(m)", "error"),
        ],
    );
}
