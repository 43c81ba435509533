//! The module of a run, evaluated: which of its conditions fail, and whether these are the ones that should.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use hclkit::model::Place;
use hclkit::module::{CheckedCondition, ConditionKind, Module, ModuleLoader};
use hclkit::value::Name;
use hclkit::{Code, Diagnostic, Value};

use super::mocks::{Mocks, Texts};
use super::world::{Guess, Replaced, Stage, State, World, after_key, covers};

const UNKNOWN_CHECK: Code = Code::custom("unknown-check", "A check is unknown while planning").with_explanation(
    "An assertion of a `check` block depends on a value that is known only after an apply, which ends a run with `command = plan`.",
);
const UNKNOWN_COUNT: Code = Code::custom("unknown-instances", "The number of instances is unknown")
    .with_explanation(
        "The argument `count` or `for_each` depends on a value that is known only after an apply.",
    );
const TOO_EARLY: Code = Code::custom("failure-while-planning", "An expected failure is too early").with_explanation(
    "The run expects a failure of an apply, but it fails while planning. Use `command = plan` to expect it.",
);

/// Why a value is not there.
pub(super) enum Missing {
    Error(Vec<Diagnostic>),
    Skip(String),
}

/// A module that was evaluated in a run.
pub(super) struct Evaluated {
    pub(super) module: Module,
    pub(super) world: Arc<World>,
    /// Errors that are not those of conditions.
    errors: Vec<Diagnostic>,
    conditions: Vec<CheckedCondition>,
}

/// What a run evaluates.
pub(super) struct Subject {
    pub(super) loader: ModuleLoader,
    pub(super) variables: Vec<(Name, Value)>,
    pub(super) state: State,
    pub(super) replaced: Vec<Replaced>,
    /// The targets of all overrides.
    pub(super) overridden: Vec<String>,
    pub(super) mocks: Arc<Mocks>,
    pub(super) texts: Option<Texts>,
}

impl Subject {
    pub(super) fn evaluate(&self, stage: Stage, guess: Guess, blocked: &[String]) -> Evaluated {
        let world = Arc::new(World {
            stage,
            guess,
            state: self.state.clone(),
            replaced: self.replaced.clone(),
            overridden: self.overridden.clone(),
            mocks: self.mocks.clone(),
            texts: self.texts.clone(),
            blocked: blocked.to_vec(),
            seen: Mutex::default(),
            seen_mocked: Mutex::default(),
            unsure: Mutex::default(),
        });
        let loader =
            self.loader.clone().with_applied(stage == Stage::Apply).with_known_objects(world.clone());
        let loader = self.variables.iter().fold(loader, |loader, (name, value)| {
            let is_blocked = blocked.iter().any(|own| own.strip_prefix("var.") == Some(&**name));
            loader.with_variable(name.clone(), if is_blocked { Value::DYNAMIC } else { value.clone() })
        });
        let mut loader = loader;
        for name in blocked.iter().filter_map(|own| own.strip_prefix("var.")) {
            if !self.variables.iter().any(|(own, _)| **own == *name) {
                loader = loader.with_variable(name, Value::DYNAMIC);
            }
        }
        let module = loader.load();
        let mut found = module.diagnostics();
        found.append(module.check_variables());
        found.append(module.evaluate(&[]).diagnostics);
        let conditions = module.conditions();
        let found = found.distinct();
        let errors = found.iter().filter(|own| own.is_error() && !own.has_code(Code::ConditionFailed));
        let errors = errors.cloned().collect();
        Evaluated { module, world, errors, conditions }
    }

    /// The conditions that fail next, and whether they are the last ones. Nothing that depends on a variable that is not valid, or
    /// on an object whose condition fails, is evaluated: first variables, then objects, then what nothing depends on.
    fn next_failing(
        &self,
        last: &Evaluated,
        stage: Stage,
        blocked: &[String],
    ) -> Result<(Vec<CheckedCondition>, bool), Missing> {
        let is_new = |own: &&CheckedCondition| !blocked.contains(&own.address);
        let is_variable = |own: &&CheckedCondition| own.kind == ConditionKind::Variable && own.is_in_root;
        let variables: Vec<CheckedCondition> =
            last.failing().filter(is_new).filter(is_variable).cloned().collect();
        if !variables.is_empty() {
            return Ok((variables, false));
        }
        let is_last = |own: &CheckedCondition| {
            own.is_in_root && matches!(own.kind, ConditionKind::Output | ConditionKind::Check)
        };
        let objects: Vec<CheckedCondition> =
            last.failing().filter(is_new).filter(|own| !is_last(own)).cloned().collect();
        if objects.is_empty() {
            return Ok((last.failing().filter(is_new).cloned().collect(), true));
        }
        let groups: BTreeSet<String> = objects.iter().map(|own| without_keys(&own.address)).collect();
        if groups.len() == 1 {
            return Ok((objects, false));
        }
        if groups.len() > MOST_GROUPS {
            return Err(Missing::Skip(format!("conditions of {} blocks fail", groups.len())));
        }
        // Those that fail whatever the others are.
        let mut first = Vec::new();
        for group in &groups {
            let others = objects.iter().filter(|own| without_keys(&own.address) != *group);
            let others = blocked.iter().cloned().chain(others.map(|own| own.address.clone()));
            let evaluated = self.evaluate(stage, Guess::Nothing, &others.collect::<Vec<_>>());
            first.extend(evaluated.failing().filter(|own| without_keys(&own.address) == *group).cloned());
        }
        if first.is_empty() {
            return Err(Missing::Skip("conditions that fail depend on each other".to_owned()));
        }
        Ok((first, false))
    }

    /// Compares the conditions that fail with those that should. Returns what is known without what failed, and its addresses.
    pub(super) fn settled(
        &self,
        first: Evaluated,
        stage: Stage,
        expected: &mut [(String, Place, bool)],
        may_fail: bool,
    ) -> Result<(Evaluated, Vec<String>), Missing> {
        let mut blocked: Vec<String> = Vec::new();
        let has_unknown_instances = first.module.has_unknown_instances();
        let mut last = first;
        loop {
            if let Some(why) = last.world.unsure() {
                return Err(Missing::Skip(why));
            }
            let (failing, is_end) = self.next_failing(&last, stage, &blocked)?;
            compare(&failing, expected, may_fail)?;
            if is_end {
                break;
            }
            blocked.extend(failing.into_iter().map(|own| own.address).collect::<BTreeSet<_>>());
            last = self.evaluate(stage, Guess::Nothing, &blocked);
        }
        if !last.errors.is_empty() {
            return Err(match beyond_errors(&last.errors) {
                Some(why) => Missing::Skip(why),
                // What depends on something that failed is not evaluated.
                None if !blocked.is_empty() => Missing::Skip(
                    "another condition fails before an error, which may depend on it".to_owned(),
                ),
                None => Missing::Error(last.errors),
            });
        }
        // What depends on something that failed is not evaluated.
        let has_unknown_instances =
            last.module.has_unknown_instances() && (blocked.is_empty() || has_unknown_instances);
        // What is unknown here may be known to Terraform.
        if last.unknown().next().is_some() || has_unknown_instances {
            let created = self.evaluate(stage, Guess::Created, &blocked);
            let everything = self.evaluate(stage, Guess::Everything, &blocked);
            let is_unknown = stage == Stage::Plan && blocked.is_empty();
            if has_unknown_instances {
                if !is_unknown
                    || !created.module.has_unknown_instances()
                    || everything.module.has_unknown_instances()
                {
                    let why =
                        "the number of instances depends on a value that only a provider or an apply knows";
                    return Err(Missing::Skip(why.to_owned()));
                }
                let note = "The argument `count` or `for_each` of a block depends on a value that is known only after an apply.";
                return Err(Missing::Error(vec![Diagnostic::error(UNKNOWN_COUNT).with_note(note)]));
            }
            let is_known = |in_world: &Evaluated, own: &CheckedCondition| {
                let same = |other: &&CheckedCondition| other.address == own.address && other.kind == own.kind;
                in_world.conditions.iter().filter(same).all(|own| own.is_met.is_some())
            };
            for own in last.unknown() {
                // What depends on something that failed is not evaluated.
                if !blocked.is_empty() && !is_known(&everything, own) {
                    continue;
                }
                if stage == Stage::Apply || is_known(&created, own) || !is_known(&everything, own) {
                    let why = format!(
                        "a condition of `{}` depends on a value that only a provider or an apply knows",
                        own.address
                    );
                    return Err(Missing::Skip(why));
                }
                // An unknown check fails a plan.
                if own.kind == ConditionKind::Check && may_fail {
                    let mut is_expected = false;
                    for (_, _, found) in expected.iter_mut().filter(|(text, ..)| covers(text, &own.address)) {
                        (is_expected, *found) = (true, true);
                    }
                    if !is_expected {
                        let note = format!(
                            "An assertion of `{}` depends on a value that is known only after an apply.",
                            own.address
                        );
                        return Err(Missing::Error(vec![Diagnostic::error(UNKNOWN_CHECK).with_note(note)]));
                    }
                }
            }
        }
        Ok((last, blocked))
    }
}

impl Evaluated {
    /// The conditions that are not met.
    fn failing(&self) -> impl Iterator<Item = &CheckedCondition> {
        self.conditions.iter().filter(|own| own.is_met == Some(false))
    }

    fn unknown(&self) -> impl Iterator<Item = &CheckedCondition> {
        self.conditions.iter().filter(|own| own.is_met.is_none() && !own.found.has_errors())
    }
}

/// What a failed condition reports, as an error.
fn reports(condition: &CheckedCondition) -> impl Iterator<Item = Diagnostic> {
    let failed = condition.found.iter().filter(|own| own.has_code(Code::ConditionFailed));
    failed.cloned().map(|own| own.with_severity(hclkit::Severity::Error))
}

/// The most blocks with failing conditions that are compared with each other.
const MOST_GROUPS: usize = 10;

/// Compares conditions that fail with those that should. If the run cannot fail yet, expected failures are errors, too, but checks
/// are not.
fn compare(
    failing: &[CheckedCondition],
    expected: &mut [(String, Place, bool)],
    may_fail: bool,
) -> Result<(), Missing> {
    let mut errors = Vec::new();
    for own in failing {
        let is_checked = own.kind == ConditionKind::Check;
        let mut is_expected = false;
        for (_, _, found) in
            expected.iter_mut().filter(|(text, ..)| own.is_in_root && covers(text, &own.address))
        {
            is_expected = true;
            *found |= may_fail;
        }
        if is_checked && !may_fail || is_expected && may_fail {
            continue;
        }
        if is_expected {
            let note = format!("`{}` fails while planning, before the apply that should fail.", own.address);
            let place = own.found.iter().find_map(Diagnostic::place);
            let place = place.unwrap_or_else(Place::nowhere);
            errors.push(Diagnostic::error(TOO_EARLY).with_note(note).at(place));
        }
        errors.extend(reports(own));
    }
    if errors.is_empty() { Ok(()) } else { Err(Missing::Error(errors)) }
}

/// Errors for which a run is skipped: the program does not do what Terraform would.
pub(super) fn beyond_errors(errors: &[Diagnostic]) -> Option<String> {
    let codes = [Code::FilesNotGranted, Code::EnvironmentNotGranted, Code::NotGranted];
    let is_beyond = |own: &&Diagnostic| {
        codes.iter().any(|code| own.has_code(*code)) || own.code().is_some_and(Code::is_limit)
    };
    errors.iter().find(is_beyond).map(ToString::to_string)
}

/// An address without the keys of instances.
pub(super) fn without_keys(address: &str) -> String {
    let mut text = String::new();
    let mut rest = address;
    while let Some(at) = rest.find('[') {
        text.push_str(&rest[..at]);
        match after_key(&rest[at..]) {
            Some(after) => rest = after,
            None => break,
        }
    }
    text + rest
}
