//! hclkit for a sandbox without files, clock and randomness, such as `wasm32-unknown-unknown`. `smoke.mjs` calls it: bytes
//! go in and out one by one, so that no memory is shared.
#![allow(unsafe_code, reason = "exported names need the attribute `no_mangle`; no code here is unsafe")]

use std::cell::RefCell;

use hclkit::decode::{self, Decoder, PlainJson};
use hclkit::functions::{Grants, Library};
use hclkit::render::Renderer;
use hclkit::{Context, Diagnostics, Expression, Source, Value};

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Appends a byte to the input of the next operation.
#[unsafe(no_mangle)]
pub extern "C" fn push(byte: u32) {
    INPUT.with_borrow_mut(|input| input.push(byte as u8));
}

/// Runs an operation on the input: 0 parses a file, 1 evaluates an expression with Terraform's functions, 2 decodes a file
/// by a spec file, which comes first and ends with a line `---`, 3 lists Terraform's functions. Returns the length of the
/// output.
#[unsafe(no_mangle)]
pub extern "C" fn run(operation: u32) -> u32 {
    let input = String::from_utf8_lossy(&INPUT.take()).into_owned();
    let output = match operation {
        0 => parse(&input),
        1 => evaluate(&input).unwrap_or_else(|found| rendered(&found)),
        2 => decode(&input).unwrap_or_else(|found| rendered(&found)),
        _ => {
            let functions = Library::Terraform.functions(&Grants::new());
            functions.iter().map(|(name, _)| name).collect::<Vec<_>>().join("\n")
        }
    };
    OUTPUT.replace(output.into_bytes());
    OUTPUT.with_borrow(|output| output.len() as u32)
}

/// A byte of the output; 0 after its end.
#[unsafe(no_mangle)]
pub extern "C" fn output(at: u32) -> u32 {
    OUTPUT.with_borrow(|output| output.get(at as usize).copied().unwrap_or_default().into())
}

fn rendered(found: &Diagnostics) -> String {
    Renderer::plain().diagnostics(found)
}

fn parse(text: &str) -> String {
    let document = hclkit::parse(text);
    let mut out = format!("{} items\n", document.body().items().count());
    for diagnostic in document.diagnostics() {
        out += &Renderer::plain().diagnostic(diagnostic);
    }
    out
}

fn evaluate(text: &str) -> Result<String, Diagnostics> {
    // The clock of the system is granted, and there is none.
    let functions = Library::Terraform.functions(&Grants::new().with_clock().with_random());
    let context = Context::new().with("name", Value::from("web")).with_functions(functions);
    Ok(Expression::parse(text)?.evaluate(&context)?.to_string())
}

fn decode(text: &str) -> Result<String, Diagnostics> {
    let (spec, config) = text.split_once("---\n").unwrap_or_default();
    let decoder = Decoder::new(Source::new("spec.hcldec", spec))?;
    let value = decoder.decode(&decode::read([Source::new("config.hcl", config)])?)?;
    Ok(serde_json::to_string(&PlainJson::new(&value)).unwrap_or_else(|error| error.to_string()))
}
