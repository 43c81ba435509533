//! What a query may take in all. `DataFusion` counts the memory of some operators only, and does not stop while it plans, so a
//! thread looks at the clock and at the memory of the process, and ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::message::{Failure, complain};
use crate::temporary;

/// The limits of a query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Most {
    pub(crate) time: Duration,
    pub(crate) memory: usize,
}

/// Ends the process at a limit, until this is dropped.
pub(crate) struct Watch(Arc<AtomicBool>);

/// The time between two looks: little memory can be filled in it.
const BETWEEN: Duration = Duration::from_millis(10);

/// What plans and results take in addition to what `--memory` counts.
const APART: usize = 512 << 20;

impl Watch {
    pub(crate) fn new(most: Most) -> Result<Self, Failure> {
        let ended = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&ended);
        let end = Instant::now().checked_add(most.time);
        let memory = resident().saturating_add(most.memory.saturating_mul(2)).saturating_add(APART);
        let look = move || {
            while !watched.load(Ordering::Relaxed) {
                if end.is_some_and(|end| Instant::now() >= end) {
                    stop("the query takes longer than --query-timeout allows");
                }
                if resident() > memory {
                    stop(
                        "the query needs more memory than --memory grants; increase it, or select fewer rows and columns",
                    );
                }
                std::thread::sleep(BETWEEN);
            }
        };
        let spawned = std::thread::Builder::new().spawn(look);
        spawned.map_err(|error| Failure::new(format!("cannot start a thread: {error}")))?;
        Ok(Self(ended))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn stop(why: &str) -> ! {
    temporary::remove();
    complain(why);
    std::process::exit(2)
}

/// The memory of the process in bytes. Where the system does not say it, only the time is limited.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.as_deref().and_then(|text| text.split_whitespace().nth(1)?.parse::<usize>().ok());
    // No page is smaller.
    pages.unwrap_or(0).saturating_mul(4096)
}
