//! Random messages never end the server, and no request is left without an answer.

use hclkit_lsp::{Message, Notification, Request, Server};
use serde_json::{Value, json};

use crate::capabilities;
use crate::client::Client;

/// The requests of the server, and others.
pub(crate) fn methods() -> Vec<&'static str> {
    Server::requests().chain(["unknown/method", "$/unknown"]).collect()
}

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
fn parameters(random: &mut Decisions<'_>) -> Value {
    let uris = [
        "file:///w/main.tf",
        "file:///w/net/main.tf",
        "file:///w/main.tf.json",
        "file:///etc/passwd",
        "untitled:x",
        "%",
        "",
    ];
    let uri = uris[random.below(uris.len())];
    let number = |random: &mut Decisions<'_>| match random.below(10) {
        0 => json!(u32::MAX),
        1 => json!(-1),
        _ => json!(random.below(12)),
    };
    let place = |random: &mut Decisions<'_>| json!({ "line": number(random), "character": number(random) });
    let range = json!({ "start": place(random), "end": place(random) });
    let text = random.text();
    let new = ["x", "", "a b", "var.c"][random.below(4)];
    let directory = ["/w", "/w/net", "/etc", ""][random.below(4)];
    let mut all = json!({
        "textDocument": { "uri": uri, "languageId": "terraform", "version": random.below(9), "text": text },
        "position": place(random),
        "positions": [place(random)],
        "range": range,
        "newName": new,
        "query": "a",
        "context": { "includeDeclaration": random.below(2) == 0, "diagnostics": [], "only": ["source", "quickfix"] },
        "options": { "tabSize": 2, "insertSpaces": true },
        "previousResultId": random.below(5).to_string(),
        "item": { "data": directory },
        "files": [{ "oldUri": uri, "newUri": "file:///w/other/x.tf" }],
        "changes": [{ "uri": uri, "type": 2 }],
        "event": { "added": [{ "uri": "file:///w/net", "name": "n" }], "removed": [] },
        "contentChanges": [{ "range": range, "text": text }, { "text": text }],
        "id": random.below(250),
    });
    if random.below(2) == 0 {
        all["contentChanges"] = json!([{ "range": range, "text": text }]);
    }
    // Sometimes a part is missing, or of another type.
    if random.below(4) == 0 {
        let keys: Vec<String> = all.as_object().unwrap().keys().cloned().collect();
        let key = &keys[random.below(keys.len())];
        all[key] = [Value::Null, json!(1), json!([]), json!("x")][random.below(4)].clone();
    }
    all
}

/// Sends messages that the bytes decide, and checks that each request has one answer.
pub(crate) fn check(bytes: &[u8]) {
    let mut random = Decisions(bytes);
    let files = [("/w/net/main.tf", TEXTS[0]), ("/w/main.tf", TEXTS[1])];
    let mut client = Client::with(&files, &capabilities(&["utf-16"]));
    let methods = methods();
    for id in 0.. {
        if random.0.is_empty() {
            return;
        }
        let parameters = parameters(&mut random);
        if random.below(2) == 0 {
            let method = methods[random.below(methods.len())];
            let request = Request::new(id.into(), method.to_owned(), &parameters);
            let answers = client.server.handle(request.into());
            assert_eq!(answers.len(), 1, "{method}");
            let Message::Response(answer) = &answers[0] else { panic!("{method}") };
            assert_eq!(answer.id, id.into());
            let code = answer.response_result.as_ref().err().map(|error| error.code);
            assert_ne!(code, Some(-32603), "{method} {parameters}");
        } else {
            let method = NOTIFICATIONS[random.below(NOTIFICATIONS.len())];
            client.server.handle(Notification::new(method.to_owned(), parameters).into());
        }
        if random.below(10) == 0 {
            client.server.idle();
        }
    }
}

/// Numbers from bytes; 0 at their end.
struct Decisions<'b>(&'b [u8]);

impl Decisions<'_> {
    fn below(&mut self, end: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % end
    }

    /// A text with some characters that the bytes give.
    fn text(&mut self) -> String {
        let mut text = TEXTS[self.below(TEXTS.len())].to_owned();
        for _ in 0..self.below(4) {
            let mut at = self.below(256).min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let signs = ['{', '}', '"', '$', '.', '\n', '[', '(', '<', 'é', '😀', '=', '#', ' '];
            text.insert(at, signs[self.below(signs.len())]);
        }
        text
    }
}

#[test]
fn random_messages() {
    for seed in hclkit_test_cases::seeds(6) {
        let mut random = fastrand::Rng::with_seed(seed);
        let bytes: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(12_000).collect();
        check(&bytes);
    }
}
