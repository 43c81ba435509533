//! Counts the allocations of hclkit's evaluation: `bench-eval-allocations CASE COUNT`. This is a separate program,
//! because counting takes time.

use std::alloc::System;
use std::hint::black_box;

use anyhow::{Context, Result};
use hclkit_benches::eval::{Prepared, cases};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: bench-eval-allocations CASE COUNT";
    let (name, count) = (arguments.next().context(usage)?, arguments.next().context(usage)?);
    let case =
        cases(count.parse()?).into_iter().find(|case| case.name == name).context("there is no such case")?;
    let prepared = Prepared::new(&case)?;
    prepared.evaluate()?;
    let region = Region::new(ALLOCATOR);
    let made = black_box(prepared.evaluate()?);
    let change = region.change();
    drop(made);
    println!("{}", change.allocations + change.reallocations);
    Ok(())
}
