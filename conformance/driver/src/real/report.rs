//! The counts of a run, in `conformance/real.txt`, and the listing of all differences, below the target directory.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use super::compare::Counts;
use crate::programs::root;

/// What was counted in a directory or a repository.
#[derive(Default, Clone)]
pub(super) struct Totals {
    pub(super) directories: usize,
    pub(super) skipped: BTreeMap<String, usize>,
    pub(super) validated: usize,
    pub(super) valid: usize,
    /// Directories that only a newer program accepts.
    pub(super) newer: usize,
    pub(super) false_check: usize,
    pub(super) false_copy: usize,
    pub(super) missed_check: usize,
    /// Errors of `check` in directories that Terraform was not asked about.
    pub(super) unjudged: usize,
    pub(super) planned: usize,
    pub(super) plans: usize,
    pub(super) crashed: usize,
    /// Plans that end at an unknown `count` or `for_each`.
    pub(super) depends: usize,
    /// Plans with errors of both.
    pub(super) both: usize,
    pub(super) missed: usize,
    pub(super) false_eval: usize,
    pub(super) counts: Counts,
    /// The time of the last validation of each directory.
    pub(super) validate: Duration,
    /// The time of Terraform for the plans that were compared.
    pub(super) plan: Duration,
    /// The time of `hcl eval` for the same directories and variables.
    pub(super) eval: Duration,
    pub(super) list: Vec<String>,
}

impl Totals {
    pub(super) fn skip(&mut self, directory: &str, reason: &str) {
        let class = reason.split(':').next().unwrap_or(reason);
        *self.skipped.entry(class.to_owned()).or_default() += 1;
        self.list.push(format!("{directory}: skipped: {reason}"));
    }

    /// Adds what was counted in a directory.
    pub(super) fn add(&mut self, directory: &str, own: &Self) {
        self.sum(own);
        let directory = if directory.is_empty() { "." } else { directory };
        self.list.extend(own.list.iter().map(|line| format!("{directory}: {line}")));
    }

    fn sum(&mut self, own: &Self) {
        let numbers = |totals: &mut Self, own: &Self| {
            totals.directories += own.directories;
            totals.validated += own.validated;
            totals.valid += own.valid;
            totals.newer += own.newer;
            totals.false_check += own.false_check;
            totals.false_copy += own.false_copy;
            totals.missed_check += own.missed_check;
            totals.unjudged += own.unjudged;
            totals.planned += own.planned;
            totals.plans += own.plans;
            totals.crashed += own.crashed;
            totals.depends += own.depends;
            totals.both += own.both;
            totals.missed += own.missed;
            totals.false_eval += own.false_eval;
            totals.counts.add(&own.counts);
            totals.validate += own.validate;
            totals.plan += own.plan;
            totals.eval += own.eval;
        };
        numbers(self, own);
        for (reason, count) in &own.skipped {
            *self.skipped.entry(reason.clone()).or_default() += count;
        }
    }

    fn text(&self) -> String {
        let Counts { equal, unknown, known, nulls, different, sensitivity, instances, other_instances } =
            &self.counts;
        let mut text = format!(
            "{} directories, {} validated, {} valid ({} only in a newer version); check: {} false errors, {} in the copy, {} directories missed; ",
            self.directories,
            self.validated,
            self.valid,
            self.newer,
            self.false_check,
            self.false_copy,
            self.missed_check
        );
        let _ = write!(
            text,
            "{} plans of {} ({} with an unknown count, {} with errors of both); eval: {} false, {} missed; ",
            self.plans, self.planned, self.depends, self.both, self.false_eval, self.missed
        );
        let _ = write!(
            text,
            "values: {equal} equal, {unknown} unknown, {known} known too early, {nulls} null instead of unknown, {different} different, {sensitivity} of another sensitivity; instances: {instances} equal, {other_instances} different"
        );
        for (reason, count) in &self.skipped {
            let _ = write!(text, "; {count} skipped: {reason}");
        }
        if self.crashed > 0 {
            let _ = write!(text, "; {} crashes of Terraform", self.crashed);
        }
        text
    }
}

pub(super) struct Report {
    text: String,
    total: Totals,
    listing: fs::File,
    path: PathBuf,
}

impl Report {
    pub(super) fn new(directory: &Path) -> Result<Self> {
        let path = directory.join("differences.txt");
        let text = String::from(
            "# Directories of real repositories, compared with Terraform: cargo xtask conformance --real --bless\n",
        );
        Ok(Self { text, total: Totals::default(), listing: fs::File::create(&path)?, path })
    }

    pub(super) fn add(&mut self, name: &str, totals: &Totals) -> Result<()> {
        let line = format!("{name}: {}\n", totals.text());
        print!("{line}");
        self.text.push_str(&line);
        self.total.sum(totals);
        for line in &totals.list {
            writeln!(self.listing, "{name}: {line}")?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self, bless: bool) -> Result<ExitCode> {
        let line = format!("all: {}\n", self.total.text());
        print!("{line}");
        self.text.push_str(&line);
        let Totals { validated, plans, validate, plan, eval, .. } = &self.total;
        println!("{plans} plans: terraform plan {plan:.1?}, hcl eval {eval:.1?}");
        println!("{validated} directories: terraform validate {validate:.1?}");
        println!("All differences are in {}", self.path.display());
        if bless {
            fs::write(root().join("conformance/real.txt"), &self.text)?;
        }
        let counts = &self.total.counts;
        let wrong = self.total.false_check
            + self.total.false_copy
            + self.total.false_eval
            + counts.known
            + counts.nulls
            + counts.different;
        Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
