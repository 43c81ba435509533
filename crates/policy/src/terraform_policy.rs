//! Policies of Terraform, `*.policy.hcl`, and their tests, `*.policytest.hcl`, without providers, plugins and HCP Terraform. Reading them
//! is in `terraform_policy/read.rs` and `check.rs`, what they say of something in `evaluate.rs`, their tests in `cases.rs`, and what they are applied
//! to in modules in `subjects.rs`.

mod cases;
mod check;
mod evaluate;
mod functions;
mod read;
mod subjects;
mod version;

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::path::Path;

use hclkit::dialect::Dialect;
use hclkit::module::{ModuleLoader, Reasons};
use hclkit::syntax::{did_you_mean, nearest_name};
use hclkit::{Code, Diagnostic, Diagnostics, Document, Functions, Severity, Value};

use crate::request::{OpenPolicies, TestFile};
use crate::rules::{Project, value_of_text};
use crate::verdict::{Outcome, Suite, Verdict};
use check::invalid;
use evaluate::{Level, Said, Session, Subject};
use read::{Kind, Operation, Policy, PolicyFile};
use subjects::{Found, Subjects};

const BROKEN: Code = Code::custom("policy-error", "A policy cannot be evaluated")
    .with_explanation("The condition or the filter of a policy has an error for what it is applied to.");
const UNKNOWN: Code = Code::custom("policy-unknown", "A policy is unknown").with_explanation(
    "The condition of a policy depends on what only a provider, a state or an apply knows, or on a variable that is not set.",
);

/// The functions that files of a language can call, each with its documentation, if these are policies or their tests. What the
/// functions find is unknown.
pub fn functions_of(language: &Dialect) -> Option<Functions> {
    language.name().starts_with("terraform-policy").then(functions::open_library)
}

/// Policies, from any number of files. Each file has its own inputs and local values.
#[derive(Default)]
pub struct Policies {
    files: Vec<PolicyFile>,
    /// The values of inputs that the caller sets.
    given: Vec<(String, Value)>,
}

/// The number of files. Values of inputs, which may be sensitive, are left out.
impl fmt::Debug for Policies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policies").field("files", &self.files.len()).finish_non_exhaustive()
    }
}

impl Policies {
    /// Reads files of policies, and what is wrong in them.
    pub fn read(documents: impl IntoIterator<Item = Document>) -> (Self, Diagnostics) {
        let mut found = Diagnostics::new();
        let files = documents.into_iter().map(|own| PolicyFile::read(own, &mut found)).collect();
        (Self { files, given: Vec::new() }, found)
    }

    /// Sets an input to a text, which is that of a string, or else an expression without names.
    ///
    /// # Errors
    /// No file has an input with this name.
    pub fn set_input(&mut self, name: &str, text: &str) -> Result<(), String> {
        if !self.inputs().any(|own| own == name) {
            let hint = did_you_mean(nearest_name(name, self.inputs()));
            return Err(format!("No policy has an input `{name}`.{hint}"));
        }
        // The types of inputs convert it.
        let value = value_of_text(text, None)?;
        self.given.push((name.to_owned(), value));
        Ok(())
    }

    /// The names of the inputs.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        self.files.iter().flat_map(|own| &own.inputs).map(|own| own.name.as_str())
    }

    /// The number of policies.
    pub fn len(&self) -> usize {
        self.files.iter().map(|own| own.policies.len()).sum()
    }

    /// Returns true if there are no policies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of the policies.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().flat_map(|own| &own.policies).map(|own| own.name.as_str())
    }

    /// The codes of the policies, for reports. Their severity is that of the level that they name.
    pub fn codes(&self) -> impl Iterator<Item = (Code, Severity)> {
        self.files.iter().flat_map(|own| &own.policies).map(|own| (own.code, Severity::Error))
    }

    /// Runs the tests of a file. `open` reads files of policies that the test names and that are not among these: it gets the directory
    /// of the test and a path, and returns the file, or the files of the directory.
    pub fn test(
        &self,
        file: &TestFile,
        open: &OpenPolicies<'_>,
        selects: &(dyn Fn(&str) -> bool + Sync),
    ) -> Suite {
        cases::run(self, &file.directory, &file.document, open, selects)
    }

    /// Applies the policies to the root module in a directory, with the modules that it calls. There is no state, so that all resources
    /// are created. `complete` are the types of resources whose schemas the loader has.
    pub fn apply(
        &self,
        project: &Project,
        directory: &Path,
        loader: &ModuleLoader,
        complete: &HashSet<String>,
        selects: &dyn Fn(&str) -> bool,
    ) -> Suite {
        let names: BTreeSet<String> = self.files.iter().flat_map(|own| own.names.iter().cloned()).collect();
        let subjects = Subjects::read(project, directory, loader, complete, &names);
        let mut suite = Suite { problems: subjects.limited.clone(), ..Suite::default() };
        let reasons: OnceCell<Reasons> = OnceCell::new();
        for file in self.files.iter().filter(|own| !own.is_broken) {
            let inputs = match file.inputs(&self.given) {
                Ok(inputs) => inputs,
                Err(why) => {
                    let hint = "Set it with `--param NAME=VALUE`.";
                    let error = invalid(format!("{why} {hint}")).with_source(file.document.shared_source());
                    suite.problems.push(error);
                    continue;
                }
            };
            let session = Session::new(file, &subjects.world, inputs);
            for (number, policy) in file.policies.iter().enumerate() {
                if !selects(&policy.name) {
                    continue;
                }
                let mut application = Application {
                    subjects: &subjects,
                    session: &session,
                    policy,
                    number,
                    reasons: &reasons,
                    suite: &mut suite,
                };
                application.run();
                if hclkit::limits::Meter::current().exceeded().is_some() {
                    hclkit::module::report_exceeded(&mut suite.problems);
                    return suite;
                }
            }
        }
        suite.problems = std::mem::take(&mut suite.problems).distinct();
        suite
    }
}

/// A policy and a module.
struct Application<'a, 'f> {
    subjects: &'a Subjects,
    session: &'a Session<'f>,
    policy: &'a Policy,
    number: usize,
    reasons: &'a OnceCell<Reasons>,
    suite: &'a mut Suite,
}

impl Application<'_, '_> {
    fn run(&mut self) {
        let all = &self.subjects.all;
        let is_meant = |own: &&Found| {
            own.kind == self.policy.kind && own.names.iter().any(|name| self.policy.is_about(name))
        };
        let meant: Vec<&Found> = all.iter().filter(is_meant).collect();
        if meant.is_empty() {
            return;
        }
        if self.policy.kind == Kind::Resource && !self.policy.sees(Operation::Create) {
            let why = "without a state, all resources are created, and the policy is about other operations";
            let verdict =
                Verdict::new(&self.policy.name, &self.policy.target, Outcome::Skipped(why.to_owned()));
            self.suite.verdicts.push(verdict);
            return;
        }
        // The instances of a declaration follow each other.
        for instances in meant.chunk_by(|one, other| one.declaration == other.declaration) {
            self.declaration(instances);
            if hclkit::limits::Meter::current().exceeded().is_some() {
                return;
            }
        }
    }

    fn declaration(&mut self, instances: &[&Found]) {
        let mut worst: Option<(u8, Said, &Found)> = None;
        let (mut failing, mut notes) = (0, Vec::new());
        for own in instances {
            let Some(said) = self.apply(own) else { continue };
            notes.extend(said.info.iter().map(|text| format!("{}: {text}", own.address)));
            failing += usize::from(!said.failed.is_empty());
            let rank = match &said {
                said if said.errors.has_errors() => 3,
                said if !said.failed.is_empty() => 2,
                said if said.unknown.is_some() => 1,
                _ => 0,
            };
            if worst.as_ref().is_none_or(|(known, ..)| rank > *known) {
                worst = Some((rank, said, own));
            }
        }
        let Some((rank, said, own)) = worst else { return };
        let name = &self.policy.name;
        let several = instances.len() > 1;
        let subject = if several { &own.declaration } else { &own.address };
        let mut verdict = match rank {
            3 => {
                let why = said.errors.iter().next().map(Diagnostic::note).unwrap_or_default();
                let note = format!("The policy `{name}` cannot be evaluated for {}: {why}", own.address);
                let error =
                    Diagnostic::error(BROKEN).at(&own.place).with_note(note).with_address(&*own.declaration);
                self.suite.problems.append(said.errors);
                Verdict::new(name, subject, Outcome::Errored).with_finding(error)
            }
            2 => {
                let mut note = said.failed.join(" ");
                if several {
                    let more = if failing > 1 { format!(" and {} more", failing - 1) } else { String::new() };
                    note = format!("{note} ({}{more})", own.address);
                }
                if said.level == Level::Overridable {
                    note.push_str(" The policy can be overridden.");
                }
                let finding = Diagnostic::new(said.level.severity(), self.policy.code);
                let finding = finding.at(&own.place).with_note(note).with_address(&*own.declaration);
                Verdict::new(name, subject, Outcome::Failed).with_finding(finding)
            }
            1 => {
                let why = said.unknown.unwrap_or_default();
                let note = format!("The policy `{name}` is unknown for {}: {why}.", own.address);
                let finding = Diagnostic::warning(UNKNOWN)
                    .at(&own.place)
                    .with_note(note)
                    .with_address(&*own.declaration);
                Verdict::new(name, subject, Outcome::Unknown(why)).with_finding(finding)
            }
            _ => Verdict::new(name, subject, Outcome::Passed),
        };
        verdict.notes = notes;
        self.suite.verdicts.push(verdict);
    }

    fn apply(&self, own: &Found) -> Option<Said> {
        let reasons = |name: &str| -> String {
            if !own.is_complete && !own.set.contains(name) {
                return format!(
                    "`{name}` is not set, and only the schema of its provider says what it is then (--provider-schema)"
                );
            }
            let known = self.reasons.get_or_init(|| self.subjects.module.reasons());
            let all = known.of(&format!("{}.{name}", own.address));
            let all: Vec<String> = all.iter().take(3).map(ToString::to_string).collect();
            if !all.is_empty() {
                return format!("`{name}` is not known because of {}", all.join(", "));
            }
            if own.is_complete {
                format!("`{name}` is not known before an apply")
            } else {
                format!("a part of `{name}` is not known or not set")
            }
        };
        if self.policy.has_whole_attrs && !own.is_complete {
            // Only the provider knows all of them.
            let subject = Subject {
                attrs: Value::DYNAMIC,
                prior: own.subject.prior.clone(),
                meta: own.subject.meta.clone(),
                operation: own.subject.operation,
            };
            return self.session.apply(self.number, &subject, &reasons);
        }
        self.session.apply(self.number, &own.subject, &reasons)
    }
}
