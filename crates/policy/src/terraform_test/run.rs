//! Runs what is in a test file: variables, the plan or the apply of a module, its conditions, and assertions about it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use hclkit::dialect::is_local_source;
use hclkit::model::{Place, Target, Traversal};
use hclkit::module::{Module, ModuleLoader};
use hclkit::value::{Mark, Name, Str};
use hclkit::{Code, Context, Diagnostic, Expression, Type, Value};

use super::application::Application;
use super::file::{File, Override, Run, attribute, run_of, written};
use super::mocks::{Mocks, Texts};
use super::subject::{Evaluated, Missing, Subject, beyond_errors};
use super::world::{Guess, Replaced, Stage, State, is_terraform_data};
use crate::request::TestRequest;
use crate::verdict::{Outcome, Suite, Verdict};

const FAILED: Code = Code::custom("assertion-failed", "An assertion of a test failed")
    .with_explanation("The condition of an `assert` block in a test of Terraform is false.");
const UNKNOWN: Code = Code::custom("unknown-assertion", "The condition of an assertion is unknown").with_explanation(
    "A condition of a test depends on a value that is known only after an apply. Use `command = apply`, or set the value with an override.",
);
const INVALID: Code = Code::custom("invalid-assertion", "The condition of an assertion is no bool")
    .with_explanation("The condition of an `assert` block must be true or false, and not null.");
const INVALID_MESSAGE: Code =
    Code::custom("invalid-assertion-message", "The message of an assertion is no string")
        .with_explanation("The `error_message` of an `assert` block must be a string, and not null.");
const WHOLE_GROUP: Code = Code::custom("reference-to-group", "A reference names no declaration")
    .with_explanation(
        "A reference must name a declaration: `output.NAME`, `TYPE.NAME` of a resource, `data.TYPE.NAME`.",
    );
const MISSING: Code = Code::custom("missing-failure", "An expected failure is missing")
    .with_explanation("The list `expect_failures` of a run names something whose conditions do not fail.");
const NOT_CHECKABLE: Code = Code::custom("invalid-expectation", "A failure cannot be expected of this")
    .with_explanation(
        "Only variables, outputs, checks, resources and data sources have conditions that can fail.",
    );
const NOT_KNOWN: Code = Code::custom("unknown-variable-of-run", "The value of a variable is unknown")
    .with_explanation("A variable of a run has a value that is known only after an apply.");

/// How a run ended.
enum Ended {
    /// What is to be reported: it passed if that is nothing.
    Failed(Vec<Diagnostic>),
    Errored(Vec<Diagnostic>),
    Skipped(String),
}

impl Ended {
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Failed(own), Self::Failed(other)) => own.is_empty() == other.is_empty(),
            (Self::Errored(_), Self::Errored(_)) | (Self::Skipped(_), Self::Skipped(_)) => true,
            _ => false,
        }
    }
}

const AFTER_ERROR: &str = "an earlier run ended with an error";

/// How many texts that a mock could make up are tried.
const TEXTS: u8 = 5;

/// A name that is not one of the module, and its value.
type Named = (Vec<Name>, Value);

/// What assertions are about.
pub(super) struct Asserted<'a> {
    pub(super) stage: Stage,
    /// The addresses of what failed.
    pub(super) blocked: &'a [String],
    /// Variables that the module does not declare.
    pub(super) names: &'a [(Vec<Name>, Value)],
    /// The variables that the file and the run set.
    pub(super) given: &'a [(Name, Value)],
}

/// The runs of a file so far.
pub(super) struct Session<'s> {
    pub(super) application: Application,
    directory: &'s Path,
    loader: &'s ModuleLoader,
    /// The module under test, without the variables of a run.
    pub(super) main: &'s Module,
    /// Which texts mocks make up. If there are none, they are unknown.
    texts: Option<u8>,
    request: &'s TestRequest<'s>,
    pub(super) file: &'s File,
    /// Values of variables from files of the module under test.
    given: Vec<(Name, Value)>,
    /// The results of earlier runs, for each guess, or why there are none.
    results: BTreeMap<String, Result<HashMap<u8, Value>, String>>,
    /// What was created, by the key of the state, or why that is unknown.
    states: HashMap<String, Result<State, String>>,
}

/// Runs a file.
pub(super) fn file(
    request: &TestRequest<'_>,
    directory: &Path,
    loader: &ModuleLoader,
    (name, file): (&str, &File),
    suite: &mut Suite,
) {
    let module = loader.clone().load();
    let broken = module.diagnostics();
    if broken.has_errors() {
        suite.problems.append(broken);
        return;
    }
    if let Some(found) = missing_module(request, directory, loader, file) {
        suite.problems.push(found);
        return;
    }
    let given = module.given_variables().into_iter().map(|(name, value)| {
        let value = marked(&module, &name, value);
        (name, value)
    });
    let given: Vec<(Name, Value)> = given.collect();
    let endings = |texts: Option<u8>| {
        let session = Session {
            application: Application::of(loader),
            directory,
            loader,
            request,
            file,
            given: given.clone(),
            main: &module,
            texts,
            results: BTreeMap::new(),
            states: HashMap::new(),
        };
        session.endings()
    };
    let mut all = endings(None);
    let is_open = |(own, has_failed): &(Ended, bool)| matches!(own, Ended::Skipped(_)) && !has_failed;
    if file.has_mocks() && Application::of(loader) == Application::Terraform && all.iter().any(is_open) {
        decide(&mut all, is_open, |number| endings(Some(number)));
    }
    let mut has_failed = false;
    for (run, (ended, _)) in file.runs().zip(all) {
        let ended = if has_failed { Ended::Skipped(AFTER_ERROR.to_owned()) } else { ended };
        has_failed |= matches!(ended, Ended::Errored(_));
        let (outcome, found) = match ended {
            Ended::Failed(found) if found.is_empty() => (Outcome::Passed, found),
            Ended::Failed(found) => (Outcome::Failed, found),
            Ended::Errored(found) => (Outcome::Errored, found),
            Ended::Skipped(why) => (Outcome::Skipped(why), Vec::new()),
        };
        if !(request.selects)(run.name()) && !(request.selects)(name) {
            continue;
        }
        let at_run = |own: Diagnostic| match (own.place(), run.place()) {
            (None, Some(place)) => own.at(place),
            _ => own,
        };
        let found = found.into_iter().map(at_run).collect::<Vec<_>>();
        let mut verdict = Verdict::new(run.name(), name, outcome);
        let mut found = found.into_iter();
        verdict.finding = found.next();
        verdict.more = found.collect();
        suite.verdicts.push(verdict);
    }
}

/// The value of a variable. What the module declares as sensitive is so wherever it goes.
fn marked(module: &Module, name: &str, value: Value) -> Value {
    if module.hides_variable(name) { value.mark(Mark::sensitive()) } else { value }
}

/// Decides how runs end that depend on a text that a mock makes up: as with several texts, if these agree.
fn decide(
    all: &mut [(Ended, bool)],
    is_open: impl Fn(&(Ended, bool)) -> bool,
    with_text: impl Fn(u8) -> Vec<(Ended, bool)>,
) {
    let mut open: Vec<usize> = (0..all.len()).filter(|at| is_open(&all[*at])).collect();
    let mut first: Vec<Option<(Ended, bool)>> = Vec::new();
    for number in 0..TEXTS {
        let found: Vec<Option<(Ended, bool)>> = with_text(number).into_iter().map(Some).collect();
        let same = |at: &usize| match (found.get(*at), first.get(*at)) {
            (Some(Some(own)), None) => !is_open(own),
            (Some(Some(own)), Some(Some(first))) => own.0.is_like(&first.0),
            _ => false,
        };
        open.retain(same);
        if open.is_empty() {
            return;
        }
        if first.is_empty() {
            first = found;
        }
    }
    for at in open {
        if let Some(own) = first[at].take() {
            all[at] = own;
        }
    }
}

/// The error about a module of a run that is not there.
fn missing_module(
    request: &TestRequest<'_>,
    directory: &Path,
    loader: &ModuleLoader,
    file: &File,
) -> Option<Diagnostic> {
    file.runs().find_map(|run| {
        let (source, expression) = run.source()?;
        if !is_local_source(&source)
            || (request.load)(&directory.join(&source), Some(loader.language())).is_ok()
        {
            return None;
        }
        let code = Code::custom("missing-module-of-run", "The module of a run is missing");
        let note = format!("There is no module in `{source}`.");
        Some(Diagnostic::error(code).with_note(note).at(expression.place()))
    })
}

impl Session<'_> {
    /// How each run ends, and whether it is skipped because an earlier one ended with an error.
    fn endings(mut self) -> Vec<(Ended, bool)> {
        let mut has_failed = false;
        let file = self.file;
        let one = |run| {
            let ended = match (has_failed, file.beyond()) {
                (true, _) => Ended::Skipped(AFTER_ERROR.to_owned()),
                (false, Some(why)) => Ended::Skipped(why),
                (false, None) => self.run(run),
            };
            let before = has_failed;
            has_failed |= matches!(ended, Ended::Errored(_));
            (ended, before)
        };
        file.runs().map(one).collect()
    }

    fn run(&mut self, run: Run<'_>) -> Ended {
        let key = run.state_key().or_else(|| run.source().map(|(source, _)| source)).unwrap_or_default();
        let ended = self.run_with(run, &key).unwrap_or_else(|missing| match missing {
            Missing::Error(found) => Ended::Errored(found),
            Missing::Skip(why) => Ended::Skipped(why),
        });
        // If only an assertion is unknown, the results and the state are known.
        if let Ended::Skipped(why) = &ended
            && !self.results.contains_key(run.name())
        {
            let why = format!("the run `{}` was skipped: {why}", run.name());
            if !run.is_plan() || self.application.keeps_plans() {
                self.results.insert(run.name().to_owned(), Err(why.clone()));
            }
            if !run.is_plan() {
                self.states.insert(key, Err(why));
            }
        }
        ended
    }

    fn run_with(&mut self, run: Run<'_>, key: &str) -> Result<Ended, Missing> {
        if let Some(why) = run.beyond() {
            return Err(Missing::Skip(why));
        }
        let state = self.states.get(key).cloned().unwrap_or_else(|| Ok(State::default()));
        let state = state.map_err(Missing::Skip)?;
        let (loader, declared) = self.loader_of(run)?;
        let declared: BTreeSet<Name> = declared.into_iter().collect();
        let variables = self.variables(run)?;
        let mut values: Vec<(Name, Value)> = Vec::new();
        if run.source().is_some() {
            values.extend(self.given.iter().filter(|(name, _)| declared.contains(name)).cloned());
        }
        values.extend(variables.iter().filter(|(name, _)| declared.contains(name)).cloned());
        let subject = Subject {
            loader,
            variables: values,
            state,
            replaced: self.replaced(run)?,
            overridden: run.overridden().into_iter().chain(self.file.overridden()).collect(),
            mocks: Arc::new(self.mocks(run)?),
            texts: self.texts.map(|number| Texts { number, run: run.name().to_owned() }),
        };
        let is_uncertain = !run.is_plan() && !self.application.overrides_plans();
        if is_uncertain && subject.replaced.iter().any(|own| !own.is_module && own.in_plan) {
            return Err(Missing::Skip("an override of a plan changes an apply".to_owned()));
        }
        let planned = subject.evaluate(Stage::Plan, Guess::Nothing, &[]);
        beyond_module(&planned.module, &subject.mocks)?;
        self.check_replaced(run, &planned.module)?;
        let names: Vec<(Vec<Name>, Value)> = self
            .given
            .iter()
            .chain(&variables)
            .filter(|(name, _)| !declared.contains(name))
            .map(|(name, value)| (vec![Name::from("var"), name.clone()], value.clone()))
            .collect();
        let is_own = |name: &str| self.main.hides_variable(name);
        let marked = variables.iter().any(|(name, value)| !is_own(name) && value.contains_marked());
        let ended = self.evaluated(run, key, &subject, planned, (&names, &variables))?;
        match ended {
            // Which marks the values of other runs have in Terraform could not be asked.
            Ended::Errored(_) if marked => {
                Err(Missing::Skip("a variable has a sensitive value of a run".to_owned()))
            }
            ended => Ok(ended),
        }
    }

    /// The loader for the module of a run, and the names of its variables.
    fn loader_of(&self, run: Run<'_>) -> Result<(ModuleLoader, Vec<Name>), Missing> {
        let Some((source, _)) = run.source() else {
            return Ok((self.loader.clone(), self.main.variable_names()));
        };
        if !is_local_source(&source) {
            return Err(Missing::Skip(format!("the module `{source}` is not in a directory")));
        }
        let loader = (self.request.load)(&self.directory.join(&source), Some(self.loader.language()))
            .map_err(Missing::Skip)?;
        let module = loader.clone().load();
        if !module.given_variables().is_empty() {
            return Err(Missing::Skip(format!(
                "`{source}` has files of variables, which a run does not read"
            )));
        }
        let paths = ["path.", "file(", "fileset(", "fileexists(", "filebase64", "filemd5(", "filesha"];
        if paths.iter().any(|text| module.has_text(text)) {
            let why = format!("`{source}` uses paths, which are those of another directory in a run");
            return Err(Missing::Skip(why));
        }
        Ok((loader, module.variable_names()))
    }

    /// The variables that the file and the run set.
    fn variables(&self, run: Run<'_>) -> Result<Vec<(Name, Value)>, Missing> {
        let functions = || self.main.context().functions().cloned().unwrap_or_default();
        let marked = |name: &str, value: Value| marked(self.main, name, value);
        let mut known: BTreeMap<Name, Value> = self.given.iter().cloned().collect();
        let context = |known: &BTreeMap<Name, Value>| {
            let own = known.iter().map(|(name, value)| (Str::from(&**name), value.clone()));
            let own = Value::object(own.collect::<Vec<_>>());
            Context::new().with_functions(functions()).with("var", own)
        };
        let beyond =
            |name: &str| Missing::Skip(format!("the variable `{name}` of the file cannot be evaluated here"));
        if self.application.sees_variables_of_module() {
            for name in self.main.variable_names() {
                if let Some((value, hidden)) = self.main.value_at(&["var", &name]) {
                    known.insert(name, if hidden { value.mark(Mark::sensitive()) } else { value });
                }
            }
        }
        for (name, default) in self.file.declared() {
            let default = default.ok_or_else(|| beyond(name))?;
            let value = default.evaluate(&context(&known)).map_err(|_| beyond(name))?;
            known.entry(Name::from(name)).or_insert(value);
        }
        let mut set: BTreeMap<Name, Value> = BTreeMap::new();
        let own = context(&known);
        for (name, expression) in self.file.variables() {
            if expression.variables().iter().any(|own| run_of(own).is_some()) {
                return Err(beyond(name));
            }
            let value = expression.evaluate(&own).map_err(|_| beyond(name))?;
            if !value.is_wholly_known() {
                return Err(beyond(name));
            }
            let value = marked(name, value);
            if !self.application.sees_variables_of_module() {
                known.insert(Name::from(name), value.clone());
            }
            set.insert(Name::from(name), value);
        }
        let own = context(&known);
        for (name, expression) in run.variables() {
            set.insert(Name::from(name), marked(name, self.variable(name, expression, &own)?));
        }
        Ok(set.into_iter().collect())
    }

    /// A variable of a run.
    fn variable(&self, name: &str, expression: &Expression, context: &Context) -> Result<Value, Missing> {
        let references = expression.variables();
        let evaluate = |guess: Guess| {
            let mut own = context.child();
            own.set("run", self.runs(&references, guess)?);
            let (value, found) = expression.evaluate_lenient(&own);
            let used = references.iter().filter(|reference| run_of(reference).is_some());
            let is_known = value.is_wholly_known() && used.clone().all(|own| self.is_known(own, guess));
            Ok((value, found, is_known))
        };
        let (value, found, is_known) = evaluate(Guess::Nothing)?;
        if found.has_errors() {
            let errors: Vec<Diagnostic> = found.iter().filter(|own| own.is_error()).cloned().collect();
            let is_uncertain = !self.application.sees_variables_of_module()
                && references.iter().any(|own| *own.root == *"var");
            return Err(match beyond_errors(&errors) {
                Some(why) => Missing::Skip(why),
                None if is_uncertain => Missing::Skip(format!(
                    "the variable `{name}` refers to a variable that the file does not set"
                )),
                None => Missing::Error(errors),
            });
        }
        if is_known {
            return Ok(value);
        }
        let is_created = evaluate(Guess::Created)?.2;
        if is_created || !evaluate(Guess::Everything)?.2 {
            return Err(Missing::Skip(format!(
                "the variable `{name}` depends on a value that only a provider or an apply knows"
            )));
        }
        let note = format!("The value of `{name}` is known only after an apply.");
        Err(Missing::Error(vec![Diagnostic::error(NOT_KNOWN).with_note(note).at(expression.place())]))
    }

    /// The results of the runs that references are to.
    fn runs(&self, references: &[Traversal], guess: Guess) -> Result<Value, Missing> {
        for name in references.iter().filter_map(run_of) {
            if let Some(Err(why)) = self.results.get(&name) {
                return Err(Missing::Skip(why.clone()));
            }
        }
        let all = self.results.iter().filter_map(|(name, results)| {
            Some((Str::from(name.as_str()), results.as_ref().ok()?.get(&(guess as u8))?.clone()))
        });
        Ok(Value::object(all.collect::<Vec<_>>()))
    }

    /// Whether the result that a reference is to is known.
    fn is_known(&self, reference: &Traversal, guess: Guess) -> bool {
        let Some(Ok(results)) = run_of(reference).and_then(|name| self.results.get(&name)) else {
            return true;
        };
        let Some(value) = results.get(&(guess as u8)) else { return true };
        match reference.steps.get(1).map(|step| &step.target) {
            Some(Target::Attribute(name)) => attribute(value, name).is_none_or(|own| own.is_wholly_known()),
            _ => value.is_wholly_known(),
        }
    }

    /// What replaces the objects of providers.
    fn mocks(&self, run: Run<'_>) -> Result<Mocks, Missing> {
        let functions = self.main.context().functions().cloned().unwrap_or_default();
        let mocks = self.file.mocks(run, &Context::new().with_functions(functions));
        let beyond =
            || Missing::Skip("it chooses a configuration of a provider that is not mocked".to_owned());
        let mut mocks = mocks.ok_or_else(beyond)?;
        mocks.is_closed = self.application == Application::OpenTofu;
        Ok(mocks)
    }

    /// What replaces objects of the language and modules. Those of the run come first.
    fn replaced(&self, run: Run<'_>) -> Result<Vec<Replaced>, Missing> {
        let context =
            Context::new().with_functions(self.main.context().functions().cloned().unwrap_or_default());
        let one = |own: Override| {
            let Override { target, is_module, values, in_plan } = own;
            let beyond = || Missing::Skip(format!("the override of `{target}` cannot be evaluated here"));
            let values = match values {
                Some(values) => values.evaluate(&context).map_err(|_| beyond())?,
                None => Value::object::<Str, Value>([]),
            };
            let mut names = values.entries().into_iter().flatten().map(|(name, _)| name.to_string());
            // Of other objects, what is not configured is unknown.
            if !is_module && !is_terraform_data(&target) {
                return Ok(None);
            }
            if !is_module && names.any(|name| !matches!(&*name, "id" | "output")) {
                return Err(beyond());
            }
            let in_plan = in_plan || self.application.overrides_plans();
            Ok(Some(Replaced { target, is_module, values, in_plan }))
        };
        let all = run.overrides().into_iter().chain(self.file.overrides());
        all.filter_map(|own| one(own).transpose()).collect()
    }

    /// Ends a run whose plan was evaluated.
    fn evaluated(
        &mut self,
        run: Run<'_>,
        key: &str,
        subject: &Subject,
        planned: Evaluated,
        (names, given): (&[Named], &[(Name, Value)]),
    ) -> Result<Ended, Missing> {
        let is_plan = run.is_plan();
        let mut expected: Vec<(String, Place, bool)> = Vec::new();
        for expression in run.expected() {
            let checkable = written(&expression).filter(|text| is_checkable(text));
            let Some(text) = checkable else {
                let note =
                    "A failure can be expected of variables, outputs, checks, resources and data sources.";
                return Err(Missing::Error(vec![
                    Diagnostic::error(NOT_CHECKABLE).with_note(note).at(expression.place()),
                ]));
            };
            expected.push((text, expression.place(), false));
        }
        let planned = subject.settled(planned, Stage::Plan, &mut expected, is_plan)?;
        let (last, blocked) = if is_plan {
            planned
        } else {
            let applied = subject.evaluate(Stage::Apply, Guess::Nothing, &[]);
            subject.settled(applied, Stage::Apply, &mut expected, true)?
        };
        let stage = if is_plan { Stage::Plan } else { Stage::Apply };
        let missing = expected.iter().filter(|(_, _, found)| !found);
        let missing: Vec<Diagnostic> = missing
            .map(|(text, place, _)| {
                let note = format!("`{text}` was expected to fail, but all of its conditions are met.");
                Diagnostic::error(MISSING).with_note(note).at(place.clone())
            })
            .collect();
        if !missing.is_empty() && (is_plan || self.application.ends_without_failure()) {
            return Err(Missing::Error(missing));
        }
        let asserted = Asserted { stage, blocked: &blocked, names, given };
        let asserted = self.assertions(run, subject, &last, &asserted);
        if !is_plan || self.application.keeps_plans() {
            self.keep_results(run, subject, &last, (stage, &blocked));
        }
        if !is_plan {
            let kept = if blocked.is_empty() && subject.replaced.iter().all(|own| own.is_module) {
                Ok(last.world.seen())
            } else {
                Err(format!("the run `{}` created what only a provider or an apply knows", run.name()))
            };
            self.states.insert(key.to_owned(), kept);
        }
        match asserted {
            Ok(Ended::Failed(found)) => Ok(Ended::Failed(missing.into_iter().chain(found).collect())),
            Err(Missing::Skip(_)) if !missing.is_empty() => Ok(Ended::Failed(missing)),
            ended => ended,
        }
    }

    /// The names that assertions can use.
    fn context(
        &self,
        run: Run<'_>,
        evaluated: &Evaluated,
        names: &[(Vec<Name>, Value)],
        guess: Guess,
    ) -> Result<Context, Missing> {
        let expressions = run.assertions().flat_map(|(condition, message)| [condition, message]);
        let references: Vec<Traversal> = expressions.flat_map(Expression::variables).collect();
        let runs = self.runs(&references, guess)?;
        let all = names.iter().cloned().chain([(vec![Name::from("run")], runs)]);
        Ok(evaluated.module.context_with(all))
    }

    fn assertions(
        &self,
        run: Run<'_>,
        subject: &Subject,
        last: &Evaluated,
        asserted: &Asserted<'_>,
    ) -> Result<Ended, Missing> {
        let Asserted { stage, blocked, names, .. } = *asserted;
        let mut context = self.context(run, last, names, Guess::Nothing)?;
        let mut whole = None;
        // Variables that are not valid have their values in assertions, but nothing that depends on them has.
        if blocked.iter().any(|own| own.starts_with("var.")) {
            let whole = whole.insert(subject.evaluate(stage, Guess::Nothing, &[]));
            let declared = whole.module.variable_names().into_iter().filter_map(|name| {
                let (value, hidden) = whole.module.value_at(&["var", &name])?;
                Some((Str::from(&*name), if hidden { value.mark(Mark::sensitive()) } else { value }))
            });
            let others =
                names.iter().filter_map(|(path, value)| Some((Str::from(&**path.get(1)?), value.clone())));
            let all: Vec<(Str, Value)> = declared.chain(others).collect();
            context = context.child();
            context.set("var", Value::object(all));
        }
        let shown = self.shown(subject, (last, whole.as_ref().unwrap_or(last)), asserted);
        if let Some(shown) = &shown {
            context = shown.in_context(&context, last);
        }
        let (mut failed, mut errors, mut unclear) = (Vec::new(), Vec::new(), None);
        // A context needs its module.
        let mut others: [(Guess, Option<(Evaluated, Context)>); 2] =
            [(Guess::Created, None), (Guess::Everything, None)];
        for (condition, message) in run.assertions() {
            if condition.text().contains("provider::") {
                unclear = Some("an assertion calls a function of a provider".to_owned());
                continue;
            }
            if let Some(error) = self.application.error_of(condition, message) {
                errors.push(error);
                continue;
            }
            if let Some(own) = [condition, message].iter().flat_map(|own| own.variables()).find(is_group) {
                let note = format!("Name a declaration after `{}.`.", own.root);
                errors.push(Diagnostic::error(WHOLE_GROUP).with_note(note).at(condition.place()));
                continue;
            }
            let (value, mut found) = condition.evaluate_lenient(&context);
            let text = found.absorb(message.evaluate_lenient(&context));
            if found.has_errors() {
                errors.extend(found.iter().filter(|own| own.is_error()).cloned());
                continue;
            }
            let bare = text.unmark().0;
            if bare.is_known() && (bare.is_null() || bare.convert(&Type::String).is_err()) {
                let note = "The message must be a string.";
                errors.push(Diagnostic::error(INVALID_MESSAGE).with_note(note).at(message.place()));
                continue;
            }
            let (value, _) = value.unmark();
            if !value.is_known() {
                let mut known = [false; 2];
                for (known, (guess, kept)) in known.iter_mut().zip(&mut others) {
                    if kept.is_none() {
                        let evaluated = subject.evaluate(stage, *guess, blocked);
                        let context = self.context(run, &evaluated, names, *guess)?;
                        let context = match &shown {
                            Some(shown) => shown.in_context(&context, &evaluated),
                            None => context,
                        };
                        *kept = Some((evaluated, context));
                    }
                    let value = kept.as_ref().map(|(_, context)| condition.evaluate_lenient(context).0);
                    *known = value.is_some_and(|value| value.unmark().0.is_known());
                }
                if known[0] || !known[1] || !blocked.is_empty() {
                    let why = "an assertion depends on a value that only a provider or an apply knows";
                    unclear = Some(why.to_owned());
                } else {
                    let note = "It depends on a value that is known only after an apply.";
                    let found = Diagnostic::error(UNKNOWN).with_note(note).at(condition.place());
                    errors.push(found.with_evidence(condition.evidence(&context)));
                }
                continue;
            }
            match value.convert(&Type::Bool) {
                Ok(value) if value.as_bool() == Some(true) => {}
                Ok(value) if value.as_bool() == Some(false) => {
                    let text = text.convert(&Type::String).unwrap_or(text);
                    let text = match text.as_str() {
                        _ if text.contains_marked() => "The message is sensitive.",
                        Some(text) => text.trim(),
                        None => "The message is unknown.",
                    };
                    let found = Diagnostic::error(FAILED).with_note(format!("{}: {text}", run.name()));
                    failed.push(found.at(condition.place()).with_evidence(condition.evidence(&context)));
                }
                _ => {
                    let note = "It must be true or false, and not null.";
                    errors.push(Diagnostic::error(INVALID).with_note(note).at(condition.place()));
                }
            }
        }
        if !errors.is_empty() {
            return Err(match beyond_errors(&errors) {
                Some(why) => Missing::Skip(why),
                None => Missing::Error(errors.into_iter().chain(failed).collect()),
            });
        }
        match unclear {
            Some(why) if failed.is_empty() => Err(Missing::Skip(why)),
            _ => Ok(Ended::Failed(failed)),
        }
    }

    /// Keeps the results for later runs.
    fn keep_results(
        &mut self,
        run: Run<'_>,
        subject: &Subject,
        last: &Evaluated,
        (stage, blocked): (Stage, &[String]),
    ) {
        let mut results = HashMap::new();
        let own = last.module.results().0;
        let is_known = own.is_wholly_known();
        results.insert(Guess::Nothing as u8, own.clone());
        for guess in [Guess::Created, Guess::Everything] {
            let value = if is_known {
                own.clone()
            } else {
                subject.evaluate(stage, guess, blocked).module.results().0
            };
            results.insert(guess as u8, value);
        }
        let kept = if blocked.is_empty() {
            Ok(results)
        } else {
            Err(format!("the results of the run `{}` depend on what failed", run.name()))
        };
        self.results.insert(run.name().to_owned(), kept);
    }
}

/// Whether a reference names no declaration, such as all results or all resources of a type.
fn is_group(reference: &Traversal) -> bool {
    let names = reference.steps.iter().take_while(|step| matches!(step.target, Target::Attribute(_)));
    let least = if ["data", "resource", "ephemeral"].contains(&&*reference.root) { 2 } else { 1 };
    names.count() < least
}

/// What of a module only a provider knows.
fn beyond_module(module: &Module, mocks: &Mocks) -> Result<(), Missing> {
    for (address, provider) in module.beyond_language() {
        let why = match provider {
            Some(provider) if mocks.replaces(&provider) => continue,
            Some(_) => format!("`{address}` needs a provider that is not mocked"),
            None if address.starts_with("module.") => {
                format!("`{address}` is not available, or chooses configurations of providers")
            }
            None => format!("`{address}` needs a provider"),
        };
        return Err(Missing::Skip(why));
    }
    if module.has_text("provider::") {
        return Err(Missing::Skip("the module calls a function of a provider".to_owned()));
    }
    Ok(())
}

/// Whether conditions can belong to an address.
fn is_checkable(address: &str) -> bool {
    let root = address.split(['.', '[']).next().unwrap_or_default();
    address.contains('.')
        && !["local", "module", "path", "terraform", "run", "each", "count", "self", "provider"]
            .contains(&root)
}
