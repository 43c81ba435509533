//! Why values are unknown: they depend on values that only a provider, another module or the caller knows.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex};

use hclkit_limits::Meter;

use super::find::{Finder, ResolvedTarget, TargetKind};
use super::{Derivation, asked, derive};
use crate::address::Address;
use crate::messages;
use crate::module::Module;
use crate::origin::Cause;

/// The maximum number of reasons for a value, and of instances that a loop leads to.
const MOST: usize = 20;
const MOST_INSTANCES: usize = 100;

/// Why the values of a module are unknown.
pub struct Reasons {
    module: Module,
    known: Mutex<Findings>,
}

/// The results so far.
struct Findings {
    finder: Finder,
    values: Vec<Unknown>,
    by_address: HashMap<Address, usize>,
    visits: usize,
}

/// An unknown value.
struct Unknown {
    point: ResolvedTarget,
    /// The unknown values that it refers to.
    uses: Vec<usize>,
    /// The reason why it is unknown regardless of other values.
    own: Option<&'static str>,
    /// The number of its visit, and the smallest one that it leads back to; 0 before the visit.
    visited: usize,
    back: usize,
    reasons: Option<Arc<All>>,
}

/// The first reasons in order, one more than are shown.
type All = BTreeSet<Reason>;

/// Why a value is unknown. With `{}`, this is text such as `aws_vpc.main.id (a provider sets it)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Reason {
    /// The address of the value that makes it unknown. None for the value itself.
    pub address: Option<Arc<str>>,
    /// The reason, such as `a provider sets it`.
    pub why: &'static str,
}

impl Reason {
    /// What makes a value unknown, and why.
    #[doc(hidden)]
    pub fn new(address: &str, why: &'static str) -> Self {
        Self { address: Some(address.into()), why }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.address {
            Some(address) => write!(f, "{address} ({})", self.why),
            None => f.write_str(self.why),
        }
    }
}

/// The module. What was found in it is left out.
#[doc(hidden)]
impl fmt::Debug for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reasons").field("module", &self.module).finish_non_exhaustive()
    }
}

impl Reasons {
    pub(crate) fn new(module: Module) -> Self {
        Self { module, known: Mutex::new(Findings::new()) }
    }

    /// Returns the values that make the value at an address unknown, the first twenty and `and more`. Empty if the value is
    /// unknown because a provider sets it. If a limit is exceeded, reasons may be missing.
    pub fn of(&self, address: &str) -> Vec<Reason> {
        let Some(job) = asked(&self.module, address) else { return Vec::new() };
        let Ok(mut known) = self.known.lock() else { return Vec::new() };
        let mut all = All::new();
        let meter = Meter::current();
        let _operation = meter.begin();
        for point in known.finder.find(&job) {
            let at = known.value(point);
            if !known.visit(at) {
                // What was begun is not complete.
                *known = Findings::new();
                return Vec::new();
            }
            let value = &known.values[at];
            if value.point.address().as_str() != address {
                add(&mut all, value.reasons.iter().flat_map(|reasons| reasons.iter().cloned()));
                continue;
            }
            let own = value.own.filter(|why| *why != messages::SET_BY_PROVIDER);
            add(&mut all, own.map(|why| Reason { address: None, why }));
            let inner = value.uses.iter().filter_map(|used| known.values[*used].reasons.as_ref());
            add(&mut all, inner.flat_map(|reasons| reasons.iter().cloned()));
        }
        let more = (all.len() > MOST).then_some(Reason { address: None, why: messages::MORE_REASONS });
        all.into_iter().take(MOST).chain(more).collect()
    }
}

/// Returns true if the value of the expression is known.
fn is_known(derivation: &Derivation) -> bool {
    derivation.expression.as_ref().is_some_and(|(_, explanation)| explanation.value.is_wholly_known())
}

fn add(all: &mut All, reasons: impl IntoIterator<Item = Reason>) {
    for reason in reasons {
        all.insert(reason);
        if all.len() > MOST + 1 {
            all.pop_last();
        }
    }
}

impl Findings {
    fn new() -> Self {
        let finder = Finder::new(MOST_INSTANCES);
        Self { finder, values: Vec::new(), by_address: HashMap::new(), visits: 0 }
    }

    /// The number of an unknown value.
    fn value(&mut self, point: ResolvedTarget) -> usize {
        let next = self.values.len();
        let at = *self.by_address.entry(point.address()).or_insert(next);
        if at == next {
            let (uses, own, reasons) = (Vec::new(), None, None);
            self.values.push(Unknown { point, uses, own, visited: 0, back: 0, reasons });
        }
        at
    }

    /// Finds out what a value refers to.
    fn enter(&mut self, at: usize) {
        self.visits += 1;
        let point = self.values[at].point.clone();
        let (derivation, jobs) = derive(&point);
        let mut points: Vec<ResolvedTarget> = jobs.iter().flat_map(|job| self.finder.find(job)).collect();
        let is_object = matches!(point.what, TargetKind::Object(..)) && point.rest.is_empty();
        // An object as a whole is unknown because of what its provider sets.
        points.retain(|used| {
            if is_object {
                !used.value().is_wholly_known() && !is_known(&derive(used).0)
            } else {
                !used.seen().is_wholly_known()
            }
        });
        // A provider may set what is configured as null.
        let is_set = is_object || is_known(&derivation) || point.value().is_wholly_known();
        let fails = derivation.expression.is_some_and(|(_, explanation)| explanation.fails());
        let own = match derivation.cause {
            _ if fails => messages::HAS_ERRORS,
            Cause::Missing => messages::NO_VALUE,
            Cause::OtherModule => messages::OTHER_MODULE,
            Cause::Program => messages::WHEN_APPLIED,
            Cause::Expression | Cause::Argument(_) if !is_set => messages::UNKNOWN_FUNCTION,
            _ => messages::SET_BY_PROVIDER,
        };
        let is_open = is_object && !point.seen().is_known();
        let own = (points.is_empty() || is_open).then_some(own);
        let uses = points.into_iter().map(|point| self.value(point)).collect();
        let (visited, back) = (self.visits, self.visits);
        let value = &mut self.values[at];
        *value = Unknown { point, uses, own, visited, back, reasons: None };
    }

    /// Finds the reasons for a value, after those for all values that it refers to. Values that refer to each other in
    /// a cycle have the same reasons; this is Tarjan's algorithm for them. Returns false if a limit is exceeded.
    fn visit(&mut self, start: usize) -> bool {
        if self.values[start].visited > 0 {
            return true;
        }
        self.enter(start);
        let meter = Meter::current();
        let (mut path, mut open) = (vec![(start, 0)], vec![start]);
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            if let Some(&used) = self.values[at].uses.get(*next) {
                *next += 1;
                if self.values[used].visited == 0 {
                    let bytes = self.values[used].point.address().len();
                    if meter.take_steps(1).and_then(|()| meter.take_bytes(bytes)).is_err() {
                        return false;
                    }
                    self.enter(used);
                    path.push((used, 0));
                    open.push(used);
                } else if self.values[used].reasons.is_none() {
                    self.values[at].back = self.values[at].back.min(self.values[used].visited);
                }
                continue;
            }
            path.pop();
            let back = self.values[at].back;
            if let Some((before, _)) = path.last() {
                self.values[*before].back = self.values[*before].back.min(back);
            }
            if back == self.values[at].visited {
                let first = open.iter().rposition(|other| *other == at).unwrap_or_default();
                self.finish(&open.split_off(first));
            }
        }
        true
    }

    /// The reason that a value gives to those that refer to it.
    fn reason(&self, at: usize, why: &'static str) -> Reason {
        Reason { address: Some(self.values[at].point.address().to_string().into()), why }
    }

    /// Sets the reasons for a value, or for the values on a cycle.
    fn finish(&mut self, circle: &[usize]) {
        let inner =
            |at: usize| self.values[at].uses.iter().filter_map(|used| self.values[*used].reasons.as_ref());
        let mut all = Arc::new(All::new());
        for at in circle {
            let own = self.values[*at].own;
            let own = own.map(|why| self.reason(*at, why));
            for reasons in inner(*at) {
                // In a long chain, all values have the same ones.
                if all.is_empty() {
                    all = reasons.clone();
                } else if !Arc::ptr_eq(&all, reasons) {
                    add(Arc::make_mut(&mut all), reasons.iter().cloned());
                }
            }
            if own.is_some() {
                add(Arc::make_mut(&mut all), own);
            }
        }
        let is_circle = |first: usize| circle.len() > 1 || self.values[first].uses.contains(&first);
        if let Some(first) = circle.first().filter(|first| all.is_empty() && is_circle(**first)) {
            let why = self.reason(*first, messages::HAS_ERRORS);
            add(Arc::make_mut(&mut all), [why]);
        }
        for at in circle {
            self.values[*at].reasons = Some(all.clone());
        }
    }
}
