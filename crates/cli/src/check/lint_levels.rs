//! What is reported, and as what: `--deny`, `--warn`, `--allow`, comments that allow codes, `--baseline`, and many warnings of
//! one code.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use hclkit::limits::clean_path;
use hclkit::syntax::{or_did_you_mean, visible_line};
use hclkit::{Code, Diagnostic, Diagnostics, Severity, Source};
use hclkit_policy::comments::{Allowance, Allowances, Wording};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::is_human;
use crate::args::Check;
use crate::atomic_write;
use crate::git;
use crate::host::Host;
use crate::input::{Input, relative};
use crate::outcome::Failure;
use crate::output::{plural, print_written, warn};

/// The number of warnings of one code that are shown with their source.
const SHOWN: usize = 10;

/// The findings that are not reported: the number of each, by file and text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Baseline {
    findings: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Baseline {
    /// Reads a file.
    ///
    /// # Errors
    /// There is no such file, or it is no baseline.
    pub(crate) fn read(path: &Path) -> Result<(Self, Source), Failure> {
        let failed = |why: String| Failure::new(format!("cannot read {}: {why}", path.display()));
        if !path.exists() {
            return Err(failed("there is no such file; create it with --update-baseline".into()));
        }
        let text = Input::File(path.to_owned()).text().map_err(|error| failed(error.to_string()))?;
        let own = serde_json::from_str(text.text()).map_err(|error| failed(error.to_string()))?;
        Ok((own, text))
    }

    /// Adds a finding.
    pub(crate) fn add(&mut self, file: String, text: String) {
        *self.findings.entry(file).or_default().entry(text).or_default() += 1;
    }

    /// Whether a finding is listed. Each one there counts once.
    pub(crate) fn take(&mut self, file: &str, text: &str) -> bool {
        match self.findings.get_mut(file).and_then(|all| all.get_mut(text)) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }

    /// Writes the file. Returns the number of findings.
    pub(crate) fn write(&self, path: &Path) -> Result<usize, Failure> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        atomic_write::write(path, &text)?;
        Ok(self.findings.values().flat_map(BTreeMap::values).sum())
    }

    /// The name of a file, and the text of a finding in it, as they are listed.
    pub(crate) fn entry(beside: &Path, diagnostic: &Diagnostic) -> (String, String) {
        let file = diagnostic.source().map_or("", |source| source.name());
        let code = diagnostic.code().map_or_else(|| diagnostic.summary(), |code| code.as_str());
        let file = relative(beside, &absolute(Path::new(file))).to_string_lossy().replace('\\', "/");
        (file, format!("{code}: {}", diagnostic.note()))
    }

    /// The directory to which the names of files in a baseline are relative.
    pub(crate) fn beside(path: Option<&Path>) -> PathBuf {
        path.and_then(Path::parent).map(absolute).unwrap_or_default()
    }

    /// Forgets what the file did not list where the working tree branched off from a commit. Otherwise, a change could come with a
    /// list of its own errors. A file outside of repositories stays as it is.
    fn keep_what_was_there(&mut self, path: &Path, text: &str, revision: &str) -> Result<(), Failure> {
        let before = git::text_before(revision, path, text.as_bytes())?;
        if before.as_deref() == Some(text.as_bytes()) {
            return Ok(());
        }
        let shown = path.display();
        warn(format_args!(
            "{shown} has changed since {revision}; only what it listed before is not reported"
        ));
        let before = before.map_or_else(|| Ok(Self::default()), |text| serde_json::from_slice(&text));
        let before = before.map_err(|error| {
            Failure::new(format!("cannot read {shown} as it was before the change: {error}"))
        })?;
        for (file, texts) in &mut self.findings {
            let known = before.findings.get(file);
            for (text, count) in texts {
                *count = (*count).min(known.and_then(|known| known.get(text)).copied().unwrap_or(0));
            }
        }
        Ok(())
    }
}

/// The levels of a run.
#[allow(clippy::struct_excessive_bools, reason = "each is an option")]
pub(super) struct LintLevels {
    codes: HashMap<String, Option<Severity>>,
    deny_warnings: bool,
    /// The comments, by the names of their files.
    allowances: HashMap<String, Allowances>,
    /// Files with comments that were read because of a finding in them, before or without a check of the files themselves.
    found_early: HashSet<String>,
    baseline: Baseline,
    /// The directory of the baseline, to which the paths in it are relative.
    beside: PathBuf,
    /// Files with syntax errors, of which nothing more can be known. A baseline would hide that.
    broken: HashSet<String>,
    /// The file of the baseline, if everything is written to it.
    update: Option<PathBuf>,
    is_quiet: bool,
    is_human: bool,
    /// Whether warnings are held back until their number is known.
    holds: bool,
    summary: bool,
    held: IndexMap<Option<Code>, Vec<Diagnostic>>,
}

/// Warnings that were held back.
#[derive(Default)]
pub(super) struct DeferredWarnings {
    /// Those that are shown like errors.
    pub(super) shown: Vec<Diagnostics>,
    /// A line for each of the others, or for each code.
    pub(super) lines: String,
    pub(super) count: usize,
    pub(super) sources: HashSet<String>,
}

impl LintLevels {
    pub(super) fn new(command: &Check) -> Result<Self, Failure> {
        let own = &command.levels;
        let mut codes = HashMap::new();
        let options = [
            ("--deny", &own.deny, Some(Severity::Error)),
            ("--warn", &own.warn, Some(Severity::Warning)),
            ("--allow", &own.allow, None),
        ];
        for (option, names, level) in options {
            for name in names.iter().filter(|name| *name != "warnings" || option != "--deny") {
                if !is_known(name) {
                    return Err(Failure::new(format!("{option} {name}: unknown code{}", near(name))));
                }
                if codes.insert(name.clone(), level).is_some_and(|other| other != level) {
                    return Err(Failure::new(format!("{option} {name}: another option sets another level")));
                }
            }
        }
        let human = is_human(command);
        if own.summary && !human {
            return Err(Failure::new("--summary requires --report human"));
        }
        let mut baseline = Baseline::default();
        if let Some(path) = own.baseline.known() {
            let text;
            (baseline, text) = Baseline::read(path)?;
            if let Some(revision) = &command.changed_since {
                baseline.keep_what_was_there(path, text.text(), revision)?;
            }
        }
        Ok(Self {
            codes,
            deny_warnings: own.deny.iter().any(|name| name == "warnings"),
            allowances: HashMap::new(),
            found_early: HashSet::new(),
            broken: HashSet::new(),
            beside: Baseline::beside(own.baseline.file.as_deref()),
            baseline,
            update: own.baseline.updated().map(Path::to_owned),
            is_quiet: Host::current().is_quiet(),
            is_human: human,
            holds: human && !command.fix,
            summary: own.summary,
            held: IndexMap::new(),
        })
    }

    /// The same options, to ask what would be reported. Nothing is known about files.
    pub(super) fn without_files(&self) -> Self {
        Self {
            codes: self.codes.clone(),
            beside: self.beside.clone(),
            baseline: self.baseline.clone(),
            update: self.update.clone(),
            allowances: HashMap::new(),
            found_early: HashSet::new(),
            broken: HashSet::new(),
            held: IndexMap::new(),
            ..*self
        }
    }

    /// Adds the comments of a file.
    pub(super) fn expect(&mut self, file: String, allowances: Allowances) {
        if !self.found_early.remove(&file) {
            self.allowances.insert(file, allowances);
        }
    }

    /// Reports the errors of files with syntax errors, whatever the baseline has.
    pub(super) fn add_broken(&mut self, files: impl IntoIterator<Item = String>) {
        self.broken.extend(files);
    }

    /// The diagnostics to report now.
    pub(super) fn apply(&mut self, found: &Diagnostics) -> Diagnostics {
        let mut reported: Diagnostics = found.iter().filter_map(|diagnostic| self.one(diagnostic)).collect();
        // Those that were not kept have no code any more, so they can only be counted.
        let mut counted = found.clone();
        counted.retain(|_| false);
        if self.deny_warnings {
            (0..counted.total()).for_each(|_| reported.count_error());
        } else {
            reported.append(counted);
        }
        reported
    }

    fn one(&mut self, diagnostic: &Diagnostic) -> Option<Diagnostic> {
        let file = diagnostic.source().map_or("", |source| source.name());
        if let Some(source) = diagnostic.source().filter(|_| !self.allowances.contains_key(file)) {
            // Also without comments, so that it is read only once.
            self.allowances.insert(file.to_owned(), Allowances::of_source(source, Wording::ALLOW));
            self.found_early.insert(file.to_owned());
        }
        let code = diagnostic.code().map(Code::as_str);
        if let (Some(code), Some(all)) = (code, self.allowances.get(file))
            && all.allow(code, diagnostic)
        {
            return None;
        }
        let level = match code.and_then(|code| self.codes.get(code)) {
            Some(level) => *level,
            None if self.deny_warnings => Some(Severity::Error),
            None => Some(diagnostic.severity()),
        }?;
        let is_broken = diagnostic.is_error() && self.broken.contains(file);
        if !is_broken && self.is_in_baseline(diagnostic) {
            return None;
        }
        let diagnostic = diagnostic.clone().with_severity(level);
        if diagnostic.is_error() {
            return Some(diagnostic);
        }
        if !self.is_quiet && self.holds {
            self.held.entry(diagnostic.code()).or_default().push(diagnostic);
            return None;
        }
        (!self.is_quiet).then_some(diagnostic)
    }

    /// Whether a diagnostic is in the baseline. Each one there counts once.
    fn is_in_baseline(&mut self, diagnostic: &Diagnostic) -> bool {
        if self.update.is_none() && self.baseline.findings.is_empty() {
            return false;
        }
        let (file, text) = Baseline::entry(&self.beside, diagnostic);
        if self.update.is_some() {
            self.baseline.add(file, text);
            return true;
        }
        self.baseline.take(&file, &text)
    }

    /// Writes the baseline, if that is wanted.
    pub(super) fn write_baseline(&self) -> Result<(), Failure> {
        let Some(path) = &self.update else { return Ok(()) };
        let count = self.baseline.write(path)?;
        let what = plural(count, "finding");
        if self.is_human { print_written(&path.display().to_string(), &what) } else { Ok(()) }
    }

    /// The comments that allow nothing.
    pub(super) fn unused(&mut self) -> Diagnostics {
        let given = self.allowances.iter().filter(|(file, _)| !self.found_early.contains(*file));
        let mut all: Vec<&Allowance> = given.flat_map(|(_, own)| own.unused()).collect();
        all.sort_by_key(|allowance| (allowance.source().name().to_owned(), allowance.place));
        let unused = |allowance: &&Allowance| {
            let note = match &allowance.code {
                None => "Expected `# hcl-check: allow CODE reason`.".to_owned(),
                Some(code) if !is_known(code) => match near(code) {
                    hint if hint.is_empty() => format!("`{code}` is not a code."),
                    hint => format!("`{code}` is not a code{hint}"),
                },
                Some(code) => format!("Nothing with the code `{code}` is found here. Remove the comment."),
            };
            Diagnostic::warning(Code::UnusedAllowance)
                .with_note(note)
                .at(allowance.place)
                .with_source(allowance.source())
        };
        let found: Vec<Diagnostic> = all.iter().map(unused).collect();
        found.iter().filter_map(|diagnostic| self.one(diagnostic)).collect()
    }

    /// The warnings that were held back.
    pub(super) fn held(self) -> DeferredWarnings {
        let mut held = DeferredWarnings::default();
        for (code, all) in self.held {
            if !self.summary && all.len() <= SHOWN {
                held.shown.push(all.into_iter().collect());
                continue;
            }
            held.count += all.len();
            let sources = all.iter().filter_map(Diagnostic::source);
            held.sources.extend(sources.map(|source| source.name().to_owned()));
            let name = code.map_or("warning", |code| code.as_str());
            if self.summary {
                let what = all[0].summary().to_owned();
                // Writing to a string cannot fail.
                let _ = writeln!(held.lines, "{}: {name}: {what}", plural(all.len(), "warning"));
                continue;
            }
            for warning in &all {
                let place = warning.place().map_or_else(String::new, |place| {
                    let start = place.range().start;
                    format!("{}:{}:{}: ", place.source.name(), start.line, start.column)
                });
                let line = format!("{place}warning[{name}]: {}", warning.note());
                let _ = writeln!(held.lines, "{}", visible_line(&line));
            }
        }
        held
    }
}

/// A path from the root, whatever directory the program runs in.
fn absolute(path: &Path) -> PathBuf {
    clean_path(&std::env::current_dir().unwrap_or_default().join(path))
}

fn is_known(code: &str) -> bool {
    code.parse::<Code>().is_ok()
}

/// A code that was possibly meant.
fn near(code: &str) -> String {
    let meant = code.parse::<Code>().err().and_then(|unknown| unknown.nearest());
    or_did_you_mean(meant.map(Code::as_str))
}
