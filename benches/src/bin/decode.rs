//! Times decoding. `bench-decode SPEC SECONDS FILE…` prints the median time in nanoseconds for parsing the files,
//! whose texts are in memory, decoding them as one configuration and dropping the results.

use std::fs;
use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use hclkit_model::{Body, Context, Diagnostics, Functions, SpecFile};
use hclkit_syntax::Source;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [spec, seconds, files @ ..] = &arguments[..] else {
        anyhow::bail!("usage: bench-decode SPEC SECONDS FILE…");
    };
    let text = fs::read(spec).with_context(|| spec.clone())?;
    let spec = SpecFile::read(Source::new(spec.as_str(), text), &Functions::new())?.spec;
    let files: Vec<(&str, Vec<u8>)> =
        files.iter().map(|file| Ok((file.as_str(), fs::read(file)?))).collect::<Result<_>>()?;
    let context = Context::new();
    let seconds: f64 = seconds.parse()?;
    let (start, mut times) = (Instant::now(), Vec::new());
    while times.len() < 3 || start.elapsed().as_secs_f64() < seconds {
        let start = Instant::now();
        let mut diagnostics = Diagnostics::new();
        let bodies: Vec<Body> = files
            .iter()
            .map(|(name, text)| {
                let (body, found) = Body::parse(Source::new(*name, text.clone()));
                diagnostics.extend(found);
                body
            })
            .collect();
        let value = diagnostics.absorb(spec.decode(&Body::merge(bodies), &context));
        ensure!(!diagnostics.has_errors(), "{diagnostics}");
        drop(black_box(value));
        times.push(start.elapsed().as_secs_f64() * 1e9);
    }
    times.sort_by(f64::total_cmp);
    println!("{}", times[times.len() / 2]);
    Ok(())
}
