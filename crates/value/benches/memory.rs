//! Measures by how much an operation on 100,000 objects increases the peak of resident memory:
//! `cargo bench -p hclkit-value --bench memory -- json_in`. Runs one operation per process, and only on Linux.

#[path = "value/cases.rs"]
mod cases;

use std::fs;
use std::hint::black_box;

use cases::{list, objects, wanted};
use hclkit_value::Value;

const COUNT: usize = 100_000;

fn main() {
    // Cargo adds a flag of its own.
    let what = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let taken = match what.as_str() {
        "build" => above(|| list(COUNT)),
        "convert" => {
            let (tuple, wanted) = (Value::tuple(objects(COUNT)), wanted());
            above(|| tuple.convert(&wanted))
        }
        "json_out" => {
            let list = list(COUNT);
            above(|| list.to_json(&list.ty()))
        }
        "json_in" => {
            let list = list(COUNT);
            let text = list.to_json(&list.ty()).expect("the value is plain data");
            above(|| Value::from_json(text.as_bytes(), &list.ty()))
        }
        "msgpack_out" => {
            let list = list(COUNT);
            above(|| list.to_msgpack(&list.ty()))
        }
        "msgpack_in" => {
            let list = list(COUNT);
            let bytes = list.to_msgpack(&list.ty()).expect("the value is plain data");
            above(|| Value::from_msgpack(&bytes, &list.ty()))
        }
        _ => {
            println!("one of: build convert json_out json_in msgpack_out msgpack_in");
            return;
        }
    };
    println!("{what}: {} kB", taken / 1000);
}

/// The peak increase in resident bytes while a closure runs.
fn above<T>(run: impl FnOnce() -> T) -> usize {
    // Writing 5 resets the peak to the current size.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let before = resident("VmRSS:");
    black_box(run());
    resident("VmHWM:").saturating_sub(before)
}

/// A size from the status of this process in bytes, or 0 if it is not available.
fn resident(field: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<usize>().ok());
    kilobytes.unwrap_or(0) * 1024
}
