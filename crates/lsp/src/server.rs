//! The server as a function from a message to messages. It has no threads and no streams, so that tests, an editor in a browser
//! and the program drive it alike.

use std::collections::{BTreeMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use gen_lsp_types as lsp;
use hclkit::limits::Meter;
use hclkit::{CancelToken, Limits};
use hclkit_ide::{FileSystem, LinePosition, SpecPattern, Workspace};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::client::Client;
use crate::convert::{Addresses, Converter, line_position};
use crate::requests;
use crate::settings::Settings;
use crate::uri;

/// How long the workspace is read before a report.
const MOST_SILENCE: Duration = Duration::from_millis(200);
/// How long an answer may take.
const MOST_TIME: Duration = Duration::from_secs(10);
/// What the check of a module may take for an answer: about two seconds and 256 MiB. Values that are shown have smaller budgets.
const MOST_STEPS: u64 = 20_000_000;
const MOST_ELEMENTS: u64 = 2 << 20;
const MOST_BYTES: u64 = 32 << 20;
/// The error of a request that was cancelled.
pub(crate) const CANCELLED: i32 = -32800;

/// A language server.
///
/// ```
/// use std::sync::Arc;
/// use hclkit_ide::MemoryFiles;
/// use hclkit_lsp::{Message, Request, Server};
///
/// let mut server = Server::new(Arc::new(MemoryFiles::default()));
/// let parameters = serde_json::json!({ "processId": null, "rootUri": null, "capabilities": {} });
/// let answers = server.handle(Request::new(1.into(), "initialize".to_owned(), parameters).into());
/// let Message::Response(answer) = &answers[0] else { panic!() };
/// assert_eq!(answer.response_result.as_ref().unwrap()["capabilities"]["positionEncoding"], "utf-16");
/// ```
#[derive(Debug)]
pub struct Server {
    pub(crate) files: Arc<dyn FileSystem>,
    pub(crate) workspace: Workspace,
    pub(crate) client: Client,
    pub(crate) addresses: Addresses,
    stage: Stage,
    roots: Vec<String>,
    /// The documents whose diagnostics may have changed since they were sent.
    stale: Vec<String>,
    /// The requests to be answered with an error, because the client does not want them any more.
    cancelled: HashSet<RequestId>,
    /// The semantic tokens that were sent last, with their number.
    pub(crate) tokens: BTreeMap<String, (String, Vec<u32>)>,
    pub(crate) next_tokens: u64,
    next_request: i32,
    token: CancelToken,
    pub(crate) settings: Settings,
    /// The specs that the command line names.
    pub(crate) specs: Vec<SpecPattern>,
    /// The directory with packed schemas of providers that the command line names.
    pub(crate) schema_cache: Option<String>,
    /// The token under which the progress of reading the workspace is reported, and whether it has begun.
    progress: Option<(String, bool)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    Running,
    /// The client has asked to shut down.
    Closing,
    /// The client has ended the session: `true` if it asked before.
    Ended(bool),
}

/// Why something on another machine is not read. Windows would log in there.
pub(crate) fn network_path(path: &str) -> String {
    format!("{path} is a network path, and is not read")
}

/// Why a request has no result.
pub(crate) struct Refused(pub(crate) ErrorCode, pub(crate) String);

impl Refused {
    pub(crate) fn failed(why: impl Into<String>) -> Self {
        Self(ErrorCode::RequestFailed, why.into())
    }
}

pub(crate) type Answer = Result<Value, Refused>;

impl Server {
    /// A server that reads these files.
    pub fn new(files: Arc<dyn FileSystem>) -> Self {
        Self {
            workspace: Workspace::new(files.clone(), [] as [&str; 0]),
            files,
            client: Client::default(),
            addresses: Addresses::default(),
            stage: Stage::New,
            roots: Vec::new(),
            stale: Vec::new(),
            cancelled: HashSet::new(),
            tokens: BTreeMap::new(),
            next_tokens: 0,
            next_request: 0,
            token: CancelToken::new(),
            settings: Settings::default(),
            specs: Vec::new(),
            schema_cache: None,
            progress: None,
        }
    }

    /// Sets the specs of files whose names match a pattern.
    #[must_use]
    pub fn with_specs(mut self, specs: impl IntoIterator<Item = SpecPattern>) -> Self {
        self.specs = specs.into_iter().collect();
        self
    }

    /// Sets the directory with packed schemas of providers, as `hcl schema pack` writes them.
    #[must_use]
    pub fn with_schema_cache(self, directory: Option<String>) -> Self {
        Self { schema_cache: directory, ..self }
    }

    pub(crate) fn roots(&self) -> &[String] {
        &self.roots
    }

    /// The exit code, if the client has ended the session.
    pub fn ended(&self) -> Option<u8> {
        match self.stage {
            Stage::Ended(was_asked) => Some(u8::from(!was_asked)),
            _ => None,
        }
    }

    /// The token that ends what the server is doing, for another thread. Who cancels it resets it before the next message.
    pub fn cancel_token(&self) -> CancelToken {
        self.token.clone()
    }

    /// Says that a request that was not handled yet is not wanted any more.
    pub fn cancel(&mut self, id: RequestId) {
        self.cancelled.insert(id);
    }

    /// The path under which the server reads the document with this address. Files have their own paths.
    ///
    /// ```
    /// # use hclkit_lsp::Server;
    /// assert_eq!(Server::path("file:///net/main.tf").as_deref(), Some("/net/main.tf"));
    /// assert_eq!(Server::path("vscode-vfs://github/o/r/main.tf").as_deref(), Some("/~vscode-vfs/github/o/r/main.tf"));
    /// ```
    pub fn path(uri: &str) -> Option<String> {
        uri::to_path(uri)
    }

    /// The requests about documents that the server answers.
    #[doc(hidden)]
    pub fn requests() -> impl Iterator<Item = &'static str> {
        requests::REQUESTS.iter().map(|(method, _)| *method)
    }

    /// The text of an open document, as the server has it.
    pub fn text(&self, uri: &str) -> Option<String> {
        let snapshot = self.workspace.snapshot();
        snapshot.open_file(&uri::to_path(uri)?).map(|file| file.text().to_owned())
    }

    /// Handles a message. The results are what to send to the client.
    pub fn handle(&mut self, message: Message) -> Vec<Message> {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(message) => self.on_notification(message),
            Message::Response(_) => Vec::new(),
        }
    }

    /// Does what can wait until no message is left: sends the diagnostics of changed documents, if the client does not ask for
    /// them. If this is cancelled, the next call does it.
    pub fn idle(&mut self) -> Vec<Message> {
        if self.stage != Stage::Running {
            return Vec::new();
        }
        if self.has_unread_schemas() {
            return self.limited(Self::read_schemas).unwrap_or_default();
        }
        let mut messages = self.read_workspace();
        if !messages.is_empty() || self.token.is_cancelled() {
            return messages;
        }
        while !self.stale.is_empty() {
            let path = self.stale.remove(0);
            let published = self.limited(|server| server.publication(&path));
            if self.token.is_cancelled() {
                // What was found so far is not all of it. The next message decides.
                self.stale.insert(0, path);
                break;
            }
            match published {
                Some(parameters) => {
                    messages
                        .extend(parameters.map(|own| notification("textDocument/publishDiagnostics", own)));
                }
                None => self.workspace.forget_all(),
            }
        }
        messages
    }

    /// Frees what answers have left, after they are sent.
    pub fn tidy(&self) {
        self.workspace.tidy();
    }

    /// Whether `idle` has something to do.
    pub fn is_busy(&self) -> bool {
        self.stage == Stage::Running
            && (!self.stale.is_empty() || self.progress.is_some() || self.has_unread_schemas())
    }

    /// Whether somebody has to call `poll` from time to time, because the client cannot watch files.
    pub fn needs_polls(&self) -> bool {
        let is_open = || self.workspace.snapshot().open_files().next().is_some();
        self.stage == Stage::Running && !self.client.watches && is_open()
    }

    /// Looks for changes of the files that concern the open documents.
    pub fn poll(&mut self) -> Vec<Message> {
        if !self.needs_polls() || self.limited(|server| server.workspace.poll()) != Some(true) {
            return Vec::new();
        }
        let mut messages = self.reconfigure();
        messages.extend(self.all_stale());
        messages
    }

    /// Reads a part of what the workspace declares, and reports it. No message means that there is nothing left to read.
    fn read_workspace(&mut self) -> Vec<Message> {
        let Some((token, has_begun)) = self.progress.take() else { return Vec::new() };
        let snapshot = self.workspace.snapshot();
        let limits = Limits::new().with_cancel(self.token.clone());
        let limits = within(limits, MOST_SILENCE);
        let read = catch_unwind(AssertUnwindSafe(|| limits.run(|| snapshot.read_index())));
        let (directories, is_done) = read.unwrap_or((0, true));
        let report = |value: Value| notification("$/progress", json!({ "token": token, "value": value }));
        let mut messages = Vec::new();
        // What was interrupted by a message goes on after it, without a report.
        if self.client.shows_progress && !self.token.is_cancelled() {
            // What is read at once needs no report.
            if !has_begun && !is_done {
                messages.push(self.ask("window/workDoneProgress/create", json!({ "token": token })));
                messages.push(report(
                    json!({ "kind": "begin", "title": "Reading modules", "cancellable": false }),
                ));
            }
            let text = format!("{directories} directories");
            if !is_done {
                messages.push(report(json!({ "kind": "report", "message": text })));
            } else if has_begun {
                messages.push(report(json!({ "kind": "end", "message": text })));
            }
        }
        if !is_done {
            let has_begun = has_begun || !messages.is_empty();
            self.progress = Some((token, has_begun));
        }
        messages
    }

    /// The diagnostics of an open document, for its present version.
    fn publication(&self, path: &str) -> Option<Value> {
        let snapshot = self.workspace.snapshot();
        let file = snapshot.open_file(path)?;
        let converter = self.converter(&snapshot);
        let found = snapshot.diagnostics(path);
        let diagnostics = found.iter().map(|own| converter.diagnostic(file, own)).collect();
        let parameters = lsp::PublishDiagnosticsParams {
            uri: self.addresses.of(path),
            version: file.version(),
            diagnostics,
        };
        serde_json::to_value(parameters).ok()
    }

    /// Runs a part of the work within limits. `None` if it panicked, which would be a bug.
    fn limited<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let limits = Limits::new().with_elements(MOST_ELEMENTS).with_bytes(MOST_BYTES);
        let limits = within(limits.with_steps(MOST_STEPS).with_cancel(self.token.clone()), MOST_TIME);
        let languages = self.workspace.languages();
        let work = || (work(self), Meter::current().look().is_err());
        let run = || languages.run(|| limits.run(work));
        let (done, is_incomplete) = catch_unwind(AssertUnwindSafe(run)).ok()?;
        if is_incomplete {
            self.workspace.discard();
        }
        Some(done)
    }

    pub(crate) fn converter<'s>(&'s self, snapshot: &'s hclkit_ide::Snapshot) -> Converter<'s> {
        Converter {
            snapshot,
            encoding: self.client.encoding,
            addresses: &self.addresses,
            document_changes: self.client.document_changes,
            creates_files: self.client.creates_files,
        }
    }

    fn request(&mut self, request: Request) -> Vec<Message> {
        let Request { id, method, params } = request;
        if self.cancelled.remove(&id) {
            return vec![Response::new_err(id, CANCELLED, "the request was cancelled".to_owned()).into()];
        }
        let refused = |code: ErrorCode, why: &str| {
            vec![Response::new_err(id.clone(), code as i32, why.to_owned()).into()]
        };
        match (self.stage, method.as_str()) {
            (Stage::New, "initialize") => {
                let result = self.initialize(&params);
                return vec![Response::new_ok(id, result).into()];
            }
            (Stage::New, _) => {
                return refused(ErrorCode::ServerNotInitialized, "the first request is `initialize`");
            }
            (Stage::Running, "initialize") => {
                return refused(ErrorCode::InvalidRequest, "the server is initialized already");
            }
            (Stage::Running, "shutdown") => {
                self.stage = Stage::Closing;
                return vec![Response::new_ok(id, Value::Null).into()];
            }
            (Stage::Running, _) => {}
            (Stage::Closing | Stage::Ended(_), _) => {
                return refused(ErrorCode::InvalidRequest, "the server is shutting down");
            }
        }
        let answer = self.limited(|server| {
            // Files may have changed without a message.
            if !server.client.watches {
                server.workspace.poll();
            }
            let answer = requests::answer(server, &method, params);
            (answer, Meter::current().exceeded())
        });
        let response = match answer {
            Some((_, Some(_))) if self.token.is_cancelled() => {
                Response::new_err(id, CANCELLED, "the request was cancelled".to_owned())
            }
            Some((Ok(result), _)) => Response::new_ok(id, result),
            Some((Err(Refused(code, why)), _)) => Response::new_err(id, code as i32, why),
            None => {
                self.workspace.forget_all();
                Response::new_err(id, ErrorCode::InternalError as i32, "the server has a bug here".to_owned())
            }
        };
        let mut messages: Vec<Message> = vec![response.into()];
        messages.extend(self.problems());
        messages
    }

    fn initialize(&mut self, parameters: &Value) -> Value {
        self.client = Client::of(parameters);
        self.stage = Stage::Running;
        let folders = parameters["workspaceFolders"].as_array();
        let uris = folders.into_iter().flatten().filter_map(|folder| folder["uri"].as_str());
        let mut roots: Vec<String> = uris.filter_map(uri::to_path).collect();
        if roots.is_empty() {
            roots.extend(parameters["rootUri"].as_str().and_then(uri::to_path));
        }
        self.roots = roots;
        self.workspace.set_roots(self.roots.clone());
        self.configure(&parameters["initializationOptions"]);
        let folders = folders.into_iter().flatten().filter_map(|folder| folder["uri"].as_str());
        for uri in folders.chain(parameters["rootUri"].as_str()) {
            self.refuse_network(uri);
        }
        let offers = self.client.offers();
        debug_assert!(Client::is_valid(&offers), "the capabilities have the form of the protocol");
        json!({ "capabilities": offers, "serverInfo": { "name": "hcl", "version": env!("CARGO_PKG_VERSION") } })
    }

    fn on_notification(&mut self, message: Notification) -> Vec<Message> {
        let Notification { method, params } = message;
        if method == "exit" {
            self.stage = Stage::Ended(self.stage == Stage::Closing);
            return Vec::new();
        }
        if self.stage != Stage::Running {
            return Vec::new();
        }
        match method.as_str() {
            "initialized" => {
                self.progress = Some(("hcl-modules".to_owned(), false));
                let mut messages = self.problems();
                messages.extend(self.register());
                return messages;
            }
            // What it cancels was answered before.
            "$/cancelRequest" => {
                if let Some(id) = read(params["id"].clone()) {
                    self.cancelled.remove(&id);
                }
            }
            "textDocument/didOpen" => {
                if let Some(lsp::DidOpenTextDocumentParams { text_document: own }) = read(params) {
                    let language = serde_json::to_value(&own.language_id).ok();
                    let language = language.as_ref().and_then(Value::as_str);
                    self.open(&own.uri.0, own.text, own.version, language);
                    self.refuse_network(&own.uri.0);
                    return self.problems();
                }
            }
            "textDocument/didChange" => self.change(params),
            "textDocument/didClose" => {
                if let Some(lsp::DidCloseTextDocumentParams { text_document }) = read(params) {
                    return self.close(&text_document.uri.0);
                }
            }
            "textDocument/didSave" => {
                let uri = params["textDocument"]["uri"].as_str().and_then(uri::to_path);
                if let Some(path) = uri {
                    self.workspace.changed(&path);
                }
                let mut messages = self.reconfigure();
                messages.extend(self.all_stale());
                return messages;
            }
            "workspace/didChangeWatchedFiles" => {
                if let Some(lsp::DidChangeWatchedFilesParams { changes }) = read(params) {
                    for path in changes.iter().filter_map(|change| uri::to_path(&change.uri.0)) {
                        self.workspace.changed(&path);
                    }
                    let mut messages = self.reconfigure();
                    messages.extend(self.all_stale());
                    return messages;
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                if let Some(lsp::DidChangeWorkspaceFoldersParams { event }) = read(params) {
                    let paths = |all: &[lsp::WorkspaceFolder]| -> Vec<String> {
                        all.iter().filter_map(|folder| uri::to_path(&folder.uri.0)).collect()
                    };
                    let removed = paths(&event.removed);
                    self.roots.retain(|root| !removed.contains(root));
                    self.roots.extend(paths(&event.added));
                    self.workspace.set_roots(self.roots.clone());
                    let mut messages = self.reconfigure();
                    event.added.iter().for_each(|folder| self.refuse_network(&folder.uri.0));
                    messages.extend(self.problems());
                    messages.extend(self.all_stale());
                    return messages;
                }
            }
            _ => {}
        }
        Vec::new()
    }

    /// Asks the client to watch files, if it can.
    fn register(&mut self) -> Vec<Message> {
        if !self.client.watches {
            return Vec::new();
        }
        let watchers = json!([{ "globPattern": "**/*.{tf,tofu,hcl,nomad,tfvars,json,pkrvars}" }, { "globPattern": "**/hcl.toml" }, { "globPattern": "**/*.hcldec" }]);
        let registration = json!({
            "registrations": [{
                "id": "files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": { "watchers": watchers },
            }],
        });
        vec![self.ask("client/registerCapability", registration)]
    }

    /// Has the client show why a document or a directory of another machine is not read.
    fn refuse_network(&mut self, uri: &str) {
        if uri::is_network(uri) {
            self.settings.add_problem(network_path(uri));
        }
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Message {
        self.next_request += 1;
        let id = RequestId::from(format!("hcl-{}", self.next_request));
        Request::new(id, method.to_owned(), parameters).into()
    }

    fn open(&mut self, uri: &str, text: String, version: i32, language: Option<&str>) {
        let Some(path) = uri::to_path(uri) else { return };
        self.addresses.add(&path, uri);
        self.workspace.open(&path, text, Some(version), language);
        self.stale_with(&path);
    }

    /// Applies changes, each to the text after the one before.
    fn change(&mut self, parameters: Value) {
        let Some(lsp::DidChangeTextDocumentParams { text_document, content_changes }) = read(parameters)
        else {
            return;
        };
        let Some(path) = uri::to_path(&text_document.text_document_identifier.uri.0) else { return };
        let snapshot = self.workspace.snapshot();
        let Some(file) = snapshot.open_file(&path) else { return };
        let mut text = file.text().to_owned();
        for (number, change) in content_changes.into_iter().enumerate() {
            match change {
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change) => {
                    // Most messages have one change.
                    let changed = (number > 0).then(|| hclkit_ide::Lines::of(&text));
                    let lines = changed.as_ref().unwrap_or(file.lines());
                    let offset = |at: LinePosition| lines.offset(&text, at, self.client.encoding) as usize;
                    let (start, end) =
                        (offset(line_position(change.range.start)), offset(line_position(change.range.end)));
                    text.replace_range(start.min(end)..end.max(start), &change.text);
                }
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(change) => {
                    text = change.text;
                }
            }
        }
        self.workspace.open(&path, text, Some(text_document.version), None);
        self.stale_with(&path);
    }

    fn close(&mut self, uri: &str) -> Vec<Message> {
        let Some(path) = uri::to_path(uri) else { return Vec::new() };
        self.workspace.close(&path);
        self.tokens.remove(&path);
        self.stale.retain(|own| *own != path);
        self.stale_with(&path);
        let address = self.addresses.of(&path);
        self.addresses.remove(&path);
        if self.client.pulls {
            return Vec::new();
        }
        let parameters =
            lsp::PublishDiagnosticsParams { uri: address, version: None, diagnostics: Vec::new() };
        serde_json::to_value(parameters)
            .map(|own| notification("textDocument/publishDiagnostics", own))
            .into_iter()
            .collect()
    }

    /// The diagnostics of all open documents may have changed with one.
    fn stale_with(&mut self, path: &str) {
        let snapshot = self.workspace.snapshot();
        if self.client.pulls {
            return;
        }
        // Documents of other languages do not depend on it.
        let directory = |path: &str| path.rsplit_once('/').map(|(directory, _)| directory.to_owned());
        let language =
            |path: &str| snapshot.open_file(path).and_then(|file| Some(file.dialect()?.name().to_owned()));
        let own = language(path);
        let open = snapshot.open_files().map(|file| file.path());
        let concerned = open
            .filter(|other| directory(other) == directory(path) || language(other) == own || own.is_none());
        let mut concerned: Vec<String> = concerned.map(str::to_owned).collect();
        // The changed document comes first, and then those that changed before.
        concerned.sort_by_key(|other| other != path);
        let waiting = std::mem::take(&mut self.stale);
        self.stale = concerned;
        for other in waiting {
            if !self.stale.contains(&other) {
                self.stale.push(other);
            }
        }
    }

    fn all_stale(&mut self) -> Vec<Message> {
        let snapshot = self.workspace.snapshot();
        let mut messages = Vec::new();
        if !self.client.pulls {
            self.stale = snapshot.open_files().map(|file| file.path().to_owned()).collect();
        } else if self.client.refreshes_diagnostics {
            messages.push(self.ask("workspace/diagnostic/refresh", Value::Null));
        }
        if self.client.refreshes_hints {
            messages.push(self.ask("workspace/inlayHint/refresh", Value::Null));
        }
        if self.client.refreshes_lenses {
            messages.push(self.ask("workspace/codeLens/refresh", Value::Null));
        }
        messages
    }
}

/// The limits with a timeout, where there is a clock.
#[cfg_attr(all(target_family = "wasm", target_os = "unknown"), expect(unused_variables, reason = "no clock"))]
fn within(limits: Limits, time: Duration) -> Limits {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    let limits = limits.with_timeout(time);
    limits
}

/// Parameters of the expected form. Others are ignored.
fn read<P: DeserializeOwned>(parameters: Value) -> Option<P> {
    serde_json::from_value(parameters).ok()
}

pub(crate) fn notification(method: &str, parameters: impl Serialize) -> Message {
    Notification::new(method.to_owned(), parameters).into()
}
