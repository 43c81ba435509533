//! The program itself: its streams, its log, and running a log again.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hcl"))
            .arg("lsp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().unwrap(),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).unwrap();
        serde_json::from_slice(&text).unwrap()
    }
}

/// The messages of a short session.
fn messages(uri: &str) -> Vec<Value> {
    let document =
        json!({ "uri": uri, "languageId": "terraform", "version": 1, "text": "locals {\n  a = var.x\n}\n" });
    vec![
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "processId": null, "rootUri": null, "capabilities": {} } }),
        json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }),
        json!({ "jsonrpc": "2.0", "method": "exit" }),
    ]
}

#[test]
fn a_session_is_served_recorded_and_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let log = folder.join("session.jsonl");
    let uri = format!("file://{}", folder.join("main.tf").display());
    let mut session = Session::start(&["--log", log.to_str().unwrap()]);
    let [initialize, initialized, open, shutdown, exit] = &messages(&uri)[..] else { unreachable!() };
    session.send(initialize);
    assert_eq!(session.receive()["result"]["serverInfo"]["name"], "hcl");
    session.send(initialized);
    session.send(open);
    let published = session.receive();
    assert_eq!(published["method"], "textDocument/publishDiagnostics");
    assert_eq!(published["params"]["diagnostics"][1]["code"], "unknown-variable");
    session.send(shutdown);
    assert_eq!(session.receive()["id"], 2);
    session.send(exit);
    assert_eq!(session.child.wait().unwrap().code(), Some(0));

    let recorded = std::fs::read_to_string(&log).unwrap();
    assert_eq!(recorded.lines().count(), 8, "{recorded}");
    let output =
        Command::new(env!("CARGO_BIN_EXE_hcl")).args(["lsp", "--replay"]).arg(&log).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), recorded);
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    let mut session = Session::start(&[]);
    session.send(&messages("file:///main.tf")[0]);
    session.receive();
    drop(session.input);
    assert_eq!(session.child.wait().unwrap().code(), Some(1));
}

#[test]
fn wrong_input_is_an_error() {
    let mut session = Session::start(&[]);
    session.input.write_all(b"Content-Length: 3\r\n\r\nabc").unwrap();
    drop(session.input);
    assert_eq!(session.child.wait().unwrap().code(), Some(2));
}

#[test]
fn an_editor_can_connect_to_a_port() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hcl"))
        .args(["lsp", "--socket", "0"])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("note: waiting for an editor on ").unwrap().to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    for message in messages("file:///main.tf") {
        let text = message.to_string();
        write!(stream, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }
    let mut answers = String::new();
    stream.read_to_string(&mut answers).unwrap();
    assert!(answers.contains("\"serverInfo\"") && answers.contains("\"id\":2"), "{answers}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
