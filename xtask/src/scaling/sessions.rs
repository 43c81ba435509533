//! Sessions with the language server: a document is opened, changed, and asked about. `hcl lsp --replay` runs them.

use hclkit_test_cases::circles::{SHAPES, Shape};
use serde_json::{Value, json};

use super::Task;
use super::inputs::{Input, Row, SORTED, from};

/// The requests, and whether a place, a range or the rest of their parameters says what they are about.
const REQUESTS: [(&str, About); 18] = [
    ("textDocument/hover", About::Place),
    ("textDocument/completion", About::Place),
    ("textDocument/signatureHelp", About::Place),
    ("textDocument/definition", About::Place),
    ("textDocument/references", About::References),
    ("textDocument/documentHighlight", About::Place),
    ("textDocument/rename", About::Name),
    ("textDocument/documentSymbol", About::Document),
    ("textDocument/semanticTokens/full", About::Document),
    ("textDocument/inlayHint", About::Range),
    ("textDocument/codeAction", About::Actions),
    ("textDocument/codeLens", About::Document),
    ("textDocument/documentLink", About::Document),
    ("textDocument/foldingRange", About::Document),
    ("textDocument/selectionRange", About::Places),
    ("textDocument/formatting", About::Formatting),
    ("textDocument/diagnostic", About::Document),
    ("workspace/symbol", About::Query),
];

#[derive(Clone, Copy)]
enum About {
    Document,
    Place,
    Places,
    Range,
    References,
    Name,
    Actions,
    Formatting,
    Query,
}

const URI: &str = "file:///scaling/main.tf";

pub(super) fn rows() -> impl Iterator<Item = Row> {
    let of_methods = REQUESTS.into_iter().map(|(method, about)| {
        let input = move |size| Input { text: session(size, method, about).into_bytes(), ..Input::default() };
        from(method, 500, &[Task::Server], input).most(SORTED)
    });
    // All requests about a module whose names refer to themselves.
    let of_shapes = SHAPES.into_iter().map(|shape| {
        let input = move |size| Input { text: about_circles(shape, size).into_bytes(), ..Input::default() };
        from(shape.name, 100, &[Task::Server], input).most(SORTED)
    });
    of_methods.chain(of_shapes)
}

/// A session about the main file of a module.
fn about_circles(shape: Shape, size: usize) -> String {
    let text = shape.files(size, false).swap_remove(0).1;
    let lines = text.lines().count();
    let mut messages = opened(&text);
    for (method, about) in REQUESTS {
        let place = json!({ "line": 1, "character": text.lines().nth(1).map_or(0, str::len) });
        messages.push(asked(messages.len(), method, &parameters(about, &place, lines)));
    }
    in_lines(messages)
}

/// Each line is a message of the client.
fn session(size: usize, method: &str, about: About) -> String {
    let block = |at| {
        format!(
            "resource \"a\" \"b{at}\" {{\n  name = upper(\"${{var.v}}-{at}\")\n  size = local.l + {at}\n}}\n"
        )
    };
    let text = format!(
        "variable \"v\" {{\n  default = \"x\"\n}}\nlocals {{\n  l = 1\n}}\n{}",
        (0..size).map(block).collect::<String>()
    );
    // In `var.v` of the first resource.
    let parameters = parameters(about, &json!({ "line": 7, "character": 23 }), 4 * size + 6);
    let change = |version: i32, text: &str, end: i32| {
        let range = json!({ "start": { "line": 4, "character": 6 }, "end": { "line": 4, "character": end } });
        told(
            "textDocument/didChange",
            &json!({ "textDocument": { "uri": URI, "version": version }, "contentChanges": [{ "range": range, "text": text }] }),
        )
    };
    let mut messages = opened(&text);
    messages.extend([
        change(1, "(", 6),
        change(2, "", 7),
        asked(2, method, &parameters),
        asked(3, "shutdown", &Value::Null),
        told("exit", &Value::Null),
    ]);
    in_lines(messages)
}

/// The parameters of a request about a place, or a whole file of so many lines.
fn parameters(about: About, place: &Value, lines: usize) -> Value {
    let document = json!({ "uri": URI });
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": lines, "character": 0 } });
    match about {
        About::Document => json!({ "textDocument": document }),
        About::Place => json!({ "textDocument": document, "position": place }),
        About::Places => json!({ "textDocument": document, "positions": [place] }),
        About::Range => json!({ "textDocument": document, "range": whole }),
        About::References => {
            json!({ "textDocument": document, "position": place, "context": { "includeDeclaration": true } })
        }
        About::Name => json!({ "textDocument": document, "position": place, "newName": "w" }),
        About::Actions => {
            json!({ "textDocument": document, "range": { "start": place, "end": place }, "context": { "diagnostics": [] } })
        }
        About::Formatting => {
            json!({ "textDocument": document, "options": { "tabSize": 2, "insertSpaces": true } })
        }
        About::Query => json!({ "query": "b1" }),
    }
}

/// The messages that begin a session with a document.
fn opened(text: &str) -> Vec<Value> {
    vec![
        asked(1, "initialize", &json!({ "processId": null, "rootUri": null, "capabilities": {} })),
        told("initialized", &json!({})),
        told(
            "textDocument/didOpen",
            &json!({ "textDocument": { "uri": URI, "languageId": "terraform", "version": 0, "text": text } }),
        ),
    ]
}

fn in_lines(messages: Vec<Value>) -> String {
    messages
        .into_iter()
        .map(|message| json!({ "from": "client", "message": message }).to_string() + "\n")
        .collect()
}

fn asked(id: usize, method: &str, parameters: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters })
}

fn told(method: &str, parameters: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": parameters })
}
