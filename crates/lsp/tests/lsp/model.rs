//! A model client: random edits, opens, closes, saves, renames, fixes and changes on disk. After each step, the server has the
//! client's texts, and at intervals its answers are those of a new server, so that nothing is out of date.

use std::collections::BTreeMap;
use std::sync::Arc;

use hclkit_test_cases::rounds;
use serde_json::{Value, json};

use super::capabilities;
use super::client::{Client, edited, offset};
use super::files::Changing;

const FILES: [(&str, &str); 8] = [
    ("/w/main.tf", include_str!("../../../../examples/infrastructure/main.tf")),
    ("/w/variables.tf", include_str!("../../../../examples/infrastructure/variables.tf")),
    (
        "/w/ä.tf",
        "locals {\n  size  = 2\n  zones = [for n in range(local.size) : \"😀${n}\"]\n}\nmodule \"net\" {\n  source = \"./net\"\n  cidr   = local.size\n}\noutput \"net\" {\n  value = module.net.twice\n}\n",
    ),
    (
        "/w/net/main.tf",
        "variable \"cidr\" {\n  type = number\n}\noutput \"twice\" {\n  value = var.cidr * 2\n}\nlocals {\n  text = <<-EOT\n    é ${var.cidr}\n      %{ if true }x%{ endif }\n\n  EOT\n  used = upper(local.text)\n}\n",
    ),
    ("/w/net/extra.tf.json", "{\"locals\": {\"more\": \"${local.used}\"}}\n"),
    ("/w/terraform.tfvars", "name = \"x\"\n"),
    ("/w/docker-bake.hcl", include_str!("../../../../examples/bake/docker-bake.hcl")),
    ("/w/web.nomad", include_str!("../../../../examples/nomad/web.nomad")),
];

const PIECES: [&str; 22] = [
    "var.cidr",
    "local.size",
    "module.net.twice",
    "\n",
    "\r\n",
    "{\n",
    "}\n",
    "\"",
    "${",
    "<<-EOT\n  ä\n",
    "  EOT\n",
    " = ",
    "1",
    "'x'",
    "😀",
    "# c\n",
    "[",
    ", ",
    "variable \"new\" {}\n",
    "locals {\n  new = 1\n}\n",
    "/* x\n y */",
    "upper(\"x\")",
];

fn uri(path: &str) -> String {
    format!("file://{}", path.replace('ä', "%C3%A4"))
}

fn path(uri: &str) -> String {
    uri.trim_start_matches("file://").replace("%C3%A4", "ä")
}

/// The position of a byte offset, counted as the protocol says, and not by the code of the server.
fn position(text: &str, at: usize, encoding: &str) -> Value {
    let (mut line, mut character) = (0_u64, 0);
    let mut signs = text[..at].chars().peekable();
    while let Some(sign) = signs.next() {
        if sign == '\r' && signs.peek() == Some(&'\n') {
            continue;
        }
        if sign == '\n' || sign == '\r' {
            (line, character) = (line + 1, 0);
            continue;
        }
        character += match encoding {
            "utf-8" => sign.len_utf8(),
            "utf-16" => sign.len_utf16(),
            _ => 1,
        };
    }
    json!({ "line": line, "character": character })
}

/// The lengths of the lines in units of the encoding.
fn lengths(text: &str, encoding: &str) -> Vec<u64> {
    let plain = text.replace("\r\n", "\n").replace('\r', "\n");
    let size = |line: &str| match encoding {
        "utf-8" => line.len(),
        "utf-16" => line.encode_utf16().count(),
        _ => line.chars().count(),
    };
    plain.split('\n').map(|line| size(line) as u64).collect()
}

/// Semantic tokens are in order, do not overlap, and each is in its line.
fn check_tokens(text: &str, answer: &Value, encoding: &str) {
    let lengths = lengths(text, encoding);
    let numbers: Vec<u64> =
        answer["data"].as_array().unwrap().iter().map(|own| own.as_u64().unwrap()).collect();
    let (mut line, mut end) = (0_usize, 0_u64);
    let mut start = 0;
    for token in numbers.chunks(5) {
        if token[0] > 0 {
            (line, start, end) = (line + token[0] as usize, 0, 0);
        }
        start += token[1];
        assert!(token[2] > 0 && start >= end, "{token:?} in line {line} of {text:?}");
        end = start + token[2];
        assert!(end <= lengths[line], "{token:?} reaches over the end of line {line} of {text:?}");
    }
}

/// All ranges in an answer are in the text.
fn check_ranges(text: &str, answer: &Value, encoding: &str) {
    let lengths = lengths(text, encoding);
    for found in answer["items"].as_array().unwrap() {
        let at = |name: &str| {
            let place = &found["range"][name];
            (place["line"].as_u64().unwrap(), place["character"].as_u64().unwrap())
        };
        let (start, end) = (at("start"), at("end"));
        assert!(start <= end, "{found}");
        assert!(
            end.1 <= lengths[end.0 as usize] && start.1 <= lengths[start.0 as usize],
            "{found} in {text:?}"
        );
    }
}

struct Model {
    encoding: &'static str,
    able: Value,
    watches: bool,
    disk: Arc<Changing>,
    client: Client,
    /// The open documents, by address.
    open: BTreeMap<String, (String, i32)>,
    random: fastrand::Rng,
    renamed: usize,
}

impl Model {
    fn new(encoding: &'static str, watches: bool, seed: u64) -> Self {
        let disk = Arc::new(Changing::with(&FILES));
        let offered: &[&str] = match encoding {
            "utf-8" => &["utf-16", "utf-8"],
            "utf-16" => &[],
            _ => &["utf-32"],
        };
        let mut able = capabilities(offered);
        able["textDocument"]["diagnostic"] = json!({});
        able["workspace"]["didChangeWatchedFiles"] = json!({ "dynamicRegistration": watches });
        let client = Client::new(disk.clone(), &able);
        let random = fastrand::Rng::with_seed(seed);
        Self { encoding, able, watches, disk, client, open: BTreeMap::new(), random, renamed: 0 }
    }

    fn write(&mut self, path: &str, text: &str) {
        self.disk.set(path, text);
        if self.watches {
            let change = json!({ "changes": [{ "uri": uri(path), "type": 2 }] });
            self.client.tell("workspace/didChangeWatchedFiles", change);
        }
    }

    fn any_open(&mut self) -> Option<String> {
        let all: Vec<&String> = self.open.keys().collect();
        (!all.is_empty()).then(|| all[self.random.usize(..all.len())].clone())
    }

    /// Replaces a part of an open document.
    fn replace(&mut self, uri: &str, from: usize, to: usize, new: &str) {
        let (text, version) = self.open.get_mut(uri).unwrap();
        *version += 1;
        let (start, end) = (position(text, from, self.encoding), position(text, to, self.encoding));
        // Positions cannot be between the characters of a line break.
        let (from, to) = (offset(text, &start, self.encoding), offset(text, &end, self.encoding));
        text.replace_range(from..to, new);
        let change = json!({
            "textDocument": { "uri": uri, "version": version },
            "contentChanges": [{ "range": { "start": start, "end": end }, "text": new }],
        });
        self.client.tell("textDocument/didChange", change);
    }

    fn boundary(&mut self, text: &str) -> usize {
        let mut at = self.random.usize(..=text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// Applies the edits of an answer: to documents if they are open, else to files.
    fn apply(&mut self, edit: &Value) {
        for change in edit["documentChanges"].as_array().into_iter().flatten() {
            let uri = change["textDocument"]["uri"].as_str().unwrap().to_owned();
            let edits = change["edits"].as_array().unwrap();
            if let Some((text, version)) = self.open.get(&uri).cloned() {
                assert_eq!(change["textDocument"]["version"], version, "edits of an old version");
                let after = edited(&text, edits, self.encoding);
                self.replace(&uri, 0, text.len(), &after);
                // The end of the text is a place in its last line.
                assert_eq!(self.open[&uri].0, after);
            } else {
                let text = self.disk.get(&path(&uri)).unwrap();
                let after = edited(&text, edits, self.encoding);
                self.write(&path(&uri), &after);
            }
        }
    }

    fn step(&mut self) {
        let (file, original) = FILES[self.random.usize(..FILES.len())];
        let chosen = self.any_open();
        match (self.random.u8(..24), chosen) {
            (0..=2, _) | (_, None) => {
                let uri = uri(file);
                if !self.open.contains_key(&uri) {
                    let text = self.disk.get(file).unwrap_or_else(|| original.to_owned());
                    self.client.open(&uri, &text);
                    self.open.insert(uri, (text, 1));
                }
            }
            (3, Some(uri)) => {
                self.client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
                self.open.remove(&uri);
            }
            (4, Some(uri)) => {
                let text = self.open[&uri].0.clone();
                self.write(&path(&uri), &text);
                self.client.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
            }
            (5, _) => {
                let at = self.boundary(original);
                let piece = PIECES[self.random.usize(..PIECES.len())];
                let text = format!("{}{piece}{}", &original[..at], &original[at..]);
                let new = if self.random.bool() { original } else { &text };
                self.write(file, new);
            }
            (6, Some(uri)) => {
                let text = self.open[&uri].0.clone();
                let back = FILES.iter().find(|(own, _)| *own == path(&uri)).unwrap().1;
                self.replace(&uri, 0, text.len(), back);
            }
            (7..=10, Some(uri)) => {
                let text = self.open[&uri].0.clone();
                let names: Vec<usize> = text.match_indices(['.', '"']).map(|(at, _)| at + 1).collect();
                if names.is_empty() {
                    return;
                }
                let at = position(&text, names[self.random.usize(..names.len())], self.encoding);
                self.renamed += 1;
                let mut parameters = json!({ "textDocument": { "uri": uri }, "position": at });
                if self.client.ask("textDocument/prepareRename", &parameters).unwrap().is_null() {
                    return;
                }
                parameters["newName"] = json!(format!("renamed_{}", self.renamed));
                if let Ok(edit) = self.client.ask("textDocument/rename", &parameters) {
                    self.apply(&edit);
                }
            }
            (11, Some(uri)) => {
                let options = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 2, "insertSpaces": true } });
                let edits = self.client.ask("textDocument/formatting", &options).unwrap();
                let text = self.open[&uri].0.clone();
                let after = edited(&text, edits.as_array().unwrap(), self.encoding);
                self.replace(&uri, 0, text.len(), &after);
            }
            (12, Some(uri)) => {
                let all =
                    json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
                let parameters =
                    json!({ "textDocument": { "uri": uri }, "range": all, "context": { "diagnostics": [] } });
                let actions = self.client.ask("textDocument/codeAction", &parameters).unwrap();
                let all = actions.as_array().unwrap();
                if !all.is_empty() {
                    let edit = all[self.random.usize(..all.len())]["edit"].clone();
                    self.apply(&edit);
                }
            }
            (_, Some(uri)) => {
                let text = self.open[&uri].0.clone();
                let (from, piece) = (self.boundary(&text), PIECES[self.random.usize(..PIECES.len())]);
                let mut to = from;
                if self.random.bool() {
                    to = (from + self.random.usize(..8)).min(text.len());
                    while !text.is_char_boundary(to) {
                        to += 1;
                    }
                }
                let new = if self.random.u8(..3) > 0 { piece } else { "" };
                self.replace(&uri, from, to, new);
            }
        }
    }

    /// The answers about the open documents.
    fn answers(&self, client: &mut Client, place: &Value) -> Vec<(String, Value)> {
        let mut found = Vec::new();
        for uri in self.open.keys() {
            for method in [
                "textDocument/diagnostic",
                "textDocument/documentSymbol",
                "textDocument/documentLink",
                "textDocument/codeLens",
                "textDocument/foldingRange",
                "textDocument/semanticTokens/full",
            ] {
                let mut answer = client.about(method, uri);
                if let Some(answer) = answer.as_object_mut() {
                    answer.remove("resultId");
                }
                found.push((format!("{method} {uri}"), answer));
            }
            let all =
                json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
            let hints = client
                .ask("textDocument/inlayHint", &json!({ "textDocument": { "uri": uri }, "range": all }));
            found.push((format!("hints {uri}"), hints.unwrap()));
            for method in ["textDocument/hover", "textDocument/references", "textDocument/completion"] {
                let parameters = json!({ "textDocument": { "uri": uri }, "position": place, "context": { "includeDeclaration": true } });
                found.push((format!("{method} {uri} {place}"), client.ask(method, &parameters).unwrap()));
            }
        }
        let symbols = client.ask("workspace/symbol", &json!({ "query": "" })).unwrap();
        found.push(("workspace/symbol".to_owned(), symbols));
        found
    }

    fn compare(&mut self) {
        let mut new = Client::new(self.disk.clone(), &self.able);
        for (uri, (text, version)) in &self.open {
            new.open(uri, text);
            if *version > 1 {
                let same =
                    json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [] });
                new.tell("textDocument/didChange", same);
            }
        }
        let place = json!({ "line": self.random.u32(..20), "character": self.random.u32(..12) });
        let mut old = std::mem::replace(&mut self.client, Client::with(&[], &self.able));
        let (own, expected) = (self.answers(&mut old, &place), self.answers(&mut new, &place));
        for ((question, own), (_, expected)) in own.iter().zip(&expected) {
            assert_eq!(own, expected, "{question} with {:#?}", self.open);
            let text = |method: &str| {
                question.strip_prefix(method).and_then(|uri| Some(&self.open.get(uri.trim())?.0))
            };
            if let Some(text) = text("textDocument/semanticTokens/full") {
                check_tokens(text, own, self.encoding);
            }
            if let Some(text) = text("textDocument/diagnostic") {
                check_ranges(text, own, self.encoding);
            }
        }
        self.client = old;
    }
}

fn run(encoding: &'static str, watches: bool, seed: u64) {
    let mut model = Model::new(encoding, watches, hclkit_test_cases::seed(seed));
    let turns = rounds(160);
    for turn in 0..turns {
        model.step();
        for (uri, (text, _)) in &model.open {
            assert_eq!(model.client.server.text(uri).as_ref(), Some(text), "turn {turn}");
        }
        if turn % 8 == 7 {
            model.compare();
        }
    }
}

#[test]
fn answers_are_those_of_a_new_server_in_utf_8() {
    run("utf-8", true, 11);
}

#[test]
fn answers_are_those_of_a_new_server_in_utf_16() {
    run("utf-16", false, 12);
}

#[test]
fn answers_are_those_of_a_new_server_in_utf_32() {
    run("utf-32", true, 13);
}

/// The cases in which other servers sent negative numbers: heredocs with interpolations over several lines.
#[test]
fn tokens_of_heredocs_are_in_their_lines() {
    let texts = [
        "a = <<EOT\n${jsonencode({\n  b = 1\n})}\nEOT\n",
        "a = <<-EOT\n  x\n    ${join(\",\", [\n      \"ä\", <<I\n😀\nI\n    ])} y\n  EOT\nb = 1\n",
        "a = [<<A\nx\nA\n, <<-B\n  %{ for c in d ~}\n  ${c}\n  %{ endfor ~}\n  B\n]\n",
        "a = <<EOT\r\n${b}\r\n\r\nEOT\r\n/* x\r\n */\r\n",
        "a = <<EOT\n${b",
        "a = <<EOT\nä",
        "a = \"${<<E\nx\nE\n}\"\n",
        "a = <<E\n\n\nE\nb = <<E\nE\n",
    ];
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let mut client = Client::with(&[], &capabilities(&[encoding]));
        for text in texts {
            client.open("file:///w/main.tf", text);
            let answer = client.about("textDocument/semanticTokens/full", "file:///w/main.tf");
            assert!(!answer["data"].as_array().unwrap().is_empty());
            check_tokens(text, &answer, encoding);
        }
    }
}
