//! Bake files with lines `---` between them. The first line of each is its name. Each line of a file `overrides` is a value
//! of `--set`. No panic, an end within the default limits, the same plan again, and the same arguments for each target
//! alone as among all targets.
#![no_main]

use hclkit::module::{Bake, bake_functions_without_files};
use hclkit::render::graph::{to_dot, to_mermaid};
use hclkit_model::Limits;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut bake = Bake::new().with_functions(bake_functions_without_files());
    let mut overrides = Vec::new();
    for part in text.split("\n---\n") {
        let (name, text) = part.split_once('\n').unwrap_or((part, ""));
        if name == "overrides" {
            overrides.extend(text.lines());
        } else {
            bake = bake.with_file(name, text);
        }
    }
    // Deeper nesting needs a larger stack than a fuzzer has. An input can take seconds to reach the other defaults.
    let limits =
        Limits::new().with_nesting(200).with_steps(200_000).with_elements(200_000).with_bytes(1 << 20);
    let plan = |asked: &[&str]| {
        limits.run(|| overrides.iter().cloned().fold(bake.clone(), Bake::with_override).plan(asked))
    };
    let (all, found) = plan(&["*"]);
    if !found.has_errors() {
        let (again, found) = plan(&["*"]);
        assert!(!found.has_errors(), "errors when asked again");
        assert!(format!("{all:?}") == format!("{again:?}"), "another plan when asked again");
        let is_group = |name: &str| all.groups.iter().any(|group| group.name == name);
        for target in all.targets.iter().filter(|target| !is_group(&target.name)).take(20) {
            let (alone, found) = plan(&[&target.name]);
            let same = alone.targets.iter().find(|own| own.name == target.name);
            assert!(!found.has_errors(), "an error only for a target alone");
            assert!(same.is_some_and(|own| own.attributes == target.attributes), "other arguments alone");
        }
    }
    limits.run(|| bake.check());
    let (graph, _) = limits.run(|| bake.graph());
    let _ = (to_dot(&graph), to_mermaid(&graph));
    let (names, _) = limits.run(|| bake.names());
    let _ = names.context();
});
