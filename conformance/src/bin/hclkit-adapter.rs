//! The adapter for the public HCL conformance suite. It prints an answer on standard output, or the reason why there
//! is none on standard error. The answers come from the library.

use std::process::ExitCode;

use hclkit_model::Limits;

/// Answers are nested as deeply as what they describe.
const LEVELS: u32 = 250_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let answering = std::thread::Builder::new()
        .stack_size(Limits::new().with_nesting(LEVELS).stack_size())
        .spawn(move || {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            hclkit_conformance::adapter::answer(&arguments).map(|answer| answer.to_string())
        });
    let answer = answering.map_err(|error| error.to_string());
    match answer.and_then(|thread| thread.join().unwrap_or_else(|_| Err("answering ended early".to_owned())))
    {
        Ok(answer) => {
            println!("{answer}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
