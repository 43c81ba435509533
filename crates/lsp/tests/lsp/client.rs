//! A client in the same thread. It keeps its own texts of documents.

use std::sync::Arc;

use hclkit_ide::{FileSystem, MemoryFiles};
use hclkit_lsp::{Message, Notification, Request, Server};
use serde_json::{Value, json};

pub(crate) struct Client {
    pub(crate) server: Server,
    next: i32,
    /// What the server sent by itself.
    pub(crate) sent: Vec<Message>,
}

impl Client {
    pub(crate) fn new(files: Arc<dyn FileSystem>, capabilities: &Value) -> Self {
        let mut client = Self { server: Server::new(files), next: 0, sent: Vec::new() };
        let folders = json!([{ "uri": "file:///w", "name": "w" }]);
        let parameters = json!({ "processId": null, "rootUri": null, "workspaceFolders": folders, "capabilities": capabilities });
        client.ask("initialize", &parameters).expect("the server starts");
        client.tell("initialized", json!({}));
        client
    }

    pub(crate) fn with(files: &[(&str, &str)], capabilities: &Value) -> Self {
        Self::new(Arc::new(files.iter().copied().collect::<MemoryFiles>()), capabilities)
    }

    /// Sends a request and returns the result or the error.
    pub(crate) fn ask(&mut self, method: &str, parameters: &Value) -> Result<Value, (i32, String)> {
        self.next += 1;
        let request = Request::new(self.next.into(), method.to_owned(), parameters);
        let mut result = None;
        for message in self.server.handle(request.into()) {
            match message {
                Message::Response(response) => {
                    assert!(result.is_none(), "two answers to {method}");
                    result = Some(response.response_result.map_err(|error| (error.code, error.message)));
                }
                other => self.sent.push(other),
            }
        }
        result.unwrap_or_else(|| panic!("no answer to {method}"))
    }

    /// Sends a notification.
    pub(crate) fn tell(&mut self, method: &str, parameters: Value) {
        let sent = self.server.handle(Notification::new(method.to_owned(), parameters).into());
        self.sent.extend(sent);
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        self.tell(
            "textDocument/didOpen",
            json!({
                "textDocument": { "uri": uri, "languageId": "terraform", "version": 1, "text": text },
            }),
        );
    }

    /// Lets the server do what can wait. Returns the published diagnostics.
    pub(crate) fn published(&mut self) -> Vec<Value> {
        // The workspace is read in parts.
        for _ in 0..50 {
            let sent = self.server.idle();
            self.sent.extend(sent);
            if !self.server.is_busy() {
                break;
            }
        }
        let is_published = |message: &Message| match message {
            Message::Notification(own) if own.method == "textDocument/publishDiagnostics" => {
                Some(own.params.clone())
            }
            _ => None,
        };
        let found = self.sent.iter().filter_map(is_published).collect();
        self.sent.clear();
        found
    }

    /// A request about a place.
    pub(crate) fn at(&mut self, method: &str, uri: &str, line: u32, character: u32) -> Value {
        let parameters = json!({
            "textDocument": { "uri": uri },
            "position": { "line": line, "character": character },
            "context": { "includeDeclaration": true },
        });
        self.ask(method, &parameters).unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    /// A request about a document.
    pub(crate) fn about(&mut self, method: &str, uri: &str) -> Value {
        let parameters = json!({
            "textDocument": { "uri": uri },
            "options": { "tabSize": 2, "insertSpaces": true },
        });
        self.ask(method, &parameters).unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }
}

/// The byte offset of a position, counted as the protocol says, and not by the code of the server.
pub(crate) fn offset(text: &str, position: &Value, encoding: &str) -> usize {
    let (mut line, mut units) = (position["line"].as_u64().unwrap(), position["character"].as_u64().unwrap());
    let mut signs = text.char_indices().peekable();
    while line > 0 {
        let Some((_, sign)) = signs.next() else { return text.len() };
        if sign == '\r' && signs.peek().is_some_and(|(_, next)| *next == '\n') {
            signs.next();
        }
        if sign == '\n' || sign == '\r' {
            line -= 1;
        }
    }
    for (at, sign) in signs {
        let size = match encoding {
            "utf-8" => sign.len_utf8(),
            "utf-16" => sign.len_utf16(),
            _ => 1,
        } as u64;
        if units < size || sign == '\n' || sign == '\r' {
            return at;
        }
        units -= size;
    }
    text.len()
}

/// A text after edits of the protocol, which do not overlap.
pub(crate) fn edited(text: &str, edits: &[Value], encoding: &str) -> String {
    let mut all: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| {
            let at = |name: &str| offset(text, &edit["range"][name], encoding);
            (at("start"), at("end"), edit["newText"].as_str().unwrap())
        })
        .collect();
    all.sort_by_key(|(start, end, _)| (*start, *end));
    assert!(all.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{edits:?}");
    let mut after = text.to_owned();
    for (start, end, new) in all.into_iter().rev() {
        after.replace_range(start..end, new);
    }
    after
}
