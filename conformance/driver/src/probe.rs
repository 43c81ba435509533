//! The process of a probe. Requests are written in batches, and answers are read as they arrive. If a request crashes
//! the process or it does not answer in time, an error is recorded as the answer, and a new process continues.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value, json};

/// The default time limit for an answer. Requests are small, so a request that takes longer does not end.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program that speaks the protocol.
pub(crate) struct Probe {
    program: PathBuf,
    running: Option<Running>,
    /// The time limit for an answer; benches set a longer one.
    pub(crate) patience: Duration,
}

struct Running {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Probe {
    /// Returns a probe that starts its program with the first request.
    pub(crate) fn new(program: PathBuf) -> Self {
        Self { program, running: None, patience: PATIENCE }
    }

    /// Sends one request.
    pub(crate) fn ask(&mut self, request: &Value) -> Result<Value> {
        let mut answers = self.ask_all(&[request])?;
        Ok(answers.remove(0))
    }

    /// Sends all requests, whatever their ids, and returns the answers in order, without ids.
    pub(crate) fn ask_all(&mut self, requests: &[&Value]) -> Result<Vec<Value>> {
        let mut answers = Vec::with_capacity(requests.len());
        while answers.len() < requests.len() {
            let running = match &mut self.running {
                Some(running) => running,
                none => none.insert(Running::start(&self.program)?),
            };
            if let Some(end) = running.exchange(&requests[answers.len()..], &mut answers, self.patience) {
                answers.push(end);
                self.stop();
            }
        }
        Ok(answers)
    }

    fn stop(&mut self) {
        if let Some(Running { mut child, input, .. }) = self.running.take() {
            drop(input);
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Running {
    fn start(program: &PathBuf) -> Result<Self> {
        let mut command = Command::new(program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().with_context(|| format!("cannot run {}", program.display()))?;
        let input = child.stdin.take().context("no standard input")?;
        let output = child.stdout.take().context("no standard output")?;
        let (lines, answers) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if line.is_err() || lines.send(line.unwrap_or_default()).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input, answers })
    }

    /// Adds an answer for each request, in order. Returns the description of the request that ended the process, if
    /// any.
    fn exchange(
        &mut self,
        requests: &[&Value],
        answers: &mut Vec<Value>,
        patience: Duration,
    ) -> Option<Value> {
        thread::scope(|scope| {
            let input = &mut self.input;
            scope.spawn(move || {
                for request in requests {
                    let mut line = request.to_string();
                    line.push('\n');
                    // A dead process is noticed because it does not answer.
                    if input.write_all(line.as_bytes()).is_err() {
                        return;
                    }
                }
            });
            for _ in requests {
                match self.answers.recv_timeout(patience) {
                    Ok(line) => answers.push(read(&line)),
                    Err(end) => {
                        // The writer may be waiting for a process that no longer reads.
                        let _ = self.child.kill();
                        let hung = matches!(end, RecvTimeoutError::Timeout);
                        return Some(if hung { json!({ "hung": true }) } else { json!({ "died": true }) });
                    }
                }
            }
            None
        })
    }
}

/// Reads JSON of any depth.
pub(crate) fn read(line: &str) -> Value {
    let mut json = serde_json::Deserializer::from_str(line);
    json.disable_recursion_limit();
    match Value::deserialize(&mut json) {
        Ok(Value::Object(mut fields)) => {
            fields.remove("id");
            Value::Object(fields)
        }
        _ => json!({ "not_json": line }),
    }
}
