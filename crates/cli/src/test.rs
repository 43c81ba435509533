//! `hcl test`: finds rules and tests by the names of their files, runs those of each kind, and reports. Which rules are applied, and
//! how modules are loaded, is in `test/request.rs`; fixes are in `test/fix.rs`, reports in `test/run.rs`.

mod fix;
mod request;
mod run;
mod trees;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::module::Dialect;
use hclkit::{Diagnostics, Document};
use hclkit_policy::{EvaluatedModule, FileKind, Project, Rules, Suite, TestFile, TestRequest};

use crate::args::{Format, Test};
use crate::documents::{Documents, Keep};
use crate::input::{self, Find, FoundInputs, Input, Unreadable, selection};
use crate::outcome::{Failure, Outcome};
use crate::watch::{Watched, watch};
use crate::workers::Workers;
#[cfg(feature = "git")]
pub(crate) use request::rules_at;
use request::{AppliedPolicies, Loading, Selected, kind_of};
use run::Run;
use trees::Trees;

pub(crate) fn run(command: &Test) -> Result<Outcome, Failure> {
    if command.watch {
        let is_path = |path: &&PathBuf| path.exists();
        let paths = input::or_here(&command.paths).iter().chain(command.rules.iter().filter(is_path));
        let watched = Watched::default().with_paths(paths)?;
        return watch(&watched, || once(command));
    }
    once(command)
}

/// The tests of a kind in a directory.
type Group<'i> = ((FileKind, PathBuf), Vec<&'i Input>);

fn once(command: &Test) -> Result<Outcome, Failure> {
    let found = selection(&command.files)?.find(input::or_here(&command.paths));
    let documents = Documents::new(Keep::All);
    let workers = Workers::new();
    let loading = Loading::new(command)?;
    let selected = Selected::new(command)?;
    let mut run = Run::new(command)?;
    let mut problems = Diagnostics::new();
    let named = selected.named()?;
    let policies = selected.policies(&found, &named, &documents, &mut problems, &mut run)?;
    let (applied, tested) = selected.rules(&found, &named, &documents, &policies, &mut problems, &mut run)?;
    let (groups, targets) = sorted(&found, [&applied, &tested]);
    if groups.is_empty()
        && tested.tests() == 0
        && applied.is_empty()
        && policies.all.is_empty()
        && problems.is_empty()
        && run.reads_all()
    {
        return Err(none_found(command));
    }
    run.open(applied.codes().chain(policies.applied.codes()));
    run.unreadable(found.unreadable.iter().cloned());
    run.report(&problems);
    run.begin(groups.len() + targets.len() + tested.tests(), "files");
    let selects = |name: &str| selected.selects(name);
    run_groups(&groups, &documents, &policies, &loading, &workers, &selects, &mut run);
    // The tests of rules.
    let numbers: Vec<usize> = (0..tested.tests()).collect();
    let Ok(()) = workers.for_each(
        &numbers,
        |at| tested.test(*at, &selects),
        |suites| {
            for suite in suites {
                run.add(suite);
            }
            Ok::<_, Infallible>(())
        },
    );
    if !applied.is_empty() || !policies.applied.is_empty() {
        apply((&applied, &policies), &targets, &documents, &loading, &workers, &selects, &mut run)?;
    }
    if command.coverage {
        run.coverage(&applied, &policies.applied, &tested);
    }
    run.end()
}

/// Divides files into tests, by kind and directory, and those that rules are applied to.
fn sorted<'i>(found: &'i FoundInputs, rules: [&Rules; 2]) -> (Vec<Group<'i>>, Vec<&'i Input>) {
    let mut groups: BTreeMap<(FileKind, PathBuf), Vec<&Input>> = BTreeMap::new();
    let mut targets = Vec::new();
    for input in &found.inputs {
        let path = input.path().unwrap_or(Path::new(""));
        match kind_of(input) {
            Some(FileKind::Rules | FileKind::TerraformPolicy) => {}
            Some(kind) => {
                let directory = path.parent().unwrap_or(Path::new("")).to_owned();
                groups.entry((kind, directory)).or_default().push(input);
            }
            None => {
                let clean = hclkit::limits::clean_path(path);
                if !rules.iter().any(|rules| rules.is_fixture(&clean)) {
                    targets.push(input);
                }
            }
        }
    }
    (groups.into_iter().collect(), targets)
}

/// The files that can be read, and the others.
fn parsed(inputs: &[&Input], documents: &Documents) -> (Vec<Document>, Vec<Unreadable>) {
    let (mut files, mut unreadable) = (Vec::new(), Vec::new());
    for input in inputs {
        match documents.parse(input) {
            Ok(document) => files.push(document),
            Err(why) => unreadable.push(why),
        }
    }
    (files, unreadable)
}

/// Runs the tests and policies of Terraform.
fn run_groups(
    groups: &[Group<'_>],
    documents: &Documents,
    policies: &AppliedPolicies,
    loading: &Loading,
    workers: &Workers,
    selects: &(dyn Fn(&str) -> bool + Sync),
    run: &mut Run<'_>,
) {
    let load = |directory: &Path, language: Option<&Arc<Dialect>>| loading.load(directory, language);
    // Each file of tests of Terraform has the limits for itself: it evaluates a module several times for each run.
    let parts = groups.iter().flat_map(|group| {
        let size = if group.0.0 == FileKind::TerraformTest { 1 } else { group.1.len() };
        group.1.chunks(size.max(1)).map(move |inputs| (group, inputs))
    });
    let parts: Vec<(&Group<'_>, &[&Input])> = parts.collect();
    let one = |(((kind, directory), all), inputs): &(&Group<'_>, &[&Input])| {
        let (files, unreadable) = parsed(inputs, documents);
        let name = |input: &&Input| Some(input.path()?.file_name()?.to_string_lossy().into_owned());
        let names = all.iter().filter_map(name).collect();
        let file = |document| TestFile { directory: directory.clone(), document };
        let files = files.into_iter().map(file).collect();
        let request = TestRequest { files, names, load: &load, selects };
        let suite = match kind {
            FileKind::TerraformTest => hclkit_policy::terraform_test::run(&request),
            FileKind::TerraformPolicyTest => {
                let mut suite = Suite::default();
                for file in &request.files {
                    suite.append(policies.all.test(file, &request::open, selects));
                }
                suite
            }
            _ => Suite::default(),
        };
        (suite, request.files.len(), unreadable)
    };
    let Ok(()) = workers.for_each(&parts, one, |results| {
        for (suite, files, unreadable) in results {
            run.checked(files);
            run.unreadable(unreadable.into_iter());
            run.list(&suite);
            run.add(suite);
        }
        Ok::<_, Infallible>(())
    });
}

/// Applies rules to files, and policies to modules.
fn apply(
    (rules, policies): (&Rules, &AppliedPolicies),
    targets: &[&Input],
    documents: &Documents,
    loading: &Loading,
    workers: &Workers,
    selects: &(dyn Fn(&str) -> bool + Sync),
    run: &mut Run<'_>,
) -> Result<(), Failure> {
    let (mut read, mut inputs): (Vec<_>, Vec<&Input>) = (Vec::new(), Vec::new());
    let Ok(()) = workers.for_each(
        targets,
        |input| documents.parse(input),
        |results| {
            for result in results {
                match result {
                    Ok(document) => read.push(document),
                    Err(why) => run.unreadable([why].into_iter()),
                }
            }
            Ok::<_, Infallible>(())
        },
    );
    let by_name: BTreeMap<String, &Input> = targets.iter().map(|input| (input.name(), *input)).collect();
    inputs.extend(read.iter().filter_map(|document| by_name.get(document.source().name())));
    for document in &read {
        run.report(document.diagnostics());
    }
    let trees = Trees::new(loading, read.iter().cloned());
    let mut project = Project::new(read);
    let wanted = if rules.is_empty() { Vec::new() } else { project.modules() };
    let open = |directory: &PathBuf| Some((directory.clone(), trees.module(directory)?));
    let mut opened = Vec::new();
    let Ok(()) = workers.for_each(&wanted, open, |results| {
        opened.extend(results.into_iter().flatten());
        Ok::<_, Infallible>(())
    });
    let (mut modules, mut limited) = (Vec::new(), Diagnostics::new());
    let evaluated = evaluated_directories(rules, &project, workers, selects);
    let evaluate = |(directory, load): &(PathBuf, _)| {
        let load = Clone::clone(load);
        if evaluated.contains(directory) {
            project.evaluate_with(directory, load)
        } else {
            (EvaluatedModule::without_instances(directory, load), Diagnostics::new())
        }
    };
    let Ok(()) = workers.for_each(&opened, evaluate, |results| {
        for (module, found) in results {
            limited.append(found);
            modules.push(module);
        }
        Ok::<_, Infallible>(())
    });
    for module in modules {
        project.add(module);
    }
    run.report(&limited.distinct());
    // The limits hold for each part.
    let parts = |at: usize| {
        let parts = rules.parts(&project, at);
        let last = parts.len().saturating_sub(1);
        parts.into_iter().enumerate().map(move |(number, part)| (at, part, number == last))
    };
    let parts: Vec<(usize, Range<usize>, bool)> = (0..project.len()).flat_map(parts).collect();
    let mut unwritten: Option<Failure> = None;
    // Only JUnit lists what passed.
    let lists_passed = run.command.reporting.report == Format::Junit;
    let mut found = Suite::default();
    let Ok(()) = workers.for_each(
        &parts,
        |(at, part, is_last)| {
            let suite = if lists_passed {
                rules.check_some(&project, *at, part.clone(), selects)
            } else {
                rules.check_counted(&project, *at, part.clone(), selects)
            };
            (*at, suite, *is_last)
        },
        |results| {
            for (at, suite, is_last) in results {
                found.append(suite);
                if !is_last {
                    continue;
                }
                run.checked(1);
                let suite = run.without_known(std::mem::take(&mut found));
                let suite = match inputs.get(at) {
                    Some(input) if run.command.fix => {
                        let fixed = fix::fix(input, project.document(at), suite, run);
                        fixed.unwrap_or_else(|why| {
                            unwritten.get_or_insert(why);
                            Suite::default()
                        })
                    }
                    _ => suite,
                };
                run.add(suite);
            }
            Ok::<_, Infallible>(())
        },
    );
    if rules.is_empty() {
        // No part says that a file was checked.
        run.checked(project.len());
    }
    if !policies.applied.is_empty() {
        let complete = loading.complete();
        let roots: Vec<PathBuf> =
            project.modules().into_iter().filter(|directory| !project.is_called(directory)).collect();
        let one = |directory: &PathBuf| {
            let loader = loading.load(directory, None).ok()?.with_unknown_variables(true).with_threads(1);
            Some(policies.applied.apply(&project, directory, &loader, &complete, selects))
        };
        let Ok(()) = workers.for_each(&roots, one, |results| {
            for suite in results.into_iter().flatten() {
                let suite = run.without_known(project.without_ignored(suite));
                run.add(suite);
            }
            Ok::<_, Infallible>(())
        });
    }
    // Without the other rules, some comments ignore nothing.
    if run.command.filter.is_empty() {
        run.report(&project.unused_comments(rules.names().chain(policies.applied.names())));
    }
    unwritten.map_or(Ok(()), Err)
}

/// The directories of the modules that must be evaluated, because rules see their instances.
fn evaluated_directories(
    rules: &Rules,
    project: &Project,
    workers: &Workers,
    selects: &(dyn Fn(&str) -> bool + Sync),
) -> BTreeSet<PathBuf> {
    let files: Vec<usize> = (0..project.len()).collect();
    let mut seen = BTreeSet::new();
    let one =
        |at: &usize| rules.see_instances(project, *at, selects).then(|| project.directory(*at).to_owned());
    let Ok(()) = workers.for_each(&files, one, |results| {
        seen.extend(results.into_iter().flatten());
        Ok::<_, Infallible>(())
    });
    project.evaluated_for(seen)
}

fn none_found(command: &Test) -> Failure {
    let paths = input::or_here(&command.paths);
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    Failure::new(format!(
        "no rules or tests in {}; name rules with --rules, such as --rules builtin:all",
        names.join(", ")
    ))
}
