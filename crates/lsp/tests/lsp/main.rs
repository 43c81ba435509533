//! The server, driven by messages without threads.

mod answers;
mod client;
mod diagnostics;
mod files;
mod lifecycle;
mod model;
mod network;
mod order;
mod random;
mod requests;
mod settings;
mod sync;

use serde_json::{Value, json};

/// The capabilities of a client that sends these position encodings.
pub(crate) fn capabilities(encodings: &[&str]) -> Value {
    json!({
        "general": { "positionEncodings": encodings },
        "textDocument": {
            "codeAction": { "codeActionLiteralSupport": {} },
            "completion": { "completionItem": { "snippetSupport": true } },
            "definition": { "linkSupport": true },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "rename": { "prepareSupport": true },
        },
        "workspace": { "workspaceEdit": { "documentChanges": true } },
    })
}
