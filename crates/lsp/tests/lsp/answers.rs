//! Answers to all requests at all places: none shows what is declared as sensitive, and Markdown in them only formats text.

use std::collections::BTreeMap;

use hclkit_test_cases::{rounds, secrets, seed, seeds};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

use crate::capabilities;
use crate::client::Client;
use crate::random::methods;

const CANARY: &str = "canary7c1d";

/// Requests whose answers change the document that they are about, so that they have its text.
const CHANGING: [&str; 4] = [
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/codeAction",
    "textDocument/rename",
];

const DECLARED: &str = r#"variable "a" {
  type      = object({ x = optional(string, "CANARY") })
  default   = { y = "CANARY" }
  sensitive = tru
}
variable "b" {
  default = "CANARY"
  type    = object({ z = optional(string, "CANARY") })
}
variable "c" {
  default   = "CANARY"
  ephemeral = true
}
variable "d" {
  type = string
  sensitive = true
}
locals {
  e = sensitive("CANARY")
  f = "x-${sensitive("CANARY")}"
  g = { "h" = sensitive({ CANARY = 1 }) }
}
module "m" {
  source = "git::https://u:CANARY@x.org/a.git?token=CANARY&ref=v1"
}
module "n" {
  source = "./n"
  token  = var.a
}
output "o" {
  value     = "CANARY"
  sensitive = null
}
"#;

const USES: &str = r#"locals {
  all = [var.a, var.b, var.c, var.d, local.e, local.f, local.g, module.m, module.n.p]
  one = { x = var.a.x, y = upper(local.e), z = module.n.p, w = local.g.h }
  two = [for k, v in local.g : "${k}-${local.f}"]
}
resource "terraform_data" "x" {
  input = module.m.anything
}
output "used" {
  value = local.all
}
"#;

const CALLED: &str = "variable \"token\" {\n  sensitive = true\n}\noutput \"p\" {\n  value = \"CANARY-${var.token}\"\n  sensitive {}\n}\n";

fn parameters(uri: &str, line: usize, character: usize) -> Value {
    let place = json!({ "line": line, "character": character });
    json!({
        "textDocument": { "uri": uri },
        "position": place,
        "positions": [place],
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 1000, "character": 0 } },
        "newName": "renamed",
        "query": "",
        "context": { "includeDeclaration": true, "diagnostics": [] },
        "options": { "tabSize": 2, "insertSpaces": true },
        "previousResultId": "0",
        "item": { "name": "x", "kind": 1, "uri": uri, "range": { "start": place, "end": place }, "selectionRange": { "start": place, "end": place }, "data": "/w" },
        "files": [],
    })
}

/// Sends all requests at the places of a document. The other documents are closed.
fn ask_everything(files: &[(&str, String)], path: &str, mut each: impl FnMut(&str, &Value, &str)) {
    let named: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let mut client = Client::with(&named, &capabilities(&["utf-8"]));
    let text = &files.iter().find(|(own, _)| *own == path).unwrap().1;
    let uri = format!("file://{path}");
    client.open(&uri, text);
    for published in client.published() {
        each("textDocument/publishDiagnostics", &published, "");
    }
    for (number, line) in text.lines().enumerate() {
        let places = (0..=line.len()).filter(|at| line.is_char_boundary(*at));
        for character in places {
            for method in methods() {
                // What is about the whole document is asked once for each line.
                let is_place =
                    ["hover", "completion", "signatureHelp"].iter().any(|own| method.ends_with(own));
                if is_place && (character + number) % 2 == 0 || !is_place && character == line.len() / 2 {
                    let answer = client.ask(method, &parameters(&uri, number, character));
                    if let Ok(answer) = answer {
                        each(method, &answer, line);
                    }
                }
            }
        }
    }
}

fn secret_files() -> Vec<(&'static str, String)> {
    let secret = |text: &str| text.replace("CANARY", CANARY);
    vec![
        ("/w/main.tf", secret(DECLARED)),
        ("/w/override.tf", "variable \"b\" {\n  sensitive = true\n}\n".to_owned()),
        ("/w/uses.tf", USES.to_owned()),
        ("/w/n/main.tf", secret(CALLED)),
        ("/w/x.auto.tfvars", secret("d = \"CANARY\"\n")),
    ]
}

#[test]
fn no_answer_shows_what_is_sensitive() {
    for path in ["/w/uses.tf", "/w/main.tf", "/w/n/main.tf"] {
        let mut hovers = String::new();
        ask_everything(&secret_files(), path, |method, answer, line| {
            let text = answer.to_string();
            // Errors and edits are about the text of the open document.
            let is_own = path != "/w/uses.tf" && (CHANGING.contains(&method) || method.contains("iagnostic"));
            assert!(is_own || !text.to_lowercase().contains(CANARY), "{method} at `{line}`: {text}");
            hovers.push_str(&text);
        });
        assert!(hovers.contains("(sensitive)") || path == "/w/n/main.tf", "{path}: nothing was explained");
    }
}

/// The same of random modules that declare secrets in all ways.
#[test]
fn no_answer_shows_secrets_of_random_modules() {
    for seed in seeds(1) {
        let mut random = fastrand::Rng::with_seed(seed);
        let module = secrets::terraform(CANARY, &mut |below| random.usize(..below));
        let files: Vec<(String, String)> =
            module.files.into_iter().map(|(path, text)| (format!("/w/{path}"), text)).collect();
        let files: Vec<(&str, String)> =
            files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
        for (path, _) in files.iter().filter(|(path, _)| !path.ends_with("json") && !path.contains("tfvars"))
        {
            let is_open = !path.ends_with(&module.uses);
            ask_everything(&files, path, |method, answer, line| {
                let text = answer.to_string();
                // The outline has the names of its document.
                let is_own = is_open
                    && (CHANGING.contains(&method)
                        || method.contains("iagnostic")
                        || method == "textDocument/documentSymbol");
                let shows = text.to_lowercase().contains(CANARY);
                assert!(is_own || !shows, "seed {seed}: {path}: {method} at `{line}`: {text}\n{files:#?}");
            });
        }
    }
}

/// Pieces of hostile descriptions. Nothing in them loads: the host is reserved.
const PIECES: [&str; 38] = [
    "![a](https://x.invalid/a.png)",
    "<img src=\\\"https://x.invalid/a.png\\\">",
    "<b>",
    "</b>",
    "<!-- x -->",
    "<a href='x'>",
    "[text](https://x.invalid)",
    "[text][r]",
    "\\n\\n[r]: https://x.invalid\\n",
    "[https://a.invalid](https://b.invalid)",
    "<https://x.invalid>",
    "https://x.invalid/a_b_",
    "www.x.invalid",
    "![a][r]",
    "`",
    "``",
    "```",
    "\\n```\\n",
    "\\n~~~\\n",
    "*",
    "**",
    "_",
    "\\\\",
    "\\n",
    "\\n\\n",
    "\\n- ",
    "\\n1. ",
    "\\n# ",
    "\\n> ",
    "|",
    "\\n|-|-|\\n",
    "&lt;",
    "&#33;[",
    "!",
    "[",
    "](",
    ")",
    "word ",
];

fn hostile(random: &mut fastrand::Rng) -> String {
    (0..random.usize(1..14)).map(|_| PIECES[random.usize(..PIECES.len())]).collect()
}

/// What in Markdown, with the extensions that editors have, is more than formatted text.
fn beyond_text(markdown: &str) -> Option<String> {
    let mut link: Option<(String, String)> = None;
    for event in Parser::new_ext(markdown, Options::all()) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => return Some(format!("HTML: {html}")),
            Event::Start(Tag::Image { dest_url, .. }) => return Some(format!("an image: {dest_url}")),
            Event::Start(Tag::Link { dest_url, link_type, .. }) => {
                let _: LinkType = link_type;
                link = Some((dest_url.into_string(), String::new()));
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, shown)) = &mut link {
                    shown.push_str(&text);
                }
            }
            Event::End(TagEnd::Link) => {
                let (target, shown) = link.take()?;
                if target != shown {
                    return Some(format!("a link to {target} that shows {shown}"));
                }
            }
            _ => {}
        }
    }
    None
}

fn each_markdown(answer: &Value, call: &mut impl FnMut(&str)) {
    match answer {
        Value::Object(all) => {
            if all.get("kind").and_then(Value::as_str) == Some("markdown") {
                call(all["value"].as_str().unwrap());
            }
            all.values().for_each(|inner| each_markdown(inner, call));
        }
        Value::Array(all) => all.iter().for_each(|inner| each_markdown(inner, call)),
        _ => {}
    }
}

#[test]
fn markdown_only_formats_text() {
    let mut random = fastrand::Rng::with_seed(seed(47));
    let (mut seen, mut said) = (BTreeMap::new(), 0);
    for _ in 0..rounds(3) {
        let mut text = || hostile(&mut random);
        let main = format!(
            "variable \"a\" {{\n  type = object({{ x = optional(string, \"{}\") }})\n  description = \"{}\"\n  default = {{}}\n}}\noutput \"o\" {{\n  description = \"{}\"\n  value = var.a\n}}\nmodule \"m\" {{\n  source = \"./m{}\"\n}}\nlocals {{\n  l = [var.a, output.o, module.m, join(\"{}\", [])]\n}}\nresource \"x{}\" \"y\" {{\n}}\n",
            text(),
            text(),
            text(),
            text(),
            text(),
            text(),
        );
        let main = main + "resource \"a_one\" \"y\" {\n  own = 1\n  inner {\n  }\n}\n";
        let schemas = format!(
            r#"{{ "provider_schemas": {{ "registry.terraform.io/hashicorp/a": {{ "resource_schemas": {{ "a_one": {{ "block": {{
                "description": "{}", "attributes": {{ "own": {{ "type": "string", "optional": true, "description": "{}" }} }},
                "block_types": {{ "inner": {{ "nesting_mode": "list", "block": {{ "description": "{}" }} }} }}
            }} }} }} }} }} }}"#,
            text(),
            text(),
            text(),
        );
        // Comments end with their lines.
        let mut line = || text().replace("\\n", " ");
        let spec = format!(
            "object {{\n  # {}\n  # @deprecated {}\n  # @link https://x.invalid/{}\n  attr \"port\" {{\n    type = number\n  }}\n  # {}\n  block \"b\" {{\n    object {{\n    }}\n  }}\n}}\n",
            line(),
            line(),
            line(),
            line(),
        );
        let settings = "schemas = [\"schemas.json\"]\n[specs]\n\"*.one\" = \"s.hcldec\"\n";
        let files = [
            ("/w/main.tf", main),
            ("/w/hcl.toml", settings.to_owned()),
            ("/w/schemas.json", schemas),
            ("/w/s.hcldec", spec),
            ("/w/a.one", "port = 1\nb {\n}\n".to_owned()),
        ];
        for path in ["/w/main.tf", "/w/a.one"] {
            ask_everything(&files, path, |method, answer, line| {
                each_markdown(answer, &mut |markdown| {
                    *seen.entry(path).or_insert(0) += 1;
                    said += usize::from(line.contains("own = 1"));
                    assert_eq!(beyond_text(markdown), None, "{method} at `{line}`: {markdown}\n{files:?}");
                });
            });
        }
    }
    assert!(seen.values().all(|count| *count > 10) && seen.len() == 2 && said > 0, "{seen:?} {said}");
}
