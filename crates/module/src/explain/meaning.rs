//! What unknown values are computed from, as fingerprints: two values with the same one are computed in the same way from the same
//! inputs, whatever the expressions are called and however they are written.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::hash::{BuildHasher as _, Hash, Hasher as _, RandomState};
use std::sync::Arc;

use hclkit_limits::{Meter, with_room};
use hclkit_model::{Context, Expression, UseStep};
use hclkit_syntax::ast::{ExpressionKind, ExpressionNode};
use hclkit_syntax::{Span, TokenKind};
use hclkit_value::Value;

use super::find::{Finder, ResolvedTarget, TargetKind};
use super::{AttributeOrigin, Bound, Job, MOST_STEPS, asked, attribute_origin, narrowed, use_step};
use crate::config::{Call, Content, Item, Output};
use crate::instance::Instance;
use crate::module::{Module, select};
use crate::step::{Step, written};

/// The maximum number of instances that a splat or a loop leads to.
const MOST_INSTANCES: usize = 1_000;

/// What a value is computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// Equal for values that are computed in the same way from equal values. Only fingerprints with the same [`RandomState`] can be
    /// compared.
    pub fingerprint: u64,
    /// The addresses of the objects whose attributes a provider sets, and on which the value depends.
    pub objects: Arc<BTreeSet<String>>,
}

/// An address of an old version.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub enum OldAddress<'a> {
    /// An instance of an object or a module.
    Instance(&'a str),
    /// A block whose instances have keys.
    Block(&'a str),
}

/// The address that something gets, if it is another one.
type Renamed = dyn Fn(OldAddress<'_>) -> Option<String> + Send + Sync;

/// What the values of a module are computed from. Each value is looked at once.
pub struct Meanings {
    module: Module,
    state: RandomState,
    renamed: Box<Renamed>,
    finder: Finder,
    /// The values by their addresses, and what is written there. None while one is looked at.
    known: HashMap<String, Option<Meaning>>,
    /// What is written counts, also where its value is known.
    as_written: bool,
    /// Instances of modules whose keys are unknown. Those that they call need them.
    unknown_instances: HashMap<(usize, usize), Option<Arc<Instance>>>,
}

/// The number of values. Their contents are left out.
#[doc(hidden)]
impl fmt::Debug for Meanings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meanings").field("known", &self.known.len()).finish_non_exhaustive()
    }
}

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Here<'h> {
    pub(crate) instance: &'h Arc<Instance>,
    bound: Option<&'h Bound>,
}

impl<'h> Here<'h> {
    /// Outside of the instances of blocks.
    pub(crate) fn of(instance: &'h Arc<Instance>) -> Self {
        Self { instance, bound: None }
    }

    /// In an instance of a block.
    pub(crate) fn inside(instance: &'h Arc<Instance>, bound: Option<&'h Bound>) -> Self {
        Self { instance, bound }
    }

    pub(crate) fn context(self) -> Context {
        self.bound.map_or_else(|| self.instance.context.clone(), |bound| bound.context(self.instance))
    }
}

/// A fingerprint under construction.
struct Print {
    hasher: <RandomState as std::hash::BuildHasher>::Hasher,
    objects: BTreeSet<String>,
}

impl Print {
    fn add(&mut self, part: impl Hash) {
        part.hash(&mut self.hasher);
    }

    fn meaning(&mut self, part: &Meaning) {
        self.add(part.fingerprint);
        self.objects.extend(part.objects.iter().cloned());
    }

    fn finish(self) -> Meaning {
        Meaning { fingerprint: self.hasher.finish(), objects: Arc::new(self.objects) }
    }
}

impl Module {
    /// Finds out what values are computed from. Objects are named as `renamed` says, so that one that has moved is the same one.
    #[doc(hidden)]
    pub fn meanings(
        &self,
        state: &RandomState,
        renamed: impl Fn(OldAddress<'_>) -> Option<String> + Send + Sync + 'static,
    ) -> Meanings {
        Meanings {
            module: self.clone(),
            state: state.clone(),
            renamed: Box::new(renamed),
            finder: Finder::new(MOST_INSTANCES),
            known: HashMap::new(),
            as_written: false,
            unknown_instances: HashMap::new(),
        }
    }
}

impl Meanings {
    /// What the value at an address is computed from. None if there is none.
    pub fn of(&mut self, address: &str) -> Option<Meaning> {
        let job = asked(&self.module, address)?;
        let points = self.finder.find(&job);
        if points.is_empty() {
            return None;
        }
        let mut print = self.begin("value");
        for point in &points {
            let part = self.target(point);
            print.meaning(&part);
        }
        Some(print.finish())
    }

    fn begin(&self, what: &str) -> Print {
        let mut print = Print { hasher: self.state.build_hasher(), objects: BTreeSet::new() };
        print.add(what);
        print
    }

    /// A known value. Marks do not change what it is.
    fn value(&self, value: &Value) -> Meaning {
        let mut print = self.begin("known");
        print.add(value.unmark_deep().0);
        print.finish()
    }

    fn renamed(&self, old: OldAddress<'_>) -> String {
        let (OldAddress::Instance(address) | OldAddress::Block(address)) = old;
        (self.renamed)(old).unwrap_or_else(|| address.to_owned())
    }

    /// An instance of a module that a block calls, whose instances are unknown. Its key is unknown, too.
    pub(crate) fn unknown_instance(&mut self, parent: &Arc<Instance>, item: usize) -> Option<Arc<Instance>> {
        let key = (Arc::as_ptr(parent) as usize, item);
        self.unknown_instances.entry(key).or_insert_with(|| parent.unknown_child(item)).clone()
    }

    /// What a provider sets: the attribute of an object, or all of it.
    fn provided(&self, object: OldAddress<'_>, rest: &[Step]) -> Meaning {
        let object = self.renamed(object);
        let mut print = self.begin("provided");
        print.add(&object);
        print.add(written(rest));
        print.objects.insert(object);
        print.finish()
    }

    fn target(&mut self, point: &ResolvedTarget) -> Meaning {
        let seen = point.seen();
        if seen.is_wholly_known() {
            return self.value(&seen);
        }
        self.once(point.address().as_str().to_owned(), |own| {
            let as_written = std::mem::replace(&mut own.as_written, false);
            let found = own.computed(point);
            own.as_written = as_written;
            found
        })
    }

    /// What is at an address, which is looked at once.
    fn once(&mut self, address: String, look: impl FnOnce(&mut Self) -> Meaning) -> Meaning {
        match self.known.get(&address) {
            Some(Some(known)) => return known.clone(),
            // The cycle is an error of the evaluation.
            Some(None) => return self.begin("cycle").finish(),
            None => {}
        }
        if Meter::current().take_steps(1).is_err() {
            return self.begin("limit").finish();
        }
        self.known.insert(address.clone(), None);
        let found = with_room(|| look(self));
        self.known.insert(address, Some(found.clone()));
        found
    }

    /// What an unknown value is computed from.
    fn computed(&mut self, point: &ResolvedTarget) -> Meaning {
        let instance = point.instance.clone();
        let here = Here::of(&instance);
        let item = |at: usize| &instance.config.items[at];
        match &point.what {
            TargetKind::Input(at) => self.input(point, item(*at)),
            TargetKind::Named(at) => {
                self.expression(here, &instance.config.values[*at].attribute.expression, &point.rest)
            }
            TargetKind::Output(at) => match &item(*at).content {
                Content::Output(Output { value: Some(value), .. }) => {
                    self.expression(here, value, &point.rest)
                }
                _ => self.begin("none").finish(),
            },
            TargetKind::Object(at, bound) => self.object(point, item(*at), bound.as_ref()),
            TargetKind::Repeated(at) => {
                let mut print = self.begin("repeated");
                print.meaning(&self.provided(OldAddress::Block(&point.block_address()), &point.rest));
                if let Some((_, expression)) = &item(*at).repetition {
                    print.meaning(&self.expression(here, expression, &[]));
                }
                print.finish()
            }
            TargetKind::Call(_) => {
                let mut print = self.begin("results");
                for steps in point.results() {
                    for result in self.finder.find(&Job::new(&instance, steps)) {
                        print.meaning(&self.target(&result));
                    }
                }
                print.finish()
            }
            TargetKind::Binding(bound, path) => {
                let Some((repeat, expression)) = &item(bound.item).repetition else {
                    return self.begin("none").finish();
                };
                if !bound.key.is_known() {
                    let mut print = self.begin("each");
                    print.add(repeat.value.as_ref().is_some_and(|value| value == path));
                    print.add(written(&point.rest));
                    print.meaning(&self.expression(here, expression, &[]));
                    return print.finish();
                }
                let mut inner = Vec::new();
                if repeat.value.as_ref().is_some_and(|value| value == path) {
                    inner.push(Step::Key(bound.key.clone()));
                    inner.extend(point.rest.iter().cloned());
                }
                self.expression(here, expression, &inner)
            }
            TargetKind::Program => {
                let mut print = self.begin("program");
                print.add(written(&point.steps()));
                print.finish()
            }
            TargetKind::OtherModule(at) => self.other_module(point, item(*at)),
        }
    }

    /// A variable: the argument of a call, or a value that nobody gives.
    fn input(&mut self, point: &ResolvedTarget, item: &Item) -> Meaning {
        let name = item.own_name();
        if let Some((parent, up, _)) = point.instance.caller()
            && let Content::Call(call) = &parent.config.items[up.item].content
            && let Some(argument) = call.argument(name)
        {
            let bound = up.instance.clone().map(|(key, value)| Bound { item: up.item, key, value });
            let here = Here { instance: &parent, bound: bound.as_ref() };
            return self.expression(here, &argument.expression, &point.rest);
        }
        let mut print = self.begin("input");
        print.add(self.renamed(OldAddress::Instance(&written(&point.instance.path))));
        print.add(name);
        print.add(written(&point.rest));
        print.finish()
    }

    fn object(&mut self, point: &ResolvedTarget, item: &Item, bound: Option<&Bound>) -> Meaning {
        let Content::Object(shape) = &item.content else { return self.begin("none").finish() };
        let here = Here { instance: &point.instance, bound };
        let object = ResolvedTarget { rest: Vec::new(), ..point.clone() }.address();
        match attribute_origin(point, item, shape, &here.context()) {
            Some(AttributeOrigin::Expression(expression, rest)) => {
                let own = self.expression(here, expression, rest);
                // A provider sets what is null.
                let (value, failed) = expression.evaluate_alone(&here.context());
                if failed || !value.is_wholly_known() {
                    return own;
                }
                let mut print = self.begin("set");
                print.meaning(&own);
                print.meaning(&self.provided(OldAddress::Instance(object.as_str()), &point.rest));
                print.finish()
            }
            Some(AttributeOrigin::Blocks(expressions, true)) => {
                let expressions: Vec<Expression> = expressions.into_iter().cloned().collect();
                let mut print = self.begin("blocks");
                print.add(written(&point.rest));
                for expression in &expressions {
                    print.meaning(&self.expression(here, expression, &[]));
                }
                print.finish()
            }
            Some(AttributeOrigin::Blocks(_, false)) | None => {
                self.provided(OldAddress::Instance(object.as_str()), &point.rest)
            }
        }
    }

    /// A result of a module that was not read depends on its source, its version and its arguments.
    fn other_module(&mut self, point: &ResolvedTarget, item: &Item) -> Meaning {
        let mut print = self.begin("module");
        let keys = usize::from(item.has_keys() && matches!(point.rest.first(), Some(Step::Key(_))));
        let (key, rest) = point.rest.split_at(keys);
        let own = ResolvedTarget { rest: key.to_vec(), ..point.clone() }.address();
        print.add(self.renamed(if item.has_keys() && key.is_empty() {
            OldAddress::Block(own.as_str())
        } else {
            OldAddress::Instance(own.as_str())
        }));
        print.add(written(rest));
        let instance = point.instance.clone();
        let here = Here::of(&instance);
        for name in ["source", "version"] {
            if let Some(attribute) = item.block.body.attribute(name) {
                print.meaning(&self.expression(here, &attribute.expression, &[]));
            }
        }
        if let Content::Call(Call { arguments, .. }) = &item.content {
            for argument in arguments {
                print.add(argument.name.as_str());
                print.meaning(&self.expression(here, &argument.expression, &[]));
            }
        }
        print.finish()
    }

    /// The part of an expression's value to which steps lead.
    pub(crate) fn expression(&mut self, here: Here<'_>, expression: &Expression, rest: &[Step]) -> Meaning {
        let (part, rest) = narrowed(expression, rest);
        with_room(|| self.part(here, &here.context(), &part, rest))
    }

    /// An expression of which counts what it says, even if its value is the same: a condition.
    pub(crate) fn written(&mut self, here: Here<'_>, expression: &Expression) -> Meaning {
        self.as_written = true;
        let found = self.expression(here, expression, &[]);
        self.as_written = false;
        found
    }

    fn part(&mut self, here: Here<'_>, context: &Context, part: &Expression, rest: &[Step]) -> Meaning {
        if Meter::current().take_steps(1).is_err() {
            return self.begin("limit").finish();
        }
        let (value, failed) = part.evaluate_alone(context);
        // A local value can be written in its place.
        if self.as_written
            && let Some(points) = self.referents(here, part, rest)
            && let [point @ ResolvedTarget { what: TargetKind::Named(at), .. }] = &points[..]
        {
            let expression = &point.instance.config.values[*at].attribute.expression;
            return self.once(format!("as written: {}", point.address()), |own| {
                own.expression(Here::of(&point.instance), expression, &point.rest)
            });
        }
        let counts = !self.as_written || part.parts().is_empty();
        if counts
            && !failed
            && let Some(value) = select(&value, rest)
            && value.is_wholly_known()
        {
            return self.value(&value);
        }
        if let Some(points) = self.referents(here, part, rest).filter(|points| !points.is_empty()) {
            if let [point] = &points[..] {
                return self.target(point);
            }
            let mut print = self.begin("references");
            for point in &points {
                print.meaning(&self.target(point));
            }
            return print.finish();
        }
        match part.ast().map(ExpressionNode::kind) {
            Some(ExpressionKind::Parens(_)) => {
                if let [inner] = &part.parts()[..] {
                    return with_room(|| self.part(here, context, inner, rest));
                }
            }
            Some(ExpressionKind::Conditional { .. }) if !self.as_written => {
                if let [condition, yes, no] = &part.parts()[..]
                    && let (value, failed) = condition.evaluate_alone(context)
                    && let Some(selected) = value.unmark().0.as_bool().filter(|_| !failed)
                {
                    return with_room(|| self.part(here, context, if selected { yes } else { no }, rest));
                }
            }
            _ => {}
        }
        // `(x).a` means the attribute `a` of `x`, as `local.x.a` does.
        if let Some((inner, step)) = selection(part, context) {
            let steps: Vec<Step> = std::iter::once(step).chain(rest.iter().cloned()).collect();
            let (inner, rest) = narrowed(&inner, &steps);
            return with_room(|| self.part(here, context, &inner, rest));
        }
        self.written_part(here, context, part, rest)
    }

    /// An expression as it is written, with what its parts mean.
    fn written_part(
        &mut self,
        here: Here<'_>,
        context: &Context,
        part: &Expression,
        rest: &[Step],
    ) -> Meaning {
        let parts = part.parts();
        let mut print = self.begin("expression");
        print.add(written(rest));
        let pieces = pieces(part, &parts);
        // `"${x}"` is x.
        let texts: Vec<&str> = pieces.iter().filter_map(Piece::text).collect();
        if let ([inner], ["\"", "${", "}", "\""] | ["\"${", "}\""]) = (&parts[..], &texts[..]) {
            return with_room(|| self.part(here, context, inner, rest));
        }
        for piece in &pieces {
            match piece {
                Piece::Text(text) => print.add(text),
                Piece::Part(at) => print.meaning(&with_room(|| self.part(here, context, &parts[*at], &[]))),
            }
        }
        print.finish()
    }

    /// What an expression refers to that is only a reference.
    fn referents(
        &mut self,
        here: Here<'_>,
        expression: &Expression,
        rest: &[Step],
    ) -> Option<Vec<ResolvedTarget>> {
        expression.references().find(|reference| reference.span() == expression.span())?;
        let used = expression.uses().into_iter().next()?;
        let mut steps = vec![UseStep::Attribute(used.root)];
        steps.extend(used.steps);
        if steps.len() + rest.len() <= MOST_STEPS {
            steps.extend(rest.iter().cloned().map(use_step));
        }
        let job = Job { instance: here.instance.clone(), steps, bound: here.bound.cloned(), outside: false };
        let mut found = self.finder.find(&job);
        for point in &mut found {
            if matches!(point.what, TargetKind::Repeated(_)) {
                point.rest = Finder::part(&job);
            }
        }
        Some(found)
    }
}

/// What an expression selects a part of, and the step that leads to it.
fn selection(expression: &Expression, context: &Context) -> Option<(Expression, Step)> {
    let mut parts = expression.parts().into_iter();
    let (inner, key) = (parts.next()?, parts.next());
    let step = match expression.ast()?.kind() {
        ExpressionKind::GetAttr { name: Some(name), .. } => Step::Name(name.text.into()),
        ExpressionKind::Index { .. } => {
            let (key, failed) = key?.evaluate_alone(context);
            if failed || key.is_marked() || key.is_null() || !key.is_wholly_known() {
                return None;
            }
            Step::Key(key)
        }
        _ => return None,
    };
    Some((inner, step))
}

/// A piece of an expression.
enum Piece {
    Text(String),
    /// The number of a part.
    Part(usize),
}

impl Piece {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Part(_) => None,
        }
    }
}

/// The tokens of an expression outside of its parts, without blanks, comments and separators, and the parts.
fn pieces(expression: &Expression, parts: &[Expression]) -> Vec<Piece> {
    let Some(node) = expression.ast() else { return json_pieces(expression, parts) };
    let document = node.document();
    let (tokens, source) = (document.tokens(), document.source());
    let spans: Vec<Span> = parts.iter().filter_map(|part| Some(part.ast()?.span())).collect();
    let (first, last) = document.tree().token_range(node.id());
    let (mut pieces, mut next) = (Vec::new(), 0);
    for at in first..=last {
        let span = tokens.span(at);
        while spans.get(next).is_some_and(|part| part.end <= span.start) {
            next += 1;
        }
        if let Some(part) = spans.get(next)
            && part.start <= span.start
            && span.end <= part.end
        {
            if part.start == span.start {
                pieces.push(Piece::Part(next));
            }
            continue;
        }
        let kind = tokens.kind(at);
        if !kind.is_trivia() && !matches!(kind, TokenKind::Newline | TokenKind::Comma) {
            pieces.push(Piece::Text(source.slice(span).to_owned()));
        }
    }
    pieces
}

/// The same in the JSON syntax. In strings, blanks count.
fn json_pieces(expression: &Expression, parts: &[Expression]) -> Vec<Piece> {
    let (source, whole) = (expression.source(), expression.span());
    let (mut pieces, mut at) = (Vec::new(), whole.start);
    let text = |from: u32, to: u32| Piece::Text(without_blanks(source.slice(Span::new(from, to.max(from)))));
    for (number, part) in parts.iter().enumerate() {
        pieces.push(text(at, part.span().start));
        pieces.push(Piece::Part(number));
        at = part.span().end;
    }
    pieces.push(text(at, whole.end));
    pieces
}

fn without_blanks(text: &str) -> String {
    let (mut quoted, mut escaped) = (false, false);
    let keep = |c: char| {
        let kept = quoted || !c.is_whitespace() && c != ',';
        quoted ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        kept
    };
    let mut keep = keep;
    text.chars().filter(|c| keep(*c)).collect()
}
