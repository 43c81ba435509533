//! The probe's loop: requests on standard input, a line each; answers on standard output, in order.

use std::io::{self, BufRead, Write};

use hclkit_model::Limits;

/// Answers are nested as deeply as what they describe, such as a chain of operators.
const LEVELS: u32 = 250_000;

fn main() -> io::Result<()> {
    let answering = std::thread::Builder::new()
        .stack_size(Limits::new().with_nesting(LEVELS).stack_size())
        .spawn(answer_all)?;
    answering.join().unwrap_or_else(|_| Err(io::Error::other("answering ended early")))
}

fn answer_all() -> io::Result<()> {
    // Panics become answers, so their backtraces would only be noise.
    std::panic::set_hook(Box::new(|_| {}));
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        if !text.trim().is_empty() {
            let mut answer = hclkit_conformance::answer(text.trim()).into_bytes();
            answer.push(b'\n');
            // Each answer is written at once, so that it is not lost if a later request kills the process.
            output.write_all(&answer)?;
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}
