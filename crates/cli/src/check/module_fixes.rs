//! `--fix` of what is found in modules: the fixes are applied to all files of the run, and the modules are checked again.

use std::convert::Infallible;
use std::sync::Arc;

use hclkit::module::CallEffects;
use hclkit::{Code, Diagnostics, Document};
use indexmap::IndexMap;

use super::fix::{File, Meaning, fix_meaning};
use super::lint_levels::LintLevels;
use super::modules::{Directories, ModuleOptions, Reported, Trees};
use super::selection::CheckTargets;
use crate::documents::{Documents, Keep, is_of_module};
use crate::input::Input;
use crate::workers::Workers;

/// The files with fixes, by their inputs.
pub(super) type FixedFiles<'i> = IndexMap<&'i Input, File<'i>>;

/// The checks of modules.
struct Modules<'r> {
    targets: &'r CheckTargets,
    directories: Directories,
    /// Files that are only read.
    others: Vec<(Input, Document)>,
    levels: &'r LintLevels,
    workers: &'r Workers,
}

/// Fixes the files of modules, first their syntax. Only files that are checked change.
pub(super) fn fix<'t>(
    targets: &'t CheckTargets,
    documents: &Arc<Documents>,
    options: &Arc<ModuleOptions>,
    levels: &LintLevels,
    workers: &Workers,
) -> FixedFiles<'t> {
    let parse = |input: &&Input| documents.parse(input).ok();
    let found = targets.found.inputs.iter().filter(|input| is_of_module(input));
    let mut files: Vec<File<'t>> = found.filter_map(|input| Some(File::new(input, parse(&input)?))).collect();
    files.iter_mut().for_each(File::fix);
    let others = targets.others.iter().filter(|input| is_of_module(input));
    let others = others.filter_map(|input| Some((input.clone(), parse(&input)?))).collect();
    let directories = Directories::of(targets, documents, options);
    fix_meaning(&mut files, &Modules { targets, directories, others, levels, workers });
    files.into_iter().filter(File::is_changed).map(|file| (file.input, file)).collect()
}

impl Meaning for Modules<'_> {
    /// Fixes seldom depend on each other, and a check takes a while.
    const APART: usize = 1;

    fn all_problems(&self, files: &[File<'_>]) -> Option<Diagnostics> {
        let changed = files.iter().map(|file| (file.input.clone(), file.document.clone()));
        let documents = Documents::new(Keep::Modules).with(changed.chain(self.others.iter().cloned()));
        let directories = self.directories.clone().with_documents(documents);
        let mut checked = directories.checked(self.targets);
        directories.follow_calls(&mut checked, self.workers);
        let trees = Trees::read(&directories, &checked, &checked, self.workers, |_| CallEffects::default());
        let (mut reported, mut all) = (Reported::default(), Diagnostics::new());
        let Ok(()) = self.workers.for_each(
            &checked,
            |directory| trees.check(directory),
            |checked| {
                for mut found in checked {
                    found.retain(|diagnostic| self.targets.reports(diagnostic));
                    all.append(reported.take_new(&found));
                }
                Ok::<_, Infallible>(())
            },
        );
        let all = self.levels.without_files().apply(&all);
        (!all.is_empty()).then_some(all)
    }

    fn is_fixed(&self, _: Code) -> bool {
        true
    }
}
