//! The tests of the crate, in one program: it is linked once.

mod bodies;
mod depth;
mod explain;
mod items;
mod limits;
mod names;
mod native_values;
mod partial;
mod paths;
mod scope;
mod spec_addresses;
mod spec_comments;
mod specs;

/// The library is built without `cfg(test)`, so a test in its sources would never run.
#[test]
fn sources_have_no_tests() {
    let mut waiting = vec![std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut count = 0;
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(!text.contains("#[test]") && !text.contains("cfg(test)"), "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}
