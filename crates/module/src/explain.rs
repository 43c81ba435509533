//! Explains where a value of a module comes from: its expressions and their references, followed through local values,
//! variables, instances and calls of modules, down to the source text. `explain/find.rs` resolves addresses,
//! `explain/reasons.rs` finds out why a value is unknown, and `explain/meaning.rs` what it is computed from.

mod find;
mod meaning;
mod reasons;

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use hclkit_limits::Meter;
use hclkit_model::{Context, Explanation, Expression, Use, UseStep};
use hclkit_syntax::{Diagnostics, Place};
use hclkit_value::{Name, Path, Value};

pub(crate) use meaning::Here;
pub use meaning::{Meaning, Meanings, OldAddress};
pub use reasons::{Reason, Reasons};

use crate::address::Address;
use crate::config::{Call, Content, Item, Shape};
use crate::data_sources::DataSource;
use crate::instance::Instance;
use crate::instances::bind;
use crate::module::{AddressedValue, Evaluation, Module, report_exceeded, select};
use crate::origin::Cause;
use crate::pattern::Pattern;
use crate::step::Step;
use find::{Finder, ResolvedTarget, TargetKind};

/// The maximum number of derivations, and of the recorded parts of all their expressions.
const MOST: usize = 1_000;
const MOST_PARTS: usize = 100_000;
/// The maximum number of steps into a value that a reference passes on to the value that it refers to. Names that refer to
/// each other would make them longer and longer.
const MOST_STEPS: usize = 32;
/// The maximum number of steps by which references are told apart.
const MOST_NAMES: usize = 16;
/// The maximum number of instances that a splat or a loop leads to.
const MOST_INSTANCES: usize = 4;

/// Where values come from.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Derivations {
    /// The requested addresses, and then those that they refer to, without duplicates.
    pub all: Vec<Derivation>,
    /// True if there are more derivations: more than are shown, or more than the limits allow.
    pub omitted: bool,
    /// The errors and warnings of the evaluation, and the error of a limit that ended the explanation.
    pub diagnostics: Diagnostics,
    /// The numbers of the patterns that select nothing, as in an [`Evaluation`].
    pub unmatched: Vec<usize>,
}

/// How the value at an address is computed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Derivation {
    /// The address, such as `aws_instance.web[0].tags["Env"]`. Names that an instance binds include the address of the
    /// instance, such as `each.key in aws_instance.web["a"]`.
    pub address: Address,
    /// The value.
    pub value: Value,
    /// True if the value must not be shown, even if it has no mark.
    pub sensitive: bool,
    /// Where the value comes from.
    pub cause: Cause,
    /// The place of the expression, or of the block.
    pub place: Option<Place>,
    /// The expression and how it is computed, unless its source is sensitive.
    pub expression: Option<(Expression, Explanation)>,
    /// The addresses that the expression refers to.
    pub uses: Vec<Address>,
}

impl Module {
    /// Explains the values that patterns select, and all values that they depend on. The address of a block without instances is
    /// explained by the `count` or `for_each` that makes none.
    ///
    /// ```
    /// use hclkit_module::{Dialect, ModuleLoader, Memory};
    ///
    /// let text = "variable \"name\" {}\nlocals {\n  greeting = \"Hello, ${var.name}!\"\n}\n";
    /// let files = Memory::from_iter([("main.tf", text)]);
    /// let module =
    ///     ModuleLoader::new(Dialect::terraform()).with_files(files).with_variable_text("name", "Ada").load();
    /// let explained = module.explain(&["local.greeting".parse()?]);
    /// let steps = explained.all.iter().map(|step| format!("{} = {}: {}", step.address, step.value, step.cause));
    /// let steps: Vec<String> = steps.collect();
    /// assert_eq!(steps, ["local.greeting = \"Hello, Ada!\": set here", "var.name = \"Ada\": set with --var name"]);
    /// # Ok::<(), hclkit_module::PathError>(())
    /// ```
    pub fn explain(&self, patterns: &[Pattern]) -> Derivations {
        let _operation = Meter::current().begin();
        let mut following = Tracer::new(MOST);
        let mut absent = Vec::new();
        let (mut rest, mut numbers) = (Vec::new(), Vec::new());
        for (number, pattern) in patterns.iter().enumerate() {
            let job = asked(self, &pattern.to_string());
            if let Some(job) = job.filter(|job| following.has_no_instances(job)) {
                absent.push(job);
            } else {
                rest.push(pattern.clone());
                numbers.push(number);
            }
        }
        // No pattern would select everything.
        let Evaluation { values, mut diagnostics, unmatched } = match &rest[..] {
            [] if !patterns.is_empty() => {
                Evaluation { diagnostics: self.diagnostics(), ..Evaluation::default() }
            }
            rest => self.evaluate(rest),
        };
        let unmatched = unmatched.into_iter().map(|at| numbers[at]).collect();
        let traced = self.traced(following, &values, &absent);
        report_exceeded(&mut diagnostics);
        Derivations { diagnostics, unmatched, ..traced }
    }

    /// Explains at most some of the same values, without the errors and warnings of the evaluation.
    #[doc(hidden)]
    pub fn derivations(&self, patterns: &[Pattern], most: usize) -> Derivations {
        let _operation = Meter::current().begin();
        let mut following = Tracer::new(most);
        let jobs = patterns.iter().filter_map(|pattern| asked(self, &pattern.to_string()));
        let absent: Vec<Job> = jobs.filter(|job| following.has_no_instances(job)).collect();
        self.traced(following, &self.found(patterns), &absent)
    }

    /// Explains values, and blocks without instances.
    fn traced(&self, mut following: Tracer, values: &[AddressedValue], absent: &[Job]) -> Derivations {
        let found = values.iter().filter_map(|found| asked(self, &found.address));
        for job in found.chain(absent.iter().cloned()) {
            following.start(&job);
        }
        following.run();
        following.found
    }

    /// Explains the values that an expression in the root module refers to.
    #[doc(hidden)]
    pub fn explain_references(&self, expression: &Expression) -> Derivations {
        let _operation = Meter::current().begin();
        let mut following = Tracer::new(MOST);
        let explanation = expression.explain(&self.root.context);
        for job in jobs(&self.root, None, expression, &explanation, &[]) {
            following.start(&job);
        }
        following.run();
        report_exceeded(&mut following.found.diagnostics);
        following.found
    }

    /// Finds out why values are unknown.
    #[doc(hidden)]
    pub fn reasons(&self) -> Reasons {
        Reasons::new(self.clone())
    }
}

/// Parses an address from outside.
fn asked(module: &Module, address: &str) -> Option<Job> {
    let steps = address.parse::<Pattern>().ok()?.address()?;
    Some(Job::new(&module.root, steps.into_iter().map(use_step).collect()).seen_outside())
}

fn use_step(step: Step) -> UseStep {
    match step {
        Step::Name(name) => UseStep::Attribute(name),
        Step::Key(key) => UseStep::Element(key),
    }
}

/// An address to explain, as written in an expression of a module.
#[derive(Clone, Debug)]
struct Job {
    instance: Arc<Instance>,
    steps: Vec<UseStep>,
    /// The instance of the block that contains the expression.
    bound: Option<Bound>,
    /// True if the address was requested from outside, so that everything in the module is visible.
    outside: bool,
}

/// An instance of a block.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) item: usize,
    pub(crate) key: Value,
    pub(crate) value: Value,
}

impl Bound {
    /// The context of the expressions in the block.
    fn context(&self, instance: &Instance) -> Context {
        let repeat = instance.config.items[self.item].repetition.as_ref().map(|(repeat, _)| repeat);
        bind(&instance.context, repeat, Some(&(self.key.clone(), self.value.clone())))
    }
}

impl Job {
    fn new(instance: &Arc<Instance>, steps: Vec<UseStep>) -> Self {
        Self { instance: instance.clone(), steps, bound: None, outside: false }
    }

    fn seen_outside(self) -> Self {
        Self { outside: true, ..self }
    }
}

struct Tracer {
    /// The maximum number of derivations, and of parts.
    most: usize,
    parts_left: usize,
    finder: Finder,
    found: Derivations,
    open: VecDeque<ResolvedTarget>,
    seen: HashSet<Address>,
}

impl Tracer {
    fn new(most: usize) -> Self {
        let (found, open, seen) = (Derivations::default(), VecDeque::new(), HashSet::new());
        Self { most, parts_left: MOST_PARTS, finder: Finder::new(MOST_INSTANCES), found, open, seen }
    }

    /// Whether an address is that of a block without instances, or below it.
    fn has_no_instances(&mut self, job: &Job) -> bool {
        let found = self.finder.find(job);
        let [point @ ResolvedTarget { what: TargetKind::Repeated(_), .. }] = &found[..] else { return false };
        let value = point.value();
        value.as_slice().is_some_and(<[Value]>::is_empty)
            || value.entries().is_some_and(|all| all.into_iter().next().is_none())
    }

    /// Adds values to explain. Returns their addresses.
    fn start(&mut self, job: &Job) -> Vec<Address> {
        let mut addresses = Vec::new();
        for point in self.finder.find(job) {
            let address = point.address();
            // The address is kept twice, and written for each use.
            let meter = Meter::current();
            if meter.take_steps(1).and_then(|()| meter.take_bytes(address.len())).is_err() {
                self.found.omitted = true;
                break;
            }
            addresses.push(address.clone());
            if self.seen.contains(&address) {
                continue;
            }
            if self.seen.len() >= self.most {
                self.found.omitted = true;
                break;
            }
            self.seen.insert(address);
            self.open.push_back(point);
        }
        addresses
    }

    fn run(&mut self) {
        while let Some(point) = self.open.pop_front() {
            if Meter::current().look().is_err() || self.parts_left == 0 {
                self.found.omitted = true;
                return;
            }
            let (mut derivation, jobs) = derive(&point);
            let parts = derivation.expression.as_ref().map_or(0, |(_, explanation)| explanation.count());
            self.parts_left = self.parts_left.saturating_sub(parts);
            let mut used = HashSet::new();
            for job in jobs {
                let addresses = self.start(&job).into_iter();
                derivation.uses.extend(addresses.filter(|address| used.insert(address.as_str().to_owned())));
            }
            self.found.all.push(derivation);
        }
    }
}

/// The derivation of a value, and its references.
fn derive(point: &ResolvedTarget) -> (Derivation, Vec<Job>) {
    let instance = &point.instance;
    let mut own = Derivation {
        address: point.address(),
        value: point.value(),
        sensitive: false,
        cause: Cause::Expression,
        place: point.place(),
        expression: None,
        uses: Vec::new(),
    };
    let item = |at: usize| &instance.config.items[at];
    let jobs = match &point.what {
        TargetKind::Input(at) => input(point, item(*at), &mut own),
        TargetKind::Named(at) => {
            let expression = &instance.config.values[*at].attribute.expression;
            expression_of(instance, None, expression, &point.rest, &mut own)
        }
        TargetKind::Output(at) => {
            let Content::Output(output) = &item(*at).content else { return (own, Vec::new()) };
            own.sensitive = output.hidden;
            match &output.value {
                Some(expression) => expression_of(instance, None, expression, &point.rest, &mut own),
                None => Vec::new(),
            }
        }
        TargetKind::Object(at, bound) => object(point, item(*at), bound.as_ref(), &mut own),
        TargetKind::Repeated(at) => {
            let Some((_, expression)) = &item(*at).repetition else { return (own, Vec::new()) };
            own.cause = Cause::Repetition(point.block_address());
            expression_of(instance, None, expression, &[], &mut own)
        }
        TargetKind::Call(_) => point.results().into_iter().map(|steps| Job::new(instance, steps)).collect(),
        TargetKind::Binding(bound, path) => {
            let Some((repeat, expression)) = &item(bound.item).repetition else { return (own, Vec::new()) };
            own.cause = Cause::Repetition(point.block_address());
            let mut inner = Vec::new();
            if repeat.value.as_ref().is_some_and(|value| value == path) {
                inner.push(Step::Key(bound.key.clone()));
                inner.extend(point.rest.iter().cloned());
            }
            expression_of(instance, None, expression, &inner, &mut own)
        }
        TargetKind::Program => {
            own.cause = Cause::Program;
            Vec::new()
        }
        TargetKind::OtherModule(at) => {
            if let Content::Call(Call { source: Some(source), .. }) = &item(*at).content {
                expression_of(instance, None, source, &[], &mut own)
            } else {
                own.cause = Cause::OtherModule;
                Vec::new()
            }
        }
    };
    (own, jobs)
}

/// The value of a variable: an argument of a call, a value from outside the module, or the default.
fn input(point: &ResolvedTarget, item: &Item, own: &mut Derivation) -> Vec<Job> {
    let Content::Input(input) = &item.content else { return Vec::new() };
    own.sensitive = input.hidden;
    let name = item.own_name();
    if let Some((parent, up, _)) = point.instance.caller() {
        let Content::Call(call) = &parent.config.items[up.item].content else { return Vec::new() };
        if let Some(argument) = call.arguments.iter().find(|argument| argument.name == *name) {
            let bound = up.instance.clone().map(|(key, value)| Bound { item: up.item, key, value });
            own.cause = Cause::Argument(crate::step::written(&point.instance.path));
            return expression_of(&parent, bound.as_ref(), &argument.expression, &point.rest, own);
        }
    } else if let Some(given) = point.instance.tree.outside.inputs.get(name) {
        own.cause = given.origin.cause();
        own.place = given.expression.as_ref().map(|expression| {
            let (part, rest) = narrowed(expression, &point.rest);
            if !rest.is_empty() {
                own.cause = Cause::OptionalAttribute;
            }
            part.place()
        });
        return Vec::new();
    }
    match &input.default_expression {
        Some(default) => {
            let (part, rest) = narrowed(default, &point.rest);
            own.cause = if rest.is_empty() { Cause::Default } else { Cause::OptionalAttribute };
            own.place = Some(part.place());
        }
        None => own.cause = Cause::Missing,
    }
    Vec::new()
}

/// What an attribute of an object is computed from.
enum AttributeOrigin<'p> {
    /// An expression, and the part of its value.
    Expression(&'p Expression, &'p [Step]),
    /// The expressions of blocks, and whether there may be such blocks. If there are none, a provider sets the attribute.
    Blocks(Vec<&'p Expression>, bool),
}

/// What the attribute of an object is computed from to which `rest` leads. None if that is the object as a whole.
fn attribute_origin<'p>(
    point: &'p ResolvedTarget,
    item: &'p Item,
    shape: &'p Shape,
    context: &Context,
) -> Option<AttributeOrigin<'p>> {
    let (step, mut rest) = point.rest.split_first()?;
    let mut name = match step {
        Step::Name(name) => name.as_str(),
        Step::Key(key) => key.as_str().unwrap_or_default(),
    };
    let rule =
        item.labels.first().and_then(|ty| point.instance.tree.language.object(&item.rule.block_type, ty));
    let same = rule.and_then(|rule| rule.same.iter().find(|(own, _)| own.as_str() == name));
    name = same.map_or(name, |(_, other)| other.as_str());
    let mut inner = shape;
    loop {
        if let Some(attribute) = inner.attributes.iter().find(|attribute| attribute.name == *name) {
            return Some(AttributeOrigin::Expression(&attribute.expression, rest));
        }
        let mut blocks = inner.blocks.iter().filter(|(own, _)| own == name).map(|(_, block)| block);
        let found = match rest {
            [Step::Key(key), Step::Name(next), after @ ..] => {
                let at = key.as_number().and_then(hclkit_value::Number::to_u64);
                at.and_then(|at| blocks.nth(usize::try_from(at).ok()?)).map(|block| (block, next, after))
            }
            _ => None,
        };
        if let Some((block, next, after)) = found.filter(|_| !inner.has_dynamic(name)) {
            (inner, name, rest) = (block, next.as_str(), after);
            continue;
        }
        // Whole blocks, and dynamic ones.
        let (expressions, may_exist) = inner.expressions_of_blocks(name, context);
        return Some(AttributeOrigin::Blocks(expressions, may_exist));
    }
}

/// An object, or an attribute of it.
fn object(point: &ResolvedTarget, item: &Item, bound: Option<&Bound>, own: &mut Derivation) -> Vec<Job> {
    let Content::Object(shape) = &item.content else { return Vec::new() };
    let context = bound.map_or(point.instance.context.clone(), |bound| bound.context(&point.instance));
    match attribute_origin(point, item, shape, &context) {
        None => {
            let below = |name: &str| {
                let mut steps: Vec<UseStep> = point.steps().into_iter().map(use_step).collect();
                steps.push(UseStep::Attribute(name.into()));
                Job::new(&point.instance, steps)
            };
            shape.names().map(|name| below(name)).collect()
        }
        Some(AttributeOrigin::Expression(expression, rest)) => {
            expression_of(&point.instance, bound, expression, rest, own)
        }
        Some(AttributeOrigin::Blocks(mut expressions, may_exist)) => {
            if !may_exist {
                own.cause = Cause::Provider;
                if let Some(source) = computed(point, item) {
                    own.cause = Cause::Computed(source);
                    expressions.extend(shape.expressions());
                }
            }
            let explained =
                expressions.into_iter().map(|expression| (expression, expression.explain(&context)));
            explained
                .flat_map(|(expression, explanation)| {
                    jobs(&point.instance, bound, expression, &explanation, &[])
                })
                .collect()
        }
    }
}

/// The data source that sets an attribute which is not configured, if it is computed here.
fn computed(point: &ResolvedTarget, item: &Item) -> Option<&'static DataSource> {
    let name = match point.rest.first()? {
        Step::Name(name) => name.as_str(),
        Step::Key(key) => key.as_str()?,
    };
    point.instance.data_source(item).filter(|own| own.sets(name))
}

/// Explains the part of an expression that produces a part of its value.
fn expression_of(
    instance: &Arc<Instance>,
    bound: Option<&Bound>,
    expression: &Expression,
    rest: &[Step],
    own: &mut Derivation,
) -> Vec<Job> {
    let (part, rest) = narrowed(expression, rest);
    own.place = Some(part.place());
    let context = bound.map_or(instance.context.clone(), |bound| bound.context(instance));
    let explanation = part.explain(&context);
    let found = jobs(instance, bound, &part, &explanation, rest);
    // A schema marks the value, or says that a provider never returns it, but not the expression.
    let is_hidden = (own.value.contains_marked() || own.value.is_null())
        && own.value != part_of(&explanation.value, rest);
    if !own.sensitive && !is_hidden {
        own.expression = Some((part, explanation));
    }
    found
}

/// The innermost part of an expression that produces a part of its value, and the remaining steps.
fn narrowed<'s>(expression: &Expression, steps: &'s [Step]) -> (Expression, &'s [Step]) {
    let (mut path, mut part) = (Path::new(), expression.clone());
    for (taken, step) in steps.iter().enumerate() {
        let before = expression.place_of(&path).span;
        path = match step {
            Step::Name(name) => path.attribute(name.as_str()),
            Step::Key(key) => path.index(key.clone()),
        };
        let span = expression.place_of(&path).span;
        if span == before {
            return (part, &steps[taken..]);
        }
        loop {
            let parts = part.parts();
            // A large object has as many parts, and may be narrowed for each of them.
            if Meter::current().take_steps(parts.len() as u64).is_err() {
                return (part, &steps[taken..]);
            }
            let inner = parts.into_iter().find(|inner| inner.span().cover(span) == inner.span());
            let Some(inner) = inner else { return (part, &steps[taken..]) };
            let found = inner.span() == span;
            part = inner;
            if found {
                break;
            }
        }
    }
    (part, &[])
}

/// The evaluated references of an expression. If the expression is only a reference, the rest of a path is appended to
/// it.
fn jobs(
    instance: &Arc<Instance>,
    bound: Option<&Bound>,
    expression: &Expression,
    explanation: &Explanation,
    rest: &[Step],
) -> Vec<Job> {
    let mut live = HashSet::new();
    evaluated(explanation, &mut live);
    let references = expression.variables();
    let uses = distinct(expression.uses());
    // The uses by the names of their first steps, as many as references have.
    let lengths: BTreeSet<usize> =
        references.iter().map(|reference| reference.steps.len().min(MOST_NAMES)).collect();
    let mut by_names: HashMap<(&Name, Vec<Option<&str>>), Vec<usize>> = HashMap::new();
    for (at, used) in uses.iter().enumerate() {
        let names: Vec<Option<&str>> = used.steps.iter().take(MOST_NAMES).map(UseStep::name).collect();
        for &length in lengths.range(..=names.len()) {
            by_names.entry((&used.root, names[..length].to_vec())).or_default().push(at);
        }
    }
    let mut found: Vec<Job> = Vec::new();
    let mut taken = vec![false; uses.len()];
    for reference in &references {
        let whole = reference.span() == expression.span();
        if !whole && !explanation.parts.is_empty() && !live.contains(&reference.root_span.start) {
            continue;
        }
        let names = reference.steps.iter().take(MOST_NAMES).map(|step| step.target.name());
        for &at in by_names.get(&(&reference.root, names.collect())).into_iter().flatten() {
            if std::mem::replace(&mut taken[at], true) {
                continue;
            }
            let Use { root, steps, .. } = &uses[at];
            let mut path = vec![UseStep::Attribute(root.clone())];
            path.extend(steps.iter().cloned());
            // What refers to itself has the same error as the part that is explained.
            if whole && !explanation.fails() && path.len() + rest.len() <= MOST_STEPS {
                path.extend(rest.iter().cloned().map(use_step));
            }
            found.push(Job {
                instance: instance.clone(),
                steps: path,
                bound: bound.cloned(),
                outside: false,
            });
        }
    }
    found
}

/// The uses without repetitions.
fn distinct(mut uses: Vec<Use>) -> Vec<Use> {
    let text = |step: &UseStep| match step {
        UseStep::Attribute(name) => (true, Some(name.to_string())),
        UseStep::Element(key) => (false, Some(key.to_string())),
        UseStep::Each => (false, None),
    };
    let mut seen = HashSet::new();
    uses.retain(|used| seen.insert((used.root.clone(), used.steps.iter().map(text).collect::<Vec<_>>())));
    uses
}

/// The starts of the parts whose values matter.
fn evaluated(explanation: &Explanation, live: &mut HashSet<u32>) {
    let mut open = vec![explanation];
    while let Some(explanation) = open.pop() {
        if explanation.is_unselected() {
            continue;
        }
        if explanation.source.is_none() || live.is_empty() {
            live.insert(explanation.span.start);
            open.extend(&explanation.parts);
        }
    }
}

impl Derivation {
    /// Returns true if the value must not be shown.
    #[doc(hidden)]
    pub fn is_sensitive(&self) -> bool {
        self.sensitive || self.value.is_marked()
    }
}

/// A part of a value, or an unknown value if there is no such part.
fn part_of(value: &Value, rest: &[Step]) -> Value {
    select(value, rest).unwrap_or(Value::DYNAMIC)
}
