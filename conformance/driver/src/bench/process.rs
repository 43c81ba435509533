//! What a process takes: CPU time, time and peak memory.

use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

/// The CPU seconds, the seconds and the peak memory in bytes of a process.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    pub(super) processor: f64,
    pub(super) elapsed: f64,
    pub(super) peak: f64,
}

/// Runs a command that must exit with one of these codes, and discards its output.
pub(super) fn cost(command: &mut Command, codes: &[i32]) -> Result<Cost> {
    command.stdout(Stdio::null());
    let start = Instant::now();
    let child = command.spawn().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let (code, processor, peak) = ended(child)?;
    let elapsed = start.elapsed().as_secs_f64();
    let is_expected = code.is_some_and(|code| codes.contains(&code));
    ensure!(is_expected, "{} exited with {code:?}", command.get_program().display());
    Ok(Cost { processor, elapsed, peak })
}

/// Waits for a process. Returns its exit code, its CPU time in seconds and its peak memory in bytes.
#[cfg(unix)]
fn ended(mut child: Child) -> Result<(Option<i32>, f64, f64)> {
    use wait4::Wait4 as _;
    let used = child.wait4()?;
    let processor = used.rusage.utime + used.rusage.stime;
    #[allow(clippy::cast_precision_loss, reason = "a size")]
    let peak = used.rusage.maxrss as f64;
    Ok((used.status.code(), processor.as_secs_f64(), peak))
}

#[cfg(not(unix))]
fn ended(_: Child) -> Result<(Option<i32>, f64, f64)> {
    anyhow::bail!("what a process takes can only be measured on Unix")
}

pub(super) fn middle(costs: &[Cost]) -> Cost {
    let of = |what: fn(Cost) -> f64| median(costs.iter().copied().map(what));
    Cost {
        processor: of(|cost| cost.processor),
        elapsed: of(|cost| cost.elapsed),
        peak: of(|cost| cost.peak),
    }
}

pub(super) fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} s, {:.2} s, {:.0} MB", self.processor, self.elapsed, self.peak / 1e6)
    }
}
