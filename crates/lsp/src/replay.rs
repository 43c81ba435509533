//! Recorded sessions: each line is a message with its direction, as JSON. A session can be run again for a bug report.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use hclkit_ide::FileSystem;
use lsp_server::Message;
use serde_json::{Value, json};

use crate::server::Server;

/// Writes messages, one in a line.
pub(crate) struct Log(Box<dyn Write>);

impl Log {
    pub(crate) fn new(out: Box<dyn Write>) -> Self {
        Self(out)
    }

    /// Adds a message from the client or to it.
    pub(crate) fn add(&mut self, message: &Message, is_from_client: bool) -> io::Result<()> {
        let from = if is_from_client { "client" } else { "server" };
        writeln!(self.0, "{}", json!({ "from": from, "message": message }))?;
        self.0.flush()
    }
}

/// Runs the messages of the client in a recorded session again, and writes all messages in the same form.
///
/// # Errors
/// The session cannot be read, a line is not a message, or writing fails.
pub fn replay(session: impl BufRead, files: Arc<dyn FileSystem>, out: Box<dyn Write>) -> io::Result<()> {
    let mut server = Server::new(files);
    let mut log = Log::new(out);
    for (number, line) in session.lines().enumerate() {
        let wrong =
            |why: String| io::Error::new(io::ErrorKind::InvalidData, format!("line {}: {why}", number + 1));
        let mut line: Value = serde_json::from_str(&line?).map_err(|error| wrong(error.to_string()))?;
        if line["from"] != "client" {
            continue;
        }
        let message: Message =
            serde_json::from_value(line["message"].take()).map_err(|error| wrong(error.to_string()))?;
        log.add(&message, true)?;
        for answer in server.handle(message) {
            log.add(&answer, false)?;
        }
        loop {
            for answer in server.idle() {
                log.add(&answer, false)?;
            }
            if !server.is_busy() {
                break;
            }
        }
    }
    Ok(())
}
