//! Values that share parts: every function, writer and operation ends within small limits, and in little memory.
//!
//! Each shape has a process of its own with a limit on its memory, so that a failure does not harm the machine. The time
//! limit only ends a process that hangs.
#![cfg(unix)]

mod actions;
mod shapes;

use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, setrlimit};

/// The address space of a process, which includes the program and its libraries.
const MEMORY: u64 = 1 << 30;

/// The time after which a process is killed: many times what it takes.
const PATIENCE: Duration = Duration::from_secs(600);

/// The variable that makes the test `one_shape` run a shape in its process.
const SHAPE: &str = "HCLKIT_SHARED_SHAPE";

#[test]
fn everything_ends_within_limits() {
    let names = shapes::names();
    let waiting = Mutex::new(names.iter().flat_map(|name| [22, 40].map(|levels| (name, levels))));
    let failed = Mutex::new(Vec::new());
    let processes = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..processes {
            scope.spawn(|| {
                loop {
                    let Some((name, levels)) = waiting.lock().unwrap().next() else { return };
                    if let Err(problem) = in_a_process(name, levels) {
                        failed.lock().unwrap().push(format!("{name}, {levels} levels: {problem}"));
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Runs the actions on a shape in another process. The error has what it did last.
fn in_a_process(name: &str, levels: usize) -> Result<(), String> {
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["shared::one_shape", "--exact", "--nocapture"])
        .env(SHAPE, format!("{name} {levels}"))
        .env("RUST_BACKTRACE", "0")
        .stdout(Stdio::null())
        .stderr(File::create(log.path()).unwrap())
        .spawn()
        .unwrap();
    let ended = wait(&mut child);
    if ended == "exit status: 0" {
        return Ok(());
    }
    let log = std::fs::read_to_string(log.path()).unwrap();
    let last: Vec<&str> = log.lines().rev().take(4).collect();
    Err(format!("{ended} in {}", last.into_iter().rev().collect::<Vec<_>>().join(" / ")))
}

fn wait(child: &mut Child) -> String {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.to_string();
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            return "killed".to_owned();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The process of a shape. Without the variable it does nothing.
#[test]
fn one_shape() {
    let Ok(shape) = std::env::var(SHAPE) else { return };
    let (name, levels) = shape.split_once(' ').unwrap();
    let levels: usize = levels.parse().unwrap();
    setrlimit(Resource::As, Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) }).unwrap();
    actions::run(&shapes::build(name, levels), &shapes::build(name, levels));
}
