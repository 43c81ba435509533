//! The values of names in scopes. The names that a name refers to are evaluated first, in a loop, so that chains can
//! have any length.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap, HashSet};

use hclkit_limits::{Exceeded, Meter};
use hclkit_syntax::{Code, Diagnostic, Diagnostics, Span, is_identifier};
use hclkit_value::{Marks, Name, Str, Value};

use super::shared::{Class, Missing, SharedValues};
use super::{Computation, Content, Lazy, Lookup, Resolved, cycle};
use crate::suggest::near_name;
use crate::{Context, Expression, Traversal, messages};

/// A name of a [`Scope`](super::Scope) and its value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Definition {
    /// The name as written in an expression, such as `local.a`.
    pub name: String,
    /// The expression; `None` for a name that was set to a value.
    pub expression: Option<Expression>,
    /// The value. If the expression has errors, it contains the parts that are known.
    pub value: Value,
}

/// A name in the context that its scope belongs to.
#[derive(Clone, Copy)]
pub(super) struct NameRef<'c> {
    context: &'c Context,
    lazy: &'c Lazy,
    node: usize,
}

impl<'c> NameRef<'c> {
    /// The same for the same name.
    fn key(self) -> (usize, usize) {
        (std::ptr::from_ref(self.lazy) as usize, self.node)
    }

    pub(super) fn at(self, node: usize) -> Self {
        NameRef { node, ..self }
    }

    /// The node of the name with a key, if it is in the same scope.
    fn node_of(self, (lazy, node): (usize, usize)) -> Option<usize> {
        (lazy == self.key().0).then_some(node)
    }

    fn content(self) -> &'c Content {
        &self.lazy.scope.names.nodes[self.node].content
    }

    fn resolved(self) -> Option<&'c Resolved> {
        self.lazy.values[self.node].get()
    }

    /// The error for a limit that was exceeded while the name was evaluated.
    fn too_much(self, exceeded: Exceeded) -> Diagnostic {
        let error = Diagnostic::exceeded(exceeded);
        match self.content() {
            Content::Expression(expression) => error.at(expression.place()),
            Content::Computation(computation) => error.at(computation.place()),
            Content::Members(_) | Content::Value(_) => error,
        }
    }

    /// The value for other expressions.
    fn seen(self) -> Option<Value> {
        let resolved = self.resolved()?;
        Some(match self.content() {
            Content::Computation(computation) => {
                resolved.seen.get_or_init(|| computation.view(&resolved.value, self.context)).clone()
            }
            _ => resolved.value.clone(),
        })
    }

    /// The value, which is computed if it is not known yet. `report` adds the errors of a name that has a value.
    fn value(self, diagnostics: &mut Diagnostics, report: impl FnOnce(Self, &mut Diagnostics)) -> Value {
        let meter = Meter::current();
        let _operation = meter.begin();
        match run(self, diagnostics) {
            Ok(cycle) => diagnostics.extend(cycle.and_then(cycle::error)),
            Err(exceeded) => {
                diagnostics.extend(exceeded.map(|exceeded| self.too_much(exceeded)));
                return Value::DYNAMIC;
            }
        }
        report(self, diagnostics);
        self.resolved().map_or(Value::DYNAMIC, |resolved| resolved.value.clone())
    }

    fn keep(self, resolved: Resolved) {
        // If another thread was faster, it computed the same value.
        let _ = self.lazy.values[self.node].set(resolved);
    }

    /// Its dependencies, and where it refers to them.
    fn dependencies(self) -> Vec<(Self, At)> {
        match self.content() {
            Content::Value(_) => Vec::new(),
            Content::Members(members) => {
                members.values().map(|node| (self.at(*node), At::default())).collect()
            }
            Content::Expression(expression) => self.referred(expression.references(), None).collect(),
            Content::Computation(computation) => {
                let all = computation.references(self.context).into_iter();
                all.flat_map(|(expression, references)| self.referred(references, Some(expression))).collect()
            }
        }
    }

    fn referred<R: Borrow<Traversal>>(
        self,
        references: impl IntoIterator<Item = R>,
        within: Option<Expression>,
    ) -> impl Iterator<Item = (NameRef<'c>, At)> {
        let found = move |reference: R| {
            let reference = reference.borrow();
            match lead(self.context, reference)? {
                (place, Lookup::Node(node)) => {
                    Some((place.at(node), At { span: reference.span(), within: within.clone() }))
                }
                (_, Lookup::Missing { .. }) => None,
            }
        };
        references.into_iter().filter_map(found)
    }
}

/// Where a name refers to another one.
#[derive(Clone, Default)]
struct At {
    span: Span,
    /// The expression of a computation.
    within: Option<Expression>,
}

/// Where a reference leads to, if its variable is in a scope.
pub(super) fn lead<'c>(context: &'c Context, reference: &Traversal) -> Option<(NameRef<'c>, Lookup)> {
    let (context, lazy) = context.scope_of(&reference.root)?;
    let root = lazy.scope.root(&reference.root)?;
    let place = NameRef { context, lazy, node: root };
    Some((place, lazy.scope.find(root, &reference.steps)))
}

/// The names whose errors were reported; see [`Context::value_of_once`].
#[derive(Debug, Default)]
pub struct Reported(HashSet<(usize, usize)>);

/// The result of resolving the references of an expression.
pub(crate) struct Resolution<'c> {
    /// The context with the values.
    pub(crate) context: Context,
    /// The names with errors.
    failed: Vec<NameRef<'c>>,
    /// The marks of the values that contain these values.
    hidden: Marks,
}

impl Resolution<'_> {
    /// Returns true if a name that was needed has errors, or one that it needs in turn.
    pub(crate) fn has_errors(&self) -> bool {
        !self.failed.is_empty()
    }

    /// Reports the errors of all names that were needed.
    pub(crate) fn report(&self, diagnostics: &mut Diagnostics) {
        self.report_once(&mut Reported::default(), diagnostics);
    }

    /// The same, but of the names that another one needs, only the first with errors, and only nearby. This takes no
    /// time in proportion to what the names refer to.
    pub(crate) fn report_near(&self, diagnostics: &mut Diagnostics) {
        const NEAR: usize = 64;
        let mut seen = HashSet::new();
        for &failed in &self.failed {
            let mut next = Some(failed);
            while let Some(place) = next.filter(|place| seen.insert(place.key())) {
                let Some(resolved) = place.resolved() else { break };
                diagnostics.append(resolved.diagnostics.clone());
                next = resolved.failed_by.map(|node| place.at(node)).filter(|_| seen.len() < NEAR);
            }
        }
    }

    fn report_once(&self, Reported(seen): &mut Reported, diagnostics: &mut Diagnostics) {
        /// How many names to visit after a limit was exceeded: one of them may have the error that says so.
        const AFTER_LIMIT: usize = 1_000;
        let meter = Meter::current();
        let mut left = AFTER_LIMIT;
        let mut open = self.failed.clone();
        open.retain(|place| seen.insert(place.key()));
        while let Some(place) = open.pop() {
            if meter.take_steps(1).is_err() {
                let Some(fewer) = left.checked_sub(1) else { return };
                left = fewer;
            }
            let Some(resolved) = place.resolved() else { continue };
            diagnostics.append(resolved.diagnostics.clone());
            if !resolved.failed {
                continue;
            }
            for (next, _) in place.dependencies() {
                if next.resolved().is_some_and(|resolved| resolved.failed) && seen.insert(next.key()) {
                    open.push(next);
                }
            }
        }
    }
}

/// Evaluates the names that references need. Errors of the references themselves are reported. Returns `None` if a
/// limit was exceeded, which is reported too.
pub(crate) fn resolve<'c>(
    context: &'c Context,
    references: &[Traversal],
    expression: &Expression,
    diagnostics: &mut Diagnostics,
) -> Option<Resolution<'c>> {
    resolve_all(context, &[(references, expression)], diagnostics)
}

/// The same for several expressions.
fn resolve_all<'c>(
    context: &'c Context,
    expressions: &[(&[Traversal], &Expression)],
    diagnostics: &mut Diagnostics,
) -> Option<Resolution<'c>> {
    let mut resolution =
        Resolution { context: context.child(), failed: Vec::new(), hidden: Marks::default() };
    let mut needed: BTreeMap<&Name, (NameRef<'c>, Needed)> = BTreeMap::new();
    let each = expressions.iter().flat_map(|(references, expression)| {
        references.iter().map(move |reference| (*expression, reference))
    });
    for (expression, reference) in each {
        let Some((root, found)) = lead(context, reference) else { continue };
        let tree = &mut needed.entry(&reference.root).or_insert_with(|| (root, Needed::default())).1;
        let node = match found {
            Lookup::Missing { group, name, taken, span } => {
                let at = root.at(group);
                diagnostics.push(missing(at, &name, span).with_source(expression.source()));
                tree.add(root, &reference.steps[..taken]).missing.push(name);
                continue;
            }
            Lookup::Node(node) => node,
        };
        let place = root.at(node);
        match run(place, diagnostics) {
            Ok(Some(cycle)) => diagnostics.extend(cycle::error(cycle)),
            Ok(None) => {}
            Err(exceeded) => {
                let error = |exceeded| Diagnostic::exceeded(exceeded).at(expression.place());
                diagnostics.extend(exceeded.map(error));
                return None;
            }
        }
        if place.resolved().is_some_and(|resolved| resolved.failed) {
            resolution.failed.push(place);
        }
        tree.add(root, &reference.steps).whole = true;
    }
    for (name, (root, tree)) in needed {
        let mut hidden = Marks::default();
        let value = tree.value(root, &mut hidden);
        resolution.hidden = resolution.hidden.union(&hidden);
        resolution.context.set_hidden(name.clone(), value, hidden);
    }
    Some(resolution)
}

pub(super) fn missing(group: NameRef, name: &Name, span: Span) -> Diagnostic {
    let Content::Members(members) = group.content() else {
        return messages::undefined_name(name, None).at(span);
    };
    let parent = &group.lazy.scope.label(group.node);
    let missing = super::label(parent, name);
    let near = near_name(name, members.len(), members.keys().map(Name::as_str));
    let meant = near.map(|meant| super::label(parent, &Name::from(meant)));
    let error = messages::undefined_name(&missing, meant.as_deref()).at(span);
    // The span may have the dot before the name, but not blanks or the brackets of an index.
    let length = name.len() as u32;
    match near.filter(|near| is_identifier(near) && [length, length + 1].contains(&span.len())) {
        Some(near) => error.with_edit(
            messages::fix::write(near),
            Span::new(span.end - length, span.end),
            near.to_owned(),
        ),
        None => error,
    }
}

/// The members of a name that are needed.
#[derive(Default)]
struct Needed {
    whole: bool,
    members: BTreeMap<Name, Self>,
    /// Missing members. They are unknown, because their errors were reported.
    missing: Vec<Name>,
}

impl Needed {
    /// The members that are needed after some steps.
    fn add(&mut self, root: NameRef, steps: &[crate::TraversalStep]) -> &mut Self {
        let (mut tree, mut place) = (self, root);
        for step in steps {
            let Content::Members(members) = place.content() else { break };
            let name = match &step.target {
                crate::Target::Attribute(name) => Some(name.clone()),
                crate::Target::Element(key) => key.as_str().map(Name::from),
            };
            let Some((name, node)) = name.and_then(|name| members.get(&*name).map(|node| (name, *node)))
            else {
                break;
            };
            place = place.at(node);
            tree = tree.members.entry(name).or_default();
        }
        tree
    }

    fn value(&self, place: NameRef, hidden: &mut Marks) -> Value {
        let members = match place.content() {
            Content::Members(members) if !self.whole || !self.missing.is_empty() => members,
            _ => {
                let Some(resolved) = place.resolved() else { return Value::DYNAMIC };
                *hidden = hidden.union(&resolved.hidden);
                return place.seen().unwrap_or(Value::DYNAMIC);
            }
        };
        // Missing members come first: if two have the same name, the later one counts.
        let mut values: BTreeMap<&Name, Value> =
            self.missing.iter().map(|name| (name, Value::DYNAMIC)).collect();
        if self.whole {
            let whole = Self { whole: true, ..Self::default() };
            values.extend(members.iter().map(|(name, node)| (name, whole.value(place.at(*node), hidden))));
        } else {
            // There may be many more members than are needed.
            for (name, needed) in &self.members {
                if let Some(node) = members.get(name) {
                    values.insert(name, needed.value(place.at(*node), hidden));
                }
            }
        }
        Value::object(values.into_iter().map(|(name, value)| (Str::from(&**name), value)))
    }
}

/// A name that is being resolved, and its dependencies.
struct Visit<'c> {
    place: NameRef<'c>,
    dependencies: Vec<(NameRef<'c>, At)>,
    /// The number of dependencies that were visited. The last one of them is the current one.
    visited: usize,
}

impl<'c> Visit<'c> {
    fn new(place: NameRef<'c>) -> Self {
        Visit { place, dependencies: place.dependencies(), visited: 0 }
    }

    fn next(&mut self) -> Option<NameRef<'c>> {
        let (next, _) = self.dependencies.get(self.visited)?;
        self.visited += 1;
        Some(*next)
    }

    /// The current dependency.
    fn current(&self) -> Option<&(NameRef<'c>, At)> {
        self.visited.checked_sub(1).and_then(|at| self.dependencies.get(at))
    }

    /// The place of the reference to the current dependency.
    fn reference(&self) -> At {
        self.current().map(|(_, at)| at.clone()).unwrap_or_default()
    }

    /// Looks for the value in other scopes.
    fn shared(&self) -> Option<Result<Resolved, (&'c SharedValues, Missing)>> {
        let scope = &self.place.lazy.scope;
        let shared = scope.shared.as_deref()?;
        let is_determined = match self.place.content() {
            Content::Members(_) | Content::Expression(_) => true,
            Content::Computation(computation) => computation.is_determined(),
            Content::Value(_) => false,
        };
        if !is_determined {
            return None;
        }
        let own = |(next, _): &(NameRef, At)| {
            next.resolved().filter(|_| std::ptr::eq(next.lazy, self.place.lazy))?.class
        };
        let classes = self.dependencies.iter().map(own).collect::<Option<Vec<_>>>()?;
        Some(shared.find(self.place.node, classes).map_err(|missing| (shared, missing)))
    }

    /// The name as a part of a cycle; `None` for a group.
    fn link(&self) -> Option<cycle::Link> {
        let current = self.reference();
        let definition = match self.place.content() {
            Content::Expression(expression) => expression.place(),
            Content::Computation(computation) => match &current.within {
                Some(expression) => expression.place(),
                None => computation.place(),
            },
            Content::Members(_) | Content::Value(_) => return None,
        };
        let reference = match current.span {
            span if span == Span::default() => definition.span,
            span => span,
        };
        Some(cycle::Link {
            node: self.place.node,
            scope: self.place.lazy.scope.clone(),
            definition,
            reference,
        })
    }
}

/// Finds the value of a name. Returns the cycle if its expression is already being evaluated.
///
/// # Errors
/// A limit was exceeded. If it is not returned, it has been reported.
fn run(start: NameRef, diagnostics: &mut Diagnostics) -> Result<Option<Vec<cycle::Link>>, Option<Exceeded>> {
    if start.resolved().is_some() {
        return Ok(None);
    }
    if let Some(cycle) = cycle::since(start.key()) {
        return Ok(Some(cycle));
    }
    let meter = Meter::current();
    let mut places = HashMap::from([(start.key(), 0)]);
    let mut stack = vec![Visit::new(start)];
    while let Some(visit) = stack.last_mut() {
        if let Some(next) = visit.next() {
            if next.resolved().is_some() {
                continue;
            }
            let from = places.get(&next.key()).copied();
            let outer = if from.is_none() { cycle::since(next.key()) } else { None };
            if from.is_none() && outer.is_none() {
                meter.take_steps(1).map_err(Some)?;
                places.insert(next.key(), stack.len());
                stack.push(Visit::new(next));
                continue;
            }
            if meter.is_tentative() {
                meter.end();
                return Err(meter.exceeded());
            }
            // Every name on the cycle is unknown, and the first one has the error.
            let ended = stack.split_off(from.unwrap_or(0));
            let links = outer.into_iter().flatten().chain(ended.iter().filter_map(Visit::link)).collect();
            let mut error: Diagnostics = cycle::error(links).into_iter().collect();
            for visit in &ended {
                places.remove(&visit.place.key());
                let diagnostics = std::mem::take(&mut error);
                let failed_by = visit.current().and_then(|(next, _)| visit.place.node_of(next.key()));
                visit.place.keep(Resolved { failed: true, failed_by, diagnostics, ..Resolved::default() });
            }
            continue;
        }
        let Some(visit) = stack.pop() else { break };
        places.remove(&visit.place.key());
        let missing = match visit.shared() {
            Some(Ok(resolved)) => {
                visit.place.keep(resolved);
                continue;
            }
            Some(Err(missing)) => Some(missing),
            None => None,
        };
        let mut resolved = evaluate(&visit);
        if resolved.diagnostics.total() > 0 && meter.is_tentative() {
            meter.end();
            return Err(meter.exceeded());
        }
        if let Some(exceeded) = meter.exceeded().filter(|_| resolved.diagnostics.total() == 0) {
            return Err(Some(exceeded));
        }
        if resolved.diagnostics.iter().any(|found| found.code().is_some_and(Code::is_limit)) {
            // With other limits, it may have a value.
            diagnostics.append(resolved.diagnostics);
            return Err(None);
        }
        resolved.class = class(visit.place, missing, &resolved);
        visit.place.keep(resolved);
    }
    Ok(None)
}

/// The class of a value that was found. Values with diagnostics have none, and so are not shared.
fn class(place: NameRef, missing: Option<(&SharedValues, Missing)>, resolved: &Resolved) -> Option<Class> {
    if resolved.failed || resolved.diagnostics.total() > 0 {
        return None;
    }
    match missing {
        Some((shared, missing)) => shared.keep(missing, &resolved.value, &resolved.hidden),
        None if resolved.hidden.is_empty() => {
            place.lazy.scope.shared.as_ref()?.class_of(place.node, &resolved.value)
        }
        None => None,
    }
}

/// The value of a name whose dependencies have values.
fn evaluate(visit: &Visit) -> Resolved {
    let place = visit.place;
    let mut resolved = Resolved::default();
    match place.content() {
        Content::Value(value) => resolved.value = value.clone(),
        Content::Members(members) => {
            let mut values = Vec::with_capacity(members.len());
            for (name, node) in members {
                let member = place.at(*node);
                let (Some(found), Some(value)) = (member.resolved(), member.seen()) else { continue };
                if found.failed {
                    resolved.failed = true;
                    resolved.failed_by.get_or_insert(*node);
                }
                resolved.hidden = resolved.hidden.union(&found.hidden);
                values.push((Str::from(&**name), value));
            }
            resolved.value = Value::object(values);
        }
        Content::Expression(expression) => {
            let Some(mut link) = visit.link() else { return resolved };
            link.reference = expression.span();
            let (value, needed) = cycle::running(place.key(), link, || {
                expression.evaluate_in_scope(place.context, &mut resolved.diagnostics)
            });
            resolved.value = value;
            resolved.hidden = needed.hidden;
            resolved.failed_by = needed.failed.and_then(|key| place.node_of(key));
            resolved.failed = needed.failed.is_some() || resolved.diagnostics.has_errors();
        }
        Content::Computation(computation) => compute(visit, &**computation, &mut resolved),
    }
    resolved
}

/// The value of a computation whose dependencies have values.
fn compute(visit: &Visit, computation: &dyn Computation, resolved: &mut Resolved) {
    let place = visit.place;
    let references = computation.references(place.context);
    let all: Vec<_> = references.iter().map(|(expression, own)| (own.as_slice(), expression)).collect();
    let Some(resolution) = resolve_all(place.context, &all, &mut resolved.diagnostics) else { return };
    for (_, references) in &references {
        let needs = resolution.needs(references);
        resolved.hidden = resolved.hidden.union(&needs.hidden);
        resolved.failed |= needs.failed.is_some();
        resolved.failed_by = resolved.failed_by.or(needs.failed.and_then(|key| visit.place.node_of(key)));
    }
    let work = || computation.compute(&resolution.context);
    let (value, found) = match visit.link() {
        Some(link) => cycle::running(place.key(), link, work),
        None => work(),
    };
    resolved.value = value;
    resolved.diagnostics.append(found);
    resolved.failed |= resolved.diagnostics.has_errors();
}

/// The result of an evaluation in a scope, in addition to the value.
#[derive(Default)]
pub(crate) struct Needs {
    hidden: Marks,
    /// The first name with errors.
    failed: Option<(usize, usize)>,
}

impl Resolution<'_> {
    pub(crate) fn needs(&self, references: &[Traversal]) -> Needs {
        let mut hidden = self.hidden.clone();
        if self.context.hides() {
            for reference in references {
                hidden = hidden.union(&self.context.hidden(&reference.root));
            }
        }
        Needs { hidden, failed: self.failed.first().map(|place| place.key()) }
    }
}

impl Context {
    #[doc(hidden)]
    /// Evaluates a name of the context's own [`Scope`](crate::Scope). The diagnostics include those of all names that
    /// it needs. Returns `None` if the name is not defined.
    pub fn value_of(&self, path: &[&str]) -> Option<(Value, Diagnostics)> {
        self.value_of_once(path, &mut Reported::default())
    }

    #[doc(hidden)]
    /// The same for many names: the errors of names that were reported before are left out. Otherwise the errors at the end
    /// of a long chain would be found again for each of its names.
    ///
    /// ```
    /// use hclkit_model::{Context, Expression, Reported, Scope};
    ///
    /// let mut scope = Scope::new();
    /// scope.define(["local", "a"], Expression::parse("local.b")?)?;
    /// scope.define(["local", "b"], Expression::parse("missing")?)?;
    /// let (context, mut reported) = (Context::new().with_scope(scope), Reported::default());
    /// let mut errors = |name| context.value_of_once(&["local", name], &mut reported).unwrap().1.total();
    /// assert_eq!([errors("a"), errors("b")], [1, 0]);
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    pub fn value_of_once(&self, path: &[&str], reported: &mut Reported) -> Option<(Value, Diagnostics)> {
        let place = self.own_name(path)?;
        let mut diagnostics = Diagnostics::new();
        let value = place.value(&mut diagnostics, |place, diagnostics| {
            let context = self.clone();
            Resolution { context, failed: vec![place], hidden: Marks::default() }
                .report_once(reported, diagnostics);
        });
        Some((value, diagnostics))
    }

    #[doc(hidden)]
    /// The value alone. Errors are not looked for in the names that it needs, which would take time for all of them at each call.
    pub fn value_alone(&self, path: &[&str]) -> Option<Value> {
        Some(self.own_name(path)?.value(&mut Diagnostics::new(), |_, _| {}))
    }

    /// A name of its own scope.
    fn own_name(&self, path: &[&str]) -> Option<NameRef<'_>> {
        let lazy = self.own_scope()?;
        Some(NameRef { context: self, lazy, node: lazy.scope.node(path)? })
    }

    #[doc(hidden)]
    /// Returns true if a name of the context's own [`Scope`](crate::Scope) was evaluated.
    pub fn has_value(&self, path: &[&str]) -> bool {
        let lazy = self.own_scope();
        let node = lazy.and_then(|lazy| lazy.scope.node(path));
        lazy.zip(node).is_some_and(|(lazy, node)| lazy.values[node].get().is_some())
    }

    #[doc(hidden)]
    /// Evaluates all names of the context's own [`Scope`](crate::Scope). Returns them in the order of their definition,
    /// except that each name comes after those that it depends on, together with all errors. If a limit is exceeded,
    /// names may be missing.
    ///
    /// ```
    /// use hclkit_model::{Context, Expression, Scope};
    ///
    /// let mut scope = Scope::new();
    /// scope.define(["local", "b"], Expression::parse("local.a + 1")?)?;
    /// scope.define(["local", "a"], Expression::parse("1")?)?;
    /// scope.define(["local", "c"], Expression::parse("[local.c]")?)?;
    /// let (definitions, errors) = Context::new().with_scope(scope).resolve();
    /// let names: Vec<&str> = definitions.iter().map(|definition| &*definition.name).collect();
    /// assert_eq!(names, ["local.a", "local.b", "local.c"]);
    /// assert_eq!(definitions[1].value.to_string(), "2");
    /// assert_eq!(errors.to_string(), "1:2: error: Reference cycle: `local.c` refers to itself.");
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    pub fn resolve(&self) -> (Vec<Definition>, Diagnostics) {
        let (mut found, mut diagnostics) = (Vec::new(), Diagnostics::new());
        let Some(lazy) = self.own_scope() else { return (found, diagnostics) };
        let meter = Meter::current();
        let _operation = meter.begin();
        let places = || (0..lazy.scope.names.nodes.len()).map(|node| NameRef { context: self, lazy, node });
        for place in places() {
            match run(place, &mut diagnostics) {
                Ok(cycle) => diagnostics.extend(cycle.and_then(cycle::error)),
                Err(exceeded) => {
                    diagnostics.extend(exceeded.map(|exceeded| place.too_much(exceeded)));
                    break;
                }
            }
        }
        let mut seen = HashSet::new();
        for start in places() {
            let mut stack = if seen.insert(start.key()) { vec![Visit::new(start)] } else { Vec::new() };
            while let Some(visit) = stack.last_mut() {
                // Names of outer contexts do not belong to the scope.
                let own = |next: &NameRef| std::ptr::eq(next.lazy, lazy);
                match visit.next() {
                    Some(next) if own(&next) && seen.insert(next.key()) => stack.push(Visit::new(next)),
                    Some(_) => {}
                    None => found.extend(stack.pop().and_then(|visit| definition(visit.place))),
                }
            }
        }
        for resolved in places().filter_map(NameRef::resolved) {
            diagnostics.append(resolved.diagnostics.clone());
        }
        (found, diagnostics)
    }
}

/// A name that has a value itself, if it was found.
fn definition(place: NameRef) -> Option<Definition> {
    let expression = match place.content() {
        Content::Members(_) => return None,
        Content::Expression(expression) => Some(expression.clone()),
        Content::Computation(_) | Content::Value(_) => None,
    };
    let value = place.resolved()?.value.clone();
    Some(Definition { name: place.lazy.scope.label(place.node), expression, value })
}
