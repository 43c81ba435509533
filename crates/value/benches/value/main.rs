//! Times operations on values: `cargo bench -p hclkit-value --bench value`.

mod cases;

fn main() {
    divan::main();
}
