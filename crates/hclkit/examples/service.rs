//! An async service that decodes untrusted configurations, with limits, a deadline and JSON errors. A client that goes away
//! ends its work: `cargo run -p hclkit --example service`, then `curl --data-binary 'replicas = 2 + 1' localhost:8080`.

use std::time::Duration;

use hclkit::decode::{self, Decoder, PlainJson};
use hclkit::functions::{Grants, Library};
use hclkit::model::{AttributeSpec, Spec};
use hclkit::{CancelToken, Limits, Source, Type, render};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

const MAX_BYTES: u64 = 64 << 10;

/// Returns the status and the JSON body of the response.
pub(crate) fn answer(request: Vec<u8>, cancel: CancelToken) -> (u16, String) {
    let replicas = AttributeSpec::new("replicas", Type::Number).with_required();
    let names = AttributeSpec::new("names", Type::list(Type::String));
    let spec = Spec::object([("replicas", Spec::from(replicas)), ("names", Spec::from(names))]);
    let functions = Library::Terraform.functions(&Grants::new());
    let limits = Limits::new()
        .with_source_bytes(MAX_BYTES)
        .with_steps(100_000)
        .with_timeout(Duration::from_millis(500))
        .with_cancel(cancel);
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

pub(crate) async fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(&mut stream).take(2 * MAX_BYTES);
    let (mut line, mut length) = (String::new(), 0);
    while reader.read_line(&mut line).await? > 2 {
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().unwrap_or(0);
            }
            _ => {}
        }
        line.clear();
    }
    let mut request = Vec::new();
    reader.take(length).read_to_end(&mut request).await?;
    let token = CancelToken::new();
    let _guard = token.drop_guard();
    let (status, json) = tokio::task::spawn_blocking(move || answer(request, token)).await?;
    let head =
        format!("HTTP/1.1 {status} \r\nContent-Type: application/json\r\nContent-Length: {}", json.len());
    stream.write_all(format!("{head}\r\n\r\n{json}").as_bytes()).await
}

#[tokio::main]
pub(crate) async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("localhost:8080").await?;
    loop {
        tokio::spawn(serve(listener.accept().await?.0));
    }
}
