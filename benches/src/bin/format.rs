//! Times the formatter on the files of a list: `bench-format LIST SECONDS`. Prints the median speed in MB/s, from
//! bytes in memory to bytes in memory.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use hclkit_benches::inputs::read_list;
use hclkit_syntax::Source;
use hclkit_write::format_source;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: bench-format LIST SECONDS";
    let texts = read_list(Path::new(&arguments.next().context(usage)?))?;
    let budget: f64 = arguments.next().context(usage)?.parse()?;
    let mut turns = Vec::new();
    while turns.iter().sum::<f64>() < budget {
        let start = Instant::now();
        for text in &texts {
            let source = Source::new("", text.as_bytes());
            black_box(format_source(&source).bytes());
        }
        turns.push(start.elapsed().as_secs_f64());
    }
    turns.sort_by(f64::total_cmp);
    let bytes: f64 = texts.iter().map(|text| f64::from(text.len() as u32)).sum();
    println!("{}", bytes / 1e6 / turns[turns.len() / 2]);
    Ok(())
}
