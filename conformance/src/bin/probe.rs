//! The probe's loop: requests on standard input, a line each; answers on standard output, in order.

use std::io::{self, BufRead, Write};

/// Answers are JSON trees as deep as what they describe, such as a chain of operators.
const STACK: usize = 1 << 30;

fn main() -> io::Result<()> {
    let answering = std::thread::Builder::new().stack_size(STACK).spawn(answer_all)?;
    answering.join().unwrap_or_else(|_| Err(io::Error::other("answering ended early")))
}

fn answer_all() -> io::Result<()> {
    // Panics are answers here; their traces would only fill the driver's terminal.
    std::panic::set_hook(Box::new(|_| {}));
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        if !text.trim().is_empty() {
            let mut answer = hclkit_conformance::answer(text.trim()).into_bytes();
            answer.push(b'\n');
            // One write an answer, so that an answer is never lost to a later request's death.
            output.write_all(&answer)?;
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}
