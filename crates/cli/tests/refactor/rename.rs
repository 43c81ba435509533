//! After a rename that is not refused, each value of a module is what it was. Renaming back gives the same bytes if the
//! files were formatted; otherwise equals signs may be aligned. A refused rename changes nothing.

use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use hclkit::module::{Dialect, Disk, ModuleLoader, functions_without_files};

use crate::generate::{self, Generated, NAMES};
use crate::tree::{Tree, different, run, show};

/// Returns whether something was renamed.
pub(crate) fn check(decisions: &[u8]) -> bool {
    let mut u = Unstructured::new(decisions);
    check_one(&mut u).unwrap_or(false)
}

fn check_one(u: &mut Unstructured<'_>) -> Result<bool> {
    let generated = generate::module(u)?;
    check_module(u, generated, &Dialect::terraform(), |_, arguments| run(arguments))
}

/// Checks the promise for a module of a language.
pub(crate) fn check_module(
    u: &mut Unstructured<'_>,
    mut generated: Generated,
    language: &Arc<Dialect>,
    run: impl Fn(&Tree, &[&str]) -> (u8, String),
) -> Result<bool> {
    if generated.symbols.is_empty() {
        return Ok(false);
    }
    let (directory, address) = u.choose(&generated.symbols)?.clone();
    let new = match u.int_in_range(0..=2)? {
        0 => *u.choose(&NAMES)?,
        1 => *u.choose(&["count", "source", "self", "local", "data", "k2", "w", "a"])?,
        _ => "fresh",
    };
    let old = address.rsplit('.').next().unwrap_or_default().to_owned();
    let tree = Tree::with(&generated.files);
    let is_formatted = u.ratio(3, 4)?;
    if is_formatted {
        assert!(run(&tree, &["fmt", &tree.path("")]).0 == 0);
        generated.files = tree.files();
    }
    let before = values(language, &tree, [&old, new]);
    let (root, folder) = (tree.path(""), tree.path(directory));
    let rename =
        |address: &str, new: &str| run(&tree, &["rename", "-w", address, new, &folder, "--callers", &root]);
    let (code, printed) = rename(&address, new);
    let context = || format!("{address} in `{directory}` to {new}: {printed}\n{}", show(&generated.files));
    if code != 0 || old == new {
        assert!(tree.files() == generated.files, "refused, but changed: {}", context());
        assert!(code == 2 || old == new, "neither refused nor renamed: {}", context());
        return Ok(false);
    }
    let renamed = tree.files();
    let after = values(language, &tree, [&old, new]);
    for (one, other) in before.iter().zip(&after) {
        assert!(one == other, "other values: {one:?}, {other:?}: {}{}", context(), show(&renamed));
    }
    assert!(before.len() == after.len(), "more or less values: {}{}", context(), show(&renamed));
    let path = address.rsplit_once('.').map_or("", |(path, _)| path);
    let (code, printed) = rename(&format!("{path}.{new}"), &old);
    assert!(code == 0, "not renamed back: {printed}: {}{}", context(), show(&renamed));
    let back = tree.files();
    assert!(
        !is_formatted || back == generated.files,
        "other bytes on the way back: {address} in `{directory}` to {new}:\n{}=== renamed\n{}=== back\n{}",
        different(&generated.files, &back),
        different(&renamed, &generated.files),
        different(&back, &generated.files)
    );
    assert!(
        values(language, &tree, [&old, new]) == before,
        "other values on the way back: {}{}",
        context(),
        show(&back)
    );
    Ok(true)
}

/// The values with their addresses, in which two names are the same, and the errors.
pub(crate) fn values(language: &Arc<Dialect>, tree: &Tree, same: [&str; 2]) -> Vec<(String, String)> {
    let module = ModuleLoader::new(language.clone())
        .with_files(Disk::new(tree.path("")))
        .with_functions(functions_without_files(language))
        .load();
    let found = module.evaluate(&[]);
    let neutral = |address: &str| {
        let steps = address.split('.').map(|step| {
            let (name, key) = step.find('[').map_or((step, ""), |at| step.split_at(at));
            format!("{}{key}", if same.contains(&name) { "_" } else { name })
        });
        steps.collect::<Vec<_>>().join(".")
    };
    let mut values: Vec<_> =
        found.values.iter().map(|it| (neutral(&it.address), it.value.to_string())).collect();
    let errors = found.diagnostics.iter().filter(|it| it.is_error());
    if std::env::var_os("ONLY").is_some() {
        eprintln!("{}", hclkit::render::Renderer::plain().diagnostics(&found.diagnostics));
    }
    values.extend(errors.map(|error| ("error".to_owned(), error.summary().to_owned())));
    values.sort();
    values
}
