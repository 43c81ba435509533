//! Makes a request small while its outcome stays: whole lines go first, then tokens, then characters.

use anyhow::Result;
use serde_json::Value;

use super::compare::{Outcome, compare, parting};
use super::tokens::cut;
use crate::probe::Probe;

/// How many requests a single shrinking may cost.
const EFFORT: usize = 3_000;

/// The kind of a difference, and how it begins.
type Class = (Outcome, (String, String));

/// The two probes, to ask again.
pub(crate) struct Pair {
    pub(crate) reference: Probe,
    pub(crate) ours: Probe,
}

impl Pair {
    /// The class of a difference: it stays the same while a request shrinks.
    fn classes(&mut self, requests: &[Value]) -> Result<Vec<Class>> {
        let requests: Vec<_> = requests.iter().collect();
        let (theirs, ours) = (self.reference.ask_all(&requests)?, self.ours.ask_all(&requests)?);
        let class = |(theirs, ours)| (compare(theirs, ours), parting(theirs, ours));
        Ok(theirs.iter().zip(&ours).map(class).collect())
    }

    /// Returns the request with the shortest `src` that was found; others as they are.
    pub(crate) fn shrink(&mut self, request: &Value) -> Result<Value> {
        let Some(src) = request.get("src").and_then(Value::as_str) else { return Ok(request.clone()) };
        let mut search =
            Search { pair: self, request, class: (Outcome::Equal, Default::default()), asked: 0 };
        search.class = search.pair.classes(std::slice::from_ref(request))?.remove(0);
        let mut src = src.to_owned();
        src = search.reduce(&src, |text| text.split_inclusive('\n').collect())?;
        src = search.reduce(&src, cut)?;
        src = search.reduce(&src, |text| text.split_inclusive(|_| true).collect())?;
        Ok(search.with(&src))
    }
}

struct Search<'p> {
    pair: &'p mut Pair,
    request: &'p Value,
    class: Class,
    asked: usize,
}

impl Search<'_> {
    fn with(&self, src: &str) -> Value {
        let mut request = self.request.clone();
        request["src"] = src.into();
        request
    }

    /// Leaves out runs of pieces, long ones first, until none can go.
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
}
