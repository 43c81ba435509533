//! Measures the memory of one reader in a separate process: `bench-memory LIST READER`. All results are kept to the
//! end. Prints a JSON object with the number of allocations, the bytes that are kept, and the maximum resident size.

use std::alloc::System;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use hclkit_benches::inputs::read_list;
use hclkit_benches::readers::{Again, Reader};
use serde_json::json;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: bench-memory LIST READER";
    let list = arguments.next().context(usage)?;
    let reader = Reader::named(&arguments.next().context(usage)?).context("there is no such reader")?;
    let mut again = Again::default();
    let texts = read_list(Path::new(&list))?;
    let bytes: usize = texts.iter().map(String::len).sum();
    // The JSON is made in this process, too, and would dominate the peak.
    let texts: Vec<String> = match reader {
        Reader::SerdeJson => texts.iter().filter_map(|text| reader.prepare(text)).collect(),
        _ => texts,
    };
    let before = resident("VmRSS:");
    let mut kept = Vec::with_capacity(texts.len());
    let region = Region::new(ALLOCATOR);
    for text in &texts {
        kept.push(reader.read(text, &mut again));
    }
    let change = region.change();
    let (after, peak) = (resident("VmRSS:"), resident("VmHWM:"));
    let live = change.bytes_allocated.saturating_sub(change.bytes_deallocated);
    println!(
        "{}",
        json!({
            "bytes": bytes,
            "allocations": change.allocations + change.reallocations,
            "kept": live,
            "resident_kept": after.saturating_sub(before),
            "peak": peak,
        })
    );
    // Dropping is not measured.
    std::mem::forget(kept);
    Ok(())
}

/// A size from the status of this process, in bytes, or 0 if it is missing.
fn resident(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
