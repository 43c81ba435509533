//! Functions under small limits: whatever the arguments, a call ends after a bounded number of steps, and its result is
//! no larger than allowed.

mod arguments;
mod check;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hclkit_functions::terraform;
use hclkit_limits::{CancelToken, Limit, Limits};
use hclkit_test_cases::is_tried;
use hclkit_value::{Error, ErrorKind, Function, Type, Value};

use arguments::{candidates, doubled, long_list, long_map, long_text, wide_list, wide_set};
use check::{grants, is_bounded, libraries, small};

fn limit_of(result: &Result<Value, Error>) -> Option<Limit> {
    match result.as_ref().map_err(Error::kind) {
        Err(ErrorKind::Limit(exceeded)) => Some(exceeded.limit),
        _ => None,
    }
}

/// Aborts the test if a call does not end. This is the only use of time here.
struct Watch(Arc<AtomicUsize>);

impl Watch {
    fn start() -> Self {
        let calls = Arc::new(AtomicUsize::new(0));
        let seen = calls.clone();
        std::thread::spawn(move || {
            let mut last = 0;
            loop {
                std::thread::sleep(Duration::from_secs(60));
                let now = seen.load(Ordering::Relaxed);
                if now == last {
                    eprintln!("a call has not ended for a minute: see the last line above");
                    std::process::abort();
                }
                last = now;
            }
        });
        Self(calls)
    }

    fn call(&self, library: &str, name: &str, function: &Function, args: &[Value]) -> Result<Value, Error> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let types: Vec<String> = args.iter().map(|arg| arg.ty().friendly_name().clone()).collect();
        eprintln!("{library}: {name}({})", types.join(", "));
        function.call(args)
    }
}

#[test]
fn calls_end_for_test_arguments() {
    calls_end(0);
}

#[test]
fn calls_end_for_test_arguments_of_other_functions() {
    calls_end(1);
}

/// With each second function, and one of two combinations of arguments.
fn calls_end(half: usize) {
    let watch = Watch::start();
    for (library, table) in libraries() {
        for (name, function) in table.iter().skip(half).step_by(2) {
            let count =
                function.parameters().len() + 2 * usize::from(function.variadic_parameter().is_some());
            let pools: Vec<Vec<Value>> = (0..count)
                .map(|at| {
                    candidates(function.parameter_at(at).map_or(&Type::Dynamic, |parameter| parameter.ty()))
                })
                .collect();
            let most = pools.iter().map(Vec::len).max().unwrap_or(1);
            for turn in (0..most + 2).filter(|turn| is_tried(*turn, 2)) {
                let args: Vec<Value> = pools
                    .iter()
                    .enumerate()
                    .map(|(at, pool)| pool[(turn + at * (turn / most)) % pool.len()].clone())
                    .collect();
                let result = small().run(|| watch.call(library, name, function, &args));
                if let Ok(value) = result {
                    assert!(is_bounded(&value, &args), "{library}: {name} exceeds the limits");
                }
            }
        }
    }
}

#[test]
fn random_calls_stay_within_limits() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..300 {
        let bytes: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(40).collect();
        check::check(&bytes);
    }
}

/// Calls that would create a gibibyte or run for a minute.
fn explosive() -> Vec<(&'static str, Vec<Value>, Limit)> {
    let text = |text: &str| Value::from(text);
    let yaml = {
        let levels =
            (1..9).map(|at| format!("a{at}: &a{at} [{}]\n", vec![format!("*a{}", at - 1); 10].join(", ")));
        text(&format!("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n{}", levels.collect::<String>()))
    };
    let table = format!("a,b\n{}", "1,2\n".repeat(20_000));
    let numbers = format!("[{}1]", "1,".repeat(20_000));
    let pem =
        format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----\n", "A".repeat(1 << 20));
    let strings = |count: usize| Value::list(vec![text("x"); count]).unwrap();
    let texts = |count: usize| Value::list((0..count).rev().map(|at| Value::from(at.to_string()))).unwrap();
    vec![
        ("alltrue", vec![Value::list(vec![Value::TRUE; 20_000]).unwrap()], Limit::Elements),
        ("anytrue", vec![Value::list(vec![Value::FALSE; 20_000]).unwrap()], Limit::Elements),
        ("base64encode", vec![long_text(1 << 20)], Limit::Bytes),
        ("base64gzip", vec![long_text(16 << 20)], Limit::Steps),
        ("bcrypt", vec![text("x"), Value::from(16)], Limit::Steps),
        ("bcrypt", vec![text("x"), Value::from(31)], Limit::Steps),
        ("chunklist", vec![long_list(20_000), Value::from(1)], Limit::Elements),
        ("compact", vec![strings(20_000)], Limit::Elements),
        ("concat", vec![long_list(9_000), long_list(9_000)], Limit::Elements),
        ("contains", vec![long_list(20_000), text("x")], Limit::Elements),
        ("csvdecode", vec![text(&table)], Limit::Elements),
        ("distinct", vec![wide_list(20_000)], Limit::Elements),
        ("flatten", vec![doubled(Value::from(1), 40)], Limit::Elements),
        ("flatten", vec![doubled(Value::tuple::<Value>([]), 40)], Limit::Elements),
        ("format", vec![text("%250000000d"), Value::from(1)], Limit::Bytes),
        ("format", vec![text("%-250000000s"), text("x")], Limit::Bytes),
        ("format", vec![text("%v"), doubled(Value::from(1), 40)], Limit::Bytes),
        ("formatlist", vec![text("%1000d"), wide_list(9_000)], Limit::Bytes),
        ("formatlist", vec![text("%d"), wide_list(20_000)], Limit::Elements),
        ("index", vec![wide_list(20_000), Value::from(-1)], Limit::Elements),
        ("indent", vec![Value::from(1_000_000_000), text("a\nb")], Limit::Bytes),
        ("join", vec![long_text(1 << 16), strings(1_000)], Limit::Bytes),
        ("jsondecode", vec![text(&numbers)], Limit::Elements),
        ("jsonencode", vec![doubled(Value::from(1), 40)], Limit::Bytes),
        ("keys", vec![long_map(20_000)], Limit::Elements),
        ("lower", vec![long_text(1 << 20)], Limit::Bytes),
        ("matchkeys", vec![wide_list(9_000), wide_list(9_000), wide_list(9_000)], Limit::Elements),
        ("merge", vec![long_map(9_000), long_map(9_000)], Limit::Elements),
        ("regexall", vec![text("."), long_text(20_000)], Limit::Elements),
        ("regexall", vec![text("x(.*b)?"), long_text(9_000)], Limit::Steps),
        ("replace", vec![long_text(9_000), text("/x(.*b)?/"), text("y")], Limit::Steps),
        ("regex", vec![text(&"(a|b|ab)*".repeat(500)), long_text(1 << 20)], Limit::Steps),
        ("replace", vec![long_text(1 << 16), text("x"), long_text(1 << 16)], Limit::Bytes),
        ("replace", vec![long_text(1 << 16), text("/x/"), long_text(1 << 16)], Limit::Bytes),
        ("reverse", vec![long_list(20_000)], Limit::Elements),
        ("rsadecrypt", vec![text("aGVsbG8="), text(&pem)], Limit::Steps),
        ("setintersection", vec![wide_set(9_000), wide_set(9_000)], Limit::Elements),
        ("setproduct", vec![wide_list(2_000), wide_list(2_000)], Limit::Elements),
        ("setunion", vec![wide_set(9_000), wide_set(9_000)], Limit::Elements),
        ("setsubtract", vec![wide_set(9_000), wide_set(9_000)], Limit::Elements),
        ("slice", vec![long_list(20_000), Value::from(0), Value::from(20_000)], Limit::Elements),
        ("sort", vec![texts(20_000)], Limit::Elements),
        ("split", vec![text(""), long_text(20_000)], Limit::Elements),
        ("sum", vec![wide_list(20_000)], Limit::Elements),
        ("templatestring", vec![long_text(1 << 16), Value::object([("a", Value::from(1))])], Limit::Bytes),
        ("textencodebase64", vec![long_text(1 << 20), text("UTF-16LE")], Limit::Bytes),
        ("tolist", vec![Value::tuple((0..20_000).map(Value::from))], Limit::Elements),
        ("title", vec![long_text(1 << 20)], Limit::Bytes),
        ("tomap", vec![long_map(20_000)], Limit::Elements),
        ("toset", vec![wide_list(20_000)], Limit::Elements),
        ("transpose", vec![Value::map([("a", strings(20_000))]).unwrap()], Limit::Elements),
        ("upper", vec![long_text(1 << 20)], Limit::Bytes),
        ("urlencode", vec![Value::from(" ~\u{e9}".repeat(1 << 19))], Limit::Bytes),
        ("values", vec![long_map(20_000)], Limit::Elements),
        ("yamldecode", vec![yaml], Limit::Elements),
        ("yamlencode", vec![doubled(Value::from(1), 40)], Limit::Bytes),
        ("zipmap", vec![strings(20_000), long_list(20_000)], Limit::Elements),
        ("sha512", vec![long_text(5 << 30 >> 4)], Limit::Steps),
    ]
}

#[test]
fn excessive_calls_exceed_the_expected_limit() {
    let watch = Watch::start();
    let table = terraform(&grants());
    for (name, args, expected) in explosive() {
        let limits = if name == "sha512" { small().with_steps(50_000) } else { small() };
        let result = limits.run(|| watch.call("terraform", name, &table[name], &args));
        assert_eq!(limit_of(&result), Some(expected), "{name}: {result:?}");
    }
}

#[test]
fn regexall_takes_steps_for_the_text_it_reads() {
    let regexall = &terraform(&grants())["regexall"];
    let fits = |pattern: &str, text: &str, count: usize| {
        let args = [Value::from(pattern), Value::from(text.repeat(count))];
        Limits::new().with_steps(3_000_000).run(|| regexall.call(&args)).is_ok()
    };
    // Most matches end where the engine stops reading.
    for (pattern, text) in [("[a-z]+", "abc "), ("(a)(b)c", "abc "), ("a.*?c", "abc "), ("\\w+\\b", "abc ")] {
        assert!(fits(pattern, text, 8_000), "{pattern}");
    }
    // For these the rest of the text is read for each match, or for each that may begin before.
    for (pattern, text) in [("a(.*b)?", "a"), ("b.*c|a", "ba"), ("(?s)a(.*b)?", "a\n")] {
        assert!(fits(pattern, text, 500), "{pattern}");
        assert!(!fits(pattern, text, 8_000), "{pattern}");
    }
}

/// The same calls without explicit limits: the default limits apply.
#[test]
fn default_limits_hold_for_a_single_call() {
    let watch = Watch::start();
    let table = terraform(&grants());
    let calls = [
        ("format", vec![Value::from("%2500000000d"), Value::from(1)], Limit::Bytes),
        ("bcrypt", vec![Value::from("x"), Value::from(20)], Limit::Steps),
        ("setproduct", vec![wide_list(5_000), wide_list(5_000)], Limit::Elements),
        ("flatten", vec![doubled(Value::tuple::<Value>([]), 60)], Limit::Elements),
    ];
    for (name, args, expected) in calls {
        let result = watch.call("terraform", name, &table[name], &args);
        assert_eq!(limit_of(&result), Some(expected), "{name}");
    }
}

/// Results count with all of their parts, so that calling a function again and again is limited.
#[test]
fn results_count_with_all_of_their_parts() {
    let nested = Value::tuple((0..10).map(|_| Value::tuple((0..100).map(Value::from))));
    let text = |text: String| Value::from(text);
    let names = Value::list((0..1_000).map(|at| Value::from(format!("k{at}")))).unwrap();
    let calls = [
        ("chunklist", vec![wide_list(1_000), Value::from(500)]),
        ("csvdecode", vec![text(format!("a\n{}", "1\n".repeat(500)))]),
        ("jsondecode", vec![text(format!("{{\"a\":[{}1]}}", "1,".repeat(1_000)))]),
        ("merge", vec![long_map(1_000)]),
        ("regexall", vec![text("(.)(.)".to_owned()), long_text(2_000)]),
        ("setproduct", vec![wide_list(2), wide_list(500)]),
        (
            "tolist",
            vec![Value::tuple([nested.clone(), Value::tuple([Value::tuple([text("x".to_owned())])])])],
        ),
        ("yamldecode", vec![text(format!("a: [{}1]", "1,".repeat(1_000)))]),
        ("zipmap", vec![names, long_list(1_000)]),
    ];
    let table = terraform(&grants());
    for (name, args) in calls {
        let last = Limits::new().with_elements(50_000).run(|| {
            let first = table[name].call(&args);
            assert!(first.is_ok(), "{name}: {first:?}");
            (0..50).map(|_| table[name].call(&args)).find(Result::is_err)
        });
        let limit = last.as_ref().and_then(limit_of);
        assert_eq!(limit, Some(Limit::Elements), "{name}: {last:?}");
    }
}

#[test]
fn a_call_ends_when_it_is_cancelled() {
    let token = CancelToken::new();
    let cancel = token.clone();
    let limits = Limits::trusted().with_cancel(token);
    let table = terraform(&grants());
    let bcrypt = table["bcrypt"].clone();
    // This would take years.
    let call = std::thread::spawn(move || {
        limits.run(|| bcrypt.call(&[Value::from("x"), Value::from(31)])).map_err(|error| error.kind())
    });
    std::thread::sleep(Duration::from_millis(50));
    cancel.cancel();
    let ErrorKind::Limit(exceeded) = call.join().unwrap().unwrap_err() else {
        panic!("expected a limit error")
    };
    assert_eq!(exceeded.limit, Limit::Cancelled);
}

/// Every function must be listed as explosive or harmless.
#[test]
fn every_function_is_classified() {
    let explosive: BTreeSet<&str> = explosive().into_iter().map(|(name, ..)| name).collect();
    let harmless: BTreeSet<&str> = arguments::HARMLESS.iter().copied().collect();
    for (library, table) in libraries() {
        for name in table.keys() {
            let known = explosive.contains(name) || harmless.contains(name);
            assert!(known, "{library}: {name} must be listed as explosive or harmless");
        }
    }
}
