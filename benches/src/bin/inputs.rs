//! Creates the inputs of the benches. `bench-inputs make MEGABYTES FILE` writes text that looks like a large
//! configuration; `bench-inputs services COUNT FROM FILE` writes this many blocks of the language of
//! `inputs/services.hcldec`; `bench-inputs right LIST` prints the files of a list that have no errors, because a reader
//! that stops at the first error would have an advantage.

use std::fs;

use anyhow::{Result, bail};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["make", megabytes, file] => {
            fs::write(file, hclkit_benches::inputs::generate(megabytes.parse::<usize>()? * 1_000_000))?;
        }
        ["services", count, from, file] => {
            fs::write(file, hclkit_benches::inputs::services(from.parse()?, count.parse()?))?;
        }
        ["right", list] => {
            for path in fs::read_to_string(list)?.lines() {
                let text = fs::read(path)?;
                if std::str::from_utf8(&text).is_ok() && !hclkit_syntax::parse(text).has_errors() {
                    println!("{path}");
                }
            }
        }
        _ => bail!("usage: bench-inputs make MEGABYTES FILE | services COUNT FROM FILE | right LIST"),
    }
    Ok(())
}
