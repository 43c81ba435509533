//! Tests of policies, `*.policytest.hcl`: mocks of resources, data sources, modules and providers, and whether the policies fail for
//! them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use hclkit::model::{Block, BodyItem, Scope, Target};
use hclkit::syntax::{did_you_mean, nearest_name};
use hclkit::{Body, Code, Context, Diagnostic, Diagnostics, Document, Expression, Functions, Place, Value};

use super::Policies;
use super::check::{Known, Shape, check_config, check_shape, definitions, invalid, plugins};
use super::evaluate::{Session, Subject};
use super::functions::{self, World};
use super::read::{Kind, Operation, Policy, PolicyFile};
use crate::request::OpenPolicies as Open;
use crate::rules::texts;
use crate::verdict::{Outcome, Suite, Verdict};

const FAILED: Code = Code::custom("failed-test", "A test failed").with_explanation(
    "The policies fail for what a test describes, or do not fail although that is expected.",
);

const TEST: Shape =
    Shape { attributes: &["targets"], required: &[], blocks: &["plugins", "terraform_config"] };
const RESOURCE: Shape = Shape {
    attributes: &["attrs", "expect_failure", "meta", "prior_attrs", "skip"],
    required: &[],
    blocks: &["inputs"],
};
const OTHER: Shape =
    Shape { attributes: &["attrs", "expect_failure", "meta"], required: &[], blocks: &["inputs"] };
const DATA: Shape = Shape { attributes: &["attrs"], required: &["attrs"], blocks: &[] };

/// A mock.
struct Mock {
    /// `None` for a data source.
    kind: Option<Kind>,
    /// The type, the source or the name of the provider.
    target: String,
    name: String,
    attrs: Option<Expression>,
    prior: Option<Expression>,
    meta: Option<Expression>,
    expects: Option<Expression>,
    skip: Option<Expression>,
    inputs: Vec<(String, Expression)>,
    place: Place,
}

impl Mock {
    /// The name in reports.
    fn title(&self) -> String {
        let kind = match self.kind {
            None => "data",
            Some(Kind::Resource) => "resource",
            Some(Kind::Module) => "module",
            Some(Kind::Provider) => "provider",
        };
        format!("{kind}.{}.{}", self.target, self.name)
    }
}

/// A file of tests.
#[derive(Default)]
struct File {
    targets: Option<(Vec<String>, Place)>,
    plugins: BTreeSet<String>,
    inputs: Vec<(String, Expression)>,
    locals: Vec<(String, Expression)>,
    mocks: Vec<Mock>,
}

/// Runs the tests of a file.
pub(super) fn run(
    policies: &Policies,
    directory: &Path,
    document: &Document,
    open: &Open<'_>,
    selects: &(dyn Fn(&str) -> bool + Sync),
) -> Suite {
    let mut suite = Suite::default();
    let mut found = document.diagnostics().clone();
    let file = if found.has_errors() { File::default() } else { File::read(document, &mut found) };
    let mut own = Policies::default();
    let targets = targets(policies, directory, &file, open, &mut own, &mut found);
    if !found.has_errors() {
        file.check(&targets, &mut found);
    }
    let is_broken = found.has_errors();
    suite.problems.append(found.distinct());
    if is_broken {
        return suite;
    }
    let name = document.source().name();
    if targets.iter().any(|own| own.is_broken) {
        let why = "its policies have errors".to_owned();
        for mock in file.tested().filter(|own| selects(&own.title())) {
            suite.verdicts.push(Verdict::new(mock.title(), name, Outcome::Skipped(why.clone())));
        }
        return suite;
    }
    match Running::new(policies, &file, &targets) {
        Ok(running) => running.all(name, selects, &mut suite),
        Err(found) => suite.problems.append(found),
    }
    suite
}

/// The policies that a file of tests is about: those that it names, or those beside it, or else all.
fn targets<'p>(
    policies: &'p Policies,
    directory: &Path,
    file: &File,
    open: &Open<'_>,
    own: &'p mut Policies,
    found: &mut Diagnostics,
) -> Vec<&'p PolicyFile> {
    let clean = |path: &Path| hclkit::limits::clean_path(path);
    let path_of = |own: &PolicyFile| clean(Path::new(own.document.source().name()));
    let Some((targets, place)) = &file.targets else {
        let here = clean(directory);
        let beside: Vec<&PolicyFile> =
            policies.files.iter().filter(|own| path_of(own).parent() == Some(&here)).collect();
        return if beside.is_empty() { policies.files.iter().collect() } else { beside };
    };
    let mut missing: Vec<(String, Vec<u8>)> = Vec::new();
    let mut known = Vec::new();
    for target in targets {
        let path = clean(&directory.join(target));
        let is_meant = |own: &&PolicyFile| {
            let own = path_of(own);
            own == path || own.parent() == Some(&path)
        };
        let before = known.len();
        known.extend(policies.files.iter().filter(is_meant));
        if known.len() > before {
            continue;
        }
        let opened = open(directory, target).map(|mut files| {
            files.retain(|(name, _)| name.ends_with(".policy.hcl"));
            files
        });
        match opened {
            Ok(files) if !files.is_empty() => missing.extend(files),
            Ok(_) => {
                let note =
                    format!("The target `{target}` does not match any file of policies, `*.policy.hcl`.");
                found.push(invalid(note).at(place));
            }
            Err(why) => {
                let note = format!("The target `{target}` does not match any file of policies: {why}.");
                found.push(invalid(note).at(place));
            }
        }
    }
    for (name, text) in missing {
        let document = Document::parse(hclkit::Source::new(name, text), hclkit::StartSymbol::Config);
        own.files.push(PolicyFile::read(document, found));
    }
    known.extend(own.files.iter());
    let mut seen = HashSet::new();
    known.retain(|own| seen.insert(path_of(own)));
    known
}

impl File {
    fn read(document: &Document, found: &mut Diagnostics) -> Self {
        let mut file = Self::default();
        let body = Body::of(document);
        let tops = ["policytest", "inputs", "locals", "resource", "data", "module", "provider"];
        let mut once: HashMap<String, Place> = HashMap::new();
        for item in body.items() {
            let BodyItem::Block(block) = item else {
                let note = format!("A file of tests has no argument `{}`, only blocks.", item.name());
                found.push(invalid(note).at(Place::new(&body.source(), item.name_span())));
                continue;
            };
            let (labels, shape, kind) = match &*block.block_type {
                "policytest" => (0, Some(&TEST), None),
                "inputs" | "locals" => (0, None, None),
                "resource" => (2, Some(&RESOURCE), Some(Kind::Resource)),
                "module" => (2, Some(&OTHER), Some(Kind::Module)),
                "provider" => (2, Some(&OTHER), Some(Kind::Provider)),
                "data" => (2, Some(&DATA), None),
                other => {
                    let near = if other == "input" { Some("inputs") } else { nearest_name(other, tops) };
                    let hint = did_you_mean(near);
                    let note =
                        format!("A file of tests has no block `{other}`.{hint} Known: {}.", tops.join(", "));
                    found.push(invalid(note).at(Place::new(&block.source, block.type_span)));
                    continue;
                }
            };
            if block.labels.len() != labels {
                let what = if labels == 0 { "no labels" } else { "two labels: what it is, and its name" };
                let note = format!("A block `{}` has {what}.", block.block_type);
                found.push(invalid(note).at(block.definition_place()));
                continue;
            }
            if let Some(shape) = shape {
                check_shape(&block, shape, found);
            }
            let names: Vec<&str> = block.labels.iter().map(|own| &**own).collect();
            let title = format!("{} {}", block.block_type, names.join("."));
            if !matches!(&*block.block_type, "locals")
                && let Some(first) = once.get(title.trim()).cloned()
            {
                let error = invalid(format!("There is another block `{}`.", title.trim()));
                let error = error.at(block.definition_place());
                let error = error.with_related(&first.source, first.span, "The first one is here.");
                let is_setting = shape.is_none() || kind.is_none() && labels == 0;
                if is_setting {
                    found.push(error);
                    continue;
                }
                // Tests of the same name are run, and references are to the first one.
                found.push(error.with_severity(hclkit::Severity::Warning));
            }
            once.entry(title.trim().to_owned()).or_insert_with(|| block.definition_place());
            match &*block.block_type {
                "policytest" => file.settings(&block, found),
                "inputs" => file.inputs = definitions(&block, found),
                "locals" => file.locals.extend(definitions(&block, found)),
                _ => file.mocks.push(mock(&block, kind, found)),
            }
        }
        file
    }

    fn settings(&mut self, block: &Block, found: &mut Diagnostics) {
        check_config(block, found);
        self.plugins = plugins(block, found);
        let Some(targets) = block.body.attribute("targets") else { return };
        let place = targets.expression.place();
        match targets.expression.evaluate(&Context::new()) {
            Ok(value) => match texts(&value).filter(|_| value.as_str().is_none()) {
                Some(all) => self.targets = Some((all, place)),
                None => found.push(invalid("`targets` is a list of paths.").at(place)),
            },
            Err(own) => found.append(own),
        }
    }

    /// The mocks that policies are applied to.
    fn tested(&self) -> impl Iterator<Item = &Mock> {
        self.mocks.iter().filter(|own| own.kind.is_some())
    }

    /// All expressions.
    fn expressions(&self) -> Vec<&Expression> {
        let mut all: Vec<&Expression> = self.inputs.iter().chain(&self.locals).map(|(_, own)| own).collect();
        for own in &self.mocks {
            all.extend([&own.attrs, &own.prior, &own.meta, &own.expects, &own.skip].into_iter().flatten());
            all.extend(own.inputs.iter().map(|(_, own)| own));
        }
        all
    }

    /// Reports names, functions and inputs that there are not.
    fn check(&self, targets: &[&PolicyFile], found: &mut Diagnostics) {
        let types: BTreeSet<&str> = self
            .mocks
            .iter()
            .filter(|own| own.kind == Some(Kind::Resource))
            .map(|own| own.target.as_str())
            .collect();
        let roots: Vec<&str> = ["data", "input", "local"].into_iter().chain(types.iter().copied()).collect();
        let functions = library(&functions::open_library());
        let inputs: HashSet<&str> =
            targets.iter().flat_map(|own| &own.inputs).map(|own| own.name.as_str()).collect();
        let known = Known {
            roots: &roots,
            locals: self.locals.iter().map(|(name, _)| name.as_str()).collect(),
            inputs: inputs.clone(),
            meta: &[],
            functions: &functions,
            plugins: &self.plugins,
        };
        let names: HashSet<(bool, &str, &str)> = self
            .mocks
            .iter()
            .map(|own| (own.kind.is_none(), own.target.as_str(), own.name.as_str()))
            .collect();
        for expression in self.expressions() {
            known.check(expression, found);
            for reference in expression.variables() {
                let texts: Vec<&str> = reference.steps.iter().map_while(|step| step.target.name()).collect();
                let (is_data, kind, name) = match (&*reference.root, &texts[..]) {
                    ("data", [kind, name, ..]) => (true, *kind, *name),
                    (root, [name, ..]) if types.contains(root) => (false, root, *name),
                    _ => continue,
                };
                if !names.contains(&(is_data, kind, name)) {
                    let all = names.iter().filter(|own| own.0 == is_data && own.1 == kind).map(|own| own.2);
                    let hint = did_you_mean(nearest_name(name, all));
                    let what = if is_data { "data source" } else { "resource" };
                    let note = format!("The test has no {what} `{kind}.{name}`.{hint}");
                    found.push(invalid(note).at(Place::new(expression.source(), reference.root_span)));
                }
            }
        }
        let of_mocks = self.mocks.iter().flat_map(|own| &own.inputs);
        for (name, expression) in self.inputs.iter().chain(of_mocks) {
            if !inputs.contains(name.as_str()) {
                let hint = did_you_mean(nearest_name(name, inputs.iter().copied()));
                let note = format!("The policies have no input `{name}`.{hint}");
                found.push(invalid(note).at(expression.place()));
            }
        }
    }
}

fn mock(block: &Block, kind: Option<Kind>, found: &mut Diagnostics) -> Mock {
    let attribute = |name: &str| block.body.attribute(name).map(|own| own.expression);
    let mut inputs = Vec::new();
    for own in block.body.blocks("inputs", &[]) {
        inputs.extend(definitions(&own, found));
    }
    Mock {
        kind,
        target: block.labels[0].to_string(),
        name: block.labels[1].to_string(),
        attrs: attribute("attrs"),
        prior: attribute("prior_attrs"),
        meta: attribute("meta"),
        expects: attribute("expect_failure"),
        skip: attribute("skip"),
        inputs,
        place: block.definition_place(),
    }
}

/// The functions of a test: those of policies, also without a namespace.
fn library(functions: &Functions) -> Functions {
    let mut all = functions.clone();
    let bare = functions.iter().filter_map(|(name, own)| Some((name.strip_prefix("core::")?, own.clone())));
    all.extend(bare.map(|(name, own)| (name.to_owned(), own)).collect::<Vec<_>>());
    all
}

/// A mock with its values.
struct Made {
    attrs: Option<Value>,
    prior: Option<Value>,
    meta: Value,
    operation: Operation,
    expects: bool,
    skip: bool,
    inputs: Vec<(String, Value)>,
}

/// The tests of a file, ready to run.
struct Running<'t> {
    file: &'t File,
    targets: &'t [&'t PolicyFile],
    /// The inputs that the command and the file set.
    given: Vec<(String, Value)>,
    made: Vec<Result<Made, Diagnostics>>,
    world: Arc<World>,
}

impl<'t> Running<'t> {
    fn new(policies: &Policies, file: &'t File, targets: &'t [&'t PolicyFile]) -> Result<Self, Diagnostics> {
        let functions = library(&functions::open_library());
        let mut scope = Scope::new();
        let mut found = Diagnostics::new();
        // `TYPE.NAME.attrs.ATTRIBUTE` means the same as `TYPE.NAME.ATTRIBUTE`.
        let mut in_full: HashSet<(String, String)> = HashSet::new();
        for reference in file.expressions().into_iter().flat_map(Expression::variables) {
            let mut names = reference.steps.iter().map(|step| match &step.target {
                Target::Attribute(name) => Some(name.to_string()),
                Target::Element(_) => None,
            });
            let is_data = &*reference.root == "data";
            let kind = if is_data { names.next().flatten() } else { Some(reference.root.to_string()) };
            if let (Some(kind), Some(Some(name)), Some(Some(third))) = (kind, names.next(), names.next())
                && third == "attrs"
            {
                in_full.insert((if is_data { format!("data.{kind}") } else { kind }, name));
            }
        }
        for (name, expression) in &file.locals {
            if let Err(own) = scope.define(["local", name.as_str()], expression.clone()) {
                found.append(own);
            }
        }
        for mock in &file.mocks {
            let Some(attrs) = mock.attrs.clone() else { continue };
            let mut path: Vec<&str> = Vec::new();
            let key = match mock.kind {
                None => format!("data.{}", mock.target),
                Some(Kind::Resource) => mock.target.clone(),
                Some(_) => continue,
            };
            if mock.kind.is_none() {
                path.push("data");
            }
            path.extend([mock.target.as_str(), mock.name.as_str()]);
            if in_full.contains(&(key, mock.name.clone())) {
                path.push("attrs");
            }
            // Of tests with the same name, the first one counts.
            let _ = scope.define(path, attrs);
        }
        if found.has_errors() {
            return Err(found);
        }
        let base = Context::new().with_functions(functions);
        let mut given = policies.given.clone();
        for (name, expression) in &file.inputs {
            given.push((name.clone(), expression.evaluate(&base.clone().with_scope(scope.clone()))?));
        }
        let mut inputs: BTreeMap<String, Value> = BTreeMap::new();
        for own in targets.iter().flat_map(|own| &own.inputs) {
            let value = given.iter().rev().find(|(name, _)| *name == own.name).map(|(_, value)| value);
            // Which has no value is an error when a policy is applied.
            inputs.entry(own.name.clone()).or_insert_with(|| own.value(value).unwrap_or(Value::NULL));
        }
        let mut context = base.with("input", Value::object(inputs));
        if scope_is_used(file) {
            context = context.with_scope(scope);
        }
        let made: Vec<Result<Made, Diagnostics>> = file.mocks.iter().map(|own| make(own, &context)).collect();
        let mut world = World { data: Some(HashMap::new()), ..World::default() };
        for (mock, made) in file.mocks.iter().zip(&made) {
            let Some(attrs) = made.as_ref().ok().and_then(|own| own.attrs.clone()) else { continue };
            match mock.kind {
                None => {
                    let data = world.data.get_or_insert_default();
                    data.entry(mock.target.clone()).or_default().push(attrs);
                }
                Some(Kind::Resource) => world.resources.entry(mock.target.clone()).or_default().push(attrs),
                Some(_) => {}
            }
        }
        Ok(Self { file, targets, given, made, world: Arc::new(world) })
    }

    fn all(&self, file: &str, selects: &(dyn Fn(&str) -> bool + Sync), suite: &mut Suite) {
        // The policies with the inputs that no mock sets.
        let mut shared: HashMap<usize, Result<Session<'_>, String>> = HashMap::new();
        for (mock, made) in self.file.mocks.iter().zip(&self.made) {
            let title = mock.title();
            if mock.kind.is_none() {
                // Errors in what others use are theirs, too.
                if let Err(found) = made {
                    suite.problems.append(found.clone());
                }
                continue;
            }
            if !selects(&title) {
                continue;
            }
            match made {
                Err(found) => {
                    suite.problems.append(found.clone());
                    suite.verdicts.push(Verdict::new(title, file, Outcome::Errored));
                }
                Ok(made) if made.skip => {}
                Ok(made) => {
                    let verdict = self.one(mock, made, file, &mut shared);
                    suite.verdicts.push(verdict);
                }
            }
            if hclkit::limits::Meter::current().exceeded().is_some() {
                hclkit::module::report_exceeded(&mut suite.problems);
                break;
            }
        }
        suite.problems = std::mem::take(&mut suite.problems).distinct();
    }

    fn one(
        &self,
        mock: &Mock,
        made: &Made,
        file: &str,
        shared: &mut HashMap<usize, Result<Session<'t>, String>>,
    ) -> Verdict {
        let title = mock.title();
        let failed = |note: String| {
            let finding =
                Diagnostic::error(FAILED).at(&mock.place).with_note(format!("Test `{title}`: {note}"));
            Verdict::new(&title, file, Outcome::Failed).with_finding(finding)
        };
        let is_empty = |own: &Option<Value>| {
            own.as_ref().is_none_or(|own| own.entries().is_none_or(|mut own| own.next().is_none()))
        };
        if mock.kind == Some(Kind::Resource) && is_empty(&made.attrs) && is_empty(&made.prior) {
            let is_written = |own: &Option<Expression>| {
                own.as_ref().is_some_and(|own| own.static_map().map_or(true, |own| !own.is_empty()))
            };
            let why = "it has no state: `attrs` or `prior_attrs` must have an attribute, such as `id = null`";
            return if !is_written(&mock.attrs) && !is_written(&mock.prior) {
                let finding = invalid(format!("Test `{title}`: {why}.")).at(&mock.place);
                Verdict::new(&title, file, Outcome::Errored).with_finding(finding)
            } else if made.expects {
                failed(format!("a failure is expected, but {why}."))
            } else {
                Verdict::new(&title, file, Outcome::Skipped(why.to_owned()))
            };
        }
        let subject = subject(mock, made);
        let (mut messages, mut unknown, mut errors) = (Vec::new(), None, Diagnostics::new());
        let mut notes = Vec::new();
        for (number, target) in self.targets.iter().enumerate() {
            let is_applied = |(at, policy): (usize, &Policy)| {
                let is_meant = Some(policy.kind) == mock.kind && policy.is_about(&mock.target);
                let is_meant = is_meant && (policy.kind != Kind::Resource || policy.sees(made.operation));
                is_meant.then_some(at)
            };
            let applied: Vec<usize> = target.policies.iter().enumerate().filter_map(is_applied).collect();
            if applied.is_empty() {
                continue;
            }
            let open = |given: &[(String, Value)]| {
                target.inputs(given).map(|inputs| Session::new(target, &self.world, inputs))
            };
            let own;
            let session = if made.inputs.is_empty() {
                shared.entry(number).or_insert_with(|| open(&self.given))
            } else {
                let given: Vec<_> = self.given.iter().chain(&made.inputs).cloned().collect();
                own = open(&given);
                &own
            };
            let session = match session {
                Ok(session) => session,
                Err(why) => {
                    errors.push(invalid(why.clone()).at(&mock.place));
                    continue;
                }
            };
            for at in applied {
                let name = &target.policies[at].name;
                let Some(said) = session.apply(at, &subject, &|name| format!("`{name}` is not known")) else {
                    continue;
                };
                let failed = said.failed.iter().map(|own| own.trim_end_matches('.'));
                messages.extend(failed.map(|own| format!("the policy `{name}` fails: {own}")));
                errors.append(said.errors);
                notes.extend(said.info.into_iter().map(|own| format!("{name}: {own}")));
                if let Some(why) = said.unknown {
                    unknown.get_or_insert(why);
                }
            }
        }
        let mut verdict = if errors.has_errors() {
            let mut found = errors.into_iter();
            let finding = found.next();
            let mut verdict = Verdict::new(&title, file, Outcome::Errored);
            verdict.finding = finding.map(|own| {
                let note = format!("Test `{title}`: {}", own.note());
                own.with_note(note)
            });
            verdict.more = found.collect();
            verdict
        } else if messages.is_empty() != made.expects && (made.expects || unknown.is_none()) {
            Verdict::new(&title, file, Outcome::Passed)
        } else if let (Some(why), true) = (&unknown, messages.is_empty()) {
            Verdict::new(&title, file, Outcome::Skipped(why.clone()))
        } else if made.expects {
            failed("a failure is expected, but no policy fails.".to_owned())
        } else {
            failed(format!("{}.", messages.join("; ")))
        };
        verdict.notes = notes;
        verdict
    }
}

/// Whether anything is defined that others can refer to.
fn scope_is_used(file: &File) -> bool {
    !file.locals.is_empty() || file.mocks.iter().any(|own| own.attrs.is_some())
}

/// Evaluates a mock.
fn make(mock: &Mock, context: &Context) -> Result<Made, Diagnostics> {
    let object = |own: &Option<Expression>, name: &str| -> Result<Option<Value>, Diagnostics> {
        let Some(expression) = own else { return Ok(None) };
        let value = expression.evaluate(context)?;
        if value.is_null() || value.is_known() && value.entries().is_none() {
            return Err(invalid(format!("`{name}` is an object.")).at(expression.place()).into());
        }
        Ok(Some(value))
    };
    let flag = |own: &Option<Expression>, name: &str| -> Result<bool, Diagnostics> {
        let Some(expression) = own else { return Ok(false) };
        let value = expression.evaluate(context)?;
        let wrong = || -> Diagnostics {
            invalid(format!("`{name}` is `true` or `false`.")).at(expression.place()).into()
        };
        value
            .unmark_deep()
            .0
            .convert(&hclkit::Type::Bool)
            .ok()
            .and_then(|own| own.as_bool())
            .ok_or_else(wrong)
    };
    let (attrs, prior) = (object(&mock.attrs, "attrs")?, object(&mock.prior, "prior_attrs")?);
    let meta = object(&mock.meta, "meta")?.unwrap_or_else(|| Value::object([("", Value::NULL); 0]));
    let operation = match meta.attribute("operation") {
        Ok(own) => {
            let place = mock.meta.as_ref().map_or_else(|| mock.place.clone(), Expression::place);
            let Some(text) = own.as_str() else {
                return Err(invalid("`meta.operation` is a non-string value; a string is required.")
                    .at(place)
                    .into());
            };
            Operation::of(text).ok_or_else(|| {
                let known = ["create", "update", "delete", "no-op"];
                let hint = did_you_mean(nearest_name(text, known));
                let note = format!("There is no operation `{text}`.{hint} Known: {}.", known.join(", "));
                Diagnostics::from(invalid(note).at(place))
            })?
        }
        Err(_) => inferred(attrs.as_ref(), prior.as_ref()),
    };
    let inputs = mock
        .inputs
        .iter()
        .map(|(name, own)| Ok((name.clone(), own.evaluate(context)?)))
        .collect::<Result<_, Diagnostics>>()?;
    Ok(Made {
        attrs,
        prior,
        meta,
        operation,
        expects: flag(&mock.expects, "expect_failure")?,
        skip: flag(&mock.skip, "skip")?,
        inputs,
    })
}

/// The operation of a mock that does not name one: it follows from the attributes before and after.
fn inferred(attrs: Option<&Value>, prior: Option<&Value>) -> Operation {
    let has = |own: Option<&Value>| {
        own.is_some_and(|own| own.entries().is_some_and(|mut all| all.next().is_some()))
    };
    let is_set = |own: Option<&Value>| {
        own.is_some_and(|own| own.entries().is_some_and(|mut all| all.any(|(_, own)| !own.is_null())))
    };
    match (has(attrs), has(prior)) {
        (false, true) => Operation::Delete,
        (true, true) if !is_set(attrs) && is_set(prior) => Operation::Delete,
        (true, true) if is_set(prior) || !is_set(attrs) => Operation::Update,
        _ => Operation::Create,
    }
}

/// What policies see of a mock.
fn subject(mock: &Mock, made: &Made) -> Subject {
    let empty = || Value::object([("", Value::NULL); 0]);
    let with_nulls = |own: Option<&Value>, other: Option<&Value>| {
        let names = [own, other].into_iter().flatten().filter_map(Value::entries).flatten();
        Value::object(names.map(|(name, _)| (name.to_string(), Value::NULL)).collect::<BTreeMap<_, _>>())
    };
    let (attrs, prior) = match (mock.kind, made.operation) {
        (Some(Kind::Resource), Operation::Delete) => {
            (with_nulls(made.attrs.as_ref(), made.prior.as_ref()), made.prior.clone().unwrap_or(Value::NULL))
        }
        (Some(Kind::Resource), Operation::Update) => {
            (made.attrs.clone().unwrap_or_else(empty), made.prior.clone().unwrap_or(Value::NULL))
        }
        _ => (made.attrs.clone().unwrap_or_else(empty), Value::NULL),
    };
    let target = mock.target.as_str();
    let mut meta: BTreeMap<String, Value> = match mock.kind {
        Some(Kind::Resource) => super::subjects::meta_of_resource(
            target,
            target.split('_').next().unwrap_or_default(),
            ".",
            made.operation,
            Some(&empty()),
        ),
        Some(Kind::Module) => BTreeMap::from([
            ("source".to_owned(), Value::from(target)),
            ("version".to_owned(), Value::NULL),
            ("address".to_owned(), Value::NULL),
        ]),
        _ => BTreeMap::from([
            ("type".to_owned(), Value::from(target)),
            ("name".to_owned(), Value::from(target)),
            ("alias".to_owned(), Value::NULL),
        ]),
    };
    meta.extend(made.meta.entries().into_iter().flatten().map(|(name, own)| (name.to_string(), own.clone())));
    Subject { attrs, prior, meta: Value::object(meta), operation: made.operation }
}
