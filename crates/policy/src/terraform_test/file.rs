//! What a test file says: its runs, in order, with what they set, replace, expect and assert.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use hclkit::model::{Block, Place, Target, Traversal};
use hclkit::module::{ModuleLoader, TestBlock};
use hclkit::value::Str;
use hclkit::{Body, Code, Context, Diagnostic, Diagnostics, Document, Expression, Value};

use super::application::Application;
use super::mock_files;
use super::mocks::{Given, Mocks, Provider};
use super::subject::without_keys;

/// A test file without errors.
pub(super) struct File {
    root: TestBlock,
    /// Why its mocks are not all here.
    unread: Option<String>,
}

/// What a run of an object or a module is replaced by.
pub(super) struct Override {
    /// The address, as written.
    pub(super) target: String,
    pub(super) is_module: bool,
    pub(super) values: Option<Expression>,
    /// The values are those of a plan, too.
    pub(super) in_plan: bool,
}

const NO_REFERENCE: Code = Code::custom("assertion-without-reference", "An assertion refers to nothing")
    .with_explanation(
        "The condition of an assertion must refer to a declaration of the module, or to a run.",
    );
const LATER_RUN: Code = Code::custom("later-run", "A run refers to itself or a later run")
    .with_explanation("The runs of a file are run in order, so a run can refer only to those before it.");

const MODULE_KEY: Code = Code::custom("key-of-module", "An override names an instance of a module")
    .with_explanation("In OpenTofu, the target of an `override_module` has no keys of instances.");

impl File {
    /// Reads a file. `None` if it has errors, for which Terraform runs nothing.
    pub(super) fn read(
        loader: &ModuleLoader,
        document: &Document,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let mut found = Diagnostics::new();
        found.append(document.diagnostics().clone());
        let mut root = (!found.has_errors())
            .then(|| TestBlock::read_file(loader.language(), &Body::of(document), &mut found))
            .flatten();
        let mut unread = None;
        if let Some(root) = &mut root {
            unread = mock_files::add(loader, root, &mut found);
            check_runs(root, Application::of(loader), &mut found);
        }
        let is_broken = found.has_errors();
        diagnostics.append(found);
        Some(Self { root: root.filter(|_| !is_broken)?, unread })
    }

    pub(super) fn runs(&self) -> impl Iterator<Item = Run<'_>> {
        self.root.all("run").map(|block| Run { block })
    }

    /// The variables of the file.
    pub(super) fn variables(&self) -> impl Iterator<Item = (&str, &Expression)> {
        self.root.all("variables").flat_map(variables_of)
    }

    /// The defaults of the variables that the file declares. `None` for what needs more than a default.
    pub(super) fn declared(&self) -> impl Iterator<Item = (&str, Option<&Expression>)> {
        self.root.all("variable").map(|block| {
            let is_plain = block.attributes.iter().all(|own| matches!(&*own.name, "default" | "description"));
            let default = block.attributes.get("default").map(|own| &own.expression);
            (block.name(), default.filter(|_| is_plain))
        })
    }

    /// A reason why no run can be run.
    pub(super) fn beyond(&self) -> Option<String> {
        let mocks = self.root.all("mock_provider").any(|block| block.name() == "terraform");
        mocks.then(|| "it mocks the provider `terraform`".to_owned()).or_else(|| self.unread.clone())
    }

    pub(super) fn overrides(&self) -> Vec<Override> {
        overrides_of(&self.root)
    }

    /// The objects that it overrides.
    pub(super) fn overridden(&self) -> Vec<String> {
        overridden_by(&self.root)
    }

    /// The values of mocked objects that the file sets, each with the type of the objects.
    pub(super) fn mocked(&self) -> Vec<(String, &Expression)> {
        let providers = || self.root.all("mock_provider");
        let defaults = providers().flat_map(|own| own.all("mock_resource").chain(own.all("mock_data")));
        let defaults = defaults.filter_map(|own| {
            let values = own.attributes.get("defaults")?;
            Some((own.name().to_owned(), &values.expression))
        });
        defaults.chain(providers().chain([&self.root]).flat_map(values_of)).collect()
    }

    pub(super) fn has_mocks(&self) -> bool {
        self.root.all("mock_provider").next().is_some()
    }

    /// What replaces the objects of providers in a run. `None` if the run chooses a provider that is not mocked.
    pub(super) fn mocks(&self, run: Run<'_>, context: &Context) -> Option<Mocks> {
        let plan = |block: &TestBlock| {
            let during = &block.attributes.get("override_during")?.expression;
            Some(during.static_keyword().is_some_and(|word| &*word == "plan"))
        };
        let given = |values: Option<&Expression>, in_plan: bool| {
            let values = match values {
                Some(values) => values.evaluate(context).ok()?,
                None => Value::object::<Str, Value>([]),
            };
            Some(Arc::new(Given { values, in_plan }))
        };
        let mut mocks = Mocks::default();
        let blocks = [(run.block, false), (&self.root, false)];
        let of_providers = self.root.all("mock_provider").map(|own| (own, plan(own).unwrap_or_default()));
        for (block, in_plan) in blocks.into_iter().chain(of_providers) {
            for own in block.all("override_resource").chain(block.all("override_data")) {
                let Some(target) = own.attributes.get("target").and_then(|own| written(&own.expression))
                else {
                    continue;
                };
                let values = own.attributes.get("values").map(|own| &own.expression);
                mocks.overrides.push((target, given(values, plan(own).unwrap_or(in_plan))));
            }
        }
        for block in self.root.all("mock_provider") {
            let in_plan = plan(block).unwrap_or_default();
            let alias = block.attributes.get("alias").map(|own| own.expression.evaluate(&Context::new()));
            let name = match alias {
                None => block.name().to_owned(),
                Some(alias) => match alias.as_ref().ok().and_then(Value::as_str) {
                    Some(alias) => format!("{}.{alias}", block.name()),
                    None => continue,
                },
            };
            let others = given(None, in_plan);
            let mut objects = BTreeMap::new();
            for (kind, is_data) in [("mock_resource", false), ("mock_data", true)] {
                for own in block.all(kind) {
                    let values = own.attributes.get("defaults").map(|own| &own.expression);
                    let values = given(values, plan(own).unwrap_or(in_plan));
                    objects.insert((is_data, own.name().to_owned()), values);
                }
            }
            mocks.providers.insert(name, Provider { objects, others });
        }
        if let Some(chosen) = run.attribute("providers") {
            let base = |name: &str| name.split('.').next().map(str::to_owned);
            let one = |(name, of): (Expression, Expression)| {
                let (name, of) = (written(&name)?, written(&of)?);
                let mock = mocks.providers.get(&of)?.clone();
                (base(&name) == base(&of)).then_some((name, mock))
            };
            mocks.providers = chosen.static_map().ok()?.into_iter().map(one).collect::<Option<_>>()?;
        }
        Some(mocks)
    }
}

fn variables_of(block: &TestBlock) -> impl Iterator<Item = (&str, &Expression)> {
    block.attributes.iter().map(|own| (own.name.as_str(), &own.expression))
}

fn overrides_of(block: &TestBlock) -> Vec<Override> {
    let kinds = [("override_module", true), ("override_resource", false)];
    let all = kinds.iter().flat_map(|(name, is_module)| block.all(name).map(move |own| (own, *is_module)));
    let one = |(own, is_module): (&TestBlock, bool)| {
        let target = own.attributes.get("target")?.expression.clone();
        let values = own.attributes.get(if is_module { "outputs" } else { "values" });
        let during = own.attributes.get("override_during").map(|own| &own.expression);
        Some(Override {
            target: written(&target)?,
            is_module,
            values: values.map(|own| own.expression.clone()),
            in_plan: during.and_then(Expression::static_keyword).is_some_and(|word| &*word == "plan"),
        })
    };
    all.filter_map(one).collect()
}

/// The objects that a block overrides, each with the values that it sets.
fn objects_of(block: &TestBlock) -> impl Iterator<Item = (String, Option<&Expression>)> {
    let all = block.all("override_resource").chain(block.all("override_data"));
    all.filter_map(|own| {
        let target = written(&own.attributes.get("target")?.expression)?;
        Some((target, own.attributes.get("values").map(|own| &own.expression)))
    })
}

fn overridden_by(block: &TestBlock) -> Vec<String> {
    objects_of(block).map(|(target, _)| target).collect()
}

/// The values that the overrides of a block set, each with the type of the objects.
fn values_of(block: &TestBlock) -> Vec<(String, &Expression)> {
    let ty = |target: &str| Some(without_keys(target).rsplit('.').nth(1)?.to_owned());
    objects_of(block).filter_map(|(target, values)| Some((ty(&target)?, values?))).collect()
}

/// A reference as an address. Strings are references in the JSON syntax.
pub(super) fn written(expression: &Expression) -> Option<String> {
    let traversal = reference(expression)?;
    let mut text = traversal.root.to_string();
    for step in &traversal.steps {
        match &step.target {
            Target::Attribute(name) => {
                text.push('.');
                text.push_str(name);
            }
            Target::Element(key) => {
                let _ = write!(text, "[{key}]");
            }
        }
    }
    Some(text)
}

pub(super) fn reference(expression: &Expression) -> Option<Traversal> {
    if let Ok(traversal) = expression.static_traversal() {
        return Some(traversal);
    }
    let text = expression.evaluate(&Context::new()).ok()?;
    Expression::parse(text.as_str()?).ok()?.static_traversal().ok()
}

/// Reports what Terraform reports before it runs anything.
fn check_runs(root: &TestBlock, application: Application, diagnostics: &mut Diagnostics) {
    if application == Application::OpenTofu {
        check_modules(root, diagnostics);
    }
    let runs: Vec<Run<'_>> = root.all("run").map(|block| Run { block }).collect();
    let names: Vec<&str> = runs.iter().map(|run| run.name()).collect();
    for (at, run) in runs.iter().enumerate() {
        for (condition, _) in run.assertions() {
            if condition.variables().is_empty() {
                let note = "The condition must refer to a declaration of the module, or to a run.";
                diagnostics.push(Diagnostic::error(NO_REFERENCE).with_note(note).at(condition.place()));
            }
        }
        if !application.orders_runs() {
            continue;
        }
        let variables = run.variables().map(|(_, expression)| expression);
        let all = variables.chain(run.assertions().flat_map(|(condition, message)| [condition, message]));
        for expression in all {
            for name in expression.variables().iter().filter_map(run_of) {
                if names[at..].contains(&name.as_str()) {
                    let note = format!("The run `{name}` is not before the run `{}`.", run.name());
                    diagnostics.push(Diagnostic::error(LATER_RUN).with_note(note).at(expression.place()));
                }
            }
        }
    }
}

/// Reports overrides of instances of modules, which OpenTofu does not have.
fn check_modules(block: &TestBlock, diagnostics: &mut Diagnostics) {
    for own in block.all("override_module") {
        let target = own.attributes.get("target").map(|own| &own.expression);
        if let Some(target) = target.filter(|own| written(own).is_some_and(|text| text.contains('['))) {
            let note = "OpenTofu replaces the results of all instances. Remove the key.";
            diagnostics.push(Diagnostic::error(MODULE_KEY).with_note(note).at(target.place()));
        }
    }
    block.all("run").for_each(|run| check_modules(run, diagnostics));
}

/// The run that a reference is to.
pub(super) fn run_of(reference: &Traversal) -> Option<String> {
    match (&*reference.root, reference.steps.first().map(|step| &step.target)) {
        ("run", Some(Target::Attribute(name))) => Some(name.to_string()),
        ("run", Some(Target::Element(key))) => key.as_str().map(str::to_owned),
        _ => None,
    }
}

/// A run of a file.
#[derive(Clone, Copy)]
pub(super) struct Run<'f> {
    block: &'f TestBlock,
}

impl<'f> Run<'f> {
    pub(super) fn name(self) -> &'f str {
        self.block.name()
    }

    /// Where its block begins.
    pub(super) fn place(self) -> Option<Place> {
        self.block.block.as_ref().map(Block::definition_place)
    }

    fn attribute(self, name: &str) -> Option<&'f Expression> {
        self.block.attributes.get(name).map(|own| &own.expression)
    }

    pub(super) fn is_plan(self) -> bool {
        let command = self.attribute("command");
        command.and_then(Expression::static_keyword).is_some_and(|word| &*word == "plan")
    }

    pub(super) fn variables(self) -> impl Iterator<Item = (&'f str, &'f Expression)> {
        let block = self.block;
        block.all("variables").flat_map(variables_of)
    }

    /// The conditions with their messages.
    pub(super) fn assertions(self) -> impl Iterator<Item = (&'f Expression, &'f Expression)> {
        let block = self.block;
        block.all("assert").filter_map(|own| {
            let get = |name| own.attributes.get(name).map(|own| &own.expression);
            Some((get("condition")?, get("error_message")?))
        })
    }

    /// The source of another module.
    pub(super) fn source(self) -> Option<(String, &'f Expression)> {
        let call = self.block.all("module").next()?;
        let source = &call.attributes.get("source")?.expression;
        let value = source.evaluate(&Context::new()).ok()?;
        Some((value.as_str()?.to_owned(), source))
    }

    pub(super) fn state_key(self) -> Option<String> {
        let value = self.attribute("state_key")?.evaluate(&Context::new()).ok()?;
        value.as_str().map(str::to_owned)
    }

    pub(super) fn expected(self) -> Vec<Expression> {
        self.attribute("expect_failures").and_then(|own| own.static_list().ok()).unwrap_or_default()
    }

    /// The values of mocked objects that it sets, each with the type of the objects.
    pub(super) fn mocked(self) -> Vec<(String, &'f Expression)> {
        values_of(self.block)
    }

    pub(super) fn overrides(self) -> Vec<Override> {
        overrides_of(self.block)
    }

    /// The objects that it overrides.
    pub(super) fn overridden(self) -> Vec<String> {
        overridden_by(self.block)
    }

    /// A reason why it cannot be run here.
    pub(super) fn beyond(self) -> Option<String> {
        for options in self.block.all("plan_options") {
            let given = options.attributes.iter().map(|own| (own.name.as_str(), &own.expression));
            for (name, value) in given {
                let is_plain = match name {
                    "refresh" => true,
                    "mode" => value.static_keyword().is_some_and(|word| &*word == "normal"),
                    _ => false,
                };
                if !is_plain {
                    return Some(format!("it sets `{name}` of `plan_options`"));
                }
            }
        }
        None
    }
}

/// The attributes of an object.
pub(super) fn attribute(value: &Value, name: &str) -> Option<Value> {
    let mut entries = value.entries()?;
    entries.find(|(own, _)| **own == *name).map(|(_, value)| value.clone())
}
