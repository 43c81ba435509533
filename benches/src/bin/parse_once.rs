//! Parses a file, or each file of a list (`@LIST`), N times and does nothing else: what a profiler is run on.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use anyhow::{Context, Result};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().context("usage: parse_once FILE|@LIST [N]")?;
    let times: usize = arguments.next().map_or(Ok(1), |times| times.parse())?;
    let texts = match file.strip_prefix('@') {
        Some(list) => hclkit_benches::inputs::read_list(Path::new(list))?,
        None => vec![fs::read_to_string(file)?],
    };
    for _ in 0..times {
        for text in &texts {
            black_box(hclkit_syntax::parse(text.as_bytes()));
        }
    }
    Ok(())
}
