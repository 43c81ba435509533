//! The loop of the program: a thread reads messages, and one handles them in their order. The reading thread ends work whose
//! result nobody wants any more: a request that is cancelled, and diagnostics of a text that has changed.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hclkit::CancelToken;
use lsp_server::{Message, RequestId};

use crate::replay::Log;
use crate::server::Server;

/// How often files are looked at that the client does not watch.
const BETWEEN_POLLS: Duration = Duration::from_secs(2);

/// What both threads know.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Message>,
    /// What is being done, and how to end it.
    running: Option<(Running, CancelToken)>,
    /// The input has ended, or has an error.
    ended: Option<io::Result<()>>,
}

#[derive(Clone, PartialEq, Eq)]
enum Running {
    Request(RequestId),
    Diagnostics,
}

fn lock(shared: &Shared) -> MutexGuard<'_, State> {
    shared.state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Serves a client until it ends the session. Returns the exit code: 0 if it asked to shut down first. Each message is added to
/// the log.
///
/// # Errors
/// The input or the output fails.
pub fn run(
    mut server: Server,
    mut input: impl BufRead + Send + 'static,
    mut output: impl Write,
    log: Option<Box<dyn Write>>,
) -> io::Result<u8> {
    let shared = Arc::new(Shared::default());
    let reader = shared.clone();
    // It ends with the input. A program that ends does not wait for it.
    std::thread::Builder::new().name("input".to_owned()).spawn(move || {
        loop {
            let read = Message::read(&mut input);
            let mut state = lock(&reader);
            match read {
                Ok(Some(message)) => state.add(message),
                Ok(None) => state.ended = Some(Ok(())),
                Err(error) => state.ended = Some(Err(error)),
            }
            let ended = state.ended.is_some();
            drop(state);
            reader.changed.notify_all();
            if ended {
                return;
            }
        }
    })?;
    let mut log = log.map(Log::new);
    loop {
        let next = {
            let mut state = lock(&shared);
            state.running = None;
            let mut polls = false;
            while state.waiting.is_empty() && state.ended.is_none() && !server.is_busy() && !polls {
                state = if server.needs_polls() {
                    let waited = shared.changed.wait_timeout(state, BETWEEN_POLLS);
                    let (state, result) = waited.unwrap_or_else(PoisonError::into_inner);
                    polls = result.timed_out();
                    state
                } else {
                    shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
                };
            }
            let next = state.waiting.pop_front();
            server.cancel_token().reset();
            match &next {
                Some(Message::Request(request)) => {
                    for id in state.cancelled() {
                        server.cancel(id);
                    }
                    state.running = Some((Running::Request(request.id.clone()), server.cancel_token()));
                }
                Some(_) => {}
                None => {
                    if let Some(ended) = state.ended.take() {
                        return ended.map(|()| server.ended().unwrap_or(1));
                    }
                    state.running = Some((Running::Diagnostics, server.cancel_token()));
                }
            }
            next
        };
        let answers = match next {
            Some(message) => {
                if let Some(log) = &mut log {
                    log.add(&message, true)?;
                }
                server.handle(message)
            }
            None if server.is_busy() => server.idle(),
            None => server.poll(),
        };
        for answer in answers {
            if let Some(log) = &mut log {
                log.add(&answer, false)?;
            }
            answer.write(&mut output)?;
        }
        server.tidy();
        if let Some(code) = server.ended() {
            return Ok(code);
        }
    }
}

impl State {
    /// Adds a message. It may end what is being done.
    fn add(&mut self, message: Message) {
        if let Some((running, token)) = &self.running {
            let is_over = match running {
                Running::Request(id) => cancelled(&message).as_ref() == Some(id),
                Running::Diagnostics => !matches!(message, Message::Response(_)),
            };
            if is_over {
                token.cancel();
            }
        }
        self.waiting.push_back(message);
    }

    /// The requests that waiting messages cancel.
    fn cancelled(&self) -> Vec<RequestId> {
        self.waiting.iter().filter_map(cancelled).collect()
    }
}

/// The request that a message cancels.
fn cancelled(message: &Message) -> Option<RequestId> {
    let Message::Notification(notification) = message else { return None };
    if notification.method != "$/cancelRequest" {
        return None;
    }
    serde_json::from_value(notification.params.get("id")?.clone()).ok()
}
