//! Start, end, cancellation, and what a client must not do.

use hclkit_lsp::{Message, Notification, Request, Server};
use serde_json::{Value, json};

use super::capabilities;
use super::client::Client;

#[test]
fn encodings_are_negotiated() {
    let encoding = |offered: &[&str]| {
        let mut server = Server::new(std::sync::Arc::new(hclkit_ide::MemoryFiles::default()));
        let parameters = json!({ "capabilities": capabilities(offered) });
        let answers = server.handle(Request::new(1.into(), "initialize".to_owned(), parameters).into());
        let Message::Response(answer) = &answers[0] else { panic!("no answer") };
        answer.response_result.as_ref().unwrap()["capabilities"]["positionEncoding"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(encoding(&[]), "utf-16");
    assert_eq!(encoding(&["utf-16", "utf-8"]), "utf-8");
    assert_eq!(encoding(&["utf-16", "utf-32"]), "utf-16");
    assert_eq!(encoding(&["utf-32"]), "utf-32");
}

#[test]
fn requests_out_of_order_are_errors() {
    let mut server = Server::new(std::sync::Arc::new(hclkit_ide::MemoryFiles::default()));
    let ask = |server: &mut Server, method: &str| {
        let answers =
            server.handle(Request::new(1.into(), method.to_owned(), json!({ "capabilities": {} })).into());
        let Message::Response(answer) = &answers[0] else { panic!("no answer") };
        answer.response_result.as_ref().map_err(|error| error.code).cloned()
    };
    assert_eq!(ask(&mut server, "textDocument/hover"), Err(-32002));
    assert!(ask(&mut server, "initialize").is_ok());
    assert_eq!(ask(&mut server, "initialize"), Err(-32600));
    assert_eq!(ask(&mut server, "what/ever"), Err(-32601));
    assert_eq!(ask(&mut server, "textDocument/hover"), Err(-32602));
    assert_eq!(ask(&mut server, "shutdown"), Ok(Value::Null));
    assert_eq!(ask(&mut server, "textDocument/hover"), Err(-32600));
    assert_eq!(server.ended(), None);
    server.handle(Notification::new("exit".to_owned(), Value::Null).into());
    assert_eq!(server.ended(), Some(0));
}

#[test]
fn an_exit_without_shutdown_has_another_code() {
    let mut client = Client::with(&[], &capabilities(&[]));
    client.tell("exit", Value::Null);
    assert_eq!(client.server.ended(), Some(1));
}

#[test]
fn cancelled_requests_are_not_answered_with_results() {
    let mut client = Client::with(&[], &capabilities(&[]));
    client.open("file:///w/main.tf", "locals {\n  a = 1\n}\n");
    client.server.cancel(3.into());
    let parameters = json!({ "textDocument": { "uri": "file:///w/main.tf" } });
    assert!(client.ask("textDocument/foldingRange", &parameters).is_ok());
    assert_eq!(client.ask("textDocument/foldingRange", &parameters).unwrap_err().0, -32800);
    assert!(client.ask("textDocument/foldingRange", &parameters).is_ok());
}

#[test]
fn work_ends_when_it_is_cancelled() {
    // The evaluation would take very long.
    let text = "locals {\n  a = length([for i in range(1024) : [for j in range(1024) : [for k in range(1024) : i + j * k]]])\n  b = local.a\n}\n";
    let mut client = Client::with(&[], &capabilities(&[]));
    client.open("file:///w/main.tf", text);
    client.server.cancel_token().cancel();
    let parameters =
        json!({ "textDocument": { "uri": "file:///w/main.tf" }, "position": { "line": 2, "character": 13 } });
    assert_eq!(client.ask("textDocument/hover", &parameters).unwrap_err().0, -32800);
    // Diagnostics are sent later.
    assert!(client.published().is_empty() && client.server.is_busy());
    client.tell(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": "file:///w/main.tf", "version": 2 },
            "contentChanges": [{ "text": "locals {\n  a = b\n}\n" }],
        }),
    );
    client.server.cancel_token().reset();
    let published = client.published();
    assert_eq!((published.len(), &published[0]["version"]), (1, &json!(2)));
}

#[test]
fn files_are_watched_where_the_client_can() {
    let mut able = capabilities(&[]);
    able["workspace"]["didChangeWatchedFiles"] = json!({ "dynamicRegistration": true });
    let client = Client::with(&[], &able);
    let Some(Message::Request(request)) = client.sent.first() else { panic!("no request") };
    assert_eq!(request.method, "client/registerCapability");
    assert!(Client::with(&[], &capabilities(&[])).sent.is_empty());
}
