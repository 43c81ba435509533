//! The allocations that parsing takes, as a committed snapshot: a change that moves one shows it in its diff.
//! To accept a change: `UPDATE=1 cargo test -p hclkit-benches --test allocations`.

use std::alloc::System;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const EXAMPLES: [&str; 9] = [
    "bake/docker-bake.hcl",
    "broken/main.tf",
    "nomad/web.nomad",
    "packer/debian.pkr.hcl",
    "terraform/main.tf",
    "terraform/outputs.tf",
    "terraform/terraform.tfvars",
    "terraform/variables.tf",
    "terragrunt/service/terragrunt.hcl",
];

/// The only test of its file, because the allocator counts all threads.
#[test]
fn allocations_are_those_of_the_snapshot() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = String::from("# file: bytes of source, allocations, bytes kept by the document\n");
    let mut measure = |name: &str, text: Vec<u8>| {
        let size = text.len();
        let region = Region::new(ALLOCATOR);
        let document = hclkit_syntax::parse(text);
        let change = region.change();
        let count = change.allocations + change.reallocations;
        let _ = writeln!(found, "{name}: {size} {count} {}", document.heap_size());
    };
    // The thread's meter is created on first use.
    let _ = hclkit_syntax::parse("");
    for name in EXAMPLES {
        measure(name, fs::read(root.join("../examples").join(name)).unwrap());
    }
    measure("made up", hclkit_benches::inputs::generate(1_000_000).into_bytes());

    let path = root.join("allocations.txt");
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let changed: Vec<_> = expected.lines().zip(found.lines()).filter(|(old, new)| old != new).collect();
    let diff = changed.iter().fold(String::new(), |diff, (old, new)| diff + "-" + old + "\n+" + new + "\n");
    assert!(expected == found, "benches/allocations.txt is no longer what happens:\n{diff}");
}
