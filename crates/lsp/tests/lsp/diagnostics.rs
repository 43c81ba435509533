//! Diagnostics are sent or asked for, never both, and always those of the present text.

use std::sync::Arc;

use hclkit_ide::MemoryFiles;
use serde_json::{Value, json};

use super::capabilities;
use super::client::Client;
use super::files::Changing;

const URI: &str = "file:///w/main.tf";

fn change(client: &mut Client, uri: &str, version: i32, text: &str) {
    client.tell(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": uri, "version": version },
            "contentChanges": [{ "text": text }],
        }),
    );
}

#[test]
fn they_are_sent_once_for_the_last_version() {
    let mut client = Client::with(&[], &capabilities(&[]));
    client.open(URI, "locals {\n  a = b\n}\n");
    change(&mut client, URI, 2, "locals {\n  a = [\n}\n");
    change(&mut client, URI, 3, "locals {\n  a = var.x\n}\n");
    let published = client.published();
    assert_eq!(published.len(), 1);
    assert_eq!(published[0]["version"], 3);
    assert!(
        published[0]["diagnostics"].as_array().unwrap().iter().any(|own| own["code"] == "unknown-variable")
    );
    assert!(client.published().is_empty());
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    let published = client.published();
    assert_eq!(published[0]["diagnostics"], json!([]));
}

#[test]
fn a_client_that_asks_gets_none_by_itself() {
    let mut able = capabilities(&[]);
    able["textDocument"]["diagnostic"] = json!({});
    let mut client = Client::with(&[], &able);
    client.open(URI, "locals {\n  a = var.x\n}\n");
    assert!(client.published().is_empty());
    let answer = client.about("textDocument/diagnostic", URI);
    assert_eq!(answer["kind"], "full");
    assert_eq!(answer["items"][1]["code"], "unknown-variable", "{answer}");
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    assert!(client.published().is_empty());
}

#[test]
fn a_change_concerns_the_other_documents_of_the_module() {
    let mut client = Client::with(&[], &capabilities(&[]));
    client.open(URI, "output \"a\" {\n  value = var.x\n}\n");
    client.open("file:///w/variables.tf", "");
    client.published();
    change(&mut client, "file:///w/variables.tf", 2, "variable \"x\" {}\n");
    let published = client.published();
    let of = |uri: &str| published.iter().find(|own| own["uri"] == uri).unwrap()["diagnostics"].clone();
    assert_eq!(of(URI), json!([]));
}

#[test]
fn changes_on_disk_count() {
    for watches in [true, false] {
        let files = Arc::new(Changing::default());
        let mut able = capabilities(&[]);
        able["textDocument"]["diagnostic"] = json!({});
        able["workspace"]["didChangeWatchedFiles"] = json!({ "dynamicRegistration": watches });
        let mut client = Client::new(files.clone(), &able);
        client.open(URI, "output \"a\" {\n  value = var.x\n}\n");
        let count = |client: &mut Client| {
            client.about("textDocument/diagnostic", URI)["items"].as_array().unwrap().len()
        };
        assert_eq!(count(&mut client), 1);
        files.set("/w/variables.tf", "variable \"x\" {}\n");
        if watches {
            client.tell(
                "workspace/didChangeWatchedFiles",
                json!({ "changes": [{ "uri": "file:///w/variables.tf", "type": 1 }] }),
            );
        }
        assert_eq!(count(&mut client), 0, "watches: {watches}");
    }
}

#[test]
fn folders_can_be_added() {
    let files = MemoryFiles::from_iter([("/other/net/main.tf", "variable \"cidr\" {}\n")]);
    let mut client = Client::new(Arc::new(files), &capabilities(&[]));
    let find = |client: &mut Client| client.ask("workspace/symbol", &json!({ "query": "cidr" })).unwrap();
    assert_eq!(find(&mut client), json!([]));
    client.tell(
        "workspace/didChangeWorkspaceFolders",
        json!({
            "event": { "added": [{ "uri": "file:///other", "name": "other" }], "removed": [] },
        }),
    );
    assert_eq!(find(&mut client)[0]["location"]["uri"], "file:///other/net/main.tf");
}

#[test]
fn unused_declarations_are_faded() {
    let mut client = Client::with(&[], &capabilities(&[]));
    client.open(URI, "locals {\n  a = 1\n}\n");
    let published: Vec<Value> = client.published();
    assert_eq!(published[0]["diagnostics"][0]["tags"], json!([1]));
}
