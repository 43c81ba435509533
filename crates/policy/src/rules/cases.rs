//! The tests of rules: files as text or on disk, and which rules fail for them.

use std::collections::BTreeMap;

use hclkit::syntax::Edited;
use hclkit::{Code, Diagnostic};

use super::apply::Passed;
use super::project::Project;
use super::{Case, Rules};
use crate::verdict::{Outcome, Suite, Verdict};

const FAILED: Code = Code::custom("failed-test", "A test of rules failed")
    .with_explanation("The rules that fail for the files of a test are not those that `expect` lists.");

impl Rules {
    /// Runs a test.
    pub fn test(&self, number: usize, selects: &dyn Fn(&str) -> bool) -> Suite {
        let case = &self.cases[number];
        let mut suite = Suite::default();
        if !selects(&case.name) {
            return suite;
        }
        let subject = case.document.source().name();
        let wrong = self.differences(case);
        let verdict = match &wrong[..] {
            [] => Verdict::new(&case.name, subject, Outcome::Passed),
            wrong => {
                let note = format!("Test `{}`: {}", case.name, wrong.join(" "));
                let finding = Diagnostic::error(FAILED).at(&case.place).with_note(note);
                Verdict::new(&case.name, subject, Outcome::Failed).with_finding(finding)
            }
        };
        suite.verdicts.push(verdict);
        suite
    }

    /// What a test says that is not so.
    fn differences(&self, case: &Case) -> Vec<String> {
        let files = match &case.files {
            Ok(files) => files,
            Err(why) => return vec![sentence(why)],
        };
        let (project, mut wrong) = project(case, files);
        let is_wanted = |name: &str| case.rules.is_empty() || case.rules.iter().any(|own| own == name);
        let mut contexts = Vec::new();
        for at in case.own.iter().copied().filter(|at| is_wanted(&self.all[*at].name)) {
            match self.all[at].scope.with_params(&case.params) {
                Ok(ready) => contexts.push((at, ready)),
                Err(why) => return vec![sentence(&why)],
            }
        }
        let rules: Vec<_> = contexts.iter().map(|(at, ready)| (*at, ready.context())).collect();
        let (mut failed, mut unknown) = (BTreeMap::new(), BTreeMap::new());
        let mut fixes = Vec::new();
        for file in 0..project.len() {
            let found = self.check_with(&project, file, &rules, Passed::Listed);
            wrong.extend(found.problems.iter().map(|own| format!("{}: {}", own.summary(), own.note())));
            for verdict in found.verdicts {
                let own = (verdict.name.clone(), verdict.subject.clone());
                match verdict.outcome {
                    Outcome::Failed => _ = failed.insert(own, String::new()),
                    Outcome::Unknown(why) => _ = unknown.entry(own).or_insert(why),
                    _ => continue,
                }
                if file == 0 {
                    fixes.extend(verdict.finding.and_then(|own| own.fix().cloned()));
                }
            }
        }
        compare(&case.expect, &failed, "fails", &mut wrong);
        compare(&case.unknown, &unknown, "is unknown", &mut wrong);
        if let (Some(fixed), Some((_, text))) = (&case.fixed, files.first()) {
            let edited = Edited::new(text, &fixes);
            if edited.text.trim_end() != fixed.trim_end() {
                wrong.push(format!(
                    "The fixed text is\n{}\nand not\n{}",
                    edited.text.trim_end(),
                    fixed.trim_end()
                ));
            }
        }
        wrong
    }
}

/// A reason as a sentence. It may begin with the name of a file.
fn sentence(why: &str) -> String {
    let mut rest = why.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).chain(['.']).collect()
}

/// The files of a test, with the modules that they are, and the errors in them.
fn project(case: &Case, files: &[(String, String)]) -> (Project, Vec<String>) {
    let project = Project::of_texts(files, &case.variables);
    let documents = (0..project.len()).map(|at| project.document(at));
    let wrong = documents.flat_map(|document| {
        let errors = document.diagnostics().iter().filter(|own| own.is_error());
        errors.map(|own| format!("{} has an error: {}", document.source().name(), own.note()))
    });
    let wrong = wrong.collect();
    (project, wrong)
}

/// Compares entries such as `RULE` and `RULE: ADDRESS` with what was found.
fn compare(
    entries: &[String],
    found: &BTreeMap<(String, String), String>,
    what: &str,
    wrong: &mut Vec<String>,
) {
    let is_meant = |entry: &str, (rule, address): &(String, String)| {
        entry == rule || entry.split_once(": ").is_some_and(|own| own == (rule, address))
    };
    for (own, why) in found {
        if !entries.iter().any(|entry| is_meant(entry, own)) {
            let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
            wrong.push(format!("`{}` {what} for {}{why}, which is not expected.", own.0, own.1));
        }
    }
    for entry in entries {
        if !found.keys().any(|own| is_meant(entry, own)) {
            wrong.push(format!("`{entry}` is expected, but no such rule {what}."));
        }
    }
}
