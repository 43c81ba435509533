//! Functions without recorded answers: those that only Packer has, and those that depend on time or randomness.

use hclkit_functions::{Grants, packer, terraform};
use hclkit_model::Context;
use hclkit_value::{Mark, Type, Value};

use super::{context, evaluate, everything};

/// Adds `u`, an unknown string, `d`, which is wholly unknown, and `m`, which is marked.
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

/// Checks the result of each call. `error` is an error and `unknown` is an unknown value.
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
fn env_reads_environment_variables() {
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
fn secrets_are_read_from_the_granted_stores() {
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
fn legacy_isotime_uses_go_layouts() {
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
fn times_are_split_into_parts() {
    let parts = "[for t in [x]: [t.year, t.year_day, t.month, t.day, t.weekday, t.hour, t.minute, t.second, t.iso_year, t.iso_week]][0]";
    let times = [
        ("2023-07-25T23:43:16Z", "1690328596", "[2023, 206, 7, 25, 2, 23, 43, 16, 2023, 30]"),
        ("2021-01-03T00:00:00Z", "1609632000", "[2021, 3, 1, 3, 0, 0, 0, 0, 2020, 53]"),
        ("2020-12-31T23:59:59Z", "1609459199", "[2020, 366, 12, 31, 4, 23, 59, 59, 2020, 53]"),
        ("1969-12-28T12:00:00Z", "-302400", "[1969, 362, 12, 28, 0, 12, 0, 0, 1969, 52]"),
        ("2024-12-30T01:02:03Z", "1735520523", "[2024, 365, 12, 30, 1, 1, 2, 3, 2025, 1]"),
        ("2000-02-29T00:00:00Z", "951782400", "[2000, 60, 2, 29, 2, 0, 0, 0, 2000, 9]"),
        ("0001-01-01T00:00:00Z", "-62135596800", "[1, 1, 1, 1, 1, 0, 0, 0, 1, 1]"),
        ("9999-12-31T00:00:00Z", "253402214400", "[9999, 365, 12, 31, 5, 0, 0, 0, 9999, 52]"),
    ];
    let calls = times.map(|(text, unix, wanted)| {
        let [read, counted] = [format!("rfc3339_parse(\"{text}\")"), format!("unix_timestamp_parse({unix})")];
        [
            (parts.replace('x', &read), wanted.to_owned()),
            (parts.replace('x', &counted), wanted.to_owned()),
            (format!("{read}.unix"), unix.to_owned()),
            (format!("{counted}.rfc3339"), format!("\"{text}\"")),
        ]
    });
    let calls: Vec<_> = calls.as_flattened().iter().map(|(call, wanted)| (&**call, &**wanted)).collect();
    check(&in_packer(), &calls);
    check(
        &in_packer(),
        &[
            (r#"rfc3339_parse("2023-07-25 23:43:16.5+02:00").unix"#, "1690321396"),
            (r#"rfc3339_parse("2023-07-25 23:43:16.5+02:00").hour"#, "23"),
            (r#"rfc3339_parse("2023-07-25T23:43:16Z").month_name"#, r#""July""#),
            ("unix_timestamp_parse(0).weekday_name", r#""Thursday""#),
            (r#"unix_timestamp_parse("86400").day"#, "2"),
            ("keys(unix_timestamp_parse(0)) == keys(rfc3339_parse(\"1970-01-01T00:00:00Z\"))", "false"),
            ("length(unix_timestamp_parse(0))", "13"),
            (r#"length(rfc3339_parse("1970-01-01T00:00:00Z"))"#, "13"),
            (r#"rfc3339_parse("2023-07-25")"#, "error"),
            (r#"rfc3339_parse("2023-07-25  23:43:16Z")"#, "error"),
            ("rfc3339_parse(null)", "error"),
            ("unix_timestamp_parse(0.5)", "error"),
            ("unix_timestamp_parse(9223372036854775808)", "error"),
            (r#"unix_timestamp_parse("x")"#, "error"),
            ("rfc3339_parse(u).unix", "unknown"),
            ("unix_timestamp_parse(u).year", "unknown"),
        ],
    );
}

#[test]
fn legacy_strftime_uses_strftime_formats() {
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
fn regex_replace_replaces_all_matches() {
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
fn uuids_are_random() {
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

/// Terraform provides the function in plans, but not in its console, which recorded the other answers.
#[test]
fn plantimestamp_returns_the_granted_time() {
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

/// As in Terraform 1.11. In cty, marks of elements move to the collection.
#[test]
fn conversions_to_collections_keep_the_marks_of_elements() {
    check(
        &in_terraform(),
        &[
            ("tolist([m, \"p\"])", "[(m), \"p\"]"),
            ("length(tolist([m, \"p\"]))", "2"),
            ("tolist([m, \"p\"])[1]", "\"p\""),
            ("tolist([[m], [\"p\"]])[1]", "[\"p\"]"),
            ("tomap({ a = m, b = \"x\" })", "{ a = (m), b = \"x\" }"),
            ("tomap({ a = m, b = \"x\" }).b", "\"x\""),
            ("lookup(tomap({ a = m, b = \"x\" }), \"b\", \"d\")", "\"x\""),
            ("keys(tomap({ a = m }))", "[\"a\"]"),
            ("toset([m, \"p\"])", "(m)"),
            ("length(toset([m, \"p\"]))", "(m)"),
            ("tolist(toset([m]))", "(m)"),
            ("tolist([m, {}])", "error"),
            ("issensitive(tolist([sensitive(1), \"p\"]))", "false"),
            ("issensitive(tolist(sensitive([1])))", "true"),
        ],
    );
}
