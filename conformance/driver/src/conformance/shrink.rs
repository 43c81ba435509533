//! Minimizes a request with the same outcome: removes lines first, then tokens, characters, variables, and parts of
//! their values.

use anyhow::Result;
use serde_json::Value;

use super::compare::{Outcome, compare, parting};
use super::tokens::cut;
use crate::probe::Probe;

/// The largest number of requests for minimizing one difference.
const EFFORT: usize = 3_000;

/// The kind of a difference, and the start of its description.
type Class = (Outcome, (String, String));

/// The two probes.
pub(crate) struct Pair {
    pub(crate) reference: Probe,
    pub(crate) ours: Probe,
}

impl Pair {
    /// The class of a difference, which must not change while a request is minimized.
    fn classes(&mut self, requests: &[Value]) -> Result<Vec<Class>> {
        let requests: Vec<_> = requests.iter().collect();
        let (theirs, ours) = (self.reference.ask_all(&requests)?, self.ours.ask_all(&requests)?);
        let class = |(theirs, ours)| (compare(theirs, ours), parting(theirs, ours));
        Ok(theirs.iter().zip(&ours).map(class).collect())
    }

    /// Returns the request with the shortest `src` that was found; requests without `src` are returned unchanged.
    pub(crate) fn shrink(&mut self, request: &Value) -> Result<Value> {
        let Some(src) = request.get("src").and_then(Value::as_str) else { return Ok(request.clone()) };
        let mut search = Search {
            pair: self,
            request: request.clone(),
            class: (Outcome::Equal, Default::default()),
            asked: 0,
        };
        search.class = search.pair.classes(std::slice::from_ref(request))?.remove(0);
        let mut src = src.to_owned();
        src = search.reduce(&src, |text| text.split_inclusive('\n').collect())?;
        src = search.reduce(&src, cut)?;
        src = search.reduce(&src, |text| text.split_inclusive(|_| true).collect())?;
        search.request = search.with(&src);
        search.simplify()?;
        Ok(search.request)
    }
}

struct Search<'p> {
    pair: &'p mut Pair,
    request: Value,
    class: Class,
    asked: usize,
}

impl Search<'_> {
    fn with(&self, src: &str) -> Value {
        let mut request = self.request.clone();
        request["src"] = src.into();
        request
    }

    /// Removes runs of pieces, long ones first, until none can be removed.
    fn reduce(&mut self, src: &str, cut: fn(&str) -> Vec<&str>) -> Result<String> {
        let mut src = src.to_owned();
        let mut run = cut(&src).len().div_ceil(2);
        while run > 0 && self.asked < EFFORT {
            let pieces = cut(&src);
            let candidates: Vec<String> = (0..pieces.len())
                .step_by(run.div_ceil(2))
                .map(|at| [&pieces[..at], &pieces[pieces.len().min(at + run)..]].concat().concat())
                .collect();
            let requests: Vec<_> = candidates.iter().map(|candidate| self.with(candidate)).collect();
            self.asked += requests.len();
            let classes = self.pair.classes(&requests)?;
            match classes.iter().position(|class| *class == self.class) {
                Some(found) if candidates[found].len() < src.len() => src.clone_from(&candidates[found]),
                _ => run /= 2,
            }
        }
        Ok(src)
    }

    /// Removes variables and parts of their values until none can be removed.
    fn simplify(&mut self) -> Result<()> {
        while self.asked < EFFORT {
            let Some(vars) = self.request.get("vars") else { return Ok(()) };
            let candidates: Vec<Value> = simpler(vars)
                .into_iter()
                .map(|vars| {
                    let mut request = self.request.clone();
                    request["vars"] = vars;
                    request
                })
                .collect();
            self.asked += candidates.len();
            let classes = self.pair.classes(&candidates)?;
            match classes.iter().position(|class| *class == self.class) {
                Some(found) => self.request.clone_from(&candidates[found]),
                None => return Ok(()),
            }
        }
        Ok(())
    }
}

/// Variants of the JSON, each with one thing removed: a field, an item, the marks of a value.
fn simpler(json: &Value) -> Vec<Value> {
    let mut list = Vec::new();
    match json {
        Value::Object(fields) => {
            list.extend(fields.get("of").cloned());
            for name in fields.keys() {
                let mut fewer = fields.clone();
                fewer.remove(name);
                list.push(fewer.into());
            }
            for (name, field) in fields {
                list.extend(simpler(field).into_iter().map(|field| {
                    let mut other = fields.clone();
                    other.insert(name.clone(), field);
                    other.into()
                }));
            }
        }
        Value::Array(items) => {
            for at in 0..items.len() {
                let mut fewer = items.clone();
                fewer.remove(at);
                list.push(fewer.into());
            }
            for (at, item) in items.iter().enumerate() {
                list.extend(simpler(item).into_iter().map(|item| {
                    let mut other = items.clone();
                    other[at] = item;
                    other.into()
                }));
            }
        }
        _ => {}
    }
    list
}
