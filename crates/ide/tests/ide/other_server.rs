//! Another language server over its standard streams, to ask it at the same places.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use hclkit_ide::{Encoding, Lines};
use serde_json::{Value, json};

/// How often a file is asked about while the server reads its directory.
const MOST_ATTEMPTS: usize = 8;

pub(crate) struct OtherServer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: i64,
}

impl OtherServer {
    /// Starts a server for a directory, with the words of a command.
    pub(crate) fn start(command: &str, directory: &Path) -> Self {
        let mut words = command.split(' ');
        let mut command = Command::new(words.next().expect("a program is named"));
        command.args(words).current_dir(directory).stderr(Stdio::null());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it can be started");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut own = Self { child, input, output, last: 0 };
        let root = uri(directory);
        own.request(
            "initialize",
            &json!({
                "processId": null,
                "rootUri": root,
                "workspaceFolders": [{ "uri": root, "name": "root" }],
                "capabilities": { "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } },
                "initializationOptions": { "experimentalFeatures": { "prefillRequiredFields": false } },
            }),
        );
        own.send(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
        own
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("the server writes");
            assert!(!line.is_empty(), "the server has ended");
            match line.trim() {
                "" => break,
                line => {
                    if let Some(number) = line.strip_prefix("Content-Length: ") {
                        length = number.parse().expect("it is a number");
                    }
                }
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("the server writes");
        serde_json::from_slice(&text).expect("it is JSON")
    }

    /// The result of a request. What the server asks meanwhile is answered with nothing.
    fn request(&mut self, method: &str, parameters: &Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        loop {
            let message = self.receive();
            match message.get("method") {
                Some(_) if message.get("id").is_some() => {
                    let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": null });
                    self.send(&answer);
                }
                Some(_) => {}
                None if message["id"] == json!(id) => return message["result"].clone(),
                None => {}
            }
        }
    }

    /// The labels that are offered at an offset of a text, in the order of the server.
    pub(crate) fn offered(&mut self, path: &Path, text: &str, offset: u32) -> Vec<String> {
        let language =
            if path.extension().is_some_and(|own| own == "tfvars") { "terraform-vars" } else { "terraform" };
        let uri = uri(path);
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        let open = json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } });
        self.send(&open);
        let place = Lines::of(text).position(text, offset, Encoding::Utf16);
        let position = json!({ "line": place.line, "character": place.character });
        let at = json!({ "textDocument": { "uri": uri }, "position": position });
        let mut items = Vec::new();
        for attempt in 0..MOST_ATTEMPTS {
            let found = self.request("textDocument/completion", &at);
            let list = found.get("items").unwrap_or(&found).as_array().cloned().unwrap_or_default();
            // The directory may be read partly.
            if attempt > 0 && !list.is_empty() && list.len() == items.len() {
                break;
            }
            items = list;
            sleep(Duration::from_millis(60));
        }
        let close = json!({ "jsonrpc": "2.0", "method": "textDocument/didClose", "params": { "textDocument": { "uri": uri } } });
        self.send(&close);
        let text = |item: &Value, name: &str| item[name].as_str().unwrap_or_default().to_owned();
        let key = |item: &Value| {
            if item["sortText"].is_string() { text(item, "sortText") } else { text(item, "label") }
        };
        items.sort_by_key(key);
        items.iter().map(|item| text(item, "label")).collect()
    }
}

impl Drop for OtherServer {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn uri(path: &Path) -> String {
    let text = path.to_str().expect("it is UTF-8");
    format!("file://{}", text.replace('+', "%2B"))
}
