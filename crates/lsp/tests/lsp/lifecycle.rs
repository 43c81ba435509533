//! Start, end, cancellation, and what a client must not do.

use hclkit_lsp::{Message, Notification, Request, Server};
use serde_json::{Value, json};

use super::capabilities;
use super::client::Client;
use super::files::Changing;
use super::random::methods;

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

/// What was computed for a request that is cancelled is not part of later answers.
#[test]
fn a_cancelled_request_changes_no_later_answer() {
    let main = "module \"net\" {\n  source = \"./net\"\n  cidr = var.cidr\n}\nlocals {\n  a = 'x'\n  b = local.missing\n}\n";
    let files = [
        ("/w/main.tf", main),
        ("/w/net/main.tf", "variable \"cidr\" {\n}\noutput \"id\" {\n  value = 'y'\n}\n"),
    ];
    let open = |cancelled: Option<&str>| {
        let mut client = Client::with(&files, &capabilities(&[]));
        client.open("file:///w/main.tf", main);
        if let Some(method) = cancelled {
            client.server.cancel_token().cancel();
            let _ = client.ask(method, &everything());
            client.published();
            client.server.cancel_token().reset();
        }
        let answer = |method: &&str| {
            let mut answer = client.ask(method, &everything());
            // They are counted, those of cancelled requests as well.
            if let Ok(Value::Object(answer)) = &mut answer {
                answer.remove("resultId");
            }
            answer
        };
        let answers: Vec<_> = methods().iter().map(answer).collect();
        (answers, client.published())
    };
    let expected = open(None);
    let actions = methods().iter().position(|method| *method == "textDocument/codeAction").unwrap();
    assert!(format!("{:?}", expected.0[actions]).contains("double quotes"), "{expected:?}");
    for method in methods() {
        assert_eq!(open(Some(method)), expected, "{method}");
    }
}

/// Parameters of all methods.
fn everything() -> Value {
    let place = json!({ "line": 2, "character": 12 });
    json!({
        "textDocument": { "uri": "file:///w/main.tf" },
        "position": place,
        "positions": [place],
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } },
        "newName": "x",
        "query": "a",
        "context": { "includeDeclaration": true, "diagnostics": [] },
        "options": { "tabSize": 2, "insertSpaces": true },
        "previousResultId": "unknown",
        "item": { "data": "/w" },
        "files": [{ "oldUri": "file:///w/net/main.tf", "newUri": "file:///w/other/x.tf" }],
    })
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

#[test]
fn reading_the_workspace_is_reported() {
    let files: Vec<(String, String)> = (0..400)
        .map(|at| {
            let one = |own: u32| format!("variable \"a{own}\" {{\n  default = {own}\n}}\n");
            let text = (0..400).map(one).collect::<Vec<_>>().concat();
            (format!("/w/m{at}/main.tf"), text)
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let mut able = capabilities(&[]);
    able["window"] = json!({ "workDoneProgress": true });
    let mut client = Client::with(&files, &able);
    let mut kinds = Vec::new();
    while client.server.is_busy() {
        for message in client.server.idle() {
            match message {
                Message::Request(own) => kinds.push(own.method),
                Message::Notification(own) => {
                    assert_eq!(own.params["token"], "hcl-modules");
                    kinds.push(own.params["value"]["kind"].as_str().unwrap().to_owned());
                }
                Message::Response(_) => panic!("nothing was asked"),
            }
        }
        // Requests are answered in between.
        assert!(
            client
                .ask(
                    "textDocument/foldingRange",
                    &json!({ "textDocument": { "uri": "file:///w/m1/main.tf" } })
                )
                .is_ok()
        );
    }
    // All at once on a fast machine.
    if !kinds.is_empty() {
        assert_eq!(kinds[..2], ["window/workDoneProgress/create", "begin"]);
        assert_eq!(kinds.last().unwrap(), "end");
        assert!(kinds[2..kinds.len() - 1].iter().all(|kind| kind == "report"), "{kinds:?}");
    }
    // Who cannot show it gets nothing.
    let mut client = Client::with(&files, &capabilities(&[]));
    while client.server.is_busy() {
        assert!(client.server.idle().is_empty());
    }
}

#[test]
fn settings_are_read_again_when_they_change() {
    let table = "name = \"services\"\nfiles = [\"*.services\"]\nblock \"service\" {\n  role    = \"object\"\n  labels  = [\"name\"]\n  defines = \"service.{name}\"\n}\n";
    for watches in [true, false] {
        let files = std::sync::Arc::new(Changing::with(&[("/w/services.hcl", table)]));
        let mut able = capabilities(&[]);
        able["workspace"]["didChangeWatchedFiles"] = json!({ "dynamicRegistration": watches });
        let mut client = Client::new(files.clone(), &able);
        client.open("file:///w/web.services", "service \"a\" {\n  port = service.b.port\n}\n");
        assert_eq!(client.published()[0]["diagnostics"], json!([]));
        let change = |client: &mut Client, text: &str| {
            files.set("/w/hcl.toml", text);
            if watches {
                client.tell(
                    "workspace/didChangeWatchedFiles",
                    json!({ "changes": [{ "uri": "file:///w/hcl.toml", "type": 1 }] }),
                );
            } else {
                let sent = client.server.poll();
                client.sent.extend(sent);
            }
        };
        change(&mut client, "languages = [\"services.hcl\"]\n");
        let published = client.published();
        assert_eq!(published[0]["diagnostics"][0]["code"], "unknown-variable", "watches: {watches}");
        change(&mut client, "languages = [1]\n");
        let is_shown = |own: &Message| matches!(own, Message::Notification(own) if own.method == "window/showMessage" && own.params["message"].as_str().unwrap().starts_with("/w/hcl.toml: line 1: "));
        assert!(client.sent.iter().any(is_shown), "{:?}", client.sent);
        // Nothing has changed.
        if !watches {
            assert!(client.server.poll().is_empty());
        }
    }
}

#[test]
fn changes_on_disk_are_found_without_a_request() {
    let files =
        std::sync::Arc::new(Changing::with(&[("/w/net/main.tf", "output \"a\" {\n  value = 1\n}\n")]));
    let mut client = Client::new(files.clone(), &capabilities(&[]));
    assert!(!client.server.needs_polls());
    let text = "module \"net\" {\n  source = \"./net\"\n}\noutput \"b\" {\n  value = module.net.b\n}\n";
    client.open("file:///w/main.tf", text);
    assert_eq!(client.published()[0]["diagnostics"].as_array().unwrap().len(), 1);
    assert!(client.server.needs_polls());
    files.set("/w/net/main.tf", "output \"b\" {\n  value = 1\n}\n");
    client.server.poll();
    assert_eq!(client.published()[0]["diagnostics"], json!([]));
    assert!(client.server.poll().is_empty() && !client.server.is_busy());
}

#[test]
fn specs_and_schemas_come_from_settings_and_options() {
    let spec = "object {\n  attr \"port\" {\n    type = number\n  }\n}\n";
    let schemas = |name: &str| {
        format!(
            "{{ \"provider_schemas\": {{ \"registry.terraform.io/hashicorp/a\": {{ \"resource_schemas\": {{ \"{name}\": {{ \"block\": {{}} }} }} }} }} }}"
        )
    };
    let (one, two) = (schemas("a_one"), schemas("a_two"));
    let files = [
        ("/w/s.hcldec", spec),
        ("/w/one.json", one.as_str()),
        ("/w/two.json", two.as_str()),
        ("/w/wrong.json", "[]"),
        ("/outside.json", two.as_str()),
        (
            "/w/hcl.toml",
            "schemas = [\"one.json\", \"../outside.json\", \"wrong.json\"]\n[specs]\n\"*.one\" = \"s.hcldec\"\n",
        ),
    ];
    let offered = |options: Value, uri: &str, text: &str, character: u32| {
        let files = std::sync::Arc::new(Changing::with(&files));
        let mut server = Server::new(files);
        let parameters = json!({ "capabilities": capabilities(&[]), "rootUri": "file:///w", "initializationOptions": options });
        server.handle(Request::new(1.into(), "initialize".to_owned(), parameters).into());
        let document = json!({ "uri": uri, "languageId": "x", "version": 1, "text": text });
        server.handle(
            Notification::new("textDocument/didOpen".to_owned(), json!({ "textDocument": document })).into(),
        );
        let mut said = Vec::new();
        while server.is_busy() {
            said.extend(server.idle());
        }
        let parameters =
            json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": character } });
        let answers =
            server.handle(Request::new(2.into(), "textDocument/completion".to_owned(), parameters).into());
        let Some(Message::Response(answer)) = answers.last() else { panic!("no answer") };
        let items = answer.response_result.as_ref().unwrap()["items"].as_array().unwrap().clone();
        let labels = items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        let is_told =
            |own: &Message| matches!(own, Message::Notification(own) if own.method == "window/showMessage");
        (labels, said.iter().filter(|own| is_told(own)).count())
    };
    let none = Value::Null;
    assert_eq!(offered(none.clone(), "file:///w/a.one", "p", 1).0, ["port"]);
    assert_eq!(offered(json!({ "specs": { "*.two": "s.hcldec" } }), "file:///w/a.two", "p", 1).0, ["port"]);
    assert_eq!(offered(none.clone(), "file:///w/a.two", "p", 1).0, [] as [&str; 0]);
    let resource = "resource \"a_\" \"b\" {\n}\n";
    let (labels, told) = offered(none, "file:///w/main.tf", resource, 12);
    assert_eq!((labels, told), (vec!["a_one".to_owned()], 1));
    let options = json!({ "schemas": ["two.json", "gone.json"] });
    let (labels, told) = offered(options, "file:///w/main.tf", resource, 12);
    assert_eq!((labels, told), (vec!["a_one".to_owned(), "a_two".to_owned()], 2));
}
