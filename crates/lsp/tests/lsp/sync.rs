//! The server's texts equal the client's after any changes, in each encoding.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::capabilities;
use super::client::{Client, edited, offset};

/// A position at a random place, in the units of the encoding.
fn place(random: &mut fastrand::Rng, text: &str, encoding: &str) -> Value {
    let mut lines: Vec<Vec<char>> = vec![Vec::new()];
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        if sign == '\r' && signs.peek() == Some(&'\n') {
            signs.next();
        }
        match sign {
            '\n' | '\r' => lines.push(Vec::new()),
            _ => lines.last_mut().unwrap().push(sign),
        }
    }
    let line = random.usize(..lines.len());
    let size = |sign: &char| match encoding {
        "utf-8" => sign.len_utf8(),
        "utf-16" => sign.len_utf16(),
        _ => 1,
    };
    let count = random.usize(..=lines[line].len());
    let character: usize = lines[line][..count].iter().map(size).sum();
    // Sometimes behind the end of the line or of the text.
    let far = if random.u8(..) < 8 { 1_000 } else { 0 };
    let below = if random.u8(..) < 4 { 50 } else { 0 };
    json!({ "line": line + below, "character": if count == lines[line].len() { character + far } else { character } })
}

fn text(random: &mut fastrand::Rng, most: usize) -> String {
    let pieces = [
        "a",
        "b = ",
        "1",
        "\n",
        "\n",
        "\r\n",
        "\r",
        "ä",
        "😀",
        "var.x",
        "{\n",
        "}\n",
        "\"",
        "${",
        "<<EOT\n",
        "EOT\n",
        "é\u{301}",
        " ",
    ];
    (0..random.usize(..most)).map(|_| pieces[random.usize(..pieces.len())]).collect()
}

fn run(encoding: &str, offered: &[&str], seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut client = Client::with(&[("/w/closed.tf", "variable \"x\" {}\n")], &capabilities(offered));
    let mut open: BTreeMap<String, (String, i32)> = BTreeMap::new();
    let uris =
        ["file:///w/main.tf", "file:///w/%C3%A4.tf", "untitled:Untitled-1", "file:///w/net/main.tf.json"];
    for _ in 0..1_500 {
        let uri = uris[random.usize(..uris.len())].to_owned();
        match (open.get_mut(&uri), random.u8(..20)) {
            (None, _) => {
                let own = text(&mut random, 60);
                client.open(&uri, &own);
                open.insert(uri, (own, 1));
            }
            (Some(_), 0) => {
                client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
                assert_eq!(client.server.text(&uri), None);
                open.remove(&uri);
            }
            (Some((own, version)), 1) => {
                *version += 1;
                *own = text(&mut random, 60);
                client.tell(
                    "textDocument/didChange",
                    json!({
                        "textDocument": { "uri": uri, "version": version },
                        "contentChanges": [{ "text": own }],
                    }),
                );
            }
            (Some((own, _)), 2) => {
                let parameters = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 2, "insertSpaces": true } });
                let edits = client.ask("textDocument/formatting", &parameters).unwrap();
                // Formatting what is formatted changes nothing.
                let after = edited(own, edits.as_array().unwrap(), encoding);
                assert!(!edits.as_array().unwrap().is_empty() || after == *own);
            }
            (Some((own, version)), _) => {
                *version += 1;
                let mut changes = Vec::new();
                for _ in 0..random.usize(1..4) {
                    let (one, other) = (place(&mut random, own, encoding), place(&mut random, own, encoding));
                    let (mut start, mut end) = (one, other);
                    let (mut from, mut to) = (offset(own, &start, encoding), offset(own, &end, encoding));
                    if from > to {
                        std::mem::swap(&mut from, &mut to);
                        std::mem::swap(&mut start, &mut end);
                    }
                    let new = text(&mut random, 6);
                    own.replace_range(from..to, &new);
                    changes.push(json!({ "range": { "start": start, "end": end }, "text": new }));
                }
                client.tell(
                    "textDocument/didChange",
                    json!({
                        "textDocument": { "uri": uri, "version": version },
                        "contentChanges": changes,
                    }),
                );
            }
        }
        for (uri, (own, _)) in &open {
            assert_eq!(client.server.text(uri).as_ref(), Some(own), "{encoding}");
        }
    }
}

#[test]
fn utf_8() {
    run("utf-8", &["utf-8", "utf-16"], 1);
}

#[test]
fn utf_16() {
    run("utf-16", &[], 2);
}

#[test]
fn utf_32() {
    run("utf-32", &["utf-32"], 3);
}
