//! In what OpenTofu runs tests in another way than Terraform.

use std::collections::BTreeMap;

use hclkit::dialect::Dialect;
use hclkit::module::{Module, ModuleLoader};
use hclkit::value::{Mark, Str};
use hclkit::{Code, Context, Diagnostic, Expression, Value};

use super::file::{Run, run_of};
use super::run::{Asserted, Session};
use super::subject::{Evaluated, Missing, Subject};
use super::world::{Guess, Stage};

const NO_RUNS: Code = Code::custom("run-in-assertion", "An assertion refers to a run").with_explanation(
    "In OpenTofu, only the variables of a run can refer to earlier runs. Set a variable to the result, and refer to that.",
);

/// The application whose tests are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Application {
    Terraform,
    OpenTofu,
}

impl Application {
    pub(super) fn of(loader: &ModuleLoader) -> Self {
        if loader.language().name() == Dialect::opentofu().name() { Self::OpenTofu } else { Self::Terraform }
    }

    /// Whether later runs see the results of a plan.
    pub(super) fn keeps_plans(self) -> bool {
        self == Self::Terraform
    }

    /// Whether overrides replace values of plans even if they do not say so.
    pub(super) fn overrides_plans(self) -> bool {
        self == Self::OpenTofu
    }

    /// Whether a run ends with an error if an apply does not fail as expected. Otherwise, it fails.
    pub(super) fn ends_without_failure(self) -> bool {
        self == Self::OpenTofu
    }

    /// Whether the variables of a run refer to those of the module under test. Otherwise, they refer to those that the file sets.
    pub(super) fn sees_variables_of_module(self) -> bool {
        self == Self::OpenTofu
    }

    /// Whether files of variables in the directory `tests` count for tests in the directory of the module.
    pub(super) fn reads_variables_of_tests(self) -> bool {
        self == Self::OpenTofu
    }

    /// Whether the order of runs is checked before any of them is run.
    pub(super) fn orders_runs(self) -> bool {
        self == Self::Terraform
    }

    /// The error about an assertion that refers to a run.
    pub(super) fn error_of(self, condition: &Expression, message: &Expression) -> Option<Diagnostic> {
        let refers = |own: &Expression| own.variables().iter().any(|own| run_of(own).is_some());
        let found = [condition, message].into_iter().find(|own| self == Self::OpenTofu && refers(own))?;
        let note = "Set a variable of the run to the result, and refer to the variable.";
        Some(Diagnostic::error(NO_RUNS).with_note(note).at(found.place()))
    }
}

/// The variables and the results that assertions see, where they are not those of the module.
pub(super) struct Shown {
    variables: Vec<(Str, Value)>,
    /// The results of a plan that are null.
    nulls: BTreeMap<Str, Value>,
}

impl Session<'_> {
    /// OpenTofu replaces only values of mocked objects that are not configured.
    pub(super) fn check_replaced(&self, run: Run<'_>, module: &Module) -> Result<(), Missing> {
        if self.application == Application::Terraform {
            return Ok(());
        }
        let functions = self.main.context().functions().cloned().unwrap_or_default();
        let context = Context::new().with_functions(functions);
        for (ty, values) in self.file.mocked().into_iter().chain(run.mocked()) {
            let values = values.evaluate(&context);
            let values = values
                .map_err(|_| Missing::Skip(format!("the values for `{ty}` cannot be evaluated here")))?;
            let mut values = values.entries().into_iter().flatten();
            // The language knows `terraform_data`.
            let is_own = |name: &Str| ty == "terraform_data" && matches!(&**name, "id" | "output");
            if let Some((name, _)) =
                values.find(|(name, value)| !is_own(name) && !module.is_replaceable(&ty, name, value))
            {
                return Err(Missing::Skip(format!("OpenTofu does not replace `{name}` of `{ty}`")));
            }
        }
        Ok(())
    }

    /// What assertions see in OpenTofu: variables as they are given, with defaults but not converted, and null for what is not known of
    /// the results of a plan. `whole` was evaluated with what failed.
    pub(super) fn shown(
        &self,
        subject: &Subject,
        (last, whole): (&Evaluated, &Evaluated),
        asserted: &Asserted<'_>,
    ) -> Option<Shown> {
        if self.application != Application::OpenTofu {
            return None;
        }
        let mut variables: BTreeMap<Str, Value> = BTreeMap::new();
        let declared = last.module.variable_names();
        for name in &declared {
            if let Some((value, hidden)) = whole.module.value_at(&["var", name]) {
                let value = if hidden { value.mark(Mark::sensitive()) } else { value };
                variables.insert(Str::from(&**name), value);
            }
        }
        let files = last.module.given_variables();
        for (name, value) in files.iter().chain(asserted.given).filter(|(name, _)| declared.contains(name)) {
            let value = last.module.with_defaults(name, value);
            let hidden = last.module.hides_variable(name);
            variables.insert(Str::from(&**name), if hidden { value.mark(Mark::sensitive()) } else { value });
        }
        for (path, value) in asserted.names {
            if let Some(name) = path.get(1) {
                variables.insert(Str::from(&**name), value.clone());
            }
        }
        let mut nulls = BTreeMap::new();
        // What depends on a variable that is not valid is not evaluated.
        let is_variable = |own: &String| own.starts_with("var.");
        let depends_on_variables = !asserted.blocked.is_empty() && asserted.blocked.iter().all(is_variable);
        let own = last.module.results().0;
        if asserted.stage == Stage::Plan && !own.is_wholly_known() {
            let others = [Guess::Created, Guess::Everything]
                .map(|guess| subject.evaluate(asserted.stage, guess, asserted.blocked).module.results().0);
            for (name, value) in own.entries().into_iter().flatten() {
                let [created, everything] = others.each_ref().map(|own| own.attribute(name).ok());
                // A part that only a provider or an earlier apply knows is not null.
                let is_later = created.as_ref() == Some(value)
                    && (everything.is_some_and(|own| own.is_wholly_known()) || depends_on_variables);
                if !value.is_wholly_known() && is_later {
                    nulls.insert(name.clone(), value.unknown_as_null());
                }
            }
        }
        Some(Shown { variables: variables.into_iter().collect(), nulls })
    }
}

impl Shown {
    /// A context in which these are seen.
    pub(super) fn in_context(&self, context: &Context, evaluated: &Evaluated) -> Context {
        let mut own = context.child();
        own.set("var", Value::object(self.variables.clone()));
        let results = evaluated.module.results().0;
        let results = results
            .entries()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.clone(), self.nulls.get(name).unwrap_or(value).clone()));
        own.set("output", Value::object(results.collect::<Vec<_>>()));
        own
    }
}
