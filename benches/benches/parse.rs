//! Parsing alone, for daily work: each example, and a megabyte of made-up configuration. `cargo bench -p hclkit-benches`.

use divan::Bencher;
use divan::counter::BytesCount;

fn main() {
    divan::main();
}

const EXAMPLES: [(&str, &str); 4] = [
    ("terraform", include_str!("../../examples/terraform/main.tf")),
    ("nomad", include_str!("../../examples/nomad/web.nomad")),
    ("bake", include_str!("../../examples/bake/docker-bake.hcl")),
    ("tfvars", include_str!("../../examples/terraform/terraform.tfvars")),
];

#[divan::bench(args = EXAMPLES.map(|(name, _)| name))]
fn example(bencher: Bencher<'_, '_>, name: &str) {
    let text = EXAMPLES.into_iter().find(|&(other, _)| other == name).map_or("", |(_, text)| text);
    bencher.counter(BytesCount::of_str(text)).bench(|| hclkit_syntax::parse(divan::black_box(text)));
}

#[divan::bench]
fn megabyte(bencher: Bencher<'_, '_>) {
    let text = hclkit_benches::inputs::generate(1_000_000);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| hclkit_syntax::parse(divan::black_box(text.as_str())));
}
