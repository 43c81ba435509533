//! Properties over the recorded random modules, whose plans are those of Terraform: what is written in another way means the same, and one
//! changed literal changes exactly what two evaluations differ in.

use std::path::Path;

use fastrand::Rng;
use hclkit::module::Module;
use hclkit_review::{Action, Diff, diff};
use hclkit_test_cases::{is_tried, read, seed};

use crate::kit::{lines, module};
use crate::properties::{
    Files, all_leaves, disagreement, inlined, renamed, rewritten, with_another_literal, with_old_moves,
};

/// The recorded modules without errors.
fn modules() -> Vec<(String, Files)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/plans");
    let mut found = Vec::new();
    for case in read(&directory, "plans", &["json"]).unwrap().iter().flat_map(|file| &file.cases) {
        let sections = case.sections.iter().filter(|section| section.title != "plan");
        let files: Files = sections.map(|section| (section.title.clone(), section.text.clone())).collect();
        if !load(&files).evaluate(&[]).diagnostics.has_errors() {
            found.push((case.name.clone(), files));
        }
    }
    assert!(found.len() > 80, "{}", found.len());
    // A third of them.
    let tried = found.into_iter().enumerate().filter(|(at, _)| is_tried(*at, 3));
    tried.map(|(_, module)| module).collect()
}

fn load(files: &Files) -> Module {
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    module(&files)
}

fn compared(old: &Files, new: &Files) -> Diff {
    diff(&load(old), &load(new))
}

#[test]
fn what_is_written_in_another_way_is_the_same() {
    let mut rng = Rng::with_seed(seed(1));
    let (mut renamed_ones, mut inlined_ones, mut moved_ones) = (0, 0, 0);
    for (name, files) in modules() {
        let mut all: Vec<(String, Files)> =
            rewritten(&mut rng, &files).into_iter().map(|(what, new)| (what.to_owned(), new)).collect();
        for symbol in
            ["test_thing.r0", "test_thing.r1", "local.a0", "local.a1", "module.m0", "data.test_info.d"]
        {
            all.extend(renamed(&files, symbol).map(|new| (symbol.to_owned(), new)));
        }
        renamed_ones += all.len() - 5;
        for local in ["a0", "a1"] {
            let new = inlined(&files, local);
            inlined_ones += usize::from(new.is_some());
            all.extend(new.map(|new| (format!("{local} inlined"), new)));
        }
        if let Some(new) = with_old_moves(&files, &load(&files)) {
            moved_ones += 1;
            let found = compared(&new, &new);
            assert!(found.is_empty(), "{name}, old moves:\n{}\n{}", new[0].1, lines(found));
            all.push(("old moves".to_owned(), new));
        }
        for (what, new) in all {
            let mut found = compared(&files, &new);
            if what.starts_with("data") {
                // It is read again, and nothing moves it.
                found.instances.retain(|own| own.action == Action::Changed || own.action == Action::Moved);
                found.outputs.clear();
            }
            assert!(found.is_empty(), "{name}, {what}:\n{}\n{}", new[0].1, lines(found));
        }
    }
    assert!(
        renamed_ones > 30 && inlined_ones > 15 && moved_ones > 10,
        "{renamed_ones} {inlined_ones} {moved_ones}"
    );
}

#[test]
fn one_changed_literal_changes_what_depends_on_it() {
    let mut rng = Rng::with_seed(seed(2));
    let (mut tried, mut with_changes) = (0, 0);
    for (name, files) in modules() {
        for _ in 0..hclkit_test_cases::rounds(4) {
            let Some(new) = with_another_literal(&mut rng, &files) else { continue };
            let (Some(before), Some(after)) = (all_leaves(&load(&files)), all_leaves(&load(&new))) else {
                continue;
            };
            tried += 1;
            let found = compared(&files, &new);
            let (missed, invented) = disagreement(&before, &after, &found);
            assert!(
                missed.is_empty() && invented.is_empty(),
                "{name}: missed {missed:?}, invented {invented:?}\n{}\n{}",
                new[0].1,
                lines(found)
            );
            with_changes += usize::from(before != after);
        }
    }
    assert!(tried > 40 && with_changes > 15, "{tried} {with_changes}");
}
