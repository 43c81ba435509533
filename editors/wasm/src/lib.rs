//! The language server for a browser, in which it has no files, no clock and no threads. The host puts texts at the address
//! that `input` returns, and reads what the calls after it leave at `output`: messages, each a line of JSON.
#![allow(unsafe_code, reason = "exported names need the attribute `no_mangle`; no code here is unsafe")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use hclkit_ide::{Entry, FileSystem};
use hclkit_limits::Limits;
use hclkit_lsp::{Message, Server};

/// How deeply constructs and values may be nested.
const NESTING: u32 = 300;
/// How deeply evaluations may be nested.
const DEPTH: u32 = 600;

/// The files that the host has read, by their paths.
#[derive(Debug, Default)]
struct Files(RwLock<BTreeMap<String, Vec<u8>>>);

impl FileSystem for Files {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let files = self.0.read().unwrap_or_else(PoisonError::into_inner);
        files.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        let prefix = format!("{}/", directory.trim_end_matches('/'));
        let files = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let rests = files.range(prefix.clone()..).map_while(|(path, _)| path.strip_prefix(&prefix));
        let mut names: BTreeMap<&str, bool> = BTreeMap::new();
        for rest in rests {
            let (name, is_directory) = rest.split_once('/').map_or((rest, false), |(name, _)| (name, true));
            names.insert(name, is_directory);
        }
        if names.is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let entry = |(name, is_directory): (&str, bool)| Entry {
            name: name.to_owned(),
            is_directory,
            is_link: false,
        };
        Ok(names.into_iter().map(entry).collect())
    }
}

struct Host {
    files: Arc<Files>,
    server: Server,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static HOST: RefCell<Host> = RefCell::new(Host::new());
}

impl Host {
    fn new() -> Self {
        let files = Arc::new(Files::default());
        Self { server: Server::new(files.clone()), files, input: Vec::new(), output: Vec::new() }
    }

    /// The path of a file, whose address is at the start of the input.
    fn path(&self, address: usize) -> Option<String> {
        Server::path(str::from_utf8(self.input.get(..address)?).ok()?)
    }

    fn change(&self, path: Option<String>, content: Option<&[u8]>) {
        let Some(path) = path else { return };
        let mut files = self.files.0.write().unwrap_or_else(PoisonError::into_inner);
        match content {
            Some(content) => files.insert(path, content.to_owned()),
            None => files.remove(&path),
        };
    }

    /// Lets the server work. The stack of a browser is small and cannot grow, so that less can be nested than elsewhere.
    fn answer(&mut self, work: impl FnOnce(&mut Server) -> Vec<Message>) -> usize {
        let limits = Limits::new().with_nesting(NESTING).with_depth(DEPTH).with_value_depth(NESTING);
        let messages = limits.run(|| work(&mut self.server));
        self.output.clear();
        for message in messages {
            let mut object = serde_json::to_value(message).unwrap_or_default();
            object["jsonrpc"] = "2.0".into();
            self.output.extend(object.to_string().bytes());
            self.output.push(b'\n');
        }
        self.output.len()
    }
}

/// Where the next input of this length has its place.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> usize {
    HOST.with_borrow_mut(|host| {
        host.input.clear();
        host.input.resize(length, 0);
        host.input.as_mut_ptr() as usize
    })
}

/// Where the last output is.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> usize {
    HOST.with_borrow(|host| host.output.as_ptr() as usize)
}

/// Adds or replaces a file. The input is its address, which has this length, and its content.
#[unsafe(no_mangle)]
pub extern "C" fn put(address: usize) {
    HOST.with_borrow(|host| host.change(host.path(address), host.input.get(address..)));
}

/// Removes the file whose address is the input.
#[unsafe(no_mangle)]
pub extern "C" fn remove() {
    HOST.with_borrow(|host| host.change(host.path(host.input.len()), None));
}

/// Lists the paths of all files, one a line. Returns the length of the output.
#[unsafe(no_mangle)]
pub extern "C" fn list() -> usize {
    HOST.with_borrow_mut(|host| {
        let files = host.files.0.read().unwrap_or_else(PoisonError::into_inner);
        host.output = files.keys().flat_map(|path| [path.as_bytes(), b"\n"].concat()).collect();
        host.output.len()
    })
}

/// Handles the message in the input. Returns the length of the output.
#[unsafe(no_mangle)]
pub extern "C" fn handle() -> usize {
    HOST.with_borrow_mut(|host| {
        let message = serde_json::from_slice::<Message>(&host.input);
        // What is not a message needs no answer.
        let Ok(message) = message else { return 0 };
        host.answer(|server| server.handle(message))
    })
}

/// Says that nobody waits any more for the answer of a request that was not handled yet. The input is its number or text.
#[unsafe(no_mangle)]
pub extern "C" fn cancel() {
    HOST.with_borrow_mut(|host| {
        if let Ok(id) = serde_json::from_slice(&host.input) {
            host.server.cancel(id);
        }
    });
}

/// Whether `idle` has something to do.
#[unsafe(no_mangle)]
pub extern "C" fn is_busy() -> u32 {
    HOST.with_borrow(|host| host.server.is_busy().into())
}

/// Does what can wait until no message is left. Returns the length of the output.
#[unsafe(no_mangle)]
pub extern "C" fn idle() -> usize {
    HOST.with_borrow_mut(|host| host.answer(Server::idle))
}

/// Looks for changed files, for a client that watches none. Returns the length of the output.
#[unsafe(no_mangle)]
pub extern "C" fn poll() -> usize {
    HOST.with_borrow_mut(|host| host.answer(Server::poll))
}
