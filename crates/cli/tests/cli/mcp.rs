//! `hcl mcp`: each tool does what its command does, within the roots, the limits and without sensitive values, and writes files only
//! with `--write`.
#![cfg(feature = "mcp")]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::program::{Folder, program};

/// A client.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
    roots: Option<Vec<String>>,
}

impl Client {
    /// Starts a session in a directory. With roots, the client says that it has some.
    fn start(directory: &Path, options: &[&str], roots: Option<Vec<String>>) -> Self {
        let mut command = Command::new(program());
        command.arg("mcp").args(options).current_dir(directory);
        command.env("TF_VAR_token", "hunter2").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let capabilities = if roots.is_some() { json!({"roots": {}}) } else { json!({}) };
        let mut client = Self { child, input, output, next: 0, roots };
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": "test", "version": "1"}});
        let info = client.request("initialize", params);
        assert_eq!(info["result"]["serverInfo"]["name"], "hcl");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    /// The answer to a request. The server may ask for roots meanwhile.
    #[allow(clippy::needless_pass_by_value, reason = "it is made for the request")]
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["method"] == "roots/list" {
                let roots: Vec<Value> = self.roots.iter().flatten().map(|uri| json!({"uri": uri})).collect();
                self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": {"roots": roots}}));
            } else if message["id"] == id {
                return message;
            }
        }
    }

    fn tools(&mut self) -> Vec<Value> {
        self.request("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone()
    }

    #[allow(clippy::needless_pass_by_value, reason = "it is made for the call")]
    fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": name, "arguments": arguments}))
    }

    /// The structured content of a call that the server accepts.
    fn result(&mut self, name: &str, arguments: Value) -> Value {
        let answer = self.call(name, arguments);
        assert!(answer["result"]["structuredContent"].is_object(), "{name}: {answer}");
        answer["result"]["structuredContent"].clone()
    }

    fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

const MODULE: &str = "variable \"size\" {\n  default = 1\n}\nvariable \"token\" {\n  sensitive = true\n}\nlocals {\n  twice = var.size * 2\n}\nresource \"disk\" \"a\" {\n  size     = local.twice\n  password = \"x-${var.token}\"\n}\noutput \"twice\" {\n  value = local.twice\n}\n";

fn folder() -> Folder {
    Folder::with(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("app/main.tf", MODULE),
        ("next/main.tf", &MODULE.replace("default = 1", "default = 4")),
        ("wrong/main.tf", "locals {\n  a = loca.b\n}\noutput \"o\" {\n  value = local.a\n"),
        ("loose/main.tf", "locals {\n    a=1\n}\n"),
        ("fixable/main.tf", "locals {\n  a = [1 2]\n}\n"),
    ])
}

/// For each tool, arguments with which it works in the directory.
fn arguments(tool: &str) -> Value {
    match tool {
        "check" => json!({"paths": ["wrong"]}),
        "fix" => json!({"paths": ["fixable"]}),
        "format" => json!({"paths": ["loose"]}),
        "eval" => json!({"directory": "app", "addresses": ["local.*", "disk.a"]}),
        "explain" => json!({"directory": "app", "addresses": ["output.twice", "disk.a.password"]}),
        "references" => json!({"name": "local.twice", "paths": ["app"]}),
        "rename" => json!({"name": "local.twice", "new_name": "double", "paths": ["app"]}),
        "edit" => json!({"edits": ["variable.size.default=3"], "paths": ["app/main.tf"]}),
        "diff" => json!({"old_directory": "app", "new_directory": "next", "explain": true}),
        "query" => json!({"path": "variable.*.default", "paths": ["app"]}),
        "schema" => json!({"block": "variable"}),
        other => panic!("list arguments of the tool {other}"),
    }
}

fn files(folder: &Folder) -> BTreeMap<String, String> {
    ["app", "next", "wrong", "loose"]
        .map(|name| (name.to_owned(), folder.read(&format!("{name}/main.tf"))))
        .into()
}

#[test]
fn each_tool_does_what_its_command_does() {
    let folder = folder();
    let mut client = Client::start(folder.root(), &[], None);
    let expected = [
        ("check", "\"code\":\"unclosed-block\""),
        ("fix", "+  a = [1, 2]"),
        ("format", "+  a = 1"),
        ("eval", "\"local.twice\":2"),
        ("explain", "\"address\":\"var.size\""),
        ("references", "app/main.tf"),
        ("rename", "+  double = var.size * 2"),
        ("edit", "+  default = 3"),
        ("diff", "\"new\":{\"value\":8}"),
        ("query", "\"result\":[1]"),
        ("schema", "\"default\""),
    ];
    let names: Vec<String> =
        client.tools().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(names, expected.map(|(name, _)| name));
    for (name, text) in expected {
        let found = client.result(name, arguments(name));
        assert!(found["exit_code"].as_u64() <= Some(1), "{name}: {found}");
        assert!(found.to_string().contains(text), "{name}: {found}");
    }
    client.end();
}

#[test]
fn tools_describe_what_they_take_and_refuse_the_rest() {
    let folder = folder();
    let mut client = Client::start(folder.root(), &[], None);
    for tool in client.tools() {
        let name = tool["name"].as_str().unwrap().to_owned();
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{name}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        assert!(tool["outputSchema"]["properties"]["exit_code"].is_object(), "{name}");
        for property in tool["inputSchema"]["properties"].as_object().unwrap().values() {
            assert!(property["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}");
        }
        for (key, value) in [
            ("nothing", json!(1)),
            ("paths", json!("a")),
            ("cursor", json!(7)),
            ("write", json!(true)),
            ("directory", json!(["a"])),
        ] {
            let mut given = arguments(&name);
            given[key] = value;
            let answer = client.call(&name, given);
            assert_eq!(answer["error"]["code"], -32602, "{name} {key}: {answer}");
        }
    }
    assert!(client.call("nothing", json!({}))["error"].is_object());
    client.end();
}

#[test]
fn paths_stay_in_the_roots() {
    let folder = Folder::with(&[
        ("root/.git/HEAD", ""),
        ("root/app/main.tf", MODULE),
        ("outside/main.tf", "locals {\n  canary = \"canary-c4f1\"\n}\n"),
    ]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path("outside"), folder.path("root/link")).unwrap();
    let outside = folder.path("outside").display().to_string();
    let root = format!("file://{}", folder.path("root").display());
    // In the roots of the client, and without any in the current directory.
    for (directory, roots) in [("root", None), ("outside", Some(vec![root]))] {
        let mut client = Client::start(&folder.path(directory), &[], roots);
        for tool in client.tools() {
            let name = tool["name"].as_str().unwrap().to_owned();
            for (key, property) in tool["inputSchema"]["properties"].as_object().unwrap() {
                let is_path =
                    ["paths", "directory", "directories", "variable_files", "old_directory", "new_directory"]
                        .contains(&key.as_str());
                if !is_path {
                    continue;
                }
                for path in ["../outside", &outside, "app/../../outside", "link", "link/main.tf", "/"] {
                    let mut given = arguments(&name);
                    given[key] = if property["type"] == "array" { json!([path]) } else { json!(path) };
                    let answer = client.call(&name, given);
                    assert_eq!(answer["error"]["code"], -32602, "{name} {key} {path}: {answer}");
                }
            }
            // No text of a client is an option or a path elsewhere.
            for text in ["--write", "-f../outside/main.tf", "--allow-fs=/", &outside] {
                let mut given = arguments(&name);
                for key in ["name", "new_name", "path", "old", "new", "block", "language"] {
                    if tool["inputSchema"]["properties"][key].is_object() {
                        given[key] = json!(text);
                    }
                }
                for key in ["addresses", "edits", "variables"] {
                    if tool["inputSchema"]["properties"][key].is_object() {
                        given[key] = json!([text]);
                    }
                }
                let answer = client.call(&name, given).to_string();
                assert!(!answer.contains("canary-c4f1"), "{name} {text}: {answer}");
            }
        }
        let found = client.result("eval", json!({"directory": "app", "addresses": ["local.twice"]}));
        assert_eq!(found["result"]["local.twice"], 2, "{found}");
        client.end();
    }
    assert_eq!(folder.read("root/app/main.tf"), MODULE);
}

#[test]
fn no_tool_shows_a_sensitive_value() {
    let folder = folder();
    let mut client = Client::start(folder.root(), &[], None);
    for tool in client.tools() {
        let name = tool["name"].as_str().unwrap().to_owned();
        for given in [
            arguments(&name),
            json!({"paths": ["app"]}),
            json!({"directory": "app"}),
            json!({"old_directory": "next", "new_directory": "app"}),
        ] {
            let answer = client.call(&name, given).to_string();
            assert!(!answer.to_lowercase().contains("hunter2"), "{name}: {answer}");
        }
    }
    client.end();
}

#[test]
fn results_are_bounded_and_have_pages() {
    let folder = folder();
    let many: Vec<String> = (0..3_000).map(|at| format!("  name{at} = \"value {at} é\"\n")).collect();
    let many = many.concat();
    folder.write("many/main.tf", format!("locals {{\n{many}}}\n"));
    let endless =
        (0..40).fold("\"x\"".to_owned(), |text, _| format!("[for v in [{text}] : \"${{v}}${{v}}\"][0]"));
    folder.write(
        "endless/main.tf",
        format!("locals {{\n  x = {endless}\n}}\noutput \"x\" {{\n  value = local.x\n}}\n"),
    );
    folder
        .write("deep/main.tf", format!("locals {{\n  x = {}{}\n}}\n", "[".repeat(3_000), "]".repeat(3_000)));
    let mut client = Client::start(folder.root(), &[], None);
    let (mut text, mut cursor) = (String::new(), None::<String>);
    for _ in 0..100 {
        let mut given = json!({"directory": "many"});
        if let Some(cursor) = &cursor {
            given["cursor"] = json!(cursor);
        }
        let found = client.result("eval", given);
        assert!(found.to_string().len() < 120_000);
        text += found["text"].as_str().unwrap();
        cursor = found["next_cursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    let whole: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(whole["local.name2999"], "value 2999 é");
    // A limit ends what does not end, and the session goes on.
    for tool in client.tools() {
        let name = tool["name"].as_str().unwrap().to_owned();
        for directory in ["endless", "deep"] {
            let mut given = arguments(&name);
            for (key, value) in given.as_object_mut().unwrap() {
                match key.as_str() {
                    "paths" => *value = json!([format!("{directory}/main.tf")]),
                    "directory" | "old_directory" => *value = json!(directory),
                    _ => {}
                }
            }
            let answer = client.call(&name, given);
            assert!(answer.to_string().len() < 400_000, "{name}: {}", answer.to_string().len());
        }
    }
    client.end();
}

#[test]
fn files_are_written_only_with_the_option() {
    let folder = folder();
    let before = files(&folder);
    let mut client = Client::start(folder.root(), &[], None);
    for tool in client.tools() {
        let name = tool["name"].as_str().unwrap();
        client.call(name, arguments(name));
        let mut given = arguments(name);
        given["write"] = json!(true);
        assert!(client.call(name, given)["error"].is_object(), "{name}");
    }
    client.end();
    assert_eq!(files(&folder), before);
    let mut client = Client::start(folder.root(), &["--write"], None);
    for (name, file, text) in [
        ("rename", "app/main.tf", "double = var.size * 2"),
        ("edit", "app/main.tf", "default = 3"),
        ("format", "loose/main.tf", "  a = 1\n"),
    ] {
        let mut given = arguments(name);
        let tools = client.tools();
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        assert_eq!(tool["annotations"]["destructiveHint"], true, "{name}");
        // Nothing is written unless a call asks for it.
        let text_before = folder.read(file);
        client.result(name, given.clone());
        assert_eq!(folder.read(file), text_before, "{name}");
        given["write"] = json!(true);
        client.result(name, given);
        assert!(folder.read(file).contains(text), "{name}: {}", folder.read(file));
    }
    client.end();
}

/// Texts of which hostile arguments are made.
const HOSTILE: &[&str] = &[
    "",
    "..",
    "../outside",
    "\u{0}",
    "-",
    "--",
    "--write",
    "🦀\u{202e}",
    "[",
    "local.*[",
    "${",
    "%{",
    "main...",
    "HEAD~9",
    ":index",
    "~/",
    "file://",
    "app",
    "app/main.tf",
    "/",
    "/proc/self/environ",
    "variable.*",
    "..*",
    "a.b=",
    "=[for x in y",
    "\n",
    "\"",
    "0",
    "9999999999999999999999",
];

/// A text of some of these, or a very long one.
fn hostile_text(rng: &mut fastrand::Rng) -> String {
    if rng.u8(0..20) == 0 {
        return HOSTILE[rng.usize(..HOSTILE.len())].repeat(rng.usize(100..2_000));
    }
    (0..rng.usize(1..4)).map(|_| HOSTILE[rng.usize(..HOSTILE.len())]).collect()
}

fn hostile_value(rng: &mut fastrand::Rng, property: &Value) -> Value {
    match rng.u8(0..8) {
        0 => json!({"a": [hostile_text(rng)]}),
        1 => json!(rng.i64(..)),
        2 => Value::Null,
        _ if property["type"] == "array" => (0..rng.usize(0..4)).map(|_| json!(hostile_text(rng))).collect(),
        _ if property["type"] == "boolean" => json!(rng.bool()),
        _ if property["type"] == "integer" => json!(rng.i8(..)),
        _ => json!(hostile_text(rng)),
    }
}

/// Whatever a call says, there is an answer, which is bounded and shows nothing secret. Nothing is written, and the session goes on.
#[test]
fn hostile_calls_end_no_session() {
    let folder = Folder::with(&[("outside/main.tf", "locals {\n  canary = \"canary-c4f1\"\n}\n")]);
    for (name, text) in [
        ("app", MODULE),
        ("next", MODULE),
        ("wrong", "locals {\n  a = loca.b\n"),
        ("loose", "locals {\n    a=1\n}\n"),
        ("fixable", "locals {\n  a = [1 2]\n}\n"),
    ] {
        folder.write(&format!("root/{name}/main.tf"), text);
    }
    folder.write("root/.git/HEAD", "ref: refs/heads/main\n");
    let read = || {
        ["app", "next", "wrong", "loose", "fixable"].map(|name| folder.read(&format!("root/{name}/main.tf")))
    };
    let before = read();
    let mut client = Client::start(&folder.path("root"), &[], None);
    let mut rng = fastrand::Rng::with_seed(hclkit_test_cases::seed(3));
    let tools = client.tools();
    let (mut results, mut refused) = (0, 0);
    for number in 0..hclkit_test_cases::rounds(200) {
        let tool = &tools[rng.usize(..tools.len())];
        let name = tool["name"].as_str().unwrap();
        // One argument of a call that works, some of them, or all.
        let most = [1, 2, 100][rng.usize(..3)];
        let mut given = if most < 100 { arguments(name) } else { json!({}) };
        let mut properties: Vec<_> = tool["inputSchema"]["properties"].as_object().unwrap().iter().collect();
        rng.shuffle(&mut properties);
        for (key, property) in properties.into_iter().take(most) {
            given[key] = hostile_value(&mut rng, property);
        }
        let answer = client.call(name, given.clone());
        let (result, error) = (answer["result"].is_object(), answer["error"].is_object());
        assert!(result || error, "{number} {name} {given}: {answer}");
        results += u32::from(result);
        refused += u32::from(error);
        let text = answer.to_string();
        assert!(text.len() < 400_000, "{number} {name}: {}", text.len());
        for secret in ["hunter2", "canary-c4f1"] {
            assert!(!text.contains(secret), "{number} {name} {given}: {text}");
        }
    }
    assert!(results > 20 && refused > 20, "{results} results, {refused} refused");
    let found = client.result("eval", json!({"directory": "app", "addresses": ["local.twice"]}));
    assert_eq!(found["result"]["local.twice"], 2, "{found}");
    client.end();
    assert_eq!(read(), before);
}

/// The resident memory of a process, in KiB.
#[cfg(target_os = "linux")]
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes some minutes"]
fn ten_thousand_calls_need_no_more_memory_than_a_thousand() {
    let folder = folder();
    let mut client = Client::start(folder.root(), &[], None);
    let tools: Vec<String> =
        client.tools().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
    let mut after_a_thousand = 0;
    for number in 1..=10_000 {
        let tool = &tools[number % tools.len()];
        client.result(tool, arguments(tool));
        if number == 1_000 {
            after_a_thousand = resident(client.child.id());
        }
    }
    let now = resident(client.child.id());
    println!("{after_a_thousand} KiB after 1,000 calls, {now} KiB after 10,000");
    assert!(now * 2 <= after_a_thousand * 3, "{after_a_thousand} KiB, {now} KiB");
    client.end();
}
