//! Sessions with the language server: a document is opened, changed, and asked about. `hcl lsp --replay` runs them.

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
    REQUESTS.into_iter().map(|(method, about)| {
        let input = move |size| Input { text: session(size, method, about).into_bytes(), ..Input::default() };
        from(method, 500, &[Task::Server], input).most(SORTED)
    })
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
    let document = json!({ "uri": URI });
    // In `var.v` of the first resource.
    let place = json!({ "line": 7, "character": 23 });
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 4 * size + 6, "character": 0 } });
    let parameters = match about {
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
    };
    let change = |version: i32, text: &str, end: i32| {
        let range = json!({ "start": { "line": 4, "character": 6 }, "end": { "line": 4, "character": end } });
        told(
            "textDocument/didChange",
            &json!({ "textDocument": { "uri": URI, "version": version }, "contentChanges": [{ "range": range, "text": text }] }),
        )
    };
    let messages = [
        asked(1, "initialize", &json!({ "processId": null, "rootUri": null, "capabilities": {} })),
        told("initialized", &json!({})),
        told(
            "textDocument/didOpen",
            &json!({ "textDocument": { "uri": URI, "languageId": "terraform", "version": 0, "text": text } }),
        ),
        change(1, "(", 6),
        change(2, "", 7),
        asked(2, method, &parameters),
        asked(3, "shutdown", &Value::Null),
        told("exit", &Value::Null),
    ];
    let lines = messages.map(|message| json!({ "from": "client", "message": message }).to_string());
    lines.join("\n") + "\n"
}

fn asked(id: i32, method: &str, parameters: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters })
}

fn told(method: &str, parameters: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": parameters })
}
