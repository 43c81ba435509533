//! How long operations on values take: `cargo bench -p hclkit-value --bench value`.

mod cases;

fn main() {
    divan::main();
}
