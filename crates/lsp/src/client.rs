//! What the client can do, and what the server offers to it.

use gen_lsp_types::ServerCapabilities;
use hclkit_ide::{Encoding, TokenMeaning};
use serde_json::{Value, json};

use crate::markup::Form;

/// What the client can do.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a capability")]
pub(crate) struct Client {
    pub(crate) encoding: Encoding,
    /// It asks for diagnostics. Otherwise, they are sent.
    pub(crate) pulls: bool,
    /// It can be told that diagnostics have changed.
    pub(crate) refreshes_diagnostics: bool,
    pub(crate) refreshes_hints: bool,
    pub(crate) refreshes_lenses: bool,
    pub(crate) snippets: bool,
    /// Definitions can be links, with the part at the cursor.
    pub(crate) definition_links: bool,
    pub(crate) nested_symbols: bool,
    pub(crate) document_changes: bool,
    /// Edits can create files.
    pub(crate) creates_files: bool,
    /// It can watch files.
    pub(crate) watches: bool,
    /// It shows the progress of work that it has not asked for.
    pub(crate) shows_progress: bool,
    pub(crate) action_literals: bool,
    pub(crate) prepares_renames: bool,
    /// Labels of parameters can be offsets.
    pub(crate) label_offsets: bool,
    pub(crate) hover_form: Form,
    pub(crate) item_form: Form,
    pub(crate) signature_form: Form,
}

impl Client {
    /// Reads the parameters of `initialize`.
    pub(crate) fn of(parameters: &Value) -> Self {
        let all = &parameters["capabilities"];
        let has = |path: &str| all.pointer(path).and_then(Value::as_bool) == Some(true);
        let lists = |path: &str, name: &str| {
            let listed = all.pointer(path).and_then(Value::as_array);
            listed.is_some_and(|all| all.iter().any(|own| own == name))
        };
        let offers = |name: &str| lists("/general/positionEncodings", name);
        let encoding = if offers("utf-8") {
            Encoding::Utf8
        } else if offers("utf-32") && !offers("utf-16") {
            Encoding::Utf32
        } else {
            Encoding::Utf16
        };
        // The form that the client prefers. Markdown is what clients without such a list expect.
        let form = |path: &str| {
            let listed = all.pointer(path)?.as_array()?;
            listed.iter().find_map(|own| Form::of(own.as_str()?))
        };
        let hover_form = form("/textDocument/hover/contentFormat").unwrap_or_default();
        Self {
            encoding,
            pulls: all.pointer("/textDocument/diagnostic").is_some_and(Value::is_object),
            refreshes_diagnostics: has("/workspace/diagnostics/refreshSupport"),
            refreshes_hints: has("/workspace/inlayHint/refreshSupport"),
            refreshes_lenses: has("/workspace/codeLens/refreshSupport"),
            snippets: has("/textDocument/completion/completionItem/snippetSupport"),
            definition_links: has("/textDocument/definition/linkSupport"),
            nested_symbols: has("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            document_changes: has("/workspace/workspaceEdit/documentChanges"),
            creates_files: lists("/workspace/workspaceEdit/resourceOperations", "create"),
            watches: has("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            shows_progress: has("/window/workDoneProgress"),
            action_literals: all.pointer("/textDocument/codeAction/codeActionLiteralSupport").is_some(),
            prepares_renames: has("/textDocument/rename/prepareSupport"),
            label_offsets: has(
                "/textDocument/signatureHelp/signatureInformation/parameterInformation/labelOffsetSupport",
            ),
            hover_form,
            item_form: form("/textDocument/completion/completionItem/documentationFormat")
                .unwrap_or(hover_form),
            signature_form: form("/textDocument/signatureHelp/signatureInformation/documentationFormat")
                .unwrap_or(hover_form),
        }
    }

    /// What the server offers.
    pub(crate) fn offers(&self) -> Value {
        let encoding = match self.encoding {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf32 => "utf-32",
        };
        let legend: Vec<&str> = TokenMeaning::ALL.iter().map(|meaning| meaning.as_str()).collect();
        let mut offers = json!({
            "positionEncoding": encoding,
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
            "completionProvider": { "triggerCharacters": [".", "/", "\""] },
            "hoverProvider": true,
            "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "codeActionProvider": { "codeActionKinds": [
                "quickfix", "refactor.extract", "refactor.inline", "refactor.move", "refactor.rewrite",
                "source.fixAll.hcl",
            ] },
            "codeLensProvider": {},
            "documentLinkProvider": {},
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "documentOnTypeFormattingProvider": { "firstTriggerCharacter": "}", "moreTriggerCharacter": ["\n"] },
            "renameProvider": { "prepareProvider": true },
            "foldingRangeProvider": true,
            "selectionRangeProvider": true,
            "callHierarchyProvider": true,
            "inlayHintProvider": true,
            "semanticTokensProvider": {
                "legend": { "tokenTypes": legend, "tokenModifiers": ["declaration"] },
                "range": true,
                "full": { "delta": true },
            },
            "workspace": {
                "workspaceFolders": { "supported": true, "changeNotifications": true },
                "fileOperations": { "willRename": { "filters": [
                    { "pattern": { "glob": "**/*.{tf,tofu,hcl,nomad,tfvars,json}", "matches": "file" } },
                    { "pattern": { "glob": "**", "matches": "folder" } },
                ] } },
            },
        });
        if !self.prepares_renames {
            offers["renameProvider"] = json!(true);
        }
        if self.pulls {
            offers["diagnosticProvider"] =
                json!({ "identifier": "hcl", "interFileDependencies": true, "workspaceDiagnostics": false });
        }
        offers
    }

    /// Whether what the server offers has the form of the protocol.
    pub(crate) fn is_valid(offers: &Value) -> bool {
        serde_json::from_value::<ServerCapabilities>(offers.clone()).is_ok()
    }
}
