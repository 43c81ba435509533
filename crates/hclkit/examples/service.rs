//! A service that decodes untrusted configurations, with limits, a deadline and JSON errors:
//! `cargo run -p hclkit --example service`, then `curl --data-binary 'replicas = 2 + 1' localhost:8080`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use hclkit::decode::{self, Decoder, PlainJson};
use hclkit::functions::{Grants, Library};
use hclkit::model::{AttributeSpec, Spec};
use hclkit::{Limits, Source, Type, render};

const MAX_BYTES: u64 = 64 << 10;

/// Returns the status and the JSON body of the response.
pub(crate) fn answer(request: Vec<u8>) -> (u16, String) {
    let replicas = AttributeSpec::new("replicas", Type::Number).with_required();
    let names = AttributeSpec::new("names", Type::list(Type::String));
    let spec = Spec::object([("replicas", Spec::from(replicas)), ("names", Spec::from(names))]);
    let functions = Library::Terraform.functions(&Grants::new());
    let limits = Limits::new()
        .with_source_bytes(MAX_BYTES)
        .with_steps(100_000)
        .with_timeout(Duration::from_millis(500));
    let value = limits.run(|| {
        let body = decode::read([Source::new("request.hcl", request)])?;
        Decoder::of(spec).with_functions(functions).decode(&body)
    });
    match value.map(|value| serde_json::to_string(&PlainJson::new(&value))) {
        Ok(Ok(json)) => (200, json),
        Ok(Err(error)) => (422, serde_json::json!({ "error": error.to_string() }).to_string()),
        Err(found) => (422, render::json(&found)),
    }
}

pub(crate) fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?).take(2 * MAX_BYTES);
    let (mut line, mut length) = (String::new(), 0);
    while reader.read_line(&mut line)? > 2 {
        if let Some((_, value)) =
            line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        {
            length = value.trim().parse().unwrap_or(0);
        }
        line.clear();
    }
    let mut request = Vec::new();
    reader.take(length).read_to_end(&mut request)?;
    let (status, json) = answer(request);
    write!(
        stream,
        "HTTP/1.1 {status} \r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{json}",
        json.len()
    )
}

pub(crate) fn main() -> std::io::Result<()> {
    TcpListener::bind("localhost:8080")?.incoming().try_for_each(|stream| serve(stream?))
}
