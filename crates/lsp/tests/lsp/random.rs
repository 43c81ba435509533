//! Random messages never end the server, and no request is left without an answer.

use hclkit_lsp::{Message, Notification, Request};
use serde_json::{Value, json};

use super::capabilities;
use super::client::Client;

const METHODS: [&str; 28] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "workspace/symbol",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/documentLink",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/inlayHint",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/full/delta",
    "textDocument/semanticTokens/range",
    "textDocument/prepareCallHierarchy",
    "callHierarchy/incomingCalls",
    "callHierarchy/outgoingCalls",
    "workspace/willRenameFiles",
    "textDocument/diagnostic",
    "unknown/method",
    "$/unknown",
];
const NOTIFICATIONS: [&str; 8] = [
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
    "$/cancelRequest",
    "initialized",
];
const TEXTS: [&str; 6] = [
    "variable \"a\" {\n  default = \"😀\"\n}\nlocals {\n  b = var.a\n}\n",
    "module \"net\" {\n  source = \"./net\"\n  a = 1\n}\noutput \"c\" {\n  value = module.net.b\n}\n",
    "a = <<EOT\n${b.c}\nEOT\n",
    "x {",
    "{\"locals\": {\"a\": \"${var.b}\"}}",
    "\u{feff}a = 1\r\nb = \"\r",
];

/// Something that may be the parameters of a message.
fn parameters(random: &mut fastrand::Rng) -> Value {
    let uris = [
        "file:///w/main.tf",
        "file:///w/net/main.tf",
        "file:///w/main.tf.json",
        "file:///etc/passwd",
        "untitled:x",
        "%",
        "",
    ];
    let uri = uris[random.usize(..uris.len())];
    let number = |random: &mut fastrand::Rng| match random.u8(..10) {
        0 => json!(u32::MAX),
        1 => json!(-1),
        _ => json!(random.u32(..12)),
    };
    let place = |random: &mut fastrand::Rng| json!({ "line": number(random), "character": number(random) });
    let range = json!({ "start": place(random), "end": place(random) });
    let text = TEXTS[random.usize(..TEXTS.len())];
    let new = ["x", "", "a b", "var.c"][random.usize(..4)];
    let directory = ["/w", "/w/net", "/etc", ""][random.usize(..4)];
    let mut all = json!({
        "textDocument": { "uri": uri, "languageId": "terraform", "version": random.i32(0..9), "text": text },
        "position": place(random),
        "positions": [place(random)],
        "range": range,
        "newName": new,
        "query": "a",
        "context": { "includeDeclaration": random.bool(), "diagnostics": [], "only": ["source", "quickfix"] },
        "options": { "tabSize": 2, "insertSpaces": true },
        "previousResultId": random.u8(..5).to_string(),
        "item": { "data": directory },
        "files": [{ "oldUri": uri, "newUri": "file:///w/other/x.tf" }],
        "changes": [{ "uri": uri, "type": 2 }],
        "event": { "added": [{ "uri": "file:///w/net", "name": "n" }], "removed": [] },
        "contentChanges": [{ "range": range, "text": text }, { "text": text }],
        "id": random.i32(..500),
    });
    if random.bool() {
        all["contentChanges"] = json!([{ "range": range, "text": text }]);
    }
    // Sometimes a part is missing, or of another type.
    if random.u8(..4) == 0 {
        let keys: Vec<String> = all.as_object().unwrap().keys().cloned().collect();
        let key = &keys[random.usize(..keys.len())];
        all[key] = [Value::Null, json!(1), json!([]), json!("x")][random.usize(..4)].clone();
    }
    all
}

#[test]
fn random_messages() {
    for seed in 0..6 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut client = Client::with(
            &[("/w/net/main.tf", TEXTS[0]), ("/w/main.tf", TEXTS[1])],
            &capabilities(&["utf-16"]),
        );
        for id in 0..400 {
            let parameters = parameters(&mut random);
            if random.bool() {
                let method = METHODS[random.usize(..METHODS.len())];
                let answers =
                    client.server.handle(Request::new(id.into(), method.to_owned(), &parameters).into());
                assert_eq!(answers.len(), 1, "{method}");
                let Message::Response(answer) = &answers[0] else { panic!("{method}") };
                assert_eq!(answer.id, id.into());
                let code = answer.response_result.as_ref().err().map(|error| error.code);
                assert_ne!(code, Some(-32603), "{method} {parameters}");
            } else {
                let method = NOTIFICATIONS[random.usize(..NOTIFICATIONS.len())];
                client.server.handle(Notification::new(method.to_owned(), parameters).into());
            }
            if random.u8(..10) == 0 {
                client.server.idle();
            }
        }
    }
}
