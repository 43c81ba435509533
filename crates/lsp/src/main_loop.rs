//! The loop of the program: a thread reads messages, and one handles them in their order, but checks of documents after all
//! others. The reading thread ends work whose result nobody wants any more, such as a request that is cancelled, and checks for
//! which another message would wait. These are done again after it.

use std::collections::{HashSet, VecDeque};
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hclkit::CancelToken;
use lsp_server::{Message, Request, RequestId};

use crate::replay::Log;
use crate::server::{CANCELLED, Server};

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
    /// Whether the check that is being done was ended because another message would wait for it.
    is_overtaken: bool,
    /// The input has ended, or has an error.
    ended: Option<io::Result<()>>,
}

#[derive(Clone, PartialEq, Eq)]
enum Running {
    Request(RequestId),
    /// A request for diagnostics.
    Check(RequestId),
    /// Diagnostics that the client does not ask for.
    Diagnostics,
}

/// Whether a message asks for the diagnostics of a document. They may take some seconds, unlike what a user waits for.
fn is_check(request: &Request) -> bool {
    request.method == "textDocument/diagnostic"
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
    let mut restarted: HashSet<RequestId> = HashSet::new();
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
            let next = state.next();
            state.is_overtaken = false;
            server.cancel_token().reset();
            match &next {
                Some(Message::Request(request)) => {
                    for id in state.cancelled() {
                        server.cancel(id);
                    }
                    let id = request.id.clone();
                    let running = if is_check(request) { Running::Check(id) } else { Running::Request(id) };
                    state.running = Some((running, server.cancel_token()));
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
                let check = match &message {
                    Message::Request(request) if is_check(request) => Some(request.clone()),
                    _ => None,
                };
                let was_logged = check.as_ref().is_some_and(|check| restarted.remove(&check.id));
                if let Some(log) = log.as_mut().filter(|_| !was_logged) {
                    log.add(&message, true)?;
                }
                let mut answers = server.handle(message);
                if let Some(check) = check {
                    let mut state = lock(&shared);
                    let own = answers.iter().position(|answer| has_cancelled(answer, &check.id));
                    if let Some(own) = own.filter(|_| state.is_overtaken) {
                        answers.remove(own);
                        restarted.insert(check.id.clone());
                        state.waiting.push_front(check.into());
                    }
                }
                answers
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
            let is_unwanted = |id: &RequestId| cancelled(&message).as_ref() == Some(id);
            let is_over = match running {
                Running::Request(id) => is_unwanted(id),
                Running::Check(id) if is_unwanted(id) => true,
                Running::Check(_) => {
                    let overtakes = match &message {
                        Message::Request(request) => !is_check(request),
                        Message::Notification(notification) => !notification.method.starts_with("$/"),
                        Message::Response(_) => false,
                    };
                    self.is_overtaken |= overtakes;
                    overtakes
                }
                Running::Diagnostics => !matches!(message, Message::Response(_)),
            };
            if is_over {
                token.cancel();
            }
        }
        self.waiting.push_back(message);
    }

    /// The next message: the first one that is not a check, or the first check.
    fn next(&mut self) -> Option<Message> {
        let is_check = |message: &Message| matches!(message, Message::Request(request) if is_check(request));
        let first = self.waiting.iter().position(|message| !is_check(message)).unwrap_or_default();
        // A check that is not wanted any more is refused before the message that says so is forgotten.
        let unwanted = self.waiting.get(first).and_then(cancelled);
        let is_unwanted = |message: &Message| matches!(message, Message::Request(request) if Some(&request.id) == unwanted.as_ref());
        let unwanted = self.waiting.iter().take(first).position(is_unwanted);
        self.waiting.remove(unwanted.unwrap_or(first))
    }

    /// The requests that waiting messages cancel.
    fn cancelled(&self) -> Vec<RequestId> {
        self.waiting.iter().filter_map(cancelled).collect()
    }
}

/// Whether a message says that a request was cancelled.
fn has_cancelled(message: &Message, id: &RequestId) -> bool {
    let Message::Response(response) = message else { return false };
    response.id == *id && response.response_result.as_ref().is_err_and(|error| error.code == CANCELLED)
}

/// The request that a message cancels.
fn cancelled(message: &Message) -> Option<RequestId> {
    let Message::Notification(notification) = message else { return None };
    if notification.method != "$/cancelRequest" {
        return None;
    }
    serde_json::from_value(notification.params.get("id")?.clone()).ok()
}
