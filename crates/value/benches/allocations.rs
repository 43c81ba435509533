//! What operations on values allocate: `cargo bench -p hclkit-value --bench allocations`. Counting takes
//! time, so the times that this prints are not those to compare.

#[path = "value/cases.rs"]
mod cases;

#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}
