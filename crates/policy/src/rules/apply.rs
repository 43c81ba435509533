//! Applying rules to files: what matches, what conditions say of it, and fixes.

use std::borrow::Cow;
use std::cell::{LazyCell, OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

use hclkit::ast::BlockNode;
use hclkit::model::Target;
use hclkit::orders::{Fixes, Order};
use hclkit::syntax::{NodeId, Span};
use hclkit::value::{Mark, Str};
use hclkit::write::{Match, NewValue, Selector, raw};
use hclkit::{Code, Context, Diagnostic, Diagnostics, Expression, Fix, Type, Value};

use super::project::{Instance, Project, ProjectFile, constant, names_set, names_set_in_json};
use super::{FixKind, Rule, Rules};
use crate::verdict::{Outcome, Suite, Verdict};

const BROKEN: Code = Code::custom("rule-error", "A rule cannot be evaluated").with_explanation(
    "The condition, filter or message of a rule has an error for a part of a file that it matches.",
);
const UNKNOWN: Code = Code::custom("rule-unknown", "A rule is unknown").with_explanation(
    "The condition of a rule depends on a value that is known only after an apply, or that is not set.",
);

impl Rules {
    /// Applies the selected rules to a file of a project.
    pub fn check(&self, project: &Project, file: usize, selects: &dyn Fn(&str) -> bool) -> Suite {
        self.check_some(project, file, 0..self.all.len(), selects)
    }

    /// The same for some of the rules, by number.
    pub fn check_some(
        &self,
        project: &Project,
        file: usize,
        rules: Range<usize>,
        selects: &dyn Fn(&str) -> bool,
    ) -> Suite {
        self.check_with(project, file, &self.selected(rules, selects), Passed::Listed)
    }

    /// The same, but what passed is only counted.
    pub fn check_counted(
        &self,
        project: &Project,
        file: usize,
        rules: Range<usize>,
        selects: &dyn Fn(&str) -> bool,
    ) -> Suite {
        self.check_with(project, file, &self.selected(rules, selects), Passed::Counted)
    }

    /// Whether the selected rules see instances of what a file declares, so that the modules with them must be evaluated. What rules see
    /// of other blocks is what is written.
    pub fn see_instances(&self, project: &Project, file: usize, selects: &dyn Fn(&str) -> bool) -> bool {
        let own = &project.files[file];
        let is_json = own.document.json().is_some();
        let blocks: Vec<Span> = own
            .document
            .body()
            .blocks()
            .filter(|block| Project::has_instances(own, block.block_type()))
            .map(BlockNode::span)
            .collect();
        if blocks.is_empty() && !is_json {
            return false;
        }
        let is_seen = |found: &Match<'_>| {
            let span = found.span();
            let at = blocks.partition_point(|own| own.start <= span.start);
            is_json || at.checked_sub(1).is_some_and(|at| blocks[at].end >= span.end)
        };
        self.all.iter().filter(|rule| selects(&rule.name)).any(|rule| {
            rule.sees.module
                || rule.matches.iter().any(|selector| {
                    let name = selector.first_name();
                    if name.is_some_and(|name| !Project::has_instances(own, name)) {
                        return false;
                    }
                    // A predicate leaves some of them out.
                    let all = selector.without_predicates();
                    let found = all.as_ref().unwrap_or(selector).select(&own.document);
                    found.is_ok_and(|found| found.iter().any(is_seen))
                })
        })
    }

    fn selected(&self, rules: Range<usize>, selects: &dyn Fn(&str) -> bool) -> Vec<(usize, Context)> {
        let selected = rules.filter(|at| selects(&self.all[*at].name));
        selected.map(|at| (at, self.all[at].scope.context())).collect()
    }

    /// Divides the rules into parts for a file, so that limits hold for each: a large file has fewer rules in a part.
    pub fn parts(&self, project: &Project, file: usize) -> Vec<Range<usize>> {
        /// How many blocks are matched in a part: the limit on elements allows some forty for each.
        const BLOCKS: usize = 200_000;
        let blocks = project.files[file].document.body().blocks().count();
        let step = (BLOCKS / (blocks + 1)).max(1);
        (0..self.all.len()).step_by(step).map(|first| first..(first + step).min(self.all.len())).collect()
    }

    pub(super) fn check_with(
        &self,
        project: &Project,
        file: usize,
        rules: &[(usize, Context)],
        passed: Passed,
    ) -> Suite {
        let mut suite = Suite::default();
        let own = &project.files[file];
        let all: Vec<&Rule> = rules.iter().map(|(at, _)| &self.all[*at]).collect();
        let blocks = Blocks {
            all: match own.document.json() {
                None => own.document.body().blocks().collect(),
                Some(_) => Vec::new(),
            },
            written: RefCell::default(),
            selected: RefCell::default(),
            subjects: RefCell::default(),
            names: names_seen(&all),
            context: LazyCell::new(Box::new(|| project.context(own))),
            fixes: LazyCell::new(Box::new(|| Fixes::new(&own.document))),
        };
        for (at, context) in rules {
            let rule = &self.all[*at];
            let module = OnceCell::new();
            let mut application = Application {
                project,
                file,
                own,
                rule,
                context,
                module,
                blocks: &blocks,
                passed,
                suite: &mut suite,
            };
            application.run();
            if hclkit::limits::Meter::current().exceeded().is_some() {
                hclkit::module::report_exceeded(&mut suite.problems);
                break;
            }
        }
        suite
    }
}

/// What is kept of what passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Passed {
    Listed,
    Counted,
}

/// The blocks of a file, with what all rules see of them.
struct Blocks<'p, 'd> {
    /// The blocks at the top level.
    all: Vec<BlockNode<'d>>,
    /// Their values as they are written.
    written: RefCell<HashMap<NodeId, Value>>,
    /// What paths without predicates select.
    selected: RefCell<HashMap<String, Rc<[Match<'d>]>>>,
    /// The subjects of matches that are such a block.
    subjects: RefCell<HashMap<NodeId, Rc<[Subject<'p>]>>>,
    /// The names that the rules see of a block. `None` if they may see all.
    names: Option<BTreeSet<&'p str>>,
    /// The context of the expressions in the file.
    context: LazyCell<Context, Box<dyn FnOnce() -> Context + 'p>>,
    /// What makes the changes of rules.
    fixes: LazyCell<Fixes<'d>, Box<dyn FnOnce() -> Fixes<'d> + 'd>>,
}

/// The names of arguments and nested blocks that rules see of a block. `None` if they may see all, or are many.
fn names_seen<'r>(rules: &[&'r Rule]) -> Option<BTreeSet<&'r str>> {
    /// The names of many rules are most of those that blocks have.
    const FEW: usize = 16;
    if rules.len() > FEW {
        return None;
    }
    let mut names = BTreeSet::new();
    for rule in rules {
        names.extend(rule.sees.parts.as_ref()?.iter().map(String::as_str));
    }
    Some(names)
}

/// A rule and a file.
struct Application<'a, 'p, 'd> {
    project: &'p Project,
    file: usize,
    own: &'d ProjectFile,
    rule: &'a Rule,
    context: &'a Context,
    /// What `module` is.
    module: OnceCell<Value>,
    blocks: &'a Blocks<'p, 'd>,
    passed: Passed,
    suite: &'a mut Suite,
}

/// What a match is about: a value of it, for each instance.
struct Subject<'p> {
    value: Value,
    address: String,
    instance: Option<&'p Instance>,
    parent: Option<Value>,
}

impl Subject<'_> {
    /// What is no instance.
    fn written(value: Value, address: String) -> Self {
        Self { value, address, instance: None, parent: None }
    }
}

/// What a condition says.
enum Said {
    Passed,
    Failed(String, Option<Fix>),
    Unknown(String),
    Error(Diagnostics),
}

impl<'p, 'd> Application<'_, 'p, 'd> {
    fn run(&mut self) {
        let mut seen = BTreeSet::new();
        for selector in &self.rule.matches {
            let found = match self.selected(selector) {
                Ok(found) => found,
                Err(found) => {
                    self.suite.problems.append(found);
                    continue;
                }
            };
            for one in found.iter() {
                if seen.insert((one.span().start, one.span().end)) {
                    self.one(one);
                }
                if hclkit::limits::Meter::current().exceeded().is_some() {
                    return;
                }
            }
        }
    }

    /// What a path selects in the file. Many rules have the same paths, and only predicates depend on the rule.
    fn selected(&self, selector: &Selector) -> Result<Rc<[Match<'d>]>, Diagnostics> {
        if selector.without_predicates().is_some() {
            return Ok(selector.select_with(&self.own.document, self.context)?.into());
        }
        let path = selector.to_string();
        if let Some(known) = self.blocks.selected.borrow().get(&path) {
            return Ok(known.clone());
        }
        let found: Rc<[Match<'d>]> = selector.select(&self.own.document)?.into();
        self.blocks.selected.borrow_mut().insert(path, found.clone());
        Ok(found)
    }

    fn one(&mut self, found: &Match<'d>) {
        let block = self.own.document.block_at(found.node()).filter(|_| found.expression().is_none());
        let subjects = self.subjects(found, block);
        let mut failed: Option<(String, Option<Fix>, String)> = None;
        let mut unknown: Option<(String, String)> = None;
        let mut applies = false;
        let several = subjects.len() > 1;
        for subject in &*subjects {
            match self.condition(found, block, subject) {
                None => continue,
                Some(Said::Passed) => {}
                Some(Said::Failed(message, fix)) => match &mut failed {
                    Some((_, own, _)) => {
                        // Instances are fixed together, or not at all.
                        if *own != fix {
                            *own = None;
                        }
                    }
                    None => failed = Some((message, fix, subject.address.clone())),
                },
                Some(Said::Unknown(why)) => _ = unknown.get_or_insert((why, subject.address.clone())),
                Some(Said::Error(problems)) => {
                    let note = problems.iter().next().map(|own| own.note().to_owned()).unwrap_or_default();
                    let error = Diagnostic::error(BROKEN)
                        .at(self.place(found, block))
                        .with_note(format!(
                            "The rule `{}` cannot be evaluated for {}: {note}",
                            self.rule.name, subject.address
                        ))
                        .with_address(self.shown_address(found));
                    self.suite.problems.append(problems);
                    let verdict = Verdict::new(&self.rule.name, &subject.address, Outcome::Failed);
                    return self.push(verdict.with_finding(error));
                }
            }
            applies = true;
        }
        let name = &self.rule.name;
        if failed.is_none() && unknown.is_none() && self.passed == Passed::Counted {
            if applies {
                self.suite.count_passed(name);
            }
            return;
        }
        let bare = || match &*subjects {
            [one] => one.address.clone(),
            _ => self.shown_address(found).into_owned(),
        };
        let verdict = if let Some((message, fix, address)) = failed {
            let note = if several { format!("{message} ({address})") } else { message };
            let mut finding = Diagnostic::new(self.rule.severity, self.rule.code)
                .at(self.place(found, block))
                .with_note(note)
                .with_address(self.shown_address(found));
            let is_unfixable = fix.is_none() && self.rule.fix.is_some();
            if let Some(fix) = fix {
                finding = finding.with_fix(fix);
            }
            Verdict { is_unfixable, ..Verdict::new(name, bare(), Outcome::Failed).with_finding(finding) }
        } else if let Some((why, address)) = unknown {
            let finding = Diagnostic::warning(UNKNOWN)
                .at(self.place(found, block))
                .with_note(format!("The rule `{name}` is unknown for {address}: {why}."))
                .with_address(self.shown_address(found));
            Verdict::new(name, bare(), Outcome::Unknown(why)).with_finding(finding)
        } else if applies {
            Verdict::new(name, bare(), Outcome::Passed)
        } else {
            return;
        };
        self.push(verdict);
    }

    /// Adds a verdict, unless a comment ignores its finding.
    fn push(&mut self, verdict: Verdict) {
        let is_ignored = |found: &Diagnostic| self.own.ignores().allow(&verdict.name, found);
        let verdict = match &verdict.finding {
            Some(found) if is_ignored(found) => verdict.ignored(),
            _ => verdict,
        };
        self.suite.verdicts.push(verdict);
    }

    /// Where a finding is: at the part that the rule names, or at the type and labels of a block.
    fn place(&self, found: &Match<'d>, block: Option<BlockNode<'d>>) -> hclkit::Place {
        let source = self.own.document.shared_source();
        if let Some(selector) = &self.rule.place
            && let Ok(parts) = selector.select_in(found, self.context)
            && let Some(part) = parts.first()
        {
            return hclkit::Place::new(source, part.span());
        }
        let span = match block {
            Some(block) => {
                let last = block.labels().last().map_or(block.type_span(), hclkit::ast::LabelNode::span);
                block.type_span().cover(last)
            }
            None => found.span(),
        };
        hclkit::Place::new(source, span)
    }

    /// The address of a match, without keys in what must not be shown.
    fn shown_address<'m>(&self, found: &'m Match<'d>) -> Cow<'m, str> {
        let is_hidden = |own: &Match<'_>| {
            own.expression().is_some() && self.own.withheld().covers(self.own.document.span(own.named()))
        };
        let address = found.address();
        if !is_hidden(found) {
            return Cow::Borrowed(address);
        }
        let ends = address.rmatch_indices(['.', '[']).map(|(at, _)| &address[..at]);
        let is_shown = |part: &&str| {
            let Ok(selector) = part.parse::<Selector>() else { return false };
            selector.select(&self.own.document).is_ok_and(|all| all.iter().any(|own| !is_hidden(own)))
        };
        let shown = ends.into_iter().find(is_shown).unwrap_or_default();
        Cow::Owned(format!("{shown}…"))
    }

    /// The values of a match.
    fn subjects(&self, found: &Match<'d>, block: Option<BlockNode<'d>>) -> Rc<[Subject<'p>]> {
        let project = self.project;
        if self.own.document.json().is_some() {
            let parts: Vec<String> = found.address().split('.').map(str::to_owned).collect();
            if let Some((first, labels)) = parts.split_first()
                && let Some(address) = Project::address(self.own, first, labels)
            {
                let instances = project.instances(&self.own.directory, &address);
                if !instances.is_empty() {
                    return instances.into_iter().map(|own| of_instance(own, None)).collect();
                }
            }
            let value = found.expression().map(|own| self.value(&Expression::from_ast(own)));
            let value = value.unwrap_or(Value::DYNAMIC);
            return Rc::new([Subject::written(value, self.shown_address(found).into_owned())]);
        }
        let at = self.blocks.all.partition_point(|own| own.span().start <= found.span().start);
        let around = at.checked_sub(1).map(|at| self.blocks.all[at]);
        let around = around.filter(|own| own.span().cover(found.span()) == own.span());
        let labels = |own: BlockNode<'_>| {
            own.label_texts().iter().map(std::string::ToString::to_string).collect::<Vec<_>>()
        };
        let is_top = block.is_some_and(|own| around.is_some_and(|around| around.id() == own.id()));
        if let (true, Some(block)) = (is_top, block)
            && let Some(known) = self.blocks.subjects.borrow().get(&block.id())
        {
            return known.clone();
        }
        let address = around.and_then(|own| Project::address(self.own, own.block_type(), &labels(own)));
        let instances =
            address.as_ref().map(|own| project.instances(&self.own.directory, own)).unwrap_or_default();
        if let (true, Some(block)) = (is_top, block) {
            let written = self.written(block);
            let known: Vec<&Instance> = instances
                .into_iter()
                .filter(|own| own.value.is_known() && own.value.entries().is_some())
                .collect();
            let subjects: Rc<[Subject<'p>]> = if known.is_empty() {
                let address = address.unwrap_or_else(|| self.shown_address(found).into_owned());
                Rc::new([Subject::written(written, address)])
            } else {
                known.into_iter().map(|own| of_instance(own, Some(&written))).collect()
            };
            self.blocks.subjects.borrow_mut().insert(block.id(), subjects.clone());
            return subjects;
        }
        let parent = || match (around, self.rule.sees.parent) {
            (Some(around), true) => Some(self.written(around)),
            _ => None,
        };
        // An argument of a declaration has a value for each instance.
        if let (Some(around), None) = (around, block)
            && let Some(attribute) = around.body().attributes().find(|own| own.span() == found.span())
        {
            let name = attribute.name_text();
            // It is known even if the number of instances is not.
            let constant = LazyCell::new(|| constant(&Expression::from_ast(attribute.value())));
            let values: Vec<Subject<'p>> = instances
                .iter()
                .filter_map(|own| {
                    let value = own.value.attribute(&name).ok()?;
                    let value = match &*constant {
                        _ if value.is_known() => value,
                        constant => constant.clone().unwrap_or(value),
                    };
                    let address = format!("{}.{name}", own.address);
                    let parent = self.rule.sees.parent.then(|| own.value.clone());
                    Some(Subject { value, address, instance: Some(own), parent })
                })
                .collect();
            if !values.is_empty() {
                return values.into();
            }
        }
        let value = match (block, found.expression()) {
            (Some(block), _) => self.body(block),
            (None, Some(own)) => self.value(&Expression::from_ast(own)),
            (None, None) => Value::from(found.text()),
        };
        Rc::new([Subject {
            parent: parent(),
            ..Subject::written(value, self.shown_address(found).into_owned())
        }])
    }

    /// The value of an expression of the file.
    fn value(&self, expression: &Expression) -> Value {
        Project::value(self.own, &self.blocks.context, expression)
    }

    /// What the rules see of the value of a block.
    fn body(&self, block: BlockNode<'d>) -> Value {
        let names = self.blocks.names.as_ref();
        let is_wanted = |name: &str| names.is_none_or(|names| names.contains(name));
        Project::body(self.own, &self.blocks.context, block, &is_wanted)
    }

    /// The value of a block at the top level as it is written.
    fn written(&self, block: BlockNode<'d>) -> Value {
        if let Some(known) = self.blocks.written.borrow().get(&block.id()) {
            return known.clone();
        }
        let value = self.body(block);
        self.blocks.written.borrow_mut().insert(block.id(), value.clone());
        value
    }

    /// What the condition says of an instance. None if the rule does not apply to it.
    fn condition(
        &self,
        found: &Match<'d>,
        block: Option<BlockNode<'d>>,
        subject: &Subject<'_>,
    ) -> Option<Said> {
        let mut context = self.context.child();
        context.set(
            "self",
            filled(&subject.value, self.rule, block.is_some() || self.own.document.json().is_some()),
        );
        context.set("item", self.item(found, block, subject));
        if self.rule.sees.parent {
            let parent = subject.parent.as_ref();
            context.set("parent", parent.map_or(Value::NULL, |own| filled(own, self.rule, true)));
        }
        if self.rule.sees.module {
            let module = || filled_deep(&self.project.module_value(self.file), &self.rule.names);
            context.set("module", self.module.get_or_init(module).clone());
        }
        let unknown = |expression: &Expression| Said::Unknown(why_unknown(self.project, expression, subject));
        if let Some(filter) = &self.rule.filter {
            match evaluated(filter, &context, &Type::Bool) {
                Ok(value) if !value.is_known() => return Some(unknown(filter)),
                Ok(value) if value.as_bool() == Some(true) => {}
                Ok(_) => return None,
                Err(found) => return Some(Said::Error(found)),
            }
        }
        Some(match evaluated(&self.rule.condition, &context, &Type::Bool) {
            Ok(value) if !value.is_known() => unknown(&self.rule.condition),
            Ok(value) if value.as_bool() == Some(true) => Said::Passed,
            Ok(_) => {
                let message = match self.rule.message.evaluate(&context) {
                    Ok(value) if value.contains_marked() => {
                        "The message of the rule contains a sensitive value.".to_owned()
                    }
                    Ok(value) => value
                        .as_str()
                        .map_or_else(|| "The message of the rule is not known.".to_owned(), str::to_owned),
                    Err(found) => return Some(Said::Error(found)),
                };
                Said::Failed(message, self.fix(found, &context))
            }
            Err(found) => Said::Error(found),
        })
    }

    /// What `item` is: the attributes that the rule uses.
    fn item(&self, found: &Match<'d>, block: Option<BlockNode<'d>>, subject: &Subject<'_>) -> Value {
        let texts = |all: Vec<String>| Value::tuple(all.into_iter().map(Value::from));
        let labels = || -> Vec<String> {
            match block {
                Some(block) => block.label_texts().iter().map(std::string::ToString::to_string).collect(),
                None => found.address().split('.').skip(1).map(str::to_owned).collect(),
            }
        };
        let references = || {
            let bare = block.and_then(|own| Project::address(self.own, own.block_type(), &labels()));
            bare.and_then(|own| self.project.references(&self.own.directory, &own)).unwrap_or_default()
        };
        let source = self.own.document.source();
        let one = |name: &str| match name {
            "address" => Value::from(subject.address.as_str()),
            "constant" => Value::from(
                found.expression().is_some_and(|own| constant(&Expression::from_ast(own)).is_some()),
            ),
            "directory" => Value::from(self.own.directory.to_string_lossy().into_owned()),
            "file" => {
                let file = std::path::Path::new(source.name()).file_name();
                Value::from(file.map(|own| own.to_string_lossy().into_owned()).unwrap_or_default())
            }
            "labels" => texts(labels()),
            "language" => Value::from(Project::language(self.own)),
            "line" => Value::from(u64::from(source.line_of(found.span().start) + 1)),
            "name" => Value::from(labels().pop().unwrap_or_default()),
            "path" => Value::from(found.address()),
            "references" => texts(references().0),
            "set" => {
                let in_json = || found.expression().filter(|_| self.own.document.json().is_some());
                let in_json = || in_json().map(|own| names_set_in_json(&Expression::from_ast(own)));
                texts(block.map(names_set).or_else(in_json).unwrap_or_default().into_iter().collect())
            }
            "type" => match block {
                Some(block) => Value::from(block.block_type()),
                None => Value::from(found.address().split('.').next().unwrap_or_default()),
            },
            "used_by" => texts(references().1),
            _ => Value::DYNAMIC,
        };
        let has_hidden_name = matches!(self.shown_address(found), Cow::Owned(_));
        let is_hidden = found.expression().is_some_and(|own| self.own.withheld().covers(own.span()));
        let one = |name: &str| match name {
            "labels" | "name" | "path" | "type" if has_hidden_name => one(name).mark(Mark::sensitive()),
            "set" if is_hidden => one(name).mark(Mark::sensitive()),
            _ => one(name),
        };
        Value::object(self.rule.sees.item.iter().map(|name| (*name, one(name))))
    }

    /// The change that the rule makes to a match. None if it makes none, or one that is impossible here.
    fn fix(&self, found: &Match<'d>, context: &Context) -> Option<Fix> {
        let rule = self.rule.fix.as_ref()?;
        let mut made = Vec::new();
        let path = |own: &str| if own.is_empty() { ".".to_owned() } else { own.to_owned() };
        for (kind, expression) in &rule.edits {
            let value = expression.evaluate(context).ok()?;
            if value.contains_marked() || !value.is_wholly_known() {
                return None;
            }
            if value.is_null() {
                continue;
            }
            if *kind == FixKind::Delete {
                for own in super::read::texts(&value)? {
                    made.push(Order::Remove(path(&own)));
                }
                continue;
            }
            for (name, value) in value.entries()? {
                let at = path(name.as_str());
                let text = || value.as_str().map(str::to_owned);
                made.push(match kind {
                    FixKind::Set => Order::Set(at, NewValue::from(value.clone())),
                    FixKind::SetSource => Order::Set(at, raw(text()?)),
                    FixKind::Append => Order::Append(at, text()?),
                    FixKind::Prepend => Order::Prepend(at, text()?),
                    FixKind::Rename => Order::Rename(at, text()?),
                    FixKind::Delete => return None,
                });
            }
        }
        if made.is_empty() {
            return None;
        }
        let title = rule.title.as_ref().and_then(|own| own.evaluate(context).ok());
        let title = title.filter(|own| !own.contains_marked());
        let title = title.and_then(|own| own.as_str().map(str::to_owned));
        let title = title.unwrap_or_else(|| format!("Apply the fix of {}", self.rule.name));
        self.blocks.fixes.fix(found, &made, title).ok()
    }
}

/// An instance, with what only the block says, such as `lifecycle`.
fn of_instance<'p>(instance: &'p Instance, written: Option<&Value>) -> Subject<'p> {
    let (value, marks) = instance.value.unmark();
    let value = match (value.entries(), written.and_then(Value::entries)) {
        (Some(own), Some(written)) => {
            let mut all: std::collections::BTreeMap<String, Value> =
                written.map(|(name, value)| (name.to_string(), value.clone())).collect();
            all.extend(own.map(|(name, value)| (name.to_string(), value.clone())));
            Value::object(all)
        }
        _ => value,
    };
    let value = value.with_marks(&marks);
    Subject { value, address: instance.address.clone(), instance: Some(instance), parent: None }
}

/// The value of an expression as a type, without marks.
fn evaluated(expression: &Expression, context: &Context, ty: &Type) -> Result<Value, Diagnostics> {
    let value = expression.evaluate(context)?.unmark_deep().0;
    let wrong = |note: String| -> Diagnostics {
        Diagnostic::error(BROKEN).at(expression.place()).with_note(note).into()
    };
    if value.is_null() {
        return Err(wrong("The result is null; a bool is required.".to_owned()));
    }
    value.convert(ty).map_err(|why| wrong(format!("The result is wrong: {why}.")))
}

/// A block in which names that are not set are null, and so in the objects of its lists, as far as the rule sees them.
fn filled(value: &Value, rule: &Rule, is_block: bool) -> Value {
    fill(value, &rule.names, rule.sees.parts.as_ref(), is_block).unwrap_or_else(|| value.clone())
}

/// The same. `None` if nothing is missing: most rules mention what all blocks set.
fn fill(
    value: &Value,
    names: &BTreeSet<String>,
    parts: Option<&BTreeSet<String>>,
    is_block: bool,
) -> Option<Value> {
    let (inner, marks) = value.unmark();
    if !inner.is_known() || inner.is_null() {
        return None;
    }
    let result = if let Some(entries) = inner.entries().filter(|_| is_block && inner.as_object().is_some()) {
        let is_set = |name: &str| inner.entries().is_some_and(|mut all| all.any(|(own, _)| **own == *name));
        let missing: Vec<&String> = parts.unwrap_or(names).iter().filter(|name| !is_set(name)).collect();
        let is_seen = |name: &str| parts.is_none_or(|parts| parts.contains(name));
        let inside = |own: &Value| fill(own, names, None, false);
        let parts = inner.entries().into_iter().flatten();
        let fills: Vec<Option<Value>> =
            parts.map(|(name, own)| if is_seen(name) { inside(own) } else { None }).collect();
        if missing.is_empty() && fills.iter().all(Option::is_none) {
            return None;
        }
        let parts = entries.zip(fills);
        let parts = parts.map(|((name, own), filled)| (name.clone(), filled.unwrap_or_else(|| own.clone())));
        let missing = missing.into_iter().map(|name| (Str::from(name.as_str()), Value::NULL));
        Value::object(parts.chain(missing).collect::<Vec<_>>())
    } else {
        let all = inner.as_slice().filter(|all| all.iter().any(is_object))?;
        let parts: Vec<Option<Value>> = all.iter().map(|own| fill(own, names, None, true)).collect();
        if parts.iter().all(Option::is_none) {
            return None;
        }
        Value::tuple(all.iter().zip(parts).map(|(own, filled)| filled.unwrap_or_else(|| own.clone())))
    };
    Some(result.with_marks(&marks))
}

fn is_object(value: &Value) -> bool {
    value.unmark().0.as_object().is_some()
}

/// The blocks of a module, filled.
fn filled_deep(module: &Value, names: &BTreeSet<String>) -> Value {
    let Some(entries) = module.entries() else { return module.clone() };
    let whole = |own: &Value| fill(own, names, None, true).unwrap_or_else(|| own.clone());
    let all = entries.map(|(name, own)| {
        if name.as_str() != "blocks" {
            return (name.to_string(), own.clone());
        }
        let types = own.entries().into_iter().flatten().map(|(kind, blocks)| {
            let blocks = blocks.as_slice().unwrap_or_default().iter().map(|block| {
                let parts = block.entries().into_iter().flatten().map(|(part, own)| {
                    let own = if part.as_str() == "self" { whole(own) } else { own.clone() };
                    (part.to_string(), own)
                });
                Value::object(parts.collect::<Vec<_>>())
            });
            (kind.to_string(), Value::tuple(blocks.collect::<Vec<_>>()))
        });
        let mut types: std::collections::BTreeMap<String, Value> = types.collect();
        for name in names {
            types.entry(name.clone()).or_insert_with(|| Value::tuple(Vec::<Value>::new()));
        }
        (name.to_string(), Value::object(types))
    });
    Value::object(all.collect::<Vec<_>>())
}

/// What of a match makes an expression unknown.
fn why_unknown(project: &Project, expression: &Expression, subject: &Subject<'_>) -> String {
    let mut parts: Vec<String> = Vec::new();
    for variable in expression.variables() {
        if &*variable.root != "self" {
            continue;
        }
        let Some(Target::Attribute(name)) = variable.steps.first().map(|step| &step.target) else { continue };
        let Ok(value) = subject.value.attribute(name) else { continue };
        if value.is_wholly_known() || parts.iter().any(|own| own.starts_with(&format!("`{name}`"))) {
            continue;
        }
        let reasons = subject.instance.map(|own| project.reasons(own, name)).unwrap_or_default();
        let reasons: Vec<String> = reasons.into_iter().take(3).collect();
        parts.push(if reasons.is_empty() {
            format!("`{name}` is not known")
        } else {
            format!("`{name}` is not known because of {}", reasons.join(", "))
        });
    }
    if parts.is_empty() { "it depends on values that are not known".to_owned() } else { parts.join("; ") }
}
