//! A client of a language server that runs as a process. It measures how long answers take, and what the process needs.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Client {
    child: Child,
    input: ChildStdin,
    messages: Receiver<(Instant, Value)>,
    /// Messages that nobody waited for yet.
    kept: VecDeque<(Instant, Value)>,
    next: u64,
    pub(super) offers: Value,
    /// From the request `initialize` to its answer, and from the start of the process.
    pub(super) initialize: Duration,
    pub(super) start: Duration,
}

/// An open document, as the client has it.
pub(super) struct Document {
    pub(super) uri: String,
    pub(super) text: String,
    version: i32,
}

impl Client {
    /// Starts a server in a directory. The client shows progress, can watch files, and gets diagnostics pushed, as all servers
    /// can.
    pub(super) fn start(command: &mut Command, root: &Path, watches: bool) -> Result<Self> {
        let begin = Instant::now();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            command.spawn().with_context(|| format!("cannot run {}", command.get_program().display()))?;
        let input = child.stdin.take().context("no standard input")?;
        let mut output = BufReader::new(child.stdout.take().context("no standard output")?);
        let (sender, messages) = channel();
        thread::spawn(move || {
            while let Ok(Some(text)) = frame(&mut output) {
                let now = Instant::now();
                let Ok(message) = serde_json::from_slice(&text) else { return };
                if sender.send((now, message)).is_err() {
                    return;
                }
            }
        });
        let mut client = Self {
            child,
            input,
            messages,
            kept: VecDeque::new(),
            next: 0,
            offers: Value::Null,
            initialize: Duration::ZERO,
            start: Duration::ZERO,
        };
        let uri = uri(root);
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-8", "utf-16"] },
            "window": { "workDoneProgress": true },
            "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": watches }, "workspaceFolders": true },
            "textDocument": {
                "publishDiagnostics": { "versionSupport": true },
                "completion": { "completionItem": { "snippetSupport": true } },
                "hover": { "contentFormat": ["markdown"] },
            },
        });
        let parameters = json!({
            "processId": std::process::id(),
            "rootUri": uri,
            "workspaceFolders": [{ "uri": uri, "name": "bench" }],
            "capabilities": capabilities,
        });
        let asked = Instant::now();
        let (answer, at) = client.ask("initialize", &parameters)?;
        ensure!(answer.is_object(), "the server was not initialized");
        client.initialize = at - asked;
        client.start = at - begin;
        client.offers = answer;
        client.tell("initialized", &json!({}))?;
        Ok(client)
    }

    pub(super) fn tell(&mut self, method: &str, parameters: &Value) -> Result<()> {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }))
    }

    /// Sends a request. Returns the result and when it came. An error is an answer, too, such as that of terraform-ls for a hover in
    /// a text with errors. `None` if there is no answer in some time.
    fn answer(
        &mut self,
        method: &str,
        parameters: &Value,
        patience: Duration,
    ) -> Result<Option<(Value, Instant)>> {
        self.next += 1;
        let id = self.next;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }))?;
        let is_answer = |message: &Value| message["id"] == id && message["method"].is_null();
        let found = self.wait(patience, is_answer)?;
        Ok(found.map(|(at, mut answer)| (answer["result"].take(), at)))
    }

    /// Sends a request that must have an answer.
    pub(super) fn ask(&mut self, method: &str, parameters: &Value) -> Result<(Value, Instant)> {
        self.answer(method, parameters, PATIENCE)?.with_context(|| format!("no answer to {method}"))
    }

    /// How long a request takes, in milliseconds. `None` if there is no answer.
    pub(super) fn time(
        &mut self,
        method: &str,
        parameters: &Value,
        patience: Duration,
    ) -> Result<Option<f64>> {
        let begin = Instant::now();
        let answer = self.answer(method, parameters, patience)?;
        Ok(answer.map(|(_, at)| (at - begin).as_secs_f64() * 1e3))
    }

    /// Waits for a message. `None` if there is none in some time.
    pub(super) fn wait(
        &mut self,
        patience: Duration,
        is_wanted: impl Fn(&Value) -> bool,
    ) -> Result<Option<(Instant, Value)>> {
        if let Some(at) = self.kept.iter().position(|(_, message)| is_wanted(message)) {
            return Ok(self.kept.remove(at));
        }
        let end = Instant::now() + patience;
        loop {
            match self.messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok((at, message)) if is_wanted(&message) => return Ok(Some((at, message))),
                // Requests of the server, such as registrations, are granted.
                Ok((_, message)) if !message["method"].is_null() && !message["id"].is_null() => {
                    let id = &message["id"];
                    let items =
                        message["params"]["items"].as_array().map(|items| vec![Value::Null; items.len()]);
                    self.write(&json!({ "jsonrpc": "2.0", "id": id, "result": items }))?;
                }
                Ok(message) => self.kept.push_back(message),
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => bail!("the server has ended"),
            }
        }
    }

    /// Forgets what came so far.
    pub(super) fn forget(&mut self) {
        while let Ok(Some(_)) = self.wait(Duration::ZERO, |message| message["id"].is_null()) {}
        self.kept.clear();
    }

    pub(super) fn open(&mut self, path: &Path, text: String) -> Result<Document> {
        let own = Document { uri: uri(path), text, version: 1 };
        self.tell(
            "textDocument/didOpen",
            &json!({
                "textDocument": { "uri": own.uri, "languageId": "terraform", "version": 1, "text": own.text },
            }),
        )?;
        Ok(own)
    }

    /// Replaces a part of a document, which has only characters of ASCII.
    pub(super) fn change(&mut self, own: &mut Document, start: usize, end: usize, new: &str) -> Result<()> {
        let range = json!({ "start": position(&own.text, start), "end": position(&own.text, end) });
        own.text.replace_range(start..end, new);
        own.version += 1;
        self.tell(
            "textDocument/didChange",
            &json!({
                "textDocument": { "uri": own.uri, "version": own.version },
                "contentChanges": [{ "range": range, "text": new }],
            }),
        )
    }

    /// The next diagnostics of a document, of its present version if the server says one.
    pub(super) fn diagnostics(
        &mut self,
        own: &Document,
        patience: Duration,
    ) -> Result<Option<(Instant, Value)>> {
        self.wait(patience, |message| {
            let of = &message["params"];
            let is_now = of["version"].is_null() || of["version"] == own.version;
            message["method"] == "textDocument/publishDiagnostics" && of["uri"] == own.uri.as_str() && is_now
        })
    }

    /// The resident memory in MB: now, and at most so far.
    pub(super) fn memory(&self) -> Result<(f64, f64)> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let kilobytes = |name: &str| -> Result<f64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).context("no such line")?;
            Ok(line.trim_start_matches(':').trim().trim_end_matches(" kB").parse()?)
        };
        Ok((kilobytes("VmRSS")? / 1e3, kilobytes("VmHWM")? / 1e3))
    }

    /// The CPU time so far in milliseconds.
    pub(super) fn processor(&self) -> Result<f64> {
        let mut all = 0.0;
        for entry in fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let text = fs::read_to_string(entry?.path().join("schedstat"))?;
            all += text.split(' ').next().context("no time")?.parse::<f64>()?;
        }
        Ok(all / 1e6)
    }

    pub(super) fn end(mut self) -> Result<()> {
        let _ = self.ask("shutdown", &Value::Null);
        let _ = self.tell("exit", &Value::Null);
        let end = Instant::now() + Duration::from_secs(5);
        while self.child.try_wait()?.is_none() {
            if Instant::now() > end {
                self.child.kill()?;
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    fn write(&mut self, message: &Value) -> Result<()> {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        Ok(self.input.flush()?)
    }
}

/// The next message as text.
fn frame(input: &mut impl std::io::BufRead) -> Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some(own) = line.strip_prefix("Content-Length:") {
            length = Some(own.trim().parse::<usize>()?);
        }
    }
    let mut text = vec![0; length.context("a message has no length")?];
    input.read_exact(&mut text)?;
    Ok(Some(text))
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// The position of an offset in a text that has only characters of ASCII.
pub(super) fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.bytes().filter(|&byte| byte == b'\n').count();
    let character = offset - before.rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": line, "character": character })
}
