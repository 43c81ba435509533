//! Modules in memory, and their differences as lines.

use hclkit::functions::Grants;
use hclkit::module::{self, Dialect, Memory, Module, ModuleLoader};
use hclkit_review::{Diff, Options, Review, Root, diff_with, text};

/// A module of Terraform with these files.
pub(crate) fn module(files: &[(&str, &str)]) -> Module {
    let terraform = Dialect::terraform();
    let functions = module::functions(&terraform, &Grants::new());
    ModuleLoader::new(terraform)
        .with_files(files.iter().copied().collect::<Memory>())
        .with_functions(functions)
        .with_unknown_variables(true)
        .load()
}

pub(crate) fn of(old: &[(&str, &str)], new: &[(&str, &str)]) -> Diff {
    diff_with(&module(old), &module(new), Options { explain: true, lints: false })
}

/// The difference of two versions of `main.tf`.
pub(crate) fn one(old: &str, new: &str) -> Diff {
    of(&[("main.tf", old)], &[("main.tf", new)])
}

pub(crate) fn review(diff: Diff) -> Review {
    let mut review = Review::new("old", "new");
    review.roots.push(Root::new("app", diff));
    review
}

/// The difference as text without colors.
pub(crate) fn lines(diff: Diff) -> String {
    let text = text(&review(diff), 4_000);
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("\x1b[") {
        out.push_str(before);
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    out + rest
}
