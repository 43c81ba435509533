//! Times reading files in HCL 1 into values. `bench-hcl1 SECONDS LIST` reads the files that a list names, and prints the MB/s of
//! parsing the texts, which are in memory, and making values of them.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context as _, Result};
use hclkit::{Document, Source, hcl1};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seconds, list] = &arguments[..] else { anyhow::bail!("usage: bench-hcl1 SECONDS LIST") };
    let files = std::fs::read_to_string(list).with_context(|| list.clone())?;
    let texts = files.lines().map(std::fs::read).collect::<Result<Vec<_>, _>>()?;
    let bytes: usize = texts.iter().map(Vec::len).sum();
    let (start, seconds) = (Instant::now(), seconds.parse::<f64>()?);
    let mut rounds = 0.0;
    while start.elapsed().as_secs_f64() < seconds {
        for text in &texts {
            let document = Document::parse_hcl1(Source::new("", text.clone()));
            let value = hcl1::decode(&document).map_err(|errors| anyhow::anyhow!("{errors}"))?;
            drop(black_box((document, value)));
        }
        rounds += 1.0;
    }
    #[allow(clippy::cast_precision_loss, reason = "the size of files")]
    let megabytes = bytes as f64 / 1e6;
    println!("{}", megabytes * rounds / start.elapsed().as_secs_f64());
    Ok(())
}
