//! Each request, as a client sees it.

use serde_json::{Value, json};

use super::capabilities;
use super::client::{Client, edited};

const URI: &str = "file:///w/main.tf";
const TEXT: &str = "variable \"n\" {\n  default = 2\n}\nlocals {\n  ä = \"😀 ${var.n}\"\n  b = max(var.n, 3)\n}\nmodule \"net\" {\n  source = \"./net\"\n}\n";

fn client(encoding: &str) -> Client {
    let mut client =
        Client::with(&[("/w/net/main.tf", "output \"id\" {\n  value = 1\n}\n")], &capabilities(&[encoding]));
    client.open(URI, TEXT);
    client
}

#[test]
fn places_are_in_the_encoding() {
    for (encoding, character) in [("utf-8", 19), ("utf-16", 16), ("utf-32", 15)] {
        let mut client = client(encoding);
        let links = client.at("textDocument/definition", URI, 4, character);
        assert_eq!(links[0]["targetUri"], URI);
        let start = links[0]["originSelectionRange"]["start"]["character"].as_u64().unwrap();
        assert_eq!(start as u32, character, "{encoding}: {links}");
        let found = client.at("textDocument/references", URI, 0, 10);
        assert_eq!(found.as_array().unwrap().len(), 3, "{encoding}");
    }
}

#[test]
fn hover_and_completion_and_signatures() {
    let mut client = client("utf-16");
    let hover = client.at("textDocument/hover", URI, 0, 10);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("var.n = 2"), "{hover}");
    let list = client.at("textDocument/completion", URI, 5, 8);
    let items = list["items"].as_array().unwrap();
    let max = items.iter().find(|item| item["label"] == "max").unwrap();
    assert_eq!(max["textEdit"]["newText"], "max");
    let list = client.at("textDocument/completion", URI, 5, 10);
    let items = list["items"].as_array().unwrap();
    assert!(items.iter().any(|item| item["label"] == "var.n"));
    let help = client.at("textDocument/signatureHelp", URI, 5, 17);
    assert_eq!(help["activeParameter"], 0, "{help}");
    assert!(help["signatures"][0]["label"].as_str().unwrap().starts_with("max("));
    assert_eq!(client.at("textDocument/hover", URI, 1, 0), Value::Null);
}

/// What clients without Markdown and offsets are answered, such as Eglot without a mode for Markdown.
#[test]
fn texts_have_the_form_that_the_client_shows() {
    let answers = |form: &Value, documentation: &Value| {
        let mut own = capabilities(&["utf-16"]);
        own["textDocument"]["hover"] = json!({ "contentFormat": form });
        own["textDocument"]["completion"] =
            json!({ "completionItem": { "documentationFormat": documentation } });
        let mut client = Client::with(&[], &own);
        client.open(URI, TEXT);
        let hover = client.at("textDocument/hover", URI, 5, 7)["contents"].clone();
        let list = client.at("textDocument/completion", URI, 5, 8);
        let items = list["items"].as_array().unwrap();
        let max = items.iter().find(|item| item["label"] == "max").unwrap()["documentation"].clone();
        let help = client.at("textDocument/signatureHelp", URI, 5, 17)["signatures"][0].clone();
        [hover, max, help]
    };
    let plain = json!(["plaintext"]);
    for (form, documentation) in [(&plain, &Value::Null), (&plain, &plain)] {
        let [hover, item, help] = answers(form, documentation);
        for text in [hover, item, help["documentation"].clone()] {
            assert_eq!(text["kind"], "plaintext", "{text}");
            assert!(!text["value"].as_str().unwrap().contains('`'), "{text}");
        }
        let label = help["parameters"][0]["label"].as_str().unwrap();
        assert!(help["label"].as_str().unwrap().contains(label), "{help}");
    }
    let both = json!(["markdown", "plaintext"]);
    for (form, documentation) in [(&Value::Null, &Value::Null), (&both, &Value::Null), (&plain, &both)] {
        let [hover, item, _] = answers(form, documentation);
        assert_eq!(hover["kind"] == "plaintext", form == &plain, "{hover}");
        assert_eq!(item["kind"], "markdown", "{item}");
    }
}

#[test]
fn renaming_changes_documents_with_their_versions() {
    let mut client = client("utf-16");
    let place = client.at("textDocument/prepareRename", URI, 0, 10);
    assert_eq!(place["placeholder"], "n");
    let parameters = json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": 10 }, "newName": "size" });
    let edit = client.ask("textDocument/rename", &parameters).unwrap();
    let change = &edit["documentChanges"][0];
    assert_eq!(
        (&change["textDocument"]["version"], &change["textDocument"]["uri"]),
        (&json!(1), &json!(URI))
    );
    let after = edited(TEXT, change["edits"].as_array().unwrap(), "utf-16");
    assert_eq!(after, TEXT.replace("\"n\"", "\"size\"").replace("var.n", "var.size"));
    let wrong =
        json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": 10 }, "newName": "1" });
    assert_eq!(client.ask("textDocument/rename", &wrong).unwrap_err().0, -32803);
}

#[test]
fn structure_and_links_and_hints() {
    let mut client = client("utf-16");
    let symbols = client.about("textDocument/documentSymbol", URI);
    assert_eq!(symbols[0]["name"], "variable \"n\"");
    assert_eq!(symbols[1]["children"][1]["name"], "b");
    assert_eq!(
        client.about("textDocument/foldingRange", URI)[0],
        json!({ "startLine": 0, "endLine": 1, "kind": "region" })
    );
    assert_eq!(client.about("textDocument/documentLink", URI)[0]["target"], "file:///w/net/main.tf");
    assert_eq!(client.about("textDocument/codeLens", URI)[0]["command"]["title"], "2 references");
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = client
        .ask("textDocument/inlayHint", &json!({ "textDocument": { "uri": URI }, "range": all }))
        .unwrap();
    assert_eq!(hints[1]["label"], "= 3");
    let ranges = json!({ "textDocument": { "uri": URI }, "positions": [{ "line": 5, "character": 11 }] });
    let ranges = client.ask("textDocument/selectionRange", &ranges).unwrap();
    assert_eq!(
        ranges[0]["range"],
        json!({ "start": { "line": 5, "character": 10 }, "end": { "line": 5, "character": 13 } }),
        "{ranges}"
    );
    assert!(client.at("textDocument/documentHighlight", URI, 0, 10).as_array().unwrap().len() == 3);
}

#[test]
fn tokens_and_their_changes_agree() {
    let mut client = client("utf-16");
    let full = client.about("textDocument/semanticTokens/full", URI);
    let mut data: Vec<u64> =
        full["data"].as_array().unwrap().iter().map(|own| own.as_u64().unwrap()).collect();
    let changed = TEXT.replace("max(var.n, 3)", "min(3)");
    client.tell(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": URI, "version": 2 },
            "contentChanges": [{ "text": changed }],
        }),
    );
    let parameters = json!({ "textDocument": { "uri": URI }, "previousResultId": full["resultId"] });
    let delta = client.ask("textDocument/semanticTokens/full/delta", &parameters).unwrap();
    for edit in delta["edits"].as_array().unwrap() {
        let start = edit["start"].as_u64().unwrap() as usize;
        let end = start + edit["deleteCount"].as_u64().unwrap() as usize;
        data.splice(start..end, edit["data"].as_array().unwrap().iter().map(|own| own.as_u64().unwrap()));
    }
    let now = client.about("textDocument/semanticTokens/full", URI);
    assert_eq!(json!(data), now["data"]);
    let unknown = json!({ "textDocument": { "uri": URI }, "previousResultId": "gone" });
    assert_eq!(client.ask("textDocument/semanticTokens/full/delta", &unknown).unwrap()["data"], now["data"]);
}

#[test]
fn actions_are_filtered_by_kind() {
    let mut client = client("utf-16");
    let text = "a = 'x'\n";
    client.tell(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": URI, "version": 2 },
            "contentChanges": [{ "text": text }],
        }),
    );
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1, "character": 0 } });
    let mut ask = |only: Value| {
        let context = json!({ "diagnostics": [], "only": only });
        let context = if only.is_null() { json!({ "diagnostics": [] }) } else { context };
        client
            .ask(
                "textDocument/codeAction",
                &json!({ "textDocument": { "uri": URI }, "range": all, "context": context }),
            )
            .unwrap()
    };
    assert_eq!(ask(Value::Null)[0]["kind"], "quickfix");
    for only in ["source.fixAll", "source.fixAll.hcl", "source"] {
        let actions = ask(json!([only]));
        assert_eq!(actions.as_array().unwrap().len(), 1, "{only}");
        let edits = actions[0]["edit"]["documentChanges"][0]["edits"].clone();
        assert_eq!(edited(text, edits.as_array().unwrap(), "utf-16"), "a = \"x\"\n");
    }
    assert_eq!(ask(json!(["refactor"])), json!([]));
}

#[test]
fn actions_create_files_if_the_client_can() {
    let text = "variable \"a\" {}\n\nresource \"b\" \"c\" {}\n";
    let found_when = |edit: Value, trigger: u32| {
        let capabilities = json!({
            "workspace": { "workspaceEdit": edit },
            "textDocument": { "codeAction": { "codeActionLiteralSupport": {} } },
        });
        let mut client = Client::with(&[("/w/outputs.tf", "")], &capabilities);
        client.open("file:///w/main.tf", text);
        let at = json!({ "line": 0, "character": 0 });
        let parameters = json!({
            "textDocument": { "uri": "file:///w/main.tf" },
            "range": { "start": at, "end": at },
            "context": { "diagnostics": [], "only": ["refactor.move"], "triggerKind": trigger },
        });
        client.ask("textDocument/codeAction", &parameters).unwrap()
    };
    let titles = |edit: Value| found_when(edit, 1);
    // Not when the cursor moves.
    assert_eq!(found_when(json!({ "resourceOperations": ["create"] }), 2), json!([]));
    // Neovim names the operations only.
    let found = titles(json!({ "resourceOperations": ["create", "rename"] }));
    assert_eq!(titles(json!({ "documentChanges": true, "resourceOperations": ["create"] })), found);
    assert_eq!(found[0]["title"], "Move to `variables.tf`");
    assert_eq!(found[0]["kind"], "refactor.move");
    let start = json!({ "line": 0, "character": 0 });
    let moved = "variable \"a\" {}\n";
    assert_eq!(
        found[0]["edit"]["documentChanges"],
        json!([
            { "kind": "create", "uri": "file:///w/variables.tf" },
            {
                "textDocument": { "uri": "file:///w/main.tf", "version": 1 },
                "edits": [{ "range": { "start": start, "end": { "line": 2, "character": 0 } }, "newText": "" }],
            },
            {
                "textDocument": { "uri": "file:///w/variables.tf", "version": null },
                "edits": [{ "range": { "start": start, "end": { "line": 1, "character": 0 } }, "newText": moved }],
            },
        ])
    );
    let names: Vec<&str> =
        found.as_array().unwrap().iter().map(|own| own["title"].as_str().unwrap()).collect();
    assert_eq!(names, ["Move to `variables.tf`", "Move to the new file `a.tf`"]);
    for unable in [
        json!({}),
        json!({ "documentChanges": true }),
        json!({ "documentChanges": true, "resourceOperations": ["delete"] }),
    ] {
        assert_eq!(titles(unable), json!([]));
    }
}

#[test]
fn calls_and_moves() {
    let mut client = client("utf-16");
    let item = client.at("textDocument/prepareCallHierarchy", URI, 7, 3)[0].clone();
    assert_eq!(item["name"], "net");
    let incoming = client.ask("callHierarchy/incomingCalls", &json!({ "item": item })).unwrap();
    assert_eq!(incoming[0]["fromRanges"][0]["start"]["line"], 7);
    let files = json!({ "files": [{ "oldUri": "file:///w/net", "newUri": "file:///w/modules/net" }] });
    let edit = client.ask("workspace/willRenameFiles", &files).unwrap();
    assert_eq!(edit["documentChanges"][0]["edits"][0]["newText"], "./modules/net");
}

#[test]
fn tables_of_languages_are_options() {
    use hclkit_ide::MemoryFiles;
    use hclkit_lsp::{Message, Request, Server};
    let table = "name  = \"services\"\nfiles = [\"*.services\"]\nblock \"service\" {\n  role    = \"object\"\n  labels  = [\"name\"]\n  defines = \"service.{name}\"\n}\n";
    let files = MemoryFiles::from_iter([("/w/services.hcl", table)]);
    let mut server = Server::new(std::sync::Arc::new(files));
    let parameters = json!({
        "capabilities": {},
        "rootUri": "file:///w",
        "initializationOptions": { "languages": ["services.hcl"] },
    });
    server.handle(Request::new(1.into(), "initialize".to_owned(), parameters).into());
    let text = "service \"a\" {\n  port = service.b.port\n}\n";
    server.handle(hclkit_lsp::Notification::new("textDocument/didOpen".to_owned(), json!({
        "textDocument": { "uri": "file:///w/web.services", "languageId": "services", "version": 1, "text": text },
    })).into());
    let Some(Message::Notification(published)) = server.idle().pop() else { panic!("nothing was sent") };
    assert_eq!(published.params["diagnostics"][0]["code"], "unknown-variable", "{}", published.params);
    // Refactorings know the language, too: a reference is in a file in the JSON syntax.
    server.handle(
        hclkit_lsp::Notification::new(
            "textDocument/didOpen".to_owned(),
            json!({
                "textDocument": {
                    "uri": "file:///w/b.services.json", "languageId": "services", "version": 1,
                    "text": "{\"service\": {\"c\": {\"port\": \"${service.a.port}\"}}}\n",
                },
            }),
        )
        .into(),
    );
    let parameters = json!({
        "textDocument": { "uri": "file:///w/web.services" },
        "position": { "line": 0, "character": 9 },
        "newName": "renamed",
    });
    let answers = server.handle(Request::new(2.into(), "textDocument/rename".to_owned(), parameters).into());
    let Some(Message::Response(answer)) = answers.last() else { panic!("no answer") };
    let changes = serde_json::to_string(answer).unwrap();
    assert_eq!(changes.matches("\"newText\":\"renamed\"").count(), 2, "{changes}");
}

#[test]
fn wrong_options_are_told() {
    use hclkit_lsp::{Message, Notification, Request, Server};
    let mut server = Server::new(std::sync::Arc::new(hclkit_ide::MemoryFiles::default()));
    let options = json!({ "languages": ["gone.hcl", "name = 1\n"] });
    let parameters = json!({ "capabilities": {}, "rootUri": "file:///w", "initializationOptions": options });
    server.handle(Request::new(1.into(), "initialize".to_owned(), parameters).into());
    let sent = server.handle(Notification::new("initialized".to_owned(), json!({})).into());
    let shown = sent
        .iter()
        .filter(|own| matches!(own, Message::Notification(own) if own.method == "window/showMessage"));
    assert_eq!(shown.count(), 2);
}
