//! Paths that lead to other machines, in addresses, options, settings and configurations: no file system is asked for them, and
//! the client hears why.

use std::io;
use std::sync::{Arc, Mutex};

use hclkit::limits::is_network_path;
use hclkit_ide::{Entry, FileSystem, MemoryFiles};
use hclkit_lsp::{DiskFiles, Message, Request, Server};
use serde_json::{Value, json};

use crate::capabilities;
use crate::client::Client;
use crate::random::methods;

/// Files in memory that remember what was asked for.
#[derive(Debug, Default)]
struct Asked {
    files: MemoryFiles,
    paths: Mutex<Vec<String>>,
}

impl Asked {
    fn with(files: &[(&str, &str)]) -> Arc<Self> {
        Arc::new(Self { files: files.iter().copied().collect(), paths: Mutex::default() })
    }

    fn note<'p>(&self, path: &'p str) -> &'p str {
        self.paths.lock().unwrap().push(path.to_owned());
        path
    }

    /// Nothing but the workspace and what is around it was asked for.
    fn check(&self, what: &str) {
        for path in self.paths.lock().unwrap().drain(..) {
            assert!(!is_network_path(&path), "{what}: {path}");
            assert!(
                path == "/"
                    || path == "/w"
                    || path.starts_with("/w/")
                    || ["", "/hcl.toml"].contains(&path.as_str()),
                "{what}: {path}"
            );
        }
    }
}

impl FileSystem for Asked {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.files.read(self.note(path))
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        self.files.list(self.note(directory))
    }

    fn resolve(&self, path: &str) -> io::Result<String> {
        self.files.resolve(self.note(path))
    }

    fn stamp(&self, path: &str) -> io::Result<u64> {
        self.files.stamp(self.note(path))
    }
}

/// Paths of other machines and of devices, in all directions of their slashes.
fn paths() -> Vec<String> {
    let names = ["//host/share/a.tf", "////host/share/a.tf", "//?/UNC/host/share/a.tf", "//./pipe/a.tf"];
    let turned = |name: &str, mask: usize| -> String {
        let mut slashes = 0..;
        let turn = |sign| match sign {
            '/' if mask >> slashes.next().unwrap() & 1 == 1 => '\\',
            sign => sign,
        };
        name.chars().map(turn).collect()
    };
    names.iter().flat_map(|name| (0..8).map(move |mask| turned(name, mask))).collect()
}

/// Addresses of such paths.
fn addresses() -> Vec<String> {
    let hosts = [
        "host",
        "HOST.example",
        "host:445",
        "127.0.0.1",
        "%6cocalhost",
        "wsl.localhost",
        "localhost.example",
    ];
    let of_hosts = hosts.iter().map(|host| format!("file://{host}/share/a.tf"));
    let encoded = |path: &String| {
        let path = path.replace('\\', "%5C").replace('?', "%3F");
        [
            format!("file://{path}"),
            format!("file:{path}"),
            format!("FILE://{path}"),
            format!("file://localhost{path}"),
        ]
    };
    // What begins with a slash that has a meaning in addresses names a host.
    of_hosts.chain(paths().iter().filter(|path| path.starts_with('/')).flat_map(encoded)).collect()
}

fn told(messages: &[Message]) -> Vec<String> {
    let shown = |message: &Message| match message {
        Message::Notification(own) if own.method == "window/showMessage" => {
            Some(own.params["message"].as_str()?.to_owned())
        }
        _ => None,
    };
    messages.iter().filter_map(shown).collect()
}

#[test]
fn addresses_of_other_machines_are_refused_in_all_messages() {
    let files = Asked::with(&[("/w/main.tf", "locals {\n  a = 1\n}\n")]);
    let mut client = Client::new(files.clone(), &capabilities(&[]));
    let here = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 1 } });
    for uri in addresses() {
        client.open(&uri, "locals {\n  a = 1\n}\n");
        assert_eq!(told(&client.sent), [format!("{uri} is a network path, and is not read")]);
        client.sent.clear();
        assert_eq!(client.server.text(&uri), None, "{uri}");
        for method in methods() {
            let parameters = json!({
                "textDocument": { "uri": uri },
                "position": { "line": 0, "character": 0 },
                "positions": [{ "line": 0, "character": 0 }],
                "range": here,
                "newName": "b",
                "ch": "}",
                "previousResultId": "1",
                "options": { "tabSize": 2, "insertSpaces": true },
                "context": { "includeDeclaration": true, "diagnostics": [] },
                "query": "",
                "item": { "name": "a", "kind": 1, "uri": uri, "range": here, "selectionRange": here },
                "files": [{ "oldUri": uri, "newUri": format!("{uri}x") }],
            });
            let answer = client.ask(method, &parameters);
            if method.starts_with("textDocument/") {
                let (_, why) = answer.expect_err(method);
                assert!(why.contains("is a network path"), "{method} {uri}: {why}");
            }
        }
        client.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": "" }] }),
        );
        client.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
        client.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 1 }] }));
        client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
        client.sent.clear();
        client.tell(
            "workspace/didChangeWorkspaceFolders",
            json!({ "event": { "added": [{ "uri": uri, "name": "n" }], "removed": [] } }),
        );
        assert_eq!(told(&client.sent).len(), 1, "{uri}: {:?}", client.sent);
        client.published();
        files.check(&uri);
    }
}

/// Starts a server and lets it read all that it is told to. Returns what the client is told.
fn start(files: &Arc<Asked>, uri: &str, options: &Value) -> Vec<String> {
    let mut server = Server::new(files.clone());
    let folders = json!([{ "uri": uri, "name": "w" }]);
    let parameters = json!({ "capabilities": capabilities(&[]), "workspaceFolders": folders, "initializationOptions": options });
    let mut sent = server.handle(Request::new(1.into(), "initialize".to_owned(), parameters).into());
    let text = "resource \"aws_vpc\" \"a\" {\n}\n";
    for (name, text) in [("main.tf", text), ("a.x", "")] {
        let document =
            json!({ "uri": format!("file:///w/{name}"), "languageId": "x", "version": 1, "text": text });
        let opened = json!({ "textDocument": document });
        sent.extend(
            server.handle(hclkit_lsp::Notification::new("textDocument/didOpen".to_owned(), opened).into()),
        );
        let place = json!({ "textDocument": { "uri": format!("file:///w/{name}") }, "position": { "line": 0, "character": 0 } });
        sent.extend(
            server.handle(Request::new(2.into(), "textDocument/completion".to_owned(), place).into()),
        );
    }
    while server.is_busy() {
        sent.extend(server.idle());
    }
    told(&sent)
}

#[test]
fn directories_and_options_of_other_machines_are_refused() {
    for uri in addresses() {
        let files = Asked::with(&[]);
        assert_eq!(start(&files, &uri, &Value::Null), [format!("{uri} is a network path, and is not read")]);
        files.check(&uri);
    }
    for path in paths() {
        let each = [
            ("languages", json!([path])),
            ("specs", json!({ "*.x": path })),
            ("schemas", json!([path])),
            ("schemaCache", json!(path)),
        ];
        for (option, value) in each {
            let files = Asked::with(&[]);
            let shown = start(&files, "file:///w", &json!({ option: value }));
            assert_eq!(shown, [format!("the option `{option}`: {path} is a network path, and is not read")]);
            files.check(&path);
        }
    }
}

#[test]
fn files_of_a_workspace_lead_to_no_other_machine() {
    for path in paths() {
        let text = path.replace('\\', "\\\\");
        let main = format!(
            "# hcl: spec={path}\nmodule \"a\" {{\n  source = \"{text}\"\n}}\nmodule \"b\" {{\n  source = \".{text}\"\n}}\nlocals {{\n  f = file(\"{text}\")\n  g = fileset(\"{text}\", \"*\")\n}}\n"
        );
        let settings = format!("languages = [{path:?}]\n");
        let files = Asked::with(&[("/w/main.tf", &main), ("/w/hcl.toml", &settings)]);
        let mut client = Client::new(files.clone(), &capabilities(&[]));
        assert!(
            told(&client.sent).iter().any(|told| told.contains("is a network path")),
            "{:?}",
            client.sent
        );
        client.open("file:///w/main.tf", &main);
        client.published();
        for (line, text) in main.lines().enumerate() {
            for character in (0..=text.len() as u32).step_by(4) {
                for method in ["textDocument/completion", "textDocument/hover", "textDocument/definition"] {
                    client.at(method, "file:///w/main.tf", line as u32, character);
                }
            }
        }
        client.about("textDocument/documentLink", "file:///w/main.tf");
        let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let hints = json!({ "textDocument": { "uri": "file:///w/main.tf" }, "range": whole });
        client.ask("textDocument/inlayHint", &hints).unwrap();
        files.check(&path);
    }
}

#[test]
fn no_such_path_is_opened() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.tf");
    std::fs::write(&file, "a = 1\n").unwrap();
    // On Unix, the path with one more slash leads to the same file.
    let path = file.to_str().unwrap();
    assert!(DiskFiles.read(path).is_ok() && DiskFiles.stamp(path).is_ok() && DiskFiles.resolve(path).is_ok());
    for path in paths().into_iter().chain([format!("/{path}"), format!("\\{path}"), format!("///{path}")]) {
        let refused = |error: Option<io::Error>| {
            let error = error.unwrap_or_else(|| panic!("{path}"));
            assert_eq!(error.to_string(), "network paths are not read", "{path}");
        };
        refused(DiskFiles.read(&path).err());
        refused(DiskFiles.list(&path).err());
        refused(DiskFiles.stamp(&path).err());
        refused(DiskFiles.resolve(&path).err());
    }
}
