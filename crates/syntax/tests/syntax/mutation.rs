//! Text with errors or deep nesting, the same in every run.

pub(crate) struct Dice(fastrand::Rng);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// A number below a limit, or 0 if the limit is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit.max(1))
    }
}

/// Applies up to four changes to a text: deletes or duplicates parts of at most `longest` bytes, truncates it, or
/// inserts a byte or one of `pieces`.
pub(crate) fn mutate(text: &[u8], dice: &mut Dice, pieces: &[&str], longest: usize) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=dice.below(4) {
        let at = dice.below(text.len() + 1);
        let end = (at + dice.below(longest)).min(text.len());
        match dice.below(5) {
            0 => drop(text.drain(at..end)),
            1 => text.truncate(at.max(8)),
            2 => {
                let copy = text[at..end].to_vec();
                let to = dice.below(text.len() + 1);
                text.splice(to..to, copy);
            }
            3 => text.insert(at, dice.below(256) as u8),
            _ => drop(text.splice(at..at, pieces[dice.below(pieces.len())].bytes())),
        }
    }
    text
}

/// Text that opens and closes something `times` times: prefix, opening part, middle, closing part, suffix.
pub(crate) fn grown([before, left, middle, right, after]: [&str; 5], times: usize) -> String {
    [before, &left.repeat(times), middle, &right.repeat(times), after].concat()
}
