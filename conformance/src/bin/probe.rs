//! The probe's loop: requests on standard input, a line each; answers on standard output, in order.

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
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
