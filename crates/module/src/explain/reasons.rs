//! Why values are unknown: they depend on values that only a provider, another module or the caller knows.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Mutex;

use super::find::{Finder, Point, What};
use super::{Cause, asked, derive};
use crate::messages;
use crate::module::Module;

/// The maximum number of reasons for a value, and of instances that a loop leads to.
const MOST: usize = 20;
const MOST_INSTANCES: usize = 100;

/// Why the values of a module are unknown.
#[derive(Debug)]
pub struct Reasons {
    module: Module,
    known: Mutex<Known>,
}

/// The results so far.
#[derive(Debug)]
struct Known {
    finder: Finder,
    links: HashMap<String, Link>,
}

/// Why the value at an address is unknown.
#[derive(Clone, Debug, Default)]
struct Link {
    /// The unknown values that it refers to.
    points: Vec<Point>,
    /// The reason why it is unknown regardless of other values.
    own: Option<&'static str>,
}

impl Reasons {
    pub(crate) fn new(module: Module) -> Reasons {
        let known = Known { finder: Finder::new(MOST_INSTANCES), links: HashMap::new() };
        Reasons { module, known: Mutex::new(known) }
    }

    /// Returns the addresses that make the value at an address unknown, each with the reason. Empty if the value is
    /// unknown because a provider sets it.
    pub fn of(&self, address: &str) -> Vec<String> {
        let Some(job) = asked(&self.module, address) else { return Vec::new() };
        let Ok(mut known) = self.known.lock() else { return Vec::new() };
        let (mut reasons, mut seen) = (BTreeSet::new(), HashSet::new());
        let mut open = known.finder.find(&job);
        while let Some(point) = open.pop() {
            let at = point.address();
            if reasons.len() > MOST || !seen.insert(at.clone()) {
                continue;
            }
            let link = known.link(&at, &point);
            match link.own {
                Some(messages::SET_BY_PROVIDER) if at == address => {}
                Some(why) if at == address => _ = reasons.insert(why.to_owned()),
                Some(why) => _ = reasons.insert(format!("{at} ({why})")),
                None => {}
            }
            open.extend(link.points);
        }
        let mut reasons: Vec<String> = reasons.into_iter().collect();
        if reasons.len() > MOST {
            reasons.truncate(MOST);
            reasons.push(messages::MORE_REASONS.to_owned());
        }
        reasons
    }
}

impl Known {
    /// Returns why a value is unknown.
    fn link(&mut self, address: &str, point: &Point) -> Link {
        if let Some(link) = self.links.get(address) {
            return link.clone();
        }
        let (derivation, jobs) = derive(point);
        let mut points: Vec<Point> = jobs.iter().flat_map(|job| self.finder.find(job)).collect();
        points.retain(|point| !point.value().is_wholly_known());
        let fails = derivation.expression.is_some_and(|(_, explanation)| !explanation.errors.is_empty());
        let is_object = matches!(point.what, What::Object(..)) && point.rest.is_empty();
        let own = match derivation.cause {
            _ if fails => messages::HAS_ERRORS,
            Cause::Missing => messages::NO_VALUE,
            Cause::OtherModule => messages::OTHER_MODULE,
            Cause::Program => messages::WHEN_APPLIED,
            Cause::Expression | Cause::Argument(_) if !is_object => messages::UNKNOWN_FUNCTION,
            _ => messages::SET_BY_PROVIDER,
        };
        let link = Link { own: points.is_empty().then_some(own), points };
        self.links.insert(address.to_owned(), link.clone());
        link
    }
}
