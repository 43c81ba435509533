//! The counts of uses at declarations are those of the references that an editor finds there.

use std::sync::Arc;

use hclkit::refactor::OccurrenceKind;
use hclkit_ide::{MemoryFiles, Workspace};

use crate::recall::trees;

#[test]
fn counts_are_those_of_references() {
    let (mut lenses, mut used) = (0, 0);
    for files in trees() {
        let all: Vec<(String, String)> =
            files.iter().map(|(name, text)| (format!("/w/{name}"), text.clone())).collect();
        let disk: Arc<MemoryFiles> = Arc::new(all.iter().cloned().collect());
        for (path, text) in &all {
            let directory = path.rsplit_once('/').unwrap().0;
            let is_own = |other: &str| {
                let other = other.rsplit_once('/').unwrap().0;
                other == directory || other == format!("{directory}/tests")
            };
            let mut workspace = Workspace::new(disk.clone(), ["/w"]);
            workspace.open(path, text.as_str(), Some(1), None);
            let snapshot = workspace.snapshot();
            for lens in snapshot.lenses(path) {
                let found = snapshot.references(path, lens.span.start + 1);
                let uses = found.iter().filter(|own| own.kind == OccurrenceKind::Reference);
                let expected = uses.filter(|own| is_own(&own.location.path)).count();
                assert_eq!(lens.count, expected, "{}\n{text}", &text[lens.span.to_range()]);
                lenses += 1;
                used += usize::from(expected > 0);
            }
        }
    }
    assert!(lenses > 500 && used > 300, "{lenses} declarations, {used} with uses");
}
