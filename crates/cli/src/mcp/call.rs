//! Running a tool: a command line in this process, and its output as a result of a limited size.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use hclkit::dialect::Dialect;
use serde_json::{Value, json};

use super::tools::{Arguments, Tool};
use crate::host::Host;

/// The maximum number of bytes of a result, and of messages with it.
const MOST_RESULT: usize = 40_000;
const MOST_MESSAGES: usize = 8_000;
/// The maximum number of diagnostics.
const MOST_DIAGNOSTICS: usize = 50;
/// How long a tool may evaluate, in seconds.
const TIMEOUT: &str = "30";

/// What all tools return.
pub(super) fn output_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "exit_code": {"type": "integer", "description": "0: nothing to report, 1: findings or changes, 2: something could not be done"},
            "result": {"description": "The result as JSON, if the command has one and it is short enough"},
            "text": {"type": "string", "description": "The result as text, or a page of it"},
            "next_cursor": {"type": "string", "description": "Where the next page begins"},
            "diagnostics": {"type": "array", "items": {"type": "object"}, "description": "Errors and warnings with places and fixes"},
            "omitted_diagnostics": {"type": "integer"},
            "messages": {"type": "string", "description": "What the command says besides its result"}
        },
        "required": ["exit_code"]
    })
}

/// A stream in memory.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs a tool.
pub(super) fn call(tool: &Tool, arguments: &Arguments) -> Value {
    if tool.name == "schema" {
        return schema(arguments);
    }
    if let Some(revision) =
        ["old", "new"].iter().filter_map(|name| arguments.text(name)).find(|text| is_path(text))
    {
        let why = format!("{revision} is a directory; use old_directory and new_directory for directories");
        return json!({"exit_code": 2, "messages": why});
    }
    let words = ["hcl".to_owned(), format!("--timeout={TIMEOUT}"), "--color=never".to_owned()];
    let line: Vec<OsString> = words.into_iter().chain((tool.line)(arguments)).map(OsString::from).collect();
    let (output, errors) = (Shared::default(), Shared::default());
    let code = crate::hcl(line, &Host::given(Vec::new(), output.clone(), errors.clone()));
    answer(code, &output.take(), &errors.take(), arguments.cursor)
}

fn is_path(text: &str) -> bool {
    !text.starts_with(':') && (text.starts_with(['.', '/']) || Path::new(text).exists())
}

/// The output of a command as a result.
fn answer(code: u8, output: &[u8], errors: &[u8], cursor: usize) -> Value {
    let mut answer = json!({"exit_code": code});
    // A report is on standard output if a command writes nothing else.
    let reports = [errors, output].into_iter().filter_map(|text| serde_json::from_slice::<Value>(text).ok());
    let report = reports.into_iter().find(|json| json["diagnostics"].is_array());
    if let Some(report) = &report {
        let all = report["diagnostics"].as_array().map(Vec::as_slice).unwrap_or_default();
        let shown: Vec<&Value> = all.iter().take(MOST_DIAGNOSTICS).collect();
        answer["diagnostics"] = json!(shown);
        if all.len() > MOST_DIAGNOSTICS {
            answer["omitted_diagnostics"] = json!(all.len() - MOST_DIAGNOSTICS);
        }
    }
    let is_report = |text: &[u8]| {
        serde_json::from_slice::<Value>(text)
            .is_ok_and(|json| json["diagnostics"].is_array() && json.get("roots").is_none())
    };
    if !is_report(errors) && !errors.is_empty() {
        answer["messages"] = json!(cut(&String::from_utf8_lossy(errors), MOST_MESSAGES));
    }
    if is_report(output) || output.is_empty() {
        return answer;
    }
    let text = String::from_utf8_lossy(output);
    match serde_json::from_str::<Value>(&text) {
        Ok(json) if text.len() <= MOST_RESULT && cursor == 0 => answer["result"] = json,
        _ => page(&text, cursor, &mut answer),
    }
    answer
}

/// Adds a page of a text, and where the next one begins.
fn page(text: &str, cursor: usize, answer: &mut Value) {
    let boundary =
        |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let start = boundary(cursor);
    let end = boundary(start.saturating_add(MOST_RESULT));
    answer["text"] = json!(&text[start..end]);
    if end < text.len() {
        answer["next_cursor"] = json!(end.to_string());
    }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// What the blocks of a language accept.
fn schema(arguments: &Arguments) -> Value {
    let name = arguments.text("language").unwrap_or("terraform");
    let Some(language) = Dialect::named(name) else {
        return json!({"exit_code": 2, "messages": format!("{name} is not a known language")});
    };
    let described = |block_type: &str| -> Option<Value> {
        let rule = language.block(block_type)?;
        let names = |all: &[hclkit::value::Name]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
        Some(json!({
            "labels": rule.labels,
            "attributes": rule.attributes.as_deref().map(names),
            "required": names(&rule.required),
            "meta_arguments": names(&rule.meta),
            "blocks": names(&rule.blocks),
        }))
    };
    match arguments.text("block") {
        None => {
            let all: Vec<String> = language.blocks.iter().map(|rule| rule.block_type.to_string()).collect();
            json!({"exit_code": 0, "result": {"blocks": all}})
        }
        Some(block) => match described(block) {
            Some(found) => json!({"exit_code": 0, "result": found}),
            None => {
                json!({"exit_code": 2, "messages": format!("{} has no blocks of the type {block}", language.title())})
            }
        },
    }
}
