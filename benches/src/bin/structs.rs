//! Times reading text into structs. `bench-structs SECONDS FILE` prints, for each reader, the median time in
//! nanoseconds for parsing the text, which is in memory, filling the structs and dropping the results. The readers
//! take turns, so that changes of the machine's speed affect all of them. Each turn reads once before it is timed: the
//! first reading after another reader pays for the memory that the other one left in pieces.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use hclkit::Context;
use hclkit_benches::structs::Config;

/// A reader and its name.
type Reader = (&'static str, fn(&str) -> Result<Config>);

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seconds, file] = &arguments[..] else { anyhow::bail!("usage: bench-structs SECONDS FILE") };
    let text = std::fs::read_to_string(file).with_context(|| file.clone())?;
    let readers: [Reader; 3] = [
        ("hclkit, derive", |text| Ok(hclkit::load_str(text, &Context::new())?)),
        ("hclkit, serde", |text| Ok(hclkit::serde::from_str(text)?)),
        ("hcl-rs", |text| Ok(hcl::from_str(text)?)),
    ];
    let expected = (readers[0].1)(&text)?;
    for (name, read) in &readers {
        ensure!(read(&text)? == expected, "{name} reads something else");
    }
    let mut times = [const { Vec::new() }; 3];
    let (start, seconds) = (Instant::now(), seconds.parse::<f64>()?);
    while times[0].len() < 3 || start.elapsed().as_secs_f64() < seconds {
        for ((_, read), times) in readers.iter().zip(&mut times) {
            let once = || anyhow::Ok(drop(black_box(read(black_box(&text))?)));
            once()?;
            let start = Instant::now();
            once()?;
            times.push(start.elapsed().as_nanos());
        }
    }
    for ((name, _), times) in readers.iter().zip(&mut times) {
        times.sort_unstable();
        println!("{name}: {}", times[times.len() / 2]);
    }
    Ok(())
}
