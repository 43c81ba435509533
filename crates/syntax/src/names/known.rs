//! Names that are searched many times for the closest to others.

use std::cell::{Cell, OnceCell};

use super::{LONGEST, Letters, WORK, distance, nearest_names};

/// The number of searches that compare names one by one, before an index pays off.
const ONE_BY_ONE: usize = 16;
/// The maximum number of entries in an index: 32 MiB. Further names are compared one by one.
const MOST_ENTRIES: usize = 1 << 21;
/// The maximum work for all names without a known name one change away. Comparing letters counts [`GLANCE`]; comparing
/// names counts the product of their lengths.
const ALL_WORK: usize = 64 << 20;
const GLANCE: usize = 8;

/// A set of names to find the closest ones to others many times, in about constant time each.
///
/// [`nearest`](Self::nearest) returns the same as [`nearest_names`]. But after many names without a match one change
/// away, it finds only such matches.
///
/// ```
/// let known = hclkit_syntax::KnownNames::new(["port1", "port2", "host"]);
/// assert_eq!(known.nearest("port3"), ["port1", "port2"]);
/// assert!(known.nearest("region").is_empty());
/// ```
#[derive(Debug)]
pub struct KnownNames<'n> {
    names: Vec<&'n str>,
    searches: Cell<usize>,
    work_left: Cell<usize>,
    index: OnceCell<Index>,
}

impl<'n> KnownNames<'n> {
    /// Creates the set; the order of the names is kept.
    pub fn new(names: impl IntoIterator<Item = &'n str>) -> Self {
        Self {
            names: names.into_iter().collect(),
            searches: Cell::new(0),
            work_left: Cell::new(ALL_WORK),
            index: OnceCell::new(),
        }
    }

    /// Returns the names closest to another one, in order, if they are close enough.
    pub fn nearest(&self, name: &str) -> Vec<&'n str> {
        self.searches.set(self.searches.get() + 1);
        if name.len() > LONGEST {
            return Vec::new();
        }
        if self.searches.get() > ONE_BY_ONE {
            let index = self.index.get_or_init(|| Index::of(&self.names));
            let found = index.nearest(name, &self.names);
            if !found.is_empty() || (index.is_whole && name.chars().count() < 6) {
                return found;
            }
        }
        let letters = Letters::of(name);
        // This is the maximum work of a comparison.
        let work = self.names.len() * GLANCE + WORK.min(self.names.len() * letters.count * letters.count * 2);
        match self.work_left.get().checked_sub(work) {
            Some(left) => self.work_left.set(left),
            None => return Vec::new(),
        }
        nearest_names(name, self.names.iter().copied())
    }
}

/// An index of names that are one change away. Two names can be that close only if they are equal, or become equal when
/// each loses at most one character.
#[derive(Debug)]
struct Index {
    /// The hashes of shortened names with the positions of the names, sorted.
    entries: Vec<(u64, u32)>,
    /// Whether the index contains all names.
    is_whole: bool,
}

impl Index {
    fn of(names: &[&str]) -> Self {
        let (mut entries, mut is_whole) = (Vec::new(), true);
        for (at, name) in names.iter().enumerate().filter(|(_, name)| name.len() <= LONGEST) {
            let Ok(at) = u32::try_from(at) else { break };
            if entries.len() + name.len() > MOST_ENTRIES {
                is_whole = false;
                break;
            }
            entries.extend(shortened(name).into_iter().map(|hash| (hash, at)));
        }
        entries.sort_unstable();
        entries.dedup();
        Self { entries, is_whole }
    }

    /// Returns the closest names that are at most one change away.
    fn nearest<'n>(&self, name: &str, names: &[&'n str]) -> Vec<&'n str> {
        let mut places: Vec<usize> = Vec::new();
        let (own, mut work) = (Letters::of(name), 0);
        'all: for hash in shortened(name) {
            let first = self.entries.partition_point(|(other, _)| *other < hash);
            for &(_, at) in self.entries[first..].iter().take_while(|(other, _)| *other == hash) {
                work += own.count * own.count;
                if work > WORK {
                    break 'all;
                }
                places.push(at as usize);
            }
        }
        places.sort_unstable();
        places.dedup();
        let found = nearest_names(name, places.into_iter().map(|at| names[at]));
        if found.first().is_some_and(|near| distance(name, near) <= 1) { found } else { Vec::new() }
    }
}

/// The hashes of a name and of the name without each of its characters.
fn shortened(name: &str) -> Vec<u64> {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let characters: Vec<char> = name.chars().collect();
    // The hashes of the characters before each one, and the powers of the base for those after it.
    let mut before = vec![0u64];
    let mut powers = vec![1u64];
    for &character in &characters {
        let last = before.len() - 1;
        before.push(before[last].wrapping_mul(BASE).wrapping_add(u64::from(character) + 1));
        powers.push(powers[last].wrapping_mul(BASE));
    }
    let len = characters.len();
    let whole = before[len];
    let without = |at: usize| {
        let power = powers[len - at - 1];
        let after = whole.wrapping_sub(before[at + 1].wrapping_mul(power));
        before[at].wrapping_mul(power).wrapping_add(after)
    };
    let mut hashes: Vec<u64> = (0..len).map(without).chain([whole]).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

#[cfg(test)]
mod tests {
    use super::{KnownNames, ONE_BY_ONE};
    use crate::names::random;
    use crate::nearest_names;

    #[test]
    fn the_index_agrees_with_a_linear_search() {
        let mut random = random();
        for _ in 0..200 {
            let mut name = || (0..random(9)).map(|_| ['a', 'b', 'c', 'é', '1'][random(5) as usize]).collect();
            let names: Vec<String> = (0..12).map(|_| name()).collect();
            let known = KnownNames::new(names.iter().map(String::as_str));
            for _ in 0..ONE_BY_ONE + 40 {
                let name: String = name();
                assert_eq!(
                    known.nearest(&name),
                    nearest_names(&name, names.iter().map(String::as_str)),
                    "{name} {names:?}"
                );
            }
        }
    }

    #[test]
    fn names_one_change_away_are_found_after_any_number_of_searches() {
        let names: Vec<String> = (0..20_000).map(|at| format!("name_{at}")).collect();
        let known = KnownNames::new(names.iter().map(String::as_str));
        for at in 0..20_000 {
            known.nearest(&format!("far away {at}"));
        }
        for at in 0..20_000 {
            assert!(known.nearest(&format!("nxme_{at}")).contains(&&*format!("name_{at}")), "{at}");
        }
    }
}
