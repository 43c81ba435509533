//! What rules find in two versions: what is new, what is fixed, and how much stays.

use std::collections::HashMap;
use std::fmt::Write as _;

use hclkit::{Diagnostic, Diagnostics};

/// The findings of rules in two versions.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RuleChanges {
    /// Those of the new version that the old one does not have.
    pub new: Diagnostics,
    /// Those of the old version that the new one does not have.
    pub fixed: Diagnostics,
    /// How many both versions have.
    pub unchanged: usize,
}

impl RuleChanges {
    /// Compares findings. Each comes with a text that it has in both versions, such as its rule, its directory, its address and its
    /// message, but not its line.
    ///
    /// ```
    /// use hclkit::{Code, Diagnostic};
    /// use hclkit_review::RuleChanges;
    ///
    /// let found = |text: &str| (text.to_owned(), Diagnostic::warning(Code::custom("tags", "Tags")).with_note(text));
    /// let changes = RuleChanges::of([found("a"), found("b"), found("b")], [found("b"), found("c")]);
    /// assert_eq!((changes.new.len(), changes.fixed.len(), changes.unchanged), (1, 2, 1));
    /// ```
    pub fn of(
        old: impl IntoIterator<Item = (String, Diagnostic)>,
        new: impl IntoIterator<Item = (String, Diagnostic)>,
    ) -> Self {
        let mut known: HashMap<String, Vec<(usize, Diagnostic)>> = HashMap::new();
        for (at, (key, found)) in old.into_iter().enumerate() {
            known.entry(key).or_default().push((at, found));
        }
        let mut changes = Self::default();
        for (key, found) in new {
            match known.get_mut(&key).and_then(Vec::pop) {
                Some(_) => changes.unchanged += 1,
                None => changes.new.push(found),
            }
        }
        let mut left: Vec<(usize, Diagnostic)> = known.into_values().flatten().collect();
        left.sort_by_key(|(at, _)| *at);
        changes.fixed.extend(left.into_iter().map(|(_, found)| found));
        changes
    }

    /// `1 new, 2 fixed, 3 unchanged`
    pub(crate) fn in_words(&self) -> String {
        format!("{} new, {} fixed, {} unchanged", self.new.len(), self.fixed.len(), self.unchanged)
    }

    /// Each finding that is new or fixed, with a sign.
    pub(crate) fn signed(&self) -> impl Iterator<Item = (char, &Diagnostic)> {
        self.new.iter().map(|own| ('+', own)).chain(self.fixed.iter().map(|own| ('-', own)))
    }
}

/// `error[tags]: The tag Owner is missing.`
pub(crate) fn sentence(found: &Diagnostic) -> String {
    let mut text = found.severity().as_str().to_owned();
    if let Some(code) = found.code() {
        let _ = write!(text, "[{code}]");
    }
    let said = if found.note().is_empty() { found.summary() } else { found.note() };
    let _ = write!(text, ": {said}");
    hclkit::syntax::visible_line(&text).into_owned()
}
