//! Partial evaluation of sources with n, 2n and 4n parts, whose time must grow in proportion. `cargo bench -p
//! hclkit-benches --bench partial`.

use divan::Bencher;
use divan::counter::BytesCount;
use hclkit_model::{Context, Expression, Functions};
use hclkit_value::Value;

fn main() {
    divan::main();
}

const SIZES: [usize; 3] = [10_000, 20_000, 40_000];

fn bench(bencher: Bencher<'_, '_>, source: &str) {
    let mut functions = Functions::from(hclkit_functions::cty());
    functions.extend(Functions::special().iter().map(|(name, function)| (name, function.clone())));
    let list = Value::tuple([Value::from("one"), Value::from("two")]);
    let context = Context::new().with("a", 1).with("l", list).with_functions(functions);
    let expression = Expression::parse(source).expect("the source is valid");
    bencher
        .counter(BytesCount::of_str(source))
        .bench_local(|| expression.partial(&context).expect("nothing is wrong with it"));
}

#[divan::bench(args = SIZES)]
fn operators(bencher: Bencher<'_, '_>, count: usize) {
    bench(bencher, &vec!["u"; count].join(" || "));
}

#[divan::bench(args = SIZES)]
fn interpolations(bencher: Bencher<'_, '_>, count: usize) {
    bench(bencher, &format!("\"{}\"", "${a}-${u} ".repeat(count)));
}

#[divan::bench(args = SIZES)]
fn heredoc(bencher: Bencher<'_, '_>, count: usize) {
    let lines = "  line ${a} ${u}\n  %{ for v in l ~}\n  - ${v}\n  %{ endfor ~}\n";
    bench(bencher, &format!("<<-E\n{}E\n", lines.repeat(count / 4)));
}

#[divan::bench(args = SIZES)]
fn tuple(bencher: Bencher<'_, '_>, count: usize) {
    bench(bencher, &format!("[{}]", "upper(\"a${u}\") == u ? a + 1 : [for x in l : x], ".repeat(count)));
}
