//! Counts the allocations of operations on values: `cargo bench -p hclkit-value --bench allocations`. Counting takes
//! time, so do not compare the times that this prints.

#[path = "value/cases.rs"]
mod cases;

#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}
