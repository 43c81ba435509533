//! Files of a module, in memory, with lines `---` between them. The first line of each is its name. Each line of a file
//! `patterns` selects addresses. No panic, an end within the default limits, the same values again, each value at its
//! address, and no sensitive value in what is shown.
#![no_main]

use hclkit::module::{Dialect, Memory, ModuleLoader, Pattern, functions_without_files};
use hclkit::render::Renderer;
use hclkit::render::graph::{to_dot, to_mermaid};
use hclkit_model::Limits;

/// What only a sensitive variable contains, and a file that declares it.
const CANARY: &str = "canary-73ab1c";
const SENSITIVE: &str = "variable \"canary\" {\n  sensitive = true\n}\n";

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let file = |part: &str| {
        let (name, text) = part.split_once('\n').unwrap_or((part, ""));
        (name.trim().to_owned(), text.to_owned())
    };
    let files: Vec<(String, String)> = text.split("\n---\n").map(file).collect();
    let (patterns, mut files): (Vec<_>, Vec<_>) = files.into_iter().partition(|(name, _)| name == "patterns");
    let patterns: Vec<Pattern> = patterns
        .iter()
        .flat_map(|(_, text)| text.lines())
        .filter_map(|line| line.parse().ok())
        .take(20)
        .collect();
    let Some(language) = Dialect::of_files(files.iter().map(|(name, _)| name.as_str())) else { return };
    files.push(("zz_canary.tf".to_owned(), SENSITIVE.to_owned()));
    // Deeper nesting needs a larger stack than a fuzzer has. An input can take seconds to reach the other defaults.
    let limits = Limits::new().with_nesting(200).with_steps(20_000).with_elements(20_000).with_bytes(1 << 20);
    limits.run(|| {
        let module = ModuleLoader::new(language.clone())
            .with_files(Memory::from_iter(files))
            .with_functions(functions_without_files(&language))
            .with_environment([("TF_VAR_canary", CANARY)])
            .with_unknown_variables(true)
            .load();
        let (first, again) = (module.evaluate(&[]), module.evaluate(&[]));
        let addresses = |found: &hclkit::module::Evaluation| -> Vec<String> {
            found.values.iter().map(|own| own.address.to_string()).collect()
        };
        assert!(addresses(&first) == addresses(&again), "other values when asked again");
        // All addresses as patterns: each selects its own value.
        let exact: Vec<Pattern> = first.values.iter().filter_map(|own| own.address.parse().ok()).collect();
        let selected = module.evaluate(&exact);
        for own in &first.values {
            if let Some(found) = selected.values.iter().find(|found| found.address == own.address) {
                assert!(found.value == own.value, "another value when asked for by address");
            }
        }
        let selected = module.evaluate(&patterns);
        let graph = module.graph();
        let _ = (to_dot(&graph), to_mermaid(&graph));
        let mut checked = module.check();
        checked.append(first.diagnostics);
        checked.append(selected.diagnostics);
        let shown = Renderer::plain().diagnostics(&checked);
        // The input can declare the variable again, or take its mark away.
        let stays = !["nonsensitive", "\"canary\"", "variable canary"].iter().any(|part| text.contains(part));
        assert!(!stays || !shown.contains(CANARY), "a sensitive value is shown");
    });
});
