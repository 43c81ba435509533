//! `cloudinit_config` and `template_cloudinit_config`: parts as one MIME message. What is compressed is unknown, because its bytes
//! are those of Go's compressor.

use hclkit_limits::Meter;
use hclkit_value::{Type, Value};

use super::arguments::ArgumentKind::{Blocks, Bool, Text};
use super::arguments::{Argument, Arguments, optional, required};
use super::sets::checksum;
use super::{DataSource, Outputs, Refusal, World};

pub(super) const SOURCE: DataSource = DataSource {
    name: "cloudinit_config",
    provider: "hashicorp/cloudinit",
    since: "2.0.0",
    version: "2",
    arguments: &[
        optional(BASE64, Bool),
        optional(BOUNDARY, Text),
        optional(GZIP, Bool),
        required(PART, Blocks(PARTS)),
    ],
    outputs: &[BASE64, BOUNDARY, GZIP, "id", "rendered"],
    compute: |arguments, world| compute(arguments, world, true),
};

pub(super) const OLD_SOURCE: DataSource = DataSource {
    name: "template_cloudinit_config",
    provider: "hashicorp/template",
    since: "2.0.0",
    version: "2",
    arguments: &[optional(BASE64, Bool), optional(GZIP, Bool), required(PART, Blocks(PARTS))],
    outputs: &[BASE64, GZIP, "id", "rendered"],
    compute: |arguments, world| compute(arguments, world, false),
};

const BASE64: &str = "base64_encode";
const BOUNDARY: &str = "boundary";
const GZIP: &str = "gzip";
const PART: &str = "part";
const DEFAULT_BOUNDARY: &str = "MIMEBOUNDARY";
/// The maximum number of characters of a boundary.
const MOST: usize = 70;

const PARTS: &[Argument] = &[
    required("content", Text),
    optional(CONTENT_TYPE, Text),
    optional("filename", Text),
    optional("merge_type", Text),
];
const CONTENT_TYPE: &str = "content_type";

fn compute(arguments: &Arguments, world: &dyn World, is_new: bool) -> Result<Outputs, Refusal> {
    let is_compressed = arguments.bool(GZIP).unwrap_or(true);
    let is_encoded = arguments.bool(BASE64).unwrap_or(true);
    if is_compressed && !is_encoded {
        return Err(Refusal::invalid(BASE64, "it must be true, because `gzip` is true".to_owned()));
    }
    let boundary = arguments.text(BOUNDARY).unwrap_or(DEFAULT_BOUNDARY);
    if !is_boundary(boundary) {
        let problem = format!("it must have 1 to {MOST} characters that MIME allows in a boundary");
        return Err(Refusal::invalid(BOUNDARY, problem));
    }
    let parts = arguments.blocks(PART);
    if is_new && parts.iter().any(|part| part.text(CONTENT_TYPE) == Some("")) {
        return Err(Refusal::invalid(PART, format!("`{CONTENT_TYPE}` must not be empty")));
    }
    let is_empty =
        |part: &Arguments| PARTS.iter().all(|own| part.text(own.name).unwrap_or_default().is_empty());
    if !is_new && parts.iter().any(is_empty) {
        return Err(Refusal::invalid(PART, "all strings of a part are empty".to_owned()));
    }
    let mut outputs = vec![(BASE64, Value::from(is_encoded)), (GZIP, Value::from(is_compressed))];
    if is_new {
        outputs.push((BOUNDARY, Value::from(boundary)));
    }
    let message = message(parts, boundary)?;
    let rendered = match (is_compressed, is_encoded) {
        (true, _) => Value::unknown(Type::String),
        (_, true) => world.call("base64encode", &[Value::from(message)])?,
        _ => Value::from(message),
    };
    let id = rendered.as_str().map(|text| Value::from(checksum(text).to_string()));
    outputs.push(("id", id.unwrap_or(Value::unknown(Type::String))));
    outputs.push(("rendered", rendered));
    Ok(outputs)
}

fn is_boundary(text: &str) -> bool {
    let is_allowed = |next: char| next.is_ascii_alphanumeric() || "'()+_,-./:=? ".contains(next);
    (1..=MOST).contains(&text.len()) && text.chars().all(is_allowed) && !text.ends_with(' ')
}

fn message(parts: &[Arguments], boundary: &str) -> Result<String, Refusal> {
    let mut message =
        format!("Content-Type: multipart/mixed; boundary=\"{boundary}\"\nMIME-Version: 1.0\r\n\r\n");
    for (at, part) in parts.iter().enumerate() {
        let text = |name| part.text(name).filter(|text| !text.is_empty());
        // In the order of their names.
        let headers = [
            ("Content-Disposition", text("filename").map(|name| format!("attachment; filename=\"{name}\""))),
            ("Content-Transfer-Encoding", Some("7bit".to_owned())),
            ("Content-Type", Some(text(CONTENT_TYPE).unwrap_or("text/plain").to_owned())),
            ("Mime-Version", Some("1.0".to_owned())),
            ("X-Merge-Type", text("merge_type").map(str::to_owned)),
        ];
        let before = message.len();
        message.push_str(if at == 0 { "--" } else { "\r\n--" });
        message.push_str(boundary);
        message.push_str("\r\n");
        for (name, value) in headers {
            let Some(value) = value else { continue };
            if value.contains(['\r', '\n']) {
                return Err(Refusal::Unknown);
            }
            for part in [name, ": ", &value, "\r\n"] {
                message.push_str(part);
            }
        }
        message.push_str("\r\n");
        message.push_str(text("content").unwrap_or_default());
        Meter::current().take_bytes(message.len() - before)?;
    }
    for part in ["\r\n--", boundary, "--\r\n"] {
        message.push_str(part);
    }
    Ok(message)
}
