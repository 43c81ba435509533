//! The order in which the program's loop answers: what a user waits for is answered before checks of documents, also while one
//! runs. Nothing here waits for time to pass: files, input and output wait for each other.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use hclkit_ide::{Entry, FileSystem, MemoryFiles};
use hclkit_lsp::{Message, Server, run};
use serde_json::{Value, json};

/// Files of which one waits when it is read: it says so, and goes on when it is told to.
#[derive(Debug)]
struct SlowFiles {
    files: MemoryFiles,
    gate: Mutex<Option<(Sender<()>, Receiver<()>)>>,
}

impl FileSystem for SlowFiles {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if path.ends_with("/called/main.tf") {
            let gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some((reached, go_on)) = gate {
                reached.send(()).unwrap();
                go_on.recv().unwrap();
            }
        }
        self.files.read(path)
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        self.files.list(directory)
    }
}

/// What the client sends, and what it waits for before the next message.
enum Step {
    Send(Value),
    /// Waits for the answer to a request.
    Answer(i32),
    /// Waits until a check reads the slow file.
    Reached,
    /// Lets it go on. All messages before are in the queue of the server.
    GoOn,
}

/// The input of the server: the steps of a client. The server asks for more only when it has queued what it has read.
struct Input {
    steps: std::vec::IntoIter<Step>,
    answers: Receiver<Message>,
    reached: Receiver<()>,
    go_on: Sender<()>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.steps.next() {
                None => return Ok(0),
                Some(Step::Send(message)) => {
                    let body = message.to_string();
                    let text = format!("Content-Length: {}\r\n\r\n{body}", body.len());
                    buffer[..text.len()].copy_from_slice(text.as_bytes());
                    return Ok(text.len());
                }
                Some(Step::Answer(id)) => {
                    let is_own =
                        |message: Message| matches!(message, Message::Response(own) if own.id == id.into());
                    assert!(self.answers.iter().any(is_own), "the server ended");
                }
                Some(Step::Reached) => self.reached.recv().unwrap(),
                Some(Step::GoOn) => self.go_on.send(()).unwrap(),
            }
        }
    }
}

/// The output of the server.
struct Output(Vec<u8>, Sender<Message>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut input = self.0.as_slice();
        while let Some(message) = Message::read(&mut input)? {
            // The client may have nothing to wait for any more.
            _ = self.1.send(message);
        }
        self.0.clear();
        Ok(())
    }
}

fn request(id: i32, method: &str, parameters: &Value) -> Step {
    Step::Send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }))
}

fn tell(method: &str, parameters: &Value) -> Step {
    Step::Send(json!({ "jsonrpc": "2.0", "method": method, "params": parameters }))
}

const MAIN: &str =
    "module \"a\" {\n  source = \"./called\"\n}\noutput \"o\" {\n  value = [module.a.x][9]\n}\n";

/// It takes more steps than there are between two looks for cancellation.
const CALLED: &str = "output \"x\" {\n  value = length([for i in range(5000) : i * i])\n}\n";

fn document() -> Value {
    json!({ "textDocument": { "uri": "file:///w/main.tf" }, "position": { "line": 4, "character": 12 } })
}

/// Runs a session after which `steps` are sent while a check runs, as request 3. Returns the answers: their ids and errors, in
/// their order, and the result of the check.
fn answers(steps: Vec<Step>) -> (Vec<(i32, Option<i32>)>, Value) {
    let (reached, when_reached) = channel();
    let (go_on, when_going_on) = channel();
    let (answered, when_answered) = channel();
    let files = [("/w/main.tf", MAIN), ("/w/called/main.tf", CALLED)];
    let files =
        SlowFiles { files: MemoryFiles::from_iter(files), gate: Mutex::new(Some((reached, when_going_on))) };
    // A client that watches files: the server does not look at them before each request.
    let capabilities = json!({
        "textDocument": { "diagnostic": {} },
        "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } },
    });
    let opened = json!({ "textDocument": { "uri": "file:///w/main.tf", "languageId": "terraform", "version": 1, "text": MAIN } });
    let mut all = vec![
        // Without `initialized`, nothing is read before the check.
        request(1, "initialize", &json!({ "capabilities": capabilities, "rootUri": "file:///w" })),
        tell("textDocument/didOpen", &opened),
        request(2, "textDocument/foldingRange", &document()),
        Step::Answer(2),
        request(3, "textDocument/diagnostic", &document()),
        Step::Reached,
    ];
    all.extend(steps);
    let input = Input { steps: all.into_iter(), answers: when_answered, reached: when_reached, go_on };
    let mut output = Vec::new();
    let sent = Output(Vec::new(), answered);
    run(
        Server::new(Arc::new(files)),
        BufReader::with_capacity(1 << 16, input),
        Both(sent, &mut output),
        None,
    )
    .unwrap();
    let mut output = output.as_slice();
    let mut found = (Vec::new(), Value::Null);
    while let Some(message) = Message::read(&mut output).unwrap() {
        let Message::Response(response) = message else { continue };
        let id: i32 = serde_json::from_value(json!(response.id)).unwrap();
        let code = response.response_result.as_ref().err().map(|error| error.code);
        found.0.push((id, code));
        if let (3, Ok(result)) = (id, response.response_result) {
            found.1 = result;
        }
    }
    // Before, only the session begins.
    found.0.retain(|(id, _)| *id > 2);
    found
}

/// Writes to the client of the test, and keeps everything.
struct Both<'v>(Output, &'v mut Vec<u8>);

impl Write for Both<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend(bytes);
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[test]
fn what_a_user_waits_for_is_answered_while_a_check_runs() {
    let (order, alone) = answers(vec![Step::GoOn, Step::Answer(3)]);
    assert_eq!(order, [(3, None)]);
    assert_eq!(alone["items"].as_array().map(Vec::len), Some(1), "{alone}");
    let quick = [
        "textDocument/hover",
        "textDocument/completion",
        "textDocument/formatting",
        "textDocument/documentHighlight",
        "textDocument/definition",
    ];
    for method in quick {
        // Two other checks wait before it.
        let check = |id| request(id, "textDocument/diagnostic", &document());
        let steps = vec![check(4), check(5), request(6, method, &document()), Step::GoOn, Step::Answer(5)];
        let (order, result) = answers(steps);
        assert_eq!(order, [(6, None), (3, None), (4, None), (5, None)], "{method}");
        // It is done again, with the same result.
        assert_eq!(result, alone, "{method}");
    }
}

#[test]
fn checks_that_are_not_wanted_any_more_are_refused() {
    const CANCELLED: i32 = -32800;
    let check = |id| request(id, "textDocument/diagnostic", &document());
    let hover = |id| request(id, "textDocument/hover", &document());
    let cancel = |id: i32| tell("$/cancelRequest", &json!({ "id": id }));
    let of = |steps: Vec<Step>| answers(steps).0;
    // One that runs, one that waits, and one that was overtaken.
    assert_eq!(of(vec![cancel(3), Step::GoOn, Step::Answer(3)]), [(3, Some(CANCELLED))]);
    assert_eq!(of(vec![check(4), cancel(4), Step::GoOn, Step::Answer(4)]), [(3, None), (4, Some(CANCELLED))]);
    assert_eq!(of(vec![hover(4), cancel(3), Step::GoOn, Step::Answer(3)]), [(4, None), (3, Some(CANCELLED))]);
    assert_eq!(
        of(vec![check(4), hover(5), cancel(4), Step::GoOn, Step::Answer(3)]),
        [(5, None), (4, Some(CANCELLED)), (3, None)]
    );
}

/// A check that runs while the document changes is about the new text.
#[test]
fn a_change_comes_before_the_check() {
    let text = MAIN.replace("[module.a.x][9]", "1");
    let changed = json!({
        "textDocument": { "uri": "file:///w/main.tf", "version": 2 },
        "contentChanges": [{ "text": text.replace("./called", "./missing") }],
    });
    let steps = vec![
        tell("textDocument/didChange", &changed),
        request(4, "textDocument/hover", &document()),
        Step::GoOn,
        Step::Answer(3),
    ];
    let (order, result) = answers(steps);
    assert_eq!(order, [(4, None), (3, None)]);
    let items = result["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{result}");
    assert_eq!(items[0]["range"]["start"]["line"], 1, "{result}");
}
