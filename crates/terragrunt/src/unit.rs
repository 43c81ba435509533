//! An evaluated unit or stack: its values by their addresses, and why some are unknown.

use std::collections::HashSet;
use std::sync::Arc;

use hclkit_limits::Meter;
use hclkit_model::{Context, Expression, PartialOptions};
use hclkit_module::{Reason, WriteValue, report_exceeded, source_of_value, with_changes};
use hclkit_syntax::{Diagnostics, Source, Syntax};
use hclkit_value::{Name, Value};

use crate::Terragrunt;
use crate::configuration::{Configuration, Section, Setting};
use crate::engine::{Engine, Purpose, STACK_FILE, place_of_component};
use crate::functions::{UNIT_FILE, why_unknown};
use crate::messages;
use crate::paths::{join, split};

/// How much a stack in a stack counts towards the limit on depth.
const LEVELS: usize = 24;

/// What a unit or a stack configures.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    configuration: Configuration,
    /// The components of a stack whose files can be read, by their addresses.
    components: Vec<(String, Configuration)>,
    /// The file.
    source: Option<Arc<Source>>,
}

/// A value with its address.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TerragruntValue {
    /// The address, such as `inputs.region` or `generate.provider.contents`.
    pub address: String,
    /// The value.
    pub value: Value,
}

/// Why the outputs of a unit are unknown.
const NO_MOCKS: &str = "its outputs are in its state, and it has no mock_outputs";

impl Terragrunt {
    /// Evaluates a unit or a stack: the one in a directory, or any other file that a unit can include.
    pub fn evaluate(&self, path: &str) -> (Unit, Diagnostics) {
        self.evaluate_for(Purpose::Evaluation, path)
    }

    /// Evaluates a unit or a stack that is being written: for any environment, and with what can be read of files with errors.
    pub fn evaluate_draft(&self, path: &str) -> (Unit, Diagnostics) {
        self.evaluate_for(Purpose::Draft, path)
    }

    fn evaluate_for(&self, purpose: Purpose, path: &str) -> (Unit, Diagnostics) {
        let _operation = Meter::current().begin();
        let mut diagnostics = Diagnostics::new();
        let engine = self.engine(purpose);
        let unit = unit_at(&engine, &engine.tree.absolute(path), &mut diagnostics);
        report_exceeded(&mut diagnostics);
        (unit.unwrap_or_default(), diagnostics.distinct())
    }
}

/// The file of the unit or the stack at a path, which can also be the file itself.
pub(crate) fn file_at(engine: &Engine, path: &str) -> Option<String> {
    if engine.tree.is_file(path) { Some(path.to_owned()) } else { engine.file_of_unit(path) }
}

pub(crate) fn unit_at(engine: &Arc<Engine>, path: &str, diagnostics: &mut Diagnostics) -> Option<Unit> {
    let Some(file) = file_at(engine, path) else {
        diagnostics.push(messages::no_unit(&engine.tree.name(path)));
        return None;
    };
    let directory = split(&file).0.to_owned();
    let source = engine.parse(&file, &mut Diagnostics::new()).map(|body| body.source());
    if split(&file).1 != STACK_FILE {
        let configuration = engine.configuration(&file, &directory, &[], diagnostics)?;
        return Some(Unit { configuration, components: Vec::new(), source });
    }
    let configuration = engine.stack(&file, &directory, &[], diagnostics)?;
    let mut components = Vec::new();
    for section in &configuration.sections {
        component(engine, section, &directory, "", &mut components, diagnostics);
    }
    Some(Unit { configuration, components, source })
}

/// Evaluates a component of a stack whose source is in a known directory, with those of a stack that it is.
fn component(
    engine: &Arc<Engine>,
    section: &Section,
    directory: &str,
    prefix: &str,
    all: &mut Vec<(String, Configuration)>,
    diagnostics: &mut Diagnostics,
) {
    let meter = Meter::current();
    let Ok(deeper) = meter.descend(LEVELS) else { return };
    let label = section.label.as_deref().unwrap_or_default();
    let address = format!("{prefix}{}.{label}", section.kind);
    let text = |name: &str| Some(section.settings.get(name)?.value.as_str()?.to_owned());
    let (Some(source), Some(place)) = (text("source"), place_of_component(section, directory)) else {
        return;
    };
    let Some(of) = engine.directory_of(&source, directory) else { return };
    if !engine.tree.may_read(&of) {
        return;
    }
    let values = section.settings.get("values").map(|own| own.value.clone());
    let copy = Arc::new(engine.with_copy(&place, &of, values.filter(|values| !values.is_null())));
    let is_stack = *section.kind == *"stack";
    let file = join(&place, if is_stack { STACK_FILE } else { UNIT_FILE });
    if !copy.tree.is_file(&file) {
        let found = messages::missing_file(&engine.tree.missing(&join(&of, split(&file).1)));
        let at = section.settings.get("source").map_or_else(|| section.place.clone(), Setting::place);
        diagnostics.push(found.at(at));
        return;
    }
    if is_stack {
        if let Some(inner) = copy.stack(&file, &place, &[], diagnostics) {
            for section in &inner.sections {
                component(&copy, section, &place, &format!("{address}."), all, diagnostics);
            }
        }
    } else if let Some(configuration) = copy.configuration(&file, &place, &[], diagnostics) {
        all.push((address, configuration));
    }
    drop(deeper);
}

impl Unit {
    /// The values of local values, inputs, other arguments and blocks, in this order; of a stack, those of its components
    /// after it.
    pub fn values(&self) -> Vec<TerragruntValue> {
        let all = self.settings().into_iter();
        all.map(|(address, own)| TerragruntValue { address, value: own.value }).collect()
    }

    fn settings(&self) -> Vec<(String, Setting)> {
        let mut all = self.configuration.addressed();
        for (address, own) in &self.components {
            all.extend(own.addressed().into_iter().map(|(inner, own)| (format!("{address}.{inner}"), own)));
        }
        all
    }

    /// Everything as one object, as other files see it with `read_terragrunt_config`.
    pub fn value(&self) -> Value {
        self.configuration.value()
    }

    /// The names that expressions can use: those of the file, and everything that it configures.
    pub fn context(&self) -> Context {
        let mut context = self.configuration.context.child();
        let value = self.value();
        for (name, value) in value.entries().into_iter().flatten() {
            if !matches!(name.as_str(), "locals" | "dependency" | "feature") {
                context.set(name.as_str(), value.clone());
            }
        }
        context
    }

    /// The expression of the value at an address, with the names that it uses.
    pub fn expression(&self, address: &str) -> Option<(Expression, Context)> {
        let found = self.settings().into_iter().find(|(own, _)| own == address)?;
        Some((found.1.expression?, found.1.context))
    }

    /// Why the value at an address is unknown, as far as expressions say.
    pub fn reasons(&self, address: &str) -> Vec<Reason> {
        let mut all = Vec::new();
        let configurations = std::iter::once((String::new(), &self.configuration))
            .chain(self.components.iter().map(|(prefix, own)| (format!("{prefix}."), own)));
        for (prefix, configuration) in configurations {
            let Some(inner) = address.strip_prefix(&prefix) else { continue };
            let found = configuration.addressed().into_iter().find(|(own, _)| own == inner);
            if let Some(dependency) =
                inner.strip_suffix(".outputs").filter(|own| own.starts_with("dependency"))
            {
                all.push(Reason::new(dependency, NO_MOCKS));
            }
            if let Some(expression) = found.and_then(|(_, own)| own.expression) {
                Search { configuration, seen: HashSet::new(), all: &mut all }.expression(&expression);
            }
        }
        all
    }

    /// The file with all known values inserted; those of its includes stay there. Everything else keeps its text and its comments. Outputs
    /// of dependencies count as unknown, because mocks are not what an apply gets. A file in the JSON syntax is not changed.
    ///
    /// # Errors
    /// A limit is exceeded.
    pub fn partial(&self, options: PartialOptions, write: WriteValue<'_>) -> Result<String, Diagnostics> {
        let Some(source) = &self.source else { return Ok(String::new()) };
        let mut changes = Vec::new();
        if Syntax::of(source.name()) == Syntax::Json {
            return Ok(source.text().to_owned());
        }
        for (_, own) in self.configuration.addressed() {
            let Some(expression) = own.expression.filter(|own| own.source().name() == source.name()) else {
                continue;
            };
            let mut context = own.context.child();
            context.set("dependency", Value::DYNAMIC);
            let (rest, is_known) = match options.rewrite(&expression, &context) {
                Ok(rewritten) => rewritten,
                Err(found) if found.has_limit() => return Err(found),
                // It is an error for some values only.
                Err(_) => continue,
            };
            let known = || source_of_value(&rest.text, &rest.value, &own.context, write);
            let text = if is_known { known() } else { None }.unwrap_or(rest.text.clone());
            if text != expression.text() {
                changes.push((expression.span(), text));
            }
        }
        Ok(with_changes(source, changes))
    }

    pub(crate) fn configuration(&self) -> &Configuration {
        &self.configuration
    }
}

/// Looks for what makes an expression unknown.
struct Search<'c, 'r> {
    configuration: &'c Configuration,
    seen: HashSet<(String, Name)>,
    all: &'r mut Vec<Reason>,
}

impl Search<'_, '_> {
    fn expression(&mut self, expression: &Expression) {
        for call in expression.calls() {
            if let Some(why) = why_unknown(&call.name) {
                self.add(&call.name, why);
            }
        }
        for reference in expression.variables() {
            let first = reference.steps.first().and_then(|step| step.target.name());
            let Some(name) = first.map(Name::from) else { continue };
            match reference.root.as_str() {
                "local" => {
                    let file = expression.source().name().to_owned();
                    let found = self.configuration.locals_of(&file).and_then(|all| all.get(&name));
                    let found = found.filter(|own| !own.value.is_wholly_known());
                    let inner = found.and_then(|own| own.expression.clone());
                    if let Some(inner) = inner
                        && self.seen.insert((file, name))
                    {
                        hclkit_limits::with_room(|| self.expression(&inner));
                    }
                }
                "dependency" => {
                    let sections = self.configuration.sections.iter();
                    let found = sections
                        .filter(|own| *own.kind == *"dependency" && own.label.as_ref() == Some(&name))
                        .find_map(|own| own.settings.get("outputs"));
                    if found.is_some_and(|own| !own.value.is_known()) {
                        self.add(&format!("dependency.{name}"), NO_MOCKS);
                    }
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, source: &str, why: &'static str) {
        let reason = Reason::new(source, why);
        if !self.all.contains(&reason) {
            self.all.push(reason);
        }
    }
}
