//! Which calls of a directory may depend on their own results: those in a cycle of references between declarations.

use std::collections::HashSet;

use hclkit_model::Expression;

use super::{Config, Content, Declaration, names_of};

impl Config {
    /// Returns true if the arguments of a call may depend on the results of the same call.
    pub(crate) fn is_cyclic(&self, call: usize) -> bool {
        self.cyclic_calls.get_or_init(|| self.find_cyclic()).contains(&call)
    }

    /// Removes declarations that refer to no others, and those that no others refer to, until none is left or only those in
    /// cycles and between them.
    fn find_cyclic(&self) -> HashSet<usize> {
        let references = self.references();
        let mut backwards = vec![Vec::new(); references.len()];
        for (from, all) in references.iter().enumerate() {
            for to in all {
                backwards[*to].push(from);
            }
        }
        let mut left = vec![true; references.len()];
        for (forwards, backwards) in [(&references, &backwards), (&backwards, &references)] {
            let own = |at: usize| forwards[at].iter().filter(|to| left[**to]).count();
            let mut counts: Vec<usize> = (0..forwards.len()).map(own).collect();
            let mut open: Vec<usize> = (0..counts.len()).filter(|at| left[*at] && counts[*at] == 0).collect();
            while let Some(at) = open.pop() {
                left[at] = false;
                for from in backwards[at].iter().filter(|from| left[**from]) {
                    counts[*from] -= 1;
                    if counts[*from] == 0 {
                        open.push(*from);
                    }
                }
            }
        }
        let calls =
            self.items.iter().enumerate().filter(|(_, item)| matches!(item.content, Content::Call(_)));
        calls.map(|(at, _)| at).filter(|at| left[*at]).collect()
    }

    /// The items and values that each item and each value refers to. The values come after the items.
    fn references(&self) -> Vec<Vec<usize>> {
        let number = |declaration| match declaration {
            Declaration::Item(at) => at,
            Declaration::Value(at) => self.items.len() + at,
        };
        let add = |expression: &Expression, found: &mut Vec<usize>| {
            for reference in expression.references() {
                found.extend(self.definitions().all(&names_of(reference)).map(number));
            }
        };
        let item = |item: &super::Item| {
            let mut found = Vec::new();
            item.each_expression_and_argument(&mut |expression, _| add(expression, &mut found));
            found
        };
        let value = |value: &super::Named| {
            let mut found = Vec::new();
            add(&value.attribute.expression, &mut found);
            found
        };
        self.items.iter().map(item).chain(self.values.iter().map(value)).collect()
    }
}
