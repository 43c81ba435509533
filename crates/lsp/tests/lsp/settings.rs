//! Hostile settings: patterns that are hard to compile, in `hcl.toml` and in the options of the session. The server says what
//! is wrong with them, and answers as without them.

use std::sync::Arc;

use hclkit_ide::{MemoryFiles, Settings};
use hclkit_lsp::{Message, Server};
use hclkit_test_cases::patterns;
use serde_json::{Value, json};

use super::capabilities;
use super::client::Client;
use super::random::methods;

/// The settings of `hcl.toml`, as the error for an unknown one lists them.
fn settings() -> Vec<String> {
    let error = Settings::parse("unknown = 1\n").unwrap_err();
    let listed = error.split("expected one of ").nth(1).unwrap_or_else(|| panic!("{error}"));
    listed.split(", ").map(|name| name.trim_matches('`').to_owned()).collect()
}

/// The text of `hcl.toml` with a text in a setting, and whether it is a pattern there.
fn with(setting: &str, text: &str) -> (String, bool) {
    let text = serde_json::to_string(text).unwrap();
    match setting {
        "specs" => (format!("[specs]\n{text} = \"s.hcldec\"\n"), true),
        "modules" => (format!("[modules]\n{text} = {text}\n"), false),
        "languages" | "schemas" => (format!("{setting} = [{text}]\n"), false),
        "schema-cache" => (format!("{setting} = {text}\n"), false),
        "versions" => (format!("[versions]\nterraform = {text}\n"), false),
        "test" => (format!("[test]\nrules = [{text}]\nparams = {{ {text} = {text} }}\n"), false),
        "fmt" => (format!("[fmt]\nwidth = {text}\n"), false),
        other => panic!("put a text into the setting `{other}`"),
    }
}

fn shown(messages: &[Message]) -> Vec<String> {
    let text = |message: &Message| match message {
        Message::Notification(own) if own.method == "window/showMessage" => {
            Some(own.params["message"].as_str()?.to_owned())
        }
        _ => None,
    };
    messages.iter().filter_map(text).collect()
}

fn ask_all(client: &mut Client, about: &str) {
    let parameters = json!({
        "textDocument": { "uri": "file:///w/main.tf" },
        "position": { "line": 1, "character": 6 },
        "context": { "diagnostics": [] },
    });
    for method in methods() {
        let code = client.ask(method, &parameters).err().map(|(code, _)| code);
        assert_ne!(code, Some(-32603), "{method} with {about:.60}");
    }
    client.published();
}

#[test]
fn hostile_settings_are_messages() {
    let names = settings();
    assert!(names.len() >= 6, "{names:?}");
    for name in names {
        for (pattern, is_wrong) in patterns::hostile() {
            let (text, is_pattern) = with(&name, &pattern);
            let files = [("/w/main.tf", "locals {\n  a = 1\n}\n"), ("/w/hcl.toml", &*text)];
            let mut client = Client::with(&files, &capabilities(&["utf-16"]));
            let messages = shown(&client.sent);
            if is_wrong && is_pattern {
                let says = |message: &String| {
                    message.contains("/w/hcl.toml") && message.contains(&format!("`{name}`"))
                };
                assert!(messages.iter().any(says), "{pattern:.60}: {messages:?}");
            }
            assert!(messages.iter().all(|message| message.len() < 20_000), "{pattern:.60}");
            client.open("file:///w/main.tf", files[0].1);
            ask_all(&mut client, &text);
        }
    }
}

#[test]
fn hostile_options_are_messages() {
    for (pattern, is_wrong) in patterns::hostile() {
        let files = MemoryFiles::from_iter([("/w/main.tf", "locals {\n  a = 1\n}\n")]);
        let mut client = Client::with(&[], &capabilities(&["utf-16"]));
        client.server = Server::new(Arc::new(files));
        let options: Value = json!({ "specs": { pattern.as_str(): "s.hcldec" } });
        let parameters = json!({ "processId": null, "rootUri": "file:///w", "capabilities": {}, "initializationOptions": options });
        client.ask("initialize", &parameters).unwrap();
        client.tell("initialized", json!({}));
        let messages = shown(&client.sent);
        let says = messages.iter().any(|message| message.contains("`specs`"));
        assert_eq!(says, is_wrong, "{pattern:.60}: {messages:?}");
        ask_all(&mut client, &pattern);
    }
}

/// A repository can contain the file, and each entry takes time and memory.
#[test]
fn settings_have_a_size() {
    let many = |count: usize, one: fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().concat();
    for (text, why) in [
        (format!("languages = [{}]\n", "\"a\",".repeat(101)), "`languages` has more than 100 entries"),
        (format!("schemas = [{}]\n", "\"a\",".repeat(1_001)), "`schemas` has more than 1000 entries"),
        (
            format!("[specs]\n{}", many(1_001, |at| format!("a{at} = \"s\"\n"))),
            "`specs` has more than 1000 entries",
        ),
        (
            format!("[modules]\n{}", many(1_001, |at| format!("a{at} = \"s\"\n"))),
            "`modules` has more than 1000 entries",
        ),
        (
            format!("[specs]\n{}", many(20, |at| format!("\"{at}{}\" = \"s\"\n", "?".repeat(4_000)))),
            "the patterns of `specs` are longer than 64 KiB",
        ),
        ("# comment\n".repeat(200_000), "the file is larger than 1 MiB"),
    ] {
        assert_eq!(Settings::parse(&text).unwrap_err(), why);
    }
    // Nested values and keys.
    for deep in [format!("languages = {}\n", "[".repeat(100_000)), format!("a{} = 1\n", ".a".repeat(100_000))]
    {
        assert!(Settings::parse(&deep).is_err());
    }
}
