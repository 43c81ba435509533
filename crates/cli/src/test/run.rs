//! The output of `hcl test`: findings at their levels, without those that comments or a baseline list, and totals.

use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use hclkit::render::FixedFile;
use hclkit::syntax::visible_line;
use hclkit::{Code, Diagnostic, Diagnostics, Severity};
use hclkit_policy::{Outcome as Verdicted, Policies, Rules, Suite, Totals, Verdict};

use crate::args::{Format, Test, Unknown};
use crate::check::lint_levels::Baseline;
use crate::host::Host;
use crate::input::Unreadable;
use crate::outcome::{Failure, Outcome};
use crate::output::{note, plural, print_written};
use crate::progress::Progress;
use crate::report::{self, Report, Stream};

pub(super) struct Run<'c> {
    pub(super) command: &'c Test,
    report: Report,
    written: io::Result<()>,
    totals: Totals,
    limited: bool,
    progress: Arc<Progress>,
    baseline: Baseline,
    beside: PathBuf,
    /// The rules that matched something.
    matched: BTreeSet<String>,
    /// Hashes of the findings: a file with several names, because of links, is matched with each.
    found: HashSet<u64>,
    unread: usize,
    /// The rules with findings that they have a fix for, but not one that is possible.
    unfixable: BTreeSet<String>,
}

impl<'c> Run<'c> {
    pub(super) fn new(command: &'c Test) -> Result<Self, Failure> {
        let diffs = command.fix && !command.write && command.reporting.report == Format::Human;
        let on = if diffs { Stream::Error } else { Stream::Output };
        let baseline = match command.baseline.known() {
            Some(path) => Baseline::read(path)?.0,
            None => Baseline::default(),
        };
        Ok(Self {
            command,
            report: report::open(command.reporting.report, command.spacing, on),
            written: Ok(()),
            totals: Totals::default(),
            limited: false,
            progress: Arc::new(Progress::new(0, "files")),
            baseline,
            beside: Baseline::beside(command.baseline.file.as_deref()),
            matched: BTreeSet::new(),
            found: HashSet::new(),
            unread: 0,
            unfixable: BTreeSet::new(),
        })
    }

    /// Lists the rules in the report.
    pub(super) fn open(&mut self, codes: impl Iterator<Item = (Code, Severity)>) {
        self.report.add_rules(codes);
    }

    pub(super) fn begin(&mut self, steps: usize, what: &str) {
        self.progress = Arc::new(Progress::new(steps, what));
    }

    /// Whether everything could be read so far.
    pub(super) fn reads_all(&self) -> bool {
        self.unread == 0
    }

    pub(super) fn checked(&mut self, files: usize) {
        self.report.checked(files);
        self.progress.advance(files);
    }

    pub(super) fn unreadable(&mut self, files: impl Iterator<Item = Unreadable>) {
        for file in files {
            self.unread += 1;
            self.report.failed(file);
        }
    }

    pub(super) fn fixed(&mut self, file: FixedFile) {
        self.report.fixed(file);
    }

    pub(super) fn report(&mut self, found: &Diagnostics) {
        self.limited |= found.has_limit();
        if found.is_empty() {
            return;
        }
        let mut found = found.clone();
        if Host::current().is_quiet() {
            found.retain(Diagnostic::is_error);
        }
        let progress = self.progress.clone();
        if let Err(error) = progress.suspend(|| self.report.diagnostics(&found)) {
            self.written = Err(error);
        }
    }

    /// Leaves out what is in the baseline.
    pub(super) fn without_known(&mut self, mut suite: Suite) -> Suite {
        let names = suite.verdicts.iter().map(|own| own.name.as_str());
        for name in names.chain(suite.passed.keys().map(String::as_str)) {
            if !self.matched.contains(name) {
                self.matched.insert(name.to_owned());
            }
        }
        if self.command.baseline.file.is_none() {
            return suite;
        }
        let known = |verdict: Verdict| match &verdict.finding {
            Some(finding) if verdict.outcome == Verdicted::Failed => {
                let (file, text) = Baseline::entry(&self.beside, finding);
                let is_listed = if self.command.baseline.updated().is_some() {
                    self.baseline.add(file, text);
                    true
                } else {
                    self.baseline.take(&file, &text)
                };
                if is_listed { verdict.skipped("it is in the baseline") } else { verdict }
            }
            _ => verdict,
        };
        suite.verdicts = suite.verdicts.into_iter().map(known).collect();
        suite
    }

    /// Lists how each run of a test file ended.
    pub(super) fn list(&mut self, suite: &Suite) {
        if self.command.reporting.report != Format::Human || Host::current().is_quiet() {
            return;
        }
        let line = |own: &Verdict| format!("{}: {}: {}", own.subject, own.name, own.outcome);
        let lines = suite.verdicts.iter().map(|own| format!("{}\n", visible_line(&line(own))));
        let text: String = lines.collect();
        let progress = self.progress.clone();
        if let Err(error) = progress.suspend(|| self.report.get_mut().write_all(text.as_bytes())) {
            self.written = Err(error);
        }
    }

    /// Prints what verdicts say whatever their outcomes are.
    fn say_notes(&mut self, suite: &Suite) {
        if Host::current().is_quiet() {
            return;
        }
        let all = suite.verdicts.iter().flat_map(|own| own.notes.iter().map(|note| (&own.name, note)));
        let progress = self.progress.clone();
        for (name, note) in all {
            if let Err(error) = progress.suspend(|| self.report.info(name, note)) {
                self.written = Err(error);
            }
        }
    }

    /// Reports the findings of a suite. An unknown condition is what `--if-unknown` says.
    pub(super) fn add(&mut self, suite: Suite) {
        self.report(&suite.problems);
        self.say_notes(&suite);
        let mut found = Diagnostics::new();
        self.totals.passed += suite.passed.values().sum::<usize>();
        for verdict in suite.verdicts {
            if verdict.finding.as_ref().is_some_and(|finding| !self.is_new(&verdict.name, finding)) {
                continue;
            }
            self.totals.count(&verdict.outcome);
            let Some(finding) = verdict.finding else {
                self.report.case(&verdict.name, &verdict.subject, verdict.outcome.reason());
                continue;
            };
            let more = verdict.more;
            if verdict.is_unfixable && self.command.fix {
                self.unfixable.insert(verdict.name);
            }
            found.push(match (&verdict.outcome, self.command.unknown) {
                (Verdicted::Unknown(_), Unknown::Pass) => continue,
                (Verdicted::Unknown(_), Unknown::Warn) => finding.with_severity(Severity::Warning),
                (Verdicted::Unknown(_), Unknown::Fail) => finding.with_severity(Severity::Error),
                _ => finding,
            });
            found.extend(more);
        }
        self.report(&found);
    }

    fn is_new(&mut self, name: &str, finding: &Diagnostic) -> bool {
        let Some(place) = finding.place() else { return true };
        let mut hash = DefaultHasher::new();
        (name, place.to_string(), finding.address(), finding.note()).hash(&mut hash);
        self.found.insert(hash.finish())
    }

    /// Says which rules and policies matched nothing, and which rules have no test.
    pub(super) fn coverage(&self, applied: &Rules, policies: &Policies, tested: &Rules) {
        let names = applied.names().chain(policies.names());
        let unmatched: Vec<&str> = names.filter(|name| !self.matched.contains(*name)).collect();
        let list =
            |names: &[&str]| if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
        note(format_args!(
            "{} of {} matched nothing{}",
            unmatched.len(),
            plural(applied.len() + policies.len(), "rule"),
            list(&unmatched)
        ));
        let untested = tested.untested();
        note(format_args!(
            "{} of {} without a test{}",
            untested.len(),
            plural(tested.len(), "rule"),
            list(&untested)
        ));
    }

    pub(super) fn end(mut self) -> Result<Outcome, Failure> {
        self.progress.finish();
        if !self.unfixable.is_empty() {
            let names: Vec<&str> = self.unfixable.iter().map(String::as_str).collect();
            note(format_args!(
                "some findings of {} are not fixed: the fix needs values that are not known, sensitive, or not the same for all instances",
                names.join(", ")
            ));
        }
        let is_human = self.command.reporting.report == Format::Human && !Host::current().is_quiet();
        let mut written = self.written.and_then(|()| self.report.finish());
        if written.is_ok() && is_human {
            let text = format!("{}\n", self.totals);
            let out = self.report.get_mut();
            written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        }
        if let Some(path) = self.command.baseline.updated() {
            let what = plural(self.baseline.write(path)?, "finding");
            if is_human {
                print_written(&path.display().to_string(), &what)?;
            }
        }
        Outcome::of_report(written, self.report.totals(), self.limited)
    }
}
