//! Requests about files that are hard to evaluate: each is answered within its budget of work and memory, whatever the file
//! contains, and the next one is answered as usual.

#[path = "../lsp/client.rs"]
#[allow(dead_code, reason = "the module is shared with other tests")]
mod client;

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc;
use std::time::Duration;

use client::Client;
use hclkit_limits::{Limits, Meter};
use hclkit_lsp::Server;
use hclkit_test_cases::circles::SHAPES;
use peak_alloc::PeakAlloc;
use serde_json::{Value, json};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What an answer may allocate at any time: that of a check, and any other.
const MOST_OF_CHECK: usize = 320 << 20;
const MOST: usize = 72 << 20;
/// The steps that an answer may take, other than that of a check.
const MOST_STEPS: u64 = 1_000_000;
/// No request takes this long, also on a busy machine.
const LONG: Duration = Duration::from_secs(300);

/// The requests that check a module, which is more work than showing values.
fn is_check(method: &str) -> bool {
    matches!(method, "textDocument/diagnostic" | "textDocument/codeAction")
}

fn capabilities() -> Value {
    json!({ "textDocument": { "diagnostic": {}, "codeAction": { "codeActionLiteralSupport": {} } } })
}

/// The parameters of any request about a place.
fn about(uri: &str, line: usize, character: usize) -> Value {
    let place = json!({ "line": line, "character": character });
    json!({
        "textDocument": { "uri": uri },
        "position": place,
        "positions": [place],
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 1_000, "character": 0 } },
        "newName": "renamed",
        "query": "a",
        "ch": "\n",
        "context": { "includeDeclaration": true, "diagnostics": [] },
        "options": { "tabSize": 2, "insertSpaces": true },
        "previousResultId": "0",
        "item": { "name": "w", "kind": 2, "uri": uri, "data": "/w" },
        "files": [{ "oldUri": uri, "newUri": "file:///w/other/x.tf" }],
    })
}

/// The memory is that of the process.
static ALONE: Mutex<()> = Mutex::new(());

/// Sends every request about places of the main file of a module, and checks each answer.
fn check(name: &str, files: &[(String, String)]) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (main, text) = files.iter().find(|(name, _)| name.starts_with("main.tf")).unwrap().clone();
    let files: Vec<(String, String)> =
        files.iter().map(|(name, text)| (format!("/w/{name}"), text.clone())).collect();
    let named = name.to_owned();
    let (done, ended) = mpsc::channel();
    let work = move || {
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
        let mut client = Client::with(&files, &capabilities());
        let uri = format!("file:///w/{main}");
        client.open(&uri, &text);
        for method in Server::requests() {
            for (line, written) in places(&text) {
                // In the value, and at its end: there, names are completed.
                for character in [written.find('=').map_or(3, |at| at + 4), written.len()] {
                    ask(&mut client, &named, method, &about(&uri, line, character));
                }
            }
        }
        _ = done.send(());
    };
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(work).unwrap();
    match ended.recv_timeout(LONG) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("{name}: a request does not end"),
        _ => thread.join().unwrap(),
    }
}

/// Some lines with values.
fn places(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines: Vec<(usize, &str)> =
        text.lines().enumerate().filter(|(_, line)| line.contains(['=', ':'])).collect();
    let step = (lines.len() / 3).max(1);
    lines.into_iter().step_by(step)
}

fn ask(client: &mut Client, name: &str, method: &str, parameters: &Value) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let (answer, exceeded) = if is_check(method) {
        (client.ask(method, parameters), None)
    } else {
        // A budget is counted: an answer that keeps within it does not exceed a larger one around it.
        let work = || (client.ask(method, parameters), Meter::current().exceeded());
        Limits::new().with_steps(MOST_STEPS).run(work)
    };
    let peak = MEMORY.peak_usage().saturating_sub(before);
    assert_eq!(exceeded, None, "{method} for {name} takes too many steps");
    let most = if is_check(method) { MOST_OF_CHECK } else { MOST };
    assert!(peak <= most, "{method} for {name} takes {} MiB", peak >> 20);
    let code = answer.as_ref().err().map(|(code, _)| *code);
    // Some places have no name to be renamed. An internal error is a bug.
    assert!(matches!(code, None | Some(-32803)), "{method} for {name}: {answer:?}");
    assert!(serde_json::to_string(&answer.ok()).unwrap().len() < 8 << 20, "{method} for {name}");
}

#[test]
fn requests_about_names_of_themselves() {
    for json in [false, true] {
        for shape in SHAPES {
            check(shape.name, &shape.files(60, json));
        }
    }
}

/// Each level contains the one before it twice.
fn doubled(levels: usize, twice: &str) -> String {
    (0..levels).fold("\"x\"".to_owned(), |inner, _| format!("[for v in [{inner}] : {twice}][0]"))
}

/// Values that take much more than their text.
fn bombs() -> Vec<(&'static str, String)> {
    vec![
        ("a number with many digits", "format(\"%250000000d\", 1)".to_owned()),
        ("a number with some digits", "format(\"%3000000d\", 1)".to_owned()),
        ("doubled text", doubled(40, "\"${v}${v}\"")),
        ("doubled lists", doubled(60, "[v, v]")),
        ("doubled lists as JSON", format!("jsonencode({})", doubled(30, "[v, v]"))),
        (
            "a loop in loops",
            "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a + b + c]]]".to_owned(),
        ),
        ("an object of many names", "{ for n in range(900000) : \"k${n}\" => n }".to_owned()),
        ("joined numbers", "join(\"-\", [for n in range(500000) : format(\"%0100d\", n)])".to_owned()),
        ("encoded text", (0..40).fold("\"hcl\"".to_owned(), |text, _| format!("base64encode({text})"))),
        ("a hash of a hash", "[for n in range(1000000) : sha512(format(\"%010000d\", n))]".to_owned()),
        ("a product of sets", "setproduct(range(1000), range(1000), range(1000))".to_owned()),
        ("a search", "regexall(\"a(?:.*b)?\", format(\"%050000d\", 1))".to_owned()),
    ]
}

/// A value as that of each kind of declaration.
fn module(value: &str) -> Vec<(String, String)> {
    let main = format!(
        "locals {{\n  a = {value}\n  b = local.a\n  c = length(local.a)\n  d = \"${{local.a}}\"\n  small = upper(\"x\")\n}}\n\
         output \"o\" {{\n  value = {value}\n}}\n\
         output \"p\" {{\n  value = module.m.o\n}}\n\
         variable \"v\" {{\n  default = {value}\n}}\n\
         resource \"aws_x\" \"r\" {{\n  for_each = {value}\n  x = each.value\n  y = local.b\n}}\n\
         resource \"aws_x\" \"s\" {{\n  dynamic \"x\" {{\n    for_each = {value}\n    content {{\n      y = x.value\n    }}\n  }}\n}}\n\
         module \"m\" {{\n  source = \"./m\"\n  x      = {value}\n  y      = local.b.c\n}}\n",
    );
    let inner =
        "variable \"x\" {\n}\nvariable \"y\" {\n}\noutput \"o\" {\n  value = \"${var.x}${var.y}\"\n}\n";
    vec![("main.tf".to_owned(), main), ("m/main.tf".to_owned(), inner.to_owned())]
}

#[test]
fn requests_about_large_values() {
    for (name, value) in bombs() {
        check(name, &module(&value));
    }
}

/// A value that takes too much has no hint, and the others have theirs.
#[test]
fn other_values_are_shown() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for (name, value) in bombs() {
        let text = format!("locals {{\n  a = {value}\n  b = local.a\n  c = upper(\"x\")\n}}\n");
        let mut client = Client::with(&[("/w/main.tf", &text)], &capabilities());
        let hints = client.ask("textDocument/inlayHint", &about("file:///w/main.tf", 0, 0)).unwrap();
        let labels: Vec<&str> =
            hints.as_array().unwrap().iter().filter_map(|hint| hint["label"].as_str()).collect();
        assert!(labels.contains(&"= \"X\""), "{name}: {labels:?}");
        let hover = client.at("textDocument/hover", "file:///w/main.tf", 3, 2);
        assert!(hover["contents"]["value"].as_str().unwrap().contains("\"X\""), "{name}: {hover}");
    }
    let text = format!("locals {{\n  a = {}\n}}\n", doubled(40, "\"${v}${v}\""));
    let mut client = Client::with(&[("/w/main.tf", &text)], &capabilities());
    let hover = client.at("textDocument/hover", "file:///w/main.tf", 1, 2);
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(shown.contains("takes too much work or memory"), "{shown}");
}
